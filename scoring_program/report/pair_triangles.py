"""All pairs of a metric for results.json: an object each or, of many entries, compact triangles.

The triangles hold what nothing beside them tells, with the digits that carry information. With 300
entries there are 44,850 pairs; objects with all digits would take twenty times the space of
everything else.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, repeat
from typing import Any

import numpy as np

from ..core.arrays import Floats
from ..inference.evidence import CORRECTIONS, Evidence, Pairs

#: Above this many entries, the pairs are written as triangles.
_MOST_ENTRIES_OF_OBJECTS = 100
#: Digits that triangles keep of a standard error, and at least of a p-value.
_DIGITS = 3
#: Decimals of what has no standard error.
_ALL_DECIMALS = 12
#: Family → corrections that triangles keep. The others of a family follow from the p-values.
_KEPT = {"leader": CORRECTIONS, "row": ("holm",), "all": ("holm",)}

#: Row k holds the pairs of the entry in place k of the ranking with those in place k + 1, k + 2, …
Triangle = Sequence[Sequence[float | None]]


def pairs_of(evidence: Evidence, pairs: Pairs) -> Any:
    """Return the pairs: objects one at a time or, of many entries, a mapping of triangles.

    ``better`` and ``worse`` of the mapping name the entries of the triangles' rows and columns.
    Row k starts at column k, and goes on with its last value where it ends early. Sizes have three
    digits of the standard error of their pair. P-values have a decimal more than tell the counts of
    resamples apart, and three digits at least.
    """
    if len(evidence.names) > _MOST_ENTRIES_OF_OBJECTS:
        return _triangles(evidence, pairs)
    columns = {
        "better": [evidence.names[i] for i in pairs.better],
        "worse": [evidence.names[i] for i in pairs.worse],
        "difference": pairs.observed,
        "standard_error": pairs.standard_error,
        "resolution": pairs.resolution,
        "ci": np.stack([pairs.low, pairs.high], axis=1),
        "p_one_sided": pairs.p_one_sided,
        "p_adjusted": _adjusted(pairs, dict.fromkeys(pairs.p_adjusted, CORRECTIONS)),
        "p_max_t": pairs.p_max_t,
    }
    return (_at(columns, number) for number in range(pairs.better.size))


def values_of(triangle: Triangle, rows: int) -> Iterator[float | None]:
    """Yield the values of all pairs, row by row, of a triangle with as many ``rows`` in full."""
    for number, row in enumerate(islice(chain(triangle, repeat((None,))), rows)):
        yield from row
        yield from repeat(row[-1], rows - number - len(row))


def _at(columns: Mapping[str, Any], number: int) -> dict[str, Any]:
    return {
        key: _at(value, number) if isinstance(value, Mapping) else value[number]
        for key, value in columns.items()
    }


def _adjusted(pairs: Pairs, kept: Mapping[str, Iterable[str]]) -> dict[str, dict[str, Floats]]:
    """Return family → correction → p-values [k] of those that are ``kept``."""
    found = pairs.p_adjusted
    return {
        family: {name: found[family][name] for name in names if name in found[family]}
        for family, names in kept.items()
        if family in found
    }


def _triangles(evidence: Evidence, pairs: Pairs) -> dict[str, Any]:
    named = [evidence.names[i] for i in evidence.scores.order]
    decimals = _decimals_of_leading(pairs.standard_error, _DIGITS)
    p_decimals = len(str(evidence.resamples + 1)) + 1

    def p_values(values: Floats) -> Triangle:
        return _triangle(values, np.maximum(p_decimals, _decimals_of_leading(values, _DIGITS)))

    return {
        "better": named[:-1],
        "worse": named[1:],
        "difference": _triangle(pairs.observed, decimals),
        "ci": [_triangle(end, decimals) for end in (pairs.low, pairs.high)],
        "p_one_sided": p_values(pairs.p_one_sided),
        "p_adjusted": {
            family: {name: p_values(values) for name, values in corrections.items()}
            for family, corrections in _adjusted(pairs, _KEPT).items()
        },
        "p_max_t": p_values(pairs.p_max_t),
    }


def _triangle(values: Floats, decimals: Floats) -> Triangle:
    """Return values [k] with their decimals [k] as rows without the end that repeats its value."""
    rounded = iter(_rounded(values, decimals))
    rows = (math.isqrt(8 * len(values) + 1) - 1) // 2
    triangle = [list(islice(rounded, rows - number)) for number in range(rows)]
    for row in triangle:
        while row[-2:-1] == row[-1:]:
            row.pop()
    while triangle and triangle[-1] == [None]:
        triangle.pop()
    return triangle


def _decimals_of_leading(values: Floats, digits: int) -> Floats:
    """Return how many decimals show the leading ``digits`` of each value [k], negative of large."""
    usable = np.isfinite(values) & (values > 0)
    decimals = digits - 1 - np.floor(np.log10(np.where(usable, values, 1.0)))
    return np.where(usable, decimals, _ALL_DECIMALS)


def _rounded(values: Floats, decimals: Floats) -> list[float | None]:
    """Return values [k] with their decimals [k]; a whole number has no point, nan is None."""
    return [
        _short(round(value, int(places))) if math.isfinite(value) else None
        for value, places in zip(values.tolist(), decimals.tolist(), strict=True)
    ]


def _short(value: float) -> float:
    return int(value) if value.is_integer() else value
