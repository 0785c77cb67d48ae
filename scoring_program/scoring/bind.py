"""From a metric, gold and predictions to a scorer, and so for all metrics of a competition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..core.arrays import Array, Bools, Floats, Ints
from ..core.cells import grouped
from ..core.errors import MetricError, SettingsError, SubmissionError, internal_of_upload
from ..core.phrases import Phrase
from ..data.competition import Competition, Part
from ..data.entry import gold_events, gold_numbers, gold_weights, objects
from ..data.targets import target_of
from ..metrics.calls import infer_type, with_frames
from ..metrics.metric import (
    OF_ROWS,
    Data,
    Evaluation,
    Metric,
    UnknownLabel,
    classes_of,
    with_labels_of_data,
    with_positive_last,
    without_formulas,
)
from ..metrics.statistics import Counting, SharedCounts, count_items, count_sums
from ..reading.formats import KINDS
from ..reading.table import FileRows
from ..recognize.expected import Target
from .scorer import Failure, ScoredMetric, Scorer
from .scorers import (
    FramesScorer,
    FunctionScorer,
    ItemsScorer,
    OrderedScorer,
    PairsScorer,
    SumsScorer,
)

#: Counts in this process, and tells nobody.
HERE = Counting()
_SCORERS: Mapping[Evaluation, type[SumsScorer | OrderedScorer | PairsScorer | FunctionScorer]] = {
    "sums": SumsScorer,
    "ordered": OrderedScorer,
    "pairs": PairsScorer,
    "called": FunctionScorer,
}


# Many parameters because each is a fact about one data set, and given by name.
def bind(
    metric: Metric,
    y_true: Any,
    y_preds: Sequence[Any],
    label_set: Array | None = None,
    names: Sequence[str] | None = None,
    counting: Counting = HERE,
    weights: Floats | None = None,
    sizes: Ints | None = None,
    events: Bools | None = None,
    id_column: str | None = None,
    places: Ints | None = None,
) -> Scorer:
    """Bind a metric that is no formula to one gold column and the entries' predictions.

    ``y_true`` is [n]; each of ``y_preds`` is [n] or [n, classes in the order of label_set]. For a
    metric of kind "table" they are rows of files, `FileRows`, or mappings from column names to
    texts [n], and its data become a `KaggleFrame`: ``id_column`` is that of the ids, and ``places``
    [n] say where each example stands in the reference data. ``counting`` says how statistics of
    single examples are counted, and until when. A row of ``weights`` [n] w counts as w rows, and
    one of ``sizes`` [n] s stands for s examples. Of times, ``events`` [n] say which ones end with
    an event. An entry whose predictions are None gets the
    metric's worst value.

    Raises MetricError if the metric does not fit the data, SubmissionError if a prediction is not
    what it needs, and SettingsError if an entry has none and the metric has no worst value.
    """
    if names is None:
        names = [f"entry {k + 1}" for k in range(len(y_preds))]
    data = Data(y_true, tuple(y_preds), label_set, weights, sizes, events)
    if any(y_pred is None for y_pred in y_preds):
        scored = partial(bind, metric, counting=counting, id_column=id_column, places=places)
        return _bind_worst(metric, data, names, scored)
    if metric.call is None and metric.kind in ("labels", "scores", "probabilities"):
        # In an organizer's own function, a parameter "labels" may mean anything.
        metric = replace(metric, params=with_labels_of_data(metric.params, data))
    _check_predictions(metric, data, names)
    if metric.reads_frames:
        data = with_frames(metric, data, id_column, places)
    if metric.positive is not None:
        metric, data = with_positive_last(metric, data)
    metric = _with_bounds(metric, data)
    scorer: Scorer
    if metric.evaluation == "items":
        scorer = ItemsScorer(metric, data, names, count_items(metric, data, names, counting))
    elif metric.statistics is not None:
        sums = count_sums(metric, data, names, counting)
        sums = sums if weights is None else sums.weighted(weights)
        scorer = SumsScorer(metric, data, names, sums)
    else:
        usual = FramesScorer if metric.reads_frames else _SCORERS[metric.evaluation]
        scorer = usual(metric, data, names)
    scorer.time_limit = counting.time_limit
    return scorer


def _with_bounds(metric: Metric, data: Data) -> Metric:
    """Return a metric with the bounds that depend on the data, if it has any."""
    if metric.bounds is None:
        return metric
    low, high = metric.bounds(data, metric.params)
    return replace(metric, low=low, high=high)


def _bind_worst(
    metric: Metric, data: Data, names: Sequence[str], bound: Callable[..., Scorer]
) -> Scorer:
    """Bind a metric where some entries have no predictions; ``bound`` binds it to the others'."""
    with_predictions = [place for place, y_pred in enumerate(data.y_preds) if y_pred is not None]
    row_of = {place: row for row, place in enumerate(with_predictions)}
    rows = [row_of.get(place, -1) for place in range(len(names))]
    data = data.keep(with_predictions)
    scored = None
    if with_predictions:
        scored = bound(
            data.y_true,
            data.y_preds,
            data.labels,
            [names[place] for place in with_predictions],
            weights=data.weights,
            events=data.events,
        )
    metric = _with_bounds(metric, data)
    from .combined import WorstScorer  # late, as below: few metrics are made of others

    worst = WorstScorer(metric, data, names, scored, rows)
    if not np.isfinite(worst.worst):
        raise without_worst_value(metric)
    return worst


def without_worst_value(metric: Metric) -> SettingsError:
    """Return the error that a submission lacks a task, and its metric has no worst value."""
    return SettingsError(
        "missing_task: 'worst' gives a submission that lacks a task the worst value of its "
        f"metrics, but {metric.name!r} has none; choose a bounded metric, or 'drop', or, in a "
        "report of all teams, 'overall: mean_rank'"
    )


# Bind parts ---------------------------------------------------------------------------------------


#: What a participant's log calls the submissions of the field.
_ANOTHER = Phrase("another submission")
#: What everybody's messages call a submission that they do not name.
SUBMISSION = Phrase("this submission")


#: Name of a metric → entry → why the metric cannot score it.
Failures = dict[str, dict[int, Failure]]


def bind_parts(
    competition: Competition, counting: Counting = HERE
) -> tuple[tuple[ScoredMetric, ...], ...]:
    """Bind every part's metrics once. A formula shares the scorers of the metrics that it names.

    Raises SubmissionError or MetricError as `bind` does.
    """
    names = names_in_messages(competition)
    return tuple(
        _Binder(part, competition.taking_part(part), names, counting).bind(*part.metrics)
        for part in competition.parts
    )


def bind_where_possible(
    competition: Competition, counting: Counting = HERE
) -> tuple[tuple[tuple[ScoredMetric, ...], ...], Failures]:
    """Bind every metric to the entries that it can score, and say why it cannot score the others.

    A metric that can score no entry is left out. An unexpected error is one entry's: the others
    keep their scores. Raises SettingsError if the scores of more entries may refer to either of two
    labels than a metric can score.
    """
    failures: Failures = {}
    bound = []
    names = [SUBMISSION] * len(competition.names)
    for part in competition.parts:
        shared: dict[tuple[int, ...], _Binder] = {}
        scored: list[ScoredMetric] = []
        for metric in part.metrics:
            failed = failures[metric.name] = {}
            for entry in competition.taking_part(part):
                try:
                    observe([_Binder(part, (entry,), names, counting).bind(metric)])
                except (SubmissionError, MetricError) as failure:
                    failed[entry] = failure
                except Exception as error:
                    failed[entry] = internal_of_upload(error)
            unknown = [reason for reason in failed.values() if isinstance(reason, UnknownLabel)]
            if len(unknown) > len({*part.present} - failed.keys()):
                raise unknown[0].question
            fitting = tuple(e for e in competition.taking_part(part) if e not in failed)
            if fitting:
                binder = shared.setdefault(fitting, _Binder(part, fitting, names, counting))
                scored.extend(binder.bind(metric))
        bound.append(tuple(scored))
    return tuple(bound), failures


def observe(bound: Sequence[Sequence[ScoredMetric]]) -> None:
    """Score every entry on the whole test set, once: scorers remember it."""
    for item in (item for part in bound for item in part):
        _ = item.scorer.observation


class _Binder:
    """Binds metrics to some entries of a part; a formula shares the scorers of what it names."""

    def __init__(
        self, part: Part, entries: tuple[int, ...], names: Sequence[str], counting: Counting
    ) -> None:
        self._part = part
        self._entries = entries
        self._counting = counting
        self._names = [names[entry] for entry in entries]
        self._done: dict[str, Scorer] = {}
        self._shared: dict[Target, SharedCounts] = {}

    def bind(self, *metrics: Metric) -> tuple[ScoredMetric, ...]:
        """Bind metrics, each once."""
        plain = without_formulas(metrics)
        of_target = grouped((target_of(metric, self._part.gold), metric) for metric in plain)
        for target, sharing in of_target.items():
            if target is not None:
                self._shared.setdefault(target, SharedCounts(sharing))
        return tuple(ScoredMetric(self._bound(metric), self._entries) for metric in metrics)

    def _bound(self, metric: Metric) -> Scorer:
        if metric.name not in self._done:
            if metric.components:
                from .combined import FormulaScorer

                scorers = [self._bound(component) for component in metric.components]
                self._done[metric.name] = FormulaScorer(metric, scorers)
            else:
                self._done[metric.name] = self._bound_to_predictions(metric)
        return self._done[metric.name]

    def _bound_to_predictions(self, metric: Metric) -> Scorer:
        part = self._part
        gold = self._part.gold
        entries = [part.entries[entry] for entry in self._entries]
        target = target_of(metric, gold)
        weights = None if metric.sample_weight is None else gold_weights(gold, metric)
        shared = None if target is None else self._shared[target]
        counting = replace(self._counting, shared=shared)
        to_data = partial(bind, metric, names=self._names, counting=counting, weights=weights)
        if target is None:
            solution = gold.file_rows
            files = [entry and entry.file for entry in entries]
            if not metric.reads_frames:
                return to_data(_typed(solution), [file and _typed(file) for file in files])
            places = np.asarray(gold.positions, np.intp)
            return to_data(solution, files, id_column=gold.id_column, places=places)
        predictions = [entry and entry.predictions[target] for entry in entries]
        if part.people is not None:
            return self._bound_to_people(metric, target)
        if metric.per_unit:
            return to_data(np.zeros(gold.n), predictions)
        labels = part.expected.targets[target]
        if target.kind == "numbers":
            events = None if metric.event is None else gold_events(gold, metric.event)
            numbers = gold_numbers(gold, target.column, any_size=metric.gold_order_only)
            return to_data(numbers, predictions, events=events)
        label_set = np.array(labels) if labels else None
        if target.kind in KINDS:
            return to_data(objects(gold.columns[target.column]), predictions, label_set)
        return to_data(part.labels[target.column], predictions, label_set, sizes=gold.sizes)

    def _bound_to_people(self, metric: Metric, target: Target) -> Scorer:
        """Bind a mean of a judge's scores that people's scores correct."""
        from .people_scorer import PeopleScorer  # late: few competitions have both

        people = self._part.people
        entries = [entry for entry in map(self._part.entries.__getitem__, self._entries) if entry]
        assert people is not None
        predictions = tuple(entry.predictions[target] for entry in entries)
        judge = Data(np.zeros(self._part.gold.n), predictions)
        by_people = [entry.people[target] for entry in entries]
        weight = people.weights[target]
        return PeopleScorer(metric, judge, self._names, by_people, weight, people.judged)


def names_in_messages(competition: Competition) -> tuple[str, ...]:
    """Return what a message may call the entries, [m]. Participants must not learn them."""
    if competition.focus is None:
        return competition.names
    rows = range(len(competition.parts[0].entries))
    return tuple(SUBMISSION if row == competition.focus else _ANOTHER for row in rows)


def _typed(file_rows: FileRows) -> dict[str, Array]:
    """Return the columns of rows [n], whose types follow from the whole file."""
    rows = np.asarray(file_rows.rows, np.intp)
    columns = {}
    for name, texts in file_rows.columns.items():
        # An array of fixed width would take the memory of the longest cell for every row.
        column = infer_type(np.array(texts, dtype=object))
        if (rows < 0).any():
            column = np.append(column.astype(object), "")
        columns[name] = column[rows]
    return columns


#: The sum of one row's probabilities may differ from 1 by this much: scikit-learn's tolerance for
#: doubles.
_TOLERANCE = float(np.sqrt(np.finfo(np.float64).eps))
#: What a metric of a kind needs, where that is numbers.
_NEEDED = {
    "numbers": Phrase("numbers"),
    "scores": Phrase("scores"),
    "probabilities": Phrase("probabilities"),
}


def _check_predictions(metric: Metric, data: Data, names: Sequence[str]) -> None:
    """Raise an error if the data are not what the metric needs.

    It is a MetricError if the gold or the settings are wrong, and a SubmissionError if predictions
    are wrong. That names the metric, the entry and the first wrong row (numbered from 1).
    """
    if metric.kind not in OF_ROWS:
        return
    if data.n == 0 or not data.y_preds:
        raise MetricError(f"metric {metric.name_in_messages!r}: there is nothing to score")
    if metric.kind == "numbers" and data.y_true.dtype.kind not in "iuf":
        raise MetricError(
            f"metric {metric.name!r} ({metric.label}) compares numbers, but the reference data "
            "hold labels; choose another metric"
        )
    for name, y_pred in zip(names, data.y_preds, strict=True):
        _check_predictions_of(metric, data, name, y_pred)
    if metric.kind in ("scores", "probabilities") and len(classes_of(data)) > 2:
        single = [name for name, y in zip(names, data.y_preds, strict=True) if y.ndim == 1]
        if 0 < len(single) < len(names):
            raise SubmissionError(
                "metric {metric} ({label}): {entry} has one score per row; it needs one score for "
                "each of the {labels} labels",
                labels=len(classes_of(data)),
                **_told(metric, single[0]),
            )


def _told(metric: Metric, entry: str) -> dict[str, str]:
    return {
        "metric": repr(metric.name_in_messages),
        "label": metric.label_in_messages,
        "entry": entry,
    }


def _check_predictions_of(metric: Metric, data: Data, name: str, y_pred: Array) -> None:
    """Raise SubmissionError if the predictions of one entry are wrong."""
    if len(y_pred) != data.n:
        raise SubmissionError(
            "metric {metric}: {entry} has {number} predictions for {n} rows",
            metric=repr(metric.name_in_messages),
            entry=name,
            number=len(y_pred),
            n=data.n,
        )
    if metric.kind == "labels":
        if y_pred.ndim != 1 or y_pred.dtype.kind == "f":
            raise SubmissionError(
                "metric {metric} ({label}) needs one label per row; {entry} has numbers",
                **_told(metric, name),
            )
        return
    if y_pred.dtype.kind not in "iuf":
        raise SubmissionError(
            "metric {metric} ({label}) needs {kind}; {entry} has labels",
            kind=_NEEDED[metric.kind],
            **_told(metric, name),
        )
    unjudged = np.isnan(y_pred) & metric.of_scores
    _refuse(~np.isfinite(y_pred) & ~unjudged, metric, name, Phrase("not a finite number"))
    if metric.kind == "probabilities":
        outside = (y_pred < 0) | (y_pred > 1)
        _refuse(outside, metric, name, Phrase("a probability outside [0, 1]"))
        if y_pred.ndim == 2:
            off = np.abs(y_pred.sum(axis=1) - 1.0) > _TOLERANCE
            _refuse(off, metric, name, Phrase("probabilities that do not sum to 1"))


def _refuse(wrong: Array, metric: Metric, name: str, what: Phrase) -> None:
    rows = np.flatnonzero(wrong.any(axis=1) if wrong.ndim == 2 else wrong)
    if rows.size:
        problem = Phrase(
            "metric {metric}: {entry} has {what} in row {row}",
            metric=repr(metric.name_in_messages),
            entry=name,
            what=what,
            row=int(rows[0]) + 1,
        )
        if rows.size > 1:
            problem = Phrase(
                "{problem} and in {more} more", problem=problem, more=int(rows.size) - 1
            )
        raise SubmissionError(problem)
