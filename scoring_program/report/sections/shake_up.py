"""The shake-up: how ranks moved from the public rows to the private rows (Kaggle's term)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..tables import ResultTable, TableColumn, cell
from ..view import MetricView
from .section import Passage, Section


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield the shake-up where a public part was ranked too."""
    private, say = views[0], views[0].language.say
    table = shake_up_table(views) if len(private.analysis.names) > 1 else None
    if table is not None:
        content = Passage(
            caption=say("shake_up.caption", confidence=private.confidence), table=table
        )
        yield Section("shake_up", say("shake_up.heading"), content, tables=(table,))


def shake_up_table(views: Sequence[MetricView]) -> ResultTable | None:
    """Return public and private ranks, ordered by private rank; None without a public part.

    A move is within the statistical ties if the public rank lies in the entry's private rank range.
    Baselines and entries without a score in one of the parts have no ranks that could move.
    """
    private = views[0]
    if private.result.public is None:
        return None
    public = views[private.result.public]
    say, count = private.language.say, private.numerals.count
    public_rank = dict(zip(public.analysis.names, public.analysis.rank.tolist(), strict=True))
    rows = []
    for i in (int(j) for j in private.analysis.order if j not in private.analysis.baselines):
        if private.analysis.names[i] not in public_rank:
            continue
        before, now = public_rank[private.analysis.names[i]], int(private.analysis.rank[i])
        low, high = int(private.analysis.rank_low[i]), int(private.analysis.rank_high[i])
        within = low <= before <= high
        word = "unmoved" if before == now else ("within" if within else "beyond")
        rows.append(
            (
                cell(private.analysis.names[i]),
                cell(count(before), before),
                cell(count(now), now),
                cell(private.numerals.fixed(before - now, 0, signed=True), before - now),
                cell(f"{count(low)}–{count(high)}", low, high),
                cell(say(f"shake_up.{word}"), word, strong=word == "beyond"),
            )
        )
    return ResultTable(
        name="shake_up",
        caption=say("tables.shake_up", metric=private.label, confidence=private.confidence),
        columns=(
            TableColumn(("entry",), say("shake_up.entry")),
            TableColumn(("public_rank",), say("shake_up.public"), numeric=True),
            TableColumn(("private_rank",), say("shake_up.private"), numeric=True),
            TableColumn(("move",), say("shake_up.move"), numeric=True),
            TableColumn(("rank_low", "rank_high"), say("shake_up.rank_set"), numeric=True),
            TableColumn(("verdict",), say("shake_up.verdict")),
        ),
        rows=tuple(rows),
    )
