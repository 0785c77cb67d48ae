from __future__ import annotations

import math

import numpy as np

from scoring_program.inference.draws import Draws, all_rivals


class Halves:
    """A standard error of ½ for the pair (0, 2), and of 0 on the first two resamples."""

    row = np.array([[-1, -1, 0], [-1, -1, -1], [0, -1, -1]])

    def block(self, resamples: slice) -> np.ndarray:
        errors = np.full((1, 5), 0.5)
        errors[:, :2] = 0.0
        return errors[:, resamples]


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


def test_some_pairs_have_a_standard_error_on_each_resample() -> None:
    draws = Draws(np.zeros((3, 3)), R, SE, all_rivals(3), Halves())
    found = draws.block(slice(0, 5)).leads(np.array([0, 0]), np.array([1, 2]))
    assert found.tolist() == [[0.5, 1, 1.5, 2, 2.5], [0, math.inf, 4, 6, 8]]
    behind = draws.block(slice(0, 3)).leads(np.array([2]), 0)
    assert behind.tolist() == [[0, -math.inf, -4]]


def test_the_blocks_are_all_resamples_once() -> None:
    draws = Draws(
        np.zeros((300, 300)), np.zeros((300, 2001)), np.zeros((300, 300)), all_rivals(300)
    )
    drawn = [b for block in draws.blocks() for b in range(block.start, block.stop)]
    assert drawn == list(range(2001))
    assert len(list(draws.blocks())) > 1
