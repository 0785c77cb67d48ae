"""The properties of the tests: the same examples in every run, and a search for others at random.

`tests/conftest.py` loads the profile ``fixed``, and ``search`` where pytest is called with
``--search MINUTES``.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.internal.conjecture import providers

from tests.competitions import REPOSITORY

#: What a search found stays here, so that the next one begins with it.
DATABASE = REPOSITORY / ".hypothesis" / "examples"
#: The name under which a report holds how many examples were tried.
_TRIED = "examples"
_CHOSEN = {"sweeps": False}


def load_profile(minutes: float | None) -> None:
    """Make the settings of all properties: fixed examples, or a search if it has ``minutes``.

    Other programs may share the machine: no property fails because an example took long.
    """
    unhurried: dict[str, Any] = {
        "deadline": None,
        "suppress_health_check": [HealthCheck.too_slow],
    }
    if minutes is None:
        settings.register_profile("fixed", derandomize=True, database=None, **unhurried)
        settings.load_profile("fixed")
        _draw_no_constants_of_modules()
        return
    database = DirectoryBasedExampleDatabase(DATABASE)
    settings.register_profile(
        "search", derandomize=False, database=database, print_blob=True, **unhurried
    )
    settings.load_profile("search")


def choose_sweeps(chosen: bool) -> None:
    """Say whether the sweeps run, before the modules of tests are imported."""
    _CHOSEN["sweeps"] = chosen


def examples(fast: int, full: int) -> int:
    """Return how many examples a property tries, in the fast run or where the sweeps run, too."""
    return full if _CHOSEN["sweeps"] else fast


def _draw_no_constants_of_modules() -> None:
    """Keep what other tests import out of the examples.

    Hypothesis draws some values among the constants of all modules that are imported, and has no
    setting for it: examples would depend on the tests that the process ran before.
    """
    if hasattr(providers, "_get_local_constants"):  # older versions do not
        none = type(providers.GLOBAL_CONSTANTS)()
        providers._get_local_constants = lambda: none


def search(items: list[pytest.Item], minutes: float, workers: int) -> None:
    """Let every property among the items run again until its share of the minutes is over."""
    properties = [item for item in items if is_hypothesis_test(getattr(item, "obj", None))]
    for item in properties:
        seconds = 60 * minutes * workers / len(properties)
        item.obj = _again(item, item.obj, seconds)  # type: ignore[attr-defined]


def _again(item: pytest.Item, run: Callable[..., None], seconds: float) -> Callable[..., None]:
    """Return what runs a property until the seconds are over, and reports the number of examples.

    Each run draws other examples, after those that failed before.
    """

    @functools.wraps(run)
    def searching(**arguments: Any) -> None:
        tried = 0
        end = time.monotonic() + seconds
        examine = run.hypothesis.inner_test  # type: ignore[attr-defined]

        @functools.wraps(examine)
        def counting(*example: Any, **named: Any) -> None:
            nonlocal tried
            tried += 1
            examine(*example, **named)

        run.hypothesis.inner_test = counting  # type: ignore[attr-defined]
        try:
            run(**arguments)
            while time.monotonic() < end:
                run(**arguments)
        finally:
            run.hypothesis.inner_test = examine  # type: ignore[attr-defined]
            item.user_properties.append((_TRIED, tried))

    return searching


def tried(reports: list[Any]) -> str:
    """Return what the reports of a search say: how many examples of how many properties."""
    numbers = [
        number
        for report in reports
        if getattr(report, "when", None) == "call"
        for name, number in report.user_properties
        if name == _TRIED
    ]
    return f"random search: {sum(numbers):,} examples of {len(numbers)} properties"
