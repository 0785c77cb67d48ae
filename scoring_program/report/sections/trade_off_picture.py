"""The trade-off of two metrics, where they do not say the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...core.arrays import Bools
from ...inference.trade_off import TradeOff, trade_off
from .. import drawing as draw
from ..view import MetricView
from .legends import note_keys, status_keys
from .section import Passage, Section

#: Of up to this many entries, all have a label.
_FEW_LABELS = 12
#: A metric's name under an axis is cut to this many letters: its direction follows it.
_LETTERS = 40


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield the picture of the ranking metric and the first other one that says something else."""
    first = views[0]
    for second in views[1 : first.result.public]:
        if first.analysis.only_ranks or second.analysis.task != first.analysis.task:
            continue
        found = trade_off(first.analysis, second.analysis)
        if len(found.first) > 1 and not found.same:
            yield _section(first, second, found)
            return


def _section(first: MetricView, second: MetricView, found: TradeOff) -> Section:
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
    heading = draw.Heading("trade-off-scores", title, f"{said} {note}".strip(), keys)
    figure = draw.scatter(heading, _axis(first), _axis(second), _plotted(first, second, found, far))
    passage = Passage(caption=f"{caption} {said}", figures=(figure,), note=note)
    return Section("trade-off", say("trade_off.heading"), passage, figures={"trade_off": figure})


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
    winners = {*first.analysis.leaders, *first.tied()}
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
