"""Counts made elsewhere: formulas over columns that are shown nowhere and have no direction."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from scoring_program import OrganizerError, compare
from tests.data.test_kinds import Case

RNG = np.random.default_rng(0)
ROWS = [
    (f"c{call}", system, RNG.binomial(words, rate), words)
    for call, words in enumerate(RNG.integers(20, 60, 80))
    for system, rate in (("north", 0.1), ("south", 0.2))
]
TABLE = "call,system,errors,words\n" + "".join(
    f"{call},{system},{errors},{words}\n" for call, system, errors, words in ROWS
)
WER = "metrics: [{name: wer, formula: errors / words, greater_is_better: false}]\n"


def run(tmp_path: Path, settings: str) -> Case:
    return Case(tmp_path, {"scoring.yaml": settings}, {"counts.csv": TABLE})


def test_a_rate_of_counts_at_the_first_try(tmp_path: Path) -> None:
    case = run(tmp_path, WER)
    assert case.run() == 0
    found = case.scores()
    for system in ("north", "south"):
        errors, words = np.sum([row[2:] for row in ROWS if row[1] == system], axis=0)
        assert found[f"wer.{system}"] == pytest.approx(errors / words, abs=1e-9)
    assert not [key for key in found if key.startswith(("errors", "words"))]
    document = json.loads((case.output / "results.json").read_text())
    assert [metric["name"] for metric in document["metrics"]] == ["wer"]
    assert document["n"] == 80


def test_hidden_counts_leave_the_direction_to_the_formula(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, WER.replace(", greater_is_better: false", "")).run() == 2
    assert "say whether a higher value is better" in capsys.readouterr().err
    shown = "metrics: [{name: words, function: mean_score, column: words, show: false}]\n"
    assert run(tmp_path, shown).run() == 2
    assert "at least one metric with 'show: true'" in capsys.readouterr().err


def test_any_metric_may_be_an_ingredient_alone() -> None:
    gold, other = [0, 1] * 50, [0, 1, 1, 0] * 25
    metrics = [
        {"name": "f1", "function": "f1_score", "show": False},
        {"name": "wrong", "function": "zero_one_loss", "show": False},
        {"name": "both", "formula": "f1 - wrong", "greater_is_better": True},
    ]
    result = compare(gold, {"A": gold, "B": other}, metrics=metrics, resamples=100)
    assert result["both"].leader == "A"
    with pytest.raises(KeyError):
        result["f1"]
    del metrics[2]["greater_is_better"]
    with pytest.raises(OrganizerError, match="combines f1, wrong, which are not shown"):
        compare(gold, {"A": gold, "B": other}, metrics=metrics, resamples=100)
