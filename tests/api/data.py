"""Arrays of predictions for the tests of the API."""

from __future__ import annotations

import csv
from typing import Any

import numpy as np

from tests.competitions import EXAMPLE

Arrays = dict[str, np.ndarray[Any, Any]]
N = 90


def labels(classes: int = 3) -> tuple[np.ndarray[Any, Any], Arrays]:
    """Return whole-number labels [N] and the labels that two systems predict."""
    rng = np.random.default_rng(7)
    y_true = np.arange(N) % classes
    wrong = {"A": 0.15, "B": 0.35}
    noise = rng.integers(0, classes, N)
    return y_true, {
        name: np.where(rng.random(N) < share, noise, y_true) for name, share in wrong.items()
    }


def probabilities(classes: int = 3) -> tuple[np.ndarray[Any, Any], Arrays]:
    """Return labels [N] and the probabilities [N, classes] that two systems predict."""
    rng = np.random.default_rng(8)
    y_true = np.arange(N) % classes
    sure = {"A": 0.3, "B": 0.2}
    return y_true, {
        name: share * np.eye(classes)[y_true] + (1 - share) * rng.dirichlet(np.ones(classes), N)
        for name, share in sure.items()
    }


def numbers() -> tuple[np.ndarray[Any, Any], Arrays]:
    """Return positive numbers [N] and the numbers that two systems predict."""
    rng = np.random.default_rng(9)
    y_true = 1 + 5 * rng.random(N)
    return y_true, {
        name: y_true + spread * rng.random(N) for name, spread in {"A": 0.5, "B": 1.0}.items()
    }


def example() -> tuple[list[str], dict[str, list[str]]]:
    """Return the example's labels and the predictions of its teams, in the gold's order."""
    gold = _column(EXAMPLE / "ref" / "gold.csv")
    teams = {
        path.parent.name: _column(path) for path in sorted(EXAMPLE.glob("res/*/predictions.csv"))
    }
    return list(gold.values()), {
        team: [given[example] for example in gold] for team, given in teams.items()
    }


def _column(path: Any) -> dict[str, str]:
    with path.open(encoding="utf-8", newline="") as stream:
        return {row["id"]: row["label"] for row in csv.DictReader(stream)}
