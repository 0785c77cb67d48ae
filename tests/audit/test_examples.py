"""Counts of examples, the ceilings of the field, confusion and similarity of errors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from sklearn.metrics import accuracy_score, confusion_matrix, recall_score

from scoring_program.audit.answers import Answers
from scoring_program.audit.copies import clustered_order, error_similarity, shared_errors
from scoring_program.audit.right_answers import ceilings, confusion, differing, shares_right
from scoring_program.bootstrap.design import Design
from scoring_program.bootstrap.resample import iterate_counts
from scoring_program.metrics.resolve import resolve
from scoring_program.scoring.bind import bind
from scoring_program.settings.checks import MetricSpec
from scoring_program.settings.model import Settings

from . import fields

_GOLD = np.array(["a", "a", "b", "b", "c", "c"])
_PREDICTIONS = [
    np.array(["a", "b", "b", "b", "a", "c"]),
    np.array(["a", "b", "b", "a", "a", "c"]),
    np.array(["a", "c", "a", "a", "a", "b"]),
]
_FIELD = Answers.from_predictions(_GOLD, _PREDICTIONS, ("x", "y", "z"), tuple("123456"))


def test_the_entries_that_differ_from_all_others() -> None:
    only_one, all_but_one = differing(_FIELD.right)
    assert _FIELD.right.sum(axis=0).tolist() == [3, 0, 2, 1, 0, 2]
    assert only_one == {3: 0}
    assert all_but_one == {2: 2, 5: 2}
    # Of two entries, who is the only one that is right is no second fact.
    assert differing(_FIELD.right[:2]) == ({3: 0}, {})


def test_confusion_is_that_of_scikit_learn() -> None:
    for entry, y_pred in enumerate(_PREDICTIONS):
        expected = confusion_matrix(_GOLD, y_pred, labels=list("abc"))
        found = np.zeros((3, 3), np.intp)
        for gold, given, count in confusion(_FIELD, [entry]):
            found[gold, given] = count
        assert found.tolist() == expected.tolist()
    together = confusion(_FIELD, range(3))
    assert sum(count for _, _, count in together) == 3 * len(_GOLD)


def test_shared_errors_are_counted_one_by_one() -> None:
    field = fields.made(4, entries=6, examples=120)
    shared = shared_errors(field)
    for i, first in enumerate(field.predicted):
        for j, second in enumerate(field.predicted):
            assert shared[i, j] == ((first == second) & (first != field.gold)).sum()
    similarity = error_similarity(shared)
    assert np.allclose(np.diag(similarity), 1)
    assert sorted(clustered_order(similarity)) == list(range(6))


def test_similar_entries_stand_side_by_side() -> None:
    similarity = np.full((6, 6), 0.1)
    for group in ((0, 3, 5), (1, 2, 4)):
        similarity[np.ix_(group, group)] = 0.8
    np.fill_diagonal(similarity, 1)
    order = list(clustered_order(similarity))
    assert {frozenset(order[:3]), frozenset(order[3:])} == {
        frozenset((0, 3, 5)),
        frozenset((1, 2, 4)),
    }


def test_ceilings() -> None:
    (accuracy,) = resolve([MetricSpec("accuracy", "accuracy_score")], None)
    scorer = bind(accuracy, _GOLD, _PREDICTIONS, np.array(["a", "b", "c"]), _FIELD.names)
    found = ceilings(scorer, _FIELD, [0, 1, 2], Design(6), Settings(resamples=500))
    assert found["oracle"] == 4 / 6
    vote = found["majority"]
    # Of two equally frequent labels, the best entry's counts.
    majority = np.array(["a", "b", "b", "a", "a", "c"])
    assert vote["score"] == accuracy_score(_GOLD, majority)
    assert np.isclose(vote["difference"], vote["score"] - 4 / 6)
    low, high = vote["ci"]
    assert low <= vote["difference"] <= high
    assert 0 < vote["p_two_sided"] <= 1


def test_recalls_and_their_simultaneous_coverage() -> None:
    field = fields.made(1, examples=300)
    classes = [np.flatnonzero(field.gold == code) for code in range(len(field.labels))]
    share, low, high = shares_right(field, classes, iterate_counts(Design(300), 500, 0), 0.95)
    for entry, codes in enumerate(field.predicted):
        expected = recall_score(field.gold, codes, average=None)
        assert np.allclose(share[entry], expected)
    assert (low <= share).all()
    assert (share <= high).all()
    plain = np.sqrt(share * (1 - share) / [rows.size for rows in classes])
    # Thirty intervals at once are wider than one by itself.
    assert np.median((high - low) / (2 * plain)) > 2.5


def test_a_baseline_changes_no_interval_of_the_others() -> None:
    field = fields.made(1, examples=300)
    last = len(field.names) - 1
    others = replace(
        field, names=field.names[:-1], predicted=field.predicted[:-1], absent=field.absent[:-1]
    )
    classes = [np.flatnonzero(field.gold == code) for code in range(len(field.labels))]
    beside = shares_right(field, classes, iterate_counts(Design(300), 500, 0), 0.95, [last])
    alone = shares_right(others, classes, iterate_counts(Design(300), 500, 0), 0.95)
    assert np.array_equal(beside[:, :-1], alone, equal_nan=True)


def test_a_class_that_is_not_always_drawn_has_no_interval() -> None:
    field = Answers.from_predictions(
        np.array(["a"] * 50 + ["b"]), [np.array(["a"] * 51)] * 2, ("x", "y"), [""] * 51
    )
    parts = [np.arange(50), np.array([50])]
    _, low, _ = shares_right(field, parts, iterate_counts(Design(51), 300, 0), 0.95)
    assert np.isnan(low[:, 1]).all()
