"""Which column of the gold holds the correct answers of a metric."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..core.arrays import Bools
from .facts import ColumnFacts, Sheet, label_of
from .statements import LABELS, NUMBERS, SCORES, AnswerName, Need, Stated
from .usual_names import (
    MOST_CLASSES_OF_NUMBERS,
    MOST_SPOILED_CLASSES,
    NEARLY,
    SPLIT_WORDS,
)

#: Whether a column may be something. Only a clear no may be passed over: "85 %" is a number to its
#: author.
NO = 0
NEARLY_FITS = 1
FITS = 2
_BINARY = frozenset({"0", "1"})


@dataclass(frozen=True, eq=False)
class GoldAnswers:
    """A column of the gold that may hold the answers, or several columns of zeros and ones.

    ``parts`` are these; ``is_set`` says that a row may hold several ones, one label each.
    ``scored`` holds the cells that count, where some do not.
    """

    column: ColumnFacts
    parts: tuple[ColumnFacts, ...] = ()
    is_set: bool = False
    scored: ColumnFacts | None = None

    @property
    def place(self) -> int:
        """Where it stands, which tells it from others."""
        return self.column.place

    @property
    def columns(self) -> tuple[ColumnFacts, ...]:
        """The columns that it is read from."""
        return self.parts or (self.column,)

    @cached_property
    def labels(self) -> frozenset[str]:
        """The different answers as labels."""
        return self.values.labels

    @property
    def values(self) -> ColumnFacts:
        """The answers that count."""
        return self.column if self.scored is None else self.scored


@dataclass(frozen=True)
class AnswerNeed:
    """The needs that share one column of answers, which ``answer`` names if it is stated."""

    needs: tuple[Need, ...]
    answer: AnswerName | None = None


def needs_by_answer(needs: Sequence[Need], stated: Stated) -> list[AnswerNeed]:
    """Return the needs that share their answers, in their order."""
    groups: dict[str, list[Need]] = {}
    answer_of: dict[str, AnswerName | None] = {}
    for need in needs:
        answer = stated.answer if need.answer is None else need.answer
        groups.setdefault(repr(answer), []).append(need)
        answer_of[repr(answer)] = answer
    return [AnswerNeed(tuple(group), answer_of[key]) for key, group in groups.items()]


def answers_in(column: ColumnFacts, stated: Stated) -> GoldAnswers:
    """Return a gold column as answers, without what is stated not to be scored."""
    return GoldAnswers(column, scored=scored_cells(column, stated))


def scored_cells(column: ColumnFacts, stated: Stated) -> ColumnFacts:
    """Return a gold column without the cells that are stated not to be scored."""
    if not stated.not_scored or not column.different & {*stated.not_scored}:
        return column
    words = {*stated.not_scored}
    return replace(column, cells=[cell for cell in column.texts if cell not in words], _rows_of={})


def merged_by_answers(
    groups: Sequence[AnswerNeed], answers: Sequence[Any]
) -> tuple[list[AnswerNeed], list[Any]]:
    """Return groups of needs with those of the same answers as one, and the answers of each.

    Metrics that name no column may share it with those that name it. ``answers`` holds the choice
    of `GoldAnswers` of each group.
    """
    needs: dict[tuple[int, ...], list[Need]] = {}
    stated: dict[tuple[int, ...], AnswerName | None] = {}
    choices: dict[tuple[int, ...], Any] = {}
    for group, choice in zip(groups, answers, strict=True):
        places = tuple(column.place for column in choice.value.columns)
        needs.setdefault(places, []).extend(group.needs)
        stated[places] = stated.get(places) or group.answer
        choices.setdefault(places, choice)
    merged = [
        AnswerNeed(tuple(needs_of_answer), stated[places])
        for places, needs_of_answer in needs.items()
    ]
    return merged, [*choices.values()]


def kind_of(need: Need, gold: ColumnFacts) -> str | None:
    """Return the kind of a need, or what a column's values are; None if they may be either.

    Texts are labels, and so are few whole numbers that repeat. What its author may take for
    numbers, such as 1,234.00, is neither.
    """
    if need.kind is not None:
        return need.kind
    if gold.numeric:
        few = gold.label_count <= MOST_CLASSES_OF_NUMBERS and gold.label_count < len(gold)
        return LABELS if gold.integers and few else NUMBERS
    return None if gold.like_numbers >= NEARLY else LABELS


def fit_of_answers(gold: ColumnFacts, need: Need) -> int:
    """Return whether a gold column may hold the answers of a need: `NO`, `NEARLY_FITS`, `FITS`."""
    if gold.index:
        return NO
    kind = kind_of(need, gold)
    if kind is None:
        return NEARLY_FITS
    if kind == NUMBERS:
        if gold.numeric:
            return FITS if gold.label_count > 1 or len(gold) == 1 else NO
        return NEARLY_FITS if gold.like_numbers >= NEARLY else NO
    if kind == SCORES:
        return _fit_of_two_classes(gold, need.positive)
    return FITS if gold.label_count >= 2 and gold.repeats_labels else NO


def _fit_of_two_classes(gold: ColumnFacts, positive: str | None) -> int:
    if gold.different_count > 2 * MOST_SPOILED_CLASSES and gold.label_count > MOST_SPOILED_CLASSES:
        return NO
    counted = "1" if positive is None else label_of(positive)
    has_positive = counted in gold.labels
    if len(gold.labels) == 2:
        return FITS if has_positive or positive is None else NO
    spoiled = 2 < len(gold.labels) <= MOST_SPOILED_CLASSES
    return NEARLY_FITS if spoiled and has_positive else NO


def positive_label(gold: GoldAnswers, need: Need) -> str | None:
    """Return the positive label: the stated one, or 1 of 0 and 1; None if it is not known."""
    if need.positive is not None:
        return label_of(need.positive)
    return "1" if gold.labels == _BINARY else None


# Columns that are no candidates -------------------------------------------------------------------


def is_split(column: ColumnFacts, stated: Stated) -> bool:
    """Whether every cell of a gold column, which no setting names, names a part of the test set."""
    if column.called in stated.context:
        return False
    if column.different_count > len(SPLIT_WORDS) + len(stated.usage):
        return False
    words = {*SPLIT_WORDS, *(word.casefold() for word in stated.usage)}
    return all(text.casefold() in words for text in column.different)


def free_columns(gold: Sheet, stated: Stated) -> list[ColumnFacts]:
    """Return the columns that may be answers: no setting names them, and they are no split.

    Of columns with the same values, the first counts.
    """
    named = {column for name in stated.context if (column := gold.column(name)) is not None}
    return [
        column for column in gold.columns if column not in named and not is_split(column, stated)
    ]


# Columns of zeros and ones ------------------------------------------------------------------------


def one_hot_answers(columns: Collection[ColumnFacts], rows: int) -> GoldAnswers | None:
    """Return the label that columns of zeros and ones are together: one 1 in every row.

    Other flags may stand beside them. None if there are no such columns, or several choices.
    """
    flags = {
        column: column.numbers == 1
        for column in binary_columns(columns)
        if column.name.strip() and "1" in column.labels
    }
    covers = itertools.islice(_covers(flags, np.zeros(rows, np.bool_), ()), 2)
    several = [cover for cover in covers if len(cover) > 1]
    if len(several) != 1:
        return None
    classes = sorted(several[0], key=lambda column: column.place)
    names = [column.name for column in classes]
    label_of_row = np.array([flags[column] for column in classes]).argmax(axis=0)
    cells = [names[label] for label in label_of_row.tolist()]
    return GoldAnswers(ColumnFacts(classes[0].place, "", cells), tuple(classes))


def _covers(
    flags: Mapping[ColumnFacts, Bools], covered: Bools, chosen: tuple[ColumnFacts, ...]
) -> Iterator[tuple[ColumnFacts, ...]]:
    """Yield the choices of columns of which exactly one is 1 in every row."""
    if covered.all():
        yield chosen
        return
    first = int(np.argmin(covered))
    for column, ones in flags.items():
        if ones[first] and not (ones & covered).any():
            yield from _covers(flags, covered | ones, (*chosen, column))


def label_set(columns: Sequence[ColumnFacts]) -> GoldAnswers:
    """Return the label set whose labels are columns of zeros and ones."""
    return GoldAnswers(columns[0], tuple(columns), is_set=True)


def binary_columns(columns: Collection[ColumnFacts]) -> list[ColumnFacts]:
    """Return the columns of zeros and ones."""
    return [
        column
        for column in columns
        if column.different_count <= 8 and column.numeric and not column.missing
        if column.labels <= _BINARY
    ]
