"""What a competition asks of submissions: examples, targets, and policies for what is lacking."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ..core.cells import LARGEST, Label
from ..core.phrases import EXAMPLES_SHOWN, Phrase, verbatim
from ..reading.formats import KINDS
from ..reading.formats.kind import ROWS

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
    ``ids``; without any, by position. ``holds`` and ``others`` are as in `FileDescription`. Where a
    documented format says what is where, ``form`` is its name, and the columns have none. A kind of
    data may make its examples of further columns, those ``beside``.
    """

    header: bool
    ids: tuple[str | int, ...]
    predictions: Mapping[Target, SentPrediction]
    holds: str | None = None
    others: str = "ignore"
    form: str = ""
    beside: tuple[str | int, ...] = ()

    @property
    def names(self) -> list[str]:
        """The columns in the order in which they are asked for, each once."""
        columns = [*self.ids, *self.beside]
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
    ids_are_public: bool = True  # else messages name none, and their column must be called so
    known_columns: tuple[str, ...] = ()  # other columns of the gold that a header may name
    #: What the gold holds beside ids and targets: column → [n] cells, which stay secret.
    beside: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    unnamed: Mapping[str, Sequence[str]] = field(default_factory=dict)  # the same, of no name
    names_are_public: bool = True  # else a column's name may be an example
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
        shapes = {}
        for name, known_shapes in self.shapes.items():
            # Those of ignored rows are known where all are the same.
            first = known_shapes[0]
            is_alike = all(shape == first for shape in known_shapes)
            shapes[name] = [*known_shapes, *[first if is_alike else None] * len(ignored)]
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
        names: list[str] = []
        for column in self.columns:
            names.extend((self.called.get(column, column), column))
        return names

    @property
    def public_id_column(self) -> str:
        """What a message may call the column of ids. A file may use this name, too."""
        return self.id_column if self.names_are_public else "id"

    def public_name(self, column: str) -> str:
        """Return what a message may call a column: "label" if the name may be an example."""
        return column if self.names_are_public or column not in self.columns else "label"

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
