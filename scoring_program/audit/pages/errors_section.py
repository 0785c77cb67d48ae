"""The sections on errors: confusion, the recall of classes, and errors in slices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ...core.phrases import Language
from ...document.blocks import Cell, ResultTable, TableColumn, cell
from ..competition_audit import Audit
from ..confusion import Confusion
from ..part_audit import AnswerAudit, LabelAudit
from ..shares_right import SharesRight
from .finding import (
    Finding,
    PageOfPart,
    count_cell,
    interval_cell,
    listed,
    number_cell,
    pages_of_parts,
)

#: Classes of which the page shows a whole table of confusion.
_FEW_CLASSES = 12
#: The most frequent errors that a table of many classes lists.
_MOST_PAIRS = 1000
#: Decimals of shares.
_DECIMALS = 3


def errors(audit: Audit, language: Language) -> Iterator[Finding]:
    """Yield which labels are confused, each class's recall, and the errors in each slice."""
    for page in pages_of_parts(audit, language):
        labels, answers = page.part.labels, page.part.answers
        if labels is not None:
            yield from _confusion(page, labels)
            yield from _recalls(page, labels)
        if answers is not None and answers.right is not None:
            yield _slices(page, answers, answers.right)


def _confusion(page: PageOfPart, labels: LabelAudit) -> Iterator[Finding]:
    """Yield the confusion over the field, and the most frequent ones of each entry."""
    names = [str(label) for label in labels.field.labels]
    found = labels.confusion
    if not found.errors.any():
        return
    most = int(found.errors.argmax())
    brief = page.say(
        "Most often, entries give {given} where the gold is {gold}: {share} of all errors.",
        gold=names[found.gold[most]],
        given=names[found.given[most]],
        share=page.language.numerals.percent(float(found.errors[most] / found.errors.sum())),
    )
    make = _shares if len(names) <= _FEW_CLASSES else _frequent
    table = make(page, found, names)
    yield page.finding("errors", listed(table, page.language, [brief]), brief)
    yield _confusion_of_entries(page, labels, names)


def _shares(page: PageOfPart, found: Confusion, names: Sequence[str]) -> ResultTable:
    """Return the share of each given label where the gold has a label."""
    total = np.zeros((len(names), len(names)))
    total[found.gold, found.given] = found.counts
    shares = total / np.maximum(total.sum(axis=1, keepdims=True), 1)
    percent = page.language.numerals.percent
    return page.table(
        "confusion",
        page.say(
            "Each row: the share of the predictions, over all entries, that give each label where "
            "the gold has this one."
        ),
        (
            TableColumn(("gold",), page.language.say("Gold label")),
            *(TableColumn((name,), name, numeric=True) for name in names),
        ),
        [
            (cell(name), *(cell(percent(share), float(share)) for share in row))
            for name, row in zip(names, shares.tolist(), strict=True)
        ],
    )


def _frequent(page: PageOfPart, found: Confusion, names: Sequence[str]) -> ResultTable:
    """Return the most frequent errors, of many labels."""
    order = np.argsort(-found.errors, kind="stable")[:_MOST_PAIRS]
    return page.table(
        "confusion",
        page.say("The most frequent errors of all entries"),
        (
            TableColumn(("gold",), page.language.say("Gold label")),
            TableColumn(("given",), page.language.say("Label given")),
            TableColumn(("count",), page.language.say("How often"), numeric=True),
        ),
        [
            (
                cell(names[found.gold[pair]]),
                cell(names[found.given[pair]]),
                count_cell(page.language, int(found.errors[pair])),
            )
            for pair in order.tolist()
            if found.errors[pair]
        ],
    )


def _confusion_of_entries(page: PageOfPart, labels: LabelAudit, names: Sequence[str]) -> Finding:
    """Return the most frequent confusion of each entry; the file counts all of them."""
    language, entries = page.language, labels.field.names
    order = page.part.evidence.scores.order.tolist()
    rows: list[tuple[Cell, ...]] = []
    worst: list[tuple[str, str]] = []
    for found in (labels.confusions[entry] for entry in order):
        most = int(found.errors.argmax()) if found.errors.size else 0
        pair = ("", "")
        if found.errors.any():
            pair = names[found.gold[most]], names[found.given[most]]
        worst.append(pair)
        most_often = int(found.errors.max(initial=0))
        rows.append(
            (
                cell(entries[order[len(rows)]]),
                *map(cell, pair),
                count_cell(language, most_often),
                count_cell(language, int(found.errors.sum())),
            )
        )
    table = page.table(
        "confusion_of_entries",
        page.say(
            "The most frequent confusion of each entry, best entry first; the CSV file counts all "
            "of them"
        ),
        (
            TableColumn(("entry",), page.say("Entry")),
            TableColumn(("gold",), language.say("Gold label")),
            TableColumn(("given",), language.say("Label given")),
            TableColumn(("count",), language.say("How often"), numeric=True),
            TableColumn(("errors",), language.say("All errors"), numeric=True),
        ),
        rows,
    )
    table = replace(table, records=_counts(labels, names, order))
    same = sum(pair == worst[0] for pair in worst)
    brief = page.say(
        "{same} of {entries} entries have the same most frequent confusion as the leader.",
        same=page.count(same),
        entries=page.count(len(order)),
    )
    return page.finding("confused", listed(table, language), brief)


def _counts(
    labels: LabelAudit, names: Sequence[str], order: Sequence[int]
) -> tuple[tuple[str | int, ...], ...]:
    """Return entry, gold label, given label and count, for machines."""
    header: tuple[str | int, ...] = ("entry", "gold", "given", "count")
    found = [(labels.field.names[entry], labels.confusions[entry]) for entry in order]
    return (
        header,
        *(
            (name, names[gold], names[given], count)
            for name, pairs in found
            for gold, given, count in zip(
                pairs.gold.tolist(), pairs.given.tolist(), pairs.counts.tolist(), strict=True
            )
        ),
    )


def _recalls(page: PageOfPart, labels: LabelAudit) -> Iterator[Finding]:
    found, language = labels.recalls, page.language
    present = np.flatnonzero(found.sizes)
    classes = [str(labels.field.labels[code]) for code in present]
    worst = int(np.nanmean(found.share[:, present], axis=0).argmin())
    brief = page.say(
        "The class that is found worst is {label}: recall {recall} on average over the entries.",
        label=classes[worst],
        recall=language.numerals.percent(float(found.share[:, present[worst]].mean())),
    )
    table = page.table(
        "recall_per_class",
        page.say(
            "Recall of each entry in each class. The intervals hold for all entries and classes "
            "at once, with {level} confidence.",
            level=page.level,
        ),
        (
            TableColumn(("entry",), page.say("Entry")),
            TableColumn(("label",), language.say("Class")),
            TableColumn(("examples",), language.say("{Things}"), numeric=True),
            TableColumn(("recall",), language.say("Recall"), numeric=True),
            TableColumn(("low", "high"), page.say("Simultaneous interval"), numeric=True),
        ),
        [
            (
                cell(labels.field.names[entry]),
                cell(label),
                count_cell(language, int(found.sizes[code])),
                number_cell(language, float(found.share[entry, code]), _DECIMALS),
                interval_cell(
                    language,
                    float(found.low[entry, code]),
                    float(found.high[entry, code]),
                    _DECIMALS,
                ),
            )
            for entry in page.part.evidence.scores.order.tolist()
            for code, label in zip(present.tolist(), classes, strict=True)
        ],
    )
    yield page.finding("classes", listed(table, language), brief)


def _slices(page: PageOfPart, audited: AnswerAudit, right: SharesRight) -> Finding:
    """Return the share of errors of every entry in every slice."""
    language = page.language
    low, high = 1 - right.high, 1 - right.low
    table = page.table(
        "errors_per_slice",
        page.say(
            "Share of wrong predictions of each entry in each slice. The intervals hold for all "
            "entries and slices at once, with {level} confidence.",
            level=page.level,
        ),
        (
            TableColumn(("entry",), page.say("Entry")),
            TableColumn(("column", "value"), page.say("Slice")),
            TableColumn(("examples",), language.say("{Things}"), numeric=True),
            TableColumn(("errors",), language.say("Share of errors"), numeric=True),
            TableColumn(("low", "high"), page.say("Simultaneous interval"), numeric=True),
        ),
        [
            (
                cell(audited.answers.names[entry]),
                cell(f"{one.column}: {one.value}", one.column, one.value),
                count_cell(language, int(right.sizes[place])),
                number_cell(language, float(1 - right.share[entry, place]), _DECIMALS),
                interval_cell(
                    language, float(low[entry, place]), float(high[entry, place]), _DECIMALS
                ),
            )
            for entry in page.part.evidence.scores.order.tolist()
            for place, one in enumerate(audited.slices)
        ],
    )
    worst = int((1 - right.share).mean(axis=0).argmax())
    one = audited.slices[worst]
    brief = page.say(
        "Entries err most in {slice}: on {share} of its {things} on average.",
        slice=f"{one.column}: {one.value}",
        share=language.numerals.percent(float((1 - right.share)[:, worst].mean())),
    )
    return page.finding("slices", listed(table, language), brief)
