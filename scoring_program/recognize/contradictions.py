"""Cells that show that a column cannot be meant, although it is stated or called like a prediction.

Nothing here chooses another column. The checker of a starting kit holds this module, too.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from ..core.cells import Label, is_number, label_reader
from .usual_names import APART_BY_A_THRESHOLD, ENOUGH, FEW_WORDS


def may_hold(cells: Sequence[str], kind: str, labels: Sequence[Label]) -> bool:
    """Whether a column that differs from row to row may hold a prediction of a kind."""
    if len({*cells}) == 1:
        return False
    if kind == "labels":
        means = label_reader(labels)
        return sum(means(cell) is not None for cell in cells) >= ENOUGH * len(cells)
    return sum(map(is_number, cells)) >= ENOUGH * len(cells)


def are_labels(cells: Sequence[str], labels: Sequence[Label]) -> bool:
    """Whether a column holds labels where scores are asked for: two numbers, or a few words."""
    different = {*cells}
    if all(map(is_number, different)):
        return len({*map(float, different)}) == 2
    means = label_reader(labels)
    if labels and all(means(cell) is not None for cell in different):
        return True
    return 2 <= len(different) <= FEW_WORDS


def is_cut(cells: Sequence[str], values: Sequence[float], positive: str | None) -> bool:
    """Whether labels are nothing but a number, cut at thresholds, with the positive on top."""
    by_label: dict[str, list[float]] = {}
    for cell, value in zip(cells, values, strict=True):
        if value == value:  # no nan
            by_label.setdefault(cell, []).append(value)
    ranges = sorted((min(values), max(values), label) for label, values in by_label.items())
    if len(ranges) < 2 or any(low[1] > high[0] for low, high in pairwise(ranges)):
        return False
    means = label_reader([] if positive is None else [positive])
    are_positive = [means(label) is not None for _, _, label in ranges]
    return are_positive[-1] or not any(are_positive)


def say_how_sure(values: Sequence[float], cells: Sequence[str], labels: Sequence[Label]) -> bool:
    """Whether numbers say how sure the label beside each is, and not how likely one class is.

    All are probabilities of at least a half, also those beside the negative label, and they hardly
    tell the two ``labels``, the positive one last, apart. A column of the truth would seldom be
    such.
    """
    if not all(0.5 <= value <= 1 for value in values):
        return False
    means = label_reader(labels)
    by_label: dict[Label, list[float]] = {label: [] for label in labels}
    for value, cell in zip(values, cells, strict=True):
        label = means(cell)
        if label is None:
            return False
        by_label[label].append(value)
    negative, positive = (sorted(by_label[label]) for label in labels)
    pairs = len(negative) * len(positive)
    wins = 0
    for value in positive:
        wins += bisect_left(negative, value) + bisect_right(negative, value)
    return bool(pairs) and wins / 2 < APART_BY_A_THRESHOLD * pairs
