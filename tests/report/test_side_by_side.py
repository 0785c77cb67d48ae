"""Tasks and slices stand side by side, with the same entries in every panel."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring_program import report as render
from scoring_program.report import drawing
from tests.report import made


def panels(report: render.Report, name: str) -> drawing.SideBySide:
    drawn = report.figures[name]
    assert isinstance(drawn, drawing.SideBySide)
    return drawn


def test_every_task_shows_the_ranks_and_their_ranges() -> None:
    page = made.tasks()
    report = render.build(page)
    drawn = panels(report, "tasks")
    assert [panel.heading.text for panel in drawn.panels] == [
        "mean rank", "stance: F1", "location: macro F1",
    ]  # fmt: skip
    assert [row.text for row in drawn.rows] == list(made.TEAMS[:5])
    for panel, analysis in zip(drawn.panels, page.analyses, strict=True):
        first, last = (tick.position for tick in panel.ticks)
        rank = [1 + 4 * (span.x - first) / (last - first) for span in panel.spans]
        in_order = analysis.rank[[analysis.names.index(name) for name in made.TEAMS[:5]]]
        assert rank == pytest.approx(in_order.tolist(), abs=0.01)
    (table,) = (table for table in report.tables if table.name == "tasks")
    location = page.analyses[2]
    best = location.names[location.leader]
    (row,) = (row for row in table.rows if row[0].text == best)
    assert row[3].text.startswith("1 (1")
    assert row[3].strong


def test_the_picture_of_the_tasks_has_its_table_below_it() -> None:
    page = render.page(render.build(made.tasks()))
    start = page.index('id="task-ranks"')
    text = page[start : page.index("</table>", start)]
    assert "<svg" in text
    assert "The same as a table" in text


def test_one_task_has_no_such_picture() -> None:
    assert "tasks" not in render.build(made.teams()).figures


def test_many_tasks_take_several_figures_and_many_entries_the_first() -> None:
    scores, names = made.graded(40)
    page = made.result(scores, names, metrics=8, form="field", focus=39)
    tasks = tuple(
        replace(analysis, task=f"task {number}") for number, analysis in enumerate(page.analyses)
    )
    report = render.build(replace(page, analyses=tasks))
    one, two = panels(report, "tasks_1"), panels(report, "tasks_2")
    assert (len(one.panels), len(two.panels)) == (5, 3)
    assert len(one.rows) == 31
    assert one.rows[-1].text == "team 040"  # the page is about it
    assert one.heading.legend[-1] == drawing.Key("note", "The first 30 of 40 entries are shown.")
    (section,) = (found for found in report.pictures if found.id == "task-ranks")
    assert "The first 30 of 40 entries are shown." in section.content.note


def test_an_entry_without_a_score_in_a_task_has_no_mark_there() -> None:
    page = made.tasks()
    fewer = made.analysis(
        page.analyses[2].metric, made.F1[:4], made.TEAMS[:4], page.settings, seed=1
    )
    report = render.build(
        replace(page, analyses=(*page.analyses[:2], replace(fewer, task="location")))
    )
    assert [len(panel.spans) for panel in panels(report, "tasks").panels] == [5, 5, 4]


def test_slices_stand_on_one_scale_with_the_overall_leader_marked() -> None:
    page = made.slices()
    drawn = panels(render.build(page), "slices_1")
    assert len(drawn.panels) == 4
    assert len({tuple(tick.label for tick in panel.ticks) for panel in drawn.panels}) == 1
    for panel, found in zip(drawn.panels, page.analyses[0].slices, strict=True):
        assert panel.mark == panel.spans[0].x  # the overall leader's score
        values = [float(found.score[i]) for i in page.analyses[0].order]
        assert np.argsort([span.x for span in panel.spans]).tolist() == np.argsort(values).tolist()
    assert [span.shape for span in drawn.panels[1].spans].count("ahead") == 1
    assert not any(span.bar for span in drawn.panels[3].spans)  # only scores in a small slice


def test_the_largest_slices_are_drawn() -> None:
    page = made.slices()
    (es, *_) = page.analyses[0].slices
    many = tuple(replace(es, value=f"value {k}", n=100 + k) for k in range(14))
    report = render.build(
        replace(page, analyses=(replace(page.analyses[0], slices=many), *page.analyses[1:]))
    )
    found = [
        panel.heading.text.split()[-1]
        for name in ("slices_1", "slices_2")
        for panel in panels(report, name).panels
    ]
    assert found == [str(k) for k in range(4, 14)]
