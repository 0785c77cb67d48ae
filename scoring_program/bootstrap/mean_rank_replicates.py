"""The mean rank over several tasks, on their resamples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.arrays import Bools
from ..scoring.mean_rank import losses, mean_ranks
from ..scoring.scorer import Scorer
from .replicates import Replicates


def mean_rank_replicates(
    ranking: Sequence[Scorer], replicates: Sequence[Replicates], competing: Bools
) -> Replicates:
    """Return the mean ranks on the resamples on which every task has scores; values [B, m].

    Tasks with the same examples are resampled together, others independently of each other. So the
    b-th resample of one task belongs to the b-th of any other.
    """
    count = min(task.drawn for task in replicates)
    defined = [_defined(task)[:count] for task in replicates]
    everywhere = np.logical_and.reduce(defined)
    values = [
        losses(scorer.metric, task.values[: np.count_nonzero(own)][everywhere[own]])
        for scorer, task, own in zip(ranking, replicates, defined, strict=True)
    ]
    return Replicates(mean_ranks(values, competing), int(np.count_nonzero(~everywhere)))


def _defined(replicates: Replicates) -> Bools:
    """Return which of the drawn resamples give every entry a score, [B]."""
    if replicates.defined is None:
        return np.ones(len(replicates.values), np.bool_)
    return replicates.defined
