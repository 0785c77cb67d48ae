"""Cost against score: the best score for each budget as a line of steps, and who is off it.

Costs that lie far apart, as prices of models do, stand on a logarithmic axis.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..marks import Drawing, Mark, Plotted, path
from ..scales import Scale, nice_ticks
from .forest import AxisOfScatter, PlotArea, scatter

#: Costs of which the largest is so many times the smallest stand on a logarithmic axis.
_FAR_APART = 20.0
#: Round numbers within a power of ten: at most so many ticks take all, or only the first of them.
_ROUND = ((1.0, 2.0, 5.0), (1.0, 3.0), (1.0,))
#: How much of the axis a tick takes with its number.
_TICK_ROOM = 80.0
#: Lines from more entries to what rules them out would cover each other.
_MOST_LINKS = 30


@dataclass(frozen=True)
class CostAxis:
    """What the axis of costs is called, and what its numbers look like."""

    label: str
    text: Callable[[float], str]

    def tick(self, value: float) -> str:
        """Return the text of a round number, which arithmetic may have left a bit beside it."""
        return self.text(float(f"{value:.12g}"))


def cost_front(
    heading: Drawing,
    across: CostAxis,
    up: AxisOfScatter,
    plotted: Sequence[Plotted],
    links: Sequence[tuple[int, int]],
    *,
    area: PlotArea,
) -> Drawing:
    """Draw entries by their costs and scores; those at the ``front`` lie on the line of steps.

    The first span of an entry is its cost. ``links`` lead from the place of an entry to that of
    another that rules it out. The most important entries come first, as in `forest.scatter`.
    """
    costs = [entry.spans[0][1] for entry in plotted]
    (left, right) = area.across
    most_ticks = round((right - left) / _TICK_ROOM)
    logarithmic = min(costs) > 0 and max(costs) >= _FAR_APART * min(costs)
    if logarithmic:
        plotted = [_on_logarithms(entry) for entry in plotted]
        ticks = [(math.log10(value), across.tick(value)) for value in _powers(costs, most_ticks)]
    else:
        round_numbers = nice_ticks(min(costs), max(costs), min(most_ticks, 6))
        ticks = [(value, across.tick(value)) for value in round_numbers]

    shown_links = links if len(links) <= _MOST_LINKS else ()

    def lines(x: Scale, y: Scale) -> list[Mark]:
        """Return the steps of the front, and the lines to who rules entries out."""
        points = [(x(entry.spans[0][1]), y(entry.spans[1][1])) for entry in plotted]
        drawn = []
        for entry, rival in shown_links:
            start = f"M{points[entry][0]} {points[entry][1]}"
            drawn.append(path("link", f"{start}L{points[rival][0]} {points[rival][1]}"))
        front = sorted(point for entry, point in zip(plotted, points, strict=True) if entry.front)
        steps = f"M{front[0][0]} {front[0][1]}"
        for right, up in front[1:]:
            steps += f"H{right}V{up}"
        drawn.append(path("front", f"{steps}H{x(x.high)}"))
        return drawn

    axis = across.label, True, lambda value, decimals: across.tick(value)
    return scatter(heading, axis, up, plotted, area=area, ticks_across=ticks, lines=lines)


def _on_logarithms(entry: Plotted) -> Plotted:
    """Return an entry with its cost on a logarithmic axis."""
    cost, score = entry.spans
    low, middle, high = (math.log10(value) if value > 0 else math.nan for value in cost)
    return replace(entry, spans=((low, middle, high), score))


def _powers(costs: Sequence[float], most: int) -> list[float]:
    """Return round numbers among the costs, at most so many, of several powers of ten."""
    first = math.floor(math.log10(min(costs)))
    last = math.ceil(math.log10(max(costs)))
    values: list[float] = []
    for factors in _ROUND:
        values = []
        for power in range(first, last + 1):
            values += [factor * 10.0**power for factor in factors]
        values = [value for value in values if min(costs) <= value <= max(costs)]
        if len(values) <= most:
            break
    # Of many powers of ten, every second has a tick, or every third, and so on.
    return values[:: math.ceil(len(values) / most)]
