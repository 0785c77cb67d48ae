"""The scores of the entries, each with its interval alone, and what the marks of figures mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ...core.arrays import Floats
from ...core.phrases import exact_decimals, gettext_noop
from ...document.blocks import Paragraph, Section
from ...document.marks import Key
from ...document.scales import Axis, above_strips, broken_scale, drawn_axis, far_off, strip
from ...document.take_away import Cell, TableColumn, cell
from ...inference.evidence import Differences
from ..view import STATUS, FilledColumn, MetricView

#: Why an interval is no bootstrap interval.
_NO_BAR = {
    "wilson": gettext_noop("Wilson interval, because the score is the same on every resample."),
    "none": gettext_noop("The score is the same on every resample, so there is no interval."),
}


def intervals_of(view: MetricView) -> Section:
    """Return the scores with their intervals, for statisticians."""
    columns = (
        (
            TableColumn(("entry",), view.say("Entry")),
            lambda i: cell(view.evidence.names[i], cut=view.names[i], tags=view.tags(i)),
        ),
        score_column(view),
        interval_column(view, on_page=view.has_intervals),
        strip_column(view),
    )
    keys = standing_keys(view, [view.shape(i) for i in view.order])
    table = view.of_entries("", "", view.order, columns, style="cards scores", keys=keys)
    blocks = (Paragraph(caption_of(view), "caption"), table)
    return Section(f"metric-{view.index + 1}-scores", scores_of(view), blocks)


def score_column(view: MetricView) -> FilledColumn:
    """Return the column of the scores."""

    def score(entry: int) -> Cell:
        value = float(view.scores.score[entry])
        leads = entry in view.scores.leaders
        return cell(view.score(value), value, strong=leads)

    return TableColumn(("score",), view.label, True, style="score"), score


def interval_column(view: MetricView, *, on_page: bool) -> FilledColumn:
    """Return the column of the intervals, each with what is special about it."""
    used = None if view.evidence.intervals is None else view.evidence.intervals.used

    def interval(entry: int) -> Cell:
        key = None if used is None else _NO_BAR.get(used[entry])
        note = view.say(key) if key else ""
        return cell(view.interval_of(entry), *view.evidence.span(entry)[::2], note=note)

    keys = ("ci_low", "ci_high")
    return TableColumn(keys, view.interval_heading, style="interval", on_page=on_page), interval


def strip_column(view: MetricView) -> FilledColumn:
    """Return the column that draws the scores with their intervals."""
    axis = score_axis(view)
    heading = view.say("Score and interval")
    column = TableColumn((), heading, style="plot", axis=above_strips(axis), unseen=True)

    def drawn(entry: int) -> Cell:
        runs = _runs_of(view, entry)
        return cell("", strip=strip(axis, view.evidence.span(entry), view.shape(entry), runs))

    return column, drawn


def _runs_of(view: MetricView, entry: int) -> list[float]:
    """Return the scores of the runs that an entry is the mean of; none of a single run."""
    runs = view.evidence.run_scores[entry] if view.evidence.run_scores else ()
    return [float(run) for run in runs] if len(runs) > 1 else []


def caption_of(view: MetricView) -> str:
    """Return what the marks and bars of the ranking are."""
    if view.withheld:
        return view.say(
            "Diamond: leader. Ring: possible winner. The metric can score no resample, so no "
            "score has an interval, and nobody is ruled out."
        )
    if len(view.evidence.names) == 1 and not view.only_ranks:
        caption = view.say(
            "The bar is the {confidence} interval of the score. It says where the score on a much "
            "larger test set of the same kind may lie."
        )
    elif view.rings_are_winners:
        caption = view.say(
            "Diamond: leader. Ring: possible winner. Dot: behind. A mean rank jumps where "
            "entries are close, so it has no interval and no p-value: look at the places, and at "
            "each task."
            if view.only_ranks
            else "Diamond: leader. Ring: possible winner. Dot: behind. The dashed line is "
            "the score of {reference}. Each bar is the {confidence} interval of one score alone. "
            "Two bars that overlap do not make a tie: the tie rule looks at differences."
        )
    else:
        caption = view.say(
            "Diamond: leader. Ring: may be as good as {reference}, or better. Dot: behind. A mean "
            "rank jumps where entries are close, so it has no interval and no p-value: look at the "
            "places, and at each task."
            if view.only_ranks
            else "Diamond: leader. Ring: may be as good as {reference}, or better. Dot: behind. "
            "The dashed line is the score of {reference}. Each bar is the {confidence} interval of "
            "one score alone. Two bars that overlap do not make a tie: the tie rule looks at "
            "differences."
        )
    if not view.chosen_leader:
        caption += " " + view.say(
            "The square is {reference} itself. A triangle marks an entry ahead of it."
        )
    if any(_runs_of(view, entry) for entry in view.order):
        caption += " " + view.say("Each small dot is the score of one run.")
    return caption


def scores_of(view: MetricView) -> str:
    """Return what a picture of scores shows, with intervals if there are any."""
    return view.say(
        "{metric} of every entry, with intervals"
        if view.has_intervals
        else "{metric} of every entry"
    )


def score_axis(view: MetricView) -> Axis:
    """Return the axis of the scores, with the score of the reference marked."""
    marked = float(view.scores.score[view.scores.reference]) if len(view.scores.score) > 1 else None
    return _axis(view, f"scores-{view.index + 1}", _scores(view), marked)


def difference_axis(view: MetricView, differences: Differences, id: str) -> Axis:
    """Return the axis of the advantages of the reference, called ``id``."""
    spans = np.stack([differences.low, differences.observed, differences.high], axis=1)
    spans[view.scores.reference] = 0.0
    return _axis(view, id, spans, 0.0)


def _scores(view: MetricView) -> Floats:
    """Return the spans [m, 3] of the scores, which reach to those of all runs."""
    spans = np.array([view.evidence.span(entry) for entry in range(len(view.names))])
    for entry in range(len(spans)):
        if runs := _runs_of(view, entry):
            spans[entry, 0] = np.fmin(spans[entry, 0], min(runs))
            spans[entry, 2] = np.fmax(spans[entry, 2], max(runs))
    return spans


def _axis(view: MetricView, id: str, spans: Floats, marked: float | None) -> Axis:
    """Return an axis that breaks before the entries whose scores are far off."""
    entries = np.arange(len(view.evidence.names))
    fixed = np.isin(entries, [*view.scores.leaders, view.scores.reference])
    far = far_off(_scores(view), fixed, ~np.isin(entries, view.scores.baselines))
    scale = broken_scale(spans[~far], spans[far])
    note = ""
    if scale.beyond is not None:
        low, high = scale.omitted
        ends = {
            "low": view.numerals.fixed(low, exact_decimals([low])),
            "high": view.numerals.fixed(high, exact_decimals([high])),
        }
        note = view.say("axis broken from {low} to {high}", **ends)
    return drawn_axis(id, scale, marked, view.numerals.fixed, note)


# Legends ------------------------------------------------------------------------------------------


#: The shapes of entries, in the order of a legend.
_SHAPES = ("leader", "reference", "ahead", "tied", "behind")


def status_keys(view: MetricView, shapes: Iterable[str]) -> tuple[Key, ...]:
    """Return how entries stand against the reference, of the shapes that a figure has."""
    present = set(shapes)
    name = view.whole_names[view.scores.reference]
    return tuple(Key(shape, view.stands(shape, name)) for shape in _SHAPES if shape in present)


def score_bar(view: MetricView) -> Key:
    """Return the key of the interval of a score."""
    return Key("bar", view.say("{confidence} interval of the score", context="legend"))


def standing_keys(view: MetricView, shapes: Iterable[str]) -> tuple[Key, ...]:
    """Return how entries stand, in few words where they stand against a possible winner."""
    present = set(shapes)
    if not view.chosen_leader or view.beaten_leaders or not present <= {"leader", "tied", "behind"}:
        return status_keys(view, present)
    tied = STATUS["winner"] if view.rings_are_winners else gettext_noop("tied with the leader")
    say = view.say
    words = {**STATUS, "tied": tied}
    return tuple(Key(shape, say(words[shape])) for shape in _SHAPES if shape in present)


def once(told: set[str], *texts: str) -> Iterator[Paragraph]:
    """Yield a caption of these texts, unless another metric has told the same."""
    text = " ".join(texts)
    if text not in told:
        told.add(text)
        yield Paragraph(text, "caption")
