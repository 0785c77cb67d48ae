"""Cohen's kappa where a rare class is not drawn: no entry is left out for being right."""

from __future__ import annotations

import numpy as np
import pytest

import scoring_program as deadheat

GOLD = np.array([0] * 57 + [1] * 3)
RIGHT = GOLD
ONE_CLASS = np.zeros(60, int)
ERRING = np.array([1] * 4 + [0] * 53 + [1, 1, 0])


@pytest.mark.parametrize("params", [{}, {"weights": "linear"}, {"weights": "quadratic"}])
def test_kappa_has_no_value_where_one_class_is_drawn(params: dict[str, str]) -> None:
    metric = {"cohen_kappa_score": params}
    entries = {"right": RIGHT, "one class": ONE_CLASS, "erring": ERRING}
    result = deadheat.compare(GOLD, entries, metrics=[metric], resamples=500, seed=0)
    ranking = result["cohen_kappa_score"].ranking
    assert [row.entry for row in ranking] == ["right", "erring", "one class"]
    assert any(warning.code == "undefined_resamples" for warning in result.warnings)
    assert not result.unscored


def test_being_right_takes_no_resamples_from_others() -> None:
    """Which resamples count follows from the gold."""
    found = []
    for entries in ({"erring": ERRING, "one class": ONE_CLASS}, {"erring": ERRING, "right": RIGHT}):
        result = deadheat.compare(GOLD, entries, metrics=["cohen_kappa_score"], resamples=500)
        ranking = result["cohen_kappa_score"].ranking
        found += [(row.score, row.low, row.high) for row in ranking if row.entry == "erring"]
    assert len(found) == 2
    assert found[0] == found[1]


def test_weights_need_the_order_of_classes_that_are_texts() -> None:
    gold = ["low", "mid", "high"] * 4
    near, far = ["mid", "mid", "mid", *gold[3:]], ["high", "mid", "low", *gold[3:]]
    entries = {"near": near, "far": far}
    with pytest.raises(deadheat.OrganizerError, match="weights need the order of the classes"):
        deadheat.compare(gold, entries, metrics={"cohen_kappa_score": {"weights": "quadratic"}})
    stated = {"weights": "quadratic", "labels": ["low", "mid", "high"]}
    result = deadheat.compare(gold, entries, metrics={"cohen_kappa_score": stated}, resamples=100)
    assert result.ranking[0].entry == "near"
