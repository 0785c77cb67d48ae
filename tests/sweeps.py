"""Sweeps: many cases of one thing, of which the fast tests try the first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def swept(cases: Iterable[Any], fast: int = 1) -> list[Any]:
    """Return the cases of a parametrization; those after the first ``fast`` run in full runs only.

    A case of several values is a tuple.
    """
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=[pytest.mark.full] if place >= fast else [],
        )
        for place, case in enumerate(cases)
    ]
