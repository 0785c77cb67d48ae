"""Every way to start a command: the modules under both names, and the command with its options."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from scoring_program import __version__
from scoring_program.commands import main as command
from scoring_program.commands import score
from scoring_program.settings.groups import GROUPS
from scoring_program.settings.model import OPTIONS
from tests.competitions import REPOSITORY, Folder

STARTED = {
    "": "usage: deadheat score INPUT OUTPUT [options]",
    ".check": "usage: deadheat check",
    ".compare": "usage: deadheat compare",
    ".bundle": "usage: deadheat bundle",
}


@pytest.mark.parametrize("package", ["scoring_program", "deadheat"])
@pytest.mark.parametrize("module", STARTED)
def test_modules_run_under_both_names(tmp_path: Path, package: str, module: str) -> None:
    (tmp_path / package).symlink_to(REPOSITORY / "scoring_program")
    done = subprocess.run(
        [sys.executable, "-m", f"{package}{module}", "--help"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(STARTED[module])
    assert done.stderr == ""


def test_the_package_scores_under_its_installed_name(folder: Folder) -> None:
    folder.write("metrics: [accuracy_score]\nresamples: 100\n")
    (folder.root / "deadheat").symlink_to(REPOSITORY / "scoring_program")
    arguments = [str(folder.input), str(folder.output)]
    done = subprocess.run(
        [sys.executable, "-m", "deadheat", *arguments],
        cwd=folder.root,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    under_its_name = json.loads((folder.output / "scores.json").read_text())
    assert folder.run() == 0
    assert json.loads((folder.output / "scores.json").read_text()) == under_its_name


@pytest.mark.parametrize("name", command.COMMANDS)
def test_the_package_runs_every_command(capsys: pytest.CaptureFixture[str], name: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        command.run_module([name, "--help"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: deadheat {name}")


def test_an_input_may_be_called_like_a_command(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write("metrics: [accuracy_score]\nresamples: 100\n")
    folder.input.rename(folder.root / "audit")
    monkeypatch.chdir(folder.root)
    assert command.run_module(["audit", str(folder.output)]) == 0
    assert (folder.output / "scores.json").is_file()
    assert command.run_module(["score", "audit", str(folder.output)]) == 0
    assert command.run_module(["./audit", str(folder.output)]) == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["audit", "audit", "-o", "found"],
        ["audit", "-o", "found", "audit"],
        ["check", "audit/res/One/predictions.csv", "--ids", "audit/ref/gold.csv"],
    ],
)
def test_a_folder_called_like_a_command_hides_no_command(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    folder.write("metrics: [accuracy_score]\nresamples: 100\n")
    folder.input.rename(folder.root / "audit")
    (folder.root / "check" / "ref").mkdir(parents=True)
    monkeypatch.chdir(folder.root)
    assert command.run_module(arguments) == 0
    assert (folder.root / "found" / "audit.html").is_file() == (arguments[0] == "audit")


def test_a_folder_called_like_a_command_does_not_hide_what_a_command_lacks(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.write("metrics: [accuracy_score]\n")
    folder.input.rename(folder.root / "audit")
    monkeypatch.chdir(folder.root)
    with pytest.raises(SystemExit) as stopped:
        command.run_module(["audit", "audit", "found"])
    assert stopped.value.code == 2
    assert "deadheat audit: error: " in capsys.readouterr().err


@pytest.mark.parametrize("name", command.COMMANDS)
def test_help_of_every_command(capsys: pytest.CaptureFixture[str], name: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        command.main([name, "--help"])
    assert stopped.value.code == 0
    text = capsys.readouterr().out
    assert text.startswith(f"usage: deadheat {name}")
    assert "exit status:" in text


@pytest.mark.parametrize("name", command.COMMANDS)
def test_the_examples_of_a_help_are_understood(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    with pytest.raises(SystemExit):
        command.main([name, "--help"])
    helped = capsys.readouterr().out
    examples = helped.partition("\nexamples:\n")[2].partition("\n\n")[0]
    lines = [line for line in examples.splitlines() if line.startswith("  deadheat ")]
    assert len(lines) >= 2
    for line in lines:
        with pytest.raises(SystemExit) as stopped:  # by the help, as nothing before it is wrong
            command.main([*shlex.split(line)[1:], "--help"])
        assert stopped.value.code == 0, line


def test_help_of_all_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([]) == command.main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(f"  {name}" in text for name in command.COMMANDS)
    assert command.main(["--version"]) == 0
    assert capsys.readouterr().out == f"deadheat {__version__}\n"


def test_a_mistyped_command_suggests_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["scor"]) == 2
    assert "there is no command 'scor'; did you mean 'score'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["in", "out", "--rezamples", "500"],
        ["in", "out", "--rezamples=500"],
        ["--resample", "500"],  # no abbreviation, whatever else is missing
    ],
)
def test_a_mistyped_option_suggests_the_nearest(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        score.main(arguments)
    assert stopped.value.code == 2
    assert "; did you mean '--resamples'?" in capsys.readouterr().err


def test_the_value_of_an_option_may_begin_as_one(folder: Folder) -> None:
    assert folder.write("resamples: 100\n").run("--title=--rezamples") == 0
    assert folder.run("--title", "-- a title --") == 0
    assert folder.results()["title"] == "-- a title --"


def test_help_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        score.main(["--help"])
    text = " ".join(capsys.readouterr().out.split())
    for option in OPTIONS:
        flag, metavar = f"--{option.name.replace('_', '-')} ", option.metadata["metavar"]
        assert f"{flag}{metavar} " in text or f"{flag}[{metavar}] " in text
        assert " ".join(option.metadata["help"].split()[:3]) in text
        assert all(choice in text for choice in option.metadata["choices"])


def test_help_shows_the_settings_in_groups(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        score.main(["--help"])
    text = capsys.readouterr().out
    headings = [text.index(f"\n{about}:\n") for about in GROUPS]
    assert headings == sorted(headings)
    for about, start, end in zip(GROUPS, headings, [*headings[1:], len(text)], strict=True):
        options = re.findall(r"^  --([a-z-]+)", text[start:end], re.M)
        assert [name.replace("-", "_") for name in options] == [
            key for key in GROUPS[about] if key != "metrics"
        ]


@pytest.mark.parametrize(
    ("option", "meant"),
    [
        ("--bootstrap", "'--resamples'?"),
        ("--n-resamples", "'--resamples'?"),
        ("--alpha", "'--confidence', which is 1 − alpha?"),
        ("--rezamples", "'--resamples'?"),
    ],
)
def test_a_wrong_option_is_answered_by_its_meaning(
    capsys: pytest.CaptureFixture[str], option: str, meant: str
) -> None:
    with pytest.raises(SystemExit) as caught:
        score.main(["in", "out", option, "1"])
    assert caught.value.code == 2
    assert f"there is no option {option}; did you mean {meant}" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--help"], ["in", "out", "--rezamples", "1"]])
def test_help_and_usage_errors_do_not_wait_for_libraries(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom scoring_program.commands.score import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit:\n    pass\n"
        "print(sorted({'numpy', 'scipy', 'sklearn', 'statsmodels', 'jinja2'} & {*sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
