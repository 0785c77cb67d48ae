"""Functions that are called once for equal rows, with weights, against the rows themselves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scoring_program.bootstrap.design import Design, draw_counts
from scoring_program.bootstrap.resample import resample
from scoring_program.core.errors import MetricError
from scoring_program.metrics import REGISTRY, resolve
from scoring_program.metrics.calls import Call
from scoring_program.scoring.bind import bind
from scoring_program.scoring.scorer import Scorer
from scoring_program.scoring.scorers import FunctionScorer
from scoring_program.settings.checks import MetricSpec
from tests.competitions import Folder
from tests.metrics import cases
from tests.sweeps import thinned

LABELS = [name for name, definition in REGISTRY.items() if definition.kind == "labels"]
OWN = """
from sklearn.metrics import f1_score
rows = []

def score(y_true, y_pred, {weights}=None):
    rows.append(len(y_true))
    return f1_score(y_true, y_pred, average="macro", sample_weight={weights}, zero_division=0)
"""


def from_repeated_rows(scorer: Scorer, counts: np.ndarray) -> np.ndarray:
    call = Call(scorer.metric, scorer.data)
    rows = [np.repeat(np.arange(scorer.n), drawn) for drawn in counts]
    gold, entries = scorer.data.y_true, scorer.data.y_preds
    return np.array([[call(gold[r], y_pred[r], "here") for y_pred in entries] for r in rows])


@pytest.mark.parametrize(
    ("step", "resamples"), [(4, 1), pytest.param(1, 5, marks=pytest.mark.full)]
)
@pytest.mark.parametrize("name", thinned(LABELS))
def test_every_metric_of_labels(name: str, step: int, resamples: int) -> None:
    for params in [*cases.PARAMS[name][::step], {"normalize": False}]:
        if "normalize" in params and name not in ("accuracy_score", "zero_one_loss"):
            continue
        called = replace(cases.metric(name, params), evaluation="called")
        for data in cases.datasets(REGISTRY[name], params):
            scorer = FunctionScorer(called, bind(called, *data).data, [*"ABCDE"])
            counts = draw_counts(np.random.default_rng(3), scorer.n, resamples)
            expected = from_repeated_rows(scorer, counts)
            found = scorer.replicate(counts).values
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
            if scorer.n == 40 and scorer._call.is_weighable:
                assert any(cells is not None for cells in scorer._cells)


def own(folder: Path, text: str) -> Scorer:
    (folder / "own.py").write_text(text)
    (metric,) = resolve([MetricSpec("own", "own.py:score", greater_is_better=True)], folder)
    rng = np.random.default_rng(4)
    gold = rng.choice(["no", "perhaps", "yes"], 300)
    return bind(metric, gold, [np.where(rng.random(300) < p, gold, "no") for p in (0.9, 0.5)])


def test_an_organizers_function(tmp_path: Path) -> None:
    for folder in ("weighted", "plain"):
        (tmp_path / folder).mkdir()
    weighted = own(tmp_path / "weighted", OWN.format(weights="sample_weight"))
    plain = own(tmp_path / "plain", OWN.format(weights="weights"))
    np.testing.assert_array_equal(weighted.observed, plain.observed)
    (found,), (expected,) = (resample([each], Design(300), 40, 7) for each in (weighted, plain))
    np.testing.assert_allclose(found.values, expected.values, rtol=1e-12)


def test_weights_that_mean_something_else(tmp_path: Path) -> None:
    text = "def score(y_true, y_pred, sample_weight=None):\n    return float(len(y_true))\n"
    scorer = own(tmp_path, text)
    with pytest.raises(MetricError, match="must count as w rows"):
        _ = scorer.observed


def test_a_formula_calls_its_function_once(folder: Folder) -> None:
    (folder.input / "ref").mkdir(parents=True)
    (folder.input / "ref" / "own.py").write_text(
        "from pathlib import Path\n\n"
        "def score(y_true, y_pred):\n"
        "    with Path(__file__).with_suffix('.log').open('a') as log:\n"
        "        log.write('.')\n"
        "    return float((y_true == y_pred).mean())\n"
    )
    folder.write(
        "metrics:\n  - {name: own, function: 'own.py:score', greater_is_better: true}\n"
        "  - {name: twice, formula: 2 * own}\nresamples: 100\nworkers: 1\n"
    )
    assert folder.run() == 0
    calls = len((folder.input / "ref" / "own.log").read_text())
    # Three entries on 100 resamples, and on the whole test set three times, once in another order:
    # the scores must be equal. A test set of 180 examples is small, so each is left out once.
    assert calls == 3 * (100 + 3 + 180)
