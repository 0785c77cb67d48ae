"""What a submission leaves open that votes on nothing: what it repeats is asked about.

That is the only submission, or one that is read by itself.
"""

from __future__ import annotations

from typing import NamedTuple

from ..core.errors import listed
from ..core.phrases import Phrase, gettext_noop
from ..reading.table import Table
from .descriptions import described
from .facts import Sheet, same_values
from .headers import sheet_of
from .open_questions import OpenQuestion, Option
from .reading_record import BY_NAME, Binding, Predicted, Reading
from .statements import ANSWER, ID

_REPEATS = gettext_noop(
    "it repeats a column of the reference data in every row, so that this may have been "
    "given (organizers: say what is predicted by one of these lines in scoring.yaml: {lines})"
)
_NAMES_ROWS = gettext_noop(
    "several of its columns name the examples together, and the reference data were read without "
    "ids (organizers: if they are the ids, put this line into scoring.yaml: {lines})"
)


class DoubtOfOne(NamedTuple):
    """What is asked of the organizer, and why the submission cannot be read meanwhile."""

    question: OpenQuestion
    reason: Phrase


def doubt_of_one(
    gold: Table, sent: Table, reading: Reading, binding: Binding, *, participants_read: bool
) -> DoubtOfOne | None:
    """Return what one submission cannot tell, which votes on nothing; None if all is clear.

    Of several columns, a name chose the answers, and what is read of the submission repeats that
    column in every row: it may have been given, and another one be predicted. Or columns name the
    rows together that the reference data alone do not show to be their key.
    """
    side = reading.reference
    if side is None:
        return None
    sheet = sheet_of(gold, headed=bool(side.roles["header"].value))
    if binding.gold_key and ID not in side.roles:
        question = _which_key(sheet, binding)
        return DoubtOfOne(question, _reason(_NAMES_ROWS, question))
    by_name = [item for item in side.predicted if item.decision.how == BY_NAME]
    for item in by_name:
        columns = sheet_of(sent, headed=binding.header)
        if item.decision.rivals and _repeats_answers(sheet, columns, binding, item):
            question = _was_it_given(sheet, item, participants_read=participants_read)
            return DoubtOfOne(question, _reason(_REPEATS, question))
    return None


def _reason(sentence: str, question: OpenQuestion) -> Phrase:
    lines = listed(repr(option.line) for option in question.options)
    return Phrase(sentence, lines=lines)


def _repeats_answers(gold: Sheet, sent: Sheet, binding: Binding, item: Predicted) -> bool:
    """Whether what is read of a submission repeats answers in every row."""
    for need in item.metrics:
        columns = [*binding.predictions[need].columns.values(), *binding.answers[need]]
        if len(columns) != 2:  # several columns are no copy of one
            return False
        predicted, answers = columns
        truth = gold.column(answers.place + 1)
        copy = sent.column(predicted.place + 1)
        if truth is None or copy is None or not same_values(truth, copy, binding.rows):
            return False
    return True


def _was_it_given(gold: Sheet, item: Predicted, *, participants_read: bool) -> OpenQuestion:
    options = []
    for name in (item.decision.value, *item.decision.rivals):
        column = gold.column(name)
        if column is not None:
            settings = {"reference": {"columns": {ANSWER: gold.statement(column)}}}
            contents = described(column, participants_read=participants_read)
            options.append(Option(settings, contents))
    asks = Phrase(
        "A submission repeats the column {column} of {file} in every row. Is it what is predicted, "
        "or was it given?",
        column=repr(item.decision.value),
        file=gold.file,
    )
    return OpenQuestion(asks, tuple(options))


def _which_key(gold: Sheet, binding: Binding) -> OpenQuestion:
    columns = [column.name or column.place + 1 for column in binding.gold_key]
    settings = {"reference": {"columns": {ID: columns[0] if len(columns) == 1 else columns}}}
    asks = Phrase("Which column of {file} identifies the examples?", file=gold.file)
    if len(columns) > 1:
        asks = Phrase("Which columns of {file} identify the examples together?", file=gold.file)
    return OpenQuestion(asks, (Option(settings, Phrase("the submissions repeat its values")),))
