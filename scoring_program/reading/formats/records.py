"""JSON of every kind of data: a list of records, one record per line, or a mapping.

A record is an object; what else stands in its place is the value of one key, such as "label".
Numbers keep the digits that the file has.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ...core.errors import SubmissionError, listed, quoted
from ...core.phrases import Phrase
from ...recognize.of_kinds.roles_by_name import is_id, is_of_rows, is_wrapper
from ..limits import MOST_CELLS
from ..table import (
    LINE,
    RECORD,
    OfFile,
    Table,
    compose_accents,
    empty_file_error,
    place_of,
    text,
    too_many_cells_error,
)
from .fields import roles_of
from .kind import Content

#: Half of a character of UTF-16: a JSON escape can write it alone, and no output could hold it.
_SURROGATE = re.compile("[\ud800-\udfff]")
_RECORD = '{"id": "t1", "label": "a"}'
_EXPECTED = Phrase(
    "expected a list of records such as {records}, or a mapping such as {mapping}",
    records=f"[{_RECORD}, …]",
    mapping='{"t1": "a", …}',
)
_EXPECTED_LINES = Phrase("expected one record per line such as {record}", record=_RECORD)
#: What Python says is wrong with JSON.
_FAULTS: Mapping[str, Phrase] = {
    str(fault): fault
    for fault in (
        Phrase("Expecting value"),
        Phrase("Expecting ',' delimiter"),
        Phrase("Expecting ':' delimiter"),
        Phrase("Expecting property name enclosed in double quotes"),
        Phrase("Illegal trailing comma before end of array"),
        Phrase("Illegal trailing comma before end of object"),
        Phrase("Unterminated string starting"),
        Phrase("Extra data"),
    )
}
#: What a closing bracket ends.
_ENDS: Mapping[str, str] = {"]": "array", "}": "object"}
#: The cells of a table may be so many times those that its records hold, and some more: records of
#: different keys would make a table far larger than their file.
_SPARSE = 100
_SMALL_TABLE = 1_000_000


@dataclass(frozen=True)
class Records(OfFile):
    """The objects of a document, in its order, and the place of each."""

    file: str
    rows: Sequence[Mapping[str, Any]]
    numbers: Sequence[int]
    noun: Phrase
    expected: Phrase
    setting: str = ""  # the one that describes the file
    left_out: tuple[str, ...] = ()  # keys that are not read, as the settings name all that are
    paths: Mapping[str, str] = field(default_factory=dict)  # of the keys of inner objects

    def place(self, row: int) -> Phrase:
        """Return the place of a record, for messages."""
        return place_of(self.noun, self.numbers[row])

    def refused(self, row: int) -> SubmissionError:
        """Return the error for a record that is not what is expected."""
        return self.refusal(
            "{file}: {place}: {expected}", place=self.place(row), expected=self.expected
        )

    def nested(self, row: int, name: str) -> SubmissionError:
        """Return the error for a list or an object where a text or a number belongs."""
        value = self.rows[row][name]
        path = self.paths.get(name, name)
        called = quoted(path)
        while isinstance(value, dict) and value:
            key, value = next(iter(value.items()))
            path += f".{key}"
        path = "KEY" if isinstance(value, list) else path
        return self.refusal(
            "{file}: {place}: {key} holds a nested value; {expected} (organizers: to read another "
            "key, or what is inside, name it: {setting}; for lists, write a 'reader')",
            place=self.place(row),
            key=called,
            expected=self.expected,
            setting=repr(f"{self.setting}: {{columns: {{id: id, label: {path}}}}}"),
        )

    def flat(self) -> Records:
        """Return records in which the values of inner objects replace the objects.

        So a distribution over classes becomes columns. A key that stands at several places of the
        records is called by its path there: "doc.id" beside "id". Objects of far too many different
        keys stay as they are.

        Raises
        ------
        SubmissionError
            A key is called like the path of another one.
        """
        holders: dict[str, set[str]] = {}  # key → the objects that hold it, "" for records
        sizes: Counter[str] = Counter()  # object → how many keys all records have in it
        for record in self.rows:
            for name, value in record.items():
                if not isinstance(value, dict):
                    holders.setdefault(name, set()).add("")
                    continue
                sizes[name] += len(value)
                for key in value:
                    holders.setdefault(key, set()).add(name)
        widths = Counter(name for objects in holders.values() for name in objects)
        whole = {
            name
            for name, size in sizes.items()
            if widths[name] * len(self.rows) > _SPARSE * size + _SMALL_TABLE
        }
        rows: list[dict[str, Any]] = []
        paths: dict[str, str] = {}
        for number, record in enumerate(self.rows):
            row: dict[str, Any] = {}
            for name, value in record.items():
                is_inside = isinstance(value, dict) and name not in whole
                for key, inner in value.items() if is_inside else ((name, value),):
                    path = f"{name}.{key}" if is_inside else name
                    called = path if len(holders.get(key, ())) > 1 else key
                    if called in row:
                        raise self.refusal(
                            "{file}: {place}: the key {key} stands twice, once in an object inside "
                            "the record; keep one",
                            place=self.place(number),
                            key=quoted(called),
                        )
                    row[called] = inner
                    if is_inside:
                        paths[called] = path
            rows.append(row)
        return replace(self, rows=rows, paths=paths)

    def table(
        self,
        column: Callable[[Sequence[Any], str], Sequence[Any]] | None = None,
        fits: Callable[[Any], bool] = lambda value: True,
    ) -> Table:
        """Return a table with a column for each key; ``column`` makes its cells from its values.

        Without it, cells are texts, and lists and objects are none; with it, those that ``fits``
        refuses are none, and neither are values that it refuses. A key of such values has no
        column, and its error is kept for those who need it.

        Raises
        ------
        SubmissionError
            There are no records, or the table would be far larger than what they hold.
        """
        if not any(self.rows):
            raise empty_file_error(self.file)
        header = list(dict.fromkeys(name for record in self.rows for name in record))
        cells = len(header) * len(self.rows)
        if cells > _SPARSE * sum(map(len, self.rows)) + _SMALL_TABLE:
            raise self.refusal(
                "{file}: the records have {keys} different keys; give every record the same",
                keys=len(header),
            )
        if cells > MOST_CELLS:
            raise too_many_cells_error(self.file)
        nested: dict[str, SubmissionError] = {}
        for row, record in enumerate(self.rows):
            for name, value in record.items():
                is_none = isinstance(value, (dict, list)) and not (column and fits(value))
                if is_none and name not in nested:
                    nested[name] = self.nested(row, name)
        cells_of_column = column or (lambda values, name: list(map(text, values)))
        columns: dict[str, Sequence[Any]] = {}
        for name in header:
            if name in nested:
                continue
            try:
                columns[name] = cells_of_column([record.get(name) for record in self.rows], name)
            except SubmissionError as error:
                nested[name] = error
        cells_of = list(columns.values())
        return Table(
            self.file,
            cells_of,
            self.numbers,
            tuple(columns),
            self.noun,
            nested=nested,
            left_out=self.left_out,
        )


def read_rows(content: Content, is_needed: Callable[[str], bool] = is_of_rows) -> Table:
    """Read rows of cells: records, a list of labels, id → label, id → record or columns.

    Lists and objects are left out, unless one is described, or a key of its name ``is_needed``.

    Raises
    ------
    SubmissionError
        The text is not JSON, or has another form.
    """
    table = read(content, "label", _EXPECTED, partial(_from_mapping, content)).flat().table()
    return without_nested(table, content, is_needed)


def without_nested(table: Table, content: Content, is_needed: Callable[[str], bool]) -> Table:
    """Return a table, unless a key without a column is described, or needed, or its id."""
    stated = {name.casefold() for name in content.described.stated}
    is_described = bool(content.described.columns or content.described.used)
    ids = () if any(map(is_id, table.named)) else {*filter(is_id, table.nested)}
    for name in table.nested:
        wanted = name.casefold() in stated if is_described else is_needed(name)
        if wanted or name in ids:
            table.refuse_nested([name])
    return table


def read(
    content: Content,
    value: str,
    expected: Phrase,
    of_mapping: Callable[[Mapping[str, Any]], Any] | None = None,
) -> Records:
    """Read the records of a document; what is no object is the ``value`` of one.

    A mapping holds an object, or a value, for each id. It may stand for records of another form
    that ``of_mapping`` returns. Messages say what is ``expected``.

    Raises
    ------
    SubmissionError
        The text is not JSON, or has another form.
    """
    document, numbers, noun = load(content, expected)
    expected = _in_lines(expected) if noun == LINE else expected
    whole = document
    if isinstance(document, dict) and _is_described(document, content):
        document = [document]
    if isinstance(document, dict):
        document = (of_mapping or unwrapped)(document)
    if isinstance(document, dict):
        document = [
            {"id": key, **(record if isinstance(record, dict) else {value: record})}
            for key, record in document.items()
        ]
    if not isinstance(document, list):
        raise content.refusal("{file}: {expected}", expected=expected)
    rows = [item if isinstance(item, dict) else {value: item} for item in document]
    if isinstance(whole, dict):
        _refuse_other_keys(whole, rows, content)
    present = dict.fromkeys(name for row in rows for name in row)
    rows = _as_described(rows, content, place_of(noun, numbers[0] if numbers else 1))
    setting = "reference" if content.gold else "submissions"
    numbers = numbers or range(1, len(rows) + 1)
    left_out: tuple[str, ...] = ()
    if content.described.names_all:
        read_keys = {
            str(path).split(".")[0].casefold() for path in content.described.named.values()
        }
        left_out = tuple(quoted(name) for name in present if name.casefold() not in read_keys)
    return Records(content.file, rows, numbers, noun, expected, setting, left_out)


def _is_described(document: Mapping[str, Any], content: Content) -> bool:
    """Whether an object is one record: it holds a value under every key that the settings state."""
    stated = [*content.described.named.values()]
    return bool(stated) and all(
        isinstance(path, str) and _has_value(document, path) for path in stated
    )


def _refuse_other_keys(
    document: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], content: Content
) -> None:
    """Refuse an object whose records lack a key that the settings state.

    The names of keys here, such as "id", may be in no file, so the message has the object's own.
    """
    stated = [path for path in content.described.stated.values() if isinstance(path, str)]
    keys = {name.casefold() for row in rows for name in row}
    lacking = []
    for path in stated:
        leads = any(inside(row, path) is not None for row in rows)
        if path.casefold() not in keys and not leads:
            lacking.append(path)
    if lacking:
        raise content.refusal(
            "{file}: no record holds {lacking}; the file is one object with {keys}, and every file "
            "needs {stated}",
            lacking=listed(map(quoted, lacking)),
            keys=listed(map(quoted, document)),
            stated=listed(map(quoted, stated)),
        )


def _has_value(record: Mapping[str, Any], path: str) -> bool:
    """Whether a name, or names with dots, lead to a value that is no list and no object."""
    names = [path] if path in record else path.split(".")
    value: Any = record
    for name in names:
        if not isinstance(value, Mapping) or name not in value:
            return False
        value = value[name]
    return not isinstance(value, (dict, list))


def _as_described(
    rows: list[dict[str, Any]], content: Content, place: Phrase
) -> list[dict[str, Any]]:
    """Return records whose keys are called as the description says.

    A dot leads into an object: "doc.id". What else is nested is then left out.
    """
    keys = {name for row in rows for name in row}
    stated = {*map(str, content.described.read_columns)}
    if dotted := [name for name in stated - keys if "." in name]:
        rows = [_unfolded(row, stated, dotted) for row in rows]
    if not content.described.columns:
        return rows
    names = list(dict.fromkeys(name for row in rows for name in row))
    if not names:
        raise empty_file_error(content.file)
    places = roles_of(names, content.described, content.file, place)
    roles = {names[place]: role for place, role in places.items()}
    taken = {*map(str.casefold, roles.values())}
    hidden = {name for name in names if name.casefold() in taken and name not in roles}
    if content.described.names_all:
        hidden = {name for name in names if name not in roles}
    new_names = {name: roles.get(name, name) for name in names if name not in hidden}
    return [_renamed(row, new_names) for row in rows]


def _unfolded(
    record: Mapping[str, Any], stated: Collection[str], dotted: Iterable[str]
) -> dict[str, Any]:
    """Return a record with what ``dotted`` names lead to, and of what is nested only ``stated``."""
    unfolded = {
        name: value
        for name, value in record.items()
        if name in stated or not isinstance(value, (dict, list))
    }
    for name in dotted:
        value = inside(record, name)
        if value is not None:
            unfolded[name] = value
    return unfolded


def _renamed(record: Mapping[str, Any], new_names: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of a record that have new names, by these."""
    return {new_names[name]: value for name, value in record.items() if name in new_names}


def inside(record: Mapping[str, Any], path: str) -> Any:
    """Return what a record holds under a name, or along names with dots; None if nothing."""
    value: Any = record.get(path)
    if value is None:
        value = record
        for name in path.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
    return value


def load(content: Content, expected: Phrase) -> tuple[Any, Sequence[int], Phrase]:
    """Return the content of JSON or of JSON Lines, the number of each line, and a noun for them.

    Of one document there are no numbers, and the noun is `RECORD`. A document that is one record
    per line is JSON Lines, whatever the format says. Numbers keep the digits that the file has.
    ``expected`` says in messages what a file may hold.

    Raises
    ------
    SubmissionError
        The text is not JSON, or has too many cells.
    """
    text = content.text
    if content.form == "jsonl":
        return _loaded_lines(content, expected)
    if not text.strip():
        raise empty_file_error(content.file)
    if text.count(",") > MOST_CELLS:
        raise too_many_cells_error(content.file)
    try:
        return _parse(text, content, expected), (), RECORD
    except json.JSONDecodeError as error:
        first = text[: error.pos].strip()
        if "Extra data" in error.msg and error.lineno > 1 and "\n" not in first:
            return _loaded_lines(content, expected)
        raise _invalid(content, error.lineno, error, expected) from error


def _in_lines(expected: Phrase) -> Phrase:
    return _EXPECTED_LINES if expected == _EXPECTED else expected


def is_list(data: bytes) -> bool:
    """Whether a text is one list of JSON, whatever its file is called."""
    try:
        is_open = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"["
        return is_open and isinstance(json.loads(data.decode("utf-8-sig")), list)
    except (ValueError, RecursionError):
        return False


def _loaded_lines(content: Content, expected: Phrase) -> tuple[list[Any], list[int], Phrase]:
    loaded = {}
    expected = _in_lines(expected)
    for number, line in enumerate(content.text.split("\n"), 1):
        if line.strip():
            try:
                loaded[number] = _parse(line, content, expected)
            except json.JSONDecodeError as error:
                raise _invalid(content, number, error, expected) from error
    return [*loaded.values()], [*loaded], LINE


def _parse(text: str, content: Content, expected: Phrase) -> Any:
    def record(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        record_of = {compose_accents(name): value for name, value in pairs}
        if len(record_of) < len(pairs):
            ((twice, _),) = Counter(compose_accents(name) for name, _ in pairs).most_common(1)
            raise content.refusal(
                "{file}: one object has the key {key} twice; keep one of them", key=quoted(twice)
            )
        for name in record_of:
            if _SURROGATE.search(name):
                raise content.refusal(
                    "{file}: the key {key} holds half a character; write the file as UTF-8, "
                    "without \\ud800 to \\udfff on their own",
                    key=quoted(name),
                )
        return record_of

    try:
        return json.loads(
            text, parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=record
        )
    except json.JSONDecodeError as error:
        raise _in_words_of_any_python(error) from error
    except RecursionError:
        raise content.refusal(
            "{file}: the values are nested too deeply; {expected}", expected=expected
        ) from None


def _in_words_of_any_python(error: json.JSONDecodeError) -> json.JSONDecodeError:
    """Return an error of JSON with the words and the place that every Python gives it.

    Before 3.13, a comma before a closing bracket is a value that is missing after the comma.
    """
    closing = error.doc[error.pos : error.pos + 1]
    before = error.doc[: error.pos].rstrip()
    if closing not in _ENDS or not before.endswith(","):
        return error
    message = f"Illegal trailing comma before end of {_ENDS[closing]}"
    return json.JSONDecodeError(message, error.doc, len(before) - 1)


def _invalid(
    content: Content, line: int, error: json.JSONDecodeError, expected: Phrase
) -> SubmissionError:
    # The place follows the message, and some messages end in "at".
    fault = error.msg.removesuffix(" at")
    letter = error.doc[error.pos : error.pos + 1]
    before = error.doc[: error.pos].rstrip()[-1:]
    if "'" in (letter, before):
        expected = Phrase(
            "{expected}; write texts in double quotes, as json.dump does", expected=expected
        )
    elif letter == "," and fault == "Extra data":
        expected = Phrase("{expected}; remove the comma after it", expected=expected)
    elif error.doc.strip() == "[":
        expected = Phrase("{expected}; or call the file .json", expected=expected)
    elif "trailing comma" in error.msg:
        expected = Phrase(
            "{expected}; remove the comma before the closing bracket", expected=expected
        )
    return content.refusal(
        "{file}: line {line}: this is not valid JSON ({reason} at column {column}); {expected}",
        line=line,
        reason=_FAULTS.get(fault) or fault,
        column=error.colno,
        expected=expected,
    )


def _from_mapping(content: Content, mapping: Mapping[str, Any]) -> Any:
    """Return the rows that a mapping represents: records, or columns of equal length."""
    while (inside := _wrapped(mapping, is_wrapper)) is not None:
        if isinstance(inside, list):
            return inside
        mapping = inside
    if _are_frame(list(mapping.values())):
        mapping = {name: list(column.values()) for name, column in mapping.items()}
    if not mapping or not all(isinstance(value, list) for value in mapping.values()):
        return mapping
    lengths = {name: len(value) for name, value in mapping.items()}
    if len(set(lengths.values())) > 1:
        raise content.refusal(
            "{file}: the columns have different lengths ({counts}); give every column one "
            "value per row",
            counts=listed(f"{quoted(name)} {length}" for name, length in lengths.items()),
        )
    return [dict(zip(mapping, row, strict=True)) for row in zip(*mapping.values(), strict=True)]


def unwrapped(mapping: Mapping[str, Any]) -> Any:
    """Return a mapping, or the records that stand in it among facts."""
    return mapping if (inside := _wrapped(mapping)) is None else inside


def _wrapped(
    mapping: Mapping[str, Any], is_named: Callable[[str], bool] = lambda key: False
) -> Any:
    """Return the predictions that stand among facts: {"team": "A", "predictions": [records]}.

    They are records, or anything under a key that ``is_named`` so.
    """
    nested = [(name, value) for name, value in mapping.items() if isinstance(value, (dict, list))]
    if len(nested) != 1:
        return None
    ((name, value),) = nested
    are_records = isinstance(value, list) and value and all(isinstance(i, dict) for i in value)
    return value if is_named(name) or are_records else None


def _are_frame(columns: Sequence[Any]) -> bool:
    """Whether objects are the columns of a data frame, as pandas writes them: row number → value.

    An object with classes 0, 1, … for every id looks alike, but has more ids than classes.
    """
    first = columns[0] if columns else None
    return (
        isinstance(first, dict)
        and len(first) > len(columns)
        and list(first) == list(map(str, range(len(first))))
        and all(isinstance(column, dict) and column.keys() == first.keys() for column in columns)
    )
