"""What a competition asks of submissions: the examples, the columns and the policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from scoring_program.align.cells import Label


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
