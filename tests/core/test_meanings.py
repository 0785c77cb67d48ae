"""Names of other libraries are answered with the name here, by meaning before letters."""

from __future__ import annotations

import pytest

from scoring_program.core import meanings
from scoring_program.settings.model import OPTIONS

KEYS = ["metrics", *(option.name for option in OPTIONS)]
DASHED = [f"--{key.replace('_', '-')}" for key in KEYS]


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        ("n_resamples", "resamples"),
        ("bootstrap", "resamples"),
        ("nBoot", "resamples"),
        ("random_state", "seed"),
        ("scoring", "metrics"),
        ("n_jobs", "workers"),
        ("correction", "tie_rule"),
        ("top_k", "prizes"),
        ("groups", "group"),
        ("resample", "resamples"),  # by its letters
    ],
)
def test_a_setting_is_answered_by_meaning_first(word: str, answer: str) -> None:
    dashed = answer.replace("_", "-")
    assert meanings.instead(word, KEYS) == f"; did you mean {answer!r}?"
    assert meanings.instead(f"--{word}", DASHED) == f"; did you mean '--{dashed}'?"


def test_a_name_with_another_meaning_says_how_values_change() -> None:
    assert meanings.instead("alpha", KEYS) == "; did you mean 'confidence', which is 1 − alpha?"
    assert "pos_label: 1" in meanings.instead("pos_label", KEYS)


def test_only_what_exists_is_answered() -> None:
    assert meanings.instead("random_state", ["resamples"]) == ""
    assert meanings.instead("groupby", ["groups", "strata"]) == "; did you mean 'groups'?"
    assert meanings.of_results("to_csv", ["leader"]) == ""


def test_every_answer_is_a_setting_or_an_argument_of_a_call() -> None:
    answers = {meanings.instead(word, [*KEYS, *ARGUMENTS]) for word in meanings.SETTINGS}
    assert "" not in answers
    assert {*meanings.SETTINGS.values()} <= {*KEYS, *ARGUMENTS}
    assert {*meanings.CHANGED} <= {*meanings.SETTINGS}


ARGUMENTS = ("progress", "predictions", "y_true")
