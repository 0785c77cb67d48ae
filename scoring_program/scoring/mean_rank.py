"""The mean of an entry's ranks over the tasks, which can rank a competition with several tasks.

A rank counts the ``competing`` entries [m] that are ahead. Baselines have ranks, but do not count.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..metrics import Metric

#: The function of the metric.
FUNCTION = "mean_rank"


def bounded(metric: Metric, competing: Bools) -> Metric:
    """Return the mean rank as a metric with the bounds that the number of rivals gives it."""
    low, high = 1.0, float(np.count_nonzero(competing))
    if not competing.all():
        low, high = 0.5, high + 0.5
    return metric.redefined(low=low, high=high)


def losses(metric: Metric, scores: Floats) -> Floats:
    """Return scores [..., m] with the sign that makes less better."""
    return -scores if metric.greater_is_better else scores


def mean_ranks(tasks: Sequence[Floats], competing: Bools) -> Floats:
    """Return the mean over tasks of the ranks, [..., m], from each task's losses, [..., m].

    The smaller a loss, the better. Exact ties share the better rank.
    """
    return np.asarray(np.mean([ranks(task, competing) for task in tasks], axis=0))


def ranks(losses: Floats, competing: Bools) -> Floats:
    """Return 1 + the number of rivals with smaller losses, along the last axis; [..., m].

    A baseline is half a rank before the next rival, unless a rival has the same loss.
    """
    order = np.argsort(losses, axis=-1, kind="stable")
    ascending = np.take_along_axis(losses, order, axis=-1)
    same = ascending[..., 1:] == ascending[..., :-1]
    rivals = competing[order]
    upto = np.cumsum(rivals, axis=-1, dtype=np.intp)
    ahead: Ints = upto - rivals
    # Entries with equal losses share the rivals ahead of the first one, and the last one's upto.
    ahead[..., 1:][same] = 0
    ahead = np.maximum.accumulate(ahead, axis=-1)
    in_order = ahead + 1.0
    if not competing.all():
        upto[..., :-1][same] = len(competing)
        upto = np.minimum.accumulate(upto[..., ::-1], axis=-1)[..., ::-1]
        in_order -= 0.5 * (~rivals & (upto == ahead))
    found: Floats = np.empty(losses.shape)
    np.put_along_axis(found, order, in_order, axis=-1)
    return found
