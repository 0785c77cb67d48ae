"""The widget: the statement and the ranking, for an iframe on the competition's own page."""

from __future__ import annotations

from dataclasses import dataclass

from ..api.rows import RankingRow
from ..core.version import __version__
from ..document.html import INK, environment
from ..document.shortening import isolated, whole
from .record import AnnouncedResults

#: Of more entries, the widget shows the possible winners and the first ones, so many in all.
_MOST_ROWS = 20


@dataclass(frozen=True)
class WidgetRow:
    """A line of the ranking."""

    rank: str
    name: str
    score: str
    places: str
    note: str
    is_winner: bool


def widget(view: AnnouncedResults) -> str:
    """Return the widget as one HTML file without scripts and without anything from elsewhere."""
    names = whole([row.entry for row in view.rows])
    rows = [_row(view, row, name) for row, name in zip(view.rows, names, strict=True)]
    first = [row for number, row in enumerate(rows) if row.is_winner or number < _MOST_ROWS]
    cautions = view.serious_cautions if view.is_withdrawn else []
    return (
        environment()
        .get_template("announcing/widget.html.j2")
        .render(
            _=view.language.say,
            ink=INK,
            language=view.language,
            title=view.title,
            sign=view.announcement.sign,
            statement=view.announcement.public,
            cautions=cautions,
            prizes=[] if view.podium.waits_for_uploads else view.prizes(),
            caption=view.say("Ranking by {metric} ({test_examples})."),
            places=_meaning_of_places(view),
            label=view.label,
            rows=first,
            more=view.left_out(len(rows) - len(first)),
            page_address=view.page_address,
            made_by=view.say("Made by Deadheat {version}", version=__version__).strip(),
            about=view.about,
        )
    )


def _meaning_of_places(view: AnnouncedResults) -> str:
    """Say what the places mean, where they have a confidence."""
    if view.withdrawn_because is not None or view.only_ranks or view.podium.competing == 1:
        return ""
    return view.say(
        "Places: those that an entry could hold on a much larger test set like this one."
    )


def _row(view: AnnouncedResults, row: RankingRow, name: str) -> WidgetRow:
    podium = view.podium
    # Where nobody can be named, or not yet, no entry is marked.
    names_winners = podium.names_winners and podium.competing > 1 and not podium.must_wait
    is_winner = names_winners and row.entry in view.possible_winners
    note = view.say("possible winner") if is_winner else ""
    if row.baseline:
        note = view.say("baseline")
    return WidgetRow(
        rank=view.rank(row),
        name=isolated(name),
        score=view.score(row.score),
        places=view.places(row),
        note=note,
        is_winner=is_winner,
    )
