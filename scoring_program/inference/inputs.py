"""The inputs of an analysis, and the scores oriented so that higher is better."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from ..bootstrap.counts import DrawCounts
from ..bootstrap.equal_units import MergedCounts
from ..bootstrap.replicates import Replicates
from ..core.arrays import Bools, Floats, Ints, Reals
from ..metrics import Metric
from ..scoring.diagnostics import Diagnostics
from .counted import CountedReplicates
from .distributions import Distribution, Replicated

#: The diagnostics of two runs; the numbers of hidden runs follow those of the entries.
OfPair: TypeAlias = Callable[[int, int], Diagnostics]
#: Scores of entries i and j [R] each, after their predictions were swapped on the units that the
#: rows of a boolean array [R, N] mark (N: examples, or groups where whole groups are resampled).
Randomized: TypeAlias = Callable[[int, int, Bools], tuple[Floats, Floats]]


@dataclass(frozen=True, eq=False)
class RunScores:
    """The scores of h runs that are not shown: other runs stand for their teams.

    The rest is as in `MetricScores`, on the same resamples.
    """

    of: Ints  # [h] the entries that stand for their teams
    observed: Floats  # [h]
    replicates: Floats  # [B, h]
    jackknife: Callable[[], Floats] | None = None
    influence: Callable[[], Floats | None] | None = None
    zero_divisions: Ints | None = None  # [h], None if there are none
    between: OfPair | None = None


@dataclass(frozen=True, eq=False)
class MetricScores:
    """The scores of m entries by one metric, and what else the analysis may need.

    ``observed`` [m] are the scores on the whole test set, in the metric's own sign. Exactly equal
    scores are ties, so identical predictions must have identical scores. Exact ties are ordered by
    name: the first by name is the leader.

    ``diagnostics`` describes the data; without it, there are no cautions about classes and
    disagreements. ``jackknife`` returns the scores [N, m] with one unit left out; only the interval
    "bca" calls it. ``randomized`` returns scores under swapped predictions; only the test
    "randomization" calls it. ``influence`` returns the influence values [N, m] of the units
    (`scoring.influence`), or None if the metric has none or they take too long; if it is `smooth`,
    they are then estimated from ``counts``. Without it, no pair is heavy-tailed.
    ``counts`` yields how often each unit is drawn, [R, N], on the resamples of the replicates;
    without it, no draws are studentized. ``merged_counts`` are those of sets of equal units.
    ``hidden`` runs are tested like entries, and decide with those that are shown
    what is true of their teams. ``also_spoken_of`` are entries that the verdict speaks of whatever
    this metric shows: the submission that is compared with a field, those tied over all tasks.
    """

    metric: Metric
    names: Sequence[str]  # [m]
    observed: Floats  # [m]
    replicates: Replicates
    n: int  # test examples
    groups: int | None = None  # their number, if whole groups are resampled
    diagnostics: Diagnostics | None = None
    jackknife: Callable[[], Floats] | None = None
    randomized: Randomized | None = None
    influence: Callable[[], Floats | None] | None = None
    smooth: bool = True  # whether scores change smoothly with the draws, see `Scorer.smooth`
    effective_groups: float | None = None  # G*, if whole groups are resampled
    strata: Ints | None = None  # [N], if they keep their sizes
    counts: Callable[[], Iterator[DrawCounts]] | None = None
    merged_counts: MergedCounts | None = None
    teams: Sequence[str] = ()  # [m] of the entries; runs of one team are no rivals
    hidden: RunScores | None = None
    also_spoken_of: Sequence[int] = ()

    @property
    def units(self) -> int:
        """Number N of units that are resampled: examples, or whole groups."""
        return self.n if self.groups is None else self.groups

    @property
    def trials(self) -> Ints:
        """The independent trials [m] of which scores are shares; 0 of scores that are no shares.

        If there are fewer groups than trials, the groups count.
        """
        found = None if self.diagnostics is None else self.diagnostics.trials
        if found is None:
            return np.zeros(len(self.names), np.intp)
        return found if self.groups is None else np.minimum(found, self.groups)

    @property
    def several_runs(self) -> bool:
        """Whether some team has several runs, shown or hidden."""
        return self.hidden is not None or len(set(self.teams)) < len(self.teams)

    @property
    def groups_in_effect(self) -> float | None:
        """G*, or the number of groups if their sizes are unknown; None without groups."""
        return self.groups if self.effective_groups is None else self.effective_groups

    def of_every_run(self) -> MetricScores:
        """Return the scores of the entries that are shown and, after them, of the hidden runs."""
        hidden = self.hidden
        if hidden is None:
            return self
        values = np.concatenate([self.replicates.values, hidden.replicates], axis=1)
        return replace(
            self,
            names=(*self.names, *(self.names[entry] for entry in hidden.of)),
            observed=np.concatenate([self.observed, hidden.observed]),
            replicates=replace(self.replicates, values=values, zero_divisions=None),
            diagnostics=None,
            jackknife=_side_by_side(self.jackknife, hidden.jackknife),
            randomized=None,
            influence=_side_by_side(self.influence, hidden.influence),
            teams=(),
            hidden=None,
        )

    @property
    def correct(self) -> Bools | None:
        """Which predictions are right [n, m], for accuracy only."""
        return None if self.diagnostics is None else self.diagnostics.correct


def _side_by_side(
    shown: Callable[[], Floats | None] | None, hidden: Callable[[], Floats | None] | None
) -> Callable[[], Any] | None:
    """Return a function that puts the values [N, m] and [N, h] of two functions together."""
    if shown is None or hidden is None:
        return None

    def of_every_run() -> Floats | None:
        of_shown, of_hidden = shown(), hidden()
        if of_shown is None or of_hidden is None:
            return None
        return np.concatenate([of_shown, of_hidden], axis=1)

    return of_every_run


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Scores and replicates oriented so that higher is better; one row per entry."""

    theta: Floats  # [m]
    replicates: Floats  # [m, B], rows contiguous
    examples: int | None = None  # n, if scores may be counts out of n; otherwise None

    @classmethod
    def oriented(
        cls, theta: Floats, rows: Floats, *, greater_is_better: bool, examples: int | None = None
    ) -> Bootstrap:
        """Negate the scores [m] and the replicates [m, B] of a metric where lower is better."""
        sign = 1 if greater_is_better else -1
        return cls(sign * theta, rows if greater_is_better else -rows, examples)

    @property
    def entries(self) -> int:
        """Number of entries, m."""
        return self.theta.size

    @property
    def resamples(self) -> int:
        """Number of resamples, B."""
        return int(self.replicates.shape[1])

    @cached_property
    def counts(self) -> CountedReplicates | None:
        """The replicates as counts; None if the metric does not count examples."""
        return (
            None if self.examples is None else CountedReplicates.of(self.replicates, self.examples)
        )

    @property
    def width(self) -> int:
        """Bytes of a replicate of a difference."""
        kept = self.replicates if self.counts is None else self.counts.above
        return kept.itemsize

    def differences(self, first: Ints, second: Ints) -> Distribution:
        """Return the distributions of the advantages of entries ``first`` over ``second``, [k]."""
        if self.counts is not None:
            return self.counts.differences(first, second)
        return Replicated(self.replicates[first] - self.replicates[second])

    def moments(self, first: Ints, second: Ints) -> tuple[Floats, Floats]:
        """Return mean and standard deviation (ddof 1) of `differences`, [k] each."""
        if self.counts is not None:
            return self.counts.differences(first, second).moments()
        means, centered = self._centered
        differences = centered[first]
        differences -= centered[second]
        squares = np.einsum("kb,kb->k", differences, differences)
        return means[first] - means[second], np.sqrt(squares / (self.resamples - 1))

    @cached_property
    def _centered(self) -> tuple[Floats, Floats]:
        """The means [m] of the replicates, and the replicates less them [m, B]."""
        means = self.replicates.mean(axis=1)
        return means, self.replicates - means[:, None]

    @cached_property
    def deviations(self) -> tuple[Reals, float]:
        """R = θ* − θ [m, B] as multiples of a unit, and the unit."""
        counts = self.counts
        counted = None if counts is None else counts.deviations(self.theta)
        if counts is None or counted is None:
            return self.replicates - self.theta[:, None], 1.0
        return counted, 1 / counts.n


def negligible(first: Floats, second: Floats) -> Floats:
    """Return the difference that counts as zero between two numbers: 1e-12 of the larger one.

    Without this tolerance, float noise in ties among replicates moves a p-value by up to 0.085.
    """
    tiny = np.finfo(np.float64).tiny
    larger = np.maximum(np.abs(first), np.abs(second))
    return np.asarray(1e-12 * np.maximum(larger, tiny), dtype=np.float64)
