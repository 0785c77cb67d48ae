"""The shake-up: ranks that stay within the ties hide no score that falls."""

from __future__ import annotations

import itertools
from dataclasses import replace

from scoring_program import report as render
from scoring_program.document.blocks import Picture, every
from scoring_program.document.figures.forest import slopes
from scoring_program.document.marks import Drawing, Plotted
from tests.report import made
from tests.report.drawn import marks, number, said


def shaken(public_scores: tuple[float, ...]) -> render.Document:
    """Return the page of five private scores near .8, with these public ones."""
    names, scores = made.TEAMS[:5], (0.80, 0.795, 0.79, 0.785, 0.782)
    page = made.result(scores, names, metrics=2, error=0.01)
    public_f1 = made.metric("public_f1_score", "F1 on the public rows")
    public = made.evidence(public_f1, public_scores, names, page.settings, error=0.01, seed=3)
    return render.build(replace(page, evidence=(page.evidence[0], public), public=1))


def test_overfitting_shows_in_the_table_and_the_picture() -> None:
    report = shaken((0.80, 0.795, 0.79, 0.785, 0.852))
    (table,) = made.tables(report, "shake_up")
    _, figure = made.pictures(report, "shake_up")
    fallen, last = table.rows[4], figure.marks[-1]
    assert fallen[5].text == "within the ties"
    assert [item.text for item in fallen[6:]] == ["0.8520", "0.7820", "clearly worse"]
    assert last.attributes["class"] == "ahead"
    assert said(last.inside[-1]) == f"0.7820 {made.TEAMS[4]}"
    assert number(last.inside[0], "y2") > number(last.inside[0], "y1")  # it goes down
    assert [row[8].values for row in table.rows[:4]] == [("similar",)] * 4


def test_a_line_leads_from_the_public_to_the_private_place_of_every_entry() -> None:
    """The first place is on top, on both sides."""
    report = shaken((0.79, 0.80, 0.78, 0.77, 0.852))
    figure, _ = made.pictures(report, "shake_up")
    assert figure.title == "Ranks by F1 on the public and on the private rows"
    slopes = [mark for mark in figure.marks if mark.tag == "g"]
    drawn = {said(slope.inside[-1]).split()[1]: slope for slope in slopes}
    ends = {
        name: [number(slope.inside[0], end) for end in ("y1", "y2")]
        for name, slope in drawn.items()
    }
    # 3, 2, 4, 5, 1 on the public rows, and 1, 2, 3, 4, 5 on the private ones.
    first, second, third, fourth, fifth = (ends[name] for name in made.TEAMS[:5])
    assert fifth[0] < second[0] < first[0] < third[0] < fourth[0]
    assert first[1] < second[1] < third[1] < fourth[1] < fifth[1]
    assert first[1] == fifth[0]
    assert [said(slope.inside[3]) for slope in slopes] == ["3", "2", "4", "5", "1"]


def test_a_move_has_an_arrow_and_the_columns_of_a_phone() -> None:
    table = made.tables(shaken((0.79, 0.80, 0.78, 0.77, 0.852)), "shake_up")[0]
    rows = made.rows_of(table)
    assert [row["move"].style for row in rows] == ["up", "", "up", "up", "down"]
    styles = [column.style for column in table.columns]
    assert [style for style in styles if style] == ["move", "now", "change"]


def test_each_part_has_the_digits_that_tell_its_scores_apart() -> None:
    names = made.TEAMS[:3]
    page = made.result((0.8, 0.75, 0.7), names, error=0.05)
    public_f1 = made.metric("public_f1_score", "F1 on the public rows")
    public = made.evidence(public_f1, (0.8004, 0.8001, 0.8), names, page.settings, error=0.05)
    report = render.build(replace(page, evidence=(*page.evidence, public), public=1))
    rows = made.rows(report, "shake_up")
    assert [row["public_score"].text for row in rows] == ["0.8004", "0.8001", "0.8000"]
    assert [row["private_score"].text for row in rows] == ["0.800", "0.750", "0.700"]


def test_runs_of_a_team_are_one_place() -> None:
    """Beside four runs of A, C is third of four teams on the public rows, not the sixth run."""
    names, teams = ("A/1", "A/2", "A/3", "A/4", "B", "C", "D"), ("A",) * 4 + ("B", "C", "D")
    page = made.result((0.8, 0.79, 0.78, 0.77, 0.76, 0.81, 0.4), names, error=0.03)
    parts = [
        made.evidence(metric, scores, names, page.settings, error=0.03, teams=teams)
        for metric, scores in (
            (page.evidence[0].metric, (0.8, 0.79, 0.78, 0.77, 0.76, 0.81, 0.4)),
            (made.metric("public_f1", "Public F1"), (0.84, 0.83, 0.82, 0.85, 0.81, 0.8, 0.4)),
        )
    ]
    report = render.build(replace(page, evidence=tuple(parts), public=1))
    (table,) = made.tables(report, "shake_up")
    moves = [[cell.values for cell in row[:5]] for row in table.rows]
    assert moves == [
        [("C",), (3,), (1,), (2,), (1, 3)],
        [("A/1",), (1,), (2,), (-1,), (1, 3)],
        [("B",), (2,), (3,), (-1,), (1, 3)],
        [("D",), (4,), (4,), (0,), (4, 4)],
    ]
    assert [row[5].values for row in table.rows] == [("within",)] * 3 + [("unmoved",)]


def test_labels_of_equal_scores_stand_apart() -> None:
    _, figure = made.pictures(shaken((0.8,) * 5), "shake_up")
    heights = sorted(number(slope.inside[3], "y") for slope in figure.marks[2:])
    assert all(below - above > 15.9 for above, below in itertools.pairwise(heights))
    assert heights[-1] < figure.height


def test_a_phone_shows_the_pictures_without_scrolling() -> None:
    page = shaken((0.79, 0.80, 0.78, 0.77, 0.852))
    pictures = [*every(made.content(page, "shake_up").blocks, Picture)]
    assert len(pictures) == 2
    for picture in pictures:
        assert picture.figure.width == 560
        assert picture.narrow.width <= 390 - 2 * 20  # the page's margins
        assert picture.narrow.description == picture.figure.description
        assert picture.narrow.id != picture.figure.id
        words = [
            [said(text) for text in marks(figure, tag="text")]
            for figure in (picture.figure, picture.narrow)
        ]
        assert words[0] == words[1]


def test_a_long_name_shortens_the_lines_of_a_phone() -> None:
    rank = (-1.0, -1.0, -1.0)
    names = ("ab", "an_entry_of_24_letters_x")
    assert len(names[1]) == 24
    ends = []
    for name in names:
        entry = Plotted(name, (rank, rank), "behind", ("1", "1"))
        figure = slopes(Drawing("a", "a", "a"), ("public", "private"), [entry], narrow=True)
        (slope,) = marks(figure, "bar slope")
        ends.append(number(slope, "x2"))
        assert number(slope, "x2") - number(slope, "x1") >= 60
        assert said(marks(figure, tag="text")[-1]) == f"1 {name}"
    assert ends[1] < ends[0]


def test_the_picture_stands_alone_with_its_title() -> None:
    drawn = render.figures(shaken((0.8,) * 5))["shake_up.svg"]
    assert "F1 on the public and on the private rows, with 95% intervals" in drawn
    assert "public rows" in drawn
