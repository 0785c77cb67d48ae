"""Texts: whether a first line names columns, and which columns or keys hold texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from ..usual_names import HEADERS_OF_TEXTS, TARGET_NAMES, TEXT_NAMES
from .roles_by_name import DataField, is_id

#: Columns of texts.
TEXTS = DataField("text", TEXT_NAMES)
_TEXTS_OR_TARGETS = DataField("text", (*TEXT_NAMES, *TARGET_NAMES))
#: Keys of records that may hold the texts that are scored.
may_be_scored = _TEXTS_OR_TARGETS.fits
#: Columns of a header of texts: also what was asked, or translated.
is_of_texts = DataField("text", tuple(sorted(HEADERS_OF_TEXTS))).fits
_NUMBERED = re.compile(r"(?P<name>.*\D)[ _.-]?(?P<number>\d+)", re.IGNORECASE)
#: The name of a column that is not a usual one: a few words.
_NAME = re.compile(r"[\w#/]+([ ._-][\w#/]+){0,3}")
_DIGITS = re.compile(r"\d+")
#: What subwords of BPE and SentencePiece, and escaped signs, are written with.
_MARKS = ("@@ ", "\N{LOWER ONE EIGHTH BLOCK}", "&quot;", "&apos;", "&#39;", "&amp;", "&lt;")
#: So many texts at least hold such a mark where it is no accident.
_MARKED = 3
#: The fewest texts whose first words show their order.
_ENOUGH = 10


def has_usual(names: Iterable[str]) -> bool:
    """Whether one of the names is usual for texts, or for ids."""
    return any(is_of_texts(name) or is_id(name) for name in names)


def begin_as_texts(cells: Sequence[str]) -> bool:
    """Whether cells are the beginnings of texts, and no ids: most have several words."""
    return 2 * sum(" " in cell.strip() for cell in cells) > len(cells)


def may_be_named(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether the first of one or two columns' rows may be names: it is unlike those ``below``."""
    if not below[0] or not all(map(_NAME.fullmatch, first)) or first[-1] in below[-1]:
        return False
    shapes = {_DIGITS.sub("0", cell) for cell in below[0]}
    # An id has the form of others, or a digit as all of them, or the same ending.
    looks_like_id = len(first) == 2 and (
        _DIGITS.sub("0", first[0]) in shapes
        or all(map(_DIGITS.search, (first[0], *below[0])))
        or PurePosixPath(first[0]).suffix
        in {PurePosixPath(cell).suffix or "." for cell in below[0]}
    )
    return not looks_like_id


def numbered_references(names: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Return name → the columns that have this usual name and a number each, if they are several.

    They hold the references of one example: ``reference_1``, ``reference_2``.
    """
    numbered: dict[str, list[str]] = {}
    for name in names:
        match = _NUMBERED.fullmatch(name)
        if match and is_of_texts(match["name"].rstrip(" _.-")):
            numbered.setdefault(match["name"].rstrip(" _.-"), []).append(name)
    return {name: columns for name, columns in numbered.items() if len(columns) > 1}


def key_of_repeated(names: Iterable[str], stated: str | None) -> str | None:
    """Return the column whose equal cells are rows of one example: the stated one, or the only id.

    None if there is none, or several may be it.
    """
    keys = [name for name in names if (name == stated if stated else is_id(name))]
    return keys[0] if len(keys) == 1 else None


def other_key(columns: Mapping[str, Sequence[Any]], key: str) -> str | None:
    """Return a column that may identify the examples, too, where cells of the ``key`` repeat.

    Its cells are single words that all differ, and it is not called like texts.
    """
    rows = len(columns[key])
    for name, cells in columns.items():
        words = {cell for cell in cells if isinstance(cell, str) and cell and " " not in cell}
        is_usual = key.casefold() == "id" or is_of_texts(name)
        if not is_usual and len(columns) > 2 and len(words) == rows:
            return name
    return None


def flags_beside_texts(values: Mapping[str, Sequence[Any]]) -> tuple[str, str] | None:
    """Return a key whose usual name may mean another one, and that one; None if none does.

    ``values`` is key → what the records hold under it. The key holds true or false alone, while
    another holds sentences. True and false may be answers, but then nothing beside them reads like
    one; what was asked does not count.
    """
    flags = []
    sentences = []
    for name, of_name in values.items():
        if all(isinstance(value, bool) for value in of_name):
            flags.append(name)
        elif any(isinstance(value, str) and " " in value.strip() for value in of_name):
            sentences.append(name)
    sentences = [name for name in sentences if may_be_scored(name) or not is_of_texts(name)]
    if not sentences or any(map(may_be_scored, sentences)):
        return None
    usual = next(filter(may_be_scored, flags), None)
    return None if usual is None else (usual, sentences[0])


def are_in_another_order(golds: Sequence[Any], predictions: Sequence[Any]) -> bool:
    """Whether texts begin with the same different words as the golds, which may be ids, elsewhere.

    Both are in the order of the test set.
    """
    words_of_golds = [_first_of_several(text) for text in golds]
    words_of_predictions = [_first_of_several(text) for text in predictions]
    first_words = {*words_of_golds}
    if len(first_words) < len(golds) or len(first_words) < _ENOUGH:
        return False
    if first_words != {*words_of_predictions}:
        return False
    pairs = zip(words_of_golds, words_of_predictions, strict=True)
    return 2 * sum(gold != word for gold, word in pairs) > len(golds)


def _first_of_several(text: Any) -> str:
    """Return the first word of a text that has more; "" of others and of several references."""
    parts = text.split(None, 1) if isinstance(text, str) else []
    return parts[0] if len(parts) > 1 else ""


def mark_of_pieces(golds: Sequence[Any], predictions: Sequence[str]) -> tuple[str, int] | None:
    """Return a mark of subwords or of escaped signs that no gold has, and how many texts have it.

    None if texts have no such mark, or hardly any does.
    """
    for mark in _MARKS:
        count = sum(mark in text for text in predictions)
        if count < max(_MARKED, len(predictions) / 10):
            continue
        references = ((gold,) if isinstance(gold, str) else gold for gold in golds)
        if not any(mark in text for texts in references for text in texts):
            return mark.strip(), count
    return None
