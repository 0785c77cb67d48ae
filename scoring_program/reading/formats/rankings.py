"""Ranked lists: TREC's relevance judgments (qrels) and runs; one query per example.

A line of qrels holds a query, an iteration, a document and its grade. A line of a run holds a
query, "Q0", a document, its rank, its score and the tag of the run. Spaces or tabs separate them.
BEIR's files hold a query, a document and its grade or score below a header. MS MARCO's runs hold a
query, a document and its rank. JSON may hold the same as ``{"query": {"document": number}}``.

Documents are ordered as trec_eval orders them: by their scores in single precision, the highest
first; of equal scores, the document first whose name is last in the order of bytes. Neither the
ranks of a run nor the order of its lines count. So every later step sees a list without ties: a
cell of a run is the tuple of its documents, best first. A cell of a gold is the tuple of the judged
documents, each with its grade.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ...core.errors import Problems, SubmissionError, quoted
from ...core.notes import Note
from ...core.phrases import Phrase, counted
from ..limits import MOST_CELLS
from ..table import (
    LINE,
    Table,
    compose_accents,
    empty_file_error,
    place_of,
    too_many_cells_error,
)
from . import records
from .encoding import decode
from .kind import ExampleKind, Format

#: A run may list so many documents for a query, as TREC asks for.
MOST_DOCUMENTS = 1000
_FORM = "trec"
_EXTENSIONS = (".qrels", ".qrel", ".run", ".trec")
_LABEL = "TREC"
#: A line of qrels. Its iteration is 0 in all but a few collections.
_JUDGMENT = re.compile(r"(\S+)[ \t]+(?:0|Q0|q0)[ \t]+(\S+)[ \t]+-?\d+\s*")
#: A line of a run.
_RETRIEVED = re.compile(r"\S+[ \t]+[Qq]0[ \t]+\S+[ \t]+-?\d+[ \t]+[-+.\deE]+[ \t]+\S+\s*")
#: So many bytes tell qrels from other files.
_ENOUGH = 4096
#: What messages call a part of JSON.
_QUERY = Phrase("query(s)", count=1)
_ONCE = Phrase("List every document once for each query.")
_SEPARATE = Phrase("Separate columns by spaces or tabs.")
_SEND_THE_RUN = Phrase("Judgments have 4 columns, a run has 6: send the run.")
_EXPECTED = Phrase(
    "expected documents by query such as {mapping}", mapping='{"301": {"FT911-3": 2}}'
)


@dataclass(frozen=True)
class _Layout:
    """The columns of a file: how many, where document and number are, and what the number is."""

    width: int
    document: int
    number: int
    called: str  # "grade", "score" or "rank"
    example: str

    @property
    def whole(self) -> bool:
        """Whether the number is a whole one."""
        return self.called != "score"


#: The usual layouts, and those of three columns.
_QRELS = _Layout(4, 2, 3, "grade", "301 0 FT911-3 1")
_RUN = _Layout(6, 2, 4, "score", "301 Q0 FT911-3 1 14.87 mysystem")
_GRADED = _Layout(3, 1, 2, "grade", "301 FT911-3 1")
_SCORED = _Layout(3, 1, 2, "score", "301 FT911-3 14.87")
_RANKED = _Layout(3, 1, 2, "rank", "301 FT911-3 1")
#: Names above the third of three columns.
_NAMES = {"score": _SCORED, "rank": _RANKED}
#: What is wrong with a number, by what it is.
_UNUSABLE = {
    "grade": Phrase("unusable grade(s)"),
    "score": Phrase("unusable score(s)"),
    "rank": Phrase("unusable rank(s)"),
}
#: Other names of numbers in a header.
_TITLES = frozenset((*_NAMES, "grade", "label", "rel", "relevance"))
#: The header of BEIR's qrels.
_HEADER = re.compile(r"query[-_]id\s+(?:corpus|doc|passage)[-_]id\s+score\s*", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class _Lists:
    """The rows of every query: document → row; and of every row its number and its place."""

    of_query: dict[str, dict[str, int]]
    values: array[float]
    places: array[int]
    noun: Phrase
    called: str = ""  # what the numbers are


def read_gold(content: bytes, file: str, form: str) -> Table:
    """Read relevance judgments; each cell is the sorted tuple of (document, grade)."""
    lists = _read(content, file, form, _QRELS)
    cells = [
        tuple(sorted((document, int(lists.values[row])) for document, row in rows.items()))
        for rows in lists.of_query.values()
    ]
    return _table(file, lists, cells, form)


def read_predictions(content: bytes, file: str, form: str) -> Table:
    """Read a run; each cell is the tuple of a query's documents, best first."""
    lists = _read(content, file, form, _RUN)
    # A lower rank comes first, a higher score.
    sign = -1 if lists.called == _RANKED.called else 1
    single = array("f", (sign * value for value in lists.values))
    cells = []
    for rows in lists.of_query.values():
        scored = sorted(((single[row], document) for document, row in rows.items()), reverse=True)
        cells.append(tuple(document for _, document in scored))
    table = _table(file, lists, cells, form)
    return replace(table, notes=(Note("notes.run_of_ranks"),)) if sign < 0 else table


def _table(file: str, lists: _Lists, cells: list[Any], form: str) -> Table:
    firsts = [
        lists.places[next(iter(rows.values()))] if rows else place
        for place, rows in enumerate(lists.of_query.values(), 1)
    ]
    label = "" if form in ("json", "jsonl") else _LABEL
    header = ("id", "documents")
    return Table(file, [list(lists.of_query), cells], firsts, header, lists.noun, label=label)


def _read(content: bytes, file: str, form: str, layout: _Layout) -> _Lists:
    """Read the lists of all queries.

    Raises
    ------
    SubmissionError
        Every line that is not as it should be, and every document that a query has twice.
    """
    is_json = form in ("json", "jsonl")
    noun = _QUERY if is_json else LINE
    lines = [] if is_json else compose_accents(decode(content, file)).split("\n")
    first, layout = _below_header(lines, layout)
    lists = _Lists({}, array("d"), array("q"), noun, layout.called)
    is_gold = layout.called == _QRELS.called  # participants may read its errors
    problems = Problems(file, sum(bool(line.strip()) for line in lines[first:]))
    found = _of_json(content, file, form) if is_json else _of_lines(lines, first, layout, problems)
    for place, query, document, cell in found:
        rows = lists.of_query.setdefault(query, {})
        if document is None:
            continue  # a query without documents, which only JSON can hold
        row = rows.setdefault(document, len(lists.values))
        if row < len(lists.values):
            problems.add(
                "duplicate document(s)",
                partial(_judged_again, noun, place, lists.places[row])
                if is_gold
                else partial(_again, noun, place, document, query, lists.places[row]),
                _ONCE,
            )
            continue
        number = _number(cell, layout)
        if number is None:
            named = document if is_json else None
            problems.add(
                _UNUSABLE[layout.called],
                partial(_no_grade, place_of(noun, place))
                if is_gold
                else partial(_no_number, place_of(noun, place), cell, named, whole=layout.whole),
            )
        lists.values.append(number or 0.0)
        lists.places.append(place)
    problems.raise_if_any(Phrase("Expected lines such as {line}.", line=quoted(layout.example)))
    if not lists.of_query:
        raise empty_file_error(file)
    return lists


def _below_header(lines: Sequence[str], usual: _Layout) -> tuple[int, _Layout]:
    """Return the number of lines up to the header of a file, if it has one, and its layout.

    The first line tells. Three columns of a run without a header are MS MARCO's if the first
    document is the first of its query; else their numbers are scores.
    """
    place, first = next(
        ((n, found) for n, line in enumerate(lines) if (found := line.split())), (0, [])
    )
    if len(first) != _SCORED.width:
        return 0, usual
    number = first[-1].casefold()
    is_header = number in _TITLES
    if usual is _QRELS:
        return place + is_header, _GRADED
    layout = _NAMES.get(number, _RANKED if number == "1" else _SCORED)
    return place + is_header, layout


def _again(noun: Phrase, place: int, document: str, query: str, first: int) -> Phrase:
    return Phrase(
        "{place}: document {document} of query {query} was already on {earlier}",
        place=place_of(noun, place),
        document=quoted(document),
        query=quoted(query),
        earlier=place_of(noun, first),
    )


def _judged_again(noun: Phrase, place: int, first: int) -> Phrase:
    return Phrase(
        "{place}: this document was already on {earlier}",
        place=place_of(noun, place),
        earlier=place_of(noun, first),
    )


def _no_grade(place: Phrase) -> Phrase:
    return Phrase("{place}: expected a whole number", place=place)


def _no_number(place: Phrase, cell: str, document: str | None, *, whole: bool) -> Phrase:
    found = quoted(cell)
    if document is not None:
        named = quoted(document)
        found = Phrase("{cell} of document {document}", cell=found, document=named)
    return Phrase(
        "{place}: found {cell}, expected a whole number"
        if whole
        else "{place}: found {cell}, expected a finite number",
        place=place,
        cell=found,
    )


def _other_width(line: int, columns: int, expected: int) -> Phrase:
    return Phrase(
        "{place}: {columns} found, {width} expected",
        place=place_of(LINE, line),
        columns=counted(columns, "column(s)"),
        width=expected,
    )


def _of_lines(
    lines: Sequence[str], first: int, layout: _Layout, problems: Problems
) -> Iterator[tuple[int, str, str, str]]:
    """Yield the line, the query, the document and the number of every line that has them."""
    is_run = layout is _RUN
    for place, line in enumerate(lines[first:], first + 1):
        cells = line.split()
        if len(cells) == layout.width:
            yield place, cells[0], cells[layout.document], cells[layout.number]
        elif cells:
            problems.add(
                "line(s) of the wrong width",
                partial(_other_width, place, len(cells), layout.width),
                _SEND_THE_RUN if is_run and len(cells) == _QRELS.width else _SEPARATE,
            )


def _of_json(content: bytes, file: str, form: str) -> Iterator[tuple[int, str, str | None, str]]:
    """Yield the number of the query, the query, a document and its number."""
    document, _, _ = records.load(content, file, form, _EXPECTED)
    queries = document if isinstance(document, dict) else {}
    if not queries or not all(isinstance(found, dict) for found in queries.values()):
        raise SubmissionError(Phrase("{file}: {expected}", file=file, expected=_EXPECTED))
    if sum(map(len, queries.values())) > MOST_CELLS:
        raise too_many_cells_error(file)
    for place, (query, found) in enumerate(queries.items(), 1):
        if not found:
            yield place, query, None, ""
        for name, value in found.items():
            yield place, query, name, str(value)


def _number(cell: str, layout: _Layout) -> float | None:
    """Return a grade or a score; None if the cell is none that single precision holds."""
    try:
        number = float(int(cell) if layout.whole else cell)
    except (ValueError, OverflowError):
        return None
    return number if abs(number) < 3e38 and "_" not in cell else None


def _recognizes(content: bytes, file: str) -> bool:
    """Whether a file is qrels, by its extension or its first lines.

    In a matrix of ones and zeros, which may look alike, few lines differ.
    """
    if file.lower().endswith(_EXTENSIONS[:2]):
        return True
    start = content[:_ENOUGH]
    lines = start.decode("utf-8-sig", "ignore").split("\n")
    if len(content) > _ENOUGH:
        lines.pop()  # it may be cut
    if lines and _HEADER.fullmatch(lines[0]):
        return True
    found = [_JUDGMENT.fullmatch(line) for line in lines if line.strip()]
    pairs = [match.groups() for match in found if match]
    return len(found) == len(pairs) > 0 and len(set(pairs)) == len(pairs)


def _begins(head: bytes) -> bool:
    """Whether the lines at the beginning of a file are those of a run, or of qrels."""
    lines = [line for line in head.decode("utf-8-sig", "replace").split("\n")[:-1] if line.strip()]
    return len(lines) > 1 and any(
        all(map(line.fullmatch, lines)) for line in (_RETRIEVED, _JUDGMENT)
    )


def _problem(documents: Any, shape: Any, labels: Any) -> Phrase | None:
    if len(documents) > MOST_DOCUMENTS:
        return Phrase(
            "found {number} documents for this query, expected at most {most}; send the best ones",
            number=len(documents),
            most=MOST_DOCUMENTS,
        )
    return None


def _no_rows(content: bytes, file: str) -> Table:
    raise SubmissionError(
        Phrase(
            "{file}: this is a file of TREC; name a measure of ranked lists, such as nDCG@10",
            file=file,
        )
    )


KIND = ExampleKind(
    name="ranking",
    read_gold=read_gold,
    read_predictions=read_predictions,
    example=(Phrase("query"), Phrase("queries")),
    formats={_FORM: Format(_EXTENSIONS, _LABEL, _no_rows)},
    recognizes=_recognizes,
    begins=_begins,
    metrics=("nDCG@10", "AP", "RR"),
    names=("documents",),
    absent=(),
    may_exceed=True,
    problem=_problem,
)
