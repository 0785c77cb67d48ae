"""Sweeps: many cases of one thing, of which the fast tests try the first, or some of each sort."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest


def swept(cases: Iterable[Any], fast: int = 1) -> list[Any]:
    """Return the cases of a parametrization; those after the first ``fast`` run in full runs only.

    A case of several values is a tuple.
    """
    return [_marked(case, is_fast=place < fast) for place, case in enumerate(cases)]


def thinned(cases: Iterable[Any], every: int = 3) -> list[Any]:
    """Return the cases of a parametrization; the fast runs try one of so many, from first to last.

    So every sort is tried whose cases stand beside each other.
    """
    return [_marked(case, is_fast=place % every == 0) for place, case in enumerate(cases)]


def in_turn(names: Iterable[Any], variants: Sequence[Any]) -> list[Any]:
    """Return all pairs for a parametrization; the fast runs try each name with one variant.

    The variants take turns, so that each is tried with many names.
    """
    pairs = []
    for turn, name in enumerate(names):
        for place, variant in enumerate(variants):
            pairs.append(_marked((name, variant), is_fast=place == turn % len(variants)))
    return pairs


def _marked(case: Any, *, is_fast: bool) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=[] if is_fast else [pytest.mark.full])
