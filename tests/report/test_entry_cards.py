"""The cards of entries: what each says of the others, and that no two contradict each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring_program.report.findings import Findings
from scoring_program.report.sections.entry_cards import cards_of
from scoring_program.report.view import MetricView

from . import made
from .test_ranking import view_of

#: What a card says of another entry → what the other's card must say in turn.
_IN_TURN = {
    "Undecided": "Undecided",
    "Shown better": "Shown worse",
    "Shown worse": "Shown better",
}


def said(view: MetricView) -> dict[tuple[str, str], str]:
    """Return (entry, other) → what the card of the entry says of the other."""
    names = view.evidence.names
    found: dict[tuple[str, str], str] = {}
    for entry, facts in cards_of([view]).items():
        for fact in facts:
            if fact.label in _IN_TURN:
                listed = fact.value.replace(" and ", ", ").split(", ")
                found |= {(names[entry], other): fact.label for other in listed}
    return found


def disagreeing() -> Findings:
    """Ten close entries, many of which may be the best."""
    names = tuple("abcdefghij")
    return made.result(list(np.linspace(0.80, 0.70, 10)), names, error=0.011)


@pytest.fixture
def all_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scoring_program.report.view.NAMES_IN_FULL", 100)


@pytest.mark.usefixtures("all_names")
@pytest.mark.parametrize("findings", [made.result(), disagreeing()], ids=["apart", "close"])
def test_no_two_cards_contradict_each_other(findings: Findings) -> None:
    view = view_of(findings)
    found, m = said(view), len(view.evidence.names)
    assert len(found) == m * (m - 1)
    for (entry, other), label in found.items():
        assert found[other, entry] == _IN_TURN[label]


def test_a_card_says_why_its_rank_range_is_narrower_than_the_names_suggest() -> None:
    """The range of the second entry counts more entries as behind than the pairs name."""
    plain, standing = made.result((0.8, 0.7, 0.6), ("a", "b", "c")), "narrower than these names"
    for high, better, narrower in ((2, False, True), (2, True, False), (3, False, False)):
        pairs = np.zeros((3, 3), bool)
        pairs[1, 2] = better
        (one,) = plain.evidence
        low, highest = np.array([1, 1, 1]), np.array([3, high, 3])
        changed = replace(one.standing, rank_low=low, rank_high=highest, better=pairs)
        view = view_of(replace(plain, evidence=(replace(one, standing=changed),)))
        said_of_b = [fact.value for fact in cards_of([view])[1] if fact.label == "Places"]
        assert any(standing in value for value in said_of_b) == narrower


def test_equal_scores_with_different_status_get_a_sentence() -> None:
    page = made.result((0.8, 0.75, 0.75), ("a", "b", "c"), error=0.01)
    kept = np.array([True, True, False])
    evidence = made.with_parts(page.evidence[0], verdict={"possible_winners": kept})
    cards = cards_of([view_of(replace(page, evidence=(evidence,)))])
    found = {
        entry: [fact.value for fact in facts if fact.label == "Same score as"]
        for entry, facts in cards.items()
    }
    assert found == {
        0: [],
        1: ["c, which is not a possible winner: how far it is behind the best is more certain"],
        2: ["b, a possible winner: how far it is behind the best is less certain"],
    }
