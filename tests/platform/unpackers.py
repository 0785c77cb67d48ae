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
from uuid import UUID

import yaml

Files = Mapping[str, bytes]
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8")
#: What the unpackers below, and those of the platforms, end with where they refuse.
FAILURES = (AssertionError, AttributeError, KeyError, TypeError, ValueError)
_FLAGS = {
    "registration_auto_approve", "enable_detailed_results", "auto_run_submissions",
    "show_detailed_results_in_submission_panel", "show_detailed_results_in_leaderboard",
    "can_participants_make_submissions_public", "make_programs_available",
    "make_input_data_available", "forum_enabled",
}  # fmt: skip
_QUESTION = {"key", "type", "title", "selection", "is_required", "is_on_leaderboard"}
_RULES = (
    "Add", "Add_And_Delete", "Add_And_Delete_Multiple", "Force_Last", "Force_Latest_Multiple",
    "Force_Best",
)  # fmt: skip
#: Django's rule, its quoted names left out: atoms between dots, then a domain, "localhost" or an
#: address in brackets.
_EMAIL = re.compile(
    r"""[-\w!#$%&'*+/=?^`{}|~]+(?:\.[-\w!#$%&'*+/=?^`{}|~]+)*@(?:
        localhost | \[[0-9A-Fa-f:.]+\]
        | (?:[0-9A-Za-z\u00a1-\uffff](?:[-0-9A-Za-z\u00a1-\uffff]*[0-9A-Za-z\u00a1-\uffff])?\.)+
          [A-Za-z\u00a1-\uffff]{2,63}
    )""",
    re.VERBOSE | re.ASCII,
)


def codabench(files: Files) -> dict[str, Any]:
    """Return the competition that Codabench makes of a bundle's files.

    Raises
    ------
    One of `FAILURES`
        The upload fails, or the page of the leaderboard, or every submission.
    """
    document = yaml.safe_load(files["competition.yaml"].decode("utf-8"))
    assert str(document["version"]) == "2"
    _codabench_properties(document)
    assert files[document["image"]].startswith(_PICTURES)
    assert files[document["terms"]].decode("utf-8")
    for page in document["pages"]:
        _stored(page["title"], 255)
        assert files[page["file"]].decode("utf-8").strip()
    tasks = set()
    for task in document["tasks"]:
        assert task["index"] not in tasks
        tasks.add(task["index"])
        _stored(task["name"], 256)
        for key in ("ingestion_program", "input_data", "scoring_program", "reference_data"):
            assert key not in task or task[key] in files
        assert "scoring_program" in task
    assert tasks
    for solution in document.get("solutions") or ():
        assert "index" in solution
        assert tasks.issuperset(solution["tasks"])
        assert solution["path"] in files
        _stored(solution.get("name", "solution"), 256)
    _codabench_phases(document["phases"], tasks, files)
    assert document["leaderboards"]
    for board in document["leaderboards"]:
        _codabench_leaderboard(board)
    return dict(document)


def _codabench_properties(document: Mapping[str, Any]) -> None:
    _stored(document["title"], 256)
    # The bundle is renamed when all is done, by a user whose name may have 50 letters.
    _stored(f"{'u' * 50} - competition_bundle - {document['title']}", 255)
    _stored(document.get("docker_image", "default"), 128)
    _stored(document.get("reward", "none"), 256)
    assert document.get("competition_type", "competition") in ("competition", "benchmark")
    for key in document.keys() & _FLAGS:
        assert document[key] in (True, False)
    if "contact_email" in document:
        assert _EMAIL.fullmatch(document["contact_email"].strip())
    if "queue" in document:
        UUID(document["queue"])  # of a queue that there is, which nobody here can know
    for key, question in (document.get("fact_sheet") or {}).items():
        assert question.keys() == _QUESTION
        assert question["key"] == key
        assert question["type"] in ("checkbox", "text", "select")


def _stored(text: Any, width: int) -> None:
    assert 0 < len(str(text).strip()) <= width


def _codabench_phases(items: list[dict[str, Any]], tasks: set[Any], files: Files) -> None:
    phases = sorted(items, key=lambda phase: int(phase.get("index", 0)))
    assert phases
    for before, after in pairwise(phases):
        assert _codabench_moment(after["start"]) > _codabench_moment(before["end"])
    assert not phases[0].get("auto_migrate_to_this_phase")
    for phase in phases:
        _codabench_moment(phase["start"])
        _stored(phase["name"], 256)
        assert tasks.issuperset(phase["tasks"])
        for key in ("public_data", "starting_kit"):
            assert key not in phase or phase[key] in files
        for key in ("max_submissions", "max_submissions_per_day", "execution_time_limit"):
            assert isinstance(phase.get(key, 1), int)
            assert phase.get(key, 1) >= 0


def _codabench_leaderboard(board: Mapping[str, Any]) -> None:
    _stored(board["title"], 64)
    _stored(board["key"], 36)
    assert board.get("submission_rule", "Add") in _RULES
    columns = board["columns"]
    indexes = [column["index"] for column in columns]
    assert len(set(indexes)) == len({column["key"] for column in columns}) == len(columns) > 0
    assert board.get("primary_index", 0) in indexes  # else the leaderboard's page fails
    assert not all(column.get("hidden") for column in columns)
    for column in columns:
        _stored(column["key"], 36)
        _stored(column["title"], 36)
        assert column.get("sorting", "desc") in ("asc", "desc")
        assert type(column["index"]) is int
        assert column["index"] >= 0
        assert not isinstance(column.get("precision"), bool)
        int(column.get("precision", 2))
        assert ("computation" in column) == ("computation_indexes" in column)
        if "computation" in column:
            assert column["computation"] in ("avg", "sum", "min", "max")
            # Stored as one text; of an empty one every submission fails.
            made_of = ",".join(str(index) for index in column["computation_indexes"]).split(",")
            assert str(column["index"]) not in made_of
            assert all(int(index) in indexes for index in made_of)


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
    "public_data", "leaderboard_management_mode", "force_best_submission_to_leaderboard",
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
        assert re.fullmatch(r"[\w.@-]{1,50}", key, re.ASCII)
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
