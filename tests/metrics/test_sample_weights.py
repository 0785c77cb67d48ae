"""Metrics with weights of examples, against scikit-learn's ``sample_weight`` on every resample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring_program.bootstrap.design import draw_counts
from scoring_program.core.errors import SettingsError
from scoring_program.data.entry import objects
from scoring_program.metrics import REGISTRY, Metric, resolve
from scoring_program.metrics.calls import Call
from scoring_program.scoring.bind import bind
from scoring_program.scoring.scorer import Scorer
from scoring_program.scoring.scorers import FunctionScorer, SumsScorer
from scoring_program.settings.checks import MetricSpec
from tests.competitions import Folder, write_csv
from tests.metrics import cases
from tests.metrics.kinds.segments import FIRST, SYSTEMS
from tests.sweeps import thinned

TOLERANCE = 1e-9


def weighted(function: str, params: Mapping[str, Any], folder: Path | None = None) -> Metric:
    params = {**params, "sample_weight": "weight"}
    spec = MetricSpec("x", function, params, greater_is_better=True if ":" in function else None)
    (found,) = resolve([spec], folder)
    return found


def takes_weights(function: str) -> bool:
    try:
        weighted(function, {})
    except SettingsError:
        return False
    return True


ROWS = [
    name
    for name, row in REGISTRY.items()
    if row.kind in ("labels", "numbers", "scores", "probabilities")
]
WEIGHTED = [name for name in ROWS if takes_weights(name)]


def weights_of(n: int) -> np.ndarray:
    """Some are zero, some are fractions, and one is large."""
    weights = np.random.default_rng(5).choice([0, 0.1, 0.3, 1, 2.7], n)
    weights[0] = 41.3
    return weights


def by_the_library(scorer: Scorer, drawn: np.ndarray) -> list[float]:
    """Score every entry with the oracle's own parameter; nan where nothing has a weight."""
    call = Call(scorer.metric, scorer.data)
    times = drawn * weights_of(scorer.n)
    rows = np.flatnonzero(times)
    if not len(rows):
        return [np.nan] * scorer.m
    gold = scorer.data.y_true[rows]
    if cases.tells_nothing(scorer.metric, gold):
        return [np.nan] * scorer.m
    return [call(gold, y[rows], "here", weights=times[rows]) for y in scorer.data.y_preds]


def test_a_column_is_a_name() -> None:
    with pytest.raises(SettingsError, match="sample_weight: expected the name of a column of the"):
        resolve([MetricSpec("x", "accuracy_score", {"sample_weight": [1, 2]})], None)


def test_which_metrics_take_weights() -> None:
    assert {*ROWS} - {*WEIGHTED} == {
        "max_error", "pearsonr", "spearmanr", "kendalltau", "concordance_index", "ndcg_score",
        "mean_score", "median_score", "mean_unit_rank", "win_rate", "bradley_terry",
    }  # fmt: skip
    assert takes_weights("bleu")
    with pytest.raises(SettingsError, match="'x': icm cannot weight examples; remove sample_wei"):
        weighted("icm", {})


@pytest.mark.parametrize("resamples", [3, pytest.param(200, marks=pytest.mark.full)])
@pytest.mark.parametrize("name", thinned(WEIGHTED, every=2))
def test_equals_the_library_on_every_resample(name: str, resamples: int) -> None:
    for params in cases.PARAMS[name][: 1 if resamples == 3 else 3]:
        metric = weighted(name, params)
        for data in cases.datasets(REGISTRY[name], params):
            y_true, y_preds, labels = (*data, None)[:3]
            n = len(y_true)
            scorer = bind(metric, y_true, y_preds, labels, weights=weights_of(n))
            sums = REGISTRY[name].evaluation == "sums"
            assert isinstance(scorer, SumsScorer if sums else FunctionScorer)
            drawn_often = {40: resamples if sums else 4, 7: 4, 1: 1}[n]
            counts = draw_counts(np.random.default_rng(3), n, drawn_often)
            found = scorer.replicate(counts).values
            expected = [by_the_library(scorer, drawn) for drawn in counts]
            np.testing.assert_allclose(found, expected, rtol=TOLERANCE, atol=TOLERANCE)
            whole = by_the_library(scorer, np.ones(n, np.uint8))
            values = scorer.observation.values
            np.testing.assert_allclose(values, whole, rtol=TOLERANCE, atol=TOLERANCE)
            if n == 7:
                units = np.arange(n) % 3
                left_out = scorer.jackknife(units), Scorer.jackknife(scorer, units)
                np.testing.assert_allclose(*left_out, rtol=1e-9, atol=1e-9)


def test_a_segment_of_weight_two_is_two_segments() -> None:
    sacrebleu = pytest.importorskip("sacrebleu.metrics")
    weights = (np.arange(len(FIRST)) % 3).astype(float)
    scorer = bind(
        weighted("bleu", {}), objects(FIRST), [objects(s) for s in SYSTEMS], weights=weights
    )
    counts = draw_counts(np.random.default_rng(8), len(FIRST), 40)
    for drawn, found in zip(counts, scorer.replicate(counts).values, strict=True):
        rows = np.repeat(np.arange(len(FIRST)), drawn * weights.astype(int)).tolist()
        gold = [FIRST[row] for row in rows]
        expected = [
            sacrebleu.BLEU().corpus_score([s[r] for r in rows], [gold]).score for s in SYSTEMS
        ]
        np.testing.assert_allclose(found, expected, atol=TOLERANCE)


OWN = """
import numpy as np

greater_is_better = True

def score(y_true, y_pred, sample_weight=None):
    return float(np.average(y_true == y_pred, weights=sample_weight))

def plain(y_true, y_pred):
    return float((y_true == y_pred).mean())

def kaggle(solution, submission, row_id_column_name, sample_weight=None):
    return 1.0

def counts(gold, prediction):
    return [gold == prediction, 1]

def share(sums):
    return sums[0] / sums[1]
"""
SETTINGS = """
metrics:
  - accuracy_score: {sample_weight: weight}
  - {name: own, function: "own.py:score", sample_weight: weight}
  - {name: counted, function: "own.py:share", statistics: "own.py:counts", sample_weight: weight}
  - {name: half, formula: own / 2}
  - {name: unweighted, function: accuracy_score}
resamples: 200
"""


def competition(folder: Folder, weights: Sequence[object], settings: str = SETTINGS) -> int:
    folder.write(settings)
    columns = {"id": folder.ids, "label": folder.labels, "weight": weights}
    write_csv(folder.input / "ref" / "gold.csv", columns)
    (folder.input / "ref" / "own.py").write_text(OWN)
    return folder.run()


def test_a_column_of_the_reference_data(folder: Folder) -> None:
    weights = [(i % 5) / 4 for i in range(len(folder.ids))]
    assert competition(folder, weights) == 0
    metrics = {metric["name"]: metric for metric in folder.results()["metrics"]}
    for entry in metrics["accuracy_score"]["entries"]:
        right = np.array(folder.teams[entry["entry"]]) == np.array(folder.labels)
        assert entry["score"] == pytest.approx(np.average(right, weights=weights), abs=1e-12)
        for name, factor in (("own", 1), ("counted", 1), ("half", 0.5)):
            other = next(e for e in metrics[name]["entries"] if e["entry"] == entry["entry"])
            assert other["score"] == pytest.approx(entry["score"] * factor, abs=1e-12)
            assert other["ci"] == pytest.approx([end * factor for end in entry["ci"]], abs=1e-9)
        plain = next(e for e in metrics["unweighted"]["entries"] if e["entry"] == entry["entry"])
        assert plain["score"] == pytest.approx(right.mean())
    assert "accuracy_score(), weighted by weight" in str(folder.results()["signature"])


@pytest.mark.parametrize(
    ("weight", "settings", "message"),
    [
        (
            "-1",
            "{accuracy_score: {sample_weight: weight}}",
            "line 4: column 'weight' does not hold a weight; write a finite number of 0 or more",
        ),
        ("nan", "{accuracy_score: {sample_weight: weight}}", "gold.csv: line 4: column 'weight'"),
        ("", "{accuracy_score: {sample_weight: weight}}", "gold.csv: line 4: column 'weight'"),
        ("inf", "{accuracy_score: {sample_weight: weight}}", "gold.csv: line 4: column 'weight'"),
        (
            "1",
            "{accuracy_score: {sample_weight: wieght}}",
            "gold.csv has no column 'wieght'; did you mean 'weight'?",
        ),
        (
            "1",
            "{name: own, function: 'own.py:plain', sample_weight: weight}",
            "own.py:plain cannot weight examples",
        ),
        (
            "1",
            "{name: own, function: 'own.py:kaggle', sample_weight: weight}",
            "own.py:kaggle cannot weight examples",
        ),
        (
            "1",
            "{name: a, formula: accuracy_score, sample_weight: weight}",
            "give it to the metrics that the formula names",
        ),
    ],
)
def test_weights_that_are_refused(
    folder: Folder, weight: str, settings: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    weights = [1.0, 1, weight, *[1] * (len(folder.ids) - 3)]
    assert competition(folder, weights, f"metrics: [{settings}]\n") == 2
    assert message in capsys.readouterr().err


def test_mcnemars_test_counts_every_example_once(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    weights = [1 + i % 2 for i in range(len(folder.ids))]
    settings = "tests: [mcnemar]\nmetrics: [{accuracy_score: {sample_weight: weight}}%s]\n"
    assert competition(folder, weights, settings % "") == 2
    assert (
        "applies to accuracy without weights and to means of scores of 0 and 1, and not to "
        "accuracy_score" in capsys.readouterr().err
    )
    both = settings % ", {name: plain, function: accuracy_score}"
    assert competition(folder, weights, both) == 0


def test_weights_that_are_all_zero(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    settings = "metrics: [{accuracy_score: {sample_weight: weight}}]\n"
    assert competition(folder, [0] * len(folder.ids), settings) == 2
    assert "every weight in the column 'weight' is 0" in capsys.readouterr().err
