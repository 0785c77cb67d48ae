"""The reference data: ids, target columns and design columns of the gold standard."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoring_program.align import cells
from scoring_program.align.cells import Label, Labels, Numbers
from scoring_program.align.columns import (
    SCORE_NAMES,
    TARGET_NAMES,
    USAGE,
    gold_header,
    gold_id_column,
)
from scoring_program.errors import ReferenceDataError, SettingsError, SubmissionError, nearest
from scoring_program.read.tables import read_table
from scoring_program.settings import Settings


@dataclass(frozen=True, eq=False)
class Gold:
    """The reference data, rows in the order of their ids (or of the file, where there are none)."""

    file: str
    id_column: str | None
    ids: tuple[str, ...] | None
    columns: Mapping[str, Sequence[str]]  # name → [n] texts, the id column left out
    lines: Sequence[int]  # [n] lines of the file
    targets: tuple[str, ...]  # columns that may be predicted, those known by name first
    sha256: str

    @property
    def n(self) -> int:
        """Number of examples."""
        return len(self.lines)


def digest(content: bytes) -> str:
    """Return the SHA-256 of a file's bytes, as the signature shows it."""
    return hashlib.sha256(content).hexdigest()


def read_gold(content: bytes, file: str, settings: Settings) -> Gold:
    """Read the gold standard and decide which columns are ids, targets and design columns.

    Raises
    ------
    ReferenceDataError
        Malformed table, repeated or empty ids; file and line are named.
    SettingsError
        A column named in the settings does not exist.
    """
    try:
        table = read_table(content, file)
    except SubmissionError as error:  # the same defects, but the organizer's to fix
        raise ReferenceDataError(str(error)) from error
    keys = [key for key in ("id_column", "group", "stratify") if getattr(settings, key) is not None]
    named = [getattr(settings, key) for key in keys]
    header, table = gold_header(
        table, [*named, *(spec.column for spec in settings.metrics if spec.column)]
    )
    for row, line in zip(table.rows, table.lines, strict=True):
        if len(row) != len(header):
            raise ReferenceDataError(
                f"{file}: line {line}: {len(row)} cells where {len(header)} columns are expected; "
                "quote texts that contain the delimiter"
            )
    columns = dict(zip(header, zip(*table.rows, strict=True), strict=True))
    for key, name in zip(keys, named, strict=True):
        if name not in columns:
            raise SettingsError(
                f"{settings.where(key)}: {file} has no column {name!r}{nearest(name, columns)}"
            )
    design = {settings.group, settings.stratify, USAGE}
    id_column = gold_id_column(columns, settings.id_column, design)
    order: Sequence[int] = range(len(table.rows))
    ids = None
    if id_column is not None:
        _check_ids(columns[id_column], file, table.lines)
        order = sorted(order, key=columns[id_column].__getitem__)
        ids = tuple(columns[id_column][row] for row in order)
    return Gold(
        file=file,
        id_column=id_column,
        ids=ids,
        columns={
            name: [values[row] for row in order]
            for name, values in columns.items()
            if name != id_column
        },
        lines=[table.lines[row] for row in order],
        targets=_targets([name for name in columns if name not in {id_column, *design}]),
        sha256=digest(content),
    )


def _check_ids(ids: Sequence[str], file: str, lines: Sequence[int]) -> None:
    seen: dict[str, int] = {}
    for value, line in zip(ids, lines, strict=True):
        if not value:
            raise ReferenceDataError(f"{file}: line {line}: the id is empty; fill it in")
        if value in seen:
            raise ReferenceDataError(
                f"{file}: line {line}: the id {value!r} was already on line {seen[value]}; "
                "ids must be unique"
            )
        seen[value] = line


def _targets(names: Sequence[str]) -> tuple[str, ...]:
    """Put the columns that are known as targets by name first."""
    known = [name for name in names if name.casefold() in TARGET_NAMES]
    known.sort(key=lambda name: TARGET_NAMES.index(name.casefold()))
    return (*known, *(name for name in names if name not in known))


def target_column(gold: Gold, column: str | None, where: str) -> str:
    """Return the target a metric scores: the one it names, the only one, or one known by its name.

    Raises
    ------
    ReferenceDataError
        There is no column beside the ids.
    SettingsError
        The named column does not exist, or there are several and none is known by name.
    """
    if column is not None:
        if column not in gold.targets:
            raise SettingsError(
                f"{where}: {gold.file} has no target column {column!r}"
                f"{nearest(column, gold.targets)}"
            )
        return column
    if not gold.targets:
        raise ReferenceDataError(f"{gold.file}: no column with labels beside the ids; add one")
    first = gold.targets[0]
    if len(gold.targets) == 1 or first.casefold() in (*TARGET_NAMES, *SCORE_NAMES):
        return first
    raise SettingsError(
        f"{where}: {gold.file} has several columns ({', '.join(gold.targets)}); "
        "say which one is scored with 'column:'"
    )


def gold_labels(gold: Gold, column: str, settings: Settings) -> Labels:
    """Return a target as labels, [n]: integers if every one is written as an integer, else texts.

    Labels that the settings list as texts stay texts.

    Raises
    ------
    ReferenceDataError
        An empty cell.
    """
    values = gold.columns[column]
    if "" in values:
        raise ReferenceDataError(
            f"{gold.file}: line {gold.lines[values.index('')]}: column {column!r} is empty; "
            "give every example a label"
        )
    listed = settings.labels or ()
    if any(isinstance(label, str) for label in listed) or not cells.are_integers(values):
        return np.array(values, dtype=np.str_)
    return np.array([int(value) for value in values], dtype=np.int64)


def gold_numbers(gold: Gold, column: str) -> Numbers:
    """Return a target as numbers, [n].

    Raises
    ------
    ReferenceDataError
        A cell is not a finite number below 1e10.
    """
    values = cells.numbers(gold.columns[column])
    good = cells.acceptable(values)
    if not good.all():
        raise ReferenceDataError(
            f"{gold.file}: line {gold.lines[int(good.argmin())]}: column {column!r} does not hold "
            f"a finite number below {cells.LARGEST:g}, which a metric needs; "
            "mend the cell or choose another metric"
        )
    return values


def label_set(gold_values: Labels, settings: Settings, file: str) -> tuple[Label, ...]:
    """Return the labels a prediction may take, sorted: the settings' ``labels`` or the gold's own.

    Raises
    ------
    SettingsError
        The gold holds a label that the settings do not list.
    """
    present: set[Label] = set(gold_values.tolist())
    if settings.labels is None:
        return tuple(sorted(present))
    listed: set[Label] = set(settings.labels)
    if gold_values.dtype.kind == "U":
        listed = {str(label) for label in listed}
    if not present <= listed:
        raise SettingsError(
            f"{settings.where('labels')}: {file} holds a label that is not listed; list every label"
        )
    return tuple(sorted(listed))
