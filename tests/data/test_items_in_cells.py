"""Ranked lists whose items stand in one cell for each query: said by the settings, or asked."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from scoring_program.core.errors import SettingsError, SubmissionError
from scoring_program.reading.formats import read_examples
from scoring_program.reading.formats.kind import FileDescription

#: Content, what is stated beside the separator " ", and query → items.
READ: dict[str, tuple[str, dict[str, object], dict[str, Sequence[str]]]] = {
    "ids and items": ("id,items\nu1,b a\nu2,c\n", {}, {"u1": ("b", "a"), "u2": ("c",)}),
    "the other of two columns": ("user_id,films\nu1,b a\n", {}, {"u1": ("b", "a")}),
    "items alone are named": ("user,items\nu1,b a\n", {}, {"u1": ("b", "a")}),
    "an empty list": ("id,items\nu1,\nu2,c\n", {}, {"u1": (), "u2": ("c",)}),
    "no header": ("u1,b a\nu2,c\n", {"header": False}, {"u1": ("b", "a"), "u2": ("c",)}),
    "a header of unusual names": ("user,films\nu1,b a\n", {"header": True}, {"u1": ("b", "a")}),
    "stated columns": (
        "who,films,age\nu1,b a,7\n", {"columns": {"id": "who", "items": "films"}},
        {"u1": ("b", "a")},
    ),
    "another separator": ("id,items\nu1,b;a\n", {"items": ";"}, {"u1": ("b", "a")}),
    "tabs": ("id\titems\nu1\tb a\n", {}, {"u1": ("b", "a")}),
}  # fmt: skip

REFUSED: dict[str, tuple[str, str]] = {
    "a first line of unusual names": ("user,films\nu1,b a\n", "'header: true' or 'header: false'"),
    "several columns": ("id,films,books\nu1,b a,c\n", "it is not known which columns hold"),
    "an item twice": ("id,items\nu1,b b\n", "line 2: the list holds an item twice"),
}


@pytest.mark.parametrize("name", READ)
def test_lists_in_cells_are_read_as_the_settings_say(name: str) -> None:
    text, stated, of_query = READ[name]
    described = FileDescription(**{"items": " ", **stated})  # type: ignore[arg-type]
    table = read_examples(text.encode(), "p.csv", "ranking", described)
    assert dict(zip(*table.columns, strict=True)) == of_query
    gold = read_examples(text.encode(), "g.csv", "ranking", described, gold=True)
    graded = {query: tuple((item, 1) for item in sorted(of_query[query])) for query in of_query}
    assert dict(zip(*gold.columns, strict=True)) == graded


@pytest.mark.parametrize("name", REFUSED)
def test_lists_in_cells_are_refused_where_nothing_says_what_they_are(name: str) -> None:
    text, why = REFUSED[name]
    with pytest.raises(SubmissionError, match=why):
        read_examples(text.encode(), "p.csv", "ranking", FileDescription(items=" "))


def test_lists_that_nothing_states_are_no_lines_of_a_wrong_width() -> None:
    with pytest.raises(SubmissionError, match=r"say that lists stand in cells: .*items: "):
        read_examples(b"user,items\nu1,b a\nu2,c d\n", "p.csv", "ranking")


def test_items_need_a_measure_of_ranked_lists() -> None:
    with pytest.raises(SettingsError, match="name a measure of ranked lists"):
        read_examples(b"id,items\nu1,b a\n", "g.csv", "rows", FileDescription(items=" "), gold=True)
