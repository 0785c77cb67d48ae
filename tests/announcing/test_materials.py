"""Every file of an announcement, for each verdict and language."""

from __future__ import annotations

import functools
import re
from typing import Any
from xml.etree import ElementTree

import html5lib
import pytest

from scoring_program.announcing.materials import files
from scoring_program.announcing.post import MOST_LETTERS
from scoring_program.announcing.record import AnnouncedResults, file_names
from scoring_program.core.catalogs import languages
from scoring_program.document.shortening import letters_of
from tests.announcing.results import VERDICTS, document
from tests.words import sentences

LANGUAGES = languages()
SVG = "{http://www.w3.org/2000/svg}"
#: English sentences of announcements that are long enough to be known by.
ENGLISH = [
    sentence.one
    for sentence in sentences("announcing/", "report/announcement.py")
    if len(sentence.one) > 25 and "{" not in sentence.one
]


@functools.cache
def announced(name: str, language: str | None = "en") -> dict[str, str]:
    return files(AnnouncedResults(document(name), language))


def letters(name: str, language: str = "en") -> dict[str, str]:
    made = announced(name, language)
    return {path[8:-4]: text for path, text in made.items() if path.startswith("letters/")}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", VERDICTS)
def test_every_file_exists_in_every_language(name: str, language: str) -> None:
    made = announced(name, language)
    top = {path for path in made if "/" not in path}
    assert top == {"checklist.md", "slide.svg", "post.txt", "widget.html", "rules.md"}
    for path, text in made.items():
        assert text.endswith("\n"), path
        assert not re.search(r"\{[a-z_]+(:n)?\}", text.replace("{{ 7*7 }}", "")), path
        assert "nan" not in re.findall(r"\w+", text), path
        if language != "en":
            assert not [sentence for sentence in ENGLISH if sentence in text], path


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", VERDICTS)
def test_the_checklist_has_at_most_ten_lines(name: str, language: str) -> None:
    text = announced(name, language)["checklist.md"]
    items = [line for line in text.splitlines() if re.match(r"\d+\. ", line)]
    assert 1 <= len(items) <= 10


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", VERDICTS)
def test_a_post_has_at_most_280_letters(name: str, language: str) -> None:
    post, alternative = announced(name, language)["post.txt"].split("\n\n")
    assert 0 < letters_of(post) <= MOST_LETTERS
    assert "\n" not in post
    assert alternative


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", VERDICTS)
def test_the_slide_is_a_whole_picture(name: str, language: str) -> None:
    made = announced(name, language)
    root = ElementTree.fromstring(made["slide.svg"])
    assert (root.get("width"), root.get("height")) == ("1600", "900")
    assert not list(root.iter(f"{SVG}script"))
    statement = [text.text or "" for text in root.iter(f"{SVG}text") if text.get("class") == "says"]
    view = AnnouncedResults(document(name), language)
    words = " ".join(statement)
    assert not words.endswith("…")
    assert 1 <= len(statement) <= 3
    heights = [float(text.get("y", "0")) for text in root.iter(f"{SVG}text")]
    assert max(heights) < 900
    notes = [text.text or "" for text in root.iter(f"{SVG}text") if text.get("class") == "note"]
    assert not [line for line in notes if line.endswith("…")]
    # A sign is a glyph and a word.
    signs = [
        text.text for text in root.iter(f"{SVG}text") if text.get("class", "").startswith("sign ")
    ]
    sign = view.announcement.sign
    assert signs == [f"{sign.glyph} {sign.word}"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_headings_of_the_slide_are_whole(language: str) -> None:
    root = ElementTree.fromstring(announced("close", language)["slide.svg"])
    headings = [
        text.text or "" for text in root.iter(f"{SVG}text") if "column" in text.get("class", "")
    ]
    assert len(headings) >= 3
    assert not [heading for heading in headings if heading.endswith("…")]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", VERDICTS)
def test_the_widget_needs_nothing_from_elsewhere(name: str, language: str) -> None:
    text = announced(name, language)["widget.html"]
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    root = parser.parse(text)
    assert root.get("lang") == language
    tags = {element.tag for element in root.iter() if isinstance(element.tag, str)}
    assert not tags & {"script", "link", "img", "iframe", "object", "form"}
    assert "default-src 'none'" in text
    assert "url(" not in text
    assert "@import" not in text


def test_the_widget_marks_possible_winners_only_where_they_are_named() -> None:
    assert announced("close")["widget.html"].count('class="winner"') == 3
    assert announced("withdrawn")["widget.html"].count('class="winner"') == 0
    assert announced("by_rule")["widget.html"].count('class="winner"') == 0


def test_a_widget_of_many_entries_has_the_possible_winners_and_says_who_is_left_out() -> None:
    text = announced("many")["widget.html"]
    assert text.count('class="winner"') == 24
    assert "110 more entries are not shown." in text


@pytest.mark.parametrize("name", VERDICTS)
def test_what_everybody_reads_gives_no_advice_to_organizers(name: str) -> None:
    made = announced(name)
    for path in ("slide.svg", "post.txt", "widget.html"):
        assert "Do not call" not in made[path]
        assert "below" not in made[path]


def test_a_serious_caution_comes_first_everywhere() -> None:
    made = announced("withdrawn")
    caution = "There are only 8 groups"
    assert made["checklist.md"].splitlines()[2].startswith("! Wait. Nothing yet")
    assert caution in made["checklist.md"].splitlines()[4]
    assert caution in made["slide.svg"]
    assert caution in made["widget.html"]
    assert "No winner can be named yet" in made["post.txt"]
    for path, text in made.items():
        assert "won" not in re.findall(r"\w+", text), path


#: Of a caution about uploads, what organizers and everybody read.
UPLOADS = {
    "internal_errors": ("left 2 submissions without a score", "2 submissions still have to be"),
    "same_names": ("names that look the same. Find out first", "names that look the same."),
}


def waiting(name: str, code: str) -> dict[str, Any]:
    """Return results with something to settle about uploads."""
    content = document(name)
    message = "Look at these uploads before you name winners."
    content["warnings"].append(
        {
            "level": "red",
            "code": code,
            "number": 2,
            "metric": content["metrics"][0]["name"],
            "message": message,
        }
    )
    return content


@pytest.mark.parametrize("name", ["won", "close", "shared", "alone", "priced", "secret"])
@pytest.mark.parametrize("code", UPLOADS)
def test_nobody_is_named_before_the_uploads_are_settled(name: str, code: str) -> None:
    """An entry without a score through no fault of its own may be the best; one name may be two."""
    of_organizer, of_everybody = UPLOADS[code]
    made = files(AnnouncedResults(waiting(name, code), "en"))
    lines = made["checklist.md"].splitlines()
    assert lines[2].startswith("! Wait. Nothing yet")
    assert of_organizer in lines[2]
    assert lines[4].startswith("1. Settle the serious caution, and score again:")
    assert "Look at these uploads" in lines[4]
    for path in ("post.txt", "widget.html", "slide.svg"):
        words = " ".join(re.sub("<[^>]+>", " ", made[path]).split())
        assert of_everybody in words
    assert 'class="winner"' not in made["widget.html"]
    for path, text in made.items():
        if path.startswith("letters/"):
            assert of_everybody in text
        if path != "rules.md":
            words = " ".join(text.split())
            assert not re.search(r"\bwon\b|Congratulations|take the first|sure,", words), path


def test_a_caution_is_said_in_the_language() -> None:
    """results.json has its message in English, and what it is made of."""
    text = announced("withdrawn", "es")["checklist.md"]
    assert "There are only" not in text
    assert "8 grupos" in text


def test_a_caution_of_a_file_without_phrases_stays_english() -> None:
    content = document("withdrawn")
    for warning in content["warnings"]:
        del warning["phrase"]
    assert "There are only 8 groups" in files(AnnouncedResults(content, "es"))["checklist.md"]


def test_the_language_is_that_of_the_results_unless_another_is_chosen() -> None:
    assert "Estimado equipo" in announced("everything", None)["letters/alfa.txt"]
    assert "Dear alfa" in announced("everything", "en")["letters/alfa.txt"]


def test_prizes_are_said_as_the_page_says_them() -> None:
    open_prizes = "NLPCIC, CIMATMTYGTO, DCCDINFOTEC, CIMATGTO and UMUTeam may take the first three"
    made = announced("close")
    assert open_prizes in made["checklist.md"]
    assert open_prizes in made["widget.html"]
    assert "There are 3 prizes." in made["rules.md"]
    assert "L and A take the first two places." in announced("won")["checklist.md"]
    assert "max-T does" in announced("by_rule")["checklist.md"]


def test_rules_say_what_costs_decide_where_there_are_any() -> None:
    assert "Costs are shown beside the scores, and have no part" in announced("priced")["rules.md"]
    assert "Costs" not in announced("close")["rules.md"]


def test_rules_have_the_metric_the_policies_and_what_was_committed_to() -> None:
    text = announced("close")["rules.md"]
    assert "ranked by F1, `f1_score(pos_label='offensive')`; higher is better" in text
    assert "A submission that lacks a prediction is not scored." in text
    assert "with 95% confidence, that it is the best (tie rule: max-T)" in text
    assert "sha256sum" in text
    assert "Seed of this competition: 0" in text
    assert "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c1" in text
    assert "which names no winners" in announced("by_rule")["rules.md"]


@pytest.mark.parametrize(
    ("reading", "gold"),
    [
        (None, "gold.csv"),
        ({"reference": None}, "gold.csv"),
        ({"reference": {"files": ["gold.conll"]}}, "gold.conll"),
        (
            {"tasks": {name: {"reference": {"files": [f"{name}.csv"]}} for name in ("a", "b c")}},
            "a.csv 'b c.csv'",
        ),
    ],
)
def test_the_hash_binds_every_file_of_the_reference_data(reading: Any, gold: str) -> None:
    content = {**document("close"), "reading": reading}
    text = files(AnnouncedResults(content, "en"))["rules.md"]
    assert f"\ncat scoring.yaml {gold} salt.txt | sha256sum\n" in text
    assert "three files" not in text


def test_names_in_markdown_stay_names() -> None:
    made = announced("hostile")
    for path in ("checklist.md", "rules.md"):
        assert "<img" not in made[path]
        assert "<script" not in made[path]


def test_names_of_files_are_the_keys_of_scores_txt() -> None:
    assert set(letters("close")) == set(document("close")["keys"].values())


def test_names_of_files_differ_where_case_does_not_count() -> None:
    keys = {"Ann": "Ann", "ann": "ann", "con": "con", "x" * 300: "x" * 300, "x" * 301: "x" * 301}
    names = file_names(keys, ["ANN", "Ann"])
    assert names["Ann"] == "Ann"
    assert names["con"] == "_con"
    assert len({name.casefold() for name in names.values()}) == len(names) == 6
    assert max(map(len, names.values())) < 110


def test_the_same_results_give_the_same_files() -> None:
    assert announced("close") == announced("close")


def test_the_slide_says_who_takes_the_prizes() -> None:
    assert "L won, and the first 2 are L and A." in announced("won")["slide.svg"]
    assert "CIMATGTO and UMUTeam may take" in re.sub(
        r"</text>\s*<text[^>]*>", " ", announced("close")["slide.svg"]
    )
