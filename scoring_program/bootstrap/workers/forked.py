"""Forked processes, which only compute with NumPy and end with what they compute."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import warnings
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

T = TypeVar("T")


def can_fork() -> bool:
    """Return whether this process may fork: a worker of `multiprocessing.Pool` may not."""
    return hasattr(os, "fork") and not multiprocessing.current_process().daemon


def fork(target: Callable[..., None], *args: Any) -> BaseProcess:
    """Start a forked process that calls a function, which only computes with NumPy.

    So it needs no lock that another thread of this process may hold. Raises OSError if the system
    has no room for a process.
    """

    def child() -> None:
        for stop in (signal.SIGINT, signal.SIGTERM):
            signal.signal(stop, signal.SIG_DFL)  # the parent reports that the run was stopped
        target(*args)

    process = multiprocessing.get_context("fork").Process(target=child)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    return process


@contextlib.contextmanager
def beside(compute: Callable[[], T], *, pays_off: bool) -> Iterator[Callable[[], T]]:
    """Compute something in a forked process, if that pays off and can be done.

    Yields a function that waits for the result. If the process cannot deliver one, this process
    computes it, and raises what it raises. See `fork` for what may be computed.
    """
    begun = None
    if pays_off and can_fork():
        with contextlib.suppress(OSError):
            begun = _begin(compute)
    if begun is None:
        yield compute
        return
    process, receiver = begun

    def result() -> T:
        try:
            found: T = receiver.recv()
        except (EOFError, OSError, pickle.UnpicklingError):  # killed, also while it was sending
            return compute()
        receiver.close()
        return found

    try:
        yield result
    finally:
        if not receiver.closed:
            process.kill()
            receiver.close()
        process.join()


def _begin(compute: Callable[[], object]) -> tuple[BaseProcess, Connection]:
    """Start a process that computes something; return it, and where its result arrives."""
    receiver, sender = multiprocessing.Pipe(duplex=False)

    def child() -> None:
        receiver.close()  # or the process would wait forever for a parent that was killed
        with contextlib.suppress(Exception):
            sender.send(compute())

    try:
        return fork(child), receiver
    except OSError:
        receiver.close()
        raise
    finally:
        sender.close()
