"""Would another ranking scheme have named another leader?

Every scheme ranks the same entries: by each metric, under each tie rule, without each task, and
without each slice of the test set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Array, Floats, Ints
from ..inference.analysis import MetricAnalysis
from ..metrics.unit_scores import UNIT_RANK
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
    best_in: str
    worst: int
    worst_in: str


def of_metrics(analyses: Sequence[MetricAnalysis], labels: Sequence[str]) -> list[RankingScheme]:
    """Return a scheme for each metric, called by ``labels``."""
    return [
        _scheme("metric", label, np.asarray(analysis.rank))
        for analysis, label in zip(analyses, labels, strict=True)
    ]


def of_tie_rules(analysis: MetricAnalysis) -> list[RankingScheme]:
    """Return a scheme for each tie rule: the ranks are equal, the entries on top differ."""
    rank = np.asarray(analysis.rank)
    return [
        RankingScheme("tie_rule", rule, rank, frozenset(np.flatnonzero(tied).tolist()))
        for rule, tied in analysis.tied.items()
    ]


def of_aggregations(analyses: Sequence[MetricAnalysis]) -> list[RankingScheme]:
    """Return the schemes of a table of scores that none of the metrics is: other aggregations.

    See `inference.ranking_schemes`; of several columns, the first one counts.
    """
    of_column = next((analysis for analysis in analyses if analysis.schemes is not None), None)
    if of_column is None or of_column.schemes is None:
        return []
    functions = {analysis.metric.function for analysis in analyses}
    found = []
    for name, ranks in of_column.schemes.ranks.items():
        if _FUNCTIONS.get(name) not in functions:
            rank = np.zeros(len(of_column.names), np.intp)
            rank[of_column.schemes.entries] = ranks
            label = f"{of_column.metric.label}, {name.replace('_', ' ')}"
            found.append(_scheme("aggregation", label, rank))
    return found


def by_mean_rank(analyses: Sequence[MetricAnalysis]) -> RankingScheme:
    """Return the scheme of the mean rank over several metrics of the same entries."""
    mean = np.mean([analysis.rank for analysis in analyses], axis=0)
    names = ", ".join(analysis.metric.label for analysis in analyses)
    return _scheme("mean_rank", names, ranked(-mean))


def without_slices(scorer: Scorer, slices: Mapping[str, Array]) -> list[RankingScheme]:
    """Return a scheme for each value of each slice column: the test set without its examples.

    ``slices`` maps columns to their values [n].
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
            _scheme("without_slice", f"{column}: {value}", ranked(row))
            for value, row in zip(present.tolist(), scores, strict=True)
        ]
    return schemes


def without_tasks(losses: Floats, names: Sequence[str]) -> list[RankingScheme]:
    """Return a scheme for each task: the mean rank over the others; ``losses`` [tasks, m]."""
    if len(names) < 2:
        return []
    ranks = np.array([ranked(-row) for row in losses])
    schemes = []
    for task, name in enumerate(names):
        rest = np.delete(ranks, task, axis=0).mean(axis=0)
        schemes.append(_scheme("without_task", name, ranked(-rest)))
    return schemes


def ranked(higher: Floats) -> Ints:
    """Return ranks [m] of scores of which higher is better; ties share the better rank."""
    rank = 1 + (higher[None, :] > higher[:, None]).sum(axis=1)
    return np.where(np.isnan(higher), 0, rank)


def gains(schemes: Sequence[RankingScheme], first: RankingScheme) -> list[Gain]:
    """Return the entries whose place depends on the scheme, the widest range first."""
    found = []
    for entry, rank in enumerate(first.rank.tolist()):
        placed = [(int(scheme.rank[entry]), scheme.name) for scheme in schemes]
        placed = [item for item in placed if item[0] > 0]
        if rank == 0 or not placed:
            continue
        best = min(placed, key=lambda item: item[0])
        worst = max(placed, key=lambda item: item[0])
        if best[0] < rank or worst[0] > rank:
            found.append(Gain(entry, rank, *best, *worst))
    return sorted(found, key=lambda gain: (gain.best - gain.worst, gain.rank, gain.entry))


def _scheme(kind: str, name: str, rank: Ints) -> RankingScheme:
    return RankingScheme(kind, name, rank, frozenset(np.flatnonzero(rank == 1).tolist()))
