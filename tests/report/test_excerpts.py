"""Pages of large fields: short tables for statisticians, whole ones in the files, few bytes."""

from __future__ import annotations

import numpy as np

from scoring_program import report as render
from scoring_program.report.sections.one_metric import MetricSection
from tests.report import made


def lengths(section: MetricSection) -> set[int]:
    """Return the numbers of rows that the page shows of the tables for statisticians."""
    assert section.differences is not None
    assert section.pairs is not None
    assert section.pairs.counts_excerpt is not None
    assert section.ties is not None
    assert section.ranks is not None
    tables = [*section.test_excerpts, section.pairs.counts_excerpt, section.ranks.table]
    shown = [table.rows for table in tables]
    return {*map(len, shown), len(section.differences.excerpt), len(section.ties.rows)}


def test_the_page_shows_the_beginning_of_long_tables_and_the_files_hold_all() -> None:
    scores = np.linspace(0.72, 0.70, 80).tolist()
    report = render.build(made.result(scores, made.graded(80)[1], resamples=200))
    (section,) = report.metrics
    assert lengths(section) == {50}
    assert section.ties is not None
    assert section.ties.totals[0] == "79"
    rows = {table.name: len(table.records or table.rows) for table in report.tables}
    assert rows["p_values"] == 79
    assert rows["differences"] == 79 + 1  # with the header
    assert "first 50 entries" in " ".join(report.evidence_notes)
    assert report.evidence_notes[0] in render.page(report)


def test_of_a_submission_in_a_large_field_its_own_row_shows_too() -> None:
    scores = np.linspace(0.72, 0.70, 80).tolist()
    names = made.graded(80)[1]
    (section,) = render.build(
        made.result(scores, names, resamples=200, form="field", focus=70)
    ).metrics
    assert lengths(section) == {51}
    assert section.differences is not None
    assert section.differences.excerpt[-1].name == names[70]


def test_short_tables_are_whole() -> None:
    report = render.build(made.result(*made.graded(40), resamples=200))
    assert report.evidence_notes == ()
    assert len(report.metrics[0].test_excerpts[0].rows) == 39


def test_a_page_of_300_entries_by_two_metrics_is_below_one_and_a_half_megabytes() -> None:
    scores, names = made.graded(300)
    findings = made.result(
        scores, names, metrics=2, error=0.012, settings={"baselines": names[-3:]}, resamples=500
    )
    assert len(render.page(render.build(findings)).encode()) < 1.5e6
