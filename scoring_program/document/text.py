"""Names and texts as every format needs them."""

from __future__ import annotations

import unicodedata


def file_part(name: str) -> str:
    """Return ``name`` as a part of a file name."""
    return "".join(char if char.isascii() and char.isalnum() else "_" for char in name)


def one_line(text: str) -> str:
    """Return ``text`` without line breaks and control characters."""
    return " ".join(
        "".join(" " if unicodedata.category(char) == "Cc" else char for char in text).split()
    )
