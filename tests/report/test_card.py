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


def _lines_of_name(row: Mark) -> list[Mark]:
    """Return the lines of the name in a row of the card."""
    lines = []
    for one in row.inside:
        if isinstance(one, Mark) and one.tag == "text":
            kinds_of = str(one.attributes["class"]).split()
            if "entry" in kinds_of and "number" not in kinds_of:
                lines.append(one)
    return lines


def test_a_verdict_of_long_names_says_their_number_on_the_card() -> None:
    names = [f"2024-08-25_the-agent-of-a-laboratory_version-{number}" for number in range(4)]
    drawn = made.built(made.result((0.7, 0.699, 0.698, 0.697), names)).card
    assert drawn is not None
    verdict = " ".join(map(said, marks(drawn, "says")))
    assert "…" not in verdict
    assert "is first; any of 4 entries may be the best." in verdict


def test_a_long_name_is_whole_on_the_card() -> None:
    names = ["FuseChat-Llama-3.1-8B-Instruct of the second round", "A", "B"]
    drawn = made.built(made.result((0.7, 0.6, 0.5), names)).card
    assert drawn is not None
    first = next(one for one in drawn.marks if one.tag == "g")
    lines = [*map(said, _lines_of_name(first))]
    assert lines == ["FuseChat-Llama-3.1-8B-", "Instruct of the second round"]


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
    lines = [_lines_of_name(row) for row in rows]
    whole = {"".join(map(said, lines_of)) for lines_of in lines}
    assert len(whole) == len(rows)  # told apart
    names = [lines_of[0] for lines_of in lines]
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
