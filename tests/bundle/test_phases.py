"""Phases: when they take place."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import pytest
import yaml

from scoring_program.bundle.build import build
from scoring_program.commands.bundle import main
from tests.bundle.made import edited, members, put


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
        "Phase 'Evaluation': 2024-02-28 00:00 to 2024-02-29 00:00 (UTC); it is over already.",
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
