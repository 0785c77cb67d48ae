"""The corrected means of a judge's scores, beside formulas written out and a naive loop."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t as student

from scoring_program.bootstrap.design import Design
from scoring_program.bootstrap.resample import iterate_counts
from scoring_program.core.people import partly_judged, weight_of
from scoring_program.inference.judge_and_people import JudgeAndPeople, covariance
from scoring_program.metrics import resolve
from scoring_program.metrics.metric import Data
from scoring_program.scoring.people_scorer import PeopleScorer
from scoring_program.settings.checks import MetricSpec

_N, _M = 120, 4


def _drawn(*, missing: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return people's scores [m, N] with nan, the judge's, and which units people scored."""
    rng = np.random.default_rng(8)
    people = rng.normal(size=(1, _N)) + rng.normal(size=(_M, _N)) + np.arange(_M)[:, None] / 5
    judge = 0.4 * people + 0.3 * rng.normal(size=people.shape) + 1
    judged = np.isin(np.arange(_N), rng.choice(_N, 40, replace=False))
    people = np.where(judged, people, np.nan)
    if missing:
        people[(rng.random(people.shape) < 0.2) & judged] = np.nan
    return people, judge, judged


def _scorer(people: np.ndarray, judge: np.ndarray, judged: np.ndarray) -> PeopleScorer:
    (metric,) = resolve([MetricSpec("mean_score", "mean_score", greater_is_better=True)], None)
    weight = weight_of(people[:, judged], judge[:, judged])
    names = [f"e{entry}" for entry in range(len(people))]
    return PeopleScorer(
        metric, Data(np.zeros(_N), tuple(judge)), names, list(people), weight, judged
    )


def test_the_estimate_is_the_closed_form_and_that_of_ppi() -> None:
    people, judge, judged = _drawn()
    scorer = _scorer(people, judge, judged)
    y, f = people[:, judged], judge[:, judged]
    closed = y.mean(axis=1) - scorer.weight * (f.mean(axis=1) - judge.mean(axis=1))
    assert scorer.observed == pytest.approx(closed, abs=1e-12)
    # ppi_py's `ppi_mean_pointestimate` with the weight c of the unlabeled mean, written out.
    others = judge[:, ~judged]
    ppi = (scorer.share * others).mean(axis=1) + (y - scorer.share * f).mean(axis=1)
    assert scorer.observed == pytest.approx(ppi, abs=1e-9)


@pytest.mark.parametrize("entry", range(_M))
def test_ppi_python_gives_the_same_estimates_and_variances(entry: int) -> None:
    ppi = pytest.importorskip("ppi_py", reason="needs ppi-python")
    people, judge, judged = _drawn()
    scorer = _scorer(people, judge, judged)
    known = people[entry, judged], judge[entry, judged], judge[entry, ~judged]
    # Its weight is that of the units without people's scores, which is c.
    theirs = ppi.ppi_mean_pointestimate(*known, lam=scorer.share)
    assert scorer.observed[entry] == pytest.approx(float(np.squeeze(theirs)), abs=1e-9)
    for weight in (0.0, 1.0, scorer.share):
        half_width = covariance(people, judge, judged, weight)[entry, entry] ** 0.5 * 1.6448536269
        low, high = ppi.ppi_mean_ci(*known, lam=weight, alpha=0.1)
        # It divides squares by n, and we by n − 1.
        assert half_width == pytest.approx(float(np.squeeze(high - low)) / 2, rel=0.015)


def test_the_weight_is_that_of_differences_within_units() -> None:
    people, judge, judged = _drawn()
    y, f = people[:, judged], judge[:, judged]
    above = below = 0.0
    for entry in range(_M):
        own = y[entry] - y.mean(axis=0)
        by_judge = f[entry] - f.mean(axis=0)
        above += float(np.cov(own, by_judge)[0, 1])
        below += float(by_judge.var(ddof=1))
    assert weight_of(y, f) == pytest.approx(above / below)
    assert weight_of(y, -f) == 0
    assert weight_of(y, f / 10) == pytest.approx(10 * weight_of(y, f))  # no upper limit
    assert weight_of(y, np.ones_like(f)) == 0


@pytest.mark.parametrize("missing", [False, True])
def test_replicates_are_those_of_a_naive_loop(missing: bool) -> None:
    people, judge, judged = _drawn(missing=missing)
    scorer = _scorer(people, judge, judged)
    design = Design(_N, strata=(~judged).astype(np.intp))
    for counts in iterate_counts(design, 60, 5):
        values = scorer.replicate(counts).values
        for drawn, row in zip(counts, values, strict=True):
            assert drawn[judged].sum() == judged.sum()  # the strata are resampled apart
            for entry in range(_M):
                rows = np.repeat(np.arange(_N), drawn)
                own = rows[~np.isnan(people[entry, rows])]
                rest = rows[~judged[rows]]
                naive = (people[entry, own] - scorer.share * judge[entry, own]).mean()
                naive += scorer.share * judge[entry, rest].mean()
                assert row[entry] == pytest.approx(naive, abs=1e-9)


@pytest.mark.parametrize("missing", [False, True])
def test_the_variance_is_that_of_resamples(missing: bool) -> None:
    people, judge, judged = _drawn(missing=missing)
    scorer = _scorer(people, judge, judged)
    variance = covariance(people, judge, judged, scorer.share)
    influence = scorer.influence(None, _N)
    assert influence is not None
    of_strata = [influence[judged], influence[~judged]]
    by_influence = sum(len(own) / (len(own) - 1) * own.T @ own for own in of_strata)
    assert variance == pytest.approx(np.asarray(by_influence), rel=1e-9)


def test_whole_groups_vary_as_their_resamples_do() -> None:
    people, judge, _ = _drawn()
    groups = np.arange(_N) // 4
    judged = groups % 3 == 0
    people = np.where(judged, judge + np.sin(groups), np.nan)
    scorer = _scorer(people, judge, judged)
    influence = scorer.influence(groups, int(groups.max()) + 1)
    assert influence is not None
    of_groups = judged[::4]
    expected = sum(
        len(part) / (len(part) - 1) * part.T @ part
        for part in (influence[of_groups], influence[~of_groups])
    )
    variance = covariance(people, judge, judged, scorer.share, groups)
    assert variance == pytest.approx(np.asarray(expected), rel=1e-9)
    found = JudgeAndPeople.from_scorer(scorer, 0, np.arange(1, _M), groups=groups)
    width = student.ppf(0.975, 10 - 1) * found.people_errors  # people scored 10 groups
    assert found.people_high - found.people == pytest.approx(width, rel=1e-9)
    assert found.people - found.people_low == pytest.approx(width, rel=1e-9)


def test_what_the_judge_is_worth_is_a_number_of_human_judgments() -> None:
    people, judge, judged = _drawn()
    found = JudgeAndPeople.from_scorer(_scorer(people, judge, judged), 3, np.arange(3))
    alone = covariance(people, judge, judged, 0.0)
    both = covariance(people, judge, judged, _scorer(people, judge, judged).share)
    pairs = [(v[3, 3] + v[i, i] - 2 * v[3, i]) for i in range(3) for v in (alone, both)]
    ratios = [pairs[i] / pairs[i + 1] for i in range(0, 6, 2)]
    assert found.worth == pytest.approx(40 * np.mean(ratios))
    assert found.worth is not None
    assert found.worth > 40
    assert (found.judged, found.units) == (40, _N)


def test_groups_are_judged_as_a_whole_or_not() -> None:
    groups = np.array([0, 0, 1, 1, 2])
    assert partly_judged(np.array([True, True, False, False, False]), groups) is None
    assert partly_judged(np.array([True, True, False, True, False]), groups) == 1
