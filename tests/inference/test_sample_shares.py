"""The part of an interval that comes from repeated samples, against statsmodels and simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm

import scoring_program as dh
from scoring_program.core.arrays import Floats
from scoring_program.inference.analyze import shortened
from scoring_program.metrics.kinds.repeated import unbiased_pass_at_k
from scoring_program.metrics.metric import Data
from scoring_program.metrics.registry import REGISTRY
from tests.competitions import Folder, write_csv

RNG = np.random.default_rng(6)


def variances(function: str, samples: list[tuple[str, ...]], k: int = 1) -> list[float]:
    """Return the variance of each example, whose correct answer is "1"."""
    definition = REGISTRY[function]
    assert definition.sample_variance is not None
    data = Data(np.array(["1"] * len(samples), dtype=object), (samples,))
    found: list[float] = definition.sample_variance(data, {"k": k})[:, 0].tolist()
    return found


def test_the_variance_of_a_mean_is_that_of_its_samples() -> None:
    drawn = RNG.integers(0, 2, (20, 5))
    found = variances("sample_mean", [tuple(map(str, row)) for row in drawn])
    np.testing.assert_allclose(found, drawn.var(axis=1, ddof=1) / 5)


def test_the_variance_of_pass_at_k_is_the_jackknifes() -> None:
    drawn = RNG.integers(0, 2, (20, 6))
    found = variances("pass_at_k", [tuple(map(str, row)) for row in drawn], k=2)
    left_out = np.array(
        [
            [unbiased_pass_at_k(5, int(np.delete(row, i).sum()), 2) for i in range(6)]
            for row in drawn
        ]
    )
    np.testing.assert_allclose(found, 5 / 6 * 6 * left_out.var(axis=1), atol=1e-15)


def test_too_few_samples_have_no_variance() -> None:
    assert np.isnan(variances("sample_mean", [("1",), ()])).all()
    assert np.isnan(variances("pass_at_k", [("1", "0")], k=2)).all()


def answers(n: int, count: int, ease: Floats) -> dict[str, list[Any]]:
    """Return outcomes of n examples, ``count`` samples each, one a row."""
    ids = np.repeat(np.arange(n), count)
    return {"id": ids.tolist(), "passed": (RNG.random(ids.size) < ease[ids]).astype(int).tolist()}


def test_standard_errors_are_the_clustered_ones(folder: Folder) -> None:
    # Miller 2024, section 2.2: errors clustered by question.
    n, count = 120, 6
    ease = RNG.beta(2, 2, n)
    write_csv(folder.input / "ref" / "gold.csv", {"id": range(n), "topic": ["x"] * n})
    tables = {team: answers(n, count, ease * shift) for team, shift in (("A", 1.0), ("B", 0.8))}
    for team, table in tables.items():
        folder.team(team, table)
    folder.settings("resamples: 10000\nmetrics: [sample_mean]\n")
    assert folder.run() == 0
    (metric,) = folder.results()["metrics"]
    for item in metric["entries"]:
        table = tables[item["entry"]]
        fit = sm.OLS(np.array(table["passed"], float), np.ones(n * count)).fit(
            cov_type="cluster", cov_kwds={"groups": table["id"], "use_correction": False}
        )
        assert item["score"] == pytest.approx(fit.params[0])
        assert item["standard_error"] == pytest.approx(fit.bse[0], rel=0.025)
        naive = np.std(table["passed"]) / np.sqrt(n * count)
        assert item["standard_error"] > 1.1 * naive
    (leader, rival) = metric["samples"]
    within = {
        team: np.var(np.reshape(table["passed"], (n, count)), axis=1, ddof=1).sum() / count / n**2
        for team, table in tables.items()
    }
    error = metric["entries"][1]["difference"]["standard_error"]
    share = sum(within.values()) / error**2
    assert rival["share_of_difference"] == pytest.approx(min(share, 1.0), rel=1e-9)
    assert leader["share_of_score"] == pytest.approx(
        within[leader["entry"]] / metric["entries"][0]["standard_error"] ** 2, rel=1e-9
    )
    page = (folder.output / "detailed_results.html").read_text(encoding="utf-8")
    assert "Twice as many samples of each example would make its interval shorter by" in page


def test_other_metrics_have_no_samples() -> None:
    result = dh.compare_scores({"a": [1, 2, 4], "b": [3, 5, 6]}, greater_is_better=True)
    assert result._findings is not None
    assert all(evidence.samples is None for evidence in result._findings.evidence)


def drawn(
    function: str, chances: Floats, count: int, k: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Draw samples of examples, and return what each counts and its variance over samples."""
    correct = rng.binomial(count, chances)
    every = [("1",) * c + ("0",) * (count - c) for c in range(count + 1)]
    values = np.arange(count + 1) / count
    if function == "pass_at_k":
        values = np.array([unbiased_pass_at_k(count, c, k) for c in range(count + 1)])
    return values[correct], np.array(variances(function, every, k))[correct]


@pytest.mark.parametrize(
    ("function", "count", "k"), [("sample_mean", 3, 1), ("sample_mean", 8, 1), ("pass_at_k", 10, 3)]
)
def test_the_advice_holds(function: str, count: int, k: int) -> None:
    # Differences of two systems on n examples: what the shares promise of twice as many samples or
    # examples, on average over data sets, against the variance over data sets that have them.
    n, sets = 100, 2500
    rng = np.random.default_rng(12)

    def differences(examples: int, samples: int) -> tuple[Floats, Floats]:
        ease = rng.beta(2, 1.5, (sets, examples))
        first, within = drawn(function, ease, samples, k, rng)
        second, other = drawn(function, np.clip(ease - 0.1, 0, 1), samples, k, rng)
        return first - second, within + other

    values, within = differences(n, count)
    shares = within.sum(axis=1) / n**2 / (values.var(axis=1) / n)
    promised = np.mean([1 - shortened(min(share, 1.0)) for share in shares])
    errors = {
        case: differences(examples, samples)[0].mean(axis=1).std()
        for case, examples, samples in (("now", n, count), ("s", n, 2 * count), ("e", 2 * n, count))
    }
    # Errors over so many data sets are known to 1.4%, a ratio of two to 2%.
    assert errors["s"] / errors["now"] == pytest.approx(promised, rel=0.06)
    assert errors["e"] / errors["now"] == pytest.approx(1 - shortened(1.0), rel=0.06)
    assert errors["e"] < 1.03 * errors["s"]
