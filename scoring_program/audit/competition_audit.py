"""The organizer's audit of a finished competition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Floats
from ..core.errors import OrganizerError
from ..inference.evidence import Evidence
from ..pipeline import EvaluatedCompetition
from ..report.findings import Findings
from . import schemes as ranking_schemes
from .identical import IdenticalEntries, identical_entries
from .optimism import Optimism, PublicScore, optimism
from .part_audit import PartAudit, audit_part
from .regrade import oriented
from .schemes import Gain, RankingScheme, gains


@dataclass(frozen=True, eq=False)
class Audit:
    """What to look at again before the winners are announced. It holds gold labels.

    ``names`` are the entries of the ranking evidence; schemes and gains number them.
    """

    findings: Findings
    parts: tuple[PartAudit, ...]
    identical: tuple[IdenticalEntries, ...]
    schemes: tuple[RankingScheme, ...]
    gains: tuple[Gain, ...]
    optimism: tuple[Optimism, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The entries of the ranking evidence, [m]."""
        return self.findings.evidence[0].names


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
    ranking = evaluation.of_parts
    parts = tuple(
        audit_part(
            part,
            evidence,
            findings.settings,
            [competition.teams.get(name, name) for name in evidence.names],
        )
        for part, evidence in zip(evaluation.resampled, ranking, strict=True)
    )
    found = _schemes(evaluation, ranking)
    return Audit(
        findings=findings,
        parts=parts,
        identical=identical_entries(competition),
        schemes=tuple(found),
        gains=tuple(gains(found, ranking_schemes.competing(findings.evidence[0]))),
        optimism=tuple(_optimism(findings, public)),
    )


def _schemes(evaluation: EvaluatedCompetition, ranking: Sequence[Evidence]) -> list[RankingScheme]:
    findings = evaluation.findings
    first = findings.evidence[0]
    of_private_rows = findings.evidence[: findings.public]
    same = [one for one in of_private_rows if one.names == first.names]
    found = ranking_schemes.of_metrics(same, [one.metric.label for one in same])
    found += ranking_schemes.of_aggregations(same)
    found += ranking_schemes.of_tie_rules(first)
    # A metric over tasks says nothing beside the metrics of the tasks.
    of_tasks = [one for one in same if one.task is not None]
    single = of_tasks if evaluation.competition.has_tasks else same
    if len(single) > 1:
        found.append(ranking_schemes.by_mean_rank(single))
    can_win = ranking_schemes.competing(first)
    if not evaluation.competition.has_tasks:
        scorer = evaluation.resampled[0].metrics[0].scorer
        rows = [scorer.names.index(name) for name in first.names]
        kept = scorer.keep(rows, first.names)
        return found + ranking_schemes.without_slices(kept, _slices(evaluation), can_win)
    if any(not set(first.names) <= set(evidence.names) for evidence in ranking):
        return found  # some entries are missing from a task and count as the worst there
    losses = np.array([-_of_entries(evidence, first.names) for evidence in ranking])
    names = [part.part.name for part in evaluation.resampled]
    method = first.metric.function or ""
    return found + ranking_schemes.of_task_weights(losses, names, method, can_win)


def _of_entries(evidence: Evidence, names: Sequence[str]) -> Floats:
    """Return the scores of some entries, higher is better."""
    entries = [evidence.names.index(name) for name in names]
    return oriented(evidence.metric, evidence.scores.score)[entries]


def _slices(evaluation: EvaluatedCompetition) -> Mapping[str, np.typing.NDArray[np.str_]]:
    """Return the values [n] of the columns that name slices of the test set."""
    gold = evaluation.resampled[0].part.gold
    settings = evaluation.findings.settings
    columns = settings.slices or tuple(filter(None, [settings.stratify]))
    return {column: np.array(gold.columns[column]) for column in columns}


def _optimism(findings: Findings, public: Mapping[str, PublicScore] | None) -> list[Optimism]:
    if public is None and findings.public is not None:
        shown = findings.evidence[findings.public]
        public = {
            name: PublicScore(float(shown.scores.score[i]), shown.standard_error(i))
            for i, name in enumerate(shown.names)
        }
    return [] if public is None else optimism(public, findings.evidence[0], findings.runs)
