"""Not one digit of what is computed of an entry depends on a baseline, or on the reference entry.

`test_bystanders` compares what results.json says, which is rounded. Here all is compared as it is.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scoring_program.core.exact import products_of_pairs
from scoring_program.core.folds import Folds
from scoring_program.data.from_arrays import score_table, with_people
from scoring_program.data.source import read_input
from scoring_program.inference import mean_ranks, slice_evidence
from scoring_program.inference.comparing import step_down
from scoring_program.inference.comparing.draws import Draws
from scoring_program.inference.evidence import Evidence
from scoring_program.inference.judge_and_people import covariance
from scoring_program.inference.normal import NormalDraws, RunsOfMethods
from scoring_program.pipeline import evaluate
from scoring_program.settings.model import Settings
from tests.competitions import write_csv
from tests.sweeps import swept

BASELINE = "base"
REGRESSION = "metrics: [mean_absolute_error, root_mean_squared_error, pearsonr]"
#: Evidence by the name of its metric.
Analyses = dict[str, Evidence]
#: What is computed of the others, by what it is.
Digits = dict[str, Any]
#: The arrays [m] of the evidence that are compared.
OF_ENTRIES = {
    "scores": ("score", "rank"),
    "standing": ("rank_low", "rank_high", "joint_low", "joint_high"),
    "verdict": ("possible_winners",),
    "intervals": ("mean", "standard_error", "low", "high"),
    "distances": ("near", "from_best"),
    "people": ("judge", "people", "people_errors", "people_low", "people_high"),
}
#: The same of pairs.
OF_PAIRS = ("observed", "mean", "standard_error", "low", "high", "p_one_sided", "p_max_t")


@dataclass(frozen=True)
class Kind:
    """A kind of competition: numbers to predict in some tasks, and what the settings state."""

    settings: str = REGRESSION
    tasks: int = 1
    n: int = 90
    runs: int = 1
    columns: tuple[str, ...] = ()  # of the reference data: "user", "part" or "weight"
    whole: bool = False  # whether predictions are whole numbers, so that errors are counts

    def evaluate(self, entries: int, baseline: str, reference: str | None) -> Analyses:
        """Evaluate so many entries, beside no baseline (""), a "usual" or an "odd" one."""
        with tempfile.TemporaryDirectory() as folder:
            self.write(Path(folder), entries, baseline, reference)
            findings = evaluate(*read_input(Path(folder), lambda loaded: loaded)).findings
        return {one.metric.name: one for one in findings.evidence}

    def write(self, folder: Path, entries: int, baseline: str, reference: str | None) -> None:
        rng = np.random.default_rng(3)
        of_baseline = np.random.default_rng(4)
        for task in range(self.tasks):
            name = "gold" if self.tasks == 1 else f"task{task}"
            gold = self._rounded(2 * rng.normal(size=self.n))
            columns: dict[str, Any] = {"id": range(self.n), "label": gold.tolist()}
            users = rng.integers(self.n // 5, size=self.n)
            parts = rng.integers(2, size=self.n)
            weights = rng.integers(1, 5, size=self.n) / 8
            stated: dict[str, Any] = {
                "user": users,
                "part": [f"p{part}" for part in parts],
                "weight": weights,
            }
            columns |= {column: list(stated[column]) for column in self.columns}
            write_csv(folder / "ref" / f"{name}.csv", columns)
            for entry in range(entries):
                for run in range(self.runs):
                    size = 1 + 0.1 * entry
                    predicted = self._rounded(gold + size * rng.normal(size=self.n))
                    self._send(folder, f"e{entry}", name, run, predicted)
            if baseline:
                predicted = gold + 1.3 * of_baseline.normal(size=self.n)
                predicted[7] += 1e4 * (baseline == "odd")
                self._send(folder, BASELINE, name, 0, predicted)
        settings = self.settings + "\nslices: [part]" * ("part" in self.columns)
        lines = [settings, "resamples: 199"]
        lines += [f"baselines: [{BASELINE}]"] * bool(baseline)
        if reference is not None:
            lines.append(f"reference_entry: {reference}")
        (folder / "ref" / "scoring.yaml").write_text("\n".join(lines))

    def _rounded(self, numbers: np.ndarray) -> np.ndarray:
        return numbers.round() if self.whole else numbers

    def _send(self, folder: Path, team: str, task: str, run: int, numbers: np.ndarray) -> None:
        place = folder / "res" / team
        if self.runs > 1:
            place = place / f"run{run}"
        write_csv(place / f"{task}.csv", {"id": range(self.n), "label": numbers.tolist()})


def digits_of_others(evidence: Evidence) -> Digits:
    """Return every number that is computed of entries that can win, and of their pairs."""
    names = [name for name in evidence.names if name != BASELINE]
    rows = [evidence.number_of[name] for name in names]
    verdict = evidence.verdict
    claims = [repr(claim) for claim in (verdict.verified, verdict.confidence, verdict.corrected)]
    plans = [(evidence.names[pair.entry], repr(replace(pair, entry=0))) for pair in evidence.plan]
    digits: Digits = {"names": names, "claims": claims, "plans": plans}
    digits["closeness"] = repr(evidence.competitiveness)
    digits["rank frequency"] = evidence.rank_frequency[rows, : len(rows)].tolist()
    digits["better"] = evidence.standing.better[np.ix_(rows, rows)].tolist()
    for part, arrays in OF_ENTRIES.items():
        for what in arrays:
            values = getattr(getattr(evidence, part), what, None)
            digits[f"{part}: {what}"] = None if values is None else values[rows].tolist()
    for part_slice in evidence.slices:
        for what in ("score", "low", "high"):
            values = getattr(part_slice, what)[rows]
            digits[f"{what} in {part_slice.value}"] = values.tolist()
        other = part_slice.other_leader
        digits[f"leader in {part_slice.value}"] = None if other is None else evidence.names[other]
    return {**digits, **dict(_of_pairs(evidence))}


def _of_pairs(evidence: Evidence) -> Iterator[tuple[str, list[float]]]:
    """Yield the names of two entries that can win, and what is computed of them."""
    pairs = evidence.pairs
    if pairs is None:
        return
    for place, numbers in enumerate(zip(pairs.better.tolist(), pairs.worse.tolist(), strict=True)):
        names = [evidence.names[number] for number in numbers]
        if BASELINE not in names:
            adjusted = [
                p[place] for of_family in pairs.p_adjusted.values() for p in of_family.values()
            ]
            yield (
                " over ".join(names),
                [*(getattr(pairs, what)[place] for what in OF_PAIRS), *adjusted],
            )


def assert_the_same(alone: Analyses, beside: Analyses) -> None:
    """Compare what is computed of the others, to the last digit."""
    assert alone.keys() == beside.keys()
    for metric, evidence in alone.items():
        expected = digits_of_others(evidence)
        found = digits_of_others(beside[metric])
        assert expected.keys() == found.keys()
        for what, digits in expected.items():
            assert repr(found[what]) == repr(digits), f"{metric}, {what}"


TASKS = f"{REGRESSION}\noverall: mean_rank"
WEIGHTED = "metrics: [mean_absolute_error: {sample_weight: weight}]"
KINDS = {
    "ranks over tasks": Kind(TASKS, tasks=2),
    "slices": Kind(columns=("part",)),
    "medians": Kind("metrics: [median_absolute_error]", columns=("part",)),
    "weights": Kind(WEIGHTED, columns=("weight", "part")),
    "counts": Kind("metrics: [mean_absolute_error]", columns=("part",), whole=True),
    "seeds": Kind("metrics: [mean_absolute_error]\nruns: mean", runs=3),
    "ranks over tasks with groups": Kind(f"{TASKS}\ngroup: user", tasks=2, columns=("user",)),
    "ranks over three tasks with runs": Kind(f"{TASKS}\nruns: best", tasks=3, runs=2),
    "ranks over tasks with slices": Kind(TASKS, tasks=2, n=250, columns=("part",)),
    "ranks of many examples": Kind(f"{TASKS}\nstudentized: always", tasks=2, n=1100),
    "standardized": Kind(f"{REGRESSION}\noverall: mean_standardized", tasks=2),
    "means over tasks": Kind(f"{REGRESSION}\noverall: mean", tasks=2),
    "slices with groups": Kind(f"{REGRESSION}\ngroup: user", n=250, columns=("user", "part")),
    "slices with runs": Kind(f"{REGRESSION}\nruns: best", runs=3, columns=("part",)),
}


@pytest.mark.parametrize("entries", swept([3, 2, 7]))
@pytest.mark.parametrize("kind", swept(KINDS, fast=6))
def test_no_digit_of_the_others_changes(kind: str, entries: int) -> None:
    made = KINDS[kind]
    named = "e0/run0" if "runs: all" in made.settings else "e0"
    alone = made.evaluate(entries, "", None)
    for baseline, reference in (("usual", None), ("odd", BASELINE), ("", named)):
        assert_the_same(alone, made.evaluate(entries, baseline, reference))


@pytest.mark.parametrize("systems", swept([3, 2, 7]))
def test_no_digit_of_others_changes_where_units_are_folds(systems: int) -> None:
    rng = np.random.default_rng(6)
    frame = pd.DataFrame({"fold": [f"f{fold}" for fold in range(40)]})
    for system in [*(f"e{number}" for number in range(systems)), BASELINE]:
        frame[system] = rng.normal(size=len(frame))
    asked = Settings(
        unit=("fold",), folds=Folds(repeats=4, folds=10), greater_is_better=True, resamples=199
    )

    def found(baselines: Sequence[str], reference: str | None) -> Analyses:
        shown = frame if baselines else frame.drop(columns=BASELINE)
        settings = replace(asked, baselines=tuple(baselines), reference_entry=reference)
        findings = evaluate(*score_table(shown, settings)).findings
        return {one.metric.name: one for one in findings.evidence}

    alone = found((), None)
    for baselines, reference in (((BASELINE,), None), ((BASELINE,), BASELINE), ((), "e0")):
        assert_the_same(alone, found(baselines, reference))


def test_no_digit_of_others_changes_beside_people() -> None:
    rng = np.random.default_rng(7)
    judge = pd.DataFrame(rng.normal(size=(200, 4)), columns=["e0", "e1", "e2", BASELINE])
    judge.index = pd.Index([f"u{unit}" for unit in range(200)], name="unit")
    people = judge.sample(60, random_state=1) + rng.normal(size=(60, 4))
    asked: dict[str, Any] = {"human_sample": "random", "greater_is_better": True, "resamples": 199}

    def found(baselines: Sequence[str]) -> Analyses:
        names = ["e0", "e1", "e2", *baselines]
        settings = Settings(**asked, baselines=tuple(baselines))
        competition, settings = score_table(judge[names], settings)
        competition = with_people(competition, people[names], settings)
        findings = evaluate(competition, settings).findings
        return {one.metric.name: one for one in findings.evidence}

    assert_the_same(found(()), found((BASELINE,)))


# Digits that decide -------------------------------------------------------------------------------

# Who is tied by a mean rank, or leads within a slice, hardly ever depends on the last digit of a
# draw. So the draws themselves are compared.


def numbers_of(draws: Draws, entries: np.ndarray) -> list[bytes]:
    """Return the digits of the draws of some entries, and of the ratios of their pairs."""
    block = np.ix_(entries, entries)
    arrays = [draws.statistics[block], draws.errors[block], draws.deviations[entries]]
    if draws.resampled is not None:
        first, second = np.nonzero(np.triu(draws.resampled.row[block] >= 0, 1))
        rows = draws.resampled.row[entries[first], entries[second]]
        assert rows.size
        arrays += [draws.resampled.errors[block], draws.resampled.ratios(rows, slice(None))]
    return [np.ascontiguousarray(array).tobytes() for array in arrays]


@pytest.mark.parametrize("baseline", ["usual", "odd"])
@pytest.mark.parametrize("n", [90, 1100])
def test_a_mean_rank_draws_the_others_by_the_same_numbers(
    monkeypatch: pytest.MonkeyPatch, baseline: str, n: int
) -> None:
    stacks: list[Draws] = []
    whole = mean_ranks.stacked

    def watched(tasks: Sequence[Draws]) -> Draws:
        stacks.append(whole(tasks))
        return stacks[-1]

    monkeypatch.setattr(mean_ranks, "stacked", watched)
    kind = Kind(f"{TASKS}\nstudentized: always", tasks=2, n=n)
    stacks_of = []
    for beside in ("", baseline):
        stacks.clear()
        kind.evaluate(5, beside, None)
        stacks_of.append(stacks[0])
    alone, together = stacks_of
    each = np.arange(together.entries)
    size = 5 + 1  # in a task, with the baseline, whose name comes first
    assert numbers_of(alone, np.arange(alone.entries)) == numbers_of(
        together, each[each % size > 0]
    )


@pytest.mark.parametrize("baseline", ["usual", "odd"])
def test_slices_draw_the_others_by_the_same_numbers(
    monkeypatch: pytest.MonkeyPatch, baseline: str
) -> None:
    drawn: list[Draws] = []
    whole = step_down.shown_above

    def watched(draws: Draws, *asked: Any) -> Any:
        drawn.append(draws)
        return whole(draws, *asked)

    monkeypatch.setattr(slice_evidence, "shown_above", watched)
    kind = Kind(columns=("part",))
    kind.evaluate(5, "", None)
    alone = drawn.copy()
    drawn.clear()
    kind.evaluate(5, baseline, None)
    assert len(drawn) == len(alone) > 0
    for without, beside in zip(alone, drawn, strict=True):
        assert numbers_of(without, np.arange(5)) == numbers_of(beside, np.arange(5))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("columns", swept([3, 1, 2, 4, 7, 16, 33]))
def test_products_of_competing_columns_are_those_of_them_alone(columns: int, order: Any) -> None:
    rng = np.random.default_rng(columns)
    for others in (1, 2, 5):
        every = np.asarray(rng.normal(size=(301, columns + others)), order=order)
        competing = rng.permutation(columns + others) < columns
        chosen = np.asarray(every[:, competing], order=order)
        block = np.ix_(competing, competing)
        for scale in (1.0, 3.0):
            left = every if scale == 1 else scale * every
            alone = chosen if scale == 1 else scale * chosen
            found = products_of_pairs(left, every, competing)
            np.testing.assert_allclose(found, left.T @ every, atol=1e-9)
            assert found[block].tobytes() == products_of_pairs(alone, chosen).tobytes()


#: Returns the variance of scores from columns [48, m] of units, of which some compete.
Variance = Callable[[np.ndarray, np.ndarray], np.ndarray]


def of_seeds(columns: np.ndarray, competing: np.ndarray) -> np.ndarray:
    """Three runs of each method, made of its column."""
    runs = np.repeat(columns, 3, axis=1)
    runs[::3] += np.tile([0.5, -0.5, 0.0], columns.shape[1])
    methods = RunsOfMethods(runs - runs.mean(axis=0), runs.mean(axis=0), np.full(len(competing), 3))
    return NormalDraws.of_seeds(methods, competing).covariance


def of_folds(columns: np.ndarray, competing: np.ndarray) -> np.ndarray:
    """Scores on folds."""
    return NormalDraws.of_folds(columns, Folds(repeats=6, folds=8), competing).covariance


def of_crossed(columns: np.ndarray, competing: np.ndarray) -> np.ndarray:
    """Lines of prompts and judges that cross."""
    groups = np.arange(48) % 12, np.arange(48) % 7
    return NormalDraws.of_crossed_groups(columns, groups, competing).covariance


def of_people(columns: np.ndarray, competing: np.ndarray) -> np.ndarray:
    """People's scores of half of the units, and a judge's of all."""
    judged = np.arange(48) < 24
    people = np.where(judged, np.square(columns.T), np.nan)
    return covariance(people, columns.T, judged, 0.4, competing=competing)


@pytest.mark.parametrize("variance", [of_seeds, of_folds, of_crossed, of_people])
@pytest.mark.parametrize("size", swept([3, 2, 5, 8, 17]))
def test_no_digit_of_a_variance_depends_on_the_other_columns(variance: Variance, size: int) -> None:
    rng = np.random.default_rng(size)
    for others in (1, 2, 5):
        columns = rng.normal(size=(48, size + others))
        competing = rng.permutation(size + others) < size
        alone = variance(columns[:, competing].copy(), np.ones(size, np.bool_))
        beside = variance(columns, competing)[np.ix_(competing, competing)]
        assert beside.tobytes() == alone.tobytes()
