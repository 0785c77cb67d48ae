"""Scores over tasks know their units: which were drawn, and what each does to a score."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scoring_program.core.executor import HERE
from scoring_program.data.source import read_input
from scoring_program.inference import overall_units
from scoring_program.inference.evidence import Evidence, Question
from scoring_program.inference.overall_units import OverallUnits
from scoring_program.pipeline import EvaluatedCompetition, evaluate
from scoring_program.scoring.overall import overall_scores
from tests.competitions import write_csv
from tests.sweeps import swept

DOUBLE = (
    "metrics: [mean_absolute_error, {name: double, formula: task0_mean_absolute_error * 2, "
    "greater_is_better: false}]\n"
)
SIZES = (250, 220, 250)  # of tasks; the first and the last have the same examples


def write(folder: Path, settings: str, groups: int = 0, absurd: float = 0.0) -> Path:
    """Write three tasks of numbers, and four teams with two runs; one holds ``absurd`` errors."""
    rng = np.random.default_rng(5)
    for number, size in enumerate(SIZES):
        ids = [f"{size}-{i}" for i in range(size)]
        gold = rng.normal(size=size).round(3)
        columns = {"id": ids, "label": gold.tolist()}
        if groups:  # one of them holds most examples
            columns["user"] = np.maximum(np.arange(size) - 150, 0) % groups
        write_csv(folder / "ref" / f"task{number}.csv", columns)
        for run in range(8):
            values = gold + rng.normal(size=size) * (1 + 0.1 * (run // 2))
            values[7] += absurd * (run // 2 == 3)
            own = {"id": ids, "label": values.tolist()}
            write_csv(folder / "res" / f"t{run // 2}" / f"run{run % 2}" / f"task{number}.csv", own)
    metrics = "" if "metrics" in settings else "metrics: [mean_absolute_error]\n"
    (folder / "ref" / "scoring.yaml").write_text(f"{metrics}resamples: 400\n{settings}")
    return folder


def evaluated(folder: Path) -> EvaluatedCompetition:
    return evaluate(*read_input(folder, lambda loaded: loaded))


def overall(folder: Path) -> Evidence:
    return evaluated(folder).findings.evidence[0]


@pytest.mark.parametrize("method", ["mean", "mean_standardized", "double"])
@pytest.mark.parametrize("stratify", [False, True])
def test_units_add_up_to_the_replicates(tmp_path: Path, method: str, stratify: bool) -> None:
    """Means over examples of fixed number are sums over units, so nothing is approximate."""
    settings = f"rank_by: double\n{DOUBLE}" if method == "double" else f"overall: {method}\n"
    settings += "runs: best\n" + ("stratify: user\n" if stratify else "")
    found = evaluated(write(tmp_path, settings, groups=3 if stratify else 0))
    tasks = [part.metrics for part in found.resampled]
    metric, can_win = found.competition.overall[0], [True] * 4
    scores = overall_scores(metric, tasks, can_win, worst_if_missing=False)
    assert scores is not None
    question = Question.from_settings(found.findings.settings)
    units = OverallUnits.from_tasks(scores, found.resampled, question, HERE)
    counts = np.concatenate(list(units.counts()))
    blocks = 1 if method == "double" else 2
    assert counts.shape == (400, sum(SIZES[:blocks]))
    strata = units.strata
    expected = blocks * (3 if stratify else 1)
    assert (1 if strata is None else np.unique(strata).size) == expected

    influence = units.influence()
    assert influence is not None
    moved = scores.evaluate(units.observed) + (counts - 1.0) @ influence
    np.testing.assert_allclose(moved[:, :4], units.replicates.values, atol=1e-7)
    np.testing.assert_allclose(moved, scores.evaluate(units.drawn), atol=1e-7)
    assert moved.shape[1] > 4  # the runs that do not stand for their teams
    # A unit that is left out takes its part with it.
    changes = scores.evaluate(units.observed) - units.jackknife()
    np.testing.assert_allclose(
        np.corrcoef(changes[:250, 4], influence[:250, 4])[0, 1], 1, atol=1e-6
    )


@pytest.mark.parametrize("runs", ["best", "mean"])
def test_uneven_groups_count_for_what_they_are_worth(tmp_path: Path, runs: str) -> None:
    found = overall(write(tmp_path, f"overall: mean\nruns: {runs}\ngroup: user\n", groups=60))
    caution = next(item for item in found.cautions if item.code == "few_groups")
    assert caution.level == "red"
    assert caution.number == pytest.approx(220**2 / (152**2 + 9 * 2**2 + 50), abs=0.1)
    assert (found.standing.studentized, found.standing.studentized_pairs) == ("few_groups", 6)


def test_heavy_tails_are_seen(tmp_path: Path) -> None:
    folder = write(tmp_path, "overall: mean_standardized\nruns: mean\n", absurd=1e6)
    found = overall(folder)
    assert (found.standing.studentized, found.standing.studentized_pairs) == (None, 0)
    assert not any(tied[found.names.index("t3")] for tied in found.standing.tied.values())


def test_few_examples_have_studentized_draws(tmp_path: Path) -> None:
    assert (
        overall(write(tmp_path / "large", "overall: mean\nruns: mean\n")).standing.studentized
        is None
    )
    settings = "overall: mean\nruns: mean\nstudentized: always\n"
    assert overall(write(tmp_path / "asked", settings)).standing.studentized == "always"


OWN = """\
import numpy as np


def error(y_true, y_pred):
    return float(np.mean(np.abs(np.asarray(y_true) - np.asarray(y_pred))))
"""


@pytest.mark.parametrize("resamples", swept([1000, 150]))
def test_estimated_influence_sees_enormous_errors(tmp_path: Path, resamples: int) -> None:
    """A function's values are estimated from the draws of all tasks' units."""
    own = "metrics: [{name: own, function: own.py:error, greater_is_better: false, kind: numbers}]"
    folder = write(
        tmp_path, f"{own}\noverall: mean\nruns: best\nresamples: {resamples}\n", absurd=1e6
    )
    (folder / "ref" / "own.py").write_text(OWN)
    text = (folder / "ref" / "scoring.yaml").read_text().replace("resamples: 400\n", "")
    (folder / "ref" / "scoring.yaml").write_text(text)
    found = overall(folder)
    unknown = [c.number for c in found.cautions if c.code == "unknown_influence"]
    if resamples == 150:
        assert unknown == [217]  # ten times the root of 470 units: two tasks share theirs
        return
    assert unknown == []
    assert not any(tied[found.names.index("t3")] for tied in found.standing.tied.values())


def test_draws_of_tasks_are_put_in_blocks_in_equal_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(overall_units, "_AT_ONCE", 3)
    counts = np.arange(40, dtype=np.uint8).reshape(20, 2)
    rows = np.array([0, 1, 4, 6, 7, 8, 9, 10, 11, 17, 19])
    for places in ([], [1, 2, 9], [8, 9, 10, 19]):
        blocks = list(overall_units._in_blocks(iter(np.split(counts, places)), rows))
        assert [len(block) for block in blocks] == [3, 3, 3, 2]
        np.testing.assert_array_equal(np.concatenate(blocks), counts[rows])
