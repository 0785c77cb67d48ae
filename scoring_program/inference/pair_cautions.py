"""Cautions about comparisons: those with the leader, and the others that decide who may be best.

A run that is not shown has no name on the page: it is another run of its team.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ..core.arrays import Bools, Floats
from ..core.notes import Note, Value
from ..scoring.diagnostics import Diagnostics
from .analysis import Caution
from .basis import Basis
from .comparisons import Moments, moments, skewness
from .deciding import Deciding
from .inputs import MetricScores
from .reference_comparisons import References
from .significance import mcnemar

FEW_DISAGREEMENTS = 10
SKEWED = 0.1
#: From this excess kurtosis of the per-example difference over N, a handful of examples decides it.
DECIDED_BY_FEW = 0.3


def about_comparisons(
    basis: Basis, references: References, deciding: Deciding, spoken_of: Bools
) -> Iterator[Caution]:
    """Warn about comparisons that depend on few examples, are skewed, or have heavy tails.

    The comparisons are those with the leader and, if it is another entry, with the one that was
    fixed in advance; and the pairs of runs that decide about teams and are not among these.
    """
    both = {one.entry: one.comparisons for one in (references.leader, references.shown)}
    names = run_names(basis)
    for compared in both.values():
        yield from _about_disagreements(basis, compared, names, spoken_of)
        yield from _about_tails(basis, compared, names, spoken_of)
    runs, of_runs = basis.of_every_run, spoken_of[basis.entry_of]
    for better in np.unique(deciding.better).tolist():
        worse = deciding.worse[deciding.better == better]
        if better in both:
            worse = worse[worse >= basis.observed.size]
        if worse.size:
            first = np.full_like(worse, better)
            against = moments(runs.bootstrap, first, worse)
            yield from _about_disagreements(basis, against, names, of_runs)
            yield from _about_tails(runs, against, names, of_runs)


def run_names(basis: Basis) -> tuple[Value, ...]:
    """Return what the entries and, after them, the hidden runs are called, [k]."""
    shown = basis.scores.names
    hidden = [shown[entry] for entry in basis.entry_of[len(shown) :]]
    return (*shown, *(Note("cautions.other_run", {"entry": name}) for name in hidden))


def by_level(marked: Bools, spoken_of: Bools) -> Iterator[tuple[str, Bools]]:
    """Yield the level of a serious caution, and those of the ``marked`` runs that it is about."""
    for level, concerned in (("red", marked & spoken_of), ("amber", marked & ~spoken_of)):
        if concerned.any():
            yield level, concerned


def named(names: Sequence[Value], marked: Bools) -> tuple[Value, ...]:
    """Return the names of the ``marked`` runs."""
    return tuple(names[int(i)] for i in np.flatnonzero(marked))


def _about_disagreements(
    basis: Basis, against: Moments, names: Sequence[Value], spoken_of: Bools
) -> Iterator[Caution]:
    """Warn about comparisons with a reference that depend on few examples.

    McNemar's exact test needs no more of them, so pairs that it separates are left out.
    """
    reference, others = int(against.first[0]), [names[i] for i in against.second]
    rows = np.zeros(len(others), np.intp)
    few = np.zeros(len(others), np.bool_)
    for place, other in enumerate(against.second.tolist()):
        found = _of_pair(basis.scores, reference, other)
        if found is not None:
            facts, first, second = found
            rows[place] = facts.disagreements[first, second]
            if 0 < rows[place] < FEW_DISAGREEMENTS:
                few[place] = not _separated(basis, facts.correct, first, second)
    for level, concerned in by_level(few, spoken_of[against.second]):
        fewest = int(rows[concerned].min())
        yield Caution(
            level,
            "few_disagreements",
            fewest,
            {
                "reference": names[reference],
                "entries": named(others, concerned),
                "limit": FEW_DISAGREEMENTS,
                "fewest": fewest,
            },
        )


def _of_pair(scores: MetricScores, i: int, j: int) -> tuple[Diagnostics, int, int] | None:
    """Return diagnostics, and the numbers that two runs have there; None if there are none."""
    if max(i, j) < len(scores.names):
        return None if scores.diagnostics is None else (scores.diagnostics, i, j)
    if scores.hidden is None or scores.hidden.between is None:
        return None
    return scores.hidden.between(i, j), 0, 1


def _separated(basis: Basis, correct: Bools | None, first: int, second: int) -> bool:
    """Return whether McNemar's exact test separates two runs; never without accuracy."""
    if correct is None or basis.scores.groups is not None:
        return False
    only_first = int(np.count_nonzero(correct[:, first] & ~correct[:, second]))
    only_second = int(np.count_nonzero(correct[:, second] & ~correct[:, first]))
    return mcnemar(only_first, only_second)[0] < basis.alpha


def _about_tails(
    basis: Basis, against: Moments, names: Sequence[Value], spoken_of: Bools
) -> Iterator[Caution]:
    """Warn about comparisons with a reference that are skewed, or decided by a few units."""
    reference, others = names[int(against.first[0])], [names[i] for i in against.second]
    skewed_by, excess = _skewness(basis, against)
    decided = np.zeros(len(others), np.bool_)
    if basis.tails is not None:
        kurtosis = basis.tails.kurtosis[against.first, against.second]
        decided = kurtosis > DECIDED_BY_FEW
        for level, concerned in by_level(decided, spoken_of[against.second]):
            most = int(np.argmax(np.where(concerned, kurtosis, -np.inf)))
            number = round(float(kurtosis[most]), 2)
            yield Caution(
                level,
                "heavy_tails",
                number,
                {
                    "reference": reference,
                    "entries": named(others, concerned),
                    "kurtosis": number,
                    "most": others[most],
                },
            )
    skewed = ~decided & (excess > SKEWED)
    if skewed.any():
        most = int(np.argmax(np.where(skewed, np.abs(skewed_by), -np.inf)))
        yield Caution(
            "amber",
            "skewed_differences",
            float(skewed_by[most]),
            {
                "reference": reference,
                "entries": named(others, skewed),
                "skewness": round(float(skewed_by[most]), 2),
                "limit": SKEWED,
                "most": others[most],
            },
        )


def _skewness(basis: Basis, against: Moments) -> tuple[Floats, Floats]:
    """Return the skewness [k] of the resampled differences, and its size without noise.

    It is that of the differences of single units over √N. Without influence values it is counted
    on the resamples, with noise.
    """
    counted = skewness(basis.bootstrap, against)
    excess = np.abs(counted) - 2 * math.sqrt(6 / basis.bootstrap.resamples)
    if basis.tails is None:
        return counted, excess
    exact = basis.tails.skewness[against.first, against.second]
    known = np.isfinite(exact)
    return np.where(known, exact, counted), np.where(known, np.abs(exact), excess)
