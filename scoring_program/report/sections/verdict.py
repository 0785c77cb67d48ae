"""The verdict, what follows from it, its figures, and answers to what the organizer asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...core.methods import VALID_TIE_RULES
from ...core.phrases import MISSING, THINGS, gettext_noop, ngettext_noop
from ...data.competition import GAPS
from ...document.blocks import Fact
from ...document.shortening import isolated, told_apart
from ..view import IN_SENTENCE, MetricView
from . import on_prizes

#: How many possible winners there are, in the words of a sentence.
_IN_WORDS = {
    3: gettext_noop("three"), 4: gettext_noop("four"), 5: gettext_noop("five"),
    6: gettext_noop("six"), 7: gettext_noop("seven"), 8: gettext_noop("eight"),
    9: gettext_noop("nine"), 10: gettext_noop("ten"),
}  # fmt: skip
#: What metrics score that people have annotated.
_ANNOTATED = ("labels", "probabilities", "scores", "label_sets", "tags", "spans")
#: Cautions that are said beside the verdict, too: they are about single entries' part in it.
_BESIDE = ("far_winner", "leader_depends", "tied_ranks")
#: Why corrections lose truly best entries (`MetricView.corrections_fail`) → what follows from it.
_INVALID = {
    "": gettext_noop(
        "The rule “{rule}” leaves out possible winners when many entries are close. See who is "
        "tied under each rule before you name winners."
    ),
    "runs": gettext_noop(
        "The rule “{rule}” may leave out possible winners where teams have several runs. See who "
        "is tied under each rule before you name winners."
    ),
    "few": gettext_noop(
        "The rule “{rule}” may leave out possible winners where few {things} decide a difference. "
        "See who is tied under each rule before you name winners."
    ),
}
#: Who is first, and what the score is.
VERDICT = {
    "alone": gettext_noop("{leader} is first ({metric} {score}), and the only possible winner."),
    "alone_competing": gettext_noop(
        "{leader} is first among the competing entries ({metric} {score}), and the only possible "
        "winner."
    ),
    "shared": gettext_noop(
        "{leaders} share first place ({metric} {score}); no other entry is a possible winner."
    ),
    "shared_competing": gettext_noop(
        "{leaders} share first place among the competing entries ({metric} {score}); no other one "
        "is a possible winner."
    ),
    "only": gettext_noop("{leader} is the only entry; its {metric} is {score}."),
    "only_interval": gettext_noop(
        "{leader} is the only entry; its {metric} is {score}, with a {confidence} interval of "
        "{interval}."
    ),
    "only_competing": gettext_noop(
        "{leader} is the only competing entry; its {metric} is {score}."
    ),
    "field_only": gettext_noop(
        "This submission scores {metric} {score}; the field holds only baselines."
    ),
    "single": gettext_noop("This submission scores {metric} {score}."),
    "single_interval": gettext_noop(
        "This submission scores {metric} {score}, with a {confidence} interval of {interval}."
    ),
}
#: Who is first with others that may be as good.
_TIED = {
    "tied": ngettext_noop(
        "{leader} is first ({metric} {score}), but {tied} may be as good or better.",
        "{leader} is first ({metric} {score}), but {tied} may be as good or better.",
    ),
    "tied_competing": ngettext_noop(
        "{leader} is first among the competing entries ({metric} {score}), but {tied} may be as "
        "good or better.",
        "{leader} is first among the competing entries ({metric} {score}), but {tied} may be as "
        "good or better.",
    ),
    "shared_tied": ngettext_noop(
        "{leaders} share first place ({metric} {score}), but {tied} may be as good or better.",
        "{leaders} share first place ({metric} {score}), but {tied} may be as good or better.",
    ),
    "shared_tied_competing": ngettext_noop(
        "{leaders} share first place among the competing entries ({metric} {score}), but {tied} "
        "may be as good or better.",
        "{leaders} share first place among the competing entries ({metric} {score}), but {tied} "
        "may be as good or better.",
    ),
}
#: Who is first if a serious caution says that others may be the best, too.
_WEAK = {
    "": ngettext_noop(
        "{leaders} is first ({metric} {score}), but the evidence is weak.",
        "{leaders} share first place ({metric} {score}), but the evidence is weak.",
    ),
    "_competing": ngettext_noop(
        "{leaders} is first among the competing entries ({metric} {score}), but the evidence is "
        "weak.",
        "{leaders} share first place among the competing entries ({metric} {score}), but the "
        "evidence is weak.",
    ),
}
#: Who is first if a rule that is no confidence set ties nobody else.
_UNTIED = {
    "": ngettext_noop(
        "{leaders} is first ({metric} {score}); the rule “{rule}” ties no other entry with it.",
        "{leaders} share first place ({metric} {score}); the rule “{rule}” ties no other entry "
        "with them.",
    ),
    "_competing": ngettext_noop(
        "{leaders} is first among the competing entries ({metric} {score}); the rule “{rule}” ties "
        "no other one with it.",
        "{leaders} share first place among the competing entries ({metric} {score}); the rule "
        "“{rule}” ties no other one with them.",
    ),
}
#: Who is first if another run, which does not stand for its team, beats the leader.
_BEATEN = ngettext_noop(
    "{leader} is first ({metric} {score}), but the tie rule puts another run of {third} ahead. "
    "Possible winners: {winners}.",
    "{leaders} share first place ({metric} {score}), but the tie rule puts another run of {third} "
    "ahead of {beaten}. Possible winners: {winners}.",
)
_SURE = {
    "sure_alone": gettext_noop(
        "At {confidence} confidence, the test set of {examples} rules out that any other entry is "
        "better."
    ),
    "sure_alone_competing": gettext_noop(
        "At {confidence} confidence, the test set of {examples} rules out that any other competing "
        "entry is better."
    ),
    "sure_alone_teams": gettext_noop(
        "At {confidence} confidence, the test set of {examples} rules out that any other team is "
        "better."
    ),
    "sure_joint": gettext_noop("The best entry is among them, with about {confidence} confidence."),
    "sure_joint_competing": gettext_noop(
        "The best competing entry is among them, with about {confidence} confidence."
    ),
    "sure_verified": gettext_noop(
        "The test set of {examples} separates it from every other entry. In this way, a wrong "
        "winner is named in at most {error} of competitions."
    ),
    "sure_verified_competing": gettext_noop(
        "The test set of {examples} separates it from every other competing entry. In this way, a "
        "wrong winner is named in at most {error} of competitions."
    ),
    "sure_verified_teams": gettext_noop(
        "The test set of {examples} separates it from every other team. In this way, a wrong "
        "winner is named in at most {error} of competitions."
    ),
}


def verdict(view: MetricView) -> str:
    """Return the sentence that says who leads and who is tied."""
    form = view.result.form
    alone = len(view.evidence.names) == 1
    if form == "single" or (form == "field" and alone):
        return " ".join([_verdict_alone(view, "single", view.focus or 0), *_lacking(view)])
    if form == "field":
        return _verdict_field(view)
    if alone:
        return _verdict_alone(view, "only", 0)
    if view.competing == 1:
        only = _verdict_alone(view, "only_competing", view.scores.leader)
        return " ".join([only, *baselines_ahead(view)])
    return " ".join([_who_is_tied(view), *baselines_ahead(view), *_compared_with(view)])


def baselines_ahead(view: MetricView) -> Iterator[str]:
    """Name the baselines that are better than the leader, if there are any."""
    if ahead := view.baselines_ahead:
        yield view.say(
            "A baseline, {names}, scores better than the leader ({best} against {score}); "
            "baselines cannot win.",
            "Baselines ({names}) score better than the leader (the best {best} against {score}); "
            "baselines cannot win.",
            count=len(ahead),
            names=view.listed(ahead),
            best=view.score_of(ahead[0]),
            score=view.score_of(view.scores.leader),
        )


def _compared_with(view: MetricView) -> Iterator[str]:
    """Name the entry that was named in advance, if there is one."""
    if not view.chosen_leader:
        yield view.say(
            "Every entry is compared with {reference} ({metric} {score}), which was named in "
            "advance.",
            score=view.score_of(view.scores.reference),
        )


def _who_is_tied(view: MetricView) -> str:
    """Return the sentence on the leader or leaders and all entries tied with them."""
    tied = view.tied()
    leaders = view.scores.leaders
    values = {"score": view.score_of(view.scores.leader), "leaders": view.listed(leaders)}
    if view.beaten_leaders:
        return beaten(view, _BEATEN, values)
    if len(leaders) == view.competing > 1:
        return view.of_rivals(
            "{leaders} share first place ({metric} {score}); there is no other entry.",
            "{leaders} share first place ({metric} {score}); there is no other competing entry.",
            **values,
        )
    among = "_competing" if view.baselines_ahead else ""
    shared = len(leaders) > 1
    if not tied and view.weakened:
        return view.say(*_WEAK[among], count=len(leaders), **values)
    if not tied and not view.calls_winners:
        return view.say(*_UNTIED[among], count=len(leaders), **values)
    if not tied:
        return view.say(VERDICT[f"{'shared' if shared else 'alone'}{among}"], **values)
    key = f"{'shared_' if shared else ''}tied{among}"
    return view.say(*_TIED[key], count=len(tied), **values, tied=view.listed(tied))


def beaten(
    view: MetricView, sentence: tuple[str, str], values: Mapping[str, str], *, in_full: bool = False
) -> str:
    """Return the sentence on leaders that a run beats which does not stand for its team."""
    leaders = view.beaten_leaders
    names = {
        "third": view.listed([view.standing.separated_from[leaders[0]]]),
        "beaten": view.listed(leaders),
        "winners": view.listed(view.possible_winners, in_full=in_full),
    }
    return view.say(*sentence, count=len(view.scores.leaders), **values, **names)


def _verdict_alone(view: MetricView, key: str, entry: int) -> str:
    """Say the score of an entry that has no rival, with its interval if a sentence holds one."""
    interval = view.interval_of(entry)
    if interval != MISSING and f"{key}_interval" in VERDICT:
        key = f"{key}_interval"
    return view.say(
        VERDICT[key], leader=view.listed([entry]), score=view.score_of(entry), interval=interval
    )


def _lacking(view: MetricView) -> Iterator[str]:
    """Tell a single submission of the tasks that it lacks, where they count."""
    if view.focus is not None:
        for (_, task), why in view.result.unscored.items():
            if view.evidence.task in (None, task):
                yield view.say(why)


def _verdict_field(view: MetricView) -> str:
    say = view.say
    focus = view.focus or 0
    m = view.competing
    told = (*view.among_all(focus), *_lacking(view), *baselines_ahead(view))
    if m == 1:
        return " ".join([_verdict_alone(view, "field_only", view.scores.leader), *told])
    values = {
        "score": view.score_of(focus),
        "rank": view.count(int(view.scores.rank[focus])),
        "m": view.count(m),
        "others": view.count(m - 1),
        "score_of_leader": view.score_of(view.scores.leader),
    }
    if focus in view.beaten_leaders:
        sentence = say(
            "This submission would lead the field of {others} with {metric} {score}, but the tie "
            "rule puts another run of {third} ahead.",
            **values,
            third=view.names[view.standing.separated_from[focus]],
        )
    elif focus in view.scores.leaders:
        clause = view.of_rivals(
            "; no other entry is a possible winner",
            "; no other competing entry is a possible winner",
        )
        if view.weakened:
            clause = say(", but the evidence is weak")
        elif not view.calls_winners:
            clause = view.of_rivals(
                "; the rule “{rule}” ties no other entry with it",
                "; the rule “{rule}” ties no other competing entry with it",
            )
        if tied := [i for i in view.possible_winners if i != focus]:
            clause = say(
                ", but {tied} may be as good or better",
                ", but {tied} may be as good or better",
                count=len(tied),
                tied=view.listed(tied),
            )
        sentence = say(
            "This submission would lead the field of {others} with {metric} {score}{tied_clause}.",
            **values,
            tied_clause=clause,
        )
    else:
        sentence = say(
            "This submission takes rank {rank} of {m} with {metric} {score}, but may be as good as "
            "the leader, {leader} ({score_of_leader}), or better."
            if view.evidence.verdict.possible_winners[focus]
            else "This submission takes rank {rank} of {m} with {metric} {score}, behind the "
            "leader, {leader} ({score_of_leader}).",
            **values,
        )
    return " ".join([sentence, *told, *_compared_with(view)])


def consequence(view: MetricView) -> Iterator[str]:
    """Say what follows from the verdict, and what limits it."""
    say = view.say
    result = view.result
    if len(view.evidence.names) == 1:
        yield say(
            "There is no other entry to compare it with."
            if result.form == "teams"
            else "There is no field to compare it with. The interval says where the score on a "
            "much larger test set of the same kind may lie."
        )
    elif view.competing == 1:
        yield say("There is no other competing entry to compare it with.")
    elif view.names_winners:
        yield _consequence_for_leaders(view)
        if result.form == "teams" and not view.weakened:
            sure = "sure_alone" if len(view.possible_winners) == 1 else "sure_joint"
            yield view.of_others(_SURE, "sure_verified" if view.evidence.verdict.verified else sure)
            yield from of_generality(view)
    else:
        yield say(_INVALID[view.corrections_fail if view.standing.rule in VALID_TIE_RULES else ""])
    if not view.chosen_leader:
        yield _consequence_for_reference(view)
    if result.form == "field":
        yield from of_place(view, view.interval_of(view.focus or 0))
    if view.weakened:
        yield say(
            "Read the serious caution before you name winners: the evidence is weak.",
            "Read the serious cautions before you name winners: the evidence is weak.",
            count=max(sum(caution.weakens for caution in view.evidence.cautions), 1),
        )
    if view.waits_for_uploads:
        yield say("Settle the serious caution about the uploads before you name winners.")
    beside = (caution.sentence for caution in view.evidence.cautions if caution.code in _BESIDE)
    yield from (*map(say, beside), *gaps(view), *not_scored(view))


def _of_what(view: MetricView) -> str:
    """Say what the confidence is about: methods, their submissions, or these runs of theirs."""
    share = view.evidence.seed_share
    if share is not None and round(100 * share) == 0:
        return view.say(
            "This result holds for these methods with other seeds on more such {things}, not for "
            "other training data, annotators or topics. Hardly any of the variance of a difference "
            "comes from seeds."
        )
    if share is not None:
        return view.say(
            "This result holds for these methods with other seeds on more such {things}, not for "
            "other training data, annotators or topics. Of the variance of a difference, {share:p} "
            "comes from seeds; more {things} cannot shorten it, more seeds would.",
            share=round(100 * share),
        )
    if view.evidence.units_are_runs:
        return view.say(
            "This result holds for these systems with other seeds, on this test set only."
        )
    if any(caution.code == "these_runs" for caution in view.evidence.cautions):
        return view.say(
            "This result holds for these submissions on more such {things}, not for runs with "
            "other seeds, other annotators or other topics."
        )
    if view.evidence.people is not None:
        return view.say(
            "This result is about people's scores of these submissions on more such {things}, not "
            "about retrained systems or other people."
        )
    return view.say(
        "This result holds for these submissions on more such {things}, not for "
        "retrained systems, other annotators or other topics."
        if view.metric.kind in _ANNOTATED
        else "This result holds for these submissions on more such {things}, not for "
        "retrained systems."
    )


def of_selection(view: MetricView, *, in_full: bool = False) -> Iterator[str]:
    """Say between what the leader's true score lies, allowing for how the leader was chosen.

    Names are whole if ``in_full``.

    The estimate between the ends stays in results.json: it is often further off than the score.
    """
    corrected = view.evidence.verdict.corrected
    if corrected is not None:
        yield view.say(
            "Whoever comes first was partly lucky. Allowing for that, {leader}'s true score lies "
            "between {low} and {high} ({confidence}).",
            "Whoever comes first was partly lucky. Allowing for that, the true score of each of "
            "{leader} lies between {low} and {high} ({confidence}).",
            count=len(view.evidence.verdict.leaders),
            leader=view.listed(view.evidence.verdict.leaders, in_full=in_full),
            low=view.score(corrected.low),
            high=view.score(corrected.high),
        )


def of_generality(view: MetricView) -> Iterator[str]:
    """Say for what the result of all teams holds, if its confidence does."""
    if view.names_winners and not view.weakened and view.competing > 1:
        yield _of_what(view)


def gaps(view: MetricView) -> Iterator[str]:
    """Say what is missing and how it counts: a lead may rest on it."""
    return (view.say(note) for note in view.result.notes if note.sentence in GAPS)


def not_scored(view: MetricView) -> Iterator[str]:
    """Name the submissions that could not be scored: they are not in the ranking below."""
    names = [item.name for item in view.result.unusable]
    if names and view.result.form == "teams":
        yield view.say(
            "{count:n} submission could not be scored: {names}.",
            "{count:n} submissions could not be scored: {names}.",
            count=len(names),
            names=tuple(map(isolated, told_apart(names, IN_SENTENCE))),
        )


def _consequence_for_leaders(view: MetricView) -> str:
    """Say who may be named the winner, or how the submission stands in the field."""
    if view.result.form == "field":
        return _consequence_for_focus(view)
    say = view.say
    joint = view.possible_winners
    number = len(view.possible_winners)
    if number == 1:
        if not view.weakened and not view.waits_for_uploads:
            return view.of_rivals(
                "{leader} can be named the winner.",
                "{leader} can be named the winner of the competing entries.",
                leader=view.listed(joint),
            )
        return view.of_rivals(
            "The tie rule leaves {leader} as the only possible winner on the test set of "
            "{examples}.",
            "Among the competing entries, the tie rule leaves {leader} as the only possible winner "
            "on the test set of {examples}.",
            leader=view.listed(joint),
        )
    which = say(
        "Either of these two may be the best."
        if number == 2
        else "Any of these {count} may be the best.",
        count=say(_IN_WORDS[number]) if number in _IN_WORDS else view.count(number),
    )
    return f"{which} {_too_few(view)}"


def _too_few(view: MetricView) -> str:
    """Say that the test set does not tell several possible winners apart."""
    if view.withheld:
        return view.say("The metric can score no resample, so nothing tells them apart.")
    return view.say(
        "{examples} is too few to tell them apart.",
        "{examples} are too few to tell them apart.",
        count=view.result.n,
    )


def of_place(view: MetricView, interval: str) -> Iterator[str]:
    """Say what the place of a submission in a field means, and what would change it.

    The ``interval`` is that of its own score, as it is shown: nothing tells of a rival.
    """
    focus = view.focus or 0
    if view.result.form != "field" or view.competing == 1 or focus in view.scores.leaders:
        return
    yield view.say("A lower place alone does not mean a worse system.")
    if interval == MISSING:
        yield view.say(
            "A better score, other submissions or another test set would change the place."
        )
        return
    yield view.say(
        "A better score, other submissions or another test set would change the place: on a much "
        "larger test set like this one, the score would probably lie in {interval}.",
        interval=interval,
    )


def _consequence_for_focus(view: MetricView) -> str:
    """Say how the submission stands in the field.

    Nobody wins: the field does not hold the other teams' submissions.
    """
    focus = view.focus or 0
    beaten = focus in view.beaten_leaders
    if beaten or focus not in view.scores.leaders:
        if view.evidence.verdict.possible_winners[focus] and not beaten:
            return view.of_rivals(
                "It may be the best: a test set of {examples} is too small to tell it from the "
                "leader.",
                "It may be the best of those that compete: a test set of {examples} is too small "
                "to tell it from the leader.",
            )
        third = view.standing.separated_from[focus]
        apart = view.evidence.from_leader
        by_third = view.standing.rule == "max_t" and third != view.scores.leader
        if beaten or by_third:
            return view.say(
                "On the test set of {examples}, it is unlikely to be the best ({rule}): {third} "
                "is too far ahead of it.",
                third=view.names[third],
            )
        if apart is None:
            return view.say(
                "On the test set of {examples}, it is unlikely to be the best ({rule})."
            )
        return view.say(
            "On the test set of {examples}, it is unlikely to be the best ({rule}). The leader is "
            "ahead by {difference} ({confidence} interval {interval}).",
            difference=view.score(float(apart.observed[focus])),
            interval=view.interval(float(apart.low[focus]), float(apart.high[focus])),
        )
    tied = [i for i in view.possible_winners if i != focus]
    if tied:
        which = view.of_rivals(
            "It may be the best, and so may {tied}.",
            "It may be the best of those that compete, and so may {tied}.",
            tied=view.listed(tied),
        )
        return f"{which} {_too_few(view)}"
    return view.of_rivals(
        "No other submission of the field is a possible winner.",
        "No other competing submission of the field is a possible winner.",
    )


def _consequence_for_reference(view: MetricView) -> str:
    """Say who is tied with the entry that was named in advance."""
    focus = view.focus
    if view.result.form == "field" and focus is not None and focus != view.scores.reference:
        return view.say(
            "The test set of {examples} does not separate it from {reference}."
            if view.evidence.tied_with_reference[focus]
            else "The test set of {examples} separates it from {reference}."
        )
    alike = view.evidence.tied_with_reference
    baselines = view.scores.baselines
    tied = [i for i in view.all_but_reference() if alike[i] and i not in baselines]
    if not tied:
        return view.of_rivals(
            "Every other entry is separated from {reference}.",
            "Every other competing entry is separated from {reference}.",
        )
    return view.say(
        "{count:n} entry is not separated from {reference}: {tied}.",
        "{count:n} entries are not separated from {reference}: {tied}.",
        count=len(tied),
        tied=view.listed(tied),
    )


def facts_of(view: MetricView) -> Iterator[Fact]:
    """Yield the figures under the verdict."""
    say = view.say
    count = view.count
    result = view.result
    m = len(view.evidence.names)
    things = THINGS[view.language.known(result.kind)]
    if m > 1 and result.form == "field" and view.focus is not None:
        yield Fact(say("{confidence} interval of the score"), view.interval_of(view.focus))
    yield Fact(say(things.heading), count(result.n))
    group = result.settings.group_name
    if group is not None and result.groups is not None:
        label = say("Groups ({column})", column=group)
        if group in things.groups:
            label = say(things.groups[group].heading)
        elif len(result.settings.group_columns) > 1:
            label = say("Groups ({column}, the fewer in effect)", column=group)
        yield Fact(label, count(result.groups))
    if m > 1 and result.form == "field":
        yield Fact(say("Other submissions in the field"), count(m - 1))
    elif m > 1:
        yield Fact(say("Entries"), count(m))
    if view.teams < view.competing:
        yield Fact(say("Competing teams"), count(view.teams))
    # Of tasks, an entry without an overall score is compared, too.
    if result.form == "teams" and result.uploads > len(result.names):
        yield Fact(say("Uploads"), say(result.account))
    if view.competing > 1:
        # Of rules that drop possible winners, the page says who is tied.
        label = say("Possible winners" if view.calls_winners else "Leader and tied with it")
        number = count(len(view.possible_winners))
        yield Fact(label, say("{count} of {others}", count=number, others=count(view.teams)))
    yield Fact(say("Bootstrap resamples"), count(view.evidence.resamples))
    if not view.withheld:
        yield Fact(say("Confidence"), view.confidence)


# What the organizer asked for ---------------------------------------------------------------------


def answers(view: MetricView) -> Iterator[Fact]:
    """Yield each answer with its place on the page and the setting in words, for the contents.

    Slices have tables of their own, which the contents lead to.
    """
    if view.result.form != "teams" or view.competing < 2:
        return
    if told := list(on_prizes.sentences(view)):
        yield Fact(view.say("Prizes"), " ".join(told), "prizes", first=True)
    yield from (
        Fact(view.say("Margin"), sentence, "margin") for sentence in _practically_best(view)
    )
    columns: dict[str, list[str]] = {}
    for part in view.evidence.slices:
        exceptions = columns.setdefault(part.column, [])
        if part.other_leader is not None:
            leader = view.names[part.other_leader]
            exceptions.append(
                view.say("{slice} (where {leader} leads)", slice=part.value, leader=leader)
            )
    for column, exceptions in columns.items():
        sentence = view.say(
            "{column}: the overall leader is not a possible winner in {slices}."
            if exceptions
            else "{column}: in no slice is another entry shown to be best.",
            column=column,
            slices=view.language.joined(exceptions),
        )
        yield Fact("", sentence)


def _practically_best(view: MetricView) -> Iterator[str]:
    """Say who is at most a margin behind the best."""
    near = None if view.evidence.distances is None else view.evidence.distances.practically_best
    if near is None or view.question.margin is None or view.weakened:
        return
    best = [i for i in view.order if near[i]]
    yield view.say(
        "At most {margin} behind the best: {names}."
        if best
        else "No entry can be said to be at most {margin} behind the best.",
        margin=view.numerals.plain(view.question.margin),
        names=view.listed(best),
    )
