"""Products of counts and columns: those of a plain product, however many columns there are."""

from __future__ import annotations

import numpy as np
import pytest

from scoring_program.metrics.sums import BLOCK, Product, smallest


def indicators(n: int, classes: int, entries: int) -> list[np.ndarray]:
    """Return what a macro average of classes counts, of a gold that is sorted by class."""
    rng = np.random.default_rng(n)
    gold = np.sort(rng.integers(0, classes, n))
    columns = []
    for _ in range(entries):
        found = np.where(rng.random(n) < 0.7, gold, rng.integers(0, classes, n))
        for label in range(classes):
            true, predicted = gold == label, found == label
            columns += [true, predicted, true & predicted]
    return columns


@pytest.mark.parametrize("n", [200, 3 * BLOCK])
def test_sums_are_those_of_a_plain_product(n: int) -> None:
    rng = np.random.default_rng(1)
    whole, real = rng.integers(-9, 9, n), rng.normal(size=n)
    nothing = np.zeros(n, np.bool_)
    signless, signed = np.zeros(n), np.full(n, -0.0)
    columns = [*indicators(n, 30, 3), nothing, whole, real, real.copy(), signless, signed]
    counts = rng.multinomial(n, np.full(n, 1 / n), size=20).astype(np.uint8)
    found = Product(columns)(counts)
    expected = np.array([counts.astype(np.float64) @ column for column in columns])
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-9)
    np.testing.assert_array_equal(found[:-5], expected[:-5])  # sums of integers are exact
    np.testing.assert_array_equal(found[-4], found[-3])
    np.testing.assert_array_equal(found[-2], found[-1])


@pytest.mark.parametrize("most", [20, 9000])  # their draws pack two sums into one number, or not
def test_rows_may_be_drawn_more_often_than_a_byte_holds(most: int) -> None:
    rng = np.random.default_rng(2)
    columns = [*indicators(150, 10, 3), rng.integers(-9, 9, 150)]
    counts = rng.integers(0, most, (20, 150)).astype(np.uint16)
    counts[:, 0] = 300
    expected = np.array([counts.astype(np.int64) @ column for column in columns])
    np.testing.assert_array_equal(Product(columns)(counts), expected)


@pytest.mark.parametrize(
    ("numbers", "kept"),
    [
        ([0.0, 1.0], "bool"),
        ([0.0, 2.0], "int8"),
        ([127.0, -128.0], "int16"),
        ([2.0**31 - 1, 0.0], "int32"),
        ([2.0**31, 0.0], "float64"),
        ([0.5, 1.0], "float64"),
    ],
)
def test_numbers_are_held_in_little_memory_and_exactly(numbers: list[float], kept: str) -> None:
    found = smallest(np.array(numbers))
    assert (found.dtype.name, found.tolist()) == (kept, numbers)


def test_columns_of_zeros_sum_to_zero() -> None:
    counts = np.ones((3, 2 * BLOCK), np.uint8)
    columns = [np.zeros(2 * BLOCK, np.bool_), np.arange(2 * BLOCK) < 5]
    assert Product(columns)(counts).tolist() == [[0] * 3, [5] * 3]
    assert Product(columns[:1])(counts).tolist() == [[0] * 3]


def test_hundreds_of_classes_are_not_compared_pair_by_pair(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Many of their columns hold as many ones, without being equal."""
    columns = indicators(400, 300, 4)
    compared = []
    plain = np.array_equal

    def array_equal(first: np.ndarray, second: np.ndarray) -> bool:
        compared.append(1)
        return plain(first, second)

    monkeypatch.setattr(np, "array_equal", array_equal)
    Product(columns)
    assert 0 < len(compared) < len(columns)
