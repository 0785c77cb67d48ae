"""Which columns of one file may hold the prediction of a need, by their cells.

What one file allows depends on this file, the gold and the settings, and on no other file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from ..core.arrays import Ints
from .answer_columns import FITS, NEARLY_FITS, NO, GoldAnswers, kind_of, positive_label
from .facts import ColumnFacts, Sheet, label_of, same_values
from .keys import Join, sum_to_one
from .statements import LABELS, NUMBERS, PROBABILITIES, SCORES, Need, Stated
from .usual_names import ENOUGH, FEW_WORDS, NEARLY, plain_name

_ANY = "any"
#: What stands between the words of a column's name.
_WORDS = re.compile(r"[\s_.-]+")


@dataclass(frozen=True, eq=False)
class Candidate:
    """One column that may hold a prediction, or one column of each of the ``labels``."""

    columns: tuple[ColumnFacts, ...]
    labels: tuple[str, ...] = ()

    @property
    def column(self) -> ColumnFacts:
        """The column, or the first one."""
        return self.columns[0]

    @property
    def is_single(self) -> bool:
        """Whether it is one column, and not one of each class."""
        return not self.labels

    @property
    def varies(self) -> bool:
        """Whether it tells examples apart. A constant fits whatever the answers are."""
        return any(column.different_count > 1 for column in self.columns)

    @property
    def places(self) -> tuple[int, ...]:
        """Where its columns stand in the file."""
        return tuple(column.place for column in self.columns)


@dataclass(frozen=True, eq=False)
class SubmittedFile:
    """A file whose rows are joined, and what its columns may be."""

    name: str
    sheet: Sheet
    join: Join
    gold: Sheet
    stated: Stated
    mates: list[SubmittedFile] = field(default_factory=list)  # of the same header, and itself
    _known: dict[tuple[str, int], tuple[list[Candidate], list[ColumnFacts]]] = field(
        default_factory=dict
    )

    @property
    def rows(self) -> Ints:
        """The file's row of each example [n], −1 if it has none."""
        return self.join.rows

    @cached_property
    def beside_key(self) -> list[ColumnFacts]:
        """The columns beside the key, but for an index of a data frame."""
        titled = any(column.name.strip() for column in self.sheet.columns)
        columns = []
        for column in self.sheet.columns:
            if column in self.join.file:
                continue
            if titled and column.nameless and column.unique and column.integers:
                continue  # also an index of a table that was longer
            columns.append(column)
        return columns

    @cached_property
    def free(self) -> list[ColumnFacts]:
        """The columns beside the key; of equal ones the first."""
        free: list[ColumnFacts] = []
        for column in self.beside_key:
            if not any(same_values(column, earlier) for earlier in free):
                free.append(column)
        return free

    @cached_property
    def copies(self) -> frozenset[tuple[int, int]]:
        """Places of a gold column and a free column that repeats it in every row."""
        return frozenset(
            (truth.place, column.place)
            for truth in self.gold.columns
            for column in self.free
            if same_values(truth, column, self.rows)
        )

    @cached_property
    def copying(self) -> frozenset[int]:
        """Places of the columns that repeat a gold column."""
        return frozenset(place for _, place in self.copies)

    def copies_answers(self, candidate: Candidate, answers: GoldAnswers) -> bool:
        """Whether a candidate repeats the answers in every row."""
        if answers.is_set or answers.parts:
            return all(column.place in self.copying for column in candidate.columns)
        return candidate.is_single and (answers.place, candidate.column.place) in self.copies

    def holds_what_was_given(self, answers: GoldAnswers) -> bool:
        """Whether all its columns beside the key repeat columns of the gold but the answers."""
        return bool(self.free) and not self._able(answers) and not self._chance_copies([])

    def fits(self, need: Need, answers: GoldAnswers) -> list[Candidate]:
        """Return what may hold the prediction of a need, if these are the answers."""
        return self._candidates(need, answers)[0]

    def candidates(self, need: Need, answers: GoldAnswers) -> list[Candidate]:
        """Return what fits, but for the answers if all files of this header repeat them.

        Perfect systems repeat the answers, too; so one file is not enough, nor is another name.
        """
        fits = self.fits(need, answers)
        if len(self.mates) < 2 or answers.parts:
            return fits
        return [c for c in fits if not self._is_given(c, answers)] or fits

    def _is_given(self, candidate: Candidate, answers: GoldAnswers) -> bool:
        if not called_alike(candidate, answers):
            return False
        pair = (answers.place, candidate.column.place)
        return all(pair in mate.copies for mate in self.mates)

    def nearly_fits(self, need: Need, answers: GoldAnswers) -> list[ColumnFacts]:
        """Return the columns that nearly may, so that they are not passed over."""
        return self._candidates(need, answers)[1]

    def _candidates(
        self, need: Need, answers: GoldAnswers
    ) -> tuple[list[Candidate], list[ColumnFacts]]:
        key = (need.name, answers.place if not answers.parts else -1 - answers.place)
        if key not in self._known:
            self._known[key] = self._found(need, answers)
        return self._known[key]

    def _found(self, need: Need, answers: GoldAnswers) -> tuple[list[Candidate], list[ColumnFacts]]:
        if answers.is_set:
            return self._label_set(answers), []
        kind = kind_of(need, answers.values)
        able = self._able(answers)
        fits, nearly = self._single_columns(able, answers, kind)
        if not fits and not nearly:
            fits, nearly = self._single_columns(self._chance_copies(able), answers, kind)
        if kind != NUMBERS:
            classes = self._class_columns(self._with_equal_ones(able), answers)
            if classes is not None and (self.stated.classes or sum_to_one(classes.columns)):
                beside = [c for c in fits if c.column not in classes.columns]
                if kind != LABELS or not beside:
                    return [classes], nearly
            elif classes is not None and kind == SCORES and len(answers.labels) > 2:
                return [classes], nearly
            elif classes is not None and kind in (PROBABILITIES, SCORES):
                nearly += [column for column in classes.columns if column not in nearly]
        if kind == PROBABILITIES and sum_to_one([c.column for c in fits]):
            fits = [c for c in fits if is_hard(c.column, answers)]  # of other classes
        if kind in (SCORES, PROBABILITIES) and self._is_nameless_pair(able, answers):
            return [Candidate((able[1],))], nearly
        return fits, nearly

    def _single_columns(
        self, columns: Sequence[ColumnFacts], answers: GoldAnswers, kind: str | None
    ) -> tuple[list[Candidate], list[ColumnFacts]]:
        """Return the columns that fit, and those that nearly do."""
        fits = []
        nearly = []
        for column in columns:
            fit = fit_of_prediction(column, answers, kind, self.stated)
            if fit == FITS:
                fits.append(Candidate((column,)))
            elif fit == NEARLY_FITS:
                nearly.append(column)
        return fits, nearly

    def _chance_copies(self, able: Sequence[ColumnFacts]) -> list[ColumnFacts]:
        """Return the columns that repeat another gold column, but not its name.

        Good predictions may equal a second annotation by chance.
        """
        names = {plain_name(column.name) for column in self.gold.columns}
        return [
            column
            for column in self.free
            if column not in able and plain_name(column.name) not in names
        ]

    def _able(self, answers: GoldAnswers) -> list[ColumnFacts]:
        """Return the columns but those that repeat another gold column."""
        same = {answers.place, *(column.place for column in answers.parts)}
        for truth in self.gold.columns:
            if same_values(truth, answers.column):
                same.add(truth.place)
        able = []
        for column in self.free:
            repeated = {truth for truth, place in self.copies if place == column.place}
            if not repeated or repeated & same:
                able.append(column)
        return able

    def _with_equal_ones(self, columns: Sequence[ColumnFacts]) -> list[ColumnFacts]:
        """Return columns with all that are equal to them: two classes may have the same numbers."""
        return [column for column in self.beside_key if _has_equal(column, columns)]

    def _label_set(self, answers: GoldAnswers) -> list[Candidate]:
        columns = [self.sheet.column(part.name) for part in answers.parts]
        if any(column is None for column in columns):
            return []
        present = tuple(column for column in columns if column is not None)
        return [Candidate(present, tuple(part.name for part in answers.parts))]

    def _class_columns(self, able: Sequence[ColumnFacts], answers: GoldAnswers) -> Candidate | None:
        """Return a column for each class, as stated or called like the labels."""
        if classes := self.stated.classes:
            columns = [column for column in able if column.numeric and column.full]
            if len(columns) == len(classes):
                return Candidate(tuple(columns), tuple(map(label_of, classes)))
        if len(able) < 2 or answers.column.different_count > 2 * len(able):
            return None
        called = [*_called_like_labels(able, answers, self.stated)]
        summing = [candidate for candidate in called if sum_to_one(candidate.columns)]
        return next(iter([*summing, *called]), None)

    def _is_nameless_pair(self, able: Sequence[ColumnFacts], answers: GoldAnswers) -> bool:
        """Whether the file is a matrix of two classes without names, of which the second counts."""
        return (
            not self.sheet.headed
            and len(able) == 2
            and len(answers.labels) == 2
            and sum_to_one(able)
        )


def _has_equal(column: ColumnFacts, columns: Sequence[ColumnFacts]) -> bool:
    """Whether one of some columns holds the same values."""
    return any(same_values(column, able) for able in columns)


def called_alike(candidate: Candidate, answers: GoldAnswers) -> bool:
    """Whether a candidate has the name of the answers."""
    if answers.parts:
        return not candidate.is_single
    name = plain_name(answers.column.name)
    return candidate.is_single and plain_name(candidate.column.name) == name != ""


def has_names_of(candidate: Candidate, answers: GoldAnswers) -> bool:
    """Whether a candidate's columns have the names of those that the answers are read from."""
    names = {plain_name(column.name) for column in answers.columns}
    return "" not in names and {plain_name(column.name) for column in candidate.columns} == names


def _called_like_labels(
    columns: Sequence[ColumnFacts], answers: GoldAnswers, stated: Stated
) -> Iterator[Candidate]:
    """Yield columns that are called like all labels, between a common beginning and end."""
    every = {*answers.labels}
    if isinstance(stated.labels, tuple):
        every |= {*map(label_of, stated.labels)}
    spellings: dict[str, list[str]] = {label: [label.casefold()] for label in every}
    for text, label in answers.values.label_by_text.items():
        if label:
            spellings[label].append(text.casefold())
    labels = sorted(spellings)
    if not labels or len(labels) > len(columns):
        return
    by_name = {column.name.strip().casefold(): column for column in columns}
    tried = set()
    for name in by_name:
        for spelling in spellings[labels[0]]:
            start = name.find(spelling)
            while start >= 0:
                around = (name[:start], name[start + len(spelling) :])
                start = name.find(spelling, start + 1)
                if around in tried:
                    continue
                tried.add(around)
                present = _all_called(labels, spellings, around, by_name)
                if present is not None:
                    yield Candidate(present, tuple(labels))


def _all_called(
    labels: Sequence[str],
    spellings: dict[str, list[str]],
    around: tuple[str, str],
    by_name: dict[str, ColumnFacts],
) -> tuple[ColumnFacts, ...] | None:
    present = []
    for label in labels:
        names = [f"{around[0]}{spelling}{around[1]}" for spelling in spellings[label]]
        column = next((by_name[name] for name in names if name in by_name), None)
        if column is None:
            return None
        present.append(column)
    return tuple(present) if len({*present}) == len(labels) else None


def classes_in_name(name: str, labels: Collection[str]) -> set[str]:
    """Return those of the labels that are words of a column's name, in any letters."""
    words = {label_of(word).casefold() for word in _WORDS.split(name.strip())}
    return {label for label in labels if label.casefold() in words}


def fit_of_prediction(
    column: ColumnFacts, answers: GoldAnswers, kind: str | None, stated: Stated
) -> int:
    """Return whether a column may hold predictions: `NO`, `NEARLY_FITS` or `FITS`."""
    if kind == LABELS:
        return _fit_of_labels(column, answers, stated)
    two_classes = kind == SCORES or (kind == PROBABILITIES and len(answers.labels) == 2)
    if kind == PROBABILITIES and two_classes and not _between_zero_and_one(column):
        return NO
    if two_classes and is_hard(column, answers):
        return FITS
    if kind == PROBABILITIES and not two_classes:
        return NO
    if column.index and plain_name(column.name) != plain_name(answers.column.name):
        return NO
    if column.numeric and column.full:
        return FITS
    return NEARLY_FITS if column.like_numbers >= NEARLY else NO


def _fit_of_labels(column: ColumnFacts, answers: GoldAnswers, stated: Stated) -> int:
    labels: Collection[str] = answers.labels
    if isinstance(stated.labels, tuple):
        labels = answers.labels | {*map(label_of, stated.labels)}
    if column.share_of_labels(labels) >= ENOUGH:
        return FITS
    spellings = {*labels, *answers.values.label_by_text}
    nearly = column.share_of_folded(spellings) >= NEARLY
    if stated.labels == _ANY:
        return FITS if nearly else NEARLY_FITS if not column.numeric else NO
    return NEARLY_FITS if nearly else NO


def _between_zero_and_one(column: ColumnFacts) -> bool:
    if not column.numeric:
        return False
    values = column.numbers[~np.isnan(column.numbers)]
    return bool(((values >= 0) & (values <= 1)).all())


def is_hard(column: ColumnFacts, answers: GoldAnswers) -> bool:
    """Whether a column holds labels where scores are asked: of the gold, two numbers, few words."""
    if column.share_of_labels(answers.labels) >= ENOUGH:
        return True
    if column.numeric or not column.full:
        return column.label_count == 2
    return 2 <= column.label_count <= FEW_WORDS


def is_cut_from(
    coarse: ColumnFacts, fine: ColumnFacts, answers: GoldAnswers, positive: str | None
) -> bool:
    """Whether labels are nothing but a number, cut at thresholds, with the positive on top."""
    codes, labels = coarse.codes()
    ranges = []
    for code, label in enumerate(labels):
        values = fine.numbers[codes == code]
        values = values[~np.isnan(values)]
        if len(values):
            ranges.append((float(values.mean()), float(values.min()), float(values.max()), label))
    ranges.sort()
    if len(ranges) < 2:
        return False
    for lower, upper in pairwise(ranges):
        if lower[2] > upper[1]:
            return False
    if not coarse.labels <= answers.labels:
        return True
    return positive in (None, ranges[-1][3])


def finer_telling(
    candidates: list[Candidate], answers: GoldAnswers, need: Need, kind: str | None
) -> list[Candidate]:
    """Return the number alone, if all labels beside it are that number cut at a threshold.

    Else it may be the confidence of the predicted label, and all stay candidates.
    """
    two_classes = kind == SCORES or (kind == PROBABILITIES and len(answers.labels) == 2)
    if not two_classes or len(candidates) < 2 or not all(c.is_single for c in candidates):
        return candidates
    positive = positive_label(answers, need)
    fine = [c for c in candidates if not is_hard(c.column, answers)]
    if len(fine) != 1:
        return candidates
    coarse = [c.column for c in candidates if c is not fine[0]]
    if all(is_cut_from(column, fine[0].column, answers, positive) for column in coarse):
        return fine
    return candidates
