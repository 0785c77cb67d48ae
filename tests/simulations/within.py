"""Competitions with twenty slices: do all intervals hold, and is another leader named wrongly?"""

from __future__ import annotations

import numpy as np

import scoring_program as dh

#: Examples in each of twenty slices.
SIZES = np.repeat([40, 60, 100, 200], 5)
ENTRIES, ACCURACY = 10, 0.8


def slices(sets: int, seed: int, behind: float = 0.0, resamples: int = 1000) -> dict[str, float]:
    """Ten entries, equally accurate everywhere, but ``behind`` where the first one is worse.

    The first one is worse in the largest slice, and better by .05 in all others, if ``behind`` is
    not 0. Another leader is false where the overall leader is truly a best entry of the slice.
    """
    rng = np.random.default_rng(seed)
    accuracy = np.full((SIZES.size, ENTRIES), ACCURACY)
    if behind:
        accuracy[:, 0] += 0.05
        accuracy[-1, 0] = ACCURACY - behind
    part = np.repeat(np.arange(SIZES.size), SIZES)
    names = [f"e{i}" for i in range(ENTRIES)]
    gold = np.arange(part.size) % 2
    held = false = found = 0
    for number in range(sets):
        right = rng.random((part.size, ENTRIES)) < accuracy[part]
        predictions = {name: np.where(right[:, i], gold, 1 - gold) for i, name in enumerate(names)}
        result = dh.compare(
            gold,
            predictions,
            metrics="accuracy",
            slices={"slice": part.astype(str)},
            resamples=resamples,
            seed=number,
        )["accuracy"]
        leader = names.index(result.leader)
        best = accuracy[:, leader] == accuracy.max(axis=1)
        truth = [accuracy[int(row.value), int(row.entry[1:])] for row in result.slices]
        held += all(
            not (true < row.low or true > row.high)
            for true, row in zip(truth, result.slices, strict=True)
        )
        others = {int(row.value) for row in result.slices if row.other_leader}
        false += any(best[k] for k in others)
        found += SIZES.size - 1 in others
    return {
        "all intervals": held / sets,
        "a false other leader": false / sets,
        "the true other leader": found / sets,
    }
