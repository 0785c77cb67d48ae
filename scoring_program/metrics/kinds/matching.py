"""Precision, recall and F1 of what is found in examples: spans, or the entities of a sentence.

An example counts three numbers: the spans that are matched, those that are predicted and those of
the gold; with ``average: macro``, for each type. As in seqeval, a ratio without a denominator is 0,
and a type that is neither in the gold nor predicted is left out of the mean. The decoding of tags
is ours, in `formats.tags`, because seqeval scores whole test sets, needs scikit-learn's private
functions, and has no wheel that a bundle could carry. The tests compare every score with seqeval's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence, Set
from functools import partial
from operator import eq
from typing import Any

import numpy as np

from ...core.arrays import Floats, Ints
from ...reading.formats.tags import Entity, entities
from ..gold_needs import something
from ..metric import (
    SHARE,
    Data,
    Definition,
    ExampleStatistics,
    GoldDefect,
    count_each,
    ratio,
)

#: The ways to average over types.
AVERAGES = ("micro", "macro")
_Decode = Callable[[Any], Collection[Entity]]
_Match = Callable[[Collection[Entity], Collection[Entity], Mapping[str, Any]], int]


def _count_matches(
    decode: _Decode,
    match: _Match,
    golds: Sequence[Any],
    predictions: Sequence[Any],
    params: Mapping[str, Any],
) -> list[list[int]]:
    """Count matched, predicted and correct spans of examples, for one type after another.

    ``decode`` returns an example's spans. ``match`` counts how many of a gold's spans are matched.
    The counts are [n][3] or, of T types apart, [n][3 T].
    """
    types = [str(name) for name in params["types"]]
    groups = [{name} for name in types] if params["average"] == "macro" else [{*types}]

    counts = []
    before = None
    wanted: list[Collection[Entity]] = []
    for gold, prediction in zip(golds, predictions, strict=True):
        if gold is not before:  # the predictions of one example are neighbors
            before = gold
            spans = decode(gold)
            wanted = [_of_types(spans, group) for group in groups]
        spans = decode(prediction)
        predicted = [_of_types(spans, group) for group in groups]
        of_example: list[int] = []
        for right, guessed in zip(wanted, predicted, strict=True):
            of_example += (match(right, guessed, params), len(guessed), len(right))
        counts.append(of_example)
    return counts


def _of_types(spans: Collection[Entity], types: Set[str]) -> Collection[Entity]:
    """Return the spans of some types."""
    return [span for span in spans if span.type in types]


def _types(decode: _Decode, data: Data) -> dict[str, list[str]]:
    """Return the parameter ``types`` for all types of the gold and the predictions."""
    examples = {example for column in (data.y_true, *data.y_preds) for example in column.tolist()}
    types = {span.type for example in examples for span in decode(example)}
    return {"types": sorted(types)}


def same(gold: Collection[Entity], predicted: Collection[Entity], params: Mapping[str, Any]) -> int:
    """Count the spans with the same start, end and type."""
    return len({*gold} & {*predicted})


def _score(part: str, sums: Floats, params: Mapping[str, Any]) -> Floats:
    """Return precision, recall or F1 of sums of counts."""
    by_type = sums.reshape(-1, 3, *sums.shape[1:])
    matched = by_type[:, 0]
    predicted = by_type[:, 1]
    wanted = by_type[:, 2]
    numerator, denominator = {
        "precision": (matched, predicted),
        "recall": (matched, wanted),
        "f1": (2 * matched, predicted + wanted),
    }[part]
    scores = np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator != 0)
    present = predicted + wanted > 0
    if params["average"] == "macro":
        with np.errstate(invalid="ignore"):
            return np.asarray(scores.sum(axis=0) / present.sum(axis=0))
    return np.asarray(scores[0])


def _has_spans(decode: _Decode, example: Any, params: Mapping[str, Any]) -> bool:
    """Whether an example holds a span of one of the types that count; of any, if none are named."""
    spans = decode(example)
    if params["types"] is None:
        return bool(spans)
    types = {str(name) for name in params["types"]}
    return any(span.type in types for span in spans)


def _spans_to_find(data: Data, params: Mapping[str, Any]) -> GoldDefect | None:
    """Ask for a span and, where spans match by overlap, that each of them can overlap others."""
    nothing = something("span", partial(_has_spans, _decode_spans))(data, params)
    if nothing is not None or params["match"] == "exact" or params["end"] == "inclusive":
        return nothing
    empty = [row for row, spans in enumerate(data.y_true) if _has_empty_span(spans)]
    if not empty:
        return None
    return GoldDefect(
        ("has a span that ends where it starts", "have a span that ends where it starts"),
        "If the last position belongs to a span, give the metric the parameter end: inclusive.",
        rows=np.array(empty),
        rule="matches spans that overlap",
    )


def _has_empty_span(spans: Sequence[Sequence[Any]]) -> bool:
    return any(span.start == span.end for span in _decode_spans(spans))


def _decode_tags(tags: Sequence[str]) -> tuple[Entity, ...]:
    return tuple(entities(tags))


def _tokens(gold: Sequence[str], tags: Sequence[str], params: Mapping[str, Any]) -> tuple[int, int]:
    """Count the tokens whose tag is right, and all tokens."""
    return sum(map(eq, gold, tags)), len(gold)


def _decode_spans(spans: Sequence[Sequence[Any]]) -> tuple[Entity, ...]:
    return tuple(map(Entity._make, spans))


def _matched(
    gold: Collection[Entity], predicted: Collection[Entity], params: Mapping[str, Any]
) -> int:
    """Count the spans of the gold that are matched, each by another predicted span.

    By overlap, a span may match any of its type that it overlaps. Of all pairings of single spans,
    one with the most pairs counts, so that neither one long span nor many short ones score twice.
    """
    if params["match"] == "exact" or not gold or not predicted:
        return same(gold, predicted, params)
    last = int(params["end"] == "inclusive")
    types = {span.type: number for number, span in enumerate([*gold, *predicted])}
    gold_start, gold_end, gold_type = _as_numbers(gold, types)[:, :, None]
    start, end, kind = _as_numbers(predicted, types)
    overlaps = (gold_type == kind) & (gold_start < end + last) & (start < gold_end + last)
    if overlaps.sum(axis=0).max() <= 1 and overlaps.sum(axis=1).max() <= 1:
        return int(overlaps.sum())
    # Imported here because few documents need it.
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_bipartite_matching

    return int((maximum_bipartite_matching(csr_matrix(overlaps)) >= 0).sum())


def _as_numbers(spans: Collection[Entity], types: Mapping[str, int]) -> Ints:
    """Return starts, ends and numbers of the types of k spans, [3, k]."""
    return np.array([(span.start, span.end, types[span.type]) for span in spans]).T


def _definitions(
    unit: str,
    kind: str,
    decode: _Decode,
    match: _Match,
    gold_defect: Callable[[Data, Mapping[str, Any]], GoldDefect | None],
    choices: Mapping[str, tuple[str, ...]],
) -> tuple[Definition, ...]:
    """Return precision, recall and F1 of what ``unit`` names; first choices are the defaults."""
    make = partial(
        SHARE,
        kind=kind,
        evaluation="sums",
        defaults={
            "average": AVERAGES[0],
            "types": None,
            **{name: words[0] for name, words in choices.items()},
        },
        choices={"average": AVERAGES, **choices},
        context=partial(_types, decode),
        gold_defect=gold_defect,
    )
    count = partial(_count_matches, decode, match)
    return tuple(
        make(
            f"{unit}_{part}",
            f"{unit} {part.replace('f1', 'F1')}",
            statistics=ExampleStatistics(count, partial(_score, part)),
        )
        for part in ("precision", "recall", "f1")
    )


DEFINITIONS = (
    *_definitions(
        "entity",
        "tags",
        _decode_tags,
        same,
        something("entity", partial(_has_spans, _decode_tags)),
        {},
    ),
    SHARE(
        "token_accuracy",
        "token accuracy",
        "tags",
        evaluation="sums",
        statistics=ExampleStatistics(partial(count_each, _tokens), ratio),
    ),
    *_definitions(
        "span",
        "spans",
        _decode_spans,
        _matched,
        _spans_to_find,
        {"match": ("exact", "overlap"), "end": ("exclusive", "inclusive")},
    ),
)
