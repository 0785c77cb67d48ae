"""What helps to find an entry: the index of names, the choice of rows, the links to rankings."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from scoring_program import report as render
from scoring_program.core.errors import LeftOut
from scoring_program.core.phrases import Phrase, verbatim
from scoring_program.document.blocks import Fact, Facts, every
from scoring_program.report.findings import Findings
from tests.report import made
from tests.report.kinds import crowd


def graded(m: int, **about: Any) -> Findings:
    scores, names = made.graded(m)
    return replace(made.result(scores, names, resamples=200), **about)


def names(report: render.Document) -> list[str]:
    return [item.label for item in items(report)]


def parts(report: render.Document) -> list[Facts]:
    """Return the parts of the index."""
    return [links for links in every(report.blocks, Facts) if links.style == "index"]


def items(report: render.Document) -> list[Fact]:
    return [item for part in parts(report) for item in part.items]


def choices(report: render.Document) -> tuple[tuple[str, str], ...]:
    """Return the choices of rows of the ranking."""
    return made.tables(report, "ranking")[0].choices


def test_a_short_page_has_neither() -> None:
    for report in (made.built(made.teams()), render.build(graded(20))):
        assert parts(report) == []
        assert choices(report) == ()
        assert 'class="tools"' not in render.page(report)


def test_every_name_is_in_the_index_of_a_large_field() -> None:
    findings = crowd()
    report = made.built(findings)
    found = {(item.label, item.address, item.tags) for item in items(report)}
    assert {name for name, _, _ in found} == {*findings.names, "broken", "omega"}
    assert ("Ñandú", "entry-Nandu", ()) in found
    assert (findings.names[-1], "entry-team_23", ("baseline",)) in found
    # An unusable upload of a team that has an entry, too; an upload that was left aside.
    assert {("zeta", "entry-zeta", ()), ("zeta", "unusable-zeta", ("not scored",))} <= found
    assert ("broken", "unusable-broken", ("not scored",)) in found
    assert ("omega", "left-aside", ("left aside",)) in found


def test_every_address_of_the_index_is_on_the_page_once() -> None:
    report = render.build(crowd(metrics=2))
    ids = re.findall(r' id="([^"]+)"', render.page(report))
    assert items(report)
    for item in items(report):
        assert ids.count(item.address) == 1, item


def test_the_alphabet_is_the_same_everywhere_and_ignores_case_and_accents() -> None:
    found = names(render.build(crowd()))
    latin = [name for name in found if name in ("Alpha", "broken", "éclair", "Ñandú", "omega")]
    assert latin == ["Alpha", "broken", "éclair", "Ñandú", "omega"]


def test_a_long_index_is_divided_into_parts_that_a_phone_shows_at_once() -> None:
    assert [len(part.items) for part in parts(render.build(graded(50)))] == [50]
    report = render.build(graded(134))
    assert [len(part.items) for part in parts(report)] == [44, 45, 45]
    assert "team 045 – team 089</span></summary>" in render.page(report)


def test_many_names_without_many_rows_have_an_index_but_nothing_to_choose() -> None:
    uploads = tuple(LeftOut(f"team {k}", verbatim("empty file")) for k in range(15))
    report = render.build(made.result(unusable=uploads))
    assert len(names(report)) == 25
    assert choices(report) == ()


def test_an_entry_without_a_score_by_the_ranking_metric_is_led_to_the_reason() -> None:
    findings = graded(25)
    task = {("elsewhere", "task 1"): verbatim("no file")}
    findings = replace(findings, names=(*findings.names, "elsewhere"), unscored=task)
    report = made.built(findings)
    (found,) = (item for item in items(report) if item.label == "elsewhere")
    assert found.address == "unscored"
    assert found.tags == ("not ranked",)


def test_only_choices_that_change_something_are_offered() -> None:
    assert [words for _, words in choices(render.build(crowd()))] == [
        "the first (15)",
        "all (40)",
        "possible winners (5)",
        "without baselines (37)",
    ]
    clear = made.result((0.9, *made.graded(24)[0]), made.graded(25)[1], resamples=200)
    assert [key for key, _ in choices(render.build(clear))] == ["first", "all"]
    aside = (LeftOut("team 001", Phrase("the same upload, run again")),)
    keys = [key for key, _ in choices(render.build(graded(25, left_aside=aside)))]
    assert keys == ["all", "winners"]


def test_headings_of_the_table_of_all_metrics_lead_to_the_rankings() -> None:
    page = render.page(made.built(made.teams()))
    addresses = ("ranking", "metric-2-ranking", "metric-3-ranking")
    head = page[page.index('<section id="overview">') :].partition("</thead>")[0]
    assert tuple(re.findall(r'<a href="#([^"]+)">', head)) == addresses
    for address in addresses:
        assert page.count(f' id="{address}"') == 1


def test_the_style_sheet_knows_every_choice() -> None:
    page = render.page(render.build(crowd()))
    for key in ("first", "winners", "competing"):
        assert f"#show-{key}:checked" in page
    assert page.count('name="show"') == 4
    assert page.count(" checked>") == 1
