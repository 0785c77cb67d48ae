"""The chart of the rank ranges of many entries."""

from __future__ import annotations

import html
import itertools
import re
from dataclasses import replace

import pytest

from scoring_program import report as render
from scoring_program.document.marks import Drawing, Mark

from . import kinds, made
from .drawn import marks, number, said


def chart(m: int, **about: object) -> Drawing:
    scores, names = made.graded(m)
    findings = made.result(scores, names, resamples=200, **about)  # type: ignore[arg-type]
    return made.built(findings).figures["rank_ranges"]


def ticks(drawn: Drawing) -> list[Mark]:
    """Return the labels of the ranks above the lines."""
    return [one for one in marks(drawn, "tick") if one.attributes.get("dy") == -4]


def test_few_entries_have_strips_and_many_a_chart() -> None:
    for m, thin in ((30, False), (31, True)):
        report = render.build(made.result(*made.graded(m), resamples=200))
        assert bool(marks(report.figures["rank_ranges"], "bar range")) == thin
        assert ('id="ranges"' in render.page(report)) == thin


@pytest.mark.parametrize("m", [31, 134, 300])
def test_the_labels_have_room_and_the_chart_fits_two_screens(m: int) -> None:
    found = chart(m)
    assert found.height <= 1300
    labels, (first, *_, last) = marks(found, "tick name"), ticks(found)
    tops = [number(label, "y") for label in labels]
    assert min(b - a for a, b in itertools.pairwise(tops)) >= 12
    assert said(labels[0]) == "1 · team 001"
    assert len(labels) >= min(m, 60)
    assert said(first) == "1"
    assert int(said(last)) > 0.7 * m


def test_lines_are_the_rank_ranges() -> None:
    found, evidence = chart(31), made.result(*made.graded(31), resamples=200).evidence[0]
    first, *_, last = ticks(found)
    start = number(first, "x")
    per_rank = (number(last, "x") - start) / (int(said(last)) - 1)
    drawn = [
        tuple(round(1 + (float(x) - start) / per_rank) for x in ends)
        for line in marks(found, "bar range")
        for ends in re.findall(r"M([\d.]+) [\d.]+H([\d.]+)", str(line.attributes["d"]))
    ]
    expected = [
        (evidence.standing.rank_low[i], evidence.standing.rank_high[i])
        for i in evidence.scores.order
    ]
    assert sorted(drawn) == sorted(expected)


@pytest.mark.full
def test_a_submission_in_the_field_is_always_labeled() -> None:
    for focus in range(280, 286):
        found = chart(300, form="field", focus=focus)
        (bold,) = marks(found, "tick name focus")
        assert said(bold).endswith(f"team {focus + 1:03}")
        labels = [*marks(found, "tick name"), bold]
        tops = sorted(number(label, "y") for label in labels)
        assert min(b - a for a, b in itertools.pairwise(tops)) >= 12


def test_the_picture_says_who_leads() -> None:
    report = render.build(kinds.three_hundred())
    svg = render.figures(report)["rank_ranges.svg"]
    assert report.verdict in svg
    assert "leader or possible winner: places" in svg
    assert len(svg) < 60_000
    shapes = {one.attributes["class"] for one in report.figures["rank_ranges"].marks if one.inside}
    shapes -= {"tick", "tick name"}
    assert shapes == {"leader", "tied", "behind"}


def test_the_picture_says_what_an_entry_named_in_advance_is_compared_with() -> None:
    settings = {"reference_entry": "team 010"}
    report = render.build(made.result(*made.graded(40), resamples=200, settings=settings))
    svg, page = render.figures(report)["rank_ranges.svg"], html.unescape(render.page(report))
    assert "team 010, not separated from it, or leader" in svg
    assert "ahead of team 010 and separated from it" in svg
    assert "leader or possible winner" not in svg
    assert "of an entry not separated from it, or of the leader. An orange line" in page
    assert "leader's, or that" not in page


def test_beside_a_beaten_leader_blue_lines_are_those_of_possible_winners() -> None:
    result = made.result(*made.graded(40), resamples=200)
    (evidence,) = result.evidence
    tied = evidence.verdict.possible_winners.copy()
    tied[evidence.scores.leader] = False  # as where a run that is not shown is better
    report = render.build(
        replace(result, evidence=(made.with_parts(evidence, verdict={"possible_winners": tied}),))
    )
    svg, page = render.figures(report)["rank_ranges.svg"], html.unescape(render.page(report))
    assert "leader or possible winner" in svg
    assert "leader or tied with it" not in svg
    assert "leader's, or that of a possible winner" in page
