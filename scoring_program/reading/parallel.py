"""Parallel references: several plain files with one text per line, for the same segments.

Machine translation keeps them so: ``reference.0.txt``, ``reference.1.txt``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import partial
from pathlib import PurePosixPath

from ..core.errors import SubmissionError
from ..core.phrases import verbatim
from .files import DataFile
from .formats import texts
from .formats.raw import Content

#: A stem that ends in the word for a reference and its number or letter: "reference.0", "refA".
_REFERENCE = re.compile(
    r"(?P<task>.*?)[-_. ]?(?P<word>ref(?:erence)?s?)[-_. ]?(?:\d+|[A-Z])", re.IGNORECASE
)
_LINES = ".txt"


def joined(found: Sequence[DataFile]) -> list[DataFile]:
    """Return files of reference data, with those of the same segments as one file.

    Its content is JSON Lines with all references of a segment in one line. It is called like the
    first file without the number.
    """
    groups: dict[PurePosixPath, list[DataFile]] = {}
    for file in found:
        groups.setdefault(_together(file), []).append(file)
    return [
        group[0]
        if len(group) == 1
        else DataFile(path, partial(_lines, group), size=sum(file.size for file in group))
        for path, group in groups.items()
    ]


def _together(file: DataFile) -> PurePosixPath:
    """Return the path that a reference has in common with the others of its segments."""
    match = _REFERENCE.fullmatch(file.stems[-1])
    if match is None or file.path.suffix.lower() != _LINES:
        return file.path
    parts = (match["task"], match["word"].lower())
    return file.path.with_name(".".join(filter(None, parts)) + _LINES)


def _lines(group: Sequence[DataFile]) -> bytes:
    """Return the references of every segment; raise SubmissionError if numbers of lines differ."""
    columns = [texts.lines(Content(file.read(), str(file.path), "lines")) for file in group]
    for file, column in zip(group, columns, strict=True):
        if len(column) != len(columns[0]):
            raise SubmissionError(
                verbatim(
                    f"{len(column)} lines, but {group[0].path} has {len(columns[0])}; give every "
                    "segment a line in each file of references, a blank one for none"
                ),
                str(file.path),
            )
    rows = zip(*columns, strict=True)
    return "".join(
        json.dumps({"references": [text for text in row if text] or [""]}) + "\n" for row in rows
    ).encode()
