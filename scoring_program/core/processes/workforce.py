"""Tasks that bring their own data, for whoever does them: processes of this machine, or a cluster.

A task is called without arguments, and returns little.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from ..errors import DeadheatError, InternalError, outline
from .bounds import ENDLESS, TimeLimit
from .cluster import CLUSTERS, cluster
from .pool import CannotStart, Pool
from .worker import NoAnswer

#: Yields what tasks return, in their order.
Workforce: TypeAlias = Callable[[Sequence[Callable[[], Any]]], Iterator[Any]]


@contextlib.contextmanager
def workforce(
    workers: int, backend: str, scheduler: str | None, time_limit: TimeLimit = ENDLESS
) -> Iterator[Workforce]:
    """Yield who does tasks: the workers of a cluster, or so many processes of this machine.

    What a cluster leaves undone is done on this machine. See `cluster` for the errors.
    """
    pool = Pool(_done, workers, time_limit=time_limit)
    try:
        if backend in CLUSTERS and (workers > 1 or scheduler):
            with cluster(backend, scheduler, workers, _done) as (compute, slots, close):
                yield lambda tasks: _each(tasks, compute, slots, pool)
                close()
        else:
            yield lambda tasks: _each(tasks, lambda task: _here(task, pool), workers, pool)
    finally:
        pool.close()


def _done(task: Callable[[], Any]) -> Any:
    return task()


def _each(
    tasks: Sequence[Callable[[], Any]], compute: Callable[[Any], Any], slots: int, pool: Pool
) -> Iterator[Any]:
    from concurrent.futures import ThreadPoolExecutor

    threads = ThreadPoolExecutor(slots)
    told = False
    try:
        for task, future in [(task, threads.submit(compute, task)) for task in tasks]:
            try:
                answer = future.result()
            except DeadheatError:
                raise
            except Exception as failure:
                if not told:
                    warnings.warn(
                        f"a worker ended early ({outline(failure)}); this machine does its tasks",
                        RuntimeWarning,
                        stacklevel=2,
                    )
                told = True
                answer = _here(task, pool)
            yield answer
    finally:
        threads.shutdown(wait=False, cancel_futures=True)


def _here(task: Callable[[], Any], pool: Pool) -> Any:
    """Do a task in a process of this machine, or in this one if none can start."""
    try:
        return pool.call(task)
    except CannotStart:
        return task()
    except NoAnswer as error:
        raise InternalError(f"a process ended while it read files: {error.cause.value}") from error
