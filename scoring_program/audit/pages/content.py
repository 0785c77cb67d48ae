"""The content of audit.json."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...core.arrays import Floats
from ..competition_audit import AnswerAudit, Audit, LabelAudit, PartAudit
from ..copies import ErrorPair
from ..plan import PlanAudit
from ..regrade import Regrade
from ..right_answers import Shares
from ..schemes import RankingScheme

SCHEMA_VERSION = 2


def audit_content(audit: Audit, regrade: Regrade | None = None) -> dict[str, Any]:
    """Return audit.json: the ranking part at the top, all of them in "parts" if there are several.

    Entries are named, and the ids of examples are those of the reference data.
    """
    names, parts = audit.names, [_part(part) for part in audit.parts]
    content: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "contains_gold": True,
        "leader": names[audit.findings.evidence[0].scores.leader],
        **parts[0],
        "identical": [
            {"entries": list(item.names), "files": item.files} for item in audit.identical
        ],
        "schemes": [
            {
                "kind": scheme.kind,
                "name": scheme.name,
                "top": [names[entry] for entry in sorted(scheme.top)],
                "rank": {
                    name: rank
                    for name, rank in zip(names, scheme.rank.tolist(), strict=True)
                    if rank > 0
                },
            }
            for scheme in audit.schemes
        ],
        "gains": [
            {
                "entry": names[gain.entry],
                "rank": gain.rank,
                "best": _place(gain.best, gain.best_in),
                "worst": _place(gain.worst, gain.worst_in),
            }
            for gain in audit.gains
        ],
        "optimism": [
            {
                **_fields(item, "entry", "public", "private", "difference"),
                "ci": [item.low, item.high],
                **_fields(item, "submissions", "expected"),
            }
            for item in audit.optimism
        ],
    }
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
            {**_fields(move, "entry", "rank", "score"), "tied_with_leader": move.tied}
            for move in regrade.moves
        ],
    }


def _fields(item: object, *names: str) -> dict[str, Any]:
    return {name: getattr(item, name) for name in names}


def _place(rank: int, scheme: RankingScheme) -> dict[str, Any]:
    return {"rank": rank, **_fields(scheme, "kind", "name")}


def _part(part: PartAudit) -> dict[str, Any]:
    content: dict[str, Any] = {"part": part.name}
    if part.withdrawals:
        content["withdrawal"] = [
            {
                "rival": part.evidence.names[item.rival],
                **_fields(item, "fewest", "exact"),
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
    field, ceilings = labels.field, labels.ceilings
    texts = [str(label) for label in field.labels]
    return {
        "certificate": [
            {
                "rival": field.names[item.rival],
                **_fields(item, "changes", "exact", "candidates"),
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
        "oracle": ceilings and ceilings.oracle,
        "majority": ceilings
        and {
            "score": ceilings.majority,
            "difference": ceilings.difference,
            "ci": [ceilings.low, ceilings.high],
            "p_two_sided": ceilings.p_value,
        },
        "confusion": {
            "labels": texts,
            "entries": {
                name: confusion.rows
                for name, confusion in zip(field.names, labels.confusions, strict=True)
            },
        },
        "classes": [
            {
                "label": label,
                "n": int(labels.recalls.sizes[code]),
                "entries": [
                    {"entry": name, **_share("recall", labels.recalls, entry, code)}
                    for entry, name in enumerate(field.names)
                ],
            }
            for code, label in enumerate(texts)
        ],
    }


def _answers(audit: AnswerAudit) -> dict[str, Any]:
    answers, examples, order = audit.answers, audit.examples, list(audit.clustered)
    content: dict[str, Any] = {
        "error_similarity": {
            "entries": [answers.names[entry] for entry in order],
            "values": audit.similarity[np.ix_(order, order)].round(6).tolist(),
        },
        **_pairs(audit),
        "slices": [] if audit.right is None else _slices(audit, audit.right.others),
    }
    if examples is not None:
        content["examples"] = [
            {"id": identity, "entries_right": right}
            for identity, right in zip(answers.ids, examples.entries_right.tolist(), strict=True)
        ]
        content["separating"] = examples.separating
    return content


def _pairs(audit: AnswerAudit) -> dict[str, Any]:
    """Return the closest pair and those far outside the field's spread, the spread, the yardstick.

    ``next_closest`` is the number of errors that the next pair shares.
    """
    names, pairs = audit.answers.names, audit.pairs

    def seen(pair: ErrorPair) -> dict[str, Any]:
        return {
            "entries": [names[entry] for entry in pair.entries],
            "shared_errors": pair.shared,
            "errors": pair.errors,
        }

    # All pairs far outside share errors, and the closest one may share none.
    named = len(pairs.far_outside) or sum(pair.shared > 0 for pair in pairs.pairs[:1])
    following = [*(pair.shared for pair in pairs.pairs[1 : named + 1]), None]
    return {
        "near_copies": [
            {**seen(pair), "next_closest": shared}
            for pair, shared in zip(pairs.pairs[:named], following, strict=False)
        ],
        "spread": None
        if not pairs.pairs
        else {"pairs": len(pairs.pairs), "middle_half": pairs.quartiles, "far_above": pairs.fence},
        "yardstick": [seen(pair) for pair in pairs.yardstick],
    }


def _slices(audit: AnswerAudit, wrong: Shares) -> list[dict[str, Any]]:
    """Return the share of wrong predictions of each entry in each slice."""
    sizes = wrong.sizes.tolist()
    return [
        {
            **_fields(one, "column", "value"),
            "n": sizes[place],
            "entries": [
                {
                    "entry": name,
                    "errors": round(wrong.share[entry, place] * sizes[place]),
                    **_share("error_rate", wrong, entry, place),
                }
                for entry, name in enumerate(audit.answers.names)
            ],
        }
        for place, one in enumerate(audit.slices)
    ]


def _share(key: str, found: Shares, entry: int, part: int) -> dict[str, Any]:
    """Return a share and its interval; what is not finite is nothing."""

    def number(array: Floats) -> float | None:
        value = float(array[entry, part])
        return value if math.isfinite(value) else None

    return {key: number(found.share), "ci": [number(found.low), number(found.high)]}


def plan_content(parts: Sequence[PlanAudit]) -> Mapping[str, Any]:
    """Return audit.json of a plan."""
    return {
        "schema_version": SCHEMA_VERSION,
        "contains_gold": True,
        "plan": [
            {
                "part": part.name,
                "metric": part.metric.name,
                **_fields(part, "n", "entries", "paired", "constant"),
                "examples_needed": [
                    {"difference": difference, "examples": examples}
                    for difference, examples in part.sizes
                ],
                "separable": part.separable,
                "undefined_resamples": part.undefined,
                "small_classes": part.small_classes,
                "repetitions": [
                    {"rows": rows, "labels": labels} for rows, labels in part.repetitions.items()
                ],
                "overlaps": part.overlaps,
            }
            for part in parts
        ],
    }
