"""The chart of the rank ranges of many entries."""

from __future__ import annotations

import html
import itertools
import re
from dataclasses import replace

import pytest

from scoring_program import report as render
from scoring_program.report.drawing import Forest, RankChart
from scoring_program.report.sections.rank_ranges import rank_chart_of

from . import kinds, made
from .test_ranking import view_of


def chart(m: int, **about: object) -> RankChart:
    scores, names = made.graded(m)
    found = rank_chart_of(view_of(made.result(scores, names, resamples=200, **about)))  # type: ignore[arg-type]
    assert found is not None
    return found


def test_few_entries_have_strips_and_many_a_chart() -> None:
    for m, kind in ((30, Forest), (31, RankChart)):
        report = render.build(made.result(*made.graded(m), resamples=200))
        assert isinstance(report.figures["rank_ranges"], kind)
        assert ('id="ranges"' in render.page(report)) == (kind is RankChart)


@pytest.mark.parametrize("m", [31, 134, 300])
def test_the_labels_have_room_and_the_chart_fits_two_screens(m: int) -> None:
    found = chart(m)
    assert found.height <= 1300
    tops = [label.y for label in found.labels]
    assert min(b - a for a, b in itertools.pairwise(tops)) >= 12
    assert found.labels[0].text == "1 · team 001"
    assert len(found.labels) >= min(m, 60)
    assert [found.ticks[0].label, found.ticks[-1].label] == ["1", found.ticks[-1].label]
    assert int(found.ticks[-1].label) > 0.7 * m


def test_lines_are_the_rank_ranges() -> None:
    found, analysis = chart(31), made.result(*made.graded(31), resamples=200).analyses[0]
    per_rank = (found.ticks[-1].position - found.ticks[0].position) / (
        int(found.ticks[-1].label) - 1
    )
    drawn = [
        tuple(round(1 + (float(x) - found.ticks[0].position) / per_rank) for x in ends)
        for line in found.lines
        for ends in re.findall(r"M([\d.]+) [\d.]+H([\d.]+)", line.ranges)
    ]
    expected = [(analysis.rank_low[i], analysis.rank_high[i]) for i in analysis.order]
    assert sorted(drawn) == sorted(expected)


def test_a_submission_in_the_field_is_always_labeled() -> None:
    for focus in range(280, 286):
        found = chart(300, form="field", focus=focus)
        (bold,) = [label for label in found.labels if label.shade]
        assert bold.text.endswith(f"team {focus + 1:03}")
        tops = [label.y for label in found.labels]
        assert min(b - a for a, b in itertools.pairwise(tops)) >= 12


def test_the_picture_says_who_leads() -> None:
    report = render.build(kinds.three_hundred())
    svg = render.figures(report)["rank_ranges.svg"]
    assert report.verdict in svg
    assert "leader or tied with it" in svg
    assert len(svg) < 60_000
    shapes = {line.shape for line in report.metrics[0].rank_chart.lines}  # type: ignore[union-attr]
    assert shapes == {"leader", "tied", "behind"}
    few = replace(made.result(), form="teams")
    assert render.build(few).metrics[0].rank_chart is None


def test_the_picture_says_what_an_entry_named_in_advance_is_compared_with() -> None:
    settings = {"reference_entry": "team 010"}
    report = render.build(made.result(*made.graded(40), resamples=200, settings=settings))
    svg, page = render.figures(report)["rank_ranges.svg"], html.unescape(render.page(report))
    assert "team 010, tied with it, or leader" in svg
    assert "ahead of team 010 and not tied with it" in svg
    assert "leader or tied with it" not in svg
    assert "of an entry tied with it, or of the leader. An orange line" in page
    assert "leader's, or that" not in page


def test_beside_a_beaten_leader_blue_lines_are_those_of_possible_winners() -> None:
    result = made.result(*made.graded(40), resamples=200)
    (analysis,) = result.analyses
    tied = analysis.tied_with_leader.copy()
    tied[analysis.leader] = False  # as where a run that is not shown is better
    report = render.build(replace(result, analyses=(replace(analysis, tied_with_leader=tied),)))
    svg, page = render.figures(report)["rank_ranges.svg"], html.unescape(render.page(report))
    assert "leader or possible winner" in svg
    assert "leader or tied with it" not in svg
    assert "leader's, or that of a possible winner" in page
