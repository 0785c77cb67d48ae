"""Everything that takes part in one run: gold, metrics and aligned entries, read from INPUT.

A competition has one part or several: its tasks, each with a gold file, or the public and the
private rows of one gold. Every entry takes part in each of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from scoring_program import settings
from scoring_program.align import cells, entry
from scoring_program.align.cells import Label
from scoring_program.align.columns import TARGET_NAMES
from scoring_program.align.entry import Entry
from scoring_program.align.gold import (
    PRIVATE,
    PUBLIC,
    Gold,
    Labels,
    digest,
    gold_labels,
    gold_numbers,
    label_set,
    read_gold,
    target_column,
)
from scoring_program.align.submission import Expected, Target
from scoring_program.errors import (
    OrganizerError,
    ReferenceDataError,
    SettingsError,
    SubmissionError,
    nearest,
)
from scoring_program.metrics import Metric, resolve
from scoring_program.read import layout
from scoring_program.read.files import DataFile
from scoring_program.read.formats import FORMATS, detect
from scoring_program.read.layout import Source, Upload
from scoring_program.read.limits import too_large
from scoring_program.read.names import printable
from scoring_program.read.reference import FIELD, Reference, find_reference
from scoring_program.render.inputs import Unusable
from scoring_program.settings import MetricSpec, Settings

Form = Literal["teams", "field", "single"]

_ELAPSED = re.compile(rb"^elapsedTime: *(\d+\.?\d*(?:e[+-]?\d+)?) *$", re.MULTILINE)
#: Settings that a packed program brings along, for reference data that hold none.
_PACKED = Path(__file__).parent / settings.FILE_NAME
_FOR_CLASSES = (
    MetricSpec("accuracy", "accuracy_score"),
    MetricSpec("f1_macro", "f1_score", {"average": "macro"}),
)
_FOR_NUMBERS = (
    MetricSpec("mae", "mean_absolute_error"),
    MetricSpec("rmse", "root_mean_squared_error"),
)
#: The metric of a table with a score for every unit, which has no gold.
_FOR_UNITS = (MetricSpec("mean_score", "mean_score"),)
_PER_UNIT = Target("", "numbers")
#: Columns that number or name the units of such a table and are no system's scores.
_UNIT_NAME = re.compile(r"fold|unit|topic|query|qid|subject|patient|user", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Part:
    """One gold, what is expected of predictions for it, its metrics, and every entry's predictions.

    ``name`` is a task's, "private" or "public", or empty where there is one part. The metrics are
    in the order of the settings, the ranking one first.
    """

    name: str
    gold: Gold
    labels: Mapping[str, Labels]  # target column → gold labels [n]
    expected: Expected
    metrics: tuple[Metric, ...]
    entries: tuple[Entry, ...] = ()  # by name, the same names in every part

    def take(self, rows: Sequence[int]) -> Part:
        """Return the part on some of its examples."""
        return replace(
            self,
            gold=self.gold.take(rows),
            labels={column: array[rows] for column, array in self.labels.items()},
            entries=tuple(item.take(rows) for item in self.entries),
        )


@dataclass(frozen=True, eq=False)
class Competition:
    """The parts (the one that ranks first) with the same usable entries, and facts about those.

    ``form`` is ``teams``, ``field`` (entry ``focus`` came alone and is compared with a packed
    field) or ``single`` (it came alone and there is no field).
    """

    form: Form
    parts: tuple[Part, ...]
    focus: int | None = None
    unusable: tuple[Unusable, ...] = ()
    runs: Mapping[str, int] = field(default_factory=dict)  # team → number of runs it sent
    teams: Mapping[str, str] = field(default_factory=dict)  # entry → team
    notes: tuple[str, ...] = ()
    split_by_usage: bool = False  # whether the parts are private and public rows of one gold

    @property
    def names(self) -> tuple[str, ...]:
        """The entries' names, [m]."""
        return tuple(item.name for item in self.parts[0].entries)

    @property
    def has_tasks(self) -> bool:
        """Whether the parts are tasks, ranked by the mean rank over them."""
        return len(self.parts) > 1 and not self.split_by_usage

    def keep(self, rows: Sequence[int], names: Sequence[str]) -> Competition:
        """Return the competition of some entries, under other names."""
        focus = None if self.focus not in rows else rows.index(self.focus)
        parts = tuple(
            replace(
                part,
                entries=tuple(
                    replace(part.entries[row], name=name)
                    for row, name in zip(rows, names, strict=True)
                ),
            )
            for part in self.parts
        )
        return replace(self, parts=parts, focus=focus)


def gather(folder: Path, adjust: Callable[[Settings], Settings]) -> tuple[Competition, Settings]:
    """Read INPUT: the settings (completed by ``adjust``), the gold and every submission.

    Raises
    ------
    OrganizerError
        Gold, settings or the packed field are missing or malformed.
    SubmissionError
        The single submission is unusable, or fewer than two of the teams' are usable.
    """
    reference = find_reference(folder / "ref", settings.FILE_NAME)
    path = reference.settings or (_PACKED if _PACKED.is_file() else None)
    chosen = adjust(settings.load(path))
    beside = path.parent if path else None
    if not reference.gold or chosen.layout == "wide":
        upload = _upload(folder / "res", reference, chosen)
        return _wide(upload, beside, chosen), chosen
    # The organizer's own files come first: a participant cannot mend them.
    parts, notes = _parts(reference.gold, beside, chosen)
    upload = _upload(folder / "res", reference, chosen)
    reader = _Reader(chosen)
    if upload.layout == "teams":
        competition = _teams(upload, parts, reader, chosen)
    else:
        rivals = reference.rivals(chosen.name_pattern)
        competition = _single(upload.sources[0], _running(rivals, chosen), parts, reader)
    notes = (*competition.notes, *notes, *reader.notes())
    return _by_usage(replace(competition, notes=notes)), chosen


def _upload(folder: Path, reference: Reference, chosen: Settings) -> Upload:
    return layout.find_submissions(
        folder,
        chosen.layout,
        tasks=reference.tasks,
        pattern=chosen.name_pattern,
        limits=chosen.limits,
    )


def duration(folder: Path) -> float | None:
    """Return the ``elapsedTime`` that the platform measured for the submission."""
    path = folder / "res" / "metadata"
    # The platform's own bookkeeping: no reason to fail a submission. Its one number is searched
    # for, because where the platform did not write the file, a participant may have.
    if not path.is_file() or too_large(path.stat().st_size):
        return None
    found = _ELAPSED.search(path.read_bytes())
    elapsed = float(found[1]) if found else -1.0
    return elapsed if 0 <= elapsed < cells.LARGEST else None


def check_names(chosen: Settings, names: Sequence[str]) -> None:
    """Raise SettingsError where ``baselines`` or ``reference_entry`` name no entry."""
    wanted = [("baselines", name) for name in chosen.baselines]
    if chosen.reference_entry is not None:
        wanted.append(("reference_entry", chosen.reference_entry))
    for key, name in wanted:
        if name not in names:
            raise SettingsError(
                f"{chosen.where(key)}: there is no usable entry {name!r}{nearest(name, names)}"
            )


@dataclass
class _Reader:
    """Reads submissions and remembers the formats it met."""

    settings: Settings
    met: Counter[str] = field(default_factory=Counter)

    def entries(
        self, source: Source, parts: Sequence[Part], *, anonymous: bool = False
    ) -> tuple[Entry, ...]:
        """Return one run's entry in every part; what is wrong with any of its files is told."""
        found, reasons = [], []
        for part in parts:
            try:
                if part.name not in source.files:
                    raise SubmissionError(
                        f"no predictions for the task {part.name!r}; add a file called "
                        f"{part.name}.csv"
                    )
                found.append(self._entry(source.files[part.name], source.entry, part, anonymous))
            except SubmissionError as error:
                reasons.append(str(error))
        if reasons:
            raise SubmissionError("\n".join(reasons))
        return tuple(found)

    def _entry(self, file: DataFile, name: str, part: Part, anonymous: bool) -> Entry:
        # The path inside the upload may carry the team's name.
        shown = f"predictions{file.path.suffix}" if anonymous else str(file.path)
        content = file.read()
        form = self.settings.format
        form = detect(content, shown) if form == "auto" else form
        aligned = entry.align(
            FORMATS[form].read(content, shown), name, part.expected, part.labels, digest(content)
        )
        self.met[FORMATS[form].label] += 1
        return aligned

    def notes(self) -> tuple[str, ...]:
        """Return what was detected, for the log and the page."""
        listed = ", ".join(f"{count} {label}" for label, count in self.met.most_common())
        return (f"Format: {listed}.",) if listed else ()


def _teams(upload: Upload, parts: Sequence[Part], reader: _Reader, chosen: Settings) -> Competition:
    runs = Counter(source.team for source in upload.sources)
    sources = sorted(_running(upload.sources, chosen), key=lambda source: source.entry)
    entries, unusable = [], []
    for source in sources:
        try:
            entries.append(reader.entries(source, parts, anonymous=chosen.anonymize))
        except SubmissionError as error:
            unusable.append(Unusable(source.entry, str(error)))
    aside = ", ".join(upload.aside[:10])
    return Competition(
        form="teams",
        parts=_with_entries(parts, entries),
        unusable=tuple(unusable),
        runs=runs,
        teams={source.entry: source.team for source in sources},
        notes=(
            f"Layout: teams, {len(runs)} found.",
            *((f"Left aside, not data files: {aside}.",) if aside and not chosen.anonymize else ()),
        ),
    )


def _running(sources: Sequence[Source], chosen: Settings) -> Sequence[Source]:
    """Return the runs that compete as far as their names tell: all of them, or each team's last."""
    if chosen.runs != "last":
        return sources
    return [replace(last, run=None) for last in {item.team: item for item in sources}.values()]


def _single(
    source: Source, rivals: Sequence[Source], parts: Sequence[Part], reader: _Reader
) -> Competition:
    submission = reader.entries(source, parts)
    entries = []
    for rival in rivals:
        try:
            entries.append(reader.entries(rival, parts))
        except SubmissionError as error:
            raise OrganizerError(f"ref/{FIELD}: {error}") from error
    name = source.entry
    while name in {rival.entry for rival in rivals}:
        name += "*"
    entries.append(tuple(replace(item, name=name) for item in submission))
    entries.sort(key=lambda items: items[0].name)
    found = f"one submission and a field of {len(rivals)}" if rivals else "one submission"
    return Competition(
        form="field" if rivals else "single",
        parts=_with_entries(parts, entries),
        focus=[items[0].name for items in entries].index(name),
        teams={name: name, **{rival.entry: rival.team for rival in rivals}},
        notes=(f"Layout: {found}.",),
    )


def _with_entries(parts: Sequence[Part], entries: Sequence[tuple[Entry, ...]]) -> tuple[Part, ...]:
    return tuple(
        replace(part, entries=tuple(items[k] for items in entries)) for k, part in enumerate(parts)
    )


def _parts(
    gold: Mapping[str, DataFile], beside: Path | None, chosen: Settings
) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    """Return a part without entries for every gold file."""
    parts: list[Part] = []
    notes: list[str] = []
    for task, file in gold.items():
        try:
            content = file.read()
        except SubmissionError as error:
            raise ReferenceDataError(f"ref: {error}") from error
        read = read_gold(content, str(file.path), chosen)
        specs, said = _specs(read, chosen, several=len(gold) > 1)
        metrics = _ranking_first(resolve(specs, beside), chosen)
        parts.append(_part(task, read, metrics, chosen))
        notes.extend(said)
    if len(parts) > 1:
        parts = [_renamed(part, part.name) for part in parts]
        keys = [metric.name for part in parts for metric in part.metrics]
        if len(set(keys)) < len(keys):
            raise ReferenceDataError(
                f"ref: the names of the tasks {', '.join(gold)} are too much alike for keys of "
                "scores.txt; let them differ in ASCII letters and digits"
            )
        notes.insert(0, f"Tasks, one gold file each: {', '.join(gold)}.")
    return tuple(parts), tuple(dict.fromkeys(notes))


def _renamed(part: Part, prefix: str) -> Part:
    """Return a part whose metrics' names tell it from the other parts' metrics."""
    key = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in prefix)
    metrics = tuple(
        replace(metric, name=f"{key}_{metric.name}", label=f"{prefix}: {metric.label}")
        for metric in part.metrics
    )
    return replace(part, metrics=metrics)


def _by_usage(competition: Competition) -> Competition:
    """Split the only part by Kaggle's Usage, where it has both; the private rows rank.

    Their metrics keep their names; those of the public rows are told from them.
    """
    part, *others = competition.parts
    usage = part.gold.usage
    if others or usage is None or len(set(usage)) < 2:
        return competition
    private, public = (
        part.take([row for row, value in enumerate(usage) if value == wanted])
        for wanted in (PRIVATE, PUBLIC)
    )
    counts = f"{private.gold.n} private and {public.gold.n} public rows"
    return replace(
        competition,
        parts=(replace(private, name=PRIVATE), _renamed(replace(public, name=PUBLIC), PUBLIC)),
        notes=(*competition.notes, f"Usage: {counts}; the private ones rank."),
        split_by_usage=True,
    )


def _wide(upload: Upload, beside: Path | None, chosen: Settings) -> Competition:
    """Read one table with a column a team: with a gold column, or scores per unit without one."""
    missing = ReferenceDataError(
        "ref: no gold file; put the reference labels there as one .csv with columns id and label"
    )
    if len(upload.sources) != 1:
        raise missing
    (file,) = upload.sources[0].files.values()
    gold = read_gold(file.read(), str(file.path), chosen)
    column = next((spec.column for spec in chosen.metrics if spec.column), None)
    if column is None and gold.targets and gold.targets[0].casefold() in TARGET_NAMES:
        column = gold.targets[0]
    teams = [name for name in gold.targets if name != column]
    if column is None:
        teams = [name for name in teams if not _UNIT_NAME.fullmatch(name)]
    if not teams or (column is None and not _are_scores(gold, teams)):
        raise missing
    notes: tuple[str, ...] = ()
    if column is None:
        metrics = resolve(chosen.metrics or _FOR_UNITS, beside)
        part = Part("", gold, {}, _expected(gold, {_PER_UNIT: ()}, chosen), metrics)
        found = f"a table of {len(teams)} systems' scores on {gold.n} units, without a gold"
    else:
        specs, notes = _specs(gold, chosen)
        metrics = _ranking_first(resolve(specs, beside), chosen)
        part = _part("", gold, metrics, chosen, column)
        found = f"a wide table of {len(teams)} systems, gold in column {column!r}"
    shown = {name: printable(name) for name in teams}
    entries, unusable = [], []
    for name in sorted(teams):
        try:
            read = entry.from_wide(name, gold, part.expected)
            entries.append(replace(read, name=shown[name]))
        except SubmissionError as error:
            unusable.append(Unusable(shown[name], str(error)))
    return Competition(
        form="teams",
        parts=(replace(part, entries=tuple(entries)),),
        unusable=tuple(unusable),
        runs=dict.fromkeys(shown.values(), 1),
        teams={name: name for name in shown.values()},
        notes=(f"Layout: {found}.", *notes),
    )


def _are_scores(gold: Gold, columns: Sequence[str]) -> bool:
    """Whether a table can be scores per unit: at least two columns, all of numbers."""
    return len(columns) > 1 and all(
        all(map(cells.acceptable, cells.numbers(gold.columns[name]))) for name in columns
    )


def _specs(
    gold: Gold, chosen: Settings, *, several: bool = False
) -> tuple[tuple[MetricSpec, ...], tuple[str, ...]]:
    """Return the settings' metrics or, where they name none, the usual ones for this gold.

    Of ``several`` tasks, each has the metrics whose ``column`` its gold has, and those that name
    none.
    """
    if chosen.metrics and several:
        own = [spec for spec in chosen.metrics if spec.column in (None, *gold.targets)]
        foreign = {spec.name for spec in chosen.metrics} - {spec.name for spec in own}
        kept = tuple(
            spec for spec in own if not foreign & set(re.findall(r"\w+", spec.formula or ""))
        )
        if not kept:
            raise SettingsError(f"{chosen.where('metrics')}: none of them is for {gold.file}")
        return kept, ()
    if chosen.metrics:
        return chosen.metrics, ()
    column = target_column(gold, None, "settings: metrics")
    if cells.is_quantity(gold.columns[column]):
        kind, specs = "numbers", _FOR_NUMBERS
    else:
        kind, specs = "classes", _FOR_CLASSES
    names = " and ".join(spec.name for spec in specs)
    return specs, (f"No metric was set; the gold holds {kind}, so {names} are shown.",)


def _ranking_first(metrics: tuple[Metric, ...], chosen: Settings) -> tuple[Metric, ...]:
    if chosen.rank_by is None:
        return metrics
    names = [metric.name for metric in metrics]
    if chosen.rank_by not in names:
        raise SettingsError(
            f"{chosen.where('rank_by')}: there is no metric {chosen.rank_by!r}"
            f"{nearest(chosen.rank_by, names)}"
        )
    first = metrics[names.index(chosen.rank_by)]
    return (first, *(metric for metric in metrics if metric is not first))


def target_of(metric: Metric, gold: Gold) -> Target | None:
    """Return what a metric reads, None where it reads the whole table."""
    if metric.kind == "table":
        return None
    if metric.function == _FOR_UNITS[0].function:
        return _PER_UNIT
    if not gold.targets:
        raise ReferenceDataError(f"{gold.file}: no column with labels beside the ids; add one")
    column = target_column(gold, metric.column, f"metric {metric.name!r}")
    kind: str = metric.kind
    if kind == "gold":
        kind = "numbers" if cells.is_quantity(gold.columns[column]) else "labels"
    return Target(column, kind)


def leaves(metrics: Sequence[Metric]) -> list[Metric]:
    """Return the metrics with formulas replaced by what they are made of."""
    found: list[Metric] = []
    for metric in metrics:
        found.extend(leaves(metric.components) if metric.components else [metric])
    return found


def expectations(gold: Gold, chosen: Settings, path: Path | None, task: str = "") -> Expected:
    """Return what submissions must hold for a gold and the settings read from ``path``."""
    specs, _ = _specs(gold, chosen, several=bool(task))
    return _part(task, gold, resolve(specs, path.parent if path else None), chosen).expected


def _part(
    name: str,
    gold: Gold,
    metrics: tuple[Metric, ...],
    chosen: Settings,
    column: str | None = None,
) -> Part:
    """Return a part without entries; ``column`` is a wide table's gold.

    It says what every submission must hold for these metrics.
    """
    targets: dict[Target, tuple[Label, ...]] = {}
    labels: dict[str, Labels] = {}
    keep_columns = False
    for metric in leaves(metrics):
        target = target_of(metric, gold)
        if target is None:
            keep_columns = True
        elif column is not None and target.column != column:
            raise SettingsError(
                f"metric {metric.name!r}: a wide table has one gold column, {column!r}"
            )
        elif target.kind == "numbers":
            gold_numbers(gold, target.column)
            targets[target] = ()
        else:
            labels[target.column] = gold_labels(gold, target.column, chosen)
            targets[target] = label_set(labels[target.column], chosen, gold.file)
        if target is not None and target.kind != "labels" and chosen.missing == "wrong":
            raise SettingsError(
                f"{chosen.where('missing')}: 'wrong' is for predicted labels, and metric "
                f"{metric.name!r} needs {target.kind}; use 'error'"
            )
    expected = _expected(gold, targets, chosen, keep_columns=keep_columns)
    return Part(name, gold, labels, expected, metrics)


def _expected(
    gold: Gold,
    targets: Mapping[Target, tuple[Label, ...]],
    chosen: Settings,
    *,
    keep_columns: bool = False,
) -> Expected:
    return Expected(
        positions=gold.positions,
        total=gold.total,
        ids=gold.ids,
        targets=targets,
        id_column=gold.id_column or "id",
        known_columns=gold.targets,
        ignored=gold.ignored,
        missing=chosen.missing,
        labels_are_public=chosen.labels is not None,
        keep_columns=keep_columns,
    )
