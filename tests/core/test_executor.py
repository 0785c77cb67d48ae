"""What a forked process computes beside this one, and what happens if it cannot."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from scoring_program.bootstrap.design import Design
from scoring_program.bootstrap.resample import resample
from scoring_program.bootstrap.task_queue import Resources
from scoring_program.core.processes.executor import Executor
from scoring_program.metrics import resolve
from scoring_program.scoring.bind import bind
from scoring_program.settings.metric_spec import MetricSpec

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")


@pytest.fixture(autouse=True)
def ends_every_process() -> Iterator[None]:
    before = set(multiprocessing.active_children())  # of other tests
    yield
    assert set(multiprocessing.active_children()) <= before


def test_another_process_computes_it() -> None:
    with Executor(workers=2).beside(lambda: (os.getpid(), np.arange(10**6))) as result:
        process, numbers = result()
    assert process != os.getpid()
    np.testing.assert_array_equal(numbers, np.arange(10**6))


def test_this_process_computes_what_does_not_pay_off() -> None:
    with Executor().beside(os.getpid) as result:
        assert result() == os.getpid()


def test_a_worker_of_a_pool_computes_itself() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:  # whose workers may not fork
        assert pool.apply(computed_here)
        np.testing.assert_array_equal(pool.apply(replicates), replicates())


def computed_here() -> bool:
    with Executor(workers=2).beside(os.getpid) as result:
        return result() == os.getpid()


def replicates() -> np.ndarray:
    (metric,) = resolve([MetricSpec("accuracy", "accuracy_score")], None)
    scorer = bind(metric, np.ones(50, np.intp), [np.arange(50) < 30])
    (found,) = resample([scorer], Design(50), 700, 3, resources=Resources(2, "processes"))
    return found.values


def test_this_process_raises_the_error() -> None:
    with (
        pytest.raises(ZeroDivisionError, match=f"in {os.getpid()}"),
        Executor(workers=2).beside(fail) as result,
    ):
        result()


def fail() -> None:
    raise ZeroDivisionError(f"in {os.getpid()}")


def test_this_process_computes_it_if_the_other_is_killed() -> None:
    own = os.getpid()

    def compute() -> int:
        if os.getpid() != own:
            os.kill(os.getpid(), signal.SIGKILL)
        return os.getpid()

    with Executor(workers=2).beside(compute) as result:
        assert result() == own


def test_this_process_computes_it_if_the_other_is_killed_while_it_sends() -> None:
    own = os.getpid()

    def compute() -> tuple[int, bytes]:
        if os.getpid() != own:
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGKILL)).start()
        return os.getpid(), bytes(10**6)  # more than a pipe holds

    with Executor(workers=2).beside(compute) as result:
        time.sleep(1)
        assert result()[0] == own


@pytest.mark.parametrize("failing", ["os.fork", "os.pipe"])
def test_this_process_computes_it_if_the_system_has_no_room(
    failing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise BlockingIOError("no room")

    monkeypatch.setattr(failing, refuse)
    with Executor(workers=2).beside(os.getpid) as result:
        assert result() == os.getpid()


def test_a_process_ends_after_its_parent(tmp_path: Path) -> None:
    number = tmp_path / "process"
    code = f"""
import os, signal, time
from pathlib import Path
from scoring_program.core.processes.executor import Executor

def compute():
    Path({str(number)!r}).write_text(str(os.getpid()))
    time.sleep(0.5)
    return bytes(10**6)  # more than a pipe holds

with Executor(workers=2).beside(compute) as result:
    time.sleep(0.2)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", code], check=False)
    process = int(number.read_text())
    for _ in range(100):
        if not alive(process):
            return
        time.sleep(0.1)
    os.kill(process, signal.SIGKILL)
    pytest.fail("the process waits for a parent that is dead")


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not (state.is_file() and ") Z " in state.read_text())  # ended, though nobody asked


def test_nothing_is_left_of_what_nobody_waits_for(tmp_path: Path) -> None:
    def compute() -> None:
        time.sleep(60)
        (tmp_path / "done").touch()

    with pytest.raises(KeyboardInterrupt), Executor(workers=2).beside(compute):
        raise KeyboardInterrupt
    assert not (tmp_path / "done").exists()
