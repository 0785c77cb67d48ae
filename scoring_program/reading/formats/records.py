"""JSON: a list of records, one record per line, or a mapping. PyEvALL's records are one case.

Numbers keep the digits that the file has. If a value of a record is itself an object, such as a
distribution over classes, its values become columns.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ...core.errors import SubmissionError, listed, quoted
from ...core.phrases import Phrase
from ..limits import MOST_CELLS
from ..table import (
    LINE,
    RECORD,
    Table,
    compose_accents,
    empty_file_error,
    from_columns,
    place_of,
    too_many_cells_error,
)
from .encoding import decode

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
#: The cells of a table may be so many times those that its records hold, and some more: records of
#: different keys would make a table far larger than their file.
_SPARSE, _SMALL_TABLE = 100, 1_000_000
#: Keys that hold the predictions in a document that also holds facts about them.
_WRAPPERS = (
    "predictions", "prediction", "data", "results", "labels", "answers", "submission", "output",
)  # fmt: skip


def read_json(content: bytes, file: str) -> Table:
    """Read one JSON document: records, a list of labels, id → label, id → record or columns.

    Raises
    ------
    SubmissionError
        The text is not JSON, or has another form.
    """
    found, numbers, noun = load(content, file, "json", _EXPECTED)
    if noun == RECORD:
        if isinstance(found, dict):
            found = _from_mapping(found, file)
        if not isinstance(found, list):
            raise SubmissionError(Phrase("{file}: {expected}", file=file, expected=_EXPECTED))
        numbers = range(1, len(found) + 1)
    return _from_records(found, numbers, file, noun)


def read_lines(content: bytes, file: str) -> Table:
    """Read JSON Lines: one record or label per line. Blank lines are skipped.

    Raises
    ------
    SubmissionError
        A line is not JSON.
    """
    return _from_records(*load(content, file, "jsonl", _EXPECTED_LINES)[:2], file, LINE)


def load(
    content: bytes, file: str, form: str, expected: Phrase
) -> tuple[Any, Sequence[int], Phrase]:
    """Return the content of JSON or of JSON Lines, the number of each line, and a noun for them.

    Of one document there are no numbers, and the noun is `RECORD`. A document that is one record
    per line is JSON Lines, whatever ``form`` says. Numbers keep the digits that the file has.
    ``expected`` says in messages what a file may hold.

    Raises
    ------
    SubmissionError
        The text is not JSON, or has too many cells.
    """
    text = decode(content, file)
    if form == "jsonl":
        return (*_loaded_lines(text, file, expected), LINE)
    if not text.strip():
        raise empty_file_error(file)
    if text.count(",") > MOST_CELLS:
        raise too_many_cells_error(file)
    try:
        return _parse(text, file, expected), (), RECORD
    except json.JSONDecodeError as error:
        first = text[: error.pos].strip()
        if "Extra data" in error.msg and error.lineno > 1 and "\n" not in first:
            in_lines = _EXPECTED_LINES if expected == _EXPECTED else expected
            return (*_loaded_lines(text, file, in_lines), LINE)
        raise _invalid(file, error.lineno, error, expected) from error


def is_list(content: bytes) -> bool:
    """Whether a text is one list of JSON, whatever its file is called."""
    try:
        return content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"[" and isinstance(
            json.loads(content.decode("utf-8-sig")), list
        )
    except (ValueError, RecursionError):
        return False


def _loaded_lines(text: str, file: str, expected: Phrase) -> tuple[list[Any], list[int]]:
    found: list[Any] = []
    numbers: list[int] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                found.append(_parse(line, file, expected))
            except json.JSONDecodeError as error:
                raise _invalid(file, number, error, expected) from error
            numbers.append(number)
    return found, numbers


def _parse(text: str, file: str, expected: Phrase) -> Any:
    def record(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = {compose_accents(name): value for name, value in pairs}
        if len(found) < len(pairs):
            names = Counter(compose_accents(name) for name, _ in pairs)
            twice = names.most_common(1)[0][0]
            raise SubmissionError(
                Phrase(
                    "{file}: one object has the key {key} twice; keep one of them",
                    file=file,
                    key=quoted(twice),
                )
            )
        for name in found:
            if _SURROGATE.search(name):
                raise SubmissionError(
                    Phrase(
                        "{file}: the key {key} holds half a character; write the file as UTF-8, "
                        "without \\ud800 to \\udfff on their own",
                        file=file,
                        key=quoted(name),
                    )
                )
        return found

    try:
        return json.loads(
            text, parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=record
        )
    except RecursionError:
        raise SubmissionError(
            Phrase(
                "{file}: the values are nested too deeply; {expected}", file=file, expected=expected
            )
        ) from None


def _invalid(
    file: str, line: int, error: json.JSONDecodeError, expected: Phrase
) -> SubmissionError:
    # The place follows the message, and some messages end in "at".
    fault = error.msg.removesuffix(" at")
    at = error.doc[error.pos : error.pos + 1]
    before = error.doc[: error.pos].rstrip()[-1:]
    if "'" in (at, before):
        expected = Phrase(
            "{expected}; write texts in double quotes, as json.dump does", expected=expected
        )
    elif at in ("]", "}") or "trailing comma" in error.msg:
        expected = Phrase(
            "{expected}; remove the comma before the closing bracket", expected=expected
        )
    return SubmissionError(
        Phrase(
            "{file}: line {line}: this is not valid JSON ({reason} at column {column}); {expected}",
            file=file,
            line=line,
            reason=_FAULTS.get(fault) or fault,
            column=error.colno,
            expected=expected,
        )
    )


def _from_mapping(found: Mapping[str, Any], file: str) -> list[Any]:
    """Return the records that a mapping represents."""
    while (inside := _wrapped(found)) is not None:
        if isinstance(inside, list):
            return inside
        found = inside
    values = list(found.values())
    if _are_frame(values):
        found = {name: list(column.values()) for name, column in found.items()}
        values = list(found.values())
    if values and all(isinstance(value, list) for value in values):
        lengths = {name: len(value) for name, value in found.items()}
        if len(set(lengths.values())) > 1:
            counts = listed(f"{quoted(name)} {length}" for name, length in lengths.items())
            raise SubmissionError(
                Phrase(
                    "{file}: the columns have different lengths ({counts}); give every column one "
                    "value per row",
                    file=file,
                    counts=counts,
                )
            )
        return [dict(zip(found, row, strict=True)) for row in zip(*values, strict=True)]
    if values and all(isinstance(value, dict) for value in values):
        return [{"id": key, **value} for key, value in found.items()]
    return [{"id": key, "label": value} for key, value in found.items()]


def _wrapped(found: Mapping[str, Any]) -> Any:
    """Return the predictions that stand among facts: {"team": "A", "predictions": [records]}."""
    held = [name for name, value in found.items() if isinstance(value, (dict, list))]
    if len(held) == 1 and (held[0].casefold() in _WRAPPERS or _holds_records(found[held[0]])):
        return found[held[0]]
    return None


def _holds_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(i, dict) for i in value)


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


def nested(file: str, place: Phrase, name: str, expected: Phrase) -> SubmissionError:
    """Return the error about a list or an object where ``expected`` says what belongs there."""
    return SubmissionError(
        Phrase(
            "{file}: {place}: {key} holds a nested value; {expected}",
            file=file,
            place=place,
            key=quoted(name),
            expected=expected,
        )
    )


def _from_records(
    found: Sequence[Any], numbers: Sequence[int], file: str, row_noun: Phrase
) -> Table:
    if not found:
        raise empty_file_error(file)
    expected = _EXPECTED_LINES if row_noun == LINE else _EXPECTED
    rows = []
    for item, number in zip(found, numbers, strict=True):
        record = (
            _flat(item, file, place_of(row_noun, number))
            if isinstance(item, dict)
            else {"label": item}
        )
        for name, value in record.items():
            if isinstance(value, (dict, list)):
                raise nested(file, place_of(row_noun, number), name, expected)
        rows.append(record)
    header = list(dict.fromkeys(name for record in rows for name in record))
    held = sum(map(len, rows))
    if len(header) * len(rows) > _SPARSE * held + _SMALL_TABLE:
        raise SubmissionError(
            Phrase(
                "{file}: the records have {keys} different keys; give every record the same",
                file=file,
                keys=len(header),
            )
        )
    if len(header) * len(rows) > MOST_CELLS:
        raise too_many_cells_error(file)
    columns = ([record.get(name) for record in rows] for name in header)
    return from_columns(file, columns, header, row_noun, numbers)


def _flat(record: Mapping[str, Any], file: str, place: Phrase) -> dict[str, Any]:
    """Return a record in which the values of inner objects replace the objects."""
    flat: dict[str, Any] = {}
    for name, value in record.items():
        for key, inside in value.items() if isinstance(value, dict) else [(name, value)]:
            if key in flat:
                raise SubmissionError(
                    Phrase(
                        "{file}: {place}: the key {key} stands twice, once in an object inside the "
                        "record; keep one",
                        file=file,
                        place=place,
                        key=quoted(key),
                    )
                )
            flat[key] = inside
    return flat
