"""Which frozen items differ, and where."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

_FLOAT = re.compile(r"-?\d+(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)")
#: Numbers that differ by less are rounding errors of zero.
_ZERO = 1e-12
_SHOWN, _WIDEST = 6, 200
_LONG = 5000
#: (item, line) → whether a difference in this line was meant.
Allowed = Callable[[str, str], bool]


@dataclass(frozen=True)
class Difference:
    """The lines that only one of two freezes has, ``- `` those of the first, and what was meant."""

    item: str  # layer/name
    lines: tuple[str, ...]
    unmeant: int


def allowed(patterns: Path | None) -> Allowed:
    """Read patterns: a glob of items and, after a space, a regular expression for the lines."""
    given = [] if patterns is None else patterns.read_text(encoding="utf-8").splitlines()
    rules = [line.split(maxsplit=1) for line in given if line.strip() and line[0] != "#"]
    known = [(rule[0], re.compile(rule[1] if len(rule) > 1 else "")) for rule in rules]
    return lambda item, line: any(
        fnmatchcase(item, glob) and pattern.search(line) for glob, pattern in known
    )


def compare(
    one: Path, other: Path, layer: str, tolerance: float, meant: Allowed
) -> Iterator[Difference]:
    """Yield the items of a layer that differ."""
    names = {path.name for folder in (one, other) for path in (folder / layer).glob("*.txt")}
    for name in sorted(names):
        item = f"{layer}/{name.removesuffix('.txt')}"
        first, second = (_lines(folder / layer / name) for folder in (one, other))
        if found := tuple(_different(first, second, tolerance)):
            yield Difference(item, found, sum(not meant(item, line[2:]) for line in found))


def shown(difference: Difference) -> str:
    """Return a short account of a difference."""
    meant = "" if difference.unmeant else " (allowed)"
    rest = len(difference.lines) - _SHOWN
    # The lines of both texts follow each other in pairs, most of the time.
    every = difference.lines
    shown = [
        _short(line, every[(place + (1 if line[0] == "-" else -1)) % len(every)])
        for place, line in enumerate(every[:_SHOWN])
    ]
    more = [f"  … and {rest} more lines"] if rest > 0 else []
    return "\n".join([f"{difference.item}{meant}", *shown, *more])


def _short(line: str, other: str) -> str:
    """Return the part of a long line in which it begins to differ from the one beside it."""
    pairs = enumerate(zip(line[2:], other[2:], strict=False))
    same = next((place for place, (one, second) in pairs if one != second), 0)
    begin = 0 if len(line) <= _WIDEST else max(0, same - _WIDEST // 4)
    return f"  {line[:2]}{'… ' if begin else ''}{line[2 + begin :][:_WIDEST]}"


def _lines(path: Path) -> list[str] | None:
    """Return the lines of a frozen item, None if there is none."""
    if not path.exists():
        return None
    return path.read_text(encoding="utf-8", errors="surrogateescape").split("\n")


def _different(one: list[str] | None, other: list[str] | None, tolerance: float) -> Iterator[str]:
    """Yield the lines of one text only; numbers that are close count as equal."""
    if one == other:
        return
    if one is None or other is None:
        yield "- no such item" if one is None else "+ no such item"
        return
    before, after = ([_FLOAT.sub("~", line) for line in lines] for lines in (one, other))
    blocks: Sequence[tuple[str, int, int, int, int]] = [("equal", 0, len(one), 0, len(other))]
    if before != after:
        # Without its junk, a matcher takes hours on the pairs of 300 teams.
        junk = max(len(one), len(other)) > _LONG
        blocks = difflib.SequenceMatcher(None, before, after, autojunk=junk).get_opcodes()
    for kind, start, end, begin, stop in blocks:
        if kind != "equal":
            yield from (f"- {line}" for line in one[start:end])
            yield from (f"+ {line}" for line in other[begin:stop])
            continue
        for first, second in zip(one[start:end], other[begin:stop], strict=True):
            if first != second and not _close(first, second, tolerance):
                yield from (f"- {first}", f"+ {second}")


def _close(one: str, other: str, tolerance: float) -> bool:
    pairs = zip(_FLOAT.findall(one), _FLOAT.findall(other), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=tolerance, abs_tol=_ZERO) for a, b in pairs)
