"""Of how many rows a score is the share: what Wilson's interval is made from."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from scoring_program.metrics import resolve
from scoring_program.metrics.metric import Data
from scoring_program.scoring.bind import bind
from scoring_program.scoring.combined import FormulaScorer
from scoring_program.scoring.diagnostics import Diagnostics
from scoring_program.settings.checks import MetricSpec
from tests.competitions import Folder

GOLD = np.array([1, 1, 1, 0, 0, 0, 0])
PREDICTIONS = (np.array([1, 1, 0, 0, 0, 0, 0]), np.array([1, 1, 1, 1, 0, 0, 0]))


@pytest.mark.parametrize(
    ("function", "params", "trials"),
    [
        ("accuracy_score", {}, [7, 7]),
        ("zero_one_loss", {}, [7, 7]),
        ("precision_score", {}, [2, 4]),
        ("recall_score", {}, [3, 3]),
        ("specificity_score", {}, [4, 4]),
        ("recall_score", {"average": "macro"}, None),
        ("f1_score", {}, None),
        ("accuracy_score", {"normalize": False}, None),
    ],
)
def test_trials(function: str, params: dict[str, object], trials: list[int] | None) -> None:
    (metric,) = resolve([MetricSpec(function, function, params)], None)
    found = bind(metric, GOLD, PREDICTIONS).diagnostics.trials
    assert (None if found is None else found.tolist()) == trials


@pytest.mark.parametrize("labels", [1, 2, 4, 5, 12])
@pytest.mark.parametrize("kind", [np.int64, np.float64, np.str_])
def test_disagreements_are_counted_with_any_labels(labels: int, kind: type[np.generic]) -> None:
    rng = np.random.default_rng(labels)
    entries = rng.integers(0, labels, (5, 300)).astype(kind)
    (metric,) = resolve([MetricSpec("accuracy", "accuracy_score", {})], None)
    found = Diagnostics.from_metric(metric, Data(entries[0], tuple(entries))).disagreements
    expected = [[sum(a != b for a, b in zip(x, y, strict=True)) for y in entries] for x in entries]
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == np.intp


def test_answers_of_some_entries_are_those_of_their_scorer() -> None:
    """By accuracy, where they are right or wrong, and by a formula, in each of its columns."""
    accuracy, formula = resolve(
        [MetricSpec("a", "accuracy_score"), MetricSpec("b", formula="a + a")], None
    )
    first = bind(accuracy, GOLD, PREDICTIONS)
    second = bind(accuracy, GOLD, [PREDICTIONS[0], 1 - GOLD])
    for scorer, layers in ((first, 1), (FormulaScorer(formula, [first, second]), 2)):
        for entries in ([0], [1], [1, 0]):
            own = scorer.keep(entries, [str(entry) for entry in entries]).answers
            found = scorer.answers.keep(entries)
            assert len(found.layers) == len(own.layers) == layers
            for ours, theirs in zip(found.layers, own.layers, strict=True):
                np.testing.assert_array_equal(ours.answers, theirs.answers)
            assert (own.right is None) == (layers == 2)
            np.testing.assert_array_equal(found.right, own.right)


def test_what_is_right_or_wrong() -> None:
    """Scores that are the share of right answers, or of wrong ones, are; F1 is not."""
    loss, f1 = resolve([MetricSpec("l", "zero_one_loss"), MetricSpec("f", "f1_score")], None)
    right = np.array([y_pred == GOLD for y_pred in PREDICTIONS]).T
    np.testing.assert_array_equal(bind(loss, GOLD, PREDICTIONS).answers.right, right)
    assert bind(f1, GOLD, PREDICTIONS).answers.right is None


def test_a_perfect_recall_has_wilsons_interval(folder: Folder) -> None:
    folder.teams["One"] = folder.labels
    positives = folder.labels.count("a")
    folder.labels = ["a" if label == "a" else "b" for label in folder.labels]
    folder.teams = {
        team: ["a" if label == "a" else "b" for label in labels]
        for team, labels in folder.teams.items()
    }
    folder.write("metrics: [{recall_score: {pos_label: a}}]\n")
    assert folder.run() == 0
    best = folder.results()["metrics"][0]["entries"][0]
    z2 = 1.959963984540054**2
    assert best["ci_method"] == "wilson"
    assert best["ci"] == pytest.approx([positives / (positives + z2), 1], abs=1e-9)


def test_tables_are_identical_only_where_all_their_cells_are() -> None:
    metric = SimpleNamespace(kind="table")
    first = {"id": ["x", "y", "z"], "label": ["a", "b", "a"]}
    other = {"id": ["x", "y", "z"], "label": ["a", "c", "b"]}
    more = {**first, "note": ["", "", ""]}
    tables = tuple(
        {name: np.array(texts, dtype=object) for name, texts in table.items()}
        for table in (first, first, other, more)
    )
    found = Diagnostics.from_metric(metric, Data(tables[0], tables))  # type: ignore[arg-type]
    assert found.disagreements.tolist() == [[0, 0, 2, 3], [0, 0, 2, 3], [2, 2, 0, 3], [3, 3, 3, 0]]


@pytest.mark.parametrize(
    ("function", "params", "minority", "errors"),
    [
        ("accuracy_score", {}, None, [1, 1]),
        ("zero_one_loss", {}, None, [1, 1]),
        ("hamming_loss", {}, None, [1, 1]),
        ("f1_score", {"average": "micro"}, None, [1, 1]),
        ("f1_score", {"average": "weighted"}, None, None),
        ("f1_score", {"average": "macro"}, 3, None),
        ("f1_score", {}, 3, None),
        ("balanced_accuracy_score", {}, 3, None),
    ],
)
def test_what_a_metric_depends_on(
    function: str, params: dict[str, object], minority: int | None, errors: list[int] | None
) -> None:
    (metric,) = resolve([MetricSpec(function, function, params)], None)
    found = bind(metric, GOLD, PREDICTIONS).diagnostics
    assert found.minority == minority
    assert (None if found.errors is None else found.errors.tolist()) == errors


def test_a_mean_over_examples_depends_on_no_class() -> None:
    (metric,) = resolve([MetricSpec("log_loss", "log_loss", {})], None)
    found = bind(metric, GOLD, [np.where(y == 1, 0.8, 0.3) for y in PREDICTIONS]).diagnostics
    assert (found.minority, found.errors) == (None, None)


def test_who_has_no_predictions_gets_no_example_right() -> None:
    """So McNemar's test judges the others as if nobody lacked the task."""
    y_true = np.array([0, 1, 1, 0])
    first, second = np.array([0, 1, 0, 0]), np.array([1, 1, 1, 0])
    (metric,) = resolve([MetricSpec("accuracy", "accuracy_score")], None)
    scorer = bind(metric, y_true, [first, None, second])
    right = scorer.answers.right
    assert right is not None
    assert right.T.tolist() == [[True, True, False, True], [False] * 4, [False, True, True, True]]
