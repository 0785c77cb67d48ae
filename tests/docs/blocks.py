"""The fenced blocks of a page in Markdown, as a reader meets them."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

from tests.competitions import REPOSITORY

_FENCED = re.compile(r"^( *)```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^ *```$", re.M | re.S)
#: A heading, or a block, which may hold what looks like one.
_HEADING_OR_BLOCK = re.compile(rf"^## ([^\n]+)$|{_FENCED.pattern}", re.M | re.S)
#: Every text that a reader may follow, from the repository's root.
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    *sorted(str(path.relative_to(REPOSITORY)) for path in (REPOSITORY / "docs").rglob("*.md")),
)


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, the file it is the content of (or ""), and its text.

    ``section`` is the heading that it stands below.
    """

    language: str
    file: str
    text: str
    section: str = ""


def text(page: str) -> str:
    """Return a page as it is written."""
    return (REPOSITORY / page).read_text(encoding="utf-8")


def blocks(page: str) -> list[Block]:
    """Return every fenced block of a page, in order."""
    content = text(page)
    assert content.count("```") == 2 * len(_FENCED.findall(content)), f"{page}: an odd block"
    found, section = [], ""
    for heading, _, language, file, inside in _HEADING_OR_BLOCK.findall(content):
        section = heading or section
        if language:
            path = Path(file).as_posix() if file else ""
            found.append(Block(language, path, textwrap.dedent(inside), section))
    return found
