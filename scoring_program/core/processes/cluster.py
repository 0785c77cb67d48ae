"""Workers elsewhere: a cluster of dask or ray, which gets the job once and tasks one by one.

A `Workforce` does tasks that bring their own data, in processes of this machine or on a cluster. A
task is called without arguments, and returns little.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import re
import socket
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from ..errors import DeadheatError, InternalError, SettingsError, outline
from ..version import __version__, install_line
from .bounds import ENDLESS, TimeLimit, one_blas_thread
from .pool import CannotStart, Pool
from .worker import NoAnswer

#: The backends that are clusters, and the modules of their libraries.
CLUSTERS = {"dask": "distributed", "ray": "ray"}
#: Seconds in which a cluster must answer.
_PATIENCE = 5
_ADDRESS = re.compile(r"(?:\w+://)?(?P<host>\[[^\]]+\]|[^:/]+):(?P<port>\d+)")
_PACKAGE = __name__.partition(".")[0]
#: What a worker is asked before anything is sent to it; by value, for one without Deadheat.
_LOOK = "lambda: __import__({package!r}).__version__"

#: What the workers call with each task.
Job: TypeAlias = Callable[[Any], Any]
#: Computes a task there; how many at a time; and what ends it.
Cluster: TypeAlias = tuple[Job, int, Callable[[], object]]


def check_cluster(backend: str, scheduler: str | None) -> None:
    """Raise SettingsError if the backend's library is missing or nobody answers at the address."""
    if backend not in CLUSTERS:
        return
    _library(backend)
    address = None if scheduler is None else _ADDRESS.fullmatch(scheduler.rstrip("/"))
    if address is not None:
        with _reaching(backend, scheduler):
            place = (address["host"].strip("[]"), int(address["port"]))
            socket.create_connection(place, timeout=_PATIENCE).close()


@contextlib.contextmanager
def cluster(backend: str, scheduler: str | None, workers: int, job: Job) -> Iterator[Cluster]:
    """Send a job to all workers; yield what computes a task, how many at a time, and what ends it.

    Without a ``scheduler``, so many ``workers`` are started on this machine.

    Raises
    ------
    SettingsError
        The library is missing, no cluster answers, or a worker has no or another Deadheat.
    """
    library = _library(backend)
    with (
        _silent(),
        (_dask if backend == "dask" else _ray)(library, scheduler, workers, job) as found,
    ):
        yield found


@contextlib.contextmanager
def _dask(distributed: Any, scheduler: str | None, workers: int, job: Job) -> Iterator[Cluster]:
    where: dict[str, Any] = {"address": scheduler, "timeout": _PATIENCE}
    if scheduler is None:
        where = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
    with _reaching("dask", scheduler):
        client = distributed.Client(**where)
    try:
        look = eval(_LOOK.format(package=_PACKAGE), {"__name__": "__main__"})
        _check_versions("dask", client.run(look, on_error="return"))
        _check_versions(
            "dask", {client.scheduler.address: _on_scheduler(client, look)}, "scheduler"
        )
        sent = client.scatter(job, broadcast=True)

        def compute(task: Any) -> Any:
            future = client.submit(_attempt, sent, task, pure=False)
            while True:
                try:
                    return _checked(future.result(timeout=_PATIENCE))
                except distributed.TimeoutError:
                    if client.status == "closed":  # no result will come
                        raise ConnectionError("the scheduler has ended") from None

        yield compute, max(1, sum(client.nthreads().values())), client.close
    finally:
        client.close()


def _on_scheduler(client: Any, look: Callable[[], str]) -> object:
    """Return what a scheduler answers, or its error: it reads tasks before it passes them on."""
    try:
        return client.run_on_scheduler(look)
    except Exception as error:
        return error


@contextlib.contextmanager
def _ray(ray: Any, scheduler: str | None, workers: int, job: Job) -> Iterator[Cluster]:
    begun = not ray.is_initialized()
    if begun:
        where = {"address": scheduler} if scheduler else {"num_cpus": workers}
        with _reaching("ray", scheduler):
            ray.init(**where, log_to_driver=False, logging_level=logging.CRITICAL)
    try:
        nodes = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
        look = ray.remote(eval(_LOOK.format(package=_PACKAGE), {"__name__": "__main__"}))
        versions: dict[str, object] = {}
        for node in nodes:
            place = {f"node:{node['NodeManagerAddress']}": 0.001}
            try:
                versions[node["NodeManagerAddress"]] = ray.get(
                    look.options(num_cpus=0, resources=place).remote()
                )
            except ray.exceptions.RayTaskError as error:
                versions[node["NodeManagerAddress"]] = error
        _check_versions("ray", versions)
        sent, remote = ray.put(job), ray.remote(_attempt)

        def compute(task: Any) -> Any:
            return _checked(ray.get(remote.remote(sent, task)))

        slots = int(sum(node["Resources"]["CPU"] for node in nodes))
        yield compute, max(1, slots), lambda: None
    finally:
        if begun:
            ray.shutdown()


def _attempt(job: Job, task: Any) -> Any:
    """Run a task in a worker; return its error, which the libraries would wrap and log."""
    try:
        with one_blas_thread():
            return job(task)
    except DeadheatError as error:
        return error


def _checked(found: Any) -> Any:
    if isinstance(found, DeadheatError):
        raise found
    return found


def _library(backend: str) -> Any:
    try:
        return importlib.import_module(CLUSTERS[backend])
    except ImportError as missing:
        raise SettingsError(
            f"backend {backend!r} is not installed: {install_line(backend)}"
        ) from missing


def _check_versions(backend: str, versions: Mapping[str, object], role: str = "worker") -> None:
    """Raise SettingsError if a worker lacks this version of Deadheat; name the worker.

    ``role`` is what messages call it.
    """
    for worker, version in sorted(versions.items()):
        if version != __version__:
            has = f"has Deadheat {version}" if isinstance(version, str) else "has no Deadheat"
            raise SettingsError(
                f"backend: the {backend} {role} {worker} {has}, but this run is of {__version__}; "
                f"install deadheat=={__version__} there, and start the worker again"
            )


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
    except (OSError, ValueError, RuntimeError, MemoryError) as error:
        # Dask takes the reply of another program for the length of a message.
        if scheduler is None:
            raise
        raise SettingsError(
            f"scheduler: no {backend} cluster answers at {scheduler!r}; start one there, or fix "
            "the address"
        ) from error


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Let the libraries not log the tracebacks of what the run survives."""
    libraries = ("distributed", "tornado", "asyncio", "ray")
    names = [name for name in logging.root.manager.loggerDict if name.startswith(libraries)]
    before = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


# Tasks that bring their own data ------------------------------------------------------------------

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
