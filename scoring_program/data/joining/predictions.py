"""From the cells of prediction columns to labels or numbers, with every wrong cell reported.

And what probably happened to cells that are wrong, and what to do. No diagnosis says what the
correct labels are.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...core import cells
from ...core.errors import Problems, listed, quoted
from ...core.legible import mixes_scripts
from ...core.phrases import EXAMPLES_SHOWN, Phrase, counted, gettext_noop
from ...reading.formats import KINDS
from ...reading.formats.kind import ExampleKind
from ...reading.table import OF_ARRAY, ROW
from ...recognize.expected import BY_CLASS, Expected, Target
from ...recognize.words_of_cells import is_missing
from .diagnoses import MOST_CELLS, MOST_LETTERS

_HIGHEST = Phrase("Give the class that you predict the highest number of its row.")
_BETWEEN = Phrase(
    "Write probabilities between 0 and 1: divide percentages by 100, and apply softmax or sigmoid "
    "to other scores."
)
_OPEN = Phrase(
    "Write labels of the task. If its answers are open, so that many are in no list, the "
    "organizers can count them as wrong, with 'labels: any', or score them as texts, with the "
    "metric string_match."
)
_SCORES = Phrase(
    "These may be scores or probabilities: write the label that you predict, not how likely it is. "
    "Organizers: if all files hold them, name a metric of scores, such as roc_auc, or write "
    "kind = 'scores' into the file of your own metric."
)
_DIVIDE = Phrase("Divide each row by its sum, and write more digits.")
_DOTS = Phrase(
    "column whose dots may separate thousands", "columns whose dots may separate thousands"
)
_NO_SEPARATOR = Phrase(
    "Write numbers without a separator of thousands. If the dots are decimal points, write one in "
    "every number, such as 950.0."
)
_OF_EITHER = Phrase("column that may be of either class", "columns that may be of either class")
_EITHER = Phrase(
    "Call the column 'score' if a higher number speaks for the positive class, or write one column "
    "for each class."
)
_EMPTY = Phrase("empty value", "empty values")
_OUTSIDE = Phrase("row with probabilities outside [0, 1]", "rows with probabilities outside [0, 1]")
_OTHER_SUM = Phrase(
    "row of probabilities that do not sum to 1", "rows of probabilities that do not sum to 1"
)
_TOO_LARGE = Phrase("number too large", "numbers too large")
NOT_FINITE = Phrase("value that is not a finite number", "values that are not finite numbers")
#: What is said of a cell that is no finite number.
NO_NUMBER = gettext_noop("{place}: found {cell}, expected a finite number below {bound}")
_NO_FINITE_NUMBER = gettext_noop("{place}: found {cell}, expected a finite number")


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a file. Example i is in row ``rows[i]``, which is −1 if it is missing."""

    name: str
    cells: Sequence[Any]
    places: Sequence[Phrase]  # of every row
    rows: Sequence[int]  # [n]

    def place(self, i: int) -> Phrase:
        """Return the place of example i, for messages."""
        row = self.row_place(i)
        if self.name == OF_ARRAY and getattr(self.places, "row_noun", None) is ROW:
            return row
        return Phrase("{place}, column {column}", place=row, column=repr(self.name))

    def row_place(self, i: int) -> Phrase:
        """Return the place of example i's whole row, for messages."""
        return self.places[self.rows[i]]

    def cell(self, i: int) -> Any:
        """Return the cell of example i, which has one."""
        return self.cells[self.rows[i]]

    def of_examples(self, values: Sequence[Any], missing: Any) -> Sequence[Any]:
        """Return the examples' values, [n], from those of the rows."""
        if -1 in self.rows:
            return [values[row] if row >= 0 else missing for row in self.rows]
        return cells.taken(values, self.rows)  # twice as fast

    def in_order(self, examples: Iterable[int]) -> list[int]:
        """Return examples in the order of the file: the order of the gold is secret."""
        return sorted(examples, key=self.rows.__getitem__)


def parse_columns(
    columns: Sequence[Column], target: Target, expected: Expected, problems: Problems
) -> list[Sequence[Any]]:
    """Return a target's columns as labels or numbers; report every wrong cell as a problem.

    If labels are needed and there is one column per class, the label is the class with the highest
    number. Of equal numbers, the first class counts. One column that has the name of one of two
    classes becomes both classes'. The name 0 may only be a number that a library gave the column,
    so it is a problem.
    """
    labels = expected.targets[target]
    first = columns[0]
    if target.kind in KINDS:
        return [_as_examples(first, target, expected, problems)]
    if target.kind == "labels" and len(columns) == 1:
        return [_as_labels(first, labels, expected, problems)]
    by_class = target.kind in BY_CLASS and len(labels) > 2
    if len(columns) == 1 and cells.may_have_thousands(first.cells):
        row, cell = next((r, str(c)) for r, c in enumerate(first.cells) if "." in str(c))
        as_written = quoted(cell)
        place = first.places[row]
        problems.add(
            _DOTS, "{place}: found {numbers}", _NO_SEPARATOR, place=place, numbers=as_written
        )
    bound = expected.bound(target)
    numbers = [_as_numbers(column, problems, bound, by_class=by_class) for column in columns]
    if target.kind == "labels":
        _check_choices(columns, numbers, problems)
        rows = zip(first.rows, zip(*numbers, strict=True), strict=True)
        return [[labels[scores.index(max(scores))] if row >= 0 else None for row, scores in rows]]
    if target.kind == "probabilities":
        _check_probabilities(columns, numbers, problems)
    if target.kind == "numbers" and target.column in expected.above:
        _check_above(expected.above[target.column], first, numbers[0], problems)
    name = first.name
    classes = [*map(str, labels)]
    if target.kind not in BY_CLASS or len(columns) > 1 or len(labels) != 2 or name not in classes:
        return numbers
    # Several metrics may read the column.
    if name != classes[1] and name.isdigit() and _OF_EITHER not in problems.counts:
        problems.add(
            _OF_EITHER,
            "column {column}: the name may be a class, or a number that the column was given",
            _EITHER,
            has_row=False,
            column=quoted(name),
        )
    certain = 1.0 if target.kind == "probabilities" else 0.0
    of_negative = [certain - value for value in numbers[0]]
    return [of_negative, numbers[0]] if name == classes[1] else [numbers[0], of_negative]


def _check_choices(
    columns: Sequence[Column], numbers_read: Sequence[Sequence[float]], problems: Problems
) -> None:
    """Report rows of zeros, which choose no class."""
    empty = [i for i, row in enumerate(zip(*numbers_read, strict=True)) if not any(row)]
    for i in columns[0].in_order(i for i in empty if columns[0].rows[i] >= 0):
        problems.add(
            Phrase("row of zeros, which choose no class", "rows of zeros, which choose no class"),
            "{place}: found 0 in all of {number} columns",
            _HIGHEST,
            place=partial(columns[0].row_place, i),
            number=len(columns),
        )


def _as_numbers(
    column: Column, problems: Problems, bound: float, *, by_class: bool
) -> Sequence[float]:
    values = column.of_examples(cells.numbers(column.cells), 0.0)
    if cells.are_acceptable(values, bound):
        return values
    bad = (i for i, value in enumerate(values) if not cells.acceptable(value, bound))
    for i in column.in_order(bad):
        cell = column.cell(i)
        defect = NOT_FINITE if cell else _EMPTY
        problems.add(
            _TOO_LARGE if math.isfinite(values[i]) else defect,
            NO_NUMBER if math.isfinite(bound) else _NO_FINITE_NUMBER,
            like=cell,
            hint=partial(_why_no_number, cell, by_class=by_class),
            place=partial(column.place, i),
            cell=partial(quoted, cell),
            bound=f"{bound:g}",
        )
    return values


def in_other_letters(column: Column, labels: Sequence[cells.Label]) -> Sequence[cells.Label | None]:
    """Return which label every cell that is none would be in capital or small letters, [n]."""
    read = cells.label_reader(labels)
    by_letters = {str(label).casefold(): label for label in labels}
    meant = {}
    for cell in cells.different(column.cells):
        meant[cell] = by_letters.get(cell.casefold()) if read(cell) is None else None
    return column.of_examples([meant[cell] for cell in column.cells], None)


def _as_labels(
    column: Column, labels: Sequence[cells.Label], expected: Expected, problems: Problems
) -> Sequence[cells.Label | None]:
    read = cells.label_reader(labels) if labels else lambda cell: cell or None
    label_of_cell = {cell: read(cell) for cell in cells.different(column.cells)}
    if expected.labels_are_open and labels:
        strange = [cell for cell, label in label_of_cell.items() if label is None and cell]
        label_of_cell.update((cell, cells.invented(cell, labels[0])) for cell in strange)
    of_row: Sequence[cells.Label | None]
    if isinstance(column.cells, cells.Repeated):
        of_row = column.cells.map(label_of_cell.get)
    else:
        of_row = list(map(label_of_cell.__getitem__, column.cells))
    of_examples = column.of_examples(of_row, None)
    unknown = [cell for cell, label in label_of_cell.items() if label is None]
    if not unknown:
        return of_examples
    wanted = Phrase("one of the labels of the task, in the same spelling")
    if not labels:
        wanted = Phrase("a label")
    elif expected.labels_are_public:
        wanted = Phrase("one of {labels}", labels=listed(labels))
    remedy = None
    are_all = len(unknown) == len(label_of_cell)
    if are_all:
        several = len(expected.columns) > 1
        remedy = _why_no_labels(label_of_cell, labels, expected.known_ids, several=several)
    elif len(unknown) > EXAMPLES_SHOWN:
        # Some scores, such as 1.000000, mean a label, too.
        fractions = [cell for cell in unknown if cells.is_number(cell) and float(cell) % 1]
        remedy = _SCORES if 2 * len(fractions) > len(unknown) else _OPEN
    bad = (i for i, row in enumerate(column.rows) if row >= 0 and of_examples[i] is None)
    for i in column.in_order(bad):
        cell = column.cell(i)
        problems.add(
            Phrase("unknown label", "unknown labels") if cell else _EMPTY,
            "{place}: found {cell}, expected {wanted}",
            remedy,
            like=cell,
            hint=None if are_all else partial(_why_no_label, cell),
            place=partial(column.place, i),
            cell=partial(quoted, cell),
            wanted=wanted,
        )
    return of_examples


def _as_examples(
    column: Column, target: Target, expected: Expected, problems: Problems
) -> list[Any]:
    """Return the cells of a kind of data; each must fit the shape of its example, and no more."""
    kind = KINDS[target.kind]
    label_texts = frozenset(map(str, expected.targets[target]))
    shapes = expected.shapes.get(target.column) or [None] * expected.n
    most = expected.most.get(target.column, {})
    examples = [column.cells[row] if row >= 0 else kind.absent for row in column.rows]
    wrong: dict[int, Phrase] = {}
    for i, row in enumerate(column.rows):
        excess = _excess(examples[i], kind, most) if row >= 0 else None
        defect = excess or (kind.problem(examples[i], shapes[i], label_texts) if row >= 0 else None)
        if defect is not None:
            wrong[i] = defect
    unusable = Phrase("unusable prediction", "unusable predictions")
    for i in column.in_order(wrong):
        place = partial(column.row_place, i)
        problems.add(unusable, "{place}: {defect}", place=place, defect=wrong[i])
    return examples


def _excess(value: Any, kind: ExampleKind, most: Mapping[str, int]) -> Phrase | None:
    """Return what a prediction holds too much of, if anything."""
    for noun, (count, _) in kind.sizes.items():
        number = count(value)
        if noun in most and number > most[noun]:
            return Phrase(
                "found {items}, expected at most {most}, which follows the test set; shorten it",
                items=counted(number, noun),
                most=most[noun],
            )
    return None


def _check_probabilities(
    columns: Sequence[Column], numbers_read: Sequence[Sequence[float]], problems: Problems
) -> None:
    """Report rows outside [0, 1] and, with one column per class, rows that do not sum to 1."""
    rows = list(zip(*numbers_read, strict=True))
    for i in columns[0].in_order(range(len(rows))):
        row = rows[i]
        place = partial(columns[0].place, i)
        if not (min(row) >= 0 and max(row) <= 1) and all(map(cells.acceptable, row)):
            as_text = partial(listed, [f"{value:g}" for value in row])
            problems.add(
                _OUTSIDE, "{place}: found {numbers}", _BETWEEN, place=place, numbers=as_text
            )
        elif len(columns) > 1 and abs(sum(row) - 1) > cells.PROBABILITY_TOLERANCE:
            total = f"{sum(row):.6g}"
            problems.add(_OTHER_SUM, "{place}: the sum is {sum}", _DIVIDE, place=place, sum=total)


def _check_above(bound: float, column: Column, values: Sequence[float], problems: Problems) -> None:
    """Report numbers for which a metric is undefined, such as one with a logarithm."""
    kind = Phrase("number of {bound} or less", "numbers of {bound} or less", bound=f"{bound:g}")
    for i in column.in_order(i for i, value in enumerate(values) if value <= bound):
        problems.add(
            kind,
            "{place}: found {number}, expected a number above {bound}",
            place=partial(column.place, i),
            number=f"{values[i]:g}",
            bound=f"{bound:g}",
        )


# What may have happened ---------------------------------------------------------------------------


#: Numbers in brackets, such as those of all classes.
_LIST = re.compile(r"[\[({].*,.*[\])}]")
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
_NO_WORD_BEFORE = re.compile(r"(?<!\w)")
_NO_WORD_AFTER = re.compile(r"(?!\w)")
#: Cyrillic letters that look like Latin ones.
_LATIN = str.maketrans("асеорхуіѕјАВСЕНКМОРТХІ", "aceopxyisjABCEHKMOPTXI")
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


def _why_no_labels(
    texts: Collection[str], labels: Sequence[cells.Label], ids: Collection[str], *, several: bool
) -> Phrase:
    """Return why no cell may be a label of the task, and what to do; ``ids`` are the examples'.

    ``several`` columns are predicted.
    """
    if all(cell in ids for cell in texts):
        return Phrase("These are ids of the test set: write a label beside each of them.")
    texts = [cell[:MOST_LETTERS] for cell in sorted(texts)[:MOST_CELLS]]
    label_texts = {*map(str, labels)}
    alike = {*map(_loose, label_texts)}
    if all(_loose(cell) in alike for cell in texts):
        return Phrase(
            "They differ from the task's labels in capital letters, quotes, brackets or spaces "
            "only: write the labels as the training data do."
        )
    if all(map(is_missing, texts)) and several:
        return Phrase(
            "Fill the column in: write one label on every row. Organizers: if it may stay empty, "
            "make it a task of its own, with a file in ref/ and one in every submission."
        )
    if all(map(is_missing, texts)):
        return Phrase("Fill the column in: write one label on every row.")
    if cells.are_integers(texts) and any(isinstance(label, str) for label in labels):
        return Phrase("These may be numbers of classes: write the labels themselves.")
    if all(map(cells.is_number, texts)):
        return _SCORES
    for pattern, remedy in _NO_LABELS:
        if all(map(pattern.fullmatch, texts)):
            return remedy
    if odd := next(
        (c for c in texts if not c.isascii() and c.translate(_LATIN) in label_texts), ""
    ):
        return Phrase(
            "{letter} in {cell} is not an ASCII character, although it looks like one: type the "
            "labels again.",
            letter=repr(next(letter for letter in odd if not letter.isascii())),
            cell=quoted(odd),
        )
    sizes = sorted({*map(len, alike)})
    if all(_holds_word(cell.casefold(), alike, sizes) for cell in texts):
        return Phrase("Write one label alone on every row, without other words or labels.")
    return Phrase(
        "This may be another column, or a prediction for another task: write one of the task's "
        "labels, as the training data spell them."
    )


def _why_no_label(cell: str) -> Phrase | None:
    """Return what is wrong with a cell that should hold a label, and what to do; or nothing."""
    if is_missing(cell):
        return Phrase("a prediction is missing here: add it")
    if _FORMULA.fullmatch(cell):
        return Phrase("this is an error of a spreadsheet's formula: write the prediction itself")
    if mixes_scripts(cell):
        return Phrase("it has letters of two scripts, which look alike: type the label again")
    return None


def _why_no_number(cell: str, *, by_class: bool = False) -> Phrase | None:
    """Return what is wrong with a cell that should hold a number, and what to do.

    ``by_class``: there should be one number for each class.
    """
    if _LIST.fullmatch(cell):
        return Phrase("write each of these numbers into a column of its own")
    if "," in cell:
        return Phrase("write the decimal point as '.', without a separator of thousands")
    odd = next((letter for letter in cell if not letter.isascii()), "")
    like_ascii = unicodedata.normalize("NFKC", odd).translate(_LATIN).isascii()  # a wide digit, …
    if odd and (like_ascii or odd == "\u2212" or unicodedata.category(odd) in ("Nd", "Pd")):
        return Phrase(
            "{letter} is not an ASCII character, although it looks like one", letter=repr(odd)
        )
    if is_missing(cell) or _FORMULA.fullmatch(cell):
        return _why_no_label(cell)
    for like, hint in _NO_NUMBERS:
        if like.fullmatch(cell):
            return hint
    if not _TEXT.fullmatch(cell):
        return Phrase("write a number such as 0.5")
    if by_class:
        return Phrase("the task asks for numbers, one for each class, not for labels or texts")
    return Phrase("the task asks for numbers, not for labels or texts")


def _loose(label: str) -> str:
    return re.sub(r"^b(?=['\"])", "", label.strip("[]() ")).strip("'\"` ").casefold()


def _holds_word(text: str, words: Collection[str], sizes: Sequence[int]) -> bool:
    """Whether a label, of one of the ``sizes``, stands in a text, not within a word."""
    starts = [match.end() for match in _NO_WORD_BEFORE.finditer(text)]
    spans = ((start, start + size) for start in starts for size in sizes)
    return any(text[begin:end] in words and _NO_WORD_AFTER.match(text, end) for begin, end in spans)
