"""From the files of an upload to sources: which team and run each file belongs to.

docs/reference/input.md describes the layouts. Detection looks at names, and at the content only of
files of unusual names beside a single data file. The setting ``layout`` overrides it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from ..core.cells import grouped
from ..core.errors import LeftOut, SettingsError, SubmissionError, listed
from ..core.phrases import Phrase, gettext_noop
from . import downloads, files, names
from .files import THE_UPLOAD, DataFile
from .formats import offered_extensions
from .limits import DEFAULT, MOST_RUNS, Limits
from .table import compose_accents

#: Name of the entry that is a single submission, as platforms send it.
SINGLE = "submission"
#: Name of the only task of a competition with one gold file.
ONLY_TASK = ""
#: What a submission is told that counts although it lacks a task.
LACKS_TASK = gettext_noop(
    "There are no predictions for the task {task}, so this submission counts as the worst there."
)
#: Why files in folders are not read.
_BESIDE_OWN = gettext_noop(
    "this lies beside a folder that is called like that of the reference data, {folder}; leave "
    "only the folder (organizers: name the folders of other tasks in 'other_tasks')"
)
_OF_WHICH_TASK = gettext_noop(
    "there are folders of several tasks; leave only the one of this task (organizers: name the "
    "folders of the others in 'other_tasks')"
)
_ONLY_OTHERS = gettext_noop("there are no predictions for this task, only for others")
#: The name of a folder of one of several tasks, as "Task-2" or "subtaskB".
_OF_A_TASK = re.compile(r"(?:.*[\W_])?(?:sub)?[-_ ]?(task|track)[-_ ]*(\d+|[a-h])", re.IGNORECASE)


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
                "there are no predictions for the task {task}; add a file called {file}",
                task=repr(task),
                file=f"{task}.csv",
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
    notes: tuple[Phrase, ...] = ()  # names in a value "files" may identify teams
    left_aside: tuple[LeftOut, ...] = ()
    for_other_tasks: tuple[DataFile, ...] = ()  # a single submission's, of the same phase


@dataclass(frozen=True)
class Conventions:
    """How the reference data and the settings say that names are read."""

    tasks: Sequence[str] = (ONLY_TASK,)
    gold: str | None = None  # the name of the only gold file, without extension
    folder: str | None = None  # the name of the folder in ref that holds all gold files
    other_tasks: Collection[str] = ()  # names of files for the other tasks of a platform's phase
    pattern: str | None = None  # how names state team and run (`names.parse_owner`)
    phase: int | None = None  # the phase of a bulk download that competes
    bare_files: bool = False  # whether uploads compete that are not archives
    one_each: bool = False  # whether an upload of the packed field's download is one submission
    organizers_entries: Collection[str] = ()  # whose names follow no pattern
    whole: Collection[str] = ()  # what lies in the gold's folder, if a reader gets whole folders


USUAL = Conventions()
#: What the path of a file states: the label of the upload, the path inside it, the task.
_Stated = tuple[names.Owner, tuple[str, ...], str]
_Item = tuple[DataFile, _Stated]
#: What each folder of a path says of its task (`_task_of`).
_TaskPath = tuple[tuple[str, str], ...]
#: Task → its file, and the label of the upload.
_Run = dict[str, tuple[DataFile, names.Owner]]


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
    # Several teams' uploads may be more than one upload may hold files.
    most = limits.most_files if layout == "single" else max(limits.most_files, DEFAULT.most_files)
    walked = list(files.walk(folder, limits, most=most)) if folder.is_dir() else []
    return arrange(walked, layout, conventions)


def arrange(
    upload_files: Sequence[DataFile],
    layout: str = "auto",
    conventions: Conventions = USUAL,
    upload_name: str = THE_UPLOAD,
) -> Upload:
    """Turn the files of an upload into sources; see `find_submissions`.

    Messages call the upload ``upload_name``.
    """
    whole = conventions.whole
    phase = conventions.phase
    if whole:
        upload_files = [
            replace(file, recognized=not (file.broken or file.is_empty)) for file in upload_files
        ]
    else:
        upload_files = files.looked_into(upload_files, layout)
    hidden = _hidden(upload_files, layout)
    upload_files = [file for file in upload_files if file not in hidden]
    _check_there_is_data(upload_files, upload_name)
    samples = [] if whole else _samples(upload_files)
    as_sent = upload_files = [file for file in upload_files if file not in samples]
    left_aside: tuple[LeftOut, ...] = ()
    if layout in ("auto", "teams"):
        upload_files, left_aside = downloads.sift(
            upload_files, phase, conventions.bare_files, upload_name
        )
    notes: tuple[Phrase, ...] = ()
    if whole:
        upload_files = files.whole_submissions(upload_files, layout, whole, SINGLE)
    else:
        upload_files, notes = _like_gold_folder(upload_files, conventions)
    single = None if layout == "teams" else _single(upload_files, layout, conventions, upload_name)
    upload = single or _teams(
        upload_files, conventions, one_each=layout == "auto" or conventions.one_each
    )
    if upload.layout == "teams" and conventions.pattern is None:
        downloads.refuse_other_names(as_sent, phase, upload_name)
    aside = (*_paths(hidden), *_paths(samples), *upload.aside)
    notes = (*notes, *upload.notes)
    if upload.layout == "teams":
        notes = (*notes, *_told_of_absent(as_sent, conventions))
    return replace(upload, aside=aside, left_aside=left_aside, notes=notes)


def _told_of_absent(upload_files: Sequence[DataFile], conventions: Conventions) -> Iterator[Phrase]:
    """Tell the organizer of names that are to be left aside, and that no upload has."""
    present: set[str] = set()
    for file in upload_files:
        present.update(part.casefold() for part in (*file.path.parts, *file.stems))
    absent = []
    for name in conventions.other_tasks:
        in_names = len(conventions.tasks) > 1 and any(
            names.split_task(file.exact_stems, (name,)) for file in upload_files
        )
        if name.casefold() not in present and not in_names:
            absent.append(name)
    if absent:
        yield Phrase(
            "No upload has a file or folder called {names}, which the settings leave aside: check "
            "the spelling.",
            "No upload has files or folders called {names}, which the settings leave aside: check "
            "the spelling.",
            count=len(absent),
            names=tuple(map(repr, absent)),
        )


def _single(
    upload_files: Sequence[DataFile], layout: str, conventions: Conventions, upload_name: str
) -> Upload | None:
    """Return the upload as one submission; None if it may hold several teams' submissions."""
    data = [file for file in _unwrapped(upload_files) if file.is_data]
    if layout == "single":
        _check_task(data, conventions)
    strange = [file for file in data if _is_of_others(file, conventions)]
    wanted = [file for file in data if file not in strange] or data
    read, notes = _like_gold(wanted, conventions) if layout == "single" else (wanted, ())
    sources = _sources(read, conventions)
    if len(sources) == 1:
        no_data = [file for file in upload_files if not (file.is_data or file.lists_failures)]
        aside = _paths([*no_data, *(strange if wanted is not data else ())])
        not_read = tuple(file for file in data if file not in read)
        source = replace(sources[0], team=SINGLE, run=None)
        return Upload("single", (source,), aside, notes, for_other_tasks=not_read)
    if layout == "auto":
        return None
    if layout == "wide" and data:
        raise SettingsError(
            f"layout: 'wide' is one table with a column for each submission, but INPUT/res holds "
            f"{len(data)} data files; if they are submissions, write 'layout: teams'"
        )
    several_files = Phrase(
        "{upload} holds {number} data files ({files})",
        upload=upload_name,
        number=len(data),
        files=listed(_paths(data)),
    )
    raise SubmissionError(
        "expected exactly one predictions file; put all predictions into one, or remove the others"
        if len(conventions.tasks) == 1
        else "expected one predictions file for each task, called like it: {tasks}; rename or "
        "remove the others",
        several_files,
        tasks=listed(conventions.tasks),
    )


def _check_task(data: Sequence[DataFile], conventions: Conventions) -> None:
    """Refuse a file that is named for another task, even if its ids fit this one."""
    strange = [file for file in data if _is_of_others(file, conventions)]
    if strange and len(strange) == len(data):
        problem = Phrase(_ONLY_OTHERS)
        if conventions.gold:
            wanted = f"{conventions.gold}.csv"
            problem = Phrase("{problem}; add a file called {file}", problem=problem, file=wanted)
        raise SubmissionError(problem, listed(_paths(strange)))


def _is_of_others(file: DataFile, conventions: Conventions) -> bool:
    """Whether a file is named as one that is left aside, with its extension or without.

    Of several tasks, the name states none of these, and another one.
    """
    left_aside = {name.casefold() for name in conventions.other_tasks}
    if not left_aside.isdisjoint((file.stems[-1].casefold(), file.path.name.casefold())):
        return True
    tasks = conventions.tasks
    stems = file.exact_stems
    if len(tasks) == 1 or names.split_task(stems, tasks) is not None:
        return False
    return names.split_task(stems, conventions.other_tasks) is not None


def _without_others(
    upload_files: Sequence[DataFile], conventions: Conventions
) -> tuple[Sequence[DataFile], Sequence[DataFile]]:
    """Return the files of teams, and those that are left aside beside predictions.

    A file of its own is a team's, whatever it is called, unless it states another of several tasks.
    A team that sent nothing else has one broken file.
    """
    if not conventions.other_tasks:
        return upload_files, ()
    several = len(conventions.tasks) > 1
    data = [file for file in upload_files if file.is_data]
    for_other_tasks = [
        file
        for file in data
        if (several or len(file.path.parts) > 1) and _is_of_others(file, conventions)
    ]
    having = {file.path.parts[0] for file in data if file not in for_other_tasks}
    of_teams = []
    aside = []
    for file in upload_files:
        top = file.path.parts[0]
        if file not in for_other_tasks:
            of_teams.append(file)
        elif top in having or len(file.path.parts) == 1:
            aside.append(file)
        else:
            having.add(top)
            of_teams.append(files.broken_file(PurePosixPath(top), _ONLY_OTHERS))
    return of_teams, aside


def _teams(upload_files: Sequence[DataFile], conventions: Conventions, *, one_each: bool) -> Upload:
    """Return the submissions of several teams. With ``one_each``, a platform's upload holds one."""
    upload_files = files.beside_submissions(_unwrapped(upload_files, with_empty=True))
    upload_files, for_other_tasks = _without_others(upload_files, conventions)
    upload_files, notes = _like_gold(upload_files, conventions, depth=1)
    with_data = {file.path.parts[0] for file in upload_files if file.is_data}
    named = {file.exact_stems[0] for file in upload_files if file.is_data}
    upload_files = [_as_team(file, named) for file in upload_files]
    aside = [*(file for file in upload_files if _is_beside_data(file, with_data)), *for_other_tasks]
    data = [file for file in upload_files if file.is_data]
    if one_each and conventions.pattern is None:
        data = list(_one_submission_each(data, conventions))
    data += _teams_without_data(upload_files, with_data)
    teams = _sources(data, conventions, _teams_like_tasks(data, conventions.tasks))
    return Upload("teams", teams, _paths(aside), notes)


def _one_submission_each(data: Sequence[DataFile], conventions: Conventions) -> Iterator[DataFile]:
    """Yield the data of a bulk download; an upload of several submissions is one broken file.

    The platform has refused it, because it scores one submission. Else its team would have more
    tries than others, and could choose the best of them with the gold.
    """
    for name, members in grouped((file.path.parts[0], file) for file in data).items():
        if names.parse_platform_name(members[0].exact_stems[0]) is None:
            yield from members
            continue
        of_this_phase = [file for file in members if not _is_of_others(file, conventions)]
        of_this_phase = of_this_phase or members
        if len(_sources(of_this_phase, conventions)) == 1:
            yield from of_this_phase
            continue
        inside = [str(PurePosixPath(*file.path.parts[1:])) for file in of_this_phase]
        yield files.broken_file(
            PurePosixPath(name),
            "the upload holds {number} data files, and the platform scores one submission; "
            "organizers: to count the files as runs, write 'layout: teams' in the settings",
            f"{name} ({listed(inside)})",
            number=len(of_this_phase),
        )


def _teams_like_tasks(data: Sequence[DataFile], tasks: Sequence[str]) -> set[str]:
    """Return the folders that are called like a task and are teams': there are folders of others.

    Raises
    ------
    SettingsError
        All folders are called like tasks, and so are files in one of them: it may be a team's.
    """
    if len(tasks) == 1:
        return set()
    folders = grouped((file.path.parts[0], file) for file in data if len(file.path.parts) > 1)
    called = {task.casefold() for task in tasks}
    alike = {folder for folder in folders if compose_accents(folder).casefold() in called}
    if alike != folders.keys():
        return alike
    for folder in sorted(alike):
        tasks_in_names = [names.split_task(file.exact_stems[1:], tasks) for file in folders[folder]]
        named = {task.casefold() for task, _ in filter(None, tasks_in_names)}
        if None not in tasks_in_names and named != {compose_accents(folder).casefold()}:
            raise SettingsError(
                f"the folder {folder!r} of the submissions is called like a task, and so are its "
                "files, so it may be a team's, or hold all teams' submissions for this task; if it "
                f"is a team's, rename it, such as to 'team {folder}'; if not, put each submission "
                f"into a folder of its team, such as TEAM/{folder}.csv"
            )
    return set()


def _like_gold_folder(
    upload_files: Sequence[DataFile], conventions: Conventions
) -> tuple[Sequence[DataFile], tuple[Phrase, ...]]:
    """Leave out the data in folders of other tasks: in task1, if the gold lies in ref/task2.

    Where an upload holds more beside a folder called like the gold's, or folders of several tasks
    of which the gold's name does not say the one, nothing says what counts.
    """
    folder = conventions.folder or ""
    gold_task = _task_of(folder)
    other_tasks = {_task_of(name) for name in conventions.other_tasks}
    paths: dict[DataFile, _TaskPath] = {}
    for file in upload_files:
        if file.is_data:
            paths[file] = tuple(map(_task_of, file.path.parts[:-1]))
    wraps = names.shared_depth([file.path.parts for file in paths])
    having, doubtful = _gold_and_doubtful(paths.values(), gold_task, other_tasks, conventions)

    def is_other(task: tuple[str, str]) -> bool:
        """Whether a folder is of another task than the gold's."""
        is_another_number = task[0] == gold_task[0] and "" not in (task[1], gold_task[1])
        return task in other_tasks or is_another_number

    arranged: list[DataFile] = []
    unread: list[DataFile] = []
    for file in upload_files:
        path = paths.get(file, (gold_task,))
        from_top = [path[:depth] for depth in range(1, len(path) + 1)]
        first_other = next((depth for depth, task in enumerate(path) if is_other(task)), None)
        defect = None
        if gold_task in path:
            pass
        elif first_other is not None and path[:first_other] in having:
            unread.append(file)
            continue
        elif first_other is not None:
            defect = _ONLY_OTHERS
        elif any(above in doubtful for above in from_top):
            defect = _OF_WHICH_TASK
        elif folder and any(above in having for above in from_top[wraps:]):
            defect = _BESIDE_OWN
        if defect:
            file = files.broken_file(file.path, defect, folder=repr(folder))
        arranged.append(file)
    return arranged, _only_like_gold(folder, unread) if folder else ()


def _gold_and_doubtful(
    paths: Collection[_TaskPath],
    gold_task: tuple[str, str],
    other_tasks: Collection[tuple[str, str]],
    conventions: Conventions,
) -> tuple[set[_TaskPath], set[_TaskPath]]:
    """Return the folders that hold data of the gold's task, and those of which it is doubtful.

    Where the gold's name has no number, the folder of one task may be the gold's; of several,
    nothing says which is.
    """
    having = {path[: path.index(gold_task)] for path in paths if gold_task in path}
    doubtful: set[_TaskPath] = set()
    if gold_task[1]:
        return having, doubtful
    tasks = {_task_of(task) for task in conventions.tasks}
    numbered: list[tuple[_TaskPath, tuple[str, str]]] = []
    for path in paths:
        numbered += [(path[:depth], task) for depth, task in enumerate(path) if task[1]]
    for folder, tasks_in_folder in grouped(numbered).items():
        possible = {*tasks_in_folder}.difference(other_tasks)
        if tasks & possible or folder in having:
            continue
        if possible:
            having.add(folder)
        if len(possible) > 1:
            doubtful |= {(*folder, task) for task in possible}
    return having, doubtful


def _task_of(name: str) -> tuple[str, str]:
    """Return what a folder says of its task: the word and the number, or the name alone."""
    name = compose_accents(name).casefold()
    match = _OF_A_TASK.fullmatch(name)
    return (match[1], match[2]) if match else (name, "")


def _like_gold(
    upload_files: Sequence[DataFile], conventions: Conventions, depth: int = 0
) -> tuple[Sequence[DataFile], tuple[Phrase, ...]]:
    """Keep the data file that has the gold's name, if an upload holds several data files.

    A phase with two tasks gives the same upload to both. Uploads are folders at ``depth``.
    """
    if conventions.gold is None or len(conventions.tasks) > 1:
        return upload_files, ()
    wanted = conventions.gold.casefold()
    like = {file for file in upload_files if file.is_data and file.stems[-1].casefold() == wanted}
    having = {file.path.parts[:depth] for file in like if len(file.path.parts) > depth}
    beside = (file for file in upload_files if file.is_data and file.path.parts[:depth] in having)
    unread = dict.fromkeys(file for file in beside if file not in like)
    like_gold = [file for file in upload_files if file not in unread]
    return like_gold, _only_like_gold(conventions.gold, unread)


def _only_like_gold(gold: str, unread: Collection[DataFile]) -> tuple[Phrase, ...]:
    """Return a note on files beside those that have the gold's name, if there are any."""
    if not unread:
        return ()
    return (
        Phrase(
            "There are several data files. Only {gold} was read, which has the name of the "
            "reference data. Not read: {files:n}.",
            gold=gold,
            files=_paths(unread),
        ),
    )


def _paths(data_files: Iterable[DataFile]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(file.path) for file in data_files))


def _check_there_is_data(upload_files: Sequence[DataFile], upload_name: str) -> None:
    """Raise SubmissionError if there are no data files, and name what was found instead."""
    if any(file.is_data for file in upload_files):
        return
    if not upload_files:
        raise SubmissionError(
            "expected one predictions file (one of {extensions}), or one folder or file per team",
            Phrase("{upload} holds no data", upload=upload_name),
            extensions=", ".join(offered_extensions()),
        )
    if len(upload_files) == 1 and upload_files[0].is_empty:
        upload_files[0].read()
    tops = {file.path.parts[0] for file in upload_files}
    if upload_name == THE_UPLOAD and len(tops) > 1:  # it may be several teams'
        upload_name = Phrase("the {number} files and folders", number=len(tops))
    raise SubmissionError(
        names.remedy(file.path for file in upload_files), _no_predictions(upload_name, upload_files)
    )


def _no_predictions(where: str, candidates: Sequence[DataFile]) -> Phrase:
    return Phrase(
        "{where}: no predictions file among {files}", where=where, files=listed(_paths(candidates))
    )


def _hidden(upload_files: Sequence[DataFile], layout: str) -> list[DataFile]:
    """Return the hidden files that are no teams', because there are not several teams without them.

    A team may be called ".NET team", and have sent one file.
    """
    at_top = [file for file in upload_files if not file.path.parent.name]
    hidden = [file for file in at_top if file.path.name.startswith(".")]
    tops = {file.path.parts[0] for file in upload_files if file.is_data and file not in hidden}
    return [] if layout == "teams" or len(tops) > 1 else hidden


def _samples(upload_files: Sequence[DataFile]) -> list[DataFile]:
    """Return the sample submissions that lie next to other data."""
    data = [file for file in upload_files if file.is_data]
    samples = [file for file in data if names.is_sample(file.stems)]
    folders: set[PurePosixPath] = set()
    for file in data:
        if not names.is_sample(file.stems):
            folders.update(file.path.parents)
    return [file for file in samples if file.path.parent in folders]


def _unwrapped(upload_files: Sequence[DataFile], *, with_empty: bool = False) -> Sequence[DataFile]:
    """Remove folders that wrap all of the data, and with ``with_empty`` all empty folders."""
    wrapped = [
        file.path.parts for file in upload_files if file.is_data or (with_empty and file.is_empty)
    ]
    # A platform's name, which states the team, must stay.
    owned = [k for k, part in enumerate(wrapped[0]) if names.parse_platform_name(part)][-1:]
    depth = min([names.shared_depth(wrapped), *owned])
    top = wrapped[0][:depth]
    inside = (file for file in upload_files if file.path.parts[:depth] == top)
    parts = ((file, file.path.parts[depth:]) for file in inside)
    return [
        replace(file, path=PurePosixPath(*rest_of_path))
        for file, rest_of_path in parts
        if rest_of_path
    ]


def _as_team(file: DataFile, named: Collection[str]) -> DataFile:
    """Return a file that cannot be read as a broken file of a team, if it is all the team sent.

    The teams in ``named`` sent data files.
    """
    team = file.path
    while team.suffix.lower() in names.UNREAD:
        team = team.with_suffix("")
    is_all = len(team.parts) == 1 and team != file.path and str(team) not in named
    is_all = is_all and not file.is_data  # TEAM.csv.gz
    return files.broken_file(team, names.remedy([file.path]), str(file.path)) if is_all else file


def _is_beside_data(file: DataFile, with_data: Collection[str]) -> bool:
    """Whether a file is no data, and belongs to no team or to one that sent data."""
    if file.is_empty:
        return file.path.parts[0] in with_data
    beside = len(file.path.parts) == 1 or file.path.parts[0] in with_data
    return beside and not (file.is_data or file.lists_failures)


def _teams_without_data(
    upload_files: Sequence[DataFile], having: Collection[str]
) -> Iterator[DataFile]:
    """Yield a broken file for every team that sent something, but no data file."""
    without = (file for file in upload_files if file.path.parts[0] not in having)
    sent_what = (file for file in without if file.is_empty or len(file.path.parts) > 1)
    for top, sent in grouped((file.path.parts[0], file) for file in sent_what).items():
        path = PurePosixPath(top)
        if len(sent) == 1 and sent[0].is_empty:
            yield replace(sent[0], path=path, broken=True, is_empty=False)
        else:
            yield files.broken_file(
                path, names.remedy(file.path for file in sent), _no_predictions(top, sent)
            )


def _sources(
    data: Sequence[DataFile], conventions: Conventions, teams_like_tasks: Collection[str] = ()
) -> tuple[Source, ...]:
    """Group data files into runs, and runs into teams.

    Folders that are called like a task and are ``teams_like_tasks`` are teams'.
    """
    items = [_stated(file, conventions, teams_like_tasks) for file in data]
    items = list(_of_few_runs(items))
    insides = grouped(((label.key, label.runs), inside) for _, (label, inside, _) in items)
    teams: dict[tuple[str, str], dict[tuple[str, ...], _Run]] = {}
    copies: Counter[tuple[tuple[str, str], str]] = Counter()  # of files of one name, by team
    for file, (label, inside, task) in items:
        owner = label.key
        called = file.path.name
        alone = label.runs and len({*insides[owner, label.runs]}) == 1
        name = label.runs if alone else (*label.runs, *inside)
        runs = teams.setdefault(owner, {})
        if task in runs.get(name, ()):
            name = (*name[:-1], called)  # predictions.csv next to predictions.json
        while task in runs.get(name, ()):
            copies[owner, called] += 1
            name = (*name[:-1], f"{called}*{copies[owner, called]}")
        runs.setdefault(name, {})[task] = file, label
    names_of_owners = names.shown(teams)
    sources = []
    for owner, runs in teams.items():
        for run_name, run in _named(runs).items():
            of_tasks = {task: file for task, (file, _) in run.items()}
            (_, first), *_ = run.values()
            stated_run = run_name if len(runs) > 1 else None
            sources.append(Source(names_of_owners[owner], stated_run, of_tasks, first.day))
    return tuple(sorted(sources, key=lambda s: (s.team, s.day, names.natural_key(s.run or ""))))


def _of_few_runs(items: Sequence[_Item]) -> Iterator[_Item]:
    """Yield files; of an upload of too many runs, a broken one for each task."""
    files_of = Counter((label.key, label.runs, task) for _, (label, _, task) in items)
    runs = {upload[:2]: number for upload, number in files_of.items() if number > MOST_RUNS}
    met = set()
    for file, (label, inside, task) in items:
        upload = (label.key, label.runs)
        if upload not in runs:
            yield file, (label, inside, task)
        elif (*upload, task) not in met:
            met.add((*upload, task))
            many = files.broken_file(
                PurePosixPath(file.path.parts[0]),
                "{runs} runs, more than the limit of {most}; send only those that compete",
                runs=runs[upload],
                most=MOST_RUNS,
            )
            yield many, (label, (), task)


def _named(runs: Mapping[tuple[str, ...], _Run]) -> dict[str, _Run]:
    """Return the runs by name: the path without the folders that all runs share."""
    shared = names.shared_depth(runs)
    paths = {"/".join(name[shared:]): run for name, run in runs.items()}
    called = names.shown([("", path) for path in paths])
    named = {called["", path]: run for path, run in paths.items()}
    if alone := named.pop("", None):  # TEAM.csv next to the folder TEAM
        file, _ = next(iter(alone.values()))
        named[file.path.name if file.stems[-1] in named else file.stems[-1]] = alone
    return named


def _stated(file: DataFile, conventions: Conventions, teams_like_tasks: Collection[str]) -> _Item:
    """Return a file with what its path states; a broken one if that is not enough."""
    tasks = conventions.tasks
    stems = file.exact_stems
    task = conventions.tasks[0]
    if len(tasks) > 1:
        if file.recognized and file.path.stem.casefold() in map(str.casefold, tasks):
            stems = (*stems[:-1], file.path.stem)
        if stems[0] in teams_like_tasks:
            inside = names.split_task(stems[1:], tasks) if stems[1:] else None
            named = inside and (inside[0], (stems[0], *inside[1]))
        else:
            named = names.split_task(stems, tasks)
        if named is None and not file.broken:
            file = files.broken_file(
                file.path,
                "the name states no task; name the file after one of {tasks}",
                tasks=", ".join(tasks),
            )
        task, stems = named or (task, stems)
    if not stems:  # the path names only the task
        return file, (names.Owner(SINGLE), (), task)
    is_own = compose_accents(stems[0]) in conventions.organizers_entries
    label = names.Owner(stems[0]) if is_own else names.parse_owner(stems[0], conventions.pattern)
    if label is None:
        file = files.broken_file(
            file.path,
            "the name does not follow the pattern {pattern}; rename it or, if it is a baseline "
            "of the organizers, list its name in the setting 'baselines'",
            pattern=repr(conventions.pattern),
        )
        label = names.Owner(stems[0])
    return file, (label, stems[1:], task)
