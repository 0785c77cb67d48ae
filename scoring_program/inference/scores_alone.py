"""The evidence about a metric that can score no resample: the scores and their order alone.

A function that reads the ids of its rows and raises an error on repeated ones scores the whole test
set, and nothing else: on a resample, some row is drawn twice. Nothing is then known of how the
scores would vary, so that no entry is ruled out, and there is no interval, test or plan.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.phrases import Phrase
from ..scoring.scorer import ScoredMetric
from .basis import Field, number
from .evidence import (
    WITHHELD,
    Caution,
    Competitiveness,
    Evidence,
    Front,
    Question,
    Standing,
    Verdict,
)

#: The code of the caution that withdraws every claim.
REPEATED_IDS = "repeated_ids"


def analyze_scores_alone(
    scored: ScoredMetric, names: Sequence[str], teams: Sequence[str], question: Question, n: int
) -> Evidence:
    """Return what the scores of entries called ``names`` [m] say alone, on ``n`` examples."""
    metric = scored.metric
    observed = scored.observed
    theta = observed if metric.greater_is_better else -observed
    field = Field.from_scores(theta, names, question.baselines, teams)
    competing = field.competing
    size = field.order.size
    named = question.reference_entry
    reference = field.leader if named is None else number(named, names, "reference_entry")
    last = np.where(competing, np.count_nonzero(competing), 0)
    first = competing.astype(np.intp)
    runs = len({*teams}) < len(teams) or len(scored.further_runs) > 0
    withheld = Phrase(
        "{metric} reads the ids of its rows, and raises an error if an id is there twice, as on "
        "every resample. So there are scores only, without intervals and tests, and nobody is "
        "ruled out. Where results.json has null, nothing is known; it is no zero.",
        metric=metric.label,
    )
    return Evidence(
        metric=metric,
        names=tuple(names),
        n=n,
        resamples=0,
        undefined=0,
        question=question,
        scores=field.scores(observed, theta, reference, several_runs=runs),
        standing=Standing(
            rule=WITHHELD,
            tied={WITHHELD: competing},
            rank_low=first,
            rank_high=last,
            joint_low=first,
            joint_high=last,
            tier=np.ones(size, np.intp),
            separated_from=np.full(size, -1),
            better=np.zeros((size, size), np.bool_),
        ),
        verdict=_verdict(question, names, field),
        rank_frequency=np.zeros((size, size)),
        competitiveness=Competitiveness.from_scores(
            metric, observed[field.best_of_teams], n, {}, {}
        ),
        cautions=(Caution("red", REPEATED_IDS, float(n), withheld),),
    )


def _verdict(question: Question, names: Sequence[str], field: Field) -> Verdict:
    """Return that anybody who competes may be the best."""
    reason = "alone" if np.count_nonzero(field.competing) == 1 else REPEATED_IDS
    front = None
    if question.costs is not None:
        front = Front.unknown(question.costs_of(names), reason)
    return Verdict(
        leaders=field.leaders,
        possible_winners=field.competing,
        verified=False,
        unverified_by=None,
        places=None,
        confidence=None,
        withdrawn_because=reason,
        corrected=None,
        uncorrected_because="caution",
        front=front,
    )
