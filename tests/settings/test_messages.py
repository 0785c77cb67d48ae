"""What organizers read about wrong settings, word for word.

They read it in the log, which is English whatever the language of the pages.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring_program.core.errors import SettingsError
from scoring_program.core.phrases import Phrase
from scoring_program.settings.model import OPTIONS
from tests import snapshots
from tests.settings.test_settings import OTHER_KEYS, WRONG, WRONG_LIMITS, loaded

MESSAGES = Path(__file__).parent / "messages"
#: Letters of a case's name: some settings hold numbers of hundreds of digits.
_LETTERS = 60
#: What hardly any setting may be.
_NESTED = "{x: {y: z}}"


def name_of(text: str) -> str:
    """Return settings in one line, as the name of a case."""
    line = " / ".join(part.strip() for part in text.strip().splitlines())
    return line if len(line) <= _LETTERS else f"{line[:_LETTERS]}…"


def test_refusals_are_as_they_were(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    texts = [text for text, *_ in WRONG]
    texts += [text for text, _ in WRONG_LIMITS]
    texts += [f"{key}: 1\n" for key, _ in OTHER_KEYS]
    texts += [f"{option.name}: {_NESTED}\n" for option in OPTIONS]
    messages: dict[str, list[Phrase]] = {}
    for text in texts:
        with pytest.raises(SettingsError) as caught:
            loaded(tmp_path, text)
        message = str(caught.value).replace(str(tmp_path), "FOLDER")
        messages[name_of(text)] = [Phrase("{text}", text=message)]
    assert len(messages) == len(texts)
    snapshots.compare(MESSAGES, messages, pytestconfig, languages=("en",))
