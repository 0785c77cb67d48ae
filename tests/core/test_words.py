"""Short texts as numbers behave as the list of the texts does."""

from __future__ import annotations

import csv
import io
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring_program.core import arrays
from scoring_program.core.arrays import MOST_CODED, Unusual, Words, columns_of, places_among, words
from scoring_program.core.cells import are_strings, different_count, hold, taken

TEXTS = st.lists(st.text("\x01ab~", min_size=1, max_size=20), min_size=1, max_size=30)


def as_words(texts: list[str]) -> Words:
    found = words(texts)
    assert found is not None
    return found


@given(TEXTS, st.text("ab~", max_size=20))
def test_words_are_as_their_texts(texts: list[str], other: str) -> None:
    found = as_words(texts)
    assert found == texts == [*found]
    assert hash(found) == hash(tuple(texts))
    assert pickle.loads(pickle.dumps(found)) == found
    assert (found[-1], found[1:], found.index(texts[-1])) == (
        texts[-1], texts[1:], texts.index(texts[-1])
    )  # fmt: skip
    assert (other in found, texts[0] in found, None in found) == (other in texts, True, False)
    assert [texts[row] for row in found.order()] == sorted(texts)
    assert np.array(found).dtype == np.array(texts).dtype
    assert np.array(found).tolist() == texts
    assert found.differ == (len({*texts}) == len(texts))
    assert (different_count(found), are_strings(found)) == (len({*texts}), True)
    assert hold(found, "a") == any("a" in text for text in texts)
    assert taken(found, np.arange(len(texts))[::-1]) == texts[::-1]
    assert found != [*texts, "a"]
    assert (found == as_words([*texts[1:], other or "a"])) == (texts == [*texts[1:], other or "a"])


def test_texts_that_share_a_key_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["long enough 1", "long enough 2", "long enough 1", "another text", "long enough 2"]
    assert as_words(texts).different_count == 3
    monkeypatch.setattr(Words, "_keys", property(lambda texts: np.zeros(len(texts), np.uint64)))
    assert as_words(texts).different_count == 3
    assert not as_words(texts).differ
    assert as_words(texts[1:4]).differ


def test_rows_of_words_that_differ_are_not_sorted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = as_words([f"e{row}" for row in range(9)])
    assert texts.differ
    below = texts[1:]
    monkeypatch.setattr(arrays, "_different_neighbors", None)
    assert below.different_count == 8
    assert below.differ


def test_blocks_of_longer_texts_widen_the_column(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "_BLOCK", 8)
    texts = ["a", "b", "c" * 9, "d", "e" * 30, "f"]
    assert as_words(texts) == texts
    columns = columns_of("".join(f"{text},{text}\n" for text in texts).encode(), ",")
    assert columns is not None
    assert [[*column] for column in columns] == [texts, texts]


def test_long_columns_of_few_texts_are_kept_by_code() -> None:
    few = as_words(["label", *"ab" * 5000])
    many = as_words([f"e{row}" for row in range(5000)])
    short = few[:9]
    kept = arrays.with_few_by_code([few, many, short])
    assert [type(column) for column in kept] == [arrays.Coded, Words, Words]
    assert kept == [[*few], [*many], [*short]]


def test_texts_are_words_up_to_64_letters() -> None:
    assert as_words(["a" * 64, "b"]) == ["a" * 64, "b"]
    assert as_words(["a" * 64, "b"])[1:].numbers.shape == (1, 1)


@pytest.mark.parametrize("odd", ["", "ü", "l" * 65, "a\nb", "a\0", '"a"'])
def test_other_texts_are_no_words(odd: str) -> None:
    for texts in ([odd], ["a", odd], [odd, "a"]):
        assert words(texts) is None
    assert words([]) is None


@pytest.mark.parametrize("most", [1, 70, MOST_CODED, MOST_CODED + 1])
def test_few_different_words_are_kept_by_code(most: int) -> None:
    texts = [f"a{row % most}" for row in range(3 * MOST_CODED)]
    found = as_words(texts).coded()
    assert found == (None if most > MOST_CODED else texts)
    late = ["a"] * 3 * MOST_CODED + ["b"]
    assert as_words(late).coded() == late
    assert as_words(["nine more", "a"]).coded() is None


def test_numbers_that_are_looked_up_must_be_there() -> None:
    known = np.array([5, 3, 2**63], np.uint64)
    found = places_among(known, np.array([3, 2**63, 5, 3], np.uint64))
    assert found is not None
    assert found.tolist() == [1, 2, 0, 1]
    assert places_among(known, np.array([3, 4], np.uint64)) is None


@given(st.sets(st.text("\x01ab~", min_size=1, max_size=20), min_size=1), st.data())
def test_texts_are_found_in_any_order(texts: set[str], data: st.DataObject) -> None:
    known = [*texts]
    asked = data.draw(st.lists(st.sampled_from(known), min_size=1))
    places = as_words(known).places_of(as_words(asked))
    assert [known[place] for place in places] == asked
    for other in ("b" * 30, "c"):
        with pytest.raises(Unusual):
            as_words(known).places_of(as_words([*asked, other]))


@given(st.lists(st.tuples(st.text("ab", min_size=1), st.booleans()), min_size=1))
def test_quotes_around_cells_are_left_out(column: list[tuple[str, bool]]) -> None:
    lines = "".join(f'"{cell}"\n' if quoted else f"{cell}\n" for cell, quoted in column)
    cells = [cell for cell, _ in column]
    found = columns_of(lines.encode(), ",")
    assert found is not None
    assert found[0] == cells


@given(st.lists(st.sampled_from(["a", "b", ",", '"', '",', ',"', '"\n"', "\n"]), min_size=1))
def test_quotes_elsewhere_are_left_to_the_csv_module(parts: list[str]) -> None:
    lines = "".join([*parts, "\n"])
    found = columns_of(lines.encode(), ",")
    rows = csv.reader(io.StringIO(lines, newline=""))
    assert found is None or found == [[*column] for column in zip(*rows, strict=True)]


@given(
    st.lists(st.lists(st.text("ab,", max_size=10), min_size=1, max_size=3), min_size=1),
    st.integers(1, 40),
)
def test_columns_are_words_if_all_lines_have_as_many_cells(
    rows: list[list[str]], block: int
) -> None:
    """Whatever the number of letters that are looked at at once."""
    lines = "".join(",".join(row) + "\n" for row in rows)
    cells = [line.split(",") for line in lines.split("\n")[:-1]]
    are_plain = len({*map(len, cells)}) == 1 and all(map(all, cells))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrays, "_BLOCK", block)
        found = columns_of(lines.encode(), ",")
    assert found == ([[*column] for column in zip(*cells, strict=True)] if are_plain else None)
