"""Examples with several labels, and what systems found: emotions of short texts."""

from __future__ import annotations

import random
from collections.abc import Sequence

LABELS = ("anger", "fear", "joy", "sadness", "surprise")
#: How often a label applies.
_SHARES = (0.35, 0.2, 0.45, 0.3, 0.15)

LabelSets = list[tuple[str, ...]]

#: A small test set without empty lists of correct labels, and one system's answers.
GOLD: LabelSets = [
    ("anger",), ("joy", "surprise"), ("anger", "fear"), ("fear",), ("joy",), ("anger", "joy"),
    ("surprise",), ("joy",), ("anger", "fear", "sadness"), ("fear", "sadness"),
]  # fmt: skip
FOUND: LabelSets = [
    ("anger",), ("joy",), ("anger", "fear", "joy"), (), ("joy", "surprise"), ("fear",),
    ("surprise",), ("sadness",), ("anger", "fear", "sadness"), ("fear",),
]  # fmt: skip


def gold(n: int = 60, seed: int = 3) -> LabelSets:
    """Return the labels of n examples; some have none."""
    draw = random.Random(seed)
    return [
        tuple(label for label, share in zip(LABELS, _SHARES, strict=True) if draw.random() < share)
        for _ in range(n)
    ]


def system(correct: Sequence[tuple[str, ...]], errors: float, seed: int) -> LabelSets:
    """Return answers of which a share of the decisions is wrong."""
    draw = random.Random(seed)
    return [
        tuple(label for label in LABELS if (label in right) != (draw.random() < errors))
        for right in correct
    ]
