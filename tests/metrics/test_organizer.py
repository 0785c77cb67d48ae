"""What a metric's code prints and warns: dropped for an organizer's file, and for nobody else."""

from __future__ import annotations

import threading
import warnings

import pytest

from scoring_program.metrics.organizer import silenced


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
