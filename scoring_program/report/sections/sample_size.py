"""How many examples would separate the tied entries."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ...inference import sample_shares
from ...inference.analysis import PairPlan
from ..numbers import Numerals, planned_size
from ..tables import Cell, ResultTable, TableColumn, cell
from ..view import MetricView
from .section import Passage, Section


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield what this test set separates, and what would separate the tied entries."""
    content = planning_of(views) if any(len(view.analysis.names) > 1 for view in views) else None
    if content is not None:
        yield Section("planning", views[0].language.say("planning.heading"), content)


def planning_of(views: Sequence[MetricView]) -> Passage | None:
    """Return what it would take to separate the tied entries, None where nothing can be said."""
    first, language = views[0], views[0].language
    say = language.say
    rows: list[tuple[Cell, ...]] = []
    smallest = []
    comparisons = sum(i not in first.analysis.baselines for i in first.others())
    values = {
        "reference": say("planning.leader") if first.chosen_leader else first.reference,
        "power": language.numerals.exact_percent(first.analysis.planning.power),
        "alpha": language.numerals.plain(round(1 - first.analysis.confidence, 6)),
        "test": say(f"planning.{'one_sided' if first.chosen_leader else 'two_sided'}"),
        "count": language.numerals.count(comparisons),
    }
    for view in views:
        plan = view.analysis.planning
        if plan.smallest_separable is not None and math.isfinite(plan.smallest_separable):
            difference = _about(view.numerals, plan.smallest_separable)
            smallest.append(say("planning.of_metric", difference=difference, metric=view.label))
        rows += [_row(view, pair) for pair in plan.pairs]
    if not rows and not smallest:
        return None
    caption = say("planning.caption", **values)
    if first.chosen_leader:
        caption += " " + say("planning.chosen")
    table = ResultTable(
        name="planning",
        caption=caption,
        columns=(
            TableColumn(("metric",), say("planning.metric")),
            TableColumn(("entry",), say("planning.entry")),
            *(
                TableColumn((key,), say(f"planning.{key}"), numeric=True)
                for key in ("difference", "needed", "resolution")
            ),
        ),
        rows=tuple(rows),
        note=say("planning.resolution_note"),
    )
    differences = language.listed(smallest)
    assumed = say("planning.assumed", **values)
    separable = (say("planning.smallest", differences=differences),) if smallest else ()
    return Passage(
        paragraphs=(*separable, *_of_samples(views)),
        caption=table.caption if rows else "",
        table=table if rows else None,
        note=f"{assumed} {table.note}" if rows else assumed,
    )


def _row(view: MetricView, pair: PairPlan) -> tuple[Cell, ...]:
    """Return what separating a tied entry would take."""
    resolution = view.language.say("planning.unknown")
    if pair.resolution is not None:
        resolution = view.numerals.fixed(pair.resolution, 2)
    return (
        cell(view.label),
        cell(view.analysis.names[pair.entry]),
        cell(view.difference(pair.difference)),
        cell(_needed(view, pair.examples_needed)),
        cell(resolution),
    )


def _of_samples(views: Sequence[MetricView]) -> Iterator[str]:
    """Say whether more samples or more examples would shorten the interval of the closest rival."""
    for view in views:
        samples, rivals = view.analysis.samples, view.others()
        if samples is None or not rivals:
            continue
        rival = rivals[0]
        share, percent = float(samples.of_difference[rival]), view.numerals.percent
        if math.isnan(share):
            continue
        yield view.language.say(
            "planning.samples",
            metric=view.label,
            reference=view.reference,
            rival=view.names[rival],
            share=percent(share),
            samples=percent(sample_shares.shortened(share)),
            examples=percent(sample_shares.shortened(1.0)),
        )


def _needed(view: MetricView, needed: int | None) -> str:
    """Return a planned size in digits, or words where it is out of reach or not above this one."""
    if needed is None:
        return view.language.say("planning.never")
    if needed <= view.analysis.n:
        return view.language.say("planning.as_many")
    return view.numerals.count(planned_size(needed))


def _about(numerals: Numerals, value: float) -> str:
    """Return a positive number with two significant digits."""
    decimals = 1 - math.floor(math.log10(value)) if value > 0 else 0
    return numerals.fixed(round(value, decimals), max(decimals, 0))
