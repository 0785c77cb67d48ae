"""A judge scores all units and people some: is a given best system kept, and the right one named?

Every competition goes through `compare_scores`, as users call it. A judge favors some systems: how
much, differs from one competition to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import scoring_program as dh

#: Which scores [N, m] people would give, from how good [N, m] systems are on units.
Scale = Callable[[np.ndarray], np.ndarray]
#: A judge's score is this much of people's, and so much noise.
USUAL, NOISE = 0.8, 0.6
#: How much a judge favors a system, in standard deviations of a score.
FAVOR = 0.3
#: Units of a document.
OF_DOCUMENT = 5


def plain(quality: np.ndarray) -> np.ndarray:
    """Return scores that are numbers of any size."""
    return quality


def likert(quality: np.ndarray) -> np.ndarray:
    """Return scores from 1 to 5."""
    return np.clip(np.round(3.5 + quality), 1, 5)


def mostly_right(quality: np.ndarray) -> np.ndarray:
    """Return scores of 0 and 1, of which 95% are 1."""
    return (quality > -1.645 * np.sqrt(2)).astype(float)


@dataclass(frozen=True)
class Cell:
    """A kind of competition: people score ``judged`` of the ``units``, or of the ``documents``.

    ``follows`` is how much of people's scores the judge's are, and ``noise`` what else is in them,
    both times the judge's ``breadth``. Of people's scores, a share may be ``missing``. Chosen
    ``by_disagreement`` instead of at random, people's units are those on which the judge is
    furthest from people.
    """

    systems: int
    judged: int
    units: int
    scale: Scale = plain
    follows: float = USUAL
    noise: float = NOISE
    breadth: float = 1.0
    missing: float = 0.0
    documents: bool = False
    by_disagreement: bool = False

    def draw(
        self, rng: np.random.Generator, ahead: float
    ) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray], dict[str, Any]]:
        """Return the judge's scores, people's with nan, and arguments; the first is ``ahead``."""
        shape = self.units, self.systems
        document = np.arange(self.units) // OF_DOCUMENT
        quality = rng.normal(size=(self.units, 1)) + rng.normal(size=shape)
        arguments: dict[str, Any] = {}
        if self.documents:
            quality += rng.normal(size=shape)[document]
            arguments["groups"] = document.astype(str)
        quality[:, 0] += ahead
        people = self.scale(quality)
        judge = self.follows * people + self.noise * rng.normal(size=shape)
        judge = self.breadth * (judge + FAVOR * rng.normal(size=self.systems))
        drawn = document if self.documents else np.arange(self.units)
        chosen = rng.permutation(drawn[-1] + 1)[: self.judged]
        if self.by_disagreement:
            apart = np.abs(people - judge).max(axis=1)
            chosen = np.argsort(-apart)[: self.judged]
        people = np.where(np.isin(drawn, chosen)[:, None], people, np.nan)
        if self.missing:
            people[rng.random(shape) < self.missing] = np.nan
            arguments["missing"] = "judged"
        names = [f"s{system:02}" for system in range(self.systems)]
        by_judge = dict(zip(names, judge.T, strict=True))
        by_people = dict(zip(names, people.T, strict=True))
        return by_judge, by_people, arguments


def _compared(
    judge: Mapping[str, np.ndarray], seed: int, resamples: int, **arguments: Any
) -> dh.Result:
    return dh.compare_scores(
        judge, greater_is_better=True, seed=seed, resamples=resamples, **arguments
    )


def kept(
    sets: int, seed: int, cell: Cell, resamples: int = 999, *, alone: bool = False
) -> dict[str, float]:
    """How often a given one of equal systems is kept, and one verified; by the judge ``alone``."""
    rng = np.random.default_rng(seed)
    counts = np.zeros(2)
    for number in range(sets):
        judge, people, arguments = cell.draw(rng, 0.0)
        if not alone:
            arguments |= {"human": people, "human_sample": "random"}
        result = _compared(judge, number, resamples, **arguments)
        counts += [len(result.possible_winners) / cell.systems, result.verified is not None]
    return dict(zip(("kept", "verified falsely"), (counts / sets).tolist(), strict=True))


def right_winner(
    sets: int, seed: int, cell: Cell, ahead: float, resamples: int = 999
) -> dict[str, float]:
    """How often the best system is the only possible winner, by both and by people alone."""
    rng = np.random.default_rng(seed)
    counts = np.zeros(2)
    for number in range(sets):
        judge, people, arguments = cell.draw(rng, ahead)
        both = _compared(judge, number, resamples, human=people, human_sample="random", **arguments)
        scored = ~np.isnan(people["s00"])
        alone = _compared(
            {name: scores[scored] for name, scores in people.items()}, number, resamples
        )
        for place, result in enumerate((both, alone)):
            counts[place] += tuple(result.possible_winners) == ("s00",)
    names = ("the right winner", "the right winner by people alone")
    return dict(zip(names, (counts / sets).tolist(), strict=True))
