"""Families of reliable comparisons: what a third entry, a copy or an odd cell does not change."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest

import scoring_program as dh
from scoring_program.core.grouping import Grouping
from scoring_program.inference.basis import Basis, MetricScores
from scoring_program.inference.comparing import reliable as reliable_module
from scoring_program.inference.comparing.comparisons import error_matrix, moments
from scoring_program.inference.comparing.reliable import Reliability
from scoring_program.inference.evidence import Question
from scoring_program.scoring.diagnostics import AnswerLayer, ComparedAnswers
from tests.sweeps import swept

from .cases import Case

N = 300
METRICS = ("mean_absolute_error", "root_mean_squared_error", "r2_score", "pearsonr")


def possible(y_true: np.ndarray, entries: dict[str, Any], metric: str) -> set[str]:
    found = dh.compare(y_true, entries, metrics=metric, resamples=1000)
    return {found.leader, *found.tied}


def judge(scores: MetricScores, **settings: Any) -> Reliability:
    basis = Basis.from_scores(scores, Question(**settings))
    pairs = moments(basis.bootstrap, *basis.field.pairs())
    return Reliability.from_basis(basis, error_matrix(len(scores.names), pairs))


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("cells", swept([1, 2, 3]))
def test_a_third_entrys_odd_cells_decide_nothing_about_two_others(metric: str, cells: int) -> None:
    """A is ahead of B by about 4 to 7 standard errors."""
    for seed, gap in enumerate((1.35, 1.45, 1.6)):
        rng = np.random.default_rng(seed)
        gold = 3 * rng.normal(size=N)
        shared, own = rng.normal(size=(N, 1)), rng.normal(size=(N, 3))
        noise = (shared + own) * [1, gap, gap]
        odd = gold + noise[:, 2]
        odd[rng.integers(N, size=cells)] *= 10.0 ** rng.integers(2, 6)
        two = {"A": gold + noise[:, 0], "B": gold + noise[:, 1]}
        assert possible(gold, two, metric) == {"A"}
        assert "B" not in possible(gold, {**two, "C": odd}, metric)


def graded(seed: int, best: float = 0.8, worst: float = 0.6, m: int = 6) -> np.ndarray:
    """Right answers [N, m] of entries that are graded."""
    return np.random.default_rng(seed).random((N, m)) < np.linspace(best, worst, m)


def test_two_nearly_identical_leaders_take_nothing_from_the_others() -> None:
    """The copy differs in six rows, three of which it gets right."""
    right = graded(3)
    copy = right[:, 0].copy()
    copy[np.flatnonzero(copy)[:3]], copy[np.flatnonzero(~copy)[:3]] = False, True
    before = Case(right, resamples=1999).analyze()
    after = Case(np.column_stack([right, copy]), resamples=1999).analyze()
    assert before.standing.tied["max_t"].tolist() == [True, True, *[False] * 4]
    assert after.standing.tied["max_t"].tolist() == [True, True, *[False] * 4, True]
    found = judge(Case(np.column_stack([right, copy])).scores)
    assert found.why[0, 6] == reliable_module.FEW_DIFFER
    assert not found.acts.any()
    assert found.alpha == pytest.approx(0.05)


@pytest.mark.parametrize("metric", swept(METRICS[:3]))
def test_an_absurd_entry_ties_with_nobody_and_lengthens_no_list(metric: str) -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        gold = rng.normal(size=N)
        entries = {f"{i}": gold + rng.normal(size=N) * (1 + i / 12) for i in range(6)}
        absurd = 3 * rng.normal(size=N)
        absurd[7] = 1e6
        without = possible(gold, entries, metric)
        assert possible(gold, {**entries, "absurd": absurd}, metric) == without
        assert len(without) < 6


@pytest.mark.parametrize(("m", "acts"), [(13, True), (14, False)])
def test_mcnemars_test_can_act_beside_twelve_rivals_at_most(m: int, acts: bool) -> None:
    """Nine examples, all right by one of two: p = 2⁻⁹, below .05/24 and not below .05/26."""
    right = graded(5, m=m)
    right[:, 1] = right[:, 0]
    right[:9, 0], right[:9, 1] = True, False
    case = Case(right, resamples=399)
    found = judge(case.scores)
    assert found.why[0, 1] == reliable_module.FEW_DIFFER
    assert found.acts[0, 1] == acts
    assert case.analyze().standing.tied["max_t"][1] != acts
    assert not judge(Case(right, groups=np.arange(N) // 2).scores).acts[0, 1]


def test_beside_few_examples_all_are_kept_in_no_family() -> None:
    case = Case(np.random.default_rng(0).random((7, 5)) < [0.9, 0.7, 0.5, 0.3, 0.2])
    assert not judge(case.scores).family.any()
    found = case.analyze()
    assert found.standing.tied["max_t"].all()
    assert (found.pairs.p_max_t == 1).all()
    assert found.standing.rank_low.tolist() == [1] * 5
    assert found.standing.rank_high.tolist() == [5] * 5


@pytest.mark.parametrize("greater_is_better", [True, False])
def test_where_everybody_is_right_a_far_end_is_that_of_the_examples(
    greater_is_better: bool,
) -> None:
    """The Clopper–Pearson upper limit of none in 40, at .05 / 4: they may err elsewhere."""
    y_true = np.arange(40) % 2
    metric = "accuracy_score" if greater_is_better else "zero_one_loss"
    found = dh.compare(y_true, {"A": y_true, "B": y_true, "C": y_true}, metrics=metric)
    limit = 1 - (0.05 / 4) ** (1 / 40)
    for entry in found.to_dict()["metrics"][0]["entries"]:
        assert entry["bar"] == [0.0, pytest.approx(limit)]


def test_errors_of_zero_are_no_share_of_right_answers() -> None:
    numbers = np.arange(40.0)
    found = dh.compare(numbers, {"A": numbers, "B": numbers}, metrics="mean_absolute_error")
    assert [entry["bar"] for entry in found.to_dict()["metrics"][0]["entries"]] == [[0.0, None]] * 2


def test_four_identical_files_of_ten() -> None:
    right = graded(7, m=7)
    four = right[:, [0, 0, 0, *range(7)]]
    alone, found = (Case(entries, resamples=1999).analyze() for entries in (right, four))
    assert found.standing.tied["max_t"][:4].all()
    np.testing.assert_array_equal(found.standing.tied["max_t"][3:], alone.standing.tied["max_t"])
    same = judge(Case(four).scores)
    assert not same.family[:4, :4].any()
    assert not same.acts.any()
    assert same.family[:4, 4:].all()


def test_undefined_resamples_leave_no_family() -> None:
    case = Case(graded(1))
    scores = case.scores
    object.__setattr__(scores.replicates, "undefined", 1)
    found = judge(scores)
    assert (found.why == reliable_module.UNDEFINED).all()
    assert not (found.family | found.acts).any()


def naive(tests: list[ComparedAnswers]) -> tuple[np.ndarray, np.ndarray]:
    m = len(tests[0].layers[0].answers)
    examples, groups = (np.zeros((m, m), int) for _ in range(2))
    for answers in tests:
        for i in range(m):
            for j in range(m):
                rows = []
                for row in range(answers.n):
                    for layer in answers.layers:
                        own, other = layer.answers[i][row], layer.answers[j][row]
                        differ: Any = np.size(own) != np.size(other) or np.any(own != other)
                        if layer.counts is not None:
                            differ &= any(
                                abs(float(a[row]) - float(b[row])) > 1e-12 * abs(float(a[row]))
                                for a, b in zip(layer.counts[i], layer.counts[j], strict=True)
                            )
                        if differ:
                            rows.append(row)
                            break
                examples[i, j] += len(rows)
                units = answers.grouping.units
                groups[i, j] += len(rows if units is None else set(units[rows]))
    return examples, groups


@pytest.mark.parametrize("at_once", [2**19, 200])
@pytest.mark.parametrize("grouped", [False, True])
def test_where_two_differ(monkeypatch: pytest.MonkeyPatch, at_once: int, grouped: bool) -> None:
    """In labels, in texts, in what numbers count; in two tasks together."""
    monkeypatch.setattr(reliable_module, "_AT_ONCE", at_once)
    monkeypatch.setattr(reliable_module, "_FEWEST", 8)
    rng = np.random.default_rng(2)
    n, m = 120, 5
    labels = [rng.integers(3, size=n) for _ in range(m)]
    labels[1], labels[2] = labels[0].copy(), labels[0].copy()
    labels[1][5:9] += 1
    labels[2][::9] += 1
    texts = [np.array([f"w{label}" for label in own], object) for own in labels]
    numbers = [np.abs(own + 1.5) for own in labels]
    near = [(own * (1 + 1e-14 * place),) for place, own in enumerate(numbers)]
    of_rows = Grouping(n, rng.integers(15, size=n) if grouped else None)
    wide = [*labels[:4], np.column_stack([labels[4], labels[4]])]
    for tests in (
        [ComparedAnswers((AnswerLayer(labels),), None, of_rows)],
        [ComparedAnswers((AnswerLayer(texts),), None, of_rows)],
        [
            ComparedAnswers(
                (AnswerLayer([own + i for i, own in enumerate(numbers)], near),), None, of_rows
            )
        ],
        [
            ComparedAnswers((AnswerLayer(labels), AnswerLayer(numbers)), None, of_rows),
            ComparedAnswers((AnswerLayer(texts[::-1]),)),
        ],
        [ComparedAnswers((AnswerLayer(wide),), None, of_rows)],
    ):
        found, expected = reliable_module.differences(tests), naive(tests)
        for ours, theirs in zip(found, expected, strict=True):
            few = np.minimum(*expected) < reliable_module.FEW
            np.testing.assert_array_equal(ours[few], theirs[few])
            assert (ours[~few] >= reliable_module.FEW).all()
            assert (ours <= theirs).all()


@pytest.mark.parametrize(
    ("judges", "of_pair", "reliable"), [(12, 3, 0), (12, 10, 1), (8, 8, 1), (8, 7, 0)]
)
def test_where_groups_cross_a_pair_lies_in_ten_of_each_kind_or_in_all(
    judges: int, of_pair: int, reliable: int
) -> None:
    """In twenty prompts, and in so many of the judges."""
    n = 240
    prompt, judge_of = np.arange(n) % 20, np.arange(n) // 20 % judges
    base = np.zeros(n, int)
    other = (judge_of < of_pair).astype(int)
    crossed = Grouping(n, np.stack([prompt, 20 + judge_of]))
    answers = [ComparedAnswers((AnswerLayer([base, other]),), None, crossed)]
    examples, groups = reliable_module.differences(answers, crossed=True)
    assert examples[0, 1] >= reliable_module.FEW
    assert (groups[0, 1] >= reliable_module.FEW) == bool(reliable)
    # Where both kinds are drawn, nothing allows for few of them.
    _, drawn = reliable_module.differences(answers)
    assert drawn[0, 1] == of_pair


def test_a_large_test_set_is_compared_in_little_memory() -> None:
    answers = np.random.default_rng(5).integers(0, 2, (2, 1_000_000), np.int8)
    compared = ComparedAnswers((AnswerLayer(list(answers)),))
    tracemalloc.start()
    reliable_module.differences([compared])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * compared.n


@pytest.mark.filterwarnings("error")
def test_numbers_whose_difference_is_infinite_differ() -> None:
    """Ranks alone are correlated, so predictions may be as large as a float."""
    first = np.array([[1.7e308], [2.0]])
    following = np.array([[[-1.7e308], [2.0]]])
    np.testing.assert_array_equal(reliable_module._unequal(first, following), [[True, False]])
