"""A process that reads what strangers sent, so that whatever it takes, the run goes on.

`worker_pool` starts it by this module's name, with the parent's search path. So no script that uses
the package needs a main guard, and it works wherever Python can start itself.
"""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path
from typing import BinaryIO

from ..core.phrases import Phrase
from .limits import LimitExceeded, Limits


def main() -> None:
    """Answer what the parent asks, until it closes the pipe.

    The first object that it sends is a function and the limits. Then come the function's arguments.
    The first answer is True; others are what the function returned or the exception that it raised.
    """
    questions, answers = sys.stdin.buffer, _own_output()
    call, limits = pickle.load(questions)
    pickle.dump(True, answers)
    answers.flush()
    while True:
        try:
            arguments = pickle.load(questions)
        except EOFError:
            return
        _limit(limits)
        try:
            answer = call(*arguments)
        except MemoryError:
            answer = LimitExceeded(
                Phrase(
                    "takes more memory to read than the limit of {most} MB",
                    most=limits.memory // 10**6,
                )
            )
        except Exception as error:
            answer = error
        pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()


def _own_output() -> BinaryIO:
    """Return the pipe to the parent, and let what is printed go nowhere."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    return answers


def _limit(limits: Limits) -> None:
    """Grant so much memory and processor time from now on, where the system can limit them."""
    try:
        import resource
    except ImportError:  # on Windows
        return
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        memory = pages * resource.getpagesize() + limits.memory
    except OSError:  # other systems neither tell nor keep such a limit
        memory = None
    if memory is not None:
        _set(resource.RLIMIT_AS, memory)
    _set(resource.RLIMIT_CPU, int(sum(os.times()[:2])) + 1 + limits.seconds)


def _set(kind: int, value: int) -> None:
    """Set a limit, but none above what holds anyway."""
    import resource

    _, most = resource.getrlimit(kind)
    if most != resource.RLIM_INFINITY:
        value = min(value, most)
    resource.setrlimit(kind, (value, most))
