"""Tables and texts as Markdown.

Everything that Markdown, or HTML inside it, would interpret is escaped, because entry names come
from participants.
"""

from __future__ import annotations

import re

from .blocks import Cell, ResultTable, ResultText
from .shortening import one_line

_ESCAPED = {ord(character): f"\\{character}" for character in "\\`*_{}[]#|~$!"}
_ESCAPED |= {ord("<"): "&lt;", ord(">"): "&gt;", ord("&"): "&amp;"}
#: Where a comment of HTML, which shows nothing, keeps sites from making a link or a mention of what
#: Markdown has no escape for: addresses, @somebody, #123, GH-123, and GitLab's !123, $123, ~label.
_LIVE = re.compile(
    r"(?<=[@~])(?=\w)|(?<=[#!$%&])(?=\d)|(?<=\bGH-)(?=\d)|(?=://)|(?<=\bwww)(?=\.)", re.IGNORECASE
)
_BREAK = "\0"  # no line holds it
_ESCAPED |= {ord(_BREAK): "<!-- -->"}


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


def text_to_markdown(text: ResultText) -> str:
    """Return the paragraphs."""
    return "\n\n".join(markdown_text(paragraph) for paragraph in text.paragraphs) + "\n"
