"""The section on what changed labels change."""

from __future__ import annotations

from ...core.phrases import Language
from ...document.blocks import ResultTable, TableColumn, cell, passage
from ...report import build
from ...report.numbers import decimals_of
from ..regraded import Regrade
from .finding import Finding, count_cell, number_cell, section


def regraded(regrade: Regrade, language: Language) -> Finding:
    """Return what changed labels change, and for whom."""
    say = language.say
    verdict = build(regrade.findings).verdict
    brief = language.say(
        "The gold of {count:n} {thing} changes. After that: {verdict}",
        "The gold of {count:n} {things} changes. After that: {verdict}",
        count=regrade.changed,
        verdict=verdict,
    )
    heading = say("After regrading")
    if not regrade.moves:
        blocks = passage((brief, say("No entry's score, rank or tie changes.")))
        return Finding(section("regraded", heading, blocks), brief)
    decimals = decimals_of(regrade.findings.evidence[0])
    table = ResultTable(
        name="regraded",
        caption=say("Entries whose score, rank or tie changes"),
        columns=(
            TableColumn(("entry",), say("Entry")),
            TableColumn(("before",), language.say("Rank before"), numeric=True),
            TableColumn(("after",), language.say("Rank after"), numeric=True),
            TableColumn(("score_before",), language.say("Score before"), numeric=True),
            TableColumn(("score_after",), language.say("Score after"), numeric=True),
            TableColumn(("tied_before",), language.say("Tied with the leader before")),
            TableColumn(("tied_after",), language.say("Tied with the leader after")),
        ),
        rows=tuple(
            (
                cell(move.entry),
                *(count_cell(language, rank) for rank in move.rank),
                *(number_cell(language, score, decimals) for score in move.score),
                *(cell(say("yes" if tied else "no"), int(tied)) for tied in move.tied),
            )
            for move in regrade.moves
        ),
    )
    blocks = passage((brief,), caption=table.caption, table=table)
    return Finding(section("regraded", heading, blocks), brief, look=True)
