"""What columns of other golds than rows mean: tables → decisions. And what contradicts a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from scoring_program.core.errors import ReferenceDataError
from scoring_program.reading.formats.kind import AS_FOUND, ROWS
from scoring_program.reading.table import Table
from scoring_program.recognize.by_names.doubtful_golds import names_are_doubtful
from scoring_program.recognize.by_names.gold_columns import (
    GoldColumns,
    GoldStatements,
    columns_of_gold,
    with_other_answers,
)
from scoring_program.recognize.contradictions import are_labels, is_cut, may_hold, say_how_sure

NOTHING = GoldStatements()


def table(header: str, *rows: str, label: str = "CSV") -> Table:
    columns = [*map(list, zip(*(row.split(",") for row in rows), strict=True))]
    return Table(
        "gold.csv", columns, range(2, 2 + len(rows)), tuple(header.split(",")), label=label
    )


LINES = ("r1,a,7", "r2,b,8", "r3,a,8")


@pytest.mark.parametrize(
    ("header", "statements", "id_column", "answers", "by_cells"),
    [
        ("id,label,age", NOTHING, "id", ("label", "age"), False),
        ("id,age,label", NOTHING, "id", ("label", "age"), False),
        ("name,label,age", NOTHING, "name", ("label", "age"), True),
        ("name,label,age", GoldStatements(id_column="age"), "age", ("label", "name"), False),
        ("id,label,age", GoldStatements(design=("id",)), None, ("label", "id", "age"), False),
        ("id,label,age", GoldStatements(beside=("age",)), "id", ("label",), False),
        ("id,label,age", GoldStatements(design=("age",), group="age"), "id", ("label",), False),
        # Groups that are crossed may be predicted, too.
        (
            "id,label,age",
            GoldStatements(design=("age", "id"), group=("age", "id")),
            None,
            ("label", "id", "age"),
            False,
        ),
        (
            "id,label,age",
            GoldStatements(beside=("age",), scored=frozenset({"age"})),
            "id",
            ("label", "age"),
            False,
        ),
    ],
)
def test_names_say_what_a_gold_holds(
    header: str,
    statements: GoldStatements,
    id_column: str | None,
    answers: tuple[str, ...],
    by_cells: bool,
) -> None:
    columns = columns_of_gold(table(header, *LINES), statements, ROWS)
    assert (columns.id_column, columns.ids_by_cells) == (id_column, by_cells)
    assert columns.answers == answers


@pytest.mark.parametrize(
    ("header", "unnamed"),
    [("id,label,age", "label"), ("id,age,label", "label"), ("id,colour,age", None)],
)
def test_metrics_without_a_column_read_answers_of_a_usual_name(
    header: str, unnamed: str | None
) -> None:
    assert columns_of_gold(table(header, *LINES), NOTHING, ROWS).unnamed_answers == unnamed


def test_the_first_column_of_a_wide_table_is_asked_for() -> None:
    wide = table("team,left,right", "u,a,b", "v,a,c", "w,b,d", "x,c,e")
    with pytest.raises(ReferenceDataError, match="may hold ids, or predictions"):
        columns_of_gold(wide, NOTHING, ROWS, wide=True)


def test_what_the_rule_for_rows_decided_comes_first() -> None:
    decided = GoldColumns("id", ("age",), "age")
    columns = with_other_answers(decided, table("id,label,age", *LINES), NOTHING, ROWS)
    assert (columns.answers, columns.unnamed_answers) == (("age", "label"), "age")
    assert not columns.ids_by_cells


@pytest.mark.parametrize(
    ("header", "rows", "doubtful"),
    [
        ("alpha,beta gamma", ["r1,one two", "r2,three four"], True),
        ("id,beta gamma", ["r1,one two", "r2,three four"], False),
        ("alpha,reference", ["r1,one two", "r2,three four"], False),
        ("alpha,beta", ["r1,7", "r2,8"], False),  # a text above numbers
        ("alpha,beta", ["r1,one", "r2,two", "r3,one"], False),  # above ids and few texts
        ("alpha,beta", ["x,one", "y,two", "z,one"], True),
    ],
)
def test_the_first_line_of_texts_may_be_an_example(
    header: str, rows: Sequence[str], doubtful: bool
) -> None:
    assert names_are_doubtful(table(header, *rows), AS_FOUND) is doubtful
    assert not names_are_doubtful(table(header, *rows, label="JSON"), AS_FOUND)
    assert not names_are_doubtful(table(header, *rows), replace(AS_FOUND, header=True))


def test_a_stated_column_may_be_contradicted_by_its_cells() -> None:
    assert may_hold(["a", "b", "a"], "labels", ["a", "b"])
    assert not may_hold(["a", "a", "a"], "labels", ["a", "b"])
    assert not may_hold(["a", "x", "y"], "labels", ["a", "b"])
    assert may_hold(["1", "2"], "numbers", [])
    assert are_labels(["0", "1", "1"], [])
    assert are_labels(["no", "yes"], [])
    assert not are_labels(["0.1", "0.2", "0.3"], [])
    assert is_cut(["no", "yes", "yes"], [0.1, 0.6, 0.9], "yes")
    assert not is_cut(["yes", "no", "no"], [0.1, 0.6, 0.9], "yes")
    assert not is_cut(["no", "yes", "no"], [0.1, 0.6, 0.9], "yes")


def test_confidences_of_predicted_labels_do_not_tell_the_labels_apart() -> None:
    labels = ["no", "yes", "no", "yes"]
    assert say_how_sure([0.9, 0.8, 0.7, 0.9], labels, ["no", "yes"])
    assert not say_how_sure([0.6, 0.8, 0.5, 0.9], labels, ["no", "yes"])  # a threshold at 0.7
    assert not say_how_sure([0.4, 0.8, 0.7, 0.9], labels, ["no", "yes"])  # below a half
    assert not say_how_sure([0.9, 0.8, 0.7, 0.9], ["no", "yes", "no", "?"], ["no", "yes"])
