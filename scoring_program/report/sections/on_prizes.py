"""Who takes a prize, by team, and what the usual rules would mean here."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...core.arrays import Bools
from ...core.phrases import gettext_noop
from ...document.blocks import Block, Fact, Facts, Paragraph, Section, passage
from ...document.shortening import isolated, told_apart
from ...document.take_away import ResultTable, TableColumn, cell
from ...inference.evidence import BorderPlan
from ..numbers import planned_size
from ..prize_words import PrizeWords, unknown
from ..view import IN_SENTENCE, MetricView, Views, test_examples

#: A card has two lines for the prizes, of so many letters together.
_LETTERS_ON_CARD = 96
#: What is settled of a team, as a column of the table has it.
_SETTLED = {
    "sure": gettext_noop("sure", context="prize"),
    "open": gettext_noop("possible", context="prize"),
    "out": gettext_noop("no", context="prize"),
}


def sections(views: Views) -> Iterator[Section]:
    """Yield the section on prizes where the organizer asked for them, by the ranking metric."""
    view = views[0]
    told = list(sentences(view, in_full=True))
    if not told:
        return
    blocks: list[Block] = [Paragraph(" ".join(told)), *map(Paragraph, _confidence(view))]
    words = words_of(view, in_full=True)
    if words is not None:
        blocks += passage(caption="", table=_table(view))
        blocks.append(Paragraph(view.say("Usual rules, and what each would mean here"), "heading"))
        blocks.append(Facts(tuple(_rules(view, words)), "sources", listed=True))
    yield Section("prizes", view.say("Prizes"), tuple(blocks))


def sentences(view: MetricView, *, in_full: bool = False) -> Iterator[str]:
    """Yield who surely takes a prize, who may and who does not, or why nothing is settled."""
    prizes = view.evidence.verdict.prizes
    if prizes is None or view.result.form != "teams" or view.teams < 2:
        return
    words = words_of(view, in_full=in_full)
    if words is not None:
        yield from words.sentences()
    elif prizes.reason is not None:
        yield unknown(view.language, prizes.places, prizes.reason, view.rule)


def for_paper(view: MetricView) -> Iterator[str]:
    """Yield what an overview paper says of the prizes: all names, and how sure this is."""
    yield from sentences(view, in_full=True)
    yield from _confidence(view)


def on_card(view: MetricView) -> str:
    """Return what a card says of the prizes: in numbers where the names have no room."""
    in_names = " ".join(sentences(view))
    words = words_of(view)
    return in_names if words is None or len(in_names) <= _LETTERS_ON_CARD else words.counts()


def words_of(view: MetricView, *, in_full: bool = False) -> PrizeWords | None:
    """Return the teams by what is settled of the prizes; None where nothing is."""
    prizes = view.evidence.verdict.prizes
    if prizes is None or prizes.sure is None or prizes.open is None or prizes.out is None:
        return None
    return PrizeWords(
        view.language,
        prizes.places,
        sure=_teams(view, prizes.sure),
        open=_teams(view, prizes.open),
        out=_teams(view, prizes.out),
        first_open=int(np.count_nonzero(view.evidence.verdict.possible_winners)) > 1,
        in_full=in_full,
    )


def _teams(view: MetricView, marked: Bools) -> list[str]:
    """Return the names of the teams for which these entries stand, best first."""
    names = names_of_teams(view)
    return [names[i] for i in view.order if marked[i]]


def names_of_teams(view: MetricView) -> tuple[str, ...]:
    """Return the name of each entry's team, as sentences have it, [m]."""
    teams = [view.result.team_of(name) for name in view.evidence.names]
    distinct = list(dict.fromkeys(teams))
    name_of = dict(zip(distinct, told_apart(distinct, IN_SENTENCE), strict=True))
    return tuple(isolated(name_of[team]) for team in teams)


def _confidence(view: MetricView) -> Iterator[str]:
    """Say how sure all of it is."""
    prizes = view.evidence.verdict.prizes
    if prizes is None or prizes.confidence is None:
        return
    if view.evidence.verdict.places is not None:
        yield view.say(
            "In this way, a wrong set of teams is named in at most {error} of competitions. "
            "Nothing is said about their order."
        )
    else:
        yield view.say("All of this holds at once with {confidence} confidence.")


def _table(view: MetricView) -> ResultTable:
    """Return the teams with what is settled of each, its places, and the run that stands for it."""
    ranked = [i for i in view.order if view.standing.rank_low[i]]
    prizes = view.evidence.verdict.prizes
    settled: dict[int, str] = {}
    for key in _SETTLED:
        marked = getattr(prizes, key)
        settled |= dict.fromkeys(np.flatnonzero(marked).tolist(), key)
    standing = view.standing
    teams = [view.result.team_of(name) for name in view.evidence.names]
    columns = [
        view.words("team", view.say("Team"), teams.__getitem__),
        (
            TableColumn(("prize",), view.say("Prize")),
            lambda i: cell(view.say(_SETTLED[settled[i]], context="prize"), settled[i]),
        ),
        (
            TableColumn(("rank_low", "rank_high"), view.say("Places"), True),
            lambda i: cell(
                view.rank_range(i), int(standing.rank_low[i]), int(standing.rank_high[i])
            ),
        ),
    ]
    if any(teams[i] != view.evidence.names[i] for i in ranked):
        run = view.words("run", view.say("Its best run"), view.evidence.names.__getitem__)
        columns.append(run)
    caption = view.say("Prizes by {metric}: who takes one of the first places.")
    return view.table("prizes", caption, ranked, columns)


# Rules --------------------------------------------------------------------------------------------


def _rules(view: MetricView, words: PrizeWords) -> Iterator[Fact]:
    """Yield usual rules with what each would mean here."""
    say = view.say
    yield Fact(say("The best scores take all"), _by_score(view, words))
    if words.settled:
        settled = say("This gives the same teams, because all places are settled.")
        yield Fact(say("All who may be among the first share"), settled)
        return
    yield Fact(say("All who may be among the first share"), _shared(view, words))
    if view.evidence.border is not None:
        yield Fact(say("The test set is extended"), _extended(view, view.evidence.border))


def _shared(view: MetricView, words: PrizeWords) -> str:
    """Say who shares the places that are not settled."""
    if words.sure:
        return view.say(
            "{sure} takes a prize alone, and {open} share the rest.",
            "{sure} take a prize each, and {open} share the rest.",
            count=len(words.sure),
            sure=words.listed(words.sure),
            open=words.listed(words.open),
        )
    return view.say(
        "{teams} share the prize.",
        "{teams} share the prizes.",
        count=words.places,
        teams=words.listed(words.open),
    )


def _by_score(view: MetricView, words: PrizeWords) -> str:
    """Say which teams have the best scores, and whether a tie of scores needs a rule of its own."""
    ranked = [i for i in view.order if view.standing.rank_low[i]]
    names = names_of_teams(view)
    scores = view.scores.score
    if words.places >= len(ranked):
        return view.say("Every team takes one.")
    last = scores[ranked[words.places - 1]]
    next_one = scores[ranked[words.places]]
    if last != next_one:
        first = words.listed([names[i] for i in ranked[: words.places]])
        if words.settled:
            return view.say("This gives {teams}.", teams=first)
        return view.say(
            "{teams} takes the prize, although another team may be better.",
            "{teams} take the prizes, although other teams may be better.",
            count=words.places,
            teams=first,
        )
    level = [names[i] for i in ranked if scores[i] == last]
    return view.say(
        "{teams} have the same score at the border, so it takes a rule for ties.",
        teams=words.listed(level),
    )


def _extended(view: MetricView, border: BorderPlan) -> str:
    """Say how many examples would settle who takes the last prize."""
    names = names_of_teams(view)
    n = view.evidence.n
    needed = border.examples_needed
    values = {"inside": names[border.inside], "outside": names[border.outside]}
    if needed is None:
        return view.say(
            "Even a test set 100 times as large might not separate {inside} from {outside}.",
            **values,
        )
    size = planned_size(needed) if needed > n else n
    return view.say(
        "About {examples} in all would probably separate {inside} from {outside}, whichever is "
        "better.",
        examples=test_examples(view.language, view.result.kind, size),
        **values,
    )
