"""How much of an interval comes from an example's repeated samples, and how much from the examples.

The variance of a mean over n examples splits into that between examples and that within them, over
their samples (Miller 2024, "Adding Error Bars to Evals"): se² = (between + within / samples) / n. f
times as many samples leave se² − w·(1 − 1/f), where w is the part within; f times as many examples
leave se² / f, which is never more.
"""

from __future__ import annotations

import numpy as np

from ..core.arrays import Floats
from .analysis import Differences, SampleShares


def sample_shares(
    variance: Floats, standard_error: Floats, differences: Differences, reference: int
) -> SampleShares:
    """Return the shares of the squared standard errors that come from the samples, at most 1.

    ``variance`` [n, m] is that of what each example counts, over its samples. Two entries' samples
    are independent of each other. A share is nan where a variance is, or where nothing varies.
    """
    within = variance.sum(axis=0) / len(variance) ** 2
    return SampleShares(
        of_score=_share(within, standard_error),
        of_difference=_share(within + within[reference], differences.standard_error),
    )


def shortened(share: float, factor: float = 2.0) -> float:
    """Return by which share an interval is shorter with ``factor`` times as many samples."""
    return 1.0 - float(np.sqrt(1.0 - share * (1.0 - 1.0 / factor)))


def _share(within: Floats, standard_error: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(standard_error > 0, within / np.square(standard_error), np.nan)
    return np.minimum(found, 1.0)
