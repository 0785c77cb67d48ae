"""Small inputs from real competitions that once went wrong, each with what must come out.

They lie beside a checkout of the project's founders; without the folder, these tests are skipped.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from scoring_program.commands.score import main
from tests.competitions import REPOSITORY, write_csv

#: A worktree may lie deeper than a clone.
_BESIDE = [parent / "shared" / "cases" for parent in REPOSITORY.parents]
_FOLDER = next((folder for folder in _BESIDE if (folder / "cases.yaml").is_file()), None)
_CASES: Mapping[str, Any] = (
    {} if _FOLDER is None else yaml.safe_load((_FOLDER / "cases.yaml").read_text(encoding="utf-8"))
)


@pytest.mark.skipif(_FOLDER is None, reason="there is no folder shared/cases beside this clone")
@pytest.mark.parametrize("name", [*_CASES])
def test_a_case_comes_out_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert _FOLDER is not None
    right = _CASES[name]
    status = main([str(_FOLDER / name), str(tmp_path), "--resamples", "200"])
    told = capsys.readouterr()
    assert status in right["status"], told.err
    if "setting_named" in right:
        assert right["setting_named"] in told.out + told.err
    if status == 0:
        results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
        _agrees(results, right)


def _agrees(results: Mapping[str, Any], right: Mapping[str, Any]) -> None:
    """Compare the ranking metric and the warnings with what is right."""
    entries = results["metrics"][0]["entries"]
    leaders = {entry["entry"] for entry in entries if entry["rank"] == 1}
    if "leader" in right:
        assert leaders == {right["leader"]}
    if "leaders" in right:
        assert leaders == {*right["leaders"]}
    if "entries" in right:
        assert {entry["entry"] for entry in entries} == {*right["entries"]}
        assert results["unusable"] == []
    scores = {entry["entry"]: entry["score"] for entry in entries}
    for entry, score in right.get("scores", {}).items():
        assert scores[entry] == pytest.approx(score, abs=1e-3)
    levels = {warning["level"] for warning in results["warnings"]}
    if right.get("warning") == "serious":
        assert "red" in levels
    if right.get("no_warning") == "serious":
        assert "red" not in levels


@pytest.mark.skipif(_FOLDER is None, reason="there is no folder shared/cases beside this clone")
def test_an_odd_row_does_not_tell_its_split(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _FOLDER is not None
    shutil.copytree(_FOLDER / "split_leak" / "ref", tmp_path / "ref")
    usages = (tmp_path / "ref" / "solution.csv").read_text(encoding="utf-8").split()[1:]
    texts = set()
    for odd in range(8):  # of all three usages
        numbers = [2 if row == odd else 1 for row in range(len(usages))]
        write_csv(tmp_path / "res" / "p.csv", {"row_id": [*range(len(usages))], "x": numbers})
        assert main([str(tmp_path), str(tmp_path / "output")]) == 1
        texts.add(capsys.readouterr().err)
    assert len(texts) == 1
    assert {usage.rpartition(",")[2] for usage in usages[:8]} == {"Public", "Private", "Ignored"}
