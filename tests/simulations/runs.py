"""A team with one run against teams with many: how often is it kept, being a best team?

If only the runs that are shown were tested, the tests would not know that they were selected.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from scoring_program.inference import MetricScores, analyze
from tests.arrays import made_replicates

from .program import best_runs
from .simulate import MEAN, resample_means

N = 200


def teams(
    sets: int, seed: int, rivals: int, runs: int, alike: float = 0.0, resamples: int = 999
) -> dict[str, float]:
    """Equally good runs on 200 examples; a team's share the part ``alike`` of their own variance.

    Every run is shown, or the best of each team stands for it, or the others are forgotten.
    """
    rng = np.random.default_rng(seed)
    kept, high, by_holm = np.zeros(3), 0, np.zeros(2)
    of = np.repeat(np.arange(1, rivals + 1), runs)
    team_of = [f"{team:02}" for team in (0, *of)]
    for _ in range(sets):
        common = rng.normal(size=(N, 1))
        own = np.sqrt(1 - alike) * rng.normal(size=(N, 1 + of.size))
        if alike:
            own[:, 0] = rng.normal(size=N)
            own[:, 1:] += np.sqrt(alike) * rng.normal(size=(N, rivals))[:, of - 1]
        units = common + own
        observed, values = units.mean(axis=0), resample_means(rng, units, resamples)
        best = [
            1 + runs * team + observed[1:].reshape(rivals, runs)[team].argmax()
            for team in range(rivals)
        ]
        shown = np.array([0, *best])
        order = np.append(shown, np.setdiff1d(np.arange(1 + of.size), shown))
        best_runs_first = MetricScores(
            MEAN,
            [team_of[run] for run in order],
            observed[order],
            made_replicates(values[:, order]),
            n=N,
            entries=shown.size,
        )
        names = [f"{run:04}" for run in range(1 + of.size)]
        every = MetricScores(MEAN, names, observed, made_replicates(values), n=N, teams=team_of)
        found = analyze(best_runs_first)
        all_shown = analyze(every)
        kept += [
            one.verdict.possible_winners[0]
            for one in (all_shown, found, analyze(best_runs_first.of_entries))
        ]
        by_holm += [one.standing.tied["holm"][0] for one in (all_shown, found)]
        # The ranks of equal teams, ties included, are 1 to M.
        high += int(found.standing.rank_high[0] == rivals + 1)
    return {
        "kept, every run shown": kept[0] / sets,
        "kept, the best runs shown": kept[1] / sets,
        "kept, the other runs forgotten": kept[2] / sets,
        "upper end holds": high / sets,
        "kept by Holm, every run shown": by_holm[0] / sets,
        "kept by Holm, the best runs shown": by_holm[1] / sets,
    }


#: Accuracies of the first team and of its rivals in three tasks: their true mean ranks are equal.
TASKS = {
    "equal": ((0.7, 0.7), (0.7, 0.7), (0.7, 0.7)),
    "opposed": ((0.6, 0.85), (0.85, 0.6), (0.7, 0.7)),
}


def mean_ranks(
    sets: int, seed: int, rivals: int, runs: int, tasks: str, resamples: int = 999
) -> dict[str, float]:
    """Three tasks of 200 examples each, over which a mean rank ranks the teams.

    Where they are opposed, there is one rival, and its runs differ in the last task only.
    """
    rng = np.random.default_rng(seed)
    kept, high = np.zeros(2), 0
    of = np.append(0, np.repeat(np.arange(1, rivals + 1), runs))
    for number in range(sets):
        answers = []
        for accuracy in np.array(TASKS[tasks]):
            same = accuracy[0] != accuracy[1]
            chance = rng.random((N, rivals + 1))[:, of] if same else rng.random((N, of.size))
            answers.append(chance < accuracy[np.minimum(of, 1)])
        ranked = partial(best_runs, overall="mean_rank", resamples=resamples, seed=number)
        found, shown = ranked(answers, of)
        alone, _ = ranked([right[:, shown] for right in answers], of[shown])
        kept += [one.verdict.possible_winners[0] for one in (found, alone)]
        high += int(found.standing.rank_high[0] == rivals + 1)
    return {
        "kept by the mean rank": kept[0] / sets,
        "kept, the other runs forgotten": kept[1] / sets,
        "upper end holds": high / sets,
    }
