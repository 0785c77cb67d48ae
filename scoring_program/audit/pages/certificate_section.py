"""The sections on wrong labels: how many would change the order, and which to look at again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...report.language import Language
from ...report.sections.section import Passage
from ...report.tables import Cell, TableColumn, cell
from ..certificate import Certificate, SuspectLabel
from ..competition_audit import Audit
from ..part_audit import LabelAudit, PartAudit
from .finding import Finding, PageOfPart, column, count_cell, listed, pages_of_parts

#: If the leader stays in fewer of the draws with the least noise, its lead hangs on few labels.
_FIRM = 0.95


def certificates(audit: Audit, language: Language) -> Iterator[Finding]:
    """Yield how many wrong labels would change the order, and how often random errors do."""
    for page in pages_of_parts(audit, language):
        if page.part.labels is not None and page.part.labels.certificates:
            yield _certificate(page, page.part.labels)


def _certificate(page: PageOfPart, labels: LabelAudit) -> Finding:
    say, numerals = page.say, page.language.numerals
    names, leader = labels.field.names, labels.field.names[page.part.rivals.leader]
    table = page.table(
        "certificate",
        say("certificate.caption", leader=leader),
        (
            TableColumn(("entry",), say("certificate.rival")),
            column(page.language, "certificate.changes", numeric=True),
            column(page.language, "certificate.candidates", numeric=True),
            column(page.language, "certificate.kind"),
        ),
        [_row(item, names[item.rival], page) for item in labels.certificates],
    )
    noise = [
        say(
            "noise.line",
            share=numerals.exact_percent(share),
            stays=numerals.percent(stays),
        )
        for share, stays in labels.stays.items()
    ]
    brief = say("noise.brief", leader=leader, draws=page.language.listed(noise))
    passage = Passage((f"{brief} {say('noise.how')}",), caption=table.caption, table=table)
    return page.finding(
        "certificate", passage, table, brief, look=labels.stays[min(labels.stays)] < _FIRM
    )


def _row(item: Certificate, rival: str, page: PageOfPart) -> tuple[Cell, ...]:
    changes, kind = page.fewest(item.changes, exact=item.exact)
    return cell(rival), changes, count_cell(page.language, item.candidates), kind


def suspects(audit: Audit, language: Language) -> Iterator[Finding]:
    """Yield the gold labels to look at again, in that order."""
    for page in pages_of_parts(audit, language):
        rows = _suspects(page.part, page.part.labels) if page.part.labels is not None else []
        if rows and page.part.labels is not None:
            yield _labels_to_check(page, page.part.labels, rows)


def _suspects(
    part: PartAudit, labels: LabelAudit
) -> Sequence[tuple[SuspectLabel, tuple[str, ...]]]:
    """Return the labels that decide, with the rivals that they help, the most contradicted first.

    They decide between the leader and the entries tied with it or, if there is none, the next one.
    """
    tied = [item for item in labels.certificates if part.analysis.tied_with_leader[item.rival]]
    rows: dict[tuple[int, str], tuple[SuspectLabel, tuple[str, ...]]] = {}
    for item in tied or labels.certificates[:1]:
        for suspect in item.suspects:
            key = (suspect.example, suspect.new)
            rivals = rows[key][1] if key in rows else ()
            rows[key] = (suspect, (*rivals, labels.field.names[item.rival]))
    return sorted(rows.values(), key=lambda row: (-row[0].contradicting, row[0].example))


def _labels_to_check(
    page: PageOfPart, labels: LabelAudit, rows: Sequence[tuple[SuspectLabel, tuple[str, ...]]]
) -> Finding:
    language, ids = page.language, labels.field.ids
    table = page.table(
        "labels_to_check",
        page.say("suspects.caption"),
        (
            column(language, "suspects.id"),
            column(language, "suspects.gold"),
            column(language, "suspects.answer"),
            column(language, "suspects.contradicting", numeric=True),
            column(language, "suspects.rivals"),
        ),
        [
            (
                cell(ids[suspect.example]),
                cell(suspect.gold),
                cell(suspect.new),
                count_cell(language, suspect.contradicting),
                cell(language.joined(rivals)),
            )
            for suspect, rivals in rows
        ],
    )
    others = max(1, len(labels.field.names) - 2)
    most = sum(2 * suspect.contradicting > others for suspect, _ in rows)
    brief = language.count("audit.suspects.brief", len(rows))
    if most:
        brief = f"{brief} {language.count('audit.suspects.contradicted', most)}"
    return page.finding("suspects", listed(table, language), table, brief, look=True)
