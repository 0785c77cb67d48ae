"""Compare the steps of runs with many entries here and in another checkout: ``… CHECKOUT``.

Processor seconds, user and system, of all processes, in turn, the least of the rounds: of the
inference, and of the page with all files.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from tests.benchmarks.command import ROOT

#: Entries, examples, metric; without one, accuracy and macro F1 are the default.
FIELDS = (
    (300, 2000, "accuracy_score"),
    (300, 2000, ""),
    (300, 2000, "mean_absolute_error"),
    (250, 500, "accuracy_score"),
    (500, 500, "accuracy_score"),
)
#: What both versions call the steps; a step's functions.
RUN = """
import json, sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from scoring_program import pipeline

spent = {}

def cpu():
    return sum(u.ru_utime + u.ru_stime for u in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))

def measure(module, name, step):
    function = getattr(module, name)
    def measured(*args, **kwargs):
        start = cpu()
        found = function(*args, **kwargs)
        spent[step] = spent.get(step, 0.0) + cpu() - start
        return found
    setattr(module, name, measured)

measure(pipeline, "infer", "inference")
for module, name in ((pipeline.render, "build"), (pipeline, "files"), (pipeline, "write")):
    measure(module, name, "page and files")
pipeline.run(Path(sys.argv[1]), Path(sys.argv[2]))
print(json.dumps(spent))
"""


def main() -> None:
    """Print a Markdown table of both versions' seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path, help="another version's repository")
    parser.add_argument("-r", "--rounds", type=int, default=3)
    chosen = parser.parse_args()
    print("| | step | there | here | here / there |\n|---|---|---|---|---|")
    for entries, examples, metric in FIELDS:
        with TemporaryDirectory() as folder:
            _write_competition(Path(folder), entries, examples, metric)
            rounds = [
                [_seconds(tree, Path(folder)) for tree in (chosen.checkout, ROOT)]
                for _ in range(chosen.rounds)
            ]
        for step in ("inference", "page and files"):
            there, here = (min(one[step] for one in found) for found in zip(*rounds, strict=True))
            print(
                f"| {entries} × {examples:,}, {metric or 'the default'} | {step} | {there:.2f} | "
                f"{here:.2f} | {here / there:.2f} |",
                flush=True,
            )


def _write_competition(folder: Path, entries: int, examples: int, metric: str) -> None:
    """Write graded entries, of which neighbors are close."""
    rng = np.random.default_rng(0)
    if metric != "mean_absolute_error":
        gold = rng.integers(0, 2, examples)
        hard = rng.random(examples)
        predictions = [
            np.where(0.6 * hard + 0.4 * rng.random(examples) < level, gold, 1 - gold)
            for level in np.linspace(0.75, 0.55, entries)
        ]
    else:
        gold = np.round(100 * rng.random(examples), 4)
        predictions = [
            np.round(gold + rng.normal(0, 1 + place / entries, examples), 4)
            for place in range(entries)
        ]
    for name in ("ref", "res"):
        (folder / name).mkdir()
    settings = f"metrics: [{metric}]\n" if metric else "seed: 0\n"
    (folder / "ref" / "scoring.yaml").write_text(settings)
    _write(folder / "ref" / "gold.csv", gold)
    for place, values in enumerate(predictions):
        _write(folder / "res" / f"team {place:03}.csv", values)


def _write(path: Path, values: np.ndarray) -> None:
    rows = (f"{place},{value}\n" for place, value in enumerate(values.tolist()))
    path.write_text("id,label\n" + "".join(rows))


def _seconds(tree: Path, source: Path) -> dict[str, float]:
    """Return the seconds of each step of a checkout's run."""
    with TemporaryDirectory() as output:
        command = [sys.executable, "-c", RUN, str(source), f"{output}/out"]
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        done = subprocess.run(
            command, check=True, env=environment, cwd=tree, capture_output=True, text=True
        )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


if __name__ == "__main__":
    main()
