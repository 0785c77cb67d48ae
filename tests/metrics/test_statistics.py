"""Metrics from statistics of single examples: what is counted, where, how often, and the score."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring_program.bootstrap.design import draw_counts
from scoring_program.core.errors import MetricError, SettingsError
from scoring_program.data.entry import objects
from scoring_program.metrics import Data, Metric, resolve, statistics
from scoring_program.metrics.metric import ExampleStatistics
from scoring_program.metrics.statistics import Counting, count_sums
from scoring_program.scoring.bind import bind
from scoring_program.scoring.scorer import Scorer
from scoring_program.settings.checks import MetricSpec, read_metrics

GOLD = ["a b c", "b", "", "c d"] * 30
SYSTEMS = [["a b", "b", "x", "d c"] * 30, ["a b c", "a", "", "c"] * 30]

COUNTS = """
def counts(gold, prediction):
    gold, prediction = set(gold.split()), set(prediction.split())
    return len(gold & prediction), len(gold), len(prediction)
"""
ON_ARRAYS = """
def score(sums, beta=1.0):
    same, gold, predicted = sums
    return (1 + beta**2) * same / (beta**2 * gold + predicted)
"""
ON_NUMBERS = """
def score(sums, beta=1.0):
    same, gold, predicted = sums
    if same == 0:
        return 0.0
    return (1 + beta**2) * same / (beta**2 * gold + predicted)
"""


def own(folder: Path, code: str, **more: Any) -> Metric:
    """Return a metric of an organizer's file."""
    (folder / "my_metric.py").write_text(code)
    usual = {"kind": "text", "greater_is_better": True, "statistics": "my_metric.py:counts"}
    spec = MetricSpec("own", "my_metric.py:score", **{**usual, **more})
    return resolve([spec], folder)[0]


def texts(metric: Metric, gold: Sequence[Any] = GOLD, **more: Any) -> Scorer:
    """Bind a metric to two systems."""
    systems = [objects(list(system)[: len(gold)]) for system in SYSTEMS]
    return bind(metric, objects(list(gold)), systems, names=["One", "Two"], **more)


def f_score(gold: Sequence[str], predicted: Sequence[str], beta: float) -> float:
    """Return the F score of the words of all texts."""
    pairs = [(set(g.split()), set(p.split())) for g, p in zip(gold, predicted, strict=True)]
    same, all_gold, all_predicted = (
        sum(len(g & p) for g, p in pairs), sum(len(g) for g, _ in pairs),
        sum(len(p) for _, p in pairs),
    )  # fmt: skip
    return (1 + beta**2) * same / (beta**2 * all_gold + all_predicted)


@pytest.mark.parametrize("code", [ON_ARRAYS, ON_NUMBERS])
@pytest.mark.parametrize("beta", [1.0, 2.0])
def test_an_own_metric_of_statistics_equals_itself_on_the_resampled_texts(
    tmp_path: Path, code: str, beta: float
) -> None:
    scorer = texts(own(tmp_path, COUNTS + code, params={"beta": beta}))
    counts = draw_counts(np.random.default_rng(2), len(GOLD), 40)
    values = scorer.replicate(counts).values
    every = np.ones((1, len(GOLD)), np.uint8)
    for drawn, scores in zip([*every, *counts], [scorer.observed, *values], strict=True):
        rows = np.repeat(np.arange(len(GOLD)), drawn).tolist()
        for system, score in zip(SYSTEMS, scores, strict=True):
            expected = f_score([GOLD[i] for i in rows], [system[i] for i in rows], beta)
            assert score == pytest.approx(expected, abs=1e-12)


def test_a_score_that_takes_arrays_is_called_with_arrays(tmp_path: Path) -> None:
    calls = "import builtins\ndef score(sums):\n    builtins.seen.append(sums.shape)\n"
    metric = own(tmp_path, COUNTS + calls + "    return sums[0] / (sums[1] + 1)\n")
    seen: list[tuple[int, ...]] = []
    vars(builtins)["seen"] = seen
    try:
        scorer = texts(metric)
        assert scorer.observed.shape == (2,)
        seen.clear()
        scorer.replicate(draw_counts(np.random.default_rng(2), len(GOLD), 1000))
    finally:
        del vars(builtins)["seen"]
    assert seen[0] == (3, 2000)
    assert len(seen) < 10  # the others check single columns


def test_a_score_that_is_wrong_on_arrays_is_called_on_every_resample(tmp_path: Path) -> None:
    """It returns an array of the right shape, but with what only one resample should have."""
    code = COUNTS + "def score(sums):\n    return sums[0] / (sums[1] + 1) / sums[1].max()\n"
    counts = draw_counts(np.random.default_rng(2), len(GOLD), 30)
    scorer = texts(own(tmp_path, code))
    one_by_one = [scorer.replicate(counts[b : b + 1]).values[0, 0] for b in range(30)]
    np.testing.assert_allclose(scorer.replicate(counts).values[:, 0], one_by_one, rtol=1e-12)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("def counts(gold, prediction): return 1 / 0", "ZeroDivisionError in my_metric.py, line 1"),
        ("def counts(gold, prediction): return 1", "a sequence of finite numbers"),
        ("def counts(gold, prediction): return [float('nan')]", "a sequence of finite numbers"),
        ("def counts(gold, prediction): return [1] * (1 + len(gold))", "return as many for each"),
        ("import itertools\nall = itertools.count()\n"
         "def counts(gold, prediction): return [next(all)]", "called twice"),
    ],
)  # fmt: skip
def test_counts_that_cannot_be_used(tmp_path: Path, code: str, message: str) -> None:
    metric = own(tmp_path, code + "\ndef score(sums): return float(sums[0])\n")
    with pytest.raises(MetricError, match=message) as error:
        texts(metric)
    assert "my_metric.py:counts cannot count an example of" in str(error.value)
    assert any(name in str(error.value) for name in ("One", "Two"))
    assert "a b c" not in str(error.value)  # a gold value


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("return 'many'", "must return one number"),
        ("return float('nan')", "must return a finite number"),
        ("raise KeyError(sums)", "KeyError in my_metric.py"),
    ],
)
def test_scores_that_cannot_be_used(tmp_path: Path, code: str, message: str) -> None:
    metric = own(tmp_path, COUNTS + f"def score(sums): {code}\n")
    with pytest.raises(MetricError, match=message):
        _ = texts(metric).observed


@pytest.mark.parametrize(
    ("gold", "predictions", "kind"),
    [
        (np.array(["x", "y"] * 20), np.array(["x", "x"] * 20), "labels"),
        (np.arange(40) / 7, np.arange(40) / 8, "numbers"),
        (np.array([0, 1] * 20), np.linspace(0, 1, 40), "scores"),
        (np.array([0, 1] * 20), np.array([[0.25, 0.75]] * 40), "probabilities"),
    ],
)
def test_statistics_of_rows(tmp_path: Path, gold: Any, predictions: Any, kind: str) -> None:
    code = (
        "def counts(gold, prediction):\n"
        "    value = prediction[1] if hasattr(prediction, 'shape') else prediction\n"
        "    return (float(gold == value) if isinstance(gold, str) else gold * value), 1\n"
        "def score(sums): return sums[0] / sums[1]\n"
    )
    scorer = bind(own(tmp_path, code, kind=kind), gold, [predictions], np.unique(gold))
    values = predictions[:, 1] if predictions.ndim == 2 else predictions
    each = (gold == values) * 1.0 if kind == "labels" else gold * values
    counts = draw_counts(np.random.default_rng(4), 40, 20)
    np.testing.assert_allclose(scorer.observed, [each.mean()])
    np.testing.assert_allclose(scorer.replicate(counts).values[:, 0], counts @ each / 40)


def test_statistics_may_change_what_they_are_given(tmp_path: Path) -> None:
    """Other metrics read the predictions, too."""
    code = "def counts(gold, prediction):\n    prediction *= 0\n    return 1, 1\n"
    metric = own(
        tmp_path, f"{code}def score(sums): return sums[0] / sums[1]\n", kind="probabilities"
    )
    predictions = np.array([[0.25, 0.75]] * 40)
    _ = bind(metric, np.array([0, 1] * 20), [predictions]).observed
    assert (predictions == [0.25, 0.75]).all()


def _length(golds: Sequence[Any], predictions: Sequence[Any], params: Mapping[str, Any]) -> Any:
    """Count equal texts, and what their lengths are; refuse one of them."""
    if "refused" in predictions:
        raise ValueError("a text that nobody may see")
    return [(g == p, len(p) * 0.1, len(g) * 1000) for g, p in zip(golds, predictions, strict=True)]


def _first(sums: Any, params: Mapping[str, Any]) -> Any:
    return sums[0]


LENGTHS = Metric(
    "lengths", "lengths", "text", greater_is_better=True, evaluation="sums",
    statistics=ExampleStatistics(_length, _first), name="lengths", description="lengths",
)  # fmt: skip


def many(n: int = 2000) -> Data:
    """Return texts of which many are the same."""
    gold = objects([f"text {i % 700}" for i in range(n)])
    return Data(gold, (gold, objects(["text 3"] * n), objects([f"text {i}" for i in range(n)])))


def test_equal_pairs_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    sums = count_sums(LENGTHS, many(), "ABC", Counting(1, lambda *now: told.append(now)))
    # 700 right, 699 others "text 3", and 1,300 that are beyond the 700.
    assert told[-1] == (2699, 2699)
    assert [done for done, _ in told] == [*range(200, 2699, 200), 2699]
    same, tenths, thousands = sums.columns[1]
    assert same.dtype == np.bool_
    assert same.sum() == 3
    assert tenths.dtype == np.float64
    assert thousands.dtype == np.int16


def test_other_processes_count_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    here = count_sums(LENGTHS, many(), "ABC", Counting(1))
    monkeypatch.setattr(statistics, "WORTH_PROCESSES", -1.0)
    told: list[tuple[int, int]] = []
    there = count_sums(LENGTHS, many(), "ABC", Counting(2, lambda *now: told.append(now)))
    assert told[-1] == (2699, 2699)
    for columns, others in zip(here.columns, there.columns, strict=True):
        for column, other in zip(columns, others, strict=True):
            np.testing.assert_array_equal(column, other)
            assert column.dtype == other.dtype


@pytest.mark.parametrize("workers", [1, 2])
def test_a_failure_names_the_entry_wherever_it_is_counted(
    monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setattr(statistics, "WORTH_PROCESSES", -1.0)
    data = many()
    data.y_preds[2][1500] = "refused"
    with pytest.raises(MetricError, match=r"cannot count an example of C: ValueError in") as error:
        count_sums(LENGTHS, data, "ABC", Counting(workers))
    assert "nobody may see" not in str(error.value)


def test_a_library_that_is_missing_is_named_with_its_installation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SettingsError, match=r'pip install "\.\[text\]"'):
        resolve([MetricSpec("bleu", "bleu")], None)


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ({"name": "x", "formula": "a + b", "kind": "text"}, "goes with a function of your own"),
        ({"name": "x", "formula": "a + b", "statistics": "m.py:c"}, "a function of your own"),
        ({"name": "x", "function": "m.py:s", "kind": 3}, "kind: expected text"),
    ],
)
def test_keys_that_do_not_apply(item: Any, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        read_metrics([item], {})


@pytest.mark.parametrize("function", ["f1_score", "log_loss", "max_error"])
def test_a_kind_must_be_one_that_the_function_scores(function: str) -> None:
    with pytest.raises(SettingsError, match=rf"{function} scores \w+, not text; remove 'kind:'"):
        resolve([MetricSpec("x", function, kind="text")], None)


def test_a_kind_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="kind: 'words', which is not one of labels, scores"):
        own(tmp_path, COUNTS + ON_ARRAYS, kind="words")
    with pytest.raises(SettingsError, match=r"such as my_metric\.py:counts; found 'counts'"):
        own(tmp_path, COUNTS + ON_ARRAYS, statistics="counts")


def test_a_parameter_that_a_metric_of_texts_lacks() -> None:
    with pytest.raises(SettingsError, match="'column'; it stands beside the function"):
        resolve([MetricSpec("bleu", "bleu", {"column": "x"})], None)
    with pytest.raises(SettingsError, match="bleu has no parameter 'tokenise'; did you mean"):
        resolve([MetricSpec("bleu", "bleu", {"tokenise": "char"})], None)


def test_what_identifies_an_own_metric_names_both_functions(tmp_path: Path) -> None:
    description = own(tmp_path, COUNTS + ON_ARRAYS).description
    assert "of sums of my_metric.py:counts, sha256" in description
