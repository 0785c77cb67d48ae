"""Who is right where: on single examples, in each class, in each slice; and what is confused.

Shares of right answers have intervals that hold for all entries and classes, or slices, at once.
How far the field as a whole could get, an oracle over entries tells, and the majority vote.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..bootstrap.counts import DrawCounts
from ..bootstrap.design import Design
from ..bootstrap.resample import Slice, resample
from ..core.arrays import Floats, Ints
from ..document.blocks import ResultTable, TableColumn, cell
from ..inference.analyze import analyze
from ..inference.basis import MetricScores
from ..inference.question import Question
from ..inference.slice_evidence import CellScores, simultaneous_intervals
from ..report.view import FilledColumn
from ..scoring.scorer import Scorer
from ..settings.model import Settings
from .answer_field import Answers, LabelField
from .finding import Finding, Page, content_of
from .regrade import bound_again

#: Classes of which the page shows a whole table of confusion.
_FEW_CLASSES = 12
#: The most frequent errors that a table of many classes lists.
_MOST_PAIRS = 1000
#: Decimals of shares.
_DECIMALS = 3


@dataclass(frozen=True, eq=False)
class ExampleCounts:
    """How many entries get each example right, and what the examples tell apart.

    In ``only_one`` and ``all_but_one`` each example stands with the entry that differs.
    ``separating`` counts the examples on which some possible winners are right and some are wrong.
    All other examples add the same to the scores of the possible winners.
    """

    entries_right: Ints  # [n]
    nobody: tuple[int, ...]  # examples that no entry gets right
    only_one: tuple[tuple[int, int], ...]  # (example, the one entry that gets it right)
    all_but_one: tuple[tuple[int, int], ...]  # (example, the one entry that gets it wrong)
    separating: int
    winners: int  # how many can still win


def count_examples(answers: Answers, possible_winners: Sequence[int]) -> ExampleCounts:
    """Count right entries per example; ``possible_winners`` numbers entries."""
    right = answers.right
    counts = right.sum(axis=0)
    only, but = np.flatnonzero(counts == 1), np.flatnonzero(counts == len(right) - 1)
    if len(right) == 2:
        but = but[:0]  # they are the same
    winners = right[list(possible_winners)].sum(axis=0)
    return ExampleCounts(
        counts,
        tuple(np.flatnonzero(counts == 0).tolist()),
        tuple(zip(only.tolist(), right[:, only].argmax(axis=0).tolist(), strict=True)),
        tuple(zip(but.tolist(), right[:, but].argmin(axis=0).tolist(), strict=True)),
        int(np.count_nonzero((winners > 0) & (winners < len(possible_winners)))),
        len(possible_winners),
    )


@dataclass(frozen=True, eq=False)
class Shares:
    """The share of right, or wrong, predictions of each entry in each part, and its interval.

    A part that some resample does not draw, or on which an entry's share never varies, has no
    interval there (nan).
    """

    sizes: Ints  # [k]: examples in each part
    share: Floats  # [m, k]
    low: Floats
    high: Floats

    @property
    def others(self) -> Shares:
        """The shares of all other predictions: of wrong ones, where these are of right ones."""
        return Shares(self.sizes, 1 - self.share, 1 - self.high, 1 - self.low)


def shares_right(
    field: Answers, parts: Sequence[Ints], counts: Iterable[DrawCounts], confidence: float
) -> Shares:
    """Return shares with intervals that cover all m × k true shares at once.

    ``parts`` are the numbers of the examples in each, and ``counts`` [R, n] say how often resamples
    draw the examples. See `inference.slice_evidence` for the method.
    """
    right = [field.right[:, rows].T.astype(np.float32) for rows in parts]
    drawn: list[list[Floats]] = [[] for _ in parts]
    for block in counts:
        for of_part, rows, found in zip(right, parts, drawn, strict=True):
            weights = block[:, rows].astype(np.float32)
            with np.errstate(invalid="ignore"):
                shares = (weights @ of_part) / weights.sum(axis=1, keepdims=True)
            found.append(shares.astype(np.float64))
    cells = [
        CellScores(of_part.mean(axis=0, dtype=np.float64), np.concatenate(found), rows.size)
        for of_part, rows, found in zip(right, parts, drawn, strict=True)
        if rows.size
    ]
    ends = iter(simultaneous_intervals(cells, (0.0, 1.0), confidence))
    of_cells = iter(cells)
    missing = np.full(len(field.names), np.nan)
    columns = [
        (next(of_cells).score, *next(ends)) if rows.size else (missing,) * 3 for rows in parts
    ]
    share, low, high = (np.stack(values, axis=1) for values in zip(*columns, strict=True))
    return Shares(np.array([rows.size for rows in parts]), share, low, high)


@dataclass(frozen=True, eq=False)
class Confusion:
    """How often the label ``given`` meets the gold ``gold``, for the k pairs that occur; [k] each.

    Labels are numbers.
    """

    gold: Ints
    given: Ints
    counts: Ints

    @property
    def errors(self) -> Ints:
        """The counts of wrong labels, 0 for right ones; [k]."""
        return np.where(self.gold == self.given, 0, self.counts)

    @property
    def rows(self) -> list[tuple[int, int, int]]:
        """The gold label, the given one and their count of each pair."""
        columns = (self.gold.tolist(), self.given.tolist(), self.counts.tolist())
        return list(zip(*columns, strict=True))


def confusion(field: LabelField, entries: Sequence[int]) -> Confusion:
    """Count the pairs of gold and given labels of some entries; what is absent is not given."""
    chosen = list(entries)
    cells = (field.gold * len(field.labels) + field.predicted[chosen])[~field.absent[chosen]]
    pairs, counts = np.unique(cells, return_counts=True)
    gold, given = np.divmod(pairs, len(field.labels))
    return Confusion(gold, given, counts)


def ceilings(
    scorer: Scorer, field: LabelField, order: Sequence[int], design: Design, settings: Settings
) -> dict[str, Any]:
    """Score the oracle and the majority vote; ``order`` numbers the entries, best first.

    Returns what audit.json says of them: the difference is how far the vote is ahead of the leader,
    in the metric's own units, with its paired interval and two-sided p-value.
    """
    leader = order[0]
    labels = [field.predicted[leader], _majority(field, order), _oracle(field, leader)]
    names = (field.names[leader], "majority", "oracle")
    bound = bound_again(scorer, field.texts(field.gold), list(map(field.texts, labels)), names)
    (replicates,) = resample([bound], design, settings.resamples, settings.seed)
    scores = MetricScores(
        bound.metric, names, bound.observed, replicates, n=design.n, groups=design.groups
    )
    # The leader is not chosen among the three, so its comparison with the vote is two-sided.
    question = Question(settings.confidence, reference_entry=names[0])
    against = analyze(scores, question).differences
    assert against is not None  # only a mean rank has none
    return {
        "oracle": float(bound.observed[2]),
        "majority": {
            "score": float(bound.observed[1]),
            "difference": -float(against.observed[1]),
            "ci": [-float(against.high[1]), -float(against.low[1])],
            "p_two_sided": float(against.p_two_sided[1]),
        },
    }


def _oracle(field: LabelField, leader: int) -> Ints:
    """Return the labels [n] of an oracle over entries: the gold where any entry has it.

    Elsewhere it answers as the leader does. Its score bounds what any choice among the entries'
    answers can reach under accuracy.
    """
    return np.where(field.right.any(axis=0), field.gold, field.predicted[leader])


def _majority(field: LabelField, order: Sequence[int]) -> Ints:
    """Return the label [n] that most entries give; of equally frequent ones, the best entry's."""
    rows = np.arange(len(field.gold))
    votes = np.zeros((len(field.labels), len(rows)), np.intp)
    for codes, absent in zip(field.predicted, field.absent, strict=True):
        votes[codes, rows] += ~absent
    most = votes.max(axis=0)
    chosen = np.full(len(rows), -1, np.intp)
    for entry in order:
        codes = field.predicted[entry]
        decides = (chosen < 0) & (votes[codes, rows] == most)
        chosen[decides] = codes[decides]
    return chosen


def example_section(
    page: Page, answers: Answers, examples_of: ExampleCounts, ceilings: Mapping[str, Any] | None
) -> Iterator[Finding]:
    """Yield how many examples decide, and on which the field or one entry is wrong."""
    say = page.say
    separating = say(
        "Only one entry is a possible winner, so no {thing} tells possible winners apart."
    )
    if examples_of.winners > 1:
        separating = say(
            "{separating} of {n} {things} ({share}) tell the possible winners apart; on the "
            "others they are all right or all wrong.",
            separating=page.count(examples_of.separating),
            n=page.count(len(answers.ids)),
            share=page.language.numerals.percent(examples_of.separating / len(answers.ids)),
        )
    hard = say(
        "Entries that are right: none on {nobody} {things}, only one on {one}, all but one on "
        "{but_one}."
        if len(answers.names) > 2
        else "Entries that are right: none on {nobody} {things}, only one on {one}.",
        nobody=page.count(len(examples_of.nobody)),
        one=page.count(len(examples_of.only_one)),
        but_one=page.count(len(examples_of.all_but_one)),
    )
    paragraphs = [separating, hard]
    if ceilings is not None:
        paragraphs.append(_ceilings(page, ceilings))
    brief = separating
    if examples_of.nobody:
        nobody = say(
            "No entry gets {count:n} {thing} right: its gold may be wrong.",
            "No entry gets {count:n} {things} right: their gold may be wrong.",
            count=len(examples_of.nobody),
        )
        brief = f"{nobody} {separating}"
    differs = {
        row: answers.names[e] for row, e in (*examples_of.only_one, *examples_of.all_but_one)
    }
    right = examples_of.entries_right.tolist()
    table = page.table(
        "examples",
        say("{Things} that no entry, one entry or all but one entry get right"),
        sorted({*examples_of.nobody, *differs}, key=lambda row: (right[row], row)),  # hardest first
        [
            page.words("id", say("{Thing}"), answers.ids.__getitem__),
            page.words("gold", say("Gold"), answers.correct.__getitem__),
            page.counts("entries_right", say("Entries that are right"), right.__getitem__),
            page.words("differs", say("The entry that differs"), lambda row: differs.get(row, "")),
        ],
    )
    shown = table if table.rows else None
    heading, look = say("Which {things} decide?"), bool(examples_of.nobody)
    yield page.finding("examples", heading, brief, paragraphs, shown, look=look)


def _ceilings(page: Page, ceilings: Mapping[str, Any]) -> str:
    numerals, decimals, vote = page.language.numerals, page.decimals, ceilings["majority"]
    low, high = vote["ci"]
    return page.say(
        "An oracle that picks the right entry for each {thing} scores {oracle}. The majority vote "
        "scores {majority}, a difference of {difference} from the leader ({level} interval "
        "{interval}; two-sided p-value {p}).",
        oracle=numerals.fixed(ceilings["oracle"], decimals),
        majority=numerals.fixed(vote["score"], decimals),
        difference=numerals.fixed(vote["difference"], decimals, signed=True),
        level=page.level,
        interval=numerals.interval(low, high, decimals),
        p=numerals.p(vote["p_two_sided"]),
    )


def class_section(
    page: Page, field: LabelField, recalls: Shares, order: Sequence[int]
) -> Iterator[Finding]:
    """Yield which labels are confused, and each class's recall; ``order`` numbers the entries."""
    names = [str(label) for label in field.labels]
    of_all = confusion(field, order)
    if of_all.errors.any():
        yield _confusion(page, of_all, names)
        yield _confusion_of_entries(page, field, names, order)
    yield _recalls(page, field, recalls, names, order)


def _confusion(page: Page, found: Confusion, names: Sequence[str]) -> Finding:
    """Return the confusion over the field: all of it, or the most frequent of many labels."""
    say, percent = page.say, page.language.numerals.percent
    wrong = found.errors
    most = int(wrong.argmax())
    brief = say(
        "Most often, entries give {given} where the gold is {gold}: {share} of all errors.",
        gold=names[found.gold[most]],
        given=names[found.given[most]],
        share=percent(float(wrong[most] / wrong.sum())),
    )
    if len(names) <= _FEW_CLASSES:
        table = _shares(page, found, names)
    else:
        order = np.argsort(-wrong, kind="stable")[:_MOST_PAIRS].tolist()
        table = page.table(
            "confusion",
            say("The most frequent errors of all entries"),
            [pair for pair in order if wrong[pair]],
            [
                page.words("gold", say("Gold label"), lambda pair: names[found.gold[pair]]),
                page.words("given", say("Label given"), lambda pair: names[found.given[pair]]),
                page.counts("count", say("How often"), lambda pair: int(wrong[pair])),
            ],
        )
    return page.finding("errors", say("Which labels are confused?"), brief, [brief], table)


def _shares(page: Page, found: Confusion, names: Sequence[str]) -> ResultTable:
    """Return the share of each given label where the gold has a label."""
    total = np.zeros((len(names), len(names)))
    total[found.gold, found.given] = found.counts
    shares = (total / np.maximum(total.sum(axis=1, keepdims=True), 1)).tolist()
    percent = page.language.numerals.percent

    def given(label: int) -> FilledColumn:
        column = TableColumn((names[label],), names[label], numeric=True)
        return column, lambda gold: cell(percent(shares[gold][label]), shares[gold][label])

    return page.table(
        "confusion",
        page.say(
            "Each row: the share of the predictions, over all entries, that give each label where "
            "the gold has this one."
        ),
        range(len(names)),
        [
            page.words("gold", page.say("Gold label"), names.__getitem__),
            *map(given, range(len(names))),
        ],
    )


def _confusion_of_entries(
    page: Page, field: LabelField, names: Sequence[str], order: Sequence[int]
) -> Finding:
    """Return the most frequent confusion of each entry; the file counts all of them."""
    say, entries = page.say, field.names
    pairs = {
        entry: [
            (names[gold], names[given], count)
            for gold, given, count in confusion(field, [entry]).rows
        ]
        for entry in order
    }
    wrong = {entry: [pair for pair in pairs[entry] if pair[0] != pair[1]] for entry in order}
    # Of equally frequent ones, the first.
    worst = {e: max(wrong[e], key=lambda pair: pair[2], default=("", "", 0)) for e in order}
    table = page.table(
        "confusion_of_entries",
        say(
            "The most frequent confusion of each entry, best entry first; the CSV file counts all "
            "of them"
        ),
        order,
        [
            page.words("entry", say("Entry"), entries.__getitem__),
            page.words("gold", say("Gold label"), lambda entry: worst[entry][0]),
            page.words("given", say("Label given"), lambda entry: worst[entry][1]),
            page.counts("count", say("How often"), lambda entry: worst[entry][2]),
            page.counts("errors", say("All errors"), lambda e: sum(pair[2] for pair in wrong[e])),
        ],
    )
    counted = ((entries[entry], *pair) for entry in order for pair in pairs[entry])
    table = replace(table, records=(("entry", "gold", "given", "count"), *counted))
    same = sum(worst[entry][:2] == worst[order[0]][:2] for entry in order)
    brief = say(
        "{same} of {entries} entries have the same most frequent confusion as the leader.",
        same=page.count(same),
        entries=page.count(len(order)),
    )
    return page.finding("confused", say("What does each entry confuse?"), brief, table=table)


def _recalls(
    page: Page, field: LabelField, recalls: Shares, names: Sequence[str], order: Sequence[int]
) -> Finding:
    """Return the recall of every entry in every class."""
    say = page.say
    present = np.flatnonzero(recalls.sizes).tolist()
    worst = present[int(np.nanmean(recalls.share[:, present], axis=0).argmin())]
    brief = say(
        "The class that is found worst is {label}: recall {recall} on average over the entries.",
        label=names[worst],
        recall=page.language.numerals.percent(float(recalls.share[:, worst].mean())),
    )
    table = page.table(
        "recall_per_class",
        say(
            "Recall of each entry in each class. The intervals hold for all entries and classes "
            "at once, with {level} confidence.",
            level=page.level,
        ),
        [(entry, code) for entry in order for code in present],
        [
            page.words("entry", say("Entry"), lambda at: field.names[at[0]]),
            page.words("label", say("Class"), lambda at: names[at[1]]),
            page.counts("examples", say("{Things}"), lambda at: int(recalls.sizes[at[1]])),
            *_share(page, "recall", say("Recall"), recalls),
        ],
    )
    return page.finding("classes", say("How well is each class found?"), brief, table=table)


def slice_section(
    page: Page, names: Sequence[str], slices: Sequence[Slice], wrong: Shares, order: Sequence[int]
) -> Finding:
    """Return the share of errors of every entry in every slice."""
    say = page.say
    called = [f"{one.column}: {one.value}" for one in slices]
    column = TableColumn(("column", "value"), say("Slice"))
    table = page.table(
        "errors_per_slice",
        say(
            "Share of wrong predictions of each entry in each slice. The intervals hold for all "
            "entries and slices at once, with {level} confidence.",
            level=page.level,
        ),
        [(entry, place) for entry in order for place in range(len(slices))],
        [
            page.words("entry", say("Entry"), lambda at: names[at[0]]),
            (column, lambda at: cell(called[at[1]], slices[at[1]].column, slices[at[1]].value)),
            page.counts("examples", say("{Things}"), lambda at: int(wrong.sizes[at[1]])),
            *_share(page, "errors", say("Share of errors"), wrong),
        ],
    )
    worst = int(wrong.share.mean(axis=0).argmax())
    brief = say(
        "Entries err most in {slice}: on {share} of its {things} on average.",
        slice=called[worst],
        share=page.language.numerals.percent(float(wrong.share[:, worst].mean())),
    )
    return page.finding("slices", say("Who errs in which slice?"), brief, table=table)


def _share(page: Page, key: str, heading: str, found: Shares) -> list[FilledColumn]:
    """Return the shares at (entry, part) and their intervals."""
    interval = page.say("Simultaneous interval")
    return [
        page.numbers(key, heading, lambda at: float(found.share[at]), _DECIMALS),
        page.intervals(interval, lambda at: (found.low[at], found.high[at]), _DECIMALS),
    ]


def example_content(answers: Answers, examples_of: ExampleCounts) -> dict[str, Any]:
    """Return what audit.json says of examples."""
    return {
        "examples": [
            {"id": identity, "entries_right": right}
            for identity, right in zip(answers.ids, examples_of.entries_right.tolist(), strict=True)
        ],
        "separating": examples_of.separating,
    }


def class_content(field: LabelField, recalls: Shares) -> dict[str, Any]:
    """Return what audit.json says of labels that are confused, and of classes."""
    texts = [str(label) for label in field.labels]
    return {
        "confusion": {
            "labels": texts,
            "entries": {
                name: confusion(field, [entry]).rows for entry, name in enumerate(field.names)
            },
        },
        "classes": [
            {
                "label": label,
                "n": int(recalls.sizes[code]),
                "entries": [
                    {"entry": name, **_share_content("recall", recalls, entry, code)}
                    for entry, name in enumerate(field.names)
                ],
            }
            for code, label in enumerate(texts)
        ],
    }


def slice_content(
    names: Sequence[str], slices: Sequence[Slice], wrong: Shares
) -> list[dict[str, Any]]:
    """Return the share of wrong predictions of each entry in each slice, for audit.json."""
    sizes = wrong.sizes.tolist()
    return [
        {
            **content_of(one, "column", "value"),
            "n": sizes[place],
            "entries": [
                {
                    "entry": name,
                    "errors": round(wrong.share[entry, place] * sizes[place]),
                    **_share_content("error_rate", wrong, entry, place),
                }
                for entry, name in enumerate(names)
            ],
        }
        for place, one in enumerate(slices)
    ]


def _share_content(key: str, found: Shares, entry: int, part: int) -> dict[str, Any]:
    """Return a share and its interval; what is not finite is nothing."""

    def number(array: Floats) -> float | None:
        value = float(array[entry, part])
        return value if math.isfinite(value) else None

    return {key: number(found.share), "ci": [number(found.low), number(found.high)]}
