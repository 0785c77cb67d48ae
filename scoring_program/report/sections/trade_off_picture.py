"""The trade-offs of the ranking metric and others, where they do not say the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from ...core.arrays import Bools
from ...inference.trade_off import TradeOff, trade_off
from .. import drawing as draw
from ..tables import file_part
from ..view import FEW, MetricView
from .legends import note_keys, status_keys
from .section import Passage, Section

#: So many pictures at most: the ranking metric against this many others.
_MOST = 4
#: Of up to this many entries, all have a label.
_FEW_LABELS = 12
#: A metric's name under an axis is cut to this many letters: its direction follows it.
_LETTERS = 40


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield the ranking metric against the first others that say something else.

    Of a large field, the page shows one picture: hundreds of marks take much of a page.
    """
    first = views[0]
    pairs = list(islice(_trade_offs(views), _MOST))
    if not pairs:
        return
    leading, *further = (
        _section(first, second, found, leads=not place)
        for place, (second, found) in enumerate(pairs)
    )
    figures = {name: figure for one in (leading, *further) for name, figure in one.figures.items()}
    if len(first.analysis.names) <= FEW:
        yield replace(leading, figures=figures, folded=tuple(further))
        return
    passage = leading.content
    if further:
        others = first.language.listed([second.label for second, _ in pairs[1:]])
        said = first.language.say("trade_off.files", first=first.label, others=others)
        passage = replace(passage, note=f"{passage.note} {said}".strip())
    yield replace(leading, content=passage, figures=figures)


def _trade_offs(views: Sequence[MetricView]) -> Iterator[tuple[MetricView, TradeOff]]:
    """Yield the metrics that do not order the entries as the ranking metric does."""
    first = views[0]
    if first.analysis.only_ranks:
        return
    for second in views[1 : first.result.public]:
        if second.analysis.task != first.analysis.task:
            continue
        found = trade_off(first.analysis, second.analysis)
        if len(found.first) > 1 and not found.same:
            yield second, found


def _section(first: MetricView, second: MetricView, found: TradeOff, *, leads: bool) -> Section:
    """Return the picture of two metrics; the one that leads says how to read them all."""
    say = first.language.say
    far = _far_off(first, second, found)
    front = [int(i) for i in found.first[found.front]]
    caption = say("trade_off.caption", confidence=first.confidence)
    said = say(
        "trade_off.front" if len(front) > 1 else "trade_off.best",
        entries=first.listed(front),
    )
    note = ""
    if far.any():
        note = say("trade_off.far", entries=first.listed([int(i) for i in found.first[far]]))
    keys = (*_keys(first, found), *note_keys(note))
    title = say("trade_off.title", first=first.label, second=second.label)
    name = "trade-off" if leads else f"trade-off-{second.index + 1}"
    about = draw.Heading(f"{name}-scores", title, f"{said} {note}".strip(), keys)
    figure = draw.scatter(about, _axis(first), _axis(second), _plotted(first, second, found, far))
    if leads:
        heading, file, caption = say("trade_off.heading"), "trade_off", f"{caption} {said}"
    else:
        heading = first.language.listed([first.label, second.label])
        file, caption = f"trade_off_{file_part(second.metric.name)}", said
    passage = Passage(caption=caption, figures=(figure,), note=note)
    return Section(name, heading, passage, figures={file: figure})


def _far_off(first: MetricView, second: MetricView, found: TradeOff) -> Bools:
    """Return who would squeeze all others by one of the metrics, [k]."""
    competing = ~np.isin(found.first, first.analysis.baselines)
    fixed = found.front | np.isin(found.first, first.analysis.leaders)
    far = np.zeros(len(found.first), dtype=np.bool_)
    for view, entries in ((first, found.first), (second, found.second)):
        a = view.analysis
        spans = np.stack([a.low[entries], a.score[entries], a.high[entries]], axis=1)
        far |= draw.far_off(spans, fixed, competing)
    return far


def _plotted(
    first: MetricView, second: MetricView, found: TradeOff, far: Bools
) -> list[draw.Plotted]:
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
            draw.Plotted(
                first.analysis.names[i],
                _span(first, i),
                _span(second, j),
                first.shape(i),
                labeled=few or front or i in winners or first.focused(i),
                front=front,
                title=f"{first.names[i]}: {_words(first, i)}; {_words(second, j)}",
            )
        )
    return shown


def _span(view: MetricView, entry: int) -> tuple[float, float, float]:
    a = view.analysis
    return float(a.low[entry]), float(a.score[entry]), float(a.high[entry])


def _words(view: MetricView, entry: int) -> str:
    low, score, high = _span(view, entry)
    return f"{view.label} {view.score(score)} {view.interval(low, high)}"


def _axis(view: MetricView) -> draw.AxisOfScatter:
    label = view.language.say(
        "direction_of.axis",
        metric=draw.shortened(view.label, _LETTERS),
        direction=view.direction,
    )
    return draw.AxisOfScatter(label, view.metric.greater_is_better, view.tick)


def _keys(first: MetricView, found: TradeOff) -> tuple[draw.Key, ...]:
    say = first.language.say
    keys = [*status_keys(first, [first.shape(int(i)) for i in found.first])]
    if first.has_intervals:
        keys.append(draw.Key("cross", say("legend.intervals", confidence=first.confidence)))
    if found.front.sum() > 1:
        keys.append(draw.Key("front", say("legend.front")))
    return tuple(keys)
