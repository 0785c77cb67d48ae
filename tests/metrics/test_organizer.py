"""What a metric's code prints is dropped, unless the function is given in Python."""

from __future__ import annotations

import threading
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import scoring_program as dh
from scoring_program.core.errors import SettingsError
from scoring_program.metrics import resolve
from scoring_program.metrics.metric import Data
from scoring_program.metrics.organizer import silenced
from scoring_program.scoring.scorers import FunctionScorer
from scoring_program.settings.checks import MetricSpec


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


def precision(preds: list[str], target: list[str]) -> float:
    hits = [one == other for one, other in zip(preds, target, strict=True) if one == "a"]
    return sum(hits) / len(hits)


def test_a_function_that_takes_predictions_first_is_refused(tmp_path: Path) -> None:
    """It would score each in the place of the other, and "a" everywhere would win."""
    code = "def {}({}, {}):\n    return (1.0,)\n"
    for name, first, second in (("score", "preds", "target"), ("counts", "hyp", "ref")):
        (tmp_path / f"{name}.py").write_text(code.format(name, first, second))
    says = "are preds, target, but it is called with the correct answers first; write it with targ"
    spec = MetricSpec("p", "score.py:score", greater_is_better=True)
    with pytest.raises(SettingsError, match=says):
        resolve([spec], tmp_path)
    with pytest.raises(SettingsError, match=r"of counts\.py:counts are hyp, ref, but it is called"):
        resolve([replace(spec, statistics="counts.py:counts")], tmp_path)
    with pytest.raises(dh.OrganizerError, match=says):
        dh.compare(["a", "b"] * 20, {"A": ["a", "b"] * 20, "B": ["a"] * 40}, precision)
    (tmp_path / "score.py").write_text(code.format("score", "target", "preds"))
    assert resolve([spec], tmp_path)


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
