"""Whether enough entries can be scored, and whether those exist that the settings name."""

from __future__ import annotations

from ..alignment.competition import Competition
from ..core.errors import (
    OrganizerError,
    SettingsError,
    SubmissionError,
    counted,
    listed,
    nearest,
)
from ..reading.reference import FIELD
from ..settings.model import Settings


def check_field(competition: Competition) -> None:
    """Raise OrganizerError where no submission of the packed field can be scored."""
    if len(competition.names) == 1:
        reasons = "\n".join(f"[{item.name}] {item.reason}" for item in competition.withheld)
        raise OrganizerError(
            f"ref/{FIELD}: none of its submissions can be scored; --debug shows why"
        ) from SubmissionError(reasons)


def check_names(competition: Competition, settings: Settings) -> None:
    """Raise SettingsError where ``baselines`` or ``reference_entry`` name no entry."""
    wanted = [("baselines", name) for name in settings.baselines]
    if settings.reference_entry is not None:
        wanted.append(("reference_entry", settings.reference_entry))
    # A participant reads this too, and is not to learn the others' names.
    told = competition.form == "teams" and not settings.anonymize
    for key, name in wanted:
        if name not in competition.names:
            raise SettingsError(
                f"{settings.where(key)}: there is no usable entry {name!r}"
                f"{nearest(name, competition.names if told else ())}"
            )


def check_usable(competition: Competition, settings: Settings) -> None:
    """Raise SubmissionError where fewer than two entries are usable, or not all and ``strict``."""
    usable, unusable = len(competition.names), competition.unusable
    if usable >= 2 and not (settings.strict and unusable):
        return
    reasons = "\n".join(f"[{item.name}] {item.reason}" for item in unusable)
    if settings.strict and unusable:
        raise SubmissionError(
            f"{counted(len(unusable), 'unusable submission(s)')}, and 'strict' is set:\n{reasons}"
        )
    if not usable and competition.has_tasks:
        tasks = listed(part.name for part in competition.parts)
        reasons += (
            f"\nEvery data file in ref/ is taken for the gold of a task ({tasks}); organizers move "
            "what is none elsewhere."
        )
    # Several files may be meant as one submission, unless the settings say that they are teams.
    alone = "; if this is one submission, send exactly one data file" * (settings.layout == "auto")
    raise SubmissionError(
        f"{counted(usable, 'usable submission(s)')}; at least two are needed to compare{alone}\n"
        f"{reasons}".rstrip()
    )
