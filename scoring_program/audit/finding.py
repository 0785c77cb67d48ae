"""What the sections of the audit's page have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..core.phrases import Language
from ..document.blocks import Cell, Picture, ResultTable, Section, TableColumn, cell, passage
from ..inference.evidence import Evidence
from ..report.numbers import decimals_of
from ..report.view import FilledColumn, Writer

#: Of audit.json.
SCHEMA_VERSION = 2
#: Rows that a table of the page shows; the files hold all.
_SHOWN = 20


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
class Page(Writer):
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

    def answers(self, key: str, heading: str, get: Callable[[Any], bool]) -> FilledColumn:
        """Return a column of yes and no; machines read 1 and 0."""
        both = self.say("no"), self.say("yes")
        return TableColumn((key,), heading), lambda item: cell(both[get(item)], int(get(item)))

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
