"""What recognition cannot decide: a question with the lines that decide it, or a file's reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from ..core.errors import ReferenceDataError, listed, quoted
from ..core.phrases import Phrase
from .facts import Sheet

#: What follows the lines of a question.
PUT_ONE = "Put one of these lines into ref/scoring.yaml."


@dataclass(frozen=True)
class Option:
    """One way to decide: what to write into scoring.yaml, and what it means."""

    settings: Mapping[str, Any]
    means: Phrase

    @property
    def line(self) -> str:
        """The settings as lines of YAML in flow style, to be pasted."""
        return "\n".join(f"{key}: {_flow(value)}" for key, value in self.settings.items())


@dataclass(frozen=True)
class OpenQuestion:
    """What is asked, and the options that were tried: each lets every file load."""

    asks: Phrase
    options: tuple[Option, ...] = ()

    def lines(self) -> list[str]:
        """Return the question and its options, one line each."""
        options = [f"  {option.line}  # {option.means}" for option in self.options]
        return [self.asks, *options]


class OpenReading(ReferenceDataError):
    """What the reference data mean is open; the question says which lines decide it."""

    def __init__(self, question: OpenQuestion) -> None:
        super().__init__("\n".join(map(str, [*question.lines(), PUT_ONE])))
        self.question = question


@dataclass
class Asked(Exception):
    """The run asks. ``about`` is the sentence of the reason that most files share, if any."""

    question: OpenQuestion
    about: str = ""


@dataclass
class Unusable(Exception):
    """Why one file cannot be read. It concerns nobody else.

    ``options`` would decide it, if the organizer stated one for all files.
    """

    reason: Phrase
    options: Sequence[Option] = field(default=())

    def __str__(self) -> str:
        return str(self.reason)


def no_such_column(file: Sheet, names: Sequence[str | int]) -> Unusable:
    """Return why a file cannot be read that lacks columns which settings name."""
    lacking = listed(map(repr, names))
    if not file.headed:
        return Unusable(
            Phrase(
                "there is no column {columns}: it has {count} column",
                "there is no column {columns}: it has {count} columns",
                columns=lacking,
                count=len(file.columns),
            )
        )
    present = listed(quoted(column.name) for column in file.columns)
    return Unusable(
        Phrase("there is no column {columns} among {present}", columns=lacking, present=present)
    )


def _flow(value: Any) -> str:
    """Return a value as YAML in flow style."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_flow(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _scalar(value) if isinstance(value, str) else str(value)


def _scalar(text: str) -> str:
    """Return a text as a scalar, in quotes where YAML would read something else."""
    written = yaml.safe_dump(text, default_flow_style=True, allow_unicode=True, width=10**9)
    plain = written.removesuffix("\n...\n").removesuffix("\n")
    in_flow = any(mark in plain for mark in ",[]{}") and plain[:1] not in "'\""
    return "'" + text.replace("'", "''") + "'" if in_flow else plain
