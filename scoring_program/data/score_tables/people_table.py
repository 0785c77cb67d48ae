"""People's scores of some units, beside a judge's scores of all (`core.people`).

They are a table of scores like the judge's, and read by the same rules. Then the two are joined: by
the units' names or, where nothing names units, by position.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...core.arrays import Bools, Floats, Ints
from ...core.errors import ReferenceDataError, SettingsError, listed, quoted
from ...core.people import FEWEST_JUDGED, partly_judged, weight_of
from ...core.phrases import Phrase
from ...metrics import Metric
from ...recognize.expected import Target
from ...recognize.reading_record import Reading
from ...recognize.tables_of_scores.score_names import score_key
from ...settings.checks import MetricSpec
from ...settings.model import RANDOM, Settings
from ..competition import Competition, Part, People
from ..targets import target_of
from .given_table import stated_roles

#: What does not go together with people's scores.
_WITHOUT = ("folds", "stratify", "slices", "tests")


def check_statements(settings: Settings) -> None:
    """Raise SettingsError unless people's units are stated to be a random sample of all.

    Any other choice may favor a system: of the units on which people are furthest from the judge,
    for instance, a truly best system was lost in half of the simulated competitions.
    """
    if settings.human_sample != RANDOM:
        raise SettingsError(
            f"{settings.where('human')}: people's scores correct a judge's only if the units that "
            "people scored were drawn at random, not chosen for what they hold; if so, say "
            "'human_sample: random'; if not, compare people's scores alone"
        )
    for key in _WITHOUT:
        if getattr(settings, key):
            raise SettingsError(
                f"{settings.where(key)}: this does not go together with people's scores of some "
                f"units; remove {key!r}, or 'human'"
            )


def plain(settings: Settings) -> Settings:
    """Return the settings without what they say of the judge's file alone, such as its columns."""
    return replace(
        settings,
        submissions=None,
        format="auto",
        human=None,
        human_sample=None,
        costs=None,
        metrics=(),
        group=None,
        sample=None,
    )


def settings_for_judge(
    settings: Settings, columns: Collection[str], columns_of_people: Collection[str]
) -> Settings:
    """Return the settings by which a judge's table with these ``columns`` is read.

    Several people may rate a unit, where the judge scores it once: a column of samples that only
    people's table has is said of that one.
    """
    sample = settings.sample
    if sample is None or sample in columns or sample not in columns_of_people:
        return settings
    return replace(settings, sample=None)


def settings_for_people(
    settings: Settings, columns: Collection[str], judge: Competition
) -> Settings:
    """Return the settings by which people's table with these ``columns`` is read.

    Its scores are better in the direction of the judge's: where metrics have several, each column
    in that of its metric. What the settings say of the judge's file alone says nothing of it.
    """
    metrics = _means_of(judge, settings)
    directions = {metric.greater_is_better for metric in metrics}
    stated: dict[str, MetricSpec] = {}
    # With one direction, it is that of all columns.
    metrics_of_columns = metrics if len(directions) > 1 else ()
    for metric in metrics_of_columns:
        column = metric_target(metric, judge.parts[0]).column
        if column is not None and column in columns:
            better = metric.greater_is_better
            stated[column] = MetricSpec(
                score_key(column), "mean_score", column=column, greater_is_better=better
            )
    group = settings.group if isinstance(settings.group, str) else None
    sample = settings.sample
    return replace(
        plain(settings),
        missing="judged",
        layout=settings.layout if settings.anonymize else "auto",
        group=group if group is not None and group in columns else None,
        sample=sample if sample is not None and sample in columns else None,
        # If no column of people's is called as one of several of the judge's, joining refuses it.
        greater_is_better=None if stated else metrics[0].greater_is_better,
        metrics=tuple(stated.values()),
        rank_by=None,
        baselines=(),
        reference_entry=None,
    )


def roles_for_people(settings: Settings, columns: Collection[str]) -> dict[str, Any]:
    """Return role → columns as the settings state the judge's, where people's table has them, too.

    What is stated of a judge's table thus leaves nothing of people's table to be recognized, if the
    two have the same columns.
    """
    roles = {}
    for role, named in stated_roles(settings.described().roles).items():
        names = (named,) if isinstance(named, str) else named
        if all(name in columns for name in names):
            roles[role] = named
    return roles


def _means_of(judge: Competition, settings: Settings) -> tuple[Metric, ...]:
    """Return the judge's metrics; raise SettingsError if one is no mean of scores, or of tasks."""
    if len(judge.parts) > 1:
        raise SettingsError(
            f"{settings.where('human')}: the judge's scores are of {len(judge.parts)} tasks, and "
            "people's are of one; compare the systems on each task alone"
        )
    metrics = judge.parts[0].metrics
    for metric in metrics:
        if metric.function != "mean_score":
            raise SettingsError(
                f"{settings.where('human')}: people's scores correct means, and metric "
                f"{metric.name!r} is none; choose mean_score, or leave 'human' out"
            )
    return metrics


def with_people(judge: Competition, people: Competition, settings: Settings) -> Competition:
    """Return the competition of a judge's scores with people's scores of some units.

    Raises
    ------
    ReferenceDataError
        People scored units or systems that the judge lacks, too few, or parts of groups.
    SettingsError
        The judge's metrics are no means.
    """
    metrics = _means_of(judge, settings)
    (part,) = judge.parts
    file = people.parts[0].gold.file
    if len(people.parts) > 1:
        raise ReferenceDataError(
            f"{file}: there are {len(people.parts)} tasks, but the judge's scores are of one"
        )
    _check_systems(judge, people, file, settings)
    rows = _rows_of(part, people.parts[0], file)
    targets = list(dict.fromkeys(metric_target(metric, part) for metric in metrics))
    scores = {target: _aligned(people, target, targets, rows, part, file) for target in targets}
    scores = _by_policy(scores, judge, file, settings)
    judged: Bools = np.logical_or.reduce(
        [~np.isnan(values).all(axis=0) for values in scores.values()]
    )
    _check_sizes(scores, judged, judge, file, settings)
    if isinstance(settings.group, str):
        _check_groups(part, judged, file, settings, settings.group)
    competing = [name not in settings.baselines for name in judge.names]
    weights = {
        target: weight_of(values[competing][:, judged], _judge(part, target)[competing][:, judged])
        for target, values in scores.items()
    }
    entries = []
    for number, entry in enumerate(part.entries):
        of_entry = {target: values[number] for target, values in scores.items()}
        entries.append(entry and replace(entry, people=of_entry))
    joined = People(judged, weights, file, people.parts[0].gold.sha256)
    note = Phrase(
        "People's scores: {file}, of {judged:n} of {units:n} units, drawn at random.",
        file=file,
        judged=int(np.count_nonzero(judged)),
        units=judged.size,
    )
    reading = _with_sides(part.reading, people.parts[0].reading)
    return replace(
        judge,
        parts=(replace(part, entries=tuple(entries), people=joined, reading=reading),),
        notes=(*judge.notes, note),
    )


def _with_sides(judge: Reading | None, people: Reading | None) -> Reading | None:
    """Return what the judge's table means, and then people's."""
    if judge is None or people is None:
        return judge
    return replace(judge, submissions=(*judge.submissions, *people.submissions))


def metric_target(metric: Metric, part: Part) -> Target:
    """Return what a metric of scores reads."""
    target = target_of(metric, part.gold)
    assert target is not None
    return target


def _judge(part: Part, target: Target) -> Floats:
    """Return the judge's scores [m, N]."""
    return np.array([entry.predictions[target] for entry in part.entries if entry])


def _check_systems(judge: Competition, people: Competition, file: str, settings: Settings) -> None:
    """Raise ReferenceDataError unless people and the judge scored the same systems."""
    lacks = {item.name: item.reason for item in people.unusable}
    for expected, names, text in (
        (judge.names, people.names, "people did not score {0}, which the judge scored"),
        (people.names, judge.names, "the judge did not score {0}, which people scored"),
    ):
        missing = [name for name in expected if name not in names]
        if missing:
            which = str(listed(missing))
            if settings.anonymize:
                which = "a system" if len(missing) == 1 else f"{len(missing)} systems"
            reasons = [] if settings.anonymize else [str(lacks[n]) for n in missing if n in lacks]
            because = "".join(f"\n{reason}" for reason in reasons)
            raise ReferenceDataError(
                f"{file}: {text.format(which)}; give both the same systems under the same "
                f"names{because}"
            )


def _rows_of(judge: Part, people: Part, file: str) -> Ints:
    """Return the judge's row of each of people's units; raise ReferenceDataError if one lacks."""
    if judge.gold.ids is not None and people.gold.ids is not None:
        row_of = {name: row for row, name in enumerate(judge.gold.ids)}
        unknown = [row for row, name in enumerate(people.gold.ids) if name not in row_of]
        if unknown:
            first = people.gold.first_of(unknown)
            raise ReferenceDataError(
                f"{file}: {people.gold.places[first]}: the judge has no score of "
                f"{quoted(people.gold.ids[first])} ({len(unknown)} of {people.gold.n} units of "
                "people's lack one); give people units that the judge scored, under the same names"
            )
        return np.array([row_of[name] for name in people.gold.ids], np.intp)
    if judge.gold.total != people.gold.total:
        raise ReferenceDataError(
            f"{file}: nothing names the units on both sides, and there are {people.gold.total} "
            f"lines for the judge's {judge.gold.total}; name the units in a column of both tables, "
            "or give people's table a line for each unit, empty where people did not score it"
        )
    row_at = {position: row for row, position in enumerate(judge.gold.positions)}
    return np.array([row_at[position] for position in people.gold.positions], np.intp)


def _aligned(
    people: Competition,
    target: Target,
    targets: list[Target],
    rows: Ints,
    judge: Part,
    file: str,
) -> Floats:
    """Return people's scores [m, N] in the judge's rows, by the judge's column; nan elsewhere."""
    part = people.parts[0]
    read: dict[str | None, Target] = {}
    for metric in part.metrics:
        scored = metric_target(metric, part)
        read[scored.column] = scored
    # One column on each side needs no common name: wide tables have no names of columns at all.
    only = next(iter(read.values())) if len(read) == len(targets) == 1 else None
    source = read.get(target.column, only)
    if source is None:
        columns = [column for column in read if column]
        remedy = f"call people's scores like the judge's (found {listed(map(repr, columns))})"
        if not columns:  # a wide table, whose columns are systems
            remedy = "give people's scores a line for each unit and system, with that column"
        raise ReferenceDataError(
            f"{file}: there is no column {target.column!r}, as the judge's scores have; {remedy}"
        )
    number_of = {name: number for number, name in enumerate(people.names)}
    aligned = []
    for entry in judge.entries:
        values = np.full(judge.gold.n, np.nan)
        by_people = None if entry is None else part.entries[number_of[entry.name]]
        if by_people is not None:
            values[rows] = by_people.predictions[source]
        aligned.append(values)
    return np.array(aligned)


def _by_policy(
    scores: Mapping[Target, Floats], judge: Competition, file: str, settings: Settings
) -> dict[Target, Floats]:
    """Return people's scores [m, N] by the setting ``missing``.

    Raises ReferenceDataError if people scored some systems only on a unit, and the setting allows
    no missing score; or if the judge lacks a score that people gave.
    """
    part = judge.parts[0]
    usable = {}
    for target, values in scores.items():
        lacks = ~np.isnan(values) & np.isnan(_judge(part, target))
        text = (
            f"{file}: people scored {{0}}, but the judge did not; give the judge's score there, or "
            "leave people's out"
        )
        _refuse_first(lacks, judge, text, settings)
        gaps = np.isnan(values) & ~np.isnan(values).all(axis=0)
        if settings.missing == "drop_unit":
            values = np.where(gaps.any(axis=0), np.nan, values)
        elif settings.missing != "judged":
            text = (
                f"{file}: people did not score {{0}}, but another system there; give every system "
                "a score on each of people's units, or say 'missing: judged'"
            )
            _refuse_first(gaps, judge, text, settings)
        usable[target] = values
    return usable


def _refuse_first(wrong: Bools, judge: Competition, text: str, settings: Settings) -> None:
    """Raise ReferenceDataError about the first system and unit that ``wrong`` [m, N] marks."""
    if not wrong.any():
        return
    number, row = np.argwhere(wrong)[0].tolist()
    ids = judge.parts[0].gold.ids
    unit = f"unit {judge.parts[0].gold.positions[row] + 1}" if ids is None else quoted(ids[row])
    name = "a system" if settings.anonymize else judge.names[number]
    raise ReferenceDataError(text.format(f"{name} on {unit}"))


def _check_sizes(
    scores: Mapping[Target, Floats],
    judged: Bools,
    judge: Competition,
    file: str,
    settings: Settings,
) -> None:
    """Raise ReferenceDataError if people scored too few units, or all."""
    count = int(np.count_nonzero(judged))
    if count == judged.size:
        raise ReferenceDataError(
            f"{file}: people scored all {count} units, so the judge adds nothing; compare people's "
            "scores alone"
        )
    fewest = count
    system = "units"
    for values in scores.values():
        numbers = np.count_nonzero(~np.isnan(values), axis=1)
        least = int(numbers.argmin())
        if numbers[least] < fewest:
            fewest = int(numbers[least])
            system = "units of a system" if settings.anonymize else f"units of {judge.names[least]}"
    if fewest < FEWEST_JUDGED:
        raise ReferenceDataError(
            f"{file}: people scored {fewest} {system}, and at least {FEWEST_JUDGED} are needed to "
            "say how far the judge is off; let people score more units, drawn at random"
        )


def _check_groups(part: Part, judged: Bools, file: str, settings: Settings, column: str) -> None:
    """Raise ReferenceDataError if people scored some units of a group, but not all."""
    names, groups = np.unique(np.array(part.gold.columns[column]), return_inverse=True)
    if np.unique(groups[judged]).size < 2:
        raise ReferenceDataError(
            f"{file}: people scored units of one {column} only; where whole groups are resampled "
            f"({settings.where('group')}), let them score several groups, drawn at random"
        )
    partly = partly_judged(judged, groups)
    if partly is not None:
        inside = groups == partly
        raise ReferenceDataError(
            f"{file}: people scored {int(judged[inside].sum())} of the {int(inside.sum())} units "
            f"of {column} {quoted(str(names[partly]))}; where whole groups are resampled "
            f"({settings.where('group')}), people's sample must be one of whole groups"
        )
