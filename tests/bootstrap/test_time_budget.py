"""The time budget of metrics whose function is called on every resample."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from tests.competitions import Folder

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
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = slow(tmp_path, 0.05, 7.0)  # of which 4 calls observe
    begun = time.monotonic()
    assert folder.run() == 0
    assert time.monotonic() - begun < 1.5 * 7.0
    resamples = int(folder.results()["signature"]["resamples"])
    assert 20 <= resamples < 100
    told = f"there was time for {resamples} of 10,000 resamples only"
    assert told in capsys.readouterr().out
    page = (folder.output / "detailed_results.html").read_text(encoding="utf-8")
    assert told in page
    assert "no p-value can be below 0.0" in page


def test_a_function_that_is_too_slow_is_refused_with_the_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = slow(tmp_path, 0.3, 5.0)
    begun = time.monotonic()
    assert folder.run() == 2
    assert time.monotonic() - begun < 4.0
    message = capsys.readouterr().err
    said = re.search(
        r"on one resample takes (\S+) s, so 20 resamples.* would take (\S+) s", message
    )
    assert said is not None, message
    assert 0.6 <= float(said[1]) < 2  # more on a busy machine
    assert float(said[2]) == pytest.approx(20 * float(said[1]), rel=0.1)
    assert "'statistics'" in message
    assert not folder.output.exists()
