"""Settings from ``scoring.yaml`` and from the command line.

Unknown keys are errors: if a misspelled setting were ignored, its default would decide the
competition.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from ..core.errors import SettingsError, nearest
from .checks import Check, unexpected
from .metric_spec import read_metrics
from .model import OPTIONS, Settings
from .safe_yaml import parse_value, read_yaml

#: Name of the settings file in the reference data.
FILE_NAME = "scoring.yaml"

_CHECKS: Mapping[str, Check] = {option.name: option.check for option in OPTIONS}


def load(path: Path | None) -> Settings:
    """Read the settings file, or return the defaults if there is none.

    Raises
    ------
    SettingsError
        The file cannot be read or is not valid YAML, a key is unknown or repeated, or a value fails
        its check. The message names the file, the line and the expected value.
    """
    if path is None:
        return Settings()
    root, values = read_yaml(path)
    if root is None:
        return Settings()
    if not isinstance(root, yaml.MappingNode):
        raise SettingsError(
            f"{path.name}, line 1: expected lines of the form 'key: value', with a "
            "space after the colon"
        )
    lines: dict[str, str] = {}
    for node, child in root.value:
        lines[node.value] = f"{path.name}, line {node.start_mark.line + 1}"
        if node.value == "metrics" and isinstance(child, yaml.SequenceNode):
            for index, item in enumerate(child.value):
                lines[f"metrics[{index}]"] = f"{path.name}, line {item.start_mark.line + 1}"
    return update(Settings(), values, lines)


def update(settings: Settings, values: Mapping[str, Any], lines: Mapping[str, str]) -> Settings:
    """Return ``settings`` with the checked ``values``; ``lines`` says where each was set.

    Raises
    ------
    SettingsError
        An unknown key, or a value that fails its check.
    """
    known: dict[str, Check] = {
        **_CHECKS,
        "metrics": lambda value: read_metrics(value, lines),
    }
    checked: dict[str, Any] = {}
    for key, value in values.items():
        where = lines.get(str(key), "settings")
        if key not in known:
            raise SettingsError(f"{where}: unknown key {str(key)!r}{nearest(str(key), known)}")
        try:
            checked[key] = known[key](value)
        except SettingsError:
            raise
        except ValueError as error:
            raise unexpected(where, key, error, value) from None
    return replace(settings, **checked, lines={**settings.lines, **lines})


def values_of(texts: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of command-line options: name → text becomes name → value."""
    return {name: _value(text, _CHECKS[name]) for name, text in texts.items()}


def option_name(key: str) -> str:
    """Return what messages call the command-line option of a key."""
    return f"option --{key.replace('_', '-')}"


def _value(text: str, check: Check) -> Any:
    """Return the text of an option as YAML reads it, or the text itself if only that passes.

    A title may hold a colon, and a team or a column may be called 1.0.
    """
    read = parse_value(text)
    for value in (read, text):
        with contextlib.suppress(ValueError):
            check(value)
            return value
    return read


def check_together(settings: Settings) -> None:
    """Refuse a setting that has no effect, or another meaning, without another one.

    Raises
    ------
    SettingsError
        A scheduler is set without its backend. With a local backend, perhaps chosen for one run,
        the scheduler is ignored. Or the yardstick names an entry that competes, the roles of
        columns are stated twice, or a page of rounded scores is to hold every pair.
    """
    if settings.interactive and settings.participants == "score":
        raise SettingsError(
            f"{settings.where('interactive')}: the page would hold every pair of entries, which "
            "'participants: score' keeps from its readers; remove one of the two"
        )
    if settings.scheduler and settings.backend == "auto":
        raise SettingsError(
            f"{settings.where('scheduler')}: add 'backend: dask' or 'backend: ray', to say "
            "which kind of cluster has this address"
        )
    if settings.kit_reader and settings.reader is None:
        raise SettingsError(
            f"{settings.where('kit_reader')}: there is no 'reader' to pack into the starting kit; "
            "name one, or leave this out"
        )
    for key in ("reference", "submissions"):
        described = getattr(settings, key)
        others = ["id_column"] if settings.id_column else []
        others += ["column"] if any(spec.column for spec in settings.metrics) else []
        if described and settings.reader:
            raise SettingsError(
                f"{settings.where(key)}: the files are read by {settings.reader}, which gets them "
                "as they are; remove one of the two"
            )
        if described and isinstance(described.columns, Mapping) and others:
            raise SettingsError(
                f"{settings.where(key)}: 'columns' says which column holds what, and so does "
                f"{others[0]!r}; say it once, or list the names of the columns in their order"
            )
    for name in (name for pair in settings.yardstick for name in pair):
        if name not in settings.baselines:
            raise SettingsError(
                f"{settings.where('yardstick')}: expected pairs of baselines; found {name!r}; add "
                f"it to 'baselines' if it does not compete{nearest(name, settings.baselines)}"
            )
