"""Near-copies are found, independent entries and refits of one model are not reported."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from scoring_program.audit.label_field import LabelField
from scoring_program.audit.near_copies import near_copies, poisson_binomial_tail

from . import fields


def _names(seed: int, **options: float) -> set[tuple[int, int]]:
    return {copy.entries for copy in near_copies(fields.made(seed, **options))}  # type: ignore[arg-type]


def test_the_tail_is_that_of_the_convolution() -> None:
    p = np.random.default_rng(0).uniform(0, 0.4, 40)
    distribution = np.ones(1)
    for each in p:
        distribution = np.convolve(distribution, [1 - each, each])
    for least in (0, 1, 5, 12, 30, 40):
        tail = poisson_binomial_tail(p, least)
        assert tail == pytest.approx(distribution[least:].sum(), rel=1e-9)


def test_equal_probabilities_give_the_binomial_tail() -> None:
    from scipy.stats import binom

    tail = poisson_binomial_tail(np.full(50, 0.1), 15)
    assert tail == pytest.approx(binom.sf(14, 50, 0.1), rel=1e-9)


@pytest.mark.parametrize("classes", [2, 4])
def test_an_edited_copy_is_found(classes: int) -> None:
    found = [(0, 9) in _names(seed, copies=1, classes=classes) for seed in range(20)]
    assert sum(found) >= 19


def test_independent_entries_are_not_reported() -> None:
    assert sum(bool(_names(seed)) for seed in range(30)) <= 1


def test_runs_of_one_team_are_set_apart() -> None:
    field = fields.made(0, copies=1)
    assert near_copies(field)
    assert not near_copies(field, allowed={(0, 9)})


def test_fewer_than_five_entries_are_not_tested() -> None:
    assert not near_copies(fields.made(0, entries=4, copies=1))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_rates_in_many_fields(seed: int) -> None:
    for classes, entries, examples in ((2, 10, 500), (3, 20, 1000), (5, 40, 500)):
        shape = {"classes": classes, "entries": entries, "examples": examples}
        false = [bool(_names(1000 * seed + draw, **shape)) for draw in range(10)]
        assert sum(false) <= 1
        hits = [
            (0, entries - 1) in _names(1000 * seed + draw, copies=1, **shape) for draw in range(10)
        ]
        assert sum(hits) >= 9


def _refits(seed: int, design: str) -> LabelField:
    """Fit models on bootstrap samples of one training set; each letter of ``design`` is a model."""
    models = {
        "L": LogisticRegression(max_iter=500),
        "F": RandomForestClassifier(30, random_state=0),
        "S": SVC(),
        "K": KNeighborsClassifier(),
        "N": GaussianNB(),
        "T": DecisionTreeClassifier(max_depth=6, random_state=0),
    }
    data, gold = make_classification(
        2000, 20, n_informative=8, n_classes=3, flip_y=0.1, class_sep=0.8, random_state=seed
    )
    rng = np.random.default_rng(seed)
    predictions = []
    for letter in design:
        rows = rng.integers(0, 1000, 1000)
        predictions.append(models[letter].fit(data[rows], gold[rows]).predict(data[1000:]))
    names = [f"{letter}{number}" for number, letter in enumerate(design)]
    return LabelField.of(gold[1000:], predictions, names, [str(row) for row in range(1000)])


@pytest.mark.parametrize("design", ["LLLSKNTT", "SSSSSS", "LFSKNTLSKN"])
def test_refits_of_one_model_are_not_copies(design: str) -> None:
    assert not near_copies(_refits(0, design))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 9))
def test_refits_are_rarely_reported_in_many_fields(seed: int) -> None:
    for design in ("LLLLLLLLLL", "FFFFFLSKNT", "LLLFSKNTTT", "LFSKNTLFSKNT"):
        assert not near_copies(_refits(seed, design)), design
