"""Checks that enough entries can be scored, and that those in the settings exist."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..alignment.competition import Competition, Unusable
from ..core.errors import (
    OrganizerError,
    SettingsError,
    SubmissionError,
    listed,
    nearest,
)
from ..core.phrases import counted, joined, verbatim
from ..reading.reference import FIELD
from ..settings.model import Settings


def check_field(competition: Competition) -> None:
    """Raise OrganizerError if no submission of the field can be scored."""
    if len(competition.names) == 1:
        reasons = joined(item.named for item in competition.withheld)
        raise OrganizerError(
            f"ref/{FIELD}: no submission in it can be scored; --debug shows why"
        ) from SubmissionError(reasons)


def check_names(competition: Competition, settings: Settings) -> None:
    """Raise SettingsError if ``baselines`` or ``reference_entry`` name an unknown entry."""
    wanted = [("baselines", name) for name in settings.baselines]
    if settings.reference_entry is not None:
        wanted.append(("reference_entry", settings.reference_entry))
    # A participant may read this, but must not learn others' names.
    names_are_public = competition.form == "teams" and not settings.anonymize
    for key, name in wanted:
        if name not in competition.names:
            raise SettingsError(
                f"{settings.where(key)}: there is no usable entry {name!r}"
                f"{nearest(name, competition.names if names_are_public else ())}"
            )


def check_usable(competition: Competition, settings: Settings) -> None:
    """Raise SubmissionError if fewer than two entries are usable; with ``strict``, if not all."""
    usable, unusable = len(competition.names), competition.unusable
    if usable >= 2 and not (settings.strict and unusable):
        return
    if not usable and _fail_alike(unusable):
        first, tasks = unusable[0], ""
        if competition.has_tasks:
            tasks = (
                f"; every data file there is a task ({listed(p.name for p in competition.parts)})"
            )
        raise SubmissionError(
            verbatim(
                f"all {len(unusable)} submissions fail alike, so the reference data or their "
                "format may be at fault (organizers: look at the files in ref/ and at the "
                f"settings{tasks}). The first of them:\n{first.named}"
            )
        )
    reasons = "\n".join(item.named for item in unusable)
    if settings.strict and unusable:
        found = counted(len(unusable), "unusable submission(s)")
        raise SubmissionError(verbatim(f"{found}, and 'strict' is set:\n{reasons}"))
    if not usable and competition.has_tasks:
        tasks = listed(part.name for part in competition.parts)
        reasons += (
            f"\nEvery data file in ref/ is read as the reference data of a task ({tasks}); the "
            "organizers must move other files elsewhere."
        )
    # With the layout auto, several files may be meant as one submission.
    alone = "; if this is one submission, send exactly one data file" * (settings.layout == "auto")
    found = counted(usable, "usable submission(s)")
    message = f"{found}; at least two are needed to compare{alone}\n{reasons}"
    raise SubmissionError(verbatim(message.rstrip()))


def _fail_alike(unusable: Sequence[Unusable]) -> bool:
    """Whether several submissions have the same problems, in whichever files and rows."""
    kinds = {
        tuple(
            re.sub(r"\d+|^.*?: ", "", line)
            for line in item.reason.splitlines()
            if not line.startswith("  ")
        )
        for item in unusable
    }
    return len(unusable) > 2 and len(kinds) == 1
