"""How much time, memory and how many threads of BLAS a process may use, and what another one does.

Such a process calls a function as often as its parent asks, and dies without harm. `pool` forks it,
or starts it by this module's name with the parent's search path. So no script that uses the package
needs a main guard, and it works wherever Python can start itself. The kit of participants holds
this module, so it imports the standard library only.
"""

from __future__ import annotations

import contextlib
import importlib
import math
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from .errors import OrganizerError, SettingsError

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

#: The modules that load OpenBLAS, each a copy of its own.
_LIBRARIES = ("numpy", "scipy.special")
#: What a copy reserves: a part of its own, and one for each processor's thread. With less it gives
#: up, hangs or crashes, where Python cannot catch it.
_OWN = 100 << 20
_PER_PROCESSOR = 20 << 20
#: What a new process is told, before it loads a library, so that it computes with one thread.
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)


@contextlib.contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit matrix products to one thread, and restore the number of threads afterwards.

    More threads gain little on an idle machine, and are up to ten times slower on a busy one. The
    variables of the environment count only if they are set before NumPy is loaded.
    """
    with _thread_pools(len(sys.modules)).limit(limits=1, user_api="blas"):
        yield


@lru_cache(maxsize=1)
def _thread_pools(modules: int) -> ThreadpoolController:
    """Return the libraries with threads of their own, looked for again after other imports.

    To look for them takes milliseconds where many are loaded. Only an import loads another one.
    """
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def lacks_libraries() -> bool:
    """Return whether less is left than the libraries that are not loaded yet will reserve."""
    unloaded = sum(name not in sys.modules for name in _LIBRARIES)
    return unloaded > 0 and room() < unloaded * _share()


def is_short() -> bool:
    """Return whether so little is left that it explains an error of any kind."""
    return room() < _share()


def room() -> float:
    """Return the bytes of address space that are left; infinity where nothing limits them."""
    try:
        import resource
    except ImportError:  # on Windows
        return math.inf
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return math.inf if limit == resource.RLIM_INFINITY else limit - (_taken() or 0)


def grant(memory: int, seconds: int) -> None:
    """Grant this process so many bytes and seconds more, where the system can limit them."""
    try:
        import resource
    except ImportError:  # on Windows
        return
    taken = _taken()
    limits = {resource.RLIMIT_CPU: int(sum(os.times()[:2])) + 1 + seconds}
    if taken is not None:
        limits[resource.RLIMIT_AS] = taken + memory
    for kind, value in limits.items():
        _, most = resource.getrlimit(kind)
        allowed = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(kind, (allowed, most))


def lift() -> None:
    """Take back what limits `grant` has set to this process."""
    try:
        import resource
    except ImportError:  # on Windows
        return
    for kind in (resource.RLIMIT_CPU, resource.RLIMIT_AS):
        _, most = resource.getrlimit(kind)
        resource.setrlimit(kind, (most, most))


def _taken() -> int | None:
    """Return the bytes of address space that this process takes; only Linux tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return None


def _share() -> int:
    """Return the bytes that one of the libraries reserves."""
    counted = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return _OWN + _PER_PROCESSOR * (counted or 1)


class OutOfTime(OrganizerError):
    """The time of the run is over; `TimeLimit.check` says so to its user.

    ``slowest`` is the number of what took the most seconds, and ``seconds`` how many.
    """

    def __init__(self, slowest: int = 0, seconds: float = 0.0) -> None:
        super().__init__(slowest, seconds)  # both arguments, so that other processes can send it
        self.slowest = slowest
        self.seconds = seconds


@dataclass(frozen=True)
class TimeLimit:
    """A run that began at ``started``, a time.monotonic(), may take so many seconds.

    ``setting`` is what messages call the setting that says so.
    """

    seconds: float = math.inf
    started: float = 0.0
    setting: str = "time_budget"
    #: Seconds that was done for each submission, and since when others are at work.
    _taken: dict[str, float] = field(default_factory=dict, repr=False)
    _begun: dict[object, tuple[str, float]] = field(default_factory=dict, repr=False)

    @property
    def left(self) -> float:
        """The seconds that are left, infinite without a limit; not above 0 if the time is over."""
        return self.started + self.seconds - time.monotonic()

    @property
    def is_endless(self) -> bool:
        """Whether there is no limit."""
        return math.isinf(self.seconds)

    @contextlib.contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Measure what is done for a submission; messages call it ``name``."""
        key = object()  # several at once may have one name, such as those of the packed field
        self._begun[key] = (name, time.monotonic())
        try:
            yield
        finally:
            _, begun = self._begun.pop(key)
            self.add(name, time.monotonic() - begun)

    def add(self, name: str, seconds: float) -> None:
        """Count seconds that were spent on a submission."""
        self._taken[name] = self._taken.get(name, 0.0) + seconds

    @contextlib.contextmanager
    def then(self, action: Callable[[], object]) -> Iterator[None]:
        """Do something if the time is over before the block ends."""
        if self.is_endless:
            yield
            return
        timer = threading.Timer(max(0.0, self.left), action)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def check(self, done: str, remedy: str = "allow more time") -> None:
        """Raise SettingsError if the time is over before all was ``done``, and name the slowest."""
        if self.left > 0:
            return
        now = time.monotonic()
        running = {name: now - begun for name, begun in [*self._begun.values()]}
        taken = {**self._taken}
        for name, seconds in running.items():
            taken[name] = seconds + taken.get(name, 0.0)
        slowest = max(taken, key=taken.__getitem__, default=None)
        where = "" if slowest is None else f" (the slowest: {slowest}, {taken[slowest]:.1f} s)"
        raise SettingsError(
            f"{self.setting}: {self.seconds:g} s were over before all submissions were "
            f"{done}{where}; {remedy}"
        )

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_taken": {}, "_begun": {}}  # what a worker counts stays there


#: No limit.
ENDLESS = TimeLimit()


# What another process does ------------------------------------------------------------------------


class Allowance(Protocol):
    """What one call of the function may take in addition to what the process holds."""

    @property
    def memory(self) -> int:
        """Bytes."""

    @property
    def seconds(self) -> int:
        """Processor time."""


class Cause(Enum):
    """Why a process gave no answer."""

    MEMORY = "it took more memory than it was allowed"
    TIME = "it took longer than it was allowed"
    DEATH = "it ended the process"


class NoAnswer(Exception):
    """A process gave no answer."""

    def __init__(self, cause: Cause) -> None:
        super().__init__(cause)  # the argument, so that other processes can send it
        self.cause = cause


@dataclass(frozen=True)
class Bounded:
    """A task with what it may take, in a process of its own. Where none can start, nothing is.

    ``libraries`` are loaded before that counts: what they reserve is not the task's.
    """

    task: Callable[[], Any]
    allowance: Allowance
    libraries: tuple[str, ...] = ()

    def __call__(self) -> Any:
        """Do the task."""
        return self.task()

    def grant(self) -> None:
        """Grant this process what the task may take."""
        for library in self.libraries:
            with contextlib.suppress(ImportError):  # the task says which one it lacks
                importlib.import_module(library)
        grant(self.allowance.memory, self.allowance.seconds)


def main() -> None:
    """Serve the parent that started this process: it sends the function and the limits first.

    The first answer is True.
    """
    # What is printed goes nowhere, and the answers through the pipe to the parent.
    questions = sys.stdin.buffer
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    call, allowance = pickle.load(questions)
    _answer(True, answers)
    serve(call, allowance, questions, answers)


def serve(
    call: Callable[..., Any], allowance: Allowance | None, questions: BinaryIO, answers: BinaryIO
) -> None:
    """Answer the parent's questions, which are the function's arguments, until it closes the pipe.

    The answers are what the function returned, or the exception that it raised. A question that is
    `Bounded` has an allowance of its own.
    """
    while True:
        try:
            arguments = pickle.load(questions)
        except EOFError:
            return
        task = next((item for item in arguments if isinstance(item, Bounded)), None)
        is_bounded = task is not None or allowance is not None
        if task is not None:
            task.grant()
        elif allowance is not None:
            grant(allowance.memory, allowance.seconds)
        else:
            lift()
        try:
            answer = call(*arguments)
        except MemoryError as error:
            answer = NoAnswer(Cause.MEMORY) if is_bounded else error
        except Exception as error:
            answer = error
        _answer(answer, answers)


def _answer(answer: Any, answers: BinaryIO) -> None:
    pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
    answers.flush()
