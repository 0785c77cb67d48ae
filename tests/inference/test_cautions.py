"""Every warning appears where its number says so, and none does in a healthy competition."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scoring_program.inference.analysis import Caution, MetricAnalysis
from scoring_program.scoring.diagnostics import Diagnostics
from tests.arrays import made_metric, made_replicates
from tests.competitions import told

from .cases import ACCURACY, Case, answers


def codes(analysis: MetricAnalysis) -> dict[str, Caution]:
    return {caution.code: caution for caution in analysis.cautions}


def said(caution: Caution) -> str:
    return told([caution.note])[0]


def healthy(**changes: Any) -> Case:
    return replace(Case(answers(600, 4, 1), resamples=2000), **changes)


def diagnostics(case: Case, **changes: Any) -> Diagnostics:
    return replace(Diagnostics(200, case.diagnostics.disagreements, None), **changes)


def test_none_for_a_healthy_competition() -> None:
    case = healthy()
    assert case.analyze(diagnostics=diagnostics(case)).cautions == ()
    assert case.analyze(diagnostics=None).cautions == ()


@pytest.mark.parametrize(
    ("minority", "kind", "level"),
    [
        (9, "labels", "red"),
        (10, "labels", "amber"),
        (29, "labels", "amber"),
        (30, "labels", None),
        (9, "scores", "red"),
        (49, "scores", "amber"),
        (50, "scores", None),
    ],
)
def test_minority(minority: int, kind: str, level: str | None) -> None:
    case = healthy(metric=ACCURACY.redefined(kind=kind))
    found = codes(case.analyze(diagnostics=diagnostics(case, minority=minority)))
    if level is None:
        assert not found
    else:
        caution = found["few_minority_examples"]
        assert (caution.level, caution.number) == (level, minority)
        assert f"Only {minority} minority-class examples" in said(caution)


def test_errors_for_accuracy() -> None:
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


def test_few_disagreements_that_mcnemar_separates_are_enough() -> None:
    correct = healthy().correct.copy()
    correct[:, 1] = correct[:, 0]
    correct[np.flatnonzero(correct[:, 0])[:8], 1] = False
    case = healthy(correct=correct)  # 8 : 0, exact p = .008
    assert "few_disagreements" not in codes(case.analyze())
    assert "few_disagreements" in codes(case.analyze(diagnostics=diagnostics(case)))
    correct[np.flatnonzero(correct[:, 0])[3:], 1] = True  # 3 : 0, exact p = .25
    assert "few_disagreements" in codes(healthy(correct=correct).analyze())


def test_heavy_tails() -> None:
    """One enormous error decides the difference between two entries; a far one is minor."""
    case = healthy()
    for entry, level in ((1, "red"), (3, "amber")):
        influence = np.random.default_rng(1).normal(size=(600, 4))
        influence[0, entry] = 100
        influence -= influence.mean(axis=0)
        found = codes(case.analyze(diagnostics=None, influence=lambda own=influence: own))
        assert found["heavy_tails"].level == level
        assert case.labels[entry] in said(found["heavy_tails"])
        assert "skewed_differences" not in found


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
    assert codes(Case(answers(99, 2, 1)).analyze())["few_examples"].number == 99
    assert "few_examples" not in codes(Case(answers(100, 2, 1)).analyze())


def test_undefined_resamples() -> None:
    case = healthy()
    analysis = case.analyze(replicates=made_replicates(case.values, undefined=7))
    assert (analysis.resamples, analysis.undefined) == (2000, 7)
    caution = codes(analysis)["undefined_resamples"]
    assert (caution.level, caution.number) == ("red", 7)
    assert "7 of 2,007 resamples" in said(caution)


def test_zero_divisions() -> None:
    case = healthy()
    counts = np.zeros(len(case.labels), dtype=int)
    counts[:2] = 3, 5
    for baselines, level, number, entries in (
        ((), "red", 5, case.labels[:2]),
        (case.labels[:2], "amber", 5, case.labels[:2]),
    ):
        analysis = case.analyze(
            replicates=made_replicates(case.values, zero_divisions=counts), baselines=baselines
        )
        caution = codes(analysis)["zero_divisions"]
        assert (caution.level, caution.number) == (level, number)
        assert caution.values["entries"] == tuple(entries)
    assert "zero_divisions" not in codes(healthy().analyze())


def test_only_entries_that_the_verdict_speaks_of_weaken_it() -> None:
    """The leader, the first one out and the last two, who count only if asked for."""
    case = healthy()
    leader, first_out, third, last = case.labels
    counts = np.full(len(case.labels), 4)
    replicates = made_replicates(case.values, zero_divisions=counts)
    analysis = case.analyze(replicates=replicates)
    assert analysis.order.tolist() == [0, 1, 2, 3]
    assert analysis.tied_with_leader.tolist() == [True, False, False, False]

    def levels(**asked: Any) -> dict[str, Any]:
        found = case.analyze(replicates=replicates, **asked).cautions
        return {
            caution.level: caution.values["entries"]
            for caution in found
            if caution.code == "zero_divisions"
        }

    assert levels() == {"red": (leader, first_out), "amber": (third, last)}
    assert levels(baselines=(first_out,)) == {"red": (leader, third), "amber": (first_out, last)}
    assert levels(also_spoken_of=(3,)) == {"red": (leader, first_out, last), "amber": (third,)}
    assert levels(reference_entry=third) == {"red": (leader, first_out, third), "amber": (last,)}


def test_few_errors_of_the_last_entry_say_nothing_about_the_leaders() -> None:
    """As with weights, where an entry with few errors may be the worst: a minor caution."""
    case = healthy()
    few = replace(diagnostics(case), minority=None, errors=np.array([60, 50, 60, 7]))
    caution = codes(case.analyze(diagnostics=few))["few_minority_examples"]
    assert (caution.level, caution.number) == ("amber", 7)
    both = replace(few, errors=np.array([60, 9, 60, 7]))
    caution = codes(case.analyze(diagnostics=both))["few_minority_examples"]
    assert (caution.level, caution.number) == ("red", 9)


def test_few_errors_of_baselines_are_a_minor_caution() -> None:
    """The interval of a baseline that is nearly perfect is too narrow, but decides nothing."""
    case = healthy()
    correct = case.correct.copy()
    correct[:, 0] = True
    diagnostics = replace(case.diagnostics, correct=correct)
    for baselines, level in (((), "red"), (case.labels[:1], "amber")):
        found = codes(case.analyze(diagnostics=diagnostics, baselines=baselines))
        assert found["few_minority_examples"].level == level


def test_disagreements() -> None:
    case = healthy()
    correct = case.correct.copy()
    correct[:, 1] = correct[:, 0]
    correct[np.flatnonzero(correct[:, 0])[:9], 1] = False
    case = healthy(correct=correct)
    found = codes(case.analyze(diagnostics=diagnostics(case)))
    assert (found["few_disagreements"].level, found["few_disagreements"].number) == ("red", 9)
    assert "team000 and team001 differ" in said(found["few_disagreements"])


def test_identical_predictions_are_not_few_disagreements() -> None:
    correct = healthy().correct[:, [0, 1, 1, 1]]
    case = healthy(correct=correct)
    found = codes(case.analyze(diagnostics=diagnostics(case)))
    assert set(found) == {"identical_predictions"}
    assert found["identical_predictions"].number == 3
    assert "team001 and team002, team001 and team003" in said(found["identical_predictions"])


def test_cautions_about_the_leader_stay_beside_a_reference_that_was_named() -> None:
    """The possible winners follow from the comparisons with the leader all the same."""
    correct = healthy().correct.copy()
    correct[:, 1] = correct[:, 0]
    correct[np.flatnonzero(correct[:, 0])[:6], 1] = False
    correct[np.flatnonzero(~correct[:, 0])[:1], 1] = True
    case = healthy(correct=correct)
    for named in (None, case.labels[3], case.labels[0]):
        found = case.analyze(reference_entry=named).cautions
        few = [item for item in found if item.code == "few_disagreements"]
        assert [(item.level, item.values["entries"]) for item in few] == [("red", ("team001",))]


def test_names_that_look_alike() -> None:
    case = healthy()
    other = replace(case, names=("Alice", "Bob", "\u0410lice", "B\u043eb"))
    found = codes(other.analyze(diagnostics=diagnostics(case)))
    assert set(found) == {"lookalike_names"}
    assert "Alice and \u0410lice, Bob and B\u043eb." in said(found["lookalike_names"])


def test_counted_p_values() -> None:
    def found(resamples: int, rule: str) -> dict[str, Caution]:
        return codes(healthy(resamples=resamples).analyze(diagnostics=None, tie_rule=rule))

    assert found(99, "holm")["counted_p_values"].number == 6 / 100
    assert "counted_p_values" not in found(119, "holm")
    assert "counted_p_values" not in found(99, "max_t")
    assert found(49, "max_t")["counted_p_values"].number == 3 / 50


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
    caution = codes(case.analyze(diagnostics=None))["skewed_differences"]
    assert caution.level == "amber"
    assert caution.number == pytest.approx(0.5, abs=0.15)
    assert "team001; it matters from 0.1 on)" in said(caution)


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
