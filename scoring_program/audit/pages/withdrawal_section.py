"""The section on examples that would have to be withdrawn for a rival to draw level."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.phrases import Language, ngettext_noop
from ...document.blocks import TableColumn, cell
from ..competition_audit import Audit
from .finding import Finding, PageOfPart, listed, pages_of_parts

#: How few examples hold the order.
_BRIEF = {
    "brief": ngettext_noop(
        "{leader} stays ahead of all rivals only as long as none of the {examples} is withdrawn.",
        "{leader} stays ahead of all rivals as long as fewer than {count:n} of the {examples} are "
        "withdrawn.",
    ),
    "brief_at_most": ngettext_noop(
        "Without {count:n} of the {examples}, {leader} no longer leads alone.",
        "Without {count:n} of the {examples}, perhaps fewer, {leader} no longer leads alone.",
    ),
}


def withdrawn(audit: Audit, language: Language) -> Iterator[Finding]:
    """Yield how many examples hold the order, and which to look at again."""
    for page in pages_of_parts(audit, language):
        if page.part.withdrawals:
            yield _rivals(page)
            yield from _examples(page)


def _rivals(page: PageOfPart) -> Finding:
    part, language = page.part, page.language
    names = part.evidence.names
    leader = names[part.rivals.leader]
    table = page.table(
        "withdrawal",
        page.say(
            "The fewest {things} that, withdrawn because their gold is wrong, draw each rival "
            "level with {leader}."
            if part.has_gold
            else (
                "The fewest units that, withdrawn because their scores are wrong, draw each rival "
                "level with {leader}."
            ),
            leader=leader,
        ),
        (
            TableColumn(("entry",), page.say("Rival")),
            TableColumn(("examples",), language.say("{Things} to withdraw"), numeric=True),
            TableColumn(("kind",), language.say("Number")),
        ),
        [
            (cell(names[item.rival]), *page.fewest(item.fewest, exact=item.exact))
            for item in part.withdrawals
        ],
    )
    brief = page.say(
        "No small set of {things} decides whether {leader} stays ahead.", leader=leader
    )
    found = [item for item in part.withdrawals if item.fewest is not None]
    if found:
        least = min(found, key=lambda item: item.fewest or 0)
        brief = language.say(
            *_BRIEF["brief" if least.exact else "brief_at_most"],
            count=least.fewest or 0,
            examples=language.examples(part.kind, len(part.ids)),
            leader=leader,
        )
    return page.finding("withdrawal", listed(table, language), brief)


def _examples(page: PageOfPart) -> Iterator[Finding]:
    """Yield the examples that hold the lead over the tied entries, or else over the next one."""
    part, language = page.part, page.language
    tied = [
        item for item in part.withdrawals if part.evidence.standing.tied_with_leader[item.rival]
    ]
    rivals: dict[int, list[str]] = {}
    for item in tied or part.withdrawals[:1]:
        for example in item.examples or ():
            rivals.setdefault(example, []).append(part.evidence.names[item.rival])
    if not rivals:
        return
    answers = part.answers.answers if part.answers is not None else None
    columns = [TableColumn(("id",), language.say("{Thing}"))]
    if answers is not None:
        columns.append(TableColumn(("gold",), language.say("Gold")))
    rows = [
        (
            cell(part.ids[example]),
            *([] if answers is None else [cell(answers.correct[example])]),
            cell(language.joined(helped)),
        )
        for example, helped in sorted(rivals.items(), key=lambda item: -len(item[1]))
    ]
    table = page.table(
        "examples_to_check",
        page.say(
            "Without these {things}, an entry tied with the leader, or else the next one, draws "
            "level. Those that help the leader against the most rivals come first, then those that "
            "help it most."
        ),
        [*columns, TableColumn(("names",), language.say("Helps the leader against"))],
        rows,
    )
    brief = language.say(
        "{count:n} {thing} decides between the first entries.",
        "{count:n} {things} decide between the first entries.",
        count=len(rows),
    )
    yield page.finding("to_check", listed(table, language), brief, look=True)
