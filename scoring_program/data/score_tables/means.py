"""Lines of a table of scores that hold the means of others."""

from __future__ import annotations

from collections.abc import Sequence
from math import isclose
from statistics import mean

import numpy as np

from ...core import cells
from ...reading.table import NamedColumns

#: How far a mean may be rounded.
_ROUNDED = 1e-3
#: So many lines at most are the mean of the others by chance.
_BY_CHANCE = 1e-3


def holds_means(
    columns: NamedColumns, row: int, keys: Sequence[str | None], scores: Sequence[str]
) -> bool:
    """Whether a line holds the means of the lines above it with its ``keys``, which differ."""
    of = [columns[name] for name in keys if name is not None]
    lines = [i for i in range(row + 1) if all(each[i] == each[row] for each in of)]
    for name in scores:
        *above, own = cells.numbers([columns[name][i] for i in lines])
        known = [number for number in above if number == number]
        if len({*known}) < 2 or not isclose(mean(known), own, rel_tol=_ROUNDED):
            return False
    return True


def mean_of_others(
    columns: NamedColumns, name: str, system: str | None, scores: Sequence[str]
) -> str:
    """Return the cell of the line whose scores are the mean of the others'; "" if none is.

    As far as they are written, all are, and so many that hardly any line is so by chance. What
    differs from system to system counts: copies of a system are one.
    """
    place = {cell: k for k, cell in enumerate(dict.fromkeys(columns[name]))}
    written: dict[tuple[str, str], list[str]] = {}
    systems = [""] * len(columns[name]) if system is None else columns[system]
    for score in scores:
        lines = zip(columns[name], systems, columns[score], strict=True)
        for cell, of, own in lines:
            written.setdefault((score, of), [""] * len(place))[place[cell]] = own
    chance = dict.fromkeys(range(len(place)), float(len(place)))
    before = np.zeros(len(place))
    for texts in written.values():
        numbers = np.array(cells.numbers(texts))
        found = np.isfinite(numbers)
        if np.count_nonzero(found) < 3:
            continue
        differ = (numbers - before)[found & np.isfinite(before)]
        spread = np.ptp(differ) if differ.size else 0.0
        means = (numbers[found].sum() - numbers) / (np.count_nonzero(found) - 1)
        for k in [k for k in chance if found[k]]:
            step = max(10.0 ** -len(texts[k].partition(".")[2]), 1e-9 * abs(means[k]))
            if abs(numbers[k] - means[k]) > 0.501 * step:
                del chance[k]
            elif spread > 0:
                chance[k] *= min(1.0, step / spread)
        before = numbers
    return next((cell for cell, k in place.items() if chance.get(k, 1.0) < _BY_CHANCE), "")
