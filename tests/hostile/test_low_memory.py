"""Where memory is short, the program says so: it neither hangs nor blames anybody's files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scoring_program.core import bounds
from tests.competitions import REPOSITORY, Folder
from tests.sweeps import swept

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits address space as Linux has")
MEBIBYTE = 1 << 20


@pytest.mark.parametrize(
    "mebibytes", swept([180, 280, 380, 200, 220, 240, 260, 300, 320, 340, 360], 3)
)
def test_a_run_with_little_memory_ends_with_results_or_says_so(
    folder: Folder, mebibytes: int
) -> None:
    import resource

    limit = mebibytes * MEBIBYTE
    folder.write("metrics: [accuracy_score]\n")
    done = subprocess.run(
        [sys.executable, "-m", "scoring_program", str(folder.input), str(folder.output)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=30,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    if done.returncode == 0:
        assert folder.scores()
        return
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("There is not enough memory for this run")
    assert os.listdir(folder.root) == ["input"]


def test_libraries_that_are_loaded_need_no_more_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "room", lambda: 50 * MEBIBYTE)
    assert bounds.is_short()
    for name in ("numpy", "scipy.special"):
        monkeypatch.setitem(sys.modules, name, sys)
    assert not bounds.lacks_libraries()
    monkeypatch.delitem(sys.modules, "scipy.special")
    assert bounds.lacks_libraries()


def test_an_error_for_want_of_memory_is_told_as_such(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A library that cannot be loaded raises ImportError, a thread RuntimeError."""

    def fails(*_: object) -> bool:
        raise RuntimeError("can't start new thread")

    folder.write()
    monkeypatch.setattr("scoring_program.pipeline.read_input", fails)
    monkeypatch.setattr(bounds, "is_short", lambda: True)
    assert folder.run() == 2
    assert "not enough memory" in capsys.readouterr().err


def test_what_is_left_is_known_where_it_is_limited() -> None:
    asked = "from scoring_program.core import bounds; print(bounds.room())"

    def room(*prefix: str) -> float:
        command = f"{' '.join(prefix)} exec {sys.executable} -c '{asked}'"
        done = subprocess.run(["sh", "-c", command], cwd=Path(REPOSITORY), capture_output=True)
        return float(done.stdout)

    assert room() == float("inf")
    assert 0 < room("ulimit -v 512000;") < 500 * MEBIBYTE
