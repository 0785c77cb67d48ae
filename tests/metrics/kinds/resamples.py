"""Compares a metric from statistics with a library, on the same resampled examples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from scoring_program.bootstrap.design import draw_counts
from scoring_program.data.entry import objects
from scoring_program.metrics import resolve
from scoring_program.reading.formats.kind import ROWS
from scoring_program.scoring.bind import bind
from scoring_program.scoring.scorer import Scorer
from scoring_program.settings.checks import MetricSpec

#: Resamples on which every metric equals its oracle, and by how much it may differ.
RESAMPLES, TOLERANCE = 40, 1e-9
#: The score of golds and predictions of some examples by the oracle.
Oracle = Callable[[list[Any], list[Any]], float]


def scorer_of(
    function: str, params: Mapping[str, Any], golds: Sequence[Any], systems: Sequence[Sequence[Any]]
) -> Scorer:
    """Bind a metric to examples; ``kind`` among the parameters is the kind of data."""
    kind = params.get("kind", ROWS)
    own = {name: value for name, value in params.items() if name != "kind"}
    (metric,) = resolve([MetricSpec("x", function, own)], None, kind)
    return bind(metric, objects(golds), [objects(system) for system in systems])


def compare(
    function: str,
    params: Mapping[str, Any],
    golds: Sequence[Any],
    systems: Sequence[Sequence[Any]],
    oracle: Oracle,
    resamples: int = RESAMPLES,
) -> None:
    """Assert that a metric equals its oracle on the whole test set and on resamples of it.

    The last of the systems is a copy of the first, so it has the same scores.
    """
    scorer = scorer_of(function, params, golds, systems)
    n, different = len(golds), systems[:-1]
    whole = [oracle(list(golds), list(system)) for system in different]
    np.testing.assert_allclose(scorer.observed[:-1], whole, rtol=0, atol=TOLERANCE)
    counts = draw_counts(np.random.default_rng(8), n, resamples)
    scored = scorer.replicate(counts)
    expected = np.array([[_drawn(oracle, golds, s, drawn) for s in different] for drawn in counts])
    np.testing.assert_allclose(scored.values[:, :-1], expected, rtol=0, atol=TOLERANCE)
    np.testing.assert_array_equal(scored.undefined[:, :-1], np.isnan(expected))
    np.testing.assert_array_equal(scored.values[:, -1], scored.values[:, 0])
    assert len(set(expected[:, 0])) > resamples / 4  # else the comparison would be empty
    defined = scored.values[~scored.undefined]
    assert scorer.metric.low <= defined.min() <= defined.max() <= scorer.metric.high + TOLERANCE


def _drawn(oracle: Oracle, golds: Sequence[Any], system: Sequence[Any], drawn: Any) -> float:
    rows = np.repeat(np.arange(len(golds)), drawn).tolist()
    return oracle([golds[row] for row in rows], [system[row] for row in rows])
