"""What probably happened to a file in which the ids or the number of rows are wrong, and a remedy.

No diagnosis says what the correct labels are.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence

from ...core.cells import are_integers
from ...core.errors import SubmissionError, quoted
from ...core.phrases import Phrase, counted, joined
from ...reading.formats import KINDS
from ...reading.table import LINE, ROW, Table
from ...recognize.by_names.line_beginnings import UNDIVIDED, are_row_numbers, bare_id, is_rounded
from ...recognize.expected import Expected

#: The most cells that a diagnosis looks at, and the letters of each: their author chose both.
MOST_CELLS = 200
MOST_LETTERS = 500


def wrong_number(table: Table, expected: Expected) -> SubmissionError:
    """Return the error for rows that are too many or too few to be matched by position."""
    noun = table.row_noun if table.lines else ROW
    hints = (
        Phrase(
            "{file}: {rows}, {number} expected",
            file=table.file,
            rows=counted(len(table.places), noun),
            number=expected.total,
        ),
        _first_and_last(table),
        Phrase(
            "Without ids, {rows} are matched by position: send one {row} per example.",
            rows=noun.with_values(count=2),
            row=noun,
        ),
        *_of_one_column(table, expected),
        _of_counts(table, expected),
    )
    return SubmissionError(joined(filter(None, hints)))


def _first_and_last(table: Table) -> Phrase:
    """Return which places are the first and the last row, and a place between them that is none."""
    places = table.places
    ends = Phrase("  - {place} is the first", place=places[0])
    if len(places) > 1:
        ends = Phrase("{first} and {place} is the last", first=ends, place=places[len(places) - 1])
    if places.gap:
        ends = Phrase("{ends}; {place} is empty", ends=ends, place=places.gap)
    return ends


def _of_one_column(table: Table, expected: Expected) -> Iterator[Phrase]:
    """Yield what may be wrong with rows of one cell that no header names."""
    if not table.untitled or len(table.named) != 1:
        return
    (cells,) = table.named.values()
    if table.row_noun == LINE and expected.ids is not None:
        yield _no_ids(cells, expected)
    extra = len(table.numbers) - expected.total
    if extra == 1:  # it may be a name such as 0
        first = table.place(0)
        column = repr(expected.public_name(expected.columns[0]))
        yield Phrase("If {place} is a header, call it {column}.", place=first, column=column)
    if 0 < extra <= MOST_CELLS:
        widths = [len(cell.split()) for cell in cells]
        if not {*widths[:extra]} & {*widths[extra:]}:
            yield Phrase(
                "Organizers: if the first {count} lines of every file are no rows, write "
                "{setting}.",
                count=extra,
                setting=repr(f"submissions: {{skip_lines: {extra}}}"),
            )


def _no_ids(cells: Sequence[str], expected: Expected) -> Phrase:
    """Return why lines that may hold ids were read as one cell each."""
    if all("," in cell for cell in cells):  # and none of them divides the line
        return Phrase(
            "Every line is in quotes, so that it is one cell: remove the quotes around the lines."
        )
    return Phrase(
        "If the rows do have ids: {undivided}; write a header such as {header} as the first line.",
        undivided=UNDIVIDED,
        header=expected.header,
    )


def _of_counts(table: Table, expected: Expected) -> Phrase | None:
    """Return the first row that does not fit its example, where one too many or too few may be."""
    for column, shapes in expected.shapes.items():
        shape_of = dict(zip(expected.positions, shapes, strict=True))
        for row, cell in enumerate(table.named.get(column, ())):
            shape = shape_of.get(row)
            defect = KINDS[expected.kind].problem(cell, shape, ()) if shape is not None else None
            if defect:
                return Phrase(
                    "The first one that does not fit is {place}: {defect}.",
                    place=table.place(row),
                    defect=defect,
                )
    return None


def why_other_ids(name: str, table: Table, expected: Expected) -> Phrase | None:
    """Return why hardly any id of the column ``name`` is in the test set; None if many are."""
    ids_of_task = expected.known_ids
    ids = table.named[name]
    ragged = len(table.ragged)
    if not ids or 10 * sum(value in ids_of_task for value in ids) > len(ids) or ragged > len(ids):
        return None  # a list of what was resolved may be empty
    similar = {bare_id(value) for value in ids_of_task}
    of_similar = sum(bare_id(value) in similar for value in ids)
    if 2 * of_similar > len(ids) and expected.ids_are_public:
        return None  # each row is told which id is meant
    if (misplaced := _ids_elsewhere(name, table, expected)) is not None:
        return misplaced
    long_and_repeated = 2 * len({*ids}) <= len(ids) and all(len(i) > 11 for i in ids)
    if any(map(is_rounded, ids)) or (long_and_repeated and are_integers(ids)):
        return Phrase(
            "A spreadsheet has rounded the ids; copy them from the test set into a column that is "
            "formatted as text, or write the file with a program."
        )
    if not expected.ids_are_public:
        return Phrase("Hardly any id is in the test set; write the ids of the test set.")
    return _why_not_these(ids, expected)


def _ids_elsewhere(name: str, table: Table, expected: Expected) -> Phrase | None:
    """Return where the ids stand, if not in the column ``name``; None if nowhere."""
    columns = table.named
    ids_of_task = expected.known_ids
    for ids_elsewhere, values in columns.items():
        in_task = sum(value in ids_of_task for value in values)
        if ids_elsewhere != name and 2 * in_task > len(values):
            return Phrase(
                "The column {column} holds the ids, and {other} does not: the two may be swapped; "
                "write {name} above the ids.",
                column=quoted(ids_elsewhere),
                other=quoted(name),
                name=quoted(expected.public_id_column),
            )
    if 2 * sum(column in ids_of_task for column in columns) > len(columns):
        return Phrase(
            "The ids stand beside each other: write one row for each example, with its id and its "
            "prediction."
        )
    return None


def _why_not_these(ids: Sequence[str], expected: Expected) -> Phrase:
    """Return what ids may be that are not of the test set, whose ids everybody may see."""
    ids_of_task = expected.known_ids
    looked_at = ids[:MOST_CELLS]
    sizes = sorted({*map(len, ids_of_task)})
    longer = [value for value in looked_at if _holds_id(value, ids_of_task, sizes)]
    if 2 * len(longer) > len(looked_at):
        return Phrase(
            "{id} holds more than an id of the test set; write the ids alone.", id=quoted(longer[0])
        )
    such_as = _such_as(expected)
    if are_row_numbers(ids):
        return Phrase(
            "These are numbers of rows, not ids; {such_as}: copy them from the test set.",
            such_as=such_as,
        )
    if len({value[:6] for value in ids}) < len(ids) and are_integers(ids):
        return Phrase(
            "They may be ids of the training or development set, or rounded by a spreadsheet; "
            "{such_as}: predict the test set, and keep its ids as text.",
            such_as=such_as,
        )
    return Phrase(
        "They may be ids of the training or development set; {such_as}: predict the test set.",
        such_as=such_as,
    )


def _such_as(expected: Expected) -> Phrase:
    """Return examples of the test set's ids."""
    n = counted(len(expected.known_ids), Phrase("id", "ids"))
    examples = list(map(quoted, sorted(expected.known_ids)[:2]))
    if len(examples) < 2:
        return Phrase("the test set's {ids} are such as {id}", ids=n, id="".join(examples))
    first, second = examples
    return Phrase(
        "the test set's {ids} are such as {first} and {second}", ids=n, first=first, second=second
    )


def what_of_widths(widths: Collection[int], expected: int) -> Phrase:
    """Return what to do about rows of another width."""
    if {*widths} == {1}:
        return Phrase(
            "Separate the cells of every row by the delimiter of the first line, and remove lines "
            "that are not rows."
        )
    if {*widths} == {2 * expected - 1} or min(widths) > expected:
        return Phrase(
            "Give every row the same columns; quote texts that hold the delimiter, and write the "
            "decimal point as '.'."
        )
    return Phrase("Give every row the same columns; quote texts that hold the delimiter.")


def _holds_id(text: str, ids: Collection[str], sizes: Sequence[int]) -> bool:
    """Whether an id of the test set, of one of the ``sizes``, begins or ends a longer text."""
    shorter = itertools.takewhile(lambda size: size < len(text), sizes)
    return any(text[:size] in ids or text[-size:] in ids for size in shorter if size)
