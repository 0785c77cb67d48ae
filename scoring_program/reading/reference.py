"""The content of INPUT/ref: reference data, settings, and the field of submissions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePath, PurePosixPath

from ..core.cells import grouped
from ..core.errors import OrganizerError, ReferenceDataError, SettingsError, SubmissionError, listed
from ..core.phrases import verbatim
from ..recognize.file_names import (
    is_given_file,
    is_gold_file,
    is_input_file,
    numbered_reference,
    task_of_gold,
)
from . import files, layout, names
from .files import DataFile
from .formats import texts
from .formats.kind import Content
from .layout import ONLY_TASK, Conventions, Source

#: Folder of INPUT/ref that holds the field: the submissions with which a single one is compared. It
#: may be an archive, submissions.zip, because Codabench's worker moves the content of a folder one
#: level up.
FIELD = "submissions"
#: Folder of INPUT/ref that the organizer's own reader gets as a whole, or its archive.
WHOLE = "gold"


@dataclass(frozen=True)
class Reference:
    """The gold files by task, the settings file if there is one, and the field's files if any."""

    gold: Mapping[str, DataFile]
    settings: Path | None
    field: tuple[DataFile, ...] | None
    unread: str = ""  # for messages: which other files cannot be read, and what to do
    whole: DataFile | None = None  # the folder `WHOLE`, if there is one
    unusual: tuple[PurePosixPath, ...] = ()  # files whose extension says no format
    every: tuple[PurePosixPath, ...] = ()  # all files but the settings and those of the field

    @property
    def names_in_whole(self) -> tuple[str, ...]:
        """What lies at the top of that folder."""
        members = self.whole.holds if self.whole else ()
        return tuple(sorted({file.path.parts[0] for file in members}))

    def for_reader(self) -> Reference:
        """Return what the organizer's own reader reads: a whole folder, if that is the gold."""
        return self if self.whole is None else replace(self, gold={ONLY_TASK: self.whole})

    def only(self, path: str, where: str) -> Reference:
        """Return the reference data of one file; raise SettingsError if there is none."""
        for file in self.gold.values():
            if str(file.path) == path:
                return replace(self, gold={ONLY_TASK: file})
        every = listed(str(file.path) for file in self.gold.values())
        among = f" among {every}" if every else "; put it there"
        raise SettingsError(f"{where}: there is no file {path!r} in ref/{among}")

    def without(self, path: str, where: str) -> tuple[Reference, DataFile]:
        """Return the reference data without a file, and that file; raise SettingsError without."""
        (file,) = self.only(path, where).gold.values()
        gold = {task: data for task, data in self.gold.items() if data is not file}
        if len(gold) == 1:
            gold = dict.fromkeys([ONLY_TASK], *gold.values())
        return replace(self, gold=gold), file

    def paths_of(self, gold: Iterable[DataFile]) -> set[PurePosixPath]:
        """Return the paths of the files that some reference data are read from."""
        paths = set()
        for file in gold:
            if file is self.whole:
                paths |= {WHOLE / member.path for member in file.holds}
            else:
                paths |= {part.path for part in file.joins or (file,)}
        return paths

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks' names. With one gold file or none, there is one task without a name."""
        return tuple(self.gold) or (ONLY_TASK,)

    @property
    def stem(self) -> str | None:
        """The name of the only gold file, without extension. None if there is not exactly one."""
        return next(iter(self.gold.values())).stems[-1] if len(self.gold) == 1 else None

    @property
    def folder(self) -> str | None:
        """The name of the folder that holds all gold files, if one does."""
        folders = {file.path.parent.name for file in self.gold.values()}
        return folders.pop() or None if len(folders) == 1 else None

    def rivals(self, conventions: Conventions) -> tuple[Source, ...]:
        """Return the field's submissions.

        Raises
        ------
        OrganizerError
            The folder holds no data file, or a file of it cannot be read.
        """
        if self.field is None:
            return ()
        try:
            field_folder = f"ref/{FIELD}"
            return layout.arrange(self.field, "teams", conventions, field_folder).sources
        except SubmissionError as error:
            raise OrganizerError(f"{field_folder} holds no submission: {error.defect}") from error


def find_reference(folder: Path, settings_name: str) -> Reference:
    """Look through INPUT/ref. The layout decides later whether a gold file is needed.

    Several data files are the gold of several tasks, which are named after the files, unless they
    are parallel references. Next to a ``solution.csv`` or ``gold.csv``, files called ``train`` and
    ``test`` are ignored.

    Raises
    ------
    ReferenceDataError
        Two gold files would have the same task name.
    OrganizerError
        INPUT does not exist, or has neither a folder ref nor a folder res.
    SettingsError
        See `find_settings`.
    """
    if not folder.is_dir():
        if not (folder.parent / "res").is_dir():
            has_parent = folder.parent.is_dir()
            defect = (
                "the folder has neither ref/ nor res/" if has_parent else "there is no such folder"
            )
            raise OrganizerError(
                f"{folder.parent}: {defect}; name the folder that holds ref/ and res/"
            )
        return Reference({}, None, None)
    settings = find_settings(folder, settings_name)
    everything = list(files.walk(folder, downloads=[FIELD]))
    field = [file for file in everything if file.path.parts[0] == FIELD]
    beside_field = _looked_into([file for file in everything if file.path.parts[0] != FIELD])
    candidates = [file for file in beside_field if file.is_data and not names.is_sample(file.stems)]
    if any(is_gold_file(file.stems[-1]) for file in candidates):
        candidates = [file for file in candidates if not is_given_file(file.stems[-1])]
    # The inputs of the task, such as source.en.txt, are left out beside other data.
    no_inputs = [file for file in candidates if not is_input_file(file.stems[-1])]
    candidates = with_references_joined(no_inputs or candidates)
    whole = _whole(everything)
    gold: dict[str, DataFile] = {}
    for file in candidates:
        task = task_of_gold(file.stems[-1]) if len(candidates) > 1 else ONLY_TASK
        if task.casefold() in map(str.casefold, gold):
            error = ReferenceDataError(
                f"ref: {gold.get(task, file).path} and {file.path} are both reference data of the "
                f"task {task!r}; keep one of them, or rename one"
            )
            if whole is None:  # a reader would get both together
                raise error
            file = files.raising(file.path, error)
        gold[task] = file
    beside = [file for file in everything if file not in field]
    unusual = tuple(file.path for file in beside if file.may_be_predictions)
    archived = [file.path for file in beside if file.path.suffix.lower() in names.UNREAD]
    unread = _unread(archived, () if gold else unusual)
    every = _paths_beside(beside, settings_name)
    fields = _of_field(field) if field else None
    return Reference(gold, settings, fields, unread, whole, unusual, every)


def _of_field(field: Sequence[DataFile]) -> tuple[DataFile, ...]:
    """Return the field's files with their paths in its folder; of an empty folder, nothing."""
    return tuple(
        replace(file, path=file.path.relative_to(FIELD))
        for file in field
        if len(file.path.parts) > 1
    )


def _paths_beside(ref_files: Sequence[DataFile], settings_name: str) -> tuple[PurePosixPath, ...]:
    """Return the paths of all files but the settings."""
    paths = [file.path for file in ref_files if not file.is_empty]
    return tuple(path for path in paths if path != PurePosixPath(settings_name))


def _unread(archived: Sequence[PurePosixPath], unusual: Sequence[PurePosixPath]) -> str:
    """Say for messages which files cannot be read, and what to do; nothing if there are none.

    Without reference data, they may be in the ``unusual`` files, whose extension says no format.
    """
    if not archived and not unusual:
        return ""
    rename = "; call the files by the extension of their format" if unusual else ""
    return f" among {listed([*archived, *unusual])}: {names.remedy(archived)}{rename}"


def _whole(ref_files: Sequence[DataFile]) -> DataFile | None:
    """Return the files of the folder `WHOLE` as one file, if there are any."""
    inside = (file for file in ref_files if file.path.parts[0] == WHOLE != file.path.name)
    members: list[DataFile] = []
    for file in inside:
        if not file.is_empty:
            path = file.path.relative_to(WHOLE)
            members.append(replace(file, path=path, recognized=not file.broken))
    return files.packed(PurePosixPath(WHOLE), members) if members else None


def _looked_into(ref_files: Sequence[DataFile]) -> Sequence[DataFile]:
    """Return the files; where none is data, those of one unusual extension are taken for it."""
    unusual = [file for file in ref_files if file.may_be_predictions]
    if any(file.is_data for file in ref_files) or len({file.path.suffix for file in unusual}) != 1:
        return ref_files
    return [replace(file, recognized=file in unusual) for file in ref_files]


def find_settings(folder: Path, name: str) -> Path | None:
    """Return the settings file in a folder, if there is one.

    Raises
    ------
    SettingsError
        There is none, but a file may hold settings by its name. It would be ignored silently.
    """
    if (folder / name).is_file():
        return folder / name
    almost = re.compile(rf"(?i)({PurePath(name).stem}|settings?|config)\.(ya?ml(\.txt)?|json|toml)")
    for path in sorted([*folder.iterdir(), *folder.glob(f"*/{name}")]):
        path_in_folder = path.relative_to(folder)
        if path_in_folder.name == name:
            raise SettingsError(
                f"the settings must be in ref/{name}; move {path_in_folder.as_posix()} there"
            )
        if almost.fullmatch(path.name):
            raise SettingsError(
                f"the settings must be in {name}; rename {path.name}, or remove it if it holds none"
            )
    return None


# Parallel references ------------------------------------------------------------------------------


#: A stem that ends in the word for a reference and its number or letter: "reference.0", "refA".
_LINES = ".txt"


def with_references_joined(gold_files: Sequence[DataFile]) -> list[DataFile]:
    """Return files of reference data, with those of the same segments as one file.

    Its content is JSON Lines with all references of a segment in one line. It is called like the
    first file without the number.
    """
    joined: list[DataFile] = []
    for path, group in grouped((_together(file), file) for file in gold_files).items():
        if len(group) == 1:
            joined += group
        else:
            size = sum(file.size for file in group)
            lines = partial(_lines, group)
            joined.append(DataFile(path, lines, size=size, joins=tuple(group)))
    return joined


def _together(file: DataFile) -> PurePosixPath:
    """Return the path that a reference has in common with the others of its segments."""
    numbered = numbered_reference(file.stems[-1])
    if numbered is None or file.path.suffix.lower() != _LINES:
        return file.path
    return file.path.with_name(".".join(filter(None, numbered)) + _LINES)


def _lines(group: Sequence[DataFile]) -> bytes:
    """Return the references of every segment; raise SubmissionError if numbers of lines differ."""
    columns = [texts.lines(Content(file.read(), str(file.path), "lines")) for file in group]
    for file, column in zip(group, columns, strict=True):
        if len(column) != len(columns[0]):
            raise SubmissionError(
                verbatim(
                    f"{len(column)} lines, but {group[0].path} has {len(columns[0])}; give every "
                    "segment a line in each file of references, a blank one for none"
                ),
                str(file.path),
            )
    records: list[str] = []
    for row in zip(*columns, strict=True):
        references = [text for text in row if text] or [""]
        records.append(json.dumps({"references": references}) + "\n")
    return "".join(records).encode()
