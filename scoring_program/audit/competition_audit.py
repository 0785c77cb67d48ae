"""The organizer's audit of a finished competition, and of each of its parts.

A part is the only gold, a task, or the private rows.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..bootstrap.resample import iterate_counts
from ..bootstrap.resample_parts import ResampledPart, Slice
from ..core.arrays import Floats, Ints
from ..core.errors import OrganizerError
from ..data.score_tables.score_table import UNITS
from ..inference.evidence import Evidence
from ..pipeline import EvaluatedCompetition
from ..report.findings import Findings
from ..settings.model import Settings
from . import schemes as ranking_schemes
from .answer_field import Answers, LabelField, answers_of_kind, ids_of, label_field
from .ceilings import Ceilings, ceilings
from .certificate import Certificate, certificate, leader_stays
from .copies import (
    ErrorPairs,
    IdenticalEntries,
    closest_first,
    clustered_order,
    error_similarity,
    identical_entries,
    shared_errors,
)
from .optimism import Optimism, optimism
from .regrade import oriented, reads_labels
from .right_answers import (
    Confusion,
    ExampleCounts,
    Shares,
    confusion,
    count_examples,
    shares_right,
)
from .schemes import Gain, RankingScheme, gains
from .withdrawal import Withdrawal, withdrawals

#: Resamples for the intervals of classes and slices.
_RESAMPLES = 2000
#: The fewest of them, and the most shares on resamples that are held at once.
_FEWEST_RESAMPLES, _HELD = 300, 40_000_000
#: Rivals that get a certificate: the possible winners and the best of the others.
_NEAR = 10
#: The best rivals, of which one may take the lead where labels are wrong.
_BEST = 20


@dataclass(frozen=True)
class Rivals:
    """The competing entries, best first: numbers of the evidence.

    Baselines cannot win, and a run of the leader's own team is no rival.
    """

    order: tuple[int, ...]
    own: tuple[int, ...]  # the leader, and the other runs of its team
    others: tuple[int, ...]  # of other teams
    near: tuple[int, ...]  # of the others, those tied with the leader, and the best ones

    @property
    def leader(self) -> int:
        """The leading entry."""
        return self.order[0]

    @property
    def best(self) -> tuple[int, ...]:
        """The best rivals."""
        return self.others[:_BEST]

    @classmethod
    def from_evidence(cls, evidence: Evidence, teams: Sequence[str]) -> Rivals:
        """Return the rivals by a metric; ``teams`` [m] are those of the entries."""
        order = [
            entry
            for entry in evidence.scores.order.tolist()
            if entry not in evidence.scores.baselines
        ]
        own = [entry for entry in order if teams[entry] == teams[order[0]]]
        rivals = [entry for entry in order if entry not in own]
        tied = np.asarray(evidence.verdict.possible_winners)
        near = [e for place, e in enumerate(rivals) if place < _NEAR or tied[e]]
        return cls(*map(tuple, (order, own, rivals, near)))


@dataclass(frozen=True, eq=False)
class AnswerAudit:
    """What the answers say about examples and entries, which are numbered as in ``answers``.

    ``examples``, ``slices`` and ``right`` (of each slice) need answers that are gradable.
    """

    answers: Answers
    similarity: Floats  # [m, m]
    clustered: Sequence[int]
    pairs: ErrorPairs
    examples: ExampleCounts | None = None
    slices: tuple[Slice, ...] = ()
    right: Shares | None = None


@dataclass(frozen=True, eq=False)
class LabelAudit:
    """What labels say; entries are numbered as in ``field``.

    ``certificates``, ``stays`` (share of noise → share of golds under which the leader stays) and
    ``ceilings`` need a ranking metric of labels.
    """

    field: LabelField
    confusion: Confusion  # of all entries
    confusions: tuple[Confusion, ...]  # of each entry
    recalls: Shares  # of each class
    certificates: tuple[Certificate, ...] = ()
    stays: Mapping[float, float] = dataclasses.field(default_factory=dict)
    ceilings: Ceilings | None = None


@dataclass(frozen=True, eq=False)
class PartAudit:
    """The audit of one part by its ranking metric.

    ``answers`` is None if examples have no correct answer, and ``labels`` if no metric reads
    labels. ``withdrawals`` take the place of certificates where the ranking metric does not.
    """

    name: str
    ids: tuple[str, ...]  # of the examples, [n]
    kind: str  # what an example is
    evidence: Evidence
    rivals: Rivals
    answers: AnswerAudit | None
    labels: LabelAudit | None
    withdrawals: tuple[Withdrawal, ...] = ()

    @property
    def has_gold(self) -> bool:
        """Whether there are correct answers, and not only scores that were made elsewhere."""
        return self.kind != UNITS


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
        optimism=() if public is None else tuple(optimism(public, first, findings.runs)),
    )


def _schemes(evaluation: EvaluatedCompetition) -> list[RankingScheme]:
    findings, ranking = evaluation.findings, evaluation.of_parts
    first = findings.evidence[0]
    of_private_rows = findings.evidence[: findings.public]
    same = [one for one in of_private_rows if one.names == first.names]
    schemes = ranking_schemes.of_metrics(same, [one.metric.label for one in same])
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
    part, names = resampled.part, evidence.names
    rivals = Rivals.from_evidence(evidence, teams)
    field = label_field(part, names)
    answers = field or answers_of_kind(part, names)
    scorer = resampled.metrics[0].scorer
    tied = [entry for entry in rivals.order if evidence.verdict.possible_winners[entry]]
    by_labels = field is not None and reads_labels(scorer.metric)
    return PartAudit(
        name=part.name,
        ids=ids_of(part),
        kind=part.gold.kind,
        evidence=evidence,
        rivals=rivals,
        answers=_of_answers(answers, resampled, settings, teams, tied) if answers else None,
        labels=_of_labels(field, resampled, rivals, settings) if field else None,
        withdrawals=()
        if by_labels or not rivals.near
        else withdrawals(scorer, names, rivals.leader, rivals.near),
    )


def _of_answers(
    answers: Answers,
    resampled: ResampledPart,
    settings: Settings,
    teams: Sequence[str],
    winners: Sequence[int],
) -> AnswerAudit:
    shared = shared_errors(answers)
    similarity = error_similarity(shared)
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
    slices = tuple(item.slice for item in resampled.slices) if answers.gradable else ()
    rows = [item.rows for item in slices]
    return AnswerAudit(
        answers=answers,
        similarity=similarity,
        clustered=clustered_order(similarity),
        pairs=ErrorPairs(closest_first(shared, apart), closest_first(shared, known)),
        examples=count_examples(answers, winners) if answers.gradable else None,
        slices=slices,
        right=_shares(answers, rows, resampled, settings) if slices else None,
    )


def _of_labels(
    field: LabelField, resampled: ResampledPart, rivals: Rivals, settings: Settings
) -> LabelAudit:
    classes = [np.flatnonzero(field.gold == code) for code in range(len(field.labels))]
    audit = LabelAudit(
        field=field,
        confusion=confusion(field, range(len(field.names))),
        confusions=tuple(confusion(field, [entry]) for entry in range(len(field.names))),
        recalls=_shares(field, classes, resampled, settings),
    )
    scorer = resampled.metrics[0].scorer
    if not reads_labels(scorer.metric):
        return audit
    leader, near = rivals.leader, rivals.near
    return dataclasses.replace(
        audit,
        certificates=tuple(certificate(scorer, field, leader, rival) for rival in near),
        stays=leader_stays(scorer, field, rivals.own, rivals.best, settings.seed),
        ceilings=ceilings(scorer, field, rivals.order, resampled.design, settings),
    )


def _shares(
    answers: Answers, parts: Sequence[Ints], resampled: ResampledPart, settings: Settings
) -> Shares:
    """Return the shares of right answers in parts of the examples, on the run's first resamples."""
    most = max(_FEWEST_RESAMPLES, _HELD // (len(parts) * len(answers.names)))
    resamples = min(_RESAMPLES, settings.resamples, most)
    counts = iterate_counts(resampled.design, resamples, settings.seed)
    return shares_right(answers, parts, counts, settings.confidence)
