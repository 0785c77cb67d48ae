"""The content of audit.json."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..core.arrays import Floats
from .competition_audit import Audit
from .part_audit import LabelAudit, PartAudit
from .plan_audit import PlanAudit

SCHEMA_VERSION = 1


def audit_content(audit: Audit) -> dict[str, Any]:
    """Return audit.json: the ranking part at the top, all of them in "parts" if there are several.

    Entries are named, and the ids of examples are those of the reference data.
    """
    content: dict[str, Any] = {"schema_version": SCHEMA_VERSION, "contains_gold": True}
    content["leader"] = audit.names[audit.findings.analyses[0].leader]
    parts = [_part(part) for part in audit.parts]
    content |= parts[0]
    content["identical"] = [list(names) for names in audit.identical]
    content["schemes"] = [
        {
            "kind": scheme.kind,
            "name": scheme.name,
            "top": [audit.names[entry] for entry in sorted(scheme.top)],
            "rank": {
                audit.names[entry]: rank
                for entry, rank in enumerate(scheme.rank.tolist())
                if rank > 0
            },
        }
        for scheme in audit.schemes
    ]
    content["optimism"] = [
        {
            "entry": item.entry,
            "public": item.public,
            "private": item.private,
            "difference": item.difference,
            "ci": [item.low, item.high],
            "submissions": item.submissions,
            "expected": item.expected,
        }
        for item in audit.optimism
    ]
    if len(parts) > 1:
        content["parts"] = parts
    return content


def _part(part: PartAudit) -> dict[str, Any]:
    content: dict[str, Any] = {"part": part.name}
    labels = part.labels
    if labels is None:
        return content
    return content | _of_labels(labels) | {"classes": _recalls(labels), "slices": _slices(labels)}


def _of_labels(labels: LabelAudit) -> dict[str, Any]:
    field = labels.field
    ceilings = labels.ceilings
    return {
        "certificate": [
            {
                "rival": field.names[item.rival],
                "changes": item.changes,
                "exact": item.exact,
                "candidates": item.candidates,
                "examples": [field.ids[suspect.example] for suspect in item.suspects],
            }
            for item in labels.certificates
        ],
        "leader_stays": {f"{share:g}": stays for share, stays in labels.stays.items()},
        "examples": [
            {"id": identity, "entries_right": right}
            for identity, right in zip(
                field.ids, labels.examples.entries_right.tolist(), strict=True
            )
        ],
        "separating": labels.examples.separating,
        "oracle": None if ceilings is None else ceilings.oracle,
        "majority": None
        if ceilings is None
        else {
            "score": ceilings.majority,
            "difference": ceilings.difference,
            "ci": [ceilings.low, ceilings.high],
            "p_two_sided": ceilings.p_value,
        },
        "confusion": {
            "labels": [str(label) for label in field.labels],
            "entries": {
                name: counts.tolist()
                for name, counts in zip(field.names, labels.confusion, strict=True)
            },
        },
        "error_similarity": {
            "entries": [field.names[entry] for entry in labels.clustered],
            "values": labels.similarity[np.ix_(labels.clustered, labels.clustered)]
            .round(6)
            .tolist(),
        },
        "near_copies": [
            {
                "entries": [field.names[entry] for entry in item.entries],
                "shared_errors": item.shared_errors,
                "expected": item.expected,
                "p": item.p_value,
            }
            for item in labels.copies
        ],
    }


def _recalls(labels: LabelAudit) -> list[dict[str, Any]]:
    found, field = labels.recalls, labels.field
    return [
        {
            "label": str(label),
            "n": int(found.sizes[code]),
            "entries": [
                {
                    "entry": name,
                    "recall": _number(found.share, entry, code),
                    "ci": [_number(found.low, entry, code), _number(found.high, entry, code)],
                }
                for entry, name in enumerate(field.names)
            ],
        }
        for code, label in enumerate(field.labels)
    ]


def _slices(labels: LabelAudit) -> list[dict[str, Any]]:
    """Return the share of wrong predictions of each entry in each slice."""
    found = labels.right
    if found is None:
        return []
    return [
        {
            "column": one.column,
            "value": one.value,
            "n": int(found.sizes[place]),
            "entries": [
                {
                    "entry": name,
                    "errors": round((1 - found.share[entry, place]) * int(found.sizes[place])),
                    "error_rate": _number(1 - found.share, entry, place),
                    "ci": [
                        _number(1 - found.high, entry, place),
                        _number(1 - found.low, entry, place),
                    ],
                }
                for entry, name in enumerate(labels.field.names)
            ],
        }
        for place, one in enumerate(labels.slices)
    ]


def _number(array: Floats, entry: int, code: int) -> float | None:
    value = float(array[entry, code])
    return value if math.isfinite(value) else None


def plan_content(parts: Sequence[PlanAudit]) -> Mapping[str, Any]:
    """Return audit.json of a plan."""
    return {
        "schema_version": SCHEMA_VERSION,
        "contains_gold": True,
        "plan": [
            {
                "part": part.name,
                "metric": part.metric.name,
                "n": part.units,
                "entries": part.entries,
                "paired": part.paired,
                "examples_needed": [
                    {"difference": size.difference, "examples": size.examples}
                    for size in part.sizes
                ],
                "separable": part.separable,
                "undefined_resamples": part.undefined,
                "small_classes": part.small_classes,
                "repetitions": [
                    {"rows": list(item.rows), "labels": list(item.labels)}
                    for item in part.repetitions
                ],
                "overlaps": dict(part.overlaps),
            }
            for part in parts
        ],
    }
