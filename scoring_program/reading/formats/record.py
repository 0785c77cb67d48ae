"""Records: whatever the organizer's own reader makes of a file, one object for each unit.

The setting ``reader`` names a function from the path of a file to a mapping: unit id → any object
that can be pickled. What the objects hold is the business of the metric's ``statistics``.
"""

from __future__ import annotations

import io
import pickle
import runpy
import tempfile
import zipfile
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from ...core.errors import OrganizerError, Stopped, SubmissionError, cut, outline, visible
from ...core.phrases import Phrase, verbatim
from ..table import Table, empty_file_error, of_columns, text
from .kind import ExampleKind
from .raw import Content

#: Kaggle's exception, whose text participants may see. It is recognized by name, because every
#: competition's file defines or imports its own.
VISIBLE_ERROR = "ParticipantVisibleError"
#: Characters of that text that are shown.
LONGEST_MESSAGE = 1000
#: Characters of a file's name that its copy keeps.
_LONGEST_NAME = 100
_UNIT = Phrase("unit", "units")


@dataclass(frozen=True)
class Record:
    """One object as bytes: so it is compared, hashed and sent whatever it is."""

    pickled: bytes

    @property
    def value(self) -> Any:
        """A new copy of the object."""
        return pickle.loads(self.pickled)


def of_object(value: Any) -> Record:
    """Return an object as a record."""
    return Record(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))


def message_of(error: BaseException) -> str:
    """Return an exception's text, visible and cut, because it may quote a participant's cell.

    It is empty if an organizer's own exception fails to give one.
    """
    try:
        return visible(cut(str(error), LONGEST_MESSAGE), kept="\n")
    except Exception:
        return ""


@dataclass(frozen=True)
class FileReader:
    """A reader in a file that the caller trusts, for checks without the gold.

    Raises OrganizerError when it is made, if there is no such file or function, or it does not run.
    """

    path: str
    of_folders: bool
    function: Callable[[str], Any]

    @classmethod
    def load(cls, reader: str, folder: Path, *, of_folders: bool) -> FileReader:
        """Load ``file.py:function`` from a folder."""
        name, _, function = reader.partition(":")
        path = folder / name
        if not path.is_file():
            raise OrganizerError(f"{path}: this file reads the submissions; put it there")
        try:
            return cls(str(path), of_folders, runpy.run_path(str(path))[function])
        except Exception as error:
            raise OrganizerError(
                f"{name} cannot be loaded ({outline(error, str(path))}); it reads the submissions: "
                "install what it needs, or ask the organizers"
            ) from error

    def __call__(self, path: str) -> Any:
        """Return what the organizer's function makes of a path."""
        return self.function(path)


def read(
    reader: Callable[[str], Any],
    content: bytes,
    file: str,
    *,
    folder: str | None = None,
    design: Collection[str] = (),
) -> Table:
    """Let an organizer's ``reader`` read a file, and return a row for each unit.

    What the objects of a gold hold under the keys ``design`` becomes columns, such as groups.

    The reader gets the path of a copy with the file's name, in a temporary folder of its own below
    ``folder``, which is removed afterwards. The copy is a folder for a reader ``of_folders``.
    ``reader.path`` is the file that holds its code.

    Raises
    ------
    SubmissionError
        The reader fails, or returns no mapping of units to objects that can be pickled. Of its
        exception only one called ParticipantVisibleError is shown, with its ``line``; of any other
        the type and the place in the organizer's code.
    """
    given = PurePosixPath(file).name
    usual = given.isascii() and given.isprintable() and len(given) <= _LONGEST_NAME
    with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as own:
        path = Path(own, given if usual else "predictions")
        try:
            _write(path, content, folder=getattr(reader, "of_folders", False))
            found = reader(str(path))
            if not isinstance(found, Mapping):
                raise TypeError("a reader returns a mapping of unit ids to objects")
            records = {str(key): of_object(value) for key, value in found.items()}
        except (KeyboardInterrupt, Stopped, MemoryError):
            raise
        except BaseException as error:
            raise SubmissionError(_defect(error, getattr(reader, "path", None)), file) from error
    if not records:
        raise empty_file_error(file)
    of_design = [
        name
        for name in design
        if all(isinstance(value, Mapping) and name in value for value in found.values())
    ]
    columns: dict[str, list[Any]] = {"id": list(records), "record": list(records.values())}
    for name in of_design:
        columns[name] = [text(value[name]) for value in found.values()]
    label = Phrase("for the organizers' reader")
    return replace(of_columns(file, columns, _UNIT), label=label)


def _write(path: Path, content: bytes, *, folder: bool) -> None:
    """Write what a reader gets: a file, or the folder that `files.packed` made one file of."""
    if not folder:
        path.write_bytes(content)
        return
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(path)


def _defect(error: BaseException, code: str | None) -> Phrase:
    """Return what a participant may know of a reader's exception."""
    if type(error).__name__ != VISIBLE_ERROR:
        return Phrase("the organizers' reader cannot read it ({place})", place=outline(error, code))
    line = getattr(error, "line", None)
    if isinstance(line, int):
        return Phrase("line {line}: {message}", line=line, message=message_of(error))
    return verbatim(message_of(error))


def _without_reader(content: Content) -> Table:
    raise SubmissionError(
        "only the organizers' reader can read it: name it with the setting 'reader'", content.file
    )


KIND = ExampleKind(name="record", read=_without_reader, example=(_UNIT, _UNIT.with_values(count=2)))
