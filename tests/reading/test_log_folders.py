"""Which folders of logs are systems, which lines are no units, and what packs inspect_ai's logs."""

from __future__ import annotations

import importlib
import io
import json
import types
import zipfile
from pathlib import Path
from typing import Any

import pytest

import scoring_program as dh
from scoring_program.core.errors import ReferenceDataError

from .test_logs import (
    RIGHT,
    SCORES,
    SYSTEMS,
    Files,
    helm,
    inspect_eval,
    inspect_json,
    lines,
)

_STATED = "submissions: {columns: {unit: id, correct: correct}}\ngreater_is_better: true\n"


def _written(folder: Path, files: Files, settings: str = "") -> Path:
    (folder / "ref").mkdir()
    if settings:
        (folder / "ref" / "scoring.yaml").write_text(settings, encoding="utf-8")
    for name, content in files.items():
        path = folder / "res" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def _scores(folder: Path) -> dict[str, float]:
    result = dh.score(folder, None, resamples=100)
    return {row.entry: row.score for row in result[next(iter(result))].ranking}


def _stats_of_helm(system: str) -> str | bytes:
    return next(content for name, content in helm(system).items() if "per_instance" in name)


def test_a_folder_with_a_tool_s_file_is_a_system(tmp_path: Path) -> None:
    files = {f"{system}/per_instance_stats.json": _stats_of_helm(system) for system in SYSTEMS}
    assert _scores(_written(tmp_path, files)) == pytest.approx(SCORES)


def test_systems_without_a_common_unit_are_asked_about(tmp_path: Path) -> None:
    files: Files = {
        f"mmlu:subject={system}/per_instance_stats.json": _stats_of_helm(system)
        for system in SYSTEMS
    }
    with pytest.raises(ReferenceDataError, match="no two have a unit of one task in common"):
        _scores(_written(tmp_path, files))


@pytest.mark.parametrize("summary", [sum, lambda right: round(sum(right) / len(right), 4)])
def test_a_line_that_sums_up_is_no_unit(tmp_path: Path, summary: Any) -> None:
    files: Files = {}
    for system, right in RIGHT.items():
        records = [{"id": f"q{q}", "correct": int(of)} for q, of in enumerate(right)]
        files[f"{system}.jsonl"] = lines([*records, {"id": "all", "correct": summary(right)}])
    with pytest.raises(ReferenceDataError, match="the line of 'all' holds the sum or the mean"):
        _scores(_written(tmp_path, files, _STATED))


def test_a_unit_near_the_mean_counts(tmp_path: Path) -> None:
    values: dict[str, list[float]] = {"big": [1, 2, 3, 2, 4, 0], "small": [2, 1, 2.5, 2, 4, 0.5]}
    files: Files = {
        f"{system}.jsonl": lines([{"id": f"q{q}", "correct": of} for q, of in enumerate(row)])
        for system, row in values.items()
    }
    assert _scores(_written(tmp_path, files, _STATED)) == {"big": 2.0, "small": 2.0}


def _with_zstandard(data: bytes) -> bytes:
    """Return an archive whose members say that zstandard packed them; they are as they were."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(stream, "w") as stored:
        for name in archive.namelist():
            stored.writestr(name, archive.read(name))
    packed = bytearray(stream.getvalue())
    for mark, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        start = packed.find(mark)
        while start >= 0:
            packed[start + place : start + place + 2] = (93).to_bytes(2, "little")
            start = packed.find(mark, start + 1)
    return bytes(packed)


def _packed() -> Files:
    files: Files = {}
    for system in SYSTEMS:
        for name, content in inspect_eval(system).items():
            assert isinstance(content, bytes)
            files[name] = _with_zstandard(content)
    return files


_NATIVE = pytest.mark.skipif(
    hasattr(zipfile, "ZIP_ZSTANDARD"), reason="this Python reads zstandard by itself"
)


@_NATIVE
def test_archives_that_zstandard_packed_are_read_where_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def decompress(packed: bytes, most: int) -> bytes:
        assert len(packed) == most
        return packed

    decompressor = types.SimpleNamespace(decompress=decompress)
    module = types.SimpleNamespace(ZstdDecompressor=lambda: decompressor, ZstdError=OSError)
    monkeypatch.setattr(importlib, "import_module", lambda name: {"zstandard": module}[name])
    found = _scores(_written(tmp_path, _packed()))
    assert found == pytest.approx({f"org/{system}": score for system, score in SCORES.items()})


@_NATIVE
def test_archives_that_nothing_unpacks_are_named_with_the_command_that_converts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_module(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", no_module)
    with pytest.raises(ReferenceDataError) as caught:
        _scores(_written(tmp_path, _packed()))
    told = str(caught.value)
    assert "pip install zstandard" in told
    assert "inspect log convert 2025_arith_big.eval --to json --output-dir logs" in told
    assert "gold.csv" not in told


def test_logs_of_an_unknown_tool_lead_to_the_page_on_logs(tmp_path: Path) -> None:
    record = {"question": {"n": 1}, "verdict": {"ok": True}}
    files: Files = {f"{system}/log.json": json.dumps([record]) for system in SYSTEMS}
    with pytest.raises(ReferenceDataError) as caught:
        _scores(_written(tmp_path, files))
    told = str(caught.value)
    assert "docs/how-to/logs.md" in told
    assert "'submissions: {columns: {unit: id, correct: score}}'" in told
    assert "gold.csv" not in told


def _trials(system: str) -> Files:
    """Return a folder for every question and trial, with one object each."""
    return {
        f"{system}/q{q}/q{q}.{trial}/results.json": json.dumps(
            {"task": f"q{q}", "trial": trial, "is_resolved": bool(right), "parts": {"a": "passed"}}
        )
        for q, right in enumerate(RIGHT[system])
        for trial in (1, 2)
    }


def test_logs_of_an_unknown_tool_may_lie_in_a_folder_for_every_question(tmp_path: Path) -> None:
    files = {**_trials("big"), **_trials("small")}
    with pytest.raises(ReferenceDataError) as caught:
        _scores(_written(tmp_path, files))
    assert f"and {len(files) - 1} more files of JSON" in str(caught.value)
    assert "gold.csv" not in str(caught.value)


def test_an_object_with_the_stated_keys_is_one_record(tmp_path: Path) -> None:
    files = {**_trials("big"), **_trials("small")}
    stated = (
        "submissions: {columns: {unit: task, sample: trial, is_resolved: is_resolved}}\n"
        "greater_is_better: true\n"
    )
    assert _scores(_written(tmp_path, files, stated)) == pytest.approx(SCORES)


def test_a_summary_beside_records_is_named_by_its_keys(tmp_path: Path) -> None:
    summary = {"id": "1", "accuracy": 0.5, "solved": ["q1"], "results": [{"task": "q1"}]}
    files = {"big/results.json": json.dumps(summary), **_trials("big"), **_trials("small")}
    stated = _STATED.replace("unit: id, correct: correct", "unit: task, right: is_resolved")
    with pytest.raises(ReferenceDataError) as caught:
        _scores(_written(tmp_path, files, stated))
    told = str(caught.value)
    assert "big/results.json: no record holds " in told
    assert "one object with 'id', 'accuracy', 'solved', 'results', and" in told
    assert "'label'" not in told


def test_a_score_that_is_given_twice_is_named_by_its_file(tmp_path: Path) -> None:
    files = {**_trials("big"), **_trials("small")}
    stated = _STATED.replace("unit: id, correct: correct", "unit: task, right: is_resolved")
    folder = _written(tmp_path, files, stated)
    with pytest.raises(ReferenceDataError) as caught:
        _scores(folder)
    told = str(caught.value)
    assert "- big/q0/q0.2/results.json: record 1: unit 'q0' was already on big/q0/q0.1" in told
    assert "- line " not in told


def test_two_runs_of_one_task_are_named_by_file_date_and_status(tmp_path: Path) -> None:
    (plain,) = (json.loads(content) for content in inspect_json("big").values())
    files: Files = {}
    for day, status in ((1, "error"), (2, "success")):
        log = {**plain, "status": status}
        log["eval"] = {**plain["eval"], "created": f"2025-01-0{day}"}
        files[f"logs/run{day}.json"] = json.dumps(log)
    files |= inspect_json("small")
    with pytest.raises(ReferenceDataError) as caught:
        _scores(_written(tmp_path, files))
    assert "logs/run1.json (2025-01-01, error) and logs/run2.json (2025-01-02, success) both" in (
        str(caught.value)
    )
