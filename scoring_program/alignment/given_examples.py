"""The examples of a test set as participants have them: a file of ids, or of the inputs.

This module needs only the standard library, because the starting kit contains it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.errors import OrganizerError, SubmissionError, listed, quoted
from ..reading.formats import KINDS, detect, kind_of, read_table, records
from ..reading.formats.kind import ROWS
from ..reading.table import Table
from .columns import is_id_name


@dataclass(frozen=True)
class GivenExamples:
    """What a file tells of the examples: their ids, or only their number, and their kind."""

    n: int
    ids: tuple[str, ...] | None
    id_column: str | None = None  # as the file calls it, if it does
    kind: str = ROWS
    shapes: tuple[Any, ...] | None = None  # [n] what predictions must match, see `ExampleKind`


def read(path: Path, id_column: str = "id", kind: str | None = None) -> GivenExamples:
    """Read a file of ids in any format, or one of inputs that predictions must match.

    ``id_column`` holds the ids, or another column whose name or cells say so. ``kind`` is that of
    the examples; without it, the content or the extension of the file may tell.

    Raises
    ------
    OrganizerError
        The file cannot be read, or has no ids.
    """
    try:
        content = path.read_bytes()
        form = "json" if records.is_list(content) else detect(content, path.name)
        kind = kind or _kind(content, path.name, form)
        inputs = KINDS[kind].read_inputs if kind in KINDS else None
        if inputs is not None and (form == "lines" or form in KINDS[kind].formats):
            return _of_inputs(inputs(content, path.name), kind)
        if kind != ROWS and kind == kind_of(content, path.name):  # a gold, with its own ids
            table = KINDS[kind].read_gold(content, path.name, form)
        else:
            table = read_table(content, path.name, form)
    except (OSError, SubmissionError) as error:
        raise OrganizerError(f"{path}: the test ids cannot be read: {error}") from error
    if table.ragged:
        raise OrganizerError(f"{path}: rows differ in length; give every row the same columns")
    name, ids = _ids(table, id_column, path)
    return GivenExamples(len(ids), ids, name, kind)


def _kind(content: bytes, file: str, form: str) -> str:
    """Return the kind of data to which a format belongs, or which the content shows."""
    owners = (name for name, kind in KINDS.items() if form in kind.formats)
    return next(owners, kind_of(content, file))


def _of_inputs(table: Table, kind: str) -> GivenExamples:
    columns = dict(zip(table.header or (), table.columns, strict=True))
    ids = columns.get("id")
    shapes = tuple(columns["shape"])
    return GivenExamples(len(shapes), None if ids is None else tuple(ids), None, kind, shapes)


def _ids(table: Table, called: str, path: Path) -> tuple[str | None, tuple[str, ...]]:
    """Return the name of the column of ids, if it has one, and its cells."""
    header = table.header or table.first_row
    named = [place for place, name in enumerate(header) if is_id_name(name) or name == called]
    if not named:
        named = [place for place, cells in enumerate(table.columns) if _may_be_ids(cells)]
        if len(named) != 1:
            raise OrganizerError(
                f"{path}: there is no id column among {listed(map(quoted, header))}; name it with "
                "--id-column; if the examples have no ids, give their number with --rows"
            )
        if table.header is None and not _is_title(table.columns[named[0]]):
            return None, tuple(table.columns[named[0]])
    below = table if table.header is not None else table.below_first()
    return header[named[0]], tuple(below.columns[named[0]])


def _may_be_ids(cells: Sequence[str]) -> bool:
    """Whether all cells are different words."""
    return len({*cells}) == len(cells) and all(cells) and not any(" " in cell for cell in cells)


def _is_title(cells: Sequence[str]) -> bool:
    """Whether the first cell names the others: they are numbered, and it is not."""
    numbered = [any(map(str.isdigit, cell)) for cell in cells]
    return not numbered[0] and len(cells) > 1 and all(numbered[1:])
