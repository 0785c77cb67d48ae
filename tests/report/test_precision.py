"""What participants see of a score: rounded by one rule, and nothing that tells more."""

from __future__ import annotations

import functools
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring_program import report as render
from scoring_program.inference.evidence import Evidence
from scoring_program.metrics import Metric
from scoring_program.report.assemble import files
from scoring_program.report.findings import Findings
from scoring_program.report.scores import (
    ShownScore,
    nearest,
    scores,
    shown_bar,
    shown_score,
    unit_of,
)
from tests.report import made

NAN = math.nan


@functools.cache
def page_of(participants: str, precision: str) -> Findings:
    """Return the findings about one submission in a field, before its score is set."""
    about = {"participants": participants, "precision": precision}
    return made.result(form="field", focus=3, settings=about)


def findings(
    score: float,
    error: float,
    *,
    high: float = 1.0,
    precision: str = "digits",
    participants: str = "score",
) -> Findings:
    """Return a submission in a field, with one score, and an interval of two standard errors."""
    page = page_of(participants, precision)
    intervals = {
        "standard_error": np.full(10, error),
        "low": np.full(10, score - 2 * error),
        "high": np.full(10, score + 2 * error),
    }
    found = made.with_parts(
        page.evidence[0], scores={"score": np.full(10, score)}, intervals=intervals
    )
    found = replace(found, metric=made.metric("f1_score", "F1", high=high))
    return replace(page, evidence=(found,))


def at_distance(page: Findings, distance: float, metric: Metric) -> Evidence:
    """Return the evidence about another metric, by which everybody is so far from the best."""
    found = made.with_parts(page.evidence[0], distances={"from_best": np.full(10, distance)})
    return replace(found, metric=metric)


def shown(page: Findings) -> ShownScore:
    return shown_score(page, page.evidence[0], 3)


@pytest.mark.parametrize(
    ("score", "high", "rounded"),
    [
        (0.7012345, 1.0, 0.7012),
        (0.0012345, 1.0, 0.0012),
        (0.0012345, math.inf, 0.001234),
        (1.23456, math.inf, 1.235),
        (98765.4, math.inf, 98770.0),
        (0.0, math.inf, 0.0),
        (1.0, 1.0, 1.0),
    ],
)
def test_four_digits(score: float, high: float, rounded: float) -> None:
    assert shown(findings(score, 0.01, high=high)).score == pytest.approx(rounded, rel=1e-12)


@pytest.mark.parametrize(
    ("error", "unit"),
    [
        (0.0147, 0.02), (0.02, 0.02), (0.021, 0.05), (0.059, 0.1), (0.0099, 0.01), (31.0, 50.0),
        (1e-7, 1e-4), (0.0, 1e-4), (NAN, 1e-4),
    ],
)  # fmt: skip
def test_what_the_test_set_can_tell(error: float, unit: float) -> None:
    grid = shown(findings(0.7012, error, precision="standard_error")).grid
    assert grid is not None
    assert unit_of(grid) == pytest.approx(unit)


def test_the_interval_follows_the_rounded_score() -> None:
    own = shown(findings(0.7112, 0.0147, precision="standard_error"))
    assert (own.score, own.low, own.high) == pytest.approx((0.72, 0.68, 0.76))
    own = shown(findings(0.7112, 0.0147))
    assert (own.score, own.low, own.high) == pytest.approx((0.7112, 0.6818, 0.7406))
    own = shown(findings(0.999, 0.0147, precision="standard_error"))
    assert own.high == 1.0
    own = shown(findings(0.7112, NAN, precision="standard_error"))
    assert own.score == pytest.approx(0.7112)
    assert math.isnan(own.low)
    assert math.isnan(own.high)


@given(st.floats(0, 1), st.floats(1e-9, 0.5), st.floats(0, 6), st.floats(0, 6))
def test_the_interval_is_rounded_outward(
    score: float, error: float, below: float, above: float
) -> None:
    page = findings(score, error, precision="standard_error")
    ends = {"low": max(score - below * error, 0.0), "high": min(score + above * error, 1.0)}
    intervals = {key: np.full(10, end) for key, end in ends.items()}
    page = replace(page, evidence=(made.with_parts(page.evidence[0], intervals=intervals),))
    own = shown(page)
    assert own.grid is not None
    assert own.low <= ends["low"] + 1e-10
    assert own.high >= ends["high"] - 1e-10
    assert own.high - own.low <= ends["high"] - ends["low"] + 3.0000001 * unit_of(own.grid)


@pytest.mark.parametrize("greater", [True, False])
def test_the_distance_fits_the_rounded_scores(*, greater: bool) -> None:
    """One unit more than the distance of the rounded scores bounds the true one."""
    for precision, score, distance, said in (
        ("digits", 0.71126, 0.01003, 0.0101),  # from 0.7113 to 0.7213 or 0.7012, not to 0.70123
        ("digits", 0.7250, 0.0189352, 0.0190),
        ("standard_error", 0.7112, 0.02, 0.04),
        ("standard_error", 0.7112, 0.0, 0.02),  # 0 would tell a verified winner
    ):
        page = findings(score, 0.0147, precision=precision)
        metric = made.metric("f1_score", "F1", greater_is_better=greater)
        found = at_distance(page, distance, metric)
        assert shown_bar(page, found, 3)[1] == pytest.approx(said, abs=1.0001e-4)
    full = replace(page, settings=replace(page.settings, participants="full"))
    assert shown_bar(full, found, 3)[1] == 0.0


@given(
    st.floats(-1e9, 1e9, allow_subnormal=False),
    st.floats(1e-9, 1e8),
    st.sampled_from(["digits", "standard_error"]),
)
def test_rounding_moves_a_score_by_half_a_unit_at_most(
    score: float, error: float, precision: str
) -> None:
    own = shown(findings(score, error, high=math.inf, precision=precision))
    assert own.grid is not None
    assert abs(own.score - score) <= unit_of(own.grid) * 0.5000001 + 1e-10
    if precision == "standard_error" and unit_of(own.grid) > 1e-3 * abs(score):
        assert error <= unit_of(own.grid) * 1.0000001
        assert (
            unit_of(own.grid) <= 2.5000001 * error or unit_of(own.grid) <= 1e-3 * abs(score) + 1e-4
        )


@given(
    st.floats(0, 1),
    st.floats(0, 1),
    st.sampled_from(["digits", "standard_error"]),
    st.booleans(),
)
def test_a_rounded_distance_is_an_upper_bound(
    score: float, distance: float, precision: str, greater: bool
) -> None:
    page = findings(score, 0.0147, precision=precision)
    metric = made.metric("f1_score", "F1", greater_is_better=greater)
    found = at_distance(page, distance, metric)
    said = shown_bar(page, found, 3)[1]
    grid = shown(page).grid
    assert grid is not None
    assert distance - 1e-12 <= said <= distance + 2 * unit_of(grid) + 1e-12
    found = made.with_parts(found, distances={"near": np.full(10, distance)})
    near, far = shown_bar(page, found, 3)
    assert far == said
    assert max(0.0, distance - 2 * unit_of(grid)) - 1e-12 <= near <= distance + 1e-12


def test_grids() -> None:
    assert nearest(1274, (5, -1)) == 1250
    assert nearest(0.7112, (2, 2)) == pytest.approx(0.72)
    assert math.isnan(nearest(NAN, (1, 4)))


def test_the_organizer_sees_every_digit() -> None:
    page = findings(0.7012345, 0.01, participants="full", precision="standard_error")
    assert shown(page) == ShownScore(0.7012345, 0.6812345, 0.7212345, None)
    teams = replace(findings(0.7012345, 0.01), form="teams", focus=None)
    assert shown(teams).score == 0.7012345


@pytest.mark.parametrize("precision", ["digits", "standard_error"])
def test_the_outputs_depend_on_nothing_that_is_withheld(precision: str) -> None:
    """Everything else about the same scores, ranks and ties changes no byte."""
    about = {"participants": "score", "precision": precision}
    page = made.result(metrics=2, form="field", focus=3, settings=about)
    other = made.result(metrics=2, form="field", focus=3, settings=about, error=0.0148)
    evidence = []
    for one, two in zip(page.evidence, other.evidence, strict=True):
        assert not np.array_equal(one.pairs.p_one_sided, two.pairs.p_one_sided)
        same = made.with_parts(
            two,
            scores={"score": one.scores.score + 1e-7},
            intervals={"low": one.intervals.low, "high": one.intervals.high},
            verdict={"possible_winners": one.verdict.possible_winners},
            distances={
                "near": one.distances.near + 1e-7 * (one.distances.near > 0),
                "from_best": one.distances.from_best + 1e-7,
            },
        )
        evidence.append(same)
    other = replace(other, evidence=tuple(evidence))
    assert files(page, render.build(page)) == files(other, render.build(other))


def test_what_is_written_for_participants() -> None:
    page = findings(0.7012345, 0.01)
    written = files(page, render.build(page))
    assert set(written) == {"detailed_results.html", "scores.json", "scores.txt"}
    flat = scores(page)
    assert set(flat) == {
        "f1_score", "f1_score_ci_low", "f1_score_ci_high", "n_examples", "n_teams",
        "rank", "tied_with_leader", "distance_from_best",
    }  # fmt: skip
    assert flat["f1_score"] == 0.7012
    assert "f1_score: 0.7012000000\n" in written["scores.txt"]


@pytest.mark.parametrize(("precision", "decimals"), [("digits", 4), ("standard_error", 2)])
def test_the_page_shows_the_own_bar_only(precision: str, decimals: int) -> None:
    """It has no dot, which would be a rival's score, and its ends are on the grid of the score."""
    for focus in (0, 1, 9):
        about = {"participants": "score", "precision": precision}
        page = made.result(form="field", focus=focus, settings=about)
        text = files(page, render.build(page))["detailed_results.html"]
        assert isinstance(text, str)
        (bar,) = re.findall(r'<section id="finish".*?</section>', text, flags=re.S)
        assert bar.count('class="bar"') == text.count('class="bar"') == 1
        assert 'class="mark dot"' not in text
        ends = re.findall(r"at (?:least|most) ([\d.]+)", bar)
        assert len(ends) == (2 if focus == 9 else 1)
        assert all(len(end.partition(".")[2]) <= decimals for end in ends)
        assert not [name for i, name in enumerate(made.TEAMS) if i != focus and name in bar]


def test_the_verdict_of_a_participant() -> None:
    about = {"participants": "score"}
    for focus, said in (
        (0, "takes rank 1 of 10 with F1 0.7154: no competing entry has a better score."),
        (1, "takes rank 2 of 10 with F1 0.7026, but may be as good as the leader, or better."),
        (9, "takes rank 10 of 10 with F1 0.4685; it is not a possible winner."),
    ):
        page = made.result(form="field", focus=focus, settings=about)
        assert render.build(page).verdict == f"This submission {said}"
    alone = made.with_settings(made.single(), **about)
    assert render.build(alone).verdict.startswith(
        "This submission scores F1 0.6847, with a 95% interval of ["
    )


@pytest.mark.parametrize("participants", ["score", "full"])
def test_the_place_of_a_submission_includes_the_baselines(participants: str) -> None:
    about = {"participants": participants}
    page = made.result(form="field", focus=9, settings=about)
    assert "baselines included" not in render.build(page).verdict
    for baselines, said in ((made.TEAMS[:1], "rank 9 of 9"), (made.TEAMS[:9], "only baselines")):
        page = made.result(form="field", focus=9, settings={**about, "baselines": baselines})
        verdict = render.build(page).verdict
        assert said in verdict
        assert "Rank 10 of 10, baselines included." in verdict
