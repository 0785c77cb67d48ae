"""Influence values that are estimated from the resamples' draws, without a call of the metric."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scoring_program as dh
from scoring_program.bootstrap.design import draw_counts
from scoring_program.data.source import read_input
from scoring_program.inference import MetricScores, analyze
from scoring_program.inference.basis import Basis
from scoring_program.inference.comparing.comparisons import UnitInfluence, needed_resamples
from scoring_program.inference.comparing.studentized import resampled_errors
from scoring_program.inference.evidence import Question
from scoring_program.pipeline import evaluate
from tests.arrays import made_metric, made_replicates
from tests.competitions import told, write_csv

MAE = made_metric("mae", kind="numbers", greater_is_better=False, ideal=0.0, high=np.inf)
N, B = 2000, 1000
ENORMOUS = 5


def errors_of(seed: int = 2) -> np.ndarray:
    """Absolute errors [N, 6]: equal entries, and one that guesses and has an enormous error."""
    rng = np.random.default_rng(seed)
    made = np.abs(rng.normal(size=(N, 6)))
    made[:, 3] = made[:, 0]
    made[:, 4] = made[:, 1] + 0.01 * rng.normal(size=N)
    made[:, ENORMOUS] *= 5
    made[0, ENORMOUS] = 1e6
    return made


def scores(errors: np.ndarray, resamples: int = B, **changes: Any) -> MetricScores:
    """Return mean errors whose influence values take too long."""
    counts = draw_counts(np.random.default_rng(3), len(errors), resamples)
    found = MetricScores(
        MAE,
        [f"{i}" for i in range(errors.shape[1])],
        errors.mean(axis=0),
        made_replicates(counts @ errors / len(errors)),
        n=len(errors),
        influence=lambda: None,
        counts=lambda: iter(np.split(counts, [resamples // 3])),
    )
    return replace(found, **changes)


def known(errors: np.ndarray, **changes: Any) -> MetricScores:
    """Return the same scores, with influence values."""
    values = (errors - errors.mean(axis=0)) / len(errors)
    return scores(errors, influence=lambda: values, **changes)


def influence(made: MetricScores) -> UnitInfluence:
    found = Basis.from_scores(made, Question()).influence
    assert found is not None
    return found


def test_they_are_the_exact_values_and_noise_of_known_size() -> None:
    errors = errors_of()[:, :3]
    exact, found = influence(known(errors)), influence(scores(errors))
    assert (exact.noise, found.noise) == (0, N / (N + B))
    np.testing.assert_allclose(found.values.mean(axis=0), 0, atol=1e-15)
    expected = errors.std(axis=0) / np.sqrt(N) / np.sqrt(B)
    np.testing.assert_allclose((found.values - exact.values).std(axis=0), expected, rtol=0.1)
    squares = np.square(found.values).sum(axis=0) * (1 - found.noise)
    np.testing.assert_allclose(squares, np.square(exact.values).sum(axis=0), rtol=0.15)


def test_equal_entries_have_equal_values_in_any_order() -> None:
    errors = errors_of()
    found = influence(scores(errors)).values
    np.testing.assert_array_equal(found[:, 3], found[:, 0])
    order = [4, 0, 5, 3, 1, 2]
    moved = influence(scores(errors[:, order])).values
    np.testing.assert_array_equal(moved, found[:, order])


def test_tails_are_freed_from_the_noise() -> None:
    errors = errors_of()
    expected, found = (influence(made) for made in (known(errors), scores(errors)))
    np.testing.assert_array_equal(found.heavy, expected.heavy)
    assert found.heavy[ENORMOUS].sum() == 5
    for own, known_one, atol in zip(found.tails, expected.tails, (0.03, 0.01), strict=True):
        np.testing.assert_allclose(own, known_one, rtol=0.15, atol=atol)


def test_standard_errors_on_resamples_are_freed_from_the_noise() -> None:
    errors = errors_of()[:, [0, 1, 2, ENORMOUS]]
    ratios = []
    for made in (known(errors), scores(errors)):
        basis = Basis.from_scores(made, Question(studentized="always"))
        rows = basis.bootstrap.replicates
        plain = np.std(rows[:, None] - rows[None], axis=2, ddof=1)
        found = resampled_errors(basis, plain)
        assert found is not None
        np.testing.assert_allclose(found.errors, plain, rtol=0.1)
        ratios.append(found.ratios(found.row[np.triu_indices(4, 1)], slice(0, 300)))
    difference = ratios[1] - ratios[0]
    np.testing.assert_array_less(np.sqrt(np.square(difference).mean(axis=1)), 0.12)
    np.testing.assert_array_less(np.abs(difference.mean(axis=1)), 0.03)


def test_the_rules_act_as_with_exact_values() -> None:
    errors = errors_of()
    expected, found = (analyze(made, Question()) for made in (known(errors), scores(errors)))
    np.testing.assert_array_equal(found.standing.rank_low, expected.standing.rank_low)
    for rule, tied in expected.standing.tied.items():
        np.testing.assert_array_equal(found.standing.tied[rule], tied)
        assert not found.standing.tied[rule][ENORMOUS]
    assert [c.code for c in found.cautions] == [c.code for c in expected.cautions]


def unknown(made: MetricScores, **settings: Any) -> list[tuple[str, float]]:
    found = analyze(made, Question(**settings)).cautions
    return [(c.level, c.number) for c in found if c.code == "unknown_influence"]


def test_too_few_resamples_are_a_serious_caution() -> None:
    """√2000 / 0.1 = 447.2 resamples are needed."""
    assert needed_resamples(N) == 448
    errors = errors_of()
    assert unknown(scores(errors, resamples=447)) == [("red", 448)]
    assert unknown(scores(errors, resamples=447), studentized="never") == [("red", 448)]
    assert unknown(scores(errors, resamples=448)) == []
    assert unknown(known(errors, resamples=447)) == []
    assert unknown(scores(errors[:, :1], resamples=447)) == []
    found = analyze(scores(errors, resamples=447), Question())
    assert found.standing.tied["max_t"][ENORMOUS]
    (caution,) = (c for c in found.cautions if c.code == "unknown_influence")
    assert "Use at least 448 resamples" in told([caution.sentence])[0]


def test_quantiles_have_none_because_the_method_says_so() -> None:
    made = scores(errors_of(), smooth=False)
    assert Basis.from_scores(made, Question()).influence is None
    assert unknown(replace(made, smooth=False)) == []


METRIC = """\
import os

import numpy as np

log = os.open({count!r}, os.O_CREAT | os.O_APPEND | os.O_WRONLY)


def error(y_true, y_pred):
    os.write(log, b".")
    return float(np.mean(np.abs(np.asarray(y_true) - np.asarray(y_pred))))
"""


def write(folder: Path, n: int, settings: str, *, enormous: bool = True) -> Path:
    """Write four entries and an organizer's function, whose calls a file counts: return it.

    The last entry guesses, and may have an enormous error.
    """
    rng = np.random.default_rng(6)
    gold = rng.normal(size=n)
    write_csv(folder / "ref" / "gold.csv", {"id": range(n), "label": gold.tolist()})
    for entry in range(4):
        predicted = gold + rng.normal(size=n) * (1.0 if entry < 3 else 5.0)
        predicted[7] += 1e6 * (enormous and entry == 3)
        columns = {"id": range(n), "label": predicted.tolist()}
        write_csv(folder / "res" / f"t{entry}.csv", columns)
    count = folder / "calls"
    (folder / "ref" / "own.py").write_text(METRIC.format(count=str(count)))
    (folder / "ref" / "scoring.yaml").write_text(
        "metrics: [{name: own, function: own.py:error, greater_is_better: false, kind: numbers}]\n"
        f"workers: 1\n{settings}"
    )
    return count


@pytest.mark.parametrize(
    ("n", "settings", "jackknife", "reason"),
    [
        (120, "", 120, "few_units"),  # however few resamples there are
        (60, "resamples: 300", 60, "few_units"),
        (220, "resamples: 1100", 220, None),  # a fifth of the bootstrap's time
        (221, "resamples: 1100", 0, None),
        (221, "resamples: 1100\ntime_budget: 600", 0, None),
        (120, "time_budget: 600", 0, "few_units"),  # which the resamples alone spend
        (221, "studentized: always", 221, "always"),
    ],
)
def test_a_function_is_called_for_them_only_where_that_takes_little(
    tmp_path: Path, n: int, settings: str, jackknife: int, reason: str | None
) -> None:
    resamples = 1100 if "resamples: 1100" in settings else 300
    if "resamples" not in settings:
        settings += "\nresamples: 300"
    count = write(tmp_path, n, settings)
    (found,) = evaluate(*read_input(tmp_path, lambda loaded: loaded)).findings.evidence
    # It is called three times on the whole test set, once in another order.
    assert len(count.read_bytes()) == 4 * (3 + resamples + jackknife)
    assert found.standing.studentized == reason
    assert not any(tied[3] for tied in found.standing.tied.values())
    assert "unknown_influence" not in [c.code for c in found.cautions]


def test_the_page_promises_no_confidence_where_the_rules_cannot_act(tmp_path: Path) -> None:
    """149 resamples, of 221 units: the function gets no jackknife, and they tell too little."""
    for resamples, promised in ((148, False), (1100, True)):
        folder = tmp_path / str(resamples)
        write(folder, 221, f"resamples: {resamples}\n", enormous=False)
        dh.score(folder, folder / "out")
        page = (folder / "out" / "detailed_results.html").read_text(encoding="utf-8")
        assert ("It keeps any given truly best entry" in page) == promised
        assert ("149 resamples" in page) == (not promised)
