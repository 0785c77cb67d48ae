"""Heavy tails of few units: what is marked, kept and left without a far end."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scoring_program.inference.comparing.comparisons import UnitInfluence
from scoring_program.settings.checks import MetricSpec

from .families import Field

M = 10
_MEAN = MetricSpec("score", "mean_absolute_error")


def errors(values: np.ndarray, groups: np.ndarray | None = None) -> Field:
    """A field of mean absolute errors [n, M], all of them positive."""
    return Field(np.zeros(len(values)), list(values.T), _MEAN, groups=groups)


def normal(rng: np.random.Generator, n: int) -> Field:
    """Errors around 5 with a standard deviation of 1."""
    return errors(5 + rng.normal(size=(n, M)))


def rare(rng: np.random.Generator, n: int) -> Field:
    """One error in twenty of every entry is ten times as large."""
    scale = np.where(rng.random((n, M)) < 0.05, 10, 1)
    return errors(np.abs(scale * rng.normal(size=(n, M))))


def log_normal(rng: np.random.Generator, n: int) -> Field:
    return errors(rng.lognormal(size=(n, M)))


def in_groups(rng: np.random.Generator, count: int) -> Field:
    """Normal errors in groups of five with a correlation of .2."""
    group = np.repeat(np.arange(count), 5)
    common = np.sqrt(0.2) * rng.normal(size=(count, M))[group]
    return errors(5 + common + np.sqrt(0.8) * rng.normal(size=(group.size, M)), group)


def kept(
    sets: int, seed: int, make: Callable[[np.random.Generator], Field], resamples: int = 499
) -> dict[str, float]:
    """How often given equal entries are kept, and have no far end; and which pairs are marked.

    Marked are the pairs with heavy tails of the differences, which are in no family.
    """
    rng, found = np.random.default_rng(seed), np.zeros(3)
    for number in range(sets):
        field = make(rng)
        evidence = field.analyze(number, resamples)
        assert evidence.distances is not None
        found += [
            evidence.verdict.possible_winners.mean(),
            np.isinf(evidence.distances.from_best).mean(),
            marked(field),
        ]
    shares = (found / sets).tolist()
    return dict(zip(("kept", "no far end", "marked"), shares, strict=True))


def marked(field: Field) -> float:
    """Return the share of pairs with heavy tails."""
    values = np.abs(np.stack(field.predictions, axis=1))
    influence = (values - values.mean(axis=0)) / len(values)
    if field.groups is not None:
        influence = np.stack([np.bincount(field.groups, column) for column in influence.T], axis=1)
    heavy = UnitInfluence(influence).heavy
    return float(heavy[np.triu_indices(M, 1)].mean())


def bought(sets: int, seed: int, resamples: int = 999) -> dict[str, float]:
    """How often an entry far behind is tied because of one or two enormous errors of its own.

    It has twice the errors of nine others, on 20 to 60 units.
    """
    rng, ties = np.random.default_rng(seed), 0
    for number in range(sets):
        values = 5 + rng.normal(size=(int(rng.integers(20, 61)), M))
        values[:, -1] += 5
        cells = rng.integers(len(values), size=int(rng.integers(1, 3)))
        values[cells, -1] = 10.0 ** rng.integers(2, 7)
        evidence = errors(values).analyze(number, resamples)
        ties += int(evidence.verdict.possible_winners[-1])
    return {"ties bought": float(ties)}
