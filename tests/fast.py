"""Run the fast tests while mypy checks the types: ``python -m tests.fast [options of pytest]``."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence

_PYTEST = [sys.executable, "-m", "pytest"]
# Each worker begins with a half of the tests, so that those of a module share what it makes.
_ON_TWO_CORES = ["-n", "2", "--dist", "worksteal"]


def main(options: Sequence[str]) -> int:
    """Return 0 if the tests pass and the types fit, else what pytest or mypy returned."""
    with tempfile.TemporaryFile() as log:
        types = subprocess.Popen([sys.executable, "-m", "mypy"], stdout=log, stderr=log)
        try:
            _compile(options)
            tests = subprocess.run([*_PYTEST, *_ON_TWO_CORES, *options], check=False)
            types.wait()
        finally:
            types.kill()
        log.seek(0)
        print("mypy:", log.read().decode("utf-8", "replace"), flush=True)
    return tests.returncode or types.returncode


def _compile(options: Sequence[str]) -> None:
    """Compile what the tests import, once: else each of the workers does, at the same moment."""
    if not sys.dont_write_bytecode:
        collect = [*_PYTEST, "--collect-only", "--quiet", *options]
        subprocess.run(collect, stdout=subprocess.DEVNULL, check=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
