"""Which line of a table of scores sums up the others, whatever it is called.

Like the functions in `of_kinds`, these need nothing of the package: logs are read before the rest
of `recognize`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

#: So many lines at least are summed up, and so rarely a line does so by chance.
_FEWEST_SUMMED = 3
_BY_CHANCE = 1e-3


class LineOfScores(NamedTuple):
    """The scores of a system on one unit of a task."""

    unit: str
    task: str
    scores: Mapping[str, float]


def unit_that_sums_up(files: Sequence[Sequence[LineOfScores]]) -> str | None:
    """Return a unit whose scores are, in every file, the sums or the means of all others.

    None if there is none. Where many units have scores, one may be near the mean by chance; that is
    hardly ever accepted.
    """
    chances: dict[str, float] = {}
    for number, of_file in enumerate(files):
        in_file = {}
        for line in of_file:
            chance = _chance_to_sum_up(line, of_file)
            if chance is not None:
                in_file[line.unit] = chance * chances.get(line.unit, len(of_file))
        chances = {
            unit: chance for unit, chance in in_file.items() if not number or unit in chances
        }
        if not chances:
            return None
    return next((unit for unit in sorted(chances) if chances[unit] < _BY_CHANCE), None)


def _chance_to_sum_up(summary: LineOfScores, of_file: Sequence[LineOfScores]) -> float | None:
    """Return how likely a unit sums up the others of its task by chance; None if it does not.

    A sum is more than any other score. A mean may be rounded as its digits say.
    """
    chance = 1.0
    for name, score in summary.scores.items():
        remaining = [
            line.scores[name]
            for line in of_file
            if line is not summary and line.task == summary.task
        ]
        if len(remaining) < _FEWEST_SUMMED or any(map(math.isnan, (score, *remaining))):
            return None
        total = math.fsum(remaining)
        spread = max(remaining) - min(remaining)
        if score > max(remaining) > 0 and math.isclose(score, total, rel_tol=1e-9):
            chance = 0.0
            continue
        decimals = len(repr(score).partition("e")[0].partition(".")[2])
        rounded = max(0.501 * 10.0**-decimals, 1e-9 * abs(score))
        if abs(score - total / len(remaining)) > rounded:
            return None
        if spread > 0 and score not in remaining:
            chance *= min(1.0, 2 * rounded / spread)
    return chance
