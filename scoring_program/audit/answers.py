"""What every entry answered, and what other gold labels than those of the reference data change.

Answers can be compared where an example has one correct answer: a label, a set of labels, the tags
of a sentence, the spans of a document, a text, or whether it is resolved. Ranked lists, numbers,
repeated samples and scores made elsewhere have none. Other labels are bound to one scorer, or the
whole competition is evaluated again with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..bootstrap.resample import ResampledPart
from ..core import cells
from ..core.arrays import Array, Bools, Floats, Ints
from ..core.cells import Label
from ..core.errors import ReferenceDataError, listed
from ..core.phrases import Language, Phrase, counted
from ..core.rounding import negligible
from ..data.competition import Competition, Part
from ..data.entry import wrong_labels
from ..data.gold import Gold, read_gold
from ..data.joining.submission import Entry
from ..data.targets import target_of
from ..inference.comparing.judge import NO_CONFIDENCE_SET
from ..inference.evidence import Evidence, Verdict
from ..metrics import Metric, without_formulas
from ..metrics.kinds.text_metrics import normalized, references
from ..pipeline import EvaluatedCompetition, evaluate
from ..reading.formats import KINDS
from ..reading.formats.kind import UNITS
from ..recognize.expected import Target
from ..report import build
from ..report.findings import Findings
from ..scoring.bind import bind
from ..scoring.combined import FormulaScorer
from ..scoring.scorer import Scorer
from ..settings.model import Settings
from .page import Json, Outcome, Page

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
        correct = list(map(str, gold.tolist()))
        (numbers, *_) = numbered
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
    target = next(
        (candidate for candidate in targets if candidate and candidate.kind == "labels"), None
    )
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
    kind = part.gold.kind
    functions = {metric.function for metric in part.metrics}
    target = next((item for item in part.expected.targets if item.kind == kind), None)
    if kind not in _COMPARED or target is None:
        return None
    as_it_is = "string_match" in functions and "exact_match" not in functions
    compared: Callable[[Any], Any] = str if as_it_is else normalized
    gold = part.gold.columns[target.column]
    entries = {entry.name: entry for entry in part.entries if entry}
    answers_of_entries = [entries[name].predictions[target].tolist() for name in names]
    predicted = np.empty((len(names), len(gold)), np.intp)
    for row, value in enumerate(gold):
        right = map(compared, references(value)) if kind == "text" else [value]
        numbers: dict[Any, int] = dict.fromkeys(right, 0)
        for entry, answers in enumerate(answers_of_entries):
            answer = compared(answers[row]) if kind == "text" else answers[row]
            predicted[entry, row] = numbers.setdefault(answer, len(numbers) + 1)
    return Answers(
        names=tuple(names),
        ids=ids_of(part),
        correct=[_answer_text(value) for value in gold],
        gold=np.zeros(len(gold), np.intp),
        predicted=predicted,
        absent=np.zeros(predicted.shape, np.bool_),
        gradable=kind != "text" or not functions.isdisjoint(_OF_ANSWERS),
    )


def _answer_text(value: Any) -> str:
    text = "" if isinstance(value, bool) else str(value)
    if isinstance(value, tuple):
        text = " ".join(map(_item_text, value))
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _item_text(item: Any) -> str:
    """Return an item of an answer as people read it: of a span, its ends."""
    return "–".join(map(str, item)) if isinstance(item, tuple) else str(item)


class AuditedPart:
    """A part of a competition and its ranking: what every question of the audit is about.

    ``team_of`` maps runs to their teams, others are teams of their own.

    ``order``, ``leader_runs``, ``rivals`` and ``near`` number the competing entries of the
    evidence, best first. Baselines cannot win, and a run of the leader's own team is no rival.
    ``answers`` are None if examples have no correct answer, and ``labels`` if no metric reads
    labels; else they are the same.
    """

    def __init__(
        self,
        resampled: ResampledPart,
        evidence: Evidence,
        settings: Settings,
        team_of: Mapping[str, str],
    ) -> None:
        self.resampled = resampled
        self.evidence = evidence
        self.settings = settings
        part = resampled.part
        names = evidence.names
        can_win = evidence.verdict.possible_winners
        #: Whether the tie rule is one that names possible winners.
        self.names_winners = names_winners(evidence.verdict)
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
        self.leader_runs = [entry for entry in order if teams[entry] == teams[order[0]]]
        self.rivals = [entry for entry in order if entry not in self.leader_runs]
        #: Of the rivals, those tied with the leader, and the best ones.
        self.near = [e for place, e in enumerate(self.rivals) if place < _NEAR or can_win[e]]

    def deciding(self, rivals: Sequence[int]) -> Sequence[int]:
        """Return the rivals tied with the leader or, if there is none, the first one."""
        tied = [rival for rival in rivals if self.evidence.verdict.possible_winners[rival]]
        return tied or rivals[:1]


def names_winners(verdict: Verdict) -> bool:
    """Return whether the tie rule is one that names possible winners, and not only ties."""
    return verdict.withdrawn_because not in NO_CONFIDENCE_SET


# Other labels ------------------------------------------------------------------------------------


#: Unknown ids that a message lists.
_SHOWN = 10


def reads_labels(metric: Metric) -> bool:
    """Whether a metric's score follows from gold labels and predicted labels of one column.

    With weights it does not: examples with the same labels count differently.
    """
    leaves = metric.components or (metric,)
    return all(
        leaf.kind == "labels"
        and leaf.column == leaves[0].column
        and leaf.sample_weight is None
        and not leaf.components
        for leaf in leaves
    )


def bound_again(
    scorer: Scorer, gold: Array, predictions: Sequence[Array], names: Sequence[str]
) -> Scorer:
    """Bind the metric of a scorer to other gold labels [n] and predictions, [n] each.

    The metric must be one that `reads_labels`. The label set stays that of the competition.
    """
    metric = scorer.metric
    leaves = metric.components or (metric,)
    bound = [bind(leaf, gold, predictions, scorer.data.labels, names) for leaf in leaves]
    return FormulaScorer(metric, bound) if metric.components else bound[0]


def oriented(metric: Metric, scores: Floats) -> Floats:
    """Return scores with the sign for which higher is better."""
    return scores if metric.greater_is_better else -scores


def _regraded(competition: Competition, path: Path, settings: Settings) -> tuple[Competition, int]:
    """Return the competition with the labels of ``path``, and the number of changed examples.

    Examples keep their order, so that the resamples before and after are the same.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ReferenceDataError(f"{path}: it cannot be read ({error.strerror})") from error
    parts = competition.parts
    # Groups, strata and slices stay those of the reference data, so the file need not hold them.
    free = replace(settings, group=None, stratify=None, slices=())
    new = read_gold(content, path.name, free, kind=parts[0].gold.kind)
    gold_ids = {identity for part in parts for identity in part.gold.ids or ()}
    if new.ids is None or not gold_ids:
        raise ReferenceDataError(
            f"{path.name}: regraded labels are joined by id, but there is no column of ids in the "
            "reference data and in this file; add one to both"
        )
    unknown = [identity for identity in new.ids if identity not in gold_ids]
    if unknown:
        number = counted(len(unknown), Phrase("unknown id", "unknown ids"))
        raise ReferenceDataError(
            f"{path.name}: {number}, {listed(unknown[:_SHOWN])}; every id has to be in the "
            "reference data"
        )
    scored = list(dict.fromkeys(item.column for part in parts for item in part.expected.targets))
    if not set(scored) & set(new.columns):
        raise ReferenceDataError(
            f"{path.name}: found no column that is scored; expected {listed(map(repr, scored))} "
            "in the header"
        )
    chosen = _of_file(parts, path, new)
    regraded = [_regraded_part(part, new) if part in chosen else (part, set()) for part in parts]
    changed = sum(len(identities) for _, identities in regraded)
    return replace(competition, parts=tuple(part for part, _ in regraded)), changed


def _of_file(parts: Sequence[Part], path: Path, new: Gold) -> list[Part]:
    """Return the parts that a file regrades: that of its task, where several hold the same ids.

    Raises ReferenceDataError if it is not called like one of these tasks.
    """
    ids = {*(new.ids or ())}
    holding = [part for part in parts if not ids.isdisjoint(part.gold.ids or ())]
    shared = Counter(identity for part in holding for identity in part.gold.ids or ())
    if not any(shared[identity] > 1 for identity in ids):
        return holding
    called = [part for part in holding if path.stem.casefold() == part.name.casefold()]
    if not called:
        raise ReferenceDataError(
            f"{path.name}: its ids are in the tasks {listed(part.name for part in holding)}; call "
            "the file like the task whose labels it holds"
        )
    return called


def _regraded_part(part: Part, new: Gold) -> tuple[Part, set[str]]:
    """Return the part with the new labels, and the ids of the examples that change."""
    row_of = {identity: row for row, identity in enumerate(part.gold.ids or ())}
    columns = {name: list(cells) for name, cells in part.gold.columns.items()}
    labels = {name: array.copy() for name, array in part.labels.items()}
    changed: set[str] = set()
    for target, label_set in part.expected.targets.items():
        name = target.column
        for row, identity in enumerate(new.ids or () if name in new.columns else ()):
            gold_row = row_of.get(identity)
            value = new.columns[name][row]
            if gold_row is None or part.gold.columns[name][gold_row] == value:
                continue
            if problem := _problem(part, target, gold_row, value):
                raise ReferenceDataError(
                    f"{new.file}: {new.places[row]}, column {name!r}: {problem}"
                )
            columns[name][gold_row] = value
            if target.kind == "labels":
                labels[name][gold_row] = {str(label): label for label in label_set}[value]
            changed.add(identity)
    # A prediction that is absent is wrong by the new labels, too.
    entries = tuple(entry and _refilled(entry, part, labels) for entry in part.entries)
    gold = replace(part.gold, columns=columns)
    return replace(part, gold=gold, labels=labels, entries=entries), changed


def _problem(part: Part, target: Target, row: int, value: Any) -> str | None:
    """Return what is wrong with a new correct answer of an example."""
    if target.kind in ("numbers", "scores") and not cells.is_number(value):
        return f"found {value!r}, expected a number"
    label_set = {str(label) for label in part.expected.targets[target]}
    kind = KINDS.get(target.kind)
    used: Iterable[Any] = ()
    if target.kind == "labels":
        used = (value,)
    elif kind:
        used = kind.labels([value])
    unknown = sorted({*used} - label_set)
    if label_set and unknown:
        unexpected = listed(map(repr, unknown))
        expected = listed(map(repr, sorted(label_set)))
        return f"found {unexpected}, expected one of {expected}"
    if kind and kind.shape(value) != kind.shape(part.gold.columns[target.column][row]):
        return "it does not fit the example as the predictions do"
    return None


def _refilled(entry: Entry, part: Part, labels: Json) -> Entry:
    predictions = dict(entry.predictions)
    for target, absent in entry.absent.items():
        label_set: Sequence[Label] = part.expected.targets[target]
        wrong = np.array(wrong_labels(labels[target.column], label_set))
        predictions[target] = np.where(absent, wrong, predictions[target])
    return replace(entry, predictions=predictions)


def _moves(before: Findings, after: Findings) -> Iterator[dict[str, Any]]:
    """Yield the entries whose score, rank or tie with the leader changes, in the new order.

    They are as audit.json holds them: each before and after.
    """
    first = before.evidence[0]
    second = after.evidence[0]
    for entry in second.scores.order.tolist():
        name = second.names[entry]
        if (old := first.number_of.get(name)) is None:
            continue
        score = float(first.scores.score[old]), float(second.scores.score[entry])
        rank = int(first.scores.rank[old]), int(second.scores.rank[entry])
        was = first.verdict.possible_winners
        now = second.verdict.possible_winners
        tied = bool(was[old]), bool(now[entry])
        changed = abs(score[0] - score[1]) > negligible(*score)
        if changed or rank[0] != rank[1] or tied[0] != tied[1]:
            yield {"entry": name, "rank": rank, "score": score, "tied_with_leader": tied}


def regrade(evaluation: EvaluatedCompetition, path: Path, language: Language) -> Outcome:
    """Evaluate the competition again with the labels of ``path``, and say what that changes.

    The file is a gold file: ids and labels, of all examples or only of those to change. The
    resamples are the same.

    Raises
    ------
    ReferenceDataError
        The file has no ids or no column that is scored, an id is not in the reference data, or a
        label is unknown.
    """
    before = evaluation.findings
    competition, changed = _regraded(evaluation.competition, path, before.settings)
    findings = evaluate(competition, before.settings).findings
    after = findings.evidence[0]
    moves = list(_moves(before, findings))
    page = Page.from_evidence(after, language)
    say = page.say
    heading = page.say("After regrading")
    tied = "tied_with_leader"
    leader = after.names[after.scores.leader]
    content = {"regraded": {"changed": changed, "leader": leader, "entries": moves}}
    brief = say(
        "The gold of {count:n} {thing} changes. After that: {verdict}",
        "The gold of {count:n} {things} changes. After that: {verdict}",
        count=changed,
        verdict=build(findings).verdict,
    )
    if not moves:
        unchanged = say("No entry's score, rank or tie changes.")
        return Outcome(content, [page.finding("regraded", heading, brief, [brief, unchanged])])
    headings = say("Tied with the leader before"), say("Tied with the leader after")
    if names_winners(after.verdict):
        headings = say("Possible winner before"), say("Possible winner after")
    columns = (
        page.words("entry", say("Entry"), lambda move: move["entry"]),
        page.counts("before", say("Rank before"), lambda move: move["rank"][0]),
        page.counts("after", say("Rank after"), lambda move: move["rank"][1]),
        page.numbers("score_before", say("Score before"), lambda move: move["score"][0]),
        page.numbers("score_after", say("Score after"), lambda move: move["score"][1]),
        page.answers("tied_before", headings[0], lambda move: move[tied][0]),
        page.answers("tied_after", headings[1], lambda move: move[tied][1]),
    )
    table = page.table("regraded", say("Entries whose score, rank or tie changes"), moves, columns)
    finding = page.finding("regraded", heading, brief, [brief], table, whole=True, look=True)
    return Outcome(content, [finding])
