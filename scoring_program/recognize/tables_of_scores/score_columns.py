"""Which columns of a table of scores name units, systems and tasks, and which hold scores.

A *long* table has one line for each unit and system, and one column for each metric. A *wide* table
has one line for each unit and one column for each system. There is no gold that would show a wrong
guess, so a table whose layout is not certain is refused, with the settings that make it certain.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import median
from typing import Any

from ...core import cells
from ...core.errors import listed
from ...core.phrases import verbatim
from ...reading.table import NamedColumns, Table
from ...recognize.usual_names import TARGET_NAMES, USAGE
from ..of_kinds.roles_by_name import is_id
from ..open_questions import Asked, OpenQuestion, Option
from ..usual_names import MOST_CLASSES_OF_NUMBERS, is_nameless
from .score_names import (
    A_UNIT,
    ANNOTATOR,
    BETTER,
    SAMPLE_NAMES,
    SEED_NAMES,
    STATISTICS,
    SYSTEM_NAMES,
    TASK_NAMES,
    UNIT_NAMES,
    USER,
    asks,
    given_cells,
    is_missing,
    is_score,
    looks_like,
    looks_like_no_system,
    metrics_apart,
    parts_apart,
    plain_name,
    score_numbers,
    sums_up,
)
from .stated_scores import LONG, WIDE, StatedScores
from .summary_lines import LinesOf, is_called_summary, mean_of_others

#: Typical scores of systems on one scale lie within this factor. Percentages are beyond it from
#: fractions, and times from ratings.
_ONE_SCALE = 50.0
#: The words of a column's name, of which one may be a metric.
_WORDS = re.compile(r"[^\W_]+")
#: So many doubts about a layout are explained.
_EXPLAINED = 4


@dataclass(frozen=True)
class Roles:
    """The columns of a table of scores by what they hold.

    ``scores`` are the metrics of a long table and the systems of a wide one, whose ``system`` is
    None. Without ``units`` every line is a unit of its own. A long table may number the samples of
    a system on a unit, and hold the scores of its runs, which a ``seed`` tells apart, and the
    ``cost`` of a system on a unit, which settings name.
    """

    units: tuple[str, ...]
    system: str | None
    task: str | None
    scores: tuple[str, ...]
    sample: str | None = None
    seed: str | None = None
    cost: str | None = None

    @property
    def measured(self) -> tuple[str, ...]:
        """The columns of numbers that belong to a system and a unit: scores, and costs if any."""
        if self.cost is None or self.cost in self.scores:
            return self.scores
        return (*self.scores, self.cost)

    @property
    def unit(self) -> str:
        """What a message calls a unit."""
        return self.units[0] if len(self.units) == 1 else "unit"


def refused(why: str) -> Asked:
    """Return the question for what no setting can mend; it says what has to change."""
    return Asked(OpenQuestion(verbatim(why)))


def has_gold(columns: NamedColumns, stated: StatedScores) -> bool:
    """Whether a column is called like correct answers, or a metric names one."""
    taken = {*stated.context, *stated.roles}
    return any(name in columns for name in stated.metric_columns) or any(
        name.casefold() in TARGET_NAMES and name not in taken for name in columns
    )


@dataclass(frozen=True, eq=False)
class ScoreColumns:
    """The columns of a table that may hold scores, and what is stated about them."""

    table: Table
    stated: StatedScores

    @property
    def file(self) -> str:
        """What messages call the table."""
        return self.table.file

    @property
    def columns(self) -> NamedColumns:
        """The columns by their names."""
        return self.table.named

    def roles(self) -> Roles | None:
        """Return the roles of the columns; None if they do not hold scores.

        Raises
        ------
        Asked
            The table may hold scores, but its layout is not certain; or the settings call it long,
            and it lacks a column that such a table has.
        """
        stated = self.stated
        if stated.systems:
            return self._stated_wide()
        if stated.layout == LONG or stated.system is not None:
            return self._stated_long()
        roles = None if stated.layout == WIDE else self._long()
        if roles is None and stated.sample is not None:
            raise refused(
                f"{stated.where('sample')}: only a long table has samples; name its column of "
                "systems with the setting 'system'"
            )
        if roles is not None or has_gold(self.columns, stated):
            return roles
        if stated.layout != WIDE:
            return self._wide()
        roles = self._as_wide()
        if doubts := [*self._doubts_about_first(roles), *self._doubts_about_words(roles)]:
            raise self._uncertain(doubts, roles)
        self.refuse_summaries(roles)
        return roles if len(roles.scores) > 1 else None

    def _stated_wide(self) -> Roles:
        """Return the roles in a wide table whose systems are stated."""
        roles = self._as_wide()
        units = tuple(name for name in roles.units if name not in self.stated.systems)
        roles = replace(roles, units=units, scores=self.stated.systems)
        self.refuse_summaries(roles)
        return roles

    def is_called_unit(self, name: str) -> bool:
        """Whether a column is called like units."""
        return name in self._unit_names()

    def _long(self) -> Roles | None:
        """Return the roles in a long table, known by names; None if it has no such columns."""
        systems = self._systems()
        roles = self._as_long(systems[0]) if systems else None
        if roles is None:
            return None
        doubts = [f"{name!r} may name the systems, too" for name in systems[1:]]
        doubts += [*self._doubts_about_units(roles), *self._doubts_about_scores(roles)]
        if not roles.scores:
            doubts.append("no column holds numbers")
        if doubts:
            raise self._uncertain(doubts, roles)
        self.refuse_summaries(roles)
        return roles

    def _stated_long(self) -> Roles:
        """Return the roles in a table that the settings call long."""
        system = self.stated.system or next(iter(self._systems()), None)
        roles = None if system is None else self._as_long(system)
        if roles is not None and roles.scores:
            if doubts := self._doubts_about_scores(roles):
                raise self._uncertain(doubts, roles)
            self.refuse_summaries(roles)
            return roles
        wanted = "systems"
        called = "system"
        if system is not None:
            wanted, called = ("scores", "score") if self._units({system}) else ("units", "unit")
        named = "" if called == "score" else f", or name it with the setting {called!r}"
        raise refused(
            f"{self.file}: a long table needs a line for each unit and system, such as "
            f"'case,system,score', but no column of {listed(self.columns)} is known to hold "
            f"{wanted}; call it {called!r}{named}"
        )

    def _as_long(self, system: str) -> Roles | None:
        """Return the roles in a long table of these systems; None if it is none.

        Its units occur with several systems each. Scores are those that metrics name, or all that
        differ by system.
        """
        task = self._called(TASK_NAMES, self._stated)
        units = self._units({system, task})
        lines = self._different(*units, task)
        stated = self.stated.unit and self.stated.system
        if not units or self._different(system) < 2 or (lines == self._size and not stated):
            return None
        named = {*self._stated, system, task, USAGE, *self._design}
        remaining = {name: cells for name, cells in self.columns.items() if name not in named}
        if apart := parts_apart(self.file, remaining) or metrics_apart(self.file, remaining):
            raise refused(apart)
        settled = {*self._design, *units, system, task}
        sample = self.stated.sample or self._called(SAMPLE_NAMES, settled)
        seed = self.stated.seed or self._seed((*units, system, task, sample))
        roles = Roles(units, system, task, self._named_by_metrics(), sample, seed)
        if roles.scores:
            return roles
        numbers = [name for name in self._others(roles) if self._are_scores(name)]
        # What its name calls a metric is one, even if all systems are alike on every unit.
        varying = [
            name
            for name in numbers
            if self._different(*units, task, name) > lines
            or self.stated.direction_by_name(name) is not None
        ]
        return replace(roles, scores=tuple(varying or numbers))

    def _seed(self, keys: Sequence[str | None]) -> str | None:
        """Return the column that is called like seeds and tells lines of the same ``keys`` apart.

        One that has a single value for each of them, such as the seed of the whole experiment,
        tells no runs apart.
        """
        seed = self._called(SEED_NAMES, {*self._design, *keys})
        if seed is None or self._different(*keys, seed) == self._different(*keys):
            return None
        return seed

    def _doubts_about_units(self, roles: Roles) -> list[str]:
        """Return why the units of a long table may be others than those that are called so."""
        if self.stated.unit is not None:
            return []
        doubts = []
        keys = (*roles.units, roles.system, roles.task, roles.sample, roles.seed)
        if self._different(*keys) < self._size:
            unscored = [name for name in self._others(roles) if name not in roles.scores]
            judges = [name for name in unscored if self._look(name) or plain_name(name) == USER]
            doubts = [f"{name!r} looks like {self._look(name) or ANNOTATOR}" for name in judges]
        systems = self._different(roles.system)
        lines = self._different(*roles.units)
        for name in self._others(roles):
            divides = self._different(roles.system, name) == systems > self._different(name) > 1
            if divides and self._different(*roles.units, name) > lines:
                doubts.append(f"{name!r} may name tasks, and then has to be called 'task'")
        return doubts

    def _doubts_about_scores(self, roles: Roles) -> list[str]:
        """Return why columns may hold no scores, unless metrics name those that do."""
        if self._named_by_metrics():
            return []
        doubtful = [name for name in roles.scores if name not in self.stated.directions]
        if self._is_the_only_score(roles):
            doubtful = []
        doubts_about_words = self._doubts_about_words(roles) if doubtful else []
        doubts = [f"{name!r} looks like {kind}" for name in doubtful if (kind := self._look(name))]
        several = doubtful if len(roles.scores) > 1 else ()
        fixed = [name for name in several if self._is_fixed(name, roles.system)]
        doubts += [f"{name!r} has one value for each system" for name in fixed]
        return [*doubts, *doubts_about_words]

    def _is_the_only_score(self, roles: Roles) -> bool:
        """Whether a column that is called like annotators is the only one that may hold scores.

        It names nobody who scored, because no other column holds a score.
        """
        keys = (*roles.units, roles.system, roles.task, roles.sample, roles.seed)
        numbers = [name for name in self._others(roles) if self._are_scores(name)]
        if len(numbers) != 1 or self._look(numbers[0]) != ANNOTATOR:
            return False
        return self._different(*keys) == self._size

    def _wide(self) -> Roles | None:
        """Return the roles in a wide table: all but the columns in front are systems."""
        roles = self._as_wide()
        systems = self._systems()
        if len(roles.scores) < (1 if systems else 2):
            if roles.scores and self._long_proposal(roles):
                raise self._uncertain(["no column is called like systems"], roles)
            return None
        self.refuse_summaries(roles)
        doubts = [f"{name!r} may name systems" for name in systems]
        reasons = {True: "repeats its cells", False: "holds texts"}
        unused = [name for name in self._others(roles) if name not in (*roles.scores, *systems)]
        doubts += [f"{name!r} {reasons[name in self._unit_names()]}" for name in unused]
        looks = ((name, self._no_system(name)) for name in roles.scores)
        doubts += [f"{name!r} looks like {kind}" for name, kind in looks if kind]
        if doubts := doubts or self._doubts_about_numbers(roles):
            raise self._uncertain(doubts, roles)
        return roles

    def _no_system(self, name: str) -> str | None:
        """Return what a column of a wide table looks like if it looks like no system's scores."""
        metric = "a metric" if self.stated.direction_by_name(name) is not None else None
        return looks_like(name, self.columns[name]) or metric or looks_like_no_system(name)

    def _as_wide(self) -> Roles:
        task = self._called(TASK_NAMES, self._stated)
        units = self._ids_in_front(task)
        able = self._others(Roles(units, None, task, ()))
        no_units = [name for name in able if name not in self._unit_names()]
        return Roles(units, None, task, tuple(filter(self._are_scores, no_units)))

    def _doubts_about_numbers(self, roles: Roles) -> list[str]:
        """Return why columns of numbers may not all be systems on one scale."""
        if several := self._several_metrics(roles.scores):
            return [several]
        sizes = ((_typical(self.columns[name]), name) for name in roles.scores)
        filled = sorted((size, name) for size, name in sizes if size)
        if filled and filled[-1][0] > _ONE_SCALE * filled[0][0]:
            ends = f"{filled[0][1]!r} and {filled[-1][1]!r}"
            secret = self.stated.anonymous
            return [f"{'two columns' if secret else ends} are not on one scale"]
        counting = (name for name in roles.scores if _count(self.columns[name]))
        doubts = self._doubts_about_words(roles)
        doubts += [f"{name!r} numbers the lines" for name in counting]
        return [*doubts, *self._doubts_about_first(roles)]

    def _several_metrics(self, names: Sequence[str]) -> str | None:
        """Return why columns may be of one system by two metrics, such as "A_acc" and "A_f1"."""
        metrics: dict[str, str] = {}  # what else the name holds → the column
        for name in names:
            words = _WORDS.findall(name)
            ends = (words[0], words[-1]) if len(words) > 1 else ()
            directed = (word for word in ends if self.stated.direction_by_name(word) is not None)
            for metric in directed:
                twin = metrics.setdefault(name.replace(metric, "", 1), name)
                if twin != name:
                    secret = self.stated.anonymous
                    named = "two columns" if secret else f"{twin!r} and {name!r}"
                    return f"{named} look like two metrics of one system"
        return None

    def _doubts_about_first(self, roles: Roles) -> list[str]:
        """Return why the first column may be one more system, if only its cells look like ids."""
        first = next(iter(self.columns))
        implied = roles.units == (first,) and first not in (*self._unit_names(), *self._stated)
        named = self._look(first) and not any(map(self._look, roles.scores))
        if not implied or named or _count(self.columns[first]):
            return []
        size = _typical(self.columns[first])
        typical_values = [_typical(self.columns[name]) for name in roles.scores]
        on_one_scale = any(
            size <= _ONE_SCALE * value and value <= _ONE_SCALE * size for value in typical_values
        )
        if not (on_one_scale and cells.are_integers(self.columns[first])):
            return []
        return [f"{first!r} may hold ids, or scores, and then needs a column of ids in front"]

    def refuse_summaries(self, roles: Roles) -> None:
        """Ask about a line that sums up the others, such as their mean, and a system of such lines.

        Where settings name the units, a line is refused whose name says that it sums up others, and
        whose numbers are what it says.
        """
        if summary := self._system_of_summaries(roles):
            raise refused(summary)
        tasks = () if roles.task is None else (roles.task,)
        for name in (*roles.units, *tasks):
            is_stated = bool(self._stated) and name not in tasks
            alone = not self._stated and self._different(name, roles.system) == self._size
            summary = ""
            if alone:
                summary = mean_of_others(self.columns, name, roles.system, roles.scores)
            for cell, row in _first_rows(self.columns[name]).items():
                says_so = is_called_summary(cell)
                if not says_so and not (cell and cell == summary):
                    continue
                where = f"{self.file}: the {name} {cell!r}, {row + 1} below the header, "
                if not is_stated:
                    raise self._summary_or_unit(where, name, roles, alone=alone)
                if statistic := self._lines(name, roles).held_statistic(cell):
                    raise refused(
                        f"{where}holds the {statistic}; remove it, and all other lines that sum "
                        "up units. If it is a unit, give it another name"
                    )

    def _lines(self, unit: str, roles: Roles) -> LinesOf:
        beside = tuple(name for name in roles.units if name != unit)
        named = [name for name in (roles.system, roles.task) if name is not None]
        keys = tuple(name for name in named if name != unit)
        return LinesOf(self.columns, unit, beside, keys, roles.scores)

    def _system_of_summaries(self, roles: Roles) -> str:
        """Return why a system is none, because its lines sum up those of others; else ""."""
        systems = () if roles.system is None else self.columns[roles.system]
        for row, system in enumerate(systems):
            if sums_up(system, STATISTICS) and system not in self.stated.baselines:
                return (
                    f"{self.file}: the {roles.system} {system!r}, {row + 1} below the header, "
                    "looks like lines that sum up those of the others. Remove them or, if it is a "
                    "system, give it another name"
                )
        return ""

    def _summary_or_unit(self, where: str, name: str, roles: Roles, *, alone: bool) -> Asked:
        text = f"{where}looks like a line that sums up the others. Remove it"
        if name == roles.task and not alone:
            return refused(f"{text} or, if it is one of the tasks, give it another name")
        tasks = () if roles.task is None else (roles.task,)
        units = (*roles.units, *tasks) if alone else roles.units
        option = Option({"unit": _one_or_all(units)}, verbatim("If it is one of the units, say so"))
        return Asked(OpenQuestion(verbatim(f"{text}."), (option,)))

    def _uncertain(self, doubts: Sequence[str], roles: Roles) -> Asked:
        """Return the question about a layout that is not certain, with the settings to paste."""
        more = len(doubts) - _EXPLAINED
        why = "; ".join((*doubts[:_EXPLAINED], *([f"and {more} more"] if more > 0 else ())))
        text = f"{self.file}: it is not certain which columns hold scores of systems: {why}."
        options = []
        if long := self._long_proposal(roles):
            if self._may_be_wide():
                options += self._wide_remedy()[1]
            meaning = "If each line holds scores of one system on one unit, name the columns"
            options.append(Option(long, verbatim(meaning)))
            options += self._with_judges_scores(long, roles)
        elif ways := [*self._either_way(roles)]:
            options += ways
        elif self.stated.system in self.columns:
            numbers = [name for name in roles.scores if not self._look(name)]
            example = f", such as 'column: {numbers[0]}'" if numbers else ""
            text += f"\nSay in 'metrics' which column each metric scores{example}."
        else:
            advice, options = self._wide_remedy()
            text += f"\n{advice}" if advice else ""
            judges = [name for name in self._others(roles) if self._look(name) == ANNOTATOR]
            if judges and roles.system is not None and roles.sample is None:
                meaning = (
                    "If several judges scored a system on a unit, their mean counts: name the "
                    "column"
                )
                options.append(Option({"sample": judges[0]}, verbatim(meaning)))
        if not self.stated.in_python:
            text += "\nIf the table holds predictions, put the correct answers into ref/."
            if not options:
                text += (
                    " If its lines hold something else, such as orders of several systems, let a "
                    "'reader' of your own read them (docs/how-to/own-reader.md)."
                )
        return Asked(OpenQuestion(verbatim(text), tuple(options)))

    def _with_judges_scores(self, long: Mapping[str, Any], roles: Roles) -> Iterator[Option]:
        """Yield the settings under which columns that are called like annotators are scores, too.

        They tell no lines apart, so nothing shows that they name annotators.
        """
        judges = [name for name in roles.scores if self._look(name) == ANNOTATOR]
        if not judges or "sample" in long or "metrics" not in long:
            return
        general = self.stated.greater_is_better
        metrics = dict(long["metrics"])
        for name in judges:
            by_name = self.stated.direction_by_name(name)
            metrics[name] = general if by_name is None else by_name
        names = listed(map(repr, judges))
        hold = "holds" if len(judges) == 1 else "hold"
        meaning = f"If {names} {hold} scores of the systems, too, say so"
        yield Option({**long, "metrics": metrics}, verbatim(meaning))

    def _wide_remedy(self) -> tuple[str, list[Option]]:
        """Return how a table becomes a wide one: in words, or as settings to paste."""
        roles = self._as_wide()
        odd = [name for name in roles.scores if self._no_system(name)]
        plain = [name for name in self._on_one_scale(roles.scores) if name not in odd]
        systems = self._systems()
        if systems or len(plain) < 2:
            remedy = (
                "Give one line for each unit, and a column of numbers for each system; or one line "
                "for each unit and system, with columns such as 'case,system,accuracy'."
            )
            turned = any(self._different(name) == self._size for name in systems)
            if turned or (odd and {*map(self._no_system, odd)} == {A_UNIT}):
                remedy += " Here each line is a system, so turn lines and columns around."
            return remedy, []
        names = "the columns of numbers" if self.stated.anonymous else listed(map(repr, plain))
        if self.stated.in_python:
            mapping = f"{{name: table[name] for name in {plain!r}}}"
            return f"If {names} are the systems, give a mapping, {mapping}, {self._direction()}", []
        units = {"unit": _one_or_all(roles.units)} if roles.units else {}
        words = self._words(roles)
        repeated = [n for n in self._unit_names() if n in self._others(roles)]
        no_systems = {*self._others(roles)} - {*plain, *repeated}
        if odd or words or no_systems:
            systems = [name for name in plain if name not in words]
            columns = {"columns": {**units, "system": systems}}
            asked = self._not_yet_stated({BETTER: None})
            means = f"If {listed(map(repr, systems))} are the systems, name them"
            if self.stated.anonymous:
                means = "If these columns of numbers are the systems, name them"
            return "", [Option({"submissions": columns, **asked}, verbatim(means))]
        wide = {"layout": "wide", **units} if not repeated else {"group": repeated[0]}
        asked = self._not_yet_stated({**wide, BETTER: None})
        means = f"If {names} are the systems, on one scale, say so"
        return "", [Option(asked, verbatim(means))]

    def _may_be_wide(self) -> bool:
        """Whether every line may be a unit of its own, so that systems are columns of numbers."""
        units = self._as_wide().units
        named = self._systems() or self.stated.system is not None
        return bool(units) and not named and self._different(*units) == self._size

    def _on_one_scale(self, names: Sequence[str]) -> list[str]:
        """Return the columns of numbers without those that are far from the scale of most."""
        sizes = {name: _typical(self.columns[name]) for name in names}
        usual = median(filter(None, sizes.values())) if any(sizes.values()) else 0.0
        return [
            name
            for name, size in sizes.items()
            if not size or usual / _ONE_SCALE <= size <= usual * _ONE_SCALE
        ]

    def _direction(self) -> str:
        return asks({BETTER: None}, in_python=True)

    def _words(self, roles: Roles) -> list[str]:
        """Return the columns of true and false beside columns of other numbers than 0 and 1."""
        different = {name: {*given_cells(self.columns[name])} for name in roles.scores}
        numbers = [name for name, values in different.items() if any(map(_is_other, values))]
        words = [name for name in roles.scores if name not in numbers]
        plain = [name for name in words if all(map(cells.is_number, different[name]))]
        return [name for name in words if name not in plain] if numbers else []

    def _doubts_about_words(self, roles: Roles) -> list[str]:
        return [f"{name!r} holds True and False beside numbers" for name in self._words(roles)]

    def _long_proposal(self, roles: Roles) -> dict[str, Any]:
        """Return settings that make a table long; empty if no columns may name units and systems.

        Of several columns the first is proposed that fits.
        """
        task = self._called(TASK_NAMES, self._stated)
        settled = {*self._design, *self._unit_names(), task}
        systems = self._systems() if self.stated.system is None else [self.stated.system]
        texts = (n for n in self.columns if not self._are_scores(n) and self._look(n) is None)
        repeated = [name for name in texts if 2 * self._different(name) <= self._size]
        systems += [name for name in repeated if name not in (*settled, *systems)]
        pairs = [(self._units({system, task}), system) for system in systems]
        pairs += [
            ((name,), system)
            for system in systems
            for name in self.columns
            if not (self._stated or name in systems or name == task)
            and self._look(name) != ANNOTATOR
            and (is_id(name) or not self._are_scores(name) or self._name_rows(system, name, task))
        ]
        every = (self._proposed(system, units, task, roles.sample) for units, system in pairs)
        return next(filter(None, every), {})

    def _either_way(self, roles: Roles) -> Iterator[Option]:
        """Yield settings of a long table in which two columns of texts may name units or systems.

        Nothing but the names tells which is which, so both ways are proposed.
        """
        task = self._called(TASK_NAMES, self._stated)
        settled = {*self._design, *self._stated, task}
        texts = [
            name
            for name in self.columns
            if name not in settled and not self._are_scores(name) and self._look(name) is None
        ]
        for pair in combinations(texts, 2):
            ways = {
                (system, unit): self._proposed(system, (unit,), task, roles.sample)
                for system, unit in (pair, pair[::-1])
            }
            if all(ways.values()):
                for (system, unit), settings in ways.items():
                    meaning = f"If {system!r} names the systems, and {unit!r} the units, say so"
                    yield Option(settings, verbatim(meaning))
                return

    def _name_rows(self, system: str, name: str, task: str | None) -> bool:
        """Whether whole numbers, too many for ratings, name every row together with a system."""
        numbers = [*given_cells(self.columns[name])]
        few = self._different(name) <= MOST_CLASSES_OF_NUMBERS
        if few or not cells.are_integers(numbers):
            return False
        return self._different(name) < self._size == self._different(system, name, task)

    def _proposed(
        self, system: str, units: tuple[str, ...], task: str | None, sample: str | None
    ) -> dict[str, Any]:
        """Return the settings that name these units and systems; empty if these cannot be both."""
        alone = not 1 < self._different(*units, task) < self._size
        if not units or system in units or alone or self._different(system) < 2:
            return {}
        able = self._others(Roles(units, system, task, (), sample))
        no_systems = [name for name in able if name not in self._systems()]
        named = {*self._unit_names(), *(n for n in no_systems if plain_name(n) in SAMPLE_NAMES)}
        tell = [name for name in no_systems if self._look(name) or name in named]
        keys = (*units, system, task)
        if sample is None and self._different(*keys) < self._size:
            sample = self._numbers_samples(keys, tell, no_systems)
            if sample is None:
                return {}
        general = self.stated.greater_is_better
        better = {
            name: general if (by_name := self.stated.direction_by_name(name)) is None else by_name
            for name in no_systems
            if name not in (*tell, sample)
            and self._are_scores(name)
            and not self._is_fixed(name, system)
        }
        samples = {} if sample is None else {"sample": sample}
        asked = {"unit": _one_or_all(units), "system": system, **samples, "metrics": better}
        return self._not_yet_stated(asked) if better else {}

    def _numbers_samples(
        self, keys: Sequence[str | None], tell: Sequence[str], able: Sequence[str]
    ) -> str | None:
        """Return the column that tells the lines of a system on a unit apart; None if none does.

        It is one of those that ``tell`` what they hold by their names, or numbers as many samples
        as every system has on every unit. A measured number tells lines apart only by chance.
        """
        named = [name for name in tell if not _has_fractions(self.columns[name])]
        counted = [
            name
            for name in able
            if not _has_fractions(self.columns[name])
            and self._different(name) * self._different(*keys) == self._size
        ]
        apart = (
            name
            for name in dict.fromkeys((*named, *counted))
            if self._different(*keys, name) == self._size
        )
        return next(apart, None)

    def _not_yet_stated(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return settings without those that are stated, which must not be written twice."""
        return {key: value for key, value in values.items() if not self.stated.states(key)}

    def _ids_in_front(self, task: str | None) -> tuple[str, ...]:
        """Return the columns of a wide table that tell its lines apart; empty if none do.

        A first column of texts or whole numbers that are all different may hold ids, whatever its
        name; see `_doubts_about_first`.
        """
        named = self._units({task})
        if self._stated or (any((*named, task)) and self._different(*named, task) == self._size):
            return named
        first = next(iter(self.columns))
        ids = self.columns[first]
        texts = cells.are_integers(ids) or not any(map(cells.is_number, ids))
        if all(ids) and texts and self._different(first, task) == self._size:
            return (first,)
        # Ids that are repeated are an error. Other names may number groups of lines, unless hardly
        # any line is repeated.
        most = max(1, self._size // 20)  # one in twenty lines, by mistake
        repeated = {name: self._size - self._different(name) for name in named}
        return tuple(name for name in named if is_id(name) or repeated[name] <= most)

    def _units(self, settled: Collection[str | None]) -> tuple[str, ...]:
        """Return the columns that name units: those that the settings name, or are called so.

        Beside others, a column that differs on every line numbers the lines, and a user judges.
        """
        if self._stated:
            return self._stated
        units = [name for name in self._unit_names() if name not in settled]
        repeated = [name for name in units if self._different(name) < self._size] or units
        items = [name for name in repeated if plain_name(name) != USER] or repeated
        return tuple(items)

    def _unit_names(self) -> tuple[str, ...]:
        """Return the columns that are called like units, and not like annotators."""
        unnamed = (name for name in self.columns if plain_name(name) not in SYSTEM_NAMES)
        units = (name for name in unnamed if plain_name(name) in UNIT_NAMES or is_id(name))
        return tuple(name for name in units if self._look(name) != ANNOTATOR)

    def _named_by_metrics(self) -> tuple[str, ...]:
        """Return the columns of scores that metrics name."""
        named = {*self.stated.named, *self.stated.scores}
        return tuple(name for name in self.columns if name in named)

    def _systems(self) -> list[str]:
        """Return the columns that are called like systems, but one for each of several names."""
        systems: list[str] = []
        for name in self.columns:
            alike = (  # dividing the lines in the same way
                self._different(name, system) == self._different(system) == self._different(name)
                for system in systems
            )
            if plain_name(name) in SYSTEM_NAMES and not any(alike):
                systems.append(name)
        return systems

    def _others(self, roles: Roles) -> list[str]:
        """Return the columns without a role."""
        used = {*self._design, *roles.units, roles.system, roles.task, roles.sample, roles.seed}
        return [name for name in self.columns if name not in used and not is_nameless(name)]

    def _called(self, names: Collection[str], among: Collection[str | None] = ()) -> str | None:
        """Return the first column that is called so and is not ``among`` others."""
        named = (name for name in self.columns if plain_name(name) in names and name not in among)
        return next(named, None)

    def _look(self, name: str) -> str | None:
        """Return what a column looks like; an annotator is a text or a whole number."""
        kind = looks_like(name, self.columns[name])
        if kind != ANNOTATOR:
            return kind
        values = given_cells(self.columns[name])
        fractions = all(map(cells.is_number, values)) and not cells.are_integers(values)
        return None if fractions else kind

    def _is_fixed(self, name: str, system: str | None) -> bool:
        """Whether a column has one value for each system on several units: a fact about it."""
        systems = self._different(system)
        return 2 * systems < self._size and self._different(system, name) == systems

    def _are_scores(self, name: str) -> bool:
        """Whether most of the cells of a column that are not missing are numbers."""
        filled = given_cells(self.columns[name])
        return not filled or 2 * sum(map(is_score, filled)) > len(filled)

    def _different(self, *names: str | None) -> int:
        """Return how many lines differ in some columns; 0 if there are none of these."""
        columns = [self.columns[name] for name in names if name is not None]
        return len({*(columns[0] if len(columns) == 1 else zip(*columns, strict=True))})

    @property
    def _size(self) -> int:
        """The number of lines."""
        return len(next(iter(self.columns.values())))

    @property
    def _design(self) -> set[str]:
        return {*self.stated.context}

    @property
    def _stated(self) -> tuple[str, ...]:
        """The columns of units that the settings name."""
        return self.stated.unit_columns


def first_row_names(table: Table) -> bool:
    """Whether the first row of a table of all systems names its columns.

    It does if a text stands above numbers, no number does, and no cell recurs in its column.
    """
    named = False
    for column in table.columns:
        first = column[0]
        # A column of names has few different cells, which are looked at once each.
        below = Counter(column[1:])
        for cell in filter(is_missing, [*below]):
            del below[cell]
        if first in below:
            return False
        scores = sum(number for cell, number in below.items() if is_score(cell))
        if 2 * scores > below.total():
            if is_score(first):
                return False
            named = named or bool(first)
    return named


def _first_rows(values: Sequence[str]) -> dict[str, int]:
    """Return each different cell with its first row."""
    rows: dict[str, int] = {}
    for row, cell in enumerate(values):
        rows.setdefault(cell, row)
    return rows


def _is_other(cell: str) -> bool:
    """Whether a cell is another number than 0 and 1."""
    return cells.is_number(cell) and float(cell) not in (0.0, 1.0)


def _typical(values: Sequence[str]) -> float:
    """Return the median of the sizes of numbers, zeros left out; 0 if there are none."""
    numbers = score_numbers(given_cells(values))
    sizes = [abs(number) for number in numbers if number * 0 == 0 != number]
    return median(sizes) if sizes else 0.0


def _count(values: Sequence[str]) -> bool:
    """Whether cells count: at least four whole numbers that follow each other, in any order."""
    if len(values) < 4 or not cells.are_integers(values):
        return False
    numbers = {int(cell) for cell in values}
    return len(numbers) == len(values) == max(numbers) - min(numbers) + 1


def _one_or_all(names: tuple[str, ...]) -> str | list[str]:
    return names[0] if len(names) == 1 else [*names]


def _has_fractions(column: Sequence[str]) -> bool:
    """Whether a column of numbers holds one that is not whole."""
    filled = given_cells(column)
    if not all(map(cells.is_number, filled)):
        return False
    return not all(float(cell).is_integer() for cell in filled)
