"""One bad input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.hostile.trap import Trap

Spoil = Callable[[Trap], object]


@dataclass(frozen=True)
class Bad:
    """One bad input: how it comes about, and what must become of it."""

    kind: str
    name: str
    spoil: Spoil
    status: int
    says: tuple[str, ...] = ()

    @property
    def shows_own_cells(self) -> bool:
        """Whether the message quotes cells of the submission that happen to be labels."""
        return self.name == "ids and labels exchanged"
