"""Compare what whole commands cost here and in another checkout: ``… start CHECKOUT``.

Processor seconds, user and system, of all processes, in turn: the least of the rounds, and the
median of the ratios of their pairs. There are three runs: one submission on a platform, which
unpacks the bundle's program anew for every run; and, as installed, with bytecode of everything, the
example and many entries.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from scoring_program.bundle import program
from tests.benchmarks.command import ROOT, cpu
from tests.benchmarks.stages import write_labels

EXAMPLE = ROOT / "example" / "input"
#: What both programs hold, and what an installed command and a bundle's entry point call.
ENTRY = "import sys; from scoring_program.commands.score import main; sys.exit(main())"
#: Writes the templates of the program in this folder as Python modules, as wheels and bundles hold
#: them, if its version compiles them.
_COMPILE = """
from scoring_program.core import templates
if hasattr(templates, "compiled"):
    folder = templates.templates_folder() / templates.COMPILED
    folder.mkdir()
    for name, content in templates.compiled().items():
        (folder / name).write_bytes(content)
"""
NOTHING = ROOT / "tests" / "bundle" / "nothing.txt"


def main() -> None:
    """Print a Markdown table of both runs, and of how much of the other's time ours take."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path, help="another version's repository")
    parser.add_argument("runs", nargs="*", default=[""], help="beginnings of titles; else all")
    parser.add_argument("-r", "--rounds", type=int, default=7)
    chosen = parser.parse_args()
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTHON")
    }
    with TemporaryDirectory() as name:
        folder = Path(name)
        trees = {"there": folder / "there", "here": folder / "here"}
        _write_sources(chosen.checkout, trees["there"])
        (image,) = program.IMAGES.values()
        packed = replace(image, python="{}.{}".format(*sys.version_info), lock=NOTHING)
        for path, content in program.files(packed).items():
            (trees["here"] / path).parent.mkdir(parents=True, exist_ok=True)
            (trees["here"] / path).write_bytes(content)
        one = folder / "one"
        shutil.copytree(EXAMPLE / "ref", one / "ref")
        shutil.copytree(EXAMPLE / "res" / "NLPCIC", one / "res")
        many = folder / "many"
        write_labels(300, 2_000, many)
        print("| | there | here | here / there | median of the pairs |\n|---|---|---|---|---|")
        for title, inputs, fresh in (
            ("one submission on a platform", one, True),
            ("the example, installed", EXAMPLE, False),
            ("300 entries, 2,000 examples, installed", many, False),
        ):
            if not title.startswith(tuple(chosen.runs)):
                continue
            found = _measured(trees, inputs, environment, chosen.rounds, fresh=fresh)
            there = found["there"]
            here = found["here"]
            of_pairs = median(ours / theirs for ours, theirs in zip(here, there, strict=True))
            print(
                f"| {title} | {min(there):.2f} | {min(here):.2f} | {min(here) / min(there):.2f} | "
                f"{of_pairs:.2f} |",
                flush=True,
            )


def _write_sources(checkout: Path, folder: Path) -> None:
    """Write the program of a checkout as its bundles held it."""
    bytecode = shutil.ignore_patterns("__pycache__", "audit", "bundle", "new")
    shutil.copytree(checkout / "scoring_program", folder / "scoring_program", ignore=bytecode)
    templates = folder / "scoring_program" / "templates"
    shutil.copytree(checkout / "templates", templates, ignore=bytecode)
    subprocess.run([sys.executable, "-c", _COMPILE], cwd=folder, check=True)


def _measured(
    trees: dict[str, Path],
    inputs: Path,
    environment: dict[str, str],
    rounds: int,
    *,
    fresh: bool,
) -> dict[str, list[float]]:
    """Return the seconds of all runs; a program is as it was unpacked if it is ``fresh``."""
    if fresh:
        environment = {**environment, "PYTHONDONTWRITEBYTECODE": "1"}
    else:
        for tree in trees.values():
            subprocess.run([sys.executable, "-m", "compileall", "-q", tree], check=True)
    found: dict[str, list[float]] = {name: [] for name in trees}
    for number in range(rounds):
        in_turn = sorted(trees.items(), reverse=bool(number % 2))
        for name, tree in in_turn:
            with TemporaryDirectory() as output:
                command = [sys.executable, "-c", ENTRY, str(inputs), output]
                found[name].append(cpu(command, environment, tree))
    return found


if __name__ == "__main__":
    main()
