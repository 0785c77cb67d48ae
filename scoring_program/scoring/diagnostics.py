"""Facts about the data that bound what scores can show: disagreements and rare classes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..core.arrays import Array, Bools, Ints, distinct
from ..core.grouping import Grouping
from ..metrics.families.labels import label_set
from ..metrics.metric import Data, Metric, classes_of
from ..reading.formats.tags import entities

#: Predictions that are compared at a time, few enough for a processor's cache.
_CELLS = 1 << 18
#: So few labels are counted by products.
_FEW = 4
#: Metrics that are shares of wrong predictions, like micro averages.
_SHARES_OF_ERRORS = ("accuracy_score", "zero_one_loss", "hamming_loss")
#: How starts and ends of spans move where positions count from 1, or ends mean something else.
_MOVES = ((0, 1), (0, -1), (1, 1), (-1, -1))
#: From so many examples on, and by such a correlation of ranks, numbers have the order of the gold.
_FEW_NUMBERS = 10
_IN_ORDER = 0.9
#: What is compared of texts where capitals, spaces and signs do not count.
_WORDS = re.compile(r"\w+")
#: A mean of percentages is so many times that of fractions, at least; points may end at 10.
_TIMES = 20
_POINTS = 10
#: Standard errors by which scores are surely worse than chance: one-sided p < .001.
SURELY = 3.0902
#: So many examples, and some more, tell whether labels stand for others.
_ENOUGH = 100_000
#: So many sentences of all entries tell whether tags are of another scheme.
_SENTENCES = 20_000
#: Metrics of classes that are means over all examples, like weighted averages.
_MEANS = ("log_loss", "brier_score_loss", "d2_log_loss_score", "hinge_loss")


@dataclass(frozen=True, eq=False)
class AnswerLayer:
    """What m entries answered, or what their answers count, on the same n examples.

    Each array is [n] or [n, K]. Two entries differ on an example where their ``answers`` differ
    and, unless there are no ``counts``, some of their counts do, too. Counts may be centered, so
    that one answer changes them everywhere.
    """

    answers: Sequence[Array]  # [m]
    counts: Sequence[Sequence[Array]] | None = None  # [m][K]

    def keep(self, entries: Sequence[int]) -> AnswerLayer:
        """Return the answers of some entries, in that order."""
        counts = None if self.counts is None else [self.counts[entry] for entry in entries]
        return AnswerLayer([self.answers[entry] for entry in entries], counts)


@dataclass(frozen=True, eq=False)
class ComparedAnswers:
    """The answers of m entries to the n examples of one test set, by which two of them differ.

    They differ on an example where they do in some layer. If a score is the share of examples that
    an entry gets right, ``right`` [n, m] says which these are, and there is one layer; else it is
    None. ``of_rows`` is how the rows make up examples and units; None if every row is both.
    ``of_right`` [m] says of which entries ``right`` holds; None if of all.
    """

    layers: tuple[AnswerLayer, ...]
    right: Bools | None = None
    of_rows: Grouping | None = None
    of_right: Bools | None = None

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.layers[0].answers[0])

    @property
    def grouping(self) -> Grouping:
        """How the rows make up examples and units."""
        return Grouping(self.n) if self.of_rows is None else self.of_rows

    def keep(self, entries: Sequence[int]) -> ComparedAnswers:
        """Return the answers of some entries, in that order."""
        right = None if self.right is None else self.right[:, list(entries)]
        of_right = None if self.of_right is None else self.of_right[list(entries)]
        if of_right is not None and of_right.all():
            of_right = None
        layers = tuple(layer.keep(entries) for layer in self.layers)
        return replace(self, layers=layers, right=right, of_right=of_right)

    @property
    def have_right(self) -> Bools:
        """The entries [m] of which ``right`` holds."""
        size = len(self.layers[0].answers)
        if self.right is None:
            return np.zeros(size, np.bool_)
        return np.ones(size, np.bool_) if self.of_right is None else self.of_right


def solved_by_all_and_none(answers: ComparedAnswers) -> tuple[int, int] | None:
    """Return how many examples every entry has right, and how many none.

    These examples separate no two entries. None if nothing is right or wrong, as of scores between
    0 and 1, or if there are fewer than two entries.
    """
    right = answers.right
    if right is None or right.shape[1] < 2 or answers.of_right is not None:
        return None
    by_all = int(answers.grouping.tally(right.all(axis=1)))
    by_none = int(answers.grouping.tally(~right.any(axis=1)))
    return by_all, by_none


def answered(data: Data) -> AnswerLayer:
    """Return the predictions of all entries as a layer."""
    table = isinstance(data.y_true, Mapping)
    return AnswerLayer(numbered(data.y_preds) if table else list(data.y_preds))


@dataclass(frozen=True, eq=False)
class Diagnostics:
    """Facts about gold and predictions for cautions and McNemar's test.

    ``minority`` is the number of examples of the rarest class that is known, for metrics that
    depend on single classes; else it is None. ``averaged`` says whether the metric is a mean over
    classes. ``errors`` [m] counts the wrong predictions, for metrics that are shares of them; else
    it is None. ``disagreements`` [m, m] counts rows with different predictions. ``correct`` [n, m]
    says for accuracy which predictions are correct, and for the mean of scores of 0 and 1 which are
    the better one; else, and where rows stand for several
    examples, it is None. If a score is a share of rows
    (accuracy, recall of one class), ``trials`` [m] is the number of these rows; else it is None.
    ``negative`` says whether some score of a unit that was made elsewhere is below zero.
    ``moved`` [m] says of which entries most spans match if all are moved, or end, by one, and
    ``rescaled`` [m] which predict numbers, or labels, that look like the gold's on another scale,
    or under other names, and which scores of units look like percentages beside fractions.
    """

    minority: int | None
    disagreements: Ints
    correct: Bools | None
    trials: Ints | None = None
    errors: Ints | None = None
    averaged: bool = False
    moved: Bools | None = None
    rescaled: Bools | None = None
    negative: bool = False

    @classmethod
    def from_metric(cls, metric: Metric, data: Data) -> Diagnostics:
        """Return the diagnostics of one metric's gold and predictions."""
        table = metric.kind == "table"
        y_preds = numbered(data.y_preds) if table else data.y_preds
        differ = _disagreements(y_preds, data.grouping)
        if table:
            return cls(None, differ, None)
        if metric.kind == "spans" and metric.all_params["match"] == "exact":
            return cls(None, differ, None, moved=_moved(data))
        if metric.of_scores:
            scaled = _are_percentages(data.y_preds)
            negative = any((scores < 0).any() for scores in data.y_preds)
            return cls(None, differ, _right_units(metric, data), rescaled=scaled, negative=negative)
        if metric.kind == "numbers" and not metric.greater_is_better:
            scaled = np.array([_is_rescaled(data.y_true, y_pred) for y_pred in data.y_preds])
            return cls(None, differ, None, rescaled=scaled)
        correct = minority = errors = None
        average = metric.all_params.get("average")
        if metric.function == "accuracy_score" and data.sizes is None:
            correct = np.stack([data.y_true == y_pred for y_pred in data.y_preds], axis=1)
        if metric.function in _SHARES_OF_ERRORS or (metric.kind == "labels" and average == "micro"):
            errors = np.array([data.grouping.tally(data.y_true != y) for y in data.y_preds])
        elif _depends_on_classes(metric, data):
            minority = _minority(metric, data)
        averaged = minority is not None and _averages(metric, data)
        renamed = _renamed(metric, data)
        if data.weights is not None:  # the score is no share of rows
            return cls(minority, differ, None, None, errors, averaged, rescaled=renamed)
        trials = _trials(metric, data)
        return cls(minority, differ, correct, trials, errors, averaged, rescaled=renamed)


def _depends_on_classes(metric: Metric, data: Data) -> bool:
    """Whether a score depends on single classes, and not only on how many examples are right."""
    if metric.kind == "numbers" or metric.function in _MEANS:
        return False
    if metric.all_params.get("average") == "weighted":
        return False
    return data.y_true.dtype.kind in "iubUS"


def _renamed(metric: Metric, data: Data) -> Bools | None:
    """Return which predictions [m] look like the gold under other names; None if not asked."""
    if metric.kind == "labels":
        return np.array([_are_renamed(data, y_pred) for y_pred in data.y_preds])
    if metric.function == "token_accuracy":
        return _are_of_another_scheme(data)
    if metric.function == "string_match":
        return np.array([_are_in_other_letters(data, y_pred) for y_pred in data.y_preds])
    of_classes = metric.no_skill is None and metric.kind in ("scores", "probabilities")
    if not of_classes or data.y_true.ndim != 1 or data.labels is None:
        return None
    if _are_of_no_class(metric, data):
        return None
    are_swapped = _are_of_the_other if len(data.labels) == 2 else _are_of_others
    return np.array([are_swapped(data, y_pred) for y_pred in data.y_preds])


def _right_units(metric: Metric, data: Data) -> Bools | None:
    """Return which units [n, m] have the better of the scores 0 and 1; None of other scores."""
    if metric.function != "mean_score" or data.sizes is not None:
        return None
    scores = np.stack(data.y_preds, axis=1)
    if not ((scores == 0) | (scores == 1)).all():
        return None
    right: Bools = scores == (1 if metric.greater_is_better else 0)
    return right


def _is_rescaled(gold: Array, predicted: Array) -> bool:
    """Whether numbers [n] order the examples as the gold does, but are worse than its mean."""
    if len(gold) < _FEW_NUMBERS or np.mean((predicted - gold) ** 2) <= np.var(gold):
        return False
    gold_ranks = np.unique(gold, return_inverse=True)[1]
    predicted_ranks = np.unique(predicted, return_inverse=True)[1]
    if gold_ranks.max() == 0 or predicted_ranks.max() == 0:  # a constant orders nothing
        return False
    correlation = np.asarray(np.corrcoef(gold_ranks, predicted_ranks))[0, 1]
    return bool(abs(correlation) >= _IN_ORDER)


def _are_percentages(scores: Sequence[Array]) -> Bools:
    """Return which of the scores of units [m][n] look like percentages, all others being fractions.

    A unit that was not judged has nan.
    """
    least = np.array([np.nanmin(of_entry) for of_entry in scores])
    most = np.array([np.nanmax(of_entry) for of_entry in scores])
    mean = np.array([np.nanmean(of_entry) for of_entry in scores])
    are_fractions = most <= 1
    if least.min() < 0 or most.max() > 100 or not are_fractions.any():
        return np.zeros(len(scores), np.bool_)
    usual = np.median(mean[are_fractions])
    high: Bools = (usual > 0) & (mean >= _TIMES * usual) & (most > _POINTS)
    return high & ~are_fractions if (high | are_fractions).all() else np.zeros_like(high)


def _are_renamed(data: Data, predicted: Array) -> bool:
    """Whether labels [n] tell the gold's apart, each under the name of another one.

    Fewer than half are right, and than if all had the most frequent label. If each were renamed as
    the label that it mostly stands for, nearly all would be right, and half of the errors of that
    one gone. Of a large test set, evenly spaced examples tell.
    """
    step = slice(None, None, 1 + len(predicted) // _ENOUGH)
    y_true = data.y_true[step]
    predicted = predicted[step]
    examples = data.grouping.take(step)
    total = examples.examples
    hits = int(examples.tally(y_true == predicted))
    if total < _FEW_NUMBERS or 2 * hits >= total:  # as nearly always
        return False
    _, gold_codes = np.unique(y_true, return_inverse=True)
    if hits >= (most := np.bincount(gold_codes, examples.sizes).max()):
        return False
    _, predicted_codes = np.unique(predicted, return_inverse=True)
    codes = np.stack([predicted_codes, gold_codes])
    pairs, place = np.unique(codes, axis=1, return_inverse=True)
    counts = np.bincount(place.ravel(), examples.sizes)
    best = dict.fromkeys(pairs[0].tolist(), (0.0, -1))
    for label, meant, count in zip(*pairs.tolist(), counts.tolist(), strict=True):
        best[label] = max(best[label], (float(count), meant))
    right = sum(count for count, _ in best.values())
    are_different = len({meant for _, meant in best.values()}) == len(best) > 1
    return are_different and right >= max(_IN_ORDER * total, (total + most) / 2)


def _are_of_another_scheme(data: Data) -> Bools:
    """Return of which entries [m] most entities that match have other tags than in the gold.

    Of many sentences, evenly spaced ones tell.
    """
    step = slice(None, None, 1 + len(data.y_true) * len(data.y_preds) // _SENTENCES)
    gold_tags = data.y_true[step].tolist()
    gold_spans = [{*entities(tags)} for tags in gold_tags]
    mostly_differ = []
    for y_pred in data.y_preds:
        matches = differ = 0
        for gold, spans, tags in zip(gold_tags, gold_spans, y_pred[step].tolist(), strict=True):
            for begin, end, _ in spans.intersection(entities(tags)):
                matches += 1
                differ += gold[begin:end] != tags[begin:end]
        mostly_differ.append(2 * differ > max(matches, _FEW_NUMBERS))
    return np.array(mostly_differ)


def _are_in_other_letters(data: Data, texts: Array) -> bool:
    """Whether more than half of the texts match only if capitals, spaces and signs do not count."""

    def loose(text: str) -> str:
        return " ".join(_WORDS.findall(text.casefold()))

    more = 0
    for gold, text in zip(data.y_true.tolist(), texts.tolist(), strict=True):
        references = (gold,) if isinstance(gold, str) else gold
        if text not in references:
            more += loose(text) in map(loose, references)
    return 2 * more > len(texts)


def _are_of_no_class(metric: Metric, data: Data) -> bool:
    """Whether nothing says which class one score per row is of.

    The metrics of scikit-learn take it for one of the positive class, which the settings name
    (`metrics.metric.with_positive_last`). An organizer's function knows best what it is.
    """
    return metric.positive is None and any(y_pred.ndim == 1 for y_pred in data.y_preds)


def _are_of_the_other(data: Data, scores: Array) -> bool:
    """Whether scores [n] or [n, 2] are surely higher where the class is not the one they are of.

    That is the class that sorts last. Of a large test set, evenly spaced examples tell.
    """
    step = slice(None, None, 1 + len(scores) // _ENOUGH)
    values = scores[step] if scores.ndim == 1 else scores[step, 1]
    is_positive = data.y_true[step] == classes_of(data)[-1]
    high = values[is_positive]
    low = np.sort(values[~is_positive])
    if min(high.size, low.size) < _FEW_NUMBERS // 2:
        return False
    below = np.searchsorted(low, high) + np.searchsorted(low, high, "right")
    error = np.sqrt((1 / high.size + 1 / low.size) / 12)
    return bool(below.mean() / (2 * low.size) < 0.5 - SURELY * error)


def _are_of_others(data: Data, scores: Array) -> bool:
    """Whether the columns of scores [n, classes] tell the classes apart in another order."""
    return scores.ndim == 2 and _are_renamed(data, classes_of(data)[scores.argmax(axis=1)])


def _moved(data: Data) -> Bools:
    """Return of which entries [m] more than half of the spans match only if moved by one."""
    gold = _spans_with_rows(data.y_true)

    def matches(spans: set[Any], start: int = 0, end: int = 0) -> int:
        moved = {(row, a + start, b + end, kind) for row, a, b, kind in spans}
        return len(gold & moved)

    match_moved = []
    for y_pred in data.y_preds:
        spans = _spans_with_rows(y_pred)
        most = max(matches(spans, *move) for move in _MOVES)
        match_moved.append(most > max(matches(spans), len(spans) / 2))
    return np.array(match_moved)


def _spans_with_rows(column: Array) -> set[Any]:
    """Return the spans of a column [n], each behind the number of its row."""
    return {(row, *span) for row, spans in enumerate(column.tolist()) for span in spans}


def numbered(tables: Sequence[Mapping[str, Array]]) -> list[Array]:
    """Return tables of texts as numbers, [n, columns] each: equal texts are equal numbers.

    A column that a table lacks becomes −1.
    """
    codes: dict[str, int] = {}
    columns = sorted({name for table in tables for name in table})
    n = len(next(iter(tables[0].values())))
    numbered = [np.full((n, len(columns)), -1, np.intp) for _ in tables]
    for table, numbers in zip(tables, numbered, strict=True):
        for place, name in enumerate(columns):
            if name in table:
                texts = map(str, table[name].tolist())
                numbers[:, place] = [codes.setdefault(text, len(codes)) for text in texts]
    return numbered


def _disagreements(y_preds: Sequence[Array], grouping: Grouping) -> Ints:
    """Count examples with different predictions, [m, m]; all if only one has a score of each label.

    Each of the predictions is [n] or [n, columns].
    """
    n = len(y_preds[0])
    dimensions = [y_pred.ndim for y_pred in y_preds]
    differ = np.full((len(y_preds), len(y_preds)), n, np.intp)
    for dimension in {*dimensions}:
        entries = np.flatnonzero(np.array(dimensions) == dimension)
        chosen = [y_preds[entry] for entry in entries.tolist()]
        step = max(1, _CELLS // sum(y_pred[:1].size for y_pred in chosen))
        counts = np.zeros((len(entries), len(entries)), np.intp)
        for begin in range(0, n, step):
            part = slice(begin, begin + step)
            predictions = np.stack([y_pred[part] for y_pred in chosen])
            counts += _differing(predictions, grouping.take(part))
        differ[np.ix_(entries, entries)] = counts
    return differ


def _differing(y_preds: Array, grouping: Grouping) -> Ints:
    """Count the examples with different predictions, [m, m]; ``y_preds`` are [m, n, …]."""
    if y_preds.ndim == 2 and y_preds.dtype.kind in "iub":
        labels = distinct(y_preds.ravel())
        if labels.size <= _FEW:
            # Single precision holds the counts: a part has fewer than 2^24 rows.
            kind = np.float32 if grouping.sizes is None else np.float64
            same = np.zeros((len(y_preds), len(y_preds)), kind)
            for label in labels:
                indicator = (y_preds == label).astype(kind)
                counted = indicator if grouping.sizes is None else indicator * grouping.sizes
                same += counted @ indicator.T
            return np.asarray(grouping.examples - same, np.intp)
    differ = np.zeros((len(y_preds), len(y_preds)), np.intp)
    missing = y_preds != y_preds  # nan is nan
    for entry in range(1, len(y_preds)):
        unequal = y_preds[:entry] != y_preds[entry]
        if missing[entry].any():
            unequal &= ~(missing[:entry] & missing[entry])
        unequal = unequal.any(axis=2) if unequal.ndim == 3 else unequal
        differ[entry, :entry] = grouping.tally(unequal.T)
    return differ + differ.T


def _trials(metric: Metric, data: Data) -> Ints | None:
    """Return the number of rows of which a score is the share, [m]; None if it is not a share."""
    if metric.evaluation != "sums":
        return None
    params = metric.all_params
    if metric.function in ("accuracy_score", "zero_one_loss", "hamming_loss"):
        return np.full(len(data.y_preds), data.grouping.examples)
    if params.get("average") != "binary":
        return None
    positive = params["pos_label"]
    if metric.function == "precision_score":
        return np.array([data.grouping.tally(y_pred == positive) for y_pred in data.y_preds])
    if metric.function == "recall_score":
        return np.full(len(data.y_preds), data.grouping.tally(data.y_true == positive))
    if metric.function == "specificity_score":
        return np.full(len(data.y_preds), data.grouping.tally(data.y_true != positive))
    return None


def _minority(metric: Metric, data: Data) -> int:
    """Count the examples of the rarest class, among those that the metric looks at.

    A class that is declared, or that an entry predicts, may have none.
    """
    present = distinct(data.y_true).tolist()
    size = {label: data.grouping.tally(data.y_true == label) for label in present}
    return int(min(size.get(label, 0) for label in _classes(metric, data)))


def _classes(metric: Metric, data: Data) -> set[Any]:
    """Return the classes that a metric looks at, declared or seen."""
    of_interest = metric.all_params.get("labels")
    if of_interest is not None:
        return set(of_interest)
    classes = set(distinct(data.y_true).tolist())
    if data.labels is not None:
        classes |= set(data.labels.tolist())
    if metric.kind == "labels":
        classes |= {*label_set(data).tolist()}
    return classes


def _averages(metric: Metric, data: Data) -> bool:
    """Whether a score is a mean over classes; with two classes, a score has one of them."""
    if metric.function == "balanced_accuracy_score":
        return True
    several = metric.kind == "labels" or len(_classes(metric, data)) > 2
    return several and metric.all_params.get("average") == "macro"
