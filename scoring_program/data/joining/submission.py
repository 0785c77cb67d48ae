"""One submission: joined to the test set by id, with every cell checked and all problems reported.

No message shows a gold value: participants read the messages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ...core.cells import Label, are_acceptable, is_number, numbers, taken
from ...core.errors import ENOUGH, Problems, SubmissionError, listed, quoted
from ...core.phrases import Phrase, counted, joined, ngettext_noop
from ...reading.formats import label_sets
from ...reading.formats.kind import ROWS
from ...reading.names import natural_key
from ...reading.table import RECORD, FileRows, NamedColumns, Table, place_of, rows_by_id
from ...recognize.by_names.line_beginnings import (
    UNDIVIDED,
    are_row_numbers,
    bare_id,
    begin_with_ids,
    unknown_beginnings,
    with_ids_apart,
)
from ...recognize.by_names.submission_columns import (
    column_of_unknown_ids,
    headed_submission,
    labels_of_confidence,
    letters,
    prediction_columns,
    rival_columns,
    submission_id_column,
)
from ...recognize.expected import BY_CLASS, Expected, Target
from ...recognize.of_kinds.roles_by_name import is_id
from ...recognize.usual_names import (
    LONGEST_ORDERED_ID,
    ROUNDING_OF_SUMS,
    TELL_ROWS,
    is_nameless,
)
from .diagnoses import what_of_widths, why_other_ids, wrong_number
from .predictions import Column, in_other_letters, parse_columns

if TYPE_CHECKING:
    from ...core.arrays import Array, Bools, Coded, Floats
    from ...recognize.reading_record import Side

_ADD_A_ROW = Phrase("Add a row for every example that has none.")
_AS_THE_TEST_SET = Phrase("Write every id as the test set does.")
_KEEP_ONE = Phrase("Keep one row for each id.")
_REMOVE = Phrase("Remove the rows whose ids are not in the test set.")
_OF_PREDICTED = Phrase(
    "column of scores that may not be of the positive class",
    "columns of scores that may not be of the positive class",
)
_OF_POSITIVE = Phrase(
    "Write the score of the positive class on every row: for probabilities, 1 minus yours where "
    "you predict the other class. If it is that already, leave out the column of labels."
)
#: What notes say of rows that are passed over.
_PASSED_OVER = ngettext_noop(
    "{count:n} row whose id is not in the test set was passed over.",
    "{count:n} rows whose ids are not in the test set were passed over.",
)
_NOT_JUDGED = ngettext_noop(
    "{count:n} query without judgments was left out.",
    "{count:n} queries without judgments were left out.",
)


@dataclass(frozen=True)
class ColumnsRead:
    """What was read of a file of another kind of data than rows.

    ``columns`` are "id", the columns of the test set that are predicted, and those of which a kind
    makes its examples → what the file calls each, by name or number; of labels with a column each,
    label → column. Without any, the format that is called ``form`` says where they stand.
    ``holds`` is what numbers are, where that format does not say it.
    """

    form: str
    columns: Mapping[str, Any]
    holds: str = ""


@dataclass(frozen=True, eq=False)
class Entry:
    """One submission, aligned: row i of every array belongs to example i of the gold."""

    name: str
    predictions: Mapping[Target, Array]  # [n], or [n, c] with one column per class
    file: FileRows  # all its columns, if a metric reads them
    sha256: str
    notes: tuple[Phrase, ...] = ()  # how it was read, if that is unusual
    form: str | Phrase = ""  # what the format of its file is called
    missing: int = 0  # missing predictions, which count as wrong
    by_position: bool = False  # whether its rows lack the ids that the test set has
    #: Columns that the gold has and nothing scores → whether it differs from the gold's, a secret.
    unscored: Mapping[str, bool] = field(default_factory=dict)
    unread: bool = False  # whether it has other columns, which the gold does not have
    not_read: tuple[str, ...] = ()  # what these are called, where it is stated what is read
    side: Side | None = None  # how its columns were read, where that was recognized
    read: ColumnsRead | None = None  # what was read, of other kinds than rows
    absent: Mapping[Target, Bools] = field(default_factory=dict)  # [n] which labels are missing
    #: Of open answers that are no label: which label each would be in other letters, [n] with None.
    respelled: Mapping[Target, Sequence[Label | None]] = field(default_factory=dict)
    #: People's scores [n] beside a judge's, nan where people gave none (`core.people`).
    people: Mapping[Target, Floats] = field(default_factory=dict)
    #: Predicted labels by code, [n], an eighth of an array, until they are predictions.
    packed: Mapping[Target, Coded] = field(default_factory=dict)

    @property
    def columns(self) -> dict[str, list[str]]:
        """All its columns as texts [n], if a metric reads them."""
        return self.file.texts

    def take(self, rows: Sequence[int]) -> Entry:
        """Return the entry on some of the examples."""
        return replace(
            self,
            predictions={target: array[rows] for target, array in self.predictions.items()},
            file=self.file.take(rows) if self.file.columns else self.file,
            absent={target: lacks[rows] for target, lacks in self.absent.items()},
            respelled={
                target: taken(labels_of_rows, rows)
                for target, labels_of_rows in self.respelled.items()
            },
            people={target: scores[rows] for target, scores in self.people.items()},
        )


@dataclass(frozen=True, eq=False)
class Bound:
    """The table of a submission whose columns have roles: what can be joined and converted.

    ``id_column`` is None where rows are matched by position. A target has one column, or one for
    each class.
    """

    table: Table
    id_column: str | None
    predictions: Mapping[Target, Sequence[str]]

    @property
    def used(self) -> tuple[str, ...]:
        """The columns of predictions."""
        return tuple(name for names in self.predictions.values() for name in names)


def names_at(
    places: Mapping[Target, Sequence[int]], header: Sequence[str]
) -> dict[Target, Sequence[str]]:
    """Return the names of the columns of every target, from where they stand."""
    names: dict[Target, Sequence[str]] = {}
    for target, places_of_target in places.items():
        names[target] = tuple(header[place] for place in places_of_target)
    return names


def headed_by_names(
    table: Table, expected: Expected, problems: Problems
) -> tuple[Table, str | None]:
    """Return a table with its header, and its column of ids by name; None if there is none.

    ``expected`` is what is asked of `every` row. Rows of another width are added to the problems.

    Raises SubmissionError where the names say too little.
    """
    if expected.ids is not None:
        table = with_ids_apart(table, expected.known_ids, len(expected.columns))
    table = _headed(table, expected, problems)
    return table, submission_id_column(table, expected)


def predictions_by_names(
    table: Table, id_column: str | None, expected: Expected
) -> dict[Target, Sequence[str]]:
    """Return the columns of every target by their names; raise SubmissionError if one has none."""
    return {
        target: prediction_columns(table, id_column, target, expected)
        for target in expected.targets
    }


def examine(table: Table, expected: Expected, name: str = "", sha256: str = "") -> Entry:
    """Check one submission and sort it like the examples; see `examine_bound`.

    The names of its columns say what they hold.
    """
    every = expected.every
    problems = Problems(table.file)
    table, id_column = headed_by_names(table, every, problems)
    rows = rows_of_examples(table, id_column, every, problems)
    bound = Bound(table, id_column, predictions_by_names(table, id_column, every))
    if expected.kind == label_sets.KIND.name:
        bound = replace(bound, table=label_sets.with_sets(table, bound.used, gold=False))
    entry = examine_bound(bound, rows, expected, problems, name, sha256)
    return replace(entry, read=None if expected.kind == ROWS else columns_read(bound))


def columns_read(bound: Bound) -> ColumnsRead:
    """Return what was read of a file of another kind of data than rows."""
    table = bound.table
    names = {target.column: columns[0] for target, columns in bound.predictions.items()}
    columns = columns_in_file(table.fields, table.in_file, bound.id_column, names)
    return ColumnsRead(table.form, columns, table.holds)


def columns_in_file(
    fields: Mapping[str, Any],
    in_file: Mapping[str, Any],
    id_column: str | None,
    examples: Mapping[str, str],
) -> dict[str, Any]:
    """Return role → what a file calls its column; see `ColumnsRead`.

    ``fields`` and ``in_file`` are those of the `Table`. ``examples`` maps the columns of the test
    set that are predicted to their own in the table.
    """
    columns = {role: column for role, column in fields.items() if role != "id"}
    id_in_file = fields.get("id", in_file.get(id_column or ""))
    if id_column is not None and id_in_file is not None:
        columns = {"id": id_in_file, **columns}
    makes_examples = any(role != "id" for role in fields)
    for target, name in examples.items():
        if name in fields:
            columns[target] = columns.pop(name)
        elif name in in_file and not makes_examples:
            columns[target] = in_file[name]
    return {role: column for role, column in columns.items() if column != ()}


def rows_of_examples(
    table: Table, id_column: str | None, expected: Expected, problems: Problems
) -> Sequence[int]:
    """Return the row of every example; −1 for one that is missing, if that is allowed.

    ``expected`` is what is asked of `every` row. Missing, duplicate and extra ids are added to the
    problems; SubmissionError is raised where nothing else can be checked.
    """
    problems.rows = len(table.numbers)
    if id_column is None:
        return _by_position(table, expected, problems)
    return _by_id(id_column, table, expected, problems)


def examine_bound(
    bound: Bound,
    rows: Sequence[int],
    expected: Expected,
    problems: Problems,
    name: str = "",
    sha256: str = "",
) -> Entry:
    """Check one submission whose columns have roles, and sort it like the examples.

    ``rows`` holds the row of `every` example, and ``problems`` those found so far. The predictions
    are not arrays yet, but a list of columns for each target, [n] each. A missing label is None.

    Raises
    ------
    SubmissionError
        Every problem of the file, together: missing, duplicate and extra ids, wrong counts, unknown
        labels, empty cells, values that are not finite numbers, and improper probabilities. Ignored
        rows count: what they lack is a problem, too.
    """
    n = expected.n
    expected = expected.every
    table = bound.table
    id_column = bound.id_column
    columns = table.named
    predictions: dict[Target, Any] = {}
    respelled: dict[Target, Sequence[Label | None]] = {}
    used: list[str] = []
    for target, names in bound.predictions.items():
        labels = expected.targets[target]
        public = [(expected.public_name(name), columns[name]) for name in names]
        class_columns = [Column(name, cells, table.places, rows) for name, cells in public]
        _refuse_lacking_classes(labels, table, expected)
        if len(names) > 1:
            beside = _unread(table, id_column, [*used, *names], expected)
            _refuse_other_classes(names, beside, table)
        parsed = parse_columns(class_columns, target, expected, problems)
        guessed = expected.sent is None
        if guessed and target.kind in BY_CLASS and len(names) == 1 and len(labels) == 2:
            _report_confidence(names[0], target.column, columns, labels, problems)
        predictions[target] = [column[:n] for column in parsed]
        if expected.labels_are_open and target.kind == "labels":
            respelled[target] = in_other_letters(class_columns[0], labels)[:n]
        used.extend(names)
    by_id = id_column is not None
    problems.raise_if_any(expected.asked(by_id=by_id))
    if not by_id:
        _refuse_unknown_ids(table, used, expected)
        _refuse_moved_columns(table, used, expected, n)
    file = FileRows(columns, rows[:n]) if expected.keep_columns else FileRows()
    notes = tuple(_notes(table, id_column, used, expected))
    missing = rows.count(-1) if by_id and not expected.lists_findings else 0
    by_position = not by_id and expected.ids is not None
    unscored = _differences_beside(table, rows, expected)
    unread = bool(_unread(table, id_column, used, expected))
    entry = Entry(
        name, predictions, file, sha256, notes, table.label, missing, by_position, unscored, unread
    )
    return replace(entry, respelled=respelled)


def _differences_beside(table: Table, rows: Sequence[int], expected: Expected) -> dict[str, bool]:
    """Return whether each column that no metric scores differs from that of the reference data.

    Columns that have no names in the file are those of no other file. An empty column of the
    reference data, such as one to fill in, holds no other answers.
    """
    if expected.kind != ROWS or table.untitled:
        return {}
    columns = table.named
    differences = {}
    for name, cells in expected.beside.items():
        if name in expected.known_columns and name in columns and any(cells):
            differences[name] = _differs(columns[name], rows, cells)
    return differences


def _report_confidence(
    name: str, target: str, columns: NamedColumns, labels: Sequence[Label], problems: Problems
) -> None:
    """Report scores that say how sure the labels beside them are, not how likely one class is."""
    if _OF_PREDICTED in problems.counts:
        return
    for rival in labels_of_confidence(columns, name, target, labels):
        problems.add(
            _OF_PREDICTED,
            "column {column}: it may say how sure the label in the column {other} is",
            _OF_POSITIVE,
            has_row=False,
            column=quoted(name),
            other=quoted(rival),
        )


def _differs(values: Sequence[str], rows: Sequence[int], cells: Sequence[str]) -> bool:
    """Whether a column differs from the gold's, [n], not only in how it writes numbers."""
    pairs = ((values[row], cell) for row, cell in zip(rows, cells, strict=False) if row >= 0)
    return any(
        cell_in_file != cell
        and not (is_number(cell_in_file) and is_number(cell) and float(cell_in_file) == float(cell))
        for cell_in_file, cell in pairs
    )


def _headed(table: Table, expected: Expected, problems: Problems) -> Table:
    """Return a table with its header; report rows of another width."""
    header = table.header or ()
    labels = {
        str(label) for labels_of_target in expected.targets.values() for label in labels_of_target
    }
    names_classes = labels <= {*header} and expected.known_ids.isdisjoint({*header} - labels)
    # An example, of which delimiters made many columns; but a class may be an id, too.
    is_example = len(header) > 1 + len(expected.columns) and header[0] in expected.known_ids
    if is_example and not (header[0] in labels and names_classes):
        if table.row_noun == RECORD:
            raise table.refusal(
                "{file}: the keys are ids of the test set, but each holds a list; write the "
                "prediction itself, such as {mapping}",
                mapping='{"t1": "a", …}',
            )
        raise table.refusal(
            "{file}: {place}: {columns} found, {width} expected; quote texts that hold the "
            "delimiter, and write a header such as {header} as the first line",
            place=place_of(table.row_noun, 1),
            columns=counted(len(header), Phrase("column", "columns")),
            width=1 + len(expected.columns),
            header=expected.header,
        )
    report_other_widths(table, expected, problems)
    return headed_submission(table, expected)


def report_other_widths(table: Table, expected: Expected, problems: Problems) -> None:
    """Report rows of another width; raise SubmissionError if hardly any has that of the table."""
    n = len(table.columns)
    widths = table.ragged.values()
    read = len(table.numbers) - (table.header is None)
    like = Phrase("Expected a header such as {header}, and rows like it.", header=expected.header)
    if read == 0 and widths and max(widths) < n:
        every = Phrase(
            "{file}: every row has fewer columns than the header: {width} of {expected}",
            file=table.file,
            width=max(widths),
            expected=n,
        )
        first_ragged = list(table.ragged.items())[:ENOUGH]
        examples = [
            Phrase("  - {detail}", detail=_other_width(table, *row)) for row in first_ragged
        ]
        more = Phrase("Give every row as many columns as the header has names.")
        remedy = what_of_widths({1}, n) if max(widths) == 1 else more
        raise SubmissionError(joined([every, *examples, remedy, like]))
    remedies = what_of_widths(widths, n) if widths else None
    of_other_width = Phrase("row of the wrong width", "rows of the wrong width")
    for number, width in table.ragged.items():
        problems.add(of_other_width, partial(_other_width, table, number, width), remedies)
    if len(table.ragged) >= read:  # what is left to check says little
        problems.rows = len(table.ragged)
        problems.raise_if_any(like)


def _other_width(table: Table, number: int, width: int) -> Phrase:
    return Phrase(
        "{place}: {cells} found, {expected} expected",
        place=place_of(table.row_noun, number),
        cells=counted(width, Phrase("cell", "cells")),
        expected=len(table.columns),
    )


def _refuse_lacking_classes(labels: Sequence[Label], table: Table, expected: Expected) -> None:
    """Refuse columns of ones and zeros if there is none for some label, which may be a mistake."""
    lacking = [label for label in map(str, labels) if label not in table.classes]
    if table.classes and lacking:
        raise table.refusal(
            "{file}: there is no column of ones and zeros for {labels}; write one column for "
            "each label of the task, of zeros where you predict it nowhere",
            labels=listed(map(quoted, lacking))
            if expected.labels_are_public
            else Phrase("every label of the task"),
        )


def _unread(
    table: Table, id_column: str | None, used: Sequence[str], expected: Expected
) -> list[str]:
    """Return the columns that are neither read nor known from the gold."""
    accounted = {id_column, *used, *expected.beside, *expected.known_columns}
    return [
        name for name in table.named if not (name in accounted or is_id(name) or is_nameless(name))
    ]


def _refuse_other_classes(names: Sequence[str], beside: Sequence[str], table: Table) -> None:
    """Refuse columns of numbers beside those of all labels: they would be left out unseen.

    They may be of a class that the gold lacks, unless probabilities sum to 1 without them.
    """
    odd = [name for name in beside if are_acceptable(numbers(table.named[name]))]
    rows = zip(*(numbers(table.named[name]) for name in names), strict=True) if odd else ()
    if any(not abs(sum(row) - 1) <= ROUNDING_OF_SUMS for row in rows):
        raise table.refusal(
            "{file}: column {columns} may be of a class, but the task has no such label; leave it "
            "out, or write one column for each label. Organizers: if no example has this label, "
            "list all labels in the setting 'labels'.",
            columns=listed(map(quoted, odd)),
        )


def _notes(
    table: Table, id_column: str | None, used: Sequence[str], expected: Expected
) -> Iterator[Phrase]:
    """Yield notes on what is unusual: how rows were matched, what was left out or scored."""
    yield from table.notes
    if id_column is None:
        has_ids = any(map(is_id, table.named))
        if expected.ids is not None and has_ids:
            yield Phrase(
                "Rows were matched by position, because no column holds the ids of the test set."
            )
        else:
            yield Phrase(
                "Rows were matched by position, because the reference data have no ids."
                if has_ids
                else "Rows were matched by position, because there are no ids."
            )
    elif expected.may_exceed:
        beyond = {*table.named[id_column]} - expected.known_ids
        if beyond:
            sentence = _PASSED_OVER if expected.extra_ids == "ignore" else _NOT_JUDGED
            yield Phrase(*sentence, count=len(beyond))
    if table.empty_rows:
        yield Phrase("Rows of empty cells were left out.")
    if len(expected.columns) == 1 and expected.sent is None:
        rivals = rival_columns(table.named, used, expected.names_of_columns)
        if rivals:
            read = _as_in_file(used, table)
            yield Phrase(
                "Column {read} was scored. Not read: {others:n}.",
                "Columns {read} were scored. Not read: {others:n}.",
                count=len(read),
                read=read,
                others=_as_in_file(rivals, table),
            )


def _as_in_file(names: Sequence[str], table: Table) -> tuple[str, ...]:
    """Return what a file calls columns that the settings may call otherwise, for messages."""
    return tuple(quoted(table.stated.get(name, name)) for name in names)


def _refuse_unknown_ids(table: Table, used: Sequence[str], expected: Expected) -> None:
    """Refuse to match rows by position if a column seems to hold their ids."""
    if expected.ids is None:
        return
    if not expected.ids_are_public and any(" " in value for value in expected.ids):
        return  # the column of ids may be one of texts
    beside = {name: values for name, values in table.named.items() if name not in used}
    name = column_of_unknown_ids(beside, expected.names_of_columns)
    if name is not None:
        raise table.refusal(
            "{file}: column {column} looks like ids, but hardly any of them is in the test "
            "set; write the ids of the test set into a column {name}, or leave the column out "
            "to match rows by position",
            column=quoted(name),
            name=repr(expected.public_id_column),
        )


def _by_position(table: Table, expected: Expected, problems: Problems) -> Sequence[int]:
    """Match rows by position. Their number must be right, and ids, if any, must differ."""
    problems.raise_if_any(Phrase("Without ids, rows are matched by position, so every row counts."))
    _refuse_beginnings(table, expected)
    table.refuse_nested([expected.id_column])
    if len(table.numbers) != expected.total:
        raise wrong_number(table, expected)
    if expected.ids is None and "id" in table.named:
        rows_by_id(table.named["id"], table, problems, _KEEP_ONE)
        problems.raise_if_any(Phrase("Give every row its own id; write the decimal point as '.'."))
        _refuse_other_order(table.named["id"], table)
    _refuse_moved_rows(table, expected)
    return expected.positions


def _refuse_moved_rows(table: Table, expected: Expected) -> None:
    """Refuse to match rows by position if a column that the gold has too is in another order.

    It is if it holds the same cells, or if most cells that differ are those of other examples,
    where these can be told apart. No row is named, because the gold's column may be secret.
    """
    alike = {letters(name): name for name in table.named}
    for known_name, of_gold in expected.beside.items():
        name = known_name if known_name in table.named else alike.get(letters(known_name))
        if name is None or not all(isinstance(cell, str) for cell in of_gold):
            continue
        in_file = (table.named[name][row] for row in expected.positions[: len(of_gold)])
        moved = [pair for pair in zip(in_file, of_gold, strict=True) if pair[0] != pair[1]]
        # Each cell counts once: a guess on every row must not tell whether the gold holds it.
        here, there = map(Counter, zip(*moved, strict=True)) if moved else (Counter(), Counter())
        moved_cells = (here & there).total()
        tell_apart = 2 * len({*of_gold}) > len(of_gold)
        if moved and (moved_cells == len(moved) or (tell_apart and 2 * moved_cells > len(moved))):
            raise _other_order(name, table)


def _refuse_moved_columns(table: Table, used: Sequence[str], expected: Expected, n: int) -> None:
    """Refuse to match the n examples by position if a column holds those of the gold, moved.

    Such columns may have other names than the gold's, or none, so that only their cells say which
    are the same: they must tell rows apart, or several together. Ranks are alike, too, so one
    column of these needs the same name.
    """
    every = {**table.named, **table.unnamed}
    unread = {name: cells for name, cells in every.items() if name not in used}
    if not unread:
        return
    ids = {} if expected.ids is None else {expected.id_column: expected.ids}
    beside = {**expected.beside, **expected.unnamed, **ids}
    of_gold = {name: list(cells)[:n] for name, cells in beside.items() if name not in table.named}
    of_file = {}
    for name, cells in unread.items():
        of_file[name] = [cells[row] for row in expected.positions[:n]]
    in_order = [*of_file.values()]
    lacking = {name: cells for name, cells in of_gold.items() if cells not in in_order}
    counts = {name: Counter(cells) for name, cells in lacking.items()}
    moved: dict[str, str] = {}  # column of the file → of the gold
    for name, cells in of_file.items() if lacking else ():
        if cells in of_gold.values():
            continue
        counted_cells = Counter(cells)
        alike = [column for column, count in counts.items() if count == counted_cells]
        moved.update((name, column) for column in alike[:1])
        tells_rows = len(counted_cells) >= min(n, TELL_ROWS)
        may_be_ranks = are_row_numbers([*counted_cells])
        if tells_rows and any(name == column or not may_be_ranks for column in alike):
            raise _other_order(name, table)
    keys = [*zip(*(of_file[name] for name in moved), strict=True)]
    keys_of_gold = zip(*(lacking[column] for column in moved.values()), strict=True)
    tell_rows = len(moved) > 1 and len({*keys}) >= min(n, TELL_ROWS)
    if tell_rows and Counter(keys) == Counter(keys_of_gold):
        raise _other_order(next(iter(moved)), table)


def _other_order(name: str, table: Table) -> SubmissionError:
    return table.refusal(
        "{file}: the column {name} is that of the test set in another order, and without "
        "ids, rows are matched by position; put the rows in the order of the test set",
        name=name if name in table.unnamed else quoted(name),
    )


def _is_above_table(cells: Sequence[str]) -> bool:
    """Whether one delimiter is in all cells below the first, and not in that one."""
    for mark in "\t;|,":
        in_all = all(mark in cell for cell in cells[1:])
        if in_all and mark not in cells[0]:
            return True
    return False


def _refuse_beginnings(table: Table, expected: Expected) -> None:
    """Refuse to match lines by position that begin with ids, or with what may be ids."""
    if len(table.named) > 1:
        return
    (cells,) = table.named.values()
    if begin_with_ids(cells, expected.known_ids):
        defect = Phrase(
            "The rows begin with ids, but {undivided}: put a comma or a tab between the id and "
            "the prediction, and write a header such as {header} as the first line.",
            undivided=UNDIVIDED,
            header=expected.header,
        )
        if not isinstance(cells[0], str):
            defect = Phrase(
                "The rows begin with ids: put a tab between the id and the labels of every row."
            )
        elif _is_above_table(cells) and not begin_with_ids(cells[:1], expected.known_ids):
            defect = Phrase(
                "{place} has no delimiter, and all lines below it have one: remove it, so that the "
                "first line is a header such as {header}",
                place=table.place(0),
                header=expected.header,
            )
    elif not expected.begin_alike and (words := unknown_beginnings(cells)):
        first, second = map(quoted, words)
        defect = Phrase(
            "every line begins with what may be an id, such as {first} and {second}, but the test "
            "set has no ids; write the predictions alone, in the order of the test set"
            if expected.ids is None
            else "every line begins with what may be an id, such as {first} and {second}, but "
            "hardly any of them is in the test set; write the ids of the test set",
            first=first,
            second=second,
        )
    else:
        return
    raise table.refusal("{file}: {problem}", problem=defect)


def _refuse_other_order(ids: Sequence[str], table: Table) -> None:
    """Refuse to match rows by position if their ids say that they are in another order."""
    if max(map(len, ids), default=0) > LONGEST_ORDERED_ID:
        return
    keys = list(map(natural_key, ids))
    row = next((row for row in range(1, len(keys)) if keys[row] < keys[row - 1]), None)
    if row is not None and ids != sorted(ids):
        raise table.refusal(
            "{file}: {place}: the test set has no ids, so rows are matched by position, but "
            "id {id} follows id {before}; put the rows in the order of the test set, and leave "
            "the ids out",
            place=table.place(row),
            id=quoted(ids[row]),
            before=quoted(ids[row - 1]),
        )


def _refuse_other_ids(id_column: str, table: Table, expected: Expected) -> None:
    """Refuse a file with hardly any id of the test set, and say what may have happened."""
    why = why_other_ids(id_column, table, expected)
    if not why:
        return
    ids = table.named[id_column]
    strange = [row for row, value in enumerate(ids) if value not in expected.known_ids]
    heading = Phrase(
        "{file}: {count} of {ids} is not in the test set"
        if len(strange) == 1
        else "{file}: {count} of {ids} are not in the test set",
        file=table.file,
        count=len(strange),
        ids=counted(len(ids), Phrase("id", "ids")),
    )
    examples = []
    for row in strange[:ENOUGH]:
        place = table.place(row)
        examples.append(Phrase("  - {place}: id {id}", place=place, id=quoted(ids[row])))
    raise SubmissionError(joined([heading, *examples, why, expected.asked(by_id=True)]))


def _by_id(id_column: str, table: Table, expected: Expected, problems: Problems) -> Sequence[int]:
    """Return the row of every example; −1 for one that is missing, if that is allowed."""
    ids = table.named[id_column]
    if ids == expected.ids_in_file:  # most files have this order
        return expected.positions
    ids_of_task = expected.ids or ()
    rows = dict(zip(ids, range(len(ids)), strict=True))
    if len(rows) == len(ids) == len(ids_of_task):
        rows_of_ids = [rows.get(value, -1) for value in ids_of_task]
        if -1 not in rows_of_ids:
            return rows_of_ids
    if expected.extra_ids != "ignore" or not rows.keys() >= {*ids_of_task}:
        _refuse_other_ids(id_column, table, expected)
    rows = rows_by_id(ids, table, problems, _KEEP_ONE)
    extra = set() if expected.may_exceed else rows.keys() - {*ids_of_task}
    # Implied ids may be a column of the gold that is secret.
    public_ids = (
        () if not expected.ids_are_public else sorted(ids_of_task)
    )  # the gold's order is secret
    remove = _REMOVE
    add = _ADD_A_ROW
    if expected.example is not None:
        remove = Phrase("Remove what the test set does not hold.")
        example = expected.example[0]
        add = Phrase("Add a prediction for every {example} that has none.", example=example)
    by_bare_id = {bare_id(value): value for value in public_ids} if extra else {}
    for value in [value for value in rows if value in extra]:
        similar = by_bare_id.get(bare_id(value))
        kind = Phrase("extra id", "extra ids")
        place = partial(table.place, rows[value])
        if not value:
            problems.add(kind, "{place}: the id is empty; fill it in", remove, place=place)
            continue
        problems.add(
            kind,
            "{place}: id {id} is not in the test set",
            _AS_THE_TEST_SET if similar else remove,
            hint=partial(_meant, similar) if similar else None,
            place=place,
            id=partial(quoted, value),
        )
    is_usual = 2 * len(extra) < len(ids)  # else all ids may be written in another way
    meant = set() if is_usual else {by_bare_id.get(bare_id(value)) for value in extra}
    lacking = [value for value in ids_of_task if value not in rows and value not in meant]
    # The ids of rows of the wrong width are unknown.
    required = expected.missing == "error" and not expected.lists_findings
    if required and len(lacking) > len(table.ragged):
        _report_missing(lacking, expected, problems, add)
    return [rows.get(value, -1) for value in ids_of_task]


def _report_missing(
    lacking: Sequence[str], expected: Expected, problems: Problems, remedy: Phrase
) -> None:
    """Report examples without a row: their ids or, where these are secret, their number."""
    if not expected.ids_are_public or expected.usage_is_secret:
        problems.add(
            Phrase("gap", "gaps"),
            "{number} of {total} examples have no row",
            remedy,
            has_row=False,
            number=len(lacking),
            total=expected.n,
        )
        return
    for value in sorted(lacking):
        problems.add(
            Phrase("missing id", "missing ids"),
            "{example} {id} is missing" if expected.example else "id {id} has no row",
            remedy,
            has_row=False,
            example=expected.example[0] if expected.example else "",
            id=partial(quoted, value),
        )


def _meant(value: str) -> Phrase:
    return Phrase("did you mean {id}?", id=quoted(value))
