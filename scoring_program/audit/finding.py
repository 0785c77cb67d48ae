"""What the sections of the audit's page have in common."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..core.phrases import Language
from ..document.blocks import Cell, Picture, ResultTable, Section, TableColumn, cell, passage
from ..inference.evidence import Evidence
from ..report.numbers import decimals_of

#: Of audit.json.
SCHEMA_VERSION = 2
#: Rows that a table of the page shows; the files hold all.
_SHOWN = 20
#: A column, and the cell that an item has in it.
FilledColumn = tuple[TableColumn, Callable[[Any], Cell]]


def content_of(item: object, *names: str) -> dict[str, Any]:
    """Return some attributes as audit.json holds them."""
    return {name: getattr(item, name) for name in names}


@dataclass(frozen=True)
class Finding:
    """A section, what it found in one sentence, and whether the organizer should look at it."""

    section: Section
    brief: str
    look: bool = False


@dataclass(frozen=True)
class Page:
    """Writes the sections of a part, or of the whole: their ids, headings, tables and numbers."""

    language: Language
    decimals: int  # of scores
    level: str = ""  # the confidence of all intervals
    title: str = ""  # of the part
    suffix: str = ""  # of ids and file names, if there are several parts

    @classmethod
    def from_evidence(
        cls, evidence: Evidence, language: Language, title: str = "", suffix: str = ""
    ) -> Page:
        """Return the page of a part by its ranking metric."""
        level = language.numerals.exact_percent(evidence.question.confidence)
        return cls(language, decimals_of(evidence), level, title, suffix)

    def say(self, sentence: str, many: str = "", /, **values: Any) -> str:
        """Return a sentence in the language of the page."""
        return self.language.say(sentence, many, **values)

    def count(self, number: int) -> str:
        """Return a number of things."""
        return self.language.numerals.count(number)

    def words(self, key: str, heading: str, get: Callable[[Any], str]) -> FilledColumn:
        """Return a column of texts."""
        return TableColumn((key,), heading), lambda item: cell(get(item))

    def answers(self, key: str, heading: str, get: Callable[[Any], bool]) -> FilledColumn:
        """Return a column of yes and no; machines read 1 and 0."""
        both = self.say("no"), self.say("yes")
        return TableColumn((key,), heading), lambda item: cell(both[get(item)], int(get(item)))

    def counts(self, key: str, heading: str, get: Callable[[Any], int | None]) -> FilledColumn:
        """Return a column with numbers of things, where they are known."""

        def counted(item: Any) -> Cell:
            number = get(item)
            return cell("" if number is None else self.count(number), number)

        return TableColumn((key,), heading, numeric=True), counted

    def numbers(
        self,
        key: str,
        heading: str,
        get: Callable[[Any], float | None],
        decimals: int | None = None,
        *,
        signed: bool = False,
    ) -> FilledColumn:
        """Return a column of numbers; machines read nothing where one is not finite."""
        places = self.decimals if decimals is None else decimals

        def written(item: Any) -> Cell:
            value = get(item)
            if value is None:
                return cell("", None)
            text = self.language.numerals.fixed(value, places, signed=signed)
            return cell(text, value if math.isfinite(value) else None)

        return TableColumn((key,), heading, numeric=True), written

    def intervals(
        self, heading: str, get: Callable[[Any], tuple[float, float]], decimals: int | None = None
    ) -> FilledColumn:
        """Return a column of intervals, which machines read as two numbers."""
        places = self.decimals if decimals is None else decimals

        def written(item: Any) -> Cell:
            low, high = map(float, get(item))
            return cell(self.language.numerals.interval(low, high, places), low, high)

        return TableColumn(("low", "high"), heading, numeric=True), written

    def fewest(self, key: str, heading: str, get: Callable[[Any], int | None]) -> FilledColumn:
        """Return how few changes draw a rival level; unless the number is exact, fewer may do."""

        def found(item: Any) -> Cell:
            number = get(item)
            if number is None:
                return cell(self.say("no number found"), None, "")
            if item.exact:
                return cell(self.count(number), number, self.say("exact"))
            shown = self.say("at most {distance}", distance=self.count(number))
            return cell(shown, number, self.say("at most"))

        return TableColumn((key, "kind"), heading, numeric=True), found

    def table(
        self,
        name: str,
        caption: str,
        items: Iterable[Any],
        columns: Sequence[FilledColumn],
        note: str = "",
    ) -> ResultTable:
        """Return a table of this part, a row an item."""
        rows = tuple(tuple(get(item) for _, get in columns) for item in items)
        name = f"{name}{self.suffix}"
        return ResultTable(name, caption, tuple(column for column, _ in columns), rows, note)

    def finding(
        self,
        key: str,
        heading: str,
        brief: str,
        paragraphs: Sequence[str] = (),
        table: ResultTable | None = None,
        pictures: Sequence[Picture] = (),
        *,
        whole: bool = False,
        look: bool = False,
    ) -> Finding:
        """Return a section with the first rows of a table, or the ``whole`` table."""
        note = table.note if table else ""
        if table and len(table.rows) > _SHOWN and not whole:
            note = self.say(
                "{shown} of {total} rows are shown; {file} holds all of them.",
                shown=self.count(_SHOWN),
                total=self.count(len(table.rows)),
                file=f"tables/gold_{table.name}.csv",
            )
            table = replace(table, excerpt=tuple(range(_SHOWN)))
        blocks = passage(paragraphs, table.caption if table else "", table, pictures, note)
        heading = f"{heading} · {self.title}" if self.title else heading
        return Finding(Section(f"audit-{key}{self.suffix}", heading, blocks), brief, look)
