"""The command ``deadheat score INPUT OUTPUT``, also ``python -m scoring_program``.

Each setting is an option, which overrides the key of the same name in scoring.yaml.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import Field
from inspect import unwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from ..core.cells import grouped
from ..core.phrases import ENGLISH
from ..settings.groups import GROUPS
from ..settings.loading import FILE_NAME, option_name, values_of
from ..settings.model import OPTIONS
from .boundary import Parser, RaiseIfStopped, guarded, say

if TYPE_CHECKING:
    from ..api.result import Result


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``deadheat score`` and return its exit status."""
    started = time.monotonic()
    options = _parser().read(arguments)
    return guarded(
        lambda raise_if_stopped: _score(options, started, raise_if_stopped), debug=options.debug
    )


def _score(options: argparse.Namespace, started: float, raise_if_stopped: RaiseIfStopped) -> None:
    # Imported here so that --help and a usage error do not wait for NumPy.
    from ..api.public import score
    from ..data.joining.checker_rules import WITHOUT_GOLD
    from ..pipeline import Hooks, collect

    source = options.input.absolute()
    if (source / "ref" / WITHOUT_GOLD).is_file():
        with _paths_below(source):
            collect(source, options.output, say)
        return
    with Shown(sys.stderr if options.json else sys.stdout) as screen, _paths_below(source):

        def log(line: str) -> None:
            raise_if_stopped()
            screen.log(line)

        def log_for_organizer(line: str) -> None:
            if options.debug:
                screen.log(line, sys.stderr)

        def advance(what: str, done: int, total: int) -> None:
            raise_if_stopped()
            screen.advance(what, done, total)

        result: Result = unwrap(score)(
            source,
            options.output,
            hooks=Hooks(log, log_for_organizer, advance, started, place_of=option_name),
            **given_settings(options),
        )
    _tell(result, options)


def _tell(result: Result, options: argparse.Namespace) -> None:
    """Print the summary of a run; what was lost goes to standard error.

    With ``--json``, standard output holds the record of the verdict only.
    """
    stream = sys.stderr if options.json else sys.stdout
    if options.json:
        say(json.dumps(result.record, ensure_ascii=False))
    for name, reason in result.unusable.items():
        say(f"Not scored: {name}: {_in_one_line(reason)}", sys.stderr, style="loss")
    for (name, where), reason in result.unscored.items():
        if reason not in result.verdict:  # of a single submission, the verdict says it
            say(f"Not scored in {where}: {name}: {_in_one_line(reason)}", sys.stderr, style="loss")
    warnings = (((row.level, row.message), result[row.metric].label) for row in result.warnings)
    for (level, message), labels in grouped(warnings).items():  # of several metrics the same
        say(f"Warning ({level}), {', '.join(labels)}: {message}", stream, style=level)
    if options.verbose:
        for key, value in result.signature.items():
            say(f"{key}: {value}", stream)
    say(result.verdict, stream, style="verdict")
    for line in result.finish:
        say(line, stream)
    say(f"Page: {options.output / 'detailed_results.html'}", stream)
    scored = {row.entry for metric in result.values() for row in metric.ranking}
    nowhere = (name for name, _ in result.unscored if name not in scored)
    lost = dict.fromkeys((*result.unusable, *nowhere))
    if lost:
        total = len(scored) + len(lost)
        say(f"{len(scored)} of {total} scored; not scored: {', '.join(lost)}", stream, style="loss")


def _in_one_line(reason: str) -> str:
    """Return a reason in one line, with the first example of each kind; the page shows all."""
    shortened = re.sub(r"(\n  - .*)(?:\n  - .*)+", r"\1 …", reason)
    sentences = re.sub(r"(?<=[.:])\n(?!  - )", " ", shortened)
    return sentences.replace("\n  - ", " - ").replace("\n", "; ")


@contextlib.contextmanager
def _paths_below(folder: Path) -> Iterator[None]:
    """Shorten the paths in system errors: relative to ``folder``, elsewhere the name only.

    Participants read these errors and must not learn where the reference data are.
    """
    try:
        yield
    except OSError as error:
        if isinstance(error.filename, str):
            path = Path(error.filename)
            inside = path.is_relative_to(folder)
            error.filename = str(path.relative_to(folder)) if inside else path.name
        raise


def _parser() -> Parser:
    parser = Parser(
        "score",
        "Score a competition's submissions, resample the test examples (paired bootstrap), and\n"
        "say which submissions may be the best.",
        usage="%(prog)s INPUT OUTPUT [options]",
        examples={
            "example/input output": "score the example, and write the page and the tables",
            "example/input output --resamples 2000 --language es": "fewer resamples; in Spanish",
            "example/input output --json": "the verdict for a program, on standard output",
            "example/input output --anonymize": "a page without the teams' names",
        },
    )
    parser.path("input", "INPUT", "folder with ref/ (reference data) and res/")
    parser.path("output", "OUTPUT", "folder for the scores and the page")
    parser.flag("--json", "print the verdict's record as JSON, and all else to standard error")
    parser.flag("--verbose", "also print the signature of the run: versions, seed, hashes")
    parser.flag(
        "--debug",
        "show everything to the organizer: tracebacks, which may contain gold labels, and why "
        "submissions of the packed field cannot be scored",
    )
    add_settings(parser)
    return parser


# Progress -----------------------------------------------------------------------------------------


#: Seconds before the first line and between lines; a quick run needs none.
_SECONDS = 5.0


class Shown:
    """Shows the log and the progress of a run: a bar on a terminal, an occasional line elsewhere.

    Platforms show standard output to participants line by line, where a bar would be noise.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._bar = None
        self._what = ""
        # Bundles carry no tqdm: a platform has no terminal, but who tries one by hand may have one.
        if stream is not None and stream.isatty() and importlib.util.find_spec("tqdm") is not None:
            from ..api.reports import Bar

            self._bar = Bar(stream)
        self._begun = self._said = time.monotonic()
        self._has_line = False

    def __enter__(self) -> Shown:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def log(self, line: str, stream: TextIO | None = None) -> None:
        """Print a line, for which a bar makes way."""
        if self._bar is not None:
            self._bar.clear()
        say(line, stream or self._stream)

    def advance(self, what: str, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` things are done; seldom, where there is no bar."""
        if self._bar is not None:
            self._bar.advance(what, done, total)
            return
        now = time.monotonic()
        if what != self._what:
            self._what = what
            self._begun = now
            self._has_line = False
        # Whoever read how much was done reads that all of it is.
        is_end = done == total and self._has_line
        if is_end or (now - self._said >= _SECONDS and done < total):
            self._said = now
            self._has_line = True
            count = ENGLISH.numerals.count
            seconds = f"{now - self._begun:.0f} s"
            self.log(f"{count(done)} of {count(total)} {what} after {seconds}.")


# Settings as options ------------------------------------------------------------------------------


def add_settings(parser: argparse.ArgumentParser, names: Iterable[str] | None = None) -> None:
    """Add an option for each of the settings called ``names``, by default for all, in groups."""
    explanation: str | None = f"each option overrides the key of the same name in {FILE_NAME}"
    groups = GROUPS if names is None else {"settings": tuple(names)}
    options = {option.name: option for option in OPTIONS}
    for about, keys in groups.items():
        group = parser.add_argument_group(about, explanation)
        for key in keys:
            if key in options:  # metrics are none
                _add(group, options[key])
        explanation = None


def _add(group: argparse._ArgumentGroup, option: Field[Any]) -> None:
    is_flag = isinstance(option.default, bool)
    group.add_argument(
        f"--{option.name.replace('_', '-')}",
        metavar=option.metadata["metavar"],
        nargs="?" if is_flag else None,
        const="true" if is_flag else None,
        help=_help(option).replace("%", "%%"),
    )


def given_settings(
    options: argparse.Namespace, names: Iterable[str] | None = None
) -> dict[str, Any]:
    """Return the values of the settings that the command line gives."""
    wanted = [option.name for option in OPTIONS] if names is None else names
    texts = {name: text for name in wanted if (text := getattr(options, name)) is not None}
    return values_of(texts)


def _help(option: Field[Any]) -> str:
    notes = []
    choices = option.metadata["choices"]
    if choices:
        several = isinstance(option.default, tuple)
        which = "any of {}, with commas between them" if several else "one of {}"
        notes.append(which.format(", ".join(choices)))
    if option.default not in (None, "", ()):
        default = str(option.default).lower() if option.default is False else option.default
        notes.append(f"default: {default}")
    text: str = option.metadata["help"]
    return f"{text} ({'; '.join(notes)})" if notes else text
