"""Errors of a call in Python show the caller's own line, and not the way through the program."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from ..core.errors import DeadheatError, InternalError, MetricError

Given = ParamSpec("Given")
Returned = TypeVar("Returned")


def briefly(call: Callable[Given, Returned]) -> Callable[Given, Returned]:
    """Raise the errors of a call from here, so that tracebacks have one frame of this program.

    A bug of this program keeps its traceback, and what a caller's own metric raised its cause.
    Commands unwrap the call, so that ``--debug`` shows the whole way.
    """

    @wraps(call)
    def called(*args: Given.args, **kwargs: Given.kwargs) -> Returned:
        try:
            return call(*args, **kwargs)
        except InternalError:
            raise
        except MetricError as error:
            # The cause is shown; --debug is an option of the command.
            error.args = (str(error).removesuffix("; --debug shows all of it"),)
            raise error.with_traceback(None) from error.__cause__
        except DeadheatError as error:
            raise error.with_traceback(None) from None

    return called
