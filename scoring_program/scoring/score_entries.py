"""From aligned entries to the entries that are compared. Every metric is bound and scored once."""

from __future__ import annotations

from ..alignment.competition import Competition
from ..metrics.statistics import Counting
from ..settings.model import Settings
from .bind import HERE
from .bind_parts import names_in_messages
from .contenders import anonymize, keep_best_runs, keep_comparable
from .last_runs import keep_last_runs
from .mean_runs import score_by_mean
from .scored_metric import ScoredMetric, keep
from .unscorable import nameless, nameless_aside, score_usable_entries
from .usable_checks import check_field, check_names, check_usable


def score_entries(
    competition: Competition, settings: Settings, counting: Counting = HERE
) -> tuple[Competition, tuple[tuple[ScoredMetric, ...], ...]]:
    """Return the competition to analyze, and every part's metrics bound to its entries.

    Entries that no metric can score become unusable; those that only some can score stay out of the
    others. ``runs: last`` shows each team's last usable run, ``runs: best`` the best one by the
    ranking metric, and ``runs: mean`` the mean over all. ``anonymize`` renames the entries and
    sorts them by that metric. A single submission keeps its name, and its author learns nothing
    about unusable submissions of the field. Of very many entries, only the best are compared.

    Raises
    ------
    SubmissionError
        The single submission cannot be scored, fewer than two entries can be scored, or one cannot
        and ``strict`` is set.
    OrganizerError
        No submission of the field can be scored.
    SettingsError
        ``baselines`` or ``reference_entry`` name an entry that does not exist, or more than
        `contenders.MOST_ENTRIES` compete in a field or in several tasks.
    """
    scored = score_usable_entries(competition, counting)
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
        if settings.runs == "mean":
            scored = score_by_mean(scored, settings)
        check_names(scored.competition, settings)
        if settings.anonymize:
            scored = scored.changed(left_aside=nameless_aside(scored.competition.left_aside))
            scored = anonymize(scored, settings)
        scored = keep_comparable(scored, settings)
    names = names_in_messages(scored.competition)
    metrics = tuple(keep(part, range(len(names)), names) for part in scored.scored)
    return scored.competition, metrics
