"""The common basis of every step of an analysis."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..settings.model import Settings
from . import intervals
from .comparisons import Comparisons
from .field import Field
from .heavy_tails import Tails
from .inputs import Bootstrap, MetricScores
from .significance import grouped
from .unit_influence import UnitInfluence, needed_resamples


@dataclass(frozen=True, eq=False)
class Basis:
    """The scores of one metric, oriented and ordered, and the settings of their analysis."""

    scores: MetricScores
    settings: Settings
    observed: Floats  # [m], in the metric's own sign
    rows: Floats  # the replicates [m, B], in the metric's own sign
    bootstrap: Bootstrap
    field: Field

    @classmethod
    def of(cls, scores: MetricScores, settings: Settings) -> Basis:
        """Orient the scores and order the entries; see `Field.of` for the errors."""
        observed, rows, bootstrap = _oriented(scores)
        field = Field.of(bootstrap.theta, scores.names, settings.baselines, scores.teams)
        return cls(scores, settings, observed, rows, bootstrap, field)

    @classmethod
    def of_runs(
        cls, scores: MetricScores, settings: Settings, field: Field, entry_of: Ints
    ) -> Basis:
        """Orient the scores of k runs; ``entry_of`` [k] are the field's entries for their teams."""
        observed, rows, bootstrap = _oriented(scores)
        runs = field.with_runs(bootstrap.theta, entry_of)
        return cls(scores, settings, observed, rows, bootstrap, runs)

    @cached_property
    def of_every_run(self) -> Basis:
        """The basis of the entries and, after them, of the hidden runs; itself without any."""
        hidden = self.scores.hidden
        if hidden is None:
            return self
        return Basis.of_runs(self.scores.of_every_run(), self.settings, self.field, self.entry_of)

    @cached_property
    def entry_of(self) -> Ints:
        """The entries [k] that stand for the teams of every run: themselves, and the others'."""
        own = np.arange(self.observed.size)
        hidden = self.scores.hidden
        return own if hidden is None else np.concatenate([own, hidden.of])

    @property
    def alpha(self) -> float:
        """Significance level of the tests."""
        return round(1 - self.settings.confidence, 12)

    @cached_property
    def influence(self) -> UnitInfluence | None:
        """Influence values of the oriented scores, estimated where they would take too long.

        None if the metric has none, if there are no pairs, or if the resamples are too few for it.
        """
        scores = self.scores
        if scores.influence is None or self.observed.size < 2:
            return None
        found = scores.influence()
        if found is not None:
            return UnitInfluence(found if scores.metric.greater_is_better else -found)
        if scores.counts is None or not scores.smooth:
            return None
        return UnitInfluence.of_draws(scores.counts(), self.bootstrap.replicates)

    @property
    def resamples_for_influence(self) -> int | None:
        """Resamples that estimate the influence values; None if they are known, or there are none.

        So the answer is larger than the number of resamples.
        """
        scores, alone = self.scores, self.observed.size < 2
        if self.influence is not None or scores.influence is None or not scores.smooth or alone:
            return None
        return None if scores.counts is None else needed_resamples(next(scores.counts()).shape[1])

    @cached_property
    def tails(self) -> Tails | None:
        """The tails of all pairs' differences; None without influence values."""
        return None if self.influence is None else Tails.of(self.influence)

    @cached_property
    def heavy_tailed(self) -> Bools:
        """Which pairs [m, m] have heavy tails; none without influence values."""
        size = self.observed.size
        return np.zeros((size, size), np.bool_) if self.tails is None else self.tails.heavy

    def to_correct(self, compared: Comparisons, counted: Floats, *, two_sided: bool) -> Floats:
        """Return the p-values [k] of comparisons that corrections adjust: the ``counted`` ones.

        If whole groups are resampled, they come from the t distribution (`significance.grouped`).
        """
        groups = self.scores.groups_in_effect
        if groups is None:
            return counted
        error = compared.standard_error
        return grouped(compared.observed, error, counted, groups, two_sided=two_sided)

    @cached_property
    def tail(self) -> float:
        """Probability that an interval leaves out on each side."""
        return intervals.tail_probability(self.settings.confidence, self.scores.groups)


def _oriented(scores: MetricScores) -> tuple[Floats, Floats, Bootstrap]:
    """Return the scores [m] and replicates [m, B] in the metric's own sign, and both oriented."""
    observed = np.asarray(scores.observed, dtype=np.float64)
    rows = np.ascontiguousarray(scores.replicates.values.T, dtype=np.float64)
    better = scores.metric.greater_is_better
    oriented = Bootstrap.oriented(observed, rows, greater_is_better=better, examples=scores.n)
    return observed, rows, oriented
