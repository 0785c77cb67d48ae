"""Competitions on disk like those that the makers of pages infer, to be scored by any program."""

from __future__ import annotations

import dataclasses
import json
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np

from scoring_program.report.findings import Findings
from tests.competitions import write_csv

_LABELS = np.array(["no", "yes"])
#: What ranks beside the accuracy; as many as the page has metrics.
_FURTHER = (
    *(
        f"{{name: {name}, function: {name}_score, params: {{average: macro}}}}"
        for name in ("f1", "precision", "recall", "jaccard")
    ),
    *("matthews_corrcoef", "balanced_accuracy_score", "cohen_kappa_score"),
)
#: Settings that are written otherwise, or that the calls give.
_OTHERS = ("metrics", "lines", "resamples", "workers", "layout")
#: No competition has more predictions, so that the largest field takes seconds.
_MOST = 100_000


def write(findings: Findings, folder: Path) -> None:
    """Write INPUT with entries of these names and about these scores."""
    n = min(findings.n, _MOST // len(findings.names))
    tasks = {one.task: one.scores.score for one in findings.evidence if one.task}
    for name, scores in (tasks or {"gold": findings.evidence[0].scores.score}).items():
        columns = {"id": [f"x{row:04d}" for row in range(n)], **_facts(findings, n)}
        _part(findings, folder, name, np.asarray(scores), columns)
    given = {
        item.name: value
        for item in dataclasses.fields(findings.settings)
        if (value := getattr(findings.settings, item.name)) != item.default
        and item.name not in _OTHERS
    }
    lines = [f"{key}: {json.dumps(value)}\n" for key, value in given.items()]
    if tasks:
        given["overall"] = "mean_rank"
    (folder / "ref").mkdir(exist_ok=True)
    (folder / "ref/scoring.yaml").write_text(
        f"metrics: [{', '.join(_metrics(findings))}]\n{''.join(lines)}", encoding="utf-8"
    )
    for number, item in enumerate(findings.unusable):
        content = "id,label\nx0001,yes\nx0001,yes\n" if number else ""
        if all(map(_is_folder, findings.names)):
            write_csv(folder / "res" / item.name / "gold.csv", {})
            (folder / "res" / item.name / "gold.csv").write_text(content, encoding="utf-8")


def _metrics(findings: Findings) -> Sequence[str]:
    evidence = [one for one in findings.evidence if one.task] or findings.evidence
    count = len(evidence) if findings.public is None else findings.public
    if _has_table(findings):
        directions = [json.dumps(one.metric.greater_is_better) for one in evidence]
        return [
            f"{{name: score_{place}, function: mean_score, greater_is_better: {direction}}}"
            for place, direction in enumerate(directions)
        ]
    if evidence[0].metric.kind == "numbers":
        return ["mean_absolute_error"]
    return ["accuracy_score", *_FURTHER[: 0 if evidence[0].task else count - 1]]


def _has_table(findings: Findings) -> bool:
    return findings.kind in ("text", "units")


def _facts(findings: Findings, n: int) -> dict[str, Sequence[Any]]:
    """Return the columns of groups, strata, slices and public rows."""
    rows, found = np.arange(n), dict[str, Sequence[Any]]()
    for column, size in (
        (findings.settings.group_name, findings.groups),
        (findings.settings.stratify, 3),
    ):
        if column is not None and size:
            found[column] = [f"{column} {row % size}" for row in rows]
    slices: dict[str, list[str]] = {}
    for one in findings.evidence[0].slices:
        share = one.n * n // findings.n
        slices.setdefault(one.column, []).extend([one.value] * share)
    for column, values in slices.items():
        found[column] = (values + ["other"] * n)[:n]
    if findings.public is not None:
        found["Usage"] = ["Public" if row % 3 == 0 else "Private" for row in rows]
    return found


def _part(
    findings: Findings,
    folder: Path,
    name: str,
    scores: np.ndarray[Any, Any],
    columns: Mapping[str, Sequence[Any]],
) -> None:
    ids, n = columns["id"], len(columns["id"])
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    shared = rng.normal(size=n)
    if _has_table(findings):
        table: dict[str, Any] = {
            "unit": [key for _ in findings.names for key in ids],
            "system": [entry for entry in findings.names for _ in ids],
        }
        for place, one in enumerate(findings.evidence):
            spread = 0.05 * one.scores.score.max()
            values = [score + spread * (shared + _own(score, n)) for score in one.scores.score]
            table[f"score_{place}"] = np.concatenate(values)
        write_csv(folder / "res/scores.csv", table)
        return
    if findings.evidence[0].metric.kind == "numbers":
        gold = 5 * scores.max() + shared
        given = [gold + score * np.abs(_own(score, n)) for score in scores]
    else:
        truth = rng.integers(0, 2, n)
        ability = [NormalDist().inv_cdf(float(np.clip(score, 0.01, 0.99))) for score in scores]
        right = [
            (shared + _own(score, n)) / np.sqrt(2) < level
            for score, level in zip(scores, ability, strict=True)
        ]
        gold = _LABELS[truth]
        given = [_LABELS[np.where(good, truth, 1 - truth)] for good in right]
    if not all(map(_is_folder, findings.names)):
        table = {"label": gold, **dict(zip(findings.names, given, strict=True))}
        write_csv(folder / "res/table.csv", table)
        return
    write_csv(folder / f"ref/{name}.csv", {**columns, "label": gold})
    for place, (entry, values) in enumerate(zip(findings.names, given, strict=True)):
        home = f"res/{entry}"
        if findings.focus is not None:
            home = "res" if place == findings.focus else f"ref/submissions/{entry}"
        write_csv(folder / home / f"{name}.csv", {"id": ids, "label": values})


def _own(score: float, n: int) -> np.ndarray[Any, Any]:
    """Return what an entry does not share with the others; entries of equal scores are copies."""
    return np.random.default_rng(zlib.crc32(repr(float(score)).encode())).normal(size=n)


def _is_folder(name: str) -> bool:
    return len(name.encode()) < 200 and "/" not in name.replace("/run ", "") and "\n" not in name
