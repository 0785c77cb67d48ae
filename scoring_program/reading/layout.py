"""From the files of an upload to sources: which team and run each file belongs to.

docs/reference/input.md describes the layouts. Detection looks at names only. The setting ``layout``
overrides it.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from ..core.errors import SubmissionError, listed
from ..core.notes import LeftAside, Note
from ..core.phrases import Phrase
from . import downloads, files, names, unread
from .files import DataFile
from .formats import EXTENSIONS
from .limits import DEFAULT, Limits

#: Name of the entry that is a single submission, as platforms send it.
SINGLE = "submission"
#: Name of the only task of a competition with one gold file.
ONLY_TASK = ""
#: What messages call INPUT/res, or a participant's archive.
THE_UPLOAD = Phrase("the upload")


@dataclass(frozen=True)
class Source:
    """One run of one team, not read yet: at most one file for every task."""

    team: str
    run: str | None  # None if the team has one run
    files: Mapping[str, DataFile]  # task → its file
    day: str = ""  # of the upload, if the names of a bulk download state it

    @property
    def entry(self) -> str:
        """Name on the leaderboard."""
        return self.team if self.run is None else f"{self.team}/{self.run}"

    def file(self, task: str) -> DataFile:
        """Return the file of a task, or raise SubmissionError."""
        if task not in self.files:
            raise SubmissionError(
                Phrase(
                    "there are no predictions for the task {task}; add a file called {file}",
                    task=repr(task),
                    file=f"{task}.csv",
                )
            )
        return self.files[task]


@dataclass(frozen=True)
class Upload:
    """The content of INPUT/res: the layout, its sources, and what was left aside.

    ``aside`` are files that are no predictions, ``left_aside`` uploads that do not compete.
    """

    layout: str  # "single" or "teams"
    sources: tuple[Source, ...]
    aside: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()  # names in a value "files" may identify teams
    left_aside: tuple[LeftAside, ...] = ()
    others: tuple[DataFile, ...] = ()  # a single submission's data for other tasks of the phase


@dataclass(frozen=True)
class Conventions:
    """How the reference data and the settings say that names are read."""

    tasks: Sequence[str] = (ONLY_TASK,)
    gold: str | None = None  # the name of the only gold file, without extension
    other_tasks: Collection[str] = ()  # names of files for the other tasks of a platform's phase
    pattern: str | None = None  # how names state team and run (`names.parse_owner`)
    phase: int | None = None  # the phase of a bulk download that competes
    bare_files: bool = False  # whether uploads compete that are not archives
    own: Collection[str] = ()  # names of the organizer's entries, which follow no pattern


USUAL = Conventions()


@dataclass(frozen=True)
class _Item:
    """A file and what its path states: team, run and task."""

    file: DataFile
    team: str
    outside: tuple[str, ...]  # the run that the name of the upload states, if any
    inside: tuple[str, ...]  # the path inside the upload
    task: str
    day: str = ""
    space: str = ""  # of the team's name, see `names.Owner`


@dataclass
class _Run:
    day: str
    files: dict[str, DataFile] = field(default_factory=dict)  # task → its file


def find_submissions(
    folder: Path, layout: str = "auto", conventions: Conventions = USUAL, limits: Limits = DEFAULT
) -> Upload:
    """Look through INPUT/res. ``layout`` is ``auto``, ``single``, ``wide`` or ``teams``.

    Raises
    ------
    SubmissionError
        The folder holds no data file, or more than one where one submission is expected.
    SettingsError
        It holds a bulk download of several phases, and the settings name none of them.
    """
    found = list(files.walk(folder, limits)) if folder.is_dir() else []
    return arrange(found, layout, conventions)


def arrange(
    found: Sequence[DataFile],
    layout: str = "auto",
    conventions: Conventions = USUAL,
    upload_name: str = THE_UPLOAD,
) -> Upload:
    """Turn the files of an upload into sources; see `find_submissions`.

    Messages call the upload ``upload_name``.
    """
    hidden = _hidden(found, layout)
    found = [file for file in found if file not in hidden]
    _check_there_is_data(found, upload_name)
    samples = _samples(found)
    found = [file for file in found if file not in samples]
    left_aside: tuple[LeftAside, ...] = ()
    if layout in ("auto", "teams"):
        found, left_aside = downloads.sift(
            found, conventions.phase, bare_files=conventions.bare_files, upload_name=upload_name
        )
    single = None if layout == "teams" else _single(found, layout, conventions, upload_name)
    upload = single or _teams(found, conventions)
    aside = (*_paths(hidden), *_paths(samples), *upload.aside)
    return replace(upload, aside=aside, left_aside=left_aside)


def _single(
    found: Sequence[DataFile], layout: str, conventions: Conventions, upload_name: str
) -> Upload | None:
    """Return the upload as one submission; None if it may hold several teams' submissions."""
    data = [file for file in _unwrapped(found) if file.is_data]
    if layout == "single":
        _check_task(data, conventions)
    read, notes = _like_gold(data, conventions) if layout == "single" else (data, ())
    sources = _sources(read, conventions)
    if len(sources) == 1:
        aside = _paths([file for file in found if not (file.is_data or file.lists_failures)])
        others = tuple(file for file in data if file not in read)
        one = replace(sources[0], team=SINGLE, run=None)
        return Upload("single", (one,), aside, notes, others=others)
    if layout == "auto":
        return None
    raise SubmissionError(
        Phrase("expected exactly one predictions file; remove the others")
        if len(conventions.tasks) == 1
        else Phrase(
            "expected one predictions file for each task, called like it: {tasks}; rename or "
            "remove the others",
            tasks=listed(conventions.tasks),
        ),
        Phrase(
            "{upload} holds {number} data files ({files})",
            upload=upload_name,
            number=len(data),
            files=listed(_paths(data)),
        ),
    )


def _check_task(data: Sequence[DataFile], conventions: Conventions) -> None:
    """Refuse a file that is named for another task, even if its ids fit this one."""
    others = set(map(str.casefold, conventions.other_tasks))
    strange = [file for file in data if file.stems[-1].casefold() in others]
    if strange and len(strange) == len(data):
        found = Phrase("there are no predictions for this task, only for others")
        if conventions.gold:
            found = Phrase(
                "{problem}; add a file called {file}", problem=found, file=f"{conventions.gold}.csv"
            )
        raise SubmissionError(found, listed(_paths(strange)))


def _teams(found: Sequence[DataFile], conventions: Conventions) -> Upload:
    found, notes = _like_gold(_unwrapped(found, with_empty=True), conventions, depth=1)
    with_data = {file.path.parts[0] for file in found if file.is_data}
    named = {file.stems[0] for file in found if file.is_data}
    found = [_as_team(file, named) for file in found]
    aside = [file for file in found if _is_beside_data(file, with_data)]
    data = [file for file in found if file.is_data]
    teams = _sources([*data, *_teams_without_data(found, with_data)], conventions)
    return Upload("teams", teams, _paths(aside), notes)


def _like_gold(
    found: Sequence[DataFile], conventions: Conventions, depth: int = 0
) -> tuple[Sequence[DataFile], tuple[Note, ...]]:
    """Keep the data file that has the gold's name, if an upload holds several data files.

    A phase with two tasks gives the same upload to both. Uploads are folders at ``depth``.
    """
    if conventions.gold is None or len(conventions.tasks) > 1:
        return found, ()
    wanted = conventions.gold.casefold()
    like = {file for file in found if file.is_data and file.stems[-1].casefold() == wanted}
    having = {file.path.parts[:depth] for file in like if len(file.path.parts) > depth}
    unread = [
        file
        for file in found
        if file.is_data and file.path.parts[:depth] in having and file not in like
    ]
    if not unread:
        return found, ()
    left = set(unread)
    note = Note("notes.like_gold", {"gold": conventions.gold, "files": _paths(unread)})
    return [file for file in found if file not in left], (note,)


def _paths(found: Sequence[DataFile]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(file.path) for file in found))


def _check_there_is_data(found: Sequence[DataFile], upload_name: str) -> None:
    """Raise SubmissionError if there are no data files, and name what was found instead."""
    if any(file.is_data for file in found):
        return
    if not found:
        raise SubmissionError(
            Phrase(
                "expected one predictions file (one of {extensions}), or one folder or file per "
                "team",
                extensions=", ".join(EXTENSIONS),
            ),
            Phrase("{upload} holds no data", upload=upload_name),
        )
    if len(found) == 1 and found[0].is_empty:
        found[0].read()
    raise SubmissionError(unread.remedy(found), _no_predictions(upload_name, found))


def _no_predictions(where: str, found: Sequence[DataFile]) -> Phrase:
    return Phrase(
        "{where}: no predictions file among {files}", where=where, files=listed(_paths(found))
    )


def _hidden(found: Sequence[DataFile], layout: str) -> list[DataFile]:
    """Return the hidden files that are no teams', because there are not several teams without them.

    A team may be called ".NET team", and have sent one file.
    """
    hidden = [
        file for file in found if str(file.path).startswith(".") and not file.path.parent.name
    ]
    tops = {file.path.parts[0] for file in found if file.is_data and file not in hidden}
    return [] if layout == "teams" or len(tops) > 1 else hidden


def _samples(found: Sequence[DataFile]) -> list[DataFile]:
    """Return the sample submissions that lie next to other data."""
    data = [file for file in found if file.is_data]
    samples = [file for file in data if names.is_sample(file.stems)]
    if not samples:
        return []
    others = {
        folder for file in data if not names.is_sample(file.stems) for folder in file.path.parents
    }
    return [file for file in samples if file.path.parent in others]


def _unwrapped(found: Sequence[DataFile], *, with_empty: bool = False) -> Sequence[DataFile]:
    """Remove folders that wrap all of the data, and with ``with_empty`` all empty folders."""
    wrapped = [file.path.parts for file in found if file.is_data or (with_empty and file.is_empty)]
    ends = zip(min(wrapped), max(wrapped), strict=False)
    shared = sum(1 for _ in itertools.takewhile(lambda parts: parts[0] == parts[1], ends))
    depth = min(shared, min(map(len, wrapped)) - 1)
    owned = [k for k, part in enumerate(wrapped[0]) if names.parse_platform_name(part)]
    if owned:  # a platform's name, which states the team, must stay
        depth = min(depth, owned[-1])
    if not depth:
        return found
    return [
        replace(file, path=PurePosixPath(*file.path.parts[depth:]))
        for file in found
        if file.path.parts[:depth] == wrapped[0][:depth] and len(file.path.parts) > depth
    ]


def _as_team(file: DataFile, named: Collection[str]) -> DataFile:
    """Return a file that cannot be read as a broken file of a team, if it is all the team sent.

    The teams in ``named`` sent data files.
    """
    team = file.path
    while team.suffix.lower() in unread.UNREAD:
        team = team.with_suffix("")
    is_all = len(team.parts) == 1 and team != file.path and str(team) not in named
    return files.broken_file(team, unread.remedy([file]), str(file.path)) if is_all else file


def _is_beside_data(file: DataFile, with_data: Collection[str]) -> bool:
    """Whether a file belongs to no team, or is an empty folder of a team that sent data."""
    if file.is_empty:
        return file.path.parts[0] in with_data
    return not (file.is_data or file.lists_failures) and len(file.path.parts) == 1


def _teams_without_data(
    found: Sequence[DataFile], with_data: Collection[str]
) -> Iterator[DataFile]:
    """Yield a broken file for every team that sent something, but no data file."""
    without: dict[str, list[DataFile]] = {}
    for file in found:
        top = file.path.parts[0]
        if top not in with_data and (file.is_empty or len(file.path.parts) > 1):
            without.setdefault(top, []).append(file)
    for top, sent in without.items():
        if len(sent) == 1 and sent[0].is_empty:
            yield replace(sent[0], path=PurePosixPath(top), broken=True, is_empty=False)
        else:
            yield files.broken_file(
                PurePosixPath(top), unread.remedy(sent), _no_predictions(top, sent)
            )


def _sources(data: Sequence[DataFile], conventions: Conventions) -> tuple[Source, ...]:
    """Group data files into runs, and runs into teams."""
    items = _told_apart([_item(file, conventions) for file in data])
    insides: dict[tuple[str, tuple[str, ...]], set[tuple[str, ...]]] = {}
    for item in items:
        insides.setdefault((item.team, item.outside), set()).add(item.inside)
    teams: dict[str, dict[tuple[str, ...], _Run]] = {}
    copies: Counter[tuple[str, str]] = Counter()  # of files of one name, by team
    for item in items:
        alone = item.outside and len(insides[item.team, item.outside]) == 1
        name = item.outside if alone else (*item.outside, *item.inside)
        runs = teams.setdefault(item.team, {})
        if (
            name in runs and item.task in runs[name].files
        ):  # predictions.csv next to predictions.json
            name = (*name[:-1], item.file.path.name)
        while name in runs and item.task in runs[name].files:
            file = item.file.path.name
            copies[item.team, file] += 1
            name = (*name[:-1], f"{file}*{copies[item.team, file]}")
        runs.setdefault(name, _Run(item.day)).files[item.task] = item.file
    return tuple(
        Source(team, name if len(runs) > 1 else None, run.files, run.day)
        for team, runs in sorted(teams.items())
        for name, run in sorted(
            _named(runs).items(), key=lambda named: (named[1].day, names.natural_key(named[0]))
        )
    )


def _told_apart(items: Sequence[_Item]) -> list[_Item]:
    """Say whose name it is where a platform's user or team is called like another's, or a folder's.

    Otherwise their submissions would become runs of one team.
    """
    spaces: dict[str, set[str]] = {}
    for item in items:
        spaces.setdefault(item.team, set()).add(item.space)
    return [
        replace(item, team=f"{item.team} ({item.space})")
        if item.space and len(spaces[item.team]) > 1
        else item
        for item in items
    ]


def _named(runs: Mapping[tuple[str, ...], _Run]) -> dict[str, _Run]:
    """Return the runs by name: the path without the folders that all runs share."""
    shortest = min(map(len, runs))
    shared = 0
    while shared < shortest - 1 and len({run[shared] for run in runs}) == 1:
        shared += 1
    named = {"/".join(name[shared:]): run for name, run in runs.items()}
    if alone := named.pop("", None):  # TEAM.csv next to the folder TEAM
        (file, *_) = alone.files.values()
        named[file.path.name if file.stems[-1] in named else file.stems[-1]] = alone
    return named


def _item(file: DataFile, conventions: Conventions) -> _Item:
    tasks, stems, task = conventions.tasks, file.stems, conventions.tasks[0]
    if len(tasks) > 1:
        named = names.split_task(stems, tasks)
        if named is None and not file.broken:
            file = files.broken_file(
                file.path,
                Phrase(
                    "the name states no task; name the file after one of {tasks}",
                    tasks=", ".join(tasks),
                ),
            )
        task, stems = named or (task, stems)
    if not stems:  # the path names only the task
        return _Item(file, SINGLE, (), (), task)
    is_own = stems[0] in conventions.own
    label = names.Owner(stems[0]) if is_own else names.parse_owner(stems[0], conventions.pattern)
    if label is None:
        file = files.broken_file(
            file.path,
            Phrase(
                "the name does not follow the pattern {pattern}; rename it or, if it is a baseline "
                "of the organizers, list its name in the setting 'baselines'",
                pattern=repr(conventions.pattern),
            ),
        )
        label = names.Owner(stems[0])
    outside = () if label.run is None else (label.run,)
    team = names.spell_out_spaces(label.team)
    return _Item(file, team, outside, stems[1:], task, label.day, label.space)
