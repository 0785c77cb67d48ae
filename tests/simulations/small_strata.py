"""Strata of few units: how much narrower are intervals, and is a truly best entry kept?

Scores of equal systems differ from stratum to stratum, and are normal within. They go through the
public reading of scores and the whole inference.
"""

from __future__ import annotations

import numpy as np

from scoring_program.data.from_arrays import score_table
from scoring_program.inference.evidence import Evidence
from scoring_program.pipeline import evaluate
from scoring_program.settings.model import Settings

SYSTEMS = 5


def analyzed(
    rng: np.random.Generator, strata: int, size: int, seed: int, resamples: int
) -> tuple[Evidence, np.ndarray]:
    """Return the evidence on so many strata of one ``size``, and the true scores [m]."""
    of_strata = 2 * rng.normal(size=(strata, SYSTEMS))
    scores = np.repeat(of_strata, size, axis=0) + rng.normal(size=(strata * size, SYSTEMS))
    truth = of_strata.mean(axis=0)
    scores -= truth  # equal systems
    table = {f"s{system}": scores[:, system] for system in range(SYSTEMS)}
    asked = Settings(greater_is_better=True, resamples=resamples, seed=seed, stratify="stratum")
    numbers = np.repeat(np.arange(strata), size).astype(str)
    (evidence,) = evaluate(*score_table(table, asked, strata=numbers)).findings.evidence
    return evidence, np.zeros(SYSTEMS)


def observed(
    sets: int, seed: int, strata: int, size: int, resamples: int = 499
) -> dict[str, float]:
    """How often 95% intervals hold, how wide they are, and how often a given best is kept.

    The width is that of the intervals over that of intervals by the true standard error.
    """
    rng = np.random.default_rng(seed)
    held = 0.0
    kept = 0.0
    width = 0.0
    true_width = 2 * 1.959964 / np.sqrt(strata * size)
    for number in range(sets):
        evidence, truth = analyzed(rng, strata, size, number, resamples)
        intervals = evidence.intervals
        assert intervals is not None
        held += float(((intervals.low <= truth) & (truth <= intervals.high)).mean())
        kept += float(evidence.verdict.possible_winners.mean())
        width += float((intervals.high - intervals.low).mean()) / true_width
    return dict(zip(MEASURES, (held / sets, kept / sets, width / sets), strict=True))


MEASURES = ("intervals hold", "a given best kept", "width")
