"""The whole evidence equals naive transcriptions of every method, on the same replicates."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from scoring_program.core.errors import MetricError, SettingsError
from scoring_program.core.methods import TIE_RULES
from scoring_program.inference import MetricScores, analyze
from scoring_program.inference.comparing import draws
from scoring_program.inference.comparing.comparisons import tail_probability
from tests.arrays import made_replicates

from . import oracle
from .cases import ACCURACY, CASES, Case, answers

#: Arrays over entries: the part of the evidence, and the name.
OF_ENTRIES = (
    ("scores", "score"),
    ("scores", "rank"),
    ("intervals", "low"),
    ("intervals", "high"),
    ("standing", "rank_low"),
    ("standing", "rank_high"),
    ("standing", "tier"),
)


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]()


@pytest.fixture
def confidence(case: Case) -> float:
    # Of intervals: with groups, the expanded level.
    return 1 - 2 * tail_probability(0.95, case.units)


def rejections(case: Case) -> np.ndarray:
    return p_of_all_pairs(case) <= 0.05


def p_of_all_pairs(case: Case) -> np.ndarray:
    t, deviations, _ = studentized(case)
    return oracle.algorithm_b(t, deviations, case.judged.family())


def studentized(case: Case) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    errors = oracle.errors(case.theta, case.star)
    units = case.n if case.units is None else case.units
    return (
        draws.studentize(case.theta, errors, units),
        case.star - case.theta[:, None],
        errors,
    )


def test_order_and_ranks(case: Case) -> None:
    evidence, theta = case.analyze(), case.theta
    assert list(evidence.scores.order) == sorted(range(case.m), key=lambda i: (-theta[i], i))
    assert list(evidence.scores.rank) == [1 + sum(theta > score) for score in theta]
    assert evidence.scores.leader == evidence.scores.reference == evidence.scores.order[0]
    assert set(evidence.scores.leaders) == {i for i in range(case.m) if theta[i] == theta.max()}


def test_scores_keep_their_own_sign(case: Case) -> None:
    evidence = case.analyze()
    assert (evidence.scores.score == case.observed).all()
    assert (evidence.intervals.mean == [np.mean(column) for column in case.values.T]).all()


def test_percentile_intervals_of_entries(case: Case, confidence: float) -> None:
    evidence = case.analyze()
    for i, values in enumerate(case.values.T):
        if evidence.intervals.used[i] == "percentile":
            ends = oracle.percentile(values, confidence)
            assert (evidence.intervals.low[i], evidence.intervals.high[i]) == ends
            assert evidence.intervals.standard_error[i] == np.std(values, ddof=1)
        else:
            assert evidence.intervals.used[i] == "wilson"
            assert evidence.intervals.standard_error[i] == 0 == np.ptp(values)
            assert evidence.intervals.low[i] < evidence.intervals.high[i]


def test_differences_from_the_leader(case: Case, confidence: float) -> None:
    evidence = case.analyze()
    leader, found = evidence.scores.leader, evidence.differences
    for i in range(case.m):
        replicates = oracle.difference(case.star, leader, i)
        assert found.observed[i] == case.theta[leader] - case.theta[i]
        assert found.mean[i] == pytest.approx(np.mean(replicates), rel=1e-12, abs=1e-14)
        error = oracle.standard_error(case.theta, case.star, leader, i)
        assert found.standard_error[i] == pytest.approx(error, rel=1e-12)
        ends = oracle.percentile(replicates, confidence)
        assert (found.low[i], found.high[i]) == pytest.approx(ends, rel=1e-12, abs=1e-14)
        assert found.p_one_sided[i] == oracle.one_sided(case.theta, case.star, leader, i)
        assert found.p_two_sided[i] == oracle.two_sided(case.theta, case.star, leader, i)


def test_adjusted_p_values_of_the_leaders_family(case: Case) -> None:
    evidence = case.analyze()
    others = [i for i in range(case.m) if i != evidence.scores.leader]
    p = [
        oracle.to_adjust(case.theta, case.star, evidence.scores.leader, i, case.units)
        for i in others
    ]
    for correction, adjust in oracle.ADJUST.items():
        found = evidence.differences.p_adjusted[correction]
        np.testing.assert_allclose(found[others], adjust(p), rtol=1e-12)
        assert found[evidence.scores.leader] == 1


def test_all_pairs(case: Case, confidence: float) -> None:
    evidence = case.analyze()
    pairs, p_max_t = evidence.pairs, p_of_all_pairs(case)
    expected = [
        (i, j) for k, i in enumerate(evidence.scores.order) for j in evidence.scores.order[k + 1 :]
    ]
    assert list(zip(pairs.better, pairs.worse, strict=True)) == expected
    for k, (i, j) in enumerate(expected):
        assert pairs.observed[k] == case.theta[i] - case.theta[j] >= 0
        replicates = oracle.difference(case.star, i, j)
        ends = oracle.percentile(replicates, confidence)
        assert (pairs.low[k], pairs.high[k]) == pytest.approx(ends, rel=1e-12, abs=1e-14)
        assert pairs.p_one_sided[k] == oracle.one_sided(case.theta, case.star, i, j)
        assert pairs.p_max_t[k] == p_max_t[i, j]


def test_adjusted_p_values_of_all_families(case: Case) -> None:
    evidence = case.analyze()
    pairs = evidence.pairs
    p = np.array(
        [
            oracle.to_adjust(case.theta, case.star, i, j, case.units)
            for i, j in zip(pairs.better, pairs.worse, strict=True)
        ]
    )
    families = {"all": [list(range(pairs.better.size))], "row": [], "leader": []}
    for entry in evidence.scores.order[:-1]:
        families["row"].append(list(np.flatnonzero(pairs.better == entry)))
    families["leader"] = families["row"][:1]
    for family, groups in families.items():
        for correction, adjust in oracle.ADJUST.items():
            expected = np.full(pairs.better.size, np.nan)
            for group in groups:
                expected[group] = adjust(list(p[group]))
            found = pairs.p_adjusted[family][correction]
            np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_ties_under_every_rule(case: Case) -> None:
    evidence, leader = case.analyze(), int(case.analyze().scores.leader)
    differences = evidence.differences
    expected = {
        "interval": (differences.low <= 0) & (differences.high >= 0),
        "none": differences.p_one_sided >= 0.05,
        **{rule: differences.p_adjusted[rule] >= 0.05 for rule in oracle.ADJUST},
        "max_t": np.array(oracle.algorithm_d(*studentized(case)[:2], case.judged)),
    }
    assert tuple(evidence.standing.tied) == tuple(TIE_RULES)
    for rule, kept in expected.items():
        kept[leader] = True
        kept &= [not case.judged.outright(i) for i in range(case.m)]
        assert (evidence.standing.tied[rule] == kept).all(), rule
    winners = evidence.verdict.possible_winners
    np.testing.assert_array_equal(evidence.tied_with_reference, winners)
    np.testing.assert_array_equal(evidence.verdict.possible_winners, winners)
    if not evidence.verdict.verified:
        np.testing.assert_array_equal(winners, evidence.standing.tied["max_t"])


def test_rank_ranges_joint_sets_tiers_and_frequencies(case: Case) -> None:
    evidence, rejected = case.analyze(), rejections(case)
    above, below = oracle.algorithm_c(*studentized(case)[:2], case.judged)
    low, high = 1 + above.sum(axis=0), case.m - below.sum(axis=1)
    low, high = oracle.closed(low, high, evidence.verdict.possible_winners)
    assert list(evidence.standing.rank_low) == list(low)
    assert list(evidence.standing.rank_high) == list(high)
    best, worst = oracle.joint_rank_sets(rejected)
    assert list(evidence.standing.joint_low) == best
    assert list(evidence.standing.joint_high) == worst
    assert list(evidence.standing.tier) == oracle.algorithm_e(list(evidence.scores.order), rejected)
    assert (evidence.rank_frequency == oracle.algorithm_f(case.star)).all()


def test_a_row_says_tied_exactly_where_its_range_starts_at_1(case: Case) -> None:
    evidence = case.analyze()
    np.testing.assert_array_equal(
        evidence.verdict.possible_winners, evidence.standing.rank_low == 1
    )


def test_reference_entry_fixed_in_advance(case: Case) -> None:
    reference = case.m // 2
    evidence = case.analyze(reference_entry=case.labels[reference])
    others = [i for i in range(case.m) if i != reference]
    expected = oracle.algorithm_a(*studentized(case), reference, others)
    ((named, p_value),) = evidence.reference_tests.items()
    assert named == evidence.scores.reference == reference
    assert list(p_value[others]) == expected
    assert p_value[reference] == 1
    plain = case.analyze()
    np.testing.assert_array_equal(evidence.verdict.possible_winners, plain.verdict.possible_winners)
    np.testing.assert_array_equal(evidence.from_leader.observed, plain.differences.observed)
    np.testing.assert_array_equal(evidence.from_leader.p_one_sided, plain.differences.p_one_sided)
    assert evidence.tied_with_reference is evidence.standing.tied["max_t"]
    assert list(evidence.standing.tied["max_t"][others]) == [p > 0.05 for p in expected]
    assert evidence.scores.leader == case.analyze().scores.leader
    for i in others:
        assert evidence.advantages(reference)[i] == case.theta[reference] - case.theta[i]
        assert evidence.differences.observed[i] == case.theta[reference] - case.theta[i]
        p = oracle.two_sided(case.theta, case.star, reference, i)
        assert evidence.differences.p_two_sided[i] == p
        assert evidence.standing.tied["none"][i] == (p >= 0.05)


def test_standard_error_intervals(case: Case) -> None:
    from statistics import NormalDist

    evidence = case.analyze(interval="standard_error")
    z = -NormalDist().inv_cdf(tail_probability(0.95, case.units))
    for i in np.flatnonzero(evidence.intervals.standard_error):
        margin = z * np.std(case.values[:, i], ddof=1)
        mean = np.mean(case.values[:, i])
        assert (evidence.intervals.low[i], evidence.intervals.high[i]) == (
            mean - margin,
            mean + margin,
        )
    differences = evidence.differences
    np.testing.assert_array_equal(
        differences.high, differences.mean + z * differences.standard_error
    )


def test_copy_of_the_leader_is_tied_under_every_test_and_rule() -> None:
    correct = answers(80, 5, 11)
    case = Case(np.column_stack([correct, correct[:, 0]]), resamples=999)
    for settings in ({}, {"reference_entry": "team000"}):
        evidence = case.analyze(
            tests=("randomization", "mcnemar"), randomized=case.randomized, **settings
        )
        leader, copy = 0, 5
        assert evidence.scores.leader == leader
        assert evidence.differences.p_one_sided[copy] == 1
        assert evidence.differences.p_two_sided[copy] == 1
        for adjusted in evidence.differences.p_adjusted.values():
            assert adjusted[copy] == 1
        pair = (evidence.pairs.better == leader) & (evidence.pairs.worse == copy)
        assert evidence.pairs.p_max_t[pair] == 1
        paired = evidence.paired_tests
        assert paired is not None
        assert paired.randomization_one_sided is not None
        assert paired.randomization_two_sided is not None
        assert paired.mcnemar_exact is not None
        assert paired.mcnemar_mid_p is not None
        assert paired.randomization_one_sided[copy] == paired.randomization_two_sided[copy] == 1
        assert paired.mcnemar_exact[copy] == paired.mcnemar_mid_p[copy] == 1
        assert all(tied[copy] for tied in evidence.standing.tied.values())
        assert evidence.standing.tier[copy] == evidence.standing.tier[leader]
        assert evidence.scores.rank[copy] == evidence.scores.rank[leader] == 1
        assert evidence.standing.rank_low[copy] == evidence.standing.rank_low[leader]
        assert evidence.standing.rank_high[copy] == evidence.standing.rank_high[leader]
        for p_value in evidence.reference_tests.values():
            assert p_value[copy] == 1


def test_identical_submissions_share_everything_that_depends_on_order() -> None:
    # b and d are identical; c has their score too and stands between them by name.
    correct = answers(120, 3, 12)
    correct = correct[:, [0, 1, 1, 1]]
    correct[:, 2] = np.roll(correct[:, 1], 1)
    case = Case(correct, names=("a", "b", "c", "d"))
    evidence = case.analyze()
    assert evidence.scores.score[1] == evidence.scores.score[2] == evidence.scores.score[3]
    assert evidence.scores.rank[1] == evidence.scores.rank[3]
    for of in ("rank_low", "rank_high", "joint_low", "joint_high", "tier"):
        values = getattr(evidence.standing, of)
        assert values[1] == values[3]
    for tied in evidence.standing.tied.values():
        assert tied[1] == tied[3]


def test_exact_ties_are_ordered_by_name() -> None:
    correct = answers(40, 3, 3)[:, [0, 1, 0, 2, 0]]
    evidence = Case(correct, names=("c", "z", "b", "a", "d")).analyze()
    assert list(evidence.scores.order) == [2, 0, 4, 1, 3]
    assert evidence.scores.leader == 2
    assert evidence.scores.leaders == (2, 0, 4)


@pytest.mark.parametrize("noise", [1e-17, -1e-17])
def test_float_noise_between_identical_columns_is_nothing(noise: float) -> None:
    correct = answers(80, 3, 11)
    case = Case(correct[:, [0, 0, 1, 2]], resamples=999)
    rng = np.random.default_rng(0)
    values = case.values
    values[:, 1] += noise + rng.uniform(-5e-17, 5e-17, size=999)
    assert (values[:, 0] != values[:, 1]).any()
    evidence = case.analyze(replicates=made_replicates(values), diagnostics=None)
    assert evidence.differences.standard_error[1] == 0
    assert evidence.differences.p_one_sided[1] == evidence.differences.p_two_sided[1] == 1
    assert all(tied[1] for tied in evidence.standing.tied.values())
    assert evidence.standing.tier[1] == evidence.standing.tier[0]
    assert "identical_predictions" in {caution.code for caution in evidence.cautions}


def test_the_end_of_an_interval_that_is_float_noise_is_zero() -> None:
    """Else the tie rule calls an interval around zero what the page says excludes it."""
    case = Case(answers(200, 2, 4))
    above = case.values[:, 0] * (1 - 1e-13)
    scores = MetricScores(
        ACCURACY,
        ("a", "b"),
        np.array([0.8, 0.8 * (1 - 1e-13)]),
        made_replicates(np.column_stack([case.values[:, 0], above])),
        n=200,
    )
    found = analyze(scores)
    assert found.standing.tied["interval"].all()
    assert (found.differences.low == 0).all()
    assert (found.differences.high == 0).all()
    assert (found.pairs.low == 0).all()


def test_a_p_value_of_exactly_alpha() -> None:
    # Of 19 resamples none reaches the lead: p = 1/20. Adjusted p-values of α are ties [Nava-Muñoz,
    # Graff, Escalante]; algorithm B rejects at p ≤ α.
    correct = np.zeros((100, 2), dtype=bool)
    correct[:90, 0] = correct[5:40, 1] = True
    evidence = Case(correct, resamples=19).analyze()
    assert evidence.differences.p_one_sided[1] == evidence.pairs.p_max_t[0] == 0.05
    assert evidence.standing.tied["none"][1]
    assert evidence.standing.tied["holm"][1]
    assert list(evidence.standing.tier) == [1, 2]
    assert list(evidence.standing.rank_low) == list(evidence.standing.rank_high) == [1, 2]


def test_order_of_entries_changes_nothing_but_their_numbers() -> None:
    case = Case(answers(60, 6, 1))
    moved = np.array([3, 0, 5, 1, 4, 2])
    other = Case(case.correct[:, moved], names=tuple(case.labels[i] for i in moved))
    first, second = case.analyze(), other.analyze()
    assert list(moved[second.scores.order]) == list(first.scores.order)
    for part, of in (*OF_ENTRIES, ("standing", "joint_low"), ("standing", "joint_high")):
        expected = getattr(getattr(first, part), of)[moved]
        np.testing.assert_array_equal(getattr(getattr(second, part), of), expected)
    np.testing.assert_array_equal(second.pairs.p_max_t, first.pairs.p_max_t)
    np.testing.assert_array_equal(
        second.differences.p_adjusted["holm"], first.differences.p_adjusted["holm"][moved]
    )


class TestBaselines:
    """A baseline changes nothing about the entries that can win."""

    case = Case(answers(100, 6, 13))
    baselines = ("team000", "team003")
    kept = np.array([1, 2, 4, 5])

    def test_others_are_as_without_baselines(self) -> None:
        with_them = self.case.analyze(baselines=self.baselines)
        without = Case(
            self.case.correct[:, self.kept], names=tuple(self.case.labels[i] for i in self.kept)
        ).analyze()
        assert self.kept[without.scores.leader] == with_them.scores.leader
        for part, of in OF_ENTRIES:
            found = getattr(getattr(with_them, part), of)[self.kept]
            np.testing.assert_array_equal(found, getattr(getattr(without, part), of))
        for rule, tied in without.standing.tied.items():
            np.testing.assert_array_equal(with_them.standing.tied[rule][self.kept], tied)
        for correction, p_values in without.differences.p_adjusted.items():
            np.testing.assert_array_equal(
                with_them.differences.p_adjusted[correction][self.kept], p_values
            )
        assert with_them.competitiveness == without.competitiveness
        among = np.isin(with_them.pairs.better, self.kept) & np.isin(
            with_them.pairs.worse, self.kept
        )
        np.testing.assert_array_equal(with_them.pairs.p_max_t[among], without.pairs.p_max_t)
        for family, adjusted in without.pairs.p_adjusted.items():
            for correction, p_values in adjusted.items():
                found = with_them.pairs.p_adjusted[family][correction][among]
                np.testing.assert_array_equal(found, p_values)
        np.testing.assert_array_equal(
            with_them.rank_frequency[self.kept][:, :4], without.rank_frequency
        )

    def test_baselines_are_ranked_and_tested_but_do_not_lead(self) -> None:
        evidence = self.case.analyze(baselines=self.baselines)
        assert evidence.scores.baselines == (0, 3)
        assert evidence.scores.leader == 1
        assert evidence.scores.rank[0] == 1
        assert evidence.scores.score[0] > evidence.scores.score[1]
        assert [*evidence.reference_tests] == [0, 3]
        assert np.isfinite(evidence.differences.p_adjusted["holm"]).all()
        t, deviations, errors = studentized(self.case)
        expected = oracle.algorithm_a(t, deviations, errors, 3, list(self.kept))
        assert list(evidence.reference_tests[3][self.kept]) == expected

    def test_a_baseline_can_be_the_reference(self) -> None:
        evidence = self.case.analyze(baselines=self.baselines, reference_entry="team003")
        assert evidence.scores.reference == 3
        assert [*evidence.reference_tests] == [0, 3]

    def test_somebody_must_be_able_to_win(self) -> None:
        with pytest.raises(SettingsError, match="every entry is a baseline"):
            self.case.analyze(baselines=self.case.labels)


def test_histograms_hold_the_close_entries() -> None:
    case = Case(answers(100, 8, 14))
    evidence = case.analyze()
    tied = np.logical_or.reduce(list(evidence.standing.tied.values()))
    tied[evidence.scores.leader] = False
    assert set(np.flatnonzero(tied)) < set(evidence.histograms)
    assert len(evidence.histograms) == tied.sum() + 1
    for entry, (counts, edges) in evidence.histograms.items():
        replicates = oracle.difference(case.star, evidence.scores.leader, entry)
        assert counts.sum() == case.resamples
        assert (edges[0], edges[-1]) == (min(replicates), max(replicates))
        assert all(low < high for low, high in pairwise(edges))


def test_no_interval_where_the_metric_is_no_proportion() -> None:
    case = Case(np.ones((15, 2), dtype=bool))
    evidence = case.analyze(diagnostics=None)
    assert evidence.intervals.used == ("none", "none")
    assert np.isnan(evidence.intervals.low).all()
    assert [caution.code for caution in evidence.cautions][-2:] == [
        "no_interval",
        "identical_predictions",
    ]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"interval": "percentil"}, "did you mean 'percentile'"),
        ({"tie_rule": "holms"}, "did you mean 'holm'"),
        ({"interval": "bca"}, "bca needs the scores with one example left out"),
        ({"interval": "bca", "tie_rule": "interval"}, "for which BCa is the worst"),
        ({"groups": 1}, "needs at least two groups; found 1"),
        ({"baselines": ["team0001"]}, "baselines: there is no entry 'team0001'; did you mean"),
        ({"reference_entry": "nobody"}, "reference_entry: there is no entry 'nobody'"),
        ({"tests": ["mcnemmar"]}, "did you mean 'mcnemar'"),
        ({"tests": ["randomization"]}, "needs scores of swapped predictions"),
        (
            {"tests": ["mcnemar"], "diagnostics": None},
            "applies to accuracy without weights and to means of scores of 0 and 1, and not to acc",
        ),
        ({"tests": ["mcnemar"], "groups": 12}, "needs independent examples"),
    ],
)
def test_settings_that_do_not_apply(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        Case(answers(30, 3, 15)).analyze(**settings)


def test_too_few_defined_resamples() -> None:
    with pytest.raises(MetricError, match="only 1 resamples"):
        Case(answers(10, 2, 1)).analyze(
            replicates=made_replicates(np.array([[0.5, 0.4]]), undefined=98)
        )
