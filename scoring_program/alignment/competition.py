"""What takes part in one run: gold, metrics and aligned entries.

A competition has one part or several: its tasks, each with a gold file, or the public and the
private rows of one gold. Every entry takes part in each of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ..core.notes import Note
from ..metrics import Metric
from .entry import Entry
from .expected import Expected
from .gold import Gold, Labels

Form = Literal["teams", "field", "single"]


@dataclass(frozen=True, eq=False)
class Part:
    """One gold, what is expected of predictions for it, its metrics, and every entry's predictions.

    ``name`` is a task's, "private" or "public", or empty where there is one part. The metrics are
    in the order of the settings, the ranking one first.
    """

    name: str
    gold: Gold
    labels: Mapping[str, Labels]  # target column → gold labels [n]
    expected: Expected
    metrics: tuple[Metric, ...]
    entries: tuple[Entry, ...] = ()  # by name, the same names in every part

    def take(self, rows: Sequence[int]) -> Part:
        """Return the part on some of its examples."""
        return replace(
            self,
            gold=replace(self.gold.take(rows), whole=self.gold.columns),
            labels={column: array[rows] for column, array in self.labels.items()},
            entries=tuple(replace(item.take(rows), whole=item.columns) for item in self.entries),
        )


@dataclass(frozen=True)
class Unusable:
    """A submission that was left out, and the reason as its author may read it (several lines)."""

    name: str
    reason: str


@dataclass(frozen=True)
class Uncompared:
    """An entry that is scored and ranked, but compared with no other: there are too many."""

    name: str
    rank: int
    scores: Mapping[str, float]  # metric → score
    sha256: str


@dataclass(frozen=True, eq=False)
class Competition:
    """The parts (the one that ranks first) with the same usable entries, and facts about those.

    ``form`` is ``teams``, ``field`` (entry ``focus`` came alone and is compared with a packed
    field) or ``single`` (it came alone and there is no field). Unusable submissions of a packed
    field are the organizer's secret: ``withheld`` is not for the outputs.
    """

    form: Form
    parts: tuple[Part, ...]
    focus: int | None = None
    unusable: tuple[Unusable, ...] = ()
    withheld: tuple[Unusable, ...] = ()
    uncompared: tuple[Uncompared, ...] = ()  # best first
    runs: Mapping[str, int] = field(default_factory=dict)  # team → number of runs it sent
    teams: Mapping[str, str] = field(default_factory=dict)  # entry → team; a team's last run last
    notes: tuple[Note, ...] = ()
    split_by_usage: bool = False  # whether the parts are private and public rows of one gold

    @property
    def names(self) -> tuple[str, ...]:
        """The entries' names, [m]."""
        return tuple(item.name for item in self.parts[0].entries)

    @property
    def has_tasks(self) -> bool:
        """Whether the parts are tasks, ranked by the mean rank over them."""
        return len(self.parts) > 1 and not self.split_by_usage

    def keep(self, rows: Sequence[int], names: Sequence[str]) -> Competition:
        """Return the competition of some entries, under other names."""
        focus = None if self.focus not in rows else rows.index(self.focus)
        parts = tuple(
            replace(
                part,
                entries=tuple(
                    replace(part.entries[row], name=name)
                    for row, name in zip(rows, names, strict=True)
                ),
            )
            for part in self.parts
        )
        return replace(self, parts=parts, focus=focus)
