"""The fewest examples without which a rival draws level, against all subsets of a test set."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from scoring_program.audit.certificate import withdrawals
from scoring_program.metrics.resolve import resolve
from scoring_program.scoring.bind import bind
from scoring_program.scoring.scorer import Scorer
from scoring_program.settings.checks import MetricSpec

_EXACT = {
    "mae": MetricSpec("mae", "mean_absolute_error"),
    "rmse": MetricSpec("rmse", "root_mean_squared_error"),
    "resolved": MetricSpec("resolved", "resolved_rate"),
}
_BOUNDS = {
    "auc": MetricSpec("auc", "roc_auc_score"),
    "r2": MetricSpec("r2", "r2_score"),
    "f1": MetricSpec("f1", "f1_score", {"average": "micro"}),
}
_N = 9


def _data(seed: int, name: str) -> tuple[Any, list[Any], Any]:
    rng = np.random.default_rng(seed)
    if name == "resolved":
        gold = np.fromiter([True] * _N, object)
        return gold, [np.fromiter((rng.random(_N) < p).tolist(), object) for p in (0.9, 0.5)], None
    if name == "auc":
        gold = rng.permutation([0, 0, 0, 0, 1, 1, 1, 1, 1])
        return gold, [gold + rng.normal(size=_N) * spread for spread in (0.4, 1.5)], np.arange(2)
    if name == "f1":
        sets = [("a",), ("a", "b"), ("b",), ()]
        gold = np.fromiter((sets[k] for k in rng.integers(0, 4, _N)), object, _N)
        predicted = []
        for share in (0.1, 0.6):
            other = [sets[k] for k in rng.integers(0, 4, _N)]
            changed = rng.random(_N) < share
            found = (new if c else old for c, new, old in zip(changed, other, gold, strict=True))
            predicted.append(np.fromiter(found, object, _N))
        return gold, predicted, np.array(["a", "b"])
    gold = rng.normal(size=_N)
    return gold, [gold + rng.normal(size=_N) * spread for spread in (0.5, 1.2)], None


def _scorer(seed: int, name: str) -> Scorer | None:
    """Bind a metric to two entries, of which the first leads; None if it does not."""
    gold, predictions, labels = _data(seed, name)
    (metric,) = resolve(
        [{**_EXACT, **_BOUNDS}[name]], None, "label_sets" if name == "f1" else "rows"
    )
    scorer = bind(metric, gold, predictions, labels, ("leader", "rival"))
    return scorer if _ahead(scorer, np.arange(_N)) >= 0 else None


def _ahead(scorer: Scorer, rows: Any) -> float:
    """Return how far the leader is ahead on some rows; inf where there is no score."""
    counts = np.zeros((1, scorer.n), np.uint8)
    counts[0, rows] = 1
    scores = scorer.replicate(counts).values[0]
    sign = 1 if scorer.metric.greater_is_better else -1
    return float(np.nan_to_num(sign * (scores[0] - scores[1]), nan=np.inf))


def _fewest(scorer: Scorer) -> int | None:
    rows = range(_N)
    for size in rows:
        for kept in itertools.combinations(rows, _N - size):
            if _ahead(scorer, list(kept)) <= 1e-12:
                return size
    return None


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", [*_EXACT, *_BOUNDS])
def test_it_equals_or_exceeds_the_smallest_of_all_subsets(name: str, seed: int) -> None:
    scorer = _scorer(seed, name)
    if scorer is None:
        pytest.skip("the first entry does not lead")
    found, exact = withdrawals(scorer, ("leader", "rival"), 0, [1])
    fewest, examples = _fewest(scorer), found[1]
    assert exact == (name in _EXACT)
    if exact:
        assert (None if examples is None else len(examples)) == fewest
    elif examples is not None:
        assert fewest is not None
        assert len(examples) >= fewest
    if examples is not None:
        left = np.setdiff1d(np.arange(_N), examples)
        assert _ahead(scorer, left) <= 1e-12


def test_entries_are_numbered_by_the_names() -> None:
    scorer = _scorer(0, "mae")
    assert scorer is not None
    found, _ = withdrawals(scorer, ("rival", "leader"), 1, [0])
    same, _ = withdrawals(scorer, ("leader", "rival"), 0, [1])
    assert found == {0: same[1]}


def test_level_entries_need_no_withdrawal() -> None:
    gold = np.arange(5.0)
    (metric,) = resolve([_EXACT["mae"]], None)
    scorer = bind(metric, gold, [gold + 1, gold - 1], None, ("leader", "rival"))
    found, _ = withdrawals(scorer, scorer.names, 0, [1])
    assert found == {1: ()}


def _same(gold: Any, predicted: Any) -> float:
    return float(np.mean(gold == predicted))


def test_medians_and_called_functions_have_none() -> None:
    gold = np.arange(9.0)
    predictions = [gold, gold + 1]
    (median,) = resolve([MetricSpec("median", "median_absolute_error")], None)
    of_median = bind(median, gold, predictions, None, ("a", "b"))
    assert not withdrawals(of_median, of_median.names, 0, [1])[0]
    spec = MetricSpec("own", "own", call=_same, greater_is_better=True)
    (own,) = resolve([spec], None)
    called = bind(own, gold, predictions, None, ("a", "b"))
    assert not withdrawals(called, called.names, 0, [1])[0]
