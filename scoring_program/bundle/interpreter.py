"""A Python of the image's version on the organizer's machine: it makes the bytecode of a bundle."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache

#: The version of this Python, such as "3.12".
THIS_PYTHON = "{}.{}".format(*sys.version_info)
#: Prints what bytecode depends on. Any Python can read it.
_TELL = "import sys; print('%s %d.%d' % ((sys.implementation.name,) + sys.version_info[:2]))"
#: Seconds after which a command that does not answer is no Python.
_LONGEST = 20


def interpreter(python: str) -> list[str] | None:
    """Return the command that starts CPython of a version such as "3.12"; None if there is none.

    It is this Python, or one on the PATH.
    """
    if python == THIS_PYTHON:
        return [sys.executable]
    for command in _commands(python):
        if _is_python(command, python):
            return list(command)
    return None


def _commands(python: str) -> Iterator[tuple[str, ...]]:
    for name in (f"python{python}", "python3", "python"):
        if path := shutil.which(name):
            yield (path,)
    if launcher := shutil.which("py"):  # of Windows
        yield launcher, f"-{python}"


@cache  # for whoever builds another bundle: a launcher may search all that is installed
def _is_python(command: tuple[str, ...], python: str) -> bool:
    try:
        done = subprocess.run(
            [*command, "-S", "-c", _TELL],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_LONGEST,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.stdout.split() == ["cpython", python]
