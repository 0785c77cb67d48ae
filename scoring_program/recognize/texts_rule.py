"""What plain texts mean where nothing names it: ids at the beginning of lines, and references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ..core.phrases import Phrase
from .open_questions import OpenQuestion, Option

#: A column of texts: so large a share of its cells has several words.
_TEXTS = 0.5
#: So many columns may be the sources and their references, without ids.
SOURCE_AND_REFERENCE = 2
#: The fewest lines whose beginnings say something.
_FEWEST = 2
#: How the lines of reference data are read whose first word is an id.
_FIRST_WORD = {"reference": {"columns": ["id", "text"], "separator": "whitespace", "header": False}}


def ask_about_beginnings(
    file: str, references: Sequence[str], submissions: Sequence[Sequence[str]]
) -> OpenQuestion | None:
    """Return the question whether the lines of a ``file`` begin with ids; None if they do not.

    They may where no first word of the ``references`` comes again in any of them, and more than
    half of the ``submissions``, in the order of their lines, begin their lines with the same
    words. A submission that holds all references unchanged says nothing.
    """
    beginnings = [_first_word(line) for line in references]
    words = Counter(word for line in references for word in line.split())
    if len(references) < _FEWEST or not all(words[word] == 1 for word in beginnings):
        return None
    reference_of = dict(zip(beginnings, references, strict=True))
    alike = 0
    differ = False
    moved = False
    for lines in submissions:
        first_words = [_first_word(line) for line in lines]
        if sorted(first_words) == sorted(beginnings):
            alike += 1
            moved = moved or first_words != beginnings
            differ = differ or any(
                reference_of[word] != line for word, line in zip(first_words, lines, strict=True)
            )
    if 2 * alike <= len(submissions) or not differ:
        return None
    as_ids = Option(_FIRST_WORD, Phrase("the first word is the id of the line, and is not scored"))
    as_words = Option(
        {"reference": {"format": "lines"}},
        Phrase("every word is scored, and the lines are in the order of {file}", file=file),
    )
    return OpenQuestion(
        Phrase(
            "{file}: do the lines begin with ids? Their first words come once each, and "
            "{alike} of {files} files begin their lines with the same words.",
            file=file,
            alike=alike,
            files=len(submissions),
        ),
        (as_ids,) if moved else (as_ids, as_words),
    )


def _first_word(line: str) -> str:
    return next(iter(line.split()), "")


def ask_about_references(file: str, columns: Sequence[Sequence[str]]) -> OpenQuestion | None:
    """Return the question which columns without names are references; None if none may be one.

    Ids are the first column whose cells all differ and are single words. Without such a column,
    none of two columns is the ids: they may be a source and its reference.
    """
    places = []
    ids = []
    for place, cells in enumerate(columns, 1):
        if _are_texts(cells):
            places.append(place)
        if len({*cells}) == len(cells) and not any(" " in cell for cell in cells):
            ids.append(place)
    if not places or not (ids or len(columns) == SOURCE_AND_REFERENCE):
        return None
    with_ids = {"id": ids[0]} if ids else {}
    options = []
    if len(places) > 1:
        every: dict[str, Any] = {"references": places, "header": False}
        every = {"columns": with_ids, **every} if ids else every
        means = Phrase("{number} references of every example", number=len(places))
        options.append(Option({"reference": every}, means))
    for place in places:
        single = {"columns": {**with_ids, "text": place}, "header": False}
        means = Phrase("column {number} is the only reference", number=place)
        options.append(Option({"reference": single}, means))
    return OpenQuestion(
        Phrase(
            "{file}: which columns are references? The first line may hold column names or an "
            "example. If it holds names, name the column to score with 'column:'. If it holds an "
            "example:",
            file=file,
        ),
        tuple(options),
    )


def _are_texts(cells: Iterable[str]) -> bool:
    several = [" " in cell.strip() for cell in cells]
    return sum(several) > _TEXTS * len(several)
