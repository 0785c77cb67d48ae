"""A letter to every team: kind, true, and without what the competition hides from it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..core.phrases import gettext_noop, ngettext_noop
from ..document.shortening import isolated
from ..report.announcement import names_listed
from ..report.numbers import planned_size, rounded_costs, upward
from ..report.scores import ShownScore, rounded_score
from ..report.view import test_examples
from .record import AnnouncedResults, Team, file_names

#: Whether baselines take part → why the only possible winner can be named.
_SURE = {
    False: gettext_noop(
        "At {confidence} confidence, the test set of {examples} rules out that any other entry is "
        "better."
    ),
    True: gettext_noop(
        "At {confidence} confidence, the test set of {examples} rules out that any other competing "
        "entry is better."
    ),
}
#: What is settled of a prize; whoever has the best score has been congratulated.
_SURE_OF_PRIZE = {
    False: gettext_noop("Congratulations: you are surely among the first {places}."),
    True: gettext_noop("You are surely among the first {places}."),
}
_PRIZE = {
    "open": gettext_noop("You may be among the first {places}. The test set does not settle it."),
    "out": gettext_noop("You are not among the first {places}."),
}
#: Whether a baseline is ahead → what is said of the only possible winner, of one with the best
#: score, and of one that may be the best.
_WON = {
    False: gettext_noop("Congratulations: you won."),
    True: gettext_noop("Congratulations: you won among the competing entries."),
}
_BEST = {
    False: gettext_noop("Congratulations: you have the best score."),
    True: gettext_noop("Congratulations: you have the best score among the competing entries."),
}
_SHARE = {
    False: ngettext_noop(
        "You share the best score with another team.",
        "You share the best score with {count:n} other teams.",
    ),
    True: ngettext_noop(
        "You share the best score among the competing entries with another team.",
        "You share the best score among the competing entries with {count:n} other teams.",
    ),
}
_MAY_WIN = {
    False: gettext_noop(
        "Your submission may be the best: a test set of {examples} is too small to tell it from "
        "{leaders}. A lower place here does not mean a worse system."
    ),
    True: gettext_noop(
        "Your submission may be the best of the competing entries: a test set of {examples} is too "
        "small to tell it from {leaders}. A lower place here does not mean a worse system."
    ),
}
_MAY_WIN_HIDDEN = {
    False: gettext_noop(
        "Your submission may be the best: a test set of {examples} is too small to tell it from "
        "the submission with the best score. A lower place here does not mean a worse system."
    ),
    True: gettext_noop(
        "Your submission may be the best of the competing entries: a test set of {examples} is too "
        "small to tell it from the one of these with the best score. A lower place here does not "
        "mean a worse system."
    ),
}
#: Whether the runs stand for their methods → what the letter is about.
_ABOUT = {
    False: gettext_noop(
        "This is about these submissions, on more {things} like these. It does not say how your "
        "method does on other data."
    ),
    True: gettext_noop(
        "This is about the methods, with other seeds and on more {things} like these. It does not "
        "say how your method does on other data."
    ),
}
#: Others that may be as good as the team with the best score, where names are hidden.
_HIDDEN_RIVALS = ngettext_noop(
    "Another team may be as good or better: the test set is too small to tell. So we call neither "
    "better.",
    "{count:n} other teams may be as good or better: the test set is too small to tell. So we call "
    "none of you better.",
)


def letters(view: AnnouncedResults) -> dict[str, str]:
    """Return file name → letter: of the teams in the ranking, then of those without a place.

    What is to be said of one name stands in one letter.
    """
    paragraphs: dict[str, list[str]] = {}
    for team in view.teams:
        paragraphs.setdefault(team.name, []).extend(_of_team(view, team))
    for entry, reason in _without_score(view):
        paragraphs.setdefault(entry, []).extend(_of_unscored(view, entry, reason))
    for item in view.document["unusable"]:
        entry = item["entry"]
        paragraphs.setdefault(entry, []).extend(_of_unusable(view, entry, view.reason_of(item)))
    for item in view.document["not_compared"]:
        paragraphs.setdefault(item["entry"], []).extend(_of_uncompared(view, item))
    names = file_names(view.document["keys"], list(paragraphs))
    return {f"{names[name]}.txt": _letter(view, name, text) for name, text in paragraphs.items()}


def _letter(view: AnnouncedResults, name: str, paragraphs: Sequence[str]) -> str:
    """Return a letter: a subject, who it is for, what it says, and thanks."""
    say = view.say
    parts = [
        view.title,
        say("Dear {team},", team=isolated(name)),
        say("Thank you for taking part."),
        *paragraphs,
    ]
    if view.page_address and not view.scores_only:
        parts.append(say("All results: {address}", address=view.page_address))
    sender = str(view.settings.get("host") or say("the organizers"))
    parts.append(f"{say('With thanks,')}\n{sender}")
    return "\n\n".join(parts) + "\n"


# In the ranking -----------------------------------------------------------------------------------


def _of_team(view: AnnouncedResults, team: Team) -> Iterator[str]:
    yield _place(view, team)
    if view.ranks_private_rows:
        yield view.say("The private rows decide the ranking, not the public ones.")
    yield from _standing(view, team)
    if view.podium.competing > 1 and not view.podium.must_wait:
        yield from _places(view, team)
        yield from _to_settle(view, team)
        yield from _prize(view, team)
        yield from _for_its_cost(view, team)
    yield view.say(_ABOUT[view.record.get("seed_share") is not None])


def _place(view: AnnouncedResults, team: Team) -> str:
    """Say the place among the teams, the score and its interval."""
    score = _score(view, team)
    decimals = view.decimals if score.grid is None else max(score.grid[1], 0)
    ahead = [rival for rival in view.teams if view.sign * (rival.row.score - team.row.score) > 0]
    values = {
        "entry": isolated(team.row.entry),
        "rank": view.count(len(ahead) + 1),
        "teams": view.count(len(view.teams)),
        "score": view.numerals.fixed(score.score, decimals),
        "interval": view.numerals.interval(score.low, score.high, decimals),
    }
    if math.isfinite(score.low) and math.isfinite(score.high):
        score_of = view.say(
            "Your score: {metric} {score} ({confidence} interval {interval}).", **values
        )
    else:
        score_of = view.say("Your score: {metric} {score}.", **values)
    if team.has_other_name:
        place = view.say(
            "You are in place {rank} of {teams} with your best run, {entry}.", **values
        )
    else:
        place = view.say("Your submission is in place {rank} of {teams}.", **values)
    return f"{place} {score_of}"


def _score(view: AnnouncedResults, team: Team) -> ShownScore:
    """Return the score with its interval, as the team may know it."""
    row = team.row
    if not view.scores_only:
        return ShownScore(row.score, row.low, row.high, None)
    least, most = view.record["bounds"]
    bounds = (
        -math.inf if least is None else float(least),
        math.inf if most is None else float(most),
    )
    precision = str(view.settings.get("precision", "digits"))
    return rounded_score((row.low, row.score, row.high), bounds, row.standard_error, precision)


def _standing(view: AnnouncedResults, team: Team) -> Iterator[str]:
    """Say whether the team may be the best, and why."""
    say = view.say
    podium = view.podium
    leads = team.row.entry in view.verdict["leaders"]
    may_win = team.row.entry in view.possible_winners
    if podium.waits_for_uploads:
        yield view.announcement.public
    elif podium.competing == 1:
        yield say("No other submission competed.")
    elif view.is_withdrawn:
        yield say(
            "Nobody can say yet who is best: a serious caution about the evidence comes first.",
            "Nobody can say yet who is best: serious cautions about the evidence come first.",
            count=podium.serious_cautions,
        )
        if not view.scores_only:
            yield from view.serious_cautions
    elif not podium.names_winners:
        yield say("The tie rule of this competition does not say who may be the best.")
    elif leads and len(podium.possible_winners) == 1:
        yield f"{say(_WON[podium.baseline_ahead])} {_sure(view)}"
    elif leads and may_win:
        yield _leading(view, team)
    elif may_win:
        yield _may_win(view)
    else:
        yield from _behind(view, team)


def _sure(view: AnnouncedResults) -> str:
    with_baselines = any(row.baseline for row in view.rows)
    return view.say(_SURE[with_baselines], examples=view.examples())


def _leading(view: AnnouncedResults, team: Team) -> str:
    """Say that others may be as good as a team with the best score."""
    say = view.say
    name = view.names[team.name]
    others_first = [leader for leader in view.podium.leaders if leader != name]
    rivals = [winner for winner in view.podium.possible_winners if winner != name]
    best = say(_BEST[view.podium.baseline_ahead])
    if others_first:
        best = say(*_SHARE[view.podium.baseline_ahead], count=len(others_first))
    if view.scores_only:
        return f"{best} {say(*_HIDDEN_RIVALS, count=len(rivals))}"
    doubt = say(
        "{rivals} may be as good or better: {examples} are too few to tell you apart. So we call "
        "neither better.",
        "{rivals} may be as good or better: {examples} are too few to tell you apart. So we call "
        "none of you better.",
        count=len(rivals),
        rivals=names_listed(rivals, view.language),
        examples=view.examples(),
    )
    return f"{best} {doubt}"


def _may_win(view: AnnouncedResults) -> str:
    """Say that a team behind the leaders may still be the best."""
    ahead = view.podium.baseline_ahead
    if view.scores_only:
        return view.say(_MAY_WIN_HIDDEN[ahead], examples=view.examples())
    leaders = names_listed(view.podium.leaders, view.language)
    return view.say(_MAY_WIN[ahead], examples=view.examples(), leaders=leaders)


def _behind(view: AnnouncedResults, team: Team) -> Iterator[str]:
    """Say what separates a team from the best, and by how much."""
    rival = team.record["separated_from"]
    if view.scores_only:
        yield view.say(
            "Your submission is not among the possible winners: on the same {things}, another "
            "submission did better by more than chance explains."
        )
        return
    if rival is None:
        yield view.say(
            "Your submission is not among the possible winners by the tie rule ({rule})."
        )
        return
    sentence = view.say(
        "Your submission is not among the possible winners: on the same {things}, {rival} did "
        "better by more than chance explains.",
        rival=view.team_of(rival),
    )
    yield " ".join([sentence, *_distance(view, team)])


def _distance(view: AnnouncedResults, team: Team) -> Iterator[str]:
    """Say how far behind the best a team is, rounded outward, where that is known."""
    bar = team.record["bar"]
    if bar is None:
        return
    near, far = bar
    least = view.score(-upward(-near, view.decimals))
    if far is None:
        yield view.say("Your submission is at least {least} behind the best.", least=least)
        return
    yield view.say(
        "Your submission is between {least} and {most} behind the best.",
        least=least,
        most=view.score(upward(far, view.decimals)),
    )


def _places(view: AnnouncedResults, team: Team) -> Iterator[str]:
    """Say which places a team could hold on a much larger test set."""
    low = team.row.rank_low
    high = team.row.rank_high
    if view.scores_only or low is None or high is None:
        return
    if low == high:
        yield view.say(
            "On a much larger test set like this one, you would most likely stay in place {place}.",
            place=view.count(low),
        )
        return
    yield view.say(
        "On a much larger test set like this one, you could be in any of the places {places}.",
        places=view.numerals.ranks(low, high),
    )


def _to_settle(view: AnnouncedResults, team: Team) -> Iterator[str]:
    """Say how many examples would settle whether the team or the leader is better.

    Teams that share the best score all read the same.
    """
    planning = view.record["planning"]
    leader = view.record["leader"]
    if planning is None:
        return
    needed = {pair["entry"]: pair["examples_needed"] for pair in planning["pairs"]}
    entry = team.row.entry
    if entry not in needed or entry not in view.possible_winners:
        return
    if entry in view.verdict["leaders"]:
        return
    if view.scores_only:
        yield view.say("A larger test set might settle it.")
        return
    if needed[entry] is None:
        yield view.say(
            "Even a test set 100 times as large might not settle whether your submission or "
            "{leader} is better.",
            leader=view.team_of(leader),
        )
        return
    n = int(view.record["n"])
    size = planned_size(needed[entry]) if needed[entry] > n else n
    yield view.say(
        "About {examples} would probably settle whether your submission or {leader} is better.",
        examples=test_examples(view.language, view.kind, size),
        leader=view.team_of(leader),
    )


def _prize(view: AnnouncedResults, team: Team) -> Iterator[str]:
    """Say how the team stands to the prizes, of which it may know its part only."""
    prizes = view.record["prizes"]
    if prizes is None or prizes["sure"] is None or prizes["places"] == 1:
        return
    leads = team.row.entry in view.verdict["leaders"]
    sentences = {"sure": _SURE_OF_PRIZE[leads], **_PRIZE}
    for key, sentence in sentences.items():
        if team.name in prizes[key]:
            yield view.say(sentence, places=view.count(prizes["places"]))


def _for_its_cost(view: AnnouncedResults, team: Team) -> Iterator[str]:
    """Say whether the team may be the best for its cost, or what rules it out."""
    front = view.record.get("front")
    if front is None or front["on"] is None:
        return
    costs = {name: float(cost) for name, cost in front["costs"].items()}
    cost = view.numerals.plain(rounded_costs(costs.values())[costs[team.name]])
    if team.name in front["on"]:
        yield view.say("For its cost of {cost}, your submission may be the best.", cost=cost)
        return
    by = {item["team"]: item["by"] for item in front["excluded"]}
    if view.scores_only:
        yield view.say(
            "For its cost of {cost}, your submission is ruled out as the best by another, which "
            "costs no more.",
            cost=cost,
        )
        return
    yield view.say(
        "For its cost of {cost}, your submission is ruled out as the best by {other}, which costs "
        "no more.",
        cost=cost,
        other=view.names[by[team.name]],
    )


# Without a place ----------------------------------------------------------------------------------


def _without_score(view: AnnouncedResults) -> Iterator[tuple[str, str]]:
    """Yield the entries that have no score by the ranking metric, and why; each once."""
    ranked = {row.entry for row in view.rows}
    missing: dict[str, str] = {}
    for item in view.document["unscored"]:
        if item["entry"] not in ranked:
            missing.setdefault(item["entry"], view.reason_of(item))
    yield from missing.items()


def _of_unscored(view: AnnouncedResults, entry: str, reason: str) -> Iterator[str]:
    yield view.say(
        "{entry} has no score by {metric}, so it has no place in the ranking. This is why:",
        entry=isolated(entry),
    )
    yield reason


def _of_unusable(view: AnnouncedResults, entry: str, reason: str) -> Iterator[str]:
    if any(team.name == entry for team in view.teams):
        yield view.say("Another file of yours could not be scored. This is why:")
        yield reason
        return
    yield view.say(
        "We are sorry that {entry} could not be scored. So it has no place in the ranking, which "
        "says nothing about your method. This is why:",
        entry=isolated(entry),
    )
    yield reason


def _of_uncompared(view: AnnouncedResults, item: Mapping[str, Any]) -> Iterator[str]:
    yield view.say(
        "Your submission is in place {rank}. Only the best {count:n} were compared with each "
        "other.",
        rank=view.count(int(item["rank"])),
        count=len(view.rows),
    )
