"""What the settings offer is what the inference knows."""

from __future__ import annotations

from scoring_program.core.methods import INTERVALS, TESTS, TIE_RULES, VALID_TIE_RULES


def test_valid_tie_rules_are_tie_rules() -> None:
    assert set(VALID_TIE_RULES) < set(TIE_RULES)


def test_every_method_is_explained() -> None:
    for choices in (INTERVALS, TESTS, TIE_RULES):
        assert all(choices.values())
