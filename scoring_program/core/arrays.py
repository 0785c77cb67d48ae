"""Names for array types; docstrings state the shapes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
#: In double or in single precision.
Reals = NDArray[np.floating[Any]]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
Array = NDArray[Any]


def tally(marked: Bools, sizes: Ints | None = None) -> Any:
    """Count the True rows of ``marked`` [n, …], each as often as its size [n] says."""
    return np.count_nonzero(marked, axis=0) if sizes is None else sizes @ marked


def distinct(values: Array) -> Array:
    """Return the sorted distinct values.

    ``np.unique`` imports numpy.ma, a tenth of a short run, unless it is asked for more.
    """
    return np.unique(values, return_counts=True)[0]


def median(values: Floats) -> Any:
    """Return the medians along the first axis, NaN where a value is; see `distinct`."""
    ordered = np.sort(values, axis=0)
    last = len(ordered) - 1
    middle = (ordered[last // 2] + ordered[(last + 1) // 2]) / 2
    return np.where(np.isnan(ordered[last]), np.nan, middle)
