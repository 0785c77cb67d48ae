"""The mean of an entry's ranks over several tasks: what ranks a competition that has several.

A rank counts the rivals ahead, of the entries that are ``competing`` [m]. Baselines have ranks, but
push nobody down.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..bootstrap.resample import Replicates
from ..core.arrays import Bools, Floats, Ints
from ..inference.analysis import Warned
from ..metrics import Metric
from .scorers import Scorer

#: What the page says of it; simulated: 10 equal entries, n = 200, B = 1000, 2000 competitions.
CAUTION = Warned("amber", "mean_rank", 0.77, {"two": 78, "three": 77, "nominal": 95})


def metric(ranking: Sequence[Metric], competing: Bools) -> Metric:
    """Return the mean rank by each task's ranking metric, as a metric."""
    names = ", ".join(item.name for item in ranking)
    return Metric(
        name="mean_rank",
        label="mean rank",
        kind="table",
        greater_is_better=False,
        ideal=1.0,
        low=1.0 if competing.all() else 0.5,
        high=np.count_nonzero(competing) + (0.0 if competing.all() else 0.5),
        ratio_scale=False,
        evaluation="formula",
        column=None,
        function=None,
        params={},
        description=f"mean of the ranks by {names}",
    )


def observed(ranking: Sequence[Scorer], competing: Bools) -> Floats:
    """Return every entry's mean rank on the test sets, [m]."""
    return mean_ranks([_loss(scorer.metric, scorer.observed) for scorer in ranking], competing)


def replicated(
    ranking: Sequence[Scorer], drawn: Sequence[Replicates], competing: Bools
) -> Replicates:
    """Return the mean ranks on the resamples on which every task has scores; values [B, m].

    Tasks with the same examples are resampled together, others independently of each other. So the
    b-th resample of one task belongs to the b-th of any other.
    """
    count = min(len(of.values) + of.undefined for of in drawn)
    defined = [_defined(of)[:count] for of in drawn]
    everywhere = np.logical_and.reduce(defined)
    values = [
        _loss(scorer.metric, of.values[: np.count_nonzero(own)][everywhere[own]])
        for scorer, of, own in zip(ranking, drawn, defined, strict=True)
    ]
    return Replicates(mean_ranks(values, competing), int(np.count_nonzero(~everywhere)))


def _defined(replicates: Replicates) -> Bools:
    """Return on which of the resamples that were drawn every entry has a score, [B]."""
    if replicates.defined is None:
        return np.ones(len(replicates.values), np.bool_)
    return replicates.defined


def _loss(metric: Metric, scores: Floats) -> Floats:
    return -scores if metric.greater_is_better else scores


def mean_ranks(losses: Sequence[Floats], competing: Bools) -> Floats:
    """Return the mean over tasks of the ranks, [..., m], from each task's losses, [..., m].

    The smaller a loss, the better. Exact ties share the better rank.
    """
    return np.asarray(np.mean([ranks(task, competing) for task in losses], axis=0))


def ranks(losses: Floats, competing: Bools) -> Floats:
    """Return 1 + the number of rivals with smaller losses, along the last axis; [..., m].

    A baseline stands between its rivals, half a rank before the next, unless one has its loss.
    """
    order = np.argsort(losses, axis=-1, kind="stable")
    ascending = np.take_along_axis(losses, order, axis=-1)
    same = ascending[..., 1:] == ascending[..., :-1]
    rivals = competing[order]
    upto = np.cumsum(rivals, axis=-1, dtype=np.intp)
    ahead: Ints = upto - rivals
    # Of equal losses the first one's rivals ahead are everyone's, and so are the last one's upto.
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
