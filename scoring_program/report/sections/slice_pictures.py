"""The slices side by side: the scores of the first entries within each."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...core.numerals import exact_decimals
from ...document.blocks import Picture
from ...document.figures.side_by_side import Panel, side_by_side
from ...document.marks import Drawing, Heading
from ...document.scales import nice_ticks
from ...inference.evidence import SliceEvidence
from ..view import MetricView
from .legends import slice_keys

#: A figure has up to this many panels; the largest slices are drawn, for the first entries.
_PANELS, MOST_SLICES, MOST_ENTRIES = 5, 10, 10


def slice_pictures(view: MetricView) -> tuple[Picture, ...]:
    """Return the scores of the first entries in the largest slices, on one scale.

    They hold all possible winners, and who is shown to be better in one of these slices.
    """
    evidence = view.evidence
    largest = sorted(evidence.slices, key=lambda one: -one.n)[:MOST_SLICES]
    slices = [one for one in evidence.slices if one in largest]
    leaders = {one.other_leader for one in slices}
    entries = [
        i
        for place, i in enumerate(view.scores.order.tolist())
        if place < MOST_ENTRIES or view.focused(i) or i in view.foremost or i in leaders
    ]
    low, high = _limits(slices, entries)
    values = nice_ticks(low, high, 3)
    decimals = exact_decimals(values)
    ticks = [(value, view.tick(value, decimals)) for value in values]
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
    say = view.language.say
    names = [view.evidence.names[i] for i in entries]
    shapes = {span[1] for panel in panels for span in panel.spans if span is not None}
    title = say("{metric} within each slice", metric=view.label)
    said = view.language.joined([panel.heading for panel in panels])
    id = f"slices-{view.index + 1}-{number}"
    heading = Heading(id, title, f"{title}: {said}", slice_keys(view, shapes))
    label = say("{metric}, {direction}", metric=view.label, direction=view.direction)
    return side_by_side(heading, names, panels, label)
