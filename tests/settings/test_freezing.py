"""Whole keys are added to a settings file; nothing that stands there changes."""

from __future__ import annotations

import pytest

from scoring_program.core.errors import SettingsError
from scoring_program.settings.freezing import with_keys
from scoring_program.settings.loading import parse_text

KEYS = {
    "reference": {"file": "gold.csv", "columns": {"id": ["user", "item"], "answer": "rating"}},
    "submissions": {"columns": {"prediction": "y: prob"}, "join": "key"},
}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing yet\n",
        "metrics: [accuracy]  # the first ranks\n",
        "title: No line end",
        "---\ntitle: A document\n...\n",
        "title: 'Ends without a line'\n...",
    ],
)
def test_keys_are_added_and_the_text_stays(text: str) -> None:
    frozen = with_keys(text, KEYS, "scoring.yaml")
    before = parse_text(text, "scoring.yaml") or {}
    assert parse_text(frozen.text, "scoring.yaml") == {**before, **KEYS}
    assert frozen.text.startswith(text.rstrip().removesuffix("...").rstrip())
    assert len(frozen.added) == 2
    assert frozen.differing == ()


def test_a_key_of_the_same_value_is_not_written_again() -> None:
    text = with_keys("", KEYS, "scoring.yaml").text
    again = with_keys(text, KEYS, "scoring.yaml")
    assert again.text == text
    assert again.added == again.differing == ()


def test_a_key_of_another_value_is_shown_and_not_rewritten() -> None:
    text = "submissions: {join: position}  # stated by hand\n"
    frozen = with_keys(text, KEYS, "scoring.yaml")
    assert frozen.differing == ("submissions: {columns: {prediction: 'y: prob'}, join: key}",)
    assert frozen.text.startswith(text)
    assert frozen.added == (
        "reference: {file: gold.csv, columns: {id: [user, item], answer: rating}}",
    )


def test_what_cannot_be_added_is_told_with_the_lines_to_write() -> None:
    with pytest.raises(SettingsError, match=r"write these there:\n  reference: \{file: gold.csv"):
        with_keys("{title: In braces}\n", KEYS, "scoring.yaml")
    with pytest.raises(SettingsError, match="expected keys and values"):
        with_keys("- a list\n", KEYS, "scoring.yaml")
