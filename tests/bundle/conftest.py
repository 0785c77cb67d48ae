"""What every test of the bundle command starts from."""

from __future__ import annotations

import contextlib
import functools
import io
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from scoring_program.bundle import program, rehearsal
from scoring_program.bundle.rehearsal import RehearsalResult
from scoring_program.commands import score
from tests.bundle.made import NOTHING_CARRIED, example


@pytest.fixture(autouse=True)
def _nothing_carried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever runs the tests holds the packages, so that no wheel is needed."""
    monkeypatch.setitem(program.IMAGES, "codalab/codalab-legacy:py312", NOTHING_CARRIED)


@functools.lru_cache(maxsize=16)
def _rehearsed(
    program: bytes, reference: bytes, submission: bytes, leave_out: str = ""
) -> RehearsalResult:
    """A rehearsal depends on nothing but what is packed, and most tests pack the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rehearsal, "subprocess", _ThisProcess)
        return rehearsal.rehearse(program, reference, submission, leave_out)


class _ThisProcess:
    """Stands for the module subprocess: runs this program, which a bundle holds, without a start.

    Those tests start what is packed that are about it: of programs, rehearsals and platforms.
    """

    TimeoutExpired = subprocess.TimeoutExpired

    @staticmethod
    def run(command: Sequence[str], **_: object) -> subprocess.CompletedProcess[str]:
        said = io.StringIO()
        failed = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(failed):
            status = score.main(command[2:])
        return subprocess.CompletedProcess(command, status, said.getvalue(), failed.getvalue())


@pytest.fixture(autouse=True)
def _rehearsed_here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.node.get_closest_marker("as_platforms_do") is None:
        monkeypatch.setattr("scoring_program.bundle.build.rehearse", _rehearsed)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The example with a second phase, for the organizers."""
    return example(tmp_path)
