"""Leaves out the entries that cannot be scored, with the reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..alignment.competition import Competition, Part, Unscored, Unusable
from ..alignment.entry import Entry
from ..alignment.expected import Target
from ..alignment.gold import gold_numbers
from ..core import cells
from ..core.arrays import Array
from ..core.errors import MetricError, SettingsError, SubmissionError, listed
from ..core.notes import LeftAside
from ..core.phrases import Phrase, joined, verbatim
from ..metrics import without_formulas
from ..metrics.statistics import Counting
from ..reading.formats import KINDS
from ..reading.layout import SINGLE
from .bind import HERE
from .bind_parts import SUBMISSION, Failures, bind_parts, bind_where_possible
from .scored_competition import ScoredCompetition
from .scored_metric import ScoredMetric, keep, leave_out
from .scorer import Failure


def score_usable_entries(competition: Competition, counting: Counting = HERE) -> ScoredCompetition:
    """Bind every metric to all entries, score them, and leave out what has no score.

    An entry for which one metric has no value keeps its other metrics.

    Raises
    ------
    SubmissionError
        The single submission has no score, although the gold would have one.
    MetricError
        A metric can score no entry, or the single submission has none, and neither would the gold.
    """
    if not competition.names:
        return ScoredCompetition(competition, ())
    _check_parts(competition)
    failures: Failures = {}
    try:
        bound = bind_parts(competition, counting)
    except (SubmissionError, MetricError):
        # One entry's predictions make binding fail. Without it, the others can be bound.
        bound, failures = bind_where_possible(competition)
    # Other participants may read messages about an entry, so they hold no names.
    unnamed = [SUBMISSION] * len(competition.names)
    scored = tuple(keep(part, range(len(unnamed)), unnamed) for part in bound)
    for item in (item for part in scored for item in part):
        failures.setdefault(item.metric.name, {}).update(_failures(item))
    if not any(failures.values()):
        return ScoredCompetition(competition, scored)
    lost = _lost(competition, failures)
    unscored = (*competition.unscored, *_unscored(competition, failures, lost))
    kept = [entry for entry in range(len(unnamed)) if entry not in lost]
    competition = _without(replace(competition, unscored=unscored), lost)
    if not kept:
        return ScoredCompetition(competition, ())
    _check_parts(competition)
    scored = tuple(leave_out(part, failures, unnamed) for part in scored)
    return ScoredCompetition(competition, tuple(keep(part, kept, unnamed) for part in scored))


def _check_parts(competition: Competition) -> None:
    """Raise SubmissionError if a task has no entries, SettingsError if its metrics may not fit."""
    for part in competition.parts:
        if not part.present:
            if competition.form == "teams":
                _refuse_numbers_as_classes(part)
            here = (item for item in competition.unscored if item.where == part.name)
            unscored = (Unusable(competition.names[item.entry], item.reason) for item in here)
            reasons = dict.fromkeys(
                item.named for item in (*competition.unusable, *competition.withheld, *unscored)
            )
            nobody = verbatim(f"no submission can be scored in the task {part.name!r}")
            raise SubmissionError(joined([nobody, *reasons]))


def _refuse_numbers_as_classes(part: Part) -> None:
    """Raise SettingsError if metrics take numbers for classes, which nobody predicts exactly."""
    for target in part.expected.targets:
        if (
            target.kind == "labels"
            and not part.expected.labels_are_public
            and cells.is_quantity(part.gold.columns[target.column])
        ):
            own = [metric.name for metric in without_formulas(part.metrics)]
            raise SettingsError(
                f"{part.gold.file}: {part.gold.name_for_messages(target.column)} holds numbers, "
                f"which a metric here takes for classes ({listed(own)}), and nobody's predictions "
                "are all among them; say with 'task:' which tasks each metric scores, or choose a "
                "metric of numbers; if these are classes, list them in the setting 'labels'"
            )


def nameless(unusable: Sequence[Unusable]) -> tuple[Unusable, ...]:
    """Return unusable submissions under numbers."""
    return tuple(
        Unusable(f"Unusable {number}", item.reason) for number, item in enumerate(unusable, 1)
    )


def nameless_aside(left_aside: Sequence[LeftAside]) -> tuple[LeftAside, ...]:
    """Return uploads that were left aside under numbers."""
    return tuple(LeftAside(f"Upload {k}", item.reason) for k, item in enumerate(left_aside, 1))


def _failures(item: ScoredMetric) -> dict[int, Failure]:
    """Return why entries have no usable score by a metric: entry → reason."""
    observation = item.scorer.observation
    failures = {item.entries[row]: failure for row, failure in observation.failures.items()}
    for row in np.flatnonzero(abs(observation.values) >= cells.LARGEST).tolist():
        out_of_proportion = SubmissionError(
            Phrase(
                "the {label} of {entry} is {score}, too large to be right: look for numbers in a "
                "wrong unit",
                label=item.metric.label,
                entry=SUBMISSION,
                score=f"{observation.values[row]:.3g}",
            )
        )
        failures.setdefault(item.entries[row], out_of_proportion)
    return failures


def _lost(competition: Competition, failures: Failures) -> dict[int, Failure]:
    """Return the entries that no metric can score: entry → the first reason.

    Where a metric can score nobody, everybody is lost. Raises the failure if it ends the run: that
    of a single submission, or of a metric that could not even score the gold.
    """
    for failed in failures.values():
        for entry, failure in sorted(failed.items()):
            if competition.form == "single" or entry == competition.focus:
                _blame_predictions(failure, competition)
                raise failure
    scorable: Counter[int] = Counter()
    for part in competition.parts:
        for metric in part.metrics:
            failed = failures.get(metric.name, {})
            scorable.update(entry for entry in part.present if entry not in failed)
            if len(failed) == len(part.present):
                last = failed[part.present[-1]]
                if isinstance(last, MetricError) and not _scores_gold(competition):
                    raise last  # the metric itself is at fault
                return failed
    return {
        entry: next(failed[entry] for failed in failures.values() if entry in failed)
        for entry in range(len(competition.names))
        if not scorable[entry]
    }


def _unscored(
    competition: Competition, failures: Failures, lost: Mapping[int, Failure]
) -> Iterator[Unscored]:
    """Yield what the remaining entries lack; metrics that fail for one reason come together."""
    label = {metric.name: metric.label for part in competition.parts for metric in part.metrics}
    labels: dict[tuple[int, Phrase], list[str]] = {}
    for name, failed in failures.items():
        for entry, failure in failed.items():
            labels.setdefault((entry, failure.reason), []).append(label[name])
    for (entry, reason), where in sorted(labels.items()):
        # A participant must not learn what the field lacks.
        if entry not in lost and competition.focus is None:
            yield Unscored(entry, ", ".join(where), reason)


def _without(competition: Competition, lost: Mapping[int, Failure]) -> Competition:
    """Return the competition without the entries that no metric can score; they are unusable."""
    names = competition.names
    left_out = [Unusable(names[entry], lost[entry].reason) for entry in sorted(lost)]
    kept = [entry for entry in range(len(names)) if entry not in lost]
    competition = competition.keep(kept, [names[entry] for entry in kept])
    if competition.focus is not None:
        return replace(competition, withheld=(*competition.withheld, *left_out))
    return replace(competition, unusable=(*competition.unusable, *left_out))


def _blame_predictions(failure: Failure, competition: Competition) -> None:
    """Raise SubmissionError for a metric's failure that predictions have caused."""
    if isinstance(failure, MetricError) and _scores_gold(competition):
        raise SubmissionError(
            Phrase(
                "{problem}. The metric can score other predictions, but has no value for these.",
                problem=failure.reason,
            )
        ) from failure


def _scores_gold(competition: Competition) -> bool:
    """Whether the metrics can score predictions that are the gold itself.

    The organizer has to fix an own function that fails, for every prediction.
    """
    metrics = [metric for part in competition.parts for metric in without_formulas(part.metrics)]
    if any(metric.call or metric.kind in KINDS for metric in metrics):
        return False  # of other kinds than rows, every metric scores everything
    perfect = tuple(replace(part, entries=(_perfect(part),)) for part in competition.parts)
    try:
        bound = bind_parts(replace(competition, parts=perfect))
        return not any(_failures(item) for part in bound for item in part)
    except (SubmissionError, MetricError):
        return False


def _perfect(part: Part) -> Entry:
    """Return an entry that predicts the gold."""
    predictions: dict[Target, Array] = {}
    for target, labels in part.expected.targets.items():
        if target.kind == "numbers":
            predictions[target] = gold_numbers(part.gold, target.column)
        elif target.kind == "labels":
            predictions[target] = part.labels[target.column]
        else:
            predictions[target] = (part.labels[target.column][:, None] == np.array(labels)) * 1.0
    gold = part.gold
    return Entry(SINGLE, predictions, gold.columns, gold.sha256, whole=gold.whole)
