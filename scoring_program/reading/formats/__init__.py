"""One module per format, and the table of formats with their readers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from ...core.errors import SubmissionError
from ..table import Table
from . import delimited, matrix, numpy_files, records


@dataclass(frozen=True)
class Format:
    """A file format: its extensions and the reader of its bytes."""

    extensions: tuple[str, ...]
    read: Callable[[bytes, str], Table]


#: Every format by its name in the setting ``format`` and in the language files.
FORMATS: Mapping[str, Format] = {
    "csv": Format((".csv", ".tsv", ".tab"), delimited.read),
    "lines": Format((".txt",), delimited.read_text),
    "json": Format((".json",), records.read_json),
    "jsonl": Format((".jsonl", ".ndjson"), records.read_lines),
    "matrix": Format((".predict", ".solution"), matrix.read),
    "npy": Format((".npy",), numpy_files.read_npy),
    "npz": Format((".npz",), numpy_files.read_npz),
}
_BY_EXTENSION = {extension: name for name, item in FORMATS.items() for extension in item.extensions}
#: Extensions of files that may hold gold labels or predictions.
EXTENSIONS = frozenset(_BY_EXTENSION)

_AS_CSV = "save the predictions as CSV"
_AS_ZIP = "send a .zip, or the file itself"
#: How files of other kinds begin, whatever their names say, and the remedy.
_SIGNATURES = (
    (b"PK\x03\x04", "a spreadsheet or an archive", _AS_CSV),
    (b"PAR1", "a Parquet file", _AS_CSV),
    (b"%PDF", "a PDF document", _AS_CSV),
    (b"\xd0\xcf\x11\xe0", "an old spreadsheet", _AS_CSV),
    (b"\x80\x04\x95", "a Python pickle", _AS_CSV),
    (b"\x1f\x8b", "a gzip archive", _AS_ZIP),
    (b"Rar!\x1a\x07", "a RAR archive", _AS_ZIP),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", _AS_ZIP),
    (b"\xfd7zXZ\0", "an xz archive", _AS_ZIP),
)
_NUMPY = b"\x93NUMPY"
#: The beginning of a JSON object or of a list of objects. No delimited text begins like this.
_OBJECTS = re.compile(rb'(?:\xef\xbb\xbf)?\s*(\[\s*)?\{\s*"')


def detect(content: bytes, name: str) -> str:
    """Return the format of a file: by its content if that is unmistakable, else by its extension.

    Raises
    ------
    SubmissionError
        The content is of a kind that cannot be read, such as a spreadsheet.
    """
    by_name = _BY_EXTENSION.get(PurePosixPath(name).suffix.lower(), "csv")
    if content.startswith(_NUMPY) and by_name != "npz":
        return "npy"
    for start, kind, remedy in _SIGNATURES:
        if content.startswith(start) and by_name != "npz":
            raise SubmissionError(f"{name}: the content is {kind}; {remedy}")
    objects = _OBJECTS.match(content)
    if objects and by_name in ("csv", "lines"):
        return "json" if objects[1] else "jsonl"
    return by_name


def read_table(content: bytes, file: str, form: str = "auto") -> Table:
    """Read the content of a data file called ``file``; ``form`` is a key of `FORMATS` or ``auto``.

    Raises
    ------
    SubmissionError
        The file is empty or malformed, or of a kind that cannot be read. File and line are named.
    """
    return FORMATS[detect(content, file) if form == "auto" else form].read(content, file)
