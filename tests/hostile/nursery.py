"""Runs the program, or `write` alone, again and again in forked processes and kills them.

A process of its own, because pytest's may have threads and then must not fork. Prints as JSON what
OUTPUT held after every trial, as digests.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from scoring_program.commands.score import main
from scoring_program.report import write

OLD = {"scores.txt": "f1: 0.5\n", "tables/ranking.csv": "team\n", "detailed_results.html": "<p>"}
NEW = {name: f"{text}new\n" for name, text in OLD.items()}

#: Operations that change the file system, as write.py performs them.
OPERATIONS = ("fsync", "mkdir", "rename", "replace", "unlink", "rmdir", "chown", "chmod", "utime")


def contents(folder: Path) -> dict[str, str]:
    """Return what a reader of a folder sees: path → text, hidden files left out."""
    return {
        name: path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not (name := path.relative_to(folder).as_posix()).startswith(".")
    }


def digest(output: Path) -> str:
    """Return one text for everything that a reader of OUTPUT sees."""
    if not output.exists():
        return "absent"
    return hashlib.sha256(json.dumps(contents(output)).encode()).hexdigest()


def forked(action: Callable[[], int | None], kill_after: float | None = None) -> None:
    """Run an action in a child process, and kill it after a time if it still lives.

    Until then the program succeeds: the action's value is its exit status.
    """
    child = os.fork()
    if child == 0:
        os._exit(action() or 0)
    if kill_after is not None:
        time.sleep(kill_after)
        os.kill(child, signal.SIGKILL)
    _, ended = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(ended) in (0, -signal.SIGKILL)


def at_random_moments(source: Path, output: Path, trials: int) -> list[str]:
    """Kill the program ``trials`` times, at moments spread over the whole of its run."""
    moments = random.Random(7)
    found = []
    for trial in range(trials):
        if trial % 10 == 0:  # how long a run takes at present: other tests may share the machine
            started = time.monotonic()
            forked(lambda: run(source, output, 0))
            whole = time.monotonic() - started
        seed = 1 + trial % 2
        forked(partial(run, source, output, seed), whole * moments.uniform(0, 1.2))
        found.append(digest(output))
    return found


def at_every_step(output: Path, trials: int = 1000) -> list[dict[str, str]]:
    """Kill `write` before the first, second, … change that it makes to the file system."""
    found = []
    done = output.parent / "done"

    def action(step: int) -> None:
        with killed_before(step):
            write.write(output, NEW)
        done.touch()

    for step in range(trials):
        forked(partial(action, step))
        found.append(contents(output))
        if done.exists():
            done.unlink()
            return found
    raise AssertionError("writing never ends")


@contextmanager
def killed_before(step: int) -> Iterator[None]:
    """Let operation number ``step`` of those that change the file system kill this process."""
    left = step

    def counted(operation: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            nonlocal left
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            left -= 1
            return operation(*args, **kwargs)

        return call

    with ExitStack() as stack:
        for name in OPERATIONS:
            stack.enter_context(patch.object(os, name, counted(getattr(os, name))))
        stack.enter_context(patch.object(write, "_exchange", counted(write._exchange)))
        yield


def run(source: Path, output: Path, seed: int) -> int:
    """Run the program, on one worker, and return its exit status; all but the seed stays."""
    options = ["--resamples", "100", "--seed", str(seed), "--workers", "1"]
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        return main([str(source), str(output), *options])


if __name__ == "__main__":
    place = Path(sys.argv[2])
    if sys.argv[1] == "write":
        print(json.dumps(at_every_step(place)))
    else:
        complete = ["absent"]
        for seed in (0, 1, 2):
            fresh = place.with_name(f"{place.name}-{seed}")
            run(Path(sys.argv[1]), fresh, seed)  # before the forks, which then find all imported
            complete.append(digest(fresh))
        found = at_random_moments(Path(sys.argv[1]), place, int(sys.argv[3]))
        print(json.dumps({"complete": complete, "found": found}))
