"""The shake-up: how ranks and scores moved from the public to the private rows (Kaggle's term)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ...core.phrases import gettext_noop
from ...document.blocks import Cell, Picture, ResultTable, Section, TableColumn, cell, passage
from ...document.figures.forest import slopes
from ...document.marks import Heading, Key, Plotted
from ...inference.descriptive import clear_changes
from ..view import MetricView
from .intervals import score_bar
from .ranking import on_ranges

#: The picture has a line for this many entries, and for those whose score is clearly worse.
_LINES = 20
#: What a move means.
_ASSESSMENT = {
    "unmoved": gettext_noop("no move"),
    "within": gettext_noop("within the ties"),
    "beyond": gettext_noop("beyond the ties"),
}
#: How a score has changed.
_CHANGE = {
    "worse": gettext_noop("clearly worse"),
    "better": gettext_noop("clearly better"),
    "similar": gettext_noop("no clear change"),
}


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield the shake-up where a public part was ranked too."""
    private, say = views[0], views[0].say
    if private.result.public is None or len(private.evidence.names) == 1:
        return
    public = views[private.result.public]
    moved = _moved(private, public)
    entries, before = np.array(moved, np.intp).reshape(-1, 2).T
    found = clear_changes(private.evidence, public.evidence, entries, before)
    words = {0: "similar", private.sign: "better", -private.sign: "worse"}
    changes = [words[change] for change in found.tolist()]
    note = say(
        "The picture shows the first {count} entries, all leaders and possible winners, and those "
        "whose score is clearly worse.",
        count=private.count(_LINES),
    )
    said = say(
        "A move is within the statistical ties if the public rank lies in the private rank range. "
        "A move beyond them only suggests a real change, because the public rank is uncertain too. "
        "A score is clearly worse, or better, if its change is too large for chance among the "
        "changes of all entries (Holm). If the scores of others did not fall alike, a clearly "
        "worse one suggests overfitting to the public rows."
    )
    of_runs = say(
        "Of several runs of a team, the best on the private rows is listed, and ranks count these."
    )
    blocks = passage(
        caption=" ".join((on_ranges(private), *([of_runs] if _of_runs(private) else ()), said)),
        table=_table(private, public, moved, changes),
        pictures=_figure(private, public, moved, changes),
        note=note if len(moved) > _LINES else "",
    )
    yield Section("shake_up", say("Shake-up: from the public to the private leaderboard"), blocks)


def _moved(private: MetricView, public: MetricView) -> list[tuple[int, int]]:
    """Return each entry's number in the private and in the public evidence, by private rank.

    Baselines and entries without a score in one of the parts have no ranks that could move. Places
    count teams: of several runs of a team, the one that stands for it on the private rows is shown.
    """
    before, names = public.evidence.number_of, private.evidence.names
    order = [i for i in private.order if i not in private.scores.baselines]
    if _of_runs(private):
        order = [i for i in order if private.standing.rank_low[i]]
    return [(i, before[names[i]]) for i in order if names[i] in before]


def _of_runs(private: MetricView) -> bool:
    """Return whether some team has several runs on the page."""
    return private.teams < private.competing


def _ranks(view: MetricView, entries: Sequence[int], private: MetricView) -> list[int]:
    """Return the ranks of entries; beside several runs of a team, among these entries alone."""
    ranks = [int(view.scores.rank[entry]) for entry in entries]
    if _of_runs(private):
        return [1 + sum(other < rank for other in ranks) for rank in ranks]
    return ranks


def _table(
    private: MetricView,
    public: MetricView,
    moved: Sequence[tuple[int, int]],
    changes: Sequence[str],
) -> ResultTable:
    """Return public and private ranks and scores, ordered by private rank.

    A move is within the statistical ties if the public rank lies in the entry's private rank range.
    """
    say, names = private.say, private.evidence.names
    change_of = dict(zip(moved, changes, strict=True))
    now = dict(zip(moved, _ranks(private, [i for i, _ in moved], private), strict=True))
    before = dict(zip(moved, _ranks(public, [j for _, j in moved], private), strict=True))

    def ends(pair: tuple[int, int]) -> tuple[int, int]:
        low, high = private.range_of(pair[0])
        return (now[pair], now[pair]) if math.isnan(low) else (int(low), int(high))

    def places(pair: tuple[int, int]) -> Cell:
        return cell("–".join(map(private.count, ends(pair))), *ends(pair))

    def assessment(pair: tuple[int, int]) -> Cell:
        low, high = ends(pair)
        within = "within" if low <= before[pair] <= high else "beyond"
        word = "unmoved" if before[pair] == now[pair] else within
        return cell(say(_ASSESSMENT[word]), word, strong=word == "beyond")

    def change(pair: tuple[int, int]) -> Cell:
        word = change_of[pair]
        return cell(say(_CHANGE[word]), word, strong=word != "similar")

    old, new = public.scores.score, private.scores.score
    columns = (
        private.words("entry", say("Entry"), lambda pair: names[pair[0]]),
        private.counts("public_rank", say("Public rank"), before.__getitem__),
        private.counts("private_rank", say("Private rank"), now.__getitem__),
        private.numbers("move", say("Move"), lambda at: before[at] - now[at], 0, signed=True),
        (TableColumn(("rank_low", "rank_high"), say("Private rank range"), numeric=True), places),
        (TableColumn(("verdict",), say("Assessment")), assessment),
        public.numbers("public_score", say("Public score"), lambda pair: float(old[pair[1]])),
        private.numbers("private_score", say("Private score"), lambda pair: float(new[pair[0]])),
        (TableColumn(("score_change",), say("Score")), change),
    )
    caption = say(
        "Public and private ranks by {metric}."
        if private.serious
        else "Public and private ranks by {metric}. Each end of a rank range holds with "
        "{confidence} confidence."
    )
    return private.table("shake_up", caption, moved, columns, style="cards compared listed")


def _figure(
    private: MetricView,
    public: MetricView,
    moved: Sequence[tuple[int, int]],
    changes: Sequence[str],
) -> tuple[Picture, ...]:
    """Return the picture of the scores in both parts; nothing if no entry has an interval."""
    say, new, old = private.say, private.evidence, public.evidence
    shown = []
    for place, ((i, j), change) in enumerate(zip(moved, changes, strict=True)):
        spans = old.span(j), new.span(i)
        known = np.isfinite([end for low, _, high in spans for end in (low, high)]).all()
        leads = i in private.foremost or j in public.scores.leaders
        if known and (place < _LINES or change == "worse" or leads):
            said = public.score(spans[0][1]), private.score(spans[1][1])
            shape = "ahead" if change == "worse" else "behind"
            shown.append(Plotted(new.names[i], spans, shape, said))
    if not shown:
        return ()
    title = say("{metric} on the public and on the private rows, with {confidence} intervals")
    moves = "; ".join(f"{one.name} {' → '.join(one.said)}" for one in shown)
    parts = say("public rows"), say("private rows")
    words = {"ahead": say("score clearly worse"), "behind": say("score not clearly worse")}
    present = {one.shape for one in shown}
    lines = [Key(f"line-{shape}", text) for shape, text in words.items() if shape in present]
    heading = Heading("shake-up-scores", title, moves, (*lines, score_bar(private)))
    return (Picture("shake_up", slopes(heading, parts, shown)),)
