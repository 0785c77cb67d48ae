"""The bundle in the words of CodaLab 1.5, whose competition.yaml is another dialect."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from .shape import moment

#: Pages that CodaLab has a tab for, and fails without; "terms" comes from elsewhere.
_TABS = ("overview", "evaluation", "data")
#: Widths of CodaLab's columns.
_WIDTHS = {"title": 100, "name": 50, "description": 1000}
#: Files of a phase, and of its task, which CodaLab knows under the same names.
_OF_PHASE = ("starting_kit", "public_data")
_OF_TASK = ("scoring_program", "reference_data", "input_data", "ingestion_program")


def problems(document: Mapping[str, Any]) -> Iterator[str]:
    """Say what of Codabench's competition.yaml CodaLab has no room or no word for."""
    titles = {page["title"].casefold() for page in document["pages"]}
    for tab in _TABS:
        if tab not in titles:
            yield f"pages: CodaLab has a tab {tab.title()!r}; give a page this title"
    yield from _too_wide("title", document["title"], "")
    for i, phase in enumerate(document["phases"]):
        for key in ("name", "description"):
            yield from _too_wide(key, phase[key], f"phases[{i}]: ")
        if len(phase["tasks"]) > 1:
            yield f"phases[{i}]: tasks: a phase of CodaLab has one task; make a phase for each"
    boards = document["leaderboards"]
    columns = [column for board in boards for column in board["columns"]]
    for column in columns:
        if "computation" in column:
            yield (
                f"leaderboards: {column['key']!r}: computation: CodaLab does not compute it so; "
                "make it a metric with 'formula:'"
            )
    for names in (
        [_group(board) for board in boards],
        [board["title"] for board in boards],
        [column["key"] for column in columns],
    ):
        for name, count in Counter(names).items():
            if count > 1:
                yield f"leaderboards: {count} are called {name!r}; CodaLab needs different names"


def _too_wide(key: str, text: str, place: str) -> Iterator[str]:
    if len(text) > _WIDTHS[key]:
        yield f"{place}{key}: {len(text)} characters, CodaLab stores at most {_WIDTHS[key]}"


def translate(
    document: Mapping[str, Any], members: Mapping[str, bytes]
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return CodaLab's competition.yaml and files for Codabench's."""
    files = {name: content for name, content in members.items() if not name.startswith("pages/")}
    files = {name: content for name, content in files.items() if not name.startswith("solution_")}
    pages = {"terms": _html(files, members, document["terms"], "terms")}
    for i, page in enumerate(document["pages"], 1):
        # The key of a page is the title that CodaLab shows.
        title = page["title"]
        key = title.casefold() if title.casefold() in _TABS else title
        key = f"{title} ({i})" if key in pages else key
        pages[key] = _html(files, members, page["file"], f"page{i}")
    tasks = {task["index"]: task for task in document["tasks"]}
    phases = sorted(document["phases"], key=lambda phase: int(phase["index"]))
    end = moment(phases[-1].get("end"))
    return {
        "title": document["title"],
        "description": document.get("description", ""),
        "image": document["image"],
        "has_registration": not document.get("registration_auto_approve", False),
        "force_submission_to_leaderboard": True,
        "disallow_leaderboard_modifying": True,
        "enable_detailed_results": True,
        "competition_docker_image": document["docker_image"],
        "html": pages,
        "phases": {
            number: _phase(phase, number, tasks[phase["tasks"][0]])
            for number, phase in enumerate(phases, 1)
        },
        **({} if end is None else {"end_date": end}),
        "leaderboard": _leaderboard(document["leaderboards"]),
    }, files


def _phase(phase: Mapping[str, Any], number: int, task: Mapping[str, Any]) -> dict[str, Any]:
    found = {
        "phasenumber": number,
        "label": phase["name"],
        "description": phase["description"],
        "start_date": moment(phase["start"]),
        "max_submissions": phase.get("max_submissions", 100),
        "max_submissions_per_day": phase.get("max_submissions_per_day", 5),
        "execution_time_limit": phase.get("execution_time_limit", 600),
        "color": ("blue", "green", "orange", "purple")[(number - 1) % 4],
    }
    for item, keys in ((phase, _OF_PHASE), (task, _OF_TASK)):
        found.update((key, item[key]) for key in keys if key in item)
    return found


def _leaderboard(boards: list[dict[str, Any]]) -> dict[str, Any]:
    groups = {
        _group(board): {"label": board["title"], "rank": rank}
        for rank, board in enumerate(boards, 1)
    }
    columns = {}
    for board in boards:
        for column in sorted(board["columns"], key=lambda item: item["index"]):
            columns[column["key"]] = {
                # The very group, which YAML writes as an anchor, as CodaLab's own bundles do.
                "leaderboard": groups[_group(board)],
                "label": column["title"],
                "rank": column["index"] + 1,
                "numeric_format": column["precision"],
                "sort": column["sorting"],
            }
    return {"leaderboards": groups, "columns": columns}


def _group(board: Mapping[str, Any]) -> str:
    return str(board["key"]).upper()


def _html(files: dict[str, bytes], members: Mapping[str, bytes], source: str, name: str) -> str:
    """Add a page as HTML, which is what CodaLab shows; Markdown stays readable as it is."""
    text = members[source].decode("utf-8")
    if not source.endswith((".html", ".htm")):
        text = f'<div style="white-space: pre-wrap">{html.escape(text)}</div>\n'
    files[f"{name}.html"] = text.encode()
    return f"{name}.html"
