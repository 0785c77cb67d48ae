"""A team with one run against teams with many: how often is it kept, being a best team?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scoring_program.inference import MetricScores, analyze
from scoring_program.inference.inputs import RunScores
from tests.arrays import made_replicates

from .simulate import MEAN, resample_means

N = 200


def teams(sets: int, seed: int, rivals: int, runs: int, resamples: int = 999) -> dict[str, float]:
    """Equally good runs on 200 examples.

    Every run is shown, or the best of each team stands for it. If the others were forgotten, the
    tests would not know that it was selected.
    """
    rng = np.random.default_rng(seed)
    kept, high = np.zeros(3), 0
    of = np.repeat(np.arange(1, rivals + 1), runs)
    team_of = [f"{team:02}" for team in (0, *of)]
    for _ in range(sets):
        units = rng.normal(size=(N, 1)) + rng.normal(size=(N, 1 + of.size))
        observed, values = units.mean(axis=0), resample_means(rng, units, resamples)
        best = [
            1 + runs * team + observed[1:].reshape(rivals, runs)[team].argmax()
            for team in range(rivals)
        ]
        shown = np.array([0, *best])
        hidden = np.setdiff1d(np.arange(1 + of.size), shown)
        scores = MetricScores(
            MEAN,
            [f"{team:02}" for team in range(rivals + 1)],
            observed[shown],
            made_replicates(values[:, shown]),
            n=N,
        )
        names = [f"{run:04}" for run in range(1 + of.size)]
        every = MetricScores(MEAN, names, observed, made_replicates(values), n=N, teams=team_of)
        others = RunScores(of[hidden - 1], observed[hidden], values[:, hidden])
        found = analyze(replace(scores, hidden=others))
        kept += [one.tied_with_leader[0] for one in (analyze(every), found, analyze(scores))]
        # The ranks of equal teams, ties included, are 1 to M.
        high += int(found.rank_high[0] == rivals + 1)
    return {
        "kept, every run shown": kept[0] / sets,
        "kept, the best runs shown": kept[1] / sets,
        "kept, the other runs forgotten": kept[2] / sets,
        "upper end holds": high / sets,
    }
