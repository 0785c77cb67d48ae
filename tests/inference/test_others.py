"""The same questions put to other programs: what they answer, and where and why we differ.

SciPy's paired permutation test is exact on few examples, and its `dunnett` compares independent
samples. CompStats 0.1.15 (Nava-Muñoz, Graff and Escalante) is run on its own test data where it is
installed (``pip install CompStats``). challengeR and statsmodels are met in
`test_ranking_schemes` and `test_corrections`, and SciPy's `bootstrap` in `test_intervals`.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import f1_score

import scoring_program as dh
from scoring_program.inference.step_down import against_reference
from tests.competitions import Folder
from tests.simulations.simulate import pairs_of, resample_means


def test_scipys_permutation_test_of_the_same_swaps(folder: Folder) -> None:
    """Fisher's test swaps predictions; SciPy flips the signs of the paired differences.

    Both draw swaps at random and count (1 + #)/(B + 1), so they agree to five Monte Carlo standard
    errors. SciPy doubles the smaller one-sided p-value, and we count |differences|: the same, since
    the distribution under swaps is symmetric.
    """
    folder.write("metrics: [accuracy_score]\ntests: [randomization]\n")
    assert folder.run() == 0
    gold = np.array(folder.labels)
    right = {name: np.array(labels) == gold for name, labels in folder.teams.items()}
    (metric,) = folder.results()["metrics"]
    for entry in metric["entries"][1:]:
        difference = right[metric["leader"]].astype(float) - right[entry["entry"]]
        expected = stats.permutation_test(
            (difference,),
            np.mean,
            permutation_type="samples",
            n_resamples=9999,
            random_state=np.random.default_rng(1),
        ).pvalue
        found = entry["difference"]["randomization_two_sided"]
        error = np.sqrt(2 * expected * (1 - expected) / 9999)
        assert found == pytest.approx(expected, abs=5 * error)


def test_scipys_dunnett_of_independent_entries() -> None:
    """Algorithm A is Dunnett's test without its assumption of equal variances in normal samples.

    Each entry has examples of its own here, which is Dunnett's case: the largest |T| of three
    comparisons with one control. SciPy pools the variances; with equal ones both agree.
    """
    rng = np.random.default_rng(7)
    n = 2000
    units = rng.normal(np.array([0.0, 0.02, 0.06, 0.1]), size=(n, 4))
    generator = np.random.default_rng(0)
    expected = stats.dunnett(*units.T[1:], control=units[:, 0], random_state=generator).pvalue
    _, draws = pairs_of(units.mean(axis=0), resample_means(rng, units, 20_000), n)
    found = against_reference(draws, 0, np.arange(1, 4))
    # Step-down: equal for the largest difference, never larger for the others.
    largest = int(np.argmin(expected))
    assert found[largest] == pytest.approx(expected[largest], abs=0.01)
    assert (found <= expected + 0.02).all()


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path, n=150)


@pytest.mark.skipif(importlib.util.find_spec("CompStats") is None, reason="needs CompStats")
def test_compstats_on_its_own_test_data() -> None:
    """Scores, standard errors and p-values of CompStats, from the rows that each draws itself.

    CompStats counts #/B, draws 500 resamples by default and tests one difference at a time; we
    count (1 + #)/(B + 1) and shift by the observed difference, so p-values agree only roughly.
    """
    import CompStats
    import pandas as pd
    from CompStats.measurements import difference_p_value
    from CompStats.performance import difference, performance

    data = pd.read_csv(Path(CompStats.__file__).parent / "tests" / "data.csv")

    def weighted(y: object, hy: object) -> float:
        return float(f1_score(y, hy, average="weighted"))

    theirs = performance(data, score=weighted, num_samples=500)
    p_values = difference_p_value(difference(theirs))
    predictions = {name: data[name] for name in data.columns if name != "y"}
    ours = dh.compare(data["y"], predictions, metrics={"f1_score": {"average": "weighted"}})
    metric = next(iter(ours.values()))
    for row in metric.ranking:
        assert row.score == pytest.approx(weighted(data["y"], data[row.entry]), abs=1e-12)
        assert row.standard_error == pytest.approx(theirs.calls[row.entry].std(ddof=1), rel=0.2)
    for difference_row in metric.differences:
        assert difference_row.p_one_sided == pytest.approx(p_values[difference_row.entry], abs=0.1)
