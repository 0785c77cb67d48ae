"""Parts of the test set: every metric within each slice, and public against private rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...core.phrases import MISSING, gettext_noop
from ...document.blocks import Picture, Section, passage
from ...document.figures.forest import Panel, side_by_side, slopes
from ...document.marks import Drawing, Key, Plotted
from ...document.scales import labeled_ticks
from ...document.take_away import Cell, ResultTable, TableColumn, cell
from ...inference.descriptive import clear_changes
from ...inference.evidence import SliceEvidence
from ..view import FilledColumn, MetricView, Views
from .intervals import score_bar
from .ranking import on_ranges

#: A figure has up to this many panels; the largest slices are drawn, for the first entries.
_PANELS = 5
MOST_SLICES = 10
MOST_ENTRIES = 10
#: What the shapes of scores mean.
_SHAPES = {
    "leader": gettext_noop("overall leader"),
    "ahead": gettext_noop("leads in the slice instead"),
    "plain": gettext_noop("score of another entry"),
}


def of_slices(views: Views) -> Iterator[Section]:
    """Yield a section for each metric, if the settings name columns of slices."""
    for view in views:
        if not view.evidence.slices:
            continue
        say = view.say
        drawn = say(
            "The picture shows up to {entries} entries and the {slices} largest slices; the "
            "folder tables holds all.",
            entries=view.count(MOST_ENTRIES),
            slices=view.count(MOST_SLICES),
        )
        caption = say(
            "The same metric on the {things} that share a value of a column. The intervals "
            "hold for all entries in all slices at once ({confidence}), so they are wide."
        )
        table = _summary_table(view)
        note = " ".join([*_notes(view), drawn])
        blocks = (
            *passage(caption=caption, table=table, pictures=_pictures(view), note=note),
            _full_table(view),
        )
        yield Section(f"slices-{view.index + 1}", f"{say('Slices')} · {view.label}", blocks)


def _notes(view: MetricView) -> Iterator[str]:
    """Say when another leader is named, and where there are no intervals or special ones."""
    yield view.say(
        "Another leader is named only where, by the test of all slices together, the overall "
        "leader is not a possible winner in the slice. Slices with few units, and those on which "
        "the metric is undefined in some resamples, show scores only."
    )
    if any(part.constant.any() for part in view.evidence.slices):
        yield view.say(
            "A score that is the same on every resample has a Wilson interval if it is a share of "
            "{things}, and otherwise none."
        )


def _summary_table(view: MetricView) -> ResultTable:
    """Return one row a slice: who has the best score there, and the overall leader's score."""
    say = view.say
    leader = view.scores.leader
    name = say("{name} (overall leader)", name=view.names[leader])

    def best(part: SliceEvidence) -> int | None:
        """Return who has the best score in a slice, without baselines; None without scores."""
        competing = (i for i in view.order if i not in view.scores.baselines)
        scored = [i for i in competing if np.isfinite(part.score[i])]
        return max(scored, key=lambda i: view.sign * float(part.score[i]), default=None)

    def named(part: SliceEvidence) -> Cell:
        entry = best(part)
        return cell(MISSING, None) if entry is None else cell(view.evidence.names[entry])

    def scored(part: SliceEvidence) -> Cell:
        entry = best(part)
        return _score(view, part, leader if entry is None else entry)

    def verdict(part: SliceEvidence) -> Cell:
        if part.other_leader is not None:
            return cell(say("{name} instead", name=view.names[part.other_leader]), strong=True)
        return cell(
            say("the overall leader may be best here too" if part.compared else "scores only")
        )

    columns = (
        _slice_column(view, lambda part: part),
        view.counts("examples", say("{Things}"), lambda part: part.n),
        (TableColumn(("best",), say("Best score")), named),
        (TableColumn(("score", "low", "high"), say("Score [interval]"), numeric=True), scored),
        (
            TableColumn(("leader_score", "leader_low", "leader_high"), name, numeric=True),
            lambda part: _score(view, part, leader),
        ),
        (TableColumn(("verdict",), say("Leader here")), verdict),
    )
    return view.table("slices", _caption(view), view.evidence.slices, columns)


def _caption(view: MetricView) -> str:
    return view.say(
        "{metric} within each slice, with intervals that hold for all entries in all slices at "
        "once ({confidence})."
    )


def _score(view: MetricView, part: SliceEvidence, entry: int) -> Cell:
    """Return the score of an entry in a slice, with its interval where it has one."""
    values = [float(array[entry]) for array in (part.score, part.low, part.high)]
    text = view.score(values[0])
    if math.isfinite(values[1]):
        text += f" {view.interval(*values[1:])}"
    return cell(text, *(value if math.isfinite(value) else None for value in values))


def _slice_column(view: MetricView, get: Callable[[Any], SliceEvidence]) -> FilledColumn:
    """Return the column of the slices' names."""

    def named(item: Any) -> Cell:
        part = get(item)
        return cell(f"{part.column}: {part.value}", part.column, part.value)

    return TableColumn(("column", "value"), view.say("Slice")), named


def _full_table(view: MetricView) -> ResultTable:
    """Return the scores of all entries in all slices, for the files to take away."""
    say = view.say
    rows = [(part, i) for part in view.evidence.slices for i in view.order]
    columns = (
        _slice_column(view, lambda row: row[0]),
        view.counts("examples", say("{Things}"), lambda row: row[0].n),
        view.words("entry", say("Entry"), lambda row: view.evidence.names[row[1]]),
        (
            TableColumn(("score", "low", "high"), say("Score [interval]"), numeric=True),
            lambda row: _score(view, *row),
        ),
    )
    return view.table("slices_of_entries", _caption(view), rows, columns, on_page=False)


def _pictures(view: MetricView) -> tuple[Picture, ...]:
    """Return the scores of the first entries in the largest slices, on one scale.

    They hold all possible winners, and who is shown to be better in one of these slices.
    """
    say = view.say
    evidence = view.evidence
    title = view.say("{metric} within each slice")
    largest = sorted(evidence.slices, key=lambda part_slice: -part_slice.n)[:MOST_SLICES]
    slices = [part_slice for part_slice in evidence.slices if part_slice in largest]
    entries = view.drawn(MOST_ENTRIES, (part_slice.other_leader for part_slice in slices))
    panels = [_panel(view, part_slice, entries) for part_slice in slices]
    spans = [span[0] for _, of_entries, _ in panels for span in of_entries if span is not None]
    values = [end for span in spans for end in span if math.isfinite(end)] or [0.0, 1.0]
    room = 0.02 * (max(values) - min(values)) or 0.5
    limits = min(values) - room, max(values) + room

    def figure(part: Sequence[Panel], number: int) -> Drawing:
        shapes = {span[1] for _, spans, _ in part for span in spans if span is not None}
        headings = view.language.joined([heading for heading, _, _ in part])
        keys = (
            *(Key(shape, say(words)) for shape, words in _SHAPES.items() if shape in shapes),
            Key("bar", say("{confidence} intervals, for all entries and slices at once")),
            Key("rule", say("score of the overall leader in the slice")),
        )
        return side_by_side(
            Drawing(f"slices-{view.index + 1}-{number}", title, f"{title}: {headings}", keys),
            [evidence.names[i] for i in entries],
            part,
            limits,
            labeled_ticks(*limits, view.numerals.fixed, 3),
            say("{metric}, {direction}"),
        )

    parts = (panels[start : start + _PANELS] for start in range(0, len(panels), _PANELS))
    return tuple(
        Picture(f"slices{view.suffix}_{number}", figure(part, number))
        for number, part in enumerate(parts, start=1)
    )


def _panel(view: MetricView, part: SliceEvidence, entries: Sequence[int]) -> Panel:
    leader = float(part.score[view.scores.leader])
    shapes = {view.scores.leader: "leader", part.other_leader: "ahead"}
    spans = [
        ((float(part.low[i]), float(part.score[i]), float(part.high[i])), shapes.get(i, "plain"))
        for i in entries
    ]
    return f"{part.column}: {part.value}", spans, leader if math.isfinite(leader) else None


# Shake-up -----------------------------------------------------------------------------------------


#: The picture has a line for this many entries, and for those whose score is clearly worse.
_LINES = 20
#: An entry's number in the private and in the public evidence, and how its score has changed.
Move = tuple[int, int, str]
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


def shake_up(views: Views) -> Iterator[Section]:
    """Yield how ranks and scores moved from the public to the private rows (Kaggle's term)."""
    private = views[0]
    say = views[0].say
    if private.result.public is None or len(private.evidence.names) == 1:
        return
    public = views[private.result.public]
    moved = list(_moved(private, public))
    note = say(
        "The pictures show the first {count} entries, all leaders and possible winners, and those "
        "whose score is clearly worse.",
        count=private.count(_LINES),
    )
    how_to_read = say(
        "A move is within the statistical ties if the public rank is among the private places. "
        "A move beyond them only suggests a real change, because the public rank is uncertain too. "
        "A score is clearly worse, or better, if its change is too large for chance among the "
        "changes of all entries (Holm). If the scores of others did not fall alike, a clearly "
        "worse one suggests overfitting to the public rows."
    )
    of_runs = say(
        "Of several runs of a team, the best on the private rows is listed, and ranks count these."
    )
    blocks = passage(
        caption=" ".join(
            (on_ranges(private), *([of_runs] if _of_runs(private) else ()), how_to_read)
        ),
        table=_moves(private, public, moved),
        pictures=(*_places(private, public, moved), *_scores(private, public, moved)),
        note=note if len(moved) > _LINES else "",
    )
    yield Section("shake_up", say("Shake-up: from the public to the private leaderboard"), blocks)


def _of_runs(private: MetricView) -> bool:
    """Return whether some team has several runs on the page."""
    return private.teams < private.competing


def _moved(private: MetricView, public: MetricView) -> Iterator[Move]:
    """Yield every entry, by private rank.

    Baselines and entries without a score in one of the parts have no ranks that could move. Places
    count teams: of several runs of a team, the one that stands for it on the private rows is shown.
    """
    before = public.evidence.number_of
    names = private.evidence.names
    order = [i for i in private.order if i not in private.scores.baselines]
    if _of_runs(private):
        order = [i for i in order if private.standing.rank_low[i]]
    pairs = [(i, before[names[i]]) for i in order if names[i] in before]
    numbers = np.array(pairs, np.intp).reshape(-1, 2).T
    changes = clear_changes(private.evidence, public.evidence, *numbers).tolist()
    words = {0: "similar", private.sign: "better", -private.sign: "worse"}
    return ((i, j, words[change]) for (i, j), change in zip(pairs, changes, strict=True))


def _ranks(
    private: MetricView, public: MetricView, moved: Sequence[Move]
) -> tuple[Mapping[Move, int], Mapping[Move, int]]:
    """Return the public and the private ranks; beside several runs of a team, among these alone."""

    def ranks(view: MetricView, entries: Sequence[int]) -> Mapping[Move, int]:
        ranks_of_entries = view.scores.rank[list(entries)]
        if _of_runs(private):
            ahead = ranks_of_entries < ranks_of_entries[:, None]
            ranks_of_entries = 1 + ahead.sum(axis=1)
        return dict(zip(moved, map(int, ranks_of_entries), strict=True))

    return ranks(public, [j for _, j, _ in moved]), ranks(private, [i for i, *_ in moved])


def _is_drawn(private: MetricView, public: MetricView, place: int, move: Move) -> bool:
    """Whether the pictures have a line for an entry, which is the ``place``-th of the private."""
    i, j, change = move
    leads = i in private.foremost or j in public.scores.leaders
    return place < _LINES or change == "worse" or leads


def _places(private: MetricView, public: MetricView, moved: Sequence[Move]) -> tuple[Picture, ...]:
    """Return the picture of the ranks in both parts, the first one on top."""
    say = private.say
    names = private.evidence.names
    before, now = _ranks(private, public, moved)
    plotted = []
    for place, move in enumerate(moved):
        if _is_drawn(private, public, place, move):
            # The axis goes up, and the first rank is on top.
            spans = tuple((-rank, -rank, -rank) for rank in (before[move], now[move]))
            texts = private.count(before[move]), private.count(now[move])
            shape = "ahead" if move[2] == "worse" else "behind"
            plotted.append(Plotted(names[move[0]], spans, shape, texts))
    if not plotted:
        return ()
    title = say("Ranks by {metric} on the public and on the private rows")
    moves = "; ".join(f"{entry.name} {' → '.join(entry.texts)}" for entry in plotted)
    heading = Drawing("shake-up-places", title, moves, _lines(private, plotted))
    return (_slopes(private, "shake_up_places", heading, plotted),)


def _lines(view: MetricView, plotted: Sequence[Plotted]) -> tuple[Key, ...]:
    """Return what the lines of the pictures mean."""
    words = {
        "ahead": view.say("score clearly worse"),
        "behind": view.say("score not clearly worse"),
    }
    present = {entry.shape for entry in plotted}
    return tuple(Key(f"line-{shape}", text) for shape, text in words.items() if shape in present)


def _styled(column: FilledColumn, style: str) -> FilledColumn:
    """Return a column with what the style sheet calls it."""
    heading, get = column
    return replace(heading, style=style), get


def _moves(private: MetricView, public: MetricView, moved: Sequence[Move]) -> ResultTable:
    """Return public and private ranks and scores, ordered by private rank.

    A move is within the statistical ties if the public rank lies in the entry's private rank range.
    """
    say = private.say
    names = private.evidence.names

    before, now = _ranks(private, public, moved)

    def ends(move: Move) -> tuple[int, int]:
        low, high = private.range_of(move[0])
        return (now[move], now[move]) if math.isnan(low) else (int(low), int(high))

    def places(move: Move) -> Cell:
        return cell("–".join(map(private.count, ends(move))), *ends(move))

    def moves(move: Move) -> Cell:
        places = before[move] - now[move]
        direction = ""
        if places:
            direction = "up" if places > 0 else "down"
        return cell(private.numerals.fixed(places, 0, signed=True), places, style=direction)

    def assessment(move: Move) -> Cell:
        low, high = ends(move)
        within = "within" if low <= before[move] <= high else "beyond"
        word = "unmoved" if before[move] == now[move] else within
        return cell(say(_ASSESSMENT[word]), word, strong=word == "beyond")

    def change(move: Move) -> Cell:
        return cell(say(_CHANGE[move[2]]), move[2], strong=move[2] != "similar")

    old = public.scores.score
    new = private.scores.score
    columns = (
        private.words("entry", say("Entry"), lambda move: names[move[0]]),
        private.counts("public_rank", say("Public rank"), before.__getitem__),
        private.counts("private_rank", say("Private rank"), now.__getitem__),
        (TableColumn(("move",), say("Move"), numeric=True, style="move"), moves),
        (TableColumn(("rank_low", "rank_high"), say("Private places"), numeric=True), places),
        (TableColumn(("verdict",), say("Assessment")), assessment),
        public.numbers("public_score", say("Public score"), lambda move: float(old[move[1]])),
        _styled(
            private.numbers(
                "private_score", say("Private score"), lambda move: float(new[move[0]])
            ),
            "now",
        ),
        (TableColumn(("score_change",), say("Change"), style="change"), change),
    )
    caption = say(
        "Public and private ranks by {metric}."
        if private.serious
        else "Public and private ranks by {metric}. Each end of the places holds with "
        "{confidence} confidence for an entry that was chosen beforehand; for whoever came first, "
        "with less."
    )
    return private.table("shake_up", caption, moved, columns, style="cards shaken")


def _scores(private: MetricView, public: MetricView, moved: Sequence[Move]) -> tuple[Picture, ...]:
    """Return the picture of the scores in both parts; nothing if no entry has an interval."""
    say = private.say
    new = private.evidence
    old = public.evidence
    plotted = []
    for place, (i, j, change) in enumerate(moved):
        spans = old.span(j), new.span(i)
        has_intervals = np.isfinite([end for low, _, high in spans for end in (low, high)]).all()
        if has_intervals and _is_drawn(private, public, place, (i, j, change)):
            texts = public.score(spans[0][1]), private.score(spans[1][1])
            shape = "ahead" if change == "worse" else "behind"
            plotted.append(Plotted(new.names[i], spans, shape, texts))
    if not plotted:
        return ()
    title = say("{metric} on the public and on the private rows, with {confidence} intervals")
    moves = "; ".join(f"{entry.name} {' → '.join(entry.texts)}" for entry in plotted)
    legend = (*_lines(private, plotted), score_bar(private))
    heading = Drawing("shake-up-scores", title, moves, legend)
    return (_slopes(private, "shake_up", heading, plotted),)


def _slopes(
    private: MetricView, name: str, heading: Drawing, plotted: Sequence[Plotted]
) -> Picture:
    """Return the picture of both parts, which a phone shows without scrolling."""
    parts = private.say("public rows"), private.say("private rows")
    on_phone = replace(heading, id=f"{heading.id}-narrow")
    narrow = slopes(on_phone, parts, plotted, narrow=True)
    return Picture(name, slopes(heading, parts, plotted), narrow=narrow)
