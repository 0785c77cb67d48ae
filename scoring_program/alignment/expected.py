"""What a competition asks of submissions: the examples, the columns and the policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ..core.cells import Label
from ..core.errors import EXAMPLES_SHOWN

#: Kinds of predictions for which a file may have a column a class; of more than two it must.
BY_CLASS = ("scores", "probabilities")


@dataclass(frozen=True)
class Target:
    """What a metric reads: a target column and the kind of prediction it needs for it."""

    column: str
    kind: str  # "labels", "numbers", "scores" or "probabilities"


@dataclass(frozen=True, eq=False)
class Expected:
    """What a submission must hold, and the policies for what it lacks.

    Its n examples are known by ``ids`` or, where a submission has none, by their ``positions``
    among the ``total`` rows of the test set, which may hold ``ignored`` ones too.
    """

    positions: Sequence[int]  # [n]
    total: int
    ids: tuple[str, ...] | None  # [n]
    targets: Mapping[Target, tuple[Label, ...]]  # its label set; empty where any value will do
    above: Mapping[str, float] = field(default_factory=dict)  # column → what its numbers exceed
    id_column: str = "id"
    ids_are_implied: bool = False  # by the cells of the gold's column, not by its name
    known_columns: tuple[str, ...] = ()  # names of the gold's columns, which a header may repeat
    names_are_known: bool = True  # else those names may be an example, and are not shown
    ignored: frozenset[str] = frozenset()
    missing: str = "error"  # or "wrong"
    labels_are_public: bool = False  # listed in the settings, so that messages may list them
    keep_columns: bool = False  # whether a metric reads the submission's own columns

    @property
    def n(self) -> int:
        """Number of examples."""
        return len(self.positions)

    @property
    def columns(self) -> list[str]:
        """Names of the columns that are predicted."""
        return list(dict.fromkeys(target.column for target in self.targets))

    @property
    def shown_id_column(self) -> str:
        """What a message may call the column of ids; a file may call it so too."""
        return self.id_column if self.names_are_known else "id"

    def shown(self, column: str) -> str:
        """Return what a message may call a column: "label" for one whose name may be an example."""
        return column if self.names_are_known or column not in self.columns else "label"

    @property
    def header(self) -> str:
        """The first line that a file may have, for messages: "'id,label'".

        Classes are named only where the labels are public.
        """
        columns = [self.shown_id_column, *map(self.shown, self.columns)]
        single = f"'{','.join(columns)}'"
        scored = [labels for target, labels in self.targets.items() if target.kind in BY_CLASS]
        if not scored:
            return single
        if not (self.labels_are_public and all(scored)):
            return f"{single}, or one column for each class"
        columns = [self.shown_id_column]
        for target, labels in self.targets.items():
            by_class = target.kind in BY_CLASS
            columns.extend(_cut(labels) if by_class else [self.shown(target.column)])
        wide = f"'{','.join(dict.fromkeys(columns))}'"
        return wide if max(map(len, scored)) > 2 else f"{single} or {wide}"

    @cached_property
    def known_ids(self) -> frozenset[str]:
        """The ids of the examples, none where they have none."""
        return frozenset(self.ids or ())

    @cached_property
    def ids_in_file(self) -> list[str] | None:
        """The ids in the order of the test set's rows, None where some of those are ignored."""
        if self.ids is None or self.n < self.total:
            return None
        row_of = dict(zip(self.positions, self.ids, strict=True))
        return [row_of[position] for position in range(self.n)]


def _cut(labels: Sequence[Label]) -> list[str]:
    """Return the names of classes, of very many the first."""
    more = ["…"] if len(labels) > EXAMPLES_SHOWN else []
    return [*map(str, labels[:EXAMPLES_SHOWN]), *more]
