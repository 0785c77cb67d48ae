"""Everything that takes part in one run: gold, metrics and aligned entries, read from INPUT."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import yaml

from scoring_program import settings
from scoring_program.align import cells, entry
from scoring_program.align.cells import Label, Labels
from scoring_program.align.columns import TARGET_NAMES
from scoring_program.align.entry import Entry, Expected, Target
from scoring_program.align.gold import (
    Gold,
    gold_labels,
    gold_numbers,
    label_set,
    read_gold,
    target_column,
)
from scoring_program.errors import (
    OrganizerError,
    ReferenceDataError,
    SettingsError,
    SubmissionError,
    nearest,
)
from scoring_program.metrics import Metric, resolve
from scoring_program.read import layout
from scoring_program.read.layout import Source, Upload
from scoring_program.render.inputs import Unusable
from scoring_program.settings import MetricSpec, Settings

Form = Literal["teams", "field", "single"]

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


@dataclass(frozen=True, eq=False)
class Competition:
    """Gold, metrics (the ranking one first) and usable entries (by name).

    ``form`` is ``teams``, ``field`` (entry ``focus`` came alone and is compared with a packed field)
    or ``single`` (it came alone and there is no field).
    """

    form: Form
    metrics: tuple[Metric, ...]
    expected: Expected
    entries: tuple[Entry, ...]
    focus: int | None = None
    unusable: tuple[Unusable, ...] = ()
    runs: Mapping[str, int] = field(default_factory=dict)  # team → number of runs it sent
    teams: Mapping[str, str] = field(default_factory=dict)  # entry → team
    notes: tuple[str, ...] = ()

    @property
    def gold(self) -> Gold:
        """The reference data."""
        return self.expected.gold

    @property
    def names(self) -> tuple[str, ...]:
        """The entries' names, [m]."""
        return tuple(item.name for item in self.entries)


def gather(folder: Path, adjust: Callable[[Settings], Settings]) -> tuple[Competition, Settings]:
    """Read INPUT: the settings (completed by ``adjust``), the gold and every submission.

    Raises
    ------
    OrganizerError
        Gold, settings or the packed field are missing or malformed.
    SubmissionError
        The single submission is unusable, or fewer than two of the teams' are usable.
    """
    reference = layout.find_reference(folder / "ref")
    path = reference.settings or (_PACKED if _PACKED.is_file() else None)
    chosen = adjust(settings.load(path))
    upload = layout.find_submissions(folder / "res", chosen.layout)
    if reference.gold is None or chosen.layout == "wide":
        return _wide(upload, path, chosen), chosen
    gold = read_gold(reference.gold.read(), str(reference.gold.path), chosen)
    specs, notes = _specs(gold, chosen)
    metrics = _ranking_first(resolve(specs, path.parent if path else None), chosen)
    expected = _expectations(gold, metrics, chosen)
    if upload.layout == "teams":
        return _teams(upload.sources, metrics, expected, chosen, notes), chosen
    return _single(upload.sources[0], reference.field, metrics, expected, notes), chosen


def duration(folder: Path) -> float | None:
    """Return the ``elapsedTime`` that the platform measured for the submission, if it wrote one."""
    path = folder / "res" / "metadata"
    try:
        elapsed = float(yaml.safe_load(path.read_text(encoding="utf-8"))["elapsedTime"])
    except (OSError, ValueError, TypeError, KeyError, yaml.YAMLError):
        return None  # the platform's own bookkeeping: no reason to fail a submission
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


def _teams(
    sources: Sequence[Source],
    metrics: tuple[Metric, ...],
    expected: Expected,
    chosen: Settings,
    notes: tuple[str, ...],
) -> Competition:
    runs: dict[str, int] = {}
    for source in sources:
        runs[source.team] = runs.get(source.team, 0) + 1
    if chosen.runs == "last":
        sources = [
            Source(item.team, None, item.file) for item in {s.team: s for s in sources}.values()
        ]
    entries, unusable = [], []
    for source in sorted(sources, key=lambda source: source.entry):
        try:
            entries.append(_align(source, expected, anonymous=chosen.anonymize))
        except SubmissionError as error:
            unusable.append(Unusable(source.entry, str(error)))
    return Competition(
        form="teams",
        metrics=metrics,
        expected=expected,
        entries=tuple(entries),
        unusable=tuple(unusable),
        runs=runs,
        teams={source.entry: source.team for source in sources},
        notes=(f"Layout: teams, {len(runs)} found.", *notes),
    )


def _single(
    source: Source,
    rivals: Sequence[Source],
    metrics: tuple[Metric, ...],
    expected: Expected,
    notes: tuple[str, ...],
) -> Competition:
    submission = _align(source, expected)
    entries = []
    for rival in rivals:
        try:
            entries.append(_align(rival, expected))
        except SubmissionError as error:
            raise OrganizerError(f"ref/{layout.FIELD}: {error}") from error
    name = submission.name
    while name in {item.name for item in entries}:
        name += "*"
    entries.append(Entry(name, submission.predictions, submission.columns, submission.sha256))
    entries.sort(key=lambda item: item.name)
    found = f"one submission and a field of {len(rivals)}" if rivals else "one submission"
    return Competition(
        form="field" if rivals else "single",
        metrics=metrics,
        expected=expected,
        entries=tuple(entries),
        focus=[item.name for item in entries].index(name),
        notes=(f"Layout: {found}.", *notes),
    )


def _align(source: Source, expected: Expected, *, anonymous: bool = False) -> Entry:
    path = source.file.path
    # The path inside the upload may carry the team's name.
    shown = f"predictions{path.suffix}" if anonymous else str(path)
    return entry.align(source.file.read(), shown, source.entry, expected)


def _wide(upload: Upload, path: Path | None, chosen: Settings) -> Competition:
    """Read one table with a column a team: with a gold column, or scores per unit without one."""
    missing = ReferenceDataError(
        "ref: no gold file; put the reference labels there as one .csv with columns id and label"
    )
    if len(upload.sources) != 1:
        raise missing
    source = upload.sources[0]
    gold = read_gold(source.file.read(), str(source.file.path), chosen)
    column = next((spec.column for spec in chosen.metrics if spec.column), None)
    if column is None and gold.targets and gold.targets[0].casefold() in TARGET_NAMES:
        column = gold.targets[0]
    teams = [name for name in gold.targets if name != column]
    if not teams or (column is None and not _are_scores(gold, teams)):
        raise missing
    if column is None:
        metrics = resolve(chosen.metrics or _FOR_UNITS, path.parent if path else None)
        expected = Expected(gold, {Target("", "numbers"): ()}, {})
        found = f"a table of {len(teams)} systems' scores on {gold.n} units, without a gold"
    else:
        specs, _ = _specs(gold, chosen)
        metrics = _ranking_first(resolve(specs, path.parent if path else None), chosen)
        expected = _expectations(gold, metrics, chosen, column)
        found = f"a wide table of {len(teams)} systems, gold in column {column!r}"
    entries, unusable = [], []
    for name in sorted(teams):
        try:
            entries.append(entry.from_wide(name, expected))
        except SubmissionError as error:
            unusable.append(Unusable(name, str(error)))
    return Competition(
        form="teams",
        metrics=metrics,
        expected=expected,
        entries=tuple(entries),
        unusable=tuple(unusable),
        runs=dict.fromkeys(teams, 1),
        teams={name: name for name in teams},
        notes=(f"Layout: {found}.",),
    )


def _are_scores(gold: Gold, columns: Sequence[str]) -> bool:
    """Whether a table can be scores per unit: at least two columns, all of numbers."""
    return len(columns) > 1 and all(
        cells.acceptable(cells.numbers(gold.columns[name])).all() for name in columns
    )


def _specs(gold: Gold, chosen: Settings) -> tuple[tuple[MetricSpec, ...], tuple[str, ...]]:
    """Return the settings' metrics or, where they name none, the usual ones for this gold."""
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


def _expectations(
    gold: Gold, metrics: Sequence[Metric], chosen: Settings, column: str | None = None
) -> Expected:
    """Return what every submission must hold for these metrics; ``column`` is a wide table's gold."""
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
    return Expected(gold, targets, labels, chosen.missing, chosen.labels is not None, keep_columns)
