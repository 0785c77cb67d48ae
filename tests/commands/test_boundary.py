from __future__ import annotations

import errno
import gc
import os
import signal
import threading
from collections.abc import Callable

import pytest

from scoring_program.commands.boundary import RaiseIfStopped, guarded
from scoring_program.core.errors import OrganizerError, SubmissionError
from scoring_program.core.phrases import verbatim


def raising(error: BaseException) -> Callable[[RaiseIfStopped], None]:
    def command(raise_if_stopped: RaiseIfStopped) -> None:
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (
            SubmissionError(verbatim("is empty"), "p.csv"),
            1,
            "The submission cannot be scored:\np.csv: is",
        ),
        (OrganizerError("no gold"), 2, "Fix these files of the competition (organizer):\nno gold"),
        (KeyboardInterrupt(), 2, "stopped before its results were complete"),
        (MemoryError(), 2, "not enough memory"),
        (OSError(errno.ENOSPC, "No space left", "out"), 2, "out: No space left: check the folder"),
    ],
)
def test_an_error_becomes_a_message_and_a_status(
    capsys: pytest.CaptureFixture[str], error: BaseException, status: int, message: str
) -> None:
    assert guarded(raising(error)) == status
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert "Traceback" not in err
    assert guarded(raising(error), debug=True) == status
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.internal_error
def test_the_text_of_an_unexpected_error_is_kept_back(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(raising(RuntimeError("the gold of x001 is b"))) == 3
    message = capsys.readouterr().err
    assert "Internal error (RuntimeError in test_boundary.py" in message
    assert "x001" not in message


def test_success_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(lambda raise_if_stopped: raise_if_stopped()) == 0
    assert capsys.readouterr() == ("", "")


def test_sigterm_that_is_swallowed_is_heeded_later(capsys: pytest.CaptureFixture[str]) -> None:
    def command(raise_if_stopped: RaiseIfStopped) -> None:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
        except BaseException:
            raise_if_stopped()

    before = signal.getsignal(signal.SIGTERM)
    assert guarded(command) == 2
    assert "stopped before" in capsys.readouterr().err
    assert signal.getsignal(signal.SIGTERM) is before
    assert (
        guarded(lambda raise_if_stopped: raise_if_stopped()) == 0
    )  # the next run knows nothing of it


def test_a_thread_leaves_the_handler_alone() -> None:
    seen = []

    def command(raise_if_stopped: RaiseIfStopped) -> None:
        seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=guarded, args=(command,))
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGTERM)]


def test_the_collector_is_left_alone() -> None:
    before = gc.get_threshold(), gc.get_freeze_count()
    assert guarded(lambda _: None) == 0
    assert (gc.get_threshold(), gc.get_freeze_count()) == before


def test_cycles_are_looked_for_less_often_while_a_command_runs() -> None:
    usual = gc.get_threshold()
    during: list[int] = []
    try:
        gc.set_threshold(700, 10, 10)
        assert guarded(lambda _: during.append(gc.get_threshold()[0])) == 0
        assert during[0] > 7000
    finally:
        gc.set_threshold(*usual)
