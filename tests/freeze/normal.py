"""What a run wrote as lines that a difference shows well, the same on every day and machine."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

#: What may differ between two equal runs, and what it is replaced by.
SCRUBS = (
    (r"(Made by Deadheat |^deadheat )[\w.+-]+", r"\1VERSION"),
    (
        r"((?:deadheat|python|numpy|scipy|scikit-learn|statsmodels)['\"]?(?:\]| =|:|dd:)+ )"
        r"['\"]?\d[\w.+-]*['\"]?",
        r"\1VERSION",
    ),
    (r"^((?:Program|.*\.zip): )[\d.]+ MiB", r"\1SIZE"),  # of the program's own code
    (r"^[\d,]+ of [\d,]+ \w+ after \d+ s\.\n", ""),  # the progress of a slow run
    (re.escape(date.today().isoformat()), "TODAY"),
    (r"(?<=/)tmp\w{8}\b", "TEMPORARY"),
)
_WORDS = ("title", "alt", "aria-label", "href", "lang", "dir", "colspan", "scope", "open")
_SILENT = ("style", "script")
#: Elements of HTML that hold nothing.
_EMPTY = ("meta", "link", "br", "hr", "img", "input", "wbr", "col")


def scrubbed(text: str, paths: dict[str, str]) -> str:
    """Replace paths, longest first, and what `SCRUBS` lists."""
    for path in sorted(paths, key=len, reverse=True):
        text = text.replace(path, paths[path])
    for pattern, replacement in SCRUBS:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return text


def lines_of(path: Path) -> Iterator[str]:
    """Yield the lines that stand for a file."""
    if path.suffix == ".json":
        yield from leaves(json.loads(path.read_text(encoding="utf-8")))
    elif path.suffix in (".html", ".svg"):
        yield from markup(path.read_text(encoding="utf-8"))
    elif path.suffix == ".zip":
        yield from members(path.read_bytes())
    elif path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as stream:
            yield from (" | ".join(row) for row in csv.reader(stream))
    elif path.suffix in (".txt", ".md", ".tex", ".yaml", ".bib"):
        yield from path.read_text(encoding="utf-8").splitlines()
    else:
        yield hashlib.sha256(path.read_bytes()).hexdigest()


def leaves(value: Any, place: str = "") -> Iterator[str]:
    """Yield a line for every leaf of a JSON document: its place and its value."""
    if isinstance(value, (dict, list)) and value:
        pairs: Iterable[tuple[Any, Any]] = (
            value.items() if isinstance(value, dict) else enumerate(value)
        )
        for key, inner in pairs:
            name = f"[{key}]" if isinstance(value, list) else f".{key}" if place else key
            yield from leaves(inner, place + name)
    else:
        yield f"{place} = {json.dumps(value, ensure_ascii=False)}"


def members(content: bytes) -> Iterator[str]:
    """Yield what an archive holds: texts line by line, of the program's own code the names only."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in sorted(archive.namelist()):
            inner = archive.read(name)
            if name.endswith(".zip") and not name.startswith("scoring_program"):
                yield from (f"{name}/{line}" for line in members(inner))
            elif name.endswith((".yaml", ".md", ".txt")):
                yield from (f"{name}: {line}" for line in inner.decode().splitlines())
            elif name.endswith((".zip", ".pyz", ".html", ".json")):
                yield name
            else:
                yield f"{name}: {hashlib.sha256(inner).hexdigest()}"


def markup(text: str) -> Sequence[str]:
    """Return a line for every text node, and one for every element of SVG."""
    reader = _Markup()
    reader.feed(text)
    reader.close()
    return reader.lines


class _Markup(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _EMPTY:
            self._open.append(tag)
        drawn = "svg" in self._open
        kept = [
            f'{name}="{_rounded(value or "") if drawn else value}"'
            for name, value in sorted(attrs)
            if drawn or name in _WORDS
        ]
        if drawn or kept:
            self.lines.append(" ".join([f"<{tag}", *kept]) + ">")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _EMPTY:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:  # an omitted end tag closes with what it stands in
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        inside = self._open[-1] if self._open else ""
        if data.strip() and inside not in _SILENT:
            self.lines.append(f"{inside}: {' '.join(data.split())}")


def _rounded(value: str) -> str:
    return re.sub(r"-?\d+\.\d+", lambda number: f"{float(number[0]):.1f}", value)
