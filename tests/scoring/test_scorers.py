"""Binding metrics to data: names, directions, formulas, files, and what is refused."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from scoring_program.bootstrap.design import draw_counts
from scoring_program.core.errors import DeadheatError, MetricError, SettingsError, SubmissionError
from scoring_program.metrics import REGISTRY, Metric, resolve
from scoring_program.metrics.calls import Call
from scoring_program.metrics.registry import definition_of
from scoring_program.scoring.bind import bind
from scoring_program.scoring.combined import FormulaScorer
from scoring_program.scoring.scorer import Scorer
from scoring_program.settings.checks import MetricSpec
from tests.sweeps import swept

RNG = np.random.default_rng(11)
GOLD = RNG.integers(0, 3, 50)
GOOD, BAD = np.where(RNG.random(50) < 0.8, GOLD, 0), RNG.integers(0, 3, 50)


def one(spec: MetricSpec, folder: Path | None = None) -> Metric:
    (metric,) = resolve([spec], folder)
    return metric


def own(tmp_path: Path, text: str, name: str = "score") -> Metric:
    (tmp_path / "own.py").write_text(text)
    return one(MetricSpec("own", f"own.py:{name}", greater_is_better=True), tmp_path)


def test_fast_metrics_do_not_import_scikit_learn() -> None:
    # Its import takes longer than resampling a usual competition does.
    code = (
        "import sys, numpy as np\n"
        "from scoring_program.metrics import REGISTRY, resolve\n"
        "from scoring_program.scoring.bind import bind\n"
        "from scoring_program.bootstrap.design import Design\n"
        "from scoring_program.bootstrap.resample import resample\n"
        "from scoring_program.settings.checks import MetricSpec\n"
        "y = np.arange(40) % 2\n"
        "specs = [MetricSpec(f, f) for f in ('f1_score', 'roc_auc_score', 'mean_absolute_error')]\n"
        "metrics = resolve(specs, None)\n"
        "bound = [bind(m, y, [y if m.kind == 'labels' else y * 1.0]) for m in metrics]\n"
        "resample(bound, Design(40), 50, 0)\n"
        "slow = {'sklearn', 'scipy', 'pandas', 'joblib', 'statsmodels'}\n"
        "print(*slow & {name.partition('.')[0] for name in sys.modules})\n"
    )
    environment = {
        "OPENBLAS_NUM_THREADS": "1",
        "PATH": "",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment
    )
    assert (run.stdout.strip(), run.stderr) == ("", "")


@pytest.mark.parametrize("name", REGISTRY)
def test_registry_agrees_with_scikit_learn(name: str) -> None:
    definition = REGISTRY[name]
    if definition.oracle or definition.statistics is not None or definition.kind == "label_sets":
        return  # not scikit-learn's
    known = definition_of(name, None, name)
    assert known.greater_is_better == definition.greater_is_better
    assert known.kind in (definition.kind, "labels")


@pytest.mark.parametrize(
    ("function", "better", "kind"),
    [
        ("adjusted_rand_score", True, "labels"),
        ("d2_absolute_error_score", True, "numbers"),
        ("mean_tweedie_deviance", False, "numbers"),
        ("top_k_accuracy_score", True, "scores"),
    ],
)
def test_other_functions_of_scikit_learn(function: str, better: bool, kind: str) -> None:
    metric = one(MetricSpec("x", function))
    assert (metric.greater_is_better, metric.kind, metric.evaluation) == (
        better,
        kind,
        "called",
    )


def test_functions_of_scores_know_every_class() -> None:
    """Also where one is not drawn, and which label a single score is for."""
    gold = np.array(["a", "b"] * 20 + ["c"])
    each = np.random.default_rng(0).dirichlet((1, 1, 1), 41)
    counts = draw_counts(np.random.default_rng(1), 41, 50)
    assert (counts[:, -1] == 0).any()
    labels = np.array(["a", "b", "c"])
    scorer = bind(one(MetricSpec("x", "top_k_accuracy_score")), gold, [each], labels)
    assert np.isfinite(scorer.replicate(counts).values).all()
    two = bind(
        one(MetricSpec("x", "top_k_accuracy_score", {"k": 1, "pos_label": "b"})),
        gold[:40],
        [each[:40, 0], np.stack([1 - each[:40, 0], each[:40, 0]], axis=1)],
        labels[:2],
    )
    assert two.observed[0] == two.observed[1]
    of_one_label = (gold[:40] == "a").astype(np.uint8)[None]
    assert np.isfinite(two.replicate(of_one_label).values).all()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (MetricSpec("x", "f1_scor"), "did you mean 'f1_score'"),
        (MetricSpec("x", "fscore"), "did you mean 'f1_score'"),
        (MetricSpec("x", "roc_curve"), "direction|greater_is_better"),
        (MetricSpec("x", "pairwise_distances"), "does not compare predictions"),
        (MetricSpec("x", "f1_score", {"sample_weight": [1]}), "expected the name of a column"),
        (MetricSpec("x", "f1_score", greater_is_better=False), "contradicts f1_score"),
        (MetricSpec("x", "spearmanr", {"alternative": "less"}), "no parameter 'alternative'"),
        (MetricSpec("x"), "either a function or a formula"),
        (MetricSpec("x", formula="x + 1", greater_is_better=True), "defined by itself"),
        (MetricSpec("x", formula="y + 1", greater_is_better=True), "names 'y'"),
        (MetricSpec("x", formula="__import__('os')"), "may hold numbers"),
        (MetricSpec("x", formula="y if y else 1"), "may hold numbers"),
        (MetricSpec("x", formula=" % ".join(["y"] * 1500)), "may hold numbers"),
        (MetricSpec("x", formula="y * 1" + "0" * 400), "a number that is too large"),
        (MetricSpec("x", formula="y * 1e400"), "a number that is too large"),
        (MetricSpec("x", formula="1 +"), "is not arithmetic"),
        (MetricSpec("x", formula="1 + 1"), "names no metric"),
        (MetricSpec("x", "own.py:score"), "must lie next to a settings file"),
    ],
)
def test_settings_that_are_refused(spec: MetricSpec, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        resolve([spec], None)


def test_two_metrics_of_one_name_are_refused() -> None:
    with pytest.raises(SettingsError, match="two metrics are called 'x'"):
        resolve([MetricSpec("x", "f1_score"), MetricSpec("x", "accuracy_score")], None)


def test_parameters_without_statistics_call_the_function() -> None:
    metric = one(MetricSpec("count", "accuracy_score", {"normalize": False}))
    assert metric.evaluation == "called"
    np.testing.assert_array_equal(bind(metric, GOLD, [GOLD]).observed, [50])


def test_definition_names_function_and_parameters() -> None:
    spec = MetricSpec("x", "f1_score", {"labels": ["a", "b"], "average": "macro"}, column="stance")
    assert one(spec).description == "f1_score(average=macro, labels=[a, b]) of stance"


# Composite metrics: REST-MEX 2022 (Álvarez-Carmona et al. 2022), sentiment and covid tasks.


def test_measure_s_of_rest_mex() -> None:
    specs = [
        MetricSpec("measure_s", formula="(1 / (1 + mae) + f1_a) / 2", greater_is_better=True),
        MetricSpec("mae", "mean_absolute_error"),
        MetricSpec("f1_a", "f1_score", {"average": "macro"}),
    ]
    measure, mae, f1 = resolve(specs, None)
    polarity, attraction = RNG.integers(1, 6, 50).astype(float), GOLD
    guessed = [np.clip(polarity + RNG.integers(-1, 2, 50), 1, 5) for _ in range(2)]
    parts = [bind(mae, polarity, guessed), bind(f1, attraction, [GOOD, BAD])]
    scorer = FormulaScorer(measure, parts)
    counts = draw_counts(np.random.default_rng(0), 50, 30)
    for b, drawn in enumerate(counts):
        rows = np.repeat(np.arange(50), drawn)
        for entry in range(2):
            error = np.abs(polarity - guessed[entry])[rows].mean()
            f1_value = Call(f1, parts[1].data)(
                attraction[rows], parts[1].data.y_preds[entry][rows], "here"
            )
            expected = (1 / (1 + error) + f1_value) / 2
            assert abs(scorer.replicate(counts).values[b, entry] - expected) < 1e-12
    assert scorer.jackknife().shape == (50, 2)
    first, second = scorer.randomized(0, 1, np.ones((1, 50), np.bool_))
    np.testing.assert_allclose([first[0], second[0]], scorer.observed[::-1])


def test_measure_c_of_rest_mex() -> None:
    weeks = ("f1_w0", "f1_w2", "f1_w4", "f1_w8")
    specs = [MetricSpec(week, "f1_score", {"average": "macro"}) for week in weeks]
    formula = "(f1_w0 + 2 * f1_w2 + 4 * f1_w4 + 8 * f1_w8) / 15"
    *parts, measure = resolve([*specs, MetricSpec("measure_c", formula=formula)], None)
    bound = [bind(part, np.roll(GOLD, k), [GOOD, BAD]) for k, part in enumerate(parts)]
    scorer = FormulaScorer(measure, bound)
    assert measure.greater_is_better
    weights = np.array([1, 2, 4, 8]) / 15
    expected = weights @ np.array([part.observed for part in bound])
    np.testing.assert_allclose(scorer.observed, expected, rtol=1e-14)


def test_a_formula_may_be_long() -> None:
    specs = [
        MetricSpec("a", "accuracy_score"),
        MetricSpec("x", formula="+".join(["a"] * 1500)),
    ]
    accuracy, total = resolve(specs, None)
    scorer = bind(accuracy, GOLD, [GOLD])
    assert FormulaScorer(total, [scorer]).observed == [1500.0]


def test_formula_is_undefined_where_it_divides_by_zero() -> None:
    zero, ratio = resolve(
        [
            MetricSpec("loss", "zero_one_loss"),
            MetricSpec("ratio", formula="1 / loss", greater_is_better=True),
        ],
        None,
    )
    scorer = FormulaScorer(ratio, [bind(zero, GOLD, [GOLD, BAD])])
    scored = scorer.replicate(np.ones((1, 50), np.uint8))
    assert np.isnan(scored.values[0, 0])
    assert scored.undefined[0, 0]
    with pytest.raises(MetricError, match="'ratio' is undefined for entry 1"):
        _ = scorer.observed


# An organizer's own function


def test_own_function_is_called_on_the_resampled_rows(tmp_path: Path) -> None:
    metric = own(
        tmp_path, "def score(y_true, y_pred):\n    return float((y_true == y_pred).mean())\n"
    )
    accuracy = one(MetricSpec("accuracy", "accuracy_score"))
    counts = draw_counts(np.random.default_rng(0), 50, 20)
    mine, fast = (bind(each, GOLD, [GOOD, BAD]) for each in (metric, accuracy))
    np.testing.assert_allclose(mine.replicate(counts).values, fast.replicate(counts).values)
    np.testing.assert_allclose(mine.observed, fast.observed)


def test_own_file_may_say_kind_and_direction(tmp_path: Path) -> None:
    text = "kind = 'scores'\ngreater_is_better = False\ndef loss(y_true, y_pred):\n    return 0.0\n"
    (tmp_path / "own.py").write_text(text)
    metric = one(MetricSpec("own", "own.py:loss"), tmp_path)
    assert (metric.kind, metric.greater_is_better) == ("scores", False)


def test_kaggles_function_is_given_data_frames(tmp_path: Path) -> None:
    text = (
        "def score(solution, submission, row_id_column_name):\n"
        "    del solution[row_id_column_name], submission[row_id_column_name]\n"
        "    assert len(solution) == 50\n"
        "    return float((solution['y'] - submission['y']).abs().mean())\n"
    )
    metric = own(tmp_path, text)
    assert metric.kind == "table"
    ids = np.arange(50).astype(str)
    tables = [{"id": ids, "y": np.char.mod("%.1f", column / 2)} for column in (GOLD, GOOD, BAD)]
    scorer = bind(metric, tables[0], tables[1:])
    expected = [np.abs(GOLD - GOOD).mean() / 2, np.abs(GOLD - BAD).mean() / 2]
    np.testing.assert_allclose(scorer.observed, expected)
    counts = draw_counts(np.random.default_rng(0), 50, 5)
    assert np.isfinite(scorer.replicate(counts).values).all()


KAGGLE = (
    "def score(solution, submission, row_id_column_name):\n"
    "    return float((solution['y'] == submission['y']).mean())\n"
)


def test_a_resample_does_not_change_the_type_of_kaggles_columns(tmp_path: Path) -> None:
    """A column with one word is text, also where the word is not drawn."""
    gold, entry = np.array(["1", "2", "none", "2"] * 5), np.array(["1", "2", "none", "1"] * 5)
    gold[2::4] = "3"
    gold[2] = "none"
    tables = [{"id": np.arange(20), "y": column} for column in (gold, entry)]
    scorer = bind(own(tmp_path, KAGGLE), tables[0], tables[1:])
    counts = draw_counts(np.random.default_rng(0), 20, 30)
    assert (counts[:, 2] == 0).any()
    np.testing.assert_allclose(scorer.replicate(counts).values[:, 0], counts @ (gold == entry) / 20)
    swap = np.random.default_rng(1).random((20, 20)) < 0.5
    both = bind(own(tmp_path, KAGGLE), tables[0], [tables[1], tables[0]])
    ours, theirs = both.randomized(0, 1, swap)
    np.testing.assert_allclose(ours, np.where(swap, True, gold == entry).mean(axis=1))
    np.testing.assert_allclose(theirs, np.where(swap, gold == entry, True).mean(axis=1))


def test_integers_too_long_for_a_number_stay_text(tmp_path: Path) -> None:
    table = {"id": np.arange(2), "y": np.array(["9" * 22, "9" * 21 + "8"])}
    other = {**table, "y": table["y"][[0, 0]]}
    assert bind(own(tmp_path, KAGGLE), table, [other]).observed == [0.5]


def test_predictions_of_different_columns_cannot_be_exchanged(tmp_path: Path) -> None:
    table = {"id": np.arange(2), "y": np.array(["1", "2"])}
    scorer = bind(own(tmp_path, KAGGLE), table, [table, {**table, "z": table["y"]}])
    with pytest.raises(MetricError, match="they have different columns"):
        scorer.randomized(0, 1, np.ones((1, 2), np.bool_))


@pytest.mark.parametrize("name", ["mean_absolute_error", "root_mean_squared_error"])
def test_exchanging_errors_leaves_no_rounding(name: str) -> None:
    """Errors that all go to the other entry leave exactly none."""
    rng = np.random.default_rng(5)
    gold = rng.normal(size=30)
    scorer = bind(one(MetricSpec("x", name)), gold, [gold, gold + rng.normal(size=30)])
    swap = np.ones((1, 30), np.bool_)
    perfect, other = scorer.randomized(1, 0, swap)
    assert perfect == [0.0]
    np.testing.assert_allclose(other, scorer.observed[1], rtol=1e-14)
    errors = np.zeros(30)
    errors[::2] = np.abs(rng.normal(size=15))
    wrong = bind(one(MetricSpec("x", name)), gold, [gold + errors])
    units = np.arange(30) % 2
    np.testing.assert_allclose(wrong.jackknife(units)[0], 0.0, atol=1e-7)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return y_true", "an array of shape"),
        ("return 'good'", "must return one number"),
        ("return None", "must return one number"),
        ("import numpy; return numpy.ma.masked", "must return one number.*MaskedConstant"),
        ("return [1, [2, 3]]", "must return one number; .* it returned list"),
        ("return float('inf')", "returned inf on the whole test set"),
        ("import random; return random.random()", "called twice on .* only on its arguments"),
        (
            "y_true.flags.writeable = True; y_true[0] = 5; return 1.0",
            "ValueError in own.py, line 2",
        ),
        ("raise GeneratorExit", "GeneratorExit in own.py, line 2"),
        ("y_pred[0] = y_true[0]; return 1.0", "must not change its arguments"),
        ("raise KeyError('x')", "KeyError"),
    ],
)
def test_own_function_that_misbehaves(tmp_path: Path, body: str, message: str) -> None:
    metric = own(tmp_path, f"def score(y_true, y_pred):\n    {body}\n")
    with pytest.raises(MetricError, match=message) as caught:
        _ = bind(metric, GOLD, [GOOD.copy()], names=["A"]).observed
    assert "'own'" in str(caught.value)
    assert "whole test set (A)" in str(caught.value)
    assert re.search(r"\d\.\d", str(caught.value)) is None  # participants may read it


def test_own_function_that_changes_a_table(tmp_path: Path) -> None:
    """Its next call would read what the last one wrote."""
    text = "kind = 'table'\ndef score(y_true, y_pred):\n    y_true['y'][:] = '0'\n    return 1.0\n"
    table = {"y": np.array(["0", "1", "1"], dtype=object)}
    with pytest.raises(MetricError, match="must not change its arguments"):
        _ = bind(own(tmp_path, text), table, [dict(table)]).observed
    assert table["y"].tolist() == ["0", "1", "1"]


@pytest.mark.parametrize("kaggle", [False, True])
def test_own_function_that_depends_on_the_order_of_rows(tmp_path: Path, kaggle: bool) -> None:
    """Ties of predictions that it breaks by order are its own affair."""
    gold = np.arange(8.0) ** 1.5
    body = "return float(abs(wrong[1:] - wrong[:-1]).mean())"
    text = f"def score(y_true, y_pred):\n    wrong = y_true - y_pred\n    {body}\n"
    if kaggle:
        text = (
            "def score(solution, submission, row_id_column_name):\n"
            f"    wrong = (solution['y'] - submission['y']).to_numpy()\n    {body}\n"
        )
    metric = own(tmp_path, text)
    moved, tied = gold + gold % 1.3, np.round(gold % 1.3)
    y_true, *predictions = (({"y": y} if kaggle else y) for y in (gold, moved, tied))
    for y_pred in predictions:
        with pytest.raises(SettingsError, match=r"own\.py:score returns another number where"):
            _ = bind(metric, y_true, [y_pred]).observed
    by_prediction = "def score(y_true, y_pred):\n    order = y_pred.argsort(kind='stable')\n"
    first = own(tmp_path, by_prediction + "    return float(y_true[order][:3].sum())\n")
    assert bind(first, gold, [tied]).observed > 0


def test_a_correlation_owes_nothing_to_rivals() -> None:
    """Neither to their offsets nor to their spread."""
    rng = np.random.default_rng(2)
    gold = rng.normal(size=200)
    mine = gold + rng.normal(size=200)
    (metric,) = resolve([MetricSpec("r", "pearsonr")], None)
    found = [
        bind(metric, gold, [mine, factor * mine + offset]).observed
        for factor, offset in ((1.0, 0.0), (0.5, 1000.0), (1e-3, 1.0))
    ]
    assert len({scores[0] for scores in found}) == 1
    for scores in found:
        assert scores[1] == pytest.approx(np.corrcoef(gold, mine)[0, 1], abs=1e-10)


def test_what_the_participant_may_see_is_theirs_to_fix(tmp_path: Path) -> None:
    text = (
        "class ParticipantVisibleError(Exception):\n    pass\n"
        "def score(y_true, y_pred):\n    raise ParticipantVisibleError('scores must fall')\n"
    )
    with pytest.raises(SubmissionError, match="scores must fall"):
        _ = bind(own(tmp_path, text), GOLD, [GOOD]).observed


def test_what_it_quotes_is_visible_and_cut(tmp_path: Path) -> None:
    """An organizer's message may quote a participant's cell, and others read it in a terminal."""
    text = (
        "class ParticipantVisibleError(Exception):\n    pass\n"
        "def score(y_true, y_pred):\n"
        "    raise ParticipantVisibleError('found:\\n\\x1b[2J \\u202e \\u3164' + 'x' * 2_000_000)\n"
    )
    with pytest.raises(SubmissionError) as caught:
        _ = bind(own(tmp_path, text), GOLD, [GOOD]).observed
    message = str(caught.value)
    assert "found:\n<U+001B>[2J <U+202E> <U+3164>xxx" in message
    assert len(message) < 1200


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import nothing_of_this_name\n", "cannot be loaded"),
        ("def scores(a, b):\n    return 1\n", "did you mean 'scores'"),
        ("kind = 'odd'\ndef score(a, b):\n    return 1\n", "kind = 'odd'"),
        ("score = max\n", r"wrap it in 'def score\(y_true, y_pred\):'"),
        ("class Own(BaseException): ...\nraise Own\n", "cannot be loaded: Own in own.py, line 2"),
        ("def score(a, b):\n  return 1 +\n", "cannot be loaded: SyntaxError in own.py, line 2"),
    ],
)
def test_own_file_that_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        own(tmp_path, text)


def test_own_file_must_lie_beside_the_settings(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="must be in the folder"):
        one(MetricSpec("x", "../x.py:score", greater_is_better=True), tmp_path)


# Predictions that are not what the metric needs


@pytest.mark.parametrize(
    ("function", "gold", "predicted", "message"),
    [
        ("log_loss", GOLD, np.array(["a"] * 50), "needs probabilities; A has labels"),
        ("roc_auc_score", GOLD, np.array(["a"] * 50), "needs scores; A has labels"),
        ("log_loss", GOLD, np.full((50, 3), 0.5), "do not sum to 1 in row 1 and in 49 more"),
        ("log_loss", GOLD % 2, np.full(50, 1.5), r"outside \[0, 1\] in row 1"),
        ("brier_score_loss", GOLD % 2, np.full(50, np.nan), "not a finite number"),
        ("f1_score", GOLD, np.full(50, 0.3), "needs one label per row"),
        ("accuracy_score", GOLD, GOLD[:40], "40 predictions for 50 rows"),
        ("mean_absolute_error", np.array(["a"] * 50), np.ones(50), "reference data hold labels"),
        ("f1_score", GOLD, GOOD, "average='binary' needs two labels"),
        ("mean_gamma_deviance", GOLD, np.ones(50), "Gamma deviance needs"),
        ("roc_auc_score", GOLD, np.full(50, 0.5), "one score"),
    ],
)
def test_data_that_are_refused(
    function: str, gold: np.ndarray, predicted: np.ndarray, message: str
) -> None:
    with pytest.raises(DeadheatError, match=message):
        bind(one(MetricSpec("x", function)), gold, [predicted], names=["A"])


# What scorers promise


@pytest.mark.parametrize("name", ["f1_score", "spearmanr"])
def test_scorers_survive_pickling(name: str) -> None:
    params = {"average": "macro"} if name == "f1_score" else {}
    scorer = bind(one(MetricSpec("x", name, params)), GOLD, [GOOD, BAD])
    counts = draw_counts(np.random.default_rng(0), 50, 5)
    values = scorer.replicate(counts).values
    again: Scorer = pickle.loads(pickle.dumps(scorer))
    np.testing.assert_array_equal(again.replicate(counts).values, values)


def test_diagnostics_count_minority_disagreements_and_errors() -> None:
    accuracy = bind(one(MetricSpec("x", "accuracy_score")), GOLD, [GOOD, BAD]).diagnostics
    assert accuracy.correct is not None
    np.testing.assert_array_equal(accuracy.correct[:, 0], GOOD == GOLD)
    assert accuracy.minority is None
    assert accuracy.disagreements[0, 1] == (GOOD != BAD).sum()
    f1 = bind(one(MetricSpec("x", "f1_score", {"average": "macro"})), GOLD, [GOOD, BAD]).diagnostics
    assert f1.minority == np.bincount(GOLD).min()


@pytest.mark.parametrize("name", ["mean_absolute_error", "accuracy_score", "spearmanr"])
def test_equal_predictions_have_equal_scores_wherever_they_stand(name: str) -> None:
    n, m = 5000, 23
    rng = np.random.default_rng(2)
    labels = REGISTRY[name].kind == "labels"
    gold = rng.integers(0, 2, n) if labels else rng.random(n)
    others = [rng.permutation(gold) for _ in range(m)]
    others[0] = others[7] = others[-1]
    scorer = bind(one(MetricSpec("x", name)), gold, others)
    values = scorer.replicate(draw_counts(rng, n, 30)).values
    for scores in (scorer.observed[None], values):
        np.testing.assert_array_equal(scores[:, 0], scores[:, -1])
        np.testing.assert_array_equal(scores[:, 7], scores[:, -1])


def test_sums_stay_exact_when_one_block_is_drawn_too_often() -> None:
    n = 4000
    gold = RNG.integers(0, 2, n)
    scorer = bind(one(MetricSpec("x", "accuracy_score")), gold, [RNG.permutation(gold), gold])
    counts = np.zeros((2, n), np.uint8)
    counts[0, :40] = 255
    counts[1, 2000:2100] = 200
    right = gold == scorer.data.y_preds[0]
    expected = (counts * right).sum(axis=1) / counts.sum(axis=1)
    np.testing.assert_array_equal(scorer.replicate(counts).values[:, 0], expected)


@pytest.mark.parametrize(
    ("function", "params", "column"),
    [
        ("roc_auc_score", {"pos_label": "yes"}, 1),
        ("roc_auc_score", {"pos_label": "no"}, 0),
        ("average_precision_score", {"pos_label": "yes"}, 1),
        ("average_precision_score", {"pos_label": "no"}, 0),
        ("roc_auc_score", {"max_fpr": 0.5, "pos_label": "no"}, 0),
        ("hinge_loss", {"pos_label": "yes"}, 1),
    ],
)
def test_of_two_columns_the_positive_labels_is_taken(
    function: str, params: dict[str, object], column: int
) -> None:
    rng = np.random.default_rng(0)
    gold = np.where(rng.random(60) < 0.4, "yes", "no")
    both = rng.dirichlet((1, 1), 60)
    (metric,) = resolve([MetricSpec("m", function, params)], None)
    labels = np.array(["no", "yes"])
    found = bind(metric, gold, [both, both[:, column].copy()], labels)
    assert found.observed[0] == found.observed[1]
    counts = draw_counts(np.random.default_rng(1), 60, 20)
    values = found.replicate(counts).values
    np.testing.assert_array_equal(values[:, 0], values[:, 1])


@pytest.mark.parametrize("weight", [{}, {"sample_weight": "weight"}])
@pytest.mark.parametrize(
    ("function", "params"),
    [
        ("roc_auc_score", {}),
        ("roc_auc_score", {"max_fpr": 0.5}),
        ("average_precision_score", {}),
        ("log_loss", {}),
        ("log_loss", {"labels": ["hate", "none"]}),
        ("brier_score_loss", {}),
        ("d2_log_loss_score", {}),
        ("hinge_loss", {}),
    ],
)
@pytest.mark.parametrize("columns", swept([1, 2, 3]))
def test_a_positive_label_need_not_sort_last(
    function: str, params: dict[str, object], weight: dict[str, str], columns: int
) -> None:
    from sklearn import metrics as library

    rng = np.random.default_rng(0)
    labels = np.array(["hate", "none", "off"][: max(columns, 2)])
    gold, weights = labels[rng.integers(0, len(labels), 60)], rng.random(60)
    each = rng.dirichlet(np.ones(len(labels)), 60)
    (metric,) = resolve(
        [MetricSpec("m", function, {**params, **weight, "pos_label": "hate"})], None
    )
    given = each[:, 0] if columns == 1 else each
    found = bind(metric, gold, [given], labels, weights=weights if weight else None)
    own = getattr(library, function)
    kept = {key: value for key, value in params.items() if key != "labels"}
    for row in (np.ones(60, np.intp), *draw_counts(np.random.default_rng(1), 60, 5)):
        value = found.replicate(row[None].astype(np.uint8)).values[0, 0]
        counted = row * weights if weight else row
        assert value == pytest.approx(
            own(gold == "hate", each[:, 0], sample_weight=counted, **kept)
        )


@pytest.mark.parametrize("function", ["roc_auc_score", "log_loss"])
def test_columns_of_both_labels_need_no_positive_one(function: str) -> None:
    from sklearn import metrics as library

    gold = np.array(["hate", "none"])[RNG.integers(0, 2, 60)]
    both = RNG.dirichlet((1, 1), 60)
    found = bind(one(MetricSpec("m", function)), gold, [both], np.array(["hate", "none"]))
    assert found.observed[0] == pytest.approx(
        getattr(library, function)(gold == "none", both[:, 1])
    )


@pytest.mark.parametrize("function", ["log_loss", "brier_score_loss", "d2_log_loss_score"])
def test_probabilities_of_one_label_and_of_both_are_alike(function: str) -> None:
    gold = np.arange(40) % 3 % 2
    both = np.random.default_rng(0).dirichlet((1, 1), 40)
    (metric,) = resolve([MetricSpec("m", function)], None)
    found = bind(metric, gold, [both, both[:, 1].copy()], np.arange(2))
    assert found.observed[0] == pytest.approx(found.observed[1], rel=1e-12)
    assert found.diagnostics.disagreements[0, 1] == 40


@pytest.mark.parametrize("function", ["roc_auc_score", "average_precision_score", "log_loss"])
def test_one_score_among_scores_of_several_labels(function: str) -> None:
    gold = np.arange(40) % 3
    each = np.random.default_rng(0).dirichlet((1, 1, 1), 40)
    params = {"multi_class": "ovr"} if function == "roc_auc_score" else {}
    (metric,) = resolve([MetricSpec("m", function, params)], None)
    with pytest.raises(SubmissionError, match="B has one score per row"):
        bind(metric, gold, [each, each[:, 1].copy()], np.arange(3), names=["A", "B"])


def test_probabilities_of_few_digits_have_an_area_under_the_curve() -> None:
    gold = np.arange(40) % 3
    rounded = np.random.default_rng(0).dirichlet((1, 1, 1), 40).round(4)
    assert np.abs(rounded.sum(axis=1) - 1).max() > 5e-5
    (metric,) = resolve([MetricSpec("m", "roc_auc_score", {"multi_class": "ovr"})], None)
    found = bind(metric, gold, [rounded], np.arange(3))
    areas = [roc_auc_score(gold == label, rounded[:, label]) for label in range(3)]
    assert found.observed[0] == pytest.approx(np.mean(areas), rel=1e-12)


def test_scores_that_are_no_probabilities_have_no_area_under_the_curve_of_several_classes() -> None:
    (metric,) = resolve([MetricSpec("m", "roc_auc_score", {"multi_class": "ovr"})], None)
    scores = np.full((6, 3), 1 / 3 + 1e-3)
    with pytest.raises(MetricError, match="needs probabilities that sum to 1"):
        bind(metric, np.arange(6) % 3, [scores], np.arange(3))


@pytest.mark.parametrize(
    ("function", "scores"),
    [
        ("average_precision_score", np.full(10, 0.5)),
        ("average_precision_score", np.full((10, 2), 0.5)),
        ("brier_score_loss", np.full(10, 0.5)),
    ],
)
def test_a_positive_label_that_does_not_exist(function: str, scores: np.ndarray) -> None:
    (metric,) = resolve([MetricSpec("m", function, {"pos_label": "maybe"})], None)
    gold = np.array(["no", "yes"] * 5)
    with pytest.raises(MetricError, match="pos_label='maybe'"):
        bind(metric, gold, [scores], np.array(["no", "yes"]))


#: Labels of a gold, a setting that means the second of them, and that label.
MEANT = [
    ([0, 1], "1", 1),
    ([0, 1], "01", 1),
    ([0, 1], True, 1),
    (["False", "True"], True, "True"),
    (["false", "true"], True, "true"),
    (["00", "1"], 1, "1"),
]


@pytest.mark.parametrize(("labels", "setting", "label"), MEANT)
@pytest.mark.parametrize(
    ("function", "params"),
    [
        ("f1_score", {}),
        ("recall_score", {}),
        ("average_precision_score", {}),
        ("brier_score_loss", {}),
        ("f1_score", {"average": "macro", "labels": True}),
        ("cohen_kappa_score", {"labels": True}),
        ("log_loss", {"labels": True}),
    ],
)
def test_labels_in_parameters_are_matched_by_how_they_are_written(
    labels: list[object], setting: object, label: object, function: str, params: dict[str, object]
) -> None:
    from sklearn import metrics as library

    known = np.array(labels)
    gold, guess = known[RNG.integers(0, 2, (2, 60))]
    asked = {**params, "pos_label": setting}
    given = {**params, "pos_label": label}
    if "labels" in params:
        asked = {**params, "labels": [labels[0], setting]}
        given = {**params, "labels": [labels[0], label]}
    (metric,) = resolve([MetricSpec("m", function, asked)], None)
    predicted = guess if metric.kind == "labels" else RNG.random(60)
    found = bind(metric, gold, [predicted], known)
    own = getattr(library, function)
    assert found.observed[0] == pytest.approx(own(gold, predicted, **given), rel=1e-12)
    # On resamples too; the signature keeps what the settings said.
    counts = draw_counts(np.random.default_rng(1), 60, 5)
    for row, value in zip(counts, found.replicate(counts).values[:, 0], strict=True):
        rows = np.repeat(np.arange(60), row)
        assert value == pytest.approx(own(gold[rows], predicted[rows], **given), rel=1e-9)
    assert str(setting) in found.metric.description


@pytest.mark.parametrize(
    ("function", "labels", "params", "message"),
    [
        ("f1_score", ["01", "02"], {"pos_label": 1}, "in quotes and in the same letters"),
        ("average_precision_score", ["01", "02"], {"pos_label": 1}, "in quotes and in the same"),
        ("average_precision_score", ["no", "yes"], {}, "which of the two labels the scores refer"),
        ("average_precision_score", [1, 2], {}, "which of the two labels the scores refer"),
        ("brier_score_loss", ["no", "yes"], {}, "which of the two labels the scores refer"),
        ("roc_auc_score", ["no", "yes"], {}, "which of the two labels the scores refer"),
        ("roc_auc_score", ["no", "yes"], {"max_fpr": 0.5}, "which of the two labels"),
        ("log_loss", ["hate", "none"], {}, "which of the two labels the scores refer"),
        ("log_loss", [1, 2], {"labels": [1, 2]}, "which of the two labels the scores refer"),
        ("d2_log_loss_score", ["no", "yes"], {}, "which of the two labels the scores refer"),
        ("hinge_loss", ["no", "yes"], {}, "which of the two labels the scores refer"),
        ("f1_score", ["True", "true"], {"pos_label": True}, "pos_label=True is not one"),
        ("f1_score", [1, 2], {"average": "macro", "labels": ["a", "b"]}, "texts in quotes"),
        ("f1_score", [1, 2], {"average": "macro", "labels": [1, "1"]}, "names a label twice"),
    ],
)
def test_a_label_in_parameters_that_is_none(
    function: str, labels: list[object], params: dict[str, object], message: str
) -> None:
    known = np.array(labels)
    gold = known[np.arange(20) % 2]
    (metric,) = resolve([MetricSpec("m", function, params)], None)
    predicted = gold if metric.kind == "labels" else np.full(20, 0.5)
    with pytest.raises((MetricError, SettingsError), match=message):
        bind(metric, gold, [predicted], known)


def test_an_organizers_own_parameters_are_left_alone(tmp_path: Path) -> None:
    text = "def score(y, p, labels=()):\n    return float(labels == ['1', True])\n"
    (tmp_path / "own.py").write_text(text)
    spec = MetricSpec("own", "own.py:score", {"labels": ["1", True]}, greater_is_better=True)
    assert bind(one(spec, tmp_path), GOLD, [GOOD]).observed.tolist() == [1.0]


@pytest.mark.parametrize(
    ("spec", "classes", "worst"),
    [
        (MetricSpec("f1", "f1_score", params={"average": "macro"}), 3, 0),
        (MetricSpec("loss", "zero_one_loss"), 3, 1),
        (MetricSpec("phi", "matthews_corrcoef"), 3, -1),
        (MetricSpec("balanced", "balanced_accuracy_score", params={"adjusted": True}), 3, -1),
        (MetricSpec("brier", "brier_score_loss"), 2, 1),
        (MetricSpec("brier", "brier_score_loss"), 3, 2),
        (MetricSpec("brier", "brier_score_loss", params={"pos_label": 1}), 3, 1),
    ],
)
def test_who_has_no_predictions_gets_the_worst_value(
    spec: MetricSpec, classes: int, worst: float
) -> None:
    gold = GOLD % classes
    labels = np.arange(classes)
    rng = np.random.default_rng(0)
    good = BAD % classes if spec.name != "brier" else rng.dirichlet(np.ones(classes), gold.size)
    good = good[:, 1] if good.ndim == 2 and classes == 2 else good
    alone = bind(one(spec), gold, [None], labels)
    counts = draw_counts(rng, gold.size, 5)
    assert alone.observed.tolist() == [worst]
    assert (alone.replicate(counts).values == worst).all()
    both = bind(one(spec), gold, [None, good, None], labels, ["A", "B", "C"])
    scored = bind(one(spec), gold, [good], labels)
    assert both.observed.tolist() == [worst, float(scored.observed[0]), worst]
    assert np.array_equal(both.replicate(counts).values[:, 1:2], scored.replicate(counts).values)
    for scorer in (both.keep([1, 2], ["B", "C"]), both.keep([0, 2], ["A", "C"]), alone):
        assert scorer.m == len(scorer.names) == scorer.observed.size
        assert scorer.take(np.arange(40)).replicate(counts[:, :40]).values.shape == (5, scorer.m)
        influence = scorer.influence(None, 100)
        assert influence is not None
        assert influence.shape == (gold.size, scorer.m)
        assert scorer.diagnostics.disagreements.shape == (scorer.m, scorer.m)
    assert both.diagnostics.disagreements[:, 0].tolist() == [0, gold.size, 0]
    with pytest.raises(SettingsError, match="needs the predictions of every submission"):
        both.randomized(0, 1, counts > 0)


@pytest.mark.parametrize("function", ["log_loss", "r2_score", "mean_absolute_error"])
def test_a_metric_without_a_worst_value_is_refused(function: str) -> None:
    with pytest.raises(SettingsError, match="the worst value of its metrics, but 'x' has none"):
        bind(one(MetricSpec("x", function)), GOLD, [None])
