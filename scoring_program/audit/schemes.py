"""Would another ranking scheme have named another leader?

Every scheme ranks the same entries: by each metric, by other aggregations, under each tie rule, by
other weights of the tasks, and without each slice of the test set. Baselines have ranks, but never
stand on top.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Array, Bools, Floats, Ints
from ..inference.evidence import Evidence
from ..metrics.families.unit_scores import UNIT_RANK
from ..scoring.overall import standardized
from ..scoring.scorer import Scorer
from .regrade import oriented

#: The functions of metrics that are ranking schemes of scores.
_FUNCTIONS = {"mean": "mean_score", "median": "median_score", "mean_rank": UNIT_RANK}


@dataclass(frozen=True, eq=False)
class RankingScheme:
    """One way to rank: its kind, its name, every entry's rank [m] and who stands on top.

    A rank is 0 if the scheme does not rank the entry. ``top`` numbers the entries of rank 1, or
    those that are tied with the leader where the scheme is a tie rule.
    """

    kind: str
    name: str
    rank: Ints
    top: frozenset[int]


@dataclass(frozen=True, eq=False)
class Gain:
    """Where an entry stands by the ranking metric, and the best and worst place in any scheme."""

    entry: int
    rank: int
    best: int
    best_in: RankingScheme
    worst: int
    worst_in: RankingScheme


def of_metrics(evidence: Sequence[Evidence], labels: Sequence[str]) -> list[RankingScheme]:
    """Return a scheme for each metric, called by ``labels``."""
    return [
        _scheme("metric", label, np.asarray(one.scores.rank), competing(one))
        for one, label in zip(evidence, labels, strict=True)
    ]


def of_tie_rules(evidence: Evidence) -> list[RankingScheme]:
    """Return a scheme for each tie rule: the ranks are equal, the entries on top differ."""
    rank, can_win = np.asarray(evidence.scores.rank), competing(evidence)
    return [
        RankingScheme("tie_rule", rule, rank, frozenset(np.flatnonzero(tied & can_win).tolist()))
        for rule, tied in evidence.standing.tied.items()
    ]


def of_aggregations(evidence: Sequence[Evidence]) -> list[RankingScheme]:
    """Return the schemes of a table of scores that none of the metrics is: other aggregations.

    See `inference.descriptive`; of several columns, the first one counts.
    """
    of_column = next((one for one in evidence if one.schemes is not None), None)
    if of_column is None or of_column.schemes is None:
        return []
    metrics = [one.metric for one in evidence]
    column = of_column.metric.column
    functions = {metric.function for metric in metrics if metric.column == column}
    schemes = []
    for name, ranks in of_column.schemes.ranks.items():
        if _FUNCTIONS.get(name) not in functions:
            rank = np.zeros(len(of_column.names), np.intp)
            rank[of_column.schemes.entries] = ranks
            label = f"{of_column.metric.label}, {name.replace('_', ' ')}"
            schemes.append(_scheme("aggregation", label, rank, competing(of_column)))
    return schemes


def by_mean_rank(evidence: Sequence[Evidence]) -> RankingScheme:
    """Return the scheme of the mean rank over several metrics of the same entries."""
    mean = np.mean([one.scores.rank for one in evidence], axis=0)
    names = ", ".join(one.metric.label for one in evidence)
    can_win = competing(evidence[0])
    return _scheme("mean_rank", names, ranked(-mean, can_win), can_win)


def competing(evidence: Evidence) -> Bools:
    """Return which entries can win, [m]."""
    competing_entries = np.ones(len(evidence.names), np.bool_)
    competing_entries[list(evidence.scores.baselines)] = False
    return competing_entries


def without_slices(
    scorer: Scorer, slices: Mapping[str, Array], can_win: Bools
) -> list[RankingScheme]:
    """Return a scheme for each value of each slice column: the test set without its examples.

    ``slices`` maps columns to their values [n]. ``can_win`` [m] are the competing entries.
    """
    schemes = []
    for column, values in slices.items():
        present = np.unique(values)
        if len(present) < 2:
            continue
        counts = (values != present[:, None]).astype(np.uint8)
        parts = [part.replicate(counts) for part in scorer.parts]
        scores = oriented(scorer.metric, scorer.combine(parts).values)  # [slices, m]
        schemes += [
            _scheme("without_slice", f"{column}: {value}", ranked(row, can_win), can_win)
            for value, row in zip(present.tolist(), scores, strict=True)
        ]
    return schemes


def of_task_weights(
    losses: Floats, names: Sequence[str], method: str, can_win: Bools
) -> list[RankingScheme]:
    """Return two schemes for each task: without it, and with twice its weight.

    ``losses`` [tasks, m] are the scores of the tasks, less is better. They are combined as the
    overall ``method`` does; where that is a formula, by the mean rank.
    """
    if len(names) < 2:
        return []
    values = np.array([_contribution(row, method, can_win) for row in losses])
    schemes = []
    for kind, weight in (("without_task", 0.0), ("double_task", 2.0)):
        for task, name in enumerate(names):
            weights = np.ones(len(names))
            weights[task] = weight
            rank = ranked(np.average(values, axis=0, weights=weights).round(12), can_win)
            schemes.append(_scheme(kind, name, rank, can_win))
    return schemes


def _contribution(losses: Floats, method: str, can_win: Bools) -> Floats:
    """Return what a task adds to the overall score, [m], higher is better."""
    if method == "mean":
        return -losses
    if method == "mean_standardized":
        return standardized(losses, losses[can_win])
    return -ranked(-losses, can_win).astype(np.float64)


def ranked(higher: Floats, can_win: Bools) -> Ints:
    """Return ranks [m] of scores of which higher is better; ties share the better rank.

    Only the entries that ``can_win`` [m] count. Without a score there is no rank: 0.
    """
    rank = 1 + (higher[None, can_win] > higher[:, None]).sum(axis=1)
    return np.where(np.isnan(higher), 0, rank)


def gains(schemes: Sequence[RankingScheme], can_win: Bools) -> list[Gain]:
    """Return the entries whose place depends on the scheme, the widest range first.

    The first of the schemes is that of the ranking metric.
    """
    gained = []
    for entry in np.flatnonzero(can_win).tolist():
        rank = int(schemes[0].rank[entry])
        placed = [(int(scheme.rank[entry]), scheme) for scheme in schemes]
        placed = [item for item in placed if item[0] > 0]
        if rank == 0 or not placed:
            continue
        best = min(placed, key=lambda item: item[0])
        worst = max(placed, key=lambda item: item[0])
        if best[0] < rank or worst[0] > rank:
            gained.append(Gain(entry, rank, *best, *worst))
    return sorted(gained, key=lambda gain: (gain.best - gain.worst, gain.rank, gain.entry))


def _scheme(kind: str, name: str, rank: Ints, can_win: Bools) -> RankingScheme:
    top = np.flatnonzero((rank == 1) & can_win)
    return RankingScheme(kind, name, rank, frozenset(top.tolist()))
