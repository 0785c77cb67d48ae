"""Limits of time and memory, and requests to stop."""

from __future__ import annotations

import json
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import pytest

from scoring_program import pipeline
from scoring_program.bootstrap import resample, task_queue
from scoring_program.core.bounds import ENDLESS, TimeLimit
from scoring_program.core.errors import SettingsError
from scoring_program.data.source import duration
from scoring_program.document.shortening import slugs
from scoring_program.metrics import resolve
from scoring_program.metrics.metric import Data
from scoring_program.metrics.statistics import Counting, count_sums
from scoring_program.reading import layout, limits
from scoring_program.reading.files import DataFile
from scoring_program.scoring.score_entries import score_entries
from scoring_program.settings.checks import MetricSpec
from tests.competitions import REPOSITORY, Folder
from tests.hostile.bad.makers import npy, zipped
from tests.hostile.test_bad_inputs import stopped_after
from tests.hostile.trap import Trap
from tests.sweeps import swept

GIB = 2**30


def started(
    folder: Folder, *options: str, memory: int | None = None, seconds: int | None = None
) -> subprocess.Popen[str]:
    """Start the program as a process of its own, with so much memory and processor time at most."""

    def limit() -> None:
        for kind, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds)):
            if most is not None:
                resource.setrlimit(kind, (most, most))

    return subprocess.Popen(
        [sys.executable, "-m", "scoring_program", str(folder.input), str(folder.output), *options],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=limit,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )


@pytest.mark.parametrize(
    ("backend", "seconds"),
    swept([("processes", 0.5), ("loky", 2), ("threads", 0.5), ("loky", 0.5)]),
)
def test_sigterm_ends_the_run_cleanly(folder: Folder, backend: str, seconds: float) -> None:
    process = started(folder.write(), "--resamples", "3000000", "--backend", backend)
    assert process.stdout is not None
    while "entries on" not in process.stdout.readline():  # resampling begins
        pass
    time.sleep(seconds)  # fresh processes take a while until they compute
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=300)  # all resamples would take longer
    assert process.returncode == 2
    assert err.startswith(
        "The run was stopped before its results were complete; nothing was written."
    )
    assert "time_budget" in err
    assert "Traceback" not in err
    assert os.listdir(folder.root) == ["input"]


def test_sigterm_that_a_library_swallows(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def swallowing(*arguments: Any) -> Any:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
        except BaseException:  # as some do around an import
            return score_entries(*arguments)
        raise AssertionError("nothing came")

    monkeypatch.setattr(pipeline, "score_entries", swallowing)
    assert folder.write().run("--resamples", "100") == 2
    assert "stopped before its results were complete" in capsys.readouterr().err
    assert os.listdir(folder.root) == ["input"]


def test_sigterm_while_writing_comes_too_late(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace, replaced = Path.replace, list[Path]()

    def interrupted(path: Path, target: Path) -> Path:
        os.kill(os.getpid(), signal.SIGTERM)
        replaced.append(path)
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", interrupted)
    assert folder.write().run("--resamples", "100") == 0
    assert replaced
    assert folder.scores()
    assert sorted(os.listdir(folder.root)) == ["input", "output"]


# Wall-clock time needs a machine of its own: run it by -m slow.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "teams", "options", "budget"),
    [
        pytest.param(20_000, 12, (), 4, id="drawing takes the time"),
        pytest.param(300, 60, (), 4, id="comparing takes the time"),
        pytest.param(200_000, 10, (), 20, id="reading takes the time"),
        pytest.param(20_000, 12, ("--tests", "randomization"), 6, id="swapping takes the time"),
        pytest.param(20_000, 12, ("--interval", "bca"), 6, id="leaving out takes the time"),
    ],
)
def test_the_time_budget_is_kept(
    tmp_path: Path, n: int, teams: int, options: tuple[str, ...], budget: int
) -> None:
    """From the program's start to its end."""
    folder = large(tmp_path, n, teams)
    drawn = ("--resamples", "1000000", "--memory", "8", "--time-budget", str(budget))
    begun = time.monotonic()
    process = started(folder, *drawn, *options)
    _, err = process.communicate(timeout=10 * budget)
    taken = time.monotonic() - begun
    assert process.returncode == 0, err
    resamples = int(folder.results()["signature"]["resamples"])
    print(f"time budget {budget} s: {taken:.1f} s, {resamples:,} resamples")
    assert taken < 1.1 * budget
    assert 100 < resamples < 1_000_000


@pytest.mark.parametrize("tests", ["[]", "[randomization]"])
def test_a_time_budget_that_reading_nearly_exceeds_is_told(
    folder: Folder,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tests: str,
) -> None:
    monkeypatch.setattr(resample, "_SHARE_FOR_THE_REST", 1.0)
    folder.write(f"metrics: [accuracy_score]\ntests: {tests}\n")
    assert folder.run("--time-budget", "1000", "--resamples", "10000") == 0
    told = (
        "Time budget: almost nothing was left after the input had been read. "
        "Only 100 of 10,000 resamples were drawn"
    )
    assert told in capsys.readouterr().out
    assert any(told in note for note in folder.results()["notes"])
    assert folder.results()["signature"]["resamples"] == "100"


def over_after(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the time be over when it was looked at so often."""
    looked = count()
    left = property(lambda limit: math.inf if limit.is_endless else times - next(looked))
    monkeypatch.setattr(TimeLimit, "left", left)


@pytest.mark.parametrize(
    ("metric", "gold", "looks", "done"),
    [
        ("accuracy_score", "gold.csv", 0, "found; allow more time"),
        ("accuracy_score", "gold.csv", 3, "read (the slowest: "),
        ("word_error_rate", "gold.txt", 8, "counted (the slowest: "),
        ("own", "gold.csv", 8, "scored (the slowest: "),
    ],
)
def test_the_time_budget_holds_before_resampling(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    metric: str,
    gold: str,
    looks: int,
    done: str,
) -> None:
    folder = Folder(tmp_path)
    if metric == "own":
        metric = "{name: own, function: 'my_metric.py:score', greater_is_better: true}"
        folder.settings("")
        (folder.input / "ref" / "my_metric.py").write_text(
            "def score(y_true, y_pred):\n    return float((y_true == y_pred).mean())\n"
        )
    folder.write(f"metrics: [{metric}]\ntime_budget: 1000\n")
    if gold == "gold.txt":
        (folder.input / "ref" / "gold.csv").unlink()
        shutil.rmtree(folder.input / "res")
        texts = {"ref/gold": folder.labels, **{f"res/{k}": v for k, v in folder.teams.items()}}
        for name, labels in texts.items():
            path = folder.input / f"{name}.txt"
            path.parent.mkdir(exist_ok=True)
            path.write_text("\n".join(f"a {label} c" for label in labels))
    over_after(looks, monkeypatch)
    assert folder.run() == 2
    err = capsys.readouterr().err
    assert f"line 2: time_budget: 1000 s were over before all submissions were {done}" in err
    if "slowest" in done:
        assert re.search(r"slowest: (One|Two|Three|this submission), \d+\.\d s\)", err)
    assert not folder.output.exists()


def test_counts_are_the_same_under_a_time_budget() -> None:
    texts = np.array([f"text {k}" for k in range(300)], dtype=object)
    found = []
    for limit in (ENDLESS, TimeLimit(1e9, time.monotonic())):
        (own,) = resolve([MetricSpec("wer", "word_error_rate")], None)
        data = Data(texts, (texts, texts[::-1].copy()), None)
        found.append(count_sums(own, data, ["One", "Two"], Counting(time_limit=limit)).flat())
    for plain, limited in zip(*found, strict=True):
        np.testing.assert_array_equal(plain, limited)


def test_counting_ends_soon_after_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not after a chunk of examples, of which each may take long."""
    counted: list[str] = []

    def count_one(golds: Sequence[str], predictions: Sequence[str], params: Any) -> list[Any]:
        counted.extend(predictions)
        return [(1, 1)] * len(golds)

    own = resolve([MetricSpec("wer", "word_error_rate")], None)[0]
    statistics = own.statistics
    assert statistics is not None
    own = replace(own, statistics=replace(statistics, count=count_one))
    texts = np.array([f"text {k}" for k in range(500)], dtype=object)
    over_after(3, monkeypatch)
    limit = Counting(time_limit=TimeLimit(1000.0))
    with pytest.raises(SettingsError, match=r"the slowest: Two, .* s\); allow more time"):
        count_sums(own, Data(texts, (texts,), None), ["Two"], limit)
    assert len(counted) <= 1 + 2 + 4 + 8


def test_the_fewest_resamples_are_drawn_after_the_deadline_too(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a first chunk takes all the time and holds few resamples."""
    folder.write("metrics: [accuracy_score]\n")
    monkeypatch.setattr(
        pipeline,
        "plan_resamples",
        lambda *_: resample.Plan(10_000, begun=time.monotonic(), seconds=0.0),
    )
    monkeypatch.setattr(task_queue, "_MOST", 20)
    assert folder.run("--workers", "1") == 0
    assert folder.results()["signature"]["resamples"] == "100"


def large(root: Path, n: int, teams: int) -> Folder:
    """Return a competition of n examples and two metrics."""
    folder = Folder(root, n, [f"team{k}" for k in range(teams)])
    return folder.write("metrics: [accuracy_score, {f1_score: {average: macro}}]\n")


def test_more_replicates_than_memory_are_refused(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert folder.write("resamples: 1000000000000\n").run() == 2
    assert "resamples: the replicates need" in capsys.readouterr().err


#: Runs the program and prints the memory that it took, in kilobytes.
_MEASURED = """
import resource, sys
from scoring_program.commands.score import main
status = main(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
sys.exit(status)
"""


@pytest.mark.slow
def test_as_many_replicates_as_are_allowed_stay_within_the_memory(tmp_path: Path) -> None:
    folder, gibibytes = large(tmp_path, 300, 30), 0.5

    def taken(resamples: int) -> float:
        options = ("--resamples", str(resamples), "--memory", str(gibibytes))
        done = subprocess.run(
            [sys.executable, "-c", _MEASURED, str(folder.input), str(folder.output), *options],
            cwd=REPOSITORY,
            capture_output=True,
            text=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        )
        assert done.returncode == 0, done.stderr
        return int(done.stderr) / 2**20

    program = taken(100)
    most = int(gibibytes * GIB / 8 / 60 / 5)  # five arrays of doubles for two metrics of 30 entries
    everything = taken(most)
    print(f"{most:,} resamples: {everything - program:.2f} GiB beside the program's {program:.2f}")
    assert everything - program < gibibytes


BOMBS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "zip": ("upload.zip", lambda: zipped({"predictions.csv": bytes(300_000_000)})),
    "nested zip": (
        "upload.zip",
        lambda: zipped({"a.zip": zipped({"b.zip": zipped({"c.csv": bytes(100_000_000)})})}),
    ),
    "a field of 100 MB": ("predictions.csv", lambda: b"id,label\nx000," + b"a" * 100_000_000),
    "a quoted field of 100 MB": ("predictions.csv", lambda: b'id,label\nx000,"' + b"a" * 10**8),
    "100 MB of commas": ("predictions.csv", lambda: b"id,label\n" + b"," * 100_000_000),
    "100 MB of line ends": ("predictions.csv", lambda: b"\n" * 100_000_000),
    "40 million rows": ("predictions.csv", lambda: b"a,b\n" * 40_000_000),
    "a file too large": ("predictions.csv", lambda: b"id,label\n" * 30_000_000),
    "JSON of brackets": ("predictions.json", lambda: b"[" * 100_000_000),
    "JSON records of different keys": (
        "predictions.json",
        lambda: b"[" + b",".join(b'{"k%d": 1}' % i for i in range(20_000)) + b"]",
    ),
    "a matrix of one row": ("x.predict", lambda: b"1 " * 40_000_000),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_bombs_end_in_time_and_memory(tmp_path: Path, name: str) -> None:
    file, content = BOMBS[name]
    trap = Trap(tmp_path).single()
    trap.upload(content(), file)
    process = started(trap, memory=4 * GIB, seconds=60)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 1, err
    assert file.split(".")[0] in err
    assert len(err) < 5000


@pytest.mark.parametrize("name", ["zip", "JSON records of different keys"])
def test_small_bombs_end_in_little_memory(tmp_path: Path, name: str) -> None:
    file, content = BOMBS[name]
    trap = Trap(tmp_path).single()
    trap.upload(content(), file)
    process = started(trap, memory=1 * GIB)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1, err


def test_the_limits_are_settings(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    folder.write("metrics: [accuracy_score]\n")
    path = folder.input / "res" / "Four.zip"
    inner = zipped({f"{k}.csv": "id,label\n" for k in range(5)})
    path.write_bytes(zipped({"inner.zip": inner}))
    for options, said in (
        (("--most-files", "3"), "more than 3 files"),
        (("--most-nested", "1"), "deeper than the limit of 1"),
    ):
        assert folder.run("--resamples", "100", *options) == 0
        (unusable,) = folder.results()["unusable"]
        assert said in unusable["reason"]
    path.write_bytes(zipped({"a.csv": "0" * 1_500_000}))
    for options, said in (
        (("--largest-upload", "1"), "more than the limit of 1 MB"),
        (("--largest-file", "1"), "2 MB, larger than the limit of 1 MB"),
        (("--most-ratio", "2"), "2 times its size"),
    ):
        assert folder.run("--resamples", "100", *options) == 0
        (unusable,) = folder.results()["unusable"]
        assert said in unusable["reason"]


def test_a_tally_counts_archives_inside_archives() -> None:
    tally = limits.Tally(limits.Limits(most_files=10))
    members = [zipfile.ZipInfo(str(i)) for i in range(6)]
    tally.add(6, members)
    with pytest.raises(limits.LimitExceeded, match="more than 10 files"):
        tally.add(6, members, depth=2)


ARRANGED = {
    "of one number and owner": [f"1_owner_{k}/x.csv" for k in range(5000)],
    "in 120 folders inside folders": [f"{'a/' * 120}{k}.csv" for k in range(5000)],
    "samples beside nothing": [f"{k}/sample_submission.csv" for k in range(5000)],
}


@pytest.mark.parametrize("paths", swept(ARRANGED.values()), ids=ARRANGED)
def test_thousands_of_files_are_arranged_in_time(paths: list[str]) -> None:
    found = [DataFile(PurePosixPath(path), bytes) for path in paths]
    with stopped_after(15):
        upload = layout.arrange(found)
    assert len(upload.sources) == len({source.entry for source in upload.sources}) == len(paths)


def test_names_of_many_scripts_get_keys_in_time() -> None:
    names = [chr(0x4E00 + k) for k in range(20_000)]
    with stopped_after(15):
        assert len(set(slugs(names))) == len(names)


def test_a_name_keeps_its_key_whoever_comes_before_it() -> None:
    assert slugs(["Team X", "Team!X", "Team_X", "Team_X_2"]) == [
        "Team_X_3",
        "Team_X_4",
        "Team_X",
        "Team_X_2",
    ]
    assert slugs(["a", "a", "á"]) == ["a", "a_2", "a_3"]


@pytest.mark.full
def test_a_long_cell_of_one_row_takes_no_memory_for_all(tmp_path: Path) -> None:
    """Of a submission whose columns are all given to the organizer's metric."""
    trap = Trap(tmp_path).single()
    own = "metrics: [{name: own, function: my_metric.py:score, greater_is_better: true}]\n"
    trap.settings(f"{own}largest_file: 64\n")
    trap.put(
        "ref/my_metric.py",
        "def score(solution, submission, row_id_column_name):\n"
        "    return float((solution['label'] == submission['label']).mean())\n",
    )
    labels = zip(trap.ids, trap.teams["One"], strict=True)
    rows = [{"id": i, "label": label, "why": ""} for i, label in labels]
    rows[0]["why"] = "x" * 30_000_000
    trap.upload(json.dumps(rows), "predictions.json")
    process = started(trap, "--resamples", "100", memory=3 * GIB)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err


def test_a_duration_of_endless_digits_is_read_in_time(folder: Folder) -> None:
    """A participant may have written the file where the platform has not."""
    folder.write()
    path = folder.input / "res" / "metadata"
    for text in ("1" * 10**6 + "x", "1." + "1" * 10**6 + "x", "1" + " " * 10**6 + "x"):
        path.write_text(f"elapsedTime: {text}\nexitCode: 0\n")
        with stopped_after(15):
            assert duration(folder.input) is None


def test_arrays_of_one_archive_are_limited_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_CELLS", 100)
    arrays = {f"{name}.npy": npy(np.zeros(30)) for name in "abcd"}
    trap = Trap(tmp_path).single()
    trap.upload(zipped(arrays), "predictions.npz")
    assert trap.run() == 1
    assert "predictions.npz: the file has more than 100 cells" in capsys.readouterr().err


@pytest.mark.parametrize("closed", swept([">&-", "2>&-", ">/dev/full", "| head -1"]))
def test_who_reads_the_log_is_no_reason_to_fail(folder: Folder, closed: str) -> None:
    if closed == ">/dev/full" and not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    folder.write()
    command = f'"{sys.executable}" -m scoring_program "{folder.input}" "{folder.output}" {closed}'
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=REPOSITORY, capture_output=True, text=True
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert folder.scores()


def test_a_log_that_knows_ascii_only(folder: Folder) -> None:
    folder.teams = {"Équipe": folder.labels, "فريق": folder.labels}
    folder.write()
    done = subprocess.run(
        [sys.executable, "-m", "scoring_program", str(folder.input), str(folder.output)],
        cwd=REPOSITORY,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\xc9quipe" in done.stdout


# -- load ------------------------------------------------------------------------------------------


def bulk(folder: Folder, submissions: int, owners: int) -> Path:
    """Write a platform's bulk download: an archive with an archive for every submission."""
    rng = np.random.default_rng(1)
    members = {}
    for k in range(submissions):
        labels = np.where(rng.random(len(folder.ids)) < 0.3, "a", folder.labels)
        rows = "".join(f"{i},{label}\n" for i, label in zip(folder.ids, labels, strict=True))
        name = f"{1000 + k}_user{k % owners}_PhaseId7_2026-01-01_00-00_predictions.zip"
        members[name] = zipped({"predictions.csv": "id,label\n" + rows})
    folder.input.joinpath("res").mkdir(exist_ok=True)
    path = folder.input / "res" / "bulk_submissions.zip"
    path.write_bytes(zipped(members))
    return path


def test_a_bulk_download_is_read_in_time(folder: Folder) -> None:
    folder.teams = {}
    folder.write("metrics: [accuracy_score]\n")
    bulk(folder, 300, owners=30)
    process = started(folder, "--resamples", "100", "--runs", "best", seconds=30)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    assert folder.results()["m"] == 30


@pytest.mark.slow
@pytest.mark.parametrize(
    ("owners", "runs", "compared", "others"),
    [(200, "best", 200, 0), (2000, "all", 500, 1500), (100, "all", 500, 1500)],
)
def test_2000_submissions_in_one_bulk_download(
    folder: Folder, owners: int, runs: str, compared: int, others: int
) -> None:
    folder.teams = {}
    folder.write("metrics: [accuracy_score]\n")
    bulk(folder, 2000, owners)
    begun = time.monotonic()
    process = started(folder, "--runs", runs, memory=4 * GIB)
    out, err = process.communicate(timeout=900)
    print(f"2,000 submissions: {time.monotonic() - begun:.0f} s, {_peak():.2f} GiB")
    assert process.returncode == 0, err
    assert f"{compared} entries on" in out
    assert folder.results()["m"] == compared
    assert len(folder.results()["not_compared"]) == others


@pytest.mark.slow
def test_a_million_examples_of_twenty_teams(tmp_path: Path) -> None:
    folder = large(tmp_path, 1_000_000, 20)
    begun = time.monotonic()
    process = started(folder, "--resamples", "1000")
    out, err = process.communicate(timeout=900)
    print(f"1,000,000 × 20: {time.monotonic() - begun:.0f} s, {_peak():.2f} GiB")
    assert process.returncode == 0, err
    assert "20 entries on 1,000,000 examples" in out


@pytest.mark.full
def test_a_hundred_thousand_examples_of_five_teams(tmp_path: Path) -> None:
    folder = large(tmp_path, 100_000, 5)
    process = started(folder, "--resamples", "100", memory=3 * GIB)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 0, err


def _peak() -> float:
    """Return the memory that the largest child process took, in GiB."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20


#: Scores one submission again and again in one process; prints memory and open files.
_REPEATED = """
import gc, os, sys, resource
from scoring_program.commands.score import main
def taken():
    gc.collect()
    with open("/proc/self/statm") as stream:
        return int(stream.read().split()[1]) * resource.getpagesize()
source, output, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
sys.stdout = open(os.devnull, "w")
for k in range(times + times // 5):
    if k == times // 5:  # caches are full by then
        before = taken(), len(os.listdir("/proc/self/fd"))
    assert main([source, output, "--resamples", "100", "--workers", "1"]) == 0
print(*before, taken(), len(os.listdir("/proc/self/fd")), file=sys.__stdout__)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads /proc")
@pytest.mark.parametrize(
    "times",
    [10, pytest.param(25, marks=pytest.mark.full), pytest.param(500, marks=pytest.mark.slow)],
)
def test_scored_again_and_again_nothing_grows(tmp_path: Path, times: int) -> None:
    trap = Trap(tmp_path).single()
    trap.upload(zipped({"predictions.csv": trap.csv()}), "upload.zip")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", _REPEATED, str(trap.input), str(trap.output), str(times)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "TMPDIR": str(temporary)},
    )
    assert done.returncode == 0, done.stderr
    before, open_before, after, open_after = map(int, done.stdout.split())
    print(f"{times} runs: {(after - before) / 1e6:+.1f} MB")
    assert after - before < 8_000_000
    assert open_after == open_before
    assert os.listdir(temporary) == []
    assert sorted(os.listdir(tmp_path)) == ["input", "output", "temporary"]
