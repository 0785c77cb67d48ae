"""What is drawn stands where its number says."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scoring_program import report as render
from scoring_program.inference import Findings
from scoring_program.inference.analysis import Histogram
from scoring_program.report import drawing as draw
from tests.report import made

HEADING = draw.Heading("id", "title", "text")


def text(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}"


def test_every_interval_stands_where_its_numbers_say() -> None:
    page = made.teams()
    report = render.build(page)
    for section, a in zip(report.metrics, page.analyses, strict=True):
        ticks = section.ranking.axis.ticks
        # The axis says which number stands where; two ticks fix the scale.
        positions = np.array([tick.position for tick in ticks])
        numbers = np.array([float(tick.label) for tick in ticks])
        slope, offset = np.polyfit(numbers, positions, 1)
        for row, i in zip(section.ranking.rows, a.order, strict=True):
            assert row.strip.low == pytest.approx(offset + slope * a.low[i], abs=0.02)
            assert row.strip.point == pytest.approx(offset + slope * a.score[i], abs=0.02)
            assert row.strip.high == pytest.approx(offset + slope * a.high[i], abs=0.02)
        assert section.differences is not None
        zero = section.differences.axis.reference
        assert zero is not None
        for difference in section.differences.rows:
            strip = difference.strip
            assert strip.low is not None
            assert strip.high is not None
            assert (strip.low <= zero <= strip.high) == difference.contains
            assert difference.contains == (difference.zero == "contains zero")


def test_the_page_prints_the_coordinates_it_was_given() -> None:
    report = render.build(made.teams())
    html = render.page(report)
    for row in report.metrics[0].ranking.rows:
        bar = f'<line class="bar" x1="{row.strip.low}%" x2="{row.strip.high}%"'
        assert bar in html


def test_a_bar_of_a_histogram_is_as_high_as_its_count() -> None:
    data = Histogram(np.array([-1.0, 0.0, 1.0, 2.0]), np.array([1, 4, 2]), 0.75)
    figure = draw.histogram(
        HEADING, "note", data, (-math.inf, 1.5), ("0", "δ", "2δ"), "difference", text
    )
    heights = {round(bar.height) for bar in figure.bars}
    tallest = max(heights)
    assert {round(4 * height / tallest) for height in heights} == {1, 2, 4}
    double = next(mark for mark in figure.marks if mark.kind == "double")
    tail = [bar for bar in figure.bars if bar.tail]
    assert min(bar.x for bar in tail) == pytest.approx(double.x)
    assert all(bar.x + bar.width <= double.x + 0.02 for bar in figure.bars if not bar.tail)
    zero, observed, twice = (mark.x for mark in figure.marks)
    assert observed - zero == pytest.approx(twice - observed, abs=0.02)


def test_a_two_sided_p_counts_both_tails() -> None:
    data = Histogram(np.array([-2.0, -1.0, 0.0, 1.0]), np.array([1, 4, 2]), -0.75)
    figure = draw.histogram(
        HEADING, "note", data, (-1.5, 0.0), ("0", "δ", "2δ"), "difference", text
    )
    assert [bar.tail for bar in figure.bars] == [True, False, False, True]
    zero, observed, twice = (mark.x for mark in figure.marks)
    assert twice < observed < zero


def test_a_cell_of_the_map_is_where_its_pair_is() -> None:
    classes = np.zeros((40, 40), dtype=np.intp)
    classes[3, 1], classes[3, 2], classes[7, 0] = 2, 2, 1
    places = [str(k) for k in range(1, 41)]
    figure = draw.matrix(HEADING, classes, draw.GridLabels(places, places, "rank", ("one", "two")))
    one, two = (layer.path for layer in figure.layers)
    size = 12.0
    assert figure.size == size
    assert two == f"M{56 + size:g} {40 + 3.5 * size:g}h{2 * size:g}"
    assert one == f"M56 {40 + 7.5 * size:g}h{size:g}"


def test_the_area_of_a_blob_is_its_share() -> None:
    frequency = np.array([[0.75, 0.25], [0.25, 0.75]])
    tooltip = "{} {} {}".format
    figure = draw.blobs(HEADING, frequency, ["a", "b"], tooltip, "rank")
    areas = [blob.radius**2 for blob in figure.blobs]
    assert areas[0] / areas[1] == pytest.approx(3, rel=0.01)


@pytest.mark.parametrize(
    ("low", "high", "most"), [(0.43, 0.76, 5), (-1, 1, 4), (0, 1e6, 5), (0.7, 0.70001, 3)]
)
def test_ticks_are_round_few_and_in_range(low: float, high: float, most: int) -> None:
    ticks = draw.nice_ticks(low, high, most)
    assert 2 <= len(ticks) <= most
    assert all(low <= tick <= high for tick in ticks)
    steps = np.diff(ticks)
    assert np.allclose(steps, steps[0])


def test_labels_of_ticks_do_not_touch() -> None:
    shared = draw.axis("a", draw.strip_scale([0.64, 0.76]), None, text)
    apart = np.diff([tick.position for tick in shared.ticks]) / 100 * 150
    assert (apart >= 6.5 * max(len(tick.label) for tick in shared.ticks)).all()


def test_an_interval_that_does_not_exist_is_not_drawn() -> None:
    scale = draw.strip_scale([0.2, 0.8])
    shared = draw.axis("a", scale, None, text)
    strip = draw.strip(scale, shared, math.nan, 0.5, math.nan, shape="tied", title="")
    assert strip.low is None
    assert strip.high is None
    assert strip.point == 50


def test_all_scores_equal_still_have_a_scale() -> None:
    scale = draw.strip_scale([1.0, 1.0])
    assert scale(1.0) == 50


@pytest.mark.parametrize("form", made.FORMS)
def test_every_figure_stands_alone(form: str) -> None:
    import xml.etree.ElementTree as ElementTree

    report = render.build(made.FORMS[form]())
    found: dict[str, Any] = dict(render.figures(report))
    names = {f"{name}.svg" for name in report.figures}
    assert set(found) == (names | {"card.svg"} if names else names)
    for svg in found.values():
        root = ElementTree.fromstring(svg)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.find("{*}title") is not None
        assert root.find(".//{*}desc") is not None
        assert "var(" not in svg
        assert "MeOffendEs" in svg or form == "hostile"  # the source
        assert not re.search(r"<[^>]*\s(href|src)=|url\(", svg)


def test_names_are_shortened_only_where_they_must() -> None:
    assert draw.shortened("NLPCIC", 6) == "NLPCIC"
    assert draw.shortened("a\n  b", 9) == "a b"
    assert draw.shortened("x" * 100, 10) == "x" * 9 + "…"
    assert draw.shortened("東京大学", 6) == "東京…"


def test_names_that_are_cut_can_be_told_apart() -> None:
    names = ["Laboratory of Language, run 1", "Laboratory of Language, run 2", "other"]
    assert draw.told_apart(names, 16) == ["Laborato…, run 1", "Laborato…, run 2", "other"]
    for figure in render.build(made.long_names()).figures.values():
        if isinstance(figure, draw.Forest):
            labels = [row.label for row in figure.rows]
            assert len(set(labels)) == len(labels)


def test_names_that_differ_in_the_middle_are_cut_to_where_they_do() -> None:
    names = [f"Institute for Natural Language, team {k} of the University" for k in "AB"]
    assert draw.told_apart(names, 20) == ["…am A of the Univer…", "…am B of the Univer…"]
    assert draw.told_apart([*names, "NLPCIC"], 20)[-1] == "NLPCIC"


def test_names_are_told_apart_wherever_they_differ() -> None:
    rng = np.random.default_rng(0)
    names = ["".join(letters) for letters in rng.choice(list("ab 東"), size=(300, 40))]
    names = sorted({" ".join(name.split()) for name in names} | {"a" * 500, "a" * 501})
    for letters in (12, 20, 60):
        cut = draw.told_apart(names, letters)
        assert len(set(cut)) == len(names)
        assert max(map(len, cut)) <= letters


def test_a_map_explains_its_shades() -> None:
    svg = render.figures(render.build(made.many()))["pairs.svg"]
    assert "† p &lt; .10" in svg.split("</desc>")[1].split("</title>")[-1]


def test_no_figure_cuts_a_name_of_24_letters() -> None:
    name = "Laboratorio de PLN, Quba"
    assert len(name) == 24
    for page in (made.result(names=(name, *made.TEAMS[1:]), metrics=2), tasks_of(name)):
        for file, svg in render.figures(render.build(page)).items():
            if re.match("intervals|rank|overview|pairs|trade|tasks|differences(?!.*1)", file):
                assert name in svg, file


def tasks_of(name: str) -> Findings:
    """Return tasks in which an entry that does not lead has this name."""
    page = made.tasks()
    names = (*made.TEAMS[:2], name, *made.TEAMS[3:5])
    analyses = tuple(replace(one, names=names) for one in page.analyses)
    return replace(page, names=names, analyses=analyses)
