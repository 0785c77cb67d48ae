"""The form of results.json: what stands under each key, and where a document has another form.

The JSON Schema in ``templates/schemas`` is made from the same table.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..core.errors import quoted
from ..core.methods import TIE_RULES
from ..inference.evidence import PROJECTION, WITHHELD

#: The words of a level and of a tie rule.
_LEVEL = frozenset(("red", "amber"))
_RULE = frozenset((*TIE_RULES, PROJECTION, WITHHELD))
_RULES = "{boolean}"
_ENDS = ("number?", "number?")
_WHERE_NONE = {"estimate": "number?", "ci": _ENDS, "reason": "string?"}
_DIFFERENCE = {
    "observed": "number?",
    "mean": "number?",
    "standard_error": "number?",
    "gain?": "number?",
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
    "rule": _RULE,
    "confidence": "number?",
    "withdrawn_because": "string?",
    "sentence": "string?",
    "leader_corrected": _WHERE_NONE,
}
#: Of many entries, the pairs of each number are rows, see `results_json.pairs_of`.
_TRIANGLE = [["number?"]]
_TRIANGLES = {
    "better": ["string"],
    "worse": ["string"],
    "difference": _TRIANGLE,
    "ci": [_TRIANGLE],
    "p_one_sided": _TRIANGLE,
    "p_max_t": _TRIANGLE,
}

_PRIZES = {
    "?": True,
    "places": "integer",
    "sure": ["string", "?"],
    "open": ["string", "?"],
    "out": ["string", "?"],
    "confidence": "number?",
    "reason": "string?",
}


_FRONT = {
    "costs": "{number}",
    "measured": "boolean",
    "on": ["string", "?"],
    "excluded": [{"team": "string", "by": "string"}, "?"],
    "confidence": "number?",
    "reason": "string?",
}


class Either(NamedTuple):
    """A value that is a list, or else an object."""

    items: list[Any]
    fields: dict[str, Any]


#: Section of the reference → key → what its value is: a type, with ? where it may be null, or in
#: braces for a mapping of any keys; a list of one for a list, with ... if it is not empty and ? if
#: it may be null; a tuple for a list of that length, or null; a set for one of its words; a
#: dictionary for an object, or null with the key ?, whose keys with ? may be missing; `Either`;
#: None for anything; a name that begins with # for a definition.
TYPES: Mapping[str, Mapping[str, Any]] = {
    "`results.json`": {
        "schema_version": "integer",
        "verdict": "string",
        "title": "string?",
        "signature": "{string}",
        "settings": "object",
        "form": "string",
        "kind": "string",
        "n": "integer",
        "m": "integer",
        "reading": None,
        "notes": ["string"],
        "runs": "{integer}",
        "keys": "{string}",
        "uploads": "integer?",
        "averaged": "integer",
        "unusable": [{"entry": "string", "reason": "string", "phrase?": None}],
        "unscored": [{"entry": "string", "where": "string", "reason": "string", "phrase?": None}],
        "left_aside": [{"name": "string", "reason": "string"}],
        "warnings": [
            {
                "metric": "string",
                "level": _LEVEL,
                "code": "string",
                "number": "number?",
                "message": "string",
                "phrase?": None,
            }
        ],
        "metrics": ["#metrics", ...],
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
        "tie_rule": _RULE,
        "studentized": {"reason": "string?", "pairs": "integer"},
        "leader": "string",
        "leaders": ["string"],
        "verdict": _VERDICT,
        "prizes": _PRIZES,
        "reference": "string",
        "entries": ["#entries", ...],
        "pairs": Either(["#pairs"], _TRIANGLES),
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
        "front?": _FRONT,
        "seed_share?": "number",
        "people?": {
            "judged": "integer",
            "units": "integer",
            "weight": "number",
            "worth": "number?",
            "entries": [
                {
                    "entry": "string",
                    "judge": "number",
                    "judge_on_judged": "number",
                    "people": "number",
                    "people_standard_error": "number",
                    "people_ci": ("number", "number"),
                }
            ],
        },
    },
    "An object of `entries`": {
        "entry": "string",
        "team": "string",
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
        "bar": ("number", "number?"),
        "practically_best": "boolean?",
        "separated_from": "string?",
        "tier": "integer",
        "rank_frequency": ["number"],
        "runs?": ["number"],
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


#: What a definition is made of, by its name in `TYPES`.
_OF_DEFINITIONS = {f"#{heading.split('`')[1]}": form for heading, form in TYPES.items()}
#: Keys that documents of an older schema lack.
_NEWER = frozenset(
    (
        "keys",
        "metrics.n",
        "metrics.verdict",
        "metrics.entries.team",
        "metrics.entries.bar",
        "metrics.slices.compared",
        "metrics.slices.other_leader",
    )
)
#: A type of JSON → whether a value, as Python reads it, has it. A whole number may be 1.0.
_IS_OF: Mapping[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "number": lambda value: _is_number(value),
    "integer": lambda value: _is_number(value) and value == int(value),
    "object": lambda value: isinstance(value, dict),
}
#: What messages call a type.
_NAMES = {
    "string": "a text",
    "boolean": "true or false",
    "number": "a finite number",
    "integer": "a whole number",
    "object": "an object",
}
_ENDS_OF_INTERVAL = 2
#: The number of an item in a place.
_NUMBERS = re.compile(r"\[\d+\]")


class Misfit(NamedTuple):
    """A place in a document, "metrics[0].entries[3].rank", and what should stand there."""

    place: str
    wanted: str

    def __str__(self) -> str:
        return f"{self.place} is missing or malformed: expected {self.wanted}"


def misfit(
    document: Mapping[str, Any], *, older: bool = False, partly: bool = False
) -> Misfit | None:
    """Return the first place where a document has another form than results.json; None if none.

    Numbers are finite. An ``older`` one lacks the keys of the last schema; of one that is read
    ``partly``, any key may be missing, but what is there has its form.
    """

    def may_lack(key: str) -> bool:
        return partly or (older and key in _NEWER)

    return next(_misfits(document, "#results.json", "", may_lack), None) or _of_whole(document)


def _of_whole(document: Mapping[str, Any]) -> Misfit | None:
    """Return where values that have their form do not fit each other."""
    for number, metric in enumerate(document.get("metrics", ())):
        place = f"metrics[{number}]"
        entries = metric.get("entries", ())
        if entries and all(entry.get("baseline") for entry in entries):
            return Misfit(f"{place}.entries", "one that is no baseline")
        pairs = metric.get("pairs")
        if isinstance(pairs, dict) and (key := _key_of_other_length(pairs)):
            return Misfit(f"{place}.pairs.{key}", "as many rows and numbers as there are entries")
    return None


def _key_of_other_length(pairs: Mapping[str, Any]) -> str:
    """Return the key of a triangle, see `results_json.pairs_of`, with too many numbers, or none."""
    rows = len(pairs["better"])
    if len(pairs["worse"]) != rows:
        return "worse"
    named = [(key, pairs[key]) for key in ("difference", "p_one_sided", "p_max_t")]
    if len(pairs["ci"]) != _ENDS_OF_INTERVAL:
        return "ci"
    named += [("ci", end) for end in pairs["ci"]]
    for key, triangle in named:
        lengths = list(map(len, triangle))
        most = range(rows, 0, -1)
        if len(lengths) > rows or not all(0 < n <= m for n, m in zip(lengths, most, strict=False)):
            return key
    return ""


_MayLack = Callable[[str], bool]


def _misfits(value: Any, wanted: Any, place: str, may_lack: _MayLack) -> Iterator[Misfit]:
    """Yield where a value is not what `TYPES` says."""
    if isinstance(wanted, Either):
        wanted = wanted.items if isinstance(value, list) else wanted.fields
    if isinstance(wanted, str) and wanted.startswith("#"):
        wanted = _OF_DEFINITIONS[wanted]
    if wanted is None:
        return
    if isinstance(wanted, str) and not wanted.startswith("{"):
        if not (_IS_OF[wanted.rstrip("?")](value) or (wanted.endswith("?") and value is None)):
            yield Misfit(place, _NAMES[wanted.rstrip("?")] + " or null" * wanted.endswith("?"))
    elif isinstance(wanted, frozenset):
        if value not in sorted(wanted):
            yield Misfit(place, f"one of {', '.join(sorted(wanted))}")
    elif isinstance(wanted, list):
        yield from _misfits_of_list(value, wanted, place, may_lack)
    elif isinstance(wanted, tuple):
        yield from _misfits_of_ends(value, wanted, place, may_lack)
    else:
        yield from _misfits_of_object(value, wanted, place, may_lack)


def _misfits_of_list(
    value: Any, wanted: Sequence[Any], place: str, may_lack: _MayLack
) -> Iterator[Misfit]:
    if value is None and "?" in wanted:
        return
    if not isinstance(value, list) or (... in wanted and not value):
        yield Misfit(place, "a list with something in it" if ... in wanted else "a list")
        return
    for number, item in enumerate(value):
        yield from _misfits(item, wanted[0], f"{place}[{number}]", may_lack)


def _misfits_of_ends(
    value: Any, wanted: Sequence[Any], place: str, may_lack: _MayLack
) -> Iterator[Misfit]:
    if value is None:
        return
    if not isinstance(value, list) or len(value) != len(wanted):
        yield Misfit(place, f"a list of {len(wanted)}")
        return
    for number, (item, kind) in enumerate(zip(value, wanted, strict=True)):
        yield from _misfits(item, kind, f"{place}[{number}]", may_lack)


def _misfits_of_object(value: Any, wanted: Any, place: str, may_lack: _MayLack) -> Iterator[Misfit]:
    is_mapping = isinstance(wanted, str)
    if value is None and not is_mapping and "?" in wanted:
        return
    if not isinstance(value, dict):
        yield Misfit(place, "an object")
        return
    if is_mapping:
        for key, item in value.items():
            yield from _misfits(item, wanted[1:-1], f"{place}[{quoted(key)}]", may_lack)
        return
    for key, kind in wanted.items():
        name = key.rstrip("?")
        inside = f"{place}.{name}" if place else name
        if name in value:
            yield from _misfits(value[name], kind, inside, may_lack)
        elif not key.endswith("?") and not may_lack(_NUMBERS.sub("", inside)):
            yield Misfit(inside, "this key")


def _is_number(value: Any) -> bool:
    is_of_type = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_of_type and math.isfinite(value)
