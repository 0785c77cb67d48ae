"""Leaves out the entries that cannot be scored, with the reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..alignment.competition import Competition, Part, Unusable
from ..alignment.entry import Entry
from ..alignment.expected import Target
from ..alignment.gold import gold_numbers
from ..alignment.parts import without_formulas
from ..core import cells
from ..core.arrays import Array
from ..core.errors import MetricError, SubmissionError
from ..core.notes import LeftAside
from ..metrics.statistics import Counting
from ..reading.formats import KINDS
from ..reading.layout import SINGLE
from .bind import HERE
from .bind_parts import bind_parts
from .scored_competition import ScoredCompetition
from .scorer import Failure, Scorer, keep


def score_usable_entries(competition: Competition, counting: Counting = HERE) -> ScoredCompetition:
    """Bind every metric to all entries, score them, and leave out those that have no score.

    Raises
    ------
    SubmissionError
        The single submission has no score, although the gold would have one.
    MetricError
        No entry has a score, or the single submission has none, and neither would the gold.
    """
    if not competition.names:
        return ScoredCompetition(competition, ())
    try:
        scorers = bind_parts(competition, counting)
    except (SubmissionError, MetricError):
        # One entry's predictions make binding fail. Without it, the others can be bound.
        competition = _without(competition, _binding_failures(competition))
        scorers = bind_parts(competition, counting) if competition.names else ()
    # Other participants may read messages about an entry, so they hold no names.
    unnamed = [SINGLE] * len(competition.names)
    scorers = tuple(keep(part, range(len(unnamed)), unnamed) for part in scorers)
    failures = _failures(scorers)
    if not failures:
        return ScoredCompetition(competition, scorers)
    kept = [entry for entry in range(len(unnamed)) if entry not in failures]
    scorers = tuple(keep(part, kept, [SINGLE] * len(kept)) for part in scorers)
    return ScoredCompetition(_without(competition, failures), scorers)


def nameless(unusable: Sequence[Unusable]) -> tuple[Unusable, ...]:
    """Return unusable submissions under numbers."""
    return tuple(
        Unusable(f"Unusable {number}", item.reason) for number, item in enumerate(unusable, 1)
    )


def nameless_aside(left_aside: Sequence[LeftAside]) -> tuple[LeftAside, ...]:
    """Return uploads that were left aside under numbers."""
    return tuple(LeftAside(f"Upload {k}", item.reason) for k, item in enumerate(left_aside, 1))


def _binding_failures(competition: Competition) -> dict[int, Failure]:
    """Return why metrics do not fit entries' predictions: entry → reason."""
    failures: dict[int, Failure] = {}
    for entry in range(len(competition.names)):
        try:
            bind_parts(competition.keep([entry], [SINGLE]))
        except (SubmissionError, MetricError) as failure:
            failures[entry] = failure
    return failures


def _failures(scorers: Sequence[Sequence[Scorer]]) -> dict[int, Failure]:
    """Return why entries have no usable score: entry → the first reason."""
    failures: dict[int, Failure] = {}
    for scorer in (scorer for part in scorers for scorer in part):
        for entry, failure in scorer.observation.failures.items():
            failures.setdefault(entry, failure)
        for entry in np.flatnonzero(abs(scorer.observation.values) >= cells.LARGEST).tolist():
            score = scorer.observation.values[entry]
            out_of_proportion = SubmissionError(
                f"the {scorer.metric.label} of {SINGLE} is {score:.3g}, too large to be "
                "right: look for numbers in a wrong unit"
            )
            failures.setdefault(entry, out_of_proportion)
    return failures


def _without(competition: Competition, failures: Mapping[int, Failure]) -> Competition:
    """Return the competition without the entries that failed, which become unusable.

    Raises the failure if it ends the run: that of a single submission, or of all entries.
    """
    names = competition.names
    for entry, failure in sorted(failures.items()):
        if competition.form == "single" or entry == competition.focus:
            _blame_predictions(failure, competition)
            raise failure
    if len(failures) == len(names):
        last = failures[len(names) - 1]
        if isinstance(last, MetricError) and not _scores_gold(competition):
            raise last  # the metric itself is at fault
    left_out = [Unusable(names[entry], str(failures[entry])) for entry in sorted(failures)]
    kept = [entry for entry in range(len(names)) if entry not in failures]
    competition = competition.keep(kept, [names[entry] for entry in kept])
    if competition.focus is not None:
        return replace(competition, withheld=(*competition.withheld, *left_out))
    return replace(competition, unusable=(*competition.unusable, *left_out))


def _blame_predictions(failure: Failure, competition: Competition) -> None:
    """Raise SubmissionError for a metric's failure that predictions have caused."""
    if isinstance(failure, MetricError) and _scores_gold(competition):
        raise SubmissionError(
            f"{failure}. The metric can score other predictions, but has no value for these."
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
        return not _failures(bind_parts(replace(competition, parts=perfect)))
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
