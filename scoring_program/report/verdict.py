"""The verdict, what follows from it, and the paragraph for the overview paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .competition import Caution
from .numbers import MISSING
from .reader import NAMES_IN_FULL, Reader


def verdict(reader: Reader) -> str:
    """Return the sentence that says who leads and who is tied."""
    if reader.inputs.form == "single" or (
        reader.inputs.form == "field" and len(reader.inputs.entries) == 1
    ):
        return _verdict_single(reader, "single")
    if reader.inputs.form == "field":
        return _verdict_field(reader)
    if len(reader.inputs.entries) == 1:
        return _verdict_single(reader, "only")
    if reader.competing == 1:
        return " ".join([_verdict_alone(reader, "only_competing"), *_baselines_ahead(reader)])
    a = reader.a
    values = {
        "metric": reader.label,
        "score": reader.score(float(a.score[a.leader])),
        "leader": reader.listed([a.leader]),
        "leaders": reader.listed(a.leaders),
    }
    who = _who_is_tied(reader, "shared" if len(a.leaders) > 1 else "", values)
    return " ".join([who, *_baselines_ahead(reader), *_compared_with(reader)])


def _baselines_ahead(reader: Reader) -> tuple[str, ...]:
    """The sentence on baselines that are better than the leader, if there are any."""
    a = reader.a
    ahead = [int(i) for i in a.order if i in a.baselines and reader.better(i, a.leader)]
    if not ahead:
        return ()
    names = reader.listed(ahead)
    return (reader.language.count("verdict.baseline_ahead", len(ahead), names=names),)


def _compared_with(reader: Reader) -> tuple[str, ...]:
    """The sentence on the entry that was named in advance, if there is one."""
    if reader.chosen_leader:
        return ()
    score = reader.score(float(reader.a.score[reader.a.reference]))
    values = {"metric": reader.label, "reference": reader.reference, "score": score}
    return (reader.language.say("verdict.reference", **values),)


def _who_is_tied(reader: Reader, prefix: str, values: Mapping[str, str]) -> str:
    """The sentence on the leader or leaders and everybody tied with them."""
    tied = reader.tied()
    if not tied:
        return reader.of_rivals(f"verdict.{prefix or 'alone'}", **values)
    key = f"{prefix}_tied" if prefix else "tied"
    return reader.language.count(f"verdict.{key}", len(tied), **values, tied=reader.listed(tied))


def _verdict_single(reader: Reader, key: str) -> str:
    a, i = reader.a, reader.inputs.focus or 0
    interval = reader.interval(float(a.low[i]), float(a.high[i]))
    values = {
        "leader": reader.listed([i]),
        "metric": reader.label,
        "score": reader.score(float(a.score[i])),
        "confidence": reader.confidence,
        "interval": interval,
    }
    return reader.language.say(
        f"verdict.{key}" if interval == MISSING else f"verdict.{key}_interval", **values
    )


def _verdict_alone(reader: Reader, key: str) -> str:
    """Say the score of the only entry among baselines."""
    score = reader.score(float(reader.a.score[reader.a.leader]))
    leader = reader.listed([reader.a.leader])
    return reader.language.say(f"verdict.{key}", leader=leader, metric=reader.label, score=score)


def _verdict_field(reader: Reader) -> str:
    if reader.competing == 1:
        return " ".join([_verdict_alone(reader, "field_only"), *_baselines_ahead(reader)])
    a, say = reader.a, reader.language.say
    focus = reader.inputs.focus or 0
    m = reader.competing
    values = {
        "metric": reader.label,
        "score": reader.score(float(a.score[focus])),
        "rank": reader.numerals.count(int(a.rank[focus])),
        "m": reader.numerals.count(m),
        "others": reader.numerals.count(m - 1),
        "leader": reader.listed([a.leader]),
        "score_of_leader": reader.score(float(a.score[a.leader])),
    }
    if focus in a.leaders:
        tied = [*(i for i in a.leaders if i != focus), *reader.tied()]
        clause = (
            reader.language.count("verdict.field_leads_tied", len(tied), tied=reader.listed(tied))
            if tied
            else reader.of_rivals("verdict.field_leads_alone")
        )
        sentence = say("verdict.field_leads", **values, tied_clause=clause)
    else:
        tied_with_it = a.tied_with_leader[focus]
        sentence = say(f"verdict.field_{'tied' if tied_with_it else 'behind'}", **values)
    return " ".join([sentence, *_baselines_ahead(reader), *_compared_with(reader)])


def consequence(reader: Reader, cautions: Sequence[Caution]) -> tuple[str, ...]:
    """Return what follows from the verdict, and what it must not hide."""
    say, inputs = reader.language.say, reader.inputs
    sentences = []
    if len(inputs.entries) == 1:
        key = "consequence.only" if inputs.form == "teams" else "consequence.single"
        sentences.append(say(key, examples=reader.examples))
    elif reader.competing == 1:
        sentences.append(say("consequence.only_competing"))
    elif reader.names_winners:
        sentences.append(_consequence_for_leaders(reader, cautions))
        if inputs.form == "teams" and not weakened(cautions):
            sentences.append(_how_sure(reader))
    else:
        rule = say(f"rules.{reader.a.tie_rule}")
        sentences.append(say("consequence.invalid_rule", rule=rule))
    if not reader.chosen_leader:
        sentences.append(_consequence_for_reference(reader))
    if any(caution.level == "red" for caution in cautions):
        sentences.append(say("consequence.red"))
    return tuple(sentences)


def _consequence_for_leaders(reader: Reader, cautions: Sequence[Caution]) -> str:
    """Who may be named the winner, or how the submission stands against the field."""
    if reader.inputs.form == "field":
        return _consequence_for_focus(reader)
    say, examples = reader.language.say, reader.examples
    joint = [*reader.a.leaders, *reader.tied()]
    if len(joint) == 1:
        key = "alone_weak" if weakened(cautions) else "alone"
        leader = reader.listed(joint)
        return reader.of_rivals(f"consequence.{key}", leader=leader, examples=examples)
    if len(joint) <= NAMES_IN_FULL:
        return say("consequence.joint", all=reader.listed(joint), examples=examples)
    count = reader.numerals.count(len(joint))
    return say("consequence.joint_many", count=count, examples=examples)


def _consequence_for_focus(reader: Reader) -> str:
    """What the field says of one submission; the other teams' are not in it, so nobody wins."""
    a, say, examples = reader.a, reader.language.say, reader.examples
    focus = reader.inputs.focus or 0
    if focus not in a.leaders:
        d = a.from_leader
        key = "field_tied" if a.tied_with_leader[focus] else "field_behind"
        return say(
            f"consequence.{key}",
            examples=examples,
            difference=reader.score(float(d.observed[focus])),
            confidence=reader.confidence,
            interval=reader.interval(float(d.low[focus]), float(d.high[focus])),
        )
    tied = [*(i for i in a.leaders if i != focus), *reader.tied()]
    if tied:
        return say("consequence.field_joint", tied=reader.listed(tied), examples=examples)
    return reader.of_rivals("consequence.field_alone", examples=examples)


def weakened(cautions: Sequence[Caution]) -> bool:
    """Return whether some caution says that the stated confidence may not hold."""
    return any(caution.level == "red" or caution.code == "mean_rank" for caution in cautions)


def _how_sure(reader: Reader) -> str:
    """With what confidence the leaders hold the best entry, and whether they may share a prize."""
    alone = len(reader.a.leaders) == 1 and not reader.tied()
    rule = reader.language.say(f"rules.{reader.a.tie_rule}")
    key = "sure_alone" if alone else "sure_joint"
    return reader.of_rivals(f"consequence.{key}", confidence=reader.confidence, rule=rule)


def _consequence_for_reference(reader: Reader) -> str:
    """Who cannot be told from the entry that was named in advance."""
    a, say, reference = reader.a, reader.language.say, reader.reference
    focus = reader.inputs.focus
    if reader.inputs.form == "field" and focus is not None and focus != a.reference:
        key = "field_reference_tied" if a.tied_with_reference[focus] else "field_reference_apart"
        return say(f"consequence.{key}", examples=reader.examples, reference=reference)
    tied = [i for i in reader.others() if a.tied_with_reference[i] and i not in a.baselines]
    if not tied:
        return reader.of_rivals("consequence.reference.none", reference=reference)
    values = {"tied": reader.listed(tied), "reference": reference}
    return reader.language.count("consequence.reference", len(tied), **values)


def paper_paragraph(reader: Reader, cautions: Sequence[Caution]) -> str:
    """Return a paragraph that organizers may put into their overview paper.

    It claims no confidence that ``cautions`` weaken.
    """
    a, say, numerals = reader.a, reader.language.say, reader.numerals
    tied, count = reader.tied(), reader.language.count
    interval = reader.interval(float(a.low[a.leader]), float(a.high[a.leader]))
    values = {
        "m": numerals.count(len(a.order)),
        "test_examples": count("counted.test_examples", reader.inputs.n),
        "resamples": numerals.count(a.resamples),
        "confidence": reader.confidence,
        "interval": say("differences.unknown") if interval == MISSING else interval,
        "leader": reader.listed([a.leader]),
        "leaders": reader.listed(a.leaders, in_full=True),
        "metric": reader.label,
        "score": reader.score(float(a.score[a.leader])),
        "tied": reader.listed(tied, in_full=True),
        "rule": say(f"rules.{a.tie_rule}"),
        "joint": numerals.count(len(a.leaders) + len(tied)),
        "reference": reader.reference,
    }
    sentences = [say("paper.intro", **{**values, "interval": say(f"intervals.{a.interval}")})]
    if a.baselines:
        names = reader.listed(a.baselines, in_full=True)
        sentences.append(count("paper.baselines", len(a.baselines), names=names))
    # Only a rule that keeps every possible winner comes with a confidence.
    if reader.names_winners and not weakened(cautions):
        values["rule"] = say("paper.sure", **values)
    sentences += [_who_won(reader, values), *_baselines_ahead(reader)]
    if not reader.chosen_leader:
        sentences.append(say("paper.reference", **values))
    return " ".join(sentences)


def _who_won(reader: Reader, values: Mapping[str, str]) -> str:
    """The paper's sentence on the leader or leaders and who is tied with them."""
    shared, tied = len(reader.a.leaders) > 1, reader.tied()
    if len(reader.a.leaders) == reader.competing:
        return reader.language.say(f"paper.{'shared_all' if shared else 'only'}", **values)
    sure = "" if reader.names_winners else "_unsure"
    if tied:
        key = f"paper.{'shared_' if shared else ''}tied{sure}"
        return reader.language.count(key, len(tied), **values)
    return reader.of_rivals(f"paper.{'shared' if shared else 'alone'}{sure}", **values)
