"""The questions about the gold: what is asked, and which lines would decide it."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.errors import listed
from ..core.phrases import Phrase
from .answer_columns import NEARLY_FITS, AnswerNeed, GoldAnswers, fit_of_answers, kind_of
from .choosing import Doubt
from .descriptions import described
from .facts import ColumnFacts, Sheet, is_no_number, label_of
from .keys import RowKey
from .open_questions import OpenQuestion, Option
from .statements import ANSWER, ID, LABELS, NUMBERS, SCORES, Need, Told
from .usual_names import FEW_DIFFERENT

_KIND_OF_ANSWERS = {LABELS: Phrase("labels"), NUMBERS: Phrase("numbers"), SCORES: Phrase("scores")}


def is_it_a_header(file: str, first_row: Sequence[str], told: Told) -> OpenQuestion:
    """Ask whether the gold's first row is its header."""
    asks = Phrase("Is the first row of {file} its header?", file=file)
    if not told.participants_read:
        asks = Phrase(
            "Is the first row of {file} ({cells}) its header?", file=file, cells=listed(first_row)
        )
    names = Option({"reference": {"header": True}}, Phrase("it names the columns"))
    example = Option({"reference": {"header": False}}, Phrase("it is an example"))
    return OpenQuestion(asks, (names, example))


def key_repeats(gold: Sheet, key: RowKey) -> OpenQuestion:
    """Ask for another key, because the stated one does not name every row."""
    return OpenQuestion(
        Phrase(
            "{columns} of {file} does not name every row: some values repeat. Name a column whose "
            "values all differ, or several columns that do together",
            columns=listed(repr(column.called) for column in key),
            file=gold.file,
        )
    )


def no_split(gold: Sheet, told: Told) -> OpenQuestion:
    """Ask for the words of the split, because no column holds only those that are stated."""
    words = {word.casefold() for word in told.stated.usage}

    def share(column: ColumnFacts) -> float:
        matches = sum(text.casefold() in words for text in column.different)
        return matches / max(1, len(column.different))

    likely = max(gold.columns, key=share)
    stated = listed(map(repr, told.stated.usage))
    if share(likely) == 0 or told.participants_read:
        return OpenQuestion(
            Phrase(
                "No column of {file} holds nothing but the words of 'usage', {words}: name all "
                "words of the column that splits the test set",
                file=gold.file,
                words=stated,
            )
        )
    further = sorted(text for text in likely.different if text.casefold() not in words)
    return OpenQuestion(
        Phrase(
            "The column {column} of {file} holds {others} beside the words of 'usage', {words}: "
            "name all words of the column that splits the test set",
            column=repr(likely.called),
            file=gold.file,
            others=listed(map(repr, further[:FEW_DIFFERENT])),
            words=stated,
        )
    )


def no_such_words(gold: Sheet, words: Sequence[str]) -> OpenQuestion:
    """Ask for the words that say that an example has no answer."""
    return OpenQuestion(
        Phrase(
            "No cell of {file} is {words}, which 'not_scored' states: write the words as they "
            "stand there",
            file=gold.file,
            words=listed(map(repr, words)),
        )
    )


def which_targets(names: Sequence[object], targets: Sequence[str]) -> OpenQuestion:
    """Ask whose predictions are stated, where the metrics score several columns."""
    return OpenQuestion(
        Phrase(
            "The metrics score {targets}, and 'columns' of the submissions names {names}: name the "
            "prediction of each by its own name",
            targets=listed(map(repr, targets)),
            names=listed(map(repr, names)),
        )
    )


def which_key(gold: Sheet, keys: Sequence[RowKey], told: Told) -> OpenQuestion:
    """Ask which of some keys identifies the examples."""
    options = []
    for key in keys:
        names = [gold.statement(column) for column in key]
        settings = {"reference": {"columns": {ID: names[0] if len(names) == 1 else names}}}
        options.append(Option(settings, _contents(key[-1], told)))
    asks = (
        Phrase("Which column of {file} identifies the examples?", file=gold.file)
        if all(len(key) == 1 for key in keys)
        else Phrase("Which columns of {file} identify the examples together?", file=gold.file)
    )
    return OpenQuestion(asks, tuple(options))


def beside_nested(gold: Sheet, column: ColumnFacts, told: Told) -> OpenQuestion:
    """Ask whether the only column holds the answers: other keys hold lists or objects."""
    settings = {"reference": {"columns": {ANSWER: gold.statement(column)}}}
    asks = Phrase(
        "Does {column} of {file} hold the answers? {nested} hold lists or objects, which are no "
        "answers of rows; if they are the answers, write a 'reader'",
        column=repr(column.called),
        file=gold.file,
        nested=listed(map(repr, gold.nested)),
    )
    return OpenQuestion(asks, (Option(settings, _contents(column, told)),))


def no_such_column(sheet: Sheet, name: object) -> OpenQuestion:
    """Ask for the right name of a column, because the stated one does not exist."""
    return OpenQuestion(
        Phrase(
            "{file} has no column {column}; its columns are {columns}",
            file=sheet.file,
            column=repr(name),
            columns=listed(column.called for column in sheet.columns),
        )
    )


def which_answers(gold: Sheet, group: AnswerNeed, doubt: Doubt, told: Told) -> OpenQuestion:
    """Ask which column holds the answers of some needs."""
    options: list[Option] = []
    for answers in doubt.answers:
        spoiled = [
            need for need in group.needs if fit_of_answers(answers.values, need) == NEARLY_FITS
        ]
        if spoiled:
            options += _not_scored(gold, answers, spoiled[0], told)
            continue
        names = [gold.statement(column) for column in answers.columns]
        value = {str(name): name for name in names} if answers.parts else names[0]
        settings = {"reference": {"columns": {ANSWER: value}}}
        options.append(Option(settings, _contents(answers.column, told)))
    return OpenQuestion(_asks_for_answers(gold.file, group, doubt), tuple(options))


def _asks_for_answers(file: str, group: AnswerNeed, doubt: Doubt) -> Phrase:
    metrics = listed(need.name for need in group.needs if need.name)
    if doubt.copied:
        return Phrase(
            "All submissions repeat a column of {file} in every row. Is it what is predicted, or "
            "was it given?",
            file=file,
        )
    if not doubt.answers and metrics:
        return Phrase(
            "No column of {file} can hold the answers of {metrics}, given what the submissions "
            "hold",
            file=file,
            metrics=metrics,
        )
    if not doubt.answers:
        return Phrase(
            "No column of {file} can hold the answers, given what the submissions hold", file=file
        )
    if metrics:
        return Phrase(
            "Which column of {file} holds the answers of {metrics}?", file=file, metrics=metrics
        )
    return Phrase("Which column of {file} holds the answers?", file=file)


def of_another_kind(
    gold: Sheet, answers: GoldAnswers, need: Need, told: Told
) -> OpenQuestion | None:
    """Ask what becomes of answers that a metric cannot score; None if it can score all."""
    is_spoiled = fit_of_answers(answers.values, need) == NEARLY_FITS
    kind = kind_of(need, answers.values)
    if not is_spoiled and (kind != NUMBERS or answers.values.numeric):
        return None
    asks = Phrase(
        "{column} of {file} holds more than {metric} can score",
        column=repr(answers.column.called),
        file=gold.file,
        metric=need.name or _KIND_OF_ANSWERS[kind or NUMBERS],
    )
    return OpenQuestion(asks, tuple(_not_scored(gold, answers, need, told)))


def _not_scored(gold: Sheet, answers: GoldAnswers, need: Need, told: Told) -> list[Option]:
    """Return the options that say which few words are no answers."""
    if told.participants_read:
        return []
    values = answers.values
    if kind_of(need, values) == SCORES:
        positive = label_of(need.positive or "1")
        choices = [[label] for label in sorted(values.labels - {positive})]
    else:
        words = sorted(text for text in values.different if is_no_number(text))
        choices = [words] if 0 < len(words) <= FEW_DIFFERENT else []
    name = gold.statement(answers.column)
    options = []
    for choice in choices:
        words = [*told.stated.not_scored, *choice]
        settings = {"reference": {"columns": {ANSWER: name}, "not_scored": words}}
        meaning = Phrase("examples with {words} do not count", words=listed(words))
        options.append(Option(settings, meaning))
    return options


def _contents(column: ColumnFacts, told: Told) -> Phrase:
    return described(column, participants_read=told.participants_read)
