"""Read and join the gold and submissions, and do the same with pandas' ``read_csv`` and its index.

``python -m tests.benchmarks.reading``: every reader in a process of its own, the two in turn.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from tests.benchmarks.__main__ import machine
from tests.benchmarks.command import ROOT


@dataclass(frozen=True)
class Files:
    """Lines of files: k is the number of the line, c a class, d one of 70 and x a number."""

    line: str
    rows: int = 250_000
    submissions: int = 5
    shuffled: bool = False


FILES: Mapping[str, Files] = {
    "whole-number ids": Files("{k},{c}"),
    "text ids": Files("e{k},{c}"),
    "quoted labels": Files('{k},"label{c}"'),
    "numbers": Files("{k},{x}"),
    "70 labels": Files("e{k},l{d}"),
    "ids in another order than the gold's": Files("e{k},{c}", shuffled=True),
    "70 labels, in another order": Files("e{k},l{d}", shuffled=True),
    "whole-number ids, 10,000,000 rows": Files("{k},{c}", 10_000_000, 2),
}
READERS = ("pandas", "deadheat")


def main() -> None:
    """Print a Markdown table of processor seconds and of memory: the least of the rounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-r", "--rounds", type=int, default=3)
    parser.add_argument("--read", nargs=2, help=argparse.SUPPRESS)  # what a process reads
    chosen = parser.parse_args()
    if chosen.read:
        print(json.dumps(_read(chosen.read[0], Path(chosen.read[1]))))
        return
    print(machine("python -m tests.benchmarks.reading"))
    print("\n| lines | rows × files | pandas | Deadheat | × pandas | MB | MB | × pandas |")
    print("|---|---|---|---|---|---|---|---|")
    for name, files in FILES.items():
        with TemporaryDirectory() as folder:
            write(Path(folder), files)
            found = [[_run(reader, folder) for reader in READERS] for _ in range(chosen.rounds)]
        best = np.min(found, axis=0)  # [reader, seconds and MB]
        (theirs, their_memory), (ours, our_memory) = best.tolist()
        print(
            f"| {name} | {files.rows:,} × {files.submissions} | {theirs:.2f} | {ours:.2f} | "
            f"{ours / theirs:.1f} | {their_memory:.0f} | {our_memory:.0f} | "
            f"{our_memory / their_memory:.1f} |",
            flush=True,
        )


def write(folder: Path, files: Files) -> None:
    """Write the gold and the submissions; shuffled ones have their lines in orders of their own."""
    rng = np.random.default_rng(0)
    for number in range(1 + files.submissions):
        path = folder / (f"res/team{number}/p.csv" if number else "ref/gold.csv")
        path.parent.mkdir(parents=True, exist_ok=True)
        shuffled = files.shuffled and number
        places = rng.permutation(files.rows) if shuffled else np.arange(files.rows)
        with path.open("w", encoding="ascii") as file:
            file.write("id,label\n")
            for some in np.array_split(places, -(-files.rows // 100_000)):
                classes, many = (rng.integers(0, most, len(some)) for most in (2, 70))
                cells = zip(some, classes, many, rng.normal(size=len(some)), strict=True)
                lines = (files.line.format(k=k, c=c, d=d, x=x) for k, c, d, x in cells)
                file.writelines(f"{line}\n" for line in lines)


def _run(reader: str, folder: str) -> tuple[float, float]:
    """Return the processor seconds of a reader in a process of its own, and its memory in MB."""
    command = [sys.executable, "-m", "tests.benchmarks.reading", "--read", reader, folder]
    found = subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.PIPE)
    seconds, megabytes = json.loads(found.stdout)
    return seconds, megabytes


def _read(reader: str, folder: Path) -> tuple[float, float]:
    """Read the files; return the seconds of all processes, and how far the memory of this grows."""
    if reader == "pandas":
        import pandas

        before = _spent()
        gold = pandas.read_csv(folder / "ref" / "gold.csv").set_index("id")
        for path in sorted(folder.glob("res/*/*.csv")):
            gold[path.parent.name] = pandas.read_csv(path).set_index("id")["label"]
    else:
        from scoring_program.data import source

        before = _spent()
        source.read_input(folder, lambda settings: settings)
    after = _spent()
    return after[0] - before[0], after[1] - before[1]


def _spent() -> tuple[float, float]:
    """Return processor seconds of this process and those that ended, and its largest memory."""
    return sum(os.times()[:4]), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
