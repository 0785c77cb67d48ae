"""Runs of a method in a table of scores, which a column of seeds tells apart, and in logs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
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
    (table,) = result.to_dict()["reading"]["submissions"]
    assert (table["seed"]["value"], table["seed"]["how"]) == ("init", "stated")


def test_what_is_stated_about_runs_counts(tmp_path: Path) -> None:
    """A setting that is stated is followed, also where it is the default."""
    write_table(tmp_path, "case,system,seed,accuracy", lines_of_runs())
    settings = tmp_path / "ref" / "scoring.yaml"
    settings.write_text("metrics: [accuracy]\nruns: all\n")
    every = {f"{system}/{seed}" for system in SHARES for seed in range(SEEDS)}
    assert set(dh.score(tmp_path, None, resamples=100).entries) == every
    settings.write_text("metrics: [accuracy]\n")
    assert set(dh.score(tmp_path, None, resamples=100, runs="all").entries) == every
    best = dh.score(tmp_path, None, resamples=100, runs="best").to_dict()["metrics"][0]
    for entry in best["entries"]:
        right: dict[int, list[int]] = {}
        for _, system, seed, score in lines_of_runs():
            if system == entry["team"]:
                right.setdefault(seed, []).append(score)
        assert entry["score"] == pytest.approx(max(map(np.mean, right.values())))


def test_seeds_do_not_say_which_run_is_the_last(tmp_path: Path) -> None:
    write_table(tmp_path, "case,system,seed,accuracy", lines_of_runs())
    with pytest.raises(dh.OrganizerError, match=r"'seed' tells the runs .* write 'runs: mean'"):
        dh.score(tmp_path, None, runs="last")


def test_seeds_may_be_stated_to_be_samples(tmp_path: Path) -> None:
    write_table(tmp_path, "case,system,seed,accuracy", lines_of_runs())
    (tmp_path / "ref" / "scoring.yaml").write_text("metrics: [accuracy]\nsample: seed\n")
    result = dh.score(tmp_path, None, resamples=100).to_dict()
    (table,) = result["reading"]["submissions"]
    assert table["sample"] == {"value": "seed", "how": "stated", "why": table["sample"]["why"]}
    assert "seed" not in table
    for entry in result["metrics"][0]["entries"]:
        scores = [score for _, name, _, score in lines_of_runs() if name == entry["entry"]]
        assert entry["score"] == pytest.approx(np.mean(scores))


def test_runs_of_two_systems_of_one_name_are_refused(tmp_path: Path) -> None:
    """Else the run "A/1/2" would be of both, and count for the first."""
    lines = [(case, "A", "1/2", 1) for case in range(20)]
    lines += [(case, "A/1", "2", 0) for case in range(20, CASES)]
    every = [line for line in lines_of_runs() if line[1] == "B"]
    write_table(tmp_path, "case,system,seed,accuracy", [*lines, *every])  # type: ignore[list-item]
    with pytest.raises(dh.OrganizerError, match="runs of 'A' and of 'A/1' would both be called"):
        dh.score(tmp_path, None)


def test_a_frame_of_runs_is_read_as_the_file(tmp_path: Path) -> None:
    header = "case,system,seed,accuracy"
    write_table(tmp_path, header, lines_of_runs())
    from_file = dh.score(tmp_path, None, resamples=100).to_dict()["metrics"][0]
    frame = pd.DataFrame(lines_of_runs(), columns=header.split(","))
    from_frame = dh.compare_scores(frame, resamples=100).to_dict()["metrics"][0]
    assert from_frame["seed_share"] == from_file["seed_share"]
    assert [entry["runs"] for entry in from_frame["entries"]] == [
        entry["runs"] for entry in from_file["entries"]
    ]


def test_a_seed_of_the_whole_experiment_is_no_run(tmp_path: Path) -> None:
    lines = [line for line in lines_of_runs() if line[2] == 0]
    write_table(tmp_path, "case,system,seed,accuracy", lines)
    (tmp_path / "ref" / "scoring.yaml").write_text("metrics: [accuracy]\n")
    result = dh.score(tmp_path, None, resamples=200).to_dict()
    assert "seed" not in result["reading"]["submissions"][0]
    assert {entry["entry"] for entry in result["metrics"][0]["entries"]} == set(SHARES)


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


def test_logs_of_inspect_are_runs_of_a_method_as_well(tmp_path: Path) -> None:
    (tmp_path / "ref").mkdir()
    (tmp_path / "res").mkdir()
    for system in SHARES:
        for seed in range(SEEDS):
            samples = [
                {"id": case, "epoch": 1, "scores": {"match": {"value": "C" if score else "I"}}}
                for case, name, of, score in lines_of_runs()
                if (name, of) == (system, seed)
            ]
            evaluation = {"task": "arith", "model": system}
            log = {"version": 2, "status": "success", "eval": evaluation, "samples": samples}
            path = tmp_path / "res" / f"2025-03-0{seed + 1}_arith_{system}.json"
            path.write_text(json.dumps(log))
    (tmp_path / "ref" / "scoring.yaml").write_text("runs: mean\n")
    metric = dh.score(tmp_path, None, resamples=200).to_dict()["metrics"][0]
    assert [len(entry["runs"]) for entry in metric["entries"]] == [SEEDS, SEEDS]
    assert metric["seed_share"] is not None
