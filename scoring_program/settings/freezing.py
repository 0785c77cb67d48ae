"""Keys added to the text of a settings file, of which everything else stays as it is."""

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

    ``added`` are the lines that it did not have, of a mapping that stands there with what it
    lacked. ``differing`` are lines that were not written, because the file has their keys with
    other values.
    """

    text: str
    added: tuple[str, ...]
    differing: tuple[str, ...]


def with_keys(text: str, keys: Mapping[str, Any], name: str) -> FrozenText:
    """Return the text of a settings file with the ``keys`` that it lacks, one line each.

    What a mapping lacks that stands there is written into it, if nothing in it differs. Comments,
    order and spelling of what stands there are kept. ``name`` is what messages call the file.

    Raises
    ------
    SettingsError
        The text is no mapping in YAML, or nothing can be added to it, because it is written in
        braces.
    """
    present = parse_text(text, name) or {}
    if not isinstance(present, Mapping):
        raise SettingsError(f"{name}: expected keys and values; write one key a line")
    lacking: dict[str, Any] = {}
    within: dict[str, Any] = {}
    differing: dict[str, Any] = {}
    for key, value in keys.items():
        if key not in present:
            lacking[key] = value
            continue
        open_keys = _open_keys(present[key], value)
        if open_keys is None:
            differing[key] = value
        elif open_keys:
            within[key] = open_keys
    if within:
        merged = _merged(text, within)
        wanted = _with_open_keys(present, within)
        if merged is None or not _holds(merged, name, wanted):
            differing |= {key: keys[key] for key in within}
            within = {}
        else:
            text = merged
            present = wanted
    added = _as_lines(lacking)
    whole = _appended(text, added)
    if not _holds(whole, name, {**keys, **present}):
        lines = "\n".join(f"  {line}" for line in added)
        raise SettingsError(
            f"{name}: no line can be added to this file; write these there:\n{lines}"
        )
    in_order = {key: value for key, value in keys.items() if key in differing}
    return FrozenText(whole, (*_as_lines(within), *added), _as_lines(in_order))


def _as_lines(keys: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(as_line(key, value) for key, value in keys.items())


def as_line(key: str, value: Any) -> str:
    """Return a key and its value as one line of YAML."""
    written = yaml.safe_dump(
        {key: value}, default_flow_style=True, sort_keys=False, width=float("inf"),
        allow_unicode=True,
    )  # fmt: skip
    return str(written).strip()[1:-1]


# Keys within a key that stands there --------------------------------------------------------------


def _open_keys(stated: Any, wanted: Any) -> dict[str, Any] | None:
    """Return what a value lacks of the wanted one, key by key; None if it states something else.

    Columns that are stated by names of their own are not mixed with roles.
    """
    if stated == wanted:
        return {}
    if not isinstance(stated, Mapping) or not isinstance(wanted, Mapping):
        return None
    open_keys: dict[str, Any] = {}
    for key, value in wanted.items():
        if key not in stated:
            open_keys[key] = value
            continue
        below = _open_keys(stated[key], value)
        if below is None or (below and not {*stated[key]} <= {*value}):
            return None
        if below:
            open_keys[key] = below
    return open_keys


def _with_open_keys(stated: Mapping[str, Any], open_keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return a mapping with the keys that it lacks, at every depth."""
    whole = dict(stated)
    for key, value in open_keys.items():
        whole[key] = _with_open_keys(stated[key], value) if key in stated else value
    return whole


def _merged(text: str, open_keys: Mapping[str, Any]) -> str | None:
    """Return the text with keys written into the mappings that stand there; None if it has none."""
    root = yaml.compose(text, yaml.SafeLoader)
    if not isinstance(root, yaml.MappingNode):
        return None
    insertions: list[tuple[int, str]] = []
    for key_node, value_node in root.value:
        if key_node.value in open_keys:
            insertions += _insertions(text, value_node, open_keys[key_node.value])
    in_order = sorted(insertions, key=lambda insertion: insertion[0])  # inner keys come first
    for place, insertion in reversed(in_order):
        text = f"{text[:place]}{insertion}{text[place:]}"
    return text


def _insertions(
    text: str, mapping: yaml.MappingNode, open_keys: Mapping[str, Any]
) -> list[tuple[int, str]]:
    """Return where keys belong into a mapping, and what is written there."""
    insertions: list[tuple[int, str]] = []
    lacking = dict(open_keys)
    for key_node, value_node in mapping.value:
        if key_node.value in lacking:
            insertions += _insertions(text, value_node, lacking.pop(key_node.value))
    if not lacking:
        return insertions
    lines = _as_lines(lacking)
    if mapping.flow_style:
        is_empty = not mapping.value
        place = mapping.start_mark.index + 1 if is_empty else _end(mapping.value[-1][1])
        insertions.append((place, ", ".join(lines) if is_empty else ", ".join(("", *lines))))
        return insertions
    end_of_line = text.find("\n", _end(mapping.value[-1][1]))
    place = len(text) if end_of_line < 0 else end_of_line
    indent = " " * mapping.start_mark.column
    insertions.append((place, "".join(f"\n{indent}{line}" for line in lines)))
    return insertions


def _end(node: yaml.Node) -> int:
    """Return where a value ends: a block ends with its last value, in front of comments."""
    is_block = isinstance(node, yaml.CollectionNode) and not node.flow_style
    if is_block and node.value:
        last = node.value[-1]
        return _end(last[1] if isinstance(node, yaml.MappingNode) else last)
    return int(node.end_mark.index)


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
