"""Every bad input ends as it should: named, in time, leaving nothing behind and leaking nothing."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.competitions import REPOSITORY
from tests.hostile.bad import BAD, table
from tests.hostile.bad.case import Bad
from tests.hostile.trap import Trap
from tests.sweeps import thinned

#: What keeps a name written from right to left from disturbing the line it stands in.
ISOLATES = "\u2068\u2069"
#: Seconds of processor time that no bad input may take.
_LONGEST = 20


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trap:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.chdir(temporary)  # where code from an upload would leave its trace
    return Trap(tmp_path)


@contextmanager
def stopped_after(seconds: int) -> Iterator[None]:
    """End what takes more processor time as if Ctrl-C had been pressed."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def test_at_least_150_distinct_bad_inputs() -> None:
    assert len({(bad.kind, bad.name) for bad in BAD}) == len(BAD) >= 150


def test_the_documentation_counts_them() -> None:
    """By what ``python -m tests.hostile.bad`` prints."""
    page = REPOSITORY / "docs" / "explanation" / "promises.md"
    assert table() in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("bad", thinned(BAD), ids=lambda bad: f"{bad.kind}: {bad.name}")
def test_bad_input(trap: Trap, capsys: pytest.CaptureFixture[str], bad: Bad) -> None:
    trap.single()
    bad.spoil(trap)
    before = trap.everything()
    with stopped_after(_LONGEST):
        status = trap.run("--resamples", "100", "--workers", "1")
    out, err = capsys.readouterr()
    assert status == bad.status, err
    for part in bad.says:
        assert part in err, err[:2000]
    assert "Traceback" not in err
    if status == 1:
        assert "gold.csv" not in err
    assert str(trap.root) not in err
    assert {c for c in out + err if not c.isprintable()} <= {"\n", *ISOLATES}
    trap.check_outputs(status)
    trap.check_emitted(out, err)
    assert trap.everything() == before
