"""Freeze what the program does, and compare two freezes: see CONTRIBUTING.md.

``python -m tests.freeze write FOLDER`` runs the corpus and writes a text file for each item and
layer; ``--program DIR`` runs the program of another checkout, ``--corpus FOLDER`` the inputs of an
earlier freeze. ``python -m tests.freeze compare ONE OTHER`` prints which items differ and exits
with 1 if one does that ``--allow FILE`` does not name. A line of FILE is a glob of items and, after
a space, a regular expression for the lines that may differ, such as
``numbers/* ^metrics\\[\\d+\\]\\.tier``.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from tests.competitions import REPOSITORY
from tests.freeze import pixels
from tests.freeze.compare import allowed, compare, shown
from tests.freeze.corpus import LAYERS, PIXELS
from tests.freeze.run import prepare, run


def main(arguments: list[str] | None = None) -> int:
    """Write a freeze or compare two; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.freeze",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    write = commands.add_parser("write", help="freeze what the program does now")
    write.add_argument("folder", type=Path)
    write.add_argument("--layers", nargs="+", choices=LAYERS, default=LAYERS[:3], metavar="LAYER")
    write.add_argument("--items", nargs="+", default=["*"], metavar="GLOB", help="only some items")
    write.add_argument("--program", type=Path, default=REPOSITORY, metavar="DIR")
    write.add_argument("--corpus", type=Path, metavar="FOLDER", help="a freeze with its inputs")
    both = commands.add_parser("compare", help="print what differs")
    both.add_argument("one", type=Path)
    both.add_argument("other", type=Path)
    both.add_argument("--layers", nargs="+", choices=LAYERS, default=LAYERS, metavar="LAYER")
    both.add_argument("--allow", type=Path, metavar="FILE", help="patterns of what is meant")
    both.add_argument("--tolerance", type=float, default=1e-9, help="of floats, relative")
    options = parser.parse_args(arguments)
    return _write(options) if options.command == "write" else _compare(options)


def _write(options: argparse.Namespace) -> int:
    begun, folder = time.monotonic(), options.folder.resolve()
    inputs = (options.corpus or folder).resolve() / "inputs"
    if options.corpus is None:
        corpus = prepare(inputs, options.layers, options.items)
    else:
        known = json.loads((inputs / "items.json").read_text(encoding="utf-8"))
        wanted = {*options.layers}
        corpus = {name: item for name, item in known.items() if wanted & {*item["layers"]}}
    spent = run(folder, inputs, corpus, options.program.resolve(), options.layers)
    if PIXELS in options.layers:
        pixels.photograph(folder / PIXELS)
    shares = ", ".join(f"{layer} {seconds:.0f} s" for layer, seconds in spent.items())
    print(f"{folder}: {len(corpus)} items in {time.monotonic() - begun:.0f} s ({shares} in all)")
    return 0


def _compare(options: argparse.Namespace) -> int:
    one, other, unmeant = options.one, options.other, 0
    for layer in options.layers:
        found = list(compare(one, other, layer, options.tolerance, allowed(options.allow)))
        new = sum(difference.unmeant > 0 for difference in found)
        unmeant += new
        for difference in found:
            print(shown(difference))
            if layer == PIXELS:
                pixels.show_differences(one, other, difference.item)
        items = len({path.name for root in (one, other) for path in (root / layer).glob("*.txt")})
        if items:
            meant = f", {len(found) - new} of them as allowed" if len(found) > new else ""
            print(f"{layer}: {len(found)} of {items} items differ{meant}")
    return int(unmeant > 0)


if __name__ == "__main__":
    raise SystemExit(main())
