"""The settings that a bundle packs: who sees what, and the seed that only the container gets."""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from scoring_program.bundle.build import build
from scoring_program.bundle.rehearsal import rehearse
from scoring_program.commands.bundle import main
from scoring_program.core.errors import SettingsError
from tests.bundle.made import SEED, edited, members, put
from tests.sweeps import swept

SETTINGS = ("tasks", 0, "deadheat", "settings")


def packed(bundle: bytes, task: int = 0) -> dict[str, Any]:
    reference = members(members(bundle)[f"reference_data_{task}.zip"])
    return dict(yaml.safe_load(reference["scoring.yaml"]))


def unfolded(content: bytes) -> bytes:
    """Return all bytes of an archive, those of archives in it included."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return b"\n".join(unfolded(archive.read(name)) for name in archive.namelist())
    except zipfile.BadZipFile:
        return content


def test_participants_see_scores_only_unless_the_settings_say_otherwise(folder: Path) -> None:
    bundle = build(folder / "competition.yaml", rehearsed=False)
    assert packed(bundle)["participants"] == "score"
    # Who uploads every team's submissions is an organizer.
    assert packed(bundle, 1)["participants"] == "full"
    assert "seed" not in packed(bundle, 1)
    path = edited(folder, put(*SETTINGS, value={"participants": "full"}))
    settings = packed(build(path, rehearsed=False))
    assert settings["participants"] == "full"
    assert "seed" not in settings


def test_scores_only_are_for_uploads_of_one_submission(folder: Path) -> None:
    """Where an upload may hold several submissions, its page shows everything."""
    path = edited(folder, put("tasks", 1, *SETTINGS[2:], "participants", value="score"))
    with pytest.raises(SettingsError, match=r"Task 1: .* 'layout: auto' .* 'participants: full'"):
        build(path, rehearsed=False)


def test_a_secret_seed_is_drawn_and_reaches_the_container_only(folder: Path) -> None:
    path = edited(folder, put(*SETTINGS, value={}))
    lines: list[str] = []
    bundle = build(path, rehearsed=False, log=lines.append)
    seed = packed(bundle)["seed"]
    assert 2**100 < seed < 2**128  # but for one draw in 300 million
    assert packed(build(path, rehearsed=False))["seed"] != seed
    commitment = hashlib.sha256(str(seed).encode()).hexdigest()
    (line,) = (line for line in lines if line.startswith("Seed of task "))
    assert commitment in line
    assert not any(str(seed) in line for line in lines)
    found = members(bundle)
    del found["reference_data_0.zip"]
    assert not any(str(seed).encode() in unfolded(content) for content in found.values())


def test_the_command_keeps_the_seed_in_the_settings(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reports and later bundles then use it."""
    edited(folder, put(*SETTINGS, value={}))
    edited(folder, put("tasks", 1, "deadheat", "rehearsal", value=None))
    edited(folder, put("solutions", value=None))
    monkeypatch.chdir(folder)
    path = folder / "example" / "input" / "ref" / "scoring.yaml"
    before = path.read_text(encoding="utf-8")
    assert main([]) == 0
    seed = packed((folder / "bundle.zip").read_bytes())["seed"]
    assert path.read_text(encoding="utf-8") == f"{before}seed: {seed}  # by deadheat bundle\n"
    assert "scoring.yaml, so that reports and later bundles use it." in capsys.readouterr().out
    assert main([]) == 0
    assert packed((folder / "bundle.zip").read_bytes())["seed"] == seed
    assert "Seed of" not in capsys.readouterr().out


@pytest.mark.parametrize("text", ["{title: x}\n", "title: x\n...\n"])
def test_a_seed_that_cannot_be_added_is_to_be_copied(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    path = folder / "example" / "input" / "ref" / "scoring.yaml"
    path.write_text(text, encoding="utf-8")
    lines: list[str] = []
    build(
        edited(folder, put(*SETTINGS, value={})), keep_seed=True, rehearsed=False, log=lines.append
    )
    assert path.read_text(encoding="utf-8") == text
    assert any("copy 'seed' from scoring.yaml in reference_data_0.zip" in line for line in lines)


def test_the_seed_of_the_settings_is_kept(folder: Path) -> None:
    lines: list[str] = []
    bundle = build(folder / "competition.yaml", rehearsed=False, log=lines.append)
    assert packed(bundle)["seed"] == SEED
    assert not any(line.startswith("Seed of ") for line in lines)


def test_a_small_seed_is_said_to_be_none(folder: Path) -> None:
    lines: list[str] = []
    build(edited(folder, put(*SETTINGS, "seed", value=7)), rehearsed=False, log=lines.append)
    (line,) = (line for line in lines if line.startswith("Seed of "))
    assert line.startswith("Seed of task 0: 7 is so small that participants can find it")


@pytest.mark.parametrize("participants", swept(["score", "full"]))
def test_what_the_packed_program_writes(folder: Path, participants: str) -> None:
    path = edited(folder, put(*SETTINGS, "participants", value=participants))
    found = members(build(path, rehearsed=False))
    done = rehearse(
        found["scoring_program.zip"], found["reference_data_0.zip"], found["solution_0.zip"]
    )
    assert ("p_value" in done.scores) == (participants == "full")
    assert done.greater_is_better == dict.fromkeys(
        ("f1_score", "precision_score", "recall_score"), True
    )
    digits = re.fullmatch(r"0\.(\d+?)0*", f"{done.scores['f1_score']:.10f}")
    assert digits is not None
    assert (len(digits[1]) <= 4) == (participants == "score")
