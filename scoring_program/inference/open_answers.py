"""Warns about open answers that are no label, as written and in other letters."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass

from ..core.cells import is_invented
from ..core.phrases import Phrase
from ..data.competition import Competition
from ..data.entry import Labels
from ..data.joining.submission import Entry
from ..recognize.expected import Target
from .evidence import Caution


@dataclass(frozen=True)
class _OpenAnswers:
    """Shares of an entry's answers, from 0 to 1.

    Those that are no label as written, those of them that are one if capital and small letters
    count alike, and of both, as written and then in addition, those that are right.
    """

    entry: str
    no_label: float
    respelled: float
    right: float
    right_respelled: float

    @property
    def right_in_any_letters(self) -> float:
        """The share of right answers if capital and small letters count alike."""
        return self.right + self.right_respelled


def about_open_answers(competition: Competition) -> Iterator[Caution]:
    """Warn about open answers that are no label, and count as wrong.

    It is serious if capital and small letters decide who has the most right answers.
    """
    of_entries: dict[str, _OpenAnswers] = {}
    letters_decide = False
    for part in competition.parts:
        for target in part.expected.targets:
            present = [entry for entry in part.entries if entry is not None]
            answers = [
                _open_answers(entry, target, part.labels[target.column])
                for entry in present
                if target in entry.respelled
            ]
            of_entries |= {item.entry: item for item in answers if item.no_label}
            if answers:
                leader = max(answers, key=lambda item: item.right)
                best = max(item.right_in_any_letters for item in answers)
                letters_decide = letters_decide or best > leader.right_in_any_letters
    if not of_entries:
        return
    shares = tuple(
        Phrase(
            "{entry} ({written:p}, {alike:p})",
            entry=name,
            written=round(100 * item.no_label),
            alike=round(100 * (item.no_label - item.respelled)),
        )
        for name, item in of_entries.items()
    )
    message = Phrase(
        "Answers are open, so those that are no label count as wrong. Their share, as written and "
        "with capital and small letters alike: {shares}.",
        shares=shares,
    )
    if letters_decide:
        message = Phrase(
            "{shares} Capital letters decide who has the most right answers: settle what they mean "
            "before you name winners.",
            shares=message,
        )
    yield Caution("red" if letters_decide else "amber", "open_answers", len(of_entries), message)


def _open_answers(entry: Entry, target: Target, gold: Labels) -> _OpenAnswers:
    n = len(gold)
    answers = entry.predictions[target].tolist()
    respelled = entry.respelled[target]
    correct = gold.tolist()
    return _OpenAnswers(
        entry.name,
        sum(map(is_invented, answers)) / n,
        sum(label is not None for label in respelled) / n,
        sum(map(operator.eq, answers, correct)) / n,
        sum(map(operator.eq, respelled, correct)) / n,
    )
