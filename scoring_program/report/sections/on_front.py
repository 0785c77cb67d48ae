"""Cost against score: who may be the best for its cost, and what a budget buys."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ...core.phrases import MISSING, gettext_noop
from ...document.blocks import Block, Fact, Facts, Paragraph, Picture, Section, passage
from ...document.figures.cost_front import CostAxis, cost_front
from ...document.figures.forest import NARROW_AREA, WIDE_AREA, PlotArea
from ...document.marks import Drawing, Key, Plotted
from ...document.shortening import isolated
from ...document.take_away import ResultTable, TableColumn, cell
from ...inference.evidence import Front
from ..numbers import rounded_costs
from ..view import NAMES_IN_FULL, MetricView, Views
from .on_prizes import names_of_teams

#: A list of more names holds these many, and the number of the others.
_NAMES_OF_MANY = 3
#: Of up to this many entries, all have a label in the picture.
_FEW_LABELS = 20
#: What is said of an entry, as a column of the table has it.
_STANDS = {
    "on": gettext_noop("possible", context="front"),
    "off": gettext_noop("no", context="front"),
}


def sections(views: Views) -> Iterator[Section]:
    """Yield the section on costs where there are any, by the ranking metric."""
    view = views[0]
    front = _front_of(view)
    if front is None:
        return
    blocks: list[Block] = [Paragraph(" ".join(sentences(view, in_full=True)))]
    blocks += map(Paragraph, _confidence(view, front))
    if front.on is not None:
        blocks.append(Facts(tuple(_budgets(view, front)), "sources", listed=True))
        blocks += passage(caption="", pictures=[_picture(view, front)])
        blocks += passage(caption="", table=_table(view, front), note=_note(view, front))
    yield Section("costs", view.say("Cost and score"), tuple(blocks))


def sentences(view: MetricView, *, in_full: bool = False) -> Iterator[str]:
    """Yield who may be the best for its cost, or why this is not known; nothing without costs."""
    front = _front_of(view)
    if front is None:
        return
    if front.on is None:
        yield _unknown(view, str(front.reason))
        return
    names = names_of_teams(view)
    on = [names[i] for i in view.order if front.on[i]]
    if len(on) == len(_ranked(view)):
        yield view.say("Each of the {count:n} entries may be the best for its cost.", count=len(on))
        return
    yield view.say(
        "{teams} may be the best for its cost.",
        "{teams} may each be the best for their cost.",
        count=len(on),
        teams=_listed(view, on, in_full=in_full),
    )
    assert front.excluded_by is not None
    off = [i for i in _ranked(view) if not front.on[i]]
    if len(off) == 1:
        yield view.say(
            "{team} is not: {other}, which costs no more, rules it out.",
            team=names[off[0]],
            other=names[int(front.excluded_by[off[0]])],
        )
    else:
        yield view.say(
            "None of the other {count} is: another that costs no more rules each of them out.",
            count=view.count(len(off)),
        )


def for_paper(view: MetricView) -> Iterator[str]:
    """Yield what an overview paper says of costs: all names, and how sure this is."""
    front = _front_of(view)
    if front is not None:
        yield from sentences(view, in_full=True)
        yield from _confidence(view, front)


def _front_of(view: MetricView) -> Front | None:
    """Return the record of the front, where a page of all teams compares them."""
    if view.result.form != "teams" or view.teams < 2:
        return None
    return view.evidence.verdict.front


def _unknown(view: MetricView, reason: str) -> str:
    """Say why it is not known who may be the best for its cost."""
    if reason in ("rule", "runs", "few"):
        return view.say(
            "The tie rule “{rule}” does not say who may be the best for its cost; max-T does."
        )
    if reason == "mean_rank":
        return view.say("By a mean rank, it is not known who may be the best for its cost.")
    return view.say(
        "It is not known who may be the best for its cost: a serious caution comes first."
    )


def _confidence(view: MetricView, front: Front) -> Iterator[str]:
    """Say how sure the front is, and what costs that vary change."""
    if front.confidence is None:
        return
    yield view.say(
        "An entry chosen beforehand that is truly the best for its cost is among them with "
        "{confidence} confidence; that all such entries are, is less certain."
    )
    if front.measured:
        yield view.say(
            "Costs were measured on the same test set, and vary like scores: an entry is ruled out "
            "only where another is shown to be both better and cheaper."
        )


def _ranked(view: MetricView) -> list[int]:
    """Return the entries that stand for the teams that compete, best first."""
    return [i for i in view.order if view.standing.rank_low[i]]


def _priced(view: MetricView, front: Front) -> list[int]:
    """Return the entries that stand for teams, and the baselines, that have costs, best first."""
    of_teams = {*_ranked(view), *view.scores.baselines}
    return [i for i in view.order if i in of_teams and not math.isnan(front.costs[i])]


def _called(view: MetricView, entry: int) -> str:
    """Return the name of an entry's team, or that of a baseline, which may be a run of one."""
    name = view.evidence.names[entry]
    return name if entry in view.scores.baselines else view.result.team_of(name)


def _listed(view: MetricView, names: Sequence[str], *, in_full: bool = False) -> str:
    """Return names as a sentence lists them."""
    if in_full or len(names) <= NAMES_IN_FULL:
        return view.language.listed(list(names))
    return view.say(
        "{first} and {count} more teams",
        first=view.language.joined(list(names[:_NAMES_OF_MANY])),
        count=view.count(len(names) - _NAMES_OF_MANY),
    )


def _costs(view: MetricView, front: Front) -> dict[float, str]:
    """Return each cost and its text, in whatever unit it was given."""
    rounded = rounded_costs(front.costs.tolist())
    return {cost: view.numerals.plain(value) for cost, value in rounded.items()}


# Budgets ------------------------------------------------------------------------------------------


def steps(view: MetricView, front: Front) -> list[int]:
    """Return the entries with the best score of all that cost no more, the cheapest first.

    Of several with the same score, the cheapest counts, and of these the first by name.
    """
    best = -math.inf
    entries = []
    # Stable, so that at the same cost the better one comes first.
    for i in sorted(_ranked(view), key=lambda entry: front.costs[entry]):
        score = view.sign * float(view.scores.score[i])
        if score > best:
            best = score
            entries.append(i)
    return entries


def _budgets(view: MetricView, front: Front) -> Iterator[Fact]:
    """Yield what each budget buys: the best score, and who may be as good for what it costs."""
    assert front.on is not None
    names = names_of_teams(view)
    winners = view.evidence.verdict.possible_winners
    written = _costs(view, front)
    bought = steps(view, front)
    limits = [*(front.costs[i] for i in bought[1:]), math.inf]
    for leader, limit in zip(bought, limits, strict=True):
        rivals = []
        for i in _ranked(view):
            is_bought = front.costs[leader] <= front.costs[i] < limit
            # Whoever may be the best of all may be so for the largest budget, whatever it costs.
            may_win = limit == math.inf and winners[i]
            if i != leader and front.on[i] and (is_bought or may_win):
                rivals.append(names[i])
        label = view.say("A budget of {cost} or more", cost=written[front.costs[leader]])
        values = {"leader": names[leader], "score": view.score_of(leader)}
        if rivals:
            sentence = view.say(
                "{leader} has the best score ({score}), but {others} may be as good or better.",
                others=_listed(view, rivals),
                **values,
            )
        else:
            sentence = view.say("{leader} has the best score ({score}).", **values)
        yield Fact(label, sentence)


# Picture and table --------------------------------------------------------------------------------


def _picture(view: MetricView, front: Front) -> Picture:
    """Return the picture of cost against score, which a phone shows without scrolling."""
    narrow = _figure(view, front, "costs-scores-narrow", NARROW_AREA)
    return Picture("costs", _figure(view, front, "costs-scores", WIDE_AREA), narrow=narrow)


def _figure(view: MetricView, front: Front, address: str, area: PlotArea) -> Drawing:
    """Return the drawing of cost against score in this size."""
    assert front.on is not None
    assert front.excluded_by is not None
    on = front.on
    # The front comes first: of labels without room, the later ones are left out.
    entries = sorted(_priced(view, front), key=lambda i: not on[i])
    bought = set(steps(view, front))
    place = {entry: number for number, entry in enumerate(entries)}
    few = len(entries) <= _FEW_LABELS
    written = _costs(view, front)
    plotted = [_plotted(view, front, i, bought, written[front.costs[i]], few=few) for i in entries]
    links = [
        (place[i], place[by])
        for i in entries
        if (by := int(front.excluded_by[i])) >= 0 and by in place
    ]
    keys = [Key("tied", view.say("may be the best for its cost"))]
    if any(entry.shape == "leader" for entry in plotted):
        keys.insert(0, Key("leader", view.say("has the best score")))
    if links:
        keys.append(Key("behind", view.say("ruled out by another that costs no more (thin line)")))
    if any(entry.shape == "reference" for entry in plotted):
        keys.append(Key("reference", view.say("baseline")))
    keys.append(Key("front", view.say("best score for each budget")))
    if view.has_intervals:
        keys.append(Key("cross", view.say("{confidence} interval of the score", context="legend")))
    title = view.say("Cost and {metric}")
    description = " ".join(sentences(view, in_full=True))
    label = view.say("{metric}, {direction}")
    up = label, view.metric.greater_is_better, view.numerals.fixed
    across = CostAxis(view.say("cost"), view.numerals.plain)
    heading = Drawing(address, title, description, tuple(keys))
    return cost_front(heading, across, up, plotted, links, area=area)


def _plotted(
    view: MetricView, front: Front, entry: int, bought: set[int], written: str, *, few: bool
) -> Plotted:
    """Return an entry of the picture, whose cost is ``written``; what hovering says tells all."""
    assert front.on is not None
    assert front.excluded_by is not None
    names = names_of_teams(view)
    cost = float(front.costs[entry])
    hint = view.say(
        "{name}: {metric} {score} {interval}, cost {cost}",
        name=isolated(_called(view, entry)),
        score=view.score_of(entry),
        interval=view.interval_of(entry),
        cost=written,
    )
    by = int(front.excluded_by[entry])
    if by >= 0:
        hint = view.say(
            "{entry}; ruled out by {other}, which costs no more", entry=hint, other=names[by]
        )
    shape = "tied" if front.on[entry] else "behind"
    if entry in view.scores.leaders:
        shape = "leader"
    elif entry in view.scores.baselines:
        shape = "reference"  # a square, which no entry here is
    spans = ((math.nan, cost, math.nan), view.evidence.span(entry))
    focus = few or bool(front.on[entry])
    return Plotted(_called(view, entry), spans, shape, (hint,), focus=focus, front=entry in bought)


def _note(view: MetricView, front: Front) -> str:
    """Say why a card may leave undecided what rules an entry out, where one does."""
    assert front.excluded_by is not None
    for entry, rival in enumerate(front.excluded_by.tolist()):
        if rival >= 0 and not view.standing.better[rival, entry]:
            return view.say(
                "What rules an entry out follows from the test of that entry alone. Its card tests "
                "all pairs at once, and may call one of these pairs undecided."
            )
    return ""


def _table(view: MetricView, front: Front) -> ResultTable:
    """Return the teams with their costs, the cheapest first, and what rules them out."""
    assert front.on is not None
    assert front.excluded_by is not None
    on = front.on
    by = front.excluded_by
    called = [_called(view, i) for i in range(len(view.evidence.names))]
    entries = sorted(_priced(view, front), key=lambda i: front.costs[i])
    written = _costs(view, front)
    baselines = np.isin(np.arange(len(called)), view.scores.baselines)

    def stands(entry: int) -> str:
        if baselines[entry]:
            return view.say("baseline")
        return view.say(_STANDS["on" if on[entry] else "off"], context="front")

    columns = [
        view.words("team", view.say("Team"), called.__getitem__),
        view.written("cost", view.say("Cost"), front.costs.item, written.__getitem__),
        view.numbers("score", view.label, view.scores.score.item),
        (
            TableColumn(("best_for_its_cost",), view.say("Best for its cost")),
            lambda i: cell(stands(i), "" if baselines[i] else int(on[i])),
        ),
        (
            # Files have the column in any case.
            TableColumn(
                ("excluded_by",),
                view.say("Ruled out by"),
                on_page=any(by[i] >= 0 for i in entries),
            ),
            lambda i: cell(MISSING, "") if by[i] < 0 else cell(called[by[i]]),
        ),
    ]
    caption = view.say("Costs and scores by {metric}: who may be the best for its cost.")
    return view.table("costs", caption, entries, columns)
