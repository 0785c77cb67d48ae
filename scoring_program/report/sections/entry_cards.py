"""The card of each entry: where it stands, who is above and below it, and what would settle it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ...core.arrays import Bools
from ..drawing import isolated
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
    shown = ~np.isin(np.arange(len(analysis.names)), [entry, *analysis.baselines])
    above, below = analysis.above[:, entry] & shown, analysis.below[entry] & shown
    for key, found in (
        ("tied", shown & ~above & ~below),
        ("above", above),
        ("below", below),
    ):
        if found.any():
            yield Fact(say(f"card.{key}"), view.listed(_in_order(view, found)))
    distance = float(analysis.distance[entry])
    if np.isfinite(distance):
        yield Fact(say("card.distance"), say("card.at_most", distance=view.score(distance)))
    needed = {pair.entry: pair.examples_needed for pair in analysis.planning.pairs}.get(entry)
    if needed is not None:
        examples = view.numerals.count(needed)
        yield Fact(say("card.needed"), say("card.examples", count=examples, leader=view.reference))
    name = analysis.names[entry]
    for other in views[1:]:
        if name in other.analysis.names:
            yield Fact(other.label, _place(other, other.analysis.names.index(name)))


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
