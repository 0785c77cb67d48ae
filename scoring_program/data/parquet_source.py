"""A competition of folders of Parquet parts, as distinct rows of labels with their counts.

The reference data are the parts in a folder of INPUT/ref, and each folder of INPUT/res is one
submission. Workers read and join them (`part_files`). This process gets distinct rows of labels,
and how often each occurs, so that its memory does not grow with the number of examples.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from ..core import cells
from ..core.arrays import Coded
from ..core.errors import (
    LeftOut,
    ReferenceDataError,
    SettingsError,
    SubmissionError,
    listed,
    quoted,
)
from ..core.phrases import Phrase
from ..core.processes.cluster import Workforce
from ..metrics import Metric, without_formulas
from ..reading.formats.kind import ROWS
from ..reading.names import ignored_file, ignored_folder, printable
from ..reading.table import ROW, Places, of_columns
from ..settings.model import Settings
from . import parts
from .competition import Competition, Part
from .entry import Entry, Labels
from .gold import gold_of, target_column, usage_column
from .joining.columns import gold_id_column, usual_first
from .joining.expected import Expected, Target
from .joining.submission import roles
from .part_files import (
    HEAD,
    MOST_LABELS,
    CountPart,
    Folder,
    JoinedColumns,
    LabelCounts,
    PartCounts,
    describe,
    look_at_gold,
)

#: The extension of a part.
_EXTENSION = ".parquet"
#: Settings that need single rows, which nobody holds, with their only value here.
_ONLY: Mapping[str, Any] = {
    "group": None, "stratify": None, "slices": (), "missing": "error", "layout": "auto",
    "reader": None, "interval": ("percentile", "standard_error"), "overall": None,
    "studentized": ("auto", "never"), "tests": (),
}  # fmt: skip
#: With so few labels, of gold and submissions, every row is kept, as of other files.
_FEW_LABELS = 1 << 22
#: A submission's number → why it is unusable.
Problems: TypeAlias = dict[int, SubmissionError]


def read_parts(
    folder: Path, settings_folder: Path | None, settings: Settings, each: Workforce
) -> Competition:
    """Return the competition of INPUT, whose workers are ``each``.

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
    paths = _gold_paths(folder / "ref")
    names = _submissions(folder / "res")
    of_gold = partial(describe, f"ref/{paths[0].parent.name}", [*map(str, paths)])
    gold = _described(each([of_gold]))
    described = list(each([partial(_attempted, name, found) for name, found in names.items()]))
    sketch = _Sketch.from_gold(gold, settings, settings_folder, each)
    problems: Problems = {}
    usable: dict[int, tuple[Folder, JoinedColumns]] = {}
    for place, (one, problem) in enumerate(described):
        try:
            usable[place] = _with_columns(one, problem, sketch.part.expected)
        except SubmissionError as error:
            problems[place] = error
    few = gold.rows * (1 + len(usable)) <= _FEW_LABELS
    counts, matched = _counted(
        sketch, list(usable.values()), list(usable), problems, each, keeps_rows=few
    )
    notes = _check_extra(usable, matched, settings, problems)
    kept = [place for place in usable if place not in problems]
    if len(names) == 1 and problems:
        raise problems[0]
    rows = [*usable]
    counts = counts.keep([0, *(1 + rows.index(place) for place in kept)])
    counts = counts if few else counts.merged()
    part = sketch.with_counts(counts, [usable[place][0] for place in kept])
    return _competition(part, list(names), problems, notes, settings)


def _attempted(name: str, paths: Sequence[str]) -> tuple[Folder | None, SubmissionError | None]:
    """Describe a submission, or return why it cannot be read; which would be raised if alone."""
    try:
        return describe(name, paths), None
    except SubmissionError as error:
        return None, error


def _check_settings(settings: Settings) -> None:
    for key, only in _ONLY.items():
        value = getattr(settings, key)
        if value != only and (not isinstance(only, tuple) or not only or value not in only):
            raise SettingsError(
                f"{settings.where(key)}: format 'parquet' counts equal rows, and this setting "
                "needs single ones; remove it, or give CSV files"
            )


def _gold_paths(folder: Path) -> list[Path]:
    """Return the parts in the only folder of INPUT/ref that holds some."""
    found = [paths for each in _folders(folder) if (paths := _parts_in(each))]
    if len(found) != 1:
        raise ReferenceDataError(
            "ref: format 'parquet' reads the reference data from the Parquet parts in one folder, "
            f"such as ref/gold/part-0.parquet, and there are {len(found)} such folders"
        )
    return found[0]


def _submissions(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return the parts of every submission by its name; raise SubmissionError."""
    found: dict[str, tuple[str, ...]] = {}
    for each in _folders(folder):
        name = printable(each.name)
        if name in found:
            raise SubmissionError(
                "two folders are called {name}; rename one of them", "res", name=quoted(name)
            )
        found[name] = tuple(map(str, _parts_in(each)))
    files = (each for each in sorted(folder.iterdir()) if not each.is_dir()) if found else ()
    if unread := listed(quoted(each.name) for each in files if not ignored_file(each.name)):
        raise SubmissionError(
            "no folders of Parquet parts: {names}; put each submission into a folder of its own, "
            "and remove other files",
            "res",
            names=unread,
        )
    if not found:
        raise SubmissionError("there is no folder of Parquet parts; add one", "res")
    return found


def _folders(folder: Path) -> list[Path]:
    every = sorted(folder.iterdir()) if folder.is_dir() else []
    return [each for each in every if each.is_dir() and not each.is_symlink()
            and not ignored_folder(each.name)]  # fmt: skip


def _parts_in(folder: Path) -> list[Path]:
    return [
        path.absolute()
        for path in sorted(folder.iterdir())
        if path.suffix.lower() == _EXTENSION
        and path.is_file()
        and not path.is_symlink()
        and not ignored_file(path.name)
    ]


def _described(found: Iterable[Folder]) -> Folder:
    try:
        (gold,) = found
    except SubmissionError as error:
        raise ReferenceDataError(str(error)) from error
    return gold


@dataclass(frozen=True, eq=False)
class _Sketch:
    """The gold as far as it is known from its labels: a part of a few rows that stand for all."""

    gold: Folder
    columns: JoinedColumns
    target: Target
    labels: tuple[cells.Label, ...]
    ranges: tuple[tuple[Any, Any], ...]  # of the ids of each part
    part: Part
    notes: tuple[Phrase, ...]

    @classmethod
    def from_gold(
        cls, gold: Folder, settings: Settings, settings_folder: Path | None, each: Workforce
    ) -> _Sketch:
        """Look at the ids and labels of the gold; resolve the metrics on its labels."""
        columns = _gold_columns(gold, settings)
        found = list(
            each([
                partial(look_at_gold, gold.name, path, columns.ids, columns.predictions)
                for path in gold.parts
            ])
        )  # fmt: skip
        ranges = tuple((low, high) for low, high, _ in found)
        _check_ranges(gold, ranges)
        counts: dict[str, int] = {}
        for _, _, of_part in found:
            for text, count in of_part.items():
                counts[text] = counts.get(text, 0) + count
        several = [text for text in sorted(counts) for _ in range(min(counts[text], 2))]
        of_label = {columns.predictions: several}
        table = of_columns(gold.name, of_label)
        small = gold_of(table, of_label, gold.sha256, ROWS, (columns.predictions,))
        small = replace(small, id_column=columns.ids, total=gold.rows)
        part, notes = parts.of_gold("", small, settings_folder, settings)
        _check_metrics(part.metrics)
        ((target, labels),) = part.expected.targets.items()
        if target.kind != "labels" or len(labels) > MOST_LABELS:
            raise SettingsError(
                f"metrics: format 'parquet' counts rows of at most {MOST_LABELS} labels, and the "
                f"column {target.column!r} holds other data; give CSV files"
            )
        return cls(gold, columns, target, labels, ranges, part, notes)

    def with_counts(self, counts: LabelCounts, submissions: Sequence[Folder]) -> Part:
        """Return the part of the distinct rows; their first column is the gold's."""
        order = np.argsort(counts.codes(0), kind="stable")
        (of_gold,) = self.part.labels.values()
        labels: Labels = np.array(self.labels, of_gold.dtype if of_gold.dtype.kind == "i" else None)
        small = labels
        if labels.dtype.kind == "i":  # the memory of predictions is most of what is held
            small = labels.astype(np.min_scalar_type(-int(np.abs(labels).max()) - 1))
        codes = counts.codes(0)[order]
        gold = replace(
            self.part.gold,
            columns={self.target.column: Coded(codes, [*map(str, self.labels)])},
            places=Places(ROW, range(1, len(codes) + 1)),
            positions=range(len(codes)),
            sizes=None if (counts.counts == 1).all() else counts.counts[order],
        )
        entries = tuple(
            Entry(
                submission.name,
                {self.target: small[counts.codes(place)[order]]},
                {},
                submission.sha256,
            )
            for place, submission in enumerate(submissions, 1)
        )
        own = {self.target.column: labels[codes]}
        return replace(self.part, gold=gold, labels=own, entries=entries)


def _gold_columns(gold: Folder, settings: Settings) -> JoinedColumns:
    """Return the columns of the gold that hold ids and labels."""
    if not gold.head:
        raise ReferenceDataError(f"{gold.name}: the reference data hold no rows; write some")
    id_column = gold_id_column(gold.head, settings.id_column, ())
    if id_column is None or id_column not in gold.types:
        raise ReferenceDataError(
            f"{gold.name}: there is no column of ids among {listed(gold.types)}; parts are joined "
            "by id, so call it 'id', or name it with 'id_column'"
        )
    named = dict.fromkeys(spec.column for spec in settings.metrics if spec.column)
    table = of_columns(gold.name, gold.head)
    if usage := usage_column(table, named):
        raise ReferenceDataError(
            f"{gold.name}: the column {usage!r} says which rows are public, private or ignored, "
            "and format 'parquet' scores all of them together; remove the column, or give CSV files"
        )
    if len(named) > 1:
        raise SettingsError(
            f"{settings.where('metrics')}: format 'parquet' counts one column of labels, and the "
            f"metrics name {listed(named)}"
        )
    targets = usual_first((name for name in gold.types if name != id_column), ROWS)
    sketch = gold_of(table, dict.fromkeys(targets, ()), gold.sha256, ROWS, tuple(targets))
    return JoinedColumns(id_column, target_column(sketch, next(iter(named), None), "metrics"))


def _check_ranges(gold: Folder, ranges: Sequence[tuple[Any, Any]]) -> None:
    """Refuse parts whose ids overlap: an id could be in two of them, and joins would be slow."""
    of_parts = zip(gold.parts, ranges, strict=True)
    known = sorted((*ids, path) for path, ids in of_parts if ids[0] is not None)
    for (_, high, one), (low, _, other) in pairwise(known):
        if low <= high:
            names = listed(Path(path).name for path in (one, other))
            raise ReferenceDataError(
                f"{gold.name}: the ids of {names} overlap; sort the reference data by id before "
                "you write them in parts"
            )


def _check_metrics(metrics: Sequence[Metric]) -> None:
    """Refuse metrics that are no functions of how often each row of labels occurs."""
    for metric in without_formulas(metrics):
        of_labels = metric.evaluation == "sums" and metric.kind == "labels"
        if not of_labels or metric.statistics or metric.sample_weight:
            raise SettingsError(
                f"metric {metric.name!r}: format 'parquet' counts equal rows of labels, which this "
                "metric does not read; choose a metric of labels such as accuracy_score and "
                "f1_score, or give CSV files"
            )


def _with_columns(
    found: Folder | None, problem: SubmissionError | None, expected: Expected
) -> tuple[Folder, JoinedColumns]:
    """Return a submission and its columns, by the rules for other files."""
    if problem is not None:
        raise problem
    assert found is not None
    if not found.parts or not found.head:
        raise SubmissionError(
            "the folder holds no rows in Parquet parts; add the predictions", found.name
        )
    ids = tuple(f"{place}" for place in range(HEAD))
    first = replace(expected, ids=ids, positions=range(HEAD), total=HEAD)
    id_column, names, _ = roles(of_columns(found.name, found.head), first)
    if id_column is None or len(names) != 1:
        raise SubmissionError(
            "parts need one column of ids, called {id}, and one of labels",
            found.name,
            id=repr(expected.public_id_column),
        )
    return found, JoinedColumns(id_column, names[0])


def _counted(
    sketch: _Sketch,
    submissions: Sequence[tuple[Folder, JoinedColumns]],
    numbers: Sequence[int],
    problems: Problems,
    each: Workforce,
    *,
    keeps_rows: bool,
) -> tuple[LabelCounts, list[int]]:
    """Return the rows, or the distinct ones; of each submission, how many have ids of the gold.

    The first problem of each of the ``numbers`` of submissions is added to the ``problems``.
    """
    matched, ids = np.zeros(len(submissions), np.intp), list[str]()

    def counts() -> Iterator[LabelCounts]:
        nonlocal matched
        tasks = [
            CountPart(
                sketch.gold, path, *around, sketch.columns, tuple(submissions),
                sketch.part.expected, keeps_rows,
            )
            for path, around in zip(sketch.gold.parts, sketch.ranges, strict=True)
            if around[0] is not None
        ]  # fmt: skip
        found: PartCounts
        for found in each(tasks):
            for place, problem in found.problems.items():
                problems.setdefault(numbers[place], problem)
            matched += found.matched
            ids.extend(found.ids)
            yield found.counts

    if keeps_rows:
        parts_of = list(counts())
        every = LabelCounts.in_order(parts_of, ids)
    else:
        every = LabelCounts.sum(counts())
    return every, matched.tolist()


def _check_extra(
    usable: Mapping[int, tuple[Folder, JoinedColumns]],
    matched: Sequence[int],
    settings: Settings,
    problems: Problems,
) -> tuple[Phrase, ...]:
    """Add the problem of submissions with other ids than the gold; or count what is passed over."""
    passed = 0
    for (place, (folder, _)), known in zip(usable.items(), matched, strict=True):
        extra = folder.rows - known
        if extra and settings.extra_ids == "ignore":
            passed += extra
        elif extra:
            problems.setdefault(
                place,
                SubmissionError(
                    "rows whose ids are not in the test set: {count}; remove them",
                    folder.name,
                    count=f"{extra:,}",
                ),
            )
    if not passed:
        return ()
    return (
        Phrase(
            "{count:n} row whose id is not in the test set was passed over.",
            "{count:n} rows whose ids are not in the test set were passed over.",
            count=passed,
        ),
    )


def _competition(
    part: Part,
    names: Sequence[str],
    problems: Problems,
    notes: tuple[Phrase, ...],
    settings: Settings,
) -> Competition:
    files = len(part.entries)
    form = Phrase("{files:n} {format}", files=files, format="Parquet")
    layout = (
        Phrase("Layout: one submission.")
        if len(names) == 1
        else Phrase("Layout: teams, {teams:n} found.", teams=len(names))
    )
    return Competition(
        form="single" if len(names) == 1 else "teams",
        parts=(part,),
        focus=0 if len(names) == 1 else None,
        unusable=tuple(
            LeftOut(names[place], error.defect if settings.anonymize else error.reason)
            for place, error in sorted(problems.items())
        ),
        runs=dict.fromkeys(names, 1),
        teams={name: name for name in names},
        notes=(layout, Phrase("Format: {formats}.", formats=(form,)), *notes),
    )
