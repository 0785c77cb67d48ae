"""What may be announced: one sentence for each kind of record, the same from page and file."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scoring_program.core import catalogs
from scoring_program.core.phrases import Phrase
from scoring_program.inference.evidence import OF_UPLOADS, Caution
from scoring_program.report.announcement import (
    Podium,
    announcement,
    podium_of,
    recorded_podium,
)
from scoring_program.report.findings import Findings
from scoring_program.report.results_json import results_json
from tests.report import made

#: L won among five teams.
WON = Podium(
    leaders=("L",),
    possible_winners=("L",),
    settled=(),
    serious_cautions=0,
    failed=0,
    alike=0,
    names_winners=True,
    competing=5,
    baseline_ahead=False,
)
SEVEN = tuple("LABCDEF")

CASES: dict[str, tuple[dict[str, Any], str, str]] = {
    "a winner": ({}, "settled", "L won."),
    "a winner behind a baseline": (
        {"baseline_ahead": True},
        "settled",
        "L won among the competing entries.",
    ),
    "a winner and settled places": (
        {"settled": ("L", "A", "B")},
        "settled",
        "L won, and the first 3 are L, A and B.",
    ),
    "a winner and many settled places": (
        {"settled": SEVEN, "competing": 9},
        "settled",
        "L won, and the first 7 are L, A, B and 4 more entries.",
    ),
    "settled places without a winner": (
        {"possible_winners": ("L", "A"), "settled": ("L", "A")},
        "open",
        "L is first. Do not call it better than A.",
    ),
    "several possible winners": (
        {"possible_winners": ("L", "A", "B")},
        "open",
        "L is first. Do not call it better than A and B.",
    ),
    "five possible winners": (
        {"possible_winners": SEVEN[:5]},
        "open",
        "L is first. Do not call it better than A, B, C and D.",
    ),
    "several possible winners behind a baseline": (
        {"possible_winners": ("L", "A"), "baseline_ahead": True},
        "open",
        "L is first among the competing entries. Do not call it better than A.",
    ),
    "many possible winners": (
        {"possible_winners": SEVEN, "competing": 9},
        "open",
        "L is first; any of 7 entries may be the best.",
    ),
    "many possible winners behind a baseline": (
        {"possible_winners": SEVEN, "competing": 9, "baseline_ahead": True},
        "open",
        "L is first among the competing entries; any of 7 of them may be the best.",
    ),
    "two leaders": (
        {"leaders": ("L", "A"), "possible_winners": ("L", "A")},
        "open",
        "L and A have the same best score; either may be the best.",
    ),
    "two leaders and others": (
        {"leaders": ("L", "A"), "possible_winners": ("L", "A", "B")},
        "open",
        "L and A have the same best score; any of the 3 possible winners may be the best.",
    ),
    "many leaders": (
        {"leaders": SEVEN, "possible_winners": SEVEN, "competing": 9},
        "open",
        "L, A, B and 4 more entries have the same best score; any of the 7 possible winners may "
        "be the best.",
    ),
    "a rule that names no winners": (
        {"names_winners": False},
        "open",
        "L has the best score. This tie rule names no winners.",
    ),
    "two leaders by a rule that names no winners": (
        {"names_winners": False, "leaders": ("L", "A")},
        "open",
        "L and A have the same best score. This tie rule names no winners.",
    ),
    "a serious caution": (
        {"serious_cautions": 1},
        "wait",
        "Nothing yet: the serious caution below comes first.",
    ),
    "serious cautions, and a rule that names no winners": (
        {"serious_cautions": 2, "names_winners": False},
        "wait",
        "Nothing yet: the serious cautions below come first.",
    ),
    "a submission without a score because of an error of the program": (
        {"failed": 1},
        "wait",
        "Nothing yet: an error of this program left 1 submission without a score. Report the "
        "error, and score again first.",
    ),
    "names that look the same": (
        {"alike": 1, "possible_winners": ("L", "A")},
        "wait",
        "Nothing yet: different teams have names that look the same. Find out first whose uploads "
        "they are.",
    ),
    "submissions without a score, and nobody else": (
        {"failed": 2, "competing": 1},
        "wait",
        "Nothing yet: an error of this program left 2 submissions without a score. Report the "
        "error, and score again first.",
    ),
    "several things to settle": (
        {"failed": 3, "alike": 1},
        "wait",
        "Nothing yet: the serious cautions below come first.",
    ),
    "things to settle about uploads and about the evidence": (
        {"failed": 3, "serious_cautions": 1},
        "wait",
        "Nothing yet: the serious cautions below come first.",
    ),
    "a run ahead that does not stand for its team": (
        {"possible_winners": ("A",)},
        "wait",
        "L has the best score, but a run that does not stand for its team is ahead by the tie "
        "rule. Name no winner.",
    ),
    "nobody else competes": (
        {"competing": 1, "serious_cautions": 1},
        "open",
        "L is the only entry that competes.",
    ),
    "nobody but a better baseline": (
        {"competing": 1, "baseline_ahead": True},
        "open",
        "L is the only entry that competes, and a baseline scores better.",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_first_sentence_that_applies_is_announced(case: str) -> None:
    changes, sign, sentence = CASES[case]
    said = announcement(replace(WON, **changes), catalogs.load("en"))
    assert said.sentence == sentence
    assert said.sign.kind == sign


@pytest.mark.parametrize("language", ["es", "pt"])
@pytest.mark.parametrize("case", CASES)
def test_every_sentence_has_its_own_words_in_every_language(case: str, language: str) -> None:
    changes, sign, sentence = CASES[case]
    said = announcement(replace(WON, **changes), catalogs.load(language))
    assert said.sign.kind == sign
    assert said.sentence != sentence
    assert "{" not in said.sentence


@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_a_sign_has_a_glyph_and_a_word(language: str) -> None:
    """So that neither colors nor sight are needed."""
    records = (WON, replace(WON, possible_winners=("L", "A")), replace(WON, serious_cautions=1))
    signs = [announcement(podium, catalogs.load(language)).sign for podium in records]
    assert len({sign.glyph for sign in signs}) == len({sign.word for sign in signs}) == 3


@pytest.mark.parametrize(
    "page",
    [
        made.teams,
        made.many,
        made.two,
        made.one_team,
        made.hostile,
        made.long_names,
        made.errors,
        made.baselines,
        made.reference,
        made.anonymous,
        made.usage,
        made.tasks,
        made.spanish,
    ],
    ids=lambda page: page.__name__,
)
def test_the_page_and_the_file_have_the_same_record(page: Callable[[], Findings]) -> None:
    found = page()
    document = json.loads(results_json(found, ""))
    for evidence, metric in zip(found.evidence, document["metrics"], strict=True):
        assert podium_of(evidence, found.teams) == recorded_podium(document, metric)


def test_runs_are_called_by_their_teams() -> None:
    names = ("A/1", "A/2", "B/1", "C/1")
    found = made.result((0.9, 0.89, 0.5, 0.4), names, teams={name: name[0] for name in names})
    podium = podium_of(found.evidence[0], found.teams)
    assert podium.leaders == ("A",)
    assert podium.competing == 3
    document = json.loads(results_json(found, ""))
    assert recorded_podium(document, document["metrics"][0]) == podium


@pytest.mark.parametrize("code", OF_UPLOADS)
@pytest.mark.parametrize("teams", ["L", "LAB"])
def test_page_and_card_name_nobody_before_the_uploads_are_settled(teams: str, code: str) -> None:
    """The verdict and its record stay: they are about those who are compared."""
    found = made.result((0.9, 0.7, 0.5)[: len(teams)], tuple(teams), settings={"prizes": 1})
    first = found.evidence[0]
    caution = Caution("red", code, 1, Phrase("Look at these uploads."))
    waiting = replace(first, cautions=(caution, *first.cautions))
    plain = made.built(found)
    page = made.built(replace(found, evidence=(waiting, *found.evidence[1:])))
    assert page.verdict == plain.verdict
    assert "can be named the winner" not in " ".join(page.consequence)
    assert "Settle the serious caution about the uploads" in page.consequence[-1]
    assert page.announced is not None
    assert page.announced.kind == "wait"
    assert page.announced.sentence.startswith("Nothing yet")
    assert page.card is not None
    assert page.card.description.startswith("No winner can be named yet")
    assert "prize" not in page.card.description
    assert waiting.verdict == first.verdict
