"""What the platforms' unpackers read of a bundle and refuse, stated once more.

Codabench: src/apps/competitions/unpackers (version 2) and the serializers it saves with; CodaLab:
CompetitionDefBundle.unpack and the columns that it saves into.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime, time, timezone
from itertools import pairwise
from typing import Any

import yaml

Files = Mapping[str, bytes]
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8")


def codabench(files: Files) -> dict[str, Any]:
    """Return the competition that Codabench makes of a bundle's files; raise where it fails."""
    document = yaml.safe_load(files["competition.yaml"].decode("utf-8"))
    assert document["version"] == 2
    assert 0 < len(document["title"]) <= 256
    assert files[document["image"]].startswith(_PICTURES)
    assert files[document["terms"]].decode("utf-8")
    for page in document["pages"]:
        assert page["title"]
        assert files[page["file"]].decode("utf-8").strip()
    tasks = {}
    for task in document["tasks"]:
        assert task["index"] not in tasks
        assert 0 < len(task["name"]) <= 256
        for key in ("ingestion_program", "input_data", "scoring_program", "reference_data"):
            assert key not in task or task[key] in files
        assert "scoring_program" in task
        tasks[task["index"]] = task
    for solution in document["solutions"]:
        assert solution["path"] in files
        assert all(index in tasks for index in solution["tasks"])
    phases = sorted(document["phases"], key=lambda phase: phase.get("index", 0))
    for before, after in pairwise(phases):
        assert _codabench_moment(after["start"]) > _codabench_moment(before["end"])
    assert not phases[0].get("auto_migrate_to_this_phase")
    for phase in phases:
        assert 0 < len(phase["name"]) <= 256
        assert all(index in tasks for index in phase["tasks"])
        assert phase["tasks"]
        for key in ("public_data", "starting_kit"):
            assert key not in phase or phase[key] in files
        for key in ("max_submissions", "max_submissions_per_day", "execution_time_limit"):
            assert phase.get(key, 1) >= 0
    for board in document["leaderboards"]:
        assert 0 < len(board["title"]) <= 64
        assert 0 < len(board["key"]) <= 36
        keys = [column["key"] for column in board["columns"]]
        assert len(set(keys)) == len(keys)
        for column in board["columns"]:
            assert 0 < len(column["key"]) <= 36
            assert 0 < len(column["title"]) <= 36
            assert column["sorting"] in ("asc", "desc")
            assert column["index"] >= 0
            assert column["precision"] >= 0
    return dict(document)


def _codabench_moment(value: Any) -> datetime:
    if isinstance(value, date):  # takes the hour off a datetime, which is a date too
        moment = datetime.combine(value, time())
    else:
        moment = datetime.fromisoformat(value)
    return moment.replace(tzinfo=timezone.utc)


#: The columns of CodaLab's competitions and phases that a bundle may set: anything else fails.
_COMPETITION = {
    "title", "description", "image", "has_registration", "end_date", "reward", "allow_teams",
    "force_submission_to_leaderboard", "disallow_leaderboard_modifying", "enable_detailed_results",
    "competition_docker_image", "anonymous_leaderboard", "enable_forum", "admin_names",
}  # fmt: skip
_PHASE = {
    "phasenumber", "label", "description", "start_date", "max_submissions", "color",
    "max_submissions_per_day", "execution_time_limit", "is_scoring_only", "auto_migration",
    "scoring_program", "reference_data", "input_data", "ingestion_program", "starting_kit",
    "public_data", "leaderboard_management_mode",
}  # fmt: skip


def codalab(files: Files) -> dict[str, Any]:
    """Return the competition that CodaLab makes of a bundle's files; raise where it fails."""
    (name,) = [name for name in files if ".yaml" in name]
    document = yaml.safe_load(files[name].decode("utf-8"))
    assert document.keys() - {"html", "phases", "leaderboard"} <= _COMPETITION
    assert 0 < len(document["title"]) <= 100
    assert files[document["image"]].startswith(_PICTURES)
    if "end_date" in document:
        _codalab_moment(document["end_date"])
    for tab in ("overview", "evaluation", "terms", "data"):
        assert files[document["html"][tab]]
    for title, page in document["html"].items():
        assert len(title) <= 100
        assert files[page].decode("utf-8")
    starts = []
    for phase in document["phases"].values():
        assert phase.keys() <= _PHASE
        assert len(phase["label"]) <= 50
        assert len(phase["description"]) <= 1000
        starts.append(_codalab_moment(phase["start_date"]))
        for key in ("scoring_program", "reference_data", "input_data", "starting_kit"):
            assert key not in phase or (phase[key].endswith(".zip") and phase[key] in files)
    assert starts == sorted(starts)
    board = document["leaderboard"]
    groups = {group["label"].strip() for group in board["leaderboards"].values()}
    assert len(groups) == len(board["leaderboards"])
    for key, column in board["columns"].items():
        assert re.fullmatch(r"[\w.-]{1,50}", key, re.ASCII)
        assert len(column["label"]) <= 50
        assert column["sort"] in ("asc", "desc")
        assert column["leaderboard"]["label"] in groups
    return dict(document)


def _codalab_moment(value: Any) -> datetime:
    if isinstance(value, str):
        value = datetime.strptime(value, "%Y-%m-%d %H:%M:%S")
    if type(value) is date:
        value = datetime.combine(value, time())
    assert type(value) is datetime
    return value
