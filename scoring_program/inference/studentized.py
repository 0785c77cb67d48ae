"""Studentized draws (bootstrap-t), for pairs whose plain draws keep too few of the best entries.

On resample b with w_u draws of unit u, the standard error of the difference of a pair is estimated
from its influence values d_u: se*² = Σ_u w_u·(d_u − their weighted mean)². The draw divides by it
instead of by se. The larger of the two draws counts, and se* is at least `FLOOR` of se. Without
this floor, one enormous error, or one copy with a few changed rows, has draws without bound, and
then every entry is tied with the leader. The observed difference is divided by the larger of se and
the standard error of the jackknife's values, because the smooth approximation understates what few
units decide.
Sources: Hall 1992, *The Bootstrap and Edgeworth Expansion*; Romano and Wolf 2005, "Exact and
Approximate Stepdown Methods for Multiple Hypothesis Testing"; Efron and Tibshirani 1994, chapter
11; MacKinnon, Nielsen and Webb 2023, "Cluster-robust inference: A guide to empirical practice"
(the jackknife with uneven groups). The floor and the larger of two are ours; docs/explanation/
method.md shows what they do in simulations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..bootstrap.counts import DrawCounts
from ..core.arrays import Bools, Floats, Ints
from ..core.errors import SettingsError
from .basis import Basis
from .draws import Chosen

#: Fewer resampled units, or a smaller effective number of groups, need studentized draws.
FEW_UNITS, FEW_GROUPS = 200, 100
#: A resample's standard error counts as at least this share of that over all resamples.
FLOOR = 1 / 3
#: Products of draws and pairs from which heavy tails alone are no reason: half a minute.
_MOST_PRODUCTS = 10**12
#: Pairs, and units times pairs or resamples, that are handled at once.
_PAIRS_AT_ONCE, _AT_ONCE = 256, 2**20


def reason(basis: Basis) -> str | None:
    """Return why draws are studentized: a key of the page's texts; None if they are not."""
    asked, groups = basis.settings.studentized, basis.scores.groups_in_effect
    alone = basis.observed.size < 2 or basis.scores.units < 2
    if asked == "never" or basis.scores.counts is None or alone:
        return None
    if asked == "always":
        found = "always"
    elif groups is not None and groups < FEW_GROUPS:
        found = "few_groups"
    elif basis.scores.units < FEW_UNITS:
        found = "few_units"
    else:
        found = "heavy_tails"
    return found if _pairs(basis, found).any() else None


def _pairs(basis: Basis, found: str) -> Bools:
    """Return the pairs [m, m] with studentized draws."""
    if basis.influence is None:
        return np.zeros_like(basis.heavy_tailed)
    if found == "heavy_tails":
        products = np.count_nonzero(basis.heavy_tailed) // 2 * len(basis.influence)
        affordable = products * basis.bootstrap.resamples <= _MOST_PRODUCTS
        return basis.heavy_tailed if affordable else np.zeros_like(basis.heavy_tailed)
    known = np.asarray(np.isfinite(basis.influence).all(axis=0))
    return np.asarray(np.logical_and.outer(known, known) & ~np.eye(known.size, dtype=np.bool_))


@dataclass(frozen=True, eq=False)
class StudentizedErrors:
    """How the standard errors of some pairs vary over the resamples (`draws.ResampledErrors`).

    Either the units' draws or the results are kept, whichever take less memory.
    """

    reason: str
    row: Ints  # [m, m], symmetric: the row of a pair among the ratios; −1 for others
    errors: Floats  # [m, m]: what the observed differences are divided by
    _pairs: _Pairs
    _drawn: DrawCounts | None  # [B, N]
    _held: NDArray[np.float32] | None  # [rows, B]

    @classmethod
    def of(cls, basis: Basis, errors: Floats) -> StudentizedErrors | None:
        """Return the studentized scale if the settings or the data ask for it.

        ``errors`` [m, m] are the standard errors of the pairs over all resamples. Raises
        SettingsError if the draws need more memory than the settings allow.
        """
        found = reason(basis)
        if found is None or basis.influence is None or basis.scores.counts is None:
            return None
        first, second = np.nonzero(np.triu(_pairs(basis, found) & (errors > 0), 1))
        row = np.full(errors.shape, -1, np.intp)
        row[first, second] = row[second, first] = np.arange(first.size)
        influence = np.ascontiguousarray(basis.influence.T)
        pairs = _Pairs(influence, first, second, errors[first, second], basis.scores.strata)
        drawn = held = None
        if 8 * first.size < len(basis.influence):
            held = np.concatenate([pairs.ratios(c) for c in basis.scores.counts()], axis=1)
        else:
            _check_memory(len(basis.influence) * basis.bootstrap.resamples, basis.settings.memory)
            drawn = np.concatenate(list(basis.scores.counts()))
        wide = np.where(row >= 0, np.fmax(errors, _jackknife_errors(basis)), errors)
        return cls(found, row, wide, pairs, drawn, held)

    def ratios(self, rows: Chosen, resamples: Chosen) -> NDArray[np.float32]:
        """Return se / se* [rows, b] of some pairs on some resamples."""
        if self._held is not None:
            return self._held[rows][:, resamples]
        assert self._drawn is not None
        return self._pairs.take(rows).ratios(self._drawn[resamples])


def _check_memory(needed: int, allowed: float) -> None:
    if needed > allowed * 2**30:
        raise SettingsError(
            f"studentized: the draws of all resamples need {needed / 2**30:.1f} GiB, but 'memory' "
            f"allows only {allowed:.1f} GiB; use 'never', lower 'resamples', or raise 'memory'"
        )


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs whose standard errors are estimated on resamples."""

    influence: Floats  # [m, N]
    first: Ints  # [k]
    second: Ints
    errors: Floats  # [k] over all resamples
    strata: Ints | None  # [N]

    def take(self, rows: Chosen) -> _Pairs:
        """Return some of the pairs."""
        chosen = (self.first[rows], self.second[rows], self.errors[rows])
        return _Pairs(self.influence, *chosen, self.strata)

    def ratios(self, counts: DrawCounts) -> NDArray[np.float32]:
        """Return se / se* [k, b] on the resamples with these counts [b, N]."""
        resamples, units = counts.shape
        strata = list(_members(self.strata, units))
        found = np.empty((self.first.size, resamples), np.float32)
        at_once = max(1, _AT_ONCE // units)
        step = max(1, min(_PAIRS_AT_ONCE, at_once))
        for start in range(0, self.first.size, step):
            pairs = slice(start, start + step)
            difference = self.influence[self.first[pairs]] - self.influence[self.second[pairs]]
            # In standard errors, so that single precision is enough.
            difference = (difference / self.errors[pairs, None]).astype(np.float32)
            square = np.square(difference)
            for first in range(0, resamples, at_once):
                weights = counts[first : first + at_once].T.astype(np.float32)
                variance: NDArray[np.float32] = square @ weights
                for members, size in strata:
                    sums = difference[:, members] @ weights[members]
                    variance -= np.square(sums, out=sums) / np.float32(size)
                np.maximum(variance, FLOOR**2, out=variance)
                np.sqrt(variance, out=variance)
                np.reciprocal(variance, out=found[pairs, first : first + at_once])
        return found


def _members(strata: Ints | None, units: int) -> Iterator[tuple[Ints | slice, int]]:
    """Yield the units of each stratum, and their number."""
    if strata is None:
        yield slice(None), units
        return
    for stratum in np.unique(strata):
        members = np.flatnonzero(strata == stratum)
        yield members, members.size


def _jackknife_errors(basis: Basis) -> Floats:
    """Return the jackknife's standard errors of all pairs [m, m], nan where it has none.

    Where the influence values are the jackknife's own, they are not computed again.
    """
    assert basis.influence is not None
    units = len(basis.influence)
    cheap = basis.scores.metric.definition.evaluation == "sums"
    values = basis.influence
    if basis.scores.jackknife is not None and (cheap or units <= FEW_UNITS):
        with np.errstate(divide="ignore", invalid="ignore"):
            values = basis.scores.jackknife() * ((units - 1) / units)
    products = np.zeros((basis.observed.size, basis.observed.size))
    for members, _size in _members(basis.scores.strata, units):
        centered = values[members] - values[members].mean(axis=0)
        products += centered.T @ centered
    squares = products.diagonal()
    return np.asarray(np.sqrt(np.maximum(squares[:, None] + squares - 2.0 * products, 0.0)))
