"""The command line, and the boundary where errors become a message and an exit status."""

from __future__ import annotations

import argparse
import atexit
import contextlib
import gc
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from .. import __version__
from ..core.errors import DeadheatError, OrganizerError, Stopped, SubmissionError, internal
from ..settings import model as settings
from ..settings.safe_yaml import parse_value
from .console import say

EXIT_STATUSES = """\
exit status:
  0  success
  1  a submission is unusable: the participant's to fix
  2  reference data, settings, usage or limits are wrong (the organizer's to fix), or the run was
     stopped before its results were complete
  3  an internal error
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``deadheat score`` and return its exit status."""
    started = time.monotonic()
    parser = _parser()
    options = parser.parse_args(arguments)
    return guarded(lambda: _score(options, started), debug=options.debug)


def guarded(command: Callable[[], None], *, debug: bool = False) -> int:
    """Run a command and turn what it raises into a message on standard error and an exit status.

    An unexpected error shows its type and place only: its text might hold a gold value.
    """
    _spare_the_collector()
    try:
        with _sigterm_interrupts():
            command()
    except BaseException as error:
        if debug:
            traceback.print_exc()
        failure = _failure(error)
        say(str(failure), sys.stderr)
        return failure.exit_status
    return 0


def _spare_the_collector() -> None:
    """Have Python look for garbage less often than every 700 objects, and not when it ends.

    Libraries bring 100,000 objects and more that stay; looking through them again and again took
    a tenth to a seventh of the command's time on the example.
    """
    gc.set_threshold(20_000, 20, 20)
    atexit.register(gc.freeze)


def _failure(error: BaseException) -> DeadheatError:
    """Return what is said of an error, headed by whose it is to fix."""
    if isinstance(error, OrganizerError):
        head = "The competition's own files need mending (for the organizer):"
        return OrganizerError(f"{head}\n{error}")
    if isinstance(error, DeadheatError):
        return SubmissionError(f"The submission cannot be scored:\n{error}")
    if isinstance(error, (KeyboardInterrupt, Stopped)):
        return OrganizerError(
            "Stopped before the results were complete: nothing was written. If a time limit "
            "stopped the run, set 'time_budget' below it, or lower 'resamples'."
        )
    if isinstance(error, OSError):
        place = "" if error.filename is None else f"{error.filename}: "
        return OrganizerError(
            f"{place}{error.strerror or type(error).__name__}: check the folder's permissions and "
            "space."
        )
    if isinstance(error, MemoryError):
        return OrganizerError(
            "There is not enough memory for this run: lower 'memory', 'resamples' or 'workers', "
            "or run it on a larger machine."
        )
    return DeadheatError(f"{internal(error, __version__)} Run again with --debug to see all of it.")


#: Whether SIGTERM has come: what it raises may be lost in a library that catches everything.
_stopped = threading.Event()


def _stop(number: int, frame: object) -> None:
    _stopped.set()
    raise Stopped


def _heed_stop() -> None:
    if _stopped.is_set():
        raise Stopped


@contextlib.contextmanager
def _sigterm_interrupts() -> Iterator[None]:
    """Let SIGTERM, by which platforms stop a run, end it as Ctrl-C does, tidied up.

    Not by KeyboardInterrupt: where that passes through a library that is being imported, Python may
    remember it and kill itself in the end, whatever the exit status was to be.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _stopped.clear()
    before = signal.signal(signal.SIGTERM, _stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def _paths_below(folder: Path) -> Iterator[None]:
    """Let the system's errors name files of ``folder`` from there, and others by their names only.

    Participants read them, and where the reference data lie is none of their business.
    """
    try:
        yield
    except OSError as error:
        if isinstance(error.filename, str):
            path = Path(error.filename)
            inside = path.is_relative_to(folder)
            error.filename = str(path.relative_to(folder)) if inside else path.name
        raise


def _value(text: str, check: settings.Check) -> Any:
    """Return what an option's text means: what YAML reads or, where only that will do, the text.

    A title may hold a colon, and a team or a column be called 1.0.
    """
    read = parse_value(text)
    for value in (read, text):
        with contextlib.suppress(ValueError):
            check(value)
            return value
    return read


def _score(options: argparse.Namespace, started: float) -> None:
    # Imported here so that --help and a usage error do not wait for NumPy.
    from .. import pipeline
    from . import progress

    values = {
        option.name: _value(text, option.metadata["check"])
        for option in settings.OPTIONS
        if (text := getattr(options, option.name)) is not None
    }
    lines = {name: f"option --{name.replace('_', '-')}" for name in values}

    def adjust(loaded: settings.Settings) -> settings.Settings:
        _heed_stop()
        return settings.update(loaded, values, lines)

    def advance(done: int, total: int) -> None:
        _heed_stop()
        show(done, total)

    # An organizer's file may change the working directory.
    source, destination = options.input.absolute(), options.output.absolute()
    with progress.shown(sys.stdout, say) as show, _paths_below(source):
        pipeline.run(
            source,
            destination,
            started=started,
            adjust=adjust,
            log=say,
            confide=(lambda line: say(line, sys.stderr)) if options.debug else lambda line: None,
            progress=advance,
        )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="deadheat score",
        description=(
            "Score a competition's submissions, draw a paired bootstrap over the test examples and "
            "say which of them are statistically tied with the leader."
        ),
        epilog=EXIT_STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "input", type=Path, metavar="INPUT", help="folder with ref/ (gold, scoring.yaml) and res/"
    )
    parser.add_argument("output", type=Path, metavar="OUTPUT", help="folder for scores and page")
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    parser.add_argument(
        "--debug",
        action="store_true",
        help="show the organizer all: tracebacks, which may contain gold labels, and what is wrong "
        "with submissions of the packed field",
    )
    group = parser.add_argument_group(
        "settings", f"each overrides the key of the same name in {settings.FILE_NAME}"
    )
    for option in settings.OPTIONS:
        default = (
            "" if option.default in (None, "", ()) else f" (default: {_shown(option.default)})"
        )
        group.add_argument(
            f"--{option.name.replace('_', '-')}",
            metavar="VALUE",
            nargs="?" if isinstance(option.default, bool) else None,
            const="true" if isinstance(option.default, bool) else None,
            help=f"{option.metadata['help']}{default}".replace("%", "%%"),
        )
    return parser


def _shown(default: object) -> str:
    return str(default).lower() if isinstance(default, bool) else str(default)
