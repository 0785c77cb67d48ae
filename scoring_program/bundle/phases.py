"""Checks and explains the phases: when they take place, and how tasks share one upload."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from ..core.errors import listed
from ..core.phrases import counted
from .description import Description


def problems(competition: Description) -> Iterator[str]:
    """Say where a task cannot find its file among those for the other tasks of its phase.

    All tasks of a phase get the same upload. Each scores the file that is named like its gold.
    """
    for i, phase in enumerate(competition.document["phases"]):
        where = f"phases[{i}]: tasks: all tasks of a phase get the same upload"
        tasks = competition.tasks(phase)
        named: dict[str, int] = {}
        for task in tasks if len(tasks) > 1 else ():
            index, golds = task["index"], competition.gold_names(task)
            if competition.layout(task) != "single":
                yield (
                    f"{where}, but task {index} reads it as the submissions of all teams; give it "
                    "a separate phase"
                )
            elif len(golds) != 1:
                yield (
                    f"{where}, but task {index} cannot choose a file from it, because the task has "
                    f"{counted(len(golds), 'gold file(s)')}; keep one, or give the task a separate "
                    "phase"
                )
            elif (other := named.setdefault(golds[0].casefold(), index)) != index:
                yield (
                    f"{where} and score the file that is named like their gold, but both task "
                    f"{other} and task {index} call it {golds[0]!r}; rename one, or give each task "
                    "a separate phase"
                )


def other_tasks(competition: Description, task: Mapping[str, Any]) -> list[str]:
    """Return how the other tasks that share an upload with a task call their predictions."""
    own = set(competition.gold_names(task))
    return sorted(
        {
            name
            for phase in competition.document["phases"]
            if task["index"] in phase["tasks"]
            for other in competition.tasks(phase)
            for name in competition.gold_names(other)
        }
        - own
    )


def notes(competition: Description, now: datetime) -> Iterator[str]:
    """Say when each phase takes place, and what participants send if it has several tasks."""
    for phase in competition.phases:
        name, end = repr(phase["name"]), phase.get("end")
        until = f" to {end:%Y-%m-%d %H:%M}" if end else ", without an end"
        over = "; it has already ended" if end and end <= now else ""
        yield f"Phase {name}: {phase['start']:%Y-%m-%d %H:%M}{until} (UTC){over}."
        tasks = competition.tasks(phase)
        if len(tasks) > 1:
            golds = listed(repr(gold) for task in tasks for gold in competition.gold_names(task))
            yield (
                f"Phase {name}: {len(tasks)} tasks score the same upload; tell participants to "
                f"send one file per task, named {golds}."
            )
