"""Cells of many lines at once, beside Python's own splitting and numbers."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from scoring_program.reading.formats import cells_of_lines
from scoring_program.reading.formats.cells_of_lines import CellsOfLines, equal_to_next, split

NUMBERS = ["0", "-0", "7", "-12.5", ".5", "3.", "007", "123456789012345", "-0.00000000000001"]
LONG = "x" * 40


def lines(n: int, seed: int = 0, foreign: Sequence[str] = ()) -> list[list[str]]:
    draw = random.Random(seed)
    words = ["a", "ab", "abc", "q-1", LONG, *foreign]
    rows = []
    for _ in range(n):
        number = draw.choice([*NUMBERS, f"{draw.uniform(-1e6, 1e6):.{draw.randrange(9)}f}"])
        rows.append([draw.choice(words), draw.choice(words[:4]), number, str(draw.randrange(999))])
    return rows


def text_of(rows: list[list[str]], seed: int = 0) -> str:
    draw = random.Random(seed)
    blanks = [" ", "\t", "  ", " \t"]
    parted = []
    for row in rows:
        start = draw.choice(["", " "])
        parted.append(start + "".join(cell + draw.choice(blanks) for cell in row))
    return "\n".join(parted) + "\n"


def cells_of(text: str, width: int) -> CellsOfLines:
    cells = CellsOfLines.from_text(text, width)
    assert cells is not None
    return cells


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("foreign", [(), ("é", "文書7", "\U0001f600")])
def test_cells_are_those_of_split(seed: int, foreign: Sequence[str]) -> None:
    rows = lines(200, seed, foreign)
    cells = cells_of(text_of(rows, seed), 4)
    assert len(cells) == 200
    for column in range(4):
        texts = [row[column] for row in rows]
        assert cells.texts(column) == texts
        assert cells.texts(column, slice(7)) == texts[:7]
        before = [None, *texts]
        changed = [row for row, cell in enumerate(texts) if cell != before[row]]
        assert cells.changes(column).tolist() == changed
    for column in (2, 3):
        numbers = cells.numbers(column)
        assert numbers is not None
        expected = np.array([float(row[column]) for row in rows])
        assert numbers.tobytes() == expected.tobytes()  # to the last bit, and the sign of zero
    assert cells.numbers(3, whole=True) == pytest.approx([int(row[3]) for row in rows])
    assert cells.numbers(2, whole=True) is None


@pytest.mark.parametrize(
    "cell",
    ["", "-", ".", "1e3", "1_0", "+1", "1-", "--1", "1.2.3", "nan", "1234567890123456", LONG],
)
def test_other_numbers_are_left_to_python(cell: str) -> None:
    rows = [["a", "1"], ["b", cell or "x"]]
    assert cells_of(text_of(rows), 2).numbers(1) is None


@pytest.mark.parametrize(
    "text",
    [
        "a b\nc\n",
        "a b c\nd e\n",
        "a b c\nd\n",  # as many cells as two lines of two have
        "a b\n\nc d\n",
        "a é x\nc d\n",
        "a é\x85b\nc d\n",
        "a\x0bb\nc d\n",
        "a b\x00\nc d\n",
        "a\u3000b\nc d\n",
    ],
)
def test_lines_of_another_width_and_odd_letters_are_refused(text: str) -> None:
    assert CellsOfLines.from_text(text, 2) is None


@pytest.mark.parametrize("size", [1, 50, 10_000])
def test_parts_hold_whole_lines(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells_of_lines, "_CHUNK", size)
    rows = lines(60)
    text = text_of(rows)
    words: list[str] = []
    for cells in split(text, 4):
        assert cells is not None
        words += cells.texts(0)
    assert words == [row[0] for row in rows]
    *_, last = split(text + "a b\n", 4)
    assert last is None


@pytest.mark.parametrize("rising", [False, True])
def test_equal_neighbors_are_those_of_their_stretch(rising: bool) -> None:
    # Stretches of 2, 4 and 1; equal numbers on both sides of a boundary are no neighbors.
    numbers = np.array([3, 2, 2, 1, 1, 0, 0], np.float32)
    starts = [0, 2, 6]
    assert equal_to_next(-numbers if rising else numbers, starts, rising=rising) == [3]
    assert equal_to_next(numbers if rising else -numbers, starts, rising=rising) is None
    assert equal_to_next(numbers[:1], [0], rising=rising) == []
