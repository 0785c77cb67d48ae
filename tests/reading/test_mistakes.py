"""The messages about honest mistakes name the place, what was found, and the remedy at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from scoring_program.core.errors import SubmissionError
from scoring_program.data.source import read_input
from tests.competitions import told
from tests.reading.mistakes import (
    GOOD,
    IDS,
    LABELS,
    LONG_IDS,
    MISTAKES,
    NO_MISTAKES,
    NUMBERS,
    csv,
)
from tests.reading.more_mistakes import MORE
from tests.reading.variants import case

ALL = {**MISTAKES, **MORE}

_GOLD = {
    "labels": ("accuracy_score", {"gold.csv": GOOD}),
    "long ids": ("accuracy_score", {"gold.csv": csv(zip(LONG_IDS, LABELS, strict=True))}),
    "probabilities": ("log_loss", {"gold.csv": GOOD}),
    "numbers": (
        "mean_absolute_error",
        {"gold.csv": csv(zip(IDS, NUMBERS, strict=True), "id,score")},
    ),
    "tasks": ("accuracy_score", {"stance.csv": GOOD, "mood.csv": GOOD}),
}


def sent(folder: Path, files: Mapping[str, bytes], gold: str = "labels") -> Path:
    """Write a competition with what was sent, and return its folder."""
    metric, reference = _GOLD[gold]
    settings = f"metrics: [{metric}]\nlayout: single\n"
    return case(dict(files), gold=reference, settings=settings).write(folder)


def test_there_are_at_least_100_of_them() -> None:
    assert len(ALL) == len(MISTAKES) + len(MORE) >= 100


@pytest.mark.parametrize("name", ALL)
def test_message(tmp_path: Path, name: str) -> None:
    mistake = ALL[name]
    folder = sent(tmp_path, mistake.files, mistake.gold)
    with pytest.raises(SubmissionError) as caught:
        read_input(folder, lambda settings: settings)
    message = str(caught.value)
    for part in mistake.says:
        assert part in message
    assert any(Path(file).stem in message for file in mistake.files) or "task" in message
    assert len(message.splitlines()) <= 32


@pytest.mark.parametrize("name", NO_MISTAKES)
def test_what_is_no_mistake(tmp_path: Path, name: str) -> None:
    folder = sent(tmp_path, NO_MISTAKES[name])
    competition, _ = read_input(folder, lambda settings: settings)
    assert competition.names == ("submission",)
    assert "Format: 1 CSV." in told(competition.notes)
