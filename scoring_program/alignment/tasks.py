"""The tasks of one competition: names that tell them apart, and examples that they share."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

from ..core.errors import ReferenceDataError, SettingsError, listed, nearest
from ..core.notes import Note
from ..settings.model import Settings
from .competition import Competition, Part
from .gold import PRIVATE, PUBLIC, Gold

#: What names of copies say.
_COPY = re.compile(r"(?:^|[\W_])(?:copy|backup|bak|old)(?:$|[\W_\d])", re.IGNORECASE)


def named_by_task(parts: Sequence[Part], where: str) -> tuple[Part, ...]:
    """Return parts with their tasks in front of their metrics' names; a single one unchanged.

    Raises
    ------
    ReferenceDataError
        Two tasks' names give the same keys in scores.txt. The message starts with ``where``.
    """
    if len(parts) < 2:
        return tuple(parts)
    renamed = tuple(_renamed(part, part.name) for part in parts)
    keys = [metric.name for part in renamed for metric in part.metrics]
    if len(set(keys)) < len(keys):
        raise ReferenceDataError(
            f"{where}: the names of the tasks {', '.join(part.name for part in parts)} give the "
            "same keys in scores.txt; use names that differ in ASCII letters or digits"
        )
    return renamed


def _renamed(part: Part, prefix: str) -> Part:
    """Return a part with its name in front of its metrics' names, which makes them unique."""
    key = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in prefix)
    metrics = tuple(
        replace(metric, name=f"{key}_{metric.name}").redefined(label=f"{prefix}: {metric.label}")
        for metric in part.metrics
    )
    return replace(part, metrics=metrics, prefix=f"{key}_")


def by_usage(competition: Competition) -> Competition:
    """Split the only part into private and public rows (Kaggle's Usage), if it has both.

    The private rows rank, and their metrics keep their names. Those of the public rows get a
    prefix.
    """
    part, *others = competition.parts
    usage = part.gold.usage
    if others or usage is None or len(set(usage)) < 2:
        return competition
    private, public = (
        part.take([row for row, value in enumerate(usage) if value == wanted])
        for wanted in (PRIVATE, PUBLIC)
    )
    note = Note("notes.usage", {"private": private.gold.n, "public": public.gold.n})
    return replace(
        competition,
        parts=(replace(private, name=PRIVATE), _renamed(replace(public, name=PUBLIC), PUBLIC)),
        notes=(*competition.notes, note),
        split_by_usage=True,
    )


def in_order_of(parts: Sequence[Part], gold: Gold) -> Gold:
    """Sort a gold like that of an earlier task with the same examples, if there is one.

    Only rows in the same order can be resampled together.
    """
    if gold.ids is None or not parts:
        return gold
    rows = {id: row for row, id in enumerate(gold.ids)}
    for part in parts:
        if part.gold.ids is not None and rows.keys() == set(part.gold.ids):
            return gold.take([rows[id] for id in part.gold.ids])
    return gold


def refuse_copies(parts: Sequence[Part]) -> None:
    """Refuse a task that is a copy of another: an old version, or a backup of the reference data.

    Its file holds the same ids, and a name that begins with the other's, or the same labels and a
    name that says so.
    """
    for one, other in itertools.permutations(parts, 2):
        same_ids = one.gold.ids is not None and {*one.gold.ids} == {*(other.gold.ids or ())}
        longer = re.match(rf"{re.escape(one.name)}[\W_]", other.name, re.IGNORECASE)
        same = [*one.gold.columns.values()] == [*other.gold.columns.values()]
        if same_ids and (longer or (same and _COPY.search(other.name))):
            raise ReferenceDataError(
                f"ref: {one.gold.file} and {other.gold.file} hold the same ids, and every data "
                f"file in ref/ is read as the reference data of a task: remove {other.gold.file} "
                "if it is a copy, or give the tasks names of which none begins with the other"
            )


def settings_of(task: str, tasks: Sequence[str], settings: Settings) -> Settings:
    """Return the settings with the metrics that may score one of several tasks.

    Raises
    ------
    SettingsError
        A metric names what is no task, or no metric is left for this one.
    """
    for spec in settings.metrics:
        for name in spec.task:
            if name not in tasks:
                raise SettingsError(
                    f"{spec.where}: metric {spec.name!r}: there is no task {name!r} among "
                    f"{listed(tasks)}{nearest(name, tasks)}"
                )
    own = tuple(spec for spec in settings.metrics if task in (spec.task or tasks))
    if settings.metrics and not own:
        raise SettingsError(
            f"{settings.where('metrics')}: no metric is for the task {task!r}; name one, or remove "
            "its reference data"
        )
    elsewhere = {spec.name for spec in settings.metrics} - {spec.name for spec in own}
    rank_by = None if settings.rank_by in elsewhere else settings.rank_by
    return replace(settings, metrics=own, rank_by=rank_by)


def check_columns(parts: Sequence[Part], settings: Settings) -> None:
    """Refuse a metric of a column that no task has, or none of those that it names."""
    for spec in settings.metrics:
        scored = [part for part in parts if part.name in (spec.task or [part.name])]
        columns = {column for part in scored for column in part.gold.targets}
        if spec.column is not None and spec.column not in columns:
            raise SettingsError(
                f"{spec.where}: metric {spec.name!r}: no task has its column {spec.column!r}"
                f"{nearest(spec.column, columns)}"
            )
