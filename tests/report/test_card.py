"""The card says in one picture who leads, who is tied, and where that comes from."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ElementTree

import pytest

from scoring_program import report as render
from scoring_program.document.marks import Mark
from scoring_program.report.assemble import converted
from tests.report import kinds, made
from tests.report.drawn import marks, number, said
from tests.report.test_conversion import size_of
from tests.report.test_standalone import shown


def card(form: str) -> str:
    make = made.FORMS.get(form) or kinds.KINDS[form]
    return render.figures(made.built(make()))["card.svg"]


def test_the_card_says_the_verdict_the_first_entries_and_the_source() -> None:
    texts = shown(card("teams"))
    said = " ".join(texts)
    assert texts[0] == "MeOffendEs 2021, subtask 3"
    assert "NLPCIC is first (F1 0.7154), but CIMATMTYGTO and DCCDINFOTEC" in said
    assert "may be as good or better." in said
    assert [text for text in texts if text in made.TEAMS] == list(made.TEAMS[:6])
    assert {"0.7154", "F1", "Places", "F1 behind the best"} <= set(texts)
    assert texts.count("MeOffendEs 2021, subtask 3") == 1
    assert texts[-1].startswith("2,182 examples · Made by Deadheat")
    assert texts[-2] == (
        "And 4 more. Places: those that an entry could hold on a much larger test set."
    )


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
    drawn = made.built((made.FORMS.get(form) or kinds.KINDS[form])()).card
    assert drawn is not None
    rows, verdict = [one for one in drawn.marks if one.tag == "g"], marks(drawn, "says")
    assert 1 <= len(rows) <= 6
    assert len(verdict) <= 3
    names = [one for row in rows for one in row.inside[:1] if isinstance(one, Mark)]
    assert len({said(one) for one in names}) == len(rows)  # told apart
    head, source = marks(drawn, "column number")[0], marks(drawn, "column")[-1]
    tops = [number(one, "y") for one in (verdict[-1], head, names[0], names[-1], source)]
    apart = [below - above for above, below in itertools.pairwise(tops)]
    assert min(apart[:2]) >= 20
    assert apart[3] >= 34
    ElementTree.fromstring(card(form))


def test_a_submission_in_a_field_is_on_its_card() -> None:
    page = made.result(form="field", focus=8)
    drawn = render.build(page).card
    assert drawn is not None
    assert [said(one) for one in marks(drawn, "entry focus")] == [made.TEAMS[8]]
    assert sum(one.tag == "g" for one in drawn.marks) == 6


def test_readers_of_scores_only_get_no_card() -> None:
    assert made.built(made.scores_only()).card is None
    assert render.figures(made.built(made.scores_only())) == {}


def test_the_card_is_the_picture_of_a_published_page() -> None:
    address = "https://example.org/2026/results.html"
    page = made.with_settings(made.teams(), page_url=address, figures=("png",))
    text = render.page(render.build(page))
    image = "https://example.org/2026/figures/card.png"
    assert f'<meta property="og:image" content="{image}">' in text
    assert f'<meta property="og:url" content="{address}">' in text
    for settings in ({"page_url": address}, {"figures": ("png",)}):
        text = render.page(render.build(made.with_settings(made.teams(), **settings)))
        assert "og:image" not in text
