"""The audit of one part of a competition: of its only gold, of a task, or of the private rows."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..bootstrap.resample import iterate_counts
from ..bootstrap.resample_parts import ResampledPart
from ..bootstrap.slices import Slice
from ..core.arrays import Floats, Ints
from ..inference.analysis import MetricAnalysis
from ..settings.model import Settings
from .ceilings import Ceilings, ceilings
from .certificate import Certificate, certificate
from .confusion import clustered_order, confusion, error_similarity, shared_errors
from .examples import ExampleCounts, count_examples
from .label_field import LabelField, label_field
from .label_noise import leader_stays
from .near_copies import NearCopy, near_copies
from .regrade import reads_labels
from .shares_right import SharesRight, shares_right

#: Rivals that get a certificate: the possible winners and the best of the others.
_RIVALS = 10
#: Resamples for the intervals of classes and slices.
_RESAMPLES = 2000


@dataclass(frozen=True, eq=False)
class LabelAudit:
    """What the labels of a part say about entries and examples; entries are numbered as ``field``.

    ``certificates``, ``stays`` (share of noise → share of golds under which the leader stays) and
    ``ceilings`` need a ranking metric of labels.
    """

    field: LabelField
    examples: ExampleCounts
    confusion: Ints  # [m, C, C]
    recalls: SharesRight  # of each class
    similarity: Floats  # [m, m]
    clustered: Sequence[int]
    copies: tuple[NearCopy, ...]
    slices: tuple[Slice, ...] = ()
    right: SharesRight | None = None  # of each slice
    certificates: tuple[Certificate, ...] = ()
    stays: Mapping[float, float] = dataclasses.field(default_factory=dict)
    ceilings: Ceilings | None = None
    leader: int = 0


@dataclass(frozen=True, eq=False)
class PartAudit:
    """The audit of one part by its ranking metric; ``labels`` is None if no metric reads labels."""

    name: str
    analysis: MetricAnalysis
    labels: LabelAudit | None


def audit_part(
    resampled: ResampledPart,
    analysis: MetricAnalysis,
    settings: Settings,
    alike: set[tuple[int, int]],
) -> PartAudit:
    """Audit a part; ``alike`` are pairs of entries (i < j) that are runs of one team."""
    found = label_field(resampled.part, analysis.names)
    labels = None
    if found is not None and len(found.names) > 1:
        labels = _with_metric(
            _label_audit(found, resampled, analysis, settings, alike), resampled, analysis, settings
        )
    return PartAudit(resampled.part.name, analysis, labels)


def _label_audit(
    found: LabelField,
    resampled: ResampledPart,
    analysis: MetricAnalysis,
    settings: Settings,
    alike: set[tuple[int, int]],
) -> LabelAudit:
    """Return the questions that need no metric."""
    winners = np.flatnonzero(analysis.tied_with_leader).tolist()
    similarity = error_similarity(shared_errors(found))
    resamples = min(_RESAMPLES, settings.resamples)

    def shares(parts: Sequence[Ints]) -> SharesRight:
        counts = iterate_counts(resampled.design, resamples, settings.seed)
        return shares_right(found, parts, counts, settings.confidence)

    slices = tuple(item.slice for item in resampled.slices)
    return LabelAudit(
        field=found,
        examples=count_examples(found, winners),
        confusion=confusion(found),
        recalls=shares([np.flatnonzero(found.gold == k) for k in range(len(found.labels))]),
        similarity=similarity,
        clustered=clustered_order(similarity),
        copies=tuple(near_copies(found, alike)),
        slices=slices,
        right=shares([item.rows for item in slices]) if slices else None,
    )


def _with_metric(
    audit: LabelAudit, resampled: ResampledPart, analysis: MetricAnalysis, settings: Settings
) -> LabelAudit:
    """Add the questions that score changed labels by the ranking metric, if it reads labels."""
    scorer = resampled.metrics[0].scorer
    if not reads_labels(scorer.metric):
        return audit
    order = [entry for entry in analysis.order.tolist() if entry not in analysis.baselines]
    leader, rivals = order[0], order[1:]
    near = [
        entry
        for place, entry in enumerate(rivals)
        if place < _RIVALS or analysis.tied_with_leader[entry]
    ]
    return replace(
        audit,
        certificates=tuple(certificate(scorer, audit.field, leader, rival) for rival in near),
        stays=leader_stays(scorer, audit.field, np.array(order), settings.seed),
        leader=leader,
        ceilings=ceilings(scorer, audit.field, order, resampled.design, settings),
    )
