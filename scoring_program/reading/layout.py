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
from .formats import EXTENSIONS
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
    others: tuple[DataFile, ...] = ()  # a single submission's data for other tasks of the phase


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
    own: Collection[str] = ()  # names of the organizer's entries, which follow no pattern
    whole: Collection[str] = ()  # what lies in the gold's folder, if a reader gets whole folders


USUAL = Conventions()
#: What the path of a file states: the label of the upload, the path inside it, the task.
_Stated = tuple[names.Owner, tuple[str, ...], str]
_Item = tuple[DataFile, _Stated]
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
    found: Sequence[DataFile],
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
        found = [replace(file, recognized=not (file.broken or file.is_empty)) for file in found]
    else:
        found = files.looked_into(found, layout)
    hidden = _hidden(found, layout)
    found = [file for file in found if file not in hidden]
    _check_there_is_data(found, upload_name)
    samples = [] if whole else _samples(found)
    as_sent = found = [file for file in found if file not in samples]
    left_aside: tuple[LeftOut, ...] = ()
    if layout in ("auto", "teams"):
        found, left_aside = downloads.sift(found, phase, conventions.bare_files, upload_name)
    notes: tuple[Phrase, ...] = ()
    if whole:
        found = files.whole_submissions(found, layout, whole, SINGLE)
    else:
        found, notes = _like_gold_folder(found, conventions)
    single = None if layout == "teams" else _single(found, layout, conventions, upload_name)
    upload = single or _teams(found, conventions, one_each=layout == "auto" or conventions.one_each)
    if upload.layout == "teams" and conventions.pattern is None:
        downloads.refuse_other_names(as_sent, phase, upload_name)
    aside = (*_paths(hidden), *_paths(samples), *upload.aside)
    return replace(upload, aside=aside, left_aside=left_aside, notes=(*notes, *upload.notes))


def _single(
    found: Sequence[DataFile], layout: str, conventions: Conventions, upload_name: str
) -> Upload | None:
    """Return the upload as one submission; None if it may hold several teams' submissions."""
    data = [file for file in _unwrapped(found) if file.is_data]
    if layout == "single":
        _check_task(data, conventions)
    strange = [file for file in data if _is_of_others(file, conventions)]
    wanted = [file for file in data if file not in strange] or data
    read, notes = _like_gold(wanted, conventions) if layout == "single" else (wanted, ())
    sources = _sources(read, conventions)
    if len(sources) == 1:
        no_data = [file for file in found if not (file.is_data or file.lists_failures)]
        aside = _paths([*no_data, *(strange if wanted is not data else ())])
        others = tuple(file for file in data if file not in read)
        one = replace(sources[0], team=SINGLE, run=None)
        return Upload("single", (one,), aside, notes, others=others)
    if layout == "auto":
        return None
    if layout == "wide" and data:
        raise SettingsError(
            f"layout: 'wide' is one table with a column for each submission, but INPUT/res holds "
            f"{len(data)} data files; if they are submissions, write 'layout: teams'"
        )
    given = Phrase(
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
        given,
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
    others = {name.casefold() for name in conventions.other_tasks}
    if not others.isdisjoint((file.stems[-1].casefold(), file.path.name.casefold())):
        return True
    tasks = conventions.tasks
    stems = file.exact_stems
    if len(tasks) == 1 or names.split_task(stems, tasks) is not None:
        return False
    return names.split_task(stems, conventions.other_tasks) is not None


def _without_others(
    found: Sequence[DataFile], conventions: Conventions
) -> tuple[Sequence[DataFile], Sequence[DataFile]]:
    """Return the files of teams, and those that are left aside beside predictions.

    A file of its own is a team's, whatever it is called, unless it states another of several tasks.
    A team that sent nothing else has one broken file.
    """
    if not conventions.other_tasks:
        return found, ()
    several = len(conventions.tasks) > 1
    others = [
        file
        for file in found
        if file.is_data
        and (several or len(file.path.parts) > 1)
        and _is_of_others(file, conventions)
    ]
    having = {file.path.parts[0] for file in found if file.is_data and file not in others}
    kept = []
    aside = []
    for file in found:
        top = file.path.parts[0]
        if file not in others:
            kept.append(file)
        elif top in having or len(file.path.parts) == 1:
            aside.append(file)
        else:
            having.add(top)
            kept.append(files.broken_file(PurePosixPath(top), _ONLY_OTHERS))
    return kept, aside


def _teams(found: Sequence[DataFile], conventions: Conventions, *, one_each: bool) -> Upload:
    """Return the submissions of several teams. With ``one_each``, a platform's upload holds one."""
    found = files.beside_submissions(_unwrapped(found, with_empty=True))
    found, others = _without_others(found, conventions)
    found, notes = _like_gold(found, conventions, depth=1)
    with_data = {file.path.parts[0] for file in found if file.is_data}
    named = {file.exact_stems[0] for file in found if file.is_data}
    found = [_as_team(file, named) for file in found]
    aside = [*(file for file in found if _is_beside_data(file, with_data)), *others]
    data = [file for file in found if file.is_data]
    if one_each and conventions.pattern is None:
        data = list(_one_submission_each(data, conventions))
    data += _teams_without_data(found, with_data)
    teams = _sources(data, conventions, _teams_like_tasks(data, conventions.tasks))
    return Upload("teams", teams, _paths(aside), notes)


def _one_submission_each(data: Sequence[DataFile], conventions: Conventions) -> Iterator[DataFile]:
    """Yield the data of a bulk download; an upload of several submissions is one broken file.

    The platform has refused it, because it scores one submission. Else its team would have more
    tries than others, and could choose the best of them with the gold.
    """
    for name, held in grouped((file.path.parts[0], file) for file in data).items():
        if names.parse_platform_name(held[0].exact_stems[0]) is None:
            yield from held
            continue
        own = [file for file in held if not _is_of_others(file, conventions)] or held
        if len(_sources(own, conventions)) == 1:
            yield from own
            continue
        inside = [str(PurePosixPath(*file.path.parts[1:])) for file in own]
        yield files.broken_file(
            PurePosixPath(name),
            "the upload holds {number} data files, and the platform scores one submission; "
            "organizers: to count the files as runs, write 'layout: teams' in the settings",
            f"{name} ({listed(inside)})",
            number=len(own),
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
        found = [names.split_task(file.exact_stems[1:], tasks) for file in folders[folder]]
        named = {task.casefold() for task, _ in filter(None, found)}
        if None not in found and named != {compose_accents(folder).casefold()}:
            raise SettingsError(
                f"the folder {folder!r} of the submissions is called like a task, and so are its "
                "files, so it may be a team's, or hold all teams' submissions for this task; if it "
                f"is a team's, rename it, such as to 'team {folder}'; if not, put each submission "
                f"into a folder of its team, such as TEAM/{folder}.csv"
            )
    return set()


def _like_gold_folder(
    found: Sequence[DataFile], conventions: Conventions
) -> tuple[Sequence[DataFile], tuple[Phrase, ...]]:
    """Leave out the data in folders of other tasks: in task1, if the gold lies in ref/task2.

    Where an upload holds more beside a folder called like the gold's, or folders of several tasks
    of which the gold's name does not say the one, nothing says what counts.
    """
    folder = conventions.folder or ""
    own = _task_of(folder)
    others = {_task_of(name) for name in conventions.other_tasks}
    folders = {file: tuple(map(_task_of, file.path.parts[:-1])) for file in found if file.is_data}
    wraps = names.shared_depth([file.path.parts for file in folders])
    having = {of[: of.index(own)] for of in folders.values() if own in of}
    tasks = {_task_of(task) for task in conventions.tasks}
    numbered = ((of[:k], of[k]) for of in folders.values() for k in range(len(of)) if of[k][1])
    doubtful = set()
    for beside, of_tasks in grouped(numbered).items() if not own[1] else ():
        rest = {*of_tasks} - others
        if not tasks & rest and beside not in having:
            having |= {beside} if rest else set()
            doubtful |= {(*beside, task) for task in rest} if len(rest) > 1 else set()
    kept: list[DataFile] = []
    unread: list[DataFile] = []
    for file in found:
        of = folders.get(file, (own,))
        is_other = [
            task in others or (task[0] == own[0] and "" not in (task[1], own[1])) for task in of
        ]
        said = None
        if own in of:
            pass
        elif any(is_other) and of[: is_other.index(True)] in having:
            unread.append(file)
            continue
        elif any(is_other):
            said = _ONLY_OTHERS
        elif any(of[:depth] in doubtful for depth in range(1, len(of) + 1)):
            said = _OF_WHICH_TASK
        elif folder and any(of[:depth] in having for depth in range(wraps + 1, len(of) + 1)):
            said = _BESIDE_OWN
        kept.append(files.broken_file(file.path, said, folder=repr(folder)) if said else file)
    return kept, _only_like_gold(folder, unread) if folder else ()


def _task_of(name: str) -> tuple[str, str]:
    """Return what a folder says of its task: the word and the number, or the name alone."""
    name = compose_accents(name).casefold()
    match = _OF_A_TASK.fullmatch(name)
    return (match[1], match[2]) if match else (name, "")


def _like_gold(
    found: Sequence[DataFile], conventions: Conventions, depth: int = 0
) -> tuple[Sequence[DataFile], tuple[Phrase, ...]]:
    """Keep the data file that has the gold's name, if an upload holds several data files.

    A phase with two tasks gives the same upload to both. Uploads are folders at ``depth``.
    """
    if conventions.gold is None or len(conventions.tasks) > 1:
        return found, ()
    wanted = conventions.gold.casefold()
    like = {file for file in found if file.is_data and file.stems[-1].casefold() == wanted}
    having = {file.path.parts[:depth] for file in like if len(file.path.parts) > depth}
    beside = (file for file in found if file.is_data and file.path.parts[:depth] in having)
    unread = dict.fromkeys(file for file in beside if file not in like)
    kept = [file for file in found if file not in unread]
    return kept, _only_like_gold(conventions.gold, unread)


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


def _paths(found: Iterable[DataFile]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(file.path) for file in found))


def _check_there_is_data(found: Sequence[DataFile], upload_name: str) -> None:
    """Raise SubmissionError if there are no data files, and name what was found instead."""
    if any(file.is_data for file in found):
        return
    if not found:
        raise SubmissionError(
            "expected one predictions file (one of {extensions}), or one folder or file per team",
            Phrase("{upload} holds no data", upload=upload_name),
            extensions=", ".join(EXTENSIONS),
        )
    if len(found) == 1 and found[0].is_empty:
        found[0].read()
    tops = {file.path.parts[0] for file in found}
    if upload_name == THE_UPLOAD and len(tops) > 1:  # it may be several teams'
        upload_name = Phrase("the {number} files and folders", number=len(tops))
    raise SubmissionError(
        names.remedy(file.path for file in found), _no_predictions(upload_name, found)
    )


def _no_predictions(where: str, found: Sequence[DataFile]) -> Phrase:
    return Phrase(
        "{where}: no predictions file among {files}", where=where, files=listed(_paths(found))
    )


def _hidden(found: Sequence[DataFile], layout: str) -> list[DataFile]:
    """Return the hidden files that are no teams', because there are not several teams without them.

    A team may be called ".NET team", and have sent one file.
    """
    at_top = [file for file in found if not file.path.parent.name]
    hidden = [file for file in at_top if file.path.name.startswith(".")]
    tops = {file.path.parts[0] for file in found if file.is_data and file not in hidden}
    return [] if layout == "teams" or len(tops) > 1 else hidden


def _samples(found: Sequence[DataFile]) -> list[DataFile]:
    """Return the sample submissions that lie next to other data."""
    data = [file for file in found if file.is_data]
    samples = [file for file in data if names.is_sample(file.stems)]
    others = {at for file in data if not names.is_sample(file.stems) for at in file.path.parents}
    return [file for file in samples if file.path.parent in others]


def _unwrapped(found: Sequence[DataFile], *, with_empty: bool = False) -> Sequence[DataFile]:
    """Remove folders that wrap all of the data, and with ``with_empty`` all empty folders."""
    wrapped = [file.path.parts for file in found if file.is_data or (with_empty and file.is_empty)]
    # A platform's name, which states the team, must stay.
    owned = [k for k, part in enumerate(wrapped[0]) if names.parse_platform_name(part)][-1:]
    depth = min([names.shared_depth(wrapped), *owned])
    top = wrapped[0][:depth]
    inside = (file for file in found if file.path.parts[:depth] == top)
    parts = ((file, file.path.parts[depth:]) for file in inside)
    return [replace(file, path=PurePosixPath(*own)) for file, own in parts if own]


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


def _teams_without_data(found: Sequence[DataFile], having: Collection[str]) -> Iterator[DataFile]:
    """Yield a broken file for every team that sent something, but no data file."""
    without = (file for file in found if file.path.parts[0] not in having)
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
    insides = grouped(((of.key, of.runs), inside) for _, (of, inside, _) in items)
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
    shown = names.shown(teams)
    sources = []
    for owner, runs in teams.items():
        for run_name, run in _named(runs).items():
            of_tasks = {task: file for task, (file, _) in run.items()}
            (_, first), *_ = run.values()
            own = run_name if len(runs) > 1 else None
            sources.append(Source(shown[owner], own, of_tasks, first.day))
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
    is_own = compose_accents(stems[0]) in conventions.own
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
