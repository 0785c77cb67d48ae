"""What a call in Python reports: errors, lines to the logger "deadheat", progress to a bar.

Errors show the caller's own line, and not the way through the program.
"""

from __future__ import annotations

import inspect
import logging
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TextIO, TypeVar

from ..core.errors import ArgumentError, DeadheatError, InternalError, MetricError
from ..pipeline import Hooks
from ..settings.model import OPTIONS

if TYPE_CHECKING:
    from tqdm import tqdm

Given = ParamSpec("Given")
Returned = TypeVar("Returned")
#: Gets what is being done ("resamples"), how much of it is done, and the total.
Progress = Callable[[str, int, int], None]

_LOG = logging.getLogger("deadheat")
_LOG.addHandler(logging.NullHandler())


def reporting(progress: bool | Progress) -> Hooks:
    """Return the hooks of a call; ``progress`` is whether to show a bar, or who is told."""
    told = Bar(sys.stderr).advance if progress is True else progress
    return Hooks(log=_LOG.info, progress=told) if callable(told) else Hooks(log=_LOG.info)


class Bar:
    """A bar for what is being done: one after the other, each gone when it is full."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self._what = ""
        self._bar: tqdm[None] | None = None

    def advance(self, what: str, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` things are done."""
        if what != self._what:
            from tqdm import tqdm  # imported here because a run on a platform needs no bar

            self.close()
            self._what = what
            self._bar = tqdm(
                total=total, desc=what, unit="", unit_scale=True, leave=False, file=self.stream
            )
        if self._bar is not None:
            self._bar.update(done - self._bar.n)
            if done >= total:
                self.close()  # so that lines can follow

    def clear(self) -> None:
        """Make way for a line."""
        if self._bar is not None:
            self._bar.clear()

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def briefly(call: Callable[Given, Returned]) -> Callable[Given, Returned]:
    """Raise the errors of a call from here, so that tracebacks have one frame of this program.

    A bug of this program keeps its traceback, and what a caller's own metric raised its cause.
    Commands unwrap the call, so that ``--debug`` shows the whole way. An argument that does not
    exist is answered with the one that is meant.
    """

    @wraps(call)
    def called(*args: Given.args, **kwargs: Given.kwargs) -> Returned:
        try:
            _refuse_unknown(call, kwargs)
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


def _refuse_unknown(call: Callable[..., Any], named: Mapping[str, Any]) -> None:
    """Raise ArgumentError for an argument that the call lacks; one that takes any checks its own.

    A setting that only folders have is said to be one.
    """
    parameters = inspect.signature(call).parameters
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        return
    arguments = [name for name in parameters if name != "self"]
    settings = {option.name for option in OPTIONS}
    for name in named:
        if name in parameters:
            continue
        from ..core.meanings import instead, meant_by  # late: few calls have a wrong argument

        meant = instead(name, arguments)
        if name in settings and meant_by(name, arguments) is None:
            meant = f"; it is a setting of folders, score(INPUT, {name}=…)"
        raise ArgumentError(f"{call.__name__}() has no argument {name!r}{meant}")
