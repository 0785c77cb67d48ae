"""What a reader of files gets, and what formats and kinds of data are: all that other steps know.

A file is its bytes, or its text in UTF-8 or UTF-16, with a name and a description. A kind of data
says what one example holds: a row of cells, a text, a tagged sentence. Its module reads files into
a `Table` with one row per example, whose cells may be any hashable value: a text, a tuple of tags.
Every later step joins, checks and scores such a table like one of labels.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from ...core.errors import SubmissionError
from ...core.phrases import Phrase
from ..limits import DEFAULT, MOST_CELLS, Limits
from ..table import OfFile, Table, compose_accents, too_many_cells_error

#: How a file begins that gzip has packed, and how its name ends.
GZIP = b"\x1f\x8b"
GZIP_EXTENSION = ".gz"
#: The separator that any spaces and tabs are together.
WHITESPACE = "whitespace"
#: What `columns` of the settings call what is predicted, in reference data and in submissions.
_ROLES_OF_EXAMPLES = ("answer", "prediction")
#: Of references: those of one answer are lines that blank lines separate from others.
BLOCKS = "blocks"


@dataclass(frozen=True)
class FileDescription:
    """How files are to be read, as far as the organizer says it.

    ``format`` is the name of a format. ``columns`` are the names of the columns in their order; or
    what they are called here → their names or, from 1, their numbers in the file. The first line is
    a ``header`` or not; None if it tells by itself. A file of which ``used`` columns are known by
    name or number, whatever they hold, is a table, whatever it is called.
    """

    format: str = "auto"
    columns: tuple[str, ...] | Mapping[str, Any] = ()
    separator: str | None = None
    header: bool | None = None
    skip_lines: int = 0
    comment: str | None = None
    used: tuple[str | int, ...] = ()
    #: The sign in front of decimals, if it is not the point.
    decimal: str = "."
    #: The only file that is reference data.
    file: str | None = None
    #: Words in place of an answer, whose examples do not count.
    not_scored: tuple[str, ...] = ()
    #: Word of the column that splits the test set → its part.
    usage: Mapping[str, str] = field(default_factory=dict)
    #: The column that says which times end with an event; the others are censored.
    event: str | None = None
    #: "score": a number is that of the positive class, whatever stands beside it; or, in the third
    #: column of a run, that of a document. "rank": it is the rank of the document.
    holds: str | None = None
    #: "key" or "position".
    join: str | None = None
    #: "error" refuses columns that nothing needs.
    others: str = "ignore"
    #: The classes of the columns of a matrix, in their order.
    classes: tuple[str, ...] = ()
    #: Names of files of an upload that are no predictions.
    leave_aside: tuple[str, ...] = ()
    #: Columns of the references of one answer, by name or number; "blocks" of lines between blanks.
    references: tuple[str | int, ...] | str = ()
    #: What separates the items of a ranked list in one cell, if lists stand in cells.
    items: str | None = None

    @property
    def stated(self) -> Mapping[str, Any]:
        """What each stated column is called here → its name or number in the file.

        Roles of several columns are left out.
        """
        if isinstance(self.columns, Mapping):
            roles = self.columns.items()
            return {role: column for role, column in roles if isinstance(column, (str, int))}
        return {name: name for name in self.columns}

    @property
    def named(self) -> Mapping[str, Any]:
        """The `stated` columns with those of labels that have a column each, by the label."""
        columns = dict(self.stated)
        for role in self.roles.values():
            if isinstance(role, Mapping):
                columns.update(role)
        return columns

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that have a column each, if the settings name these."""
        return tuple(name for name in self.named if name not in self.stated)

    @property
    def roles(self) -> Mapping[str, Any]:
        """Role → its column's name or number, where it names columns by what they hold.

        A key may be several columns, and a prediction one column of each class.
        """
        return self.columns if isinstance(self.columns, Mapping) else {}

    @property
    def names_all(self) -> bool:
        """Whether all columns that are read are named, as in a frozen Reading: no other counts."""
        return bool(self.roles) and self.header is not None and self.join is not None

    @property
    def is_frozen(self) -> bool:
        """Whether it leaves nothing of submissions to be recognized, as a frozen Reading does.

        It names all columns, or a format whose columns are documented.
        """
        is_documented = self.format not in ("auto", "csv") and self.join is not None
        return self.names_all or is_documented

    def of_kind(self, column: str) -> FileDescription:
        """Return the same with the name of the ``column`` of a kind for its answers or predictions.

        What the settings call "answer" and "prediction", each kind of data knows by its own name.
        """
        if not isinstance(self.columns, Mapping) or not {*_ROLES_OF_EXAMPLES} & {*self.columns}:
            return self
        columns = {}
        for role, name in self.columns.items():
            columns[column if role in _ROLES_OF_EXAMPLES else role] = name
        return replace(self, columns=columns)

    @property
    def syntax(self) -> FileDescription:
        """The description without what columns hold: how bytes become a table."""
        if not self.roles:
            return self
        return replace(self, columns=(), used=tuple(_columns_of(self.roles.values())))

    @property
    def read_columns(self) -> tuple[str | int, ...]:
        """Names and numbers of all columns that are read."""
        return (*self.stated.values(), *self.used)

    @property
    def is_of_table(self) -> bool:
        """Whether it says that a file is a table."""
        stated = bool(self.columns or self.separator) or self.header is not None
        references = bool(self.references) and self.references != BLOCKS
        return stated or references or bool(self.used)

    @property
    def says_something(self) -> bool:
        """Whether it says more than a format."""
        return self.is_of_table or self.skip_lines > 0 or self.comment is not None

    def leaves_out(self, line: int, text: str) -> bool:
        """Whether a line, counted from 0, is skipped or a comment."""
        is_comment = self.comment is not None and text.startswith(self.comment)
        return is_comment or line < self.skip_lines


def _columns_of(roles: Iterable[Any]) -> Iterator[str | int]:
    """Yield the columns of roles: each is one, several, or one of each class."""
    for column in roles:
        if isinstance(column, (str, int)):
            yield column
        else:
            yield from column.values() if isinstance(column, Mapping) else column


AS_FOUND = FileDescription()


@dataclass(frozen=True)
class Content(OfFile):
    """The bytes of a file, its name for messages, the name of its format, and its description.

    ``gold`` says whether it is reference data, which participants must learn nothing about. The
    columns of plain CSV may be ``packed``: `core.words`, which takes NumPy.
    """

    data: bytes
    file: str
    form: str
    gold: bool = False
    described: FileDescription = AS_FOUND
    packed: bool = False

    @cached_property
    def text(self) -> str:
        """The text, see `decode`. A line that the description leaves out is blank."""
        text = decode(self.data, self.file)
        if not (self.described.skip_lines or self.described.comment):
            return text
        lines = enumerate(text.split("\n"))
        return "\n".join("" if self.described.leaves_out(i, line) else line for i, line in lines)

    @property
    def lines(self) -> list[tuple[int, str]]:
        """The number and the text of every line that the description keeps."""
        lines = enumerate(decode(self.data, self.file).split("\n"))
        return [(i + 1, line) for i, line in lines if not self.described.leaves_out(i, line)]

    @property
    def is_json(self) -> bool:
        """Whether the format is JSON or JSON Lines."""
        return self.form in ("json", "jsonl")


def gunzipped(data: bytes, file: str, limits: Limits = DEFAULT) -> bytes:
    """Return what a file called ``.gz`` unpacks to, and the data of any other as they are.

    A browser or a platform may have unpacked it already.

    Raises
    ------
    SubmissionError
        The file is damaged, or unpacks to more than the limits.
    """
    if not file.lower().endswith(GZIP_EXTENSION) or not data.startswith(GZIP):
        return data
    most = limits.most_unpacked(len(data))
    try:
        with gzip.open(io.BytesIO(data)) as stream:
            content = stream.read(most + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise SubmissionError(
            "the file is damaged and cannot be unpacked; pack it again", file
        ) from error
    if len(content) > most:
        limit = Phrase("unpacks to more than the limit of {most} MB", most=most // 10**6)
        raise SubmissionError("{file}: {limit}; send only the predictions", file=file, limit=limit)
    return content


def decode(content: bytes, file: str) -> str:
    """Return the text of a file in UTF-8 or UTF-16, with or without a byte-order mark.

    Raises
    ------
    SubmissionError
        The bytes have another encoding, hold NUL characters, or are too many lines.
    """
    try:
        text = content.decode(_encoding(content))
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        is_table = PurePosixPath(file).suffix.lower() == ".csv"
        raise SubmissionError(
            "{file}: line {line}: the text is not UTF-8; save the file as CSV in UTF-8"
            if is_table
            else "{file}: line {line}: the text is not UTF-8; save the file in UTF-8",
            file=file,
            line=line,
        ) from error
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise SubmissionError(
            "{file}: line {line}: the text holds a NUL character; save the file as UTF-8 text",
            file=file,
            line=line,
        )
    if "\r" in text and "\n" not in text:  # as old programs end lines
        text = text.replace("\r", "\n")
    if text.count("\n") > MOST_CELLS:
        raise too_many_cells_error(file)
    return compose_accents(text)


def _encoding(content: bytes) -> str:
    """Return the encoding. Zero bytes next to ASCII characters reveal UTF-16 without a mark."""
    start = content[:4]
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    if len(start) == 4 and start[1] == start[3] == 0 != start[0]:
        return "utf-16-le"
    return "utf-16-be" if len(start) == 4 and start[0] == start[2] == 0 != start[1] else "utf-8-sig"


# Formats and kinds of data ------------------------------------------------------------------------


#: Examples that are rows of cells, each a label or a number.
ROWS = "rows"
#: Units of a table of scores, or of logs, which has no gold.
UNITS = "units"


@dataclass(frozen=True)
class Format:
    """A file format: its extensions, what the page calls it, and the reader of its bytes.

    ``label`` is a name that is the same in every language, or a note with words of each.
    """

    extensions: tuple[str, ...]
    label: str | Phrase
    read: Callable[[Content], Table]


def is_texts(value: Any) -> bool:
    """Whether a value is a tuple of texts."""
    return isinstance(value, tuple) and all(isinstance(item, str) for item in value)


@dataclass(frozen=True)
class ExampleKind:
    """A kind of data other than rows.

    ``read`` takes the content of a file, of the gold or of predictions. It returns a table whose
    header is known. A column "id" identifies the examples, if there is one. Other columns, such as
    the document of a sentence, can be groups, strata or slices. It raises SubmissionError, with
    file, line and remedy.

    Nothing here may need more than the standard library, because the starting kit contains it.
    """

    name: str  # also what ``kind`` in the settings and `metrics.Definition.kind` call it
    read: Callable[[Content], Table]
    #: Reads the examples alone, as participants have them, of a file in a format of this kind or in
    #: plain text: a table of the column "shape", and of "id" if they have ids. None if the number
    #: of examples and their ids say all.
    read_inputs: Callable[[Content], Table] | None = None
    #: What messages call an example, and several, where it is more than a row of a table.
    example: tuple[Phrase, Phrase] | None = None
    #: Formats that only this kind has: the setting ``format`` and the extensions know them.
    formats: Mapping[str, Format] = field(default_factory=dict)
    #: Whether a file of it may be a table, which the organizer can describe.
    is_table: bool = True
    #: The delimiters that make a plain text file a table if one splits all of its lines.
    delimiters: str = ""
    #: Whether the content of a gold file is unmistakably of this kind.
    recognizes: Callable[[Content], bool] = lambda content: False
    #: Whether the beginning of a file whose name has no usual extension is unmistakably of this
    #: kind: gold or predictions.
    begins: Callable[[bytes], bool] = lambda head: False
    #: Names of the functions that score it if the settings name no metric; the first ranks.
    metrics: tuple[str, ...] = ()
    #: Parameters of some of these functions.
    params: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    #: What its reader calls the column of examples.
    column: str = "label"
    #: The columns of which an example is made in a table, where one alone does not hold it.
    made_of: tuple[str, ...] = ()
    #: What participants are asked to send, where no submission shows it: role → the name of a
    #: column that reference data lack, or call otherwise.
    asked: Mapping[str, str] = field(default_factory=dict)
    #: Whether predictions are nothing but ids, so that no column holds these.
    lists_ids: bool = False
    #: Names of its target columns, best first, beside the usual ones.
    names: Sequence[str] = ()
    #: What stands for a missing prediction where it counts as wrong; None if nothing can.
    absent: Any = None
    #: Whether a missing prediction always counts as wrong, whatever ``missing`` says.
    may_lack: bool = False
    #: Whether predictions for examples that the gold lacks are left out, not refused.
    may_exceed: bool = False
    #: What participants may know of an example of the gold, and predictions must match, as JSON can
    #: hold it: the number of tokens. None if there is nothing.
    shape: Callable[[Any], Any] = lambda value: None
    #: The labels that predictions may use, from the gold's values; empty if any may.
    labels: Callable[[Sequence[Any]], Collection[str]] = lambda values: ()
    #: What is wrong with a prediction (value, shape, labels), for its author: "found 12 tokens,
    #: expected 13". None if it is usable. Labels are empty where participants may not know them.
    problem: Callable[[Any, Any, Collection[str]], Phrase | None] = lambda value, *_: None
    #: What is wrong with all predictions together (golds, predictions): none has to do with any
    #: gold, so that every score would be zero. None if some do.
    unrelated: Callable[[Sequence[Any], Sequence[Any]], Phrase | None] = lambda golds, answers: None
    #: How many times as much is read as of most kinds, in the time that other processes take to
    #: start.
    speed: int = 1
    #: What a value from Python must be, "a list of tags", if it is not: no reader has seen it. The
    #: second argument says whether it is gold. Lists come as tuples.
    wanted: Callable[[Any, bool], str | None] = lambda value, is_gold: None
    #: What a value is made of, such as words: how to count it, and how much of it every
    #: prediction may hold, however little the gold's do. The bound of a test set is
    #: `limits.most_of`.
    sizes: Mapping[Phrase, tuple[Callable[[Any], int], int]] = field(default_factory=dict)
