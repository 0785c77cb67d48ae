"""All pairs in results.json: objects or, of many entries, compact triangles."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scoring_program.api import rows
from scoring_program.inference.evidence import Evidence
from scoring_program.report.findings import Findings
from scoring_program.report.results_json import (
    _rounded,
    pairs_of,
    results_json,
    values_of,
)
from tests.competitions import REPOSITORY

from . import made


def competition(m: int, resamples: int = 100, **about: Any) -> Findings:
    names = tuple(f"team{i:03}" for i in range(m))
    return made.result(list(np.linspace(0.5, 0.8, m)), names, resamples=resamples, **about)


def metric_of(findings: Findings) -> dict[str, Any]:
    metric: dict[str, Any] = json.loads(results_json(findings, ""))["metrics"][0]
    return metric


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    """A field of 101 entries, the last of which is the best."""
    return competition(101).evidence[0]


@pytest.fixture(scope="module")
def triangles() -> dict[str, Any]:
    found: dict[str, Any] = metric_of(competition(101))["pairs"]
    return found


def values(triangle: Any, entries: int = 101) -> np.ndarray[Any, Any]:
    return np.array(list(values_of(triangle, entries - 1)), dtype=float)


@pytest.mark.parametrize(("m", "kind"), [(100, list), (101, dict)])
def test_both_forms_are_read_alike(m: int, kind: type) -> None:
    findings = competition(m)
    metric, (evidence,) = metric_of(findings), findings.evidence
    assert isinstance(metric["pairs"], kind)
    pairs, found = evidence.pairs, rows.pairs(metric)
    assert [row.better for row in found] == [evidence.names[i] for i in pairs.better]
    assert [row.worse for row in found] == [evidence.names[i] for i in pairs.worse]
    error = float(pairs.standard_error.max())
    for field, exact in (
        ("observed", pairs.observed),
        ("low", pairs.low),
        ("high", pairs.high),
    ):
        assert np.abs([getattr(row, field) for row in found] - exact).max() <= 0.005 * error
    has_errors = np.isfinite([row.standard_error for row in found])
    assert has_errors.all() if kind is list else not has_errors.any()
    assert [row.p_max_t for row in found] == pytest.approx(pairs.p_max_t, abs=0.5e-4)
    assert all(isinstance(row.p_one_sided, float) for row in found)


@pytest.mark.parametrize("resamples", [99, 100, 2000])
def test_the_counts_of_resamples_come_back(resamples: int) -> None:
    findings = competition(101, resamples)
    exact = findings.evidence[0].pairs.p_one_sided * (resamples + 1)
    written = values(metric_of(findings)["pairs"]["p_one_sided"]) * (resamples + 1)
    assert np.array_equal(np.rint(written), np.rint(exact))
    assert np.abs(written - np.rint(written)).max() < 0.05


@pytest.mark.parametrize("more_decimals", [0, 1])
def test_what_occurs_often_is_rounded_as_what_occurs_once(more_decimals: int) -> None:
    values = np.array([0.12345, 2.0, math.nan, 0.0, -1.5e-7] * 4)
    decimals = np.array([3.0, -1.0, 4.0, 2.0, 8.0] * 4)
    decimals[:5] += more_decimals
    expected: list[float | None] = []
    for value, places in zip(values.tolist(), decimals.astype(int).tolist(), strict=True):
        number = round(value, places) if math.isfinite(value) else None
        expected.append(int(number) if number is not None and number.is_integer() else number)
    assert list(map(repr, _rounded(values, decimals))) == list(map(repr, expected))


def test_small_p_values_keep_three_digits() -> None:
    """P-values of groups come from a t distribution, and may be far below the counts."""
    findings = competition(101, groups=30, settings={"group": "document"}, error=0.002)
    exact = findings.evidence[0].pairs.p_adjusted["row"]["holm"]
    assert exact.min() < 1e-9
    written = values(metric_of(findings)["pairs"]["p_adjusted"]["row"]["holm"])
    assert written == pytest.approx(exact, rel=0.005, abs=0)


def test_sizes_keep_three_digits_of_their_standard_error() -> None:
    findings = competition(101, error=31.0)
    pairs = findings.evidence[0].pairs
    place = 10.0 ** (np.floor(np.log10(pairs.standard_error)) - 2)
    written = values(metric_of(findings)["pairs"]["difference"])
    assert written / place == pytest.approx(np.rint(written / place), abs=1e-6)
    assert (np.abs(written - pairs.observed) <= place / 2 * (1 + 1e-9)).all()


def test_triangles_name_their_rows_and_columns(
    evidence: Evidence, triangles: dict[str, Any]
) -> None:
    ranked = [evidence.names[i] for i in evidence.scores.order]
    assert (triangles["better"], triangles["worse"]) == (ranked[:-1], ranked[1:])
    assert not {"standard_error", "resolution"} & set(triangles)


def test_rows_end_where_they_repeat_their_last_value(triangles: dict[str, Any]) -> None:
    rows = triangles["p_one_sided"]
    assert len(rows) == 100
    assert sum(map(len, rows)) < 101 * 100 // 4
    assert all(len(row) == 1 or row[-1] != row[-2] for row in rows)


def test_the_lines_in_the_documentation_list_the_values(triangles: dict[str, Any]) -> None:
    page = (REPOSITORY / "docs" / "reference" / "results.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    theirs: dict[str, Any] = {}
    exec(lines, theirs)
    for triangle in (triangles["difference"], triangles["p_adjusted"]["leader"]["holm"]):
        assert theirs["values"](triangle, triangles) == list(values_of(triangle, 100))


def test_families_keep_what_does_not_follow_from_other_p_values(
    evidence: Evidence, triangles: dict[str, Any]
) -> None:
    adjusted = triangles["p_adjusted"]
    kept = {family: set(corrections) for family, corrections in adjusted.items()}
    assert kept == {
        "leader": {"bonferroni", "holm", "fdr_bh"},
        "row": {"holm"},
        "all": {"holm"},
    }
    for family, corrections in adjusted.items():
        for correction, triangle in corrections.items():
            exact = evidence.pairs.p_adjusted[family][correction]
            assert values(triangle) == pytest.approx(exact, abs=0.5e-4, nan_ok=True)
    (only,) = adjusted["leader"]["holm"]
    assert 1 <= len(only) <= 100


def test_a_pair_outside_its_family_has_no_value(evidence: Evidence) -> None:
    pairs = evidence.pairs
    assert pairs is not None
    exact = np.full(pairs.better.size, np.nan)
    exact[[1, 150]] = 0.25, 0.5
    adjusted = {**pairs.p_adjusted, "row": {"holm": exact}}
    found = pairs_of(evidence, replace(pairs, p_adjusted=adjusted))
    triangle = found["p_adjusted"]["row"]["holm"]
    assert triangle[0] == [None, 0.25, None]
    assert len(triangle) == 2
    assert np.array_equal(values(triangle), exact, equal_nan=True)


def test_what_does_not_vary_keeps_its_digits(evidence: Evidence) -> None:
    pairs = evidence.pairs
    assert pairs is not None
    error, observed = pairs.standard_error.copy(), pairs.observed.copy()
    error[:2], observed[:2] = 0.0, (0.0, 0.123456789)
    still = replace(pairs, standard_error=error, observed=observed)
    found = pairs_of(evidence, still)
    assert found["difference"][0][:2] == [0, 0.123456789]


@pytest.mark.full
@pytest.mark.parametrize("metrics", [1, 2])
def test_300_entries_take_less_than_five_megabytes(metrics: int) -> None:
    findings = competition(300, 300, metrics=metrics)
    assert len(results_json(findings, "").encode()) < 5e6
