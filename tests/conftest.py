"""Fixtures and checks for every test."""

from __future__ import annotations

import gc
import subprocess
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from scoring_program.commands import boundary, check
from scoring_program.core.errors import DeadheatError, internal, outline
from tests.competitions import Folder

_INTERNAL_ERROR = DeadheatError.exit_status


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--accept-golden",
        action="store_true",
        help="replace the golden files of tests/report/golden by what is made now",
    )
    parser.addoption(
        "--must-run",
        action="store_true",
        help="fail if a test is skipped: for environments that were made for just these tests",
    )


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a session that skipped what it must run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if session.config.getoption("--must-run") and reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Fail a test in which anything became an internal error, here or in a child process.

    Whatever a test is about, exit status 3 is a defect of the program, unless the test is marked
    as one of just that.
    """
    found: list[str] = []
    wait = subprocess.Popen.wait

    def watched_internal(error: BaseException, version: str) -> DeadheatError:
        found.append(outline(error))
        return internal(error, version)

    def watched_wait(process: subprocess.Popen[Any], timeout: float | None = None) -> int:
        status = wait(process, timeout)
        if status == _INTERNAL_ERROR:
            found.append(f"exit status {status} of {process.args!r}")
        return status

    with pytest.MonkeyPatch.context() as patch:
        for command in (boundary, check):
            patch.setattr(command, "internal", watched_internal)
        patch.setattr(subprocess.Popen, "wait", watched_wait)
        result = yield
    if bool(found) != (item.get_closest_marker("internal_error") is not None):
        pytest.fail(f"internal errors: {found}")
    return result


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A competition of three teams that is not written yet."""
    return Folder(tmp_path)


@pytest.fixture(scope="module")
def quick_collections() -> Iterator[None]:
    """Spare statsmodels' adjustments, which collect garbage at every call, all that tests hold."""
    gc.freeze()
    yield
    gc.unfreeze()
