"""Compares a reference with all entries: the leader, or an entry that was fixed in advance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Bools
from .analysis import Differences, ReferenceTest
from .basis import Basis
from .comparisons import Comparisons, compare, moments
from .corrections import adjust
from .draws import Draws
from .field import number
from .significance import two_sided_bootstrap
from .standing import Standing
from .step_down import against_reference
from .ties import tied


@dataclass(frozen=True, eq=False)
class ReferenceComparisons:
    """How one entry compares with all [m], and which are tied with it under each rule.

    ``fixed`` means that it was named in advance, and not selected because it leads on these data.
    """

    entry: int
    fixed: bool
    comparisons: Comparisons
    differences: Differences
    tied: Mapping[str, Bools]


@dataclass(frozen=True, eq=False)
class References:
    """The entries that all others are compared with."""

    tests: Mapping[int, ReferenceTest]  # of each baseline and ``reference_entry``
    leader: ReferenceComparisons
    shown: ReferenceComparisons  # the leader, unless ``reference_entry`` names another

    @classmethod
    def of(cls, basis: Basis, standing: Standing) -> References:
        """Compare the leader and ``reference_entry`` with every entry.

        Raises `SettingsError` if ``reference_entry`` is not an entry.
        """
        named = basis.settings.reference_entry
        fixed = None if named is None else number(named, basis.scores.names, "reference_entry")
        tests = _tests(basis, standing.draws, fixed)
        leader = _against_leader(basis, standing, tests)
        shown = leader if fixed is None else _against_fixed(basis, standing, tests[fixed])
        return cls(tests, leader, shown)


def _tests(basis: Basis, draws: Draws, fixed: int | None) -> dict[int, ReferenceTest]:
    """Test every baseline, and the entry ``fixed`` in advance, against all others."""
    competing = basis.field.competing
    theta = basis.bootstrap.theta
    tests = {}
    for entry in (*basis.field.baselines, *(() if fixed is None else (fixed,))):
        p_values = np.ones(theta.size)
        for others in (competing, ~competing):
            family = np.flatnonzero(others & basis.field.rivals[entry])
            p_values[family] = against_reference(draws, entry, family)
        tests[entry] = ReferenceTest(entry, theta[entry] - theta, p_values)
    return tests


def _against_leader(
    basis: Basis, standing: Standing, tests: Mapping[int, ReferenceTest]
) -> ReferenceComparisons:
    """Compare the leader with every entry; ``tests`` are the tests of the baselines."""
    leader, theta = basis.field.leader, basis.bootstrap.theta
    # The tie rules ask whether the leader is better, or whether an entry could have won. Only a
    # baseline's own test (algorithm A) can say that the baseline is better than the leader.
    ahead = np.zeros(theta.size, dtype=np.bool_)
    for baseline in basis.field.baselines:
        better = theta[baseline] > theta[leader]
        ahead[baseline] = better and tests[baseline].p_value[leader] <= basis.alpha
    outright = standing.behind_outright[basis.field.competing].any(axis=0)
    return _against(basis, leader, standing.could_be_best, ahead | outright, fixed=False)


def _against_fixed(basis: Basis, standing: Standing, test: ReferenceTest) -> ReferenceComparisons:
    """Compare an entry that was fixed in advance with every entry, two-sided."""
    equal = test.p_value > basis.alpha
    outright = standing.behind_outright | standing.behind_outright.T
    return _against(basis, test.reference, equal, outright[test.reference], fixed=True)


def _against(
    basis: Basis, entry: int, kept_by_max_t: Bools, apart: Bools, *, fixed: bool
) -> ReferenceComparisons:
    """Compare an entry with all; ``apart`` [m] marks those that are tied with it under no rule."""
    entries = np.arange(basis.field.order.size)
    pairs = moments(basis.bootstrap, np.full_like(entries, entry), entries)
    comparisons = compare(basis.bootstrap, pairs, interval=basis.settings.interval, tail=basis.tail)
    differences = _differences(basis, comparisons, two_sided=fixed)
    ties = tied(
        comparisons,
        differences,
        kept_by_max_t,
        apart,
        two_sided=fixed,
        alpha=basis.alpha,
    )
    return ReferenceComparisons(entry, fixed, comparisons, differences, ties)


def _differences(basis: Basis, against: Comparisons, *, two_sided: bool) -> Differences:
    field = basis.field
    p_two_sided = two_sided_bootstrap(
        basis.bootstrap.differences(against.first, against.second),
        against.mean,
        against.observed,
        against.tolerance,
    )
    # The reference's comparisons with itself and with runs of its team are in no family; those with
    # baselines form their own family.
    reference = int(against.first[0])
    family = (field.competing[against.second] != field.competing[field.leader]).astype(np.intp)
    own = ~field.rivals[reference]
    family[own] = -1
    counted = p_two_sided if two_sided else against.p_one_sided
    adjusted = adjust(basis.to_correct(against, counted, two_sided=two_sided), family)
    for p_values in adjusted.values():
        p_values[own] = 1.0
    return Differences(
        observed=against.observed,
        mean=against.mean,
        standard_error=against.standard_error,
        low=against.low,
        high=against.high,
        p_one_sided=against.p_one_sided,
        p_two_sided=p_two_sided,
        p_adjusted=adjusted,
    )
