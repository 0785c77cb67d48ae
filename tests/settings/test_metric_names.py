"""Names of metrics: scikit-learn's scorers, what people say, and what stands beside a name."""

from __future__ import annotations

from pathlib import Path

import pytest
from sklearn.metrics import get_scorer, get_scorer_names

from scoring_program.core.errors import SettingsError
from scoring_program.metrics.resolve import resolve
from scoring_program.settings.checks import SCORERS, MetricSpec
from scoring_program.settings.loading import load

#: Scorers whose function has the same name, or is no function of sklearn.metrics.
_OTHERS = {"neg_negative_likelihood_ratio", "positive_likelihood_ratio"}


def read(folder: Path, metrics: str) -> tuple[MetricSpec, ...]:
    path = folder / "scoring.yaml"
    path.write_text(f"metrics:\n{metrics}", encoding="utf-8")
    return load(path).metrics


def test_every_scorer_is_what_scikit_learn_says() -> None:
    for name in get_scorer_names():
        scorer = get_scorer(name)
        function, params = SCORERS.get(name, (name, {}))
        if name in _OTHERS:
            continue
        assert function == scorer._score_func.__name__, name
        given = {key: value for key, value in scorer._kwargs.items() if key != "pos_label"}
        assert params == {key: value for key, value in given.items() if value != "binary"}, name


def test_settings_take_the_names_of_scorers(tmp_path: Path) -> None:
    specs = read(tmp_path, "  - accuracy\n  - f1_macro\n  - neg_mean_absolute_error\n")
    assert [(item.name, item.function, item.params) for item in specs] == [
        ("accuracy", "accuracy_score", {}),
        ("f1_macro", "f1_score", {"average": "macro"}),
        ("mean_absolute_error", "mean_absolute_error", {}),
    ]
    found = resolve(specs, None)
    assert [item.label for item in found] == ["accuracy", "macro F1", "MAE"]
    assert [item.greater_is_better for item in found] == [True, True, False]


def test_a_function_names_its_metric(tmp_path: Path) -> None:
    (bleu, own) = read(tmp_path, "  - function: bleu\n  - function: my_metric.py:closeness\n")
    assert (bleu.name, bleu.function) == ("bleu", "bleu")
    assert (own.name, own.function) == ("closeness", "my_metric.py:closeness")


def test_keys_stand_beside_a_name_with_parameters(tmp_path: Path) -> None:
    (spec,) = read(
        tmp_path, "  - f1_score: {average: macro}\n    column: stance\n    kind: labels\n"
    )
    assert (spec.name, spec.params, spec.column, spec.kind) == (
        "f1_score", {"average": "macro"}, "stance", "labels"
    )  # fmt: skip
    with pytest.raises(SettingsError, match="line 2: write a metric as 'f1_score'"):
        read(tmp_path, "  - f1_score: {average: macro}\n    colum: stance\n")


@pytest.mark.parametrize(
    ("name", "function", "params"),
    [
        ("mae", "mean_absolute_error", {}),
        ("rmsle", "root_mean_squared_log_error", {}),
        ("mcc", "matthews_corrcoef", {}),
        ("qwk", "cohen_kappa_score", {"weights": "quadratic"}),
        ("wer", "word_error_rate", {}),
        ("map", "AP", {}),
        ("rouge", "rougeL", {}),
    ],
)
def test_short_names_are_names(
    tmp_path: Path, name: str, function: str, params: dict[str, str]
) -> None:
    (spec,) = read(tmp_path, f"  - {name}\n")
    (metric,) = resolve([spec], None)
    assert metric.name == name
    assert metric.function == function
    assert metric.params == params


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("acc", "did you mean 'accuracy_score'"),
        ("Acc.", "did you mean 'accuracy_score'"),
        ("auc", "did you mean 'roc_auc_score'"),
        ("QWK", r"did you mean 'cohen_kappa_score: \{weights: quadratic\}'"),
        ("mAP", "did you mean 'AP'"),
        ("macro_f1", r"write 'f1_score: \{average: macro\}'"),
        ("eer", "has no function 'eer'; for a function of your own, write 'function: my_metric"),
        ("acuracy", "did you mean 'accuracy'"),
        ("wmt22-comet-da", "learned metric"),
        ("dice", "did you mean .f1_score."),
        ("top", "did you mean 'top_k_accuracy'"),  # one of two, whatever the hash order
        ("BERTScore", "learned metric.*give the scores as a table"),
    ],
)
def test_a_name_that_no_metric_has_is_understood(name: str, text: str) -> None:
    with pytest.raises(SettingsError, match=text):
        resolve([MetricSpec("own", name)], None)
