"""Comparing competitions from their results.json."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from scoring_program.commands import compare
from scoring_program.core.catalogs import languages
from scoring_program.document.blocks import every
from scoring_program.document.take_away import ResultTable
from scoring_program.inference.descriptive import ComparedCompetition, closest, undecided
from scoring_program.report import comparison
from tests.report.drawn import ends

#: VaxxStance 2021 by the published F1 scores: CV, winner − median, PPI (N24, T 5.4). The numbers of
#: examples are made alike: measures of test sets of other sizes are not compared.
SPANISH = {
    "n": 694,
    "m": 5,
    "cv_percent": 9.970,
    "winner_minus_median": 0.068,
    "ppi_percent": 19.08,
}
BASQUE = {
    "n": 612,
    "m": 5,
    "cv_percent": 19.680,
    "winner_minus_median": 0.071,
    "ppi_percent": 42.66,
}
#: So small that chance explains no difference between the two.
ERRORS = {"cv_percent": 0.1, "winner_minus_median": 0.001, "ppi_percent": 0.1}
OF_ERRORS = {f"standard_errors.{key}": error for key, error in ERRORS.items()}


def results(title: str, measures: dict[str, Any], metric: str = "f1_score") -> dict[str, Any]:
    ties = {"none": 1, "bonferroni": 2, "holm": 2, "fdr_bh": 1}
    competitiveness = {
        "ties_with_winner": ties,
        "possible_comparisons": 10,
        "ties_between_competitors": ties,
        "standard_errors": ERRORS,
        **measures,
    }
    verdict = {"leaders": ["a"], "possible_winners": ["a", "b"], "rule": "max_t"}
    entries = [{"entry": name, "baseline": name == "f"} for name in "abcdef"]
    metrics = [
        {
            "name": metric,
            "bounds": [0.0, 1.0],
            "competitiveness": competitiveness,
            "verdict": verdict,
            "entries": entries,
        },
        {"name": "recall", "competitiveness": {**competitiveness, "cv_percent": None}},
    ]
    return {"schema_version": 2, "title": title, "metrics": metrics}


def save(path: Path, document: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.fixture
def two(tmp_path: Path) -> list[str]:
    return [
        str(save(tmp_path / "a" / "results.json", results("VaxxStance Spanish", SPANISH))),
        str(save(tmp_path / "b" / "results.json", results("VaxxStance Basque", BASQUE)).parent),
    ]


def test_one_column_a_competition(two: list[str], tmp_path: Path) -> None:
    assert compare.main([*two, "-o", str(tmp_path / "out")]) == 0
    with (tmp_path / "out" / "comparison.csv").open(encoding="utf-8", newline="") as stream:
        rows = {row[0]: row[1:] for row in csv.reader(stream)}
    assert rows["measure"] == ["VaxxStance Spanish", "VaxxStance Basque"]
    assert rows["cv_percent"] == ["9.97", "19.68"]
    assert rows["ties_with_winner.holm"] == ["2", "2"]
    assert rows["tied_with_leader"] == ["1", "1"]
    assert rows["tie_rule"] == ["max_t", "max_t"]
    assert len(rows) == 1 + 2 + 15
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {f"comparison.{end}" for end in ("html", "csv", "tex", "md")}
    page = (tmp_path / "out" / "comparison.html").read_text(encoding="utf-8")
    assert (
        "VaxxStance Spanish was closer than VaxxStance Basque by the distance from winner to "
        "median." in page
    )


@pytest.mark.parametrize(
    ("kinds", "facts", "heading"),
    [
        (("text", "text"), ("5 segments", "5 segments"), "Segments, n"),
        (("ranking", None), ("5 queries", "5 examples"), "Examples or units, n"),
        (("rows", "of another program"), ("5 examples", "5 examples"), "Test examples, n"),
    ],
)
def test_examples_are_counted_by_their_unit(
    tmp_path: Path, kinds: tuple[str | None, ...], facts: tuple[str, ...], heading: str
) -> None:
    paths = []
    for name, kind in zip("ab", kinds, strict=True):
        document = {**results(name, {**SPANISH, "n": 5}), "kind": kind}
        if kind is None:
            del document["kind"]
        paths.append(str(save(tmp_path / name / "results.json", document)))
    assert compare.main([*paths, "-o", str(tmp_path / "out")]) == 0
    page = (tmp_path / "out" / "comparison.html").read_text(encoding="utf-8")
    for fact in facts:
        assert f" · {fact} · " in page
    assert heading in page


def test_the_closest_by_each_measure() -> None:
    of = {"m": 5, "n": 500, "standard_errors.cv_percent": 0.1}
    spanish = ComparedCompetition("S", "f1", {**of, "ties_with_winner.holm": 2, "cv_percent": 9})
    basque = ComparedCompetition("B", "f1", {**of, "ties_with_winner.holm": 3, "cv_percent": 9.5})
    unknown = ComparedCompetition("U", "f1", {"m": 3})
    assert closest([spanish, basque, unknown]) == {"cv_percent": (0,)}
    # Numbers of ties have no standard error.
    assert undecided([spanish, basque, unknown]) == {"ties_with_winner.holm": "chance"}


@pytest.mark.parametrize(
    ("second", "why"),
    [
        ({}, None),
        ({"cv_percent": 9.27}, "chance"),
        ({"cv_percent": 9.29}, None),
        ({"n": 624}, None),
        ({"n": 625}, "sizes"),
        ({"n": 400}, "sizes"),
        ({"m": 6}, "sizes"),
        ({"standard_errors.cv_percent": None}, "chance"),
    ],
)
def test_chance_and_sizes_explain_a_difference(
    second: dict[str, float | None], why: str | None
) -> None:
    """1.96 standard errors of the difference of two are 0.277 here."""
    of = {"m": 5, "n": 500, "standard_errors.cv_percent": 0.1}
    one = ComparedCompetition("A", "f1", {**of, "cv_percent": 9.0})
    other = ComparedCompetition("B", "f1", {**of, "cv_percent": 9.5, **second})
    assert closest([one, other]) == ({} if why else {"cv_percent": (0,)})
    assert undecided([one, other]) == ({"cv_percent": why} if why else {})
    said = comparison.build([one, other], closest([one, other]), undecided([one, other])).verdict
    assert ("cannot be told apart" in said) == (why == "chance")
    assert ("depends on the size of the test set" in said) == (why == "sizes")
    assert ("was closer than" in said) == (why is None)


def test_a_table_of_systems_is_sent_to_the_command_that_compares_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "systems.csv"
    table.write_text("query,A,B\nq1,1,2\n")
    assert compare.main([str(table), "-o", str(tmp_path / "out")]) == 2
    assert "run 'deadheat score'" in capsys.readouterr().err


def test_an_older_file_has_no_standard_errors(tmp_path: Path) -> None:
    paths = []
    for name, measures in (("a", SPANISH), ("b", BASQUE)):
        document = results(name, measures)
        for metric in document["metrics"]:
            del metric["competitiveness"]["standard_errors"]
        paths.append(str(save(tmp_path / f"{name}.json", document)))
    assert compare.main([*paths, "-o", str(tmp_path / "out")]) == 0
    page = (tmp_path / "out" / "comparison.html").read_text(encoding="utf-8")
    assert "cannot be told apart" in page
    assert "<small>closest</small>" not in page


def test_equal_competitions_have_no_closest() -> None:
    one = ComparedCompetition("S", "f1", {"m": 5, "cv_percent": 9.0})
    assert closest([one, one]) == {}


def test_distances_are_not_compared_across_metrics() -> None:
    one = ComparedCompetition("S", "f1", {"winner_minus_median": 0.1, **OF_ERRORS})
    other = ComparedCompetition("B", "rmse", {"winner_minus_median": 12.0, **OF_ERRORS})
    assert closest([one, other]) == {}
    assert closest([one, ComparedCompetition("C", "f1", {"winner_minus_median": 0.2, **OF_ERRORS})])


def test_an_error_in_its_own_units_is_not_compared_with_percentages() -> None:
    rmse = ComparedCompetition("R", "rmse", {"ppi_percent": 3.0}, bounded=False)
    f1 = [
        ComparedCompetition(title, "f1", {"ppi_percent": ppi, **OF_ERRORS})
        for title, ppi in (("A", 20.0), ("B", 30.0))
    ]
    found = closest([rmse, *f1])
    assert found == {"ppi_percent": (1,)}
    report = comparison.build([rmse, *f1], found)
    _, table = every(report.blocks, ResultTable)
    assert "without a range, the winner's error" in table.rows[-1][0].text


def test_another_metric_by_name(two: list[str], tmp_path: Path) -> None:
    assert compare.main([*two, "-o", str(tmp_path / "out"), "--metric", "recall"]) == 0
    text = (tmp_path / "out" / "comparison.md").read_text(encoding="utf-8")
    assert "| Coefficient of variation, CV (%) | – | – |" in text


def test_the_same_competition_twice_is_told_apart(two: list[str], tmp_path: Path) -> None:
    assert compare.main([two[0], two[0], "-o", str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "comparison.md").read_text(encoding="utf-8")
    assert "VaxxStance Spanish (2)" in text


def heads(output: Path) -> dict[str, list[str]]:
    with (output / "comparison.csv").open(encoding="utf-8", newline="") as stream:
        return {row[0]: row[1:] for row in csv.reader(stream)}


def test_competitions_without_a_title_are_called_by_their_folders(tmp_path: Path) -> None:
    untitled = results("", SPANISH)
    paths = [save(tmp_path / year / "out" / "results.json", untitled) for year in ("2024", "2025")]
    titled = save(tmp_path / "out.json", results("Pilot", BASQUE))
    output = str(tmp_path / "comparison")
    assert compare.main([*map(str, [*paths, paths[0], titled]), "-o", output]) == 0
    assert heads(Path(output))["measure"] == ["2024", "2025", "2024 (2)", "Pilot"]
    named = [save(tmp_path / f"{name}.json", untitled) for name in ("a", "b")]
    assert compare.main([*map(str, named), "-o", output]) == 0
    assert heads(Path(output))["measure"] == ["a", "b"]


def test_two_metrics_of_one_function_are_not_the_same(tmp_path: Path) -> None:
    documents = [results("Binary", SPANISH), results("Macro", BASQUE)]
    binary, macro = "f1_score(pos_label=favor)", "f1_score(average=macro)"
    for document, definition in zip(documents, (binary, macro), strict=True):
        document["metrics"][0]["definition"] = definition
    paths = [save(tmp_path / f"{k}.json", document) for k, document in enumerate(documents)]
    output = tmp_path / "out"
    assert compare.main([*map(str, paths), "-o", str(output)]) == 0
    assert heads(output)["metric"] == [binary, macro]
    page = (output / "comparison.html").read_text(encoding="utf-8")
    assert "Binary was closer than Macro by CV." in page


@pytest.mark.parametrize("code", languages())
def test_hostile_titles_and_languages(code: str, tmp_path: Path) -> None:
    title = '</title><script>alert(1)</script>=1+1 & 50%_$|"'
    documents = [results(title, SPANISH), results("=2+2", BASQUE)]
    paths = [save(tmp_path / f"{k}.json", document) for k, document in enumerate(documents)]
    output = tmp_path / "out"
    arguments = [*map(str, paths), "-o", str(output), "--language", code]
    assert compare.main(arguments) == 0
    page = (output / "comparison.html").read_text(encoding="utf-8")
    html5lib = pytest.importorskip("html5lib")
    html5lib.HTMLParser(strict=True).parse(page)
    assert not re.search(r"<(script|img|iframe|link)\b", page)
    header = (output / "comparison.csv").read_text(encoding="utf-8").splitlines()[0]
    assert header.endswith(",'=2+2")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not valid JSON"),
        ("[]", "schema_version 3, found None"),
        ('{"schema_version": 4}', "schema_version 3, found 4"),
        ('{"schema_version": 2}', "missing or malformed"),
        ('{"schema_version": 2, "metrics": []}', "missing or malformed"),
        (
            '{"schema_version": 2, "metrics": [{"name": "f1", "competitiveness": {"m": "x"}}]}',
            "missing or malformed",
        ),
    ],
)
def test_what_is_no_results_json(
    content: str,
    message: str,
    two: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_text(content, encoding="utf-8")
    output = tmp_path / "out"
    assert compare.main([two[0], str(wrong), "-o", str(output)]) == 2
    said = capsys.readouterr().err
    assert "wrong.json" in said
    assert message in said
    assert not output.exists()


def test_one_competition_or_a_missing_file(
    two: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare.main([two[0], "-o", str(tmp_path / "out")]) == 2
    assert compare.main([two[0], str(tmp_path / "no.json"), "-o", str(tmp_path / "out")]) == 2
    arguments = [*two, "-o", str(tmp_path / "out"), "--metric", "recal"]
    assert compare.main(arguments) == 2
    assert "did you mean 'recall'?" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_comparison_replaces_an_older_one_whole(
    two: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "out"
    assert compare.main([*two, "-o", str(output)]) == 0
    names = sorted(path.name for path in output.iterdir())
    (output / "notes.txt").write_text("the organizer's")
    for path in output.glob("comparison.*"):
        path.write_text("old")
    assert compare.main([*two, "-o", str(output)]) == 0
    assert sorted(path.name for path in output.iterdir()) == [*names, "notes.txt"]
    assert "old" not in {path.read_text(encoding="utf-8") for path in output.iterdir()}
    (tmp_path / "file").write_text("mine")
    assert compare.main([*two, "-o", str(tmp_path / "file")]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert (tmp_path / "file").read_text() == "mine"
    assert not list(tmp_path.rglob(".*"))


def test_measures_are_drawn_where_they_are_known() -> None:
    ties = {"m": 5, "tied_with_leader": 1, "others": 4, **OF_ERRORS}
    known = ComparedCompetition("S", "f1", {**ties, "cv_percent": 9.0, "ppi_percent": None})
    other = ComparedCompetition("B", "f1", {**ties, "cv_percent": 4.5, "ppi_percent": 30.0})
    report = comparison.build([known, other], closest([known, other]))
    measures, _ = every(report.blocks, ResultTable)
    assert [column.heading for column in measures.columns[1:]] == [
        "Leader and tied with it",
        "Coefficient of variation, CV (%)",
    ]
    spans = [ends(strip) for row in measures.rows if (strip := row[2].strip) is not None]
    first, second = (point - low for low, point, _ in spans)
    assert first == pytest.approx(2 * second, abs=0.05)
    name, *cells = measures.rows[1]
    assert (name.text, name.note) == ("B", "f1 · 5 entries")
    assert [(cell.text, cell.note) for cell in cells] == [("2 of 5", ""), ("4.50", "closest")]


def test_ring_and_diamond_speak_of_ties_only(two: list[str], tmp_path: Path) -> None:
    assert compare.main([*two, "-o", str(tmp_path)]) == 0
    page = (tmp_path / "comparison.html").read_text(encoding="utf-8")
    bars = re.findall(r'<svg class="strip (\w+)"', page)
    assert set(bars) == {"plain"}
    assert len(bars) == 2 * 2
    assert page.count("<small>closest</small>") == 1
    # For the eye, too.
    assert 'class="measure">Possible winners <small>' in page


def test_a_comparison_says_the_numbers_of_the_pages_and_links_to_them(tmp_path: Path) -> None:
    """The examples of all tasks or rows are counted, and who is tied by the page's own rule."""
    document = results("Spanish", {**SPANISH, "n": 600}) | {"n": 2300}
    document["metrics"][0]["label"] = "F1 of favor"
    paths = [save(tmp_path / "sp anish" / "results.json", document)]
    paths.append(save(tmp_path / "basque" / "results.json", results("Basque", BASQUE)))
    (tmp_path / "sp anish" / "detailed_results.html").write_text("the page")
    assert compare.main([*map(str, paths), "-o", str(tmp_path / "out")]) == 0
    page = (tmp_path / "out" / "comparison.html").read_text(encoding="utf-8")
    assert "F1 of favor · 2,300 examples · 5 entries · max-T" in page.replace("\n", " ")
    assert re.findall(r'<a href="(\.\.[^"]*)"', page) == ["../sp%20anish/detailed_results.html"]
    assert "2 of 5" in page
