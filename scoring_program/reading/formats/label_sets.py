"""Several labels per example: any number of them, or none.

Labels stand in one cell, separated by ``;``, ``|``, a comma or spaces, in lists of JSON, or as one
column of ones and zeros per label. Every cell is the sorted tuple of an example's labels. An empty
cell, an empty list and a row of zeros are the answer that no label fits.

Separators within cells are those of the file: the first of ``|``, ``;`` and the comma that a cell
of the column holds, else spaces. In a list such as ``["fear, dread"]``, quotes tell labels apart.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, compress
from typing import Any

from ...core.cells import is_number
from ...core.errors import Problems, ReferenceDataError, SubmissionError, listed, quoted
from ...core.phrases import Phrase
from ...recognize.of_kinds.label_columns import (
    FLAGS,
    LABELS,
    are_flags,
    are_in_several_orders,
    column_of_labels,
    columns_that_are_labels,
    have_lists_of_labels,
    hold_several_labels,
    is_header_of_labels,
    is_table_of_labels,
    lists_elsewhere,
    of_vectors,
    parts_of,
)
from ..table import Table, empty_file_error, matrix_header, text
from . import delimited, numpy_files, records
from .fields import headed
from .kind import Content, ExampleKind, is_texts

#: The readers of formats that are tables, whatever their examples are.
_TABLES: Mapping[str, Callable[[Content], Table]] = {
    "csv": partial(delimited.read, sets=True),
    "npy": numpy_files.read_npy,
    "npz": numpy_files.read_npz,
    "matrix": delimited.read_matrix,
}
_HEADER = Phrase("{header}, or one column for each label", header="'id,labels'")
#: A label as JSON and Python quote it, and several, as these and NumPy separate them.
_QUOTED = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_QUOTED_LIST = re.compile(rf"{_QUOTED}(?:(?:\s*,\s*|\s+){_QUOTED})*,?", re.DOTALL)
#: The note on a gold whose lists may be rankings.
UNORDERED = Phrase("The labels of an example were read as a set: their order does not count.")
#: So many bytes of a file tell whether it holds several labels, and in what form.
_ENOUGH = 1 << 16
_NEITHER = Phrase(
    "cell that neither chooses a label nor leaves it out",
    "cells that neither choose a label nor leave it out",
)
_THRESHOLD = Phrase("Write 1 where a label applies, else 0; apply a threshold to scores.")
_EXPECTED = Phrase(
    "expected labels by id such as {mapping}, or records with a list of labels",
    mapping='{"t1": ["a", "b"], …}',
)


def read(content: Content) -> Table:
    """Read labels. Beside a gold's ones and zeros there may be other columns, such as groups.

    Raises
    ------
    SubmissionError
        The columns are neither ids and labels nor ones and zeros, or the file is malformed.
    """
    table = _headed(_columns(content))
    stated_labels = content.described.labels
    column = None
    if not stated_labels:
        column = column_of_labels(table.named, content.described.stated)
    if column is None:
        classes = stated_labels or columns_that_are_labels(table.named, gold=content.gold)
        return _of_classes(table, classes)
    if content.gold and not content.described.columns:
        _refuse_other_lists(table, column)
    # Which column of a submission counts is known later.
    used = [column] if content.gold else {column, *filter(LABELS.fits, table.named)}
    if content.gold and are_in_several_orders(parts_of(_with_lists(table.named[column]))):
        table = replace(table, notes=(*table.notes, UNORDERED))
    sets = {name: _sets(table, name, gold=content.gold) for name in used}
    return table.with_columns({**table.named, **sets})


def with_sets(table: Table, names: Iterable[str], *, gold: bool) -> Table:
    """Return a table in which further columns, which metrics name, hold sets of labels, too.

    Raises
    ------
    ReferenceDataError, SubmissionError
        A column holds lists that are no sets of labels.
    """
    sets: dict[str, list[tuple[str, ...]]] = {}
    for name in names:
        if any(isinstance(cell, str) for cell in table.named.get(name, ())):
            sets[name] = _sets(table, name, gold=gold)
    return table.with_columns({**table.named, **sets}) if sets else table


def _refuse_other_lists(table: Table, column: str) -> None:
    """Refuse a gold whose lists of labels stand in another column than the one of that name."""
    elsewhere = lists_elsewhere(table.named, column)
    if elsewhere is not None:
        raise ReferenceDataError(
            f"{table.file}: labels may stand in {column!r}, or in the lists of {elsewhere!r}; say "
            f"which: 'reference: {{columns: {{id: id, label: {elsewhere}}}}}'"
        )


def _sets(table: Table, column: str, *, gold: bool) -> list[tuple[str, ...]]:
    """Return the labels of every example; refuse lists that are no sets of labels."""
    cells = _with_lists(table.named[column])
    if gold:
        _refuse_single(cells, column, table)
    lists = parts_of(cells)
    if instead := of_vectors(lists):
        raise table.refusal(
            "{file}: the lists in {column} are equally long and hold flags (0 or 1), as if one for "
            "each label; {instead}",
            column=quoted(column),
            instead=instead,
        )
    rows = [labels for labels in lists if any(labels)]
    if gold and len({*map(len, rows)}) == 1 and any(len({*row}) < len(row) for row in rows):
        raise ReferenceDataError(
            f"{table.file}: the lists in {column!r} are equally long, and one value comes twice in "
            "some, so that they are no sets of labels. To compare each list as a whole, write it "
            "as one text, and name the metric string_match"
        )
    return [tuple(sorted({*labels} - {""})) for labels in lists]


def _columns(content: Content) -> Table:
    """Return the columns of a file; those of JSON may hold tuples of labels."""
    if content.is_json:
        return _of_json(content)
    if content.form in _TABLES:
        return _TABLES[content.form](content)
    is_of_lines = content.described.is_frozen  # which states columns, where there are any
    if not is_of_lines and _is_matrix(content.data):
        return replace(delimited.read_matrix(content), label=Phrase("matrix"), form="matrix")
    if not is_of_lines and _is_table(content):
        return replace(delimited.read(content), label="CSV", form="csv")
    lines = [line.strip() for line in content.text.split("\n")]
    if not lines[-1]:
        lines.pop()  # the end of the last line
    if not any(lines):
        raise empty_file_error(content.file)
    return Table(content.file, [lines], range(1, len(lines) + 1), ("labels",))


def _headed(table: Table) -> Table:
    """Return a table whose header is known."""
    if table.ragged:
        return replace(table, header=table.header or tuple(table.first_row))

    def names_columns(first: Sequence[str]) -> bool:
        return is_header_of_labels(first, table.below_first().columns)

    usual = {1: ("labels",), 2: ("id", "labels")}
    if (width := len(table.columns)) > 2 and all(map(are_flags, table.columns)):
        usual[width] = matrix_header(width)
    return headed(table, names_columns, _HEADER, usual)


def _is_matrix(data: bytes) -> bool:
    """Whether a plain text file begins with lines of ones and zeros, as many in each."""
    lines = data[:_ENOUGH].split(b"\n")[:-1]  # the last one may be cut
    rows = [*filter(None, map(bytes.split, lines))]
    widths = {*map(len, rows)}
    return len(widths) == 1 and widths != {1} and {*chain(*rows)} <= {b"0", b"1"}


def _is_table(content: Content) -> bool:
    """Whether a plain text file has columns: of ones and zeros below names, or of ids and labels.

    A delimiter alone does not say so: it may separate the labels of each line.
    """
    if not delimited.has_columns(content.data):
        return False
    table = delimited.read(content)
    below = table.below_first().columns
    tabs = delimited.has_columns(content.data, "\t")
    return is_table_of_labels(table.first_row, below, table.columns[0], divided_by_tabs=tabs)


def _of_classes(table: Table, names: Sequence[str]) -> Table:
    """Return a table whose columns ``names`` of ones and zeros are one column of labels."""
    if not names:
        raise table.refusal(
            "{file}: there is no column 'labels', and none of ones and zeros, among {names} "
            "(organizers: name the one with label sets, {sets}, or with one label each, "
            "{single}, in 'reference' or 'submissions')",
            names=listed(map(quoted, table.named)),
            sets="'columns: {labels: KEY}'",
            single="'columns: {id: id, label: KEY}'",
        )
    classes = {name: table.named[name] for name in names}
    problems = Problems(table.file, len(table.numbers))
    for name, column in classes.items():
        for row, cell in enumerate(column):
            if cell not in FLAGS:
                problems.add(
                    _NEITHER,
                    "{place}, column {column}: found {cell}, expected 0 or 1",
                    _THRESHOLD,
                    place=partial(table.place, row),
                    column=quoted(name),
                    cell=quoted(cell),
                )
    problems.raise_if_any(Phrase("Or write the labels of each row into one column 'labels'."))
    rows = zip(*(map(FLAGS.__getitem__, column) for column in classes.values()), strict=True)
    cells = [tuple(sorted(compress(classes, row))) for row in rows]
    other_columns = {name: column for name, column in table.named.items() if name not in classes}
    with_labels = table.with_columns({**other_columns, "labels": cells})
    in_file = table.in_file
    columns_of_labels = {name: in_file[name] for name in classes}
    return replace(
        with_labels,
        one_hot=False,
        classes=tuple(classes),
        fields={**table.fields, "labels": columns_of_labels},
    )


def _of_json(content: Content) -> Table:
    table = records.read(content, "labels", _EXPECTED).flat()

    def column(values: Sequence[Any], name: str) -> Sequence[Any]:
        lists = any(isinstance(value, list) for value in values)
        return [_cell(table, row, name, lists=lists) for row in range(len(values))]

    return records.without_nested(table.table(column), content, LABELS.fits)


def _cell(document: records.Records, row: int, name: str, *, lists: bool) -> Any:
    """Return a value of a record as a text or, where a column holds ``lists``, as labels."""
    value = document.rows[row].get(name)
    items = value if isinstance(value, list) else [value]
    if any(isinstance(item, (list, dict)) for item in items):
        raise document.nested(row, name)
    if isinstance(value, list):
        return (*map(text, value),)
    if value is None and lists:
        raise document.refusal(
            "{file}: {place}: {key} is null or missing; write [] if no label fits",
            place=document.place(row),
            key=quoted(name),
        )
    return str(int(value)) if isinstance(value, bool) else text(value)


def _with_lists(cells: Sequence[Any]) -> list[Any]:
    """Return cells of which those that are lists in brackets, as pandas writes them, are tuples."""
    return [
        (*_listed(cell.strip("[]").strip()),)
        if isinstance(cell, str) and cell.startswith("[") and cell.endswith("]")
        else cell
        for cell in cells
    ]


def _refuse_single(cells: Sequence[Any], column: str, table: Table) -> None:
    """Refuse a gold with single labels beside lists, which may be of answers that are all right."""
    first: dict[bool, int] = {}
    for row, cell in enumerate(cells):
        if cell != "":
            first.setdefault(isinstance(cell, tuple), row)
    if len(first) > 1:
        raise ReferenceDataError(
            f"{table.file}: {table.place(first[False])} holds a single value in {column!r}, and "
            f"{table.place(first[True])} a list. If an example may have several labels, write a "
            "list for each. If any value of a list is a right answer, name the metric string_match "
            "and write the reference data as JSON"
        )


def _listed(inside: str) -> Sequence[str]:
    """Return the labels between brackets: quoted, or separated by commas or, of numbers, spaces."""
    if _QUOTED_LIST.fullmatch(inside):
        return list(map(_unquoted, re.findall(_QUOTED, inside, re.DOTALL)))
    parts = inside.split()
    if not all(map(is_number, parts)):
        parts = inside.split(",")
    return [part.strip().strip("'\"") for part in parts]


def _unquoted(quoted_label: str) -> str:
    """Return a label that JSON or Python has written in quotes."""
    for read_literal in (json.loads, ast.literal_eval):
        try:
            label = str(read_literal(quoted_label))
            label.encode()  # half of a character has no bytes
        except (ValueError, SyntaxError):
            continue
        return text(label)
    return quoted_label[1:-1]


def _recognizes(content: Content) -> bool:
    """Whether examples certainly have several labels: some have several, and labels come again."""
    data = content.data
    name = content.file.lower()
    is_json = content.is_json or name.endswith((".json", ".jsonl", ".ndjson"))
    if is_json and not re.search(rb"[:\[,]\s*\[", data[:_ENOUGH]):
        return False
    if name.endswith((".npy", ".npz")):
        return False
    if not is_json and len(data) > _ENOUGH:
        data = data[: data.rfind(b"\n", 0, _ENOUGH) + 1]
    try:
        if is_json:
            return have_lists_of_labels(_of_json(replace(content, data=data, form="json")).named)
        form = "matrix" if name.endswith((".predict", ".solution")) else "csv"
        table = _headed(_columns(replace(content, data=data, form=form)))
    except SubmissionError:
        return False
    return hold_several_labels(table.named)


def _wanted(value: Any, is_gold: bool) -> str | None:
    if is_texts(value):
        return None
    wanted = "a list of labels, written as texts"
    if not is_gold:
        return wanted
    # Often the metric is the mistake: an average over examples of data with one label each.
    return (
        f"{wanted}, or choose another average: metrics of several labels need a list of labels for "
        "each example"
    )


def _problem(value: Any, shape: Any, labels: Collection[str]) -> Phrase | None:
    unknown = [label for label in value if label not in labels] if labels else []
    if not unknown:
        return None
    return Phrase(
        "found {labels}, expected labels of the task, in the same spelling; if labels hold spaces, "
        "put ';' after each",
        labels=listed(map(quoted, unknown[:3])),
    )


KIND = ExampleKind(
    name="label_sets",
    read=read,
    column="labels",
    recognizes=_recognizes,
    metrics=("f1_score", "accuracy_score", "icm_norm"),
    params={"f1_score": {"average": "macro"}},
    names=LABELS.names,
    labels=lambda values: {label for value in values for label in value},
    problem=_problem,
    wanted=_wanted,
    sizes={Phrase("label", "labels"): (len, 1 << 10)},
)
