"""Hidden runs take part in every test: within slices, and in the projection of a mean rank."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

import scoring_program as dh
from tests.competitions import write_csv

#: Right answers of 200 in each of two parts: what a run has, by its name.
Right = Mapping[str, tuple[int, ...]]
EXAMPLES = 200


def guesses(gold: np.ndarray, right: tuple[int, ...], seed: int) -> np.ndarray:
    """Predict labels of which, in each part, so many are right."""
    rng = np.random.default_rng(seed)
    found = 1 - gold
    for part, count in enumerate(right):
        rows = part * EXAMPLES + rng.permutation(EXAMPLES)[:count]
        found[rows] = gold[rows]
    return found


def sliced(folder: Path, runs: Right) -> dict[str, str]:
    """Score runs ``TEAM/run`` with ``runs: best``; return who leads elsewhere, slice → entry."""
    gold = np.arange(2 * EXAMPLES) % 2
    part = np.repeat(["easy", "hard"], EXAMPLES)
    ids = np.arange(gold.size)
    write_csv(folder / "ref" / "gold.csv", {"id": ids, "label": gold, "part": part})
    for seed, (run, right) in enumerate(runs.items()):
        columns = {"id": ids, "label": guesses(gold, right, seed)}
        write_csv(folder / "res" / f"{run}.csv", columns)
    settings = "metrics: [accuracy_score]\nresamples: 999\nruns: best\nslices: [part]\n"
    (folder / "ref" / "scoring.yaml").write_text(settings)
    found = dh.score(folder, None)["accuracy_score"]
    assert found.leader == "L"
    return {row.value: row.other_leader for row in found.slices}


LEADER, RIVAL = (190, 130), (110, 170)  # the leader is the worse of the two in the hard part


@pytest.mark.parametrize(
    ("hidden", "other"),
    [
        ({}, "R"),
        ({"L/second": (110, 168)}, ""),  # the team that leads may be the best there, too
        ({"L/second": (110, 100)}, "R"),
    ],
)
def test_a_slice_has_another_leader_only_if_every_run_is_beaten(
    tmp_path: Path, hidden: Right, other: str
) -> None:
    runs = {"L/first": LEADER, "R/first": RIVAL, "S/first": (100, 100), **hidden}
    assert sliced(tmp_path, runs) == {"easy": "", "hard": other}


def test_a_rivals_hidden_run_leads_a_slice(tmp_path: Path) -> None:
    runs = {"L/first": LEADER, "R/first": (170, 125), "S/first": (100, 100)}
    assert sliced(tmp_path / "one", runs)["hard"] == ""
    assert sliced(tmp_path / "two", {**runs, "R/second": RIVAL})["hard"] == "R"
