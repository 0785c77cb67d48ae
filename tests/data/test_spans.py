"""Competitions of spans from files to the page: documents, what is refused, the starting kit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import scoring_program as dh
from tests.data.test_kinds import Case
from tests.metrics.kinds.sentences import FOUND, GOLD, Spans

METRICS = "metrics:\n  - span_f1\n  - name: overlap\n    function: span_f1\n"
METRICS += "    params: {match: overlap}\n"


def table(of: list[Spans], *, silent: bool) -> str:
    """Return a file with a span per row; documents without spans have a row if ``silent``."""
    rows = ["id,start,end,type"]
    for i, spans in enumerate(of):
        rows += [f"d{i:02d},{start},{end},{kind}" for start, end, kind in spans]
        rows += [f"d{i:02d},,,"] if silent and not spans else []
    return "\n".join(rows) + "\n"


REF = {"gold.csv": table(GOLD, silent=True), "scoring.yaml": METRICS}
RES = {f"{name}.csv": table(of, silent=False) for name, of in zip("ab", FOUND[:2], strict=True)}


def test_documents_without_spans_need_no_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = Case(tmp_path / "a", REF, RES)
    assert case.run() == 0
    shown = capsys.readouterr().out
    assert "2 entries on 26 documents." in shown
    assert "missing" not in shown
    assert "26 documents are too few" in case.page()
    full = {f"{name}.csv": table(of, silent=True) for name, of in zip("ab", FOUND[:2], strict=True)}
    same = Case(tmp_path / "b", REF, full)
    assert same.run() == 0
    assert case.scores() == same.scores()
    assert case.scores()["overlap.a"] > case.scores()["span_f1.a"]


def test_lists_in_python_give_the_numbers_of_files(tmp_path: Path) -> None:
    case = Case(tmp_path, REF, RES)
    assert case.run() == 0
    result = dh.compare(GOLD, {"a": FOUND[0], "b": FOUND[1]}, metrics="span_f1", resamples=100)
    for row in result["span_f1"].ranking:
        assert case.scores()[f"span_f1.{row.entry}"] == pytest.approx(row.score, abs=1e-9)


def test_the_metrics_of_spans_are_shown_without_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert Case(tmp_path, {"gold.csv": REF["gold.csv"]}, RES).run() == 0
    assert "suggests span_f1, span_precision, span_recall." in capsys.readouterr().out


@pytest.mark.parametrize(("start", "end"), [(0, -1), (1, 1)])
@pytest.mark.parametrize("everybody", [False, True])
def test_spans_that_count_otherwise_than_the_gold_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], start: int, end: int, everybody: bool
) -> None:
    moved = [tuple((a + start, b + end, kind) for a, b, kind in spans) for spans in GOLD]
    res = {"moved.csv": table(moved, silent=False), "other.csv": RES["a.csv"]}
    if everybody:
        res["other.csv"] = table([spans[:1] for spans in moved], silent=False)
    case = Case(tmp_path, REF, res)
    assert case.run() == 0
    (said,) = (x for x in capsys.readouterr().out.splitlines() if "Most spans of moved" in x)
    assert said.startswith("Warning (red)" if everybody else "Warning (amber)")
    assert ("moved, other match" in said) == everybody
    assert case.page().count("Most spans of") == 1


def test_spans_that_match_are_not_told_to_be_moved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert Case(tmp_path, REF, RES).run() == 0
    assert "Most spans of" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("d77,0,5,PER", "id 'd77' is not in the test set"),
        ("d03,9,5,PER", "found start 9 and end 5, expected an end that is not before the start"),
        ("d03,0,1,PERS", "found the type 'PERS', expected a type of the task"),
    ],
)
def test_defects(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], row: str, message: str
) -> None:
    content = f"{RES['a.csv']}{row}\n"
    assert Case(tmp_path, REF, {"predictions.csv": content}).run() == 1
    shown = capsys.readouterr().err
    assert message in shown
    assert "predictions.csv: 1 " in shown
    assert f"line {content.count(chr(10))}: " in shown


def test_the_starting_kit_reads_spans_as_the_platform_does(tmp_path: Path) -> None:
    case = Case(tmp_path, REF, {})
    good = case.checked("p.csv", RES["a.csv"])
    assert "the file can be scored" in good.stdout, good.stderr
    assert "found start 9 and end 5" in case.checked("p.csv", f"{RES['a.csv']}d03,9,5,PER\n").stderr


def _objects(of: list[Spans], more: Mapping[str, int | str]) -> list[list[dict[str, Any]]]:
    """Return spans with more keys: numbers are added to their ends, and texts are the ends' own."""
    objects = []
    for spans in of:
        of_document = []
        for start, end, kind in spans:
            item: dict[str, Any] = {"start": start, "end": end, "type": kind}
            for key, value in more.items():
                item[key] = item[value] if isinstance(value, str) else end + value
            of_document.append(item)
        objects.append(of_document)
    return objects


def _written(form: str, of: list[Spans], more: Mapping[str, int | str]) -> tuple[str, str]:
    """Return the extension and the text of a file of spans."""
    documents = [*zip([f"d{i:02d}" for i in range(len(of))], _objects(of, more), strict=True)]
    if form == "lists":
        return "json", json.dumps([{"id": key, "spans": spans} for key, spans in documents])
    rows = [{"id": key, **span} for key, spans in documents for span in spans]
    if form == "records":
        return "json", json.dumps(rows)
    lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
    return "csv", "\n".join(lines)


def _case(path: Path, form: str, more: Mapping[str, int | str], settings: str = "") -> Case:
    files = {}
    for name, of in zip("ab", FOUND[:2], strict=True):
        extension, text = _written(form, of, more)
        files[f"{name}.{extension}"] = text
    extension, text = _written(form, GOLD, more)
    return Case(path, {f"gold.{extension}": text, "scoring.yaml": METRICS + settings}, files)


_FORMS = ("lists", "records", "table")


@pytest.mark.parametrize("form", _FORMS)
def test_which_of_two_starts_and_ends_is_asked_and_stated(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = {"begin": 100, "stop": 200}
    assert _case(tmp_path / "open", form, more).run() == 2
    asked = capsys.readouterr().err
    assert "several columns or keys may be the 'start', 'end' of spans. Which are?" in asked
    way = "{columns: {start: start, end: end}}"
    assert f"\n  reference: {way}\n" in asked
    assert "reference: {columns: {start: begin, end: end}}" not in asked  # ends before it starts
    stated = f"reference: {way}\n"
    assert _case(tmp_path / "gold", form, more, stated).run() != 0
    told = capsys.readouterr().err
    assert (
        "several columns or keys may be the 'start', 'end' of spans: 'start', 'end', 'stop', 'b"
        in told
    )
    assert f"'submissions: {way}'" in told
    stated_case = _case(tmp_path / "both", form, more, f"{stated}submissions: {way}\n")
    assert stated_case.run() == 0
    plain = _case(tmp_path / "plain", form, {})
    assert plain.run() == 0
    assert stated_case.scores() == plain.scores()
    other = "{columns: {start: begin, end: stop}}"
    moved = _case(tmp_path / "moved", form, more, f"reference: {other}\nsubmissions: {other}\n")
    assert moved.run() == 0
    assert moved.scores() != plain.scores()


@pytest.mark.parametrize("form", _FORMS)
def test_keys_that_say_the_same_are_no_question(form: str, tmp_path: Path) -> None:
    same = _case(tmp_path / "same", form, {"begin": "start", "stop": "end", "label": "type"})
    plain = _case(tmp_path / "plain", form, {})
    assert same.run() == plain.run() == 0
    assert same.scores() == plain.scores()
