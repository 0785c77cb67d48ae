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
from functools import partial
from typing import Any

from ...core.cells import grouped
from ...core.errors import SEVERAL, ReferenceDataError, quoted
from ...core.phrases import Phrase
from ...recognize.of_kinds.text_columns import (
    TEXTS,
    are_in_another_order,
    begin_as_texts,
    flags_beside_texts,
    has_usual,
    is_of_texts,
    key_of_repeated,
    mark_of_pieces,
    may_be_named,
    may_be_scored,
    numbered_references,
    other_key,
)
from ..table import Table, compose_accents, empty_file_error, place_of
from . import delimited, records
from .fields import headed, no_column_error
from .kind import BLOCKS, WHITESPACE, Content, ExampleKind, is_texts

#: How a list of texts begins and ends where it is written as one text.
_LIST = re.compile(r"""\[\s*((['"]).*\2\s*)?\]""", re.DOTALL)
#: How every line ends in NIST's trn files, such as those of sclite: in an id of its own.
_TRN = re.compile(r"\(([^()\s]+)\)$")
#: A line of NIST's other files, comments aside: file, channel, speaker, start, end and text (stm),
#: or file, channel, start, duration and word (ctm).
_NIST = {
    "stm": re.compile(r"\S+\s+\S+\s+\S+\s+(\d*\.?\d+)\s+(\d*\.?\d+)(\s.*)?"),
    "ctm": re.compile(r"\S+\s+\S+\s+\d*\.\d+\s+\d*\.\d+\s+\S+(\s+[\d.]+)?"),
}
_COMMENT = ";;"
#: Wordings in NIST's transcripts of which any is right.
_ALTERNATION = re.compile(r"(?:^|\s)\{\s[^{}]*\s/\s[^{}]*\s\}(?=\s|$)")
_SQUAD = re.compile(rb'(?s)\s*\{.{0,200}?"data"\s*:\s*\[.{0,2000}?"paragraphs"\s*:')
_EXPECTED = Phrase(
    "expected texts by id such as {mapping}, records or a list of texts",
    mapping='{"q1": "Paris", …}',
)


def read(content: Content) -> Table:
    """Read texts. In a gold where an example has several references, or none, cells are tuples.

    Raises SubmissionError for lists of texts that are written as texts, too.
    """
    if content.is_json:
        return _with_stated_references(_read_json(content), content)
    if content.form != "csv":
        return _read_lines(content)
    table = _read_delimited(content)
    for name, cells in zip(table.header or ("text", "text"), table.columns, strict=False):
        if is_of_texts(name) and len(cells) and all(map(_LIST.fullmatch, cells)):
            raise content.refusal(
                "{file}: every cell of a column holds a list such as {list}, which would be scored "
                "as one text; write lists of references as JSON, or one text per row",
                list='["a", "b"]',
            )
    if not content.gold:
        return table
    return _with_references(_with_stated_references(table, content))


def lines(content: Content) -> list[str]:
    """Return the texts of a plain file, one per line.

    Raises
    ------
    SubmissionError
        There is no text, every line ends in another id in parentheses, or the lines hold times.
    """
    texts = [line for _, line in content.lines]
    if not texts[-1].strip():
        texts.pop()  # the end of the last line
    if not any(map(str.strip, texts)):
        raise empty_file_error(content.file)
    texts = [line.strip() for line in texts]
    utterances = [line for line in texts if line and not line.startswith(_COMMENT)]
    for form in _NIST:
        if utterances and all(_is_timed(line, form) for line in utterances):
            raise content.refusal(
                "{file}: the lines are like those of NIST's {form} files, whose times would be "
                "scored as words; write an id, a tab and the text of each segment, or the text "
                "alone",
                form=form,
            )
    ids = {match[1] for line in utterances if (match := _TRN.search(line))}
    if len(ids) == len(utterances) >= SEVERAL:
        raise content.refusal(
            "{file}: every line ends in an id in parentheses, as in NIST's trn files, which would "
            "be scored as a word; write the id, a tab and the text, or the text alone"
        )
    return texts


def _is_timed(line: str, form: str) -> bool:
    """Whether a line is one of NIST's files of a form, which say when its words were said."""
    match = _NIST[form].fullmatch(line)
    if match is None or form == "ctm":
        return match is not None
    # Nothing ends before it starts, but one of five numbers may be less than another.
    return float(match[1]) <= float(match[2])


def _picked(cells: Sequence[Any], rows: Iterable[int]) -> list[Any]:
    return [cells[row] for row in rows]


def _read_lines(content: Content) -> Table:
    cells = lines(content)
    label = Phrase("with one text per line")
    if content.gold and content.described.format == "auto":
        _refuse_alternations(content, cells)
    if content.gold and content.described.references == BLOCKS:
        return _blocks(content.file, cells)
    notes: tuple[Phrase, ...] = ()
    blank = cells.count("")
    if content.gold and blank and content.described.format == "auto":
        notes = (_note_on_blanks(blank),)
    numbers = range(1, len(cells) + 1)
    table = Table(content.file, [cells], numbers, ("text",), label=label, notes=notes)
    return replace(table, form="lines")


def _note_on_blanks(count: int) -> Phrase:
    """Return the note on blank lines of reference data, which count as texts."""
    return Phrase(
        "Reference data: {count:n} blank line was read as a text. If blank lines separate blocks "
        "of references of one text each, write {blocks}.",
        "Reference data: {count:n} blank lines were read as texts. If blank lines separate blocks "
        "of references of one text each, write {blocks}.",
        count=count,
        blocks="'reference: {references: blocks}'",
    )


def _refuse_alternations(content: Content, texts: Sequence[str]) -> None:
    """Refuse references with words that NIST's scorers let stand for each other."""
    for number, line in enumerate(texts, 1):
        if _ALTERNATION.search(line):
            raise content.refusal(
                "{file}: line {line}: words in braces with a slash, as in {example}, are "
                "alternations of NIST's transcripts, whose braces and slash would be scored as "
                "words; write one line for each wording, with {blocks}, or, if they are words, "
                "{lines}",
                line=number,
                example="'{ um / uh }'",
                blocks="'reference: {references: blocks}'",
                lines="'reference: {format: lines}'",
            )


def _blocks(file: str, texts: Sequence[str]) -> Table:
    """Return the table of references that stand in blocks of lines between blank lines."""
    blocks: dict[int, list[str]] = {}
    begin = 0
    for number, line in enumerate(texts, 1):
        if not line:
            begin = 0
            continue
        begin = begin or number
        blocks.setdefault(begin, []).append(line)
    cells = [tuple(lines_of) for lines_of in blocks.values()]
    label = Phrase("with blocks of references")
    return Table(file, [cells], list(blocks), ("references",), label=label, form="lines")


def _with_stated_references(table: Table, content: Content) -> Table:
    """Return a gold whose columns of references, as the settings state them, are one column.

    Raises SubmissionError where one of them is absent.
    """
    stated = content.described.references
    if not content.gold or isinstance(stated, str) or not stated:
        return table
    names = {name.casefold(): name for name in reversed(table.header or ())}
    columns = {**table.named}
    unnamed = dict(table.unnamed)
    references: list[Sequence[Any]] = []
    for column in stated:
        name = names.get(str(column).casefold())
        if name is not None and name in columns:
            references.append(columns.pop(name))
        elif str(column) in unnamed:
            references.append(unnamed.pop(str(column)))
        else:
            remedy = Phrase("name the columns of references by name or, without a header, number")
            lacking = Phrase("column {column}", column=repr(column))
            place = place_of(table.row_noun, 1)
            raise no_column_error(content.file, place, lacking, [*names.values()], remedy)
    cells = []
    for row in zip(*references, strict=True):
        texts: list[str] = []
        for cell in row:
            texts += cell if isinstance(cell, tuple) else (cell,)
        cells.append(tuple(filter(None, texts)) or ("",))
    columns["references"] = cells
    fields = {**table.fields, "references": tuple(stated)}
    return replace(table.with_columns(columns), unnamed=unnamed, fields=fields)


def _read_delimited(content: Content) -> Table:
    """Read a table. What the first row of predictions is may be left to those who know the gold."""
    # Where spaces divide, the text is the rest of the line.
    table = delimited.read(content, sets=content.described.separator == WHITESPACE)
    width = len(table.columns)
    has_names = table.header is not None
    references = content.described.references
    stated = {str(name).casefold() for name in references} if content.gold else set()
    first_row: Sequence[str] = () if has_names else table.first_row
    if has_names or has_usual(first_row) or any(cell.casefold() in stated for cell in first_row):
        return headed(table, bool)
    called_table = content.file.casefold().endswith((".csv", ".tsv", ".csv.gz", ".tsv.gz"))
    # Ids are single words; the beginnings of texts, each with a tab within, are no ids.
    if width == 2 and begin_as_texts(table.columns[0]) and not called_table:
        return _read_lines(content)
    if width <= 2 and not content.gold:
        return table
    is_named = width > 2 or may_be_named(first_row, table.below_first().columns)
    usual = ("text",) if width == 1 else ("id", "text")
    return headed(table, lambda first: is_named, usual={width: usual})


def _with_references(table: Table) -> Table:
    """Return a table whose numbered columns of one name are one column of tuples.

    An empty cell is no reference, unless the example has no other.
    """
    columns = {**table.named}
    fields = {**table.fields}
    in_file = table.in_file
    for name, names in numbered_references(columns).items():
        rows = zip(*map(columns.pop, names), strict=True)
        columns[name] = [tuple(filter(None, row)) or ("",) for row in rows]
        fields[name] = tuple(in_file[column] for column in names)
    return replace(table.with_columns(columns), fields=fields)


def with_repeated(table: Table, id_column: str | None = None) -> Table:
    """Return a gold whose rows of one id are one example: where they differ are its references.

    A row that is there twice is a mistake, and stays. ``id_column`` is what the settings name.

    Raises ReferenceDataError if a column of another name may hold the ids, too.
    """
    key = key_of_repeated(table.named, id_column)
    keys = () if key is None else table.named[key]
    rows = grouped((cell, row) for row, cell in enumerate(keys))
    every = [*zip(*table.columns, strict=True)]
    if key is None or len(rows) in (0, len(every)) or len({*every}) < len(every):
        return table
    rival = None if id_column else other_key(table.named, key)
    if rival is not None:
        raise ReferenceDataError(
            f"{table.file}: rows of one {key!r} would be one example with several "
            f"references, but {rival!r} differs on every row; say what identifies the examples "
            f"in the settings: 'id_column: {rival}' or 'id_column: {key}'"
        )
    columns: list[Sequence[Any]] = []
    for cells in table.columns:
        gathered = [_picked(cells, of_id) for of_id in rows.values()]
        if all(len({*values}) == 1 for values in gathered):
            columns.append([values[0] for values in gathered])
        elif any(isinstance(value, tuple) for value in cells):
            return table
        else:
            references = (tuple(dict.fromkeys(filter(None, values))) for values in gathered)
            columns.append([values or ("",) for values in references])
    several = sum(len(of_id) > 1 for of_id in rows.values())
    note = Phrase(
        "{count:n} example comes on several rows, whose texts are its references.",
        "{count:n} examples come on several rows, whose texts are their references.",
        count=several,
    )
    numbers = [table.numbers[of_id[0]] for of_id in rows.values()]
    return replace(table, columns=columns, numbers=numbers, notes=(*table.notes, note))


def _read_json(content: Content) -> Table:
    named = content.file.casefold().endswith((".json", ".jsonl", ".json.gz", ".jsonl.gz"))
    expected = _EXPECTED if named else or_lines(_EXPECTED)
    records_read = records.read(content, "text", expected, _of_squad)
    if not content.described.columns:
        _refuse_flags_beside_texts(records_read)
    table = records_read.table(partial(_column, records_read, gold=content.gold), _are_texts)
    return records.without_nested(table, content, may_be_scored)


def _refuse_flags_beside_texts(document: records.Records) -> None:
    """Refuse records whose usual key holds true or false alone, while another holds sentences."""
    values: dict[str, list[Any]] = {}
    for record in document.rows:
        for name, value in record.items():
            values.setdefault(name, []).append(value)
    rivals = flags_beside_texts(values)
    if rivals is not None:
        flags, texts_elsewhere = rivals
        raise document.refusal(
            "{file}: {key} holds true or false in every record, and {text} holds texts; leave "
            "one of them out (organizers: say which one is scored, such as {setting})",
            key=quoted(flags),
            text=quoted(texts_elsewhere),
            setting=repr(f"{document.setting}: {{columns: {{label: {texts_elsewhere}}}}}"),
        )


def _are_texts(value: Any) -> bool:
    """Whether a list, or an object of JSON under "text", holds texts, and no more lists."""
    if isinstance(value, dict) and "text" not in value:
        return False
    texts = value["text"] if isinstance(value, dict) else value
    if isinstance(texts, list):
        return not any(isinstance(text, (list, dict)) for text in texts)
    return not isinstance(texts, dict)


def or_lines(message: Phrase) -> Phrase:
    """Return what a message says of a file, and what to set if every line of it is a text."""
    return Phrase(
        "{said} (organizers: if every line is a text, write {setting} or, for reference data, "
        "{reference})",
        said=message,
        setting="'format: lines'",
        reference="'reference: {format: lines}'",
    )


def _of_squad(document: Mapping[str, Any]) -> Any:
    """Return the questions of SQuAD's JSON, or what any other mapping holds."""
    data = document.get("data")
    if isinstance(data, list) and any("paragraphs" in item for item in data):
        return list(_questions(data))
    return records.unwrapped(document)


def _questions(data: Sequence[Mapping[str, Any]]) -> Iterable[Mapping[str, Any]]:
    for article in data:
        for paragraph in article.get("paragraphs", ()):
            for question in paragraph.get("qas", ()):
                yield {
                    "id": question.get("id"),
                    "answers": [answer.get("text") for answer in question.get("answers", ())],
                    "title": article.get("title"),
                }


def _column(
    document: records.Records, values: Sequence[Any], name: str, gold: bool
) -> Sequence[Any]:
    """Return the texts of a column of JSON; if the gold has lists somewhere, tuples everywhere."""
    if not any(isinstance(value, (list, dict)) for value in values):
        return [_text(value, name, document, row) for row, value in enumerate(values)]
    cells = []
    for row, value in enumerate(values):
        # An object holds them under "text", as in Hugging Face's SQuAD.
        texts = value.get("text") if isinstance(value, dict) else value
        texts = texts if isinstance(texts, list) else [texts]
        if not gold and len(texts) != 1:
            raise document.refusal(
                "{file}: {place}: {key} holds {number} texts; send one text per example",
                place=document.place(row),
                key=quoted(name),
                number=len(texts),
            )
        cells.append(tuple(_text(text, name, document, row) for text in texts) or ("",))
    return cells if gold else [texts[0] for texts in cells]


def _text(value: Any, name: str, document: records.Records, row: int) -> str:
    if isinstance(value, (list, dict)):
        raise document.nested(row, name)
    if value is None:
        raise document.refusal(
            '{file}: {place}: {key} is null or missing; write "" for no text',
            place=document.place(row),
            key=quoted(name),
        )
    return compose_accents(str(value).strip())


def _wanted(value: Any, is_gold: bool) -> str | None:
    if isinstance(value, str) or (is_gold and value and is_texts(value)):
        return None
    return "a text, or a list of texts that are all correct" if is_gold else "a text"


def _characters(value: str | Sequence[str]) -> int:
    """Return the characters of a text, or of the longest reference."""
    return len(value) if isinstance(value, str) else max(map(len, value), default=0)


def _words(value: str | Sequence[str]) -> int:
    """Return the words of a text, or of the longest reference."""
    texts = (value,) if isinstance(value, str) else value
    return max((len(text.split()) for text in texts), default=0)


def _unrelated(golds: Sequence[Any], predictions: Sequence[Any]) -> Phrase | None:
    """Return what is wrong with texts that are cut into subwords, or escaped, as no gold is.

    Or with texts in another order, as their different first words say, which may be ids.
    """
    if are_in_another_order(golds, predictions):
        return Phrase(
            "the lines begin with the same words as those of the test set, in another order; put "
            "them in the order of the test set (organizers: if these words are ids, say so: "
            "{setting})",
            setting="'reference: {columns: [id, text], separator: whitespace, header: false}'",
        )
    marked = mark_of_pieces(golds, predictions)
    if marked is not None:
        mark, count = marked
        return Phrase(
            "{count:n} texts hold {mark}, and no reference does: join the pieces of words, and "
            "write letters and signs as a reader sees them",
            count=count,
            mark=quoted(mark),
        )
    return None


KIND = ExampleKind(
    name="text",
    read=read,
    column="text",
    asked={"text": "text"},
    example=(Phrase("segment"), Phrase("segments")),
    delimiters="\t",  # a sentence may hold the others
    recognizes=lambda content: _SQUAD.match(content.data) is not None,  # SQuAD's own JSON
    metrics=("exact_match", "token_f1"),
    names=TEXTS.names,
    absent="",
    unrelated=_unrelated,
    wanted=_wanted,
    sizes={
        Phrase("character", "characters"): (_characters, 1 << 17),
        Phrase("word", "words"): (_words, 1 << 13),
    },
)
