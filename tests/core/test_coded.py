"""Columns by code behave as the lists of their values do."""

from __future__ import annotations

import numpy as np
import pytest

from scoring_program.core.arrays import MOST_CODED, Coded, coded
from scoring_program.core.cells import are_strings, different, different_count, hold, taken

COLUMNS = {
    "integers": np.array([3, -1, 3, 7, -1]),
    "far apart": np.array([10**12, -(10**12), 0, 10**12]),
    "flags": np.array([True, False, True]),
    "bytes": np.array([200, 0, 255], np.uint8),
    "texts": np.array(["pos", "", "neg", "pos"]),
    "more texts than are compared": np.array([f"label {i % 40}" for i in range(100)]),
    "texts that appear late": np.array(["a"] * 2 * MOST_CODED + ["b", "ü", "a"]),
}


@pytest.mark.parametrize("values", COLUMNS.values(), ids=COLUMNS)
def test_a_column_by_code_equals_its_list(values: np.ndarray) -> None:
    found, listed = coded(values), values.tolist()
    assert found is not None
    assert found == listed
    assert [*found] == listed
    assert found[1:] == listed[1:]
    assert found[-1] == listed[-1]
    assert different(found) == {*listed}
    assert (listed[0] in found, "nothing" in found) == (True, False)
    assert np.array(found).tolist() == listed
    assert np.array(found).dtype == np.array(listed).dtype
    assert found.order().tolist() == sorted(range(len(listed)), key=listed.__getitem__)
    rows = np.arange(len(listed))[::-2]
    assert taken(found, rows) == [listed[row] for row in rows]
    texts = found.map(str)
    assert texts.lines() == "\n".join(map(str, listed)).encode()


@pytest.mark.parametrize(
    "values",
    [
        np.array([], np.int64),
        np.arange(MOST_CODED + 1) * 1000,
        np.array([f"{i}" for i in range(300)]),
    ],
)
def test_a_column_of_too_many_values_has_no_codes(values: np.ndarray) -> None:
    assert coded(values) is None


def test_values_are_numbered_again_in_their_order() -> None:
    codes = np.array([3, 1, 1, 3], np.uint8)
    found = Coded(codes, ["label", "b", "c", "a"]).in_order()
    assert found == ["a", "b", "b", "a"]
    assert (found.values, found.codes.tolist()) == (["a", "b"], [0, 1, 1, 0])


def test_many_rows_are_those_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = np.arange(7, dtype=np.uint8) % 3
    found = Coded(codes, ["a", "bb", "c", "d"])
    monkeypatch.setattr("scoring_program.core.arrays._CHUNK", 2)
    assert found.times.tolist() == [3, 2, 2, 0]
    assert np.array(found).tolist() == [*found]


def test_only_values_that_occur_count() -> None:
    found = Coded(np.array([0, 2], np.uint8), ["a", "a very long value", "b"])
    assert different(found) == {"a", "b"}
    assert np.array(found).dtype == np.dtype("<U1")
    assert found.lines() == b"a\nb"
    assert found != ["a", "c"]
    assert (different_count(found), are_strings(found)) == (2, True)
    assert (hold(found, "b"), hold(found, " ")) == (True, False)
    assert not are_strings(Coded(np.array([0], np.uint8), [1]))


def test_rows_are_taken_as_from_lists() -> None:
    assert [*taken(range(5, 20, 3), [4, 0])] == [17, 5]
    assert taken(["a", "b"], np.array([1, 1, 0])) == ["b", "b", "a"]
    assert [*taken(range(3), [])] == []


def test_no_rows_of_a_column_by_code() -> None:
    assert np.array(Coded(np.array([], np.uint8), ["a", "b"])).tolist() == []


@pytest.mark.parametrize("values", [range(9), range(3, 900), range(0, 20, 2), range(0)])
def test_rows_of_a_range(values: range) -> None:
    for rows in (np.arange(len(values))[::-1], np.arange(min(len(values), 200), dtype=np.uint8)):
        assert [*taken(values, rows)] == [values[row] for row in rows]
