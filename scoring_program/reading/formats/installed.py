"""File formats of installed packages.

A package adds a format by an entry point of the group ``deadheat.formats``. Its name is the files'
extension without the dot, and what the setting ``format`` writes; its value is a plain function:

    [project.entry-points."deadheat.formats"]
    pairs = "my_package.formats:read_pairs"

The function takes the bytes and the name of a file. It returns the columns as lists of texts (other
values become texts, None an empty cell): in a dict by their names, or in a list, where the first
row may then be a header. If the file is not as it should be, the function raises ValueError with
the reason and the remedy, which the participant reads:

    def read_pairs(content: bytes, file: str) -> dict[str, list[str]] | list[list[str]]: ...
    read_pairs.label = "lines of id=label"  # what the page calls it; else the entry point's name

The name or extension of a format of ours cannot be taken. Entry points are looked up only for an
extension or a name that is none of ours; `core.entry_points` says where.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from ...core import entry_points
from ...core.errors import SettingsError, SubmissionError, outline
from .. import limits
from ..table import Table, from_columns, text, too_many_cells_error
from .raw import Content

GROUP = "deadheat.formats"


@cache
def _names() -> frozenset[str]:
    return frozenset(entry_points.names(GROUP))


def provides(name: str) -> bool:
    """Return whether an installed package provides a format of this name."""
    return bool(name) and name in _names()


@cache
def load(name: str) -> tuple[str, Callable[[Content], Table]]:
    """Return the label and the reader of a format that an installed package provides.

    Raises SettingsError where there is none, or it cannot be loaded.
    """
    what = f"format {name!r}"
    loaded = entry_points.load(GROUP, name, what)
    if loaded is None:
        raise SettingsError(f"{what}: no installed package reads it; install the one that does")
    call, origin = loaded

    def read(content: Content) -> Table:
        file = content.file
        try:
            found = call(content.data, file)
        except ValueError as error:
            raise SubmissionError("{file}: {error}", file=file, error=str(error)) from error
        except Exception as error:
            raise SettingsError(
                f"{what}: {origin} fails on {file}: {outline(error)}; --debug shows all of it"
            ) from error
        try:
            return _table(found, file)
        except TypeError as error:
            raise SettingsError(f"{what}: {origin} returned {error}") from error

    return f"{getattr(call, 'label', name)} [{origin}]", read


def _table(found: Any, file: str) -> Table:
    """Return what a function returned as a table; raise TypeError where it cannot be one."""
    header = tuple(map(text, found)) if isinstance(found, Mapping) else None
    columns = list(found.values()) if isinstance(found, Mapping) else found
    if not _is_list(columns) or not all(map(_is_list, columns)):
        raise TypeError("no columns; return a dict or a list of lists of texts")
    lengths = set(map(len, columns))
    if len(lengths) > 1:
        raise TypeError("columns of different lengths; return as many cells in each")
    if sum(map(len, columns)) > limits.MOST_CELLS:
        raise too_many_cells_error(file)
    return from_columns(file, columns, header)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))
