"""The card of each entry, on where it stands, and the index by which every team finds itself."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ...core.arrays import Bools
from ...core.cells import grouped
from ...core.phrases import gettext_noop, ngettext_noop
from ...document.blocks import Fact, Facts, Section
from ...document.shortening import isolated, shortened
from ...inference.evidence import Evidence, PairPlan
from ..numbers import planned_size
from ..view import MANY_ROWS, MetricView, Views, test_examples
from .account import LEFT_ASIDE, UNSCORED, addresses

#: Entry → what is said of it.
Cards = Mapping[int, tuple[Fact, ...]]
#: How others stand to an entry.
_OTHERS = {
    "tied": gettext_noop("Undecided"),
    "above": gettext_noop("Shown better"),
    "below": gettext_noop("Shown worse"),
}
#: The same where a serious caution leaves nothing shown.
_BY_THE_RULE = {
    "tied": _OTHERS["tied"],
    "above": gettext_noop("Better by the rule"),
    "below": gettext_noop("Worse by the rule"),
}
#: What others are that have the score of a possible winner, and of another entry.
_NO_WINNER = ngettext_noop(
    "{names}, which is not a possible winner: how far it is behind the best is more certain",
    "{names}, which are not possible winners: how far they are behind the best is more certain",
)
_STILL_WINNER = ngettext_noop(
    "{names}, a possible winner: how far it is behind the best is less certain",
    "{names}, possible winners: how far they are behind the best is less certain",
)


def cards_of(views: Views) -> Cards:
    """Return the facts on every entry of the ranking metric, by its number there."""
    first = views[0]
    if len(first.evidence.names) == 1:
        return {0: tuple(_alone(views))}
    placed = (entry for entry in first.order if first.standing.rank_low[entry] > 0)
    alike = grouped((first.score_of(entry), entry) for entry in placed)
    return {entry: tuple(_facts(views, entry, alike)) for entry in first.order}


def _facts(views: Views, entry: int, alike: Mapping[str, Sequence[int]]) -> Iterator[Fact]:
    view = views[0]
    evidence = view.evidence
    say = view.say
    order = view.order
    if view.names[entry] != (name := isolated(evidence.names[entry])):
        yield Fact(say("Full name"), name)
    yield Fact(say("Place"), _place(view, entry))
    yield from _same_score(view, entry, alike)
    words = _BY_THE_RULE if view.serious else _OTHERS
    standing = _standing_of_rivals(evidence, entry)
    for key, marked in standing.items():
        if marked.any():
            yield Fact(say(words[key]), view.listed([i for i in order if marked[i]]))
    if _is_narrower(evidence, entry, standing):
        value = say(
            "narrower than these names suggest: it rests on the pairs of this entry alone, the "
            "names on all pairs together"
        )
        yield Fact(say("Places"), value)
    distance = evidence.distance(entry)
    if not np.isnan(distance):
        limit = say("no upper limit")
        if np.isfinite(distance):
            limit = say("at most {distance}", distance=view.upper_bound(distance))
        yield Fact(say("Behind the best"), limit)
    for pair in evidence.plan:
        if pair.entry == entry:
            yield Fact(say("To settle it"), _needed(view, pair))
            if pair.runs_needed is not None:
                runs = say("{runs:n} of each method, on as many {things}", runs=pair.runs_needed)
                yield Fact(say("Or more runs"), runs)
            if pair.both_needed is not None:
                size, runs_of_each = pair.both_needed
                examples = test_examples(view.language, view.result.kind, planned_size(size))
                sizes = say(
                    "{examples} and {runs:n} runs of each", examples=examples, runs=runs_of_each
                )
                yield Fact(say("Or more of both"), sizes)
    name = evidence.names[entry]
    for further in views[1:]:
        if (number := further.evidence.number_of.get(name)) is not None:
            yield Fact(further.label, _place(further, number))


def _same_score(view: MetricView, entry: int, alike: Mapping[str, Sequence[int]]) -> Iterator[Fact]:
    """Say why others with the score that is shown stand otherwise: scores alone do not decide."""
    winners = view.possible_winners
    same = alike.get(view.score_of(entry), ())
    otherwise = [i for i in same if (i in winners) != (entry in winners)]
    if otherwise and entry in same:
        sentence = _NO_WINNER if entry in winners else _STILL_WINNER
        reason = view.say(*sentence, count=len(otherwise), names=view.listed(otherwise))
        yield Fact(view.say("Same score as"), reason)


def _needed(view: MetricView, pair: PairPlan) -> str:
    """Say what would probably separate an entry from the leader, whoever is ahead."""
    needed = pair.examples_needed
    n = view.evidence.n
    if needed is None:
        return view.say(
            "even a test set 100 times as large might not separate it from {leader}",
            leader=view.leader,
        )
    size = planned_size(needed) if needed > n else n
    return view.say(
        "about {examples} would probably separate it from {leader}, whoever is ahead (it is ahead "
        "in {share} of the resamples)",
        examples=test_examples(view.language, view.result.kind, size),
        leader=view.leader,
        share=view.numerals.percent(pair.other_ahead),
    )


def _standing_of_rivals(evidence: Evidence, entry: int) -> Mapping[str, Bools]:
    """Return how the others that compete stand, [m] each.

    What is said of an entry that was named in advance follows from its own test, here as elsewhere.
    """
    stands = evidence.standing.rank_low > 0
    compared = stands & stands[entry] & (np.arange(stands.size) != entry)
    better = evidence.standing.better
    if evidence.question.reference_entry is not None:
        better = _with_reference(evidence)
    above = better[:, entry]
    below = better[entry]
    return {
        "tied": compared & ~(above | below),
        "above": compared & above,
        "below": compared & below,
    }


def _with_reference(evidence: Evidence) -> Bools:
    """Return who is shown better than whom [m, m], against the reference by its own test."""
    reference = evidence.scores.reference
    sign = 1 if evidence.metric.greater_is_better else -1
    score = sign * evidence.scores.score
    apart = ~evidence.tied_with_reference
    better = evidence.standing.better.copy()
    better[reference] = apart & (score < score[reference])
    better[:, reference] = apart & (score > score[reference])
    return better


def _is_narrower(evidence: Evidence, entry: int, standing_of: Mapping[str, Bools]) -> bool:
    """Whether the rank range counts more of the others as ahead or behind than the pairs name."""
    standing = evidence.standing
    m = 1 + sum(int(marked.sum()) for marked in standing_of.values())
    if standing.ranges_are_open or not standing.rank_low[entry]:
        return False
    ahead = standing.rank_low[entry] - 1
    behind = m - standing.rank_high[entry]
    return bool(ahead > standing_of["above"].sum() or behind > standing_of["below"].sum())


def _alone(views: Views) -> Iterator[Fact]:
    """Yield the further scores of an entry that is compared with nobody."""
    for view in views[1:]:
        if views[0].evidence.names[0] in view.evidence.names:
            interval = view.say("{confidence} interval", context="in a sentence")
            yield Fact(view.label, f"{view.score_of(0)}; {interval} {view.interval_of(0)}")


def _place(view: MetricView, entry: int) -> str:
    """Say an entry's score, rank and places; ranks are those of runs, and places those of teams."""
    values = {
        "score": view.score_of(entry),
        "rank": view.rank(entry),
        "m": view.count(view.competing),
        "range": view.rank_range(entry),
    }
    if not view.ranks_runs:
        first = view.standing.rank_low[entry]
        last = view.standing.rank_high[entry]
        if 0 < first == last and not view.standing.ranges_are_open:
            return view.say("{score}, rank {rank} of {m}; place {range}", **values)
        return view.say("{score}, rank {rank} of {m}; places {range}", **values)
    if not view.standing.rank_low[entry]:
        return view.say(
            "{score}, rank {rank} of {m} runs; another run stands for its team", **values
        )
    return view.say(
        "{score}, rank {rank} of {m} runs; places of its team: {range} of {teams}",
        **values,
        teams=view.count(view.teams),
    )


# Index --------------------------------------------------------------------------------------------


#: What a phone shows of an index at once; a longer one is divided.
_NAMES_OF_A_PART = 50
#: Names at the two ends of a part are cut to this many letters.
_HEADING = 17


def index_of(views: Views) -> Iterator[Section]:
    """Yield the index, in parts of about the same size; nothing unless there are many names."""
    names = sorted(_names(views), key=lambda item: (folded(item.label), item.label))
    if len(names) <= MANY_ROWS:
        return
    parts = -(-len(names) // _NAMES_OF_A_PART)
    cuts = [len(names) * part // parts for part in range(parts + 1)]
    folds = []
    for start, end in itertools.pairwise(cuts):
        part = Facts(tuple(names[start:end]), "index", links=True)
        ends = (
            isolated(shortened(name.label, _HEADING)) for name in (names[start], names[end - 1])
        )
        folds.append(Section("", " – ".join(ends), (part,), folded=True))
    blocks = tuple(folds) if parts > 1 else folds[0].blocks
    yield Section("find", views[0].say("Find an entry"), blocks, "find", folded=True)


def _names(views: Views) -> Iterator[Fact]:
    """Yield all there are: with a row of its own, or with the reason why it has none."""
    view = views[0]
    result = view.result
    say = view.say
    ranked = view.evidence.number_of
    for name, address in view.cards.items():
        if name in ranked:
            yield Fact(name, address=address, tags=view.tags(ranked[name]))
        else:
            yield Fact(name, address=UNSCORED, tags=(say("not ranked"),))
    for item, address in zip(result.unusable, addresses(result.unusable), strict=True):
        yield Fact(item.name, address=address, tags=(say("not scored"),))
    listed = {*result.names, *(item.name for item in result.unusable)}
    for name in dict.fromkeys(item.name for item in result.left_aside):
        if name not in listed:
            yield Fact(name, address=LEFT_ASIDE, tags=(say("left aside"),))


def folded(name: str) -> str:
    """Return what the alphabet sorts by, the same in every locale: no case and no accents."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
