"""What a format is, and what a kind of data is: all that the other steps know of it.

A kind of data says what one example holds: a row of cells, a text, a tagged sentence. Its module
reads files into a `Table` with one row per example, whose cells may be any hashable value: a text,
a tuple of tags. Every later step joins, checks and scores such a table like one of labels.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...core.notes import Note
from ...core.phrases import Phrase
from ..table import Table

#: Examples that are rows of cells, each a label or a number.
ROWS = "rows"


@dataclass(frozen=True)
class Format:
    """A file format: its extensions, what the page calls it, and the reader of its bytes.

    ``label`` is a name that is the same in every language, or a note with words of each.
    """

    extensions: tuple[str, ...]
    label: str | Note
    read: Callable[[bytes, str], Table]


def _never(content: bytes, file: str) -> bool:
    return False


def _begins_never(head: bytes) -> bool:
    return False


def _no_shape(value: Any) -> Any:
    return None


def _no_labels(values: Sequence[Any]) -> Collection[str]:
    return ()


def _any_value(value: Any, shape: Any, labels: Collection[str]) -> Phrase | None:
    return None


@dataclass(frozen=True)
class ExampleKind:
    """A kind of data other than rows.

    ``read_gold`` and ``read_predictions`` take the bytes of a file, its name for messages, and the
    name of its format, by extension or by the setting ``format``. They return a table whose header
    is known. A column "id" identifies the examples, if there is one. Other columns, such as the
    document of a sentence, can be groups, strata or slices. Both raise SubmissionError, with file,
    line and remedy.

    Nothing here may need more than the standard library, because the starting kit contains it.
    """

    name: str  # also what ``kind`` in the settings and `metrics.Definition.kind` call it
    read_gold: Callable[[bytes, str, str], Table]
    read_predictions: Callable[[bytes, str, str], Table]
    #: Reads the examples alone, as participants have them, of a file in a format of this kind or in
    #: plain text: a table of the column "shape", and of "id" if they have ids. None if the number
    #: of examples and their ids say all.
    read_inputs: Callable[[bytes, str], Table] | None = None
    #: What messages call an example, and several, where it is more than a row of a table.
    example: tuple[Phrase, Phrase] | None = None
    #: Formats that only this kind has: the setting ``format`` and the extensions know them.
    formats: Mapping[str, Format] = field(default_factory=dict)
    #: The delimiters that make a plain text file a table if one splits all of its lines.
    delimiters: str = ""
    #: Whether the content of a gold file is unmistakably of this kind.
    recognizes: Callable[[bytes, str], bool] = _never
    #: Whether the beginning of a file whose name has no usual extension is unmistakably of this
    #: kind: gold or predictions.
    begins: Callable[[bytes], bool] = _begins_never
    #: Names of the functions that score it if the settings name no metric; the first ranks.
    metrics: tuple[str, ...] = ()
    #: Parameters of some of these functions.
    params: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    #: Names of its target columns, best first, beside the usual ones.
    names: tuple[str, ...] = ()
    #: What stands for a missing prediction where it counts as wrong; None if nothing can.
    absent: Any = None
    #: Whether a missing prediction always counts as wrong, whatever ``missing`` says.
    may_lack: bool = False
    #: Whether predictions for examples that the gold lacks are left out, not refused.
    may_exceed: bool = False
    #: What participants may know of an example of the gold, and predictions must match, as JSON can
    #: hold it: the number of tokens. None if there is nothing.
    shape: Callable[[Any], Any] = _no_shape
    #: The labels that predictions may use, from the gold's values; empty if any may.
    labels: Callable[[Sequence[Any]], Collection[str]] = _no_labels
    #: What is wrong with a prediction (value, shape, labels), for its author: "found 12 tokens,
    #: expected 13". None if it is usable. Labels are empty where participants may not know them.
    problem: Callable[[Any, Any, Collection[str]], Phrase | None] = _any_value
