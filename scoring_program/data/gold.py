"""The reference data: ids, target columns and design columns of the gold standard."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from ..core import cells, errors
from ..core.arrays import Coded, Floats, Ints, Words, coded_cells, words
from ..core.cells import Packed, taken
from ..core.errors import listed, nearest
from ..core.phrases import Phrase
from ..metrics.organizer import FileFunction, is_file, silenced
from ..reading.formats import label_sets, read_examples, readers, samples, texts
from ..reading.formats.fields import repeated_name
from ..reading.formats.kind import ROWS, FileDescription
from ..reading.table import FileRows, NamedColumns, Places, Table, place_of
from ..recognize.by_names.gold_columns import (
    GoldColumns,
    GoldStatements,
    columns_of_gold,
    columns_of_single_values,
    one_hot,
    usage_column,
    with_other_answers,
)
from ..recognize.by_names.line_beginnings import UNDIVIDED, is_rounded
from ..recognize.gold_side import spoiled_key
from ..recognize.of_kinds.roles_by_name import is_id
from ..recognize.tables_of_scores.score_names import parts_apart
from ..recognize.usual_names import FEW_CHOSEN_NAMES, USAGE
from ..settings.model import Settings
from .joining.diagnoses import what_of_widths

#: A whole number, its minus sign and its digits without zeros in front, perhaps with a decimal
#: point as NumPy and pandas write it. It may have thousands of digits, which `int` refuses.
_WHOLE = re.compile(r"(?:\+|(-))?0*(\d+)(?:\.0*)?", re.ASCII)
PUBLIC = "public"
PRIVATE = "private"
IGNORED = "ignored"
_USAGES = (PUBLIC, PRIVATE, IGNORED)


@dataclass(frozen=True, eq=False)
class Gold:
    """The reference data. Rows are sorted by their first target, then by id or place in the file.

    So results do not depend on the order of the lines. Rows with the usage "Ignored" are left out.
    ``kind`` says what an example is: a row of cells, or what a module of `reading.formats` makes.
    """

    file: str
    id_column: str | None
    ids: Sequence[str] | None  # [n], short ones as `Words`
    columns: Mapping[str, Sequence[Any]]  # name → [n] cells, the id column left out
    places: Places  # [n] place of each row in the file ("line 12")
    positions: Sequence[int]  # [n] index of each row among all rows of the file
    total: int  # rows of the file, ignored ones included
    targets: tuple[str, ...]  # columns that may be predicted, those known by name first
    sha256: str
    ignored: tuple[str, ...] = ()  # ids that are left out, in the order of the file
    usage: Sequence[str] | None = None  # [n] "public" or "private", as Kaggle's solutions say
    whole: NamedColumns | None = None  # all of them but the usage, [total], if a metric may read it
    #: What was decided about the columns.
    roles: GoldColumns = field(default_factory=GoldColumns)
    notes: tuple[Phrase, ...] = ()  # how it was read, if that is unusual
    # The columns that name what is resampled in a table of scores: units, or groups of them.
    unit_columns: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()  # the columns of ones and zeros that became one; see `Table`
    unnamed: Mapping[str, Sequence[str]] = field(default_factory=dict)  # [n]; see `Table`
    kind: str = ROWS
    sizes: Ints | None = None  # [n] how many equal examples each row stands for; None for one
    # What several metrics ask of a column.
    _numbers: dict[str, Floats] = field(default_factory=dict, init=False, repr=False)
    _holds_texts: dict[str, bool] = field(default_factory=dict, init=False, repr=False)

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.positions)

    @property
    def examples(self) -> int:
        """Number of examples."""
        return self.n if self.sizes is None else int(self.sizes.sum())

    @property
    def names_are_public(self) -> bool:
        """Whether messages may show the names of columns: none is an example."""
        return not self.roles.names_may_be_example

    def groups(self, column: str | None) -> int | None:
        """Return the number of groups that a column holds; None if there is no such column."""
        if column is None or column not in self.columns:
            return None
        return len(set(self.columns[column]))

    def numbers(self, column: str) -> Floats:
        """Return a column as numbers [n], NaN where a cell is none; not to be changed."""
        if column not in self._numbers:
            values = np.array(cells.numbers(self.columns[column]))
            values.flags.writeable = False
            self._numbers[column] = values
        return self._numbers[column]

    def holds_texts(self, column: str) -> bool:
        """Whether every cell of a column is a text."""
        if column not in self._holds_texts:
            self._holds_texts[column] = cells.are_strings(self.columns[column])
        return self._holds_texts[column]

    def name_for_messages(self, column: str) -> str:
        """Return what a message may call a column."""
        return f"column {column!r}" if self.names_are_public else "the column that is scored"

    def first_of(self, rows: Iterable[int]) -> int:
        """Return that of some rows which is the first in the file."""
        return min(rows, key=self.positions.__getitem__)

    @property
    def file_rows(self) -> FileRows:
        """The rows of the file, with all columns but the usage."""
        if self.whole is not None:
            return FileRows(self.whole, self.positions)
        ids = {} if self.id_column is None else {self.id_column: self.ids or ()}
        return FileRows({**ids, **self.columns}, range(self.n))

    def empty_place(self, column: str) -> Phrase | None:
        """Return the place of the first empty cell of a column; None if it has none."""
        cells = self.columns[column]
        empty = [row for row, cell in enumerate(cells) if cell == ""] if "" in cells else ()
        return self.places[self.first_of(empty)] if empty else None

    def take(self, rows: Sequence[int] | Ints) -> Gold:
        """Return the reference data of some rows."""
        return replace(
            self,
            ids=None if self.ids is None else _taken(self.ids, rows),
            columns={name: taken(values, rows) for name, values in self.columns.items()},
            unnamed={place: taken(values, rows) for place, values in self.unnamed.items()},
            places=self.places.take(rows),
            positions=taken(self.positions, rows),
            usage=None if self.usage is None else taken(self.usage, rows),
        )


def gold_of(
    table: Table, columns: NamedColumns, sha256: str, kind: str, targets: tuple[str, ...] = ()
) -> Gold:
    """Return reference data of all rows of a table, as they stand and without ids."""
    n = len(table.numbers)
    places = table.places
    roles = GoldColumns(None, targets, targets[0] if len(targets) == 1 else None)
    gold = Gold(table.file, None, None, columns, places, range(n), n, targets, sha256, kind=kind)
    return replace(gold, roles=roles)


def _taken(ids: Sequence[str], rows: Sequence[int] | Ints) -> Sequence[str]:
    # NumPy takes texts faster than Python does.
    return ids.take(rows) if isinstance(ids, Words) else (*np.array(ids, object)[rows].tolist(),)


def digest(content: bytes) -> str:
    """Return the SHA-256 of a file's bytes, as the signature shows it."""
    return hashlib.sha256(content).hexdigest()


def read_gold(
    data: bytes, file: str, settings: Settings, kind: str = ROWS, reader: FileFunction | None = None
) -> Gold:
    """Return the gold standard in a file; see `read_headed` and `as_gold`."""
    table = read_headed(data, file, settings, kind, reader)
    if kind == texts.KIND.name:
        table = texts.with_repeated(table, settings.id_column)
    return as_gold(table, settings, digest(data), kind)


# Long because every field of a gold has one line, in the order in which mistakes are told.
def as_gold(
    table: Table,
    settings: Settings,
    sha256: str,
    kind: str = ROWS,
    *,
    wide: bool = False,
    roles: GoldColumns | None = None,
) -> Gold:
    """Return the gold standard below its header.

    ``kind`` is what an example is. The ``roles`` of its columns are known, or else their names say
    which are ids and targets; see `columns_of_gold` for a ``wide`` table.

    Raises
    ------
    ReferenceDataError
        The table is malformed, an id is empty or repeated, or a usage is unknown. File and line are
        named.
    SettingsError
        A column that the settings name cannot hold groups or strata.
    """
    columns = table.named
    statements = statements_of(settings)
    if roles is None:
        roles = columns_of_gold(table, statements, kind, wide=wide)
    else:
        roles = with_other_answers(roles, table, statements, kind)
    id_column = roles.id_column
    targets = roles.answers
    _refuse_other_roles(table, targets, id_column)
    _check_design(table, settings, id_column, wide=wide)
    ids = None if id_column is None else words(columns[id_column]) or columns[id_column]
    usage = _usage(columns[USAGE], table) if USAGE in columns else None
    if not wide:
        beside = [name for name in columns if name not in {id_column, settings.group, USAGE}]
        _refuse_parts(table, [name for name in beside if name not in targets[:1]], settings)
    names = [name for name in columns if name not in (id_column, USAGE)]
    read_whole = any(spec.function and is_file(spec.function) for spec in settings.metrics)
    in_file = {name: cells_of for name, cells_of in columns.items() if name != USAGE}
    columns = {name: _by_code(columns[name], kind == ROWS and name in targets) for name in names}
    if not settings.metrics:
        _refuse_commas(table, {name: columns[name] for name in targets})
    _check_ids(ids or (), table)
    whole = replace(
        gold_of(table, columns, sha256, kind, targets),
        id_column=id_column,
        ids=ids if ids is None or isinstance(ids, Words) else tuple(ids),
        usage=usage,
        whole=in_file if read_whole else None,
        roles=roles,
        classes=table.classes,
        unnamed=table.unnamed,
        notes=tuple(_notes(table, id_column if roles.ids_by_cells else None)),
    )
    return in_order(whole)


def _refuse_other_roles(table: Table, answers: Sequence[str], id_column: str | None) -> None:
    """Raise ReferenceDataError if a column of answers holds the ids, or the split of the rows."""
    for name in answers:
        if name in (id_column, USAGE):
            role = "names the examples" if name == id_column else "splits them"
            raise errors.ReferenceDataError(
                f"{table.file}: the column {name!r} {role}, so it holds no answers; state "
                "another column as 'id' or as 'answer' in the setting 'reference: {columns: …}'"
            )


def open_rows(content: bytes, file: str, settings: Settings) -> Table:
    """Return the table of a gold of rows as its file has it, with what may be its header.

    Raises
    ------
    ReferenceDataError
        The table is malformed.
    """
    try:
        table = read_examples(
            content, file, ROWS, settings.described(gold=True).syntax, gold=True, packed=True
        )
    except errors.SubmissionError as error:  # the same defects, but the organizer's to fix
        raise errors.ReferenceDataError(str(error)) from error
    _refuse_ragged(table)
    return table


def refuse_unknown_columns(table: Table, settings: Settings) -> None:
    """Raise SettingsError if a setting names a column that a gold below its header lacks."""
    named = [("id_column", name) for name in (settings.id_column,) if name is not None]
    event = settings.described(gold=True).event
    if event is not None:
        named.append(("reference", event))
    for key, name in (*named, *settings.design_columns, *settings.table_columns):
        if name in table.nested:
            raise errors.ReferenceDataError(str(table.nested[name])) from table.nested[name]
        if name not in table.named:
            hint = other_columns(name, table.named) if table.names_are_public else ""
            where = settings.where(key)
            raise errors.SettingsError(f"{where}: {table.file} has no column {name!r}{hint}")


def _refuse_ragged(table: Table) -> None:
    """Raise ReferenceDataError for the first row of another width, or if there is no row."""
    for number, width in table.ragged.items():
        raise errors.ReferenceDataError(
            f"{table.file}: {table.row_noun} {number}: {width} cell{'s' if width != 1 else ''} "
            f"found, {len(table.columns)} expected. {what_of_widths([width], len(table.columns))} "
            "If rows may differ in width, a 'reader' of your own reads them."
        )
    refuse_no_example(table)


def refuse_no_example(table: Table) -> None:
    """Raise ReferenceDataError if a table has no row."""
    if not table.numbers:
        raise errors.ReferenceDataError(
            f"{table.file}: there is no example; add one row per example"
        )


def read_headed(
    content: bytes,
    file: str,
    settings: Settings,
    kind: str = ROWS,
    reader: FileFunction | None = None,
    *,
    wide: bool = False,
    named: Sequence[str] = (),
) -> Table:
    """Return the table of the gold, or of all teams, below its header.

    ``reader`` is the organizer's own, if the settings name one. Columns that are ``named`` exist.
    A ``wide`` table of all teams is described as submissions are; the columns of a gold in plain
    CSV are `Words`.

    Raises
    ------
    ReferenceDataError
        The table is malformed.
    SettingsError
        A column that the settings name does not exist.
    """
    described = settings.described(gold=not wide)
    existing = [*named] if settings.id_column is None else [*named, settings.id_column]
    existing += [name for _, name in (*settings.design_columns, *settings.table_columns)]
    of_metrics = [spec.column for spec in settings.metrics if spec.column]
    wanted = [*existing, *of_metrics, *_columns_beside(settings)]
    try:
        if reader is None:
            table = read_examples(content, file, kind, described, gold=True, packed=not wide)
        else:
            read = partial(readers.read, reader, reader.path, reader.of_folders)
            with silenced(output=True):
                table = read(content, file, design=[name for _, name in settings.design_columns])
        single = columns_of_single_values(table, statements_of(settings), wanted, kind, wide=wide)
        table.refuse_nested(single)
        if kind == label_sets.KIND.name:
            table = label_sets.with_sets(table, of_metrics, gold=True)
    except errors.SubmissionError as error:  # the same defects, but the organizer's to fix
        raise errors.ReferenceDataError(str(error)) from error
    _refuse_ragged(table)
    table = _headed(table, wanted, kind, described, wide=wide)
    table = _in_usual_form(table, wanted)
    refuse_unknown_columns(table, settings)
    return table


def _headed(
    table: Table, wanted: Sequence[str], kind: str, described: FileDescription, *, wide: bool
) -> Table:
    """Return a gold below its header, without an index; ask if that may be another line."""
    # Late: the rule for rows reads the gold of most runs.
    from ..recognize.by_names import doubtful_golds
    from ..recognize.by_names.gold_headers import headed_gold, without_index

    table = without_index(table, wanted)
    if wide and table.header is None:
        from ..recognize.tables_of_scores.score_columns import first_row_names

        table = table.titled() if first_row_names(table) else table
    is_doubtful = kind == texts.KIND.name and doubtful_golds.names_are_doubtful(table, described)
    if is_doubtful and not {*(table.header or ())} & {*wanted}:
        doubtful_golds.ask_about_columns(table)
    table = headed_gold(table, wanted, is_doubtful=is_doubtful)
    if kind == texts.KIND.name and not described.columns and described.format == "auto":
        doubtful_golds.refuse_beginnings(table)
    if kind == samples.KIND.name:
        doubtful_golds.ask_for_answers(table, wanted)
    return table


def _in_usual_form(table: Table, stated: Collection[str]) -> Table:
    """Return a gold with one column of labels for several of zeros and ones, and Kaggle's Usage."""
    rows = one_hot(table.columns) if table.one_hot and len(table.named) > 1 else []
    if rows:
        labels = {"label": [str(row.index(1)) for row in rows]}
        table = replace(table.with_columns(labels), classes=tuple(table.named))
    usage = usage_column(table, stated)
    if usage in (None, USAGE):
        return table
    return replace(table, header=tuple(USAGE if name == usage else name for name in table.named))


def other_columns(name: str, columns: Collection[str]) -> str:
    """Return the nearest of the columns that there are or, if none is near, all of them."""
    return nearest(name, columns) or f" among {listed(map(repr, columns))}"


def _check_design(table: Table, settings: Settings, id_column: str | None, *, wide: bool) -> None:
    """Refuse groups, strata and slices that are the ids or Kaggle's Usage, or of two spellings.

    If there is no other column of ids, rows would be matched by position without need.
    """
    for key, name in settings.design_columns:
        if name == USAGE:
            raise errors.SettingsError(
                f"{settings.where(key)}: {name!r} separates public from private rows, which are "
                "resampled separately anyway; name another column, or remove the setting"
            )
        cells_of = table.named[name]
        lonely = id_column is None and not wide and is_id(name)
        if name == id_column or (lonely and len({*cells_of}) == len(cells_of)):
            raise errors.SettingsError(
                f"{settings.where(key)}: {name!r} differs in every row, like ids; name a "
                "column with repeated values, or remove the setting"
            )
        if spellings := in_several_spellings(cells.different(cells_of)):
            raise errors.ReferenceDataError(
                f"{table.file}: the column {name!r} ({key}) holds {spellings}; write it in one"
            )


def _notes(table: Table, ids_by_cells: str | None) -> Iterator[Phrase]:
    """Yield notes on how the reference data were read, if that is unusual.

    ``ids_by_cells`` is the column that holds the ids by its cells, and by no name.
    """
    yield from table.notes
    if table.empty_rows:
        yield Phrase(
            "Reference data: {count:n} row of empty cells was left out.",
            "Reference data: {count:n} rows of empty cells were left out.",
            count=table.empty_rows,
        )
    if ids_by_cells is not None:
        yield Phrase(
            "Reference data: the ids are in the column {column} (no two cells are equal). The "
            "setting id_column names another column."
            if table.names_are_public
            else "Reference data: the ids are in the first column of which no two cells are equal. "
            "The setting id_column names another column.",
            column=ids_by_cells,
        )


def in_order(gold: Gold) -> Gold:
    """Return the rows that are scored, sorted by their first target and then by id."""
    if gold.ids is None:
        order = np.arange(gold.total)
    elif isinstance(gold.ids, Words):
        order = gold.ids.order()
    else:
        order = np.array(sorted(range(gold.total), key=gold.ids.__getitem__))
    if gold.targets and gold.kind == ROWS:
        # Metrics by class are several times faster if the rows of one class are adjacent.
        first = gold.columns[gold.targets[0]]
        if isinstance(first, Coded):
            order = order[first.take(order).order()]
        else:
            order = np.array(sorted(order.tolist(), key=first.__getitem__))
    if gold.usage is None:
        return gold.take(order)
    counting = [row for row in order.tolist() if gold.usage[row] != IGNORED]
    if not counting:
        raise errors.ReferenceDataError(
            f"{gold.file}: {USAGE!r} ignores every row; score at least one"
        )
    ignored = gold.take([row for row in range(gold.total) if gold.usage[row] == IGNORED]).ids
    return replace(gold.take(counting), ignored=tuple(ignored or ()))


def in_several_spellings(different: Collection[str]) -> str | None:
    """Return what different labels, or groups, spell in several ways; None if nothing.

    Many names may differ in capital letters alone, as titles do, and so may single letters.
    """
    matches = [match for match in map(_WHOLE.fullmatch, different) if match]
    whole = [(match[1] if match[2] != "0" else None, match[2]) for match in matches]
    if len({*whole}) < len(whole):
        return "one whole number in several spellings, such as 1, 01 and 1.0"
    names = [" ".join(name.split()) for name in different if len(name) > 1]
    if len(different) <= FEW_CHOSEN_NAMES and len({*map(str.casefold, names)}) < len(names):
        return "one name in several spellings, which differ in capital letters or spaces alone"
    return None


def _usage(values: Sequence[str], table: Table) -> Sequence[str]:
    usage = [value.casefold() for value in values]
    for i, value in enumerate(usage):
        if value not in _USAGES:
            raise errors.ReferenceDataError(
                f"{table.file}: {table.place(i)}: the column {USAGE!r} must hold Public, "
                "Private or Ignored"
            )
    return usage


def refuse_usage(file: str, usage: Collection[str]) -> None:
    """Refuse rows of different usages where nothing separates them: all would count."""
    if len({value.casefold() for value in usage}) > 1:
        raise errors.ReferenceDataError(
            f"{file}: the column {USAGE!r} says which rows are public and which are private, and "
            "only predictions for one file of reference data are scored separately on the two; "
            "remove the public rows or, if all rows count, the column"
        )


def with_context(settings: Settings, names: Mapping[str, str]) -> Settings:
    """Return settings that call columns of groups, strata and slices by other names."""
    group = settings.group
    if isinstance(group, str):
        group = names.get(group, group)
    elif group is not None:
        group = (names.get(group[0], group[0]), names.get(group[1], group[1]))
    stratify = settings.stratify
    if stratify is not None:
        stratify = names.get(stratify, stratify)
    slices = tuple(names.get(name, name) for name in settings.slices)
    return replace(settings, group=group, stratify=stratify, slices=slices)


def refuse_settings_of_scores(settings: Settings, file: str) -> None:
    """Refuse settings of tables of scores where predictions are scored; raise SettingsError."""
    better = "greater_is_better"
    for key in ("unit", "system", "sample", better):
        if getattr(settings, key) is not None:
            instead = f"give each metric its own '{key}'" if key == better else "remove it"
            raise errors.SettingsError(
                f"{settings.where(key)}: the setting is for tables of scores, but {file} holds "
                f"correct answers; {instead}"
            )


def refuse_spoiled_ids(table: Table, settings: Settings) -> None:
    """Raise ReferenceDataError if a gold below its header has ids, but for a few of them.

    An id that is repeated, or empty, is named. Columns that settings name are no ids.
    """
    place = spoiled_key(table)
    for number, cells_of in enumerate(table.columns):
        if any(map(is_rounded, cells_of)):
            place = number
    named = {name for _, name in settings.design_columns}
    if place is not None and (table.header or ())[place] not in named:
        _check_ids(table.columns[place], table)


def _refuse_parts(table: Table, names: Iterable[str], settings: Settings) -> None:
    """Raise ReferenceDataError if a column tells training data, test data and the like apart.

    Columns that settings name do not.
    """
    used = {spec.column for spec in settings.metrics}
    used |= {name for _, name in settings.design_columns}
    beside = {name: table.named[name] for name in names if name not in used}
    if apart := parts_apart(table.file, beside):
        raise errors.ReferenceDataError(apart)


def _refuse_commas(table: Table, targets: NamedColumns) -> None:
    """Raise ReferenceDataError if numbers have decimal commas: they would silently be classes."""
    for cells_of in targets.values():
        if cells.have_decimal_commas(cells_of):
            place = table.place(next(i for i, cell in enumerate(cells_of) if "," in cell))
            raise errors.ReferenceDataError(
                f"{table.file}: {place}: the number has a decimal comma; write the decimal point "
                "as '.' or, if these are classes, name the metrics in the settings"
            )


def refuse_undivided(table: Table) -> None:
    """Raise ReferenceDataError if the lines of a gold may hold several cells that spaces divide."""
    if len(table.columns) > 1 or table.header is not None:
        return
    (lines,) = table.columns
    several = all(" " in line for line in lines)
    if several and len({*lines}) == len(lines) and not cells.are_numbers(" ".join(lines).split()):
        from ..recognize.by_names.gold_headers import OF_SEVERAL_CELLS  # late, as above

        raise errors.ReferenceDataError(
            f"{table.file}: {table.place(0)}: {UNDIVIDED}. {OF_SEVERAL_CELLS}"
        )


def refuse_other_usages(table: Table, settings: Settings) -> None:
    """Raise ReferenceDataError if a split of public and private rows says more than that."""
    named = [name for _, name in settings.design_columns]
    usage_column(table, named)


def refuse_repeated_names(table: Table) -> None:
    """Raise ReferenceDataError if two columns of a gold below its header have one name."""
    if repeated := repeated_name(filter(None, table.header or ())):
        raise errors.ReferenceDataError(
            f"{table.file}: {place_of(table.row_noun, 1)}: two columns are called {repeated!r}; "
            "rename one"
        )


def refuse_decimal_commas(table: Table) -> None:
    """Raise ReferenceDataError if cells below the header look like numbers with a decimal comma."""
    for cells_of in table.columns:
        if cells.have_decimal_commas(cells_of):
            row = next(i for i, cell in enumerate(cells_of) if "," in cell)
            raise errors.ReferenceDataError(
                f"{table.file}: {table.place(row)}: the number has a decimal comma; write the "
                "decimal point as '.', or state the comma, as in 'reference: {decimal: \",\"}' and "
                "'submissions: {decimal: \",\"}'. If these are classes, name the metrics in the "
                "settings"
            )


def _check_ids(ids: Sequence[str], table: Table) -> None:
    if ids.differ if isinstance(ids, Words) else len({*ids}) == len(ids) and all(ids):
        return
    seen: dict[str, int] = {}
    for i, value in enumerate(ids):
        where = f"{table.file}: {table.place(i)}"
        if not value:
            raise errors.ReferenceDataError(f"{where}: the id is empty; fill it in")
        if value in seen:
            rounded = "a spreadsheet has rounded the ids; write them as text"
            raise errors.ReferenceDataError(
                f"{where}: the id was already on {table.place(seen[value])}; "
                f"{rounded if is_rounded(value) else 'ids must be unique'}"
            )
        seen[value] = i


def _by_code(cells_of: Sequence[Any], is_target: bool) -> Sequence[Any]:
    """Return a column as Python's texts or, of few different labels, by code.

    That takes less memory, and what follows is faster.
    """
    by_code = None
    if is_target and isinstance(cells_of, Coded):
        return cells_of.in_order()
    if is_target and isinstance(cells_of, Words):
        by_code = cells_of.coded()
    if by_code is None:
        cells_of = [*cells_of] if isinstance(cells_of, Packed) else cells_of
        by_code = coded_cells(cells_of) if is_target else None
    return cells_of if by_code is None else by_code


def statements_of(settings: Settings) -> GoldStatements:
    """Return what the settings say about the columns of a gold."""
    plain = [spec.column for spec in settings.metrics if not spec.formula]
    return GoldStatements(
        id_column=settings.id_column,
        design=tuple(name for _, name in settings.design_columns),
        group=settings.group,
        beside=tuple(
            filter(None, (settings.stratify, *settings.slices, *_columns_beside(settings)))
        ),
        scored=frozenset(spec.column for spec in settings.metrics if spec.column),
        names_all_scored=bool(plain) and all(plain),
        names_systems=bool(settings.system),
    )


def _columns_beside(settings: Settings) -> list[str]:
    """Return the columns that hold weights or events for some metric."""
    names = [spec.weight_column for spec in settings.metrics if spec.weight_column is not None]
    event = settings.described(gold=True).event
    return names if event is None else [*names, event]
