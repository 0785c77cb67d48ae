"""Tables and texts: those of the page, as CSV for machines, and as LaTeX and Markdown for papers.

A cell has the text that people read and, where it differs, the values that machines read (an
interval is one text and two values). Every format escapes what it would otherwise interpret,
because entry names come from participants.
"""

from __future__ import annotations

import csv
import io
import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

#: What machines read in a cell.
CellValue = str | float | int | None

#: First letters that make a spreadsheet take a text for a formula.
_FORMULA = tuple("=+-@\t\r＝＋－＠")  # the wide ones in Japanese and Chinese spreadsheets

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "−": "$-$",
    "±": r"$\pm$",
    "≥": r"$\ge$",
    "≤": r"$\le$",
    "δ": r"$\delta$",
    "†": r"\dag{}",
    "–": "--",
    "…": r"\dots{}",
    "“": "``",
    "”": "''",
    "[": "{[}",  # a bracket after \\ would be taken for its option
    "]": "{]}",
}
_LATEX_TABLE = {ord(character): text for character, text in _LATEX.items()}
_MARKDOWN_TABLE = {ord(character): f"\\{character}" for character in "\\`*_{}[]#|~$!"}
_MARKDOWN_TABLE |= {ord("<"): "&lt;", ord(">"): "&gt;", ord("&"): "&amp;"}
#: Columns of a table that a phone shows without scrolling, that of the names included, and how many
#: of them may be words.
_STACKED, _WORDS = 6, 2
#: Rows of a LaTeX table that a page holds.
_ROWS_OF_A_PAGE = 30


@dataclass(frozen=True)
class TableColumn:
    """A column: its heading for people, its key or keys for machines, and how it is aligned.

    ``address`` is where its heading leads on the page, if it does.
    """

    keys: tuple[str, ...]
    heading: str
    numeric: bool = False
    address: str = ""

    @property
    def names(self) -> bool:
        """Whether it holds names of entries or teams, which head their rows."""
        return self.keys in (("entry",), ("team",))


@dataclass(frozen=True)
class Cell:
    """What stands in a cell: a text for people and one value for each key of its column."""

    text: str
    values: tuple[CellValue, ...]
    strong: bool = False
    mark: str = ""  # of a possible winner, after the text

    @property
    def whole(self) -> str:
        """The text with its mark."""
        return f"{self.text}{self.mark}"


@dataclass(frozen=True)
class ResultTable:
    """A table of the take-away; ``name`` is its file name without extension.

    ``records`` (header first) replaces the rows for machines where a paper wants another shape.
    """

    name: str
    caption: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    records: tuple[tuple[CellValue, ...], ...] = ()

    @property
    def stacks(self) -> bool:
        """Whether a phone shows each row's name above its numbers; several words would pile up."""
        words = sum(not column.numeric for column in self.columns)
        return len(self.columns) <= _STACKED and words <= _WORDS

    @property
    def beside(self) -> int:
        """How many numbers a phone shows beside each other, below the name of their row."""
        return max(1, min(sum(column.numeric for column in self.columns), _STACKED - 1))

    @property
    def head(self) -> int:
        """The column that heads the rows: the names, or else the first."""
        return next((place for place, column in enumerate(self.columns) if column.names), 0)


@dataclass(frozen=True)
class ResultText:
    """A text of the take-away; ``name`` is its file name without extension."""

    name: str
    paragraphs: tuple[str, ...]


def cell(text: str, *values: CellValue, strong: bool = False, mark: str = "") -> Cell:
    """Return a cell; without ``values`` machines read the text."""
    return Cell(text, values or (text,), strong, mark)


def file_part(name: str) -> str:
    """Return ``name`` as a part of a file name."""
    return "".join(char if char.isascii() and char.isalnum() else "_" for char in name)


def one_line(text: str) -> str:
    """Return ``text`` without line breaks and control characters."""
    return " ".join(
        "".join(" " if unicodedata.category(char) == "Cc" else char for char in text).split()
    )


def _visible(text: str) -> str:
    """Return ``text`` without invisible formatting, which LaTeX does not know."""
    return "".join(char for char in text if unicodedata.category(char) != "Cf")


def to_csv(table: ResultTable) -> str:
    """Return the values as CSV: numbers in full with a decimal point, formulas made harmless."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    header = tuple(key for column in table.columns for key in column.keys)
    rows = (tuple(value for item in row for value in item.values) for row in table.rows)
    for record in table.records or (header, *rows):
        writer.writerow([_csv_value(value) for value in record])
    return buffer.getvalue()


def _csv_value(value: CellValue) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        line = one_line(value)
        # The apostrophe is how spreadsheets themselves mark a text that looks like a formula.
        return f"'{line}" if value.startswith(_FORMULA) or line.startswith(_FORMULA) else line
    if isinstance(value, float):
        return f"{value:.10g}" if math.isfinite(value) else ""
    return str(value)


def latex_text(text: str) -> str:
    """Return ``text`` with everything escaped that LaTeX would interpret."""
    return _visible(one_line(text)).translate(_LATEX_TABLE)


def to_latex(table: ResultTable) -> str:
    """Return a table for a paper: booktabs rules, caption and label.

    It floats, or goes on from page to page where one would not hold it.
    """
    alignment = "".join("r" if column.numeric else "l" for column in table.columns)
    columns = rf"{{@{{}}{alignment}@{{}}}}"
    heading = " & ".join(latex_text(column.heading) for column in table.columns)
    head = [r"\toprule", rf"{heading} \\", r"\midrule"]
    # A star after \\ would be taken for its option.
    rows = [
        f"{'{}' if row[0].startswith('*') else ''}{' & '.join(row)} \\\\"
        for row in _latex_rows(table)
    ]
    caption = rf"\caption{{{latex_text(' '.join(filter(None, (table.caption, table.note))))}}}"
    label = rf"\label{{tab:{table.name.replace('_', '-')}}}"
    if len(rows) <= _ROWS_OF_A_PAGE:
        lines = [
            r"\begin{table}[htbp]",
            r"\centering",
            caption,
            label,
            rf"\begin{{tabular}}{columns}",
            *head,
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    else:
        lines = [
            r"% It goes on from page to page, by \usepackage{longtable}.",
            rf"\begin{{longtable}}{columns}",
            rf"{caption}{label} \\",
            *head,
            r"\endfirsthead",
            *head,
            r"\endhead",
            r"\bottomrule",
            r"\endfoot",
            *rows,
            r"\end{longtable}",
        ]
    return "\n".join([*_latex_needs(r"\usepackage{booktabs}"), *lines]) + "\n"


def text_to_latex(text: ResultText) -> str:
    """Return the paragraphs for a paper."""
    paragraphs = "\n\n".join(latex_text(paragraph) for paragraph in text.paragraphs)
    return "\n".join([*_latex_needs(), paragraphs]) + "\n"


def text_to_markdown(text: ResultText) -> str:
    """Return the paragraphs."""
    return "\n\n".join(markdown_text(paragraph) for paragraph in text.paragraphs) + "\n"


def _latex_needs(*packages: str) -> list[str]:
    *first, last = r"\usepackage[T1]{fontenc}", r"\usepackage{textcomp}", *packages
    return [
        f"% Needs {', '.join(first)} and {last}; names",
        r"% in other scripts than Latin need XeLaTeX or LuaLaTeX with a font that has them.",
    ]


def _latex_rows(table: ResultTable) -> Iterator[list[str]]:
    """Yield the cells of every row, padded after the marks so that a column's digits line up."""
    widest = [
        max((_marks(row[place].whole) for row in table.rows), key=len, default="")
        if column.numeric
        else ""
        for place, column in enumerate(table.columns)
    ]
    for row in table.rows:
        yield [
            _latex_cell(item, marks[len(_marks(item.whole)) :])
            for item, marks in zip(row, widest, strict=True)
        ]


def _marks(text: str) -> str:
    """Return the marks of significance behind a number."""
    found = re.search(r"(?<=\d)[*†]+$", text)
    return found[0] if found else ""


def _latex_cell(item: Cell, room: str) -> str:
    """Return a cell with as much room behind it as these marks take."""
    text = latex_text(item.whole)
    if not text:
        return ""
    shown = rf"\textbf{{{text}}}" if item.strong else text
    return rf"{shown}\phantom{{{latex_text(room)}}}" if room else shown


def latex_document(names: list[str]) -> str:
    """Return a document that shows these files: a preview, and a test that they compile."""
    return "\n".join(
        [
            r"\documentclass{article}",
            r"\usepackage{iftex}",
            r"\ifpdftex\usepackage[T1]{fontenc}\usepackage{textcomp}\else\usepackage{fontspec}\fi",
            r"\usepackage{booktabs,longtable}",
            r"\usepackage[a4paper,landscape,margin=15mm]{geometry}",
            r"\begin{document}",
            *(rf"\input{{{name}}}" for name in names),
            r"\end{document}",
            "",
        ]
    )


def markdown_text(text: str) -> str:
    """Return ``text`` with everything escaped that Markdown, or HTML inside it, would interpret."""
    line = one_line(text).translate(_MARKDOWN_TABLE)
    return f"\\{line}" if line.startswith(("+", "-", "=")) else line


def to_markdown(table: ResultTable) -> str:
    """Return a pipe table under its caption."""
    heading = " | ".join(markdown_text(column.heading) for column in table.columns)
    rule = " | ".join("---:" if column.numeric else ":---" for column in table.columns)
    rows = [" | ".join(_markdown_cell(item) for item in row) for row in table.rows]
    lines = [
        markdown_text(table.caption),
        "",
        *(f"| {line} |" for line in (heading, rule, *rows)),
    ]
    if table.note:
        lines += ["", markdown_text(table.note)]
    return "\n".join(lines) + "\n"


def _markdown_cell(item: Cell) -> str:
    text = markdown_text(item.whole)
    return f"**{text}**" if item.strong and text else text


def tables(made: Sequence[ResultTable], texts: Sequence[ResultText] = ()) -> dict[str, str]:
    """Return file name → content: tables in three formats, texts in two, a LaTeX preview of all."""
    contents = {}
    for text in texts:
        contents[f"{text.name}.tex"] = text_to_latex(text)
        contents[f"{text.name}.md"] = text_to_markdown(text)
    for table in made:
        contents[f"{table.name}.csv"] = to_csv(table)
        contents[f"{table.name}.tex"] = to_latex(table)
        contents[f"{table.name}.md"] = to_markdown(table)
    contents["all.tex"] = latex_document(
        [*(text.name for text in texts), *(table.name for table in made)]
    )
    return contents
