"""Which file is whose: the INPUT folder's conventions turned into named sources.

The layouts are described in the README. Detection looks at names only; the setting ``layout``
overrides it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from scoring_program.errors import ReferenceDataError, SubmissionError
from scoring_program.read import files
from scoring_program.read.files import DATA_EXTENSIONS, DataFile
from scoring_program.settings import FILE_NAME

#: Entry name of a submission that comes alone, as platforms send it.
SINGLE = "submission"
#: Folder of the reference data that holds the field a single submission is compared with.
FIELD = "submissions"


@dataclass(frozen=True)
class Source:
    """One run of one team, not read yet."""

    team: str
    run: str | None  # None where the team has one run
    file: DataFile

    @property
    def entry(self) -> str:
        """Name on the leaderboard."""
        return self.team if self.run is None else f"{self.team}/{self.run}"


@dataclass(frozen=True)
class Upload:
    """What lies in INPUT/res: the layout and its sources."""

    layout: str  # "single" or "teams"
    sources: tuple[Source, ...]


@dataclass(frozen=True)
class Reference:
    """What lies in INPUT/ref: the gold file, the settings file and the field, if there are any."""

    gold: DataFile | None
    settings: Path | None
    field: tuple[Source, ...]


def find_reference(folder: Path) -> Reference:
    """Look through INPUT/ref; whether a gold file is needed is decided later, by the layout.

    Raises
    ------
    ReferenceDataError
        There is more than one data file.
    """
    if not folder.is_dir():
        return Reference(None, None, ())
    settings = folder / FILE_NAME
    data = [file for file in files.walk(folder) if file.is_data and file.path.parts[0] != FIELD]
    if len(data) > 1:
        names = ", ".join(str(file.path) for file in data)
        raise ReferenceDataError(
            f"ref: {len(data)} data files ({names}); keep the gold file and move the others away"
        )
    field = folder / FIELD
    return Reference(
        gold=data[0] if data else None,
        settings=settings if settings.is_file() else None,
        field=_teams(_data_files(field, "ref/" + FIELD)) if field.is_dir() else (),
    )


def find_submissions(folder: Path, layout: str = "auto") -> Upload:
    """Look through INPUT/res; ``layout`` is ``auto``, ``single`` or ``teams``.

    Raises
    ------
    SubmissionError
        The folder holds no data file, or more than one where one submission is expected.
    """
    found = _unwrap(_data_files(folder, "the upload")) if folder.is_dir() else []
    if not found:
        raise SubmissionError(
            "the upload is empty: expected one predictions file "
            f"({', '.join(sorted(DATA_EXTENSIONS))}) or one folder or file a team"
        )
    if layout == "auto":
        layout = "single" if len(found) == 1 else "teams"
    if layout == "teams":
        return Upload("teams", _teams(found))
    if len(found) > 1:
        names = ", ".join(str(file.path) for file in found)
        raise SubmissionError(
            f"the upload holds {len(found)} data files ({names}); "
            "expected exactly one predictions file"
        )
    return Upload("single", (Source(SINGLE, None, found[0]),))


def _data_files(folder: Path, shown: str) -> list[DataFile]:
    """Return the data files below ``folder``, or say which other files were found instead."""
    found = list(files.walk(folder))
    data = [file for file in found if file.is_data]
    if found and not data:
        names = ", ".join(str(file.path) for file in found[:10])
        raise SubmissionError(
            f"{shown}: no predictions file among {names}; "
            f"expected one of {', '.join(sorted(DATA_EXTENSIONS))}"
        )
    return data


def _unwrap(found: Sequence[DataFile]) -> list[DataFile]:
    """Take away folders that wrap the whole upload."""
    while found and all(len(file.path.parts) > 1 for file in found):
        if len({file.path.parts[0] for file in found}) > 1:
            break
        found = [DataFile(PurePosixPath(*file.path.parts[1:]), file.read) for file in found]
    return list(found)


def _teams(found: Sequence[DataFile]) -> tuple[Source, ...]:
    """Group data files by their first folder or, at the top, their name; several files are runs."""
    by_team: dict[str, list[DataFile]] = {}
    for file in found:
        top = file.path.parts[0]
        by_team.setdefault(top if len(file.path.parts) > 1 else Path(top).stem, []).append(file)
    sources = []
    for team, runs in sorted(by_team.items()):
        for file in sorted(runs, key=lambda file: _natural(str(file.path))):
            inside = file.path.parts[1:] or file.path.parts
            run = None if len(runs) == 1 else str(PurePosixPath(*inside).with_suffix(""))
            sources.append(Source(team, run, file))
    return tuple(sources)


def _natural(text: str) -> list[tuple[int, int | str]]:
    """Sort key in which run10 comes after run9."""
    return [
        (0, int(part)) if part.isdecimal() else (1, part)
        for part in re.split(r"(\d+)", text)
        if part
    ]
