"""The process in which a checkout's program runs, one call after another: ``program.py FOLDER``.

It is started as a file and imports nothing of the tests, so that it runs any checkout. A call is a
line of JSON: the arguments of ``python -m scoring_program``, or a function of the API with its
arguments. The answer is a line of JSON, too: the exit status and what was printed.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import runpy
import sys
import traceback
from typing import Any

PACKAGE = "scoring_program"


def command(arguments: list[str]) -> Any:
    """Do as ``python -m scoring_program`` does and return the exit status."""
    sys.argv = [PACKAGE, *arguments]
    try:
        runpy.run_module(PACKAGE, run_name="__main__")
    except SystemExit as ended:
        return ended.code or 0
    return 0


def function(name: str, arguments: dict[str, Any], output: str) -> int:
    """Call a function of the API, print its result and write all outputs."""
    result = getattr(importlib.import_module(PACKAGE), name)(**arguments)
    print(repr(result), result.verdict, sep="\n")
    result.save(output)
    return 0


def simulated(check: str) -> int:
    """Print what a simulation of the checkout's own tests observes in its short version."""
    checks = importlib.import_module("tests.simulations.checks").CHECKS
    (found,) = (one for one in checks if one.number == check)
    for measure, value in found.observe(found.short).items():
        print(f"{measure} = {value!r}")
    return 0


def answer(call: Any) -> dict[str, Any]:
    """Return the exit status and what was printed."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            if isinstance(call, list):
                status = command(call)
            else:
                status = simulated(**call) if "check" in call else function(**call)
        except Exception as error:
            status = type(error).__name__
            err.write("".join(traceback.format_exception_only(error)))
    return {"status": status, "out": out.getvalue(), "err": err.getvalue()}


def main() -> None:
    """Answer until the input ends; the program itself gets no input, nor anywhere to write."""
    calls, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    with open(os.devnull, "r+") as nothing:
        os.dup2(nothing.fileno(), 0)
        os.dup2(nothing.fileno(), 1)
    sys.path[0] = sys.argv[1]  # as `python -m` has it there, and not the folder of this file
    for line in calls:
        print(json.dumps(answer(json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    main()
