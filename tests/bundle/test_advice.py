"""What the builder tells the organizer about a bundle that the platforms take as it is."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from scoring_program.bundle.build import build
from scoring_program.commands.score import main
from tests.bundle.made import copied, members
from tests.competitions import REPOSITORY
from tests.platform import unpackers
from tests.sweeps import swept

Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def said(tmp_path: Path) -> Callable[..., list[str]]:
    """What the builder says of one of the two competitions after a change."""
    copied(tmp_path)

    def lines(name: str, change: Change = lambda document: None) -> list[str]:
        document = yaml.safe_load((REPOSITORY / name).read_text(encoding="utf-8"))
        change(document)
        (tmp_path / name).write_text(yaml.safe_dump(document), encoding="utf-8")
        found: list[str] = []
        build(tmp_path / name, rehearsed=False, log=found.append)
        # Without the dates of the phases, the size of the program and the seed.
        left_out = (
            "Phase ",
            "Participants send ",
            "Program: ",
            "No Python ",
            "Seed of ",
            "Public: ",
            "What is left",
            "  ",
        )
        return [line for line in found if not line.startswith(left_out)]

    return lines


@pytest.mark.parametrize("name", ["competition.yaml", "organizers.yaml"])
def test_who_wants_no_page_is_told_what_that_means(
    tmp_path: Path, said: Callable[..., list[str]], name: str
) -> None:
    before = said(name)
    lines = said(name, lambda document: document.update(enable_detailed_results=False))
    assert [line for line in lines if line not in before] == [
        "enable_detailed_results: is false, so the platform shows the scores and nobody sees the "
        "page; set it to true if participants are to see it."
    ]
    packed = members(build(tmp_path / name, rehearsed=False, log=lambda line: None))
    assert yaml.safe_load(packed["competition.yaml"])["enable_detailed_results"] is False


def settings(**values: Any) -> Change:
    return lambda document: document["tasks"][0]["deadheat"]["settings"].update(values)


def rule(name: str) -> Change:
    return lambda document: document["leaderboards"][0].update(submission_rule=name)


@pytest.mark.parametrize(
    ("name", "runs"),
    [("Force_Best", "best"), ("Force_Last", "last"), ("Force_Latest_Multiple", "all")],
)
def test_the_report_is_made_on_ones_own_machine(
    said: Callable[..., list[str]], name: str, runs: str
) -> None:
    (line,) = said("competition.yaml", rule(name))
    assert f"'deadheat score INPUT OUTPUT --runs {runs}' counts the submissions that" in line


def test_the_organizers_phase_is_said_not_to_be_private(said: Callable[..., list[str]]) -> None:
    (line,) = said("organizers.yaml")
    assert "The phase 'For the organizers'" in line
    assert "is not private: once the competition is published, anyone can open the page" in line
    assert line.endswith("Never publish this competition.")


def test_what_could_be_hidden_is_said(said: Callable[..., list[str]]) -> None:
    def opened(document: dict[str, Any]) -> None:
        document["phases"][0]["hide_output"] = False
        document["leaderboards"][0]["hidden"] = False
        document["registration_auto_approve"] = True

    (line,) = said("organizers.yaml", opened)
    assert line.endswith(
        " To hide what can be hidden, set 'hide_output: true' in the phase, 'hidden: true' in the "
        "leaderboard, 'registration_auto_approve: false'."
    )


def test_a_phase_among_others_had_better_be_moved(said: Callable[..., list[str]]) -> None:
    def joined(document: dict[str, Any]) -> None:
        other = yaml.safe_load((REPOSITORY / "organizers.yaml").read_text(encoding="utf-8"))
        document["tasks"].append({**other["tasks"][0], "index": 1})
        document["phases"][0] |= {"start": "2026-01-01", "end": "2026-02-01"}
        later = {"index": 1, "tasks": [1], "start": "2026-03-01"}
        document["phases"].append({**other["phases"][0], **later})

    (line,) = said("competition.yaml", joined)
    assert "Move it to a separate competition that is never published" in line
    # Its leaderboard is everybody's, and must stay visible.
    assert "hidden" not in line


@pytest.mark.parametrize("file", swept(["competition.yaml", "organizers.yaml"]))
@pytest.mark.parametrize(
    ("name", "agreeing"),
    [("Force_Best", "best"), ("Force_Last", "last"), ("Force_Latest_Multiple", "all")],
)
@pytest.mark.parametrize("runs", ["best", "last", "all"])
def test_runs_and_the_rule_of_the_leaderboard_agree_or_it_is_said(
    said: Callable[..., list[str]], file: str, name: str, agreeing: str, runs: str
) -> None:
    def change(document: dict[str, Any]) -> None:
        settings(runs=runs)(document)
        rule(name)(document)

    told = [line for line in said(file, change) if line.startswith("Task 0: ")]
    assert told == (
        []
        if runs == agreeing
        else [
            f"Task 0: 'runs: {runs}' does not count the same submissions as the "
            f"leaderboard, whose "
            f"submission_rule is {name}; 'runs: {agreeing}' does."
        ]
    )


def test_runs_that_a_report_counts_by_default(said: Callable[..., list[str]]) -> None:
    def unsaid(document: dict[str, Any]) -> None:
        del document["tasks"][0]["deadheat"]["settings"]["runs"]

    told = said("organizers.yaml", unsaid)
    assert any("'runs: all' does not count the same" in line for line in told)


@pytest.mark.parametrize("file", swept(["competition.yaml", "organizers.yaml"]))
@pytest.mark.parametrize("name", ["Add", "Add_And_Delete", "Add_And_Delete_Multiple"])
def test_what_participants_choose_no_setting_knows(
    said: Callable[..., list[str]], file: str, name: str
) -> None:
    assert said(file, rule(name))[-1].startswith(
        f"Under the leaderboard's submission_rule {name}, participants choose which "
    )


def test_decimals_of_whole_numbers(said: Callable[..., list[str]]) -> None:
    def change(document: dict[str, Any]) -> None:
        for column in document["leaderboards"][0]["columns"]:
            column["precision"] = 4

    told = [line for line in said("competition.yaml", change) if "precision" in line]
    assert [line.split("'")[1] for line in told] == ["tied_with_leader", "rank"]


def reference(folder: Path) -> Path:
    """Unpack the reference data of the organizers' competition into INPUT/ref."""
    content = build(REPOSITORY / "organizers.yaml", rehearsed=False)
    with zipfile.ZipFile(io.BytesIO(content)) as bundle:
        unpackers.codabench({name: bundle.read(name) for name in bundle.namelist()})
        packed = io.BytesIO(bundle.read("reference_data_0.zip"))
    zipfile.ZipFile(packed).extractall(folder / "ref")
    return folder


def test_a_lone_upload_to_the_organizers_phase_scores_only_its_owner(tmp_path: Path) -> None:
    folder = reference(tmp_path / "input")
    shutil.copytree(REPOSITORY / "example" / "sample_solution", folder / "res")
    output = tmp_path / "output"
    assert main([str(folder), str(output), "--resamples", "100"]) == 0
    assert json.loads((output / "scores.json").read_text())["n_teams"] == 1
    shown = "".join(
        path.read_text(encoding="utf-8") for path in output.rglob("*") if path.is_file()
    )
    rivals = [path.name for path in (REPOSITORY / "example" / "input" / "res").iterdir()]
    assert len(rivals) == 10
    assert not [name for name in rivals if name in shown]


def test_the_organizers_phase_reports_everybody(tmp_path: Path) -> None:
    folder = reference(tmp_path / "input")
    shutil.copytree(REPOSITORY / "example" / "input" / "res", folder / "res")
    output = tmp_path / "output"
    assert main([str(folder), str(output), "--resamples", "100"]) == 0
    scores = json.loads((output / "scores.json").read_text())
    assert scores["n_teams"] == 10
    assert "f1_score.NLPCIC" in scores
