"""Files beside the predictions of an upload that hold nothing of the test set: left aside.

An upload may hold a description of the system or its settings. Nothing in a name says so; but where
another file of the same folder may be predictions, a file without an id of the test set, of another
number of rows, and without a column of that file is none. Nor is one that is called like the data
that participants are given, if it holds no id of the test set.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from ..core.cells import grouped
from ..core.errors import SubmissionError
from ..reading.files import DataFile
from ..reading.layout import ONLY_TASK, Source, Upload
from ..reading.limits import LimitExceeded
from ..reading.table import Table
from ..recognize.file_names import is_given_file
from ..recognize.of_kinds.roles_by_name import is_id

#: Reads the table of the only file of a source.
ReadTable = Callable[[Source], Table]
_WORD = re.compile(r"[\w.-]+")


@dataclass(frozen=True)
class TestSet:
    """What files of predictions have in common with a test set: its ids, or its number of rows."""

    __test__ = False  # no class of tests

    ids: frozenset[str]
    rows: int

    @classmethod
    def of_table(cls, table: Table) -> TestSet:
        """Return the test set of a gold whose columns have no roles yet."""
        ids: set[str] = set()
        for cells in table.columns:
            texts = {*map(str, cells)}
            if len(texts) == len(cells):
                ids |= texts
        return cls(frozenset(ids), len(table.numbers))

    def is_in(self, table: Table) -> bool:
        """Whether a table holds an id, or as many rows; one of them may be a header."""
        if abs(len(table.numbers) - self.rows) <= 1:
            return True
        # A name of a column, which the first row may hold, is no id.
        begin = 1 if table.header is None and len(table.numbers) > 1 else 0
        return any(not self.ids.isdisjoint(map(str, cells[begin:])) for cells in table.columns)

    def is_elsewhere(self, table: Table) -> bool:
        """Whether no column of a table holds ids of the test set; the name of a column may be."""
        if not self.ids:
            return False
        return all(len(self.ids.intersection(map(str, cells))) <= 1 for cells in table.columns)


def without_companions(upload: Upload, test_set: TestSet, read: ReadTable) -> Upload:
    """Return the files of teams without those that cannot be predictions, which are left aside.

    A file that cannot be read stays, unless it is of another format than the predictions beside it
    and holds no id. A file that more than half of the teams send, and that none of them joins to
    the test set, is for another task, whatever its columns.
    """
    if upload.layout != "teams":
        return upload
    teams = grouped((source.team, source) for source in upload.sources)
    looks = {team: _look(runs, test_set, read) for team, runs in teams.items()}
    of_other_tasks = _names_of_other_tasks([*looks.values()])
    sources: list[Source] = []
    aside: list[str] = []
    for team, runs in teams.items():
        strangers = [run for run in looks[team].strangers if _name(run) in of_other_tasks]
        companions = [*looks[team].companions, *strangers]
        predictions = [run for run in runs if run not in companions]
        if companions and len(predictions) == 1:
            predictions = [replace(predictions[0], run=None)]
        sources += predictions
        aside += [str(run.file(ONLY_TASK).path) for run in runs if run in companions]
    return replace(upload, sources=tuple(sources), aside=(*upload.aside, *aside))


@dataclass
class _Predictions:
    """What the predictions of one folder hold: names of columns, cells that are no ids, formats."""

    columns: set[str] = field(default_factory=set)
    cells: set[str] = field(default_factory=set)
    extensions: set[str] = field(default_factory=set)

    def add(self, table: Table, path: PurePosixPath) -> None:
        """Add what a file of predictions holds."""
        header = table.header or table.first_row
        for name, cells in zip(header, table.columns, strict=True):
            if name and not is_id(name):
                self.columns.add(name.casefold())
                self.cells.update(map(str, cells))
        self.extensions.add(path.suffix.casefold())


@dataclass
class _Look:
    """What the files of one team are, where it has several.

    ``companions`` have nothing in common with the ``predictions`` beside them. ``strangers`` are
    tables like these, but without an id of the test set.
    """

    companions: list[Source] = field(default_factory=list)
    strangers: list[Source] = field(default_factory=list)
    predictions: list[Source] = field(default_factory=list)


def _look(runs: Sequence[Source], test_set: TestSet, read: ReadTable) -> _Look:
    """Return which files of one team lie beside its predictions and are none."""
    look = _Look()
    if len(runs) < 2:
        look.predictions += runs
        return look
    folders: dict[PurePosixPath, _Predictions] = {}
    tables: dict[PurePosixPath, Table] = {}
    unlike: list[tuple[Source, DataFile]] = []
    for run in runs:
        file = run.file(ONLY_TASK)
        try:
            tables[file.path] = read(run)
        except (SubmissionError, LimitExceeded):
            unlike.append((run, file))
            continue
        if _is_given(file, tables[file.path], test_set):
            unlike.append((run, file))
        elif test_set.is_in(tables[file.path]):
            beside = folders.setdefault(file.path.parent, _Predictions())
            beside.add(tables[file.path], file.path)
            look.predictions.append(run)
        else:
            unlike.append((run, file))
    for run, file in unlike:
        predictions = folders.get(file.path.parent)
        if predictions is None or file.broken:
            continue
        table = tables.get(file.path)
        is_given = table is not None and _is_given(file, table, test_set)
        if is_given or _is_companion(file, table, test_set, predictions):
            look.companions.append(run)
        elif table is not None and table.numbers:
            look.strangers.append(run)
    return look


def _name(run: Source) -> str:
    """Return what a file is called in the folder of its team."""
    return run.file(ONLY_TASK).path.name.casefold()


def _names_of_other_tasks(teams: Sequence[_Look]) -> set[str]:
    """Return the names of files that most teams send and that are predictions of none."""
    fitting = {_name(run) for look in teams for run in look.predictions}
    counts = Counter[str]()
    for look in teams:
        counts.update(dict.fromkeys(map(_name, look.strangers), 1))
    names = {name for name, count in counts.items() if count > 1 and 2 * count > len(teams)}
    return names - fitting


def _is_given(file: DataFile, table: Table, test_set: TestSet) -> bool:
    """Whether a file is of the data that participants are given: by its name, and by its ids."""
    return is_given_file(file.stems[-1]) and test_set.is_elsewhere(table)


def _is_companion(
    file: DataFile, table: Table | None, test_set: TestSet, predictions: _Predictions
) -> bool:
    """Whether a file, and its table if it can be read, has nothing in common with predictions."""
    try:
        text = file.read().decode("utf-8-sig", "replace")
    except (SubmissionError, LimitExceeded):
        return False
    if not test_set.ids.isdisjoint(_WORD.findall(text)):
        return False
    if table is None:
        is_other = file.path.suffix.casefold() not in predictions.extensions
        return is_other and bool(test_set.ids)
    # Of a mapping or a plain list, the reader makes up the names.
    header = {name.casefold() for name in table.header or table.first_row}
    stated = {name for name in header if name in text.casefold()}
    if not stated.isdisjoint(predictions.columns):
        return False
    return all(predictions.cells.isdisjoint(map(str, cells)) for cells in table.columns)
