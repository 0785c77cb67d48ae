"""Who computes the resamples: this process, threads, forked processes, or joblib's backends.

Tasks are claimed in order, so that the finished ones are the first ones when time runs out. A
worker that dies loses nothing: what it had claimed is computed again.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from ...core.errors import SettingsError
from ...scoring.scorers import Scored
from ...settings.values import BACKENDS
from .blas import one_blas_thread
from .board import Board, Progress, Scoring, Task
from .cluster import with_joblib
from .local import in_processes, in_threads

__all__ = ["Board", "Task", "run"]


def run(
    work: Scoring,
    tasks: Sequence[Task],
    *,
    workers: int,
    backend: str,
    scheduler: str | None,
    deadline: float | None,
    progress: Progress | None,
) -> tuple[list[Scored], int]:
    """Run the tasks; return the scores of all resamples and how many, the first ones, are done.

    Raises SettingsError for an unknown or missing backend; an error of a task is the first task's
    that failed.
    """
    if backend not in BACKENDS:
        raise SettingsError(f"backend {backend!r} is none of {', '.join(BACKENDS)}")
    workers = min(workers, len(tasks))
    shared = backend == "processes" and workers > 1 and hasattr(os, "fork")
    board = Board(work, tasks, deadline, progress, shared)
    with one_blas_thread():
        if backend in ("loky", "dask", "ray") and (workers > 1 or scheduler):
            with_joblib(board, workers, backend, scheduler)
        elif shared:
            in_processes(board, workers)
        elif workers > 1:
            in_threads(board, workers)
        # What nobody has done yet, because there is one worker or because another died.
        board.finish_claimed()
        board.work_on(board.claim)
    board.raise_first_error()
    return board.scores, board.resamples_done()
