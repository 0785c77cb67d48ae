"""Messages that people read, kept as texts: a folder ``messages`` beside the tests holds them.

It has a file for each language.

Such a file reads from top to bottom, every message below the name of its case. So whoever changes
a sentence sees what becomes of it in every language, and what stands beside it. After a change that
is meant, run the test with ``--accept-golden``, and read the difference before you commit it.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import pytest

from scoring_program.core import catalogs
from scoring_program.core.phrases import Phrase

#: Lines of a difference that a failure shows.
_SHOWN = 60

#: Name of a case → what is said there.
Messages = Mapping[str, Sequence[Phrase]]


def compare(
    folder: Path,
    messages: Messages,
    config: pytest.Config,
    languages: Collection[str] = catalogs.languages(),
) -> None:
    """Fail unless the files in ``folder`` hold these messages, each in its language.

    With ``--accept-golden``, write them instead. Files of other languages are not expected.
    """
    differences: list[str] = []
    for code in languages:
        path = folder / f"{code}.txt"
        text = written(messages, code)
        if config.getoption("--accept-golden"):
            folder.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        differences += difflib.unified_diff(
            before.splitlines(), text.splitlines(), str(path), "now", lineterm=""
        )
    if differences:
        first = "\n".join(differences[:_SHOWN])
        pytest.fail(f"{first}\nIf this is meant, run with --accept-golden.")
    assert {path.name for path in folder.iterdir()} == {f"{code}.txt" for code in languages}


def written(messages: Messages, code: str) -> str:
    """Return messages as a text in a language."""
    language = catalogs.load(code)
    sections = []
    for name, phrases in messages.items():
        text = "\n".join(map(language.say, phrases))
        sections.append(f"## {name}\n\n{text}\n")
    return "\n".join(sections)
