"""The reference data: columns recognised, defects named with file and line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoring_program as dh
from scoring_program.core.errors import OrganizerError, ReferenceDataError, SettingsError
from scoring_program.core.phrases import Phrase
from scoring_program.data.entry import gold_labels, gold_numbers, label_set
from scoring_program.data.gold import Gold, as_gold, read_gold, read_headed
from scoring_program.data.targets import target_column
from scoring_program.settings.loading import parse_value, update
from scoring_program.settings.model import Settings

DEFAULTS = Settings()


def read(text: str, **values: object) -> Gold:
    return read_gold(text.encode(), "gold.csv", update(DEFAULTS, values, {}))


def wide(content: bytes, settings: Settings = DEFAULTS) -> Gold:
    table = read_headed(content, "table.csv", settings, wide=True)
    return as_gold(table, settings, "", wide=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("id,label\n", "line 1: there is a header but no example"),
        ("id,label\nt1,a\nt1,b\n", "line 3: the id was already on line 2"),
        ("id,label\n,a\n", "line 2: the id is empty"),
        ("id,label\nt1,a,b\n", "line 2: 3 cells found, 2 expected"),
        ("12\tII|V\n13\n14\tIX\n", "line 2: 1 cell found, 2 expected.* a 'reader' of your own"),
        ("id,\nt1,a\n", "line 1: a column has no name"),
        (",a\n2,b\n3,b\n", "line 1: a column has no name"),
        (",id\nx,a\ny,b\n", "line 1: a column has no name"),
        ("id,label,label\nt1,a,b\n", "line 1: two columns are called 'label'"),
        ("1,2,3\n", "3 columns have no names.*'id,c2,label'.*columns: \\[id, c2, label\\]"),
        ("id,label,Usage\nt1,a,Ignored\n", "ignores every row"),
        ("id,label\nt1,a\0\n", "line 2: the text holds a NUL character"),
    ],
)
def test_malformed(text: str, message: str) -> None:
    with pytest.raises(ReferenceDataError, match=message):
        read(text)


@pytest.mark.parametrize("key", ["group", "stratify"])
@pytest.mark.parametrize(
    ("header", "name", "others"),
    [
        ("id,label", "id", {}),
        ("id,label", "id", {"id_column": "id"}),
        ("user_id,label", "user_id", {}),
        ("key,label", "key", {"id_column": "key"}),
    ],
)
def test_ids_are_no_groups(key: str, header: str, name: str, others: dict[str, str]) -> None:
    """Else rows that have ids would be matched by position."""
    text = f"{header}\nt1,a\nt2,b\n"
    with pytest.raises(SettingsError, match=f"{key}: '{name}' differs in every row"):
        read(text, **{key: name}, **others)


@pytest.mark.parametrize("key", ["group", "stratify"])
def test_usage_is_no_group(key: str) -> None:
    with pytest.raises(SettingsError, match=f"{key}: 'Usage' separates public from private"):
        read("id,label,Usage\nt1,a,Public\nt2,b,Private\n", **{key: "Usage"})


def test_groups_may_hold_an_example_each() -> None:
    gold = read("id,user_id,label\nt1,u1,a\nt2,u2,b\n", group="user_id")
    assert (gold.id_column, gold.columns["user_id"]) == ("id", ["u1", "u2"])


def test_ids_may_have_any_name_if_they_differ() -> None:
    gold = read("filename,label\nb.png,x\na.png,y\n")
    assert (gold.id_column, gold.ids, gold.targets) == ("filename", ("b.png", "a.png"), ("label",))
    assert gold.roles.ids_by_cells
    assert gold.notes == (
        Phrase(
            "Reference data: the ids are in the column {column} (no two cells are equal). The "
            "setting id_column names another column.",
            column="filename",
        ),
    )
    named = read("filename,label\nb.png,x\na.png,y\n", id_column="filename")
    assert (named.id_column, named.roles.ids_by_cells, named.notes) == ("filename", False, ())


def test_gold_whose_columns_nothing_separates_is_said_to_have_no_delimiter() -> None:
    with pytest.raises(ReferenceDataError, match=r"line 1: no delimiter .* was recognized; the"):
        read("id label\nt1 a\nt2 b\n")


def test_words_are_ids_before_texts() -> None:
    text = "text,filename,label\nwhat a day,b,x\noh no,a,y\n"
    assert read(text).id_column == "filename"
    assert read("text,label\nwhat a day,x\noh no,x\n").id_column == "text"


@pytest.mark.parametrize(
    "text",
    [
        "filename,label\na,x\na,y\n",  # repeated
        "filename,label\n,x\na,y\n",  # empty
        "size,label\n0.5,x\n1.5,y\n",  # fractions
        "label,y\na,x\nb,y\n",  # called like targets
        "Unnamed: 0,label\n0,x\n1,y\n",  # a data frame's index
        "age,height\n1,2\n3,4\n",  # either may be predicted
        "label\na\nb\n",
    ],
)
def test_column_that_is_not_taken_for_ids(text: str) -> None:
    assert read(text).ids is None


def test_columns_of_teams_and_metrics_are_not_taken_for_ids() -> None:
    text = b"y,One,Two\na,x,y\nb,z,w\n"
    assert wide(text).ids is None
    metrics = [{"name": "m", "function": "accuracy_score", "column": "name"}]
    assert read("name,kind\na,x\nb,x\n", metrics=metrics).ids is None
    assert read("name,label\na,x\nb,x\n", group="name").ids is None


def test_texts_that_lead_a_wide_table_name_its_rows() -> None:
    chosen = update(DEFAULTS, {"metrics": ["accuracy_score"]}, {})

    def found(text: str) -> str | None:
        return wide(text.encode(), chosen).id_column

    assert found("filename,y,One\nf1,a,b\nf2,b,b\nf3,b,b\nf4,b,b\n") == "filename"
    assert found("filename,One,Two\nf1.txt,0.5,1\nf2.txt,0.25,1\n") == "filename"
    assert found("serial,y,One\n1001,a,b\n1002,b,b\n1003,b,b\n1004,b,b\n") == "serial"
    assert found("One,y,Two\na,a,b\nb,b,b\n") is None  # labels
    assert found('One,y,Two\n"0,1",0.2,0.3\n"0,5",0.2,0.4\n') is None  # decimal commas
    assert found("y,One,Two\na,f1.txt,b\nb,f2.txt,b\n") is None  # not the first
    assert found("case,y,One\n1001,19,20\n1003,5,9\n") == "case"
    assert found("number,y,One\n1001,19,20\n1003,5,9\n") == "number"
    assert found("serial,y,One\n2,19,20\n1,5,9\n") == "serial"


@pytest.mark.parametrize(
    "rows",
    [
        "One,y,Two\n190,185,150\n250,249,310\n",
        "One,y,Two\n190,1.5,2.5\n250,2.5,3.5\n",
        "One,y,Two\n2,1,2\n1,2,1\n",
        "old run,y,new run\n190,185,150\n250,249,310\n",
        "One,y,Two\na cat,the cat,one cat\na dog,the dog,one dog\n",
    ],
)
def test_a_first_column_that_may_be_a_team_is_asked_about(rows: str) -> None:
    name = rows.partition(",")[0]
    asked = f"column, '{name}', may hold ids, or .*\nid_column: {name}\n.*a column 'id' in front"
    with pytest.raises(ReferenceDataError, match=asked):
        wide(rows.encode())
    chosen = update(DEFAULTS, {"id_column": name}, {})
    assert wide(rows.encode(), chosen).id_column == name


def test_usage_in_other_letters() -> None:
    text = "id,label,usage\nt1,a,public\nt2,b,Private\n"
    assert read(text).usage == ["public", "private"]
    assert read(text, group="usage").usage is None
    assert read(text.replace("public", "often")).usage is None


@pytest.mark.parametrize("name", ["", "Unnamed: 0"])
def test_index_of_a_data_frame_is_no_column(name: str) -> None:
    text = f"{name},y,One\n0,a,a\n1,b,a\n".encode()
    assert wide(text).targets == ("y", "One")
    gold = read(f"{name},tweet_id,stance\n0,t1,a\n1,t2,a\n")
    assert (gold.ids, gold.targets) == (("t1", "t2"), ("stance",))
    assert read("Unnamed: 0,label\n0,a\n1,b\n", id_column="Unnamed: 0").ids == ("0", "1")


def test_first_example_is_never_shown_as_a_header() -> None:
    secret = "the quick brown fox"
    for text in (f"{secret}\njumps\nover\n", f"x,{secret}\ny,jumps\nz,over\n"):
        with pytest.raises(ReferenceDataError, match="column names or an example") as caught:
            read(text)
        assert secret not in str(caught.value)
    with pytest.raises(ReferenceDataError, match="two columns have one name") as caught:
        read(f"{secret},{secret}\ny,a\nz,a\n")
    assert secret not in str(caught.value)
    gold = read(f"x,q,{secret}\ny,y,a\nz,y,a\nz,w,a\n")
    for column in (None, "the quick"):
        with pytest.raises(SettingsError) as raised:
            target_column(gold, column, "metric")
        assert secret not in str(raised.value)
    gold = read(f"x,{secret}\ny,a\nz,a\nw,\n")
    (column,) = gold.targets
    with pytest.raises(ReferenceDataError, match="line 4: the column that is scored") as defect:
        gold_labels(gold, column, DEFAULTS)
    assert secret not in str(defect.value)
    with pytest.raises(ReferenceDataError, match="the column that is scored") as defect:
        gold_numbers(gold, column)
    assert secret not in str(defect.value)
    with pytest.raises(SettingsError) as raised:
        read(f"x,{secret}\ny,a\nz,a\n", group="the quick brown")
    assert secret not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("row_id,sentence\nt1,a\nt2,b\n", ["sentence"]),
        ("name,price\nx,3\ny,4\n", ["price"]),
        ("tweet,stance\nx,a\ny,a\n", ["stance"]),
        ("t1,id\nt2,en\nt3,id\n", ["label"]),  # the language id, not a header
    ],
)
def test_header_is_recognised(text: str, names: list[str]) -> None:
    assert list(read(text).targets) == names


def test_the_first_of_some_labels_is_no_header_in_doubt() -> None:
    labels = "INSULT\nOTHER\nABUSE\nOTHER\nABUSE\n"
    with pytest.raises(ReferenceDataError, match="line 1: the line may hold the name") as caught:
        read(labels)
    assert "INSULT" not in str(caught.value)
    assert "'reference: {columns: [label]}'" in str(caught.value)
    for gold in (read(f"label\n{labels}"), read(labels, reference={"columns": ["label"]})):
        assert sorted(gold.columns["label"]) == ["ABUSE", "ABUSE", "INSULT", "OTHER", "OTHER"]
    assert read(labels, reference={"header": True}).n == 4
    assert read(labels, metrics=[{"function": "accuracy", "column": "INSULT"}]).n == 4
    assert read("OTHER\nINSULT\nOTHER\n").n == 3


def test_a_sentence_above_sentences_is_no_header_in_doubt() -> None:
    rows = "you are a fool\tABUSE\nwhat a fine day\tOTHER\nhello\tOTHER\nas you like it\tOTHER\n"
    with pytest.raises(ReferenceDataError, match="line 1: the line may hold column") as caught:
        read(rows)
    assert "ABUSE" not in str(caught.value)
    assert "'reference: {columns: [id, label]}'" in str(caught.value)
    for gold in (read(f"id\tlabel\n{rows}"), read(rows, reference={"columns": ["id", "label"]})):
        assert sorted(gold.columns["label"]) == ["ABUSE", "OTHER", "OTHER", "OTHER"]


def test_decimal_commas_are_no_classes() -> None:
    text = "id;label\nt1;1\nt2;0,5\n"
    with pytest.raises(
        ReferenceDataError, match="line 3: the number has a decimal comma; write"
    ) as caught:
        read(text)
    assert "0,5" not in str(caught.value)
    classes = read(text, metrics=["accuracy_score"])
    assert sorted(classes.columns["label"]) == ["0,5", "1"]
    with pytest.raises(ReferenceDataError, match=r"line 3: .*the decimal point as '\.'"):
        gold_numbers(classes, "label")


def test_many_decimal_commas_are_no_classes_without_a_list_of_them() -> None:
    values = [f"0,{i:02}" for i in range(11)]
    text = "\n".join(["id;label", *(f"t{i};{value}" for i, value in enumerate(values))])
    gold = read(text, metrics=["accuracy_score"])
    with pytest.raises(ReferenceDataError, match="holds numbers with decimal commas") as caught:
        gold_labels(gold, "label", DEFAULTS)
    assert "0,0" not in str(caught.value)
    assert len(gold_labels(gold, "label", Settings(labels=tuple(values)))) == 11
    assert len(gold_labels(gold.take(range(10)), "label", DEFAULTS)) == 10


def test_many_fractions_are_no_classes_without_a_list_of_them() -> None:
    values = [f"{i / 10}" for i in range(21)]
    text = "\n".join(["id,label", *(f"t{i},{value}" for i, value in enumerate(values))])
    gold = read(text, metrics=["accuracy_score"])
    remedy = "21 different numbers with fractions.*'task' or 'column'.*'labels'"
    with pytest.raises(ReferenceDataError, match=remedy) as caught:
        gold_labels(gold, "label", DEFAULTS)
    assert "0.1" not in str(caught.value)
    assert len(gold_labels(gold, "label", Settings(labels=tuple(values)))) == 21
    assert len(gold_labels(gold.take(range(20)), "label", DEFAULTS)) == 20


def test_rows_of_empty_cells_are_left_out_and_counted() -> None:
    gold = read("id,label,\nt1,a,\n,,\nt2,b,\n,,\n,,\n")
    assert (gold.ids, list(gold.places)) == (("t1", "t2"), ["line 2", "line 4"])
    assert gold.notes == (
        Phrase(
            "Reference data: {count:n} row of empty cells was left out.",
            "Reference data: {count:n} rows of empty cells were left out.",
            count=3,
        ),
    )


def test_ids_that_differ_only_in_how_unicode_writes_them() -> None:
    with pytest.raises(ReferenceDataError, match="line 3: the id was already on line 2"):
        read("id,label\nni\u00f1o,a\nnin\u0303o,b\n")


@pytest.mark.parametrize("key", ["id_column", "group", "stratify"])
def test_column_of_the_settings_that_does_not_exist(key: str) -> None:
    with pytest.raises(SettingsError, match=f"{key}: gold.csv has no column 'labl'; did you mean"):
        read("id,label\nt1,a\n", **{key: "labl"})


def test_roles_of_columns() -> None:
    gold = read("doc,row_id,label,part\nd1,t2,b,x\nd1,t1,a,y\n", group="doc", stratify="part")
    assert (gold.id_column, gold.ids, gold.targets) == ("row_id", ("t1", "t2"), ("label",))
    assert gold.columns["doc"] == ["d1", "d1"]
    assert [*gold.positions] == [1, 0]
    assert list(gold.places) == ["line 3", "line 2"]


def test_columns_of_slices_are_not_predicted() -> None:
    gold = read("id,label,lang,source\nt1,a,en,x\nt2,b,es,y\n", slices=["lang", "source"])
    assert gold.targets == ("label",)
    assert list(gold.columns) == ["label", "lang", "source"]
    with pytest.raises(SettingsError, match=r"slices: gold.csv has no column 'lan'"):
        read("id,label,lang\nt1,a,en\n", slices=["lan"])
    with pytest.raises(SettingsError, match=r"slices: 'id' differs in every row"):
        read("id,label\nt1,a\nt2,b\n", slices=["id"])


def test_known_names_come_first_among_targets() -> None:
    assert read("id,stance,label\nt1,f,a\n").targets == ("label", "stance")


def test_columns_of_one_1_on_every_row_are_classes() -> None:
    text = "id,cat,dog,cow,text\nt1,0,1,0,x\nt2,1,0,0,y\nt3,0,0,1,x\n"
    decimals = text.replace(",0", ",0.0").replace(",1", ",1.0")
    for written in (text, decimals):
        with pytest.raises(SettingsError, match="the name of the class into one column 'label'"):
            target_column(read(written), None, "metric 'log_loss'")
    with pytest.raises(SettingsError, match="choose the one to score"):
        target_column(read(text.replace("t1,0,1", "t1,0,0")), None, "metric 'log_loss'")


def test_target_must_be_named_where_it_cannot_be_told() -> None:
    gold = read("id,stance,mood\nt1,f,a\n")
    with pytest.raises(SettingsError, match=r"several columns \(stance, mood\)"):
        target_column(gold, None, "metric")
    with pytest.raises(SettingsError, match="no target column 'moot'; did you mean 'mood'"):
        target_column(gold, "moot", "metric")
    with pytest.raises(ReferenceDataError, match="there is no column with labels"):
        target_column(read("id\nt1\n"), None, "metric")


def test_labels_are_integers_if_all_are() -> None:
    assert gold_labels(read("id,label\na,1\nb,2\n"), "label", DEFAULTS).dtype.kind == "i"
    assert gold_labels(read("id,label\na,1\nb,x\n"), "label", DEFAULTS).dtype.kind == "U"
    texts = update(DEFAULTS, {"labels": ["1", "2"]}, {})
    assert gold_labels(read("id,label\na,1\nb,2\n"), "label", texts).dtype.kind == "U"


@pytest.mark.parametrize("words", [["1", "01"], ["10", "010", "2", "02"], ["0", "-0"], ["1", "+1"]])
def test_one_number_in_several_spellings_is_asked_about(words: list[str]) -> None:
    """Where the settings list them as texts, they are classes, also in submissions."""
    gold = read("id,label\n" + "".join(f"r{i},{word}\n" for i, word in enumerate(words * 3)))
    with pytest.raises(ReferenceDataError, match="one whole number in several spellings, such as"):
        gold_labels(gold, "label", DEFAULTS)
    as_texts = update(DEFAULTS, {"labels": words}, {})
    assert {*gold_labels(gold, "label", as_texts).tolist()} == {*words}
    alone = dh.compare(words * 9, {"A": words * 9, "B": words[:1] * 9 * len(words)}, labels=words)
    scores = {found.entry: found.score for found in alone["accuracy"].ranking}
    assert scores == {"A": 1, "B": 1 / len(words)}
    with pytest.raises(dh.OrganizerError, match="several spellings"):
        dh.compare(words * 9, {"A": words * 9, "B": words[::-1] * 9})


def test_classes_may_have_more_digits_than_numbers_of_python() -> None:
    long, longer = "9" * 5000, f"-{'9' * 5001}"
    gold = read(f"id,label\nr1,{long}\nr2,{longer}\nr3,{long}\nr4,x\n")
    assert {*gold_labels(gold, "label", DEFAULTS).tolist()} == {long, longer, "x"}
    gold = read(f"id,label\nr1,{long}\nr2,0{long}.0\nr3,x\n")
    with pytest.raises(ReferenceDataError, match="one whole number in several spellings"):
        gold_labels(gold, "label", DEFAULTS)


def test_one_class_in_several_spellings_is_asked_about() -> None:
    """A cell typed by hand would be a class of its own, and its predictions wrong."""
    labels = {"Neutral": "neutral", "very good": "very  good", "NO": "No"}
    for one, other in labels.items():
        gold = read(f"id,label\nr1,{one}\nr2,{other}\nr3,x\n")
        with pytest.raises(ReferenceDataError, match="'label' holds one name in several spell"):
            gold_labels(gold, "label", DEFAULTS)
        gold_labels(gold, "label", update(DEFAULTS, {"labels": [one, other, "x"]}, {}))
    with pytest.raises(ReferenceDataError, match="one whole number in several spellings"):
        gold_labels(read("id,label\nr1,1\nr2,1.0\nr3,x\n"), "label", DEFAULTS)
    for one, other in (("a", "A"), ("1.1", "1.10")):  # letters, and numbers of sections
        gold_labels(read(f"id,label\nr1,{one}\nr2,{other}\nr3,x\n"), "label", DEFAULTS)
    titles = [title for i in range(30) for title in (f"Red Meat {i}", f"Red meat {i}")]
    rows = "".join(f"r{i},{title}\n" for i, title in enumerate(titles * 2))
    gold_labels(read(f"id,label\n{rows}"), "label", DEFAULTS)  # many, as titles of pages


def test_one_group_in_several_spellings_is_asked_about() -> None:
    """Its rows would be drawn apart, and intervals too short."""
    design: dict[str, object] = {"group": "by", "stratify": "by", "slices": ["by"]}
    for key, setting in design.items():
        for one, other in (("Ann", "ann"), ("7", "7.0")):
            with pytest.raises(ReferenceDataError, match=rf"column 'by' \({key}\) holds one "):
                read(f"id,label,by\nr1,a,{one}\nr2,b,{other}\nr3,a,x\n", **{key: setting})


def test_parts_of_the_data_are_asked_about() -> None:
    """Rows of the training data would count as those of the test data do."""
    for one, other in (("train", "Test"), ("dev", "test"), ("public", "Private")):
        content = f"id,label,set\nr1,a,{one}\nr2,b,{other}\nr3,a,{other}\n"
        with pytest.raises(ReferenceDataError, match="'set' tells parts of the data apart"):
            read(content)
        assert read(content, slices=["set"]).n == 3
        assert read(content.replace(one, other)).n == 3
    assert read("id,label\nr1,train\nr2,test\n").n == 2  # how a passenger travels, perhaps


def test_gold_cells_that_cannot_be_used() -> None:
    gold = read("id,label\na,1\nb,\n")
    with pytest.raises(ReferenceDataError, match="line 3: column 'label' is empty"):
        gold_labels(gold, "label", DEFAULTS)
    with pytest.raises(ReferenceDataError, match=r"line 3: column 'label' is empty; .* a number"):
        gold_numbers(gold, "label")
    gold = read("id,label\na,1\nb,x\n")
    with pytest.raises(ReferenceDataError, match="line 3: column 'label' does not hold") as caught:
        gold_numbers(gold, "label")
    assert isinstance(caught.value, OrganizerError)
    mixed = "".join(f"{i},{i}.250\n{i + 900},{i + 900}\n" for i in range(1, 4))
    with pytest.raises(ReferenceDataError, match="column 'label': a dot may separate thousands"):
        gold_numbers(read(f"id,label\n{mixed}"), "label")
    assert gold_numbers(read(f"id,label\n{mixed}0,1.25\n"), "label")[0] == 1.25
    with pytest.raises(ReferenceDataError, match="such as -999, which often stand for a missing"):
        gold_numbers(read("id,label\na,1.5\nb,-999\nc,-9999\n"), "label")
    assert gold_numbers(read("id,label\na,-1.5\nb,-999\n"), "label").tolist() == [-1.5, -999]
    with pytest.raises(ReferenceDataError, match=r"line 2: .* in a larger unit, such as millions"):
        gold_numbers(read("id,label\na,398937423229\nb,2\n"), "label")


def test_listed_labels_must_cover_the_gold() -> None:
    gold = read("id,label\na,x\nb,y\n")
    values = gold_labels(gold, "label", DEFAULTS)
    assert label_set(values, DEFAULTS, "gold.csv") == ("x", "y")
    wider = update(DEFAULTS, {"labels": ["z", "y", "x"]}, {})
    assert label_set(values, wider, "gold.csv") == ("x", "y", "z")
    with pytest.raises(SettingsError, match="a label that is not listed") as caught:
        label_set(values, update(DEFAULTS, {"labels": ["x", "z"]}, {}), "gold.csv")
    assert "'y'" not in str(caught.value)


@pytest.mark.parametrize(
    ("labels", "gold", "found"),
    [
        ("[true, false]", ("true", "false"), ("false", "true")),
        ("[true, false]", ("TRUE", "FALSE"), ("FALSE", "TRUE")),
        ("[true, false]", ("True", "False"), ("False", "True")),
        ("[true, false, unknown]", ("true", "false"), ("false", "true", "unknown")),
        ("[true, false]", ("1", "0"), (0, 1)),
        ("[true, false]", ("1", "1"), (0, 1)),
        ('["01", "02"]', ("01", "02"), ("01", "02")),
        ('["1", "2"]', ("1", "2"), ("1", "2")),
        ("[1, 2, 3]", ("01", "02"), (1, 2, 3)),
        ("[1.0, 2.0]", ("1.0", "2.0"), ("1.0", "2.0")),
        ("[2021-01-01, x]", ("2021-01-01", "x"), ("2021-01-01", "x")),
    ],
)
def test_listed_labels_are_those_that_are_written_the_same(
    labels: str, gold: tuple[str, ...], found: tuple[str | int, ...]
) -> None:
    settings = update(DEFAULTS, {"labels": parse_value(labels)}, {})
    rows = "".join(f"x{i},{label}\n" for i, label in enumerate(gold))
    values = gold_labels(read(f"id,label\n{rows}"), "label", settings)
    labels_found = label_set(values, settings, "gold.csv")
    assert [(label, type(label)) for label in labels_found] == [(x, type(x)) for x in found]


def test_a_flag_that_may_mean_two_labels_means_none() -> None:
    settings = update(DEFAULTS, {"labels": [True, False]}, {})
    values = gold_labels(read("id,label\na,True\nb,true\nc,false\n"), "label", settings)
    with pytest.raises(SettingsError, match="not listed; list every label, in quotes"):
        label_set(values, settings, "gold.csv")


def test_one_hot_matrix_is_one_column_of_labels() -> None:
    gold = read_gold(b"0 1 0\n1 0 0\n0 0 1\n", "task.solution", DEFAULTS)
    assert list(zip(gold.columns["label"], gold.positions, strict=True)) == [
        ("0", 1),
        ("1", 0),
        ("2", 2),
    ]
    several = read_gold(b"0 1\n1 1\n", "task.solution", DEFAULTS)
    assert several.targets == ("0", "1")


@pytest.mark.parametrize("labels", [["no", "yes"], [f"label {i}" for i in range(300)]])
@pytest.mark.parametrize("ids", [[9, 10, 100, 8, 7], ["b" * 9, "a", "ü", "c", "ab"]])
def test_a_gold_is_in_the_order_of_its_labels_and_then_of_its_ids(
    labels: list[str], ids: list[object]
) -> None:
    """Whether there are few labels, which are kept by code, or many; and so with short ids."""
    texts = [f"{name}{i}" if i else str(name) for i in range(120) for name in ids]
    said = [labels[7 * row % len(labels)] for row in range(len(texts))]
    found = read("id,label\n" + "".join(f"{i},{c}\n" for i, c in zip(texts, said, strict=True)))
    rows = sorted(range(len(texts)), key=lambda row: (said[row], texts[row]))
    assert list(found.columns["label"]) == [said[row] for row in rows]
    assert found.ids == tuple(texts[row] for row in rows)
    assert list(found.positions) == rows


@given(
    st.lists(st.text("ab01.-é ", max_size=9), min_size=1, max_size=12),
    st.lists(st.sampled_from(["a", "no", "1", "0.5", "-3", "long label", "nan", ""]), min_size=1),
)
def test_plain_reference_data_are_read_as_quoted_ones(ids: list[str], labels: list[str]) -> None:
    """Columns of plain CSV are numbers, those of other CSV texts; gold and refusals are equal."""

    def outcome(header: str) -> object:
        rows = (f"{i},{labels[k % len(labels)]}\n" for k, i in enumerate(ids))
        try:
            gold = read(header + "".join(rows))
        except ReferenceDataError as error:
            return str(error)
        columns = {name: [*values] for name, values in gold.columns.items()}
        return gold.ids, columns, [*gold.positions], gold.targets, gold.id_column

    assert outcome("id,label\n") == outcome('"id",label\n')
    assert outcome("name,value\n") == outcome('"name",value\n')


def test_a_column_is_converted_once_however_many_metrics_read_it() -> None:
    gold = read("id,label\nt1,0.5\nt2,7\n")
    numbers = gold_numbers(gold, "label")
    assert numbers.tolist() == [0.5, 7.0]
    assert gold_numbers(gold, "label", any_size=True) is numbers
    assert gold.take([1]).numbers("label").tolist() == [7.0]
    with pytest.raises(ValueError, match="read-only"):
        numbers[0] = 1
