"""The sections on right and wrong answers: examples, classes, slices, and what is confused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ...document.blocks import ResultTable, TableColumn, cell
from ..ceilings import Ceilings
from ..competition_audit import AnswerAudit, LabelAudit, PartAudit
from ..right_answers import Confusion, Shares
from .finding import FilledColumn, Finding, Page

#: Classes of which the page shows a whole table of confusion.
_FEW_CLASSES = 12
#: The most frequent errors that a table of many classes lists.
_MOST_PAIRS = 1000
#: Decimals of shares.
_DECIMALS = 3


def examples(page: Page, part: PartAudit) -> Iterator[Finding]:
    """Yield how many examples decide, and on which the field or one entry is wrong."""
    if part.answers is None or part.answers.examples is None:
        return
    say, answers, examples_of = page.say, part.answers.answers, part.answers.examples
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
    if part.labels and part.labels.ceilings:
        paragraphs.append(_ceilings(page, part.labels.ceilings))
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


def _ceilings(page: Page, ceilings: Ceilings) -> str:
    numerals, decimals = page.language.numerals, page.decimals
    return page.say(
        "An oracle that picks the right entry for each {thing} scores {oracle}. The majority vote "
        "scores {majority}, a difference of {difference} from the leader ({level} interval "
        "{interval}; two-sided p-value {p}).",
        oracle=numerals.fixed(ceilings.oracle, decimals),
        majority=numerals.fixed(ceilings.majority, decimals),
        difference=numerals.fixed(ceilings.difference, decimals, signed=True),
        level=page.level,
        interval=numerals.interval(ceilings.low, ceilings.high, decimals),
        p=numerals.p(ceilings.p_value),
    )


def errors(page: Page, part: PartAudit) -> Iterator[Finding]:
    """Yield which labels are confused, each class's recall, and the errors in each slice."""
    labels, answers, order = part.labels, part.answers, part.evidence.scores.order.tolist()
    if labels is not None:
        names = [str(label) for label in labels.field.labels]
        if labels.confusion.errors.any():
            yield _confusion(page, labels.confusion, names)
            yield _confusion_of_entries(page, labels, names, order)
        yield _recalls(page, labels, names, order)
    if answers is not None and answers.right is not None:
        yield _slices(page, answers, answers.right.others, order)


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
    page: Page, labels: LabelAudit, names: Sequence[str], order: Sequence[int]
) -> Finding:
    """Return the most frequent confusion of each entry; the file counts all of them."""
    say, entries = page.say, labels.field.names
    pairs = {
        entry: [(names[gold], names[given], count) for gold, given, count in confusion.rows]
        for entry, confusion in enumerate(labels.confusions)
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


def _recalls(page: Page, labels: LabelAudit, names: Sequence[str], order: Sequence[int]) -> Finding:
    """Return the recall of every entry in every class."""
    say, recalls = page.say, labels.recalls
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
            page.words("entry", say("Entry"), lambda at: labels.field.names[at[0]]),
            page.words("label", say("Class"), lambda at: names[at[1]]),
            page.counts("examples", say("{Things}"), lambda at: int(recalls.sizes[at[1]])),
            *_share(page, "recall", say("Recall"), recalls),
        ],
    )
    return page.finding("classes", say("How well is each class found?"), brief, table=table)


def _slices(page: Page, audited: AnswerAudit, wrong: Shares, order: Sequence[int]) -> Finding:
    """Return the share of errors of every entry in every slice."""
    say, slices = page.say, audited.slices
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
            page.words("entry", say("Entry"), lambda at: audited.answers.names[at[0]]),
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
