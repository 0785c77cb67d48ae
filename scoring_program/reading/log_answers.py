"""Answers in the logs of evaluations, and the scores of those that logs leave out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.errors import ReferenceDataError, quoted

#: Keys of a source that state how many instances there are.
_TOTALS = ("total", "at_most")


@dataclass(frozen=True)
class Answer:
    """The scores of one answer, the sample's number if there may be several, and what it is of."""

    task: str
    unit: str
    scores: Mapping[str, Any]
    source: Mapping[str, Any]
    sample: str = ""
    model: str = ""


def with_unlisted(
    answers: Sequence[tuple[str, Answer]], scores: Mapping[str, float]
) -> tuple[list[tuple[str, Answer]], bool]:
    """Return the answers, with one of every system to every unit that there is.

    And return whether the logs state how many there are; if not, those that any log names count.
    """
    of_system: dict[str, dict[str, Answer]] = {}
    for system, answer in answers:
        given = of_system.setdefault(system, {})
        earlier = given.setdefault(answer.unit, answer) if answer.unit else answer
        # An instance's own report may repeat what that of a run says.
        same_form = earlier.source.keys() == answer.source.keys()
        if earlier is not answer and (same_form or earlier.scores != answer.scores):
            raise ReferenceDataError(
                f"res: {earlier.source['file']} and {answer.source['file']}: score given twice: "
                f"{quoted(system)} on {quoted(answer.unit)}; leave one of the files out"
            )
    _refuse_other_instances(answers, of_system)
    units = dict.fromkeys(answer.unit for _, answer in answers if answer.unit)
    stated = {
        answer.source[key] for _, answer in answers for key in _TOTALS if key in answer.source
    }
    # Some published files state the total of a larger test set than theirs.
    total = min((total for total in stated if total >= len(units)), default=len(units))
    units |= dict.fromkeys(f"unnamed {number}" for number in range(1, total - len(units) + 1))
    every = [
        (system, given.get(unit) or Answer("", unit, scores, {}))
        for system, given in of_system.items()
        for unit in units
    ]
    return every, any(stated)


def _refuse_other_instances(
    answers: Sequence[tuple[str, Answer]], of_system: Mapping[str, Mapping[str, Answer]]
) -> None:
    """Refuse systems that were not run on the same instances."""
    files = {answer.source["total"]: answer.source["file"] for _, answer in answers
             if "total" in answer.source}  # fmt: skip
    remedy = "score every system on the same instances"
    if len(files) > 1:
        told = "; ".join(f"{file} of {total}" for total, file in sorted(files.items())[:2])
        raise ReferenceDataError(f"res: the logs are of different totals: {told}; {remedy}")
    named = {system: {*given} for system, given in of_system.items() if given}
    for system, units in named.items():
        others = [other for other in named if other != system]
        if others and all(units.isdisjoint(named[other]) for other in others):
            raise ReferenceDataError(
                f"res: {quoted(system)} and {quoted(others[0])} have no instance in common; "
                f"{remedy}"
            )
    count = len(set().union(*named.values()))
    for total, file in files.items():
        if count > total:
            raise ReferenceDataError(
                f"res: {file}: there are {total} instances, but the logs name {count}; {remedy}"
            )
