"""What a submission must hold: every defect is found, placed and told with the others."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scoring_program.core import cells
from scoring_program.core.errors import SubmissionError
from scoring_program.data import entry
from scoring_program.data.joining.checker_rules import SubmissionRules, as_document
from scoring_program.data.joining.submission import examine
from scoring_program.reading.formats import read_table
from scoring_program.reading.table import Table
from scoring_program.recognize.expected import Expected, Target
from tests.competitions import Folder, told, write_csv

IDS = ("t1", "t2", "t3", "t4")
LABELS = Target("label", "labels")
NUMBERS = Target("score", "numbers")
CHANCES = Target("label", "probabilities")
IMPLIED: dict[str, Any] = {"id_column": "filename", "ids_are_public": False}


def expected(
    target: Target = LABELS, labels: tuple[str | int, ...] = ("a", "b"), **how: Any
) -> Expected:
    return Expected(range(4), 4, IDS, {target: labels}, **how)


def found(text: str, what: Expected) -> list[list[object]]:
    (columns,) = examine(read_table(text.encode(), "p.csv"), what).predictions.values()
    return [list(column) for column in columns]


def problems(text: str, what: Expected) -> str:
    with pytest.raises(SubmissionError) as caught:
        found(text, what)
    return str(caught.value)


def test_rows_are_put_in_the_order_of_the_examples() -> None:
    assert found("id,label\nt3,b\nt1,a\nt4,b\nt2,a\n", expected()) == [["a", "a", "b", "b"]]


@pytest.mark.parametrize("name", ["id", "Image_ID", "file"])
def test_a_header_may_begin_with_a_class_that_is_an_id_too(name: str) -> None:
    """pandas writes the columns in any order."""
    what = Expected(range(3), 3, ("0", "1", "2"), {LABELS: (0, 1)}, id_column="file")
    sent = f"0,1,{name}\n.2,.8,2\n.9,.1,0\n.7,.3,1\n"
    assert found(sent, what) == [[0, 0, 1]]
    assert found("0,1\n1,0\n2,1\n", what) == [[1, 0, 1]]  # ids and labels
    records = [{"0": 2, "1": 8, name: 2}, {"0": 9, "1": 1, name: 0}, {"0": 7, "1": 3, name: 1}]
    table = read_table(json.dumps(records).encode(), "p.json")
    assert [*examine(table, what).predictions.values()] == [[[0, 0, 1]]]
    with pytest.raises(SubmissionError, match="the keys are ids of the test set, but each holds"):
        examine(read_table(b'{"0": [1, 0], "1": [0, 1], "2": [1, 0]}', "p.json"), what)


def test_positions_are_those_of_the_gold_file() -> None:
    what = Expected([2, 0], 3, ("t1", "t2"), {LABELS: ("a", "b")}, ignored=("t9",))
    assert found("label\na\nb\nb\n", what) == [["b", "a"]]
    assert found("id,label\nt2,a\nt1,b\nt9,b\n", what) == [["b", "a"]]


@pytest.mark.parametrize(
    ("known", "own", "is_moved"),
    [
        ("wxyz", "wxyz", False),
        ("wxyz", "wxzy", True),
        ("wwyy", "wywy", True),  # keys that several columns make together
        ("wwyy", "wwww", False),  # what a team says of the rows, perhaps
        ("wxyz", "abcd", False),
        ("wxyz", "xwyb", True),  # most of what differs belongs to another row
        ("wxyz", "xabc", False),
        ("wxyz", "xxxx", False),  # a guess, which must not show whether the gold holds it
    ],
)
def test_rows_without_ids_are_in_the_order_of_a_column_that_the_gold_has(
    known: str, own: str, is_moved: bool
) -> None:
    what = Expected(range(4), 4, None, {LABELS: ("a", "b")}, beside={"text": tuple(known)})
    sent = "".join(["text,label\n", *(f"{cell},a\n" for cell in own)])
    if not is_moved:
        assert found(sent, what) == [["a", "a", "a", "a"]]
        return
    assert "'text' is that of the test set in another order" in (said := problems(sent, what))
    assert "line" not in said


@pytest.mark.parametrize("name", ["Week_of_Year", "week of year"])
def test_a_column_is_that_of_the_gold_in_other_letters(name: str) -> None:
    what = Expected(range(4), 4, None, {LABELS: ("a", "b")}, beside={"weekofyear": ("1122")})
    assert found(f"{name},label\n1,a\n1,a\n2,a\n2,b\n", what) == [["a", "a", "a", "b"]]
    said = problems(f"{name},label\n2,b\n1,a\n2,a\n1,a\n", what)
    assert f"'{name}' is that of the test set in another order" in said


def test_columns_of_other_names_tell_the_order_of_the_gold_together() -> None:
    """Neither the city nor the week is another's, and weeks may be ranks."""
    keys = [(city, str(week)) for city in "xy" for week in range(1, 9)]
    beside = dict(zip(("city", "week"), map(tuple, zip(*keys, strict=True)), strict=True))
    what = Expected(range(16), 16, None, {LABELS: ("a", "b")}, beside=beside)
    for rows, is_moved in ((keys, False), (keys[::-1], True)):
        sent = "Place,Wk,label\n" + "".join(f"{city},{week},a\n" for city, week in rows)
        if is_moved:
            assert "'Place' is that of the test set in another order" in problems(sent, what)
        else:
            assert found(sent, what) == [["a"] * 16]


def test_ids_that_became_decimals_are_not_taken_for_swapped_columns() -> None:
    """Labels that are numbers occur among ids that are numbers."""
    what = Expected(range(3), 3, ("1", "2", "3"), {LABELS: ("1", "2")})
    said = problems("id,label\n1.0,1\n2.0,2\n3.0,1\n", what)
    assert "did you mean '1'?" in said
    assert "swapped" not in said
    assert "swapped" in problems("id,label\na,1\nb,2\nc,3\n", what)


def test_what_the_gold_has_beside_is_compared_in_its_own_order() -> None:
    what = Expected([2, 0], 3, None, {LABELS: ("a", "b")}, beside={"text": ("y", "w")})
    assert found("text,label\nw,a\nx,a\ny,b\n", what) == [["b", "a"]]
    assert "another order" in problems("text,label\ny,a\nx,a\nw,b\n", what)


def test_a_kit_does_not_hold_what_the_gold_has_beside_ids_and_targets() -> None:
    what = Expected(range(4), 4, None, {LABELS: ("a", "b")}, beside={"topic": ("secret",) * 4})
    assert "secret" not in json.dumps(as_document(SubmissionRules({"": what})))


def test_no_message_tells_ignored_rows_from_others() -> None:
    """With a defect in any row in turn, or in all of them, messages differ in its place only."""
    what = Expected(
        [3, 1], 4, ("t4", "t2"), {LABELS: ("a", "b")}, ignored=("t1", "t3"), usage_is_secret=True
    )
    without = {
        problems("".join(["id,label\n", *(f"{key},a\n" for key in IDS if key != left_out)]), what)
        for left_out in IDS
    }
    assert without == {
        "p.csv: 1 gap\n  - 1 of 4 examples have no row\nAdd a row for every example that has none."
        "\nExpected 4 rows, one prediction per example, matched by id."
    }
    for header in ("id,label\n", "label\n"):
        keys = [f"{key}," if "id" in header else "" for key in IDS]
        wrong = "".join([header, *(f"{key}zzz\n" for key in keys)])
        assert "p.csv: 4 unknown labels, on every row" in problems(wrong, what)
        for row in range(4):
            one = [f"{key}{'zzz' if k == row else 'a'}\n" for k, key in enumerate(keys)]
            message = problems("".join([header, *one]), what)
            assert message.startswith(f"p.csv: 1 unknown label\n  - line {row + 2}, column 'label'")


def test_all_problems_are_told_together_with_place_and_remedy() -> None:
    message = problems("id,label\nt1,a\nt1,b\nt9,a\nt3,c\nt4,\n", expected())
    assert message.splitlines() == [
        "p.csv: 1 duplicate id",
        "  - line 3: id 't1' was already on line 2",
        "p.csv: 1 extra id",
        "  - line 4: id 't9' is not in the test set",
        "p.csv: 1 missing id",
        "  - id 't2' has no row",
        *message.splitlines()[6:-1],
        "Expected 4 rows, one prediction per example, matched by id.",
    ]
    assert "line 5, column 'label': found 'c', expected one of the labels" in message
    assert "1 empty value" in message
    assert "line 6, column 'label': found ''" in message


def test_order_of_a_message_is_that_of_the_file_and_not_of_the_gold() -> None:
    backwards = ("t4", "t2", "t3", "t1")
    what = Expected(range(4), 4, backwards, {LABELS: ("a", "b")})
    message = problems("id,label\nt1,x\nt2,y\nt3,z\nt4,a\n", what)
    assert re.findall(r"line (\d)", message) == ["2", "3", "4"]
    message = problems("id,label\nt9,a\nt1,a\n", what)
    assert re.findall(r"id 't(\d)' has no row", message) == ["2", "3", "4"]
    for kind in ("numbers", "probabilities"):
        what = Expected(range(4), 4, backwards, {Target("score", kind): ()})
        message = problems("id,score\nt1,-x\nt2,-y\nt3,-z\nt4,-x\n", what)
        assert re.findall(r"line (\d)", message) == ["2", "3"]
        if kind == "probabilities":
            message = problems("id,score\nt1,-1\nt2,-1\nt3,-1\nt4,-1\n", what)
            assert re.findall(r"line (\d)", message) == ["2", "3"]


def test_at_most_ten_examples_of_each_problem() -> None:
    rows = "".join(f"z{i},a\n" for i in range(15))
    message = problems("id,label\n" + "".join(f"{key},a\n" for key in IDS) + rows, expected())
    assert message.count("is not in the test set") == 10
    assert "… and 5 more" in message


def test_labels_are_listed_only_if_they_are_public() -> None:
    text = "id,label\nt1,a\nt2,a\nt3,a\nt4,zzz\n"
    assert "one of a, b" not in problems(text, expected())
    assert "expected one of a, b" in problems(text, expected(labels_are_public=True))


def test_many_unknown_labels_may_be_open_answers() -> None:
    """A few may be slips; the remedy for many is the organizers'."""
    ids = tuple(f"t{k}" for k in range(40))
    what = Expected(range(40), 40, ids, {LABELS: ("a", "b")})
    for unknown, named in ((10, False), (11, True)):
        cells = [f"form {k}" if k < unknown else "a" for k in range(40)]
        text = "id,label\n" + "".join(f"{key},{x}\n" for key, x in zip(ids, cells, strict=True))
        message = problems(text, what)
        assert f"p.csv: {unknown} unknown labels" in message
        assert "line 2, column 'label': found 'form 0'" in message
        assert ("score them as texts, with the metric string_match" in message) == named
    message = problems(text.replace("form 1\n", "#REF!\n"), what)
    assert "this is an error of a spreadsheet's formula" in message


def test_any_label_will_do_where_they_are_not_known() -> None:
    assert found("zz\ny\nx\nw\n", expected(labels=())) == [["zz", "y", "x", "w"]]
    assert "1 empty value" in problems("id,label\nt1,a\nt2,a\nt3,a\nt4,\n", expected(labels=()))


@pytest.mark.parametrize("cell", ["nan", "NaN", "inf", "-inf", "1e10", "1_0", "x", ""])
def test_numbers_are_finite_and_fit_the_platforms(cell: str) -> None:
    text = f"id,score\nt1,1\nt2,{cell}\nt3,0.5\nt4,-2e3\n"
    message = problems(text, expected(NUMBERS, ()))
    assert f"line 3, column 'score': found '{cell}'" in message


def test_decimal_comma_is_explained() -> None:
    text = "id;score\nt1;1\nt2;0,5\nt3;2\nt4;3\n"
    assert "write the decimal point as '.'" in problems(text, expected(NUMBERS, ()))


def test_probabilities_of_one_class_need_not_sum_to_one() -> None:
    text = "id,score\nt1,0.25\nt2,1\nt3,0\nt4,0.5\n"
    assert found(text, expected(CHANCES)) == [[0.25, 1.0, 0.0, 0.5]]


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("b", [[0.75, 0.0, 1.0, 0.5], [0.25, 1.0, 0.0, 0.5]]),
        ("a", [[0.25, 1.0, 0.0, 0.5], [0.75, 0.0, 1.0, 0.5]]),
        ("p", [[0.25, 1.0, 0.0, 0.5]]),
    ],
)
def test_a_lone_column_with_the_name_of_a_class_refers_to_it(
    header: str, columns: list[list[float]]
) -> None:
    text = f"id,{header}\nt1,0.25\nt2,1\nt3,0\nt4,0.5\n"
    assert found(text, expected(CHANCES)) == columns
    margins = expected(Target("label", "scores"))
    values = columns["ab".find(header)]
    opposite = [-value for value in values]
    of_scores = {"b": [opposite, values], "a": [values, opposite], "p": [values]}
    assert found(text, margins) == of_scores[header]


def test_a_lone_column_whose_name_may_be_a_number_is_a_problem() -> None:
    text = "id,{}\nt1,0.25\nt2,1\nt3,0\nt4,0.5\n"
    flags = expected(CHANCES, (0, 1))
    assert found(text.format(1), flags) == [[0.75, 0.0, 1.0, 0.5], [0.25, 1.0, 0.0, 0.5]]
    message = problems(text.format(0), flags)
    assert "1 column that may be of either class\n  - column '0': the name may be" in message
    assert "Call the column 'score' if a higher number speaks for the positive class" in message
    margins = Target("label", "scores")
    both = replace(flags, targets={**flags.targets, margins: (0, 1)})
    assert "1 column that may be of either class" in problems(text.format(0), both)


def test_how_sure_a_label_is_is_no_score_of_the_positive_class() -> None:
    flags = expected(CHANCES, (0, 1))
    sure = "id,label,confidence\nt1,1,0.9\nt2,0,0.8\nt3,0,0.95\nt4,1,0.7\n"
    message = problems(sure, flags)
    assert "column 'confidence': it may say how sure the label in the column 'label' is" in message
    assert "1 minus yours where you predict the other class" in message
    likely = sure.replace("0,0.8", "0,0.2").replace("0.95", "0.05")
    assert found(likely, flags) == [[0.9, 0.2, 0.05, 0.7]]
    apart = sure.replace("0.95", "0.6").replace("0,0.8", "0,0.5")  # the labels have a threshold
    assert found(apart, flags) == [[0.9, 0.5, 0.6, 0.7]]
    like_gold = sure.replace("label", "Survived")
    message = problems(like_gold, expected(Target("Survived", "probabilities"), (0, 1)))
    assert "it may say how sure the label in the column 'Survived' is" in message


def test_the_first_row_is_checked_as_others() -> None:
    text = "id,labels\nt1,c\nt2,a\nt3,b\nt4,a\n"
    message = problems(text, expected(Target("labels", "label_sets")))
    assert "1 unusable prediction\n  - line 2: found 'c'" in message


def test_probabilities_by_class_and_their_limits() -> None:
    text = "id,b,a\nt1,0.25,0.75\nt2,1,0\nt3,0,1\nt4,0.5,0.5\n"
    assert found(text, expected(CHANCES)) == [[0.75, 0.0, 1.0, 0.5], [0.25, 1.0, 0.0, 0.5]]
    assert "do not sum to 1" in problems(text.replace("0.25", "0.26"), expected(CHANCES))
    message = problems(text.replace("t2,1,0", "t2,2,-1"), expected(CHANCES))
    assert re.search(
        r"1 row with probabilities outside \[0, 1\]\n  - line 3, .*: found -1, 2", message
    )


def test_label_is_the_class_with_the_highest_number_and_the_first_of_equals() -> None:
    text = "id,b,a\nt1,1,2\nt2,2,1\nt3,7,7\nt4,5,-5\n"
    assert found(text, expected()) == [["a", "b", "a", "b"]]


@pytest.mark.parametrize("target", [LABELS, CHANCES])
def test_no_column_of_a_class_is_left_out_because_the_gold_lacks_it(target: Target) -> None:
    """The class with the highest number may be this one, and the rest do not sum to 1."""
    rows = "t1,.5,.1,.4\nt2,.3,.1,.6\nt3,.2,.8,0\nt4,.1,.4,.5\n"
    said = problems(f"id,a,b,c\n{rows}", expected(target))
    assert "column 'c' may be of a class, but the task has no such label" in said
    assert "list all labels in the setting 'labels'" in said
    assert found(f"id,a,b,c\n{rows}", expected(target, labels=("a", "b", "c")))
    sure = "t1,.5,.5,.4\nt2,.3,.7,.6\nt3,.2,.8,0\nt4,.6,.4,.5\n"
    assert found(f"id,a,b,margin\n{sure}", expected(target))


def test_scores_of_classes_that_sum_to_anything_hide_no_other_class() -> None:
    rows = "t1,.5,.1,4\nt2,.3,-.1,2\nt3,2,.8,0\nt4,.1,3,-.5\n"
    assert "column 'c' may be of a class" in problems(f"id,a,b,c\n{rows}", expected(LABELS))
    texts = "t1,.5,.1,x\nt2,.3,-.1,\nt3,2,.8,y\nt4,.1,3,z\n"
    assert found(f"id,a,b,comment\n{texts}", expected(LABELS)) == [["a", "a", "a", "b"]]


def test_a_class_may_have_the_name_of_a_usual_column() -> None:
    text = "id,n,y\nt1,0,1\nt2,1,0\nt3,1,0\nt4,0,1\n"
    assert found(text, expected(labels=("n", "y"))) == [["y", "n", "n", "y"]]
    assert found("id,y\nt1,y\nt2,n\nt3,n\nt4,y\n", expected(labels=("n", "y"))) == [
        ["y", "n", "n", "y"]
    ]


def test_missing_prediction_is_wrong_and_of_a_known_class() -> None:
    what = expected(missing="wrong")
    gold = {"label": np.array(["a", "b", "a", "b"])}
    table = read_table(b"id,label\nt1,a\nt4,b\n", "p.csv")
    (aligned,) = entry.align(table, "T", what, gold, "").predictions.values()
    assert aligned.tolist() == ["a", "a", "b", "b"]
    table = read_table(b"id,a,b\nt1,1,0\nt4,0,1\n", "p.csv")
    (aligned,) = entry.align(table, "T", what, gold, "").predictions.values()
    assert aligned.tolist() == ["a", "a", "b", "b"]


def notes(text: str, what: Expected) -> list[str]:
    return told(examine(read_table(text.encode(), "p.csv"), what).notes)


@pytest.mark.parametrize("header", ["id,label,prediction", "id,y_true,y_pred", "id,stance,pred"])
def test_column_of_predictions_comes_before_one_that_may_be_the_truth(header: str) -> None:
    text = f"{header}\nt1,a,b\nt2,a,b\nt3,a,b\nt4,a,a\n"
    what = expected(Target("stance" if "stance" in header else "label", "labels"))
    assert found(text, what) == [["b", "b", "b", "a"]]
    _, truth, prediction = header.split(",")
    assert notes(text, what) == [f"Column '{prediction}' was scored. Not read: '{truth}'."]


def test_several_columns_that_were_scored_are_named() -> None:
    text = "id,a,b,label\nt1,.5,.5,a\nt2,.5,.5,b\nt3,.5,.5,a\nt4,.5,.5,a\n"
    assert notes(text, expected(CHANCES)) == ["Columns 'a', 'b' were scored. Not read: 'label'."]


def test_how_a_file_was_read_is_told_where_it_is_not_as_usual() -> None:
    assert notes("id,label\nt1,a\nt2,a\nt3,a\nt4,a\n", expected()) == []
    assert notes("label\na\na\na\na\n", expected()) == [
        "Rows were matched by position, because there are no ids."
    ]
    assert notes("id,label\nt1,a\n,\nt2,a\nt3,a\nt4,a\n", expected()) == [
        "Rows of empty cells were left out."
    ]


def test_kept_columns_are_texts_in_the_order_of_the_examples() -> None:
    what = expected(keep_columns=True, missing="wrong")
    read = examine(read_table(b"id,label,note\nt3,b,first\nt1,a,second\n", "p.csv"), what)
    assert read.columns == {
        "id": ["t1", "", "t3", ""],
        "label": ["a", "", "b", ""],
        "note": ["second", "", "first", ""],
    }
    assert (read.missing, read.by_position) == (2, False)
    read = examine(read_table(b"label\na\nb\na\nb\n", "p.csv"), expected())
    assert (read.columns, read.missing, read.by_position) == ({}, 0, True)


def test_rows_without_ids_in_the_gold_keep_the_order_of_their_own() -> None:
    what = Expected(range(4), 4, None, {LABELS: ("a", "b")})
    for ids in ("t1 t2 t9 t10", "t1 t10 t2 t9", "t1 t2 t2x t3"):
        text = "id,label\n" + "".join(
            f"{key},{x}\n" for key, x in zip(ids.split(), "abab", strict=True)
        )
        assert found(text, what) == [["a", "b", "a", "b"]]
    message = problems("id,label\nt1,a\nt3,a\nt2,b\nt4,a\n", what)
    assert message.startswith("p.csv: line 4: the test set has no ids, so rows are matched by ")
    assert "id 't2' follows id 't3'; put the rows in the order of the test set" in message
    assert "id 't0' follows id 't1'" in problems("id,label\nt1,a\nt0,a\nt2,b\nt4,a\n", what)
    assert "was already" not in problems("id,label\nt2,a\nt1,a\nt3,b\nt4,a\n", what)
    for length, refused in ((1000, True), (1001, False)):
        ids = " ".join(f"{k}".zfill(length) for k in (2, 1, 3, 4))
        text = "id,label\n" + "".join(f"{key},a\n" for key in ids.split())
        if refused:
            assert "put the rows in the order of the test set" in problems(text, what)
        else:
            assert found(text, what) == [["a"] * 4]


def test_one_line_too_many_may_be_a_header() -> None:
    said = "If line 1 is a header, call it 'label'."
    assert said in problems("0\na\nb\na\nb\n", expected())
    for text in ("0\na\nb\na\nb\nb\n", "a\nb\na\n"):
        message = problems(text, expected())
        assert "4 expected" in message
        assert "is a header" not in message


def test_the_first_of_as_many_labels_as_examples_is_no_header() -> None:
    numbered = Expected(range(4), 4, ("1", "2", "3", "4"), {LABELS: (0, 1)})
    assert found("0\n1\n1\n0\n", numbered) == [[0, 1, 1, 0]]
    assert "5 rows, 4 expected" in problems("0\n1\n1\n0\n1\n", numbered)
    assert "3 rows, 4 expected" in problems("0\n1\n0\n", numbered)
    named = expected(labels=("answer", "query"))
    assert found("answer\nquery\nquery\nquery\n", named) == [["answer", *["query"] * 3]]
    assert found("answer\nquery\nquery\nquery\nquery\n", named) == [["query"] * 4]
    assert "3 rows, 4 expected" in problems("answer\na\nb\na\n", expected())


def test_how_many_ids_are_unknown_is_said_in_one_or_many() -> None:
    message = problems("id,label\nx1,a\n", expected())
    assert message.startswith("p.csv: 1 of 1 id is not in the test set\n  - line 2: id 'x1'\n")
    message = problems("id,label\nx1,a\nx2,b\nx3,a\nx4,b\n", expected())
    assert message.startswith("p.csv: 4 of 4 ids are not in the test set\n  - line 2: id 'x1'\n")


def test_a_gap_is_on_no_row() -> None:
    message = problems("id,label\nt1,a\n", expected(usage_is_secret=True))
    assert message.startswith("p.csv: 1 gap\n  - 3 of 4 examples have no row\n")


def test_unknown_ids_are_not_passed_over() -> None:
    message = problems("file,label\nx/t2,a\nx/t1,a\nx/t3,a\nx/t4,a\n", expected())
    assert "column 'file' looks like ids, but hardly any of them is in the test set" in message
    unknown = "file,label\nx/t2,a\nx/t1,a\nx/t3,a\nx/t4,a\n"
    assert "looks like ids" in problems(unknown, expected(**IMPLIED))
    spaced = Expected(range(4), 4, ("t 1", "t 2", "t 3", "t 4"), {LABELS: ("a", "b")})
    assert "looks like ids" in problems(unknown, spaced)
    for rest in ("a b", "b a", "c c", "d d"), ("1", "2", "3", "4"), ("x", "x", "y", "z"):
        text = "text,label\n" + "".join(f"{cell},a\n" for cell in rest)
        assert found(text, expected()) == [["a", "a", "a", "a"]]


def test_ids_that_the_gold_lacks_are_told() -> None:
    what = Expected(range(2), 2, None, {LABELS: ("a", "b")})
    assert notes("id,label\nt1,b\nt2,a\n", what) == [
        "Rows were matched by position, because the reference data have no ids."
    ]


@pytest.mark.parametrize("kind", ["scores", "probabilities"])
def test_two_classes_in_other_letters(kind: str) -> None:
    classes = expected(target=Target("y", kind), labels=("false", "true"))
    rows = "".join(f"{key},0.25,0.75\n" for key in IDS)
    message = problems(f"id,False,True\n{rows}", classes)
    assert "no column for each class among 'id', 'False', 'True'" in message
    assert message.endswith("with the same capital and small letters as the task does")
    assert "column 'y'" in problems(f"id,No,Yes\n{rows}", classes).replace('"', "'")


@pytest.mark.parametrize("kind", ["scores", "probabilities"])
@pytest.mark.parametrize("header", ["id,a,b", "id,A,B,C", "id,prob_a,prob_b,prob_c", None])
def test_header_that_is_asked_for_has_a_column_a_class(kind: str, header: str | None) -> None:
    of_three: dict[str, Any] = {"target": Target("y", kind), "labels": ("a", "b", "c")}
    cells_of = 3 if header is None else header.count(",")
    rows = "".join(f"{key}{',0.25' * (cells_of - 1)},0.5\n" for key in IDS)
    text = f"{header}\n{rows}" if header else rows
    message = problems(text, expected(**of_three, labels_are_public=True))
    assert message.endswith("a header such as 'id,a,b,c'")
    assert "'y'" not in message
    message = problems(text, expected(**of_three))
    assert message.endswith(
        "call every column of numbers like its label"
        if header
        else "a header such as 'id,y', or one column for each class"
    )
    as_asked = "".join(f"{key},0.25,0.25,0.5\n" for key in IDS)
    assert found(f"id,a,b,c\n{as_asked}", expected(**of_three)) == [
        [0.25] * 4,
        [0.25] * 4,
        [0.5] * 4,
    ]


def test_texts_above_numbers_are_a_header() -> None:
    rows = "".join(f"0.{k},0.{9 - k},0.1\n" for k in range(4))
    classes = expected(Target("y", "probabilities"), ("a", "b", "c"))
    assert found(f"a,b,c\n{rows}", classes)[0] == [0.0, 0.1, 0.2, 0.3]
    assert "3 columns have no names" in problems(rows, classes)


def test_header_for_two_classes_and_for_very_many() -> None:
    two = expected(CHANCES, labels_are_public=True)
    assert two.header == "'id,label' or 'id,a,b'"
    many = expected(CHANCES, tuple(range(30)), labels_are_public=True)
    assert many.header == "'id,0,1,2,3,4,5,6,7,8,9,…'"
    both = Expected(range(4), 4, IDS, {LABELS: (0, 1, 2), CHANCES: (0, 1, 2)})
    assert both.header == "'id,label', or one column for each class"
    assert expected().header == "'id,label'"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("t1 a\nt2:a\nt3=b\nt4 b\n", "no delimiter (comma, semicolon, tab or |) was recognized"),
        ("t1 a\nt2,a\nt3,b\nt4,b\n", "no delimiter (comma, semicolon, tab or |) was recognized"),
        ("# our best run\nid,label\nt1,a\nt2,a\nt3,b\nt4,b\n", "line 1 has no delimiter, and all"),
    ],
)
def test_text_that_no_delimiter_divides(text: str, said: str) -> None:
    message = problems(text, expected())
    assert said in message
    assert "a header such as 'id,label'" in message
    without = Expected(range(4), 4, None, {LABELS: ("a", "b")})
    assert "delimiter" not in problems(text, without)
    two = Expected(range(4), 4, IDS, {LABELS: ("a", "b"), NUMBERS: ()})
    assert "line 1: 1 column: no delimiter" in problems(text, two)
    assert "such as 'id,label,score'" in problems(text, two)


@pytest.mark.parametrize(
    "text",
    [
        "id label\nt1 a\nt2 a\nt3 b\nt4 b\n",
        "id\uff0clabel\nt1\uff0ca\nt2\uff0ca\nt3\uff0cb\nt4\uff0cb\n",
        "id\\tlabel\nt1\\ta\nt2\\ta\nt3\\tb\nt4\\tb\n",
        "label\nt2: a\nt1: a\nt4: b\nt3: b\n",
        "t1 => a\nt2 => a\nt3 => b\nt4 => b\n",
        "t1 - a\nt2 - a\nt3 - b\nt4 - b\n",
        "\ufefft1/a\r\nt2/a\r\nt3/b\r\nt4/b\r\n",
    ],
)
def test_lines_that_begin_with_ids(text: str) -> None:
    assert found(text, expected()) == [["a", "a", "b", "b"]]


def test_lines_of_ids_and_several_predictions() -> None:
    two = Expected(range(4), 4, IDS, {LABELS: ("a", "b"), NUMBERS: ()}, in_order=True)
    text = "t2 a -1.5\nt1 b 2\nt3 b 3\nt4 b 4\n"
    labels, numbers = examine(read_table(text.encode(), "p.csv"), two).predictions.values()
    assert [*labels, *numbers] == [["b", "a", "b", "b"], [2.0, -1.5, 3.0, 4.0]]
    # A column is missing; the ids are no predictions.
    ids = tuple("1234")
    targets = {NUMBERS: (), Target("other", "numbers"): ()}
    numeric = Expected(range(4), 4, ids, targets, in_order=True)
    assert "2 columns have no names" in problems("1,5\n2,6\n3,7\n4,8\n", numeric)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("T1 a\nT2 a\nT3 b\nT4 b\n", "line 1: id 'T1' is not in the test set; did you mean 't1'?"),
        ("t1 a\nt2 a\nt3 b\nb\n", "line 4: 1 cell found, 2 expected"),
        ("t1 a\nt2 a\nt3 b\n", "id 't4' has no row"),
        ("dev1 a\ndev2 a\ndev3 b\ndev4 b\n", "an id, such as 'dev1' and 'dev2', but hardly any"),
        ("1. a\n2. a\n3. b\n4. b\n", "such as '1.' and '2.'"),
    ],
)
def test_lines_that_begin_with_other_ids(text: str, says: str) -> None:
    assert says in problems(text, expected())


def test_every_row_has_fewer_columns_than_the_header() -> None:
    assert problems("id,label,score\nt1,a\nt2,b\nt3,a\nt4,a\n", expected()).splitlines() == [
        "p.csv: every row has fewer columns than the header: 2 of 3",
        "  - line 2: 2 cells found, 3 expected",
        "  - line 3: 2 cells found, 3 expected",
        "Give every row as many columns as the header has names.",
        "Expected a header such as 'id,label', and rows like it.",
    ]


@pytest.mark.parametrize("good", ["t1,a,1\n", "t1,a,1\nt2,b,2\n"])
def test_rows_with_fewer_columns_are_not_all_if_one_is_as_the_header(good: str) -> None:
    message = problems(f"id,label,score\n{good}t3,a\nt4,a\n", expected())
    assert "p.csv: 2 rows of the wrong width" in message
    assert "every row" not in message.splitlines()[0]
    assert "has no row" not in message  # what is left to check says little
    half = problems("id,label,score\nt1,x,1\nt2,b,1\nt3,a\nt4,a\n", expected())
    assert "unknown label" not in half
    missing = problems("id,label\nt1,a\nt2,b\n", expected())
    assert missing.startswith("p.csv: 2 missing ids\n")  # no row holds them
    message = problems("id,label,score\nt1,a\n", expected())
    assert "every row has fewer columns than the header: 2 of 3" in message
    message = problems("id,label,score\nt1,a,1\nt2,b,1\nt3,x,1\nt4,a\n", expected())
    assert "1 row of the wrong width" in message
    assert "1 unknown label" in message


def test_numbers_that_are_too_large_are_numbers() -> None:
    message = problems("id,score\nt1,1\nt2,3e12\nt3,no\nt4,-4e10\n", expected(NUMBERS, ()))
    assert "p.csv: 2 numbers too large\n  - line 3, column 'score': found '3e12'" in message
    assert "p.csv: 1 value that is not a finite number\n  - line 4" in message


def test_ids_of_rows_in_another_order_than_the_test_set_without_ids() -> None:
    without = Expected(range(4), 4, None, {LABELS: ("a", "b")})
    assert found("id,label\n0,a\n1,a\n2,b\n3,b\n", without) == [["a", "a", "b", "b"]]
    message = problems("id,label\n1,a\n3,a\n2,b\n4,b\n", without)
    assert "line 4: the test set has no ids, so rows are matched by position" in message
    assert "id '2' follows id '3'; put the rows in the order of the test set, and leave" in message
    assert "id 'x' follows id 'y'" in problems("id,label\nw,a\ny,a\nx,b\nz,b\n", without)
    assert "id '3' follows id '5'" in problems("id,label\n1,a\n2,a\n5,b\n3,b\n", without)
    texts = [f"{n} {'word ' * 400}" for n in (2, 1, 4, 3)]  # too long for ids
    assert found("".join(["id,label\n", *(f"{text},a\n" for text in texts)]), without) == [
        ["a"] * 4
    ]
    for ids in (("8", "9", "10", "11"), ("x10", "x11", "x8", "x9")):  # sorted in one way
        text = "".join(f"{key},a\n" for key in ids)
        assert found(f"id,label\n{text}", without) == [["a"] * 4]
    message = problems("q1 a\nq7 a\nq5 b\nq3 b\n", without)
    assert "every line begins with what may be an id, such as 'q1' and 'q7'" in message
    assert "the test set has no ids; write the predictions alone" in message


def test_other_formats_have_no_delimiter() -> None:
    with pytest.raises(SubmissionError) as caught:
        examine(read_table(b'["a", "b"]', "p.json"), expected())
    assert "2 rows, 4 expected" in str(caught.value)
    assert "delimiter" not in str(caught.value)


@pytest.mark.parametrize(
    "text", ["a a\nb b\n", "t1,z\nt2,a\nt3,a\nt4,a\n", "id,x,z\nt1,a,a\n", "1,2,3\n4,5,6\n"]
)
def test_names_that_may_be_an_example_are_not_shown(text: str) -> None:
    what = expected(Target("secret", "labels"), id_column="hidden", names_are_public=False)
    message = problems(text, what)
    assert "label" in message
    assert "secret" not in message
    assert "hidden" not in message


def test_blank_line_is_named_where_rows_are_missing() -> None:
    what = Expected(range(3), 3, None, {LABELS: ("a", "b")})
    message = problems("a\n\nb\n", what)
    assert "p.csv: 2 rows, 3 expected" in message
    assert "line 1 is the first and line 3 is the last; line 2 is empty" in message
    assert "is empty" not in problems("a\nb\n", what)
    alone = problems("b\n", what)
    assert "line 1 is the first" in alone
    assert "is the last" not in alone
    many = problems("0\na\nb\na\n", what)
    assert "line 1 is the first and line 4 is the last" in many
    assert "If line 1 is a header, call it 'label'." in many
    assert "is a header" not in problems("0\na\nb\na\nb\n", what)
    assert found("a\n\nb\n\na\n", what) == [["a", "b", "a"]]


@pytest.mark.parametrize("header", ["filename,label", "FileName,label", "x,label", "id,label"])
def test_ids_of_any_name_are_joined_by_their_cells(header: str) -> None:
    text = f"{header}\nt3,b\nt1,a\nt4,b\nt2,a\n"
    assert found(text, expected(**IMPLIED)) == [["a", "a", "b", "b"]]


@pytest.mark.parametrize(
    "text",
    [
        "filename,label\nt2,b\nt9,b\nt1,a\n",
        "label\na\nb\nb\n",  # by position, all rows
    ],
)
def test_ignored_rows_of_ids_that_are_only_taken_for_such(text: str) -> None:
    what = Expected([0, 2], 3, ("t1", "t2"), {LABELS: ("a", "b")}, ignored=("t9",), **IMPLIED)
    assert found(text, what) == [["a", "b"]]
    without = "filename,label\nt2,b\nt1,a\n"
    assert "1 of 3 examples have no row" in problems(without, what)


def test_ids_that_are_only_taken_for_such_bind_nobody_and_stay_secret() -> None:
    assert found("id,label\n1,b\n2,a\n3,b\n4,a\n", expected(**IMPLIED)) == [list("baba")]
    message = problems("filename,label\nT1,a\nt2,a\n", expected(**IMPLIED))
    assert "3 of 4 examples have no row" in message
    assert not {"t1", "t3", "t4"} & set(re.findall(r"\w+", message))


@pytest.mark.parametrize("written", ["{}.0", "00{}", "'{}'", "images/{}", "images\\{}", " {}"])
def test_ids_that_were_changed_on_the_way_are_recognised_in_the_message(written: str) -> None:
    what = Expected(range(2), 2, ("1", "2"), {LABELS: ("a", "b")})
    text = "id,label\n" + "".join(f"{written.format(i)},a\n" for i in (1, 2))
    if written == " {}":
        assert found(text, what) == [["a", "a"]]
    else:
        message = problems(text, what)
        assert message.count("; did you mean '2'?") == 1
        assert "missing id" not in message  # the rows are there


def test_decimal_commas_without_a_header_are_not_taken_for_ids_and_labels() -> None:
    what = Expected(range(3), 3, None, {NUMBERS: ()})
    message = problems("0,5\n0,25\n1,5\n", what)
    assert "line 2: id '0' was already on line 1" in message
    assert "write the decimal point as '.'" in message


def test_character_that_only_looks_like_a_minus_is_named() -> None:
    text = "id,score\nt1,1\nt2,\u22121\nt3,2\nt4,3\n"
    assert "'\u2212' is not an ASCII character" in problems(text, expected(NUMBERS, ()))


def test_label_with_letters_of_two_scripts_shows_its_code_points() -> None:
    text = "id,label\nt1,cat\nt2,\u0441at\nt3,dog\nt4,cat\n"
    message = problems(text, expected(LABELS, ("cat", "dog")))
    assert "line 3, column 'label': found '<U+0441>at', expected" in message
    assert "it has letters of two scripts, which look alike: type the label again" in message


def test_order_of_ids_in_the_file_changes_nothing() -> None:
    ids = tuple("dacb")
    what = Expected([3, 0, 2, 1], 4, ids, {LABELS: ("a", "b", "c", "d")})
    in_order = "id,label\n" + "".join(f"{i},{i}\n" for i in "abcd")
    assert what.ids_in_file == ["a", "b", "c", "d"]
    assert found(in_order, what) == [list(ids)]
    assert found("id,label\nc,c\nd,d\na,a\nb,b\n", what) == [list(ids)]
    assert Expected([0], 2, ("a",), {}).ids_in_file is None


def test_probabilities_that_files_rounded_off_are_scaled() -> None:
    table = read_table(b"id,a,b\nt1,.3333,.6666\nt2,0,1\nt3,1,0\nt4,.5,.5\n", "p.csv")
    (aligned,) = entry.align(table, "T", expected(CHANCES), {}, "").predictions.values()
    assert aligned.shape == (4, 2)
    assert aligned.sum(axis=1).tolist() == pytest.approx([1, 1, 1, 1], abs=1e-15)


def test_columns_are_kept_for_metrics_that_read_them() -> None:
    table = read_table(b"id,label,why\nt2,a,x\nt1,b,y\nt3,a,z\nt4,a,w\n", "p.csv")
    assert examine(table, expected()).columns == {}
    kept = examine(table, expected(keep_columns=True)).columns
    assert kept["why"] == ["y", "x", "z", "w"]


@pytest.mark.parametrize(
    ("known", "cell", "label"),
    [
        ((0, 1), "1", 1),
        ((0, 1), "1.0", 1),
        (("0.0", "1.0"), "1", "1.0"),
        (("0.0", "1.0"), "0.00", "0.0"),
        (("0.0", "1.0", "x"), "1", None),
        (("1.0", "2.0"), "True", None),
        ((0, 1), "True", 1),
        ((0, 1), "1.5", None),
        ((0, 1), "2", None),
        ((0, 1), "inf", None),
        (("0", "a"), "0.0", None),
        (("yes", "no"), "yes", "yes"),
        (("yes", "no"), "Yes", None),
        ((0, 1), "TRUE", 1),
        ((0, 1), "false", 0),
        ((0, 1), "yes", None),
        (("False", "True"), "True", "True"),
        (("False", "True"), "true", "True"),
        (("False", "True"), "0", "False"),
        (("False", "True"), "2", None),
    ],
)
def test_labels_as_files_write_them(
    known: tuple[str | int, ...], cell: str, label: str | int | None
) -> None:
    assert cells.label_reader(known)(cell) == label


@pytest.mark.parametrize(
    ("known", "value", "label"),
    [
        ((0, 1), 1, 1),
        ((0, 1), "1", 1),
        ((0, 1), "01", 1),
        ((0, 1), 1.0, 1),
        ((0, 1), True, 1),
        ((0, 1), 2, None),
        (("0", "a"), 0, "0"),
        (("0", "a"), False, None),
        (("01", "02"), "01", "01"),
        (("01", "02"), 1, None),
        (("1.0", "2.0"), 1.0, "1.0"),
        (("False", "True"), True, "True"),
        (("false", "true"), True, "true"),
        (("FALSE", "TRUE", "?"), False, "FALSE"),
        (("True", "true", "false"), True, None),
        (("True", "true", "false"), "true", "true"),
        (("True", "true", "false"), False, "false"),
        (("yes", "no"), True, None),
        (("true", "false"), "TRUE", None),
        (("a", "b"), ["a"], None),
    ],
)
def test_labels_as_settings_write_them(
    known: tuple[str | int, ...], value: object, label: str | int | None
) -> None:
    found = cells.setting_reader(known)(value)
    assert (found, type(found)) == (label, type(label))


def test_quantities_and_classes() -> None:
    assert cells.is_quantity(["0.5", "1"])
    assert cells.is_quantity([str(i) for i in range(21)])
    assert not cells.is_quantity(["1", "2", "3"])
    assert not cells.is_quantity(["1", "x"])


def test_rows_of_zeros_choose_no_class() -> None:
    text = "id,a,b\nt1,1,0\nt2,0,0\nt3,0,1\nt4,0.5,0.5\n"
    message = problems(text, expected())
    assert "1 row of zeros, which choose no class" in message
    assert "line 3: found 0 in all of 2 columns" in message
    assert "line 2: found 0 in all" in problems(text.replace("t1,1,0", "t1,0,0"), expected())


@pytest.mark.parametrize("cell", ["true", "True", "TRUE"])
def test_flags_are_read_in_any_letters_among_other_labels(cell: str) -> None:
    what = expected(labels=("true", "false", "unknown"))
    text = f"id,label\nt1,{cell}\nt2,False\nt3,unknown\nt4,false\n"
    assert found(text, what) == [["true", "false", "unknown", "false"]]
    assert "unknown label" in problems(text, expected(labels=("true", "True", "unknown")))


TWO = Expected(range(4), 4, IDS, {LABELS: ("a", "b"), NUMBERS: ()})


@pytest.mark.parametrize(
    ("what", "header", "says"),
    [
        (expected(), ("t1", "so", " it is"), "line 1: 3 columns found, 2 expected; quote texts"),
        (TWO, ("t1", "so", " it", " is"), "line 1: 4 columns found, 3 expected; quote texts"),
        (TWO, ("t1", "so", " it is"), None),
        (expected(), ("id", "so", " it is"), None),
    ],
)
def test_an_example_of_too_many_columns_is_no_header(
    what: Expected, header: tuple[str, ...], says: str | None
) -> None:
    table = Table("p.csv", [["t2", "t3", "t4"]] * len(header), range(2, 5), header=header)
    with pytest.raises(SubmissionError) as caught:
        examine(table, what)
    assert ("quote texts" in str(caught.value)) == (says is not None)
    assert (says or "p.csv") in str(caught.value)


def test_rows_of_another_width_hide_no_problem_of_most_rows() -> None:
    message = problems("t1,a\nt2,b\nt3,a\nt4,x\nt5,a,a\nt6,a,a\n", expected())
    assert message.startswith("p.csv: 2 rows of the wrong width\n")
    assert "found 'x', expected one of the labels" in message


def test_extra_ids_are_ignored_where_none_is_missing() -> None:
    what = expected(extra_ids="ignore")
    others = "id,label\n" + "".join(f"z{k},a\n" for k in range(60))
    assert found(others + "t1,b\nt2,a\nt3,b\nt4,a\n", what) == [["b", "a", "b", "a"]]
    assert problems(others, what).startswith("p.csv: 60 of 60 ids are not in the test set\n")


def test_an_id_in_the_place_of_another_is_one_too_many_and_one_missing() -> None:
    message = problems("id,label\nt1,a\nt2,a\nt9,a\nt4,b\n", expected())
    assert "p.csv: 1 extra id\n  - line 4: id 't9' is not in the test set" in message
    assert "p.csv: 1 missing id\n  - id 't3' has no row" in message


def test_rows_of_one_cell_are_told_the_delimiter() -> None:
    message = problems("id,label\nt1\nt2\nt3\nt4\n", expected())
    assert message.startswith("p.csv: every row has fewer columns than the header: 1 of 2\n")
    assert "Separate the cells of every row by the delimiter of the first line" in message


def test_an_empty_column_of_several_may_be_a_task_of_its_own() -> None:
    two = Expected(range(4), 4, IDS, {LABELS: ("a", "b"), Target("other", "labels"): ("c", "d")})
    said = problems("id,label,other\nt1,a,\nt2,a,\nt3,b,\nt4,b,\n", two)
    assert "write one label on every row. Organizers: if it may stay empty, make it a task" in said


def test_one_of_several_columns_without_names_is_the_organizers_to_choose() -> None:
    said = problems("t1,x,a\nt2,x,b\nt3,x,b\nt4,x,a\n", expected())
    assert said.endswith("as in 'submissions: {columns: {id: 1, label: 3}}')")
    said = problems("z,x,a\nz,x,b\nz,x,b\nz,x,a\n", Expected(range(4), 4, None, {LABELS: ()}))
    assert said.endswith("as in 'submissions: {columns: {label: 3}}')")


def test_lines_of_metadata_are_told_to_the_organizer() -> None:
    what = Expected(range(4), 4, None, {NUMBERS: ()})
    lines = "1047\n2\n" + "".join(f"en-de x {k} .{k}\n" for k in range(4))
    assert "write 'submissions: {skip_lines: 2}'." in problems(lines, what)
    assert "skip_lines" not in problems("1047\n2\n.1\n.2\n.3\n.4\n", what)


def test_keys_that_are_ids_hold_no_lists() -> None:
    document = json.dumps({key: ["a"] for key in IDS})
    with pytest.raises(SubmissionError) as caught:
        examine(read_table(document.encode(), "p.json"), expected())
    assert "the keys are ids of the test set, but each holds a list; write" in str(caught.value)
    assert "delimiter" not in str(caught.value)


def test_scores_in_the_place_of_labels_name_the_metrics_of_scores() -> None:
    message = problems("id,label\nt1,.2\nt2,.3\nt3,.4\nt4,.7\n", expected())
    assert (
        "Organizers: if all files hold them, name a metric of scores, such as roc_auc, or write "
        "kind = 'scores' into the file of your own metric."
    ) in message


@pytest.mark.parametrize("gold", [(0, 1), ("no", "1")])
def test_scores_of_which_some_are_labels_are_no_open_answers(gold: tuple[int | str, ...]) -> None:
    ids = [f"t{i}" for i in range(20)]
    what = Expected(range(20), 20, ids, {LABELS: gold})
    scores = [1.0, 0.0, 2.0, *(1 - k / 40 for k in range(1, 18))]
    message = problems("id,label\n" + "".join(map("{},{:.6f}\n".format, ids, scores)), what)
    assert "These may be scores or probabilities: write the label" in message
    assert "labels: any" not in message
    answers = "id,label\n" + "".join(f"{one},{k + 5}\n" for k, one in enumerate(ids))
    assert "labels: any" in problems(answers.replace("t0,5", f"t0,{gold[1]}"), what)


def test_a_lacking_column_is_looked_for_in_the_first_line() -> None:
    message = problems("id,c,d\nt1,1,0\nt2,0,1\nt3,1,0\nt4,0,1\n", expected())
    assert message.startswith("p.csv: line 1: there is no column 'label' among 'id', 'c', 'd'; ")


def test_two_cells_a_line_are_no_header_in_doubt() -> None:
    what = Expected(range(4), 4, None, {LABELS: ("a", "b"), NUMBERS: ()}, in_order=True)
    assert problems("a,1\na,2\nb,3\na,4\nb,5\n", what).splitlines() == [
        "p.csv: 5 rows, 4 expected",
        "  - line 1 is the first and line 5 is the last",
        "Without ids, rows are matched by position: send one row per example.",
    ]


def test_where_findings_are_listed_an_example_without_any_is_not_missing() -> None:
    read = examine(read_table(b"id,label\nt1,a\nt3,b\n", "p.csv"), expected(kind="spans"))
    assert [list(column) for column in read.predictions[LABELS]] == [["a", None, "b", None]]
    assert read.missing == 0


@pytest.mark.parametrize("name", ["age_pred", "Pred_Age", "predicted age", "agePrediction"])
def test_a_column_of_predictions_beside_one_that_may_be_the_truth_is_asked_about(name: str) -> None:
    """The column that is called like the gold's was scored."""
    what = expected(Target("age", "numbers"), ())
    said = problems(f"id,age,{name}\nt1,1,2\nt2,1,3\nt3,1,4\nt4,1,5\n", what)
    assert said == (
        f"p.csv: the predictions may stand in 'age' or in '{name}'; leave out the columns that are "
        "no predictions, and call those that are 'age'"
    )
    assert found("id,age\nt1,2\nt2,3\nt3,4\nt4,5\n", what) == [[2, 3, 4, 5]]
    assert found(f"id,{name}\nt1,2\nt2,3\nt3,4\nt4,5\n", what) == [[2, 3, 4, 5]]
    assert found("id,age,age_unit\nt1,2,y\nt2,3,y\nt3,4,y\nt4,5,y\n", what) == [[2, 3, 4, 5]]


def test_columns_of_predictions_of_several_targets_are_asked_about() -> None:
    targets = {Target("x", "numbers"): (), Target("x_pred", "numbers"): ()}
    what = Expected(range(4), 4, IDS, targets)
    rows = "\nt1,1,2,3\nt2,1,3,4\nt3,1,4,5\nt4,1,5,6\n"
    said = problems(f"id,x,x_pred,y_pred_x{rows}", what)
    assert "may stand in 'x' or in 'y_pred_x';" in said
    read = examine(read_table(f"id,x,x_pred,z{rows}".encode(), "p.csv"), what).predictions
    assert [*read.values()] == [[[1, 1, 1, 1]], [[2, 3, 4, 5]]]


def test_the_column_of_ids_that_submissions_hold_is_the_key(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    """The gold has two columns of ids; the contents say which one counts."""
    keys = [f"{k * 7919:08x}" for k in range(40)]
    labels = [str(k % 2) for k in range(40)]
    rows = range(500, 540)
    gold = {"commit_id": keys, "target": labels, "idx": [*rows]}
    write_csv(folder.input / "ref" / "gold.csv", gold)
    folder.team("A", {"idx": [*rows], "target": labels})
    folder.team("B", {"idx": [*rows], "target": ["1"] * 40})
    folder.settings("resamples: 100\n")
    assert folder.run() == 0
    assert "key idx" in capsys.readouterr().out
    folder.settings("resamples: 100\nid_column: idx\n")
    assert folder.run() == 0
    folder.settings("resamples: 100\nid_column: commit_id\n")
    assert folder.run() == 2
    assert "join: position" in capsys.readouterr().err
