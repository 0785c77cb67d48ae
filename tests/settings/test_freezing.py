"""Keys are added to a settings file; nothing that stands there changes."""

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


_MERGED = {
    "in braces": (
        "reference: {file: gold.csv}  # by hand\nseed: 3\n",
        "reference: {file: gold.csv, columns: {id: [user, item], answer: rating}}  # by hand\n"
        "seed: 3\n",
    ),
    "empty braces": (
        "reference: {}\n",
        "reference: {file: gold.csv, columns: {id: [user, item], answer: rating}}\n",
    ),
    "braces on several lines": (
        "reference: {\n  file: gold.csv,  # one file\n}\n",
        "reference: {\n  file: gold.csv, columns: {id: [user, item], answer: rating},  # one file\n"
        "}\n",
    ),
    "a block": (
        "reference:  # known\n    file: gold.csv  # the only one\n    # no more\n\nseed: 3\n",
        "reference:  # known\n    file: gold.csv  # the only one\n"
        "    columns: {id: [user, item], answer: rating}\n    # no more\n\nseed: 3\n",
    ),
    "a block within a block, at the end of the file": (
        "reference:\n  separator: ';'\n  columns:\n    id:\n      - user\n      - item  # both",
        "reference:\n  separator: ';'\n  columns:\n    id:\n      - user\n      - item  # both\n"
        "    answer: rating\n  file: gold.csv",
    ),
    "braces within a block": (
        "reference:\n  columns: {answer: rating}  # asked\n  separator: tab\n",
        "reference:\n  columns: {answer: rating, id: [user, item]}  # asked\n  separator: tab\n"
        "  file: gold.csv\n",
    ),
}


@pytest.mark.parametrize("name", _MERGED)
def test_what_a_mapping_lacks_is_written_into_it(name: str) -> None:
    text, expected = _MERGED[name]
    frozen = with_keys(text, {"reference": KEYS["reference"]}, "scoring.yaml")
    assert frozen.text == expected
    assert frozen.differing == ()
    (line,) = frozen.added
    assert line.startswith("reference: {")
    again = with_keys(frozen.text, {"reference": KEYS["reference"]}, "scoring.yaml")
    assert again.text == frozen.text
    assert again.added == ()


@pytest.mark.parametrize(
    "text",
    [
        "reference: {file: other.csv}\n",
        "reference: {columns: {answer: score}}\n",
        "reference: {columns: {label: rating}}  # a name of the author's\n",
        "reference: {columns: [user, item, rating]}\n",
        "reference:\n",
    ],
)
def test_a_mapping_is_not_completed_that_states_something_else(text: str) -> None:
    frozen = with_keys(text, {"reference": KEYS["reference"]}, "scoring.yaml")
    assert frozen.text == text
    assert frozen.added == ()
    assert frozen.differing == (
        "reference: {file: gold.csv, columns: {id: [user, item], answer: rating}}",
    )


def test_what_cannot_be_added_is_told_with_the_lines_to_write() -> None:
    with pytest.raises(SettingsError, match=r"write these there:\n  reference: \{file: gold.csv"):
        with_keys("{title: In braces}\n", KEYS, "scoring.yaml")
    with pytest.raises(SettingsError, match="expected keys and values"):
        with_keys("- a list\n", KEYS, "scoring.yaml")
