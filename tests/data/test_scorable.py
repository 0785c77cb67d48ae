"""What a metric needs of the gold is asked before any upload is judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring_program import compare
from scoring_program.commands.score import main
from scoring_program.core.errors import ReferenceDataError
from scoring_program.metrics.gold_needs import two_classes_of_probabilities
from scoring_program.metrics.metric import Data, with_labels_of_data
from scoring_program.metrics.registry import REGISTRY
from scoring_program.scoring.bind import bind
from tests.competitions import write_csv
from tests.metrics import cases

IDS = [f"x{i}" for i in range(12)]
_NUMBERS = [f"{i + 0.5}" for i in range(12)]
_TWO = ["1", "0"] * 6


def told(
    root: Path,
    capsys: pytest.CaptureFixture[str],
    settings: str,
    gold: Mapping[str, Sequence[str]],
    predicted: str = "y",
) -> str:
    """Return what an organizer is told whose gold no upload can be scored on; no upload is read."""
    write_csv(root / "input" / "ref" / "gold.csv", {"id": IDS, **gold})
    (root / "input" / "ref" / "scoring.yaml").write_text(settings)
    for team in ("north", "south"):
        write_csv(root / "input" / "res" / f"{team}.csv", {"id": IDS, predicted: ["?"] * 12})
    assert main([str(root / "input"), str(root / "output")]) == 2
    error = capsys.readouterr().err
    first = "Fix these files of the competition (organizer):\n"
    assert error.startswith(first)
    return error.removeprefix(first).rstrip("\n")


def _with(values: Sequence[str], **other: str) -> list[str]:
    """Return values with another one at some places, as in ``_3="0"``."""
    changed = list(values)
    for place, value in other.items():
        changed[int(place[1:])] = value
    return changed


@pytest.mark.parametrize(
    ("metric", "gold", "message"),
    [
        (
            "mean_absolute_percentage_error",
            _with(_NUMBERS, _3="0"),
            "MAPE divides by the correct numbers, and 1 of 12 is 0 (gold.csv, line 5). Leave such "
            "examples out, or choose another metric, such as mean_absolute_error.",
        ),
        (
            "mean_absolute_percentage_error",
            _with(_NUMBERS, _3="0.0", _1="-0"),
            "MAPE divides by the correct numbers, and 2 of 12 are 0 (gold.csv, line 3, and 1 more)",
        ),
        (
            "mean_squared_log_error",
            _with(_NUMBERS, _3="-1"),
            "MSLE needs correct numbers above -1, and 1 of 12 is -1 or less (gold.csv, line 5)",
        ),
        (
            "mean_poisson_deviance",
            _with(_NUMBERS, _3="-0.1"),
            "Poisson deviance needs correct numbers of 0 or more, and 1 of 12 is negative (gold",
        ),
        (
            "mean_gamma_deviance",
            _with(_NUMBERS, _3="0"),
            "Gamma deviance needs correct numbers above 0, and 1 of 12 is 0 or less (gold.csv",
        ),
        ("ndcg_score", _with(_NUMBERS, _3="-2"), "NDCG needs correct numbers of 0 or more, and 1"),
        ("ndcg_score", ["0"] * 12, "gold.csv holds no number above 0, so NDCG has nothing to find"),
        *(
            (name, ["2.5"] * 12, "gold.csv holds the same number for every example, so ")
            for name in (
                "r2_score", "explained_variance_score", "pearsonr", "spearmanr", "kendalltau",
                "concordance_index", "d2_absolute_error_score",
            )
        ),
        *(
            (name, ["1"] * 12, "gold.csv holds only one class, so ")
            for name in (
                "roc_auc_score", "average_precision_score", "log_loss", "brier_score_loss",
                "hinge_loss", "d2_log_loss_score", "matthews_corrcoef", "cohen_kappa_score",
                "{balanced_accuracy_score: {adjusted: true}}", "specificity_score",
            )
        ),
        *(
            (f"{{{name}: {{pos_label: 1}}}}", ["0"] * 12, "no example of the class '1', so ")
            for name in ("f1_score", "precision_score", "recall_score", "jaccard_score")
        ),
        (
            "{f1_score: {labels: [1], average: macro}}",
            ["0"] * 12,
            "gold.csv holds no example of the class '1', so macro F1 has nothing to find. Add such",
        ),
    ],
)  # fmt: skip
def test_the_gold_is_named_with_its_reason(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    metric: str,
    gold: list[str],
    message: str,
) -> None:
    labels = "" if "." in "".join(gold) or "number" in message else "labels: [0, 1]\n"
    error = told(tmp_path, capsys, f"metrics: [{metric}]\n{labels}", {"y": gold})
    assert message in error


@pytest.mark.parametrize(
    ("metric", "column"),
    [("roc_auc_score", _TWO), ("log_loss", _TWO), ("r2_score", _NUMBERS), ("pearsonr", _NUMBERS)],
)
@pytest.mark.parametrize("usage", ["public", "private"])
def test_public_and_private_rows_each_need_what_the_metric_needs(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    metric: str,
    column: list[str],
    usage: str,
) -> None:
    other = {"public": "Private", "private": "Public"}[usage]
    usages = [usage.title()] * 4 + [other] * 8
    gold = {"y": ["1"] * 4 + column[4:], "Usage": usages}
    error = told(tmp_path, capsys, f"metrics: [{metric}]\n", gold)
    assert error.startswith(f"The {usage} rows of gold.csv hold ")


def test_the_rows_of_no_weight_are_not_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "mean_absolute_percentage_error"
    settings = f"metrics: [{{function: {name}, params: {{sample_weight: w}}, column: y}}]\n"
    gold = {"y": _with(_NUMBERS, _0="0", _5="0"), "w": _with(["1"] * 12, _0="0")}
    error = told(tmp_path, capsys, settings, gold)
    assert "and 1 of 11 is 0 (gold.csv, line 7)" in error


def test_a_metric_in_a_formula_is_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = (
        "metrics:\n- {name: r, function: pearsonr}\n"
        "- {name: f, formula: r + 1, greater_is_better: true}\n"
    )
    assert "Pearson's r has no value" in told(tmp_path, capsys, settings, {"y": ["1"] * 12})


@pytest.mark.parametrize("layout", ["single", "teams"])
def test_what_only_a_call_tells_is_said_of_the_gold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], layout: str
) -> None:
    """A deviance of this power needs correct numbers above 0, and scikit-learn refuses them."""
    settings = f"metrics: [{{mean_tweedie_deviance: {{power: 3}}}}]\nlayout: {layout}\n"
    ref, res = tmp_path / "input" / "ref", tmp_path / "input" / "res"
    write_csv(ref / "gold.csv", {"id": IDS, "y": _with(_NUMBERS, _3="0")})
    (ref / "scoring.yaml").write_text(settings)
    for team in ("north",) if layout == "single" else ("north", "south"):
        write_csv(res / f"{team}.csv", {"id": IDS, "y": _NUMBERS})
    assert main([str(tmp_path / "input"), str(tmp_path / "output")]) == 2
    told = capsys.readouterr().err
    assert "has no value on gold.csv, even where every prediction is right" in told
    assert "this submission" not in told


def test_in_python_the_words_speak_of_arrays() -> None:
    predictions = {"a": [1.0, 2.0, 3.0], "b": [2.0, 2.0, 3.0]}
    with pytest.raises(ReferenceDataError, match=r"1 of 3 is 0 \(y_true, row 2\)"):
        compare([1.0, 0.0, 2.0], predictions, metrics="mean_absolute_percentage_error")
    with pytest.raises(ReferenceDataError, match=r"^y_true holds the same number for every"):
        compare([2.0, 2.0, 2.0], predictions, metrics="r2_score")


@pytest.mark.parametrize(
    ("metric", "gold", "message"),
    [
        ("entity_f1", [["O", "O"], ["O"]], "y_true holds no entity, so entity F1 has nothing to"),
        ("span_f1", [[], []], "y_true holds no span, so span F1 has nothing to find"),
        ("nDCG@10", {"p": {"d": 0}, "q": {"d": 0}}, "y_true holds no relevant item, so nDCG@10"),
        (
            {"name": "strict", "function": "P(rel=2)@5"},
            {"p": {"d": 1}, "q": {"d": 1}},
            "y_true holds no relevant item",
        ),
        (
            {"function": "f1_score", "params": {"average": "macro"}, "kind": "label_sets"},
            [[], []],
            "y_true holds no example with a label, so macro F1 has nothing to find",
        ),
        ("word_error_rate", ["", " "], "y_true holds no text that is not empty"),
    ],
)
def test_every_kind_of_data_needs_something_to_find(metric: Any, gold: Any, message: str) -> None:
    with pytest.raises(ReferenceDataError, match="^" + message.replace("(", r"\(")):
        compare(gold, {"a": gold, "b": gold}, metrics=[metric])


def test_tags_without_an_entity_have_an_accuracy() -> None:
    gold = [["O", "O"], ["O"]]
    wrong = [["O", "B-X"], ["O"]]
    result = compare(gold, {"a": gold, "b": wrong}, metrics="token_accuracy", resamples=100)
    assert result.leader == "a"


def _degenerate(kind: str) -> tuple[np.ndarray[Any, Any], list[np.ndarray[Any, Any]]]:
    """Return a gold of one class or one number, and predictions that differ."""
    rng = np.random.default_rng(3)
    if kind == "labels":
        return np.zeros(20, np.int64), [rng.integers(0, 2, 20) for _ in range(2)]
    if kind == "numbers":
        return np.full(20, 2.0), [rng.gamma(2.0, 1.0, 20) for _ in range(2)]
    return np.zeros(20, np.int64), [rng.random(20) for _ in range(2)]


@pytest.mark.parametrize(
    "name", [name for name, one in REGISTRY.items() if name in cases.PARAMS and not one.per_unit]
)
def test_a_metric_that_asks_nothing_has_a_value_on_a_gold_of_one_class_or_number(
    name: str,
) -> None:
    """So a new metric that needs more of its gold cannot be forgotten."""
    for params in cases.PARAMS[name]:
        metric = cases.metric(name, params)
        gold, predicted = _degenerate(metric.kind)
        labels = None if metric.kind == "numbers" else np.arange(2)
        data = Data(gold, (), labels)
        wanted = {**metric.all_params}
        if metric.kind != "numbers":
            if "labels" in params and not {*params["labels"]} <= {0, 1}:
                continue
            wanted = {**with_labels_of_data(wanted, data)}
        defect = metric.gold_defect and metric.gold_defect(data, wanted)
        scores = bind(metric, gold, predicted, labels).replicate(np.ones((1, 20), np.uint8))
        # A class without examples may have a value by convention, and others one of their own.
        by_convention = scores.undefined.all() and np.ptp(scores.values) == 0
        undefined = by_convention or not np.isfinite(scores.values).all()
        if metric.gold_defect is not two_classes_of_probabilities:
            assert bool(defect) >= undefined, params


def test_columns_without_names_are_those_of_no_other_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A text and its label in the gold, and labels alone in the submissions."""
    labels = ["good", "bad", "bad", "good", "good", "bad"] * 3
    (tmp_path / "input" / "ref").mkdir(parents=True)
    (tmp_path / "input" / "res").mkdir()
    gold = "".join(f"words of {i} here .\t{label}\n" for i, label in enumerate(labels))
    (tmp_path / "input" / "ref" / "gold.tsv").write_text(gold)
    (tmp_path / "input" / "ref" / "scoring.yaml").write_text("metrics: [accuracy_score]\n")
    for wrong, team in enumerate(("north", "south"), start=1):
        sent = [*(["bad", "good"][label == "bad"] for label in labels[:wrong]), *labels[wrong:]]
        (tmp_path / "input" / "res" / f"{team}.txt").write_text("\n".join(sent) + "\n")
    folders = [str(tmp_path / name) for name in ("input", "output")]
    assert main([*folders, "--resamples", "100"]) == 0
    assert "north is first (accuracy 0.944" in capsys.readouterr().out
