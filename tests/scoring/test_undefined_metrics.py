"""A metric without a value for one entry takes nothing from the others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring_program.commands.score import main
from tests.reading.variants import Case, table
from tests.sweeps import swept

IDS = [f"x{i}" for i in range(80)]


def case(hostile: dict[str, np.ndarray[Any, Any]]) -> Case:
    """Three teams that predict numbers, and others."""
    rng = np.random.default_rng(4)
    gold = rng.normal(size=len(IDS))
    teams = {f"T{k}": gold + rng.normal(size=len(IDS)) for k in range(3)} | hostile
    files = {"ref/gold.csv": table(list(zip(IDS, map(str, gold), strict=True)))}
    for team, numbers in teams.items():
        files[f"res/{team}.csv"] = table(list(zip(IDS, map(str, numbers), strict=True)))
    settings = "metrics: [spearmanr, mean_absolute_error]\nresamples: 300\nworkers: 1\n"
    return Case(files, settings)


def run(folder: Path) -> dict[str, Any]:
    assert main([str(folder), str(folder / "output")]) == 0
    found: dict[str, Any] = json.loads((folder / "output" / "results.json").read_text())
    return found


@pytest.mark.parametrize("deviating", [0, 1])
def test_near_constant_runs_take_no_resamples_from_the_others(
    tmp_path: Path, deviating: int
) -> None:
    alone = run(case({}).write(tmp_path / "alone"))
    hostile = np.zeros(len(IDS))
    hostile[:deviating] = 1.0
    found = run(case({"Flat": hostile}).write(tmp_path / "with"))
    (unscored,) = found["unscored"]
    assert unscored["entry"] == "Flat"
    assert "spearmanr" in unscored["reason"]
    rho, mae = found["metrics"]
    assert "Flat" not in {entry["entry"] for entry in rho["entries"]}
    assert "Flat" in {entry["entry"] for entry in mae["entries"]}
    assert rho["entries"] == alone["metrics"][0]["entries"]
    assert rho["pairs"] == alone["metrics"][0]["pairs"]


OWN = """
def score(y_true, y_pred):
    if len(set(y_pred)) == 1:
        {defect}
    return -float(abs(y_true - y_pred).mean())
"""
COUNTED = """
def counts(gold, prediction):
    return [abs(gold - prediction), float(prediction != 0), 1]
def score(sums):
    if {test}:
        {defect}
    return -sums[0] / sums[2]
"""


@pytest.mark.parametrize(
    "defect", swept(["raise ValueError", "return float('nan')", "return 'none'"])
)
@pytest.mark.parametrize("code", [OWN, COUNTED.replace("{test}", "sums[1] == 0")])
def test_an_organizers_function_that_fails_for_one_run_takes_nothing_from_the_others(
    tmp_path: Path, code: str, defect: str
) -> None:
    """As one of scikit-learn does."""
    hostile = np.zeros(len(IDS))
    hostile[0] = 1.0

    def scored(of: Case, name: str) -> dict[str, Any]:
        own = "name: own, function: 'own.py:score', kind: numbers, greater_is_better: true"
        counting = ", statistics: 'own.py:counts'" if code != OWN else ""
        settings = of.settings.replace("spearmanr", f"{{{own}{counting}}}")
        folder = Case(of.files, settings).write(tmp_path / name)
        (folder / "ref" / "own.py").write_text(code.replace("{defect}", defect))
        return run(folder)

    alone, found = scored(case({}), "alone"), scored(case({"Flat": hostile}), "with")
    (unscored,) = found["unscored"]
    assert unscored["entry"] == "Flat"
    assert "metric 'own' has a value on the whole test set, but none on" in unscored["reason"]
    own, mae = found["metrics"]
    assert "Flat" not in {entry["entry"] for entry in own["entries"]}
    assert "Flat" in {entry["entry"] for entry in mae["entries"]}
    assert own["entries"] == alone["metrics"][0]["entries"]


def test_resamples_that_an_organizers_function_cannot_score_are_left_out(tmp_path: Path) -> None:
    own = "{name: own, function: 'own.py:score', kind: numbers, greater_is_better: true}"
    lone = case({})
    folder = Case(lone.files, lone.settings.replace("spearmanr", own)).write(tmp_path)
    code = "    if max(y_true) < {highest}:\n        raise ValueError\n"
    rows = lone.files["ref/gold.csv"].decode().split()
    highest = max(float(row.split(",")[1]) for row in rows[1:])
    (folder / "ref" / "own.py").write_text(
        "def score(y_true, y_pred):\n"
        + code.format(highest=highest)
        + "    return -float(abs(y_true - y_pred).mean())\n"
    )
    metric = run(folder)["metrics"][0]
    assert {entry["entry"] for entry in metric["entries"]} == {"T0", "T1", "T2"}


def test_an_entry_without_any_metric_is_counted_among_the_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile = np.zeros(len(IDS))
    hostile[0] = 1.0
    made = case({"Flat": hostile})
    only = made.settings.replace(", mean_absolute_error", "")
    assert only != made.settings
    run(Case(made.files, only).write(tmp_path))
    assert capsys.readouterr().out.endswith("\n3 of 4 scored; not scored: Flat\n")


def test_what_no_metric_can_score_is_not_counted_as_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = case({"Flat": np.zeros(len(IDS))}).write(tmp_path / "flat")
    settings = folder / "ref" / "scoring.yaml"
    settings.write_text("metrics: [spearmanr]\nresamples: 100\n")
    assert main([str(folder), str(folder / "output")]) == 0
    said = capsys.readouterr().out
    entries = len(list((folder / "res").iterdir()))
    assert f"Uploads: {entries} = {entries - 1} compared + 1 unusable." in said
