"""A judge, such as a language model, scores all units; people score some, drawn at random.

The judge's scores f are cheap and biased, people's scores y are right and few. Of N units, people
score n. The mean of a system's scores is corrected by how far the two are apart where both are
known: θ_i = mean_n(y_i) − λ·(mean_n(f_i) − mean_N(f_i)), which equals
mean_n(y_i − c·f_i) + c·mean_U(f_i), with c = λ·(1 − n/N) and U the units that people did not score.
Whatever the weight λ is, θ estimates the mean of people's scores of all units; the weight says how
much is gained. It is 0 where the judge tells nothing of the differences between systems, and then
people's scores alone count.

Sources: Angelopoulos, Bates, Fannjiang, Jordan and Zrnic 2023, "Prediction-Powered Inference",
Science 382; Angelopoulos, Duchi and Zrnic 2023, "PPI++: Efficient Prediction-Powered Inference";
Chatzi, Straitouri, Thejaswi and Gomez-Rodriguez 2024, "Prediction-Powered Ranking of Large Language
Models", NeurIPS 37.
"""

from __future__ import annotations

import numpy as np

from .arrays import Bools, Floats, Ints

#: Fewer units that people scored do not say how far the judge is off.
FEWEST_JUDGED = 30


def weight_of(people: Floats, judge: Floats) -> float:
    """Return the weight λ of the judge's scores, the same for all systems.

    ``people`` and ``judge`` [m, n] are the scores of the m systems that compete on the n units that
    people scored; nan in ``people`` where they did not score a system. With both centered by
    system, and then over systems within a unit, it is Σ cov(y_i, f_i) / Σ var(f_i), or 0 if that is
    negative: what serves the differences between systems best. It has no upper limit, because a
    judge with a narrow scale needs a weight above 1.
    """
    y = _within_units(people, people)
    f = _within_units(judge, people)
    spread = float((f * f).sum())
    return max(0.0, float((y * f).sum()) / spread) if spread > 0 else 0.0


def _within_units(scores: Floats, people: Floats) -> Floats:
    """Return scores [m, n] without the means of systems and of units; 0 where people have none."""
    deviations = centered_by_system(scores, ~np.isnan(people))
    return deviations - deviations.mean(axis=0) if len(deviations) > 1 else deviations


def centered_by_system(scores: Floats, judged: Bools) -> Floats:
    """Return scores [m, n] without each system's mean over its ``judged`` [m, n] units.

    The others become 0, and the rest counts n / n_i times, n_i being the number of judged ones. So
    the mean of products of two systems is the covariance of their means, times n.
    """
    counts = judged.sum(axis=1, keepdims=True)
    filled = np.where(judged, scores, 0.0)
    deviations = np.where(judged, scores - filled.sum(axis=1, keepdims=True) / counts, 0.0)
    return np.asarray(deviations * (judged.shape[1] / counts))


def partly_judged(judged: Bools, groups: Ints) -> int | None:
    """Return the first group of which people scored some units, but not all; None without one.

    ``judged`` [N] marks the units that people scored, and ``groups`` [N] numbers their groups.
    """
    sizes = np.bincount(groups)
    counts = np.bincount(groups, judged)
    partly = np.flatnonzero((counts > 0) & (counts < sizes))
    return int(partly[0]) if partly.size else None
