"""Methods whose runs differ by their seeds: is a given best one kept, and is a wrong one verified?

Every competition draws the examples and the seeds anew, so it is about methods, not about files.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from scoring_program.inference import MetricScores, analyze
from scoring_program.inference.basis import drawn_normally
from scoring_program.inference.evidence import Evidence, Question
from scoring_program.inference.normal import NormalDraws, RunsOfMethods
from tests.arrays import made_replicates

from . import by_command
from .simulate import MEAN

N = 200
#: Standard deviations of runs' scores over seeds; a score's standard error over units is 0.1.
LOUD, STEADY = 0.15, 0.02
UNEVEN = (0.1 * np.exp(np.linspace(-2, 2, 10))).tolist()
FOUR_LOUD = [LOUD] * 4 + [STEADY] * 16


def one_steady(loud: int) -> list[float]:
    """Return the spreads of a steady method, and of so many loud ones."""
    return [STEADY, *[LOUD] * loud]


def drawn(
    rng: np.random.Generator, spreads: np.ndarray, runs: np.ndarray, ahead: float, n: int = N
) -> np.ndarray:
    """Draw scores [n, runs] by methods with these deviations over seeds; the first is ``ahead``."""
    methods = spreads.size
    own = rng.normal(size=(n, methods)) + rng.normal(size=(n, 1))
    method = np.repeat(np.arange(methods), runs)
    of_runs = own[:, method] + 0.5 * rng.normal(size=(n, method.size))
    of_runs += spreads[method] * rng.normal(size=method.size) + ahead * (method == 0)
    return of_runs


def analyzed(
    rng: np.random.Generator,
    spreads: np.ndarray,
    runs: np.ndarray,
    ahead: float,
    resamples: int,
    n: int = N,
) -> Evidence:
    """Draw runs of methods, as ``drawn`` does, and analyze their means."""
    methods = spreads.size
    of_runs = drawn(rng, spreads, runs, ahead, n)
    scores = of_runs.mean(axis=0)
    starts = np.cumsum(runs) - runs
    observed = np.add.reduceat(scores, starts) / runs
    competing = np.ones(methods, np.bool_)
    normal = NormalDraws.of_seeds(RunsOfMethods(of_runs - scores, scores, runs), competing)
    names = [f"{k:02}" for k in range(methods)]
    unused = made_replicates(np.zeros((resamples, methods)))
    plain = MetricScores(MEAN, names, observed, unused, n=n)
    seed = int(rng.integers(2**31))
    return analyze(drawn_normally(plain, normal, seed, competing), Question())


def kept(
    sets: int, seed: int, spreads: Sequence[float], runs: Sequence[int], resamples: int = 999
) -> dict[str, float]:
    """How often equal methods are kept, and the loudest, and how often one is verified."""
    rng = np.random.default_rng(seed)
    loud, sizes = np.array(spreads), np.array(runs)
    found = np.zeros(3)
    for _ in range(sets):
        verdict = analyzed(rng, loud, sizes, 0.0, resamples).verdict
        winners = verdict.possible_winners
        found += [winners.mean(), winners[loud.argmax()], verdict.verified]
    return dict(zip(KEPT, (found / sets).tolist(), strict=True))


def kept_by_command(
    sets: int, seed: int, spreads: Sequence[float], runs: Sequence[int], resamples: int = 999
) -> dict[str, float]:
    """Count the same where the runs are lines of a table with a column of seeds."""
    rng = np.random.default_rng(seed)
    loud, sizes = np.array(spreads), np.array(runs)
    names = np.array([f"m{method:02}" for method in range(loud.size)])
    of_seeds = np.concatenate([np.arange(count) for count in runs])
    found = np.zeros(3)
    for number in range(sets):
        scores = drawn(rng, loud, sizes, 0.0)
        columns = {
            "case": np.repeat([f"u{unit:03}" for unit in range(N)], sizes.sum()),
            "system": np.tile(np.repeat(names, sizes), N),
            "seed": np.tile(of_seeds, N),
            "points": scores.ravel(),
        }
        settings = {"greater_is_better": True, "resamples": resamples, "seed": number}
        metric = by_command.scored({"res/runs.csv": pd.DataFrame(columns)}, settings)
        verdict = metric["verdict"]
        winners = np.isin(names, verdict["possible_winners"])
        found += [winners.mean(), winners[loud.argmax()], verdict["verified"] is not None]
    return dict(zip(KEPT, (found / sets).tolist(), strict=True))


def right_winner(sets: int, seed: int, runs: int, resamples: int = 999) -> dict[str, float]:
    """How often the best of five is the only possible winner, five standard errors ahead."""
    rng = np.random.default_rng(seed)
    spreads = np.full(5, 0.1)
    error = np.sqrt(2 * (1 / N + 0.25 / (N * runs) + spreads[0] ** 2 / runs))
    named = 0
    for _ in range(sets):
        found = analyzed(rng, spreads, np.full(5, runs), 5 * error, resamples)
        named += found.verdict.possible_winners.tolist() == [True, False, False, False, False]
    return {"the right winner": named / sets}


def planned(sets: int, seed: int, runs: int, resamples: int = 999) -> dict[str, float]:
    """How often what was planned settles two methods, whoever is ahead.

    The true difference is drawn from a wide distribution, about which a pilot knows nothing. Half
    of the variance comes from seeds, so that mostly both, examples and runs, are needed.
    """
    rng = np.random.default_rng(seed)
    spreads = np.full(2, 0.15)
    settled: list[bool] = []
    while len(settled) < sets:
        ahead = float(rng.normal(0, 0.5))
        pilot = analyzed(rng, spreads, np.full(2, runs), ahead, resamples)
        for pair in pilot.plan:
            if pair.both_needed is None or pair.both_needed[1] == runs:
                continue
            n, size = pair.both_needed
            larger = analyzed(rng, spreads, np.full(2, size), ahead, resamples, n)
            settled.append(bool(larger.verdict.possible_winners.sum() == 1))
    return {"settled": float(np.mean(settled))}


KEPT = ("a given best kept", "the loudest kept", "verified falsely")
