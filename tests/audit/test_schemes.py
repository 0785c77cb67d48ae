"""Ranking schemes: who stands on top, and who gains."""

from __future__ import annotations

import numpy as np
import pytest

from scoring_program.audit import schemes

_ALL = np.ones(3, np.bool_)
#: Scores of three entries in two tasks, less is better.
_LOSSES = np.array([[0.100, 0.102, 0.101], [0.3, 0.2, 0.9]])


def test_ties_share_the_better_rank_and_nothing_has_no_rank() -> None:
    higher = np.array([0.5, 0.5, np.nan, 0.1])
    assert schemes.ranked(higher, np.ones(4, np.bool_)).tolist() == [1, 1, 0, 3]


def test_baselines_do_not_count_and_never_stand_on_top() -> None:
    can_win = np.array([False, True, True])
    assert schemes.ranked(np.array([0.9, 0.5, 0.1]), can_win).tolist() == [1, 1, 2]
    (without_a, *_) = schemes.of_task_weights(_LOSSES, ["a", "b"], "mean", np.array([1, 0, 1]) > 0)
    assert without_a.top == {0}  # the second entry is better, but a baseline


@pytest.mark.parametrize(
    ("method", "tops"),
    [
        # Without a, without b, a twice, b twice.
        ("mean", [{1}, {0}, {1}, {1}]),
        ("mean_rank", [{1}, {0}, {0}, {0, 1}]),
        ("mean_standardized", [{1}, {0}, {0}, {0, 1}]),
        ("(a + b) / 2", [{1}, {0}, {0}, {0, 1}]),
    ],
)
def test_weights_of_tasks(method: str, tops: list[set[int]]) -> None:
    found = schemes.of_task_weights(_LOSSES, ["a", "b"], method, _ALL)
    assert [scheme.kind for scheme in found] == ["without_task"] * 2 + ["double_task"] * 2
    assert [set(scheme.top) for scheme in found] == tops


def test_one_task_has_no_other_weights() -> None:
    assert schemes.of_task_weights(_LOSSES[:1], ["a"], "mean", _ALL) == []


def test_gains_name_the_best_and_the_worst_place() -> None:
    def scheme(name: str, *rank: int) -> schemes.RankingScheme:
        return schemes.RankingScheme("metric", name, np.array(rank), frozenset())

    found = schemes.gains([scheme("x", 1, 2, 3), scheme("y", 1, 3, 2), scheme("z", 1, 2, 3)], _ALL)
    told = [
        (entry, rank, best, best_in.name, worst, worst_in.name)
        for entry, rank, (best, best_in), (worst, worst_in) in found
    ]
    assert told == [(1, 2, 2, "x", 3, "y"), (2, 3, 2, "y", 3, "x")]
    competing = np.array([True, False, True])
    assert schemes.gains([scheme("x", 1, 2, 3)] * 2, competing) == []
