"""Whatever the answers, the evidence equals the transcribed algorithms."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from scoring_program.bootstrap.design import draw_counts
from scoring_program.core.grouping import Grouping
from scoring_program.inference import MetricScores, analyze
from scoring_program.inference.comparing import draws
from scoring_program.inference.evidence import Evidence, Question
from scoring_program.scoring.diagnostics import AnswerLayer, ComparedAnswers
from tests import search
from tests.arrays import made_metric, made_replicates
from tests.inference.never_contradict import copies_share_a_record, never_contradicts

from . import oracle
from .cases import ACCURACY, ERROR_RATE, Case, answers

MAE = made_metric("mae", kind="numbers", greater_is_better=False, ideal=0.0, high=np.inf)


@st.composite
def competitions(draw: st.DrawFn) -> Case:
    seed = draw(st.integers(0, 99))
    if draw(st.booleans()):
        n, m = draw(st.integers(1, 12)), draw(st.integers(1, 5))
        correct = draw(st_numpy.arrays(bool, (n, m)))
    else:  # enough examples for reliable pairs, and some copies that differ on a few
        n, m = draw(st.integers(20, 80)), draw(st.integers(2, 5))
        correct = answers(n, m, seed, best=draw(st.sampled_from([0.95, 0.7])))
        for copy in range(draw(st.integers(0, 3))):
            correct = np.column_stack([correct, correct[:, copy % m]])
            correct[: draw(st.integers(0, 11)), -1] ^= True
    groups = None
    if n > 1 and draw(st.booleans()):
        size = draw(st.integers(2, n))
        groups = np.concatenate([np.arange(size), np.arange(n - size) % size])
    return Case(
        correct,
        seed=seed,
        resamples=draw(st.sampled_from([2, 19, 40, 239])),
        groups=groups,
        metric=draw(st.sampled_from([ACCURACY, ERROR_RATE])),
    )


def same_as_transcribed(
    evidence: Evidence, judged: oracle.Judged, units: int, *, baselines: int = 0
) -> None:
    """Assert that an evidence is what the definitions of B to E give."""
    theta, star = judged.theta, judged.star
    deviations, errors = star - theta[:, None], oracle.errors(theta, star)
    t = draws.studentize(theta, errors, units)
    above, below = oracle.algorithm_c(t, deviations, judged)
    low, high = 1 + above.sum(axis=0), len(judged.competing) - below.sum(axis=1)
    able = judged.competing
    low, high = oracle.closed(low[able], high[able], evidence.verdict.possible_winners[able])
    np.testing.assert_array_equal(evidence.standing.rank_low[able], low)
    np.testing.assert_array_equal(evidence.standing.rank_high[able], high)
    never_contradicts(evidence)
    kept = oracle.algorithm_d(t, deviations, judged)
    assert list(evidence.standing.tied["max_t"][able]) == kept
    assert all(evidence.standing.tied["max_t"][leader] for leader in evidence.scores.leaders)
    if baselines:
        return
    pairs, p = evidence.pairs, oracle.algorithm_b(t, deviations, judged.family())
    np.testing.assert_array_equal(pairs.p_max_t, p[pairs.better, pairs.worse])
    best, worst = oracle.joint_rank_sets(p <= 0.05)
    np.testing.assert_array_equal(
        (evidence.standing.joint_low, evidence.standing.joint_high), (best, worst)
    )


@settings(max_examples=search.examples(20, 60))
@given(competitions())
def test_the_analysis_is_the_transcription(case: Case) -> None:
    evidence = case.analyze()
    same_as_transcribed(evidence, case.judged, case.units or case.n)
    np.testing.assert_array_equal(evidence.rank_frequency, oracle.algorithm_f(case.star))
    pairs = evidence.pairs
    for i, j, found in zip(pairs.better, pairs.worse, pairs.p_one_sided, strict=True):
        assert found == oracle.one_sided(case.theta, case.star, i, j)

    copies_share_a_record(evidence, [case.answers])
    assert (evidence.standing.rank_low <= evidence.scores.rank).all()
    assert (evidence.scores.rank <= evidence.standing.rank_high).all()
    assert all(tied[evidence.scores.leader] for tied in evidence.standing.tied.values())


@settings(max_examples=search.examples(20, 60))
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(10, 60),
    m=st.integers(2, 6),
    odd=st.integers(0, 3),
    copied=st.integers(0, 12),
    grouped=st.booleans(),
    baselines=st.integers(0, 1),
    undefined=st.sampled_from([0, 0, 0, 2]),
)
def test_so_is_one_of_errors_with_odd_cells(
    seed: int,
    n: int,
    m: int,
    odd: int,
    copied: int,
    grouped: bool,
    baselines: int,
    undefined: int,
) -> None:
    """Heavy tails, copies of an entry that differ on few examples, and undefined resamples."""
    rng = np.random.default_rng(seed)
    errors = np.abs(rng.normal(size=(n, m))) * np.linspace(1, 3, m)
    errors = np.column_stack([errors, errors[:, 0], errors[:, 1] + 0.5])
    errors[:copied, m] += rng.normal(size=min(copied, n))
    errors[rng.integers(n, size=odd), m - 1] *= 1000
    group = rng.integers(n // 2, size=n) if grouped else np.arange(n)
    group = np.unique(group, return_inverse=True)[1]
    units = int(group.max()) + 1
    counts = draw_counts(rng, units, 299)
    means = errors.mean(axis=0)
    sums, sizes = (
        np.array([np.bincount(group, row, units) for row in rows])
        for rows in (errors.T, np.ones((1, n)))
    )
    values = (counts @ sums.T) / (counts @ sizes.T)
    psi = (sums - sizes * means[:, None]).T / n
    scores = MetricScores(
        MAE,
        [f"{i}" for i in range(m + 2)],
        means,
        made_replicates(values, undefined),
        n=n,
        groups=units if grouped else None,
        effective_groups=float(n**2 / np.square(sizes).sum()) if grouped else None,
        influence=lambda: psi,
        answers=(
            ComparedAnswers(
                (AnswerLayer(list(errors.T)),), None, Grouping(n, group if grouped else None)
            ),
        ),
    )
    judged = oracle.Judged(
        -means,
        -values.T,
        np.array([[[a != b for a in row] for b in row] for row in errors]),
        -psi,
        list(range(baselines, m + 2)),
        group=group if grouped else None,
        undefined=undefined > 0,
        few_groups=grouped and float(n**2 / np.square(sizes).sum()) < 20,
    )
    names = tuple(f"{i}" for i in range(baselines))
    evidence = analyze(scores, Question(baselines=names))
    same_as_transcribed(evidence, judged, units, baselines=baselines)
