"""Cautions about the runs that decide about a team, where these are hidden or of a third team."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scoring_program as dh
from scoring_program.inference import analyze
from scoring_program.inference.analysis import Caution, MetricAnalysis
from scoring_program.inference.inputs import RunScores
from scoring_program.scoring.diagnostics import Diagnostics
from scoring_program.settings.model import Settings
from tests.arrays import made_metric
from tests.competitions import told, write_csv

from .cases import Case, answers

N = 600


def right(count: int, seed: int) -> np.ndarray:
    """Say at random which answers are right, [N]: so many."""
    found = np.zeros(N, np.bool_)
    found[np.random.default_rng(seed).permutation(N)[:count]] = True
    return found


def changed(correct: np.ndarray, lost: int, won: int = 0) -> np.ndarray:
    """Return answers of which so many right ones become wrong, and so many wrong ones right."""
    found = correct.copy()
    found[np.flatnonzero(correct)[:lost]] = False
    found[np.flatnonzero(~correct)[:won]] = True
    return found


def of_runs(
    shown: list[np.ndarray],
    hidden: dict[int, np.ndarray],
    *,
    mcnemar: bool = True,
    zero_divisions: np.ndarray | None = None,
    **settings: Any,
) -> MetricAnalysis:
    """Analyze the accuracy of entries and of hidden runs, entry → answers of its other run."""
    every = Case(np.column_stack([*shown, *hidden.values()]), resamples=2000)
    facts = replace(every.diagnostics, correct=every.correct if mcnemar else None)

    def take(runs: list[int]) -> Diagnostics:
        differ = facts.disagreements[np.ix_(runs, runs)]
        correct = None if facts.correct is None else facts.correct[:, runs]
        return Diagnostics(None, differ, correct, np.full(len(runs), N))

    m = len(shown)
    scores = replace(Case(np.column_stack(shown)).scores, diagnostics=take([*range(m)]))
    scores = replace(scores, replicates=replace(scores.replicates, values=every.values[:, :m]))
    runs = RunScores(
        np.array([*hidden], np.intp),
        every.observed[m:],
        every.values[:, m:],
        zero_divisions=zero_divisions,
        between=lambda i, j: take([i, j]),
    )
    return analyze(replace(scores, hidden=runs if hidden else None), Settings(**settings))


def about_pairs(analysis: MetricAnalysis) -> list[Caution]:
    known = ("few_disagreements", "heavy_tails", "zero_divisions")
    return [caution for caution in analysis.cautions if caution.code in known]


LEADER, RIVAL = right(540, 1), right(450, 2)


def test_a_hidden_copy_keeps_its_team() -> None:
    """It differs from the leader on eight examples, and nobody can say which is better."""
    copy = {1: changed(LEADER, lost=6, won=2)}
    alone, found = of_runs([LEADER, RIVAL], {}), of_runs([LEADER, RIVAL], copy)
    assert (alone.tied_with_leader[1], found.tied_with_leader[1]) == (False, True)
    assert about_pairs(alone) == []
    (caution,) = about_pairs(found)
    assert (caution.level, caution.code, caution.number) == ("red", "few_disagreements", 8)
    (sentence,) = told([caution.note])
    assert sentence.startswith("team000 and another run of team001 differ on fewer than 10 ")


def test_a_hidden_run_decides_nothing_if_the_shown_one_keeps_the_team() -> None:
    close = changed(changed(LEADER, lost=40), lost=0, won=36)
    copy = {1: changed(LEADER, lost=6, won=2)}
    found = of_runs([LEADER, close], copy)
    assert found.tied_with_leader[1]
    assert about_pairs(found) == []


def test_a_hidden_run_that_is_beaten_more_clearly_decides_nothing() -> None:
    copy = {1: changed(LEADER, lost=9)}  # 9 : 0, without McNemar's test too few to be sure
    found = of_runs([LEADER, changed(LEADER, lost=60, won=40)], copy, mcnemar=False)
    assert about_pairs(found) == []


def test_what_a_hidden_run_of_the_leader_excludes() -> None:
    """The last run of the team is shown; the one before excludes a rival, on 9 examples."""
    rival = changed(LEADER, lost=60, won=57)
    before = {0: changed(rival, lost=0, won=9)}
    alone = of_runs([LEADER, rival], {}, mcnemar=False)
    found = of_runs([LEADER, rival], before, mcnemar=False)
    assert (alone.tied_with_leader[1], found.tied_with_leader[1]) == (True, False)
    assert about_pairs(alone) == []
    (caution,) = about_pairs(found)
    assert (caution.level, caution.number) == ("red", 9)
    assert "another run of team000 and team001 differ" in told([caution.note])[0]
    assert about_pairs(of_runs([LEADER, rival], before)) == []  # McNemar separates 9 : 0


def test_a_rivals_hidden_run_is_ahead_of_the_leader() -> None:
    """It decides whether the team that leads with the runs that are shown stays a possible one."""
    hidden = {1: changed(LEADER, lost=2, won=6)}
    found = of_runs([LEADER, RIVAL], hidden)
    assert found.tied_with_leader.tolist() == [True, True]
    (caution,) = about_pairs(found)
    assert (caution.level, caution.number) == ("red", 8)
    assert "another run of team001 and team000 differ" in told([caution.note])[0]


def test_what_a_third_entry_excludes() -> None:
    """The leader does not exclude an entry, another one does, on 9 examples."""
    third = changed(LEADER, lost=60, won=57)
    last = changed(third, lost=9)
    found = of_runs([LEADER, third, last], {}, mcnemar=False)
    assert found.tied_with_leader.tolist() == [True, True, False]
    assert found.separated_from.tolist() == [-1, -1, 1]
    (caution,) = about_pairs(found)
    assert (caution.level, caution.number) == ("red", 9)
    assert "team001 and team002 differ" in told([caution.note])[0]


def test_near_copies_that_exclude_nobody_are_no_reason() -> None:
    third = changed(LEADER, lost=60, won=57)
    found = of_runs([LEADER, third, changed(third, lost=2)], {}, mcnemar=False)
    assert found.tied_with_leader.all()
    assert about_pairs(found) == []


def test_other_hidden_runs_than_those_that_decide_are_minor() -> None:
    """The verdict does not speak of the last team, whose hidden run is still excluded."""
    entries = [LEADER, RIVAL, right(300, 3)]
    hidden = {2: changed(LEADER, lost=9)}
    (caution,) = about_pairs(of_runs(entries, hidden, mcnemar=False))
    assert (caution.level, caution.number) == ("amber", 9)
    assert "another run of team002" in told([caution.note])[0]


@pytest.mark.parametrize(("hidden", "count"), [(changed(LEADER, 30, 28), 7), (right(60, 4), 0)])
def test_zero_divisions_of_a_hidden_run_that_decides(hidden: np.ndarray, count: int) -> None:
    found = of_runs([LEADER, RIVAL], {1: hidden}, zero_divisions=np.array([7]))
    assert found.tied_with_leader[1] == (count > 0)
    cautions = about_pairs(found)
    assert [caution.number for caution in cautions] == [count] * (count > 0)
    assert all("For another run of team001" in told([one.note])[0] for one in cautions)


def tailed(*, hidden: bool) -> MetricAnalysis:
    """Analyze mean errors: a rival that is far behind, and its run with one enormous error."""
    rng = np.random.default_rng(5)
    errors = np.abs(rng.normal(size=(N, 3)))
    errors[:, 1] += 0.5
    errors[0, 2] += 1000
    case = Case(answers(N, 2, 1), resamples=2000)
    weights = case.weights
    drawn, influence = weights @ errors / N, (errors - errors.mean(axis=0)) / N
    metric = made_metric("error", greater_is_better=False, ideal=0.0, high=np.inf)
    scores = replace(
        case.scores,
        metric=metric,
        observed=errors[:, :2].mean(axis=0),
        replicates=replace(case.scores.replicates, values=drawn[:, :2]),
        diagnostics=None,
        influence=lambda: influence[:, :2],
    )
    runs = RunScores(
        np.array([1]), errors[:, 2:].mean(axis=0), drawn[:, 2:], influence=lambda: influence[:, 2:]
    )
    return analyze(replace(scores, hidden=runs if hidden else None))


def test_a_hidden_run_with_heavy_tails_keeps_its_team() -> None:
    alone, found = tailed(hidden=False), tailed(hidden=True)
    assert (alone.tied_with_leader[1], found.tied_with_leader[1]) == (False, True)
    assert alone.cautions == ()
    (caution,) = about_pairs(found)
    assert (caution.level, caution.code) == ("red", "heavy_tails")
    (sentence,) = told([caution.note])
    assert "decide the difference between team000 and another run of team001 (" in sentence
    assert "for another run of team001)" in sentence


def warned(folder: Path, settings: str) -> tuple[list[str], str]:
    """Score a folder; return the serious warnings and the page."""
    (folder / "ref" / "scoring.yaml").write_text(f"resamples: 999\n{settings}")
    result = dh.score(folder, folder / "output")
    page = (folder / "output" / "detailed_results.html").read_text()
    return [item.message for item in result.warnings if item.level == "red"], page


def test_of_files_with_the_last_runs(tmp_path: Path) -> None:
    """The run before the last is nearly a copy of the leader's, in each of two tasks."""
    gold, ids = np.arange(N) % 2, range(N)
    runs = {"L/1": LEADER, "R/1": changed(LEADER, lost=3), "R/2": RIVAL}
    for tasks, differ in ((1, 3), (2, 6)):
        folder = tmp_path / str(tasks)
        for task in range(tasks):
            name = f"task{task}.csv" if tasks > 1 else "gold.csv"
            write_csv(folder / "ref" / name, {"id": ids, "label": gold.tolist()})
            for run, correct in runs.items():
                own = {"id": ids, "label": np.where(correct, gold, 1 - gold).tolist()}
                path = f"{run}/{name}" if tasks > 1 else f"{run}.csv"
                write_csv(folder / "res" / path, own)
        overall = "overall: mean\n" if tasks > 1 else ""
        messages, page = warned(folder, f"metrics: [accuracy_score]\nruns: last\n{overall}")
        expected = f"L and another run of R differ on fewer than 10 examples (as few as {differ})"
        assert any(expected in message for message in messages)
        assert expected in page


def test_of_files_with_the_best_runs(tmp_path: Path) -> None:
    """A run with one absurd number has the worse score, and keeps its team."""
    rng, ids = np.random.default_rng(6), range(N)
    gold = rng.normal(size=N)
    write_csv(tmp_path / "ref" / "gold.csv", {"id": ids, "value": gold.tolist()})
    guesses = {"L/1": gold + rng.normal(size=N), "R/1": gold + 2 * rng.normal(size=N)}
    guesses["R/2"] = gold + rng.normal(size=N)
    guesses["R/2"][0] += 1e4
    for run, values in guesses.items():
        write_csv(tmp_path / "res" / f"{run}.csv", {"id": ids, "value": values.tolist()})
    messages, page = warned(tmp_path, "metrics: [mean_absolute_error]\nruns: best\n")
    expected = "decide the difference between L and another run of R ("
    assert [expected in message for message in messages] == [True]
    assert expected in page
