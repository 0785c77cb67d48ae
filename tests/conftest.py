"""Fixtures that every test may use."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.competitions import Folder


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A competition of three teams that is not written yet."""
    return Folder(tmp_path)
