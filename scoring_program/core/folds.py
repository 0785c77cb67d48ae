"""How the folds of a cross-validation share training data, and what a mean over them varies by.

The scores of r repetitions of k folds are no independent units: every two models were trained on
data that they share. So the variance of their mean is not C/(rk), C being the covariance of the rk
scores of the entries, but about C·(1/(rk) + 1/(k − 1)): to the usual share comes that of the test
data in the training data. Of J random splits, of which a share q is test data, it is
C·(1/J + q/(1 − q)). Source: Nadeau and Bengio 2003, "Inference for the Generalization Error",
Machine Learning 52. Tests take the t distribution with k − 1 degrees of freedom, because rk − 1
are too many: repetitions tell no more of the data.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

#: Units that are called folds and are independent all the same.
INDEPENDENT = "none"
#: Fewer folds, or random splits, are too few.
FEWEST_FOLDS = 5
FEWEST_SPLITS = 20


@dataclass(frozen=True)
class Folds:
    """A cross-validation: ``repeats`` times ``folds``, or ``splits`` with a ``test_share`` each."""

    repeats: int | None = None  # r
    folds: int | None = None  # k
    splits: int | None = None  # J
    test_share: float | None = None  # q

    def __post_init__(self) -> None:
        """Check that one of the two is stated, in full."""
        of_folds = self.repeats is not None and self.folds is not None
        of_splits = self.splits is not None and self.test_share is not None
        if of_folds == of_splits or len(self.stated) != 2:
            raise ValueError("{repeats: r, folds: k}, {splits: J, test_share: q}, or none")
        if self.folds is not None and self.folds < FEWEST_FOLDS:
            raise ValueError(f"at least {FEWEST_FOLDS} folds; fewer say too little")
        if self.splits is not None and self.splits < FEWEST_SPLITS:
            raise ValueError(f"at least {FEWEST_SPLITS} splits; fewer say too little")

    @property
    def stated(self) -> Mapping[str, int | float]:
        """What is stated, as the settings write it."""
        return {key: value for key, value in vars(self).items() if value is not None}

    @property
    def rows(self) -> int:
        """How many scores of each entry there are."""
        if self.folds is None:
            return self.splits or 0
        return (self.repeats or 0) * self.folds

    @property
    def variance_factor(self) -> float:
        """What times C is the variance of the mean."""
        if self.folds is not None:
            return 1 / self.rows + 1 / (self.folds - 1)
        share = self.test_share or 0.0
        return 1 / self.rows + share / (1 - share)

    @property
    def degrees_of_freedom(self) -> int:
        """Those of the t distribution of a difference: k − 1."""
        if self.folds is not None:
            return self.folds - 1
        return math.floor(1 / (self.test_share or 1.0) + 1e-9) - 1
