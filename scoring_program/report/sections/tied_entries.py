"""Who is tied with the reference under each rule."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.methods import TIE_RULES, VALID_TIE_RULES
from ..view import MetricView
from .excerpts import excerpt

#: The rules that may name possible winners come first.
_RULE_ORDER = (
    *reversed(VALID_TIE_RULES),
    *(rule for rule in TIE_RULES if rule not in VALID_TIE_RULES),
)
#: Why corrections lose truly best entries (`MetricView.corrections_fail`) → which rules are valid.
_NOTES = {"": "valid", "runs": "valid_runs", "few": "valid_few"}


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
class TieGroup:
    """A heading and the number of rules under it."""

    heading: str
    rules: int


@dataclass(frozen=True)
class TiesSection:
    """Who is tied under each rule.

    Against the leader there are two ``groups``: rules that may name possible winners, and rules
    that are only shown. Against an entry named in advance, no rule names winners.
    """

    note: str
    caption: str
    rules: tuple[TieRule, ...]
    groups: tuple[TieGroup, ...]
    rows: tuple[TieRow, ...]  # of the page; results.json has all
    total: str
    totals: tuple[str, ...]
    nobody: str


def tied_entries_of(view: MetricView) -> TiesSection:
    """Return the entries that some rule ties with the reference, rule by rule."""
    analysis, say = view.analysis, view.language.say
    rules = [rule for rule in _RULE_ORDER if rule in analysis.tied]
    valid = sum(rule in view.valid_rules for rule in rules)
    groups = (
        TieGroup(say("ties.may"), valid),
        TieGroup(say("ties.shown"), len(rules) - valid),
    )
    note = _NOTES[view.corrections_fail] if view.chosen_leader else "reference"
    others = [i for i in view.others() if any(analysis.tied[rule][i] for rule in rules)]
    competing = [i for i in others if i not in analysis.baselines]
    return TiesSection(
        note=say(f"ties.{note}", reference=view.reference),
        caption=say("ties.caption", reference=view.reference),
        rules=tuple(TieRule(say(f"rules.{rule}"), rule == analysis.tie_rule) for rule in rules),
        groups=groups if view.chosen_leader else (),
        rows=tuple(
            TieRow(view.analysis.names[i], tuple(bool(analysis.tied[rule][i]) for rule in rules))
            for i in excerpt(view, others, [analysis.names[i] for i in others])
        ),
        total=say("ties.total_without" if analysis.baselines else "ties.total"),
        totals=tuple(
            view.numerals.count(int(analysis.tied[rule][competing].sum())) for rule in rules
        ),
        nobody="" if others else say("ties.nobody", reference=view.reference),
    )
