"""A table of scores of systems on units, made elsewhere: where each system's cells lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..core.errors import ReferenceDataError, quoted
from ..core.phrases import Phrase
from ..reading.table import Table
from ..settings.model import Settings
from .gold import Gold, in_order
from .predictions import Column
from .score_roles import NamedColumns, Roles

#: What the page calls the examples of a table of scores; see `Gold.kind`.
UNITS = "units"
#: The cells that name a unit, one of each column of units.
_Key = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """The scores of one task.

    ``units`` stands for the gold: the units' ids and the columns that belong to units. ``scores``
    maps a system to its columns, which have the names of metrics; that of a wide table has none.
    Row −1 of a column says that a unit has no line. ``repeated`` maps a system to the lines, in
    words, that give a score again.
    """

    units: Gold
    unit: str  # what a message calls a unit
    scores: Mapping[str, Mapping[str, Column]]
    repeated: Mapping[str, Sequence[Phrase]]

    def name_of(self, i: int) -> str:
        """Return what a message calls unit i; empty if units have no names."""
        return "" if self.units.ids is None else f"{self.unit} {quoted(self.units.ids[i])}"


def read_tables(
    columns: NamedColumns, table: Table, roles: Roles, settings: Settings, sha256: str
) -> dict[str, ScoreTable]:
    """Return the scores of every task. The only task of a table without tasks has no name.

    Raises
    ------
    ReferenceDataError
        A unit, a system or a task has no name, a wide table has a unit twice, or the lines of a
        unit name several groups or strata.
    """
    for name in (*roles.units, roles.system, roles.task):
        if name is not None and "" in columns[name]:
            place = table.place(columns[name].index(""))
            raise ReferenceDataError(f"{table.file}: {place}: the {name} is empty; fill it in")
    tasks: dict[str, list[int]] = {}
    for row in range(len(table.numbers)):
        tasks.setdefault(columns[roles.task][row] if roles.task else "", []).append(row)
    reader = _Reader(columns, table, roles, settings, sha256)
    return {task: reader.read(tasks[task]) for task in sorted(tasks)}


@dataclass(frozen=True, eq=False)
class _Reader:
    columns: NamedColumns
    table: Table
    roles: Roles
    settings: Settings
    sha256: str

    def read(self, rows: Sequence[int]) -> ScoreTable:
        """Return the scores in some rows of the table."""
        named = [self.columns[name] for name in self.roles.units]
        keys = [tuple(cells[row] for cells in named) if named else (str(row),) for row in rows]
        first: dict[_Key, int] = {}  # unit → its first row
        for key, row in zip(keys, rows, strict=True):
            if first.setdefault(key, row) != row and self.roles.system is None:
                raise ReferenceDataError(
                    f"{self.table.file}: {self.table.place(row)}: the {self.roles.unit} "
                    f"{quoted(_text(key))} was already on {self.table.place(first[key])}; give "
                    "each unit one line, or a second column that tells its lines apart"
                )
        units = self._units(first, dict(self._design(keys, rows, first)))
        if self.roles.system is None:
            of_unit = list(first.values())
            in_line = [of_unit[i] for i in units.positions]
            wide = {name: {"": self._column(name, in_line)} for name in self.roles.scores}
            return ScoreTable(units, self.roles.unit, wide, {})
        return self._long(rows, keys, list(first), units)

    def _units(self, first: Mapping[_Key, int], design: Mapping[str, Sequence[str]]) -> Gold:
        """Return the units as reference data, sorted by their ids."""
        whole = Gold(
            file=self.table.file,
            id_column=self.roles.unit if self.roles.units else None,
            ids=tuple(map(_text, first)) if self.roles.units else None,
            columns=design,
            places=self.table.places.take(first.values()),
            positions=range(len(first)),
            total=len(first),
            targets=(),
            sha256=self.sha256,
            kind=UNITS,
        )
        return in_order(whole)

    def _design(
        self, keys: Sequence[_Key], rows: Sequence[int], first: Mapping[_Key, int]
    ) -> Iterator[tuple[str, list[str]]]:
        """Yield the columns that belong to units: each has one value in all lines of a unit."""
        needed = {name for _, name in self.settings.design_columns}
        used = {self.roles.system, self.roles.task, *self.roles.scores} - needed
        for name in self.columns.keys() - used:
            cells = self.columns[name]
            odd = next(
                (
                    row
                    for key, row in zip(keys, rows, strict=True)
                    if cells[row] != cells[first[key]]
                ),
                None,
            )
            if odd is None:
                yield name, [cells[row] for row in first.values()]
            elif name in needed:
                raise ReferenceDataError(
                    f"{self.table.file}: {self.table.place(odd)}: the column {name!r} holds "
                    f"{quoted(cells[odd])}, but another value on an earlier line of the same "
                    f"{self.roles.unit}; give all lines of a {self.roles.unit} one value"
                )

    def _long(
        self, rows: Sequence[int], keys: Sequence[_Key], order: Sequence[_Key], units: Gold
    ) -> ScoreTable:
        assert self.roles.system is not None
        number = {order[position]: i for i, position in enumerate(units.positions)}
        of_system: dict[str, list[int]] = {}  # system → the row of each unit, or −1
        repeated: dict[str, list[Phrase]] = {}
        for key, row in zip(keys, rows, strict=True):
            system, i = self.columns[self.roles.system][row], number[key]
            found = of_system.setdefault(system, [-1] * units.n)
            if found[i] >= 0:
                again = Phrase(
                    "{place}: {unit} {name} was already on {earlier}",
                    place=self.table.place(row),
                    unit=self.roles.unit,
                    name=quoted(_text(key)),
                    earlier=self.table.place(found[i]),
                )
                repeated.setdefault(system, []).append(again)
            else:
                found[i] = row
        scores = {
            system: {name: self._column(name, found) for name in self.roles.scores}
            for system, found in of_system.items()
        }
        return ScoreTable(units, self.roles.unit, scores, repeated)

    def _column(self, name: str, rows: Sequence[int]) -> Column:
        # In a wide table the column has the name of a system.
        secret = self.settings.anonymize and self.roles.system is None
        return Column("score" if secret else name, self.columns[name], self.table.places, rows)


def _text(key: _Key) -> str:
    return " / ".join(key)
