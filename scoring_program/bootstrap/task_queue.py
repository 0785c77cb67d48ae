"""Divides a bootstrap into tasks, and carries them out.

Resamples are drawn in chunks of a fixed shape. Chunk c always comes from the c-th child of the
seed, in any worker. So results depend on the seed and the data, never on the number of
workers, the backend or the memory allowed.

This process computes, threads, forked or new processes, or a cluster.
Workers claim tasks in order. So if time runs out, the finished tasks are the first ones. If a
worker dies, its tasks are computed again.
"""

from __future__ import annotations

import contextlib
import pickle
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ..core.arrays import Floats, Ints
from ..core.bounds import one_blas_thread
from ..core.errors import DeadheatError, SettingsError, outline
from ..core.pool import (
    CLUSTERS,
    CannotStart,
    Pool,
    Worker,
    by_value,
    can_fork,
    cluster,
    shared_zeros,
)
from ..metrics.families.preferences import Battles
from ..metrics.metric import Evaluated
from ..metrics.sums import Product
from ..scoring.scorer import Scorer
from ..scoring.scorers import FunctionScorer, PairsScorer, SumsScorer
from ..settings.model import BACKENDS
from .design import Counts, Design, generator_of_chunk

#: Draws in a chunk: few enough to fit a core's cache, many enough to make Python's overhead small.
_DRAWS = 750_000
#: Fewest resamples in a chunk, to keep matrix products fast; most, to report progress often.
_FEWEST = 20
_MOST = 512
#: Draws beyond which a chunk may hold fewer resamples than ``_FEWEST``.
_LARGEST = 200_000_000


#: A range of resamples within one chunk, by their numbers.
Task: TypeAlias = range


class ResamplingJob:
    """Everything that a worker needs to score any range of resamples."""

    def __init__(
        self, scorers: Sequence[Scorer], design: Design, resamples: int, seed: int
    ) -> None:
        self.scorers = tuple(scorers)
        self.design = design
        self.resamples = resamples
        self.seed = seed
        self.kept_counts: Counts | None = None  # where the draws are put from now on
        #: Resamples in a chunk, and how many of them are scored at once.
        self.rows = _at_once(design.drawn_first.n)
        self.step = min(self.rows, _at_once(design.n))
        # The scorers of the same rows of the test set: their places, and one product for all of
        # their sums, so that shared columns, such as an entry's labels, are summed once.
        self._subsets: list[tuple[Ints | None, dict[int, Scorer], Product | None]] = []
        for rows in {id(scorer.rows): scorer.rows for scorer in self.scorers}.values():
            subset = {k: scorer for k, scorer in enumerate(self.scorers) if scorer.rows is rows}
            of_sums = [scorer for scorer in subset.values() if isinstance(scorer, SumsScorer)]
            columns = [column for scorer in of_sums for column in scorer.sums.flat()]
            self._subsets.append((rows, subset, Product(columns) if of_sums else None))
        self._battles = _shared_battles(self.scorers)
        self._latest: tuple[int, Counts] | None = None

    def tasks(self, step: int) -> list[Task]:
        """Divide the resamples into ranges of at most ``step``, each within one chunk."""
        tasks: list[Task] = []
        for begin in range(0, self.resamples, self.rows):
            chunk = range(self.resamples)[begin : begin + self.rows]
            tasks += [chunk[k : k + step] for k in range(0, len(chunk), step)]
        return tasks

    def counts(self, task: Task) -> Counts:
        """Return the counts of a task's resamples, [R, n].

        What is drawn within other sets has a stream of its own, so that those are drawn alike
        whatever lies in them.
        """
        latest = self._latest
        (chunk, first) = divmod(task.start, self.rows)
        if latest is None or latest[0] != chunk:
            size = min(self.rows, self.resamples - chunk * self.rows)
            design = self.design.drawn_first
            latest = chunk, design.draw(generator_of_chunk(self.seed, chunk), size)
            # The tasks of a function use few resamples of a chunk each: keep it for the next task.
            self._latest = latest if len(task) < size else None
        counts = latest[1][first : first + len(task)]
        if self.design.outer is None:
            return counts
        return self.design.draw_within(generator_of_chunk(self.seed, task.start, 2), counts)

    def __call__(self, task: Task) -> list[Evaluated]:
        """Score the resamples of a task with every scorer."""
        counts = self.counts(task)
        if self.kept_counts is not None:
            self.kept_counts[task.start : task.stop] = counts[:, self.design.unit_rows]
        results: dict[int, Evaluated] = {}
        for rows, scorers, product in self._subsets:
            drawn = counts if rows is None else counts[:, rows]
            sums = None if product is None else product(drawn)
            first = 0
            counted: dict[Battles, tuple[Floats, Floats]] = {}
            for place, scorer in scorers.items():
                if isinstance(scorer, SumsScorer):
                    assert sums is not None
                    size = len(scorer.sums.flat())
                    results[place] = scorer.finish(sums[first : first + size], drawn)
                    first += size
                elif isinstance(scorer, FunctionScorer):
                    results[place] = scorer.replicate_from(drawn, task.start)
                elif isinstance(scorer, PairsScorer):
                    battles = self._battles[place]
                    if battles not in counted:
                        counted[battles] = battles.counted(drawn)
                    results[place] = scorer.finish(*counted[battles])
                else:
                    results[place] = scorer.replicate(drawn)
        return [results[place] for place in range(len(self.scorers))]

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_latest": None}


def _at_once(n: int) -> int:
    """Return how many resamples of n rows are drawn at once."""
    few = max(1, min(_FEWEST, _LARGEST // n))
    return min(_MOST, max(few, _DRAWS // n))


def _shared_battles(scorers: Sequence[Scorer]) -> dict[int, Battles]:
    """Return the battles of scorers by place: the same for equal ones, which are counted once."""
    battles_of: dict[int, Battles] = {}
    for place, scorer in enumerate(scorers):
        if isinstance(scorer, PairsScorer):
            battles = scorer.battles
            equal = (
                earlier
                for earlier in battles_of.values()
                if earlier.size == battles.size
                and np.array_equal(earlier.outcomes, battles.outcomes)
            )
            battles_of[place] = next(equal, battles)
    return battles_of


#: Called with the number of resamples done and the total.
OnProgress: TypeAlias = Callable[[int, int], None]
#: Scores the resamples of a task, wherever that is.
Compute: TypeAlias = Callable[[Task], "list[Evaluated]"]

#: How often a worker may fail before the others do without it.
_FAILURES = 3
#: Seconds after which progress is reported while this process only waits.
_REPORT = 0.2


@dataclass(frozen=True)
class Resources:
    """How many workers score resamples, on which backend, and the memory that all may use.

    ``backend`` is one of `settings.model.BACKENDS`; ``scheduler`` is the address of a dask or ray
    cluster. ``memory`` is in bytes; it limits what resampling and inference hold in addition to the
    data. Workers on this machine fill in ``kept_counts``, the draws.
    """

    workers: int = 1
    backend: str = "auto"
    scheduler: str | None = None
    memory: int = 2 << 30
    kept_counts: Counts | None = None


#: One worker, and the memory that the settings allow by default.
ONE_WORKER = Resources()


def run(
    job: ResamplingJob,
    tasks: Sequence[Task],
    resources: Resources,
    *,
    deadline: float | None,
    progress: OnProgress | None,
) -> tuple[list[Evaluated], int]:
    """Run the tasks; return the scores, and how many of the first resamples have them.

    Raises SettingsError for an unknown or missing backend, or the error of the first failed task.
    """
    backend = resources.backend
    scheduler = resources.scheduler
    if backend not in BACKENDS:
        raise SettingsError(f"backend: unknown value {backend!r}; use one of {', '.join(BACKENDS)}")
    workers = min(resources.workers, len(tasks))
    several = workers > 1
    forked = backend == "processes" and several and can_fork()
    queue = TaskQueue(job, tasks, deadline, progress, shared=forked)
    with one_blas_thread():
        if backend in CLUSTERS and (several or scheduler):
            with cluster(backend, scheduler, workers, job) as (compute, slots, close):
                queue.share([compute] * slots, close, joins_in=False)
        elif backend == "loky" and several:
            pool = Pool(job, workers - 1, dumps=by_value)
            queue.share([pool.call] * (workers - 1), pool.close)
        elif forked:
            queue.share_with_forks(workers - 1)
        elif several:
            queue.share([job] * (workers - 1))
        # The tasks that are not done yet, because there is one worker or because another died.
        queue.finish_claimed()
        queue.work_on(queue.claim)
    if queue.errors:  # the first task's, even if a later task failed earlier in time
        raise queue.errors[min(queue.errors)]
    first = len(tasks) if queue.done.all() else int(np.argmin(queue.done))
    return queue.scores, sum(map(len, tasks[:first]))


class TaskQueue:
    """The queue where workers claim tasks and store scores."""

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
            Evaluated(empty((scorer.m, size), np.float64).T, empty((scorer.m, size), np.bool_).T)
            for scorer in job.scorers
        ]
        self.done = empty((len(tasks),), np.bool_)
        self.claimed = 0
        self.errors: dict[int, DeadheatError] = {}
        self._failure: Exception | None = None
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

    def work_on(self, claim: Callable[[], int | None], compute: Compute | None = None) -> None:
        """Compute claimed tasks until none is left; keep the first `DeadheatError`."""
        compute = compute or self.job
        while (number := claim()) is not None:
            try:
                self._store(number, compute(self.tasks[number]))
            except DeadheatError as error:
                self.errors[number] = error
                return

    def share(
        self,
        helpers: Sequence[Compute],
        close: Callable[[], object] = lambda: None,
        *,
        joins_in: bool = True,
    ) -> None:
        """Let helpers compute the tasks, each in a thread, and this thread too if it ``joins_in``.

        ``close`` ends what the helpers wait for. The tasks of a helper that fails are left undone.
        """
        threads = [threading.Thread(target=self._help, args=(helper,)) for helper in helpers]
        try:
            for thread in threads:
                thread.start()
            if joins_in:
                self.work_on(self.claim)
            for thread in threads:
                while thread.is_alive():
                    thread.join(None if joins_in else _REPORT)
                    self._report()
        except BaseException:
            self.claimed = len(self.tasks)  # or the helpers would compute all remaining tasks
            raise
        finally:
            close()
            for thread in threads:
                if thread.ident is not None:
                    thread.join()

    def _help(self, compute: Compute) -> None:
        failures = 0

        def tried(task: Task) -> list[Evaluated]:
            nonlocal failures
            while True:
                try:
                    return compute(task)
                except DeadheatError:
                    raise
                except Exception:
                    failures += 1
                    if failures == _FAILURES or self.claimed == len(self.tasks):
                        raise

        try:
            self.work_on(self.claim, tried)
        except Exception as failure:  # what is left undone, the caller's thread computes
            self._failure = failure

    def share_with_forks(self, forks: int) -> None:
        """Let forked processes, and this one, compute the tasks into shared memory.

        Nothing here waits for a process that may be dead: the kernel releases the lock of a killed
        process, and each process has its own pipe to report an error.
        """
        import fcntl
        import tempfile

        state = shared_zeros((2,), np.int64)  # tasks claimed; whether to stop

        with tempfile.TemporaryFile() as lock:

            def claim() -> int | None:
                fcntl.lockf(lock, fcntl.LOCK_EX)
                try:
                    if state[1] or not self.may_begin(int(state[0])):
                        return None
                    state[0] += 1
                    return int(state[0]) - 1
                finally:
                    fcntl.lockf(lock, fcntl.LOCK_UN)

            def join_in() -> dict[int, DeadheatError]:
                self.progress = None
                self.work_on(claim)
                state[1] |= bool(self.errors)
                return self.errors

            helpers: list[Worker] = []
            try:
                with contextlib.suppress(CannotStart, OSError):
                    for _ in range(forks):
                        helpers.append(Worker.forked(join_in))
                        helpers[-1].ask()
                self.work_on(claim)
                for helper in helpers:
                    with contextlib.suppress(OSError, EOFError, pickle.UnpicklingError):  # killed
                        answer = helper.answer()
                        self.errors.update(answer if isinstance(answer, dict) else {})
            finally:
                # If the run was stopped, this process may still hold the lock.
                state[1] = 1
                fcntl.lockf(lock, fcntl.LOCK_UN)
                for helper in helpers:
                    helper.end()
        self.claimed = int(state[0])

    def _store(self, number: int, results: Sequence[Evaluated]) -> None:
        rows = slice(self.tasks[number].start, self.tasks[number].stop)
        for scores, result in zip(self.scores, results, strict=True):
            scores.values[rows] = result.values
            scores.undefined[rows] = result.undefined
        self.done[number] = True
        if threading.current_thread() is threading.main_thread():
            self._report()

    def _report(self) -> None:
        if self.progress is not None:
            done = sum(len(task) for task, done in zip(self.tasks, self.done, strict=True) if done)
            self.progress(done, self.job.resamples)

    def finish_claimed(self) -> None:
        """Compute in this process the tasks whose workers died; none after an error."""
        lost = [] if self.errors else np.flatnonzero(~self.done[: self.claimed]).tolist()
        if lost:
            cause = "" if self._failure is None else f" ({outline(self._failure)})"
            warnings.warn(
                f"a worker ended early{cause}; its tasks will be computed again: {len(lost)}",
                RuntimeWarning,
                stacklevel=4,
            )
            remaining = iter(lost)
            self.work_on(lambda: next(remaining, None))
