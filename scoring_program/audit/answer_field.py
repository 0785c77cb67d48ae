"""What every entry answered: the input of the questions about examples, errors and copies.

Answers can be compared where an example has one correct answer: a label, a set of labels, the tags
of a sentence, the spans of a document, a text, or whether it is resolved. Ranked lists, numbers,
repeated samples and scores made elsewhere have none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import Bools, Ints
from ..data.competition import Part
from ..data.joining.expected import Target
from ..metrics.kinds.answers import normalized
from ..metrics.kinds.shares import references

#: The longest correct answer that a table shows, in letters.
_LONGEST = 120
#: Metrics of texts that have one right answer, unlike translations and summaries.
_OF_ANSWERS = ("exact_match", "token_f1", "string_match")


@dataclass(frozen=True, eq=False)
class Answers:
    """The correct answers [n] and those of every entry [m, n] as numbers from 0.

    Two entries give the same answer to an example if their numbers are equal there. ``absent`` are
    predictions that were not sent and count as wrong. ``gradable`` says whether an answer is either
    right or wrong; a translation is not.
    """

    names: tuple[str, ...]  # of the entries, [m]
    ids: tuple[str, ...]  # of the examples, [n]
    correct: Sequence[str]  # [n] the correct answers, for people
    gold: Ints  # [n]
    predicted: Ints  # [m, n]
    absent: Bools  # [m, n]
    gradable: bool = True

    @property
    def right(self) -> Bools:
        """Which predictions are right, [m, n]."""
        return np.asarray(self.predicted == self.gold)

    @property
    def wrong(self) -> Bools:
        """Which predictions are wrong answers, [m, n]; one that is absent is no answer."""
        return np.asarray(~self.right & ~self.absent)

    @property
    def codes(self) -> int:
        """One more than the highest number of an answer."""
        return int(max(self.gold.max(), self.predicted.max())) + 1


def ids_of(part: Part) -> tuple[str, ...]:
    """Return the ids of the examples or, without ids, their places in the file."""
    return part.gold.ids or tuple(str(position + 1) for position in part.gold.positions)


def answers_of_kind(part: Part, names: Sequence[str]) -> Answers | None:
    """Return the answers of a kind of data other than rows, in the order of ``names``.

    None if examples of this kind have no correct answer.
    """
    kind = _KINDS.get(part.gold.kind)
    functions = {metric.function for metric in part.metrics}
    if part.gold.kind == "text" and "string_match" in functions and "exact_match" not in functions:
        kind = _Kind(_as_it_is, references)
    target = next((item for item in part.expected.targets if item.kind == part.gold.kind), None)
    if kind is None or target is None:
        return None
    gold = part.gold.columns[target.column]
    given = _given(part, target, names)
    predicted = np.empty((len(names), len(gold)), np.intp)
    for row, value in enumerate(gold):
        numbers: dict[Any, int] = dict.fromkeys(kind.right(value), 0)
        for entry, answers in enumerate(given):
            answer = kind.answer(answers[row])
            predicted[entry, row] = numbers.setdefault(answer, len(numbers) + 1)
    return Answers(
        names=tuple(names),
        ids=ids_of(part),
        correct=[_shown(value) for value in gold],
        gold=np.zeros(len(gold), np.intp),
        predicted=predicted,
        absent=np.zeros(predicted.shape, np.bool_),
        gradable=part.gold.kind != "text" or not functions.isdisjoint(_OF_ANSWERS),
    )


@dataclass(frozen=True)
class _Kind:
    """Makes values of a kind comparable: an entry's answer, and all right ones of an example."""

    answer: Callable[[Any], Any]
    right: Callable[[Any], Sequence[Any]]


def _as_it_is(value: Any) -> Any:
    return value


def _alone(value: Any) -> Sequence[Any]:
    return (value,)


def _references(gold: Any) -> Sequence[str]:
    return [normalized(reference) for reference in references(gold)]


_ONE_VALUE = _Kind(_as_it_is, _alone)
_KINDS: Mapping[str, _Kind] = {
    **dict.fromkeys(("label_sets", "tags", "spans", "resolved"), _ONE_VALUE),
    "text": _Kind(normalized, _references),
}


def _given(part: Part, target: Target, names: Sequence[str]) -> list[Sequence[Any]]:
    entries = {entry.name: entry for entry in part.entries if entry}
    return [entries[name].predictions[target].tolist() for name in names]


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else _joined(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _joined(value: Any) -> str:
    if not isinstance(value, tuple):
        return "" if isinstance(value, bool) else str(value)
    return " ".join(
        "–".join(map(str, item)) if isinstance(item, tuple) else str(item) for item in value
    )
