"""The card of the results, for links and messages."""

from __future__ import annotations

from .. import drawing as draw
from ..view import MetricView
from .legends import standing_keys

#: A card has room for no more entries.
_MOST = 5


def card_of(view: MetricView, title: str, verdict: str, source: str) -> draw.Card:
    """Return the card: the verdict, and the first entries with their intervals and rank ranges."""
    say, analysis = view.language.say, view.analysis
    several = len(analysis.names) > 1
    entries = [
        draw.CardEntry(
            analysis.names[i],
            (float(analysis.low[i]), float(analysis.score[i]), float(analysis.high[i])),
            view.score(float(analysis.score[i])),
            view.rank_range(i) if several else "",
            view.shape(i),
            focus=view.focused(i),
        )
        for i in _first(view)
    ]
    keys = standing_keys(view, [one.shape for one in entries]) if several else ()
    if view.has_intervals:
        bar = draw.Key("bar", say("legend.interval", confidence=view.confidence))
        keys = (*keys, bar)
    ranks = say("ranking.rank_range") if several else ""
    return draw.card((title, verdict, source), (view.label, ranks), entries, keys)


def _first(view: MetricView) -> list[int]:
    """Return the first entries, and in their place the one that the page is about."""
    first = [int(i) for i in view.analysis.order[:_MOST]]
    if view.focus is not None and view.focus not in first:
        first[-1] = view.focus
    return first
