from __future__ import annotations

from collections.abc import Callable
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from scoring_program.core.rounding import negligible
from scoring_program.inference.comparing import comparisons
from scoring_program.inference.comparing.distributions import Replicated

from .cases import ACCURACY, ERROR_RATE, Case, answers

#: Ten folds of a lecture on significance tests (Arguello): B is ahead of A by 0.07 on average.
FOLDS_A = np.array([0.2, 0.3, 0.1, 0.4, 1.0, 0.8, 0.3, 0.1, 0.0, 0.9])
FOLDS_B = np.array([0.5, 0.3, 0.1, 0.4, 1.0, 0.9, 0.1, 0.2, 0.5, 0.8])
#: Right (1) and wrong (0) answers of two systems on ten items, from a public tutorial.
ITEMS_A = np.array([1, 0, 1, 1, 0, 1, 1, 0, 1, 1], dtype=bool)
ITEMS_B = np.array([1, 1, 0, 0, 0, 1, 1, 0, 1, 0], dtype=bool)


def swapped_mean_difference(
    first: np.ndarray, second: np.ndarray
) -> Callable[[np.ndarray], np.ndarray]:
    def statistic(swap: np.ndarray) -> np.ndarray:
        advantage = np.asarray(first, dtype=float) - second
        return np.where(swap, -advantage, advantage).mean(axis=1)

    return statistic


def run(first: np.ndarray, second: np.ndarray, resamples: int = 10_000) -> Any:
    statistic = swapped_mean_difference(first, second)
    (observed,) = statistic(np.zeros((1, len(first)), dtype=bool))
    tolerance = float(negligible(np.mean(first), np.mean(second)))
    rng = np.random.default_rng(0)
    counts = np.zeros((3, 1), np.intp)
    for swap in comparisons.swaps(rng, len(first), resamples):
        counts[:, 0] += comparisons.reached(statistic(swap), observed, tolerance)
    exact = comparisons.enumerable(len(first), resamples)
    one_sided, two_sided = comparisons.randomization(counts, exact=exact)[:, 0]
    return SimpleNamespace(
        exact=exact,
        observed=observed,
        defined=counts[0, 0],
        one_sided=one_sided,
        two_sided=two_sided,
    )


class TestRandomization:
    def test_ten_folds_of_the_lecture(self) -> None:
        # 13 of the 64 ways to swap the six folds on which the systems differ reach 0.07.
        test = run(FOLDS_B, FOLDS_A)
        assert test.exact
        assert test.defined == 1024
        assert test.observed == pytest.approx(0.07)
        assert test.one_sided == 13 / 64
        assert test.two_sided == 26 / 64

    def test_ten_items_of_the_tutorial(self) -> None:
        # Of four items that just one system has right, A has three: 5 of 16 swaps, one-sided.
        test = run(ITEMS_A, ITEMS_B)
        assert (test.one_sided, test.two_sided) == (5 / 16, 10 / 16)

    def test_random_swaps_come_close_to_enumeration(self) -> None:
        test = run(FOLDS_B, FOLDS_A, resamples=1023)
        assert not test.exact
        assert test.one_sided == pytest.approx(13 / 64, abs=4 * np.sqrt(0.2 * 0.8 / 1023))

    def test_counts_plus_one(self) -> None:
        statistic = swapped_mean_difference(FOLDS_B, FOLDS_A)
        test = run(FOLDS_B, FOLDS_A, resamples=99)
        (swap,) = comparisons.swaps(np.random.default_rng(0), 10, 99)
        reached = sum(value >= 0.07 - 1e-12 for value in statistic(swap))
        assert test.one_sided == (1 + reached) / 100

    def test_undefined_statistics_are_left_out(self) -> None:
        counts = comparisons.reached(np.array([0.6, np.nan, -0.7, 0.1]), 0.5, 0.0)
        found = comparisons.randomization(np.array(counts)[:, None], exact=False)
        assert found.ravel().tolist() == [2 / 4, 3 / 4]

    def test_chunks_do_not_change_the_swaps_that_are_enumerated(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        whole = np.concatenate(list(comparisons.swaps(np.random.default_rng(0), 6, 64)))
        monkeypatch.setattr(comparisons, "_SWAPS_AT_ONCE", 30)
        parts = list(comparisons.swaps(np.random.default_rng(0), 6, 64))
        assert len(parts) == 13
        np.testing.assert_array_equal(np.concatenate(parts), whole)
        assert {tuple(row) for row in whole} == set(product((False, True), repeat=6))

    @pytest.mark.parametrize("metric", [ACCURACY, ERROR_RATE])
    @pytest.mark.parametrize("name", ["rows", "groups"])
    def test_of_the_leader_against_every_entry(self, name: str, metric: Any) -> None:
        groups = None if name == "rows" else np.repeat(np.arange(6), [1, 2, 3, 4, 4, 6])
        case = Case(answers(20, 3, 21), resamples=99, groups=groups, metric=metric)
        sign = 1 if metric.greater_is_better else -1
        evidence = case.analyze(tests=["randomization"], randomized=case.randomized, seed=3)
        leader, paired = evidence.scores.leader, evidence.paired_tests
        assert paired is not None
        assert paired.randomization_one_sided is not None
        units = case.units or case.n
        every = 2**units <= 99
        swap = np.concatenate(list(comparisons.swaps(np.random.default_rng(3), units, 99)))
        assert len(swap) == (64 if every else 99)
        for entry in range(case.m):
            if entry == leader:
                assert paired.randomization_one_sided[entry] == 1
                continue
            ours, theirs = case.randomized(leader, entry, swap)
            delta = case.theta[leader] - case.theta[entry]
            reached = int(sum(sign * (ours - theirs) >= delta - 1e-12))
            expected = reached / 64 if every else (1 + reached) / 100
            assert paired.randomization_one_sided[entry] == expected
        assert paired.mcnemar_exact is None


class TestBootstrap:
    #: The lecture's ten replicates of a difference of 0.07; their mean is 0.10.
    replicates = np.array([[0.10, 0.04, 0.21, 0.20, 0.13, 0.09, 0.22, 0.07, 0.03, 0.11]])
    mean, observed, tolerance = np.array([0.12]), np.array([0.07]), np.array([1e-13])

    def test_ties_count(self) -> None:
        at_twice = np.array([[0.14, 0.1, 0.3, 0.14 - 1e-16]])
        p = comparisons.one_sided_bootstrap(Replicated(at_twice), self.observed, self.tolerance)
        assert p == (1 + 3) / (4 + 1)

    def test_no_advantage_is_no_evidence(self) -> None:
        rows = np.array([[0.1, 0.2, 0.3], [-0.5, 0.0, 0.5]])
        p = comparisons.one_sided_bootstrap(
            Replicated(rows), np.array([0.0, -0.1]), np.full(2, 1e-13)
        )
        np.testing.assert_array_equal(p, 1.0)

    def test_two_sided(self) -> None:
        rows = np.array([[-0.2, 0.0, 0.1, 0.5]])
        p = comparisons.two_sided_bootstrap(
            Replicated(rows), rows.mean(axis=1), np.array([-0.3]), np.array([1e-13])
        )
        # |δ* − 0.1| = 0.3, 0.1, 0, 0.4
        assert p == (1 + 2) / (4 + 1)

    def test_float_noise_moves_no_p_value(self) -> None:
        rng = np.random.default_rng(2)
        counts = rng.integers(-3, 8, size=(1, 2000))
        exact = comparisons.one_sided_bootstrap(
            Replicated(counts.astype(float)), np.array([3.0]), np.array([3e-12])
        )
        noisy = counts / 49 * (1 + rng.uniform(-1e-15, 1e-15, size=counts.shape))
        p = comparisons.one_sided_bootstrap(
            Replicated(noisy), np.array([3 / 49]), np.array([1e-13])
        )
        assert p == exact


class TestMcNemar:
    @pytest.mark.parametrize(("b", "c"), [(3, 1), (10, 2), (0, 5), (40, 61), (7, 7), (1, 0)])
    def test_exact_is_the_binomial_test(self, b: int, c: int) -> None:
        exact, mid_p = comparisons.mcnemar(b, c)
        assert exact == pytest.approx(stats.binomtest(b, b + c).pvalue, rel=1e-12)
        point = stats.binom.pmf(b, b + c, 0.5)
        assert mid_p == pytest.approx(min(1.0, exact - point if b != c else 1.0), rel=1e-9)

    def test_exact_is_statsmodels(self) -> None:
        from statsmodels.stats.contingency_tables import mcnemar

        exact, _ = comparisons.mcnemar(12, 4)
        assert exact == pytest.approx(mcnemar([[30, 12], [4, 20]], exact=True).pvalue)

    def test_no_disagreement(self) -> None:
        assert comparisons.mcnemar(0, 0) == (1.0, 1.0)

    def test_published_mid_p(self) -> None:
        # Fagerland, Lydersen and Laake 2013, airway hyper-responsiveness: 1 against 7 children,
        # exact p 0.070, mid-p 0.039.
        exact, mid_p = comparisons.mcnemar(1, 7)
        assert (round(exact, 3), round(mid_p, 3)) == (0.070, 0.039)

    def test_ten_items_of_the_tutorial(self) -> None:
        case = Case(np.column_stack([ITEMS_A, ITEMS_B]))
        paired = case.analyze(tests=["mcnemar"]).paired_tests
        assert paired is not None
        assert paired.discordant is not None
        assert paired.mcnemar_exact is not None
        assert paired.mcnemar_mid_p is not None
        assert paired.discordant[1] == 4
        assert paired.mcnemar_exact[1] == 0.625
        assert paired.mcnemar_mid_p[1] == 0.375
        assert paired.mcnemar_exact[0] == paired.mcnemar_mid_p[0] == 1


def test_no_paired_tests_unless_asked_for() -> None:
    assert Case(answers(30, 3, 1)).analyze().paired_tests is None
