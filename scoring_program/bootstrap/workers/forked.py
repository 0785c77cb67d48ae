"""Forked processes, which only compute with NumPy and end with what they compute."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import warnings
from collections.abc import Callable, Iterator
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

T = TypeVar("T")


def can_fork() -> bool:
    """Return whether this process may fork: a worker of `multiprocessing.Pool` may not."""
    return hasattr(os, "fork") and not multiprocessing.current_process().daemon


def fork(target: Callable[..., None], *args: Any) -> BaseProcess:
    """Start a forked process that calls a function."""

    def child() -> None:
        for stop in (signal.SIGINT, signal.SIGTERM):
            signal.signal(stop, signal.SIG_DFL)  # the parent reports that the run was stopped
        target(*args)

    process = multiprocessing.get_context("fork").Process(target=child)
    with warnings.catch_warnings():
        # Children only compute with NumPy; they need no lock that another thread holds.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    return process


@contextlib.contextmanager
def beside(compute: Callable[[], T], *, pays_off: bool) -> Iterator[Callable[[], T]]:
    """Compute something in a forked process, if that pays off and can be done.

    Yields a function that waits for the result. If the process cannot deliver one, this process
    computes it, and raises what it raises.
    """
    if not (pays_off and can_fork()):
        yield compute
        return
    receiver, sender = multiprocessing.Pipe(duplex=False)

    def child() -> None:
        with contextlib.suppress(Exception):
            sender.send(compute())

    def result() -> T:
        try:
            found: T = receiver.recv()
        except EOFError:
            return compute()
        return found

    process = fork(child)
    sender.close()
    try:
        yield result
    finally:
        process.kill()
        process.join()
        receiver.close()
