"""Word and character error rates: edits and lengths as jiwer counts them."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ...core.arrays import Floats
from ..metric import ERROR, ExampleStatistics
from .shares import references


@dataclass(frozen=True)
class _Edits:
    """Counts the edits from reference to prediction and the reference's length, in jiwer's units.

    Of several references, the one with the lowest rate of edits counts.
    """

    characters: bool

    def __call__(
        self, golds: Sequence[Any], predictions: Sequence[str], params: Mapping[str, Any]
    ) -> list[tuple[int, int]]:
        jiwer = importlib.import_module("jiwer")
        if self.characters:
            process, split = jiwer.process_characters, jiwer.ReduceToListOfListOfChars
        else:
            process, split = jiwer.process_words, jiwer.ReduceToListOfListOfWords
        steps = [jiwer.ToLowerCase()] if params["lowercase"] else []
        steps += [jiwer.RemovePunctuation()] if params["remove_punctuation"] else []
        steps += [] if self.characters else [jiwer.RemoveMultipleSpaces()]
        transform = jiwer.Compose([*steps, jiwer.Strip(), split()])
        wanted = [reference for gold in golds for reference in references(gold)]
        given = [
            prediction
            for gold, prediction in zip(golds, predictions, strict=True)
            for _ in references(gold)
        ]
        output = process(wanted, given, transform, transform)
        counts = zip(map(_edits, output.alignments), map(len, output.references), strict=True)
        return [min((next(counts) for _ in references(gold)), key=_rate) for gold in golds]


def _edits(alignment: Sequence[Any]) -> int:
    """Return substitutions, deletions and insertions of an alignment."""
    return sum(
        max(part.ref_end_idx - part.ref_start_idx, part.hyp_end_idx - part.hyp_start_idx)
        for part in alignment
        if part.type != "equal"
    )


def _rate(counts: tuple[int, int]) -> float:
    edits, length = counts
    return edits / max(length, 1)


def error_rate(sums: Floats, params: Mapping[str, Any]) -> Floats:
    """Return edits per unit of the references; if all of them are empty, the number of edits."""
    return np.asarray(sums[0] / np.maximum(sums[1], 1))


_RATE = partial(
    ERROR,
    kind="text",
    evaluation="sums",
    params={"lowercase": False, "remove_punctuation": False},
)

_JIWER = partial(ExampleStatistics, libraries=("jiwer",), extra="text")

DEFINITIONS = tuple(
    _RATE(name, label, statistics=_JIWER(_Edits(characters), error_rate))
    for name, label, characters in (
        ("word_error_rate", "word error rate", False),
        ("character_error_rate", "character error rate", True),
    )
)
