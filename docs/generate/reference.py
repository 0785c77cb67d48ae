"""Reference tables in Markdown, read from the program so that they cannot disagree with it."""

from __future__ import annotations

import contextlib
import io
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, fields
from importlib import import_module
from typing import Any
from unittest import mock

from scoring_program.commands import new
from scoring_program.commands.main import COMMANDS
from scoring_program.metrics import REGISTRY
from scoring_program.settings.groups import GROUPS
from scoring_program.settings.model import Settings

#: Columns of the terminal for which the commands' help is written.
_WIDTH = "72"
_METRICS = "list of metrics, see [Metrics](metrics.md); the default depends on the reference data"


def settings() -> str:
    """Return a table of the keys of scoring.yaml for each group of them."""
    keys = {field.name: field for field in fields(Settings)}
    tables = []
    for about, names in GROUPS.items():
        rows = [_setting(keys[name]) for name in names]
        tables.append(f"### {about.capitalize()}\n\n{table(('key', 'default', 'meaning'), rows)}")
    return "\n\n".join(tables)


def _setting(field: Field[Any]) -> tuple[str, str, str]:
    if field.name == "metrics":
        return "`metrics`", "", _METRICS
    return f"`{field.name}`", _default(field.default), _meaning(field.metadata)


def metrics() -> str:
    """Return a table of every metric of the registry."""
    rows = [
        (
            f"`{name}`",
            row.label,
            row.kind,
            "higher" if row.greater_is_better else "lower",
            f"{_bound(row.low)} to {_bound(row.high)}",
            ", ".join(f"`{parameter}`" for parameter in row.defaults),
        )
        for name, row in REGISTRY.items()
    ]
    head = ("name", "on the page", "predictions", "better", "range", "parameters")
    return table(head, rows)


def commands() -> str:
    """Return what ``--help`` prints of each command."""
    return "\n\n".join(
        f"## deadheat {name}\n\n```text\n{_help(name).rstrip()}\n```" for name in COMMANDS
    )


def kinds() -> str:
    """Return a table of the kinds of data that `deadheat new` knows."""
    rows = ((f"`{name}`", data) for name, data in new.kinds().items())
    return table(("`--kind`", "one example, and its files"), rows)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_escaped(cell) for cell in line) + " |" for line in lines)


def _escaped(cell: str) -> str:
    return cell.replace("|", r"\|")


def _meaning(metadata: Mapping[str, Any]) -> str:
    """Return a setting's help, and below it each value that it may have, if they can be listed."""
    values = metadata.get("choices", {})
    return "<br>".join([metadata["help"], *(f"`{name}`: {text}" for name, text in values.items())])


def _default(value: object) -> str:
    if value in (None, "", ()):
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _bound(value: float) -> str:
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:g}".replace("-", "−")


def _help(command: str) -> str:
    module = import_module(f"scoring_program.commands.{command}")
    printed = io.StringIO()
    with (
        mock.patch.dict(os.environ, {"COLUMNS": _WIDTH}),
        contextlib.redirect_stdout(printed),
        contextlib.suppress(SystemExit),
    ):
        module.main(["--help"])
    return printed.getvalue()
