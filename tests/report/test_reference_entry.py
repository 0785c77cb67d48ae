"""An entry that was named in advance: one sign of its differences in every output."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import scoring_program as dh

RNG = np.random.default_rng(8)
GOLD = RNG.integers(0, 2, 300)
SHARES = {"big": 0.85, "mid": 0.8, "small": 0.75}
PREDICTIONS = {
    name: np.where(RNG.random(300) < share, GOLD, 1 - GOLD) for name, share in SHARES.items()
}


@pytest.mark.parametrize("metric", ["accuracy", "neg_mean_absolute_error"])
def test_every_output_has_the_same_sign(tmp_path: Path, metric: str) -> None:
    gold = GOLD if metric == "accuracy" else GOLD.astype(float)
    result = dh.compare(
        gold, PREDICTIONS, metrics=metric, reference_entry="small", resamples=2000, workers=1
    )
    result.save(tmp_path)
    right = {name: float(np.mean(predicted == GOLD)) for name, predicted in PREDICTIONS.items()}
    of_api = {row.entry: row for row in result[next(iter(result))].differences}
    document = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    of_json = {row["entry"]: row["difference"] for row in document["metrics"][0]["entries"]}
    with (tmp_path / "tables/differences.csv").open(encoding="utf-8", newline="") as stream:
        of_csv = {row["entry"]: row for row in csv.DictReader(stream)}
    for name in ("big", "mid"):
        behind = right["small"] - right[name]
        assert behind < 0
        assert of_api[name].observed == pytest.approx(behind)
        assert of_json[name]["observed"] == pytest.approx(behind)
        assert of_json[name]["gain"] == pytest.approx(-behind)
        assert float(of_csv[name]["difference"]) == pytest.approx(behind)
        assert float(of_csv[name]["gain"]) == pytest.approx(-behind)
        ends = [float(of_csv[name][end]) for end in ("ci_low", "ci_high")]
        assert ends == pytest.approx(of_json[name]["ci"])
        assert ends[0] < behind < ends[1]
        p = of_api[name].p_one_sided
        # About whichever is ahead, as the same comparison says it from the other side.
        other = dh.compare(
            gold, PREDICTIONS, metrics=metric, reference_entry=name, resamples=2000, workers=1
        )
        (row,) = (row for row in other[next(iter(other))].differences if row.entry == "small")
        assert p == row.p_one_sided < 0.3
        assert of_json[name]["p_one_sided"] == pytest.approx(p)
        assert float(of_csv[name]["p_one_sided"]) == pytest.approx(p)
        assert row.observed == pytest.approx(-behind)
    tex = (tmp_path / "tables/differences.tex").read_text(encoding="utf-8")
    (line,) = (line for line in tex.splitlines() if line.startswith("big "))
    assert line.split(" & ")[1].startswith("$-$")
    assert line.split(" & ")[2].startswith("+")


def test_without_one_nothing_is_gained(tmp_path: Path) -> None:
    result = dh.compare(GOLD, PREDICTIONS, metrics="accuracy", resamples=200, workers=1)
    result.save(tmp_path)
    document = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert all("gain" not in row["difference"] for row in document["metrics"][0]["entries"])
    header = (tmp_path / "tables/differences.csv").read_text(encoding="utf-8").splitlines()[0]
    assert "gain" not in header.split(",")
