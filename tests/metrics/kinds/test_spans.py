"""Spans against nervaluate and a search of all pairings, on the same resampled documents.

Exact matches are nervaluate's strict ones. By overlap, nervaluate's scheme ``ent_type`` is the
nearest, but differs in two ways: a prediction of a wrong type uses up the span that it overlaps,
and pairs are formed one after another, which may leave fewer of them than possible. So it is
compared for one type at a time and where no span overlaps two; for all else, a search of all
pairings is followed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from scoring_program import compare as compare_in_python
from scoring_program.core.errors import ReferenceDataError
from tests.metrics.kinds.resamples import compare, scorer_of
from tests.metrics.kinds.sentences import FOUND, GOLD, SIZES, Spans

PARTS = ("precision", "recall", "f1")
TYPES = ["LOC", "MISC", "ORG", "PER"]


def documents(found: Sequence[Spans]) -> list[Spans]:
    """Return the spans of documents of two sentences each; tokens are as long as ten characters."""
    joined = []
    for i in range(0, len(found), 2):
        after = 10 * SIZES[i]
        second = [(10 * s + after, 10 * e + after - 1, kind) for s, e, kind in found[i + 1]]
        joined.append((*((10 * s, 10 * e - 1, kind) for s, e, kind in found[i]), *second))
    return joined


DOCUMENTS = documents(GOLD)
SYSTEMS = [documents(found) for found in FOUND]


def by_nervaluate(scheme: str, part: str, types: Sequence[str], last: int) -> Any:
    nervaluate = pytest.importorskip("nervaluate")

    def records(of: Sequence[Spans]) -> list[list[dict[str, Any]]]:
        return [
            [
                {"label": kind, "start": start, "end": end - 1 + last}
                for start, end, kind in spans
                if kind in types
            ]
            for spans in of
        ]

    def score(golds: list[Spans], predictions: list[Spans]) -> float:
        made = nervaluate.Evaluator(records(golds), records(predictions), tags=types, loader="dict")
        return float(getattr(made.evaluate()["overall"][scheme], part))

    return score


@pytest.mark.parametrize("part", PARTS)
def test_exact_matches_are_those_of_nervaluate(part: str) -> None:
    oracle = by_nervaluate("strict", part, TYPES, 0)
    compare(f"span_{part}", {}, DOCUMENTS, SYSTEMS, oracle)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("end", ["exclusive", "inclusive"])
def test_overlaps_of_one_type_are_those_of_nervaluate(part: str, end: str) -> None:
    oracle = by_nervaluate("ent_type", part, ["LOC"], int(end == "inclusive"))
    params = {"match": "overlap", "end": end, "types": ["LOC"]}
    compare(f"span_{part}", params, DOCUMENTS, [SYSTEMS[2], SYSTEMS[1], SYSTEMS[2]], oracle)


@cache
def most_pairs(gold: Spans, found: Spans) -> int:
    """Return the most pairs of overlapping spans of one type, by trying all of them."""
    if not gold:
        return 0
    (start, end, kind), rest = gold[0], gold[1:]
    best = most_pairs(rest, found)
    for i, other in enumerate(found):
        if other[2] == kind and start < other[1] and other[0] < end:
            best = max(best, 1 + most_pairs(rest, (*found[:i], *found[i + 1 :])))
    return best


def split(found: Sequence[Spans]) -> list[Spans]:
    """Return spans cut in two, and joined with the next of the same type."""
    result = []
    for i, spans in enumerate(found):
        cut = [(s, (s + e) // 2, k) for s, e, k in spans] + [
            ((s + e) // 2, e, k) for s, e, k in spans
        ]
        if i % 2 and spans:
            cut = [
                (min(s for s, *_ in spans), max(e for _, e, _ in spans), k) for *_, k in spans[:1]
            ]
        result.append(tuple(sorted(set(cut))))
    return result


@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("part", PARTS)
def test_overlaps_are_the_best_pairing(part: str, average: str) -> None:
    def score(golds: list[Spans], predictions: list[Spans]) -> float:
        values = []
        groups = [{kind} for kind in TYPES] if average == "macro" else [{*TYPES}]
        for group in groups:
            of = [tuple(s for s in spans if s[2] in group) for spans in golds]
            by = [tuple(s for s in spans if s[2] in group) for spans in predictions]
            matched = sum(map(most_pairs, of, by))
            wanted, given = sum(map(len, of)), sum(map(len, by))
            over = {"precision": given, "recall": wanted, "f1": (wanted + given) / 2}[part]
            if wanted + given:
                values.append(matched / over if over else 0.0)
        return float(np.mean(values))

    systems = [SYSTEMS[1], split(SYSTEMS[0]), split(DOCUMENTS), SYSTEMS[1]]
    params = {"match": "overlap", "average": average}
    compare(f"span_{part}", params, DOCUMENTS, systems, score)


@pytest.mark.parametrize(
    ("gold", "found", "pairs"),
    [
        # The long prediction must pair with the second span, or the short one has no partner.
        ([(0, 10, "A"), (12, 20, "A")], [(0, 20, "A"), (0, 3, "A")], 2),
        ([(0, 10, "A"), (12, 20, "A")], [(0, 20, "A")], 1),
        ([(0, 20, "A")], [(0, 5, "A"), (6, 9, "A")], 1),
        ([(0, 10, "A")], [(10, 20, "A")], 0),
        ([(0, 10, "A")], [(5, 20, "B")], 0),
        ([(0, 10, "A")], [], 0),
    ],
)
def test_a_span_is_paired_once(gold: Any, found: Any, pairs: int) -> None:
    params = {"match": "overlap"}
    recall = scorer_of("span_recall", params, [tuple(gold)], [[tuple(found)]]).observed[0]
    assert recall * len(gold) == pytest.approx(pairs)


def test_the_last_position_may_belong_to_a_span() -> None:
    gold, found = ((3, 3, "A"), (5, 8, "A")), ((3, 3, "A"), (8, 9, "A"))
    params = {"match": "overlap", "end": "inclusive"}
    assert scorer_of("span_f1", params, [gold], [[found]]).observed[0] == 1
    assert scorer_of("span_f1", {}, [gold], [[found]]).observed[0] == 0.5
    by_overlap = {"name": "f1", "function": "span_f1", "params": {"match": "overlap"}}
    said = r"and 1 of 2 has a span that ends where it starts \(y_true, row 2\).*end: inclusive"
    with pytest.raises(ReferenceDataError, match=said):
        compare_in_python([[], gold], {"a": [[], found], "b": [[], gold]}, metrics=[by_overlap])
