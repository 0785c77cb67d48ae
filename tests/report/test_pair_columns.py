"""All pairs in results.json: objects or, of many entries, compact columns."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scoring_program.api import rows
from scoring_program.inference import Findings
from scoring_program.inference.analysis import MetricAnalysis, Pairs
from scoring_program.report.pair_columns import pairs_of
from scoring_program.report.results_json import results_json

from . import made


def competition(m: int, resamples: int = 100, **about: Any) -> Findings:
    names = tuple(f"team{i:03}" for i in range(m))
    return made.result(list(np.linspace(0.5, 0.8, m)), names, resamples=resamples, **about)


def metric_of(findings: Findings) -> dict[str, Any]:
    metric: dict[str, Any] = json.loads(results_json(findings, ""))["metrics"][0]
    return metric


@pytest.fixture(scope="module")
def analysis() -> MetricAnalysis:
    """A field of 101 entries, the last of which is the best."""
    return competition(101).analyses[0]


@pytest.fixture(scope="module")
def columns() -> dict[str, Any]:
    found: dict[str, Any] = metric_of(competition(101))["pairs"]
    return found


@pytest.mark.parametrize(("m", "kind"), [(100, list), (101, dict)])
def test_both_forms_are_read_alike(m: int, kind: type) -> None:
    findings = competition(m)
    metric, (analysis,) = metric_of(findings), findings.analyses
    assert isinstance(metric["pairs"], kind)
    pairs, found = analysis.pairs, rows.pairs(metric)
    assert [row.better for row in found] == [analysis.names[i] for i in pairs.better]
    assert [row.worse for row in found] == [analysis.names[i] for i in pairs.worse]
    error = float(pairs.standard_error.max())
    for field, exact in (
        ("observed", pairs.observed),
        ("standard_error", pairs.standard_error),
        ("low", pairs.low),
        ("high", pairs.high),
    ):
        assert np.abs([getattr(row, field) for row in found] - exact).max() <= 0.005 * error
    assert [row.p_max_t for row in found] == pytest.approx(pairs.p_max_t, abs=0.5e-4)
    assert all(isinstance(row.p_one_sided, float) for row in found)


@pytest.mark.parametrize("resamples", [99, 100, 2000])
def test_the_counts_of_resamples_come_back(resamples: int) -> None:
    findings = competition(101, resamples)
    exact = findings.analyses[0].pairs.p_one_sided * (resamples + 1)
    written = np.array(metric_of(findings)["pairs"]["p_one_sided"]) * (resamples + 1)
    assert np.array_equal(np.rint(written), np.rint(exact))
    assert np.abs(written - np.rint(written)).max() < 0.05


def test_small_p_values_keep_three_digits() -> None:
    """P-values of groups come from a t distribution, and may be far below the counts."""
    findings = competition(101, groups=30, settings={"group": "document"}, error=0.002)
    exact = findings.analyses[0].pairs.p_adjusted["row"]["holm"]
    assert exact.min() < 1e-9
    written = metric_of(findings)["pairs"]["p_adjusted"]["row"]["holm"]
    assert written == pytest.approx(exact, rel=0.005, abs=0)


def test_sizes_keep_three_digits_of_their_standard_error() -> None:
    findings = competition(101, error=31.0)
    error = metric_of(findings)["pairs"]["standard_error"]
    assert all(len(str(value).replace(".", "")) <= 3 for value in error)
    assert error == pytest.approx(findings.analyses[0].pairs.standard_error, rel=0.005)


def test_columns_end_with_the_last_value(analysis: MetricAnalysis, columns: dict[str, Any]) -> None:
    every = len(columns["better"])
    assert every == 101 * 100 // 2
    for correction, column in columns["p_adjusted"]["leader"].items():
        exact = analysis.pairs.p_adjusted["leader"][correction]
        assert len(column) == 100
        assert column == pytest.approx(exact[:100], abs=0.5e-4)
        assert np.isnan(exact[100:]).all()
    assert {len(column) for column in columns["p_adjusted"]["all"].values()} == {every}


def test_what_does_not_vary_keeps_its_digits(analysis: MetricAnalysis) -> None:
    pairs: Pairs = analysis.pairs
    error, observed = pairs.standard_error.copy(), pairs.observed.copy()
    error[:2], observed[:2] = 0.0, (0.0, 0.123456789)
    still = replace(pairs, standard_error=error, observed=observed)
    found = pairs_of(replace(analysis, pairs=still))
    assert found["difference"][:2] == [0, 0.123456789]
    assert found["standard_error"][:2] == [0, 0]


def test_300_entries_take_less_than_five_megabytes() -> None:
    assert len(results_json(competition(300, 300), "").encode()) < 5e6
