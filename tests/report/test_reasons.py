"""Reasons of unusable submissions have their words in every language, and keep them on the way."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from scoring_program import report as render
from scoring_program.core.catalogs import languages, load
from scoring_program.core.errors import LeftOut, SubmissionError
from scoring_program.core.phrases import Phrase, counted, verbatim
from scoring_program.data.source import read_input
from scoring_program.metrics.registry import REGISTRY
from scoring_program.scoring.bind import SUBMISSION
from tests.reading.mistakes import MISTAKES
from tests.reading.more_mistakes import MORE
from tests.reading.test_mistakes import sent
from tests.report import made
from tests.sweeps import thinned

OTHERS = [code for code in languages() if code != "en"]
#: Words of English messages that no other language here has.
_ENGLISH = re.compile(
    r"\b(the|is|are|of|not|found|expected|write|send|with|and|row|line|column|files?|it|there"
    r"|labels|predictions|read|save|give)\b",
    re.IGNORECASE,
)


def parts(phrase: Phrase) -> Iterator[Phrase]:
    """Yield a phrase and those in it."""
    yield phrase
    for value in phrase.values.values():
        if isinstance(value, Phrase):
            yield from parts(value)


def said(phrase: Phrase) -> str:
    """Return all that the sentences of a phrase say, without its values."""
    return " ".join(f"{part.sentence} {part.many}" for part in parts(phrase))


def excerpts(phrase: Phrase) -> set[str]:
    """Return the values that are no phrases: names, numbers, and what the files hold."""
    values = (item for part in parts(phrase) for item in part.values.items() if item[0] != "count")
    return {str(value) for _, value in values if not isinstance(value, Phrase)}


@pytest.mark.parametrize("name", thinned([*MISTAKES, *MORE]))
def test_the_message_about_a_mistake_is_in_the_language_of_the_page(
    tmp_path: Path, name: str
) -> None:
    mistake = {**MISTAKES, **MORE}[name]
    folder = sent(tmp_path, mistake.files, mistake.gold)
    with pytest.raises(SubmissionError) as caught:
        read_input(folder, lambda settings: settings)
    reason = caught.value.reason
    assert str(reason) == str(caught.value)
    assert load("en").say(reason) == str(reason)
    for code in OTHERS:
        translated = load(code).say(reason)
        assert translated.count("\n") == reason.count("\n")
        for excerpt in sorted(excerpts(reason), key=len, reverse=True):
            assert excerpt in load(code).say(reason)
            translated = translated.replace(excerpt, "")
        for sentence in re.split(r"\{\w+\}|\n", said(reason)):
            if len(sentence.split()) > 2:
                assert sentence.strip() not in translated
        assert not _ENGLISH.search(re.sub(r"'[^']*'", "", translated)), translated


def test_a_page_gives_the_reasons_in_its_language() -> None:
    undefined = Phrase(
        "the {label} of {entry} is too large to be right, beyond ±{bound}: look for numbers in a "
        "wrong unit",
        label=REGISTRY["precision_score"].label,
        entry=SUBMISSION,
        bound="1e+10",
    )
    unusable = (LeftOut("delta", undefined), LeftOut("fila", verbatim("the text of a plugin")))
    page = made.with_settings(replace(made.teams(), unusable=unusable), language="es")
    first, other = made.content(render.build(page), "unusable").blocks[-1].items
    assert first.value == (
        "precisión: este envío obtiene un valor fuera de ±1e+10, demasiado grande para ser "
        "correcto; busque números en otra unidad"
    )
    assert other.value == "the text of a plugin"
    assert not first.more


def test_a_long_reason_is_folded_to_what_and_how_to_mend_it() -> None:
    examples = [f"  - line {row}: id 't{row}' was already on line 1" for row in range(2, 8)]
    lines = ("p.csv: 6 duplicate ids", *examples, "Keep one row for each id.")
    unusable = (LeftOut("delta", verbatim("\n".join(lines))),)
    report = render.build(replace(made.teams(), unusable=unusable))
    (fact,) = made.content(report, "unusable").blocks[-1].items
    assert fact.value == "p.csv: 6 duplicate ids\nKeep one row for each id."
    assert fact.more.splitlines() == list(lines)
    assert "<summary>Where in the file</summary>p.csv: 6" in render.page(report)


def test_other_processes_can_send_a_reason() -> None:
    error = SubmissionError(counted(2, Phrase("empty value", "empty values")), "a{b}.csv")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == "a{b}.csv: 2 empty values"
    assert load("es").say(again.reason) == "a{b}.csv: 2 valores vacíos"
    assert load("es").say(again.defect) == "2 valores vacíos"
