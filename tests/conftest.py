"""Fixtures that every test may use."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.competitions import Folder


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--accept-golden",
        action="store_true",
        help="replace the golden files of tests/render/golden by what is made now",
    )


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A competition of three teams that is not written yet."""
    return Folder(tmp_path)
