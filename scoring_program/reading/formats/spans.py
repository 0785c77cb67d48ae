"""Spans of documents: the start, the end and the type of each.

A table has a span per row, ``id,start,end,type``, and any number of rows per document. A row whose
start, end and type are empty says that a document has no span. JSON holds a list of spans for each
document, or a record per span. A table may also hold such a list in one cell per document, and a
list may hold the places of all characters in spans instead: ``[3, 4, 5, 9]``. Every cell is the
tuple of a document's spans, sorted. In predictions, a document that is not listed has no span.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ...core.errors import Problems, SubmissionError, listed, quoted
from ...core.phrases import Phrase
from ..table import Table, empty_file_error, place_of, text
from . import delimited, records
from .fields import ID, DataField, cells_of, headed, refuse_ragged, roles
from .kind import Content, ExampleKind
from .tags import Entity

_ID = replace(ID, names=("id", "ids", "doc", "document", "file", "name", "key"))
_OF_SPAN = (
    DataField("start", ("start", "begin", "start_offset", "start_char", "from")),
    DataField("end", ("end", "stop", "end_offset", "end_char", "to")),
    DataField("type", ("type", "label", "tag", "category", "class", "entity", "entity_type",
                   "entity_group")),
)  # fmt: skip
#: All spans of a document, in place of starts, ends and types.
_LISTS = DataField("spans", ("spans", "entities", "labels", "label", "annotations", "predictions"))
#: How a list begins in a cell.
_LIST = "["
_INTEGER = re.compile(r"-?\d{1,9}")
#: How a list of characters, or of spans, begins in a cell.
_NUMBERS = re.compile(r"\[\s*(\[\s*)?\d")
_OFFSET = re.compile(r"\d{1,9}(\.0+)?")
_COLUMNS = ("id", "start", "end", "type")
_HEADER = f"'{','.join(_COLUMNS)}'"
_EXPECTED = Phrase(
    "expected spans such as {lists} or {records}",
    lists='{"d1": [[0, 5, "PER"], …], …}',
    records='[{"id": "d1", "spans": […]}, …]',
)
_JSON = re.compile(rb'(?s)\s*[\[{].{0,2000}?"(spans|entities)"\s*:\s*\[')
_UNUSABLE = Phrase("unusable span", "unusable spans")
_TWICE = Phrase("duplicate span", "duplicate spans")
_ONCE = Phrase("Give every span once.")
_REMEDY = Phrase(
    "Write one span per row, with whole numbers as start and end. A row with nothing but the id "
    "says that a document has no span."
)


@dataclass
class _Documents:
    """Collects the spans of every document, and what is wrong with them.

    Of the ``gold``, messages show no offsets.
    """

    file: str
    noun: Phrase
    gold: bool
    label: str = ""  # what the page calls the format; empty if its extension says it
    spans: dict[str, dict[Entity, int]] = field(default_factory=dict)  # → number of the row
    first: dict[str, tuple[int, bool]] = field(default_factory=dict)  # its row; whether it is empty
    problems: Problems = field(init=False)

    def __post_init__(self) -> None:
        self.problems = Problems(self.file)

    def add(self, number: int, key: str, start: str = "", end: str = "", kind: str = "") -> None:
        """Add a span as a file has it: texts, empty where it has none, of the row ``number``."""
        is_first, is_empty = key not in self.first, not (start or end or kind)
        first, was_empty = self.first.setdefault(key, (number, is_empty))
        spans = self.spans.setdefault(key, {})
        place = partial(place_of, self.noun, number)
        if not is_first and (is_empty or was_empty):
            self.problems.add(
                Phrase("document with and without spans", "documents with and without spans"),
                "{place}: id {id} was already on {earlier}, and one of the two says that it has no "
                "span",
                place=place,
                id=quoted(key),
                earlier=partial(place_of, self.noun, first),
            )
        elif not is_empty and (defect := self._defect(start, end)):
            self.problems.add(_UNUSABLE, "{place}: {defect}", place=place, defect=defect)
        elif not is_empty:
            span = Entity(int(float(start)), int(float(end)), kind)
            if span in spans:
                self.problems.add(
                    _TWICE,
                    "{place}: this span of id {id} was already on {earlier}",
                    _ONCE,
                    place=place,
                    id=quoted(key),
                    earlier=partial(place_of, self.noun, spans[span]),
                )
            spans.setdefault(span, number)

    def add_list(self, number: int, key: str, spans: Sequence[Sequence[str]]) -> None:
        """Add all spans of a document, which must be its only list."""
        if key in self.first:
            self.problems.add(
                Phrase("duplicate id", "duplicate ids"),
                "{place}: id {id} was already on {earlier}",
                Phrase("List every id once."),
                place=partial(place_of, self.noun, number),
                id=quoted(key),
                earlier=partial(place_of, self.noun, self.first[key][0]),
            )
            return
        for span in spans or [()]:
            self.add(number, key, *span)

    def _defect(self, start: str, end: str) -> Phrase | None:
        for name, cell in (("start", start), ("end", end)):
            if not _OFFSET.fullmatch(cell):
                return Phrase(
                    "{column}: expected a whole number of 0 or more"
                    if self.gold
                    else "{column}: found {cell}, expected a whole number of 0 or more",
                    column=name,
                    cell=quoted(cell),
                )
        if float(end) < float(start):
            return Phrase(
                "expected an end that is not before the start"
                if self.gold
                else "found start {start} and end {end}, expected an end that is not before the "
                "start",
                start=start,
                end=end,
            )
        return None

    def table(self) -> Table:
        """Return one row per document; raise SubmissionError for all problems together."""
        self.problems.raise_if_any(_REMEDY)
        numbers = [number for number, _ in self.first.values()]
        cells = [tuple(sorted(spans)) for spans in self.spans.values()]
        columns: list[Sequence[Any]] = [list(self.spans), cells]
        return Table(self.file, columns, numbers, ("id", "spans"), self.noun, label=self.label)


def read(content: Content) -> Table:
    """Read the spans of all documents; in predictions, there may be none.

    Other columns of a gold's table can be groups of documents.
    """
    documents, others = (_read_json if content.is_json else _read_table)(content)
    table = documents.table()
    if not content.gold:
        return table
    if not table.numbers:
        raise empty_file_error(content.file)
    rows = {number: i for i, number in enumerate(others.numbers)}
    first = [rows.get(number, 0) for number in table.numbers]
    more = {name: [cells[row] for row in first] for name, cells in others.named.items()}
    return table.with_columns({**table.named, **more})


def _read_table(content: Content) -> tuple[_Documents, Table]:
    """Return the spans of a table, and its other columns.

    It has a span per row or, in a cell per document, the list of its spans.
    """
    table = delimited.read(content)
    refuse_ragged(table)
    documents = _Documents(table.file, table.row_noun, content.gold, "CSV")
    lists = _with_lists(table, gold=content.gold)
    table = lists or headed(
        table, _has_offsets, _HEADER, {3: _COLUMNS[:3], 4: _COLUMNS}, may_be_empty=True
    )
    table = replace(table, header=tuple(map(str.casefold, table.header or ())))
    fields = (_ID, _LISTS) if lists else (_ID, *_OF_SPAN)
    taken = roles(table.named, fields)
    if "id" not in taken:
        raise SubmissionError(
            "{file}: there is no column of ids; write a header as {header}",
            file=table.file,
            header=_HEADER,
        )
    for row, cells in enumerate(cells_of(table, taken, fields, "")):
        if not lists:
            documents.add(table.numbers[row], *cells)
        elif (spans := _listed(cells[-1])) is None:
            documents.problems.add(
                Phrase("cell without a list", "cells without a list"),
                "{place}: expected a list such as {list}",
                place=partial(table.place, row),
                list="[[3, 6], [9, 10]]",
            )
        else:
            at = table.place(row)
            of_spans = [_cells(span, table.file, at) for span in spans]
            documents.add_list(table.numbers[row], cells[0], of_spans)
    rest = {name: cells for name, cells in table.named.items() if name not in taken.values()}
    return documents, table.with_columns(rest)


def _has_offsets(names: Collection[str]) -> bool:
    return len(roles(names, _OF_SPAN[:2])) == 2


def _with_lists(table: Table, *, gold: bool) -> Table | None:
    """Return a table with its header if one cell per document holds a list of spans.

    It has a header, or two columns: of ids and of lists.
    """
    names = table.header or table.first_row
    lists = _LISTS.among(names)
    if _ID.among(names) and lists and not _OF_SPAN[0].among(names):
        table = table.titled()
    elif len(names) == 2 and names[1].startswith(_LIST):
        table, lists = replace(table, header=("id", "spans")), "spans"
    else:
        return None
    cells = table.named[lists]
    are_lists = any(cell.startswith(_LIST) for cell in cells) or not (gold or any(cells))
    return table if are_lists else None


def _listed(cell: str) -> list[Any] | None:
    """Return the spans of a list in a cell; None if it is none."""
    try:
        spans = json.loads(cell, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        return None
    return _spans(spans) if isinstance(spans, list) else None


def _read_json(content: Content) -> tuple[_Documents, Table]:
    document = records.read(content, "spans", _EXPECTED, lambda by_id: by_id)
    documents = _Documents(content.file, document.noun, content.gold)
    for row, (number, item) in enumerate(zip(document.numbers, document.rows, strict=True)):
        record = {name.casefold(): value for name, value in item.items()}
        key, place = _ID.among(record), document.place(row)
        spans = next((record[n] for n in _LISTS.names if isinstance(record.get(n), list)), None)
        if key is None or (spans is None and not _OF_SPAN[0].among(record)):
            raise document.refused(row)
        if spans is None:
            documents.add(number, text(record[key]), *_cells(record, content.file, place))
        else:
            cells = [_cells(span, content.file, place) for span in _spans(spans)]
            documents.add_list(number, text(record[key]), cells)
    return documents, Table(content.file, [], (), ())


def _spans(spans: list[Any]) -> list[Any]:
    """Return a list of spans; of the places of characters, the first and the end of each run."""
    if not spans or not all(isinstance(i, str) and _INTEGER.fullmatch(i) for i in spans):
        return spans
    runs: list[list[int]] = []
    for place in sorted({*map(int, spans)}):
        if runs and runs[-1][1] == place:
            runs[-1][1] += 1
        else:
            runs.append([place, place + 1])
    return runs


def _cells(span: Any, file: str, place: Phrase) -> tuple[str, ...]:
    """Return the start, the end and the type of a span in JSON: an object, or a list of them."""
    if isinstance(span, dict):
        columns = roles(span, _OF_SPAN)
        span = [span[columns[f.role]] if f.role in columns else None for f in _OF_SPAN]
    if not isinstance(span, list) or len(span) not in (2, 3):
        raise SubmissionError(
            "{file}: {place}: {expected}", file=file, place=place, expected=_EXPECTED
        )
    if any(isinstance(cell, (list, dict)) for cell in span):
        raise SubmissionError(
            "{file}: {place}: a span holds a nested value; {expected}",
            file=file,
            place=place,
            expected=_EXPECTED,
        )
    return tuple(map(text, span))


def _recognizes(content: Content) -> bool:
    """Whether a file is a table with columns of ids, starts and ends, or JSON with lists of spans.

    The first line of a table names its columns. Instead of starts and ends, a column "spans" may
    hold lists of numbers.
    """
    first, _, below = content.data[:1000].decode("utf-8-sig", "replace").partition("\n")
    names = {name.strip("\"' \r") for name in re.split(r"[,;\t|]", first.casefold())}
    lists = "spans" in names and _NUMBERS.search(below)
    table = (_has_offsets(names) or lists) and not names.isdisjoint((*_ID.names, "doc_id"))
    return bool(table) or _JSON.match(content.data) is not None


def _wanted(value: Any, is_gold: bool) -> str | None:
    fits = isinstance(value, tuple) and all(map(_is_span, value))
    return None if fits else "a list of (start, end, type), where the end is not before the start"


def _is_span(value: Any) -> bool:
    if not isinstance(value, tuple) or len(value) != 3:
        return False
    start, end, kind = value
    whole = all(isinstance(number, int) and number >= 0 for number in (start, end))
    return whole and start <= end and isinstance(kind, str)


def _problem(spans: Sequence[Sequence[Any]], shape: Any, types: Collection[str]) -> Phrase | None:
    unknown = dict.fromkeys(str(kind) for _, _, kind in spans if types and str(kind) not in types)
    if unknown:
        return Phrase(
            "found the type {types}, expected a type of the task",
            types=listed(map(quoted, unknown)),
        )
    return None


KIND = ExampleKind(
    name="spans",
    read=read,
    example=(Phrase("document"), Phrase("documents")),
    recognizes=_recognizes,
    metrics=("span_f1", "span_precision", "span_recall"),
    names=("spans",),
    absent=(),
    may_lack=True,
    labels=lambda values: {str(kind) for spans in values for _, _, kind in spans if kind},
    problem=_problem,
    wanted=_wanted,
    sizes={Phrase("span", "spans"): (len, 1 << 10)},
)
