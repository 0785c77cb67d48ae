"""BLEU, chrF and TER: what sacrebleu counts for a segment, and its scores of sums of counts.

sacrebleu counts with the methods that its own paired bootstrap uses (2.0 and later). The scores of
sums are written for arrays here; the tests compare them with sacrebleu's ``corpus_score``.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any

import numpy as np

from ...core.arrays import Floats
from ..metric import Definition, ExampleStatistics

#: What sacrebleu takes for the logarithm of zero.
_LOG_OF_ZERO = -9999999999.0
#: Added for n-grams without a match, if the settings give no value (Chen and Cherry, 2014).
_SMOOTHING = {"floor": 0.1, "add-k": 1.0}


@dataclass(frozen=True)
class _Segments:
    """Counts segments with a class of sacrebleu; each gold is a reference, or a tuple of them."""

    metric: str

    def __call__(
        self, golds: Sequence[Any], predictions: Sequence[str], params: Mapping[str, Any]
    ) -> Sequence[Sequence[float]]:
        metric = self._made(params)
        distinct = list(dict.fromkeys(golds))
        references = [(gold,) if isinstance(gold, str) else gold for gold in distinct]
        known = dict(
            zip(distinct, metric._cache_references(list(zip_longest(*references))), strict=True)
        )
        metric._ref_cache = [known[gold] for gold in golds]
        counts: Sequence[Sequence[float]] = metric._extract_corpus_statistics(predictions, None)
        return counts

    def signature(self, params: Mapping[str, Any], references: int) -> str:
        """Return sacrebleu's own signature; ``references`` are those of each segment, or -1."""
        metric = self._made(params)
        metric.num_refs = references  # -1 is "var"
        return str(metric.get_signature())

    def _made(self, params: Mapping[str, Any]) -> Any:
        library = importlib.import_module("sacrebleu.metrics")
        fixed = {"force": True} if self.metric == "BLEU" else {}  # do not print advice
        return getattr(library, self.metric)(**params, **fixed)


def bleu(sums: Floats, params: Mapping[str, Any]) -> Floats:
    """Return BLEU from lengths of system and reference, matched n-grams and all n-grams."""
    order = params["max_ngram_order"]
    length, wanted, correct, total = sums[0], sums[1], sums[2 : 2 + order], sums[2 + order :]
    matched = correct.any(axis=0)
    method, value = params["smooth_method"], params["smooth_value"]
    value = _SMOOTHING.get(method, 0.0) if value is None else value
    if method == "add-k":
        added = np.zeros((order, *[1] * length.ndim))
        added[1:] = value
        correct, total = correct + added, total + added
    counted = np.logical_and.accumulate(total > 0, axis=0)
    unmatched = counted & (correct == 0)
    # Smoothing takes half the time, and a corpus seldom needs it.
    if method in ("exp", "floor") and unmatched.any():
        smoothed = 0.5 ** np.cumsum(unmatched, axis=0) if method == "exp" else value
        correct = np.where(unmatched, smoothed, correct)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.where(counted, correct / total, 0.0)
        logs = np.where(precision > 0, np.log(100.0 * precision), _LOG_OF_ZERO)
        short = np.where(length > 0, np.exp(1.0 - wanted / length), 0.0)
        if params["effective_order"]:
            mean = np.where(counted, logs, 0.0).sum(axis=0) / counted.sum(axis=0)
        else:
            mean = logs.mean(axis=0)
    penalty = np.where(length < wanted, short, 1.0)
    return np.asarray(np.where(matched, penalty * np.exp(mean), 0.0))


def chrf(sums: Floats, params: Mapping[str, Any]) -> Floats:
    """Return chrF from the n-grams of system and reference and the matches, for each order."""
    predicted, wanted, matched = sums[0::3], sums[1::3], sums[2::3]
    factor = float(params["beta"]) ** 2
    smallest = 1e-16
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.where(predicted > 0, matched / predicted, smallest)
        recall = np.where(wanted > 0, matched / wanted, smallest)
        if params["eps_smoothing"]:
            parts = factor * precision + recall
            score = np.where(parts > 0, (1 + factor) * precision * recall / parts, smallest)
            return np.asarray(100.0 * score.mean(axis=0))
        both = (predicted > 0) & (wanted > 0)
        orders = np.maximum(both.sum(axis=0), 1)
        precision = np.where(both, precision, 0.0).sum(axis=0) / orders
        recall = np.where(both, recall, 0.0).sum(axis=0) / orders
        score = (1 + factor) * precision * recall / (factor * precision + recall)
    return np.asarray(np.where(precision + recall > 0, 100.0 * score, 0.0))


def ter(sums: Floats, params: Mapping[str, Any]) -> Floats:
    """Return TER from edits and the mean length of the references."""
    edits, length = sums
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = np.where(length > 0, edits / length, np.where(edits > 0, 1.0, 0.0))
    return np.asarray(100.0 * rate)


_TEXT = partial(Definition, kind="text", evaluation="sums", low=0, ratio_scale=True)
_SACREBLEU = partial(ExampleStatistics, libraries=("sacrebleu",), extra="text")

DEFINITIONS = (
    _TEXT(
        "bleu", "BLEU", greater_is_better=True, ideal=100, high=100,
        params={
            "lowercase": False, "tokenize": None, "smooth_method": "exp", "smooth_value": None,
            "max_ngram_order": 4, "effective_order": False, "trg_lang": "",
        },
        statistics=_SACREBLEU(_Segments("BLEU"), bleu),
    ),
    _TEXT(
        "chrf", "chrF", greater_is_better=True, ideal=100, high=100,
        params={
            "char_order": 6, "word_order": 0, "beta": 2, "lowercase": False, "whitespace": False,
            "eps_smoothing": False,
        },
        statistics=_SACREBLEU(_Segments("CHRF"), chrf),
    ),
    _TEXT(
        "ter", "TER", greater_is_better=False, ideal=0,
        params={
            "normalized": False, "no_punct": False, "asian_support": False,
            "case_sensitive": False,
        },
        statistics=_SACREBLEU(_Segments("TER"), ter, costly=True),
    ),
)  # fmt: skip
