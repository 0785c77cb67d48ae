"""Who computes the resamples: this process, threads, forked processes, or joblib's backends.

Tasks are claimed in order, so that the finished ones are the first ones when time runs out. A
worker that dies loses nothing: what it had claimed is computed again.
"""

from __future__ import annotations

import contextlib
import gc
import mmap
import multiprocessing
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from scoring_program.choices import BACKENDS
from scoring_program.errors import PhotofinishError, SettingsError, outline
from scoring_program.score import Scored

#: How often a batch is given to a cluster or pool again after workers died, before it is done here.
_RETRIES = 2


@dataclass(frozen=True)
class Task:
    """A range of resamples within one chunk: numbers ``first`` … ``first + size − 1``."""

    chunk: int
    first: int
    size: int


class Work(Protocol):
    """What is run: a task's scores, one Scored for each scorer, whose entries `shapes` counts."""

    resamples: int

    def __call__(self, task: Task) -> list[Scored]:
        """Score the resamples of a task with every scorer."""

    def shapes(self) -> list[int]:
        """Return the number of entries of each scorer."""


Progress = Callable[[int, int], None]


def run(
    work: Work,
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
    board = _Board(work, tasks, deadline, progress, shared)
    with _one_blas_thread():
        if backend in ("loky", "dask", "ray") and (workers > 1 or scheduler):
            _joblib(board, workers, backend, scheduler)
        elif shared:
            _processes(board, workers)
        elif workers > 1:
            _threads(board, workers)
        # What nobody has done yet, because there is one worker or because another died.
        board.finish_claimed()
        board.work_on(board.claim)
    board.raise_first_error()
    return board.scores, board.resamples_done()


class _Board:
    """Where workers claim tasks and leave scores; shared by threads, or by forked processes."""

    def __init__(
        self,
        work: Work,
        tasks: Sequence[Task],
        deadline: float | None,
        progress: Progress | None,
        shared: bool,
    ) -> None:
        self.work = work
        self.tasks = tasks
        self.deadline = deadline
        self.progress = progress
        empty = _shared_zeros if shared else np.zeros
        size = work.resamples
        # An entry's replicates lie side by side in memory, as inference reads them.
        self.scores = [
            Scored(empty((m, size), np.float64).T, empty((size,), np.bool_)) for m in work.shapes()
        ]
        self.done = empty((len(tasks),), np.bool_)
        self.claimed = 0
        self.errors: dict[int, PhotofinishError] = {}
        self._lock = threading.Lock()

    def claim(self) -> int | None:
        """Return the next task's number; None when there is none, time is up or a task failed."""
        with self._lock:
            if not self.may_begin(self.claimed):
                return None
            self.claimed += 1
            return self.claimed - 1

    def may_begin(self, number: int) -> bool:
        """Return whether a task may be begun; the first always may, so that there is a result."""
        if number >= len(self.tasks) or self.errors:
            return False
        return number == 0 or self.deadline is None or time.monotonic() < self.deadline

    def work_on(self, claim: Callable[[], int | None]) -> None:
        """Compute claimed tasks until there are none; keep an error of the program's own kind."""
        while (number := claim()) is not None:
            try:
                self.store(number, self.work(self.tasks[number]))
            except PhotofinishError as error:
                self.errors[number] = error
                return

    def store(self, number: int, results: Sequence[Scored]) -> None:
        """Keep the results of a task."""
        task = self.tasks[number]
        rows = slice(task.first, task.first + task.size)
        for kept, result in zip(self.scores, results, strict=True):
            kept.values[rows] = result.values
            kept.undefined[rows] = result.undefined
        self.done[number] = True
        if self.progress is not None and threading.current_thread() is threading.main_thread():
            done = sum(task.size for task, done in zip(self.tasks, self.done, strict=True) if done)
            self.progress(done, self.work.resamples)

    def claimed_but_not_done(self) -> list[int]:
        """Return the tasks whose workers did not live to do them; none after an error."""
        if self.errors:
            return []
        return [int(k) for k in np.flatnonzero(~self.done[: self.claimed])]

    def finish_claimed(self) -> None:
        """Compute here what was claimed by workers that did not live to do it."""
        if lost := self.claimed_but_not_done():
            warnings.warn(
                f"a worker ended early; its {len(lost)} tasks are computed again",
                RuntimeWarning,
                stacklevel=4,
            )
            remaining = iter(lost)
            self.work_on(lambda: next(remaining, None))

    def raise_first_error(self) -> None:
        """Raise the error of the first task that failed, whoever met one sooner."""
        if self.errors:
            raise self.errors[min(self.errors)]

    def resamples_done(self) -> int:
        """Return how many of the first resamples have scores."""
        first = len(self.tasks) if self.done.all() else int(np.argmin(self.done))
        return sum(task.size for task in self.tasks[:first])


def _threads(board: _Board, workers: int) -> None:
    """Let threads work, this one among them; NumPy's loops and products run side by side."""
    failures: list[BaseException] = []

    def target() -> None:
        try:
            board.work_on(board.claim)
        except BaseException as failure:  # re-raised below, in the caller's thread
            failures.append(failure)

    threads = [threading.Thread(target=target) for _ in range(workers - 1)]
    for thread in threads:
        thread.start()
    try:
        board.work_on(board.claim)
    except BaseException:
        board.claimed = len(board.tasks)  # or the others would go on to the last task
        raise
    finally:
        for thread in threads:
            thread.join()
    if failures:
        raise failures[0]


def _processes(board: _Board, workers: int) -> None:
    """Let forked processes work, this one among them; scores go to memory that they share.

    Nothing here waits for a process that may be dead: the lock is the kernel's, which takes it back
    from whoever is killed, and each process has a pipe of its own to report an error.
    """
    import fcntl
    import tempfile

    context = multiprocessing.get_context("fork")
    state = _shared_zeros((2,), np.int64)  # tasks claimed; whether to stop

    with tempfile.TemporaryFile() as lock:

        def claim() -> int | None:
            fcntl.lockf(lock, fcntl.LOCK_EX)
            try:
                if state[1] or not board.may_begin(int(state[0])):
                    return None
                state[0] += 1
                return int(state[0]) - 1
            finally:
                fcntl.lockf(lock, fcntl.LOCK_UN)

        def child(reports: Any) -> None:
            for stop in (signal.SIGINT, signal.SIGTERM):
                signal.signal(stop, signal.SIG_DFL)  # the parent says that the run was stopped
            board.progress = None
            board.work_on(claim)
            if board.errors:
                state[1] = 1
                reports.send(board.errors)

        children = []
        with warnings.catch_warnings():
            # The children only compute with NumPy; they take no lock that another thread may hold.
            warnings.simplefilter("ignore", DeprecationWarning)
            for _ in range(workers - 1):
                receiver, sender = context.Pipe(duplex=False)
                process = context.Process(target=child, args=(sender,))
                process.start()
                sender.close()
                children.append((process, receiver))
        try:
            board.work_on(claim)
        finally:
            # There is nothing left to claim, or something went wrong here.
            state[1] = 1
            for process, _ in children:
                process.join()
    for _, receiver in children:
        with contextlib.suppress(EOFError):  # nothing to report, or killed before it could
            board.errors.update(receiver.recv())
        receiver.close()
    board.claimed = int(state[0])


def _joblib(board: _Board, workers: int, backend: str, scheduler: str | None) -> None:
    """Let joblib's workers compute tasks, on this machine or on an existing cluster."""
    # joblib takes longer to import than a small competition does to resample.
    import joblib

    with _cluster(joblib, backend, scheduler, workers, board.work) as jobs:
        for attempt in range(_RETRIES + 1):
            try:
                while _give_out(joblib, board, jobs, streaming=backend != "ray"):
                    pass
                return
            except PhotofinishError:
                raise
            except Exception as failure:
                # Workers died. After a few tries the tasks are done here, where a bug would show.
                if attempt == _RETRIES:
                    warnings.warn(
                        f"the {backend} workers failed ({outline(failure)}); going on without them",
                        RuntimeWarning,
                        stacklevel=5,
                    )


def _give_out(joblib: Any, board: _Board, jobs: int, *, streaming: bool) -> bool:
    """Have workers compute what a broken attempt left undone and what nobody claimed yet.

    Where joblib cannot stream results from the backend, it is a batch at a time. Returns whether
    there may be more to do.
    """
    waiting = board.claimed_but_not_done()
    sent: list[int] = []

    def calls() -> Iterator[Any]:
        while streaming or len(sent) < 4 * jobs:
            number = waiting.pop(0) if waiting else board.claim()
            if number is None:
                return
            sent.append(number)
            yield joblib.delayed(_attempt)(board.work, board.tasks[number])

    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator" if streaming else "list")
    results = parallel(calls())
    try:
        for place, result in enumerate(results):
            if isinstance(result, PhotofinishError):
                board.errors[sent[place]] = result
            else:
                board.store(sent[place], result)
    finally:
        if streaming:
            # Where the run is stopped, joblib warns of the results that nobody waits for now.
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", category=UserWarning, module="joblib")
                results.close()
    return not streaming and bool(sent)


def _attempt(work: Work, task: Task) -> list[Scored] | PhotofinishError:
    """Run a task in a worker; an error comes back as a value: the first task's is reported."""
    try:
        with _one_blas_thread():
            return work(task)
    except PhotofinishError as error:
        return type(error)(str(error))
    finally:
        if multiprocessing.current_process().name.startswith("Loky"):
            _settle()


@lru_cache(maxsize=1)
def _settle() -> None:
    """Spare the garbage collector what a worker's first task has imported, from then on.

    Where psutil is missing, loky's workers collect all garbage once a second: 60 ms each time.
    """
    gc.collect()
    gc.freeze()


@contextlib.contextmanager
def _cluster(
    joblib: Any, backend: str, scheduler: str | None, workers: int, work: Work
) -> Iterator[int]:
    """Configure joblib for a backend; yield how many tasks to run at a time."""
    try:
        if backend == "dask":
            import distributed

            where = {"address": scheduler} if scheduler else {"n_workers": workers}
            client_type: Any = distributed.Client  # its types, where they exist, are not strict
            with client_type(**where) as client:
                jobs = max(1, sum(client.nthreads().values()))
                with joblib.parallel_config("dask", client=client, scatter=[work]):
                    yield jobs
            return
        if backend == "ray":
            import ray
            from ray.util.joblib import register_ray

            ray.init(address=scheduler, ignore_reinit_error=True)
            register_ray()
            with joblib.parallel_config("ray"):
                yield workers
            return
    except ImportError as missing:
        raise SettingsError(
            f"backend {backend!r} is not installed: pip install 'photofinish[{backend}]'"
        ) from missing
    with joblib.parallel_config(backend, inner_max_num_threads=1):
        yield workers


def _shared_zeros(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """Return zeros in memory that forked processes share."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    return np.frombuffer(mmap.mmap(-1, max(size, 1)), dtype, count=int(np.prod(shape))).reshape(
        shape
    )


@contextlib.contextmanager
def _one_blas_thread() -> Iterator[None]:
    """Keep the matrix products of each worker to one thread: two levels must not multiply."""
    if os.environ.get("OPENBLAS_NUM_THREADS") == "1":
        yield
        return
    # Looking for the libraries takes a while; the command sets the variable before NumPy is loaded.
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1, "blas"):
        yield
