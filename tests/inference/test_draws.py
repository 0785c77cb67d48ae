from __future__ import annotations

from typing import Any

import numpy as np

from scoring_program.inference.comparing.draws import Draws
from tests.arrays import all_rivals


class Halves:
    """The pair (0, 2) has half its standard error, or three times as much on two resamples."""

    reason = "always"
    errors = np.zeros((3, 3))
    row = np.array([[-1, -1, 0], [-1, -1, -1], [0, -1, -1]])

    def ratios(self, rows: Any, resamples: Any) -> np.ndarray:
        ratios = np.full((1, 5), 2, np.float32)
        ratios[:, 1:3] = 0.5
        return ratios[rows][:, resamples]


R = np.array([[1.0, 2, 3, 4, 5], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1]])
SE = np.array([[0.0, 2, 4], [2, 0, 0], [4, 0, 0]])


def test_draws_are_differences_of_deviations_in_standard_errors() -> None:
    draws = Draws(np.zeros((3, 3)), R, SE, all_rivals(3))
    block = draws.block(slice(1, 4))
    found = block.leads(np.array([0, 2]), np.array([1, 0]))
    assert found.tolist() == [[1, 1.5, 2], [-0.25, -0.5, -0.75]]
    assert block.leads(np.array([1]), 0).tolist() == [[-1, -1.5, -2]]
    assert draws.in_maximum.tolist() == [
        [False, True, True],
        [True, False, False],
        [True, False, False],
    ]


def test_of_two_scales_the_larger_draw_counts() -> None:
    draws = Draws(np.zeros((3, 3)), R, SE, all_rivals(3), Halves())
    assert (draws.why, draws.studentized) == ("always", 1)
    block = draws.block(slice(0, 5))
    found = block.leads(np.array([0, 0]), np.array([1, 2]))
    assert found.tolist() == [[0.5, 1, 1.5, 2, 2.5], [0, 0.25, 0.5, 1.5, 2]]
    behind = block.leads(np.array([2]), 0)
    assert behind.tolist() == [[0, -0.125, -0.25, -0.75, -1]]
    rivals, chosen = np.array([2, 1]), np.array([4, 1])
    assert draws.leads(0, rivals, chosen).tolist() == [[2, 0.25], [2.5, 1]]
    assert draws.trails(0, rivals, chosen).tolist() == [[-1, -0.125], [-2.5, -1]]


def test_of_one_scale_the_draws_are_antisymmetric() -> None:
    draws = Draws(np.zeros((3, 3)), R, SE, all_rivals(3))
    assert (draws.why, draws.studentized) == (None, 0)
    rival, resamples = np.array([1]), np.arange(5)
    assert draws.leads(0, rival, resamples).tolist() == [[0.5, 1, 1.5, 2, 2.5]]
    assert draws.trails(0, rival, resamples).tolist() == [[-0.5, -1, -1.5, -2, -2.5]]


def test_the_blocks_are_all_resamples_once() -> None:
    draws = Draws(
        np.zeros((300, 300)), np.zeros((300, 2001)), np.zeros((300, 300)), all_rivals(300)
    )
    drawn = [b for block in draws.blocks() for b in range(block.start, block.stop)]
    assert drawn == list(range(2001))
    assert len(list(draws.blocks())) > 1
