"""Which resamples count, and which entries lack a score on one that does."""

from __future__ import annotations

import numpy as np

from scoring_program.metrics.metric import Evaluated, defined
from scoring_program.scoring.scorer import Replicates

NAN = float("nan")


def scored(*rows: tuple[float, ...]) -> Evaluated:
    values = np.array(rows)
    return defined(values)


def test_one_entry_takes_no_resamples_from_the_others() -> None:
    found = Replicates.from_scored(scored((1, 2, NAN), (3, 4, 5), (6, 7, NAN)), 3)
    assert found.values.tolist() == [[1, 2], [3, 4], [6, 7]]
    assert (found.undefined, found.lacking, found.defined) == (0, {2: 2}, None)
    without = Replicates.from_scored(scored((1, 2), (3, 4), (6, 7)), 3)
    np.testing.assert_array_equal(found.values, without.values)


def test_a_resample_without_any_score_counts_for_nobody() -> None:
    found = Replicates.from_scored(scored((1, 2), (NAN, NAN), (3, 4)), 3)
    assert found.values.tolist() == [[1, 2], [3, 4]]
    assert (found.undefined, found.lacking) == (1, {})
    assert found.defined is not None
    assert found.defined.tolist() == [True, False, True]


def test_the_submission_that_is_compared_decides_which_resamples_count() -> None:
    found = Replicates.from_scored(scored((1, NAN), (NAN, 2), (3, 4)), 3, range(1))
    assert found.values.tolist() == [[1], [3]]
    assert (found.undefined, found.lacking) == (1, {1: 1})


def test_entries_that_would_all_go_share_the_resamples_that_all_have() -> None:
    found = Replicates.from_scored(scored((1, NAN), (NAN, 2), (3, 4)), 3)
    assert found.values.tolist() == [[3, 4]]
    assert (found.undefined, found.lacking) == (2, {})


def test_an_entry_without_most_scores_takes_no_resamples_from_those_without_few() -> None:
    rows = [(1.0, 2.0, NAN)] * 50
    rows[0], rows[1], rows[2] = (NAN, 2, 3), (1, NAN, 3), (1, 2, 3)
    found = Replicates.from_scored(scored(*rows), 50)
    alone = Replicates.from_scored(scored(*(row[:2] for row in rows)), 50)
    assert np.array_equal(found.values, alone.values)
    assert (found.undefined, found.lacking) == (2, {2: 47})
    assert alone.undefined == 2


def test_further_runs_take_no_resamples_and_keep_their_zero_divisions() -> None:
    """The second of the three further runs is lacking, and the others keep their places."""
    values = np.array(
        [[1.0, 2.0, 1.0, NAN, 0.0], [NAN, NAN, NAN, NAN, NAN], [3.0, 4.0, 0.0, 2.0, 0.0]]
    )
    undefined = np.array(
        [
            [False, False, False, True, True],
            [True, True, True, True, True],
            [False, False, True, False, True],
        ]
    )
    found = Replicates.from_scored(Evaluated(values, undefined), 3, range(2))
    assert found.values.tolist() == [[1, 2, 1, 0], [3, 4, 0, 0]]
    assert found.lacking == {3: 1}
    assert found.zero_divisions is not None
    assert found.zero_divisions.tolist() == [0, 0, 1, 2]
    taken = found.take([4, 3])
    assert taken.zero_divisions is not None
    assert (taken.values.tolist(), taken.zero_divisions.tolist()) == ([[0], [0]], [2])
    assert taken.lacking == {1: 1}
    assert found.take([0, 1]).zero_divisions is None
