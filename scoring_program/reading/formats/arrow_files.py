"""Parquet, Arrow and Feather files, as the CSV with the same columns would be read.

pyarrow is imported where such a file is read, of a participant in a process of its own. Kits and
bundles lack this module: the platforms' images lack pyarrow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ...core.errors import SubmissionError, quoted
from ...core.version import install_line
from ..limits import MOST_CELLS
from ..table import ROW, Table, empty_file_error, shared, text, too_many_cells_error
from .kind import Content

PARQUET = b"PAR1"
ARROW = b"ARROW1"
#: Rows that are turned into cells at once.
_ROWS = 1 << 16
#: How pyarrow writes a time with a time zone: "2026-11-26 12:00:00.500000000+0100".
_TIME = re.compile(r"([^.Z+]+)(?:\.(\d+))?(Z|[+-]\d{4})")


def read(content: Content) -> Table:
    """Read the columns of a file. Null and NaN are empty cells, categories their values.

    Raises
    ------
    SubmissionError
        The file is empty, damaged or too large, has nested columns or two of one name, or pyarrow
        is not installed.
    """
    try:
        import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        raise content.refusal(
            "{file}: pyarrow, which reads Parquet, Arrow and Feather files, is not installed; save "
            "the file as CSV, or install it: {command}",
            command=install_line("arrow"),
        ) from None
    try:
        return _table(pa, content)
    except (SubmissionError, MemoryError):
        raise
    except Exception as error:  # whatever pyarrow stumbles over, in English
        raise content.refusal(
            "{file}: this is not a readable Parquet, Arrow or Feather file; write it again, or "
            "save it as CSV"
        ) from error


def _table(pa: Any, content: Content) -> Table:
    data = content.data
    file = content.file
    schema, rows, batches = _opened(pa, data)
    if len(set(schema.names)) < len(schema.names):
        raise content.refusal("{file}: several columns have one name; rename them")
    for field in schema:
        if pa.types.is_nested(field.type):
            raise content.refusal(
                "{file}: column {column} holds lists or records; save the file as JSON Lines",
                column=quoted(field.name),
            )
    if rows * len(schema) > MOST_CELLS:
        raise too_many_cells_error(file)
    rows = 0
    columns: list[list[str]] = [[] for _ in schema]
    texts: list[dict[str, str]] = [{} for _ in schema]
    for batch in batches:
        rows += batch.num_rows
        if rows * len(schema) > MOST_CELLS:
            raise too_many_cells_error(file)
        batch.validate(full=True)  # else a damaged one may end this process
        for cells, array, same in zip(columns, batch.columns, texts, strict=True):
            for start in range(0, len(array), _ROWS):
                cells.extend(shared(_cells(pa, array.slice(start, _ROWS)), same))
    if not rows or not columns:
        raise empty_file_error(file)
    header = tuple(map(text, schema.names))
    label = "Parquet" if data[:4] == PARQUET else "Arrow"
    return Table(file, columns, range(1, rows + 1), header, ROW, label=label)


def _opened(pa: Any, data: bytes) -> tuple[Any, int, Iterator[Any]]:
    """Return the schema, the rows that the footer states, and the batches of rows."""
    source = pa.BufferReader(data)
    if not data.startswith(PARQUET):
        if not data.startswith(ARROW):  # record batches alone, as Hugging Face's data sets
            stream = pa.ipc.open_stream(source)
            return stream.schema, 0, iter(stream)
        reader = pa.ipc.open_file(source)
        return reader.schema, 0, map(reader.get_batch, range(reader.num_record_batches))
    from pyarrow import parquet  # type: ignore[import-untyped,unused-ignore]

    opened = parquet.ParquetFile(source)
    batches = opened.iter_batches(_ROWS, use_threads=False)
    return opened.schema_arrow, opened.metadata.num_rows, batches


def _cells(pa: Any, array: Any) -> list[str]:
    plain = array.dictionary_decode() if pa.types.is_dictionary(array.type) else array
    if getattr(plain.type, "tz", None) is not None:  # whose values import pandas, if it is there
        return [_with_zone(value) for value in plain.cast(pa.string()).to_pylist()]
    return list(map(_text, plain.to_pylist()))


def _with_zone(value: str | None) -> str:
    """Return a time with its time zone as Python and pandas write it."""
    match = _TIME.fullmatch(value or "")
    if match is None:
        return value or ""
    time, fraction, zone = match.groups()
    digits = (fraction or "").rstrip("0")
    seconds = f".{digits.ljust(6 if len(digits) < 7 else 9, '0')}" if digits else ""
    return f"{time}{seconds}{'+00:00' if zone == 'Z' else f'{zone[:3]}:{zone[3:]}'}"


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return text(value.decode())
    return "" if value != value else text(value)
