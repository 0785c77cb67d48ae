"""What is read quickly is what is read with care; whatever is unusual is left to that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring_program.alignment import entry
from scoring_program.alignment.expected import Expected, Target
from scoring_program.alignment.quick import QuickReader
from scoring_program.core.cells import Label
from scoring_program.core.errors import SubmissionError
from scoring_program.reading.formats import read_table

N = 40
IDS = tuple(f"x{(7 * k) % N}" for k in range(N))  # in the order of the examples
ROWS = [(11 * k) % N for k in range(N)]  # place of every example in the file
TEXTS = ("a", "favor", "no")
NUMBERS = (-1, 0, 1, 12)


def expected(labels: tuple[Label, ...] = TEXTS) -> Expected:
    return Expected(ROWS, N, IDS, {Target("label", "labels"): labels})


def lines(labels: tuple[Label, ...] = TEXTS) -> list[str]:
    """Return the lines of a usual file."""
    ids = dict(zip(ROWS, IDS, strict=True))
    return [f"{ids[row]},{labels[row * row % 7 % len(labels)]}" for row in range(N)]


def with_care(content: bytes, asked: Expected) -> entry.Entry | None:
    """Return the entry that the usual way gives; None if the file is unusable."""
    try:
        return entry.align(read_table(content, "p.csv"), "A", asked, {}, "")
    except SubmissionError:
        return None


def same(content: bytes, asked: Expected) -> bool:
    """Whether a file was read quickly; assert that it was then read as with care."""
    reader = QuickReader.of(asked)
    found = None if reader is None else reader.read(content, "p.csv")
    if found is None:
        return False
    careful = with_care(content, asked)
    assert careful is not None
    ((_, predictions),) = careful.predictions.items()
    assert found[0].dtype == predictions.dtype
    assert np.array_equal(found[0], predictions)
    assert found[1] == careful.notes
    return True


@pytest.mark.parametrize("header", ["id,label", "ID,prediction", "index,y", "id,whatever"])
@pytest.mark.parametrize("labels", [TEXTS, NUMBERS, ("longer", "x"), (0, 1)])
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_usual_files_are_read_quickly(header: str, labels: tuple[Label, ...], end: str) -> None:
    content = (end or "\n").join([header, *lines(labels)]) + end
    assert same(content.encode(), expected(labels))


def test_only_labels_that_are_predicted_say_how_long_texts_are() -> None:
    content = "\n".join(["id,label", *(line.replace("favor", "no") for line in lines())])
    assert same(content.encode(), expected())


UNUSUAL: dict[str, Callable[[list[str]], list[str]]] = {
    "another order": lambda rows: [rows[0], *reversed(rows[1:])],
    "a row less": lambda rows: rows[:-1],
    "a row more": lambda rows: [*rows, rows[-1]],
    "a blank line": lambda rows: [*rows[:5], "", *rows[5:]],
    "no header": lambda rows: rows[1:],
    "a header that is an id": lambda rows: ["x3,label", *rows[1:]],
    "a header that is a label": lambda rows: ["id,favor", *rows[1:]],
    "columns exchanged": lambda rows: [",".join(reversed(row.split(","))) for row in rows],
    "a third column": lambda rows: [f"{row},1" for row in rows],
    "a third cell": lambda rows: [*rows[:9], f"{rows[9]},1", *rows[10:]],
    "one cell": lambda rows: [*rows[:9], rows[9].partition(",")[0], *rows[10:]],
    "cells that make up for each other": lambda rows: [
        *rows[:9], rows[9].replace(",", ""), f"{rows[10]},a", *rows[11:]
    ],
    "quotes": lambda rows: [f'"{row.replace(",", chr(34) + "," + chr(34))}"' for row in rows],
    "spaces": lambda rows: [row.replace(",", ", ") for row in rows],
    "another label": lambda rows: [*rows[:9], "x9,b", *rows[10:]],
    "no label": lambda rows: [*rows[:9], rows[9].partition(",")[0] + ",", *rows[10:]],
    "an id of another test set": lambda rows: [*rows[:9], "y" + rows[9][1:], *rows[10:]],
    "an accent": lambda rows: [*rows[:9], rows[9] + "\u0301", *rows[10:]],
    "a delimiter line": lambda rows: ["sep=,", *rows],
    "a byte-order mark": lambda rows: ["\ufeff" + rows[0], *rows[1:]],
    "one line that ends differently": lambda rows: [*rows[:9], rows[9] + "\r", *rows[10:]],
    "semicolons": lambda rows: [row.replace(",", ";") for row in rows],
}  # fmt: skip


@pytest.mark.parametrize("spoil", UNUSUAL.values(), ids=UNUSUAL)
def test_what_is_unusual_is_read_with_care(spoil: Callable[[list[str]], list[str]]) -> None:
    content = "\n".join([*spoil(["id,label", *lines()]), ""])
    assert not same(content.encode(), expected())


@pytest.mark.parametrize("spelled", ["1.0", "True", "+1", "01"])
def test_other_spellings_are_read_with_care(spelled: str) -> None:
    rows = [row.replace(",1", f",{spelled}") for row in lines((0, 1))]
    assert not same("\n".join(["id,label", *rows]).encode(), expected((0, 1)))


def test_other_test_sets_are_read_with_care() -> None:
    usual = expected()
    targets = {Target("label", "numbers"): ()}
    for other in (
        replace(usual, ids=None),
        replace(usual, total=N + 1),
        replace(usual, keep_columns=True),
        replace(usual, targets=targets),
        replace(usual, ids=(*IDS[1:], "a,b")),
        replace(usual, ids=(*IDS[1:], "a\nb")),
        expected(("a", "longer than a word")),
    ):
        assert QuickReader.of(other) is None


@settings(deadline=None)
@given(st.data())
def test_whatever_is_changed_nothing_is_read_differently(data: st.DataObject) -> None:
    content = bytearray("\n".join(["id,label", *lines(), ""]).encode())
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.integers(0, len(content) - 1))
        piece = data.draw(
            st.sampled_from([b"", b",", b"\n", b"a", b"x1", b'"', b"\r\n", b" ", b"\0"])
        )
        content[place : place + data.draw(st.integers(0, 2))] = piece
    same(bytes(content), expected())
