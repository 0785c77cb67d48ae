"""Entities and tokens against seqeval and nervaluate, on the same resampled sentences.

seqeval is followed in its default mode, which is conlleval's: I after O, or after another type,
begins an entity. In its strict mode such tags count for nothing. nervaluate agrees where entities
begin with B; it takes S-PER S-PER for one entity, so BIOES is compared with seqeval only. Of
averages without a type, and of ratios without a denominator, seqeval's values are followed, too.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Sequence
from typing import Any

import pytest

from scoring_program.core.errors import SettingsError
from scoring_program.metrics import resolve
from scoring_program.reading.formats.tags import entities
from scoring_program.settings.checks import MetricSpec
from tests.metrics.kinds.resamples import Oracle, compare, scorer_of
from tests.metrics.kinds.sentences import FOUND, GOLD, in_scheme
from tests.sweeps import swept

seqeval = pytest.importorskip("seqeval.metrics")
PARTS = ("precision", "recall", "f1")


def lists(sentences: Sequence[Any]) -> list[list[str]]:
    return [list(tags) for tags in sentences]


def by_seqeval(part: str, **params: Any) -> Oracle:
    def score(golds: list[Any], predictions: list[Any]) -> float:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function = getattr(seqeval, f"{part}_score")
            return float(function(lists(golds), lists(predictions), **params))

    return score


def sloppy(seed: int) -> list[tuple[str, ...]]:
    """Return tags of a model that obeys no scheme."""
    rng = random.Random(seed)
    of_gold = in_scheme(GOLD, "BIO")
    any_tag = ["O", *(f"{prefix}-{kind}" for prefix in "BIES" for kind in ("LOC", "PER"))]
    return [tuple(t if rng.random() < 0.6 else rng.choice(any_tag) for t in s) for s in of_gold]


@pytest.mark.parametrize("average", swept(["micro", "macro"]))
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("scheme", ["IO", "IOB1", "BIO", "BIOES"])
def test_entities_are_those_of_seqeval(scheme: str, part: str, average: str) -> None:
    systems = [in_scheme(found, scheme) for found in FOUND]
    oracle = by_seqeval(part, average=average)
    compare(f"entity_{part}", {"average": average}, in_scheme(GOLD, scheme), systems, oracle)


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_tags_of_no_scheme_are_read_as_by_seqeval(average: str) -> None:
    systems = [sloppy(1), sloppy(2), sloppy(1)]
    oracle = by_seqeval("f1", average=average)
    compare("entity_f1", {"average": average}, in_scheme(GOLD, "BIO"), systems, oracle)


def test_tokens_are_those_of_seqeval() -> None:
    systems = [in_scheme(found, "BIO") for found in FOUND]
    compare("token_accuracy", {}, in_scheme(GOLD, "BIO"), systems, by_seqeval("accuracy"))


@pytest.mark.parametrize("part", swept(PARTS))
def test_strict_matches_are_those_of_nervaluate(part: str) -> None:
    nervaluate = pytest.importorskip("nervaluate")

    def score(golds: list[Any], predictions: list[Any]) -> float:
        evaluator = nervaluate.Evaluator(
            lists(golds), lists(predictions), tags=["LOC", "MISC", "ORG", "PER"], loader="list"
        )
        return float(getattr(evaluator.evaluate()["overall"]["strict"], part))

    systems = [in_scheme(found, "BIO") for found in FOUND]
    compare(f"entity_{part}", {}, in_scheme(GOLD, "BIO"), systems, score)


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_types_that_are_listed_are_all_that_count(average: str) -> None:
    def without(tags: Sequence[str]) -> list[str]:
        return [tag if tag[2:] in ("PER", "ORG") else "O" for tag in tags]

    def score(golds: list[Any], predictions: list[Any]) -> float:
        oracle = by_seqeval("f1", average=average)
        return oracle([*map(without, golds)], [*map(without, predictions)])

    systems = [in_scheme(found, "BIO") for found in FOUND]
    params = {"average": average, "types": ["PER", "ORG"]}
    compare("entity_f1", params, in_scheme(GOLD, "BIO"), systems, score)


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("B-PER I-PER O B-LOC", [(0, 2, "PER"), (3, 4, "LOC")]),
        ("O I-PER I-PER", [(1, 3, "PER")]),
        ("I-PER I-LOC", [(0, 1, "PER"), (1, 2, "LOC")]),
        ("B-PER B-PER I-PER", [(0, 1, "PER"), (1, 3, "PER")]),
        ("S-PER S-PER E-LOC", [(0, 1, "PER"), (1, 2, "PER"), (2, 3, "LOC")]),
        ("B-PER E-PER I-PER", [(0, 2, "PER"), (2, 3, "PER")]),
        ("U-PER B-LOC L-LOC", [(0, 1, "PER"), (1, 3, "LOC")]),
        ("W-PER B-LOC M-LOC E-LOC", [(0, 1, "PER"), (1, 4, "LOC")]),
        ("PER PER O LOC", [(0, 2, "PER"), (3, 4, "LOC")]),
        ("B I O B B_LOC", [(0, 2, "_"), (3, 4, "_"), (4, 5, "LOC")]),
        ("B-event-name I-event-name", [(0, 2, "event-name")]),
        ("O O", []),
        ("Seg _ _ Seg", [(0, 1, "Seg"), (3, 4, "Seg")]),  # CoNLL-U's empty column
        ("", []),
    ],
)
def test_decoding(tags: str, expected: list[tuple[int, int, str]]) -> None:
    assert list(entities(tags.split())) == expected


def test_nothing_to_find_scores_zero_as_in_seqeval() -> None:
    scorer = scorer_of("entity_f1", {}, [("O", "O")], [[("O", "O")], [("B-PER", "O")]])
    assert scorer.observed.tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"average": "binary"}, "average='binary' is not one of micro, macro"),
        ({"types": "PER"}, "expected a list of types"),
        ({"type": ["PER"]}, "has no parameter 'type'; did you mean 'types'?"),
    ],
)
def test_parameters_are_checked(params: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message.replace("?", r"\?")):
        resolve([MetricSpec("x", "entity_f1", params)], None)
