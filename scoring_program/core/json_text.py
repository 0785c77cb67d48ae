"""JSON as other programs write it, read without what Python would let pass or stumble over."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

#: More digits make an infinite number anyway, and Python refuses to read thousands of them.
_MOST_DIGITS = sys.float_info.max_10_exp + 2


class JsonContent(NamedTuple):
    """What a JSON text holds, and the first key that an object in it has twice, if any does."""

    content: Any
    repeated: str | None


def read(text: str | bytes, *, not_a_number: bool = False) -> JsonContent:
    """Read a JSON text. A whole number too large for a float is infinite, as 1e400 is.

    NaN and Infinity, which JSON lacks and Python writes, are read only where ``not_a_number``.

    Raises
    ------
    ValueError
        The text is no JSON.
    RecursionError
        Its values are nested too deeply.
    """
    repeated: list[str] = []

    def as_object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            names = [name for name, _ in pairs]
            repeated.extend(name for name in members if names.count(name) > 1)
        return members

    content = json.loads(
        text,
        parse_int=_whole_number,
        parse_constant=float if not_a_number else _refused,
        object_pairs_hook=as_object,
    )
    return JsonContent(content, repeated[0] if repeated else None)


def _whole_number(digits: str) -> int | float:
    if len(digits) <= _MOST_DIGITS:
        number = int(digits)
        if abs(number) <= sys.float_info.max:
            return number
    return -math.inf if digits.startswith("-") else math.inf


def _refused(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON")
