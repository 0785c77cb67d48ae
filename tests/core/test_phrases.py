"""A phrase is its English text, and remembers what it is made of."""

from __future__ import annotations

import copy
import json
import pickle
from gettext import NullTranslations

import pytest

from scoring_program.core.phrases import ENGLISH, Language, Phrase, counted, joined, verbatim


class Spanish(NullTranslations):
    """What a catalog of two sentences says."""

    def gettext(self, message: str) -> str:
        return {"{file}: {rows} found": "{file}: se encontraron {rows}"}.get(message, message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        row = {"row": "fila", "wide cell": one}.get(one)
        return super().ngettext(row or one, f"{row}s" if row == "fila" else many, n)


SPANISH = Language("es", Spanish())
ROW = Phrase("row", "rows")


def test_a_phrase_is_its_english_text() -> None:
    phrase = Phrase("{file}: {rows} found", file="a{b}.csv", rows=counted(2, ROW))
    assert phrase == "a{b}.csv: 2 rows found"
    assert json.dumps({"reason": phrase}) == '{"reason": "a{b}.csv: 2 rows found"}'
    assert SPANISH.say(phrase) == "a{b}.csv: se encontraron 2 filas"


@pytest.mark.parametrize(("count", "noun"), [(0, "rows"), (1, "row"), (2, "rows")])
def test_a_noun_has_the_number_of_its_count(count: int, noun: str) -> None:
    assert ROW.with_values(count=count) == noun
    assert counted(count, ROW) == f"{count} {noun}"


def test_what_a_language_lacks_stays_english() -> None:
    wide = Phrase("{rows} too wide, {what}", rows=counted(1, ROW), what="{a}")
    assert SPANISH.say(wide) == "1 fila too wide, {a}"
    assert SPANISH.say(counted(2, Phrase("wide cell", "wide cells"))) == "2 wide cells"


def test_texts_one_after_the_other() -> None:
    lines = joined([Phrase("{file}: {rows} found", file="a", rows=ROW.with_values(count=2)), "{b}"])
    assert lines == "a: rows found\n{b}"
    assert SPANISH.say(lines) == "a: se encontraron filas\n{b}"
    assert joined("abc", "; ") == "a; b; c"


def test_a_text_of_others_is_the_same_in_every_language() -> None:
    assert SPANISH.say(verbatim("row {x}")) == "row {x}"
    assert verbatim(ROW) is ROW


def test_copies_remember_it_too() -> None:
    phrase = Phrase("{file}: {rows} found", file="a", rows=counted(2, ROW))
    for other in (pickle.loads(pickle.dumps(phrase)), copy.deepcopy(phrase)):
        assert other == phrase
        assert SPANISH.say(other) == "a: se encontraron 2 filas"


def test_numbers_have_the_signs_of_the_language_where_the_sentence_asks_for_it() -> None:
    assert Phrase("{n:n} of {n}, {name:n}", n=1234, name="a") == "1,234 of 1234, a"
    assert Phrase("{n:n}", n=0.05) == "0.05"


def test_long_lists_are_cut() -> None:
    assert Phrase("{names}.", names=("a", "b")) == "a, b."
    names = tuple(f"{{count}} {number}" for number in range(12))
    assert Phrase("{names}", names=names).endswith(" 8, {count} 9, … and 2 more")


def test_other_names() -> None:
    phrase = Phrase("{pairs}", pairs=(Phrase("{first} and {last}", first="a", last="b"), "b"))
    assert phrase.renamed({"b": "c"}) == "a and c, c"


def test_a_sentence_is_found_in_a_phrase() -> None:
    phrase = Phrase("{file}: {what}", file="a", what=Phrase("{n} found", n=1))
    assert phrase.is_made_of("{n} found")
    assert not phrase.is_made_of("a")


def test_examples_have_the_name_of_their_kind() -> None:
    phrase = Phrase("{Things}: the {thing} of {n:n} {things}", n=2)
    assert phrase == "Examples: the example of 2 examples"
    assert Language(kind="ranking").say(phrase) == "Queries: the query of 2 queries"
    assert Language(kind="of a plugin").say(phrase) == phrase
    assert ENGLISH.examples("tags", 184, "document", 30) == "30 documents, 184 sentences"
    said = ENGLISH.examples("tags", 184, "document", 30, in_sentence=True)
    assert said == "30 documents (184 sentences)"
    assert ENGLISH.examples("tags", 184, "user", 30) == "184 sentences"


def test_an_empty_text_is_empty() -> None:
    assert ENGLISH.say("") == Phrase("") == ""
