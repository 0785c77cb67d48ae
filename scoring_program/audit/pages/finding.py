"""What the sections of the audit's page have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...report.language import Language
from ...report.numbers import decimals_for
from ...report.sections.section import Passage, Section
from ...report.tables import Cell, CellValue, ResultTable, TableColumn, cell
from ..competition_audit import Audit
from ..part_audit import PartAudit

#: Rows that a table of the page shows; the files hold all.
SHOWN = 20


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

    def say(self, key: str, **values: object) -> str:
        """Return a string of the audit."""
        return self.language.say(f"audit.{key}", **values)

    def count(self, number: int) -> str:
        """Return a number of things."""
        return self.language.numerals.count(number)

    @property
    def level(self) -> str:
        """The confidence of all intervals."""
        return self.language.numerals.exact_percent(self.part.analysis.confidence)

    @property
    def decimals(self) -> int:
        """The decimals of scores."""
        return decimals_for(self.part.analysis.standard_error.tolist())

    def fewest(self, number: int | None, *, exact: bool) -> tuple[Cell, Cell]:
        """Return cells with how few changes draw a rival level, and whether fewer may suffice."""
        if number is None:
            return cell(self.say("certificate.none"), None), cell("")
        kind = self.say(f"certificate.{'exact' if exact else 'at_most'}")
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
        passage: Passage,
        table: ResultTable | None,
        brief: str,
        *,
        look: bool = False,
    ) -> Finding:
        """Return the section ``key`` of this part; ``table`` is what its files hold."""
        heading = self.say(f"{key}.heading")
        if self.part.name:
            heading = f"{heading} · {self.part.name}"
        return Finding(section(f"{key}{self.suffix}", heading, passage, table), brief, look)


def pages_of_parts(audit: Audit, language: Language) -> Iterator[PageOfPart]:
    """Yield the parts, and what their ids end in."""
    for number, part in enumerate(audit.parts, start=1):
        yield PageOfPart(part, language, f"-{number}" if len(audit.parts) > 1 else "")


def section(key: str, heading: str, passage: Passage, table: ResultTable | None) -> Section:
    """Return a section with its files."""
    tables = () if table is None else (table,)
    figures = {figure.heading.id: figure for figure in passage.figures}
    return Section(f"audit-{key}", heading, passage, tables=tables, figures=figures)


def column(language: Language, key: str, *, numeric: bool = False) -> TableColumn:
    """Return the column that the files call like the last part of ``key``."""
    return TableColumn((key.rpartition(".")[2],), language.say(f"audit.{key}"), numeric)


def listed(table: ResultTable, language: Language, paragraphs: Sequence[str] = ()) -> Passage:
    """Return a passage with the first rows of a table, which says where the others are."""
    note = ""
    if len(table.rows) > SHOWN:
        count = language.numerals.count
        note = language.say(
            "audit.cut",
            shown=count(SHOWN),
            total=count(len(table.rows)),
            file=f"tables/gold_{table.name}.csv",
        )
    shown = replace(table, rows=table.rows[:SHOWN])
    return Passage(tuple(paragraphs), caption=table.caption, table=shown, note=note)


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
