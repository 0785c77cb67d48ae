"""competition.yaml, and everything that Codabench's unpacker asks of it, stated once more.

All problems are reported together, because an upload that fails tells only the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import yaml

from scoring_program import settings
from scoring_program.errors import SettingsError

#: Codabench keeps keys and titles of leaderboards in columns of this width.
LONGEST_KEY = 36
PROGRAM = "scoring_program"
#: Key of a task under which competition.yaml says what only this program reads.
OWN = "photofinish"
RULES = (
    "Add", "Add_And_Delete", "Add_And_Delete_Multiple",
    "Force_Last", "Force_Latest_Multiple", "Force_Best",
)  # fmt: skip
#: Seconds that a platform gives a run, where a phase does not say.
TIME_LIMIT = 600


@dataclass
class Description:
    """A competition.yaml: its folder, what it says, and what is wrong with it."""

    folder: Path
    document: dict[str, Any]
    problems: list[str] = field(default_factory=list)

    def items(self, key: str) -> list[dict[str, Any]]:
        """Return a list of mappings, empty where there is none."""
        found = self.document.get(key) or []
        return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []

    def path(self, name: object) -> Path:
        """Return a file or folder that competition.yaml names."""
        return self.folder / str(name)

    def own(self, task: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what a task says to this program: ``field`` and ``settings``."""
        return task.get(OWN) or {}


def load(path: Path) -> Description:
    """Read and check a competition.yaml.

    Raises
    ------
    SettingsError
        It cannot be read, or a platform would refuse it; every problem is listed.
    """
    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise SettingsError(f"{path}: cannot be read: {error}") from error
    if not isinstance(document, dict):
        raise SettingsError(f"{path}: expected lines of the form 'key: value'")
    description = Description(path.resolve().parent, document)
    checks = (_properties, _pages, _tasks, _solutions, _phases, _leaderboards)
    description.problems = [said for check in checks for said in check(description)]
    raise_if_any(description)
    return description


def raise_if_any(description: Description) -> None:
    """Raise one SettingsError that lists all problems, if there are any."""
    if description.problems:
        listed = "\n".join(f"  - {problem}" for problem in description.problems)
        raise SettingsError(f"competition.yaml: the platform would refuse or misread it:\n{listed}")


def _properties(of: Description) -> Iterator[str]:
    if of.document.get("version") != 2:
        yield "version: must be 2"
    for key in ("title", "docker_image"):
        if not isinstance(of.document.get(key), str) or not of.document[key].strip():
            yield f"{key}: is missing"
    for key in ("image", "terms"):
        yield from _file(of, of.document.get(key), key)
    if not of.document.get("enable_detailed_results"):
        yield "enable_detailed_results: must be true, or nobody sees the page"


def _file(of: Description, name: object, where: str, *, folder: bool = False) -> Iterator[str]:
    if not name:
        yield f"{where}: is missing"
        return
    path = of.path(name)
    if path.is_dir():
        if not folder:
            yield f"{where}: {name} is a folder, expected a file"
        elif not any(path.iterdir()):
            yield f"{where}: the folder {name} is empty"
    elif not path.is_file():
        yield f"{where}: there is no file {name}"
    elif not path.stat().st_size:
        yield f"{where}: {name} is empty"


def _pages(of: Description) -> Iterator[str]:
    pages = of.items("pages")
    if not pages:
        yield "pages: at least one is needed"
    for i, page in enumerate(pages):
        if not page.get("title"):
            yield f"pages[{i}]: title: is missing"
        yield from _file(of, page.get("file"), f"pages[{i}]: file")


def _indexes(items: Sequence[Mapping[str, Any]], where: str) -> Iterator[str]:
    seen = set()
    for i, item in enumerate(items):
        index = item.get("index")
        if index is None:
            yield f"{where}[{i}]: index: is missing"
        elif index in seen:
            yield f"{where}[{i}]: index: {index} is taken"
        seen.add(index)


def _tasks(of: Description) -> Iterator[str]:
    tasks = of.items("tasks")
    if not tasks:
        yield "tasks: at least one is needed"
    yield from _indexes(tasks, "tasks")
    for i, task in enumerate(tasks):
        where = f"tasks[{i}]"
        for key in ("name", "description"):
            if not task.get(key):
                yield f"{where}: {key}: is missing"
        if task.get("scoring_program") != PROGRAM:
            yield f"{where}: scoring_program: must be {PROGRAM!r}, which is this program"
        yield from _file(of, task.get("reference_data"), f"{where}: reference_data", folder=True)
        own = of.own(task)
        if "field" in own:
            yield from _file(of, own["field"], f"{where}: {OWN}: field", folder=True)
        if unknown := set(own) - {"field", "settings"}:
            yield f"{where}: {OWN}: unknown key {sorted(unknown)[0]!r}"
        if own.get("settings"):
            try:
                settings.update(settings.Settings(), own["settings"], {})
            except SettingsError as error:
                yield f"{where}: {OWN}: {error}"


def _known_tasks(of: Description, item: Mapping[str, Any], where: str) -> Iterator[str]:
    known = [task.get("index") for task in of.items("tasks")]
    if not item.get("tasks"):
        yield f"{where}: tasks: at least one is needed"
    for index in item.get("tasks") or []:
        if index not in known:
            yield f"{where}: tasks: there is no task with index {index}"


def _solutions(of: Description) -> Iterator[str]:
    solutions = of.items("solutions")
    yield from _indexes(solutions, "solutions")
    for i, solution in enumerate(solutions):
        yield from _known_tasks(of, solution, f"solutions[{i}]")
        yield from _file(of, solution.get("path"), f"solutions[{i}]: path", folder=True)
    solved = {index for solution in solutions for index in solution.get("tasks") or []}
    for task in of.items("tasks"):
        if task.get("index") not in solved:
            yield f"solutions: task {task.get('index')} has none, so the program cannot be tried"


def phases(of: Description) -> list[dict[str, Any]]:
    """Return the phases in the platform's order."""
    return sorted(of.items("phases"), key=lambda phase: phase.get("index") or 0)


def _phases(of: Description) -> Iterator[str]:
    found = phases(of)
    if not found:
        yield "phases: at least one is needed"
    yield from _indexes(found, "phases")
    previous: datetime | None = None
    for i, phase in enumerate(found):
        where = f"phases[{i}]"
        for key in ("name", "description"):
            if not phase.get(key):
                yield f"{where}: {key}: is missing"
        yield from _known_tasks(of, phase, where)
        start, end = (_moment(phase.get(key)) for key in ("start", "end"))
        if start is None:
            yield f"{where}: start: expected a date"
        if end is None and i < len(found) - 1:
            yield f"{where}: end: expected a date, because a phase comes after it"
        if start and end and end <= start:
            yield f"{where}: end: must come after start"
        if start and previous and start < previous:
            yield f"{where}: start: the phase before it has not ended then"
        previous = end
        if "starting_kit" in phase:
            yield from _file(of, phase["starting_kit"], f"{where}: starting_kit", folder=True)


def _moment(value: object) -> datetime | None:
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)
    return datetime.combine(value, time()) if isinstance(value, date) else None


def columns(of: Description) -> list[dict[str, Any]]:
    """Return the leaderboards' columns, the primary one of each first."""
    return [
        column
        for board in of.items("leaderboards")
        for column in sorted(board.get("columns") or [], key=lambda item: item.get("index") or 0)
    ]


def _leaderboards(of: Description) -> Iterator[str]:
    boards = of.items("leaderboards")
    if not boards:
        yield "leaderboards: at least one is needed"
    for i, board in enumerate(boards):
        where = f"leaderboards[{i}]"
        yield from _names(board, where)
        if board.get("submission_rule", RULES[0]) not in RULES:
            yield f"{where}: submission_rule: expected one of {', '.join(RULES)}"
        found = board.get("columns") or []
        if not found:
            yield f"{where}: columns: at least one is needed"
        yield from _indexes(found, f"{where}: columns")
        keys = [column.get("key") for column in found]
        for k, column in enumerate(found):
            place = f"{where}: columns[{k}]"
            yield from _names(column, place)
            if keys.count(column.get("key")) > 1:
                yield f"{place}: key: {column.get('key')!r} is taken"
            if not isinstance(column.get("precision"), int):
                yield f"{place}: precision: expected the number of decimals"
            if column.get("sorting") not in ("asc", "desc"):
                yield f"{place}: sorting: expected asc or desc"


def _names(item: Mapping[str, Any], where: str) -> Iterator[str]:
    for key in ("key", "title"):
        value = item.get(key)
        if not isinstance(value, str) or not value:
            yield f"{where}: {key}: is missing"
        elif len(value) > LONGEST_KEY:
            yield f"{where}: {key}: {len(value)} characters, at most {LONGEST_KEY} are stored"
