"""Prints lines to the terminal, or to wherever the output is redirected."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO


def say(line: str, stream: TextIO | None = None) -> None:
    """Print a line at once; escape the characters that the stream cannot encode.

    A closed pipe or a full disk behind a redirection must not prevent the results.
    """
    stream = stream or sys.stdout
    if stream is None:  # closed by the caller
        return
    encoding = stream.encoding or "utf-8"
    text = line.encode(encoding, "backslashreplace").decode(encoding)
    try:
        print(text, file=stream, flush=True)
    except OSError:
        with contextlib.suppress(OSError):
            # Otherwise Python could not flush the buffer at exit and would change the exit status.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
