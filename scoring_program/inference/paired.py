"""Tests of two entries beyond the bootstrap: randomization for any metric, McNemar for accuracy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..core.errors import SettingsError, nearest
from ..core.methods import TESTS
from . import significance
from .analysis import PairedTests
from .comparisons import Comparisons
from .inputs import Randomized


def check(
    tests: Sequence[str],
    metric: str,
    *,
    correct: Bools | None,
    randomized: Randomized | None,
    groups: int | None,
) -> None:
    """Raise `SettingsError` for a test that does not exist or does not apply to the metric."""
    for test in tests:
        if test not in TESTS:
            known = ", ".join(TESTS)
            raise SettingsError(
                f"tests: unknown test {test!r} (known: {known}){nearest(test, TESTS)}"
            )
    if "randomization" in tests and randomized is None:
        raise SettingsError(f"tests: {metric} cannot be scored with swapped predictions")
    if "mcnemar" not in tests:
        return
    if correct is None:
        raise SettingsError(
            "tests: McNemar's test compares right and wrong answers, so it applies to accuracy, "
            f"not to {metric}; ask for 'randomization' instead"
        )
    if groups is not None:
        raise SettingsError(
            "tests: McNemar's test needs independent examples, but whole groups are resampled; "
            "ask for 'randomization' instead, which swaps whole groups"
        )


def paired_tests(
    tests: Sequence[str],
    against: Comparisons,
    *,
    sign: int,
    correct: Bools | None,
    randomized: Randomized | None,
    units: int,
    resamples: int,
    seed: int,
) -> PairedTests | None:
    """Test the reference against every entry as ``tests`` say; None when they ask for nothing.

    ``against`` compares the reference with the m entries in their order. ``randomized`` gives
    scores in the metric's own sign, ``sign`` is −1 where less is better. All entries share the same
    swaps.
    """
    if not tests:
        return None
    one_sided = two_sided = exact = mid_p = discordant = None
    if "randomization" in tests and randomized is not None:
        one_sided, two_sided = _randomization(against, sign, randomized, units, resamples, seed)
    if "mcnemar" in tests and correct is not None:
        exact, mid_p, discordant = _mcnemar(against, correct)
    return PairedTests(one_sided, two_sided, exact, mid_p, discordant)


def _randomization(
    against: Comparisons,
    sign: int,
    randomized: Randomized,
    units: int,
    resamples: int,
    seed: int,
) -> tuple[Floats, Floats]:
    every = significance.enumerable(units, resamples)
    pairs = list(zip(against.first.tolist(), against.second.tolist(), strict=True))
    results = [
        significance.Randomization(float(observed), float(tolerance), every)
        for observed, tolerance in zip(against.observed, against.tolerance, strict=True)
    ]
    for swap in significance.swaps(np.random.default_rng(seed), units, resamples):
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
