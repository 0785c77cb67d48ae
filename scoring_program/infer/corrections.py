"""Adjustment of p-values for the number of comparisons, by statsmodels.

Families [Nava-Muñoz, Graff, Escalante 2024, sections 4.6 and 5; Nava-Muñoz's thesis, table 4.5]:
``leader`` holds the comparisons of the leader with all others, ``row`` those of one entry with all
ranked below it (one family a row), ``all`` all pairs.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import numpy as np

from scoring_program.analysis import CORRECTIONS
from scoring_program.arrays import Floats, Ints

ADJUSTMENTS = tuple(correction for correction in CORRECTIONS if correction != "none")


def adjust(p_values: Floats, family: Ints) -> Mapping[str, Floats]:
    """Return correction → adjusted p [k]; ``family`` [k] numbers the family of each p-value.

    Members of family −1 are in no family and get nan.
    """
    adjusted = {correction: np.full(p_values.shape, np.nan) for correction in ADJUSTMENTS}
    members = [np.flatnonzero(family == number) for number in np.unique(family[family >= 0])]
    if members:
        from statsmodels.stats.multitest import multipletests  # a second to import

        with _nothing_to_collect():
            for within in members:
                for correction, values in adjusted.items():
                    values[within] = multipletests(p_values[within], method=correction)[1]
    return adjusted


@contextmanager
def _nothing_to_collect() -> Iterator[None]:
    # Every Holm adjustment by statsmodels runs a full garbage collection: 20 ms for each family,
    # three seconds for the rows of 134 entries, unless the collector is told to overlook all.
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
