"""The README, word for word: its commands run in a copy of the repository, its settings load."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

import pytest

from scoring_program.settings import model as settings
from tests.competitions import REPOSITORY, copied

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
_FENCED = re.compile(r"^( *)```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
#: Commands that a test cannot run, by a word of theirs, and why.
NOT_RUN = {"tox": "it runs these very tests", "atheris": "it runs for ten minutes"}
#: A metric as Kaggle's hosts write them.
METRIC = """\
class ParticipantVisibleError(Exception):
    pass


def score(solution, submission, row_id_column_name):
    if len(submission.columns) != 2:
        raise ParticipantVisibleError("Send two columns.")
    return float((solution["label"].to_numpy() == submission["label"].to_numpy()).mean())
"""


def blocks(language: str) -> list[str]:
    return [
        textwrap.dedent(text) for _, found, text in _FENCED.findall(README) if found == language
    ]


INSTALL, *COMMANDS = [block for block in blocks("sh") if not any(word in block for word in NOT_RUN)]


def shell(command: str, folder: Path, programs: Path = Path(sys.executable).parent) -> str:
    """Run a command of the README, with these programs before others, and return what it prints."""
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    if any(sign in done.stderr for sign in ("cannot be downloaded", "No matching distribution")):
        pytest.skip(f"packages are not to be had: {done.stderr}")
    assert done.returncode == 0, done.stderr
    return done.stdout


def follow(clone: Path, programs: Path = Path(sys.executable).parent) -> None:
    """Run all commands but the installation, in their order."""
    for command in COMMANDS:
        folder = clone
        if "check.pyz" in command:  # in the starting kit, beside one's predictions
            folder = clone / "kit"
            with zipfile.ZipFile(clone / "codabench.zip") as bundle:
                kit = io.BytesIO(bundle.read("starting_kit_0.zip"))
            zipfile.ZipFile(kit).extractall(folder)
            shutil.copy(clone / "example" / "sample_solution" / "predictions.csv", folder)
        printed = shell(command, folder, programs)
        if "codabench.zip" in command:
            said = re.compile(r"codabench\.zip: ([0-9.]+) MiB, ready to upload\.")
            promised, found = said.search(README), said.search(printed)
            assert promised is not None
            assert found is not None
            assert float(found[1]) == pytest.approx(float(promised[1]), rel=0.05)
        elif "check" in command:
            assert (folder / "submission.zip").exists() == ("check.pyz" in command)
            assert "predictions.csv: ready to be scored" in printed
    assert zipfile.is_zipfile(clone / "codalab.zip")
    scores = json.loads((clone / "kaggle-results" / "scores.json").read_text())
    assert "public_accuracy.NLPCIC" in scores
    page = (clone / "kaggle-results" / "detailed_results.html").read_text(encoding="utf-8")
    assert 'href="#shake_up"' in page


def test_commands(tmp_path: Path) -> None:
    clone = copied(tmp_path)
    # Whatever runs the tests stands for the environment.
    (clone / ".venv" / "bin").mkdir(parents=True)
    (clone / ".venv" / "bin" / "activate").touch()
    follow(clone)
    write_metric(clone)
    shell("python -m scoring_program kaggle own-metric --resamples 100", clone)
    scores = json.loads((clone / "own-metric" / "scores.json").read_text())
    expected = json.loads((clone / "kaggle-results" / "scores.json").read_text())
    for key in ("", "public_"):
        assert scores[f"{key}score.NLPCIC"] == expected[f"{key}accuracy.NLPCIC"]


def write_metric(clone: Path) -> None:
    """Put the README's settings for Kaggle's metric, and such a metric, into the reference data."""
    (text,) = (block for block in blocks("yaml") if "row_id_column_name" in block)
    (clone / "kaggle" / "ref" / "scoring.yaml").write_text(text, encoding="utf-8")
    (clone / "kaggle" / "ref" / "my_metric.py").write_text(METRIC)


@pytest.mark.slow
def test_commands_in_a_new_environment(tmp_path: Path) -> None:
    clone = copied(tmp_path)
    assert "NLPCIC leads with F1 0.7154" in shell(INSTALL, clone)
    assert (clone / "output" / "detailed_results.html").is_file()
    # What the README asks for where it comes to CodaLab.
    assert "`pip install '.[bundle]'`" in README
    shell("pip install --quiet '.[bundle]'", clone, clone / ".venv" / "bin")
    follow(clone, clone / ".venv" / "bin")


def test_every_block_is_accounted_for() -> None:
    assert README.count("```") == 2 * len(_FENCED.findall(README))
    assert len(COMMANDS) == 5
    assert {word for word in NOT_RUN if any(word in block for block in blocks("sh"))} == {*NOT_RUN}


@pytest.mark.parametrize("number", range(len(blocks("yaml"))))
def test_settings_are_valid(tmp_path: Path, number: int) -> None:
    path = tmp_path / "scoring.yaml"
    path.write_text(blocks("yaml")[number], encoding="utf-8")
    assert settings.load(path).metrics


def test_every_setting_is_described() -> None:
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", README, re.MULTILINE)
    described = {key for row in rows for key in re.findall(r"`(\w+)`", row)}
    assert {option.name for option in settings.OPTIONS} <= described
