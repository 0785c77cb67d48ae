"""The sections on wrong labels: how many would change the order, and which to look at again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.phrases import Language
from ...document.blocks import Cell, TableColumn, cell, passage
from ..certificate import Certificate, SuspectLabel
from ..competition_audit import Audit
from ..part_audit import LabelAudit, PartAudit
from .finding import Finding, PageOfPart, count_cell, listed, pages_of_parts

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
        say(
            "The fewest gold labels that, changed, draw each rival level with {leader}, and the "
            "number of labels to choose from.",
            leader=leader,
        ),
        (
            TableColumn(("entry",), say("Rival")),
            TableColumn(("changes",), page.language.say("Labels that must be wrong"), numeric=True),
            TableColumn(("candidates",), page.language.say("Labels to choose from"), numeric=True),
            TableColumn(("kind",), page.language.say("Number")),
        ),
        [_row(item, names[item.rival], page) for item in labels.certificates],
    )
    noise = [
        say(
            "with {share} wrong labels in {stays} of the draws",
            share=numerals.exact_percent(share),
            stays=numerals.percent(stays),
        )
        for share, stays in labels.stays.items()
    ]
    brief = say(
        "If labels are wrong at random, {leader} stays ahead {draws}.",
        leader=leader,
        draws=page.language.listed(noise),
    )
    how = say(
        "Each label is replaced with this probability by one of the others, all equally likely."
    )
    blocks = passage(
        (f"{brief} {how}",),
        caption=table.caption,
        table=table,
    )
    look = labels.stays[min(labels.stays)] < _FIRM
    return page.finding("certificate", blocks, brief, look=look)


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
    tied = [
        item for item in labels.certificates if part.evidence.standing.tied_with_leader[item.rival]
    ]
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
        page.say(
            "{Things} whose gold label decides between the leader and an entry tied with it, or "
            "else the next one. Those that the most other entries contradict come first. Look at "
            "all of them in the same way, whomever they help."
        ),
        (
            TableColumn(("id",), language.say("{Thing}")),
            TableColumn(("gold",), language.say("Gold label")),
            TableColumn(("answer",), language.say("Label that would help")),
            TableColumn(
                ("contradicting",), language.say("Other entries that give it"), numeric=True
            ),
            TableColumn(("rivals",), language.say("Helps")),
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
    brief = language.say(
        "{count:n} label decides between the first entries.",
        "{count:n} labels decide between the first entries.",
        count=len(rows),
    )
    if most:
        contradicted = language.say(
            "Most other entries contradict {count:n} of them.",
            "Most other entries contradict {count:n} of them.",
            count=most,
        )
        brief = f"{brief} {contradicted}"
    return page.finding("suspects", listed(table, language), brief, look=True)
