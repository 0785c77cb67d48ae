"""Pairs of entries that share more errors than two independent systems would.

Two systems that were built independently make the same mistakes on difficult examples, because the
other entries make them, too. For the pair (a, b), let s_rc be the share of the other m − 2 entries
that give the wrong answer c to example r. Entry a gives that answer with probability P_a(r, c),
which is proportional to s_rc and scaled to a's number of errors. The number of shared errors is
then a sum of independent Bernoulli variables with probabilities p_r = Σ_c P_a(r, c)·P_b(r, c): it
is Poisson-binomial, and its upper tail is the p-value. Holm's method adjusts over all pairs.

Models of one family share far more errors than the field predicts, without any copying. So a pair
is reported only if its shared errors are also compatible with a copy: they are not significantly
fewer than `OVERLAP` of the errors of the entry that makes fewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from statsmodels.stats.multitest import multipletests

from ..core.arrays import Bools, Floats, Ints
from .answer_field import Answers
from .confusion import shared_errors

#: Fewest entries for which the difficulty of an example can be estimated.
FEWEST = 5
#: Probability of reporting any pair in a competition without copies.
FALSE_ALARM = 0.01
#: Share of the errors that a copy keeps. With 5% of its labels edited at random it keeps .95 or
#: more. Refits of one model on bootstrap samples of its training set shared up to .88 of theirs.
OVERLAP = 0.93
#: Level of the test that a pair shares fewer errors than a copy.
_LEVEL = 0.05
#: Weight of a wrong answer that no other entry gives, in entries.
_SMOOTHING = 0.5
#: Of pairs whose shared errors exceed their expectation by fewer standard deviations, the tail is
#: not computed: their p-values are far above any that Holm's method rejects.
_SCREEN = 2.0


@dataclass(frozen=True)
class NearCopy:
    """Two entries that share more errors than expected; ``p_value`` is Holm's."""

    entries: tuple[int, int]
    shared_errors: int
    expected: float
    errors: tuple[int, int]
    p_value: float


def near_copies(field: Answers, allowed: set[tuple[int, int]] | None = None) -> list[NearCopy]:
    """Return the pairs that are near-copies, the strongest evidence first.

    ``allowed`` are pairs (i < j) that may be alike, such as runs of one team. Fewer than `FEWEST`
    entries are not tested.
    """
    m = len(field.names)
    if m < FEWEST:
        return []
    tested = [(i, j) for i in range(m) for j in range(i + 1, m) if (i, j) not in (allowed or set())]
    shared = shared_errors(field)
    model = _Model.of(field)
    alike = _like_copies(shared)
    suspects = [pair for pair in tested if alike[pair] and model.exceeded(*pair, shared[pair])]
    found = {pair: model.tail(*pair, int(shared[pair])) for pair in suspects}
    p_values = np.array([found[pair][1] if pair in found else 1.0 for pair in tested])
    if not p_values.size:
        return []
    adjusted = multipletests(p_values, method="holm")[1]
    copies = [
        NearCopy(
            pair,
            int(shared[pair]),
            found[pair][0],
            (int(shared[pair[0], pair[0]]), int(shared[pair[1], pair[1]])),
            float(p),
        )
        for pair, p in zip(tested, adjusted, strict=True)
        if p <= FALSE_ALARM
    ]
    return sorted(copies, key=lambda copy: (copy.p_value, copy.entries))


def _like_copies(shared: Ints) -> Bools:
    """Return which pairs share as many errors as a copy would, [m, m]."""
    from scipy.stats import binom  # half a second; no other step of the program needs it

    errors = np.diag(shared)
    fewer = np.minimum(errors[:, None], errors[None, :])
    return np.asarray(binom.cdf(shared, fewer, OVERLAP) > _LEVEL)


@dataclass(frozen=True, eq=False)
class _Model:
    """Wrong answers by example: a cell is an example and a wrong answer that some entry gives."""

    rows: Ints  # [cells]: the example of each cell, ascending
    counts: Floats  # [cells]: the entries that give this answer
    given: Sequence[Ints]  # [m]: the cells of each entry

    @classmethod
    def of(cls, field: Answers) -> _Model:
        wrong, codes = field.wrong, field.codes
        cell = np.arange(len(field.gold)) * codes + field.predicted  # [m, n]
        used, inverse, counts = np.unique(cell[wrong], return_inverse=True, return_counts=True)
        given = np.split(inverse.reshape(-1), np.cumsum(wrong.sum(axis=1))[:-1])
        return cls(used // codes, counts.astype(float), given)

    def _others(self, a: int, b: int) -> Floats:
        """Return the smoothed number of other entries that give the wrong answer of each cell."""
        others = self.counts + _SMOOTHING
        others[self.given[a]] -= 1
        others[self.given[b]] -= 1
        return others

    def probabilities(self, a: int, b: int) -> Floats:
        """Return p_r of every example that has a cell, [examples]."""
        others = self._others(a, b)
        share = others / others.sum()
        product = np.ones_like(share)
        for entry in (a, b):
            product *= np.minimum(1.0, share * len(self.given[entry]))
        starts = np.flatnonzero(np.diff(self.rows, prepend=-1))
        return np.minimum(1.0, np.add.reduceat(product, starts))

    def exceeded(self, a: int, b: int, shared: int) -> bool:
        """Whether the pair shares more errors than expected by two standard deviations."""
        probabilities = self.probabilities(a, b)
        expected = probabilities.sum()
        spread = float(np.sqrt((probabilities * (1 - probabilities)).sum()))
        return bool(shared > expected + _SCREEN * spread)

    def tail(self, a: int, b: int, shared: int) -> tuple[float, float]:
        """Return the expected number of shared errors and the probability of as many or more."""
        probabilities = self.probabilities(a, b)
        return float(probabilities.sum()), poisson_binomial_tail(probabilities, shared)


def poisson_binomial_tail(probabilities: Floats, least: int) -> float:
    """Return P(X ≥ least) of the number X of successes of independent trials, [n] probabilities.

    The distribution below ``least`` is computed by adding one trial after another.
    """
    if least <= 0:
        return 1.0
    # Small probabilities first keeps the rounding errors of the tail small.
    below, reached = np.zeros(least), 0.0
    below[0] = 1.0
    for p in np.sort(probabilities[probabilities > 0]):
        reached += below[-1] * p
        below[1:] += p * (below[:-1] - below[1:])
        below[0] *= 1 - p
    return min(1.0, reached)
