"""The command ``deadheat audit``: what only the organizer may see."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from inspect import unwrap
from typing import TYPE_CHECKING

from ..core.errors import OrganizerError
from ..settings.loading import option_name
from .boundary import Parser, RaiseIfStopped, guarded, say
from .score import add_settings, given_settings

if TYPE_CHECKING:
    from ..api.result import Result

#: Settings that may differ from those of the competition: what is written, not what is found.
_SETTINGS = ("figures",)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``deadheat audit`` and return its exit status."""
    parser = _parser()
    options = parser.read(arguments)
    of_a_plan = (options.entries, options.other or None)
    of_an_audit = (options.regraded, options.public)
    if any(option is not None for option in (of_an_audit if options.plan else of_a_plan)):
        parser.error(
            "--regraded and --public are for the audit of a finished competition, --entries and "
            "--other for --plan"
        )
    return guarded(lambda raise_if_stopped: _audit(options, raise_if_stopped), debug=options.debug)


def _parser() -> Parser:
    parser = Parser(
        "audit",
        "Say what to look at again before the winners are announced: labels that decide, hard\n"
        "examples, shared errors, other ranking schemes. The output is for the organizer alone.",
        usage="%(prog)s INPUT -o DIR [options]",
        examples={
            "example/input -o audit": "what to look at before the winners are announced",
            "example/input -o audit --regraded gold2.csv": "what changed labels would change",
            "example/input -o plan --plan --entries 20": "how large the test set has to be",
        },
    )
    parser.path("input", "INPUT", "folder with ref/ (reference data) and res/")
    parser.path("-o --output", "DIR", "folder for the audit", required=True)
    changed = "gold file with changed labels, of all or of some examples: what would change?"
    parser.path("--regraded", "FILE", changed)
    public = "results of the public leaderboard, if it was a run of its own"
    parser.path("--public", "RESULTS.json", public)
    plan = "before the competition: plan the test set, with two serious baselines in res/"
    parser.flag("--plan", plan)
    entries = "with --plan: number of entries that are expected (default: 10)"
    parser.value("--entries", "N", entries, type=int)
    apart = "with --plan: a file that must not hold test examples, such as the training set"
    parser.path("--other", "FILE", apart, action="append", default=[])
    parser.flag("--debug", "show tracebacks")
    add_settings(parser, _SETTINGS)
    return parser


def _audit(options: argparse.Namespace, raise_if_stopped: RaiseIfStopped) -> None:
    # Imported here so that --help and a usage error do not wait for NumPy.
    from ..api.public import score
    from ..pipeline import Hooks, check_apart

    def log(line: str) -> None:
        raise_if_stopped()
        say(line)

    check_apart(options.input, options.output)
    if options.plan and not any((options.input / "res").glob("*")):
        raise OrganizerError(
            f"{options.input / 'res'}: a plan needs two serious baselines; add them"
        )
    result: Result = unwrap(score)(
        options.input.absolute(),
        hooks=Hooks(log, place_of=option_name),
        anonymize=False,
        **given_settings(options, _SETTINGS),
    )
    if options.plan:
        size = {} if options.entries is None else {"entries": options.entries}
        report = result.plan(**size, others=options.other)
    else:
        report = result.audit(options.regraded, options.public)
    report.save(options.output)
    say(report.summary)
    say(f"Page: {options.output / 'audit.html'}. {report.secret}")
