"""Competitions with twenty slices: do all intervals hold, and is another leader named wrongly?"""

from __future__ import annotations

import numpy as np

from .program import best_runs

#: Examples in each of twenty slices.
SIZES = np.repeat([40, 60, 100, 200], 5)
ACCURACY = 0.8
#: How much better the first team is than all others, in each slice.
FIRST = {
    "equal": np.zeros(SIZES.size),
    "behind in one": np.append(np.full(SIZES.size - 1, 0.05), -0.2),
    "ahead in five": np.where(SIZES == 200, 0.1, 0),
}


def slices(
    sets: int,
    seed: int,
    first: str = "equal",
    rivals: int = 9,
    runs: int = 1,
    resamples: int = 1000,
) -> dict[str, float]:
    """A team with one run against teams with several, which are equally accurate everywhere.

    Another leader is false where the overall leader is truly a best team of the slice.
    """
    rng = np.random.default_rng(seed)
    accuracy = np.full((SIZES.size, 1 + rivals), ACCURACY)
    accuracy[:, 0] += FIRST[first]
    part = np.repeat(np.arange(SIZES.size), SIZES)
    of = np.append(0, np.repeat(np.arange(1, 1 + rivals), runs))
    held = false = found = 0
    for number in range(sets):
        right = rng.random((part.size, of.size)) < accuracy[part][:, of]
        of_slices = {"slice": part.astype(str)}
        evidence, _ = best_runs([right], of, of_slices, resamples=resamples, seed=number)
        best = accuracy[:, evidence.scores.leader] == accuracy.max(axis=1)
        truths = [accuracy[int(one.value)] for one in evidence.slices]
        held += all(
            not ((truth < one.low) | (truth > one.high)).any()
            for truth, one in zip(truths, evidence.slices, strict=True)
        )
        others = {int(one.value) for one in evidence.slices if one.other_leader is not None}
        false += any(best[k] for k in others)
        found += SIZES.size - 1 in others
    return {
        "all intervals": held / sets,
        "a false other leader": false / sets,
        "the true other leader": found / sets,
    }
