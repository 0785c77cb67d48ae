"""Two competitions side by side: how often is one called the closest that is not?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from scoring_program.inference.descriptive import ComparedCompetition, closest
from scoring_program.report.results_json import flat

from .families import answered

MEASURES = ("winner_minus_median", "cv_percent", "ppi_percent")
#: True shares of right answers of the entries: a field, and one whose entries are more alike.
FIELD = (0.85, 0.8, 0.78, 0.75, 0.7, 0.65)
ALIKE = (0.85, 0.845, 0.84, 0.835, 0.83, 0.825)
EQUAL = (0.8,) * 6
RESAMPLES = 400


def competition(
    rng: np.random.Generator, accuracy: Sequence[float], n: int, number: int
) -> ComparedCompetition:
    right = rng.random((n, len(accuracy))) < accuracy
    evidence = answered(right).analyze(number, RESAMPLES)
    measures = dict(flat(asdict(evidence.competitiveness), "."))
    return ComparedCompetition(str(number), "accuracy", measures)


def called_closest(
    sets: int,
    seed: int,
    fields: tuple[Sequence[float], Sequence[float]],
    sizes: tuple[int, int],
) -> dict[str, float]:
    """How often one of two competitions is called the closest, by each measure."""
    rng = np.random.default_rng(seed)
    found = dict.fromkeys(MEASURES, 0)
    for number in range(sets):
        pair = [
            competition(rng, accuracy, n, 2 * number + place)
            for place, (accuracy, n) in enumerate(zip(fields, sizes, strict=True))
        ]
        called = closest(pair)
        for measure in MEASURES:
            found[measure] += measure in called
    return {measure: count / sets for measure, count in found.items()}
