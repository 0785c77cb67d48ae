"""Translates a bundle for CodaLab 1.5, whose competition.yaml has other keys."""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from ..core.version import install_line
from .description import TIME_LIMIT, Item, moment

#: Pages that CodaLab has a tab for and needs; "terms" is a key of its own.
_TABS = ("overview", "evaluation", "data")
#: Widths of CodaLab's columns.
_WIDTHS = {"title": 100, "name": 50, "description": 1000}
#: More submissions than anybody makes.
_NO_LIMIT = 10**6
#: Files of a phase and of its task that have the same keys on CodaLab.
_OF_PHASE = ("starting_kit", "public_data")
_OF_TASK = ("scoring_program", "reference_data", "input_data", "ingestion_program")
#: Codabench's rules that CodaLab can follow; under the others, participants choose.
_FORCED = ("Force_Best", "Force_Last")
_MULTIPLE = ("Force_Latest_Multiple", "Add_And_Delete_Multiple")
#: Endings of pages that are shown as they are.
_HTML = (".html", ".htm")
#: The Markdown extensions that Codabench also renders.
_EXTENSIONS = ["fenced_code", "tables", "sane_lists"]


def problems(document: Item) -> Iterator[str]:
    """Say which parts of Codabench's competition.yaml CodaLab cannot express or store."""
    titles = {page["title"].casefold() for page in document["pages"]}
    for tab in _TABS:
        if tab not in titles:
            yield f"pages: CodaLab needs a page for its tab {tab.title()!r}; give a page this title"
    sources = [document["terms"], *(page["file"] for page in document["pages"])]
    written = [source for source in sources if not source.endswith(_HTML)]
    if written and importlib.util.find_spec("markdown") is None:
        yield (
            f"pages: CodaLab shows HTML, but {written[0]} is Markdown; to convert it, "
            f"{install_line('bundle')}, or write the page in HTML"
        )
    yield from _too_wide("title", document["title"], "")
    for i, phase in enumerate(document["phases"]):
        for key in ("name", "description"):
            yield from _too_wide(key, phase.get(key, ""), f"phases[{i}]: ")
    boards = document["leaderboards"]
    if (rule := boards[0].get("submission_rule")) in _MULTIPLE:
        yield (
            f"leaderboards[0]: submission_rule: {rule}: CodaLab shows one submission of each "
            f"participant; choose {' or '.join(_FORCED)}"
        )
    columns = [column for board in boards for column in board["columns"]]
    for column in columns:
        if "computation" in column:
            yield (
                f"leaderboards: {column['key']!r}: computation: CodaLab computes columns from "
                "ranks, not from scores; make it a metric with 'formula:'"
            )
    for names in (
        [_group(board) for board in boards],
        [board["title"] for board in boards],
        [column["key"] for column in columns],
    ):
        for name, count in Counter(names).items():
            if count > 1:
                yield f"leaderboards: {name!r} is used {count} times; CodaLab needs different names"


def _too_wide(key: str, text: str, place: str) -> Iterator[str]:
    if len(text) > _WIDTHS[key]:
        yield f"{place}{key}: {len(text)} characters, but CodaLab stores at most {_WIDTHS[key]}"


def translate(
    document: Item, members: Mapping[str, bytes]
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
    board = document["leaderboards"][0]  # Codabench shows the first one in every phase
    forced = board.get("submission_rule") in _FORCED
    return {
        "title": document["title"],
        "description": document.get("description", ""),
        "image": document["image"],
        "has_registration": not document.get("registration_auto_approve", False),
        "force_submission_to_leaderboard": forced,
        "disallow_leaderboard_modifying": forced,
        "enable_detailed_results": document["enable_detailed_results"],
        "competition_docker_image": document["docker_image"],
        "html": pages,
        "phases": {
            number: _phase(phase, number, tasks[phase["tasks"][0]], board)
            for number, phase in enumerate(phases, 1)
        },
        **({} if end is None else {"end_date": end}),
        "leaderboard": _leaderboard(document["leaderboards"]),
    }, files


def _phase(phase: Item, number: int, task: Item, board: Item) -> dict[str, Any]:
    hidden = phase.get("hide_output") or board.get("hidden")
    converted = {
        "phasenumber": number,
        "label": phase["name"],
        "description": phase.get("description", ""),
        "start_date": moment(phase["start"]),
        # For Codabench, 0 means the default or no limit; for CodaLab it means none at all.
        "max_submissions": phase.get("max_submissions", 100) or _NO_LIMIT,
        "max_submissions_per_day": phase.get("max_submissions_per_day", 5) or _NO_LIMIT,
        "execution_time_limit": phase.get("execution_time_limit") or TIME_LIMIT,
        # Otherwise the leaderboard shows everybody's last submission.
        "force_best_submission_to_leaderboard": board.get("submission_rule") == "Force_Best",
        "leaderboard_management_mode": "hide_results" if hidden else "default",
        "color": ("blue", "green", "orange", "purple")[(number - 1) % 4],
    }
    for item, keys in ((phase, _OF_PHASE), (task, _OF_TASK)):
        converted.update((key, item[key]) for key in keys if key in item)
    return converted


def _leaderboard(boards: list[dict[str, Any]]) -> dict[str, Any]:
    groups = {
        _group(board): {"label": board["title"], "rank": rank}
        for rank, board in enumerate(boards, 1)
    }
    columns = {
        column["key"]: {
            # The same object, which YAML writes as an anchor, as CodaLab's own bundles do.
            "leaderboard": groups[_group(board)],
            "label": column["title"],
            "rank": column["index"] + 1,
            "numeric_format": column["precision"],
            "sort": column["sorting"],
        }
        for board in boards
        for column in sorted(board["columns"], key=lambda item: item["index"])
    }
    return {"leaderboards": groups, "columns": columns}


def _group(board: Item) -> str:
    return str(board["key"]).upper()


def _html(files: dict[str, bytes], members: Mapping[str, bytes], source: str, name: str) -> str:
    """Add a page as HTML, the only format that CodaLab shows, and return its name."""
    text = members[source].decode("utf-8")
    if not source.endswith(_HTML):
        import markdown  # an extra, which bundles for Codabench do not need

        text = markdown.markdown(text, extensions=_EXTENSIONS) + "\n"
    files[f"{name}.html"] = text.encode()
    return f"{name}.html"
