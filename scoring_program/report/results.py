"""The machine-readable outputs: the flat scores that platforms read, and results.json.

Both are built from what the page is built from, so that they cannot disagree with it.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from .. import SCHEMA_VERSION
from ..alignment.competition import Uncompared
from ..core import cells
from ..core.errors import MetricError, SettingsError
from ..inference.analysis import CORRECTIONS, MetricAnalysis, Pairs
from . import language
from .inputs import MetricInput, PageInput

#: Digits that results.json keeps: more than the bootstrap has, fewer than rounding noise disturbs.
_SIGNIFICANT_DIGITS = 12
#: Depth of results.json at which things take one line: metrics / a metric / pairs / a pair.
_OPENED = 4


def scores(
    page: PageInput, duration: float | None = None, uncompared: Sequence[Uncompared] = ()
) -> dict[str, float]:
    """Return the flat mapping of scores.txt and scores.json: ASCII keys, finite numbers.

    A metric's own keys belong to the submission in focus or, among teams, to the leader by the
    ranking metric. Where no interval can be given, because the score is the same on every resample,
    both ends are the score: the platforms want a number. Entries that are not compared have their
    scores and ranks.
    """
    ranking = page.metrics[0].analysis
    shown = ranking.leader if page.focus is None else page.focus
    flat = _Flat()
    for metric in page.metrics:
        analysis = metric.analysis
        flat[analysis.name] = analysis.score[shown]
        for side, end in (("low", analysis.low[shown]), ("high", analysis.high[shown])):
            flat[f"{analysis.name}_ci_{side}"] = end if np.isfinite(end) else analysis.score[shown]
    flat["n_examples"] = page.n
    flat["n_teams"] = len(page.entries) + len(uncompared)
    if duration is not None:
        flat["duration"] = duration
    if page.form == "field":
        flat["rank"] = ranking.rank[shown]
        flat["tied_with_leader"] = ranking.tied_with_leader[shown]
        flat["difference_from_leader"] = ranking.from_leader.observed[shown]
        flat["p_value"] = ranking.from_leader.p_one_sided[shown]
    if page.form == "teams":
        flat["n_tied_with_leader"] = sum(
            bool(tied)
            for i, tied in enumerate(ranking.tied_with_leader)
            if i != ranking.leader and i not in ranking.baselines
        )
        names = slugs([*page.entries, *(entry.name for entry in uncompared)])
        for i, name in enumerate(names[: len(page.entries)]):
            for metric in page.metrics:
                flat[f"{metric.analysis.name}.{name}"] = metric.analysis.score[i]
            flat[f"rank.{name}"] = ranking.rank[i]
            flat[f"tied_with_leader.{name}"] = ranking.tied_with_leader[i]
        for entry, name in zip(uncompared, names[len(page.entries) :], strict=True):
            for key, score in entry.scores.items():
                flat[f"{key}.{name}"] = score
            flat[f"rank.{name}"] = entry.rank
    return {key: float(value) for key, value in flat.items()}


class _Flat(dict[str, Any]):
    """A mapping in which no key may be set twice, of values that the platforms can store."""

    def __setitem__(self, key: str, value: Any) -> None:
        if key in self:
            raise SettingsError(
                f"settings: metrics: two values of scores.txt would be called {key!r}; "
                "give the metric another 'name'"
            )
        if not abs(value) < cells.LARGEST:
            raise MetricError(
                f"{key} is {value:.3g}, and score tables hold ten digits before the point: "
                "choose a metric with smaller values, such as a root or a relative error"
            )
        super().__setitem__(key, value)


def scores_txt(flat: Mapping[str, float]) -> str:
    """Return scores.txt: one ``key: value`` a line, fixed-point with ten decimals."""
    return "".join(f"{key}: {_fixed(value)}\n" for key, value in flat.items())


def scores_json(flat: Mapping[str, float]) -> str:
    """Return scores.json with the same numbers as scores.txt, digit for digit."""
    lines = (f"  {json.dumps(key)}: {_fixed(value)}" for key, value in flat.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def slugs(names: Iterable[str]) -> list[str]:
    """Return ASCII forms of entry names that are safe as keys, made unique with _2, _3, …

    A name that is safe as it stands keeps it, whoever else's would become the same.
    """
    slugged = [(name, _slug(name)) for name in names]
    kept = {name for name, base in slugged if name == base}
    taken: set[str] = set()
    counts: Counter[str] = Counter({base for _, base in slugged})
    result = []
    for name, base in slugged:
        slug = base
        while slug in taken or (slug in kept and name != base):
            counts[base] += 1
            slug = f"{base}_{counts[base]}"
        taken.add(slug)
        result.append(slug)
    return result


def _slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9.-]+", "_", plain).strip("_") or "team"


def results_json(
    page: PageInput, settings: Mapping[str, Any], uncompared: Sequence[Uncompared] = ()
) -> str:
    """Return results.json: everything that is on the page, for machines.

    Arrays over entries are ordered best first; numbers have 12 significant digits; what does not
    exist is null. An entry and a pair take one line each.
    """
    english = language.load(language.OF_THE_LOG)
    document = {
        "schema_version": SCHEMA_VERSION,
        "title": page.title,
        "signature": page.signature,
        "settings": settings,
        "form": page.form,
        "n": page.n,
        "m": len(page.entries),
        "notes": list(map(english.tell, page.notes)),
        "runs": page.runs,
        "unusable": [{"entry": item.name, "reason": item.reason} for item in page.unusable],
        "warnings": [
            {
                "metric": metric.analysis.name,
                "level": warning.level,
                "code": warning.code,
                "number": warning.number,
                "message": english.tell(warning.note),
            }
            for metric in page.metrics
            for warning in metric.analysis.warnings
        ],
        "metrics": [_metric(metric, page.entries) for metric in page.metrics],
        "not_compared": [
            {
                "entry": entry.name,
                "rank": entry.rank,
                "scores": entry.scores,
                "sha256": entry.sha256,
            }
            for entry in uncompared
        ],
    }
    return "".join(_pieces(document)) + "\n"


def _metric(metric: MetricInput, names: Sequence[str]) -> dict[str, Any]:
    analysis = metric.analysis
    return {
        "name": analysis.name,
        "definition": metric.definition,
        "greater_is_better": analysis.greater_is_better,
        "bounds": [metric.low, metric.high],
        "resamples": analysis.resamples,
        "undefined_resamples": analysis.undefined,
        "confidence": analysis.confidence,
        "interval": analysis.interval,
        "tie_rule": analysis.tie_rule,
        "leader": names[analysis.leader],
        "leaders": [names[i] for i in analysis.leaders],
        "reference": names[analysis.reference],
        "entries": [_entry(analysis, i, names) for i in analysis.order],
        "pairs": _pairs(analysis.pairs, names),
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
        "planning": {
            "power": analysis.planning.power,
            "smallest_separable": analysis.planning.smallest_separable,
            "pairs": [
                {**vars(plan), "entry": names[plan.entry]} for plan in analysis.planning.pairs
            ],
        },
    }


def _entry(analysis: MetricAnalysis, i: int, names: Sequence[str]) -> dict[str, Any]:
    differences = analysis.differences
    return {
        "entry": names[i],
        "baseline": i in analysis.baselines,
        "rank": analysis.rank[i],
        "score": analysis.score[i],
        "mean": analysis.mean[i],
        "standard_error": analysis.standard_error[i],
        "ci": [analysis.low[i], analysis.high[i]],
        "ci_method": analysis.interval_used[i],
        "difference": {
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
        "rank_set": [analysis.rank_low[i], analysis.rank_high[i]],
        "tier": analysis.tier[i],
        "rank_frequency": analysis.rank_frequency[i],
    }


def _paired_tests(analysis: MetricAnalysis, i: int) -> dict[str, Any]:
    """Return the p-values of the tests that the settings asked for, under their names."""
    if analysis.paired_tests is None:
        return {}
    return {key: p[i] for key, p in vars(analysis.paired_tests).items() if p is not None}


def _pairs(pairs: Pairs, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the pairs that are listed: one at a time, because there may be a hundred thousand."""
    for k, (better, worse) in enumerate(zip(pairs.better, pairs.worse, strict=True)):
        yield {
            "better": names[better],
            "worse": names[worse],
            "difference": pairs.observed[k],
            "standard_error": pairs.standard_error[k],
            "resolution": pairs.resolution[k],
            "ci": [pairs.low[k], pairs.high[k]],
            "p_one_sided": pairs.p_one_sided[k],
            "p_adjusted": {
                family: {name: adjusted[name][k] for name in CORRECTIONS if name in adjusted}
                for family, adjusted in pairs.p_adjusted.items()
            },
            "p_max_t": pairs.p_max_t[k],
        }


def _pieces(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield JSON in which what lies `_OPENED` deep takes one line."""
    if depth == _OPENED or not isinstance(value, (Mapping, list, tuple, Iterator)):
        yield json.dumps(_plain(value), ensure_ascii=False, allow_nan=False)
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


def _fixed(value: float) -> str:
    return f"{round(value, 10) + 0.0:.10f}"  # + 0.0 turns −0.0 into 0.0
