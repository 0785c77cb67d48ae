"""A metric with the entries that it can score.

Entries differ from metric to metric: a team may have skipped a task, and a metric may have no value
for its predictions. An entry without a score has no row in the scorer of the metric, and so no
place in anything that is computed from it.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from ..core.arrays import Floats
from ..metrics import Metric
from .scorer import Scorer

#: Number of an entry → its name in messages.
Names = Sequence[str] | Mapping[int, str]


@dataclass(frozen=True, eq=False)
class ScoredMetric:
    """A metric bound to the k entries that it can score; ``entries`` are their numbers, [k].

    The numbers ascend and are those of the competition.
    """

    scorer: Scorer
    entries: tuple[int, ...]

    @property
    def metric(self) -> Metric:
        """The metric."""
        return self.scorer.metric

    @property
    def observed(self) -> Floats:
        """Scores on the whole test set, [k]; see `Scorer.observed`."""
        return self.scorer.observed


def keep(
    metrics: Sequence[ScoredMetric], entries: Sequence[int], names: Sequence[str]
) -> tuple[ScoredMetric, ...]:
    """Return the metrics of one part for some entries of the competition, under other names.

    The n-th of ``entries`` gets the number n.
    """
    wanted = []
    for item in metrics:
        row_of = {entry: row for row, entry in enumerate(item.entries)}
        wanted.append({n: row_of[entry] for n, entry in enumerate(entries) if entry in row_of})
    return _of_rows(metrics, wanted, names)


def leave_out(
    metrics: Sequence[ScoredMetric], failed: Mapping[str, Container[int]], names: Names
) -> tuple[ScoredMetric, ...]:
    """Return the metrics of one part without the entries that ``failed``, metric → entries.

    ``names`` are those of the entries by number. The entries keep their numbers.
    """
    wanted = [
        {
            entry: row
            for row, entry in enumerate(item.entries)
            if entry not in failed.get(item.metric.name, ())
        }
        for item in metrics
    ]
    return _of_rows(metrics, wanted, names)


def _of_rows(
    metrics: Sequence[ScoredMetric], wanted: Sequence[Mapping[int, int]], names: Names
) -> tuple[ScoredMetric, ...]:
    """Return metrics with some of their rows: number of an entry → its row.

    Formulas go on sharing the scorers of other metrics with the same entries.
    """
    shared: dict[tuple[int, ...], dict[Scorer, Scorer]] = {}
    kept = []
    for item, row_of in zip(metrics, wanted, strict=True):
        rows = tuple(row_of.values())
        done = shared.setdefault(rows, {})
        scorer = item.scorer.keep(rows, [names[entry] for entry in row_of], done)
        kept.append(ScoredMetric(scorer, tuple(row_of)))
    return tuple(kept)
