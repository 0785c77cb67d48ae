"""The card of each entry: where it stands, who is above and below it, and what would settle it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ...core.arrays import Bools
from ...inference.analysis import MetricAnalysis
from ..drawing import isolated
from ..numbers import planned_size
from ..view import Fact, MetricView


def cards_of(views: Sequence[MetricView]) -> Mapping[int, tuple[Fact, ...]]:
    """Return the facts on every entry of the ranking metric, by its number there."""
    first = views[0]
    if len(first.analysis.names) == 1:
        return {0: tuple(_alone(views))}
    return {entry: tuple(_facts(views, entry)) for entry in map(int, first.analysis.order)}


def _facts(views: Sequence[MetricView], entry: int) -> Iterator[Fact]:
    view = views[0]
    analysis, say = view.analysis, view.language.say
    if view.is_cut(entry):
        yield Fact(say("card.name"), isolated(analysis.names[entry]))
    yield Fact(say("card.place"), _place(view, entry))
    for key, found in _others(analysis, entry).items():
        if found.any():
            yield Fact(say(f"card.{key}"), view.listed(_in_order(view, found)))
    distance = float(analysis.distance[entry])
    if np.isfinite(distance):
        yield Fact(say("card.distance"), say("card.at_most", distance=view.upper_bound(distance)))
    for pair in analysis.planning.pairs:
        if pair.entry == entry:
            yield Fact(say("card.needed"), _needed(view, pair.examples_needed))
    name = analysis.names[entry]
    for other in views[1:]:
        if name in other.analysis.names:
            yield Fact(other.label, _place(other, other.analysis.names.index(name)))


def _needed(view: MetricView, needed: int | None) -> str:
    """Say what would probably separate an entry from the reference."""
    if needed is None:
        return view.language.say("card.never", leader=view.reference)
    n = view.analysis.n
    examples = view.counted(planned_size(needed) if needed > n else n)
    return view.language.say("card.examples", examples=examples, leader=view.reference)


def _others(analysis: MetricAnalysis, entry: int) -> Mapping[str, Bools]:
    """Return how the others stand, [m] each, so that no two cards contradict each other.

    Each end of a rank range is a test of its own. So B may be shown worse for the range of A, and
    A not better for that of B: then the card of B says that A's range alone shows it.
    """
    shown = ~np.isin(np.arange(len(analysis.names)), [entry, *analysis.baselines])
    above, below = analysis.above[:, entry], analysis.below[entry]
    above_theirs, below_theirs = analysis.below[:, entry] & ~above, analysis.above[entry] & ~below
    every = above | below | above_theirs | below_theirs
    return {
        "tied": shown & ~every,
        "above": shown & above,
        "above_theirs": shown & above_theirs,
        "below": shown & below,
        "below_theirs": shown & below_theirs,
    }


def _alone(views: Sequence[MetricView]) -> Iterator[Fact]:
    """Yield the further scores of an entry that is compared with nobody."""
    for view in views[1:]:
        analysis = view.analysis
        if views[0].analysis.names[0] not in analysis.names:
            continue
        values = float(analysis.low[0]), float(analysis.high[0])
        score = view.score(float(analysis.score[0]))
        interval = view.language.say("ranking.interval", confidence=view.confidence)
        yield Fact(view.label, f"{score}; {interval} {view.interval(*values)}")


def _place(view: MetricView, entry: int) -> str:
    return view.language.say(
        "card.rank",
        score=view.score(float(view.analysis.score[entry])),
        rank=view.rank(entry),
        m=view.numerals.count(view.competing),
        range=view.rank_range(entry),
    )


def _in_order(view: MetricView, found: Bools) -> list[int]:
    return [int(i) for i in view.analysis.order if found[i]]
