"""Metrics over several tasks, on the tasks' resamples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Bools, Floats
from ..scoring.overall_scores import OverallScores
from ..scoring.scorer import Scored
from .replicates import Replicates


@dataclass(frozen=True, eq=False)
class ResampledOverall:
    """A metric over tasks on the resamples on which every task that it needs has scores."""

    scores: OverallScores
    replicates: Replicates
    of_components: tuple[Floats, ...]  # the scores by each component, [B_used, k]


def resample_overall(
    scores: OverallScores, replicates: Sequence[Sequence[Replicates]]
) -> ResampledOverall:
    """Combine ``replicates``, those of every task's metrics.

    Tasks with the same examples are resampled together, others independently of each other. So the
    b-th resample of one task belongs to the b-th of any other.
    """
    found = [replicates[item.part][item.place] for item in scores.components]
    count = min(item.drawn for item in found)
    defined = [_defined(item)[:count] for item in found]
    everywhere = np.logical_and.reduce(defined)
    drawn = [
        item.values[: np.count_nonzero(own)][everywhere[own]][:, component.columns]
        for item, own, component in zip(found, defined, scores.components, strict=True)
    ]
    values = scores.evaluate(drawn)
    combined = Replicates.of(Scored(values, np.isnan(values)), len(values))
    if combined.lacking:
        rows = [row for row in range(len(scores.entries)) if row not in combined.lacking]
        scores, drawn = scores.keep(rows), [item[:, rows] for item in drawn]
    if combined.defined is not None:
        drawn = [item[combined.defined] for item in drawn]
    undefined = combined.undefined + int(np.count_nonzero(~everywhere))
    used = Replicates(combined.values, undefined, lacking=combined.lacking)
    return ResampledOverall(scores, used, tuple(drawn))


def _defined(replicates: Replicates) -> Bools:
    """Return which of the drawn resamples count, [B]."""
    if replicates.defined is None:
        return np.ones(len(replicates.values), np.bool_)
    return replicates.defined
