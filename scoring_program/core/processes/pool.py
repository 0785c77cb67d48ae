"""The parent's side of other processes: a `Worker`, and a `Pool` of those that Python starts.

They are fed through pipes, and are not those of joblib: one that dies must neither stop the others
nor hide what it was doing. Each gets its function once, when it begins.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any, BinaryIO

import numpy as np

from ..arrays import Array
from .bounds import ENDLESS, ONE_THREAD, OutOfTime, TimeLimit
from .worker import Allowance, Cause, NoAnswer, serve

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

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

    def __init__(
        self,
        process: subprocess.Popen[bytes] | BaseProcess,
        questions: IO[bytes],
        answers: IO[bytes],
    ) -> None:
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
            asked, questions, answers, given = opened

            def child() -> None:
                for stop in (signal.SIGINT, signal.SIGTERM):
                    signal.signal(stop, signal.SIG_DFL)  # the parent reports that it was stopped
                for own in (questions, answers):
                    own.close()  # or this process would wait forever for a parent that was killed
                with contextlib.suppress(Exception):  # the parent sees that there is no answer
                    serve(call, None, asked, given)

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
        given.close()
        return cls(process, questions, answers)

    @classmethod
    def started(cls, task: bytes) -> Worker:
        """Start a process by name; ``task`` is its pickled function and limits.

        Raises CannotStart.
        """
        try:
            process = subprocess.Popen(
                [sys.executable, "-c", _START, f"{__package__}.worker", *sys.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **ONE_THREAD},
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

    def cause(self) -> Cause:
        """Return why a process that was started ends."""
        assert isinstance(self._process, subprocess.Popen)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_ENDING)
        over = self._process.returncode == -getattr(signal, "SIGXCPU", 0)
        return Cause.TIME if over else Cause.DEATH

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
        allowance: Allowance | None = None,
        time_limit: TimeLimit = ENDLESS,
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
        self._closed = False

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
                    raise OutOfTime from None
                if cause is Cause.TIME:
                    raise NoAnswer(cause) from None
                continue
            if isinstance(answer, NoAnswer):
                self._discard(worker)  # its memory may be in pieces
                raise answer
            self._idle.put(worker)
            if isinstance(answer, BaseException):
                raise answer
            return answer
        raise NoAnswer(Cause.DEATH)

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
            self._closed = True
            left = list(self._all)
        for worker in left:
            self._discard(worker)

    def _take(self) -> Worker:
        with self._lock:
            if not self._closed:
                with contextlib.suppress(queue.Empty):
                    return self._idle.get_nowait()
            closed = self._closed
        if not closed:
            worker = Worker.started(self._task)
            with self._lock:
                closed = self._closed
                self._all.add(worker)
            if not closed:
                return worker
            self._discard(worker)
        raise RuntimeError("the pool is closed")

    @cached_property
    def _task(self) -> bytes:
        return self._dumps((self._function, self._allowance))

    def _discard(self, worker: Worker) -> None:
        with self._lock:
            self._all.discard(worker)
        worker.end()


def by_value(found: Any) -> bytes:
    """Pickle functions that no other process can import, too, such as those of a notebook."""
    # Imported here because most runs start no process. Joblib before 1.6 has a copy of it.
    try:
        import cloudpickle
    except ImportError:
        from joblib.externals import cloudpickle
    pickled: bytes = cloudpickle.dumps(found)
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
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    return np.frombuffer(mmap.mmap(-1, max(size, 1)), dtype, count=int(np.prod(shape))).reshape(
        shape
    )
