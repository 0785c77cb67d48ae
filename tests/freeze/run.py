"""Runs the corpus in two processes of a program, and writes a text file for each item and layer."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from tests.freeze import normal
from tests.freeze.corpus import LOOKS, NUMBERS, PIXELS, REFUSALS, items
from tests.platform import worker
from tests.platform.downloads import zipped

_PROGRAM = Path(__file__).with_name("program.py")
_PROCESSES = 2
#: Seconds in which a call ends, or has lost.
_LONGEST = 600
#: The same on every machine: the width of texts, their encoding, and one thread of BLAS.
_ENVIRONMENT = {
    "COLUMNS": "100", "PYTHONUTF8": "1", "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1",
    "NO_COLOR": "1",
}  # fmt: skip
#: What is frozen of an upload that is refused, or of teams some of whom are.
_OF_REFUSALS = ("detailed_results.html", "results.json", "scores.txt")
_LOOKS = (".html", ".svg", ".md", ".tex")

#: Name of the file → calls, and the layers that hold what becomes of them.
Corpus = Mapping[str, Mapping[str, Any]]


def prepare(inputs: Path, layers: Sequence[str], globs: Sequence[str]) -> Corpus:
    """Write the inputs of the chosen items and return the items by the names of their files."""
    shutil.rmtree(inputs, ignore_errors=True)
    corpus: dict[str, Mapping[str, Any]] = {}
    for item in items():
        slug = re.sub(r"\W+", "-", item.name).strip("-")
        named = any(fnmatchcase(item.name, glob) for glob in globs)
        if not named or not {*layers} & {*item.layers}:
            continue
        while slug in corpus:
            slug += "_"
        (inputs / slug).mkdir(parents=True)
        corpus[slug] = {"layers": item.layers, "calls": item.write(inputs / slug)}
    (inputs / "items.json").write_text(json.dumps(corpus), encoding="utf-8")
    return corpus


def run(
    folder: Path, inputs: Path, corpus: Corpus, program: Path, layers: Sequence[str]
) -> Mapping[str, float]:
    """Run every item and write ``folder``/layer/item.txt; return first layer → seconds."""
    spent = dict[str, float]()
    for layer in layers:
        shutil.rmtree(folder / layer, ignore_errors=True)
        (folder / layer).mkdir(parents=True)
    idle = queue.SimpleQueue[_Process]()

    def freeze(slug: str) -> None:
        process, item, begun = idle.get(), corpus[slug], time.monotonic()
        out = process.folder / "output"
        out.mkdir()
        paths = {str(inputs / slug): "IN", str(out): "OUT", str(program): "PROGRAM"}
        try:
            found = _frozen(item, process, paths)
            if PIXELS in layers and PIXELS in item["layers"]:
                shutil.copy(out / "detailed_results.html", folder / PIXELS / f"{slug}.html")
        finally:
            shutil.rmtree(out)
            idle.put(process)
        for layer in {*layers} & found.keys():
            lines = "\n".join(found[layer])
            text = normal.scrubbed(lines, {**paths, str(process.folder): "CWD"})
            file = folder / layer / f"{slug}.txt"
            file.write_text(text, encoding="utf-8", errors="surrogateescape")
        first = item["layers"][0]
        spent[first] = spent.get(first, 0.0) + time.monotonic() - begun

    with contextlib.ExitStack() as stack, ThreadPoolExecutor(_PROCESSES) as threads:
        for _ in range(_PROCESSES):
            made = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            idle.put(stack.enter_context(_Process(program, made)))
        list(threads.map(freeze, corpus))
    return spent


def _frozen(
    item: Mapping[str, Any], process: _Process, paths: Mapping[str, str]
) -> dict[str, list[str]]:
    """Run the calls of an item and return layer → lines."""
    inputs, out = list(paths)[:2]
    found: dict[str, list[str]] = {}
    refused = REFUSALS in item["layers"]
    told = LOOKS if LOOKS in item["layers"] else item["layers"][0]
    for call in item["calls"]:
        filled = json.loads(
            json.dumps(call).replace("{in}", json.dumps(inputs)[1:-1]).replace("{out}", out)
        )
        platform = isinstance(filled, dict) and "platform" in filled
        answer = _on_platform(filled, Path(out)) if platform else process.answer(filled)
        name = " ".join(filled) if isinstance(filled, list) else "a call of the API or a platform"
        lines = found.setdefault(told, [])
        lines += [f"==== {name}", f"status {answer['status']}"]
        lines += [
            *answer["out"].splitlines(),
            *(f"! {line}" for line in answer["err"].splitlines()),
        ]
    for path in sorted(path for path in Path(out).rglob("*") if path.is_file()):
        layer = REFUSALS if refused else LOOKS if path.suffix in _LOOKS else NUMBERS
        if not refused or path.name in _OF_REFUSALS:
            lines = found.setdefault(layer, [])
            lines += [f"==== {path.relative_to(out)}", *normal.lines_of(path)]
    return found


class _Process:
    """A process of the program, started again if it ends or takes too long."""

    def __init__(self, program: Path, folder: Path) -> None:
        self._start = [sys.executable, str(_PROGRAM), str(program)]
        self.folder = folder
        self._home = folder / "cwd"
        self._home.mkdir()
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> _Process:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def answer(self, call: Any) -> dict[str, Any]:
        """Return what a call answers."""
        if self._process is None:
            self._process = subprocess.Popen(
                self._start, cwd=self._home, text=True, encoding="utf-8",
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env={**os.environ, **_ENVIRONMENT, "TMPDIR": str(self.folder)},
            )  # fmt: skip
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        timer = threading.Timer(_LONGEST, self._process.kill)
        timer.start()
        try:
            print(json.dumps(call), file=self._process.stdin, flush=True)
            line = self._process.stdout.readline()
        finally:
            timer.cancel()
        if line:
            answer: dict[str, Any] = json.loads(line)
            return answer
        self._end()
        return {"status": "the process ended", "out": "", "err": ""}

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _on_platform(call: Mapping[str, Any], out: Path) -> dict[str, Any]:
    """Score an upload with the bundle that the last call made, as the platform's worker does."""
    upload = {path.name: path.read_bytes() for path in Path(call["upload"]).iterdir()}
    run_on = worker.run_on_codalab if call["platform"] == "CodaLab" else worker.run
    with zipfile.ZipFile(out / "bundle.zip") as bundle, tempfile.TemporaryDirectory() as root:
        program, reference = map(bundle.read, ("scoring_program.zip", "reference_data_0.zip"))
        done = run_on(Path(root), program, reference, zipped(upload), Path(sys.executable))
        shutil.copytree(done.output, out / "platform")
    return {"status": done.status, "out": done.stdout, "err": done.stderr}
