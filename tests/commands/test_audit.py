"""The command ``deadheat audit``: its outputs, and that no scoring run writes any of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scoring_program.commands.audit import main
from tests.competitions import EXAMPLE, Folder, write_csv


def _audit(folder: Folder, *options: str) -> dict[str, Any]:
    output = folder.root / "audit"
    assert main([str(folder.input), "-o", str(output), *options]) == 0
    content: dict[str, Any] = json.loads((output / "audit.json").read_text(encoding="utf-8"))
    return content


def test_the_outputs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Folder(tmp_path, n=200, teams=[f"Team {k}" for k in range(6)]).write()
    content = _audit(folder)
    assert content["schema_version"] == 1
    assert content["leader"] == "Team 0"
    assert {"certificate", "examples", "oracle", "majority", "confusion", "near_copies", "schemes",
            "optimism"} <= set(content)  # fmt: skip
    examples = content["examples"]
    assert sorted(item["id"] for item in examples) == folder.ids
    names = {path.name for path in (tmp_path / "audit").iterdir()}
    assert names == {"audit.html", "audit.json", "tables", "figures"}
    page = (tmp_path / "audit" / "audit.html").read_text(encoding="utf-8")
    assert "holds gold labels" in page
    for path in (tmp_path / "audit" / "tables").iterdir():
        assert path.name.startswith("gold_") or path.name == "all.tex"
        if path.suffix in (".md", ".tex") and path.name != "all.tex":
            assert "holds gold labels" in path.read_text(encoding="utf-8"), path
    for path in (tmp_path / "audit" / "figures").iterdir():
        assert path.name.startswith("gold_")
    assert "holds gold labels" in capsys.readouterr().out


def test_a_scoring_run_writes_nothing_of_it(tmp_path: Path) -> None:
    folder = Folder(tmp_path).write()
    folder.run()
    written = {path.name for path in folder.output.rglob("*")}
    assert not written & {"audit.html", "audit.json", "organizer"}
    texts = "".join(
        path.read_text(encoding="utf-8") for path in folder.output.rglob("*") if path.is_file()
    )
    assert not any(identity in texts for identity in folder.ids)


def test_regraded_labels(tmp_path: Path) -> None:
    folder = Folder(tmp_path, n=120).write("metrics: [accuracy_score]\n")
    before = _audit(folder)
    first = before["certificate"][0]
    rows = [folder.ids.index(identity) for identity in first["examples"][: first["changes"]]]
    rival = folder.teams[first["rival"]]
    write_csv(
        tmp_path / "regraded.csv",
        {
            "id": [folder.ids[row] for row in rows],
            "label": [rival[row] for row in rows],
        },
    )
    _audit(folder, "--regraded", str(tmp_path / "regraded.csv"))
    table = (tmp_path / "audit" / "tables" / "gold_regraded.csv").read_text(encoding="utf-8")
    moves = {line.split(",")[0]: line.split(",")[1:3] for line in table.splitlines()[1:]}
    assert moves[first["rival"]][1] == "1"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ({"id": ["nobody"], "label": ["a"]}, "1 id(s) are not in the reference data: nobody"),
        ({"id": ["x001"], "label": ["z"]}, "found 'z', expected one of 'a', 'b', 'c'"),
    ],
)
def test_regraded_labels_that_do_not_fit(
    tmp_path: Path,
    rows: dict[str, list[str]],
    expected: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = Folder(tmp_path).write()
    write_csv(tmp_path / "regraded.csv", rows)
    options = [str(folder.input), "-o", str(tmp_path / "audit")]
    assert main([*options, "--regraded", str(tmp_path / "regraded.csv")]) == 2
    assert expected in capsys.readouterr().err
    assert not (tmp_path / "audit").exists()


def test_errors_within_slices(tmp_path: Path) -> None:
    folder = Folder(tmp_path, n=200).write("metrics: [accuracy_score]\nslices: [source]\n")
    source = ["forum" if k % 3 else "news" for k in range(200)]
    gold = {"id": folder.ids, "label": folder.labels, "source": source}
    write_csv(folder.input / "ref" / "gold.csv", gold)
    content = _audit(folder)
    for one in content["slices"]:
        rows = [k for k in range(200) if source[k] == one["value"]]
        assert (one["column"], one["n"]) == ("source", len(rows))
        for entry in one["entries"]:
            predicted = folder.teams[entry["entry"]]
            errors = sum(predicted[k] != folder.labels[k] for k in rows)
            assert entry["errors"] == errors
            assert entry["error_rate"] == pytest.approx(errors / len(rows))
            assert entry["ci"][0] < entry["error_rate"] < entry["ci"][1]
    left_out = {item["name"] for item in content["schemes"] if item["kind"] == "without_slice"}
    assert left_out == {"source: forum", "source: news"}
    table = (tmp_path / "audit" / "tables" / "gold_errors_per_slice.csv").read_text(
        encoding="utf-8"
    )
    assert table.startswith("entry,column,value,examples,errors,low,high\n")


def test_a_plan(tmp_path: Path) -> None:
    folder = Folder(tmp_path, n=200, teams=["Baseline", "Majority"]).write()
    write_csv(tmp_path / "train.csv", {"id": ["t1"], "label": ["a"]})
    content = _audit(folder, "--plan", "--entries", "20", "--other", str(tmp_path / "train.csv"))
    (part,) = content["plan"]
    assert part["n"] == 200
    assert part["entries"] == 20
    assert part["paired"] is True
    sizes = [item["examples"] for item in part["examples_needed"]]
    assert sizes == sorted(sizes, reverse=True)


def test_optimism_from_two_runs(tmp_path: Path) -> None:
    public = Folder(tmp_path / "public", n=80).write()
    public.run()
    private = Folder(tmp_path / "private", n=150).write()
    content = _audit(private, "--public", str(public.output))
    optimism = content["optimism"]
    assert {item["entry"] for item in optimism} == set(private.teams)
    for item in optimism:
        assert item["difference"] == pytest.approx(item["public"] - item["private"])
        assert item["ci"][0] < item["difference"] < item["ci"][1]


def test_a_single_submission_has_no_audit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Folder(tmp_path, teams=()).write()
    write_csv(folder.input / "res" / "predictions.csv", {"id": folder.ids, "label": folder.labels})
    assert main([str(folder.input), "-o", str(tmp_path / "audit")]) == 2
    assert "put every team's submission into res/" in capsys.readouterr().err


def test_the_example(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(EXAMPLE), "-o", str(tmp_path / "audit")]) == 0
    assert "CIMATMTYGTO draws level with NLPCIC" in capsys.readouterr().out


def test_a_table_of_scores_has_other_aggregations(folder: Folder) -> None:
    scores = {"case": range(9), "steady": [0.5] * 9, "peaks": [0.49] * 6 + [2.0] * 3}
    write_csv(folder.input / "res" / "scores.csv", scores)
    folder.settings("resamples: 100\n")
    content = _audit(folder)
    found = {item["name"]: item["top"] for item in content["schemes"]}
    assert found["mean score"] == ["peaks"]
    assert found["mean score, median"] == ["steady"]
    assert found["mean score, mean rank"] == ["steady"]
    assert found["mean score, wins"] == ["peaks", "steady"]
    assert "mean score, mean" not in found


def test_entries_that_are_level_already(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Folder(tmp_path, teams=("One", "Two"))
    folder.teams["Two"] = list(folder.teams["One"])
    _audit(folder.write("metrics: [accuracy_score]\n"))
    assert "Two is level with One as the labels are." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("perfect", "entries", "expected"),
    [(False, "1", "at least two entries"), (True, "5", "put a baseline with some errors")],
)
def test_plans_that_cannot_be_made(
    tmp_path: Path,
    perfect: bool,
    entries: str,
    expected: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = Folder(tmp_path, teams=("One", "Two"))
    if perfect:
        folder.teams = dict.fromkeys(folder.teams, folder.labels)
    folder.write()
    options = [str(folder.input), "-o", str(tmp_path / "audit"), "--plan", "--entries", entries]
    assert main(options) == 2
    assert expected in capsys.readouterr().err
    assert not (tmp_path / "audit").exists()
