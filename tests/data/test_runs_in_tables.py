"""Runs of a method in a table of scores, which a column of seeds tells apart, and in logs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import scoring_program as dh

CASES, SEEDS = 40, 3
SHARES = {"A": 0.8, "B": 0.7}


def lines_of_runs() -> list[tuple[int, str, int, int]]:
    rng = np.random.default_rng(3)
    lines = []
    for system, share in SHARES.items():
        for seed in range(SEEDS):
            right = (rng.random(CASES) < share).astype(int).tolist()
            lines += [(case, system, seed, score) for case, score in enumerate(right)]
    return lines


def write_table(folder: Path, header: str, lines: list[tuple[int, str, int, int]]) -> None:
    (folder / "res").mkdir(parents=True)
    (folder / "ref").mkdir()
    rows = [",".join(map(str, line)) for line in lines]
    (folder / "res" / "table.csv").write_text("\n".join([header, *rows]) + "\n")


def test_a_column_of_seeds_tells_the_runs_of_a_method_apart(tmp_path: Path) -> None:
    write_table(tmp_path, "case,system,seed,accuracy", lines_of_runs())
    metric = dh.score(tmp_path, None, resamples=200).to_dict()["metrics"][0]
    assert {entry["entry"] for entry in metric["entries"]} == {"A", "B"}
    for entry in metric["entries"]:
        scores = [
            np.mean([x for _, name, of, x in lines_of_runs() if (name, of) == (entry["entry"], s)])
            for s in range(SEEDS)
        ]
        assert sorted(entry["runs"]) == pytest.approx(sorted(scores))
        assert entry["score"] == pytest.approx(np.mean(scores))
    assert metric["seed_share"] is not None, "the statement is about methods"


def test_another_name_is_stated_as_the_role(tmp_path: Path) -> None:
    write_table(tmp_path, "case,system,init,accuracy", lines_of_runs())
    stated = "submissions: {columns: {unit: case, system: system, seed: init}}\n"
    (tmp_path / "ref" / "scoring.yaml").write_text(stated + "metrics: [accuracy]\n")
    result = dh.score(tmp_path, None, resamples=200)
    assert set(result.entries) == {"A", "B"}
    seed = result.to_dict()["reading"]
    assert "init" in json.dumps(seed)


def test_a_seed_of_the_whole_experiment_is_no_run(tmp_path: Path) -> None:
    lines = [line for line in lines_of_runs() if line[2] == 0]
    write_table(tmp_path, "case,system,seed,accuracy", lines)
    (tmp_path / "ref" / "scoring.yaml").write_text("metrics: [accuracy]\n")
    metric = dh.score(tmp_path, None, resamples=200).to_dict()["metrics"][0]
    assert all(entry.get("runs") is None for entry in metric["entries"])


def test_a_line_without_a_seed_is_refused(tmp_path: Path) -> None:
    lines = [(*line[:2], "" if number == 5 else line[2], line[3]) for number, line in
             enumerate(lines_of_runs())]  # fmt: skip
    write_table(tmp_path, "case,system,seed,accuracy", lines)  # type: ignore[arg-type]
    with pytest.raises(dh.OrganizerError, match="line 7: the seed is empty"):
        dh.score(tmp_path, None)


def write_logs(folder: Path) -> None:
    (folder / "ref").mkdir(parents=True)
    for case, system, seed, score in lines_of_runs():
        path = folder / "res" / system / f"samples_gsm8k_2025-03-0{seed + 1}T10-00-00.000001.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        record = {"doc_id": case, "doc": {}, "target": "4", "resps": [["4"]]}
        with path.open("a") as file:
            file.write(json.dumps({**record, "metrics": ["acc"], "acc": float(score)}) + "\n")


def test_logs_of_several_runs_are_those_of_a_method_where_the_settings_say_so(
    tmp_path: Path,
) -> None:
    write_logs(tmp_path)
    with pytest.raises(dh.OrganizerError, match=r"write 'runs: mean' into ref/scoring\.yaml"):
        dh.score(tmp_path, None)
    (tmp_path / "ref" / "scoring.yaml").write_text("runs: mean\n")
    metric = dh.score(tmp_path, None, resamples=200).to_dict()["metrics"][0]
    assert [len(entry["runs"]) for entry in metric["entries"]] == [SEEDS, SEEDS]
    assert metric["seed_share"] is not None
