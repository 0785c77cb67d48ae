"""What a competition requires of submissions, as JSON, which a starting kit holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from operator import itemgetter
from typing import Any

from ...reading.formats.kind import AS_FOUND, FileDescription
from ...reading.limits import DEFAULT, Limits
from ...recognize.expected import Expected, SentColumns, SentPrediction, Target

#: The name of the file next to the command in a starting kit that holds the rules.
PACKED = "expected.json"
#: The only file in INPUT/ref of a task without its gold.
WITHOUT_GOLD = "rules_without_gold.json"
#: The fields that JSON can hold unchanged: texts, numbers, flags and lists of texts.
_AS_IT_IS = [
    item.name
    for item in fields(Expected)
    if item.name not in (
        "positions", "ids", "ignored", "usage_is_secret", "targets", "shapes", "total", "beside",
        "unnamed", "sent", "of_any_size",
    )
]  # fmt: skip


@dataclass(frozen=True)
class SubmissionRules:
    """What a competition requires of submissions, as far as participants may know it."""

    tasks: Mapping[str, Expected]
    described: FileDescription = AS_FOUND
    pattern: str | None = None
    limits: Limits = DEFAULT
    gold: str | None = None  # the name of the only gold file, which chooses among several files
    folder: str | None = None  # the name of the folder of all gold files, which chooses, too
    other_tasks: tuple[str, ...] = ()  # names of files for other tasks of the phase
    may_lack_tasks: bool = False  # whether a submission may lack files, but not all
    reader: str | None = None  # the organizer's "file.py:function", if participants have it
    # What lies in the gold's folder, if the reader gets whole folders. None if that is unknown:
    # then it gets an upload of several files as a folder.
    whole: tuple[str, ...] | None = ()


def as_document(rules: SubmissionRules) -> dict[str, Any]:
    """Return the rules as a starting kit's ``expected.json`` holds them.

    Labels that are not public are left out. Ids and rows are sorted, because their order may depend
    on the gold.
    """
    return {
        **vars(rules),
        "tasks": {task: _as_document(expected) for task, expected in rules.tasks.items()},
        "described": asdict(rules.described),
        "limits": asdict(rules.limits),
    }


def _as_document(expected: Expected) -> dict[str, Any]:
    """Return what a task expects; rows that are not scored are not told from the others."""
    every = expected.every
    keys: Sequence[Any] = every.positions if every.ids is None else every.ids
    return {
        **{name: getattr(expected, name) for name in _AS_IT_IS},
        "total": expected.total,
        "sent": None if expected.sent is None else _sent_as_document(expected.sent),
        "ids": None if every.ids is None else sorted(every.ids),
        "shapes": {column: _in_order(keys, shapes) for column, shapes in every.shapes.items()},
        "targets": [
            {
                "column": target.column,
                "kind": target.kind,
                "labels": labels if expected.labels_are_public else (),
                "any_size": target in expected.of_any_size,
            }
            for target, labels in expected.targets.items()
        ],
    }


def _in_order(keys: Sequence[Any], shapes: Sequence[Any]) -> list[Any]:
    """Return shapes in the order of the ids or, without ids, of the file."""
    pairs = sorted(zip(keys, shapes, strict=True), key=itemgetter(0))
    return [shape for _, shape in pairs]


def _sent_as_document(sent: SentColumns) -> dict[str, Any]:
    """Return what columns hold; the predictions are in the order of the targets."""
    return {**vars(sent), "predictions": [*map(vars, sent.predictions.values())]}


def as_rules(document: Mapping[str, Any]) -> SubmissionRules:
    """Return the rules from what `as_document` returned."""
    values = {name: _frozen(value) for name, value in document.items()}
    values["tasks"] = {task: _as_expected(item) for task, item in values["tasks"].items()}
    described = {name: _frozen(value) for name, value in values["described"].items()}
    values |= {"described": FileDescription(**described), "limits": Limits(**values["limits"])}
    return SubmissionRules(**values)


def _as_expected(item: Mapping[str, Any]) -> Expected:
    targets = {}
    of_any_size = set()
    for asked in item["targets"]:
        target = Target(asked["column"], asked["kind"])
        targets[target] = tuple(asked["labels"])
        if asked.get("any_size"):  # rules of earlier versions do not say it
            of_any_size.add(target)
    values = {name: _frozen(value) for name, value in item.items()}
    values |= {"targets": targets, "of_any_size": of_any_size}
    values["sent"] = None if item["sent"] is None else _as_sent(item["sent"], [*targets])
    return Expected(**{**values, "positions": range(item["total"])})


def _as_sent(item: Mapping[str, Any], targets: Sequence[Target]) -> SentColumns:
    predictions = {}
    for target, prediction in zip(targets, item["predictions"], strict=True):
        predictions[target] = SentPrediction(**prediction)
    columns = {name: tuple(item.get(name, ())) for name in ("ids", "beside")}
    return SentColumns(**{**item, **columns, "predictions": predictions})


def _frozen(value: Any) -> Any:
    """Return a list of JSON as the tuple that it was."""
    return tuple(value) if isinstance(value, list) else value
