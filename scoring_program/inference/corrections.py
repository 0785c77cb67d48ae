"""Adjustment of p-values for the number of comparisons, by statsmodels.

Families [Nava-Muñoz, Graff, Escalante 2024, sections 4.6 and 5; Nava-Muñoz's thesis, table 4.5]:
``leader`` holds the comparisons of the leader with all others, ``row`` those of one entry with all
ranked below it (one family a row), ``all`` all pairs.
"""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np

from ..core.arrays import Floats, Ints
from .analysis import CORRECTIONS

ADJUSTMENTS = tuple(correction for correction in CORRECTIONS if correction != "none")


def adjust(p_values: Floats, family: Ints) -> Mapping[str, Floats]:
    """Return correction → adjusted p [k]; ``family`` [k] numbers the family of each p-value.

    Members of family −1 are in no family and get nan.
    """
    adjusted = {correction: np.full(p_values.shape, np.nan) for correction in ADJUSTMENTS}
    members = [np.flatnonzero(family == number) for number in np.unique(family[family >= 0])]
    if members:
        multipletests = import_multipletests()
        with _nothing_to_collect():
            for within in members:
                for correction, values in adjusted.items():
                    values[within] = multipletests(p_values[within], method=correction)[1]
    return adjusted


def import_multipletests() -> Callable[..., Any]:
    """Import statsmodels' ``multipletests``: half a second, therefore only where it is needed.

    statsmodels imports ``scipy.stats`` beside it, for functions that nothing here calls. That would
    take as long again, since SciPy parses its own documentation when it is imported.
    """
    with _scipy_stats_postponed():
        from statsmodels.stats.multitest import multipletests

    found: Callable[..., Any] = multipletests
    return found


class _Postponed(ModuleType):
    """Stands for ``scipy.stats`` until something of it is used, which imports it.

    By an ordinary import, which threads wait for; importlib's LazyLoader shows them half a module.
    """

    def __getattr__(self, name: str) -> Any:
        self.step_aside()
        return getattr(importlib.import_module(self.__name__), name)

    def step_aside(self) -> None:
        """Let the next import find ``scipy.stats`` itself."""
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
            del vars(sys.modules["scipy"])["stats"]


@contextmanager
def _scipy_stats_postponed() -> Iterator[None]:
    if "scipy.stats" in sys.modules:
        yield
        return
    import scipy

    stand_in = _Postponed("scipy.stats")
    sys.modules["scipy.stats"] = vars(scipy)["stats"] = stand_in
    try:
        yield
    finally:
        stand_in.step_aside()


@contextmanager
def _nothing_to_collect() -> Iterator[None]:
    # Every Holm adjustment by statsmodels runs a full garbage collection: 20 ms for each family,
    # three seconds for the rows of 134 entries, unless the collector is told to overlook all.
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
