"""From the cells of a table of scores to numbers, by the policy for missing scores.

``error``: a system that lacks a score is unusable. ``worst``: a missing score is the worst that the
table holds by that metric. ``drop_unit``: units on which some system lacks a score are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..core import cells
from ..core.arrays import Bools, Floats
from ..core.errors import Problems, ReferenceDataError, SubmissionError, listed, quoted
from ..core.notes import Note
from ..core.phrases import Phrase
from ..settings.model import Settings
from .predictions import Column
from .score_roles import is_missing
from .score_table import ScoreTable

#: What to do about a system that lacks scores.
_REMEDY = Phrase(
    "Give every system a finite number on every unit, or say with the setting 'missing' how a "
    "missing score counts: worst or drop_unit."
)


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of the usable systems, [n] of each column, and why others are unusable.

    A score that is missing, and counts as the worst, is nan.
    """

    table: ScoreTable  # with the units that are left
    values: Mapping[str, Mapping[str, Floats]]  # system → column → [n]
    unusable: Mapping[str, Phrase]
    notes: tuple[Note, ...] = ()

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
    worst = Note("notes.scores_worst", {"count": sum(gaps.values())})
    return replace(found, notes=_told(worst, gaps, settings))


def _numbers(table: ScoreTable, system: str, policy: str) -> dict[str, Floats]:
    """Return a system's scores by column, nan where there is none."""
    problems = Problems(table.units.file)
    for detail in table.repeated.get(system, ()):
        problems.add("score(s) given twice", detail)
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
                "cell(s) without a finite number",
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
            problems.add("missing score(s)", detail)
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
    note = Note("notes.units_dropped", {"count": dropped})
    return replace(found, table=table, values=values, notes=_told(note, of_system, settings))


def _gaps(found: Scores) -> dict[str, int]:
    """Return how many scores each system lacks, of those that lack any."""
    counts = {
        system: sum(int(np.isnan(values).sum()) for values in of.values())
        for system, of in found.values.items()
    }
    return {system: count for system, count in counts.items() if count}


def _told(note: Note, gaps: Mapping[str, int], settings: Settings) -> tuple[Note, ...]:
    """Return a note on missing scores, with the systems that lack them unless they are secret."""
    if not gaps:
        return ()
    if settings.anonymize:
        return (note,)
    named = tuple(f"{system} ({gaps[system]})" for system in sorted(gaps))
    return (Note("notes.missing_of", {"note": note, "entries": named}),)
