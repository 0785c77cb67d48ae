"""Adjustment of p-values for the number of comparisons, by statsmodels.

Families [Nava-Muñoz, Graff, Escalante 2024, sections 4.6 and 5; Nava-Muñoz's thesis, table 4.5]:
``leader`` holds the comparisons of the leader with all others, ``row`` those of one entry with all
ranked below it (one family a row), ``all`` all pairs.
"""

from __future__ import annotations

import gc
import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

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
        multipletests = load()
        with _nothing_to_collect():
            for within in members:
                for correction, values in adjusted.items():
                    values[within] = multipletests(p_values[within], method=correction)[1]
    return adjusted


def load() -> Callable[..., Any]:
    """Import statsmodels' ``multipletests``: half a second, therefore only where it is needed."""
    _postpone_scipy_stats()
    from statsmodels.stats.multitest import multipletests

    found: Callable[..., Any] = multipletests
    return found


def _postpone_scipy_stats() -> None:
    """Have ``scipy.stats`` executed when something of it is used, not when it is imported.

    statsmodels imports it beside ``multipletests``, for functions that nothing here calls. It takes
    as long as all the rest together since SciPy parses its own documentation on import.
    """
    if "scipy.stats" in sys.modules:
        return
    spec = importlib.util.find_spec("scipy.stats")
    if spec is None or spec.loader is None:
        return  # the import will say what is wrong with SciPy
    spec.loader = importlib.util.LazyLoader(spec.loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules["scipy.stats"] = module
    spec.loader.exec_module(module)
    vars(sys.modules["scipy"])["stats"] = module  # where "from scipy import stats" looks


@contextmanager
def _nothing_to_collect() -> Iterator[None]:
    # Every Holm adjustment by statsmodels runs a full garbage collection: 20 ms for each family,
    # three seconds for the rows of 134 entries, unless the collector is told to overlook all.
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
