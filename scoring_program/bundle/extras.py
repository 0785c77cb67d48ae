"""Which extras of this package a competition's metrics need: what its bundle has to carry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..metrics.registry import find
from ..reading.formats import KINDS, kind_of
from ..reading.reference import find_reference
from ..settings import loading
from ..settings.metric_spec import read_metrics
from .description import Description


def needed(competition: Description) -> tuple[str, ...]:
    """Return the extras that the metrics of all tasks need, sorted."""
    functions = {
        name for task in competition.document["tasks"] for name in _functions(competition, task)
    }
    definitions = (find(name) for name in functions)
    counted = (found.statistics for found in definitions if found is not None)
    return tuple(sorted({found.extra for found in counted if found is not None and found.extra}))


def _functions(competition: Description, task: Mapping[str, Any]) -> Iterator[str]:
    """Yield the functions that a task's settings name, or those of its kind of data."""
    if metrics := competition.all_settings(task).get("metrics"):
        yield from (str(spec.function) for spec in read_metrics(metrics, {}))
        return
    reference = find_reference(competition.path(task["reference_data"]), loading.FILE_NAME)
    for file in reference.gold.values():
        if (kind := kind_of(file.read(), str(file.path))) in KINDS:
            yield from KINDS[kind].metrics
