"""Worker processes: their limits, their deaths, and that nobody notices them otherwise."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scoring_program.alignment import entry_reader
from scoring_program.alignment.quick import QuickReader
from scoring_program.commands import memory
from scoring_program.reading import worker, worker_pool
from scoring_program.reading.limits import Limits
from scoring_program.reading.worker_pool import WorkerPool
from tests.competitions import REPOSITORY, Folder

MEGABYTE = 10**6


def pool(size: int = 2, memory: int = 400, seconds: int = 60) -> WorkerPool:
    """Return a pool whose processes evaluate texts."""
    limits: Any = SimpleNamespace(memory=memory * MEGABYTE, seconds=seconds)
    return WorkerPool(eval, size, limits)


def evaluated(given: WorkerPool, *texts: str) -> list[Any]:
    def one(text: str) -> Any:
        try:
            return given.call(text)
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    return list(given.each(partial(one, text) for text in texts))


def test_answers_come_in_the_order_of_the_questions() -> None:
    texts = [f"(__import__('time').sleep({(9 - k) / 50}), {k})[1]" for k in range(10)]
    assert evaluated(pool(3), *texts) == list(range(10))


def test_errors_are_those_of_the_function() -> None:
    assert evaluated(pool(1), "1 / 0", "int('x')", "3") == [
        "ZeroDivisionError: division by zero",
        "ValueError: invalid literal for int() with base 10: 'x'",
        3,
    ]


def test_a_process_is_used_again_and_replaced_if_it_dies() -> None:
    first, second, dead, third = evaluated(
        pool(1), *["__import__('os').getpid()"] * 2, "__import__('os')._exit(0)", "1 + 1"
    )
    assert first == second != os.getpid()
    assert dead == "LimitExceeded: ends the process that reads it"
    assert third == 2


def test_prints_of_a_library_are_no_answers() -> None:
    assert evaluated(pool(1), "(print('hello'), 4)[1]", "5") == [4, 5]


@pytest.mark.skipif(sys.platform != "linux", reason="the system limits neither")
def test_memory_and_time_are_limited() -> None:
    greedy = f"len(bytearray({300 * MEGABYTE}))"
    forever = "[None for _ in iter(int, 1)]"
    found = evaluated(pool(2, memory=200, seconds=0), greedy, "6", "sum(1 for _ in iter(int, 1))")
    assert found == [
        "LimitExceeded: takes more memory to read than the limit of 200 MB",
        6,
        "LimitExceeded: takes longer to read than the limit of 0 seconds",
    ]
    assert evaluated(pool(1, memory=200), forever, greedy.replace("300", "100"))[0] == found[0]


def test_where_the_system_limits_nothing_files_are_read(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As on Windows, where Python has no module for limits."""
    (tmp_path / "resource.py").write_text("raise ImportError('there is none')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "resource", raising=False)
    beyond = f"len(bytearray({50 * MEGABYTE}))"
    assert evaluated(pool(1, memory=1, seconds=0), beyond, "2") == [50 * MEGABYTE, 2]
    assert memory.room() == float("inf")
    assert large(folder, monkeypatch).run() == 0


def test_where_the_system_does_not_tell_its_memory_time_is_limited(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As on macOS, which has no /proc and keeps no limit of memory."""
    resource = pytest.importorskip("resource")
    limited = []
    monkeypatch.setattr(worker, "Path", lambda path: tmp_path / "none")
    monkeypatch.setattr(worker, "_set", lambda kind, value: limited.append(kind))
    worker._limit(Limits())
    assert limited == [resource.RLIMIT_CPU]


@pytest.mark.skipif(sys.platform != "linux", reason="the system limits no memory")
def test_what_one_file_took_is_not_taken_from_the_next() -> None:
    text = f"len(bytearray({150 * MEGABYTE}))"
    assert evaluated(pool(1, memory=200), *[text] * 4) == [150 * MEGABYTE] * 4


def test_no_process_outlives_the_pool() -> None:
    given = pool(2)
    pids = set(evaluated(given, *["__import__('os').getpid()"] * 6))
    assert 1 <= len(pids) <= 2
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    with pytest.raises(RuntimeError, match="closed"):
        given.call("1")


def test_an_answer_that_nobody_awaits_ends_with_the_pool() -> None:
    given = pool(2)
    answers = given.each(
        [partial(given.call, "1"), *[partial(given.call, "__import__('time').sleep(60)")] * 4]
    )
    assert next(iter(answers)) == 1
    answers.close()  # type: ignore[attr-defined]


def large(folder: Folder, monkeypatch: pytest.MonkeyPatch, *, usual: bool = False) -> Folder:
    """Write a competition whose submissions count as large and, but for one, as unusual."""
    monkeypatch.setattr(entry_reader, "_SMALL", 0)
    if not usual:
        monkeypatch.setattr(QuickReader, "of", lambda expected: None)
    folder.teams["Bad"] = ["?", *folder.labels[1:]]
    return folder.write("metrics: [accuracy_score]\nresamples: 100\n")


@pytest.mark.parametrize("usual", [False, True])
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_results_are_those_of_one_process(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, workers: int, usual: bool
) -> None:
    folder.teams["Bad"] = ["?", *folder.labels[1:]]
    folder.write("metrics: [accuracy_score]\nresamples: 100\n").run()
    files = sorted(path for path in folder.output.rglob("*") if path.is_file())
    before = [path.read_bytes() for path in files]
    started = []
    start = worker_pool._started
    monkeypatch.setattr(worker_pool, "_started", lambda: started.append(1) or start())
    large(folder, monkeypatch, usual=usual).run("--workers", str(workers))
    assert 1 <= len(started) <= (1 if usual else workers)
    assert [path.read_bytes() for path in files] == before


def test_a_small_run_starts_none(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "_started", lambda: pytest.fail("one was started"))
    assert folder.write().run("--resamples", "100") == 0


def test_where_none_can_start_this_process_reads(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert large(folder, monkeypatch).run() == 0
    assert [item["entry"] for item in folder.results()["unusable"]] == ["Bad"]


#: A script without a main guard, as people write them and as notebooks run them.
SCRIPT = """
import sys
from {package} import score
from {package}.alignment import entry_reader
from {package}.alignment.quick import QuickReader
entry_reader._SMALL = 0
QuickReader.of = lambda expected: None
print("begins")
print(len(score(sys.argv[1]).entries))
"""


@pytest.mark.parametrize("given", ["file", "standard input"])
def test_a_script_needs_no_main_guard(folder: Folder, tmp_path: Path, given: str) -> None:
    folder.write()
    text = SCRIPT.format(package="scoring_program")
    script = tmp_path / "script.py"
    script.write_text(text)
    done = subprocess.run(
        [sys.executable, str(script) if given == "file" else "-", str(folder.input)],
        input="" if given == "file" else text,
        capture_output=True,
        text=True,
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        timeout=60,
    )
    assert done.stdout == "begins\n3\n", done.stderr
