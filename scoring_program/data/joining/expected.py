"""What a competition asks of submissions, and its form as JSON, which a starting kit holds."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from typing import Any

from ...core.cells import Label
from ...core.phrases import EXAMPLES_SHOWN, Phrase, verbatim
from ...reading.formats import KINDS
from ...reading.formats.kind import AS_FOUND, ROWS, FileDescription
from ...reading.limits import DEFAULT, Limits

#: Kinds of predictions that may have one column per class. For three or more classes they must.
BY_CLASS = ("scores", "probabilities")


@dataclass(frozen=True)
class Target:
    """What a metric reads: a target column, and the kind of prediction that it needs."""

    column: str
    kind: str  # "labels", "numbers", "scores", "probabilities" or a kind of data such as "text"


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
    id_column: str = "id"
    ids_are_implied: bool = False  # the cells, not the name, of the gold's column say so
    known_columns: tuple[str, ...] = ()  # other columns of the gold that a header may name
    #: What the gold holds beside ids and targets: column → [n] cells, which stay secret.
    beside: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    names_are_known: bool = True  # else they may be an example, and stay secret
    ignored: tuple[str, ...] = ()  # ids of the ignored rows, in the order of the file
    usage_is_secret: bool = False  # which rows are public, private or ignored
    missing: str = "error"  # or "wrong"
    extra_ids: str = "error"  # or "ignore"
    labels_are_public: bool = False  # the settings list them, so messages may, too
    labels_are_open: bool = False  # an answer that is no label is wrong, not refused
    keep_columns: bool = False  # whether a metric reads all columns of the submission
    kind: str = ROWS  # what an example is, which says how files are read
    shapes: Mapping[str, Sequence[Any]] = field(
        default_factory=dict
    )  # column → [n] what its predictions must match, if anything (`ExampleKind`)
    most: Mapping[str, Mapping[str, int]] = field(
        default_factory=dict
    )  # column → what a prediction is made of, and how much of it one may hold

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
        return replace(
            self,
            positions=[*self.positions, *ignored],
            ids=None if self.ids is None else (*self.ids, *self.ignored),
            ignored=(),
            shapes={name: _extended(of, len(ignored)) for name, of in self.shapes.items()},
        )

    @property
    def lists_findings(self) -> bool:
        """Whether a submission lists what was found, so that leaving out examples is no defect."""
        return self.kind in KINDS and KINDS[self.kind].may_lack

    @property
    def may_exceed(self) -> bool:
        """Whether predictions for examples that the test set lacks are left out."""
        of_kind = self.kind in KINDS and KINDS[self.kind].may_exceed
        return of_kind or self.extra_ids == "ignore"

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
        """Names of the columns that are predicted."""
        return list(dict.fromkeys(target.column for target in self.targets))

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

        It names classes only if the labels are public.
        """
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


def _extended(shapes: Sequence[Any], more: int) -> list[Any]:
    """Return shapes with more of the same, or of none if they differ."""
    same = all(shape == shapes[0] for shape in shapes)
    return [*shapes, *([shapes[0] if same else None] * more)]


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
    return {
        **{name: getattr(expected, name) for name in _AS_IT_IS},
        "total": expected.total,
        "ids": None if every.ids is None else sorted(every.ids),
        "shapes": {
            column: _in_public_order(shapes, every) for column, shapes in every.shapes.items()
        },
        "targets": [
            {
                "column": target.column,
                "kind": target.kind,
                "labels": labels if expected.labels_are_public else (),
            }
            for target, labels in expected.targets.items()
        ],
    }


def _in_public_order(shapes: Sequence[Any], every: Expected) -> list[Any]:
    """Return the shapes of all rows in the order of their ids or, without ids, of the file."""
    keys: Sequence[Any] = every.positions if every.ids is None else every.ids
    return [shape for _, shape in sorted(zip(keys, shapes, strict=True), key=lambda item: item[0])]


def as_rules(document: Mapping[str, Any]) -> SubmissionRules:
    """Return the rules from what `as_document` returned."""
    given = {name: _frozen(value) for name, value in document.items()}
    given["tasks"] = {task: _as_expected(item) for task, item in given["tasks"].items()}
    described = {name: _frozen(value) for name, value in given["described"].items()}
    given |= {"described": FileDescription(**described), "limits": Limits(**given["limits"])}
    return SubmissionRules(**given)


def _as_expected(item: Mapping[str, Any]) -> Expected:
    targets = {
        Target(target["column"], target["kind"]): tuple(target["labels"])
        for target in item["targets"]
    }
    given = {name: _frozen(value) for name, value in item.items()}
    return Expected(**{**given, "targets": targets, "positions": range(item["total"])})


def _frozen(value: Any) -> Any:
    """Return a list of JSON as the tuple that it was."""
    return tuple(value) if isinstance(value, list) else value
