"""What every entry answered: the input of the questions about examples, errors and copies.

Answers can be compared where an example has one correct answer: a label, a set of labels, the tags
of a sentence, the spans of a document, a text, or whether it is resolved. Ranked lists, numbers,
repeated samples and scores made elsewhere have none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..bootstrap.resample import ResampledPart
from ..core.arrays import Array, Bools, Ints
from ..data.competition import Part
from ..data.parts import target_of
from ..data.score_tables.score_table import UNITS
from ..inference.evidence import Evidence
from ..metrics import without_formulas
from ..metrics.kinds.text_metrics import normalized, references
from ..settings.model import Settings
from .regrade import reads_labels

#: The longest correct answer that a table shows, in letters.
_LONGEST = 120
#: Kinds of data other than rows in which answers can be compared.
_COMPARED = ("label_sets", "tags", "spans", "resolved", "text")
#: Metrics of texts that have one right answer, unlike translations and summaries.
_OF_ANSWERS = ("exact_match", "token_f1", "string_match")
#: Rivals that get a certificate: the possible winners and the best of the others.
_NEAR = 10


@dataclass(frozen=True, eq=False)
class Answers:
    """The correct answers [n] and those of every entry [m, n] as numbers from 0.

    Two entries give the same answer to an example if their numbers are equal there; of labels, they
    are numbers of ``labels``, sorted. ``absent`` are predictions that were not sent and count as
    wrong. ``gradable`` says whether an answer is either right or wrong; a translation is not.
    """

    names: tuple[str, ...]  # of the entries, [m]
    ids: tuple[str, ...]  # of the examples, [n]
    correct: Sequence[str]  # [n] the correct answers, for people
    gold: Ints  # [n]
    predicted: Ints  # [m, n]
    absent: Bools  # [m, n]
    gradable: bool = True
    labels: Array = field(default_factory=lambda: np.zeros(0, np.intp))  # [C]

    @property
    def right(self) -> Bools:
        """Which predictions are right, [m, n]."""
        return np.asarray(self.predicted == self.gold)

    @property
    def wrong(self) -> Bools:
        """Which predictions are wrong answers, [m, n]; one that is absent is no answer."""
        return np.asarray(~self.right & ~self.absent)

    @property
    def codes(self) -> int:
        """One more than the highest number of an answer."""
        return int(max(self.gold.max(), self.predicted.max())) + 1

    @classmethod
    def from_predictions(
        cls,
        gold: Array,
        predictions: Sequence[Array],
        names: Sequence[str],
        ids: Sequence[str],
        absent: Bools | None = None,
    ) -> Answers:
        """Number the labels of gold [n] and of each entry's predictions [n]."""
        labels, codes = np.unique(np.stack([gold, *predictions]), return_inverse=True)
        numbered = codes.reshape(len(predictions) + 1, len(gold))
        if absent is None:
            absent = np.zeros((len(predictions), len(gold)), np.bool_)
        correct, (numbers, *_) = list(map(str, gold.tolist())), numbered
        of_entries = (correct, numbers, numbered[1:], absent)
        return cls(tuple(names), tuple(ids), *of_entries, labels=labels)

    def texts(self, codes: Ints) -> Array:
        """Return numbers as labels."""
        return np.asarray(self.labels[codes])

    def answers_to(self, gold: Ints, entry: int) -> Array:
        """Return an entry's labels [n] under another gold [n]; what is absent stays wrong."""
        wrong = (gold + 1) % len(self.labels)
        return self.texts(np.where(self.absent[entry], wrong, self.predicted[entry]))


def ids_of(part: Part) -> tuple[str, ...]:
    """Return the ids of the examples or, without ids, their places in the file."""
    return tuple(part.gold.ids or (str(position + 1) for position in part.gold.positions))


def label_field(part: Part, names: Sequence[str]) -> Answers | None:
    """Return the labels of a part's entries, in the order of ``names``.

    None if no metric reads labels.
    """
    targets = [target_of(metric, part.gold) for metric in without_formulas(part.metrics)]
    target = next((one for one in targets if one and one.kind == "labels"), None)
    if target is None:
        return None
    entries = {entry.name: entry for entry in part.entries if entry}
    present = np.zeros(part.gold.n, np.bool_)
    return Answers.from_predictions(
        part.labels[target.column],
        [entries[name].predictions[target] for name in names],
        names,
        ids_of(part),
        np.array([entries[name].absent.get(target, present) for name in names]),
    )


def answers_of_kind(part: Part, names: Sequence[str]) -> Answers | None:
    """Return the answers of a kind of data other than rows, in the order of ``names``.

    None if examples of this kind have no correct answer.
    """
    kind, functions = part.gold.kind, {metric.function for metric in part.metrics}
    target = next((item for item in part.expected.targets if item.kind == kind), None)
    if kind not in _COMPARED or target is None:
        return None
    as_it_is = "string_match" in functions and "exact_match" not in functions
    compared: Callable[[Any], Any] = str if as_it_is else normalized
    gold = part.gold.columns[target.column]
    entries = {entry.name: entry for entry in part.entries if entry}
    given = [entries[name].predictions[target].tolist() for name in names]
    predicted = np.empty((len(names), len(gold)), np.intp)
    for row, value in enumerate(gold):
        right = map(compared, references(value)) if kind == "text" else [value]
        numbers: dict[Any, int] = dict.fromkeys(right, 0)
        for entry, answers in enumerate(given):
            answer = compared(answers[row]) if kind == "text" else answers[row]
            predicted[entry, row] = numbers.setdefault(answer, len(numbers) + 1)
    return Answers(
        names=tuple(names),
        ids=ids_of(part),
        correct=[_shown(value) for value in gold],
        gold=np.zeros(len(gold), np.intp),
        predicted=predicted,
        absent=np.zeros(predicted.shape, np.bool_),
        gradable=kind != "text" or not functions.isdisjoint(_OF_ANSWERS),
    )


def _shown(value: Any) -> str:
    text = "" if isinstance(value, bool) else str(value)
    if isinstance(value, tuple):
        items = ("–".join(map(str, one)) if isinstance(one, tuple) else str(one) for one in value)
        text = " ".join(items)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


class AuditedPart:
    """A part of a competition and its ranking: what every question of the audit is about.

    ``team_of`` maps runs to their teams, others are teams of their own.

    ``order``, ``own``, ``others`` and ``near`` number the competing entries of the evidence, best
    first. Baselines cannot win, and a run of the leader's own team is no rival. ``answers`` are
    None if examples have no correct answer, and ``labels`` if no metric reads labels; else they are
    the same.
    """

    def __init__(
        self,
        resampled: ResampledPart,
        evidence: Evidence,
        settings: Settings,
        team_of: Mapping[str, str],
    ) -> None:
        self.resampled, self.evidence, self.settings = resampled, evidence, settings
        part, names, can_win = resampled.part, evidence.names, evidence.verdict.possible_winners
        self.kind = part.gold.kind  # what an example is
        self.ids = ids_of(part)  # of the examples, [n]
        #: Whether there are correct answers, and not only scores that were made elsewhere.
        self.has_gold = self.kind != UNITS
        self.teams = teams = [team_of.get(name, name) for name in names]  # of the entries, [m]
        self.scorer = resampled.metrics[0].scorer  # of the ranking metric, of all entries
        self.labels = label_field(part, names)
        self.answers = self.labels or answers_of_kind(part, names)
        #: The labels, if the scores by the ranking metric follow from them; else None.
        self.decisive = self.labels if reads_labels(self.scorer.metric) else None
        baselines = evidence.scores.baselines
        self.order = order = [e for e in evidence.scores.order.tolist() if e not in baselines]
        self.leader = names[order[0]]
        #: The leader, and the other runs of its team.
        self.own = [entry for entry in order if teams[entry] == teams[order[0]]]
        self.others = [entry for entry in order if entry not in self.own]
        #: Of the others, those tied with the leader, and the best ones.
        self.near = [e for place, e in enumerate(self.others) if place < _NEAR or can_win[e]]

    def deciding(self, rivals: Sequence[int]) -> Sequence[int]:
        """Return the rivals tied with the leader or, if there is none, the first one."""
        tied = [rival for rival in rivals if self.evidence.verdict.possible_winners[rival]]
        return tied or rivals[:1]
