"""A section is a function in the registry: the contents, the page and the files follow it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from scoring_program import report as render
from scoring_program.report import assemble, language
from scoring_program.report.sections.contents import SECTIONS
from scoring_program.report.sections.one_metric import section_of
from scoring_program.report.sections.section import Passage, Section
from scoring_program.report.tables import ResultTable, TableColumn, cell
from scoring_program.report.view import MetricView
from tests.competitions import Folder
from tests.report import made


def precision(views: Sequence[MetricView]) -> Iterator[Section]:
    columns = TableColumn(("entry",), "Entry"), TableColumn(("error",), "Error", numeric=True)
    rows = tuple((cell(name), cell("0.01", 0.01)) for name in views[0].result.names)
    table = ResultTable("precision", "How precise.", columns, rows)
    figure = section_of(views[0]).distributions[0]
    passage = Passage(("First & foremost.",), table.caption, table, (figure,), "Mind <this>.")
    yield Section(
        "precision", "Precision <1>", passage, tables=(table,), figures={"precise": figure}
    )


def silent(views: Sequence[MetricView]) -> Iterator[Section]:
    yield from ()


def test_a_new_section_needs_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    before = render.build(made.teams())
    monkeypatch.setattr(assemble, "SECTIONS", (*SECTIONS, precision, silent))
    report = render.build(made.teams())
    link = assemble.Link("precision", "Precision <1>")
    assert report.contents == (*before.contents[:-1], link, before.contents[-1])
    page = render.page(report)
    assert '<li><a href="#precision">Precision &lt;1&gt;</a></li>' in page
    section = page[page.index('<section id="precision">') : page.index('<details id="evidence">')]
    parts = (
        "<h2>Precision &lt;1&gt;</h2>",
        "<p>First &amp; foremost.</p>",
        '<p class="caption">How precise.</p>',
        '<table class="stacked" style="--beside: 1" role="table" aria-label="Precision &lt;1&gt;">',
        "<bdi>NLPCIC</bdi>",
        "<figure>",
        '<p class="note">Mind &lt;this&gt;.</p>',
        "</section>",
    )
    places = [section.index(part) for part in parts]
    assert places == sorted(places)
    assert set(render.tables(report.tables)) - set(render.tables(before.tables)) == {
        "precision.csv",
        "precision.tex",
        "precision.md",
    }
    assert set(render.figures(report)) - set(render.figures(before)) == {"precise.svg"}


@pytest.mark.parametrize("form", made.FORMS)
def test_the_contents_are_the_sections_in_order(form: str) -> None:
    report = render.build(made.FORMS[form]())
    page = render.page(report)
    found = re.findall(r'<section id="([^"]+)">\n<h2>|<details id="(evidence)">', page)
    ids = [section or details for section, details in found]
    if report.metrics:
        assert ids.pop(0) == "ranking"  # above the contents
    assert [link.id for link in report.contents] == ids


def test_a_section_with_nothing_to_say_is_left_out() -> None:
    alone = render.build(made.FORMS["one_team"]())
    assert [section.id for section in alone.sections] == ["cautions"]
    assert [section.id for section in alone.evidence] == ["method", "citation", "signature"]


def test_a_metric_has_one_name_and_its_key_beside_its_function(tmp_path: Path) -> None:
    """Sentences say the label, translated; results.json and the log say it in English."""
    folder = Folder(tmp_path, n=30).write(
        "metrics: [{name: main, function: f1_score, params: {average: weighted}},"
        " {name: other, function: precision_score, params: {average: micro}}]\n"
        "language: es\nresamples: 100\n"
    )
    assert folder.run() == 0
    page = (folder.output / "detailed_results.html").read_text(encoding="utf-8")
    results = folder.results()
    assert [metric["label"] for metric in results["metrics"]] == ["weighted F1", "micro precision"]
    messages = [item["message"] for item in results["warnings"]]
    assert any("the intervals of micro precision may be" in message for message in messages)
    translated = language.load("es").metric("micro precision")
    assert f"los intervalos de {translated}" in page
    assert "other: precision_score(" in page
