"""Workers that joblib manages: new processes of loky, or a cluster of dask or ray."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from typing import Any

from ...core.errors import DeadheatError, SettingsError, outline
from ...scoring.scorer import Scored
from ..job import ResamplingJob, Task
from .blas import one_blas_thread
from .task_queue import TaskQueue

#: How often a batch is retried after workers died, before this process computes it.
_RETRIES = 2


def with_joblib(queue: TaskQueue, workers: int, backend: str, scheduler: str | None) -> None:
    """Let joblib's workers compute tasks, on this machine or on an existing cluster."""
    # Imported here because the import takes longer than a small bootstrap.
    import joblib

    with _cluster(joblib, backend, scheduler, workers, queue.job) as jobs:
        for attempt in range(_RETRIES + 1):
            try:
                while _give_out(joblib, queue, jobs, streaming=backend != "ray"):
                    pass
                return
            except DeadheatError:
                raise
            except Exception as failure:
                # Workers died. After a few tries, this process does their tasks and shows any bug.
                if attempt == _RETRIES:
                    warnings.warn(
                        f"the {backend} workers failed ({outline(failure)}); "
                        "the run continues without them",
                        RuntimeWarning,
                        stacklevel=5,
                    )


def _give_out(joblib: Any, queue: TaskQueue, jobs: int, *, streaming: bool) -> bool:
    """Let workers compute the tasks that a failed attempt left undone and the unclaimed ones.

    If joblib cannot stream results from the backend, one batch is computed at a time. Returns
    whether there may be more to do.
    """
    waiting = queue.claimed_but_not_done()
    sent: list[int] = []

    def calls() -> Iterator[Any]:
        while streaming or len(sent) < 4 * jobs:
            number = waiting.pop(0) if waiting else queue.claim()
            if number is None:
                return
            sent.append(number)
            yield joblib.delayed(_attempt)(queue.job, queue.tasks[number])

    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator" if streaming else "list")
    results = parallel(calls())
    try:
        for place, result in enumerate(results):
            if isinstance(result, DeadheatError):
                queue.errors[sent[place]] = result
            else:
                queue.store(sent[place], result)
    finally:
        if streaming:
            # If the run is stopped, joblib warns about results that nobody waits for.
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", category=UserWarning, module="joblib")
                results.close()
    return not streaming and bool(sent)


def _attempt(job: ResamplingJob, task: Task) -> list[Scored] | DeadheatError:
    """Run a task in a worker; return an error as a value, because only the first is reported."""
    try:
        with one_blas_thread():
            return job(task)
    except DeadheatError as error:
        return type(error)(str(error))


@contextlib.contextmanager
def _cluster(
    joblib: Any, backend: str, scheduler: str | None, workers: int, job: ResamplingJob
) -> Iterator[int]:
    """Configure joblib for a backend; yield the number of tasks to run at a time."""
    try:
        if backend == "dask":
            import distributed

            where = {"address": scheduler} if scheduler else {"n_workers": workers}
            client_type: Any = distributed.Client  # not fully typed
            with _reaching(backend, scheduler):
                connected = client_type(**where)
            with connected as client:
                jobs = max(1, sum(client.nthreads().values()))
                with joblib.parallel_config("dask", client=client, scatter=[job]):
                    yield jobs
            return
        if backend == "ray":
            import ray
            from ray.util.joblib import register_ray

            with _reaching(backend, scheduler):
                ray.init(address=scheduler, ignore_reinit_error=True)
            register_ray()
            with joblib.parallel_config("ray"):
                yield workers
            return
    except ImportError as missing:
        raise SettingsError(
            f"backend {backend!r} is not installed: pip install 'deadheat[{backend}]'"
        ) from missing
    with joblib.parallel_config(backend, inner_max_num_threads=1):
        yield workers


@contextlib.contextmanager
def _reaching(backend: str, scheduler: str | None) -> Iterator[None]:
    """Turn a library's connection error into one that names the setting.

    Raises
    ------
    SettingsError
        The address is wrong, or no cluster answers there.
    """
    try:
        yield
    except (OSError, ValueError) as error:
        if scheduler is None:
            raise
        raise SettingsError(
            f"scheduler: no {backend} cluster answers at {scheduler!r}; start one there, or fix "
            "the address"
        ) from error
