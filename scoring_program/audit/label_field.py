"""The gold and every entry's predictions as labels, the input of the audit's label questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Array, Bools, Ints
from ..data.competition import Part
from ..data.parts import target_of
from ..metrics import without_formulas
from .answer_field import Answers, ids_of


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelField(Answers):
    """Gold labels [n] and predicted labels [m, n] as numbers of ``labels``, sorted."""

    labels: Array  # [C]

    @classmethod
    def of(
        cls,
        gold: Array,
        predictions: Sequence[Array],
        names: Sequence[str],
        ids: Sequence[str],
        absent: Bools | None = None,
    ) -> LabelField:
        """Number the labels of gold [n] and of each entry's predictions [n]."""
        labels, codes = np.unique(np.stack([gold, *predictions]), return_inverse=True)
        numbered = codes.reshape(len(predictions) + 1, len(gold))
        if absent is None:
            absent = np.zeros((len(predictions), len(gold)), np.bool_)
        correct = list(map(str, gold.tolist()))
        given = numbered[1:]
        return cls(
            names=tuple(names), ids=tuple(ids), correct=correct, gold=numbered[0], predicted=given,
            absent=absent, labels=labels,
        )  # fmt: skip

    def texts(self, codes: Ints) -> Array:
        """Return numbers as labels."""
        return np.asarray(self.labels[codes])

    def answers_to(self, gold: Ints, entry: int) -> Array:
        """Return an entry's labels [n] under another gold [n]; what is absent stays wrong."""
        codes = self.predicted[entry]
        absent = self.absent[entry]
        if absent.any():
            codes = np.where(absent, (gold + 1) % len(self.labels), codes)
        return self.texts(codes)


def label_field(part: Part, names: Sequence[str]) -> LabelField | None:
    """Return the labels of a part's entries, in the order of ``names``.

    None if no metric reads labels.
    """
    targets = [target_of(metric, part.gold) for metric in without_formulas(part.metrics)]
    target = next((found for found in targets if found and found.kind == "labels"), None)
    if target is None:
        return None
    entries = {entry.name: entry for entry in part.entries if entry}
    present = np.zeros(part.gold.n, np.bool_)
    return LabelField.of(
        part.labels[target.column],
        [entries[name].predictions[target] for name in names],
        names,
        ids_of(part),
        np.array([entries[name].absent.get(target, present) for name in names]),
    )
