"""Measures of ranked lists equal what ir_measures aggregates over the resampled queries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scoring_program.core.errors import SettingsError
from scoring_program.metrics import resolve
from scoring_program.reading.formats import read_examples
from scoring_program.reading.formats.kind import FileDescription
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
