"""Tagged tokens: sentences in the format of CoNLL, or in JSON.

A line of CoNLL holds a token and its tag: the first and the last of columns that a tab or spaces
separate. A blank line ends a sentence, and ``-DOCSTART-`` begins a document. Comments such as
``# id 17`` may identify sentences. Predictions may hold only the tags. JSON holds lists of tags, or
records with such a list and perhaps one of tokens.

Entities follow the rules of conlleval. They read every usual scheme, because they look at each tag
and the one before it: IO, BIO (a new entity begins with B everywhere, or only beside another one),
BIOES and its other spellings BILOU and BMEWO. seqeval reads tags in the same way unless it is told
to be strict.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, NamedTuple

from ...core.errors import Problems, ReferenceDataError, listed, quoted
from ...core.phrases import Phrase, counted, joined
from ...recognize.of_kinds.roles_by_name import DataField
from ...recognize.of_kinds.tag_columns import (
    TAGS,
    TOKENS,
    are_tagged,
    are_tokens,
    have_tokens_beside,
    name_entities,
)
from ..table import LINE, Table, compose_accents, empty_file_error, of_columns, place_of
from . import records
from .kind import Content, ExampleKind, Format, is_texts

#: The tag of a token outside of all entities, and what stands for it in `Tag`.
OUTSIDE = "O"
#: What CoNLL-U writes where a column holds nothing, which is outside, too.
_EMPTY = "_"
_PREFIXED = re.compile(r"([BIESLUMW])[-_](.+)|([BIESLUMW])", re.DOTALL)
#: How a prefix is written in BIOES.
_IN_BIOES = {"L": "E", "U": "S", "M": "I", "W": "S"}


class Tag(NamedTuple):
    """What a tag says: its prefix in BIOES or `OUTSIDE`, and the entity's type.

    A tag without a prefix, such as ``PER``, is read as ``I-PER``. A prefix without a type has the
    type ``_``, as in seqeval. A tag ``_`` is none, as in CoNLL-U.
    """

    prefix: str
    type: str


class Entity(NamedTuple):
    """An entity: its first token, the token after its last one, and its type."""

    start: int
    end: int
    type: str


@lru_cache(maxsize=4096)
def part_of(tag: str) -> Tag:
    """Return what a tag says."""
    if tag in (OUTSIDE, _EMPTY):
        return Tag(OUTSIDE, "" if tag == OUTSIDE else _EMPTY)
    match = _PREFIXED.fullmatch(tag)
    if not match:
        return Tag("I", tag)
    prefix = match[1] or match[3]
    return Tag(_IN_BIOES.get(prefix, prefix), match[2] or "_")


def begins(before: Tag, tag: Tag) -> bool:
    """Whether an entity begins with a tag that follows another; `OUTSIDE` precedes the first."""
    if tag.prefix == OUTSIDE:
        return False
    return tag.prefix in "BS" or before.prefix in "OES" or before.type != tag.type


def entities(tags: Sequence[str]) -> Iterator[Entity]:
    """Yield the entities of a sentence, in their order."""
    start = 0
    before = part_of(OUTSIDE)
    for place, tag in enumerate((*tags, OUTSIDE)):
        part = part_of(tag)
        ended = part.prefix == OUTSIDE or begins(before, part)
        if ended and before.prefix != OUTSIDE:
            yield Entity(start, place, before.type)
        if ended:
            start = place
        before = part


# Sentences ----------------------------------------------------------------------------------------


#: Separates tokens in `Sentence.text`. No token holds it.
_TAB = "\t"
_DOCUMENT = "-DOCSTART-"
_COMMENT = re.compile(r"#\s+(?:(id|sent_id|newdoc)\b\s*=?\s*(\S*)|\w[\w ]*=)")
_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")
_TAG = re.compile(r"O|[BIESLUMW]-\S+")
#: A line of CSV whose last cell is a tag, in quotes or not.
_WITH_COMMAS = re.compile(r"\S.*[,;]\s*\"?(O|[BIESLUMW]([-_][^\s\"]+)?)\"?\s*")
_LAYOUT = Phrase(
    "Write a token per line, its tag in the last column, with a tab or spaces between columns, and "
    "a blank line after each sentence."
)
_FORMS = {"lists": '[["B-PER", "O"], …]', "records": '[{"tokens": […], "tags": […]}, …]'}
_EXPECTED = Phrase("expected sentences such as {lists} or {records}", **_FORMS)
_SENTENCE = Phrase("sentence", "sentences")
_UNUSABLE = Phrase("unusable sentence", "unusable sentences")
_UNUSABLE_LINE = Phrase("unusable line", "unusable lines")
#: So many lines of a file are looked at.
_HEAD = 200


class Sentence(tuple[str, ...]):
    """The tags of a sentence, [t]; ``text`` holds its tokens, joined by tabs, if they are known.

    Joined, tokens take a tenth of the memory.
    """

    text: str

    def __new__(cls, tags: Iterable[str], text: str = "") -> Sentence:
        """Return the tags with their tokens."""
        sentence = super().__new__(cls, tags)
        sentence.text = text
        return sentence


def _read_lines(content: Content, *, tagged: bool = True) -> tuple[Table, int]:
    """Read CoNLL; return also the number of documents, 0 if the file does not tell them apart.

    The table has columns of tags, ids and documents; an id is empty where there is none.

    If the tokens are not ``tagged``, a line may hold nothing else.
    """
    text = content.text
    separator = _TAB if _TAB in next(filter(_holds_token, text.split("\n")), "") else " "
    problems = Problems(content.file)
    documents = 0
    sentences: list[Sentence] = []
    starts: list[int] = []  # the lines where they begin
    ids: list[str] = []
    of_document: list[str] = []
    rows: list[tuple[int, list[str]]] = []
    width = 0
    of_sentence = ""

    def end() -> None:
        nonlocal of_sentence
        if rows:
            tokens = [cells[0] for _, cells in rows] if width > 1 or not tagged else []
            sentences.append(Sentence([cells[-1] for _, cells in rows], _TAB.join(tokens)))
            starts.append(rows[0][0])
            ids.append(of_sentence)
            of_document.append(str(max(documents, 1)))
            rows.clear()
            of_sentence = ""

    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()  # also a form feed alone, and wide spaces, are blank
        comment = None if rows else _COMMENT.match(stripped)
        if not stripped:
            end()
        elif stripped.startswith(_DOCUMENT):
            end()
            documents += 1
        elif comment:
            documents += comment[1] == "newdoc"
            of_sentence = comment[2] if comment[1] in ("id", "sent_id") else of_sentence
        else:
            cells = [cell.strip() for cell in line.rstrip("\r").split(separator)]
            cells = cells if separator == _TAB else [cell for cell in cells if cell]
            width = width or len(cells)
            if tagged and (defect := _defect(cells, width)):
                place = partial(place_of, LINE, number)
                problems.add(_UNUSABLE_LINE, "{place}: {defect}", place=place, defect=defect)
            rows.append((number, cells))
    end()
    problems.rows = sum(map(len, sentences))
    problems.raise_if_any(_LAYOUT)
    last = {tag for cells in sentences for tag in cells}
    if tagged and width > 2 and (last == {OUTSIDE} or OUTSIDE not in last):
        _refuse_another_column(content, separator, width)
    columns: dict[str, Any] = {"tags": sentences, "id": ids, "document": of_document}
    table = of_columns(content.file, columns, _SENTENCE)
    return replace(table, lines=starts, label="CoNLL", form="conll"), documents


def _refuse_json(content: Content) -> None:
    """Raise SubmissionError for JSON, or JSON Lines, where lines of tokens are asked for."""
    text = content.text.strip()
    if not text.startswith(("[", "{")):
        return
    if _is_json(text) or _is_json(text.partition("\n")[0]):
        raise content.refusal(
            "{file}: it holds JSON, and the format of this task is CoNLL; write a token per line, "
            "its tag in the last column (organizers: 'format' in scoring.yaml states the format "
            "of submissions; without it, JSON is read, too)"
        )


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), (list, dict))
    except (ValueError, RecursionError):
        return False


def _refuse_commas(content: Content) -> None:
    """Refuse CSV whose last column holds tags below a header, or in all lines."""
    lines = [*filter(_holds_token, content.text.split("\n"))][1:]
    if lines and all(map(_WITH_COMMAS.fullmatch, lines)):
        raise content.refusal(
            "{file}: commas are between the columns of tags. {layout}", layout=_LAYOUT
        )


def _refuse_another_column(content: Content, separator: str, width: int) -> None:
    """Refuse a file whose entities stand in a column that is not the last of its ``width``."""
    lines = (line.strip() for line in content.text.split("\n") if _holds_token(line))
    rows = [line.split(None if separator == " " else separator) for line in lines]
    for place in range(1, width - 1):
        cells = {row[place] for row in rows}
        if cells - {OUTSIDE} and all(map(_TAG.fullmatch, cells)):
            raise content.refusal(
                "{file}: column {number} holds tags that begin with B- or I-, and the last "
                "one none; move them to the last column, or leave the columns between out",
                number=place + 1,
            )


def _holds_token(line: str) -> bool:
    stripped = line.strip()
    return bool(stripped) and not stripped.startswith(_DOCUMENT) and not _COMMENT.match(stripped)


def _defect(cells: Sequence[str], width: int) -> Phrase | None:
    """Return what is wrong with the columns of a line, if anything is."""
    if len(cells) != width:
        columns = counted(len(cells), Phrase("column", "columns"))
        return Phrase("found {columns}, expected {width}", columns=columns, width=width)
    return _not_a_tag(cells[-1]) if cells[-1] else Phrase("found no tag in the last column")


def _not_a_tag(tag: str) -> Phrase | None:
    if _NUMBER.fullmatch(tag):
        return Phrase("found a number, expected the name of a tag, such as O or B-PER")
    return None


def _read_json(content: Content) -> tuple[Table, int]:
    """Read lists of tags, or records of tags and tokens; see `_read_lines`."""
    document = records.read(content, "tags", _EXPECTED)
    problems = Problems(content.file, len(document.rows))
    columns: dict[str, list[Any]] = {"tags": [], "id": [], "document": []}
    for number, record in zip(document.numbers, document.rows, strict=True):
        tags = _list_of(record, TAGS)
        tokens = _list_of(record, TOKENS) or []
        wrong = next(filter(None, map(_not_a_tag, tags or ())), None)
        if tags is None or "" in tags:
            wrong = Phrase("there is no list of tags")
        elif tokens and len(tokens) != len(tags):
            of_tags = counted(len(tags), Phrase("tag", "tags"))
            of_tokens = counted(len(tokens), Phrase("token", "tokens"))
            wrong = Phrase("found {tags} for {tokens}", tags=of_tags, tokens=of_tokens)
        if wrong:
            place = partial(place_of, document.noun, number)
            problems.add(_UNUSABLE, "{place}: {defect}", place=place, defect=wrong)
            continue
        columns["tags"].append(Sentence(tags or (), _TAB.join(tokens)))
        for key in ("id", "document"):
            columns[key].append(compose_accents(str(record.get(key) or "")))
    problems.raise_if_any(Phrase("Expected sentences such as {lists} or {records}.", **_FORMS))
    table = replace(
        of_columns(content.file, columns, document.noun),
        numbers=document.numbers,
        fields=_keys_of(document),
        left_out=document.left_out,
    )
    documents = columns["document"]
    return table, len({*documents}) if all(documents) else 0


def _keys_of(document: records.Records) -> dict[str, str]:
    """Return the keys of records by their roles."""
    keys = {}
    for field in (TAGS, TOKENS):
        lists = [name for name in field.names if isinstance(document.rows[0].get(name), list)]
        keys.update(dict.fromkeys((field.role,), lists[0]) if lists else {})
    if all(record.get("id") for record in document.rows):
        keys["id"] = "id"
    return keys


def _list_of(record: Mapping[str, Any], wanted: DataField) -> list[str] | None:
    """Return the texts of a record's list, by the first of the names that has one."""
    for name in wanted.names:
        value = record.get(name)
        if isinstance(value, list) and not any(isinstance(i, (list, dict)) for i in value):
            cells = ("" if cell is None else str(cell) for cell in value)
            return [compose_accents(cell.replace(_TAB, " ")) for cell in cells]
    return None


def read(content: Content) -> Table:
    """Read tagged sentences; predictions may lack the tokens.

    A gold's column "document" groups them, if the file says where one begins.
    """
    file = content.file
    gold = content.gold
    if not content.is_json:
        _refuse_json(content)
        _refuse_commas(content)
    table, documents = (_read_json if content.is_json else _read_lines)(content)
    sentences = table.named["tags"]
    if not sentences:
        raise empty_file_error(file)
    if gold:
        _refuse_tokens(sentences, file)
        tags = {tag for sentence in sentences for tag in sentence}
        if tags >= {OUTSIDE, _EMPTY}:
            raise ReferenceDataError(
                f"{file}: the tags O and _ both say that a token is in no entity; write one of "
                "them, or give what _ stands for a name"
            )
    columns = {"tags": sentences}
    if all(table.named["id"]):
        columns["id"] = table.named["id"]
    if documents and gold:
        columns["document"] = table.named["document"]
    return replace(table.with_columns(columns), notes=tuple(_notes(sentences, table, gold=gold)))


def _refuse_tokens(sentences: Sequence[Sentence], file: str) -> None:
    """Refuse tokens in the place of tags: far more of them differ than tags do.

    Beside tokens, even tags of a rich tagset are what they are called.
    """
    if any(have_tokens_beside(sentence, sentence.text.split(_TAB)) for sentence in sentences):
        return
    tags = [tag for sentence in sentences for tag in sentence]
    if are_tokens(tags, _TAG):
        raise ReferenceDataError(
            f"{file}: found {len({*tags})} different words for {len(tags)} tokens, and no tag "
            "such as O or B-PER; add the tag of each token, in the last column"
        )


def _notes(sentences: Sequence[Sentence], table: Table, *, gold: bool) -> Iterator[Phrase]:
    """Yield a note if entities begin with I although the file writes B at the beginning.

    In schemes without B, and where B stands only between neighbors, that is usual. Of the gold the
    note tells no tag, because participants may read it.
    """
    begun = 0
    first = ""
    count = 0
    for row, sentence in enumerate(sentences):
        before = part_of(OUTSIDE)
        for tag in sentence:
            part = part_of(tag)
            if begins(before, part):
                begun += part.prefix in "BS"
                if part.prefix in "IE" and tag != part.type:
                    count += 1
                    first = first or Phrase("{tag}, {place}", tag=tag, place=table.place(row))
            before = part
    if count and begun > count and gold:
        yield Phrase(
            "Reference data: {count:n} entity begins with I, after O or another type. It was read "
            "as an entity, as conlleval does.",
            "Reference data: {count:n} entities begin with I, after O or another type. They were "
            "read as entities, as conlleval does.",
            count=count,
        )
    elif count and begun > count:
        yield Phrase(
            "{count:n} entity begins with I, after O or another type ({first}). It was read as an "
            "entity, as conlleval does.",
            "{count:n} entities begin with I, after O or another type; the first is {first}. They "
            "were read as entities, as conlleval does.",
            count=count,
            first=first,
        )


def read_inputs(content: Content) -> Table:
    """Read tokens, the first of the columns; the others do not count."""
    table, _ = _read_lines(content, tagged=False)
    if not table.numbers:
        raise empty_file_error(content.file)
    columns = {"shape": [sentence.text for sentence in table.named["tags"]]}
    if all(table.named["id"]):
        columns["id"] = [*table.named["id"]]
    return of_columns(content.file, columns, _SENTENCE)


def _recognizes(content: Content) -> bool:
    """Whether a file is CoNLL: the last of several columns is a tag of an entity or O."""
    head = content.data[: 2**14].decode("utf-8-sig", "replace").split("\n")[:_HEAD]
    lines = [line.split() for line in head[:-1] if _holds_token(line)]
    tags = [cells[-1] for cells in lines if len(cells) > 1]
    return are_tagged(tags, len(lines), _TAG) and name_entities(tags, OUTSIDE)


def _begins(head: bytes) -> bool:
    """Whether the lines at the beginning of a file hold tokens, each with its tag."""
    lines = head.decode("utf-8-sig", "replace").split("\n")[:-1]
    cells = [line.split() for line in lines if _holds_token(line)]
    tags = [cells_of_line[-1] for cells_of_line in cells if len(cells_of_line) > 1]
    return are_tagged(tags, len(cells), _TAG)


def _rows(content: Content) -> Table:
    """Refuse to read tagged tokens as rows: a resample of single tokens would be meaningless."""
    raise content.refusal(
        "{file}: the file holds tagged tokens; name a metric of these, such as entity_f1"
    )


def _shape(tags: Sequence[str]) -> str | int:
    """Return the tokens or, if they are unknown, their number. A list in Python holds only tags."""
    return getattr(tags, "text", "") or len(tags)


def _wanted(value: Any, is_gold: bool) -> str | None:
    return None if is_texts(value) else "a list of tags, one for each token"


def _types(sentences: Sequence[Sequence[str]]) -> set[str]:
    tags = {tag for sentence in sentences for tag in sentence}
    return {part_of(tag).type for tag in tags if tag != OUTSIDE}


def _problem(tags: Sequence[str], shape: str | int | None, types: Collection[str]) -> Phrase | None:
    """Return what is wrong with a sentence. Its tokens are no secret: they are what is tagged."""
    text = getattr(tags, "text", "")
    wanted = shape.split(_TAB) if isinstance(shape, str) else []
    size = len(wanted) or shape
    different = _first_difference(text.split(_TAB), wanted) if text and wanted else None
    if size is not None and len(tags) != size:
        tokens = counted(len(tags), Phrase("token", "tokens"))
        problem = Phrase("found {tokens}, expected {size}", tokens=tokens, size=size)
        if different is None and len(tags) > int(size):
            different = Phrase("a blank line ends each sentence")
        return joined([problem, different], "; ") if different else problem
    if different:
        remedy = Phrase("send the tokens of the test set, or only the tags")
        return joined([different, remedy], "; ")
    named = (tag for tag in dict.fromkeys(tags) if tag != OUTSIDE)
    unknown = [tag for tag in named if types and part_of(tag).type not in types]
    if not unknown:
        return None
    unknown_listed = listed(map(quoted, unknown))
    return Phrase("found {tags}, expected O or tags of the task's types", tags=unknown_listed)


def _first_difference(tokens: Sequence[str], wanted: Sequence[str]) -> Phrase | None:
    """Return where two sentences begin to differ; None if one only goes on."""
    for place, (token, right) in enumerate(zip(tokens, wanted, strict=False), 1):
        if token != right:
            return Phrase(
                "token {place}: found {found}, expected {right}",
                place=place,
                found=quoted(token),
                right=quoted(right),
            )
    return None


KIND = ExampleKind(
    name="tags",
    read=read,
    column="tags",
    made_of=("tokens",),
    example=(Phrase("sentence", "sentences"), Phrase("sentence", "sentences", count=2)),
    read_inputs=read_inputs,
    formats={"conll": Format((".conll", ".bio", ".iob", ".iob2", ".bioes"), "CoNLL", _rows)},
    recognizes=_recognizes,
    is_table=False,
    begins=_begins,
    metrics=("entity_f1", "entity_precision", "entity_recall", "token_accuracy"),
    names=("tags",),
    shape=_shape,
    labels=_types,
    problem=_problem,
    wanted=_wanted,
)
