"""The parent's side of other processes: a `Worker`, a `Pool` of those that Python starts, clusters.

They are fed through pipes, and are not those of joblib: one that dies must neither stop the others
nor hide what it was doing. Each gets its function once, when it begins. So do the workers of a
cluster of dask or ray, which get tasks one by one. A `Workforce` does tasks that bring their own
data, here or there: a task is called without arguments, and returns little.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import mmap
import os
import pickle
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import IO, TYPE_CHECKING, Any, BinaryIO, TypeAlias

import numpy as np

from . import bounds
from .arrays import Array
from .errors import DeadheatError, InternalError, SettingsError, outline
from .version import __version__, install_line

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

    _Process: TypeAlias = subprocess.Popen[bytes] | BaseProcess


_START = (
    "import sys; sys.path[:] = sys.argv[2:]; "
    "from importlib import import_module; import_module(sys.argv[1]).main()"
)
#: How often a question is asked that ended a process for no reason that the limits explain.
_TRIES = 2
#: Seconds in which a process ends that no longer answers.
_ENDING = 5


class CannotStart(OSError):
    """The system starts no process, so that this one must do everything."""


class Worker:
    """A process that calls one function, as often as it is asked, one question at a time."""

    def __init__(self, process: _Process, questions: IO[bytes], answers: IO[bytes]) -> None:
        self._process = process
        self._questions = questions
        self._answers = answers

    @classmethod
    def forked(cls, call: Callable[..., Any]) -> Worker:
        """Fork a process for a function that only computes with NumPy.

        So it needs no lock that another thread of this process may hold. Raises CannotStart.
        """
        opened: list[BinaryIO] = []
        try:
            for _ in range(2):
                reader, writer = os.pipe()
                opened += [os.fdopen(reader, "rb"), os.fdopen(writer, "wb")]
            asked, questions, answers, replies = opened

            def child() -> None:
                for stop in (signal.SIGINT, signal.SIGTERM):
                    signal.signal(stop, signal.SIG_DFL)  # the parent reports that it was stopped
                # Or this process would wait forever for a parent that was killed.
                for parents_end in (questions, answers):
                    parents_end.close()
                with contextlib.suppress(Exception):  # the parent sees that there is no answer
                    bounds.serve(call, None, asked, replies)

            import multiprocessing

            process = multiprocessing.get_context("fork").Process(target=child)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                process.start()
        except OSError as error:
            for pipe in opened:
                pipe.close()
            raise CannotStart(str(error)) from error
        asked.close()
        replies.close()
        return cls(process, questions, answers)

    @classmethod
    def started(cls, task: bytes) -> Worker:
        """Start a process by name; ``task`` is its pickled function and limits.

        Raises CannotStart.
        """
        try:
            process = subprocess.Popen(
                [sys.executable, "-c", _START, f"{__package__}.bounds", *sys.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **bounds.ONE_THREAD},
            )
        except (OSError, TypeError) as error:  # sys.executable may be None
            raise CannotStart(str(error)) from error
        assert process.stdin is not None
        assert process.stdout is not None
        worker = cls(process, process.stdin, process.stdout)
        try:
            process.stdin.write(task)
            process.stdin.flush()
            worker.answer()  # it is ready
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            worker.end()
            raise CannotStart(str(error)) from error
        return worker

    def ask(self, *arguments: Any) -> None:
        """Send a question; raise OSError if the process has ended."""
        self._questions.write(pickle.dumps(arguments, pickle.HIGHEST_PROTOCOL))
        self._questions.flush()

    def answer(self) -> Any:
        """Return what the function returned, or the exception that it raised.

        Raises OSError, EOFError or UnpicklingError if the process has ended.
        """
        return pickle.load(self._answers)

    def kill(self) -> None:
        """Let the process end at once."""
        self._process.kill()

    def cause(self) -> bounds.Cause:
        """Return why a process that was started ends."""
        assert isinstance(self._process, subprocess.Popen)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_ENDING)
        over = self._process.returncode == -getattr(signal, "SIGXCPU", 0)
        return bounds.Cause.TIME if over else bounds.Cause.DEATH

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        if isinstance(self._process, subprocess.Popen):
            self._process.wait()
        else:
            self._process.join()
        for pipe in (self._questions, self._answers):
            with contextlib.suppress(OSError):  # what could not be written
                pipe.close()


class Pool:
    """At most ``size`` processes that call ``call``; they start when they are needed.

    What ``call`` takes and returns can be pickled, and ``call`` itself by ``dumps``.
    """

    def __init__(
        self,
        call: Callable[..., Any],
        size: int,
        allowance: bounds.Allowance | None = None,
        time_limit: bounds.TimeLimit = bounds.ENDLESS,
        dumps: Callable[[Any], bytes] = pickle.dumps,
    ) -> None:
        self.size = size
        self._time_limit = time_limit
        self._function = call
        self._allowance = allowance
        self._dumps = dumps
        self._idle: queue.LifoQueue[Worker] = queue.LifoQueue()
        self._all: set[Worker] = set()
        self._lock = threading.Lock()
        self._closed = threading.Event()

    def call(self, *arguments: Any) -> Any:
        """Return what ``call`` returns in one of the processes, or raise what it raises.

        Raises `NoAnswer` if it takes too much memory or time or ends the process, OutOfTime when
        the time of the whole run is over, and CannotStart.
        """
        for _ in range(_TRIES):
            worker = self._take()
            try:
                with self._time_limit.then(worker.kill):
                    worker.ask(*arguments)
                    answer = worker.answer()
            except (OSError, EOFError, pickle.UnpicklingError):
                cause = worker.cause()
                self._discard(worker)
                if self._time_limit.left <= 0:
                    raise bounds.OutOfTime from None
                if cause is bounds.Cause.TIME:
                    raise bounds.NoAnswer(cause) from None
                continue
            if isinstance(answer, bounds.NoAnswer):
                self._discard(worker)  # its memory may be in pieces
                raise answer
            self._idle.put(worker)
            if isinstance(answer, BaseException):
                raise answer
            return answer
        raise bounds.NoAnswer(bounds.Cause.DEATH)

    def each(self, tasks: Iterable[Callable[[], Any]]) -> Iterator[Any]:
        """Yield the results of functions that use the pool, in their order, several at a time."""
        from concurrent.futures import ThreadPoolExecutor

        threads = ThreadPoolExecutor(self.size)
        try:
            yield from threads.map(lambda task: task(), tasks)
        finally:
            self.close()  # so that no thread waits for an answer
            threads.shutdown(cancel_futures=True)

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            self._closed.set()
            left = list(self._all)
        for worker in left:
            self._discard(worker)

    def _take(self) -> Worker:
        with self._lock:
            if self._closed.is_set():
                raise RuntimeError("the pool is closed")
            with contextlib.suppress(queue.Empty):
                return self._idle.get_nowait()
        worker = Worker.started(self._task)
        with self._lock:
            if not self._closed.is_set():
                self._all.add(worker)
                return worker
        worker.end()
        raise RuntimeError("the pool is closed")

    @cached_property
    def _task(self) -> bytes:
        return self._dumps((self._function, self._allowance))

    def _discard(self, worker: Worker) -> None:
        with self._lock:
            self._all.discard(worker)
        worker.end()


def by_value(function: Any) -> bytes:
    """Pickle functions that no other process can import, too, such as those of a notebook."""
    # Imported here because most runs start no process. Joblib before 1.6 has a copy of it.
    try:
        import cloudpickle
    except ImportError:
        from joblib.externals import cloudpickle
    pickled: bytes = cloudpickle.dumps(function)
    return pickled


def can_fork() -> bool:
    """Return whether this process may fork after NumPy was loaded.

    On macOS it may not, because Accelerate's threads do not survive it; nor may a worker of
    `multiprocessing.Pool`.
    """
    may = hasattr(os, "fork") and sys.platform != "darwin"
    starter = sys.modules.get("multiprocessing.process")  # in every process that it started
    return may and not (starter is not None and starter.current_process().daemon)


def shared_zeros(shape: tuple[int, ...], dtype: Any) -> Array:
    """Return zeros in memory that forked processes share."""
    count = int(np.prod(shape))
    memory = mmap.mmap(-1, max(count * np.dtype(dtype).itemsize, 1))
    return np.frombuffer(memory, dtype, count).reshape(shape)


# Clusters -----------------------------------------------------------------------------------------


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
    connected = _dask if backend == "dask" else _ray
    with _silent(), connected(library, scheduler, workers, job) as workers_of_job:
        yield workers_of_job


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
        of_scheduler = {client.scheduler.address: _on_scheduler(client, look)}
        _check_versions("dask", of_scheduler, "scheduler")
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
        for address in (node["NodeManagerAddress"] for node in nodes):
            asked = look.options(num_cpus=0, resources={f"node:{address}": 0.001}).remote()
            try:
                versions[address] = ray.get(asked)
            except ray.exceptions.RayTaskError as error:
                versions[address] = error
        _check_versions("ray", versions)
        sent = ray.put(job)
        remote = ray.remote(_attempt)

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
        with bounds.one_blas_thread():
            return job(task)
    except DeadheatError as error:
        return error


def _checked(outcome: Any) -> Any:
    if isinstance(outcome, DeadheatError):
        raise outcome
    return outcome


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

#: Yields what tasks return, in their order; of one that is `bounds.Bounded`, perhaps NoAnswer.
Workforce: TypeAlias = Callable[[Sequence[Callable[[], Any]]], Iterator[Any]]


@contextlib.contextmanager
def workforce(
    workers: int, backend: str, scheduler: str | None, time_limit: bounds.TimeLimit = bounds.ENDLESS
) -> Iterator[Workforce]:
    """Yield who does tasks: the workers of a cluster, or so many processes of this machine.

    What a cluster leaves undone is done on this machine. See `cluster` for the errors.
    """
    pool = Pool(_done, workers, time_limit=time_limit)
    try:
        if backend in CLUSTERS and (workers > 1 or scheduler):
            with cluster(backend, scheduler, workers, _in_cluster) as (compute, slots, close):
                yield lambda tasks: _each(tasks, compute, slots, pool)
                close()
        else:
            yield lambda tasks: _each(tasks, lambda task: _here(task, pool), workers, pool)
    finally:
        pool.close()


def _done(task: Callable[[], Any]) -> Any:
    return task()


@cache
def _pool_of_worker() -> Pool:
    """Return the processes of a cluster's worker, which live as long as it does."""
    return Pool(_done, 1)


def _in_cluster(task: Callable[[], Any]) -> Any:
    """Do a task in a worker of a cluster; a bounded one in a process of its own there."""
    return _here(task, _pool_of_worker()) if isinstance(task, bounds.Bounded) else task()


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
    """Do a task in a process of this machine, or in this one if none can start.

    What a bounded task cannot answer is its result; another one ends the run.
    """
    try:
        return pool.call(task)
    except CannotStart:
        return task()
    except bounds.NoAnswer as error:
        if isinstance(task, bounds.Bounded):
            return error
        raise InternalError(f"a process ended while it read files: {error.cause.value}") from error
