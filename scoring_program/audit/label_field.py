"""The gold and every entry's predictions as labels, the input of the audit's label questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..alignment.competition import Part
from ..alignment.requirements import target_of
from ..core.arrays import Array, Bools, Ints
from ..metrics import Metric


@dataclass(frozen=True, eq=False)
class LabelField:
    """Gold labels [n] and predicted labels [m, n] as numbers of ``labels``, sorted."""

    names: tuple[str, ...]  # of the entries, [m]
    ids: tuple[str, ...]  # of the examples, [n]
    labels: Array  # [C]
    gold: Ints  # [n]
    predicted: Ints  # [m, n]

    @property
    def right(self) -> Bools:
        """Which predictions are right, [m, n]."""
        return np.asarray(self.predicted == self.gold)

    @classmethod
    def of(
        cls, gold: Array, predictions: Sequence[Array], names: Sequence[str], ids: Sequence[str]
    ) -> LabelField:
        """Number the labels of gold [n] and of each entry's predictions [n]."""
        labels, codes = np.unique(np.stack([gold, *predictions]), return_inverse=True)
        numbered = codes.reshape(len(predictions) + 1, len(gold))
        return cls(tuple(names), tuple(ids), labels, numbered[0], numbered[1:])

    def texts(self, codes: Ints) -> Array:
        """Return numbers as labels."""
        return np.asarray(self.labels[codes])


def label_metric(metrics: Sequence[Metric]) -> Metric | None:
    """Return the first metric that reads labels; a formula counts if it has such a component."""
    for metric in metrics:
        for candidate in (metric, *metric.components):
            if candidate.kind == "labels" and not candidate.components:
                return candidate
    return None


def label_field(part: Part, names: Sequence[str]) -> LabelField | None:
    """Return the labels of a part's entries, in the order of ``names``.

    None if no metric reads labels.
    """
    metric = label_metric(part.metrics)
    target = target_of(metric, part.gold) if metric else None
    if target is None:
        return None
    entries = {entry.name: entry for entry in part.entries if entry}
    ids = part.gold.ids or tuple(str(position + 1) for position in part.gold.positions)
    predictions = [entries[name].predictions[target] for name in names]
    return LabelField.of(part.labels[target.column], predictions, names, ids)
