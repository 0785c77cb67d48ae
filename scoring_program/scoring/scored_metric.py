"""A metric with the entries that it can score.

Entries differ from metric to metric: a team may have skipped a task, and a metric may have no value
for its predictions. An entry without a score has no row in the scorer of the metric, and so no
place in anything that is computed from it.

Where one run stands for each team, its other runs are no entries. They stay beside the entries as
`HiddenRuns`, because a test of which team is the best has to know all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass, replace

from ..core.arrays import Floats, Ints
from ..metrics import Metric
from .scorer import Scorer

#: Number of an entry → its name in messages.
Names = Sequence[str] | Mapping[int, str]
#: Rows of scorers → the scorers that were kept of them. Formulas share those of other metrics.
_Kept = dict[tuple[int, ...], dict[Scorer, Scorer]]


@dataclass(frozen=True, eq=False)
class HiddenRuns:
    """Runs that are scored and resampled, but not shown: another run stands for their team."""

    scorer: Scorer
    runs: tuple[int, ...]  # [h] numbers that tell them apart, the same by every metric
    of: tuple[int, ...]  # [h] numbers of the entries that stand for their teams

    def take(self, rows: Ints, taken: dict[Scorer, Scorer]) -> HiddenRuns:
        """Return the runs on some rows of the test set; see `Scorer.take` for ``taken``."""
        return replace(self, scorer=self.scorer.take(rows, taken))

    def keep(self, rows: Sequence[int]) -> HiddenRuns | None:
        """Return some of the runs; None for none."""
        if not rows:
            return None
        scorer = self.scorer.keep(rows, [self.scorer.names[row] for row in rows])
        return HiddenRuns(
            scorer, tuple(self.runs[row] for row in rows), tuple(self.of[row] for row in rows)
        )


@dataclass(frozen=True, eq=False)
class ScoredMetric:
    """A metric bound to the k entries that it can score; ``entries`` are their numbers, [k].

    The numbers ascend and are those of the competition.
    """

    scorer: Scorer
    entries: tuple[int, ...]
    hidden: HiddenRuns | None = None

    @property
    def metric(self) -> Metric:
        """The metric."""
        return self.scorer.metric

    @property
    def observed(self) -> Floats:
        """Scores on the whole test set, [k]; see `Scorer.observed`."""
        return self.scorer.observed

    @property
    def scorers(self) -> tuple[Scorer, ...]:
        """The scorer of the entries and, if there are hidden runs, theirs."""
        return (self.scorer,) if self.hidden is None else (self.scorer, self.hidden.scorer)


def keep(
    metrics: Sequence[ScoredMetric],
    entries: Sequence[int],
    names: Sequence[str],
    behind: Mapping[int, int] | None = None,
) -> tuple[ScoredMetric, ...]:
    """Return the metrics of one part for some entries of the competition, under other names.

    The n-th of ``entries`` gets the number n. The other entries in ``behind`` become hidden: they
    are runs of a team for which the entry ``behind[run]`` stands.
    """
    number = {entry: n for n, entry in enumerate(entries)}
    kept: _Kept = {}
    return tuple(_renumbered(item, number, names, behind or {}, kept) for item in metrics)


def leave_out(
    metrics: Sequence[ScoredMetric], failed: Mapping[str, Container[int]], names: Names
) -> tuple[ScoredMetric, ...]:
    """Return the metrics of one part without the entries that ``failed``, metric → entries.

    ``names`` are those of the entries by number. The entries keep their numbers.
    """
    kept: _Kept = {}
    found = []
    for item in metrics:
        lost = failed.get(item.metric.name, ())
        number = {entry: entry for entry in item.entries if entry not in lost}
        found.append(_renumbered(item, number, names, {}, kept))
    return tuple(found)


def _renumbered(
    item: ScoredMetric,
    number: Mapping[int, int],
    names: Names,
    behind: Mapping[int, int],
    kept: _Kept,
) -> ScoredMetric:
    """Return a metric for the entries in ``number``: their old number → the new one."""
    row_of = {number[entry]: row for row, entry in enumerate(item.entries) if entry in number}
    row_of = dict(sorted(row_of.items()))
    scorer = _kept(item.scorer, row_of.values(), [names[n] for n in row_of], kept)
    source, runs = item.scorer, [(run, behind.get(run)) for run in item.entries]
    if item.hidden is not None:
        source, runs = item.hidden.scorer, list(zip(item.hidden.runs, item.hidden.of, strict=True))
    # A hidden run can only count for its team where the team has a score that is shown.
    found = [
        (row, run, number[of])
        for row, (run, of) in enumerate(runs)
        if of is not None and number.get(of) in row_of
    ]
    if not found:
        return ScoredMetric(scorer, tuple(row_of))
    rows, numbers, of_entries = zip(*found, strict=True)
    hidden = _kept(source, rows, [names[n] for n in of_entries], kept)
    return ScoredMetric(scorer, tuple(row_of), HiddenRuns(hidden, numbers, of_entries))


def _kept(scorer: Scorer, rows: Collection[int], names: Sequence[str], kept: _Kept) -> Scorer:
    """Return the scorer of some rows; formulas go on sharing the scorers of other metrics."""
    chosen = tuple(rows)
    return scorer.keep(chosen, names, kept.setdefault(chosen, {}))
