"""Differences: of every entry from the reference, with their distributions, and of all pairs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from ...core.arrays import Bools, Floats, Ints
from ...core.phrases import gettext_noop
from ...document.blocks import Block, Paragraph, Picture, Section, together
from ...document.figures.forest import forest
from ...document.figures.grids import histogram, matrix
from ...document.marks import Drawing, Key, Plotted
from ...document.scales import above_strips, strip
from ...document.take_away import Cell, CellValue, ResultTable, TableColumn, cell
from ...inference.evidence import Differences, Pairs
from ..view import CORRECTIONS, FEW, FilledColumn, MetricView
from .intervals import difference_axis, once

#: Histograms on the page; the files hold more.
_HISTOGRAMS = 6
#: What further tests are called.
_FURTHER = {
    "randomization_one_sided": gettext_noop("Randomization, one-sided p"),
    "randomization_two_sided": gettext_noop("Randomization, two-sided p"),
    "mcnemar_exact": gettext_noop("McNemar, exact p"),
    "mcnemar_mid_p": gettext_noop("McNemar, mid-p"),
}


def differences_of(view: MetricView, differences: Differences) -> Section:
    """Return the differences with their strips, the p-values, and the tests beyond the bootstrap.

    A p-value is one-sided, or corrected for several comparisons; the interval of a difference is
    two-sided, and holds for this one alone. Side by side, they would seem to contradict each other:
    so the p-values have a table of their own.
    """
    heading = view.say("Differences from {reference}")
    caption = _caption(view)
    zero = view.say(
        "Look at the zero line: where an interval contains zero, this comparison alone does not "
        "show which of the two is better."
        if view.standing.rule == "interval"
        else "Each interval is about one pair alone; who may be the best is in the ranking."
        if view.calls_winners
        else "Each interval is about one pair alone; who is tied with the leader is in the ranking."
    )
    note_on_p = " ".join(_on_p_values(view))
    columns = _p_values(view, differences)
    of_p = view.say("p-values of the comparisons with {reference} by {metric}.")
    p_values = _table(view, "p_values", of_p, columns, view.all_but_reference(), note_on_p)
    tests: list[Block] = []
    for table in (p_values, *_further_tests(view), *_against(view)):
        table_note = [Paragraph(table.note, "note")] if table.note else []
        tests += [Paragraph(table.caption, "caption table-caption"), table, *table_note]
    table, figure = _differences_table(view, differences)
    blocks = (Paragraph(f"{caption} {zero}", "caption"), table, figure, *tests)
    return Section(f"metric-{view.index + 1}-differences", heading, blocks)


def _caption(view: MetricView) -> str:
    """Say what the differences are, and which sign they have."""
    if not view.chosen_leader:
        return view.say(
            "The table shows how far {reference} is ahead of each entry in {metric}, with the "
            "{confidence} interval of the paired difference. It is negative where the entry is "
            "better. The gain of the entry over {reference} is the same with the other sign."
        )
    if view.metric.greater_is_better:
        return view.say(
            "The table shows how far {reference} is ahead of each entry in {metric}, with the "
            "{confidence} interval of the paired difference."
        )
    return view.say(
        "The table shows how far {reference} is ahead of each entry: the entry's {metric} minus "
        "that of {reference}, with the {confidence} interval of the paired difference."
    )


def _differences_table(view: MetricView, differences: Differences) -> tuple[ResultTable, Picture]:
    """Return the differences as a table and as a figure; machines get the p-values with them."""
    say = view.say
    compared = view.all_but_reference()
    caption = say("Advantage of {reference} over each entry in {metric}, by the paired bootstrap.")
    table = view.of_entries(
        "differences", caption, compared, _columns(view, differences), style="cards differences"
    )
    whole = view.whole_names[view.scores.reference]
    title = say("Differences from {reference}", reference=whole)
    axis = say("advantage of {reference} in {metric}", reference=whole)
    keys = (
        Key("plain", say("difference")),
        Key("bar", say("{confidence} interval of the difference")),
        Key("rule", say("no difference")),
    )
    figure = forest(
        Drawing(f"differences-{view.index + 1}", title, axis, keys),
        [_plotted(view, differences, i) for i in compared],
        difference_axis(view, differences, f"advantages-{view.index + 1}"),
        axis,
    )
    return table, Picture(f"differences{view.suffix}", figure, on_page=False)


def _columns(view: MetricView, differences: Differences) -> Iterator[FilledColumn]:
    """Yield the columns of the differences: their p-values, and often zero, for machines only."""
    say = view.say
    names = view.evidence.names
    shared = difference_axis(view, differences, f"advantages-{view.index + 1}")
    low = differences.low.tolist()
    high = differences.high.tolist()
    observed = differences.observed.tolist()

    def entry(i: int) -> Cell:
        return cell(names[i], tags=view.tags(i), row="focus" if view.focused(i) else "")

    def interval(i: int) -> Cell:
        return cell(view.interval(low[i], high[i]), low[i], high[i])

    def plot(i: int) -> Cell:
        return cell("", strip=strip(shared, (low[i], observed[i], high[i]), "plain"))

    def zero(i: int) -> Cell:
        if not math.isfinite(low[i]):
            return cell(say("no interval"), None)
        contains = low[i] <= 0 <= high[i]
        return cell(say("contains zero" if contains else "excludes zero"), int(contains))

    # A row says if its interval contains zero where that is the rule.
    drawn = say("Difference and interval")
    read = view.standing.rule == "interval"
    yield TableColumn(("entry",), say("Entry")), entry
    column, get = view.numbers("difference", say("Difference"), observed.__getitem__, signed=True)
    yield replace(column, style="score"), get
    if not view.chosen_leader:
        yield _gains(view, differences.observed)
    yield TableColumn(("ci_low", "ci_high"), view.interval_heading, style="interval"), interval
    yield TableColumn((), drawn, style="plot", axis=above_strips(shared), unseen=True), plot
    yield TableColumn(("contains_zero",), say("Zero"), style="status", read=read), zero
    for column, get in _p_values(view, differences):
        yield replace(column, read=False), get
    yield TableColumn(("status",), say("Status"), on_page=False), view.status


def _gains(view: MetricView, advantages: Floats) -> FilledColumn:
    """Return the column of what each entry gains over one that was named in advance."""
    return view.numbers("gain", view.say("Gain"), (0.0 - advantages).item, signed=True)


def _plotted(view: MetricView, differences: Differences, i: int) -> Plotted:
    """Return the difference of an entry in a figure, with its numbers."""
    ends = (differences.low, differences.observed, differences.high)
    low, observed, high = (float(end[i]) for end in ends)
    title = view.say(
        "{reference} over {name}: {difference} {interval}",
        name=view.names[i],
        difference=view.difference(observed),
        interval=view.interval(low, high),
    )
    texts = f"{view.difference(observed)} {view.interval(low, high)}", title
    name = view.evidence.names[i]
    focus = view.focused(i)
    return Plotted(name, ((low, observed, high),), "plain", texts, focus=focus)


def _p_values(view: MetricView, differences: Differences) -> Iterator[FilledColumn]:
    """Yield the columns of the p-values: unadjusted, then by correction."""
    say = view.say
    yield view.p_values("p_one_sided", say("One-sided p"), differences.p_one_sided)
    yield view.p_values("p_two_sided", say("Two-sided p"), differences.p_two_sided)
    for key, p in differences.p_adjusted.items():
        yield view.p_values(f"p_{key}", say("p, {correction}", correction=say(CORRECTIONS[key])), p)


def _on_p_values(view: MetricView) -> Iterator[str]:
    """Say what each p-value asks, and for how many comparisons it is corrected."""
    say = view.say
    entries = view.all_but_reference()
    compared = sum(i not in view.scores.baselines for i in entries)
    yield say(
        "The one-sided p asks whether {reference}, chosen as the leader on these data, is better."
        if view.chosen_leader
        else "{reference} was named in the settings, not chosen on these data, so the two-sided p "
        "counts, and it is the one that is adjusted."
    )
    yield say(
        "The adjusted p is corrected for the one comparison with {reference}.",
        "The adjusted p is corrected for the {count:n} comparisons with {reference}.",
        count=compared,
    )
    if compared < len(entries):
        yield say("Comparisons with baselines are corrected separately.")
    yield say(
        "These p-values and the intervals answer different questions: a p is one-sided "
        "or corrected, and an interval is two-sided and holds for one difference "
        "alone. So one may exclude a difference of zero where the other does not."
    )


def _further_tests(view: MetricView) -> Iterator[ResultTable]:
    """Yield the tests beyond the bootstrap, if the settings ask for them."""
    tests = view.evidence.paired_tests
    say = view.say
    if tests is None:
        return
    columns = [
        view.p_values(f"p_{key}", say(heading), p)
        for key, heading in _FURTHER.items()
        if (p := getattr(tests, key)) is not None
    ]
    if tests.discordant is not None:
        only_one = say("{Things} that only one of the two has right")
        columns.append(view.counts("discordant", only_one, tests.discordant.item))
    caption = say("Further tests that compare {reference} with each entry by {metric}.")
    yield _table(view, "tests", caption, columns, view.all_but_reference())


def _table(
    view: MetricView,
    name: str,
    caption: str,
    columns: Iterable[FilledColumn],
    entries: Sequence[int],
    note: str = "",
) -> ResultTable:
    """Return a table with a row for each of these entries, below its caption."""
    return view.of_entries(name, caption, entries, (view.entry, *columns), note=note, label=caption)


def _against(view: MetricView) -> Iterator[ResultTable]:
    """Yield a table for each entry that was named in advance."""
    say = view.say
    for count, (named, p_value) in enumerate(view.evidence.reference_tests.items(), start=1):
        entries = [i for i in view.order if i != named]
        caption = say(
            "{name} was named in advance. The table shows how far it is ahead of each entry in "
            "{metric} (negative where the entry is better), what the entry gains over it, and the "
            "two-sided p after the step-down max-T correction.",
            name=view.names[named],
        )
        advantages = view.evidence.advantages(named)
        columns = (
            view.numbers("difference", say("Difference"), advantages.item, signed=True),
            _gains(view, advantages),
            view.p_values("p_two_sided", say("Adjusted p"), p_value),
        )
        yield _table(view, f"against_{count}", caption, columns, entries)


def distributions(view: MetricView, differences: Differences, told: set[str]) -> Iterator[Section]:
    """Yield the bootstrap distributions of the close differences, best entry first."""
    drawn = [i for i in view.all_but_reference() if i in view.evidence.histograms]
    if not drawn:
        return
    counted = view.say(
        "The highlighted part is what the p counts: beyond 2δ where the p is one-sided, and at "
        "least |δ| from the mean on either side where it is two-sided."
        if any(view.two_sided(i) for i in drawn)
        else "The highlighted part, beyond 2δ, is what the p counts."
    )
    close = np.logical_or.reduce(list(view.standing.tied.values()))
    missing = sum(
        bool(close[i]) and i not in view.evidence.histograms for i in view.all_but_reference()
    )
    hidden = max(len(drawn) - _HISTOGRAMS, 0)
    in_files = view.say(
        "The folder figures holds {count:n} more close pair.",
        "The folder figures holds {count:n} more close pairs.",
        count=hidden,
    )
    not_drawn = view.say(
        "{count:n} close pair is not drawn.", "{count:n} close pairs are not drawn.", count=missing
    )
    more = " ".join(sentence for sentence, n in ((in_files, hidden), (not_drawn, missing)) if n)
    file = f"distribution{view.suffix}"
    pictures = (
        Picture(
            f"{file}_{number}", *_histogram(view, differences, i), on_page=number <= _HISTOGRAMS
        )
        for number, i in enumerate(drawn, start=1)
    )
    caption = view.say(
        "Each panel shows the bootstrap distribution of one difference; δ is the observed "
        "difference. There is a panel for each entry that some rule ties with the "
        "reference, and one for the nearest entry that no rule ties. {counted} The larger "
        "this part, the more easily chance alone makes such a difference.",
        counted=counted,
    )
    blocks = (
        *once(told, caption),
        together(*pictures, style="panels"),
        *([Paragraph(more, "note")] if more else []),
    )
    yield Section(f"metric-{view.index + 1}-distributions", view.say("Close differences"), blocks)


def _histogram(view: MetricView, differences: Differences, i: int) -> tuple[Drawing, str, str]:
    """Return the histogram of a difference, its style, and its note."""
    say = view.say
    data = view.evidence.histograms[i]
    observed = float(differences.observed[i])
    difference = view.difference(observed)
    label = say("one-sided p")
    p = differences.p_one_sided[i]
    counted = -math.inf, 2 * observed if observed > 0 else -math.inf
    if view.two_sided(i):
        label = say("two-sided p")
        p = differences.p_two_sided[i]
        mean = float(differences.mean[i])
        counted = mean - abs(observed), mean + abs(observed)
    note = say(
        "Observed difference {difference}; {p_label}\u00a0{p}.",
        difference=difference,
        p_label=label,
        p=view.numerals.p(float(p)),
    )
    name = view.names[i]
    description = say(
        "Histogram of {resamples} resampled differences between {reference} and {name}. {note}",
        name=name,
        resamples=view.count(int(data[0].sum())),
        note=note,
    )
    keys = Key("bin", say("resampled differences")), Key("tail", say("what the p counts"))
    whole = view.whole_names[view.scores.reference]
    title = say("{reference} against {name}", reference=whole, name=view.whole_names[i])
    fixed = view.numerals.fixed
    about = Drawing(f"distribution-{view.index + 1}-{i + 1}", title, description, keys)
    labels = say("0"), say("δ = {difference}", difference=difference), say("2δ")
    axis = say("advantage of {reference} in {metric}", reference=whole)
    return histogram(about, data, observed, counted, labels, axis, fixed), "panel", note


# All pairs ----------------------------------------------------------------------------------------


#: Up to this many entries, the cells of the triangle hold numbers as well as marks.
_NUMBERS_IN_PAIRS = 12
_MARKS = ("", "·", "*", "**", "***")
#: Below which multiples of the level, 1 − confidence, a p-value has the next mark.
_OF_LEVEL = (2, 1, 1 / 5, 1 / 50)
#: The strongest mark of a pair that is not shown to differ.
_UNSHOWN = 1
#: The columns of a table of counts.
_SEPARATED = {
    "better_than": gettext_noop("Separated entries below"),
    "worse_than": gettext_noop("Separated entries above"),
    "not_separated": gettext_noop("Entries not separated"),
}


def pairs_of(view: MetricView, pairs: Pairs, told: set[str]) -> Section:
    """Return all pairs: a triangle of cells for few entries, counts for many, and the map."""
    say = view.say
    few = len(view.evidence.names) <= FEW
    words, p = pair_p(view, pairs)
    number, grid = _pair_grid(view, pairs, p)
    legend = " ".join(_legend(view, words))
    pair_table = _triangle(view, pairs, (number, grid), p) if few else _pair_counts(view, grid)
    columns: dict[str, list[CellValue]] = {
        "better": [view.evidence.names[i] for i in pairs.better.tolist()],
        "worse": [view.evidence.names[i] for i in pairs.worse.tolist()],
        "difference": pairs.observed.tolist(),
        "ci_low": pairs.low.tolist(),
        "ci_high": pairs.high.tolist(),
        "p_one_sided": pairs.p_one_sided.tolist(),
        **{f"p_{key}": p.tolist() for key, p in pairs.p_adjusted.get("all", {}).items()},
        "p_max_t": pairs.p_max_t.tolist(),
    }
    records = tuple((key, *values) for key, values in columns.items())
    table = replace(pair_table, note=legend, records=records)
    caption = say(
        "Each cell compares the entry of its row with a better entry, whose rank heads the column. "
        "It shows their difference and how sure that difference is. A cell without a star, with or "
        "without a ·, is a pair that the test set does not separate at p < {level}."
        if few
        else "Each cell compares the entry of its row with a better entry, whose rank heads the "
        "column. A blank cell or a cell with a · is a pair that the test set does not separate at "
        "p < {level}. A wide blank band along the diagonal means many near-ties.",
        level=view.numerals.level(_levels(view)[_UNSHOWN]),
    )
    blocks = (
        *once(told, caption, legend),
        Picture(f"pairs{view.suffix}", _pair_map(view, grid), "bare", on_page=not few),
        table if few else Section("", say("The same as a table"), (table,), folded=True),
    )
    return Section(f"metric-{view.index + 1}-pairs", say("All pairs"), blocks)


def pair_p(view: MetricView, pairs: Pairs) -> tuple[str, Floats]:
    """Return the correction of all pairs that matches the tie rule, in words, and its p."""
    rule = view.standing.rule
    if rule == "max_t":
        return view.say("after the step-down max-T correction over all pairs"), pairs.p_max_t
    if rule in pairs.p_adjusted["all"]:
        correction = view.say(CORRECTIONS[rule])
        words = view.say("after the {correction} correction over all pairs", correction=correction)
        return words, pairs.p_adjusted["all"][rule]
    return view.say("without correction"), pairs.p_one_sided


def _legend(view: MetricView, correction: str) -> Iterator[str]:
    """Say what the marks mean, and how entries without a rank of their own are labeled."""
    # A level stays on the line of its mark.
    shades = [shade.replace(" ", "\N{NO-BREAK SPACE}") for shade in reversed(_shades_named(view))]
    yield view.say(
        "The marks follow the one-sided p {correction}: {marks}.",
        marks=view.language.joined(shades),
        correction=correction,
    )
    ranked = [view.rank(i) for i in range(len(view.marks)) if i not in view.scores.baselines]
    if len(set(ranked)) < len(ranked):
        yield view.say("Letters distinguish entries that share a rank.")
    if view.scores.baselines:
        yield view.say("B1, B2 and so on are the baselines, which have no rank.")


def _levels(view: MetricView) -> list[float]:
    """Return the levels below which a p-value has each mark: with 95%, .10, .05, .01 and .001."""
    return [round(multiple * (1 - view.question.confidence), 12) for multiple in _OF_LEVEL]


def _shades_named(view: MetricView) -> list[str]:
    """Return what each mark means, from the weakest to the strongest."""
    levels = zip(_MARKS[1:], _levels(view), strict=True)
    return [f"{mark} p < {view.numerals.level(level)}" for mark, level in levels]


def _triangle(view: MetricView, pairs: Pairs, grids: tuple[Ints, Ints], p: Floats) -> ResultTable:
    """Return one row per entry except the best, with one cell per better entry."""
    number, grid = grids
    order = view.order
    rows = []
    for row, entry in enumerate(order[1:], start=1):
        cells = [cell(view.marks[entry]), cell(view.evidence.names[entry])]
        for column in range(row):
            pair = int(number[row, column])
            shade = int(grid[row, column])
            observed = float(pairs.observed[pair])
            title = title_of(
                view,
                by_verdict=shade > _UNSHOWN and p[pair] >= _levels(view)[_UNSHOWN],
                better=view.names[int(pairs.better[pair])],
                worse=view.names[int(pairs.worse[pair])],
                difference=view.difference(observed),
                p=view.numerals.p(float(p[pair])),
            )
            number_text = (
                view.score(observed) if len(view.evidence.names) <= _NUMBERS_IN_PAIRS else ""
            )
            cells.append(cell(number_text, mark=_MARKS[shade], style=f"s{shade}", title=title))
        cells += [cell("", style="blank")] * (len(order) - 1 - row)
        rows.append(tuple(cells))
    caption = view.say(
        "All pairs by {metric}: advantage of the entry of the column (given by its rank) over the "
        "entry of the row."
    )
    columns = (
        TableColumn(("rank",), view.say("Rank"), True, style="rank"),
        TableColumn(("entry",), view.say("Entry")),
        *(TableColumn((view.marks[i],), view.marks[i], True) for i in order[:-1]),
    )
    return ResultTable(f"pairwise{view.suffix}", caption, columns, tuple(rows), style="pairs")


def title_of(view: MetricView, *, by_verdict: bool, **values: str) -> str:
    """Say who of a pair is ahead, by how much and how surely, or what shows it instead of p."""
    title = view.say("{better} over {worse}: {difference}, p {p}", **values)
    return f"{title} {view.say('(by the verdict)')}" if by_verdict else title


def judged(view: MetricView, pairs: Pairs, p: Floats) -> tuple[Bools, Bools]:
    """Return which pairs [k] are separated, and which by the verdict rather than by their p.

    Of those that compete, their cards say the same; a baseline's pairs have a star or none.
    """
    starred = _shades(view, pairs, p) > _UNSHOWN
    standing = view.evidence.standing
    compete = (standing.rank_low[pairs.better] > 0) & (standing.rank_low[pairs.worse] > 0)
    separated = np.where(compete, standing.better[pairs.better, pairs.worse], starred)
    return separated, starred & (p >= _levels(view)[_UNSHOWN])


def _shades(view: MetricView, pairs: Pairs, p: Floats) -> Ints:
    """Return the mark of each pair [k], 0 for none up to 4 for three stars."""
    shades = np.asarray(np.sum([p < level for level in _levels(view)], axis=0), dtype=np.intp)
    # Nobody who may be the best is marked as worse than another.
    may_win = view.evidence.verdict.possible_winners[pairs.worse]
    shades = np.where(may_win, np.minimum(shades, _UNSHOWN), shades)
    # What the verdict shows has a star, whatever the test of all pairs says.
    implied = view.evidence.standing.better[pairs.better, pairs.worse] & (shades <= _UNSHOWN)
    return np.where(implied & ~may_win, _UNSHOWN + 1, shades)


def _pair_grid(view: MetricView, pairs: Pairs, p: Floats) -> tuple[Ints, Ints]:
    """Return each pair's number and shade [m, m] below the diagonal, by place in the order."""
    m = len(view.order)
    place = np.argsort(view.order)
    upper = place[pairs.better]
    lower = place[pairs.worse]
    number = np.full((m, m), -1, dtype=np.intp)
    number[np.maximum(upper, lower), np.minimum(upper, lower)] = np.arange(len(upper))
    shades = _shades(view, pairs, p)
    return number, np.where(number >= 0, shades[number] if len(shades) else 0, 0)


def _pair_map(view: MetricView, grid: Ints) -> Drawing:
    """Return the map of all pairs: the shade of a cell says how sure the difference is."""
    order = view.order
    m = len(view.order)
    few = len(view.order) <= FEW
    about = view.say(
        "The lower triangle shows {pairs}; separated at p < {level}: {separated}. The "
        "table that goes with it has the numbers.",
        pairs=view.say("{count:n} pair", "{count:n} pairs", count=m * (m - 1) // 2),
        level=view.numerals.level(_levels(view)[_UNSHOWN]),
        separated=view.count(int((grid >= 2).sum())),
    )
    return matrix(
        Drawing(f"pairs-{view.index + 1}", f"{view.say('All pairs')} · {view.label}", about),
        grid,
        [view.marks[i] for i in order],
        view.say("Compared with rank"),
        _shades_named(view),
        names=[view.evidence.names[i] for i in order] if few else (),
        with_places=True,
        triangle=True,
        symbols=_MARKS,
    )


def _pair_counts(view: MetricView, grid: Ints) -> ResultTable:
    """Count for every entry, best first, from how many it is separated."""
    separated = grid >= 2
    place = np.argsort(view.order)
    below = separated.sum(axis=0)[place]
    above = separated.sum(axis=1)[place]
    counts = (below, above, len(grid) - 1 - below - above)
    columns = (
        view.words("rank", view.say("Rank"), view.marks.__getitem__, numeric=True),
        view.entry,
        *(
            view.counts(key, view.say(heading), numbers.item)
            for (key, heading), numbers in zip(_SEPARATED.items(), counts, strict=True)
        ),
    )
    caption = view.say(
        "Number of entries from which each entry is separated by {metric}, at p < {level}.",
        level=view.numerals.level(_levels(view)[_UNSHOWN]),
    )
    return view.of_entries("pairwise", caption, view.order, columns)
