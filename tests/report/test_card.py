"""The card says in one picture who leads, who is tied, and where that comes from."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from scoring_program import report as render
from scoring_program.report.conversion import converted
from tests.report import kinds, made
from tests.report.test_conversion import size_of
from tests.report.test_standalone import shown


def card(form: str) -> str:
    make = made.FORMS.get(form) or kinds.KINDS[form]
    return render.figures(render.build(make()))["card.svg"]


def test_the_card_says_the_verdict_the_first_entries_and_the_source() -> None:
    texts = shown(card("teams"))
    said = " ".join(texts)
    assert texts[0] == "MeOffendEs 2021, subtask 3"
    assert "NLPCIC leads with F1 0.7154; CIMATMTYGTO and DCCDINFOTEC" in said
    assert "statistically tied with it." in said
    assert [text for text in texts if text in made.TEAMS] == list(made.TEAMS[:5])
    assert {"0.7154", "F1", "Rank range", "leads", "tied with the leader"} <= set(texts)
    assert texts[-1].startswith("MeOffendEs 2021, subtask 3 · Made by Deadheat")


def test_the_card_has_the_size_that_links_show() -> None:
    pytest.importorskip("vl_convert")
    root = ElementTree.fromstring(card("teams"))
    assert (root.get("width"), root.get("height")) == ("1200", "630")
    (png,) = dict(converted({"card.svg": card("teams")}, ("png",))).values()
    assert size_of(png) == (1200, 630)


@pytest.mark.parametrize(
    "form",
    ["hostile", "long_names", "Chinese names", "Arabic names", "emoji names", "many", "single",
     "spanish", "reference", "errors"],
)  # fmt: skip
def test_nothing_leaves_the_card_or_lies_on_something_else(form: str) -> None:
    drawn = render.build((made.FORMS.get(form) or kinds.KINDS[form])()).card
    assert drawn is not None
    rows = drawn.rows
    assert 1 <= len(rows) <= 5
    assert len(drawn.verdict) <= 3
    assert drawn.verdict[-1].y < drawn.columns.y < rows[0].y - 10
    assert rows[-1].y + 20 <= drawn.legend_y
    assert drawn.legend_y + drawn.enlarged * drawn.legend.height < drawn.source.y - 20
    assert len({row.name for row in rows}) == len(rows)  # told apart
    marks = {key.mark for key in drawn.legend.keys} - {"bar"}
    assert marks == ({row.shape for row in rows} if form != "single" else set())
    ElementTree.fromstring(card(form))


def test_a_submission_in_a_field_is_on_its_card() -> None:
    page = made.result(form="field", focus=8)
    drawn = render.build(page).card
    assert drawn is not None
    assert [row.name for row in drawn.rows if row.focus] == [made.TEAMS[8]]
    assert len(drawn.rows) == 5


def test_readers_of_scores_only_get_no_card() -> None:
    assert render.build(made.scores_only()).card is None
    assert render.figures(render.build(made.scores_only())) == {}
