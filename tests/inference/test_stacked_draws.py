"""The draws of several tasks as those of one: each pair keeps its own scales."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from scoring_program.inference.basis import Basis
from scoring_program.inference.comparing.draws import Draws
from scoring_program.inference.comparing.standing import draws_of
from scoring_program.inference.comparing.step_down import step_down
from scoring_program.inference.comparing.studentized import resampled_errors
from scoring_program.inference.evidence import Question
from scoring_program.inference.mean_ranks import stacked

from .test_studentized import scores

M, RESAMPLES = 4, 199


def task(seed: int, units: int, studentized: str) -> Draws:
    """Return the draws of four entries whose scores have heavy tails."""
    rng = np.random.default_rng(seed)
    values = rng.lognormal(sigma=1.5, size=(units, M)) + np.array([3.0, 1.0, 0.5, 0.0])
    basis = Basis.from_scores(scores(values, RESAMPLES), Question(studentized=studentized))
    replicates = basis.bootstrap.replicates
    errors = np.std(replicates[:, None] - replicates[None], axis=2, ddof=1)
    return draws_of(basis, errors, basis.field.rivals, resampled_errors(basis, errors))


TASKS = [task(1, 40, "always"), task(2, 400, "never"), task(3, 300, "always")]


def leads(draws: Draws, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    every, pairs = np.arange(RESAMPLES), zip(first.tolist(), second.tolist(), strict=True)
    return np.array([draws.leads(i, np.array([j]), every)[0] for i, j in pairs])


def test_every_pair_is_drawn_as_in_its_task() -> None:
    together = stacked(TASKS)
    assert (together.entries, together.resamples) == (3 * M, RESAMPLES)
    assert (together.why, together.studentized) == ("always", 12)
    for number, of_task in enumerate(TASKS):
        first, second = (number * M + entry for entry in np.triu_indices(M, 1))
        found, expected = (
            leads(draws, first - shift, second - shift)[:, 10:30]
            for draws, shift in ((together, 0), (of_task, number * M))
        )
        np.testing.assert_array_equal(found, expected)
        own = slice(number * M, (number + 1) * M)
        np.testing.assert_array_equal(together.statistics[own, own], of_task.statistics)
        assert not together.rivals[own][:, np.arange(3 * M) // M != number].any()


def test_ratios_come_in_the_order_that_is_asked_for() -> None:
    found = stacked(TASKS).resampled
    assert found is not None
    every, chosen = found.ratios(slice(None), slice(0, 20)), np.array([11, 0, 6, 5])
    assert every.shape == (12, 20)
    np.testing.assert_array_equal(found.ratios(chosen, np.arange(20)), every[chosen])
    assert found.ratios(np.empty(0, np.intp), np.arange(20)).shape == (0, 20)


def test_the_step_down_covers_the_pairs_of_all_tasks() -> None:
    """Algorithm B as its definition reads, over the ordered pairs of all tasks together."""
    every, pairs = np.arange(RESAMPLES), list(permutations(range(M), 2))
    hypotheses = []
    for number, of_task in enumerate(TASKS):
        for i, j in pairs:
            drawn = of_task.leads(i, np.array([j]), every)[0]
            hypotheses.append((of_task.statistics[i, j], number, i, j, drawn))
    running, p = np.full(RESAMPLES, -np.inf), []
    for statistic, *_, drawn in sorted(hypotheses, key=lambda one: one[0]):
        running = np.maximum(running, drawn)
        p.append((1 + np.count_nonzero(running >= statistic)) / (RESAMPLES + 1))
    adjusted = np.maximum.accumulate(p[::-1])[::-1]
    found = step_down(stacked(TASKS), np.ones(3 * M, np.bool_), 0.05).p_better
    ordered = sorted(hypotheses, key=lambda one: one[0])
    for (statistic, number, i, j, _), expected in zip(ordered, adjusted, strict=True):
        if statistic > 0:
            assert found[number * M + i, number * M + j] == expected
    assert 0 < np.count_nonzero(found <= 0.05) < len(hypotheses) / 2


def test_without_studentized_draws_there_is_one_scale() -> None:
    plain = [task(seed, 400, "never") for seed in (1, 2)]
    assert stacked(plain).resampled is None
