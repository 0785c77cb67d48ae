"""All pairs of entries: their differences, adjusted p-values, and how many of them are ties."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..core.arrays import Floats
from .analysis import CORRECTIONS, FAMILIES, Pairs
from .basis import Basis
from .comparisons import Comparisons
from .corrections import adjust
from .field import Field
from .planning import resolution


def all_pairs(basis: Basis, compared: Comparisons, own_errors: Floats, p_better: Floats) -> Pairs:
    """Return all pairs, the better entry first.

    ``own_errors`` [m] are the standard errors of the scores, ``p_better`` [m, m] the p-values of
    algorithm B.
    """
    better, worse = compared.first, compared.second
    p_values = basis.to_correct(compared, compared.p_one_sided, two_sided=False)
    return Pairs(
        better=better,
        worse=worse,
        observed=compared.observed,
        standard_error=compared.standard_error,
        resolution=resolution(compared.standard_error, own_errors[better], own_errors[worse]),
        low=compared.low,
        high=compared.high,
        p_one_sided=compared.p_one_sided,
        p_adjusted={
            kind: adjust(p_values, basis.field.family(kind, better, worse)) for kind in FAMILIES
        },
        p_max_t=p_better[better, worse],
    )


def count_ties(pairs: Pairs, field: Field, family: str, alpha: float) -> Mapping[str, int]:
    """Return correction → how many pairs of competing entries in a family are ties: p ≥ α."""
    competing = field.competing[pairs.better] & field.competing[pairs.worse]
    within = competing & (field.family(family, pairs.better, pairs.worse) >= 0)
    p_values = {"none": pairs.p_one_sided, **pairs.p_adjusted[family]}
    return {
        correction: int(np.count_nonzero(p_values[correction][within] >= alpha))
        for correction in CORRECTIONS
    }
