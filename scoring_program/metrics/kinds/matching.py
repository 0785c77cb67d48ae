"""Precision, recall and F1 of what is found in examples: spans, or the entities of a sentence.

An example counts three numbers: the spans that are matched, those that are predicted and those of
the gold; with ``average: macro``, for each type. As in seqeval, a ratio without a denominator is 0,
and a type that is neither in the gold nor predicted is left out of the mean.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ...core.arrays import Floats
from ...core.entities import Entity
from ..metric import SHARE, Data, Definition, ExampleStatistics

#: The ways to average over types.
AVERAGES = ("micro", "macro")
_Decode = Callable[[Any], Collection[Entity]]
_Match = Callable[[Collection[Entity], Collection[Entity], Mapping[str, Any]], int]


@dataclass(frozen=True)
class Matches:
    """Counts matched, predicted and correct spans of examples, for one type after another.

    ``decode`` returns an example's spans. ``match`` counts how many of a gold's spans are matched.
    """

    decode: _Decode
    match: _Match

    def __call__(
        self, golds: Sequence[Any], predictions: Sequence[Any], params: Mapping[str, Any]
    ) -> list[list[int]]:
        """Return the counts, [n][3] or, of T types apart, [n][3 T]."""
        types = [str(name) for name in params["types"]]
        groups = [{name} for name in types] if params["average"] == "macro" else [{*types}]
        counts, before, wanted = [], None, []
        for gold, prediction in zip(golds, predictions, strict=True):
            if gold is not before:  # the predictions of one example are neighbors
                before, wanted = gold, self._of_groups(gold, groups)
            matched = self._of_groups(prediction, groups)
            pairs = zip(wanted, matched, strict=True)
            counts.append(
                [n for pair in pairs for n in (self.match(*pair, params), *map(len, pair[::-1]))]
            )
        return counts

    def types_of(self, data: Data) -> dict[str, list[str]]:
        """Return the parameter ``types`` for all types of the gold and the predictions."""
        every = {example for column in (data.y_true, *data.y_preds) for example in column.tolist()}
        return {"types": sorted({span.type for example in every for span in self.decode(example)})}

    def _of_groups(
        self, example: Any, groups: Sequence[Collection[str]]
    ) -> list[Collection[Entity]]:
        spans = self.decode(example)
        return [[span for span in spans if span.type in group] for group in groups]


def same(gold: Collection[Entity], found: Collection[Entity], params: Mapping[str, Any]) -> int:
    """Count the spans with the same start, end and type."""
    return len({*gold} & {*found})


@dataclass(frozen=True)
class _Score:
    """Precision, recall or F1 of sums of counts."""

    part: str

    def __call__(self, sums: Floats, params: Mapping[str, Any]) -> Floats:
        by_type = sums.reshape(-1, 3, *sums.shape[1:])
        matched, predicted, wanted = by_type[:, 0], by_type[:, 1], by_type[:, 2]
        if self.part == "precision":
            scores = _divided(matched, predicted)
        elif self.part == "recall":
            scores = _divided(matched, wanted)
        else:
            scores = _divided(2 * matched, predicted + wanted)
        present = predicted + wanted > 0
        if params["average"] == "macro":
            with np.errstate(invalid="ignore"):
                return np.asarray(scores.sum(axis=0) / present.sum(axis=0))
        return np.asarray(scores[0])


def _divided(numbers: Floats, by: Floats) -> Floats:
    """Return quotients, 0 where the divisor is 0."""
    return np.divide(numbers, by, out=np.zeros_like(numbers), where=by != 0)


def definitions(
    of: str, matches: Matches, params: Mapping[str, Any], choices: Mapping[str, tuple[str, ...]]
) -> tuple[Definition, ...]:
    """Return precision, recall and F1 of what is called ``of``: "entity" or "span"."""
    make = partial(
        SHARE,
        kind={"entity": "tags", "span": "spans"}[of],
        evaluation="sums",
        params={"average": "micro", "types": None, **params},
        choices={"average": AVERAGES, **choices},
        context=matches.types_of,
    )
    return tuple(
        make(
            f"{of}_{part}",
            f"{of} {part.replace('f1', 'F1')}",
            statistics=ExampleStatistics(matches, _Score(part)),
        )
        for part in ("precision", "recall", "f1")
    )
