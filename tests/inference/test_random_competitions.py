"""Whatever the answers, the analysis equals the transcribed algorithms."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from scoring_program.inference import ranks

from . import oracle
from .cases import ACCURACY, ERROR_RATE, Case


@st.composite
def competitions(draw: st.DrawFn) -> Case:
    n, m = draw(st.integers(1, 12)), draw(st.integers(1, 5))
    correct = draw(st_numpy.arrays(bool, (n, m)))
    groups = None
    if n > 1 and draw(st.booleans()):
        size = draw(st.integers(2, n))
        groups = np.concatenate([np.arange(size), np.arange(n - size) % size])
    return Case(
        correct,
        seed=draw(st.integers(0, 99)),
        resamples=draw(st.sampled_from([2, 19, 40])),
        groups=groups,
        metric=draw(st.sampled_from([ACCURACY, ERROR_RATE])),
    )


@settings(max_examples=60, deadline=None)
@given(competitions())
def test_the_analysis_is_the_transcription(case: Case) -> None:
    analysis = case.analyze()
    errors = oracle.errors(case.theta, case.star)
    deviations = case.star - case.theta[:, None]
    t = ranks.studentize(case.theta, errors, case.units or case.n)

    p = oracle.algorithm_b(t, deviations, errors)
    best, worst = oracle.joint_rank_sets(p <= 0.05)
    low, high = oracle.algorithm_c(t, deviations, errors, 0.05)
    pairs = analysis.pairs
    np.testing.assert_array_equal(pairs.p_max_t, p[pairs.better, pairs.worse])
    np.testing.assert_array_equal((analysis.rank_low, analysis.rank_high), (low, high))
    np.testing.assert_array_equal((analysis.joint_low, analysis.joint_high), (best, worst))
    assert list(analysis.tied["max_t"]) == oracle.algorithm_d(t, deviations, errors, 0.95)
    np.testing.assert_array_equal(analysis.rank_frequency, oracle.algorithm_f(case.star))
    for i, j, found in zip(pairs.better, pairs.worse, pairs.p_one_sided, strict=True):
        assert found == oracle.one_sided(case.theta, case.star, i, j)

    for i, j in zip(pairs.better, pairs.worse, strict=True):
        if (case.correct[:, i] == case.correct[:, j]).all():
            for of in ("rank", "rank_low", "rank_high", "joint_low", "joint_high", "tier"):
                assert getattr(analysis, of)[i] == getattr(analysis, of)[j]
            assert all(tied[i] == tied[j] for tied in analysis.tied.values())
    assert (analysis.rank_low <= analysis.rank).all()
    assert (analysis.rank <= analysis.rank_high).all()
    assert all(tied[analysis.leader] for tied in analysis.tied.values())
