"""Resolved lists: the ids of the examples that a system solved, as SWE-bench's reports hold them.

Predictions are a list of ids in JSON, ``{"resolved": […]}`` or ``{"resolved_ids": […]}``, or one id
per line. An example that is not listed is not resolved. The gold lists the ids of all examples, in
the same forms, as records or as a table with further columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...core.errors import Problems, ReferenceDataError, quoted
from ...core.phrases import Phrase
from ...recognize.of_kinds.lists_of_ids import key_of_all, key_of_resolved, key_of_unresolved
from ...recognize.of_kinds.roles_by_name import is_id
from ..table import LINE, RECORD, Table, empty_file_error, rows_by_id, text
from . import delimited, records
from .fields import headed
from .kind import Content, ExampleKind

_REPORT = re.compile(rb'"resolved(_ids)?"\s*:\s*\[\s*["\]]')
_ONCE = Phrase("List every id once.")
_EXPECTED = Phrase(
    "expected a list of ids such as {ids}, or {mapping}",
    ids='["a", "b"]',
    mapping='{"resolved": ["a", "b"]}',
)


def read(content: Content) -> Table:
    """Read the ids of the examples that are resolved; of a gold, those of all examples.

    A gold may have further columns, and predictions may list nothing.

    Raises
    ------
    SubmissionError
        The file holds no list of ids, or an id twice.
    """
    if records.is_list(content.data):
        content = replace(content, form="json")
    return _read_gold(content) if content.gold else _read_predictions(content)


def _read_gold(content: Content) -> Table:
    if content.is_json:
        document, _, _ = records.load(content, _EXPECTED)
        stated = content.described.stated.get("id")
        key = _key(document, key_of_all, stated)
        listed = _listed(document, key)
        if isinstance(document, dict):
            _refuse_part(content.file, document, listed)
        if listed is not None:
            table = _table(content.file, listed, range(1, len(listed) + 1), RECORD)
            fields: dict[str, Any] = {} if key is None else {"id": key}
            return replace(table, fields=fields)
        table = records.read_rows(content, lambda key: False)
    else:
        table = delimited.read(content)
        if table.header is None and not any(map(is_id, table.first_row)):
            return _table(content.file, table.columns[0], table.numbers, table.row_noun)
        table = headed(table, lambda first: True)
    table = table.with_columns({"resolved": [True] * len(table.numbers), **table.named})
    return replace(table, fields={"resolved": ()})


def _refuse_part(file: str, report: Mapping[str, Any], listed: Sequence[str] | None) -> None:
    """Raise ReferenceDataError if a report lists some of the examples: those of one system."""
    total = report.get("total_instances")
    ids_listed = len(listed or ())
    solved = key_of_resolved(report)
    if solved is not None and key_of_all(report) is None:
        raise ReferenceDataError(
            f"{file}: {solved!r} lists what one system resolved, and nothing lists all instances; "
            "add 'submitted_ids' with the ids of all"
        )
    if listed is not None and total not in (None, str(ids_listed)):
        raise ReferenceDataError(
            f"{file}: 'total_instances' is {total}, but {ids_listed} ids are listed; add those "
            "that are missing"
        )


def _read_predictions(content: Content) -> Table:
    file = content.file
    key = None
    if content.is_json:
        document, lines, _ = records.load(content, _EXPECTED)
        key = _key(document, key_of_resolved, content.described.stated.get("resolved"))
        ids = _listed(document, key)
        if ids is None:
            raise content.refusal("{file}: {expected}", expected=_asked(content))
        unresolved = _listed(document, _key(document, key_of_unresolved))
        contradicted = {*ids}.intersection(unresolved or ())
        if contradicted and isinstance(document, dict):
            raise content.refusal(
                "{file}: id {id} is listed as resolved and as unresolved; list every id once",
                id=quoted(min(contradicted)),
            )
        numbers: Sequence[int] = lines or range(1, len(ids) + 1)
        noun = LINE if lines else RECORD
    else:
        cells = [line.strip().strip(",\"'") for line in content.text.split("\n")]
        numbers = [number for number, cell in enumerate(cells, 1) if cell]
        ids = [cell for cell in cells if cell]
        noun = LINE
        if ids and is_id(ids[0]):
            ids = ids[1:]
            numbers = numbers[1:]
        elif not ids:
            raise empty_file_error(file)
    table = _table(file, ids, numbers, noun)
    problems = Problems(file)
    rows_by_id(ids, table, problems, _ONCE)
    problems.raise_if_any(_ONCE)
    form = content.form if content.is_json else "lines"
    return replace(table, form=form, fields={} if key is None else {"resolved": key})


def _key(
    document: Any, key_of: Callable[[Collection[str]], str | None], stated: Any = None
) -> str | None:
    """Return the stated key of an object, or that which ``key_of`` names; None of a list."""
    if not isinstance(document, dict):
        return None
    return key_of(document) if stated is None else str(stated)


def _asked(content: Content) -> Phrase:
    """Return what is expected of predictions, with the key that the settings state."""
    stated = content.described.stated.get("resolved")
    if stated is None:
        return _EXPECTED
    return Phrase(
        "expected a list of ids such as {ids}, or {mapping}",
        ids='["a", "b"]',
        mapping=f'{{"{stated}": ["a", "b"]}}',
    )


def _listed(document: Any, key: str | None) -> list[str] | None:
    """Return the ids in a list, or in that of a key of an object; None if there is none."""
    if isinstance(document, dict):
        document = document.get(key)
    if not isinstance(document, list) or any(isinstance(item, (dict, list)) for item in document):
        return None
    return [*map(text, document)]


def _table(file: str, ids: Sequence[str], numbers: Sequence[int], noun: Phrase) -> Table:
    columns: list[Sequence[Any]] = [list(ids), [True] * len(ids)]
    return Table(file, columns, numbers, ("id", "resolved"), noun, nameless=True)


def _wanted(value: Any, is_gold: bool) -> str | None:
    if is_gold:
        return None if value is True else "True"
    return None if isinstance(value, bool) else "True or False"


def _recognizes(content: Content) -> bool:
    """Whether a file is a report: an object with a list of what is resolved."""
    return content.data.lstrip().startswith(b"{") and _REPORT.search(content.data) is not None


KIND = ExampleKind(
    name="resolved",
    read=read,
    column="resolved",
    asked={"resolved": "resolved"},
    lists_ids=True,
    example=(Phrase("instance"), Phrase("instances")),
    recognizes=_recognizes,
    metrics=("resolved_rate",),
    names=("resolved",),
    absent=False,
    may_lack=True,
    wanted=_wanted,
)
