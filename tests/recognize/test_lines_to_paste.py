"""Every line that a question prints is taken by the settings."""

from __future__ import annotations

from collections.abc import Iterator

from scoring_program.recognize.open_questions import OpenQuestion
from scoring_program.recognize.rows_rule import recognize_rows
from scoring_program.recognize.statements import Need, Stated
from scoring_program.settings.loading import update
from scoring_program.settings.model import Settings

from . import generate
from .columns import table

CASES = 300


def _questions() -> Iterator[OpenQuestion]:
    """Yield what is asked of random competitions, and of words without a header."""
    for seed in range(CASES):
        case = generate.make(seed)
        gold, uploads = case.tables()
        yield from recognize_rows(gold, uploads, case.needs, case.stated).questions
    texts = {
        "word": ["abbey", "able", "acorn", "acre"],
        "cut": ["a bbey", "ab le", "acorn", "acre"],
    }
    words = table("gold.csv", texts, headed=False)
    sent = table("a.csv", texts, headed=False)
    needs = [Need("accuracy_score", "labels")]
    yield from recognize_rows(words, {"a.csv": sent}, needs, Stated()).questions


def test_the_settings_take_every_line_that_a_question_prints() -> None:
    keys = set()
    for question in _questions():
        for option in question.options:
            update(Settings(), option.settings, {})
            for side, words in option.settings.items():
                keys |= {(side, word) for word in words}
    assert {("reference", "header"), ("reference", "columns")} <= keys
    assert ("submissions", "columns") in keys
