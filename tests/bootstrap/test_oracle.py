"""The whole program against loops: scikit-learn on the same resampled rows, formulas as printed."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, f1_score, mean_absolute_error
from statsmodels.stats.multitest import multipletests

from scoring_program.bootstrap.design import Design
from scoring_program.bootstrap.resample import iterate_counts
from tests.competitions import Folder, numeric
from tests.sweeps import swept

B = 200
ALPHA = 0.05
Z = 1.959963984540054


def resampled_rows(n: int, seed: int) -> list[list[int]]:
    """Return the row numbers of every resample, drawn as the program draws them."""
    return [
        [row for row, count in enumerate(counts.tolist()) for _ in range(count)]
        for chunk in iterate_counts(Design(n), B, seed)
        for counts in chunk
    ]


def quantile(values: list[float], level: float) -> float:
    """Return the quantile with linear interpolation between order statistics (NumPy's default)."""
    ordered = sorted(values)
    place = level * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)


def deviation(values: list[float]) -> float:
    centre = mean(values)
    return math.sqrt(math.fsum((value - centre) ** 2 for value in values) / (len(values) - 1))


def interval(values: list[float], kind: str) -> list[float]:
    if kind == "percentile":
        return [quantile(values, ALPHA / 2), quantile(values, 1 - ALPHA / 2)]
    centre, se = mean(values), deviation(values)
    return [centre - Z * se, centre + Z * se]


@pytest.mark.parametrize("kind", swept(["percentile", "standard_error"]))
@pytest.mark.parametrize("metric", swept(["f1_score", "accuracy_score", "mean_absolute_error"]))
def test_intervals_p_values_and_ties(folder: Folder, metric: str, kind: str) -> None:
    folder.teams["Four"] = list(folder.teams["Two"])
    setting = "f1_score: {average: macro}" if metric == "f1_score" else metric
    folder.write(f"metrics:\n  - {setting}\nresamples: {B}\nseed: 11\ninterval: {kind}\n")
    function: Callable[..., float] = {
        "accuracy_score": accuracy_score,
        "f1_score": lambda gold, labels: f1_score(gold, labels, average="macro", zero_division=0),
        "mean_absolute_error": mean_absolute_error,
    }[metric]
    gold, teams = np.array(folder.labels), {k: np.array(v) for k, v in folder.teams.items()}
    texts = folder.labels
    if metric == "mean_absolute_error":
        numeric(folder)
        value = {"a": 0.31, "b": 1.07, "c": 2.9}
        gold = np.array([value[label] + i / 997 for i, label in enumerate(folder.labels)])
        teams = {
            team: np.array([value[label] for label in labels])
            for team, labels in folder.teams.items()
        }
        texts = [str(number) for number in gold.tolist()]
    rows = sorted(range(len(gold)), key=lambda row: (texts[row], folder.ids[row]))
    gold, teams = gold[rows], {team: predicted[rows] for team, predicted in teams.items()}
    assert folder.run() == 0
    (found,) = folder.results()["metrics"]
    sign = 1 if found["greater_is_better"] else -1

    score = {team: float(function(gold, labels)) for team, labels in teams.items()}
    replicates: dict[str, list[float]] = {team: [] for team in teams}
    for drawn in resampled_rows(len(gold), seed=11):
        for team, labels in teams.items():
            replicates[team].append(float(function(gold[drawn], labels[drawn])))

    order = sorted(teams, key=lambda team: (-sign * score[team], team))
    leader = order[0]
    assert found["leader"] == leader
    assert [entry["entry"] for entry in found["entries"]] == order

    def compared(better: str, worse: str) -> tuple[float, list[float], float]:
        observed = sign * (score[better] - score[worse])
        drawn = [sign * (a - b) for a, b in zip(replicates[better], replicates[worse], strict=True)]
        slack = 1e-12 * max(abs(score[better]), abs(score[worse]))
        beyond = sum(value >= 2 * observed - slack for value in drawn)
        p_value = 1.0 if observed <= slack else (1 + beyond) / (B + 1)
        return observed, drawn, p_value

    p_leader = [compared(leader, team)[2] for team in order[1:]]
    adjusted = {
        "none": p_leader,
        **{
            name: multipletests(p_leader, method=name)[1].tolist()
            for name in ("bonferroni", "holm", "fdr_bh")
        },
    }
    for place, entry in enumerate(found["entries"]):
        team = entry["entry"]
        assert entry["rank"] == 1 + sum(
            sign * other > sign * score[team] for other in score.values()
        )
        assert entry["score"] == pytest.approx(score[team], abs=1e-11)
        assert entry["ci"] == pytest.approx(interval(replicates[team], kind), abs=1e-11)
        if place == 0:
            continue
        observed, replicated, p_value = compared(leader, team)
        difference = entry["difference"]
        low, high = interval(replicated, kind)
        assert difference["observed"] == pytest.approx(observed, abs=1e-11)
        assert difference["mean"] == pytest.approx(mean(replicated), abs=1e-11)
        assert difference["ci"] == pytest.approx([low, high], abs=1e-11)
        assert difference["p_one_sided"] == pytest.approx(p_value, rel=1e-11)
        assert entry["tied"]["interval"] == (low <= 0 <= high)
        for rule, values in adjusted.items():
            assert entry["tied"][rule] == (values[place - 1] >= ALPHA), (team, rule)
            if rule != "none":
                assert difference["p_adjusted"][rule] == pytest.approx(values[place - 1], rel=1e-11)

    expected = {
        (better, worse): compared(better, worse)[2]
        for i, better in enumerate(order)
        for worse in order[i + 1 :]
    }
    pairs = {(pair["better"], pair["worse"]): pair for pair in found["pairs"]}
    assert set(pairs) == set(expected)
    every = dict(
        zip(expected, multipletests(list(expected.values()), method="holm")[1], strict=True)
    )
    for names, p_value in expected.items():
        assert pairs[names]["p_one_sided"] == pytest.approx(p_value, rel=1e-11)
        assert pairs[names]["p_adjusted"]["all"]["holm"] == pytest.approx(every[names], rel=1e-11)
    for better in order[:-1]:
        row = [names for names in expected if names[0] == better]
        values = multipletests([expected[names] for names in row], method="fdr_bh")[1]
        for names, value in zip(row, values, strict=True):
            assert pairs[names]["p_adjusted"]["row"]["fdr_bh"] == pytest.approx(value, rel=1e-11)
