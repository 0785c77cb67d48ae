"""The verdict, what follows from it, and the paragraph for the overview paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoring_program.analysis import VALID_TIE_RULES
from scoring_program.render.competition import Caution
from scoring_program.render.numbers import MISSING
from scoring_program.render.reader import NAMES_IN_FULL, Reader


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
    a, say = reader.a, reader.language.say
    values = {
        "metric": reader.label,
        "score": reader.score(float(a.score[a.leader])),
        "leader": reader.listed([a.leader]),
        "leaders": reader.listed(a.leaders),
    }
    if not reader.chosen_leader:
        score = reader.score(float(a.score[a.reference]))
        sentence = say(
            "verdict.reference", **values, reference=reader.reference, reference_score=score
        )
    else:
        sentence = _who_is_tied(reader, "shared" if len(a.leaders) > 1 else "", values)
    ahead = [i for i in a.baselines if reader.better(i, a.leader)]
    return " ".join(
        [sentence, *(say("verdict.baseline_ahead", name=reader.listed([i])) for i in ahead)]
    )


def _who_is_tied(reader: Reader, prefix: str, values: Mapping[str, str]) -> str:
    """The sentence on the leader or leaders and everybody tied with them."""
    tied = reader.tied()
    say, count = reader.language.say, reader.language.count
    if not tied:
        return say(f"verdict.{prefix or 'alone'}", **values)
    key = f"{prefix}_tied" if prefix else "tied"
    return count(f"verdict.{key}", len(tied), **values, tied=reader.listed(tied))


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


def _verdict_field(reader: Reader) -> str:
    a, say = reader.a, reader.language.say
    focus = reader.inputs.focus or 0
    m = len(reader.inputs.entries)
    values = {
        "metric": reader.label,
        "score": reader.score(float(a.score[focus])),
        "rank": reader.numerals.count(int(a.rank[focus])),
        "m": reader.numerals.count(m),
        "others": reader.numerals.count(m - 1),
        "leader": reader.listed([a.leader]),
        "score_of_leader": reader.score(float(a.score[a.leader])),
        "reference": reader.reference,
    }
    if not reader.chosen_leader:
        return say("verdict.field_reference", **values)
    if focus in a.leaders:
        tied = [*(i for i in a.leaders if i != focus), *reader.tied()]
        clause = (
            reader.language.count("verdict.field_leads_tied", len(tied), tied=reader.listed(tied))
            if tied
            else say("verdict.field_leads_alone")
        )
        return say("verdict.field_leads", **values, tied_clause=clause)
    return say(
        "verdict.field_tied" if a.tied_with_reference[focus] else "verdict.field_behind", **values
    )


def consequence(reader: Reader, cautions: Sequence[Caution]) -> tuple[str, ...]:
    """Return what follows from the verdict, and what it must not hide."""
    a, say, inputs = reader.a, reader.language.say, reader.inputs
    n = reader.numerals.count(inputs.n)
    sentences = []
    if len(inputs.entries) == 1:
        key = "consequence.only" if inputs.form == "teams" else "consequence.single"
        sentences.append(say(key, n=n))
    elif inputs.form == "field" and inputs.focus not in a.leaders:
        sentences.append(_consequence_field(reader, n))
    elif not reader.chosen_leader:
        tied = [*(i for i in a.leaders if a.tied_with_reference[i]), *reader.tied()]
        tied = [i for i in tied if i != a.reference]
        sentences.append(
            reader.language.count(
                "consequence.reference",
                len(tied),
                tied=reader.listed(tied),
                reference=reader.reference,
            )
            if tied
            else say("consequence.reference.none", reference=reader.reference)
        )
    else:
        joint = [*a.leaders, *reader.tied()]
        if len(joint) == 1:
            sentences.append(say("consequence.alone", leader=reader.listed(joint), n=n))
        elif len(joint) <= NAMES_IN_FULL:
            sentences.append(say("consequence.joint", all=reader.listed(joint), n=n))
        else:
            count = reader.numerals.count(len(joint))
            sentences.append(say("consequence.joint_many", count=count, n=n))
    if len(inputs.entries) > 1 and a.tie_rule not in VALID_TIE_RULES:
        sentences.append(say("consequence.invalid_rule", rule=say(f"rules.{a.tie_rule}")))
    if any(caution.level == "red" for caution in cautions):
        sentences.append(say("consequence.red"))
    return tuple(sentences)


def _consequence_field(reader: Reader, n: str) -> str:
    a, focus = reader.a, reader.inputs.focus or 0
    tied = bool(a.tied_with_reference[focus])
    if not reader.chosen_leader:
        key = "field_reference_tied" if tied else "field_reference_apart"
    else:
        key = "field_tied" if tied else "field_behind"
    d = a.differences
    return reader.language.say(
        f"consequence.{key}",
        n=n,
        reference=reader.reference,
        difference=reader.score(float(d.observed[focus])),
        interval=reader.interval(float(d.low[focus]), float(d.high[focus])),
    )


def paper_paragraph(reader: Reader) -> str:
    """Return a paragraph that organizers may put into their overview paper."""
    a, say, numerals = reader.a, reader.language.say, reader.numerals
    tied = reader.tied()
    joint = [*a.leaders, *tied]
    values = {
        "m": numerals.count(len(a.order)),
        "n": numerals.count(reader.inputs.n),
        "resamples": numerals.count(a.resamples),
        "confidence": reader.confidence,
        "interval": reader.interval(float(a.low[a.leader]), float(a.high[a.leader])),
        "leader": reader.listed([a.leader]),
        "metric": reader.label,
        "score": reader.score(float(a.score[a.leader])),
        "tied": reader.listed([*a.leaders[1:], *tied], in_full=True),
        "rule": say(f"rules.{a.tie_rule}"),
        "count": numerals.count(len(joint)),
        "reference": reader.reference,
    }
    key = "tied" if len(joint) > 1 else "alone"
    intro = say("paper.intro", **{**values, "interval": say(f"intervals.{a.interval}")})
    verdict = say(f"paper.{key if reader.chosen_leader else 'reference'}", **values)
    return f"{intro} {verdict}"
