"""The command ``deadheat announce``: what to check, show and send on the day of the results."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from inspect import unwrap

from ..core.catalogs import languages
from .boundary import Parser, guarded, say


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``deadheat announce`` and return its exit status."""
    options = _parser().read(arguments)
    return guarded(lambda _: _announce(options), debug=options.debug)


def _parser() -> Parser:
    parser = Parser(
        "announce",
        "Write what you need to announce the results: a checklist, a slide, a post, a letter to\n"
        "every team, a widget for a web page, and a text for the rules of the next competition.\n"
        "Only results.json is read.",
        examples={
            "output -o announcement": "in the language of the results",
            "output -o announcement --language es": "in Spanish",
        },
    )
    parser.path("output", "OUTPUT", "folder of the results of all teams, or its results.json")
    parser.path("-o --folder", "DIR", "folder for the announcement, outside OUTPUT", required=True)
    language = "language of the announcement (default: that of the results)"
    parser.add_argument("--language", choices=languages(), help=language)
    parser.flag("--debug", "show tracebacks")
    return parser


def _announce(options: argparse.Namespace) -> None:
    # Imported here so that --help and a usage error do not wait for NumPy.
    from ..announcing.materials import announce, read_announced

    files = unwrap(announce)(options.output, options.folder, options.language)
    announcement = read_announced(options.output, options.language).announcement
    say(f"{announcement.sign.glyph} {announcement.sign.word}. {announcement.sentence}")
    for path in files:
        if path.parent == options.folder:
            say(f"  {path}")
    letters = sum(path.parent != options.folder for path in files)
    say(f"  {options.folder / 'letters'} ({letters})")
