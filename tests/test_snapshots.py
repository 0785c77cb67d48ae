"""Messages that are kept as texts: what changes fails, and is shown."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scoring_program.core import catalogs
from scoring_program.core.phrases import Phrase
from tests import snapshots

POSSIBLE = {"a verdict": [Phrase("Possible winners")]}
ACCEPTED: Any = SimpleNamespace(getoption=lambda _: True)
ASKED: Any = SimpleNamespace(getoption=lambda _: False)


@pytest.fixture
def messages(tmp_path: Path) -> Path:
    """A folder with the messages that were accepted."""
    folder = tmp_path / "messages"
    snapshots.compare(folder, POSSIBLE, ACCEPTED)
    return folder


def test_every_language_has_a_file(messages: Path) -> None:
    names = {path.stem for path in messages.iterdir()}
    assert names == {*catalogs.languages()} >= {"en", "es", "pt"}
    assert (messages / "en.txt").read_text(encoding="utf-8") == "## a verdict\n\nPossible winners\n"
    assert "Posibles ganadores" in (messages / "es.txt").read_text(encoding="utf-8")
    snapshots.compare(messages, POSSIBLE, ASKED)


def test_a_change_is_shown_in_every_language(messages: Path) -> None:
    changed = {"a verdict": [Phrase("Contents")]}
    with pytest.raises(pytest.fail.Exception) as caught:
        snapshots.compare(messages, changed, ASKED)
    difference = str(caught.value)
    assert "-Possible winners\n+Contents" in difference
    assert "-Posibles ganadores\n+Contenido" in difference
    assert "--accept-golden" in difference


def test_a_case_that_is_gone_and_a_file_too_many_fail(messages: Path) -> None:
    with pytest.raises(pytest.fail.Exception, match="-## a verdict"):
        snapshots.compare(messages, {}, ASKED)
    (messages / "fr.txt").touch()
    with pytest.raises(AssertionError):
        snapshots.compare(messages, POSSIBLE, ASKED)
