"""The sections on errors: confusion, the recall of classes, and errors in slices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ...report.language import Language
from ...report.sections.section import Passage
from ...report.tables import TableColumn, cell
from ..competition_audit import Audit
from ..part_audit import AnswerAudit, LabelAudit
from ..shares_right import SharesRight
from .finding import (
    Finding,
    PageOfPart,
    column,
    count_cell,
    interval_cell,
    listed,
    number_cell,
    pages_of_parts,
)

#: Classes of which the page shows a whole table of confusion.
_FEW_CLASSES = 12
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
    total = labels.confusion.sum(axis=0)
    shares = total / np.maximum(total.sum(axis=1, keepdims=True), 1)
    wrong = np.where(np.eye(len(names), dtype=bool), 0, total)
    if not wrong.any():
        return
    gold, given = divmod(int(wrong.argmax()), len(names))
    brief = page.say(
        "errors.brief",
        gold=names[gold],
        given=names[given],
        share=page.language.numerals.percent(float(wrong[gold, given] / wrong.sum())),
    )
    of_field = page.table(
        "confusion",
        page.say("errors.caption"),
        (
            column(page.language, "errors.gold"),
            *(TableColumn((name,), name, numeric=True) for name in names),
        ),
        [
            (
                cell(name),
                *(cell(page.language.numerals.percent(share), float(share)) for share in row),
            )
            for name, row in zip(names, shares.tolist(), strict=True)
        ],
    )
    passage = Passage((brief,))
    if len(names) <= _FEW_CLASSES:
        passage = Passage((brief,), caption=of_field.caption, table=of_field)
    yield page.finding("errors", passage, of_field, brief)
    yield _confusion_of_entries(page, labels, names)


def _confusion_of_entries(page: PageOfPart, labels: LabelAudit, names: Sequence[str]) -> Finding:
    """Return the most frequent confusion of each entry; the file counts all of them."""
    language, entries = page.language, labels.field.names
    order = page.part.analysis.order.tolist()
    rows, worst = [], []
    for entry in order:
        wrong = np.where(np.eye(len(names), dtype=bool), 0, labels.confusion[entry])
        gold, given = divmod(int(wrong.argmax()), len(names))
        shown = (names[gold], names[given]) if wrong.any() else ("", "")
        worst.append(shown)
        rows.append(
            (
                cell(entries[entry]),
                cell(shown[0]),
                cell(shown[1]),
                count_cell(language, int(wrong.max())),
                count_cell(language, int(wrong.sum())),
            )
        )
    table = page.table(
        "confusion_of_entries",
        page.say("confused.caption"),
        (
            TableColumn(("entry",), page.say("classes.entry")),
            column(language, "confused.gold"),
            column(language, "confused.given"),
            column(language, "confused.count", numeric=True),
            column(language, "confused.errors", numeric=True),
        ),
        rows,
    )
    table = replace(table, records=_counts(labels, names, order))
    same = sum(pair == worst[0] for pair in worst)
    brief = page.say("confused.brief", same=page.count(same), entries=page.count(len(order)))
    return page.finding("confused", listed(table, language), table, brief)


def _counts(
    labels: LabelAudit, names: Sequence[str], order: Sequence[int]
) -> tuple[tuple[str | int, ...], ...]:
    """Return entry, gold label, given label and count, for machines."""
    header: tuple[str | int, ...] = ("entry", "gold", "given", "count")
    return (
        header,
        *(
            (labels.field.names[entry], gold, given, int(labels.confusion[entry, row, place]))
            for entry in order
            for row, gold in enumerate(names)
            for place, given in enumerate(names)
        ),
    )


def _recalls(page: PageOfPart, labels: LabelAudit) -> Iterator[Finding]:
    found, language = labels.recalls, page.language
    present = np.flatnonzero(found.sizes)
    classes = [str(labels.field.labels[code]) for code in present]
    worst = int(np.nanmean(found.share[:, present], axis=0).argmin())
    brief = page.say(
        "classes.brief",
        label=classes[worst],
        recall=language.numerals.percent(float(found.share[:, present[worst]].mean())),
    )
    table = page.table(
        "recall_per_class",
        page.say("classes.caption", level=page.level),
        (
            TableColumn(("entry",), page.say("classes.entry")),
            column(language, "classes.label"),
            column(language, "classes.examples", numeric=True),
            column(language, "classes.recall", numeric=True),
            TableColumn(("low", "high"), page.say("classes.interval"), numeric=True),
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
            for entry in page.part.analysis.order.tolist()
            for code, label in zip(present.tolist(), classes, strict=True)
        ],
    )
    yield page.finding("classes", listed(table, language), table, brief)


def _slices(page: PageOfPart, audited: AnswerAudit, right: SharesRight) -> Finding:
    """Return the share of errors of every entry in every slice."""
    language = page.language
    low, high = 1 - right.high, 1 - right.low
    table = page.table(
        "errors_per_slice",
        page.say("slices.caption", level=page.level),
        (
            TableColumn(("entry",), page.say("slices.entry")),
            TableColumn(("column", "value"), page.say("slices.slice")),
            column(language, "slices.examples", numeric=True),
            column(language, "slices.errors", numeric=True),
            TableColumn(("low", "high"), page.say("slices.interval"), numeric=True),
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
            for entry in page.part.analysis.order.tolist()
            for place, one in enumerate(audited.slices)
        ],
    )
    worst = int((1 - right.share).mean(axis=0).argmax())
    one = audited.slices[worst]
    brief = page.say(
        "slices.brief",
        slice=f"{one.column}: {one.value}",
        share=language.numerals.percent(float((1 - right.share)[:, worst].mean())),
    )
    return page.finding("slices", listed(table, language), table, brief)
