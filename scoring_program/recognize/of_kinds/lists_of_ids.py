"""Resolved lists: which keys of a report list what is resolved, what is not, and all examples."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..usual_names import INSTANCE_NAMES, RESOLVED_NAMES, UNRESOLVED_NAMES


def key_of_resolved(keys: Collection[str]) -> str | None:
    """Return the key that lists what is resolved; None if none does."""
    return _first(RESOLVED_NAMES, keys)


def key_of_unresolved(keys: Collection[str]) -> str | None:
    """Return the key that lists what is not resolved; None if none does."""
    return _first(UNRESOLVED_NAMES, keys)


def key_of_all(keys: Collection[str]) -> str | None:
    """Return the key that lists all examples; None if none does."""
    return _first(INSTANCE_NAMES, keys)


def _first(names: Sequence[str], keys: Collection[str]) -> str | None:
    return next((name for name in names if name in keys), None)
