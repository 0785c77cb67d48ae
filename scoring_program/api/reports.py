"""What a call in Python reports: lines to the logger "deadheat", progress to a bar or function."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from ..pipeline import Hooks

if TYPE_CHECKING:
    from tqdm import tqdm

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
