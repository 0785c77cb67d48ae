"""The audit before a competition: is the test set large enough, and is it clean?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..bootstrap.resample import iterate_counts
from ..bootstrap.resample_parts import ResampledPart
from ..core.arrays import Floats
from ..core.errors import OrganizerError, SubmissionError
from ..inference.analysis import MetricAnalysis
from ..metrics import Metric
from ..pipeline import EvaluatedCompetition
from ..reading.formats import read_table
from . import plan, repeated_rows
from .plan import SizeNeeded
from .repeated_rows import Repetition

#: Resamples of the pilot whose standard errors are averaged over.
_RESAMPLES = 500
#: A class of fewer examples is too small for metrics of single classes.
SMALL_CLASS = 30


@dataclass(frozen=True, eq=False)
class PlanAudit:
    """What the test set of one part can separate, and what is wrong with it.

    ``paired`` says whether the sizes follow from two baselines, whose errors are alike to some
    degree. From one baseline they hold for two entries with independent errors, which is the
    cautious assumption.
    """

    name: str
    metric: Metric
    kind: str  # what an example is
    n: int
    groups: int | None  # that the examples are resampled in
    entries: int
    paired: bool
    sizes: tuple[SizeNeeded, ...]
    separable: float
    decimals: int  # of differences
    undefined: int
    resamples: int
    classes: Mapping[str, int]  # label → examples; empty if the gold holds no labels
    inputs: tuple[str, ...]  # the columns that repeated examples are found by
    repetitions: tuple[Repetition, ...]
    overlaps: Mapping[str, int]  # other file → examples that it holds, too

    @property
    def small_classes(self) -> dict[str, int]:
        """The classes with fewer than `SMALL_CLASS` examples."""
        return {label: size for label, size in self.classes.items() if size < SMALL_CLASS}


def plan_parts(
    evaluation: EvaluatedCompetition, entries: int, others: Sequence[Path]
) -> tuple[PlanAudit, ...]:
    """Plan every part for a competition of so many ``entries``.

    ``others`` are files that must not hold test examples.

    Raises
    ------
    OrganizerError
        One of the others cannot be read, fewer than two entries are planned for, or the scores of
        the baselines do not vary, so that they tell nothing about differences.
    """
    if entries < 2:
        raise OrganizerError(f"a plan needs at least two entries; found {entries}")
    tables = {path.name: _columns(path) for path in others}
    analyses = list(evaluation.findings.analyses)
    if evaluation.competition.has_tasks:
        analyses = [analysis for analysis in analyses if analysis.task is not None]
    found = []
    for part in evaluation.resampled:
        found.append(_plan_part(part, analyses[0], evaluation, entries, tables))
        analyses = analyses[len(part.metrics) :]
    return tuple(found)


def _plan_part(
    resampled: ResampledPart,
    analysis: MetricAnalysis,
    evaluation: EvaluatedCompetition,
    entries: int,
    others: Mapping[str, Mapping[str, Sequence[str]]],
) -> PlanAudit:
    settings = evaluation.findings.settings
    errors, paired = _pilot(resampled, analysis, settings.seed)
    if not errors.any():
        raise OrganizerError(
            "res/: the scores of the baselines do not vary over resamples, so they tell nothing "
            "about differences; put a baseline with some errors into res/"
        )
    alpha = 1 - settings.confidence
    point = plan.one_point(analysis.metric, float(analysis.score[analysis.leader]))
    gold = resampled.part.gold
    classes: dict[str, int] = {}
    for labels in resampled.part.labels.values():
        values, counts = np.unique(labels, return_counts=True)
        classes |= dict(zip(map(str, values.tolist()), counts.tolist(), strict=True))
    inputs = repeated_rows.input_columns(
        gold.columns,
        {
            *(target.column for target in resampled.part.expected.targets),
            *(column for _, column in settings.design_columns),
        },
    )
    answers = [gold.columns[target.column] for target in resampled.part.expected.targets]
    return PlanAudit(
        name=resampled.part.name,
        metric=analysis.metric,
        kind=gold.kind,
        n=gold.n,
        groups=gold.groups(settings.group),
        entries=entries,
        paired=paired,
        sizes=tuple(plan.examples_needed(errors, gold.n, entries, alpha, point)),
        separable=plan.smallest_separable(errors, entries, alpha),
        decimals=max(0, 2 - math.floor(math.log10(point))) if point > 0 else 3,
        undefined=analysis.undefined,
        resamples=analysis.resamples + analysis.undefined,
        classes=classes,
        inputs=tuple(inputs),
        repetitions=tuple(repeated_rows.within(inputs, answers)),
        overlaps={
            name: len(repeated_rows.between(inputs, columns)) for name, columns in others.items()
        },
    )


def _pilot(resampled: ResampledPart, analysis: MetricAnalysis, seed: int) -> tuple[Floats, bool]:
    """Return standard errors of a difference, [R], and whether two entries gave them."""
    scorer, design = resampled.metrics[0].scorer, resampled.design
    jackknife = scorer.jackknife(design.units)
    best = analysis.order[:2]
    influences = [
        plan.influences(float(analysis.score[entry]), jackknife[:, entry]) for entry in best
    ]
    paired = len(best) == 2 and not np.allclose(influences[0], influences[1])
    influence = influences[0] - influences[1] if paired else np.sqrt(2) * influences[0]
    counts = np.concatenate(list(iterate_counts(design, _RESAMPLES, seed)))
    if design.units is not None:
        counts = counts[:, np.unique(design.units, return_index=True)[1]]
    return plan.pilot_errors(influence, counts.astype(np.float64)), paired


def _columns(path: Path) -> Mapping[str, Sequence[str]]:
    try:
        table = read_table(path.read_bytes(), path.name)
    except OSError as error:
        raise OrganizerError(f"{path}: it cannot be read ({error.strerror})") from error
    except SubmissionError as error:
        raise OrganizerError(str(error)) from error
    header: Sequence[str] | None = table.header
    if header is None:
        header, table = table.first_row, table.below_first()
    return dict(zip(header, table.columns, strict=True))
