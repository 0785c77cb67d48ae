"""``python -m tests.simulations``: run the simulations and write the table of the documentation.

Without numbers, all checks run in full, which takes hours. ``--share .1`` simulates a tenth of the
competitions. What is observed goes to observed.csv, from which
docs/explanation/method/checks.md is made.
"""

from __future__ import annotations

import argparse
import time

from . import observed
from .checks import CHECKS


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulations")
    parser.add_argument(
        "numbers",
        nargs="*",
        metavar="CHECK",
        help="such as 12, '11, corrected score' or '12, equal, n = 100'; by default all",
    )
    parser.add_argument("--share", type=float, default=1.0, help="of the competitions; default: 1")
    arguments = parser.parse_args()
    failed = 0
    for check in CHECKS:
        parts = check.number.split(", ")
        names = {", ".join(parts[:count]) for count in range(1, len(parts) + 1)}
        if arguments.numbers and not names & {*arguments.numbers}:
            continue
        begun, size = time.monotonic(), check.scaled(arguments.share)
        found = check.observe(size)
        observed.add(check.number, found, size.get("sets", 0) * len(check.seeds))
        for measure, value in found.items():
            low, high = check.bands[measure]
            outside = not low <= value <= high
            failed += outside
            seconds = time.monotonic() - begun
            print(
                f"{check.number}: {measure} {value:.4g} in {low:g} to {high:g}"
                f"{' OUTSIDE' * outside} ({seconds:.0f} s)",
                flush=True,
            )
    return int(failed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
