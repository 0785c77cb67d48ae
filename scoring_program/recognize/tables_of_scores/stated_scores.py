"""What recognition of a table of scores is told: its metrics, and what the settings state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from .. import usual_names
from .score_names import BETTER

#: Roles of columns in a table of scores, and in one of preferences.
UNIT = "unit"
SYSTEM = "system"
SAMPLE = "sample"
TASK = "task"
SEED = "seed"
LEFT = "left"
RIGHT = "right"
WINNER = usual_names.WINNER
SCORE_ROLES = (UNIT, SYSTEM, SAMPLE, TASK, SEED)
SIDE_ROLES = (LEFT, RIGHT, WINNER)
WIDE = "wide"
LONG = "long"
#: Whether higher values of what has a name are better, and their least and largest values.
Bounds: TypeAlias = "tuple[bool, float, float]"


@dataclass(frozen=True)
class ScoreNeed:
    """What one metric of a table of scores says.

    ``column`` is that of its scores, if the metric names or implies one. ``says`` is a name that
    may tell a direction: that of the column or else of the metric; "" if it tells nothing.
    ``hidden`` metrics serve formulas only. ``where`` is the place in the settings.
    """

    name: str
    column: str | None
    says: str = ""
    better: bool | None = None
    hidden: bool = False
    where: str = ""


@dataclass(frozen=True)
class StatedScores:
    """What the settings, or arguments, state about a table of scores or of preferences.

    ``systems`` are the columns of a wide table, ``scores`` those
    of scores of a long one. ``sides`` maps the roles of preferences to their
    columns. ``context`` are columns that other settings name, such as groups. ``named`` are all
    names in metrics and their formulas, ``metric_columns`` the columns that metrics name.
    ``greater_is_better`` is for all scores, ``directions`` for columns. ``bounds_by_name``
    returns what the name of a metric says. Where ``anonymous``, questions name no system of a wide
    table. With ``of_tool``, an evaluation tool logged the scores; higher ones are better unless a
    name says else.
    """

    unit: tuple[str, ...] | None = None
    id_column: str | None = None
    system: str | None = None
    systems: tuple[str, ...] = ()
    sample: str | None = None
    task: str | None = None
    seed: str | None = None
    scores: tuple[str, ...] = ()
    sides: Mapping[str, str] = field(default_factory=dict)
    layout: str = "auto"
    context: tuple[str, ...] = ()
    group: Any = None
    named: tuple[str, ...] = ()
    metric_columns: tuple[str, ...] = ()
    has_metrics: bool = False
    greater_is_better: bool | None = None
    directions: Mapping[str, bool] = field(default_factory=dict)
    baselines: tuple[str, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict)
    anonymous: bool = False
    in_python: bool = False
    of_tool: bool = False
    bounds_by_name: Callable[[str], Bounds | None] = field(default=lambda _: None)

    def where(self, key: str) -> str:
        """Return where a setting was made, for messages."""
        return self.places.get(key, f"settings: {key}")

    def direction_by_name(self, name: str) -> bool | None:
        """Return whether a higher value of what has this name is better; None if it is silent."""
        bounds = self.bounds_by_name(name)
        return None if bounds is None else bounds[0]

    @property
    def unit_columns(self) -> tuple[str, ...]:
        """The columns of units that are stated."""
        if self.unit is None:
            return () if self.id_column is None else (self.id_column,)
        return self.unit

    @property
    def roles(self) -> tuple[str, ...]:
        """The columns with a role in a table of scores that are stated."""
        single = (self.system, self.sample, self.task, self.seed)
        return (*(self.unit or ()), *filter(None, single), *self.systems)

    def states(self, key: str) -> bool:
        """Whether a key that questions offer is stated already; it must not be written twice."""
        if key == "metrics":
            return self.has_metrics
        if key == "layout":
            return self.layout != "auto"
        return getattr(self, key) is not None

    def stating(self, settings: Mapping[str, Any]) -> StatedScores:
        """Return this with what an option of a question states, too.

        A direction that is open is taken as higher. ``metrics`` maps columns to directions.
        """
        changes: dict[str, Any] = {}
        for key in (UNIT, SYSTEM, SAMPLE, "layout", "group", BETTER):
            if key in settings:
                changes[key] = settings[key]
        if isinstance(changes.get(UNIT), str):
            changes[UNIT] = (changes[UNIT],)
        elif UNIT in changes:
            changes[UNIT] = tuple(changes[UNIT])
        if BETTER in changes and isinstance(changes[BETTER], Mapping):
            changes["directions"] = {n: b is not False for n, b in changes.pop(BETTER).items()}
        elif BETTER in changes:
            changes[BETTER] = changes[BETTER] is not False
        if "group" in changes:
            changes["context"] = (*self.context, changes["group"])
        columns = settings.get("submissions", {}).get("columns", {})
        if SYSTEM in columns and not isinstance(columns[SYSTEM], str):
            changes["systems"] = tuple(columns[SYSTEM])
        if "metrics" in settings:
            directions = {name: better is not False for name, better in settings["metrics"].items()}
            names = tuple(directions)
            changes |= {"directions": directions, "named": names, "has_metrics": True}
            changes["metric_columns"] = names
        return replace(self, **changes)
