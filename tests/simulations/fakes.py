"""A metric and replicates for simulated competitions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Mean:
    """The mean of a score that each system has on each example."""

    name: str = "mean"
    kind: str = "numbers"
    greater_is_better: bool = True
    ideal: float | None = None
    low: float = -np.inf
    high: float = np.inf
    ratio_scale: bool = False


MEAN = Mean()


@dataclass(frozen=True)
class Drawn:
    """Replicates [B, m], defined on every resample."""

    values: np.ndarray
    undefined: int = 0
    zero_divisions: np.ndarray | None = None
