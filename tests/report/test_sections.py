"""A section is a function in the registry: the contents, the page and the files follow it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring_program import report as render
from scoring_program.core.catalogs import load
from scoring_program.document.blocks import Fact, Facts, Picture, Section, every, passage
from scoring_program.document.take_away import ResultTable, TableColumn, cell
from scoring_program.report import assemble
from scoring_program.report.assemble import SECTIONS
from scoring_program.report.findings import Findings
from scoring_program.report.sections.ranking import score_forest
from scoring_program.report.view import MetricView
from tests.competitions import Folder
from tests.report import kinds, made
from tests.report.drawn import marks, said


def precision(views: Sequence[MetricView]) -> Iterator[Section]:
    columns = TableColumn(("entry",), "Entry"), TableColumn(("error",), "Error", numeric=True)
    rows = tuple((cell(name), cell("0.01", 0.01)) for name in views[0].result.names)
    table = ResultTable("precision", "How precise.", columns, rows)
    picture = Picture("precise", score_forest(views[0]))
    blocks = passage(("First & foremost.",), table.caption, table, [picture], "Mind <this>.")
    yield Section("precision", "Precision <1>", blocks)


def contents(report: render.Document) -> tuple[Fact, ...]:
    (found,) = (links for links in every(report.blocks, Facts) if links.label)
    return found.items


def silent(views: Sequence[MetricView]) -> Iterator[Section]:
    yield from ()


def test_a_new_section_needs_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    before = render.build(made.teams())
    monkeypatch.setattr(assemble, "SECTIONS", (*SECTIONS, precision, silent))
    report = render.build(made.teams())
    link = Fact("Precision <1>", address="precision")
    old = contents(before)
    assert contents(report) == (*old[:-1], link, old[-1])
    page = render.page(report)
    assert '<a href="#precision"><bdi>Precision &lt;1&gt;</bdi></a>' in page
    section = page[page.index('<section id="precision">') : page.index('<details id="evidence">')]
    parts = (
        "<h2>Precision &lt;1&gt;</h2>",
        "<p>First &amp; foremost.</p>",
        '<p class="caption">How precise.</p>',
        '<table aria-label="Precision &lt;1&gt;">',
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
    report = made.built(made.FORMS[form]())
    page = render.page(report)
    found = re.findall(r'<section id="([^"]+)">\n<h2>|<details id="(evidence)">', page)
    ids = [section or details for section, details in found]
    # These stand above the contents.
    ids = [id for id in ids if id not in ("ranking", "follows")]
    asked = [
        a
        for link in contents(report)
        if (a := link.address).startswith(("slices", "task", "entry-"))
    ]
    assert [link.address for link in contents(report) if link.address not in asked] == ids
    assert all(f'id="{address}"' in page for address in asked)


def test_a_section_with_nothing_to_say_is_left_out() -> None:
    alone = render.build(made.FORMS["one_team"]())
    *sections, evidence = (block for block in alone.blocks if isinstance(block, Section))
    assert [section.id for section in sections] == ["ranking", "follows", "contents", "cautions"]
    found = [block.id for block in evidence.blocks]
    assert found == ["metric-1-evidence", "method", "citation", "signature"]


def test_a_metric_has_one_name_and_its_key_beside_its_function(tmp_path: Path) -> None:
    """Sentences say the label, translated; results.json and the log say it in English."""
    folder = Folder(tmp_path, n=105).write(
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
    translated = load("es").metric("micro precision")
    assert f"los intervalos de {translated}" in page
    assert "other: precision_score(" in page


def test_the_contents_are_a_few_tab_stops_from_the_top() -> None:
    """Below a ranking with a link in each row, to which the first screen leads."""
    page = render.page(render.build(made.result(*made.graded(134), resamples=200)))
    head = page[: page.index('<section id="ranking">')]
    assert head.count("<a ") <= 6
    assert '<a href="#contents">Contents</a>' in head
    assert page.index('<section id="ranking">') < page.index('<div id="contents">')
    assert re.search(r'<div id="contents">\s*<nav', page)


def test_a_long_ranking_shows_the_possible_winners_and_the_next_at_first() -> None:
    findings = made.result(*made.graded(134), resamples=200)
    report = made.built(findings)
    (table,) = made.tables(report, "ranking")
    assert [key for key, _ in table.choices][:2] == ["first", "all"]
    first = [row["entry"].text for row in made.rows(report, "ranking") if "first" in style(row)]
    winners = [row["entry"].text for row in made.rows(report, "ranking") if "winner" in style(row)]
    assert first[: len(winners)] == winners
    assert len(first) == len(winners) + 10
    page = render.page(report)
    assert "#ranking:has(#show-first:checked)" in page
    assert 'id="show-first" autocomplete="off" checked' in page
    assert not any("first" in style(row) for row in made.rows(made.built(made.teams()), "ranking"))


def style(row: dict[str, Any]) -> list[str]:
    return str(row["entry"].row).split()


def test_what_the_organizer_asked_for_is_answered_in_words_with_a_link() -> None:
    report = made.built(made.slices())
    assert any(
        "the overall leader is not a possible winner in " in answer.value
        and "leads)" in answer.value
        for answer in report.answers
    )
    addresses = [link.address for link in contents(report)]
    assert "slices-1" in addresses
    findings = made.slices()
    (first, *others) = findings.evidence
    none = tuple(replace(one, other_leader=None) for one in first.slices)
    report = render.build(replace(findings, evidence=(replace(first, slices=none), *others)))
    column = first.slices[0].column
    assert f"{column}: in no slice is another entry shown to be best." in [
        answer.value for answer in report.answers
    ]
    asked = render.build(made.result(settings={"margin": 0.06, "prizes": 2}))
    places, near = asked.answers
    assert places.value.startswith("NLPCIC, CIMATMTYGTO, DCCDINFOTEC, CIMATGTO and UMUTeam may")
    assert near.value.startswith("At most 0.06 behind the best: NLPCIC")
    links = [(link.address, link.label) for link in contents(asked)]
    assert {("prizes", "Prizes"), ("margin", "Margin")} <= {*links}
    page = render.page(asked)
    assert all(f'id="{address}"' in page for address in ("prizes", "margin"))


@pytest.mark.parametrize("margin", [0.2, 0.001])
def test_a_margin_is_answered_where_one_entry_wins(margin: float) -> None:
    won = made.result((0.725, 0.6, 0.59), made.TEAMS[:3], settings={"margin": margin})
    (near,) = render.build(won).answers
    assert near.value.startswith(f"At most {margin} behind the best: NLPCIC")


def first_screen(findings: Findings) -> str:
    page = render.page(render.build(findings)).translate(dict.fromkeys(map(ord, "\u2068\u2069")))
    return page[page.index('<section class="verdict"') : page.index('<section id="ranking">')]


def test_the_first_screen_says_what_may_be_announced_and_who_takes_a_prize() -> None:
    screen = first_screen(made.result(settings={"prizes": 1}))
    verdict, announced, prizes, links = (
        screen.index(words)
        for words in ("NLPCIC is first", "You may announce:", "Prizes</a>:", "10 entries")
    )
    assert verdict < announced < prizes < links
    assert "NLPCIC is first. Do not call it better than CIMATMTYGTO and DCCDINFOTEC." in screen
    # A sign is no color alone: it has a glyph and a word.
    assert '<span aria-hidden="true">≈</span> Open' in screen
    assert '<a href="#prizes">' in screen


def test_nothing_else_stands_above_the_ranking() -> None:
    screen = first_screen(made.result(settings={"margin": 0.06}))
    assert screen.count("<p ") == 2
    for words in ("confidence", "retrained", "At most 0.06", "Bootstrap resamples"):
        assert words not in screen


@pytest.mark.parametrize(
    ("page", "words", "mark"),
    [
        (made.baselines, "1 serious caution", "red"),
        (kinds.few_examples, "1 minor caution", "amber"),
    ],
)
def test_a_serious_caution_looks_serious_and_a_minor_one_does_not(
    page: Callable[[], Findings], words: str, mark: str
) -> None:
    screen = first_screen(page())
    assert f'<li class="{mark}"><a href="#cautions">{words}</a></li>' in screen
    assert ("Wait" in screen) == (mark == "red")


def test_the_first_screen_counts_unusable_uploads() -> None:
    screen = first_screen(kinds.unusable())
    assert '<a href="#unusable">13 uploads, 3 unusable</a>' in screen


def test_a_participant_reads_first_what_its_rank_means() -> None:
    screen = first_screen(made.field())
    assert "You may announce" not in screen
    assert screen.count("<p ") == 2


def test_the_verdict_leads_to_how_it_is_known_and_links_show_it() -> None:
    page = render.page(made.built(made.teams()))
    assert '<a href="#how-we-know">How we know</a>' in page
    assert page.index('<details id="how"') < page.index('<p id="how-we-know">')
    assert '<meta property="og:title" content="MeOffendEs 2021, subtask 3">' in page
    assert '<meta property="og:description" content="NLPCIC is first' in page


def test_the_pairs_of_a_sole_winner_have_a_star_by_the_verdict() -> None:
    """One leader, far enough ahead to be verified, but not by the test of all pairs."""
    names = tuple(f"team {k:02}" for k in range(40))
    scores = (0.725, *np.linspace(0.7, 0.699, 39).tolist())
    findings = made.result(scores, names, error=0.0105)
    evidence = findings.evidence[0]
    assert evidence.verdict.verified
    assert (evidence.pairs.p_max_t[evidence.pairs.better == evidence.scores.leader] > 0.05).any()
    rows = made.rows(made.built(findings), "pairwise")
    assert rows[0]["better_than"].text == "39"


@pytest.mark.parametrize(
    ("confidence", "marks", "language"),
    [
        (0.95, ".001 .01 .05 .10", "en"),
        (0.9, ".002 .02 .10 .20", "en"),
        (0.99, "0,0002 0,002 0,01 0,02", "es"),
    ],
)
def test_stars_of_pairs_follow_the_confidence(confidence: float, marks: str, language: str) -> None:
    findings = made.result(settings={"confidence": confidence, "language": language})
    report = made.built(findings)
    (table,) = (one for one in report.tables if one.name == "pairwise")
    found = re.findall(r"p\s<\s([\d.,]*\d)", table.note)
    assert found == marks.split()
    pairs = findings.evidence[0].pairs
    place = {entry: row for row, entry in enumerate(findings.evidence[0].scores.order.tolist())}
    assert pairs is not None
    for better, worse, p in zip(pairs.better, pairs.worse, pairs.p_max_t, strict=True):
        mark = table.rows[place[int(worse)] - 1][2 + place[int(better)]].mark
        assert ("*" in mark) == (p < 1 - confidence)


def test_a_column_of_pictures_has_one_heading_for_the_eye() -> None:
    head = render.page(made.built(made.teams())).partition('id="ranking"')[2].partition("</thead>")
    (finish,) = re.findall(r'<th [^>]*class="finish">(.*?)</th>', head[0], re.S)
    assert '<span class="unseen">How far behind the best</span> <small>F1 behind the best' in finish


def test_who_is_ahead_of_a_reference_gains_on_it() -> None:
    report = made.built(made.reference())
    (table,) = (one for one in report.tables if one.name == "differences")
    cells = table.rows[0][1:4]
    difference, gain, low, high = (float(str(n)) for item in cells for n in item.values)
    assert low < difference < high < 0
    assert gain == -difference
    assert "Advantage of UMUTeam over each entry" in table.caption
    assert table.rows[0][1].text.startswith("−0.04")
    assert table.rows[0][2].text.startswith("+0.04")
    (planned,) = made.tables(report, "planning")
    # The plan is that of the leader, whatever the reference entry is.
    assert [row[-3].text for row in planned.rows] == ["+0.0128", "+0.0307"]


def test_every_panel_holds_all_possible_winners_and_its_own_leader() -> None:
    scores = (*np.linspace(0.72, 0.71, 34), *np.linspace(0.5, 0.4, 16))
    names = tuple(f"team {number:02d}" for number in range(50))
    page = made.result(scores, names, metrics=2)
    second = page.evidence[1]
    assert len(MetricView(page, page.evidence[0], 0, load("en")).possible_winners) == 34
    last = len(names) - 1
    leads = made.with_parts(second, scores={"leader": last, "leaders": (last,)})
    report = render.build(replace(page, evidence=(page.evidence[0], leads)))
    panel = report.figures["overview_metric_1"]
    shown = [said(one) for one in marks(panel, "name")]
    assert shown == [*names[:34], names[last]]


def test_the_plan_of_a_large_field_is_folded_away_and_names_one_metric_nowhere() -> None:
    scores = (*np.linspace(0.72, 0.71, 34), *np.linspace(0.5, 0.4, 16))
    report = render.build(made.result(scores, tuple(f"team {number:02d}" for number in range(50))))
    (section,) = (one for one in every(report.blocks, Section) if one.id == "planning")
    (fold,) = every(section.blocks, Section)
    (table,) = every(fold.blocks, ResultTable)
    assert fold.heading == "Entry by entry"
    assert table.columns[0].keys == ("entry",)
