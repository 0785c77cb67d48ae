"""Submissions whose columns are stated in full: they are read by these names, and by nothing else.

The platform and the participants' checker run this code, so both give the same messages. No cell
decides what a column is; a cell may only show that a stated column cannot be meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...core.cells import Label, numbers
from ...core.errors import Problems, SubmissionError, listed, quoted
from ...core.phrases import Phrase
from ...reading.formats import fields
from ...reading.formats.kind import ROWS
from ...reading.table import Table
from ...recognize.by_names.line_beginnings import with_ids_apart
from ...recognize.contradictions import are_labels, is_cut, may_hold
from ...recognize.expected import BY_CLASS, Expected, Target
from .placed_columns import unique_names, with_header, with_joint_ids
from .submission import (
    Bound,
    Entry,
    examine,
    examine_bound,
    names_at,
    report_other_widths,
    rows_of_examples,
)


def examine_as_stated(table: Table, expected: Expected, name: str = "", sha256: str = "") -> Entry:
    """Check one submission and sort it like the examples; see `submission.examine_bound`.

    If what it holds is not stated in full, the names of its columns say so.

    Raises
    ------
    SubmissionError
        A stated column is absent, or cannot be meant; or every problem of the cells that are read.
    """
    sent = expected.sent
    if sent is None:
        return examine(table, expected, name, sha256)
    if expected.kind != ROWS:
        return _examine_kind(table, expected, name, sha256)
    expected = with_stated_classes(expected)
    every = expected.every
    problems = Problems(table.file)
    if every.ids is not None:
        table = with_ids_apart(table, every.known_ids, len(every.columns))
    names = table.header or ()
    if table.header is None and sent.header:
        names = tuple(table.first_row)
    fields.refuse_repeated(table, filter(None, names))
    table = with_header(table, is_first_row=sent.header)
    key = _places(table, sent.ids, expected)
    places = {}
    for target, prediction in sent.predictions.items():
        places[target] = _places(table, [*prediction.columns.values()], expected)
    report_other_widths(table, every, problems)
    used = {*key}.union(*places.values())
    unread = _unread(table, used)
    titles = [_called(table, place) for place in unread]
    if sent.others == "error":
        _refuse_further(table, titles)
    for target, of_target in places.items():
        if len(of_target) == 1:
            _refuse_another_meaning(table, of_target[0], unread, target, expected)
    table = replace(table, header=tuple(unique_names(table, used)))
    called = table.header or ()
    id_column = called[key[0]] if len(key) == 1 else None
    if len(key) > 1:
        table, id_column = with_joint_ids(table, [called[p] for p in key], every.id_column)
    rows = rows_of_examples(table, id_column, every, problems)
    bound = Bound(table, id_column, names_at(places, called))
    entry = examine_bound(bound, rows, expected, problems, name, sha256)
    return replace(entry, not_read=tuple(titles))


def _examine_kind(table: Table, expected: Expected, name: str, sha256: str) -> Entry:
    """Check one submission of another kind of data, whose reader has read the stated columns."""
    assert expected.sent is not None
    if expected.sent.others == "error":
        _refuse_further(table, table.left_out)
    entry = examine(table, expected, name, sha256)
    return replace(entry, not_read=table.left_out)


def _refuse_further(table: Table, titles: Sequence[str]) -> None:
    """Raise SubmissionError for columns that are not asked for, if there are any."""
    if titles:
        raise table.refusal(
            "{file}: {columns} is not asked for; leave it out"
            if len(titles) == 1
            else "{file}: {columns} are not asked for; leave them out",
            columns=listed(titles),
        )


def with_stated_classes(expected: Expected) -> Expected:
    """Return what is expected with the classes whose columns are stated, where labels are secret.

    Who sends a column of each class knows the classes.
    """
    targets: dict[Target, tuple[Label, ...]] = {}
    for target, labels in expected.targets.items():
        prediction = expected.sent.predictions[target] if expected.sent else None
        classes = () if prediction is None else tuple(filter(None, prediction.columns))
        targets[target] = labels or (classes if target.kind in BY_CLASS else ())
    return replace(expected, targets=targets)


def _called(table: Table, place: int) -> str:
    """Return what messages call a column."""
    name = (table.header or ())[place]
    return quoted(name) if name.strip() else Phrase("column {number}", number=place + 1)


def _places(table: Table, names: Sequence[str | int], expected: Expected) -> list[int]:
    """Return where columns stand, from 0; raise SubmissionError if one is absent."""
    header = [*(table.header or ())]
    folded = [name.casefold() for name in header]
    places = []
    absent: list[str | int] = []
    for name in names:
        if isinstance(name, int):
            if name > len(header):
                raise table.refusal(
                    "{file}: {found} columns found, and the prediction is in column {number}",
                    found=len(header),
                    number=name,
                )
            places.append(name - 1)
        elif name in header:
            places.append(header.index(name))
        elif name.casefold() in folded:
            places.append(folded.index(name.casefold()))
        else:
            absent.append(name)
    if absent:
        raise _absent(table, absent, expected)
    return places


def _absent(table: Table, absent: Sequence[str | int], expected: Expected) -> SubmissionError:
    sent = expected.sent
    assert sent is not None
    folded = {name.casefold() for name in table.header or ()}
    present = [name for name in sent.names if name.casefold() in folded]
    if not present:
        return table.refusal(
            "{file}: the first line does not name the columns; write a header such as {header}",
            header=expected.header,
        )
    return table.refusal(
        "{file}: there is no column {columns}; write a header such as {header}",
        columns=listed(quoted(str(name)) for name in absent),
        header=expected.header,
    )


def _unread(table: Table, used: set[int]) -> list[int]:
    """Return where the other columns stand that hold anything."""
    return [place for place, cells in enumerate(table.columns) if place not in used and any(cells)]


def _refuse_another_meaning(
    table: Table, place: int, unread: Sequence[int], target: Target, expected: Expected
) -> None:
    """Raise SubmissionError where a stated column cannot be meant, and another may hold it.

    It is constant; or it may be the confidence of the predicted label beside it, unless the label
    is nothing but this number, cut at a threshold, with the positive class on top.
    """
    assert expected.sent is not None
    cells = table.columns[place]
    labels = expected.targets[target]
    if len({*cells}) == 1 and len(cells) > 1:
        able = [p for p in unread if may_hold(table.columns[p], target.kind, labels)]
        if able:
            raise table.refusal(
                "{file}: column {column} is constant, and {others} may hold the prediction; write "
                "it into {column}, or leave {others} out",
                column=_called(table, place),
                others=listed(_called(table, p) for p in able),
            )
    two_classes = target.kind == "scores" or (target.kind == "probabilities" and len(labels) <= 2)
    if not two_classes or expected.sent.holds == "score" or are_labels(cells, labels):
        return
    positive = expected.sent.predictions[target].positive
    values = numbers(cells)
    for rival in unread:
        beside = table.columns[rival]
        if are_labels(beside, labels) and not is_cut(beside, values, positive):
            raise table.refusal(
                "{file}: column {column} may say how sure the label in {other} is; write the score "
                "of {positive} on every row, and leave {other} out",
                column=_called(table, place),
                other=_called(table, rival),
                positive=Phrase("the positive class") if positive is None else quoted(positive),
            )
