"""Preferences between ten systems, and scores that judges gave to some of them, with a known truth.

They go through the whole program. Systems differ from prompt to prompt and from judge to judge, so
that lines which share one of them are not independent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from scoring_program.data.from_arrays import score_table
from scoring_program.inference.evidence import Evidence
from scoring_program.pipeline import evaluate
from scoring_program.settings.model import Settings

M = 10
EQUAL = (0.0,) * M
NAMES = np.array([f"s{i}" for i in range(M)])
#: Draws a table of ten systems that are truly so good, [M].
Draw = Callable[[np.random.Generator, np.ndarray], pd.DataFrame]


def votes(
    rng: np.random.Generator,
    truth: np.ndarray,
    *,
    lines: int = 1000,
    prompts: int = 200,
    judges: int = 60,
    of_prompts: float = 0.0,
    of_judges: float = 0.0,
    shares: Sequence[float] = (),
) -> pd.DataFrame:
    """Preferences, one in five of them a tie; some judges give many more than others.

    A system's strength varies by so many standard deviations over prompts, and over judges. The
    judges' ``shares`` of the lines are log-normal unless they are given.
    """
    left, prompt = rng.integers(M, size=lines), rng.integers(prompts, size=lines)
    right = (left + rng.integers(1, M, size=lines)) % M
    zeal = rng.lognormal(0, 0.7, judges)
    zeal = np.array(shares) if len(shares) else zeal
    judge = rng.choice(judges, size=lines, p=zeal / zeal.sum())
    by_prompt, by_judge = rng.normal(size=(prompts, M)), rng.normal(size=(judges, M))

    def strength(system: np.ndarray) -> np.ndarray:
        found: np.ndarray = truth[system] + of_prompts * by_prompt[prompt, system]
        return found + of_judges * by_judge[judge, system]

    won = rng.random(lines) < 1 / (1 + np.exp(strength(right) - strength(left)))
    winner = np.where(rng.random(lines) < 0.2, "tie", np.where(won, "left", "right"))
    sides = {"left": NAMES[left], "right": NAMES[right], "winner": winner}
    of_line = {"prompt": prompt.astype(str), "judge": judge.astype(str)}
    return pd.DataFrame({**sides, **of_line})


def direct(
    rng: np.random.Generator,
    truth: np.ndarray,
    *,
    units: int = 300,
    share: Sequence[float] = (0.5,) * M,
    of_documents: float = 0.0,
) -> pd.DataFrame:
    """Scores of units of differing difficulty; ``share`` [M] of those of each system are judged.

    Ten units are a document, on which a system is better or worse by ``of_documents``.
    """
    document = np.arange(units) // 10
    score = truth + rng.normal(size=(units, 1)) + rng.normal(size=(units, M))
    score += of_documents * rng.normal(size=(units, M))[document]
    unit, system = np.nonzero(rng.random((units, M)) < share)
    return pd.DataFrame(
        {
            "segment": unit.astype(str),
            "document": document[unit].astype(str),
            "system": NAMES[system],
            "score": score[unit, system],
        }
    )


def observed(
    sets: int,
    seed: int,
    draw: Draw,
    truth: Sequence[float] = EQUAL,
    resamples: int = 999,
    **settings: Any,
) -> dict[str, float]:
    """How often a given best system is kept, and how often others are told apart wrongly.

    For each metric, an error of a pair is an interval of two equal systems that excludes 0, and one
    of a field is a competition in which a system is named as better than one that is as good.
    """
    rng, true, found = np.random.default_rng(seed), np.array(truth), dict[str, float]()
    given = Settings(resamples=resamples, **settings)
    for number in range(sets):
        competition, adjusted = score_table(draw(rng, true), given)
        evaluated = evaluate(competition, replace(adjusted, seed=number))
        for evidence in evaluated.findings.evidence:
            for measure, value in _errors(evidence, true).items():
                name = f"{measure} by {evidence.metric.label}"
                found[name] = found.get(name, 0.0) + value
    return {name: total / sets for name, total in found.items()}


def _errors(evidence: Evidence, true: np.ndarray) -> dict[str, float]:
    best, pairs = true == true.max(), evidence.pairs
    assert pairs is not None
    equal = true[pairs.better] == true[pairs.worse]
    outside = (pairs.low > 0) | (pairs.high < 0)
    named = evidence.standing.better & (true[:, None] <= true)
    return {
        "kept": float(evidence.standing.tied["max_t"][best].mean()),
        "error of a pair": float(outside[equal].mean()),
        "error of a field": float(named.any()),
    }


# Crossed prompts and judges -----------------------------------------------------------------------

#: The log-odds of the best system over nine equal ones, where one is to be named.
AHEAD = 1.2


def crossed(sets: int, seed: int, draw: Draw, resamples: int = 999) -> dict[str, float]:
    """How often a given one of ten equal systems is kept, and the best one of ten named.

    By the win rate, with prompts and judges that cross. A competition in which a serious caution
    withdraws the claim counts, too, and how many do is told.
    """
    rng, found = np.random.default_rng(seed), np.zeros(4)
    for number in range(sets):
        equal = _by_win_rate(draw(rng, np.zeros(M)), number, resamples)
        ahead = _by_win_rate(draw(rng, np.array([AHEAD, *[0.0] * (M - 1)])), number, resamples)
        winners = ahead.verdict.possible_winners
        found += [
            equal.verdict.possible_winners.mean(),
            equal.verdict.verified,
            winners[0] and winners.sum() == 1,
            equal.verdict.confidence is None,
        ]
    names = ("kept", "one of the equal ones verified", "the best named", "serious caution")
    return dict(zip(names, (found / sets).tolist(), strict=True))


def _by_win_rate(table: pd.DataFrame, number: int, resamples: int) -> Evidence:
    given = Settings(resamples=resamples, group=("prompt", "judge"))
    competition, adjusted = score_table(table, given)
    evaluated = evaluate(competition, replace(adjusted, seed=number))
    return next(one for one in evaluated.findings.evidence if one.metric.function == "win_rate")
