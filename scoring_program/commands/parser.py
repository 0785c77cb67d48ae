"""The argument parser of all commands."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.errors import nearest
from ..core.version import __version__
from .boundary import EXIT_STATUSES, say

#: Set by the shell: 1, or more where words before the program are not its own.
_ASKED = "_ARGCOMPLETE"


class Parser(argparse.ArgumentParser):
    """A parser that suggests the nearest option for an unknown one.

    Options cannot be abbreviated: a later version could make the abbreviation ambiguous. The help
    ends with ``examples``, arguments and what they do, and with ``epilog``.
    """

    def __init__(
        self,
        command: str,
        description: str,
        *,
        examples: Mapping[str, str],
        usage: str | None = None,
        epilog: str = EXIT_STATUSES,
    ) -> None:
        lines = ((f"{command} {given}".rstrip(), what) for given, what in examples.items())
        shown = "\n".join(f"  deadheat {line}\n      {what}" for line, what in lines)
        super().__init__(
            prog=f"deadheat {command}",
            usage=usage,
            description=description,
            epilog=f"examples:\n{shown}\n\n{epilog}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        self.add_argument("--version", action="version", version=f"%(prog)s {__version__}")

    def value(self, names: str, metavar: str, help: str, **more: Any) -> None:
        """Add an argument or, of ``names`` with dashes, an option; ``more`` is argparse's."""
        self.add_argument(*names.split(), metavar=metavar, help=help, **more)

    def path(self, names: str, metavar: str, help: str, **more: Any) -> None:
        """Add an argument or option that is a file or a folder."""
        self.value(names, metavar, help, type=Path, **more)

    def flag(self, name: str, help: str) -> None:
        """Add an option without a value."""
        self.add_argument(name, action="store_true", help=help)

    def read(self, arguments: Sequence[str] | None) -> argparse.Namespace:
        """Return the options in ``arguments``, by default those of the command line.

        An unknown option ends the program with exit status 2, like any usage error.
        """
        offer(self)
        given = sys.argv[1:] if arguments is None else list(arguments)
        known = self._option_string_actions
        for argument in given[: given.index("--")] if "--" in given else given:
            name = argument.partition("=")[0]
            # Like argparse, treat text with a space as a value, not as an option.
            if name.startswith("--") and " " not in name and name not in known:
                self.error(f"there is no option {name}{nearest(name, known)}")
        return self.parse_args(given)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print as `say` does: the help has signs that some encodings of terminals lack."""
        if message:
            say(message.removesuffix("\n"), file or sys.stderr)


def one_of(known: Collection[str]) -> Callable[[str], str]:
    """Return what reads a value that has to be one of those known; it suggests the nearest."""

    def read(name: str) -> str:
        if name not in known:
            raise argparse.ArgumentTypeError(
                f"{name!r} is none of {', '.join(known)}{nearest(name, known)}"
            )
        return name

    return read


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
