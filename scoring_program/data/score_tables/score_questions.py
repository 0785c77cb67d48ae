"""How messages about a table of scores ask for settings, so that their answers can be pasted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from ...settings.metric_spec import LONGEST_KEY

#: The key of directions.
BETTER = "greater_is_better"


@dataclass(frozen=True)
class Door:
    """What messages call a table, and how they write what they ask for.

    They ask for lines of the settings file or, ``in_python``, for arguments.
    """

    file: str
    in_python: bool = False

    def asks(self, values: Mapping[str, Any]) -> str:
        """Return the end of a sentence that asks for settings, with the settings to paste.

        A direction that is None is open: it is written as higher, with the remark that it may be
        lower. ``metrics`` maps columns to directions.
        """
        if not self.in_python:
            return "in ref/scoring.yaml:\n" + "\n".join(_lines(values))
        given = {
            key: _specs(value) if key == "metrics" else _filled(value)
            for key, value in values.items()
        }
        written = ", ".join(f"{key}={value!r}" for key, value in given.items())
        is_open = None in values.values() or any(
            isinstance(value, Mapping) and None in value.values() for value in values.values()
        )
        return f"with {written}" + "; write False where a lower score is better" * is_open


def _filled(value: Any) -> Any:
    """Return a direction, or columns with theirs, where True stands for one that is open."""
    if isinstance(value, Mapping):
        return {column: _filled(better) for column, better in value.items()}
    return True if value is None else value


def _specs(directions: Mapping[str, bool | None]) -> list[dict[str, Any]]:
    """Return the means of columns as the key ``metrics`` holds them."""
    return [
        {
            "name": score_key(column),
            "function": "mean_score",
            **({} if score_key(column) == column else {"column": column}),
            BETTER: _filled(better),
        }
        for column, better in directions.items()
    ]


def _lines(values: Mapping[str, Any]) -> list[str]:
    """Return settings as lines of YAML."""
    lines = []
    for key, value in values.items():
        if key != "metrics":
            lines.append(f"{key}: {_in_yaml(value)}")
            continue
        lines.append("metrics:")
        for spec, better in zip(_specs(value), value.values(), strict=True):
            start = "  - "
            for name, text in spec.items():
                is_open = name == BETTER and better is None
                lines.append(f"{start}{name}: {_in_yaml(None if is_open else text)}")
                start = "    "
    return lines


def _in_yaml(value: Any) -> str:
    """Return a value as YAML writes it in one line; None is a direction that is open."""
    if value is None:
        return "true   # or false"
    text = yaml.safe_dump([value], default_flow_style=True, width=float("inf"), allow_unicode=True)
    return str(text).strip()[1:-1]


def score_key(column: str) -> str:
    """Return the name of a column of scores as a key of scores.txt."""
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "_", column).strip("_")[:LONGEST_KEY]
    return plain if plain[:1].isalpha() else f"score_{plain}"[:LONGEST_KEY]
