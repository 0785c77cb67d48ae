"""What helps to find an entry: the index of names, the choice of rows, the links to rankings."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from scoring_program import report as render
from scoring_program.alignment.competition import Unusable
from scoring_program.core.notes import LeftAside, Note
from scoring_program.core.phrases import verbatim
from scoring_program.inference import Findings
from scoring_program.report import Report
from tests.report import made
from tests.report.kinds import crowd


def graded(m: int, **about: Any) -> Findings:
    scores, names = made.graded(m)
    return replace(made.result(scores, names, resamples=200), **about)


def names(report: Report) -> list[str]:
    return [item.name for part in report.index for item in part.names]


def test_a_short_page_has_neither() -> None:
    for report in (render.build(made.teams()), render.build(graded(20))):
        assert report.index == ()
        assert report.choices == ()
        assert 'class="tools"' not in render.page(report)


def test_every_name_is_in_the_index_of_a_large_field() -> None:
    findings = crowd()
    report = render.build(findings)
    found = {(item.name, item.address, item.tags) for part in report.index for item in part.names}
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
    assert report.index
    for part in report.index:
        for item in part.names:
            assert ids.count(item.address) == 1, item


def test_the_alphabet_is_the_same_everywhere_and_ignores_case_and_accents() -> None:
    found = names(render.build(crowd()))
    latin = [name for name in found if name in ("Alpha", "broken", "éclair", "Ñandú", "omega")]
    assert latin == ["Alpha", "broken", "éclair", "Ñandú", "omega"]


def test_a_long_index_is_divided_into_parts_that_a_phone_shows_at_once() -> None:
    assert [len(part.names) for part in render.build(graded(50)).index] == [50]
    report = render.build(graded(134))
    assert [(part.first, part.last, len(part.names)) for part in report.index] == [
        ("team 001", "team 044", 44),
        ("team 045", "team 089", 45),
        ("team 090", "team 134", 45),
    ]
    assert "<bdi>team 045</bdi> – <bdi>team 089</bdi>" in render.page(report)


def test_many_names_without_many_rows_have_an_index_but_nothing_to_choose() -> None:
    uploads = tuple(Unusable(f"team {k}", verbatim("empty file")) for k in range(15))
    report = render.build(made.result(unusable=uploads))
    assert len(names(report)) == 25
    assert report.choices == ()


def test_an_entry_without_a_score_by_the_ranking_metric_is_led_to_the_reason() -> None:
    findings = graded(25)
    task = {("elsewhere", "task 1"): verbatim("no file")}
    findings = replace(findings, names=(*findings.names, "elsewhere"), unscored=task)
    report = render.build(findings)
    (found,) = (item for part in report.index for item in part.names if item.name == "elsewhere")
    assert found.address == "unscored"
    assert found.tags == ("not ranked",)


def test_only_choices_that_change_something_are_offered() -> None:
    assert [choice.label for choice in render.build(crowd()).choices] == [
        "all (40)",
        "possible winners (5)",
        "without baselines (37)",
    ]
    clear = made.result((0.9, *made.graded(24)[0]), made.graded(25)[1], resamples=200)
    assert render.build(clear).choices == ()
    aside = (LeftAside("team 001", Note("aside.rerun")),)
    keys = [choice.key for choice in render.build(graded(25, left_aside=aside)).choices]
    assert keys == ["all", "winners"]


def test_headings_of_the_table_of_all_metrics_lead_to_the_rankings() -> None:
    page = render.page(render.build(made.teams()))
    addresses = ("ranking", "metric-2-ranking", "metric-3-ranking")
    head = page[page.index('<section id="overview">') :].partition("</thead>")[0]
    assert tuple(re.findall(r'<a href="#([^"]+)">', head)) == addresses
    for address in addresses:
        assert page.count(f' id="{address}"') == 1


def test_the_style_sheet_knows_every_choice() -> None:
    page = render.page(render.build(crowd()))
    for key in ("winners", "competing"):
        assert f"#show-{key}:checked" in page
    assert page.count('name="show"') == 3
    assert page.count(" checked>") == 1
