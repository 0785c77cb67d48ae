"""A judge scores all units and people some: is a given best system kept, and the right one named?

Both tables of a first competition are read as `compare_scores` reads them; it and all others go
through the whole inference, and some through the command. A judge favors some systems: how much,
differs from one competition to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from scoring_program.core.people import weight_of
from scoring_program.data import from_arrays
from scoring_program.data.competition import Competition
from scoring_program.data.score_tables.people_table import metric_target
from scoring_program.inference.evidence import Evidence
from scoring_program.pipeline import evaluate
from scoring_program.settings.model import Settings

from . import by_command

#: System → scores of units [N].
Scores = Mapping[str, np.ndarray]
#: Which scores [N, m] people would give, from how good [N, m] systems are on units.
Scale = Callable[[np.ndarray], np.ndarray]
#: How urgently [N] people should score each unit, from people's scores and the judge's [N, m].
Choice = Callable[[np.random.Generator, np.ndarray, np.ndarray], np.ndarray]
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


def furthest(rng: np.random.Generator, people: np.ndarray, judge: np.ndarray) -> np.ndarray:
    """Choose the units on which the judge is furthest from people, of any system."""
    return np.asarray(np.abs(people - judge).max(axis=1))


def of_the_further_half(
    rng: np.random.Generator, people: np.ndarray, judge: np.ndarray
) -> np.ndarray:
    """Choose at random among the half of the units on which the two are further apart."""
    apart = np.abs(people - judge).mean(axis=1)
    return np.where(apart >= np.median(apart), 1.0, 0.0) + 0.5 * rng.random(apart.size)


def in_proportion(rng: np.random.Generator, people: np.ndarray, judge: np.ndarray) -> np.ndarray:
    """Choose units with probabilities in proportion to how far the two are apart."""
    apart = np.abs(people - judge).mean(axis=1)
    return np.asarray(rng.random(apart.size) ** (1 / apart))


def between_judges(rng: np.random.Generator, people: np.ndarray, judge: np.ndarray) -> np.ndarray:
    """Choose the units on which the judge is furthest from a second one, as good as the first."""
    second = USUAL * people + NOISE * rng.normal(size=people.shape)
    second += FAVOR * rng.normal(size=people.shape[1])
    return np.asarray(np.abs(judge - second).mean(axis=1))


def between_systems(rng: np.random.Generator, people: np.ndarray, judge: np.ndarray) -> np.ndarray:
    """Choose the units on which the judge's scores of the systems differ most."""
    return np.asarray(judge.var(axis=1))


@dataclass(frozen=True)
class Cell:
    """A kind of competition: people score ``judged`` of the ``units``, or of the ``documents``.

    ``follows`` is how much of people's scores the judge's are, and ``noise`` what else is in them,
    both times the judge's ``breadth``. Of people's scores, a share may be ``missing``. Instead of
    at random, people's units may be ``chosen``: the most urgent ones.
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
    chosen: Choice | None = None

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
        if self.chosen is not None:
            urgency = self.chosen(rng, people, judge)
            chosen = np.argsort(-urgency)[: self.judged]
        people = np.where(np.isin(drawn, chosen)[:, None], people, np.nan)
        if self.missing:
            people[rng.random(shape) < self.missing] = np.nan
            arguments["missing"] = "judged"
        names = [f"s{system:02}" for system in range(self.systems)]
        by_judge = dict(zip(names, judge.T, strict=True))
        by_people = dict(zip(names, people.T, strict=True))
        return by_judge, by_people, arguments


@dataclass(frozen=True)
class Field:
    """A competition that was read, which stands for others of the same units and systems."""

    competition: Competition
    settings: Settings

    @classmethod
    def read(
        cls,
        judge: Scores,
        people: Scores | None,
        resamples: int,
        *,
        groups: np.ndarray | None = None,
        missing: Literal["error", "judged"] = "error",
    ) -> Field:
        """Read both tables as `compare_scores` does."""
        asked = Settings(
            greater_is_better=True,
            resamples=resamples,
            group=None if groups is None else from_arrays.GROUP,
            missing=missing,
            human_sample=None if people is None else "random",
            workers=1,
        )
        competition, asked = from_arrays.score_table(judge, asked, groups=groups)
        if people is not None:
            competition = from_arrays.with_people(competition, people, asked)
        return cls(competition, asked)

    def analyzed(self, judge: Scores, people: Scores | None, seed: int) -> Evidence:
        """Analyze these scores in place of those that were read; reading takes as long."""
        (part,) = self.competition.parts
        target = metric_target(part.metrics[0], part)
        entries = []
        for entry in part.entries:
            assert entry is not None
            by_people = {} if people is None else {target: people[entry.name]}
            by_judge = {target: judge[entry.name]}
            entries.append(replace(entry, predictions=by_judge, people=by_people))
        part = replace(part, entries=tuple(entries))
        if people is not None and part.people is not None:
            scores = np.array([people[name] for name in self.competition.names])
            judged = ~np.isnan(scores).all(axis=0)
            all_scores = np.array([judge[name] for name in self.competition.names])
            weight = weight_of(scores[:, judged], all_scores[:, judged])
            part = replace(
                part, people=replace(part.people, judged=judged, weights={target: weight})
            )
        competition = replace(self.competition, parts=(part,))
        (evidence,) = evaluate(competition, replace(self.settings, seed=seed)).findings.evidence
        return evidence


def _winners(evidence: Evidence) -> list[str]:
    """Return the names of the possible winners."""
    names = np.array(evidence.names)
    return sorted(names[evidence.verdict.possible_winners].tolist())


def kept(
    sets: int, seed: int, cell: Cell, resamples: int = 999, *, alone: bool = False
) -> dict[str, float]:
    """How often a given one of equal systems is kept, and one verified; by the judge ``alone``."""
    rng = np.random.default_rng(seed)
    counts = np.zeros(2)
    field = None
    for number in range(sets):
        judge, people, arguments = cell.draw(rng, 0.0)
        by_people = None if alone else people
        field = field or Field.read(judge, by_people, resamples, **arguments)
        verdict = field.analyzed(judge, by_people, number).verdict
        counts += [verdict.possible_winners.mean(), verdict.verified]
    return dict(zip(KEPT, (counts / sets).tolist(), strict=True))


def kept_by_command(sets: int, seed: int, cell: Cell, resamples: int = 999) -> dict[str, float]:
    """Do the same competitions as ``kept``, each a folder that ``deadheat score`` scores."""
    rng = np.random.default_rng(seed)
    counts = np.zeros(2)
    for number in range(sets):
        judge, people, arguments = cell.draw(rng, 0.0)
        groups = arguments.pop("groups", None)
        named = {"human": "people.csv", "human_sample": "random", "greater_is_better": True}
        settings = named | arguments | {"resamples": resamples, "seed": number}
        tables = {"res/judge.csv": judge, "ref/people.csv": people}
        if groups is not None:
            settings["group"] = "document"
        metric = by_command.scored(
            {file: _table(scores, groups) for file, scores in tables.items()}, settings
        )
        verdict = metric["verdict"]
        winners = len(verdict["possible_winners"])
        counts += [winners / cell.systems, verdict["verified"] is not None]
    return dict(zip(KEPT, (counts / sets).tolist(), strict=True))


def _table(scores: Scores, groups: np.ndarray | None) -> pd.DataFrame:
    """Return the table of the units that have scores."""
    frame = pd.DataFrame(scores)
    frame.insert(0, "case", [f"u{unit:04}" for unit in range(len(frame))])
    if groups is not None:
        frame.insert(1, "document", groups)
    return frame.dropna(how="all", subset=list(scores))


def right_winner(
    sets: int, seed: int, cell: Cell, ahead: float, resamples: int = 999
) -> dict[str, float]:
    """How often the best system is the only possible winner, by both and by people alone."""
    rng = np.random.default_rng(seed)
    counts = np.zeros(2)
    fields: list[Field] = []
    for number in range(sets):
        judge, people, arguments = cell.draw(rng, ahead)
        scored = ~np.isnan(people["s00"])
        by_people = {name: scores[scored] for name, scores in people.items()}
        fields = fields or [
            Field.read(judge, people, resamples, **arguments),
            Field.read(by_people, None, resamples),
        ]
        both, alone = fields
        counts += [
            _winners(both.analyzed(judge, people, number)) == ["s00"],
            _winners(alone.analyzed(by_people, None, number)) == ["s00"],
        ]
    names = ("the right winner", "the right winner by people alone")
    return dict(zip(names, (counts / sets).tolist(), strict=True))


KEPT = ("kept", "verified falsely")
