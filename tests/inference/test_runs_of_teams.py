"""Runs that are not shown: every one is tested, and decides with the others what their team is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring_program.bootstrap.design import draw_counts
from scoring_program.inference import MetricScores, analyze
from scoring_program.inference.basis import Basis
from scoring_program.inference.comparing.comparisons import moments
from scoring_program.inference.comparing.standing import Contest, contest
from scoring_program.inference.evidence import Evidence, Question
from tests.arrays import made_metric, made_replicates
from tests.inference.never_contradict import never_contradicts

ALPHA = 0.05
N = 250


class Competition:
    """Runs of graded teams on the same examples; the best run of each stands for its team."""

    def __init__(self, seed: int, sizes: tuple[int, ...], baselines: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.team = np.repeat(np.arange(len(sizes)), sizes)
        ability = np.linspace(0.35, 0, len(sizes))[self.team]
        units = ability + rng.normal(size=(N, 1)) + 0.7 * rng.normal(size=(N, self.team.size))
        self.counts = draw_counts(rng, N, 1999)
        self.observed = units.mean(axis=0)
        self.values = self.counts.astype(float) @ units / N
        self.influence = (units - self.observed) / N
        best = [runs[np.argmax(self.observed[runs])] for runs in self.runs_of(len(sizes))]
        self.shown = np.array(best)
        others = np.setdiff1d(np.arange(self.team.size), self.shown)
        self.order = np.concatenate([self.shown, others])
        self.question = Question(baselines=tuple("ABCDEFG"[:baselines]))

    def runs_of(self, teams: int) -> list[np.ndarray]:
        return [np.flatnonzero(self.team == team) for team in range(teams)]

    def every_run(self) -> MetricScores:
        """All runs as entries, with those that are shown first."""
        names = [f"{'ABCDEFG'[self.team[run]]}/{run}" for run in self.order]
        return self._scores(self.order, names, ["ABCDEFG"[t] for t in self.team[self.order]])

    def one_run_each(self) -> MetricScores:
        names = ["ABCDEFG"[team] for team in self.team[self.order]]
        return replace(self._scores(self.order, names, names), entries=self.shown.size)

    def _scores(self, runs: np.ndarray, names: list[str], teams: list[str]) -> MetricScores:
        return MetricScores(
            made_metric("score"),
            names,
            self.observed[runs],
            made_replicates(self.values[:, runs]),
            n=N,
            influence=lambda: self.influence[:, runs],
            counts=lambda: iter([self.counts]),
            teams=teams,
        )


def shown_by_tests(scores: MetricScores, question: Question) -> Contest:
    """Return what the tests say, before the verdict makes ranges agree with it."""
    basis = Basis.from_scores(scores, question)
    pairs = moments(basis.bootstrap, *basis.field.pairs(), executor=basis.executor)
    with contest(basis, pairs) as tested:
        return tested()


def ranges(
    runs: Evidence, tested: Contest, teams: list[str], *, joint: bool
) -> list[tuple[int, int]]:
    """The ranges of teams as their definition reads, from what is shown about all runs."""
    m = len(runs.names)
    above, below = tested.above, tested.below
    if joint:
        better = np.zeros((m, m), bool)
        better[runs.pairs.better, runs.pairs.worse] = runs.pairs.p_max_t <= ALPHA
        above = below = better
    names = sorted(set(teams))
    found = []
    for team in names:
        own = [run for run in range(m) if teams[run] == team]
        others = [[r for r in range(m) if teams[r] == name] for name in names if name != team]
        low = min(1 + sum(any(above[i, run] for i in other) for other in others) for run in own)
        beaten = [sum(all(below[run, i] for i in other) for other in others) for run in own]
        found.append((low, len(names) - max(beaten)))
    return found


@pytest.mark.parametrize("studentized", ["never", "always"])
@pytest.mark.parametrize("seed", range(4))
def test_a_teams_range_is_that_of_all_its_runs(seed: int, studentized: str) -> None:
    made = Competition(seed, (3, 1, 4, 2, 1, 5))
    question = Question(studentized=studentized)
    found = analyze(made.one_run_each(), question)
    runs = made.every_run()
    every = analyze(runs, question)
    of_runs, of_teams = (
        shown_by_tests(runs, question),
        shown_by_tests(made.one_run_each(), question),
    )
    assert any(high < 6 for _, high in ranges(every, of_runs, list(runs.teams), joint=False))
    stands = every.standing.rank_low > 0  # in the order of the teams, best run each
    in_order = np.argsort(np.array(runs.teams)[stands])
    for low, high, joint in (
        (*of_teams.rank_range, False),
        (found.standing.joint_low, found.standing.joint_high, True),
        (
            every.standing.joint_low[stands][in_order],
            every.standing.joint_high[stands][in_order],
            True,
        ),
    ):
        expected = ranges(every, of_runs, list(runs.teams), joint=joint)
        assert list(zip(low.tolist(), high.tolist(), strict=True)) == expected
    # A team is tied if any of its runs is, and as far from the best as the nearest of them.
    for team in range(6):
        own = [row for row, name in enumerate(runs.teams) if name == "ABCDEFG"[team]]
        assert found.standing.tied["max_t"][team] == (of_runs.rank_range[0][own].min() == 1)
        for of in ("near", "from_best"):
            ends = np.nanmin(getattr(every.distances, of)[own])
            assert getattr(found.distances, of)[team] == ends
        winners = every.verdict.possible_winners[own]
        assert found.verdict.possible_winners[team] == winners.any()
    never_contradicts(found)
    never_contradicts(every)


def test_what_is_shown_agrees_with_the_ranges() -> None:
    found = analyze(Competition(1, (3, 1, 4, 2, 1, 5)).one_run_each())
    assert ((found.standing.separated_from < 0) == (found.standing.rank_low == 1)).all()


def test_runs_that_are_not_shown_widen_the_family_of_the_maxima_only() -> None:
    """Scores, intervals, Holm's and Bonferroni's families are those of what is shown."""
    scores = Competition(2, (9, 9, 9, 9)).one_run_each()
    found, alone = analyze(scores), analyze(scores.of_entries)
    np.testing.assert_array_equal(found.intervals.low, alone.intervals.low)
    for family, corrections in found.pairs.p_adjusted.items():
        for correction, p in corrections.items():
            np.testing.assert_array_equal(p, alone.pairs.p_adjusted[family][correction])
    assert (found.pairs.p_max_t >= alone.pairs.p_max_t).all()
    assert (found.pairs.p_max_t > alone.pairs.p_max_t).any()
    assert (found.standing.rank_low <= alone.standing.rank_low).all()
    assert found.scores.order.size == len(found.names) == 4


def test_without_further_runs_nothing_changes() -> None:
    made = Competition(3, (1, 1, 1, 1, 1))
    none = made.one_run_each()
    found, alone = analyze(none), analyze(none.of_entries)
    np.testing.assert_array_equal(found.pairs.p_max_t, alone.pairs.p_max_t)
    np.testing.assert_array_equal(found.distances.from_best, alone.distances.from_best)


def test_a_baselines_further_runs_cannot_win_either() -> None:
    made = Competition(4, (3, 2, 2), baselines=1)
    found = analyze(made.one_run_each(), made.question)
    every = made.every_run()
    own = tuple(name for name in every.names if name.startswith("A/"))
    of_runs = analyze(every, Question(baselines=own))
    competing = [row for row, team in enumerate(every.teams) if team != "A"]
    assert not found.standing.better[0].any()
    for team in (1, 2):
        runs = [row for row in competing if every.teams[row] == "ABC"[team]]
        assert found.standing.rank_low[team] == of_runs.standing.rank_low[runs].max()
