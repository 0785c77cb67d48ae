"""Properties try the same examples in every run, and others in a search."""

from __future__ import annotations

import importlib
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import search


def examples_of_a_property() -> list[object]:
    """Return what a property is tried with."""
    examples: list[object] = []

    @given(st.lists(st.integers(), min_size=20))
    def never_fails(example: object) -> None:
        examples.append(example)

    never_fails()
    return examples


def test_every_run_tries_the_same_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else the process imported before, and whatever an earlier run stored."""
    before = examples_of_a_property()
    constants = [*range(70_000, 70_400)]
    (tmp_path / "imported_elsewhere.py").write_text(f"CONSTANTS = {constants}\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("imported_elsewhere")
    assert examples_of_a_property() == before
    assert len(before) == settings.default.max_examples
    assert settings.default.database is None


def test_a_search_repeats_a_property_and_counts_its_examples(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[int] = []

    @settings(derandomize=False, max_examples=20)
    @given(st.integers())
    def never_fails(example: int) -> None:
        seen.append(example)

    item: Any = SimpleNamespace(obj=never_fails, user_properties=[])
    beside: Any = SimpleNamespace(obj=examples_of_a_property, user_properties=[])
    clock = iter([0.0, 30.0, 59.0, 61.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock, 100.0))
    search.search([item, beside], minutes=0.5, workers=2)
    item.obj()
    assert len(seen) == 60
    assert len({*seen}) > 20
    reports = [
        SimpleNamespace(when=when, user_properties=item.user_properties)
        for when in ("setup", "call", "teardown")
    ]
    assert search.tried(reports) == "random search: 60 examples of 1 properties"
