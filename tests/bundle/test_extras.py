"""What a bundle carries for the metrics of a competition."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from scoring_program.bundle import description, extras, lock
from scoring_program.metrics import REGISTRY
from scoring_program.metrics.registry import find
from scoring_program.reading.formats import KINDS
from tests.bundle.made import edited, put

SETTINGS = ("tasks", 0, "deadheat", "settings")


def needed(path: Path) -> tuple[str, ...]:
    return extras.needed(description.load(path, date(2026, 1, 1)))


@pytest.mark.parametrize(
    ("metrics", "expected"),
    [
        (["accuracy_score"], ()),
        (["exact_match"], ()),
        (["accuracy_score", {"name": "b", "function": "bleu"}, "rougeL"], ("text",)),
        (["AP", "nDCG@10"], ("ir",)),
        (["icm", {"f1_score": {"average": "samples"}}], ()),
    ],
)
def test_the_settings_say_what_is_needed(folder: Path, metrics: Any, expected: Any) -> None:
    (folder / "example" / "input" / "ref" / "scoring.yaml").unlink()
    assert needed(edited(folder, put(*SETTINGS, value={"metrics": metrics}))) == expected


def test_without_settings_the_reference_data_say_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "competition.yaml"
    reference = folder / "example" / "input" / "ref"
    (reference / "scoring.yaml").unlink()
    assert needed(path) == ()
    questions = [{"id": "q1", "question": "?", "answers": [{"text": "a"}]}]
    squad = {"data": [{"paragraphs": [{"context": "c", "qas": questions}]}]}
    (reference / "gold.csv").unlink()
    (reference / "gold.json").write_text(json.dumps(squad))
    assert needed(path) == ()  # SQuAD's metrics need no library
    of_texts = replace(KINDS["text"], metrics=("ter",))
    monkeypatch.setattr(extras, "KINDS", {"text": of_texts})
    assert needed(path) == ("text",)


def test_every_extra_of_a_metric_has_a_lock_file_for_every_image() -> None:
    definitions = (*REGISTRY.values(), find("nDCG@10"))
    found = {row.statistics.extra for row in definitions if row and row.statistics is not None}
    for image in Path(lock.__file__).with_name("locks").iterdir():
        for extra in found - {""}:
            assert lock.read(image / f"{extra}.txt"), extra
