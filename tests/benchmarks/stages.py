"""Say on what typical commands spend their processor time, and what a peer's whole command takes.

``python -m tests.benchmarks.stages``: every command in turn with its peer, the least of the rounds.
The program is a copy as an installation holds it, with its templates and its modules compiled.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import numpy as np

from scoring_program.core.templates import COMPILED, compiled
from tests.benchmarks.__main__ import machine, row
from tests.benchmarks.command import ROOT, cpu

STAGES = ("start", "read", "statistics", "resample", "infer", "page")
#: Runs the command and prints the processor seconds until the end of every stage.
CODE = """
import json, os, sys
from scoring_program import pipeline
from scoring_program.commands.score import main
ends = []
def spent():
    return sum(os.times()[:4])
def timed(name):
    stage = getattr(pipeline, name)
    def run(*given, **named):
        if not ends:
            ends.append(spent())
        found = stage(*given, **named)
        ends.append(spent())
        return found
    setattr(pipeline, name, run)
for name in ("read_input", "score_entries", "resample_parts", "infer"):
    timed(name)
status = main(sys.argv[1:])
print(json.dumps([*ends, spent()]))
sys.exit(status)
"""
IR_MEASURES = """
import sys
import ir_measures
qrels, *runs = sys.argv[1:]
measures = [ir_measures.parse_measure(name) for name in ("nDCG@10", "AP")]
judged = list(ir_measures.read_trec_qrels(qrels))
for run in runs:
    ir_measures.calc_aggregate(measures, judged, ir_measures.read_trec_run(run))
"""
IR_MEASURES_AND_T_TESTS = """
import sys
import ir_measures
from scipy.stats import ttest_rel
qrels, *runs = sys.argv[1:]
measures = [ir_measures.parse_measure(name) for name in ("nDCG@10", "AP", "RR", "P@10", "R@100")]
judged = list(ir_measures.read_trec_qrels(qrels))
evaluator = ir_measures.evaluator(measures, judged)
values = []
for run in runs:
    measured = evaluator.iter_calc(ir_measures.read_trec_run(run))
    values.append({(one.measure, one.query_id): one.value for one in measured})
queries = sorted({one.query_id for one in judged})
for measure in measures:
    by_run = [[of_run[measure, query] for query in queries] for of_run in values]
    best, *others = sorted(by_run, key=sum, reverse=True)
    for other in others:
        ttest_rel(best, other)
"""
SEQEVAL = """
import sys
from seqeval.metrics import f1_score
def read(path):
    blocks = open(path, encoding="utf-8").read().strip().split("\\n\\n")
    return [[line.split()[-1] for line in block.split("\\n")] for block in blocks]
gold, *systems = map(read, sys.argv[1:])
for found in systems:
    f1_score(gold, found)
"""
#: One fit with sandwich intervals, and no resamples.
ARENA_RANK = """
import sys
import pandas
from arena_rank.models.bradley_terry import BradleyTerry
from arena_rank.utils.data_utils import PairDataset
table = pandas.read_csv(sys.argv[1])
table = table.rename(columns={"left": "model_a", "right": "model_b"})
table["winner"] = table.winner.replace({"left": "model_a", "right": "model_b"})
pairs = PairDataset.from_pandas(table)
BradleyTerry(len(pairs.competitors)).compute_ratings_and_cis(pairs)
"""
#: Writes INPUT into a folder; returns the peer's whole command, or nothing.
Writer: TypeAlias = Callable[[Path], Sequence[str]]


def main() -> None:
    """Print a Markdown table of processor seconds and of the shares of the stages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commands", nargs="*", help="beginnings of titles; else all of them")
    parser.add_argument("-r", "--rounds", type=int, default=5)
    chosen = parser.parse_args()
    print(machine("python -m tests.benchmarks.stages") + "\n")
    print(row("command", "CPU s", *STAGES, "peer", "× peer"))
    print("|---" * (4 + len(STAGES)) + "|")
    with TemporaryDirectory() as name:
        program = Path(name)
        _install(program)
        for title, write in COMMANDS.items():
            if not chosen.commands or title.startswith(tuple(chosen.commands)):
                print(_measured(title, write, chosen.rounds, program), flush=True)


def _install(folder: Path) -> None:
    """Write the program into a folder as an installation holds it."""
    sources_alone = shutil.ignore_patterns("__pycache__")
    package = folder / "scoring_program"
    templates = package / "templates"
    shutil.copytree(ROOT / "scoring_program", package, ignore=sources_alone)
    shutil.copytree(ROOT / "templates", templates, ignore=sources_alone)
    (templates / COMPILED).mkdir()
    for name, content in compiled().items():
        (templates / COMPILED / name).write_bytes(content)
    subprocess.run([sys.executable, "-m", "compileall", "-q", folder], check=True)


def _measured(title: str, write: Writer, rounds: int, program: Path) -> str:
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    ours, theirs = [], []
    with TemporaryDirectory() as name:
        folder = Path(name)
        peer = write(folder)
        command = [sys.executable, "-c", CODE, name, str(folder / "output")]
        for _ in range(rounds):
            found = subprocess.run(
                command, check=True, cwd=program, env=environment, stdout=subprocess.PIPE
            )
            ours.append(json.loads(found.stdout.splitlines()[-1]))
            if peer:
                theirs.append(cpu([*peer], environment))
    best = min(ours, key=lambda ends: ends[-1])
    shares = (f"{part / best[-1]:.0%}" for part in np.diff(best, prepend=0))
    beside = (f"{min(theirs):.2f}", f"{best[-1] / min(theirs):.2f}") if theirs else ("–", "–")
    return row(title, f"{best[-1]:.2f}", *shares, *beside)


def _example(folder: Path, submissions: str = "") -> Sequence[str]:
    example = ROOT / "example" / "input"
    shutil.copytree(example / "ref", folder / "ref")
    shutil.copytree(example / "res" / submissions, folder / "res")
    return ()


def write_labels(entries: int, examples: int, folder: Path) -> Sequence[str]:
    """Write labels of two classes and graded entries' predictions of them."""
    rng = np.random.default_rng(8)
    gold, hard = rng.integers(0, 2, examples), rng.random(examples)
    for entry in range(-1, entries):
        noise = 0.7 * hard + 0.3 * rng.random(examples)
        found = gold if entry < 0 else np.where(noise < 0.6 + 0.2 * entry / entries, gold, 1 - gold)
        path = folder / ("ref/gold.csv" if entry < 0 else f"res/team{entry}/p.csv")
        _write(path, ["id,label", *(f"e{k},{c}" for k, c in enumerate(found.tolist()))])
    return ()


def _texts(folder: Path) -> Sequence[str]:
    from tests.benchmarks.kinds import texts

    work = texts("BLEU", 2000)
    _write(folder / "ref/gold.txt", [text for (text,) in work.golds])
    _write(folder / "ref/scoring.yaml", ["metrics: [bleu]", "resamples: 1000"])
    paths = [folder / f"res/system{number}.txt" for number in range(len(work.systems))]
    for path, found in zip(paths, work.systems, strict=True):
        _write(path, found)
    options = ["-q", "-m", "bleu", "--paired-bs", "--paired-bs-n", "1000", "-i"]
    peer = (sys.executable, "-m", "sacrebleu", str(folder / "ref/gold.txt"))
    return (*peer, *options, *map(str, paths))


def _runs(folder: Path) -> Sequence[str]:
    from tests.metrics.kinds.runs import judgments, qrels_text, run_text, system

    judged = judgments(500)
    _write(folder / "ref/qrels.txt", qrels_text(judged).splitlines())
    _write(folder / "ref/scoring.yaml", ["metrics: [nDCG@10, AP]", "missing: wrong"])
    paths = [folder / f"res/run{number}.run" for number in range(17)]
    for number, path in enumerate(paths):
        run = run_text(system(judged, 1 + 0.1 * number, number))
        _write(path, run.splitlines())
    return (sys.executable, "-c", IR_MEASURES, str(folder / "ref/qrels.txt"), *map(str, paths))


def _long_runs(folder: Path) -> Sequence[str]:
    """Write runs of 1,000 documents for each of 50 queries, as TREC's participants send them."""
    rng = np.random.default_rng(3)
    queries = range(301, 351)
    documents = np.array([f"FT{number // 9000:03}-{number % 9000}" for number in range(200_000)])
    pools = [rng.choice(documents, 3000, replace=False).tolist() for _ in queries]
    grades = np.where(rng.random((50, 3000)) < 0.03, rng.integers(1, 4, (50, 3000)), 0)
    judged = []
    for query, pool, graded in zip(queries, pools, grades.tolist(), strict=True):
        judged += [f"{query} 0 {pool[place]} {graded[place]}" for place in range(1500)]
    _write(folder / "ref/qrels.txt", judged)
    _write(folder / "ref/scoring.yaml", ["metrics: [nDCG@10, AP, RR, P@10, R@100]"])
    paths = [folder / f"res/run{number:02}.run" for number in range(17)]
    for number, path in enumerate(paths):
        lines = []
        scores = rng.normal(0, 1 + 0.05 * number, grades.shape) + 1.5 * grades
        for query, pool, of_query in zip(queries, pools, scores, strict=True):
            best = np.argsort(-of_query)[:1000].tolist()
            for rank, place in enumerate(best, 1):
                lines.append(f"{query} Q0 {pool[place]} {rank} {of_query[place]:.4f} {path.stem}")
        _write(path, lines)
    code = IR_MEASURES_AND_T_TESTS
    return (sys.executable, "-c", code, str(folder / "ref/qrels.txt"), *map(str, paths))


def _entities(folder: Path) -> Sequence[str]:
    from tests.benchmarks.kinds import tags

    work = tags()
    paths = [folder / "ref/gold.conll"]
    paths += [folder / f"res/system{number}.conll" for number in range(len(work.systems))]
    for path, found in zip(paths, (work.golds, *work.systems), strict=True):
        _write(path, ["\n".join(f"word {tag}" for tag in of) + "\n" for of in found])
    return (sys.executable, "-c", SEQEVAL, *map(str, paths))


def _preferences(folder: Path) -> Sequence[str]:
    from tests.metrics.test_preferences import battles, frame

    table = frame(battles(n=100_000, systems=100, spread=30.0))
    table["left"] = "s" + table.left.astype(str)
    table["right"] = "s" + table.right.astype(str)
    (folder / "ref").mkdir()
    path = folder / "res/votes.csv"
    _write(path, table.to_csv(index=False).splitlines())
    if importlib.util.find_spec("arena_rank") is None:
        return ()
    return (sys.executable, "-c", ARENA_RANK, str(path))


def _write(path: Path, lines: Sequence[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


COMMANDS: dict[str, Writer] = {
    "one submission of 2,182 examples": lambda folder: _example(folder, "NLPCIC"),
    "the example, 10 × 2,182, three metrics": _example,
    "134 × 500": lambda folder: write_labels(134, 500, folder),
    "300 × 2,000": lambda folder: write_labels(300, 2_000, folder),
    "40 × 100,000": lambda folder: write_labels(40, 100_000, folder),
    "5 × 1,000,000": lambda folder: write_labels(5, 1_000_000, folder),
    "2 × 10,000,000": lambda folder: write_labels(2, 10_000_000, folder),
    "BLEU, 10 × 2,000, B = 1,000; sacrebleu's paired bootstrap": _texts,
    "17 runs of 500 queries; ir_measures reads and measures": _runs,
    "17 runs of 50 queries, five measures; ir_measures and t-tests": _long_runs,
    "entity F1, 10 × 2,000; seqeval measures": _entities,
    "100,000 preferences between 100 systems; Arena-Rank fits once": _preferences,
}

if __name__ == "__main__":
    main()
