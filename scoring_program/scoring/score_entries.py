"""From aligned entries to those that are compared, with every metric bound and scored once."""

from __future__ import annotations

from dataclasses import replace

from ..alignment.competition import Competition
from ..settings.model import Settings
from .bind_parts import names_in_messages
from .contenders import anonymize, keep_best_runs, keep_comparable
from .scorer import Scorer, keep
from .unscorable import nameless, score_usable_entries
from .usable_checks import check_field, check_names, check_usable


def score_entries(
    competition: Competition, settings: Settings
) -> tuple[Competition, tuple[tuple[Scorer, ...], ...]]:
    """Return the competition that is analysed, and every part's metrics bound to its entries.

    Entries that a metric cannot score become unusable, ``runs: best`` keeps each team's best run by
    the ranking metric, ``anonymize`` renames and reorders the entries by it. A submission that came
    alone keeps its name, and its author reads nothing of others that are unusable. Of very many
    entries only the best are compared.

    Raises
    ------
    SubmissionError
        The single submission cannot be scored, or fewer than two teams can, or not all of them and
        ``strict`` is set.
    OrganizerError
        There is a packed field, and none of it can be scored.
    SettingsError
        ``baselines`` or ``reference_entry`` name no entry, or more than `contenders.MOST_ENTRIES`
        compete in a packed field or in several tasks.
    """
    if settings.anonymize:
        competition = replace(competition, unusable=nameless(competition.unusable))
    scored = score_usable_entries(competition, anonymous=settings.anonymize)
    if competition.form == "field":
        check_field(scored.competition)
    if competition.form == "teams":
        check_usable(scored.competition, settings)
    if competition.form != "single":
        if settings.runs == "best":
            scored = keep_best_runs(scored, settings)
        check_names(scored.competition, settings)
        if settings.anonymize:
            scored = anonymize(scored, settings)
        scored = keep_comparable(scored, settings)
    names = names_in_messages(scored.competition)
    scorers = tuple(keep(part, range(len(names)), names) for part in scored.scorers)
    return scored.competition, scorers
