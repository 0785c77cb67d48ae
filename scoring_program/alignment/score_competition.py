"""The competition of a table of scores that were made elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from ..core.arrays import Floats
from ..core.errors import ReferenceDataError, SettingsError
from ..core.notes import Note
from ..core.phrases import Phrase, joined
from ..metrics import Metric, without_formulas
from ..reading.names import printable
from ..reading.table import Table
from ..settings.model import Settings
from . import parts, score_samples
from .competition import Competition, Part, Unscored, Unusable
from .entry import Entry
from .expected import Target
from .gold import digest
from .gold_metrics import ranking_first
from .overall_metrics import overall_metrics
from .requirements import target_of
from .score_cells import Scores, read_scores
from .score_metrics import metrics_of
from .score_roles import NamedColumns, Roles
from .score_table import read_tables
from .tasks import named_by_task

#: An error says of so many systems why they cannot be compared.
_EXPLAINED = 3


def competition(
    columns: NamedColumns,
    table: Table,
    roles: Roles,
    settings: Settings,
    *,
    settings_folder: Path | None = None,
    sha256: str = "",
    stated: Mapping[str, bool] = MappingProxyType({}),
) -> Competition:
    """Return the competition of the systems in a table of scores, with a part for every task.

    ``stated`` maps columns of scores to whether a higher score is better, see `metrics_of`.

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
        columns, table = score_samples.means(columns, table, roles)
    asked = metrics_of(roles, settings, settings_folder, table.file, stated)
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
        notes=(_layout(roles, len(shown), found), *asked.notes, *notes),
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


def _layout(roles: Roles, systems: int, found: Sequence[Part]) -> Note:
    return Note(
        "notes.layout_units" if roles.system is None else "notes.layout_long",
        {"systems": systems, "units": sum(part.gold.n for part in found)},
    )


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
