"""The verdict, what follows from it, and the paragraph for the overview paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...core.methods import VALID_TIE_RULES
from ...core.notes import Note
from ..drawing import isolated, told_apart
from ..numbers import MISSING
from ..view import IN_SENTENCE, MetricView
from .caution_list import CautionText

#: Notes on predictions or scores that are missing, and how they count.
_GAPS = ("notes.missing", "notes.missing_of", "notes.scores_worst", "notes.units_dropped")
#: Why corrections lose truly best entries (`MetricView.corrections_fail`) → what follows from it.
_INVALID = {"": "invalid_rule", "runs": "invalid_rule_runs", "few": "invalid_rule_few"}


def verdict(view: MetricView) -> str:
    """Return the sentence that says who leads and who is tied."""
    if view.result.form == "single" or (
        view.result.form == "field" and len(view.analysis.names) == 1
    ):
        return _verdict_single(view, "single")
    if view.result.form == "field":
        return _verdict_field(view)
    if len(view.analysis.names) == 1:
        return _verdict_single(view, "only")
    if view.competing == 1:
        return " ".join([_verdict_alone(view, "only_competing"), *_baselines_ahead(view)])
    analysis = view.analysis
    values = {
        "metric": view.label,
        "score": view.score(float(analysis.score[analysis.leader])),
        "leader": view.listed([analysis.leader]),
        "leaders": view.listed(analysis.leaders),
    }
    who = _who_is_tied(view, "shared" if len(analysis.leaders) > 1 else "", values)
    return " ".join([who, *_baselines_ahead(view), *_compared_with(view)])


def _baselines_ahead(view: MetricView) -> tuple[str, ...]:
    """Return the sentence on baselines that are better than the leader, if there are any."""
    analysis = view.analysis
    ahead = [
        int(i)
        for i in analysis.order
        if i in analysis.baselines and view.better(i, analysis.leader)
    ]
    if not ahead:
        return ()
    names = view.listed(ahead)
    return (view.language.count("verdict.baseline_ahead", len(ahead), names=names),)


def _compared_with(view: MetricView) -> tuple[str, ...]:
    """Return the sentence on the entry that was named in advance, if there is one."""
    if view.chosen_leader:
        return ()
    score = view.score(float(view.analysis.score[view.analysis.reference]))
    values = {"metric": view.label, "reference": view.reference, "score": score}
    return (view.language.say("verdict.reference", **values),)


def _who_is_tied(view: MetricView, prefix: str, values: Mapping[str, str]) -> str:
    """Return the sentence on the leader or leaders and all entries tied with them."""
    tied = view.tied()
    if view.beaten_leaders:
        return _beaten(view, "verdict", values)
    if len(view.analysis.leaders) == view.competing > 1:
        return view.of_rivals("verdict.shared_all", **values)
    if not tied:
        return view.of_rivals(f"verdict.{prefix or 'alone'}", **values)
    key = f"{prefix}_tied" if prefix else "tied"
    return view.language.count(f"verdict.{key}", len(tied), **values, tied=view.listed(tied))


def _beaten(view: MetricView, place: str, values: Mapping[str, str]) -> str:
    """Return the sentence on leaders that a run beats which does not stand for its team."""
    beaten = view.beaten_leaders
    names = {
        "third": view.listed([view.excluded_by(beaten[0])]),
        "beaten": view.listed(beaten),
        "winners": view.listed(view.possible_winners, in_full=place == "paper"),
    }
    return view.language.count(f"{place}.beaten", len(view.analysis.leaders), **values, **names)


def _verdict_single(view: MetricView, key: str) -> str:
    analysis, i = view.analysis, view.focus or 0
    interval = view.interval(float(analysis.low[i]), float(analysis.high[i]))
    values = {
        "leader": view.listed([i]),
        "metric": view.label,
        "score": view.score(float(analysis.score[i])),
        "confidence": view.confidence,
        "interval": interval,
    }
    return view.language.say(
        f"verdict.{key}" if interval == MISSING else f"verdict.{key}_interval", **values
    )


def _verdict_alone(view: MetricView, key: str) -> str:
    """Say the score of the only entry among baselines."""
    score = view.score(float(view.analysis.score[view.analysis.leader]))
    leader = view.listed([view.analysis.leader])
    return view.language.say(f"verdict.{key}", leader=leader, metric=view.label, score=score)


def _verdict_field(view: MetricView) -> str:
    if view.competing == 1:
        return " ".join([_verdict_alone(view, "field_only"), *_baselines_ahead(view)])
    analysis, say = view.analysis, view.language.say
    focus = view.focus or 0
    m = view.competing
    values = {
        "metric": view.label,
        "score": view.score(float(analysis.score[focus])),
        "rank": view.numerals.count(int(analysis.rank[focus])),
        "m": view.numerals.count(m),
        "others": view.numerals.count(m - 1),
        "leader": view.listed([analysis.leader]),
        "score_of_leader": view.score(float(analysis.score[analysis.leader])),
    }
    if focus in view.beaten_leaders:
        sentence = say("verdict.field_beaten", **values, third=view.names[view.excluded_by(focus)])
    elif focus in analysis.leaders:
        tied = [i for i in view.possible_winners if i != focus]
        clause = (
            view.language.count("verdict.field_leads_tied", len(tied), tied=view.listed(tied))
            if tied
            else view.of_rivals("verdict.field_leads_alone")
        )
        sentence = say("verdict.field_leads", **values, tied_clause=clause)
    else:
        tied_with_it = analysis.tied_with_leader[focus]
        sentence = say(f"verdict.field_{'tied' if tied_with_it else 'behind'}", **values)
    return " ".join([sentence, *_baselines_ahead(view), *_compared_with(view)])


def consequence(view: MetricView, cautions: Sequence[CautionText]) -> tuple[str, ...]:
    """Return what follows from the verdict, and which cautions limit it."""
    say, result = view.language.say, view.result
    sentences = []
    if len(view.analysis.names) == 1:
        key = "consequence.only" if result.form == "teams" else "consequence.single"
        sentences.append(say(key, examples=view.examples))
    elif view.competing == 1:
        sentences.append(say("consequence.only_competing"))
    elif view.names_winners:
        sentences.append(_consequence_for_leaders(view, cautions))
        if result.form == "teams" and not weakened(cautions):
            sentences.append(_how_sure(view))
    else:
        rule = say(f"rules.{view.analysis.tie_rule}")
        why = view.corrections_fail if view.analysis.tie_rule in VALID_TIE_RULES else ""
        sentences.append(say(f"consequence.{_INVALID[why]}", rule=rule))
    if not view.chosen_leader:
        sentences.append(_consequence_for_reference(view))
    if any(caution.level == "red" for caution in cautions):
        sentences.append(say("consequence.red"))
    return (*sentences, *_gaps(view), *_not_scored(view))


def _gaps(view: MetricView) -> tuple[str, ...]:
    """Say what is missing and how it counts: a lead may rest on it."""
    return tuple(view.language.tell(note) for note in view.result.notes if note.key in _GAPS)


def _not_scored(view: MetricView) -> tuple[str, ...]:
    """Name the submissions that could not be scored: they are not in the ranking below."""
    names = [item.name for item in view.result.unusable]
    if not names or view.result.form != "teams":
        return ()
    shown = tuple(map(isolated, told_apart(names, IN_SENTENCE)))
    note = Note("consequence.not_scored", {"count": len(names), "names": shown})
    return (view.language.tell(note),)


def _consequence_for_leaders(view: MetricView, cautions: Sequence[CautionText]) -> str:
    """Say who may be named the winner, or how the submission stands in the field."""
    if view.result.form == "field":
        return _consequence_for_focus(view)
    say, examples = view.language.say, view.examples
    joint = view.possible_winners
    if len(joint) == 1:
        key = "alone_weak" if weakened(cautions) else "alone"
        leader = view.listed(joint)
        return view.of_rivals(f"consequence.{key}", leader=leader, examples=examples)
    if len(joint) == 2:
        return say("consequence.joint", examples=examples)
    count = view.numerals.count(len(joint))
    return say("consequence.joint_many", count=count, examples=examples)


def _consequence_for_focus(view: MetricView) -> str:
    """Say how the submission stands in the field.

    Nobody wins: the field does not hold the other teams' submissions.
    """
    analysis, say, examples = view.analysis, view.language.say, view.examples
    focus = view.focus or 0
    beaten = focus in view.beaten_leaders
    if beaten or focus not in analysis.leaders:
        from_leader = analysis.from_leader
        key = "field_tied" if analysis.tied_with_leader[focus] else "field_behind"
        third = view.excluded_by(focus)
        by_third = analysis.tie_rule == "max_t" and third != analysis.leader
        if beaten or (key == "field_behind" and by_third):
            key = "field_behind_third"
        if key == "field_behind" and analysis.only_ranks:
            key = "field_behind_only_ranks"
        if key == "field_tied":
            return view.of_rivals("consequence.field_tied", examples=examples)
        return say(
            f"consequence.{key}",
            third=view.names[third],
            examples=examples,
            rule=say(f"rules.{analysis.tie_rule}"),
            difference=view.score(float(from_leader.observed[focus])),
            confidence=view.confidence,
            interval=view.interval(float(from_leader.low[focus]), float(from_leader.high[focus])),
        )
    tied = [i for i in view.possible_winners if i != focus]
    if tied:
        others = view.listed(tied)
        return view.of_rivals("consequence.field_joint", tied=others, examples=examples)
    return view.of_rivals("consequence.field_alone", examples=examples)


def weakened(cautions: Sequence[CautionText]) -> bool:
    """Return whether some caution says that the stated confidence may not hold."""
    return any(caution.level == "red" for caution in cautions)


def _how_sure(view: MetricView) -> str:
    """Say with what confidence the possible winners include the best entry."""
    alone = len(view.possible_winners) == 1
    rule = view.language.say(f"rules.{view.analysis.tie_rule}")
    key = "sure_alone" if alone else "sure_joint"
    return view.of_rivals(f"consequence.{key}", confidence=view.confidence, rule=rule)


def _consequence_for_reference(view: MetricView) -> str:
    """Say who is tied with the entry that was named in advance."""
    analysis, say, reference = view.analysis, view.language.say, view.reference
    focus = view.focus
    if view.result.form == "field" and focus is not None and focus != analysis.reference:
        key = (
            "field_reference_tied"
            if analysis.tied_with_reference[focus]
            else "field_reference_apart"
        )
        return say(f"consequence.{key}", examples=view.examples, reference=reference)
    tied = [
        i for i in view.others() if analysis.tied_with_reference[i] and i not in analysis.baselines
    ]
    if not tied:
        return view.of_rivals("consequence.reference.none", reference=reference)
    values = {"tied": view.listed(tied), "reference": reference}
    return view.language.count("consequence.reference", len(tied), **values)


def paper_paragraph(view: MetricView, cautions: Sequence[CautionText]) -> str:
    """Return a paragraph that organizers may put into their overview paper.

    It claims no confidence that ``cautions`` weaken.
    """
    analysis, say, numerals = view.analysis, view.language.say, view.numerals
    tied, count = view.tied(), view.language.count
    interval = view.interval(
        float(analysis.low[analysis.leader]), float(analysis.high[analysis.leader])
    )
    values = {
        "m": numerals.count(len(analysis.order)),
        "test_examples": view.test_examples,
        "resamples": numerals.count(analysis.resamples),
        "confidence": view.confidence,
        "interval": say("differences.unknown") if interval == MISSING else interval,
        "leader": view.listed([analysis.leader]),
        "leaders": view.listed(analysis.leaders, in_full=True),
        "metric": view.label,
        "score": view.score(float(analysis.score[analysis.leader])),
        "tied": view.listed(tied, in_full=True),
        "rule": say(f"rules.{analysis.tie_rule}"),
        "joint": numerals.count(len(view.possible_winners)),
        "reference": view.reference,
    }
    sentences = [
        say("paper.intro", **{**values, "interval": say(f"intervals.{analysis.interval}")})
    ]
    if analysis.baselines:
        names = view.listed(analysis.baselines, in_full=True)
        sentences.append(count("paper.baselines", len(analysis.baselines), names=names))
    # A confidence is stated only for a rule that keeps a truly best entry with that confidence.
    if view.names_winners and not weakened(cautions):
        values["rule"] = say("paper.sure", **values)
    sentences += [_who_won(view, values), *_baselines_ahead(view)]
    if not view.chosen_leader:
        sentences.append(say("paper.reference", **values))
    return " ".join([*sentences, *_gaps(view), *_not_scored(view)])


def _who_won(view: MetricView, values: Mapping[str, str]) -> str:
    """Return the paper's sentence on the leader or leaders and who is tied with them."""
    shared, tied = len(view.analysis.leaders) > 1, view.tied()
    if view.beaten_leaders:
        return _beaten(view, "paper", values)
    if len(view.analysis.leaders) == view.competing:
        return view.language.say(f"paper.{'shared_all' if shared else 'only'}", **values)
    sure = "" if view.names_winners else "_unsure"
    if tied:
        key = f"paper.{'shared_' if shared else ''}tied{sure}"
        return view.language.count(key, len(tied), **values)
    return view.of_rivals(f"paper.{'shared' if shared else 'alone'}{sure}", **values)
