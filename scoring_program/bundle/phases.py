"""What a phase means on a platform: when it takes place, and which upload its tasks get."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from ..core.errors import counted, listed
from .description import Description


def problems(competition: Description) -> Iterator[str]:
    """Say where a task cannot tell its file from those for the other tasks of its phase.

    All tasks of a phase get the same upload, of which each scores the file named like its gold.
    """
    for i, phase in enumerate(competition.document["phases"]):
        where = f"phases[{i}]: tasks: all of a phase get the same upload"
        tasks = competition.tasks(phase)
        named: dict[str, int] = {}
        for task in tasks if len(tasks) > 1 else ():
            index, golds = task["index"], competition.gold_names(task)
            if competition.layout(task) != "single":
                yield (
                    f"{where}, and task {index} takes it for the submissions of all teams; give it "
                    "a phase of its own"
                )
            elif len(golds) != 1:
                yield (
                    f"{where}, of which task {index} cannot choose a file, because it has "
                    f"{counted(len(golds), 'gold file(s)')}; leave one, or give it a phase of its "
                    "own"
                )
            elif (other := named.setdefault(golds[0].casefold(), index)) != index:
                yield (
                    f"{where} and score the file named like their gold, which is {golds[0]!r} in "
                    f"tasks {other} and {index}; rename one, or give each a phase of its own"
                )


def notes(competition: Description, now: datetime) -> Iterator[str]:
    """Say when each phase takes place, and what participants send where it has several tasks."""
    for phase in competition.phases:
        name, end = repr(phase["name"]), phase.get("end")
        until = f" to {end:%Y-%m-%d %H:%M}" if end else ", without an end"
        over = "; it is over already" if end and end <= now else ""
        yield f"Phase {name}: {phase['start']:%Y-%m-%d %H:%M}{until} (UTC){over}."
        tasks = competition.tasks(phase)
        if len(tasks) > 1:
            golds = listed(repr(gold) for task in tasks for gold in competition.gold_names(task))
            yield (
                f"Phase {name}: one upload is scored by {len(tasks)} tasks; tell participants to "
                f"send one file for each, named {golds}."
            )
