"""One module per format, and the table of formats with their readers; one per kind of data."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import PurePosixPath

from ...core.errors import ReferenceDataError, SettingsError, SubmissionError
from ...core.phrases import Phrase
from ..limits import DEFAULT, Limits
from ..table import Table
from . import (
    delimited,
    label_sets,
    numpy_files,
    rankings,
    readers,
    records,
    resolved,
    samples,
    spans,
    tags,
    texts,
)
from .kind import (
    AS_FOUND,
    GZIP,
    GZIP_EXTENSION,
    ROWS,
    Content,
    ExampleKind,
    FileDescription,
    Format,
    gunzipped,
)

#: The modules of all kinds of data other than rows; the first that recognizes a gold counts.
_OF_KINDS = (texts, samples, resolved, rankings, tags, spans, label_sets, readers)
KINDS: Mapping[str, ExampleKind] = {module.KIND.name: module.KIND for module in _OF_KINDS}


def _read_arrow(content: Content) -> Table:
    try:
        from . import arrow_files
    except ImportError:  # kits and bundles lack it, because the platforms' images lack pyarrow
        raise content.refusal(
            "{file}: Parquet, Arrow and Feather files cannot be read here; save the predictions "
            "as CSV"
        ) from None
    return arrow_files.read(content)


#: Every format by the name that the setting ``format`` knows it by.
FORMATS: Mapping[str, Format] = {
    "csv": Format((".csv", ".tsv", ".tab"), "CSV", delimited.read),
    "lines": Format((".txt",), Phrase("with one label per line"), delimited.read_text),
    "json": Format((".json",), "JSON", records.read_rows),
    "jsonl": Format((".jsonl", ".ndjson"), "JSON Lines", records.read_rows),
    "matrix": Format((".predict", ".solution"), Phrase("matrix"), delimited.read_matrix),
    "npy": Format((".npy",), Phrase("NumPy array"), numpy_files.read_npy),
    "npz": Format((".npz",), Phrase("NumPy arrays"), numpy_files.read_npz),
    "arrow": Format((".parquet", ".feather", ".arrow"), "Arrow", _read_arrow),
    **{name: item for kind in KINDS.values() for name, item in kind.formats.items()},
}
_BY_EXTENSION = {extension: name for name, item in FORMATS.items() for extension in item.extensions}
#: Extensions of files that may hold gold labels or predictions, those of installed packages aside.
#: Of files that can be read; those that most people send come first.
EXTENSIONS = tuple(_BY_EXTENSION)

#: The formats that a description of a table is for.
_DESCRIBED = ("csv", "lines", "matrix", "json", "jsonl")

#: How Parquet and Arrow files begin.
_PARQUET = b"PAR1"
_ARROW = b"ARROW1"
_AS_CSV = Phrase("save the predictions as CSV")
_AS_ZIP = Phrase("send a .zip, or the file itself")
#: How files of other kinds begin, whatever their names say, and the remedy.
_SIGNATURES = (
    (_PARQUET, Phrase("a Parquet file"), Phrase("call it .parquet, or save it as CSV")),
    (_ARROW, Phrase("an Arrow file"), Phrase("call it .arrow, or save it as CSV")),
    (b"FEA1", Phrase("an old Feather file"), _AS_CSV),
    (b"%PDF", Phrase("a PDF document"), _AS_CSV),
    (b"\xd0\xcf\x11\xe0", Phrase("an old spreadsheet"), _AS_CSV),
    (b"\x80\x04\x95", Phrase("a Python pickle"), _AS_CSV),
    (GZIP, Phrase("a gzip archive"), Phrase("call it .csv.gz if it holds CSV, or send the CSV")),
    (b"Rar!\x1a\x07", Phrase("a RAR archive"), _AS_ZIP),
    (b"7z\xbc\xaf\x27\x1c", Phrase("a 7z archive"), _AS_ZIP),
    (b"\xfd7zXZ\0", Phrase("an xz archive"), _AS_ZIP),
)
#: What a zip archive is by the name of a member, and the remedy.
_SHEET = Phrase("save the sheet as CSV (in a spreadsheet: Save as, CSV UTF-8)")
_ARCHIVES = (
    (b"xl/workbook.xml", Phrase("an Excel spreadsheet"), _SHEET),
    (
        b"application/vnd.oasis.opendocument.spreadsheet",
        Phrase("an OpenDocument spreadsheet"),
        _SHEET,
    ),
    (b"Index/Document.iwa", Phrase("a spreadsheet of Apple Numbers"), _SHEET),
    (b"word/document.xml", Phrase("a Word document"), _AS_CSV),
    (b"", Phrase("a zip archive"), Phrase("call it .zip, or send the file in it")),
)
#: Signatures that are right in files called so.
_OF_ARROW = (("arrow", _PARQUET), ("arrow", _ARROW))
_ZIP = b"PK\x03\x04"
_NUMPY = b"\x93NUMPY"
#: What a text file is that holds no table, by a pattern of its beginning, and what to do.
_NO_TABLES = (
    (
        re.compile(
            # One object: several may be records.
            rb'(?is)\s*\{\s*"(detail|error|message|status|code)":\s*("[^"]*"|\d+)\s*[,}]'
            rb"(?!.*\}[\s,]*\{)"
        ),
        Phrase("a web service's reply, which may be an error"),
        Phrase("download the file again, and look at it before you send it"),
    ),
    (
        re.compile(rb"\s*```"),
        Phrase("a text with Markdown's fences"),
        Phrase("remove the lines that begin with ```"),
    ),
    (
        re.compile(rb"\s*<(!doctype html|html|head|body)[\s>]", re.IGNORECASE),
        Phrase("a web page"),
        Phrase(
            "it may be a sign-in or an error page: download the file again, and look at it before "
            "you send it"
        ),
    ),
    (
        # It is declared, or its first line is a tag that the last one closes.
        re.compile(rb"(?is)\s*(<\?xml\s|<([a-z][\w.:-]*)(\s[^<>\n]*)?>[ \t\r]*\n.*</\2>\s*\Z)"),
        Phrase("XML"),
        Phrase(
            "write CSV or JSON (organizers: the setting 'reader' names a function of your own that "
            "reads XML)"
        ),
    ),
    (
        re.compile(rb"version https://git-lfs"),
        Phrase("a Git LFS pointer, which stands for the file"),
        Phrase("run git lfs pull and send the file itself"),
    ),
    (
        re.compile(rb'\s*\{\s*"(cells|metadata|nbformat)":(?=.*"nbformat":)', re.DOTALL),
        Phrase("a notebook"),
        Phrase("run it and send the predictions that it writes"),
    ),
)
#: The beginning of CoNLL-U: comments, and a word in ten columns.
_CONLL_U = re.compile(rb"(?:\xef\xbb\xbf)?(#[^\n]*\n)+(1-\d+\t[^\n]*\n)?1(\t[^\t\n]*){9}\n")
#: The beginning of a JSON object or of a list of objects. No delimited text begins like this.
_OBJECTS = re.compile(rb'(?:\xef\xbb\xbf)?\s*(\[\s*)?\{\s*"')


@cache
def reads_arrow() -> bool:
    """Whether this program reads Arrow files: what runs on a platform, or in a kit, does not."""
    return find_spec(f"{__name__}.arrow_files") is not None


def offered_extensions() -> tuple[str, ...]:
    """Return the extensions of the files that this program reads, for messages."""
    return tuple(
        extension for extension, name in _BY_EXTENSION.items() if name != "arrow" or reads_arrow()
    )


def is_known(name: str) -> bool:
    """Return whether there is a format of this name, here or in an installed package."""
    return name in FORMATS or readers.provides(name)


def is_data(name: str) -> bool:
    """Return whether a file of this name may hold gold labels or predictions."""
    extension = _extension(name)
    return extension in EXTENSIONS or readers.provides(extension[1:])


def named(name: str) -> Format:
    """Return the format of a name.

    Raises SettingsError where a package that provides it cannot be loaded.
    """
    if name in FORMATS:
        return FORMATS[name]
    label, read = readers.load(name)
    return Format((f".{name}",), label, read)


def detect(data: bytes, name: str, examples: str = ROWS) -> str:
    """Return the format of a file: by its content if that is unmistakable, else by its extension.

    Which delimiters make columns of a text file depends on what ``examples`` are: there may be a
    comma in every sentence.

    Raises
    ------
    SubmissionError
        The content is of a kind that cannot be read, such as a spreadsheet.
    """
    extension = _extension(name)
    if extension not in EXTENSIONS and readers.provides(extension[1:]):
        return extension[1:]
    by_name = _BY_EXTENSION.get(extension, "lines")
    if data.startswith(_NUMPY) and by_name != "npz":
        return "npy"
    if data.startswith(_ZIP) and by_name != "npz":
        kind, remedy = next((kind, remedy) for mark, kind, remedy in _ARCHIVES if mark in data)
        raise _unreadable(name, kind, remedy)
    for start, kind, remedy in _SIGNATURES:
        if data.startswith(start) and by_name != "npz" and (by_name, start) not in _OF_ARROW:
            is_of_arrow = start in (_PARQUET, _ARROW)
            raise _unreadable(name, kind, remedy if reads_arrow() or not is_of_arrow else _AS_CSV)
    for pattern, kind, remedy in _NO_TABLES:
        if pattern.match(data.removeprefix(codecs.BOM_UTF8)):
            is_text = by_name == "lines" and examples == texts.KIND.name
            raise _unreadable(name, kind, texts.or_lines(remedy) if is_text else remedy)
    if by_name in ("csv", "lines") and (objects := _OBJECTS.match(data)):
        return "json" if objects[1] else "jsonl"
    delimiters = delimited.DELIMITERS if examples == ROWS else KINDS[examples].delimiters
    if by_name == "lines" and delimiters and delimited.has_columns(data, delimiters):
        return "csv"
    return by_name


def _unreadable(file: str, kind: Phrase, remedy: Phrase) -> SubmissionError:
    return SubmissionError(
        "{file}: the content is {kind}; {remedy}", file=file, kind=kind, remedy=remedy
    )


def _extension(name: str) -> str:
    return suffix(name).lower().removesuffix(GZIP_EXTENSION)


def suffix(name: str) -> str:
    """Return the extension of a data file's name, with the one before ``.gz``."""
    path = PurePosixPath(name)
    packed = path.suffix.lower() == GZIP_EXTENSION
    return PurePosixPath(path.stem).suffix + path.suffix if packed else path.suffix


def needs_pyarrow(name: str, described: FileDescription = AS_FOUND) -> bool:
    """Return whether a file of this name is read by pyarrow."""
    by_name = described.format == "auto" and _BY_EXTENSION.get(_extension(name)) == "arrow"
    return by_name or described.format == "arrow"


def read_table(data: bytes, file: str, form: str = "auto") -> Table:
    """Read the content of a data file called ``file``; ``form`` is a format's name or ``auto``.

    Raises
    ------
    SubmissionError
        The file is empty or malformed, or of a kind that cannot be read. File and line are named.
    SettingsError
        An installed package that reads the format is broken.
    """
    data = gunzipped(data, file)
    content = Content(data, file, detect(data, file) if form == "auto" else form)
    return named(content.form).read(content)


def kind_of(data: bytes, file: str, described: FileDescription = AS_FOUND) -> str:
    """Return the kind of data that the content of a gold file unmistakably is, else `ROWS`."""
    if needs_pyarrow(file, described):
        return ROWS
    name = file[: -len(GZIP_EXTENSION)] if file.lower().endswith(GZIP_EXTENSION) else file
    content = Content(gunzipped(data, file), name, described.format, True, described)
    if described.format == "auto" and _OBJECTS.match(content.data):
        content = replace(content, form="json")  # whatever the file is called
    kinds = (kind for kind in KINDS.values() if kind.is_table or not described.is_of_table)
    return next((kind.name for kind in kinds if kind.recognizes(content)), ROWS)


def read_examples(
    data: bytes,
    file: str,
    kind: str,
    described: FileDescription = AS_FOUND,
    *,
    gold: bool = False,
    limits: Limits = DEFAULT,
    packed: bool = False,
) -> Table:
    """Read a file whose examples are of a ``kind``: reference data or predictions.

    What gzip has packed may unpack to as much as the ``limits`` say. Rows of cells may be
    ``packed`` (`Content`).

    Raises as `read_table` does, SettingsError where a table is described and none is read, and
    ReferenceDataError where the gold is CoNLL-U and of another ``kind`` than tags.
    """
    data = gunzipped(data, file, limits)
    if kind in KINDS:
        described = described.of_kind(KINDS[kind].column)
    form = detect(data, file, kind) if described.format == "auto" else described.format
    if form == "arrow" and kind != ROWS:
        raise SubmissionError(
            "{file}: Parquet, Arrow and Feather files may hold only labels and numbers; save the "
            "file as CSV or JSON Lines",
            file=file,
        )
    if gold and kind != tags.KIND.name and described == AS_FOUND and _CONLL_U.match(data):
        raise ReferenceDataError(
            f"{file}: the content is CoNLL-U, which holds no label or text on every line; name a "
            "metric of tags, such as entity_f1 or token_accuracy, which read the last column, or a "
            "function of your own that reads other columns, in the setting 'reader'"
        )
    lists_in_cells = described.items is not None and form not in ("json", "jsonl")
    if lists_in_cells and kind != rankings.KIND.name:
        raise SettingsError(
            f"{'reference' if gold else 'submissions'}: 'items' says that cells hold ranked lists, "
            "and no metric scores these; name a measure of ranked lists, such as nDCG@10, or "
            "remove 'items'"
        )
    if described.is_of_table and not lists_in_cells:
        is_table = kind == ROWS or KINDS[kind].is_table
        names_keys = form in ("json", "jsonl") and described.separator is None
        if form not in _DESCRIBED or not (is_table or names_keys):
            raise SettingsError(
                f"{'reference' if gold else 'submissions'}: the settings describe a table, but "
                f"{file} is read as {named(form).label if kind == ROWS else kind}; remove "
                "'columns', 'separator' and 'header'"
            )
        form = form if form in ("json", "jsonl") else "csv"
    read = named(form).read if kind == ROWS else KINDS[kind].read
    table = read(Content(data, file, form, gold, described, packed and kind == ROWS))
    if described.decimal == ",":
        table = table.with_decimal_points()
    return _as_stated(table, described, form)


def _as_stated(table: Table, described: FileDescription, form: str) -> Table:
    """Return a table with what the settings state of its columns, and the format that was read."""
    named_so: dict[str, str] = {}
    numbered: dict[str, int] = {}
    for role, column in described.stated.items():
        named_so[role] = role if isinstance(column, int) else column
        if isinstance(column, int):
            numbered[role] = column
    return replace(
        table,
        label=table.label or named(form).label,
        stated=table.stated or named_so,
        fields={**numbered, **table.fields},
        form=table.form or form,
    )
