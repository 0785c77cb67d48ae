"""The flat scores that platforms read: scores.txt and scores.json."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core import cells
from ..core.errors import MetricError, SettingsError
from .findings import Findings
from .precision import shown_distance, shown_score
from .slugs import slugs


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
    scores, winners = ranking.scores, ranking.verdict.possible_winners
    subject = ranking.names[scores.leader] if result.focus is None else result.names[result.focus]
    flat = _Flat()
    for one in result.evidence:
        name, found = one.metric.name, subject in one.names
        shown = one.names.index(subject) if found else one.scores.leader
        own = shown_score(result, one, shown)
        flat[name] = own.score
        for side, end in (("low", own.low), ("high", own.high)):
            flat[f"{name}_ci_{side}"] = end if np.isfinite(end) else own.score
    flat["n_examples"] = result.n
    flat["n_teams"] = len(result.names) + len(result.uncompared)
    if result.duration is not None:
        flat["duration"] = result.duration
    if result.form == "field":
        shown = ranking.names.index(subject)
        flat["rank"] = scores.rank[shown]
        flat["tied_with_leader"] = winners[shown]
        if np.isfinite(ranking.distance(shown)):
            flat["distance_from_best"] = shown_distance(result, ranking, shown)
        if ranking.from_leader is not None and not result.scores_only:
            flat["difference_from_leader"] = ranking.from_leader.observed[shown]
            flat["p_value"] = ranking.from_leader.p_one_sided[shown]
    if result.form == "teams":
        _add_every_entry(flat, result)
    return {key: float(value) for key, value in flat.items()}


def _add_every_entry(flat: dict[str, Any], result: Findings) -> None:
    """Add how many are tied with the leader, and every entry's own keys."""
    ranking = result.evidence[0]
    scores, winners = ranking.scores, ranking.verdict.possible_winners
    flat["n_tied_with_leader"] = sum(
        bool(tied)
        for i, tied in enumerate(winners)
        if i != scores.leader and i not in scores.baselines
    )
    names = slugs([*result.names, *(entry.name for entry in result.uncompared)])
    slug_of = dict(zip(result.names, names, strict=False))
    places = [{name: i for i, name in enumerate(each.names)} for each in result.evidence]
    for entry_name, name in slug_of.items():
        for one, place in zip(result.evidence, places, strict=True):
            if entry_name in place:
                flat[f"{one.metric.name}.{name}"] = one.scores.score[place[entry_name]]
        if (i := places[0].get(entry_name)) is not None:
            flat[f"rank.{name}"] = scores.rank[i]
            flat[f"tied_with_leader.{name}"] = winners[i]
            if np.isfinite(ranking.distance(i)):
                flat[f"distance_from_best.{name}"] = ranking.distance(i)
    for entry, name in zip(result.uncompared, names[len(result.names) :], strict=True):
        for key, score in entry.scores.items():
            flat[f"{key}.{name}"] = score
        flat[f"rank.{name}"] = entry.rank


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
        super().__setitem__(key, value if abs(value) < cells.LARGEST else _most(value))


def _most(value: float) -> float:
    """Return the largest number of a value's sign that score tables hold."""
    return math.copysign(cells.LARGEST - 1, value)


def scores_txt(flat: Mapping[str, float]) -> str:
    """Return scores.txt: one ``key: value`` per line, fixed-point with ten decimals."""
    return "".join(f"{key}: {_fixed(value)}\n" for key, value in flat.items())


def scores_json(flat: Mapping[str, float]) -> str:
    """Return scores.json with the same numbers as scores.txt, digit for digit."""
    lines = (f"  {json.dumps(key)}: {_fixed(value)}" for key, value in flat.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _fixed(value: float) -> str:
    return f"{round(value, 10) + 0.0:.10f}"  # + 0.0 turns −0.0 into 0.0
