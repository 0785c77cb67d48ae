"""The section on how much better the entries look in public than in private."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.phrases import Language
from ...document.blocks import ResultTable, TableColumn, cell
from ...report.numbers import decimals_of
from ..competition_audit import Audit
from .finding import Finding, count_cell, interval_cell, listed, number_cell, section


def optimism(audit: Audit, language: Language) -> Iterator[Finding]:
    """Yield how much better the entries look in public."""
    if not audit.optimism:
        return
    say, found = language.say, audit.optimism
    evidence = audit.findings.evidence[0]
    decimals = decimals_of(evidence)
    level = language.numerals.exact_percent(evidence.question.confidence)
    table = ResultTable(
        name="optimism",
        caption=say(
            "How much better each entry looks on the public {things}, with a {level} interval for "
            "each by itself. The last column is what the best of so many equally good submissions "
            "gains by chance.",
            level=level,
        ),
        columns=(
            TableColumn(("entry",), say("Entry")),
            TableColumn(("public",), language.say("Public score"), numeric=True),
            TableColumn(("private",), language.say("Private score"), numeric=True),
            TableColumn(("difference",), language.say("Optimism"), numeric=True),
            TableColumn(("low", "high"), say("Interval"), numeric=True),
            TableColumn(("submissions",), language.say("Submissions"), numeric=True),
            TableColumn(("expected",), language.say("By chance"), numeric=True),
        ),
        rows=tuple(
            (
                cell(item.entry),
                number_cell(language, item.public, decimals),
                number_cell(language, item.private, decimals),
                number_cell(language, item.difference, decimals, signed=True),
                interval_cell(language, item.low, item.high, decimals),
                cell("", None)
                if item.submissions is None
                else count_cell(language, item.submissions),
                cell("", None)
                if item.expected is None
                else number_cell(language, item.expected, decimals, signed=True),
            )
            for item in found
        ),
    )
    above = sum(item.low > 0 for item in found)
    brief = language.say(
        "{count:n} of {entries} entries looks better in public by more than its interval "
        "explains; by chance alone, {expected} would.",
        "{count:n} of {entries} entries look better in public by more than their intervals "
        "explain; by chance alone, {expected} would.",
        count=above,
        entries=language.numerals.count(len(found)),
        expected=language.numerals.fixed((1 - evidence.question.confidence) / 2 * len(found), 1),
    )
    heading = say("Public against private")
    blocks = listed(table, language, [brief])
    yield Finding(section("optimism", heading, blocks), brief, look=bool(above))
