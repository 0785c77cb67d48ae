"""The JSON Schema of results.json: the keys and meanings of its reference, with their types.

The reference (docs/reference/outputs.md) says what each key means. Here stands only what a value
may be; a key that one of the two lacks is an error.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from scoring_program.core.version import SCHEMA_VERSION

_PAGE = Path(__file__).resolve().parents[1] / "reference" / "outputs.md"
_RULES = "{boolean}"
_ENDS = ("number?", "number?")
_WHERE_NONE = {"estimate": "number?", "ci": _ENDS, "reason": "string?"}
_DIFFERENCE = {
    "observed": "number?",
    "mean": "number?",
    "standard_error": "number?",
    "ci": _ENDS,
    "p_one_sided": "number?",
    "p_two_sided": "number?",
    "p_adjusted": "{number?}",
}
_COMPETITIVENESS = {
    "n": "integer",
    "m": "integer",
    "ties_with_winner": "{integer?}",
    "possible_comparisons": "integer?",
    "ties_between_competitors": "{integer?}",
    "winner_minus_median": "number?",
    "cv_percent": "number?",
    "ppi_percent": "number?",
    "standard_errors": "{number?}",
}
_VERDICT = {
    "leaders": ["string"],
    "possible_winners": ["string"],
    "verified": "string?",
    "unverified_by": "string?",
    "verified_places": "integer?",
    "rule": "string",
    "confidence": "number?",
    "withdrawn_because": "string?",
    "sentence": "string?",
    "leader_corrected": _WHERE_NONE,
}
_PRIZES = {
    "places": "integer",
    "sure": ["string", "?"],
    "open": ["string", "?"],
    "out": ["string", "?"],
    "confidence": "number?",
    "reason": "string?",
}
#: Section of the reference → key → what its value is: a type, with ? where it may be null, or in
#: braces for a mapping of any keys; a list of one for a list, with "?" if it may be null; a tuple
#: for a list of that length, or null; a dictionary for an object, with "?" if it may be null; None
#: for anything; a name that begins with # for a definition.
TYPES: dict[str, dict[str, Any]] = {
    "`results.json`": {
        "schema_version": "integer",
        "verdict": "string",
        "title": "string?",
        "signature": "object",
        "settings": "object",
        "form": "string",
        "kind": "string",
        "n": "integer",
        "m": "integer",
        "notes": ["string"],
        "runs": "{integer}",
        "uploads": "integer?",
        "averaged": "integer",
        "unusable": [{"entry": "string", "reason": "string"}],
        "unscored": [{"entry": "string", "where": "string", "reason": "string"}],
        "left_aside": [{"name": "string", "reason": "string"}],
        "warnings": [
            {
                "metric": "string",
                "level": "string",
                "code": "string",
                "number": "number?",
                "message": "string",
            }
        ],
        "metrics": ["#metrics"],
        "not_compared": [
            {"entry": "string", "rank": "integer", "scores": None, "sha256": "string?"}
        ],
    },
    "An object of `metrics`": {
        "name": "string",
        "label": "string",
        "definition": "string",
        "task": "string?",
        "greater_is_better": "boolean",
        "bounds": _ENDS,
        "n": "integer",
        "resamples": "integer",
        "undefined_resamples": "integer",
        "confidence": "number",
        "interval": "string",
        "tie_rule": "string",
        "studentized": {"reason": "string?", "pairs": "integer"},
        "leader": "string",
        "leaders": ["string"],
        "verdict": _VERDICT,
        "prizes": {**_PRIZES, "?": True},
        "reference": "string",
        "entries": ["#entries"],
        "pairs": None,
        "reference_tests": [
            {
                "reference": "string",
                "entries": [{"entry": "string", "advantage": "number?", "p_value": "number?"}],
            }
        ],
        "competitiveness": _COMPETITIVENESS,
        "slices": [
            {
                "column": "string",
                "value": None,
                "n": "integer",
                "compared": "boolean",
                "other_leader": "string?",
                "entries": [{"entry": "string", "score": "number?", "ci": _ENDS}],
            }
        ],
        "schemes": None,
        "samples": None,
        "planning": None,
    },
    "An object of `entries`": {
        "entry": "string",
        "baseline": "boolean",
        "rank": "integer",
        "score": "number",
        "mean": "number?",
        "standard_error": "number?",
        "ci": _ENDS,
        "ci_method": "string?",
        "difference": {**_DIFFERENCE, "?": True},
        "tied": _RULES,
        "tied_with_reference": "boolean",
        "tied_with_leader": "boolean",
        "rank_range": ("integer", "integer?"),
        "rank_set": ("integer?", "integer?"),
        "distance_from_best": "number?",
        "bar": _ENDS,
        "practically_best": "boolean?",
        "separated_from": "string?",
        "tier": "integer",
        "rank_frequency": ["number"],
    },
    "An object of `pairs`": {
        "better": "string",
        "worse": "string",
        "difference": "number?",
        "standard_error": "number?",
        "ci": _ENDS,
        "resolution": "number?",
        "p_one_sided": "number?",
        "p_adjusted": "{object?}",
        "p_max_t": "number?",
    },
}


def results() -> dict[str, Any]:
    """Return the schema of results.json; raises ValueError where the reference has other keys."""
    top, *inner = (_object(heading, types) for heading, types in TYPES.items())
    names = [heading.split("`")[1] for heading in TYPES][1:]
    definitions = dict(zip(names, inner, strict=True))
    definitions["metrics"]["properties"]["pairs"] |= {
        "anyOf": [{"type": "array", "items": {"$ref": "#/$defs/pairs"}}, {"type": "object"}]
    }
    top["properties"]["schema_version"]["const"] = SCHEMA_VERSION
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Results of a competition (results.json)",
        **top,
        "$defs": definitions,
    }


def _object(heading: str, types: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object of the reference; all of its keys are always there."""
    meanings = _meanings(heading)
    if different := meanings.keys() ^ types.keys():
        raise ValueError(f"{_PAGE.name} and this table differ: {heading}: {sorted(different)}")
    properties = {
        key: {"description": meanings[key], **_value(types[key])}  # in the page's own words
        for key in meanings
    }
    return {"type": "object", "required": sorted(properties), "properties": properties}


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
    if isinstance(kind, dict):
        properties = {key: _value(item) for key, item in kind.items() if key != "?"}
        return {
            "type": ["object", "null"] if "?" in kind else "object",
            "required": sorted(properties),
            "properties": properties,
        }
    if isinstance(kind, list):
        return {
            "type": ["array", "null"] if "?" in kind else "array",
            "items": _value(kind[0]),
        }
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
