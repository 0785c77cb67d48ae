"""What a forked process computes beside this one, and what happens if it cannot."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Iterator

import numpy as np
import pytest

from scoring_program.bootstrap.design import Design
from scoring_program.bootstrap.resample import resample
from scoring_program.bootstrap.resources import Resources
from scoring_program.bootstrap.workers.forked import beside
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
    with beside(lambda: (os.getpid(), np.arange(10**6)), pays_off=True) as result:
        process, numbers = result()
    assert process != os.getpid()
    np.testing.assert_array_equal(numbers, np.arange(10**6))


def test_this_process_computes_what_does_not_pay_off() -> None:
    with beside(os.getpid, pays_off=False) as result:
        assert result() == os.getpid()


def test_a_worker_of_a_pool_computes_itself() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:  # whose workers may not fork
        assert pool.apply(computed_here)
        np.testing.assert_array_equal(pool.apply(replicates), replicates())


def computed_here() -> bool:
    with beside(os.getpid, pays_off=True) as result:
        return result() == os.getpid()


def replicates() -> np.ndarray:
    (metric,) = resolve([MetricSpec("accuracy", "accuracy_score")], None)
    scorer = bind(metric, np.ones(50, np.intp), [np.arange(50) < 30])
    (found,) = resample([scorer], Design(50), 700, 3, resources=Resources(2, "processes"))
    return found.values


def test_this_process_raises_the_error() -> None:
    with (
        pytest.raises(ZeroDivisionError, match=f"in {os.getpid()}"),
        beside(fail, pays_off=True) as result,
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

    with beside(compute, pays_off=True) as result:
        assert result() == own


def test_nothing_is_left_of_what_nobody_waits_for() -> None:
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt), beside(lambda: time.sleep(60), pays_off=True):
        raise KeyboardInterrupt
    assert time.monotonic() - begin < 30
