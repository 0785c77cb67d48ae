"""The section on examples: which decide, which are too hard, and how far the field could get."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.phrases import Language
from ...document.blocks import Cell, TableColumn, cell, passage
from ..answer_field import Answers
from ..ceilings import Ceilings
from ..competition_audit import Audit
from ..examples import ExampleCounts
from .finding import Finding, PageOfPart, count_cell, listed, pages_of_parts


def examples(audit: Audit, language: Language) -> Iterator[Finding]:
    """Yield how many examples decide, and on which the field or one entry is wrong."""
    for page in pages_of_parts(audit, language):
        audited = page.part.answers
        if audited is not None and audited.examples is not None:
            yield _examples(page, audited.answers, audited.examples)


def _examples(page: PageOfPart, answers: Answers, found: ExampleCounts) -> Finding:
    n = len(answers.ids)
    separating = page.say(
        "Only one entry can still be the best, so no {thing} tells possible winners apart."
    )
    if found.winners > 1:
        separating = page.say(
            "{separating} of {n} {things} ({share}) tell the possible winners apart; on the "
            "others they are all right or all wrong.",
            separating=page.count(found.separating),
            n=page.count(n),
            share=page.language.numerals.percent(found.separating / n),
        )
    hard = page.say(
        "Entries that are right: none on {nobody} {things}, only one on {one}, all but one on "
        "{but_one}."
        if len(answers.names) > 2
        else "Entries that are right: none on {nobody} {things}, only one on {one}.",
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
        nobody = page.say(
            "No entry gets {count:n} {thing} right: its gold may be wrong.",
            "No entry gets {count:n} {things} right: their gold may be wrong.",
            count=len(found.nobody),
        )
        brief = f"{nobody} {separating}"
    rows = _rows(page, answers, found)
    if not rows:
        return page.finding("examples", passage(paragraphs), brief)
    table = page.table(
        "examples",
        page.say("{Things} that no entry, one entry or all but one entry get right"),
        (
            TableColumn(("id",), page.language.say("{Thing}")),
            TableColumn(("gold",), page.language.say("Gold")),
            TableColumn(
                ("entries_right",), page.language.say("Entries that are right"), numeric=True
            ),
            TableColumn(("differs",), page.language.say("The entry that differs")),
        ),
        rows,
    )
    blocks = listed(table, page.language, paragraphs)
    return page.finding("examples", blocks, brief, look=bool(found.nobody))


def _ceilings(page: PageOfPart, ceilings: Ceilings) -> str:
    numerals, decimals = page.language.numerals, page.decimals
    return page.say(
        "An oracle that picks the right entry for each {thing} scores {oracle}. The majority vote "
        "scores {majority}, a difference of {difference} from the leader ({level} interval "
        "{interval}; two-sided p-value {p}).",
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
