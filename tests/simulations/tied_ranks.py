"""Mean ranks over tasks of few examples, in which entries often tie.

Is a given best entry kept, and how often does it lead, if ties share the average rank, and if they
share the better one?
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .program import best_runs

#: Examples of each task, few enough for ties, and the number of tasks.
N, TASKS = 40, 5
Right = list[np.ndarray]


def equal(rng: np.random.Generator) -> Right:
    """Six equal entries, independent of each other."""
    return [rng.random((N, 6)) < 0.8 for _ in range(TASKS)]


def near_copies(rng: np.random.Generator) -> Right:
    """Six equal entries, of which all but the first are one method with another seed.

    They answer one question in twenty anew.
    """
    tasks = []
    for _ in range(TASKS):
        base = rng.random((N, 1)) < 0.8
        own = rng.random((N, 6)) < 0.8
        anew = rng.random((N, 6)) < 0.05
        anew[:, 0] = True
        tasks.append(np.where(anew, own, base))
    return tasks


def tied_rivals(rng: np.random.Generator) -> Right:
    """The first entry is ahead in three tasks of five, and the others are truly equal.

    Its true mean rank is 2.2, theirs 2.6; if ties shared the better rank, theirs would be 1.6.
    """
    accuracy = [(0.9, 0.8, 0.8, 0.8)] * 3 + [(0.6, 0.8, 0.8, 0.8)] * 2
    return [rng.random((N, 4)) < of_task for of_task in accuracy]


def kept(
    sets: int, seed: int, make: Callable[[np.random.Generator], Right], resamples: int = 300
) -> dict[str, float]:
    """How often the first entry, a best one by its true mean rank, is kept, and leads."""
    rng, stays, leads, by_better_ranks, others = np.random.default_rng(seed), 0, 0.0, 0.0, 0
    for number in range(sets):
        tasks = make(rng)
        of = np.arange(tasks[0].shape[1])
        found, _ = best_runs(tasks, of, overall="mean_rank", resamples=resamples, seed=number)
        stays += int(found.verdict.possible_winners[0])
        means = np.mean([*found.places_in_tasks.values()], axis=0).round(9)
        first_by_places = np.flatnonzero(means == means.min()).tolist()
        leads += _share(found.scores.leaders)
        by_better_ranks += _share(first_by_places)
        others += set(first_by_places) != set(found.scores.leaders)
    return {
        "kept by the mean rank": stays / sets,
        "leads": leads / sets,
        "leads, ties sharing the better rank": by_better_ranks / sets,
        "another leader, ties sharing the better rank": others / sets,
    }


def _share(leaders: Sequence[int]) -> float:
    """Return the first entry's share of the first place."""
    return (0 in leaders) / len(leaders)
