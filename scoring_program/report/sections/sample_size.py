"""How many examples would settle which of two tied entries is better."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ...core.phrases import Numerals, gettext_noop
from ...document.blocks import Block, Cell, ResultTable, Section, TableColumn, cell, passage
from ...inference.evidence import PairPlan
from ...inference.planning import POWER, shortened
from ..numbers import planned_size
from ..view import MANY_ROWS, RULES, MetricView

_COLUMNS = {
    "difference": gettext_noop("Difference"),
    "needed": gettext_noop("{Things} needed"),
    "ahead": gettext_noop("Resamples in which it is ahead"),
}


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield what this test set separates, and what would separate the tied entries."""
    first, say = views[0], views[0].say
    plans = [(view, plan) for view in views if (plan := view.evidence.plan) is not None]
    rows = [_row(view, pair) for view, plan in plans for pair in plan.pairs]
    smallest = [
        view.say("{difference} in {metric}", difference=_about(view.numerals, least))
        for view, plan in plans
        if (least := plan.smallest_separable) is not None and math.isfinite(least)
    ]
    if not rows and not smallest:
        return
    reference = say("the leader by its metric") if first.chosen_leader else first.reference
    caption = " ".join(_caption(first, reference))
    columns = [
        TableColumn(("metric",), say("Metric")),
        TableColumn(("entry",), say("Entry")),
        *(TableColumn((key,), say(heading), True) for key, heading in _COLUMNS.items()),
    ]
    begin = 0 if len({row[0] for row in rows}) > 1 else 1  # one metric needs no column
    table: Block = ResultTable(
        "", caption, tuple(columns[begin:]), tuple(row[begin:] for row in rows)
    )
    if len(rows) > MANY_ROWS:
        table = Section("", say("Entry by entry"), (table,), folded=True)
    rule = first.question.tie_rule
    one_sided = first.chosen_leader and rule != "interval"
    assumed = first.say(
        "These numbers assume {power} power and {test} tests by the rule “{rule}” at "
        "significance level {alpha}.",
        power=first.numerals.exact_percent(POWER),
        test=say("one-sided" if one_sided else "two-sided"),
        rule=say(RULES[rule]),
    )
    separable = say(
        "Two entries must differ by about {differences} for this test set to tell them apart.",
        differences=first.language.listed(smallest),
    )
    said = [*([separable] if smallest else []), *_of_samples(views)]
    blocks = passage(said, caption if rows else "", table if rows else None, note=assumed)
    yield Section("planning", say("How many {things} would be needed"), blocks)


def _caption(view: MetricView, reference: str) -> Iterator[str]:
    """Say what the table shows, and what its numbers mean."""
    say = view.say
    yield say(
        "For each possible winner besides {reference}, the table shows how many {things} of "
        "the same kind would probably show which of the two is better."
        if view.rings_are_winners
        else (
            "For each entry not separated from {reference}, the table shows how many {things} "
            "of the same kind would probably show which of the two is better."
        ),
        reference=reference,
    )
    yield say(
        "The true difference is not known, so the power is the mean over the resampled "
        "differences, whoever is ahead in them. “Out of reach” means that not even 100 times as "
        "many {things} would give that power."
    )
    if view.chosen_leader:
        yield say(
            "Plan for a little more: in one set of simulations these numbers gave 75% power, not "
            "80%."
        )


def _row(view: MetricView, pair: PairPlan) -> tuple[Cell, ...]:
    """Return what separating a tied entry would take."""
    gain = pair.difference if view.chosen_leader else -pair.difference
    return (
        cell(view.label),
        cell(view.evidence.names[pair.entry]),
        cell(view.difference(gain)),
        cell(_needed(view, pair.examples_needed)),
        cell(view.numerals.percent(pair.other_ahead)),
    )


def _of_samples(views: Sequence[MetricView]) -> Iterator[str]:
    """Say whether more samples or more examples would shorten the interval of the closest rival."""
    for view in views:
        samples, rivals = view.evidence.samples, view.others()
        if samples is None or not rivals:
            continue
        rival = rivals[0]
        share, percent = float(samples.of_difference[rival]), view.numerals.percent
        if math.isnan(share):
            continue
        yield view.say(
            "By {metric}, {share} of the variance of the difference between {reference} and "
            "{rival} comes from the samples of each {thing}, and the rest from the {things}. "
            "Twice as many samples of each {thing} would make its interval shorter by {samples}, "
            "twice as many {things} by {examples}.",
            rival=view.names[rival],
            share=percent(share),
            samples=percent(shortened(share)),
            examples=percent(shortened(1.0)),
        )


def _needed(view: MetricView, needed: int | None) -> str:
    """Return a planned size in digits, or words where it is out of reach or not above this one."""
    if needed is None:
        return view.say("out of reach")
    if needed <= view.evidence.n:
        return view.say("about as many as now")
    return view.count(planned_size(needed))


def _about(numerals: Numerals, value: float) -> str:
    """Return a positive number with two significant digits."""
    decimals = 1 - math.floor(math.log10(value)) if value > 0 else 0
    return numerals.fixed(round(value, decimals), max(decimals, 0))
