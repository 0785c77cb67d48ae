"""`compare` and `compare_scores`: what they accept, what they refuse, what they find."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as library

import scoring_program as dh
from scoring_program.api import types
from scoring_program.core import methods
from tests.api import data
from tests.competitions import EXAMPLE, Folder, write_csv
from tests.sweeps import thinned

compare = partial(dh.compare, resamples=200)
compare_scores = partial(dh.compare_scores, resamples=200)


def numbers_of(result: dh.Result) -> Any:
    return result.to_dict()["metrics"]


def shuffled(values: Any) -> pd.Series[Any]:
    """Return a Series of values whose index is their place, in another order."""
    return pd.Series(values).sample(frac=1, random_state=3)


@pytest.mark.parametrize(
    "given",
    [
        np.ndarray.tolist,
        lambda values: tuple(values.tolist()),
        lambda values: values[:, np.newaxis],
        lambda values: values.astype(float),
        lambda values: values.astype(str),
        lambda values: values.astype(object),
        pd.Series,
        lambda values: pd.Series(values, dtype="category"),
        lambda values: pd.Series(values, dtype="Int64"),
        lambda values: pd.Series(values, index=[f"x{i}" for i in range(len(values))]),
        shuffled,
    ],
)
def test_every_kind_of_array_gives_the_same(given: Callable[[Any], Any]) -> None:
    y_true, predictions = data.labels()
    expected = compare(y_true, predictions, metrics="f1_macro")
    # What is shuffled is joined by the index of y_true, which stays as it is.
    own = pd.Series(y_true) if given is shuffled else given(y_true)
    found = compare(own, {name: given(y) for name, y in predictions.items()}, metrics="f1_macro")
    assert numbers_of(found) == numbers_of(expected)


def test_a_data_frame_has_a_column_for_each_entry() -> None:
    y_true, predictions = data.labels()
    frame = pd.DataFrame(predictions)
    expected = compare(y_true, predictions, metrics="accuracy")
    assert numbers_of(compare(y_true, frame, metrics="accuracy")) == numbers_of(expected)
    assert expected.entries == ("A", "B")


def test_series_of_other_examples_are_refused() -> None:
    y_true, predictions = data.labels()
    late = pd.Series(predictions["A"], index=range(5, 5 + data.N))
    with pytest.raises(dh.SubmissionError, match="A: its index has 5 unknown labels and lacks 5"):
        compare(pd.Series(y_true), {**predictions, "A": late})
    twice = pd.Series(predictions["A"], index=[0, 0, *range(2, data.N)])
    with pytest.raises(dh.SubmissionError, match="A: an index holds a label twice"):
        compare(pd.Series(y_true), {**predictions, "A": twice})


def test_whatever_has_an_index_is_joined_by_it() -> None:
    y_true, predictions = data.probabilities()
    groups = np.arange(data.N) // 9
    expected = compare(y_true, predictions, metrics="neg_log_loss", groups=groups)
    frames = {
        name: pd.DataFrame(y).sample(frac=1, random_state=3) for name, y in predictions.items()
    }
    gold = pd.Series(y_true)
    found = compare(gold, frames, metrics="neg_log_loss", groups=shuffled(groups))
    assert numbers_of(found) == numbers_of(expected)
    scores = {name: shuffled(values) for name, values in fold_scores().items()}
    scores["tree"] = scores["tree"].sort_index()
    aligned = pd.DataFrame(scores).loc[scores["forest"].index]
    assert numbers_of(compare_scores(scores, greater_is_better=True)) == numbers_of(
        compare_scores(aligned, greater_is_better=True)
    )


def test_probabilities_have_a_column_for_each_class() -> None:
    y_true, predictions = data.probabilities()
    result = compare(y_true, predictions, metrics=["neg_log_loss", "accuracy", "roc_auc_ovr"])
    for row in result["neg_log_loss"].ranking:
        assert row.score == pytest.approx(library.log_loss(y_true, predictions[row.entry]))
    for row in result["accuracy"].ranking:
        assert row.score == pytest.approx(np.mean(predictions[row.entry].argmax(1) == y_true))
    names = np.array(["cat", "dog", "eel"])
    backwards = {
        name: pd.DataFrame(y, columns=names)[names[::-1]] for name, y in predictions.items()
    }
    for y_preds in (backwards, {name: y[:, ::-1] for name, y in predictions.items()}):
        labels = None if y_preds is backwards else names[::-1]
        found = compare(names[y_true], y_preds, metrics="neg_log_loss", labels=labels)
        assert found["log_loss"].ranking == result["log_loss"].ranking
    other = {name: pd.DataFrame(y, columns=["cat", "dog", "fox"]) for name, y in backwards.items()}
    with pytest.raises(dh.SubmissionError, match="A: columns cat, dog, fox; name them like"):
        compare(names[y_true], other, metrics="neg_log_loss")


def test_labels_may_be_floats_or_flags() -> None:
    y_true, predictions = data.probabilities(2)
    expected = compare(y_true, predictions, metrics="neg_log_loss")
    for gold, labels in ((y_true.astype(float), [0.0, 1.0]), (y_true == 1, [False, True])):
        for listed in (None, labels):
            found = compare(gold, predictions, metrics="neg_log_loss", labels=listed)
            assert found["log_loss"].ranking == expected["log_loss"].ranking


def test_metrics_are_chosen_by_the_answers() -> None:
    assert list(compare(*data.labels())) == ["accuracy", "f1_macro"]
    assert list(compare(*data.numbers())) == ["mae", "rmse"]


def test_a_label_that_nobody_has_counts_where_it_is_listed() -> None:
    y_true, predictions = data.labels()
    result = compare(y_true, predictions, metrics="accuracy", labels=[0, 1, 2, 3])
    assert result.to_dict()["settings"]["labels"] == [0, 1, 2, 3]
    with pytest.raises(dh.OrganizerError, match="a label that is not listed"):
        compare(y_true, predictions, metrics="accuracy", labels=[0, 1])


def test_prizes_are_those_of_the_same_question_asked_of_files() -> None:
    truth, predictions = data.example()
    metric = {"f1_score": {"pos_label": "offensive"}}
    of_arrays = compare(truth, predictions, metric, prizes=3)
    of_files = dh.score(EXAMPLE, prizes=3, resamples=200)
    assert of_arrays.prizes is not None
    assert of_arrays.prizes == of_files.prizes
    assert of_arrays.places == of_files.places
    assert compare(truth, predictions, metric).prizes is None


def test_prizes_of_scores_tell_who_is_surely_among_the_first() -> None:
    noise = np.random.default_rng(4).normal(size=(3, 90))
    scores = {"A": 9 + noise[0], "B": 5 + noise[1], "C": noise[2]}
    prizes = compare_scores(scores, greater_is_better=True, prizes=2).prizes
    assert prizes is not None
    assert (prizes.places, prizes.sure, prizes.open, prizes.out) == (2, ("A", "B"), (), ("C",))
    with pytest.raises(dh.OrganizerError, match="prizes: expected a whole number of at least 1"):
        compare_scores(scores, greater_is_better=True, prizes=0)


def test_the_page_of_arrays_has_the_title_and_the_language_that_are_asked_for() -> None:
    y_true, predictions = data.labels()
    scores = {name: values == y_true for name, values in predictions.items()}
    for result in (
        compare(y_true, predictions, "accuracy", title="Ensayo", language="es"),
        compare_scores(scores, greater_is_better=True, title="Ensayo", language="es"),
    ):
        assert '<html lang="es"' in result.to_html()
        assert "<h1>Ensayo</h1>" in result.to_html()


def test_strata_of_scores_keep_their_sizes() -> None:
    strata = np.repeat(["a", "b", "c"], 20)
    scores = np.repeat([0.0, 5.0, 10.0], 20) + np.random.default_rng(2).normal(size=60)
    systems = {"A": scores + 0.3, "B": scores}
    frame = pd.DataFrame({**systems, "topic": strata})
    plain = compare_scores(systems, greater_is_better=True)["mean_score"].ranking[0]
    stratified = compare_scores(systems, greater_is_better=True, strata=strata)
    (first, *_) = stratified["mean_score"].ranking
    assert first.score == plain.score
    # What tells the strata apart is most of the scores' variance.
    assert first.standard_error < plain.standard_error / 3
    of_column = compare_scores(frame, greater_is_better=True, strata="topic")
    # As texts, because nan equals nothing.
    assert str(of_column["mean_score"].ranking) == str(stratified["mean_score"].ranking)


@pytest.mark.parametrize("argument", ["groups", "strata"])
def test_what_the_design_of_scores_names_must_be_there(argument: str) -> None:
    frame = pd.DataFrame({"A": [1.0, 2.0], "B": [2.0, 1.0]})
    absent: dict[str, Any] = {argument: "topic"}
    with pytest.raises(dh.OrganizerError, match=f"{argument}: scores have no column 'topic'"):
        compare_scores(frame, greater_is_better=True, **absent)
    present: dict[str, Any] = {argument: [1, 2]}
    column = {"groups": "group", "strata": "stratum"}[argument]
    with pytest.raises(dh.OrganizerError, match=f"called '{column}' if there are {argument}"):
        compare_scores(frame.rename(columns={"A": column}), greater_is_better=True, **present)


#: Arguments that only one of the two calls has, and why.
OF_PREDICTIONS = {
    "y_true": "scores have no correct answers",
    "predictions": "the data",
    "labels": "scores have no labels",
    "runs": "of scores, a long table holds them, and 'sample' names what tells them apart",
    "seeds": "the same",
}
OF_SCORES = {
    "scores": "the data",
    "greater_is_better": "a metric of predictions knows its direction",
    "unit": "a column of a long table",
    "system": "a column of a long table",
    "sample": "a column of a long table",
    "missing": "arrays of predictions are complete",
    "folds": "predictions of several folds are of different examples",
    "human": "of predictions, people's answers are the correct ones",
    "human_sample": "the same",
}


def test_what_one_call_takes_the_other_takes_or_there_is_a_reason() -> None:
    of_predictions = {*signature(dh.compare).parameters}
    of_scores = {*signature(dh.compare_scores).parameters}
    assert of_predictions - of_scores == {*OF_PREDICTIONS}
    assert of_scores - of_predictions == {*OF_SCORES}


def test_groups_and_strata_change_the_intervals() -> None:
    y_true, predictions = data.labels()
    plain, grouped, stratified = (
        compare(y_true, predictions, metrics="accuracy", **design)["accuracy"].ranking[0]
        for design in ({}, {"groups": np.arange(data.N) // 9}, {"strata": y_true})
    )
    assert plain.score == grouped.score == stratified.score
    assert len({row.standard_error for row in (plain, grouped, stratified)}) == 3


def test_baselines_and_the_reference_entry_are_as_in_the_settings() -> None:
    y_true, predictions = data.labels()
    several = {**predictions, "always 0": np.zeros(data.N, int)}
    result = compare(y_true, several, metrics="accuracy", baselines="A", reference_entry="B")
    assert result.leader == "B"
    assert [row.entry for row in result["accuracy"].ranking if row.baseline] == ["A"]
    assert [row.entry for row in result["accuracy"].differences] == ["A", "always 0"]


@pytest.mark.parametrize("name", ["e\u0301", " padded ", "a\u200bb", "\u202eabc"])
def test_settings_name_entries_as_the_predictions_do(name: str) -> None:
    y_true, predictions = data.labels()
    renamed = {name: predictions["A"], "B": predictions["B"]}
    of_costs = compare(y_true, renamed, metrics="accuracy", costs={name: 1, "B": 2})
    assert of_costs.front is not None
    entries = {row.entry for row in of_costs["accuracy"].ranking}
    assert set(of_costs.front.costs) == entries
    result = compare(y_true, renamed, metrics="accuracy", baselines=[name])
    assert [row.baseline for row in result["accuracy"].ranking if row.entry != "B"] == [True]
    result = compare(y_true, renamed, metrics="accuracy", reference_entry=name)
    assert [row.entry for row in result["accuracy"].differences] == ["B"]


@pytest.mark.parametrize(
    "costs",
    [
        {"A": np.int64(1), "B": np.float32(2)},
        pd.Series({"A": 1, "B": 2}),
        pd.Series([1.0, 2.0], ["A", "B"]),
    ],
)
def test_numbers_of_numpy_and_a_series_are_settings(costs: Any) -> None:
    y_true, predictions = data.labels(2)
    arguments: dict[str, Any] = {"resamples": np.int64(200), "seed": np.int64(3)}
    result = dh.compare(y_true, predictions, "accuracy", costs=costs, **arguments)
    same = dh.compare(
        y_true, predictions, "accuracy", costs={"A": 1, "B": 2}, resamples=200, seed=3
    )
    assert result.front == same.front
    assert numbers_of(result) == numbers_of(same)


@pytest.mark.parametrize(
    ("costs", "told"),
    [
        (
            {"A": 1e300, "B": 1},
            "expected a number below 1e\\+100 for team 1 of 2, in a larger unit",
        ),
        (
            {"A": float("nan"), "B": 1},
            "expected a number of 0 or more for team 1 of 2, .*; found nan",
        ),
        (
            {"A": 1, " A": 2, "B": 1},
            "expected one cost for team 2 of 3, whose name differs in spaces only",
        ),
    ],
)
def test_a_wrong_cost_is_told_by_what_is_wrong_with_it(costs: Any, told: str) -> None:
    y_true, predictions = data.labels()
    with pytest.raises(dh.DeadheatError, match=told):
        compare(y_true, predictions, metrics="accuracy", costs=costs)


def test_one_entry_has_an_interval_and_no_rival() -> None:
    y_true, predictions = data.labels()
    result = compare(y_true, {"A": predictions["A"]}, metrics="accuracy")
    (row,) = result["accuracy"].ranking
    assert row.low < row.score < row.high
    assert (result.leader, result.tied) == ("A", ())
    assert repr(result).startswith("<Result of 1 entry on 90 examples: ")


def share_of_errors(y_true: Any, y_pred: Any) -> float:
    return float(np.mean(y_true != y_pred))


MACRO = {"average": "macro"}


@pytest.mark.parametrize(
    ("metric", "name"),
    thinned(
        [
            ("f1_macro", "f1_macro"),
            ({"f1_score": MACRO}, "f1_score"),
            ({"name": "own", "function": "f1_score", "params": MACRO}, "own"),
            ({"name": "own", "function": library.f1_score, "params": MACRO}, "own"),
            (partial(library.f1_score, average="macro"), "f1_score"),
            (lambda y_true, y_pred: library.f1_score(y_true, y_pred, average="macro"), "metric"),
            (library.make_scorer(library.f1_score, average="macro"), "f1_score"),
        ],
        2,
    ),
)
def test_a_metric_can_be_named_in_many_ways(metric: Any, name: str) -> None:
    y_true, predictions = data.labels()
    result = compare(y_true, predictions, metrics=metric, resamples=100)
    assert list(result) == [name]
    for row in result[name].ranking:
        expected = library.f1_score(y_true, predictions[row.entry], average="macro")
        assert row.score == pytest.approx(expected)
    assert result[name].greater_is_better


@pytest.mark.parametrize(
    "metric",
    [
        {"name": "errors", "function": share_of_errors, "greater_is_better": False},
        library.make_scorer(share_of_errors, greater_is_better=False),
    ],
)
def test_of_an_error_the_lower_one_leads(metric: Any) -> None:
    result = compare(*data.labels(), metrics=metric)
    (found,) = result.values()
    assert not found.greater_is_better
    assert result.leader == "A"
    assert found.ranking[0].score < found.ranking[1].score


def test_several_metrics_and_a_formula() -> None:
    settings = {"name": "mean", "formula": "(accuracy + f1_macro) / 2"}
    result = compare(*data.labels(), metrics=["accuracy", "f1_macro", settings])
    best = {name: found.ranking[0].score for name, found in result.items()}
    assert best["mean"] == pytest.approx((best["accuracy"] + best["f1_macro"]) / 2)


Y, P = data.labels()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"metrics": "f1_makro"},
            "metrics: there is no metric 'f1_makro'; did you mean 'f1_macro'",
        ),
        ({"metrics": 3}, "metrics: 3 is not a metric; give a scorer's name such as 'f1_macro'"),
        ({"metrics": []}, "at least one metric"),
        ({"metrics": ["accuracy", "accuracy"]}, "two metrics are called 'accuracy'"),
        ({"metrics": {"name": "a", "function": min, "colour": 1}}, "unknown key 'colour'"),
        ({"metrics": {"name": "my_loss", "function": min}}, "'my_loss': is a higher score better"),
        ({"metrics": lambda y_true, y_pred: "good"}, "must return one number"),
        ({"tie_rule": "max"}, "tie_rule: expected one of .* did you mean 'max_t'"),
        ({"confidence": 95}, "confidence: expected a number between 0.5 and 1; found 95"),
        ({"resamples": 0}, "resamples: expected"),
        ({"workers": 0}, "workers: expected"),
        ({"baselines": ["C"]}, "baselines: there is no usable entry 'C'"),
        ({"groups": Y[:-1]}, "groups: 89 values for 90 examples; give one for each"),
        ({"strata": [1] * data.N}, "stratum"),
        ({"y_true": []}, "y_true: there are no examples"),
        ({"y_true": None}, "y_true: found NoneType; give an array or a list with one value per"),
        ({"y_true": "gold.csv"}, "y_true: predictions have no column 'gold.csv'; give the correct"),
        ({"y_true": iter(Y)}, "y_true: found .*iterator; give an array or a list"),
        (
            {"y_true": 2 * np.eye(data.N)},
            r"y_true: the array has the shape \(90, 90\)",
        ),
        (
            {"y_true": np.where(Y == 0, np.nan, Y)},
            "y_true: the answer on row 1 is",
        ),
        (
            {"y_true": pd.Series(Y, dtype="Int64").mask(Y == 0)},
            "y_true: the answer on row 1 is",
        ),
        (
            {"y_true": np.where(Y == 0, np.nan, Y), "metrics": "accuracy"},
            "y_true: the answer on row 1 is",
        ),
        (
            {"y_true": np.full(data.N, np.datetime64("2026-01-01"))},
            r"y_true: the values have the type datetime64\[D\]; give labels or numbers",
        ),
        ({"y_true": [0, [0, 1]]}, "y_true: the rows differ in length; give one value per"),
        (
            {"y_true": np.ma.masked_equal(Y, 0)},
            "y_true: the answer on row 1 is",
        ),
        ({"labels": [[0], [0, 1]]}, "labels: the rows differ in length"),
        ({"labels": [0.0, np.nan]}, "labels: y_true holds a label that is not listed"),
        ({"groups": [[0], *Y[1:-1], [0, 1]]}, "groups: the rows differ in length"),
        ({"predictions": [P["A"], P["B"]]}, "predictions: found list; give a mapping"),
        ({"predictions": {}}, "predictions: there are none"),
        ({"predictions": {"A": P["A"], "": P["B"]}}, "predictions: a name is empty"),
        ({"predictions": {1: P["A"], "1": P["B"]}}, "predictions: two names are the same"),
    ],
)
def test_wrong_arguments_are_the_organizers(arguments: Mapping[str, Any], message: str) -> None:
    with pytest.raises(dh.OrganizerError, match=message) as caught:
        compare(**{"y_true": Y, "predictions": P, **arguments})
    assert isinstance(caught.value, dh.DeadheatError)
    assert isinstance(caught.value, ValueError)


def test_wrong_predictions_are_reported_together() -> None:
    wrong = {
        "short": P["A"][:-1],
        "wide": np.ones((data.N, 2)),
        "strange": np.full(data.N, "zebra"),
        "missing": np.where(Y == 0, np.nan, P["A"]),
        "path": "a.csv",
        "ragged": [[0], [0, 1], *P["A"][2:]],
        "masked": np.ma.masked_equal(P["A"], 0),
        "right": P["A"],
    }
    with pytest.raises(dh.SubmissionError) as caught:
        compare(Y, wrong, metrics="accuracy")
    message = str(caught.value)
    assert "path: found str; give an array or a list with one value per example" in message
    assert "short: 89 predictions for 90 examples" in message
    assert "ragged: the rows differ in length; give one value per example" in message
    assert f"masked: {np.sum(P['A'] == 0)} empty values" in message
    assert "wide: the predictions have the shape (90, 2); give one value per example" in message
    assert "strange: 90 unknown labels" in message
    assert "missing: 30 empty values" in message
    assert "unknown labels\n  - row 2" not in message  # 1.0 and 2.0 beside nan are labels still
    assert "right:" not in message
    assert isinstance(caught.value, dh.DeadheatError)
    assert isinstance(caught.value, ValueError)


def test_the_caller_keeps_its_arrays() -> None:
    y_true, predictions = data.labels()
    before = [y_true.copy(), *(y.copy() for y in predictions.values())]
    compare(y_true, predictions, metrics="accuracy")
    after = [y_true, *predictions.values()]
    assert all(map(np.array_equal, before, after))
    assert all(array.flags.writeable for array in after)


def test_the_example_gives_the_same_numbers_as_its_folders() -> None:
    run = dh.score(EXAMPLE, resamples=500)
    settings = run.to_dict()["settings"]
    labels = settings["labels"]
    found = dh.compare(*data.example(), settings["metrics"], labels=labels, resamples=500)
    assert numbers_of(found) == numbers_of(run)
    assert found.verdict == run.verdict
    assert found.warnings == run.warnings


def fold_scores() -> dict[str, list[float]]:
    rng = np.random.default_rng(5)
    ease = rng.normal(0, 0.05, 30)
    means = {"forest": 0.83, "tree": 0.75, "svm": 0.82}
    return {name: (mean + ease + rng.normal(0, 0.02, 30)).tolist() for name, mean in means.items()}


def test_scores_give_the_same_numbers_as_a_wide_table(folder: Folder) -> None:
    scores = fold_scores()
    (folder.input / "ref").mkdir(parents=True)
    write_csv(folder.input / "res" / "table.csv", scores)
    folder.settings("resamples: 500\ngreater_is_better: true\n")
    assert folder.run() == 0
    result = dh.compare_scores(scores, greater_is_better=True, resamples=500)
    expected = folder.results()["metrics"]
    assert numbers_of(result) == expected
    assert result.leader == "forest"
    frame = dh.compare_scores(pd.DataFrame(scores), greater_is_better=True, resamples=500)
    assert numbers_of(frame) == expected


def test_low_scores_may_be_the_better_ones() -> None:
    result = compare_scores(fold_scores(), greater_is_better=False, baselines=["svm"])
    assert result.leader == "tree"
    assert not result["mean_score"].greater_is_better


def test_groups_of_units_are_resampled_whole() -> None:
    plain = compare_scores(fold_scores(), greater_is_better=True)
    grouped = compare_scores(
        fold_scores(), greater_is_better=True, groups=[i // 6 for i in range(30)]
    )
    assert plain["mean_score"].ranking != grouped["mean_score"].ranking


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ({"a": [1, 2], "b": [1]}, r"scores: the columns have different lengths \(a 2, b 1\)"),
        ({"a": [1, 2], "b": [1, None]}, "row 2, column 'b': found ''"),
        ({"a": [1, 2], "b": [1, "x"]}, "1 value that is not a finite number"),
        ({"a": [1, 2], "b": [1, np.inf]}, "1 value that is not a finite number"),
        ({"a": [1, 2]}, "there is one system; give at least two"),
        ({}, "scores: there are none"),
        ([[1, 2], [3, 4]], "scores: found list; give a mapping"),
        (pd.DataFrame([[1, 2], [3, 4]], ["A", "B"]), "columns have numbers and the lines have nam"),
        (pd.DataFrame({"a": [1, 2], "b": [0, 1]}, ["q1", "Mean"]), "the line .Mean. of the index"),
        ({"a": pd.Series([1, 2, 3], [2, 0, 1]), "b": pd.Series([1, 2, 3])}, "b: its index is that"),
        ({"fit_time": [1, 2], "score_time": [1, 2], "test_score": [1, 2]}, "the scores of each to"),
    ],
)
def test_wrong_scores_are_the_organizers(scores: Any, message: str) -> None:
    with pytest.raises(dh.OrganizerError, match=message):
        compare_scores(scores, greater_is_better=True)


def test_a_partial_of_a_library_function_is_that_function() -> None:
    y_true = np.arange(20.0)
    scores = y_true + np.random.default_rng(1).normal(size=20)
    called = compare(y_true, {"a": scores}, metrics=partial(library.mean_pinball_loss, alpha=0.2))
    item = {"mean_pinball_loss": {"alpha": 0.2}}
    named = compare(y_true, {"a": scores}, metrics=item)
    assert not called["mean_pinball_loss"].greater_is_better
    (row,), (same,) = called["mean_pinball_loss"].ranking, named["mean_pinball_loss"].ranking
    np.testing.assert_equal(asdict(row), asdict(same))  # a lone entry is NaN from the best


def test_weights_are_a_column_and_no_array(tmp_path: Path) -> None:
    y_true, predictions = data.labels(2)
    weights = np.arange(data.N) % 7 / 2
    given: Any
    for given in (
        {"accuracy_score": {"sample_weight": weights}},
        {"function": "accuracy_score", "params": {"sample_weight": weights.tolist()}},
        partial(library.accuracy_score, sample_weight=weights),
        library.make_scorer(library.accuracy_score, sample_weight=weights),
    ):
        with pytest.raises(dh.OrganizerError, match="sample_weight is an array, where the"):
            compare(y_true, predictions, given)
    metric = {"accuracy_score": {"sample_weight": "weight"}}
    by_slices = compare(y_true, predictions, metric, slices={"weight": weights})
    gold = {"id": range(data.N), "label": y_true.tolist(), "weight": weights.tolist()}
    write_csv(tmp_path / "ref" / "gold.csv", gold)
    for name, found in predictions.items():
        write_csv(tmp_path / "res" / f"{name}.csv", {"id": range(data.N), "label": found.tolist()})
    for result in (by_slices, dh.score(tmp_path, metrics=metric, layout="teams", resamples=200)):
        for row in result["accuracy_score"].ranking:
            wanted = library.accuracy_score(y_true, predictions[row.entry], sample_weight=weights)
            assert row.score == pytest.approx(wanted)


def test_floats_are_numbers_where_no_metric_is_named() -> None:
    stars = np.array([1.0, 2.0, 5.0, 4.0] * 10)
    assert list(compare(stars, {"a": stars + 0.5})) == ["mae", "rmse"]
    assert list(compare(stars.astype(int), {"a": stars})) == ["accuracy", "f1_macro"]


def test_a_bare_function_is_a_score_and_the_page_says_so(tmp_path: Path) -> None:
    y_true, entries = [0, 1] * 20, {"A": [0, 1] * 20, "B": [0, 1] * 15 + [0] * 10}

    def shared(y_true: Any, y_pred: Any) -> float:
        return float(np.mean(np.asarray(y_true) == np.asarray(y_pred)))

    said = "A higher value of shared counts as better, because the call in Python gave a function"
    bare = dh.compare(y_true, entries, shared, resamples=100)
    assert bare.leader == "A"
    bare.to_html(tmp_path / "bare.html")
    assert said in (tmp_path / "bare.html").read_text(encoding="utf-8")
    stated = {"name": "shared", "function": shared, "greater_is_better": False}
    result = dh.compare(y_true, entries, stated, resamples=100)
    assert result.leader == "B"
    result.to_html(tmp_path / "stated.html")
    assert said not in (tmp_path / "stated.html").read_text(encoding="utf-8")


def test_a_function_called_like_an_error_says_which_direction_is_better() -> None:
    """Of a function alone a higher value is better, so the worst would lead."""
    y_true, entries = data.labels()

    def error_rate(y_true: Any, y_pred: Any) -> float:
        return share_of_errors(y_true, y_pred)

    def neg_error(y_true: Any, y_pred: Any) -> float:
        return -share_of_errors(y_true, y_pred)

    with pytest.raises(dh.OrganizerError, match="'error_rate' is called like an error, but"):
        dh.compare(y_true, entries, error_rate)
    stated = {"name": "error_rate", "function": error_rate, "greater_is_better": False}
    for metric in (stated, neg_error, library.make_scorer(error_rate, greater_is_better=False)):
        assert dh.compare(y_true, entries, metric, resamples=100).leader == "A"


@pytest.mark.parametrize("make", [float, int])
def test_whole_numbers_of_an_own_metric_are_numbers_where_it_says_so(make: type) -> None:
    def closeness(y_true: Any, y_pred: Any) -> float:
        return -float(np.abs(y_true - y_pred).mean())

    y_true: Any = np.array([1, 2, 5, 4] * 10, make)
    predictions = {"A": y_true + 1, "B": y_true + 8}
    with pytest.raises(dh.SubmissionError, match="found '9', expected one of 1, 2, 4, 5") as error:
        compare(y_true, predictions, closeness)
    said = str(error.value).rpartition("If these are numbers, not classes, give the metric as ")[2]
    result = compare(y_true, predictions, eval(said.rstrip("."), {"closeness": closeness}))
    assert [row.score for row in result["closeness"].ranking] == [-1, -8]
    for gold, found, metric in (
        (y_true, predictions["A"], "accuracy"),  # a metric of classes
        (y_true, y_true[:-1], closeness),
        (np.where(y_true > 2, "x", "y"), y_true, closeness),
    ):
        with pytest.raises(dh.SubmissionError) as error:
            compare(gold, {"A": found}, metric)
        assert "If these are numbers" not in str(error.value)
    library_metric = {"function": library.mean_absolute_error, "kind": "numbers"}
    assert compare(y_true, predictions, library_metric).leader == "A"
    with pytest.raises(dh.OrganizerError, match="kind: 'number', which is not one of labels, "):
        compare(y_true, predictions, {**library_metric, "function": closeness, "kind": "number",
                                      "greater_is_better": True})  # fmt: skip


def test_types_name_every_choice() -> None:
    assert {*get_args(types.TieRule)} == {*methods.TIE_RULES}
    assert {*get_args(types.Interval)} == {*methods.INTERVALS}
