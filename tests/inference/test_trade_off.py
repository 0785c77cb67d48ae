"""Who is best by two metrics, and whether the two say the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest
from scipy.stats import spearmanr

from scoring_program.inference.descriptive import trade_off
from scoring_program.inference.evidence import Evidence
from scoring_program.settings.model import Settings
from tests.report import made

NAMES = ("a", "b", "c", "d")


def evidence(scores: Sequence[float], names: Sequence[str] = NAMES, **facts: Any) -> Evidence:
    settings = Settings(baselines=tuple(name for name in names if name == "baseline"))
    return made.evidence(
        made.metric("m", "m", **facts), scores, names, settings, resamples=100, error=0.001
    )


def fronts(first: Evidence, second: Evidence) -> set[str]:
    found = trade_off(first, second)
    return {first.names[i] for i in found.first[found.front]}


def test_the_front_is_what_no_other_entry_beats_by_both() -> None:
    one = evidence((0.9, 0.8, 0.7, 0.6))
    assert fronts(one, evidence((0.5, 0.6, 0.55, 0.7))) == {"a", "b", "d"}
    assert fronts(one, evidence((0.9, 0.8, 0.7, 0.6))) == {"a"}


def test_the_front_follows_the_directions_of_both_metrics() -> None:
    errors = evidence((5.0, 6.0, 5.5, 7.0), greater_is_better=False, low=0.0, high=math.inf)
    assert fronts(evidence((0.9, 0.8, 0.7, 0.6)), errors) == {"a"}
    assert fronts(evidence((0.6, 0.7, 0.8, 0.9)), errors) == {"a", "c", "d"}


def test_equal_entries_are_on_the_front_together() -> None:
    one = evidence((0.9, 0.9, 0.7, 0.6))
    assert fronts(one, evidence((0.5, 0.5, 0.4, 0.4))) == {"a", "b"}


def test_baselines_are_neither_on_the_front_nor_before_it() -> None:
    names = ("a", "b", "baseline")
    one, two = evidence((0.8, 0.7, 0.9), names), evidence((0.5, 0.6, 0.9), names)
    assert fronts(one, two) == {"a", "b"}


def test_entries_are_joined_by_name() -> None:
    one, two = evidence((0.9, 0.8, 0.7), ("a", "b", "c")), evidence((0.5, 0.9), ("c", "a"))
    found = trade_off(one, two)
    assert [one.names[i] for i in found.first] == ["a", "c"]
    assert [two.names[j] for j in found.second] == ["a", "c"]


def test_metrics_that_say_the_same_are_near_duplicates() -> None:
    one = evidence((0.9, 0.8, 0.7, 0.6))
    assert trade_off(one, evidence((0.45, 0.40, 0.35, 0.30))).same
    errors = evidence((10.0, 20.0, 30.0, 40.0), greater_is_better=False, low=0.0, high=math.inf)
    assert trade_off(one, errors).same
    assert trade_off(one, errors).correlation == pytest.approx(1)
    other = evidence((0.8, 0.7, 0.7, 0.9))
    assert not trade_off(one, other).same
    assert trade_off(one, other).correlation == pytest.approx(
        spearmanr((0.9, 0.8, 0.7, 0.6), (0.8, 0.7, 0.7, 0.9)).statistic
    )


def test_a_metric_by_which_all_are_equal_shows_no_trade_off() -> None:
    assert trade_off(evidence((0.9, 0.8, 0.7, 0.6)), evidence((0.5,) * 4)).same
