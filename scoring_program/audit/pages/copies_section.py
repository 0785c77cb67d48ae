"""The section on entries that are the same or nearly the same, and which entries err alike."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...report import drawing as draw
from ...report.language import Language
from ...report.sections.section import Passage
from ...report.tables import ResultTable, TableColumn, cell
from ..competition_audit import Audit
from ..near_copies import FALSE_ALARM, FEWEST
from ..part_audit import AnswerAudit
from .finding import (
    Finding,
    PageOfPart,
    column,
    count_cell,
    number_cell,
    pages_of_parts,
    section,
)

#: Shared errors / errors of either entry, from which a cell of the map gets the next shade.
_SHADES = (0.25, 0.5, 0.75, 0.9)
#: Entries on the map of errors.
_MAPPED = 60
#: Pairs that the first screen names.
_NAMED = 3


def copies(audit: Audit, language: Language) -> Iterator[Finding]:
    """Yield the identical entries, and the near-copies of each part."""
    if audit.identical:
        yield _identical(audit, language)
    for page in pages_of_parts(audit, language):
        if page.part.answers is not None:
            yield _near_copies(page, page.part.answers)


def _identical(audit: Audit, language: Language) -> Finding:
    paragraphs = tuple(
        language.say(
            f"audit.identical.{'files' if item.files else 'predictions'}",
            entries=language.listed(item.names),
        )
        for item in audit.identical
    )
    heading = language.say("audit.identical.heading")
    brief = " ".join(paragraphs[:3])
    return Finding(section("identical", heading, Passage(paragraphs), None), brief, look=True)


def _near_copies(page: PageOfPart, audited: AnswerAudit) -> Finding:
    entries, found = audited.answers.names, audited.copies
    table = _table(page, audited) if found else None
    if found:
        brief = _brief(page, audited)
    elif len(entries) < FEWEST:
        brief = page.say("copies.few", fewest=page.count(FEWEST))
    else:
        brief = page.say("copies.none")
    passage = Passage(
        () if found else (brief,),
        caption=table.caption if table else "",
        table=table,
        figures=(_map(page, audited),) if len(entries) > 2 else (),
    )
    return page.finding("copies", passage, table, brief, look=bool(found))


def _brief(page: PageOfPart, audited: AnswerAudit) -> str:
    """Return how many pairs look like copies, and the names of the first ones."""
    names, language = audited.answers.names, page.language
    pairs = [language.listed([names[e] for e in item.entries]) for item in audited.copies[:_NAMED]]
    if len(audited.copies) > _NAMED:
        pairs.append("…")
    return language.count("audit.copies.brief", len(audited.copies), pairs="; ".join(pairs))


def _table(page: PageOfPart, audited: AnswerAudit) -> ResultTable:
    language, names = page.language, audited.answers.names
    return page.table(
        "near_copies",
        page.say("copies.caption", false_alarm=language.numerals.plain(FALSE_ALARM)),
        (
            TableColumn(("entry",), page.say("copies.first")),
            column(language, "copies.second"),
            column(language, "copies.shared_errors", numeric=True),
            column(language, "copies.expected", numeric=True),
            column(language, "copies.errors", numeric=True),
            column(language, "copies.p", numeric=True),
        ),
        [
            (
                cell(names[item.entries[0]]),
                cell(names[item.entries[1]]),
                count_cell(language, item.shared_errors),
                number_cell(language, item.expected, 1),
                cell(" / ".join(map(page.count, item.errors))),
                cell(language.numerals.p(item.p_value), item.p_value),
            )
            for item in audited.copies
        ],
    )


def _map(page: PageOfPart, audited: AnswerAudit) -> draw.Matrix:
    """Draw which entries make the same errors, similar ones side by side."""
    order = list(audited.clustered)[:_MAPPED]
    similarity = audited.similarity[np.ix_(order, order)]
    classes = np.sum([similarity >= shade for shade in _SHADES], axis=0)
    np.fill_diagonal(classes, 0)
    names = [draw.shortened(audited.answers.names[entry], 17) for entry in order]
    percent = page.language.numerals.percent
    legend = [page.say("copies.from", share=percent(shade)) for shade in _SHADES]
    few = len(order) <= 30
    places = [str(place + 1) for place in range(len(order))]
    return draw.matrix(
        draw.Heading(
            f"alike{page.suffix}", page.say("copies.map"), page.say("copies.map_description")
        ),
        classes,
        draw.GridLabels(names if few else places, places, page.say("copies.column"), legend),
        few=few,
    )
