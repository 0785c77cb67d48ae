"""The tables that are taken away from a document, and paragraphs for a paper, as files.

A cell has the text that people read and, where it differs, the values that machines read (an
interval is one text and two values). Everything that Markdown, or HTML inside it, would interpret
is escaped, because entry names come from participants.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from .blocks import Block, Fact
from .latex import (
    BETWEEN,
    Piece,
    flowing,
    latex_text,
    lines_of,
    lines_of_heading,
    pieces,
    stacked,
    width_of,
    wrapped_text,
)
from .marks import Mark
from .shortening import letters_of, one_line

#: What machines read in a cell.
CellValue = str | float | int | None
#: Columns of a table that a phone shows without scrolling, that of the names included, and how many
#: of them may be long words.
_STACKED = 6
_WORDS = 2
#: A column whose words have at most so many letters stands among the numbers.
_SHORT = 9
#: How wide a phone is that shows a table as it is, the least for the names of its rows, what is
#: between two columns, and how wide a letter is, with how much more a capital takes.
_PHONE = 318.0
_NAMES = 128.0
_APART = 16.0
_LETTER = 8.0
_CAPITAL = 0.35


@dataclass(frozen=True)
class TableColumn:
    """A column: its heading for people, its key or keys for machines, and how it is aligned.

    Without keys it stands on the page only, and in the files only if it is not ``on_page``.
    ``address`` is where its heading leads on the page, ``axis`` what is drawn above its strips,
    ``small`` stands after the heading, and ``style`` is what the style sheet calls it. LaTeX leaves
    out what is not for a ``paper``, and what people do not ``read`` is in CSV only.
    """

    keys: tuple[str, ...]
    heading: str
    numeric: bool = False
    address: str = ""
    style: str = ""
    axis: tuple[Mark, ...] = ()
    small: str = ""
    unseen: bool = False  # whether the heading is only for those who listen
    on_page: bool = True
    paper: bool = True
    read: bool = True

    @property
    def names(self) -> bool:
        """Whether it holds names of entries or teams, which head their rows."""
        return self.keys in (("entry",), ("team",))


@dataclass(frozen=True)
class Cell:
    """What stands in a cell: a text for people and one value for each key of its column.

    The first cell of its row, or that with a name, says what the row has: its address ``id``, its
    class ``row``, and the ``card`` below it, open from the start unless the cell leads to it.
    """

    text: str
    values: tuple[CellValue, ...]
    strong: bool = False
    mark: str = ""  # of a possible winner, after the text
    paper_mark: str = ""  # the same in files, where the page shows it by a picture
    cut: str = ""  # the text as far as the page shows it
    note: str = ""  # small, after the text
    style: str = ""
    title: str = ""
    strip: Mark | None = None
    unseen: str = ""  # before the text, for those who listen
    tags: tuple[str, ...] = ()
    address: str = ""
    link: str = ""  # to another page
    id: str = ""
    row: str = ""
    card: tuple[Fact, ...] = ()

    @property
    def whole(self) -> str:
        """The text with its mark."""
        return f"{self.text}{self.mark}"

    @property
    def in_paper(self) -> str:
        """The text with its mark, or that which only files have."""
        return f"{self.whole}{self.paper_mark}"


def cell(text: str, *values: CellValue, **more: Any) -> Cell:
    """Return a cell; without ``values`` machines read the text."""
    return Cell(text, values or (text,), **more)


@dataclass(frozen=True)
class ResultTable(Block):
    """A table of the page and of the files; ``name`` is its file name without extension, if any.

    ``records`` are columns (key first) that replace the rows for machines where a paper wants
    another shape.
    ``groups`` (heading, number of columns) stand above the headings but the first, ``foot`` below
    all rows. ``keys`` explain its marks. ``choices`` (key, label) leave some of its rows.
    ``excerpt`` has the numbers of the rows that the page shows of a long table, and ``labels`` what
    the style sheet says before the cells of a style (style, text).
    """

    name: str
    caption: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    records: tuple[tuple[CellValue, ...], ...] = ()
    groups: tuple[tuple[str, int], ...] = ()
    foot: tuple[str, ...] = ()
    style: str = ""
    label: str = ""
    keys: tuple[Any, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    excerpt: tuple[int, ...] | None = None
    labels: tuple[tuple[str, str], ...] = ()

    @property
    def page_rows(self) -> Sequence[tuple[Cell, ...]]:
        """The rows of the page."""
        return self.rows if self.excerpt is None else [self.rows[place] for place in self.excerpt]

    @cached_property
    def page_columns(self) -> list[int]:
        """The numbers of the columns of the page."""
        return [
            place for place, column in enumerate(self.columns) if column.on_page and column.read
        ]

    @cached_property
    def labeled(self) -> bool:
        """Whether a phone, which shows no headings, says them before the cells."""
        return "compared" in self.style.split()

    @property
    def stacked(self) -> bool:
        """Whether a phone shows each row's name above its numbers; several words would pile up."""
        if self.style or len(self.page_columns) > _STACKED or self._fits_phone:
            return False
        long_words = [
            place
            for place in self.page_columns
            if not self.columns[place].numeric and place not in self.short_words
        ]
        return len(long_words) <= _WORDS

    @property
    def beside(self) -> int:
        """How many cells a phone shows beside each other, below the name of their row."""
        numbers = sum(self.columns[place].numeric for place in self.page_columns)
        return max(1, min(numbers + len(self.short_words), _STACKED - 1))

    @cached_property
    def short_words(self) -> frozenset[int]:
        """The columns of words that are as short as numbers; a table with a style has none."""
        if self.style:
            return frozenset()
        return frozenset(
            place
            for place in self.page_columns
            if place != self.head
            and not self.columns[place].numeric
            and self._letters_of_cells(place) <= _SHORT
        )

    @cached_property
    def classes(self) -> Mapping[int, str]:
        """What the cells of each column of the page are to a style sheet."""
        classes = {}
        for place in self.page_columns:
            column = self.columns[place]
            roles = (
                ("number", column.numeric),
                ("name", column.names),
                ("short", place in self.short_words),
                (column.style, bool(column.style)),
            )
            classes[place] = " ".join(role for role, applies in roles if applies)
        return classes

    @property
    def letters_of_scores(self) -> int:
        """How many letters the longest score of a ranking has."""
        columns = [place for place in self.page_columns if self.columns[place].style == "score"]
        return max(map(self._letters_of_cells, columns), default=0)

    def _letters_of_cells(self, place: int) -> int:
        return max((letters_of(row[place].whole) for row in self.page_rows), default=0)

    @property
    def _fits_phone(self) -> bool:
        """Whether all columns stand beside each other on a phone; only headings take more lines."""
        wide = sum(self._width(place) for place in self.page_columns)
        return wide + _APART * len(self.page_columns) <= _PHONE

    def _width(self, place: int) -> float:
        """Return how wide a column is whose heading is broken between its words."""
        lines = self.columns[place].heading.split()
        lines += [row[place].whole for row in self.page_rows]
        widest = max(map(_width_of_line, lines), default=0.0)
        return max(widest, _NAMES) if place == self.head else widest

    @property
    def head(self) -> int:
        """The column that heads the rows: the names, or else the first."""
        return next((place for place, column in enumerate(self.columns) if column.names), 0)

    @property
    def linked(self) -> bool:
        """Whether a cell or a heading is a link, which the keyboard reaches."""
        cells = (item.address for row in self.rows for item in row)
        return any((*cells, *(column.address for column in self.columns)))


def _width_of_line(line: str) -> float:
    capitals = sum(letter.isupper() for letter in line)
    return _LETTER * (letters_of(line) + _CAPITAL * capitals)


# LaTeX --------------------------------------------------------------------------------------------


#: Lines of a table that a page holds: a longer one goes on in a further table.
_LINES_OF_A_PAGE = 40
#: A figure is made for 3.3 inches, with letters of 8 points: of 7.3 in the narrowest column.
_WIDTH_OF_FIGURE = r"\ifdim\linewidth<3.3in \linewidth\else 3.3in\fi"
#: A table is scaled down where it is a little wider than its column.
_FITTED = r"\resizebox{\ifdim\width>\linewidth \linewidth\else\width\fi}{!}{%"


def to_latex(table: ResultTable) -> str:
    """Return a table for a paper: booktabs rules, caption and label.

    It fits any column in letters of seven points or more, over both columns or in several tables
    if need be; `latex.pieces` says how. What one page would not hold goes on in a further table of
    the same number. Names are whole.
    """
    places = [place for place, column in enumerate(table.columns) if column.paper]
    columns = [table.columns[place] for place in places]
    rows = [_chosen(row, places) for row in table.rows]
    rooms = []
    headings = []
    widths = []
    for column_number, column in enumerate(columns):
        cells = [row[column_number] for row in rows]
        room = _longest_marks(cells) if column.numeric else ""
        widest = _widest(cells)
        heading = lines_of_heading(column.heading, widest)
        rooms.append(room)
        headings.append(heading)
        widths.append(max(widest + width_of(room), *map(width_of, heading)))
    head = next((place for place, column in enumerate(columns) if column.names), 0)
    lines = _latex_needs(r"\usepackage{booktabs}", r"\usepackage{graphicx}")
    begin = [
        r"\centering",
        rf"\small\sloppy\setlength{{\tabcolsep}}{{{BETWEEN / 2:g}pt}}",
        rf"\caption{{{flowing(' '.join(filter(None, (table.caption, table.note))))}}}",
    ]
    number = rf"\label{{tab:{table.name.replace('_', '-')}}}"
    parts = pieces(widths, [not column.numeric for column in columns], head)
    for piece in parts:
        kind = "table*" if piece.wide else "table"
        told = rows if len(parts) == 1 else _telling(rows, piece, head)
        for some in _pages(told, piece):
            further = [] if number else [r"\addtocounter{table}{-1}"]
            lines += [rf"\begin{{{kind}}}[htbp]", *further, *begin, *filter(None, [number])]
            lines += [
                _FITTED,
                *_tabular(columns, headings, some, piece, rooms),
                rf"\end{{{kind}}}",
            ]
            number = ""
    return "\n".join(lines) + "\n"


def _tabular(
    columns: Sequence[TableColumn],
    headings: Sequence[Sequence[str]],
    rows: Sequence[Sequence[Cell]],
    piece: Piece,
    rooms: Sequence[str],
) -> Iterator[str]:
    """Yield the lines of a table's grid, which ends what fits it into its column."""
    piece_columns = [columns[place] for place in piece.columns]
    alignment = "".join("r" if column.numeric else "l" for column in piece_columns)
    heads = (stacked(headings[k], right=columns[k].numeric) for k in piece.columns)
    yield rf"\begin{{tabular}}{{@{{}}{alignment}@{{}}}}"
    yield r"\toprule"
    yield rf"{' & '.join(heads)} \\"
    yield r"\midrule"
    for row in rows:
        yield _latex_row(row, piece, rooms)
    yield r"\bottomrule"
    yield r"\end{tabular}}"


def _chosen(row: Sequence[Cell], places: Sequence[int]) -> tuple[Cell, ...]:
    """Return the cells of a row at some places."""
    return tuple(row[place] for place in places)


def _widest(cells: Sequence[Cell]) -> float:
    """Return about how wide the widest of some cells is, in ems, without marks of significance."""
    texts = (item.in_paper.removesuffix(_marks(item.whole)) for item in cells)
    widths = (width_of(text, strong=item.strong) for text, item in zip(texts, cells, strict=True))
    return max(widths, default=0.0)


def _telling(rows: Sequence[Sequence[Cell]], piece: Piece, head: int) -> list[Sequence[Cell]]:
    """Return the rows that have a cell beside the names: of pairs, later columns have few."""
    beside = [place for place in piece.columns if place > head]

    def tells(row: Sequence[Cell]) -> bool:
        return any(row[place].in_paper for place in beside)

    return list(filter(tells, rows))


def _pages(rows: Sequence[Sequence[Cell]], piece: Piece) -> Iterator[Sequence[Sequence[Cell]]]:
    """Yield the rows that one page holds each; without rows, one page without any."""
    page: list[Sequence[Cell]] = []
    lines = 0
    columns = zip(piece.columns, piece.wraps, strict=True)
    wrapped = [(place, ems) for place, ems in columns if ems is not None]
    for row in rows:
        lines_of_cells = (lines_of(width_of(row[place].in_paper), ems) for place, ems in wrapped)
        high = max((1, *lines_of_cells))
        if page and lines + high > _LINES_OF_A_PAGE:
            yield page
            page = []
            lines = 0
        page.append(row)
        lines += high
    yield page


def _latex_row(row: Sequence[Cell], piece: Piece, rooms: Sequence[str]) -> str:
    """Return the cells of a piece, padded after the marks so that a column's digits line up."""
    cells = []
    for place, ems in zip(piece.columns, piece.wraps, strict=True):
        item = row[place]
        if ems is not None and width_of(item.in_paper, strong=item.strong) > ems:
            cells.append(wrapped_text(item.in_paper, ems, strong=item.strong))
            continue
        text = latex_text(item.in_paper)
        room = latex_text(rooms[place][len(_marks(item.whole)) :])
        set_text = rf"\textbf{{{text}}}" if item.strong and text else text
        cells.append(rf"{set_text}\phantom{{{room}}}" if room and text else set_text)
    # A star after \\ would be taken for its option.
    return f"{'{}' if cells[0].startswith('*') else ''}{' & '.join(cells)} \\\\"


def _longest_marks(cells: Sequence[Cell]) -> str:
    """Return the longest marks of significance in a column."""
    return max((_marks(item.whole) for item in cells), key=len, default="")


def _marks(text: str) -> str:
    """Return the marks of significance behind a number."""
    match = re.search(r"(?<=\d)[*·]+$", text)
    return match[0] if match else ""


def text_to_latex(
    paragraphs: Iterable[tuple[str, str]], cites: Iterable[tuple[str, str]] = ()
) -> str:
    """Return paragraphs for a paper, each with its heading.

    ``cites`` has what they cite as they say it, and its key.
    """
    text = "\n\n".join(
        rf"\paragraph{{{latex_text(heading)}.}} {flowing(paragraph)}"
        for heading, paragraph in paragraphs
    )
    for source, key in cites:
        text = text.replace(f" {latex_text(source)}", rf"~\cite{{{key}}}")
    lines = r"\begin{sloppypar}", text, r"\end{sloppypar}"
    return "\n".join([*_latex_needs(), *lines]) + "\n"


def figure_to_latex(name: str, caption: str) -> str:
    """Return a figure of ``figures/`` for a paper: as wide as its column, or as it is made."""
    lines = [
        r"% Needs \usepackage{graphicx}; the folder figures stands beside the paper or tables.",
        r"\begin{figure}[htbp]",
        r"\centering",
        r"\graphicspath{{figures/}{../figures/}}",
        rf"\includegraphics[width={_WIDTH_OF_FIGURE}]{{{name}}}",
        rf"\caption{{{flowing(caption)}}}",
        rf"\label{{fig:{name.replace('_', '-')}}}",
        r"\end{figure}",
    ]
    return "\n".join(lines) + "\n"


def _latex_needs(*packages: str) -> list[str]:
    needed = [r"\usepackage[T1]{fontenc}", r"\usepackage{textcomp}", *packages]
    return [
        f"% Needs {', '.join(needed[:-1])} and {needed[-1]}; names",
        r"% in other scripts than Latin need XeLaTeX or LuaLaTeX with a font that has them.",
    ]


# CSV and Markdown ---------------------------------------------------------------------------------


#: First letters that make a spreadsheet take a text for a formula.
_FORMULA = tuple("=+-@\t\r＝＋－＠")  # the wide ones in Japanese and Chinese spreadsheets
_ESCAPED = {ord(character): f"\\{character}" for character in "\\`*_{}[]#|~$!"}
_ESCAPED |= {ord("<"): "&lt;", ord(">"): "&gt;", ord("&"): "&amp;"}
#: Where a comment of HTML, which shows nothing, keeps sites from making a link or a mention of what
#: Markdown has no escape for: addresses, @somebody, #123, GH-123, and GitLab's !123, $123, ~label.
_LIVE = re.compile(
    r"(?<=[@~])(?=\w)|(?<=[#!$%&])(?=\d)|(?<=\bGH-)(?=\d)|(?=://)|(?<=\bwww)(?=\.)", re.IGNORECASE
)
_BREAK = "\0"  # no line holds it
_ESCAPED |= {ord(_BREAK): "<!-- -->"}


def tables(result_tables: Sequence[ResultTable]) -> dict[str, str]:
    """Return file name → content: every table in three formats."""
    contents = {}
    for table in result_tables:
        read = _files_columns(table, read=True)
        contents[f"{table.name}.csv"] = to_csv(_files_columns(table))
        contents[f"{table.name}.tex"] = to_latex(read)
        contents[f"{table.name}.md"] = to_markdown(read)
    return contents


def _files_columns(table: ResultTable, *, read: bool = False) -> ResultTable:
    """Return a table without the columns of the page only, or with those that people ``read``."""
    wanted = [bool(column.keys) and (column.read or not read) for column in table.columns]
    places = [place for place, is_wanted in enumerate(wanted) if is_wanted]
    columns = tuple(table.columns[place] for place in places)
    rows = tuple(_chosen(row, places) for row in table.rows)
    return replace(table, columns=columns, rows=rows)


def to_csv(table: ResultTable) -> str:
    """Return the values as CSV: numbers in full with a decimal point, formulas made harmless."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    header = tuple(key for column in table.columns for key in column.keys)
    records = table.records or zip(header, *map(_row_values, table.rows), strict=True)
    # Column by column: of many pairs, a table has hundreds of thousands of numbers.
    columns = [_csv_column(column) for column in records]
    writer.writerows(zip(*columns, strict=True))
    return buffer.getvalue()


def _row_values(row: Sequence[Cell]) -> tuple[CellValue, ...]:
    """Return what machines read in the cells of a row."""
    return tuple(value for item in row for value in item.values)


def _csv_column(column: Sequence[CellValue]) -> list[str]:
    """Return the heading of a column and its values as CSV writes them."""
    heading, *values = column
    numbers = [value for value in values if isinstance(value, float)]
    if values and len(numbers) == len(values):
        written = [f"{number:.10g}" if math.isfinite(number) else "" for number in numbers]
        return [_csv_value(heading), *written]
    if set(map(type, column)) == {str}:  # names, of which many pairs repeat each
        written_once = {text: _csv_value(text) for text in set(column)}
        return [written_once[text] for text in column]
    return list(map(_csv_value, column))


def _csv_value(value: CellValue) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return _csv_text(value)
    if isinstance(value, float):
        return f"{value:.10g}" if math.isfinite(value) else ""
    return str(value)


@lru_cache(2**12)
def _csv_text(text: str) -> str:
    """Return a text in one line; of many pairs, the names of the entries occur many times."""
    line = " ".join(one_line(text).split())
    # The apostrophe is how spreadsheets themselves mark a text that looks like a formula.
    return f"'{line}" if text.startswith(_FORMULA) or line.startswith(_FORMULA) else line


def markdown_text(text: str) -> str:
    """Return ``text`` with everything escaped that Markdown, or HTML inside it, would interpret.

    Nothing in it becomes a link or a mention, because names come from participants.
    """
    line = _LIVE.sub(_BREAK, one_line(text)).translate(_ESCAPED)
    return f"\\{line}" if line.startswith(("+", "-", "=")) else line


def to_markdown(table: ResultTable) -> str:
    """Return a pipe table under its caption."""
    heading = " | ".join(markdown_text(column.heading) for column in table.columns)
    rule = " | ".join("---:" if column.numeric else ":---" for column in table.columns)
    lines = [markdown_text(table.caption), "", f"| {heading} |", f"| {rule} |"]
    for row in table.rows:
        texts = [(markdown_text(item.in_paper), item.strong) for item in row]
        cells = (f"**{text}**" if strong and text else text for text, strong in texts)
        lines.append(f"| {' | '.join(cells)} |")
    if table.note:
        lines += ["", markdown_text(table.note)]
    return "\n".join(lines) + "\n"


def text_to_markdown(paragraphs: Iterable[tuple[str, str]]) -> str:
    """Return paragraphs, each with its heading."""
    texts = (
        f"**{markdown_text(heading)}.** {markdown_text(paragraph)}"
        for heading, paragraph in paragraphs
    )
    return "\n\n".join(texts) + "\n"
