"""Run the workloads, every tool in turn, and write a Markdown table."""

from __future__ import annotations

import os

# Before NumPy is loaded: one thread in each worker's matrix products, for every tool.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("TQDM_DISABLE", "1")  # CompStats draws a bar

import argparse
import platform
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tests.benchmarks import contenders
from tests.benchmarks.workloads import NOTHING, OWN, WEIGHTED, WORKLOADS, Workload

COLUMNS = (
    "", "n", "m", "B", "CompStats", "scikit-learn loop", "SciPy bootstrap", "**Deadheat**",
    "inference", "limit", "× CompStats", "× SciPy", "× limit",
)  # fmt: skip
OWN_COLUMNS = (
    "", "n", "m", "B", "CompStats", "scikit-learn loop", "bare calls", "**Deadheat**",
    "all but the calls", "× CompStats", "× loop", "× bare calls",
)  # fmt: skip
STUDENTIZED_COLUMNS = ("", "plain", "by rule", "× plain", "always", "× plain")
#: Of these, the draws of all pairs are studentized, too; of W5 and W6 they take minutes.
STUDENTIZED = ("W1", "W2", "W3", "W7")
#: How many shares W9's resamples are cut into.
SHARES = 4


def main() -> None:
    """Run the chosen workloads and print or write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workloads", nargs="*", help="W1 … W9; all of them if none is named")
    parser.add_argument(
        "-r", "--rounds", type=int, default=3, help="of quick contenders, before and after"
    )
    parser.add_argument("-o", "--output", type=Path, help="file for the table")
    parser.add_argument("--scaling", action="store_true", help="also how cost grows with n, m, B")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    works = [w for w in WORKLOADS if not chosen.workloads or w.name in chosen.workloads]
    lines = []
    for line in report(works, chosen.rounds, scaled=chosen.scaling):
        print(line, flush=True)
        lines.append(line)
    if chosen.output:
        chosen.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


def report(works: Sequence[Workload], rounds: int, *, scaled: bool) -> Iterator[str]:
    """Yield the lines of the tables, each as soon as it is measured."""
    yield machine(" ".join(command()))
    if known := [work for work in works if not work.own]:
        yield ""
        yield row(*COLUMNS)
        yield "|---" * len(COLUMNS) + "|"
        for work in known:
            yield measure(work, rounds)
        yield ""
        yield NOTE
        yield ""
        yield from measure_studentized(known, rounds)
        yield ""
        yield STUDENTIZED_NOTE
    for work in works:
        if work.own:
            yield ""
            yield from measure_own(work)
            yield ""
            yield OWN_NOTE
    if scaled:
        yield ""
        yield from scaling()


NOTE = f"""\
Seconds, the best of the rounds, with the contenders in turn:

- *Deadheat*, with two threads or processes: the scores of all resamples, intervals, differences
  from the leader and p-values (W7: of all pairs) of every metric of the row. *Inference* is
  everything else that the page shows of one metric.
- *CompStats*, with two processes: the first metric, on a few resamples
  ({", ".join(f"{work.name} {work.peer_resamples:,}" for work in WORKLOADS)})
  and on a fifth of them; the line through both times leads to B.
- *scikit-learn loop*, with one process: the first metric, on a tenth of those, scaled to B.
- *SciPy*, with one process: the first metric without p-values, on 20 million draws, scaled to B
  (W7: all of them, and the intervals of all pairs).
- *Limit*: drawing the B·n row numbers once, with NumPy in two forked processes, their start
  included."""

STUDENTIZED_NOTE = """\
Processor seconds of all workers, the least of the rounds, in turn: the scores of every metric of
the row on all resamples, and everything that the page shows of them. *By rule* is the default,
which studentizes draws where units are few or tails are heavy."""

OWN_NOTE = f"""\
Seconds: each but CompStats' is the sum of {SHARES} shares that ran in turn. *Bare calls* are those
of the function alone, in two processes, on rows that are there already (with weights, on distinct
rows and their numbers); *all but the calls* is what Deadheat takes where the function returns at
once and the workers have started; *× bare calls* is what it takes for each second of these."""


def measure(work: Workload, rounds: int) -> str:
    """Run every contender in turn and return the workload's row."""
    ours, limits, inference = [], [], []

    def run_rounds() -> None:
        for _ in range(rounds):
            ours.append(contenders.engine(work))
            limits.append(contenders.limit(work))
            inference.append(contenders.inference(work))

    run_rounds()
    by_loop = contenders.loop(work)
    by_scipy = contenders.scipy(work)
    by_compstats = contenders.compstats(work)
    run_rounds()
    best, least = min(ours), min(limits)
    return row(
        f"{work.name} {work.title}", f"{work.n:,}", str(work.m), f"{work.resamples:,}",
        seconds(by_compstats), seconds(by_loop), seconds(by_scipy), f"**{seconds(best)}**",
        seconds(min(inference)), seconds(least),
        times(by_compstats, best), times(by_scipy, best), f"{best / least:.2f}",
    )  # fmt: skip


def measure_studentized(works: Sequence[Workload], rounds: int) -> Iterator[str]:
    """Yield the table of what studentized draws cost: by the rule, and of all pairs."""
    yield row(*STUDENTIZED_COLUMNS)
    yield "|---" * len(STUDENTIZED_COLUMNS) + "|"
    for work in works:
        asked = ("never", "auto", "always" if work.name in STUDENTIZED else None)
        found: dict[str | None, list[float]] = {setting: [] for setting in asked}
        for _ in range(2 * rounds):
            for setting, times_taken in found.items():
                if setting is not None:
                    times_taken.append(contenders.evidence(work, setting))
        plain, by_rule, always = (min(taken, default=None) for taken in found.values())
        assert plain is not None
        assert by_rule is not None
        yield row(
            f"{work.name} {work.title}", seconds(plain), seconds(by_rule),
            f"{by_rule / plain:.2f}", seconds(always),
            "–" if always is None else f"{always / plain:.2f}",
        )  # fmt: skip


def measure_own(work: Workload) -> Iterator[str]:
    """Yield the table of an organizer's function: called as most write it, and with weights."""
    by_compstats = contenders.compstats(work)
    share = replace(work, resamples=work.resamples // SHARES)
    # Minutes, in which machines change their speed: every contender's share in turn.
    by_loop = 0.0
    ours, calls = dict.fromkeys(NOTHING, 0.0), dict.fromkeys(NOTHING, 0.0)
    for _ in range(SHARES):
        by_loop += contenders.loop(share)
        for own in NOTHING:
            ours[own] += contenders.engine(replace(share, own=own))
            calls[own] += contenders.bare_calls(replace(share, own=own))
    yield row(*OWN_COLUMNS)
    yield "|---" * len(OWN_COLUMNS) + "|"
    for own, title in (
        (OWN, f"{work.name} {work.title}"),
        (WEIGHTED, "the same, taking `sample_weight`"),
    ):
        nothing = contenders.engine(replace(work, own=NOTHING[own]))
        yield row(
            title, f"{work.n:,}", str(work.m), f"{work.resamples:,}", seconds(by_compstats),
            seconds(by_loop), seconds(calls[own]), f"**{seconds(ours[own])}**", seconds(nothing),
            times(by_compstats, ours[own]), f"{by_loop / ours[own]:.2f}",
            f"{ours[own] / calls[own]:.2f}",
        )  # fmt: skip


def row(*cells: str) -> str:
    """Return a line of a Markdown table."""
    return "| " + " | ".join(cells) + " |"


def seconds(value: float | None) -> str:
    """Write seconds with two digits that count."""
    return "–" if value is None else f"{value:.3f}" if value < 1 else f"{value:,.1f}"


def times(peer: float | None, ours: float) -> str:
    """Write how many times longer a peer takes."""
    return (
        "–"
        if peer is None
        else f"{peer / ours:,.1f}"
        if peer < 20 * ours
        else f"{peer / ours:,.0f}"
    )


def scaling() -> Iterator[str]:
    """Yield how this program's seconds grow with n, m and B, around W1 and W4."""
    yield "How cost grows (seconds, the best of three in a row):"
    yield ""
    yield "| | as it is | n × 4 | m × 4 | B × 4 |"
    yield "|---|---|---|---|---|"
    for work in (WORKLOADS[0], WORKLOADS[3]):
        variants = (
            work,
            replace(work, n=4 * work.n),
            replace(work, m=4 * work.m),
            replace(work, resamples=4 * work.resamples),
        )
        found = [min(contenders.engine(variant) for _ in range(3)) for variant in variants]
        yield f"| {work.name} | " + " | ".join(map(seconds, found)) + " |"


def machine(made_by: str) -> str:
    """Describe the machine, the versions and the command that made a table."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        named = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = named[0].partition(":")[2].strip() if named else model
    packages = []
    for name in ("numpy", "scipy", "scikit-learn", "CompStats"):
        try:
            packages.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            packages.append(f"{name} not installed")
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return (
        f"{model}, {os.cpu_count()} cores, load {load}, {platform.system()}; Python "
        f"{platform.python_version()}, {', '.join(packages)}. Made by `{made_by}`."
    )


def command() -> list[str]:
    """Return the command that made the table."""
    return ["python", "-m", "tests.benchmarks", *sys.argv[1:]]


if __name__ == "__main__":
    main()
