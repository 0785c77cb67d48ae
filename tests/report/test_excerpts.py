"""Pages of large fields: short tables for statisticians, whole ones in the files, few bytes."""

from __future__ import annotations

import numpy as np
import pytest

from scoring_program import report as render
from scoring_program.document.blocks import every
from scoring_program.document.take_away import ResultTable
from tests.report import made


def lengths(report: render.Document) -> set[int]:
    """Return the numbers of rows that the page shows of the tables for statisticians."""
    found = every(made.content(report, "metric-1-evidence").blocks, ResultTable)
    return {len(table.page_rows) for table in found}


def test_the_page_shows_the_beginning_of_long_tables_and_the_files_hold_all() -> None:
    scores = np.linspace(0.72, 0.70, 80).tolist()
    report = render.build(made.result(scores, made.graded(80)[1], resamples=200))
    assert lengths(report) == {50}
    assert made.tables(report, "metric-1-ties")[0].foot[1] == "79"
    rows = {table.name: len(table.rows) for table in report.tables}
    assert rows["p_values"] == rows["differences"] == 79
    assert "first 50 entries" in render.page(report)


def test_of_a_submission_in_a_large_field_its_own_row_shows_too() -> None:
    scores = np.linspace(0.72, 0.70, 80).tolist()
    names = made.graded(80)[1]
    report = render.build(made.result(scores, names, resamples=200, form="field", focus=70))
    assert lengths(report) == {51}
    (table,) = (table for table in report.tables if table.name == "differences")
    *_, last = table.page_rows
    assert last[0].text == names[70]


def test_short_tables_are_whole() -> None:
    report = render.build(made.result(*made.graded(40), resamples=200))
    assert "first 50 entries" not in render.page(report)
    assert lengths(report) == {39, 40}


@pytest.mark.full
def test_a_page_of_300_entries_by_two_metrics_is_below_one_and_a_half_megabytes() -> None:
    scores, names = made.graded(300)
    findings = made.result(
        scores, names, metrics=2, error=0.012, settings={"baselines": names[-3:]}, resamples=500
    )
    assert len(render.page(made.built(findings)).encode()) < 1.5e6
