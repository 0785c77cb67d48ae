"""Compare competitions by how close they were: ``deadheat compare RESULTS.json… -o DIR``.

The measures are those of Nava-Muñoz, Graff and Escalante (2024, Table 6), as each run has left them
in its results.json; nothing is scored again.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .. import SCHEMA_VERSION, __version__
from ..core.errors import OrganizerError, nearest
from ..core.templates import languages
from ..report.write import write
from .boundary import guarded
from .console import say
from .parser import Parser

#: Measures that can name a most competitive one: a larger value says closer, or a smaller one.
_LARGER_IS_CLOSER = ("ties_with_winner", "ties_between_competitors")
_SMALLER_IS_CLOSER = ("winner_minus_median", "cv_percent", "ppi_percent")


@dataclass(frozen=True)
class Competition:
    """One competition by one metric; ``measures`` are those of N24 Table 6, None where unknown."""

    title: str
    metric: str
    measures: Mapping[str, float | None]
    bounded: bool = True  # whether PPI is a percentage of the metric's range, not an error in units


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``deadheat compare`` and return its exit status."""
    options = _parser().read(arguments)
    return guarded(lambda _: _compare(options), debug=options.debug)


def _parser() -> Parser:
    parser = Parser("compare", "Compare competitions by how close they were, one column for each.")
    parser.add_argument(
        "results",
        type=Path,
        nargs="+",
        metavar="RESULTS.json",
        help="results.json of a run, or the folder that holds it; at least two",
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIR", help="folder for the comparison"
    )
    parser.add_argument(
        "--metric",
        metavar="NAME",
        help="compare by this metric (default: the one each competition ranks by)",
    )
    parser.add_argument(
        "--language", choices=languages(), default="en", help="language of the page and the tables"
    )
    parser.add_argument("--debug", action="store_true", help="show tracebacks")
    return parser


def _compare(options: argparse.Namespace) -> None:
    from ..report import comparison

    if len(options.results) < 2:
        raise OrganizerError("a comparison needs at least two results.json")
    competitions = distinct([read(path, options.metric) for path in options.results])
    report = comparison.build(
        competitions, closest(competitions), language=options.language, version=__version__
    )
    files = comparison.files(report)
    write(options.output, files, outputs=tuple(files))
    say(report.verdict)
    for name in files:
        say(f"  {options.output / name}")


def read(path: Path, metric: str | None = None) -> Competition:
    """Read one competition from its results.json, or from the folder of a run.

    Raises
    ------
    OrganizerError
        The file cannot be read, is no results.json of this version, or lacks the metric.
    """
    file = path / "results.json" if path.is_dir() else path
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise OrganizerError(f"{file}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise OrganizerError(f"{file}: not valid JSON: {error}") from error
    version = document.get("schema_version") if isinstance(document, dict) else None
    if version != SCHEMA_VERSION:
        raise OrganizerError(
            f"{file}: expected a results.json with schema_version {SCHEMA_VERSION}, found "
            f"{version!r}; score the competition again with this version of the program"
        )
    try:
        found = {item["name"]: item for item in document["metrics"]}
        name = next(iter(found)) if metric is None else metric
        if name not in found:
            known = ", ".join(found)
            raise OrganizerError(
                f"{file}: there is no metric {name!r} (there are: {known}){nearest(name, found)}"
            )
        title = str(document.get("title") or file.resolve().parent.name)
        measures = dict(_flat(found[name]["competitiveness"]))
        return Competition(title, name, measures, bounded=None not in found[name].get("bounds", ()))
    except (KeyError, TypeError, AttributeError, StopIteration) as error:
        raise OrganizerError(
            f"{file}: the competitiveness of its metrics is missing or malformed; "
            "score the competition again"
        ) from error


def _flat(measures: Mapping[str, Any]) -> list[tuple[str, float | None]]:
    """Return "ties_with_winner.holm" and so on: one key a number."""
    flat: list[tuple[str, float | None]] = []
    for key, value in measures.items():
        nested = value.items() if isinstance(value, dict) else [("", value)]
        for inner, number in nested:
            if number is not None and not isinstance(number, (int, float)):
                raise TypeError(f"{key}: {number!r} is not a number")
            flat.append((f"{key}.{inner}" if inner else key, number))
    return flat


def distinct(competitions: Sequence[Competition]) -> tuple[Competition, ...]:
    """Return the competitions with titles of their own: "A", "A (2)"."""
    seen: dict[str, int] = {}
    named = []
    for competition in competitions:
        count = seen[competition.title] = seen.get(competition.title, 0) + 1
        title = competition.title if count == 1 else f"{competition.title} ({count})"
        named.append(replace(competition, title=title))
    return tuple(named)


def closest(competitions: Sequence[Competition]) -> Mapping[str, tuple[int, ...]]:
    """Return for each measure which competitions, by number, it calls the most competitive.

    Numbers of ties are compared as shares of the comparisons there were, because more teams have
    more ties. The distance from winner to median is compared only where all have the same metric,
    PPI only among bounded metrics: elsewhere it is an error in the metric's own units.
    """
    found = {}
    for key in competitions[0].measures:
        name = key.partition(".")[0]
        if name not in (*_LARGER_IS_CLOSER, *_SMALLER_IS_CLOSER):
            continue
        if name == "winner_minus_median" and len({item.metric for item in competitions}) > 1:
            continue
        values = [_comparable(competition, key) for competition in competitions]
        known = [value for value in values if value is not None]
        if len(known) < 2 or math.isclose(min(known), max(known), rel_tol=1e-9, abs_tol=1e-12):
            continue
        best = max(known) if name in _LARGER_IS_CLOSER else min(known)
        found[key] = tuple(
            index
            for index, value in enumerate(values)
            if value is not None and math.isclose(value, best, rel_tol=1e-9, abs_tol=1e-12)
        )
    return found


def _comparable(competition: Competition, key: str) -> float | None:
    measures = competition.measures
    value = measures.get(key)
    name = key.partition(".")[0]
    if name == "ppi_percent" and not competition.bounded:
        return None
    if value is None or name not in _LARGER_IS_CLOSER:
        return value
    m, pairs = measures.get("m") or 0, measures.get("possible_comparisons") or 0
    possible = m - 1 if name == "ties_with_winner" else pairs
    return value / possible if possible > 0 else None
