"""The JSON Schema of results.json: the keys and meanings of its reference, with their types.

The reference (docs/reference/results.md) says what each key means, and `report.results_form` what a
value may be; a key that one of the two lacks is an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scoring_program.core.version import SCHEMA_VERSION
from scoring_program.report.results_form import TYPES, Either

_PAGE = Path(__file__).resolve().parents[1] / "reference" / "results.md"


def results() -> dict[str, Any]:
    """Return the schema of results.json; raises ValueError where the reference has other keys."""
    top, *inner = (_object(heading, types) for heading, types in TYPES.items())
    names = [heading.split("`")[1] for heading in TYPES][1:]
    definitions = dict(zip(names, inner, strict=True))
    top["properties"]["schema_version"]["const"] = SCHEMA_VERSION
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Results of a competition (results.json)",
        **top,
        "$defs": definitions,
    }


def _object(heading: str, types: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object of the reference; keys with "?" may lack."""
    meanings = _meanings(heading)
    kinds = {key.rstrip("?"): kind for key, kind in types.items()}
    if different := meanings.keys() ^ kinds.keys():
        raise ValueError(f"{_PAGE.name} and this table differ: {heading}: {sorted(different)}")
    properties = {
        key: {"description": meanings[key], **_value(kinds[key])}  # in the page's own words
        for key in meanings
    }
    required = sorted(key for key in types if not key.endswith("?"))
    return {"type": "object", "required": required, "properties": properties}


def _meanings(heading: str) -> dict[str, str]:
    """Return what the reference says of each key of an object, without links and code."""
    section = _PAGE.read_text(encoding="utf-8").partition(f"# {heading}\n")[2].partition("\n#")[0]
    found: dict[str, str] = {}
    for keys, meaning in re.findall(r"^\| (`[^|]*`) \| (.*) \|$", section, re.MULTILINE):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", meaning).replace("`", "")
        found |= dict.fromkeys(re.findall(r"`(\w+)`", keys), plain)
    return found


def _value(kind: Any) -> dict[str, Any]:
    """Return the schema of a value, as `TYPES` writes it."""
    if kind is None:
        return {}
    if isinstance(kind, Either):
        return {"anyOf": [_value(kind.items), _value(kind.fields)]}
    if isinstance(kind, frozenset):
        return {"enum": sorted(kind)}
    if isinstance(kind, dict):
        properties = {key.rstrip("?"): _value(item) for key, item in kind.items() if key != "?"}
        return {
            "type": ["object", "null"] if "?" in kind else "object",
            "required": sorted(key for key in kind if not key.endswith("?")),
            "properties": properties,
        }
    if isinstance(kind, list):
        least = {"minItems": 1} if ... in kind else {}
        holder = ["array", "null"] if "?" in kind else "array"
        return {"type": holder, "items": _value(kind[0]), **least}
    if isinstance(kind, tuple):
        ends = [_value(item) for item in kind]
        return {
            "type": ["array", "null"],
            "prefixItems": ends,
            "minItems": len(ends),
            "maxItems": len(ends),
        }
    if kind.startswith("#"):
        return {"$ref": f"#/$defs/{kind[1:]}"}
    if kind.startswith("{"):
        return {"type": "object", "additionalProperties": _value(kind[1:-1])}
    return {"type": [kind[:-1], "null"] if kind.endswith("?") else kind}
