"""The card of the results, for links and messages."""

from __future__ import annotations

from ...document.figures.card import card
from ...document.marks import Drawing, Heading
from ..view import MetricView
from .finish_line import headings_of, runners_of

#: A card has room for no more entries.
_MOST = 6


def card_of(view: MetricView, title: str, verdict: str, source: str) -> Drawing:
    """Return the card: the verdict, and the photo finish of the first entries."""
    first = [int(i) for i in view.scores.order[:_MOST]]
    if view.focus is not None and view.focus not in first:
        first[-1] = view.focus
    headings = headings_of(view) if len(view.evidence.names) > 1 else ("", view.label, "")
    runners = runners_of(view, first)
    return card(Heading("card", title, verdict), source, headings, runners)
