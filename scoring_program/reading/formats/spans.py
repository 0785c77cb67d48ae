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
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from ...core.errors import Problems, listed, quoted
from ...core.phrases import Phrase
from ...recognize.of_kinds.roles_by_name import roles
from ...recognize.of_kinds.span_columns import (
    DOCUMENT,
    LISTS,
    OF_SPAN,
    are_lists,
    have_offsets,
    is_nameless_list,
    name_of_lists,
    name_spans,
)
from ...recognize.of_kinds.span_questions import ask_which_are_spans
from ..table import OfFile, Table, empty_file_error, place_of, text
from . import delimited, records
from .fields import cells_of, headed, refuse_ragged
from .kind import Content, ExampleKind
from .tags import Entity

_INTEGER = re.compile(r"-?\d{1,9}")
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


#: What a row says of a document: its number, the id, and the texts of spans, empty where it has
#: none; and whether these are all of the document's.
_Found: TypeAlias = tuple[int, str, Sequence[Sequence[str]], bool]


def read(content: Content) -> Table:
    """Read the spans of all documents; in predictions, there may be none.

    Other columns of a gold's table can be groups of documents.

    Raises
    ------
    SubmissionError
        The roles of the columns are unclear, or a span is unusable or given twice.
    """
    problems = Problems(content.file)
    if content.is_json:
        document, stated = _document(content)
        noun = document.noun
        label = ""
        form = content.form
        rows_of_spans = _of_records(document, content, stated)
        beside_spans = Table(
            content.file,
            [],
            (),
            (),
            fields=_keys_of(document),
            left_out=document.left_out,
        )
    else:
        rows_of_spans, beside_spans = _of_table(content, problems)
        noun = beside_spans.row_noun
        label = "CSV"
        form = "csv"
    spans, first = _collected(rows_of_spans, noun, problems, gold=content.gold)
    problems.raise_if_any(_REMEDY)
    cells = [tuple(sorted(spans_of_document)) for spans_of_document in spans.values()]
    table = Table(
        content.file,
        [list(spans), cells],
        first,
        ("id", "spans"),
        noun,
        label=label,
        fields=beside_spans.fields,
        form=form,
        left_out=beside_spans.left_out,
    )
    if not content.gold:
        return table
    if not first:
        raise empty_file_error(content.file)
    rows = {number: i for i, number in enumerate(beside_spans.numbers)}
    of_first = [rows.get(number, 0) for number in first]
    columns = dict(table.named)
    for name, cells_of_column in beside_spans.named.items():
        columns[name] = [cells_of_column[row] for row in of_first]
    return table.with_columns(columns)


def _collected(
    rows_of_spans: Iterable[_Found], noun: Phrase, problems: Problems, *, gold: bool
) -> tuple[dict[str, dict[Entity, int]], list[int]]:
    """Return document → span → number of its row, and the number of each document's first row.

    Problems are added; of the ``gold``, they show no offsets.
    """
    of_document: dict[str, dict[Entity, int]] = {}
    firsts: dict[str, tuple[int, bool]] = {}  # the row of each, and whether it is empty
    for number, key, spans_of_row, is_list in rows_of_spans:
        place = partial(place_of, noun, number)
        if is_list and key in firsts:
            problems.add(
                Phrase("duplicate id", "duplicate ids"),
                "{place}: id {id} was already on {earlier}",
                Phrase("List every id once."),
                place=place,
                id=quoted(key),
                earlier=partial(place_of, noun, firsts[key][0]),
            )
            continue
        for start, end, kind in spans_of_row or [("", "", "")]:
            is_first = key not in firsts
            is_empty = not (start or end or kind)
            first, was_empty = firsts.setdefault(key, (number, is_empty))
            spans = of_document.setdefault(key, {})
            if not is_first and (is_empty or was_empty):
                problems.add(
                    Phrase("document with and without spans", "documents with and without spans"),
                    "{place}: id {id} was already on {earlier}, and one of the two says that it "
                    "has no span",
                    place=place,
                    id=quoted(key),
                    earlier=partial(place_of, noun, first),
                )
            elif not is_empty and (defect := _defect(start, end, gold=gold)):
                problems.add(_UNUSABLE, "{place}: {defect}", place=place, defect=defect)
            elif not is_empty:
                span = Entity(int(float(start)), int(float(end)), kind)
                if span in spans:
                    problems.add(
                        _TWICE,
                        "{place}: this span of id {id} was already on {earlier}",
                        _ONCE,
                        place=place,
                        id=quoted(key),
                        earlier=partial(place_of, noun, spans[span]),
                    )
                spans.setdefault(span, number)
    return of_document, [first for first, _ in firsts.values()]


def _defect(start: str, end: str, *, gold: bool) -> Phrase | None:
    for name, cell in (("start", start), ("end", end)):
        if not _OFFSET.fullmatch(cell):
            return Phrase(
                "{column}: expected a whole number of 0 or more"
                if gold
                else "{column}: found {cell}, expected a whole number of 0 or more",
                column=name,
                cell=quoted(cell),
            )
    if float(end) < float(start):
        return Phrase(
            "expected an end that is not before the start"
            if gold
            else "found start {start} and end {end}, expected an end that is not before the start",
            start=start,
            end=end,
        )
    return None


def _of_table(content: Content, problems: Problems) -> tuple[Iterator[_Found], Table]:
    """Return the spans of a table, and its other columns.

    It has a span per row or, in a cell per document, the list of its spans.
    """
    table = delimited.read(content)
    refuse_ragged(table)
    lists = _with_lists(table, gold=content.gold)
    usual = {3: _COLUMNS[:3], 4: _COLUMNS}
    table = lists or headed(table, have_offsets, _HEADER, usual, may_be_empty=True)
    in_letters = [*(table.header or ())]
    called = {name.casefold(): table.stated.get(name, name) for name in in_letters}
    table = replace(table, header=tuple(map(str.casefold, in_letters)), stated=called)
    fields = (DOCUMENT, LISTS) if lists else (DOCUMENT, *OF_SPAN)
    taken = roles(table.named, fields, content.described.stated)
    if not lists:
        stated = content.described.stated
        ask_which_are_spans(table.file, table.named, taken, stated, gold=content.gold)
    if "id" not in taken:
        raise table.refusal(
            "{file}: there is no column of ids; write a header as {header}", header=_HEADER
        )

    def found() -> Iterator[_Found]:
        for row, (key, *cells) in enumerate(cells_of(table, taken, fields, "")):
            number = table.numbers[row]
            if not lists:
                yield number, key, [cells], False
            elif (spans := _listed(cells[0])) is None:
                problems.add(
                    Phrase("cell without a list", "cells without a list"),
                    "{place}: expected a list such as {list}",
                    place=partial(table.place, row),
                    list="[[3, 6], [9, 10]]",
                )
            else:
                place = table.place(row)
                yield number, key, [_cells(span, table, place, {}) for span in spans], True

    columns_beside = {
        name: cells for name, cells in table.named.items() if name not in taken.values()
    }
    in_file = table.in_file
    names = {role: in_file[name] for role, name in taken.items()}
    return found(), replace(table.with_columns(columns_beside), fields=names)


def _with_lists(table: Table, *, gold: bool) -> Table | None:
    """Return a table with its header if one cell per document holds a list of spans.

    It has a header, or two columns: of ids and of lists.
    """
    names = table.header or table.first_row
    lists = name_of_lists(names)
    if lists is not None:
        table = table.titled()
    elif is_nameless_list(names):
        table = replace(table, header=("id", "spans"))
        lists = "spans"
    else:
        return None
    return table if are_lists(table.named[lists], gold=gold) else None


def _listed(cell: str) -> list[Any] | None:
    """Return the spans of a list in a cell; None if it is none."""
    try:
        spans = json.loads(cell, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        return None
    return _spans(spans) if isinstance(spans, list) else None


def _document(content: Content) -> tuple[records.Records, Mapping[str, str]]:
    """Return the records of JSON, and what the settings call the keys of spans in their lists."""

    def read_as(read_content: Content) -> records.Records:
        return records.read(read_content, "spans", _EXPECTED, lambda by_id: by_id)

    stated = content.described.stated
    of_span = {field.role: str(stated[field.role]) for field in OF_SPAN if field.role in stated}
    columns = content.described.columns
    if of_span and isinstance(columns, Mapping):
        beside = {role: name for role, name in columns.items() if role not in of_span}
        described = replace(content.described, columns=beside)
        document = read_as(replace(content, described=described))
        if any(_list_of(record) is not None for record in document.rows):
            return document, of_span
    return read_as(content), {}


def _list_of(record: Mapping[str, Any]) -> list[Any] | None:
    """Return the list of spans that a record holds; None if it holds none."""
    by_name = {name.casefold(): value for name, value in record.items()}
    lists = (by_name[name] for name in LISTS.names if isinstance(by_name.get(name), list))
    return next(lists, None)


def _of_records(
    document: records.Records, content: Content, stated: Mapping[str, str]
) -> Iterator[_Found]:
    """Yield the spans of records; ``stated`` maps roles to the keys of spans in a list."""
    objects: list[Mapping[str, Any]] = []
    for record in document.rows:
        spans = _list_of(record)
        objects += [record] if spans is None else [s for s in spans if isinstance(s, dict)]
    in_lists = any(_list_of(record) is not None for record in document.rows)
    certain = stated if in_lists else content.described.stated
    _ask_of_objects(content, objects, certain)
    for row, (number, item) in enumerate(zip(document.numbers, document.rows, strict=True)):
        record = {name.casefold(): value for name, value in item.items()}
        key = DOCUMENT.among(record)
        place = document.place(row)
        spans = _list_of(record)
        if key is None or (spans is None and not OF_SPAN[0].among(record)):
            raise document.refused(row)
        spans_of_record = [record] if spans is None else _spans(spans)
        cells = [_cells(span, document, place, stated) for span in spans_of_record]
        yield number, text(record[key]), cells, spans is not None


def _ask_of_objects(
    content: Content, objects: Sequence[Mapping[str, Any]], stated: Collection[str]
) -> None:
    """Ask which keys of objects are meant, if several fit."""
    names = dict.fromkeys(name for item in objects for name in item)
    columns = {}
    for name in names:
        values = [item.get(name) for item in objects]
        if not any(isinstance(value, (dict, list)) for value in values):
            columns[name] = [*map(text, values)]
    document = DOCUMENT.among(columns)
    candidates = {name: cells for name, cells in columns.items() if name != document}
    certain = {role: content.described.stated[role] for role in stated}
    read_keys = roles(candidates, OF_SPAN)
    ask_which_are_spans(content.file, candidates, read_keys, certain, gold=content.gold)


def _keys_of(document: records.Records) -> dict[str, str]:
    """Return the keys of records by their roles."""
    record = document.rows[0] if document.rows else {}
    of_spans = [name for name in LISTS.names if isinstance(record.get(name), list)]
    fields = (DOCUMENT,) if of_spans else (DOCUMENT, *OF_SPAN)
    keys = roles(record, fields)
    return {**keys, "spans": of_spans[0]} if of_spans else keys


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


def _cells(span: Any, source: OfFile, place: Phrase, stated: Mapping[str, str]) -> tuple[str, ...]:
    """Return the start, the end and the type of a span in JSON: an object, or a list of them."""
    if isinstance(span, dict):
        present = {role: name for role, name in stated.items() if name in span}
        without_role = [name for name in span if name not in present.values()]
        fields = [field for field in OF_SPAN if field.role not in stated]
        columns = {**roles(without_role, fields), **present}
        span = [span[columns[f.role]] if f.role in columns else None for f in OF_SPAN]
    if not isinstance(span, list) or len(span) not in (2, 3):
        raise source.refusal("{file}: {place}: {expected}", place=place, expected=_EXPECTED)
    if any(isinstance(cell, (list, dict)) for cell in span):
        raise source.refusal(
            "{file}: {place}: a span holds a nested value; {expected}",
            place=place,
            expected=_EXPECTED,
        )
    return (*map(text, span), "")[:3]


def _recognizes(content: Content) -> bool:
    """Whether a file is a table with columns of ids, starts and ends, or JSON with lists of spans.

    The first line of a table names its columns. Instead of starts and ends, a column "spans" may
    hold lists of numbers.
    """
    first, _, below = content.data[:1000].decode("utf-8-sig", "replace").partition("\n")
    names = {name.strip("\"' \r") for name in re.split(r"[,;\t|]", first.casefold())}
    return name_spans(names, below) or _JSON.match(content.data) is not None


def _wanted(value: Any, is_gold: bool) -> str | None:
    fits = isinstance(value, tuple) and all(map(_is_span, value))
    return None if fits else "a list of (start, end, type), where the end is not before the start"


def _is_span(value: Any) -> bool:
    if not isinstance(value, tuple) or len(value) != 3 or not isinstance(value[2], str):
        return False
    start, end, _ = value
    return isinstance(start, int) and isinstance(end, int) and 0 <= start <= end


def _problem(spans: Sequence[Sequence[Any]], shape: Any, types: Collection[str]) -> Phrase | None:
    unknown = dict.fromkeys(str(kind) for _, _, kind in spans if types and str(kind) not in types)
    if not unknown:
        return None
    named = listed(map(quoted, unknown))
    return Phrase("found the type {types}, expected a type of the task", types=named)


KIND = ExampleKind(
    name="spans",
    read=read,
    column="spans",
    made_of=("start", "end", "type"),
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
