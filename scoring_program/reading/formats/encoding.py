"""From bytes to text: UTF-8 or UTF-16, with or without a byte-order mark, accents composed."""

from __future__ import annotations

from pathlib import PurePosixPath

from ...core.errors import SubmissionError
from ...core.phrases import Phrase
from ..limits import MOST_CELLS
from ..table import compose_accents, too_many_cells_error


def decode(content: bytes, file: str) -> str:
    """Return the text of a file in UTF-8 or UTF-16, with or without a byte-order mark.

    Raises
    ------
    SubmissionError
        The bytes have another encoding, hold NUL characters, or are too many lines.
    """
    try:
        text = content.decode(_encoding(content))
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        is_table = PurePosixPath(file).suffix.lower() == ".csv"
        raise SubmissionError(
            Phrase(
                "{file}: line {line}: the text is not UTF-8; save the file as CSV in UTF-8"
                if is_table
                else "{file}: line {line}: the text is not UTF-8; save the file in UTF-8",
                file=file,
                line=line,
            )
        ) from error
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise SubmissionError(
            Phrase(
                "{file}: line {line}: the text holds a NUL character; save the file as UTF-8 text",
                file=file,
                line=line,
            )
        )
    if "\r" in text and "\n" not in text:  # as old programs end lines
        text = text.replace("\r", "\n")
    if text.count("\n") > MOST_CELLS:
        raise too_many_cells_error(file)
    return compose_accents(text)


def _encoding(content: bytes) -> str:
    """Return the encoding. Zero bytes next to ASCII characters reveal UTF-16 without a mark."""
    start = content[:4]
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    if len(start) == 4 and start[1] == start[3] == 0 != start[0]:
        return "utf-16-le"
    if len(start) == 4 and start[0] == start[2] == 0 != start[1]:
        return "utf-16-be"
    return "utf-8-sig"
