"""Answers: exact match and token F1 after SQuAD's normalization, and the match of plain strings.

The normalization is that of Rajpurkar and others (2016).
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any

from ..metric import SHARE, ExampleStatistics
from .shares import Each, ratio, references

_ARTICLE = re.compile(r"\b(a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalized(answer: str) -> str:
    """Return an answer in lower case, without punctuation, articles and further spaces."""
    return " ".join(_ARTICLE.sub(" ", answer.lower().translate(_NO_PUNCTUATION)).split())


def _exact(gold: Any, prediction: str, params: Mapping[str, Any]) -> tuple[float, int]:
    """Count 1 if the prediction equals one of the references, and 1 for the question."""
    answer = normalized(prediction)
    return float(any(normalized(reference) == answer for reference in references(gold))), 1


def _string(gold: Any, prediction: str, params: Mapping[str, Any]) -> tuple[float, int]:
    """Count 1 if the prediction is one of the references, letter by letter, and 1 for the text."""
    return float(prediction in references(gold)), 1


def _token_f1(gold: Any, prediction: str, params: Mapping[str, Any]) -> tuple[float, int]:
    """Count the best F1 over the references, and 1 for the question."""
    answer = normalized(prediction).split()
    return max(_f1(normalized(reference).split(), answer) for reference in references(gold)), 1


def _f1(reference: list[str], answer: list[str]) -> float:
    """Return the F1 of tokens; of no answer, as in SQuAD 2.0, whether both are none."""
    if not reference or not answer:
        return float(reference == answer)
    same = sum((Counter(reference) & Counter(answer)).values())
    return 2 * same / (len(reference) + len(answer))


_ANSWERS = partial(SHARE, kind="text", evaluation="sums")

DEFINITIONS = (
    _ANSWERS(
        "exact_match", "exact match (SQuAD)", statistics=ExampleStatistics(Each(_exact), ratio)
    ),
    _ANSWERS("string_match", "string match", statistics=ExampleStatistics(Each(_string), ratio)),
    _ANSWERS("token_f1", "token F1", statistics=ExampleStatistics(Each(_token_f1), ratio)),
)
