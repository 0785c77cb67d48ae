"""Metrics and replicates made from arrays, for tests that score no files."""

from __future__ import annotations

from typing import Any

import numpy as np

from scoring_program.bootstrap.resample import Replicates
from scoring_program.metrics import Metric


def made_metric(name: str, **facts: Any) -> Metric:
    """Return a metric in [0, 1] of labels, with other facts where they are given."""
    known = {
        "label": name,
        "kind": "labels",
        "greater_is_better": True,
        "ideal": 1.0,
        "low": 0.0,
        "high": 1.0,
        "ratio_scale": True,
        "way": "sums",
        "column": None,
        "function": name,
        "params": {},
        "definition": name,
    }
    return Metric(name, **{**known, **facts})


def made_replicates(
    values: np.ndarray[Any, Any],
    undefined: int = 0,
    zero_divisions: np.ndarray[Any, Any] | None = None,
) -> Replicates:
    """Return scores [B, m] on the resamples that are not ``undefined``."""
    return Replicates(values, undefined, zero_divisions)
