"""Files that the code of others reads: the organizer's own reader, formats of installed packages.

The setting ``reader`` names a function from the path of a file to a mapping: unit id → any object
that can be pickled, a record. What the objects hold is the business of the metric's ``statistics``.

A package adds a format by an entry point of the group ``deadheat.formats``. Its name is the files'
extension without the dot, and what the setting ``format`` writes; its value is a plain function:

    [project.entry-points."deadheat.formats"]
    pairs = "my_package.formats:read_pairs"

The function takes the bytes and the name of a file. It returns the columns as lists of texts (other
values become texts, None an empty cell): in a dict by their names, or in a list, where the first
row may then be a header. If the file is not as it should be, the function raises ValueError with
the reason and the remedy, which the participant reads:

    def read_pairs(content: bytes, file: str) -> dict[str, list[str]] | list[list[str]]: ...
    read_pairs.label = "lines of id=label"  # what the page calls it; else the entry point's name

The name or extension of a format of ours cannot be taken. Entry points are looked up only for an
extension or a name that is none of ours; `core.entry_points` says where.
"""

from __future__ import annotations

import io
import pickle
import runpy
import tempfile
import zipfile
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path, PurePosixPath
from typing import Any

from ...core import entry_points, errors
from ...core.errors import cut, outline
from ...core.legible import visible
from ...core.phrases import Phrase, verbatim
from .. import limits
from ..table import Table, empty_file_error, from_columns, of_columns, text, too_many_cells_error
from .kind import Content, ExampleKind

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
        return visible(cut(str(error), LONGEST_MESSAGE), allowed="\n")
    except Exception:
        return ""


def in_file(reader: str, folder: Path, *, of_folders: bool) -> Callable[[bytes, str], Table]:
    """Load a reader, ``file.py:function`` in a folder that the caller trusts, without the gold.

    Return what lets it `read` the content of a file with a name. Raises OrganizerError if there is
    no such file or function, or it does not run.
    """
    name, _, function = reader.partition(":")
    path = str(folder / name)
    if not Path(path).is_file():
        raise errors.OrganizerError(f"{path}: this file reads the submissions; put it there")
    try:
        call = runpy.run_path(path)[function]
    except Exception as error:
        raise errors.OrganizerError(
            f"{name} cannot be loaded ({outline(error, path)}); it reads the submissions: install "
            "what it needs, or ask the organizers"
        ) from error
    return partial(read, call, path, of_folders)


def read(
    reader: Callable[[str], Any],
    code: str,
    of_folders: bool,
    content: bytes,
    file: str,
    *,
    folder: str | None = None,
    design: Collection[str] = (),
) -> Table:
    """Let an organizer's ``reader``, in the file ``code``, read a file; return a row for each unit.

    What the objects of a gold hold under the keys ``design`` becomes columns, such as groups.

    The reader gets the path of a copy with the file's name, in a temporary folder of its own below
    ``folder``, which is removed afterwards. The copy is a folder for a reader ``of_folders``.

    Raises
    ------
    SubmissionError
        The reader fails, or returns no mapping of units to objects that can be pickled. Of its
        exception only one called ParticipantVisibleError is shown, with its ``line``; of any other
        the type and the place in the organizer's code.
    """
    file_name = PurePosixPath(file).name
    usual = file_name.isascii() and file_name.isprintable() and len(file_name) <= _LONGEST_NAME
    with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as folder_of_copy:
        path = Path(folder_of_copy, file_name if usual else "predictions")
        try:
            if of_folders:  # `files.packed` made one file of a folder
                with zipfile.ZipFile(io.BytesIO(content)) as archive:
                    archive.extractall(path)
            else:
                path.write_bytes(content)
            records_read = reader(str(path))
            if not isinstance(records_read, Mapping):
                raise TypeError("a reader returns a mapping of unit ids to objects")
            records = {str(key): of_object(value) for key, value in records_read.items()}
        except (KeyboardInterrupt, errors.Stopped, MemoryError):
            raise
        except BaseException as error:
            raise errors.SubmissionError(_defect(error, code), file) from error
    if not records:
        raise empty_file_error(file)
    columns: dict[str, list[Any]] = {"id": list(records), "record": list(records.values())}
    for name in design:
        if all(isinstance(value, Mapping) and name in value for value in records_read.values()):
            columns[name] = [text(value[name]) for value in records_read.values()]
    return replace(of_columns(file, columns, _UNIT), label=Phrase("for the organizers' reader"))


def _defect(error: BaseException, code: str) -> Phrase:
    """Return what a participant may know of a reader's exception."""
    if type(error).__name__ != VISIBLE_ERROR:
        return Phrase("the organizers' reader cannot read it ({place})", place=outline(error, code))
    line = getattr(error, "line", None)
    if isinstance(line, int):
        return Phrase("line {line}: {message}", line=line, message=message_of(error))
    return verbatim(message_of(error))


def _without_reader(content: Content) -> Table:
    raise errors.SubmissionError(
        "only the organizers' reader can read it: name it with the setting 'reader'", content.file
    )


KIND = ExampleKind(name="record", read=_without_reader, example=(_UNIT, _UNIT.with_values(count=2)))


# Formats of installed packages --------------------------------------------------------------------


GROUP = "deadheat.formats"


@cache
def _names() -> frozenset[str]:
    return frozenset(entry_points.names(GROUP))


def provides(name: str) -> bool:
    """Return whether an installed package provides a format of this name."""
    return bool(name) and name in _names()


@cache
def load(name: str) -> tuple[str, Callable[[Content], Table]]:
    """Return the label and the reader of a format that an installed package provides.

    Raises SettingsError where there is none, or it cannot be loaded.
    """
    what = f"format {name!r}"
    loaded = entry_points.load(GROUP, name, what)
    if loaded is None:
        raise errors.SettingsError(
            f"{what}: no installed package reads it; install the one that does"
        )
    call, origin = loaded

    def read(content: Content) -> Table:
        file = content.file
        try:
            result = call(content.data, file)
        except ValueError as error:
            raise errors.SubmissionError("{file}: {error}", file=file, error=str(error)) from error
        except Exception as error:
            raise errors.SettingsError(
                f"{what}: {origin} fails on {file}: {outline(error)}; --debug shows all of it"
            ) from error
        try:
            return _table_of(result, file)
        except TypeError as error:
            raise errors.SettingsError(f"{what}: {origin} returned {error}") from error

    return f"{getattr(call, 'label', name)} [{origin}]", read


def _table_of(result: Any, file: str) -> Table:
    """Return what a function returned as a table; raise TypeError where it cannot be one."""
    header = tuple(map(text, result)) if isinstance(result, Mapping) else None
    columns = list(result.values()) if isinstance(result, Mapping) else result
    if not _is_list(columns) or not all(map(_is_list, columns)):
        raise TypeError("no columns; return a dict or a list of lists of texts")
    lengths = set(map(len, columns))
    if len(lengths) > 1:
        raise TypeError("columns of different lengths; return as many cells in each")
    if sum(map(len, columns)) > limits.MOST_CELLS:
        raise too_many_cells_error(file)
    return from_columns(file, columns, header)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))
