"""Ties by mean rank: enormous errors buy none, and the draws are studentized by the rule."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from scoring_program.data.source import read_input
from scoring_program.inference.evidence import PROJECTION, Evidence
from scoring_program.pipeline import evaluate
from tests.competitions import write_csv
from tests.inference.never_contradict import never_contradicts

TASKS, N = 2, 250


#: How large the errors of each entry are, in every task or in each.
Errors = dict[str, float | tuple[float, float]]


def write(
    folder: Path, errors: Errors, absurd: str = "", tasks: Sequence[int] = (0, 1), n: int = N
) -> Path:
    """Write tasks of numbers, with a cell of a million in the ``absurd`` entry's ``tasks``."""
    rng = np.random.default_rng(11)
    for number in range(TASKS):
        ids, gold = range(n), rng.normal(size=n)
        users = (np.arange(n) % 40).tolist()
        columns = {"id": ids, "label": gold.tolist(), "user": users}
        write_csv(folder / "ref" / f"task{number}.csv", columns)
        for name, sizes in errors.items():
            size = sizes[number] if isinstance(sizes, tuple) else sizes
            values = gold + size * rng.normal(size=n)
            values[7] += 1e6 * (name == absurd and number in tasks)
            own = {"id": ids, "label": values.tolist()}
            write_csv(folder / "res" / name / f"task{number}.csv", own)
    return folder


def of(folder: Path, settings: str = "") -> tuple[Evidence, ...]:
    """Return the evidence: that of the mean rank, and those of the tasks."""
    own = f"metrics: [mean_absolute_error]\noverall: mean_rank\n{settings}\n"
    if "resamples" not in settings:
        own += "resamples: 999\n"
    (folder / "ref" / "scoring.yaml").write_text(own)
    found = evaluate(*read_input(folder, lambda loaded: loaded)).findings.evidence
    assert found[0].standing.rule == PROJECTION
    return found


TEAMS: Errors = {"A": 1.0, "B": 1.05, "C": 2.0, "X": 5.0}


def test_an_enormous_error_buys_no_tie(tmp_path: Path) -> None:
    overall, *tasks = of(write(tmp_path, TEAMS, absurd="X"))
    last = overall.names.index("X")
    assert overall.scores.rank[last] == 4
    for found in (overall, *tasks):
        assert not found.verdict.possible_winners[last]
        assert found.standing.rank_low[last] == (2 if found is overall else 4)
    assert overall.standing.rank_low[:3].max() <= 2
    assert overall.standing.ranges_are_open
    assert not [one for one in overall.cautions if one.code == "enormous_errors"]


@pytest.mark.parametrize("runs", ["all", "best"])
def test_no_run_buys_a_tie_for_its_team(tmp_path: Path, runs: str) -> None:
    entries: Errors = {"A/1": 1.0, "B/1": 1.05, "C/1": 2.0, "C/2": 5.0}
    overall = of(write(tmp_path, entries, absurd="C/2"), f"runs: {runs}")[0]
    assert overall.verdict.possible_winners.tolist() == [
        True,
        True,
        *[False] * (len(overall.names) - 2),
    ]
    assert (len(overall.names) == 3) == (runs == "best")


def test_a_baseline_is_tied_with_nobody(tmp_path: Path) -> None:
    """It cannot win, whatever its mean rank."""
    found = of(write(tmp_path, {"A": 1.0, "B": 1.05, "Base": 1.0}), "baselines: [Base]")
    overall, base = found[0], found[0].names.index("Base")
    for evidence in found:
        never_contradicts(evidence)
    assert overall.scores.baselines == (base,)
    assert not overall.verdict.possible_winners[base]
    assert not overall.tied_with_reference[base]


def test_too_few_resamples_for_all_tasks_are_said(tmp_path: Path) -> None:
    """Two tasks need twice as many as one: 2·2·(4 − 1)/.05, instead of 2·(4 − 1)/.05."""
    folder = write(tmp_path, TEAMS, absurd="X")
    overall, *tasks = of(folder, "resamples: 239")
    (caution,) = (one for one in overall.cautions if one.code == "enormous_errors")
    assert (caution.level, caution.number, caution.sentence.values["resamples"]) == (
        "amber",
        240,
        239,
    )
    assert not [one for found in tasks for one in found.cautions if one.code == "enormous_errors"]
    assert overall.verdict.possible_winners[3]
    overall = of(folder, "resamples: 240")[0]
    assert not [one for one in overall.cautions if one.code == "enormous_errors"]
    assert not overall.verdict.possible_winners[3]


@pytest.mark.parametrize(
    ("n", "settings", "reason"),
    [
        (N, "", None),
        (N, "studentized: always", "always"),
        (60, "", "few_units"),
        (60, "studentized: never", None),
        (N, "group: user", "few_groups"),
    ],
)
def test_the_tests_of_the_tasks_are_studentized_by_the_same_rule(
    tmp_path: Path, n: int, settings: str, reason: str | None
) -> None:
    overall, *tasks = of(write(tmp_path, TEAMS, n=n), settings)
    assert {found.standing.studentized for found in (overall, *tasks)} == {reason}
    assert overall.standing.studentized_pairs == sum(
        found.standing.studentized_pairs for found in tasks
    )
    assert overall.standing.studentized_pairs == (0 if reason is None else TASKS * 6)


def test_single_pairs_with_heavy_tails_are_not_studentized(tmp_path: Path) -> None:
    """They are in no family: rule D′ judges them."""
    for found in of(write(tmp_path, TEAMS, absurd="X")):
        assert (found.standing.studentized, found.standing.studentized_pairs) == (None, 0)


def test_few_groups_show_less(tmp_path: Path) -> None:
    """Plain draws of forty groups would separate more than studentized ones."""
    folder = write(tmp_path, {"A": 1.0, "B": 1.22, "C": 1.25, "D": 1.28})
    plain = of(folder, "group: user\nstudentized: never")[0].standing.better
    studentized = of(folder, "group: user")[0].standing.better
    assert studentized.sum() < plain.sum()
    assert not (studentized & ~plain).any()


OWN = """\
import numpy as np


def error(y_true, y_pred):
    return float(np.mean(np.abs(np.asarray(y_true) - np.asarray(y_pred))))
"""


@pytest.mark.parametrize("resamples", [150, 600])
def test_influence_that_no_resample_tells_is_a_serious_caution(
    tmp_path: Path, resamples: int
) -> None:
    """Of 250 units, 159 resamples are needed; functions that are called get no jackknife."""
    folder = write(tmp_path, TEAMS, absurd="X")
    (folder / "ref" / "own.py").write_text(OWN)
    metric = "{name: own, function: own.py:error, greater_is_better: false, kind: numbers}"
    (folder / "ref" / "scoring.yaml").write_text(
        f"metrics: [{metric}]\noverall: mean_rank\nresamples: {resamples}\n"
    )
    found = evaluate(*read_input(folder, lambda loaded: loaded)).findings.evidence[0]
    last = found.names.index("X")
    cautions = [(c.level, c.code, c.number) for c in found.cautions]
    assert found.verdict.possible_winners[last] == (resamples == 150)
    assert (cautions[0] == ("red", "unknown_influence", 159)) == (resamples == 150)
