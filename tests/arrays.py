"""Metrics and replicates made from arrays, for tests that score no files."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from scoring_program.core.arrays import Bools
from scoring_program.metrics import Metric
from scoring_program.scoring.scorer import Replicates

#: How far off SciPy's quantiles of Student's t are: the older ones have eight digits only.
T_QUANTILE_ERROR = 0.0 if tuple(map(int, scipy.__version__.split(".")[:2])) >= (1, 15) else 1e-7


def all_rivals(entries: int) -> Bools:
    """Return [m, m]: every entry is a rival of every other."""
    return ~np.eye(entries, dtype=np.bool_)


def made_metric(name: str, *, description: str = "", **facts: Any) -> Metric:
    """Return a metric in [0, 1] of labels, with other facts where they are given."""
    known = {
        "function": name,
        "label": name,
        "kind": "labels",
        "greater_is_better": True,
        "ideal": 1.0,
        "low": 0.0,
        "high": 1.0,
        "ratio_scale": True,
    }
    return Metric(**{**known, **facts}, name=name, description=description or name)


def made_replicates(
    values: np.ndarray[Any, Any],
    undefined: int = 0,
    zero_divisions: np.ndarray[Any, Any] | None = None,
) -> Replicates:
    """Return scores [B, m] on the resamples that are not ``undefined``."""
    return Replicates(values, undefined, zero_divisions)
