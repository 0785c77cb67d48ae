"""Adjustment of p-values for the number of comparisons.

Families [Nava-Muñoz, Graff, Escalante 2024, sections 4.6 and 5; Nava-Muñoz's thesis, table 4.5]:
``leader`` holds the comparisons of the leader with all others, ``row`` those of one entry with all
ranked below it (one family a row), ``all`` all pairs.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..core.arrays import Floats, Ints
from .analysis import CORRECTIONS

ADJUSTMENTS = tuple(correction for correction in CORRECTIONS if correction != "none")


def adjust(p_values: Floats, family: Ints) -> Mapping[str, Floats]:
    """Return correction → adjusted p [k]; ``family`` [k] numbers the family of each p-value.

    Members of family −1 are in no family and get nan.
    """
    numbers = np.unique(family[family >= 0])
    if numbers.size > 1:
        return _adjust_families(p_values, family)
    adjusted = {correction: np.full(p_values.shape, np.nan) for correction in ADJUSTMENTS}
    if numbers.size:
        from statsmodels.stats.multitest import multipletests  # a second; not for one entry alone

        within = family == numbers[0]
        for correction, values in adjusted.items():
            values[within] = multipletests(p_values[within], method=correction)[1]
    return adjusted


def _adjust_families(p_values: Floats, family: Ints) -> Mapping[str, Floats]:
    """Adjust many families at once, in one array [families, members of the largest].

    statsmodels takes one family a call, and its Holm adjustment collects garbage every time: three
    seconds for the rows of 134 entries. Each row here is sorted; what pads the short ones is 1 and
    stands behind their p-values, so that it changes none of them.
    """
    members = np.flatnonzero(family >= 0)
    members = members[np.lexsort((p_values[members], family[members]))]
    _, row, sizes = np.unique(family[members], return_inverse=True, return_counts=True)
    column = np.arange(members.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    ascending = np.ones((sizes.size, sizes.max()))
    ascending[row, column] = p_values[members]
    place = np.arange(sizes.max())
    size = sizes[:, None]
    holm = np.maximum.accumulate(ascending * np.maximum(size - place, 1), axis=1)
    # Benjamini and Hochberg: the smallest p · size / place of this p-value and all larger ones.
    scaled = np.where(place < size, ascending / ((place + 1) / size), np.inf)
    fdr_bh = np.minimum.accumulate(scaled[:, ::-1], axis=1)[:, ::-1]
    adjusted = {}
    for correction, values in (
        ("bonferroni", ascending * size),
        ("holm", holm),
        ("fdr_bh", fdr_bh),
    ):
        adjusted[correction] = np.full(p_values.shape, np.nan)
        adjusted[correction][members] = np.minimum(values, 1.0)[row, column]
    return adjusted
