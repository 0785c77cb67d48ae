"""What the settings have to state so that nothing is left to be recognized."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.errors import OrganizerError, listed
from ..reading.formats.kind import AS_FOUND, FileDescription
from ..recognize.reading_record import Reading
from ..settings.model import Settings

_FILE = "file"


def frozen_settings(
    readings: Mapping[str, Reading], settings: Settings, *, alike_only: bool = False
) -> dict[str, Any]:
    """Return the keys of scoring.yaml that state what was read; what they state already stays.

    One statement is for the files of all tasks, so these have to be alike. If ``alike_only``, a key
    of which they differ is left out.

    Raises
    ------
    OrganizerError
        The files of tasks have different columns.
    """
    forms = {task: reading.frozen() for task, reading in readings.items()}
    if len(forms) > 1:
        for form in forms.values():
            form.get("reference", {}).pop(_FILE, None)
    described = {"reference": settings.reference, "submissions": settings.submissions}
    stated = {}
    for key, words in next(iter(forms.values()), {}).items():
        different = [task for task, form in forms.items() if form.get(key) != words]
        if not different:
            stated[key] = _merged(words, described[key]) if key in described else words
        elif not alike_only:
            raise OrganizerError(
                f"the files of the tasks {listed(different)} have other columns than those of the "
                "others, and scoring.yaml describes the files of all tasks alike; give them the "
                "same columns"
            )
    return stated


def _merged(words: Mapping[str, Any], described: FileDescription | None) -> dict[str, Any]:
    """Return what was read with everything else that the settings state about the files.

    What they state stays; files whose columns they name in their order are described already.
    """
    if described is None:
        return dict(words)
    stated = {
        name: _plain(value)
        for name, value in vars(described).items()
        if name != "columns" and value != getattr(AS_FOUND, name)
    }
    if described.columns and not described.roles:  # names in their order, which are all of them
        return {**stated, "columns": [*described.columns]}
    columns = {**words.get("columns", {}), **_stated_roles(described)}
    return {**words, **stated, **({"columns": columns} if columns else {})}


def _stated_roles(described: FileDescription) -> dict[str, Any]:
    """Return what the settings state columns to hold."""
    return {role: _plain(columns) for role, columns in described.roles.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return [*value] if isinstance(value, tuple) else value
