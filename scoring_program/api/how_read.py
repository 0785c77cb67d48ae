"""How the files of a competition are read, shown and kept, without scoring anything."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ..core.errors import OrganizerError
from ..core.phrases import Phrase
from ..data.freezing_readings import frozen_settings
from ..data.source import read_input, readings_of_reference, told_of_reference
from ..data.unread_files import tells_of_reference
from ..recognize.reading_record import Decision, Reading, Side
from ..settings.freezing import FrozenText, as_line, with_keys
from ..settings.loading import FILE_NAME, text_of
from ..settings.model import Settings

#: The role of columns in one table of all systems.
_SYSTEMS = "systems"
_TO_SEND = "what participants are to send"
_FILES = Phrase("{count:n} submission", "{count:n} submissions")


@dataclass(frozen=True)
class HowRead:
    """What the files in a folder INPUT mean, by task; of the only task, which has no name, "".

    ``uploads`` is the number of entries. Before the first, the reading says what participants are
    to send. ``notes`` name the files of the reference data that were not read.
    """

    folder: Path
    settings: Settings
    readings: Mapping[str, Reading]
    uploads: int
    notes: tuple[Phrase, ...] = ()

    @classmethod
    def of_input(cls, folder: Path) -> HowRead:
        """Return how the files of INPUT are read.

        Raises
        ------
        OrganizerError
            Gold, settings or the field are wrong; or what they mean is an open question.
        SubmissionError
            The upload cannot be read.
        """
        if not _has_files(folder / "res"):
            readings, settings = readings_of_reference(folder / "ref", [])
            if readings:
                return cls(folder, settings, readings, 0, told_of_reference(folder / "ref"))
        competition, settings = read_input(folder, lambda loaded: loaded)
        notes = tuple(filter(tells_of_reference, competition.notes))
        return cls(folder, settings, competition.readings, len(competition.names), notes)

    def lines(self) -> Iterator[str]:
        """Yield every decision with how it came about and why, and what is not read."""
        yield from map(str, self.notes)
        for task, reading in self.readings.items():
            if task:
                yield f"{task}:"
            yield from map(str, reading.lines())
            yield ""
            if (gold := reading.reference) is not None:
                yield from _of_side(gold, gold.files[0])
            for side in reading.submissions:
                if reading.reference is None or _SYSTEMS in side.roles:
                    yield from _of_side(side, side.files[0])
                elif side.files:
                    yield from _of_side(side, str(_FILES.with_values(count=len(side.files))))
                else:
                    yield from _of_side(side, _TO_SEND)

    @cached_property
    def frozen(self) -> dict[str, Any]:
        """The keys of scoring.yaml that state what was read."""
        return frozen_settings(self.readings, self.settings)

    @property
    def statement(self) -> list[str]:
        """The same as lines of scoring.yaml."""
        return [as_line(key, value) for key, value in self.frozen.items()]

    def freeze(self) -> FrozenText:
        """Add what was read to ref/scoring.yaml; a key that stands there is not rewritten.

        Raises
        ------
        OrganizerError
            Nothing can be stated, or the file cannot be written.
        """
        if not self.readings:
            raise OrganizerError("nothing was recognized that scoring.yaml could state")
        path = self.folder / "ref" / FILE_NAME
        text = text_of(path) if path.exists() else ""
        frozen = with_keys(text, self.frozen, FILE_NAME)
        if frozen.text != text:
            _write(path, frozen.text, "\r\n" if _has_lines_of_windows(path) else "\n")
        return frozen


def _has_files(uploads: Path) -> bool:
    return uploads.is_dir() and next(uploads.iterdir(), None) is not None


def _has_lines_of_windows(path: Path) -> bool:
    return path.exists() and b"\r\n" in path.read_bytes()


def _write(path: Path, text: str, newline: str) -> None:
    """Replace a file at once, so that nobody reads a half of it; ``newline`` ends its lines."""
    try:
        path.parent.mkdir(exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline=newline, dir=path.parent, suffix=".part", delete=False
        ) as written:
            written.write(text)
        os.replace(written.name, path)
    except OSError as error:
        raise OrganizerError(f"ref/{path.name}: cannot be written: {error.strerror}") from error


def _of_side(side: Side, called: str) -> Iterator[str]:
    rows = [(role, decision) for role, decision in side.roles.items()]
    rows += [(item.role, item.decision) for item in side.predicted]
    yield f"{called}:"
    width = max((len(role) for role, _ in rows), default=0)
    for role, decision in rows:
        yield f"  {role:<{width}}  {_value(decision)} ({decision.how}: {decision.why})"
    if side.context:
        yield f"  context: {', '.join(side.context)}"
    if side.unread:
        yield f"  not read: {', '.join(side.unread)}"


def _value(decision: Decision) -> str:
    value = decision.value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{label}: {column}" for label, column in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return str(value)
