"""The axes of a metric's entries: their scores, and the differences from the reference.

Both break before entries far off, such as a weak baseline, which would squeeze all others.
"""

from __future__ import annotations

import numpy as np

from ...core.arrays import Floats
from ...core.numerals import exact_decimals
from ...document.axes import Axis, drawn_axis
from ...document.scales import AnyScale, BrokenScale, broken_scale, far_off
from ...inference.evidence import Differences
from ..view import MetricView

#: A scale and what it looks like.
AxisOfEntries = tuple[AnyScale, Axis]


def score_axis(view: MetricView) -> AxisOfEntries:
    """Return the axis of the scores, with the score of the reference marked."""
    score, reference = view.scores.score, view.scores.reference
    marked = float(score[reference]) if len(score) > 1 else None
    return _axis(view, f"scores-{view.index + 1}", _scores(view), marked)


def difference_axis(view: MetricView, differences: Differences, id: str) -> AxisOfEntries:
    """Return the axis of the advantages of the reference, called ``id``."""
    spans = np.stack([differences.low, differences.observed, differences.high], axis=1)
    spans[view.scores.reference] = 0.0
    return _axis(view, id, spans, 0.0)


def _scores(view: MetricView) -> Floats:
    return np.array([view.evidence.span(entry) for entry in range(len(view.names))])


def _axis(view: MetricView, id: str, spans: Floats, marked: float | None) -> AxisOfEntries:
    """Return an axis that breaks before the entries whose scores are far off."""
    evidence = view.evidence
    entries = np.arange(len(evidence.names))
    fixed = np.isin(entries, [*view.scores.leaders, view.scores.reference])
    far = far_off(_scores(view), fixed, ~np.isin(entries, view.scores.baselines))
    scale, note = broken_scale(spans[~far], spans[far]), ""
    if isinstance(scale, BrokenScale):
        low, high = scale.omitted
        ends = {
            "low": view.tick(low, exact_decimals([low])),
            "high": view.tick(high, exact_decimals([high])),
        }
        note = view.language.say("axis broken from {low} to {high}", **ends)
    return scale, drawn_axis(id, scale, marked, view.tick, note)
