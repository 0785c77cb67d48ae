"""Calls as other libraries have them: every one works, or its error says what to write here."""

from __future__ import annotations

import copy
import pickle
import re
import typing
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import scoring_program as dh
from scoring_program.api.record_view import RecordView
from scoring_program.api.rows import RankingRow, Rows
from scoring_program.api.types import Tests
from tests.api import data

Y, P = data.labels(2)
X = np.stack([Y + np.arange(data.N) % 3, np.arange(data.N) % 5], axis=1)
RIGHT = {name: (found == Y).astype(int) for name, found in P.items()}
FOREST = RandomForestClassifier(3, random_state=0).fit(X, Y)
PIPELINE = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, Y)
SEARCH = GridSearchCV(LogisticRegression(), {"C": [0.1, 1]}, cv=3).fit(X, Y)
FOLDS = cross_validate(PIPELINE, X, Y, cv=3, scoring=["accuracy", "f1"])


@pytest.fixture(scope="module")
def result() -> dh.Result:
    return dh.compare(Y, P, "accuracy", resamples=100)


@pytest.mark.parametrize(
    ("argument", "answer"),
    [
        ("metric", "did you mean 'metrics'?"),
        ("scoring", "did you mean 'metrics'?"),
        ("alpha", "did you mean 'confidence', which is 1 − alpha?"),
        ("n_resamples", "did you mean 'resamples'?"),
        ("random_state", "did you mean 'seed'?"),
        ("n_jobs", "did you mean 'workers'?"),
        ("verbose", "did you mean 'progress'?"),
        ("resample", "did you mean 'resamples'?"),
        ("time_budget", "it is a setting of folders, score(INPUT, time_budget=…)"),
    ],
)
def test_an_argument_of_another_library_is_answered(argument: str, answer: str) -> None:
    said = re.escape(f"has no argument {argument!r}; {answer}")
    calls: list[Callable[..., Any]] = [
        lambda **more: dh.compare(Y, P, **more),
        lambda **more: dh.compare_scores(RIGHT, **more),
    ]
    for call in calls:
        with pytest.raises(dh.OrganizerError, match=said) as caught:
            call(**{argument: 1})
        assert isinstance(caught.value, TypeError)


def test_predictions_may_not_be_called_y_pred() -> None:
    with pytest.raises(TypeError, match="'y_pred'; did you mean 'predictions'"):
        dh.compare(y_true=Y, y_pred=P)  # type: ignore[call-arg]


def test_a_setting_of_another_program_is_answered_in_python() -> None:
    with pytest.raises(dh.OrganizerError, match="'alpha'; did you mean 'confidence', which is 1"):
        dh.score("example/input", alpha=0.05)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("attribute", "answer"),
    [
        ("winner", "use .leader, or .possible_winners"),
        ("summary", "use .to_frame(), or .verdict of the result"),
        ("to_markdown", "use .to_frame(), as in .to_frame().to_markdown()"),
        ("to_csv", "use .to_frame(), as in .to_frame().to_csv(FILE)"),
        ("to_json", "use .to_dict()"),
        ("pvalue", "use .differences of a metric, each row with p_two_sided"),
        ("confidence_interval", "use .ranking, each row with low and high"),
        ("leadr", "did you mean 'leader'?"),
    ],
)
def test_an_attribute_of_another_library_is_answered(
    result: dh.Result, attribute: str, answer: str
) -> None:
    for shown in (result, result["accuracy"]):
        with pytest.raises(AttributeError, match=re.escape(f"{attribute!r}; {answer}")):
            getattr(shown, attribute)
        assert not hasattr(shown, attribute)


def test_rows_lead_to_a_frame(result: dh.Result) -> None:
    with pytest.raises(AttributeError, match=re.escape("as in .to_frame().to_csv(FILE)")):
        _ = result.ranking.to_csv  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=r"'Rows' object has no attribute 'winner'$"):
        _ = result.ranking.winner  # type: ignore[attr-defined]


def test_answers_do_not_disturb_python(result: dh.Result) -> None:
    rows: Rows[RankingRow] = pickle.loads(pickle.dumps(result.ranking))
    assert rows == result.ranking
    assert copy.copy(result).leader == result.leader
    with pytest.raises(AttributeError, match=r"attribute '_repr_png_'$"):
        _ = result._repr_png_  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="inner"):
        _ = Broken().leader


class Broken(dh.MetricResult):
    """Its own attribute fails, which is no wrong name."""

    def __init__(self) -> None:
        pass

    @property
    def leader(self) -> str:
        raise AttributeError("inner")


@pytest.mark.parametrize(("key", "answer"), [
    ("A", "it is an entry, whose row .ranking has"), (0, "there are accuracy"),
    ("acuracy", "did you mean 'accuracy'?"),
])  # fmt: skip
def test_a_key_that_is_no_metric_is_answered(result: dh.Result, key: Any, answer: str) -> None:
    with pytest.raises(KeyError, match=re.escape(answer)):
        _ = result[key]


@pytest.mark.parametrize(
    "estimator", [FOREST, PIPELINE, SEARCH], ids=lambda one: type(one).__name__
)
def test_a_fitted_estimator_is_told_to_predict(estimator: Any) -> None:
    """A forest and a pipeline have a length, as arrays do."""
    hint = r"an estimator: pass what \.predict\(X_test\) returns"
    calls: list[Callable[[], Any]] = [
        lambda: dh.compare(Y, {"A": estimator}),
        lambda: dh.compare(Y, estimator),
        lambda: dh.compare_scores({"A": estimator, "B": estimator}, greater_is_better=True),
    ]
    for call in calls:
        with pytest.raises(dh.DeadheatError, match=hint):
            call()
    with pytest.raises(dh.DeadheatError, match="pass what each of them predicts"):
        dh.compare(Y, [estimator])  # type: ignore[arg-type]


@pytest.mark.parametrize("made", [FOLDS, pd.DataFrame(FOLDS)], ids=["mapping", "frame"])
def test_results_of_cross_validate_are_answered_with_what_to_pass(made: Any) -> None:
    calls: list[Callable[[], Any]] = [
        lambda: dh.compare_scores(made, greater_is_better=True),
        lambda: dh.compare_scores({"A": made, "B": made}, greater_is_better=True),
        lambda: dh.compare(Y, {"A": made}),
    ]
    for call in calls:
        with pytest.raises(dh.DeadheatError, match=re.escape("{name: results['test_accuracy']}")):
            call()
    scores = {"A": FOLDS["test_accuracy"], "B": FOLDS["test_f1"]}
    assert len(dh.compare_scores(scores, greater_is_better=True, resamples=100).entries) == 2


@pytest.mark.parametrize("made", [SEARCH.cv_results_, pd.DataFrame(SEARCH.cv_results_)],
                         ids=["mapping", "frame"])  # fmt: skip
def test_results_of_a_search_are_answered_with_what_to_pass(made: Any) -> None:
    calls: list[Callable[[], Any]] = [
        lambda: dh.compare_scores(made),
        lambda: dh.compare(Y, made),
    ]
    for call in calls:
        with pytest.raises(dh.DeadheatError, match="found cv_results_ of a search; ") as caught:
            call()
    what = re.search(r"\{name: (.*?)\} for the i-th", str(caught.value))
    assert what is not None
    names = {"cv_results_": SEARCH.cv_results_, "folds": 3, "i": 1}
    assert len(eval(what[1], names)) == 3


def test_arrays_without_names_are_told_to_be_named() -> None:
    calls: list[Callable[..., Any]] = [dh.compare_scores, lambda *two: dh.compare(Y, *two)]
    for call in calls:
        with pytest.raises(dh.OrganizerError, match=re.escape("such as {'A': a, 'B': b}")):
            call(RIGHT["A"], RIGHT["B"])


@pytest.mark.parametrize("offered", [
    dh.compare, dh.compare_scores, dh.read_results, dh.score, dh.score_submission,
    *(one for kind in (dh.Result, dh.MetricResult) for name, one in vars(kind).items()
      if callable(one) and not name.startswith("_")),
], ids=lambda one: one.__qualname__)  # fmt: skip
def test_hints_of_types_are_resolved(offered: Any) -> None:
    assert "return" in typing.get_type_hints(offered)


# New arguments ------------------------------------------------------------------------------------


def of_b(result: dh.Result) -> dict[str, Any]:
    (metric,) = result.to_dict()["metrics"]
    (entry,) = (one for one in metric["entries"] if one["entry"] == "B")
    return {**entry["difference"], "reference": metric["reference"]}


def test_mcnemars_test_of_zeros_and_ones_is_that_of_the_predictions() -> None:
    tests: Tests = ("mcnemar", "randomization")
    labels = of_b(dh.compare(Y, P, "accuracy", tests=tests, resamples=200))
    for better, table in ((True, RIGHT), (False, {name: 1 - of for name, of in RIGHT.items()})):
        scored = dh.compare_scores(table, greater_is_better=better, tests=tests, resamples=200)
        for key in ("mcnemar_exact", "mcnemar_mid_p", "randomization_two_sided"):
            assert of_b(scored)[key] == labels[key]
    halves = {name: of / 2 for name, of in RIGHT.items()}
    with pytest.raises(dh.OrganizerError, match="to means of scores of 0 and 1"):
        dh.compare_scores(halves, greater_is_better=True, tests="mcnemar")


def test_a_reference_entry_and_a_margin_are_those_of_the_settings() -> None:
    more: dict[str, Any] = {"reference_entry": "B", "margin": 0.2, "resamples": 100}
    scored = dh.compare_scores(RIGHT, greater_is_better=True, **more)
    labels = dh.compare(Y, P, "accuracy", **more)
    for result in (scored, labels):
        (metric,) = result.to_dict()["metrics"]
        assert metric["reference"] == "B"
        assert result.to_dict()["settings"]["margin"] == 0.2
    with pytest.raises(dh.OrganizerError, match="margin: expected a number above 0"):
        dh.compare(Y, P, "accuracy", margin=-1)


def test_slices_and_groups_stand_beside_any_table_of_scores() -> None:
    topic, group = np.arange(data.N) % 3 // 2, np.arange(data.N) // 2
    wide = pd.DataFrame(RIGHT)
    long = wide.assign(unit=range(data.N)).melt("unit", ["A", "B"], "system", "score")
    design: dict[str, Any] = {"greater_is_better": True, "resamples": 100}
    wanted = dh.compare_scores(RIGHT, slices={"topic": topic}, groups=group, **design)
    assert {row.value for row in wanted["mean_score"].slices} == {"0", "1"}
    twice: dict[str, Any] = {"slices": {"topic": np.tile(topic, 2)}, "groups": np.tile(group, 2)}
    results = (
        dh.compare_scores(wide, slices={"topic": topic}, groups=group, **design),
        dh.compare_scores(wide.assign(topic=topic), slices="topic", groups=group, **design),
        dh.compare_scores(wide, slices=pd.DataFrame({"topic": topic}), groups=group, **design),
        dh.compare_scores(long, **twice, unit="unit", system="system", **design),
    )
    for result in results:
        for metric in result.values():
            assert metric.slices == wanted["mean_score"].slices
            assert metric.ranking == wanted["mean_score"].ranking
    for slices, said in (("topik", "slices: there is no column 'topik'"),
                         ({"A": topic}, "slices: scores have 'A', too")):  # fmt: skip
        with pytest.raises(dh.OrganizerError, match=said):
            dh.compare_scores(wide, slices=slices, **design)


def test_a_notebook_shows_minor_cautions_too() -> None:
    few = dh.compare(Y[:30], {name: found[:30] for name, found in P.items()}, "accuracy",
                     resamples=100)  # fmt: skip
    minor = [item.message for item in few.warnings if item.level == "amber"]
    assert minor
    shown = few._repr_html_()
    assert all(f"Minor caution: {message}" in shown for message in minor)
    assert isinstance(few._view, RecordView)
