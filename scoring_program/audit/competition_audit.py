"""The organizer's audit of a finished competition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Floats
from ..core.errors import OrganizerError
from ..inference.analysis import MetricAnalysis
from ..inference.findings import Findings
from ..pipeline import EvaluatedCompetition
from . import schemes as ranking_schemes
from .identical import IdenticalEntries, identical_entries
from .optimism import Optimism, PublicScore, optimism
from .part_audit import PartAudit, audit_part
from .regrade import oriented
from .schemes import Gain, RankingScheme, gains


@dataclass(frozen=True, eq=False)
class Audit:
    """What to look at again before the winners are announced. It holds gold labels.

    ``names`` are the entries of the ranking analysis; schemes and gains number them.
    """

    findings: Findings
    parts: tuple[PartAudit, ...]
    identical: tuple[IdenticalEntries, ...]
    schemes: tuple[RankingScheme, ...]
    gains: tuple[Gain, ...]
    optimism: tuple[Optimism, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The entries of the ranking analysis, [m]."""
        return self.findings.analyses[0].names


def audit(
    evaluation: EvaluatedCompetition, public: Mapping[str, PublicScore] | None = None
) -> Audit:
    """Audit a competition in which every team's submission was scored.

    ``public`` are the entries' scores on other, public examples; by default those of the rows that
    the reference data call public.

    Raises
    ------
    OrganizerError
        There is only a single submission, or teams are scored by the mean over several.
    """
    findings, competition = evaluation.findings, evaluation.competition
    if competition.form != "teams":
        raise OrganizerError(
            "the audit compares the submissions of all teams, but res/ holds a single one; "
            "put every team's submission into res/"
        )
    if findings.settings.runs == "mean" and any(count > 1 for count in findings.runs.values()):
        raise OrganizerError(
            f"{findings.settings.where('runs')}: the audit looks at single submissions, but with "
            "'mean' a team has several; choose 'best', 'last' or 'all' for the audit"
        )
    ranking = _ranking_analyses(evaluation)
    parts = tuple(
        audit_part(
            part,
            analysis,
            findings.settings,
            [competition.teams.get(name, name) for name in analysis.names],
        )
        for part, analysis in zip(evaluation.resampled, ranking, strict=True)
    )
    found = _schemes(evaluation, ranking)
    return Audit(
        findings=findings,
        parts=parts,
        identical=identical_entries(competition),
        schemes=tuple(found),
        gains=tuple(gains(found, ranking_schemes.competing(findings.analyses[0]))),
        optimism=tuple(_optimism(findings, public)),
    )


def _ranking_analyses(evaluation: EvaluatedCompetition) -> list[MetricAnalysis]:
    """Return the analysis of each part's first metric."""
    analyses = list(evaluation.findings.analyses)
    if evaluation.competition.has_tasks:
        analyses = [analysis for analysis in analyses if analysis.task is not None]
    found = []
    for part in evaluation.resampled:
        found.append(analyses[0])
        analyses = analyses[len(part.metrics) :]
    return found


def _schemes(
    evaluation: EvaluatedCompetition, ranking: Sequence[MetricAnalysis]
) -> list[RankingScheme]:
    findings = evaluation.findings
    first = findings.analyses[0]
    of_private_rows = findings.analyses[: findings.public]
    same = [analysis for analysis in of_private_rows if analysis.names == first.names]
    found = ranking_schemes.of_metrics(same, [analysis.metric.label for analysis in same])
    found += ranking_schemes.of_aggregations(same)
    found += ranking_schemes.of_tie_rules(first)
    # A metric over tasks says nothing beside the metrics of the tasks.
    of_tasks = [analysis for analysis in same if analysis.task is not None]
    single = of_tasks if evaluation.competition.has_tasks else same
    if len(single) > 1:
        found.append(ranking_schemes.by_mean_rank(single))
    can_win = ranking_schemes.competing(first)
    if not evaluation.competition.has_tasks:
        scorer = evaluation.resampled[0].metrics[0].scorer
        rows = [scorer.names.index(name) for name in first.names]
        kept = scorer.keep(rows, first.names)
        return found + ranking_schemes.without_slices(kept, _slices(evaluation), can_win)
    if any(not set(first.names) <= set(analysis.names) for analysis in ranking):
        return found  # some entries are missing from a task and count as the worst there
    losses = np.array([-_of_entries(analysis, first.names) for analysis in ranking])
    names = [part.part.name for part in evaluation.resampled]
    method = first.metric.function or ""
    return found + ranking_schemes.of_task_weights(losses, names, method, can_win)


def _of_entries(analysis: MetricAnalysis, names: Sequence[str]) -> Floats:
    """Return the scores of some entries, higher is better."""
    return oriented(analysis.metric, analysis.score)[[analysis.names.index(name) for name in names]]


def _slices(evaluation: EvaluatedCompetition) -> Mapping[str, np.typing.NDArray[np.str_]]:
    """Return the values [n] of the columns that name slices of the test set."""
    gold = evaluation.resampled[0].part.gold
    settings = evaluation.findings.settings
    columns = settings.slices or tuple(filter(None, [settings.stratify]))
    return {column: np.array(gold.columns[column]) for column in columns}


def _optimism(findings: Findings, public: Mapping[str, PublicScore] | None) -> list[Optimism]:
    if public is None and findings.public is not None:
        shown = findings.analyses[findings.public]
        public = {
            name: PublicScore(score, error)
            for name, score, error in zip(
                shown.names, shown.score.tolist(), shown.standard_error.tolist(), strict=True
            )
        }
    return [] if public is None else optimism(public, findings.analyses[0], findings.runs)
