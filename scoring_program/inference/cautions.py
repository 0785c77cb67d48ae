"""Warnings about the results, each with its number; a healthy competition has none.

The limits come from simulated coverage: 95% intervals of F1 with 5 / 10 / 20 / 50 positives cover
.91 / .94 / .95 / .95, of AUC .76 / .85 / .91 / .94; with 20 groups percentile intervals cover .92.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ..core.arrays import Bools, Ints
from ..core.lookalikes import lookalikes
from ..core.notes import Note
from ..metrics import Metric
from . import outright
from .analysis import CORRECTIONS, Caution
from .basis import Basis
from .comparisons import Comparisons, skewness
from .entry_intervals import EntryIntervals
from .inputs import Bootstrap, MetricScores

FEW_MINORITY_RED, FEW_MINORITY_AMBER, FEW_MINORITY_AMBER_SCORES = 10, 30, 50
FEW_GROUPS_RED, FEW_GROUPS_AMBER = 20, 50
FEW_EXAMPLES = 100
FEW_DISAGREEMENTS = 10
SKEWED = 0.1


def cautions_of(
    basis: Basis, entries: EntryIntervals, against: Comparisons, pairs: Comparisons
) -> tuple[Caution, ...]:
    """Return every caution about one metric, red ones first.

    ``against`` compares the reference with the m entries in their order; ``pairs`` compares all.
    A caution that concerns only baselines is amber. If the tie rule uses p-values, the page shows
    the p-values of all pairs, adjusted as one family; otherwise only those against the leader.
    Neither family contains comparisons with baselines.
    """
    scores, field = basis.scores, basis.field
    rivals = int(np.count_nonzero(field.competing))
    size, family = rivals * (rivals - 1) // 2, Note("cautions.family_of_pairs")
    if basis.settings.tie_rule not in CORRECTIONS:
        size = rivals - int(field.competing[against.first[0]])
        family = Note("cautions.family_of_leader")
    disagreements = None if scores.diagnostics is None else scores.diagnostics.disagreements
    found = [
        *_about_sample(scores, field.competing),
        *_about_resamples(scores, field.competing),
        *_about_disagreements(scores.names, against, disagreements),
        *_about_skewness(scores.names, against, basis.bootstrap),
        *_about_counting(size, family, basis.bootstrap.resamples, basis.alpha),
        *_about_scores(scores.metric, scores.names, entries.used),
        *_about_pairs(scores.names, pairs, disagreements),
        *_about_names(scores.names),
        *_about_enormous_errors(basis),
    ]
    return tuple(sorted(found, key=lambda caution: caution.level != "red"))


def _about_enormous_errors(basis: Basis) -> Iterator[Caution]:
    """Warn if there are too few resamples to see through enormous errors."""
    needed = outright.needed_resamples(basis)
    if needed is not None:
        resamples = basis.bootstrap.resamples
        yield Caution(
            "amber", "enormous_errors", needed, {"resamples": resamples, "needed": needed}
        )


def _about_sample(scores: MetricScores, competing: Bools) -> Iterator[Caution]:
    """Warn about few examples, few groups or few examples of the rarest class."""
    metric, diagnostics, groups, n = scores.metric, scores.diagnostics, scores.groups, scores.n
    minority = None if diagnostics is None else diagnostics.minority
    what = "counted.minority_examples"
    if scores.correct is not None:
        minority = int(np.count_nonzero(~scores.correct[:, competing], axis=0).min())
        what = "counted.errors"
    if minority is not None:
        enough = FEW_MINORITY_AMBER_SCORES if metric.kind == "scores" else FEW_MINORITY_AMBER
        if minority < enough:
            few = minority < FEW_MINORITY_RED
            yield Caution(
                "red" if few else "amber",
                "few_minority_examples",
                minority,
                {
                    "examples": Note(what, {"count": minority}),
                    "limit": FEW_MINORITY_RED if few else enough,
                    "metric": metric.name,
                },
            )
    if groups is not None and groups < FEW_GROUPS_AMBER:
        few = groups < FEW_GROUPS_RED
        yield Caution(
            "red" if few else "amber",
            "few_groups",
            groups,
            {"count": groups, "limit": FEW_GROUPS_RED if few else FEW_GROUPS_AMBER},
        )
    if n < FEW_EXAMPLES:
        yield Caution("amber", "few_examples", n, {"count": n, "limit": FEW_EXAMPLES})


def _about_resamples(scores: MetricScores, competing: Bools) -> Iterator[Caution]:
    """Warn about resamples on which the metric is undefined."""
    metric, names, replicates = scores.metric, scores.names, scores.replicates
    undefined, zero_divisions = replicates.undefined, replicates.zero_divisions
    drawn = len(replicates.values) + undefined
    if undefined:
        yield Caution(
            "red",
            "undefined_resamples",
            undefined,
            {"count": undefined, "resamples": drawn, "metric": metric.name},
        )
    if zero_divisions is None:
        return
    for level, concerned in (("red", competing), ("amber", ~competing)):
        entries = np.flatnonzero(concerned & (zero_divisions > 0))
        if entries.size:
            most = int(zero_divisions[entries].max())
            yield Caution(
                level,
                "zero_divisions",
                most,
                {
                    "entries": tuple(names[int(i)] for i in entries),
                    "times": most,
                    "resamples": drawn,
                    "metric": metric.name,
                },
            )


def _about_counting(size: int, family: Note, resamples: int, alpha: float) -> Iterator[Caution]:
    """Warn if even the smallest counted p-value cannot be significant after correction."""
    smallest = min(size / (resamples + 1), 1.0)
    if smallest > alpha:
        yield Caution(
            "amber",
            "counted_p_values",
            smallest,
            {
                "count": size,
                "family": family,
                "resamples": resamples,
                "smallest": float(f"{smallest:.2g}"),
                "alpha": float(f"{alpha:g}"),
            },
        )


def _about_scores(
    metric: Metric, names: Sequence[str], interval_used: Sequence[str]
) -> Iterator[Caution]:
    """Warn about entries that have no interval."""
    without = [name for name, used in zip(names, interval_used, strict=True) if used == "none"]
    if without:
        yield Caution(
            "amber",
            "no_interval",
            len(without),
            {"count": len(without), "entries": tuple(without), "metric": metric.name},
        )


def _about_disagreements(
    names: Sequence[str], against: Comparisons, disagreements: Ints | None
) -> Iterator[Caution]:
    """Warn about comparisons with the reference that depend on few examples."""
    if disagreements is None:
        return
    reference = int(against.first[0])
    rows = disagreements[reference]
    few = np.flatnonzero(
        (against.first != against.second) & (rows > 0) & (rows < FEW_DISAGREEMENTS)
    )
    if few.size:
        fewest = int(rows[few].min())
        yield Caution(
            "red",
            "few_disagreements",
            fewest,
            {
                "reference": names[reference],
                "entries": tuple(names[int(i)] for i in few),
                "limit": FEW_DISAGREEMENTS,
                "fewest": fewest,
            },
        )


def _about_skewness(
    names: Sequence[str], against: Comparisons, bootstrap: Bootstrap
) -> Iterator[Caution]:
    """Warn about comparisons with the reference whose replicates are skewed."""
    skewed_by = skewness(bootstrap, against)
    # The skewness of the replicates is that of the per-example differences over √n, plus noise.
    excess = np.abs(skewed_by) - 2 * math.sqrt(6 / bootstrap.resamples)
    skewed = np.flatnonzero((against.first != against.second) & (excess > SKEWED))
    if skewed.size:
        most = int(skewed[np.argmax(np.abs(skewed_by[skewed]))])
        yield Caution(
            "amber",
            "skewed_differences",
            float(skewed_by[most]),
            {
                "reference": names[int(against.first[0])],
                "entries": tuple(names[int(i)] for i in skewed),
                "skewness": round(float(skewed_by[most]), 2),
                "most": names[most],
            },
        )


def _about_pairs(
    names: Sequence[str], pairs: Comparisons, disagreements: Ints | None
) -> Iterator[Caution]:
    """Warn about identical submissions, and about differences that no resample changes."""
    unchanging = pairs.standard_error == 0
    same = unchanging & (pairs.observed == 0)
    if disagreements is not None:
        same &= disagreements[pairs.first, pairs.second] == 0
    constant = unchanging & ~same
    if number := int(np.count_nonzero(same)):
        yield Caution(
            "amber",
            "identical_predictions",
            number,
            {"count": number, "pairs": _named(names, pairs, same)},
        )
    if number := int(np.count_nonzero(constant)):
        yield Caution(
            "amber",
            "constant_difference",
            number,
            {"count": number, "pairs": _named(names, pairs, constant)},
        )


def _about_names(names: Sequence[str]) -> Iterator[Caution]:
    """Warn about entries whose names look alike."""
    if groups := lookalikes(names):
        listed = tuple(Note("list", {"first": alike[:-1], "last": alike[-1]}) for alike in groups)
        yield Caution("amber", "lookalike_names", len(groups), {"groups": listed})


def _named(names: Sequence[str], pairs: Comparisons, marked: Bools) -> tuple[Note, ...]:
    return tuple(
        Note("list", {"first": names[i], "last": names[j]})
        for i, j in zip(pairs.first[marked], pairs.second[marked], strict=True)
    )
