"""Prizes by team: is anything wrong that is said of who surely takes one of K places, and who not?

A team is wrongly sure if K others are as good or better, and wrongly out if fewer than K are
better.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from scoring_program.inference import MetricScores, analyze
from scoring_program.inference.evidence import Evidence, Question
from tests.arrays import made_replicates
from tests.inference.never_contradict import never_contradicts

from . import scales
from .simulate import MEAN

#: Ten teams, of whose true means the fields differ; n examples, with noise of one.
N, RESAMPLES = 200, 999
EQUAL = (0.0,) * 10
GRADED = tuple(-0.1 * team for team in range(10))
TWO_BLOCKS = (0.5,) * 3 + (0.0,) * 7
#: Two teams are level for the last of three places.
BORDER = (0.5, 0.5, 0.25, 0.25) + (0.0,) * 6

Make = Callable[[np.random.Generator], Evidence]


def means(truth: Sequence[float], places: int) -> Make:
    """Analyze means of independent normal values, by the bootstrap of the examples."""

    def make(rng: np.random.Generator) -> Evidence:
        values = truth + rng.normal(size=(N, len(truth)))
        return scales.Sample(values, np.ones(N)).analyze(rng, "never", RESAMPLES, places)

    return make


def runs_of_teams(runs: Sequence[int], places: int) -> Make:
    """Analyze teams of so many runs, all equal, of which the best stands for its team.

    Half of a run's variance is its team's.
    """
    team_of = np.repeat(np.arange(len(runs)), runs)

    def deviations(rng: np.random.Generator, size: int) -> np.ndarray:
        of_teams = rng.normal(size=(size, len(runs)))[:, team_of]
        return (of_teams + rng.normal(size=(size, team_of.size))) / np.sqrt(2)

    def make(rng: np.random.Generator) -> Evidence:
        observed = deviations(rng, 1)[0]
        values = observed + deviations(rng, RESAMPLES)
        shown = [
            int(np.flatnonzero(team_of == team)[observed[team_of == team].argmax()])
            for team in range(len(runs))
        ]
        order = np.append(shown, np.setdiff1d(np.arange(team_of.size), shown))
        best_runs_first = MetricScores(
            MEAN,
            [f"team{team}" for team in team_of[order]],
            observed[order],
            made_replicates(values[:, order]),
            n=2000,
            entries=len(runs),
        )
        return analyze(best_runs_first, Question(prizes=places))

    return make


def settled(
    sets: int, seed: int, make: Make, truth: Sequence[float], places: int
) -> dict[str, float]:
    """How often a statement is wrong, and how many teams are sure of a prize or out."""
    rng, true = np.random.default_rng(seed), np.array(truth)
    better = (true > true[:, None]).sum(axis=1)
    as_good = (true >= true[:, None]).sum(axis=1) - 1
    found = np.zeros(3)
    for _ in range(sets):
        evidence = make(rng)
        never_contradicts(evidence)
        prizes = evidence.verdict.prizes
        assert prizes is not None
        assert prizes.sure is not None
        assert prizes.out is not None
        wrong = (prizes.sure & (as_good >= places)) | (prizes.out & (better < places))
        found += [wrong.any(), prizes.sure.sum(), prizes.out.sum()]
    wrong_fields, sure, out = (found / sets).tolist()
    return {"a wrong statement": wrong_fields, "teams that are sure": sure, "teams out": out}
