"""What probably happened to a file in which something is wrong on every row, and what to do.

No diagnosis says what the correct labels are. This module needs only the standard library, because
the starting kit contains it.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Collection, Sequence

from ...core.cells import Label, are_integers, is_number
from ...core.errors import SubmissionError, quoted
from ...core.phrases import Phrase, counted, joined
from ...reading.formats import KINDS
from ...reading.table import LINE, ROW, Table
from .expected import Expected

#: A possible defect of a file with one cell per line.
UNDIVIDED = Phrase("no delimiter (comma, semicolon, tab or |) was recognized")

_ROUNDED = re.compile(r"\d([.,]\d+)?E\+\d+", re.IGNORECASE)
_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
#: Numbers in brackets, such as those of all classes.
_LIST = re.compile(r"[\[({].*,.*[\])}]")
_EXTENSION = re.compile(r"\.[a-z]\w{0,4}$")
#: What is wrong with a cell that should hold a number, by a pattern, and what to do.
_NO_NUMBERS = (
    (re.compile(r"-?[\d.]+ ?%"), Phrase("write the number without '%'")),
    (re.compile(r"tensor\(.*"), Phrase("write the number itself, as .item() returns it")),
    (re.compile(r"[\[(].*[\])]"), Phrase("write the number without brackets")),
    (re.compile(r"-?inf(inity)?", re.IGNORECASE), Phrase("replace infinity by a large number")),
    (
        re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.IGNORECASE),
        Phrase("scale the numbers down"),
    ),
    (re.compile(r"[-\d.]+ ?[^\W\d_]+"), Phrase("write the number without a unit")),
)
_TEXT = re.compile(r"[^\W\d_]+")
#: Where a word may begin and end.
_NO_WORD_BEFORE, _NO_WORD_AFTER = re.compile(r"(?<!\w)"), re.compile(r"(?!\w)")
#: Cyrillic letters that look like Latin ones.
_LATIN = str.maketrans("асеорхуіѕјАВСЕНКМОРТХІ", "aceopxyisjABCEHKMOPTXI")
#: The most cells that a diagnosis looks at, and the letters of each: their author chose both.
_MOST_CELLS, _MOST_LETTERS = 200, 500
#: How spreadsheets show a formula that has no value.
_FORMULA = re.compile(r"#(N/A|NAME\?|REF!|DIV/0!|VALUE!|NUM!|NULL!)", re.IGNORECASE)
#: What cells are that hold no label of the task, by a pattern, and what to do.
_NO_LABELS = (
    (
        _FORMULA,
        Phrase("These are errors of a spreadsheet's formulas: write the labels themselves."),
    ),
    (
        re.compile(r"label_\d+", re.IGNORECASE),
        Phrase("These are a model's names of classes: write the labels that they stand for."),
    ),
    (
        re.compile(r"\d{1,2}[-. ][a-z]{3}\.?|[a-z]{3}[-. ]\d{1,2}", re.IGNORECASE),
        Phrase(
            "A spreadsheet has made dates of the labels: write them into a column that is "
            "formatted as text."
        ),
    ),
)


def bare(value: str) -> str:
    """Return an id without what software and people often change: case, quotes, folders, zeros."""
    name = value.replace("\\", "/").rpartition("/")[2].strip("'\"= ").casefold()
    name = _THOUSANDS.sub("", name)
    return _ZEROS.sub("", _EXTENSION.sub("", name.removesuffix(".0").replace(" ", "")))


def wrong_number(table: Table, expected: Expected) -> SubmissionError:
    """Return the error for rows that are too many or too few to be matched by position."""
    places = table.places
    noun = table.row_noun if table.lines else ROW
    ends = Phrase("  - {place} is the first", place=places[0])
    if len(places) > 1:
        ends = Phrase("{first} and {place} is the last", first=ends, place=places[len(places) - 1])
    if places.gap:
        ends = Phrase("{ends}; {place} is empty", ends=ends, place=places.gap)
    parts = (
        Phrase(
            "{file}: {rows}, {number} expected",
            file=table.file,
            rows=counted(len(places), noun),
            number=expected.total,
        ),
        ends,
        Phrase(
            "Without ids, {rows} are matched by position: send one {row} per example.",
            rows=noun.with_values(count=2),
            row=noun,
        ),
        _undivided(table, expected),
        _may_be_header(table, expected),
        _of_counts(table, expected),
    )
    return SubmissionError(joined(filter(None, parts)))


def _may_be_header(table: Table, expected: Expected) -> Phrase | None:
    """Return a hint for one cell per line and one line too many: it may be a name such as 0."""
    is_narrow = table.untitled and len(table.named) == 1
    if not is_narrow or len(table.numbers) != expected.total + 1:
        return None
    column = repr(expected.public_name(expected.columns[0]))
    return Phrase("If {place} is a header, call it {column}.", place=table.place(0), column=column)


def _undivided(table: Table, expected: Expected) -> Phrase | None:
    """Return a hint for one cell per line, if the test set has ids: what may divide the lines."""
    is_text = table.untitled and table.row_noun == LINE
    if expected.ids is None or len(table.named) > 1 or not is_text:
        return None
    (cells,) = table.named.values()
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


def of_ids(name: str, table: Table, expected: Expected) -> Phrase | None:
    """Return why hardly any id of the column ``name`` is in the test set; None if many are."""
    columns, known = table.named, expected.known_ids
    ids = columns[name]
    ragged = len(table.ragged)
    if not ids or 10 * sum(value in known for value in ids) > len(ids) or ragged > len(ids):
        return None  # a list of what was resolved may be empty
    similar = {bare(value) for value in known}
    of_similar = sum(bare(value) in similar for value in ids)
    if 2 * of_similar > len(ids) and not expected.ids_are_implied:
        return None  # each row is told which id is meant
    for other, values in columns.items():
        if other != name and 2 * sum(value in known for value in values) > len(values):
            return Phrase(
                "The column {column} holds the ids, and {other} does not: the two may be swapped; "
                "write {name} above the ids.",
                column=quoted(other),
                other=quoted(name),
                name=quoted(expected.public_id_column),
            )
    if 2 * sum(name in known for name in columns) > len(columns):
        return Phrase(
            "The ids stand beside each other: write one row for each example, with its id and its "
            "prediction."
        )
    if any(map(is_rounded, ids)) or _are_long_and_repeated(ids):
        return Phrase(
            "A spreadsheet has rounded the ids; copy them from the test set into a column that is "
            "formatted as text, or write the file with a program."
        )
    if expected.ids_are_implied:
        return Phrase("Hardly any id is in the test set; write the ids of the test set.")
    looked_at = ids[:_MOST_CELLS]
    sizes = sorted({*map(len, known)})
    longer = [value for value in looked_at if _holds_id(value, known, sizes)]
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
    ids = counted(len(expected.known_ids), Phrase("id", "ids"))
    examples = list(map(quoted, sorted(expected.known_ids)[:2]))
    if len(examples) < 2:
        return Phrase("the test set's {ids} are such as {id}", ids=ids, id="".join(examples))
    first, second = examples
    return Phrase(
        "the test set's {ids} are such as {first} and {second}", ids=ids, first=first, second=second
    )


def of_labels(cells: Collection[str], labels: Sequence[Label], ids: Collection[str]) -> Phrase:
    """Return why no cell may be a label of the task, and what to do; ``ids`` are the examples'."""
    if all(cell in ids for cell in cells):
        return Phrase("These are ids of the test set: write a label beside each of them.")
    cells = [cell[:_MOST_LETTERS] for cell in sorted(cells)[:_MOST_CELLS]]
    known = {*map(str, labels)}
    alike = {*map(_loose, known)}
    if all(_loose(cell) in alike for cell in cells):
        return Phrase(
            "They differ from the task's labels in capital letters, quotes, brackets or spaces "
            "only: write the labels as the training data do."
        )
    if all(map(is_missing, cells)):
        return Phrase("Fill the column in: write one label on every row.")
    if are_integers(cells) and any(isinstance(label, str) for label in labels):
        return Phrase("These may be numbers of classes: write the labels themselves.")
    if all(map(is_number, cells)):
        return Phrase(
            "These may be scores or probabilities: write the label that you predict, not how "
            "likely it is."
        )
    for pattern, remedy in _NO_LABELS:
        if all(map(pattern.fullmatch, cells)):
            return remedy
    if odd := next((cell for cell in cells if _looks_like(cell, known)), ""):
        return Phrase(
            "{letter} in {cell} is not an ASCII character, although it looks like one: type the "
            "labels again.",
            letter=repr(next(letter for letter in odd if not letter.isascii())),
            cell=quoted(odd),
        )
    sizes = sorted({*map(len, alike)})
    if all(_holds_word(cell.casefold(), alike, sizes) for cell in cells):
        return Phrase("Write one label alone on every row, without other words or labels.")
    return Phrase(
        "This may be another column, or a prediction for another task: write one of the task's "
        "labels, as the training data spell them."
    )


def of_label(cell: str) -> Phrase | None:
    """Return what is wrong with a cell that should hold a label, and what to do; or nothing."""
    if is_missing(cell):
        return Phrase("a prediction is missing here: add it")
    if _FORMULA.fullmatch(cell):
        return Phrase("this is an error of a spreadsheet's formula: write the prediction itself")
    return None


def of_number(cell: str, *, by_class: bool = False) -> Phrase | None:
    """Return what is wrong with a cell that should hold a number, and what to do.

    ``by_class``: there should be one number for each class.
    """
    if _LIST.fullmatch(cell):
        return Phrase("write each of these numbers into a column of its own")
    if "," in cell:
        return Phrase("write the decimal point as '.', without a separator of thousands")
    odd = next((letter for letter in cell if not letter.isascii()), "")
    if odd and _looks_ascii(odd):
        return Phrase(
            "{letter} is not an ASCII character, although it looks like one", letter=repr(odd)
        )
    if is_missing(cell) or _FORMULA.fullmatch(cell):
        return of_label(cell)
    for like, hint in _NO_NUMBERS:
        if like.fullmatch(cell):
            return hint
    if not _TEXT.fullmatch(cell):
        return Phrase("write a number such as 0.5")
    if by_class:
        return Phrase("the task asks for numbers, one for each class, not for labels or texts")
    return Phrase("the task asks for numbers, not for labels or texts")


def of_widths(widths: Collection[int], expected: int) -> Phrase:
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


def _looks_ascii(letter: str) -> bool:
    """Whether a letter looks like one of ASCII: a wide digit, a dash, a Cyrillic letter."""
    like = unicodedata.normalize("NFKC", letter).translate(_LATIN)
    return like.isascii() or letter == "\u2212" or unicodedata.category(letter) in ("Nd", "Pd")


def is_missing(cell: str) -> bool:
    """Whether a cell says that a value is missing, as data frames and people write it."""
    return cell.casefold() in ("", "nan", "none", "null", "n/a", "na", "?", "-")


def is_rounded(value: str) -> bool:
    """Whether an id is written as spreadsheets write long numbers: 1.23E+12."""
    return _ROUNDED.fullmatch(value) is not None


def _are_long_and_repeated(ids: Sequence[str]) -> bool:
    return 2 * len({*ids}) <= len(ids) and all(len(i) > 11 for i in ids) and are_integers(ids)


def _loose(label: str) -> str:
    return re.sub(r"^b(?=['\"])", "", label.strip("[]() ")).strip("'\"` ").casefold()


def _looks_like(cell: str, labels: Collection[str]) -> bool:
    """Whether a cell is a label but for letters of other alphabets."""
    return not cell.isascii() and cell.translate(_LATIN) in labels


def _holds_id(text: str, known: Collection[str], sizes: Sequence[int]) -> bool:
    """Whether an id of the test set, of one of the ``sizes``, begins or ends a longer text."""
    shorter = itertools.takewhile(lambda size: size < len(text), sizes)
    return any(text[:size] in known or text[-size:] in known for size in shorter if size)


def _holds_word(text: str, known: Collection[str], sizes: Sequence[int]) -> bool:
    """Whether a label, of one of the ``sizes``, stands in a text, not within a word."""
    starts = [match.end() for match in _NO_WORD_BEFORE.finditer(text)]
    return any(
        text[start : start + size] in known and _NO_WORD_AFTER.match(text, start + size)
        for start in starts
        for size in sizes
    )


def are_row_numbers(ids: Sequence[str]) -> bool:
    """Whether ids are the whole numbers from 0 or 1 on, in any order."""
    numbers = sorted(map(int, ids)) if are_integers(ids) else []
    return bool(numbers) and numbers in (
        list(range(len(ids))),
        list(range(1, len(ids) + 1)),
    )
