"""The rules for submissions that participants may know, and their form as JSON.

This module needs only the standard library, because the starting kit contains it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from ..reading.limits import DEFAULT, Limits
from .expected import Expected, Target

#: Names of two files next to the command in a starting kit: the rules, and the words of notes.
PACKED = "expected.json"
WORDS = "words.json"
#: The fields that JSON can hold unchanged: texts, numbers, flags and lists of texts.
_AS_IT_IS = [
    item.name
    for item in fields(Expected)
    if item.name not in ("positions", "ids", "ignored", "targets", "shapes", "total")
]


@dataclass(frozen=True)
class SubmissionRules:
    """What a competition requires of submissions, as far as participants may know it."""

    tasks: Mapping[str, Expected]
    form: str = "auto"
    pattern: str | None = None
    limits: Limits = DEFAULT
    gold: str | None = None  # the name of the only gold file, which chooses among several files
    other_tasks: tuple[str, ...] = ()  # names of files for other tasks of the phase


def as_document(rules: SubmissionRules) -> dict[str, Any]:
    """Return the rules as a starting kit's ``expected.json`` holds them.

    Labels that are not public are left out. Ids and rows are sorted, because their order may depend
    on the gold.
    """
    return {
        "tasks": {task: _as_document(expected) for task, expected in rules.tasks.items()},
        "format": rules.form,
        "name_pattern": rules.pattern,
        "limits": asdict(rules.limits),
        "gold": rules.gold,
        "other_tasks": rules.other_tasks,
    }


def _as_document(expected: Expected) -> dict[str, Any]:
    """Return what a task expects; rows that are not scored are not told from the others."""
    return {
        **{name: getattr(expected, name) for name in _AS_IT_IS},
        "total": expected.total,
        "ids": None if expected.ids is None else sorted({*expected.ids, *expected.ignored}),
        "shapes": {
            column: _of_all_rows(shapes, expected) for column, shapes in expected.shapes.items()
        },
        "targets": [
            {
                "column": target.column,
                "kind": target.kind,
                "labels": labels if expected.labels_are_public else (),
            }
            for target, labels in expected.targets.items()
        ],
    }


def _of_all_rows(shapes: Sequence[Any], expected: Expected) -> list[Any]:
    """Return the examples' shapes in the order of ids or, without ids, of rows; None if ignored."""
    if expected.ids is None:
        by_row = dict(zip(expected.positions, shapes, strict=True))
        return [by_row.get(row) for row in range(expected.total)]
    by_id = dict(zip(expected.ids, shapes, strict=True))
    return [by_id.get(value) for value in sorted({*expected.ids, *expected.ignored})]


def as_rules(document: Mapping[str, Any]) -> SubmissionRules:
    """Return the rules from what `as_document` returned."""
    return SubmissionRules(
        {task: _as_expected(item) for task, item in document["tasks"].items()},
        document["format"],
        document["name_pattern"],
        Limits(**document["limits"]),
        document["gold"],
        tuple(document["other_tasks"]),
    )


def _as_expected(item: Mapping[str, Any]) -> Expected:
    plain: dict[str, Any] = {
        name: tuple(item[name]) if isinstance(item[name], list) else item[name]
        for name in _AS_IT_IS
    }
    return Expected(
        **plain,
        positions=range(item["total"]),
        total=item["total"],
        ids=None if item["ids"] is None else tuple(item["ids"]),
        shapes=item["shapes"],
        targets={
            Target(target["column"], target["kind"]): tuple(target["labels"])
            for target in item["targets"]
        },
    )
