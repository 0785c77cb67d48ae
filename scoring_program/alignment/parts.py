"""From gold files to the parts of a competition: metrics, and what submissions must hold."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..core.errors import ReferenceDataError, SubmissionError, listed
from ..core.notes import Note
from ..metrics import Metric, resolve
from ..reading.files import DataFile
from ..reading.formats import kind_of
from ..settings.model import Settings
from . import requirements
from .competition import Part
from .entry import Entry
from .gold import Gold, read_gold
from .gold_metrics import assumed_directions, kind_of_examples, ranking_first, specs_of
from .tasks import check_columns, in_order_of, named_by_task, refuse_copies, settings_of


def read(
    gold: Mapping[str, DataFile], settings_folder: Path | None, settings: Settings
) -> tuple[tuple[Part, ...], tuple[Note, ...]]:
    """Return a part without entries for every gold file, and notes.

    ``settings_folder`` holds the organizer's own metrics.
    """
    parts: list[Part] = []
    notes: list[Note] = []
    several = len(gold) > 1
    for task, file in gold.items():
        own = settings_of(task, [*gold], settings) if several else settings
        metrics = resolve([spec for spec in own.metrics if not spec.formula], settings_folder)
        try:
            content, path = file.read(), str(file.path)
            kind = kind_of_examples(path, metrics, recognized=kind_of(content, path))
            table = read_gold(content, path, own, kind=kind)
        except (SubmissionError, ReferenceDataError) as error:
            message = f"ref: {error}" if isinstance(error, SubmissionError) else str(error)
            raise ReferenceDataError(f"{message}{_if_no_gold(file, gold)}") from error
        table = in_order_of(parts, table)
        part, part_notes = of_gold(task, table, settings_folder, own, several=several)
        parts.append(part)
        notes.extend((*table.notes, *part_notes))
    if several:
        refuse_copies(parts)
        check_columns(parts, settings)
        notes.insert(0, Note("notes.tasks", {"tasks": tuple(gold)}))
    return named_by_task(parts, "ref"), tuple(dict.fromkeys(notes))


def _if_no_gold(file: DataFile, gold: Mapping[str, DataFile]) -> str:
    """Return the remedy for a file that may not be the gold of a task."""
    if len(gold) == 1:
        return ""
    taken = listed(each.path for each in gold.values())
    return (
        f"\nEvery data file in ref/ is read as the reference data of a task ({taken}); "
        f"if {file.path} is not, move it elsewhere"
    )


def of_gold(
    name: str,
    gold: Gold,
    settings_folder: Path | None,
    settings: Settings,
    *,
    several: bool = False,
    column: str | None = None,
) -> tuple[Part, tuple[Note, ...]]:
    """Return the part of one gold, without entries, and notes.

    ``several``: there are other tasks. ``column``: the gold's column in a wide table.
    """
    specs, notes = specs_of(gold, settings, several=several)
    metrics = resolve(specs, settings_folder, gold.kind)
    notes = (*notes, *assumed_directions(specs, metrics))
    metrics = ranking_first(metrics, settings, several=several)
    expected, labels = requirements.of_metrics(metrics, gold, settings, column)
    return Part(name, gold, labels, expected, metrics), notes


def of_scores(
    name: str,
    units: Gold,
    metrics: tuple[Metric, ...],
    settings: Settings,
    entries: tuple[Entry | None, ...],
) -> Part:
    """Return the part of scores that were made elsewhere; ``units`` stands for the gold."""
    return Part(name, units, {}, requirements.of_examples(units, {}, settings), metrics, entries)
