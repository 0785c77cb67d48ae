"""The audit of one part of a competition: of its only gold, of a task, or of the private rows."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..bootstrap.resample import iterate_counts
from ..bootstrap.resample_parts import ResampledPart
from ..bootstrap.slices import Slice
from ..core.arrays import Floats, Ints
from ..data.score_tables.score_table import UNITS
from ..inference.evidence import Evidence
from ..settings.model import Settings
from .answer_field import Answers, answers_of_kind, ids_of
from .ceilings import Ceilings, ceilings
from .certificate import Certificate, certificate
from .confusion import Confusion, clustered_order, confusion, error_similarity, shared_errors
from .examples import ExampleCounts, count_examples
from .label_field import LabelField, label_field
from .label_noise import leader_stays
from .near_copies import ErrorPairs, closest_first
from .regrade import reads_labels
from .rivals import Rivals
from .shares_right import SharesRight, shares_right
from .withdrawal import Withdrawal, withdrawals

#: Resamples for the intervals of classes and slices.
_RESAMPLES = 2000
#: The fewest of them, and the most shares on resamples that are held at once.
_FEWEST_RESAMPLES, _HELD = 300, 40_000_000


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
    right: SharesRight | None = None


@dataclass(frozen=True, eq=False)
class LabelAudit:
    """What labels say; entries are numbered as in ``field``.

    ``certificates``, ``stays`` (share of noise → share of golds under which the leader stays) and
    ``ceilings`` need a ranking metric of labels.
    """

    field: LabelField
    confusion: Confusion  # of all entries
    confusions: tuple[Confusion, ...]  # of each entry
    recalls: SharesRight  # of each class
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


def audit_part(
    resampled: ResampledPart, evidence: Evidence, settings: Settings, teams: Sequence[str]
) -> PartAudit:
    """Audit a part; ``teams`` [m] are those that the entries of the evidence belong to."""
    part, names = resampled.part, evidence.names
    rivals = Rivals.of(evidence, teams)
    field = label_field(part, names)
    answers = field or answers_of_kind(part, names)
    scorer = resampled.metrics[0].scorer
    scored_by_labels = field is not None and reads_labels(scorer.metric)
    near = () if scored_by_labels else rivals.near
    return PartAudit(
        name=part.name,
        ids=ids_of(part),
        kind=part.gold.kind,
        evidence=evidence,
        rivals=rivals,
        answers=_of_answers(answers, resampled, evidence, settings, teams) if answers else None,
        labels=_of_labels(field, resampled, rivals, settings) if field else None,
        withdrawals=withdrawals(scorer, names, rivals.leader, near) if near else (),
    )


def _of_answers(
    answers: Answers,
    resampled: ResampledPart,
    evidence: Evidence,
    settings: Settings,
    teams: Sequence[str],
) -> AnswerAudit:
    shared = shared_errors(answers)
    similarity = error_similarity(shared)
    audit = AnswerAudit(
        answers=answers,
        similarity=similarity,
        clustered=clustered_order(similarity),
        pairs=_pairs(shared, answers.names, teams, settings),
    )
    if not answers.gradable:
        return audit
    slices = tuple(item.slice for item in resampled.slices)
    rows = [item.rows for item in slices]
    winners = [
        entry
        for entry in Rivals.of(evidence, teams).order
        if evidence.standing.tied_with_leader[entry]
    ]
    return dataclasses.replace(
        audit,
        examples=count_examples(answers, winners),
        slices=slices,
        right=_shares(answers, rows, resampled, settings) if slices else None,
    )


def _pairs(
    shared: Ints, names: Sequence[str], teams: Sequence[str], settings: Settings
) -> ErrorPairs:
    """Return the pairs of different teams; two runs of a team, or two baselines, may be alike."""
    entries = {name: entry for entry, name in enumerate(names)}
    baselines = {entries[name] for name in settings.baselines if name in entries}
    apart = [
        (i, j)
        for i, j in combinations(range(len(names)), 2)
        if teams[i] != teams[j] and not {i, j} <= baselines
    ]
    yardstick = [
        (entries[one], entries[other])
        for one, other in settings.yardstick
        if one in entries and other in entries  # of this task
    ]
    return ErrorPairs(closest_first(shared, apart), closest_first(shared, yardstick))


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
) -> SharesRight:
    """Return the shares of right answers in parts of the examples, on the run's first resamples."""
    most = max(_FEWEST_RESAMPLES, _HELD // (len(parts) * len(answers.names)))
    resamples = min(_RESAMPLES, settings.resamples, most)
    counts = iterate_counts(resampled.design, resamples, settings.seed)
    return shares_right(answers, parts, counts, settings.confidence)
