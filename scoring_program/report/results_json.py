"""results.json: everything that is on the page, for machines."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from ..core.version import SCHEMA_VERSION
from ..inference.analysis import MetricAnalysis, SliceAnalysis
from ..inference.findings import Findings
from ..settings.model import as_dict
from . import language
from .pair_triangles import pairs_of

#: Digits that results.json keeps: more than the bootstrap has, fewer than rounding noise disturbs.
_SIGNIFICANT_DIGITS = 12
#: Depth of results.json at which things take one line: metrics / a metric / pairs / a pair.
_OPENED = 4


def results_json(findings: Findings, verdict: str) -> str:
    """Return results.json: everything that is on the page, its ``verdict`` included, for machines.

    Arrays over entries are ordered best first; numbers have 12 significant digits; what does not
    exist is null. An entry and a pair take one line each; many pairs are triangles of fewer digits.
    """
    english = language.load(language.OF_THE_LOG, findings.kind)
    document = {
        "schema_version": SCHEMA_VERSION,
        "verdict": verdict,
        "title": findings.settings.title,
        "signature": findings.signature,
        "settings": as_dict(findings.settings),
        "form": findings.form,
        "kind": findings.kind,
        "n": findings.n,
        "m": len(findings.names),
        "notes": list(map(english.tell, findings.notes)),
        "runs": findings.runs,
        "uploads": findings.uploads,
        "averaged": findings.averaged,
        "left_aside": [
            {"name": item.name, "reason": english.tell(item.reason)} for item in findings.left_aside
        ],
        "unusable": [{"entry": item.name, "reason": item.reason} for item in findings.unusable],
        "unscored": [
            {"entry": entry, "where": where, "reason": reason}
            for (entry, where), reason in findings.unscored.items()
        ],
        "warnings": [
            {
                "metric": analysis.metric.name,
                "level": caution.level,
                "code": caution.code,
                "number": caution.number,
                "message": english.tell(caution.note),
            }
            for analysis in findings.analyses
            for caution in analysis.cautions
        ],
        "metrics": [_metric(analysis) for analysis in findings.analyses],
        "not_compared": [
            {
                "entry": entry.name,
                "rank": entry.rank,
                "scores": entry.scores,
                "sha256": entry.sha256,
            }
            for entry in findings.uncompared
        ],
    }
    return "".join(_pieces(document)) + "\n"


def _metric(analysis: MetricAnalysis) -> dict[str, Any]:
    metric, names = analysis.metric, analysis.names
    return {
        "name": metric.name,
        "label": metric.label,
        "task": analysis.task,
        "definition": metric.description,
        "greater_is_better": metric.greater_is_better,
        "bounds": [metric.low, metric.high],
        "resamples": analysis.resamples,
        "undefined_resamples": analysis.undefined,
        "confidence": analysis.confidence,
        "interval": analysis.interval,
        "tie_rule": analysis.tie_rule,
        "studentized": {"reason": analysis.studentized, "pairs": analysis.studentized_pairs},
        "leader": names[analysis.leader],
        "leaders": [names[i] for i in analysis.leaders],
        "reference": names[analysis.reference],
        "entries": [_entry(analysis, i) for i in analysis.order],
        "pairs": pairs_of(analysis),
        "reference_tests": [
            {
                "reference": names[test.reference],
                "entries": [
                    {"entry": names[i], "advantage": test.observed[i], "p_value": test.p_value[i]}
                    for i in analysis.order
                ],
            }
            for test in analysis.reference_tests
        ],
        "competitiveness": vars(analysis.competitiveness),
        "slices": [_slice(analysis, one) for one in analysis.slices],
        "schemes": _schemes(analysis),
        "samples": _samples(analysis),
        "planning": None
        if analysis.only_ranks
        else {
            "power": analysis.planning.power,
            "smallest_separable": analysis.planning.smallest_separable,
            "pairs": [
                {**vars(plan), "entry": names[plan.entry]} for plan in analysis.planning.pairs
            ],
        },
    }


def _entry(analysis: MetricAnalysis, i: int) -> dict[str, Any]:
    differences, practically_best = analysis.differences, analysis.practically_best
    separated_from = int(analysis.separated_from[i])
    return {
        "entry": analysis.names[i],
        "baseline": i in analysis.baselines,
        "rank": analysis.rank[i],
        "score": analysis.score[i],
        "mean": analysis.mean[i],
        "standard_error": analysis.standard_error[i],
        "ci": None if analysis.only_ranks else [analysis.low[i], analysis.high[i]],
        "ci_method": None if analysis.only_ranks else analysis.interval_used[i],
        "difference": None
        if analysis.only_ranks
        else {
            "observed": differences.observed[i],
            "mean": differences.mean[i],
            "standard_error": differences.standard_error[i],
            "ci": [differences.low[i], differences.high[i]],
            "p_one_sided": differences.p_one_sided[i],
            "p_two_sided": differences.p_two_sided[i],
            "p_adjusted": {key: p[i] for key, p in differences.p_adjusted.items()},
            **_paired_tests(analysis, i),
        },
        "tied": {rule: tied[i] for rule, tied in analysis.tied.items()},
        "tied_with_reference": analysis.tied_with_reference[i],
        "tied_with_leader": analysis.tied_with_leader[i],
        "rank_range": [analysis.rank_low[i], analysis.rank_high[i]],
        "rank_set": [analysis.joint_low[i], analysis.joint_high[i]],
        "distance_from_best": analysis.distance[i],
        "practically_best": None if practically_best is None else practically_best[i],
        "separated_from": None if separated_from < 0 else analysis.names[separated_from],
        "tier": analysis.tier[i],
        "rank_frequency": [share or 0 for share in analysis.rank_frequency[i].tolist()],
    }


def _paired_tests(analysis: MetricAnalysis, i: int) -> dict[str, Any]:
    """Return the p-values of the tests that the settings asked for, under their names."""
    if analysis.paired_tests is None:
        return {}
    return {key: p[i] for key, p in vars(analysis.paired_tests).items() if p is not None}


def _slice(analysis: MetricAnalysis, one: SliceAnalysis) -> dict[str, Any]:
    """Return the scores in a slice, with intervals that hold for all entries and slices at once."""
    other = one.other_leader
    return {
        "column": one.column,
        "value": one.value,
        "n": one.n,
        "compared": one.compared,
        "other_leader": None if other is None else analysis.names[other],
        "entries": [
            {
                "entry": analysis.names[i],
                "score": one.score[i],
                "ci": [one.low[i], one.high[i]] if np.isfinite(one.low[i]) else None,
            }
            for i in analysis.order
        ],
    }


def _samples(analysis: MetricAnalysis) -> list[dict[str, Any]] | None:
    """Return the shares of every entry's variance that come from samples; None without samples."""
    found = analysis.samples
    if found is None:
        return None
    return [
        {
            "entry": analysis.names[entry],
            "share_of_score": found.of_score[entry],
            "share_of_difference": found.of_difference[entry],
        }
        for entry in analysis.order
    ]


def _schemes(analysis: MetricAnalysis) -> list[dict[str, Any]] | None:
    """Return every entry's value and rank by each ranking scheme; None without schemes."""
    found = analysis.schemes
    if found is None:
        return None
    return [
        {
            "entry": analysis.names[entry],
            "values": {scheme: values[place] for scheme, values in found.values.items()},
            "ranks": {scheme: ranks[place] for scheme, ranks in found.ranks.items()},
        }
        for place, entry in enumerate(found.entries)
    ]


def _pieces(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield JSON in which what lies `_OPENED` deep takes one line."""
    if depth == _OPENED or not isinstance(value, (Mapping, list, tuple, Iterator)):
        yield json.dumps(_plain(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return
    items: Iterable[tuple[str, Any]]
    if isinstance(value, Mapping):
        first, last = "{", "}"
        items = ((f"{json.dumps(str(k), ensure_ascii=False)}: ", v) for k, v in value.items())
    else:
        first, last = "[", "]"
        items = (("", item) for item in value)
    before = first
    for key, item in items:
        yield f"{before}\n{' ' * (depth + 1)}{key}"
        yield from _pieces(item, depth + 1)
        before = ","
    yield first + last if before == first else f"\n{' ' * depth}{last}"


def _plain(value: Any) -> Any:
    """Return ``value`` in JSON's own types, numbers rounded, nan and infinity as null."""
    if isinstance(value, float):
        return float(f"{value:.{_SIGNIFICANT_DIGITS}g}") if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):  # NumPy scalars and arrays
        return _plain(value.tolist())
    return value
