"""What every test of the bundle command starts from."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring_program.bundle import program
from tests.bundle.made import NOTHING_CARRIED, example


@pytest.fixture(autouse=True)
def _nothing_carried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever runs the tests holds the packages, so that no wheel is needed."""
    monkeypatch.setitem(program.IMAGES, "codalab/codalab-legacy:py312", NOTHING_CARRIED)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The example with a second phase, for the organizers."""
    return example(tmp_path)
