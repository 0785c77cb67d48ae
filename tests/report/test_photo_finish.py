"""The photo finish: one picture that is the rule."""

from __future__ import annotations

import json
import math
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import numpy as np
import pytest

from scoring_program import report as render
from scoring_program.document.figures.photo_finish import (
    COLUMN,
    Runner,
    bar_of,
    column,
    dot_of,
    finish_line,
    in_letters,
    lane,
    track,
)
from scoring_program.document.marks import Drawing, Mark
from scoring_program.report.findings import Findings
from scoring_program.report.results_json import results_json
from scoring_program.report.sections.ranking import finish_figures, runners_of

from . import kinds, made
from .drawn import marks, number, said
from .test_ranking import view_of

#: One competition of each sort: who may win, who leads, and what there is no bar of.
FIELDS = ("teams", "two", "tied", "many", "baselines", "errors", "long_names", "hostile", "runs")


def runner(observed: float, near: float, far: float, *, winner: bool = False) -> Runner:
    return Runner("A", observed, near, far, f"{observed}", "0.5", "1–2", winner)


def bars(drawing: Drawing) -> dict[str, tuple[float, float]]:
    """Return the name and both ends of each bar, and the place of the finish line."""
    found = {}
    for one in drawing.marks:
        inside = [part for part in one.inside if isinstance(part, Mark)]
        drawn = [part for part in inside if part.attributes.get("class") == "bar"]
        if drawn:
            found[said(inside[0])] = number(drawn[0], "x1"), number(drawn[0], "x2")
    return found


def finish(drawing: Drawing) -> float:
    return next(number(one, "x") for one in drawing.marks if marks_of(one, "chequers"))


def marks_of(one: Mark, kind: str) -> list[Mark]:
    inside = [part for part in one.inside if isinstance(part, Mark)]
    return [part for part in inside if part.attributes.get("class") == kind]


def makers() -> list[str]:
    return [form for form in FIELDS if form in made.FORMS or form in kinds.KINDS]


@pytest.mark.parametrize("form", makers())
def test_a_bar_reaches_the_line_exactly_where_its_entry_may_be_the_best(form: str) -> None:
    findings: Findings = (made.FORMS.get(form) or kinds.KINDS[form])()
    content = json.loads(results_json(findings, ""))
    report = made.built(findings)
    entries = {entry["entry"]: entry for entry in content["metrics"][0]["entries"]}
    for width in ("column", "page"):
        drawing = report.figures[f"photo_finish_{width}"]
        drawn, line = bars(drawing), finish(drawing)
        for one in runners_of(view_of(findings)):
            bar = next((ends for name, ends in drawn.items() if name.strip("⁨⁩") == one.name), None)
            if bar is None:
                continue
            assert (bar[1] == line) == one.winner == (one.near == 0), one.name
            assert one.winner or bar[1] < line - 2, one.name
            assert bar[0] <= bar[1]
            stated = entries[one.name]["bar"]
            assert stated is None or stated[0] == pytest.approx(one.near)


@pytest.mark.parametrize("m", [134, 300])
def test_every_possible_winner_is_named_in_a_large_field(m: int) -> None:
    view = view_of(made.result(*made.graded(m), resamples=400))
    (column, page) = finish_figures(view).values()
    assert len(view.possible_winners) > 12
    for drawing in (column, page):
        named = [said(one) for one in marks(drawing, "name")]
        assert {view.evidence.names[i] for i in view.possible_winners} <= set(named)
        assert len(named) < m
        assert f"{m - len(named)} more entries are not shown." in [
            said(one) for one in marks(drawing, "start")
        ]


def test_a_verified_winner_leaves_the_others_visibly_short() -> None:
    findings = made.result((0.9, 0.7, 0.69, 0.68), made.TEAMS[:4], error=0.01)
    assert findings.evidence[0].verdict.verified
    drawing = made.built(findings).figures["photo_finish_column"]
    drawn, line = bars(drawing), finish(drawing)
    assert drawn[made.TEAMS[0]] == (line, line)
    assert all(near < line - 20 for name, (_, near) in drawn.items() if name != made.TEAMS[0])


@pytest.mark.parametrize("near", [5e-324, 1e-9])
def test_a_bar_that_excludes_by_a_hair_is_drawn_short_of_the_line(near: float) -> None:
    all_of_them = [runner(0, 0, 1, winner=True), runner(0.5, near, 2)]
    for start, end in ((2.0, 80.0), (3.0, 94.0)):
        scale = track(all_of_them, start, end)
        (bar, _) = lane(all_of_them[1], scale, 10)
        assert number(bar, "x2") <= scale(0.0) - 2


def test_far_entries_have_an_arrow_with_their_number() -> None:
    runners = [runner(0, 0, 1, winner=True), runner(0.5, 0.1, 2), runner(90, 80, 99)]
    scale = track(runners, 0, 100)
    assert scale.low < 10
    drawn = lane(runners[2], scale, 10)
    assert [one.tag for one in drawn] == ["svg"]
    assert [said(one) for one in drawn[0].inside if isinstance(one, Mark)] == ["", "90"]


def test_a_next_entry_that_is_far_leaves_room_for_the_possible_winners() -> None:
    close = [runner(0, 0, 0.02, winner=True), runner(0.01, 0, 0.03, winner=True)]
    baseline = runner(0.5, math.nan, math.nan)
    scale = track([*close, baseline], 0, 100)
    assert scale.low == pytest.approx(1.04 * 4 * 0.03)
    assert [one.tag for one in lane(baseline, scale, 10)] == ["svg"]


def test_the_farthest_possible_winner_has_a_bar_to_the_line() -> None:
    runners = [runner(0, 0, 1, winner=True), runner(2, 0, math.inf, winner=True)]
    scale = track(runners, 0, 100)
    assert [one.tag for one in lane(runners[1], scale, 10)] == ["line", "svg", "circle"]
    assert bar_of(runners[1], scale) == (scale.low, 0)


def test_a_bar_without_an_upper_limit_is_open_at_its_far_end() -> None:
    runners = [runner(0, 0, 1, winner=True), runner(0.5, 0.1, math.inf)]
    bar, arrow, dot = lane(runners[1], track(runners, 0, 100), 10)
    assert number(bar, "x1") == 0
    assert [said(one) for one in arrow.inside if isinstance(one, Mark)] == [""]
    assert dot.tag == "circle"


def test_a_bar_without_an_upper_limit_has_a_reason_in_words() -> None:
    for findings, is_open in ((kinds.identical(), True), (made.teams(), False)):
        page = render.page(render.build(findings))
        assert (
            "A bar without an upper limit ends in an arrow: too few examples" in page
        ) == is_open
        assert ("<dd>no upper limit</dd>" in page) == is_open


def test_a_scale_without_a_known_distance_has_no_label_but_zero() -> None:
    same = [runner(0, 0, math.inf, winner=True), runner(0, 0, math.inf, winner=True)]
    (head,), _ = column("lane", same, "{:.{}f}".format)
    assert list(map(said, marks_of(head, "tick"))) == ["0"]
    apart = [*same, runner(0.5, 0.1, 0.75)]
    (head,), _ = column("lane", apart, "{:.{}f}".format)
    assert len(marks_of(head, "tick")) > 2


def test_a_baseline_ahead_stands_beyond_the_line_and_has_no_bar() -> None:
    drawing = made.built(made.baselines()).figures["photo_finish_page"]
    (ahead,) = (
        one for one in drawing.marks if "strong baseline" in map(said, marks_of(one, "name"))
    )
    assert not marks_of(ahead, "bar")
    (dot,) = marks_of(ahead, "mark dot")
    assert number(dot, "cx") > finish(drawing)


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"tie_rule": "holm"}, "the rule “Holm” gives no bars"), ({}, "")],
)
def test_where_there_is_no_bar_the_picture_says_what_it_shows(
    settings: dict[str, str], words: str
) -> None:
    drawing = render.build(made.result(settings=settings)).figures["photo_finish_page"]
    assert bool(bars(drawing)) == (not words)
    assert len(marks(drawing, "mark dot")) > 3
    assert any(words in said(one) for one in marks(drawing, "start"))


def test_a_figure_of_a_paper_has_its_width_its_type_and_no_title() -> None:
    drawn = render.figures(made.built(made.teams()))
    for name, width in (("column", 3.3), ("page", 6.9)):
        root = ElementTree.fromstring(drawn[f"photo_finish_{name}.svg"])
        assert float(root.attrib["width"].removesuffix("pt")) == pytest.approx(72 * width)
        assert root.attrib["viewBox"].split()[2] == root.attrib["width"].removesuffix("pt")
        shown = [text.text for text in root.iterfind("{*}text")]
        assert "MeOffendEs 2021, subtask 3" not in shown
        sizes = {
            float(size) for size in re.findall(r"font-size: ([\d.]+)px", str(root[2].text))[-1:]
        }
        assert sizes <= {8.0, 8.5, 9.0}


def test_the_picture_follows_the_record() -> None:
    """Change who may win, and the bars change."""
    findings = made.teams()
    (evidence, *rest) = findings.evidence
    assert evidence.distances is not None
    near = evidence.distances.near.copy()
    near[evidence.scores.order[1]] = 0.01
    changed = replace(evidence, distances=replace(evidence.distances, near=near))
    before, after = (
        render.build(one).figures["photo_finish_page"]
        for one in (findings, replace(findings, evidence=(changed, *rest)))
    )
    second = evidence.names[evidence.scores.order[1]]
    assert bars(before)[second][1] > bars(after)[second][1]


def test_on_a_terminal_it_takes_sixty_columns() -> None:
    for form in ("teams", "many", "baselines", "long_names", "hostile"):
        runners = runners_of(view_of(made.FORMS[form]()))
        lines = in_letters(runners)
        assert max(map(len, lines)) <= 60
        scale = track(runners, 0, 60)
        for one, line in zip(runners, lines, strict=True):
            assert ("-|" in line or "o|" in line) == (one.winner and scale is not None), line


def test_the_finish_line_is_chequered() -> None:
    scale = track([runner(0, 0, 1, winner=True), runner(0.5, 0.1, 2)], 3, 94)
    line = finish_line(scale, 0, "100%", "%")
    assert line.attributes["x"] == f"{scale(0.0):g}%"
    dashes = [part.attributes["stroke-dasharray"] for part in line.inside if isinstance(part, Mark)]
    assert dashes == [4, 4]


def test_scores_that_are_errors_stand_behind_the_best_alike() -> None:
    names, errors = made.TEAMS[:3], (5.0, 4.0, 6.0)
    page = made.result((0.8, 0.7, 0.6), names)
    rmse = made.metric("rmse", "RMSE", greater_is_better=False, low=0.0, high=float("inf"))
    evidence = made.evidence(rmse, errors, names, page.settings, error=0.1)
    runners = runners_of(view_of(replace(page, evidence=(evidence,))))
    assert [one.observed for one in runners] == pytest.approx([0, 1, 2])
    assert np.isfinite([one.far for one in runners]).all()


def test_a_column_is_3_inches_and_a_third() -> None:
    assert pytest.approx(3.3) == COLUMN / 72


def test_the_page_has_one_picture_with_the_scores_and_places_beside_it() -> None:
    findings = made.teams()
    report = made.built(findings)
    (table,) = (one for one in report.tables if one.name == "ranking")
    shown = [table.columns[place] for place in table.page_columns]
    assert [column.heading for column in shown] == [
        "Rank", "Entry", "How far behind the best", "F1", "Places",
    ]  # fmt: skip
    view, rows = view_of(findings), made.rows(report, "ranking")
    lanes = [row["finish"].strip for row in rows]
    line = float(_line(*shown[2].axis).removesuffix("%"))
    for lane_of, i in zip(lanes, view.scores.order, strict=True):
        ends = [
            float(str(bar.attributes["x2"]).removesuffix("%")) for bar in marks_of(lane_of, "bar")
        ]
        assert (ends == [line]) == (i in view.possible_winners)
    html = render.page(report)
    assert html.count('class="ticks lane"') == len(findings.evidence)
    # What was in three small charts is for statisticians.
    evidence = html.index('id="evidence"')
    assert html.index('id="metric-1-scores"') > evidence
    assert "95% interval</th>" not in html[:evidence]


def _line(axis: Mark) -> str:
    """Return where the finish line of a column stands."""
    drawn = [part for part in axis.inside if isinstance(part, Mark) and part.tag == "defs"]
    (shared,) = (part for part in drawn[0].inside if isinstance(part, Mark))
    return str(shared.inside[-1].attributes["x"])


def test_the_page_says_what_it_shows_where_there_are_no_bars() -> None:
    page = render.page(render.build(made.result(settings={"tie_rule": "holm"})))
    assert "Dots are the distances observed; the rule “Holm” gives no bars." in page
    assert "Dots are the distances observed" not in render.page(made.built(made.teams()))


def test_a_dot_lies_in_its_bar_however_near_it_is() -> None:
    """A bar that stops short of the line is drawn as far from it as one can see."""
    runners = [
        Runner("a", 0.0, 0.0, 0.02, "0", "0.9", "1", winner=True),
        Runner("b", 0.0001, 0.00005, 0.5, "0.0001", "0.9", "2"),
    ]
    scale = track(runners, 0.0, 100.0)
    bar = bar_of(runners[1], scale)
    assert bar is not None
    assert bar[1] > runners[1].observed
    assert dot_of(runners[1], scale) == bar[1]
    line = in_letters(runners)[1]
    assert "-o" in line
    assert "o  " in line or "o |" in line


def test_no_word_of_a_figure_of_a_paper_is_cut() -> None:
    """Headings, names and the note have as many lines as they need."""
    names = ("Laboratorio de Procesamiento de Lenguaje Natural", "x" * 50, *made.TEAMS[2:4])
    findings = made.result(made.F1[:4], names, settings={"tie_rule": "holm", "language": "es"})
    (first, *rest) = findings.evidence
    metric = replace(first.metric, label="quadratic weighted kappa of all the annotators")
    changed = replace(findings, evidence=(replace(first, metric=metric), *rest))
    for name in ("photo_finish_column", "photo_finish_page"):
        drawing = render.build(changed).figures[name]
        shown = [said(one) for one in marks(drawing, tag="text")]
        assert not [one for one in shown if "…" in one]
        said_of_names = [
            "".join(said(one) for one in marks(mark, "name")).replace(" ", "")
            for mark in drawing.marks
        ]
        assert {one.replace(" ", "") for one in names} <= set(said_of_names)
        assert "kappa" in " ".join(shown)
        texts = marks(drawing, tag="text")
        below = [number(one, "y") for one in texts if "y" in one.attributes]
        assert 0 < min(below) <= max(below) < drawing.height
