"""Competitions of ranked lists from files to the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring_program.core.pool import Worker
from scoring_program.data import source
from tests.data.test_kinds import Case
from tests.metrics.kinds.runs import judgments, qrels_text, run_text, system

pytest.importorskip("ir_measures")

JUDGED = judgments(30)
RUN = {query: {"x": 1.0} for query in JUDGED} | system(JUDGED, 1.0, 1)
QRELS = {"qrels.txt": qrels_text(JUDGED)}


def test_judgments_need_no_settings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = {query: {"x": 1.0} for query in JUDGED} | system(JUDGED, 3.0, 2)
    case = Case(tmp_path, QRELS, {"bm25.run": run_text(RUN), "dense.txt": run_text(other)})
    assert case.run() == 0
    shown = capsys.readouterr().out
    assert "2 entries on 30 queries." in shown
    assert "suggests nDCG@10, AP, RR." in shown
    assert "Format: 2 TREC." in shown
    assert {"nDCG@10.bm25", "nDCG@10_ci_low", "AP.dense", "RR"} <= case.scores().keys()
    assert "test set of 30 queries" in case.page()


def test_queries_without_judgments_are_left_out_as_trec_eval_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = {**QRELS, "scoring.yaml": "metrics: [AP]\n"}
    plain = Case(tmp_path / "a", settings, {"run.txt": run_text(RUN)})
    assert plain.run() == 0
    more = RUN | {str(query): {"y": 1.0} for query in range(900, 990)}
    longer = Case(tmp_path / "b", settings, {"run.txt": run_text(more)})
    assert longer.run() == 0
    assert "90 queries without judgments were left out." in capsys.readouterr().out
    assert longer.scores() == plain.scores()


def test_a_missing_query_is_an_error_or_counts_zero(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = {query: found for query, found in RUN.items() if query not in ("303", "310")}
    res = {"run.txt": run_text(short)}
    assert Case(tmp_path / "a", QRELS, res).run() == 1
    shown = capsys.readouterr().err
    assert "2 missing ids" in shown
    assert "query '303' is missing" in shown
    settings = {**QRELS, "scoring.yaml": "metrics: [AP]\nmissing: wrong\n"}
    lenient = Case(tmp_path / "b", settings, res)
    assert lenient.run() == 0
    nothing = Case(tmp_path / "c", settings, {
        "run.txt": run_text(short | {"303": {"x": 1.0}, "310": {"x": 1.0}})
    })  # fmt: skip
    assert nothing.run() == 0
    assert lenient.scores()["AP"] == nothing.scores()["AP"]


@pytest.mark.parametrize(("runs", "small", "elsewhere"), [(8, 0, 0), (9, 0, 1), (1, -1, 1)])
def test_eight_times_as_much_as_of_other_kinds_is_read_without_other_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runs: int, small: int, elsewhere: int
) -> None:
    started = []
    start = Worker.started
    monkeypatch.setattr(Worker, "started", lambda task: started.append(1) or start(task))
    monkeypatch.setattr(source, "_SMALL", len(run_text(RUN)) + small)
    case = Case(tmp_path, QRELS, {f"{number}.run": run_text(RUN) for number in range(runs)})
    assert case.run() == 0
    assert bool(started) == elsewhere


def test_another_test_sets_queries_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = {f"5{query}": found for query, found in RUN.items()}
    assert Case(tmp_path, QRELS, {"run.txt": run_text(other)}).run() == 1
    assert "are not in the test set" in capsys.readouterr().err


def test_a_run_may_list_a_thousand_documents(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    many = {f"d{number}": float(number) for number in range(1000)}
    allowed = Case(tmp_path / "a", QRELS, {"run.txt": run_text(RUN | {"301": many})})
    assert allowed.run() == 0
    over = run_text(RUN | {"301": many | {"one more": 0.5}}).replace("one more", "one_more")
    assert Case(tmp_path / "b", QRELS, {"run.txt": over}).run() == 1
    shown = capsys.readouterr().err
    assert "line 1: found 1001 documents for this query, expected at most 1000" in shown


def test_metrics_of_rows_do_not_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ref = {"gold.csv": "id,label\na,1\nb,0\n", "scoring.yaml": "metrics: [accuracy_score]\n"}
    assert Case(tmp_path, ref, {"predictions.run": run_text(RUN)}).run() == 1
    assert "name a measure of ranked lists, such as nDCG@10" in capsys.readouterr().err


def test_the_starting_kit_checks_runs(tmp_path: Path) -> None:
    case = Case(tmp_path, QRELS, {})
    good = case.checked("good.run", run_text(RUN))
    assert "it holds a prediction for each of 30 queries" in good.stdout, good.stderr
    bad = case.checked("bad.run", "301 Q0 a 1\n")
    assert "line 1: 4 columns found, 6 expected" in bad.stderr


def test_a_run_of_unknown_documents_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every score would be 0, and nobody would see that the ids are written in another way."""
    other = {
        query: {f"doc/{document}": score for document, score in found.items()}
        for query, found in RUN.items()
    }
    case = Case(tmp_path, QRELS, {name: run_text(RUN) for name in ("a.run", "b.run")})
    (case.input / "res/c.run").write_text(run_text(other))
    assert case.run() == 0
    shown = capsys.readouterr().err
    assert "c.run: none of the documents, such as 'doc/" in shown
    assert "is judged for any query, so every score would be 0" in shown
