"""Studentized draws (bootstrap-t), where plain draws keep too few of the best entries.

They serve the whole competition where few units, or few groups, are resampled. Otherwise they only
serve the p-values of heavy-tailed pairs with an entry that was fixed in advance (algorithm A): the
families of the other algorithms hold no such pairs (`reliable`).

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
(the jackknife with uneven groups). The floor and the larger of two are ours;
docs/explanation/method/checks.md shows what they do in simulations.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial

import numpy as np

from ...bootstrap.design import Counts, DistinctRows
from ...core.arrays import Bools, Floats, Ints, Reals
from ...core.errors import SettingsError
from ...core.exact import multiples
from ...core.executor import HERE, Executor
from ...core.grouping import Grouping
from ..basis import FEW_UNITS, Basis
from .draws import Chosen, ResampledErrors, Singles

#: A smaller effective number of groups needs studentized draws.
FEW_GROUPS = 100
#: A resample's standard error counts as at least this share of that over all resamples.
FLOOR = 1 / 3
#: Units times resamples, and the fewest resamples, that are handled at once.
_AT_ONCE = 2**20
_FEWEST = 16
#: Of at most so many units, squared differences are rounded to such parts of the squared standard
#: error, whose sums up to `_EXACT` of it single precision holds exactly.
_FEW = 1024
_PART = 2.0**-22
_EXACT = _PART * 2**24
#: Units times pairs whose squares are kept, 64 megabytes; of more, so many pairs at once.
_HELD = 2**24
_PAIRS_AT_ONCE = 256


def _occasion(basis: Basis) -> str | None:
    """Return what asks for studentized draws of the pairs that have influence values."""
    asked = basis.question.studentized
    groups = basis.scores.groups_in_effect
    alone = basis.observed.size < 2 or basis.scores.units < 2
    if asked == "never" or basis.scores.counts is None or alone:
        return None
    if asked == "always":
        return "always"
    if basis.scores.people is not None:  # the t distribution allows for few units of people's
        return "heavy_tails"
    if groups is not None and groups < FEW_GROUPS:
        return "few_groups"
    return "few_units" if basis.scores.units < FEW_UNITS else "heavy_tails"


def with_fixed(basis: Basis) -> Bools:
    """Return the pairs [m, m] with a baseline, or with the reference entry that is named."""
    named = [name == basis.question.reference_entry for name in basis.scores.names]
    fixed = ~basis.field.competing | np.array(named)
    return np.asarray(fixed[:, None] | fixed)


def resampled_errors(
    basis: Basis, errors: Floats, fixed: bool | None = None
) -> ResampledErrors | None:
    """Return the studentized scale if the question or the data ask for it.

    ``errors`` [m, m] are the standard errors of the pairs over all resamples. It is that of the
    pairs with a ``fixed`` entry, of algorithm A, or of all pairs, of the families of the others;
    None for both. Either the units' draws or the ratios are kept, whichever take less memory.
    Raises SettingsError if the draws need more memory than there is.
    """
    occasion = _occasion(basis)
    drawn_of = basis.scores.counts
    if occasion is None or drawn_of is None:
        return None
    marked = _marked_pairs(basis, occasion, fixed)
    if marked is None or not marked.any() or basis.influence is None:
        return None
    # In this order, the pairs of an entry with worse ones lie side by side.
    order = np.argsort(-basis.bootstrap.theta, kind="stable")
    chosen = (marked & (errors > 0))[np.ix_(order, order)]
    first, second = (order[places] for places in np.nonzero(np.triu(chosen, 1)))
    row = np.full(errors.shape, -1, np.intp)
    row[first, second] = row[second, first] = np.arange(first.size)
    distinct = basis.scores.distinct
    if distinct is not None and not distinct.share(basis.influence.values):
        distinct = None  # a metric that tells the units of a set apart
    if distinct is not None and basis.scores.set_counts is not None:
        drawn_of = basis.scores.set_counts
    pairs = _Pairs(basis, distinct, first, second, errors[first, second])
    units = len(basis.influence.values)
    if 8 * first.size < units:
        blocks_of_ratios = [pairs.ratios(counts, executor=basis.executor) for counts in drawn_of()]
        ratios = partial(held_ratios, np.concatenate(blocks_of_ratios, axis=1))
    else:
        needed = units * basis.bootstrap.resamples
        allowed = basis.executor.memory
        if needed > allowed:
            raise SettingsError(
                f"studentized: the draws of all resamples need {needed / 2**30:.1f} GiB, but "
                f"'memory' allows only {allowed / 2**30:.1f} GiB; use 'never', lower 'resamples', "
                "or raise 'memory'"
            )
        blocks = list(drawn_of())
        drawn = blocks[0] if len(blocks) == 1 else np.concatenate(blocks)
        ratios = partial(_drawn_ratios, pairs, drawn)
    wide = errors.copy()
    of_pairs = np.fmax(errors[first, second], _jackknife_errors(basis, first, second))
    wide[first, second] = wide[second, first] = of_pairs
    return ResampledErrors(occasion, wide, row, ratios)


def _marked_pairs(basis: Basis, occasion: str, fixed: bool | None) -> Bools | None:
    """Return which pairs [m, m] are studentized on the ``occasion``; None if none may be.

    Where heavy tails are it, hardly ever is any, and no influence value of a single unit is made.
    """
    if occasion == "heavy_tails":  # no family holds such a pair
        return None if fixed is False else basis.heavy_tailed & with_fixed(basis)
    if basis.influence is None:
        return None
    has_influence = np.isfinite(basis.influence.values).all(axis=0)
    marked: Bools = np.logical_and.outer(has_influence, has_influence)
    np.fill_diagonal(marked, False)
    if fixed:
        marked &= with_fixed(basis)
    return marked


def held_ratios(ratios: Singles, rows: Chosen, resamples: Chosen) -> Singles:
    """Return some rows of ratios [rows, B] on some resamples."""
    return ratios[rows][:, resamples]


def _drawn_ratios(pairs: _Pairs, drawn: Counts, rows: Chosen, resamples: Chosen) -> Singles:
    return pairs.ratios(drawn[resamples], rows)


class _Pairs:
    """Pairs whose standard errors are estimated on resamples, from N units or K sets of them.

    They are of the entries ``first`` [k] and ``second`` [k]; ``errors`` [k] are over all resamples.
    """

    def __init__(
        self, basis: Basis, distinct: DistinctRows | None, first: Ints, second: Ints, errors: Floats
    ) -> None:
        assert basis.influence is not None
        entries, numbers = np.unique([first, second], return_inverse=True)
        influence = basis.influence.values[:, entries]
        strata = basis.scores.strata
        grouping = Grouping(len(influence))
        if distinct is not None:
            influence = influence[distinct.first]
            grouping = distinct.grouping
            strata = None if strata is None else strata[distinct.first]
        self.first, self.second = numbers.reshape(2, -1)  # among the entries that are in a pair
        self.errors = errors
        self.influence = np.ascontiguousarray(influence.T)  # [e, N or K] of these entries
        # Of each stratum, which units or sets; and its number of units.
        self.strata = list(_members(strata, grouping))
        self.noisy = basis.influence.noise > 0  # whether the influence values are estimated
        self._units = basis.influence.units
        self._scale = float(np.abs(influence).max(initial=0.0)) or 1.0
        # Of each stratum, the influence values [e, N or K of it] as parts of the largest one. All
        # of its units are drawn, as often as there are units, so that their sums are exact.
        self._of_strata = [
            (multiples(self.influence[:, members] / self._scale, size.bit_length())[0], members)
            for members, size in self.strata
        ]

    def ratios(
        self, counts: Counts, rows: Chosen = slice(None), executor: Executor = HERE
    ) -> Singles:
        """Return se / se* [k, b] of some pairs on the resamples with these counts [b, N or K].

        The ``executor`` shares the resamples.
        """
        resamples, units = counts.shape
        numbers = np.arange(self.first.size)[rows]
        ratios = np.empty((numbers.size, resamples), np.float32)
        step = max(_FEWEST, _AT_ONCE // units)

        def fill(start: int) -> None:
            drawn = counts[start : start + step].T
            self._fill(numbers, drawn, ratios[:, start : start + step])

        executor.each(fill, range(0, resamples, step))
        return ratios

    def _fill(self, numbers: Ints, drawn: Counts, ratios: Singles) -> None:
        """Fill in se / se* [k, b] of the pairs with these numbers; ``drawn`` [N or K, b]."""
        pairs = [self.first[numbers], self.second[numbers]]
        entries, places = np.unique(pairs, return_inverse=True)
        first, second = places.reshape(2, -1)
        weights = drawn.astype(np.float64)
        # The sums [e, b] within every stratum, and its size.
        sums = [
            ((values[entries] @ weights[members]).astype(np.float32), size)
            for (values, members), (_, size) in zip(self._of_strata, self.strata, strict=True)
        ]
        if self._units <= _FEW:
            weights = drawn.astype(np.float32)
        for start in range(0, numbers.size, _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            chosen = numbers[part]
            squares = self._squares_of(chosen) if self._squares is None else self._squares[chosen]
            variance = _weighted(squares, weights)
            for of_members, size in sums:
                # The sum of a difference is that of two entries': exact enough for a small part.
                mean = of_members[first[part]]
                mean -= of_members[second[part]]
                # What turns these sums into means in standard errors.
                per_error = self._scale / (self.errors[chosen] * np.sqrt(size))
                mean *= np.asarray(per_error[:, None], np.float32)
                variance -= np.square(mean, out=mean)
            if self.noisy:  # Without noise, the squares of a pair add up to 1.
                surplus = squares.sum(axis=1, keepdims=True, dtype=np.float64) - 1
                variance -= surplus.astype(np.float32)
            np.maximum(variance, FLOOR**2, out=variance)
            np.sqrt(variance, out=variance)
            np.reciprocal(variance, out=ratios[part])

    @cached_property
    def _squares(self) -> Reals | None:
        """The squares of all pairs, None if they take too much memory."""
        few = self.first.size * self.influence.shape[1] <= _HELD
        return self._squares_of(slice(None)) if few else None

    def _squares_of(self, rows: Chosen) -> Reals:
        """Return the squared differences [k, N] of some pairs, in standard errors.

        They are rounded so that their weighted sums are exact: `_weighted`.
        """
        difference = self.influence[self.first[rows]] - self.influence[self.second[rows]]
        difference /= self.errors[rows, None]
        squares = np.square(difference, out=difference)
        if self._units > _FEW:
            return multiples(squares, self._units.bit_length())[0]
        squares *= 1 / _PART
        np.rint(squares, out=squares)
        squares *= _PART
        return squares.astype(np.float32)


def _weighted(squares: Reals, weights: Reals) -> Singles:
    """Return the sums [k, b] of squares [k, N] under weights [N, b], the same on every processor.

    Those in single precision are exact up to `_EXACT`, and the others are added up in double.
    """
    if squares.dtype == np.float64:
        return np.asarray((squares @ weights).astype(np.float32))
    sums: Singles = np.asarray(squares @ weights, np.float32)
    if sums.size and sums.max() >= _EXACT:
        large = np.flatnonzero(sums.max(axis=1) >= _EXACT)
        exact = squares[large].astype(np.float64) @ weights.astype(np.float64)
        sums[large] = exact.astype(np.float32)
    return sums


def _members(strata: Ints | None, grouping: Grouping) -> Iterator[tuple[Ints | slice, int]]:
    """Yield the units of each stratum, or the sets of equal ones, and the number of units."""
    if strata is None:
        yield slice(None), grouping.examples
        return
    for stratum in np.unique(strata):
        members = np.flatnonzero(strata == stratum)
        yield members, grouping.take(members).examples


def _jackknife_errors(basis: Basis, first: Ints, second: Ints) -> Floats:
    """Return the jackknife's standard errors [k] of pairs of entries, nan where it has none.

    Where the influence values are the jackknife's own, they are not computed again.
    """
    assert basis.influence is not None
    if basis.influence.noise:
        return np.full(first.size, np.nan)
    values = basis.influence.values
    evaluation = basis.scores.metric.evaluation
    units = basis.influence.units
    grouping = basis.influence.grouping
    cheap = evaluation == "sums" or (units <= FEW_UNITS and evaluation not in ("called", "items"))
    if basis.scores.jackknife is not None and cheap:
        with np.errstate(divide="ignore", invalid="ignore"):
            values = basis.scores.jackknife() * ((units - 1) / units)
    columns = values.T
    weights = grouping.numbers.astype(np.float64)
    squares = np.zeros(first.size)
    step = max(1, _AT_ONCE // len(values))
    for members, _ in _members(basis.scores.strata, grouping):
        of_members = weights[members]
        for start in range(0, first.size, step):
            part = slice(start, start + step)
            # Of the difference itself, because of two alike entries' own hardly a digit is left.
            difference = columns[first[part]][:, members] - columns[second[part]][:, members]
            mean = (difference * of_members).sum(axis=1, keepdims=True) / of_members.sum()
            squares[part] += (np.square(difference - mean) * of_members).sum(axis=1)
    return np.asarray(np.sqrt(squares))
