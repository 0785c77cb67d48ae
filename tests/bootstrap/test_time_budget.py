"""The time budget of metrics whose function is called on every resample."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from scoring_program import pipeline
from scoring_program.core.errors import Stopped
from tests.competitions import Folder


class Clock:
    """A clock that only a metric's own sleep moves, so that a busy machine changes nothing."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def read(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.seconds += seconds


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Replace the clock of this process."""
    clock = Clock()
    monkeypatch.setattr(time, "monotonic", clock.read)
    monkeypatch.setattr(time, "perf_counter", clock.read)
    monkeypatch.setattr(time, "sleep", clock.sleep)
    return clock


SLOW = """
import time
greater_is_better = True
def score(y_true, y_pred):
    time.sleep({seconds})
    return float((y_true == y_pred).mean())
"""


def slow(root: Path, seconds: float, budget: float) -> Folder:
    """Return a competition of two teams, scored by a function that takes ``seconds``."""
    folder = Folder(root, 60, ["One", "Two"])
    folder.write(
        "metrics: [{name: own, function: 'my_metric.py:score'}]\n"
        f"time_budget: {budget}\nworkers: 1\n"
    )
    (folder.input / "ref" / "my_metric.py").write_text(SLOW.format(seconds=seconds))
    return folder


def test_a_slow_function_is_called_on_as_many_resamples_as_the_budget_allows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], clock: Clock
) -> None:
    folder = slow(tmp_path, 0.05, 7.0)  # of which 6 calls observe
    begun = clock.seconds
    assert folder.run("--resamples", "10000") == 0
    assert 0.8 * 7.0 < clock.seconds - begun <= 7.0
    resamples = int(folder.results()["signature"]["resamples"])
    assert 50 <= resamples <= 67
    told = f"there was time for {resamples} of 10,000 resamples only"
    assert told in capsys.readouterr().out
    page = (folder.output / "detailed_results.html").read_text(encoding="utf-8")
    assert told in page
    assert "no p-value can be below 0.0" in page


def test_a_function_that_is_too_slow_is_refused_with_the_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], clock: Clock
) -> None:
    folder = slow(tmp_path, 0.3, 5.0)
    begun = clock.seconds
    assert folder.run() == 2
    assert clock.seconds - begun == pytest.approx(6 * 0.3)
    message = capsys.readouterr().err
    said = re.search(
        r"on one resample takes (\S+) s, so 20 resamples.* would take (\S+) s", message
    )
    assert said is not None, message
    assert said.groups() == ("0.6", "12")
    assert "'statistics'" in message
    assert not folder.output.exists()


SLOW_ON_ONE = """
import time
greater_is_better = True
def score(y_true, y_pred):
    if (y_true == y_pred).mean() < 0.2:
        time.sleep(0.3)
    return float((y_true == y_pred).mean())
"""


def test_an_entry_that_a_function_is_slow_on_ends_no_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = slow(tmp_path, 0, 12.0)
    (folder.input / "ref" / "my_metric.py").write_text(SLOW_ON_ONE)
    wrong = ["b" if label == "a" else "a" for label in folder.labels]
    folder.team("Slow", {"id": folder.ids, "label": wrong})
    assert folder.run() == 0
    reason = "takes more than 10 times as long as on others, and the time budget allows too few"
    assert reason in capsys.readouterr().err
    assert [item["entry"] for item in folder.results()["unusable"]] == ["Slow"]
    assert int(folder.results()["signature"]["resamples"]) >= 100


def test_a_long_wait_is_told_before_with_what_shortens_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the calls on the whole test set, and before those on resamples."""
    folder = slow(tmp_path, 0.02, 60)  # 0.04 s a resample

    def stop(*_: object) -> None:
        raise Stopped

    monkeypatch.setattr("scoring_program.pipeline.resample_parts", stop)
    said = list[str]()
    for resamples in (3000, 300):
        with pytest.raises(Stopped):
            pipeline.run(
                folder.input,
                adjust=partial(replace, time_budget=None, resamples=resamples),
                hooks=pipeline.Hooks(log=said.append),
            )
    (told,) = [line for line in said if "function is called" in line]
    assert re.search(r"each of 3,000 resamples.* about 2 min \(workers: 1\)", told)
    assert "'statistics' of the metric" in told
