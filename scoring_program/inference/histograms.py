"""Histograms of the differences between the reference and the entries close to it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..core.arrays import Bools
from .analysis import Histogram
from .comparisons import Comparisons
from .inputs import Bootstrap

#: The largest number of histograms, and the number of their bins.
HISTOGRAMS, BINS = 12, 40


def histograms(
    bootstrap: Bootstrap, against: Comparisons, ties: Mapping[str, Bools]
) -> Mapping[int, Histogram]:
    """Return histograms of the reference's advantage over the closest entries, nearest first.

    The closest entries are those tied with the reference under any of the rules ``ties``, and the
    next one. An entry whose difference no resample changes has no histogram.
    """
    nearest_first = np.argsort(np.abs(against.observed), kind="stable")
    nearest_first = nearest_first[against.standard_error[nearest_first] > 0]
    close = np.logical_or.reduce(list(ties.values()))[nearest_first]
    close[np.flatnonzero(~close)[:1]] = True
    counted = {}
    for entry in nearest_first[close][:HISTOGRAMS].tolist():
        values = bootstrap.replicates[against.first[entry]] - bootstrap.replicates[entry]
        counts, edges = np.histogram(values, bins=BINS)
        counted[entry] = Histogram(edges, counts, float(against.observed[entry]))
    return counted
