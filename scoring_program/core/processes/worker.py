"""A process that calls a function as often as its parent asks, and dies without harm.

`pool` forks it, or starts it by this module's name with the parent's search path. So no script that
uses the package needs a main guard, and it works wherever Python can start itself.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from enum import Enum
from typing import Any, BinaryIO, Protocol

from .bounds import grant


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


def main() -> None:
    """Serve the parent that started this process: it sends the function and the limits first.

    The first answer is True.
    """
    questions, answers = sys.stdin.buffer, _own_output()
    call, allowance = pickle.load(questions)
    _answer(True, answers)
    serve(call, allowance, questions, answers)


def serve(
    call: Callable[..., Any], allowance: Allowance | None, questions: BinaryIO, answers: BinaryIO
) -> None:
    """Answer the parent's questions, which are the function's arguments, until it closes the pipe.

    The answers are what the function returned, or the exception that it raised.
    """
    while True:
        try:
            arguments = pickle.load(questions)
        except EOFError:
            return
        if allowance is not None:
            grant(allowance.memory, allowance.seconds)
        try:
            answer = call(*arguments)
        except MemoryError as error:
            answer = error if allowance is None else NoAnswer(Cause.MEMORY)
        except Exception as error:
            answer = error
        _answer(answer, answers)


def _answer(answer: Any, answers: BinaryIO) -> None:
    pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
    answers.flush()


def _own_output() -> BinaryIO:
    """Return the pipe to the parent, and let what is printed go nowhere."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    return answers
