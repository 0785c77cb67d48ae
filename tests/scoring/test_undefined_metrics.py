"""A metric without a value for one entry takes nothing from the others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring_program.commands.score import main
from tests.reading.variants import Case, table

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
