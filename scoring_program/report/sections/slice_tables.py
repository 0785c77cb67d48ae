"""Every metric within each slice of the test set."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ...core.phrases import MISSING
from ...document.blocks import Cell, Picture, ResultTable, Section, TableColumn, cell, passage
from ...document.figures.side_by_side import Panel, side_by_side
from ...document.marks import Drawing, Heading
from ...document.scales import labeled_ticks
from ...inference.evidence import SliceEvidence
from ..view import MetricView
from .legends import slice_keys

#: A figure has up to this many panels; the largest slices are drawn, for the first entries.
_PANELS, MOST_SLICES, MOST_ENTRIES = 5, 10, 10


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
                    table=summary_table(view),
                    pictures=slice_pictures(view),
                    note=" ".join([*_notes(view), drawn]),
                ),
                full_table(view),
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


def summary_table(view: MetricView) -> ResultTable:
    """Return one row a slice: who has the best score there, and the overall leader's score."""
    say, evidence = view.say, view.evidence
    leader = view.names[evidence.scores.leader]
    return ResultTable(
        name=f"slices{view.suffix}",
        caption=_caption(view),
        columns=(
            TableColumn(("column", "value"), say("Slice")),
            TableColumn(("examples",), say("{Things}"), numeric=True),
            TableColumn(("best",), say("Best score")),
            TableColumn(("score", "low", "high"), say("Score [interval]"), numeric=True),
            TableColumn(
                ("leader_score", "leader_low", "leader_high"),
                say("{name} (overall leader)", name=leader),
                numeric=True,
            ),
            TableColumn(("verdict",), say("Leader here")),
        ),
        rows=tuple(_summary(view, one) for one in evidence.slices),
    )


def _caption(view: MetricView) -> str:
    return view.say(
        "{metric} within each slice, with intervals that hold for all entries in all slices at "
        "once ({confidence})."
    )


def _summary(view: MetricView, one: SliceEvidence) -> tuple[Cell, ...]:
    say, count = view.say, view.count
    best = _best(view, one)
    if one.other_leader is not None:
        verdict = say("{name} instead", name=view.names[one.other_leader])
    else:
        verdict = say("the overall leader may be best here too" if one.compared else "scores only")
    return (
        _named(one),
        cell(count(one.n), one.n),
        cell(MISSING, None) if best is None else cell(view.evidence.names[best]),
        _score(view, one, view.scores.leader if best is None else best),
        _score(view, one, view.scores.leader),
        cell(verdict, strong=one.other_leader is not None),
    )


def _best(view: MetricView, one: SliceEvidence) -> int | None:
    """Return who has the best score in a slice, without baselines; None without scores."""
    competing = (i for i in view.order if i not in view.scores.baselines)
    scored = [i for i in competing if np.isfinite(one.score[i])]
    return max(scored, key=lambda i: view.sign * float(one.score[i]), default=None)


def _named(one: SliceEvidence) -> Cell:
    return cell(f"{one.column}: {one.value}", one.column, one.value)


def _score(view: MetricView, one: SliceEvidence, entry: int) -> Cell:
    """Return the score of an entry in a slice, with its interval where it has one."""
    values = [float(array[entry]) for array in (one.score, one.low, one.high)]
    text = view.score(values[0])
    if math.isfinite(values[1]):
        text += f" {view.interval(*values[1:])}"
    return cell(text, *(value if math.isfinite(value) else None for value in values))


def full_table(view: MetricView) -> ResultTable:
    """Return the scores of all entries in all slices, for the files to take away."""
    say, evidence = view.say, view.evidence
    return ResultTable(
        name=f"slices_of_entries{view.suffix}",
        caption=_caption(view),
        columns=(
            TableColumn(("column", "value"), say("Slice")),
            TableColumn(("examples",), say("{Things}"), numeric=True),
            TableColumn(("entry",), say("Entry")),
            TableColumn(("score", "low", "high"), say("Score [interval]"), numeric=True),
        ),
        rows=tuple(
            (
                _named(one),
                cell(view.count(one.n), one.n),
                cell(evidence.names[i]),
                _score(view, one, i),
            )
            for one in evidence.slices
            for i in view.order
        ),
        shown=False,
    )


def slice_pictures(view: MetricView) -> tuple[Picture, ...]:
    """Return the scores of the first entries in the largest slices, on one scale.

    They hold all possible winners, and who is shown to be better in one of these slices.
    """
    evidence = view.evidence
    largest = sorted(evidence.slices, key=lambda one: -one.n)[:MOST_SLICES]
    slices = [one for one in evidence.slices if one in largest]
    entries = view.drawn(MOST_ENTRIES, (one.other_leader for one in slices))
    low, high = _limits(slices, entries)
    ticks = labeled_ticks(low, high, view.numerals.fixed, 3)
    panels = [_panel(view, one, entries, (low, high), ticks) for one in slices]
    starts = range(0, len(panels), _PANELS)
    return tuple(
        Picture(
            f"slices{view.suffix}_{number}",
            _figure(view, panels[start : start + _PANELS], entries, number),
        )
        for number, start in enumerate(starts, start=1)
    )


def _limits(slices: Sequence[SliceEvidence], entries: Sequence[int]) -> tuple[float, float]:
    values = [
        float(array[i])
        for one in slices
        for array in (one.score, one.low, one.high)
        for i in entries
    ]
    known = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
    room = 0.02 * (max(known) - min(known)) or 0.5
    return min(known) - room, max(known) + room


def _panel(
    view: MetricView,
    one: SliceEvidence,
    entries: Sequence[int],
    limits: tuple[float, float],
    ticks: Sequence[tuple[float, str]],
) -> Panel:
    leader = float(one.score[view.scores.leader])
    spans = [
        ((float(one.low[i]), float(one.score[i]), float(one.high[i])), _shape(view, one, i))
        for i in entries
    ]
    mark = leader if math.isfinite(leader) else None
    return Panel(f"{one.column}: {one.value}", spans, limits, ticks, mark)


def _shape(view: MetricView, one: SliceEvidence, entry: int) -> str:
    if entry == one.other_leader:
        return "ahead"
    return "leader" if entry == view.scores.leader else "plain"


def _figure(
    view: MetricView, panels: Sequence[Panel], entries: Sequence[int], number: int
) -> Drawing:
    say = view.say
    names = [view.evidence.names[i] for i in entries]
    shapes = {span[1] for panel in panels for span in panel.spans if span is not None}
    title = say("{metric} within each slice")
    said = view.language.joined([panel.heading for panel in panels])
    id = f"slices-{view.index + 1}-{number}"
    heading = Heading(id, title, f"{title}: {said}", slice_keys(view, shapes))
    label = say("{metric}, {direction}")
    return side_by_side(heading, names, panels, label)
