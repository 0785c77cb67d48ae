"""Worker processes: their limits, their deaths, and that nobody notices them otherwise."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scoring_program.core import bounds
from scoring_program.core.bounds import TimeLimit
from scoring_program.core.errors import SettingsError
from scoring_program.core.pool import Pool, Worker, workforce
from scoring_program.data import source
from scoring_program.data.quick_reader import QuickReader
from tests.competitions import REPOSITORY, Folder
from tests.sweeps import swept

MEGABYTE = 10**6


def pool(size: int = 2, memory: int = 400, seconds: int = 60) -> Pool:
    """Return a pool whose processes evaluate texts."""
    limits: Any = SimpleNamespace(memory=memory * MEGABYTE, seconds=seconds)
    return Pool(eval, size, limits)


def evaluated(given: Pool, *texts: str) -> list[Any]:
    def one(text: str) -> Any:
        try:
            return given.call(text)
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    return list(given.each(partial(one, text) for text in texts))


def test_processes_end_when_the_time_of_the_run_is_over() -> None:
    limits: Any = SimpleNamespace(memory=400 * MEGABYTE, seconds=600)
    limit = TimeLimit(2.0, time.monotonic())
    given = Pool(eval, 2, limits, limit)
    endless = "[0 for _ in iter(int, 1) if False]"
    assert evaluated(given, "1 + 1", endless, endless)[1:] == ["OutOfTime: (0, 0.0)"] * 2
    with pytest.raises(SettingsError, match=r"2 s were over before all submissions were read"):
        limit.check("read")


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
    assert dead == "NoAnswer: Cause.DEATH"
    assert third == 2


def test_prints_of_a_library_are_no_answers() -> None:
    assert evaluated(pool(1), "(print('hello'), 4)[1]", "5") == [4, 5]


@pytest.mark.skipif(sys.platform != "linux", reason="the system limits neither")
def test_memory_and_time_are_limited() -> None:
    greedy = f"len(bytearray({300 * MEGABYTE}))"
    forever = "[None for _ in iter(int, 1)]"
    found = evaluated(pool(2, memory=200, seconds=0), greedy, "6", "sum(1 for _ in iter(int, 1))")
    assert found == [
        "NoAnswer: Cause.MEMORY",
        6,
        "NoAnswer: Cause.TIME",
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
    assert bounds.room() == float("inf")
    assert large(folder, monkeypatch).run() == 0


def test_where_the_system_does_not_tell_its_memory_time_is_limited(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As on macOS, which has no /proc and keeps no limit of memory."""
    resource = pytest.importorskip("resource")
    limited = []
    monkeypatch.setattr(bounds, "Path", lambda path: tmp_path / "none")
    monkeypatch.setattr(resource, "setrlimit", lambda kind, value: limited.append(kind))
    bounds.grant(10**9, 60)
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


#: What the gold means is stated, because large files have no say in it.
SETTINGS = """metrics: [accuracy_score]
resamples: 100
reference: {columns: {id: id, answer: label}, header: true}
"""


def large(folder: Folder, monkeypatch: pytest.MonkeyPatch, *, usual: bool = False) -> Folder:
    """Write a competition whose submissions count as large and, but for one, as unusual."""
    monkeypatch.setattr(source, "_SMALL", 0)
    if not usual:
        monkeypatch.setattr(QuickReader, "from_expected", lambda expected, plain_files: None)
    folder.teams["Bad"] = ["?", *folder.labels[1:]]
    return folder.write(SETTINGS)


@pytest.mark.parametrize("usual", [False, True])
@pytest.mark.parametrize("workers", swept([2, 1, 3]))
def test_results_are_those_of_one_process(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, workers: int, usual: bool
) -> None:
    folder.teams["Bad"] = ["?", *folder.labels[1:]]
    folder.write(SETTINGS).run()
    files = sorted(path for path in folder.output.rglob("*") if path.is_file())
    before = [path.read_bytes() for path in files]
    started = []
    start = Worker.started
    monkeypatch.setattr(Worker, "started", lambda task: started.append(1) or start(task))
    large(folder, monkeypatch, usual=usual).run("--workers", str(workers))
    assert 1 <= len(started) <= (1 if usual else workers)
    assert [path.read_bytes() for path in files] == before


def test_a_small_run_starts_none(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Worker, "started", lambda task: pytest.fail("one was started"))
    assert folder.write().run("--resamples", "100") == 0


def test_files_that_a_frozen_reading_names_are_read_by_this_process(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is plain CSV takes as much as the test set, whoever wrote it."""
    monkeypatch.setattr(source, "_SMALL", 0)
    monkeypatch.setattr(Worker, "started", lambda task: pytest.fail("one was started"))
    submissions = "submissions: {columns: {id: id, prediction: label}, header: true, join: key}\n"
    assert folder.write(SETTINGS + submissions).run() == 0


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
from {package}.data import source
from {package}.data.quick_reader import QuickReader
source._SMALL = 0
QuickReader.from_expected = lambda expected, plain_files: None
print("begins")
print(len(score(sys.argv[1]).entries))
"""


@pytest.mark.parametrize("given", swept(["standard input", "file"]))
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


def test_submissions_of_one_name_are_timed_at_once() -> None:
    """Those of the packed field share a name, and are read side by side."""
    limit = TimeLimit(0.0, time.monotonic())
    with limit.timed("another submission"), limit.timed("another submission"):
        pass
    with pytest.raises(SettingsError, match=r"the slowest: another submission, 0\.0 s"):
        limit.check("read")


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
def test_a_bounded_task_may_take_what_it_says_and_the_next_one_more() -> None:
    limits: Any = SimpleNamespace(memory=200 * MEGABYTE, seconds=2)
    large = partial(eval, f"len(bytearray({500 * MEGABYTE}))")
    endless = partial(eval, "[0 for _ in iter(int, 1) if False]")
    tasks: list[Callable[[], Any]] = [
        bounds.Bounded(large, limits),
        large,
        bounds.Bounded(endless, limits),
        bounds.Bounded(partial(signal.raise_signal, signal.SIGKILL), limits),
        bounds.Bounded(partial(eval, "1 + 1"), limits, ("no_such_library", "json")),
        large,
    ]
    with workforce(1, "auto", None) as each:
        answers = list(each(tasks))
    causes = [item.cause for item in answers if isinstance(item, bounds.NoAnswer)]
    assert causes == [bounds.Cause.MEMORY, bounds.Cause.TIME, bounds.Cause.DEATH]
    assert [answers[k] for k in (1, 4, 5)] == [500 * MEGABYTE, 2, 500 * MEGABYTE]
