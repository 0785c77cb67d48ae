"""The entries that have no score in some task or by some metric, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..view import MetricView
from .section import Section

#: Where it stands on the page.
ADDRESS = "unscored"


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield the entries that lack a score, if there are any."""
    unscored, language = views[0].result.unscored, views[0].language
    if unscored:
        content = [
            (entry, ", ".join(map(language.metric, where.split(", "))), language.reason(reason))
            for (entry, where), reason in unscored.items()
        ]
        heading = language.say("unscored.heading")
        yield Section(ADDRESS, heading, content, "unscored.html.j2")
