"""The organizer's audit of a finished competition."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..alignment.competition import Competition
from ..core.errors import OrganizerError
from ..inference.analysis import MetricAnalysis
from ..inference.findings import Findings
from ..pipeline import EvaluatedCompetition
from . import schemes as ranking_schemes
from .optimism import Optimism, PublicScore, optimism
from .part_audit import PartAudit, audit_part
from .schemes import Gain, RankingScheme, gains


@dataclass(frozen=True, eq=False)
class Audit:
    """What to look at again before the winners are announced. It holds gold labels.

    ``names`` are the entries of the ranking analysis; schemes and gains number them.
    ``identical`` are groups of entries whose files are the same, byte by byte.
    """

    findings: Findings
    parts: tuple[PartAudit, ...]
    identical: tuple[tuple[str, ...], ...]
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
        audit_part(part, analysis, findings.settings, _runs_of_one_team(competition, analysis))
        for part, analysis in zip(evaluation.resampled, ranking, strict=True)
    )
    found = _schemes(evaluation, ranking)
    return Audit(
        findings=findings,
        parts=parts,
        identical=_identical(competition),
        schemes=tuple(found),
        gains=tuple(gains(found, found[0])),
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


def _runs_of_one_team(competition: Competition, analysis: MetricAnalysis) -> set[tuple[int, int]]:
    teams = [competition.teams.get(name, name) for name in analysis.names]
    return {(i, j) for j in range(len(teams)) for i in range(j) if teams[i] == teams[j]}


def _identical(competition: Competition) -> tuple[tuple[str, ...], ...]:
    """Return the groups of entries whose files are the same in every part."""
    names_of: dict[tuple[str, ...], list[str]] = defaultdict(list)
    files: dict[str, tuple[str, ...]] = {}
    for part in competition.parts:
        for entry in filter(None, part.entries):
            files[entry.name] = (*files.get(entry.name, ()), entry.sha256)
    for name, digests in files.items():
        names_of[digests].append(name)
    return tuple(tuple(names) for names in names_of.values() if len(names) > 1)


def _schemes(
    evaluation: EvaluatedCompetition, ranking: Sequence[MetricAnalysis]
) -> list[RankingScheme]:
    findings = evaluation.findings
    first = findings.analyses[0]
    same = [analysis for analysis in findings.analyses if analysis.names == first.names]
    found = ranking_schemes.of_metrics(same, [analysis.metric.label for analysis in same])
    found += ranking_schemes.of_aggregations(same)
    found += ranking_schemes.of_tie_rules(first)
    if len(same) > 1:
        found.append(ranking_schemes.by_mean_rank(same))
    if evaluation.competition.has_tasks:
        complete = [analysis for analysis in ranking if analysis.names == first.names]
        losses = [
            -analysis.score if analysis.metric.greater_is_better else analysis.score
            for analysis in complete
        ]
        names = [part.part.name for part in evaluation.resampled]
        if len(complete) == len(names):
            found += ranking_schemes.without_tasks(np.array(losses), names)
    else:
        part = evaluation.resampled[0]
        found += ranking_schemes.without_slices(part.metrics[0].scorer, _slices(evaluation))
    return found


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
