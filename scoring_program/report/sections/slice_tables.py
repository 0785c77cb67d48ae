"""Every metric within each slice of the test set."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...core.phrases import MISSING, gettext_noop
from ...document.blocks import Cell, Picture, ResultTable, Section, TableColumn, cell, passage
from ...document.figures.forest import Panel, side_by_side
from ...document.marks import Drawing, Heading, Key
from ...document.scales import labeled_ticks
from ...inference.evidence import SliceEvidence
from ..view import FilledColumn, MetricView

#: A figure has up to this many panels; the largest slices are drawn, for the first entries.
_PANELS, MOST_SLICES, MOST_ENTRIES = 5, 10, 10
#: What the shapes of scores mean.
_SHAPES = {
    "leader": gettext_noop("overall leader"),
    "ahead": gettext_noop("leads in the slice instead"),
    "plain": gettext_noop("score of another entry"),
}


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
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
        yield Section(
            f"slices-{view.index + 1}",
            f"{say('Slices')} · {view.label}",
            (
                *passage(
                    caption=say(
                        "The same metric on the {things} that share a value of a column. The "
                        "intervals hold for all entries in all slices at once ({confidence}), so "
                        "they are wide."
                    ),
                    table=_summary_table(view),
                    pictures=_pictures(view),
                    note=" ".join([*_notes(view), drawn]),
                ),
                _full_table(view),
            ),
        )


def _notes(view: MetricView) -> Iterator[str]:
    """Say when another leader is named, and where there are no intervals or special ones."""
    yield view.say(
        "Another leader is named only where the test of all slices together leaves the overall "
        "leader no possible winner in the slice. Slices with few units, and those on which the "
        "metric is undefined in some resamples, show scores only."
    )
    if any(one.constant.any() for one in view.evidence.slices):
        yield view.say(
            "A score that is the same on every resample has a Wilson interval if it is a share of "
            "{things}, and otherwise none."
        )


def _summary_table(view: MetricView) -> ResultTable:
    """Return one row a slice: who has the best score there, and the overall leader's score."""
    say, leader = view.say, view.scores.leader
    name = say("{name} (overall leader)", name=view.names[leader])

    def best(one: SliceEvidence) -> int | None:
        """Return who has the best score in a slice, without baselines; None without scores."""
        competing = (i for i in view.order if i not in view.scores.baselines)
        scored = [i for i in competing if np.isfinite(one.score[i])]
        return max(scored, key=lambda i: view.sign * float(one.score[i]), default=None)

    def named(one: SliceEvidence) -> Cell:
        entry = best(one)
        return cell(MISSING, None) if entry is None else cell(view.evidence.names[entry])

    def scored(one: SliceEvidence) -> Cell:
        entry = best(one)
        return _score(view, one, leader if entry is None else entry)

    def verdict(one: SliceEvidence) -> Cell:
        if one.other_leader is not None:
            other = view.names[one.other_leader]
            return cell(say("{name} instead", name=other), strong=True)
        return cell(
            say("the overall leader may be best here too" if one.compared else "scores only")
        )

    columns = (
        _slice_column(view, lambda one: one),
        view.counts("examples", say("{Things}"), lambda one: one.n),
        (TableColumn(("best",), say("Best score")), named),
        (TableColumn(("score", "low", "high"), say("Score [interval]"), numeric=True), scored),
        (
            TableColumn(("leader_score", "leader_low", "leader_high"), name, numeric=True),
            lambda one: _score(view, one, leader),
        ),
        (TableColumn(("verdict",), say("Leader here")), verdict),
    )
    return view.table("slices", _caption(view), view.evidence.slices, columns)


def _caption(view: MetricView) -> str:
    return view.say(
        "{metric} within each slice, with intervals that hold for all entries in all slices at "
        "once ({confidence})."
    )


def _score(view: MetricView, one: SliceEvidence, entry: int) -> Cell:
    """Return the score of an entry in a slice, with its interval where it has one."""
    values = [float(array[entry]) for array in (one.score, one.low, one.high)]
    text = view.score(values[0])
    if math.isfinite(values[1]):
        text += f" {view.interval(*values[1:])}"
    return cell(text, *(value if math.isfinite(value) else None for value in values))


def _slice_column(view: MetricView, get: Callable[[Any], SliceEvidence]) -> FilledColumn:
    """Return the column of the slices' names."""

    def named(item: Any) -> Cell:
        one = get(item)
        return cell(f"{one.column}: {one.value}", one.column, one.value)

    return TableColumn(("column", "value"), view.say("Slice")), named


def _full_table(view: MetricView) -> ResultTable:
    """Return the scores of all entries in all slices, for the files to take away."""
    say, rows = view.say, [(one, i) for one in view.evidence.slices for i in view.order]
    columns = (
        _slice_column(view, lambda row: row[0]),
        view.counts("examples", say("{Things}"), lambda row: row[0].n),
        view.words("entry", say("Entry"), lambda row: view.evidence.names[row[1]]),
        (
            TableColumn(("score", "low", "high"), say("Score [interval]"), numeric=True),
            lambda row: _score(view, *row),
        ),
    )
    return view.table("slices_of_entries", _caption(view), rows, columns, shown=False)


def _pictures(view: MetricView) -> tuple[Picture, ...]:
    """Return the scores of the first entries in the largest slices, on one scale.

    They hold all possible winners, and who is shown to be better in one of these slices.
    """
    evidence = view.evidence
    largest = sorted(evidence.slices, key=lambda one: -one.n)[:MOST_SLICES]
    slices = [one for one in evidence.slices if one in largest]
    entries = view.drawn(MOST_ENTRIES, (one.other_leader for one in slices))
    panels = [_panel(view, one, entries) for one in slices]
    spans = [span[0] for _, of_entries, _ in panels for span in of_entries if span is not None]
    known = [value for span in spans for value in span if math.isfinite(value)] or [0.0, 1.0]
    room = 0.02 * (max(known) - min(known)) or 0.5
    limits = min(known) - room, max(known) + room
    parts = (panels[start : start + _PANELS] for start in range(0, len(panels), _PANELS))
    return tuple(
        Picture(f"slices{view.suffix}_{number}", _figure(view, part, entries, limits, number))
        for number, part in enumerate(parts, start=1)
    )


def _panel(view: MetricView, one: SliceEvidence, entries: Sequence[int]) -> Panel:
    leader = float(one.score[view.scores.leader])
    shapes = {view.scores.leader: "leader", one.other_leader: "ahead"}
    spans = [
        ((float(one.low[i]), float(one.score[i]), float(one.high[i])), shapes.get(i, "plain"))
        for i in entries
    ]
    return f"{one.column}: {one.value}", spans, leader if math.isfinite(leader) else None


def _figure(
    view: MetricView,
    panels: Sequence[Panel],
    entries: Sequence[int],
    limits: tuple[float, float],
    number: int,
) -> Drawing:
    say, title = view.say, view.say("{metric} within each slice")
    shapes = {span[1] for _, spans, _ in panels for span in spans if span is not None}
    said = view.language.joined([heading for heading, _, _ in panels])
    keys = (
        *(Key(shape, say(words)) for shape, words in _SHAPES.items() if shape in shapes),
        Key("bar", say("{confidence} intervals, for all entries and slices at once")),
        Key("rule", say("score of the overall leader in the slice")),
    )
    return side_by_side(
        Heading(f"slices-{view.index + 1}-{number}", title, f"{title}: {said}", keys),
        [view.evidence.names[i] for i in entries],
        panels,
        limits,
        labeled_ticks(*limits, view.numerals.fixed, 3),
        say("{metric}, {direction}"),
    )
