"""Win rates and Bradley-Terry strengths: against other libraries, and on resamples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from scoring_program.bootstrap.design import Design
from scoring_program.bootstrap.resample import resample
from scoring_program.core.arrays import Floats, Ints
from scoring_program.metrics import Data
from scoring_program.metrics.families.preferences import (
    LEFT,
    RIGHT,
    STRENGTH,
    Battles,
    OutcomeTotals,
)
from scoring_program.scoring.diagnostics import Diagnostics
from scoring_program.scoring.scorers import PairsScorer
from tests.metrics.cases import metric

SYSTEMS = 7


def battles(seed: int = 1, n: int = 600, systems: int = SYSTEMS, spread: float = 3.0) -> Battles:
    """Battles between random systems, one in five of them a tie."""
    rng = np.random.default_rng(seed)
    left, shift = rng.integers(0, systems, n), rng.integers(1, systems, n)
    right = (left + shift) % systems
    wins = rng.random(n) < 1 / (1 + np.exp((left - right) / spread))
    halves = np.where(rng.random(n) < 0.2, 1, 2 * wins)
    return Battles(left, right, halves, systems)


def arrays(of: Battles) -> tuple[Ints, ...]:
    """What each entry's submission holds."""
    found = []
    for entry in range(of.size):
        own = np.where(of.left == entry, LEFT + of.halves, 0)
        found.append(np.where(of.right == entry, RIGHT + 2 - of.halves, own))
    return tuple(found)


def scorer(function: str, of: Battles) -> PairsScorer:
    data = Data(np.zeros(len(of.left)), arrays(of))
    return PairsScorer(metric(function, {}), data, [f"s{k}" for k in range(of.size)])


def by_statsmodels(of: Battles, counts: Ints | None = None) -> Floats:
    """Return strengths by a logistic regression of two rows a battle, one for each half win."""
    sm = pytest.importorskip("statsmodels.api")
    design = np.zeros((len(of.left), of.size))
    design[np.arange(len(design)), of.left] += 1
    design[np.arange(len(design)), of.right] -= 1
    times = np.ones(len(design)) if counts is None else counts
    family = sm.families.Binomial()
    fit = sm.GLM(of.halves / 2, design[:, 1:], family=family, var_weights=times)
    found = np.concatenate([[0.0], fit.fit(tol=1e-13).params])
    return np.asarray(found - found.mean())


def frame(of: Battles) -> pd.DataFrame:
    won = np.array(["right", "tie", "left"])[of.halves]
    return pd.DataFrame({"left": of.left, "right": of.right, "winner": won})


def test_arrays_hold_the_battles() -> None:
    given = battles()
    found = Battles.from_arrays(arrays(given))
    assert (found.left == given.left).all()
    assert (found.right == given.right).all()
    assert (found.halves == given.halves).all()


def test_strengths_are_those_of_statsmodels() -> None:
    given = battles()
    assert scorer(STRENGTH, given).observed == pytest.approx(by_statsmodels(given), abs=1e-9)


def test_strengths_on_resamples_are_those_of_statsmodels() -> None:
    given = battles()
    counts = np.random.default_rng(2).poisson(1.0, (5, len(given.left))).astype(np.uint8)
    found = scorer(STRENGTH, given).replicate(counts).values
    for row, drawn in zip(found, counts, strict=True):
        assert row == pytest.approx(by_statsmodels(given, drawn), abs=1e-9)


def for_evalica(given: Battles) -> tuple[Any, ...]:
    """Return evalica, or skip, and what its functions take: both sides and the winners."""
    evalica = pytest.importorskip("evalica")
    table = frame(given)
    winners = table.winner.map(
        {"left": evalica.Winner.X, "right": evalica.Winner.Y, "tie": evalica.Winner.Draw}
    )
    return evalica, table.left, table.right, winners


def test_strengths_are_those_of_evalica() -> None:
    given = battles()
    evalica, *columns = for_evalica(given)
    result = evalica.bradley_terry(*columns, tolerance=1e-14, limit=10_000)
    theirs = np.log(result.scores.sort_index().to_numpy())
    assert scorer(STRENGTH, given).observed == pytest.approx(theirs - theirs.mean(), abs=1e-6)


def test_win_rates_are_those_of_evalica() -> None:
    given = battles()
    evalica, *columns = for_evalica(given)
    theirs = evalica.average_win_rate(*columns).scores.sort_index()
    assert scorer("win_rate", given).observed == pytest.approx(theirs.to_numpy(), abs=1e-6)


def test_strengths_are_those_of_arena_rank() -> None:
    pytest.importorskip("arena_rank")
    from arena_rank.models.bradley_terry import BradleyTerry
    from arena_rank.utils.data_utils import PairDataset

    given = battles()
    table = frame(given).rename(columns={"left": "model_a", "right": "model_b"})
    table["winner"] = table.winner.replace({"left": "model_a", "right": "model_b"})
    model = BradleyTerry(given.size, hessian_reg=0.0, ftol=1e-16, gtol=1e-12)
    model.fit(PairDataset.from_pandas(table))
    theirs = np.asarray(model.params["ratings"])
    assert scorer(STRENGTH, given).observed == pytest.approx(theirs - theirs.mean(), abs=1e-6)


@pytest.mark.parametrize("function", ["win_rate", STRENGTH])
@pytest.mark.parametrize("grouped", [False, True])
def test_influence_values_are_those_of_the_jackknife(function: str, grouped: bool) -> None:
    given = scorer(function, battles(n=800))
    units = np.arange(800) // 2 if grouped else None
    exact = given.observation.values - given.jackknife(units)
    found = given.influence(units, 0)
    assert found is not None
    assert found == pytest.approx(exact - exact.mean(axis=0), rel=0.1, abs=4e-4)


@pytest.mark.parametrize("function", ["win_rate", STRENGTH])
def test_influence_values_of_crossed_groups_are_those_of_the_jackknife(function: str) -> None:
    given = scorer(function, battles(n=2000))
    units = np.array([np.arange(2000) % 40, 40 + np.arange(2000) // 20 % 50])
    left_out = given.jackknife(units)
    for unit in (3, 55):
        rest = ((units == unit).sum(axis=0) == 0).astype(np.uint8)
        assert left_out[unit] == pytest.approx(given.replicate(rest[None]).values[0])
    found = given.influence(units, 0)
    assert found is not None
    exact = given.observation.values - left_out
    for factor in (slice(0, 40), slice(40, 90)):
        of_jackknife = exact[factor] - exact[factor].mean(axis=0)
        assert found[factor] == pytest.approx(of_jackknife, rel=0.25, abs=5e-3)


def test_kept_entries_keep_their_scores() -> None:
    given = scorer(STRENGTH, battles())
    counts = np.random.default_rng(2).poisson(1.0, (3, given.n)).astype(np.uint8)
    kept = given.keep([4, 2], ["x", "y"])
    assert kept.replicate(counts).values == pytest.approx(
        given.replicate(counts).values[:, [4, 2]], abs=1e-10
    )
    rows = np.arange(0, given.n, 2)
    taken = kept.take(rows).replicate(counts[:, rows]).values
    assert taken == pytest.approx(given.take(rows).replicate(counts[:, rows]).values[:, [4, 2]])


def test_outcomes_of_two_entries_differ_where_one_of_them_took_part() -> None:
    given = scorer("win_rate", battles(n=60)).keep([4, 2, 0], ["x", "y", "z"])
    counted = Diagnostics.from_metric(given.metric, given.data)  # entry by entry
    assert given.diagnostics.disagreements.tolist() == counted.disagreements.tolist()
    assert given.diagnostics.disagreements[0, 1] > 0
    without_counts = {"disagreements": None}
    assert vars(given.diagnostics) | without_counts == vars(counted) | without_counts


def test_exchanging_two_entries_everywhere_exchanges_their_scores() -> None:
    given = scorer("win_rate", battles())
    first, second = given.randomized(1, 5, np.array([[True], [False]]).repeat(given.n, axis=1))
    assert first == pytest.approx(given.observed[[5, 1]])
    assert second == pytest.approx(given.observed[[1, 5]])


@pytest.mark.parametrize("most", [1, 5, 100])  # more than there are layers, too
def test_totals_of_outcomes_are_sums_over_their_battles(most: int) -> None:
    rng = np.random.default_rng(3)
    outcomes = np.repeat(np.arange(40), rng.integers(1, most + 1, 40))
    rng.shuffle(outcomes)
    counts = rng.poisson(1.0, (6, outcomes.size)).astype(np.uint8)
    totals = OutcomeTotals(outcomes)
    drawn = totals(counts)
    for outcome, row in zip(totals.outcomes, drawn, strict=True):
        assert (row == counts[:, outcomes == outcome].sum(axis=1)).all()


def test_totals_of_sets_exceed_the_type_of_their_sizes() -> None:
    counts = np.array([[200, 200, 7]], np.uint8)
    assert OutcomeTotals(np.array([4, 4, 2]))(counts).tolist() == [[400], [7]]


@pytest.mark.parametrize("n", [60, 600, 6000])
def test_strengths_sought_near_the_peak_are_those_of_newtons_method(n: int) -> None:
    of = battles(n=n)
    counts = np.random.default_rng(2).poisson(1.0, (40, n)).astype(np.uint8)
    met, won = of.counted(counts)
    peak = of.peak(*of.counted(np.ones((1, n), np.uint8)))
    assert peak is not None
    by_newton = of.strengths(met, won)
    assert of.strengths(met, won, peak) == pytest.approx(by_newton, abs=2e-10, nan_ok=True)
    exist = ~np.isnan(by_newton).any(axis=1)
    assert exist.any()
    near = of._near(met[exist], won[exist], peak)
    given_up = np.isnan(near).any(axis=1)
    assert given_up.any() == (n == 60)  # so that both ways are compared
    assert not given_up.all()


def test_many_battles_of_few_systems_are_sought_near_the_peak() -> None:
    of = battles(n=100_000, spread=1.0)
    counts = np.random.default_rng(1).poisson(1.0, (8, 100_000)).astype(np.uint8)
    met, won = of.counted(counts)
    peak = of.peak(*of.counted(np.ones((1, 100_000), np.uint8)))
    assert peak is not None
    assert of._near(met, won, peak) == pytest.approx(of.strengths(met, won), abs=2e-10)


def test_a_part_of_the_battles_is_sought_near_the_peak_of_all() -> None:
    of = battles(n=6000)
    peak = of.peak(*of.counted(np.ones((1, 6000), np.uint8)))
    assert peak is not None
    part = of.take(np.arange(0, 6000, 3))
    met, won = part.counted(np.ones((1, 2000), np.uint8))
    assert part._near(met, won, peak) == pytest.approx(part.strengths(met, won), abs=2e-10)


def test_both_metrics_count_battles_once(monkeypatch: pytest.MonkeyPatch) -> None:
    of = battles()
    scorers = [scorer("win_rate", of), scorer(STRENGTH, of)]
    alone = [resample([each], Design(600), 50, 0)[0].values for each in scorers]
    count = Battles.counted
    calls = []

    def counted(self: Battles, counts: Ints) -> tuple[Floats, Floats]:
        calls.append(len(counts))
        return count(self, counts)

    monkeypatch.setattr(Battles, "counted", counted)
    for replicates, values in zip(resample(scorers, Design(600), 50, 0), alone, strict=True):
        assert (replicates.values == values).all()
    assert calls == [50]


def test_strengths_exist_where_wins_lead_from_all_to_all() -> None:
    of = battles(n=60)
    counts = np.random.default_rng(4).poisson(0.5, (50, 60)).astype(np.uint8)
    met, won = of.counted(counts)
    naive = []
    for row in counts:
        beaten = np.eye(SYSTEMS, dtype=int)
        for left, right, halves in zip(
            of.left, of.right, np.where(row, of.halves, -1), strict=True
        ):
            beaten[left, right] |= halves > 0
            beaten[right, left] |= 0 <= halves < 2
        naive.append(bool((np.linalg.matrix_power(beaten, SYSTEMS) > 0).all()))
    assert of.connected(met, won).tolist() == naive
    assert 5 < sum(naive) < 45


def test_strengths_need_a_connected_graph() -> None:
    chain = Battles(np.array([0, 1]), np.array([1, 2]), np.array([2, 2]), 3)
    counts = np.ones((1, 2), np.uint8)
    assert np.isnan(chain.strengths(*chain.counted(counts))).all()
    assert chain.win_rates(*chain.counted(counts))[0] == pytest.approx([1.0, 0.5, 0.0])
