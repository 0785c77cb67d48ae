"""What the names of columns say: units, systems and tasks, or times, ranks and counters."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...core import cells

#: What columns are called, in small letters without spaces, hyphens, underscores and "id"; among
#: them the names in the examples of challengeR (Wiesenfarth et al. 2021).
SYSTEM_NAMES = frozenset(
    (
        "system", "systemname", "team", "teamname", "algorithm", "algorithmname", "algo", "alg",
        "algname", "model", "modelname", "method", "classifier", "participant", "submission",
        "entry", "competitor",
    )
)  # fmt: skip
#: A user is an annotator where another column names what was judged.
USER = "user"
#: Names of columns of units, in small letters.
UNIT_NAMES = frozenset(
    (
        "unit", "case", "testcase", "query", "q", "topic", "fold", "subject", "patient", USER,
        "question", "item", "image", "scan", "example", "document", "doc", "instance", "dataset",
        "repeat", "repetition", "split", "segment", "seg", "sentence", "call", "utterance", "clip",
        "recording", "problem",
    )
)  # fmt: skip
SAMPLE_NAMES = frozenset(("sample", "samples", "attempt", "trial"))
TASK_NAMES = frozenset(("task", "taskname", "subtask"))
#: How cells say that there is no score.
_NO_SCORE = frozenset(("", "na", "n/a", "nan", "none", "null"))
ANNOTATOR = "an annotator"
#: Any word of a column's name, in small letters.
_ANNOTATORS = frozenset(
    (
        "annotator", "annotators", "rater", "judge", "judges", "worker", "assessor", "evaluator",
        "reviewer", "coder",
    )
)  # fmt: skip
#: The last word of a column's name → what the column looks like.
_LAST_WORDS = {
    word: kind
    for kind, words in (
        ("a time", "time times timestamp tstamp date datetime seconds sec secs ms milliseconds"),
        ("a time", "minutes hours duration latency elapsed runtime created updated"),
        ("a statistic", "std stdev stddev sd sem stderr variance pvalue pval"),
    )
    for word in words.split()
}
#: The same, if all cells are whole numbers.
_OF_WHOLE_NUMBERS = {
    word: kind
    for kind, words in (
        ("an id", "id ids uid uuid guid idx index key hash no nr number"),
        ("a rank", "rank ranks ranking position place order"),
        ("a counter", "counter count counts n line row step steps epoch iteration iter seed run"),
        ("a counter", "round turn length len size tokens words chars characters version batch"),
        ("a time", "year month day"),
    )
    for word in words.split()
}
#: Both words of a column's name.
_TWO_WORDS = {("p", "value"): "a statistic", ("p", "val"): "a statistic"}
#: Units of time behind such a word ("runtime_s").
_UNITS_OF_TIME = frozenset(("s", "min", "h"))
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
#: Units of lines that sum up the others.
SUMMARIES = frozenset(
    (
        *("mean", "average", "avg", "std", "sd", "stdev", "median", "total", "sum", "overall"),
        *("all", "macro avg", "micro avg", "weighted avg"),
    )
)
#: Columns of wide tables that are made from those of systems, or from the correct answers.
_OF_OTHERS = SUMMARIES | {"max", "maximum", "min", "minimum", "best", "worst", "oracle"}
_OF_ANSWERS = frozenset(("label", "labels", "gold", "truth", "correct", "answer", "target"))


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is no score."""
    return cell.casefold() in _NO_SCORE


def looks_like(name: str, values: Sequence[str]) -> str | None:
    """Return what a column looks like by its name; None if it may hold scores or predictions."""
    words = tuple(word.casefold() for word in _WORD.findall(name))
    if not words:
        return None
    if not _ANNOTATORS.isdisjoint(words):
        return ANNOTATOR
    last = words[-2] if words[-1] in _UNITS_OF_TIME and len(words) > 1 else words[-1]
    meaning = _LAST_WORDS.get(last) or _TWO_WORDS.get(words)
    if meaning is None and cells.are_integers(given_cells(values)):
        meaning = _OF_WHOLE_NUMBERS.get(words[-1])
    return meaning


def looks_like_no_system(name: str) -> str | None:
    """Return what a column of a wide table looks like by its name; None if it may be a system's."""
    words = [word.casefold() for word in _WORD.findall(name)]
    if " ".join(words) in _OF_OTHERS:
        return "a summary of other columns"
    return None if _OF_ANSWERS.isdisjoint(words) else "correct answers"


def given_cells(values: Sequence[str]) -> list[str]:
    """Return the cells that hold something."""
    return [cell for cell in values if not is_missing(cell)]


def plain_name(name: str) -> str:
    """Return a column's name in small letters, without signs and "id"."""
    plain = re.sub(r"[\W_]+", "", name.casefold())
    return plain.removesuffix("id") or plain
