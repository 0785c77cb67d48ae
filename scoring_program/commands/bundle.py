"""The command ``deadheat bundle``, also ``python -m scoring_program.bundle``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from ..core.errors import OrganizerError
from .boundary import Parser, guarded, say, write_file


def main(arguments: Sequence[str] | None = None) -> int:
    """Build a bundle and return the exit status."""
    parser = Parser(
        "bundle",
        "Pack a competition into one zip that uploads to Codabench or CodaLab.",
        examples={
            "": "competition.yaml of this folder, for Codabench",
            "-o codalab.zip --codalab": "the same for CodaLab 1.5",
            "-o bundle.zip --start 2026-03-01": "dates such as '+90 days' count from there",
        },
    )
    output = "the file to write (default: bundle.zip)"
    parser.path("-o --output", "FILE", output, default=Path("bundle.zip"))
    parser.path(
        "--competition",
        "FILE",
        "description of the competition; its paths are relative to its folder "
        "(default: competition.yaml)",
        default=Path("competition.yaml"),
    )
    start = "day from which dates such as '+90 days' count (default: today)"
    parser.value("--start", "DATE", start, type=_day)
    parser.flag("--codalab", "build a bundle for CodaLab 1.5")
    parser.path(
        "--wheels",
        "DIR",
        "folder with the wheels of the packages that the image lacks (default: a cache in "
        "your home folder); missing ones are downloaded into it",
    )
    parser.flag(
        "--without-gold",
        "pack no gold and no field: the platform checks and collects submissions, and you "
        "score them yourself",
    )
    parser.flag("--debug", "show tracebacks")
    options = parser.read(arguments)
    return guarded(lambda _: _bundle(options), debug=options.debug)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"expected a date such as 2026-01-31; found {text!r}"
        ) from None


def _bundle(options: argparse.Namespace) -> None:
    from ..bundle.build import build  # after --help and usage errors

    if options.output.is_dir() or not options.output.parent.is_dir():
        raise OrganizerError(f"{options.output}: with -o, name a file in a folder that exists")
    left: list[str] = []
    content = build(
        options.competition,
        start=options.start,
        for_codalab=options.codalab,
        wheels=options.wheels,
        without_gold=options.without_gold,
        keep_seed=True,
        log=say,
        by_hand=left.append,
    )
    write_file(options.output, content)
    say(f"{options.output}: {len(content) / 2**20:.1f} MiB, ready to upload.")
    for line in left:
        say(line)
