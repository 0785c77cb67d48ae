"""Texts: translations, summaries, transcripts and answers; one text per example.

A plain file has one text per line. Blank lines count, and no line is taken for a header. CSV, JSON
and JSON Lines have a column of texts, and perhaps of ids, and so has a plain file with tabs in all
of its lines. A gold may hold several references per
example: numbered columns (``reference_1``, ``reference_2``), lists in JSON, or the answers in
SQuAD's own JSON. Then every cell is a tuple of references, else a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...core.errors import SubmissionError, quoted
from ...core.notes import Note
from ...core.phrases import Phrase
from ..table import RECORD, Table, compose_accents, empty_file_error
from . import delimited, records
from .encoding import decode
from .kind import ExampleKind

#: Names of columns of texts beside the usual names of targets and predictions, best first.
_NAMES = (
    "reference", "references", "ref", "refs", "answers", "text", "texts", "translation",
    "hypothesis", "hyp", "summary", "transcript", "transcription", "prediction_text", "output",
)  # fmt: skip
_HEADERS = frozenset(
    (*_NAMES, "label", "gold", "target", "answer", "prediction", "predictions", "pred", "y",
     "y_true", "y_pred", "value", "source", "src", "question")
)  # fmt: skip
_ID = re.compile(r"ids?|qid|idx|index|.*[_ -]ids?", re.IGNORECASE)
_NUMBERED = re.compile(r"(?P<name>.*\D)[ _.-]?(?P<number>\d+)", re.IGNORECASE)
_SQUAD = re.compile(rb'(?s)\s*\{.{0,200}?"data"\s*:\s*\[.{0,2000}?"paragraphs"\s*:')
_EXPECTED = Phrase(
    "expected texts by id such as {mapping}, records or a list of texts",
    mapping='{"q1": "Paris", …}',
)


def read_gold(content: bytes, file: str, form: str) -> Table:
    """Read references. Where an example has several, or none, each cell is a tuple of them."""
    if form in ("json", "jsonl"):
        return _read_json(content, file, form, gold=True)
    if form == "csv":
        return _with_references(_read_delimited(content, file))
    return _read_lines(content, file)


def read_predictions(content: bytes, file: str, form: str) -> Table:
    """Read predicted texts, one per example."""
    if form in ("json", "jsonl"):
        return _read_json(content, file, form, gold=False)
    return _read_delimited(content, file) if form == "csv" else _read_lines(content, file)


def _recognizes(content: bytes, file: str) -> bool:
    """Whether a file is SQuAD's own JSON."""
    return _SQUAD.match(content) is not None


def lines(content: bytes, file: str) -> list[str]:
    """Return the texts of a plain file, one per line.

    Raises
    ------
    SubmissionError
        There is no text.
    """
    found = decode(content, file).split("\n")
    if not found[-1].strip():
        found.pop()  # the end of the last line
    if not any(map(str.strip, found)):
        raise empty_file_error(file)
    return [line.strip() for line in found]


def _read_lines(content: bytes, file: str) -> Table:
    cells = lines(content, file)
    return Table(file, [cells], range(1, len(cells) + 1), ("text",), label=Note("formats.texts"))


def _read_delimited(content: bytes, file: str) -> Table:
    """Read a table. A first row without a usual name is an example if it has one or two cells."""
    table = delimited.read(content, file)
    names = [cell.casefold() for cell in table.first_row]
    if len(names) > 2 or any(name in _HEADERS or _ID.fullmatch(name) for name in names):
        below = table.below_first()
        if not below.numbers:
            raise empty_file_error(file)
        return replace(below, header=tuple(table.first_row))
    # Ids are single words; the beginnings of texts, each with a tab within, are no ids.
    beginnings = 2 * sum(" " in cell.strip() for cell in table.columns[0]) > len(table.columns[0])
    if len(names) == 2 and beginnings and not file.casefold().endswith((".csv", ".tsv")):
        return _read_lines(content, file)
    return replace(table, header=("id", "text") if len(names) == 2 else ("text",))


def _with_references(table: Table) -> Table:
    """Return a table whose numbered columns of one name are one column of tuples.

    An empty cell is no reference, unless the example has no other.
    """
    header = table.header or ()
    numbered: dict[str, list[int]] = {}
    for place, name in enumerate(header):
        found = _NUMBERED.fullmatch(name)
        if found and found["name"].rstrip(" _.-").casefold() in _HEADERS:
            numbered.setdefault(found["name"].rstrip(" _.-"), []).append(place)
    several = {name: places for name, places in numbered.items() if len(places) > 1}
    merged = {place for places in several.values() for place in places}
    names = [name for place, name in enumerate(header) if place not in merged]
    columns: list[Sequence[Any]] = [
        column for place, column in enumerate(table.columns) if place not in merged
    ]
    for name, places in several.items():
        rows = zip(*(table.columns[place] for place in places), strict=True)
        columns.append([tuple(filter(None, row)) or ("",) for row in rows])
        names.append(name)
    return replace(table, header=tuple(names), columns=columns)


def _read_json(content: bytes, file: str, form: str, *, gold: bool) -> Table:
    document, numbers, noun = records.load(content, file, form, _EXPECTED)
    if noun == RECORD and isinstance(document, dict):
        document = list(_of_mapping(document))
    if not isinstance(document, list):
        raise SubmissionError(Phrase("{file}: {expected}", file=file, expected=_EXPECTED))
    if not document:
        raise empty_file_error(file)
    rows = [item if isinstance(item, dict) else {"text": item} for item in document]
    header = list(dict.fromkeys(name for row in rows for name in row))
    table = Table(file, [], numbers or range(1, len(rows) + 1), tuple(header), noun)
    columns = [_column([row.get(name) for row in rows], name, table, gold=gold) for name in header]
    return replace(table, columns=columns)


def _of_mapping(document: Mapping[str, Any]) -> Iterable[Any]:
    """Yield the records of SQuAD's JSON, of a wrapper around a list, or of a mapping of ids."""
    data = document.get("data")
    if isinstance(data, list) and any("paragraphs" in item for item in data):
        yield from _questions(data)
        return
    lists = [value for value in document.values() if isinstance(value, list)]
    if len(lists) == 1 and any(isinstance(item, dict) for item in lists[0]):
        yield from lists[0]
        return
    for key, value in document.items():
        yield {"id": key, **value} if isinstance(value, dict) else {"id": key, "text": value}


def _questions(data: Sequence[Mapping[str, Any]]) -> Iterable[Mapping[str, Any]]:
    for article in data:
        for paragraph in article.get("paragraphs", ()):
            for question in paragraph.get("qas", ()):
                yield {
                    "id": question.get("id"),
                    "answers": [answer.get("text") for answer in question.get("answers", ())],
                    "title": article.get("title"),
                }


def _column(values: Sequence[Any], name: str, table: Table, *, gold: bool) -> Sequence[Any]:
    """Return the texts of a column of JSON; if the gold has lists somewhere, tuples everywhere."""
    if not any(isinstance(value, (list, dict)) for value in values):
        return [_text(value, name, table, row) for row, value in enumerate(values)]
    found = []
    for row, value in enumerate(values):
        texts = (
            value.get("text") if isinstance(value, dict) else value
        )  # as in Hugging Face's SQuAD
        texts = texts if isinstance(texts, list) else [texts]
        if not gold and len(texts) != 1:
            raise SubmissionError(
                Phrase(
                    "{file}: {place}: {key} holds {number} texts; send one text per example",
                    file=table.file,
                    place=table.place(row),
                    key=quoted(name),
                    number=len(texts),
                )
            )
        found.append(tuple(_text(text, name, table, row) for text in texts) or ("",))
    return found if gold else [texts[0] for texts in found]


def _text(value: Any, name: str, table: Table, row: int) -> str:
    if isinstance(value, (list, dict)):
        raise records.nested(table.file, table.place(row), name, _EXPECTED)
    if value is None:
        raise SubmissionError(
            Phrase(
                '{file}: {place}: {key} is null or missing; write "" for no text',
                file=table.file,
                place=table.place(row),
                key=quoted(name),
            )
        )
    return compose_accents(str(value).strip())


KIND = ExampleKind(
    name="text",
    read_gold=read_gold,
    read_predictions=read_predictions,
    example=(Phrase("segment"), Phrase("segments")),
    delimiters="\t",  # a sentence may hold the others
    recognizes=_recognizes,
    metrics=("exact_match", "token_f1"),
    names=_NAMES,
    absent="",
)
