"""A competition: gold, metrics and aligned entries.

It has one part or several: tasks, each with a gold file, or the public and the private rows of one
gold. Every entry takes part in each of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ..core.errors import LeftOut
from ..core.phrases import Phrase, gettext_noop, ngettext_noop
from ..metrics import Metric
from ..metrics.organizer import FileFunction
from .entry import Labels
from .gold import Gold
from .joining.expected import Expected
from .joining.submission import Entry

Form = Literal["teams", "field", "single"]
#: What notes say of predictions and scores that are missing.
MISSING = ngettext_noop(
    "{count:n} missing prediction counts as wrong.",
    "{count:n} missing predictions count as wrong.",
)
SCORES_WORST = ngettext_noop(
    "{count:n} missing score counts as the worst that the table holds.",
    "{count:n} missing scores count as the worst that the table holds.",
)
UNITS_DROPPED = ngettext_noop(
    "{count:n} unit is left out, because an entry has no score on it.",
    "{count:n} units are left out, because an entry has no score on them.",
)
NOT_JUDGED = ngettext_noop(
    "{count:n} missing score does not count: the mean of an entry is over the units on which it "
    "has a score.",
    "{count:n} missing scores do not count: the mean of an entry is over the units on which it "
    "has a score.",
)
BY_ENTRY = gettext_noop("{note} By entry: {entries}.")
#: What a note says of preferences that allow no strengths.
NOT_CONNECTED = gettext_noop(
    "Some systems never won, or never lost, against all others, so there are no Bradley-Terry "
    "strengths: only win rates, which depend on who met whom."
)
GAPS = (MISSING[0], SCORES_WORST[0], UNITS_DROPPED[0], NOT_JUDGED[0], BY_ENTRY)


@dataclass(frozen=True, eq=False)
class Part:
    """One gold with its metrics, the rules for its predictions, and every entry's predictions.

    ``name`` is the task, "private" or "public", or empty if there is only one part. The ranking
    metric comes first; the others keep the order of the settings.
    """

    name: str
    gold: Gold
    labels: Mapping[str, Labels]  # target column → gold labels [n]
    expected: Expected
    metrics: tuple[Metric, ...]
    entries: tuple[Entry | None, ...] = ()  # of each in the competition; None if it is missing
    prefix: str = ""  # of the metrics' names, in front of those in the settings
    reader: FileFunction | None = None  # the organizer's own, if one reads the predictions

    @property
    def names_in_settings(self) -> tuple[str, ...]:
        """What the settings call the metrics."""
        return tuple(metric.name.removeprefix(self.prefix) for metric in self.metrics)

    def take(self, rows: Sequence[int]) -> Part:
        """Return the part on some of its examples."""
        return replace(
            self,
            gold=replace(self.gold.take(rows), whole=self.gold.columns),
            labels={column: array[rows] for column, array in self.labels.items()},
            entries=tuple(
                None if item is None else replace(item.take(rows), whole=item.columns)
                for item in self.entries
            ),
        )

    @property
    def present(self) -> tuple[int, ...]:
        """The numbers of the entries that take part."""
        return tuple(row for row, entry in enumerate(self.entries) if entry is not None)


@dataclass(frozen=True)
class Unscored:
    """A task or metrics in which an entry has no score, and the reason in words for its author."""

    entry: int
    where: str
    reason: Phrase


@dataclass(frozen=True)
class Uncompared:
    """An entry that is scored and ranked, but not compared, because there are too many."""

    name: str
    rank: int
    scores: Mapping[str, float]  # metric → score
    sha256: str


@dataclass(frozen=True, eq=False)
class Competition:
    """The parts, each with its entries, and facts about these.

    The first part ranks or, of tasks, the first of the ``overall`` metrics.

    ``form`` is ``teams``, ``field`` (the entry ``focus`` is a single submission that is compared
    with the field) or ``single`` (a single submission without a field). ``withheld`` are unusable
    submissions of the field. They are the organizer's secret and stay out of the outputs.
    """

    form: Form
    parts: tuple[Part, ...]
    focus: int | None = None
    unusable: tuple[LeftOut, ...] = ()
    withheld: tuple[LeftOut, ...] = ()
    unscored: tuple[Unscored, ...] = ()
    uncompared: tuple[Uncompared, ...] = ()  # best first
    left_aside: tuple[LeftOut, ...] = ()  # uploads that are not compared, those included
    averaged: int = 0  # runs beyond the first of their teams, which count in the teams' means
    runs: Mapping[str, int] = field(default_factory=dict)  # team → number of runs it sent
    teams: Mapping[str, str] = field(default_factory=dict)  # entry → team; a team's last run last
    notes: tuple[Phrase, ...] = ()
    overall: tuple[Metric, ...] = ()  # metrics over tasks
    split_by_usage: bool = False  # whether the parts are private and public rows of one gold
    worst_if_missing: bool = False  # whether who lacks a task has the metrics' worst values there

    @property
    def names(self) -> tuple[str, ...]:
        """The entries' names, [m]."""
        in_parts = zip(*(part.entries for part in self.parts), strict=True)
        return tuple(next(entry.name for entry in found if entry) for found in in_parts)

    @property
    def has_tasks(self) -> bool:
        """Whether the parts are tasks, ranked by an overall metric."""
        return len(self.parts) > 1 and not self.split_by_usage

    def taking_part(self, part: Part) -> tuple[int, ...]:
        """Return the numbers of the entries that have scores in a part.

        They are those that are present or, with `worst_if_missing`, all.
        """
        return tuple(range(len(part.entries))) if self.worst_if_missing else part.present

    def keep(self, rows: Sequence[int], names: Sequence[str]) -> Competition:
        """Return the competition of some entries, under other names."""
        focus = None if self.focus not in rows else rows.index(self.focus)
        parts = tuple(
            replace(
                part,
                entries=tuple(
                    entry and replace(entry, name=name)
                    for entry, name in zip((part.entries[row] for row in rows), names, strict=True)
                ),
            )
            for part in self.parts
        )
        number = {row: place for place, row in enumerate(rows)}
        unscored = tuple(
            replace(item, entry=number[item.entry])
            for item in self.unscored
            if item.entry in number
        )
        old = self.names
        renamed = {
            name: self.teams.get(old[row], old[row])
            for row, name in zip(rows, names, strict=True)
            if name != old[row]
        }
        teams = {**self.teams, **renamed}
        return replace(self, parts=parts, focus=focus, unscored=unscored, teams=teams)
