"""Which scores are shown to have changed between two parts of the test set."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm
from statsmodels.stats.multitest import multipletests

from scoring_program.inference.descriptive import clear_changes
from scoring_program.inference.evidence import EntryIntervals, Evidence
from scoring_program.settings.model import Settings
from tests.report import made

M = 20
ALL = np.arange(M)
NAMES = tuple(f"entry {i:02}" for i in range(M))


def part(scores: np.ndarray[Any, Any], error: float, confidence: float = 0.95) -> Evidence:
    """Return evidence whose intervals are normal, with one standard error for all."""
    settings = Settings(confidence=confidence)
    found = made.evidence(made.metric("m", "m"), np.zeros(M), NAMES, settings, resamples=50)
    return moved(found, scores, error)


def moved(found: Evidence, scores: np.ndarray[Any, Any], error: float) -> Evidence:
    reach = norm.ppf((1 + found.question.confidence) / 2) * np.full(M, error)
    used = ("percentile",) * M
    intervals = EntryIntervals(scores, np.full(M, error), scores - reach, scores + reach, used)
    return replace(found, scores=replace(found.scores, score=scores), intervals=intervals)


@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_changes_are_those_of_holms_tests(confidence: float) -> None:
    rng = np.random.default_rng(0)
    old, new = rng.normal(0.8, 0.03, M), rng.normal(0.75, 0.03, M)
    found = clear_changes(part(new, 0.012, confidence), part(old, 0.016, confidence), ALL, ALL)
    p = 2 * norm.sf(np.abs(new - old) / 0.02)
    shown = multipletests(p, 1 - confidence, "holm")[0]
    assert 0 < shown.sum() < M
    np.testing.assert_array_equal(found, np.where(shown, np.sign(new - old), 0))


def test_a_change_is_rarely_shown_where_there_is_none() -> None:
    rng, made_once = np.random.default_rng(1), part(np.zeros(M), 0.01)
    wrong = 0
    for _ in range(1000):
        new = moved(made_once, rng.normal(0.8, 0.01, M), 0.01)
        old = moved(made_once, rng.normal(0.8, 0.02, M), 0.02)
        wrong += bool(clear_changes(new, old, ALL, ALL).any())
    assert wrong / 1000 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 1000)


def test_entries_are_joined_by_their_numbers() -> None:
    old, new = np.full(M, 0.8), np.full(M, 0.8)
    old[3], new[5] = 0.9, 0.5
    found = clear_changes(
        part(new, 0.01), part(old, 0.01), np.array([5, 0, 1]), np.array([3, 1, 2])
    )
    np.testing.assert_array_equal(found, [-1, 0, 0])


def test_nothing_is_shown_without_intervals_or_where_nothing_varies() -> None:
    same = part(np.full(M, 1.0), 0.0)
    assert not clear_changes(same, same, ALL, ALL).any()
    fallen = part(np.full(M, 0.5), 0.01)
    assert not clear_changes(replace(fallen, intervals=None), same, ALL, ALL).any()
