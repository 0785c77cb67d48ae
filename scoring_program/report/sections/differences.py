"""Differences of every entry from the reference: intervals, p-values, distributions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from ...core.phrases import gettext_noop, ngettext_noop
from ...document.blocks import (
    Block,
    Cell,
    Paragraph,
    Picture,
    ResultTable,
    Section,
    TableColumn,
    cell,
    together,
)
from ...document.figures.distributions import histogram
from ...document.figures.forest import forest
from ...document.marks import Drawing, Heading
from ...document.scales import Axis, Scale, Strip, drawn_strip
from ...document.shortening import shortened
from ...inference.evidence import Differences
from ..view import CORRECTIONS, FilledColumn, MetricView
from .intervals import difference_axis
from .legends import difference_keys, histogram_keys, once

#: Histograms on the page; the files hold more.
_HISTOGRAMS = 6
#: A metric's name under a histogram is cut to this many letters: the reference's name precedes it.
_LETTERS_UNDER_HISTOGRAM = 20
_CAPTIONS = {
    "caption": gettext_noop(
        "The table shows how far {reference} is ahead of each entry in {metric}, with the "
        "{confidence} interval of the paired difference."
    ),
    "caption_lower": gettext_noop(
        "The table shows how far {reference} is ahead of each entry: the entry's {metric} minus "
        "that of {reference}, with the {confidence} interval of the paired difference."
    ),
    "caption_reference": gettext_noop(
        "The table shows the gain of each entry over {reference} in {metric}, with the "
        "{confidence} interval of the paired difference. The gain is negative where {reference} "
        "is better."
    ),
}
#: What an interval says of a difference of zero.
_ZERO = {
    1: gettext_noop("contains zero"),
    0: gettext_noop("excludes zero"),
    None: gettext_noop("no interval"),
}
#: What further tests are called.
_FURTHER = {
    "randomization_one_sided": gettext_noop("Randomization, one-sided p"),
    "randomization_two_sided": gettext_noop("Randomization, two-sided p"),
    "mcnemar_exact": gettext_noop("McNemar, exact p"),
    "mcnemar_mid_p": gettext_noop("McNemar, mid-p"),
}
#: Which close pairs are not shown.
_LEFT_OUT = {
    "more": ngettext_noop(
        "The folder figures holds {count:n} more close pair.",
        "The folder figures holds {count:n} more close pairs.",
    ),
    "not_drawn": ngettext_noop(
        "{count:n} close pair is not drawn.", "{count:n} close pairs are not drawn."
    ),
}


def differences_of(view: MetricView, differences: Differences) -> Section:
    """Return the differences with their strips, the p-values, and the tests beyond the bootstrap.

    A p-value is one-sided, or corrected for several comparisons; the interval of a difference is
    two-sided, and holds for this one alone. Side by side, they would seem to contradict each other:
    so the p-values have a table of their own.
    """
    say = view.say
    heading = say("Differences from {reference}")
    key = "caption" if view.metric.greater_is_better else "caption_lower"
    caption = say(_CAPTIONS[key if view.chosen_leader else "caption_reference"])
    zero = say(
        "Look at the zero line: where an interval contains zero, this comparison alone does not "
        "show which of the two is better."
        if _by_interval(view)
        else "Each interval is about one pair alone; who may be the best is in the ranking."
    )
    further = [_p_values(view, differences), *_further_tests(view), *_against(view)]
    tests: list[Block] = []
    for table in further:
        note = [Paragraph(table.note, "note")] if table.note else []
        tests += [Paragraph(table.caption, "caption table-caption"), table, *note]
    table, figure = _differences_table(view, differences, heading)
    blocks = (Paragraph(f"{caption} {zero}", "caption"), table, figure, *tests)
    return Section(f"metric-{view.index + 1}-differences", heading, blocks)


def _by_interval(view: MetricView) -> bool:
    """Whether a row says if its interval contains zero: that is the rule."""
    return view.standing.rule == "interval"


def _differences_table(
    view: MetricView, differences: Differences, heading: str
) -> tuple[ResultTable, Picture]:
    """Return the differences as a table and as a figure; machines get the p-values with them."""
    say, gains, others = view.say, not view.chosen_leader, view.others()
    if gains:
        differences = replace(
            differences,
            observed=-differences.observed,
            low=-differences.high,
            high=-differences.low,
        )
    table = view.table(
        "differences",
        say(
            "Gain of each entry over {reference} in {metric}, by the paired bootstrap."
            if gains
            else "Advantage of {reference} over each entry in {metric}, by the paired bootstrap."
        ),
        others,
        _columns(view, differences),
        style="cards differences",
        excerpt=view.excerpt(others),
    )
    axis = say(
        "gain over {reference} in {metric}" if gains else "advantage of {reference} in {metric}"
    )
    figure = forest(
        Heading(f"differences-{view.index + 1}", heading, axis, difference_keys(view)),
        [
            (name.text, f"{difference.text} {interval.text}", plot.strip)
            for name, difference, interval, plot, *_ in table.rows
        ],
        axis,
        focus=next((n for n, i in enumerate(others) if view.focused(i)), None),
    )
    return table, Picture(f"differences{view.suffix}", figure, shown=False)


def _columns(view: MetricView, differences: Differences) -> Iterator[FilledColumn]:
    """Yield the columns of the differences: their p-values, and often zero, for machines only."""
    say, names = view.say, view.evidence.names
    scale, shared = difference_axis(view, differences, f"advantages-{view.index + 1}")

    def difference(i: int) -> Cell:
        observed = float(differences.observed[i])
        return cell(view.difference(observed), observed)

    def interval(i: int) -> Cell:
        low, high = float(differences.low[i]), float(differences.high[i])
        return cell(view.interval(low, high), low, high)

    def strip(i: int) -> Cell:
        return cell("", strip=difference_strip(view, differences, i, scale, shared))

    def zero(i: int) -> Cell:
        low, high = float(differences.low[i]), float(differences.high[i])
        contains = int(low <= 0 <= high) if math.isfinite(low) else None
        return cell(say(_ZERO[contains]), contains)

    def entry(i: int) -> Cell:
        return cell(names[i], tags=view.tags(i), row="focus" if view.focused(i) else "")

    plot, read = say("Difference and interval"), _by_interval(view)
    yield TableColumn(("entry",), say("Entry")), entry
    yield TableColumn(("difference",), say("Difference"), True, style="score"), difference
    yield TableColumn(("ci_low", "ci_high"), view.interval_heading, style="interval"), interval
    yield TableColumn((), plot, style="plot", axis=shared, unseen=True), strip
    yield TableColumn(("contains_zero",), say("Zero"), style="status", read=read), zero
    for column, get in _p_values_of(view, differences):
        yield replace(column, read=False), get
    yield TableColumn(("status",), say("Status"), shown=False), view.status_cell


def difference_strip(
    view: MetricView, differences: Differences, entry: int, scale: Scale, shared: Axis
) -> Strip:
    """Return the paired interval of a difference: a reference named in advance is gained on."""
    low, point, high = (
        float(values[entry]) for values in (differences.low, differences.observed, differences.high)
    )
    title = view.say(
        "{reference} over {name}: {difference} {interval}",
        reference=view.reference if view.chosen_leader else view.names[entry],
        name=view.names[entry] if view.chosen_leader else view.reference,
        difference=view.difference(point),
        interval=view.interval(low, high),
    )
    return drawn_strip(scale, shared, low, point, high, shape="plain", title=title)


def _p_values_of(view: MetricView, differences: Differences) -> list[FilledColumn]:
    """Return the columns of the p-values: unadjusted, then by correction."""
    say = view.say
    return [
        view.p_values("p_one_sided", say("One-sided p"), differences.p_one_sided),
        view.p_values("p_two_sided", say("Two-sided p"), differences.p_two_sided),
        *(
            view.p_values(f"p_{key}", say("p, {correction}", correction=say(CORRECTIONS[key])), p)
            for key, p in differences.p_adjusted.items()
        ),
    ]


def _p_values(view: MetricView, differences: Differences) -> ResultTable:
    """Return the p-values, and what they are about: they may disagree with the intervals."""
    caption = view.say("p-values of the comparisons with {reference} by {metric}.")
    columns, note = _p_values_of(view, differences), " ".join(_on_p_values(view))
    return _table(view, "p_values", caption, columns, view.others(), note)


def _on_p_values(view: MetricView) -> Iterator[str]:
    """Say what each p-value asks, and for how many comparisons it is corrected."""
    say, others = view.say, view.others()
    compared = sum(i not in view.scores.baselines for i in others)
    yield say(
        "The one-sided p asks whether {reference}, chosen as the leader on these data, is better."
        if view.chosen_leader
        else (
            "{reference} was named in the settings, not chosen on these data, so the two-sided p "
            "counts, and it is the one that is adjusted."
        )
    )
    yield say(
        "The adjusted p is corrected for the one comparison with {reference}.",
        "The adjusted p is corrected for the {count:n} comparisons with {reference}.",
        count=compared,
    )
    if compared < len(others):
        yield say("Comparisons with baselines are corrected separately.")
    yield say(
        "These p-values and the intervals answer different questions: a p is one-sided "
        "or corrected, and an interval is two-sided and holds for one difference "
        "alone. So one may exclude a difference of zero where the other does not."
    )


def _further_tests(view: MetricView) -> Iterator[ResultTable]:
    """Yield the tests beyond the bootstrap, if the settings ask for them."""
    tests, say = view.evidence.paired_tests, view.say
    if tests is not None:
        columns = [
            view.p_values(f"p_{key}", say(heading), p)
            for key, heading in _FURTHER.items()
            if (p := getattr(tests, key)) is not None
        ]
        if tests.discordant is not None:
            only_one = say("{Things} that only one of the two has right")
            columns.append(view.counts("discordant", only_one, tests.discordant.item))
        caption = say("Further tests that compare {reference} with each entry by {metric}.")
        yield _table(view, "tests", caption, columns, view.others())


def _table(
    view: MetricView,
    name: str,
    caption: str,
    columns: Iterable[FilledColumn],
    entries: Sequence[int],
    note: str = "",
) -> ResultTable:
    """Return a table with a row for each of these entries, below its caption."""
    shown, filled = view.excerpt(entries), (view.entry, *columns)
    return view.table(name, caption, entries, filled, note, label=caption, excerpt=shown)


def _against(view: MetricView) -> Iterator[ResultTable]:
    """Yield a table for each entry that was named in advance."""
    say = view.say
    for count, test in enumerate(view.evidence.reference_tests, start=1):
        entries = [i for i in view.order if i != test.reference]
        caption = say(
            "{name} was named in advance. The table shows the gain of each entry over it in "
            "{metric} (negative where {name} is better), with the two-sided p after the step-down "
            "max-T correction.",
            name=view.names[test.reference],
        )
        columns = (
            view.numbers("difference", say("Difference"), (-test.observed).item, signed=True),
            view.p_values("p_two_sided", say("Adjusted p"), test.p_value),
        )
        yield _table(view, f"against_{count}", caption, columns, entries)


def distributions(view: MetricView, differences: Differences, told: set[str]) -> Iterator[Section]:
    """Yield the bootstrap distributions of the close differences, best entry first."""
    evidence, say = view.evidence, view.say
    drawn = [i for i in view.others() if i in evidence.histograms]
    if not drawn:
        return
    counted = say(
        "The highlighted part is what the p counts: beyond 2δ where the p is one-sided, and at "
        "least |δ| from the mean on either side where it is two-sided."
        if any(view.two_sided(i) for i in drawn)
        else "The highlighted part, beyond 2δ, is what the p counts."
    )
    close = np.logical_or.reduce(list(view.standing.tied.values()))
    missing = sum(bool(close[i]) and i not in evidence.histograms for i in view.others())
    left = {"more": max(len(drawn) - _HISTOGRAMS, 0), "not_drawn": missing}
    more = " ".join(say(*_LEFT_OUT[key], count=number) for key, number in left.items() if number)
    pictures = tuple(
        Picture(
            f"distribution{view.suffix}_{number}",
            *_histogram(view, differences, i),
            shown=number <= _HISTOGRAMS,
        )
        for number, i in enumerate(drawn, start=1)
    )
    blocks = (
        *once(
            told,
            say(
                "Each panel shows the bootstrap distribution of one difference; δ is the observed "
                "difference. There is a panel for each entry that some rule ties with the "
                "reference, and one for the nearest entry that no rule ties. {counted} The larger "
                "this part, the more easily chance alone makes such a difference.",
                counted=counted,
            ),
        ),
        together(*pictures, style="panels"),
        *([Paragraph(more, "note")] if more else []),
    )
    yield Section(f"metric-{view.index + 1}-distributions", say("Close differences"), blocks)


def _histogram(view: MetricView, differences: Differences, i: int) -> tuple[Drawing, str, str]:
    """Return the histogram of a difference, its style, and its note."""
    say, data = view.say, view.evidence.histograms[i]
    difference = view.difference(data.observed)
    if view.two_sided(i):
        label, p = gettext_noop("two-sided p"), differences.p_two_sided[i]
        mean = float(differences.mean[i])
        counted = mean - abs(data.observed), mean + abs(data.observed)
    else:
        label, p = gettext_noop("one-sided p"), differences.p_one_sided[i]
        counted = -math.inf, 2 * data.observed if data.observed > 0 else -math.inf
    note = say(
        "Observed difference {difference}; {p_label}\u00a0{p}.",
        difference=difference,
        p_label=say(label),
        p=view.numerals.p(float(p)),
    )
    names = {"reference": view.reference, "name": view.names[i]}
    resamples = view.count(int(data.counts.sum()))
    figure = histogram(
        Heading(
            f"distribution-{view.index + 1}-{i + 1}",
            say("{reference} against {name}", **names),
            say(
                "Histogram of {resamples} resampled differences between {reference} and {name}. "
                "{note}",
                **names,
                resamples=resamples,
                note=note,
            ),
            histogram_keys(view),
        ),
        data,
        counted,
        (say("0"), say("δ = {difference}", difference=difference), say("2δ")),
        say(
            "advantage of {reference} in {metric}",
            reference=view.short_names[view.scores.reference],
            metric=shortened(view.label, _LETTERS_UNDER_HISTOGRAM),
        ),
        view.numerals.fixed,
    )
    return figure, "panel", note
