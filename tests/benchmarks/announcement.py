"""Time ``deadheat announce`` on the example: ``python -m tests.benchmarks.announcement``.

Processor seconds, user and system, Python's start included; the goal is less than one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.benchmarks.command import ROOT, cpu


def main(rounds: int = 9) -> None:
    """Score the example once, announce its results in turn, and print the seconds."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "TQDM_DISABLE": "1"}
    program = [sys.executable, "-m", "scoring_program"]
    with TemporaryDirectory() as name:
        output = str(Path(name, "output"))
        score = [*program, str(ROOT / "example" / "input"), output, "--prizes", "3"]
        subprocess.run(score, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
        seconds = []
        for number in range(rounds):
            folder = str(Path(name, f"announcement_{number}"))
            seconds.append(cpu([*program, "announce", output, "-o", folder], environment))
    print(f"deadheat announce: {min(seconds):.2f} CPU s; the median {median(seconds):.2f} s")


if __name__ == "__main__":
    main()
