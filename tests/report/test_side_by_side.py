"""Tasks and slices stand side by side, with the same entries in every panel."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
import pytest

from scoring_program import report as render
from scoring_program.document.marks import Key
from tests.report import made
from tests.report.drawn import marks, number, place, said


@dataclass(frozen=True)
class Shown:
    """A panel of the picture: its heading, its ticks, its entries, and the line through them."""

    heading: str
    ticks: list[tuple[float, str]]
    places: list[float]
    shapes: list[str]
    bars: int
    line: float | None


def panels(report: render.Document, name: str) -> list[Shown]:
    """Return the panels; between their headings stands what they hold."""
    found: list[Shown] = []
    drawing = report.figures[name]
    top = float(re.findall(r"[\d.]+", str(marks(drawing, "grid")[0].attributes["d"]))[1])
    is_heading = False
    for one in drawing.marks[:-1]:
        kind = str(one.attributes.get("class"))
        was_heading = is_heading
        is_heading = kind == "tick" and number(one, "y") < top
        if is_heading and was_heading:
            found[-1] = replace(found[-1], heading=f"{found[-1].heading} {said(one)}")
        elif is_heading:
            found.append(Shown(said(one), [], [], [], 0, None))
        elif kind == "tick":
            found[-1].ticks.append((number(one, "x"), said(one)))
        elif kind == "rule":
            line = float(re.findall(r"[\d.]+", str(one.attributes["d"]))[0])
            found[-1] = replace(found[-1], line=line)
        elif one.tag == "g":
            found[-1].places.append(place(one)[0])
            found[-1].shapes.append(kind)
            found[-1] = replace(found[-1], bars=found[-1].bars + (len(one.inside) > 1))
    return found


def rows(report: render.Document, name: str) -> list[str]:
    return [said(one) for one in marks(report.figures[name], "name")]


def test_every_task_shows_the_ranks_and_their_ranges() -> None:
    page = made.tasks()
    report = render.build(page)
    drawn = panels(report, "tasks")
    assert [panel.heading for panel in drawn] == [
        "mean rank", "F1 on stance", "macro F1 on location",
    ]  # fmt: skip
    assert rows(report, "tasks") == list(made.TEAMS[:5])
    for panel, evidence in zip(drawn, page.evidence, strict=True):
        first, last = (position for position, _ in panel.ticks)
        rank = [1 + 4 * (x - first) / (last - first) for x in panel.places]
        in_order = evidence.scores.rank[[evidence.names.index(name) for name in made.TEAMS[:5]]]
        assert rank == pytest.approx(in_order.tolist(), abs=0.01)
    (table,) = (table for table in report.tables if table.name == "tasks")
    location = page.evidence[2]
    best = location.names[location.scores.leader]
    (row,) = (row for row in table.rows if row[0].text == best)
    assert row[3].text.startswith("1 (1")
    assert row[3].strong


def test_the_picture_of_the_tasks_has_its_table_below_it() -> None:
    page = render.page(made.built(made.tasks()))
    start = page.index('id="task-ranks"')
    text = page[start : page.index("</table>", start)]
    assert "<svg" in text
    assert "The same as a table" in text


def test_one_task_has_no_such_picture() -> None:
    assert "tasks" not in made.built(made.teams()).figures


def test_many_tasks_take_several_figures_and_many_entries_the_first() -> None:
    scores, names = made.graded(40)
    page = made.result(scores, names, metrics=8, form="field", focus=39)
    tasks = tuple(
        replace(evidence, task=f"task {number}") for number, evidence in enumerate(page.evidence)
    )
    report = render.build(replace(page, evidence=tasks))
    one, two = panels(report, "tasks_1"), panels(report, "tasks_2")
    assert (len(one), len(two)) == (5, 3)
    assert len(rows(report, "tasks_1")) == 31
    assert rows(report, "tasks_1")[-1] == "team 040"  # the page is about it
    assert report.figures["tasks_1"].legend[-1] == Key(
        "note", "The first 30 of 40 entries are shown, and all leaders and possible winners."
    )
    assert (
        "The first 30 of 40 entries are shown, and all leaders and possible winners."
        in made.words(report, "task-ranks")
    )


def test_an_entry_without_a_score_in_a_task_has_no_mark_there() -> None:
    page = made.tasks()
    fewer = made.evidence(
        page.evidence[2].metric, made.F1[:4], made.TEAMS[:4], page.settings, seed=1
    )
    report = render.build(
        replace(page, evidence=(*page.evidence[:2], replace(fewer, task="location")))
    )
    assert [len(panel.places) for panel in panels(report, "tasks")] == [5, 5, 4]


def test_slices_stand_on_one_scale_with_the_overall_leader_marked() -> None:
    page = made.slices()
    drawn = panels(render.build(page), "slices_1")
    assert len(drawn) == 4
    assert len({tuple(label for _, label in panel.ticks) for panel in drawn}) == 1
    for panel, found in zip(drawn, page.evidence[0].slices, strict=True):
        assert panel.line == panel.places[0]  # the overall leader's score
        values = [float(found.score[i]) for i in page.evidence[0].scores.order]
        assert np.argsort(panel.places).tolist() == np.argsort(values).tolist()
    assert drawn[1].shapes.count("ahead") == 1
    assert drawn[3].bars == 0  # only scores in a small slice
    assert drawn[3].heading == "<source>: news & more"  # in two lines


def test_the_largest_slices_are_drawn() -> None:
    page = made.slices()
    (es, *_) = page.evidence[0].slices
    many = tuple(replace(es, value=f"value {k}", n=100 + k) for k in range(14))
    report = render.build(
        replace(page, evidence=(replace(page.evidence[0], slices=many), *page.evidence[1:]))
    )
    found = [
        panel.heading.split()[-1]
        for name in ("slices_1", "slices_2")
        for panel in panels(report, name)
    ]
    assert found == [str(k) for k in range(4, 14)]
