"""Which resamples count, and which entries lack a score on one that does."""

from __future__ import annotations

import numpy as np

from scoring_program.bootstrap.replicates import Replicates
from scoring_program.scoring.scorer import Scored

NAN = float("nan")


def scored(*rows: tuple[float, ...]) -> Scored:
    values = np.array(rows)
    return Scored(values, np.isnan(values))


def test_one_entry_takes_no_resamples_from_the_others() -> None:
    found = Replicates.of(scored((1, 2, NAN), (3, 4, 5), (6, 7, NAN)), 3)
    assert found.values.tolist() == [[1, 2], [3, 4], [6, 7]]
    assert (found.undefined, found.lacking, found.defined) == (0, {2: 2}, None)
    without = Replicates.of(scored((1, 2), (3, 4), (6, 7)), 3)
    np.testing.assert_array_equal(found.values, without.values)


def test_a_resample_without_any_score_counts_for_nobody() -> None:
    found = Replicates.of(scored((1, 2), (NAN, NAN), (3, 4)), 3)
    assert found.values.tolist() == [[1, 2], [3, 4]]
    assert (found.undefined, found.lacking) == (1, {})
    assert found.defined is not None
    assert found.defined.tolist() == [True, False, True]


def test_the_submission_that_is_compared_decides_which_resamples_count() -> None:
    found = Replicates.of(scored((1, NAN), (NAN, 2), (3, 4)), 3, needed=0)
    assert found.values.tolist() == [[1], [3]]
    assert (found.undefined, found.lacking) == (1, {1: 1})


def test_entries_that_would_all_go_share_the_resamples_that_all_have() -> None:
    found = Replicates.of(scored((1, NAN), (NAN, 2), (3, 4)), 3)
    assert found.values.tolist() == [[3, 4]]
    assert (found.undefined, found.lacking) == (2, {})
