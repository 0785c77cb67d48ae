"""The card of the results, for links and messages."""

from __future__ import annotations

from ...document.figures.card import card
from ...document.marks import Drawing, Heading
from ..view import MetricView
from .finish_line import headings_of, runners_of

#: A card has room for no more entries.
_MOST = 6


def card_of(view: MetricView, title: str, verdict: str, source: str) -> Drawing:
    """Return the card: the verdict, verified places, and the photo finish of the first entries."""
    first = [int(i) for i in view.scores.order[:_MOST]]
    if view.focus is not None and view.focus not in first:
        first[-1] = view.focus
    headings = headings_of(view) if len(view.evidence.names) > 1 else ("", view.label, "")
    runners = runners_of(view, first)
    places, note = view.evidence.verdict.places, ""
    if places is not None:
        count = view.numerals.count(places)
        note = view.language.say("The first {count} are surely the first {count}.", count=count)
    heading = Heading("card", title, f"{verdict} {note}".strip())
    return card(heading, (verdict, note), source, headings, runners)
