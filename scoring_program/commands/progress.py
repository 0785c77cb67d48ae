"""Shows the progress of a run: a bar on a terminal, an occasional line elsewhere.

Platforms show standard output to participants line by line, where a bar would be noise.
"""

from __future__ import annotations

import contextlib
import importlib.util
import time
from collections.abc import Iterator
from typing import TextIO

from ..api.reports import Bar
from .boundary import say

#: Seconds before the first line and between lines; a quick run needs none.
_SECONDS = 5.0


@contextlib.contextmanager
def shown(stream: TextIO | None) -> Iterator[_Lines | _Bar]:
    """Yield what shows the log (`log`) and the progress (`advance`) of a run on a stream."""
    # Bundles carry no tqdm: a platform has no terminal, but who tries one by hand may have one.
    if stream is None or not stream.isatty() or importlib.util.find_spec("tqdm") is None:
        yield _Lines(stream)
        return
    bar = _Bar(stream)
    try:
        yield bar
    finally:
        bar.close()


class _Lines:
    """Lines only, and seldom one on progress."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._what = ""
        self._begun = self._said = time.monotonic()

    def log(self, line: str, stream: TextIO | None = None) -> None:
        say(line, stream or self._stream)

    def advance(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if what != self._what:
            self._what, self._begun = what, now
        if now - self._said >= _SECONDS and done < total:
            self._said = now
            self.log(f"{done:,} of {total:,} {what} after {now - self._begun:.0f} s.")


class _Bar(Bar):
    """A bar that makes way for lines."""

    def log(self, line: str, stream: TextIO | None = None) -> None:
        self.clear()
        say(line, stream or self.stream)
