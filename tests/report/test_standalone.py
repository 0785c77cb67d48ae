"""A figure that stands alone says what it shows, what its marks mean and where it comes from."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from scoring_program import report as render
from scoring_program.document.marks import Key, legend
from scoring_program.document.shortening import broken
from tests.report import made
from tests.report.drawn import marks, number, said


def shown(svg: str) -> list[str]:
    """Return the texts that a reader sees, in the order of the file."""
    return [found.text or "" for found in ElementTree.fromstring(svg).iterfind(".//{*}text")]


@pytest.mark.parametrize("form", [form for form in made.FORMS if form != "scores_only"])
def test_every_figure_has_its_title_its_legend_and_its_source(form: str) -> None:
    report = made.built(made.FORMS[form]())
    drawn = render.figures(report)
    for name, figure in report.figures.items():
        if figure.unit:  # in a paper its caption says all this
            continue
        texts = shown(drawn[f"{name}.svg"])
        start = figure.title.split()[0]
        assert texts[0].startswith(start[:10]), name
        # A grid has its own.
        keys = [key.text for key in figure.legend]
        keys += [said(one) for one in marks(figure, "start")][-1:]
        assert keys, name
        assert {key[:20] for key in keys} <= {text[:20] for text in texts}, name
        assert "Deadheat" in " ".join(texts[-2:]), name


def test_a_legend_has_only_the_marks_of_its_figure() -> None:
    figures = made.built(made.teams()).figures
    assert [key.mark for key in figures["intervals"].legend] == [
        "leader", "tied", "behind", "bar", "rule", "bracket",
    ]  # fmt: skip
    assert [key.mark for key in figures["differences"].legend] == ["plain", "bar", "rule"]
    alone = made.built(made.single()).figures["intervals"]
    assert [key.mark for key in alone.legend] == ["bar"]


def test_the_circles_of_a_legend_are_as_large_as_those_of_the_figure() -> None:
    figure = made.built(made.teams()).figures["rank_frequencies"]
    half, tenth = (key.size for key in figure.legend)
    assert half**2 / tenth**2 == pytest.approx(5, rel=0.01)
    assert half < max(number(blob, "r") for blob in marks(figure, "blob")) < half * 2**0.5


def test_a_bracket_holds_the_possible_winners_together() -> None:
    for make, held in ((made.teams, [(0, 2)]), (made.baselines, [(1, 2)])):
        report = made.built(make())
        figure = report.figures["intervals"]
        styles = [row["entry"].row for row in made.rows(report, "ranking")]
        winners = [place for place, style in enumerate(styles) if "winner" in style]
        assert winners == [place for low, high in held for place in range(low, high + 1)]
        (bracket,) = marks(figure, "held")
        assert bracket.attributes["d"] == "".join(
            f"M15 {24 * low + 7}H10V{24 * high + 25}H15" for low, high in held
        )


def test_keys_take_another_line_where_they_would_leave_the_figure() -> None:
    keys = [Key("bar", "a key of some length")] * 3
    placed, height = legend(keys, 12, 30, 400)
    texts = [one for one in placed if one.tag == "text"]
    assert [number(one, "y") for one in texts] == [44, 44, 64]
    assert all(number(one, "x") + 6.5 * len(said(one)) <= 400 for one in texts)
    assert height == 40
    assert legend([], 12, 30, 400) == ([], 0)


def test_a_key_that_is_wider_than_the_figure_takes_several_lines() -> None:
    long = "Box: the middle half, with the median. Thin line: nine tenths of the cases."
    placed, height = legend([Key("note", long), Key("bar", "an interval")], 12, 30, 300)
    texts = [one for one in placed if one.tag == "text"]
    assert " ".join(map(said, texts[:-1])) == long
    assert [number(one, "y") for one in texts] == [44, 64, 84]
    assert all(number(one, "x") + 6.5 * len(said(one)) <= 300 for one in texts)
    assert height == 60


def test_a_text_is_broken_between_words() -> None:
    assert broken("one two three", 20) == ["one two three"]
    assert broken("one two three", 8) == ["one two", "three"]
    assert broken("one two three", 7) == ["one two", "three"]
    assert broken("one two three four five", 9) == ["one two", "three fo…"]
    assert broken("unbreakable", 6) == ["unbrea", "kable"]
    assert broken("a-breakable-name", 12) == ["a-breakable-", "name"]
    assert broken("a-unbreakable", 8) == ["a-unbrea", "kable"]  # not after so little
    assert broken("abcd-efghijklmno", 8) == ["abcd-efg", "hijklmno"]  # the rest has no room
    assert broken("東京大学", 4) == ["東京", "大学"]
    assert broken("", 4) == []
