"""How far behind the best every entry may truly be: what the photo finish shows of a metric."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ...document.figures.photo_finish import (
    COLUMN,
    PAGE,
    Runner,
    card,
    foremost,
    in_letters,
    photo_finish,
)
from ...document.marks import Drawing, Heading
from ..view import MetricView
from .verdict import verdict

#: A figure of a paper has all possible winners, and further entries up to so many rows.
ROWS_OF_FIGURE = 12
#: A card has room for no more entries.
_MOST = 6


def runners_of(view: MetricView, entries: Iterable[int] | None = None) -> list[Runner]:
    """Return entries, all in the order of the ranking if they are not named."""
    bars, winners = view.evidence.distances, set(view.possible_winners)
    return [
        view.runner(
            view.evidence.names[i],
            float(view.scores.score[i]),
            (math.nan if bars is None else float(bars.near[i]), view.evidence.distance(i)),
            view.rank_range(i),
            winner=i in winners,
            focus=view.focused(i),
        )
        for i in (view.order if entries is None else entries)
    ]


def finish_caption(view: MetricView) -> str:
    """Say what a bar is, with its confidence unless serious cautions withdraw it."""
    if view.evidence.verdict.confidence is None:
        return view.say(
            "A bar shows how far behind the best the rule takes an entry to be; the dot is the "
            "distance observed. A bar reaches the finish line if and only if its entry is a "
            "possible winner."
        )
    return view.say(
        "A bar shows how far behind the best an entry may truly be, with {confidence} confidence; "
        "the dot is the distance observed. A bar reaches the finish line if and only if its entry "
        "may be the best."
    )


def finish_note(view: MetricView) -> str:
    """Say what is drawn instead where there are no bars; nothing where there are."""
    return "" if view.evidence.distances is not None or view.competing < 2 else view.without_bars


def finish_figures(view: MetricView) -> dict[str, Drawing]:
    """Return the figures of a paper, by name: as wide as a column, and as a page."""
    if len(view.evidence.names) < 2:
        return {}
    runners = foremost(runners_of(view), ROWS_OF_FIGURE)
    more = view.left_out(len(view.evidence.names) - len(runners))
    said = " ".join(filter(None, [finish_note(view), more]))
    title = view.say("Photo finish by {metric}")
    about = f"{verdict(view)} {finish_note(view) or finish_caption(view)}"
    drawings = {}
    for name, width in (("column", COLUMN), ("page", PAGE)):
        heading = Heading(f"finish-{view.index + 1}-{name}", title, about)
        drawings[f"photo_finish{view.suffix}_{name}"] = photo_finish(
            heading, runners, view.finish_headings, view.numerals.fixed, said, width
        )
    return drawings


def finish_text(view: MetricView) -> list[str]:
    """Return the picture as lines of text for a terminal."""
    if len(view.evidence.names) < 2:
        return []
    runners = foremost(runners_of(view), ROWS_OF_FIGURE)
    lines = in_letters(runners)
    more = view.left_out(len(view.evidence.names) - len(runners))
    return [*lines, more] if more else lines


def card_of(view: MetricView, title: str, verdict: str, source: str) -> Drawing:
    """Return the card: the verdict, verified places, and the photo finish of the first entries."""
    first = view.order[:_MOST]
    if view.focus is not None and view.focus not in first:
        first[-1] = view.focus
    several = len(view.evidence.names) > 1
    headings = view.finish_headings if several else ("", view.label, "")
    runners = runners_of(view, first)
    places, note = view.evidence.verdict.places, ""
    if places is not None:
        count = view.count(places)
        note = view.say("The test set settles which entries are the first {count}.", count=count)
    heading = Heading("card", title, f"{verdict} {note}".strip())
    return card(heading, (verdict, note), source, headings, runners)
