"""The section on how much better the entries look in public than in private."""

from __future__ import annotations

from collections.abc import Iterator

from ...report.language import Language
from ...report.numbers import decimals_for
from ...report.tables import ResultTable, TableColumn, cell
from ..competition_audit import Audit
from .finding import Finding, column, count_cell, interval_cell, listed, number_cell, section


def optimism(audit: Audit, language: Language) -> Iterator[Finding]:
    """Yield how much better the entries look in public."""
    if not audit.optimism:
        return
    say, found = language.say, audit.optimism
    analysis = audit.findings.analyses[0]
    decimals = decimals_for(analysis.standard_error.tolist())
    level = language.numerals.exact_percent(analysis.confidence)
    table = ResultTable(
        name="optimism",
        caption=say("audit.optimism.caption", level=level),
        columns=(
            TableColumn(("entry",), say("audit.optimism.entry")),
            column(language, "optimism.public", numeric=True),
            column(language, "optimism.private", numeric=True),
            column(language, "optimism.difference", numeric=True),
            TableColumn(("low", "high"), say("audit.optimism.interval"), numeric=True),
            column(language, "optimism.submissions", numeric=True),
            column(language, "optimism.expected", numeric=True),
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
    brief = language.count(
        "audit.optimism.brief",
        above,
        entries=language.numerals.count(len(found)),
        expected=language.numerals.fixed((1 - analysis.confidence) / 2 * len(found), 1),
    )
    heading = say("audit.optimism.heading")
    passage = listed(table, language, [brief])
    yield Finding(section("optimism", heading, passage, table), brief, look=bool(above))
