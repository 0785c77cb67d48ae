"""Who is tied with the reference under each rule."""

from __future__ import annotations

from dataclasses import dataclass

from scoring_program.analysis import TIE_RULES, VALID_TIE_RULES
from scoring_program.render.reader import Reader

#: Rules that may name possible winners first.
_RULE_ORDER = (
    *reversed(VALID_TIE_RULES),
    *(rule for rule in TIE_RULES if rule not in VALID_TIE_RULES),
)


@dataclass(frozen=True)
class TieRow:
    """Under which rules one entry is tied."""

    name: str
    tied: tuple[bool, ...]


@dataclass(frozen=True)
class TieRule:
    """A rule that heads a column of the ties."""

    name: str
    used: bool


@dataclass(frozen=True)
class Ties:
    """Who is tied under each rule: ``valid`` rules may name possible winners, then ``shown``."""

    caption: str
    rules: tuple[TieRule, ...]
    valid: int
    shown: int
    rows: tuple[TieRow, ...]
    totals: tuple[str, ...]
    nobody: str


def ties_of(reader: Reader) -> Ties:
    """Return the entries that some rule ties with the reference, rule by rule."""
    a, say = reader.a, reader.language.say
    rules = [rule for rule in _RULE_ORDER if rule in a.tied]
    others = [i for i in reader.others() if any(a.tied[rule][i] for rule in rules)]
    return Ties(
        caption=say("ties.caption", reference=reader.reference),
        rules=tuple(TieRule(say(f"rules.{rule}"), rule == a.tie_rule) for rule in rules),
        valid=sum(rule in VALID_TIE_RULES for rule in rules),
        shown=sum(rule not in VALID_TIE_RULES for rule in rules),
        rows=tuple(
            TieRow(reader.inputs.entries[i], tuple(bool(a.tied[rule][i]) for rule in rules))
            for i in others
        ),
        totals=tuple(
            reader.numerals.count(sum(bool(a.tied[rule][i]) for i in others)) for rule in rules
        ),
        nobody="" if others else say("ties.nobody", reference=reader.reference),
    )
