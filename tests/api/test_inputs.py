"""What callers hold their data in: flags, frames of any library, label sets, rankings, mappings."""

from __future__ import annotations

import json
import math
import re
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix, dok_matrix
from sklearn import metrics
from sklearn.dummy import DummyClassifier

import scoring_program as dh
from scoring_program.data import from_arrays, inputs
from tests.api import data
from tests.sweeps import swept, thinned

Y, P = data.labels(2)
LABELS = ["x", "y", "z"]
RNG = np.random.default_rng(5)
SETS = (RNG.random((data.N, 3)) < 0.4).astype(int)
FOUND = {name: np.where(RNG.random(SETS.shape) < hit, SETS, 1 - SETS) for name, hit in
         (("A", 0.9), ("B", 0.8))}  # fmt: skip
SCORES = {name: RNG.random(data.N) + place for place, name in enumerate("AB")}


def scored(result: dh.Result, metric: str | None = None) -> dict[str, float]:
    found = result[metric or next(iter(result))]
    return {row.entry: row.score for row in found.ranking}


@pytest.mark.parametrize(
    ("gold", "found"), [(bool, bool), (bool, int), (int, bool), (list, bool), (bool, "boolean")]
)
def test_flags_are_labels(gold: Any, found: Any) -> None:
    y_true = Y.astype(bool).tolist() if gold is list else Y.astype(gold)
    given = {name: pd.array(a == 1).astype(found) for name, a in P.items()}
    result = dh.compare(y_true, given, ["f1", "accuracy"], resamples=100)
    for name, a in P.items():
        assert scored(result)[name] == pytest.approx(metrics.f1_score(Y, a))
    again = dh.compare(y_true, given, {"f1_score": {"pos_label": False}}, resamples=100)
    assert scored(again)["A"] == pytest.approx(metrics.f1_score(Y, P["A"], pos_label=0))


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16])
@pytest.mark.parametrize("whole", [0.1, 0.9])
def test_numbers_are_written_alike_whatever_most_of_them_are(kind: type, whole: float) -> None:
    """One by one, as the definition reads: a missing one is empty, and 2.0 is 2."""
    numbers = np.where(RNG.random(400) < whole, RNG.integers(-3, 4, 400), RNG.normal(size=400))
    numbers[:6] = math.nan, math.inf, -math.inf, -0.0, 60000.0, 0.1
    array: np.ndarray = numbers.astype(kind)
    expected = []
    for number in array.tolist():
        is_whole = isinstance(number, float) and number.is_integer()
        text = str(int(number)) if is_whole else str(number)
        expected.append("" if math.isnan(number) else text)
    assert list(from_arrays.texts_of_column(array, "A", inputs.unusable)) == expected


def test_flags_are_scores() -> None:
    right = {name: a == Y for name, a in P.items()}
    for given in (right, pd.DataFrame(right)):
        result = dh.compare_scores(given, greater_is_better=True, resamples=100)
        assert scored(result)["A"] == pytest.approx(np.mean(right["A"]))


def test_letters_of_inspect_are_scores() -> None:
    letters = np.array(["I", "C"])
    frame = pd.DataFrame(
        [
            {"id": i, "epoch": e, "model": name, "score_choice": letters[int(a[i] == Y[i])]}
            for name, a in P.items() for i in range(data.N) for e in (1, 2)
        ]
    )  # fmt: skip
    result = dh.compare_scores(
        frame, "score_choice", unit="id", system="model", sample="epoch",
        greater_is_better=True, resamples=100,
    )  # fmt: skip
    assert scored(result)["A"] == pytest.approx(np.mean(P["A"] == Y))


def samples_df(**more: Any) -> pd.DataFrame:
    """What inspect_ai's samples_df returns for two models, without the columns of what was said."""
    rows = [
        {"sample_id": f"s{name}{i}", "eval_id": f"e{name}", "log": "a.eval", "id": str(i),
         "epoch": 1, "input": "?", "target": "4", "score_match": "C" if a[i] == Y[i] else "I",
         "score_includes": "NP"[int(a[i] == Y[i])],
         "model_usage": json.dumps({f"mock/{name}": {"input_tokens": 1}}),
         "total_tokens": 2, "total_time": 0.1, "error": None, "retries": None}
        for name, a in P.items() for i in range(data.N)
    ]  # fmt: skip
    return pd.DataFrame(rows).assign(**more)


def test_samples_of_inspect_are_compared_at_the_first_call() -> None:
    wanted = {f"mock/{name}": pytest.approx(np.mean(a == Y)) for name, a in P.items()}
    frame = samples_df()
    for given in (frame, frame.assign(model=[f"mock/{name}" for name in P for _ in Y])):
        assert scored(dh.compare_scores(given, "score_match", resamples=100)) == wanted
    assert list(dh.compare_scores(frame, unit="id", resamples=100)) == [
        "score_match", "score_includes",
    ]  # fmt: skip
    gone = frame.assign(score_match=[None, *frame["score_match"][1:]])
    with pytest.raises(dh.OrganizerError, match="1 missing score"):
        dh.compare_scores(gone, "score_match")
    assert dh.compare_scores(gone, "score_match", missing="drop_unit", resamples=100)
    two = pd.concat([frame.assign(task_name="x"), frame.assign(task_name="y")])
    assert dh.compare_scores(two, "score_match", resamples=100).to_dict()["metrics"][1:]


def test_the_name_of_a_scorer_says_which_scores_of_inspect_are_better() -> None:
    frame = samples_df(score_mae=1.0).drop(columns=["score_match", "score_includes"])
    result = dh.compare_scores(frame, resamples=100)
    assert [metric["greater_is_better"] for metric in result.to_dict()["metrics"]] == [False]
    bad = frame.rename(columns={"score_mae": "score_edit_distance"})
    with pytest.raises(dh.OrganizerError, match="is a higher score better in 'score_e"):
        dh.compare_scores(bad)


@pytest.mark.parametrize(("more", "remedy"), [
    ({"model_usage": None}, "samples_df(logs, columns=SampleSummary + EvalModel)"),
    ({"eval_id": [f"e{i % 2}" for i in range(2 * data.N)]}, "SampleSummary + EvalTask + EvalModel"),
])  # fmt: skip
def test_samples_of_inspect_that_do_not_say_what_they_are_of(
    more: dict[str, Any], remedy: str
) -> None:
    with pytest.raises(dh.OrganizerError, match=re.escape(remedy)):
        dh.compare_scores(samples_df(**more))
    with pytest.raises(dh.OrganizerError, match="hold no scores"):
        dh.compare_scores(samples_df().drop(columns=["score_match", "score_includes"]))


def lm_eval(a: np.ndarray[Any, Any], *filters: str) -> pd.DataFrame:
    """Samples of lm-evaluation-harness, as pandas reads their JSON Lines."""
    return pd.DataFrame([
        {"doc_id": i, "doc": {"q": "?"}, "target": "4", "resps": [["4"]], "filtered_resps": ["4"],
         "filter": one, "metrics": ["exact_match"], "exact_match": float(a[i] == Y[i])}
        for i in range(data.N) for one in filters or ("none",)
    ])  # fmt: skip


def test_samples_of_lm_eval_are_compared_at_the_first_call() -> None:
    wanted = {name: pytest.approx(np.mean(a == Y)) for name, a in P.items()}
    by_name = {name: lm_eval(a) for name, a in P.items()}
    for key in ("model", "run"):
        long = pd.concat([frame.assign(**{key: name}) for name, frame in by_name.items()])
        found = dh.compare_scores(long, system=None if key == "model" else key, resamples=100)
        assert scored(found) == wanted
    found = dh.compare_scores(by_name, resamples=100)
    assert [*found] == ["exact_match"]
    assert scored(found) == wanted
    other = {name: lm_eval(a, one) for (name, a), one in zip(P.items(), "xy", strict=False)}
    with pytest.raises(dh.OrganizerError, match="column 'exact_match,y'"):
        dh.compare_scores(other, resamples=100)
    twice = {name: lm_eval(a, "strict", "flexible") for name, a in P.items()}
    found = dh.compare_scores(twice, resamples=100)
    assert list(found) == ["exact_match_strict", "exact_match_flexible"]
    for error, given, groups in (
        ("add a column 'model'", pd.concat(by_name.values()), None),
        ("lines of lm-evaluation-harness have no groups", by_name, Y),
    ):
        with pytest.raises(dh.OrganizerError, match=error):
            dh.compare_scores(given, groups=groups)


@pytest.mark.parametrize(("library", "table", "column"), swept([
    ("pandas", "DataFrame", "Series"), ("polars", "DataFrame", "Series"),
    ("pyarrow", "table", "array"),
]))  # fmt: skip
def test_frames_of_any_library(library: str, table: str, column: str) -> None:
    module = pytest.importorskip(library, exc_type=ImportError)
    frame, series = getattr(module, table), getattr(module, column)
    names = np.array(["no", "yes"])
    y_true = series(names[Y].tolist())
    given = {name: names[a].tolist() for name, a in P.items()}
    wanted = scored(dh.compare(Y, P, "accuracy", resamples=100))
    for predictions in (frame(given), {name: series(values) for name, values in given.items()}):
        assert scored(dh.compare(y_true, predictions, "accuracy", resamples=100)) == wanted
    both = frame({"y": names[Y].tolist(), **given})
    for gold in ("y", both["y"] if library != "pyarrow" else "y"):
        assert scored(dh.compare(gold, both, "accuracy", resamples=100)) == wanted
    with pytest.raises(dh.OrganizerError, match="no column 'yy'; did you mean 'y'"):
        dh.compare("yy", both)
    share = {name: {"no": 0.9 - 0.8 * a, "yes": 0.1 + 0.8 * a} for name, a in P.items()}
    for order in (("no", "yes"), ("yes", "no")):
        sure = {name: frame({one: found[one] for one in order}) for name, found in share.items()}
        assert scored(dh.compare(y_true, sure, "accuracy", resamples=100)) == wanted
    wide = dh.compare_scores(frame(SCORES), greater_is_better=True, resamples=100)
    long = frame(
        {
            "fold": [*range(data.N)] * 2,
            "who": ["A"] * data.N + ["B"] * data.N,
            "v": [*SCORES["A"], *SCORES["B"]],
        }
    )
    named = dh.compare_scores(
        long, "v", unit="fold", system="who", greater_is_better=True, resamples=100
    )
    assert scored(named) == pytest.approx(scored(wide))


GOLDS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "array": lambda frame: frame["y"].to_numpy(),
    "list": lambda frame: frame["y"].tolist(),
    "column of an array": lambda frame: frame["y"].to_numpy()[:, None],
    "other name": lambda frame: frame["y"].rename("gold"),
    "mapping": lambda frame: frame["y"].to_dict(),
    "numbers": lambda frame: frame["y"].to_numpy(float).astype(str),
}


@pytest.mark.parametrize("shape", GOLDS)
def test_the_gold_is_no_entry(shape: str) -> None:
    frame = pd.DataFrame({"A": P["A"], "y": Y, "B": P["B"]})
    match = "column 'y' holds the values of y_true; if it is the gold, give its name, y_true='y'"
    with pytest.raises(dh.OrganizerError, match=match):
        dh.compare(GOLDS[shape](frame), frame, "accuracy")


@pytest.mark.parametrize(
    ("name", "values", "look"),
    [
        ("id", np.arange(data.N), "an id"),
        ("tweet_id", np.arange(data.N) * 1.0, "an id"),
        ("Unnamed: 0", np.arange(data.N), "an id"),
        ("fold", np.arange(data.N) % 5, "a unit"),
        ("seed", np.arange(data.N), "a counter"),
        ("label", np.arange(data.N), "correct answers"),
    ],
)
def test_columns_of_a_frame_that_are_no_entries_do_not_compete(
    name: str, values: np.ndarray, look: str
) -> None:
    numbers = np.sort(RNG.normal(size=data.N))
    frame = pd.DataFrame({name: values, "y": numbers, "A": numbers + 1, "B": -numbers})
    for y_true in ("y", frame["y"]):
        with pytest.raises(dh.OrganizerError, match=f"'{name}' looks like {look}. Leave such col"):
            dh.compare(y_true, frame, "spearmanr")
    given = {one: frame[one] for one in (name, "A")}
    assert [*scored(dh.compare(numbers, given, "spearmanr", resamples=100))] == ["A", name]


def test_a_second_column_with_the_gold_is_no_entry() -> None:
    frame = pd.DataFrame({"y": Y, "again": Y, "A": P["A"]})
    for y_true in ("y", frame["y"]):
        with pytest.raises(dh.OrganizerError, match="column 'again' holds the values of y_true"):
            dh.compare(y_true, frame, "accuracy")


def test_axes_of_a_frame_that_are_no_entries_are_refused() -> None:
    rows = [(case, name, RNG.random(), RNG.random()) for case in range(20) for name in "AB"]
    long = pd.DataFrame(rows, columns=["case", "model", "dice", "hd95"])
    wide = long.pivot(index="case", columns="model", values="dice")
    wanted = scored(dh.compare_scores(wide, greater_is_better=True, resamples=100))
    assert wanted == {name: pytest.approx(column.mean()) for name, column in wide.items()}
    several = long.pivot(index="case", columns="model", values=["dice", "hd95"])
    for scores, level in ((several, 0), (several.swaplevel(axis=1), 1)):
        remedy = f"scores.xs('dice', axis=1, level={level})"
        with pytest.raises(dh.OrganizerError, match=f"2 levels.* {re.escape(remedy)}, or a long"):
            dh.compare_scores(scores, greater_is_better=True)
        found = dh.compare_scores(eval(remedy), greater_is_better=True, resamples=100)
        assert scored(found) == wanted
    for frame in (wide.T, wide.T.rename_axis(index=None), long.set_index(["case", "model"])):
        with pytest.raises(dh.OrganizerError, match=r"is read as a system; give scores\.T or, of"):
            dh.compare_scores(frame, greater_is_better=True)
    with pytest.raises(dh.OrganizerError, match="predictions: the columns have 2 levels"):
        dh.compare(np.arange(20), several, "spearmanr")
    of_submissions = pd.DataFrame(P).rename_axis("submission_id")
    assert len(scored(dh.compare(Y, of_submissions, "accuracy", resamples=100))) == len(P)


def test_the_column_with_the_name_of_the_gold_is_left_out() -> None:
    wanted = scored(dh.compare(Y, P, "accuracy", resamples=100))
    frame = pd.DataFrame({"A": P["A"], "y": Y, "B": P["B"]}, index=range(7, 7 + data.N))
    mixed = frame.sample(frac=1, random_state=3)
    golds = (
        frame["y"], frame["y"].astype(str), frame[["y"]], frame["y"].astype("category"),
        frame["y"].astype(float),
    )  # fmt: skip
    for gold in golds:
        assert scored(dh.compare(gold, mixed, "accuracy", resamples=100)) == wanted
    with pytest.raises(dh.OrganizerError, match="'y' is named as y_true is, but holds other val"):
        dh.compare(frame["A"].rename("y"), frame, "accuracy")
    with pytest.raises(dh.SubmissionError, match="y: its index has 1 unknown label"):
        dh.compare(frame["y"].iloc[1:], frame, "accuracy")
    perfect = scored(dh.compare(Y, {**P, "perfect": Y}, "accuracy", resamples=100))
    assert perfect == {**wanted, "perfect": 1}


def test_new_rows_are_not_joined_by_an_index_in_another_order() -> None:
    """Nobody knows whether an array was made a Series, or rows were read in their first order."""
    order = np.random.default_rng(0).permutation(data.N)
    gold, new = pd.Series(Y[order], index=order), pd.Series(P["A"])
    with pytest.raises(dh.SubmissionError, match="A: its index is that of new rows, 0 to"):
        dh.compare(gold, {"A": new, "B": P["B"][order]}, "accuracy")
    with pytest.raises(dh.OrganizerError, match="groups: its index is that of new rows"):
        dh.compare(gold, {"A": P["A"][order], "B": P["B"][order]}, groups=pd.Series(Y))
    mended = {"A": new.reindex(gold.index), "B": pd.Series(P["B"][order], index=gold.index)}
    assert scored(dh.compare(gold, mended, "accuracy", resamples=100)) == {
        name: pytest.approx(np.mean(a == Y)) for name, a in P.items()
    }


def test_two_orders_of_an_index_are_not_both_that_of_an_array() -> None:
    order = np.random.default_rng(0).permutation(data.N)
    given = {"A": pd.Series(P["A"]).iloc[order], "B": pd.Series(P["B"])}
    for more in ({}, {"groups": pd.Series(np.arange(data.N) // 2)}):
        predictions = {"A": given["A"], **({} if more else {"B": given["B"]})}
        with pytest.raises(dh.OrganizerError, match=r"A and (B|groups): the indexes hold the same"):
            dh.compare(Y, predictions, "accuracy", **more)
    assert scored(dh.compare(pd.Series(Y), given, "accuracy", resamples=100)) == {
        name: pytest.approx(np.mean(a == Y)) for name, a in P.items()
    }


@pytest.mark.parametrize("make", [lambda of: of, lambda of: of.to_frame()])
@pytest.mark.parametrize("metric", ["roc_auc", "neg_log_loss"])
def test_scores_with_the_name_of_a_class_are_of_that_class(
    metric: str, make: Callable[[pd.Series[float]], Any]
) -> None:
    texts = np.where(Y == 1, "not", "hate")
    chance = np.where(P["A"] == 1, 0.8, 0.3)
    of_not, of_hate = pd.Series(chance, name="not"), pd.Series(1 - chance, name="hate")
    result = dh.compare(texts, {"A": make(of_hate), "B": make(of_not)}, metric, resamples=100)
    wanted = {"roc_auc": metrics.roc_auc_score, "neg_log_loss": metrics.log_loss}[metric](Y, chance)
    assert scored(result) == {name: pytest.approx(wanted) for name in "AB"}


def test_numbers_and_names_of_entries_are_no_classes() -> None:
    chance = np.where(P["A"] == 1, 0.8, 0.3)
    wanted = pytest.approx(metrics.roc_auc_score(Y, chance))
    given = {"frame": pd.DataFrame(chance), "series": pd.Series(chance, name=0)}
    assert [*scored(dh.compare(Y, given, "roc_auc", resamples=100)).values()] == [wanted] * 2
    frame = pd.DataFrame({"hate": chance, "not": chance})
    texts = np.where(Y == 1, "not", "hate")
    metric = {"roc_auc_score": {"pos_label": "not"}}
    assert [*scored(dh.compare(texts, frame, metric, resamples=100)).values()] == [wanted] * 2
    with pytest.raises(dh.OrganizerError, match="which of the two labels the scores refer to"):
        dh.compare(texts, frame, "roc_auc", resamples=100)
    unnamed = pd.Series(chance)
    nothing = np.where(Y == 1, "Some", "None")
    metric = {"roc_auc_score": {"pos_label": "Some"}}
    assert scored(dh.compare(nothing, {"A": unnamed}, metric, resamples=100)) == {"A": wanted}


def test_one_entry_whose_scores_may_be_of_either_label_stops_no_other() -> None:
    texts = np.where(Y == 1, "not", "hate")
    chance = np.where(P["A"] == 1, 0.8, 0.3)
    named = {
        name: pd.DataFrame({"hate": 1 - own, "not": own})
        for name, own in (("A", chance), ("B", chance * 0.9))
    }
    result = dh.compare(texts, {**named, "C": chance}, "roc_auc", resamples=100)
    assert {*scored(result)} == {"A", "B"}
    assert "name their column after that label" in result.unusable["C"]
    asked = "as in roc_auc_score: {pos_label: yes}"
    for most in ({"C": chance, "D": chance}, {"A": named["A"], "C": chance, "D": chance}):
        with pytest.raises(dh.OrganizerError, match=asked):
            dh.compare(texts, most, "roc_auc", resamples=100)


def test_equal_labels_in_an_index_are_no_order() -> None:
    given = {name: pd.Series(a, index=[0, *range(data.N - 1)]) for name, a in P.items()}
    given["B"].index = [*range(data.N - 1), data.N - 2]
    assert len(scored(dh.compare(Y, given, "accuracy", resamples=100))) == len(P)


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_the_gold_is_no_entry_in_any_library(library: str) -> None:
    module = pytest.importorskip(library, exc_type=ImportError)
    make = module.table if library == "pyarrow" else module.DataFrame
    sets = [["x", "z"] if y else ["y"] for y in Y]
    for values, metric in ((Y.tolist(), "accuracy"), (sets, "f1_samples")):
        frame = make({"y": values, "A": values[::-1]})
        with pytest.raises(dh.OrganizerError, match="column 'y' holds the values of y_true"):
            dh.compare(values, frame, metric)
    frame = make({"y": Y.tolist(), "A": P["A"].tolist()})
    if library == "pyarrow":  # whose columns have no names
        with pytest.raises(dh.OrganizerError, match="column 'y' holds the values of y_true"):
            dh.compare(frame["y"], frame, "accuracy")
    else:
        gold = frame["y"].cast(module.String)
        assert list(scored(dh.compare(gold, frame, "accuracy", resamples=100))) == ["A"]


SHAPES: dict[str, Callable[[Any], Any]] = {
    "matrix": lambda one: one,
    "flags": lambda one: one.astype(bool),
    "frame": lambda one: pd.DataFrame(one, columns=LABELS),
    "sparse": csr_matrix,
    "sparse mapping": dok_matrix,
    "lists": lambda one: [[x for x, flag in zip(LABELS, row, strict=True) if flag] for row in one],
    "sets": lambda one: [{x for x, flag in zip(LABELS, row, strict=True) if flag} for row in one],
    "series": lambda one: pd.Series(SHAPES["lists"](one)),
    "rows": lambda one: one.tolist(),
    "rows of flags": lambda one: pd.Series(list(one.astype(bool))),
    "rows by id": lambda one: {f"t{place}": row for place, row in enumerate(one.tolist())},
    "bytes": lambda one: [[x.encode() for x in row] for row in SHAPES["lists"](one)],
}


@pytest.mark.parametrize("shape", thinned(SHAPES))
def test_several_labels_for_each_example(shape: str) -> None:
    make = SHAPES[shape]
    result = dh.compare(
        make(SETS), {name: make(one) for name, one in FOUND.items()},
        ["f1_macro", "f1_micro", "f1_samples", "accuracy"], resamples=100,
    )  # fmt: skip
    for name, one in FOUND.items():
        assert scored(result, "accuracy")[name] == pytest.approx((one == SETS).all(1).mean())
        for average in ("macro", "micro", "samples"):
            wanted = metrics.f1_score(SETS, one, average=average, zero_division=0)
            assert scored(result, f"f1_{average}")[name] == pytest.approx(wanted)


def test_rows_of_zeros_and_ones_are_a_matrix_beside_one() -> None:
    wanted = scored(dh.compare(SETS, FOUND, "f1_samples", resamples=100))
    mixed = {"A": FOUND["A"].tolist(), "B": FOUND["B"]}
    for gold in (SETS, SETS.tolist(), pd.DataFrame(SETS, columns=LABELS)):
        assert scored(dh.compare(gold, mixed, "f1_samples", resamples=100)) == wanted
    lists = SHAPES["lists"]
    with pytest.raises(dh.SubmissionError, match="A: found a matrix of zeros and ones, one col"):
        dh.compare(lists(SETS), {"A": FOUND["A"]}, "f1_samples")
    with pytest.raises(dh.SubmissionError, match="same form, and write the labels 0 and 1 as te"):
        dh.compare(lists(SETS), {"A": FOUND["A"].tolist()}, "f1_samples")
    with pytest.raises(dh.SubmissionError, match="A: found lists of labels, but y_true are a mat"):
        dh.compare(SETS.tolist(), {"A": lists(FOUND["A"])}, "f1_samples")
    with pytest.raises(dh.SubmissionError, match="A: found lists of labels"):
        dh.compare(SETS, {"A": [{0, 1}] * data.N}, "f1_samples")


@pytest.mark.parametrize("make", [
    lambda texts: np.array(texts, dtype="S"), lambda texts: [text.encode() for text in texts],
    lambda texts: [bytearray(text.encode()) for text in texts],
    lambda texts: pd.Series([text.encode() for text in texts], index=range(len(texts))),
])  # fmt: skip
def test_bytes_are_texts(make: Callable[[Any], Any]) -> None:
    names = np.array(["on", "no", "cat"])  # of "no" and "on", the letters are the same
    y_true, found = names[Y].tolist(), {name: names[a].tolist() for name, a in P.items()}
    wanted = scored(dh.compare(Y, P, "accuracy", resamples=100))
    for gold in (y_true, make(y_true)):
        given = {name: make(texts) for name, texts in found.items()}
        assert scored(dh.compare(gold, given, "accuracy", resamples=100)) == wanted


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(dh.SubmissionError, match="A: found bytes that are no text in UTF-8"):
        dh.compare(["x", "y"] * 9, {"A": [b"x", b"\xff"] * 9}, "accuracy")
    with pytest.raises(dh.OrganizerError, match="y_true: found bytes that are no text in UTF-8"):
        dh.compare([b"\xff"] * 9, {"A": ["x"] * 9}, "accuracy")


def test_a_label_that_no_answer_has_counts_as_in_scikit_learn() -> None:
    gold, found = SETS * [1, 1, 0], {name: one * [1, 1, 1] for name, one in FOUND.items()}
    result = dh.compare(gold, found, "f1_macro", resamples=100)
    for name, one in found.items():
        wanted = metrics.f1_score(gold, one, average="macro", zero_division=0)
        assert scored(result)[name] == pytest.approx(wanted)


def test_label_sets_that_do_not_fit_are_refused() -> None:
    with pytest.raises(dh.SubmissionError, match=r"B: the matrix has the shape \(90, 2\); give a"):
        dh.compare(SETS, {"A": FOUND["A"], "B": FOUND["B"][:, :2]}, "f1_micro")
    with pytest.raises(dh.SubmissionError, match="apply a threshold to scores"):
        dh.compare(SETS, {"A": FOUND["A"] * 0.7}, "f1_micro")
    with pytest.raises(dh.SubmissionError, match="A: found 'x' on row 1; give a list of labels"):
        dh.compare([["x"], ["y"]] * 9, {"A": ["x", "y"] * 9}, "f1_micro")
    with pytest.raises(dh.OrganizerError, match="labels: 2 labels for 3 columns of y_true"):
        dh.compare(SETS, FOUND, "f1_micro", labels=["x", "y"])


def test_judgments_and_runs_are_mappings_of_queries() -> None:
    library = pytest.importorskip("ir_measures")
    qrels = {f"q{i}": {f"d{j}": int(RNG.integers(0, 3)) for j in range(9)} for i in range(30)}
    runs = {
        name: {q: {d: float(RNG.random() + of * g) for d, g in found.items()} for q, found in
               qrels.items()} for name, of in (("A", 1), ("B", 0.2))
    }  # fmt: skip
    del runs["B"]["q3"]
    result = dh.compare(qrels, runs, ["nDCG@5", "AP"], resamples=100)
    for measure in (library.nDCG @ 5, library.AP):
        for name, run in runs.items():
            wanted = library.calc_aggregate([measure], qrels, {"q3": {"?": 1.0}, **run})[measure]
            assert scored(result, str(measure))[name] == pytest.approx(wanted)
    listed = {q: sorted(found, key=lambda d: -found[d]) for q, found in runs["A"].items()}
    assert scored(dh.compare(qrels, {"A": listed}, "AP"))["A"] == scored(result, "AP")["A"]
    grouped = {q: place // 2 for place, q in reversed([*enumerate(qrels)])}
    assert dh.compare(qrels, runs, "AP", groups=grouped, resamples=100).leader == "A"
    with pytest.raises(dh.SubmissionError, match="A: give a mapping of query to documents"):
        dh.compare(qrels, {"A": {"other": {"d1": 1.0}}}, "AP")
    with pytest.raises(dh.SubmissionError, match="'q0': a score is no finite number"):
        dh.compare(qrels, {"A": {"q0": {"d1": np.nan}}}, "AP")
    for grade in (0.5, "x", None):
        with pytest.raises(dh.OrganizerError, match=r"document 'd1': found .*; a grade is a whole"):
            dh.compare({"q0": {"d1": grade}}, runs, "AP")
    for score in ("x", None, 1e300):
        with pytest.raises(dh.SubmissionError, match="'q0': a score is no finite number"):
            dh.compare(qrels, {"A": {"q0": {"d1": score}}}, "AP")
    for retrieved in (None, 3, "d1"):
        with pytest.raises(dh.SubmissionError, match=f"A: query 'q0': found {retrieved!r}; give a"):
            dh.compare(qrels, {"A": {"q0": retrieved}}, "AP")


def test_columns_of_labels_are_joined_by_name_or_refused() -> None:
    frames = {name: pd.DataFrame(one, columns=LABELS) for name, one in FOUND.items()}
    wanted = scored(dh.compare(SETS, FOUND, "f1_micro", resamples=100))
    assert scored(dh.compare(SETS, frames, "f1_micro", resamples=100)) == wanted
    turned = {**frames, "A": frames["A"][LABELS[::-1]]}
    match = "A and B: the columns are z, y, x and x, y, z, and those of y_true have no names; name"
    with pytest.raises(dh.SubmissionError, match=match):
        dh.compare(SETS, turned, "f1_micro")
    found = dh.compare(SETS, turned, "f1_micro", labels=LABELS, resamples=100)
    assert scored(found) == wanted
    gold = pd.DataFrame(SETS, columns=LABELS)
    assert scored(dh.compare(gold, turned, "f1_micro", resamples=100)) == wanted
    other = {"A": frames["A"].rename(columns={"x": "w"})}
    with pytest.raises(dh.SubmissionError, match="A: columns w, y, z; name them like the classes"):
        dh.compare(gold, other, "f1_micro")


def test_mappings_of_ids_are_joined() -> None:
    ids = [f"t{i}" for i in range(data.N)]
    gold = dict(zip(ids, Y.tolist(), strict=True))
    mixed = {name: dict(reversed(list(zip(ids, a.tolist(), strict=True)))) for name, a in P.items()}
    wanted = scored(dh.compare(Y, P, "accuracy", resamples=100))
    assert scored(dh.compare(gold, mixed, "accuracy", resamples=100)) == wanted
    del mixed["A"]["t4"]
    with pytest.raises(dh.SubmissionError, match="lacks 1, such as 't4'"):
        dh.compare(gold, mixed, "accuracy")
    with pytest.raises(dh.SubmissionError, match="B: found a mapping; give y_true as one"):
        dh.compare(Y, mixed, "accuracy")


def test_what_is_masked_is_missing() -> None:
    masked = np.ma.array(P["A"], mask=np.arange(data.N) == 3)
    with pytest.raises(dh.SubmissionError, match=r"A: 1 empty value\n  - row 4: found ''"):
        dh.compare(Y, {"A": masked, "B": P["B"]}, "accuracy")
    with pytest.raises(dh.OrganizerError, match="y_true: the answer on row 4 is missing or masked"):
        dh.compare(masked, P, "accuracy")
    with pytest.raises(dh.OrganizerError, match="1 missing score"):
        dh.compare_scores({"A": masked, "B": P["B"]}, greater_is_better=True)

    given = {"A": [np.ma.masked, *P["A"][1:]], "B": P["B"]}
    with pytest.raises(dh.SubmissionError, match=r"A: 1 empty value\n  - row 1: found ''"):
        dh.compare(Y, given, "accuracy")
    matrix = np.ma.array(SETS, mask=SETS * [1, 0, 0])
    for gold, found in ((matrix, SETS), (SETS, matrix)):
        with pytest.raises(dh.DeadheatError, match="a value of the matrix is masked"):
            dh.compare(gold, {"A": found}, "f1_samples")


@pytest.mark.parametrize("missing", [None, float("nan"), np.float64("nan"), pd.NA])
@pytest.mark.parametrize("make", [list, tuple, lambda given: np.array(given, dtype=object)])
def test_what_is_missing_in_a_list_of_texts_is_no_text(missing: Any, make: Any) -> None:
    names = np.where(Y, "yes", "no").tolist()
    given = make([*names[:3], missing, *names[4:]])
    predictions = {"A": names, "B": names[::-1]}
    with pytest.raises(dh.OrganizerError, match="y_true: the answer on row 4 is missing"):
        dh.compare(given, predictions, "accuracy")
    with pytest.raises(dh.SubmissionError, match=r"C: 1 empty value\n  - row 4: found ''"):
        dh.compare(names, {**predictions, "C": given}, "accuracy")
    for argument in ("groups", "strata"):
        with pytest.raises(dh.OrganizerError, match=f"{argument}: the value on row 4 is missing"):
            dh.compare(names, predictions, "accuracy", **{argument: given})
    found = dh.compare(names, predictions, "accuracy", slices={"part": given}, resamples=100)
    assert {row.value for row in found["accuracy"].slices} == {"yes", "no"}
    sets = [[name] for name in names]
    with pytest.raises(dh.OrganizerError, match="y_true: a list holds a missing value among lab"):
        dh.compare([*sets[:3], ["yes", missing], *sets[4:]], {"A": sets}, "f1_samples")


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
@pytest.mark.parametrize("argument", ["groups", "strata"])
def test_no_group_or_stratum_may_be_missing(argument: str, missing: Any) -> None:
    values = [1, 1, missing, *[1, 2] * 50][: data.N]
    design: dict[str, Any] = {argument: values}
    with pytest.raises(dh.OrganizerError, match=f"{argument}.*: the value on row 3 is missing"):
        dh.compare(Y, P, "accuracy", **design)
    with pytest.raises(dh.OrganizerError, match=f"{argument}: the value on row 3 is missing"):
        dh.compare_scores(SCORES, greater_is_better=True, **design)


@pytest.mark.parametrize("key", ["group", "stratify"])
def test_no_group_or_stratum_of_a_file_may_be_empty(tmp_path: Path, key: str) -> None:
    (tmp_path / "ref").mkdir()
    rows = [f"t{i},{y},{'' if i == 4 else i % 9}" for i, y in enumerate(Y)]
    (tmp_path / "ref" / "gold.csv").write_text("\n".join(["id,label,topic", *rows]), "utf-8")
    for name, a in P.items():
        (tmp_path / "res" / name).mkdir(parents=True)
        found = "\n".join(["id,label", *(f"t{i},{label}" for i, label in enumerate(a))])
        (tmp_path / "res" / name / "predictions.csv").write_text(found, "utf-8")
    with pytest.raises(dh.OrganizerError, match=r"gold\.csv: line 6: column 'topic' is empty"):
        dh.score(tmp_path, **{key: "topic"})  # type: ignore[arg-type]


def test_slices_are_a_mapping_or_a_frame() -> None:
    values = np.arange(data.N) % 2
    wanted = dh.compare(Y, P, "accuracy", slices={"s": values}, resamples=100)
    frame = dh.compare(Y, P, "accuracy", slices=pd.DataFrame({"s": values}), resamples=100)
    assert frame.to_dict() == wanted.to_dict()
    for slices, match in (
        (values, "slices: found ndarray; give a mapping of name to array, such as"),
        (["s"], "slices: found list"),
        ({"s": None}, r"slices\['s'\]: found NoneType; give an array"),
    ):
        with pytest.raises(dh.OrganizerError, match=match):
            dh.compare(Y, P, "accuracy", slices=slices)  # type: ignore[arg-type]


LIBRARIES: dict[str, Callable[[Any], Any]] = {
    "pandas": pd.Series,
    "polars": lambda values: pytest.importorskip("polars").Series(values),
    "pyarrow": lambda values: pytest.importorskip("pyarrow", exc_type=ImportError).array(values),
}


@pytest.mark.parametrize("library", swept(LIBRARIES))
def test_columns_of_any_library_hold_what_lists_hold(library: str) -> None:
    make = LIBRARIES[library]
    texts = [f"{'ab'[y]} word" for y in Y], [f"{'ab'[y]} word" for y in P["A"]]
    tags = [["B-x", "OI"[y] + "-x" * y] for y in Y], [["B-x", "OI"[y] + "-x" * y] for y in P["A"]]
    sets = tuple(map(SHAPES["lists"], (SETS, FOUND["A"])))
    for (gold, found), metric in ((texts, "token_f1"), (tags, "entity_f1"), (sets, "f1_samples")):
        wanted = scored(dh.compare(gold, {"A": found}, metric))
        assert scored(dh.compare(make(gold), {"A": make(found)}, metric)) == wanted
    y_true, sure = data.probabilities()
    wanted = scored(dh.compare(y_true, sure, "log_loss", resamples=100))
    rows = {name: make([row.tolist() for row in one]) for name, one in sure.items()}
    assert scored(dh.compare(y_true, rows, "log_loss", resamples=100)) == wanted
    with pytest.raises(dh.SubmissionError, match=r"A: found \{'q': 1\} on row 1; give one label"):
        dh.compare(Y, {"A": make([{"q": 1}] * data.N)}, "accuracy")
    with pytest.raises(dh.SubmissionError, match="A: the rows differ in length"):
        dh.compare(Y, {"A": make([[1.0], [0.5, 0.5]] * 45)}, "accuracy")


def test_a_lazy_frame_is_to_be_collected() -> None:
    polars = pytest.importorskip("polars")
    lazy = polars.DataFrame({"y": Y, **P}).lazy()
    calls: list[Callable[[], Any]] = [
        lambda: dh.compare("y", lazy, "accuracy"),
        lambda: dh.compare(Y, {"A": lazy}, "accuracy"),
        lambda: dh.compare(lazy, P, "accuracy"),
        lambda: dh.compare(Y, P, "accuracy", groups=lazy),
        lambda: dh.compare(Y, P, "accuracy", slices=lazy),
        lambda: dh.compare_scores(lazy, greater_is_better=True),
    ]
    for call in calls:
        with pytest.raises(dh.DeadheatError, match=r"LazyFrame: collect its data by \.collect\(\)"):
            call()


def test_an_estimator_is_told_to_predict() -> None:
    estimator = DummyClassifier().fit(Y[:, None], Y)
    hint = r"an estimator: pass what \.predict\(X_test\) returns"
    calls: list[Callable[[], Any]] = [
        lambda: dh.compare(Y, {"A": estimator}, "accuracy"),
        lambda: dh.compare(Y, estimator, "accuracy"),
        lambda: dh.compare(estimator, P, "accuracy"),
        lambda: dh.compare_scores({"A": estimator, "B": P["B"]}, greater_is_better=True),
    ]
    for call in calls:
        with pytest.raises(dh.DeadheatError, match=hint):
            call()
    with pytest.raises(dh.DeadheatError, match=r"found method: call it, as in \.predict"):
        dh.compare(Y, {"A": estimator.predict}, "accuracy")


def test_a_traceback_shows_one_line_of_the_program() -> None:
    def broken(y_true: Any, y_pred: Any) -> float:
        raise RuntimeError("this metric is broken")

    small = dh.compare(Y, P, "accuracy", resamples=100)
    calls: list[Callable[[], Any]] = [
        lambda: dh.compare(Y, {"A": Y[1:]}, "accuracy"),
        lambda: dh.compare(Y, P, "acuracy"),
        lambda: dh.compare_scores({}, greater_is_better=True),
        lambda: dh.score("nowhere"),
        lambda: dh.read_results("nowhere"),
        lambda: small.add("C", Y[:5]),
        lambda: small.figure(width="wide"),  # type: ignore[arg-type]
        lambda: small.to_html(Path("nowhere", "page.html")),
        lambda: small.plot(ax=[]),  # type: ignore[arg-type]
    ]
    for call in calls:
        with pytest.raises(dh.DeadheatError) as caught:
            call()
        assert len(traceback.extract_tb(caught.value.__traceback__)) == 3  # two of them are here
        assert caught.value.__cause__ is None
        assert caught.value.__suppress_context__
    with pytest.raises(dh.DeadheatError, match="RuntimeError in test_inputs") as caught:
        dh.compare(Y, P, broken)
    assert str(caught.value.__cause__) == "this metric is broken"
    assert "--debug" not in str(caught.value)


@pytest.mark.parametrize("name", ["question", "of whatever"])
@pytest.mark.parametrize("values", [range(40), [*map(str, range(40))], range(80, 40, -1)])
def test_an_index_with_a_name_has_the_units_names(name: str, values: Any) -> None:
    scores = np.random.default_rng(1).normal([0, 1, 1], size=(40, 3))
    plain = pd.DataFrame(scores, columns=["A", "B", "C"])
    named = plain.set_axis(pd.Index(values, name=name))
    arguments: Any = {"greater_is_better": True, "resamples": 200}
    expected = dh.compare_scores(plain, **arguments)
    result = dh.compare_scores(named, **arguments)
    (metric,), (same,) = result.values(), expected.values()
    assert [row.score for row in metric.ranking] == [row.score for row in same.ranking]
    assert name in json.dumps(result.to_dict()["reading"])


def test_an_index_may_name_the_units_of_a_long_frame() -> None:
    units = [f"q{unit}" for unit in range(40)]
    scores = np.random.default_rng(1).normal([0, 1], size=(40, 2))
    wide = pd.DataFrame(scores, columns=["A", "B"], index=pd.Index(units, name="question"))
    long = wide.reset_index().melt("question", var_name="system", value_name="quality")
    arguments: Any = {
        "greater_is_better": True, "resamples": 200, "unit": "question", "system": "system",
    }  # fmt: skip
    (expected,) = dh.compare_scores(long, **arguments).values()
    (result,) = dh.compare_scores(long.set_index("question"), **arguments).values()
    assert [row.score for row in result.ranking] == [row.score for row in expected.ranking]


def test_an_index_that_repeats_folds_is_no_column_of_scores() -> None:
    scores = np.random.default_rng(1).normal(size=(40, 3))
    index = pd.MultiIndex.from_product([range(4), range(10)], names=["repeat", "fold"])
    frame = pd.DataFrame(scores, columns=["A", "B", "C"], index=index)
    (metric,) = dh.compare_scores(frame, greater_is_better=True, resamples=200).values()
    assert {row.entry for row in metric.ranking} == {"A", "B", "C"}
    assert metric.to_dict()["verdict"]["withdrawn_because"] == "folds"
