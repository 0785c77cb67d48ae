"""The bootstrap distribution of one difference."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from ...inference.evidence import Histogram
from ..marks import Drawing, Heading, Mark, line, rectangle, text
from ..scales import Scale, labeled_ticks

_WIDTH, _HEIGHT, _TOP, _BOTTOM = 320.0, 210.0, 44.0, 168.0


def histogram(
    heading: Heading,
    data: Histogram,
    counted: tuple[float, float],
    mark_labels: tuple[str, str, str],
    axis_label: str,
    label: Callable[[float, int], str],
) -> Drawing:
    """Draw replicates of a difference with 0, δ and 2δ marked.

    The p-value counts what lies outside the limits ``counted``; bars are split there.
    """
    low = min(float(data.edges[0]), 0.0, 2 * data.observed)
    high = max(float(data.edges[-1]), 0.0, 2 * data.observed)
    room = 0.03 * (high - low) or 1.0
    scale = Scale(low - room, high + room, 12, _WIDTH - 12)
    marks = [
        *_bars(data, counted, scale),
        line("axis", 0, _BOTTOM, _WIDTH, _BOTTOM),
        *_marked(data.observed, mark_labels, scale),
        *(
            text("tick", scale(x), _BOTTOM + 15, said)
            for x, said in labeled_ticks(low, high, label)
        ),
        text("tick", _WIDTH / 2, _BOTTOM + 34, axis_label),
    ]
    return Drawing(heading, _WIDTH, _HEIGHT, tuple(marks))


def _bars(data: Histogram, counted: tuple[float, float], scale: Scale) -> Iterator[Mark]:
    """Yield the bars; those that the p-value counts have a color of their own."""
    upward = Scale(0, max(int(data.counts.max(initial=0)), 1), _BOTTOM, _TOP + 4)
    for left, right, count in zip(data.edges[:-1], data.edges[1:], data.counts, strict=True):
        cuts = sorted({left, right, *(limit for limit in counted if left < limit < right)})
        for start, end in itertools.pairwise(cuts if count else []):
            tail = end <= counted[0] or start >= counted[1]
            x, y = scale(start), upward(int(count))
            yield rectangle("tail" if tail else "bin", x, y, scale(end) - x, _BOTTOM - y)


def _marked(observed: float, labels: tuple[str, str, str], scale: Scale) -> Iterator[Mark]:
    """Yield the marks of 0, δ and 2δ with their labels."""
    places = [scale(0.0), scale(observed), scale(2 * observed)]
    # The long label δ has a line of its own; 0 and 2δ share one unless they would touch.
    heights = (30.0, 16.0, 30.0) if abs(places[2] - places[0]) >= 24 else (26.0, 12.0, 40.0)
    for kind, x, label, y in zip(
        ("zero", "observed", "double"), places, labels, heights, strict=True
    ):
        half = 4 + 3 * len(label)
        yield line(kind, x, _TOP, x, _BOTTOM)
        yield text("tick", min(max(x, half), _WIDTH - half), y, label)
