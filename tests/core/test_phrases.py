"""A phrase is its English text, and remembers what it is made of."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from scoring_program.core.notes import Note, tell, translated
from scoring_program.core.phrases import Phrase, counted, joined, of_count, verbatim

SPANISH = {
    "plurals": {"one": "n == 1"},
    "reasons": {
        "row(s)": {"one": "fila", "other": "filas"},
        "{file}: {rows} found": "{file}: se encontraron {rows}",
    },
}


def test_a_phrase_is_its_english_text() -> None:
    phrase = Phrase("{file}: {rows} found", file="a{b}.csv", rows=counted(2, "row(s)"))
    assert phrase == "a{b}.csv: 2 rows found"
    assert json.dumps({"reason": phrase}) == '{"reason": "a{b}.csv: 2 rows found"}'
    assert translated(phrase, SPANISH) == "a{b}.csv: se encontraron 2 filas"
    assert translated("row(s)", SPANISH) == "row(s)"


@pytest.mark.parametrize(("count", "noun"), [(0, "rows"), (1, "row"), (2, "rows")])
def test_a_noun_has_the_number_of_its_count(count: int, noun: str) -> None:
    assert of_count(count, "row(s)") == noun
    assert of_count(count, Phrase("row(s)", count=1)) == noun
    assert counted(count, "row(s)") == f"{count} {noun}"


def test_what_a_language_lacks_stays_english() -> None:
    wide = Phrase("{rows} too wide, {what}", rows=counted(1, "row(s)"), what="{a}")
    assert translated(wide, SPANISH) == "1 fila too wide, {a}"
    assert translated(counted(2, "wide cell(s)"), SPANISH) == "2 wide cells"


def test_texts_one_after_the_other() -> None:
    lines = joined(
        [Phrase("{file}: {rows} found", file="a", rows=Phrase("row(s)", count=2)), "{b}"]
    )
    assert lines == "a: rows found\n{b}"
    assert translated(lines, SPANISH) == "a: se encontraron filas\n{b}"
    assert joined("abc", "; ") == "a; b; c"


def test_a_text_of_others_is_the_same_in_every_language() -> None:
    assert translated(verbatim("row(s) {x}"), SPANISH) == "row(s) {x}"
    row = Phrase("row(s)", count=1)
    assert verbatim(row) is row


def test_copies_remember_it_too() -> None:
    phrase = Phrase("{file}: {rows} found", file="a", rows=counted(2, "row(s)"))
    for other in (pickle.loads(pickle.dumps(phrase)), copy.deepcopy(phrase)):
        assert other == phrase
        assert translated(other, SPANISH) == "a: se encontraron 2 filas"


def test_a_note_tells_a_phrase_in_its_language() -> None:
    note = Note("first", {"place": counted(2, "row(s)"), "name": "row(s)"})
    assert tell(note, {**SPANISH, "first": "{name}: {place}"}, str) == "row(s): 2 filas"
