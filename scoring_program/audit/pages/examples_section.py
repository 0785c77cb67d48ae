"""The section on examples: which decide, which are too hard, and how far the field could get."""

from __future__ import annotations

from collections.abc import Iterator

from ...report.language import Language
from ...report.sections.section import Passage
from ...report.tables import Cell, cell
from ..answer_field import Answers
from ..ceilings import Ceilings
from ..competition_audit import Audit
from ..examples import ExampleCounts
from .finding import Finding, PageOfPart, column, count_cell, listed, pages_of_parts


def examples(audit: Audit, language: Language) -> Iterator[Finding]:
    """Yield how many examples decide, and on which the field or one entry is wrong."""
    for page in pages_of_parts(audit, language):
        audited = page.part.answers
        if audited is not None and audited.examples is not None:
            yield _examples(page, audited.answers, audited.examples)


def _examples(page: PageOfPart, answers: Answers, found: ExampleCounts) -> Finding:
    n = len(answers.ids)
    separating = page.say("examples.one_winner")
    if found.winners > 1:
        separating = page.say(
            "examples.separating",
            separating=page.count(found.separating),
            n=page.count(n),
            share=page.language.numerals.percent(found.separating / n),
        )
    hard = page.say(
        "examples.hard" if len(answers.names) > 2 else "examples.hard_two",
        nobody=page.count(len(found.nobody)),
        one=page.count(len(found.only_one)),
        but_one=page.count(len(found.all_but_one)),
    )
    paragraphs = [separating, hard]
    ceilings = page.part.labels and page.part.labels.ceilings
    if ceilings:
        paragraphs.append(_ceilings(page, ceilings))
    brief = separating
    if found.nobody:
        brief = f"{page.language.count('audit.examples.brief', len(found.nobody))} {separating}"
    rows = _rows(page, answers, found)
    if not rows:
        return page.finding("examples", Passage(tuple(paragraphs)), None, brief)
    table = page.table(
        "examples",
        page.say("examples.caption"),
        (
            column(page.language, "examples.id"),
            column(page.language, "examples.gold"),
            column(page.language, "examples.entries_right", numeric=True),
            column(page.language, "examples.differs"),
        ),
        rows,
    )
    passage = listed(table, page.language, paragraphs)
    return page.finding("examples", passage, table, brief, look=bool(found.nobody))


def _ceilings(page: PageOfPart, ceilings: Ceilings) -> str:
    numerals, decimals = page.language.numerals, page.decimals
    return page.say(
        "examples.ceilings",
        oracle=numerals.fixed(ceilings.oracle, decimals),
        majority=numerals.fixed(ceilings.majority, decimals),
        difference=numerals.fixed(ceilings.difference, decimals, signed=True),
        level=page.level,
        interval=numerals.interval(ceilings.low, ceilings.high, decimals),
        p=numerals.p(ceilings.p_value),
    )


def _rows(page: PageOfPart, answers: Answers, found: ExampleCounts) -> list[tuple[Cell, ...]]:
    """Return the examples that nobody, one entry, or all but one entry get right, hardest first."""
    differs = dict(found.only_one) | dict(found.all_but_one)
    chosen = {*found.nobody, *differs}
    return [
        (
            cell(answers.ids[row]),
            cell(answers.correct[row]),
            count_cell(page.language, int(found.entries_right[row])),
            cell(answers.names[differs[row]] if row in differs else ""),
        )
        for row in sorted(chosen, key=lambda row: (found.entries_right[row], row))
    ]
