"""Several runs of a team: they are entries, but never each other's rivals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring_program.inference import MetricScores, analyze
from scoring_program.inference.analysis import MetricAnalysis
from scoring_program.settings.model import Settings
from tests.arrays import made_metric, made_replicates

NAMES = ("A/1", "A/2", "B/1", "B/2", "C")
TEAMS = ("A", "A", "B", "B", "C")


def scores(theta: tuple[float, ...], teams: tuple[str, ...] = TEAMS, n: int = 400) -> MetricScores:
    rng = np.random.default_rng(1)
    observed = np.array(theta)
    values = observed + rng.normal(size=(1999, observed.size)) * 0.4 / np.sqrt(n)
    metric = made_metric("score")
    return MetricScores(metric, NAMES, observed, made_replicates(values), n=n, teams=teams)


def pairs_of(analysis: MetricAnalysis) -> dict[tuple[str, str], int]:
    return {
        (NAMES[better], NAMES[worse]): place
        for place, (better, worse) in enumerate(
            zip(analysis.pairs.better, analysis.pairs.worse, strict=True)
        )
    }


def test_a_pair_of_one_team_is_in_no_family() -> None:
    analysis = analyze(scores((0.9, 0.5, 0.85, 0.4, 0.3)))
    places = pairs_of(analysis)
    for pair in (("A/1", "A/2"), ("B/1", "B/2")):
        for family in analysis.pairs.p_adjusted.values():
            assert all(np.isnan(p[places[pair]]) for p in family.values())
        assert analysis.pairs.p_max_t[places[pair]] == 1
    assert np.isfinite(analysis.pairs.p_adjusted["all"]["holm"][places["A/1", "B/1"]])
    # Eight pairs of different teams are corrected together, not ten.
    raw = analysis.pairs.p_one_sided[places["A/1", "C"]]
    assert analysis.pairs.p_adjusted["all"]["bonferroni"][places["A/1", "C"]] == 8 * raw


def test_ranges_count_the_runs_of_other_teams_only() -> None:
    together = analyze(scores((0.9, 0.5, 0.85, 0.4, 0.3)))
    assert together.rank_low.tolist() == [1, 2, 1, 3, 5]
    assert together.several_runs
    apart = analyze(replace(scores((0.9, 0.5, 0.85, 0.4, 0.3)), teams=()))
    assert apart.rank_low.tolist() == [1, 3, 1, 4, 5]
    assert not apart.several_runs
    assert (together.rank_low <= apart.rank_low).all()
    assert (together.rank_high >= apart.rank_high).all()


@pytest.mark.parametrize("rule", ["max_t", "holm", "none"])
def test_a_weak_run_is_compared_with_other_teams_only(rule: str) -> None:
    """The leader's second run lies far behind the leader, but no other team is ahead of it."""
    found = analyze(scores((0.9, 0.8, 0.4, 0.4, 0.3)), Settings(tie_rule=rule))
    tied = dict(zip(NAMES, found.tied_with_leader.tolist(), strict=True))
    assert tied["A/1"]
    assert not tied["C"]
    if rule == "max_t":
        assert tied["A/2"]


def test_every_entry_is_a_team_of_its_own_without_teams() -> None:
    apart = analyze(replace(scores((0.9, 0.5, 0.85, 0.4, 0.3)), teams=()))
    own = analyze(scores((0.9, 0.5, 0.85, 0.4, 0.3), teams=NAMES))
    np.testing.assert_array_equal(apart.pairs.p_max_t, own.pairs.p_max_t)
    np.testing.assert_array_equal(apart.rank_low, own.rank_low)


def test_a_baselines_runs_are_no_rivals_either() -> None:
    settings = Settings(baselines=("B/1", "B/2"))
    found = analyze(scores((0.9, 0.5, 0.85, 0.4, 0.3)), settings)
    (first, second) = found.reference_tests
    assert first.p_value[3] == second.p_value[2] == 1
