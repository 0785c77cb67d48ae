"""The command ``deadheat``: one name for all commands."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from ..core.errors import OrganizerError, nearest
from ..core.version import __version__
from .boundary import command_asked_about, say

#: Name of each command, the module that holds its ``main``, and what it does.
COMMANDS = {
    "score": "score a competition's submissions and write the results",
    "read": "show how the files of a competition are read, and why",
    "check": "check the format of predictions without the gold",
    "audit": "say what to look at again before the winners are announced",
    "announce": "write a checklist, a slide, letters and more from the results of all teams",
    "compare": "compare competitions by their results.json",
    "new": "write a competition to start from",
    "bundle": "build the zip to upload to Codabench or CodaLab",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the first argument names and return its exit status."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    name = command_asked_about(COMMANDS) or next(iter(words), "--help")
    if name in COMMANDS:
        status: int = import_module(f".{name}", __package__).main(words[1:])
        return status
    if name in ("-h", "--help"):
        say(_help())
        return 0
    if name == "--version":
        say(f"deadheat {__version__}")
        return 0
    say(f"deadheat: there is no command {name!r}{nearest(name, COMMANDS)}\n\n{_help()}", sys.stderr)
    return OrganizerError.exit_status


def run_module(arguments: Sequence[str] | None = None) -> int:
    """Run ``python -m``: the command that is named, or ``score``, as the platforms call it.

    INPUT may be called like a command.
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    named = bool(words) and words[0] in COMMANDS and not _are_folders(words)
    return main(words if named else ["score", *words])


def _are_folders(words: Sequence[str]) -> bool:
    """Return whether arguments begin with INPUT, which holds the folder ``ref``, and OUTPUT.

    After a command comes an option, a file, or a competition that is not a folder to write to.
    """
    if len(words) < 2 or words[1].startswith("-"):
        return False
    source = Path(words[0])
    destination = Path(words[1])
    if destination.is_file() or (destination / "ref").is_dir():
        return False
    return (source / "ref").is_dir()


def _help() -> str:
    lines = "\n".join(f"  {name:<8} {text}" for name, text in COMMANDS.items())
    return (
        f"usage: deadheat COMMAND [OPTIONS]\n\ncommands:\n{lines}\n\n"
        "deadheat COMMAND --help explains a command; deadheat --version prints the version."
    )
