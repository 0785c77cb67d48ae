"""Packs competition.yaml and the files that it names into one zip for a platform."""

from __future__ import annotations

import copy
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any

import yaml

from ..core.errors import OrganizerError
from ..core.phrases import counted
from ..reading.reference import FIELD
from ..settings import loading
from . import (
    advice,
    codalab,
    description,
    extras,
    kit,
    leaderboard,
    leaks,
    phases,
    program,
    task_settings,
)
from .archive import pack, tree
from .description import Description
from .images import image
from .rehearsal import RehearsalResult, rehearse, unpack
from .shape import DEADHEAT_KEY

Files = dict[str, bytes]


def build(
    path: Path,
    *,
    start: date | None = None,
    for_codalab: bool = False,
    wheels: Path | None = None,
    rehearsed: bool = True,
    log: Callable[[str], None] = lambda line: None,
) -> bytes:
    """Return the bundle of a competition.yaml, after checks and rehearsals.

    Dates such as "+90 days" count from the day ``start``, or from today. The same competition gives
    the same bytes, unless a secret seed is drawn because the settings have none.

    Raises
    ------
    OrganizerError
        The platform would refuse the bundle, participants could read secrets, the program fails on
        a rehearsal, or packages are missing.
    """
    now = datetime.now(timezone.utc).replace(tzinfo=None)
    competition = description.load(path, start or now.date())
    competition.problems.extend(phases.problems(competition))
    if for_codalab:
        competition.problems.extend(codalab.problems(competition.document))
    competition.raise_if_any()
    for line in phases.notes(competition, now):
        log(line)
    of_image = image(competition.document["docker_image"])
    packed = pack(program.files(of_image, wheels, extras.needed(competition)))
    log(f"Program: {len(packed) / 2**20:.1f} MiB.")
    members: Files = {"scoring_program.zip": packed}
    document = copy.deepcopy(competition.document)
    document["image"] = _add(members, competition, "image", document["image"])
    document["terms"] = _add(members, competition, "pages/terms", document["terms"])
    for i, page in enumerate(document["pages"]):
        page["file"] = _add(members, competition, f"pages/{i}", page["file"])
    seed = task_settings.secret_seed()
    for task in document["tasks"]:
        _add_archive(members, task, "reference_data", _reference(competition, task, seed))
        for key in ("input_data", "ingestion_program"):
            _add_as_it_is(members, competition, task, key)
        task["scoring_program"] = "scoring_program.zip"
        task.pop(DEADHEAT_KEY, None)
    for solution in document["solutions"]:
        name = f"solution_{solution['index']}.zip"
        members[name] = _upload(competition.path(solution["path"]))
        solution["path"] = name
    for phase in document["phases"]:
        _add_phase(members, competition, document, phase)
    competition.problems.extend(leaks.problems(competition, document, members))
    competition.raise_if_any()
    if rehearsed:
        _try(competition, document, members, log)
    for line in (*advice.lines(competition), *task_settings.about_seeds(competition, seed)):
        log(line)
    if for_codalab:
        document, members = codalab.translate(document, members)
    text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=1000)
    return pack({**members, "competition.yaml": text.encode()})


def flat(path: Path) -> Files:
    """Return a folder's files, with every folder in it packed as an archive.

    Some workers would move the content of a folder to the top; see `rehearsal.unpack`.

    Raises
    ------
    OrganizerError
        A folder and an archive would have the same name.
    """
    if path.is_file():
        return tree(path)
    top: Files = {}
    folders: dict[str, Files] = {}
    for name, content in tree(path).items():
        folder, slash, inside = name.partition("/")
        if slash:
            folders.setdefault(f"{folder}.zip", {})[inside] = content
        else:
            top[name] = content
    if twice := sorted(top.keys() & folders):
        raise OrganizerError(
            f"{path}: {twice[0]} exists, and a folder is packed under the same name; rename one"
        )
    return top | {name: pack(members) for name, members in folders.items()}


def _add(members: Files, competition: Description, name: str, source: str) -> str:
    name += competition.path(source).suffix
    members[name] = competition.path(source).read_bytes()
    return name


def _upload(path: Path) -> bytes:
    """Return a file or folder as participants upload it; an archive is uploaded unchanged."""
    if path.suffix.lower() != ".zip":
        return pack(flat(path))
    if not zipfile.is_zipfile(path):
        raise OrganizerError(f"{path}: is not a zip archive; pack it again")
    return path.read_bytes()


def _add_archive(members: Files, item: dict[str, Any], key: str, content: Files) -> None:
    """Pack what a task or phase names under ``key``, and set the key to the archive's name."""
    name = f"{key}_{item['index']}.zip"
    item[key] = name
    members[name] = pack(content)


def _add_as_it_is(members: Files, competition: Description, item: dict[str, Any], key: str) -> None:
    """Add files that this program does not read; an archive is not packed again."""
    if key in item:
        path = competition.path(item[key])
        _add_archive(members, item, key, tree(path))
        if path.suffix.lower() == ".zip":
            members[item[key]] = path.read_bytes()


def _add_phase(
    members: Files, competition: Description, document: Mapping[str, Any], phase: dict[str, Any]
) -> None:
    for key in phase.keys() & {"start", "end"}:
        # As text, because Codabench drops the time of day from anything else.
        phase[key] = str(phase[key])
    _add_as_it_is(members, competition, phase, "public_data")
    if "starting_kit" in phase:
        content = _kits(document, members, phase) | tree(competition.path(phase["starting_kit"]))
        _add_archive(members, phase, "starting_kit", content)


def _reference(competition: Description, task: Mapping[str, Any], seed: int) -> Files:
    """Return a task's reference data with the field and the settings."""
    found = flat(competition.path(task["reference_data"]))
    if rivals := competition.own(task).get("field"):
        found[f"{FIELD}.zip"] = pack(flat(competition.path(rivals)))
    settings = task_settings.packed(competition, task, seed)
    text = yaml.safe_dump(settings, sort_keys=False, allow_unicode=True)
    found[loading.FILE_NAME] = text.encode()
    return found


def _kits(document: Mapping[str, Any], members: Files, phase: Mapping[str, Any]) -> Files:
    """Return what participants need for a phase's tasks; several tasks get a folder each."""
    made: Files = {}
    for index in phase["tasks"]:
        task = next(task for task in document["tasks"] if task["index"] == index)
        folder = f"task_{index}/" if len(phase["tasks"]) > 1 else ""
        with tempfile.TemporaryDirectory(prefix="deadheat-") as unpacked:
            # The files as the platform's run will find them.
            reference = Path(unpacked) / "ref"
            unpack(members[task["reference_data"]], reference)
            made |= {folder + name: content for name, content in kit.files(reference).items()}
    return made


def _try(
    competition: Description,
    document: Mapping[str, Any],
    members: Files,
    log: Callable[[str], None],
) -> None:
    """Run the packed program on every rehearsal; compare its scores with the leaderboard."""
    tried: list[RehearsalResult] = []
    untried = []
    for task in document["tasks"]:
        submissions = _rehearsals(competition, document, members, task["index"])
        if not submissions:
            untried.append(task["index"])
            log(
                f"Task {task['index']} and the leaderboard's columns were not tried: name a "
                f"submission that works under '{DEADHEAT_KEY}: rehearsal' of the task; it is not "
                "packed."
            )
        for name, submission in submissions.items():
            done = _rehearsed(members, task, submission)
            tried.append(done)
            place = f"Task {task['index']} tried on {name}"
            log(f"{place}: {len(done.scores)} scores.")
            if done.unusable:
                log(f"{place}: {counted(len(done.unusable), 'unusable submission(s)')}:")
            for line in done.unusable:
                log(line)
    if not untried:
        competition.problems.extend(leaderboard.problems(document["leaderboards"], tried))
        competition.raise_if_any()


def _rehearsals(
    competition: Description, document: Mapping[str, Any], members: Files, index: int
) -> dict[str, bytes]:
    """Return the packed submissions that a task is tried on: its solutions and its rehearsal."""
    found = {
        solution["path"]: members[solution["path"]]
        for solution in document["solutions"]
        if index in solution["tasks"]
    }
    (task,) = competition.tasks({"tasks": [index]})
    if name := competition.own(task).get("rehearsal"):
        found[name] = _upload(competition.path(name))
    return found


def _rehearsed(members: Files, task: Mapping[str, Any], submission: bytes) -> RehearsalResult:
    try:
        return rehearse(members["scoring_program.zip"], members[task["reference_data"]], submission)
    except OrganizerError as error:
        raise OrganizerError(f"{error}{_hint(str(error))}") from error


def _hint(error: str) -> str:
    """Return the remedy if a rehearsal holds more files than one submission has."""
    if "exactly one predictions file" not in error:
        return ""
    return "\nIf these are several teams' submissions, add 'layout: teams' to the task's settings."
