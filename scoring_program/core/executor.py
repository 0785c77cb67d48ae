"""Who carries out the parts of a computation: this process, or also threads and a forked one."""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from .pool import CannotStart, Worker, can_fork

T = TypeVar("T")


@dataclass(frozen=True)
class Executor:
    """Carries out computations with so many ``workers``; one carries out everything in order.

    Results never depend on who computes them.
    """

    memory: int = 2 << 30  # bytes that a computation may hold in addition to the data
    time_is_limited: bool = False  # so that what only refines the results is left out
    workers: int = 1
    forks: bool = True

    def each(self, work: Callable[[T], object], parts: Iterable[T]) -> None:
        """Call a function with every part, in threads; raise what it raises."""
        every = list(parts)
        if self.workers > 1 and len(every) > 1:
            from concurrent.futures import ThreadPoolExecutor

            with ThreadPoolExecutor(self.workers) as pool:
                list(pool.map(work, every))
        else:
            for part in every:
                work(part)

    @contextlib.contextmanager
    def beside(self, compute: Callable[[], T]) -> Iterator[Callable[[], T]]:
        """Begin to compute something long, which only needs NumPy, in a forked process.

        Yields a function that waits for the result. If there is one worker, or the process cannot
        deliver, this process computes it, and raises what it raises.
        """
        worker = None
        if self.forks and self.workers > 1 and can_fork():
            with contextlib.suppress(CannotStart):
                worker = Worker.forked(compute)
        if worker is None:
            yield compute
            return

        def result() -> T:
            try:
                answer = worker.answer()
            except (EOFError, OSError, pickle.UnpicklingError):  # killed, also while it was sending
                return compute()
            return compute() if isinstance(answer, Exception) else answer

        try:
            with contextlib.suppress(OSError):  # killed before it was asked
                worker.ask()
            yield result
        finally:
            worker.end()


#: This process alone, with the memory that the settings allow by default.
HERE = Executor()
