"""Functions that installed packages provide by entry points.

Only functions, numbers, texts, lists and arrays pass between such a package and this one, because
no class of this package is the same in a bundle, in a clone and where it is installed. Entry points
are looked up where the package runs as ``deadheat``: a platform runs what is in the bundle.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .errors import SettingsError, outline


def names(group: str) -> list[str]:
    """Return the names that installed packages provide in a group."""
    return sorted(entry.name for entry in _found(group))


def load(group: str, name: str, what: str) -> tuple[Callable[..., Any], str] | None:
    """Return the function of a name and its package with the version; None where there is none.

    Raises SettingsError, which begins with ``what``, if it cannot be loaded or is not a function.
    """
    entries = [entry for entry in _found(group) if entry.name == name]
    if not entries:
        return None
    entry = entries[0]
    origin = f"{entry.dist.name} {entry.dist.version}"
    try:
        call = entry.load()
    except Exception as error:
        raise SettingsError(
            f"{what}: {entry.value} of {origin} cannot be loaded: {outline(error)}; "
            "--debug shows all of it"
        ) from error
    if not callable(call):
        raise SettingsError(f"{what}: {entry.value} of {origin} is not a function")
    return call, origin


def _found(group: str) -> list[Any]:
    if __name__.partition(".")[0] != "deadheat":
        return []
    # The import is slow, and most competitions need none.
    from importlib.metadata import entry_points

    return list(entry_points(group=group))
