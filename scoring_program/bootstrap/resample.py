"""The paired bootstrap: every entry and every metric on the same resampled rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from ..core.errors import SettingsError
from ..metrics.statistics import WORTH_PROCESSES
from ..scoring.scorer import Scored, Scorer
from ..scoring.scorers import FunctionScorer, OrderedScorer
from .counts import Counts, generator_of_chunk
from .design import Design
from .replicates import Replicates
from .task_queue import ONE_WORKER, ResamplingJob, Resources, run

#: Resamples per task for metrics that call a Python function: at most so many, and so many tasks.
_CALLED, _TASKS = 16, 10
#: How many arrays of the size of all replicates scoring holds at a time, and of those of one metric
#: its inference.
_SCORING_COPIES, _INFERENCE_COPIES = 2, 8
#: The backends whose workers share memory with this process.
_LOCAL = ("threads", "processes")
#: Draws, times the passes over them, from which a run is long enough to fork processes.
_FORKED = 15_000_000
#: The same, and half as much again for every 25 scores (entries times metrics), from which a second
#: worker pays off.
_SHARED = 7_000_000


def resample(
    scorers: Sequence[Scorer],
    design: Design,
    resamples: int,
    seed: int,
    *,
    needed: Sequence[int | Scorer | None] = (),
    resources: Resources = ONE_WORKER,
    deadline: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Replicates, ...]:
    """Score every scorer's entries on the same resamples; one Replicates for each scorer.

    ``needed`` holds for each scorer the row of the entry whose scores decide which resamples count
    (`Replicates.from_scored`) or, for a scorer of hidden runs, an earlier one whose resamples it
    keeps (`Replicates.beside`). ``deadline`` is a time.monotonic() after which no further resamples
    begin; all scorers then keep the same first ones. ``progress`` is called with the resamples done
    and wanted.

    Raises
    ------
    SettingsError
        The replicates need more memory than ``resources`` allows, or the backend does not exist.
    MetricError, SubmissionError
        An organizer's function fails; the message names the resample.
    """
    parts = list(dict.fromkeys(part for scorer in scorers for part in scorer.parts))
    _check_memory(resamples, [part.m for part in parts], resources.memory)
    called = [part for part in parts if isinstance(part, FunctionScorer)]
    direct = [part for part in parts if not isinstance(part, FunctionScorer)]
    of_scorers: dict[Scorer, Scored] = {}
    drawn = resamples
    for group, python in ((direct, False), (called, True)):
        if not group:
            continue
        job = ResamplingJob(group, design, resamples, seed)
        backend = _backend(resources.backend, job, python)
        alone = resources.backend == "auto" and _is_short(job)
        workers = 1 if alone else _affordable(resources, job)
        job_resources = replace(resources, workers=workers, backend=backend)
        if backend in _LOCAL:
            job.kept = resources.kept
        tasks = job.tasks(max(1, min(_CALLED, resamples // _TASKS)) if python else job.rows)
        scored, done = run(job, tasks, job_resources, deadline=deadline, progress=progress)
        of_scorers.update(zip(group, scored, strict=True))
        drawn = min(drawn, done)
    replicates: dict[Scorer, Replicates] = {}
    for scorer, row in zip(scorers, needed or [None] * len(scorers), strict=True):
        combined = scorer.combine([of_scorers[part] for part in scorer.parts])
        if isinstance(row, Scorer):
            replicates[scorer] = Replicates.beside(combined, replicates[row])
        else:
            replicates[scorer] = Replicates.from_scored(combined, drawn, row)
    return tuple(replicates[scorer] for scorer in scorers)


def iterate_counts(design: Design, resamples: int, seed: int) -> Iterator[Counts]:
    """Yield the counts that `resample` scores, chunk by chunk, [R, n]."""
    yield from _iterate(design.draw, design, resamples, seed)


def iterate_unit_counts(design: Design, resamples: int, seed: int) -> Iterator[Counts]:
    """Yield how often the units are drawn on the same resamples, chunk by chunk, [R, N]."""
    yield from _iterate(design.draw_units, design, resamples, seed)


def _iterate(
    draw: Callable[[Generator, int], Counts], design: Design, resamples: int, seed: int
) -> Iterator[Counts]:
    job = ResamplingJob((), design, resamples, seed)
    for chunk, task in enumerate(job.tasks(job.rows)):
        yield draw(generator_of_chunk(seed, chunk), task.size)


def _check_memory(resamples: int, entries: Sequence[int], memory: int) -> None:
    """Raise SettingsError if the replicates of ``entries`` a metric and their copies do not fit."""
    rows = _SCORING_COPIES * sum(entries) + _INFERENCE_COPIES * max(entries, default=0)
    needed = resamples * rows * np.dtype(np.float64).itemsize
    if needed > memory:
        raise SettingsError(
            f"resamples: the replicates need {needed / 2**30:.1f} GiB, but 'memory' allows only "
            f"{memory / 2**30:.1f} GiB; lower 'resamples', or raise 'memory' on a larger machine"
        )


def _backend(backend: str, job: ResamplingJob, python: bool) -> str:
    """Choose the backend if the settings leave it to the program ("auto").

    Python functions hold the interpreter's lock, and may have started threads that a fork would
    lose, so they get new processes. Short runs end before a fork pays off. Long runs were 1.3 to
    1.8 times as fast in forked processes as in threads.
    """
    if backend != "auto":
        return "loky" if python and backend == "threads" else backend
    if python:
        return "loky"
    return "processes" if _passes(job) >= _FORKED else "threads"


def _is_short(job: ResamplingJob) -> bool:
    """Return whether a run ends before a second worker has saved what its start costs.

    Calls of functions were timed on the whole test set.
    """
    called = [scorer for scorer in job.scorers if isinstance(scorer, FunctionScorer)]
    seconds = job.resamples * sum(scorer.observation.seconds * scorer.m for scorer in called)
    passes = _passes(job) * (1 + sum(scorer.m for scorer in job.scorers) / 50)
    return seconds < WORTH_PROCESSES if called else passes < _SHARED


def _passes(job: ResamplingJob) -> int:
    """Return how many counts are read, which tells how long a run takes.

    Metrics that sort the examples pass over all counts once per entry.
    """
    passes = 1 + sum(scorer.m for scorer in job.scorers if isinstance(scorer, OrderedScorer))
    return passes * job.design.n * job.resamples


def _affordable(resources: Resources, job: ResamplingJob) -> int:
    """Return how many workers fit the memory; each holds a chunk's counts, also as floats."""
    chunk = job.rows * job.design.n
    return max(1, min(resources.workers, resources.memory // (4 * chunk + (64 << 20))))
