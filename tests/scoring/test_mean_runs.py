"""A team's score is the mean over its runs, on the whole test set and on every resample."""

from __future__ import annotations

import numpy as np
import pytest

from scoring_program.audit.competition_audit import audit
from scoring_program.bootstrap.resample import iterate_counts
from scoring_program.core.errors import OrganizerError
from scoring_program.data.source import read_input
from scoring_program.pipeline import EvaluatedCompetition, evaluate
from scoring_program.scoring.combined import MeanScorer
from tests.competitions import Folder

from .test_hidden_runs import METRICS, flipped


@pytest.fixture
def several(folder: Folder) -> Folder:
    """Three teams of one run and two of several, in which the runs err on different examples."""
    rng = np.random.default_rng(5)
    for team, count in (("Four", 4), ("Pair", 2)):
        for run in range(count):
            right = rng.random(len(folder.ids)) < 0.8
            labels = np.where(right, folder.labels, rng.permutation(folder.labels)).tolist()
            folder.team(f"{team}/r{run}", {"id": folder.ids, "label": labels})
    return folder


def evaluated(folder: Folder, settings: str) -> EvaluatedCompetition:
    folder.write(METRICS + settings)
    return evaluate(*read_input(folder.input, lambda loaded: loaded))


def test_every_score_is_the_mean_over_the_runs(several: Folder) -> None:
    every, mean = (evaluated(several, f"runs: {runs}\n") for runs in ("all", "mean"))
    assert mean.competition.names == ("Four", "One", "Pair", "Three", "Two")
    names = list(every.competition.names)
    own = [
        [row for row, name in enumerate(names) if name.split("/")[0] == team]
        for team in mean.competition.names
    ]
    assert [len(rows) for rows in own] == [4, 1, 2, 1, 1]
    for place in range(3):
        metric, of_runs = (found.resampled[0].metrics[place] for found in (mean, every))
        drawn, on_runs = metric.replicates, of_runs.replicates
        for team, rows in enumerate(own):
            scores = [of_runs.observed[row] for row in rows]
            assert metric.observed[team] == pytest.approx(sum(scores) / len(rows), abs=1e-15)
            for b in range(len(drawn.values)):
                expected = sum(on_runs.values[b, row] for row in rows) / len(rows)
                assert drawn.values[b, team] == pytest.approx(expected, abs=1e-12)


def test_the_replicates_are_those_of_a_loop_over_the_resampled_rows(several: Folder) -> None:
    """Accuracy by its definition, run by run and resample by resample."""
    found = evaluated(several, "runs: mean\n").resampled[0]
    ids = found.part.gold.ids
    assert ids is not None
    order = [several.ids.index(name) for name in ids]
    gold = np.array(several.labels)[order]
    runs = {
        path.parent.name: np.loadtxt(path, str, delimiter=",", skiprows=1)[order, 1]
        for path in sorted(several.input.glob("res/Pair/*/*.csv"))
    }
    assert len(runs) == 2
    counts = np.concatenate(list(iterate_counts(found.design, found.wanted, found.seed)))
    for b in range(0, 300, 7):
        rows = np.repeat(np.arange(gold.size), counts[b])
        scores = [np.mean(gold[rows] == labels[rows]) for labels in runs.values()]
        assert found.metrics[0].replicates.values[b, 2] == pytest.approx(np.mean(scores), abs=1e-12)


def test_influence_and_the_jackknife_are_means_too(several: Folder) -> None:
    scorer = evaluated(several, "runs: mean\n").resampled[0].metrics[0].scorer
    assert isinstance(scorer, MeanScorer)
    n = len(several.ids)
    left_out, influence = scorer.jackknife(), scorer.influence(None, n)
    assert influence is not None
    assert left_out.shape == influence.shape == (n, 5)
    expected = (scorer.observed - left_out) * ((n - 1) / n)
    np.testing.assert_allclose(influence, expected - expected.mean(axis=0), atol=1e-12)


def test_a_team_has_one_row_and_no_run_of_its_own(several: Folder) -> None:
    several.write(METRICS + "runs: mean\n")
    assert several.run("--resamples", "100") == 0
    found = several.results()
    assert {item["entry"] for item in found["metrics"][0]["entries"]} == {
        "Four", "One", "Pair", "Three", "Two",
    }  # fmt: skip
    assert found["runs"] == {"Four": 4, "One": 1, "Pair": 2, "Three": 1, "Two": 1}
    page = (several.output / "detailed_results.html").read_text(encoding="utf-8")
    assert "Each team&#39;s score is the mean over its runs" in page.replace("'", "&#39;")
    several.write(METRICS + "runs: mean\nanonymize: true\n")
    assert several.run("--resamples", "100") == 0
    assert "Four" not in (several.output / "detailed_results.html").read_text(encoding="utf-8")


def test_teams_with_the_same_runs_in_another_order_are_tied(folder: Folder) -> None:
    for team, order in (("Here", (3, 7, 11)), ("There", (11, 3, 7))):
        for run, wrong in enumerate(order):
            columns = {"id": folder.ids, "label": flipped(folder.labels, wrong)}
            folder.team(f"{team}/r{run}", columns)
    found = evaluated(folder, "runs: mean\n").findings.evidence[0]
    here, there = found.names.index("Here"), found.names.index("There")
    assert found.scores.score[here] == found.scores.score[there]
    assert found.scores.rank[here] == found.scores.rank[there]
    assert found.verdict.possible_winners[here] == found.verdict.possible_winners[there]


def test_a_run_without_a_score_leaves_its_team_without_one(folder: Folder) -> None:
    rng = np.random.default_rng(4)
    gold = rng.normal(size=60)
    folder.labels = list(map(str, gold))
    folder.teams = {team: list(map(str, gold + rng.normal(size=60))) for team in ("One", "Two")}
    for run, numbers in enumerate((gold + rng.normal(size=60), np.zeros(60))):
        folder.team(f"Several/r{run}", {"id": folder.ids, "label": list(map(str, numbers))})
    folder.write("metrics: [mean_absolute_error, spearmanr]\nresamples: 100\nruns: mean\n")
    found = evaluate(*read_input(folder.input, lambda loaded: loaded))
    error, rho = found.findings.evidence
    assert error.names == ("One", "Several", "Two")
    assert rho.names == ("One", "Two")
    assert [name for name, _ in found.findings.unscored] == ["Several"]


@pytest.mark.parametrize("test", ["randomization", "mcnemar"])
def test_further_tests_need_single_submissions(
    several: Folder, capsys: pytest.CaptureFixture[str], test: str
) -> None:
    several.write(METRICS + f"runs: mean\ntests: [{test}]\n")
    assert several.run("--resamples", "100") == 2
    assert f"tests: '{test}'" in (message := capsys.readouterr().err)
    assert "with 'runs: mean' a team has several" in message


def test_teams_of_one_run_are_scored_as_ever(folder: Folder) -> None:
    mean, every = (
        evaluated(folder, f"runs: {runs}\ntests: [randomization]\n").findings.evidence[0]
        for runs in ("mean", "all")
    )
    assert mean.names == every.names
    np.testing.assert_array_equal(mean.scores.score, every.scores.score)
    assert mean.paired_tests is not None


def test_the_audit_needs_single_submissions(several: Folder) -> None:
    with pytest.raises(OrganizerError, match="choose 'best', 'last' or 'all' for the audit"):
        audit(evaluated(several, "runs: mean\n"))
