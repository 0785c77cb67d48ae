"""The command ``deadheat compare``, also ``python -m scoring_program.compare``.

It compares how close competitions were. The measures come from the results.json of each run;
nothing is scored again.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from ..core.catalogs import languages
from ..core.errors import OrganizerError
from ..core.version import __version__
from .boundary import Parser, guarded, say

#: What tables of predictions and scores are called, which `deadheat score` compares.
_OF_TABLES = (".csv", ".tsv", ".parquet")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``deadheat compare`` and return its exit status."""
    options = _parser().read(arguments)
    return guarded(lambda _: _compare(options), debug=options.debug)


def _parser() -> Parser:
    parser = Parser(
        "compare",
        "Compare how close competitions were, one column per competition.",
        examples={
            "2024/results.json 2025/results.json -o years": "two years, by their ranking metrics",
            "2024 2025 -o years --metric accuracy": "folders of results, by one metric",
        },
    )
    results = "results.json of a run, or its folder; at least two"
    parser.path("results", "RESULTS.json", results, nargs="+")
    parser.path("-o --output", "DIR", "folder for the comparison", required=True)
    metric = "compare by this metric (default: the ranking metric of each competition)"
    parser.value("--metric", "NAME", metric)
    parser.add_argument(
        "--language", choices=languages(), default="en", help="language of the page and the tables"
    )
    parser.flag("--debug", "show tracebacks")
    return parser


def _compare(options: argparse.Namespace) -> None:
    # Imported here so that --help and a usage error do not wait for NumPy.
    from ..inference.descriptive import closest, distinct, undecided
    from ..report import comparison
    from ..report.results_json import read_measures
    from ..report.write import write

    for path in options.results:
        if path.is_file() and path.suffix.casefold() in _OF_TABLES:
            raise OrganizerError(
                f"{path.name}: this command compares competitions by their results.json; to "
                "compare the systems of one table, put it into a folder res/ and run 'deadheat "
                "score' (docs/how-to/tables.md)"
            )
    if len(options.results) < 2:
        raise OrganizerError("a comparison needs at least two results.json; name another one")
    # Links lead from the folder of the comparison to the pages, wherever both are moved together.
    competitions = distinct([read_measures(path, options.metric) for path in options.results])
    linked = [
        replace(competition, page=_link(competition.page, options.output))
        for competition in competitions
    ]
    near = closest(competitions)
    why = undecided(competitions)
    report = comparison.build(linked, near, why, language=options.language, version=__version__)
    files = comparison.files(report)
    write(options.output, files, outputs=tuple(files))
    for sentence in (report.verdict, *report.consequence):
        say(sentence)
    for name in files:
        say(f"  {options.output / name}")


def _link(page: str, folder: Path) -> str:
    """Return the address of a page for a page in a folder; none from one drive to another."""
    try:
        return quote(Path(os.path.relpath(page, folder)).as_posix()) if page else ""
    except ValueError:
        return ""
