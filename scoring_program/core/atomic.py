"""Writes a file completely, or leaves the old one unchanged."""

from __future__ import annotations

from pathlib import Path


def write(path: Path, content: bytes) -> None:
    """Write a file under a hidden name and rename it, so that nobody reads half of it."""
    temporary = path.with_name(f".{path.name}.new")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
