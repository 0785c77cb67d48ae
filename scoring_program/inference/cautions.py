"""Warnings about the results, each with its number; a healthy competition has none.

The limits come from simulated coverage: 95% intervals of F1 with 5 / 10 / 20 / 50 positives cover
.91 / .94 / .95 / .95, of AUC .76 / .85 / .91 / .94; with 20 groups percentile intervals cover .92.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..core.arrays import Bools, Ints
from ..core.lookalikes import lookalikes
from ..core.notes import Note
from ..metrics import Metric, without_formulas
from . import outright, studentized
from .analysis import CORRECTIONS, Caution
from .basis import Basis
from .comparisons import Comparisons
from .deciding import Deciding
from .entry_intervals import EntryIntervals
from .inputs import MetricScores
from .pair_cautions import about_comparisons, by_level, named, run_names
from .reference_comparisons import References
from .spoken_of import entries_spoken_of

FEW_MINORITY_RED, FEW_MINORITY_AMBER, FEW_MINORITY_AMBER_SCORES = 10, 30, 50
FEW_GROUPS_RED, FEW_GROUPS_AMBER = 20, 100
FEW_EXAMPLES = 100


def cautions_of(
    basis: Basis,
    entries: EntryIntervals,
    references: References,
    deciding: Deciding,
    pairs: Comparisons,
) -> tuple[Caution, ...]:
    """Return every caution about one metric, red ones first.

    ``deciding`` are the comparisons that the page rests on beside those with the leader; ``pairs``
    compares all entries that are shown. A caution that concerns
    only entries that the verdict does not speak of does not weaken it, and is amber. If the tie
    rule uses p-values, the page shows the p-values of all pairs, adjusted as one family; otherwise
    only those against the reference. Neither family contains comparisons with baselines.
    """
    scores, field, against = basis.scores, basis.field, references.shown.comparisons
    spoken_of = entries_spoken_of(basis, references)
    rivals = int(np.count_nonzero(field.competing))
    size, family = rivals * (rivals - 1) // 2, Note("cautions.family_of_pairs")
    if basis.settings.tie_rule not in CORRECTIONS:
        size = rivals - int(field.competing[against.first[0]])
        family = Note("cautions.family_of_leader")
    disagreements = None if scores.diagnostics is None else scores.diagnostics.disagreements
    found = [
        *_about_sample(scores, spoken_of),
        *_about_resamples(basis, deciding, spoken_of),
        *about_comparisons(basis, references, deciding, spoken_of),
        *_about_extremes(scores.metric),
        *_about_counting(size, family, basis.bootstrap.resamples, basis.alpha),
        *_about_scores(scores.metric, scores.names, entries.used),
        *_about_pairs(scores.names, pairs, disagreements),
        *_about_names(scores.names),
        *about_enormous_errors(
            outright.needed_resamples(basis.of_every_run), basis.bootstrap.resamples
        ),
        *about_influence([basis.of_every_run]),
    ]
    return tuple(sorted(found, key=lambda caution: caution.level != "red"))


def about_enormous_errors(needed: int | None, resamples: int) -> Iterator[Caution]:
    """Warn if the resamples are too few to see through enormous errors: ``needed`` says of that."""
    if needed is not None:
        yield Caution(
            "amber", "enormous_errors", needed, {"resamples": resamples, "needed": needed}
        )


def about_influence(bases: Sequence[Basis]) -> Iterator[Caution]:
    """Warn where the rules for few units, heavy tails or enormous errors cannot act.

    ``bases`` are those of the runs that are tested: one, or those of the tasks behind a mean rank.
    """
    needed, basis = max(
        ((basis.resamples_for_influence or 0, basis) for basis in bases), key=lambda found: found[0]
    )
    if needed:
        yield Caution(
            "red",
            "unknown_influence",
            needed,
            {
                "metric": basis.scores.metric.label,
                "resamples": basis.bootstrap.resamples,
                "needed": needed,
            },
        )
    if pairs := sum(studentized.left_out(basis) for basis in bases):
        yield Caution("red", "plain_draws", pairs, {"pairs": pairs})


def _about_extremes(metric: Metric) -> Iterator[Caution]:
    """Warn about a score that a single example decides, for which the bootstrap is inconsistent."""
    if any(one.definition.extreme for one in without_formulas([metric])):
        yield Caution("red", "single_example", 1, {"metric": metric.name})


def _about_sample(scores: MetricScores, spoken_of: Bools) -> Iterator[Caution]:
    """Warn about few examples, few groups or few examples of the rarest class."""
    yield from _about_minority(scores, spoken_of)
    groups, n = scores.groups_in_effect, scores.n
    if groups is not None and groups < FEW_GROUPS_AMBER:
        few = groups < FEW_GROUPS_RED
        shown, number = round(groups, 1), scores.groups or 0
        if shown == number:
            counted = Note("cautions.even_groups", {"groups": number})
        else:
            counted = Note("cautions.uneven_groups", {"groups": number, "effective": shown})
        yield Caution(
            "red" if few else "amber",
            "few_groups",
            shown,
            {
                "groups": counted,
                "limit": FEW_GROUPS_RED if few else FEW_GROUPS_AMBER,
            },
        )
    elif n < FEW_EXAMPLES:
        yield Caution("amber", "few_examples", n, {"count": n, "limit": FEW_EXAMPLES})


def _about_minority(scores: MetricScores, spoken_of: Bools) -> Iterator[Caution]:
    """Warn about few examples of the rarest class, or few errors of an entry.

    Few errors are serious only for an entry that the verdict speaks of.
    """
    metric, diagnostics = scores.metric, scores.diagnostics
    errors = None if diagnostics is None else diagnostics.errors
    if scores.correct is not None:
        errors = np.count_nonzero(~scores.correct, axis=0)
    if errors is not None:
        deciding, fewest, what = int(errors[spoken_of].min()), int(errors.min()), "counted.errors"
    elif diagnostics is not None and diagnostics.minority is not None:
        deciding = fewest = diagnostics.minority
        what = "counted.minority_examples"
    else:
        return
    enough = FEW_MINORITY_AMBER_SCORES if metric.kind == "scores" else FEW_MINORITY_AMBER
    few = deciding < FEW_MINORITY_RED
    number = deciding if few else fewest
    if number < enough:
        yield Caution(
            "red" if few else "amber",
            "few_minority_examples",
            number,
            {
                "examples": Note(what, {"count": number}),
                "limit": FEW_MINORITY_RED if few else enough,
                "metric": metric.label,
            },
        )


def _about_resamples(basis: Basis, deciding: Deciding, spoken_of: Bools) -> Iterator[Caution]:
    """Warn about resamples on which the metric is undefined."""
    metric, names, replicates = basis.scores.metric, run_names(basis), basis.scores.replicates
    undefined, zero_divisions = replicates.undefined, _zero_divisions(basis, deciding)
    drawn = len(replicates.values) + undefined
    if undefined:
        yield Caution(
            "red",
            "undefined_resamples",
            undefined,
            {"count": undefined, "resamples": drawn, "metric": metric.label},
        )
    for level, concerned in by_level(zero_divisions > 0, spoken_of[basis.entry_of]):
        most = int(zero_divisions[concerned].max())
        yield Caution(
            level,
            "zero_divisions",
            most,
            {
                "entries": named(names, concerned),
                "times": most,
                "resamples": drawn,
                "metric": metric.label,
            },
        )


def _zero_divisions(basis: Basis, deciding: Deciding) -> Ints:
    """Count the resamples with a ``zero_division`` value, [k]: of hidden runs, if they decide."""
    shown, hidden = basis.scores.replicates.zero_divisions, basis.scores.hidden
    found = np.zeros(basis.entry_of.size, np.intp)
    m = basis.observed.size
    if hidden is not None and hidden.zero_divisions is not None:
        found[m:] = hidden.zero_divisions
        found[np.setdiff1d(np.arange(found.size), [*deciding.better, *deciding.worse])] = 0
    if shown is not None:
        found[:m] = shown
    return found


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
            {"count": len(without), "entries": tuple(without), "metric": metric.label},
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
