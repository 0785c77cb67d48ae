"""The axes of a metric's entries: their scores, and the differences from the reference.

Both break before entries far off, such as a weak baseline, which would squeeze all others.
"""

from __future__ import annotations

import numpy as np

from ...core.arrays import Floats
from .. import drawing as draw
from ..drawing import AnyScale, Axis
from ..numbers import exact_decimals
from ..view import MetricView

#: A scale and what it looks like.
AxisOfEntries = tuple[AnyScale, Axis]


def score_axis(view: MetricView) -> AxisOfEntries:
    """Return the axis of the scores, with the score of the reference marked."""
    analysis = view.analysis
    marked = float(analysis.score[analysis.reference]) if len(analysis.score) > 1 else None
    return _axis(view, f"scores-{view.index + 1}", _scores(view), marked)


def difference_axis(view: MetricView, id: str) -> AxisOfEntries:
    """Return the axis of the advantages of the reference, called ``id``."""
    differences = view.analysis.differences
    spans = np.stack([differences.low, differences.observed, differences.high], axis=1)
    spans[view.analysis.reference] = 0.0
    return _axis(view, id, spans, 0.0)


def _scores(view: MetricView) -> Floats:
    analysis = view.analysis
    return np.stack([analysis.low, analysis.score, analysis.high], axis=1)


def _axis(view: MetricView, id: str, spans: Floats, marked: float | None) -> AxisOfEntries:
    """Return an axis that breaks before the entries whose scores are far off."""
    analysis = view.analysis
    entries = np.arange(len(analysis.names))
    fixed = np.isin(entries, [*analysis.leaders, analysis.reference])
    far = draw.far_off(_scores(view), fixed, ~np.isin(entries, analysis.baselines))
    scale, note = draw.broken_scale(spans[~far], spans[far]), ""
    if isinstance(scale, draw.BrokenScale):
        low, high = scale.omitted
        ends = {
            "low": view.tick(low, exact_decimals([low])),
            "high": view.tick(high, exact_decimals([high])),
        }
        note = view.language.say("ranking.broken", **ends)
    return scale, draw.axis(id, scale, marked, view.tick, note)
