"""What inference reads of a metric, its evidence and its replicates, whatever their classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeAlias

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from .counts import Counts
from .distributions import Distribution, Replicated

#: Scores of entries i and j [R] each, after their predictions were swapped on the units that the
#: rows of a boolean array [R, N] mark (N: examples, or groups where whole groups are resampled).
Randomized: TypeAlias = Callable[[int, int, Bools], tuple[Floats, Floats]]


class MetricLike(Protocol):
    """The facts about a metric that its inference depends on."""

    @property
    def name(self) -> str:
        """Key of the metric in scores.txt."""

    @property
    def kind(self) -> str:
        """What a prediction is: "labels", "scores", "probabilities" or "numbers"."""

    @property
    def greater_is_better(self) -> bool:
        """Whether a higher score is the better one."""

    @property
    def ideal(self) -> float | None:
        """The score of a perfect system, None if there is none."""

    @property
    def low(self) -> float:
        """Lower bound of the score, −inf if it has none."""

    @property
    def high(self) -> float:
        """Upper bound of the score, +inf if it has none."""

    @property
    def ratio_scale(self) -> bool:
        """Whether a quotient of two scores means something."""


class EvidenceLike(Protocol):
    """What the data of one metric say about how much they can show."""

    @property
    def minority(self) -> int | None:
        """Examples of the rarest class; None for accuracy, and where there are no classes."""

    @property
    def disagreements(self) -> Ints:
        """[m, m]: rows on which the predictions of two entries differ."""

    @property
    def trials(self) -> Ints | None:
        """[m]: of how many rows a score is the share, for metrics that are shares only."""

    @property
    def correct(self) -> Bools | None:
        """[n, m]: which predictions are right, for accuracy only."""


class ReplicatesLike(Protocol):
    """Scores on the resamples on which the metric is defined for every entry."""

    @property
    def values(self) -> Floats:
        """[B, m], in the metric's own sign."""

    @property
    def undefined(self) -> int:
        """Number of resamples left out because some entry's score was undefined."""

    @property
    def zero_divisions(self) -> Ints | None:
        """[m]: on how many resamples a score is a ``zero_division`` value; None where on none."""


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Scores and replicates oriented so that higher is better; a row for each entry."""

    theta: Floats  # [m]
    replicates: Floats  # [m, B], rows contiguous
    examples: int | None = None  # n, of which scores may be counts; None where nothing is known

    @classmethod
    def oriented(
        cls, theta: Floats, rows: Floats, *, greater_is_better: bool, examples: int | None = None
    ) -> Bootstrap:
        """Negate the scores [m] and the replicates [m, B] of a metric of which less is better."""
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
    def counts(self) -> Counts | None:
        """The replicates as counts, None where the metric does not count examples."""
        return None if self.examples is None else Counts.of(self.replicates, self.examples)

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

    @cached_property
    def deviations(self) -> Floats:
        """R = θ* − θ, [m, B]."""
        return self.replicates - self.theta[:, None]


def negligible(first: Floats, second: Floats) -> Floats:
    """Return what counts as zero beside numbers of such size: 1e-12 of the larger one.

    Counting ties among replicates without it lets float noise move a p-value by up to 0.085.
    """
    tiny = np.finfo(np.float64).tiny
    larger = np.maximum(np.abs(first), np.abs(second))
    return np.asarray(1e-12 * np.maximum(larger, tiny), dtype=np.float64)
