"""Ties of a mean rank by projection: the bounds, the algebra, and that a best entry stays."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product

import numpy as np
import pytest

from scoring_program.core.arrays import Bools, Floats, Ints
from scoring_program.inference.comparing.draws import Draws, studentize
from scoring_program.inference.mean_ranks import closure, lower_bounds, shown_better
from scoring_program.scoring.overall import ranks
from tests.arrays import all_rivals
from tests.sweeps import swept

EVERYONE, FIVE = np.ones(5, np.bool_), np.arange(5)


def naive_lower_bounds(better: Bools, entry_of: Ints = FIVE) -> Floats:
    """LB [k, i] as the definition reads, among competing entries and hidden runs."""
    bounds = np.zeros(better.shape)
    for k, i in permutations(range(len(better)), 2):
        teams = (entry_of[k], entry_of[i])
        if teams[0] == teams[1]:
            continue
        others = [entry for entry in set(entry_of.tolist()) if entry not in teams]
        if better[k, i]:
            bounds[k, i] = 1 + sum(better[k, j] and better[j, i] for j in others)
        else:
            bounds[k, i] = -(1 + sum(not better[k, j] and not better[j, i] for j in others))
    return bounds


def shown_of(theta: Floats, rng: np.random.Generator) -> Bools:
    """Return a transitive relation [k, i] that holds only where k is truly better."""
    true = theta[:, None] > theta[None, :]
    relation = true & (rng.random(true.shape) < rng.random())
    for _ in range(len(theta)):
        relation |= (relation.astype(int) @ relation.astype(int)) > 0
    return relation


@pytest.mark.parametrize("seed", range(40))
def test_bounds_are_those_of_the_definition_and_never_exceed_the_truth(seed: int) -> None:
    rng = np.random.default_rng(seed)
    theta = rng.integers(0, 4, 5).astype(float)  # with ties
    relation = shown_of(theta, rng)
    bounds = lower_bounds(relation, EVERYONE, np.arange(5))
    np.testing.assert_array_equal(bounds, naive_lower_bounds(relation))
    rank = ranks(-theta, EVERYONE)
    assert (rank[None, :] - rank[:, None] >= bounds).all()


@pytest.mark.parametrize("seed", range(40))
def test_bounds_hold_for_a_hidden_run_in_the_place_of_its_teams(seed: int) -> None:
    rng = np.random.default_rng(seed)
    entry_of = np.array([0, 1, 2, 3, 4, 0, 0, 2, 3])
    theta = rng.integers(0, 6, entry_of.size).astype(float)
    relation = shown_of(theta, rng)
    bounds = lower_bounds(relation, EVERYONE, entry_of)
    np.testing.assert_array_equal(bounds, naive_lower_bounds(relation, entry_of))
    for k, i in permutations(range(entry_of.size), 2):
        if entry_of[k] != entry_of[i]:
            standing = theta[:5].copy()
            standing[entry_of[[k, i]]] = theta[[k, i]]
            rank = ranks(-standing, EVERYONE)
            assert rank[entry_of[i]] - rank[entry_of[k]] >= bounds[k, i]


@pytest.mark.parametrize("baselines", [0, 2])
@pytest.mark.parametrize("seed", range(40))
def test_bounds_hold_where_ranks_count_teams(seed: int, baselines: int) -> None:
    """Also where another run of a team is better than the one that is beaten."""
    rng = np.random.default_rng(seed)
    teams = np.array([0, 1, 1, 2, 2, 2, 3, 4, 5])
    theta = rng.integers(0, 6, teams.size).astype(float)
    competing = np.arange(teams.size) < teams.size - baselines
    relation = shown_of(theta, rng)
    bounds = lower_bounds(relation, competing, np.arange(teams.size), teams)
    rank = ranks(-theta, competing, teams)
    for k, i in permutations(range(teams.size), 2):
        if teams[k] != teams[i] and (competing[k] or competing[i]):
            assert rank[i] - rank[k] >= bounds[k, i]
    alone = np.arange(teams.size)
    np.testing.assert_array_equal(
        lower_bounds(relation, competing, alone, alone)[competing][:, competing],
        lower_bounds(relation, competing, alone)[competing][:, competing],
    )


@pytest.mark.parametrize("seed", range(40))
def test_bounds_hold_for_baselines_too(seed: int) -> None:
    rng = np.random.default_rng(seed)
    theta = rng.integers(0, 4, 6).astype(float)
    competing = np.array([True, True, True, True, False, False])
    bounds = lower_bounds(shown_of(theta, rng), competing, np.arange(6))
    rank = ranks(-theta, competing)
    difference = rank[None, :] - rank[:, None]
    compared = competing[:, None] | competing[None, :]
    assert (difference >= bounds)[compared].all()


def weak_orders(size: int) -> Iterator[Floats]:
    """Yield one scoring of each pattern of ties: all others are the same with other names."""
    for rises in product((0.0, 1.0), repeat=size - 1):
        yield np.cumsum([0.0, *rises])


def true_relations(theta: Floats) -> Iterator[Bools]:
    """Yield every transitive relation [k, i] that holds only where k is truly better."""
    pairs = np.argwhere(theta[:, None] > theta)
    tried = set()
    for chosen in product((False, True), repeat=len(pairs)):
        relation = np.zeros((theta.size, theta.size), np.bool_)
        relation[tuple(pairs[np.array(chosen, np.bool_)].T)] = True
        relation = closure(relation)
        if relation.tobytes() not in tried:
            tried.add(relation.tobytes())
            yield relation


@pytest.mark.parametrize(("size", "baselines"), [(2, 0), (3, 0), (4, 0), (5, 0), (3, 1), (4, 2)])
def test_bounds_hold_in_every_order_with_ties(size: int, baselines: int) -> None:
    """Whatever true relation is shown; and 1 + what is shown to lie between is the best bound."""
    everyone = np.arange(size)
    for theta in weak_orders(size):
        for cannot_win in combinations(range(size), baselines):
            competing = ~np.isin(everyone, cannot_win)
            rank = ranks(-theta, competing)
            difference = rank[None, :] - rank[:, None]
            compared = competing[:, None] | competing[None, :]
            for relation in true_relations(theta):
                bounds = lower_bounds(relation, competing, everyone)
                assert (difference >= bounds)[compared].all()


@pytest.mark.parametrize("size", [3, 4])
def test_bounds_that_are_positive_could_be_no_larger(size: int) -> None:
    """Some order in which the same relation is true has exactly this difference."""
    smallest: dict[bytes, Floats] = {}
    for theta in weak_orders(size):
        for order in permutations(range(size)):
            named = theta[list(order)]
            rank = ranks(-named, EVERYONE[:size])
            difference = rank[None, :] - rank[:, None]
            for relation in true_relations(named):
                least = smallest.setdefault(relation.tobytes(), difference)
                smallest[relation.tobytes()] = np.minimum(least, difference)
    for key, least in smallest.items():
        relation = np.frombuffer(key, np.bool_).reshape(size, size)
        bounds = lower_bounds(relation, EVERYONE[:size], np.arange(size))
        np.testing.assert_array_equal(bounds[relation], least[relation])


def test_dense_ranks_would_break_the_bounds() -> None:
    """Two entries that tie between two others take a single place there."""
    theta = np.array([3.0, 2.0, 2.0, 1.0])
    bounds = lower_bounds(theta[:, None] > theta, EVERYONE[:4], np.arange(4))
    dense = np.unique(-theta, return_inverse=True)[1] + 1
    assert dense[3] - dense[0] < bounds[0, 3]


def test_everything_shown_gives_the_ranks_themselves() -> None:
    theta = np.array([5.0, 4.0, 3.0, 2.0, 1.0])
    bounds = lower_bounds(theta[:, None] > theta[None, :], EVERYONE, np.arange(5))
    expected = np.arange(5)[None, :] - np.arange(5)[:, None]
    np.testing.assert_array_equal(bounds, expected)


def draws(theta: Floats, rng: np.random.Generator, n: int = 400) -> Draws:
    """Return the draws of a task with normal errors."""
    deviations = rng.normal(size=(theta.size, 999)) / np.sqrt(n)
    errors = np.full((theta.size, theta.size), np.sqrt(2 / n))
    np.fill_diagonal(errors, 0)
    return Draws(studentize(theta, errors, n), deviations, errors, all_rivals(theta.size))


def test_an_entry_that_is_behind_in_every_task_is_shown_worse() -> None:
    rng = np.random.default_rng(1)
    theta = np.array([0.9, 0.89, 0.5, 0.3])
    shown = shown_better([draws(theta, rng), draws(theta[[1, 0, 2, 3]], rng)], EVERYONE[:4], 0.05)
    expected = np.zeros((4, 4), np.bool_)
    expected[:2, 2:] = expected[2, 3] = True
    np.testing.assert_array_equal(shown, expected)


def test_entries_that_win_a_task_each_are_not_separated() -> None:
    rng = np.random.default_rng(2)
    shown = shown_better(
        [draws(np.array([0.9, 0.1]), rng), draws(np.array([0.1, 0.9]), rng)], EVERYONE[:2], 0.05
    )
    assert not shown.any()


def test_a_baseline_changes_nothing_among_the_others() -> None:
    rng = np.random.default_rng(3)
    theta = np.array([0.6, 0.5, 0.4, 0.55])
    tasks = [draws(theta, rng, n=800) for _ in range(2)]
    alone = [
        Draws(task.statistics[:3, :3], task.deviations[:3], task.errors[:3, :3], all_rivals(3))
        for task in tasks
    ]
    competing = np.array([True, True, True, False])
    shown = shown_better(tasks, competing, 0.05)
    np.testing.assert_array_equal(shown[:3, :3], shown_better(alone, EVERYONE[:3], 0.05))
    assert shown[0, 2]


@pytest.mark.parametrize("tasks", swept([2, 3, 8]))
def test_a_best_entry_stays(tasks: int) -> None:
    """Ten equal entries: whoever is lost in more than five percent of competitions fails."""
    rng = np.random.default_rng(tasks)
    lost, sets = 0, 60
    for _ in range(sets):
        made = []
        for _ in range(tasks):
            theta = rng.normal(size=10) / np.sqrt(400)  # what equal entries score by chance
            made.append(draws(theta, rng))
        shown = shown_better(made, np.ones(10, np.bool_), 0.05)
        lost += bool(shown[:, 0].any())
    assert lost <= 6  # P(Binomial(60, .05) > 6) = .03; observed: 0
