"""The command ``deadheat announce`` and ``announce`` in Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import scoring_program as dh
from scoring_program.announcing.materials import OUTPUTS
from scoring_program.commands import announce
from scoring_program.report.results_json import results_json
from tests.announcing.results import document, written
from tests.competitions import Folder
from tests.report import made
from tests.report.test_only_ranks import scored


@pytest.fixture
def output(tmp_path: Path) -> Path:
    """The folder of the results of close teams."""
    folder = tmp_path / "output"
    folder.mkdir()
    (folder / "results.json").write_text(written("close"), encoding="utf-8")
    return folder


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert announce.main(arguments) == 2
    return capsys.readouterr().err


def test_everything_is_written_and_what_may_be_announced_is_said(
    output: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "new" / "announcement"
    assert announce.main([str(output), "-o", str(target)]) == 0
    assert {path.name for path in target.iterdir()} == set(OUTPUTS)
    assert len(list((target / "letters").iterdir())) == 10
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "≈ Open. NLPCIC is first. Do not call it better than CIMATMTYGTO and DCCDINFOTEC."
    )
    assert lines[-1].endswith("letters (10)")
    assert [path.name for path in output.iterdir()] == ["results.json"]


def test_another_announcement_replaces_the_first_and_leaves_no_letter_of_it(
    output: Path, tmp_path: Path
) -> None:
    target = tmp_path / "announcement"
    assert announce.main([str(output), "-o", str(target)]) == 0
    (output / "results.json").write_text(written("won"), encoding="utf-8")
    assert announce.main([str(output / "results.json"), "-o", str(target)]) == 0
    assert {path.name for path in (target / "letters").iterdir()} == {
        "L.txt", "A.txt", "B.txt", "C.txt",
    }  # fmt: skip


def test_python_does_the_same_as_the_command(output: Path, tmp_path: Path) -> None:
    paths = dh.announce(output, tmp_path / "python", language="pt")
    assert announce.main([str(output), "-o", str(tmp_path / "command"), "--language", "pt"]) == 0
    for path in paths:
        same = tmp_path / "command" / path.relative_to(tmp_path / "python")
        assert path.read_bytes() == same.read_bytes()


def test_what_a_run_writes_can_be_announced(tmp_path: Path) -> None:
    folder = Folder(tmp_path).write()
    assert folder.run("--resamples", "200") == 0
    assert announce.main([str(folder.output), "-o", str(tmp_path / "announcement")]) == 0
    assert "Dear One," in (tmp_path / "announcement/letters/One.txt").read_text(encoding="utf-8")


def test_runs_speak_for_their_teams(tmp_path: Path) -> None:
    folder = Folder(tmp_path, teams=("Ann/first", "Ann/second", "Bob/first", "Eve")).write()
    assert folder.run("--resamples", "200") == 0
    dh.announce(folder.output, tmp_path / "announcement")
    letters = tmp_path / "announcement" / "letters"
    assert {path.stem for path in letters.iterdir()} == {"Ann", "Bob", "Eve"}
    text = (letters / "Ann.txt").read_text(encoding="utf-8")
    assert "of 3 with your best run, Ann/first/predictions." in text


@pytest.mark.parametrize("inside", [".", "announcement", "tables/announcement"])
def test_the_folder_of_the_results_is_left_alone(
    inside: str, output: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    message = refused([str(output), "-o", str(output / inside)], capsys)
    assert "the folder of the results" in message
    assert "choose another folder" in message
    assert [path.name for path in output.iterdir()] == ["results.json"]


def test_a_link_does_not_lead_into_the_folder_of_the_results(
    output: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "link").symlink_to(output, target_is_directory=True)
    assert "lies inside" in refused([str(output), "-o", str(tmp_path / "link" / "new")], capsys)


@pytest.mark.parametrize("form", ["field", "single"])
def test_results_of_one_submission_are_refused(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = made.field() if form == "field" else made.single()
    (tmp_path / "results.json").write_text(results_json(found, ""), encoding="utf-8")
    target = tmp_path.parent / f"{tmp_path.name}-announcement"
    message = refused([str(tmp_path), "-o", str(target)], capsys)
    assert "a single submission" in message
    assert "score the submissions of all teams" in message
    assert not target.exists()


def test_results_of_an_earlier_version_are_refused(
    output: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = document("close")
    content["schema_version"] = 2
    del content["keys"]
    for metric in content["metrics"]:
        for row in metric["entries"]:
            del row["team"]
    (output / "results.json").write_text(json.dumps(content), encoding="utf-8")
    message = refused([str(output), "-o", str(tmp_path / "announcement")], capsys)
    assert "score the competition again" in message
    assert not (tmp_path / "announcement").exists()


def test_a_folder_that_somebody_else_filled_is_refused(
    output: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    letter = tmp_path / "mine" / "letters" / "to_my_mother.txt"
    letter.parent.mkdir(parents=True)
    letter.write_text("Dear mother")
    assert "choose another folder" in refused([str(output), "-o", str(tmp_path / "mine")], capsys)
    assert letter.read_text() == "Dear mother"


def test_other_files_in_the_folder_stay(output: Path, tmp_path: Path) -> None:
    notes = tmp_path / "announcement" / "notes.txt"
    notes.parent.mkdir()
    notes.write_text("mine")
    assert announce.main([str(output), "-o", str(notes.parent)]) == 0
    assert notes.read_text() == "mine"


def test_a_language_that_does_not_exist_is_refused(output: Path, tmp_path: Path) -> None:
    with pytest.raises(dh.OrganizerError, match="there is no 'spanish'"):
        dh.announce(output, tmp_path / "announcement", language="spanish")
    assert not (tmp_path / "announcement").exists()


def test_a_folder_without_results_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "results.json" in refused([str(tmp_path), "-o", str(tmp_path.parent / "x")], capsys)


def test_a_mean_rank_is_announced_without_what_it_lacks(tmp_path: Path) -> None:
    output = scored(tmp_path, "prizes: 2\n")
    folder = tmp_path / "announcement"
    dh.announce(output, folder)
    text = (folder / "letters" / "T4.txt").read_text(encoding="utf-8")
    assert "Your score: mean rank 5.0000.\n" in text
    assert "T0 did better by more than chance explains.\n" in text
    assert "places" not in text
    rules = (folder / "rules.md").read_text(encoding="utf-8")
    assert "By a mean rank, nothing is settled of the first 2 places." in rules
