"""What the shell completes: commands, and the options and values of the one that is written.

The shell asks with argcomplete (https://kislyuk.github.io/argcomplete), which is an extra: it calls
the program with an environment variable that says where its line is.
"""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Iterable

#: Set by the shell: 1, or more where words before the program are not its own.
_ASKED = "_ARGCOMPLETE"


def offer(parser: argparse.ArgumentParser) -> None:
    """Answer the shell, and end the process, if it asks for what can follow; else do nothing."""
    if _ASKED in os.environ:
        with contextlib.suppress(ImportError):
            import argcomplete

            argcomplete.autocomplete(parser)


def command_asked_about(commands: Iterable[str]) -> str | None:
    """Return the command whose options the shell asks for; answer it if none is written yet."""
    if _ASKED not in os.environ:
        return None
    first = int(os.environ[_ASKED])
    line = os.environ.get("COMP_LINE", "")[: int(os.environ.get("COMP_POINT", 0))]
    written = line.split()[first:]
    if len(written) > 1 or (written and line[-1:].isspace()):
        os.environ[_ASKED] = str(first + 1)  # the command is then part of the program's name
        return written[0] if written[0] in commands else None
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=tuple(commands))
    offer(parser)
    return None
