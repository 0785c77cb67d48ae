"""Lines of a table of scores that hold the means of others."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isclose, sqrt

import numpy as np

from ...core.arrays import Floats
from ...reading.table import NamedColumns
from .score_names import A_STATISTIC, looks_like, score_numbers, sums_up

#: How far a mean may be rounded.
_ROUNDED = 1e-3
#: So many lines at most are the mean of the others by chance.
_BY_CHANCE = 1e-3
#: How units are called that sum up others, such as "MMLU-avg".
_AVERAGE = re.compile(r"[\W_](avg|average)\W*$", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
#: Names of summaries have at most so many words.
_MOST_WORDS = 3


def _geometric_mean(values: Floats) -> float:
    return float(np.exp(np.log(values).mean())) if (values > 0).all() else float("nan")


#: What messages call a statistic → the statistic.
_STATISTICS: Mapping[str, Callable[[Floats], float]] = {
    "mean": lambda values: float(values.mean()),
    "standard deviation": lambda values: float(values.std(ddof=1)),
    "standard deviation (over n)": lambda values: float(values.std()),
    "standard error": lambda values: float(values.std(ddof=1)) / sqrt(len(values)),
    "median": lambda values: float(np.median(values)),
    "sum": lambda values: float(values.sum()),
    "maximum": lambda values: float(values.max()),
    "minimum": lambda values: float(values.min()),
    "geometric mean": _geometric_mean,
}
_ABOVE = "above it"
_BESIDE = "beside it"


def is_called_summary(name: str) -> bool:
    """Whether a unit is called like what sums up others: "Avg.", "MMLU-avg", "StdDev".

    A question or a sentence is not, whatever word it ends with.
    """
    if sums_up(name) or looks_like(name.casefold(), ()) == A_STATISTIC:
        return len(_WORD.findall(name)) <= _MOST_WORDS
    return _AVERAGE.search(name) is not None and len(_WORD.findall(name)) <= _MOST_WORDS


@dataclass(frozen=True)
class LinesOf:
    """The lines of a table by what they are about.

    ``unit`` is a column of units, ``beside`` are the others, ``keys`` the columns of systems and
    tasks, ``scores`` those of scores.
    """

    columns: NamedColumns
    unit: str
    beside: tuple[str, ...]
    keys: tuple[str, ...]
    scores: tuple[str, ...]

    def held_statistic(self, cell: str) -> str:
        """Return which statistic of other lines all lines of a unit hold; "" if none.

        It is that of the lines above, or of all lines, of the same system and task. Lines that are
        called summaries do not count. The scores have to differ, and a number may be rounded.
        """
        rows = [i for i, name in enumerate(self.columns[self.unit]) if name == cell]
        for where in (_ABOVE, _BESIDE):
            others_of = {row: self._others(row, above=where == _ABOVE) for row in rows}
            for called, statistic in _STATISTICS.items():
                if all(self._holds(row, others_of[row], statistic) for row in rows):
                    return f"{called} of the lines {where}"
        return ""

    def _others(self, row: int, *, above: bool) -> list[int]:
        units = self.columns[self.unit]
        places = range(row if above else len(units))
        plain = [i for i in places if i != row and not is_called_summary(units[i])]
        alike = [i for i in plain if self._agree(i, row, self.keys)]
        return [i for i in alike if self._agree(i, row, self.beside)] or alike

    def _agree(self, row: int, repeated_row: int, names: Sequence[str]) -> bool:
        return all(self.columns[name][row] == self.columns[name][repeated_row] for name in names)

    def _holds(self, row: int, rows: Sequence[int], statistic: Callable[[Floats], float]) -> bool:
        for name in self.scores:
            cells = self.columns[name]
            (number,) = score_numbers([cells[row]])
            values = np.array(score_numbers([cells[i] for i in rows]))
            finite = values[np.isfinite(values)]
            if len({*finite.tolist()}) < 2:
                return False
            if not isclose(statistic(finite), number, rel_tol=_ROUNDED):
                return False
        return bool(self.scores)


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
        for cell, expected, cell_value in lines:
            written.setdefault((score, expected), [""] * len(place))[place[cell]] = cell_value
    chance = dict.fromkeys(range(len(place)), float(len(place)))
    before = np.zeros(len(place))
    for texts in written.values():
        numbers = np.array(score_numbers(texts))
        finite = np.isfinite(numbers)
        if np.count_nonzero(finite) < 3:
            continue
        differ = (numbers - before)[finite & np.isfinite(before)]
        spread = np.ptp(differ) if differ.size else 0.0
        means = (numbers[finite].sum() - numbers) / (np.count_nonzero(finite) - 1)
        for k in [k for k in chance if finite[k]]:
            step = max(10.0 ** -len(texts[k].partition(".")[2]), 1e-9 * abs(means[k]))
            if abs(numbers[k] - means[k]) > 0.501 * step:
                del chance[k]
            elif spread > 0:
                chance[k] *= min(1.0, step / spread)
        before = numbers
    return next((cell for cell, k in place.items() if chance.get(k, 1.0) < _BY_CHANCE), "")
