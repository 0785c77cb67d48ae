"""The submissions that could not be scored, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..view import MetricView
from .section import Section


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield the submissions that could not be scored, if there are any."""
    unusable, language = views[0].result.unusable, views[0].language
    if unusable:
        content = [(item.name, language.reason(item.reason)) for item in unusable]
        heading = language.say("unusable.heading")
        yield Section("unusable", heading, content, "unusable.html.j2")
