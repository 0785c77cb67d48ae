"""Every run from files says how its files were read, whatever kind of data they hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scoring_program.commands import new, score

#: The kind of data, and what the log says first.
READ = {
    "label_sets": "Read: gold.csv: key id, answers labels (label sets).",
    "preferences": (
        "Read: preferences.csv: left left, right right, winner winner, prompts prompt; not read:"
    ),
    "ranking": "Read: judgments.qrels: key id, answers documents (rankings).",
    "record": "Read: gold.txt: key id, answers record (records).",
    "resolved": "Read: instances.csv: key instance_id; not read: ",
    "samples": "Read: gold.csv: key id, answers label (samples).",
    "scores": "Read: scores.csv: units patient, scan, systems system, scores dice (",
    "spans": "Read: gold.csv: key id, answers start, end, type (spans).",
    "tags": "Read: gold.conll: answers tags (tags); not read: document.",
    "text": "Read: gold.txt: answers text (texts).",
}


def _results(folder: Path) -> dict[str, Any]:
    results: dict[str, Any] = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return results


@pytest.mark.parametrize("kind", READ)
def test_the_log_the_page_and_the_results_say_how_files_were_read(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new"
    assert new.main([str(folder), "--kind", kind]) == 0
    capsys.readouterr()
    assert score.main([str(folder), str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out.startswith(READ[kind])
    results = _results(tmp_path / "out")
    assert results["signature"]["reading"].startswith(READ[kind])
    reading = results["reading"]
    sides = [reading["reference"]] if reading["reference"] else reading["submissions"]
    assert all(item["how"] in ("stated", "proven", "by name") for item in sides[0]["columns"])
    page = (tmp_path / "out" / "detailed_results.html").read_text(encoding="utf-8")
    assert "How the files were read" in page


def test_a_wide_table_beside_answers_says_what_its_columns_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in" / "ref").mkdir(parents=True)
    (tmp_path / "in" / "res").mkdir()
    lines = ["id,y,first,second", *(f"{i},{i % 2},{i % 2},{i % 3 % 2}" for i in range(12))]
    (tmp_path / "in" / "res" / "all.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert score.main([str(tmp_path / "in"), str(tmp_path / "out")]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Read: all.csv: key id, answers y (labels).\n")
    assert "Predictions in first, second.\n" in said
    reading = _results(tmp_path / "out")["reading"]
    assert reading["submissions"][0]["systems"]["value"] == ["first", "second"]
    assert reading["reference"]["not_read"] == {}
