"""JSON of other programs: what Python's reader lets pass, or stumbles over, is read by one rule."""

from __future__ import annotations

import math

import pytest

from scoring_program.core.json_text import read


@pytest.mark.parametrize("digits", [309, 310, 400, 5000])
def test_a_whole_number_too_large_for_a_float_is_infinite(digits: int) -> None:
    assert read(f"[{'9' * digits}, -{'9' * digits}]").content == [math.inf, -math.inf]
    assert read("[1e400, 12, -0.5]").content == [math.inf, 12, -0.5]


def test_the_largest_whole_number_of_a_float_is_whole() -> None:
    largest = int(1.7976931348623157e308)
    (content, negative), _ = read(f"[{largest}, -{largest}]")
    assert content == largest
    assert negative == -largest
    assert isinstance(content, int)


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_json_is_read_only_where_programs_write_it(constant: str) -> None:
    with pytest.raises(ValueError, match=f"{constant} is no JSON"):
        read(f'{{"a": {constant}}}')
    assert repr(read(constant, not_a_number=True).content) == repr(float(constant))


def test_a_key_that_stands_twice_is_known() -> None:
    assert read('{"a": {"b": 1}, "c": [{"b": 1}]}').repeated is None
    assert read('{"a": {"b": 1, "b": 1}, "a": 2}').repeated == "b"
    assert read(b'[{"a": 1, "\\u0061": 2}]').repeated == "a"
