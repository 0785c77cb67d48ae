"""Processes in which a function reads what strangers sent, several at a time, within limits.

The processes are Python's own, started by name and fed through pipes, and not those of joblib: one
that dies must neither stop the others nor hide which file it was reading.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

from ..core.phrases import Phrase
from .limits import LimitExceeded, Limits

_START = (
    "import sys; sys.path[:] = sys.argv[2:]; "
    "from importlib import import_module; import_module(sys.argv[1]).main()"
)
#: How often a file is tried whose reading ended the process for no reason that the limits explain.
_TRIES = 2
#: Seconds in which a process ends that no longer answers.
_ENDING = 5


class CannotStart(OSError):
    """The system starts no process, so that everything must be read in this one."""


class WorkerPool:
    """At most ``size`` processes that call ``call``; they start when they are needed.

    ``call`` and what it takes and returns can be pickled.
    """

    def __init__(self, call: Callable[..., Any], size: int, limits: Limits) -> None:
        self.size = size
        self._call = call
        self._limits = limits
        self._idle: queue.LifoQueue[subprocess.Popen[bytes]] = queue.LifoQueue()
        self._all: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._closed = False

    def call(self, *arguments: Any) -> Any:
        """Return what ``call`` returns in one of the processes, or raise what it raises.

        Raises `LimitExceeded` if it takes too much memory or time, and CannotStart.
        """
        for _ in range(_TRIES):
            process = self._take()
            try:
                answer = _sent(process, pickle.dumps(arguments, pickle.HIGHEST_PROTOCOL))
            except (OSError, EOFError, pickle.UnpicklingError):
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(_ENDING)  # to learn how it ends
                self._discard(process)
                if process.returncode == -getattr(signal, "SIGXCPU", 0):
                    raise LimitExceeded(
                        Phrase(
                            "takes longer to read than the limit of {most} seconds",
                            most=self._limits.seconds,
                        )
                    ) from None
                continue
            if isinstance(answer, LimitExceeded):
                self._discard(process)  # its memory may be in pieces
                raise answer
            self._idle.put(process)
            if isinstance(answer, BaseException):
                raise answer
            return answer
        raise LimitExceeded(Phrase("ends the process that reads it"))

    def each(self, tasks: Iterable[Callable[[], Any]]) -> Iterator[Any]:
        """Yield the results of functions that use the pool, in their order, several at a time."""
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
        for process in left:
            self._discard(process)

    def _take(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._closed:
                raise RuntimeError("the pool is closed")
            with contextlib.suppress(queue.Empty):
                return self._idle.get_nowait()
            process = _started()
            self._all.add(process)
            task = self._task
        try:
            _sent(process, task)  # it answers when it is ready
        except (OSError, EOFError) as error:
            self._discard(process)
            raise CannotStart(str(error)) from error
        return process

    @cached_property
    def _task(self) -> bytes:
        return pickle.dumps((self._call, self._limits), pickle.HIGHEST_PROTOCOL)

    def _discard(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            self._all.discard(process)
        if process.poll() is None:
            process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):  # what could not be written
                if pipe is not None:
                    pipe.close()


def _sent(process: subprocess.Popen[bytes], question: bytes) -> Any:
    """Return the answer; raise OSError, EOFError or UnpicklingError if the process has ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(question)
    process.stdin.flush()
    return pickle.load(process.stdout)


def _started() -> subprocess.Popen[bytes]:
    worker = f"{__package__}.worker"
    try:
        return subprocess.Popen(
            [sys.executable, "-c", _START, worker, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # One thread of BLAS: reading computes nothing.
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )
    except (OSError, TypeError) as error:  # sys.executable may be None
        raise CannotStart(str(error)) from error
