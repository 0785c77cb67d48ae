"""Means over runs of methods: what seeds add to the variance, and when the tests allow for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import scoring_program as dh
from scoring_program.core.grouping import Grouping
from scoring_program.data.source import read_input
from scoring_program.inference.evidence import Evidence
from scoring_program.inference.normal import NormalDraws, RunsOfMethods
from scoring_program.pipeline import evaluate
from tests.competitions import write_csv
from tests.inference.never_contradict import never_contradicts

N = 60
SIZES = (3, 4, 5)


def made(seed: int, methods: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return contributions [N, k], their means, and the numbers of runs."""
    rng = np.random.default_rng(seed)
    sizes = np.array(SIZES[:methods])
    method = np.repeat(np.arange(methods), sizes)
    x = rng.normal(size=(N, methods))[:, method] + 0.5 * rng.normal(size=(N, method.size))
    x += np.array([0.02, 0.3, 0.6])[method] * rng.normal(size=method.size)
    return x, x.mean(axis=0), sizes


def naive(x: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return V and ν of the pairs as the definitions read."""
    runs = np.split(x, np.cumsum(sizes)[:-1], axis=1)
    u = np.cov(np.array([own.mean(axis=1) for own in runs])) / N
    spread = [own.mean(axis=0).var(ddof=1) for own in runs]
    noise = []
    for own in runs:
        left = own - own.mean(axis=0) - own.mean(axis=1, keepdims=True) + own.mean()
        noise.append((left**2).sum() / ((own.shape[1] - 1) * (N - 1)))
    pooled = sum((s - 1) * v for s, v in zip(sizes, spread, strict=True)) / sum(sizes - 1)

    def added(g: list[float], i: int) -> float:
        return float(max(0, g[i] - noise[i] / N) / sizes[i])

    def freedom(g: list[float], i: int, j: int) -> float:
        units = u[i, i] + u[j, j] - 2 * u[i, j]
        below = units**2 / (N - 1)
        below += sum((g[k] / sizes[k]) ** 2 / (sizes[k] - 1) for k in (i, j))
        return float((units + added(g, i) + added(g, j)) ** 2 / below)

    wider = [max(own, pooled) for own in spread]
    count = len(sizes)
    degrees = np.ones((count, count))
    for i in range(count):
        for j in range(count):
            if i != j:
                degrees[i, j] = max(1, min(freedom(spread, i, j), freedom(wider, i, j)))
    return u + np.diag([added(spread, i) for i in range(count)]), degrees


@pytest.mark.parametrize("seed", range(5))
def test_the_variance_and_the_degrees_of_freedom_are_those_of_their_definitions(seed: int) -> None:
    x, scores, sizes = made(seed)
    found = NormalDraws.of_seeds(RunsOfMethods(x - scores, scores, sizes), np.ones(3, np.bool_))
    covariance, freedom = naive(x, sizes)
    np.testing.assert_allclose(found.covariance, covariance, atol=1e-14)
    apart = ~np.eye(3, dtype=np.bool_)
    np.testing.assert_allclose(found.freedom[apart], freedom[apart], rtol=1e-10)
    variance = np.diag(covariance)
    of_pairs = variance[:, None] + variance - 2 * covariance
    np.testing.assert_allclose(np.square(found.errors), of_pairs, atol=1e-14)


def test_equal_units_count_as_often_as_they_are_there() -> None:
    x, scores, sizes = made(1)
    twice = np.concatenate([x, x])
    alike = np.ones(3, np.bool_)
    whole = NormalDraws.of_seeds(RunsOfMethods(twice - scores, scores, sizes), alike)
    each_twice = Grouping(N, sizes=np.full(N, 2))
    found = NormalDraws.of_seeds(RunsOfMethods(x - scores, scores, sizes), alike, each_twice)
    np.testing.assert_allclose(found.covariance, whole.covariance, atol=1e-14)
    np.testing.assert_allclose(found.freedom, whole.freedom, rtol=1e-10)


def test_draws_have_the_variance_and_a_bystander_changes_none() -> None:
    x, scores, sizes = made(2)
    competing = np.array([True, True, False])
    found = NormalDraws.of_seeds(RunsOfMethods(x - scores, scores, sizes), competing)
    drawn = found.replicates(np.zeros(3), 40_000, 0, competing)
    scale = np.sqrt(np.diag(found.covariance))
    np.testing.assert_allclose(
        np.cov(drawn.T) / np.outer(scale, scale),
        found.covariance / np.outer(scale, scale),
        atol=0.03,
    )
    x, scores, sizes = x[:, :7], scores[:7], sizes[:2]
    two = NormalDraws.of_seeds(RunsOfMethods(x - scores, scores, sizes), competing[:2])
    alone = two.replicates(np.zeros(2), 40_000, 0, competing[:2])
    np.testing.assert_array_equal(drawn[:, :2], alone)


def test_the_parts_of_the_variance_add_up_to_it() -> None:
    """As many units and runs as now give the variance and the degrees of freedom of now."""
    for seed in range(3):
        x, scores, sizes = made(seed)
        found = NormalDraws.of_seeds(RunsOfMethods(x - scores, scores, sizes), np.ones(3, np.bool_))
        assert found.parts is not None
        for pair in ((0, 1), (0, 2), (1, 2)):
            variance, freedom = found.parts.of_pair(pair, 1.0, 1)
            assert variance == pytest.approx(found.variances[pair])
            assert freedom == pytest.approx(found.freedom[pair])


def test_more_units_shorten_one_part_of_the_variance_and_more_runs_the_other() -> None:
    x, scores, sizes = made(3)
    found = NormalDraws.of_seeds(RunsOfMethods(x - scores, scores, sizes), np.ones(3, np.bool_))
    parts = found.parts
    assert parts is not None
    units, seeds = parts.units[1, 2], parts.seeds[1] + parts.seeds[2]
    twice, _ = parts.of_pair((1, 2), 2.0, 1)
    assert twice == pytest.approx(units / 2 + seeds)
    # Methods with 4 and 5 runs have 8 each: their own noise on units is that of more runs, too.
    shared = parts.noise[1:] / sizes[1:] * (1 - sizes[1:] / 8)
    more, _ = parts.of_pair((1, 2), 1.0, 8)
    expected = units - shared.sum() + (parts.seeds[1:] * sizes[1:] / 8).sum()
    assert more == pytest.approx(expected)
    without_end, _ = parts.of_pair((1, 2), 1e9, 10**9)
    assert without_end == pytest.approx(0, abs=1e-9)


def test_the_plan_says_how_many_runs_or_examples_would_settle_it(tmp_path: Path) -> None:
    found = evidence(write(tmp_path, {"A": 3, "B": 4, "C": 3}))
    assert found.plan
    for pair in found.plan:
        assert pair.runs_needed is None or pair.runs_needed >= 3
        assert pair.examples_needed is None or pair.examples_needed >= found.n
        if pair.both_needed is None:
            continue
        examples, runs = pair.both_needed
        assert runs >= 3
        # Of both, as many times more: no more of either than where the other stays.
        assert pair.runs_needed is None or runs <= pair.runs_needed
        assert pair.examples_needed is None or examples <= pair.examples_needed + found.n
    dh.score(tmp_path, tmp_path / "output")
    page = (tmp_path / "output" / "detailed_results.html").read_text(encoding="utf-8")
    assert "Or runs of each method" in page
    assert "Or both: examples and runs" in page


def write(folder: Path, runs: dict[str, int], settings: str = "") -> Path:
    """Write labels of which each run predicts most; the seeds of `loud` matter."""
    rng = np.random.default_rng(7)
    gold = np.arange(240) % 2
    write_csv(folder / "ref" / "gold.csv", {"id": range(240), "label": gold.tolist()})
    for number, (team, count) in enumerate(runs.items()):
        for run in range(count):
            share = 0.8 - 0.04 * number + 0.05 * run
            labels = np.where(rng.random(240) < share, gold, 1 - gold)
            write_csv(
                folder / "res" / team / f"{run}.csv", {"id": range(240), "label": labels.tolist()}
            )
    text = f"metrics: [accuracy_score]\nresamples: 999\nruns: mean\n{settings}"
    (folder / "ref" / "scoring.yaml").write_text(text)
    return folder


def evidence(folder: Path) -> Evidence:
    return evaluate(*read_input(folder, lambda loaded: loaded)).findings.evidence[0]


def test_three_runs_of_every_team_are_crossed_with_seeds(tmp_path: Path) -> None:
    folder = write(tmp_path, {"A": 3, "B": 4, "C": 3})
    found = evidence(folder)
    never_contradicts(found)
    assert found.seed_share is not None
    assert 0 < found.seed_share < 1
    assert "these_runs" not in {caution.code for caution in found.cautions}
    assert found.verdict.confidence == 0.95
    alone = evidence(write(tmp_path, {"A": 3, "B": 4, "C": 3}, "seeds: ignore\n"))
    assert alone.seed_share is None
    assert found.intervals is not None
    assert alone.intervals is not None
    widths = found.intervals.high - found.intervals.low
    assert (widths > alone.intervals.high - alone.intervals.low).all()


@pytest.mark.parametrize(
    ("runs", "settings"), [({"A": 3, "B": 2, "C": 3}, ""), ({"A": 3, "B": 3}, "seeds: ignore\n")]
)
def test_else_the_confidence_is_about_these_submissions(
    tmp_path: Path, runs: dict[str, int], settings: str
) -> None:
    folder = write(tmp_path, runs, settings)
    found = evidence(folder)
    assert found.seed_share is None
    assert [one.level for one in found.cautions if one.code == "these_runs"] == ["amber"]
    dh.score(folder, tmp_path / "output")
    page = (tmp_path / "output" / "detailed_results.html").read_text(encoding="utf-8")
    assert "This result holds for these submissions on more such examples" in page
    assert "these methods" not in page
    assert "retrained systems" not in page
    paper = (tmp_path / "output" / "tables" / "paper.md").read_text(encoding="utf-8")
    assert "system" not in paper


def test_the_page_speaks_of_methods_where_seeds_are_crossed(tmp_path: Path) -> None:
    folder = write(tmp_path, {"A": 3, "B": 4})
    share = evidence(folder).seed_share
    assert share is not None
    dh.score(folder, tmp_path / "output")
    page = (tmp_path / "output" / "detailed_results.html").read_text(encoding="utf-8")
    assert "This result holds for these methods with other seeds" in page
    assert f"{round(100 * share)}% comes from seeds" in page


def test_where_hardly_anything_comes_from_seeds_more_of_them_are_not_advised() -> None:
    """All runs of a method get as many examples right, others each time."""
    rng = np.random.default_rng(3)
    gold = np.arange(200) % 2
    wrong = {"A": 20, "B": 30}
    runs = {
        name: [np.where(rng.permutation(200) < count, 1 - gold, gold) for _ in range(3)]
        for name, count in wrong.items()
    }
    found = dh.compare(gold, runs, metrics="accuracy", resamples=400)
    page = found.to_html()
    assert found.to_dict()["metrics"][0]["seed_share"] == 0
    assert "Hardly any of the variance of a difference comes from seeds." in page
    assert "more seeds would" not in page


def test_a_baseline_with_one_run_is_compared_by_examples_alone(tmp_path: Path) -> None:
    """It changes nothing of the others."""
    found = evidence(write(tmp_path / "one", {"A": 3, "B": 4, "base": 1}, "baselines: [base]\n"))
    alone = evidence(write(tmp_path / "two", {"A": 3, "B": 4}))
    assert found.seed_share == alone.seed_share is not None
    assert found.distances is not None
    assert alone.distances is not None
    np.testing.assert_array_equal(found.distances.from_best[:2], alone.distances.from_best)
    np.testing.assert_array_equal(found.standing.rank_high[:2], alone.standing.rank_high)
