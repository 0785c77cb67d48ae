"""The rule for tables of scores and preferences: from a table and settings to a Reading, or to
questions whose options were tried.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...core.phrases import Phrase
from ...reading.table import Table
from ..open_questions import Asked, OpenQuestion
from ..reading_record import BY_NAME, PROVEN, STATED, Decision, Predicted, Reading, Side
from ..usual_names import is_nameless
from .preference_columns import PROMPTS, Sides, sides_of
from .score_columns import Roles, ScoreColumns
from .score_directions import Directions
from .score_names import BETTER, asks, score_key
from .stated_scores import (
    LEFT,
    RIGHT,
    SAMPLE,
    SEED,
    SYSTEM,
    TASK,
    UNIT,
    WIDE,
    WINNER,
    ScoreNeed,
    StatedScores,
)

#: What the number of anonymous systems is called.
_SYSTEMS = "systems"
SCORES = "scores"
PREFERENCES = "preferences"
_SAID = Phrase("the settings say so")
_BY_ITS_NAME = Phrase("it is called so")
_IN_FRONT = Phrase("it stands in front, and all its cells differ")
_NUMBERS = Phrase("these are the columns of numbers")
_GIVEN = Phrase("the files or arguments name it")
#: Returns what the metrics of the settings need of columns with these roles.
NeedsOf = Callable[[Roles], Sequence[ScoreNeed]]


@dataclass(frozen=True)
class ScoresRecognition:
    """What a table of scores or of preferences means; or the open questions.

    ``sides`` are those of preferences. Else ``roles`` are those of scores, and ``directions`` says
    for each column of scores whether a higher one is better. Without either, and without questions,
    the table holds neither.
    """

    reading: Reading | None = None
    questions: tuple[OpenQuestion, ...] = ()
    sides: Sides | None = None
    roles: Roles | None = None
    directions: Mapping[str, bool] = field(default_factory=dict)
    by_name: frozenset[str] = frozenset()


def usual_needs(roles: Roles) -> list[ScoreNeed]:
    """Return the needs where no metric is stated: the mean of every column."""
    if roles.system is None:
        return [ScoreNeed("mean_score", None)]
    return [ScoreNeed(score_key(column), column, column) for column in roles.scores]


def recognize_scores(
    table: Table,
    stated: StatedScores,
    needs_of: NeedsOf = usual_needs,
    *,
    may_be_preferences: bool = True,
) -> ScoresRecognition:
    """Return what a table of scores, or of preferences, means.

    Cells are texts without spaces around them. What is ``stated`` is not recognized, but checked.
    """
    rule = _ScoresRule(table, stated, needs_of, may_be_preferences)
    try:
        return rule.recognized()
    except Asked as asked:
        return ScoresRecognition(None, (rule.tried(asked.question),))


def recognize_roles(
    table: Table,
    roles: Roles,
    stated: StatedScores,
    needs_of: NeedsOf = usual_needs,
) -> ScoresRecognition:
    """Return what a table means whose roles are known: those of a mapping, or of a tool's logs.

    Nothing of it has to be stated.
    """
    rule = _ScoresRule(table, stated, needs_of, may_be_preferences=False)
    with_unit = replace(stated, unit=roles.units)
    try:
        ScoreColumns(table, with_unit).refuse_summaries(roles)
        recognition = rule.of_roles(roles, source=_GIVEN)
    except Asked as asked:
        return ScoresRecognition(None, (asked.question,))
    assert recognition.reading is not None
    return replace(recognition, reading=replace(recognition.reading, documented=True))


def question_text(question: OpenQuestion, *, in_python: bool = False) -> str:
    """Return a question with the lines to paste, or the arguments to give."""
    lines = [str(question.asks)]
    lines += [
        f"{option.means} {asks(option.settings, in_python=in_python)}"
        for option in question.options
    ]
    return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class _ScoresRule:
    table: Table
    stated: StatedScores
    needs_of: NeedsOf
    may_be_preferences: bool = True

    def recognized(self) -> ScoresRecognition:
        """Return what the table means; raise Asked."""
        sides = sides_of(self.table, self.stated) if self.may_be_preferences else None
        if sides is not None:
            return ScoresRecognition(self._reading_of_sides(sides), sides=sides)
        roles = ScoreColumns(self.table, self.stated).roles()
        return ScoresRecognition() if roles is None else self.of_roles(roles)

    def of_roles(self, roles: Roles, source: Phrase | None = None) -> ScoresRecognition:
        """Return what the table means whose columns have these roles; raise Asked."""
        columns = ScoreColumns(self.table, self.stated)
        needs = self.needs_of(roles)
        decisions = Directions(columns, roles, needs).decided()
        reading = self._reading_of_scores(roles, needs, decisions, source)
        directions = {column: bool(decision.value) for column, decision in decisions.items()}
        by_name = frozenset(column for column, d in decisions.items() if d.how == BY_NAME)
        return ScoresRecognition(reading, (), None, roles, directions, by_name)

    def tried(self, question: OpenQuestion) -> OpenQuestion:
        """Return a question with the options under which the table loads, or asks another one."""
        working = []
        for option in question.options:
            stated = self.stated.stating(option.settings)
            needs_of = usual_needs if "metrics" in option.settings else self.needs_of
            rule = _ScoresRule(self.table, stated, needs_of, self.may_be_preferences)
            try:
                if rule.recognized().reading is not None:
                    working.append(option)
            except Asked as asked:
                if asked.question.asks != question.asks:
                    working.append(option)
        return replace(question, options=tuple(working))

    # The Reading ----------------------------------------------------------------------------------

    def _reading_of_scores(
        self,
        roles: Roles,
        needs: Sequence[ScoreNeed],
        decisions: Mapping[str, Decision],
        source: Phrase | None,
    ) -> Reading:
        stated = self.stated
        decided: dict[str, Decision] = {}
        if roles.units:
            decided[UNIT] = self._unit(roles, source)
        single = (
            (SYSTEM, roles.system),
            (SAMPLE, roles.sample),
            (TASK, roles.task),
            (SEED, roles.seed),
        )
        for role, column in single:
            if column is None:
                continue
            is_stated = column in (stated.system, stated.sample, stated.task, stated.seed)
            how = (STATED, _SAID) if is_stated else (BY_NAME, _BY_ITS_NAME)
            decided[role] = Decision(column, *(how if source is None else (PROVEN, source)))
        predicted = []
        # Ingredients of formulas have no direction.
        hidden = {need.column for need in needs} - {
            need.column for need in needs if not need.hidden
        }
        decisions_shown = {c: d for c, d in decisions.items() if c not in hidden}
        if roles.system is None:
            is_stated = bool(stated.systems) or stated.layout == WIDE
            # The names of anonymous systems are secret, so their number stands for them.
            role = _SYSTEMS if stated.anonymous else SYSTEM
            systems: Any = len(roles.scores) if stated.anonymous else [*roles.scores]
            reason = _SAID if is_stated else source or _NUMBERS
            decided[role] = Decision(systems, STATED if is_stated else PROVEN, reason)
            if (decision := decisions.get("")) is not None:
                decided[BETTER] = decision
        for column in roles.scores if roles.system is not None else ():
            decision = decisions.get(column)
            if decision is None:
                continue  # no metric scores it
            metrics = tuple(need.name for need in needs if need.column == column)
            column_decision = Decision(column, decision.how, decision.why)
            better = None if column in hidden else bool(decision.value)
            predicted.append(Predicted(metrics, column, column_decision, "score", better=better))
        used: set[str | None] = {*roles.units, roles.system, roles.sample, roles.task, roles.seed}
        used |= {item.role for item in predicted} if roles.system is not None else {*roles.scores}
        side = self._side(decided, tuple(predicted), used)
        return Reading(SCORES, None, (side,), directions=self._directions(roles, decisions_shown))

    def _unit(self, roles: Roles, source: Phrase | None) -> Decision:
        units = [*roles.units]
        value: Any = units[0] if len(units) == 1 else units
        if source is not None:
            return Decision(value, PROVEN, source)
        if self.stated.unit_columns:
            return Decision(value, STATED, _SAID)
        columns = ScoreColumns(self.table, self.stated)
        if all(map(columns.is_called_unit, units)):
            return Decision(value, BY_NAME, _BY_ITS_NAME)
        return Decision(value, PROVEN, _IN_FRONT)

    def _reading_of_sides(self, sides: Sides) -> Reading:
        how = (STATED, _SAID) if sides.stated else (BY_NAME, _BY_ITS_NAME)
        named = zip((LEFT, RIGHT, WINNER), sides.columns, strict=True)
        decided = {role: Decision(column, *how) for role, column in named}
        used: set[str | None] = {*sides.columns}
        directions = {}
        prompt = group_of_prompts(self.table)
        if prompt is not None and self.stated.group == prompt:
            decided["prompt"] = Decision(prompt, STATED, _SAID)
            used.add(prompt)
        elif prompt is not None and self.stated.group is None:
            decided["prompt"] = Decision(prompt, BY_NAME, _BY_ITS_NAME)
            directions["group"] = prompt
            used.add(prompt)
        side = self._side(decided, (), used)
        return Reading(PREFERENCES, None, (side,), directions=directions)

    def _side(
        self,
        decided: Mapping[str, Decision],
        predicted: tuple[Predicted, ...],
        used: set[str | None],
    ) -> Side:
        context = tuple(name for name in self.table.named if name in self.stated.context)
        unread = {
            name if name.strip() else str(place + 1): 1
            for place, name in enumerate(self.table.named)
            if name not in used and name not in context
        }
        return Side((self.table.file,), decided, predicted, context, unread)

    def _directions(self, roles: Roles, decisions: Mapping[str, Decision]) -> dict[str, Any]:
        """Return the keys of scoring.yaml that state the directions which are not stated yet."""
        layout = {"layout": "wide"} if self.stated.anonymous and roles.system is None else {}
        if all(decision.how == STATED for decision in decisions.values()):
            return layout
        values = {bool(decision.value) for decision in decisions.values()}
        if len(values) == 1:
            return {**layout, BETTER: values.pop()}
        if self.stated.has_metrics or roles.system is None:
            return layout
        metrics = []
        for column, decision in decisions.items():
            key = score_key(column)
            metric: dict[str, Any] = {"name": key, "function": "mean_score"}
            if key != column:
                metric["column"] = column
            metrics.append({**metric, BETTER: bool(decision.value)})
        return {"metrics": metrics}


def group_of_prompts(table: Table) -> str | None:
    """Return the column of prompts of a table of preferences, if several are about one prompt."""
    prompt = prompt_of(table)
    if prompt is None:
        return None
    return prompt if 1 < len({*table.named[prompt]}) < len(table.numbers) else None


def prompt_of(table: Table) -> str | None:
    """Return the column of prompts of a table of preferences, by its name; None without one."""
    named = {name.casefold().strip(): name for name in table.named if not is_nameless(name)}
    return next((named[name] for name in PROMPTS if name in named), None)
