"""A table of scores of systems on units, made elsewhere, becomes a competition.

A missing score follows the setting ``missing``. ``error``: a system that lacks a score is unusable.
``worst``: a missing score is the worst that the table holds by that metric. ``drop_unit``: units on
which some system lacks a score are left out. Of several samples of a system on a unit, the mean is
the score: they are no independent evidence, so the unit is resampled with all of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ...core import cells
from ...core.arrays import Bools, Floats
from ...core.errors import (
    Problems,
    ReferenceDataError,
    SettingsError,
    SubmissionError,
    listed,
    quoted,
)
from ...core.phrases import Phrase, joined
from ...metrics import Metric, without_formulas
from ...reading.names import printable
from ...reading.table import Table
from ...settings.model import Settings
from .. import parts
from ..competition import (
    BY_ENTRY,
    SCORES_WORST,
    UNITS_DROPPED,
    Competition,
    Part,
    Unscored,
    Unusable,
)
from ..entry import Entry
from ..gold import Gold, digest, in_order
from ..joining.expected import Target
from ..joining.predictions import Column
from ..parts import ranking_first, target_of
from ..tasks import named_by_task, overall_metrics
from .score_metrics import metrics_of
from .score_names import is_missing
from .score_questions import Door
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
            if system not in of_system:
                of_system[system] = [-1] * units.n
            found = of_system[system]
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


def means_of_samples(
    columns: NamedColumns, table: Table, roles: Roles
) -> tuple[dict[str, list[str]], Table]:
    """Return a long table with one line for each unit, system and task: the mean of its samples.

    A score is missing if that of a sample is: messages then show the line of that sample. A sample
    that is given twice keeps its second line, which is reported like any score given twice.
    """
    named = [columns[name] for name in (*roles.units, roles.system, roles.task) if name is not None]
    samples = columns[roles.sample] if roles.sample is not None else ()
    groups: dict[tuple[str, ...], dict[str, int]] = {}  # unit, system, task → sample → row
    again: list[int] = []
    for row, sample in enumerate(samples):
        rows = groups.setdefault(tuple(column[row] for column in named), {})
        if rows.setdefault(sample, row) != row:
            again.append(row)
    kept = [next(iter(rows.values())) for rows in groups.values()]
    found = {
        name: [column[row] for row in (*kept, *again)]
        for name, column in columns.items()
        if name != roles.sample
    }
    numbers = [table.numbers[row] for row in (*kept, *again)]
    for name in roles.scores:
        values = cells.numbers(columns[name])
        for place, rows in enumerate(groups.values()):
            bad = next((row for row in rows.values() if not math.isfinite(values[row])), None)
            if bad is None:
                found[name][place] = repr(
                    math.fsum(values[row] for row in rows.values()) / len(rows)
                )
            else:
                found[name][place], numbers[place] = columns[name][bad], table.numbers[bad]
    return found, replace(table, columns=list(found.values()), numbers=numbers, lines=())


#: What to do about a system that lacks scores.
_REMEDY = Phrase(
    "Give every system a finite number on every unit, or say with 'missing' how a missing score "
    "counts: worst or drop_unit."
)


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of the usable systems, [n] of each column, and why others are unusable.

    A score that is missing, and counts as the worst, is nan.
    """

    table: ScoreTable  # with the units that are left
    values: Mapping[str, Mapping[str, Floats]]  # system → column → [n]
    unusable: Mapping[str, Phrase]
    notes: tuple[Phrase, ...] = ()

    def column(self, name: str, *, greater_is_better: bool) -> dict[str, Floats]:
        """Return every system's scores in a column, missing ones filled with the worst of all.

        Raises ReferenceDataError if no system has a score.
        """
        of_system = {system: columns[name] for system, columns in self.values.items()}
        every = np.concatenate(list(of_system.values()))
        known = every[~np.isnan(every)]
        if not known.size:
            raise ReferenceDataError(
                f"{self.table.units.file}: no system has a score"
                + (f" in the column {name!r}" if name else "")
            )
        worst = known.min() if greater_is_better else known.max()
        return {system: np.where(np.isnan(own), worst, own) for system, own in of_system.items()}

    def ranks(self, name: str, *, greater_is_better: bool) -> dict[str, Floats]:
        """Return every system's rank on each unit, [n]: 1 + the number of better systems.

        Exact ties share the better rank, and a missing score is behind all others, as in
        challengeR.
        """
        table = np.array([columns[name] for columns in self.values.values()])
        losses = np.where(np.isnan(table), np.inf, -table if greater_is_better else table)
        return {
            system: 1.0 + np.count_nonzero(losses < own, axis=0)
            for system, own in zip(self.values, losses, strict=True)
        }


def read_scores(table: ScoreTable, settings: Settings) -> Scores:
    """Return the numbers of a table by the policy for missing scores, the setting ``missing``.

    Raises
    ------
    ReferenceDataError
        ``drop_unit`` would leave out every unit.
    """
    values: dict[str, dict[str, Floats]] = {}
    unusable: dict[str, Phrase] = {}
    for system in sorted(table.scores):
        try:
            values[system] = _numbers(table, system, settings.missing)
        except SubmissionError as error:
            unusable[system] = error.reason
    found = Scores(table, values, unusable)
    if settings.missing == "drop_unit" and values:
        return _without_gaps(found, settings)
    gaps = _gaps(found)
    worst = Phrase(*SCORES_WORST, count=sum(gaps.values()))
    return replace(found, notes=_told(worst, gaps, settings))


def _numbers(table: ScoreTable, system: str, policy: str) -> dict[str, Floats]:
    """Return a system's scores by column, nan where there is none."""
    problems = Problems(table.units.file)
    for detail in table.repeated.get(system, ()):
        problems.add(Phrase("score given twice", "scores given twice"), detail)
    found = {
        name: _column(table, column, policy, problems)
        for name, column in table.scores[system].items()
    }
    problems.raise_if_any(_REMEDY)
    return found


def _column(table: ScoreTable, column: Column, policy: str, problems: Problems) -> Floats:
    values = np.array(cells.numbers([column.cells[r] if r >= 0 else "" for r in column.rows]))
    good = np.abs(values) < cells.LARGEST
    for i in column.in_order(np.flatnonzero(~good).tolist()):
        cell = column.cells[column.rows[i]] if column.rows[i] >= 0 else ""
        if not is_missing(cell):
            problems.add(
                Phrase("value that is not a finite number", "values that are not finite numbers"),
                Phrase(
                    "{place}: found {cell}, expected a finite number below {bound}",
                    place=column.place(i),
                    cell=quoted(cell),
                    bound=f"{cells.LARGEST:g}",
                ),
            )
        elif policy == "error":
            name = table.name_of(i)
            if column.rows[i] < 0:
                detail = Phrase("{unit}: no line", unit=name)
            else:
                place = column.place(i)
                place = Phrase("{place} ({unit})", place=place, unit=name) if name else place
                detail = Phrase("{place}: found {cell}", place=place, cell=quoted(cell))
            problems.add(Phrase("missing score", "missing scores"), detail)
    values[~good] = np.nan
    return values


def _without_gaps(found: Scores, settings: Settings) -> Scores:
    """Leave out the units on which some system has no score."""
    missing = [np.isnan(values) for of in found.values.values() for values in of.values()]
    gaps: Bools = np.logical_or.reduce(missing)
    kept = np.flatnonzero(~gaps).tolist()
    of_system = _gaps(found)
    if not kept:
        most = sorted(of_system, key=lambda name: -of_system[name])
        named = listed(f"{name} ({of_system[name]})" for name in most)
        raise ReferenceDataError(
            f"{found.table.units.file}: on every {found.table.unit} some system has no score, so "
            "'missing: drop_unit' leaves out all; remove the systems that lack most"
            + ("" if settings.anonymize else f": {named}")
        )
    values = {
        system: {name: scores[kept] for name, scores in of.items()}
        for system, of in found.values.items()
    }
    table = replace(found.table, units=found.table.units.take(kept))
    dropped = int(np.count_nonzero(gaps))
    note = Phrase(*UNITS_DROPPED, count=dropped)
    return replace(found, table=table, values=values, notes=_told(note, of_system, settings))


def _gaps(found: Scores) -> dict[str, int]:
    """Return how many scores each system lacks, of those that lack any."""
    counts = {
        system: sum(int(np.isnan(values).sum()) for values in of.values())
        for system, of in found.values.items()
    }
    return {system: count for system, count in counts.items() if count}


def _told(note: Phrase, gaps: Mapping[str, int], settings: Settings) -> tuple[Phrase, ...]:
    """Return a note on missing scores, with the systems that lack them unless they are secret."""
    if not gaps:
        return ()
    if settings.anonymize:
        return (note,)
    named = tuple(f"{system} ({gaps[system]})" for system in sorted(gaps))
    return (Phrase(BY_ENTRY, note=note, entries=named),)


#: An error says of so many systems why they cannot be compared.
_EXPLAINED = 3


def scored_elsewhere(
    columns: NamedColumns,
    table: Table,
    roles: Roles,
    settings: Settings,
    *,
    settings_folder: Path | None = None,
    sha256: str = "",
    stated: Mapping[str, bool] | None = None,
) -> Competition:
    """Return the competition of the systems in a table of scores, with a part for every task.

    ``stated`` is what a call in Python says: for columns of scores, whether a higher score is
    better, see `metrics_of`. It is None if the table is a file.

    Raises
    ------
    ReferenceDataError
        The table cannot be read as scores; see `score_table`, `score_cells` and `score_metrics`.
    SettingsError
        A metric is none of scores, or the policy for missing scores is one of predictions.
    """
    if settings.missing == "wrong":
        raise SettingsError(
            f"{settings.where('missing')}: 'wrong' is for predicted labels, and {table.file} holds "
            "scores; use error, worst or drop_unit"
        )
    if roles.sample is not None:
        columns, table = means_of_samples(columns, table, roles)
    door = Door(table.file, in_python=stated is not None)
    asked = metrics_of(roles, settings, settings_folder, door, stated or {})
    tables = read_tables(columns, table, roles, settings, sha256)
    by_task = {task: read_scores(found, settings) for task, found in tables.items()}
    lacking = _lacking(by_task)
    unusable = {
        name: joined(why.values()) for name, why in lacking.items() if len(why) == len(by_task)
    }
    names = {name for scores in by_task.values() for name in scores.values} - unusable.keys()
    if len(names) < 2:
        raise _too_few(table.file, len(names), unusable, settings)
    metrics = ranking_first(asked.metrics, settings)
    found = [
        _part(task, scores, metrics, asked.directions, settings, sorted(names))
        for task, scores in by_task.items()
    ]
    shown = {name: printable(name) for name in {*names, *unusable}}
    notes = [note for scores in by_task.values() for note in scores.notes]
    tasks = named_by_task(found, table.file)
    return Competition(
        form="teams",
        parts=tasks,
        overall=overall_metrics(tasks, settings) if len(tasks) > 1 else (),
        unscored=tuple(_unscored(sorted(names), lacking)),
        unusable=tuple(Unusable(shown[name], unusable[name]) for name in sorted(unusable)),
        runs=dict.fromkeys(sorted(shown.values()), 1),
        teams={name: name for name in shown.values()},
        notes=(*_layout(roles, sorted(shown.values()), found, settings), *asked.notes, *notes),
    )


def _too_few(
    file: str, systems: int, unusable: Mapping[str, str], settings: Settings
) -> ReferenceDataError:
    """Return the error for a table in which no two systems can be compared."""
    reasons = "".join(
        f"\n{unusable[name]}" if settings.anonymize else f"\n[{name}] {unusable[name]}"
        for name in sorted(unusable)[:_EXPLAINED]
    )
    if len(unusable) > _EXPLAINED:
        reasons += f"\n… and {len(unusable) - _EXPLAINED} more systems that cannot be compared"
    found = f"{'one' if systems else 'no'} system{' with all scores' if unusable else ''}"
    return ReferenceDataError(f"{file}: there is {found}; give at least two to compare{reasons}")


def _layout(
    roles: Roles, systems: Sequence[str], found: Sequence[Part], settings: Settings
) -> tuple[Phrase, ...]:
    """Return notes on how the table was understood; they do not name anonymous systems."""
    layout = Phrase(
        "Layout: a table of {systems:n} systems' scores on {units:n} units, without a gold."
        if roles.system is None
        else (
            "Layout: a table with one line for each of {units:n} units and {systems:n} systems, "
            "without a gold."
        ),
        systems=len(systems),
        units=sum(part.gold.n for part in found),
    )
    named = Phrase("Systems: {systems}.", systems=tuple(systems))
    return (layout,) if settings.anonymize else (layout, named)


def _lacking(by_task: Mapping[str, Scores]) -> dict[str, dict[str, Phrase]]:
    """Return why systems have no scores in tasks: system → task → reason."""
    reasons: dict[str, dict[str, Phrase]] = {}
    every = {name for scores in by_task.values() for name in scores.table.scores}
    for task, scores in by_task.items():
        for name in sorted(every):
            if name in scores.unusable:
                reasons.setdefault(name, {})[task] = scores.unusable[name]
            elif name not in scores.values:
                reasons.setdefault(name, {})[task] = Phrase(
                    "{file}: there is no line for the task {task}; add its scores",
                    file=scores.table.units.file,
                    task=repr(task),
                )
    return reasons


def _unscored(
    names: Sequence[str], lacking: Mapping[str, Mapping[str, Phrase]]
) -> Iterator[Unscored]:
    """Yield the tasks in which the systems ``names`` have no scores."""
    for number, name in enumerate(names):
        for task, reason in lacking.get(name, {}).items():
            yield Unscored(number, task, reason)


def _part(
    task: str,
    scores: Scores,
    metrics: tuple[Metric, ...],
    directions: Mapping[str, bool],
    settings: Settings,
    names: Sequence[str],
) -> Part:
    usable = {name: scores.values[name] for name in names if name in scores.values}
    scores = replace(scores, values=usable)
    units = scores.table.units
    targets = [target_of(metric, units) for metric in without_formulas(metrics)]
    predictions: dict[str, dict[Target, Floats]] = {name: {} for name in usable}
    for target in dict.fromkeys(filter(None, targets)) if usable else ():
        read = scores.ranks if target.kind == "ranks" else scores.column
        better = directions[target.column]
        for name, column in read(target.column, greater_is_better=better).items():
            predictions[name][target] = column
    entries = tuple(
        Entry(printable(name), predictions[name], {}, _digest(usable[name]))
        if name in usable
        else None
        for name in names
    )
    return parts.of_scores(task, units, metrics, settings, entries)


def _digest(values: Mapping[str, Floats]) -> str:
    """Return the hash of a system's scores, which the signature shows."""
    return digest(b"".join(column.tobytes() for column in values.values()))
