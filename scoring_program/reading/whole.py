"""Submissions that an organizer's reader gets as whole folders, each packed as one file."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from . import files, names
from .files import DataFile


def submissions(
    found: Sequence[DataFile], layout: str, known: Collection[str], single: str
) -> list[DataFile]:
    """Return the files of an upload with every submission packed as one.

    ``known`` are the names in the gold's folder. An upload that has one of them, or a file, beside
    its folders is one submission, called ``single``; else each of its folders is. Folders that wrap
    all files of a submission are left out, unless they are known.
    """
    held = [file for file in found if not (file.is_empty or file.lists_failures)]
    depth = _wrapping(held, known)
    alone = any(len(file.path.parts) == depth + 1 and not file.broken for file in held)
    is_one = alone or any(file.path.parts[depth] in known for file in held)
    if layout == "single" or (layout == "auto" and is_one):
        return [_packed(PurePosixPath(single), held, depth)]
    depth = 0 if is_one else depth
    teams: dict[PurePosixPath, list[DataFile]] = {}
    for file in held:
        teams.setdefault(PurePosixPath(*file.path.parts[: depth + 1]), []).append(file)
    return [
        *(_packed(team, own, _wrapping(own, known, depth + 1)) for team, own in teams.items()),
        *(file for file in found if file.is_empty or file.lists_failures),
    ]


def _wrapping(found: Sequence[DataFile], known: Collection[str], depth: int = 0) -> int:
    """Return how many folders wrap all of the files and are neither known nor a platform's."""
    paths = [file.path.parts for file in found]
    while (
        all(len(path) > depth + 1 for path in paths)
        and len({path[depth] for path in paths}) == 1
        and paths[0][depth] not in known
        and names.parse_platform_name(paths[0][depth]) is None
    ):
        depth += 1
    return depth


def _packed(path: PurePosixPath, held: Sequence[DataFile], depth: int) -> DataFile:
    """Return a submission as one file; ``depth`` folders are not in it."""
    return files.packed(
        path,
        [
            replace(file, path=PurePosixPath(*(file.path.parts[depth:] or file.path.parts[-1:])))
            for file in held
        ],
    )
