"""The columns of a submission by their names: its header, its ids and its predictions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from ...core.cells import Label, are_numbers, is_number, numbers
from ...core.errors import SubmissionError, listed, quoted
from ...core.phrases import Phrase
from ...reading.formats import fields
from ...reading.table import NamedColumns, Table, place_of
from ..expected import BY_CLASS, Expected, Target
from ..of_kinds.roles_by_name import ID, DataField, is_id
from ..usual_names import PREDICTED_NAMES, SCORE_NAMES, TARGET_NAMES, is_nameless
from .line_beginnings import UNDIVIDED
from .usual_columns import PREDICTION_NAMES, differ, names_of_targets


def headed_submission(table: Table, expected: Expected) -> Table:
    """Return a submission with a header: its first row or, without one, ids and what is predicted.

    A first row is a header if it holds a known name or, of several columns, a text above numbers
    alone, or if the ids start below it. One that starts with an id of the test set, which may be a
    class, is a header only if it names the column of the ids, and a label is none where the rows
    are as many as they should be. Some formats state the names.

    Raises
    ------
    SubmissionError
        Names are repeated, there are no rows below the header, or the roles of columns without
        names are unclear.
    """
    if table.header is not None:
        return table
    first = table.first_row
    below = table.below_first()
    targets = expected.columns
    ids = expected.known_ids
    names = map(
        str.casefold, (*expected.known_columns, expected.id_column, *expected.called.values())
    )
    recognized = {*PREDICTION_NAMES, "id", *names}
    names_something = (len(first) > 1 and is_nameless(first[0])) or any(
        (cell.casefold() in recognized and cell not in cells)
        or (len(first) > 1 and bool(cells) and not is_number(cell) and are_numbers(cells))
        for cell, cells in zip(first, below.columns, strict=True)
    )
    ids_start_below = len(first) > 1 and bool(below.numbers) and below.first_row[0] in ids
    labels = {str(label) for labels in expected.targets.values() for label in labels}
    is_label = len(first) == 1 and len(table.numbers) == expected.total and first[0] in labels
    may_be_header = first[0] not in ids and not is_label and (names_something or ids_start_below)
    if may_be_header or _names_ids(first, below, expected):
        fields.refuse_repeated(table, first)
        if below.numbers:
            return replace(below, header=tuple(first), untitled=True)
        missing = Phrase("there is a header but no row; add one row per example")
        raise table.refusal("{file}: {place}: {defect}", place=table.place(0), defect=missing)
    # Where there are several targets, the first column may still hold ids, and another be missing.
    are_ids = len(first) > 1 and 2 * len({*table.columns[0]} & ids) > len(table.columns[0])
    has_ids = are_ids or len(first) != len(targets)
    several = len(targets) > 1
    if len(first) == len(targets) + has_ids and (expected.in_order or not several):
        usual = ("id", *targets) if has_ids else (*targets,)
        return replace(table, header=usual, untitled=True, nameless=True)
    missing = _no_names(table, expected, has_ids=has_ids, are_ids=are_ids)
    raise table.refusal("{file}: {place}: {defect}", place=table.place(0), defect=missing)


def _names_ids(first: Sequence[str], below: Table, expected: Expected) -> bool:
    """Whether a first row names the column in which most cells below are ids of the test set."""
    ids = expected.known_ids
    name = expected.id_column
    called = (is_id(cell) or cell.casefold() == name.casefold() for cell in first)
    return any(
        is_name and cell not in {*ids, *cells} and 2 * len({*cells} & ids) > len(cells)
        for is_name, cell, cells in zip(called, first, below.columns, strict=True)
    )


def _no_names(table: Table, expected: Expected, *, has_ids: bool, are_ids: bool) -> Phrase:
    """Return what to do about columns without names, of which nobody knows which is whose.

    The first one should hold ids (``has_ids``), or it does (``are_ids``).
    """
    first = table.first_row
    targets = expected.columns
    several = len(expected.columns) > 1
    problem = Phrase("{number} columns have no names", number=len(first))
    if len(first) == 1:
        problem = Phrase("1 column: {undivided}", undivided=UNDIVIDED)
    public = [expected.public_id_column] * has_ids + [*map(expected.public_name, targets)]
    if several:
        return Phrase(
            "{problem}; add a header such as {header}, in the order of your columns and with their "
            "delimiter (organizers: if all files have one order, state it as in {setting})",
            problem=problem,
            header=f"'{','.join(public)}'",
            setting=repr(f"submissions: {{columns: [{', '.join(public)}]}}"),
        )
    header = expected.header
    add = Phrase("{problem}; add a header such as {header}", problem=problem, header=header)
    if len(first) < 3 or not public or any(target.kind in BY_CLASS for target in expected.targets):
        return add
    columns = f"{'id: 1, ' * are_ids}{public[-1]}: {len(first)}"
    return Phrase(
        "{add} (organizers: if all files have these columns, say which one counts, as in "
        "{setting})",
        add=add,
        setting=repr(f"submissions: {{columns: {{{columns}}}}}"),
    )


def submission_id_column(table: Table, expected: Expected) -> str | None:
    """Return the column that matches rows by id; None if they are matched by position.

    It is the stated one, called as in the gold, or "id", or else like an id. If only its cells
    implied the gold's id column, only its name counts. Under any other name, a column identifies
    the rows if more than half of its cells are different known ids, it is not called like
    predictions, because labels may look like ids, and some column is called so or has no name: else
    there may be no header.
    """
    columns = table.named
    if expected.ids is None:
        return None
    stated = ("id",) if "id" in table.stated else ()
    id_column = expected.id_column
    names = (*stated, *map(str.casefold, (expected.called.get(id_column, id_column), id_column)))
    called = DataField("id", names)
    if expected.ids_are_public:
        called = replace(ID, names=(*called.names, "id"))
    if (name := called.among(columns)) is not None:
        return name
    taken = called_predictions(expected.names_of_columns)
    if not any(name.casefold() in taken or is_nameless(name) for name in columns):
        return None
    for name, values in columns.items():
        if name.casefold() not in taken and 2 * len(expected.known_ids & {*values}) > len(values):
            return name
    return None


def column_of_unknown_ids(columns: NamedColumns, targets: Collection[str]) -> str | None:
    """Return a column that holds only ids, of any test set: different words without spaces."""
    taken = called_predictions(targets)
    for name, values in columns.items():
        words = name.casefold() not in taken and differ(values) and not any(map(is_number, values))
        if words and all(value and " " not in value for value in values):
            return name
    return None


def called_predictions(targets: Collection[str]) -> set[str]:
    """Return what columns of predictions for some targets are called, in small letters."""
    return {*PREDICTION_NAMES, *map(str.casefold, targets)}


def prediction_columns(
    table: Table, id_column: str | None, target: Target, expected: Expected
) -> list[str]:
    """Return the submission's column for a target, or one column per class.

    If there is no other target, a column with any usual name fits, a stated one before others.
    Raises SubmissionError if none fits.
    """
    only = len(expected.columns) == 1
    column = target.column
    names = tuple(map(str.casefold, (expected.called.get(column, column), column)))
    beside_ids = [name for name in table.named if name != id_column]
    odd = {name for name in beside_ids if is_id(name) or is_nameless(name)}
    able = [name for name in beside_ids if name.casefold() in names or name not in odd]
    by_name = {name.casefold(): name for name in reversed(able)}
    classes = list(map(str, expected.targets[target]))
    by_class = classes if len(classes) > 1 and {*classes} <= {*able} else []
    wanted = names
    if only:
        scores = SCORE_NAMES if target.kind in BY_CLASS else ()
        wanted = (*scores, *PREDICTED_NAMES, *names, *names_of_targets(target.kind))
    # A class may be called "y".
    named = [by_name[name] for name in wanted if by_name.get(name, "") not in ("", *by_class)]
    # Where labels are scored, too, a stated column is theirs unless it is called like scores.
    kinds = {asked.kind for asked in expected.targets}
    of_labels = target.kind in BY_CLASS and not kinds.issubset(BY_CLASS)
    scored = [name for name in named if not of_labels or name.casefold() in SCORE_NAMES]
    stated = [name for name in scored if name in table.stated]
    if by_class and target.kind in BY_CLASS and (len(by_class) > 2 or not stated):
        return by_class
    if named and not stated:
        table.refuse_nested(name for name in table.nested if name.casefold() == column)
        _refuse_twins(named[0], able, table, expected)
    if named:
        return (stated or named)[:1]
    if not by_class:
        table.refuse_nested(table.nested)
    only_able = able if only and len(able) == 1 else by_class
    if not only_able:
        raise _no_columns(table, target, expected)
    return only_able


def _refuse_twins(used: str, able: Sequence[str], table: Table, expected: Expected) -> None:
    """Refuse a file with a column such as ``age_pred`` beside ``age``, which would be scored."""
    targets = {used.casefold(), *map(str.casefold, expected.names_of_columns)}
    beside = {letters(name): name for name in able if name.casefold() not in targets}
    twins = {}
    for name in able:
        if name.casefold() not in targets:
            continue
        for mark in map(letters, PREDICTED_NAMES):
            for twin in (letters(name) + mark, mark + letters(name)):
                if twin in beside:
                    twins[name] = beside[twin]
    if used in twins:
        raise table.refusal(
            "{file}: the predictions may stand in {columns} or in {others}; leave out the columns "
            "that are no predictions, and call those that are {columns}",
            columns=listed(map(quoted, twins)),
            others=listed(map(quoted, twins.values())),
        )


def letters(name: str) -> str:
    """Return a column's name in small letters, without spaces and signs."""
    return "".join(filter(str.isalnum, name.casefold()))


def _no_columns(table: Table, target: Target, expected: Expected) -> SubmissionError:
    """Return the error where no column is called like the predictions of a target."""
    lacking = Phrase("column {column}", column=repr(expected.public_name(target.column)))
    labels = {str(label).casefold() for label in expected.targets[target]}
    if target.kind in BY_CLASS and len(expected.targets[target]) > 2:
        lacking = Phrase("column for each class")
        remedy = Phrase("call every column of numbers like its label")
        if expected.labels_are_public:
            remedy = Phrase(
                "{remedy}, or write a header such as {header}",
                remedy=remedy,
                header=expected.header,
            )
    elif target.kind in BY_CLASS and labels and labels <= {*map(str.casefold, table.named)}:
        lacking = Phrase("column for each class")
        remedy = Phrase("write the labels with the same capital and small letters as the task does")
    elif table.one_hot and len(table.named) > 1:
        remedy = Phrase("save one label for each example, not one number for each class")
    elif table.untitled:
        remedy = Phrase(
            "rename the one that holds the predictions, or write a header such as {header}",
            header=expected.header,
        )
    else:
        remedy = Phrase(
            "call the one that holds the predictions {column}, and the one of the ids {id}",
            column=repr(expected.public_name(target.column)),
            id=repr(expected.public_id_column),
        )
    place = place_of(table.row_noun, 1)
    return fields.no_column_error(table.file, place, lacking, table.named, remedy)


def labels_of_confidence(
    columns: NamedColumns, name: str, target: str, labels: Sequence[Label]
) -> list[str]:
    """Return the columns of labels of which a prediction may say how sure each is.

    The column ``name`` was read as the scores of the positive class of a ``target``.
    """
    if name.casefold() not in SCORE_NAMES:
        return []
    rivals = rival_columns(columns, (name,), [target])
    if not rivals:
        return []
    from ..contradictions import say_how_sure  # late: beside rivals alone

    values = numbers(columns[name])
    return [rival for rival in rivals if say_how_sure(values, columns[rival], labels)]


def rival_columns(header: Iterable[str], used: Sequence[str], names: Iterable[str]) -> list[str]:
    """Return other columns than the ``used`` ones that are called like predictions."""
    usual = {*map(str.casefold, names), *TARGET_NAMES}
    return [name for name in header if name.casefold() in usual and name not in used]
