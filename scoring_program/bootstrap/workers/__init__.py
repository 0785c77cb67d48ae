"""The workers that score resamples: this process, threads, forked processes, or joblib's backends.

Workers claim tasks in order. So if time runs out, the finished tasks are the first ones. If a
worker dies, its tasks are computed again.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...core.errors import SettingsError
from ...scoring.scorer import Scored
from ...settings.values import BACKENDS
from ..job import ResamplingJob, Task
from ..resources import Resources
from .blas import one_blas_thread
from .cluster import with_joblib
from .forked import can_fork
from .local import in_processes, in_threads
from .task_queue import OnProgress, TaskQueue

__all__ = ["run"]


def run(
    job: ResamplingJob,
    tasks: Sequence[Task],
    resources: Resources,
    *,
    deadline: float | None,
    progress: OnProgress | None,
) -> tuple[list[Scored], int]:
    """Run the tasks; return the scores, and how many of the first resamples have them.

    Raises SettingsError for an unknown or missing backend, or the error of the first failed task.
    """
    backend, scheduler = resources.backend, resources.scheduler
    if backend not in BACKENDS:
        raise SettingsError(f"backend: unknown value {backend!r}; use one of {', '.join(BACKENDS)}")
    workers = min(resources.workers, len(tasks))
    shared = backend == "processes" and workers > 1 and can_fork()
    queue = TaskQueue(job, tasks, deadline, progress, shared)
    with one_blas_thread():
        if backend in ("loky", "dask", "ray") and (workers > 1 or scheduler):
            with_joblib(queue, workers, backend, scheduler)
        elif shared:
            in_processes(queue, workers)
        elif workers > 1:
            in_threads(queue, workers)
        # The tasks that are not done yet, because there is one worker or because another died.
        queue.finish_claimed()
        queue.work_on(queue.claim)
    queue.raise_first_error()
    return queue.scores, queue.resamples_done()
