"""The ranking by one metric: scores, statuses, rank ranges, and distances from the best."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ...core.methods import VALID_TIE_RULES
from ...core.phrases import gettext_noop
from ...document.blocks import Paragraph, Picture, Section, passage, together
from ...document.figures import photo_finish as finish
from ...document.figures.forest import PANEL, WIDE, forest, rank_chart
from ...document.marks import Drawing, Key, Plotted
from ...document.scales import Axis, strip_scale
from ...document.take_away import Cell, ResultTable, TableColumn, cell
from ...inference.evidence import PROJECTION, WITHHELD
from ..announcement import caption_of_bars
from ..view import FEW, MANY_ROWS, NAMES_IN_FULL, WINNER, FilledColumn, MetricView, Views
from . import intervals
from .entry_cards import Cards, index_of
from .one_metric import subtitle_of
from .verdict import of_selection, verdict

#: Where the page says how the verdict is known: inside a fold, which an address within opens.
HOW = "how-we-know"
#: Of a long ranking, so many entries show beside the possible winners.
_NEXT = 10
#: A figure of a paper has all possible winners, and further entries up to so many rows.
ROWS_OF_FIGURE = 12
#: A card has room for no more entries.
_MOST_OF_CARD = 6
#: Which rows may be shown.
_FILTERS = {
    "all": gettext_noop("all ({count})"),
    "winners": gettext_noop("possible winners ({count})"),
    "tied": gettext_noop("leader and tied with it ({count})"),
    "competing": gettext_noop("without baselines ({count})"),
}


def ranking_of(views: Views, view: MetricView, cards: Cards) -> Section:
    """Return the ranking by a metric: open by the first metric, folded away by any other."""
    say = view.say
    compared = len(view.evidence.names) > 1
    table = ranking_table(view, cards)
    if view.index:
        subtitle = Paragraph(subtitle_of(view), "subtitle", view.ranking_address)
        blocks = (subtitle, *_figures(view), *passage((), "", table, note=finish_note(view)))
        id = f"metric-{view.index + 1}"
        return Section(id, view.label, blocks, "further", verdict(view), folded=True)
    tools = [*index_of(views), *_rank_chart(view)]
    bars = finish_caption(view) if view.evidence.distances is not None else ""
    first, *more = filter(
        None, (bars, *footnote(view)) if compared else (intervals.caption_of(view),)
    )
    how = [Paragraph(first, id=HOW), *map(Paragraph, more)]
    blocks = (
        *([together(*tools, style="tools")] if tools else []),
        *_figures(view),
        *passage((), "", replace(table, choices=_choices(view)), note=finish_note(view)),
        Section("how", say("How to read this"), tuple(how), "how", folded=True),
    )
    heading = say("Ranking" if compared else "Score")
    small = f"{view.label} · {subtitle_of(view)}"
    return Section(view.ranking_address, heading, blocks, small=small)


def ranking_table(view: MetricView, cards: Cards | None = None) -> ResultTable:
    """Return the ranking with its picture; ``cards`` are what the page says of single entries.

    A row of an entry that has a card is its address.
    """
    heading = view.say("Ranking" if len(view.evidence.names) > 1 else "Score")
    label = heading if view.index else view.label
    more = {"style": "cards ranking", "labels": (("range", view.finish_headings[2]),)}
    if len(view.evidence.names) > 1:
        more["note"] = view.ranking_note
    columns = _columns(view, cards or {})
    return view.table("ranking", view.ranking_caption, view.order, columns, label=label, **more)


def _places(view: MetricView, i: int) -> Cell:
    """Return the places of an entry; a baseline has none, and a mean rank no last one."""
    low = int(view.standing.rank_low[i])
    high = int(view.standing.rank_high[i])
    last = None if view.standing.ranges_are_open else high or None
    return cell(view.rank_range(i), low or None, last)


def _columns(view: MetricView, cards: Cards) -> Iterator[FilledColumn]:
    """Yield the columns: those of one entry, those of several, those of files."""
    say = view.say
    names = view.evidence.names
    compared = len(view.evidence.names) > 1
    first = _first(view)

    def rank(i: int) -> Cell:  # a baseline has none
        return cell(view.rank(i), None if i in view.scores.baselines else int(view.scores.rank[i]))

    def entry(i: int) -> Cell:
        facts = {
            "first": i in first,
            "winner": compared and i in view.possible_winners,
            "baseline": i in view.scores.baselines,
            "focus": view.focused(i),
        }
        id = view.cards[names[i]] if i in cards else ""
        return cell(
            names[i],
            cut=view.names[i],
            strong=i in view.scores.leaders,
            paper_mark=WINNER if compared and i in view.possible_winners else "",
            tags=view.tags(i),
            unseen=view.heard_status(i) if compared else "",
            # The card of the entry that the page is about is open from the start.
            address=id if compared and not view.focused(i) else "",
            id=id,
            row=" ".join(key for key, holds in facts.items() if holds),
            card=cards.get(i, ()),
        )

    yield TableColumn(("rank",), say("Rank"), True, style="rank", on_page=compared), rank
    yield TableColumn(("entry",), say("Entry")), entry
    if compared:
        yield lanes_of(view, dict(zip(view.order, runners_of(view), strict=True)))
    yield intervals.score_column(view)
    unseen = view.only_ranks or view.withheld or compared
    yield intervals.interval_column(view, on_page=not unseen)
    if not compared:
        yield intervals.strip_column(view)
        return
    distance = view.evidence.distance
    yield TableColumn(("status",), say("Status"), on_page=False, paper=False), view.status
    yield (
        TableColumn(("rank_low", "rank_high"), view.finish_headings[2], True, style="range"),
        partial(_places, view),
    )
    key = ("distance_from_best",)
    at_most = say("Worse than the best by at most")
    yield (
        TableColumn(key, at_most, True, on_page=False, paper=False),
        lambda i: cell(view.upper_bound(distance(i)), distance(i)),
    )


def lanes_of(view: MetricView, runners: Mapping[int, finish.Runner]) -> FilledColumn:
    """Return the column with the photo finish of these entries."""
    id = f"lanes-{view.index + 1}"
    entries = list(runners.values())
    axis, lane = finish.column(id, entries, view.numerals.fixed)
    heading = view.finish_headings[0]
    unseen = view.say("How far behind the best")
    head = TableColumn((), unseen, style="finish", small=heading, axis=axis, unseen=True)
    return head, lambda i: cell("", strip=lane(runners[i]))


def on_ranges(view: MetricView) -> str:
    """Say what a rank range is, with its confidence unless a serious caution withdraws it."""
    if view.withheld:
        return view.say("Places: all, because nothing is tested.")
    if view.serious:
        return view.say("Places: those that the tests leave to the entry.")
    return view.say(
        "The places of an entry hold its true rank, with {confidence} confidence for all "
        "entries at once. They follow from one test of all pairs in all tasks, so they are more "
        "than they need be."
        if view.only_ranks
        else "Places: those that the entry could hold on a much larger test set "
        "like this one, each end with {confidence} confidence for an entry that was chosen "
        "beforehand; for whoever came first, with less."
    )


# Long because its sentences stand where they are chosen.
def footnote(view: MetricView) -> Iterator[str]:
    """Say how to read the ranking: what its statuses, ranges and distances mean."""
    if len(view.evidence.names) == 1:
        return
    say = view.say
    yield on_ranges(view)
    # Else the status says "tied" exactly where the rank range starts at 1.
    rules = (*VALID_TIE_RULES, PROJECTION, WITHHELD)
    if not view.chosen_leader or view.standing.rule not in rules:
        yield say(
            "Places and status follow from the same test. The status is against "
            "{reference}, so the two may differ."
            if view.only_ranks
            else "Places follow max-T. The status follows the rule “{rule}” against "
            "{reference}, so the two may differ."
        )
    elif view.beaten_leaders:
        yield say(
            "Among the competing entries, the places of possible winners, and only those, "
            "start at 1; a ring marks one. A leader is not one if the tie rule puts another "
            "run ahead, which does not stand for its team here."
        )
    elif not view.calls_winners:
        yield view.of_rivals(
            "The places of the leader and of who is tied with it, and only those, start at 1.",
            "Among the competing entries, the places of the leader and of who is tied with it, and "
            "only those, start at 1.",
        )
    else:
        yield view.of_rivals(
            "The places of possible winners, and only those, start at 1.",
            "Among the competing entries, the places of possible winners, and only those, "
            "start at 1.",
        )
    if view.teams < view.competing:
        yield say("Ranks count runs, and places count teams: the best run of a team stands for it.")
    yield from _third_entries(view)
    yield from _passed_over(view)
    yield from of_selection(view)
    yield say("The card of an entry opens at its name.")
    distances = view.evidence.distances
    if distances is not None and np.isfinite(distances.from_best).any():
        yield (
            say("The far end of a bar says how far its entry may be behind the best.")
            if view.serious
            else view.of_rivals(
                "No entry is truly further behind the best than the far end of its bar says, for "
                "all entries at once with {confidence} confidence.",
                "No entry is truly further behind the best competing entry than the far end of "
                "its bar says, for all competing entries at once with {confidence} confidence.",
            )
        )
    if distances is not None and np.isinf(distances.from_best).any():
        yield say(
            "A bar without an upper limit ends in an arrow: too few {things} tell its entry "
            "from a possible winner, or their difference has heavy tails."
        )
    margin = view.question.margin
    if distances is not None and margin is not None:
        yield say(
            "An entry is marked as practically best if that distance is at most {margin}.",
            margin=view.numerals.plain(margin),
        )
    if view.scores.baselines:
        yield say(
            "A baseline has no rank: it cannot win, and it lowers no other entry's rank. A "
            "triangle marks a baseline that is ahead."
        )


def _third_entries(view: MetricView) -> Iterator[str]:
    """Say which entry excludes those that the leader alone does not."""
    if not view.chosen_leader or view.standing.rule not in ("max_t", PROJECTION):
        return
    names = view.names
    by = view.standing.separated_from
    rivals = [*view.beaten_leaders, *view.all_but_reference()]
    third = [i for i in dict.fromkeys(rivals) if by[i] not in (-1, view.scores.leader)]
    for i in third[:NAMES_IN_FULL]:
        yield view.say(
            "{entry} is unlikely to be the best ({rule}): {name} is too far ahead of it.",
            entry=names[i],
            name=names[by[i]],
        )
    if len(third) > NAMES_IN_FULL:
        yield view.say(
            "A third entry excludes {count:n} more.",
            "A third entry excludes {count:n} more.",
            count=len(third) - NAMES_IN_FULL,
        )


def _passed_over(view: MetricView) -> Iterator[str]:
    """Say which entries may not be the best although a possible winner has no better score."""
    if not view.chosen_leader:
        return
    rank = view.scores.rank
    winners = view.possible_winners
    last = max(int(rank[i]) for i in winners)
    competing = {*np.flatnonzero(view.standing.rank_low).tolist()}
    no_winners = competing - {*winners, *view.beaten_leaders}
    outside = [i for i in view.order if i in no_winners and rank[i] <= last]
    if outside:
        yield view.say(
            "{inside} may be the best, but {outside} may not, despite a score that is as good or "
            "better: how certain a difference is counts, too."
            if view.calls_winners
            else "The rule “{rule}” ties {inside} with the leader, but not {outside}, despite a "
            "score that is as good or better: how certain a difference is counts, too.",
            inside=view.listed([i for i in winners if rank[i] >= rank[outside[0]]]),
            outside=view.listed(outside),
        )


def _figures(view: MetricView) -> Iterator[Picture]:
    """Yield the photo finish, the scores and the rank ranges as figures of the files."""
    for name, figure in finish_figures(view).items():
        yield Picture(name, figure, on_page=False)
    yield Picture(f"intervals{view.suffix}", score_forest(view), on_page=False)
    if len(view.evidence.names) > 1 and (len(view.evidence.names) <= FEW or view.index):
        yield Picture(f"rank_ranges{view.suffix}", _ranges_figure(view), on_page=False)


def score_forest(view: MetricView, entries: Sequence[int] | None = None) -> Drawing:
    """Return the ranking as one figure, with the possible winners held together.

    Of some ``entries``, it is a small figure.
    """
    say = view.say
    small = entries is not None
    order = view.order if entries is None else entries
    rows = []
    for i in order:
        score = view.score_of(i)
        full = f"{score} {view.interval_of(i)}" if view.has_intervals else score
        title = say("{name}: {metric} {score}", name=view.names[i], score=full)
        texts = (score if small else full, title)
        name = view.evidence.names[i]
        spans = (view.evidence.span(i),)
        focus = view.focused(i)
        rows.append(Plotted(name, spans, view.shape(i), texts, focus=focus))
    several = len(view.evidence.names) > 1
    winners = view.possible_winners
    keys = [*intervals.status_keys(view, [row.shape for row in rows] if several else ())]
    if view.has_intervals:
        keys.append(intervals.score_bar(view))
    if several:
        keys.append(
            Key(
                "rule",
                say("score of {reference}", reference=view.whole_names[view.scores.reference]),
            )
        )
    id = f"{'overview' if small else 'intervals'}-{view.index + 1}"
    what = intervals.scores_of(view)
    return forest(
        Drawing(id, view.label if small else what, f"{verdict(view)} {what}", tuple(keys)),
        rows,
        intervals.score_axis(view),
        say("{metric}, {direction}"),
        layout=PANEL if small else WIDE,
        bracketed={
            place for place, i in enumerate(order) if several and not small and i in winners
        },
        bracket_label=say("possible winners" if view.calls_winners else "leader and tied with it"),
    )


def _rank_chart(view: MetricView) -> Iterator[Section]:
    """Yield the ranges of many entries as a chart; few have theirs in the ranking."""
    if len(view.evidence.names) > FEW:
        figure = _ranges_figure(view)
        picture = Picture(f"rank_ranges{view.suffix}", figure, "bare", _note_on_lines(view))
        yield Section("ranges", figure.title, (picture,), "picture", folded=True)


def _note_on_lines(view: MetricView) -> str:
    """Say what the lines of a rank chart are, and their colors."""
    if not view.chosen_leader:
        return view.say(
            "A line covers the places of an entry, and the dot on it is its rank. A blue line is "
            "that of {reference}, of an entry not separated from it, or of the leader. An orange "
            "line is that of another entry ahead of {reference}."
        )
    if view.rings_are_winners:
        return view.say(
            "A line covers the places of an entry, and the dot on it is its rank. A blue line is "
            "the leader's, or that of a possible winner."
        )
    return view.say(
        "A line covers the places of an entry, and the dot on it is its rank. A blue line is the "
        "leader's, or that of an entry tied with it."
    )


def _title_of_ranges(view: MetricView) -> str:
    """Return the title of the rank ranges, with the confidence that they have."""
    if view.serious:
        return view.say("Places by {metric}")
    if view.only_ranks:
        return view.say("Places by {metric}, for all entries at once with {confidence} confidence")
    return view.say(
        "Places by {metric}, each end with {confidence} confidence for an entry chosen beforehand"
    )


def _blue_lines(view: MetricView) -> str:
    """Return what a blue line of a rank chart means, for its legend."""
    if not view.chosen_leader:
        return view.say(
            "{reference}, not separated from it, or leader: places, rank as a dot",
            reference=view.whole_names[view.scores.reference],
        )
    if view.rings_are_winners:
        return view.say("leader or possible winner: places, rank as a dot")
    return view.say("leader or tied with it: places, rank as a dot")


def _ranges_figure(view: MetricView) -> Drawing:
    """Return the rank ranges as one figure: strips of few entries, thin lines of many."""
    ranked = [i for i in view.order if view.standing.rank_low[i]]
    shapes = [view.shape(i) for i in ranked]
    label = view.say("Places")
    title = _title_of_ranges(view)
    about = Drawing(f"rank-ranges-{view.index + 1}", title, f"{verdict(view)} {title}")
    many = len(view.order) > FEW
    entries = []
    for i in ranked:
        (low, high) = view.range_of(i)
        range_text = view.rank_range(i)
        focus = many and view.focused(i)
        title = view.say("{name}: places {range}", name=view.names[i], range=range_text)
        texts = (view.marks[i],) if many else (range_text, title)
        spans = ((low, float(view.scores.rank[i]), high),)
        entries.append(Plotted(view.evidence.names[i], spans, view.shape(i), texts, focus=focus))
    if many:
        blue = Key("range-tied", _blue_lines(view))
        keys = intervals.standing_keys(view, shapes)
        further_keys = (key for key in keys if key.mark in ("ahead", "behind"))
        lines = (Key(f"range-{key.mark}", key.text) for key in further_keys)
        return rank_chart(replace(about, legend=(blue, *lines)), entries, label)
    last = max(2, int(np.max(view.standing.rank_high)))
    scale = strip_scale([1.0, float(last)])
    axis = Axis(f"ranks-{view.index + 1}", scale, ((scale(1), "1"), (scale(last), str(last))))
    legend = (*intervals.status_keys(view, shapes), Key("bar", view.say("places")))
    return forest(replace(about, legend=legend), entries, axis, label)


def _choices(view: MetricView) -> tuple[tuple[str, str], ...]:
    """Return what leaves some of many rows, the one that holds at first, and "all"; or none."""
    every = len(view.evidence.names)
    winners = len(view.possible_winners)
    if every <= MANY_ROWS:
        return ()
    counts = {"all": every, "winners": winners, "competing": view.competing}
    names = {} if view.calls_winners else {"winners": "tied"}
    # Of a single winner the verdict says all there is to say.
    choices = tuple(
        (key, view.say(_FILTERS[names.get(key, key)], count=view.count(count)))
        for key, count in counts.items()
        if key == "all" or 1 < count < every
    )
    first = ("first", view.say("the first ({count})", count=view.count(len(_first(view)))))
    choices = (first, *choices) if _first(view) else choices
    return choices if len(choices) > 1 else ()


def _first(view: MetricView) -> list[int]:
    """Return who shows first of a long ranking: the possible winners, and some more.

    Nobody if these are most of the entries.
    """
    order = view.order
    winners = view.possible_winners
    first = [*winners, *[i for i in order if i not in winners][:_NEXT]]
    return first if len(order) > MANY_ROWS and 2 * len(first) <= len(order) else []


# Photo finish -------------------------------------------------------------------------------------


def runners_of(view: MetricView, entries: Iterable[int] | None = None) -> list[finish.Runner]:
    """Return entries, all in the order of the ranking if they are not named."""
    bars = view.evidence.distances
    winners = set(view.possible_winners)
    return [
        view.runner(
            view.evidence.names[i],
            float(view.scores.score[i]),
            (math.nan if bars is None else float(bars.near[i]), view.evidence.distance(i)),
            view.rank_range(i),
            winner=i in winners,
            focus=view.focused(i),
        )
        for i in (view.order if entries is None else entries)
    ]


def finish_caption(view: MetricView) -> str:
    """Say what a bar is, with its confidence unless serious cautions withdraw it."""
    return caption_of_bars(view.say, is_withdrawn=view.evidence.verdict.confidence is None)


def finish_note(view: MetricView) -> str:
    """Say what is drawn instead where there are no bars; nothing where there are."""
    return "" if view.evidence.distances is not None or view.competing < 2 else view.without_bars


def finish_figures(view: MetricView) -> dict[str, Drawing]:
    """Return the figures of a paper, by name: as wide as a column, and as a page."""
    if len(view.evidence.names) < 2:
        return {}
    runners = finish.foremost(runners_of(view), ROWS_OF_FIGURE)
    more = view.left_out(len(view.evidence.names) - len(runners))
    note = " ".join(filter(None, [finish_note(view), more]))
    title = view.say("Photo finish by {metric}")
    about = f"{verdict(view)} {finish_note(view) or finish_caption(view)}"
    drawings = {}
    for name, width in (("column", finish.COLUMN), ("page", finish.PAGE)):
        heading = Drawing(f"finish-{view.index + 1}-{name}", title, about)
        drawings[f"photo_finish{view.suffix}_{name}"] = finish.photo_finish(
            heading, runners, view.finish_headings, view.numerals.fixed, note, width
        )
    return drawings


def finish_text(view: MetricView) -> list[str]:
    """Return the picture as lines of text for a terminal."""
    if len(view.evidence.names) < 2:
        return []
    runners = finish.foremost(runners_of(view), ROWS_OF_FIGURE)
    more = view.left_out(len(view.evidence.names) - len(runners))
    return [*finish.in_letters(runners), *([more] if more else [])]


def card_of(
    view: MetricView, title: str, words: tuple[str, str], in_numbers: str, source: str
) -> Drawing:
    """Return the card: a sentence, who takes a prize, and the first ones' photo finish.

    ``words`` are these two. Where the names leave no room for the sentence, the card says it
    ``in_numbers``.
    """
    sentence, note = words
    first = view.order[:_MOST_OF_CARD]
    if view.focus is not None and view.focus not in first:
        first[-1] = view.focus
    headings = view.finish_headings
    if len(view.evidence.names) == 1:
        headings = "", view.label, ""
    heading = Drawing("card", title, f"{sentence} {note}".strip())

    def below(count: int) -> str:
        """Say how many entries a card leaves out, and what its places are."""
        if len(view.evidence.names) == 1:
            return ""
        places = view.say("Places: those that an entry could hold on a much larger test set.")
        more = len(view.evidence.names) - count
        if not more:
            return places
        left_out = view.say("And {count:n} more.", "And {count:n} more.", count=more)
        return f"{left_out} {places}"

    runners = runners_of(view, first)
    has_room = not in_numbers or finish.has_room_on_card(sentence)
    statement = sentence if has_room else in_numbers
    return finish.card(heading, (statement, note), source, headings, runners, below)
