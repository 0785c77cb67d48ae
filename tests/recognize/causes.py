"""Why the rule asks in competitions without troubles whose gold has several columns that fit.

The causes tell what the rule could know from what no file tells.
"""

from __future__ import annotations

from dataclasses import replace

from scoring_program.recognize.usual_names import is_name_of_answers

from .generate import GeneratedCase, recognition_of, verdict

SEVERAL_FILES = "several submissions, of which most fit several columns; no name decides"
ONE_FILE = "one submission, which fits several columns; no name decides"
ONE_VOTE = "one submission, which votes on nothing; a second one like it would decide"
GIVEN = "one submission repeats in every row what a usual name chose, and it may have been given"
USUAL_NAME = "although the answers have a usual name"
_REPEATED = "Is it what is predicted, or was it given?"


def cause_of_question(case: GeneratedCase) -> str:
    """Return why it is asked which column of the gold counts."""
    if any(map(is_name_of_answers, _columns_of_answers(case))):
        asks = recognition_of(case).questions[0].asks
        return GIVEN if _REPEATED in asks else USUAL_NAME
    if len(case.files) > 1:
        return SEVERAL_FILES
    twice = _with_the_same_file_twice(case)
    outcome, _ = verdict(twice, recognition_of(twice))
    return ONE_VOTE if outcome == "right" else ONE_FILE


def _columns_of_answers(case: GeneratedCase) -> list[str]:
    answers = [case.answers[need.name] for need in case.needs]
    return [name for name, cells in case.gold.items() if cells in answers]


def _with_the_same_file_twice(case: GeneratedCase) -> GeneratedCase:
    ((name, columns),) = case.files.items()
    again = f"again-{name}"
    return replace(
        case,
        files={name: columns, again: columns},
        truth={name: case.truth[name], again: case.truth[name]},
    )
