"""The shake-up: how ranks and scores moved from the public to the private rows (Kaggle's term)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .. import drawing as draw
from ..tables import Cell, ResultTable, TableColumn, cell
from ..view import MetricView
from .section import Passage, Section

#: The picture has a line for this many entries, and for those whose score is clearly worse.
_LINES = 20


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield the shake-up where a public part was ranked too."""
    private, say = views[0], views[0].language.say
    if private.result.public is None or len(private.analysis.names) == 1:
        return
    public = views[private.result.public]
    moved = _moved(private, public)
    table, figure = shake_up_table(private, public, moved), _figure(private, public, moved)
    note = say("shake_up.shown", count=private.numerals.count(_LINES))
    content = Passage(
        caption=say("shake_up.caption", confidence=private.confidence),
        table=table,
        figures=figure,
        note=note if len(moved) > _LINES else "",
    )
    named = dict(zip(("shake_up",), figure, strict=False))  # there may be none
    heading = say("shake_up.heading")
    yield Section("shake_up", heading, content, tables=(table,), figures=named)


def _moved(private: MetricView, public: MetricView) -> list[tuple[int, int]]:
    """Return each entry's number in the private and in the public analysis, by private rank.

    Baselines and entries without a score in one of the parts have no ranks that could move.
    """
    before = {name: place for place, name in enumerate(public.analysis.names)}
    names = private.analysis.names
    order = [int(i) for i in private.analysis.order if i not in private.analysis.baselines]
    return [(i, before[names[i]]) for i in order if names[i] in before]


def _change(private: MetricView, public: MetricView, now: int, before: int) -> str:
    """Return how the score moved: worse or better if the intervals of both parts are apart."""
    new, old = private.analysis, public.analysis
    falls, rises = new.high[now] < old.low[before], new.low[now] > old.high[before]
    if not (falls or rises):
        return "similar"
    return "better" if bool(rises) == private.metric.greater_is_better else "worse"


def shake_up_table(
    private: MetricView, public: MetricView, moved: Sequence[tuple[int, int]]
) -> ResultTable:
    """Return public and private ranks and scores, ordered by private rank.

    A move is within the statistical ties if the public rank lies in the entry's private rank range.
    """
    say = private.language.say
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
            TableColumn(("public_score",), say("shake_up.public_score"), numeric=True),
            TableColumn(("private_score",), say("shake_up.private_score"), numeric=True),
            TableColumn(("score_change",), say("shake_up.change")),
        ),
        rows=tuple(_row(private, public, *pair) for pair in moved),
    )


def _row(private: MetricView, public: MetricView, i: int, j: int) -> tuple[Cell, ...]:
    say, count, analysis = private.language.say, private.numerals.count, private.analysis
    before, now = int(public.analysis.rank[j]), int(analysis.rank[i])
    low, high = int(analysis.rank_low[i]), int(analysis.rank_high[i])
    word = "unmoved" if before == now else ("within" if low <= before <= high else "beyond")
    scores = float(public.analysis.score[j]), float(analysis.score[i])
    change = _change(private, public, i, j)
    return (
        cell(analysis.names[i]),
        cell(count(before), before),
        cell(count(now), now),
        cell(private.numerals.fixed(before - now, 0, signed=True), before - now),
        cell(f"{count(low)}–{count(high)}", low, high),
        cell(say(f"shake_up.{word}"), word, strong=word == "beyond"),
        *(cell(private.score(score), score) for score in scores),
        cell(say(f"shake_up.{change}"), change, strong=change != "similar"),
    )


def _figure(
    private: MetricView, public: MetricView, moved: Sequence[tuple[int, int]]
) -> tuple[draw.Slopes, ...]:
    """Return the picture of the scores in both parts; nothing if no entry has an interval."""
    say, new, old = private.language.say, private.analysis, public.analysis
    shown = []
    for place, (i, j) in enumerate(moved):
        change = _change(private, public, i, j)
        ends = (old.low[j], old.high[j]), (new.low[i], new.high[i])
        known = all(float("-inf") < value < float("inf") for pair in ends for value in pair)
        if known and (place < _LINES or change == "worse"):
            scores = float(old.score[j]), float(new.score[i])
            intervals = (
                (float(ends[0][0]), float(ends[0][1])),
                (float(ends[1][0]), float(ends[1][1])),
            )
            texts = private.score(scores[0]), private.score(scores[1])
            shape = "ahead" if change == "worse" else "behind"
            shown.append(draw.Moved(new.names[i], scores, intervals, texts, shape))
    if not shown:
        return ()
    title = say("shake_up.figure", metric=private.label, confidence=private.confidence)
    said = "; ".join(f"{one.name} {one.texts[0]} → {one.texts[1]}" for one in shown)
    parts = say("shake_up.public_rows"), say("shake_up.private_rows")
    heading = draw.Heading("shake-up-scores", title, said, _keys(private, shown))
    return (draw.slopes(heading, parts, shown),)


def _keys(private: MetricView, shown: Sequence[draw.Moved]) -> tuple[draw.Key, ...]:
    say = private.language.say
    words = {"ahead": say("legend.worse"), "behind": say("legend.not_worse")}
    found = {one.shape for one in shown}
    lines = [draw.Key(f"line-{shape}", text) for shape, text in words.items() if shape in found]
    return (*lines, draw.Key("bar", say("legend.interval", confidence=private.confidence)))
