"""Side by side: all metrics with further rankings and trade-offs, tasks, and ranking schemes.

Beside a mean rank stand the ranks that it averages: those among the entries with an overall place.
A rank range of the task stands with them only where the task's own ranks are the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from ...core.arrays import Bools, Floats
from ...core.phrases import MISSING, gettext_noop
from ...document.blocks import Blocks, Paragraph, Picture, Section, passage, together
from ...document.figures.forest import NARROW_AREA, AxisOfScatter, scatter, side_by_side
from ...document.figures.grids import MOST_DOTS, cases
from ...document.marks import Drawing, Key, Plotted, Span
from ...document.scales import far_off
from ...document.shortening import file_part, isolated
from ...document.take_away import Cell, ResultTable, TableColumn, cell
from ...inference.descriptive import TradeOff, trade_off, verified_on_all
from ...inference.evidence import RankingSchemes
from ..view import FEW, WINNER, FilledColumn, MetricView, Views
from .intervals import standing_keys, status_keys
from .ranking import ranking_of, score_forest

#: Entries of a panel.
_ROWS = 20
#: Who is shown of many entries: by a rule that names possible winners, and by another one.
_SHOWN = gettext_noop(
    "The first {count} of {m} entries are shown, and all leaders and possible winners."
)
_SHOWN_BY_RULE = gettext_noop(
    "The first {count} of {m} entries are shown, and all leaders and those tied with them."
)
#: So many pictures at most: the ranking metric against this many others.
_MOST = 4
#: Of up to this many entries, all have a label.
_FEW_LABELS = 12


def sections(views: Views) -> Iterator[Section]:
    """Yield what all metrics say where there are several."""
    if len(views) == 1:
        return
    first = views[0]
    table = all_metrics_table(views)
    winner = verified_on_all([view.evidence for view in views], first.result.team_of)
    verified = [] if winner is None else [Paragraph(_verified(views, winner))]
    caption = Paragraph(" ".join(_caption(first)), "caption")
    beside = [together(caption, together(*_panels(views), style="panels"))]
    if table is not None:
        beside.insert(0, together(table, Paragraph(table.note, "note")))
    rankings = (ranking_of(views, view, {}) for view in views[1:])
    pictures = (*ranks_by_task(views), *trade_off_picture(views))
    blocks = (*verified, together(*beside, style="overview"), *rankings, *pictures)
    yield Section("overview", first.say("All metrics at a glance"), blocks)


def _verified(views: Views, winner: str) -> str:
    """Say by which metrics a team is verified as the winner: by all that verify anybody."""
    first = views[0]
    metrics = [view.say("by {metric}", context="verified") for view in views if not view.only_ranks]
    return first.say(
        "{winner} is verified as the best {metrics}. A wrong winner is named by all of them in at "
        "most {error} of competitions.",
        winner=isolated(winner),
        metrics=first.language.listed(metrics),
    )


def _panels(views: Views) -> Iterator[Picture]:
    """Yield a small panel for each metric; that of the ranking metric is in the files only.

    Entries are in the order of the ranking metric. Of many entries the first are shown, the
    possible winners, the leaders of the panel, and the submission that the page is about.
    """
    first = views[0]
    names = [first.evidence.names[i] for i in first.drawn(_ROWS)]
    for view in views:
        number_of = view.evidence.number_of
        entries = [number_of[name] for name in names if name in number_of]
        entries = entries or view.order[:_ROWS]
        entries += [i for i in view.scores.leaders if i not in entries]
        name = f"overview_{file_part(view.metric.name)}"
        yield Picture(name, score_forest(view, entries), "panel", on_page=view.index > 0)


def _caption(view: MetricView) -> Iterator[str]:
    """Say what to look for in the panels."""
    m = len(view.evidence.names)
    if m == 1:
        yield view.say(
            "Each panel shows one metric with its {confidence} interval. Look at the length of the "
            "bar: the score on a much larger test set of the same kind may lie anywhere in it."
        )
        return
    yield view.say(
        "Each panel shows one metric with {confidence} intervals (a mean rank has none). "
        "Entries are in the order of {metric}. Look for entries that change places from panel "
        "to panel: they may trade one quality for another."
        if view.only_ranks
        else "Each panel shows one metric with {confidence} intervals. Entries are in the order of "
        "{metric}. Look for entries that change places from panel to panel: they may trade "
        "one quality for another."
    )
    yield view.say(
        "Diamond: leader. Ring: possible winner. Dot: behind. The dashed line is the "
        "leader's score."
        if view.rings_are_winners
        else "Diamond: leader. Ring: tied with the leader. Dot: behind. The dashed line is the "
        "leader's score."
        if view.chosen_leader
        else "The square and the dashed line are {reference}. A ring is not separated from it, "
        "a triangle is ahead of it, and a dot is behind it. A diamond marks the leader."
    )
    if m > _ROWS:
        yield view.say(
            _SHOWN if view.calls_winners else _SHOWN_BY_RULE,
            count=view.count(_ROWS),
            m=view.count(m),
        )


def all_metrics_table(views: Views) -> ResultTable | None:
    """Return one table of all metrics, which marks the possible winners by each.

    Headings lead to the rankings. None unless there are several entries.
    """
    first = views[0]
    if len(first.evidence.names) == 1:
        return None
    say = first.say

    def column(view: MetricView) -> FilledColumn:
        def score(name: str) -> Cell:
            if (entry := view.evidence.number_of.get(name)) is None:
                return cell("", None, None)
            value = float(view.scores.score[entry])
            leads = entry in view.scores.leaders
            wins = entry in view.possible_winners
            mark = WINNER if wins else ""
            return cell(view.score(value), value, int(wins), strong=leads, mark=mark)

        keys = (view.metric.name, f"{view.metric.name}_possible_winner")
        return TableColumn(keys, view.label, True, view.ranking_address), score

    note = say(
        "{dagger} marks the possible winners by each metric; the leader is bold."
        if all(view.calls_winners for view in views)
        else "{dagger} marks the leader by each metric and who is tied with it; the leader is "
        "bold.",
        dagger=WINNER,
    )
    return first.table(
        "all_metrics",
        say("Scores by all metrics on {test_examples}."),
        dict.fromkeys(view.evidence.names[i] for view in views for i in view.order),
        (first.words("entry", say("Entry"), str), *map(column, views)),
        note=note,
    )


def trade_off_picture(views: Views) -> Iterator[Section]:
    """Yield the ranking metric against the first others that say something else.

    Of a large field, the page shows one picture: hundreds of marks take much of a page.
    """
    first = views[0]
    pairs = list(islice(_trade_offs(views), _MOST))
    if not pairs:
        return
    blocks, *further = (
        _blocks(first, second, between, leads=not place)
        for place, (second, between) in enumerate(pairs)
    )
    few = len(first.evidence.names) <= FEW
    for (second, _), inner in zip(pairs[1:], further, strict=True):
        heading = first.language.listed([first.label, second.label])
        id = f"trade-off-{second.index + 1}"
        blocks = (*blocks, Section(id, heading, inner, folded=True, on_page=few))
    if further and not few:
        more_files = first.say(
            "The files that come with this page also show {first} against {others}.",
            first=first.label,
            others=first.language.listed([second.label for second, _ in pairs[1:]]),
        )
        blocks = (*blocks, Paragraph(more_files, "note"))
    heading = first.say("Trade-off between two metrics")
    yield Section("trade-off", heading, blocks, "further picture", folded=True)


def _trade_offs(views: Views) -> Iterator[tuple[MetricView, TradeOff]]:
    """Yield the metrics that do not order the entries as the ranking metric does."""
    first = views[0]
    for second in views[1 : first.result.public] if not first.only_ranks else ():
        if second.evidence.task == first.evidence.task:
            between = trade_off(first.evidence, second.evidence)
            if len(between.first) > 1 and not between.same:
                yield second, between


def _blocks(first: MetricView, second: MetricView, between: TradeOff, *, leads: bool) -> Blocks:
    """Return the picture of two metrics; the one that leads says how to read them all."""
    competing = ~np.isin(between.first, first.scores.baselines)
    fixed = between.front | np.isin(between.first, list(first.foremost))
    far = np.zeros(len(between.first), dtype=np.bool_)  # who would squeeze all others by a metric
    for view, entries in ((first, between.first), (second, between.second)):
        far |= far_off(np.array([view.evidence.span(int(i)) for i in entries]), fixed, competing)
    front = [int(i) for i in between.first[between.front]]
    caption = first.say(
        "Each entry stands at its scores by both metrics, with their {confidence} intervals; the "
        "best corner is at the top right. The marks say how it stands by the ranking metric."
    )
    on_front = first.say(
        "No competing entry has better scores than these by both metrics (the Pareto front): "
        "{entries}."
        if len(front) > 1
        else "{entries} has the best scores by both metrics.",
        entries=first.listed(front),
    )
    note = ""
    if far.any():
        note = first.say(
            "Not in the picture, because their scores are far from all others: {entries}.",
            entries=first.listed([int(i) for i in between.first[far]]),
        )
    keys = [*status_keys(first, [first.shape(int(i)) for i in between.first])]
    if first.has_intervals:
        keys.append(Key("cross", first.say("{confidence} intervals of both scores")))
    keys += [Key("front", first.say("Pareto front"))] if len(front) > 1 else []
    keys += [Key("note", note)] if note else []
    title = first.say("Trade-off: {first} and {second}", first=first.label, second=second.label)
    name = "trade-off" if leads else f"trade-off-{second.index + 1}"
    about = Drawing(f"{name}-scores", title, f"{on_front} {note}".strip(), tuple(keys))
    axes = _axis(first), _axis(second)
    plotted = _plotted(first, second, between, far)
    figure = scatter(about, *axes, plotted)
    # A phone shows the same without scrolling.
    on_phone = replace(about, id=f"{about.id}-narrow")
    narrow = scatter(on_phone, *axes, plotted, area=NARROW_AREA)
    file = "trade_off" if leads else f"trade_off_{file_part(second.metric.name)}"
    caption = f"{caption} {on_front}" if leads else on_front
    return passage(caption=caption, pictures=[Picture(file, figure, narrow=narrow)], note=note)


def _plotted(first: MetricView, second: MetricView, between: TradeOff, far: Bools) -> list[Plotted]:
    """Return the entries that are drawn: the front first, then the ranking's order."""
    few = len(between.first) <= _FEW_LABELS
    plotted = []

    def words(view: MetricView, entry: int) -> str:
        return f"{view.label} {view.score_of(entry)} {view.interval_of(entry)}"

    for place in np.argsort(~between.front, kind="stable").tolist():
        i = int(between.first[place])
        j = int(between.second[place])
        front = bool(between.front[place])
        if not far[place]:
            name = first.evidence.names[i]
            spans = (first.evidence.span(i), second.evidence.span(j))
            hover = f"{first.names[i]}: {words(first, i)}; {words(second, j)}"
            focus = few or front or i in first.possible_winners or first.focused(i)
            plotted.append(Plotted(name, spans, first.shape(i), (hover,), focus=focus, front=front))
    return plotted


def _axis(view: MetricView) -> AxisOfScatter:
    label = view.say("{metric}, {direction}")
    return label, view.metric.greater_is_better, view.numerals.fixed


# Ranks by task ------------------------------------------------------------------------------------


#: A figure has up to this many panels and rows; more tasks take further figures.
PANELS = 5
_ROWS_OF_TASKS = 30


def _how_ranks_are_averaged(first: MetricView, chosen: Sequence[MetricView]) -> Iterator[str]:
    """Yield what a mean rank averages, where that is not the ranks of each task's own ranking."""
    if any(_averaged(first, view) for view in chosen):
        yield first.say(
            "A mean rank averages the ranks among the entries with an overall place, and each team "
            "counts once. These ranks stand here where they differ from those of a task's own "
            "ranking, which has the places."
        )
    places = first.evidence.places_in_tasks.values()
    if any(
        _are_shared(np.delete(places_of_task, first.scores.baselines)) for places_of_task in places
    ):
        yield first.say(
            "Entries that tie in a task share its place; a mean rank takes the average of the "
            "places that they would fill."
        )


def ranks_by_task(views: Views) -> Iterator[Section]:
    """Yield the ranks by the ranking metric and by the first metric of every task."""
    first = views[0]
    chosen = _chosen(views)
    if len(chosen) == 1 or len(first.evidence.names) == 1:
        return
    say = first.say
    count = first.count
    names = [first.evidence.names[i] for i in first.order]
    number_of = first.evidence.number_of
    table = first.table(
        "tasks",
        say(
            "Rank in each task, and in parentheses the ranks that the tests leave to the entry."
            if any(view.serious for view in chosen)
            else "Rank in each task, and in parentheses those that the entry could hold on a much "
            "larger test set like this one, each end with {confidence} confidence for an entry "
            "that was chosen beforehand; for whoever came first, with less."
        ),
        names,
        (first.words("entry", say("Entry"), str), *(_ranks(first, view) for view in chosen)),
    )
    leaders = (view.evidence.names[i] for view in chosen for i in view.scores.leaders)
    drawn = first.drawn(_ROWS_OF_TASKS, map(number_of.get, leaders))
    drawn_names = [first.evidence.names[i] for i in drawn]
    note = ""
    if len(drawn_names) < len(names):
        note = say(
            _SHOWN if first.calls_winners else _SHOWN_BY_RULE,
            count=count(_ROWS_OF_TASKS),
            m=count(len(names)),
        )
    pictures = [
        Picture(
            f"tasks_{number}" if len(chosen) > PANELS else "tasks",
            _figure(first, chosen[start : start + PANELS], drawn_names, number, note),
        )
        for number, start in enumerate(range(0, len(chosen), PANELS), start=1)
    ]
    caption = say(
        "Each panel shows the ranks by one task, next to those that rank the competition. The "
        "marks say who leads and who else may be the best in that panel. Look for entries that "
        "change places; with many teams, some such change is expected by chance."
    )
    note = " ".join(filter(None, (note, *_how_ranks_are_averaged(first, chosen))))
    blocks = (
        *passage(caption=caption, pictures=pictures, note=note),
        Section("", say("The same as a table"), (table,), folded=True),
    )
    yield Section("task-ranks", say("Tasks side by side"), blocks, "further picture", folded=True)


def _chosen(views: Views) -> list[MetricView]:
    """Return the ranking metric, and the first metric of every other task."""
    first_of: dict[str | None, MetricView] = {}
    for view in views:
        first_of.setdefault(view.evidence.task, view)
    ranking_tasks = (None, views[0].evidence.task)
    return [views[0], *(view for task, view in first_of.items() if task not in ranking_tasks)]


def _figure(first: MetricView, chosen: Views, names: list[str], number: int, note: str) -> Drawing:
    say = chosen[0].say
    last = max(2, *(int(view.standing.rank_high.max()) for view in chosen))
    ticks = [(float(rank), chosen[0].numerals.count(rank)) for rank in (1, last)]
    panels = [(view.label, list(_spans(first, view, names)), None) for view in chosen]
    shapes = [span[1] for _, spans, _ in panels for span in spans if span is not None]
    title = say(
        "Ranks in each task, with places"
        if any(view.serious for view in chosen)
        else "Ranks in each task, with places (each end with {confidence} confidence for an entry "
        "chosen beforehand)"
    )
    description = "; ".join(
        f"{view.label}: " + first.language.joined(list(_ranks_in_words(first, view, names)))
        for view in chosen
    )
    keys = [*standing_keys(chosen[0], shapes), Key("bar", say("places"))]
    keys += [Key("note", note)] if note else []
    heading = Drawing(f"tasks-{number}", title, description, tuple(keys))
    return side_by_side(heading, names, panels, (1.0, float(last)), ticks, say("Places"))


def _averaged(first: MetricView, view: MetricView) -> Mapping[str, int]:
    """Return entry → the rank that the mean rank averages, where a task's own ranks are others.

    Nothing if the task's own ranks count; baselines have none.
    """
    ranks = first.evidence.places_in_tasks.get(view.evidence.metric.name)
    if ranks is None:
        return {}
    if view.evidence.names == first.evidence.names:
        differ = np.delete(ranks != view.scores.rank, list(first.scores.baselines))
        if not differ.any():
            return {}
    pairs = zip(first.evidence.names, ranks.tolist(), strict=True)
    return {name: int(rank) for name, rank in pairs if name not in first.result.settings.baselines}


def _are_shared(places: Floats) -> bool:
    """Whether two entries have the same place."""
    return np.unique(places).size < places.size


def _spans(
    first: MetricView, view: MetricView, names: Sequence[str]
) -> Iterator[tuple[Span, str] | None]:
    """Yield the rank range of each entry with its rank, and the shape that marks it."""
    averaged = _averaged(first, view)
    number_of = view.evidence.number_of
    for name in names:
        entry = number_of.get(name)
        shape = "behind" if entry is None else view.shape(entry)
        if name in averaged:
            yield (math.nan, averaged[name], math.nan), shape
        elif entry is None or math.isnan(view.range_of(entry)[0]):
            yield None
        else:
            low, high = view.range_of(entry)
            yield (low, float(view.scores.rank[entry]), high), shape


def _ranks_in_words(first: MetricView, view: MetricView, names: Sequence[str]) -> Iterator[str]:
    """Yield the ranks of entries in words, each after its name."""
    averaged = _averaged(first, view)
    number_of = view.evidence.number_of
    for name in names:
        entry = number_of.get(name)
        rank = MISSING if entry is None else view.rank_range(entry)
        yield f"{name} {view.count(averaged[name]) if name in averaged else rank}"


def _ranks(first: MetricView, view: MetricView) -> FilledColumn:
    """Return the column of the ranks in a task, with their ranges in parentheses."""
    averaged = _averaged(first, view)
    number_of = view.evidence.number_of

    def rank_cell(name: str) -> Cell:
        entry = number_of.get(name)
        if name in averaged:
            rank = averaged[name]
            return cell(view.count(rank), rank, None, None, strong=rank == 1)
        if entry is None:
            return cell(MISSING, None, None, None)
        place = None if entry in view.scores.baselines else int(view.scores.rank[entry])
        low, high = (None if math.isnan(end) else int(end) for end in view.range_of(entry))
        text = f"{view.rank(entry)} ({view.rank_range(entry)})"
        return cell(text, place, low, high, strong=entry in view.scores.leaders)

    keys = (f"{view.metric.name}_{key}" for key in ("rank", "rank_low", "rank_high"))
    return TableColumn(tuple(keys), view.label, numeric=True), rank_cell


# Ranking schemes ---------------------------------------------------------------------------------


#: In the order of the columns.
_SCHEMES = {
    "mean": gettext_noop("mean"),
    "median": gettext_noop("median"),
    "mean_rank": gettext_noop("mean rank within units"),
    "wins": gettext_noop("significant wins"),
}


def schemes(views: Views) -> Iterator[Section]:
    """Yield who is first by each scheme, and below it every entry's value and rank by each."""
    of_views = ((view, view.evidence.schemes) for view in views)
    with_schemes = [
        (view, ranking_schemes) for view, ranking_schemes in of_views if ranking_schemes is not None
    ]
    if not with_schemes:
        return
    say = views[0].say
    table = _leaders(views[0], with_schemes)
    folds = []
    pictures = []
    for view, ranking_schemes in with_schemes:
        pictures.append(
            Picture(f"cases{view.suffix}", cases_figure(view, ranking_schemes), "panel")
        )
        blocks = passage(
            (_summary(view, ranking_schemes),), table=schemes_table(view, ranking_schemes)
        )
        folds.append(Section("", view.say("Ranking schemes: {metric}"), blocks, folded=True))
    marks = max((picture.figure.legend for picture in pictures), key=len)
    note = say(
        "Significant wins: one-sided Wilcoxon signed-rank tests of all pairs, adjusted by Holm; of "
        "groups, their means are tested. The number of wins has no interval, because it jumps "
        "where a p-value passes the level. For an interval of another scheme, make it a metric."
    )
    blocks = (
        Paragraph(" ".join(key.text for key in marks), "note"),
        together(*pictures, style="panels"),
        *passage(table=table, note=note),
        *folds,
    )
    yield Section("schemes", say("Ranking schemes"), blocks)


def cases_figure(view: MetricView, schemes: RankingSchemes) -> Drawing:
    """Return the scores of every entry on single cases."""
    say = view.say
    entries = schemes.entries.tolist()
    title = say("Scores on single cases: {metric}")
    explanations = [
        say("Box: the middle half, with the median. Thin line: nine tenths of the cases.")
    ]
    if schemes.cases.size <= MOST_DOTS:
        explanations.insert(0, say("Dot: one case."))
    legend = tuple(Key("note", text) for text in explanations)
    heading = Drawing(f"cases-{view.index + 1}", title, " ".join(explanations), legend)
    names = [view.evidence.names[i] for i in entries]
    shapes = [view.shape(i) for i in entries]
    return cases(
        heading, names, schemes.cases, shapes, say("{metric}, {direction}"), view.numerals.fixed
    )


def _leaders(
    writer: MetricView, with_schemes: Sequence[tuple[MetricView, RankingSchemes]]
) -> ResultTable:
    """Return a row a metric, or task, and a column a scheme: who is first.

    Schemes disagree only where no entry is first by all of them.
    """
    say = writer.say
    rows = [(view, *_first(ranking_schemes)) for view, ranking_schemes in with_schemes]

    def column(scheme: str) -> FilledColumn:
        def leaders(row: tuple[MetricView, Mapping[str, list[int]], list[int]]) -> str:
            return row[0].listed(row[1][scheme]) if scheme in row[1] else MISSING

        return writer.words(scheme, say(_SCHEMES[scheme]), leaders)

    def verdict(row: tuple[MetricView, Mapping[str, list[int]], list[int]]) -> Cell:
        agree = bool(row[2])
        return cell(say("agree") if agree else say("disagree"), int(agree), strong=not agree)

    columns = (
        writer.words("metric", say("Metric"), lambda row: row[0].label),
        *map(column, _SCHEMES),
        (TableColumn(("agree",), say("Schemes")), verdict),
    )
    caption = say("Who is first by each ranking scheme.")
    return writer.table("schemes_compared", caption, rows, columns, style="cards compared listed")


def _first(schemes: RankingSchemes) -> tuple[dict[str, list[int]], list[int]]:
    """Return scheme → who is first by it, and who is by all; wins that separate nobody are none."""
    none_wins = bool((schemes.ranks["wins"] == 1).all())
    first = {
        scheme: schemes.entries[ranks == 1].tolist()
        for scheme, ranks in schemes.ranks.items()
        if scheme != "wins" or not none_wins
    }
    by_all = set.intersection(*map(set, first.values()))
    return first, [i for i in first["mean"] if i in by_all]


def schemes_table(view: MetricView, schemes: RankingSchemes) -> ResultTable:
    """Return each entry's value and rank by every scheme, best first."""
    place = {entry: place for place, entry in enumerate(schemes.entries.tolist())}

    def column(scheme: str) -> FilledColumn:
        values = schemes.values[scheme]
        ranks = schemes.ranks[scheme]

        def scheme_cell(entry: int) -> Cell:
            value = float(values[place[entry]])
            rank = int(ranks[place[entry]])
            text = f"{_text(view, scheme, value)} ({view.count(rank)})"
            return cell(text, value, rank, strong=rank == 1)

        heading = TableColumn((scheme, f"rank_by_{scheme}"), view.say(_SCHEMES[scheme]), True)
        return heading, scheme_cell

    caption = view.say(
        "What each entry gets by four ranking schemes of {metric}, and in parentheses its rank by "
        "each."
    )
    return view.table("schemes", caption, place, (view.entry, *map(column, schemes.values)))


def _text(view: MetricView, scheme: str, value: float) -> str:
    if scheme == "wins":
        return view.count(int(value))
    return view.numerals.fixed(value, 2) if scheme == "mean_rank" else view.score(value)


def _summary(view: MetricView, schemes: RankingSchemes) -> str:
    """Say who is first by how many of the schemes, leaving out tests that separate nobody.

    Schemes disagree only where no entry is first, alone or with others, by all of them.
    """
    say = view.say
    first, by_all = _first(schemes)
    none_wins = "wins" not in first
    if by_all:
        return say(
            "No win is significant. By every other scheme, {entries} is first."
            if none_wins
            else "By every scheme, {entries} is first.",
            entries=view.listed(by_all),
        )
    of_schemes = [
        say("{scheme}: {entries}", scheme=say(_SCHEMES[scheme]), entries=view.listed(entries))
        for scheme, entries in first.items()
    ]
    differ = say(
        "The schemes put different entries first: {schemes}.", schemes="; ".join(of_schemes)
    )
    return f"{differ} {say('No win is significant.')}" if none_wins else differ
