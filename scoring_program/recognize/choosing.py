"""Which of the candidates counts: of the gold's answers, and of one file's predictions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from ..core.errors import listed
from ..core.phrases import Phrase, ngettext_noop
from .answer_columns import (
    FITS,
    NO,
    AnswerNeed,
    GoldAnswers,
    answers_in,
    fit_of_answers,
    kind_of,
    positive_label,
)
from .facts import ColumnFacts, label_of, same_values
from .open_questions import Option, Unusable, no_such_column
from .prediction_columns import (
    Candidate,
    SubmittedFile,
    called_alike,
    classes_in_name,
    finer_telling,
    fit_of_prediction,
    has_names_of,
    is_hard,
)
from .reading_record import BY_NAME, PROVEN, STATED
from .several_predictions import SeveralFit
from .statements import (
    ANSWER,
    LABELS,
    NUMBERS,
    PROBABILITIES,
    SCORES,
    ColumnName,
    Need,
    PredictionName,
    Stated,
)
from .usual_names import is_name_of_answers, plain_name

#: Why a file cannot be read that holds nothing but what was given.
NOTHING_PREDICTED = ngettext_noop(
    "it has no prediction of {gold}: its only column, {columns}, repeats a column of the reference "
    "data in every row",
    "it has no prediction of {gold}: all its columns, {columns}, repeat columns of the reference "
    "data in every row",
)
#: The most columns that a reason names; more may well be those of all systems.
_MOST_NAMED = 4


@dataclass(frozen=True)
class Choice:
    """What was chosen, how, why, and what else could have been."""

    value: object
    how: str
    why: Phrase
    rivals: tuple[str, ...] = ()


@dataclass(frozen=True)
class Doubt:
    """Why nothing was chosen, and among which answers; ``copied`` says all files repeat them."""

    answers: tuple[GoldAnswers, ...]
    copied: bool = False


# The answers --------------------------------------------------------------------------------------


def choose_answers(
    group: AnswerNeed,
    columns: Sequence[ColumnFacts],
    joint: GoldAnswers | None,
    files: Sequence[SubmittedFile],
    stated: Stated,
) -> Choice | Doubt:
    """Return which gold column holds the answers of some needs.

    ``columns`` are those beside the key that no other role has, ``joint`` what columns of zeros
    and ones are together. The ``files`` vote, more than half for each candidate; where none may
    vote, gold and settings decide alone.
    """
    if len(columns) == 1 and joint is None:
        only = answers_in(columns[0], stated)
        if any(_is_doubtful(only, need) for need in group.needs):
            return Doubt((only,))
        why = Phrase("no other column of the reference data is left")
        return Choice(only, PROVEN, why)
    parts = {part.place for part in joint.parts} if joint is not None else set()
    fits = [] if joint is None else [joint]
    nearly = []
    for column in columns:
        if column.place in parts:
            continue
        answers = answers_in(column, stated)
        fit = min(fit_of_answers(answers.values, need) for need in group.needs)
        if fit == FITS and not any(same_values(column, chosen.column) for chosen in fits):
            fits.append(answers)
        elif fit != NO or (not files and _repeats_now_and_then(answers.values, group)):
            nearly.append(answers)
    votes = _Votes(group, [file for file in files if _allows_any(file, group, fits)], fits)
    allowed = [answers for answers in fits if votes.allow(answers)]
    passed_over = [answers for answers in fits if answers not in allowed]
    nearly += [answers for answers in passed_over if votes.nearly(answers, allowed)]
    copied = [answers for answers in allowed if votes.only_copy(answers)]
    left = allowed
    if len(votes.files) > 1:
        context = [answers for answers in copied if votes.call_alike(answers)]
        if len(context) < len(allowed):
            left = [answers for answers in allowed if answers not in context]
    if votes.files and left and left == copied == allowed:
        return Doubt(tuple(left), copied=True)
    if len(left) == 1 and not nearly:
        return Choice(left[0], PROVEN, _why_alone(votes.files))
    return _by_name(left, nearly, votes, stated)


def _repeats_now_and_then(column: ColumnFacts, group: AnswerNeed) -> bool:
    """Whether a column may hold labels of which most occur once, as in a small test set.

    No file tells that they are none.
    """
    kinds = {kind_of(need, column) for need in group.needs}
    return kinds == {LABELS} and column.label_count >= 2 and not column.unique


def _is_doubtful(answers: GoldAnswers, need: Need) -> bool:
    """Whether the only column may stand for something else than its values: numbers with marks.

    So may three or four values under scores, of which one may say that there is no answer. Whatever
    else it holds are the answers.
    """
    kind = kind_of(need, answers.values)
    if kind in (None, SCORES):
        return bool(fit_of_answers(answers.values, need) not in (FITS, NO))
    return answers.column.index


def _why_alone(voting: Sequence[SubmittedFile]) -> Phrase:
    if voting:
        return Phrase("no other column of the reference data fits the submissions")
    return Phrase("no other column of the reference data fits the metric")


def _by_name(
    left: list[GoldAnswers], nearly: list[GoldAnswers], votes: _Votes, stated: Stated
) -> Choice | Doubt:
    """Return the answers by the names of the gold, of several that fit."""
    if any(answers.parts or is_name_of_answers(answers.column.name) for answers in nearly):
        return Doubt((*left, *nearly))
    listed_names = [a for a in left if not a.parts and is_name_of_answers(a.column.name)]
    repeated = [answers for answers in left if votes.repeat_name(answers, left)]
    rivals = (*left, *nearly)
    if len(repeated) == 1 and (not listed_names or repeated[0] in listed_names):
        why = Phrase("the submissions call their predictions so")
        return Choice(repeated[0], BY_NAME, why, _names(rivals, repeated[0]))
    if len(listed_names) == 1 and not repeated and not stated.strict:
        why = Phrase("its name is one of the usual ones of answers")
        return Choice(listed_names[0], BY_NAME, why, _names(rivals, listed_names[0]))
    return Doubt(rivals)


def _names(answers: Sequence[GoldAnswers], but: GoldAnswers) -> tuple[str, ...]:
    return tuple(column.called for a in answers if a is not but for column in a.columns)


@dataclass(frozen=True)
class _Votes:
    """What files allow as the answers of some needs: more than half of them decide."""

    group: AnswerNeed
    files: Sequence[SubmittedFile]
    choices: Sequence[GoldAnswers]

    def allow(self, answers: GoldAnswers) -> bool:
        """Whether most have something that may be the prediction of each need."""
        allowing = sum(self._votes_for(file, answers) for file in self.files)
        return not self.files or allowing > len(self.files) / 2

    def _votes_for(self, file: SubmittedFile, answers: GoldAnswers) -> bool:
        """Whether a file votes for these answers.

        A constant fits whatever is predicted. It tells nothing where other columns of the file vary
        and predict one of the choices.
        """
        varying = [
            choice for choice in self.choices if _allows(file, self.group, choice, varying=True)
        ]
        return answers in varying or (not varying and _allows(file, self.group, answers))

    def nearly(self, answers: GoldAnswers, allowed: Sequence[GoldAnswers]) -> bool:
        """Whether most have something that may be, or nearly is, the prediction of each need.

        A column that fits answers which are ``allowed`` predicts these, and nearly predicts no
        others: classes of which some are no labels of these are those of the former.
        """
        possible = sum(_nearly_allows(file, self.group, answers, allowed) for file in self.files)
        return possible > len(self.files) / 2

    def only_copy(self, answers: GoldAnswers) -> bool:
        """Whether whatever all files have for these answers repeats them in every row."""
        for file in self.files:
            for candidate in self._candidates(file, answers):
                if not file.copies_answers(candidate, answers):
                    return False
        return True

    def call_alike(self, answers: GoldAnswers) -> bool:
        """Whether whatever all files have for these answers is called like them."""
        for file in self.files:
            for candidate in self._candidates(file, answers):
                if not called_alike(candidate, answers):
                    return False
        return True

    def repeat_name(self, answers: GoldAnswers, left: Sequence[GoldAnswers]) -> bool:
        """Whether the only candidate of most files, for some answers, is called like these."""
        repeating = sum(self._repeats_name(file, answers, left) for file in self.files)
        return repeating > len(self.files) / 2

    def _repeats_name(
        self, file: SubmittedFile, answers: GoldAnswers, left: Sequence[GoldAnswers]
    ) -> bool:
        for rival in left:
            for need in self.group.needs:
                fits = file.candidates(need, rival)
                if len(fits) != 1 or any(place in file.copying for place in fits[0].places):
                    continue
                if has_names_of(fits[0], answers):
                    return True
        return False

    def _candidates(self, file: SubmittedFile, answers: GoldAnswers) -> list[Candidate]:
        return [
            candidate for need in self.group.needs for candidate in file.candidates(need, answers)
        ]


def _allows(
    file: SubmittedFile, group: AnswerNeed, answers: GoldAnswers, *, varying: bool = False
) -> bool:
    """Whether a file has something that may be the prediction of each need, ``varying`` or not."""
    if any(column in file.join.gold for column in answers.columns):
        return False
    for need in group.needs:
        fits = file.fits(need, answers)
        if not any(candidate.varies or not varying for candidate in fits):
            return False
    return True


def _nearly_allows(
    file: SubmittedFile, group: AnswerNeed, answers: GoldAnswers, allowed: Sequence[GoldAnswers]
) -> bool:
    for need in group.needs:
        if file.fits(need, answers):
            continue
        fitting: set[int] = set()
        for predicted in allowed:
            for candidate in file.fits(need, predicted):
                fitting.update(candidate.places)
        if all(column.place in fitting for column in file.nearly_fits(need, answers)):
            return False
    return not any(column in file.join.gold for column in answers.columns)


def _allows_any(file: SubmittedFile, group: AnswerNeed, choices: Sequence[GoldAnswers]) -> bool:
    return any(_allows(file, group, answers) for answers in choices)


# The predictions ----------------------------------------------------------------------------------


def choose_prediction(
    file: SubmittedFile,
    answers: GoldAnswers,
    need: Need,
    role: str,
    stated_elsewhere: Set[int],
    *,
    is_only_target: bool,
    beside_labels: bool = False,
) -> Choice:
    """Return which columns of a file hold the prediction of a need, as a `Candidate`.

    ``role`` is what ``columns`` of the settings calls it. ``stated_elsewhere`` are the places of
    columns that the settings state to be predictions of other answers; ``is_only_target`` says that
    there are no others. ``beside_labels`` says whether labels of the same answers are scored, too:
    then a stated column of labels is theirs.

    Raises
    ------
    Unusable
        None holds it, or several may.
    """
    kind = kind_of(need, answers.values)
    name = stated_prediction(file, answers, need, is_only_target=is_only_target)
    if name is not None and beside_labels and kind in (SCORES, PROBABILITIES):
        column = None if isinstance(name, Mapping) else file.sheet.column(name)
        if column is not None and is_hard(column, answers):
            name = None
    if name is not None:
        candidate = _stated_candidate(file, answers, need, kind, name, role)
        return Choice(candidate, STATED, Phrase("the settings say so"))
    fits = [c for c in file.candidates(need, answers) if not {*c.places} & stated_elsewhere]
    rivals = tuple(c.column.called for c in fits)
    fits = finer_telling(fits, answers, need, kind)
    how = PROVEN
    why = Phrase("no other column fits")
    if len(fits) == 1 and len(rivals) > 1:
        why = Phrase("the labels beside it are this number, cut at a threshold")
    if len(fits) > 1:
        common = _common_candidates(fits, file.mates, answers, need, kind)
        if len(common) == 1:
            fits = common
            why = Phrase("no other column fits in most files of this header")
    nearly = [c for c in file.nearly_fits(need, answers) if c.place not in stated_elsewhere]
    if not fits and len(nearly) == 1 and kind == LABELS and file.stated.labels == "any":
        why = Phrase("no other column can hold open answers")
        return Choice(Candidate((nearly[0],)), PROVEN, why)
    if nearly and len(fits) < 2 and all(c.is_single for c in fits):
        raise _nearly(nearly[0], kind)
    if len(fits) > 1 and kind in (LABELS, NUMBERS):
        named = _called_like_answers(fits, file, answers)
        if named is not None:
            rivals = tuple(c.column.called for c in fits if c is not named)
            why = Phrase("it is called like the answers")
            return Choice(named, BY_NAME, why, rivals)
    if len(fits) != 1:
        raise _none_or_several(file, fits, answers, role, kind)
    _refuse_by_name(fits[0], file, answers, need, role)
    return Choice(_of_positive(fits[0], answers, need, kind), how, why)


def stated_prediction(
    file: SubmittedFile, answers: GoldAnswers, need: Need, *, is_only_target: bool
) -> PredictionName | None:
    """Return the prediction that the settings name for a need, if they name one."""
    stated = file.stated
    if need.prediction is not None:
        return need.prediction
    if need.name in stated.target_predictions:
        return stated.target_predictions[need.name]
    for column, name in stated.target_predictions.items():
        if file.gold.column(column) is answers.column:
            return name
    if _are_classes(stated.target_predictions, answers):
        return {
            str(label): name
            for label, name in stated.target_predictions.items()
            if not isinstance(name, Mapping)
        }
    if stated.prediction is None and is_only_target and len(stated.target_predictions) == 1:
        return next(iter(stated.target_predictions.values()))
    return stated.prediction


def _are_classes(names: Mapping[ColumnName, PredictionName], answers: GoldAnswers) -> bool:
    """Whether settings name a column of each class, as a kit's or a frozen Reading may."""
    return len(names) > 1 and {label_of(str(name)) for name in names} >= {*answers.labels}


def _stated_candidate(
    file: SubmittedFile,
    answers: GoldAnswers,
    need: Need,
    kind: str | None,
    name: PredictionName,
    role: str,
) -> Candidate:
    if isinstance(name, Mapping):
        return _stated_classes(file, answers, need, kind, name)
    column = file.sheet.column(name)
    if column is None:
        raise no_such_column(file.sheet, [name])
    candidate = Candidate((column,))
    fit = fit_of_prediction(column, answers, kind, file.stated)
    if fit == NO and file.stated.labels != "any":
        raise Unusable(
            Phrase("its column {column} does not hold {kind}", column=repr(name), kind=_kind(kind))
        )
    fits = file.fits(need, answers)
    rivals_of_kind = [c for c in fits if c.is_single and c.column is not column]
    if len(column.different) == 1 and len(file.sheet.columns) > 1 and rivals_of_kind:
        raise Unusable(
            Phrase(
                "its column {column} is constant, and {others} may hold the prediction",
                column=repr(name),
                others=listed(repr(c.column.called) for c in rivals_of_kind),
            )
        )
    if file.stated.holds == "score" or kind not in (SCORES, PROBABILITIES):
        return candidate
    rivals = [c for c in rivals_of_kind if is_hard(c.column, answers)]
    if not is_hard(column, answers) and rivals:
        beside = [candidate, *rivals]
        if len(finer_telling(beside, answers, need, kind)) > 1:
            raise confidence(file, column, rivals[0].column, role)
    return candidate


def _stated_classes(
    file: SubmittedFile,
    answers: GoldAnswers,
    need: Need,
    kind: str | None,
    names: Mapping[str, str | int],
) -> Candidate:
    columns = []
    for name in names.values():
        column = file.sheet.column(name)
        if column is None:
            raise no_such_column(file.sheet, [name])
        columns.append(column)
    labels = tuple(label_of(str(label)) for label in names)
    return _of_positive(Candidate(tuple(columns), labels), answers, need, kind)


def confidence(file: SubmittedFile, column: ColumnFacts, label: ColumnFacts, role: str) -> Unusable:
    """Return why a number beside a label is not scored."""
    return Unusable(
        Phrase(
            "its column {column} may be the confidence of the label in {label}, whatever that is",
            column=repr(column.called),
            label=repr(label.called),
        ),
        (
            Option(
                {
                    "submissions": {
                        "columns": {role: file.sheet.statement(column)},
                        "holds": "score",
                    }
                },
                Phrase("it is the score of the positive class, whatever the label beside it"),
            ),
        ),
    )


def _common_candidates(
    fits: list[Candidate],
    mates: Sequence[SubmittedFile],
    answers: GoldAnswers,
    need: Need,
    kind: str | None,
) -> list[Candidate]:
    """Return the candidates that fit in more than half of the files with the same header.

    All others must be passed over: in more than half of the files they clearly do not fit.
    """
    fitting: Counter[tuple[int, ...]] = Counter()
    possible: Counter[tuple[int, ...]] = Counter()
    for mate in mates:
        allowed = finer_telling(mate.candidates(need, answers), answers, need, kind)
        places = {candidate.places for candidate in allowed if candidate.is_single}
        fitting.update(places)
        possible.update(places | {(c.place,) for c in mate.nearly_fits(need, answers)})
    half = len(mates) / 2
    common = [c for c in fits if c.is_single and fitting[c.places] > half]
    passed_over = [c for c in fits if len(mates) - possible[c.places] > half]
    return common if len(common) + len(passed_over) == len(fits) else fits


def _called_like_answers(
    fits: Sequence[Candidate], file: SubmittedFile, answers: GoldAnswers
) -> Candidate | None:
    """Return the candidate called like the answers, unless it is constant or repeats them.

    It may be constant where every column of the file is called like one of the reference data.
    """
    named = [candidate for candidate in fits if called_alike(candidate, answers)]
    if len(named) != 1:
        return None
    names_of_gold = {plain_name(column.name) for column in file.gold.columns}
    has_own_columns = any(
        plain_name(column.name) not in names_of_gold for column in file.sheet.columns
    )
    if len(named[0].column.different) == 1 and has_own_columns:
        return None
    return None if file.copies_answers(named[0], answers) else named[0]


def _refuse_by_name(
    candidate: Candidate, file: SubmittedFile, answers: GoldAnswers, need: Need, role: str
) -> None:
    """Raise Unusable if the only candidate is called like other answers, or another class."""
    _refuse_other_answers(candidate, file, answers, need, role)
    if file.stated.holds != "score":
        _refuse_other_class(candidate, answers, need, kind_of(need, answers.values))


def _refuse_other_answers(
    candidate: Candidate, file: SubmittedFile, answers: GoldAnswers, need: Need, role: str
) -> None:
    """Raise Unusable if the candidate is called like other answers, and predicts these as well."""
    if not file.sheet.headed or not candidate.is_single or answers.parts:
        return
    name = plain_name(candidate.column.name)
    if not name or called_alike(candidate, answers) or answers.column in file.join.gold:
        return
    if is_name_of_answers(candidate.column.name):
        return  # so predictions are called, whichever answers they are of
    for column in file.gold.columns:
        if plain_name(column.name) != name or same_values(column, answers.column):
            continue
        namesake = answers_in(column, file.stated)
        kind = kind_of(need, namesake.values)
        if fit_of_answers(namesake.values, need) != FITS:
            continue
        if fit_of_prediction(candidate.column, namesake, kind, file.stated) != FITS:
            continue
        raise _of_namesake(candidate, file, answers, namesake, need, role)


def _of_namesake(
    candidate: Candidate,
    file: SubmittedFile,
    answers: GoldAnswers,
    namesake: GoldAnswers,
    need: Need,
    role: str,
) -> Unusable:
    """Return why a column is not read that may be the prediction of a gold column of its name."""
    gold_column = repr(answers.column.called)
    predictions = {role: file.sheet.statement(candidate.column)}
    options = [
        Option(
            {"submissions": {"columns": predictions}},
            Phrase("it is the prediction of {gold}", gold=gold_column),
        )
    ]
    if need.answer is None and file.stated.answer is None:
        namesake_column = file.gold.statement(namesake.column)
        options.append(
            Option(
                {"reference": {"columns": {ANSWER: namesake_column}}},
                Phrase("it is the prediction of {gold}", gold=repr(namesake.column.called)),
            )
        )
    reason = Phrase(
        "it has no column {gold}, and its column {column} may be the prediction of the column of "
        "this name in the reference data",
        gold=gold_column,
        column=repr(candidate.column.called),
    )
    return Unusable(reason, options)


def _refuse_other_class(
    candidate: Candidate, answers: GoldAnswers, need: Need, kind: str | None
) -> None:
    """Raise Unusable if the scores of the positive class are called like another class."""
    positive = positive_label(answers, need)
    if kind not in (SCORES, PROBABILITIES) or not candidate.is_single or positive is None:
        return
    named = classes_in_name(candidate.column.name, answers.labels)
    if named and positive not in named:
        raise Unusable(
            Phrase(
                "its column {column} is called like another class than the one whose scores count",
                column=repr(candidate.column.called),
            ),
            (
                Option(
                    {"submissions": {"holds": "score"}},
                    Phrase("it is the score of the positive class, whatever its name"),
                ),
            ),
        )


def _of_positive(
    candidate: Candidate, answers: GoldAnswers, need: Need, kind: str | None
) -> Candidate:
    """Return the positive's column of class columns, where one score is needed."""
    positive = positive_label(answers, need)
    if kind != SCORES or candidate.is_single or positive not in candidate.labels:
        return candidate
    return Candidate((candidate.columns[candidate.labels.index(positive)],))


def _nearly(column: ColumnFacts, kind: str | None) -> Unusable:
    return Unusable(
        Phrase(
            "its column {column} nearly holds {kind}", column=repr(column.called), kind=_kind(kind)
        )
    )


def _none_or_several(
    file: SubmittedFile,
    fits: Sequence[Candidate],
    answers: GoldAnswers,
    role: str,
    kind: str | None,
) -> Unusable:
    gold_column = repr(answers.column.called)
    if not fits and file.holds_what_was_given(answers):
        return Unusable(
            Phrase(
                *NOTHING_PREDICTED,
                count=len(file.free),
                gold=gold_column,
                columns=listed(repr(column.called) for column in file.free),
            )
        )
    if not fits:
        return Unusable(
            Phrase("no column holds {kind} for {gold}", kind=_kind(kind), gold=gold_column)
        )
    hard = [c.column for c in fits if c.is_single and is_hard(c.column, answers)]
    fine = [c.column for c in fits if c.is_single and c.column not in hard]
    if kind == SCORES and hard and len(fine) == 1:
        return confidence(file, fine[0], hard[0], role)
    reason = Phrase(
        "{count} columns may hold the prediction of {gold}", count=len(fits), gold=gold_column
    )
    if len(fits) <= _MOST_NAMED:
        called = listed(repr(candidate.column.called) for candidate in fits)
        reason = Phrase("{reason}: {columns}", reason=reason, columns=called)
    columns = [file.sheet.statement(candidate.column) for candidate in fits if candidate.is_single]
    options = []
    for column in columns:
        settings = {"submissions": {"columns": {role: column}}}
        options.append(Option(settings, Phrase("it is the prediction")))
    return SeveralFit(reason, options, role, answers.column.called, columns)


#: Kind → what a column of it holds.
_KINDS = {
    LABELS: Phrase("labels of the task"),
    SCORES: Phrase("scores"),
    PROBABILITIES: Phrase("a probability of each class"),
    NUMBERS: Phrase("numbers"),
}


def _kind(kind: str | None) -> Phrase:
    return _KINDS[kind or LABELS]
