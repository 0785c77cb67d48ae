"""Reads competition.yaml and checks it by the rules of Codabench's unpacker.

Problems are reported together, because a failed upload reports only the first one. All values that
are missing or of a wrong type come first; then all that contradict each other or the files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..core.errors import SettingsError
from ..reading.reference import FIELD, find_settings
from ..settings import loading
from ..settings.loading import read_yaml
from ..settings.model import Settings
from .shape import COMPETITION, DEADHEAT_KEY, misfits, moment

PROGRAM = "scoring_program"
#: Seconds that a platform gives a run if the phase sets no limit.
TIME_LIMIT = 600
#: The first bytes of the image formats that both platforms show: PNG, JPEG, GIF.
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8")


@dataclass
class Description:
    """A competition.yaml: its file, its content, and its problems."""

    file: Path
    document: dict[str, Any]
    problems: list[str] = field(default_factory=list)

    def path(self, name: str) -> Path:
        """Return a file or folder that competition.yaml names."""
        return self.file.parent / name

    def own(self, task: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a task's keys for this program: ``field``, ``rehearsal`` and ``settings``."""
        own_settings: Mapping[str, Any] = task.get(DEADHEAT_KEY) or {}
        return own_settings

    def has_gold(self, task: Mapping[str, Any]) -> bool:
        """Return whether a task's gold is packed, so that the platform scores."""
        return self.own(task).get("gold") is not False

    def own_settings(self, task: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings that a task adds to those of its reference data."""
        return dict(self.own(task).get("settings") or {})

    def layout(self, task: Mapping[str, Any]) -> str:
        """Return the layout of a task's uploads: one submission, unless its settings differ."""
        return str(self.all_settings(task).get("layout", "single"))

    def all_settings(self, task: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of a task's reference data and those added to them."""
        return {**self.settings(task), **self.own_settings(task)}

    def settings(self, task: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings in a task's reference data.

        Raises
        ------
        SettingsError
            They are not valid on their own, or their file would not be read.
        """
        path = find_settings(self.path(task["reference_data"]), loading.FILE_NAME)
        if path is None:
            return {}
        return dict(_valid(path, path.read_bytes()))

    def tasks(self, item: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the tasks of a phase or a solution."""
        return [task for task in self.document["tasks"] if task["index"] in item["tasks"]]

    @property
    def phases(self) -> list[dict[str, Any]]:
        """The phases in the platform's order."""
        return sorted(self.document["phases"], key=lambda phase: int(phase["index"]))

    def raise_if_any(self) -> None:
        """Raise one SettingsError that lists all problems, the platform's and ours, if any."""
        if self.problems:
            listed = "\n".join(f"  - {problem}" for problem in self.problems)
            raise SettingsError(f"{self.file.name}: cannot be packed as it is:\n{listed}")


@lru_cache(maxsize=64)
def _valid(path: Path, content: bytes) -> Mapping[str, Any]:
    """Return the settings in a file, which are checked once while it has the same content."""
    loading.load(path)
    return read_yaml(path)[1] or {}


def load(path: Path, start: date) -> Description:
    """Read and check a competition.yaml for a competition that starts on the day ``start``.

    Keys without a value are dropped, and the phases' dates become `datetime` objects.

    Raises
    ------
    SettingsError
        It cannot be read, or a platform would refuse it. The message lists the problems.
    """
    _, document = read_yaml(path)
    competition = Description(path.resolve(), document, list(misfits(document, COMPETITION)))
    competition.raise_if_any()
    competition.document = _without_nulls(document)
    competition.document.setdefault("solutions", [])
    for phase in competition.document["phases"]:
        phase.update({key: moment(phase[key], start) for key in phase.keys() & {"start", "end"}})
    checks = (_properties, _pages, _tasks, _solutions, _phases, _leaderboards)
    competition.problems = [said for check in checks for said in check(competition)]
    competition.raise_if_any()
    return competition


def _without_nulls(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_nulls(item) for item in value]
    if isinstance(value, dict):
        # In this program's settings, null is a value; a question needs all its keys.
        return {
            key: item if key in (DEADHEAT_KEY, "fact_sheet") else _without_nulls(item)
            for key, item in value.items()
            if item is not None
        }
    return value


def _properties(competition: Description) -> Iterator[str]:
    if competition.document["version"] != 2:
        yield "version: must be 2"
    yield from _file(competition, competition.document["image"], "image", picture=True)
    yield from _file(competition, competition.document["terms"], "terms", text=True)
    if not competition.document["enable_detailed_results"]:
        yield "enable_detailed_results: must be true; otherwise nobody sees the page"


def _file(
    competition: Description, name: str, where: str, *, text: bool = False, picture: bool = False
) -> Iterator[str]:
    path = competition.path(name)
    if path.is_dir():
        yield f"{where}: {name} is a folder; expected a file"
    elif not path.is_file():
        yield f"{where}: there is no file {name}"
    else:
        content = path.read_bytes()
        if not content.strip():
            yield f"{where}: {name} is empty"
        elif picture and not content.startswith(_PICTURES):
            yield f"{where}: {name} is not a PNG, JPEG or GIF; save it as one of these"
        elif text and not _is_utf8(content):
            yield f"{where}: {name} is not UTF-8 text; save it as UTF-8"


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _folder(competition: Description, name: str, where: str) -> Iterator[str]:
    path = competition.path(name)
    if not path.is_dir():
        yield f"{where}: there is no folder {name}"
    elif not any(path.iterdir()):
        yield f"{where}: the folder {name} is empty"


def _file_or_folder(competition: Description, name: str, where: str) -> Iterator[str]:
    return (
        _folder(competition, name, where)
        if competition.path(name).is_dir()
        else _file(competition, name, where)
    )


def _pages(competition: Description) -> Iterator[str]:
    for i, page in enumerate(competition.document["pages"]):
        yield from _file(competition, page["file"], f"pages[{i}]: file", text=True)


def _indexes(items: Sequence[Mapping[str, Any]], where: str) -> Iterator[str]:
    seen = set()
    for i, item in enumerate(items):
        if item["index"] in seen:
            yield f"{where}[{i}]: index: {item['index']} is used twice; give each item its own"
        seen.add(item["index"])


def _tasks(competition: Description) -> Iterator[str]:
    yield from _indexes(competition.document["tasks"], "tasks")
    for i, task in enumerate(competition.document["tasks"]):
        where = f"tasks[{i}]"
        if task["scoring_program"] != PROGRAM:
            yield f"{where}: scoring_program: must be {PROGRAM!r}, the folder of this program"
        wrong = list(_folder(competition, task["reference_data"], f"{where}: reference_data"))
        yield from wrong or _settings(competition, task, where)
        for key in ("input_data", "ingestion_program"):
            if key in task:
                yield from _file_or_folder(competition, task[key], f"{where}: {key}")
        for key in ("field", "rehearsal"):
            if name := competition.own(task).get(key):
                yield from _file_or_folder(competition, name, f"{where}: {DEADHEAT_KEY}: {key}")
        if competition.own(task).get("field"):
            for name in (FIELD, f"{FIELD}.zip"):
                if competition.path(task["reference_data"]).joinpath(name).exists():
                    yield (
                        f"{where}: {DEADHEAT_KEY}: field: the reference data hold {name!r} too; "
                        "leave one of them out"
                    )


def _settings(competition: Description, task: Mapping[str, Any], where: str) -> Iterator[str]:
    """Check the settings of the reference data and those added to them."""
    own = competition.own_settings(task)
    try:
        said = competition.settings(task)
    except SettingsError as error:
        yield f"{where}: reference_data: {error}"
        return
    for key in own:
        if key in said:
            yield (
                f"{where}: {DEADHEAT_KEY}: {key!r} is also set in the reference data's "
                f"{loading.FILE_NAME}; set it in one place"
            )
    try:
        loading.update(Settings(), own, {})
    except SettingsError as error:
        yield f"{where}: {DEADHEAT_KEY}: {error}"


def _known_tasks(competition: Description, item: Mapping[str, Any], where: str) -> Iterator[str]:
    known = [task["index"] for task in competition.document["tasks"]]
    for index in item["tasks"]:
        if index not in known:
            yield f"{where}: tasks: there is no task with index {index}; use the index of a task"


def _solutions(competition: Description) -> Iterator[str]:
    yield from _indexes(competition.document["solutions"], "solutions")
    for i, solution in enumerate(competition.document["solutions"]):
        yield from _known_tasks(competition, solution, f"solutions[{i}]")
        yield from _file_or_folder(competition, solution["path"], f"solutions[{i}]: path")


def _phases(competition: Description) -> Iterator[str]:
    yield from _indexes(competition.document["phases"], "phases")
    ended: datetime | None = None
    for i, phase in enumerate(competition.phases):
        where = f"phases[{competition.document['phases'].index(phase)}]"
        yield from _known_tasks(competition, phase, where)
        if len(phase["tasks"]) > 1:
            yield (
                f"{where}: tasks: a phase has one task; with several, Codabench puts whoever fails "
                "one of them first on the leaderboard. Make one task of them, whose reference data "
                "are a file for each, ranked by their mean or a formula ('overall' in "
                f"{loading.FILE_NAME})"
            )
        start, end = phase["start"], phase.get("end")
        if end is None and i < len(competition.phases) - 1:
            yield f"{where}: end: expected a date, because another phase follows"
        if end and end <= start:
            yield f"{where}: end: must come after start"
        if ended and start <= ended:
            yield f"{where}: start: must come after the end of the previous phase"
        if not i and phase.get("auto_migrate_to_this_phase"):
            yield (
                f"{where}: auto_migrate_to_this_phase: no phase comes before the first; remove it"
            )
        ended = end
        for key in ("starting_kit", "public_data"):
            if key in phase:
                yield from _file_or_folder(competition, phase[key], f"{where}: {key}")


def _leaderboards(competition: Description) -> Iterator[str]:
    for i, board in enumerate(competition.document["leaderboards"]):
        columns, where = board["columns"], f"leaderboards[{i}]: columns"
        yield from _indexes(columns, where)
        # The platform ranks by the column with index 0; without it, the leaderboard's page fails.
        if all(column["index"] for column in columns):
            yield f"{where}: no column has index 0; the platform ranks by index 0, so count from 0"
        if all(column.get("hidden") for column in columns):
            yield f"{where}: all are hidden; the platform needs at least one visible column"
        keys = [column["key"] for column in columns]
        for k, column in enumerate(columns):
            if column["key"] in keys[:k]:
                yield f"{where}[{k}]: key: {column['key']!r} is used twice; rename one"
            yield from _computation(column, columns, f"{where}[{k}]")


def _computation(
    column: Mapping[str, Any], columns: Sequence[Mapping[str, Any]], where: str
) -> Iterator[str]:
    made_of = column.get("computation_indexes", [])
    if "computation" in column and not made_of:
        yield f"{where}: computation_indexes: is missing; name the columns to compute with"
    if "computation" not in column and made_of:
        yield f"{where}: computation: is missing; say what to compute from the columns"
    for index in made_of:
        if index == column["index"]:
            yield f"{where}: computation_indexes: {index} is the column itself; name other columns"
        elif index not in [other["index"] for other in columns]:
            yield f"{where}: computation_indexes: there is no column with index {index}"
