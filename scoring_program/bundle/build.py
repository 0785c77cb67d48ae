"""From competition.yaml and what it names to one zip that a platform takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import yaml

from scoring_program import settings
from scoring_program.align.gold import read_gold
from scoring_program.bundle import codalab, description, kit, program
from scoring_program.bundle.archive import pack, tree
from scoring_program.bundle.description import OWN, TIME_LIMIT, Description
from scoring_program.bundle.images import image
from scoring_program.bundle.rehearsal import rehearse
from scoring_program.errors import SettingsError
from scoring_program.gather import parts
from scoring_program.read.reference import FIELD, find_reference

Files = dict[str, bytes]
#: Share of the platform's time limit that a run plans to use.
_SHARE = 0.5


def build(
    path: Path,
    *,
    for_codalab: bool = False,
    wheels: Path | None = None,
    rehearsed: bool = True,
    log: Callable[[str], None] = lambda line: None,
) -> bytes:
    """Return the bundle of a competition.yaml, checked and tried out.

    Raises
    ------
    OrganizerError
        The platform would refuse it, the program fails on the solution, or packages are missing.
    """
    of = description.load(path)
    packed = pack(program.files(image(of.document["docker_image"]), wheels))
    log(f"Program: {len(packed) / 2**20:.1f} MiB.")
    members: Files = {"scoring_program.zip": packed}
    document = _without_own(of.document)
    document["image"] = _add(members, of, "image", of.document["image"])
    document["terms"] = _add(members, of, "pages/terms", of.document["terms"])
    for i, (page, source) in enumerate(zip(document["pages"], of.items("pages"), strict=True)):
        page["file"] = _add(members, of, f"pages/{i}", source["file"])
    for task, source in zip(document["tasks"], of.items("tasks"), strict=True):
        task["scoring_program"] = "scoring_program.zip"
        task["reference_data"] = f"reference_data_{task['index']}.zip"
        members[task["reference_data"]] = pack(_reference(of, source))
    for solution in document.get("solutions") or []:
        content = flat(of.path(solution["path"]))
        solution["path"] = f"solution_{solution['index']}.zip"
        members[solution["path"]] = pack(content)
    for phase in document["phases"]:
        if "starting_kit" in phase:
            content = _kit(of, phase)
            phase["starting_kit"] = f"starting_kit_{phase['index']}.zip"
            members[phase["starting_kit"]] = pack(content)
    if rehearsed:
        _try(of, document, members, log)
    if for_codalab:
        document, members = codalab.translate(document, members)
    text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=1000)
    return pack({**members, "competition.yaml": text.encode()})


def flat(path: Path) -> Files:
    """Return a folder's files with every folder in it as an archive.

    Codabench's worker moves the content of one folder to the top, so there must not be any.
    """
    if path.is_file():
        return {path.name: path.read_bytes()}
    top: Files = {}
    folders: dict[str, Files] = {}
    for name, content in tree(path).items():
        folder, slash, inside = name.partition("/")
        if slash:
            folders.setdefault(f"{folder}.zip", {})[inside] = content
        else:
            top[name] = content
    return top | {name: pack(members) for name, members in folders.items()}


def _add(members: Files, of: Description, name: str, source: object) -> str:
    name += of.path(source).suffix
    members[name] = of.path(source).read_bytes()
    return name


def _without_own(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a deep copy of competition.yaml without what only this program reads."""
    copy: dict[str, Any] = yaml.safe_load(yaml.safe_dump(dict(document), sort_keys=False))
    for task in copy["tasks"]:
        task.pop(OWN, None)
    return copy


def _reference(of: Description, task: Mapping[str, Any]) -> Files:
    """Return a task's reference data: with the field, its own settings and a time budget."""
    own = of.own(task)
    found = flat(of.path(task["reference_data"]))
    if "field" in own:
        found[f"{FIELD}.zip"] = pack(flat(of.path(own["field"])))
    text = found.get(settings.FILE_NAME, b"").decode("utf-8-sig")
    said = set(yaml.safe_load(text) or {})
    added = {"time_budget": _SHARE * _time_limit(of, task)} | dict(own.get("settings") or {})
    if twice := said & set(own.get("settings") or {}):
        raise SettingsError(
            f"competition.yaml: {OWN}: {sorted(twice)[0]!r} is also set in the reference data's "
            f"{settings.FILE_NAME}; set it in one place"
        )
    more = {key: value for key, value in added.items() if key not in said}
    text = text.rstrip("\n") + "\n" if text else ""
    found[settings.FILE_NAME] = (text + yaml.safe_dump(more, allow_unicode=True)).encode()
    return found


def _time_limit(of: Description, task: Mapping[str, Any]) -> float:
    limits = [
        phase.get("execution_time_limit") or TIME_LIMIT
        for phase in of.items("phases")
        if task["index"] in phase["tasks"]
    ]
    return float(min(limits, default=TIME_LIMIT))


def _kit(of: Description, phase: Mapping[str, Any]) -> Files:
    """Return a phase's starting kit: the organizer's files, the checker and the test ids."""
    source = next(task for task in of.items("tasks") if task["index"] == phase["tasks"][0])
    folder = of.path(source["reference_data"])
    reference = find_reference(folder, settings.FILE_NAME)
    chosen = settings.load(reference.settings)
    made: Files = {}
    for name, file in reference.gold.items():
        gold = read_gold(file.read(), str(file.path), chosen)
        beside = reference.settings.parent if reference.settings else None
        part, _ = parts.of_gold(name, gold, beside, chosen, several=bool(name))
        prefix = f"{name}/" if name else ""
        made |= {prefix + inside: content for inside, content in kit.files(part.expected).items()}
    return made | tree(of.path(phase["starting_kit"]))


def _try(
    of: Description, document: Mapping[str, Any], members: Files, log: Callable[[str], None]
) -> None:
    """Run the packed program on every packed solution; compare its keys with the leaderboard."""
    written: list[set[str]] = []
    for task in document["tasks"]:
        for solution in document["solutions"]:
            if task["index"] in solution["tasks"]:
                scores = rehearse(
                    members["scoring_program.zip"],
                    members[task["reference_data"]],
                    members[solution["path"]],
                )
                written.append(set(scores))
                log(f"Task {task['index']} tried on {solution['path']}: {len(scores)} scores.")
    for column in description.columns(of):
        key, primary = column["key"], not column.get("index")
        found = [key in keys for keys in written]
        if not any(found) or (primary and not all(found)):
            of.problems.append(f"leaderboards: the program does not write {key!r}")
    description.raise_if_any(of)
