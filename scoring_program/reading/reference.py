"""What lies in INPUT/ref: gold files, settings, and the field that single submissions join."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from ..core.errors import OrganizerError, ReferenceDataError, SettingsError, SubmissionError
from . import files, layout, names
from .files import DataFile
from .layout import ONLY_TASK, Conventions, Source

#: The gold of a Kaggle competition, and what it gives to participants beside it.
_SOLUTION, _GIVEN = "solution", ("train", "test")
#: Folder of the reference data that holds the field a single submission is compared with. It may be
#: an archive, submissions.zip: Codabench's worker moves what is in a folder one level up.
FIELD = "submissions"


@dataclass(frozen=True)
class Reference:
    """The gold files by task, the settings file and the files of the field, if there are any."""

    gold: Mapping[str, DataFile]
    settings: Path | None
    field: tuple[DataFile, ...] | None

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks' names; one nameless task where there are no or one gold file."""
        return tuple(self.gold) or (ONLY_TASK,)

    @property
    def stem(self) -> str | None:
        """The name of the only gold file, without extension; None where there are no or several."""
        return next(iter(self.gold.values())).stems[-1] if len(self.gold) == 1 else None

    def rivals(self, conventions: Conventions) -> tuple[Source, ...]:
        """Return the field's submissions.

        Raises
        ------
        OrganizerError
            The folder holds no data file, or as `layout.find_submissions` does.
        """
        if self.field is None:
            return ()
        try:
            shown = f"ref/{FIELD}"
            return layout.arrange(self.field, "teams", conventions, shown).sources
        except SubmissionError as error:
            raise OrganizerError(f"{shown} holds no submission: {error.defect}") from error


def find_reference(folder: Path, settings_name: str) -> Reference:
    """Look through INPUT/ref; whether a gold file is needed is decided later, by the layout.

    Several data files are the gold of several tasks, named after the files; beside a
    ``solution.csv`` those called ``train`` and ``test`` are not.

    Raises
    ------
    ReferenceDataError
        Two gold files would have the same task name.
    OrganizerError
        What is called INPUT is none: it has neither the folder ref nor res.
    SettingsError
        As `settings_in` does.
    """
    if not folder.is_dir():
        if not (folder.parent / "res").is_dir():
            raise OrganizerError(
                f"{folder.parent}: no folder with ref/ and res/; name the one that holds them"
            )
        return Reference({}, None, None)
    settings = settings_in(folder, settings_name)
    everything = list(files.walk(folder))
    field = [file for file in everything if file.path.parts[0] == FIELD]
    found = [
        file
        for file in everything
        if file.is_data and file.path.parts[0] != FIELD and names.sample(file.path.parts) is None
    ]
    if _SOLUTION in (file.stems[-1].casefold() for file in found):
        found = [file for file in found if file.stems[-1].casefold() not in _GIVEN]
    gold: dict[str, DataFile] = {}
    for file in found:
        task = file.stems[-1] if len(found) > 1 else ONLY_TASK
        if task.casefold() in map(str.casefold, gold):
            raise ReferenceDataError(
                f"ref: {gold.get(task, file).path} and {file.path} would be gold files of one "
                f"task, {task!r}; keep one or rename one"
            )
        gold[task] = file
    inside = (file for file in field if len(file.path.parts) > 1)  # else an empty folder
    return Reference(
        gold=gold,
        settings=settings,
        field=tuple(replace(file, path=file.path.relative_to(FIELD)) for file in inside)
        if field
        else None,
    )


def settings_in(folder: Path, name: str) -> Path | None:
    """Return the settings file in a folder, if there is one.

    Raises
    ------
    SettingsError
        There is none, but one that is called almost so, which would be passed over without a word.
    """
    if (folder / name).is_file():
        return folder / name
    almost = re.compile(rf"{PurePath(name).stem}\.ya?ml(\.txt)?", re.IGNORECASE)
    for path in sorted(folder.iterdir()):
        if almost.fullmatch(path.name):
            raise SettingsError(f"settings are read from {name}; rename {path.name}")
    return None
