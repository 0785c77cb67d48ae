"""Prints lines to the terminal, or to wherever the output is redirected."""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
from typing import TextIO

#: Styles of lines by role, as terminals take them.
_STYLES = {"verdict": "1", "loss": "31", "red": "31", "amber": "33"}
#: Signs of our own sentences that terminals of Windows may lack, and what stands for them.
_PLAIN = {"−": "-", "–": "-", "…": "...", "×": "x", "≥": ">=", "≤": "<="}  # fmt: skip


def _plain(error: UnicodeError) -> tuple[str | bytes, int]:
    """Write the first character that an encoding lacks plainly, or escape it."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    error.end = error.start + 1
    sign = error.object[error.start]
    return (_PLAIN[sign], error.end) if sign in _PLAIN else codecs.backslashreplace_errors(error)


codecs.register_error("deadheat.plain", _plain)


def say(line: str, stream: TextIO | None = None, style: str = "") -> None:
    """Print a line at once; write characters that the stream cannot encode plainly, or escape them.

    ``style`` is the role of the line, which a terminal shows by a color. A closed pipe or a full
    disk behind a redirection must not prevent the results.
    """
    stream = stream or sys.stdout
    if stream is None:  # closed by the caller
        return
    encoding = stream.encoding or "utf-8"
    text = line.encode(encoding, "deadheat.plain").decode(encoding)
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
