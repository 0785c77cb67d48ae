"""How far the field as a whole could get: an oracle over entries, and the majority vote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..bootstrap.design import Design
from ..bootstrap.resample import resample
from ..core.arrays import Ints
from ..inference.analyze import analyze
from ..inference.basis import MetricScores
from ..inference.question import Question
from ..scoring.scorer import Scorer
from ..settings.model import Settings
from .answer_field import LabelField
from .regrade import bound_again


@dataclass(frozen=True)
class Ceilings:
    """Scores of the oracle and of the majority vote, and the vote compared with the leader.

    ``difference`` is how far the vote is ahead of the leader, in the metric's own units, with its
    paired interval and two-sided p-value.
    """

    oracle: float
    majority: float
    difference: float
    low: float
    high: float
    p_value: float


def ceilings(
    scorer: Scorer, field: LabelField, order: Sequence[int], design: Design, settings: Settings
) -> Ceilings:
    """Score the oracle and the majority vote; ``order`` numbers the entries, best first."""
    leader = order[0]
    labels = [field.predicted[leader], _majority(field, order), _oracle(field, leader)]
    names = (field.names[leader], "majority", "oracle")
    bound = bound_again(scorer, field.texts(field.gold), list(map(field.texts, labels)), names)
    (replicates,) = resample([bound], design, settings.resamples, settings.seed)
    scores = MetricScores(
        bound.metric,
        names,
        bound.observed,
        replicates,
        n=design.n,
        groups=design.groups,
    )
    # The leader is not chosen among the three, so its comparison with the vote is two-sided.
    question = Question(settings.confidence, reference_entry=names[0])
    against = analyze(scores, question).differences
    assert against is not None  # only a mean rank has none
    return Ceilings(
        oracle=float(bound.observed[2]),
        majority=float(bound.observed[1]),
        difference=-float(against.observed[1]),
        low=-float(against.high[1]),
        high=-float(against.low[1]),
        p_value=float(against.p_two_sided[1]),
    )


def _oracle(field: LabelField, leader: int) -> Ints:
    """Return the labels [n] of an oracle over entries: the gold where any entry has it.

    Elsewhere it answers as the leader does. Its score bounds what any choice among the entries'
    answers can reach under accuracy.
    """
    return np.where(field.right.any(axis=0), field.gold, field.predicted[leader])


def _majority(field: LabelField, order: Sequence[int]) -> Ints:
    """Return the label [n] that most entries give; of equally frequent ones, the best entry's."""
    rows = np.arange(len(field.gold))
    votes = np.zeros((len(field.labels), len(rows)), np.intp)
    for codes, absent in zip(field.predicted, field.absent, strict=True):
        votes[codes, rows] += ~absent
    most = votes.max(axis=0)
    chosen = np.full(len(rows), -1, np.intp)
    for entry in order:
        codes = field.predicted[entry]
        decides = (chosen < 0) & (votes[codes, rows] == most)
        chosen[decides] = codes[decides]
    return chosen
