"""The rule for rows: from gold, uploads and settings to a Reading, or to open questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..core.errors import listed
from ..core.phrases import Phrase, gettext_noop
from ..reading.table import Table
from .answer_columns import (
    AnswerNeed,
    GoldAnswers,
    kind_of,
    merged_by_answers,
    needs_by_answer,
)
from .asking import is_it_a_header
from .choosing import Choice, choose_prediction
from .descriptions import described
from .facts import Sheet
from .gold_side import (
    answers_of_needs,
    check_stated_key,
    check_stated_predictions,
    check_stated_words,
    key_of,
)
from .headers import first_row_is_header, sheet_of
from .keys import RowKey, UnsureKey, join_of
from .only_submission import doubt_of_one
from .open_questions import Asked, OpenQuestion, Option, Unusable
from .prediction_columns import Candidate, SubmittedFile
from .reading_record import STATED, Binding, Reading
from .readings import BoundFile, binding_of, reading_of
from .several_predictions import SeveralFit, asked_together
from .statements import ANY_NEED, LABELS, PREDICTION, Need, Stated, Told

_LEADS_ON = gettext_noop("{question} Each of these lines leads to one more question.")
_REASON_LEADS_ON = gettext_noop("{question}. Each of these lines leads to one more question.")


@dataclass(frozen=True)
class Recognition:
    """A Reading with what is read of every file; or, without one, the open questions.

    ``unusable`` maps each file that cannot be read to its reason.
    """

    reading: Reading | None = None
    questions: tuple[OpenQuestion, ...] = ()
    bindings: Mapping[str, Binding] = field(default_factory=dict)
    unusable: Mapping[str, Phrase] = field(default_factory=dict)


def recognize_rows(
    gold: Table,
    uploads: Mapping[str, Table],
    wanted: Sequence[Need] = (),
    stated: Stated | None = None,
    *,
    participants_read: bool = False,
) -> Recognition:
    """Return what the gold and the uploads of a competition of rows mean.

    Cells are texts without spaces around them. ``wanted`` is what the metrics need; without it, the
    contents say whether labels or numbers are predicted. What is ``stated`` is not recognized, but
    checked. Without uploads, the Reading says what participants are to send. Where
    ``participants_read``, questions name columns and kinds, and no value.

    The gold's side is decided by gold, settings and what more than half of the files allow; a
    single file votes on nothing. So one upload may make the run ask, and changes nothing else.
    """
    tables = Tables(gold, uploads)
    needs = tuple(wanted) or (ANY_NEED,)
    told = Told(needs, stated or Stated(), participants_read)
    return _Rule(tables, told, tries=True).outcome()


class Tables:
    """The tables of a run, each with and without its first row; facts are computed once."""

    def __init__(self, gold: Table, uploads: Mapping[str, Table]) -> None:
        self.gold = gold
        self.uploads = uploads
        self._sheets: dict[tuple[str | None, bool], Sheet] = {}

    def sheet(self, name: str | None, *, headed: bool) -> Sheet:
        """Return the sheet of an upload, or of the gold, which is None."""
        key = (name, headed)
        if key not in self._sheets:
            table = self.gold if name is None else self.uploads[name]
            self._sheets[key] = sheet_of(table, headed=headed)
        return self._sheets[key]

    def headed_sheet(
        self, name: str | None, stated: bool | None, gold: Sheet | None = None
    ) -> tuple[Sheet | None, str]:
        """Return the sheet below the header, and how that was decided; None if it may be either."""
        table = self.gold if name is None else self.uploads[name]
        if table.header is not None:
            return self.sheet(name, headed=True), "proven"
        if stated is not None:
            return self.sheet(name, headed=stated), "stated"
        below = self.sheet(name, headed=True)
        if below.rows == 0 or not below.columns:
            return None, ""
        is_header = first_row_is_header(table.first_row, below, gold)
        return (None, "") if is_header is None else (self.sheet(name, headed=is_header), "proven")


@dataclass(eq=False)
class _Rule:
    """One run of the rule; ``tries`` says whether options of questions are tried."""

    tables: Tables
    told: Told
    tries: bool
    reasons: dict[str, Unusable] = field(default_factory=dict)

    @property
    def unusable(self) -> dict[str, Phrase]:
        """File → why it cannot be read."""
        return {name: unusable.reason for name, unusable in self.reasons.items()}

    def outcome(self) -> Recognition:
        """Return the Reading or the questions."""
        try:
            return self._recognized()
        except Asked as asked:
            return Recognition(None, (self._tried(asked),), {}, self.unusable)

    def _recognized(self) -> Recognition:
        stated = self.told.stated
        uploads = len(self.tables.uploads)
        gold, header = self.tables.headed_sheet(None, stated.gold_header)
        if gold is None:
            table = self.tables.gold
            raise Asked(is_it_a_header(table.file, table.first_row, self.told))
        check_stated_key(gold, self.told)
        check_stated_words(gold, self.told)
        groups = needs_by_answer(self.told.needs, stated)
        files = self._files(gold)
        self._ask_if_most_are_unusable()
        key = key_of(gold, files, self.told, uploads=uploads)
        answers = answers_of_needs(gold, key, groups, files, self.told, uploads=uploads)
        groups, answers = merged_by_answers(groups, answers)
        check_stated_predictions(gold, groups, self.told)
        bound = self._predictions(groups, answers, files)
        self._ask_if_most_are_unusable()
        reading = reading_of(gold, header, key, groups, answers, bound, stated)
        bindings = {file.file.name: binding_of(file) for file in bound}
        self._ask_of_one(reading, bindings)
        return Recognition(reading, (), bindings, self.unusable)

    def _ask_of_one(self, reading: Reading, bindings: Mapping[str, Binding]) -> None:
        """Raise Asked with what the only submission, which votes on nothing, leaves open."""
        if len(self.tables.uploads) > 1:
            return
        for name, binding in bindings.items():
            doubt = doubt_of_one(
                self.tables.gold,
                self.tables.uploads[name],
                reading,
                binding,
                participants_read=self.told.participants_read,
            )
            if doubt is not None:
                raise Asked(doubt.question)

    # The submissions ------------------------------------------------------------------------------

    def _files(self, gold: Sheet) -> list[SubmittedFile]:
        joined = self._joined(self.tables.uploads, gold)
        unsure = [name for name, why in self.reasons.items() if isinstance(why, UnsureKey)]
        proven_key = self._key_of_most(joined.values())
        if unsure and proven_key is not None:
            joined |= self._joined(unsure, gold, proven_key)
        # In the order of the uploads, so that nothing depends on which was joined first.
        files = [joined[name] for name in self.tables.uploads if name in joined]
        by_header: dict[tuple[str, ...], list[SubmittedFile]] = {}
        for file in files:
            if not file.sheet.headed:
                file.mates.append(file)  # without a header, likeness may be chance
                continue
            by_header.setdefault(file.sheet.header, []).append(file)
        for mates in by_header.values():
            for file in mates:
                file.mates.extend(mates)
        return files

    def _joined(
        self, names: Iterable[str], gold: Sheet, proven_key: RowKey | None = None
    ) -> dict[str, SubmittedFile]:
        """Return the files that join the gold; the reasons say why others do not."""
        stated = self.told.stated
        joined = {}
        for name in names:
            try:
                sheet = self._sheet(name, gold)
                join = join_of(gold, sheet, stated, self.told.needs, proven_key)
            except Unusable as reason:
                self.reasons[name] = reason
                continue
            self.reasons.pop(name, None)
            joined[name] = SubmittedFile(name, sheet, join, gold, stated)
        return joined

    def _key_of_most(self, files: Iterable[SubmittedFile]) -> RowKey | None:
        """Return the key by which more than half of all uploads join; None if there is none."""
        times = Counter(file.join.gold for file in files if file.join.gold)
        for key, joining in times.most_common(1):
            if joining > len(self.tables.uploads) / 2:
                return key
        return None

    def _sheet(self, name: str, gold: Sheet) -> Sheet:
        sheet, _ = self.tables.headed_sheet(name, self.told.stated.submissions_header, gold)
        if sheet is None:
            raise Unusable(
                Phrase("its first row may be a header or an example"),
                (
                    Option({"submissions": {"header": True}}, Phrase("it names the columns")),
                    Option({"submissions": {"header": False}}, Phrase("it is an example")),
                ),
            )
        if not sheet.rows or not sheet.columns:
            raise Unusable(Phrase("it has no rows"))
        return sheet

    def _predictions(
        self,
        groups: Sequence[AnswerNeed],
        answers_of: Sequence[Choice],
        files: Sequence[SubmittedFile],
    ) -> list[BoundFile]:
        bound = []
        for file in files:
            try:
                bound.append(self._bound_file(file, groups, answers_of))
            except Unusable as reason:
                self.reasons[file.name] = reason
        return bound

    def _bound_file(
        self, file: SubmittedFile, groups: Sequence[AnswerNeed], answers_of: Sequence[Choice]
    ) -> BoundFile:
        """Return a file with its predictions.

        Raises
        ------
        Unusable
            The prediction of a need is not found, or is one of several columns.
        """
        open_groups = [*range(len(groups))]
        stated: dict[int, set[int]] = {}  # group → places of its stated predictions
        predictions: dict[str, Choice] = {}
        while open_groups:
            reasons: list[Unusable] = []
            for number in open_groups:
                elsewhere: set[int] = set().union(*stated.values())
                choices, doubts = self._of_group(file, groups, answers_of, number, elsewhere)
                if doubts:
                    reasons.extend(doubts)
                    continue
                predictions |= choices
                places = set()
                for choice in choices.values():
                    assert isinstance(choice.value, Candidate)
                    if choice.how == STATED:
                        places |= {*choice.value.places}
                stated[number] = places
            left = [number for number in open_groups if number not in stated]
            if len(left) == len(open_groups):
                raise self._all_asked(reasons)
            open_groups = left
        _refuse_shared_columns(groups, answers_of, predictions)
        file_bound = BoundFile(file, tuple(groups), tuple(answers_of), predictions)
        if self.told.stated.others == "error" and file_bound.unread:
            columns = [repr(column.called) for column in file_bound.unread]
            raise Unusable(
                Phrase(
                    "it has a column that nothing needs: {columns}",
                    "it has columns that nothing needs: {columns}",
                    count=len(columns),
                    columns=listed(columns),
                )
            )
        return file_bound

    def _of_group(
        self,
        file: SubmittedFile,
        groups: Sequence[AnswerNeed],
        answers_of: Sequence[Choice],
        number: int,
        elsewhere: set[int],
    ) -> tuple[dict[str, Choice], list[Unusable]]:
        """Return what predicts the answers of one group, and why it is open of some needs."""
        answers = answers_of[number].value
        assert isinstance(answers, GoldAnswers)
        role = PREDICTION if len(groups) == 1 else answers.column.called
        needs = groups[number].needs
        of_labels = any(kind_of(need, answers.values) == LABELS for need in needs)
        stated = self.told.stated.target_predictions
        is_only_target = len(groups) == 1 and not any(need.name in stated for need in needs)
        choices: dict[str, Choice] = {}
        doubts: list[Unusable] = []
        for place, need in enumerate(needs):
            own_role = role if place == 0 else need.name
            try:
                choices[need.name] = choose_prediction(
                    file,
                    answers,
                    need,
                    own_role,
                    elsewhere,
                    is_only_target=is_only_target,
                    beside_labels=of_labels,
                )
            except Unusable as reason:
                doubts.append(reason)
        return choices, doubts

    def _all_asked(self, reasons: Sequence[Unusable]) -> Unusable:
        """Return why the predictions of a file are open: all together, if settings can name all."""
        several = [reason for reason in reasons if isinstance(reason, SeveralFit)]
        if len(several) < len(reasons):
            return reasons[0]
        return asked_together(several, self.told.stated.target_predictions)

    # Questions ------------------------------------------------------------------------------------

    def _ask_if_most_are_unusable(self) -> None:
        """Ask if more than half of the files cannot be read: what most of them lack."""
        if len(self.reasons) <= len(self.tables.uploads) / 2:
            return
        sentences = Counter(unusable.reason.sentence for unusable in self.reasons.values())
        most = sentences.most_common(1)[0][0]
        name = next(n for n, unusable in self.reasons.items() if unusable.reason.sentence == most)
        options = [self._with_contents(option, name) for option in self.reasons[name].options]
        asks = Phrase(
            "{count} of {files} files cannot be read. {file}: {reason}",
            count=len(self.reasons),
            files=len(self.tables.uploads),
            file=name,
            reason=self.reasons[name].reason,
        )
        raise Asked(OpenQuestion(asks, tuple(options)), most)

    def _with_contents(self, option: Option, name: str) -> Option:
        """Return an option that names one column of a file with what this column holds."""
        columns = [*option.settings.get("submissions", {}).get("columns", {}).values()]
        sheet, _ = self.tables.headed_sheet(name, None)
        if len(columns) != 1 or sheet is None or isinstance(columns[0], (list, Mapping)):
            return option
        column = sheet.column(columns[0])
        if column is None:
            return option
        contents = described(column, participants_read=self.told.participants_read)
        means = Phrase("{meaning}: {values}", meaning=option.means, values=contents)
        return Option(option.settings, means)

    def _tried(self, asked: Asked) -> OpenQuestion:
        """Return a question with the options under which every file loads.

        A file that is broken for a reason of its own does not count.
        """
        question = asked.question
        if not self.tries:
            return question
        broken = set()
        for name, unusable in self.reasons.items():
            if unusable.reason.sentence != asked.about:
                broken.add(name)
        working = []
        leading = []
        for option in question.options:
            told = replace(self.told, stated=self.told.stated.stating(option.settings))
            outcome = _Rule(self.tables, told, tries=False).outcome()
            asks_again = any(asked_again.asks == question.asks for asked_again in outcome.questions)
            if asks_again:
                continue
            if {*outcome.unusable} <= broken:
                working.append(option)
            elif outcome.questions:
                leading.append(option)
        if working or not leading:
            return OpenQuestion(question.asks, tuple(working))
        asks = Phrase(_LEADS_ON, question=question.asks)
        if question.asks[-1:] not in ("?", "."):
            asks = Phrase(_REASON_LEADS_ON, question=question.asks)
        return OpenQuestion(asks, tuple(leading))


def _refuse_shared_columns(
    groups: Sequence[AnswerNeed], answers_of: Sequence[Choice], predictions: Mapping[str, Choice]
) -> None:
    """Raise Unusable if one column would be the prediction of several answers, unless stated."""
    target_of: dict[int, str] = {}
    for group, answers in zip(groups, answers_of, strict=True):
        assert isinstance(answers.value, GoldAnswers)
        target = answers.value.column.called
        for need in group.needs:
            choice = predictions[need.name]
            assert isinstance(choice.value, Candidate)
            for column in choice.value.columns if choice.how != STATED else ():
                rival = target_of.setdefault(column.place, target)
                if rival != target:
                    raise Unusable(
                        Phrase(
                            "its column {column} may be the prediction of {targets}",
                            column=repr(column.called),
                            targets=listed((repr(rival), repr(target))),
                        )
                    )
