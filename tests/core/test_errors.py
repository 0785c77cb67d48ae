from __future__ import annotations

import pytest

from scoring_program.core import errors
from scoring_program.core.phrases import Phrase, verbatim


@pytest.mark.parametrize(
    ("kind", "family", "status"),
    [
        (errors.SubmissionError, errors.DeadheatError, 1),
        (errors.OrganizerError, errors.DeadheatError, 2),
        (errors.SettingsError, errors.OrganizerError, 2),
        (errors.ReferenceDataError, errors.OrganizerError, 2),
        (errors.MetricError, errors.OrganizerError, 2),
    ],
)
def test_families_of_errors(
    kind: type[errors.DeadheatError], family: type[errors.DeadheatError], status: int
) -> None:
    assert issubclass(kind, family)
    assert issubclass(kind, ValueError)
    assert kind.exit_status == status


def test_a_place_can_be_left_out_of_the_message() -> None:
    error = errors.SubmissionError(verbatim("is empty"), "One/p.csv")
    assert str(error) == "One/p.csv: is empty"
    assert error.defect == "is empty"


def test_all_problems_of_a_file_in_one_message() -> None:
    problems = errors.Problems("p.csv")
    problems.raise_if_any(verbatim("unused"))
    for row in range(12):
        problems.add(Phrase("unknown label", "unknown labels"), verbatim(f"line {row}"))
    problems.add(Phrase("missing id", "missing ids"), verbatim("'x'"))
    with pytest.raises(errors.SubmissionError) as caught:
        problems.raise_if_any(verbatim("Send one row for each id."))
    assert str(caught.value).splitlines() == [
        "p.csv: 12 unknown labels",
        *(f"  - line {row}" for row in range(10)),
        "  - … and 2 more",
        "p.csv: 1 missing id",
        "  - 'x'",
        "Send one row for each id.",
    ]


def test_problems_that_are_alike_share_a_line() -> None:
    """A second label that is unknown is not lost behind the first one's many rows."""
    problems = errors.Problems("p.csv")
    for row in range(30):
        label = "weather" if row == 25 else "sport"
        problems.add(
            Phrase("unknown label", "unknown labels"),
            verbatim(f"line {row}: found {label}"),
            like=label,
        )
    with pytest.raises(errors.SubmissionError) as caught:
        problems.raise_if_any(verbatim("Correct them."))
    assert str(caught.value).splitlines() == [
        "p.csv: 30 unknown labels",
        "  - line 0: found sport (and 28 more like it)",
        "  - line 25: found weather",
        "Correct them.",
    ]


def test_the_text_of_an_unexpected_error_is_not_shown() -> None:
    try:
        raise KeyError("the gold of x001 is b")
    except KeyError as error:
        told = errors.outline(error)
    assert told.startswith("KeyError in test_errors.py, line ")
    assert "x001" not in told


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("resample", "; did you mean 'resamples'?"),
        ("f1", "; did you mean 'f1_score'?"),
        ("xyz", ""),
    ],
)
def test_the_nearest_word(word: str, hint: str) -> None:
    assert errors.nearest(word, ["resamples", "f1_score", "group"]) == hint


def test_a_long_list_is_cut() -> None:
    assert errors.listed("abcd", most=3) == "a, b, c, … and 1 more"
    assert errors.listed("abc", most=3) == "a, b, c"
