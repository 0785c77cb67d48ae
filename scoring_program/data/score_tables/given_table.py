"""A table of scores or of preferences as it was given, with the settings beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...core.errors import ReferenceDataError, SettingsError
from ...metrics import formula
from ...metrics.registry import known_by_name
from ...reading.table import NamedColumns, Table
from ...recognize.tables_of_scores.score_names import BETTER
from ...recognize.tables_of_scores.scores_rule import ScoresRecognition, question_text
from ...recognize.tables_of_scores.stated_scores import (
    SAMPLE,
    SCORE_ROLES,
    SEED,
    SIDE_ROLES,
    SYSTEM,
    TASK,
    UNIT,
    StatedScores,
)
from ...settings.checks import MetricSpec
from ...settings.model import Settings
from ..gold import other_columns


def columns_of_formula(spec: MetricSpec) -> tuple[str, ...]:
    """Return the names in a metric's formula, which may be those of columns; none if it is wrong.

    Who resolves the formula says what is wrong with it.
    """
    try:
        return formula.names(spec.formula, spec.name) if spec.formula else ()
    except SettingsError:
        return ()


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """A table of scores, or of preferences, and what is said of it: how it may be read.

    ``settings_folder`` holds the organizer's own metrics. A call ``in_python`` may have ``stated``
    for columns whether a higher score is better. ``roles`` maps roles to columns, as 'columns' of
    'submissions' does, which ``calls`` others by a name.
    """

    table: Table
    settings: Settings
    sha256: str
    settings_folder: Path | None = None
    in_python: bool = False
    stated: Mapping[str, bool] = field(default_factory=dict)
    roles: Mapping[str, Any] = field(default_factory=dict)
    calls: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """What messages call the table."""
        return self.table.file

    @property
    def columns(self) -> NamedColumns:
        """The columns by their names."""
        return self.table.named

    @property
    def cost_column(self) -> str | None:
        """The column that holds the costs on each unit; None if the settings name none."""
        costs = self.settings.costs
        return costs if isinstance(costs, str) and costs in self.columns else None

    def without_costs(self) -> Table:
        """Return the table without the column of costs; with it where a metric scores it, too.

        Raises
        ------
        SettingsError
            The table has no column that is called as the costs are.
        """
        column = self.settings.costs
        if not isinstance(column, str):
            return self.table
        if column not in self.columns:
            raise SettingsError(
                f"{self.settings.where('costs')}: {self.file} has no column {column!r}"
                f"{other_columns(column, self.columns)}; or give each team's cost, as in "
                "'costs: {A: 0.12, B: 0.5}'"
            )
        if any(column in (spec.column, spec.name, spec.function) for spec in self.settings.metrics):
            return self.table
        others_of_table = {name: cells for name, cells in self.columns.items() if name != column}
        return self.table.with_columns(others_of_table)

    def statements(self) -> StatedScores:
        """Return what the settings state.

        Raises
        ------
        SettingsError
            A setting names a column that the table lacks, or two settings name the same role.
        """
        settings = self.settings
        specs = settings.metrics
        for key, name in settings.table_columns:
            self._check(settings.where(key), name)
        if settings.unit is not None and settings.id_column is not None:
            raise SettingsError(
                f"{settings.where('id_column')}: 'unit' names the same columns; remove one of the "
                "two"
            )
        names = {name for spec in specs for name in (spec.column, spec.name)}
        names |= {name for spec in specs for name in columns_of_formula(spec)}
        system = self._role(SYSTEM, settings.system)
        units = self._role(UNIT, settings.unit)
        return StatedScores(
            unit=(units,) if isinstance(units, str) else units,
            id_column=settings.id_column,
            system=system if isinstance(system, str) else None,
            systems=() if system is None or isinstance(system, str) else system,
            sample=self._role(SAMPLE, settings.sample),
            task=self._role(TASK, None),
            seed=self._role(SEED, None),
            scores=self._scores(),
            sides={role: self._role(role, None) for role in SIDE_ROLES if role in self.roles},
            layout=settings.layout,
            context=tuple(name for _, name in settings.design_columns),
            group=settings.group,
            named=tuple(filter(None, names)),
            metric_columns=tuple(spec.column for spec in specs if spec.column),
            has_metrics=bool(specs),
            greater_is_better=settings.greater_is_better,
            directions=self.stated,
            baselines=settings.baselines,
            places={key: settings.where(key) for key in (SAMPLE, BETTER)},
            anonymous=settings.anonymize,
            in_python=self.in_python,
            bounds_by_name=known_by_name,
        )

    def _scores(self) -> tuple[str, ...]:
        """Return the columns of scores that 'columns' names beside roles."""
        if SYSTEM not in self.roles:
            return ()
        context = {name for _, name in self.settings.design_columns}
        return tuple(name for name in self.calls if name in self.columns and name not in context)

    def _role(self, role: str, stated: Any) -> Any:
        """Return the column of a role, which 'columns' states or a setting of its own."""
        column = self.roles.get(role)
        if column is None:
            return stated
        where = self.settings.where("submissions")
        if stated is not None and stated not in (column, (column,)):
            raise SettingsError(f"{where}: {role!r} is stated twice; keep one of the statements")
        for name in (column,) if isinstance(column, str) else column:
            self._check(where, name)
        return column

    def _check(self, where: str, name: str) -> None:
        if name not in self.columns:
            raise SettingsError(
                f"{where}: {self.file} has no column {name!r}{other_columns(name, self.columns)}"
            )

    def raise_if_open(self, recognition: ScoresRecognition) -> None:
        """Raise ReferenceDataError with the open questions, if there are any."""
        if recognition.questions:
            texts = [question_text(q, in_python=self.in_python) for q in recognition.questions]
            raise ReferenceDataError("\n".join(texts))


def stated_roles(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return role → column, or several, of a description that names columns by what they hold.

    They are those of a table of scores or of preferences.
    """
    return {role: columns[role] for role in (*SCORE_ROLES, *SIDE_ROLES) if role in columns}
