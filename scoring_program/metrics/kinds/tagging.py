"""Entities and tokens of tagged sentences, as seqeval scores them.

The decoding is ours, in `core.entities`, because seqeval scores whole test sets, needs
scikit-learn's private functions, and has no wheel that a bundle could carry. The tests compare
every score with seqeval's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import eq
from typing import Any

from ...core.entities import Entity, entities
from ..metric import SHARE, ExampleStatistics
from .matching import Matches, definitions, same
from .shares import Each, ratio


def _decode(tags: Sequence[str]) -> tuple[Entity, ...]:
    return tuple(entities(tags))


def _tokens(gold: Sequence[str], tags: Sequence[str], params: Mapping[str, Any]) -> tuple[int, int]:
    """Count the tokens whose tag is right, and all tokens."""
    return sum(map(eq, gold, tags)), len(gold)


DEFINITIONS = (
    *definitions("entity", Matches(_decode, same), {}, {}),
    SHARE(
        "token_accuracy",
        "token accuracy",
        "tags",
        evaluation="sums",
        statistics=ExampleStatistics(Each(_tokens), ratio),
    ),
)
