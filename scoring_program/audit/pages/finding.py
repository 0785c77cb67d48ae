"""What the sections of the audit's page have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...core.phrases import Language, gettext_noop
from ...document.blocks import (
    Block,
    Cell,
    CellValue,
    Picture,
    ResultTable,
    Section,
    TableColumn,
    cell,
    passage,
)
from ...report.numbers import decimals_of
from ..competition_audit import Audit
from ..part_audit import PartAudit

#: Rows that a table of the page shows; the files hold all.
SHOWN = 20
#: The headings of the sections of a part.
_HEADINGS = {
    "errors": gettext_noop("Which labels are confused?"),
    "confused": gettext_noop("What does each entry confuse?"),
    "classes": gettext_noop("How well is each class found?"),
    "slices": gettext_noop("Who errs in which slice?"),
    "copies": gettext_noop("Nearly the same submissions"),
    "withdrawal": gettext_noop("How many {things} hold the order?"),
    "to_check": gettext_noop("{Things} to look at again"),
    "certificate": gettext_noop("How many wrong labels would change the order?"),
    "suspects": gettext_noop("Labels to look at again"),
    "examples": gettext_noop("Which {things} decide?"),
}


@dataclass(frozen=True)
class Finding:
    """A section, what it found in one sentence, and whether the organizer should look at it."""

    section: Section
    brief: str
    look: bool = False


@dataclass(frozen=True)
class PageOfPart:
    """Writes the sections of one part: their ids, headings, tables and numbers."""

    part: PartAudit
    language: Language
    suffix: str  # of ids and file names, if there are several parts

    def say(self, sentence: str, many: str = "", /, **values: Any) -> str:
        """Return a sentence in the language of the page."""
        return self.language.say(sentence, many, **values)

    def count(self, number: int) -> str:
        """Return a number of things."""
        return self.language.numerals.count(number)

    @property
    def level(self) -> str:
        """The confidence of all intervals."""
        return self.language.numerals.exact_percent(self.part.evidence.question.confidence)

    @property
    def decimals(self) -> int:
        """The decimals of scores."""
        return decimals_of(self.part.evidence)

    def fewest(self, number: int | None, *, exact: bool) -> tuple[Cell, Cell]:
        """Return cells with how few changes draw a rival level, and whether fewer may suffice."""
        if number is None:
            return cell(self.say("no number found"), None), cell("")
        kind = self.say("exact" if exact else "at most")
        return count_cell(self.language, number), cell(kind)

    def table(
        self,
        name: str,
        caption: str,
        columns: Sequence[TableColumn],
        rows: Sequence[Sequence[Cell]],
    ) -> ResultTable:
        """Return a table of this part."""
        return ResultTable(f"{name}{self.suffix}", caption, tuple(columns), tuple(map(tuple, rows)))

    def finding(
        self,
        key: str,
        blocks: tuple[Block, ...],
        brief: str,
        *,
        look: bool = False,
    ) -> Finding:
        """Return the section ``key`` of this part."""
        heading = self.say(_HEADINGS[key])
        if self.part.name:
            heading = f"{heading} · {self.part.name}"
        return Finding(section(f"{key}{self.suffix}", heading, blocks), brief, look)


def pages_of_parts(audit: Audit, language: Language) -> Iterator[PageOfPart]:
    """Yield the parts, and what their ids end in."""
    for number, part in enumerate(audit.parts, start=1):
        yield PageOfPart(part, language, f"-{number}" if len(audit.parts) > 1 else "")


def section(key: str, heading: str, blocks: tuple[Block, ...]) -> Section:
    """Return a section of an audit."""
    return Section(f"audit-{key}", heading, blocks)


def listed(
    table: ResultTable,
    language: Language,
    paragraphs: Sequence[str] = (),
    pictures: Sequence[Picture] = (),
) -> tuple[Block, ...]:
    """Return blocks with the first rows of a table, which say where the others are."""
    note = ""
    if len(table.rows) > SHOWN:
        count = language.numerals.count
        note = language.say(
            "{shown} of {total} rows are shown; {file} holds all of them.",
            shown=count(SHOWN),
            total=count(len(table.rows)),
            file=f"tables/gold_{table.name}.csv",
        )
        table = replace(table, excerpt=tuple(range(SHOWN)))
    return passage(paragraphs, table.caption, table, pictures, note)


def count_cell(language: Language, number: int) -> Cell:
    """Return a cell with a number of things."""
    return cell(language.numerals.count(number), number)


def number_cell(language: Language, value: float, decimals: int, *, signed: bool = False) -> Cell:
    """Return a cell with a number; machines read nothing where it is not finite."""
    text = language.numerals.fixed(value, decimals, signed=signed)
    return cell(text, value if np.isfinite(value) else None)


def interval_cell(language: Language, low: float, high: float, decimals: int) -> Cell:
    """Return a cell with an interval, which machines read as two numbers."""
    values: tuple[CellValue, CellValue] = (low, high)
    return Cell(language.numerals.interval(low, high, decimals), values)
