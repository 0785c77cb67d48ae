"""Competitions with several labels per example from files to the page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from sklearn.metrics import f1_score

from scoring_program import score
from scoring_program.core.errors import ReferenceDataError
from tests.data.test_kinds import Case
from tests.metrics.kinds.labelings import LABELS, LabelSets, gold, system
from tests.metrics.kinds.test_multilabel import matrix
from tests.sweeps import swept

CORRECT = gold(60)
NORTH, SOUTH = system(CORRECT, 0.1, 1), system(CORRECT, 0.3, 2)


def cells(sets: LabelSets, mark: str = ";") -> str:
    return "id,labels\n" + "".join(f"t{i},{mark.join(of)}\n" for i, of in enumerate(sets))


def one_hot(sets: LabelSets) -> str:
    rows = (
        f"t{i},{','.join(str(int(label in of)) for label in LABELS)}\n" for i, of in enumerate(sets)
    )
    return f"id,{','.join(LABELS)}\n" + "".join(rows)


RES = {"north.csv": cells(NORTH, "|"), "south.csv": one_hot(SOUTH)}


@pytest.mark.parametrize("reference", [cells(CORRECT), one_hot(CORRECT)])
def test_several_labels_need_no_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], reference: str
) -> None:
    case = Case(tmp_path, {"gold.csv": reference}, RES)
    assert case.run() == 0
    shown = capsys.readouterr().out
    assert "2 entries on 60 examples." in shown
    assert "suggests f1_score, accuracy_score, icm_norm." in shown
    scores = case.scores()
    for name, found in (("north", NORTH), ("south", SOUTH)):
        expected = f1_score(matrix(CORRECT), matrix(found), average="macro")
        assert scores[f"f1_score.{name}"] == pytest.approx(expected)


@pytest.mark.parametrize("step", [7, 1])
@pytest.mark.parametrize("form", ["csv", "json"])
def test_lists_of_many_labels_in_several_orders_may_be_ranked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, step: int
) -> None:
    orders = [[f"i{(start + k * step) % 60}" for k in range(5 + start % 7)] for start in range(180)]
    lists = [order[:: (-1) ** user] for user, order in enumerate(orders)]
    items = {f"u{user}": of for user, of in enumerate(lists)}
    rows = "".join(f"{user},{' '.join(of)}\n" for user, of in items.items())
    text = json.dumps(items) if form == "json" else f"user_id,prediction\n{rows}"
    files = {f"gold.{form}": text}, {f"north.{form}": text, f"south.{form}": text}
    assert Case(tmp_path / "a", *files).run() == 2
    shown = capsys.readouterr().err
    assert "lists of many different labels, in different orders. If the order counts, name" in shown
    settings = "metrics: [f1_score: {average: samples}]"
    assert f"'{settings}'" in shown
    case = Case(tmp_path / "b", {**files[0], "scoring.yaml": settings}, files[1])
    assert case.run() == 0
    assert "their order does not count" in capsys.readouterr().out
    in_order = json.dumps({user: sorted(of) for user, of in items.items()})
    files = {"gold.json": in_order}, {"north.json": text if form == "json" else in_order}
    assert Case(tmp_path / "c", *files).run() == 0


@pytest.mark.parametrize(
    "metrics",
    [
        "[{f1_score: {average: micro}}, hamming_loss]",
        "[{f1_score: {average: samples}}]",
        "[icm, {jaccard_score: {average: macro}}]",
        "[{name: both, formula: (a + b) / 2}, {name: a, function: icm_norm},"
        " {name: b, function: accuracy_score}]",
        "[{name: f1, function: f1_score, kind: label_sets, params: {average: micro}}]",
    ],
)
def test_metrics_of_single_labels_score_several(tmp_path: Path, metrics: str) -> None:
    ref = {"gold.csv": cells(CORRECT, " "), "scoring.yaml": f"metrics: {metrics}\n"}
    # Labels of one word that a space separates are told by the metric, or by many examples.
    assert Case(tmp_path, ref, RES).run() == 0


def test_a_column_may_be_one_of_several_tasks(tmp_path: Path) -> None:
    settings = "metrics: [{name: joy, function: f1_score, column: joy}]\n"
    ref = {"gold.csv": one_hot(CORRECT), "scoring.yaml": settings}
    res = {name: one_hot(found) for name, found in (("north.csv", NORTH), ("south.csv", SOUTH))}
    case = Case(tmp_path, ref, res)
    assert case.run() == 0
    right, found = (matrix(sets)[:, LABELS.index("joy")] for sets in (CORRECT, NORTH))
    assert case.scores()["joy.north"] == pytest.approx(f1_score(right, found))


@pytest.mark.parametrize(
    ("predictions", "message"),
    [
        (cells(NORTH).replace("joy", "Joy"), "found 'Joy', expected labels of the task"),
        (cells(NORTH).replace("t7,", "t77,"), "id 't77' is not in the test set"),
        (one_hot(NORTH).replace("t0,1", "t0,0.5"), "found '0.5', expected 0 or 1"),
    ],
)
def test_what_is_wrong_is_named_and_no_label_of_the_gold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], predictions: str, message: str
) -> None:
    case = Case(tmp_path, {"gold.csv": cells(CORRECT)}, {"predictions.csv": predictions})
    assert case.run() == 1
    shown = capsys.readouterr().err
    assert message in shown
    assert "sadness" not in shown


def test_a_missing_example_is_no_empty_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref = {"gold.csv": cells(CORRECT), "scoring.yaml": "metrics: [icm]\nmissing: wrong\n"}
    assert Case(tmp_path, ref, RES).run() == 2
    assert "'wrong' is for predicted labels" in capsys.readouterr().err


def test_the_setting_labels_adds_labels(tmp_path: Path) -> None:
    settings = f"metrics: [hamming_loss]\nlabels: [{', '.join(LABELS)}, trust]\n"
    ref = {"gold.csv": cells(CORRECT), "scoring.yaml": settings}
    res = {**RES, "trust.csv": cells([(*of, "trust") for of in CORRECT])}
    case = Case(tmp_path, ref, res)
    assert case.run() == 0
    assert case.scores()["hamming_loss.trust"] == pytest.approx(1 / 6)


@pytest.mark.parametrize("guesses", [True, False])
def test_a_column_of_zeros_alone_is_a_label_of_the_gold(tmp_path: Path, *, guesses: bool) -> None:
    """scikit-learn counts it, whether or not somebody predicts it."""

    def with_trust(sets: LabelSets, *, guessed: bool = False) -> str:
        header, *rows = one_hot(sets).splitlines()
        rows = [f"{row},{int(guessed and n % 9 == 0)}" for n, row in enumerate(rows)]
        return "\n".join([f"{header},trust", *rows])

    settings = "metrics: [{f1_score: {average: macro}}]\n"
    ref = {"gold.csv": with_trust(CORRECT), "scoring.yaml": settings}
    res = {"north.csv": with_trust(NORTH, guessed=guesses), "south.csv": with_trust(SOUTH)}
    case = Case(tmp_path, ref, res)
    assert case.run() == 0
    for name, sets in (("north", NORTH), ("south", SOUTH)):
        of_five = f1_score(matrix(CORRECT), matrix(sets), average="macro")
        assert case.scores()[f"f1_score.{name}"] == pytest.approx(of_five * 5 / 6)


@pytest.mark.parametrize("settings", swept([None, "", "id_column: Path\n"]))
@pytest.mark.parametrize("ids", ["p{}/view.jpg", "{}"])
def test_ids_beside_columns_of_ones_and_zeros_may_have_any_name(
    tmp_path: Path, settings: str | None, ids: str
) -> None:
    """Teams may call them otherwise than the gold, and write other rows first."""
    metric = "name: f1, function: f1_score, params: {average: macro}, kind: label_sets"

    def table(sets: LabelSets, name: str, *, moved: bool = False) -> str:
        header, *rows = one_hot(sets).splitlines()
        cut = [row.removeprefix("t").split(",", 1) for row in rows[:: -1 if moved else 1]]
        lines = [f"{ids.format(number)},{rest}" for number, rest in cut]
        return "\n".join([header.replace("id", name, 1), *lines, ""])

    # Without a setting, columns are labels beside words; whole numbers may be anything.
    given = None if settings is None and "p" in ids else f"metrics: [{{{metric}}}]\n"
    ref = {"gold.csv": table(CORRECT, "Path")}
    if given is not None:
        ref["scoring.yaml"] = given + (settings or "")
    res = {
        "north.csv": table(NORTH, "path", moved=True),
        "south.csv": table(SOUTH, "image", moved=True),
    }
    case = Case(tmp_path, ref, res)
    assert case.run() == 0
    for name, sets in (("north", NORTH), ("south", SOUTH)):
        expected = f1_score(matrix(CORRECT), matrix(sets), average="macro")
        key = "f1_score" if given is None else "f1"
        assert case.scores()[f"{key}.{name}"] == pytest.approx(expected)
    checked = case.checked("good.csv", res["south.csv"])
    assert "it holds a prediction for each of 60 examples" in checked.stdout, checked.stderr


def test_several_columns_may_be_labels_or_references(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whether they are is asked about, and the answer works."""
    numbered = {
        name: one_hot(sets).replace("id,", "nr,").replace("\nt", "\n")
        for name, sets in (("gold", CORRECT), ("north", NORTH), ("south", SOUTH))
    }
    texts = {
        name: "".join(f"s{i},a dog of {i % of}{more}\n" for i in range(40))
        for name, of, more in (("gold", 7, ",the dog"), ("north", 6, ""), ("south", 3, ""))
    }
    metric = "{function: f1_score, params: {average: macro}, kind: label_sets}"
    for files, header, settings, remedy, mended in (
        (numbered, "", "metrics: [f1_macro]\n", f"'{metric}'", f"metrics: [{metric}]\n"),
        (texts, "id,text\n", "metrics: [bleu]\n", "reference_1, reference_2", None),
    ):
        gold = ("id,caption_0,caption_1\n" if header else "") + files["gold"]
        res = {f"{name}.csv": header + files[name] for name in ("north", "south")}
        ref = {"gold.csv": gold, "scoring.yaml": settings}
        case = Case(tmp_path / files["gold"][:2], ref, res)
        assert case.run() == 2
        shown = capsys.readouterr().err
        assert "choose the one to score with 'column:'" in shown
        assert remedy in shown
        (case.input / "ref" / "scoring.yaml").write_text(mended or settings)
        renamed = gold.replace("caption_0", "reference_1").replace("caption_1", "reference_2")
        (case.input / "ref" / "gold.csv").write_text(renamed)
        assert case.run() == 0


def test_a_list_beside_a_column_of_another_name_is_no_flag(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lists = [{"id": f"t{i}", "found": list(of), "note": f"n{i}"} for i, of in enumerate(NORTH)]
    res = {"north.json": json.dumps(lists)}
    assert Case(tmp_path, {"gold.csv": cells(CORRECT)}, res).run() == 1
    assert "there is no column 'labels', and none of ones and zeros" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("columns", "answers"),
    [("{labels: words}", "label sets"), ("{id: id, label: mood}", "mood (labels)")],
)
def test_lists_and_labels_under_keys_of_other_names_are_read_where_one_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], columns: str, answers: str
) -> None:
    records = [
        {"id": f"t{row}", "words": ["a", "bc"[row % 2]], "mood": "xy"[row % 2]} for row in range(40)
    ]
    text = json.dumps(records)
    (tmp_path / "open").mkdir()
    assert Case(tmp_path / "open", {"gold.json": text}, {"north.json": text}).run() == 2
    told = capsys.readouterr().err
    assert "label sets, 'columns: {labels: KEY}', or with one label each" in told
    assert "'columns: {id: id, label: KEY}', in 'reference' or 'submissions')" in told
    settings = f"reference: {{columns: {columns}}}\nsubmissions: {{columns: {columns}}}\n"
    (tmp_path / "stated").mkdir()
    ref = {"gold.json": text, "scoring.yaml": settings}
    assert Case(tmp_path / "stated", ref, {"north.json": text}).run() == 0
    assert answers in capsys.readouterr().out


def test_the_starting_kit_checks_several_labels(tmp_path: Path) -> None:
    case = Case(tmp_path, {"gold.csv": cells(CORRECT)}, {})
    good = case.checked("good.csv", one_hot(NORTH))
    assert "it holds a prediction for each of 60 examples" in good.stdout, good.stderr
    bad = case.checked("bad.csv", one_hot(NORTH).replace("t3,", "x3,"))
    assert "id 'x3' is not in the test set" in bad.stderr


@pytest.mark.parametrize("mark", [" ", ":"])
def test_lines_that_begin_with_ids(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mark: str
) -> None:
    lines = "".join(f"t{i}{mark}{';'.join(of)}\n" for i, of in enumerate(NORTH))
    assert Case(tmp_path, {"gold.csv": cells(CORRECT)}, {"p.txt": lines}).run() == 1
    assert "put a tab between the id and the labels of every row" in capsys.readouterr().err


def test_a_column_of_ones_and_zeros_that_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header, *rows = one_hot(SOUTH).splitlines()
    sent = "\n".join(line.rpartition(",")[0] for line in (header, *rows))
    case = Case(tmp_path, {"gold.csv": cells(CORRECT)}, {"p.csv": sent})
    assert case.run() == 1
    shown = capsys.readouterr().err
    assert "p.csv: there is no column of ones and zeros for every label of the task" in shown
    assert LABELS[-1] not in shown
    (case.input / "ref" / "scoring.yaml").write_text(f"labels: [{', '.join(LABELS)}]\n")
    assert case.run() == 1
    assert f"no column of ones and zeros for {LABELS[-1]!r}; write" in capsys.readouterr().err


FLAGS = [[int(label in of) for label in LABELS] for of in CORRECT]


def flags(write: Callable[[list[int]], str]) -> str:
    return "id,label\n" + "".join(f't{i},"{write(row)}"\n' for i, row in enumerate(FLAGS))


@pytest.mark.parametrize("mark", ["[]", "", " ", ","])
def test_lists_of_flags_are_asked_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mark: str
) -> None:
    content = flags(lambda row: str(row) if mark == "[]" else mark.join(map(str, row)))
    assert Case(tmp_path / "gold", {"gold.csv": content}, RES).run() == 2
    shown = capsys.readouterr().err
    assert "write CSV with a column of zeros and ones for each label" in shown
    sent = Case(tmp_path / "sent", {"gold.csv": one_hot(CORRECT)}, {**RES, "flags.csv": content})
    assert sent.run() == 0
    shown = "".join(capsys.readouterr())
    assert "2 of 3 scored; not scored: flags" in shown
    assert shown.count("write CSV with a column of zeros and ones for each label") == 1


def test_cells_of_flags_may_be_classes_that_the_settings_list(tmp_path: Path) -> None:
    content = flags(lambda row: "".join(map(str, row)))
    labels = sorted({"".join(map(str, row)) for row in FLAGS})
    settings = f"metrics: [accuracy]\nlabels: {json.dumps(labels)}\n"
    case = Case(tmp_path, {"gold.csv": content, "scoring.yaml": settings}, {"p.csv": content})
    assert case.run() == 0
    assert case.scores()["accuracy"] == 1


def test_lists_with_one_flag_are_a_single_label(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "".join(f"t{i},[{' '.join('010010'[i % 3 : i % 3 + 3])}]\n" for i in range(12))
    assert Case(tmp_path, {"gold.csv": f"id,label\n{rows}"}, RES).run() == 2
    assert "each label; write the label of each example" in capsys.readouterr().err


@pytest.mark.parametrize("lists", ["json", "csv"])
def test_single_labels_beside_lists_are_asked_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lists: str
) -> None:
    answers = [["no", "yes"] if i % 3 == 1 else ("yes", "no")[i % 2] for i in range(30)]
    found = {
        "json": json.dumps([{"id": f"t{i}", "label": of} for i, of in enumerate(answers)]),
        "csv": "id\tlabel\n" + "".join(
            f"t{i}\t{json.dumps(of) if isinstance(of, list) else of}\n"
            for i, of in enumerate(answers)
        ),
    }  # fmt: skip
    res = {
        name: "id,label\n" + "".join(f"t{i},no\n" for i in range(30)) for name in ("a.csv", "b.csv")
    }
    case = Case(tmp_path, {f"gold.{lists}": found[lists]}, res)
    assert case.run() == 2
    shown = capsys.readouterr().err
    places = ("record 1", "record 2") if lists == "json" else ("line 2", "line 3")
    assert "{} holds a single value in 'label', and {} a list".format(*places) in shown
    (case.input / "ref" / f"gold.{lists}").unlink()
    (case.input / "ref" / "gold.json").write_text(found["json"])
    (case.input / "ref" / "scoring.yaml").write_text("metrics: [string_match]\n")
    assert case.run() == 0
    assert case.scores()["string_match.a"] == pytest.approx(
        sum("no" in of for of in answers) / len(answers)
    )


def test_lists_beside_a_single_label_are_no_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"id": f"t{i}", "label": "ab"[i % 2], "tags": list(of)} for i, of in enumerate(CORRECT)]
    sent = "id,label\n" + "".join(f"t{i},a\n" for i in range(len(rows)))
    case = Case(tmp_path, {"gold.json": json.dumps(rows)}, {"p.csv": sent})
    assert case.run() == 0
    assert "The reference data hold classes" in capsys.readouterr().out
    assert case.scores()["accuracy"] == 0.5
    both = json.dumps([{**row, "labels": row["tags"]} for row in rows])
    (case.input / "ref" / "gold.json").write_text(both)
    assert case.run() == 2
    assert "'labels' holds a nested value" in capsys.readouterr().err
    (case.input / "ref" / "scoring.yaml").write_text("metrics: [icm]\n")
    assert case.run() == 2
    assert "labels may stand in 'label', or in the lists of 'tags'" in capsys.readouterr().err
    for column, status in (("label", 0), ("labels", 1)):
        settings = f"reference: {{columns: {{id: id, label: {column}}}}}\n"
        (case.input / "ref" / "scoring.yaml").write_text(settings)
        assert case.run() == status
    assert "expected labels of the task, in the same spelling" in capsys.readouterr().err


_IOU = """import re
def score(y_true, y_pred):
    pairs = [[[*map(int, re.findall("[0-9]+", text))] for text in of] for of in zip(y_true, y_pred)]
    return sum(min(a[1], b[1]) > max(a[0], b[0]) for a, b in pairs) / len(pairs)
"""


@pytest.mark.parametrize("form", ["[{}, {}]", "{} {}", "({}, {})"])
def test_two_numbers_of_every_example_may_be_intervals(tmp_path: Path, form: str) -> None:
    """They were scored as labels, by macro F1."""
    ends = [(i % 5, 5 + i // 5) for i in range(25)]
    files = {"ref/gold.csv": ends, "res/one.csv": [*[(3, 4)] * 9, *ends[9:]]}
    files["res/two.csv"] = [(3, 4), *ends[1:]]
    for name, pairs in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        rows = (f'v{i},"{form.format(*pair)}"\n' for i, pair in enumerate(pairs))
        (tmp_path / name).write_text("clip_id,interval\n" + "".join(rows), encoding="utf-8")
    (tmp_path / "ref" / "iou.py").write_text(_IOU, encoding="utf-8")
    with pytest.raises(ReferenceDataError) as caught:
        score(tmp_path, resamples=100)
    labels, own_function = re.findall(r"'(metrics: .*?\])'", str(caught.value))
    for remedy in (labels, own_function) if "(" not in form else (own_function,):
        (tmp_path / "ref" / "scoring.yaml").write_text(remedy, encoding="utf-8")
        assert score(tmp_path, resamples=100).leader == "two"


def test_examples_of_which_one_has_three_numbers_have_labels(tmp_path: Path) -> None:
    rows = [f't{i},"[{i % 3}, {3 + i % 2}]"\n' for i in range(24)]
    for name, own in ("ref/gold", ['t24,"[0, 3, 4]"\n']), ("res/one", ['t24,"[0, 3]"\n']):
        (tmp_path / name).parent.mkdir()
        text = "".join(["id,topics\n", *rows, *own])
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    assert next(iter(score(tmp_path, resamples=100))) == "f1_score"


@pytest.mark.parametrize("form", ["csv", "json"])
def test_a_metric_may_name_another_column_of_labels(tmp_path: Path, form: str) -> None:
    """Its sets are sets as those of the first column are, and no letters."""
    files = {}
    for name, topics in {"gold": CORRECT, "north": NORTH, "south": SOUTH}.items():
        rows = [
            {"id": f"t{i}", "label": "xy"[i % 2], "topics": ";".join(of)}
            for i, of in enumerate(topics)
        ]
        lines = [",".join(row.values()) for row in rows]
        files[name] = json.dumps(rows) if form == "json" else "\n".join(["id,label,topics", *lines])
    of_teams = {f"{name}.{form}": files[name] for name in ("north", "south")}
    metric = "function: f1_score, params: {average: macro}, kind: label_sets, column: topics"
    settings = f"metrics: [{{name: f1_score, {metric}}}]\n"
    case = Case(tmp_path, {f"gold.{form}": files["gold"], "scoring.yaml": settings}, of_teams)
    assert case.run() == 0
    scores = case.scores()
    for name, found in (("north", NORTH), ("south", SOUTH)):
        expected = f1_score(matrix(CORRECT), matrix(found), average="macro")
        assert scores[f"f1_score.{name}"] == pytest.approx(expected)
