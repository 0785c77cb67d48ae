"""Lines for whoever watches a command, if anybody does."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO


def say(line: str, stream: TextIO | None = None) -> None:
    """Print a line at once, in ASCII where the stream cannot do better.

    A reader who went away or a full disk behind a redirection is no reason to lose the results.
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
            # What is still in the buffer would make Python exit with a status of its own.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
