"""All pairs of a metric for results.json: an object each or, of many entries, compact columns.

Columns keep the digits that carry information. With 300 entries there are 44,850 pairs; rows with
all digits would take ten times the space of everything else.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..core.arrays import Floats
from ..inference.analysis import CORRECTIONS, MetricAnalysis

#: Above this many entries, the pairs are written column by column.
_MOST_ENTRIES_OF_ROWS = 100
#: Digits that columns keep of a standard error, of the ratio of two, and at least of a p-value.
_DIGITS = 3
#: Decimals of what has no standard error.
_ALL_DECIMALS = 12


def pairs_of(analysis: MetricAnalysis) -> Any:
    """Return the pairs: objects one at a time or, of many entries, a mapping of columns.

    Columns name an entry by its place in the ranking, from 0, and end with the last value that
    exists. Sizes have three digits of the standard error of their pair. P-values have a decimal
    more than tell the counts of resamples apart, and three digits at least.
    """
    pairs = analysis.pairs
    everything = {
        "better": [analysis.names[i] for i in pairs.better],
        "worse": [analysis.names[i] for i in pairs.worse],
        "difference": pairs.observed,
        "standard_error": pairs.standard_error,
        "resolution": pairs.resolution,
        "ci": np.stack([pairs.low, pairs.high], axis=1),
        "p_one_sided": pairs.p_one_sided,
        "p_adjusted": {
            family: {name: adjusted[name] for name in CORRECTIONS if name in adjusted}
            for family, adjusted in pairs.p_adjusted.items()
        },
        "p_max_t": pairs.p_max_t,
    }
    if len(analysis.names) > _MOST_ENTRIES_OF_ROWS:
        return _compact(analysis, everything)
    return (_at(everything, number) for number in range(pairs.better.size))


def _at(columns: Mapping[str, Any], number: int) -> dict[str, Any]:
    return {
        key: _at(value, number) if isinstance(value, Mapping) else value[number]
        for key, value in columns.items()
    }


def _compact(analysis: MetricAnalysis, columns: Mapping[str, Any]) -> dict[str, Any]:
    pairs, place = analysis.pairs, np.argsort(analysis.order)
    error, p_decimals = pairs.standard_error, len(str(analysis.resamples + 1)) + 1
    decimals = _decimals_of_leading(error, _DIGITS)
    low, high = (_rounded(end, decimals) for end in (pairs.low, pairs.high))

    def p_values(values: Any) -> Any:
        if isinstance(values, Mapping):
            return {key: p_values(inner) for key, inner in values.items()}
        places = np.maximum(p_decimals, _decimals_of_leading(values, _DIGITS))
        return _without_tail(_rounded(values, places))

    return {
        **columns,
        "better": place[pairs.better],
        "worse": place[pairs.worse],
        "difference": _rounded(pairs.observed, decimals),
        "standard_error": _rounded(error, decimals),
        "resolution": _rounded(pairs.resolution, np.full(error.size, _DIGITS)),
        "ci": list(zip(low, high, strict=True)),
        **{key: p_values(columns[key]) for key in ("p_one_sided", "p_adjusted", "p_max_t")},
    }


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


def _without_tail(values: Sequence[float | None]) -> list[float | None]:
    """Return a column without the None at its end: of many families most pairs are no members."""
    last = max((place for place, value in enumerate(values) if value is not None), default=-1)
    return list(values[: last + 1])
