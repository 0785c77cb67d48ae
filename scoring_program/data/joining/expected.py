"""What a competition asks of submissions, and its form as JSON, which a starting kit holds.

And what probably happened to a file in which the ids or the number of rows are wrong, and what to
do. No diagnosis says what the correct labels are.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from operator import itemgetter
from typing import Any

from ...core.cells import LARGEST, Label, are_integers
from ...core.errors import SubmissionError, quoted
from ...core.phrases import EXAMPLES_SHOWN, Phrase, counted, joined, verbatim
from ...reading.formats import KINDS
from ...reading.formats.kind import AS_FOUND, ROWS, FileDescription
from ...reading.limits import DEFAULT, Limits
from ...reading.table import LINE, ROW, Table

#: Kinds of predictions that may have one column per class. For three or more classes they must.
BY_CLASS = ("scores", "probabilities")


@dataclass(frozen=True)
class Target:
    """What a metric reads: a target column, and the kind of prediction that it needs."""

    column: str
    kind: str  # "labels", "numbers", "scores", "probabilities" or a kind of data such as "text"


@dataclass(frozen=True)
class SentPrediction:
    """The columns of a prediction, by name or number: "" → the only one, or class → its own.

    Of scores, ``positive`` is the class whose scores they are.
    """

    columns: Mapping[str, str | int]
    positive: str | None = None


@dataclass(frozen=True)
class SentColumns:
    """What submissions are called to hold, stated in full, so that nothing is recognized.

    ``header`` says whether the first row names the columns. Rows are matched by the columns of
    ``ids``; without any, by position. ``holds`` and ``others`` are as in `FileDescription`.
    """

    header: bool
    ids: tuple[str | int, ...]
    predictions: Mapping[Target, SentPrediction]
    holds: str | None = None
    others: str = "ignore"

    @property
    def names(self) -> list[str]:
        """The columns in the order in which they are asked for, each once."""
        columns = [*self.ids]
        for prediction in self.predictions.values():
            columns.extend(prediction.columns.values())
        return list(dict.fromkeys(map(str, columns)))


@dataclass(frozen=True, eq=False)
class Expected:
    """What a submission must hold, and the policies for what it lacks.

    The n examples are identified by ``ids`` or, in a submission without ids, by their ``positions``
    among the ``total`` rows of the test set. The others are ignored: they do not count, but a
    submission must hold them, too (`every`).
    """

    positions: Sequence[int]  # [n]
    total: int
    ids: Sequence[str] | None  # [n]
    targets: Mapping[Target, tuple[Label, ...]]  # the label set; empty if any value is valid
    #: Column → the bound that its numbers must exceed.
    above: Mapping[str, float] = field(default_factory=dict)
    of_any_size: AbstractSet[Target] = frozenset()  # those whose numbers only have an order
    id_column: str = "id"
    #: What every column of a submission is, where that is stated in full.
    sent: SentColumns | None = None
    #: The id column or a target → what the gold's file calls it, which a submission may, too.
    called: Mapping[str, str] = field(default_factory=dict)
    ids_are_implied: bool = False  # the cells, not the name, of the gold's column say so
    known_columns: tuple[str, ...] = ()  # other columns of the gold that a header may name
    #: What the gold holds beside ids and targets: column → [n] cells, which stay secret.
    beside: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    unnamed: Mapping[str, Sequence[str]] = field(default_factory=dict)  # the same, of no name
    names_are_known: bool = True  # else they may be an example, and stay secret
    in_order: bool = False  # whether columns without names are those of the gold, in its order
    ignored: tuple[str, ...] = ()  # ids of the ignored rows, in the order of the file
    usage_is_secret: bool = False  # which rows are public, private or ignored
    missing: str = "error"  # or "wrong"
    extra_ids: str = "error"  # or "ignore"
    labels_are_public: bool = False  # the settings list them, so messages may, too
    labels_are_open: bool = False  # an answer that is no label is wrong, not refused
    keep_columns: bool = False  # whether a metric reads all columns of the submission
    begin_alike: bool = False  # whether the gold's texts begin with words that look like ids
    kind: str = ROWS  # what an example is, which says how files are read
    shapes: Mapping[str, Sequence[Any]] = field(
        default_factory=dict
    )  # column → [n] what its predictions must match, if anything (`ExampleKind`)
    most: Mapping[str, Mapping[str, int]] = field(
        default_factory=dict
    )  # column → what a prediction is made of, and how much of it one may hold

    def bound(self, target: Target) -> float:
        """Return what predicted numbers must be below, whatever their sign; infinity if nothing."""
        return math.inf if target in self.of_any_size else LARGEST

    @property
    def n(self) -> int:
        """Number of examples."""
        return len(self.positions)

    @cached_property
    def every(self) -> Expected:
        """What is asked of all rows: first those of the examples, then those that are ignored.

        Submissions are checked by this. If ignored rows could be missing or wrong, messages would
        tell which they are.
        """
        if self.n == self.total:
            return self
        ignored = sorted({*range(self.total)} - {*self.positions})
        shapes = {  # those of ignored rows are known where all are the same
            name: [*of, *([of[0] if all(one == of[0] for one in of) else None] * len(ignored))]
            for name, of in self.shapes.items()
        }
        ids = None if self.ids is None else (*self.ids, *self.ignored)
        every = [*self.positions, *ignored]
        return replace(self, positions=every, ids=ids, ignored=(), shapes=shapes)

    @property
    def lists_findings(self) -> bool:
        """Whether a submission lists what was found, so that leaving out examples is no defect."""
        return self.kind in KINDS and KINDS[self.kind].may_lack

    @property
    def may_exceed(self) -> bool:
        """Whether predictions for examples that the test set lacks are left out."""
        return self.extra_ids == "ignore" or (self.kind in KINDS and KINDS[self.kind].may_exceed)

    @property
    def example(self) -> tuple[Phrase, Phrase] | None:
        """What messages call an example, and several; None if it is a row of a table."""
        return KINDS[self.kind].example if self.kind in KINDS else None

    def asked(self, *, by_id: bool) -> Phrase:
        """Return what a file should hold, for messages."""
        number = self.n if by_id else self.total
        if self.example is not None:
            return Phrase(
                "Expected predictions for {number} {examples}, matched by id."
                if by_id
                else "Expected predictions for {number} {examples}, matched by position.",
                number=number,
                examples=self.example[number != 1],
            )
        return Phrase(
            "Expected {number} rows, one prediction per example, matched by id."
            if by_id
            else "Expected {number} rows, one prediction per example, matched by position.",
            number=number,
        )

    @property
    def columns(self) -> list[str]:
        """Names of the columns that are predicted, in the order of the gold."""
        return list(dict.fromkeys(target.column for target in self.targets))

    @property
    def names_of_columns(self) -> list[str]:
        """What files may call what is predicted: as the gold's file does, or as the settings do."""
        return [name for of in self.columns for name in (self.called.get(of, of), of)]

    @property
    def public_id_column(self) -> str:
        """What a message may call the column of ids. A file may use this name, too."""
        return self.id_column if self.names_are_known else "id"

    def public_name(self, column: str) -> str:
        """Return what a message may call a column: "label" if the name may be an example."""
        return column if self.names_are_known or column not in self.columns else "label"

    @property
    def header(self) -> Phrase:
        """A header that a file may have, for messages: "'id,label'".

        It names classes only if the labels are public, or if submissions have to name them.
        """
        if self.sent is not None and self.sent.header:
            return verbatim(f"'{','.join(self.sent.names)}'")
        columns = [self.public_id_column, *map(self.public_name, self.columns)]
        single = f"'{','.join(columns)}'"
        scored = [labels for target, labels in self.targets.items() if target.kind in BY_CLASS]
        if not scored:
            return verbatim(single)
        if not (self.labels_are_public and all(scored)):
            return Phrase("{header}, or one column for each class", header=single)
        columns = [self.public_id_column]
        for target, labels in self.targets.items():
            by_class = target.kind in BY_CLASS
            columns.extend(_cut(labels) if by_class else [self.public_name(target.column)])
        wide = f"'{','.join(dict.fromkeys(columns))}'"
        if max(map(len, scored)) > 2:
            return verbatim(wide)
        return Phrase("{header} or {wide}", header=single, wide=wide)

    @cached_property
    def known_ids(self) -> frozenset[str]:
        """The ids of the examples; empty if they have none."""
        return frozenset(self.ids or ())

    @cached_property
    def ids_in_file(self) -> list[str] | None:
        """The ids in the order of the test set; None without ids, or if some rows are ignored."""
        if self.ids is None or self.n < self.total:
            return None
        ids = [""] * self.n
        deque(map(ids.__setitem__, self.positions, self.ids), maxlen=0)  # faster than a loop
        return ids


def _cut(labels: Sequence[Label]) -> list[str]:
    """Return the names of classes; of very many, only the first ones."""
    more = ["…"] if len(labels) > EXAMPLES_SHOWN else []
    return [*map(str, labels[:EXAMPLES_SHOWN]), *more]


#: The name of the file next to the command in a starting kit that holds the rules.
PACKED = "expected.json"
#: The only file in INPUT/ref of a task without its gold.
WITHOUT_GOLD = "rules_without_gold.json"
#: The fields that JSON can hold unchanged: texts, numbers, flags and lists of texts.
_AS_IT_IS = [
    item.name
    for item in fields(Expected)
    if item.name not in (
        "positions", "ids", "ignored", "usage_is_secret", "targets", "shapes", "total", "beside",
        "unnamed", "sent", "of_any_size",
    )
]  # fmt: skip


@dataclass(frozen=True)
class SubmissionRules:
    """What a competition requires of submissions, as far as participants may know it."""

    tasks: Mapping[str, Expected]
    described: FileDescription = AS_FOUND
    pattern: str | None = None
    limits: Limits = DEFAULT
    gold: str | None = None  # the name of the only gold file, which chooses among several files
    folder: str | None = None  # the name of the folder of all gold files, which chooses, too
    other_tasks: tuple[str, ...] = ()  # names of files for other tasks of the phase
    may_lack_tasks: bool = False  # whether a submission may lack files, but not all
    reader: str | None = None  # the organizer's "file.py:function", if participants have it
    # What lies in the gold's folder, if the reader gets whole folders. None if that is unknown:
    # then it gets an upload of several files as a folder.
    whole: tuple[str, ...] | None = ()


def as_document(rules: SubmissionRules) -> dict[str, Any]:
    """Return the rules as a starting kit's ``expected.json`` holds them.

    Labels that are not public are left out. Ids and rows are sorted, because their order may depend
    on the gold.
    """
    return {
        **vars(rules),
        "tasks": {task: _as_document(expected) for task, expected in rules.tasks.items()},
        "described": asdict(rules.described),
        "limits": asdict(rules.limits),
    }


def _as_document(expected: Expected) -> dict[str, Any]:
    """Return what a task expects; rows that are not scored are not told from the others."""
    every = expected.every
    keys: Sequence[Any] = every.positions if every.ids is None else every.ids
    return {
        **{name: getattr(expected, name) for name in _AS_IT_IS},
        "total": expected.total,
        "sent": None if expected.sent is None else _sent_as_document(expected.sent),
        "ids": None if every.ids is None else sorted(every.ids),
        "shapes": {  # in the order of the ids or, without ids, of the file
            column: [shape for _, shape in sorted(zip(keys, of, strict=True), key=itemgetter(0))]
            for column, of in every.shapes.items()
        },
        "targets": [
            {
                "column": target.column,
                "kind": target.kind,
                "labels": labels if expected.labels_are_public else (),
                "any_size": target in expected.of_any_size,
            }
            for target, labels in expected.targets.items()
        ],
    }


def _sent_as_document(sent: SentColumns) -> dict[str, Any]:
    """Return what columns hold; the predictions are in the order of the targets."""
    return {**vars(sent), "predictions": [*map(vars, sent.predictions.values())]}


def as_rules(document: Mapping[str, Any]) -> SubmissionRules:
    """Return the rules from what `as_document` returned."""
    given = {name: _frozen(value) for name, value in document.items()}
    given["tasks"] = {task: _as_expected(item) for task, item in given["tasks"].items()}
    described = {name: _frozen(value) for name, value in given["described"].items()}
    given |= {"described": FileDescription(**described), "limits": Limits(**given["limits"])}
    return SubmissionRules(**given)


def _as_expected(item: Mapping[str, Any]) -> Expected:
    targets = {}
    of_any_size = set()
    for of in item["targets"]:
        target = Target(of["column"], of["kind"])
        targets[target] = tuple(of["labels"])
        if of.get("any_size"):  # rules of earlier versions do not say it
            of_any_size.add(target)
    given = {name: _frozen(value) for name, value in item.items()}
    given |= {"targets": targets, "of_any_size": of_any_size}
    given["sent"] = None if item["sent"] is None else _as_sent(item["sent"], [*targets])
    return Expected(**{**given, "positions": range(item["total"])})


def _as_sent(item: Mapping[str, Any], targets: Sequence[Target]) -> SentColumns:
    predictions = {}
    for target, prediction in zip(targets, item["predictions"], strict=True):
        predictions[target] = SentPrediction(**prediction)
    return SentColumns(**{**item, "ids": tuple(item["ids"]), "predictions": predictions})


def _frozen(value: Any) -> Any:
    """Return a list of JSON as the tuple that it was."""
    return tuple(value) if isinstance(value, list) else value


# What may have happened ---------------------------------------------------------------------------


#: A possible defect of a file with one cell per line.
UNDIVIDED = Phrase("no delimiter (comma, semicolon, tab or |) was recognized")
_ROUNDED = re.compile(r"\d([.,]\d+)?E\+\d+", re.IGNORECASE)
_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_EXTENSION = re.compile(r"\.[a-z]\w{0,4}$")
#: The most cells that a diagnosis looks at, and the letters of each: their author chose both.
MOST_CELLS = 200
MOST_LETTERS = 500


def bare_id(value: str) -> str:
    """Return an id without what software and people often change: case, quotes, folders, zeros."""
    name = value.replace("\\", "/").rpartition("/")[2].strip("'\"= ").casefold()
    name = _THOUSANDS.sub("", name)
    return _ZEROS.sub("", _EXTENSION.sub("", name.removesuffix(".0").replace(" ", "")))


def wrong_number(table: Table, expected: Expected) -> SubmissionError:
    """Return the error for rows that are too many or too few to be matched by position."""
    places = table.places
    noun = table.row_noun if table.lines else ROW
    rows = counted(len(places), noun)
    ends = Phrase("  - {place} is the first", place=places[0])
    if len(places) > 1:
        ends = Phrase("{first} and {place} is the last", first=ends, place=places[len(places) - 1])
    if places.gap:
        ends = Phrase("{ends}; {place} is empty", ends=ends, place=places.gap)
    parts: list[Phrase | None] = [
        Phrase(
            "{file}: {rows}, {number} expected", file=table.file, rows=rows, number=expected.total
        ),
        ends,
        Phrase(
            "Without ids, {rows} are matched by position: send one {row} per example.",
            rows=noun.with_values(count=2),
            row=noun,
        ),
    ]
    is_narrow = table.untitled and len(table.named) == 1
    if is_narrow and table.row_noun == LINE and expected.ids is not None:
        (cells,) = table.named.values()
        quotes = all("," in cell for cell in cells)  # and none of them divides the line
        parts.append(
            Phrase(
                "Every line is in quotes, so that it is one cell: remove the quotes around the "
                "lines."
            )
            if quotes
            else Phrase(
                "If the rows do have ids: {undivided}; write a header such as {header} as the "
                "first line.",
                undivided=UNDIVIDED,
                header=expected.header,
            )
        )
    if is_narrow and len(table.numbers) == expected.total + 1:  # it may be a name such as 0
        first = table.place(0)
        column = repr(expected.public_name(expected.columns[0]))
        parts.append(
            Phrase("If {place} is a header, call it {column}.", place=first, column=column)
        )
    extra = len(table.numbers) - expected.total
    if is_narrow and 0 < extra <= MOST_CELLS:
        widths = [len(cell.split()) for cell in next(iter(table.named.values()))]
        if not {*widths[:extra]} & {*widths[extra:]}:
            parts.append(
                Phrase(
                    "Organizers: if the first {count} lines of every file are no rows, write "
                    "{setting}.",
                    count=extra,
                    setting=repr(f"submissions: {{skip_lines: {extra}}}"),
                )
            )
    return SubmissionError(joined(filter(None, [*parts, _of_counts(table, expected)])))


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
    columns = table.named
    known = expected.known_ids
    ids = columns[name]
    ragged = len(table.ragged)
    if not ids or 10 * sum(value in known for value in ids) > len(ids) or ragged > len(ids):
        return None  # a list of what was resolved may be empty
    similar = {bare_id(value) for value in known}
    of_similar = sum(bare_id(value) in similar for value in ids)
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
    long_and_repeated = 2 * len({*ids}) <= len(ids) and all(len(i) > 11 for i in ids)
    if any(map(is_rounded, ids)) or (long_and_repeated and are_integers(ids)):
        return Phrase(
            "A spreadsheet has rounded the ids; copy them from the test set into a column that is "
            "formatted as text, or write the file with a program."
        )
    if expected.ids_are_implied:
        return Phrase("Hardly any id is in the test set; write the ids of the test set.")
    looked_at = ids[:MOST_CELLS]
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
    n = counted(len(expected.known_ids), Phrase("id", "ids"))
    examples = list(map(quoted, sorted(expected.known_ids)[:2]))
    if len(examples) < 2:
        return Phrase("the test set's {ids} are such as {id}", ids=n, id="".join(examples))
    one, two = examples
    return Phrase(
        "the test set's {ids} are such as {first} and {second}", ids=n, first=one, second=two
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


def is_rounded(value: str) -> bool:
    """Whether an id is written as spreadsheets write long numbers: 1.23E+12."""
    return _ROUNDED.fullmatch(value) is not None


def _holds_id(text: str, known: Collection[str], sizes: Sequence[int]) -> bool:
    """Whether an id of the test set, of one of the ``sizes``, begins or ends a longer text."""
    shorter = itertools.takewhile(lambda size: size < len(text), sizes)
    return any(text[:size] in known or text[-size:] in known for size in shorter if size)


def are_row_numbers(ids: Sequence[str]) -> bool:
    """Whether ids are the whole numbers from 0 or 1 on, in any order."""
    numbers = sorted(map(int, ids)) if are_integers(ids) else []
    return bool(numbers) and numbers in (list(range(len(ids))), list(range(1, len(ids) + 1)))
