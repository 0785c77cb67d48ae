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
