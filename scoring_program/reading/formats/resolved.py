"""Resolved lists: the ids of the examples that a system solved, as SWE-bench's reports hold them.

Predictions are a list of ids in JSON, ``{"resolved": […]}`` or ``{"resolved_ids": […]}``, or one id
per line. An example that is not listed is not resolved. The gold lists the ids of all examples, in
the same forms, as records or as a table with further columns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ...core.errors import Problems, SubmissionError
from ...core.phrases import Phrase
from ..table import LINE, RECORD, Table, empty_file_error, repeated, text
from . import delimited, records
from .encoding import decode
from .kind import ExampleKind

_RESOLVED = ("resolved", "resolved_ids")
_ALL = ("instance_ids", "ids", "instances", "submitted_ids", "total_ids")
_ID_NAMES = ("instance_id", "id", "ids", "task_id", "problem_id", "question_id")
_REPORT = re.compile(rb'"resolved(_ids)?"\s*:\s*\[\s*["\]]')
_EXPECTED = Phrase(
    "expected a list of ids such as {ids}, or {mapping}",
    ids='["a", "b"]',
    mapping='{"resolved": ["a", "b"]}',
)


def read_gold(content: bytes, file: str, form: str) -> Table:
    """Read the ids of all examples, with the other columns of a table."""
    form = "json" if records.is_list(content) else form
    if form in ("json", "jsonl"):
        document, _, _ = records.load(content, file, form, _EXPECTED)
        listed = _listed(document, (*_ALL, *_RESOLVED))
        if listed is not None:
            return _table(file, listed, range(1, len(listed) + 1), RECORD)
        table = (records.read_json if form == "json" else records.read_lines)(content, file)
    else:
        table = delimited.read(content, file)
    if table.header is None:
        below, names = table.below_first(), [name.casefold() for name in table.first_row]
        if not any(name in _ID_NAMES for name in names):
            return _table(file, table.columns[0], table.numbers, table.row_noun)
        table = replace(below, header=tuple(table.first_row))
    solved = [True] * len(table.numbers)
    header, columns = table.header or (), [solved, *table.columns]
    return replace(table, header=("resolved", *header), columns=columns)


def read_predictions(content: bytes, file: str, form: str) -> Table:
    """Read the ids of the examples that are resolved; there may be none.

    Raises
    ------
    SubmissionError
        The file holds no list of ids, or an id twice.
    """
    form = "json" if records.is_list(content) else form
    if form in ("json", "jsonl"):
        document, lines, _ = records.load(content, file, form, _EXPECTED)
        found = _listed(document, _RESOLVED)
        if found is None:
            raise SubmissionError(Phrase("{file}: {expected}", file=file, expected=_EXPECTED))
        numbers: Sequence[int] = lines or range(1, len(found) + 1)
        noun = LINE if lines else RECORD
    else:
        cells = [line.strip().strip(",\"'") for line in decode(content, file).split("\n")]
        numbers = [number for number, cell in enumerate(cells, 1) if cell]
        found, noun = [cell for cell in cells if cell], LINE
        if found and found[0].casefold() in _ID_NAMES:
            found, numbers = found[1:], numbers[1:]
        elif not found:
            raise empty_file_error(file)
    first: dict[str, int] = {}
    problems = Problems(file)
    for number, key in zip(numbers, found, strict=True):
        if first.setdefault(key, number) != number:
            problems.add("duplicate id(s)", partial(repeated, noun, number, key, first[key]))
    problems.raise_if_any(Phrase("List every id once."))
    return _table(file, found, numbers, noun)


def _listed(document: Any, names: Sequence[str]) -> list[str] | None:
    """Return the ids in a list, or in that of an object's keys which comes first in ``names``."""
    if isinstance(document, dict):
        document = next((document[name] for name in names if name in document), None)
    if not isinstance(document, list) or any(isinstance(item, (dict, list)) for item in document):
        return None
    return [text(item) for item in document]


def _table(file: str, ids: Sequence[str], numbers: Sequence[int], noun: Phrase) -> Table:
    return Table(file, [list(ids), [True] * len(ids)], numbers, ("id", "resolved"), noun)


def _recognizes(content: bytes, file: str) -> bool:
    """Whether a file is a report: an object with a list of what is resolved."""
    return content.lstrip().startswith(b"{") and _REPORT.search(content) is not None


KIND = ExampleKind(
    name="resolved",
    read_gold=read_gold,
    read_predictions=read_predictions,
    example=(Phrase("instance"), Phrase("instances")),
    recognizes=_recognizes,
    metrics=("resolved_rate",),
    names=("resolved",),
    absent=False,
    may_lack=True,
)
