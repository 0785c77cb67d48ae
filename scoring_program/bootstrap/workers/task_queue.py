"""What workers share: the tasks that they claim, and the memory for the scores."""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable, Sequence

import numpy as np

from ...core.errors import DeadheatError
from ...core.phrases import counted
from ...scoring.scorer import Scored
from ..job import ResamplingJob, Task
from ..shared_memory import shared_zeros

#: Called with the number of resamples done and the total.
OnProgress = Callable[[int, int], None]


class TaskQueue:
    """The queue where threads or forked processes claim tasks and store scores."""

    def __init__(
        self,
        job: ResamplingJob,
        tasks: Sequence[Task],
        deadline: float | None,
        progress: OnProgress | None,
        shared: bool,
    ) -> None:
        self.job = job
        self.tasks = tasks
        self.deadline = deadline
        self.progress = progress
        empty = shared_zeros if shared else np.zeros
        size = job.resamples
        # An entry's replicates are contiguous in memory, as inference reads them.
        self.scores = [
            Scored(empty((m, size), np.float64).T, empty((m, size), np.bool_).T)
            for m in job.shapes()
        ]
        self.done = empty((len(tasks),), np.bool_)
        self.claimed = 0
        self.errors: dict[int, DeadheatError] = {}
        self._lock = threading.Lock()

    def claim(self) -> int | None:
        """Return the next task's number; None if none is left, time is up or a task failed."""
        with self._lock:
            if not self.may_begin(self.claimed):
                return None
            self.claimed += 1
            return self.claimed - 1

    def may_begin(self, number: int) -> bool:
        """Return whether a task may begin; the first always may, so that there is a result."""
        if number >= len(self.tasks) or self.errors:
            return False
        return number == 0 or self.deadline is None or time.monotonic() < self.deadline

    def work_on(self, claim: Callable[[], int | None]) -> None:
        """Compute claimed tasks until none is left; keep a `DeadheatError`."""
        while (number := claim()) is not None:
            try:
                self.store(number, self.job(self.tasks[number]))
            except DeadheatError as error:
                self.errors[number] = error
                return

    def store(self, number: int, results: Sequence[Scored]) -> None:
        """Store the results of a task."""
        task = self.tasks[number]
        rows = slice(task.first, task.first + task.size)
        for kept, result in zip(self.scores, results, strict=True):
            kept.values[rows] = result.values
            kept.undefined[rows] = result.undefined
        self.done[number] = True
        if self.progress is not None and threading.current_thread() is threading.main_thread():
            done = sum(task.size for task, done in zip(self.tasks, self.done, strict=True) if done)
            self.progress(done, self.job.resamples)

    def claimed_but_not_done(self) -> list[int]:
        """Return the tasks whose workers died before they finished; none after an error."""
        if self.errors:
            return []
        return [int(k) for k in np.flatnonzero(~self.done[: self.claimed])]

    def finish_claimed(self) -> None:
        """Compute in this process the tasks whose workers died."""
        if lost := self.claimed_but_not_done():
            warnings.warn(
                f"a worker ended early; {counted(len(lost), 'task(s)')} will be computed again",
                RuntimeWarning,
                stacklevel=4,
            )
            remaining = iter(lost)
            self.work_on(lambda: next(remaining, None))

    def raise_first_error(self) -> None:
        """Raise the error of the first failed task, even if a later task failed earlier in time."""
        if self.errors:
            raise self.errors[min(self.errors)]

    def resamples_done(self) -> int:
        """Return the number of resamples, from the first on, that have scores."""
        first = len(self.tasks) if self.done.all() else int(np.argmin(self.done))
        return sum(task.size for task in self.tasks[:first])
