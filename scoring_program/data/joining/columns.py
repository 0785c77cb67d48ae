"""Column roles: which row is a header, which column identifies, which is predicted."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from ...core.cells import AS_TEXTS, are_integers, are_numbers, are_texts, different, is_number
from ...core.errors import SEVERAL, ReferenceDataError, SubmissionError, listed, quoted
from ...core.phrases import Phrase
from ...reading.formats import KINDS, fields
from ...reading.table import NamedColumns, Table, place_of
from ...recognize.usual_names import (
    FEWEST_BEGINNINGS,
    PREDICTED_NAMES,
    SCORE_NAMES,
    TARGET_NAMES,
    UNLIKE_WORDS,
    USAGE,
    WINNER,
    WORDS_OF_A_NAME,
    is_nameless,
)
from .expected import BY_CLASS, UNDIVIDED, Expected, Target, are_row_numbers, bare_id

_PREDICTION_NAMES = frozenset((*TARGET_NAMES, *SCORE_NAMES))

_DIGITS = re.compile(r"\d")
_NUMBER = re.compile(r"\d+")
#: What may stand between an id and the prediction on one line. A dash may also be a minus sign.
_BETWEEN = re.compile(r"\s*(?:\|\|\||[-=]>|:=|\\t|[,;:|=>#/~，；：]|[-–—](?=\s))\s*|\s+")
_SPACES = re.compile(r"\s+")
_QUOTED = re.compile(r'"(?:[^"]|"")*"')


def names_of_targets(kind: str) -> tuple[str, ...]:
    """Return the usual names of columns that hold the gold or a prediction, best first."""
    return (*TARGET_NAMES, *(KINDS[kind].names if kind in KINDS else ()))


def usual_first(names: Iterable[str], kind: str, stated: Collection[str] = ()) -> list[str]:
    """Return names of columns, first usual ones of targets: stated ones, and best first."""
    usual = names_of_targets(kind)
    usual = (*(name for name in usual if name in stated), *usual)
    return sorted(names, key=lambda name: (*usual, name.casefold()).index(name.casefold()))


def without_index(table: Table, named: Collection[str]) -> Table:
    """Return the table without the index of a data frame, if that is its first column.

    The columns in ``named`` stay.
    """
    if table.header is not None or len(table.columns) < 2 or table.first_row[0] in named:
        return table
    numbers = table.columns[0][1:]
    rest = replace(table, columns=table.columns[1:])
    is_index = is_nameless(table.first_row[0]) and are_integers(numbers) and _differ(numbers)
    return rest if is_index and _is_header(rest.first_row, rest.below_first(), named) else table


def headed_gold(table: Table, named: Collection[str]) -> Table:
    """Return the gold with a header: its first row or, without one, the usual names.

    A first row is a header if it holds a known name or one of ``named``. Of several columns, it is
    also a header if all its cells are texts, the first no sentence, its last cell does not occur
    below, and its first cell is not an id like those below. Some formats state the names. Names
    that are `Table.unsure` may be an example of the gold, and no message may show them.

    Raises
    ------
    ReferenceDataError
        Names are repeated or empty, there are no rows below the header, three or more columns have
        no names, or the first row may be a header or an example.
    """
    if table.header is not None:
        if table.unsure and not {*table.header} & {*named}:
            if len(table.header) < 3:
                columns = "id, text" if len(table.header) > 1 else "text"
                raise ReferenceDataError(
                    f"{table.file}: the first line may hold column names or an example. If it "
                    "holds names, say so: 'reference: {header: true}'. If it holds an example: "
                    f"'reference: {{columns: [{columns}], header: false}}'"
                )
            raise ReferenceDataError(
                f"{table.file}: the first line may hold column names or an example. If it holds "
                "names, name the column to score with 'column:'. If it holds an example, say which "
                "column it is, such as 'reference: {columns: {label: 2}, header: false}', and the "
                "same for 'submissions'"
            )
        return replace(table, unsure=False)
    first = table.first_row
    below = table.below_first()
    where = f"{table.file}: {table.place(0)}"
    sure = _is_header(first, below, named)
    if sure or _may_be_header(first, below):
        if "" in first:
            raise ReferenceDataError(f"{where}: a column has no name; name every column")
        if repeated := fields.repeated_name(first):
            called = f"are called {repeated!r}" if sure else "have one name"
            raise ReferenceDataError(f"{where}: two columns {called}; rename one")
        if not below.numbers:
            raise ReferenceDataError(
                f"{where}: there is a header but no example; add one row per example"
            )
        if not sure:
            _refuse_doubt(table, below.columns[-1])
        return replace(below, header=tuple(first), unsure=not sure)
    if len(first) > 2:
        raise ReferenceDataError(
            f"{where}: {len(first)} columns have no names; {_name_all(len(first))}"
        )
    return replace(table, header=("id", "label") if len(first) == 2 else ("label",))


#: What to do about a gold with one cell per line that may hold more.
OF_SEVERAL_CELLS = (
    "If spaces separate cells, or some lines are no rows, describe the file in the settings, such "
    "as 'reference: {columns: [id, label], separator: whitespace, comment: \"#\"}', or with "
    "'skip_lines: 1'"
)


def _refuse_doubt(table: Table, cells: Sequence[str]) -> None:
    """Refuse a gold whose first row, of unknown texts, may be a header or an example.

    Of several columns, it is a header if the last one's ``cells`` below come again, and the first
    cell is no sentence.
    """
    first = table.first_row
    where = f"{table.file}: {table.place(0)}"
    narrow = len(first) == 1
    differ = _differ(cells)
    if not (narrow or differ or len(first[0].split()) > WORDS_OF_A_NAME):
        return
    if are_texts(cells) and not (narrow and fields.is_id(first[0].partition(" ")[0])):
        raise ReferenceDataError(
            f"{table.file}: nearly every row holds another text; {AS_TEXTS}; if these are labels, "
            "add a header such as 'id,label'"
        )
    if narrow and not (differ and " " in first[0]):
        raise ReferenceDataError(
            f"{where}: the line may hold the name of the column or an example. If it holds a name, "
            "call the column 'label'. If it holds an example, put a line 'label' in front, or say "
            f"so: 'reference: {{columns: [label]}}'. {OF_SEVERAL_CELLS}"
        )
    if narrow:
        raise ReferenceDataError(
            f"{where}: {UNDIVIDED}; the line may hold column names or an example. "
            f"{OF_SEVERAL_CELLS}"
        )
    raise ReferenceDataError(
        f"{where}: the line may hold column names or an example. If it holds names, call the ids "
        "'id' and the target 'label', or name both in the settings. If not, "
        f"{_name_all(len(first))}"
    )


def _name_all(number: int) -> str:
    """Return how to name columns, for messages to organizers."""
    names = ["id", *(f"c{place}" for place in range(2, number)), "label"]
    return (
        f"add a header such as '{','.join(names)}', with the delimiter of the rows, or name the "
        f"columns in their order in the settings: 'reference: {{columns: [{', '.join(names)}]}}'"
    )


def _is_header(first: Sequence[str], below: Table, named: Collection[str]) -> bool:
    """Whether a first row is certainly a header: it holds a known name or a text above numbers."""
    known = {
        *TARGET_NAMES,
        USAGE.casefold(),
        *((WINNER,) if len(first) > 2 else ()),
    }
    for cell, cells in zip(first, below.columns, strict=True):
        # A sentence may end like the name of an id column.
        is_called_so = fields.is_id(cell) and " " not in cell
        is_name = is_called_so or cell in named or cell.casefold() in known
        if is_name and cell not in cells:
            return True
        if cells and not is_number(cell) and are_numbers(cells):
            return True
    return False


def _may_be_header(first: Sequence[str], below: Table) -> bool:
    """Whether a first row of unknown texts differs from the rows below it."""
    texts = all(cell and not is_number(cell) for cell in first)
    again = first[-1] in below.columns[-1]
    # An id differs from the first one below it only in its digits (x007, x008).
    ids = [_DIGITS.sub("0", cell) for cell in (first[0], *below.columns[0][:1])]
    is_next = len(ids) > 1 and ids[0] == ids[1] and _DIGITS.search(first[0])
    return texts and not again and not is_next


def _differ(cells: Sequence[str]) -> bool:
    """Whether no two cells are equal."""
    return len(set(cells)) == len(cells)


def gold_id_column(
    columns: NamedColumns, named: str | None, design: Collection[str | None]
) -> str | None:
    """Return the id column: the named one, one called "id", or else a unique one like "row_id".

    ``design`` columns (groups, strata) are never ids, whatever their names.
    """
    candidates = [name for name in columns if fields.is_id(name) and name not in design]
    usual = fields.DataField("id", ("id",)).among(candidates)
    return named or usual or next(filter(lambda name: _differ(columns[name]), candidates), None)


def implied_id_column(
    columns: NamedColumns, design: Collection[str | None], scored: Collection[str]
) -> str | None:
    """Return the first column of words, or else of texts, that identify the examples.

    It is neither a ``design`` column nor ``scored`` nor called like a target, and has no fractions.
    Another column must be left to predict: one that is scored or called like a target, has repeated
    cells, or holds numbers while the ids are texts.
    """
    rest = [name for name in columns if name not in design and not is_nameless(name)]
    targets = {name for name in rest if name in scored or name.casefold() in _PREDICTION_NAMES}
    candidates = []
    for name in rest:
        cells = columns[name]
        texts = not are_numbers(columns[name])
        are_ids = _differ(cells) and all(cells) and (texts or are_integers(cells))
        may_be = are_ids and name not in targets
        others = [other for other in rest if other != name] if may_be else []
        repeated = any(other in targets or not _differ(columns[other]) for other in others)
        if repeated or (texts and any(are_numbers(columns[other]) for other in others)):
            candidates.append(name)
    words = (name for name in candidates if not any(" " in cell for cell in columns[name]))
    return next(words, candidates[0] if candidates else None)


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
    known = map(
        str.casefold, (*expected.known_columns, expected.id_column, *expected.called.values())
    )
    recognized = {*_PREDICTION_NAMES, "id", *known}
    names_something = (len(first) > 1 and is_nameless(first[0])) or any(
        (cell.casefold() in recognized and cell not in cells)
        or (len(first) > 1 and bool(cells) and not is_number(cell) and are_numbers(cells))
        for cell, cells in zip(first, below.columns, strict=True)
    )
    ids_start_below = len(first) > 1 and bool(below.numbers) and below.first_row[0] in ids
    labels = {str(label) for of in expected.targets.values() for label in of}
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
        return replace(table, header=("id", *targets) if has_ids else (*targets,), untitled=True)
    missing = _no_names(table, expected, has_ids=has_ids, are_ids=are_ids)
    raise table.refusal("{file}: {place}: {defect}", place=table.place(0), defect=missing)


def _names_ids(first: Sequence[str], below: Table, expected: Expected) -> bool:
    """Whether a first row names the column in which most cells below are ids of the test set."""
    known = expected.known_ids
    name = expected.id_column
    called = (fields.is_id(cell) or cell.casefold() == name.casefold() for cell in first)
    return any(
        is_name and cell not in {*known, *cells} and 2 * len({*cells} & known) > len(cells)
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
    if len(first) < 3 or not public or any(of.kind in BY_CLASS for of in expected.targets):
        return add
    columns = f"{'id: 1, ' * are_ids}{public[-1]}: {len(first)}"
    return Phrase(
        "{add} (organizers: if all files have these columns, say which one counts, as in "
        "{setting})",
        add=add,
        setting=repr(f"submissions: {{columns: {{{columns}}}}}"),
    )


def begin_with_ids(cells: Sequence[Any], ids: frozenset[str]) -> bool:
    """Whether more than half of the cells begin with different ids.

    Of a cell that holds several labels, it is enough that one of them does.
    """
    longest = max(map(len, ids), default=0)
    begun = set()
    for cell in different(cells) if ids else ():
        for text in cell if isinstance(cell, tuple) else (cell,):
            if isinstance(text, str) and (parts := _beginning(text, ids, longest)):
                begun.add(parts[0])
            elif text is not cell and text in ids:
                begun.add(text)
    return 2 * len(begun) > len(cells)


def with_ids_apart(table: Table, ids: frozenset[str], targets: int) -> Table:
    """Return a table of one column whose rows begin with ids as one of ids and predictions.

    There are as many columns of predictions as ``targets``; the last one has the rest of the line.
    The same must separate the two on every line, whatever it is. Ids may be written in another way
    than in the test set; then a later step says which are meant. The first row may be the name of
    the predictions. Another row that nothing divides has another width. Any other table is returned
    as it is.
    """
    cells = table.columns[0]
    if len(table.columns) != 1 or table.lines or not all(isinstance(cell, str) for cell in cells):
        return table
    longest = max(map(len, ids), default=0)
    parted = [_beginning(cell, ids, longest) for cell in cells]
    if not _are_most(parted):
        bare = {bare_id(value) for value in ids}
        ends = [_BETWEEN.search(cell) for cell in cells]
        split = [
            (cell[: end.start()], end[0], cell[end.end() :]) if end else None
            for cell, end in zip(cells, ends, strict=True)
        ]
        parted = [of if of and bare_id(of[0]) in bare else None for of in split]
    mark = _mark({beginning[1] for beginning in parted if beginning is not None})
    if not _are_most(parted) or mark is None:
        return table
    rows: dict[int, list[str]] = {}
    ragged: dict[int, int] = {}
    for row, (cell, beginning) in enumerate(zip(cells, parted, strict=True)):
        first, *rest = (beginning[0], beginning[2]) if beginning else cell.split(mark or None, 1)
        parts = [first, *(part for text in rest for part in text.split(mark or None, targets - 1))]
        if len(parts) == 1 and cell in ids:
            parts.append("")
        elif len(parts) == 1 and row == 0 and parted[1:2] not in ([], [None]):
            parts.insert(0, "id")
        if len(parts) == 1 + targets:
            rows[row] = list(map(str.strip, parts))
        else:
            ragged[table.numbers[row]] = len(parts)
    if 2 * len(ragged) > len(cells) or table.numbers[0] in ragged:
        return table
    columns = list(map(list, zip(*rows.values(), strict=True)))
    in_quotes = [text for text in columns[-1] if text.startswith('"')]
    if mark in (",", ";", "|") and all(map(_QUOTED.fullmatch, in_quotes)):
        columns[-1] = list(map(_unquoted, columns[-1]))
    note = Phrase(
        "The lines begin with ids; what follows the first {mark} was read as the prediction.",
        mark=quoted(mark or " "),
    )
    numbers = [table.numbers[row] for row in rows]
    notes = (*table.notes, note)
    return replace(table, columns=columns, numbers=numbers, header=None, ragged=ragged, notes=notes)


def unknown_beginnings(cells: Sequence[Any]) -> tuple[str, str] | None:
    """Return the first two words of texts that all seem to begin with ids, of any test set.

    All beginnings differ. They are numbers of rows, differ in their digits only, or look unlike the
    words that follow.
    """
    # Labels mostly repeat, which is seen before each is looked at.
    if len(cells) < SEVERAL or len(different(cells)) < len(cells):
        return None
    if not all(isinstance(cell, str) for cell in cells):
        return None
    for between in (_BETWEEN, _SPACES):
        parts = [between.split(cell, maxsplit=1) for cell in cells]
        words = [of[0] for of in parts]
        rest = [text for of in parts for text in of[1:]]
        if 2 * len(rest) > len(cells) and _differ(words) and _are_ids(words, rest, len(cells)):
            return words[0], words[1]
    return None


def _are_ids(words: Sequence[str], rest: Sequence[str], n: int) -> bool:
    """Whether different words look like ids, in front of the ``rest`` of most of n texts."""
    bare = [word.strip(".()[]'\"") for word in words]
    if are_integers(bare):
        return are_row_numbers(bare) and len(rest) == n
    shape, *others = {_NUMBER.sub("0", word) for word in bare}
    if not others and "0" in shape and not any(map(is_number, bare)) and len(rest) == n:
        return True
    if n < FEWEST_BEGINNINGS or not all(map(UNLIKE_WORDS.fullmatch, bare)):
        return False
    follow = [word for text in rest for word in text.split()]
    return 10 * sum(map(bool, map(UNLIKE_WORDS.fullmatch, follow))) <= len(follow)


def _beginning(cell: str, ids: frozenset[str], longest: int) -> tuple[str, str, str] | None:
    """Return the longest id that a text begins with, what follows it, and the rest.

    No id has more than ``longest`` letters.
    """
    split = None
    for between in _BETWEEN.finditer(cell):
        if between.start() > longest:
            break
        if cell[: between.start()] in ids:
            split = between
    return None if split is None else (cell[: split.start()], split[0], cell[split.end() :])


def _are_most(found: Sequence[tuple[str, str, str] | None]) -> bool:
    return 2 * len({beginning[0] for beginning in found if beginning}) > len(found)


def _mark(separators: Collection[str]) -> str | None:
    """Return what separates ids from predictions, "" for spaces; None if it is not the same."""
    marks = {separator.strip() for separator in separators}
    if "" in marks and all(separator[:1].isspace() for separator in separators):
        return ""  # another mark belongs to the prediction
    return marks.pop() if len(marks) == 1 else None


def _unquoted(text: str) -> str:
    return text[1:-1].replace('""', '"') if text.startswith('"') else text


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
    own = expected.id_column
    names = (*stated, *map(str.casefold, (expected.called.get(own, own), own)))
    called = fields.DataField("id", names)
    if not expected.ids_are_implied:
        called = replace(fields.ID, names=(*called.names, "id"))
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
        words = name.casefold() not in taken and _differ(values) and not any(map(is_number, values))
        if words and all(value and " " not in value for value in values):
            return name
    return None


def called_predictions(targets: Collection[str]) -> set[str]:
    """Return what columns of predictions for some targets are called, in small letters."""
    return {*_PREDICTION_NAMES, *map(str.casefold, targets)}


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
    others = [name for name in table.named if name != id_column]
    odd = {name for name in others if fields.is_id(name) or is_nameless(name)}
    rest = [name for name in others if name.casefold() in names or name not in odd]
    by_name = {name.casefold(): name for name in reversed(rest)}
    classes = list(map(str, expected.targets[target]))
    by_class = classes if len(classes) > 1 and {*classes} <= {*rest} else []
    wanted = names
    if only:
        scores = SCORE_NAMES if target.kind in BY_CLASS else ()
        wanted = (*scores, *PREDICTED_NAMES, *names, *names_of_targets(target.kind))
    # A class may be called "y".
    named = [by_name[name] for name in wanted if by_name.get(name, "") not in ("", *by_class)]
    # Where labels are scored, too, a stated column is theirs unless it is called like scores.
    of_labels = target.kind in BY_CLASS and any(of.kind not in BY_CLASS for of in expected.targets)
    own = [name for name in named if not of_labels or name.casefold() in SCORE_NAMES]
    stated = [name for name in own if name in table.stated]
    if by_class and target.kind in BY_CLASS and (len(by_class) > 2 or not stated):
        return by_class
    if named and not stated:
        table.refuse_nested(name for name in table.nested if name.casefold() == column)
        _refuse_twins(named[0], rest, table, expected)
    if named:
        return (stated or named)[:1]
    if not by_class:
        table.refuse_nested(table.nested)
    found = rest if only and len(rest) == 1 else by_class
    if not found:
        raise _no_columns(table, target, expected)
    return found


def _refuse_twins(used: str, rest: Sequence[str], table: Table, expected: Expected) -> None:
    """Refuse a file with a column such as ``age_pred`` beside ``age``, which would be scored."""
    targets = {used.casefold(), *map(str.casefold, expected.names_of_columns)}
    others = {letters(name): name for name in rest if name.casefold() not in targets}
    marks = [*map(letters, PREDICTED_NAMES)]
    pairs = [(name, letters(name)) for name in rest if name.casefold() in targets]
    twins = {
        name: others[other]
        for name, own in pairs
        for mark in marks
        for other in (own + mark, mark + own)
        if other in others
    }
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


def rival_columns(header: Iterable[str], used: Sequence[str], names: Iterable[str]) -> list[str]:
    """Return other columns than the ``used`` ones that are called like predictions."""
    usual = {*map(str.casefold, names), *TARGET_NAMES}
    return [name for name in header if name.casefold() in usual and name not in used]
