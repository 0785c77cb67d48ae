"""From decisions to the Reading and to what is read of each file. Every column is accounted for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..core.phrases import Phrase
from .answer_columns import AnswerNeed, GoldAnswers, is_split, kind_of
from .choosing import Choice
from .facts import ColumnFacts, Sheet, label_of
from .prediction_columns import Candidate, SubmittedFile
from .reading_record import (
    PROVEN,
    STATED,
    Binding,
    BoundPrediction,
    ColumnPlace,
    Decision,
    Predicted,
    Reading,
    Side,
    merged_sides,
)
from .statements import (
    ANSWER,
    BY_KEY,
    BY_POSITION,
    ID,
    LABELS,
    NUMBERS,
    PREDICTION,
    PROBABILITIES,
    SCORES,
    Need,
    Stated,
)

_HOLDS = {
    LABELS: "label",
    NUMBERS: "number",
    SCORES: "score",
    PROBABILITIES: "probability of each class",
}
_BY_CELLS = Phrase("the rows below it show it")
_SAID = Phrase("the settings say so")
IDS_REPEATED = Phrase("it repeats the ids of the test set")


@dataclass(frozen=True, eq=False)
class BoundFile:
    """A file whose predictions are chosen: ``predictions`` maps the name of a need to its choice.

    ``answers`` holds the choice of each of the ``groups`` of needs.
    """

    file: SubmittedFile
    groups: tuple[AnswerNeed, ...]
    answers: tuple[Choice, ...]
    predictions: Mapping[str, Choice]

    @cached_property
    def used(self) -> frozenset[int]:
        """Places of the columns of the key and of the predictions."""
        places = {column.place for column in self.file.join.file}
        for choice in self.predictions.values():
            places |= {*_candidate(choice).places}
        return frozenset(places)

    @cached_property
    def context(self) -> list[ColumnFacts]:
        """The columns that repeat a column of the gold and are not scored."""
        return [
            column
            for column in self.file.sheet.columns
            if column.place not in self.used and column.place in self.file.copying
        ]

    @cached_property
    def unread(self) -> list[ColumnFacts]:
        """All other columns."""
        return [
            column
            for column in self.file.sheet.columns
            if column.place not in self.used and column not in self.context
        ]

    @cached_property
    def needs(self) -> list[tuple[AnswerNeed, GoldAnswers, Need]]:
        """Every need with its group and its answers."""
        rows: list[tuple[AnswerNeed, GoldAnswers, Need]] = []
        for group, choice in zip(self.groups, self.answers, strict=True):
            rows.extend((group, _answers(choice), need) for need in group.needs)
        return rows


def _answers(choice: Choice) -> GoldAnswers:
    assert isinstance(choice.value, GoldAnswers)
    return choice.value


def _candidate(choice: Choice) -> Candidate:
    assert isinstance(choice.value, Candidate)
    return choice.value


def binding_of(bound: BoundFile) -> Binding:
    """Return what is read of one file."""
    predictions = {}
    answers_of = {}
    for _, answers, need in bound.needs:
        choice = bound.predictions[need.name]
        candidate = _candidate(choice)
        columns = {"": _place(candidate.column)}
        if candidate.labels:
            columns = dict(zip(candidate.labels, map(_place, candidate.columns), strict=True))
        predictions[need.name] = BoundPrediction(
            columns, _holds(answers, need, candidate), choice.how, choice.why
        )
        answers_of[need.name] = tuple(map(_place, answers.columns))
    join = bound.file.join
    return Binding(
        bound.file.name,
        bound.file.sheet.headed,
        tuple(map(_place, join.gold)),
        tuple(map(_place, join.file)),
        join.rows,
        answers_of,
        predictions,
        tuple(map(_place, bound.context)),
        tuple(map(_place, bound.unread)),
        _side_of_file(bound),
    )


def _place(column: ColumnFacts) -> ColumnPlace:
    return ColumnPlace(column.place, column.name)


def _holds(answers: GoldAnswers, need: Need, candidate: Candidate | None = None) -> str:
    """Return what a column is: of answers, or of a candidate's columns."""
    if answers.is_set:
        return "label set"
    kind = kind_of(need, answers.values) or LABELS
    if candidate is None:
        return "number" if kind == NUMBERS else "label"
    if candidate.labels:
        return _HOLDS[PROBABILITIES]
    return "score" if kind == PROBABILITIES else _HOLDS[kind]


def reading_of(
    gold: Sheet,
    gold_header: str,
    key: Choice | None,
    groups: Sequence[AnswerNeed],
    answers_of: Sequence[Choice],
    bound: Sequence[BoundFile],
    stated: Stated,
) -> Reading:
    """Return the Reading of a competition: the gold, and what is read of the submissions."""
    reference = _side_of_gold(gold, gold_header, key, groups, answers_of, stated)
    sides = merged_sides(map(_side_of_file, bound))
    if not bound:
        sides = (_side_to_send(gold, key, groups, answers_of, stated),)
    is_set = any(_answers(choice).is_set for choice in answers_of)
    words: dict[str, Any] = {}
    if stated.holds is not None:
        words["holds"] = stated.holds
    if stated.others != "ignore":
        words["others"] = stated.others
    if stated.classes:
        words["classes"] = [*stated.classes]
    return Reading("label_sets" if is_set else "rows", reference, sides, words)


def _side_of_gold(
    gold: Sheet,
    gold_header: str,
    key: Choice | None,
    groups: Sequence[AnswerNeed],
    answers_of: Sequence[Choice],
    stated: Stated,
) -> Side:
    roles = {"header": Decision(gold.headed, gold_header, _why_header(gold_header))}
    used = set()
    if key is not None:
        roles[ID] = _decision(key, _statement(gold, key.value))
        used |= {*key.value}  # type: ignore[misc]
    predicted = []
    for group, choice in zip(groups, answers_of, strict=True):
        answers = _answers(choice)
        used |= {*answers.columns}
        value: Any = gold.statement(answers.column)
        if answers.parts:
            names = [gold.statement(column) for column in answers.columns]
            value = {str(name): name for name in names}
        holds = _holds(answers, group.needs[0])
        labels = tuple(sorted(answers.labels)) if holds == "label" else ()
        role = ANSWER if len(groups) == 1 else answers.column.called
        metrics = tuple(need.name for need in group.needs)
        predicted.append(Predicted(metrics, role, _decision(choice, value), holds, labels))
    for column in gold.columns:
        if column not in used and is_split(column, stated):
            why = Phrase("every cell names a part of the test set")
            roles["split"] = Decision(gold.statement(column), PROVEN, why)
            used.add(column)
    named = [gold.column(name) for name in stated.context]
    context = tuple(column.called for column in named if column is not None)
    unread = {
        column.called: 1
        for column in gold.columns
        if column not in used and column.called not in context
    }
    unread |= dict.fromkeys(gold.nested, 1)
    return Side((gold.file,), roles, tuple(predicted), context, unread)


def _why_header(how: str) -> Phrase:
    return _SAID if how == STATED else _BY_CELLS


def _decision(choice: Choice, value: Any) -> Decision:
    return Decision(value, choice.how, choice.why, choice.rivals)


def _statement(sheet: Sheet, key: Any) -> Any:
    names = [sheet.statement(column) for column in key]
    return names[0] if len(names) == 1 else names


def _side_of_file(file: BoundFile) -> Side:
    sheet = file.file.sheet
    join = file.file.join
    roles = {"header": Decision(sheet.headed, PROVEN, _BY_CELLS)}
    if file.file.stated.submissions_header is not None:
        roles["header"] = Decision(sheet.headed, STATED, _SAID)
    if join.file:
        why = _SAID if join.how == STATED else IDS_REPEATED
        roles[ID] = Decision(_statement(sheet, join.file), join.how, why)
        roles["join"] = Decision(BY_KEY, join.how, why)
    else:
        why = (
            _SAID if join.how == STATED else Phrase("no column holds ids, and the rows are as many")
        )
        roles["join"] = Decision(BY_POSITION, join.how, why)
    context = dict.fromkeys(column.called for column in file.context)
    unread = dict.fromkeys((*(column.called for column in file.unread), *sheet.nested), 1)
    predicted = tuple(_predicted(file, sheet))
    return Side((file.file.name,), roles, predicted, tuple(context), unread)


def side_of_plain_file(
    file: str,
    id_column: str,
    columns: Mapping[str, str],
    needs: Sequence[str],
    kind: str,
    *,
    ids_are_stated: bool,
) -> Side:
    """Return the side of a file of ids and of the predictions of some needs, and nothing else.

    ``columns`` maps "" to the only one, or each class to its own.
    """
    how, why = (STATED, _SAID) if ids_are_stated else (PROVEN, IDS_REPEATED)
    roles = {
        "header": Decision(True, PROVEN, _BY_CELLS),
        ID: Decision(id_column, how, why),
        "join": Decision(BY_KEY, how, why),
    }
    holds = _HOLDS[kind]
    value: Any = columns.get("")
    if value is None:
        value = dict(columns)
        holds = _HOLDS[PROBABILITIES]
    elif kind == PROBABILITIES:
        holds = _HOLDS[SCORES]
    decision = Decision(value, PROVEN, Phrase("no other column fits"))
    return Side((file,), roles, (Predicted(tuple(needs), PREDICTION, decision, holds),))


def _predicted(bound: BoundFile, sheet: Sheet) -> list[Predicted]:
    """Return the predictions of a file: one for the needs of the same answers that share it."""
    predicted: list[Predicted] = []
    first_value: Any = None
    for group, answers, need in bound.needs:
        choice = bound.predictions[need.name]
        candidate = _candidate(choice)
        value: Any = sheet.statement(candidate.column)
        if candidate.labels:
            names = map(sheet.statement, candidate.columns)
            value = dict(zip(candidate.labels, names, strict=True))
        if need is group.needs[0]:
            role = PREDICTION if len(bound.groups) == 1 else answers.column.called
            first_value = value
        elif value == first_value:
            continue
        else:
            role = need.name
        sharing = tuple(
            sharer.name
            for sharer in group.needs
            if _candidate(bound.predictions[sharer.name]).places == candidate.places
        )
        holds = _holds(answers, need, candidate)
        predicted.append(Predicted(sharing, role, _decision(choice, value), holds))
    return predicted


def _side_to_send(
    gold: Sheet,
    key: Choice | None,
    groups: Sequence[AnswerNeed],
    answers_of: Sequence[Choice],
    stated: Stated,
) -> Side:
    """Return what participants are to send, where there are no submissions to learn it from."""
    why = Phrase("participants are asked to send it")
    headed = gold.headed or key is not None or len(gold.columns) > 1  # else values alone, as there
    roles = {"header": Decision(headed, PROVEN, why)}
    if key is not None:
        names = [column.name.strip() or ID for column in key.value]  # type: ignore[attr-defined]
        roles[ID] = Decision(names[0] if len(names) == 1 else names, PROVEN, why)
    roles["join"] = Decision(BY_KEY if key is not None else BY_POSITION, PROVEN, why)
    predicted = []
    for group, choice in zip(groups, answers_of, strict=True):
        answers = _answers(choice)
        name: Any = (answers.column.name.strip() or PREDICTION) if headed else 1
        values: dict[str, Any] = {}
        for need in group.needs:
            kind = kind_of(need, answers.values)
            if answers.is_set:
                value: Any = {column.name: column.name for column in answers.parts}
            elif kind == PROBABILITIES:
                labels = {*answers.labels}
                if isinstance(stated.labels, tuple):
                    labels |= {*map(label_of, stated.labels)}
                value = {label: label for label in sorted(labels)}
            else:
                value = "score" if kind == SCORES else name
            values[need.name] = value
        first = group.needs[0]
        role = PREDICTION if len(groups) == 1 else answers.column.called
        for need in group.needs:
            if need is not first and values[need.name] == values[first.name]:
                continue
            own_role = role if need is first else need.name
            holds = _HOLDS[kind_of(need, answers.values) or LABELS]
            decision = Decision(values[need.name], PROVEN, why)
            predicted.append(Predicted((need.name,), own_role, decision, holds))
    return Side((), roles, tuple(predicted))
