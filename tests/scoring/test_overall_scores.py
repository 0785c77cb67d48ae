"""Scores over tasks: the mean, the standardized mean, formulas, and who has an overall place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from scoring_program.commands.score import main
from scoring_program.core.errors import SettingsError
from scoring_program.data.source import read_input
from scoring_program.metrics import formula
from scoring_program.scoring import overall
from tests.reading.variants import Case, table
from tests.sweeps import swept

#: Shares of right answers: team → task → of 100.
RIGHT = {"A": (90, 40, 70), "B": (80, 60, 50), "C": (70, 80, 60), "D": (20, 10, 30)}
TASKS = ("one", "three", "two")


def tasks(settings: str, right: dict[str, tuple[int, ...]] | None = None) -> Case:
    """Three tasks of 100 examples, on which the teams get so many right."""
    files = {}
    ids = [f"x{i}" for i in range(100)]
    rng = np.random.default_rng(0)
    for place, task in enumerate(TASKS):
        gold = rng.choice(["no", "yes"], 100)
        files[f"ref/{task}.csv"] = table(list(zip(ids, gold.tolist(), strict=True)))
        for team, shares in (right or RIGHT).items():
            wrong = rng.permutation(100) >= shares[place]
            labels = np.where(wrong, np.where(gold == "no", "yes", "no"), gold)
            answers = list(zip(ids, labels.tolist(), strict=True))
            files[f"res/{team}/{task}.csv"] = table(answers)
    return Case(files, f"resamples: 400\nworkers: 1\nlabels: [no, yes]\n{settings}")


def run(folder: Path) -> tuple[dict[str, float], dict[str, Any]]:
    assert main([str(folder), str(folder / "output")]) == 0
    flat = json.loads((folder / "output" / "scores.json").read_text())
    return flat, json.loads((folder / "output" / "results.json").read_text())


def entry(metric: dict[str, Any], name: str) -> dict[str, Any]:
    return next(item for item in metric["entries"] if item["entry"] == name)


def test_tasks_that_share_a_bounded_metric_are_ranked_by_their_mean(tmp_path: Path) -> None:
    flat, results = run(tasks("metrics: [accuracy_score]\n").write(tmp_path))
    mean, *of_tasks = results["metrics"]
    assert (mean["name"], mean["task"], mean["bounds"]) == ("mean", None, [0, 1])
    assert {team: flat[f"mean.{team}"] for team in RIGHT} == {
        team: round(sum(shares) / 300, 10) for team, shares in RIGHT.items()
    }
    assert flat["rank.C"] == 1
    low, high = entry(mean, "A")["ci"]
    assert low < flat["mean.A"] < high
    # Three tasks on one set of ids are resampled together; the spread is that of their mean.
    errors = [entry(task, "A")["standard_error"] for task in of_tasks]
    assert entry(mean, "A")["standard_error"] == pytest.approx(
        float(np.sqrt(np.sum(np.square(errors)))) / 3, rel=0.25
    )
    assert entry(mean, "D")["tied_with_leader"] is False


def test_tasks_of_different_metrics_are_ranked_by_mean_ranks(tmp_path: Path) -> None:
    made = tasks(
        "metrics: [{name: a, function: accuracy_score, column: stance}, "
        "{name: f, function: f1_score, params: {average: macro}}]\n"
    )
    made.files["ref/one.csv"] = made.files["ref/one.csv"].replace(b"id,label", b"id,stance")
    _, results = run(made.write(tmp_path))
    assert [metric["name"] for metric in results["metrics"]] == [
        "mean_rank", "one_a", "one_f", "three_f", "two_f",
    ]  # fmt: skip


def test_standardized_mean_as_its_definition_reads(tmp_path: Path) -> None:
    settings = "metrics: [zero_one_loss]\noverall: mean_standardized\nbaselines: [D]\n"
    flat, results = run(tasks(settings).write(tmp_path))
    scores = np.array([RIGHT[team] for team in RIGHT]) / 100
    rivals = scores[:3]
    center = np.median(rivals, axis=0)
    spread = np.median(np.abs(rivals - center), axis=0)
    expected = ((scores - center) / spread).mean(axis=1)
    found = [flat[f"mean_standardized.{team}"] for team in RIGHT]
    np.testing.assert_allclose(found, expected, atol=1e-9)
    assert results["metrics"][0]["greater_is_better"]


@pytest.mark.parametrize("seed", range(20))
def test_ranks_count_each_rival_team_once_and_half_of_those_that_are_level(seed: int) -> None:
    """As the definition reads, for baselines, several runs and any number of leading axes."""
    rng = np.random.default_rng(seed)
    m = 7
    losses = rng.integers(0, 4, (2, 3, m)).astype(float)
    competing = np.arange(m) < m - seed % 3
    teams = np.array([0, 1, 1, 2, 2, 3, 4]) if seed % 2 else np.arange(m)
    found = overall.ranks(losses, competing, teams if seed % 2 else None)
    for place in np.ndindex(losses.shape[:2]):
        for entry, loss in enumerate(losses[place]):
            rank = 1.0 if competing[entry] else 0.5
            for team in {*teams[competing].tolist()} - {teams[entry]}:
                best = losses[place][competing & (teams == team)].min()
                rank += 1.0 if best < loss else 0.5 * (best == loss)
            assert found[place][entry] == rank
    if competing.all() and not seed % 2:
        expected = stats.rankdata(losses, method="average", axis=-1)
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("losses", "expected"),
    [((0.3, 0.1 + 0.2, 0.3, 0.5), 2.0), ((0.3, 0.1 + 0.2, 0.3, 0.3), 0.0)],
)
def test_rounding_is_no_spread(losses: tuple[float, ...], expected: float) -> None:
    """0.1 + 0.2 is not 0.3 to a computer; a MAD of that would decide the ranking."""
    found = overall.standardized(np.array(losses), np.array(losses))
    assert np.ptp(found) == pytest.approx(expected, abs=1e-9)


def test_one_absurd_entry_erases_no_task(tmp_path: Path) -> None:
    """The mean of A to C is fixed by median and MAD, which D cannot move far."""
    settings = "metrics: [accuracy_score]\noverall: mean_standardized\n"
    flat, _ = run(tasks(settings, {**RIGHT, "E": (0, 0, 0)}).write(tmp_path))
    assert flat["mean_standardized.C"] - flat["mean_standardized.B"] > 0.2


def leaving(results: dict[str, Any]) -> list[str]:
    return [item["message"] for item in results["warnings"] if item["code"] == "leader_depends"]


#: A is ahead of B in the first task and behind in the others; X tells by how much.
CLOSE: dict[str, tuple[int, ...]] = {"A": (90, 78, 70), "B": (70, 80, 71), "C": (65, 75, 40)}


@pytest.mark.parametrize(
    ("overall", "own", "rival", "leaders"),
    [
        ("mean_rank", (90, 78, 70), (80, 10, 10), {"A", "B"}),
        ("mean_standardized", (90, 60, 70), (69, 100, 10), {"A"}),
    ],
)
def test_a_team_whose_leaving_changes_who_leads_is_named(
    tmp_path: Path,
    overall: str,
    own: tuple[int, ...],
    rival: tuple[int, ...],
    leaders: set[str],
) -> None:
    """Also beside the verdict."""
    right: dict[str, tuple[int, ...]] = {**CLOSE, "A": own}
    settings = f"metrics: [accuracy_score]\noverall: {overall}\n"
    flat, results = run(tasks(settings, right).write(tmp_path / "without"))
    assert (flat["rank.B"], leaving(results)) == (1, [])
    flat, results = run(tasks(settings, {**right, "X": rival}).write(tmp_path / "with"))
    assert {team for team in "ABCX" if flat[f"rank.{team}"] == 1} == leaders
    (said,) = leaving(results)
    assert said.startswith(f"Who leads by {results['metrics'][0]['label']} depends on which other ")
    assert said.endswith("teams take part. It would be B without X.")
    page = (tmp_path / "with" / "output" / "detailed_results.html").read_text()
    assert page.count("B without X.") == 2


@pytest.mark.parametrize("overall", swept(["mean_rank", "mean_standardized"]))
@pytest.mark.parametrize("runs", ["all", "best"])
def test_a_team_moves_nobody_by_sending_worse_runs(tmp_path: Path, overall: str, runs: str) -> None:
    """Each team has one vote: in the first task, these runs lie between A and its rivals."""
    settings = f"metrics: [accuracy_score]\noverall: {overall}\nruns: {runs}\n"
    right: dict[str, tuple[int, ...]] = {
        "A": (60, 40, 70),
        "B/1": (80, 60, 50),
        "C": (70, 80, 60),
        "D": (20, 10, 30),
    }
    alone, _ = run(tasks(settings, right).write(tmp_path / "alone"))
    worse = {f"B/{k}": (79 - k, 5, 5) for k in (2, 3, 4)}
    found, _ = run(tasks(settings, {**right, **worse}).write(tmp_path / "several"))
    for team in "ACD":
        assert found[f"{overall}.{team}"] == alone[f"{overall}.{team}"]
    table = tmp_path / "several" / "output" / "tables" / "tasks.csv"
    head, *rows = [line.split(",") for line in table.read_text().splitlines()]
    places = {row[0]: row[head.index("one_accuracy_score_rank")] for row in rows}
    if overall == "mean_rank":  # the ranks that it averages
        assert (places["A"], places["D"]) == ("3", "4")


#: A is ahead in three tasks of five; in the others the rest tie before it, as in the fifth column.
TIED = {"A": (90, 10), "B": (80, 70), "C": (80, 70), "D": (80, 70)}


def tied_tasks(right: dict[str, tuple[int, int]]) -> Case:
    """Five tasks, of which three are like the first and two like the second; no answer is chance.

    Entries with equal numbers have different examples right.
    """
    ids = [f"x{i}" for i in range(100)]
    files = {}
    for task in range(5):
        gold = ["no", "yes"] * 50
        files[f"ref/t{task}.csv"] = table(list(zip(ids, gold, strict=True)))
        for shift, (team, shares) in enumerate(right.items()):
            share = shares[task > 2]
            is_right = [(i + 20 * shift) % 100 < share for i in range(100)]
            swapped = ["yes" if label == "no" else "no" for label in gold]
            answers = [
                (key, label if hit else other)
                for key, label, other, hit in zip(ids, gold, swapped, is_right, strict=True)
            ]
            files[f"res/{team}/t{task}.csv"] = table(answers)
    settings = "resamples: 200\nworkers: 1\nmetrics: [accuracy_score]\noverall: mean_rank\n"
    return Case(files, settings)


def tied_ranks(results: dict[str, Any]) -> list[str]:
    return [item["message"] for item in results["warnings"] if item["code"] == "tied_ranks"]


def test_ties_share_the_average_rank_and_the_page_says_who_would_lead_otherwise(
    tmp_path: Path,
) -> None:
    """With the better rank, B, C and D would have 1.6 and lead; places stay 1, 2, 2, 2."""
    flat, results = run(tied_tasks(TIED).write(tmp_path))
    means = {team: flat[f"mean_rank.{team}"] for team in TIED}
    assert means == {"A": 2.2, "B": 2.6, "C": 2.6, "D": 2.6}
    assert [flat[f"rank.{team}"] for team in TIED] == [1, 2, 2, 2]
    said = (
        "Ties share the average rank. If they shared the better rank, as in challengeR, B, C and D "
        "would be first by mean rank."
    )
    assert tied_ranks(results) == [said]
    page = (tmp_path / "output" / "detailed_results.html").read_text()
    assert page.count(said) == 2  # beside the verdict, and among the cautions
    assert "a mean rank takes the average of the places that they would fill" in page
    head, *rows = (tmp_path / "output" / "tables" / "tasks.csv").read_text().splitlines()
    column = head.split(",").index("t0_accuracy_score_rank")
    assert [row.split(",")[column] for row in rows] == ["1", "2", "2", "2"]


def test_where_the_convention_of_ties_changes_no_leader_nothing_is_said(tmp_path: Path) -> None:
    right = {**TIED, "A": (90, 75)}
    flat, results = run(tied_tasks(right).write(tmp_path))
    assert (flat["mean_rank.A"], flat["mean_rank.B"], flat["rank.A"]) == (1, 3, 1)
    assert tied_ranks(results) == []


def test_a_standardized_mean_of_close_entries_takes_the_standard_deviation_of_a_sample() -> None:
    """Where the MAD is 0, that of scipy.stats.tstd; one entry has no spread."""
    losses = np.array([0.3, 0.3, 0.3, 0.3, 0.8])
    expected = (0.3 - losses) / stats.tstd(losses)
    np.testing.assert_allclose(overall.standardized(losses, losses), expected)
    assert overall.standardized(losses, losses[:1]).tolist() == (0.3 - losses).tolist()


def test_a_mean_depends_on_nobody_else(tmp_path: Path) -> None:
    made = tasks("metrics: [accuracy_score]\noverall: mean\n", {**CLOSE, "X": (80, 10, 10)})
    assert leaving(run(made.write(tmp_path))[1]) == []


def test_a_formula_over_tasks(tmp_path: Path) -> None:
    settings = (
        "metrics: [accuracy_score, {name: least, formula: 'min(one_accuracy_score, "
        "two_accuracy_score, three_accuracy_score)'}]\noverall: sqrt(least) + one_accuracy_score\n"
    )
    flat, results = run(tasks(settings).write(tmp_path))
    names = [metric["name"] for metric in results["metrics"]]
    assert names[:2] == ["overall", "least"]
    for team, shares in RIGHT.items():
        assert flat[f"least.{team}"] == min(shares) / 100
        expected = (min(shares) / 100) ** 0.5 + shares[0] / 100
        assert flat[f"overall.{team}"] == pytest.approx(expected, abs=1e-9)
    assert entry(results["metrics"][0], "A")["ci"][0] < flat["overall.A"]


def test_a_formula_over_tasks_has_a_value_for_every_score(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = "metrics: [accuracy_score]\noverall: log(one_accuracy_score - 0.2)\n"
    folder = tasks(settings).write(tmp_path)
    assert main([str(folder), str(folder / "output")]) == 2
    assert "'log(one_accuracy_score - 0.2)' is infinite or undefined for D" in (
        capsys.readouterr().err
    )


def test_rank_by_may_name_a_formula_over_tasks(tmp_path: Path) -> None:
    settings = (
        "metrics: [accuracy_score, {name: best, formula: 'max(one_accuracy_score, "
        "two_accuracy_score)'}]\nrank_by: best\n"
    )
    flat, results = run(tasks(settings).write(tmp_path))
    assert results["metrics"][0]["name"] == "best"
    assert flat["rank.A"] == 1


@pytest.mark.parametrize(
    ("metrics", "overall", "says"),
    [
        ("accuracy_score, {name: x, formula: accuracy_scor * 2}", "", "is not a metric of these"),
        ("accuracy_score", "overall: accuracy_score / 2", "a metric of several tasks; say which"),
        ("accuracy_score", "overall: mean_ranks", "names 'mean_ranks', which is not a metric"),
        (
            "accuracy_score, {name: f, function: f1_score, column: mod}",
            "",
            "no task has its column",
        ),
        ("accuracy_score, {name: x, formula: x + one_accuracy_score}", "", "defined by itself"),
        ("accuracy_score", "overall: 'import os'", "is not arithmetic"),
        (
            "accuracy_score",
            "overall: (one_accuracy_score",
            r"line 5: overall: metric 'overall': .* is not arithmetic: '\(' was never closed$",
        ),
        (
            "zero_one_loss, {name: x, formula: one_zero_one_loss + two_zero_one_loss}",
            "",
            r"line 4: metric 'x' has a formula of errors only",
        ),
    ],
)
def test_formulas_over_tasks_that_have_no_meaning(
    tmp_path: Path, metrics: str, overall: str, says: str
) -> None:
    folder = tasks(f"metrics: [{metrics}]\n{overall}\n").write(tmp_path)
    with pytest.raises(SettingsError, match=says):
        read_input(folder, lambda settings: settings)


def test_a_single_submission_has_a_mean_and_no_mean_rank(tmp_path: Path) -> None:
    for method, first in (("mean", "mean"), ("mean_rank", "one_accuracy_score")):
        made = tasks(f"metrics: [accuracy_score]\noverall: {method}\n", {"A": RIGHT["A"]})
        files = {name.replace("res/A/", "res/"): made.files[name] for name in made.files}
        flat, results = run(Case(files, made.settings).write(tmp_path / method))
        assert results["metrics"][0]["name"] == first
        assert ("mean" in flat) == (method == "mean")


def test_names_in_a_formula_stand_in_the_order_of_its_components() -> None:
    assert formula.names("b - a", "x") == ("b", "a")


def test_who_took_part_in_no_two_tasks_has_no_overall_place(tmp_path: Path) -> None:
    made = tasks("metrics: [accuracy_score]\n")
    for number, team in enumerate(RIGHT):
        for task in TASKS:
            if task != TASKS[number % 3]:
                del made.files[f"res/{team}/{task}.csv"]
    flat, results = run(made.write(tmp_path))
    assert [metric["name"] for metric in results["metrics"]] == [
        f"{task}_accuracy_score" for task in TASKS
    ]
    assert any("there is no overall ranking" in note for note in results["notes"])
    assert len(results["unscored"]) == 8
    assert flat["rank.A"] == 1


@pytest.mark.parametrize(
    "method", ["mean_rank", "mean_standardized", "mean", "log(two_accuracy_score)"]
)
def test_where_one_entry_has_an_overall_place_there_is_no_overall_ranking(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], method: str
) -> None:
    """It is said on the page and in the log, and every task has its ranking."""
    made = tasks(f"metrics: [accuracy_score]\noverall: {method}\n")
    for team in "BCD":
        del made.files[f"res/{team}/two.csv"]
    flat, results = run(made.write(tmp_path))
    without_overall_ranking(tmp_path, flat, results, capsys.readouterr().out)


@pytest.mark.parametrize("method", ["mean_rank", "mean_standardized"])
def test_runs_of_one_team_are_no_rivals_over_tasks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], method: str
) -> None:
    made = tasks(f"metrics: [accuracy_score]\noverall: {method}\n")
    for team in "BCD":
        del made.files[f"res/{team}/two.csv"]
    for task in TASKS:
        first = made.files[f"res/A/1/{task}.csv"] = made.files.pop(f"res/A/{task}.csv")
        made.files[f"res/A/2/{task}.csv"] = first
    flat, results = run(made.write(tmp_path))
    without_overall_ranking(tmp_path, flat, results, capsys.readouterr().out)


def without_overall_ranking(
    folder: Path, flat: dict[str, float], results: dict[str, Any], log: str
) -> None:
    assert [item["name"] for item in results["metrics"]] == [f"{t}_accuracy_score" for t in TASKS]
    assert not [key for key in flat if key.startswith(("mean", "overall"))]
    page = (folder / "output" / "detailed_results.html").read_text()
    for text in (page, log):
        assert "No two teams have a score in every task that" in text


@pytest.mark.parametrize("method", swept(["mean_rank", "mean_standardized", "mean"]))
def test_one_entry_beside_a_baseline_has_an_overall_place(tmp_path: Path, method: str) -> None:
    made = tasks(f"metrics: [accuracy_score]\noverall: {method}\nbaselines: [D]\n")
    for team in "BC":
        del made.files[f"res/{team}/two.csv"]
    flat, results = run(made.write(tmp_path))
    assert results["metrics"][0]["name"] == method
    assert flat["rank.A"] == 1
