"""The trade-offs of the ranking metric and others, where they do not say the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from ...core.arrays import Bools
from ...document.blocks import Block, Fold, Paragraph, Picture, passage
from ...document.figures.scatter import AxisOfScatter, Plotted, scatter
from ...document.marks import Heading, Key
from ...document.scales import far_off
from ...document.shortening import shortened
from ...document.text import file_part
from ...inference.descriptive import TradeOff, trade_off
from ..view import FEW, MetricView
from .legends import note_keys, status_keys

#: So many pictures at most: the ranking metric against this many others.
_MOST = 4
#: Of up to this many entries, all have a label.
_FEW_LABELS = 12
#: A metric's name under an axis is cut to this many letters: its direction follows it.
_LETTERS = 40


def sections(views: Sequence[MetricView]) -> Iterator[Fold]:
    """Yield the ranking metric against the first others that say something else.

    Of a large field, the page shows one picture: hundreds of marks take much of a page.
    """
    first = views[0]
    pairs = list(islice(_trade_offs(views), _MOST))
    if not pairs:
        return
    blocks, *further = (
        _blocks(first, second, found, leads=not place)
        for place, (second, found) in enumerate(pairs)
    )
    few = len(first.evidence.names) <= FEW
    for (second, _), inner in zip(pairs[1:], further, strict=True):
        heading = first.language.listed([first.label, second.label])
        fold = Fold(heading, inner, f"trade-off-{second.index + 1}", shown=few)
        blocks = (*blocks, fold)
    if further and not few:
        others = first.language.listed([second.label for second, _ in pairs[1:]])
        said = first.language.say(
            "The files that come with this page also show {first} against {others}.",
            first=first.label,
            others=others,
        )
        blocks = (*blocks, Paragraph(said, "note"))
    heading = first.language.say("Trade-off between two metrics")
    yield Fold(heading, blocks, "trade-off", "further picture")


def _trade_offs(views: Sequence[MetricView]) -> Iterator[tuple[MetricView, TradeOff]]:
    """Yield the metrics that do not order the entries as the ranking metric does."""
    first = views[0]
    if first.evidence.intervals is None:
        return
    for second in views[1 : first.result.public]:
        if second.evidence.task != first.evidence.task:
            continue
        found = trade_off(first.evidence, second.evidence)
        if len(found.first) > 1 and not found.same:
            yield second, found


def _blocks(
    first: MetricView, second: MetricView, found: TradeOff, *, leads: bool
) -> tuple[Block, ...]:
    """Return the picture of two metrics; the one that leads says how to read them all."""
    say = first.language.say
    far = _far_off(first, second, found)
    front = [int(i) for i in found.first[found.front]]
    caption = say(
        "Each entry stands at its scores by both metrics, with their {confidence} intervals; the "
        "best corner is at the top right. The marks say who is tied by the ranking metric.",
        confidence=first.confidence,
    )
    said = say(
        "No competing entry has better scores than these by both metrics (the Pareto front): "
        "{entries}."
        if len(front) > 1
        else "{entries} has the best scores by both metrics.",
        entries=first.listed(front),
    )
    note = ""
    if far.any():
        note = say(
            "Not in the picture, because their scores are far from all others: {entries}.",
            entries=first.listed([int(i) for i in found.first[far]]),
        )
    keys = (*_keys(first, found), *note_keys(note))
    title = say("Trade-off: {first} and {second}", first=first.label, second=second.label)
    name = "trade-off" if leads else f"trade-off-{second.index + 1}"
    about = Heading(f"{name}-scores", title, f"{said} {note}".strip(), keys)
    figure = scatter(about, _axis(first), _axis(second), _plotted(first, second, found, far))
    file = "trade_off" if leads else f"trade_off_{file_part(second.metric.name)}"
    caption = f"{caption} {said}" if leads else said
    return passage(caption=caption, pictures=[Picture(file, figure)], note=note)


def _far_off(first: MetricView, second: MetricView, found: TradeOff) -> Bools:
    """Return who would squeeze all others by one of the metrics, [k]."""
    competing = ~np.isin(found.first, first.scores.baselines)
    fixed = found.front | np.isin(found.first, list(first.foremost))
    far = np.zeros(len(found.first), dtype=np.bool_)
    for view, entries in ((first, found.first), (second, found.second)):
        spans = np.array([view.evidence.span(int(i)) for i in entries])
        far |= far_off(spans, fixed, competing)
    return far


def _plotted(first: MetricView, second: MetricView, found: TradeOff, far: Bools) -> list[Plotted]:
    """Return the entries that are drawn: the front first, then the ranking's order."""
    winners = first.possible_winners
    few = len(found.first) <= _FEW_LABELS
    shown = []
    for place in np.argsort(~found.front, kind="stable").tolist():
        i, j = int(found.first[place]), int(found.second[place])
        front = bool(found.front[place])
        if far[place]:
            continue
        shown.append(
            Plotted(
                first.evidence.names[i],
                first.evidence.span(i),
                second.evidence.span(j),
                first.shape(i),
                labeled=few or front or i in winners or first.focused(i),
                front=front,
                title=f"{first.names[i]}: {_words(first, i)}; {_words(second, j)}",
            )
        )
    return shown


def _words(view: MetricView, entry: int) -> str:
    low, score, high = view.evidence.span(entry)
    return f"{view.label} {view.score(score)} {view.interval(low, high)}"


def _axis(view: MetricView) -> AxisOfScatter:
    label = view.language.say(
        "{metric}, {direction}",
        metric=shortened(view.label, _LETTERS),
        direction=view.direction,
    )
    return AxisOfScatter(label, view.metric.greater_is_better, view.tick)


def _keys(first: MetricView, found: TradeOff) -> tuple[Key, ...]:
    say = first.language.say
    keys = [*status_keys(first, [first.shape(int(i)) for i in found.first])]
    if first.has_intervals:
        keys.append(
            Key("cross", say("{confidence} intervals of both scores", confidence=first.confidence))
        )
    if found.front.sum() > 1:
        keys.append(Key("front", say("Pareto front")))
    return tuple(keys)
