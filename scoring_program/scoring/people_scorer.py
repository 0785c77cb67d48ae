"""The scorer of means of a judge's scores that people's scores of some units correct."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial

import numpy as np

from ..core.arrays import Array, Bools, Floats, Ints
from ..metrics.metric import Data, Evaluated, Metric, defined
from ..metrics.sums import Sums, smallest
from .diagnostics import AnswerLayer, ComparedAnswers, Diagnostics
from .scorer import Scorer, Successors
from .scorers import SumsScorer


class PeopleScorer(SumsScorer):
    """Scores of a judge on N units, ``data``, corrected by people's (`core.people`).

    ``people`` [m][N] are people's scores, nan where they did not score an entry. ``weight`` is λ.
    """

    def __init__(
        self,
        metric: Metric,
        data: Data,
        names: Sequence[str],
        people: Sequence[Floats],
        weight: float,
        judged: Bools,
        sums: Sums | None = None,
    ) -> None:
        self.people = tuple(people)
        self.weight = weight
        self.judged = judged
        share = weight * (1 - np.count_nonzero(judged) / judged.size)
        #: c, with which the judge's scores count.
        self.share = float(share)
        if sums is None:
            sums = _sums_of(data.y_preds, people, judged, self.share)
        super().__init__(metric, data, names, sums)

    def _keep(self, entries: Sequence[int], names: Sequence[str], successors: Successors) -> Scorer:
        return PeopleScorer(
            self.metric,
            self.data.keep(entries),
            names,
            [self.people[entry] for entry in entries],
            self.weight,
            self.judged,
            self.sums.keep(entries),
        )

    def _take(self, rows: Ints, taken: Successors) -> Scorer:
        # The share c is that of all units, so that only the sums are taken.
        return SumsScorer(self.metric, self.data.take(rows), self.names, self.sums.take(rows))

    @cached_property
    def answers(self) -> ComparedAnswers:
        """People's scores: what the judge alone tells apart is no evidence."""
        return ComparedAnswers((AnswerLayer(list(self.people)),))

    @cached_property
    def diagnostics(self) -> Diagnostics:
        """What people's scores can show; a corrected mean is no share of units."""
        rows = np.flatnonzero(self.judged)
        people = tuple(scores[rows] for scores in self.people)
        data = Data(np.zeros(rows.size), people)
        of_people = Diagnostics.from_metric(self.metric, data)
        negative = any((scores < 0).any() for scores in self.data.y_preds) or of_people.negative
        return Diagnostics(None, of_people.disagreements, None, negative=negative)


def _sums_of(judge: Sequence[Array], people: Sequence[Floats], judged: Bools, share: float) -> Sums:
    """Bind what is summed: y, f and 1 where people scored a unit, f and 1 where they did not.

    Sums of whole numbers stay whole, so that scores of 0 and 1 are drawn and summed the fast way.
    """
    columns = []
    shared: dict[bytes, Array] = {}
    for f, y in zip(judge, people, strict=True):
        by_people = ~np.isnan(y)
        by_judge = ~judged & ~np.isnan(f)
        scores = f.astype(np.float64)
        columns.append((
            smallest(np.where(by_people, y, 0.0)),
            smallest(np.where(by_people, scores, 0.0)),
            shared.setdefault(by_people.tobytes(), by_people),
            smallest(np.where(by_judge, scores, 0.0)),
            shared.setdefault(by_judge.tobytes(), by_judge),
        ))  # fmt: skip
    return Sums(
        tuple(columns), partial(corrected, share=share), slopes=partial(_slopes, share=share)
    )


def corrected(sums: Floats, share: float) -> Evaluated:
    """Return corrected means [m, R] from the sums [m, 5, R] of `_sums_of`, with the share c."""
    y, f, judged, elsewhere, unjudged = (sums[:, place] for place in range(5))
    with np.errstate(divide="ignore", invalid="ignore"):
        means = (y - share * f) / judged
        if share > 0:
            means = means + share * (elsewhere / unjudged)
    return defined(means)


def _slopes(totals: Floats, share: float) -> Floats:
    """Return the derivatives [m, 5] of the corrected means with respect to the sums [m, 5]."""
    y, f, judged, elsewhere, unjudged = totals.T
    slopes = np.zeros_like(totals)
    slopes[:, 0] = 1 / judged
    slopes[:, 1] = -share / judged
    slopes[:, 2] = -(y - share * f) / judged**2
    if share > 0:
        slopes[:, 3] = share / unjudged
        slopes[:, 4] = -share * elsewhere / unjudged**2
    return slopes
