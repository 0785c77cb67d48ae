"""The command ``deadheat read``: how the files of a competition are read, and why."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..core.errors import OrganizerError
from ..settings.loading import FILE_NAME
from .boundary import Parser, RaiseIfStopped, guarded, say

if TYPE_CHECKING:
    from ..api.how_read import HowRead


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``deadheat read`` and return its exit status."""
    options = _parser().read(arguments)
    return guarded(lambda raise_if_stopped: _read(options, raise_if_stopped), debug=options.debug)


def _parser() -> Parser:
    parser = Parser(
        "read",
        "Show how the files of a competition are read: what every column means, and whether that\n"
        "is stated, proven by the contents, or said by a name. What is open is asked.",
        usage="%(prog)s INPUT [--freeze]",
        examples={
            "example/input": "what every column of the example means, and why",
            "example/input --freeze": f"state it in ref/{FILE_NAME}, so that nothing is guessed",
        },
    )
    parser.path("input", "INPUT", "folder with ref/ (reference data) and res/")
    parser.flag(
        "--freeze",
        f"add what was read to ref/{FILE_NAME}; what stands there stays, comments too",
    )
    parser.flag("--debug", "show tracebacks")
    return parser


def _read(options: argparse.Namespace, raise_if_stopped: RaiseIfStopped) -> None:
    # Imported here so that --help and a usage error do not wait for NumPy.
    from ..api.how_read import HowRead

    reading = HowRead.of_input(options.input.absolute())
    raise_if_stopped()
    for line in reading.lines():
        say(line)
    if options.freeze:
        _freeze(reading)
    elif reading.statement:
        say(f"\nTo state it, run again with --freeze, or write into ref/{FILE_NAME}:")
        for line in reading.statement:
            say(f"  {line}")


def _freeze(reading: HowRead) -> None:
    frozen = reading.freeze()
    if frozen.added:
        say(f"\nAdded to ref/{FILE_NAME}:")
        for line in frozen.added:
            say(f"  {line}")
    if frozen.differing:
        lines = "\n".join(f"  {line}" for line in frozen.differing)
        raise OrganizerError(
            f"ref/{FILE_NAME} states something else. Nothing that stands there was changed; if "
            f"what was read is right, write these lines in the place of those:\n{lines}"
        )
    if not frozen.added:
        say(f"\nref/{FILE_NAME} states it already.")
