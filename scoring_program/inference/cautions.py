"""Warnings about the evidence, each with its number; none for a healthy competition.

The limits come from simulated coverage: 95% intervals of F1 with 5 / 10 / 20 / 50 positives cover
.91 / .94 / .95 / .95, of AUC .76 / .85 / .91 / .94; with 20 groups percentile intervals cover .92.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ..core.arrays import Bools, Floats, Ints
from ..core.notes import Note
from .analysis import CORRECTIONS, Warned
from .comparisons import Comparisons
from .inputs import EvidenceLike, MetricLike

FEW_MINORITY_RED, FEW_MINORITY_AMBER, FEW_MINORITY_AMBER_SCORES = 10, 30, 50
FEW_GROUPS_RED, FEW_GROUPS_AMBER = 20, 50
FEW_EXAMPLES = 100
FEW_DISAGREEMENTS = 10
SKEWED = 0.1


def cautions(
    metric: MetricLike,
    names: Sequence[str],
    *,
    n: int,
    groups: int | None,
    alpha: float,
    tie_rule: str,
    resamples: int,
    undefined: int,
    zero_divisions: Ints | None,
    competing: Bools,
    interval_used: Sequence[str],
    evidence: EvidenceLike | None,
    against: Comparisons,
    skewness: Floats,
    pairs: Comparisons,
) -> tuple[Warned, ...]:
    """Return every warning about one metric, red ones first.

    ``against`` compares the reference with the m entries in their order, ``skewness`` [m] is that
    of the replicates of these differences; ``pairs`` compares all pairs;
    ``resamples`` were used, ``zero_divisions`` [m] of them with a ``zero_division`` value;
    ``undefined`` were left out. What only concerns entries that are not ``competing`` [m], the
    baselines, is no grave matter. Where the tie rule counts p-values, those of all pairs are
    shown adjusted in one family; else only those against the leader are. Comparisons with baselines
    are in neither.
    """
    rivals = int(np.count_nonzero(competing))
    others = rivals - int(competing[against.first[0]])
    disagreements = None if evidence is None else evidence.disagreements
    found = [
        *_about_sample(metric, n, groups, evidence, competing),
        *_about_resamples(metric, names, undefined, zero_divisions, competing, resamples),
        *_about_comparisons(names, against, skewness, disagreements, resamples),
        *_about_counting(
            *(
                (rivals * (rivals - 1) // 2, Note("cautions.family_of_pairs"))
                if tie_rule in CORRECTIONS
                else (others, Note("cautions.family_of_leader"))
            ),
            resamples,
            alpha,
        ),
        *_about_scores(metric, names, interval_used),
        *_about_pairs(names, pairs, disagreements),
    ]
    return tuple(sorted(found, key=lambda warned: warned.level != "red"))


def _about_sample(
    metric: MetricLike,
    n: int,
    groups: int | None,
    evidence: EvidenceLike | None,
    competing: Bools,
) -> Iterator[Warned]:
    """Warn of few examples, few groups, few examples of the rarest class."""
    minority = None if evidence is None else evidence.minority
    what = "counted.minority_examples"
    if evidence is not None and evidence.correct is not None:
        minority = int(np.count_nonzero(~evidence.correct[:, competing], axis=0).min())
        what = "counted.errors"
    if minority is not None:
        enough = FEW_MINORITY_AMBER_SCORES if metric.kind == "scores" else FEW_MINORITY_AMBER
        if minority < enough:
            few = minority < FEW_MINORITY_RED
            yield Warned(
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
        yield Warned(
            "red" if few else "amber",
            "few_groups",
            groups,
            {"count": groups, "limit": FEW_GROUPS_RED if few else FEW_GROUPS_AMBER},
        )
    if n < FEW_EXAMPLES:
        yield Warned("amber", "few_examples", n, {"count": n, "limit": FEW_EXAMPLES})


def _about_resamples(
    metric: MetricLike,
    names: Sequence[str],
    undefined: int,
    zero_divisions: Ints | None,
    competing: Bools,
    used: int,
) -> Iterator[Warned]:
    """Warn of resamples on which the metric is undefined."""
    if undefined:
        yield Warned(
            "red",
            "undefined_resamples",
            undefined,
            {"count": undefined, "resamples": used + undefined, "metric": metric.name},
        )
    if zero_divisions is None:
        return
    for level, concerned in (("red", competing), ("amber", ~competing)):
        entries = np.flatnonzero(concerned & (zero_divisions > 0))
        if entries.size:
            most = int(zero_divisions[entries].max())
            yield Warned(
                level,
                "zero_divisions",
                most,
                {
                    "entries": tuple(names[int(i)] for i in entries),
                    "times": most,
                    "resamples": used + undefined,
                    "metric": metric.name,
                },
            )


def _about_counting(size: int, family: Note, resamples: int, alpha: float) -> Iterator[Warned]:
    """Warn where the smallest counted p-value cannot survive Bonferroni or Holm."""
    smallest = min(size / (resamples + 1), 1.0)
    if smallest > alpha:
        yield Warned(
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
    metric: MetricLike, names: Sequence[str], interval_used: Sequence[str]
) -> Iterator[Warned]:
    """Warn of entries for which no interval can be given."""
    without = [name for name, used in zip(names, interval_used, strict=True) if used == "none"]
    if without:
        yield Warned(
            "amber",
            "no_interval",
            len(without),
            {"count": len(without), "entries": tuple(without), "metric": metric.name},
        )


def _about_comparisons(
    names: Sequence[str],
    against: Comparisons,
    skewness: Floats,
    disagreements: Ints | None,
    resamples: int,
) -> Iterator[Warned]:
    """Warn of comparisons with the reference that rest on few examples or on a skewed few."""
    others = against.first != against.second
    chosen = int(against.first[0])
    reference = names[chosen]
    if disagreements is not None:
        rows = disagreements[chosen]
        few = np.flatnonzero(others & (rows > 0) & (rows < FEW_DISAGREEMENTS))
        if few.size:
            fewest = int(rows[few].min())
            yield Warned(
                "red",
                "few_disagreements",
                fewest,
                {
                    "reference": reference,
                    "entries": tuple(names[int(i)] for i in few),
                    "limit": FEW_DISAGREEMENTS,
                    "fewest": fewest,
                },
            )
    # The skewness of the replicates is that of the per-example differences over √n, plus noise.
    excess = np.abs(skewness) - 2 * math.sqrt(6 / resamples)
    skewed = np.flatnonzero(others & (excess > SKEWED))
    if skewed.size:
        most = int(skewed[np.argmax(np.abs(skewness[skewed]))])
        yield Warned(
            "amber",
            "skewed_differences",
            float(skewness[most]),
            {
                "reference": reference,
                "entries": tuple(names[int(i)] for i in skewed),
                "skewness": round(float(skewness[most]), 2),
                "most": names[most],
            },
        )


def _about_pairs(
    names: Sequence[str], pairs: Comparisons, disagreements: Ints | None
) -> Iterator[Warned]:
    """Warn of identical submissions, and of differences that no resample changes."""
    unchanging = pairs.standard_error == 0
    same = unchanging & (pairs.observed == 0)
    if disagreements is not None:
        same &= disagreements[pairs.first, pairs.second] == 0
    constant = unchanging & ~same
    if number := int(np.count_nonzero(same)):
        yield Warned(
            "amber",
            "identical_predictions",
            number,
            {"count": number, "pairs": _named(names, pairs, same)},
        )
    if number := int(np.count_nonzero(constant)):
        yield Warned(
            "amber",
            "constant_difference",
            number,
            {"count": number, "pairs": _named(names, pairs, constant)},
        )


def _named(names: Sequence[str], pairs: Comparisons, chosen: Bools) -> tuple[Note, ...]:
    return tuple(
        Note("list", {"first": names[i], "last": names[j]})
        for i, j in zip(pairs.first[chosen], pairs.second[chosen], strict=True)
    )
