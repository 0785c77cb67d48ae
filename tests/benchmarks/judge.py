"""``python -m tests.benchmarks.judge``: a judge of all units, with people of some, and without.

The time is the processor's, of the whole analysis of scores in memory; the two take turns.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import scoring_program as dh


def timed(run: Callable[[], object]) -> float:
    begun = time.process_time()
    run()
    return time.process_time() - begun


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.judge")
    parser.add_argument("--units", type=int, default=1_000_000)
    parser.add_argument("--systems", type=int, default=20)
    parser.add_argument("--people", type=int, default=2000)
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=2)
    asked = parser.parse_args()
    rng = np.random.default_rng(0)
    chosen = np.zeros(asked.units, np.bool_)
    chosen[rng.permutation(asked.units)[: asked.people]] = True
    judge = {}
    people = {}
    for number in range(asked.systems):
        name = f"s{number:02}"
        quality = rng.normal(number / 100, 1, asked.units)
        people[name] = np.where(chosen, quality, np.nan)
        judge[name] = 0.8 * quality + 0.6 * rng.normal(size=asked.units)

    def compare(**more: Any) -> None:
        dh.compare_scores(
            judge, greater_is_better=True, resamples=asked.resamples, workers=1, **more
        )

    times = np.full((asked.rounds, 2), np.inf)
    for place in range(asked.rounds):
        times[place, 0] = timed(compare)
        times[place, 1] = timed(lambda: compare(human=people, human_sample="random"))
    without, beside = times.min(axis=0)
    print(
        f"{asked.units:,} units, {asked.systems} systems, {asked.people:,} of people, "
        f"B = {asked.resamples:,}: without {without:.1f} s, with people {beside:.1f} s, "
        f"× {beside / without:.2f}"
    )


if __name__ == "__main__":
    main()
