"""Every command on a judge's scores with people's beside them."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
import yaml

from scoring_program.bundle import kit
from scoring_program.bundle.build import build
from scoring_program.commands import announce, audit, check, compare, new, read, score
from scoring_program.core.errors import ReferenceDataError
from tests.bundle.made import members

_SYSTEMS = ("north", "south", "west")
_UNITS, _JUDGED = 120, 60
_SETTINGS = "human: people.csv\nhuman_sample: random\ngreater_is_better: true\nresamples: 300\n"


def _table(scores: np.ndarray, rows: np.ndarray) -> str:
    lines = ["question,system,quality"]
    for row in rows.tolist():
        for number, system in enumerate(_SYSTEMS):
            lines.append(f"q{row:03},{system},{scores[row, number]:.4f}")
    return "\n".join(lines) + "\n"


def _fill(folder: Path) -> None:
    rng = np.random.default_rng(5)
    people = rng.normal([1.0, 0.4, 0.0], size=(_UNITS, 3))
    judge = 0.5 * people + 0.3 * rng.normal(size=people.shape)
    chosen = rng.choice(_UNITS, _JUDGED, replace=False)
    (folder / "res/scores.csv").write_text(_table(judge, np.arange(_UNITS)))
    (folder / "ref/people.csv").write_text(_table(people, chosen))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("ref", "res"):
        (tmp_path / name).mkdir()
    _fill(tmp_path)
    (tmp_path / "ref/scoring.yaml").write_text(_SETTINGS)
    return tmp_path


def _scored(folder: Path, output: str = "output") -> dict[str, object]:
    assert score.main([str(folder), str(folder / output)]) == 0
    results: dict[str, object] = json.loads((folder / output / "results.json").read_text())
    return results


def test_the_log_accounts_for_both_tables_and_ends_with_what_people_add(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = _scored(folder)
    printed = capsys.readouterr().out
    assert "Read: scores.csv: units question, systems system, scores quality" in printed
    assert "Read: people.csv: units question, systems system, scores quality" in printed
    assert f"People judged {_JUDGED} of {_UNITS} units. The judge's scores are" in printed
    assert [side["files"] for side in results["reading"]["submissions"]] == [  # type: ignore[index]
        ["scores.csv"], ["people.csv"],
    ]  # fmt: skip
    page = (folder / "output/detailed_results.html").read_text()
    assert 'id="people"' in page
    assert "SHA-256 of people&#39;s scores" in page


def test_what_is_frozen_leaves_nothing_of_either_table_to_be_recognized(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = _scored(folder)
    assert read.main([str(folder), "--freeze"]) == 0
    stated = yaml.safe_load((folder / "ref/scoring.yaml").read_text())
    columns = {"unit": "question", "system": "system", "quality": "quality"}
    assert stated["submissions"] == {"columns": columns}
    capsys.readouterr()
    assert read.main([str(folder)]) == 0
    printed = capsys.readouterr().out
    assert "people.csv:" in printed
    assert "by name" not in printed
    assert "proven" not in printed
    assert _scored(folder, "again")["metrics"] == before["metrics"]


def test_the_audit_names_units_whose_withdrawal_draws_a_rival_level(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit.main([str(folder), "-o", str(folder / "audit")]) == 0
    assert f"of the {_UNITS} units" in capsys.readouterr().out
    table = (folder / "audit/tables/gold_examples_to_check.csv").read_text()
    withdrawn = {line.split(",")[0] for line in table.splitlines()[1:]}
    people = _read(folder / "ref/people.csv")
    judge = _read(folder / "res/scores.csv")
    metrics = _scored(folder)["metrics"]
    weight = metrics[0]["people"]["weight"]  # type: ignore[index]
    share = weight * (1 - _JUDGED / _UNITS)
    ahead = []
    for left_out in (set(), withdrawn):
        scores = []
        for system in ("north", "south"):
            judged = [unit for unit in people[system] if unit not in left_out]
            others = [u for u in judge[system] if u not in people[system] and u not in left_out]
            corrected = [people[system][u] - share * judge[system][u] for u in judged]
            unjudged = [share * judge[system][u] for u in others]
            scores.append(np.mean(corrected) + np.mean(unjudged))
        ahead.append(scores[0] - scores[1])
    assert ahead[0] > 0 >= ahead[1]


def _read(path: Path) -> dict[str, dict[str, float]]:
    """Return the scores in a table by system and unit."""
    scores: dict[str, dict[str, float]] = {}
    for line in path.read_text().splitlines()[1:]:
        unit, system, score_of_unit = line.split(",")
        scores.setdefault(system, {})[unit] = float(score_of_unit)
    return scores


def test_what_is_announced_says_how_people_were_drawn(folder: Path) -> None:
    _scored(folder)
    assert announce.main([str(folder / "output"), "-o", str(folder / "kit")]) == 0
    rules = (folder / "kit/rules.md").read_text()
    assert f"corrected by people's of {_JUDGED} in {_UNITS} units" in rules
    assert "drawn at random before anybody sees the judge's scores" in rules


def test_competitions_with_and_without_people_are_compared(folder: Path) -> None:
    _scored(folder, "with")
    settings = folder / "ref/scoring.yaml"
    settings.write_text("\n".join(_SETTINGS.splitlines()[2:]))
    (folder / "ref/people.csv").unlink()
    _scored(folder, "without")
    paths = [str(folder / name) for name in ("with", "without")]
    assert compare.main([*paths, "-o", str(folder / "compared")]) == 0


def test_the_checker_says_that_it_is_for_submissions(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ids = folder / "ids.csv"
    ids.write_text("".join(f"q{row:03}\n" for row in range(3 * _UNITS)))
    table = str(folder / "res/scores.csv")
    settings = str(folder / "ref/scoring.yaml")
    assert check.main([table, "--ids", str(ids), "--settings", settings]) == 1
    assert "there is no column 'label' among 'question', 'system'" in capsys.readouterr().err


def _competition(tmp_path: Path, layout: str) -> Path:
    """Return a competition for organizers, who upload one table, with people's beside it."""
    folder = tmp_path / "scans"
    assert new.main([str(folder), "--kind", "scores"]) == 0
    _fill(folder)
    metric = "metrics: [{name: dice, function: mean_score, column: quality}]\n"
    (folder / "ref/scoring.yaml").write_text(f"{_SETTINGS}{metric}{layout}")
    description = folder / "competition.yaml"
    document = yaml.safe_load(description.read_text())
    for board in document["leaderboards"]:
        board["columns"] = [c for c in board["columns"] if not c["key"].startswith("hd95")]
    description.write_text(yaml.safe_dump(document, sort_keys=False))
    return folder


def test_a_bundle_holds_people_and_was_tried_with_them(tmp_path: Path) -> None:
    folder = _competition(tmp_path, "layout: long\n")
    lines: list[str] = []
    bundle = members(build(folder / "competition.yaml", log=lines.append))
    assert any(line.startswith("Task 0 tried on res") for line in lines)
    with zipfile.ZipFile(io.BytesIO(bundle["reference_data_0.zip"])) as reference:
        assert "people.csv" in reference.namelist()


def test_people_are_no_correct_answers_to_score_uploads_with(folder: Path) -> None:
    with pytest.raises(ReferenceDataError, match="need no platform: compare them on your own"):
        kit.rules_of(folder / "ref")
