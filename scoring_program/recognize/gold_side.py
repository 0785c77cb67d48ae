"""The gold's side: its header, its key, and the answers of every metric.

It is decided by gold, settings and what more than half of the files allow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ..core.phrases import Phrase
from ..reading.table import Table
from . import asking
from .answer_columns import (
    AnswerNeed,
    GoldAnswers,
    answers_in,
    binary_columns,
    free_columns,
    is_split,
    label_set,
    one_hot_answers,
)
from .choosing import Choice, Doubt, choose_answers
from .facts import ColumnFacts, Sheet
from .headers import sheet_of
from .keys import RowKey, key_from_settings, keys_of_several, names_every_row
from .open_questions import Asked
from .prediction_columns import SubmittedFile
from .reading_record import BY_NAME, PROVEN, STATED
from .statements import BY_POSITION, LABELS, NUMBERS, PREDICTION, ColumnName, Told
from .usual_names import ENOUGH, is_name_of_answers, is_name_of_ids

_SAID = Phrase("the settings say so")


def check_stated_key(gold: Sheet, told: Told) -> None:
    """Raise Asked if the stated key of the gold does not exist, or does not name every row."""
    names = told.stated.gold_id
    for name in names:
        if gold.column(name) is None:
            raise Asked(asking.no_such_column(gold, name))
    key = key_from_settings(gold, names)
    if names and key is not None and not names_every_row(key, gold.rows):
        raise Asked(asking.key_repeats(gold, key))


def check_stated_words(gold: Sheet, told: Told) -> None:
    """Raise Asked if words that are stated of the split, or of no answer, stand in no column."""
    stated = told.stated
    if stated.usage and not any(is_split(column, stated) for column in gold.columns):
        raise Asked(asking.no_split(gold, told))
    cells: set[str] = set()
    for column in gold.columns if stated.not_scored else ():
        cells |= column.different
    absent = [word for word in stated.not_scored if word not in cells]
    if absent:
        raise Asked(asking.no_such_words(gold, absent))


def check_stated_predictions(gold: Sheet, groups: Sequence[AnswerNeed], told: Told) -> None:
    """Raise Asked if a prediction is stated of no answers that are scored, or of several."""
    stated = told.stated
    if len(groups) == 1:
        return
    targets = [
        gold.column(group.answer) for group in groups if isinstance(group.answer, (str, int))
    ]
    names = {need.name for group in groups for need in group.needs}
    unknown = [
        name
        for name in stated.target_predictions
        if name not in names and gold.column(name) not in targets
    ]
    if stated.prediction is not None:
        unknown.append(PREDICTION)
    if unknown:
        called = [column.called for column in targets if column is not None]
        raise Asked(asking.which_targets(unknown, called))


def spoiled_key(table: Table) -> int | None:
    """Return where a gold below its header has a column called like ids, of which a few repeat.

    None if it has none. Where no other column is a key, its author has to mend it.
    """
    for column in sheet_of(table, headed=True).columns:
        repeated = len(column) - column.different_count
        nearly = repeated <= max(1, (1 - ENOUGH) * len(column))
        if is_name_of_ids(column.name) and nearly and not column.unique:
            return column.place
    return None


def key_of(
    gold: Sheet, files: Sequence[SubmittedFile], told: Told, *, uploads: int
) -> Choice | None:
    """Return the gold's key, a tuple of columns; None if the files join by position.

    Raises
    ------
    Asked
        There are no uploads, and several columns may be the key.
    """
    if told.stated.gold_id:
        return Choice(key_from_settings(gold, told.stated.gold_id), STATED, _SAID)
    if told.stated.join == BY_POSITION:
        return None
    if not uploads:
        return _key_without_uploads(gold, told)
    keys = Counter(file.join.gold for file in files if file.join.gold)
    if not keys:
        return None
    return Choice(keys.most_common(1)[0][0], PROVEN, Phrase("the submissions repeat its values"))


def _key_without_uploads(gold: Sheet, told: Told) -> Choice | None:
    """Return the unique column called like an id, else the only unique one.

    Where none is unique and one is called like an id, it is several columns with that one.
    """
    unique = [c for c in gold.columns if c.unique and not (c.numeric and not c.integers)]
    named = [column for column in unique if is_name_of_ids(column.name)]
    if len(named) == 1:
        why = Phrase("its values differ, and it is called like an id")
        return Choice((named[0],), BY_NAME, why)
    further = [c for c in unique if not is_name_of_answers(c.name) and len(gold.columns) > 1]
    if len(further) == 1 and not named:
        return Choice((further[0],), PROVEN, Phrase("its values differ in every row"))
    if named or further:
        raise Asked(asking.which_key(gold, [(column,) for column in named or further], told))
    able = [
        column
        for column in gold.columns
        if not is_name_of_answers(column.name) and (column.integers or not column.numeric)
    ]
    keys = keys_of_several(gold, able)
    if len(keys) > 1:
        raise Asked(asking.which_key(gold, keys, told))
    why = Phrase("no other columns differ together in every row, and one is called like an id")
    return Choice(keys[0], BY_NAME, why) if keys else None


def answers_of_needs(
    gold: Sheet,
    key: Choice | None,
    groups: Sequence[AnswerNeed],
    files: Sequence[SubmittedFile],
    told: Told,
    *,
    uploads: int,
) -> list[Choice]:
    """Return the answers of each group of needs, as `GoldAnswers`.

    A single upload votes on nothing.

    Raises
    ------
    Asked
        No column can hold them, or several can, or a stated one does not exist.
    """
    in_key: RowKey = key.value if key is not None else ()  # type: ignore[assignment]
    stated_columns: set[ColumnFacts] = set()
    for group in groups:
        stated_columns |= {*_stated_columns(gold, group)}
    voting = files if uploads > 1 else []
    chosen = []
    for group in groups:
        if group.answer is not None:
            chosen.append(_stated_answers(gold, group, told))
            continue
        taken = {*in_key, *stated_columns}
        free = [
            column
            for column in free_columns(gold, told.stated)
            if column not in taken and not column.index
        ]
        if not free:  # strata may be the answers, too
            named = (gold.column(name) for name in told.stated.context)
            free = [column for column in named if column is not None and column not in taken]
        if not free and len(stated_columns) == 1:  # other metrics name the only answers
            free = [*stated_columns]
        if not in_key:
            free = _without_ids(free)
        joint = _joint_answers(gold, group, free, files)
        choice = choose_answers(group, free, joint, voting, told.stated)
        if isinstance(choice, Doubt):
            raise Asked(asking.which_answers(gold, group, choice, told))
        if gold.nested and not voting and choice.how == PROVEN:
            _refuse_beside_nested(gold, choice, told)
        chosen.append(choice)
    return chosen


def _refuse_beside_nested(gold: Sheet, choice: Choice, told: Told) -> None:
    """Raise Asked if lists or objects may be the answers, and neither names nor files tell."""
    answers = choice.value
    assert isinstance(answers, GoldAnswers)
    if not answers.parts and not is_name_of_answers(answers.column.name):
        raise Asked(asking.beside_nested(gold, answers.column, told))


def _joint_answers(
    gold: Sheet, group: AnswerNeed, free: Sequence[ColumnFacts], files: Sequence[SubmittedFile]
) -> GoldAnswers | None:
    """Return what columns of zeros and ones are together: one label, or a label set.

    They are a label set if all files have them under the same names, and none only repeats them.
    """
    kinds = {need.kind for need in group.needs}
    if NUMBERS in kinds:
        return None
    one_hot = one_hot_answers(free, gold.rows)
    if one_hot is not None or not kinds <= {LABELS, None} or not files:
        return one_hot
    labels = [column for column in binary_columns(free) if column.name.strip()]
    for file in files:
        labels = [column for column in labels if _has_flags(file, column)]
    if len(labels) < 2 or any(_all_repeat(files, column) for column in labels):
        return None
    return label_set(labels)


def _has_flags(file: SubmittedFile, label: ColumnFacts) -> bool:
    """Whether a file has a column of zeros and ones of this name."""
    column = file.sheet.column(label.name) if file.sheet.headed else None
    return column is not None and len(binary_columns([column])) == 1


def _all_repeat(files: Sequence[SubmittedFile], label: ColumnFacts) -> bool:
    """Whether all files repeat a column of the gold in every row, under its name."""
    for file in files:
        column = file.sheet.column(label.name)
        if column is None or (label.place, column.place) not in file.copies:
            return False
    return True


def _without_ids(columns: list[ColumnFacts]) -> list[ColumnFacts]:
    """Return gold columns without those that differ in every row and are called like an id."""
    ids = [
        column
        for column in columns
        if column.unique and is_name_of_ids(column.name)
        if not column.numeric or column.integers
    ]
    return [column for column in columns if column not in ids] or columns


def _stated_columns(gold: Sheet, group: AnswerNeed) -> list[ColumnFacts]:
    names: list[ColumnName] = []
    if isinstance(group.answer, Mapping):
        names.extend(group.answer.values())
    elif group.answer is not None:
        names.append(group.answer)
    columns = []
    for name in names:
        column = gold.column(name)
        if column is None:
            raise Asked(asking.no_such_column(gold, name))
        columns.append(column)
    return columns


def _stated_answers(gold: Sheet, group: AnswerNeed, told: Told) -> Choice:
    columns = _stated_columns(gold, group)
    if isinstance(group.answer, Mapping):
        joint = one_hot_answers(columns, gold.rows) or label_set(columns)
        return Choice(joint, STATED, _SAID)
    answers = answers_in(columns[0], told.stated)
    for need in group.needs:
        question = asking.of_another_kind(gold, answers, need, told)
        if question is not None:
            raise Asked(question)
    return Choice(answers, STATED, _SAID)
