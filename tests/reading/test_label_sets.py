"""Several labels per example: the forms of files, and how they are told from single labels."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from scoring_program.core.errors import SubmissionError
from scoring_program.core.phrases import Phrase
from scoring_program.reading.formats import detect, kind_of, read_examples
from scoring_program.reading.formats.kind import FileDescription

#: Labels by id; some examples have none.
SETS = {
    "t1": ["anger"], "t2": ["fear", "joy"], "t3": [], "t4": ["anger", "joy"], "t5": ["joy"],
    "t6": ["anger", "fear", "joy"], "t7": ["fear"], "t8": ["anger", "fear"],
}  # fmt: skip
LABELS = ("anger", "fear", "joy")


def delimited(mark: str, quote: str = "") -> Callable[[], str]:
    def write() -> str:
        rows = (f"{id},{quote}{mark.join(of)}{quote}\n" for id, of in SETS.items())
        return "id,labels\n" + "".join(rows)

    return write


def one_hot() -> str:
    rows = (f"{id},{','.join(str(int(x in of)) for x in LABELS)}\n" for id, of in SETS.items())
    return f"id,{','.join(LABELS)}\n" + "".join(rows)


def records(name: str, **more: str) -> Callable[[], str]:
    return lambda: json.dumps([{**more, "id": id, name: of} for id, of in SETS.items()])


FORMS: dict[str, tuple[str, Callable[[], str]]] = {
    "semicolons": ("g.csv", delimited(";")),
    "bars": ("g.csv", delimited("|")),
    "commas": ("g.csv", delimited(", ", '"')),
    "spaces": ("g.csv", delimited(" ")),
    "tabs": ("g.tsv", lambda: delimited("|")().replace(",", "\t")),
    "no header": ("g.csv", lambda: delimited(";")().partition("\n")[2]),
    "one-hot": ("g.csv", one_hot),
    "one-hot with decimals": ("g.csv", lambda: one_hot().replace("0", "0.0")),
    "pandas": ("g.csv", lambda: "id,labels\n" + "".join(
        f'{id},"{of}"\n' for id, of in SETS.items())),
    "records": ("g.json", records("labels")),
    "PyEvALL": ("g.json", records("value", test_case="EXIST")),
    "mapping": ("g.json", lambda: json.dumps(SETS)),
    "one-hot mapping": ("g.json", lambda: json.dumps(
        {id: {x: int(x in of) for x in LABELS} for id, of in SETS.items()})),
    "lines of JSON": ("g.jsonl", lambda: "\n".join(
        json.dumps({"id": id, "labels": of}) for id, of in SETS.items())),
}  # fmt: skip


def read(content: str, file: str) -> dict[str, tuple[str, ...]]:
    table = read_examples(
        content.encode(), file, "label_sets", FileDescription(detect(content.encode(), file))
    )
    columns = dict(zip(table.header or (), table.columns, strict=True))
    (labels,) = (name for name in columns if name in ("labels", "value", "label"))
    return dict(zip(columns["id"], columns[labels], strict=True))


@pytest.mark.parametrize("form", FORMS)
def test_every_form_holds_the_same_labels(form: str) -> None:
    file, write = FORMS[form]
    assert read(write(), file) == {id: tuple(of) for id, of in SETS.items()}


@pytest.mark.parametrize("form", sorted(set(FORMS) - {"spaces", "one-hot mapping"}))
def test_several_labels_are_told_by_the_gold(form: str) -> None:
    """Words with spaces may be one label, so few examples do not tell."""
    file, write = FORMS[form]
    assert kind_of(write().encode(), file) == "label_sets"


@pytest.mark.parametrize("indent", [None, 4])
@pytest.mark.parametrize("name", ["gold.txt", "gold.csv", "gold.dat"])
def test_json_holds_label_sets_whatever_it_is_called(name: str, indent: int | None) -> None:
    content = json.dumps([{"id": id, "labels": of} for id, of in SETS.items()], indent=indent)
    assert kind_of(content.encode(), name) == "label_sets"


def test_many_examples_tell_that_spaces_separate_labels() -> None:
    names = [f"topic{i}" for i in range(6)]
    pairs = [f"{a} {b}" for a in names for b in names if a < b]
    assert kind_of(("id,labels\n" + "".join(f"{p},{p}\n" for p in pairs)).encode(), "g.csv")
    content = "id,labels\n" + "".join(f"{i},{pair}\n" for i, pair in enumerate(pairs))
    assert kind_of(content.encode(), "g.csv") == "label_sets"


@pytest.mark.parametrize(
    ("content", "file"),
    [
        ("id,label\na,not hateful\nb,hateful\nc,not hateful\n", "g.csv"),
        (
            "id,label\na,very negative\nb,negative\nc,neutral\nd,positive\ne,very positive\n",
            "g.csv",
        ),
        ('id,label\na,"Boston, MA"\nb,"Salem, OR"\nc,"Salem, MA"\n', "g.csv"),
        ('id,y\na,"1,5"\nb,"2,5"\nc,"1,2"\nd,"5,1"\ne,"2,1"\n', "g.csv"),
        ("id,a,b,c\n1,0,1,0\n2,1,0,0\n3,0,0,1\n", "g.csv"),  # one class each
        ("id,text,label\n1,the cat sat,0\n2,a dog; a cat,1\n", "g.csv"),
        ("0 1 0\n1 0 0\n", "g.solution"),
        ("id,label,x\n1,a,0\n2,b,1\n", "g.csv"),
        ('[{"id": "1", "label": "a"}, {"id": "2", "label": "b"}]', "g.json"),
        ('{"1": ["one way to say it", "another"], "2": ["a third"]}', "g.json"),
        ("the first sentence\nthe second sentence\n", "g.txt"),
        ("", "g.csv"),
    ],
)
def test_single_labels_and_texts_are_not_taken_for_several(content: str, file: str) -> None:
    assert kind_of(content.encode(), file) == "rows"


@pytest.mark.parametrize(("zeros", "kind"), [("0 0 0\n", "label_sets"), ("1 0 0\n", "rows")])
def test_rows_of_zeros_in_a_matrix_are_empty_answers(zeros: str, kind: str) -> None:
    content = "0 1 0\n1 0 0\n" + zeros
    assert kind_of(content.encode(), "g.solution") == kind
    table = read_examples(b"0 1 1\n0 0 0\n", "p.predict", "label_sets", FileDescription("matrix"))
    assert table.columns == [[("1", "2"), ()]]


def test_a_gold_may_have_groups_beside_ones_and_zeros() -> None:
    content = b"id,anger,user,joy\nt1,0,u1,1\nt2,1,u1,1\nt3,0,u2,0\n"
    table = read_examples(content, "g.csv", "label_sets", FileDescription("csv"), gold=True)
    assert table.header == ("id", "user", "labels")
    assert table.columns[2] == [("joy",), ("anger", "joy"), ()]
    with pytest.raises(SubmissionError) as error:
        read_examples(
            content.replace(b"t3,0", b"t3,2"),
            "g.csv",
            "label_sets",
            FileDescription("csv"),
            gold=True,
        )
    assert "line 4, column 'anger': found '2', expected 0 or 1" in str(error.value)
    with pytest.raises(SubmissionError) as error:
        read_examples(
            b"id,user,text\nt1,u1,a b\n", "g.csv", "label_sets", FileDescription("csv"), gold=True
        )
    assert "no column 'labels'" in str(error.value)


@pytest.mark.parametrize(
    "content",
    [
        "id\tlabels\nt1\ta;b\nt2\t\nt3\tb\n",
        "t1\ta;b\nt2\t\nt3\tb\n",
        "id\ta\tb\nt1\t1\t1\nt2\t0\t0\nt3\t0\t1\n",
        "id,a,b\nt1,1,1\nt2,0,0\nt3,0,1\n",
    ],
)
def test_a_plain_text_file_may_hold_columns(content: str) -> None:
    for gold in (True, False):
        table = read_examples(content.encode(), "p.txt", "label_sets", gold=gold)
        assert (table.header, table.label) == (("id", "labels"), "CSV")
        assert table.columns == [["t1", "t2", "t3"], [("a", "b"), (), ("b",)]]


def test_a_plain_text_file_may_hold_a_matrix() -> None:
    table = read_examples(b"0 1 1\n0 0 0\n", "p.txt", "label_sets")
    assert (table.columns, table.label) == ([[("1", "2"), ()]], Phrase("matrix"))
    lists = read_examples(b"a, b\nb, c\n", "p.txt", "label_sets")
    assert lists.columns == [[("a", "b"), ("b", "c")]]


@pytest.mark.parametrize("first", ["red", "y"])
def test_two_labels_with_a_tab_in_every_line_are_no_ids_and_labels(first: str) -> None:
    lines = f"{first}\tblue\nred\tgreen\nred\tblue\ngreen\tblue\n{first}\tblue\nred\tblue\n"
    table = read_examples(lines.encode(), "p.txt", "label_sets")
    assert table.header == ("labels",)
    assert table.columns == [[tuple(sorted(line.split())) for line in lines.splitlines()]]
    for header in ("", "id\tlabels\n"):
        with_ids = read_examples(
            f"{header}1\t2\n2\t2|3\n3\t1\n3\t2\n".encode(), "p.txt", "label_sets"
        )
        assert with_ids.header == ("id", "labels")
        assert with_ids.columns == [["1", "2", "3", "3"], [("2",), ("2", "3"), ("1",), ("2",)]]


def test_a_line_may_be_empty() -> None:
    table = read_examples(b"joy anger\n\nfear\n", "p.txt", "label_sets", FileDescription("lines"))
    assert table.columns == [[("anger", "joy"), (), ("fear",)]]


@pytest.mark.parametrize(
    ("content", "file", "message"),
    [
        ("id,anger,joy\nt1,0,0.7\nt2,1,high\n", "p.csv", "line 2, column 'joy': found '0.7'"),
        ("a,b,c\nd,e,f\n", "p.csv", "expected a header such as 'id,labels'"),
        ('{"t1": [["a"]]}', "p.json", "holds a nested value"),
        ('{"t1": ["a"], "t2": null}', "p.json", "write [] if no label fits"),
        ('"a"', "p.json", "expected labels by id"),
        ("[]", "p.json", "the file is empty"),
        ("\n\n", "p.txt", "the file is empty"),
        ("id,labels\n", "p.csv", "the file is empty"),
        ("id,anger,joy,text\nt1,0,1,a\n", "p.csv", "column 'text': found 'a', expected 0 or 1"),
    ],
)
def test_other_files_are_refused(content: str, file: str, message: str) -> None:
    form = "lines" if file.endswith("txt") else detect(content.encode(), file)
    with pytest.raises(SubmissionError) as error:
        read_examples(content.encode(), file, "label_sets", FileDescription(form))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("content", "file"),
    [
        ('id,labels\nt1,"[0, 0, 1, 0]"\nt2,"[1, 0, 1, 1]"\n', "p.csv"),
        ("id,labels\nt1,[0 0 1 0]\nt2,[1 0 1 1]\n", "p.csv"),
        ("id,labels\nt1,[0. 0. 1.]\nt2,[1. 0. 1.]\n", "p.csv"),
        ('id,labels\nt1,"0,0,1,0"\nt2,\n', "p.csv"),
        ("id,labels\nt1,0 1\nt2,1 0\n", "p.csv"),
        ("id,labels\nt1,0010\nt2,1011\n", "p.csv"),
        ("id,labels\nt1,0;0;1\nt2,1;1;1\n", "p.csv"),
        ('{"t1": [0, 0, 1, 0], "t2": [1, 0, 1, 1]}', "p.json"),
        ('{"t1": [0.0, 0.0, 1.0], "t2": [1.0, 0.0, 1.0]}', "p.json"),
        ('{"t1": [false, true], "t2": [true, true]}', "p.json"),
        ("[[0, 1, 1], [1, 0, 0]]", "p.json"),
    ],
)
@pytest.mark.parametrize("gold", [True, False])
def test_lists_of_flags_are_no_sets_of_zero_and_one(content: str, file: str, *, gold: bool) -> None:
    with pytest.raises(SubmissionError) as error:
        read_examples(content.encode(), file, "label_sets", gold=gold)
    assert "hold flags (0 or 1), as if one for each label; write " in str(error.value)


@pytest.mark.parametrize(
    "cells",
    [
        ["0", "1", "0", "1"],
        ["0;1", "1", "", "0"],
        ["0;1", "0;1", "0;1", "0;1"],
        ["1;1;2", "0;0;1", "0;0;0", "1;1;1"],
        ["100", "101", "110", "111"],
    ],
)
def test_zero_and_one_may_be_labels(cells: list[str]) -> None:
    content = "id,labels\n" + "".join(f"t{i},{cell}\n" for i, cell in enumerate(cells))
    table = read_examples(content.encode(), "p.csv", "label_sets")
    assert table.columns[1] == [tuple(sorted({*cell.split(";")} - {""})) for cell in cells]


@pytest.mark.parametrize(
    ("cell", "labels"),
    [
        ('["fear, dread", "joy"]', ("fear, dread", "joy")),
        ("['fear, dread', \"don't know\"]", ("don't know", "fear, dread")),
        ("['fear, dread' 'joy']", ("fear, dread", "joy")),
        ('["caf\\u00e9", "na\u0131\u0308ve"]', ("caf\u00e9", "na\u0131\u0308ve")),
        (r"['it\'s', '\d', '\ud83d']", (r"\d", r"\ud83d", "it's")),
        ('["fear, dread",]', ("fear, dread",)),
        ("[fear, joy]", ("fear", "joy")),
        ("[don't know, joy]", ("don't know", "joy")),
        ("[not sure]", ("not sure",)),
        ("[3 12]", ("12", "3")),
        ("[]", ()),
    ],
)
def test_quotes_tell_labels_in_a_list_apart(cell: str, labels: tuple[str, ...]) -> None:
    content = f"id\tlabels\nt1\t{cell}\nt2\t[]\n"
    table = read_examples(content.encode(), "p.tsv", "label_sets")
    assert table.columns[1] == [labels, ()]
