"""Whole keys added to the text of a settings file, of which everything else stays as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from ..core.errors import SettingsError
from .loading import parse_text

#: A line that ends a document of YAML, below which nothing belongs to it.
_END_OF_DOCUMENT = "..."


@dataclass(frozen=True)
class FrozenText:
    """The text of a settings file with what was added to it.

    ``added`` are the lines that it did not have. ``differing`` are lines that were not written,
    because the file has their keys with other values.
    """

    text: str
    added: tuple[str, ...]
    differing: tuple[str, ...]


def with_keys(text: str, keys: Mapping[str, Any], name: str) -> FrozenText:
    """Return the text of a settings file with the ``keys`` that it lacks, one line each.

    Comments, order and spelling of what stands there are kept. ``name`` is what messages call the
    file.

    Raises
    ------
    SettingsError
        The text is no mapping in YAML, or nothing can be added to it, because it is written in
        braces.
    """
    present = parse_text(text, name) or {}
    if not isinstance(present, Mapping):
        raise SettingsError(f"{name}: expected keys and values; write one key a line")
    added = tuple(as_line(key, value) for key, value in keys.items() if key not in present)
    differing = tuple(
        as_line(key, value)
        for key, value in keys.items()
        if key in present and present[key] != value
    )
    whole = _appended(text, added)
    if not _holds(whole, name, {**keys, **present}):
        lines = "\n".join(f"  {line}" for line in added)
        raise SettingsError(
            f"{name}: no line can be added to this file; write these there:\n{lines}"
        )
    return FrozenText(whole, added, differing)


def as_line(key: str, value: Any) -> str:
    """Return a key and its value as one line of YAML."""
    written = yaml.safe_dump(
        {key: value}, default_flow_style=True, sort_keys=False, width=float("inf"),
        allow_unicode=True,
    )  # fmt: skip
    return str(written).strip()[1:-1]


def _holds(text: str, name: str, values: Mapping[str, Any]) -> bool:
    try:
        return bool((parse_text(text, name) or {}) == values)
    except SettingsError:
        return False


def _appended(text: str, lines: tuple[str, ...]) -> str:
    """Return the text with lines at its end, in front of what ends the document."""
    if not lines:
        return text
    body = text
    end = ""
    stripped = text.rstrip()
    if stripped.endswith(f"\n{_END_OF_DOCUMENT}"):
        body = stripped.removesuffix(_END_OF_DOCUMENT)
        end = f"{_END_OF_DOCUMENT}\n"
    if body and not body.endswith("\n"):
        body += "\n"
    return f"{body}{chr(10).join(lines)}\n{end}"
