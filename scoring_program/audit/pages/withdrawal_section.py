"""The section on examples that would have to be withdrawn for a rival to draw level."""

from __future__ import annotations

from collections.abc import Iterator

from ...report.language import Language
from ...report.tables import TableColumn, cell
from ..competition_audit import Audit
from .finding import Finding, PageOfPart, column, listed, pages_of_parts


def withdrawn(audit: Audit, language: Language) -> Iterator[Finding]:
    """Yield how many examples hold the order, and which to look at again."""
    for page in pages_of_parts(audit, language):
        if page.part.withdrawals:
            yield _rivals(page)
            yield from _examples(page)


def _rivals(page: PageOfPart) -> Finding:
    part, language = page.part, page.language
    names = part.analysis.names
    leader = names[part.rivals.leader]
    table = page.table(
        "withdrawal",
        page.say(f"withdrawal.{'caption' if part.has_gold else 'caption_scores'}", leader=leader),
        (
            TableColumn(("entry",), page.say("certificate.rival")),
            column(language, "withdrawal.examples", numeric=True),
            column(language, "withdrawal.kind"),
        ),
        [
            (cell(names[item.rival]), *page.fewest(item.fewest, exact=item.exact))
            for item in part.withdrawals
        ],
    )
    brief = page.say("withdrawal.brief_none", leader=leader)
    found = [item for item in part.withdrawals if item.fewest is not None]
    if found:
        least = min(found, key=lambda item: item.fewest or 0)
        brief = language.count(
            f"audit.withdrawal.{'brief' if least.exact else 'brief_at_most'}",
            least.fewest or 0,
            examples=language.count(f"kinds.{part.kind}", len(part.ids)),
            leader=leader,
        )
    return page.finding("withdrawal", listed(table, language), table, brief)


def _examples(page: PageOfPart) -> Iterator[Finding]:
    """Yield the examples that hold the lead over the tied entries, or else over the next one."""
    part, language = page.part, page.language
    tied = [item for item in part.withdrawals if part.analysis.tied_with_leader[item.rival]]
    rivals: dict[int, list[str]] = {}
    for item in tied or part.withdrawals[:1]:
        for example in item.examples or ():
            rivals.setdefault(example, []).append(part.analysis.names[item.rival])
    if not rivals:
        return
    answers = part.answers.answers if part.answers is not None else None
    columns = [column(language, "to_check.id")]
    if answers is not None:
        columns.append(column(language, "to_check.gold"))
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
        page.say("to_check.caption"),
        [*columns, column(language, "to_check.names")],
        rows,
    )
    brief = language.count("audit.to_check.brief", len(rows))
    yield page.finding("to_check", listed(table, language), table, brief, look=True)
