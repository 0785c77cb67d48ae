"""Prints lines to the terminal, or to wherever the output is redirected."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO

#: Styles of lines by role, as terminals take them.
_STYLES = {"verdict": "1", "loss": "31", "red": "31", "amber": "33"}


def say(line: str, stream: TextIO | None = None, style: str = "") -> None:
    """Print a line at once; escape the characters that the stream cannot encode.

    ``style`` is the role of the line, which a terminal shows by a color. A closed pipe or a full
    disk behind a redirection must not prevent the results.
    """
    stream = stream or sys.stdout
    if stream is None:  # closed by the caller
        return
    encoding = stream.encoding or "utf-8"
    text = line.encode(encoding, "backslashreplace").decode(encoding)
    if style and _has_colors(stream):
        text = f"\x1b[{_STYLES[style]}m{text}\x1b[0m"
    try:
        print(text, file=stream, flush=True)
    except OSError:
        with contextlib.suppress(OSError):
            # Otherwise Python could not flush the buffer at exit and would change the exit status.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _has_colors(stream: TextIO) -> bool:
    """Whether the stream is a terminal with colors, and NO_COLOR does not refuse them."""
    refused = os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb"
    return not refused and stream.isatty()
