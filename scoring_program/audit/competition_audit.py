"""The organizer's audit of a finished competition, and of each of its parts.

A part is the only gold, a task, or the private rows.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ..bootstrap.resample import ResampledPart, Slice, iterate_counts
from ..core.arrays import Ints
from ..core.errors import OrganizerError
from ..inference.evidence import Evidence
from ..pipeline import EvaluatedCompetition
from ..report.findings import Findings
from ..settings.model import Settings
from . import schemes as ranking_schemes
from .answer_field import Answers, AuditedPart
from .certificate import Certificate, certificate, leader_stays
from .copies import ErrorPairs, closest_first, error_similarity, identical_entries, shared_errors
from .regrade import oriented, reads_labels
from .right_answers import ExampleCounts, Shares, ceilings, count_examples, shares_right
from .schemes import Gain, RankingScheme, gains, optimism
from .withdrawal import Withdrawal, withdrawals

#: Resamples for the intervals of classes and slices.
_RESAMPLES = 2000
#: The fewest of them, and the most shares on resamples that are held at once.
_FEWEST_RESAMPLES, _HELD = 300, 40_000_000
#: The best rivals, of which one may take the lead where labels are wrong.
_BEST = 20


@dataclass(frozen=True, eq=False)
class PartAudit:
    """What the audit finds in one part by its ranking metric.

    What it cannot say of the part is None or empty: ``examples``, ``slices`` and ``right`` (of each
    slice) need answers that are right or wrong, ``recalls`` (of each class) labels, and
    ``certificates``, ``stays`` (share of noise → share of golds under which the leader stays) and
    ``ceilings`` a ranking metric of labels. ``withdrawals`` take the place of certificates where
    the ranking metric is another.
    """

    part: AuditedPart
    pairs: ErrorPairs | None = None
    examples: ExampleCounts | None = None
    slices: tuple[Slice, ...] = ()
    right: Shares | None = None
    recalls: Shares | None = None
    certificates: tuple[Certificate, ...] = ()
    stays: Mapping[float, float] = dataclasses.field(default_factory=dict)
    ceilings: Mapping[str, Any] | None = None  # as audit.json holds them
    withdrawals: tuple[Withdrawal, ...] = ()


@dataclass(frozen=True, eq=False)
class Audit:
    """What to look at again before the winners are announced. It holds gold labels.

    ``names`` are the entries of the ranking evidence; schemes and gains number them.
    """

    findings: Findings
    parts: tuple[PartAudit, ...]
    identical: tuple[tuple[tuple[str, ...], bool], ...]
    schemes: tuple[RankingScheme, ...]
    gains: tuple[Gain, ...]
    optimism: Sequence[Mapping[str, Any]]  # as audit.json holds it

    @property
    def names(self) -> tuple[str, ...]:
        """The entries of the ranking evidence, [m]."""
        return self.findings.evidence[0].names


def audit(
    evaluation: EvaluatedCompetition, public: Mapping[str, tuple[float, float]] | None = None
) -> Audit:
    """Audit a competition in which every team's submission was scored.

    ``public`` maps entries to their score on other, public examples and its standard error; by
    default on the rows that the reference data call public.

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
    first = findings.evidence[0]
    if public is None and findings.public is not None:
        shown = findings.evidence[findings.public]
        errors = map(shown.standard_error, range(len(shown.names)))
        scored = zip(shown.scores.score.tolist(), errors, strict=True)
        public = dict(zip(shown.names, scored, strict=True))
    schemes = _schemes(evaluation)
    return Audit(
        findings=findings,
        parts=tuple(
            audit_part(
                part,
                evidence,
                findings.settings,
                [competition.teams.get(name, name) for name in evidence.names],
            )
            for part, evidence in zip(evaluation.resampled, evaluation.of_parts, strict=True)
        ),
        identical=identical_entries(competition),
        schemes=tuple(schemes),
        gains=tuple(gains(schemes, ranking_schemes.competing(first))),
        optimism=[] if public is None else optimism(public, first, findings.runs),
    )


def _schemes(evaluation: EvaluatedCompetition) -> list[RankingScheme]:
    findings, ranking = evaluation.findings, evaluation.of_parts
    first = findings.evidence[0]
    of_private_rows = findings.evidence[: findings.public]
    same = [one for one in of_private_rows if one.names == first.names]
    schemes = ranking_schemes.of_metrics(same)
    schemes += ranking_schemes.of_aggregations(same)
    schemes += ranking_schemes.of_tie_rules(first)
    # A metric over tasks says nothing beside the metrics of the tasks.
    of_tasks = [one for one in same if one.task is not None]
    single = of_tasks if evaluation.competition.has_tasks else same
    if len(single) > 1:
        schemes.append(ranking_schemes.by_mean_rank(single))
    can_win = ranking_schemes.competing(first)
    if not evaluation.competition.has_tasks:
        part, settings = evaluation.resampled[0], findings.settings
        scorer = part.metrics[0].scorer
        kept = scorer.keep([scorer.names.index(name) for name in first.names], first.names)
        columns = settings.slices or tuple(filter(None, [settings.stratify]))
        slices = {column: np.array(part.part.gold.columns[column]) for column in columns}
        return schemes + ranking_schemes.without_slices(kept, slices, can_win)
    if any(not set(first.names) <= set(evidence.names) for evidence in ranking):
        return schemes  # some entries are missing from a task and count as the worst there
    of_entries = [[one.names.index(name) for name in first.names] for one in ranking]
    higher = [oriented(one.metric, one.scores.score) for one in ranking]
    losses = np.array([-one[rows] for one, rows in zip(higher, of_entries, strict=True)])
    names = [part.part.name for part in evaluation.resampled]
    method = first.metric.function or ""
    return schemes + ranking_schemes.of_task_weights(losses, names, method, can_win)


def audit_part(
    resampled: ResampledPart, evidence: Evidence, settings: Settings, teams: Sequence[str]
) -> PartAudit:
    """Audit a part; ``teams`` [m] are those that the entries of the evidence belong to."""
    part = AuditedPart.from_evidence(resampled.part, evidence, teams)
    audited = PartAudit(part)
    if part.answers is not None:
        audited = _with_answers(audited, part.answers, resampled, settings, teams)
    scorer, field, near = resampled.metrics[0].scorer, part.labels, part.near
    if field is not None:
        classes = [np.flatnonzero(field.gold == code) for code in range(len(field.labels))]
        recalls = _shares(field, classes, resampled, settings)
        audited = dataclasses.replace(audited, recalls=recalls)
    if field is None or not reads_labels(scorer.metric):
        found = withdrawals(scorer, evidence.names, part.order[0], near) if near else ()
        return dataclasses.replace(audited, withdrawals=found)
    return dataclasses.replace(
        audited,
        certificates=tuple(certificate(scorer, field, part.order[0], one) for one in near),
        stays=leader_stays(scorer, field, part.own, part.others[:_BEST], settings.seed),
        ceilings=ceilings(scorer, field, part.order, resampled.design, settings),
    )


def _with_answers(
    audited: PartAudit,
    answers: Answers,
    resampled: ResampledPart,
    settings: Settings,
    teams: Sequence[str],
) -> PartAudit:
    shared = shared_errors(answers)
    entries = {name: entry for entry, name in enumerate(answers.names)}
    baselines = {entries[name] for name in settings.baselines if name in entries}
    # Of different teams: two runs of a team, or two baselines, may be alike.
    apart = [
        (i, j)
        for i, j in combinations(range(len(entries)), 2)
        if teams[i] != teams[j] and not {i, j} <= baselines
    ]
    of_task = [pair for pair in settings.yardstick if {*pair} <= {*entries}]
    known = [(entries[one], entries[other]) for one, other in of_task]
    pairs = ErrorPairs(
        closest_first(shared, apart),
        closest_first(shared, known),
        answers.names,
        error_similarity(shared),
    )
    if not answers.gradable:
        return dataclasses.replace(audited, pairs=pairs)
    can_win = audited.part.evidence.verdict.possible_winners
    winners = [entry for entry in audited.part.order if can_win[entry]]
    slices = tuple(item.slice for item in resampled.slices)
    rows = [item.rows for item in slices]
    return dataclasses.replace(
        audited,
        pairs=pairs,
        examples=count_examples(answers, winners),
        slices=slices,
        right=_shares(answers, rows, resampled, settings) if slices else None,
    )


def _shares(
    answers: Answers, parts: Sequence[Ints], resampled: ResampledPart, settings: Settings
) -> Shares:
    """Return the shares of right answers in parts of the examples, on the run's first resamples."""
    most = max(_FEWEST_RESAMPLES, _HELD // (len(parts) * len(answers.names)))
    resamples = min(_RESAMPLES, settings.resamples, most)
    counts = iterate_counts(resampled.design, resamples, settings.seed)
    return shares_right(answers, parts, counts, settings.confidence)
