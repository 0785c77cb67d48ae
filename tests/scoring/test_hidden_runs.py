"""Runs that are not shown are scored and resampled, and appear in no output."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from scoring_program.data.source import read_input
from scoring_program.pipeline import EvaluatedCompetition, evaluate
from scoring_program.scoring import contenders
from scoring_program.scoring.score_entries import score_entries
from tests.competitions import Folder, write_csv

METRICS = """
metrics:
  - {name: acc, function: accuracy_score}
  - {name: mix, formula: (acc + f1) / 2}
  - {name: f1, function: f1_score, params: {average: macro}}
resamples: 300
"""


def flipped(labels: list[str], wrong: int) -> list[str]:
    return ["a" if label != "a" else "b" for label in labels[:wrong]] + labels[wrong:]


@pytest.fixture
def several(folder: Folder) -> Folder:
    """Three teams of one run, and a team of four, of which the third is the best one."""
    for run, wrong in enumerate((6, 4, 1, 5)):
        columns = {"id": folder.ids, "label": flipped(folder.labels, wrong)}
        folder.team(f"Several/r{run}", columns)
    return folder


def evaluated(folder: Folder, settings: str) -> EvaluatedCompetition:
    folder.write(METRICS + settings)
    return evaluate(*read_input(folder.input, lambda loaded: loaded))


def test_hidden_runs_have_the_replicates_that_they_have_as_entries(several: Folder) -> None:
    every = evaluated(several, "runs: all\n")
    one = evaluated(several, "runs: best\n")
    assert one.competition.names == ("One", "Several", "Three", "Two")
    names = list(every.competition.names)
    shown = "Several/r2/predictions"
    others = [name for name in names if name.startswith("Several") and name != shown]
    for place in range(3):
        item = one.resampled[0].metrics[place]
        assert item.drawn is not None
        hidden = item.drawn.values[:, 4:]
        assert item.behind == (1, 1, 1)
        rows = [names.index(name) for name in others]
        expected = every.resampled[0].metrics[place].replicates
        np.testing.assert_allclose(hidden, expected.values[:, rows], rtol=1e-12)
        own = item.replicates.values[:, 1]
        np.testing.assert_allclose(own, expected.values[:, names.index(shown)], rtol=1e-12)
        np.testing.assert_array_equal(
            item.runs.observed[4:], every.resampled[0].metrics[place].observed[rows]
        )


@pytest.mark.parametrize("rows", [(0, 0), (0, 1)])
def test_runs_of_one_team_share_no_first_place(folder: Folder, rows: tuple[int, int]) -> None:
    """Of two that tie, one stands for the team, in the verdict and wherever it is said."""
    for run, row in enumerate(rows):
        labels = [*folder.labels]
        labels[row] = "b" if labels[row] == "a" else "a"
        folder.team(f"Several/r{run}", {"id": folder.ids, "label": labels})
    folder.teams = {"One": flipped(folder.labels, 30)}
    folder.write("metrics: [accuracy_score]\nruns: all\nresamples: 300\n")
    assert folder.run() == 0
    results = folder.results()
    (metric,) = results["metrics"]
    first, second, *_ = metric["entries"]
    assert (first["rank"], second["rank"]) == (1, 1)
    assert metric["leaders"] == metric["verdict"]["leaders"] == [first["entry"]]
    assert results["verdict"].startswith(
        f"{first['entry']} is first (accuracy 0.9833), and the only"
    )
    assert metric["verdict"]["verified"] == first["entry"]


def test_hidden_runs_change_what_is_tested(several: Folder) -> None:
    one = evaluated(several, "runs: best\n").findings.evidence[0]
    every = evaluated(several, "runs: all\n").findings.evidence[0]
    assert one.names == ("One", "Several", "Three", "Two")
    runs = [row for row, name in enumerate(every.names) if name.startswith("Several")]
    assert one.standing.rank_low[1] == every.standing.rank_low[runs].max()
    assert one.distances.from_best[1] == np.nanmin(every.distances.from_best[runs])


def test_runs_that_are_not_the_last_take_no_part(several: Folder) -> None:
    """All is as if every team had sent its last run only: nothing was selected on the test set."""
    found = evaluated(several, "runs: last\n")
    for run in range(3):
        shutil.rmtree(several.input / "res" / "Several" / f"r{run}")
    alone = evaluated(several, "runs: last\n")
    assert found.competition.names == ("One", "Several", "Three", "Two")
    assert {item.further_runs for item in found.resampled[0].metrics} == {()}
    for ours, own in zip(found.findings.evidence, alone.findings.evidence, strict=True):
        assert ours.scores.several_runs is False
        np.testing.assert_array_equal(ours.standing.rank_low, own.standing.rank_low)
        np.testing.assert_array_equal(ours.standing.rank_high, own.standing.rank_high)
        np.testing.assert_array_equal(ours.distances.near, own.distances.near)
        np.testing.assert_array_equal(ours.distances.from_best, own.distances.from_best)
        assert ours.verdict.corrected == own.verdict.corrected
        assert ours.verdict.uncorrected_because == own.verdict.uncorrected_because


def outputs(folder: Folder) -> Iterator[str]:
    for path in folder.output.rglob("*"):
        if path.suffix in (".html", ".json", ".txt", ".csv", ".md", ".tex"):
            yield path.read_text(encoding="utf-8")


def test_outputs_of_anonymous_teams_name_no_hidden_run(several: Folder) -> None:
    several.write(METRICS + "runs: best\nanonymize: true\n")
    assert several.run("--resamples", "100") == 0
    assert several.results()["m"] == 4
    texts = list(outputs(several))
    assert texts
    assert not any("Several" in text or "r2" in text.split() for text in texts)


def test_as_many_runs_are_resampled_as_may_be_compared(
    several: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best of the hidden runs come first; the note counts the others."""
    several.write(METRICS + "runs: best\n")
    for most, of_team, hidden in ((500, 50, 3), (500, 2, 1), (6, 50, 2), (4, 50, 0), (3, 50, 0)):
        monkeypatch.setattr(contenders, "MOST_ENTRIES", most)
        monkeypatch.setattr(contenders, "MOST_RUNS", of_team)
        competition, ((item, *_),) = score_entries(
            *read_input(several.input, lambda loaded: loaded)
        )
        assert len(competition.names) == min(most, 4)
        scores = item.runs.observed[len(item.entries) :].tolist()
        right = len(several.ids)
        assert sorted(scores) == pytest.approx(sorted(1 - w / right for w in (4, 5, 6)[:hidden]))
        notes = [note.values for note in competition.notes if "not resampled" in note]
        assert [values["others"] for values in notes] == ([] if hidden == 3 else [3 - hidden])


def test_a_hidden_run_without_a_score_on_some_resamples_is_not_tested(folder: Folder) -> None:
    """It takes no resample from the entries that are shown."""
    rng = np.random.default_rng(4)
    gold = rng.normal(size=60)
    near = [gold + rng.normal(size=60) for _ in range(3)]
    constant_but_once = np.where(np.arange(60) == 0, gold - 9, 0)
    folder.labels, folder.teams = list(map(str, gold)), {"One": list(map(str, near[0]))}
    for run, numbers in enumerate((near[1], constant_but_once, near[2])):
        folder.team(f"Several/r{run}", {"id": folder.ids, "label": list(map(str, numbers))})
    folder.write("metrics: [spearmanr]\nresamples: 100\nruns: best\n")
    part = evaluate(*read_input(folder.input, lambda loaded: loaded)).resampled[0]
    (item,) = part.metrics
    assert item.drawn is not None
    assert item.behind == (1,)
    assert item.runs.observed.size == 3
    assert item.drawn.values.shape == (100, 3)
    assert item.replicates.values.shape == (100, 2)


@pytest.mark.parametrize("overall", ["mean", "mean_standardized", "sqrt(gold_acc) + second_acc"])
def test_hidden_runs_take_part_in_the_tests_of_an_overall_score(
    folder: Folder, overall: str
) -> None:
    folder.settings(f"metrics: [{{name: acc, function: accuracy_score}}]\noverall: {overall}\n")
    teams = {"One": (3,), "Several": (7, 2, 4, 9), "Two": (5, 6)}
    for number, task in enumerate(("gold", "second")):
        write_csv(folder.input / "ref" / f"{task}.csv", {"id": folder.ids, "label": folder.labels})
        for team, runs in teams.items():
            for run, wrong in enumerate(runs):
                labels = flipped(folder.labels, wrong + number)
                path = folder.input / "res" / team / f"r{run}" / f"{task}.csv"
                write_csv(path, {"id": folder.ids, "label": labels})

    def found(runs: str) -> EvaluatedCompetition:
        return evaluate(
            *read_input(folder.input, lambda loaded: replace(loaded, runs=runs, resamples=300))
        )

    one, every = found("best").findings.evidence[0], found("all").findings.evidence[0]
    assert one.task is every.task is None
    assert one.names == ("One", "Several", "Two")
    assert len(every.names) == 7
    for place, name in enumerate(one.names):
        own = [row for row, run in enumerate(every.names) if run.split("/")[0] == name]
        assert one.standing.rank_low[place] == every.standing.rank_low[own].max()
        if overall != "mean_standardized":  # the spread is that of what is shown
            assert one.distances.from_best[place] == pytest.approx(
                np.nanmin(every.distances.from_best[own]), abs=1e-12
            )
