"""The boundary of every command: arguments, printed lines and files, messages, exit statuses."""

from __future__ import annotations

import argparse
import codecs
import contextlib
import gc
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from ..core import bounds, errors
from ..core.errors import internal
from ..core.legible import legible
from ..core.version import __version__

EXIT_STATUSES = """\
exit status:
  0  success
  1  a submission is unusable: the participant has to fix it
  2  reference data, settings, usage or limits are wrong (the organizer has to fix them), memory is
     short, or the run was stopped before its results were complete
  3  an internal error
"""

#: Styles of lines by role, as terminals take them.
_STYLES = {"verdict": "1", "loss": "31", "red": "31", "amber": "33"}
#: Signs of our own sentences that terminals of Windows may lack, and what stands for them.
_PLAIN = {"−": "-", "–": "-", "…": "...", "×": "x", "≥": ">=", "≤": "<="}  # fmt: skip
#: Objects that a command makes before Python looks for cycles among those it holds. Nearly all of
#: them stay until the end: modules, classes, rows. Looking as often as Python does by itself takes
#: a twentieth of a short run.
_OBJECTS_BETWEEN_COLLECTIONS = 500_000
#: Raises `Stopped` if the run has been asked to stop.
RaiseIfStopped = Callable[[], None]


def guarded(command: Callable[[RaiseIfStopped], None], *, debug: bool = False) -> int:
    """Run a command and return its exit status; turn its errors into messages.

    The command gets a function that it must call from time to time, so that it can be stopped, also
    where memory is short. Of an unexpected error, only type and place are shown, because its text
    might hold a gold value.
    """
    # For good: what is young at the end would all be looked at once more.
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS, *gc.get_threshold()[1:])
    try:
        with _sigterm_stops() as raise_if_stopped:

            def checkpoint() -> None:
                raise_if_stopped()
                # Where memory is short, libraries hang or end the process while they are loaded.
                if bounds.lacks_libraries():
                    raise MemoryError

            checkpoint()
            command(checkpoint)
    except BaseException as error:
        if debug:
            traceback.print_exc()
        message, status = _explained(error)
        say(message, sys.stderr)
        return status
    return 0


def _explained(error: BaseException) -> tuple[str, int]:
    """Return the message for an error, which says who has to fix it, and the exit status."""
    if isinstance(error, errors.OrganizerError):
        return f"Fix these files of the competition (organizer):\n{error}", error.exit_status
    if isinstance(error, errors.InternalError):
        return f"{error}. Run again with --debug to see all of it.", error.exit_status
    if isinstance(error, errors.DeadheatError):
        return f"{errors.NOT_SCORED}\n{error}", errors.SubmissionError.exit_status
    if isinstance(error, (KeyboardInterrupt, errors.Stopped)):
        message = (
            "The run was stopped before its results were complete; nothing was written. If a time "
            "limit stopped it, set 'time_budget' to less than the limit, or lower 'resamples'."
        )
    elif isinstance(error, OSError):
        place = "" if error.filename is None else f"{error.filename}: "
        reason = error.strerror or type(error).__name__
        message = f"{place}{reason}: check the folder's permissions and the free space."
    # Without memory, imports and threads fail with errors of other kinds.
    elif isinstance(error, MemoryError) or bounds.is_short():
        message = (
            "There is not enough memory for this run, whatever the submissions hold; lower "
            "'memory', 'resamples' or 'workers', raise the limit (ulimit -v), or run it on a "
            "larger machine."
        )
    else:
        failure = internal(error, __version__)
        return f"{failure} Run again with --debug to see all of it.", failure.exit_status
    return message, errors.OrganizerError.exit_status


@contextlib.contextmanager
def _sigterm_stops() -> Iterator[RaiseIfStopped]:
    """Let SIGTERM, with which platforms stop a run, end it cleanly, as Ctrl-C does.

    The handler raises `Stopped` and not KeyboardInterrupt: if the latter passes through an import,
    Python may remember it and kill itself at the end, whatever the exit status. A library that
    catches every exception may lose `Stopped`; then the yielded function raises it again.
    """
    stopped = threading.Event()

    def stop(number: int, frame: object) -> None:
        stopped.set()
        raise errors.Stopped

    def raise_if_stopped() -> None:
        if stopped.is_set():
            raise errors.Stopped

    if threading.current_thread() is not threading.main_thread():
        yield raise_if_stopped
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield raise_if_stopped
    finally:
        signal.signal(signal.SIGTERM, before)


def _plain(error: UnicodeError) -> tuple[str | bytes, int]:
    """Write the first character that an encoding lacks plainly, or escape it."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    error.end = error.start + 1
    sign = error.object[error.start]
    return (_PLAIN[sign], error.end) if sign in _PLAIN else codecs.backslashreplace_errors(error)


codecs.register_error("deadheat.plain", _plain)


def say(line: str, stream: TextIO | None = None, style: str = "") -> None:
    """Print a line at once; write characters that the stream cannot encode plainly, or escape them.

    ``style`` is the role of the line, which a terminal shows by a color. A closed pipe or a full
    disk behind a redirection must not prevent the results.
    """
    stream = stream or sys.stdout
    if stream is None:  # closed by the caller
        return
    encoding = stream.encoding or "utf-8"
    text = legible(line).encode(encoding, "deadheat.plain").decode(encoding)
    if style and _has_colors(stream):
        text = f"\x1b[{_STYLES[style]}m{text}\x1b[0m"
    try:
        print(text, file=stream, flush=True)
    except OSError:
        with contextlib.suppress(OSError):
            # Otherwise Python could not flush the buffer at exit and would change the exit status.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _has_colors(stream: TextIO) -> bool:
    """Whether the stream is a terminal with colors, and NO_COLOR does not refuse them."""
    refused = os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb"
    return not refused and stream.isatty()


def write_file(path: Path, content: bytes) -> None:
    """Write a file under a hidden name and rename it, so that nobody reads half of it."""
    temporary = path.with_name(f".{path.name}.new")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


# The parser ---------------------------------------------------------------------------------------


#: Set by the shell: 1, or more where words before the program are not its own.
_ASKED = "_ARGCOMPLETE"


class Parser(argparse.ArgumentParser):
    """A parser that suggests the nearest option for an unknown one.

    Options cannot be abbreviated: a later version could make the abbreviation ambiguous. The help
    ends with ``examples``, arguments and what they do, and with ``epilog``.
    """

    def __init__(
        self,
        command: str,
        description: str,
        *,
        examples: Mapping[str, str],
        usage: str | None = None,
        epilog: str = EXIT_STATUSES,
    ) -> None:
        lines = ((f"{command} {options}".rstrip(), what) for options, what in examples.items())
        examples_text = "\n".join(f"  deadheat {line}\n      {what}" for line, what in lines)
        super().__init__(
            prog=f"deadheat {command}",
            usage=usage,
            description=description,
            epilog=f"examples:\n{examples_text}\n\n{epilog}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        self.add_argument("--version", action="version", version=f"%(prog)s {__version__}")

    def value(self, names: str, metavar: str, help: str, **more: Any) -> None:
        """Add an argument or, of ``names`` with dashes, an option; ``more`` is argparse's."""
        self.add_argument(*names.split(), metavar=metavar, help=help, **more)

    def path(self, names: str, metavar: str, help: str, **more: Any) -> None:
        """Add an argument or option that is a file or a folder."""
        self.value(names, metavar, help, type=Path, **more)

    def flag(self, name: str, help: str) -> None:
        """Add an option without a value."""
        self.add_argument(name, action="store_true", help=help)

    def read(self, arguments: Sequence[str] | None) -> argparse.Namespace:
        """Return the options in ``arguments``, by default those of the command line.

        An unknown option ends the program with exit status 2, like any usage error.
        """
        offer(self)
        words = sys.argv[1:] if arguments is None else list(arguments)
        options = self._option_string_actions
        for argument in words[: words.index("--")] if "--" in words else words:
            name = argument.partition("=")[0]
            # Like argparse, treat text with a space as a value, not as an option.
            if name.startswith("--") and " " not in name and name not in options:
                from ..core.meanings import instead  # late: few runs have a wrong option

                self.error(f"there is no option {name}{instead(name, options)}")
        return self.parse_args(words)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print as `say` does: the help has signs that some encodings of terminals lack."""
        if message:
            say(message.removesuffix("\n"), file or sys.stderr)


def one_of(choices: Collection[str]) -> Callable[[str], str]:
    """Return what reads a value that has to be one of the choices; it suggests the nearest."""

    def read(name: str) -> str:
        if name not in choices:
            raise argparse.ArgumentTypeError(
                f"{name!r} is none of {', '.join(choices)}{errors.nearest(name, choices)}"
            )
        return name

    return read


def offer(parser: argparse.ArgumentParser) -> None:
    """Answer the shell, and end the process, if it asks for what can follow; else do nothing."""
    if _ASKED in os.environ:
        with contextlib.suppress(ImportError):
            import argcomplete

            argcomplete.autocomplete(parser)


def command_asked_about(commands: Iterable[str]) -> str | None:
    """Return the command whose options the shell asks for; answer it if none is written yet."""
    if _ASKED not in os.environ:
        return None
    first = int(os.environ[_ASKED])
    line = os.environ.get("COMP_LINE", "")[: int(os.environ.get("COMP_POINT", 0))]
    written = line.split()[first:]
    if len(written) > 1 or (written and line[-1:].isspace()):
        os.environ[_ASKED] = str(first + 1)  # the command is then part of the program's name
        return written[0] if written[0] in commands else None
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=tuple(commands))
    offer(parser)
    return None
