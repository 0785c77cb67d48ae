"""Entry names for places with little room, or for ASCII only: in lines, or cut and distinct."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..core.cells import grouped
from ..core.legible import ISOLATE, ISOLATED, legible

#: A line of a name beside a figure has this many letters, each at most this wide on average.
NAME_LETTERS = 24
_LETTER_WIDTH = 8.0
#: How wide the widest letters, capitals and the others are.
_WIDEST_WIDTH = 12.0
_CAPITAL_WIDTH = 8.0
_PLAIN_WIDTH = 6.5
_WIDEST = frozenset("MWmw@%")
#: How much smaller the letters of a name in several lines are.
_SMALLER = 10 / 12
#: Spaces at which a line may break, and ends of lines.
_BREAKING = re.compile(r"[^\S\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}]+")
#: What joins the parts of a name, such as a version to it.
_JOINTS = "-_./"
#: Wide letters have room in a line of so many.
_FEWEST_LETTERS = 4
#: Letters in common that stay before the first that differs.
_LETTERS_BEFORE = 3


def isolated(name: str) -> str:
    """Return a name that cannot turn the direction of the text around it."""
    visible = legible(name)
    if visible.isascii():
        return visible
    if any(unicodedata.bidirectional(char) in {"R", "AL"} for char in visible):
        return f"{ISOLATE}{visible}{ISOLATED}"
    return visible


def shortened(name: str, letters: int) -> str:
    """Return ``name`` on one line, cut with an ellipsis if it is wider than this many letters.

    A wide East Asian character counts as two.
    """
    line = one_line(name)
    if _fits(line, letters):
        return line
    return (_beginning(line, letters - 1) or line[:1]).rstrip() + "…"


def letters_of(line: str) -> int:
    """Return how many letters wide a line is; a wide East Asian character counts as two."""
    return len(line) if line.isascii() else sum(map(_room, line))


def room_of(names: Sequence[str]) -> float:
    """Return how wide the widest of these names is beside a figure."""
    return max(map(_width, names))


def room_of_lines(names: Sequence[Sequence[str]]) -> float:
    """Return how wide the widest of these names is, of which those in several lines are smaller."""
    widths = [room_of(lines) * (_SMALLER if len(lines) > 1 else 1.0) for lines in names]
    return max(widths)


def _width(line: str) -> float:
    """Return how wide a line is at most, in letters of the usual width or, if wider, in its own."""
    width = 0.0
    for letter in line:
        if letter in _WIDEST:
            width += _WIDEST_WIDTH
        elif letter.isupper():
            width += _CAPITAL_WIDTH
        else:
            width += _PLAIN_WIDTH * _room(letter)
    return max(width, _LETTER_WIDTH * letters_of(line))


def whole(names: Sequence[str]) -> list[str]:
    """Return every name in one line, as long as it is; different ones that look alike, numbered."""
    lines = [one_line(name) for name in names]
    for place in itertools.chain.from_iterable(_alike(names, lines)):
        lines[place] += _number(place)
    return lines


def whole_lines(text: str, letters: int) -> list[str]:
    """Return ``text`` in as many lines of so many letters as it needs, one at least.

    It is broken where a reader expects it: between words, after a hyphen or the like, or else where
    the line ends.
    """
    return broken(text, max(letters, _FEWEST_LETTERS), len(text)) or [""]


def in_lines(names: Sequence[str], letters: int = NAME_LETTERS) -> list[list[str]]:
    """Return every name whole, as it stands in a figure: in as many lines as it needs.

    A line has so many letters, or fewer if they are wide. A name that two lines can hold has no
    third. Distinct names have distinct texts.
    """
    lines = [_within(name, letters) for name in names]
    texts = list(map("\n".join, lines))
    for place in itertools.chain.from_iterable(_alike(names, texts)):
        lines[place] = _within(names[place] + _number(place), letters)
    return lines


@dataclass(frozen=True)
class SizedName:
    """The lines of a name, and whether their letters are smaller, because it is long."""

    lines: list[str]
    small: bool


def in_line_or_lines(names: Sequence[str], letters: int, small_letters: int) -> list[SizedName]:
    """Return names whole: in one line of so many letters, or else in lines of small ones."""
    large = in_lines(names, letters)
    small = in_lines(names, small_letters)
    return [
        SizedName(line, small=False) if len(line) == 1 else SizedName(lines, small=True)
        for line, lines in zip(large, small, strict=True)
    ]


def _within(name: str, letters: int) -> list[str]:
    """Return a name in lines that are as wide as so many letters of the usual width."""
    room = letters * _LETTER_WIDTH
    lines = _in_fewest_lines(name, letters)
    while letters > _FEWEST_LETTERS and room_of(lines) > room:
        letters -= 1
        lines = _in_fewest_lines(name, letters)
    return lines


def _in_fewest_lines(name: str, letters: int) -> list[str]:
    """Return a name in two lines, if these hold all of it, or else in as many as it needs."""
    lines = whole_lines(name, letters)
    if len(lines) > 2:
        in_two = broken(name, letters)
        if _without_spaces("".join(in_two)) == _without_spaces(one_line(name)):
            return in_two
    return lines


def _without_spaces(text: str) -> str:
    return text.replace(" ", "")


def broken(text: str, letters: int, most: int = 2) -> list[str]:
    """Return ``text`` in at most this many lines, broken between words where that is possible.

    A word that is wider than a line is broken after a hyphen or the like in the second half of the
    line, if the rest has room. What does not fit into the last line is cut off with an ellipsis.
    """
    left = one_line(text)
    lines: list[str] = []
    while left and len(lines) < most - 1 and not _fits(left, letters):
        start = _beginning(left, letters)
        cut = start.rfind(" ") if " " in start and left[len(start)] != " " else len(start)
        joint = _after_joint(start)
        room_below = letters * (most - len(lines) - 1)
        if " " not in start and joint and letters_of(left[joint:]) <= room_below:
            cut = joint
        # A mark stays with its letter.
        while cut < len(left) and unicodedata.category(left[cut]).startswith("M"):
            cut += 1
        lines.append(left[:cut].rstrip())
        left = left[cut:].lstrip()
    return [*lines, shortened(left, letters)] if left else lines


def _after_joint(start: str) -> int:
    """Return where a word may be broken, after the last joint of its beginning; 0 if nowhere."""
    cut = 1 + max(start.rfind(joint) for joint in _JOINTS)
    return cut if 2 * cut > len(start) else 0


def told_apart(names: Sequence[str], letters: int) -> list[str]:
    """Return every name shortened to this many letters, distinct names to distinct texts.

    Names that would look the same keep their ends too. If the ends agree, the names are cut to
    where they differ. As a last resort, they are numbered.
    """
    lines = [one_line(name) for name in names]
    cut = [shortened(line, letters) for line in lines]
    for shorten in (_ends, _difference):
        for places in _alike(names, cut):
            changed = shorten([lines[place] for place in places], letters)
            for place, text in zip(places, changed, strict=True):
                cut[place] = text
    for place in itertools.chain.from_iterable(_alike(names, cut)):
        number = _number(place)
        cut[place] = shortened(lines[place], letters - len(number)) + number
    return cut


def _number(place: int) -> str:
    """Return what tells a name apart that looks like another."""
    return f" #{place + 1}"


def _alike(names: Sequence[str], cut: Sequence[str]) -> list[list[int]]:
    """Return the places of names that differ and yet have the same text, group by group."""
    groups = grouped((text, place) for place, text in enumerate(cut))
    alike = []
    for places in groups.values():
        different = {names[place] for place in places}
        if len(different) > 1:
            alike.append(places)
    return alike


def _ends(lines: Sequence[str], letters: int) -> list[str]:
    """Cut names in their middle."""
    half = (letters - 1) // 2
    return [
        line
        if _fits(line, letters)
        else f"{_beginning(line, letters - 1 - half).rstrip()}…{_end(line, half).lstrip()}"
        for line in lines
    ]


def _difference(lines: Sequence[str], letters: int) -> list[str]:
    """Cut off the beginning that names share, except its last letters."""
    first = min(lines)
    last = max(lines)
    agreeing = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    start = max(len(list(agreeing)) - _LETTERS_BEFORE, 0)
    return [
        line if _fits(line, letters) else f"…{shortened(line[start:], letters - 1)}"
        for line in lines
    ]


def one_line(text: str) -> str:
    """Return ``text`` in one line, with every character visible.

    The no-break spaces of numbers stay, so that no line breaks there.
    """
    return legible(_BREAKING.sub(" ", text).strip())


def _fits(line: str, room: int) -> bool:
    return len(_beginning(line, room)) == len(line)


def _room(character: str) -> int:
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _beginning(line: str, room: int) -> str:
    """Return the beginning of ``line`` that is no wider than this many letters."""
    if line.isascii():
        return line[: max(room, 0)]
    for index, character in enumerate(line):
        room -= _room(character)
        if room < 0:
            return line[:index]
    return line


def _end(line: str, room: int) -> str:
    return _beginning(line[::-1], room)[::-1]


def file_part(name: str) -> str:
    """Return ``name`` as a part of a file name."""
    return "".join(char if char.isascii() and char.isalnum() else "_" for char in name)


def slugs(names: Iterable[str]) -> list[str]:
    """Return ASCII forms of entry names that are safe as keys, made unique with _2, _3, …

    A name that is already safe stays unchanged, even if another name's ASCII form equals it.
    """
    slugged = [(name, _slug(name)) for name in names]
    unchanged = {name for name, base in slugged if name == base}
    counts: Counter[str] = Counter({base for _, base in slugged})
    taken: dict[str, None] = {}
    for name, base in slugged:
        slug = base
        while slug in taken or (slug in unchanged and name != base):
            counts[base] += 1
            slug = f"{base}_{counts[base]}"
        taken[slug] = None
    return list(taken)


def _slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9.-]+", "_", plain).strip("_") or "team"
