"""The sections on wrong gold: how much of it would change the order, and what to look at again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from ...core.phrases import ngettext_noop
from ...report import build
from ..certificate import Certificate, SuspectLabel
from ..competition_audit import LabelAudit, PartAudit
from ..regrade import Regrade
from ..withdrawal import Withdrawal
from .finding import Finding, Page

#: If the leader stays in fewer of the draws with the least noise, its lead hangs on few labels.
_FIRM = 0.95
#: How few examples hold the order; whether their number is exact.
_WITHDRAWN = {
    True: ngettext_noop(
        "{leader} stays ahead of all rivals only as long as none of the {examples} is withdrawn.",
        "{leader} stays ahead of all rivals as long as fewer than {count:n} of the {examples} are "
        "withdrawn.",
    ),
    False: ngettext_noop(
        "Withdrawing {count:n} of the {examples} would be enough: {leader} would no longer lead "
        "alone.",
        "Withdrawing {count:n} of the {examples} would be enough: {leader} would no longer lead "
        "alone.",
    ),
}
_Item = TypeVar("_Item", Certificate, Withdrawal)


def certificates(page: Page, part: PartAudit) -> Iterator[Finding]:
    """Yield how many wrong labels would change the order, and how often random errors do."""
    labels, say, numerals = part.labels, page.say, page.language.numerals
    if labels is None or not labels.certificates:
        return
    names, leader = labels.field.names, labels.field.names[part.rivals.leader]
    table = page.table(
        "certificate",
        say(
            "The fewest gold labels that, changed, draw each rival level with {leader}, and the "
            "number of labels to choose from.",
            leader=leader,
        ),
        labels.certificates,
        [
            page.words("entry", say("Rival"), lambda item: names[item.rival]),
            page.fewest("changes", say("Labels that must be wrong"), lambda c: c.changes),
            page.counts("candidates", say("Labels to choose from"), lambda c: c.candidates),
        ],
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
    heading = say("How many wrong labels would change the order?")
    look = labels.stays[min(labels.stays)] < _FIRM
    paragraphs = [f"{brief} {how}"]
    yield page.finding("certificate", heading, brief, paragraphs, table, whole=True, look=look)


def suspects(page: Page, part: PartAudit) -> Iterator[Finding]:
    """Yield the gold labels to look at again: those that most entries contradict come first."""
    labels, say = part.labels, page.say
    rows = _suspects(part, labels) if labels is not None else []
    if not rows or labels is None:
        return
    ids = labels.field.ids
    table = page.table(
        "labels_to_check",
        say(
            "{Things} whose gold label decides between the leader and another possible winner, "
            "or else the next entry. Those that the most other entries contradict come first. Look "
            "at all of them in the same way, whomever they help."
        ),
        rows,
        [
            page.words("id", say("{Thing}"), lambda row: ids[row[0].example]),
            page.words("gold", say("Gold label"), lambda row: row[0].gold),
            page.words("answer", say("Label that would help"), lambda row: row[0].new),
            page.counts(
                "contradicting",
                say("Other entries that give it"),
                lambda row: row[0].contradicting,
            ),
            page.words("rivals", say("Helps"), lambda row: page.language.joined(row[1])),
        ],
    )
    others = max(1, len(labels.field.names) - 2)
    most = sum(2 * suspect.contradicting > others for suspect, _ in rows)
    brief = say(
        "{count:n} label decides between the first entries.",
        "{count:n} labels decide between the first entries.",
        count=len(rows),
    )
    if most:
        contradicted = say(
            "Most other entries contradict {count:n} of them.",
            "Most other entries contradict {count:n} of them.",
            count=most,
        )
        brief = f"{brief} {contradicted}"
    heading = say("Labels to look at again")
    yield page.finding("suspects", heading, brief, table=table, look=True)


def _suspects(
    part: PartAudit, labels: LabelAudit
) -> Sequence[tuple[SuspectLabel, tuple[str, ...]]]:
    """Return the labels that decide, with the rivals that they help."""
    rows: dict[tuple[int, str], tuple[SuspectLabel, tuple[str, ...]]] = {}
    for item in _deciding(part, labels.certificates):
        for suspect in item.suspects:
            key = (suspect.example, suspect.new)
            rivals = rows[key][1] if key in rows else ()
            rows[key] = (suspect, (*rivals, labels.field.names[item.rival]))
    return sorted(rows.values(), key=lambda row: (-row[0].contradicting, row[0].example))


def _deciding(part: PartAudit, items: Sequence[_Item]) -> Sequence[_Item]:
    """Return those of the entries tied with the leader or, if there is none, of the next one."""
    tied = [item for item in items if part.evidence.verdict.possible_winners[item.rival]]
    return tied or items[:1]


def withdrawn(page: Page, part: PartAudit) -> Iterator[Finding]:
    """Yield how many examples hold the order, and which to look at again."""
    if not part.withdrawals:
        return
    say, names = page.say, part.evidence.names
    leader = names[part.rivals.leader]
    table = page.table(
        "withdrawal",
        say(
            "The fewest {things} that, withdrawn because their gold is wrong, draw each rival "
            "level with {leader}."
            if part.has_gold
            else (
                "The fewest units that, withdrawn because their scores are wrong, draw each rival "
                "level with {leader}."
            ),
            leader=leader,
        ),
        part.withdrawals,
        [
            page.words("entry", say("Rival"), lambda item: names[item.rival]),
            page.fewest("examples", say("{Things} to withdraw"), lambda item: item.fewest),
        ],
    )
    brief = say("No small set of {things} decides whether {leader} stays ahead.", leader=leader)
    decisive = [item for item in part.withdrawals if item.fewest is not None]
    if decisive:
        least = min(decisive, key=lambda item: item.fewest or 0)
        brief = say(
            *_WITHDRAWN[least.exact],
            count=least.fewest or 0,
            examples=page.language.examples(part.kind, len(part.ids)),
            leader=leader,
        )
    heading = say("How many {things} hold the order?")
    yield page.finding("withdrawal", heading, brief, table=table)
    rivals: dict[int, list[str]] = {}
    for item in _deciding(part, part.withdrawals):
        for example in item.examples or ():
            rivals.setdefault(example, []).append(names[item.rival])
    if rivals:
        yield _to_check(page, part, rivals)


def _to_check(page: Page, part: PartAudit, rivals: Mapping[int, Sequence[str]]) -> Finding:
    """Return the examples that hold the lead, with the rivals that they hold it over."""
    say, answers = page.say, part.answers.answers if part.answers is not None else None
    columns = [page.words("id", say("{Thing}"), lambda row: part.ids[row[0]])]
    if answers is not None:
        columns.append(page.words("gold", say("Gold"), lambda row: answers.correct[row[0]]))
    helped = say("Helps the leader against")
    columns.append(page.words("names", helped, lambda row: page.language.joined(row[1])))
    table = page.table(
        "examples_to_check",
        say(
            "Without these {things}, another possible winner, or else the next entry, draws "
            "level. Those that help the leader against the most rivals come first, then those that "
            "help it most."
        ),
        sorted(rivals.items(), key=lambda item: -len(item[1])),
        columns,
    )
    brief = say(
        "{count:n} {thing} decides between the first entries.",
        "{count:n} {things} decide between the first entries.",
        count=len(rivals),
    )
    heading = say("{Things} to look at again")
    return page.finding("to_check", heading, brief, table=table, look=True)


def regraded(page: Page, regrade: Regrade) -> Finding:
    """Return what changed labels change, and for whom."""
    say = page.say
    brief = say(
        "The gold of {count:n} {thing} changes. After that: {verdict}",
        "The gold of {count:n} {things} changes. After that: {verdict}",
        count=regrade.changed,
        verdict=build(regrade.findings).verdict,
    )
    heading = say("After regrading")
    if not regrade.moves:
        unchanged = say("No entry's score, rank or tie changes.")
        return page.finding("regraded", heading, brief, [brief, unchanged])
    table = page.table(
        "regraded",
        say("Entries whose score, rank or tie changes"),
        regrade.moves,
        [
            page.words("entry", say("Entry"), lambda move: move.entry),
            page.counts("before", say("Rank before"), lambda move: move.rank[0]),
            page.counts("after", say("Rank after"), lambda move: move.rank[1]),
            page.numbers("score_before", say("Score before"), lambda move: move.score[0]),
            page.numbers("score_after", say("Score after"), lambda move: move.score[1]),
            page.answers("tied_before", say("Possible winner before"), lambda m: m.tied[0]),
            page.answers("tied_after", say("Possible winner after"), lambda m: m.tied[1]),
        ],
    )
    return page.finding("regraded", heading, brief, [brief], table, whole=True, look=True)
