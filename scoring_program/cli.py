"""The command line, and the one boundary where errors become a message and an exit status."""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from scoring_program import __version__, settings
from scoring_program.errors import OrganizerError, PhotofinishError

EXIT_STATUSES = """\
exit status:
  0  success
  1  a submission is unusable: the participant's to fix
  2  reference data, settings or usage are wrong: the organizer's to fix
  3  an internal error
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``photofinish`` and return its exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    return guarded(lambda: _score(options), debug=options.debug)


def guarded(command: Callable[[], None], *, debug: bool = False) -> int:
    """Run a command and turn what it raises into a message on standard error and an exit status.

    An unexpected error shows its type and place only: its text might hold a gold value.
    """
    try:
        command()
    except PhotofinishError as error:
        if debug:
            traceback.print_exc()
        print(f"{_addressee(error)}\n{error}", file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130
    except Exception as error:
        if debug:
            traceback.print_exc()
        place = traceback.extract_tb(error.__traceback__)[-1]
        print(
            f"Internal error ({type(error).__name__} in {Path(place.filename).name}, line "
            f"{place.lineno}): this is a defect of Photofinish {__version__}, not of the input's "
            "owner. Run again with --debug to see all of it.",
            file=sys.stderr,
        )
        return PhotofinishError.exit_status
    return 0


def _addressee(error: PhotofinishError) -> str:
    if isinstance(error, OrganizerError):
        return "The competition's own files need mending (for the organizer):"
    return "The submission cannot be scored:"


def _score(options: argparse.Namespace) -> None:
    # Imported here so that --help and a usage error do not wait for NumPy.
    from scoring_program import pipeline

    values = {
        option.name: settings.parse_value(text)
        for option in settings.OPTIONS
        if (text := getattr(options, option.name)) is not None
    }
    lines = {name: f"option --{name.replace('_', '-')}" for name in values}
    pipeline.run(
        options.input,
        options.output,
        adjust=lambda loaded: settings.update(loaded, values, lines),
        log=lambda line: print(line, flush=True),
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="photofinish",
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
        "--debug", action="store_true", help="show tracebacks, which may contain gold labels"
    )
    group = parser.add_argument_group(
        "settings", f"each overrides the key of the same name in {settings.FILE_NAME}"
    )
    for option in settings.OPTIONS:
        choices = option.metadata["check"].__doc__
        default = (
            "" if option.default in (None, "", ()) else f" (default: {_shown(option.default)})"
        )
        group.add_argument(
            f"--{option.name.replace('_', '-')}",
            metavar="VALUE",
            nargs="?" if isinstance(option.default, bool) else None,
            const="true" if isinstance(option.default, bool) else None,
            help=f"{option.metadata['help']}{': ' + choices if choices else ''}{default}".replace(
                "%", "%%"
            ),
        )
    return parser


def _shown(default: object) -> str:
    return str(default).lower() if isinstance(default, bool) else str(default)
