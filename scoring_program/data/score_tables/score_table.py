"""A table of scores of systems on units, made elsewhere, becomes a competition.

A missing score follows the setting ``missing``. ``error``: a system that lacks a score is unusable.
``worst``: a missing score is the worst that the table holds by that metric. ``drop_unit``: units on
which some system lacks a score are left out. ``judged``: the mean of a system is that of the units
on which it has a score, as in direct assessment (WMT), where judges see some systems only. Of
several samples, or judges, of a system on a unit, the mean is the score: they are no independent
evidence, so the unit is resampled with all of them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ...core import cells, errors
from ...core.arrays import Bools, Floats
from ...core.errors import listed, quoted
from ...core.folds import Folds
from ...core.phrases import Phrase, gettext_noop, joined
from ...core.rounding import average_ranks, without_rounding
from ...metrics import Metric, resolve, without_formulas
from ...reading.formats.kind import UNITS
from ...reading.names import printable
from ...reading.table import FileRows, Table
from ...recognize.expected import Target
from ...recognize.reading_record import Reading
from ...recognize.tables_of_scores.score_columns import Roles
from ...recognize.tables_of_scores.score_names import (
    is_missing,
    score_key,
    with_numbers,
)
from ...recognize.tables_of_scores.scores_rule import ScoresRecognition
from ...recognize.words_of_cells import is_sentinel
from ...settings.checks import MetricSpec
from ...settings.model import Settings
from .. import competition
from ..gold import Gold, digest, gold_of, in_order
from ..joining.predictions import NO_NUMBER, NOT_FINITE, Column
from ..joining.submission import Entry
from ..parts import of_scores, ranking_first
from ..targets import target_of
from .given_table import ScoreTable
from .score_metrics import metrics_of

#: The cells that name a unit, one of each column of units.
_Key = tuple[str, ...]
#: What to do about a system that lacks scores.
_REMEDY = Phrase(
    "Give every system a finite number on every unit, or say with 'missing' how a missing score "
    "counts: worst, drop_unit or judged."
)
_ONE_SCORE = Phrase(
    "Give every system one score on a unit: remove the other lines or, if they are samples whose "
    "mean counts, number them in a column of their own, and name it with the setting 'sample'."
)
_NOT_ONE = gettext_noop("{file}: there is not one score; add some, or remove the system")


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of one task: of the usable systems, [n] of each column; why others are unusable.

    ``units`` stands for the gold: the units' ids and the columns that belong to units. Columns have
    the names of metrics; that of a wide table has none. A score that is missing, and counts as the
    worst or not at all, is nan.
    """

    units: Gold
    values: dict[str, dict[str, Floats]]  # system → column → [n]
    unusable: dict[str, Phrase]
    notes: tuple[Phrase, ...] = ()

    def take(self, rows: Sequence[int]) -> Scores:
        """Return the scores on some of the units."""
        values = {}
        for system, columns in self.values.items():
            values[system] = {name: scores[rows] for name, scores in columns.items()}
        return replace(self, units=self.units.take(rows), values=values)


def _rows_of_tasks(table: Table, roles: Roles) -> dict[str, list[int]]:
    """Return the rows of every task. The only task of a table without tasks has no name.

    Raises ReferenceDataError if a unit, a system or a task has no name.
    """
    for name in (*roles.units, roles.system, roles.task):
        if name is not None and "" in table.named[name]:
            place = table.place(table.named[name].index(""))
            raise errors.ReferenceDataError(
                f"{table.file}: {place}: the {name} is empty; fill it in"
            )
    rows = range(len(table.numbers))
    tasks = table.named[roles.task] if roles.task else [""] * len(rows)
    return dict(sorted(cells.grouped(zip(tasks, rows, strict=True)).items()))


def _units_of_rows(score_table: ScoreTable, roles: Roles, rows: Sequence[int]) -> dict[int, _Key]:
    """Return row → its unit; raise ReferenceDataError if a wide table has a unit twice."""
    table = score_table.table
    named = [score_table.columns[name] for name in roles.units]
    key_of: dict[int, _Key] = {}
    first: dict[_Key, int] = {}  # unit → its first row
    for row in rows:
        key = tuple(unit[row] for unit in named) or (str(row),)
        key_of[row] = key
        if first.setdefault(key, row) != row and roles.system is None:
            raise errors.ReferenceDataError(
                f"{table.file}: {table.place(row)}: the {roles.unit} {quoted(_text(key))} was "
                f"already on {table.place(first[key])}; give each unit one line, or a second "
                "column that tells its lines apart"
            )
    return key_of


def _units(score_table: ScoreTable, roles: Roles, key_of: Mapping[int, _Key]) -> Gold:
    """Return the units of some rows, with the columns that have one value in all lines of a unit.

    Raises ReferenceDataError if the lines of a unit name several groups or strata.
    """
    table = score_table.table
    settings = score_table.settings
    first: dict[_Key, int] = {}  # unit → its first row
    for row, key in key_of.items():
        first.setdefault(key, row)
    design = {}
    needed = {name for _, name in settings.design_columns}
    of_lines = {roles.system, roles.task, *roles.measured} - needed
    for name, values in score_table.columns.items():
        if name in of_lines:
            continue
        differing = (row for row, key in key_of.items() if values[row] != values[first[key]])
        odd = next(differing, None)
        if odd is None:
            design[name] = [values[row] for row in first.values()]
        elif name in needed:
            raise errors.ReferenceDataError(
                f"{table.file}: {table.place(odd)}: the column {name!r} holds "
                f"{quoted(values[odd])}, but another value on an earlier line of the same "
                f"{roles.unit}; give all lines of a {roles.unit} one value"
            )
    of_units = replace(table, numbers=[table.numbers[row] for row in first.values()])
    units = gold_of(of_units, design, score_table.sha256, UNITS)
    if roles.units:
        units = replace(units, id_column=roles.unit, ids=tuple(map(_text, first)))
    return replace(in_order(units), unit_columns=settings.group_columns or roles.units)


def _read(score_table: ScoreTable, roles: Roles, rows: Sequence[int]) -> Scores:
    """Return the scores in some rows, and the columns with one value in all lines of a unit.

    Raises ReferenceDataError if a wide table has a unit twice, or if the lines of a unit name
    several groups or strata.
    """
    table = score_table.table
    settings = score_table.settings
    columns = score_table.columns
    key_of = _units_of_rows(score_table, roles, rows)
    units = _units(score_table, roles, key_of)
    lines, problems = _lines(table, roles, units, key_of)
    scores = Scores(units, {}, {})
    for system in sorted(roles.scores if roles.system is None else lines):
        met = problems.get(system, errors.Problems(table.file))
        if roles.system is None:  # the column has the name of the system
            called = "score" if settings.anonymize else system
            scores_of_column = {"": Column(called, columns[system], table.places, lines[""])}
        else:
            lines_of_system = lines[system]
            scores_of_column = {
                name: Column(name, columns[name], table.places, lines_of_system)
                for name in roles.measured
            }
        values = {
            name: _numbers(column, met, units, roles, settings)
            for name, column in scores_of_column.items()
        }
        try:
            met.raise_if_any(_ONE_SCORE if system in problems else _REMEDY)
            is_empty = all(np.isnan(numbers).all() for numbers in values.values())
            if settings.missing == "judged" and is_empty:
                raise errors.SubmissionError(Phrase(_NOT_ONE, file=table.file))
            scores.values[system] = values
        except errors.SubmissionError as error:
            scores.unusable[system] = error.reason
    return scores


def _lines(
    table: Table, roles: Roles, units: Gold, keys: Mapping[int, _Key]
) -> tuple[dict[str, list[int]], dict[str, errors.Problems]]:
    """Return the row of every unit for each system, −1 where there is none, and what is repeated.

    ``keys`` are the units in the rows. All systems of a wide table have the same rows: those of "".
    """
    order = list(dict.fromkeys(keys.values()))
    number = {order[position]: i for i, position in enumerate(units.positions)}
    lines: dict[str, list[int]] = {}
    problems: dict[str, errors.Problems] = {}
    for row, key in keys.items():
        system = "" if roles.system is None else table.named[roles.system][row]
        if system not in lines:
            lines[system] = [-1] * units.n
        of_unit = lines[system]
        i = number[key]
        if of_unit[i] < 0:
            of_unit[i] = row
            continue
        problems.setdefault(system, errors.Problems(table.file)).add(
            Phrase("score given twice", "scores given twice"),
            "{place}: {unit} {name} was already on {earlier}",
            place=partial(table.place, row),
            unit=roles.unit,
            name=partial(quoted, _text(key)),
            earlier=partial(table.place, of_unit[i]),
        )
    return lines, problems


def _text(key: _Key) -> str:
    return " / ".join(key)


def _numbers(
    column: Column, problems: errors.Problems, units: Gold, roles: Roles, settings: Settings
) -> Floats:
    """Return a system's scores in a column, [n], nan where there is none."""
    values = np.array(cells.numbers(column.of_examples(column.cells, "")))
    good = np.abs(values) < cells.LARGEST
    missing = Phrase("missing score", "missing scores")
    for i in column.in_order(np.flatnonzero(~good).tolist()):
        cell = column.cell(i) if column.rows[i] >= 0 else ""
        unit = "" if units.ids is None else f"{roles.unit} {quoted(units.ids[i])}"
        if not is_missing(cell):
            place_of_cell = partial(column.place, i)
            bound = f"{cells.LARGEST:g}"
            problems.add(NOT_FINITE, NO_NUMBER, place=place_of_cell, cell=quoted(cell), bound=bound)
        elif settings.missing == "error" and column.rows[i] < 0:
            problems.add(missing, "{unit}: no line", unit=unit)
        elif settings.missing == "error":
            place = column.place(i)
            place = Phrase("{place} ({unit})", place=place, unit=unit) if unit else place
            problems.add(missing, "{place}: found {cell}", place=place, cell=quoted(cell))
    values[~good] = np.nan
    return values


def _check_policy(metrics: Sequence[Metric], file: str, settings: Settings) -> None:
    """Raise SettingsError if the policy for missing scores does not fit scores, or the metrics."""
    where = settings.where("missing")
    if settings.missing == "wrong":
        raise errors.SettingsError(
            f"{where}: 'wrong' is for predicted labels, and {file} holds scores; use error, worst, "
            "drop_unit or judged"
        )
    if settings.missing != "judged":
        return
    for metric in without_formulas(metrics):
        if metric.function != "mean_score":
            raise errors.SettingsError(
                f"{where}: 'judged' is for means, and metric {metric.name!r} is "
                f"{metric.function}, which needs a score of every system on every unit; use "
                "mean_score, or another policy"
            )


def _gaps_of_columns(scores: Scores) -> dict[str, list[Bools]]:
    """Return which scores are missing in the columns of each system, [n] each."""
    lacking = {}
    for system, columns in scores.values.items():
        lacking[system] = [*map(np.isnan, columns.values())]
    return lacking


def _by_policy(
    scores: Scores, roles: Roles, settings: Settings, filled: Mapping[str, int]
) -> Scores:
    """Return the scores by the policy for missing ones, the setting ``missing``.

    ``filled`` are the samples that count as the worst already: system → how many.

    Raises
    ------
    ReferenceDataError
        ``drop_unit`` would leave out every unit.
    """
    lacking = _gaps_of_columns(scores)
    missing = [lack for of_columns in lacking.values() for lack in of_columns]
    judged = settings.missing == "judged"
    if judged and missing:  # a unit that nobody saw is none
        scores = scores.take(np.flatnonzero(~np.logical_and.reduce(missing)).tolist())
        lacking = _gaps_of_columns(scores)
    gaps = {}
    for system, gaps_of_columns in lacking.items():
        count = int(np.sum(gaps_of_columns)) + filled.get(system, 0)
        if count:
            gaps[system] = count
    if settings.missing != "drop_unit" or not missing:
        sentences = competition.NOT_JUDGED if judged else competition.SCORES_WORST
        note = Phrase(*sentences, count=sum(gaps.values()))
    else:
        lack: Bools = np.logical_or.reduce(missing)
        complete = np.flatnonzero(~lack).tolist()
        if not complete:
            most = sorted(gaps, key=lambda name: -gaps[name])
            named = listed(f"{name} ({gaps[name]})" for name in most)
            raise errors.ReferenceDataError(
                f"{scores.units.file}: on every {roles.unit} some system has no score, so "
                "'missing: drop_unit' leaves out all; remove the systems that lack most"
                + ("" if settings.anonymize else f": {named}")
            )
        note = Phrase(*competition.UNITS_DROPPED, count=int(np.count_nonzero(lack)))
        scores = scores.take(complete)
    if not settings.anonymize:
        entries = tuple(f"{system} ({gaps[system]})" for system in sorted(gaps))
        note = Phrase(competition.BY_ENTRY, note=note, entries=entries)
    return replace(scores, notes=(note,) if gaps else ())


def _column_of_costs(scores: ScoreTable, roles: Roles) -> str | None:
    """Return the column of costs of a long table; None if the settings name none.

    Raises
    ------
    SettingsError
        The table holds several tasks, or runs of methods, whose costs would be of another kind.
    ReferenceDataError
        A cost is negative.
    """
    column = scores.cost_column
    if column is None or roles.system is None:
        return None
    where = scores.settings.where("costs")
    for role, named in (("tasks", roles.task), ("runs of systems", roles.seed)):
        if named is not None:
            raise errors.SettingsError(
                f"{where}: a column of costs is for one task and one run of each system, but "
                f"{named!r} tells {role} apart; give each system's cost, as in "
                "'costs: {A: 0.12, B: 0.5}'"
            )
    for row, number in enumerate(cells.numbers(scores.columns[column])):
        if number < 0:
            place = f"{scores.file}: {scores.table.place(row)}"
            raise errors.ReferenceDataError(
                f"{place}: the cost {quoted(scores.columns[column][row])} in the column {column!r} "
                "is negative; give costs of 0 or more"
            )
    return column


def _mean_costs(column: str) -> Metric:
    """Return the mean of the costs in a column, of which lower ones are better."""
    spec = MetricSpec(score_key(column), "mean_score", column=column, greater_is_better=False)
    (costs,) = resolve([spec], None)
    return costs


def _refuse_sentinels(score_table: ScoreTable, roles: Roles) -> None:
    """Refuse numbers such as −999 that stand for missing scores: no other is negative."""
    table = score_table.table
    columns = score_table.columns
    numbers = {name: cells.numbers(columns[name]) for name in roles.scores}
    of_one_scale = [[*numbers]] if roles.system is None else [[name] for name in numbers]
    for names in of_one_scale:
        negative = [(row, name) for name in names for row, x in enumerate(numbers[name]) if x < 0]
        if negative and all(is_sentinel(numbers[name][row]) for row, name in negative):
            row, name = min(negative)
            secret = roles.system is None and score_table.settings.anonymize
            column = "" if secret else f", column {name!r}"
            raise errors.ReferenceDataError(
                f"{table.file}: {table.place(row)}{column}: {quoted(columns[name][row])} looks "
                "like a missing score; leave such cells empty, and let 'missing' say how they count"
            )


def _one_score(
    score_table: ScoreTable, roles: Roles, directions: Mapping[str, bool]
) -> tuple[Table, dict[str, Counter[str]]]:
    """Return a table with one score of each system on each unit, the mean of its samples if any.

    A score is missing if that of a sample is: messages then show the line of that sample. With
    ``missing: judged`` it is the mean of those samples that have one. With ``missing: worst``, a
    sample that has none counts as the worst, as long as the unit has another; how many do is
    returned by task and system. A sample that is given twice keeps its second line, which is
    reported like any score given twice.
    """
    table = score_table.table
    columns = score_table.columns
    filled: dict[str, Counter[str]] = {}
    if roles.sample is None:
        return table, filled
    named = [columns[name] for name in (*roles.units, roles.system, roles.task) if name is not None]
    groups: dict[tuple[str, ...], dict[str, int]] = {}  # unit, system, task → sample → row
    again: list[int] = []
    for row, sample in enumerate(columns[roles.sample]):
        rows = groups.setdefault(tuple(column[row] for column in named), {})
        if rows.setdefault(sample, row) != row:
            again.append(row)
    first_rows = [next(iter(rows.values())) for rows in groups.values()]
    lines = (*first_rows, *again)
    averaged = columns.keys() - {roles.sample}
    means = {}
    for name, values_of_column in columns.items():
        if name in averaged:
            means[name] = [values_of_column[row] for row in lines]
    numbers = [table.numbers[row] for row in lines]
    tasks = columns[roles.task] if roles.task else [""] * len(table.numbers)
    systems = columns[roles.system] if roles.system else [""] * len(table.numbers)
    for name in roles.measured:
        values = cells.numbers(columns[name])
        worst: Mapping[str, float] = {}  # of a cost
        if name in directions:
            worst = _worst_of_tasks(values, tasks, greater_is_better=directions[name])
        for place, every in enumerate(groups.values()):
            rows = {s: r for s, r in every.items() if not is_missing(columns[name][r])}
            lacking = len(every) - len(rows)
            counted = [values[row] for row in rows.values()]
            if score_table.settings.missing == "worst" and worst and rows and lacking:
                row = first_rows[place]
                counted += [worst[tasks[row]]] * lacking
                filled.setdefault(tasks[row], Counter())[systems[row]] += lacking
            elif score_table.settings.missing != "judged" or not rows:
                counted = [values[row] for row in every.values()]
                rows = every
            bad = next((row for row in rows.values() if not math.isfinite(values[row])), None)
            if bad is None:
                means[name][place] = repr(math.fsum(counted) / len(counted))
            else:
                means[name][place] = columns[name][bad]
                numbers[place] = table.numbers[bad]
    return replace(table.with_columns(means), numbers=numbers, lines=()), filled


def _worst_of_tasks(
    values: Sequence[float], tasks: Sequence[str], *, greater_is_better: bool
) -> dict[str, float]:
    """Return the worst score of every task: task → score, of those that have one."""
    worst: dict[str, float] = {}
    for value, task in zip(values, tasks, strict=True):
        if math.isfinite(value):
            so_far = worst.setdefault(task, value)
            worst[task] = min(value, so_far) if greater_is_better else max(value, so_far)
    return worst


def _runs_apart(scores: ScoreTable, roles: Roles) -> tuple[ScoreTable, dict[str, str]]:
    """Return a table whose systems are the runs "system/seed", and run → its system.

    A table without seeds stays as it is, and there are no such runs.

    Raises ReferenceDataError if a line has no seed, or runs of two systems get the same name.
    """
    if roles.seed is None or roles.system is None:
        return scores, {}
    columns = dict(scores.columns)
    seeds = columns.pop(roles.seed)
    if "" in seeds:
        row = seeds.index("")
        raise errors.ReferenceDataError(
            f"{scores.file}: {scores.table.place(row)}: the {roles.seed} is empty; fill it in"
        )
    system_of: dict[str, str] = {}
    runs = []
    for system, seed in zip(columns[roles.system], seeds, strict=True):
        run = f"{system}/{seed}" if system else ""
        namesake = system_of.setdefault(run, system)
        if namesake != system:
            raise errors.ReferenceDataError(
                f"{scores.file}: runs of {namesake!r} and of {system!r} would both be called "
                f"{run!r}; write no '/' into the {roles.seed}"
            )
        runs.append(run)
    table = scores.table.with_columns({**columns, roles.system: runs})
    return replace(scores, table=table), system_of


def settings_of_runs(recognition: ScoresRecognition, settings: Settings) -> Settings:
    """Return the settings under which runs that seeds tell apart are those of methods.

    Their mean counts, unless the settings say what else does. Raises SettingsError if that is the
    last run: seeds have no order.
    """
    seed = None if recognition.roles is None else recognition.roles.seed
    if seed is None:
        return settings
    if settings.runs == "last":
        raise errors.SettingsError(
            f"{settings.where('runs')}: {seed!r} tells the runs of a system apart, but not which "
            "one is the last; write 'runs: mean', or leave only the lines of the last runs"
        )
    return settings if "runs" in settings.lines else replace(settings, runs="mean")


#: An error says of so many systems why they cannot be compared.
_EXPLAINED = 3


def scored_elsewhere(
    score_table: ScoreTable, recognition: ScoresRecognition, tool: str = ""
) -> competition.Competition:
    """Return the competition of the systems in a table of scores, with a part for every task.

    The table is read as it was recognized; a ``tool`` may have logged the scores.

    Raises ReferenceDataError if the table cannot be read as scores; SettingsError if a metric is
    none of scores, or the policy for missing scores is one of predictions.
    """
    settings = score_table.settings
    file = score_table.file
    roles = recognition.roles
    assert roles is not None
    roles = replace(roles, cost=_column_of_costs(score_table, roles))
    score_table = replace(score_table, table=with_numbers(score_table.table, roles.measured))
    _refuse_sentinels(score_table, roles)
    score_table, method_of = _runs_apart(score_table, roles)
    table, filled = _one_score(score_table, roles, recognition.directions)
    score_table = replace(score_table, table=table)
    metrics, told = metrics_of(score_table, recognition)
    directions = recognition.directions
    _check_policy(metrics, file, settings)
    rows = _rows_of_tasks(table, roles)
    read = {task: _read(score_table, roles, rows[task]) for task in rows}
    by_task = {}
    for task, scores in read.items():
        by_task[task] = _by_policy(scores, roles, settings, filled.get(task, Counter()))
    lacking = _lacking(by_task)
    nowhere = (name for name, why in lacking.items() if len(why) == len(by_task))
    unusable = {name: joined(lacking[name].values()) for name in nowhere}
    scored = {name for scores in by_task.values() for name in scores.values}
    names = sorted(scored - unusable.keys())
    if len(names) < 2:
        raise _too_few(file, len(names), unusable, settings)
    _check_folds(by_task, settings)
    metrics = ranking_first(metrics, settings)
    costs = None if roles.cost is None else _mean_costs(roles.cost)
    scored_parts = []
    for task, scores in by_task.items():
        part = _part(task, scores, metrics, directions, settings, names, costs)
        scored_parts.append(part)
    parts = competition.named_by_task(scored_parts, file)
    parts = _with_reading(parts, recognition.reading)
    run_names = sorted({*names, *unusable})
    teams = {printable(name): printable(method_of.get(name, name)) for name in run_names}
    systems = [*dict.fromkeys(teams.values())]
    notes = (*_told_of(tool, parts), *table.notes, *_layout(roles, systems, parts, settings))
    missing = [note for scores in by_task.values() for note in scores.notes]
    left = (errors.LeftOut(printable(name), unusable[name]) for name in sorted(unusable))
    return competition.Competition(
        form="teams",
        parts=parts,
        overall=competition.overall_metrics(parts, settings) if len(parts) > 1 else (),
        unscored=tuple(_unscored(names, lacking)),
        unusable=tuple(left),
        runs=dict(sorted(Counter(teams.values()).items())),
        teams=teams,
        notes=(*notes, *told, *_told_of_costs(roles), *missing),
    )


def _unscored(
    names: Sequence[str], lacking: Mapping[str, Mapping[str, Phrase]]
) -> Iterator[competition.Unscored]:
    """Yield the tasks in which systems have no scores, and why."""
    for number, name in enumerate(names):
        for task, reason in lacking.get(name, {}).items():
            yield competition.Unscored(number, task, reason)


def _check_folds(by_task: Mapping[str, Scores], settings: Settings) -> None:
    """Raise SettingsError if the folds that are stated are not those of the table."""
    folds = settings.folds
    where = settings.where("folds")
    if not isinstance(folds, Folds):
        return
    for key in ("group", "stratify", "slices", "tests"):
        if getattr(settings, key):
            raise errors.SettingsError(
                f"{where}: folds are resampled neither by groups, strata or slices nor by other "
                f"tests; remove {key!r}, or 'folds'"
            )
    if settings.missing == "judged":
        raise errors.SettingsError(
            f"{where}: every system needs a score of every fold; remove 'missing: judged'"
        )
    if len(by_task) > 1:
        raise errors.SettingsError(
            f"{where}: the table holds {len(by_task)} tasks, and folds are of one; compare the "
            "systems on each task alone"
        )
    (scores,) = by_task.values()
    if scores.units.n != folds.rows:
        stated = ", ".join(f"{key}: {value:g}" for key, value in folds.stated.items())
        raise errors.SettingsError(
            f"{where}: {{{stated}}} needs {folds.rows} scores of each system, but "
            f"{scores.units.file} holds {scores.units.n}; state what the table holds"
        )


def _with_reading(
    parts: Sequence[competition.Part], reading: Reading | None
) -> tuple[competition.Part, ...]:
    """Return parts of which the first one holds what the only table means."""
    first = replace(parts[0], reading=reading)
    return (first, *parts[1:])


def _too_few(
    file: str, systems: int, unusable: Mapping[str, str], settings: Settings
) -> errors.ReferenceDataError:
    """Return the error for a table in which no two systems can be compared."""
    named = {name: "" if settings.anonymize else f"[{name}] " for name in sorted(unusable)}
    reasons = "".join(
        f"\n{name_of_entry}{unusable[name]}"
        for name, name_of_entry in [*named.items()][:_EXPLAINED]
    )
    if len(unusable) > _EXPLAINED:
        reasons += f"\n… and {len(unusable) - _EXPLAINED} more systems that cannot be compared"
    number = f"{'one' if systems else 'no'} system{' with all scores' if unusable else ''}"
    return errors.ReferenceDataError(
        f"{file}: there is {number}; give at least two to compare{reasons}"
    )


def _told_of(tool: str, parts: Sequence[competition.Part]) -> tuple[Phrase, ...]:
    """Return a note on the tool that logged scores, if one did."""
    if tool and all(metric.greater_is_better for part in parts for metric in part.metrics):
        return (Phrase("Logs of {tool}; higher scores are better.", tool=tool),)
    return (Phrase("Logs of {tool}.", tool=tool),) if tool else ()


def _told_of_costs(roles: Roles) -> tuple[Phrase, ...]:
    """Return a note on the column of costs, if there is one."""
    return () if roles.cost is None else (Phrase("Costs: column {column}.", column=roles.cost),)


def _layout(
    roles: Roles, systems: Sequence[str], parts: Sequence[competition.Part], settings: Settings
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
        units=sum(part.gold.n for part in parts),
    )
    named = Phrase("Systems: {systems}.", systems=tuple(sorted(systems)))
    return (layout,) if settings.anonymize else (layout, named)


def _lacking(by_task: Mapping[str, Scores]) -> dict[str, dict[str, Phrase]]:
    """Return why systems have no scores in tasks: system → task → reason."""
    reasons: dict[str, dict[str, Phrase]] = {}
    every = {name for scores in by_task.values() for name in (*scores.values, *scores.unusable)}
    no_line = gettext_noop("{file}: there is no line for the task {task}; add its scores")
    for task, scores in by_task.items():
        missing = Phrase(no_line, file=scores.units.file, task=repr(task))
        for name in sorted(every - scores.values.keys()):
            reasons.setdefault(name, {})[task] = scores.unusable.get(name, missing)
    return reasons


def _part(
    task: str,
    scores: Scores,
    metrics: tuple[Metric, ...],
    directions: Mapping[str, bool],
    settings: Settings,
    names: Sequence[str],
    costs: Metric | None,
) -> competition.Part:
    usable = [name for name in names if name in scores.values]
    read = [*without_formulas(metrics), *(() if costs is None else (costs,))]
    targets = [target_of(metric, scores.units) for metric in read]
    predictions: dict[str, dict[Target, Floats]] = {name: {} for name in usable}
    for target in dict.fromkeys(filter(None, targets)) if usable else ():
        table = np.array([scores.values[name][target.column] for name in usable])
        table = without_rounding(table)
        # Costs have no direction of their own: less is better.
        better = directions.get(target.column, False)
        if target.kind == "ranks":
            table = _ranks(table, greater_is_better=better)
        elif np.isnan(table).all():
            raise errors.ReferenceDataError(
                f"{scores.units.file}: no system has a score"
                + (f" in the column {target.column!r}" if target.column else "")
            )
        elif settings.missing != "judged":  # a missing score counts as the worst of all
            worst = np.nanmin(table) if better else np.nanmax(table)
            table = np.where(np.isnan(table), worst, table)
        for name, arrays in zip(usable, table, strict=True):
            predictions[name][target] = arrays
    values = scores.values
    contents = {name: b"".join(map(np.ndarray.tobytes, values[name].values())) for name in usable}
    predictions_of = {
        n: Entry(printable(n), arrays, FileRows(), digest(contents[n]))
        for n, arrays in predictions.items()
    }
    part = of_scores(task, scores.units, metrics, settings, tuple(map(predictions_of.get, names)))
    return replace(part, costs=costs)


def _ranks(table: Floats, *, greater_is_better: bool) -> Floats:
    """Return every system's rank on each unit, [m, n]; 1 is the best.

    Exact ties share the average rank, and a missing score is behind all others.
    """
    losses = np.where(np.isnan(table), np.inf, -table if greater_is_better else table)
    return np.ascontiguousarray(average_ranks(losses.T).T)
