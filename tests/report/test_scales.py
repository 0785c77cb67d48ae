"""Axes that break before values far off, so that these do not squeeze all others."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from scoring_program import report as render
from scoring_program.core.phrases import Numerals
from scoring_program.document.scales import (
    broken_scale,
    drawn_axis,
    far_off,
    strip_scale,
)
from scoring_program.report.sections.intervals import difference_axis, score_axis

from . import kinds, made
from .test_ranking import view_of


def spans(points: list[float], half: float = 0.01) -> np.ndarray:
    """Return intervals of one length around points, [k, 3]."""
    return np.stack([np.array(points) + part for part in (-half, 0.0, half)], axis=1)


def far(points: list[float], *, half: float = 0.01, baselines: int = 0) -> list[int]:
    """Return which points are far off; the first one leads, the last ones may be baselines."""
    numbers = np.arange(len(points))
    counted = numbers < len(points) - baselines
    return np.flatnonzero(far_off(spans(points, half), numbers == 0, counted)).tolist()


@pytest.mark.parametrize(
    ("points", "baselines", "expected"),
    [
        ([0.86, 0.855, 0.85, 0.33], 0, [3]),
        ([0.86, 0.855, 0.33, 0.31], 2, [2, 3]),
        ([0.86, 0.855, 0.33, 0.31], 0, []),  # half of the entries are no outliers
        ([0.70, 0.71, 0.69, 0.99], 1, [3]),  # a baseline far ahead
        ([0.86, 0.33], 1, []),  # two entries: the difference is the message
        ([0.70, 0.68, 0.60, 0.45], 0, []),
        ([0.90, 0.40, 0.41, 0.39], 0, []),  # the leader never lies beyond a break
        ([0.5, 0.5, 0.5, 0.5], 0, []),
    ],
)
def test_what_is_far_off(points: list[float], baselines: int, expected: list[int]) -> None:
    assert far(points, baselines=baselines) == expected


@pytest.mark.parametrize("sign", [1, -1])
def test_an_interval_that_reaches_far_to_the_other_side_breaks_no_axis(sign: int) -> None:
    """Such as that of R² of an entry with one enormous error: nothing is left out between."""
    near = spans([0.1, 0.3, 0.5])
    wide = np.array([[-6000.0, 85.0, 4500.0]])
    if sign < 0:
        near = -near[:, ::-1]
        wide = -wide[:, ::-1]
    scale = broken_scale(near, wide)
    assert scale.beyond is None
    assert scale.low < wide.min() < wide.max() < scale.high


def test_points_without_interval_may_be_far_off() -> None:
    found = spans([1.0, 2.0, 3.0, 90.0])
    found[:, [0, 2]] = math.nan
    assert far_off(found, np.arange(4) == 0, np.ones(4, np.bool_)).tolist()[-1]


@pytest.mark.parametrize("sign", [1, -1])
def test_a_broken_scale_keeps_the_order_and_gives_the_near_most_room(sign: int) -> None:
    near, off = sign * spans([1.2, 1.3, 1.4]), sign * spans([1200.0], 400.0)
    scale = broken_scale(near, off)
    assert scale.beyond is not None
    values = sorted([*near.ravel(), *off.ravel()])
    places = [scale(value) for value in values]
    assert places == sorted(places)
    assert 3 <= places[0] < places[-1] <= 97
    assert abs(scale(sign * 1.41) - scale(sign * 1.19)) > 60
    low, high = scale.omitted
    assert scale.high <= low <= high <= scale.beyond.low
    assert scale(0.5 * (low + high)) == scale.gap


def test_an_interval_may_run_through_the_break() -> None:
    near, off = spans([1.2, 1.3]), np.array([[1.25, 900.0, 2000.0]])
    scale = broken_scale(near, off)
    assert scale.beyond is not None
    assert scale(1.25) < scale.gap < scale(900.0)
    assert scale.high < 2


def test_nothing_far_off_breaks_nothing() -> None:
    assert broken_scale(spans([1.0, 2.0]), np.empty((0, 3))).beyond is None
    assert broken_scale(spans([1.0, 2.0]), spans([1.5])).beyond is None


def test_the_axis_says_where_it_breaks() -> None:
    view = view_of(kinds.far_baseline())
    differences = view.evidence.differences
    assert differences is not None
    for axis in (score_axis(view), difference_axis(view, differences, "leads")):
        assert re.fullmatch(r"axis broken from [\d.]+ to [\d.]+", axis.note)
        assert axis.scale.beyond is not None
    whole = score_axis(view_of(made.result()))
    assert whole.note == ""
    assert whole.scale.beyond is None


def test_page_and_figure_show_and_say_the_break() -> None:
    report = render.build(kinds.outlier())
    page, figures = render.page(report), render.figures(report)
    assert "axis broken from 1.5 to 300" in page
    assert "axis broken from 0.3 to 300" in page  # of the differences
    assert 'class="gap"' in page
    svg = figures["intervals.svg"]
    (described,) = re.findall("<desc[^>]*>(.*?)</desc>", svg, re.S)
    assert "axis broken from 1.5 to 300" in described
    assert svg.count('class="edge"') == 1
    assert 'class="edge"' not in render.page(made.built(made.teams()))


@pytest.mark.parametrize("low", [0.671, 0.6813, -0.0093])
@pytest.mark.parametrize("length", [0.0003, 0.0067, 0.058, 0.07, 0.4, 3.0])
def test_an_axis_has_two_ticks_at_least(low: float, length: float) -> None:
    scale = strip_scale([low, low + length])
    ticks = drawn_axis("a", scale, None, Numerals().fixed).ticks
    assert 2 <= len(ticks) <= 5
    if low < 0 < low + length:
        assert any(float(label.replace("−", "-")) == 0 for _, label in ticks)
