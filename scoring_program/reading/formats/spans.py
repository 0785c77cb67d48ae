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
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ...core.entities import Entity
from ...core.errors import Problems, SubmissionError, listed, quoted
from ...core.phrases import Phrase
from ..table import Table, empty_file_error, place_of, repeated, text
from . import delimited, records
from .kind import ExampleKind

#: Names of columns and keys, best first; ids are also what ends in "_id".
_IDS = ("id", "ids", "doc", "document", "file", "name", "key")
_STARTS = ("start", "begin", "start_offset", "start_char", "from")
_ENDS = ("end", "stop", "end_offset", "end_char", "to")
_TYPES = ("type", "label", "tag", "category", "class", "entity", "entity_type", "entity_group")
_LISTS = ("spans", "entities", "labels", "label", "annotations", "predictions")
_ID = re.compile(r".*[_ -]ids?", re.IGNORECASE)
#: How a list begins in a cell.
_LIST = "["
_INTEGER = re.compile(r"-?\d{1,9}")
#: How a list of characters, or of spans, begins in a cell.
_NUMBERS = re.compile(r"\[\s*(\[\s*)?\d")
_OFFSET = re.compile(r"\d{1,9}(\.0+)?")
_HEADER = "'id,start,end,type'"
_EXPECTED = Phrase(
    "expected spans such as {lists} or {records}",
    lists='{"d1": [[0, 5, "PER"], …], …}',
    records='[{"id": "d1", "spans": […]}, …]',
)
_JSON = re.compile(rb'(?s)\s*[\[{].{0,2000}?"(spans|entities)"\s*:\s*\[')
_ONCE = Phrase("Give every span once.")
_REMEDY = Phrase(
    "Write one span per row, with whole numbers as start and end. A row with nothing but the id "
    "says that a document has no span."
)


@dataclass(frozen=True)
class _Row:
    """A span as a file has it: texts, empty where it has none; ``number`` is that of the row."""

    number: int
    id: str
    start: str = ""
    end: str = ""
    type: str = ""

    @property
    def is_empty(self) -> bool:
        return not (self.start or self.end or self.type)


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
    first: dict[str, _Row] = field(default_factory=dict)
    problems: Problems = field(init=False)

    def __post_init__(self) -> None:
        self.problems = Problems(self.file)

    def add(self, row: _Row) -> None:
        """Add a row."""
        first = self.first.setdefault(row.id, row)
        spans = self.spans.setdefault(row.id, {})
        if row is not first and (row.is_empty or first.is_empty):
            self.problems.add(
                "document(s) with and without spans",
                partial(self._contradiction, row, first),
            )
        elif not row.is_empty and (defect := self._defect(row)):
            self.problems.add("unusable span(s)", partial(self._located, row, defect))
        elif not row.is_empty:
            span = Entity(int(float(row.start)), int(float(row.end)), row.type)
            if span in spans:
                self.problems.add(
                    "duplicate span(s)",
                    partial(self._again, row, spans[span]),
                    _ONCE,
                )
            spans.setdefault(span, row.number)

    def _contradiction(self, row: _Row, first: _Row) -> Phrase:
        return Phrase(
            "{place}: id {id} was already on {earlier}, and one of the two says that it has no "
            "span",
            place=place_of(self.noun, row.number),
            id=quoted(row.id),
            earlier=place_of(self.noun, first.number),
        )

    def _located(self, row: _Row, defect: Phrase) -> Phrase:
        return Phrase("{place}: {defect}", place=place_of(self.noun, row.number), defect=defect)

    def _again(self, row: _Row, first: int) -> Phrase:
        return Phrase(
            "{place}: this span of id {id} was already on {earlier}",
            place=place_of(self.noun, row.number),
            id=quoted(row.id),
            earlier=place_of(self.noun, first),
        )

    def _defect(self, row: _Row) -> Phrase | None:
        for name, cell in (("start", row.start), ("end", row.end)):
            if not _OFFSET.fullmatch(cell):
                return Phrase(
                    "{column}: expected a whole number of 0 or more"
                    if self.gold
                    else "{column}: found {cell}, expected a whole number of 0 or more",
                    column=name,
                    cell=quoted(cell),
                )
        if float(row.end) < float(row.start):
            return Phrase(
                "expected an end that is not before the start"
                if self.gold
                else "found start {start} and end {end}, expected an end that is not before the "
                "start",
                start=row.start,
                end=row.end,
            )
        return None

    def table(self) -> Table:
        """Return one row per document; raise SubmissionError for all problems together."""
        self.problems.raise_if_any(_REMEDY)
        numbers = [row.number for row in self.first.values()]
        cells = [tuple(sorted(spans)) for spans in self.spans.values()]
        columns: list[Sequence[Any]] = [list(self.spans), cells]
        return Table(self.file, columns, numbers, ("id", "spans"), self.noun, label=self.label)


def read_gold(content: bytes, file: str, form: str) -> Table:
    """Read the spans of all documents. Other columns of a table can be groups of documents."""
    found, others = _read(content, file, form, gold=True)
    table = found.table()
    if not table.numbers:
        raise empty_file_error(file)
    rows = {number: i for i, number in enumerate(others.numbers)} if others else {}
    first = [rows.get(number, 0) for number in table.numbers]
    more = [[column[row] for row in first] for column in others.columns] if others else []
    names = others.header or () if others else ()
    return replace(table, header=("id", "spans", *names), columns=[*table.columns, *more])


def read_predictions(content: bytes, file: str, form: str) -> Table:
    """Read predicted spans; there may be none."""
    return _read(content, file, form, gold=False)[0].table()


def _read(content: bytes, file: str, form: str, *, gold: bool) -> tuple[_Documents, Table | None]:
    """Return the spans, and the other columns of a table with a span per row."""
    if form in ("json", "jsonl"):
        return _read_json(content, file, form, gold=gold), None
    table = delimited.read(content, file)
    for number, width in table.ragged.items():
        raise SubmissionError(
            Phrase(
                "{file}: {place}: {width} cells found, {expected} expected; quote texts that hold "
                "the delimiter",
                file=file,
                place=place_of(table.row_noun, number),
                width=width,
                expected=len(table.columns),
            )
        )
    if lists := _lists(table, gold=gold):
        return lists
    header = [name.casefold() for name in table.first_row]
    if _named(header, _STARTS) and _named(header, _ENDS):
        table = replace(table.below_first(), header=tuple(table.first_row))
    elif len(header) in (3, 4):
        header = ["id", "start", "end", "type"][: len(header)]
        table = replace(table, header=tuple(header))
    else:
        raise SubmissionError(
            Phrase(
                "{file}: {place}: expected a header such as {header}; found {names}",
                file=file,
                place=table.place(0),
                header=_HEADER,
                names=listed(map(quoted, table.first_row)),
            )
        )
    columns = dict(zip(header, table.columns, strict=True))
    key = _named(header, _IDS) or next(filter(_ID.fullmatch, header), "")
    roles = [key, *(_named(header, names) for names in (_STARTS, _ENDS, _TYPES))]
    if not key:
        raise SubmissionError(
            Phrase(
                "{file}: there is no column of ids; write a header as {header}",
                file=file,
                header=_HEADER,
            )
        )
    nothing = [""] * len(table.numbers)
    cells = zip(table.numbers, *(columns.get(role, nothing) for role in roles), strict=True)
    found = _Documents(file, table.row_noun, gold, "CSV")
    for row in cells:
        found.add(_Row(*row))
    rest = [name for name in header if name not in roles]
    others = replace(table, header=tuple(rest), columns=[columns[name] for name in rest])
    return found, others


def _read_json(content: bytes, file: str, form: str, *, gold: bool) -> _Documents:
    document, numbers, noun = records.load(content, file, form, _EXPECTED)
    if isinstance(document, dict):
        document = [{"id": key, "spans": spans} for key, spans in document.items()]
    if not isinstance(document, list) or not all(isinstance(item, dict) for item in document):
        raise SubmissionError(Phrase("{file}: {expected}", file=file, expected=_EXPECTED))
    found = _Documents(file, noun, gold)
    numbers = numbers or range(1, len(document) + 1)
    for number, item in zip(numbers, document, strict=True):
        record = {name.casefold(): value for name, value in item.items()}
        name = _named(record, _IDS) or next(filter(_ID.fullmatch, record), "")
        spans = next((record[n] for n in _LISTS if isinstance(record.get(n), list)), None)
        if not name or (spans is None and not _named(record, _STARTS)):
            raise SubmissionError(
                Phrase(
                    "{file}: {place}: {expected}",
                    file=file,
                    place=place_of(noun, number),
                    expected=_EXPECTED,
                )
            )
        key = text(record[name])
        if spans is None:
            found.add(_Row(number, key, *_cells(record, file, place_of(noun, number))))
        else:
            _add_list(found, number, key, spans)
    return found


def _add_list(found: _Documents, number: int, key: str, spans: list[Any]) -> None:
    """Add all spans of a document."""
    if key in found.first:
        again = partial(repeated, found.noun, number, key, found.first[key].number)
        found.problems.add("duplicate id(s)", again, Phrase("List every id once."))
        return
    if spans and all(isinstance(place, str) and _INTEGER.fullmatch(place) for place in spans):
        spans = _runs(map(int, spans))
    if not spans:
        found.add(_Row(number, key))
    for span in spans:
        found.add(_Row(number, key, *_cells(span, found.file, place_of(found.noun, number))))


def _runs(places: Iterable[int]) -> list[list[int]]:
    """Return the spans of characters: the first of each, and the place after the last."""
    spans: list[list[int]] = []
    for place in sorted({*places}):
        if spans and spans[-1][1] == place:
            spans[-1][1] += 1
        else:
            spans.append([place, place + 1])
    return spans


def _lists(table: Table, *, gold: bool) -> tuple[_Documents, Table] | None:
    """Return the spans of a table with a list of them in one cell per document, if it is one.

    It has a header, or two columns: of ids and of lists.
    """
    header = [name.casefold() for name in table.first_row]
    key = _named(header, _IDS) or next(filter(_ID.fullmatch, header), "")
    lists = _named(header, _LISTS)
    if key and lists and not _named(header, _STARTS):
        table = replace(table.below_first(), header=tuple(header))
    elif len(header) == 2 and header[1].startswith(_LIST):
        key, lists = header = ["id", "spans"]
    else:
        return None
    columns = dict(zip(header, table.columns, strict=True))
    cells = columns[lists]
    if not any(cell.startswith(_LIST) for cell in cells) and (gold or any(cells)):
        return None
    found = _Documents(table.file, table.row_noun, gold, "CSV")
    for number, id_, cell in zip(table.numbers, columns[key], cells, strict=True):
        try:
            spans = json.loads(cell, parse_int=str, parse_float=str)
        except (ValueError, RecursionError):
            spans = None
        if isinstance(spans, list):
            _add_list(found, number, id_, spans)
        else:
            place = place_of(table.row_noun, number)
            found.problems.add("cell(s) without a list", partial(_no_list, place))
    rest = [name for name in header if name not in (key, lists)]
    return found, replace(table, header=tuple(rest), columns=[columns[name] for name in rest])


def _no_list(place: Phrase) -> Phrase:
    return Phrase("{place}: expected a list such as {list}", place=place, list="[[3, 6], [9, 10]]")


def _cells(span: Any, file: str, place: Phrase) -> tuple[str, ...]:
    """Return the start, the end and the type of a span in JSON: an object, or a list of them."""
    if isinstance(span, dict):
        named = {name.casefold(): value for name, value in span.items()}
        span = [named.get(_named(named, names)) for names in (_STARTS, _ENDS, _TYPES)]
    if not isinstance(span, list) or len(span) not in (2, 3):
        raise SubmissionError(
            Phrase("{file}: {place}: {expected}", file=file, place=place, expected=_EXPECTED)
        )
    if any(isinstance(cell, (list, dict)) for cell in span):
        raise SubmissionError(
            Phrase(
                "{file}: {place}: a span holds a nested value; {expected}",
                file=file,
                place=place,
                expected=_EXPECTED,
            )
        )
    return tuple(map(text, span))


def _named(names: Collection[str], known: Iterable[str]) -> str:
    """Return the first known name that is among ``names``; empty if none is."""
    return next((name for name in known if name in names), "")


def _recognizes(content: bytes, file: str) -> bool:
    """Whether a file is a table with columns of ids, starts and ends, or JSON with lists of spans.

    The first line of a table names its columns. Instead of starts and ends, a column "spans" may
    hold lists of numbers.
    """
    first, _, below = content[:1000].decode("utf-8-sig", "replace").partition("\n")
    names = {name.strip("\"' \r") for name in re.split(r"[,;\t|]", first.casefold())}
    offsets = _named(names, _STARTS) and _named(names, _ENDS)
    lists = _LISTS[0] in names and _NUMBERS.search(below)
    table = (offsets or lists) and _named(names, (*_IDS, "doc_id"))
    return bool(table) or _JSON.match(content) is not None


def _types(values: Sequence[Sequence[Sequence[Any]]]) -> set[str]:
    return {str(kind) for spans in values for _, _, kind in spans if kind}


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
    read_gold=read_gold,
    read_predictions=read_predictions,
    example=(Phrase("document"), Phrase("documents")),
    recognizes=_recognizes,
    metrics=("span_f1", "span_precision", "span_recall"),
    names=("spans",),
    absent=(),
    may_lack=True,
    labels=_types,
    problem=_problem,
)
