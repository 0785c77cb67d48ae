"""competition.yaml: every key that Codabench reads, and the checks of Codabench's unpacker.

Problems are reported together, because a failed upload reports only the first one. All values that
are missing or of a wrong type come first; then all that contradict each other or the files.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import weakref
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias
from uuid import UUID

from ..core.cells import LONGEST_KEY
from ..core.errors import SettingsError, nearest
from ..reading.reference import FIELD, find_settings
from ..settings import loading
from ..settings.loading import read_yaml
from ..settings.model import Settings
from .defaults import DEADHEAT_KEY, filled_in, passed_over, unfolded

#: A part of competition.yaml: a task, a phase, a column, or all of it.
Item = Mapping[str, Any]
PROGRAM = "scoring_program"
#: Seconds that a platform gives a run if the phase sets no limit.
TIME_LIMIT = 600
#: The first bytes of the image formats that both platforms show: PNG, JPEG, GIF.
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8")
#: The versions of Python for which a bundle can carry everything.
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")


@dataclass(frozen=True)
class ValueKind:
    """A kind of single value: its name, a test for it, and the longest text allowed."""

    name: str
    fits: Callable[[object], bool]
    longest: int | None = None


#: What fits: a kind of value; a list of one shape, which holds at least one item; or a mapping of
#: keys to shapes, in which "key?" is optional, and so is "key*", a list that may be empty.
Shape: TypeAlias = "ValueKind | list[Shape] | Mapping[str, Shape]"


def misfits(value: object, shape: Shape, place: str = "") -> Iterator[str]:
    """Say which values inside ``value`` are missing or do not fit ``shape``.

    A key without a value, null or an empty text, counts as missing.
    """
    if isinstance(shape, ValueKind):
        if not shape.fits(value):
            plain = isinstance(value, (bool, int, float, date))
            is_text = plain and shape.name in (TEXT.name, PATH.name, PYTHON.name)
            hint = "; put it in quotes" if is_text else ""
            yield f"{place}expected {shape.name}; found {_shown(value)}{hint}"
        elif shape.longest is not None and len(str(value)) > shape.longest:
            length = len(str(value))
            yield f"{place}{length} characters, but the platform stores at most {shape.longest}"
    elif isinstance(shape, Mapping):
        yield from _of_mapping(value, shape, place)
    elif not isinstance(value, list):
        yield f"{place}expected a list, one line '- …' per item; found {_shown(value)}"
    elif not value:
        yield f"{place}expected at least one item"
    else:
        for i, item in enumerate(value):
            yield from misfits(item, shape[0], f"{place.removesuffix(': ')}[{i}]: ")


def _of_mapping(value: object, shape: Mapping[str, Shape], place: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{place}expected lines of the form 'key: value'; found {_shown(value)}"
        return
    shapes = {key.rstrip("?*"): inner for key, inner in shape.items()}
    for key, inner in shape.items():
        if key in shapes and _blank(value.get(key)):
            expected = f"; expected {inner.name}" if isinstance(inner, ValueKind) else ""
            yield f"{place}{key}: is missing{expected}"
    for key, item in value.items():
        if key not in shapes:
            yield f"{place}unknown key {_shown(key)}{nearest(str(key), shapes)}"
        elif not _blank(item) and not (item == [] and f"{key}*" in shape):
            yield from misfits(item, shapes[key], f"{place}{key}: ")


def _blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "true", False: "false"}[value]
    text = str(value) if isinstance(value, date) else repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


#: A date in competition.yaml that depends on the day on which the competition starts.
_DAYS = re.compile(r"\+(\d{1,4}) days?")
#: Dates that begin with the month, and those that begin with the year, in one digit or two.
_MONTH_FIRST = re.compile(r"(\d{1,2})[-/](\d{1,2})[-/](\d{4})(.*)")
_YEAR_FIRST = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})(.*)")
#: An hour of one digit, at the beginning of the time after a date.
_SHORT_HOUR = re.compile(r"[ T](?=\d:)")


def moment(value: object, first: date = date.min) -> datetime | None:
    """Return a date or a time of competition.yaml in UTC, the time zone of both platforms.

    ``+90 days`` counts from the day ``first``. As on Codabench, 2-1-2026 begins with the month,
    and 31-1-2026 with the day. None if ``value`` is neither a date nor a time.
    """
    if isinstance(value, str):
        if days := _DAYS.fullmatch(value):
            return datetime.combine(first, time()) + timedelta(days=int(days[1]))
        try:
            value = datetime.fromisoformat(_iso(value.strip()))
        except ValueError:
            return None
    if isinstance(value, datetime):
        return (value.astimezone(timezone.utc) if value.tzinfo else value).replace(tzinfo=None)
    return datetime.combine(value, time()) if isinstance(value, date) else None


def _iso(text: str) -> str:
    """Return a date as ISO 8601 writes it, which begins with the year."""
    if match := _YEAR_FIRST.fullmatch(text):
        year, month, day, clock = match.groups()
    elif match := _MONTH_FIRST.fullmatch(text):
        month, day, year, clock = match.groups()
        if int(month) > 12:
            day, month, year, clock = match.groups()
    else:
        return text
    clock = _SHORT_HOUR.sub(" 0", clock).replace("Z", "+00:00")
    return f"{year}-{month:0>2}-{day:0>2}{clock}"


def _whole(name: str) -> ValueKind:
    # The platform stores 31 bits.
    return ValueKind(name, lambda value: type(value) is int and 0 <= value < 2**31)


def _one_of(*words: str) -> ValueKind:
    listed = " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
    return ValueKind(listed, lambda value: isinstance(value, str) and value in words)


def _text(name: str, longest: int | None = None) -> ValueKind:
    return ValueKind(name, lambda value: isinstance(value, str) and bool(value.strip()), longest)


def _up_to(longest: int) -> ValueKind:
    return _text("a text", longest)


#: What the platform accepts as an email address: no display name, no quotes, a domain with a dot.
_ADDRESS = re.compile(
    r"""[-!#$%&'*+/=?^_`{}|~\w]+ (\.[-!#$%&'*+/=?^_`{}|~\w]+)*
        @ ([a-z0-9] ([a-z0-9-]{0,61} [a-z0-9])? \.)+ [a-z] [a-z-]{0,61} [a-z]""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)


def _is_uuid(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(UUID(value))
    except ValueError:
        return False


_QUESTION_KEYS = {"key", "type", "title", "selection", "is_required", "is_on_leaderboard"}


def _are_questions(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(question, dict)
        and question.keys() == _QUESTION_KEYS
        and question["key"] == key
        and question["type"] in ("checkbox", "text", "select")
        for key, question in value.items()
    )


TEXT = _text("a text")
PATH = _text("the path of a file or folder")
NAME = _up_to(256)
FLAG = ValueKind("true or false", lambda value: isinstance(value, bool))
INDEX = _whole("a whole number")
#: 0 stands for the platform's default, or for no limit.
NUMBER = _whole("a whole number, at least 0")
DATE = ValueKind("a date such as 2026-01-31, or +90 days", lambda value: moment(value) is not None)
MAPPING = ValueKind("lines of the form 'key: value'", lambda value: isinstance(value, dict))
PYTHON = _one_of(*PYTHONS)

#: What Codabench 1.25 computes from other columns.
_COMPUTATIONS = ("avg", "sum", "min", "max")
_COLUMN: Shape = {
    "index": INDEX,
    "key": _up_to(LONGEST_KEY),
    "title": _up_to(36),
    "sorting?": _one_of("asc", "desc"),
    "precision?": _whole("the number of decimals"),
    "hidden?": FLAG,
    "computation?": TEXT,
    "computation_indexes?": [INDEX],
}
_LEADERBOARD: Shape = {
    "key": _up_to(36),
    "title": _up_to(64),
    "columns": [_COLUMN],
    "submission_rule?": _one_of(
        "Add", "Add_And_Delete", "Add_And_Delete_Multiple",
        "Force_Last", "Force_Latest_Multiple", "Force_Best",
    ),
    "hidden?": FLAG,
    "primary_index?": INDEX,
}  # fmt: skip
_PHASE: Shape = {
    "index?": INDEX,
    "name": NAME,
    "start": DATE,
    "tasks": [INDEX],
    "description?": TEXT,
    "end?": DATE,
    "max_submissions?": NUMBER,
    "max_submissions_per_day?": NUMBER,
    "execution_time_limit?": NUMBER,
    "auto_migrate_to_this_phase?": FLAG,
    "hide_output?": FLAG,
    "hide_prediction_output?": FLAG,
    "hide_score_output?": FLAG,
    "accepts_only_result_submissions?": FLAG,
    "starting_kit?": PATH,
    "public_data?": PATH,
}
_OF_DEADHEAT: Shape = {"field?": PATH, "rehearsal?": PATH, "settings?": MAPPING, "gold?": FLAG}
_TASK: Shape = {
    "index": INDEX,
    "name": NAME,
    "scoring_program": TEXT,
    "reference_data": PATH,
    "description?": TEXT,
    "input_data?": PATH,
    "ingestion_program?": PATH,
    "ingestion_only_during_scoring?": FLAG,
    f"{DEADHEAT_KEY}?": _OF_DEADHEAT,
}
_SOLUTION: Shape = {
    "index": INDEX, "tasks": [INDEX], "path": PATH, "name?": NAME, "description?": TEXT,
}  # fmt: skip
COMPETITION: Shape = {
    "version": ValueKind("2", lambda value: str(value) == "2"),
    # The platform stores it after "USER - competition_bundle - " in 255 characters. The user's name
    # may take 50 of them. A longer title fails only after everything else is done.
    "title": _up_to(255 - 50 - len(" - competition_bundle - ")),
    "image": PATH,
    "terms": PATH,
    "docker_image?": TEXT,
    "enable_detailed_results?": FLAG,
    "pages": [{"title": _up_to(255), "file": PATH}],
    "tasks": [_TASK],
    "phases": [_PHASE],
    "leaderboards": [_LEADERBOARD],
    "description?": TEXT,
    f"{DEADHEAT_KEY}?": {"python": PYTHON, "image_holds": _one_of("nothing")},
    "solutions*": [_SOLUTION],
    "registration_auto_approve?": FLAG,
    "show_detailed_results_in_submission_panel?": FLAG,
    "show_detailed_results_in_leaderboard?": FLAG,
    "auto_run_submissions?": FLAG,
    "can_participants_make_submissions_public?": FLAG,
    "make_programs_available?": FLAG,
    "make_input_data_available?": FLAG,
    "forum_enabled?": FLAG,
    "competition_type?": _one_of("competition", "benchmark"),
    "contact_email?": ValueKind(
        "an address such as name@example.org",
        lambda value: isinstance(value, str) and _ADDRESS.fullmatch(value.strip()) is not None,
        256,
    ),
    "reward?": NAME,
    "queue?": ValueKind("the queue's Vhost, a UUID", _is_uuid),
    "fact_sheet?": ValueKind(
        f"questions by their keys, each with {', '.join(sorted(_QUESTION_KEYS))}", _are_questions
    ),
}


class Description:
    """A competition.yaml: its file and its content."""

    def __init__(self, file: Path, document: dict[str, Any]) -> None:
        self.file = file
        self.document = document
        #: What the organizer should know of the bundle, but need not change.
        self.notes: list[str] = []
        self._unpacked: dict[Path, Path] = {}

    def path(self, name: str) -> Path:
        """Return a file or folder that competition.yaml names."""
        return self.file.parent / name

    def reference(self, task: Item) -> Path:
        """Return the folder of a task's reference data; an archive of them is unpacked once."""
        path = self.path(task["reference_data"])
        if path.is_dir():
            return path
        if path not in self._unpacked:
            folder = Path(tempfile.mkdtemp(prefix="deadheat-"))
            # Removed with the description, or when the program ends.
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            with zipfile.ZipFile(path) as archive:
                archive.extractall(folder)
            self._unpacked[path] = folder
        return self._unpacked[path]

    def own(self, task: Item) -> Mapping[str, Any]:
        """Return a task's keys for this program: ``field``, ``rehearsal`` and ``settings``."""
        return task.get(DEADHEAT_KEY) or {}

    def has_gold(self, task: Item) -> bool:
        """Return whether a task's gold is packed, so that the platform scores."""
        return self.own(task).get("gold") is not False

    def own_settings(self, task: Item) -> dict[str, Any]:
        """Return the settings that a task adds to those of its reference data."""
        return dict(self.own(task).get("settings") or {})

    def layout(self, task: Item) -> str:
        """Return the layout of a task's uploads: one submission, unless its settings differ."""
        return str(self.all_settings(task).get("layout", "single"))

    def all_settings(self, task: Item) -> dict[str, Any]:
        """Return the settings of a task's reference data and those added to them."""
        return {**self.settings(task), **self.own_settings(task)}

    def settings(self, task: Item) -> dict[str, Any]:
        """Return the settings in a task's reference data.

        Raises
        ------
        SettingsError
            They are not valid on their own, or their file would not be read.
        """
        path = find_settings(self.reference(task), loading.FILE_NAME)
        return {} if path is None else dict(_valid(path, path.read_bytes()))

    def tasks(self, item: Item) -> list[dict[str, Any]]:
        """Return the tasks of a phase or a solution."""
        return [task for task in self.document["tasks"] if task["index"] in item["tasks"]]

    @property
    def phases(self) -> list[dict[str, Any]]:
        """The phases in the platform's order."""
        return sorted(self.document["phases"], key=lambda phase: int(phase["index"]))

    def refuse(self, problems: Iterable[str]) -> None:
        """Raise one SettingsError that lists all problems, the platform's and ours, if any."""
        if listed := "\n".join(f"  - {problem}" for problem in problems):
            raise SettingsError(f"{self.file.name}: cannot be packed as it is:\n{listed}")


@lru_cache(maxsize=64)
def _valid(path: Path, content: bytes) -> Mapping[str, Any]:
    """Return the settings in a file, which are checked once while it has the same content."""
    loading.load(path)
    return read_yaml(path)[1] or {}


def load(path: Path, start: date) -> Description:
    """Read and check a competition.yaml for a competition that starts on the day ``start``.

    Keys without a value, and those that Codabench does not read, are dropped; aliases are written
    out; what has a default is set; the phases' dates become `datetime` objects. The notes say what
    was dropped and set.

    Raises
    ------
    SettingsError
        It cannot be read, or a platform would refuse it. The message lists the problems.
    """
    _, document = read_yaml(path, aliases=True)
    try:
        document = unfolded(document)
    except ValueError as error:
        raise SettingsError(f"{path.name}: {error}") from error
    if isinstance(document, dict) and "version" not in document and "html" in document:
        raise SettingsError(
            f"{path.name}: this is the form of CodaLab 1.5; write it in the form of Codabench, "
            "which begins with 'version: 2' ('deadheat new' writes one to start from), and "
            "--codalab translates it for CodaLab"
        )
    competition = Description(path.resolve(), document)
    if dropped := list(passed_over(document, COMPETITION)):
        keys = ", ".join(dropped)
        competition.notes.append(f"Left out, because Codabench does not read it: {keys}.")
    competition.refuse(misfits(document, COMPETITION))
    competition.document = _without_blanks(document)
    competition.refuse(_unstated(competition.document))
    competition.notes += filled_in(competition.document)
    for phase in competition.document["phases"]:
        phase.update({key: moment(phase[key], start) for key in phase.keys() & {"start", "end"}})
    checks = (_properties, _tasks, _solutions, _phases, _leaderboards)
    competition.refuse(problem for check in checks for problem in check(competition))
    return competition


def _unstated(document: dict[str, Any]) -> Iterator[str]:
    """Say what must be set although it has a default, because something else depends on it."""
    if DEADHEAT_KEY in document and "docker_image" not in document:
        yield f"docker_image: is missing; name the image whose Python {DEADHEAT_KEY!r} states"
    indexed = ["index" in phase for phase in document["phases"]]
    if any(indexed) and not all(indexed):
        yield (
            f"phases[{indexed.index(False)}]: index: is missing; give every phase an index, or "
            "none, and their order counts"
        )


def _without_blanks(value: Any) -> Any:
    """Return a value without the keys that hold nothing, in all mappings inside it but two.

    In this program's settings, null is a value; a question needs all its keys.
    """
    if isinstance(value, list):
        return [_without_blanks(item) for item in value]
    if isinstance(value, dict):
        return {
            key: item if key in ("settings", "fact_sheet") else _without_blanks(item)
            for key, item in value.items()
            if not _blank(item)
        }
    return value


def _properties(competition: Description) -> Iterator[str]:
    yield from _file(competition, competition.document["image"], "image", picture=True)
    yield from _file(competition, competition.document["terms"], "terms", text=True)
    for i, page in enumerate(competition.document["pages"]):
        yield from _file(competition, page["file"], f"pages[{i}]: file", text=True)


def _file(
    competition: Description, name: str, where: str, *, text: bool = False, picture: bool = False
) -> Iterator[str]:
    path = competition.path(name)
    if path.is_dir():
        yield f"{where}: {name} is a folder; expected a file"
    elif not path.is_file():
        yield f"{where}: there is no file {name}{_unpacked_beside(path)}"
    else:
        content = path.read_bytes()
        if not content.strip():
            yield f"{where}: {name} is empty"
        elif picture and not content.startswith(_PICTURES):
            yield f"{where}: {name} is not a PNG, JPEG or GIF; save it as one of these"
        elif text and content.decode(errors="replace").encode() != content:
            yield f"{where}: {name} is not UTF-8 text; save it as UTF-8"


def _folder(competition: Description, name: str, where: str) -> Iterator[str]:
    path = competition.path(name)
    if not path.is_dir():
        yield f"{where}: there is no folder {name}{_unpacked_beside(path)}"
    elif not any(path.iterdir()):
        yield f"{where}: the folder {name} is empty"


def _unpacked_beside(archive: Path) -> str:
    """Say which folder stands where an archive of its name is expected, if any."""
    folder = archive.with_suffix("")
    if archive.suffix != ".zip" or not folder.is_dir():
        return ""
    return f"; there is a folder {folder.name}: name it instead, or pack it"


def _folder_or_archive(competition: Description, name: str, where: str) -> Iterator[str]:
    path = competition.path(name)
    if not path.is_file():
        yield from _folder(competition, name, where)
    elif not zipfile.is_zipfile(path):
        yield f"{where}: {name} is neither a folder nor a zip archive; put it into a folder"
    else:
        with zipfile.ZipFile(path) as archive:
            if not archive.namelist():
                yield f"{where}: the archive {name} is empty"


def _file_or_folder(competition: Description, name: str, where: str) -> Iterator[str]:
    check = _folder if competition.path(name).is_dir() else _file
    return check(competition, name, where)


def _indexes(items: Sequence[Item], where: str) -> Iterator[str]:
    seen = set()
    for i, item in enumerate(items):
        if item["index"] in seen:
            yield f"{where}[{i}]: index: {item['index']} is used twice; give each item its own"
        seen.add(item["index"])


def _tasks(competition: Description) -> Iterator[str]:
    yield from _indexes(competition.document["tasks"], "tasks")
    for i, task in enumerate(competition.document["tasks"]):
        where = f"tasks[{i}]"
        program = task["scoring_program"]
        if program.strip("/") != PROGRAM:
            place = f"{where}: scoring_program"
            competition.notes.append(f"{place}: Deadheat is packed in place of {program}")
        reference = task["reference_data"]
        wrong = list(_folder_or_archive(competition, reference, f"{where}: reference_data"))
        yield from wrong or _settings(competition, task, where)
        for key in ("input_data", "ingestion_program"):
            if key in task:
                yield from _file_or_folder(competition, task[key], f"{where}: {key}")
        for key in ("field", "rehearsal"):
            if name := competition.own(task).get(key):
                yield from _file_or_folder(competition, name, f"{where}: {DEADHEAT_KEY}: {key}")
        if competition.own(task).get("field"):
            for name in (FIELD, f"{FIELD}.zip"):
                if not wrong and competition.reference(task).joinpath(name).exists():
                    yield (
                        f"{where}: {DEADHEAT_KEY}: field: the reference data hold {name!r} too; "
                        "leave one of them out"
                    )


def _settings(competition: Description, task: Item, where: str) -> Iterator[str]:
    """Check the settings of the reference data and those added to them."""
    added = competition.own_settings(task)
    try:
        of_reference = competition.settings(task)
    except SettingsError as error:
        yield f"{where}: reference_data: {error}"
        return
    for key in added:
        if key in of_reference:
            yield (
                f"{where}: {DEADHEAT_KEY}: {key!r} is also set in the reference data's "
                f"{loading.FILE_NAME}; set it in one place"
            )
    try:
        loading.update(Settings(), added, {})
    except SettingsError as error:
        yield f"{where}: {DEADHEAT_KEY}: {error}"


def _known_tasks(competition: Description, item: Item, where: str) -> Iterator[str]:
    indexes = [task["index"] for task in competition.document["tasks"]]
    for index in item["tasks"]:
        if index not in indexes:
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
        start = phase["start"]
        end = phase.get("end")
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
        columns = board["columns"]
        where = f"leaderboards[{i}]: columns"
        yield from _indexes(columns, where)
        if board.get("primary_index"):
            yield (
                f"leaderboards[{i}]: primary_index: must be 0; give the column that ranks the "
                "index 0 instead"
            )
        # The platform ranks by the column with index 0; without it, the leaderboard's page fails.
        if all(column["index"] for column in columns):
            yield f"{where}: no column has index 0; the platform ranks by index 0, so count from 0"
        if all(column.get("hidden") for column in columns):
            yield f"{where}: all are hidden; the platform needs at least one visible column"
        keys = [column["key"] for column in columns]
        for k, column in enumerate(columns):
            if column["key"] in keys[:k]:
                yield f"{where}[{k}]: key: {column['key']!r} is used twice; rename one"
            yield from _computation(competition, column, columns, f"{where}[{k}]")


def _computation(
    competition: Description, column: Item, columns: Sequence[Item], where: str
) -> Iterator[str]:
    made_of = column.get("computation_indexes", [])
    if (computation := column.get("computation")) not in (None, *_COMPUTATIONS):
        competition.notes.append(
            f"{where}: computation: {computation!r} is none of {', '.join(_COMPUTATIONS)}, which "
            "Codabench 1.25 (March 2026) computes; average_rank came with 1.29; it is packed as it "
            "is, and only the platform can try it"
        )
    if "computation" in column and not made_of:
        yield f"{where}: computation_indexes: is missing; name the columns to compute with"
    if "computation" not in column and made_of:
        yield f"{where}: computation: is missing; say what to compute from the columns"
    for index in made_of:
        if index == column["index"]:
            yield f"{where}: computation_indexes: {index} is the column itself; name other columns"
        elif all(index != part["index"] for part in columns):
            yield f"{where}: computation_indexes: there is no column with index {index}"
