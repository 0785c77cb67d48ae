"""Which columns of a table of scores name units, systems and tasks, and which hold scores.

A *long* table has one line for each unit and system, and one column for each metric. A *wide* table
has one line for each unit and one column for each system.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ..core import cells
from ..core.errors import ReferenceDataError, listed
from ..settings.model import Settings
from .columns import TARGET_NAMES, is_id_name, is_nameless

NamedColumns = Mapping[str, Sequence[str]]

#: What columns are called, in small letters without spaces, hyphens, underscores and "id"; among
#: them the names in the examples of challengeR (Wiesenfarth et al. 2021).
_SYSTEM_NAMES = frozenset(
    (
        "system", "systemname", "team", "teamname", "algorithm", "algorithmname", "algo", "alg",
        "algname", "model", "modelname", "method", "classifier", "participant", "submission",
        "entry", "competitor",
    )
)  # fmt: skip
_UNIT_NAMES = frozenset(
    (
        "unit", "case", "testcase", "query", "q", "topic", "fold", "subject", "patient", "user",
        "question", "item", "image", "scan", "example", "document", "doc", "instance", "dataset",
        "repeat", "repetition", "split",
    )
)  # fmt: skip
_SAMPLE_NAMES = frozenset(("sample", "samples", "attempt", "trial"))
_TASK_NAMES = frozenset(("task", "taskname", "subtask"))
#: How cells say that there is no score.
_NO_SCORE = frozenset(("", "na", "n/a", "nan", "none", "null"))


@dataclass(frozen=True)
class Roles:
    """The columns of a table of scores by what they hold.

    ``scores`` are the metrics of a long table and the systems of a wide one, whose ``system`` is
    None. Without ``units`` every line is a unit of its own. A long table may number the samples of
    a system on a unit.
    """

    units: tuple[str, ...]
    system: str | None
    task: str | None
    scores: tuple[str, ...]
    sample: str | None = None

    @property
    def unit(self) -> str:
        """What a message calls a unit."""
        return self.units[0] if len(self.units) == 1 else "unit"


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is no score."""
    return cell.casefold() in _NO_SCORE


def roles_of(columns: NamedColumns, settings: Settings, file: str) -> Roles | None:
    """Return the roles of a table's columns; None if it does not hold scores.

    Raises
    ------
    ReferenceDataError
        The setting ``layout`` calls the table long, but it lacks a column that such a table has.
    """
    if settings.layout == "long":
        return _forced(columns, settings, file)
    long = None if settings.layout == "wide" else _long(columns, settings)
    return long or _wide(columns, settings)


def _long(columns: NamedColumns, settings: Settings) -> Roles | None:
    """Return the roles in a long table: its units occur with several systems each."""
    system = _called(columns, _SYSTEM_NAMES)
    task = _called(columns, _TASK_NAMES)
    units = _unit_columns(columns, settings, {system, task})
    if system is None or not units:
        return None
    lines = list(zip(*(columns[name] for name in (*units, *([task] if task else []))), strict=True))
    if len(set(lines)) == len(lines) or len(set(columns[system])) < 2:
        return None
    design = {settings.group, settings.stratify, *units}
    rest = {name: cells for name, cells in columns.items() if name not in design}
    sample = _called(rest, _SAMPLE_NAMES)
    scores = _metric_columns(columns, settings, {*units, system, task, sample}, lines)
    return Roles(units, system, task, scores, sample) if scores else None


def _forced(columns: NamedColumns, settings: Settings, file: str) -> Roles:
    found = _long(columns, settings)
    if found is not None:
        return found
    system = _called(columns, _SYSTEM_NAMES)
    wanted, called = ("systems", "system")
    if system is not None:
        units = _unit_columns(columns, settings, {system})
        wanted, called = ("scores", "score") if units else ("units", "case")
    raise ReferenceDataError(
        f"{file}: 'layout: long' needs a line for each unit and system, such as "
        f"'case,system,score', but no column of {listed(columns)} is known to hold {wanted}; "
        f"call it {called!r}"
    )


def _wide(columns: NamedColumns, settings: Settings) -> Roles | None:
    """Return the roles in a wide table: all but the columns in front are numbers.

    A table with a gold column holds predictions.
    """
    if any(spec.column in columns for spec in settings.metrics):
        return None
    task = _called(columns, _TASK_NAMES)
    units = _ids_in_front(columns, settings, task)
    design = {*(name for _, name in settings.design_columns), task, *units}
    rest = [
        name
        for name in columns
        if name not in design and _key(name) not in _UNIT_NAMES and not is_nameless(name)
    ]
    if any(name.casefold() in TARGET_NAMES for name in rest):
        return None
    systems = [name for name in rest if _are_scores(columns[name])]
    return Roles(units, None, task, tuple(systems)) if len(systems) > 1 else None


def _ids_in_front(columns: NamedColumns, settings: Settings, task: str | None) -> tuple[str, ...]:
    """Return the columns of a wide table that tell its lines apart; empty if none do.

    A first column of texts or whole numbers that are all different holds ids, whatever its name.
    """
    named = _unit_columns(columns, settings, {task})
    if _tell_lines_apart(columns, named, task):
        return named
    first = next(iter(columns))
    if _are_ids(columns[first]) and _tell_lines_apart(columns, (first,), task):
        return (first,)
    # Ids that are repeated are an error. Other names may number groups of lines, unless hardly any
    # line is repeated.
    return tuple(
        name
        for name in named
        if is_id_name(name) or name == settings.id_column or _hardly_repeated(columns[name])
    )


def _hardly_repeated(values: Sequence[str]) -> bool:
    """Whether at most one in twenty lines repeats another's cell, by mistake."""
    return len(values) - len({*values}) <= max(1, len(values) // 20)


def _tell_lines_apart(columns: NamedColumns, names: Sequence[str], task: str | None) -> bool:
    keys = [columns[name] for name in (*names, *([task] if task else []))]
    return bool(names) and len(set(zip(*keys, strict=True))) == len(keys[0])


def _are_ids(values: Sequence[str]) -> bool:
    return all(values) and (cells.are_integers(values) or not any(map(cells.is_number, values)))


def _unit_columns(
    columns: NamedColumns, settings: Settings, others: Collection[str | None]
) -> tuple[str, ...]:
    if settings.id_column is not None:
        return (settings.id_column,)
    return tuple(
        name
        for name in columns
        if name not in others and (_key(name) in _UNIT_NAMES or is_id_name(name))
    )


def _metric_columns(
    columns: NamedColumns,
    settings: Settings,
    others: Collection[str | None],
    lines: Sequence[tuple[str, ...]],
) -> tuple[str, ...]:
    """Return the columns of scores: those that metrics name, or else all that differ by system."""
    named = [name for name in columns if any(name in (m.column, m.name) for m in settings.metrics)]
    if named:
        return tuple(named)
    design = {*(name for _, name in settings.design_columns), *others}
    rest = [name for name in columns if name not in design and not is_nameless(name)]
    numbers = [name for name in rest if _are_scores(columns[name])]
    varying = [
        name
        for name in numbers
        if len(set(zip(lines, columns[name], strict=True))) > len(set(lines))
    ]
    return tuple(varying or numbers)


def _are_scores(values: Sequence[str]) -> bool:
    """Whether most of the cells that are not missing are numbers."""
    given = [cell for cell in values if not is_missing(cell)]
    return not given or 2 * sum(map(cells.is_number, given)) > len(given)


def _called(columns: NamedColumns, names: Collection[str]) -> str | None:
    return next((name for name in columns if _key(name) in names), None)


def _key(name: str) -> str:
    plain = re.sub(r"[\W_]+", "", name.casefold())
    return plain.removesuffix("id") or plain
