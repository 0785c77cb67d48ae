"""Competitions at random, from a number: the same each time, of every form that a page ranks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scoring_program.report.findings import Findings
from scoring_program.settings.model import Settings
from tests.report import made


@dataclass(frozen=True)
class Field:
    """The entries of a competition: their teams, names and scores, and how precise these are."""

    names: tuple[str, ...]
    teams: tuple[str, ...]
    scores: tuple[float, ...]
    error: float
    own_share: float


def competition(number: int) -> Findings:
    """Return the competition with this number."""
    rng = np.random.default_rng(number)
    field = _field(rng)
    baselines = field.names[-1:] if len(field.names) > 3 and rng.random() < 0.25 else ()
    settings: dict[str, Any] = {"title": f"Competition {number}", "baselines": baselines}
    if rng.random() < 0.6:
        settings["prizes"] = int(rng.integers(1, 5))
    if rng.random() < 0.2:
        settings["tie_rule"] = str(rng.choice(["holm", "interval", "none"]))
    if not baselines and rng.random() < 0.1:
        settings["reference_entry"] = field.names[-1]
    # Drawn apart, so that competitions with the same number stay as they are.
    of_costs = np.random.default_rng([number, 1])
    if of_costs.random() < 0.4:
        levels = of_costs.choice([0.1, 1.0, 2.0, 40.0], size=len(field.names))
        of_teams = dict(zip(field.teams, levels.tolist(), strict=True))
        settings["costs"] = {name: of_teams[team] for name, team in _named(field)}
    asked = Settings(**settings)
    lower_is_better = rng.random() < 0.25
    scores = np.array(field.scores)
    metric = made.metric("f1_score", "F1")
    if lower_is_better:
        scores = 2 - scores
        metric = made.metric(
            "rmse", "RMSE", greater_is_better=False, kind="numbers", ideal=0.0, low=0.0, high=np.inf
        )
    groups = int(rng.integers(8, 60)) if rng.random() < 0.15 else None
    error = np.full(scores.size, field.error)
    if lower_is_better and np.random.default_rng([number, 2]).random() < 0.5:
        # So many times worse, and so uncertain that no test excludes it.
        scores[-1] *= 300
        error[-1] = scores[-1]
    evidence = made.evidence(
        metric, scores, field.names, asked,
        n=int(rng.integers(60, 5000)), groups=groups, error=error,
        resamples=1000, seed=number, own_share=field.own_share, teams=field.teams,
    )  # fmt: skip
    page = made.result(field.scores, field.names, settings=settings, groups=groups)
    teams = {name: team for name, team in _named(field) if name != team}
    return replace(page, evidence=(evidence,), teams=teams, n=evidence.n)


def _named(field: Field) -> list[tuple[str, str]]:
    """Return the entries' names, each with that of its team."""
    return list(zip(field.names, field.teams, strict=True))


def _field(rng: np.random.Generator) -> Field:
    """Draw some teams, of one run or several, with scores that are close, far apart or equal."""
    several_runs = rng.random() < 0.3
    names: list[str] = []
    teams: list[str] = []
    for team in (f"Team {letter}" for letter in "ABCDEFGHIJKL"[: int(rng.integers(2, 13))]):
        runs = int(rng.integers(1, 4)) if several_runs else 1
        names += [team] if runs == 1 else [f"{team}/run {run}" for run in range(1, runs + 1)]
        teams += [team] * runs
    spread = float(rng.choice([0.002, 0.01, 0.04, 0.1]))
    scores = 0.7 + spread * rng.normal(size=len(names))
    if rng.random() < 0.2:
        scores[1] = scores[0]
    return Field(
        tuple(names),
        tuple(teams),
        tuple(np.round(scores, 4).tolist()),
        error=float(rng.choice([0.004, 0.01, 0.02])),
        own_share=float(rng.choice([0.05, 0.3, 1.0])),
    )
