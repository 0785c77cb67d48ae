"""Tables and texts as LaTeX, for papers.

Everything that LaTeX would interpret is escaped, because entry names come from participants.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace

from .blocks import Cell, ResultTable, ResultText, TableColumn
from .shortening import one_line, told_apart

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
    "·": r"$\cdot$",
    "\N{NARROW NO-BREAK SPACE}": r"\,",
    "–": "--",
    "…": r"\dots{}",
    "“": "``",
    "”": "''",
    "[": "{[}",  # a bracket after \\ would be taken for its option
    "]": "{]}",
}
_ESCAPED = {ord(character): text for character, text in _LATEX.items()}
#: Rows of a table that a page holds: a longer one goes on in a further table.
_ROWS_OF_A_PAGE = 40
#: Names in a table are cut to this many letters.
_NAME_LETTERS = 24
#: A table is scaled down where it is wider than its column.
_FITTED = r"\resizebox{\ifdim\width>\linewidth \linewidth\else\width\fi}{!}{%"


def latex_text(text: str) -> str:
    """Return ``text`` with everything escaped that LaTeX would interpret.

    Invisible formatting, which LaTeX does not know, is left out.
    """
    visible = (char for char in one_line(text) if unicodedata.category(char) != "Cf")
    return "".join(visible).translate(_ESCAPED)


def to_latex(table: ResultTable) -> str:
    """Return a table for a paper: booktabs rules, caption and label.

    It fits any column. What one page would not hold goes on in a further table of the same number.
    """
    kept = [place for place, column in enumerate(table.columns) if column.paper]
    columns = [table.columns[place] for place in kept]
    alignment = "".join("r" if column.numeric else "l" for column in columns)
    heading = " & ".join(latex_text(column.heading) for column in columns)
    rows = [[row[place] for place in kept] for row in table.rows]
    for place, column in enumerate(columns):
        if column.names:
            names = told_apart([row[place].text for row in rows], _NAME_LETTERS)
            for row, name in zip(rows, names, strict=True):
                row[place] = replace(row[place], text=name)
    # A star after \\ would be taken for its option.
    lines = [
        f"{'{}' if row[0].startswith('*') else ''}{' & '.join(row)} \\\\"
        for row in _latex_rows(columns, rows)
    ]
    said = latex_text(" ".join(filter(None, (table.caption, table.note))))
    needs = _latex_needs(r"\usepackage{booktabs}", r"\usepackage{graphicx}")
    for start in range(0, max(len(lines), 1), _ROWS_OF_A_PAGE):
        label = rf"\label{{tab:{table.name.replace('_', '-')}}}"
        needs += [
            r"\begin{table}[htbp]",
            *([r"\addtocounter{table}{-1}"] if start else []),
            r"\centering",
            r"\small\sloppy",
            rf"\caption{{{said}}}",
            *([] if start else [label]),
            _FITTED,
            rf"\begin{{tabular}}{{@{{}}{alignment}@{{}}}}",
            r"\toprule",
            rf"{heading} \\",
            r"\midrule",
            *lines[start : start + _ROWS_OF_A_PAGE],
            r"\bottomrule",
            r"\end{tabular}}",
            r"\end{table}",
        ]
    return "\n".join(needs) + "\n"


def text_to_latex(text: ResultText) -> str:
    """Return the paragraphs for a paper; what they cite stands in its bibliography."""
    paragraphs = "\n\n".join(latex_text(paragraph) for paragraph in text.paragraphs)
    for source, key in text.cites:
        paragraphs = paragraphs.replace(f" {latex_text(source)}", rf"~\cite{{{key}}}")
    lines = r"\begin{sloppypar}", paragraphs, r"\end{sloppypar}"
    return "\n".join([*_latex_needs(), *lines]) + "\n"


def _latex_needs(*packages: str) -> list[str]:
    *first, last = r"\usepackage[T1]{fontenc}", r"\usepackage{textcomp}", *packages
    return [
        f"% Needs {', '.join(first)} and {last}; names",
        r"% in other scripts than Latin need XeLaTeX or LuaLaTeX with a font that has them.",
    ]


def _latex_rows(
    columns: Sequence[TableColumn], rows: Sequence[Sequence[Cell]]
) -> Iterator[list[str]]:
    """Yield the cells of every row, padded after the marks so that a column's digits line up."""
    widest = [
        max((_marks(row[place].whole) for row in rows), key=len, default="")
        if column.numeric
        else ""
        for place, column in enumerate(columns)
    ]
    for row in rows:
        yield [
            _latex_cell(item, marks[len(_marks(item.whole)) :])
            for item, marks in zip(row, widest, strict=True)
        ]


def _marks(text: str) -> str:
    """Return the marks of significance behind a number."""
    match = re.search(r"(?<=\d)[*·]+$", text)
    return match[0] if match else ""


def _latex_cell(item: Cell, room: str) -> str:
    """Return a cell with as much room behind it as these marks take."""
    text = latex_text(item.whole)
    if not text:
        return ""
    shown = rf"\textbf{{{text}}}" if item.strong else text
    return rf"{shown}\phantom{{{latex_text(room)}}}" if room else shown
