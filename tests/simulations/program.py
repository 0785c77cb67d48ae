"""Competitions of answers or numbers, which go through the whole program without files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from scoring_program.data import from_arrays
from scoring_program.data.competition import Competition, Part, named_by_task, overall_metrics
from scoring_program.inference.evidence import Evidence
from scoring_program.pipeline import evaluate
from scoring_program.settings.checks import MetricSpec
from scoring_program.settings.model import Settings


def best_runs(
    tasks: Sequence[np.ndarray],
    team_of: np.ndarray,
    slices: Mapping[str, np.ndarray] | None = None,
    groups: Sequence[np.ndarray] | None = None,
    **settings: Any,
) -> tuple[Evidence, np.ndarray]:
    """Analyze teams by their best runs; return the run [m] that stands for each team, too.

    ``tasks`` say which answers are right, [n, runs] each; ``team_of`` [runs] are the teams'
    numbers, from 0. Whole ``groups``, [n] for each task, are resampled. ``settings`` are those that
    are not the default ones.
    """
    given = Settings(
        metrics=(MetricSpec("accuracy", "accuracy_score"),),
        layout="teams",
        runs="best",
        slices=tuple(slices or ()),
        group=None if groups is None else from_arrays.GROUP,
        **settings,
    )
    names = [f"{team:03}/{run:04}" for run, team in enumerate(team_of)]
    parts = []
    for number, right in enumerate(tasks):
        gold = np.arange(len(right)) % 2
        answers = np.where(right.T, gold, 1 - gold)
        competition = from_arrays.competition(
            gold,
            dict(zip(names, answers, strict=True)),
            given,
            groups=None if groups is None else groups[number],
            slices=slices,
        )
        parts.append(competition.parts[0])
    teams = {name: name.partition("/")[0] for name in names}
    found = evaluate(replace(_of_tasks(competition, parts, given), teams=teams), given)
    aside = {item.name for item in found.competition.left_aside}
    shown = [run for run, name in enumerate(names) if name not in aside]
    return found.findings.evidence[0], np.array(shown)


def least_errors(tasks: Sequence[np.ndarray], **settings: Any) -> Evidence:
    """Analyze entries by the mean absolute errors, [n, entries] in each of the ``tasks``."""
    given = Settings(metrics=(MetricSpec("mae", "mean_absolute_error"),), **settings)
    parts = []
    for errors in tasks:
        predictions = {f"{entry:03}": column for entry, column in enumerate(errors.T)}
        competition = from_arrays.competition(np.zeros(len(errors)), predictions, given)
        parts.append(competition.parts[0])
    return evaluate(_of_tasks(competition, parts, given), given).findings.evidence[0]


def _of_tasks(competition: Competition, parts: Sequence[Part], given: Settings) -> Competition:
    """Return a competition with a task, or a single part, after each of these parts."""
    if len(parts) == 1:
        return replace(competition, parts=tuple(parts))
    named = [replace(part, name=f"task {number}") for number, part in enumerate(parts)]
    tasks = named_by_task(named, "tasks")
    return replace(competition, parts=tuple(tasks), overall=overall_metrics(tasks, given))
