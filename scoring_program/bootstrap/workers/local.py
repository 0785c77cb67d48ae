"""Workers on this machine that need no library: threads or forked processes."""

from __future__ import annotations

import contextlib
import multiprocessing
import threading
from typing import Any

import numpy as np

from ..shared_memory import shared_zeros
from .forked import fork
from .task_queue import TaskQueue


def in_threads(queue: TaskQueue, workers: int) -> None:
    """Let threads, including this one, compute the tasks; NumPy's loops run in parallel."""
    failures: list[BaseException] = []

    def target() -> None:
        try:
            queue.work_on(queue.claim)
        except BaseException as failure:  # re-raised below, in the caller's thread
            failures.append(failure)

    threads = [threading.Thread(target=target) for _ in range(workers - 1)]
    for thread in threads:
        thread.start()
    try:
        queue.work_on(queue.claim)
    except BaseException:
        queue.claimed = len(
            queue.tasks
        )  # otherwise, the other threads would compute all remaining tasks
        raise
    finally:
        for thread in threads:
            thread.join()
    if failures:
        raise failures[0]


def in_processes(queue: TaskQueue, workers: int) -> None:
    """Let forked processes, including this one, compute the tasks into shared memory.

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
                if state[1] or not queue.may_begin(int(state[0])):
                    return None
                state[0] += 1
                return int(state[0]) - 1
            finally:
                fcntl.lockf(lock, fcntl.LOCK_UN)

        def child(reports: Any) -> None:
            queue.progress = None
            queue.work_on(claim)
            if queue.errors:
                state[1] = 1
                reports.send(queue.errors)

        children = []
        try:
            for _ in range(workers - 1):
                receiver, sender = multiprocessing.Pipe(duplex=False)
                children.append((fork(child, sender), receiver))
                sender.close()
            queue.work_on(claim)
        finally:
            # No task is left, or something failed here. If the run was stopped, this process may
            # still hold the lock.
            state[1] = 1
            fcntl.lockf(lock, fcntl.LOCK_UN)
            for process, _ in children:
                process.join()
    for _, receiver in children:
        with contextlib.suppress(EOFError):  # no error, or killed before it could report one
            queue.errors.update(receiver.recv())
        receiver.close()
    queue.claimed = int(state[0])
