"""Phases: when they take place, and several tasks as one task of the platform."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import pytest
import yaml

from scoring_program.bundle.archive import pack
from scoring_program.bundle.build import build
from scoring_program.commands import new
from scoring_program.commands.bundle import main
from scoring_program.core.errors import SettingsError
from tests.bundle.made import edited, members, put
from tests.platform import unpackers, worker


def test_a_phase_of_several_tasks_is_refused(folder: Path) -> None:
    """On Codabench, a submission that fails one of them would stand first."""
    path = edited(folder, put("phases", 0, "tasks", value=[0, 1]))
    with pytest.raises(SettingsError) as caught:
        build(path, rehearsed=False)
    said = str(caught.value)
    assert "phases[0]: tasks: a phase has one task; with several, Codabench puts whoever fails" in (
        said
    )
    assert "ranked by their mean or a formula ('overall' in scoring.yaml)" in said
    assert "the platform would refuse" not in said


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    """Several tasks as one task of the platform."""
    assert new.main([str(tmp_path / "tasks"), "--kind", "tasks"]) == 0
    return tmp_path / "tasks" / "competition.yaml"


def test_several_tasks_are_one_task_of_the_platform(tasks: Path, tmp_path: Path) -> None:
    found = members(build(tasks))
    document = unpackers.codabench(found)
    assert [phase["tasks"] for phase in document["phases"]] == [[0]]
    sample = members(found["solution_0.zip"])
    packed = found["scoring_program.zip"], found["reference_data_0.zip"]
    done = worker.run(tmp_path / "all", *packed, pack(sample), Path(sys.executable))
    assert done.status == 0, done.stderr
    scores = worker.codabench_scores(done.output)
    assert {column["key"] for column in document["leaderboards"][0]["columns"]} <= scores.keys()
    mean = (scores["reviews_f1"] + scores["questions_f1"]) / 2
    assert float(scores["mean"]) == pytest.approx(float(mean), abs=1e-4)
    del sample["questions.csv"]
    done = worker.run(tmp_path / "one", *packed, pack(sample), Path(sys.executable))
    assert done.status == 1
    assert "there are no predictions for the task 'questions'; add a file called questions.csv" in (
        done.stderr
    )
    # The page says what the log says.
    assert [path.name for path in done.output.iterdir()] == ["detailed_results.html"]


def test_its_checker_asks_for_a_file_of_each_task(tasks: Path) -> None:
    kit = tasks.parent / "starting_kit"
    for name, content in members(
        members(build(tasks, rehearsed=False))["starting_kit_0.zip"]
    ).items():
        (kit / name).write_bytes(content)
    assert "python check.pyz predictions" in (kit / "README.md").read_text(encoding="utf-8")
    shutil.copytree(tasks.parent / "sample_solution", kit / "predictions")
    command = [sys.executable, "check.pyz", "predictions"]
    done = subprocess.run(command, cwd=kit, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert set(members((kit / "submission.zip").read_bytes())) == {"reviews.csv", "questions.csv"}
    (kit / "predictions" / "questions.csv").unlink()
    done = subprocess.run(command, cwd=kit, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "add a file called questions.csv" in done.stderr


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("overall: mean ", "overall: mean_rank ", "'mean_rank' over its reference files"),
        ("overall: mean ", "overall: mean_standardized ", "'mean_standardized' over its"),
    ],
)
def test_what_ranks_tasks_by_others_is_refused(
    tasks: Path, before: str, after: str, message: str
) -> None:
    path = tasks.parent / "ref" / "scoring.yaml"
    path.write_text(path.read_text().replace(before, after))
    with pytest.raises(SettingsError, match=f"task 0: a submission is scored alone .*{message}"):
        build(tasks, rehearsed=False)


@pytest.mark.full
def test_an_upload_that_lacks_a_task_may_count_as_the_worst(tasks: Path, tmp_path: Path) -> None:
    path = tasks.parent / "ref" / "scoring.yaml"
    path.write_text("missing_task: worst\n" + path.read_text())
    found = members(build(tasks))
    sample = members(found["solution_0.zip"])
    del sample["questions.csv"]
    packed = found["scoring_program.zip"], found["reference_data_0.zip"]
    done = worker.run(tmp_path / "one", *packed, pack(sample), Path(sys.executable))
    assert (done.status, done.stderr) == (0, "")
    scores = worker.codabench_scores(done.output)
    columns = unpackers.codabench(found)["leaderboards"][0]["columns"]
    assert {column["key"] for column in columns} <= scores.keys()
    assert scores["questions_f1"] == scores["questions_f1_ci_low"] == 0
    assert float(scores["mean"]) == pytest.approx(float(scores["reviews_f1"]) / 2, abs=1e-4)
    said = "so this submission counts as the worst there."
    page = (done.output / "detailed_results.html").read_text(encoding="utf-8")
    assert said in page
    assert said in done.stdout
    done = worker.run(tmp_path / "none", *packed, pack({}), Path(sys.executable))
    assert done.status == 1
    kit = tmp_path / "kit"
    for name, content in {**members(found["starting_kit_0.zip"]), **sample}.items():
        (kit / "mine" if name in sample else kit).mkdir(parents=True, exist_ok=True)
        (kit / "mine" / name if name in sample else kit / name).write_bytes(content)
    command = [sys.executable, "check.pyz", "mine"]
    checked = subprocess.run(command, cwd=kit, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert said in checked.stdout
    found = members(build(tasks, without_gold=True, rehearsed=False))
    packed = found["scoring_program.zip"], found["reference_data_0.zip"]
    done = worker.run(tmp_path / "collected", *packed, pack(sample), Path(sys.executable))
    assert worker.codabench_scores(done.output) == {"accepted": 1, "n_examples": 100}
    page = (done.output / "detailed_results.html").read_text(encoding="utf-8")
    assert said in page


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("f1_score", "log_loss", "'questions_f1' has none; choose a bounded metric"),
        (
            "overall: mean",
            "overall: log(questions_f1 + reviews_f1)",
            "'overall' (log(questions_f1 + reviews_f1)) has no value",
        ),
        (
            "overall: mean",
            "  - {name: gap, formula: (f1 - 0.4) ** 2, greater_is_better: false}\noverall: mean",
            "'questions_gap' ((f1 - 0.4) ** 2) may be better",
        ),
    ],
)
def test_a_missing_task_without_a_worst_value_is_refused(
    tasks: Path, before: str, after: str, message: str
) -> None:
    path = tasks.parent / "ref" / "scoring.yaml"
    text = path.read_text().replace(before, after).replace("    params: {average: macro}\n", "")
    text = text if "log_loss" in text else text.replace("f1_score", "accuracy_score")
    path.write_text("missing_task: worst\n" + text)
    with pytest.raises(SettingsError, match=f"task 0: missing_task: .*{re.escape(message)}"):
        build(tasks, rehearsed=False)


def dates(content: bytes) -> list[tuple[str, str | None]]:
    document = yaml.safe_load(members(content)["competition.yaml"])
    return [(phase["start"], phase.get("end")) for phase in document["phases"]]


def test_dates_count_from_the_start(folder: Path) -> None:
    path = edited(folder, put("phases", 0, "end", value="+1 day"))
    lines: list[str] = []
    content = build(path, start=date(2024, 2, 28), rehearsed=False, log=lines.append)
    assert dates(content) == [
        ("2024-02-28 00:00:00", "2024-02-29 00:00:00"),
        ("2024-05-29 00:00:00", None),
    ]
    assert lines[:2] == [
        "Phase 'Evaluation': 2024-02-28 00:00 to 2024-02-29 00:00 (UTC); it has already ended.",
        "Phase 'For the organizers': 2024-05-29 00:00, without an end (UTC).",
    ]


def test_dates_count_from_today(folder: Path) -> None:
    before = datetime.now(timezone.utc).date()
    content = build(folder / "competition.yaml", rehearsed=False)
    assert dates(content)[0] in {
        (f"{first} 00:00:00", f"{first + timedelta(90)} 00:00:00")
        for first in (before, datetime.now(timezone.utc).date())
    }


def test_start_on_the_command_line(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    edited(folder, put("solutions", value=None))
    edited(folder, put("tasks", 1, "deadheat", value={}))
    assert main(["--start", "2030-05-01"]) == 0
    assert "Phase 'Evaluation': 2030-05-01 00:00 to 2030-07-30 00:00 (UTC)." in (
        capsys.readouterr().out
    )
    with pytest.raises(SystemExit) as caught:
        main(["--start", "soon"])
    assert caught.value.code == 2
    assert "--start: expected a date such as 2026-01-31; found 'soon'" in capsys.readouterr().err
