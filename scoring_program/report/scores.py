"""The flat scores that platforms read: scores.txt and scores.json."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core import cells
from ..core.cells import LARGEST
from ..core.digits import significant
from ..core.errors import MetricError, SettingsError
from ..document.shortening import slugs
from ..inference.evidence import Evidence
from .findings import Findings

_DIGITS = 4
#: Score tables hold so many decimals.
_MOST_DECIMALS = 10


def scores(result: Findings) -> dict[str, float]:
    """Return the flat mapping of scores.txt and scores.json: ASCII keys, finite numbers.

    A metric's own keys belong to the submission in focus or, among teams, to the leader by the
    ranking metric; where this leader has no score by the metric, to the leader by the metric. Where
    no interval can be given, because the score is the same on every resample, both ends are the
    score: the platforms want a number. A distance that does not exist is left out: a baseline has
    none. Entries that are not compared have their scores and ranks.
    Participants who may see the scores only get them rounded, without the comparison with the
    leader.
    """
    ranking = result.evidence[0]
    scores = ranking.scores
    winners = ranking.verdict.possible_winners
    subject = ranking.names[scores.leader] if result.focus is None else result.names[result.focus]
    flat = _Flat()
    for evidence in result.evidence:
        name = evidence.metric.name
        entry = evidence.number_of.get(subject, evidence.scores.leader)
        rounded = shown_score(result, evidence, entry)
        flat[name] = rounded.score
        flat[f"{name}_ci_low"] = rounded.low if np.isfinite(rounded.low) else rounded.score
        flat[f"{name}_ci_high"] = rounded.high if np.isfinite(rounded.high) else rounded.score
    flat["n_examples"] = result.n
    flat["n_teams"] = len(result.names) + len(result.uncompared)
    if result.duration is not None:
        flat["duration"] = result.duration
    if result.form == "field":
        entry = ranking.number_of[subject]
        flat["rank"] = scores.rank[entry]
        flat["tied_with_leader"] = winners[entry]
        if np.isfinite(ranking.distance(entry)):
            flat["distance_from_best"] = shown_bar(result, ranking, entry)[1]
        if ranking.from_leader is not None and not result.scores_only:
            flat["difference_from_leader"] = ranking.from_leader.observed[entry]
            flat["p_value"] = ranking.from_leader.p_one_sided[entry]
    if result.form == "teams":
        _add_every_entry(flat, result)
    return {key: float(value) for key, value in flat.items()}


def _add_every_entry(flat: dict[str, Any], result: Findings) -> None:
    """Add how many are tied with the leader, and every entry's own keys."""
    ranking = result.evidence[0]
    scores = ranking.scores
    winners = ranking.verdict.possible_winners
    rivals_tied = np.delete(winners, [scores.leader, *scores.baselines])
    flat["n_tied_with_leader"] = np.count_nonzero(rivals_tied)
    names = slugs([*result.names, *(entry.name for entry in result.uncompared)])
    slug_of = dict(zip(result.names, names, strict=False))
    for entry_name, name in slug_of.items():
        for evidence in result.evidence:
            if (i := evidence.number_of.get(entry_name)) is not None:
                flat[f"{evidence.metric.name}.{name}"] = evidence.scores.score[i]
        if (i := ranking.number_of.get(entry_name)) is not None:
            flat[f"rank.{name}"] = scores.rank[i]
            flat[f"tied_with_leader.{name}"] = winners[i]
            if np.isfinite(ranking.distance(i)):
                flat[f"distance_from_best.{name}"] = ranking.distance(i)
    _add_prizes(flat, result)
    for entry, name in zip(result.uncompared, names[len(result.names) :], strict=True):
        for key, score in entry.scores.items():
            flat[f"{key}.{name}"] = score
        flat[f"rank.{name}"] = entry.rank


def _add_prizes(flat: dict[str, Any], result: Findings) -> None:
    """Add whether each team surely takes a prize; those that may are left out."""
    ranking = result.evidence[0]
    prizes = ranking.verdict.prizes
    if prizes is None or prizes.sure is None or prizes.out is None:
        return
    slug_of = keys_of_teams(result)
    for entry in ranking.scores.order.tolist():
        if prizes.sure[entry] or prizes.out[entry]:
            slug = slug_of[result.team_of(ranking.names[entry])]
            flat[f"prize.{slug}"] = prizes.sure[entry]


def keys_of_teams(result: Findings) -> dict[str, str]:
    """Return team → the ASCII form of its name, in keys and in names of files.

    Of a team that is called like its entry, it is that of the entry.
    """
    entries = [*result.names, *(entry.name for entry in result.uncompared)]
    teams = list(dict.fromkeys(map(result.team_of, entries)))
    return dict(zip(teams, slugs(teams), strict=True))


class _Flat(dict[str, Any]):
    """A mapping in which no key may be set twice, of values that the platforms can store."""

    def __setitem__(self, key: str, value: Any) -> None:
        if key in self:
            raise SettingsError(
                f"settings: metrics: two values of scores.txt would be called {key!r}; "
                "give the metric another 'name'"
            )
        if not math.isfinite(value):
            raise MetricError(f"{key} is {value}, and score tables hold finite numbers only")
        # Scores are smaller, but one entry's intervals and distances may not be. They must not end
        # the run of the others.
        most = math.copysign(cells.LARGEST - 1, value)
        super().__setitem__(key, value if abs(value) < cells.LARGEST else most)


def scores_txt(flat: Mapping[str, float]) -> str:
    """Return scores.txt: one ``key: value`` per line, fixed-point with ten decimals."""
    return "".join(f"{key}: {_fixed(value)}\n" for key, value in flat.items())


def scores_json(flat: Mapping[str, float]) -> str:
    """Return scores.json with the same numbers as scores.txt, digit for digit."""
    lines = (f"  {json.dumps(key)}: {_fixed(value)}" for key, value in flat.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _fixed(value: float) -> str:
    return f"{round(significant(value), 10) + 0.0:.10f}"  # + 0.0 turns −0.0 into 0.0


#: The multiples of a step, 1, 2 or 5, times 10^−decimals: the step and the decimals.
Grid = tuple[int, int]


def unit_of(grid: Grid) -> float:
    """Return the distance of neighbors."""
    return float(grid[0] * 10.0 ** -grid[1])


def nearest(value: float, grid: Grid) -> float:
    """Return the nearest multiple; nan stays nan."""
    step, decimals = grid
    return round(step * round(float(value) / step, decimals), decimals)


@dataclass(frozen=True)
class ShownScore:
    """A score with the ends of its interval, nan where there is none, as outputs may show it."""

    score: float
    low: float
    high: float
    grid: Grid | None  # None if nothing is rounded


def shown_score(findings: Findings, evidence: Evidence, entry: int) -> ShownScore:
    """Return what the outputs may show of an entry's score by one metric."""
    low, score, high = evidence.span(entry)
    if not findings.scores_only:
        return ShownScore(score, low, high, None)
    metric = evidence.metric
    error = evidence.standard_error(entry)
    bounds = (metric.low, metric.high)
    precision = findings.settings.precision
    return rounded_score((low, score, high), bounds, error, precision)


def rounded_score(
    span: tuple[float, float, float], bounds: tuple[float, float], error: float, precision: str
) -> ShownScore:
    """Return what a participant may see of a score with the ends of its interval, the ``span``.

    ``bounds`` are those of the metric, ``error`` is the standard error of the score, and
    ``precision`` is the setting.
    """
    low, score, high = span
    grid = _four_digits(bounds, score)
    if precision == "digits":
        score, low, high = (nearest(end, grid) for end in (score, low, high))
        return ShownScore(score, low, high, grid)
    grid = max(grid, _not_below(error), key=unit_of)
    # The distances are rounded, not the ends: the ends lie elsewhere on the grid than the score,
    # so that three roundings together would tell the score on a grid three times as fine. The
    # roundings of the score and of a distance take at most one unit, which is added.
    middle = nearest(score, grid)
    (least, most) = bounds
    below, above = (nearest(side, grid) + unit_of(grid) for side in (score - low, high - score))
    return ShownScore(middle, max(middle - below, least), min(middle + above, most), grid)


def shown_bar(findings: Findings, evidence: Evidence, entry: int) -> tuple[float, float]:
    """Return the least and the most that an entry may be behind the best, rounded outward.

    The least is 0 for possible winners, and nan where there are no bars. The score of the best is
    rounded, and the rounded score taken from it: so a distance does not tell the score on a finer
    grid. The two roundings take at most one unit from the most, which is added. A distance of 0
    would tell a verified winner from one that is nearly verified, so there is none.
    """
    bars = evidence.distances
    farthest = evidence.distance(entry)
    closest = math.nan if bars is None else float(bars.near[entry])
    rounded = shown_score(findings, evidence, entry)
    if rounded.grid is None:
        return closest, farthest
    sign = 1 if evidence.metric.greater_is_better else -1
    score = float(evidence.scores.score[entry])
    unit = unit_of(rounded.grid)
    near, far = (
        abs(nearest(score + sign * distance, rounded.grid) - rounded.score)
        for distance in (closest, farthest)
    )
    # Python's max returns its first argument beside nan.
    return nearest(max(near - unit, 0.0), rounded.grid), nearest(far + unit, rounded.grid)


def _four_digits(bounds: tuple[float, float], score: float) -> Grid:
    """Return four decimals, or four significant digits where scores may exceed 1."""
    largest = max(map(abs, bounds))
    if largest <= 1 or not 0 < abs(score) < LARGEST:
        return 1, _DIGITS
    return 1, min(_DIGITS - 1 - math.floor(math.log10(abs(score))), _MOST_DECIMALS)


def _not_below(error: float) -> Grid:
    """Return the finest grid whose unit is not below a standard error."""
    if not 0 < error < LARGEST:
        return 1, _MOST_DECIMALS
    decimals = min(-math.floor(math.log10(error)), _MOST_DECIMALS)
    grids = ((step, place) for place in (decimals, decimals - 1) for step in (1, 2, 5))
    return next(grid for grid in grids if unit_of(grid) >= error)
