"""The section on what changed labels change."""

from __future__ import annotations

from ...report import build
from ...report.language import Language
from ...report.numbers import decimals_for
from ...report.sections.section import Passage
from ...report.tables import ResultTable, TableColumn, cell
from ..regraded import Regrade
from .finding import Finding, column, count_cell, number_cell, section


def regraded(regrade: Regrade, language: Language) -> Finding:
    """Return what changed labels change, and for whom."""
    say = language.say
    verdict = build(regrade.findings).verdict
    brief = language.count("audit.regraded.brief", regrade.changed, verdict=verdict)
    heading = say("audit.regraded.heading")
    if not regrade.moves:
        passage = Passage((brief, say("audit.regraded.nothing")))
        return Finding(section("regraded", heading, passage, None), brief)
    decimals = decimals_for(regrade.findings.analyses[0].standard_error.tolist())
    table = ResultTable(
        name="regraded",
        caption=say("audit.regraded.caption"),
        columns=(
            TableColumn(("entry",), say("audit.regraded.entry")),
            column(language, "regraded.before", numeric=True),
            column(language, "regraded.after", numeric=True),
            column(language, "regraded.score_before", numeric=True),
            column(language, "regraded.score_after", numeric=True),
            column(language, "regraded.tied_before"),
            column(language, "regraded.tied_after"),
        ),
        rows=tuple(
            (
                cell(move.entry),
                *(count_cell(language, rank) for rank in move.rank),
                *(number_cell(language, score, decimals) for score in move.score),
                *(cell(say(f"audit.{'yes' if tied else 'no'}"), int(tied)) for tied in move.tied),
            )
            for move in regrade.moves
        ),
    )
    passage = Passage((brief,), caption=table.caption, table=table)
    return Finding(section("regraded", heading, passage, table), brief, look=True)
