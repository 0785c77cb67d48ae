"""What a format is, and what a kind of data is: all that the other steps know of it.

A kind of data says what one example holds: a row of cells, a text, a tagged sentence. Its module
reads files into a `Table` with one row per example, whose cells may be any hashable value: a text,
a tuple of tags. Every later step joins, checks and scores such a table like one of labels.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...core.phrases import Phrase
from ..table import Table
from .raw import Content

#: Examples that are rows of cells, each a label or a number.
ROWS = "rows"


@dataclass(frozen=True)
class Format:
    """A file format: its extensions, what the page calls it, and the reader of its bytes.

    ``label`` is a name that is the same in every language, or a note with words of each.
    """

    extensions: tuple[str, ...]
    label: str | Phrase
    read: Callable[[Content], Table]


def is_texts(value: Any) -> bool:
    """Whether a value is a tuple of texts."""
    return isinstance(value, tuple) and all(isinstance(item, str) for item in value)


@dataclass(frozen=True)
class ExampleKind:
    """A kind of data other than rows.

    ``read`` takes the content of a file, of the gold or of predictions. It returns a table whose
    header is known. A column "id" identifies the examples, if there is one. Other columns, such as
    the document of a sentence, can be groups, strata or slices. It raises SubmissionError, with
    file, line and remedy.

    Nothing here may need more than the standard library, because the starting kit contains it.
    """

    name: str  # also what ``kind`` in the settings and `metrics.Definition.kind` call it
    read: Callable[[Content], Table]
    #: Reads the examples alone, as participants have them, of a file in a format of this kind or in
    #: plain text: a table of the column "shape", and of "id" if they have ids. None if the number
    #: of examples and their ids say all.
    read_inputs: Callable[[Content], Table] | None = None
    #: What messages call an example, and several, where it is more than a row of a table.
    example: tuple[Phrase, Phrase] | None = None
    #: Formats that only this kind has: the setting ``format`` and the extensions know them.
    formats: Mapping[str, Format] = field(default_factory=dict)
    #: Whether a file of it may be a table, which the organizer can describe.
    is_table: bool = True
    #: The delimiters that make a plain text file a table if one splits all of its lines.
    delimiters: str = ""
    #: Whether the content of a gold file is unmistakably of this kind.
    recognizes: Callable[[Content], bool] = lambda content: False
    #: Whether the beginning of a file whose name has no usual extension is unmistakably of this
    #: kind: gold or predictions.
    begins: Callable[[bytes], bool] = lambda head: False
    #: Names of the functions that score it if the settings name no metric; the first ranks.
    metrics: tuple[str, ...] = ()
    #: Parameters of some of these functions.
    params: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    #: Names of its target columns, best first, beside the usual ones.
    names: Sequence[str] = ()
    #: What stands for a missing prediction where it counts as wrong; None if nothing can.
    absent: Any = None
    #: Whether a missing prediction always counts as wrong, whatever ``missing`` says.
    may_lack: bool = False
    #: Whether predictions for examples that the gold lacks are left out, not refused.
    may_exceed: bool = False
    #: What participants may know of an example of the gold, and predictions must match, as JSON can
    #: hold it: the number of tokens. None if there is nothing.
    shape: Callable[[Any], Any] = lambda value: None
    #: The labels that predictions may use, from the gold's values; empty if any may.
    labels: Callable[[Sequence[Any]], Collection[str]] = lambda values: ()
    #: What is wrong with a prediction (value, shape, labels), for its author: "found 12 tokens,
    #: expected 13". None if it is usable. Labels are empty where participants may not know them.
    problem: Callable[[Any, Any, Collection[str]], Phrase | None] = lambda value, shape, labels: (
        None
    )
    #: What is wrong with all predictions together (golds, predictions): none has to do with any
    #: gold, so that every score would be zero. None if some do.
    unrelated: Callable[[Sequence[Any], Sequence[Any]], Phrase | None] = lambda golds, found: None
    #: How many times as much is read as of most kinds, in the time that other processes take to
    #: start.
    speed: int = 1
    #: What a value from Python must be, "a list of tags", if it is not: no reader has seen it. The
    #: second argument says whether it is gold. Lists come as tuples.
    wanted: Callable[[Any, bool], str | None] = lambda value, is_gold: None
    #: What a value is made of, such as words: how to count it, and how much of it every
    #: prediction may hold, however little the gold's do. The bound of a test set is
    #: `limits.most_of`.
    sizes: Mapping[Phrase, tuple[Callable[[Any], int], int]] = field(default_factory=dict)
