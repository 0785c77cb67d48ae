"""Rows of cells: what the metrics need of them, and a Reading carried out on their tables.

`recognize` decides what columns mean. Nothing here decides: columns that are bound get the names
of their roles, and the others keep theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..core.errors import (
    OrganizerError,
    Problems,
    ReferenceDataError,
    SettingsError,
    SubmissionError,
    listed,
)
from ..core.phrases import Phrase
from ..metrics import Metric, without_formulas
from ..reading.formats import fields
from ..reading.formats.kind import FileDescription
from ..reading.table import Table
from ..recognize.by_names.gold_columns import GoldColumns
from ..recognize.by_names.line_beginnings import with_ids_apart
from ..recognize.choosing import NOTHING_PREDICTED
from ..recognize.expected import Expected, SentColumns, SentPrediction, Target
from ..recognize.facts import label_of
from ..recognize.only_submission import doubt_of_one
from ..recognize.open_questions import PUT_ONE, OpenQuestion, Option
from ..recognize.reading_record import PROVEN, STATED, Binding, Decision, Reading, Side
from ..recognize.readings import IDS_REPEATED, side_of_plain_file
from ..recognize.rows_rule import recognize_rows
from ..recognize.statements import (
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
from ..recognize.usual_names import USAGE, plain_name
from ..recognize.words_of_cells import words_of_split
from ..settings.model import Settings
from .gold import IGNORED, PRIVATE
from .joining.placed_columns import (
    place_of_column,
    unique_names,
    with_header,
    with_joint_ids,
)
from .joining.submission import (
    Bound,
    Entry,
    examine,
    examine_bound,
    names_at,
    report_other_widths,
    rows_of_examples,
)

if TYPE_CHECKING:
    from ..recognize.plain_files import PlainFiles

#: The kinds of predictions that one column, or one column of each class, holds.
_OF_COLUMNS = (LABELS, NUMBERS, PROBABILITIES, SCORES)
#: What the column is called that several columns of zeros and ones are together.
_ONE_LABEL = "label"
_SAID = Phrase("the settings say so")


def needs_of(metrics: Sequence[Metric]) -> tuple[Need, ...] | None:
    """Return what each metric needs of rows; None if one reads whole tables by itself."""
    needs = []
    for metric in without_formulas(metrics):
        if metric.kind == "table":
            return None
        positive = metric.params.get("pos_label")
        needs.append(
            Need(
                metric.name,
                metric.kind if metric.kind in _OF_COLUMNS else None,
                metric.column,
                positive=None if positive is None else str(positive),
            )
        )
    return tuple(needs)


def stated_of(settings: Settings) -> Stated:
    """Return what the settings state about the files of rows."""
    gold = settings.described(gold=True)
    sent = settings.described()
    own_id = () if settings.id_column is None else (settings.id_column,)
    context = [name for _, name in settings.design_columns]
    context += [spec.weight_column for spec in settings.metrics if spec.weight_column]
    if gold.event is not None:
        context.append(gold.event)
    named = aliases(gold)
    labels = settings.labels
    sent_as = {named.get(name, name): column for name, column in aliases(sent).items()}
    return Stated(
        gold_header=gold.header,
        submissions_header=sent.header,
        gold_id=_listed(gold.roles.get(ID, own_id)),
        submissions_id=_listed(sent.roles.get(ID, ())),
        answer=_stated_answer(gold, context),
        prediction=sent.roles.get(PREDICTION),
        target_predictions=sent_as,
        classes=sent.classes,
        join=sent.join,
        holds=sent.holds,
        others=sent.others,
        usage=gold.usage,
        labels=tuple(map(str, labels)) if isinstance(labels, tuple) else labels,
        context=tuple(named.get(name, name) for name in context),
    )


def is_stated_in_full(sent: FileDescription) -> bool:
    """Whether the settings state every decision about submissions, as a frozen Reading does."""
    return bool(sent.roles) and sent.header is not None and sent.join is not None


def sent_columns(
    sent: FileDescription,
    reading: Reading,
    targets: Mapping[Target, Sequence[str]],
    positives: Mapping[Target, str],
) -> SentColumns | None:
    """Return what submissions are called to hold, if it is stated of every target.

    ``targets`` maps what is predicted to the metrics that need it, and ``positives`` scores to
    their class.
    """
    if not is_stated_in_full(sent):
        return None
    gold = reading.reference
    assert gold is not None
    role_of = {}
    for item in gold.predicted:
        role_of.update(dict.fromkeys(item.metrics, item.role))
    predictions = {}
    for target, needs in targets.items():
        roles = [*needs, *(role_of.get(need, "") for need in needs), PREDICTION]
        stated = [sent.roles[role] for role in roles if role in sent.roles]
        if not stated or isinstance(stated[0], tuple):
            return None
        columns = stated[0] if isinstance(stated[0], Mapping) else {"": stated[0]}
        predictions[target] = SentPrediction(columns, positives.get(target))
    by_key = sent.join == BY_KEY
    ids = _listed(sent.roles.get(ID, gold.columns.get(ID, ()))) if by_key else ()
    assert sent.header is not None
    return SentColumns(sent.header, ids, predictions, sent.holds, sent.others)


def reading_as_stated(
    reading: Reading, sent: SentColumns, entries: Sequence[Entry], described: FileDescription
) -> Reading:
    """Return a Reading whose submissions are as stated, with what is not read of the entries."""
    roles = {"header": Decision(sent.header, STATED, _SAID)}
    if sent.ids:
        roles[ID] = Decision(sent.ids[0] if len(sent.ids) == 1 else [*sent.ids], STATED, _SAID)
    roles["join"] = Decision(BY_KEY if sent.ids else BY_POSITION, STATED, _SAID)
    predicted = []
    for item in reading.submissions[0].predicted:
        decision = Decision(described.roles.get(item.role, item.decision.value), STATED, _SAID)
        predicted.append(replace(item, decision=decision))
    unread: Counter[str] = Counter()
    for entry in entries:
        unread.update(entry.not_read)
    names = tuple(entry.name for entry in entries)
    side = Side(names, roles, tuple(predicted), (), dict(unread))
    return replace(reading, submissions=(side,))


def with_classes_in_order(sent: SentColumns, expected: Expected, where: str) -> SentColumns:
    """Return the same with the columns of classes in the order of the task's labels.

    Raises
    ------
    SettingsError
        The classes that are stated, at ``where``, are not those of the task.
    """
    predictions = dict(sent.predictions)
    for target, prediction in sent.predictions.items():
        if "" in prediction.columns:
            continue
        by_label = {label_of(name): column for name, column in prediction.columns.items()}
        labels = [str(label) for label in expected.targets[target]]
        if {*map(label_of, labels)} != {*by_label}:
            raise SettingsError(
                f"{where}: 'columns' states those of the classes {listed(by_label)}, and the task "
                f"has {listed(labels)}; state a column for each of these"
            )
        columns = {label: by_label[label_of(label)] for label in labels}
        predictions[target] = replace(prediction, columns=columns)
    return replace(sent, predictions=predictions)


def aliases(described: FileDescription) -> dict[str, str | int]:
    """Return what settings call columns that have no role → the column's name or number."""
    roles = described.roles.items()
    return {name: column for name, column in roles if name not in (ID, ANSWER, PREDICTION)}


def _listed(value: str | int | Sequence[str | int]) -> tuple[str | int, ...]:
    return (value,) if isinstance(value, (str, int)) else tuple(value)


def _stated_answer(described: FileDescription, context: Iterable[str]) -> Any:
    """Return the answers that a description names: those of this role, or the only other column."""
    if ANSWER in described.roles:
        return described.roles[ANSWER]
    unnamed = [column for name, column in aliases(described).items() if name not in context]
    return unnamed[0] if len(unnamed) == 1 else None


def without_words(table: Table, words: Sequence[str]) -> Table:
    """Return a table with empty cells in place of words that stand for no answer.

    Columns whose cells all differ identify examples, so these stay.
    """
    no_answers = {*words}
    columns = []
    for cells in table.columns:
        repeats = len({*cells}) < len(cells)
        columns.append(["" if cell in no_answers else cell for cell in cells] if repeats else cells)
    return replace(table, columns=columns)


def executed_gold(
    table: Table,
    reading: Reading,
    needs: Sequence[Need],
    described: FileDescription,
    *,
    labels_are_stated: bool = False,
) -> tuple[Table, GoldColumns]:
    """Return the table of a gold below its header, and its columns by their roles.

    Columns without a name get one, and those that are ``described`` under another name get that. A
    key of several columns becomes one column of ids, and columns of zeros and ones that are one
    label together become one column. Examples without an answer are ignored, if some may have none.

    Raises
    ------
    SubmissionError
        Two columns that are used have one name.
    ReferenceDataError
        A label is the answer of ignored examples alone, and it is not stated that it is one.
    """
    side = reading.reference
    assert side is not None
    table = with_header(table, is_first_row=bool(side.roles["header"].value))
    places = _places(table, side.columns.get(ID, ()))
    answer_places = [_places(table, item.decision.value) for item in side.predicted]
    used = {*places}.union(*answer_places)
    called = unique_names(table, used)
    header = table.header or ()
    if len(places) == 1 and not header[places[0]]:
        called[places[0]] = ID
    for columns in answer_places:
        if len(answer_places) == len(columns) == 1 and not header[columns[0]]:
            called[columns[0]] = _ONE_LABEL
    for name, column in aliases(described).items():
        called[place_of_column(table, column)] = name
    table = replace(table, header=tuple(called))
    id_column = called[places[0]] if len(places) == 1 else None
    answers = []
    for columns in answer_places:
        if len(columns) > 1:
            table = _with_one_label(table, [called[place] for place in columns])
            answers.append(_ONE_LABEL)
        else:
            answers.append(called[columns[0]])
    if len(places) > 1:
        table, id_column = with_joint_ids(table, [called[place] for place in places])
    if "split" in side.roles:
        table = _with_usage(table, side, described)
    if described.not_scored:
        every = _labels_that_count(table, side, answers)
        table = _without_unanswered(table, answers)
        if not labels_are_stated:
            _refuse_lost_labels(table.file, every, _labels_that_count(table, side, answers))
    unnamed_needs = {need.name for need in needs if need.answer is None}
    unnamed = None
    for item, name in zip(side.predicted, answers, strict=True):
        if unnamed_needs.intersection(item.metrics):
            unnamed = name
    return table, GoldColumns(id_column, tuple(answers), unnamed)


def _places(table: Table, value: Any) -> list[int]:
    """Return where the columns that a decision names stand, from 0."""
    return [place_of_column(table, name) for name in _names(value)]


def _names(value: Any) -> list[str | int]:
    """Return the columns that a decision names: one, several, or one for each class."""
    if isinstance(value, Mapping):
        return [*value.values()]
    return [value] if isinstance(value, (str, int)) else [*value]


def _with_one_label(table: Table, names: Sequence[str]) -> Table:
    """Return a table whose columns of zeros and ones are one column: the name of the 1's."""
    flags = zip(*(map(float, table.named[name]) for name in names), strict=True)
    labels = [names[row.index(1)] for row in flags]
    beside = {name: cells for name, cells in table.named.items() if name not in names}
    return replace(table.with_columns({_ONE_LABEL: labels, **beside}), classes=tuple(names))


def _with_usage(table: Table, side: Side, described: FileDescription) -> Table:
    """Return a table whose split has the name and the words of Kaggle's Usage."""
    split = side.roles["split"].value
    words = words_of_split(described.usage)
    columns: dict[str, Sequence[Any]] = {}
    for name, cells in table.named.items():
        if name == split:
            columns[USAGE] = [words.get(str(cell).casefold(), cell) for cell in cells]
        else:
            columns[name] = cells
    return table.with_columns(columns)


def _without_unanswered(table: Table, answers: Sequence[str]) -> Table:
    """Return a table that ignores the examples without an answer, and a note on their number.

    All metrics are scored on the same examples; so one that lacks an answer of several counts for
    none.
    """
    columns = table.named
    usage = [*columns.get(USAGE, [PRIVATE] * len(table.numbers))]
    unanswered = 0
    in_part = False
    for row, cells in enumerate(zip(*(columns[name] for name in answers), strict=True)):
        if "" in cells:
            usage[row] = IGNORED
            unanswered += 1
            in_part |= any(cells)
    note = Phrase(
        "Reference data: {count:n} example without an answer does not count.",
        "Reference data: {count:n} examples without an answer do not count.",
        count=unanswered,
    )
    if in_part:
        note = Phrase(
            "Reference data: {count:n} example counts for no metric, because it lacks one of "
            "several answers. Examples without an answer, by column: {columns}.",
            "Reference data: {count:n} examples count for no metric, because they lack one of "
            "several answers. Examples without an answer, by column: {columns}.",
            count=unanswered,
            columns=tuple(f"{name} {[*columns[name]].count('')}" for name in answers),
        )
    noted = replace(table, notes=(*table.notes, note) if unanswered else table.notes)
    return noted.with_columns({**columns, USAGE: usage})


def _labels_that_count(table: Table, side: Side, answers: Sequence[str]) -> dict[str, set[str]]:
    """Return the labels of each column of answers on the examples that are not ignored."""
    columns = table.named
    usage = columns.get(USAGE, [PRIVATE] * len(table.numbers))
    labels = {}
    for item, name in zip(side.predicted, answers, strict=True):
        counted = set()
        for cell, part in zip(columns[name], usage, strict=True):
            if part != IGNORED:
                counted.add(label_of(str(cell)))
        labels[name] = counted.intersection(item.labels)
    return labels


def _refuse_lost_labels(
    file: str, every: Mapping[str, set[str]], counted: Mapping[str, set[str]]
) -> None:
    """Raise ReferenceDataError if a label is the answer only of examples without another answer.

    Nothing else says that it is one, so that all submissions that predict it would be refused.
    """
    lost = []
    for name, labels in every.items():
        lost += [f"{label!r} in {name!r}" for label in sorted(labels - counted[name])]
    if not lost:
        return
    texts = sorted(set().union(*every.values()))
    are_numbers = all(text.isdecimal() for text in texts)
    stated = Option({"labels": sorted(map(int, texts)) if are_numbers else texts}, Phrase(""))
    raise ReferenceDataError(
        f"{file}: an example that lacks one of several answers counts for no metric, and these "
        f"labels are answers of such examples alone: {listed(lost)}. Submissions that predict them "
        "would be refused. If they are labels of the task, put this line into ref/scoring.yaml: "
        f"{stated.line}"
    )


# Submissions --------------------------------------------------------------------------------------


def asked(questions: Sequence[OpenQuestion]) -> OrganizerError:
    """Return the error that asks what is open, with the lines that answer it."""
    texts = []
    for question in questions:
        lines = [str(line) for line in question.lines()]
        if question.options:
            lines.append(PUT_ONE)
        texts.append("\n".join(lines))
    return ReferenceDataError("\n".join(texts))


@dataclass(frozen=True, eq=False, repr=False)
class Binder:
    """Binds the columns of submissions to what is predicted, and carries that out.

    ``gold`` is the table of the gold as its file has it, and ``stated`` says what its columns are.
    ``targets`` maps what is predicted to the metrics that need it. The settings may have stated the
    ids (``ids_are_stated``); else they were recognized. What was recognized of files together,
    ``bindings`` and ``unusable`` hold by the names of the entries; any other file is recognized
    alone, beside what the ``reading`` says of the gold.
    """

    gold: Table
    needs: tuple[Need, ...]
    stated: Stated
    targets: Mapping[Target, tuple[str, ...]]
    id_column: str
    ids_are_stated: bool
    bindings: Mapping[str, Binding] = field(default_factory=dict)
    unusable: Mapping[str, Phrase] = field(default_factory=dict)
    reading: Reading | None = None

    def examine(self, table: Table, expected: Expected, name: str, sha256: str) -> Entry:
        """Check one submission and sort it like the examples; see `submission.examine_bound`.

        Raises
        ------
        SubmissionError
            What its columns hold is not certain, or every problem of the cells that are read.
        """
        predictions = (self.stated.prediction, *self.stated.target_predictions.values())
        columns = [name for name in predictions if isinstance(name, (str, int))]
        stated = {*self.stated.submissions_id, *columns}
        table.refuse_nested(name for name in table.nested if name in stated)
        table = divided(table, self.gold, len(expected.columns))
        binding = self._binding(table, expected, name)
        every = expected.every
        problems = Problems(table.file)
        report_other_widths(table, every, problems)
        bound = self._bound(table, binding, expected)
        rows = rows_of_examples(bound.table, bound.id_column, every, problems)
        entry = examine_bound(bound, rows, expected, problems, name, sha256)
        return replace(entry, side=self._accounted(binding.side))

    def _accounted(self, side: Side | None) -> Side | None:
        """Return a side of which only what the settings say is stated.

        Files that are recognized alone are told what was recognized of the gold.
        """
        if side is None or self.ids_are_stated or ID not in side.roles:
            return side
        roles = dict(side.roles)
        for role in (ID, "join"):
            roles[role] = replace(side.roles[role], how=PROVEN, why=IDS_REPEATED)
        return replace(side, roles=roles)

    def side_of_plain_file(
        self, name: str, header: Sequence[str], places: Sequence[int], expected: Expected
    ) -> Side:
        """Return how a plain file was read, whose predictions stand at some places, from 0."""
        ((target, labels),) = expected.targets.items()
        columns = [header[place] for place in places]
        of_classes = {"": columns[0]}
        if len(columns) > 1:
            names = [label_of(str(label)) for label in labels]
            of_classes = dict(zip(names, columns, strict=True))
        return side_of_plain_file(
            name,
            header[0],
            of_classes,
            self.targets[target],
            target.kind,
            ids_are_stated=self.ids_are_stated,
        )

    def plain_files(self, expected: Expected) -> PlainFiles | None:
        """Return what is known of plain files; None if several targets are predicted."""
        from ..recognize.plain_files import PlainFiles  # late: for large uploads

        if len(expected.targets) != 1:
            return None
        ((target, labels),) = expected.targets.items()
        needs = tuple(need for need in self.needs if need.name in self.targets[target])
        header = self.gold.header or (self.gold.first_row if self.stated.gold_header else ())
        beside = {plain_name(name) for name in header} - {plain_name(target.column)}
        texts = tuple(map(str, labels))
        return PlainFiles(target.kind, texts, needs, self.stated, frozenset(beside))

    def _binding(self, table: Table, expected: Expected, name: str) -> Binding:
        if name in self.bindings:
            return self.bindings[name]
        reason = self.unusable.get(name)
        if reason is None:
            recognition = recognize_rows(self.gold, {name: table}, self.needs, self.stated)
            if name in recognition.bindings:
                return self._certain(table, recognition.bindings[name])
            reason = recognition.unusable[name]
        raise self._refusal(table, expected, reason)

    def _certain(self, table: Table, binding: Binding) -> Binding:
        """Return what is read of a file by itself; raise SubmissionError if that leaves doubts."""
        if self.reading is not None:
            doubt = doubt_of_one(self.gold, table, self.reading, binding, participants_read=True)
            if doubt is not None:
                raise table.refusal("{file}: {reason}", reason=doubt.reason)
        return binding

    def _refusal(self, table: Table, expected: Expected, reason: Phrase) -> SubmissionError:
        """Return why a file cannot be read: what probably happened to it, or else the reason.

        Where settings state columns, the reason is about these. Cells of columns that were given
        tell nothing of what happened to predictions.
        """
        table.refuse_nested(table.nested)
        nothing_predicted = reason.sentence == NOTHING_PREDICTED[0]
        if self.stated.states_submissions or nothing_predicted:
            return table.refusal("{file}: {reason}", reason=reason)
        try:
            examine(table, expected)
        except SubmissionError as diagnosis:
            return diagnosis
        return table.refusal("{file}: {reason}", reason=reason)

    def _bound(self, table: Table, binding: Binding, expected: Expected) -> Bound:
        """Return the table below its header, with its columns by their roles."""
        if binding.header:
            fields.refuse_repeated(table, filter(None, table.header or table.first_row))
        table = with_header(table, is_first_row=binding.header)
        places: dict[Target, list[int]] = {}
        for target, needs in self.targets.items():
            columns = binding.predictions[needs[0]].columns
            in_order = map(label_of, map(str, expected.targets[target]))
            classes = [""] if "" in columns else [*in_order]
            if any(label not in columns for label in classes):
                raise table.refusal(
                    "{file}: there is no column for each class; write a header such as {header}",
                    header=expected.header,
                )
            places[target] = [columns[label].place for label in classes]
        key = [column.place for column in binding.file_key]
        used = {*key}.union(*places.values())
        table = replace(table, header=tuple(unique_names(table, used)))
        called = table.header or ()
        own_id = called[key[0]] if len(key) == 1 else None
        if len(key) > 1:
            names = [called[place] for place in key]
            table, own_id = with_joint_ids(table, names, self.id_column)
        return Bound(table, own_id, names_at(places, called))


def divided(table: Table, gold: Table, targets: int) -> Table:
    """Return a table of one column whose lines begin with ids of the gold as several columns."""
    if len(table.columns) > 1:
        return table
    for cells in gold.columns:
        ids = frozenset(map(str, cells))
        if len(ids) == len(cells):
            apart = with_ids_apart(table, ids, targets)
            if apart is not table:
                return apart
    return table
