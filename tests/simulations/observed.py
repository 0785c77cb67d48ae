"""What the simulations observed: a file of the repository, which the documentation shows."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

FILE = Path(__file__).with_name("observed.csv")
#: check and measure → observed value, and the number of competitions (0: what is no share of them).
Observed = dict[tuple[str, str], tuple[float, int]]
_HEADER = ("check", "measure", "observed", "competitions")


def read() -> Observed:
    """Return what was observed."""
    with FILE.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))[1:]
    return {(check, measure): (float(value), int(sets)) for check, measure, value, sets in rows}


def add(check: str, found: Mapping[str, float], competitions: int) -> None:
    """Replace what was observed of a check."""
    known = read() if FILE.exists() else {}
    known |= {(check, measure): (value, competitions) for measure, value in found.items()}
    with FILE.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(_HEADER)
        for (name, measure), (value, sets) in known.items():
            writer.writerow((name, measure, f"{value:.4g}", sets))
