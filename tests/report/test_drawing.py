"""What is drawn stands where its number says."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scoring_program import report as render
from scoring_program.document.figures.forest import NARROW_AREA, scatter
from scoring_program.document.figures.grids import blobs, histogram, matrix
from scoring_program.document.marks import Drawing, Mark, Plotted
from scoring_program.document.scales import drawn_axis, nice_ticks, strip, strip_scale
from scoring_program.document.shortening import NAME_LETTERS, in_lines, shortened, told_apart
from scoring_program.report.findings import Findings
from tests.report import made
from tests.report.drawn import ends, marks, number, percent, said

HEADING = Drawing("id", "title", "text")


def text(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}"


def test_every_interval_stands_where_its_numbers_say() -> None:
    page = made.teams()
    report = render.build(page)
    suffixes = ("", "_metric_1", "_metric_2")
    for metric, (suffix, a) in enumerate(zip(suffixes, page.evidence, strict=True), start=1):
        (table,) = made.tables(report, f"metric-{metric}-scores")
        strips = [row["plot"].strip for row in made.rows_of(table)]
        (drawn,) = (column.axis for column in table.columns if column.axis)
        # The axis says which number stands where; two ticks fix the scale.
        ticks = marks(drawn[-1], "tick")
        numbers = np.array([float(said(tick)) for tick in ticks])
        slope, offset = np.polyfit(numbers, [percent(tick, "x") for tick in ticks], 1)
        for one, i in zip(strips, a.scores.order, strict=True):
            low, point, high = ends(one)
            assert low == pytest.approx(offset + slope * a.intervals.low[i], abs=0.02)
            assert point == pytest.approx(offset + slope * a.scores.score[i], abs=0.02)
            assert high == pytest.approx(offset + slope * a.intervals.high[i], abs=0.02)
        (table,) = (one for one in report.tables if one.name == f"differences{suffix}")
        (drawn,) = (column.axis for column in table.columns if column.axis)
        (rule,) = marks(drawn[-1], "rule")
        for row in made.rows(report, f"differences{suffix}"):
            (low, _, high), (holds,) = ends(row["plot"].strip), row["contains_zero"].values
            assert (low <= percent(rule, "x1") <= high) == holds


def test_the_page_prints_the_coordinates_it_was_given() -> None:
    report = made.built(made.teams())
    html = render.page(report)
    (table,) = made.tables(report, "metric-1-scores")
    for row in made.rows_of(table):
        low, _, high = ends(row["plot"].strip)
        assert f'<line class="bar" x1="{low}%" x2="{high}%"' in html


def test_a_bar_of_a_histogram_is_as_high_as_its_count() -> None:
    data = np.array([1, 4, 2]), np.array([-1.0, 0.0, 1.0, 2.0])
    figure = histogram(HEADING, data, 0.75, (-math.inf, 1.5), ("0", "δ", "2δ"), "difference", text)
    drawn = [*marks(figure, "bin"), *marks(figure, "tail")]
    heights = {round(number(bar, "height")) for bar in drawn}
    tallest = max(heights)
    assert {round(4 * height / tallest) for height in heights} == {1, 2, 4}
    zero, observed, twice = (
        number(marks(figure, kind)[0], "x1") for kind in ("zero", "observed", "double")
    )
    assert min(number(bar, "x") for bar in marks(figure, "tail")) == pytest.approx(twice)
    ends = [number(bar, "x") + number(bar, "width") for bar in marks(figure, "bin")]
    assert max(ends) <= twice + 0.02
    assert observed - zero == pytest.approx(twice - observed, abs=0.02)


def test_a_two_sided_p_counts_both_tails() -> None:
    data = np.array([1, 4, 2]), np.array([-2.0, -1.0, 0.0, 1.0])
    figure = histogram(HEADING, data, -0.75, (-1.5, 0.0), ("0", "δ", "2δ"), "difference", text)
    bars = [bar.attributes["class"] for bar in marks(figure, tag="rect")]
    assert bars == ["tail", "bin", "bin", "tail"]
    zero, observed, twice = (
        number(marks(figure, kind)[0], "x1") for kind in ("zero", "observed", "double")
    )
    assert twice < observed < zero


def test_a_cell_of_the_map_is_where_its_pair_is() -> None:
    classes = np.zeros((40, 40), dtype=np.intp)
    classes[3, 1], classes[3, 2], classes[7, 0] = 2, 2, 1
    places = [str(k) for k in range(1, 41)]
    figure = matrix(HEADING, classes, places, "rank", ("one", "two"))
    (one,), (two,) = (marks(figure, kind, "path") for kind in ("s1", "s2"))
    size = 12.0
    assert number(one, "stroke-width") == size
    assert two.attributes["d"] == f"M{56 + size:g} {40 + 3.5 * size:g}h{2 * size:g}"
    assert one.attributes["d"] == f"M56 {40 + 7.5 * size:g}h{size:g}"


def test_the_area_of_a_blob_is_its_share() -> None:
    frequency = np.array([[0.75, 0.25], [0.25, 0.75]])
    tooltip = "{} {} {}".format
    figure = blobs(HEADING, frequency, ["a", "b"], tooltip, "rank")
    areas = [number(blob, "r") ** 2 for blob in marks(figure, "blob")]
    assert areas[0] / areas[1] == pytest.approx(3, rel=0.01)


@pytest.mark.parametrize(
    ("low", "high", "most"),
    [(0.43, 0.76, 5), (-1, 1, 4), (0, 1e6, 5), (0.7, 0.70001, 3), (0, 3e-13, 4)],
)
def test_ticks_are_round_few_and_in_range(low: float, high: float, most: int) -> None:
    ticks = nice_ticks(low, high, most)
    assert 2 <= len(ticks) <= most
    assert all(low <= tick <= high for tick in ticks)
    steps = np.diff(ticks)
    assert np.allclose(steps, steps[0])


def test_labels_of_ticks_do_not_touch() -> None:
    shared = drawn_axis("a", strip_scale([0.64, 0.76]), None, text)
    apart = np.diff([place for place, _ in shared.ticks]) / 100 * 150
    assert (apart >= 6.5 * max(len(label) for _, label in shared.ticks)).all()


def test_an_interval_that_does_not_exist_is_not_drawn() -> None:
    shared = drawn_axis("a", strip_scale([0.2, 0.8]), None, text)
    drawn = strip(shared, (math.nan, 0.5, math.nan), "tied")
    assert marks(drawn, "bar") == []
    assert [one.attributes.get("x") for one in drawn.inside if isinstance(one, Mark)] == [
        None,
        "50.0%",
    ]


def test_all_scores_equal_still_have_a_scale() -> None:
    scale = strip_scale([1.0, 1.0])
    assert scale(1.0) == 50


@pytest.mark.parametrize("form", made.FORMS)
def test_every_figure_stands_alone(form: str) -> None:
    import xml.etree.ElementTree as ElementTree

    report = made.built(made.FORMS[form]())
    found: dict[str, Any] = dict(render.figures(report))
    names = {f"{name}.svg" for name in report.figures}
    assert set(found) == (names | {"card.svg"} if names else names)
    for file, svg in found.items():
        root = ElementTree.fromstring(svg)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.find("{*}title") is not None
        assert root.find(".//{*}desc") is not None
        assert "var(" not in svg
        in_paper = file.startswith("photo_finish")
        assert "MeOffendEs" in svg or form == "hostile" or in_paper  # the source
        assert not re.search(r"<[^>]*\s(href|src)=|url\(", svg)


def test_names_are_shortened_only_where_they_must() -> None:
    assert shortened("NLPCIC", 6) == "NLPCIC"
    assert shortened("a\n  b", 9) == "a b"
    assert shortened("x" * 100, 10) == "x" * 9 + "…"
    assert shortened("東京大学", 6) == "東京…"


def test_names_that_are_cut_can_be_told_apart() -> None:
    names = ["Laboratory of Language, run 1", "Laboratory of Language, run 2", "other"]
    assert told_apart(names, 16) == ["Laborato…, run 1", "Laborato…, run 2", "other"]
    for file, figure in made.built(made.long_names()).figures.items():
        labels = [said(one) for one in marks(figure, "name")]
        if file.startswith("photo_finish"):  # where a name has several lines
            groups = ([said(one) for one in marks(mark, "name")] for mark in figure.marks)
            labels = [" ".join(lines) for lines in groups if lines]
        assert len(set(labels)) == len(labels)


def test_names_that_differ_in_the_middle_are_cut_to_where_they_do() -> None:
    names = [f"Institute for Natural Language, team {k} of the University" for k in "AB"]
    assert told_apart(names, 20) == ["…am A of the Univer…", "…am B of the Univer…"]
    assert told_apart([*names, "NLPCIC"], 20)[-1] == "NLPCIC"


def test_names_are_told_apart_wherever_they_differ() -> None:
    rng = np.random.default_rng(0)
    names = ["".join(letters) for letters in rng.choice(list("ab 東"), size=(300, 40))]
    names = sorted({" ".join(name.split()) for name in names} | {"a" * 500, "a" * 501})
    for letters in (12, 20, 60):
        cut = told_apart(names, letters)
        assert len(set(cut)) == len(names)
        assert max(map(len, cut)) <= letters


def test_a_map_explains_its_shades() -> None:
    svg = render.figures(made.built(made.many()))["pairs.svg"]
    assert "· p &lt; .10" in svg.split("</desc>")[1].split("</title>")[-1]


LONG = "share of the questions about medicine that an assistant answers as two doctors would"


def test_what_an_axis_is_called_is_whole() -> None:
    """A long name of a metric goes on in further lines."""
    findings = made.result(metrics=2)
    evidence = tuple(
        replace(one, metric=replace(one.metric, label=f"{LONG} {number}"))
        for number, one in enumerate(findings.evidence)
    )
    drawn = 0
    for file, drawing in render.build(replace(findings, evidence=evidence)).figures.items():
        words = " ".join(said(text) for text in marks(drawing, tag="text"))
        if re.match("intervals|overview|trade|distribution", file):
            assert LONG in words, file
            drawn += 1
    assert drawn >= 4


def test_a_label_of_several_lines_makes_the_figure_higher() -> None:
    axis = "scores", True, text
    spans = ((0.1, 0.2, 0.3),) * 2
    entries = [Plotted("A", spans, "leader", ("a",))]
    short = scatter(Drawing("a", "a", "a"), axis, axis, entries, area=NARROW_AREA)
    long = (LONG, True, text)
    high = scatter(Drawing("a", "a", "a"), long, long, entries, area=NARROW_AREA)
    assert high.height > short.height + 14
    lowest = max(number(label, "y") for label in marks(high, "tick"))
    assert lowest < high.height - 3


def test_no_figure_cuts_a_name_of_24_letters() -> None:
    name = "Laboratorio de PLN, Quba"
    assert len(name) == 24
    for page in (made.result(names=(name, *made.TEAMS[1:]), metrics=2), tasks_of(name)):
        for file, svg in render.figures(render.build(page)).items():
            if re.match("intervals|rank|overview|pairs|trade|tasks|differences(?!.*1)", file):
                assert name in svg, file


def test_a_longer_name_stands_beside_a_figure_in_two_lines() -> None:
    name = "20250902_orchestrator_claude-4-sonnet"
    for page in (made.result(names=(name, *made.TEAMS[1:]), metrics=2), tasks_of(name)):
        for file, drawing in render.build(page).figures.items():
            if re.match("intervals|overview|tasks", file):
                lines = [said(line) for line in marks(drawing, "name small")]
                assert "".join(lines) == name, file


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["NLPCIC", "a name of some more words than fit"], [["NLPCIC"], None]),
        (["x" * 60, "x" * 60 + "y"], [None, None]),
        (["one-" * 12 + "a", "one-" * 12 + "b"], [None, None]),
    ],
)
def test_lines_of_names_hold_them_whole_or_tell_them_apart(
    names: list[str], expected: list[list[str] | None]
) -> None:
    lines = in_lines(names)
    assert all(len(line) <= NAME_LETTERS for name in lines for line in name)
    assert len({tuple(name) for name in lines}) == len(names)
    for name, found, wanted in zip(names, lines, expected, strict=True):
        assert wanted in (None, found)
        whole = "".join(found).replace(" ", "") == name.replace(" ", "")
        assert whole or "…" in "".join(found)


def tasks_of(name: str) -> Findings:
    """Return tasks in which an entry that does not lead has this name."""
    page = made.tasks()
    names = (*made.TEAMS[:2], name, *made.TEAMS[3:5])
    evidence = tuple(replace(one, names=names) for one in page.evidence)
    return replace(page, names=names, evidence=evidence)
