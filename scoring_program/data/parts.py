"""From gold files to the parts of a competition: metrics, and what these ask of submissions."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..core import cells
from ..core.cells import Label
from ..core.errors import ReferenceDataError, SettingsError, SubmissionError, listed, nearest
from ..core.phrases import Phrase
from ..metrics import Metric, formula, resolve, without_formulas
from ..metrics.kinds.text_metrics import misreads
from ..metrics.metric import OF_ROWS, with_events
from ..metrics.organizer import FileFunction, file_function
from ..metrics.registry import scores
from ..reading.files import DataFile
from ..reading.formats import KINDS, kind_of, label_sets, rankings, readers, texts
from ..reading.formats.kind import ROWS
from ..reading.limits import most_of
from ..reading.table import Table
from ..recognize.by_names.line_beginnings import unknown_beginnings
from ..recognize.expected import BY_CLASS, Expected, SentColumns, Target
from ..recognize.facts import label_of
from ..recognize.headers import first_row_is_header, sheet_of
from ..recognize.of_kinds import label_columns
from ..recognize.of_kinds.ranked_columns import RANK
from ..recognize.only_submission import doubt_of_one
from ..recognize.open_questions import OpenReading
from ..recognize.reading_record import Reading
from ..recognize.rows_rule import Recognition, recognize_rows
from ..recognize.statements import ANY_NEED, ID, NUMBERS, Need, Stated
from ..settings.checks import ANY, MetricSpec
from ..settings.model import FOR_SCORES, Settings
from .binder import (
    Binder,
    asked,
    executed_gold,
    needs_of,
    sent_columns,
    stated_of,
    with_classes_in_order,
    without_words,
)
from .competition import (
    Entries,
    Part,
    check_columns,
    in_order_of,
    named_by_task,
    refuse_copies,
    settings_of,
)
from .entry import (
    Labels,
    are_events,
    gold_events,
    gold_labels,
    gold_numbers,
    gold_weights,
    label_set,
)
from .gold import (
    Gold,
    as_gold,
    digest,
    open_rows,
    other_columns,
    read_gold,
    refuse_decimal_commas,
    refuse_no_example,
    refuse_other_usages,
    refuse_repeated_names,
    refuse_spoiled_ids,
    refuse_undivided,
    refuse_unknown_columns,
    refuse_usage,
)
from .scorable import refuse_unscorable
from .targets import preferences_in_ref, several_columns_are_labels, target_column, target_of


@dataclass(frozen=True, eq=False)
class OpenGold:
    """A file of reference data that is read, but for what the columns of rows mean.

    ``table`` holds the rows, if the rule for rows recognizes their columns, and ``needs`` is what
    the metrics need of them; else they are in the ``content``. ``settings`` are those of the task.
    """

    task: str
    path: str
    content: bytes
    sha256: str
    settings: Settings
    kind: str
    reader: FileFunction | None = None
    table: Table | None = None
    needs: tuple[Need, ...] = ()

    @property
    def targets(self) -> int:
        """Number of columns that are predicted, as far as metrics name them."""
        return max(1, len({need.answer for need in self.needs}))

    @property
    def examples(self) -> int:
        """Number of rows, where they are known."""
        return 0 if self.table is None else len(self.table.numbers)


#: Returns what the columns of a gold, and of the submissions for it, mean.
Recognize = Callable[[OpenGold], Recognition]


def opened(
    gold: Mapping[str, DataFile], settings_folder: Path | None, settings: Settings
) -> tuple[OpenGold, ...]:
    """Return every gold file, read; ``settings_folder`` holds the organizer's own metrics."""
    several = len(gold) > 1
    reader = None
    if settings.reader is not None:
        reader, _ = file_function(settings.reader, settings_folder, settings.where("reader"))
        # Gold and submissions are alike.
        reader = replace(reader, of_folders=any(file.holds for file in gold.values()))
    golds = []
    for task, file in gold.items():
        of_task = settings_of(task, [*gold], settings) if several else settings
        plain = [spec for spec in of_task.metrics if not spec.formula]
        metrics = resolve(plain, settings_folder, hidden=True)
        with _as_reference(file, gold):
            golds.append(_opened(task, file, of_task, metrics, reader, several=several))
    return tuple(golds)


def _opened(
    task: str,
    file: DataFile,
    settings: Settings,
    metrics: Sequence[Metric],
    reader: FileFunction | None,
    *,
    several: bool,
) -> OpenGold:
    """Return one gold file; of ``several`` tasks, it may lack the columns of some metrics."""
    content = file.read()
    sha256 = digest(content)
    path = str(file.path)
    if reader is not None:
        kind = _kind_of_reader(metrics, settings)
        return OpenGold(task, path, content, sha256, settings, kind, reader)
    recognized = kind_of(content, path, settings.described(gold=True))
    kind = kind_of_examples(path, metrics, recognized=recognized)
    if settings.described().holds == RANK and kind != rankings.KIND.name:
        raise SettingsError(
            f"{settings.where('submissions')}: 'holds: rank' says that runs hold ranks, and no "
            "metric scores ranked lists; name a measure of these, such as nDCG@10, or remove it"
        )
    needs = needs_of(metrics)
    if kind != ROWS or needs is None:
        return OpenGold(task, path, content, sha256, settings, kind)
    table = open_rows(content, path, settings)
    if several:
        columns = {*(table.header or table.first_row)}
        needs = tuple(need for need in needs if need.answer is None or need.answer in columns)
    if not_scored := settings.described(gold=True).not_scored:
        if not several:
            _refuse_absent_words(table, not_scored, settings)
        table = without_words(table, not_scored)
    return OpenGold(task, path, b"", sha256, settings, kind, None, table, needs)


def _refuse_absent_words(table: Table, words: Sequence[str], settings: Settings) -> None:
    """Raise SettingsError if a word that is stated to be no answer stands in no cell."""
    present: set[str] = set()
    for column in table.columns:
        present.update(column)
    absent = [word for word in words if word not in present]
    if absent:
        raise SettingsError(
            f"{settings.where('reference')}: not_scored: no cell of {table.file} is "
            f"{listed(map(repr, absent))}; write the words as they stand there"
        )


@contextlib.contextmanager
def _as_reference(file: DataFile, gold: Mapping[str, DataFile]) -> Iterator[None]:
    """Turn the errors of a file into the organizer's; it may not be the gold of a task."""
    try:
        yield
    except OpenReading:
        raise
    except (SubmissionError, ReferenceDataError) as error:
        message = f"ref: {error}" if isinstance(error, SubmissionError) else str(error)
        if len(gold) > 1:
            every = listed(gold_file.path for gold_file in gold.values())
            message += (
                "\nEvery data file in ref/ is read as the reference data of a task "
                f"({every}); if {file.path} is not, move it elsewhere"
            )
        raise ReferenceDataError(message) from error


def recognized_with(gold: OpenGold, uploads: Mapping[str, Table]) -> Recognition:
    """Return the same, and what the columns of uploads hold, which have no say in the gold's."""
    assert gold.table is not None
    alone = recognized_alone(gold, participants_read=True)
    if alone.reading is None or not uploads:
        return alone
    stated = stated_of(gold.settings)
    stated = stated.stating({"reference": alone.reading.frozen()["reference"]})
    whole = recognize_rows(gold.table, uploads, gold.needs, stated)
    if whole.reading is None:
        return replace(alone, unusable=whole.unusable)
    for name, binding in whole.bindings.items():
        doubt = doubt_of_one(
            gold.table, uploads[name], alone.reading, binding, participants_read=True
        )
        if doubt is not None:
            return Recognition(None, (doubt.question,), {}, whole.unusable)
    reading = replace(alone.reading, submissions=whole.reading.submissions)
    return Recognition(reading, (), whole.bindings, whole.unusable)


def recognized_alone(gold: OpenGold, *, participants_read: bool = False) -> Recognition:
    """Return what the columns of a gold mean by its cells, its names and the settings alone.

    Where ``participants_read``, questions hold no value of the gold.
    """
    assert gold.table is not None
    stated = stated_of(gold.settings)
    return recognize_rows(gold.table, {}, gold.needs, stated, participants_read=participants_read)


def read(
    gold: Mapping[str, DataFile],
    golds: Sequence[OpenGold],
    settings_folder: Path | None,
    settings: Settings,
    recognize: Recognize = recognized_alone,
) -> tuple[tuple[Part, ...], tuple[Phrase, ...]]:
    """Return a part without entries for every gold file, and notes.

    ``golds`` are the ``gold`` files as `opened` returns them, and ``recognize`` says what the
    columns of rows mean.

    Raises
    ------
    OrganizerError
        A file is no gold; or what it means is an open question, which the message asks.
    """
    parts: list[Part] = []
    notes: list[Phrase] = []
    several = len(golds) > 1
    for opened_gold in golds:
        recognition = None
        with _as_reference(gold[opened_gold.task], gold):
            if opened_gold.table is None:
                table = read_gold(
                    opened_gold.content,
                    opened_gold.path,
                    opened_gold.settings,
                    opened_gold.kind,
                    opened_gold.reader,
                )
            else:
                recognition = recognize(opened_gold)
                table = _recognized(opened_gold, recognition)
            if several:
                refuse_usage(opened_gold.path, table.usage or ())
        table = in_order_of(parts, table)
        part, part_notes = of_gold(
            opened_gold.task, table, settings_folder, opened_gold.settings, several=several
        )
        if recognition is not None:
            part = _with_binder(part, opened_gold, recognition)
        else:
            # Late: of other kinds than rows.
            from .filled_readings import reading_of_part, sent_columns_of_kind

            sent = sent_columns_of_kind(part, opened_gold.settings.described())
            expected = replace(part.expected, sent=sent)
            reading = reading_of_part(part, opened_gold.settings)
            part = replace(part, reading=reading, expected=expected)
        parts.append(replace(part, reader=opened_gold.reader))
        notes.extend((*table.notes, *part_notes))
    if several:
        refuse_copies(parts)
        check_columns(parts, settings)
        first = Phrase("Tasks, one file of reference data each: {tasks}.", tasks=tuple(gold))
        notes.insert(0, first)
    return named_by_task(parts, "ref"), tuple(dict.fromkeys(notes))


def _recognized(gold: OpenGold, recognition: Recognition) -> Gold:
    """Return a gold whose columns are recognized; raise OrganizerError with the open questions."""
    assert gold.table is not None
    stated = stated_of(gold.settings)
    gold.table.refuse_nested(
        name for name in gold.table.nested if name in (*stated.gold_id, stated.answer)
    )
    refuse_undivided(gold.table)
    below = gold.table.titled()
    reading = recognition.reading
    side = None if reading is None else reading.reference
    if _may_be_headed(gold.table, stated) if side is None else side.roles["header"].value:
        refuse_repeated_names(below)
        refuse_other_usages(below, gold.settings)
    if side is None or ID not in side.roles:
        refuse_spoiled_ids(below, gold.settings)
    if reading is None or not gold.needs:
        refuse_decimal_commas(below)
    if reading is None:
        if not any(question.options for question in recognition.questions):
            below.refuse_nested(below.nested)
        _refuse_odd(below, gold)
        raise asked(recognition.questions)
    if reading.kind != ROWS:
        raise several_columns_are_labels(gold.path, below.named)
    described = gold.settings.described(gold=True)
    needs = gold.needs or (ANY_NEED,)
    table, columns = executed_gold(
        gold.table,
        reading,
        needs,
        described,
        labels_are_stated=gold.settings.labels is not None,
    )
    refuse_unknown_columns(table, gold.settings)
    return as_gold(table, gold.settings, gold.sha256, roles=columns)


def _may_be_headed(table: Table, stated: Stated) -> bool:
    """Whether the first row of a gold may name its columns, while that is not decided."""
    if stated.gold_header is not None or table.header is not None:
        return stated.gold_header is not False
    return first_row_is_header(table.first_row, sheet_of(table, headed=True)) is not False


def _refuse_odd(table: Table, gold: OpenGold) -> None:
    """Raise OrganizerError with what is probably wrong with a gold that nobody can read."""
    from ..recognize.tables_of_scores.preference_columns import name_preferences  # late: on failure

    refuse_no_example(table)
    _refuse_unknown_columns(table, gold.settings)
    if name_preferences(table.header or ()):
        raise preferences_in_ref(gold.path)
    for name, cells_of in table.named.items():
        if remedy := label_columns.of_cells(cells_of):
            raise ReferenceDataError(
                f"{gold.path}: column {name!r} holds equally long lists of flags (0 or 1), as if "
                f"one for each label; {remedy}; if these are names of classes, list them in the "
                "setting 'labels', in quotes"
            )
    if table.one_hot and any(need.kind == NUMBERS for need in gold.needs):
        raise SettingsError(
            f"metric {gold.needs[0].name!r} scores numbers, but every row of {gold.path} holds one "
            "1 among zeros, as if each column were a class; name a metric of classes, such as "
            "log_loss or accuracy_score"
        )


def _refuse_unknown_columns(table: Table, settings: Settings) -> None:
    """Raise SettingsError if settings, or a metric in them, name a column that a gold lacks."""
    refuse_unknown_columns(table, settings)
    for spec in settings.metrics:
        if spec.column is not None and spec.column not in table.named:
            raise SettingsError(
                f"metric {spec.name!r}: {table.file} has no target column {spec.column!r}"
                f"{other_columns(spec.column, table.named)}"
            )


def _with_binder(part: Part, gold: OpenGold, recognition: Recognition) -> Part:
    """Return a part that binds the columns of submissions as they were recognized."""
    assert gold.table is not None
    assert recognition.reading is not None
    targets: dict[Target, tuple[str, ...]] = {}
    names = {need.name for need in gold.needs}
    for metric in without_formulas(part.metrics):
        target = target_of(metric, part.gold)
        if target is not None:
            need = metric.name if metric.name in names else ANY_NEED.name
            targets[target] = (*targets.get(target, ()), need)
    ordered = {target: targets[target] for target in part.expected.targets}
    sent = _sent(part, gold, recognition.reading, ordered)
    if sent is not None:
        return replace(
            part, reading=recognition.reading, expected=replace(part.expected, sent=sent)
        )
    frozen = recognition.reading.frozen()
    stated = stated_of(gold.settings)
    binder = Binder(
        gold.table,
        gold.needs,
        stated.stating({"reference": frozen["reference"]}),
        ordered,
        part.expected.id_column,
        bool(stated.gold_id or stated.submissions_id),
        recognition.bindings,
        recognition.unusable,
        recognition.reading,
    )
    return replace(part, reading=recognition.reading, binder=binder)


def _sent(
    part: Part, gold: OpenGold, reading: Reading, targets: Mapping[Target, tuple[str, ...]]
) -> SentColumns | None:
    """Return what submissions are called to hold, if the settings state it in full."""
    positives = {}
    for metric in without_formulas(part.metrics):
        target = target_of(metric, part.gold)
        if target is None or target.kind not in BY_CLASS:
            continue
        positive = metric.all_params.get("pos_label")
        labels = [*map(str, part.expected.targets[target])]
        if positive is not None:
            positives[target] = str(positive)
        elif [*map(label_of, labels)] == ["0", "1"]:
            positives[target] = labels[1]
    sent = sent_columns(gold.settings.described(), reading, targets, positives)
    if sent is None:
        return None
    return with_classes_in_order(sent, part.expected, gold.settings.where("submissions"))


def _kind_of_reader(metrics: Sequence[Metric], settings: Settings) -> str:
    """Return the kind of data that a reader makes; refuse metrics that cannot count it."""
    kind = readers.KIND.name
    if not metrics:
        raise SettingsError(
            f"{settings.where('reader')}: no metric is known for what a reader of your own makes; "
            "name one in 'metrics' with 'statistics:' and 'function:'"
        )
    for metric in without_formulas(metrics):
        if metric.statistics is None or metric.kind not in ("gold", kind):
            raise SettingsError(
                f"metric {metric.name!r}: only functions of your own can score what the setting "
                "'reader' makes; give it 'statistics: my_metric.py:counts' and 'function: "
                "my_metric.py:score'"
            )
    return kind


def of_gold(
    name: str,
    gold: Gold,
    settings_folder: Path | None,
    settings: Settings,
    *,
    several: bool = False,
    column: str | None = None,
) -> tuple[Part, tuple[Phrase, ...]]:
    """Return the part of one gold, without entries, and notes.

    ``several``: there are other tasks. ``column``: the gold's column in a wide table.
    """
    specs, notes = _specs_of(gold, settings, several=several)
    event = settings.described(gold=True).event
    metrics = with_events(resolve(specs, settings_folder, gold.kind), event)
    notes = (*notes, *_ignored_censoring(metrics, gold, settings))
    if assumed := [spec.name for spec in specs if spec.call and spec.greater_is_better is None]:
        assumption = Phrase(
            "A higher value of {metrics} counts as better, because the call in Python gave a "
            "function and no direction. To state one, give a mapping with name, function and "
            "greater_is_better.",
            metrics=tuple(assumed),
        )
        notes = (*notes, assumption)
    # It changes figures that are published without. Answers in other languages than English, or
    # inflected forms, may differ in just what it drops.
    if any(metric.function == "exact_match" for metric in without_formulas(metrics)):
        normalized = Phrase(
            "Exact match (SQuAD) ignores case, punctuation and the articles a, an and the. The "
            "metric string_match compares texts as they are."
        )
        notes = (*notes, normalized)
    metrics = ranking_first(metrics, settings, several=several)
    expected, labels = _expected_of_metrics(metrics, gold, settings, column)
    refuse_unscorable(metrics, gold, labels, expected)
    return Part(name, gold, labels, expected, metrics), notes


def _ignored_censoring(
    metrics: Sequence[Metric], gold: Gold, settings: Settings
) -> Iterator[Phrase]:
    """Yield a note if a metric of times ignores what a column of the gold may say about them.

    That is a column of flags which nothing else names.
    """
    plain = without_formulas(metrics)
    ignoring = [metric for metric in plain if metric.reads_events and metric.event is None]
    if not ignoring or not gold.names_are_public:
        return
    used = {name for _, name in settings.design_columns}
    for metric in plain:
        target = target_of(metric, gold)
        if target is not None:
            used.add(target.column)
        if metric.sample_weight is not None:
            used.add(metric.sample_weight)
    flags = [
        name for name, values in gold.columns.items() if name not in used and are_events(values)
    ]
    if flags:
        yield Phrase(
            "{metric} ignores censoring: every time counts as that of an event. If the column "
            "{column} says which times are, state it in the settings: {setting}.",
            metric=ignoring[0].name,
            column=repr(flags[0]),
            setting=f"'reference: {{event: {flags[0]}}}'",
        )


def of_scores(
    name: str, units: Gold, metrics: tuple[Metric, ...], settings: Settings, entries: Entries
) -> Part:
    """Return the part of scores that were made elsewhere; ``units`` stands for the gold."""
    return Part(name, units, {}, expected_of_examples(units, {}, settings), metrics, entries)


_FOR_CLASSES = (
    MetricSpec("accuracy", "accuracy_score"),
    MetricSpec("f1_macro", "f1_score", {"average": "macro"}),
)
_FOR_NUMBERS = (
    MetricSpec("mae", "mean_absolute_error"),
    MetricSpec("rmse", "root_mean_squared_error"),
)


def _specs_of(
    gold: Gold, settings: Settings, *, several: bool
) -> tuple[tuple[MetricSpec, ...], tuple[Phrase, ...]]:
    """Return the settings' metrics or, if they name none, the default metrics for this gold.

    One of ``several`` tasks has the metrics without a ``column``, those whose column is in its
    gold, and the formulas over these.
    """
    if settings.metrics and several:
        scored = (spec for spec in settings.metrics if spec.column in (None, *gold.targets))
        fitting = {spec.name: spec for spec in scored}
        # Other formulas join several tasks.
        while joining := [
            spec.name for spec in fitting.values() if not fitting.keys() >= _named(spec)
        ]:
            for name in joining:
                del fitting[name]
        if not fitting:
            raise SettingsError(
                f"{settings.where('metrics')}: no metric applies to {gold.file}; "
                "name one whose column it has"
            )
        return tuple(fitting.values()), ()
    for spec in settings.metrics:
        if spec.task:
            raise SettingsError(
                f"{spec.where}: metric {spec.name!r}: there are no tasks, because {gold.file} "
                "holds all reference data; remove 'task:', or put one file for each task into ref/"
            )
    if settings.metrics:
        return settings.metrics, ()
    if label_sets.UNORDERED in gold.notes:
        raise ReferenceDataError(
            f"{gold.file}: examples have lists of many different labels, in different orders. If "
            "the order counts, name a metric of ranked lists, such as nDCG@10, and write lines "
            'such as \'301 0 FT911-3 1\', or JSON such as {"301": {"FT911-3": 1}}. If these are '
            "sets, name a metric of sets, such as 'metrics: [f1_score: {average: samples}]'"
        )
    _refuse_intervals(gold)
    if gold.kind != ROWS:
        names = KINDS[gold.kind].metrics
        params = KINDS[gold.kind].params
        note = Phrase(
            "The settings name no metric. The form of the reference data suggests {metrics}.",
            metrics=names,
        )
        return tuple(MetricSpec(name, name, params.get(name, {})) for name in names), (note,)
    numbers = cells.is_quantity(gold.columns[target_column(gold, None, "settings: metrics")])
    usual = _FOR_NUMBERS if numbers else _FOR_CLASSES
    note = Phrase(
        "The settings name no metric. The reference data hold numbers, so {metrics} are shown."
        if numbers
        else (
            "The settings name no metric. The reference data hold classes, so {metrics} are shown."
        ),
        metrics=Phrase("{first} and {last}", first=usual[0].name, last=usual[1].name),
    )
    return usual, (note,)


def _refuse_intervals(gold: Gold) -> None:
    """Refuse to take two numbers of every example, perhaps in parentheses, for its labels."""
    if gold.kind != label_sets.KIND.name or gold.classes or not gold.targets:
        return
    examples = gold.columns[gold.targets[0]]
    are_numbers = (cells.is_number(number.strip("()")) for pair in examples for number in pair)
    if all(len(pair) == 2 for pair in examples) and all(are_numbers):
        raise ReferenceDataError(
            f"{gold.file}: every example has two numbers. If these are labels, name a metric of "
            "sets, such as 'metrics: [f1_score: {average: samples}]'. If they are an interval, "
            "such as its start and end, write CSV and name a function of your own, which gets each "
            'cell as a text, such as \'metrics: [{name: iou, function: "iou.py:score", kind: '
            "text, greater_is_better: true}]'"
        )


def _named(spec: MetricSpec) -> set[str]:
    """Return the metrics that a formula names; none if it is none."""
    try:
        return {*formula.names(spec.formula, spec.name)} if spec.formula is not None else set()
    except SettingsError as error:
        raise SettingsError(f"{spec.where}: {error}") from error


def ranking_first(
    metrics: tuple[Metric, ...], settings: Settings, *, several: bool = False
) -> tuple[Metric, ...]:
    """Return the metrics, first the one that ranks; see the setting ``rank_by``.

    Where there are ``several`` tasks, it may belong to another task, or join several.
    """
    if settings.rank_by is None:
        return metrics
    names = [metric.name for metric in metrics]
    if several and settings.rank_by in {spec.name for spec in settings.metrics} - set(names):
        return metrics  # it belongs to another task, or joins several
    if settings.rank_by not in names:
        raise SettingsError(
            f"{settings.where('rank_by')}: there is no metric {settings.rank_by!r}"
            f" among {listed(names)}{nearest(settings.rank_by, names)}"
        )
    return tuple(sorted(metrics, key=lambda metric: metric.name != settings.rank_by))


def kind_of_examples(file: str, metrics: Sequence[Metric], recognized: str = ROWS) -> str:
    """Return what an example of a gold is: by its content, or else by what metrics need.

    ``recognized`` is the kind that the content of the gold, ``file`` in messages, is unmistakably.

    Raises SettingsError if the metrics need different kinds and the content does not decide.
    """
    needed = {metric.kind for metric in without_formulas(metrics)}
    scored_alike = all(
        metric.column is None and metric.call is None and scores(metric.function, recognized)
        for metric in without_formulas(metrics)
    )
    if recognized in needed or needed <= {"gold"} or scored_alike:
        return recognized
    kinds = sorted(needed & KINDS.keys())
    if len(kinds) > 1:
        raise SettingsError(
            f"settings: metrics: {file} cannot be scored by metrics of different kinds of data "
            f"({listed(kinds)}); name metrics of one kind, or say with 'task:' which tasks "
            "each one is for"
        )
    return kinds[0] if kinds else ROWS


#: Metrics that a wrong label in place of a missing one cannot raise.
_COUNT_ERRORS = frozenset(
    (
        "accuracy_score", "balanced_accuracy_score", "f1_score", "fbeta_score", "hamming_loss",
        "jaccard_score", "precision_score", "recall_score", "specificity_score", "zero_one_loss",
    )
)  # fmt: skip


def _expected_of_metrics(
    metrics: Sequence[Metric], gold: Gold, settings: Settings, column: str | None
) -> tuple[Expected, dict[str, Labels]]:
    """Return what every submission must hold, and the labels of the gold's columns.

    ``column`` is the gold's column in a wide table.
    """
    if settings.missing in FOR_SCORES:
        raise SettingsError(
            f"{settings.where('missing')}: {settings.missing!r} is for tables of scores, and "
            f"{gold.file} holds reference data; use error or wrong"
        )
    targets: dict[Target, tuple[Label, ...]] = {}
    labels: dict[str, Labels] = {}
    of_metrics: list[tuple[Metric, Target | None]] = []
    for metric in without_formulas(metrics):
        target = target_of(metric, gold)
        of_metrics.append((metric, target))
        if metric.sample_weight is not None:
            gold_weights(gold, metric)
        if target is None:
            continue
        _check_column(metric, target, gold, column)
        if metric.event is not None:
            gold_events(gold, metric.event)
        if target.kind == "numbers":
            gold_numbers(gold, target.column, any_size=metric.gold_order_only)
        if target not in targets:
            if target.kind == "numbers":
                targets[target] = ()
            elif target.kind in KINDS:
                present = {*KINDS[target.kind].labels(gold.columns[target.column])}
                # A column of zeros alone is a label, too, that no example has.
                present |= {*gold.classes} if settings.listed_labels is None else set()
                sorted_labels = np.array(sorted(present))
                targets[target] = (
                    label_set(sorted_labels, settings, gold.file) if sorted_labels.size else ()
                )
            else:
                labels[target.column] = gold_labels(gold, target.column, settings)
                targets[target] = label_set(labels[target.column], settings, gold.file)
        _check_labels(metric, target, targets[target], gold, settings)
        if settings.missing == "wrong":
            _check_missing(metric, target, settings)
        if settings.labels == ANY:
            _check_open(metric, target, settings)
    return _with_bounds(expected_of_examples(gold, targets, settings), of_metrics, gold), labels


def _with_bounds(
    expected: Expected, of_metrics: Sequence[tuple[Metric, Target | None]], gold: Gold
) -> Expected:
    """Return what is expected with what predictions must exceed and match, and may hold."""
    of_kind = [target for target in expected.targets if target.kind in KINDS]
    columns = {target: gold.columns[target.column] for target in of_kind}
    above: dict[str, float] = {}
    of_any_size = {target for target in expected.targets if target.kind in OF_ROWS}
    shapes = {
        target: tuple(map(KINDS[target.kind].shape, values)) for target, values in columns.items()
    }
    costly = set()
    for metric, target in of_metrics:
        if target is not None and not metric.order_only:
            of_any_size.discard(target)
        if target is not None and metric.above is not None:
            above[target.column] = max(metric.above, above.get(target.column, -math.inf))
        if target in columns and metric.demand is not None:
            params = metric.all_params
            shapes[target] = tuple(metric.demand(shape, params) for shape in shapes[target])
        if metric.statistics is not None and metric.statistics.costly:
            costly.add(target)
    most = {}
    for target, values in columns.items():
        most[target.column] = _most_of(target, values, costly=target in costly)
    demanded = {}
    for target, shapes_of_target in shapes.items():
        if any(shape is not None for shape in shapes_of_target):
            demanded[target.column] = shapes_of_target
    reads_all = any(target is None for _, target in of_metrics)
    return replace(
        expected,
        keep_columns=reads_all,
        above=above,
        of_any_size=of_any_size,
        shapes=demanded,
        most=most,
    )


def _most_of(target: Target, values: Sequence[Any], *, costly: bool) -> dict[str, int]:
    """Return what a prediction is made of, and how much of it one may hold."""
    most: dict[str, int] = {}
    for noun, (count, least) in KINDS[target.kind].sizes.items():
        most[noun] = most_of(max(map(count, values)), least, costly=costly)
    return most


def _check_column(metric: Metric, target: Target, gold: Gold, column: str | None) -> None:
    """Refuse a metric that the gold cannot give: of scores, or of another column."""
    if metric.per_unit:
        from ..recognize.tables_of_scores.preference_columns import name_preferences  # as above

        if name_preferences(gold.targets):
            raise preferences_in_ref(gold.file)
        raise SettingsError(
            f"metric {metric.name!r}: {metric.function} needs a table of "
            f"{'scores per unit' if metric.of_scores else 'preferences'}, but "
            f"{gold.file} holds reference data; name a metric that compares with them"
        )
    if column is not None and target.column != column:
        raise SettingsError(
            f"metric {metric.name!r}: the wide table has only one column of reference data, "
            f"{column!r}; name this one"
        )


def expected_of_examples(
    gold: Gold, targets: Mapping[Target, tuple[Label, ...]], settings: Settings
) -> Expected:
    """Return what the examples alone ask for, with these targets."""
    scored = {target.column for target in targets}
    beside = {name: values for name, values in gold.columns.items() if name not in scored}
    places = {name: place for place, name in enumerate(gold.columns)}
    used = {gold.id_column, *scored}
    called = {name: in_file for name, in_file in gold.roles.called.items() if name in used}
    return Expected(
        positions=gold.positions,
        total=gold.total,
        ids=gold.ids,
        targets=dict(sorted(targets.items(), key=lambda item: places[item[0].column])),
        id_column=gold.id_column or "id",
        called=called,
        known_columns=gold.targets,
        beside=beside if gold.names_are_public else {},
        unnamed=gold.unnamed,
        names_are_public=gold.names_are_public,
        in_order=gold.roles.names_are_stated,
        ids_are_public=not gold.roles.ids_by_cells,
        ignored=gold.ignored,
        begin_alike=gold.kind == texts.KIND.name
        and any(unknown_beginnings(gold.columns[column]) for column in scored),
        usage_is_secret=gold.usage is not None,
        missing=settings.missing,
        extra_ids=settings.extra_ids,
        kind=gold.kind,
        labels_are_public=settings.listed_labels is not None,
        labels_are_open=settings.labels == ANY,
    )


def _check_labels(
    metric: Metric, target: Target, labels: Sequence[Label], gold: Gold, settings: Settings
) -> None:
    """Refuse a metric of what the gold does not have, or that leaves out what it consists of.

    Types that are not there would count nothing. Of a label that no submission may predict, because
    neither the gold nor the settings have it, scikit-learn would count a class that every
    submission misses. One of more than two labels may be used by some submissions only, so that a
    metric of two labels would score the others. Parameters of an organizer's own function may mean
    anything.
    """
    if metric.call is not None or target.kind == "numbers":
        return
    if target.kind in KINDS:
        for name in metric.params.get("types") or ():
            if str(name) not in map(str, labels):
                raise SettingsError(
                    f"metric {metric.name!r}: the reference data hold nothing of its type {name!r}"
                    f"{nearest(str(name), map(str, labels))}"
                )
        golds = gold.columns[target.column]
        function = str(metric.function)
        params = metric.params
        if misread := target.kind == "text" and misreads(function, golds, params):
            raise SettingsError(f"metric {metric.name!r}: {misread}")
        return
    read_label = cells.setting_reader(labels)
    for label in metric.params.get("labels") or ():
        if read_label(label) is not None:
            continue
        if settings.listed_labels is not None:
            raise SettingsError(
                f"metric {metric.name!r}: the setting 'labels' does not list its label {label!r}; "
                f"write it {cells.AS_WRITTEN}{nearest(str(label), map(str, labels))}"
            )
        raise SettingsError(
            f"metric {metric.name!r}: the reference data hold nothing of its label {label!r}; "
            f"write it {cells.AS_WRITTEN} or, if predictions may use it, list all labels in the "
            "setting 'labels'"
        )
    if len(labels) > 2 and metric.all_params.get("average") == "binary":
        positive = metric.all_params["pos_label"]
        alone = (
            f" or, to score the label {positive!r} alone, write the parameters as '{{labels: "
            f"[{positive!r}], average: macro}}'"
        )
        raise SettingsError(
            f"metric {metric.name!r}: average='binary' needs two labels, and the task has "
            f"{len(labels)}; set average to macro, micro or weighted"
            f"{alone if read_label(positive) is not None else ''}"
        )


def _check_open(metric: Metric, target: Target, settings: Settings) -> None:
    """Refuse ``labels: any`` where an answer that is no label would make a class, or raise a score.

    Numbers are no labels, and a function of the organizer's may take an empty text for a wrong one.
    """
    by_sums = metric.function in _COUNT_ERRORS and metric.evaluation == "sums"
    if target.kind in KINDS and scores(metric.function, target.kind):
        raise SettingsError(
            f"{settings.where('labels')}: 'any' is for examples with one label each, and metric "
            f"{metric.name!r} scores {target.kind}; list all labels instead"
        )
    if target.kind != "numbers" and not (target.kind == "labels" and (metric.call or by_sums)):
        raise SettingsError(
            f"{settings.where('labels')}: 'any' is for metrics that count right and wrong labels, "
            f"such as accuracy_score and f1_score; metric {metric.name!r} is none of these"
        )


def _check_missing(metric: Metric, target: Target, settings: Settings) -> None:
    """Refuse ``missing: wrong`` where a prediction that is wrong might raise the score.

    Measures of agreement such as kappa reward labels that are wrong in a regular way, and so would
    reward who leaves predictions out.
    """
    if target.kind in KINDS and KINDS[target.kind].absent is not None:
        return
    if target.kind != "labels":
        raise SettingsError(
            f"{settings.where('missing')}: 'wrong' is for predicted labels, and metric "
            f"{metric.name!r} needs {target.kind}; use 'error'"
        )
    if metric.call is None and metric.function not in _COUNT_ERRORS:
        raise SettingsError(
            f"{settings.where('missing')}: 'wrong' is for metrics that count right and wrong "
            f"answers; under {metric.function} a missing answer might raise the score of "
            f"metric {metric.name!r}; use 'error'"
        )
