"""The same questions put to other programs: what they answer, and where and why we differ.

SciPy's paired permutation test is exact on few examples, and its `dunnett` compares independent
samples. CompStats 0.1.15 (Nava-Muñoz, Graff and Escalante) is run on its own test data where it is
installed (``pip install CompStats``). Results of the R packages csranks and multcomp are stored in
the folder ``others`` beside the script that makes them. challengeR and statsmodels are met in
`test_ranking_schemes` and `test_corrections`, and SciPy's `bootstrap` in `test_intervals`.
"""

from __future__ import annotations

import csv
import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import f1_score

import scoring_program as dh
from scoring_program.inference import MetricScores, analyze
from scoring_program.inference.comparing.step_down import against_reference
from scoring_program.inference.evidence import Evidence
from tests.arrays import made_replicates
from tests.competitions import Folder
from tests.simulations.simulate import MEAN, pairs_of, resample_means

OTHERS = Path(__file__).with_name("others")


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


def rows_of(name: str) -> list[dict[str, str]]:
    with (OTHERS / name).open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def column(rows: Sequence[Mapping[str, str]], name: str) -> np.ndarray:
    return np.array([float(row[name]) for row in rows])


def of_independent_normals(
    names: list[str], scores: np.ndarray, errors: np.ndarray, units: int
) -> Evidence:
    """Analyze scores [m] with replicates that are normal with standard errors [m]."""
    rng = np.random.default_rng(1)
    values = made_replicates(scores + errors * rng.normal(size=(20_000, scores.size)))
    return analyze(MetricScores(MEAN, names, scores, values, n=units))


#: PISA samples thousands of students in a country: the t distribution is the normal one.
STUDENTS = 5000


@pytest.fixture(scope="module")
def pisa() -> tuple[list[dict[str, str]], Evidence]:
    """The example of csranks: 38 countries, and our evidence of the scores and standard errors."""
    rows = rows_of("pisa.csv")
    names = [row["country"] for row in rows]
    return rows, of_independent_normals(names, column(rows, "score"), column(rows, "se"), STUDENTS)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        # simul = FALSE with cstype = "lower" and "upper": our rank ranges, each end at 95%.
        ("low", "rank_low"),
        ("high", "rank_high"),
        # simul = TRUE, two-sided: our joint rank sets.
        ("joint_low", "joint_low"),
        ("joint_high", "joint_high"),
    ],
)
def test_rank_ranges_are_those_of_csranks(
    pisa: tuple[list[dict[str, str]], Evidence], theirs: str, ours: str
) -> None:
    """The authors of the method, on their example, by normal draws of their own.

    csranks draws anew at every step, and we draw once, so that the two, like two seeds of either,
    differ by one rank at a few of the ends that are close to their critical values.
    """
    rows, evidence = pisa
    apart = np.abs(getattr(evidence.standing, ours) - column(rows, theirs))
    assert apart.max() <= 1
    assert np.count_nonzero(apart) <= 2


def test_two_sided_sets_of_csranks_are_wider(
    pisa: tuple[list[dict[str, str]], Evidence],
) -> None:
    """Its default holds with both ends at once, so its ends are tested at a smaller level.

    The United Kingdom, the example of its vignette, has ranks 8 to 23 of 38 either way; Slovenia
    has 5 to 16, and with each end at 95% 5 to 13.
    """
    rows, evidence = pisa
    assert (column(rows, "two_sided_low") <= evidence.standing.rank_low).all()
    assert (column(rows, "two_sided_high") >= evidence.standing.rank_high).all()
    wider = column(rows, "two_sided_high") - column(rows, "two_sided_low")
    ours = evidence.standing.rank_high - evidence.standing.rank_low
    assert 1.02 * ours.sum() < wider.sum() < 1.2 * ours.sum()


def test_the_possible_winners_of_csranks(
    pisa: tuple[list[dict[str, str]], Evidence],
) -> None:
    """Its `cstaubest` with tau = 1 keeps all best ones at once; `max_t` keeps any given one."""
    rows, evidence = pisa
    at_once = {row["country"] for row in rows if row["joint_low"] == "1"}
    kept = {rows[i]["country"] for i in np.flatnonzero(evidence.verdict.possible_winners)}
    assert kept == {"Japan", "Korea", "Estonia", "Netherlands"}
    assert at_once == kept | {"Poland", "Switzerland"}


@pytest.mark.parametrize("example", ["paint", "cholesterol", "recovery"])
def test_distances_from_the_best_are_those_of_multcomp(example: str) -> None:
    """Hsu's multiple comparisons with the best, of independent groups of different sizes.

    multcomp takes quantiles of the multivariate t distribution, and we map those of the normal one
    to Student's: distances differ by 1%. Its standard errors divide by the degrees of freedom,
    those of a bootstrap by the number of units, which is one more here.
    """
    rows = [row for row in rows_of("treatments.csv") if row["example"] == example]
    units = 1 + int(rows[0]["df"])
    errors = column(rows, "sd") / np.sqrt(column(rows, "size")) * np.sqrt((units - 1) / units)
    names = [row["group"] for row in rows]
    evidence = of_independent_normals(names, column(rows, "mean"), errors, units)
    assert evidence.verdict.possible_winners.tolist() == [row["kept"] == "TRUE" for row in rows]
    assert evidence.distances.from_best == pytest.approx(
        column(rows, "distance"), rel=0.01, abs=0.05
    )


def test_distances_from_the_best_are_those_that_minitab_prints() -> None:
    """Its example of paint hardness: Blend 2 is 0 to 14.5000 below the best, Blend 3 to 10.0833."""
    found = {r["group"]: float(r["distance"]) for r in rows_of("treatments.csv")}
    assert found["Blend 2"] == pytest.approx(14.5, abs=0.002)
    assert found["Blend 3"] == pytest.approx(10.0833, abs=0.002)


def test_the_step_down_test_against_a_reference_is_that_of_multcomp() -> None:
    """`adjusted("free")`, of three blankets against the first one (Westfall's step-down max-T).

    multcomp prints .192, .00012 and .127, and .456, .00012 and .182 for the single step (Dunnett's
    test), where only the largest difference has the same p-value. The first blanket is the worst:
    the entries are better than the reference.
    """
    rows = [row for row in rows_of("treatments.csv") if row["example"] == "recovery"]
    units = 1 + int(rows[0]["df"])
    errors = column(rows, "sd") / np.sqrt(column(rows, "size")) * np.sqrt((units - 1) / units)
    rng = np.random.default_rng(1)
    scores = column(rows, "mean")
    _, draws = pairs_of(scores, scores + errors * rng.normal(size=(200_000, len(rows))), units)
    found = against_reference(draws, 0, np.arange(1, 4))
    assert found == pytest.approx([0.1916, 0.0001, 0.1273], abs=0.003)


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
