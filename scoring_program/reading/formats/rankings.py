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
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

from ...core.cells import grouped, is_number
from ...core.errors import Problems, listed, quoted
from ...core.phrases import Phrase, counted, gettext_noop
from ...recognize.of_kinds.ranked_columns import (
    RANK,
    SCORE,
    columns_of_items,
    count_up,
    is_title,
    may_hold_items,
    names_items,
    numbers_of_run,
)
from ..limits import MOST_CELLS
from ..table import LINE, Table, empty_file_error, place_of, too_many_cells_error
from . import delimited, records
from .fields import headed, refuse_ragged
from .kind import Content, ExampleKind, Format
from .tied_scores import NO_RANK, in_order, order_by_name, ordered_by_name

#: A run may list so many documents for a query, as TREC asks for.
MOST_DOCUMENTS = 1000
_FORM = "trec"
_EXTENSIONS = (".qrels", ".qrel", ".run", ".trec")
_LABEL = "TREC"
#: A line of qrels. Its iteration is 0 in all but a few collections.
_JUDGMENT = re.compile(r"(\S+)[ \t]+(?:0|Q0|q0)[ \t]+(\S+)[ \t]+-?\d+\s*")
#: A line of a run, whose tag may be of several words by mistake.
_RETRIEVED = re.compile(r"\S+[ \t]+[Qq]0[ \t]+\S+[ \t]+-?\d+[ \t]+[-+.\deE]+[ \t]+\S.*")
#: The bound of numbers, a little less than the largest one in single precision.
_MOST = 3e38
#: So many lines tell whether columns of a run are swapped, and where its ranks are.
_ENOUGH_LINES = 5000
_RANK = 3
#: So many bytes tell qrels from other files.
_ENOUGH = 4096
#: A header of lists in cells.
_OF_ITEMS = "'id,items'"
#: What messages call a part of JSON.
_QUERY = Phrase("query", "queries")
_TWICE = Phrase("duplicate document", "duplicate documents")
_WRONG_WIDTH = Phrase("line of the wrong width", "lines of the wrong width")
_COLUMN = Phrase("column", "columns")
_ONCE = Phrase("List every document once for each query.")
_SEPARATE = Phrase("Separate columns by spaces or tabs.")
_SEND_THE_RUN = Phrase("Judgments have 4 columns, a run has 6: send the run.")
_TAG_OF_ONE_WORD = Phrase("Write the tag of the run, the last column, as one word.")
_EXPECTED = Phrase(
    "expected documents by query such as {mapping}", mapping='{"301": {"FT911-3": 2}}'
)
_BY_RANK = Phrase(
    "A run has three columns. The third holds ranks, the best document first, as in MS MARCO."
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

    @property
    def rank(self) -> int:
        """Where a run's ranks may be."""
        return _RANK if self is _RUN else self.number


#: The usual layouts, and those of three columns.
_QRELS = _Layout(4, 2, 3, "grade", "301 0 FT911-3 1")
_RUN = _Layout(6, 2, 4, "score", "301 Q0 FT911-3 1 14.87 mysystem")
_GRADED = _Layout(3, 1, 2, "grade", "301 FT911-3 1")
_SCORED = _Layout(3, 1, 2, "score", "301 FT911-3 14.87")
_RANKED = _Layout(3, 1, 2, "rank", "301 FT911-3 1")
#: What is wrong with a number, by what it is.
_UNUSABLE = {
    "grade": Phrase("unusable grade", "unusable grades"),
    "score": Phrase("unusable score", "unusable scores"),
    "rank": Phrase("unusable rank", "unusable ranks"),
}
#: The header of BEIR's qrels.
_HEADER = re.compile(r"query[-_]id\s+(?:corpus|doc|passage)[-_]id\s+score\s*", re.IGNORECASE)


def read(content: Content) -> Table:
    """Read a run; each cell is the tuple of a query's documents, best first.

    Of relevance judgments, each cell is the sorted tuple of (document, grade).
    """
    if content.described.items is not None and not content.is_json:
        return _read_items(content, content.described.items)
    lists = _read_usual(content) or _read(content)
    is_ranked = lists.layout is _RANKED  # a lower rank comes first, a higher score
    by_name = ordered_by_name(lists.moved_in)
    notes = [_BY_RANK] if is_ranked else []
    if by_name is not None:
        notes.append(by_name)
    label, noun = ("", _QUERY) if content.is_json else (_LABEL, LINE)
    columns = [lists.queries, lists.cells]
    header = ("id", "documents")
    is_json = content.is_json
    form = content.form if is_json else _FORM
    table = Table(content.file, columns, lists.firsts, header, noun, label=label, notes=(*notes,))
    is_short = not (content.gold or is_json) and lists.layout in (_RANKED, _SCORED)
    return replace(table, form=form, nameless=True, holds=lists.layout.called if is_short else "")


def _read_items(content: Content, separator: str) -> Table:
    """Read a table with a list of items in a cell for each query, best first.

    Of reference data, these are the right items, whose order does not count.

    Raises SubmissionError for a list with an item twice, and where columns are not known.
    """
    table = delimited.read(content)
    refuse_ragged(table)
    described = content.described
    is_header = names_items(table.first_row) if described.header is None else described.header
    if table.header is None and is_header is None:
        raise content.refusal(
            "{file}: the first line may hold column names or a list; call the columns 'id' and "
            "'items' (organizers: or say which it is, by 'header: true' or 'header: false' in "
            "{setting})",
            setting=repr("reference" if content.gold else "submissions"),
        )
    usual = {2: ("id", "items")}
    table = headed(table, lambda first: is_header, _OF_ITEMS, usual)
    columns = columns_of_items(table.named, described.stated)
    if columns is None:
        raise content.refusal(
            "{file}: it is not known which columns hold queries and lists of items among {names}; "
            "call them 'id' and 'items' (organizers: or name them: {setting})",
            names=listed(map(quoted, table.named)),
            setting="'columns: {id: user, items: recommended}'",
        )
    queries, lists = (table.named[name] for name in columns)
    problems = Problems(content.file, len(queries))
    cells: list[Any] = []
    for row, cell in enumerate(lists):
        parts = cell.split() if separator.isspace() else cell.split(separator)
        items = [part.strip() for part in parts if part.strip()]
        if len({*items}) < len(items):
            problems.add(
                _TWICE,
                "{place}: the list holds an item twice",
                place=partial(table.place, row),
            )
        cells.append(tuple((item, 1) for item in sorted(items)) if content.gold else (*items,))
    problems.raise_if_any(_ONCE)
    header = ("id", "documents")
    in_file = table.in_file
    names = {"id": in_file[columns[0]], "documents": in_file[columns[1]]}
    return Table(
        content.file,
        [[*queries], cells],
        table.numbers,
        header,
        LINE,
        label="CSV",
        fields=names,
        form="csv",
        left_out=table.left_out,
    )


def _judged(documents: Sequence[str], grades: Sequence[float]) -> tuple[tuple[str, int], ...]:
    """Return the documents of a query by their names, each with its grade."""
    judgments = zip(documents, map(int, grades), strict=True)
    return tuple(sorted(judgments))


@dataclass(frozen=True)
class _Lists:
    """What a file lists: every query, its cell of the table, and the place where it begins.

    ``moved_in`` are the numbers of documents of each query whose ranks names contradict.
    """

    layout: _Layout
    queries: list[str]
    cells: list[Any]
    firsts: Sequence[int]
    moved_in: Sequence[int] = ()


def _with_cells(
    layout: _Layout,
    queries: list[str],
    documents: Sequence[Sequence[str]],
    numbers: Sequence[Sequence[float]],
    firsts: Sequence[int],
    ranks: Sequence[Sequence[float]] | None,
    *,
    is_gold: bool,
) -> _Lists:
    """Return what a file lists, from the documents of every query and the number of each.

    The numbers of a run are in single precision. ``ranks`` are those that the lines of each query
    say, where columns of ranks are.
    """
    cells: list[Any] = []
    if is_gold:
        for of_query, grades in zip(documents, numbers, strict=True):
            cells.append(_judged(of_query, grades))
        return _Lists(layout, queries, cells, firsts)
    moved_in = []
    for place, of_query in enumerate(documents):
        ranks_of_query = None if ranks is None else ranks[place]
        is_ranked = layout is _RANKED
        ordered, moved = in_order(of_query, numbers[place], rising=is_ranked, ranks=ranks_of_query)
        cells.append(ordered)
        moved_in.append(moved)
    return _Lists(layout, queries, cells, firsts, moved_in)


@dataclass(frozen=True)
class _UsualLines:
    """What the lines of a usual file say, column by column.

    ``starts`` are the rows where the queries begin. ``ranks`` are those that the lines say, None
    where no column of ranks is, and ``first_ranks`` are the first of them as texts.
    """

    queries: list[str]
    starts: list[int]
    documents: list[str]
    numbers: Any  # an array [lines]; those of a run are in single precision
    ranks: array[float] | None
    first_ranks: list[str]

    @property
    def spans(self) -> list[slice]:
        """The rows of every query."""
        return [slice(*span) for span in pairwise([*self.starts, len(self.documents)])]

    @property
    def holds_twice(self) -> bool:
        """Whether a query has a document twice, or begins twice."""
        distinct = sum(len({*self.documents[span]}) for span in self.spans)
        return distinct < len(self.documents) or len({*self.queries}) < len(self.queries)


def _read_usual(content: Content) -> _Lists | None:
    """Read a usual file many lines at a time; None if anything in it is unusual or wrong.

    Every line has all its cells, and the lines of a query follow each other.
    """
    if content.is_json:
        return None
    beginning = content.text.split("\n", _ENOUGH_LINES)[:_ENOUGH_LINES]
    first, layout = _below_header(beginning, content)
    text = content.text.split("\n", first)[-1]
    if not text.endswith("\n") or text[-2:-1].isspace():  # else it is as usual, and long to copy
        text = text.rstrip() + "\n"
    lines = _usual_lines(text, layout, is_gold=content.gold)
    if lines is None:
        return None
    if not content.gold:
        _refuse_other_orders(lines, content, first, layout)
    if lines.holds_twice:
        return None
    firsts = [first + 1 + start for start in lines.starts]
    if not content.gold:
        in_order_already = _already_in_order(lines, layout, firsts)
        if in_order_already is not None:
            return in_order_already
    return _with_cells(
        layout,
        lines.queries,
        [lines.documents[span] for span in lines.spans],
        [lines.numbers[span].tolist() for span in lines.spans],
        firsts,
        None if lines.ranks is None else [lines.ranks[span] for span in lines.spans],
        is_gold=content.gold,
    )


def _usual_lines(text: str, layout: _Layout, *, is_gold: bool) -> _UsualLines | None:
    """Return what whole lines say; None if anything in them is unusual or wrong."""
    try:
        from . import cells_of_lines  # late: for such files alone
    except ImportError:  # in a starting kit, which has no NumPy
        return None
    queries: list[str] = []
    starts: list[int] = []
    first_ranks: list[str] = []
    ranks = array("d") if layout is _RUN and not is_gold else None
    parts: list[Any] = []  # the numbers, some lines at a time
    documents: list[str] = []
    for cells in cells_of_lines.split(text, layout.width):
        if cells is None:
            return None
        new = cells.changes(0)
        names = cells.texts(0, new)
        begun = int(queries[-1:] == names[:1])  # the query of the lines before goes on
        queries += names[begun:]
        starts += (new[begun:] + len(documents)).tolist()
        if len(documents) < _ENOUGH_LINES:
            first_ranks += cells.texts(layout.rank, slice(_ENOUGH_LINES))
        if ranks is not None:
            whole = cells.numbers(layout.rank, whole=True)
            of_lines = array("d", _ranks(cells.texts(layout.rank))) if whole is None else whole
            ranks.frombytes(of_lines.tobytes())
        numbers = cells.numbers_of_texts(layout.number, whole=layout.whole)
        if numbers is None or not abs(numbers).sum() < _MOST:
            return None
        parts.append(numbers if is_gold else numbers.astype("float32"))
        # One after another, without other cells between them, they lie side by side in memory.
        # Measuring then takes two thirds of the time.
        documents += cells.texts(layout.document)
    joined = cells_of_lines.joined(parts)
    return _UsualLines(queries, starts, documents, joined, ranks, first_ranks[:_ENOUGH_LINES])


def _refuse_other_orders(lines: _UsualLines, content: Content, first: int, layout: _Layout) -> None:
    """Refuse a run whose ranks and scores, or documents, are not where they should be."""
    looked_at = [span for span in lines.spans if span.start < len(lines.first_ranks)]
    if not count_up([lines.first_ranks[span] for span in looked_at]):
        _refuse_swapped(content, first, layout)
    elif layout is _RUN:
        _refuse_rising([lines.numbers[span].tolist() for span in looked_at], content)


def _already_in_order(lines: _UsualLines, layout: _Layout, firsts: Sequence[int]) -> _Lists | None:
    """Return what a run lists, if the best document of every query stands first; else None.

    Nearly all runs do.
    """
    from . import cells_of_lines  # late, as above

    starts = lines.starts
    equal = cells_of_lines.equal_to_next(lines.numbers, starts, rising=layout is _RANKED)
    if equal is None:
        return None
    documents = [*lines.documents]
    moved_in = [0] * len(starts)
    for tied in order_by_name(documents, equal, lines.ranks):
        moved_in[bisect_right(starts, tied.start) - 1] += tied.stop - tied.start
    cells = [tuple(documents[span]) for span in lines.spans]
    return _Lists(layout, lines.queries, cells, firsts, moved_in)


def _read(content: Content) -> _Lists:
    """Read a file line by line.

    Raises
    ------
    SubmissionError
        Every line that is not as it should be, and every document that a query has twice.
    """
    is_json = content.is_json
    is_gold = content.gold
    lines = [] if is_json else content.text.split("\n")
    first, layout = _below_header(lines, content)
    noun = _QUERY if is_json else LINE
    _refuse_lists_in_cells(content)
    of_query: dict[str, dict[str, float]] = {}
    places: dict[str, dict[str, int]] = {}
    ranks: dict[str, array[float]] = {}
    problems = Problems(content.file, sum(bool(line.strip()) for line in lines[first:]))
    if not is_gold:
        _refuse_swapped(content, first, layout)
    judgments = _of_json(content) if is_json else _of_lines(lines, first, layout, problems)
    for place, query, document, cell, rank in judgments:
        numbers = of_query.setdefault(query, {})
        earlier = places.setdefault(query, {})
        if document is None:
            continue  # a query without documents, which only JSON can hold
        if document in numbers:
            problems.add(
                _TWICE,
                _twice(is_gold=is_gold),
                _ONCE,
                place=partial(place_of, noun, place),
                document=quoted(document),
                query=quoted(query),
                earlier=partial(place_of, noun, earlier[document]),
            )
            continue
        number = _number(cell, layout)
        if number is None:
            problems.add(
                _UNUSABLE[layout.called],
                _expected_number(layout, is_gold=is_gold),
                place=partial(place_of, noun, place),
                cell=partial(_found, cell, document) if is_json else quoted(cell),
            )
            number = 0.0
        numbers[document] = number if is_gold else array("f", (number,))[0]
        earlier[document] = place
        ranks.setdefault(query, array("d")).extend(_ranks([rank]))
    problems.raise_if_any(Phrase("Expected lines such as {line}.", line=quoted(layout.example)))
    if not of_query:
        raise empty_file_error(content.file)
    firsts = [next(iter(rows.values()), query) for query, rows in enumerate(places.values(), 1)]
    documents = [[*numbers] for numbers in of_query.values()]
    numbers_of_queries = [[*numbers.values()] for numbers in of_query.values()]
    says_ranks = layout is _RUN and not (is_gold or is_json)
    of_lines = [*ranks.values()] if says_ranks else None
    return _with_cells(
        layout, [*of_query], documents, numbers_of_queries, firsts, of_lines, is_gold=is_gold
    )


def _refuse_lists_in_cells(content: Content) -> None:
    """Refuse a table with a list in a cell for each query, which nothing states."""
    if content.is_json or not delimited.has_columns(content.data):
        return
    table = delimited.read(content)
    if table.ragged or not may_hold_items(table.columns):
        return
    raise content.refusal(
        "{file}: the second column may hold lists of items, one list for each query; give a line "
        "for each query and document, such as {line} (organizers: or say that lists stand in "
        "cells: {reference} and {submissions})",
        line=quoted((_QRELS if content.gold else _RUN).example),
        reference="""'reference: {items: " "}'""",
        submissions="""'submissions: {items: " "}'""",
    )


def _twice(*, is_gold: bool) -> str:
    """Return what a message says of a document that a query has twice; none of a gold is shown."""
    if is_gold:
        return gettext_noop("{place}: this document was already on {earlier}")
    return gettext_noop("{place}: document {document} of query {query} was already on {earlier}")


def _expected_number(layout: _Layout, *, is_gold: bool) -> str:
    """Return what a message says of a cell that is no number; no cell of a gold is shown."""
    if is_gold:
        return gettext_noop("{place}: expected a whole number")
    if layout.whole:
        return gettext_noop("{place}: found {cell}, expected a whole number")
    return gettext_noop("{place}: found {cell}, expected a finite number")


def _below_header(lines: Sequence[str], content: Content) -> tuple[int, _Layout]:
    """Return the number of lines up to the header of a file, if it has one, and its layout.

    The first line tells. Three columns of a run without a header are MS MARCO's if the numbers of
    every query are 1 to k in this order; else they are scores.

    Raises SubmissionError where the numbers may be ranks, with gaps or in another order.
    """
    split = ((number, line.split()) for number, line in enumerate(lines))
    place, first = next(((number, cells) for number, cells in split if cells), (0, []))
    if len(first) != _SCORED.width:
        return 0, _QRELS if content.gold else _RUN
    is_header = is_title(first[-1])
    if content.gold:
        return place + is_header, _GRADED
    rows = (line.split() for line in lines[place + is_header : _ENOUGH_LINES])
    of_query = grouped((cells[0], cells[-1]) for cells in rows if len(cells) == _SCORED.width)
    title = first[-1].casefold() if is_header else ""
    numbers = title if title in (SCORE, RANK) else content.described.holds
    if numbers is None and not content.described.is_frozen:
        numbers = numbers_of_run(title, of_query.values())
    if numbers is None:
        raise content.refusal(
            "{file}: the third column may hold ranks or scores; write the header {ranks} above "
            "ranks, the best document 1, or {scores} above scores, the best document the highest",
            ranks="'query document rank'",
            scores="'query document score'",
        )
    return place + is_header, _RANKED if numbers == RANK else _SCORED


def _refuse_swapped(content: Content, first: int, layout: _Layout) -> None:
    """Refuse a run whose ranks stand where its documents or its scores should.

    Every document would be unknown, or the best one the last, and all scores would be zero.
    """
    end = first + _ENOUGH_LINES
    lines = [] if content.is_json else content.text.split("\n", end)[first:end]
    split = ((place, line.split()) for place, line in enumerate(lines, first + 1))
    rows = [(place, cells) for place, cells in split if len(cells) == layout.width]
    of_query = grouped((cells[0], cells) for _, cells in rows)

    def column(number: int) -> list[list[str]]:
        return [_column(rows_of_query, number) for rows_of_query in of_query.values()]

    if not rows:
        return
    if count_up(column(layout.rank)):
        if layout is _RUN:
            scores: list[array[float]] = []
            for cells_of_query in column(layout.number):
                numbers = (_number(cell, layout) for cell in cells_of_query)
                scores.append(array("f", [number for number in numbers if number is not None]))
            _refuse_rising(scores, content)
        return
    place, cells = rows[0]
    ranks = {cells[_RANK] for _, cells in rows} if layout is _RUN else set()
    if count_up(column(layout.document)) or (
        len(ranks) > 1
        and all(cells[layout.document].isdecimal() for _, cells in rows)
        and not any(map(is_number, ranks))
    ):
        cell = quoted(cells[layout.document])
        defect = Phrase("found {cell} for the document, which is a rank", cell=cell)
    elif layout is _RUN and count_up(column(layout.number)):
        cell = quoted(cells[layout.number])
        defect = Phrase("found {cell} for the score, which is a rank", cell=cell)
    else:
        return
    raise content.refusal(
        "{file}: {place}: {defect}: columns are swapped; write lines such as {line}",
        place=place_of(LINE, place),
        defect=defect,
        line=quoted(layout.example),
    )


def _column(rows: Sequence[Sequence[str]], number: int) -> list[str]:
    return [cells[number] for cells in rows]


def _refuse_rising(scores: Sequence[Sequence[float]], content: Content) -> None:
    """Refuse a run whose scores, by query and rank, nowhere fall: they may be distances, or empty.

    They decide the order, so the document of rank 1 would be the last, or its name would decide.
    """
    several = [numbers for numbers in scores if len(numbers) > 1]
    if several and all(list(numbers) == sorted(numbers) for numbers in several):
        raise content.refusal(
            "{file}: no score is higher, in single precision, than that of a later rank, but "
            "documents are ordered by their scores alone, as trec_eval orders them; give the best "
            "document of each query the highest score"
        )


def _found(cell: str, document: str) -> Phrase:
    return Phrase("{cell} of document {document}", cell=quoted(cell), document=quoted(document))


def _of_lines(
    lines: Sequence[str], first: int, layout: _Layout, problems: Problems
) -> Iterator[tuple[int, str, str, str, str]]:
    """Yield the line of every document, its query, the document, its number and its rank."""
    for place, line in enumerate(lines[first:], first + 1):
        cells = line.split()
        if len(cells) == layout.width:
            rank = cells[layout.rank]
            yield place, cells[0], cells[layout.document], cells[layout.number], rank
        elif cells:
            remedy = _SEPARATE
            if layout is _RUN and len(cells) == _QRELS.width:
                remedy = _SEND_THE_RUN
            elif layout is _RUN and len(cells) > _RUN.width:
                remedy = _TAG_OF_ONE_WORD
            problems.add(
                _WRONG_WIDTH,
                "{place}: {columns} found, {width} expected",
                remedy,
                place=partial(place_of, LINE, place),
                columns=partial(counted, len(cells), _COLUMN),
                width=layout.width,
            )


def _of_json(content: Content) -> Iterator[tuple[int, str, str | None, str, str]]:
    """Yield the number of the query, the query, a document, its number and no rank."""
    document, _, _ = records.load(content, _EXPECTED)
    queries = document if isinstance(document, dict) else {}
    if not queries or not all(isinstance(documents, dict) for documents in queries.values()):
        raise content.refusal("{file}: {expected}", expected=_EXPECTED)
    if sum(map(len, queries.values())) > MOST_CELLS:
        raise too_many_cells_error(content.file)
    for place, (query, documents) in enumerate(queries.items(), 1):
        if not documents:
            yield place, query, None, "", ""
        for name, value in documents.items():
            yield place, query, name, str(value), ""


def _ranks(cells: Sequence[str]) -> Iterable[float]:
    """Return the ranks that cells say; `NO_RANK` of those that say none."""
    if "".join(cells).isdecimal():  # as nearly always
        return map(float, cells)
    return [float(cell) if cell.isdecimal() else NO_RANK for cell in cells]


def _number(cell: str, layout: _Layout) -> float | None:
    """Return a grade or a score; None if the cell is none that single precision holds."""
    try:
        number = float(int(cell) if layout.whole else cell)
    except (ValueError, OverflowError):
        return None
    return number if abs(number) < _MOST and "_" not in cell else None


def _recognizes(content: Content) -> bool:
    """Whether a file is qrels, by its extension or its first lines.

    In a matrix of ones and zeros, which may look alike, few lines differ.
    """
    if content.file.lower().endswith(_EXTENSIONS[:2]):
        return True
    lines = content.data[:_ENOUGH].decode("utf-8-sig", "ignore").split("\n")
    if len(content.data) > _ENOUGH:
        lines.pop()  # it may be cut
    if lines and _HEADER.fullmatch(lines[0]):
        return True
    matches = [_JUDGMENT.fullmatch(line) for line in lines if line.strip()]
    pairs = [match.groups() for match in matches if match]
    return len(matches) == len(pairs) > 0 and len(set(pairs)) == len(pairs)


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


def _unrelated(golds: Sequence[Any], runs: Sequence[Any]) -> Phrase | None:
    """Return what is wrong with a run that lists documents, none of which any query's gold has."""
    if any(document in run for gold, run in zip(golds, runs, strict=True) for document, _ in gold):
        return None  # as nearly always, and soon
    judged = {document for gold in golds for document, _ in gold}
    listed = [document for run in runs for document in run]
    if not listed or not judged.isdisjoint(listed):
        return None
    return Phrase(
        "none of the documents, such as {document}, is judged for any query, so every score would "
        "be 0: write the documents' ids as the collection does",
        document=quoted(listed[0]),
    )


def _no_rows(content: Content) -> Table:
    raise content.refusal(
        "{file}: this is a file of TREC; name a measure of ranked lists, such as nDCG@10"
    )


KIND = ExampleKind(
    name="ranking",
    read=read,
    column="documents",
    example=(Phrase("query", "queries"), Phrase("query", "queries", count=2)),
    formats={_FORM: Format(_EXTENSIONS, _LABEL, _no_rows)},
    recognizes=_recognizes,
    is_table=False,
    begins=_begins,
    metrics=("nDCG@10", "AP", "RR"),
    names=("documents",),
    absent=(),
    may_exceed=True,
    problem=_problem,
    unrelated=_unrelated,
    speed=8,
)
