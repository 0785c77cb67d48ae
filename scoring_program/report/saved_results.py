"""Reads what an earlier run has written to results.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..core.errors import OrganizerError, nearest
from ..core.version import READABLE_SCHEMAS, SCHEMA_VERSION
from ..inference.descriptive import ComparedCompetition
from ..reading.formats.kind import ROWS

_NAME_ONE = "name a results.json that this program wrote, or its folder"


def read(path: Path) -> dict[str, Any]:
    """Read results.json, or that in the folder of a run.

    Raises
    ------
    OrganizerError
        The file cannot be read, or is no results.json of this version.
    """
    file = _file(path)
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise OrganizerError(f"{file}: cannot be read: {error.strerror}; {_NAME_ONE}") from error
    except (ValueError, RecursionError) as error:
        raise OrganizerError(f"{file}: this is not valid JSON; {_NAME_ONE}") from error
    version = document.get("schema_version") if isinstance(document, dict) else None
    if version not in READABLE_SCHEMAS:
        raise OrganizerError(
            f"{file}: expected a results.json with schema_version {SCHEMA_VERSION}, found "
            f"{version!r}; score the competition again with this version of the program"
        )
    return dict(document)


def _file(path: Path) -> Path:
    return path / "results.json" if path.is_dir() else path


def read_measures(path: Path, metric: str | None = None) -> ComparedCompetition:
    """Read the competitiveness of a competition from results.json, or from the folder of a run.

    ``metric`` is the name of a metric; without it, the ranking metric is taken.

    Raises
    ------
    OrganizerError
        The file cannot be read, is no results.json of this version, or lacks the metric.
    """
    file = _file(path)
    return measures_of(read(path), file, metric)


def measures_of(
    document: Mapping[str, Any], file: Path, metric: str | None = None
) -> ComparedCompetition:
    """Return the competitiveness that the content of a results.json holds, as `read_measures`."""
    try:
        metrics = {item["name"]: item for item in document["metrics"]}
        name = next(iter(metrics)) if metric is None else metric
        if name not in metrics:
            known = ", ".join(metrics)
            raise OrganizerError(
                f"{file}: there is no metric {name!r} (there are: {known}){nearest(name, metrics)}"
            )
        page = file.with_name("detailed_results.html")
        # It also says what a library's metric depends on, such as the tokenizer and the version.
        signature = document.get("signature") or {}
        return ComparedCompetition(
            str(document.get("title") or ""),
            name,
            measures=_measures(document, metrics[name], ranks=name == next(iter(metrics))),
            bounded=None not in metrics[name].get("bounds", ()),
            definition=str(signature.get(f"metric {name}", metrics[name].get("definition", ""))),
            kind=str(document.get("kind", ROWS)),
            folders=_folders(file.resolve()),
            label=str(metrics[name].get("label", "")),
            rule=str((metrics[name].get("verdict") or {}).get("rule", "")),
            page=str(page.resolve()) if page.is_file() else "",
        )
    except (KeyError, TypeError, AttributeError, StopIteration) as error:
        raise OrganizerError(
            f"{file}: the competitiveness of its metrics is missing or malformed; "
            "score the competition again"
        ) from error


def _folders(file: Path) -> tuple[str, ...]:
    """Return the folders around results.json; a file of another name counts as a folder."""
    return file.parts[1:-1] if file.name == "results.json" else (*file.parts[1:-1], file.stem)


def _measures(
    document: Mapping[str, Any], found: Mapping[str, Any], *, ranks: bool
) -> dict[str, float | None]:
    """Return the measures of a metric, with the numbers that its page shows.

    The page of a competition counts the examples of all tasks, of public and of private rows.
    """
    measures, verdict = dict(_flat(found["competitiveness"])), found.get("verdict")
    if ranks and "n" in document:
        measures["n"] = int(document["n"])
    if verdict:
        competing = sum(not entry["baseline"] for entry in found["entries"])
        tied = {*verdict["possible_winners"]} - {*verdict["leaders"][:1]}
        measures |= {"tied_with_leader": len(tied), "others": competing - 1}
    return measures


def _flat(measures: Mapping[str, Any]) -> list[tuple[str, float | None]]:
    """Return one key for each number, such as "ties_with_winner.holm"."""
    flat: list[tuple[str, float | None]] = []
    for key, value in measures.items():
        nested = value.items() if isinstance(value, dict) else [("", value)]
        for inner, number in nested:
            if number is not None and not isinstance(number, (int, float)):
                raise TypeError(f"{key}: {number!r} is not a number")
            flat.append((f"{key}.{inner}" if inner else key, number))
    return flat
