"""Every warning appears where its number says so, and none does in a healthy competition."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scoring_program as dh
from scoring_program.data import from_arrays
from scoring_program.inference.evidence import Caution, Evidence
from scoring_program.pipeline import evaluate
from scoring_program.scoring.diagnostics import Diagnostics
from scoring_program.settings.checks import MetricSpec
from scoring_program.settings.model import Settings
from tests.arrays import made_metric, made_replicates
from tests.competitions import Folder, told, write_csv
from tests.metrics.kinds.sentences import FOUND, GOLD, in_scheme
from tests.sweeps import swept

from .cases import ACCURACY, Case, answers


def codes(evidence: Evidence) -> dict[str, Caution]:
    return {caution.code: caution for caution in evidence.cautions}


def said(caution: Caution) -> str:
    return told([caution.sentence])[0]


def healthy(**changes: Any) -> Case:
    return replace(Case(answers(600, 4, 1), resamples=2000), **changes)


def diagnostics(case: Case, **changes: Any) -> Diagnostics:
    return replace(Diagnostics(200, case.diagnostics.disagreements, None), **changes)


def test_none_for_a_healthy_competition() -> None:
    case = healthy()
    assert case.analyze(diagnostics=diagnostics(case)).cautions == ()
    assert case.analyze(diagnostics=None).cautions == ()


@pytest.mark.parametrize(
    ("minority", "kind", "averaged", "level"),
    [
        (0, "labels", True, "red"),
        (9, "labels", True, "red"),
        (9, "labels", False, "amber"),
        (10, "labels", True, "amber"),
        (29, "labels", True, "amber"),
        (30, "labels", True, None),
        (9, "scores", True, "red"),
        (9, "scores", False, "amber"),
        (49, "scores", False, "amber"),
        (50, "scores", True, None),
    ],
)
def test_minority(minority: int, kind: str, averaged: bool, level: str | None) -> None:
    """Few examples of a class are serious for a mean over classes only."""
    case = healthy(metric=replace(ACCURACY, kind=kind))
    facts = diagnostics(case, minority=minority, averaged=averaged)
    found = codes(case.analyze(diagnostics=facts))
    if level is None:
        assert not found
        return
    (caution,) = found.values()
    assert (caution.level, caution.number) == (level, minority)
    if level == "red":
        few = f"has only {minority} examples, fewer than 10, and counts as much as the others in "
        expected = few if minority else "of the task has no examples, and"
        assert said(caution).startswith(f"One class {expected}")
    else:
        assert f"Only {minority} minority-class examples" in said(caution)


@pytest.mark.parametrize(
    ("function", "params", "declared", "missing", "expected"),
    [
        ("f1_score", {"average": "macro"}, True, "c", 0),
        ("f1_score", {"average": "macro"}, False, "c", 0),  # an entry predicts it
        ("f1_score", {"average": "macro"}, False, "", 60),
        ("balanced_accuracy_score", {}, True, "c", 0),
        ("f1_score", {"average": "micro"}, True, "c", None),
        ("f1_score", {"average": "weighted"}, True, "c", None),
        ("accuracy_score", {}, True, "c", None),
    ],
)
def test_a_class_without_examples_is_not_silent(
    function: str, params: dict[str, str], declared: bool, missing: str, expected: int | None
) -> None:
    gold = np.array(["a", "b", "d"] * 60)
    predicted = gold.copy()
    predicted[:40:2] = missing or "a"
    found = dh.compare(
        gold,
        {"A": predicted, "B": np.roll(gold, 60 * 3 // 4)},
        metrics={"name": "m", "function": function, "params": params},
        labels=sorted({"a", "b", "d", missing} - {""}) if declared or missing else None,
        resamples=200,
    )
    few = [one.message for one in found.warnings if one.code == "few_class_examples"]
    assert len(few) == (expected == 0)
    assert all("One class of the task has no examples, and " in message for message in few)


def test_errors_for_accuracy() -> None:
    """Families allow for them, intervals do not."""
    case = healthy()
    correct = case.correct.copy()
    correct[:, 0] = np.arange(case.n) >= 3
    found = codes(case.analyze(diagnostics=replace(case.diagnostics, correct=correct)))
    assert "Only 3 errors" in said(found["few_minority_examples"])
    correct[:, 1] = np.arange(case.n) >= 1
    found = codes(case.analyze(diagnostics=replace(case.diagnostics, correct=correct)))
    assert "Only 1 error, fewer" in said(found["few_minority_examples"])


@pytest.mark.parametrize(
    ("groups", "level"), [(19, "red"), (20, "amber"), (99, "amber"), (100, None)]
)
def test_groups(groups: int, level: str | None) -> None:
    case = healthy(groups=np.arange(600) % groups)
    found = codes(case.analyze(diagnostics=None))
    assert found["few_groups"].level == level if level else "few_groups" not in found
    if level:
        assert said(found["few_groups"]).startswith(f"There are only {groups} groups, fewer than")


def about_strata(strata: np.ndarray, **asked: Any) -> Caution | None:
    """Return what is said of strata of right and wrong answers; groups are numbered, too."""
    rng = np.random.default_rng(1)
    gold = np.arange(strata.size) % 2
    entries = {name: np.where(rng.random(strata.size) < 0.8, gold, 1 - gold) for name in "AB"}
    groups = asked.pop("groups", None)
    settings = Settings(
        metrics=(MetricSpec("accuracy", "accuracy_score"),),
        stratify=from_arrays.STRATUM,
        group=None if groups is None else from_arrays.GROUP,
        resamples=200,
        **asked,
    )
    made = from_arrays.competition(gold, entries, settings, groups=groups, strata=strata)
    (evidence,) = evaluate(made, settings).findings.evidence
    withdrawn = evidence.verdict.withdrawn_because
    caution = codes(evidence).get("small_strata")
    assert (withdrawn == "small_strata") == (caution is not None and caution.level == "red")
    return caution


@pytest.mark.parametrize(
    ("size", "level"), [(2, "red"), (3, "red"), (5, "red"), (6, "amber"), (10, "amber"), (11, None)]
)
def test_small_strata(size: int, level: str | None) -> None:
    """Of strata of n units, resamples have (n − 1)/n of the variance."""
    caution = about_strata(np.arange(660) // size)
    assert (caution and caution.level) == level
    if caution is not None:
        narrow = np.sqrt((size - 1) / size)
        assert caution.number == round(narrow, 3)
        assert f"about {100 * (1 - narrow):.0f}% too narrow" in said(caution)


def test_small_strata_are_those_of_what_is_resampled() -> None:
    """Whole groups, of which each is a unit, and rows that stand for equal ones."""
    uneven = np.repeat(np.arange(200), np.tile([2, 5], 100))
    caution = about_strata(uneven)
    assert caution is not None
    assert caution.number == round(np.sqrt(1 - 200 / 700), 3)
    groups = np.arange(1200) // 4
    assert about_strata(np.arange(1200) // 48, groups=groups) is None  # of twelve groups
    pairs = about_strata(np.arange(1200) // 8, groups=groups)
    assert pairs is not None
    assert (pairs.level, pairs.number) == ("red", 0.707)


def test_where_draws_are_studentized_small_strata_withdraw_nothing() -> None:
    caution = about_strata(np.arange(160) // 2)
    assert caution is not None
    assert caution.level == "amber"
    never = about_strata(np.arange(160) // 2, studentized="never")
    assert never is not None
    assert never.level == "red"


def test_the_variance_within_strata_is_too_small_by_the_formula() -> None:
    """By all resamples of two strata: 2 · 2 of the first, 27 of the second."""
    strata = [np.array([0.0, np.sqrt(2)]), np.array([3.0, 5.0, 4.0])]  # that vary alike
    means = []
    for first in np.ndindex(2, 2):
        for second in np.ndindex(3, 3, 3):
            drawn = [strata[0][list(first)], strata[1][list(second)]]
            means.append(np.concatenate(drawn).mean())
    without_bias = sum(values.size * values.var(ddof=1) for values in strata) / 5**2
    assert np.var(means) == pytest.approx(without_bias * (1 - 2 / 5))


def test_uneven_groups_count_for_what_they_are_worth() -> None:
    case = healthy(groups=np.arange(600) % 150)
    assert "few_groups" not in codes(case.analyze(diagnostics=None))
    caution = codes(case.analyze(diagnostics=None, effective_groups=12.34))["few_groups"]
    assert (caution.level, caution.number) == ("red", 12.3)
    assert "The 150 groups count for 12.3 groups of equal size" in said(caution)


def test_errors_of_shares_of_errors() -> None:
    case = healthy()
    few = replace(diagnostics(case), minority=None, errors=np.array([7, 50, 60, 70]))
    assert "Only 7 errors" in said(codes(case.analyze(diagnostics=few))["few_minority_examples"])


def test_heavy_tails() -> None:
    """One enormous error decides the difference between two entries: families allow for it."""
    case = healthy()
    for entry in (1, 3):
        influence = np.random.default_rng(1).normal(size=(600, 4))
        influence[0, entry] = 100
        influence -= influence.mean(axis=0)
        found = codes(case.analyze(diagnostics=None, influence=lambda own=influence: own))
        assert found["heavy_tails"].level == "amber"
        assert found["heavy_tails"].sentence.values["entries"] == (case.labels[entry],)
        assert f"difference between team000 and {case.labels[entry]}" in said(found["heavy_tails"])


def test_a_largest_error_rests_on_a_single_example() -> None:
    """Also where a formula holds it."""
    largest = made_metric("largest", function="max_error", extreme=True)
    mixed = replace(made_metric("mixed"), formula="largest + 1", components=(largest,))
    for metric in (largest, mixed):
        caution = codes(healthy(metric=metric).analyze(diagnostics=None))["single_example"]
        assert caution.level == "red"
        assert "the one with the largest error" in said(caution)
    assert "single_example" not in codes(healthy().analyze())


def test_examples() -> None:
    found = codes(Case(answers(99, 2, 1)).analyze())
    assert found["few_examples"].number == 99
    assert set(found) == {"few_examples"}  # one sentence a cause
    assert "few_examples" not in codes(Case(answers(100, 2, 1)).analyze())


def test_undefined_resamples() -> None:
    case = healthy()
    evidence = case.analyze(replicates=made_replicates(case.values, undefined=7))
    assert (evidence.resamples, evidence.undefined) == (2000, 7)
    caution = codes(evidence)["undefined_resamples"]
    assert (caution.level, caution.number) == ("amber", 7)
    assert "7 of 2,007 resamples" in said(caution)
    for undefined, level in ((105, "amber"), (106, "red")):  # more than one in twenty
        drawn = made_replicates(case.values, undefined=undefined)
        assert codes(case.analyze(replicates=drawn))["undefined_resamples"].level == level


def test_zero_divisions() -> None:
    case = healthy()
    counts = np.zeros(len(case.labels), dtype=int)
    counts[:2] = 3, 5
    analysis = case.analyze(replicates=made_replicates(case.values, zero_divisions=counts))
    caution = codes(analysis)["zero_divisions"]
    assert (caution.level, caution.number) == ("amber", 5)
    assert caution.sentence.values["entries"] == tuple(case.labels[:2])
    assert "zero_divisions" not in codes(healthy().analyze())


def test_identical_predictions() -> None:
    correct = healthy().correct[:, [0, 1, 1, 1]]
    case = healthy(correct=correct)
    found = codes(case.analyze(diagnostics=diagnostics(case)))
    assert set(found) == {"identical_predictions"}
    assert found["identical_predictions"].number == 3
    assert "team001, team002 and team003 have identical predictions." in said(
        found["identical_predictions"]
    )


def test_names_that_look_alike() -> None:
    case = healthy()
    other = replace(case, names=("Alice", "Bob", "\u0410lice", "B\u043eb"))
    found = codes(other.analyze(diagnostics=diagnostics(case)))
    assert set(found) == {"lookalike_names"}
    assert "Alice and \u0410lice, Bob and B\u043eb." in said(found["lookalike_names"])


@pytest.mark.parametrize(("right", "expected"), [(0.1, 1), (0.45, 0), (0.9, 0)])
def test_scores_that_are_surely_worse_than_chance(right: float, expected: int) -> None:
    metric = made_metric("accuracy", no_skill=0.5)
    correct = healthy().correct.copy()
    correct[:, 1] = np.arange(len(correct)) < right * len(correct)
    case = Case(correct, resamples=500, metric=metric)
    found = case.analyze(diagnostics=None).cautions
    reversed_ = [caution for caution in found if caution.code == "reversed"]
    assert len(reversed_) == expected
    for caution in reversed_:
        assert (caution.level, caution.number) == ("amber", 0.1)
        assert "of team001 is worse than chance (0.1;" in said(caution)
        assert "the direction looks reversed" in said(caution)


def test_half_is_the_concordance_of_chance() -> None:
    times = np.arange(80.0)
    given = {"north": -times, "south": times % 7}
    found = dh.compare(times, given, "concordance_index", resamples=200).warnings
    (item,) = (one for one in found if one.code == "reversed")
    assert (
        "of north is worse than chance (0; predictions that tell nothing have 0.5)" in item.message
    )
    assert item.level == "amber"


def test_where_nobody_is_better_than_chance_all_may_be_reversed() -> None:
    metric = made_metric("accuracy", no_skill=0.5)
    correct = np.random.default_rng(0).random(healthy().correct.shape) < 0.3
    found = codes(Case(correct, resamples=500, metric=metric).analyze(diagnostics=None))
    assert found["reversed"].level == "red"


@pytest.mark.parametrize("everybody", [False, True])
def test_numbers_in_another_unit(everybody: bool) -> None:
    """They would lose to weaker ones, and no reader could tell why."""
    rng = np.random.default_rng(3)
    gold = rng.uniform(20, 90, 60)
    near = gold + rng.normal(0, 4, 60)
    others = {"constant": np.full(60, 400.0), "wild": rng.uniform(-900, 900, 60), "near": near}
    moved = {"log": np.log(near), "cents": 100 * near, "negative": -near}
    given = moved if everybody else {**others, **moved}
    for metric, expected in (("mean_absolute_error", True), ("spearmanr", False)):
        found = dh.compare(gold, given, metric, resamples=200).warnings
        scales = [item for item in found if item.code == "other_scale"]
        assert len(scales) == expected
        for item in scales:
            assert "The numbers of cents, log, negative go with the correct ones" in item.message
            assert item.level == ("red" if everybody else "amber")


@pytest.mark.parametrize("metric", ["accuracy", "f1_macro"])
def test_labels_under_other_names(metric: str) -> None:
    """Two swapped labels, or classes that count from another number, lose to any guess."""
    rng = np.random.default_rng(5)
    gold = rng.integers(1, 4, 90)
    near = np.where(rng.random(90) < 0.05, rng.integers(1, 4, 90), gold)
    moved = {"shifted": near % 3 + 1, "swapped": np.choose(near - 1, [2, 1, 3])}
    others = {"constant": np.full(90, 2), "near": near, "weak": rng.integers(1, 4, 90)}
    found = dh.compare(gold, {**moved, **others}, metric, resamples=200).warnings
    (item,) = (item for item in found if item.code == "other_scale")
    assert "The labels of shifted, swapped tell the correct ones apart, but" in item.message
    assert item.level == "amber"
    all_of_them = dh.compare(gold, moved, metric, resamples=200).warnings
    assert [item.level for item in all_of_them if item.code == "other_scale"] == ["red"]


@pytest.mark.parametrize("metric", ["log_loss", "average_precision_score", "roc_auc_score"])
def test_scores_of_the_other_class(metric: str) -> None:
    rng = np.random.default_rng(6)
    odd = rng.random(120) < 0.4
    gold = np.where(odd, "anomaly", "normal")
    near, weak = np.clip(odd + rng.normal(0, 0.3, 120), 0.05, 0.95), rng.uniform(0.4, 0.6, 120)
    asked = {metric: {"pos_label": "normal"}}
    found = dh.compare(gold, {"A": near, "B": weak}, asked, resamples=200).warnings
    (item,) = (one for one in found if one.code in ("other_scale", "reversed"))
    assert item.code == ("reversed" if metric == "roc_auc_score" else "other_scale")
    assert "of A " in item.message
    fine = dh.compare(gold, {"A": 1 - near, "B": weak}, asked, resamples=200).warnings
    assert not [one for one in fine if one.code in ("other_scale", "reversed")]


@pytest.mark.parametrize(
    "metric", swept(["log_loss", "brier_score_loss", "top_k_accuracy_score"], fast=2)
)
def test_columns_of_classes_in_another_order(metric: str) -> None:
    """Columns without names are in the order of the sorted labels: high, low, mid."""
    rng = np.random.default_rng(8)
    gold = rng.integers(0, 3, 120)
    near, weak = rng.dirichlet([1, 1, 1], (2, 120))
    near[np.arange(120), gold] += 1
    given = {"A": near / near.sum(axis=1, keepdims=True), "B": weak}
    texts = np.array(["low", "mid", "high"])[gold]
    for classes, expected in ((texts, 1), (gold, 0)):
        found = dh.compare(classes, given, metric, resamples=200, workers=1).warnings
        others = [one.message for one in found if one.code == "other_scale"]
        assert len(others) == expected
        assert all("The scores of A are higher for another class" in one for one in others)


def test_an_own_function_may_take_scores_for_any_class() -> None:
    """Nobody says which class one score per row is of, and the function knows it."""

    def auc(y_true: Any, y_pred: Any) -> float:
        positive, negative = y_pred[y_true == "bona fide"], y_pred[y_true == "spoof"]
        return float((positive[:, None] > negative).mean())

    gold = np.array(["bona fide", "spoof"] * 50)
    rng = np.random.default_rng(0)
    good = {name: (gold == "bona fide") + rng.normal(0, 0.5, 100) for name in "AB"}
    metric = {"function": auc, "kind": "scores", "greater_is_better": True}
    found = dh.compare(gold, good, metrics=[metric], resamples=300)
    assert "other_scale" not in {warning.code for warning in found.warnings}


@pytest.mark.parametrize("greater_is_better", [False, True])
def test_percentages_beside_fractions(greater_is_better: bool) -> None:
    """A system whose scores are in percent would win, or lose, whatever it is worth."""
    rng = np.random.default_rng(7)
    share = rng.beta(6, 3, 80)
    near = {"A": share, "B": share**1.1, "C": 100 * share**2, "D": np.full(80, 80.0)}
    others = {"zeros": {**near, "Z": np.zeros(80)}, "counts": {**near, "E": 300 * share}}
    for given, said in (
        (near, True),
        (others["zeros"], True),
        (others["counts"], False),  # numbers of any size
        ({"A": share, "B": 4 * share}, False),
        ({"A": np.zeros(80), "B": 10 * share}, False),  # points
        ({"A": np.r_[np.ones(4), np.zeros(76)], "B": 5 * share}, False),
        ({"C": near["C"], "D": near["D"]}, False),
        ({"A": share - 0.5, "C": near["C"]}, False),
    ):
        found = dh.compare_scores(given, greater_is_better=greater_is_better, resamples=200)
        scales = [item for item in found.warnings if item.code == "other_scale"]
        assert len(scales) == said
        for item in scales:
            assert "The scores of C, D look like percentages" in item.message
            assert item.level == ("red" if greater_is_better else "amber")
            (metric,) = found.values()
            stated = metric.to_dict()["verdict"]["confidence"]
            assert stated == (None if greater_is_better else 0.95)


def test_texts_in_other_letters() -> None:
    gold = [f"City {i}" for i in range(30)]
    given = {"A": [text.upper() for text in gold], "B": [*gold[:12], *["none"] * 18]}
    for metric, expected in (("string_match", 1), ("token_f1", 0)):
        found = dh.compare(gold, given, metric, resamples=200).warnings
        others = [one.message for one in found if one.code == "other_scale"]
        assert len(others) == expected
        assert all("Most texts of A match only if capital letters" in one for one in others)


def test_tags_of_another_scheme() -> None:
    gold = in_scheme(GOLD, "BIO")
    plain = [tuple(tag.replace("-", "_") for tag in tags) for tags in gold]
    sloppy = [tuple(tag.replace("B-", "I-") for tag in tags) for tags in gold[:9]]
    given = {
        "A": in_scheme(FOUND[0], "BIOES"),
        "B": in_scheme(FOUND[1], "BIO"),
        "C": plain,
        "D": in_scheme(FOUND[0], "IOB1"),
        "E": [*sloppy, *gold[9:]],
        "F": [("O",) * len(tags) for tags in gold],
    }
    for metric, expected in (("token_accuracy", 1), ("entity_f1", 0)):
        found = dh.compare(gold, given, metric, resamples=200).warnings
        others = [one for one in found if one.code == "other_scale"]
        assert len(others) == expected
        for one in others:
            assert "Most entities of A, C, D that match have other tags" in one.message
            assert one.level == "red"


def test_counted_p_values() -> None:
    def found(resamples: int, rule: str) -> dict[str, Caution]:
        return codes(healthy(resamples=resamples).analyze(diagnostics=None, tie_rule=rule))

    assert found(99, "holm")["counted_p_values"].number == 6 / 100
    assert "counted_p_values" not in found(119, "holm")
    assert "counted_p_values" not in found(99, "max_t")
    assert found(49, "max_t")["counted_p_values"].number == 3 / 50


@pytest.mark.parametrize("rule", ["max_t", "holm", "bonferroni", "fdr_bh", "none", "interval"])
def test_max_t_is_advised_where_it_is_not_in_use(rule: str) -> None:
    caution = codes(healthy(resamples=29).analyze(diagnostics=None, tie_rule=rule))
    sentence = said(caution["counted_p_values"])
    assert ("Use max-T" in sentence) == (rule != "max_t")
    assert ("does not depend on them" in sentence) == (rule == "max_t")


def test_comparisons_with_baselines_are_in_no_family_of_counted_p_values() -> None:
    def found(resamples: int, rule: str, baselines: int) -> Any:
        case = healthy(resamples=resamples)
        return codes(
            case.analyze(diagnostics=None, tie_rule=rule, baselines=case.labels[-baselines:])
        ).get("counted_p_values")

    assert found(49, "max_t", 1) is None  # 2 comparisons, adjusted p from .04
    assert found(29, "max_t", 1).number == 2 / 30
    assert found(79, "holm", 1) is None  # 3 pairs
    assert found(49, "holm", 1).number == 3 / 50


def test_skewed_differences() -> None:
    # One entry makes 4 errors of its own in 600: the differences' skewness over √n is 1/√4.
    correct = np.ones((600, 2), dtype=bool)
    correct[:300] = False
    correct[300:304, 1] = False
    case = healthy(correct=correct)
    for asked in ({}, {"influence": None}):  # without influence values, from the resamples
        caution = codes(case.analyze(diagnostics=None, **asked))["heavy_tails"]
        assert caution.level == "amber"
        assert caution.number == pytest.approx(0.5, abs=0.15)
        assert "for team001; it matters from 0.1 on)" in said(caution)


def test_constant_difference() -> None:
    correct = np.ones((600, 2), dtype=bool)
    correct[:, 1] = False
    found = codes(healthy(correct=correct).analyze(diagnostics=None))
    assert found["constant_difference"].number == 1
    assert "team000 and team001" in said(found["constant_difference"])


def test_red_ones_come_first_and_name_their_number() -> None:
    case = Case(answers(12, 7, 2, best=0.75, worst=0.6), groups=np.arange(12) % 5)
    cautions = case.analyze(diagnostics=diagnostics(case, minority=2)).cautions
    levels = [caution.level for caution in cautions]
    assert levels == sorted(levels, reverse=True)
    assert {"red", "amber"} == set(levels)
    for caution in cautions:
        assert any(f"{caution.number:{form}}" in said(caution) for form in ("g", ".2f", ".2g"))


@pytest.mark.parametrize(("shown_by", "doubtful"), [(3, True), (2, True), (1, False)])
def test_rare_enormous_errors_that_an_entry_may_only_have_been_spared(
    shown_by: int, doubtful: bool
) -> None:
    """Others of its kind show them; one absurd entry says nothing about the rest."""
    rng = np.random.default_rng(3)
    errors = np.abs(rng.normal(size=(200, 5))) * [1, 0.6, 0.6, 0.6, 0.6]
    errors[:2, 2 : 2 + shown_by] = 30.0
    names = ["clean", "spared", "r1", "r2", "r3"]
    result = dh.compare(
        np.zeros(200),
        dict(zip(names, errors.T, strict=True)),
        metrics="mean_absolute_error",
        resamples=999,
    )
    record = result["mean_absolute_error"].to_dict()["verdict"]
    assert "clean" not in record["possible_winners"]
    found = [text for text in result.warnings if text.code == "rare_errors"]
    assert (record["confidence"] is None) == bool(found) == doubtful
    if doubtful:
        assert record["withdrawn_because"] == "rare_errors"
        names_shown = "r1 and r2" if shown_by == 2 else "r1, r2 and r3"
        assert found[0].message.startswith(f"{names_shown} have rare errors in ")


def test_entries_that_all_have_heavy_tails_judge_each_other() -> None:
    rng = np.random.default_rng(4)
    errors = rng.lognormal(sigma=1.5, size=(300, 6)) * np.linspace(1, 4, 6)
    predictions = {f"{i}": column for i, column in enumerate(errors.T)}
    result = dh.compare(np.zeros(300), predictions, metrics="mean_absolute_error", resamples=999)
    assert len(result.possible_winners) < 6
    assert result["mean_absolute_error"].to_dict()["verdict"]["confidence"] == 0.95


@pytest.mark.parametrize(("scale", "said_so"), [(1e-10, True), (1e-7, False)])
def test_scores_that_ten_decimals_print_alike(*, scale: float, said_so: bool) -> None:
    gold, rng = np.arange(40.0), np.random.default_rng(0)
    given = {name: scale * (gold + size * rng.random(40)) for size, name in enumerate("ABC", 1)}
    result = dh.compare(scale * gold, given, "neg_mean_absolute_error", resamples=100)
    found = [one.message for one in result.warnings if one.code == "small_scores"]
    assert bool(found) == said_so
    assert all("such as 1e10 * mean_absolute_error." in one for one in found)


@pytest.mark.parametrize("classes", [4, 400])
def test_an_interval_that_excludes_its_own_score_says_so(classes: int) -> None:
    """Resamples lack a third of the classes with one example, which shifts a mean over classes."""
    rng = np.random.default_rng(5)
    gold = np.arange(400) % classes
    systems = {name: np.where(rng.random(400) < 0.3, gold, rng.permutation(gold)) for name in "AB"}
    metric = {"function": "f1_score", "params": {"average": "macro", "zero_division": 0}}
    found = dh.compare(gold, systems, metrics=[metric], resamples=500, confidence=0.9)
    outside = [row.entry for row in found.ranking if not row.low <= row.score <= row.high]
    told = [w.message for w in found.warnings if w.code == "shifted_interval"]
    assert bool(outside) == (classes == 400)
    assert [all(name in one for name in outside) for one in told] == [True] * bool(outside)


def test_a_column_that_a_name_decided_is_said_of_the_metrics_that_read_it(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    topics = [label.upper() * 2 for label in reversed(folder.labels)]
    columns = {
        "id": folder.ids,
        "topic": topics,
        "label": folder.labels,
        "second": folder.labels[::-1],
    }
    write_csv(folder.input / "ref" / "gold.csv", columns)
    for team, labels in folder.teams.items():
        folder.team(team, {"id": folder.ids, "p": labels, "t": [*topics[1:], topics[0]]})
    folder.settings(
        "metrics:\n"
        "  - {name: f1, function: f1_score, params: {average: macro}, column: topic}\n"
        "  - {name: acc, function: accuracy_score}\n"
        "  - {name: kappa, function: cohen_kappa_score}\n"
    )
    assert folder.run() == 0
    about_names = [row for row in folder.results()["warnings"] if row["code"] == "read_by_name"]
    assert [row["metric"] for row in about_names] == ["acc", "kappa"]
    page = (folder.output / "detailed_results.html").read_text(encoding="utf-8")
    assert page.count("was read by its name alone") == 1
