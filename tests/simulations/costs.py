"""Cost against score: is an entry that is truly the best for its cost kept on the front?

It is, if no entry that truly costs no more has a truly better score. Every competition goes through
the public reading of scores and the whole inference, and some through the command.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from scoring_program.data.from_arrays import score_table
from scoring_program.pipeline import evaluate
from scoring_program.settings.model import Settings
from tests.inference.never_contradict import never_contradicts

from .by_command import scored

RESAMPLES = 999


@dataclass(frozen=True)
class Priced:
    """Scores on the units [n, m], and the true scores and costs [m] of the entries.

    ``measured`` are costs on the units [n, m], and ``groups`` [n] those that are resampled whole.
    Where one entry is looked at, it is the first one (``first_alone``).
    """

    scores: np.ndarray
    truth: np.ndarray
    costs: np.ndarray
    measured: np.ndarray | None = None
    groups: np.ndarray | None = None
    first_alone: bool = False

    @property
    def truly_best(self) -> np.ndarray:
        """Which entries [m] are truly the best for their costs."""
        return members(self.truth, self.costs)

    @property
    def given(self) -> np.ndarray:
        """Which of these [m] are looked at."""
        chosen = np.arange(self.truth.size) == 0 if self.first_alone else True
        return np.asarray(self.truly_best & chosen, np.bool_)

    @property
    def names(self) -> list[str]:
        """The entries' names."""
        return [f"s{entry}" for entry in range(self.truth.size)]

    @property
    def fixed(self) -> dict[str, float]:
        """The costs by the entries' names."""
        return dict(zip(self.names, self.costs.tolist(), strict=True))

    @property
    def table(self) -> pd.DataFrame:
        """The scores as a long table, with the measured costs if there are any."""
        n, m = self.scores.shape
        columns = {
            "case": np.repeat([f"u{unit}" for unit in range(n)], m),
            "system": np.tile(self.names, n),
            "points": self.scores.ravel(),
        }
        if self.measured is not None:
            columns["price"] = self.measured.ravel()
        if self.groups is not None:
            columns["document"] = np.repeat([f"d{group}" for group in self.groups], m)
        return pd.DataFrame(columns)


Draw = Callable[[np.random.Generator], Priced]


def members(scores: np.ndarray, costs: np.ndarray) -> np.ndarray:
    """Return who [m] has no better entry that costs no more."""
    better = (scores[:, None] > scores) & (costs[:, None] <= costs)
    return np.asarray(~better.any(axis=0), np.bool_)


def right_or_wrong(rng: np.random.Generator, truth: np.ndarray, n: int = 300) -> Priced:
    """Draw right and wrong answers to questions of which some are harder; costs rise by entry."""
    hard = rng.normal(size=(n, 1))
    ability = np.log(truth / (1 - truth))
    right = rng.random((n, truth.size)) < 1 / (1 + np.exp(-ability * 1.1 - hard))
    return Priced(right.astype(float), truth, np.arange(1.0, truth.size + 1))


def equal(rng: np.random.Generator, count: int = 10, n: int = 300) -> Priced:
    """Draw equal entries, each of which costs more than the one before."""
    return right_or_wrong(rng, np.full(count, 0.8), n)


def rising(rng: np.random.Generator) -> Priced:
    """Draw entries that are better the more they cost."""
    return right_or_wrong(rng, np.linspace(0.7, 0.88, 10))


def two_prices(rng: np.random.Generator) -> Priced:
    """Draw five equal cheap entries, and five equal and better dear ones."""
    drawn = right_or_wrong(rng, np.repeat([0.7, 0.85], 5))
    return Priced(drawn.scores, drawn.truth, np.repeat([1.0, 10.0], 5))


def few_units(rng: np.random.Generator) -> Priced:
    """Draw normal scores of equal entries on 50 units."""
    return Priced(rng.normal(size=(50, 10)), np.zeros(10), np.arange(1.0, 11))


def log_normal(rng: np.random.Generator) -> Priced:
    """Draw scores with a long tail, of equal entries on 200 units."""
    return Priced(rng.lognormal(0, 1, size=(200, 10)), np.zeros(10), np.arange(1.0, 11))


def groups(rng: np.random.Generator) -> Priced:
    """Draw equal entries on 100 groups of five units."""
    numbers = np.repeat(np.arange(100), 5)
    common = rng.normal(size=(100, 10))[numbers]
    scores = 0.5 * common + rng.normal(size=(500, 10))
    return Priced(scores, np.zeros(10), np.arange(1.0, 11), groups=numbers)


def measured_equal(rng: np.random.Generator) -> Priced:
    """Draw entries that are equal in score and in cost; hard units cost more."""
    hard = rng.normal(size=(300, 1))
    costs = np.exp(0.5 * hard + 0.5 * rng.normal(size=(300, 8)))
    scores = rng.normal(size=(300, 8)) - hard
    return Priced(scores, np.zeros(8), np.ones(8), costs)


def measured_edges(rng: np.random.Generator) -> Priced:
    """Draw an entry beside four equal ones far cheaper, and four far better that hardly cost more.

    One of the two statistics of each rival may be large by mistake, and the other one is in truth.
    """
    hard = rng.normal(size=(300, 1))
    truth = np.repeat([0.0, 0.0, 1.0], [1, 4, 4])
    costs = np.repeat([2.0, 1.0, 2.0001], [1, 4, 4])
    measured = costs * np.exp(0.3 * hard + 0.3 * rng.normal(size=(300, 9)))
    scores = truth + rng.normal(size=(300, 9)) - hard
    return Priced(scores, truth, costs, measured, first_alone=True)


def dominated(rng: np.random.Generator) -> Priced:
    """Draw five entries that are better the more they cost, and after each one a worse, dearer."""
    truth = np.linspace(0.7, 0.86, 5).repeat(2) - np.tile([0.0, 0.12], 5)
    return right_or_wrong(rng, truth, 500)


#: Who is on the front [m], and the scores and costs [m] that were seen.
Seen = tuple[np.ndarray, np.ndarray, np.ndarray]


def in_memory(priced: Priced, seed: int) -> Seen:
    """Return what the reading of the scores and the whole inference find."""
    asked = Settings(
        resamples=RESAMPLES,
        seed=seed,
        unit=("case",),
        system="system",
        greater_is_better=True,
        costs="price" if priced.measured is not None else priced.fixed,
        group=None if priced.groups is None else "document",
    )
    (evidence,) = evaluate(*score_table(priced.table, asked)).findings.evidence
    never_contradicts(evidence)
    front = evidence.verdict.front
    assert front is not None
    place = [evidence.number_of[name] for name in priced.names]
    on = np.ones(len(place), np.bool_) if front.on is None else front.on[place]
    return on, evidence.scores.score[place], front.costs[place]


def by_command(priced: Priced, seed: int) -> Seen:
    """Return what results.json says, where the scores are a file of a folder."""
    settings: dict[str, Any] = {"greater_is_better": True, "resamples": RESAMPLES, "seed": seed}
    settings["costs"] = "price" if priced.measured is not None else priced.fixed
    if priced.groups is not None:
        settings["group"] = "document"
    metric = scored({"res/scores.csv": priced.table}, settings)
    score_of = {row["entry"]: row["score"] for row in metric["entries"]}
    front = metric["front"]
    named = front["on"] if front["reason"] is None else priced.names
    on = np.isin(priced.names, named)
    scores = np.array([score_of[name] for name in priced.names])
    costs = np.array([front["costs"][name] for name in priced.names])
    return on, scores, costs


def fronts(
    sets: int, seed: int, draw: Draw, analyze: Callable[[Priced, int], Seen] = in_memory
) -> dict[str, float]:
    """How often a given entry that is truly the best for its cost is on the front.

    Beside it: how often it is on the front of the observed scores, how often one of these is
    excluded, and how often one that is not the best for its cost is (0 where there is none).
    """
    rng = np.random.default_rng(seed)
    counted = np.zeros(4)
    for number in range(sets):
        priced = draw(rng)
        on, scores, costs = analyze(priced, number)
        observed = members(scores, costs)
        best = priced.truly_best
        off = 0.0 if best.all() else float(np.mean(~on[~best]))
        given = priced.given
        counted += [on[given].mean(), observed[given].mean(), (observed & ~on).sum(), off]
    shares = (counted / sets).tolist()
    return dict(zip(MEASURES, shares, strict=True))


MEASURES = (
    "a given best kept",
    "on the observed front",
    "observed ones excluded",
    "worse ones excluded",
)
