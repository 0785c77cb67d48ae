"""Time reading and joining submissions, and pandas' ``read_csv`` of the same files.

``python -m tests.benchmarks.reading``: a million rows and five submissions, on two cores each.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from scoring_program.data import parts, source, submissions
from scoring_program.reading.layout import Conventions, find_submissions
from scoring_program.reading.reference import find_reference
from scoring_program.settings.loading import FILE_NAME
from scoring_program.settings.model import Settings

SHUFFLED = "another order"
#: Lines of files: k is the number of the line, c a class, d one of 70 classes and x a number.
LINES: Mapping[str, str] = {
    "whole-number ids": "{k},{c}",
    "text ids": "e{k},{c}",
    "quoted labels": '{k},"label{c}"',
    "numbers": "{k},{x}",
    "70 labels": "e{k},l{d}",
    SHUFFLED: "e{k},{c}",
}
SUBMISSIONS, WORKERS = 5, 2
#: How many classes d has.
MANY = 70


def main(rows: int = 1_000_000, rounds: int = 5) -> None:
    """Print a Markdown table of seconds: the best of the rounds, the contenders in turn."""
    print(f"{rows:,} rows × {SUBMISSIONS}; seconds\n")
    print("| lines | pandas | Deadheat | × pandas |\n|---|---|---|---|")
    for name, line in LINES.items():
        with TemporaryDirectory() as folder:
            files = list(_written(Path(folder), line, rows, shuffled=name == SHUFFLED))
            read, with_pandas = _reader(Path(folder)), partial(_with_pandas, files)
            times = [(_seconds(with_pandas), _seconds(read)) for _ in range(rounds)]
        pandas, ours = map(min, zip(*times, strict=True))
        print(f"| {name} | {pandas:.2f} | {ours:.2f} | {ours / pandas:.1f} |", flush=True)


def _written(folder: Path, line: str, rows: int, *, shuffled: bool) -> Iterator[Path]:
    """Write the reference data and the submissions; yield the files of the latter.

    If they are ``shuffled``, the submissions have their lines in orders of their own.
    """
    rng = np.random.default_rng(0)
    for number in range(1 + SUBMISSIONS):
        path = folder / (f"res/team{number}/p.csv" if number else "ref/gold.csv")
        path.parent.mkdir(parents=True, exist_ok=True)
        classes, values = rng.integers(0, 2, rows).tolist(), rng.normal(size=rows).tolist()
        many = rng.integers(0, MANY, rows).tolist()
        places = rng.permutation(rows) if shuffled and number else np.arange(rows)
        cells = zip(places.tolist(), classes, many, values, strict=True)
        text = "\n".join(line.format(k=k, c=c, d=d, x=x) for k, c, d, x in cells)
        path.write_text(f"id,label\n{text}\n", encoding="ascii")
        if number:
            yield path


def _reader(folder: Path) -> Callable[[], object]:
    """Return what reads and joins the submissions; the reference data are read before."""
    settings = Settings(workers=WORKERS)
    reference = find_reference(folder / "ref", FILE_NAME)
    golds, _ = parts.read(reference.gold, None, settings)
    limits = source.limits_of([part.expected for part in golds], settings)
    conventions = Conventions(tasks=reference.tasks, gold=reference.stem)
    upload = find_submissions(folder / "res", "teams", conventions, limits)

    def read() -> object:
        new = [replace(part, expected=replace(part.expected)) for part in golds]  # nothing cached
        return submissions.teams(upload, new, submissions.SubmissionReader(settings, limits))

    return read


def _with_pandas(files: list[Path]) -> None:
    with ProcessPoolExecutor(WORKERS) as pool:
        assert len(set(pool.map(_rows, files))) == 1


def _rows(file: Path) -> int:
    import pandas

    return len(pandas.read_csv(file))


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


if __name__ == "__main__":
    import pandas  # noqa: F401 - before the processes start, so that its import counts for none

    main()
