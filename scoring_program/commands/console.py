"""Prints lines to the terminal, or wherever a command's output goes."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO


def say(line: str, stream: TextIO | None = None) -> None:
    """Print a line at once, in ASCII where the stream cannot do better.

    A reader that is gone, or a full disk behind a redirection, must not cost the results.
    """
    stream = stream or sys.stdout
    if stream is None:  # closed by whoever started the program
        return
    encoding = stream.encoding or "utf-8"
    text = line.encode(encoding, "backslashreplace").decode(encoding)
    try:
        print(text, file=stream, flush=True)
    except OSError:
        with contextlib.suppress(OSError):
            # With the rest of the buffer unwritten, Python would exit with a status of its own.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
