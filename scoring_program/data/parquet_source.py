"""A competition of folders of Parquet parts, as distinct rows of labels with their counts.

The reference data are the parts in a folder of INPUT/ref, and each folder of INPUT/res is one
submission. Workers read and join them (`part_files`). This process gets distinct rows of labels,
and how often each occurs, so that its memory does not grow with the number of examples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from ..core import bounds, errors
from ..core.arrays import Array, Coded
from ..core.errors import listed, quoted
from ..core.phrases import Phrase
from ..core.pool import Workforce
from ..metrics import Metric, without_formulas
from ..reading.files import DEVICE, LINK
from ..reading.formats.kind import AS_FOUND, ROWS
from ..reading.limits import (
    LimitExceeded,
    Limits,
    PartAllowance,
    Tally,
    check_size,
    check_sizes,
    no_answer,
)
from ..reading.names import ignored_file, ignored_folder, printable
from ..reading.table import ROW, FileRows, Places, of_columns
from ..recognize.by_names.gold_columns import usage_column
from ..recognize.expected import Expected
from ..recognize.parts_rule import (
    answers_of_gold,
    id_of_gold,
    others_than_constant,
    stated_answers,
    stated_id,
    stated_prediction,
)
from ..settings.model import Settings
from . import parts
from .competition import Competition, Part
from .entry import Labels
from .filled_readings import reading_of_part
from .gold import gold_of
from .joining.submission import Entry, headed_by_names, predictions_by_names
from .part_files import (
    HEAD,
    LIBRARIES,
    MOST_LABELS,
    Folder,
    LabelCounts,
    Matched,
    codes_beside,
    count_part,
    counted,
    describe,
    look_at_gold,
)
from .targets import target_column

#: The extension of a part.
_EXTENSION = ".parquet"
#: Settings that need single rows, which nobody holds, with their only value here.
_ONLY: Mapping[str, Any] = {
    "group": None, "stratify": None, "slices": (), "missing": "error", "layout": "auto",
    "reader": None, "interval": ("percentile", "standard_error"), "overall": None,
    "studentized": ("auto", "never"), "tests": (),
}  # fmt: skip
#: What is known of a submission: its parts and, once they were looked at, what they hold; or why it
#: is unusable.
_Sent: TypeAlias = "tuple[str, ...] | errors.SubmissionError"
_Found: TypeAlias = "Folder | errors.SubmissionError"
#: With so few labels, of gold and submissions, every row is kept, as of other files.
_FEW_LABELS = 1 << 22


def read_parts(
    folder: Path, settings_folder: Path | None, settings: Settings, run_each: Workforce
) -> Competition:
    """Return the competition of INPUT, whose workers ``run_each`` task.

    Raises
    ------
    SettingsError
        The settings ask for what counts of rows do not tell.
    ReferenceDataError
        The parts of the gold are not sorted by id, or an id or a label is empty or repeated.
    SubmissionError
        The only submission is unusable.
    """
    _check_settings(settings)
    gold = _with_gold_columns(_described(gold_paths(folder / "ref"), run_each), settings)
    limits = settings.limits_of(gold.rows)
    names = _submissions(folder / "res", limits)
    apart = _Apart(run_each, limits, gold)
    attempted = apart.describe(names)
    part, ranges = _of_labels(gold, settings, settings_folder, run_each)
    with_columns = partial(_with_columns, part.expected, settings.described().roles)
    submissions = [*map(with_columns, attempted)]
    readable = sum(isinstance(submission, Folder) for submission in submissions)
    few = gold.rows * (1 + readable) <= _FEW_LABELS
    spans = zip(gold.parts, ranges, strict=True)
    ends = {path: span for path, span in spans if span[0] is not None}
    counts, notes = _counted(
        apart.count(ends, submissions, part.expected, keeps_rows=few), submissions, settings
    )
    if len(submissions) == 1 and isinstance(submissions[0], errors.SubmissionError):
        raise submissions[0]
    usable: dict[int, Folder] = {}
    unusable: list[errors.LeftOut] = []
    for place, (name, submission) in enumerate(zip(names, submissions, strict=True), 1):
        if isinstance(submission, Folder):
            usable[place] = submission
            continue
        why = submission.defect if settings.anonymize else submission.reason
        unusable.append(errors.LeftOut(name, why))
    part = _with_counts(part, counts.keep([0, *usable]), [*usable.values()])
    form = Phrase("{files:n} {format}", files=len(part.entries), format="Parquet")
    alone = len(submissions) == 1
    layout = Phrase("Layout: one submission.")
    if not alone:
        layout = Phrase("Layout: teams, {teams:n} found.", teams=len(submissions))
    return Competition(
        form="single" if alone else "teams",
        parts=(part,),
        focus=0 if alone else None,
        unusable=tuple(unusable),
        runs=dict.fromkeys(names, 1),
        teams={name: name for name in names},
        notes=(layout, Phrase("Format: {formats}.", formats=(form,)), *notes),
    )


def _described(paths: Sequence[Path], run_each: Workforce) -> Folder:
    """Return what the footers of the gold's parts say."""
    described: Folder
    try:
        task = partial(describe, f"ref/{paths[0].parent.name}", [*map(str, paths)])
        (described,) = run_each([task])
    except errors.SubmissionError as error:
        raise errors.ReferenceDataError(str(error)) from error
    return described


def _attempted(name: str, paths: Sequence[str]) -> tuple[_Found]:
    """Describe a submission, or return why it cannot be read; an error alone would be raised."""
    try:
        return (describe(name, paths),)
    except errors.SubmissionError as error:
        return (error,)
    except Exception as error:
        return (errors.SubmissionError(errors.internal_of_upload(error).reason, name),)


@dataclass(frozen=True)
class _Apart:
    """Reads submissions in processes that may take what follows from the test set.

    One process reads the rows of all submissions beside a part of the gold, one after another. If
    it gives no answer, each is read by itself, and those that are at fault are unusable.
    """

    run_each: Workforce
    limits: Limits
    gold: Folder

    def _bounded(
        self, task: Callable[[], Any], submissions: int = 1, beside: int = 0
    ) -> bounds.Bounded:
        rows = self.gold.rows
        allowance = PartAllowance.of_test_set(self.limits, rows, submissions, beside)
        return bounds.Bounded(task, allowance, LIBRARIES)

    def _refused(self, name: str, failure: bounds.NoAnswer) -> errors.SubmissionError:
        """Return the error of a submission that was read by itself without an answer."""
        allowance = PartAllowance.of_test_set(self.limits, self.gold.rows)
        return no_answer(failure.cause, allowance, name)

    def describe(self, names: Mapping[str, _Sent]) -> list[_Found]:
        """Return what the footers of every submission say, or why it is unusable."""
        described: dict[str, _Found] = {}
        tasks: dict[str, bounds.Bounded] = {}
        for name, paths in names.items():
            if isinstance(paths, errors.SubmissionError):
                described[name] = paths
            else:
                tasks[name] = self._bounded(partial(_attempted, name, paths))
        for name, answer in zip(tasks, self.run_each([*tasks.values()]), strict=True):
            failed = isinstance(answer, bounds.NoAnswer)
            described[name] = self._refused(name, answer) if failed else answer[0]
        return [described[name] for name in names]

    def count(
        self,
        ends: Mapping[str, tuple[Any, Any]],
        submissions: list[_Found],
        expected: Expected,
        *,
        keeps_rows: bool,
    ) -> Iterator[tuple[LabelCounts, Sequence[Matched]]]:
        """Yield the counts beside every part of the gold, by its path, with its ends.

        A task holds the ``submissions`` themselves: those that the caller has refused meanwhile are
        not read.
        """
        tasks = []
        several = max(1, sum(isinstance(submission, Folder) for submission in submissions))
        for path, of_part in ends.items():
            of_all = partial(
                count_part, self.gold, path, of_part, submissions, expected, keeps_rows=keeps_rows
            )
            tasks.append(self._bounded(of_all, several, self._rows_of(path)))
        for path, answer in zip(ends, self.run_each(tasks), strict=True):
            if isinstance(answer, bounds.NoAnswer):
                yield self._one_by_one(
                    path, ends[path], submissions, expected, keeps_rows=keeps_rows
                )
            else:
                yield answer

    def _one_by_one(
        self,
        path: str,
        ends: tuple[Any, Any],
        submissions: Sequence[_Found],
        expected: Expected,
        *,
        keeps_rows: bool,
    ) -> tuple[LabelCounts, Sequence[Matched]]:
        """Count beside a part of the gold, each submission in a process of its own."""
        rows = self._rows_of(path)
        beside = partial(codes_beside, self.gold, path, ends, expected=expected)
        (answer,) = self.run_each([partial(beside, (), keeps_rows=keeps_rows)])
        columns, _, ids = answer
        tasks: dict[str, bounds.Bounded] = {}
        for submission in submissions:
            if isinstance(submission, Folder):
                task = partial(beside, (submission,), keeps_rows=False)
                tasks[submission.name] = self._bounded(task, 1, rows)
        answers = dict(zip(tasks, self.run_each([*tasks.values()]), strict=True))
        matched: list[Matched] = []
        for submission in submissions:
            codes: Array = np.zeros(rows, np.uint8)
            of_one: Matched
            if isinstance(submission, errors.SubmissionError):
                of_one = submission
            elif isinstance(answer := answers[submission.name], bounds.NoAnswer):
                of_one = self._refused(submission.name, answer)
            else:
                (_, codes), (of_one,), _ = answer
            columns.append(codes)
            matched.append(of_one)
        return counted(columns, expected, ids), matched

    def _rows_of(self, path: str) -> int:
        return sum(rows for rows, _ in self.gold.parts[path])


def _check_settings(settings: Settings) -> None:
    for key, only in _ONLY.items():
        value = getattr(settings, key)
        if value != only and (not isinstance(only, tuple) or not only or value not in only):
            raise errors.SettingsError(
                f"{settings.where(key)}: format 'parquet' counts equal rows, and this setting "
                "needs single ones; remove it, or give CSV files"
            )
    for key, gold in (("reference", True), ("submissions", False)):
        described = replace(settings.described(gold=gold), format="auto")
        if described != AS_FOUND and described != replace(AS_FOUND, columns=described.roles):
            raise errors.SettingsError(
                f"settings: {key}: format 'parquet' reads nothing of it but what columns hold, as "
                "in 'columns: {id: key, label: answer}'; remove the other keys"
            )


def gold_paths(folder: Path) -> list[Path]:
    """Return the parts in the only folder of INPUT/ref that holds some."""
    try:
        parts_of_folders = [*filter(None, map(_parts_in, _folders(folder)))]
    except errors.SubmissionError as error:  # the same defects, but the organizer's to fix
        raise errors.ReferenceDataError(f"ref: {error}") from error
    if len(parts_of_folders) != 1:
        raise errors.ReferenceDataError(
            "ref: format 'parquet' reads the reference data from the Parquet parts in one folder, "
            f"such as ref/gold/part-0.parquet, and there are {len(parts_of_folders)} such folders"
        )
    return parts_of_folders[0]


def _submissions(folder: Path, limits: Limits) -> dict[str, _Sent]:
    """Return the parts of every submission by its name, or why it is unusable.

    Raises SubmissionError if something is no submission, or two have one name.
    """
    sent: dict[str, _Sent] = {}
    for entry_folder in _folders(folder):
        name = printable(entry_folder.name)
        if name in sent:
            raise errors.SubmissionError(
                "two folders are called {name}; rename one of them", "res", name=quoted(name)
            )
        sent[name] = _sent(entry_folder, name, limits)
    files = (
        (entry_folder for entry_folder in sorted(folder.iterdir()) if not entry_folder.is_dir())
        if sent
        else ()
    )
    if unread := listed(
        quoted(entry_folder.name) for entry_folder in files if not ignored_file(entry_folder.name)
    ):
        raise errors.SubmissionError(
            "no folders of Parquet parts: {names}; put each submission into a folder of its own, "
            "and remove other files",
            "res",
            names=unread,
        )
    if not sent:
        raise errors.SubmissionError("there is no folder of Parquet parts; add one", "res")
    return sent


def _folders(folder: Path) -> list[Path]:
    every = sorted(folder.iterdir()) if folder.is_dir() else []
    return [path for path in every if path.is_dir() and not ignored_folder(path.name)]


def _sent(folder: Path, name: str, limits: Limits) -> _Sent:
    """Return the parts of a submission, or why it is unusable, before one of them is opened."""
    tally = Tally(limits)
    try:
        if folder.is_symlink():
            return errors.SubmissionError(LINK, name)
        for _ in folder.iterdir():
            tally.add(1, ())  # as soon as it is too much
        paths = _parts_in(folder)
        size = 0
        for path in paths:
            check_size(path.stat().st_size, limits)
            size += path.stat().st_size
        check_sizes(size, limits)
    except LimitExceeded as error:
        return errors.SubmissionError("{limit}; send only the predictions", name, limit=error.limit)
    except errors.SubmissionError as error:
        return errors.SubmissionError(error.defect, f"{name} / {error.place}")
    return tuple(map(str, paths))


def _parts_in(folder: Path) -> list[Path]:
    """Return the parts in a folder; raise SubmissionError for links and devices, as elsewhere."""
    parts: list[Path] = []
    for path in sorted(folder.iterdir()):
        if ignored_file(path.name):
            continue
        if path.is_symlink():
            raise errors.SubmissionError(LINK, printable(path.name))
        if not path.is_file() and not path.is_dir():
            raise errors.SubmissionError(DEVICE, printable(path.name))
        if path.is_file() and path.suffix.lower() == _EXTENSION:
            parts.append(path.absolute())
    return parts


def _of_labels(
    gold: Folder, settings: Settings, settings_folder: Path | None, run_each: Workforce
) -> tuple[Part, Sequence[tuple[Any, Any]]]:
    """Return a part of a few rows that stand for all labels, and the ids of each file in brief."""
    looks = list(run_each([partial(look_at_gold, gold, path) for path in gold.parts]))
    ranges = [(low, high) for low, high, _ in looks]
    # An id could be in two parts whose ids overlap, and joins would be slow.
    ends = ((low, high, path) for path, (low, high) in zip(gold.parts, ranges, strict=True))
    filled = sorted(ends_of_part for ends_of_part in ends if ends_of_part[0] is not None)
    for (_, high, last), (low, _, first) in pairwise(filled):
        if low <= high:
            names = listed(Path(path).name for path in (last, first))
            raise errors.ReferenceDataError(
                f"{gold.name}: the ids of {names} overlap; sort the reference data by id before "
                "you write them in parts"
            )
    counts = sum((of_part for _, _, of_part in looks), Counter[str]())
    several = [text for text in sorted(counts) for _ in range(min(counts[text], 2))]
    of_label = {gold.labels: several}
    small = gold_of(of_columns(gold.name, of_label), of_label, gold.sha256, ROWS, (gold.labels,))
    small = replace(small, id_column=gold.ids, total=gold.rows)
    part, _ = parts.of_gold("", small, settings_folder, settings)
    _check_metrics(part.metrics)
    part = replace(part, reading=reading_of_part(part, settings))
    ((target, labels),) = part.expected.targets.items()
    if target.kind != "labels" or len(labels) > MOST_LABELS:
        raise errors.SettingsError(
            f"metrics: format 'parquet' counts rows of at most {MOST_LABELS} labels, and the "
            f"column {target.column!r} holds other data; give CSV files"
        )
    return part, ranges


def _with_counts(part: Part, counts: LabelCounts, submissions: Sequence[Folder]) -> Part:
    """Return the part of the distinct rows; their first column is the gold's."""
    ((target, known_labels),) = part.expected.targets.items()
    (of_gold,) = part.labels.values()
    order = np.argsort(counts.codes(0), kind="stable")
    labels: Labels = np.array(known_labels, of_gold.dtype if of_gold.dtype.kind == "i" else None)
    small = labels
    if labels.dtype.kind == "i":  # the memory of predictions is most of what is held
        small = labels.astype(np.min_scalar_type(-int(np.abs(labels).max()) - 1))
    codes = counts.codes(0)[order]
    gold = replace(
        part.gold,
        columns={target.column: Coded(codes, [*map(str, known_labels)])},
        places=Places(ROW, range(1, len(codes) + 1)),
        positions=range(len(codes)),
        sizes=None if (counts.counts == 1).all() else counts.counts[order],
    )
    entries = tuple(
        Entry(
            submission.name,
            {target: small[counts.codes(place)[order]]},
            FileRows(),
            submission.sha256,
        )
        for place, submission in enumerate(submissions, 1)
    )
    return replace(part, gold=gold, labels={target.column: labels[codes]}, entries=entries)


def _with_gold_columns(gold: Folder, settings: Settings) -> Folder:
    """Return the gold with the names of the columns that hold ids and labels."""
    if not gold.head:
        raise errors.ReferenceDataError(f"{gold.name}: the reference data hold no rows; write some")
    roles = settings.described(gold=True).roles
    id_column = id_of_gold(gold.head, settings.id_column or stated_id([*gold.types], roles))
    if id_column is None or id_column not in gold.types:
        raise errors.ReferenceDataError(
            f"{gold.name}: there is no column of ids among {listed(gold.types)}; parts are joined "
            "by id, so call it 'id', or name it with 'id_column'"
        )
    named = dict.fromkeys(spec.column for spec in settings.metrics if spec.column)
    if stated := stated_answers([*gold.types], roles):
        named = named or dict.fromkeys([stated])
    table = of_columns(gold.name, gold.head)
    if usage := usage_column(table, named):
        raise errors.ReferenceDataError(
            f"{gold.name}: the column {usage!r} says which rows are public, private or ignored, "
            "and format 'parquet' scores all of them together; remove the column, or give CSV files"
        )
    if len(named) > 1:
        raise errors.SettingsError(
            f"{settings.where('metrics')}: format 'parquet' counts one column of labels, and the "
            f"metrics name {listed(named)}"
        )
    targets, answers = answers_of_gold(gold.types, id_column)
    nothing: dict[str, tuple[str, ...]] = dict.fromkeys(targets, ())
    sketch = gold_of(table, nothing, gold.sha256, ROWS, tuple(targets))
    sketch = replace(sketch, roles=replace(sketch.roles, unnamed_answers=answers))
    labels = target_column(sketch, next(iter(named), None), "metrics")
    return replace(gold, ids=id_column, labels=labels)


def _check_metrics(metrics: Sequence[Metric]) -> None:
    """Refuse metrics that are no functions of how often each row of labels occurs."""
    for metric in without_formulas(metrics):
        of_labels = metric.evaluation == "sums" and metric.kind == "labels"
        if not of_labels or metric.statistics or metric.sample_weight:
            raise errors.SettingsError(
                f"metric {metric.name!r}: format 'parquet' counts equal rows of labels, which this "
                "metric does not read; choose a metric of labels such as accuracy_score and "
                "f1_score, or give CSV files"
            )


def _with_columns(expected: Expected, roles: Mapping[str, Any], submission: _Found) -> _Found:
    """Return a submission with the names of its columns: as the settings state, else by name.

    A column that is constant, as the footers say, is refused where another may be meant.
    """
    if isinstance(submission, errors.SubmissionError):
        return submission
    if not submission.parts or not submission.head:
        return errors.SubmissionError(
            "the folder holds no rows in Parquet parts; add the predictions", submission.name
        )
    ((target, labels),) = expected.targets.items()
    every = [*submission.types]
    id_column = stated_id(every, roles)
    prediction = stated_prediction(every, roles, target.column)
    try:
        for stated in filter(None, (id_column, prediction)):
            if stated not in submission.types:
                return _lacks(submission, stated)
        if id_column is None or prediction is None:
            by_name = _columns_by_name(submission, expected)
            id_column = id_column or by_name[0]
            prediction = prediction or by_name[1]
    except errors.SubmissionError as error:
        return error
    read = (id_column, prediction)
    beside = {name: cells for name, cells in submission.head.items() if name not in read}
    if rivals := others_than_constant(prediction, beside, submission.ranges, labels):
        return errors.SubmissionError(
            "{file}: column {column} is constant, and {others} may hold the prediction; write "
            "it into {column}, or leave {others} out",
            file=submission.name,
            column=quoted(prediction),
            others=listed(map(quoted, rivals)),
        )
    return replace(submission, ids=id_column, labels=prediction)


def _lacks(submission: Folder, column: str) -> errors.SubmissionError:
    """Return the error for a stated column that the parts of a submission lack."""
    return errors.SubmissionError(
        "there is no column {column} among {names}; every submission needs it",
        submission.name,
        column=quoted(column),
        names=listed(map(quoted, submission.types)),
    )


def _columns_by_name(submission: Folder, expected: Expected) -> tuple[str, str]:
    """Return the columns of ids and labels by the names that other files have; raise if unknown."""
    ids = tuple(f"{place}" for place in range(HEAD))
    first = replace(expected, ids=ids, positions=range(HEAD), total=HEAD)
    problems = errors.Problems(submission.name)
    table, id_column = headed_by_names(
        of_columns(submission.name, submission.head), first, problems
    )
    (names,) = predictions_by_names(table, id_column, first).values()
    if id_column is None or len(names) != 1:
        raise errors.SubmissionError(
            "parts need one column of ids, called {id}, and one of labels",
            submission.name,
            id=repr(expected.public_id_column),
        )
    return id_column, names[0]


def _counted(
    results: Iterable[tuple[LabelCounts, Sequence[Matched]]],
    submissions: list[_Found],
    settings: Settings,
) -> tuple[LabelCounts, tuple[Phrase, ...]]:
    """Return the rows of all parts, and a note if other ids than the gold's are passed over.

    A submission that cannot be counted, or has other ids, is replaced by its first problem.
    """
    matched = [0] * len(submissions)

    def counts() -> Iterator[LabelCounts]:
        for submission, of_part in results:
            for place, more in enumerate(of_part):
                if isinstance(more, int):
                    matched[place] += more
                elif isinstance(submissions[place], Folder):
                    submissions[place] = more
            yield submission

    every = LabelCounts.sum(counts())
    passed = 0
    for place, (submission, rows_matched) in enumerate(zip([*submissions], matched, strict=True)):
        if isinstance(submission, Folder) and settings.extra_ids == "ignore":
            passed += submission.rows - rows_matched
        elif isinstance(submission, Folder) and submission.rows > rows_matched:
            submissions[place] = errors.SubmissionError(
                "rows whose ids are not in the test set: {count:n}; remove them",
                submission.name,
                count=submission.rows - rows_matched,
            )
    note = Phrase(
        "{count:n} row whose id is not in the test set was passed over.",
        "{count:n} rows whose ids are not in the test set were passed over.",
        count=passed,
    )
    return every, (note,) if passed else ()
