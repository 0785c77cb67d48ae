"""The submissions that could not be scored, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...alignment.competition import Unusable
from ..slugs import slugs
from ..view import MetricView
from .section import Section

#: Lines of a reason that is shown whole.
_SHORT = 4


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield the submissions that could not be scored, if there are any."""
    unusable, language = views[0].result.unusable, views[0].language
    if unusable:
        content = [
            (item.name, address, *_folded(language.reason(item.reason)))
            for item, address in zip(unusable, addresses(unusable), strict=True)
        ]
        heading = language.say("unusable.heading")
        yield Section("unusable", heading, content, "unusable.html.j2")


def addresses(unusable: Sequence[Unusable]) -> list[str]:
    """Return the address on the page of each submission's reason."""
    return [f"unusable-{slug}" for slug in slugs(item.name for item in unusable)]


def _folded(reason: str) -> tuple[str, str]:
    """Return what is shown of a reason, and the whole of it if its examples are folded away."""
    lines = reason.splitlines()
    if len(lines) <= _SHORT:
        return reason, ""
    return "\n".join(line for line in lines if not line.startswith(" ")), reason
