"""The uploads that are not compared, although nothing may be wrong with them, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.notes import by_reason
from ..view import MetricView
from .section import Section

#: Where it stands on the page.
ADDRESS = "left-aside"


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield the uploads that were left aside by reason, if there are any."""
    result, language = views[0].result, views[0].language
    if result.left_aside:
        content = [
            (language.tell(reason), names) for reason, names in by_reason(result.left_aside).items()
        ]
        heading = language.say("left_aside.heading")
        yield Section(ADDRESS, heading, content, "left_aside.html.j2")
