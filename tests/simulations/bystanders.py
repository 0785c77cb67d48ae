"""What a baseline, and a reference entry, change of what is said of all others: nothing.

Random competitions are evaluated without and with one, odd cells included, and what results.json
says of the others is compared.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from scoring_program.core.errors import SettingsError
from scoring_program.report.findings import Findings
from scoring_program.report.results_json import results_json
from scoring_program.settings.checks import MetricSpec

from .families import ACCURACY, MACRO_F1, Field

#: What is about one entry and the reference, or about the whole table of entries.
_OF_REFERENCE = ("difference", "tied", "tied_with_reference")
_METRICS = {
    "labels": (ACCURACY, MACRO_F1),
    "scores": (MetricSpec("auc", "roc_auc_score", {"pos_label": 1}),),
    "numbers": (
        MetricSpec("mae", "mean_absolute_error"),
        MetricSpec("rmse", "root_mean_squared_error"),
        MetricSpec("r2", "r2_score"),
        MetricSpec("pearson", "pearsonr"),
    ),
}


def drawn(rng: np.random.Generator) -> Field:
    """A field of two to seven entries on 12 to 250 examples, of which groups may be resampled."""
    n = int(rng.choice([12, 40, 90, 150, 250]))
    m = int(rng.integers(2, 8))
    kind = str(rng.choice(list(_METRICS)))
    metric = _METRICS[kind][rng.integers(len(_METRICS[kind]))]
    skill = rng.uniform(0.5, 0.95, size=m) if rng.random() < 0.7 else np.full(m, 0.8)
    gold = np.arange(n) % 2 if kind != "numbers" else rng.normal(size=n)
    groups = None
    if n >= 90 and rng.random() < 0.3:
        groups = rng.integers(n // 5, size=n)
    predictions = [_predicted(rng, gold, kind, float(one)) for one in skill]
    if rng.random() < 0.4:  # nearly a copy
        near = predictions[0].copy()
        changed = rng.integers(n, size=6)
        near[changed] = _predicted(rng, gold, kind, 0.5)[changed]
        predictions[-1] = near
    if rng.random() < 0.4:
        _make_odd(rng, predictions[int(rng.integers(m))], kind)
    return Field(gold, predictions, metric, groups=groups)


def _predicted(rng: np.random.Generator, gold: np.ndarray, kind: str, skill: float) -> np.ndarray:
    if kind == "labels":
        return np.where(rng.random(gold.size) < skill, gold, 1 - gold)
    return gold + (1.5 - skill) * rng.normal(size=gold.size)


def _make_odd(rng: np.random.Generator, predicted: np.ndarray, kind: str) -> None:
    """Make one to three cells odd: enormous, or the other label."""
    cells = rng.integers(predicted.size, size=int(rng.integers(1, 4)))
    predicted[cells] = 1 - predicted[cells] if kind == "labels" else 10.0 ** rng.integers(2, 5)


def beside(rng: np.random.Generator, field: Field) -> np.ndarray:
    """A baseline: constant, nearly a copy, or of any skill; with odd cells in half of the cases."""
    kind = next(name for name, metrics in _METRICS.items() if field.metric in metrics)
    gold = np.asarray(field.gold)
    choice = rng.random()
    if choice < 0.2 and field.metric.function != "pearsonr":
        predicted = np.full(gold.size, gold[0])
    elif choice < 0.4:
        predicted = np.asarray(field.predictions[0]).copy()
    else:
        predicted = _predicted(rng, gold, kind, float(rng.uniform(0.3, 1.2)))
    if kind == "scores" and choice < 0.2:  # a constant would be no ranking
        predicted = rng.normal(size=gold.size)
    if rng.random() < 0.5:
        _make_odd(rng, predicted, kind)
    return predicted


def said_of_others(field: Field, seed: int, resamples: int, **settings: Any) -> dict[str, Any]:
    """Return what results.json says of all but the baseline, and whatever the reference is."""
    evaluated = replace(field, settings={**field.settings, **settings}).evaluate(seed, resamples)
    return of_others(evaluated.findings, settings.get("baselines", ()))


def of_others(findings: Findings, baselines: Sequence[str]) -> dict[str, Any]:
    """Return what results.json says by the first metric of all but some baselines."""
    metric = json.loads(results_json(findings, ""))["metrics"][0]
    verdict = {key: value for key, value in metric["verdict"].items() if key != "sentence"}
    entries = [
        {key: value for key, value in entry.items() if key not in _OF_REFERENCE}
        for entry in metric["entries"]
        if entry["entry"] not in baselines
    ]
    for entry in entries:  # nobody takes the rank after the last
        entry["rank_frequency"] = entry["rank_frequency"][: len(entries)]
    pairs = [
        pair
        for pair in metric["pairs"] or ()
        if pair["better"] not in baselines and pair["worse"] not in baselines
    ]
    slices = [
        {**part, "entries": [cell for cell in part["entries"] if cell["entry"] not in baselines]}
        for part in metric["slices"]
    ]
    record = {"verdict": verdict, "entries": entries, "pairs": pairs, "slices": slices}
    record["competitiveness"] = metric["competitiveness"]
    record["planning"] = metric["planning"]
    front = metric.get("front")
    return record if front is None else {**record, "front": front}


def changed(sets: int, seed: int, resamples: int = 299) -> dict[str, float]:
    """How often something is said otherwise of the others, in this many competitions."""
    rng = np.random.default_rng(seed)
    counted = {"by a baseline": 0, "by a reference entry": 0, "by a baseline as the reference": 0}
    for number in range(sets):
        for how, differs in differences(rng, number, resamples):
            counted[how] += bool(differs)
    return {how: float(count) for how, count in counted.items()}


def differences(
    rng: np.random.Generator, number: int, resamples: int
) -> Iterator[tuple[str, list[str]]]:
    """Yield what was added to a random competition, and what is then said otherwise of others."""
    field = drawn(rng)
    size = len(field.predictions)
    with_baseline = replace(field, predictions=[*field.predictions, beside(rng, field)])
    named, baseline = (f"{number:02}" for number in (rng.integers(size), size))
    alone = said_of_others(field, number, resamples)
    for how, made, settings in (
        ("by a baseline", with_baseline, {"baselines": (baseline,)}),
        ("by a reference entry", field, {"reference_entry": named}),
        (
            "by a baseline as the reference",
            with_baseline,
            {"baselines": (baseline,), "reference_entry": baseline},
        ),
    ):
        try:
            beside_it = said_of_others(made, number, resamples, **settings)
        except SettingsError:  # a baseline without a score, as of the same number for all
            continue
        yield how, list(differing("", alone, beside_it))


def differing(where: str, one: Any, other: Any) -> Iterator[str]:
    """Yield the places at which two JSON values differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            yield from differing(f"{where}.{key}", one[key], other[key])
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, (ours, theirs) in enumerate(zip(one, other, strict=True)):
            yield from differing(f"{where}[{place}]", ours, theirs)
    elif one != other:
        yield f"{where}: {one!r} and {other!r}"
