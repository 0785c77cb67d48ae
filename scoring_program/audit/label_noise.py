"""How often the leader stays the leader if some gold labels are wrong at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..scoring.scorer import Scorer
from .label_field import LabelField
from .regrade import bound_again, oriented

SHARES = (0.01, 0.02, 0.05)
#: Noisy copies of the gold for each share.
DRAWS = 200


def leader_stays(
    scorer: Scorer, field: LabelField, own: Sequence[int], rivals: Sequence[int], seed: int
) -> Mapping[float, float]:
    """Return share of noise → share of noisy golds under which the leader still has the best score.

    Each label is replaced with the given probability by one of the other labels, all equally
    likely. ``own`` are the leader and the other runs of its team, ``rivals`` the entries that may
    take the lead. A leader that a rival draws level with stays the leader.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0x6E6F697365,)))
    entries = [*own, *rivals]
    names = [field.names[entry] for entry in entries]
    classes = len(field.labels)
    stays = {}
    for share in SHARES:
        stayed = 0
        for _ in range(DRAWS):
            wrong = rng.random(len(field.gold)) < share
            shift = rng.integers(1, classes, len(field.gold)) if classes > 1 else 0
            noisy = np.where(wrong, (field.gold + shift) % classes, field.gold)
            predictions = [field.answers_to(noisy, entry) for entry in entries]
            again = bound_again(scorer, field.texts(noisy), predictions, names)
            scores = oriented(scorer.metric, again.observation.values)
            stayed += bool(np.nanmax(scores[: len(own)]) >= np.nanmax(scores))
        stays[share] = stayed / DRAWS
    return stays
