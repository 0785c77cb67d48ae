"""What a metric's code prints is dropped, unless the function is given in Python."""

from __future__ import annotations

import threading
import warnings
from pathlib import Path

import numpy as np
import pytest

from scoring_program.metrics import resolve
from scoring_program.metrics.metric import Data
from scoring_program.metrics.organizer import silenced
from scoring_program.scoring.scorers import FunctionScorer
from scoring_program.settings.metric_spec import MetricSpec


def speak() -> None:
    print("printed")
    warnings.warn("warned", stacklevel=1)


def test_warnings_are_ignored_and_output_only_where_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with silenced(output=False):
        speak()
    assert capsys.readouterr() == ("printed\n", "")
    with silenced(output=True):
        speak()
    assert capsys.readouterr() == ("", "")
    with pytest.warns(match="warned"):
        speak()
    assert capsys.readouterr().out == "printed\n"


def test_the_last_call_to_end_restores_the_process(capsys: pytest.CaptureFixture[str]) -> None:
    inside, ended = threading.Event(), threading.Event()

    def long_call() -> None:
        with silenced(output=True):
            inside.set()
            ended.wait()

    thread = threading.Thread(target=long_call)
    with silenced(output=True):
        thread.start()
        inside.wait()
    print("another call is still silenced")
    assert capsys.readouterr().out == ""
    ended.set()
    thread.join()
    print("all have ended")
    assert capsys.readouterr().out == "all have ended\n"


def talkative(y_true: object, y_pred: object) -> float:
    print("printed")
    return 1.0


@pytest.mark.parametrize("given_in_python", [True, False])
def test_only_a_function_given_in_python_may_print(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, given_in_python: bool
) -> None:
    (tmp_path / "own.py").write_text(
        "def talkative(y_true, y_pred):\n    print('printed')\n    return 1.0\n"
    )
    spec = MetricSpec(
        "own",
        "talkative" if given_in_python else "own.py:talkative",
        greater_is_better=True,
        call=talkative if given_in_python else None,
    )
    (metric,) = resolve([spec], tmp_path)
    gold = np.arange(3.0)
    scorer = FunctionScorer(metric, Data(gold, (gold,)), ["one"])
    assert scorer.observed.tolist() == [1.0]  # of an own function by three calls
    assert scorer.replicate(np.array([[3, 0, 0]], np.uint8)).values.tolist() == [[1.0]]
    assert capsys.readouterr() == ("printed\n" * 4 if given_in_python else "", "")
