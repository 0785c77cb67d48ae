"""Adjusts p-values for the number of comparisons, in all families at once.

Families [Nava-Muñoz, Graff, Escalante 2024, sections 4.6 and 5; Nava-Muñoz's thesis, table 4.5]:
``leader`` holds the comparisons of the leader with all others, ``row`` those of one entry with all
ranked below it (one family per row), ``all`` all pairs.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..core.arrays import Floats, Ints
from .analysis import CORRECTIONS

ADJUSTMENTS = tuple(correction for correction in CORRECTIONS if correction != "none")


def adjust(p_values: Floats, family: Ints) -> Mapping[str, Floats]:
    """Return correction → adjusted p [k]; ``family`` [k] numbers the family of each p-value.

    Members of family −1 are in no family and get nan. The adjusted p-values of a family are those
    of statsmodels' ``multipletests``, to the last digit. That function takes one family per call,
    and every Holm adjustment runs a full garbage collection. On the example, these calls took a
    fifth of the command's time and the import a third; with 134 entries, the rows took seconds.
    """
    adjusted = {correction: np.full(p_values.shape, np.nan) for correction in ADJUSTMENTS}
    members = np.flatnonzero(family >= 0)
    if not members.size:
        return adjusted
    members = members[np.lexsort((p_values[members], family[members]))]
    _, row, sizes = np.unique(family[members], return_inverse=True, return_counts=True)
    column = np.arange(members.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    # One family per row. The padding of short rows comes after their p-values and changes none.
    ascending = np.ones((sizes.size, sizes.max()))
    ascending[row, column] = p_values[members]
    for correction, values in _adjusted_rows(ascending, sizes[:, None]).items():
        adjusted[correction][members] = np.minimum(values, 1.0)[row, column]
    return adjusted


def _adjusted_rows(ascending: Floats, size: Ints) -> Mapping[str, Floats]:
    """Adjust rows of p-values [families, k], of which the first ``size`` [families, 1] count."""
    place = np.arange(ascending.shape[1])
    holm = np.maximum.accumulate(ascending * np.maximum(size - place, 1), axis=1)
    # Benjamini and Hochberg: the smallest p · size / place of this p-value and all larger ones.
    scaled = np.where(place < size, ascending / ((place + 1) / size), np.inf)
    fdr_bh = np.minimum.accumulate(scaled[:, ::-1], axis=1)[:, ::-1]
    return {"bonferroni": ascending * size, "holm": holm, "fdr_bh": fdr_bh}
