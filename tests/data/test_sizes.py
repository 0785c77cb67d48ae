"""Numbers of any size are numbers where only their order counts; sizes have a limit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import average_precision_score, roc_auc_score

from scoring_program.core.errors import SubmissionError
from scoring_program.data import entry
from scoring_program.data.joining.checker_rules import SubmissionRules, as_document, as_rules
from scoring_program.data.quick_reader import QuickReader
from scoring_program.reading.formats import read_table
from scoring_program.recognize.expected import Expected, Target
from tests.competitions import Folder, write_csv

_LARGE = (143093320056.9, -9.75e299, 2e11, 3.5, -4e10, 1e12)
_IDS = [f"x{i}" for i in range(60)]


def competition(root: Path, metrics: str, gold: Sequence[float], factor: float = 1e11) -> Folder:
    """Return a competition whose predictions are as large as ``factor``."""
    folder = Folder(root).write(f"metrics: [{metrics}]\n")
    write_csv(folder.input / "ref" / "gold.csv", {"id": _IDS, "y": gold})
    rng = np.random.default_rng(1)
    for team in folder.teams:
        predicted = factor * (np.asarray(gold) / max(gold) + rng.normal(0.0, 1.0, len(gold)))
        write_csv(
            folder.input / "res" / team / "predictions.csv", {"id": _IDS, "y": predicted.tolist()}
        )
    return folder


def predicted(folder: Folder, team: str) -> list[float]:
    text = (folder.input / "res" / team / "predictions.csv").read_text(encoding="utf-8")
    return [float(line.split(",")[1]) for line in text.split()[1:]]


@pytest.mark.parametrize("metric", ["roc_auc_score", "average_precision_score"])
def test_scores_of_classes_have_any_size(tmp_path: Path, metric: str) -> None:
    gold = [i % 2 for i in range(60)]
    folder = competition(tmp_path, f"{metric}: {{pos_label: 1}}", gold)
    assert folder.run("--resamples", "100") == 0
    oracle = {
        "roc_auc_score": roc_auc_score,
        "average_precision_score": average_precision_score,
    }[metric]
    for row in folder.results()["metrics"][0]["entries"]:
        expected = oracle(gold, predicted(folder, row["entry"]))
        assert row["score"] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("metric", ["spearmanr", "kendalltau", "concordance_index"])
def test_numbers_in_order_have_any_size(tmp_path: Path, metric: str) -> None:
    gold = [2e11 * (i % 17) + 1e12 for i in range(60)]
    folder = competition(tmp_path, metric, gold)
    assert folder.run("--resamples", "100") == 0
    if metric == "concordance_index":
        return
    for row in folder.results()["metrics"][0]["entries"]:
        expected = getattr(stats, metric)(gold, predicted(folder, row["entry"])).statistic
        assert row["score"] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("metric", ["pearsonr", "mean_absolute_error", "spearmanr, pearsonr"])
def test_correct_numbers_whose_size_counts_have_a_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], metric: str
) -> None:
    gold = [2e11 * (i % 17) + 1e12 for i in range(60)]
    assert competition(tmp_path, metric, gold).run("--resamples", "100") == 2
    message = "line 2: column 'y' holds a number of 1e+10 or more, and leaderboards have ten digits"
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("metric", ["pearsonr", "spearmanr, pearsonr"])
def test_predictions_whose_size_counts_have_a_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], metric: str
) -> None:
    folder = competition(tmp_path, metric, [0.5 * (i % 17) for i in range(60)], factor=1e12)
    assert folder.run("--resamples", "100") == 1
    error = capsys.readouterr().err
    assert "numbers too large" in error
    assert "expected a finite number below 1e+10" in error


def test_gains_have_a_limit_and_what_ranks_them_has_none(tmp_path: Path) -> None:
    gold = [0.5 * (i % 17) for i in range(60)]
    assert competition(tmp_path / "a", "ndcg_score", gold).run("--resamples", "100") == 0
    large = [1e11 * number for number in gold]
    assert competition(tmp_path / "b", "ndcg_score", large).run("--resamples", "100") == 2


def of_any_size(kind: str = "numbers") -> Expected:
    target = Target("y", kind)
    labels = {target: () if kind == "numbers" else (0, 1)}
    ids = tuple(_IDS[: len(_LARGE)])
    return Expected(range(len(ids)), len(ids), ids, labels, of_any_size=frozenset([target]))


def written(numbers: Sequence[float | str]) -> bytes:
    rows = [f"{key},{number}\n" for key, number in zip(_IDS, numbers, strict=False)]
    return "".join(["id,y\n", *rows]).encode()


@pytest.mark.parametrize("kind", ["numbers", "scores"])
def test_usual_files_are_read_alike(kind: str) -> None:
    asked = of_any_size(kind)
    reader = QuickReader.from_expected(asked)
    assert reader is not None
    content = written(_LARGE)
    quick = reader.read(content)
    assert quick is not None
    (careful,) = entry.align(read_table(content, "p.csv"), "A", asked, {}, "").predictions.values()
    assert quick[0].tolist() == careful.tolist() == [*_LARGE]


@pytest.mark.parametrize("cell", ["inf", "-inf", "1e999", "nan"])
def test_infinity_is_no_number_of_any_size(cell: str) -> None:
    asked = of_any_size()
    content = written([cell, *_LARGE[1:]])
    reader = QuickReader.from_expected(asked)
    assert reader is not None
    assert reader.read(content) is None
    with pytest.raises(SubmissionError) as refusal:
        entry.align(read_table(content, "p.csv"), "A", asked, {}, "")
    assert "expected a finite number" in str(refusal.value)
    assert "below" not in str(refusal.value)


def test_a_kit_knows_which_numbers_have_any_size() -> None:
    rules = SubmissionRules({"task": of_any_size()})
    packed = as_rules(json.loads(json.dumps(as_document(rules))))
    assert packed.tasks["task"].of_any_size == {Target("y", "numbers")}
