"""Random competitions of every kind contradict nothing, and a bystander changes nothing in them.

``python -m pytest tests/inference/test_every_kind.py --search 10`` tries others for ten minutes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring_program.core.folds import INDEPENDENT, Folds
from scoring_program.data.from_arrays import score_table
from scoring_program.data.source import read_input
from scoring_program.pipeline import evaluate
from scoring_program.report.findings import Findings
from scoring_program.settings.checks import MetricSpec
from scoring_program.settings.model import Settings
from tests import search
from tests.competitions import write_csv
from tests.report.visible import nothing_contradicts
from tests.simulations.bystanders import differing, of_others
from tests.simulations.judgments import votes

RESAMPLES, UNITS = 100, 20
BASELINE = "base"
SEEDS = st.integers(0, 10_000)
#: Evaluates a competition with these baselines, and this reference entry or None.
Evaluates = Callable[[Sequence[str], str | None], Findings]


def bystanders_change_nothing(made: Evaluates, named: str) -> None:
    """Evaluate a competition alone, beside a baseline, and with one entry as the reference."""
    alone = made((), None)
    beside = made((BASELINE,), None)
    referred = made((), named)
    both = made((BASELINE,), BASELINE)
    expected = of_others(alone, ())
    for findings, baselines in ((beside, (BASELINE,)), (referred, ()), (both, (BASELINE,))):
        assert not list(differing("", expected, of_others(findings, baselines)))
    for findings in (alone, both):
        nothing_contradicts(findings)


def table(seed: int, systems: int, column: str, decimals: int) -> pd.DataFrame:
    """Return scores of systems on units, of which few decimals make many ties; and a baseline."""
    rng = np.random.default_rng(seed)
    ahead = rng.choice([0.0, 0.5, 2.0])
    values = rng.normal(size=(UNITS, systems + 1)) + ahead * np.arange(systems + 1)
    names = [*(f"s{number}" for number in range(systems)), BASELINE]
    # Halves: whole numbers might number the lines.
    scores = pd.DataFrame(values.round(decimals) + 0.5, columns=names)
    scores.insert(0, column, [f"u{unit}" for unit in range(UNITS)])
    return scores


@settings(max_examples=search.examples(2, 5))
@given(
    seed=SEEDS,
    systems=st.integers(2, 5),
    column=st.sampled_from(["query", "fold"]),
    folds=st.sampled_from(
        [None, INDEPENDENT, Folds(repeats=2, folds=10), Folds(splits=20, test_share=0.2)]
    ),
    decimals=st.sampled_from([0, 6]),
)
@example(seed=1, systems=3, column="fold", folds=None, decimals=0)
@example(seed=1, systems=3, column="fold", folds=Folds(repeats=2, folds=10), decimals=0)
def test_tables_of_scores_on_units_or_folds(
    seed: int, systems: int, column: str, folds: Folds | str | None, decimals: int
) -> None:
    frame = table(seed, systems, column, decimals)

    def made(baselines: Sequence[str], reference: str | None) -> Findings:
        shown = frame if baselines else frame.drop(columns=BASELINE)
        given_settings = Settings(
            resamples=RESAMPLES,
            greater_is_better=True,
            unit=(column,),
            folds=folds,
            prizes=2,
            costs={f"s{number}": float(number % 3) for number in range(systems)},
            baselines=tuple(baselines),
            reference_entry=reference,
        )
        return evaluate(*score_table(shown, given_settings)).findings

    (evidence,) = made((), None).evidence
    is_claimed = column == "query" or folds is not None
    assert (evidence.verdict.withdrawn_because == "folds") == (not is_claimed)
    bystanders_change_nothing(made, "s1")


@settings(max_examples=search.examples(2, 4))
@given(seed=SEEDS, units=st.sampled_from([5, 40]))
def test_tables_of_ranks_within_units(seed: int, units: int) -> None:
    """Ties share the average rank, so the mean of the mean ranks is (m + 1)/2."""
    frame = table(seed, 4, "query", 0).drop(columns=BASELINE)[:units]
    given_settings = Settings(
        resamples=RESAMPLES,
        greater_is_better=True,
        unit=("query",),
        metrics=(MetricSpec("unit_rank", "mean_unit_rank"),),
    )
    findings = evaluate(*score_table(frame, given_settings)).findings
    (evidence,) = findings.evidence
    np.testing.assert_allclose(evidence.scores.score.mean(), 2.5)
    nothing_contradicts(findings)


@settings(max_examples=search.examples(2, 4))
@given(seed=SEEDS, judges=st.sampled_from([3, 12]), named=st.sampled_from([None, "s3"]))
def test_preferences_of_prompts_and_judges_that_cross(
    seed: int, judges: int, named: str | None
) -> None:
    rng = np.random.default_rng(seed)
    truth = np.linspace(1, -1, 10)
    lines = votes(rng, truth, lines=400, prompts=60, judges=judges, of_judges=0.3)
    given_settings = Settings(
        resamples=RESAMPLES, group=("prompt", "judge"), reference_entry=named, prizes=3
    )
    findings = evaluate(*score_table(lines, given_settings)).findings
    assert {evidence.normal_source for evidence in findings.evidence} == {"crossed"}
    nothing_contradicts(findings)


def folder_of(
    folder: Path, runs: dict[str, int], tasks: int, seed: int, said: dict[str, Any]
) -> Findings:
    """Evaluate teams with so many runs, in so many tasks; the seeds of some matter."""
    rng = np.random.default_rng(seed)
    gold = np.arange(80) % 2
    names = ["gold"] if tasks == 1 else [f"task{task}" for task in range(tasks)]
    for name in names:
        write_csv(folder / "ref" / f"{name}.csv", {"id": range(80), "label": gold.tolist()})
    for team, count in runs.items():
        loud = rng.choice([0.0, 0.1])
        for run in range(count):
            share = np.clip(rng.choice([0.75, 0.9]) + loud * rng.normal(), 0.55, 0.97)
            for name in names:
                labels = np.where(rng.random(80) < share, gold, 1 - gold)
                own = folder / "res" / team
                place = own / f"{run}.csv" if tasks == 1 else own / f"{run}" / f"{name}.csv"
                write_csv(place, {"id": range(80), "label": labels.tolist()})
    lines = [f"{key}: {value}" for key, value in said.items()]
    (folder / "ref" / "scoring.yaml").write_text("\n".join(lines))
    return evaluate(*read_input(folder, lambda loaded: loaded)).findings


@settings(max_examples=search.examples(2, 5))
@given(
    seed=SEEDS,
    counts=st.lists(st.integers(1, 4), min_size=2, max_size=4),
    runs=st.sampled_from(["all", "best", "last", "mean", "mean", "mean"]),
    seeds=st.sampled_from(["cross", "cross", "ignore"]),
    tasks=st.sampled_from([1, 1, 2]),
    least=st.sampled_from([1, 3]),
)
@example(seed=1, counts=[1, 4, 3], runs="mean", seeds="cross", tasks=1, least=3)
@example(seed=2, counts=[3, 2], runs="mean", seeds="cross", tasks=1, least=1)
@example(seed=0, counts=[1, 2], runs="all", seeds="cross", tasks=1, least=1)
@example(seed=3, counts=[2, 1, 1], runs="all", seeds="cross", tasks=2, least=1)
def test_teams_with_runs(
    seed: int, counts: list[int], runs: str, seeds: str, tasks: int, least: int
) -> None:
    sizes = {f"t{team}": max(count, least) for team, count in enumerate(counts)}

    def made(baselines: Sequence[str], reference: str | None) -> Findings:
        said: dict[str, Any] = {"metrics": "[accuracy_score]", "resamples": RESAMPLES}
        said |= {"runs": runs, "seeds": seeds, "seed": seed, "prizes": 2}
        said["costs"] = {team: number % 3 for number, team in enumerate(sizes)}
        if baselines:
            said["baselines"] = f"[{BASELINE}]"
        if reference is not None:
            said["reference_entry"] = reference
        # The baseline's answers are drawn last.
        every = {**sizes, **dict.fromkeys(baselines, 1)}
        with tempfile.TemporaryDirectory() as folder:
            return folder_of(Path(folder), every, tasks, seed, said)

    crossed = runs == "mean" and seeds == "cross" and tasks == 1 and min(sizes.values()) >= 3
    alone = made((), None)
    assert all((one.seed_share is not None) == crossed for one in alone.evidence)
    names = alone.evidence[0].names
    bystanders_change_nothing(made, names[-1])
