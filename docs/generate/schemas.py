"""The JSON Schema of scoring.yaml, which editors use, from the table of the settings.

``python -m docs.generate.schemas`` writes it, and that of results.json, to ``templates/schemas``,
which is installed.
"""

from __future__ import annotations

import json
import re
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Any

from scoring_program.settings.checks import LONG_FORM
from scoring_program.settings.groups import GROUP_OF
from scoring_program.settings.model import LIMITS, Settings

from .results_schema import results

SCHEMAS = Path(__file__).resolve().parents[2] / "templates" / "schemas"
_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}


def settings() -> dict[str, Any]:
    """Return the schema of scoring.yaml; the title of a key is its group."""
    keys = {item.name: item for item in fields(Settings)}
    return {
        "$schema": _DRAFT,
        "title": "Settings of a competition (scoring.yaml)",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            key: {"title": about.capitalize(), **_of_key(keys[key])}
            for key, about in GROUP_OF.items()
        },
    }


def _of_key(item: Field[Any]) -> dict[str, Any]:
    if item.name == "metrics":
        return _metrics()
    if item.name == "costs":
        return _costs(item)
    return _limits(item) if item.name == "limits" else _setting(item)


def _costs(item: Field[Any]) -> dict[str, Any]:
    """Return the schema of ``costs``: a number for each team, or the name of a column."""
    of_teams = {
        "type": "object",
        "minProperties": 1,
        "additionalProperties": {"type": "number", "minimum": 0},
    }
    return {
        "description": item.metadata["help"],
        "anyOf": [of_teams, {"type": "string", "minLength": 1}, {"type": "null"}],
    }


def _limits(item: Field[Any]) -> dict[str, Any]:
    """Return the schema of ``limits``, which may be null."""
    one = {"type": "integer", "minimum": 1}
    return {
        "description": item.metadata["help"],
        "properties": dict.fromkeys(LIMITS, one),
        "additionalProperties": False,
    }


def _setting(item: Field[Any]) -> dict[str, Any]:
    """Return the schema of one setting: what its annotation, its choices and its check say."""
    named = str(item.type)
    found: dict[str, Any] = {"description": item.metadata["help"]}
    if item.default not in (None, "", (), MISSING):
        found["default"] = item.default
    choices = [] if item.name == "format" else list(item.metadata["choices"])  # packages add some
    words = {_TYPES[word] for word in re.findall(r"\w+", named) if word in _TYPES}
    if _accepts(item, 7):
        words.add("integer")  # such as a name that looks like a number, without quotes
    if "tuple[tuple" in named or "Description" in named or "Folds" in named:
        return found  # pairs and mappings: the check says more than a schema could
    single = {"enum": choices} if choices else {"type": sorted(words)}
    several = [single, {"type": "array", "items": single}] if "tuple" in named else [single]
    empty = [{"type": "null"}] if _accepts(item, None) else []
    return {**found, "anyOf": [*several, *empty]} if several[1:] or empty else {**found, **single}


def _accepts(item: Field[Any], value: Any) -> bool:
    """Return whether the setting's check takes a value."""
    try:
        item.metadata["check"](value)
    except ValueError:
        return False
    return True


def _metrics() -> dict[str, Any]:
    """Return the schema of ``metrics``: names, names with parameters, and long forms."""
    long_form = {
        **{key: {"type": "string"} for key in LONG_FORM},
        "params": {"type": "object"},
        "greater_is_better": {"type": "boolean"},
        "show": {"type": "boolean"},
        "sums": {"type": "boolean"},
        "task": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
    }
    long_form = {key: value for key, value in long_form.items() if key in LONG_FORM}
    one = {
        "anyOf": [
            {"type": "string"},
            {
                "type": "object",
                "properties": long_form,
                "additionalProperties": {"type": ["object", "null"]},
            },
        ]
    }
    return {
        "description": "the metrics; each becomes a key of scores.txt, and the first one ranks",
        "anyOf": [one, {"type": "array", "items": one, "minItems": 1}],
    }


def text(schema: dict[str, Any]) -> str:
    """Return a schema as its file holds it."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    SCHEMAS.mkdir(exist_ok=True)
    for name, schema in {"scoring": settings(), "results": results()}.items():
        (SCHEMAS / f"{name}.json").write_text(text(schema), encoding="utf-8")
