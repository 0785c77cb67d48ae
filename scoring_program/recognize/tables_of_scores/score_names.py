"""What names of columns say, such as units and systems, and how messages ask for what they hide."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import yaml

from ...core import cells
from ...core.cells import LONGEST_KEY
from ...reading.table import Table
from ...recognize.usual_names import ANSWER_NAMES
from ..of_kinds.roles_by_name import is_id
from ..usual_names import is_nameless

#: The key of directions.
BETTER = "greater_is_better"
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
#: Words of columns whose units share training data: rounds of a cross-validation.
_FOLD_WORDS = frozenset(("fold", "split", "repeat", "round", "cv", "iteration"))
#: Words of columns whose units are runs of the systems: other seeds on the same test set.
_RUN_WORDS = frozenset(("seed", "seeds", "run", "runs"))
SAMPLE_NAMES = frozenset(("sample", "samples", "attempt", "trial"))
#: What tells the runs of a method apart.
SEED_NAMES = frozenset(("seed", "randomseed"))
_METRIC_NAMES = frozenset(("metric", "metricname", "metrics", "measure", "scorer"))
TASK_NAMES = frozenset(("task", "taskname", "subtask"))
#: How cells say that there is no score.
_NO_SCORE = frozenset(("", "na", "n/a", "nan", "none", "null"))
#: Words of cells that are numbers, in small letters.
_DIGITS = {"true": "1", "false": "0"}
ANNOTATOR = "an annotator"
A_STATISTIC = "a statistic"
AN_ID = "an id"
A_UNIT = "a unit"
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
        (A_STATISTIC, "std stdev stddev sd sem stderr variance pvalue pval"),
    )
    for word in words.split()
}
#: The same, if all cells are whole numbers.
_OF_WHOLE_NUMBERS = {
    word: kind
    for kind, words in (
        (AN_ID, "id ids uid uuid guid idx index key hash no nr number"),
        ("a rank", "rank ranks ranking position place order"),
        ("a counter", "counter count counts n line row step steps epoch iteration iter seed run"),
        ("a counter", "round turn length len size tokens words chars characters version batch"),
        ("a time", "year month day"),
    )
    for word in words.split()
}
#: Both words of a column's name.
_TWO_WORDS = {("p", "value"): A_STATISTIC, ("p", "val"): A_STATISTIC}
#: Units of time behind such a word ("runtime_s").
_UNITS_OF_TIME = frozenset(("s", "min", "h"))
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
#: Words of units of lines that sum up the others.
SUMMARIES = frozenset(
    (
        *("mean", "average", "avg", "std", "sd", "stdev", "median", "total", "sum", "overall"),
        *("all", "max", "maximum", "min", "minimum", "best", "worst", "geomean", "aggregate"),
    )
)
#: Words beside them ("macro avg", "mean score").
_QUALIFIERS = frozenset(("macro", "micro", "weighted", "score", "scores"))
#: Columns of wide tables that are made from those of systems, or from the correct answers.
_OF_OTHERS = SUMMARIES | {"oracle", "diff", "difference", "delta", "gap"}
#: Columns of wide tables that say something of units.
_OF_UNITS = frozenset(("weight", "weights", "difficulty", "sample weight"))
#: The first word of a column that says whether something holds of a unit ("is_hard").
_SAYS_WHETHER = frozenset(("is", "has", "was"))
#: Cells of long tables that no system is called by; "all" and "best" may be.
STATISTICS = SUMMARIES - {"overall", "all", "best", "worst"}
_OF_ANSWERS = frozenset(
    ("label", "labels", "gold", "truth", "true", "ground", "correct", "answer", "target")
)


#: What cells call a part of the data, in small letters → the part.
_PARTS = {
    word: words.split()[0]
    for words in (
        "train training", "dev development val valid validation", "test testing",
        "public", "private", "ignored",
    )
    for word in words.split()
}  # fmt: skip


def metrics_apart(file: str, columns: Mapping[str, Sequence[str]]) -> str:
    """Return why a column names metrics whose scores are below each other; "" if none does."""
    for name, values in columns.items():
        if plain_name(name) in _METRIC_NAMES and len({*values}) > 1:
            return (
                f"{file}: the column {name!r} names several metrics, whose scores are no scores of "
                "one; give each metric a column of its own, or keep the lines of one"
            )
    return ""


def parts_apart(file: str, columns: Mapping[str, Sequence[Any]]) -> str:
    """Return why a column tells training data, test data and the like apart; "" if none does."""
    for name, values in columns.items():
        if not len(values) or str(values[0]).casefold() not in _PARTS:
            continue
        outcomes = {_PARTS.get(str(value).casefold()) for value in cells.different(values)}
        if len(outcomes) > 1 and None not in outcomes:
            usage = "; in a gold, 'Usage' keeps public rows apart" if "private" in outcomes else ""
            return (
                f"{file}: the column {name!r} tells parts of the data apart, such as training and "
                "test data, or public and private rows, but all rows would count. Remove those "
                f"that do not count or, if all do, the column{usage}"
            )
    return ""


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is no score."""
    return cell.casefold() in _NO_SCORE


def is_score(cell: str) -> bool:
    """Whether a cell is a number; true and false are 1 and 0."""
    return cells.is_number(cell) or cell.casefold() in _DIGITS


def score_numbers(values: Sequence[str]) -> list[float]:
    """Return cells as numbers [n], true and false being 1 and 0, nan where a cell is none."""
    return cells.numbers([*map(_as_digit, values)])


def _as_digit(cell: str) -> str:
    return _DIGITS.get(cell.casefold(), cell) if cell[:1] in "tTfF" else cell


def with_numbers(table: Table, names: Sequence[str]) -> Table:
    """Return a table with 1 and 0 in place of true and false in some columns."""
    columns = dict(table.named)
    for name in names:
        columns[name] = [*map(_as_digit, columns[name])]
    return table.with_columns(columns)


def looks_like(name: str, values: Iterable[str]) -> str | None:
    """Return what a column looks like by its name; None if it may hold scores or predictions."""
    words = tuple(word.casefold() for word in _WORD.findall(name))
    if not words:
        return None
    if not _ANNOTATORS.isdisjoint(words):
        return ANNOTATOR
    last = words[-2] if words[-1] in _UNITS_OF_TIME and len(words) > 1 else words[-1]
    meaning = _LAST_WORDS.get(last) or _TWO_WORDS.get(words)
    of_numbers = _OF_WHOLE_NUMBERS.get(words[-1])
    if meaning is None and of_numbers and cells.are_integers(given_cells(values)):
        return of_numbers
    return meaning


def looks_like_no_system(name: str) -> str | None:
    """Return what a column of a wide table looks like by its name; None if it may be a system's.

    "fold1" is a unit, which has a line of its own. "Q4" and "CLIP-32" may be models.
    """
    words = [word.casefold() for word in _WORD.findall(name)]
    numbered = len(words) > 1 and words[-1].isdigit()
    if numbered and {*words[:-1]} <= (UNIT_NAMES | {"seed"}) - {USER, "q", "clip", "seg"}:
        return A_UNIT
    if sums_up(" ".join(words), _OF_OTHERS):
        return "a summary of other columns"
    if " ".join(words) in _OF_UNITS or (len(words) > 1 and words[0] in _SAYS_WHETHER):
        return "a fact about units"
    return "correct answers" if words and _OF_ANSWERS.issuperset(words) else None


def is_name_of_systems(name: str) -> bool:
    """Whether a column, or an index, of that name holds systems."""
    return plain_name(name) in SYSTEM_NAMES


def is_name_of_units(name: str) -> bool:
    """Whether a column, or an index, of that name holds units."""
    return plain_name(name) in UNIT_NAMES or is_id(name)


def sums_up(name: str, words_of_sums: frozenset[str] = SUMMARIES) -> bool:
    """Whether all words of a name say that it sums up others, such as "Avg." and "macro avg"."""
    words = {word.casefold() for word in re.findall(r"[^\W_]+", name)}
    return not words_of_sums.isdisjoint(words) and words <= words_of_sums | _QUALIFIERS


def unlike_entries(columns: Mapping[str, Iterable[str]]) -> list[str]:
    """Return why columns beside a gold may hold no entry's predictions; empty if none is odd."""
    meanings = {
        name: "an id"
        if is_id(name) or is_nameless(name)
        else A_UNIT
        if plain_name(name) in UNIT_NAMES
        else "correct answers"
        if name.casefold() in ANSWER_NAMES
        else looks_like(name, values) or looks_like_no_system(name)
        for name, values in columns.items()
    }
    return [f"{name!r} looks like {kind}" for name, kind in meanings.items() if kind]


def given_cells(values: Iterable[str]) -> list[str]:
    """Return the cells that hold something."""
    return [cell for cell in values if not is_missing(cell)]


def plain_name(name: str) -> str:
    """Return a column's name in small letters, without signs and "id"."""
    plain = re.sub(r"[\W_]+", "", name.casefold())
    return plain.removesuffix("id") or plain


# Questions ----------------------------------------------------------------------------------------


def _metric_of(column: str, better: bool | None) -> dict[str, Any]:
    """Return the metric that settings state for a column of scores."""
    name = score_key(column)
    metric = {"name": name, "function": "mean_score"}
    if name != column:
        metric["column"] = column
    return {**metric, BETTER: better}


def asks(values: Mapping[str, Any], *, in_python: bool = False) -> str:
    """Return the end of a sentence that asks for settings, with the settings to paste.

    They are lines of the settings file or, ``in_python``, arguments. A direction that is None is
    open: it is written as higher, with the remark that it may be lower. ``metrics`` maps columns to
    directions.
    """
    stated: dict[str, Any] = {}
    for key, value in values.items():
        if key == "metrics":
            stated[key] = [_metric_of(column, better) for column, better in value.items()]
        else:
            stated[key] = value
    if in_python:
        filled: dict[str, Any] = _filled(stated)
        written = ", ".join(f"{key}={value!r}" for key, value in filled.items())
        remark = "" if filled == stated else "; write False where a lower score is better"
        return f"with {written}{remark}"
    lines = []
    for key, value in stated.items():
        lines.append("metrics:" if key == "metrics" else f"{key}: {_in_yaml(value)}")
        for spec in value if key == "metrics" else ():
            starts = ["  - ", *["    "] * len(spec)]
            pairs = zip(starts, spec.items(), strict=False)
            lines += [f"{start}{name}: {_in_yaml(text)}" for start, (name, text) in pairs]
    return "in ref/scoring.yaml:\n" + "\n".join(lines)


def _filled(value: Any) -> Any:
    """Return what is asked for where True stands for a direction that is open."""
    if isinstance(value, Mapping):
        return {key: _filled(item) for key, item in value.items()}
    if isinstance(value, list):
        return [*map(_filled, value)]
    return True if value is None else value


def _in_yaml(value: Any) -> str:
    """Return a value as YAML writes it in one line; None is a direction that is open."""
    if value is None:
        return "true   # or false"
    text = yaml.safe_dump([value], default_flow_style=True, width=float("inf"), allow_unicode=True)
    return str(text).strip()[1:-1]


def score_key(column: str) -> str:
    """Return the name of a column of scores as a key of scores.txt."""
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "_", column).strip("_")[:LONGEST_KEY]
    return plain if plain[:1].isalpha() else f"score_{plain}"[:LONGEST_KEY]


def names_folds(column: str) -> bool:
    """Return whether a column of units is called like the folds of a cross-validation."""
    return not _FOLD_WORDS.isdisjoint(_words(column))


def names_runs(column: str) -> bool:
    """Return whether a column of units is called like runs of the systems with other seeds."""
    return not _RUN_WORDS.isdisjoint(_words(column))


def _words(column: str) -> set[str]:
    return {word.casefold() for word in re.findall(r"[^\W_]+", column)}
