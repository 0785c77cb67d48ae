"""From aligned entries to those that are compared, with every metric bound and scored once."""

from __future__ import annotations

from ..alignment.competition import Competition
from ..settings.model import Settings
from .bind_parts import names_in_messages
from .contenders import anonymize, keep_best_runs, keep_comparable
from .last_runs import keep_last_runs
from .scorer import Scorer, keep
from .unscorable import nameless, score_usable_entries
from .usable_checks import check_field, check_names, check_usable


def score_entries(
    competition: Competition, settings: Settings
) -> tuple[Competition, tuple[tuple[Scorer, ...], ...]]:
    """Return the competition that is analyzed, and every part's metrics bound to its entries.

    Entries that a metric cannot score become unusable. ``runs: last`` keeps each team's last usable
    run, ``runs: best`` its best one by the ranking metric; ``anonymize`` renames and reorders the
    entries by that metric. A submission that came alone keeps its name, and its author reads
    nothing of others that are unusable. Of very many entries only the best are compared.

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
    scored = score_usable_entries(competition)
    if settings.runs == "last" and competition.form != "single":
        scored = keep_last_runs(scored, settings)
    if settings.anonymize:
        scored = scored.changed(unusable=nameless(scored.competition.unusable))
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
