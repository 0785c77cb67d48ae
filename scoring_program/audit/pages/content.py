"""The content of audit.json."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...core.arrays import Floats
from ..ceilings import Ceilings
from ..competition_audit import Audit
from ..near_copies import ErrorPair
from ..part_audit import AnswerAudit, LabelAudit, PartAudit
from ..plan_audit import PlanAudit
from ..regraded import Regrade

SCHEMA_VERSION = 2


def audit_content(audit: Audit, regrade: Regrade | None = None) -> dict[str, Any]:
    """Return audit.json: the ranking part at the top, all of them in "parts" if there are several.

    Entries are named, and the ids of examples are those of the reference data.
    """
    names = audit.names
    content: dict[str, Any] = {"schema_version": SCHEMA_VERSION, "contains_gold": True}
    content["leader"] = names[audit.findings.evidence[0].scores.leader]
    parts = [_part(part) for part in audit.parts]
    content |= parts[0]
    content["identical"] = [
        {"entries": list(item.names), "files": item.files} for item in audit.identical
    ]
    content["schemes"] = [
        {
            "kind": scheme.kind,
            "name": scheme.name,
            "top": [names[entry] for entry in sorted(scheme.top)],
            "rank": {
                names[entry]: rank for entry, rank in enumerate(scheme.rank.tolist()) if rank > 0
            },
        }
        for scheme in audit.schemes
    ]
    content["gains"] = [
        {
            "entry": names[gain.entry],
            "rank": gain.rank,
            "best": {"rank": gain.best, "kind": gain.best_in.kind, "name": gain.best_in.name},
            "worst": {"rank": gain.worst, "kind": gain.worst_in.kind, "name": gain.worst_in.name},
        }
        for gain in audit.gains
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
    if regrade is not None:
        content["regraded"] = _regraded(regrade)
    if len(parts) > 1:
        content["parts"] = parts
    return content


def _regraded(regrade: Regrade) -> dict[str, Any]:
    after = regrade.findings.evidence[0]
    return {
        "changed": regrade.changed,
        "leader": after.names[after.scores.leader],
        "entries": [
            {
                "entry": move.entry,
                "rank": list(move.rank),
                "score": list(move.score),
                "tied_with_leader": list(move.tied),
            }
            for move in regrade.moves
        ],
    }


def _part(part: PartAudit) -> dict[str, Any]:
    content: dict[str, Any] = {"part": part.name}
    if part.withdrawals:
        names = part.evidence.names
        content["withdrawal"] = [
            {
                "rival": names[item.rival],
                "fewest": item.fewest,
                "exact": item.exact,
                "examples": [part.ids[example] for example in item.examples or ()],
            }
            for item in part.withdrawals
        ]
    if part.labels is not None:
        content |= _labels(part.labels)
    if part.answers is not None:
        content |= _answers(part.answers)
    return content


def _labels(labels: LabelAudit) -> dict[str, Any]:
    field = labels.field
    return {
        "certificate": [
            {
                "rival": field.names[item.rival],
                "changes": item.changes,
                "exact": item.exact,
                "candidates": item.candidates,
                "examples": [field.ids[suspect.example] for suspect in item.suspects],
                "smallest_set": [
                    {"id": field.ids[suspect.example], "label": suspect.new}
                    for suspect in item.suspects
                    if suspect.counted
                ],
            }
            for item in labels.certificates
        ],
        "leader_stays": {f"{share:g}": stays for share, stays in labels.stays.items()},
        **_ceilings(labels.ceilings),
        "confusion": {
            "labels": [str(label) for label in field.labels],
            "entries": {
                name: np.stack([found.gold, found.given, found.counts], axis=1).tolist()
                for name, found in zip(field.names, labels.confusions, strict=True)
            },
        },
        "classes": _recalls(labels),
    }


def _ceilings(ceilings: Ceilings | None) -> dict[str, Any]:
    if ceilings is None:
        return {"oracle": None, "majority": None}
    return {
        "oracle": ceilings.oracle,
        "majority": {
            "score": ceilings.majority,
            "difference": ceilings.difference,
            "ci": [ceilings.low, ceilings.high],
            "p_two_sided": ceilings.p_value,
        },
    }


def _answers(audit: AnswerAudit) -> dict[str, Any]:
    answers, found = audit.answers, audit.examples
    content: dict[str, Any] = {
        "error_similarity": {
            "entries": [answers.names[entry] for entry in audit.clustered],
            "values": audit.similarity[np.ix_(audit.clustered, audit.clustered)].round(6).tolist(),
        },
        **_pairs(audit),
        "slices": _slices(audit),
    }
    if found is not None:
        content["examples"] = [
            {"id": identity, "entries_right": right}
            for identity, right in zip(answers.ids, found.entries_right.tolist(), strict=True)
        ]
        content["separating"] = found.separating
    return content


def _pairs(audit: AnswerAudit) -> dict[str, Any]:
    """Return the closest pair and those far outside the field's spread, the spread, the yardstick.

    ``next_closest`` is the number of errors that the next pair shares.
    """
    names, found = audit.answers.names, audit.pairs

    def seen(pair: ErrorPair) -> dict[str, Any]:
        return {
            "entries": [names[entry] for entry in pair.entries],
            "shared_errors": pair.shared,
            "errors": list(pair.errors),
        }

    # All pairs far outside share errors, and the closest one may share none.
    named = len(found.far_outside) or sum(pair.shared > 0 for pair in found.pairs[:1])
    following = [*(pair.shared for pair in found.pairs[1 : named + 1]), None]
    return {
        "near_copies": [
            {**seen(pair), "next_closest": shared}
            for pair, shared in zip(found.pairs[:named], following, strict=False)
        ],
        "spread": None
        if not found.pairs
        else {"pairs": len(found.pairs), "middle_half": found.quartiles, "far_above": found.fence},
        "yardstick": [seen(pair) for pair in found.yardstick],
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


def _slices(audit: AnswerAudit) -> list[dict[str, Any]]:
    """Return the share of wrong predictions of each entry in each slice."""
    found = audit.right
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
                for entry, name in enumerate(audit.answers.names)
            ],
        }
        for place, one in enumerate(audit.slices)
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
                "n": part.n,
                "entries": part.entries,
                "paired": part.paired,
                "constant": list(part.constant),
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
