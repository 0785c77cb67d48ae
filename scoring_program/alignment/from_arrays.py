"""A competition from arrays in memory. Arrays become tables, as files do.

So arrays and files with the same predictions pass the same checks and give the same numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..core.arrays import Array
from ..core.errors import ReferenceDataError, SubmissionError
from ..reading.names import printable
from ..reading.table import Table
from ..settings.model import Settings
from . import entry, parts, wide
from .competition import Competition, Part
from .gold import Gold, digest, in_order

#: Columns of the tables that arrays become.
_ID, _LABEL, GROUP, STRATUM = "id", "label", "group", "stratum"
_REFERENCE = "y_true"


def competition(
    y_true: Any,
    predictions: Mapping[str, Any],
    settings: Settings,
    *,
    groups: Any = None,
    strata: Any = None,
) -> Competition:
    """Return the competition of ``predictions`` (name → array) for the gold ``y_true`` [n].

    A prediction is [n], or [n, c] with one column per class: in the order of the setting
    ``labels`` or, without it, of the sorted labels of ``y_true``. Arrays are matched by position,
    but a Series whose index differs from that of the Series ``y_true`` is joined by the index.
    The settings name the columns of ``groups`` [n] and ``strata`` [n] `GROUP` and `STRATUM`.

    Raises
    ------
    ReferenceDataError
        ``y_true``, ``groups`` or ``strata`` have a wrong shape or missing values.
    SubmissionError
        Every problem of the predictions, together.
    SettingsError
        A metric does not fit the gold.
    """
    given = _named(predictions)
    columns = _reference_columns(y_true, groups, strata)
    n = len(columns[_LABEL])
    index = _index(y_true)
    indexes = {name: _index(values) or index for name, values in given.items()}
    by_position = index is None or all(found == index for found in indexes.values())
    if index is not None and not by_position:
        columns[_ID] = index
    part, notes = parts.of_gold("", _gold(_REFERENCE, columns, (_LABEL,)), None, settings)
    # Whoever gives both arrays knows the labels.
    part = replace(part, expected=replace(part.expected, labels_are_public=True))
    classes = settings.labels or np.unique(np.asarray(y_true)).tolist()
    entries, problems = [], []
    for name in sorted(given):
        try:
            found = _prediction(name, given[name], n, classes)
            ids = None if by_position else indexes[name]
            entries.append(_aligned(name, found if ids is None else {_ID: ids, **found}, part))
        except SubmissionError as error:
            problems.append(str(error))
    if problems:
        raise SubmissionError("\n".join(problems))
    alone = len(entries) == 1
    return Competition(
        form="single" if alone else "teams",
        parts=(replace(part, entries=tuple(entries)),),
        focus=0 if alone else None,
        runs=dict.fromkeys(sorted(given), 1),
        teams={name: name for name in given},
        notes=notes,
    )


def _reference_columns(y_true: Any, groups: Any, strata: Any) -> dict[str, list[str]]:
    columns = {_LABEL: _column(y_true, _REFERENCE, ReferenceDataError)}
    n = len(columns[_LABEL])
    for name, values in ((GROUP, groups), (STRATUM, strata)):
        if values is not None:
            columns[name] = _column(values, name, ReferenceDataError)
            if len(columns[name]) != n:
                raise ReferenceDataError(
                    f"{name}: {len(columns[name])} values for {n} examples; give one per example"
                )
    return columns


def _aligned(name: str, columns: Mapping[str, Sequence[str]], part: Part) -> entry.Entry:
    table = _table(name, columns)
    return entry.align(table, name, part.expected, part.labels, digest(_content(table)))


def score_table(
    scores: Mapping[str, Any], settings: Settings, *, groups: Any = None
) -> Competition:
    """Return the competition of systems that were scored elsewhere: name → scores per unit [n].

    Raises
    ------
    ReferenceDataError
        The columns differ in length, or hold values that are not finite numbers.
    """
    scores = _named(scores)
    columns = {name: _column(values, name, ReferenceDataError) for name, values in scores.items()}
    if groups is not None:
        if GROUP in columns:
            raise ReferenceDataError(
                f"scores: a system cannot be called {GROUP!r} if there are groups; rename it"
            )
        columns[GROUP] = _column(groups, GROUP, ReferenceDataError)
    sizes = {name: len(texts) for name, texts in columns.items()}
    if len(set(sizes.values())) > 1:
        lengths = ", ".join(f"{name} {size}" for name, size in sizes.items())
        raise ReferenceDataError(
            f"scores: the columns have different lengths ({lengths}); give one score per unit"
        )
    return wide.of_scores(_gold("scores", columns, tuple(scores)), tuple(scores), settings)


def _gold(name: str, columns: Mapping[str, Sequence[str]], targets: tuple[str, ...]) -> Gold:
    """Return columns as reference data."""
    table = _table(name, columns)
    ids = columns.get(_ID) if _ID not in targets else None
    return in_order(
        Gold(
            file=name,
            id_column=None if ids is None else _ID,
            ids=None if ids is None else tuple(ids),
            columns={name: texts for name, texts in columns.items() if texts is not ids},
            places=table.places,
            positions=range(len(table.numbers)),
            total=len(table.numbers),
            targets=targets,
            sha256=digest(_content(table)),
        )
    )


def _named(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return arrays by printable name; raise SubmissionError if two are equal or none is given."""
    named = {printable(str(name)): values for name, values in given.items()}
    if len(named) < len(given):
        raise SubmissionError("two entries have the same name; rename one of them")
    if not named:
        raise SubmissionError("there are no predictions; give at least one entry")
    return named


def _column(
    values: Any, name: str, error: type[ReferenceDataError] | type[SubmissionError]
) -> list[str]:
    """Return an array [n] as texts; a missing value is an empty one."""
    array = np.asarray(values)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise error(f"{name}: the array has the shape {array.shape}; give one value per example")
    return _texts(array, name, error)


def _texts(
    array: Array, name: str, error: type[ReferenceDataError] | type[SubmissionError]
) -> list[str]:
    if array.dtype.kind not in "biufUOT":
        raise error(f"{name}: the values have the type {array.dtype}; give labels or numbers")
    if array.dtype.kind == "f" and np.isfinite(array).all() and (array == np.rint(array)).all():
        # Labels are often stored as 0.0 and 1.0.
        return [str(int(value)) for value in array.tolist()]
    return ["" if value is None or value != value else str(value) for value in array.tolist()]


def _prediction(name: str, values: Any, n: int, classes: Sequence[Any]) -> dict[str, list[str]]:
    """Return one entry's columns by name: the label, or one column per class."""
    array = np.asarray(values)
    if array.shape[:1] != (n,):
        raise SubmissionError(
            f"{name}: {len(array) if array.ndim else 1} predictions for {n} examples; give one per "
            "example"
        )
    if array.ndim < 2 or array.shape[1:] == (1,):
        return {_LABEL: _column(array, name, SubmissionError)}
    if array.shape != (n, len(classes)):
        raise SubmissionError(
            f"{name}: the predictions have the shape {array.shape}; give one value per example, or "
            f"one column for each of the {len(classes)} classes"
        )
    return {
        str(label): _texts(column, name, SubmissionError)
        for label, column in zip(classes, array.T, strict=True)
    }


def _index(values: Any) -> list[str] | None:
    """Return the index of a Series as texts; None for anything else."""
    index = getattr(values, "index", None)
    return None if index is None or callable(index) else [str(label) for label in index]


def _table(name: str, columns: Mapping[str, Sequence[str]]) -> Table:
    rows = len(next(iter(columns.values())))
    return Table(
        file=name,
        columns=list(columns.values()),
        numbers=range(1, rows + 1),
        header=tuple(columns),
        row_noun="row",
    )


def _content(table: Table) -> bytes:
    """Return the bytes of an array that its hash in the signature is computed from."""
    return "\n".join(map("\t".join, zip(*table.columns, strict=True))).encode()
