"""Measures of ranked lists equal what ir_measures aggregates over the resampled queries."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring_program.core.errors import SettingsError
from scoring_program.data.source import read_input
from scoring_program.metrics import resolve
from scoring_program.metrics.kinds import retrieval
from scoring_program.reading.formats import read_examples
from scoring_program.reading.formats.kind import FileDescription
from scoring_program.scoring.score_entries import score_entries
from scoring_program.settings.checks import MetricSpec
from tests.metrics.kinds.resamples import compare, scorer_of
from tests.metrics.kinds.runs import Lists, judgments, qrels_text, run_text, system
from tests.sweeps import thinned

ir_measures = pytest.importorskip("ir_measures")

JUDGED = judgments()
RUNS = [system(JUDGED, noise, seed) for seed, noise in enumerate((4.0, 1.0))]


def cells(text: str, *, gold: bool) -> dict[str, Any]:
    table = read_examples(text.encode(), "a file", "ranking", FileDescription("lines"), gold=gold)
    return dict(zip(*table.columns, strict=True))


GOLD = cells(qrels_text(JUDGED), gold=True)
#: What the files say, by what is read of it: the oracle ranks by the scores itself.
WRITTEN: dict[Any, dict[str, float]] = {}


def listed(run: Lists) -> list[Any]:
    """Return the cells of a run's queries."""
    read = cells(run_text(run), gold=False)
    WRITTEN.update({read[query]: run[query] for query in run})
    return [read.get(query, ()) for query in GOLD]


SYSTEMS = [*map(listed, RUNS), listed(RUNS[0])]


def aggregate(measure: str, golds: list[Any], lists: list[Any], *, tied: bool = True) -> float:
    """Return ir_measures' aggregate over queries of which each is another one's copy."""
    qrels = {str(number): dict(gold) for number, gold in enumerate(golds)}
    run = {
        str(number): WRITTEN[found] if tied else {d: -float(r) for r, d in enumerate(found)}
        for number, found in enumerate(lists)
        if found
    }
    parsed = ir_measures.parse_measure(measure)
    return float(ir_measures.calc_aggregate([parsed], qrels, run)[parsed])


@pytest.mark.parametrize(
    "measure",
    thinned(
        ["nDCG@10", "AP", "RR", "P@5", "R@100", "nDCG", "AP(rel=2)@20", "P(rel=2)@5", "Rprec",
         "Bpref", "SetP", "IPrec@0.1", "infAP", "SetF", "SetAP", "nDCG(judged_only=True)@10"]
    ),
)  # fmt: skip
def test_equals_ir_measures_on_the_resampled_queries(measure: str) -> None:
    compare(measure, {}, list(GOLD.values()), SYSTEMS, lambda g, p: aggregate(measure, g, p))


@pytest.mark.parametrize("measure", ["RR@10", "Judged@10", "Compat"])
def test_ties_are_broken_as_trec_eval_does_under_every_provider(measure: str) -> None:
    """Their providers break ties by the order of the lines; here they see none."""
    compare(
        measure, {}, list(GOLD.values()), SYSTEMS, lambda g, p: aggregate(measure, g, p, tied=False)
    )


def test_a_query_without_results_counts_zero() -> None:
    gold = list(GOLD.values())
    scored = scorer_of("AP", {}, gold, [[()] * len(gold), SYSTEMS[0]])
    np.testing.assert_array_equal(scored.observed[0], 0.0)
    missing = [()] * 10 + SYSTEMS[0][10:]
    (found,) = scorer_of("AP", {}, gold, [missing]).observed
    np.testing.assert_allclose(found, aggregate("AP", gold[10:], missing[10:]) * 20 / 30)


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("P", "cannot read the measure 'P'"),
        ("nDCG(rank=2)@10", "cannot read the measure"),
        ("AP@ten", "no function 'AP@ten'"),
        ("NumQ", "no function 'NumQ'"),
        ("Accuracy", "no function 'Accuracy'"),
        ("RBP(rel=1)", "no provider for 'RBP(rel=1)' here; pip install"),
        ("nDGC@10", "no function 'nDGC@10'"),
    ],
)
def test_measures_that_cannot_be_computed(measure: str, message: str) -> None:
    with pytest.raises(SettingsError) as error:
        resolve([MetricSpec("x", measure)], None)
    assert message in str(error.value)


def test_without_the_library_its_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SettingsError) as error:
        resolve([MetricSpec("x", "nDCG@10")], None)
    assert 'pip install ".[ir]"' in str(error.value)


#: Measures that providers group in ways of their own; two of them are the same one.
TOGETHER = (
    "nDCG(judged_only=True)@10", "nDCG@10", "nDCG", "AP", "MAP", "AP(rel=2)@20", "RR", "RR@10",
    "P@5", "P(rel=2)@5", "R@100", "Rprec", "Bpref", "SetP", "SetF", "SetF(beta=2.0)", "SetAP",
    "IPrec@0.1", "infAP", "Judged@10", "Compat",
)  # fmt: skip


def test_measures_count_together_what_each_counts_alone() -> None:
    gold = [judged for judged in GOLD.values() for _ in SYSTEMS]
    lists = [system[query] for query in range(len(GOLD)) for system in SYSTEMS]
    together = retrieval._all_measured(TOGETHER, gold, lists)
    for number, name in enumerate(TOGETHER):
        alone = retrieval._measured(name, gold, lists, {})
        np.testing.assert_array_equal(together[:, 2 * number : 2 * number + 2], alone)


def test_a_run_is_measured_once_for_all_measures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[tuple[Sequence[str], int]] = []
    count = retrieval._all_measured

    def counting(names: Sequence[str], golds: Sequence[Any], lists: Sequence[Any]) -> Any:
        calls.append((names, len(golds)))
        return count(names, golds, lists)

    monkeypatch.setattr(retrieval, "_all_measured", counting)
    (tmp_path / "ref").mkdir()
    (tmp_path / "res").mkdir()
    (tmp_path / "ref/gold.qrels").write_text(qrels_text(JUDGED))
    (tmp_path / "ref/scoring.yaml").write_text(
        "metrics: [{name: mix, formula: (AP + early) / 2}, AP, {name: early, function: P@5}, RR]\n"
        "resamples: 100\nworkers: 1\nmissing: wrong\n"
    )
    for number, submission in enumerate(RUNS):
        (tmp_path / f"res/run{number}.run").write_text(run_text(submission))
    _, ((mix, *measured),) = score_entries(*read_input(tmp_path, lambda settings: settings))
    assert mix.scorer.observed.shape == (len(RUNS),)
    names = ("AP", "P@5", "RR")
    # Neither run lists anything for one query, so it is one pair.
    assert calls == [(names, len(GOLD) * len(RUNS) - 1)]
    for item, name in zip(measured, names, strict=True):
        for score, lists in zip(item.scorer.observed, SYSTEMS, strict=False):
            expected = aggregate(name, list(GOLD.values()), lists)
            assert score == pytest.approx(expected, abs=1e-12)
