"""What recognition is told: what each metric needs, and what the settings state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

#: A column in settings: its name, or its number from 1.
ColumnName: TypeAlias = "str | int"
#: A prediction in settings: a column or, of class probabilities, class → column.
PredictionName: TypeAlias = "ColumnName | Mapping[str, ColumnName]"
#: Answers in settings: a column or, of columns of zeros and ones, class → column.
AnswerName: TypeAlias = "ColumnName | Mapping[str, ColumnName]"
#: What one of the kinds takes: one label of each row, one number of the positive class, one number
#: of each class, or one number.
LABELS = "labels"
SCORES = "scores"
PROBABILITIES = "probabilities"
NUMBERS = "numbers"
#: Roles that `columns` may name; every other key is a column of the gold that is predicted.
ID = "id"
ANSWER = "answer"
PREDICTION = "prediction"
BY_KEY = "key"
BY_POSITION = "position"
_TODAY = "label"  # what scoring.yaml calls answers and predictions without a role


@dataclass(frozen=True)
class Need:
    """What one metric needs: answers in the gold, and a prediction of a kind.

    ``kind`` is None where no metric says it. ``answer`` and ``prediction`` are the columns that the
    metric names, ``positive`` its positive class.
    """

    name: str
    kind: str | None = None
    answer: AnswerName | None = None
    prediction: PredictionName | None = None
    positive: str | None = None


#: Where no metric is stated, something is predicted, and the contents say what.
ANY_NEED = Need("")


@dataclass(frozen=True)
class Stated:
    """What the settings state about the files of rows; what they leave out is recognized.

    ``target_predictions`` maps a column of the gold to its prediction; any other name, if it is the
    only one, is that of the prediction of the only answers. ``classes`` are those of a
    matrix's columns, in their order. ``join`` is "key" or "position". ``holds: score`` says that a
    number is the score of the positive class, whatever stands beside it. ``others`` says what
    becomes of further columns: "ignore" or "error". ``labels`` are those of the task, or "any".
    ``context`` are columns of the gold that other settings name, such as groups and weights.
    ``usage`` maps words of the split to parts. Answers that are ``not_scored`` do not count.
    ``strict`` lets no list of names decide.
    """

    gold_header: bool | None = None
    submissions_header: bool | None = None
    gold_id: tuple[ColumnName, ...] = ()
    submissions_id: tuple[ColumnName, ...] = ()
    answer: AnswerName | None = None
    prediction: PredictionName | None = None
    target_predictions: Mapping[ColumnName, PredictionName] = field(default_factory=dict)
    classes: tuple[str, ...] = ()
    join: str | None = None
    holds: str | None = None
    others: str = "ignore"
    labels: tuple[str, ...] | str | None = None
    context: tuple[ColumnName, ...] = ()
    usage: Mapping[str, str] = field(default_factory=dict)
    not_scored: tuple[str, ...] = ()
    strict: bool = False

    @property
    def states_submissions(self) -> bool:
        """Whether the settings state a column of submissions."""
        return bool(self.submissions_id or self.prediction or self.target_predictions)

    def stating(self, settings: Mapping[str, Any]) -> Stated:
        """Return this with what the keys ``reference`` and ``submissions`` of settings state, too.

        These are the words of scoring.yaml and of `Reading.frozen`.
        """
        return self._of_gold(settings.get("reference", {}))._of_submissions(
            settings.get("submissions", {})
        )

    def _of_gold(self, words: Mapping[str, Any]) -> Stated:
        columns = words.get("columns", {})
        changes: dict[str, Any] = {}
        if "header" in words:
            changes["gold_header"] = words["header"]
        if ID in columns:
            changes["gold_id"] = _listed(columns[ID])
        for role in (_TODAY, ANSWER):
            if role in columns:
                changes["answer"] = columns[role]
        if "usage" in words:
            changes["usage"] = words["usage"]
        if "not_scored" in words:
            changes["not_scored"] = tuple(map(str, _listed(words["not_scored"])))
        return replace(self, **changes)

    def _of_submissions(self, words: Mapping[str, Any]) -> Stated:
        columns = words.get("columns", {})
        changes: dict[str, Any] = {}
        for word in ("join", "holds", "others"):
            if word in words:
                changes[word] = words[word]
        if "header" in words:
            changes["submissions_header"] = words["header"]
        if "classes" in words:
            changes["classes"] = tuple(map(str, words["classes"]))
        if ID in columns:
            changes["submissions_id"] = _listed(columns[ID])
        if PREDICTION in columns:
            changes["prediction"] = columns[PREDICTION]
        targets = {name: column for name, column in columns.items() if name not in (ID, PREDICTION)}
        if targets:
            changes["target_predictions"] = {**self.target_predictions, **targets}
        return replace(self, **changes)


@dataclass(frozen=True)
class Told:
    """All that recognition is told: what metrics need, what is stated, and who reads questions."""

    needs: tuple[Need, ...]
    stated: Stated
    participants_read: bool = False


def _listed(
    names: ColumnName | list[ColumnName] | tuple[ColumnName, ...],
) -> tuple[ColumnName, ...]:
    return tuple(names) if not isinstance(names, (str, int)) else (names,)
