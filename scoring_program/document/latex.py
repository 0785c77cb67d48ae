"""Text and tables for LaTeX: what is escaped, how wide it is, and how a table fits its columns.

The narrowest column of the usual classes is ACL's. What it cannot hold in letters of seven points
is wrapped, goes over both columns (``table*``), or is split into tables with the same names. Widths
are estimated from Computer Modern; Times is narrower.
"""

from __future__ import annotations

import math
import re
import textwrap
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from .shortening import one_line

#: Greek letters that have a command of their own.
_GREEK = {
    f"GREEK {size} LETTER {name.upper()}": f"\\{name if size == 'SMALL' else name.capitalize()}"
    for size, names in (
        (
            "SMALL",
            "alpha beta gamma delta epsilon zeta eta theta iota kappa mu nu xi pi rho sigma tau "
            "upsilon phi chi psi omega",
        ),
        ("CAPITAL", "gamma delta theta xi pi sigma upsilon phi psi omega"),
    )
    for name in names.split()
}
_GREEK["GREEK SMALL LETTER LAMDA"] = r"\lambda"
_GREEK["GREEK CAPITAL LETTER LAMDA"] = r"\Lambda"
_GREEK["GREEK SMALL LETTER FINAL SIGMA"] = r"\varsigma"
_ESCAPED = {
    **{char: f"\\{char}" for char in "{}$&#%_"},
    "\\": r"\textbackslash{}",
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
    "×": r"$\times$",
    "≥": r"$\ge$",
    "≤": r"$\le$",
    "≈": r"$\approx$",
    "≠": r"$\ne$",
    "∞": r"$\infty$",
    "→": r"$\rightarrow$",
    "←": r"$\leftarrow$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "√": r"$\surd$",
    "†": r"\dag{}",
    "·": r"$\cdot$",
    "\N{NO-BREAK SPACE}": "~",
    "\N{NARROW NO-BREAK SPACE}": r"\,",
    "–": "--",
    "…": r"\dots{}",
    "“": "``",
    "”": "''",
    "[": "{[}",  # a bracket after \\ would be taken for its option
    "]": "{]}",
}


@lru_cache(2**12)
def latex_text(text: str) -> str:
    """Return ``text`` with everything escaped that LaTeX would interpret.

    Greek letters, which pdfLaTeX has in formulas alone, become formulas. Invisible formatting,
    which LaTeX does not know, is left out.
    """
    return "".join(map(_escaped, one_line(text)))


@lru_cache(2**12)
def _escaped(char: str) -> str:
    if unicodedata.category(char) == "Cf":
        return ""
    if char.isascii() or char in _ESCAPED:
        return _ESCAPED.get(char, char)
    command = _GREEK.get(unicodedata.name(char, ""))
    return char if command is None else f"${command}$"


# Widths -------------------------------------------------------------------------------------------

#: Letters → their width in ems.
_WIDTHS = {
    **dict.fromkeys("ijl.,;:!'|", 0.3),
    **dict.fromkeys("ftrsI()[]-·", 0.42),
    **dict.fromkeys("mwM%WQ", 1.0),
    **dict.fromkeys("−+=<>±≥≤≈×→", 0.8),
    " ": 0.34,
}
_LETTER = 0.53
_CAPITAL = 0.76
_OTHER = 1.05
#: Bold letters are so many times as wide.
_BOLD = 1.16
#: Inches of the narrowest column, and of the narrowest page.
_COLUMN = 3.03
_PAGE = 4.8
#: The size in points in which tables are set, and the smallest to which they are scaled by plan:
#: an estimate may be a little short.
_SET = 9.0
_LEAST = 7.2
#: Points between two columns, half on each side.
BETWEEN = 8.0
#: Ems that a wrapped text, and a heading, has at least.
_TEXT = 9.0
_HEADING = 4.5
#: Sums of widths are equal up to rounding.
_ROUNDING = 1e-6


def width_of(text: str, *, strong: bool = False) -> float:
    """Return about how wide a text is, in ems."""
    width = _width(text)
    return width * _BOLD if strong else width


@lru_cache(2**12)
def _width(text: str) -> float:
    return sum(map(_width_of_letter, text))


@lru_cache(2**12)
def _width_of_letter(char: str) -> float:
    if char in _WIDTHS:
        return _WIDTHS[char]
    if char.isupper():
        return _CAPITAL
    return _LETTER if char.isascii() or (char.isalpha() and ord(char) < 0x250) else _OTHER


def _room(inches: float, columns: int) -> float:
    """Return how many ems of text fit so many inches where the smallest letters are used."""
    points = inches * 72.27 * _SET / _LEAST - BETWEEN * (columns - 1)
    return points / _SET


# Layout -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Piece:
    """Some columns of a table, side by side: their numbers, and the ems to which texts are wrapped.

    A ``wide`` piece goes over both columns of a page.
    """

    columns: tuple[int, ...]
    wraps: tuple[float | None, ...]
    wide: bool


def pieces(widths: Sequence[float], are_texts: Sequence[bool], head: int) -> list[Piece]:
    """Return how a table is set whose columns have these ``widths`` in ems.

    Columns that ``are_texts`` may be wrapped, the widest first. A table that even a page cannot
    hold is split: every piece begins with the columns up to the ``head``, which names the rows.
    """
    everything = range(len(widths))
    for inches in (_COLUMN, _PAGE):
        wraps = _wraps(widths, are_texts, everything, _room(inches, len(widths)))
        if wraps is not None:
            return [Piece(tuple(everything), wraps, wide=inches == _PAGE)]
    first = list(range(head + 1))
    split = []
    columns = list(first)
    for column in everything[head + 1 :]:
        wanted = [*columns, column]
        fits = _wraps(widths, are_texts, wanted, _room(_PAGE, len(wanted))) is not None
        if not fits and len(columns) > len(first):
            split.append(columns)
            wanted = [*first, column]
        columns = wanted
    return [_piece(widths, are_texts, chosen) for chosen in [*split, columns]]


def _piece(widths: Sequence[float], are_texts: Sequence[bool], columns: Sequence[int]) -> Piece:
    wraps = _wraps(widths, are_texts, columns, _room(_PAGE, len(columns)))
    if wraps is None:  # one column beside the names is as wide as a page
        wraps = tuple(_TEXT if are_texts[column] else None for column in columns)
    return Piece(tuple(columns), wraps, wide=True)


def _wraps(
    widths: Sequence[float], are_texts: Sequence[bool], columns: Sequence[int], room: float
) -> tuple[float | None, ...] | None:
    """Return to which ems each column is wrapped so that all fit the room; None if they cannot."""
    ems = {column: widths[column] for column in columns}
    texts = sorted((column for column in columns if are_texts[column]), key=widths.__getitem__)
    wrapped = {}
    while texts and sum(ems.values()) > room + _ROUNDING:
        widest = texts.pop()
        width_beside = sum(ems.values()) - ems[widest]
        ems[widest] = wrapped[widest] = min(ems[widest], max(_TEXT, room - width_beside))
    if sum(ems.values()) > room + _ROUNDING:
        return None
    return tuple(wrapped.get(column) for column in columns)


#: Ems of a word in a paragraph that needs no break: no word of a language has more.
_WORD = 14.0
#: So many letters of a long word are set before a line may break in it.
_UNBROKEN = 8


def wrapped_text(text: str, ems: float, *, strong: bool = False) -> str:
    """Return a text for a cell of so many ems: its lines break between words or in a long one."""
    flow = flowing(text, ems)
    inner = rf"\textbf{{{flow}}}" if strong else flow
    return rf"\parbox[t]{{{ems:.1f}em}}{{\raggedright {inner}\strut}}"


def flowing(text: str, ems: float = _WORD) -> str:
    """Return a text as `latex_text` does, whose lines may break in words that are so wide."""
    return " ".join(_breakable(word, ems) for word in one_line(text).split(" "))


def _breakable(word: str, ems: float) -> str:
    if width_of(word, strong=True) <= ems:
        return latex_text(word)
    parts = re.findall(rf"[^_./-]{{1,{_UNBROKEN}}}[_./-]?|[_./-]", word)
    return r"\allowbreak{}".join(map(latex_text, parts))


def lines_of(width: float, ems: float) -> int:
    """Return about how many lines a text of this width takes in a cell of so many ems."""
    return math.ceil(1.2 * width / ems)


def lines_of_heading(heading: str, ems: float) -> list[str]:
    """Return a heading in lines that are hardly wider than the cells below, of so many ems."""
    most = max(ems, _HEADING)
    if width_of(heading) <= most or " " not in heading:
        return [heading]
    return textwrap.wrap(heading, max(1, round(most / _LETTER)), break_long_words=False,
                         break_on_hyphens=False)  # fmt: skip


def stacked(lines: Sequence[str], *, right: bool) -> str:
    """Return the lines of a heading, one above the other."""
    if len(lines) == 1:
        return latex_text(lines[0])
    below = r"\\".join(map(latex_text, lines))
    return rf"\shortstack[{'r' if right else 'l'}]{{{below}}}"
