"""What the page shows of long tables for statisticians; the files hold them whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..view import MetricView

#: The page shows these first rows, and that of the submission that it is about.
_ROWS = 50


def excerpt(view: MetricView, entries: Sequence[int]) -> tuple[int, ...] | None:
    """Return which rows the page shows of those of these ``entries``; None if all."""
    if len(entries) <= _ROWS:
        return None
    rows = enumerate(entries)
    return tuple(place for place, entry in rows if place < _ROWS or entry == view.focus)


def notes_of(views: Sequence[MetricView]) -> Iterator[str]:
    """Say that the page shows a part, if it does."""
    most = max(len(view.evidence.names) for view in views)
    if most - 1 > _ROWS:
        yield views[0].language.say(
            "Long tables in this part show the first {count} entries. All are in the files that "
            "come with this page.",
            count=views[0].numerals.count(_ROWS),
        )
