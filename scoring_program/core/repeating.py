"""Columns that know their different values. Kits check uploads with this, without NumPy."""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .arrays import Array


class Repeated(Sequence[Any]):
    """A sequence [n] in which few values repeat.

    What depends on a value alone is computed once for each different one (`different`, `map`), and
    rows are taken without a line of Python for each.
    """

    @property
    @abstractmethod
    def present(self) -> list[Any]:
        """The different values, each once."""

    @abstractmethod
    def map(self, function: Callable[[Any], Any]) -> Repeated:
        """Return the function's value of every row."""

    @abstractmethod
    def take(self, rows: Sequence[int] | Array) -> Repeated:
        """Return the values of some rows."""


def different(values: Sequence[Any]) -> Collection[Any]:
    """Return the different values of a column as a set."""
    return {*values.present} if isinstance(values, Repeated) else {*values}


def taken(values: Sequence[Any], rows: Sequence[int] | Array) -> Sequence[Any]:
    """Return the values of some rows, [k]; ``rows`` of NumPy, or in an `array`, cost the least.

    Numbers of a range are kept in an eighth of a list's memory, and NumPy reads them as they are.
    """
    if isinstance(values, Repeated):
        return values.take(rows)
    if isinstance(rows, Sequence):
        return list(map(values.__getitem__, rows))
    if isinstance(values, range):
        items = array("q")
        items.frombytes((values.start + values.step * rows.astype("int64")).tobytes())
        return items
    return list(map(values.__getitem__, rows.tolist()))
