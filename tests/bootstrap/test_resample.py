"""The bootstrap: exact draws, designs, and the same bytes whoever computes them."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from scoring_program.bootstrap import task_queue
from scoring_program.bootstrap.design import Design, draw_counts, generator_of_chunk
from scoring_program.bootstrap.resample import iterate_counts, resample
from scoring_program.bootstrap.task_queue import ResamplingJob, Resources, TaskQueue
from scoring_program.core import pool
from scoring_program.core.errors import MetricError, SettingsError, Stopped
from scoring_program.core.version import __version__
from scoring_program.metrics import resolve
from scoring_program.scoring.bind import bind
from scoring_program.scoring.combined import FormulaScorer
from scoring_program.scoring.scorer import Scorer
from scoring_program.settings.checks import MetricSpec
from tests.competitions import Folder

N = 3000
FORMULA = MetricSpec("mix", formula="(1 / (1 + mae) + auc) / 2", greater_is_better=True)


def scorers(n: int = N, *, python: bool = False) -> list[Scorer]:
    """Metrics of every way on random data: sums (exact and real), sorted, a formula, called."""
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 2, n)
    labels = [np.where(rng.random(n) < p, gold, 1 - gold) for p in (0.9, 0.8, 0.6)]
    scores = [gold + rng.normal(0, 1 + k, n) for k in range(3)]
    numbers = [gold + rng.normal(0, 1, n) for _ in range(3)]
    f1, mae, auc, mix, called = resolve(
        [
            MetricSpec("f1", "f1_score"),
            MetricSpec("mae", "mean_absolute_error"),
            MetricSpec("auc", "roc_auc_score"),
            FORMULA,
            MetricSpec("called", "mutual_info_score"),
        ],
        None,
    )
    bound = [bind(f1, gold, labels)]
    bound += [bind(mae, gold.astype(float), numbers), bind(auc, gold, scores)]
    bound += [FormulaScorer(mix, bound[1:3])]
    return [*bound, bind(called, gold, labels)] if python else bound


def drawn(found: Any) -> bytes:
    """The bytes of all replicates."""
    return b"".join(each.values.tobytes() for each in found)


@pytest.mark.parametrize("n", [1, 2, 3, 10, 255, 1000])
def test_counts_are_of_n_draws(n: int) -> None:
    counts = draw_counts(generator_of_chunk(0, 0), n, 500)
    assert counts.dtype == np.uint8
    assert (counts.sum(axis=1, dtype=int) == n).all()


def test_counts_are_multinomial() -> None:
    # All 10 outcomes of three draws from three rows; the 99.9% point of chi-square with 9 is 27.9.
    outcomes, seen = np.unique(
        draw_counts(generator_of_chunk(1, 0), 3, 100_000), axis=0, return_counts=True
    )
    ways = [6 / np.prod([[1, 1, 2, 6][k] for k in outcome]) for outcome in outcomes]
    expected = 100_000 * np.array(ways) / 27
    assert len(outcomes) == 10
    assert ((seen - expected) ** 2 / expected).sum() < 27.9


def test_counts_of_one_row_are_binomial() -> None:
    # Of 500 rows: P(0), …, P(5) of Binomial(500, 1/500), to five standard errors.
    counts = draw_counts(generator_of_chunk(2, 0), 500, 4000)
    seen = np.bincount(counts.ravel(), minlength=8)[:6] / counts.size
    expected = [0.3675, 0.3682, 0.1841, 0.0613, 0.0152, 0.0030]
    np.testing.assert_allclose(seen, expected, atol=5 * np.sqrt(0.25 / counts.size) + 5e-5)
    pairs = np.corrcoef(counts[:, 0], counts[:, 1])[0, 1]
    assert abs(pairs) < 0.06


@pytest.mark.parametrize("backend", ["threads", "processes"])
@pytest.mark.parametrize("number", [1, 2, 5])
def test_same_bytes_on_any_number_of_workers(number: int, backend: str) -> None:
    expected = drawn(resample(scorers(), Design(N), 700, 3))
    found = resample(
        scorers(), Design(N), 700, 3, resources=Resources(workers=number, backend=backend)
    )
    assert drawn(found) == expected


def test_same_bytes_with_little_memory() -> None:
    expected = drawn(resample(scorers(), Design(N), 300, 3))
    found = resample(scorers(), Design(N), 300, 3, resources=Resources(workers=4, memory=1 << 20))
    assert drawn(found) == expected


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_same_bytes_of_called_functions() -> None:
    expected = drawn(resample(scorers(60, python=True), Design(60), 40, 3))
    found = resample(
        scorers(60, python=True), Design(60), 40, 3, resources=Resources(workers=2, backend="loky")
    )
    assert drawn(found) == expected


def test_resamples_are_those_of_the_counts() -> None:
    designs = [
        Design(90),
        Design(90, units=np.arange(90) // 5),
        Design(90, strata=np.arange(90) % 3),
        Design(90, units=np.arange(90) // 5, strata=np.arange(18) % 2),
    ]
    for design in designs:
        counts = np.concatenate(list(iterate_counts(design, 30, 8)))
        for scorer, found in zip(scorers(90), resample(scorers(90), design, 30, 8), strict=True):
            # Sums of real numbers round differently in a product with other columns.
            np.testing.assert_allclose(
                found.values, scorer.replicate(counts).values, rtol=1e-14, atol=0
            )


def test_groups_are_drawn_whole() -> None:
    units = np.repeat(np.arange(8), [1, 2, 3, 4, 5, 6, 7, 8])
    (counts,) = iterate_counts(Design(36, units=units), 50, 0)
    for unit in range(8):
        of_unit = counts[:, units == unit]
        assert (of_unit == of_unit[:, :1]).all()
    firsts = np.unique(units, return_index=True)[1]
    assert (counts[:, firsts].sum(axis=1) == 8).all()


def test_strata_keep_their_sizes() -> None:
    strata = np.repeat([0, 1], [10, 26])
    (counts,) = iterate_counts(Design(36, strata=strata), 50, 0)
    assert (counts[:, :10].sum(axis=1) == 10).all()
    assert (counts[:, 10:].sum(axis=1) == 26).all()


def test_rows_are_drawn_alike_whatever_the_predictions_are() -> None:
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 2, 20_000)
    entry, others = (rng.integers(0, 2, (3, 20_000)) for _ in range(2))
    (metric,) = resolve([MetricSpec("accuracy_score", "accuracy_score")], None)
    design = Design(20_000)
    one = bind(metric, gold, [entry[0]])
    two = bind(metric, gold, [entry[0], *others])
    (alone,), (among,) = (resample([s], design, 50, 3) for s in (one, two))
    np.testing.assert_array_equal(alone.values[:, 0], among.values[:, 0])


def test_undefined_resamples_are_left_out_and_counted() -> None:
    gold = np.array([1, 0, 0, 0])
    (metric,) = resolve([MetricSpec("auc", "roc_auc_score")], None)
    scorer = bind(metric, gold, [np.array([0.9, 0.1, 0.2, 0.3]), np.array([0.1, 0.2, 0.3, 0.4])])
    (found,) = resample([scorer], Design(4), 2000, 0)
    assert len(found.values) + found.undefined == 2000
    # No positive: (3/4)^4; positives only: (1/4)^4.
    assert abs(found.undefined / 2000 - 0.3203) < 0.05
    assert np.isfinite(found.values).all()


def test_zero_divisions_stay_and_are_counted() -> None:
    gold = np.array([1, 0, 0, 0])
    (metric,) = resolve([MetricSpec("recall", "recall_score")], None)
    (found,) = resample([bind(metric, gold, [gold, gold])], Design(4), 2000, 0)
    assert len(found.values) == 2000
    assert found.undefined == 0
    assert found.zero_divisions is not None
    assert found.zero_divisions.tolist() == [np.count_nonzero(found.values[:, 0] == 0)] * 2


def test_zero_divisions_are_counted_for_each_entry() -> None:
    gold = np.array([1, 0, 1, 0])
    (metric,) = resolve([MetricSpec("precision", "precision_score")], None)
    never = np.zeros(4, np.intp)
    (found,) = resample([bind(metric, gold, [np.ones(4, np.intp), never])], Design(4), 200, 0)
    assert found.zero_divisions is not None
    assert found.zero_divisions.tolist() == [0, 200]


def test_deadline_keeps_the_first_resamples() -> None:
    everything = resample(scorers(), Design(N), 2000, 3)
    for backend, number in (("threads", 1), ("threads", 2), ("processes", 2)):
        found = resample(
            scorers(),
            Design(N),
            2000,
            3,
            deadline=time.monotonic(),
            resources=Resources(workers=number, backend=backend),
        )
        for part, whole in zip(found, everything, strict=True):
            assert 0 < len(part.values) < 2000
            np.testing.assert_array_equal(part.values, whole.values[: len(part.values)])


def test_progress_reaches_the_end() -> None:
    seen: list[tuple[int, int]] = []
    resample(scorers(), Design(N), 600, 3, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (600, 600)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


@pytest.mark.parametrize(
    ("metric", "resamples", "backend"),
    [
        ("f1", 7000, "threads"),
        ("f1", 8000, "processes"),
        ("auc", 1000, "threads"),  # goes through the counts once more for each of three entries
        ("auc", 2000, "processes"),
        ("called", 10, "loky"),
    ],
)
def test_who_works_depends_on_how_much_there_is_to_do(
    monkeypatch: pytest.MonkeyPatch, metric: str, resamples: int, backend: str
) -> None:
    asked = []

    def run(job: Any, tasks: Any, resources: Resources, **_: Any) -> None:
        asked.append(resources.backend)
        raise InterruptedError

    monkeypatch.setattr("scoring_program.bootstrap.resample.run", run)
    (scorer,) = (found for found in scorers(2000, python=True) if found.metric.name == metric)
    with pytest.raises(InterruptedError):
        resample([scorer], Design(2000), resamples, 0, resources=Resources(workers=2))
    assert asked == [backend]


def test_unknown_backend_is_refused() -> None:
    with pytest.raises(
        SettingsError, match="backend: unknown value 'threds'; use one of auto, threads"
    ):
        resample(scorers(), Design(N), 10, 0, resources=Resources(backend="threds"))


class Dying(ResamplingJob):
    """A job of which one task ends the process that is given it, unless that is this one."""

    here = os.getpid()

    def __call__(self, task: Any) -> Any:
        if task.start // self.rows == 1 and os.getpid() != self.here:
            os.kill(os.getpid(), signal.SIGKILL)
        if os.getpid() == self.here:
            time.sleep(0.05)
        return super().__call__(task)


@pytest.mark.filterwarnings("ignore:a worker ended early:RuntimeWarning")
def test_a_killed_worker_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = drawn(resample(scorers(), Design(N), 1500, 3))
    monkeypatch.setattr("scoring_program.bootstrap.resample.ResamplingJob", Dying)
    found = resample(
        scorers(), Design(N), 1500, 3, resources=Resources(workers=3, backend="processes")
    )
    assert drawn(found) == expected


class Fragile(TaskQueue):
    """A queue of which every other process is killed as it claims a task."""

    here = os.getpid()

    def may_begin(self, number: int) -> bool:
        if os.getpid() != self.here:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().may_begin(number)


def test_a_run_stopped_as_it_takes_the_lock_ends_the_other_processes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fcntl = pytest.importorskip("fcntl")
    lockf, parent = fcntl.lockf, os.getpid()
    taken = 0

    def stopping(lock: Any, operation: int) -> None:
        nonlocal taken
        lockf(lock, operation)
        if os.getpid() == parent and operation == fcntl.LOCK_EX:
            taken += 1
            if taken == 2:
                raise Stopped

    def hang(*_: object) -> None:
        raise TimeoutError

    monkeypatch.setattr(fcntl, "lockf", stopping)
    others = set(multiprocessing.active_children())
    before = signal.signal(signal.SIGALRM, hang)
    signal.alarm(20)
    try:
        with pytest.raises(Stopped):
            resample(
                scorers(),
                Design(N),
                200_000,
                3,
                resources=Resources(workers=2, backend="processes"),
            )
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    assert set(multiprocessing.active_children()) <= others


def test_a_worker_killed_while_it_claims_a_task_stops_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = drawn(resample(scorers(), Design(N), 700, 3))
    monkeypatch.setattr(task_queue, "TaskQueue", Fragile)
    assert (
        drawn(
            resample(
                scorers(), Design(N), 700, 3, resources=Resources(workers=3, backend="processes")
            )
        )
        == expected
    )


def test_threads_that_silence_a_library_give_back_the_output() -> None:
    stream, filters = sys.stdout, list(warnings.filters)
    # Without two values of gold, R² is left to scikit-learn, whose warnings are dropped.
    gold = np.array([1.0, 2.0])
    (metric,) = resolve([MetricSpec("r2", "r2_score")], None)
    scorer = bind(metric, gold, [gold + 0.5])
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        resample([scorer], Design(2), 1500, 0, resources=Resources(workers=2, backend="threads"))
    finally:
        sys.setswitchinterval(interval)
    assert sys.stdout is stream
    assert list(warnings.filters) == filters


@pytest.mark.parametrize("backend", ["dask", "ray"])
def test_a_backend_that_is_not_installed(monkeypatch: pytest.MonkeyPatch, backend: str) -> None:
    for module in ("distributed", "ray"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(SettingsError, match=rf'pip install "\.\[{backend}\]"'):
        resample(scorers(90), Design(90), 1000, 0, resources=Resources(workers=2, backend=backend))


@pytest.mark.parametrize("scheduler", ["tcp://127.0.0.1:{port}", "127.0.0.1:{port}"])
@pytest.mark.parametrize(("backend", "module"), [("dask", "distributed"), ("ray", "ray")])
def test_a_cluster_that_does_not_answer_is_named_before_anything_is_read(
    folder: Folder,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    backend: str,
    module: str,
    scheduler: str,
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = scheduler.format(port=free.getsockname()[1])  # nobody listens there
    monkeypatch.setitem(sys.modules, module, SimpleNamespace())
    folder.write(f"backend: {backend}\nscheduler: '{nobody}'\n")
    monkeypatch.setattr("scoring_program.data.parts.read", pytest.fail)
    assert folder.run() == 2
    message = capsys.readouterr().err
    assert f"scheduler: no {backend} cluster answers at {nobody!r}; start one there" in message
    assert "Traceback" not in message


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ({"a": __version__, "b": ModuleNotFoundError()}, "the dask worker b has no Deadheat"),
        ({"a": "0.0.1"}, "the dask worker a has Deadheat 0.0.1, but this run is of"),
    ],
)
def test_workers_without_this_deadheat_are_named(found: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        pool._check_versions("dask", found)


def test_a_scheduler_without_this_deadheat_is_named() -> None:
    def look() -> str:
        raise ModuleNotFoundError

    client = SimpleNamespace(run_on_scheduler=lambda asked: asked())
    found = pool._on_scheduler(client, look)
    with pytest.raises(SettingsError, match="the dask scheduler tcp://a has no Deadheat"):
        pool._check_versions("dask", {"tcp://a": found}, "scheduler")


def test_another_program_at_the_address_is_no_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    def client(**where: Any) -> None:
        raise MemoryError("Unable to allocate 3 EiB")

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=client))
    on_dask = Resources(workers=2, backend="dask", scheduler="tcp://a:1")
    with pytest.raises(SettingsError, match="no dask cluster answers at 'tcp://a:1'"):
        resample(scorers(), Design(N), 1500, 3, resources=on_dask)


def own(tmp_path: Path, body: str) -> Scorer:
    """Bind an organizer's own metric to thirty examples and two entries."""
    (tmp_path / "own.py").write_text(f"def score(y_true, y_pred):\n    {body}\n")
    spec = MetricSpec("own", "own.py:score", greater_is_better=True)
    (metric,) = resolve([spec], tmp_path)
    gold = np.arange(30) % 3
    return bind(metric, gold, [gold, gold[::-1].copy()], names=["A", "B"])


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return 1 / (list(y_true) == [0, 1, 2] * 10)", "failed on resample 0"),
        ("return [float('nan'), 1.0][list(y_true) == [0, 1, 2] * 10]", "nan on resample 0"),
    ],
)
def test_the_first_resample_is_named_if_all_fail(tmp_path: Path, body: str, message: str) -> None:
    scorer = own(tmp_path, body)
    messages = set()
    for number in (1, 2):
        with pytest.raises(MetricError, match=message) as caught:
            resample(
                [scorer],
                Design(30),
                400,
                0,
                resources=Resources(workers=number, backend="loky"),
            )
        messages.add(str(caught.value))
    assert len(messages) == 1
    assert "'own'" in messages.pop()


# loky's own thread may look for a task that has just been cancelled, and die of it.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_run_that_is_stopped_leaves_no_warning(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    scorer = own(tmp_path, "return 0.5")
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        with pytest.raises(KeyboardInterrupt):
            resample(
                [scorer],
                Design(30),
                4000,
                0,
                progress=stop,
                resources=Resources(workers=2, backend="loky"),
            )
        gc.collect()
    assert warned == []


#: The libraries warn of much; that the tasks had to be done without the workers is a failure.
on_a_cluster = pytest.mark.filterwarnings("ignore", "error:a worker ended early:RuntimeWarning")


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """A real scheduler with two worker processes of their own."""
    pytest.importorskip("distributed", reason="dask.distributed is not installed")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    environment["PYTHONWARNINGS"] = "ignore"
    run = [
        sys.executable,
        "-m",
        "distributed.cli.dask_scheduler",
        "--port",
        "18786",
        "--no-dashboard",
    ]
    work = [sys.executable, "-m", "distributed.cli.dask_worker", "tcp://127.0.0.1:18786"]
    work += ["--nthreads", "1", "--no-dashboard", "--no-nanny"]
    silent: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    started = [
        subprocess.Popen(command, env=environment, **silent) for command in (run, work, work)
    ]
    try:
        yield "tcp://127.0.0.1:18786"
    finally:
        for process in started:
            process.kill()
        for process in started:
            process.wait(timeout=20)


@pytest.mark.slow
@on_a_cluster
def test_same_bytes_on_dask_that_loses_a_worker(scheduler: str) -> None:
    from distributed import Client

    with Client(scheduler, timeout=30) as client:
        client.wait_for_workers(2, timeout=60)
    expected = drawn(resample(scorers(), Design(N), 1500, 3))
    found = resample(
        scorers(),
        Design(N),
        1500,
        3,
        resources=Resources(workers=2, backend="dask", scheduler=scheduler),
    )
    assert drawn(found) == expected
    with Client(scheduler) as client:
        pid = next(iter(client.run(os.getpid).values()))

    def kill(done: int, total: int) -> None:
        nonlocal pid
        if pid:
            os.kill(pid, signal.SIGKILL)
            pid = 0

    found = resample(
        scorers(),
        Design(N),
        3000,
        3,
        progress=kill,
        resources=Resources(workers=2, backend="dask", scheduler=scheduler),
    )
    assert pid == 0
    assert drawn(found) == drawn(resample(scorers(), Design(N), 3000, 3))


@pytest.mark.slow
@on_a_cluster
def test_a_worker_of_another_version_is_refused_by_name(
    scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "__version__", "99.0")
    told = r"the dask worker tcp://127\.0\.0\.1:\d+ has Deadheat \S+, but this run is of 99\.0"
    on_dask = Resources(workers=2, backend="dask", scheduler=scheduler)
    with pytest.raises(SettingsError, match=told):
        resample(scorers(), Design(N), 1500, 3, resources=on_dask)


class DyingOnce(ResamplingJob):
    """A job of which one task ends the process that is given it, if none was ended before."""

    def __call__(self, task: Any) -> Any:
        grave = Path(os.environ["DEADHEAT_TEST_GRAVE"])
        if task.start // self.rows == 1 and not grave.exists():
            grave.write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(task)


@pytest.mark.slow
@on_a_cluster
def test_same_bytes_on_ray_that_loses_a_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = pytest.importorskip("ray", reason="ray is not installed")
    expected = drawn(resample(scorers(), Design(N), 1500, 3))
    monkeypatch.setenv("DEADHEAT_TEST_GRAVE", str(tmp_path / "pid"))
    on_ray = Resources(workers=2, backend="ray")
    try:
        found = resample(scorers(), Design(N), 1500, 3, resources=on_ray)
        assert drawn(found) == expected
        monkeypatch.setattr("scoring_program.bootstrap.resample.ResamplingJob", DyingOnce)
        found = resample(scorers(), Design(N), 1500, 3, resources=on_ray)
    finally:
        ray.shutdown()
    assert int((tmp_path / "pid").read_text()) != os.getpid()
    assert drawn(found) == expected
