"""What a phase means on a platform: when it takes place."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from .description import Description


def notes(of: Description, now: datetime) -> Iterator[str]:
    """Say when each phase takes place."""
    for phase in of.phases:
        name, end = repr(phase["name"]), phase.get("end")
        until = f" to {end:%Y-%m-%d %H:%M}" if end else ", without an end"
        over = "; it is over already" if end and end <= now else ""
        yield f"Phase {name}: {phase['start']:%Y-%m-%d %H:%M}{until} (UTC){over}."
