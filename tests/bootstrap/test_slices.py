"""Slices: every metric within them, on the same resamples as the whole test set."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as sk

from scoring_program.bootstrap.design import Design
from scoring_program.bootstrap.resample import iterate_counts, resample
from scoring_program.bootstrap.task_queue import Resources
from scoring_program.metrics import resolve
from scoring_program.scoring.bind import bind
from scoring_program.scoring.combined import FormulaScorer
from scoring_program.scoring.scorer import Scorer
from scoring_program.settings.checks import MetricSpec

N, RESAMPLES, SEED = 240, 40, 5
RNG = np.random.default_rng(8)
GOLD = RNG.integers(0, 2, N)
LABELS = [np.where(RNG.random(N) < p, GOLD, 1 - GOLD) for p in (0.9, 0.7)]
NUMBERS = [GOLD + RNG.normal(0, 1 + k, N) for k in range(2)]
ROWS = np.flatnonzero(RNG.random(N) < 0.4)
GROUPS = np.repeat(np.arange(N // 4), 4)


def scorers() -> list[Scorer]:
    """Sums of integers and of reals, sorted examples, a function that is called, a formula."""
    f1, rmse, auc, called, mix = resolve(
        [
            MetricSpec("f1", "f1_score"),
            MetricSpec("rmse", "root_mean_squared_error"),
            MetricSpec("auc", "roc_auc_score"),
            MetricSpec("called", "mutual_info_score"),
            MetricSpec("mix", formula="(auc + 1 / (1 + rmse)) / 2", greater_is_better=True),
        ],
        None,
    )
    bound = [
        bind(f1, GOLD, LABELS),
        bind(rmse, GOLD.astype(float), NUMBERS),
        bind(auc, GOLD, NUMBERS),
        bind(called, GOLD, LABELS),
    ]
    return [*bound, FormulaScorer(mix, [bound[2], bound[1]])]


def by_definition(drawn: np.ndarray) -> np.ndarray:
    """The five scores [5, m] of drawn rows, by scikit-learn."""
    gold = GOLD[drawn]
    labels, numbers = ([each[drawn] for each in values] for values in (LABELS, NUMBERS))
    rmse = np.array([sk.mean_squared_error(gold, each) ** 0.5 for each in numbers])
    auc = np.array([sk.roc_auc_score(gold, each) for each in numbers])
    return np.array(
        [
            [sk.f1_score(gold, each) for each in labels],
            rmse,
            auc,
            [sk.mutual_info_score(gold, each) for each in labels],
            (auc + 1 / (1 + rmse)) / 2,
        ]
    )


@pytest.mark.parametrize("units", [None, GROUPS], ids=["rows", "groups"])
def test_a_slice_is_scored_on_the_drawn_rows_that_it_holds(units: np.ndarray | None) -> None:
    design = Design(N, units)
    taken: dict[Scorer, Scorer] = {}
    within = [scorer.take(ROWS, taken) for scorer in scorers()]
    found = resample(within, design, RESAMPLES, SEED)
    counts = np.concatenate(list(iterate_counts(design, RESAMPLES, SEED)))
    for b, weights in enumerate(counts):
        expected = by_definition(np.repeat(ROWS, weights[ROWS]))
        np.testing.assert_allclose([each.values[b] for each in found], expected, atol=1e-12)
    observed = [scorer.observed for scorer in within]
    np.testing.assert_allclose(observed, by_definition(ROWS), atol=1e-12)


def test_slices_change_no_byte_of_the_whole_test_set() -> None:
    alone = resample(scorers(), Design(N), RESAMPLES, SEED)
    whole = scorers()
    among = resample(
        [*whole, *(scorer.take(ROWS) for scorer in whole)],
        Design(N),
        RESAMPLES,
        SEED,
        resources=Resources(workers=2),
    )
    for before, after in zip(alone, among, strict=False):
        assert before.values.tobytes() == after.values.tobytes()


def test_entries_of_a_slice_can_be_chosen() -> None:
    for scorer in scorers():
        kept = scorer.take(ROWS).keep([1], ["second"])
        assert kept.observed.tolist() == scorer.take(ROWS).observed[[1]].tolist()
        assert kept.rows is ROWS


def test_formulas_share_the_metrics_of_a_slice() -> None:
    whole = scorers()
    taken: dict[Scorer, Scorer] = {}
    within = [scorer.take(ROWS, taken) for scorer in whole]
    assert set(within[4].parts) == {within[1], within[2]}
