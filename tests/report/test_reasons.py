"""Reasons of unusable submissions have their words in every language, and keep them on the way."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from scoring_program import report as render
from scoring_program.alignment.competition import Unusable
from scoring_program.alignment.source import read_input
from scoring_program.core.errors import SubmissionError
from scoring_program.core.phrases import Phrase, counted, verbatim
from scoring_program.core.templates import languages
from scoring_program.metrics.registry import REGISTRY
from scoring_program.report import language
from scoring_program.scoring.bind_parts import SUBMISSION
from tests.reading.mistakes import MISTAKES
from tests.reading.more_mistakes import MORE
from tests.reading.test_mistakes import sent
from tests.report import made
from tests.report.reasons import templates

OTHERS = [code for code in languages() if code != "en"]
#: Words of English messages that no other language here has.
_ENGLISH = re.compile(
    r"\b(the|is|are|of|not|found|expected|write|send|with|and|row|line|column|files?|it|there"
    r"|labels|predictions|read|save|give)\b",
    re.IGNORECASE,
)


@cache
def words(code: str) -> dict[str, Any]:
    """Return a language file's texts of reasons."""
    found: dict[str, Any] = language.load(code).strings["reasons"]
    return found


def forms(text: Any) -> list[str]:
    return list(text.values()) if isinstance(text, dict) else [text]


def places(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def test_english_texts_stand_in_the_code_and_are_listed_for_translators() -> None:
    assert set(words("en")) == templates()
    assert set(words("en").values()) == {None}


@pytest.mark.parametrize("code", OTHERS)
def test_every_reason_is_translated(code: str) -> None:
    assert templates() - set(words(code)) == set(), "missing"
    assert set(words(code)) - templates() == set(), "extra"
    needed = {*language.load(code).strings["plurals"], "other"}
    for template, text in words(code).items():
        assert set(map(type, forms(text))) == {str}, template
        for one in forms(text):
            assert places(one) == places(template), template
        assert isinstance(text, dict) == ("(s)" in template), template
        if isinstance(text, dict):
            assert set(text) == needed, template


@pytest.mark.parametrize("code", OTHERS)
def test_no_translation_is_english(code: str) -> None:
    for template, text in words(code).items():
        for one in forms(text):
            prose = re.sub(r"\{\w+\}|'[^']*'|--\w+|numpy\.\w+|git lfs pull", "", one)
            assert not _ENGLISH.search(prose), template


def parts(phrase: Phrase) -> Iterator[Phrase]:
    """Yield a phrase and those in it."""
    yield phrase
    for value in phrase.values.values():
        if isinstance(value, Phrase):
            yield from parts(value)


def said(phrase: Phrase) -> str:
    """Return all that the templates of a phrase say, without its values."""
    return " ".join(part.template for part in parts(phrase))


def excerpts(phrase: Phrase) -> set[str]:
    """Return the values that are no phrases: names, numbers, and what the files hold."""
    values = (item for part in parts(phrase) for item in part.values.items() if item[0] != "count")
    return {str(value) for _, value in values if not isinstance(value, Phrase)}


@pytest.mark.parametrize("name", [*MISTAKES, *MORE])
def test_the_message_about_a_mistake_is_in_the_language_of_the_page(
    tmp_path: Path, name: str
) -> None:
    mistake = {**MISTAKES, **MORE}[name]
    folder = sent(tmp_path, mistake.files, mistake.gold)
    with pytest.raises(SubmissionError) as caught:
        read_input(folder, lambda settings: settings)
    reason = caught.value.reason
    assert str(reason) == str(caught.value)
    assert language.load("en").reason(reason) == str(reason)
    for code in OTHERS:
        translated = language.load(code).reason(reason)
        assert translated.count("\n") == reason.count("\n")
        for excerpt in sorted(excerpts(reason), key=len, reverse=True):
            assert excerpt in language.load(code).reason(reason)
            translated = translated.replace(excerpt, "")
        for sentence in re.split(r"\{\w+\}|\n", said(reason)):
            if len(sentence.split()) > 2:
                assert sentence.strip() not in translated
        assert not _ENGLISH.search(re.sub(r"'[^']*'", "", translated)), translated


def test_a_page_gives_the_reasons_in_its_language() -> None:
    undefined = Phrase(
        "the {label} of {entry} is {score}, too large to be right: look for numbers in a wrong "
        "unit",
        label=REGISTRY["precision_score"].label,
        entry=SUBMISSION,
        score="1e+12",
    )
    unusable = (Unusable("delta", undefined), Unusable("fila", verbatim("the text of a plugin")))
    page = made.with_settings(replace(made.teams(), unusable=unusable), language="es")
    ((_, _, told, whole), (_, _, others, _)) = made.content(render.build(page), "unusable")
    assert told == (
        "precisión: este envío obtiene 1e+12, demasiado para ser correcto; busque números en otra "
        "unidad"
    )
    assert others == "the text of a plugin"
    assert not whole


def test_a_long_reason_is_folded_to_what_and_how_to_mend_it() -> None:
    examples = [f"  - line {row}: id 't{row}' was already on line 1" for row in range(2, 8)]
    lines = ("p.csv: 6 duplicate ids", *examples, "Keep one row for each id.")
    unusable = (Unusable("delta", verbatim("\n".join(lines))),)
    report = render.build(replace(made.teams(), unusable=unusable))
    ((_, _, shown, whole),) = made.content(report, "unusable")
    assert shown == "p.csv: 6 duplicate ids\nKeep one row for each id."
    assert whole.splitlines() == list(lines)
    assert "<summary>Where in the file</summary>p.csv: 6" in render.page(report)


def test_what_a_language_lacks_stays_english() -> None:
    new = Phrase("{place}: {what} is new", place=Phrase("line(s)", count=1), what="{a}")
    assert language.load("es").reason(new) == "línea: {a} is new"
    assert language.load("es").reason(counted(2, "new thing(s)")) == "2 new things"


def test_other_processes_can_send_a_reason() -> None:
    error = SubmissionError(counted(2, "empty cell(s)"), "a{b}.csv")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == "a{b}.csv: 2 empty cells"
    assert language.load("es").reason(again.reason) == "a{b}.csv: 2 celdas vacías"
    assert language.load("es").reason(again.defect) == "2 celdas vacías"
