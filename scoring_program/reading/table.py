"""Tables: columns of texts, and the place of every row in its file. All formats become tables."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from ..core.cells import taken
from ..core.errors import Problems, SubmissionError, quoted
from ..core.phrases import Phrase, Value
from . import limits

if TYPE_CHECKING:
    from ..core.arrays import Ints

#: Number of rows that are turned into columns at once; they fit into the processor's cache.
_CHUNK = 512
#: A number whose decimals follow a comma.
_DECIMAL_COMMA = re.compile(r"^([-+]?\d+),(\d+(?:[eE][-+]?\d+)?)$")
#: The most accents on one letter that are composed.
_MOST_ACCENTS = 1000
#: What messages call a row; `Table.row_noun` is one of them.
LINE = Phrase("line", "lines")
ROW = Phrase("row", "rows")
#: The name of the only column of an array, which messages leave out.
OF_ARRAY = "label"
RECORD = Phrase("record", "records")
#: Columns by their names.
NamedColumns: TypeAlias = Mapping[str, Sequence[Any]]


class OfFile:
    """What is in a file; ``file`` is what messages call it."""

    file: str

    def refusal(self, sentence: str, /, **values: Value) -> SubmissionError:
        """Return the error of a sentence that names the file."""
        return SubmissionError(sentence, file=self.file, **values)


@dataclass(frozen=True, eq=False)
class Table(OfFile):
    """Columns of cells: texts or, of other kinds of data than rows, any hashable values.

    Messages call row i "line 12": ``row_noun`` and ``numbers[i]``, from 1.

    Rows of another width are not in the columns: ``ragged`` maps their numbers to their numbers of
    cells. ``header`` holds the columns' names. It is None as long as the first row may be a header.
    The format may not state them: then they are ``untitled``. They are public unless one may be an
    example of a gold. ``one_hot`` says that the columns may be the classes of one label.
    ``unnamed`` are columns that a description by numbers leaves out, by their numbers from 1.
    ``stated`` are the columns that the settings name → what the file calls them.
    ``fields`` are roles that the reader of a kind of data gave → what the file calls their columns,
    or their numbers from 1; of labels with a column each, label → column. ``form`` is the format
    that was read, as the settings call it, and ``holds`` what its numbers are, where a format does
    not say it. A ``nameless`` file names no columns, so they have usual
    names. ``left_out`` are columns that are not read, because the settings name all that are.
    ``nested`` are keys of records that hold lists or objects, and the error where one is needed.
    ``classes`` are the labels whose columns of ones and zeros became one column.
    ``label`` is what the page calls the format, where that is not clear from the file's name.
    ``lines`` holds where each row begins, if a row takes several lines. ``notes`` say how the file
    was read, if that is unusual. ``origins`` make the place of a row by its number, where rows come
    from several files.
    """

    file: str
    columns: Sequence[Sequence[Any]]  # [c][n]
    numbers: Sequence[int]  # [n]
    header: tuple[str, ...] | None = None
    row_noun: Phrase = LINE
    one_hot: bool = False
    ragged: Mapping[int, int] = field(default_factory=dict)
    empty_rows: int = 0  # rows that were left out because all their cells were empty
    label: str | Phrase = ""
    lines: Sequence[int] = ()
    notes: tuple[Phrase, ...] = ()
    classes: tuple[str, ...] = ()
    untitled: bool = False
    names_are_public: bool = True
    unnamed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    nested: Mapping[str, SubmissionError] = field(default_factory=dict)
    stated: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    form: str = ""
    holds: str = ""
    nameless: bool = False
    left_out: tuple[str, ...] = ()
    origins: Mapping[int, Callable[[], Phrase]] = field(default_factory=dict)

    @property
    def first_row(self) -> list[str]:
        """The cells of the first row."""
        return [column[0] for column in self.columns]

    @cached_property
    def named(self) -> NamedColumns:
        """The columns by their names, which are known."""
        return dict(zip(self.header or (), self.columns, strict=True))

    @property
    def in_file(self) -> dict[str, Any]:
        """Column → what the file calls it, or its number from 1 in a file without names."""
        if self.nameless and self.form in ("json", "jsonl"):
            return {}
        if self.nameless:
            return {name: number for number, name in enumerate(self.header or (), 1)}
        return {name: self.stated.get(name, name) for name in self.header or ()}

    def below_first(self) -> Table:
        """Return the table without its first row."""
        below = [column[1:] for column in self.columns]
        return replace(self, columns=below, numbers=self.numbers[1:])

    def titled(self) -> Table:
        """Return the table with its names: the first row, if nothing else names the columns."""
        if self.header is not None:
            return self
        return replace(self.below_first(), header=tuple(self.first_row))

    def refuse_nested(self, names: Iterable[str]) -> None:
        """Raise SubmissionError if one of the ``names`` holds lists or objects."""
        for name in names:
            if name in self.nested:
                raise self.nested[name]

    def with_decimal_points(self) -> Table:
        """Return the table with a point in numbers that have a comma."""
        return replace(self, columns=[*map(_with_decimal_points, self.columns)])

    def with_columns(self, columns: NamedColumns) -> Table:
        """Return the table with other columns, under these names."""
        return replace(self, header=tuple(columns), columns=list(columns.values()))

    @property
    def places(self) -> Places:
        """The place of every row."""
        return Places(self.row_noun, self.numbers, self.lines, self.origins)

    def place(self, row: int) -> Phrase:
        """Return the place of a row ("line 12"), for messages."""
        place: Phrase = self.places[row]
        return place


def _with_decimal_points(cells: Sequence[Any]) -> list[str]:
    return [_DECIMAL_COMMA.sub(r"\1.\2", str(cell)) for cell in cells]


def place_of(row_noun: Phrase, number: int) -> Phrase:
    """Return the place "line 12" of the row with a number."""
    return Phrase("{noun} {number}", noun=row_noun, number=number)


def rows_by_id(
    ids: Sequence[str], table: Table, problems: Problems, remedy: Phrase
) -> dict[str, int]:
    """Return the first row of every id; report the others as problems."""
    rows: dict[str, int] = {}
    for row, value in enumerate(ids):
        if rows.setdefault(value, row) != row:
            problems.add(
                Phrase("duplicate id", "duplicate ids"),
                "{place}: id {id} was already on {earlier}",
                remedy,
                place=partial(table.place, row),
                id=partial(quoted, value),
                earlier=partial(table.place, rows[value]),
            )
    return rows


class Places(Sequence[Phrase]):
    """The places of rows: "line 12" or, if a row takes several lines, "sentence 3 (line 12)".

    Each text is made only when a message needs it. ``origins`` are those of `Table`.
    """

    def __init__(
        self,
        row_noun: Phrase,
        numbers: Sequence[int],
        lines: Sequence[int] = (),
        origins: Mapping[int, Callable[[], Phrase]] = MappingProxyType({}),
    ) -> None:
        self.row_noun = row_noun
        self._numbers = numbers
        self._lines = lines
        self._origins = origins

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, row: Any) -> Any:
        number = self._numbers[row]
        if number in self._origins:
            return self._origins[number]()
        place = place_of(self.row_noun, number)
        if not self._lines:
            return place
        return Phrase("{place} ({line})", place=place, line=place_of(LINE, self._lines[row]))

    @property
    def gap(self) -> Phrase | None:
        """The first place between two rows that is not a row, if there is one."""
        for before, after in itertools.pairwise(self._numbers):
            if after != before + 1:
                return place_of(self.row_noun, before + 1)
        return None

    def take(self, rows: Sequence[int] | Ints) -> Places:
        """Return the places of some of the rows."""
        lines = taken(self._lines, rows) if len(self._lines) else ()
        return Places(self.row_noun, taken(self._numbers, rows), lines, self._origins)


def shared(cells: Sequence[str], texts: dict[str, str]) -> Sequence[str]:
    """Return cells of which the repeated ones, such as labels, share one of the ``texts``.

    That takes less memory, and less time later: texts that were read one by one are far apart.
    """
    sample = cells[:_CHUNK]
    few = 2 * len({*sample}) < len(sample)
    return list(map(texts.setdefault, cells, cells)) if few else cells


class Columns:
    """Collects rows as columns, in a third of the memory that lists of rows would take.

    Spreadsheets write empty cells around a table. Rows of empty cells and empty cells beyond the
    width are left out. The width is that of the first row, without empty cells at its end that are
    empty in all of the first rows.
    """

    def __init__(self) -> None:
        self.seen = 0
        self._columns: list[list[str]] = []
        self._shared: list[dict[str, str]] = []  # of each column, text → the same text
        self._left_out: list[int] = []
        self.ragged: dict[int, int] = {}  # rows of another width → their widths
        self._emptied = 0

    def extend(self, rows: Iterable[Sequence[str]]) -> None:
        """Add rows."""
        remaining = iter(rows)
        while chunk := list(itertools.islice(remaining, _CHUNK)):
            if not self._columns:
                self._columns = [[] for _ in range(_width(chunk))]
                self._shared = [{} for _ in self._columns]
            if self._columns and set(map(len, chunk)) == {len(self._columns)}:
                columns = list(zip(*chunk, strict=True))
                if all(columns[0]):  # then no row is empty
                    of_columns = zip(self._columns, columns, self._shared, strict=True)
                    for column, cells, texts in of_columns:
                        column.extend(shared(cells, texts))
                    self.seen += len(chunk)
                    continue
            for row in chunk:
                self._add(row)

    def _add(self, row: Sequence[str]) -> None:
        width = len(self._columns)
        if not any(row):
            self._left_out.append(self.seen)
            self._emptied += len(row) > 1
        elif len(row) < width or any(row[width:]):
            self._left_out.append(self.seen)
            self.ragged[self.seen] = len(row)
        else:
            for column, cell in zip(self._columns, row[:width], strict=True):
                column.append(cell)
        self.seen += 1

    def table(self, file: str, numbers: Sequence[int]) -> Table:
        """Return the table of all rows; ``numbers`` holds the number of every row that was added.

        Raises
        ------
        SubmissionError
            There are no rows.
        """
        if not self._columns:
            raise empty_file_error(file)
        ragged = {numbers[row]: cells for row, cells in self.ragged.items()}
        if left_out := {*self._left_out}:
            numbers = [number for i, number in enumerate(numbers) if i not in left_out]
        return Table(file, self._columns, numbers, ragged=ragged, empty_rows=self._emptied)


def table_of_rows(file: str, rows: Iterable[Sequence[str]]) -> Table:
    """Return the table of rows, one for each line of a file; raise SubmissionError if none."""
    columns = Columns()
    columns.extend(rows)
    return columns.table(file, range(1, columns.seen + 1))


def _width(rows: Sequence[Sequence[str]]) -> int:
    """Return the width of a table, see `Columns`."""
    first = next(filter(any, rows), ())
    filled = (place for row in rows for place, cell in enumerate(row, 1) if cell)
    return min(len(first), max(filled, default=0))


def compose_accents(text: str) -> str:
    """Return a text with composed accents (Unicode's NFC). macOS writes decomposed ones.

    Composing sorts the accents of a letter in quadratic time. A text with a letter that has more
    than ``_MOST_ACCENTS`` is returned unchanged.
    """
    if text.isascii():
        return text
    if len(text) > _MOST_ACCENTS:
        first = {letter: unicodedata.normalize("NFD", letter)[0] for letter in set(text)}
        accents = "".join(letter for letter in first if unicodedata.combining(first[letter]))
        if accents and re.search(f"[{accents}]{{{_MOST_ACCENTS + 1}}}", text):
            return text
    return unicodedata.normalize("NFC", text)


@dataclass(frozen=True, eq=False)
class FileRows:
    """Rows of a file: all its ``columns`` as texts, [N] each, and the number of each row, [n].

    The number is −1 where the file lacks the row.
    """

    columns: NamedColumns = field(default_factory=dict)
    rows: Sequence[int] = ()

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, rows: Iterable[int]) -> FileRows:
        """Return some of the rows."""
        return replace(self, rows=[self.rows[row] for row in rows])

    @property
    def texts(self) -> dict[str, list[Any]]:
        """The cells of the rows, [n] each; empty where the file lacks the row."""
        texts = {}
        for name, cells in self.columns.items():
            texts[name] = [cells[row] if row >= 0 else "" for row in self.rows]
        return texts


def text(value: object) -> str:
    """Return the text of a value; None is an empty cell."""
    return "" if value is None else compose_accents(str(value).strip())


def of_columns(file: str, columns: NamedColumns, row_noun: Phrase = ROW) -> Table:
    """Return a table of columns that have names. Rows are numbered from 1."""
    rows = range(1, len(next(iter(columns.values()))) + 1)
    return Table(file, list(columns.values()), rows, tuple(columns), row_noun)


def from_columns(
    file: str, columns: Iterable[Iterable[object]], header: Sequence[str] | None
) -> Table:
    """Return a table of values that are not texts yet. Rows are numbered from 1.

    Without a ``header`` the first row may be one.

    Raises
    ------
    SubmissionError
        There are no rows.
    """
    cells = [[*map(text, column)] for column in columns]
    if not cells or not cells[0]:
        raise empty_file_error(file)
    names = None if header is None else tuple(header)
    return Table(file, cells, range(1, len(cells[0]) + 1), names, ROW)


def matrix_header(width: int) -> tuple[str, ...]:
    """Return a matrix's header: "label" for one column, else the classes 0, 1, …"""
    return ("label",) if width == 1 else tuple(map(str, range(width)))


def too_many_cells_error(file: str) -> SubmissionError:
    """Return the error for a table that would not fit into memory."""
    return SubmissionError(
        "{file}: the file has more than {most} cells; send only ids and predictions",
        file=file,
        most=limits.MOST_CELLS,
    )


def empty_file_error(file: str) -> SubmissionError:
    """Return the error for a file without rows."""
    return SubmissionError("{file}: the file is empty; expected one row per example", file=file)
