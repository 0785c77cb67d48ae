"""Folds of a cross-validation: no confidence unless it is stated how they came about."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import scoring_program as deadheat
from scoring_program.core.folds import Folds
from scoring_program.inference.normal import NormalDraws
from scoring_program.recognize.tables_of_scores.score_names import names_folds, names_runs
from tests.competitions import Folder

ROWS = 50
NOT_STATED = "Folds share training data, so no confidence follows from them"


def scores(rows: int = ROWS, ahead: float = 0.1, seed: int = 0) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    fold = 0.02 * rng.normal(size=rows)
    return {
        name: 0.7 + ahead * k + fold + 0.05 * rng.normal(size=rows)
        for k, name in enumerate(["low", "middle", "high"])
    }


def table(column: str, rows: int = ROWS) -> pd.DataFrame:
    named = pd.DataFrame(scores(rows))
    named.insert(0, column, [f"f{row}" for row in range(rows)])
    return named


@pytest.mark.parametrize(
    ("column", "is_fold"),
    [
        *((name, True) for name in ("fold", "cv_fold", "Split", "repeat", "cv", "outer iteration")),
        *((name, False) for name in ("query", "folder", "scaffold", "seed", "run", "cvs_file")),
    ],
)
def test_units_are_folds_by_a_word_of_their_name(column: str, is_fold: bool) -> None:
    assert names_folds(column) == is_fold


@pytest.mark.parametrize(
    ("column", "are_runs"),
    [
        *((name, True) for name in ("seed", "Run", "seed_id")),
        *((n, False) for n in ("query", "runtime")),
    ],
)
def test_units_called_seed_or_run_speak_of_this_test_set(column: str, are_runs: bool) -> None:
    assert names_runs(column) == are_runs
    found = deadheat.compare_scores(
        table(column), greater_is_better=True, unit=column, resamples=400
    )
    page = found.to_html()
    assert found.record["confidence"] == 0.95
    assert ("with other seeds, on this test set only" in page) == are_runs
    assert ("on more such units, not for retrained systems" in page) == (not are_runs)


@pytest.mark.parametrize("column", ["fold", "query"])
def test_folds_get_no_confidence_by_default(column: str) -> None:
    found = deadheat.compare_scores(
        table(column), greater_is_better=True, unit=column, resamples=400
    )
    record = found.to_dict()["metrics"][0]
    verdict = record["verdict"]
    said = [one for one in found.warnings if one.code == "folds"]
    assert record["leader"] == "high"
    if column == "query":
        assert verdict["verified"] == "high"
        assert not said
        return
    assert verdict["withdrawn_because"] == "folds"
    assert verdict["confidence"] is None
    assert verdict["verified"] is None
    assert verdict["leader_corrected"]["ci"] is None
    assert verdict["possible_winners"] == ["high"], "the order and the set are shown"
    assert said[0].message.startswith(NOT_STATED)
    assert said[0].level == "red"


def test_folds_that_are_independent_keep_their_confidence() -> None:
    found = deadheat.compare_scores(
        table("fold"), greater_is_better=True, folds="none", resamples=400
    )
    assert found.verified == "high"
    assert not [one for one in found.warnings if one.code == "folds"]


def test_an_array_has_no_name_and_is_not_asked() -> None:
    found = deadheat.compare_scores(scores(), greater_is_better=True, resamples=400)
    assert not [one for one in found.warnings if one.code == "folds"]


@pytest.mark.parametrize(
    ("stated", "factor", "freedom"),
    [
        ({"repeats": 5, "folds": 10}, 1 / 50 + 1 / 9, 9),
        ({"splits": 50, "test_share": 0.2}, 1 / 50 + 0.2 / 0.8, 4),
    ],
)
def test_stated_folds_have_the_variance_of_nadeau_and_bengio(
    stated: dict[str, Any], factor: float, freedom: int
) -> None:
    """T of two learners is that of the corrected resampled t-test, by its formula."""
    own = scores()
    found = NormalDraws.of_folds(np.column_stack(list(own.values())), Folds(**stated))
    difference = own["high"] - own["middle"]
    error = np.sqrt(factor * difference.var(ddof=1))
    assert found.errors[2, 1] == pytest.approx(error)
    assert (found.freedom == freedom).all()
    # Through the whole program: corrected p-values of two learners are those of the t-test.
    pair = {name: own[name] for name in ("middle", "high")}
    compared = deadheat.compare_scores(
        pair, greater_is_better=True, folds=stated, tie_rule="holm", resamples=4000
    )
    (record,) = compared.to_dict()["metrics"][0]["pairs"]
    expected = stats.t.sf(difference.mean() / error, freedom)
    assert record["p_adjusted"]["leader"]["holm"] == pytest.approx(expected)
    assert record["standard_error"] == pytest.approx(error, rel=0.05)
    low, high = record["ci"]
    half = stats.t.isf(0.025, freedom) * error
    assert high - low == pytest.approx(2 * half)


@pytest.mark.parametrize(("repeats", "folds"), [(1, 10), (2, 5), (5, 10)])
def test_baycomp_gives_the_same_difference_and_variance(repeats: int, folds: int) -> None:
    """Its degrees of freedom are more: rk − 1, with which a best learner is lost more often."""
    single = pytest.importorskip("baycomp.single", reason="needs baycomp")
    of_folds = scores(repeats * folds)
    theirs = single.CorrelatedTTest(of_folds["middle"], of_folds["high"], runs=repeats)
    ours = NormalDraws.of_folds(
        np.column_stack(list(of_folds.values())), Folds(repeats=repeats, folds=folds)
    )
    means = {name: values.mean() for name, values in of_folds.items()}
    assert means["high"] - means["middle"] == pytest.approx(theirs.mean, abs=1e-12)
    assert ours.variances[2, 1] == pytest.approx(theirs.var, rel=1e-9)
    assert theirs.df == repeats * folds - 1
    assert ours.freedom[2, 1] == folds - 1


def test_the_page_and_the_paragraph_speak_of_normal_draws() -> None:
    found = deadheat.compare_scores(
        scores(), greater_is_better=True, folds={"repeats": 5, "folds": 10}, resamples=400
    )
    page = found.to_html()
    assert "are folds of a cross-validation (repeats: 5, folds: 10)" in page
    assert "400 normal draws that allow for the training data that folds share" in page
    assert "plus or minus its standard error times the quantile of the t distribution" in page
    assert "The paired bootstrap measures uncertainty" not in page
    assert "bootstrap resamples of the" not in page


@pytest.mark.parametrize(("ahead", "verified"), [(2.0, False), (2.5, True)])
def test_a_winner_is_verified_by_the_t_distribution(ahead: float, verified: bool) -> None:
    """Two-sided, with k − 1 = 9 degrees of freedom: 2.26 standard errors are needed."""
    rng = np.random.default_rng(3)
    noise = rng.normal(size=100)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    error = np.sqrt(1 / 100 + 1 / 9)
    pair = {"A": ahead * error + noise + 5.0, "B": np.full(100, 5.0)}
    found = deadheat.compare_scores(
        pair, greater_is_better=True, folds={"repeats": 10, "folds": 10}, resamples=20_000
    )
    assert (found.verified == "A") == verified


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ("folds: {repeats: 10, folds: 5}", "needs 50 scores of each system, but systems.csv holds"),
        ("folds: {repeats: 5, folds: 2}", "expected at least 5 folds; .*; found"),
        ("folds: {splits: 10, test_share: 0.1}", "expected at least 20 splits; .*; found"),
        ("folds: {splits: 10}", r"expected \{repeats: r, folds: k\}, .* or none; found"),
        ("folds: 10", r"expected \{repeats: r, folds: k\}, .* or none; found 10"),
        ("folds: {repeats: 2, folds: 10}\ngroup: site", "remove 'group', or 'folds'"),
        ("folds: {repeats: 2, folds: 10}\nmetrics: [median_score]", "'median_score' is none"),
    ],
)
def test_folds_that_are_not_those_of_the_table_are_refused(
    settings: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Folder(tmp_path)
    folder.settings(f"greater_is_better: true\nresamples: 200\n{settings}\n")
    (folder.input / "res").mkdir(parents=True)
    rows = table("fold", 20)
    if "group" in settings:
        rows["site"] = [f"s{row % 4}" for row in range(20)]
    rows.to_csv(folder.input / "res" / "systems.csv", index=False)
    assert folder.run() == 2
    assert re.search(says, capsys.readouterr().err)
