"""ROUGE-1, ROUGE-2 and ROUGE-L: the mean over segments of the F measure of rouge-score."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..metric import SHARE, ExampleStatistics
from .shares import ratio, references


@dataclass(frozen=True)
class _Rouge:
    """Counts a segment's F measure and 1; of several references, the best counts (Lin, 2004)."""

    name: str

    def __call__(
        self, golds: Sequence[Any], predictions: Sequence[str], params: Mapping[str, Any]
    ) -> Sequence[tuple[float, int]]:
        library = importlib.import_module("rouge_score.rouge_scorer")
        scorer = library.RougeScorer([self.name], **params)

        def f_measure(reference: str, prediction: str) -> float:
            return float(scorer.score(reference, prediction)[self.name].fmeasure)

        return [
            (max(f_measure(reference, prediction) for reference in references(gold)), 1)
            for gold, prediction in zip(golds, predictions, strict=True)
        ]


DEFINITIONS = tuple(
    SHARE(
        name, label, "text", evaluation="sums", params={"use_stemmer": False},
        statistics=ExampleStatistics(_Rouge(name), ratio, ("rouge_score",), "text"),
    )
    for name, label in (("rouge1", "ROUGE-1"), ("rouge2", "ROUGE-2"), ("rougeL", "ROUGE-L"))
)  # fmt: skip
