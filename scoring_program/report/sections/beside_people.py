"""A judge beside people: what the judge is worth, and how far the two are apart by system.

People scored some units, and the judge all of them. Scores of the ranking are the judge's,
corrected by people's (`inference.judge_and_people`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...document.blocks import Picture, Section, passage
from ...document.figures.forest import NARROW_AREA, line_of_equals, scatter
from ...document.marks import Drawing, Key, Plotted
from ...document.take_away import Cell, ResultTable, TableColumn, cell
from ...inference.judge_and_people import JudgeAndPeople
from ..view import FilledColumn, MetricView, Views
from .intervals import score_column, status_keys

#: Of up to this many entries, all have a label.
_FEW_LABELS = 12


def sections(views: Views) -> Iterator[Section]:
    """Yield the judge beside people for each metric."""
    for view in views:
        people = view.evidence.people
        if people is None:
            continue
        heading = view.say("The judge beside people")
        if len(views) > 1:
            heading = f"{heading} · {view.label}"
        table = _table(view, people)
        blocks = passage(
            paragraphs=[" ".join((*worth(view), *_other_leader(view, people)))],
            caption=table.caption,
            table=table,
            pictures=[Picture(f"judge_and_people{view.suffix}", _picture(view, people))],
        )
        address = f"people-{view.index + 1}" if view.index else "people"
        yield Section(address, heading, blocks)


def worth(view: MetricView) -> Iterator[str]:
    """Say how many units people judged, and what the judge adds; nothing without people."""
    people = view.evidence.people
    if people is None:
        return
    say = view.say
    yield say(
        "People judged {judged:n} of {units:n} {things}.",
        judged=people.judged,
        units=people.units,
    )
    if people.weight == 0:
        yield say(
            "On these, the judge tells nothing of the differences between the entries (weight 0), "
            "so people's scores alone count."
        )
        return
    weight = view.numerals.fixed(people.weight, 2)
    if people.worth is None:
        yield say(
            "The judge's scores are corrected by how far the two are apart (weight {weight}).",
            weight=weight,
        )
        return
    yield say(
        "The judge's scores are corrected by how far the two are apart (weight {weight}), which is "
        "worth about {worth:n} human judgments.",
        weight=weight,
        worth=round(people.worth),
    )


def _other_leader(view: MetricView, people: JudgeAndPeople) -> Iterator[str]:
    """Name whom the judge's scores alone put first, if that is another entry."""
    competing = [i for i in view.order if i not in view.scores.baselines]
    first = max(competing, key=lambda i: view.sign * float(people.judge[i]))
    if first not in view.scores.leaders:
        yield view.say("The judge alone puts {name} first.", name=view.names[first])


def _table(view: MetricView, people: JudgeAndPeople) -> ResultTable:
    """Return each entry's corrected score beside the means of both."""
    say = view.say

    def by_people(entry: int) -> Cell:
        mean = float(people.people[entry])
        low = float(people.people_low[entry])
        high = float(people.people_high[entry])
        return cell(f"{view.score(mean)} {view.interval(low, high)}", mean, low, high)

    def apart(entry: int) -> float:
        return float(people.judge_on_judged[entry] - people.people[entry])

    of_people = TableColumn(
        ("people", "people_low", "people_high"), say("People [interval]"), numeric=True
    )
    columns: tuple[FilledColumn, ...] = (
        view.entry,
        score_column(view),
        (of_people, by_people),
        view.numbers("judge_on_judged", say("Judge, same {things}"), people.judge_on_judged.item),
        view.numbers("apart", say("Judge − people"), apart, signed=True),
        view.numbers("judge", say("Judge, all {things}"), people.judge.item),
    )
    caption = say(
        "The corrected {metric} of each entry, and the means of people's and of the judge's scores "
        "that it follows from, with {confidence} intervals of people's by the t distribution. "
        "Where the judge is further from people for one entry than for others, it favors or "
        "disfavors that entry; the correction takes this out."
    )
    return view.of_entries("judge_and_people", caption, view.order, columns)


def _picture(view: MetricView, people: JudgeAndPeople) -> Drawing:
    """Return people's means against the judge's, both of the units that people judged."""
    say = view.say
    fixed = view.numerals.fixed
    few = len(view.order) <= _FEW_LABELS
    plotted = []
    for i in view.order:
        judge = float(people.judge_on_judged[i])
        mean = float(people.people[i])
        span = (float(people.people_low[i]), mean, float(people.people_high[i]))
        told = say(
            "{name}: people {people}, judge {judge}",
            name=view.names[i],
            people=f"{view.score(mean)} {view.interval(span[0], span[2])}",
            judge=view.score(judge),
        )
        focus = few or i in view.possible_winners or view.focused(i)
        spans = ((judge, judge, judge), span)
        plotted.append(Plotted(view.evidence.names[i], spans, view.shape(i), (told,), focus=focus))
    keys = (
        *status_keys(view, [system.shape for system in plotted]),
        Key("cross", say("{confidence} interval of people's mean")),
    )
    equal = _are_on_one_scale(plotted)
    if equal:
        keys = (*keys, Key("equal", say("the judge scores as people do")))
    title = say("People against the judge: {metric}")
    about = f"{title}. {'; '.join(system.texts[0] for system in plotted)}"
    better = view.metric.greater_is_better
    across = say("judge's mean, {direction}")
    up = say("people's mean, {direction}")
    heading = Drawing(f"people-{view.index + 1}-scores", title, about, keys)
    axes = ((across, better, fixed), (up, better, fixed))
    lines = line_of_equals if equal else None
    return scatter(heading, *axes, plotted, area=NARROW_AREA, lines=lines)


def _are_on_one_scale(plotted: Sequence[Plotted]) -> bool:
    """Whether some means of the judge's scores and of people's may be equal."""
    judge = [system.spans[0][1] for system in plotted]
    people = [end for system in plotted for end in system.spans[1]]
    return max(min(judge), min(people)) < min(max(judge), max(people))
