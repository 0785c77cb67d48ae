"""What a competition asks of submissions: the examples, the columns and the policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..core.cells import Label
from ..core.errors import EXAMPLES_SHOWN
from ..core.phrases import Phrase, verbatim
from ..reading.formats import KINDS
from ..reading.formats.kind import ROWS

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
    among the ``total`` rows of the test set. That may also hold ``ignored`` rows.
    """

    positions: Sequence[int]  # [n]
    total: int
    ids: tuple[str, ...] | None  # [n]
    targets: Mapping[Target, tuple[Label, ...]]  # the label set; empty if any value is valid
    above: Mapping[str, float] = field(
        default_factory=dict
    )  # column → bound that its numbers must exceed
    id_column: str = "id"
    ids_are_implied: bool = False  # the cells, not the name, of the gold's column say so
    known_columns: tuple[str, ...] = ()  # other columns of the gold that a header may name
    names_are_known: bool = True  # else they may be an example, and stay secret
    ignored: frozenset[str] = frozenset()
    missing: str = "error"  # or "wrong"
    labels_are_public: bool = False  # the settings list them, so messages may, too
    keep_columns: bool = False  # whether a metric reads all columns of the submission
    kind: str = ROWS  # what an example is, which says how files are read
    shapes: Mapping[str, Sequence[Any]] = field(
        default_factory=dict
    )  # column → [n] what its predictions must match, if anything (`ExampleKind`)

    @property
    def n(self) -> int:
        """Number of examples."""
        return len(self.positions)

    @property
    def lists_findings(self) -> bool:
        """Whether a submission lists what was found, so that leaving out examples is no defect."""
        return self.kind in KINDS and KINDS[self.kind].may_lack

    @property
    def may_exceed(self) -> bool:
        """Whether predictions for examples that the test set lacks are left out."""
        return self.kind in KINDS and KINDS[self.kind].may_exceed

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
        found = [""] * self.n
        for position, value in zip(self.positions, self.ids, strict=True):
            found[position] = value
        return found


def _cut(labels: Sequence[Label]) -> list[str]:
    """Return the names of classes; of very many, only the first ones."""
    more = ["…"] if len(labels) > EXAMPLES_SHOWN else []
    return [*map(str, labels[:EXAMPLES_SHOWN]), *more]
