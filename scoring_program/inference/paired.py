"""Tests of two entries beyond the bootstrap: randomization for any metric, McNemar for accuracy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..core.errors import SettingsError, nearest
from ..core.methods import TESTS
from . import significance
from .analysis import PairedTests
from .basis import Basis
from .comparisons import Comparisons
from .inputs import MetricScores, Randomized


def check(scores: MetricScores, tests: Sequence[str]) -> None:
    """Raise `SettingsError` if a test does not exist or does not apply to the metric."""
    for test in tests:
        if test not in TESTS:
            known = ", ".join(TESTS)
            raise SettingsError(
                f"tests: unknown test {test!r} (known: {known}){nearest(test, TESTS)}"
            )
    if "randomization" in tests and scores.randomized is None:
        raise SettingsError(
            f"tests: 'randomization' needs scores of swapped predictions, and {scores.metric.name} "
            "cannot give them; leave this test out"
        )
    if "mcnemar" not in tests:
        return
    if scores.correct is None:
        raise SettingsError(
            "tests: McNemar's test compares right and wrong predictions, so it applies to accuracy "
            f"without weights and not to {scores.metric.name}; use 'randomization' instead"
        )
    if scores.groups is not None:
        raise SettingsError(
            "tests: McNemar's test needs independent examples, but whole groups are resampled; "
            "use 'randomization' instead, which swaps whole groups"
        )


def paired_tests(basis: Basis, against: Comparisons) -> PairedTests | None:
    """Run the tests that the settings request for the reference; None if they request none.

    ``against`` compares the reference with the m entries in their order. All entries share the same
    swaps.
    """
    scores, tests = basis.scores, basis.settings.tests
    if not tests:
        return None
    one_sided = two_sided = exact = mid_p = discordant = None
    if "randomization" in tests and scores.randomized is not None:
        one_sided, two_sided = _randomization(basis, scores.randomized, against)
    if "mcnemar" in tests and scores.correct is not None:
        exact, mid_p, discordant = _mcnemar(against, scores.correct)
    return PairedTests(one_sided, two_sided, exact, mid_p, discordant)


def _randomization(
    basis: Basis, randomized: Randomized, against: Comparisons
) -> tuple[Floats, Floats]:
    units, resamples = basis.scores.units, basis.bootstrap.resamples
    sign = 1 if basis.scores.metric.greater_is_better else -1
    every = significance.enumerable(units, resamples)
    pairs = list(zip(against.first.tolist(), against.second.tolist(), strict=True))
    results = [
        significance.Randomization(float(observed), float(tolerance), every)
        for observed, tolerance in zip(against.observed, against.tolerance, strict=True)
    ]
    rng = np.random.default_rng(basis.settings.seed)
    for swap in significance.swaps(rng, units, resamples):
        for (reference, entry), result in zip(pairs, results, strict=True):
            if reference != entry:
                ours, theirs = randomized(reference, entry, swap)
                result.add(sign * (ours - theirs))
    itself = against.first == against.second
    one_sided = [result.one_sided if result.defined else 1.0 for result in results]
    two_sided = [result.two_sided if result.defined else 1.0 for result in results]
    return np.where(itself, 1.0, one_sided), np.where(itself, 1.0, two_sided)


def _mcnemar(against: Comparisons, correct: Bools) -> tuple[Floats, Floats, Ints]:
    ours, theirs = correct[:, against.first], correct[:, against.second]
    only_ours = np.count_nonzero(ours & ~theirs, axis=0)
    only_theirs = np.count_nonzero(theirs & ~ours, axis=0)
    p_values = [
        significance.mcnemar(int(b), int(c)) for b, c in zip(only_ours, only_theirs, strict=True)
    ]
    exact, mid_p = np.array(p_values).T
    return exact, mid_p, (only_ours + only_theirs).astype(np.intp)
