"""Checks of single values, and of mappings whose keys have a check each.

Each check returns the value as the settings hold it, or raises ValueError with the expected form
("a whole number of at least 1"). Of a list or a mapping, it raises `WrongPart` with the part that
is wrong: the rest may name the teams, and a participant may read the message. A key of the
settings, or of a metric in them, is a field of a dataclass that holds its check.

The key ``metrics`` has most to check. scikit-learn has two names for most of its metrics, that of
the function ("f1_score") and that of the scorer ("f1_macro"). Here both name the metric, and so do
the usual short names ("mae"). Of scorers ``neg_…`` the positive error is shown.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime
from functools import partial
from typing import Any

import yaml

from ..core.cells import LONGEST_KEY
from ..core.errors import SettingsError, nearest, quoted
from ..core.folds import INDEPENDENT, Folds
from ..reading import formats, names
from ..reading.formats.kind import BLOCKS, WHITESPACE, FileDescription

Check = Callable[[Any], Any]

#: The labels of open answers.
ANY = "any"
#: Larger numbers are useless, and calculations with them may overflow.
_TOO_LARGE = 10**100
#: A message shows so many characters of a wrong value.
_CHARACTERS_SHOWN = 40


class WrongPart(ValueError):
    """A part of a list or mapping that is not of the expected form."""

    def __init__(self, expected: object, part: Any) -> None:
        super().__init__(str(expected))
        self.part = part


def checked_by(check: Check, default: Any = None, **facts: Any) -> Any:
    """Return the field of a key with its check, and with further ``facts`` about it."""
    return field(default=default, metadata={"check": check, **facts})


def checks_of(keys: Any) -> dict[str, Check]:
    """Return key → check of a dataclass of keys; its other fields have none."""
    return {key.name: key.metadata["check"] for key in fields(keys) if "check" in key.metadata}


def checked(
    values: Mapping[Any, Any],
    checks: Mapping[str, Check],
    where: Callable[[str], str],
    remedy: str = "",
) -> dict[str, Any]:
    """Return the checked values of keys that have checks; ``where`` says where one was set.

    Raises
    ------
    SettingsError
        An unknown key, with the ``remedy`` if no other is meant, or a value that fails its check.
    """
    values_of_keys = {}
    for key, value in values.items():
        place = where(str(key))
        if key not in checks:
            from ..core.meanings import instead  # late: few runs have a wrong key

            meant = instead(str(key), checks) or remedy
            raise SettingsError(f"{place}: unknown key {quoted(str(key))}{meant}")
        try:
            values_of_keys[key] = checks[key](value)
        except SettingsError:
            raise
        except ValueError as error:
            # What may have been meant stands last.
            expected, mark, meant = str(error).partition("; did you mean ")
            wrong = error.part if isinstance(error, WrongPart) else value
            refusal = f"expected {expected}; found {shown(wrong)}{mark}{meant}"
            raise SettingsError(f"{place}: {key}: {refusal}") from None
    return values_of_keys


def shown(value: Any) -> str:
    """Return a wrong value as a message shows it: visible, and of a long one its beginning."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, int) and abs(value) >= _TOO_LARGE:
        # Python writes no number of many thousand digits.
        value = value // 10 ** (int(abs(value).bit_length() * math.log10(2)) - _CHARACTERS_SHOWN)
    written = repr(value)
    if len(written) <= _CHARACTERS_SHOWN:
        return written
    return f"{written[: _CHARACTERS_SHOWN - 1]}…"


def text(value: Any) -> str:
    """Check text."""
    if not isinstance(value, str):
        raise ValueError("text")
    return value


def groups(value: Any) -> str | tuple[str, ...]:
    """Check the name of a column, or those of two different ones."""
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)) and len(value) == 2 and value[0] != value[1]:
        return tuple(map(text, value))
    raise ValueError("a column, or a list of two different ones")


def day(value: Any) -> str:
    """Check a date: text, or what YAML takes for a date."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    return text(value)


def address(value: Any) -> str:
    """Check the address of a page in the web, which may be empty."""
    if not isinstance(value, str) or not re.fullmatch(r"(https?://[^\s<>\"]+)?", value):
        raise ValueError("an address that starts with https:// or http://")
    return value


def text_or_number(value: Any) -> str:
    """Check a text, which may look like a whole number."""
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        return str(value)
    raise ValueError("a name")


def entry_name(value: Any) -> str:
    """Check the name of an entry, and spell it as the names of entries are spelled."""
    return names.printable(text_or_number(value)).strip()


def flag(value: Any) -> bool:
    """Check a truth value."""
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def whole(at_least: int) -> Check:
    """Return the check of a whole number."""

    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < at_least:
            raise ValueError(f"a whole number of at least {at_least}")
        if value >= _TOO_LARGE:
            raise ValueError("a whole number of at most 100 digits")
        return value

    return check


#: YAML 1.1 takes numbers such as 1e-3, without a point or without a sign, for text.
_WITH_EXPONENT = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)[eE][-+]?\d+", re.ASCII)


def _number(value: Any) -> float | None:
    """Return a number of the settings; None if the value is none."""
    if isinstance(value, str) and _WITH_EXPONENT.fullmatch(value):
        return float(value)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number else None


def between(low: float, high: float, unit: str = "") -> Check:
    """Return the check of a number between two bounds, both excluded."""

    def check(value: Any) -> float:
        number = _number(value)
        if number is None or not low < number < high:
            bounds = f"above {low:g}" if high == float("inf") else f"between {low:g} and {high:g}"
            raise ValueError(f"a number {bounds}{unit}")
        if number >= _TOO_LARGE:
            raise ValueError(f"a smaller number{unit}")
        return float(number)

    return check


def one_of(choices: Collection[str]) -> Check:
    """Return the check of a value that must be one of ``choices``."""

    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ValueError(f"one of {', '.join(choices)}{nearest(str(value), choices)}")
        return value

    return check


def file_format(choices: Collection[str]) -> Check:
    """Return the check of a format: one of ours, or one that an installed package provides."""
    ours = one_of(choices)

    def check(value: Any) -> str:
        return value if isinstance(value, str) and formats.is_known(value) else ours(value)

    return check


def optional(inner: Check) -> Check:
    """Return a check that also accepts null."""

    return lambda value: None if value is None else inner(value)


def each(inner: Check) -> Callable[[Any], tuple[Any, ...]]:
    """Return the check of a list, or of one item that stands for a list."""

    def check(value: Any) -> tuple[Any, ...]:
        return tuple(_part(inner, item) for item in (value if isinstance(value, list) else [value]))

    return check


def _part(check: Check, part: Any, of_which: str = "") -> Any:
    """Return a checked part of a list or mapping; else raise `WrongPart` that says ``of_which``."""
    try:
        return check(part)
    except WrongPart as error:
        raise WrongPart(f"{error}{of_which}", error.part) from None
    except ValueError as error:
        raise WrongPart(f"{error}{of_which}", part) from None


def any_of(choices: Collection[str]) -> Check:
    """Return the check of a list of ``choices``, which may be a text with commas: "pdf, png"."""
    check = each(one_of(choices))

    def split(value: Any) -> tuple[Any, ...]:
        if isinstance(value, str):
            value = [part.strip() for part in value.split(",")]
        return check(value)

    return split


def pair_of_entries(value: Any) -> tuple[str, str]:
    """Check the names of two different entries."""
    if isinstance(value, list) and len(value) == 2:
        first, second = (_part(entry_name, name) for name in value)
        if first != second:
            return first, second
    raise ValueError("pairs of two different names, such as [[seed 1, seed 2]]")


def name_pattern(value: Any) -> str:
    """Check a pattern such as ``{team}_run{run}``."""
    pattern = text(value)
    names.compile_pattern(pattern)
    return pattern


def labels(value: Any) -> tuple[str | int, ...] | str | None:
    """Check a list of labels, "any" or null; numbers stay numbers if all labels are numbers."""
    if value is None:
        return None
    if value == ANY:
        return ANY
    if isinstance(value, list) and len(value) >= 2 and len(set(map(str, value))) == len(value):
        if all(isinstance(item, int) and not isinstance(item, bool) for item in value):
            return tuple(value)
        if not any(isinstance(item, (list, dict)) or item is None for item in value):
            # true and false stay booleans until the gold shows how it writes them.
            return tuple(item if isinstance(item, bool) else str(item) for item in value)
    raise ValueError("a list of at least two different labels, or any")


def folds(value: Any) -> Folds | str:
    """Check how folds came about, or "none" of folds that are independent."""
    if value == INDEPENDENT:
        return INDEPENDENT
    checks = {name: whole(1) for name in ("repeats", "folds", "splits")}
    checks["test_share"] = between(0, 0.5)
    if not isinstance(value, dict) or not value.keys() <= checks.keys():
        raise ValueError("{repeats: r, folds: k}, {splits: J, test_share: q}, or none")
    checked = {key: _part(checks[key], part, f" for {key!r}") for key, part in value.items()}
    return Folds(**checked)


_COSTS = "the cost of each team, as in {A: 0.12, B: 0.5}, or the name of a column"


def costs(value: Any) -> Mapping[str, float] | str:
    """Check the costs of teams, numbers of 0 or more, or the name of a column that holds them.

    No message names a team: its name may be secret.
    """
    # A mapping or list on the command line that is not well formed is no name of a column.
    if isinstance(value, str) and value and not value.lstrip().startswith(("{", "[")):
        return value
    if not isinstance(value, Mapping) or not value:
        raise ValueError(_COSTS)
    checked: dict[str, float] = {}
    for place, (team, cost) in enumerate(value.items(), start=1):
        of_team = f"for team {place} of {len(value)}"
        name = entry_name(team)
        number = _number(cost)
        if number is None or not number >= 0:
            raise WrongPart(f"a number of 0 or more {of_team}, as in {{A: 0.12, B: 0.5}}", cost)
        if number >= _TOO_LARGE:
            raise WrongPart(f"a number below 1e+100 {of_team}, in a larger unit", cost)
        if name in checked:
            raise WrongPart(f"one cost {of_team}, whose name differs in spaces only", cost)
        checked[name] = float(number)
    return checked


def parameters(value: Any) -> Mapping[str, Any]:
    """Check the parameters of a function."""
    if not isinstance(value, dict):
        raise ValueError("parameters as {key: value}")
    return value


def limits(names: Mapping[str, str]) -> Check:
    """Return the check of limits: keys among ``names``, and whole numbers."""

    def check(value: Any) -> Mapping[str, int]:
        expectation = f"a mapping with keys among {', '.join(names)}"
        if not isinstance(value, Mapping):
            raise ValueError(expectation)
        for name in value:
            if name not in names:
                raise WrongPart(f"{expectation}{nearest(str(name), names)}", name)
        of_each = " for each limit"
        return {name: _part(whole(1), number, of_each) for name, number in value.items()}

    return check


def description(value: Any, *, gold: bool = False) -> FileDescription:
    """Check how files are described. The format of submissions is a setting of its own."""
    checks = _OF_GOLD if gold else _OF_SUBMISSIONS
    expectation = f"a mapping with keys among {', '.join(checks)}"
    if not isinstance(value, dict):
        raise ValueError(expectation)
    if unknown := [key for key in value if key not in checks]:
        raise WrongPart(f"{expectation}{nearest(str(unknown[0]), checks)}", unknown[0])
    checked = {key: _part(checks[key], part, f" for {key!r}") for key, part in value.items()}
    stated = FileDescription(**checked)
    names = [name for name in stated.stated.values() if not isinstance(name, int)]
    if stated.header is False and isinstance(stated.columns, Mapping) and names:
        raise ValueError("numbers, from 1, in 'columns', where 'header' is false")
    return stated


_NAMES_OF_COLUMNS = "a list of different names, or what each column holds: its name or number"
#: Roles that several columns may have together.
_OF_SEVERAL_COLUMNS = ("id", "unit", "system")


def _columns(value: Any, *, repeated: bool = False) -> tuple[str, ...] | Mapping[str, Any]:
    """Check the columns of a file: names in their order, or roles with names or numbers.

    Examples may be identified by several columns together, and a role may have a column of each
    class. The answers may have another name, too. Columns may be ``repeated`` where several metrics
    read one prediction.
    """
    if isinstance(value, list) and value and len(set(map(str, value))) == len(value):
        return tuple(map(text_or_number, value))
    if isinstance(value, dict) and value:
        columns = {str(role): _of_role(str(role), column) for role, column in value.items()}
        named = [column for role, column in columns.items() if role != "answer"]
        single = [column for column in named if isinstance(column, (str, int))]
        if repeated or len({*single}) == len(single):
            return columns
    raise ValueError(_NAMES_OF_COLUMNS)


def _of_role(role: str, value: Any) -> Any:
    """Check a column by its name or number, several columns, or class → column."""
    if isinstance(value, list) and len(value) > 1 and role in _OF_SEVERAL_COLUMNS:
        return tuple(map(_column, value))
    if isinstance(value, dict) and len(value) > 1:
        return {str(label): _column(column) for label, column in value.items()}
    return _column(value)


def _column(value: Any) -> str | int:
    if isinstance(value, (list, dict)):
        raise ValueError(_NAMES_OF_COLUMNS)
    return whole(1)(value) if isinstance(value, int) else text(value)


def _references(value: Any) -> tuple[str | int, ...] | str:
    if value == BLOCKS:
        return BLOCKS
    if isinstance(value, list) and len(value) > 1:
        columns = tuple(map(_column, value))
        if len({*columns}) == len(columns):
            return columns
    raise ValueError(f"a list of columns, by name or number, or {BLOCKS}")


def _usage(value: Any) -> Mapping[str, str]:
    parts = ("public", "private", "ignored")
    if not isinstance(value, dict) or not value or not {*value.values()} <= {*parts}:
        raise ValueError(f"words and their parts, which are {', '.join(parts)}")
    return {str(word): part for word, part in value.items()}


def _separator(value: Any) -> str:
    if not isinstance(value, str) or not value.strip("\r\n"):
        raise ValueError(f"the text between two cells, such as '\\t', or {WHITESPACE}")
    return value.replace("\\t", "\t")  # YAML keeps both letters between single quotes


def _items(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("the text between two items of a cell, such as ' '")
    return value


def _comment(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("the text with which comments begin, such as '#'")
    return value


#: Formats of reference data: those that may hold anything, and those that say what is where.
_FORMATS_OF_TEXT = ("csv", "lines", "json", "jsonl")
_DOCUMENTED = ("trec", "conll", "matrix", "npy", "npz")
#: What may be said of files, and the check of each.
_DESCRIBED: dict[str, Check] = {
    "columns": _columns,
    "separator": _separator,
    "header": flag,
    "skip_lines": whole(0),
    "comment": _comment,
    "decimal": one_of((",", ".")),
    "items": _items,
}
_OF_GOLD: dict[str, Check] = {
    **_DESCRIBED,
    "format": one_of((*_FORMATS_OF_TEXT, *_DOCUMENTED)),
    "file": text,
    "not_scored": each(text_or_number),
    "usage": _usage,
    "event": text,
    "references": _references,
}
_OF_SUBMISSIONS: dict[str, Check] = {
    **_DESCRIBED,
    "columns": partial(_columns, repeated=True),
    "holds": one_of(("score", "rank")),
    "join": one_of(("key", "position")),
    "others": one_of(("ignore", "error")),
    "classes": each(text_or_number),
    "leave_aside": each(text),
}


# Metrics ------------------------------------------------------------------------------------------


#: Averages over classes that change what a metric is called: "macro F1".
AVERAGES = ("macro", "micro", "weighted", "samples")
_AVERAGED = ("f1", "precision", "recall", "jaccard")
_SCORES = (
    "accuracy", "average_precision", "balanced_accuracy", "explained_variance", "r2", "roc_auc",
    "top_k_accuracy",
)  # fmt: skip
_ERRORS = (
    "log_loss", "max_error", "mean_absolute_error", "mean_absolute_percentage_error",
    "mean_gamma_deviance", "mean_poisson_deviance", "mean_squared_error", "mean_squared_log_error",
    "median_absolute_error", "root_mean_squared_error", "root_mean_squared_log_error",
)  # fmt: skip
#: What people call a metric, without signs and averages → how to write it.
_MEANT = {
    **dict.fromkeys(("acc", "exactaccuracy"), "accuracy_score"),
    **dict.fromkeys(("auc", "auroc", "rocauc", "areaundercurve"), "roc_auc_score"),
    **dict.fromkeys(("ap", "prauc", "auprc", "averageprecision"), "average_precision_score"),
    **dict.fromkeys(("qwk", "quadratickappa", "quadraticweightedkappa"),
                    "cohen_kappa_score: {weights: quadratic}"),
    **dict.fromkeys(("kappa", "cohenkappa", "cohenskappa"), "cohen_kappa_score"),
    **dict.fromkeys(("mcc", "matthews"), "matthews_corrcoef"),
    **dict.fromkeys(("fscore", "fmeasure", "f1score", "dice", "dsc"), "f1_score"),
    **dict.fromkeys(("iou", "jaccardindex"), "jaccard_score"),
    **dict.fromkeys(("logloss", "crossentropy", "nll", "ce"), "log_loss"),
    **dict.fromkeys(("brier", "brierscore"), "brier_score_loss"),
    **dict.fromkeys(("mae", "meanabsoluteerror", "l1"), "mean_absolute_error"),
    **dict.fromkeys(("mse", "meansquarederror", "l2"), "mean_squared_error"),
    **dict.fromkeys(("rmse",), "root_mean_squared_error"),
    **dict.fromkeys(("rmsle",), "root_mean_squared_log_error"),
    **dict.fromkeys(("mape",), "mean_absolute_percentage_error"),
    **dict.fromkeys(("rsquared", "r2score"), "r2_score"),
    **dict.fromkeys(("pearson", "pearsonsr", "pcc", "pearsoncorrelation"), "pearsonr"),
    **dict.fromkeys(("spearman", "spearmansrho", "srcc", "spearmancorrelation"), "spearmanr"),
    **dict.fromkeys(("map", "meanaverageprecision"), "AP"),
    **dict.fromkeys(("mrr", "meanreciprocalrank", "reciprocalrank"), "RR"),
    **dict.fromkeys(("wer",), "word_error_rate"),
    **dict.fromkeys(("cer",), "character_error_rate"),
    **dict.fromkeys(("rouge", "rougel"), "rougeL"),
    **dict.fromkeys(("em", "exactmatch"), "exact_match"),
    **dict.fromkeys(("cindex",), "concordance_index"),
}  # fmt: skip
#: Of these, the names of metrics; another is only understood.
_SHORT = ("mae", "mse", "rmse", "rmsle", "mcc", "kappa", "wer", "cer", "map", "mrr", "rouge")
#: Scorer, or short name → the metric, a function of sklearn.metrics or one of ours, and parameters.
SCORERS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    **{name: (f"{name}_score", {}) for name in (*_SCORES, *_AVERAGED)},
    **{
        f"{name}_{average}": (f"{name}_score", {"average": average})
        for name in _AVERAGED
        for average in AVERAGES
    },
    **{
        f"roc_auc_{kind}{ending}": ("roc_auc_score", {"multi_class": kind, **average})
        for kind in ("ovo", "ovr")
        for ending, average in (("", {}), ("_weighted", {"average": "weighted"}))
    },
    **{f"neg_{name}": (name, {}) for name in _ERRORS},
    "neg_brier_score": ("brier_score_loss", {}),
    **{name: (_MEANT[name], {}) for name in _SHORT},
    "qwk": ("cohen_kappa_score", {"weights": "quadratic"}),
}
#: So few letters are an abbreviation.
_ABBREVIATION = 3
#: Metrics that are models.
_LEARNED = (
    "comet", "xcomet", "metricx", "bertscore", "bleurt", "bartscore", "moverscore", "unieval",
    "geval", "clipscore", "frechetinceptiondistance", "fid", "llmjudge", "sbert", "yisi",
)  # fmt: skip


def suggestion(name: str, metrics: Collection[str]) -> str:
    """Return what to write in place of a name that no metric has, as the end of a sentence.

    By its meaning first, and only then by its letters. A learned metric has no other name: the text
    says how its scores enter.
    """
    words = [word for word in re.split(r"[\W_]+", name.casefold()) if word]
    plain = "".join(words)
    if any(word.startswith(_LEARNED) for word in (*words, plain)):
        return (
            "; it is a learned metric, whose model is no part of this program. Score every example "
            "with its own tool, and give the scores as a table (one column for each system; in "
            "Python to compare_scores), or as 'function: my_metric.py:score' with "
            "'greater_is_better: true'"
        )
    averages = [word for word in words if word in AVERAGES]
    measure = "".join(word for word in words if word not in (*AVERAGES, "score", "avg"))
    if averages and measure in _AVERAGED:
        return f"; write '{measure}_score: {{average: {averages[0]}}}'"
    if meant := _MEANT.get(plain) or _MEANT.get(measure):
        return f"; did you mean {meant!r}?"
    names = sorted({*metrics, *SCORERS})  # of several, the same in every run
    if len(name) <= _ABBREVIATION:  # one other letter makes it another one
        names = [
            candidate for candidate in names if candidate.casefold().startswith(name.casefold())
        ]
    return nearest(name, names)


_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.@-]*")
#: Keys in scores.txt that belong to no metric.
RESERVED_KEYS = frozenset(
    {
        "n_examples", "n_teams", "n_tied_with_leader", "duration",
        "rank", "tied_with_leader", "distance_from_best", "difference_from_leader", "p_value",
    }
)  # fmt: skip
#: The parameter of scikit-learn's functions that the reference data give as a column.
SAMPLE_WEIGHT = "sample_weight"


@dataclass(frozen=True)
class MetricSpec:
    """A metric in the settings: a function with parameters, or a formula over other metrics."""

    name: str = field(metadata={"check": text})
    function: str | None = checked_by(text)
    params: Mapping[str, Any] = field(default_factory=dict, metadata={"check": parameters})
    formula: str | None = checked_by(text)
    greater_is_better: bool | None = checked_by(flag)
    column: str | None = checked_by(text)
    #: The tasks that it scores; empty for all that it applies to.
    task: tuple[str, ...] = checked_by(each(text), ())
    #: What one example counts; then ``function`` scores the sums.
    statistics: str | None = checked_by(text)
    #: False: ``function`` scores what is counted of each example itself.
    sums: bool | None = checked_by(flag)
    #: False: only an ingredient of formulas, which needs no direction.
    show: bool | None = checked_by(flag)
    #: The kind of prediction or of data that a function needs.
    kind: str | None = checked_by(text)
    where: str = field(default="settings", compare=False)  # file and line, for messages
    call: Callable[..., Any] | None = field(default=None, repr=False)  # a function from Python

    @property
    def weight_column(self) -> str | None:
        """The column of the reference data with the examples' weights."""
        column = self.params.get(SAMPLE_WEIGHT)
        return column if isinstance(column, str) else None


#: Keys of the long form of a metric.
LONG_FORM: Mapping[str, Check] = {**checks_of(MetricSpec), SAMPLE_WEIGHT: text}


def keys_of(metric: str) -> tuple[str, str, str]:
    """Return the keys in scores.txt that belong to a metric: its score and its interval."""
    return metric, f"{metric}_ci_low", f"{metric}_ci_high"


def as_dict(spec: MetricSpec) -> dict[str, Any]:
    """Return a metric's settings as results.json records them."""
    return {
        key: value
        for key, value in vars(spec).items()
        if key not in ("where", "call") and value not in (None, {}, ())
    }


def read_metrics(value: Any, lines: Mapping[str, str]) -> tuple[MetricSpec, ...]:
    """Read the value of ``metrics``; ``lines`` says where each metric was set.

    Raises
    ------
    SettingsError
        A metric that is malformed, or whose keys of scores.txt are taken.
    ValueError
        No metric at all.
    """
    items = value if isinstance(value, list) else [value]
    if not items:
        raise ValueError("at least one metric")
    specs: list[MetricSpec] = []
    taken = set(RESERVED_KEYS)
    for index, item in enumerate(items):
        where = lines.get(f"metrics[{index}]", lines.get("metrics", "settings"))
        spec = _read_metric(item, where)
        if spec.name in {earlier.name for earlier in specs}:
            raise SettingsError(
                f"{where}: two metrics are called {spec.name!r}; give one of them another name, as "
                f"in {{name: {spec.name}_2, function: {spec.function or '…'}, params: {{…}}}}"
            )
        keys = set(keys_of(spec.name))
        if clash := min(keys & taken, default=None):
            raise SettingsError(
                f"{where}: the metric {spec.name!r} would need the key {clash!r} of scores.txt, "
                "which is taken; give it another 'name'"
            )
        taken |= keys
        specs.append(spec)
    if all(spec.show is False for spec in specs):
        raise ValueError("at least one metric with 'show: true'")
    return tuple(specs)


def _read_metric(item: Any, where: str) -> MetricSpec:
    """Read one item of ``metrics``: a name, a name with parameters, or the long form.

    A call from Python may have made a `MetricSpec` of it already.
    """
    if isinstance(item, MetricSpec):
        spec = item
    elif isinstance(item, str):
        spec = MetricSpec(name=item, function=item, where=where)
    elif isinstance(item, dict) and {"name", "function"} & item.keys():
        function_name = (
            str(item.get("function")).removeprefix("sklearn.metrics.").rpartition(":")[2]
        )
        spec = _read_long_form({"name": function_name, **item}, where)
    elif (
        isinstance(item, dict) and len(named := [key for key in item if key not in LONG_FORM]) == 1
    ):
        ((name, params),) = [(key, item[key]) for key in named]
        if params is not None and not isinstance(params, dict):
            raise SettingsError(f"{where}: write the parameters of {name!r} as {{key: value}}")
        beside = {key: value for key, value in item.items() if key != name}
        long_form = {"name": str(name), "function": str(name), "params": params or {}, **beside}
        spec = _read_long_form(long_form, where)
    else:
        raise SettingsError(
            f"{where}: write a metric as 'f1_score', as 'f1_score: {{average: macro}}', "
            "or with 'name:' and 'function:'"
        )
    if spec.call is None and (meant := SCORERS.get(spec.function or "")):
        function, params = meant
        name = spec.name.removeprefix("neg_") if spec.name == spec.function else spec.name
        spec = replace(spec, name=name, function=function, params={**params, **spec.params})
    name = spec.name
    if not _KEY.fullmatch(name) or len(name) > LONGEST_KEY or yaml.safe_load(name) != name:
        raise SettingsError(
            f"{where}: the metric name {name!r} becomes a key in scores.txt; use at most "
            f"{LONGEST_KEY} ASCII letters, digits, '_', '-', '.' or '@', start with a letter or "
            "'_', do not use a special word of YAML, and name the function with 'function:'"
        )
    return spec


def _read_long_form(item: Mapping[str, Any], where: str) -> MetricSpec:
    remedy = "; a parameter of the function goes under 'params:'"
    values = checked(item, LONG_FORM, lambda _: where, remedy)
    if ("function" in values) == ("formula" in values):
        raise SettingsError(
            f"{where}: metric {values['name']!r} needs either 'function:' or 'formula:'"
        )
    is_organizers = ":" in values.get("function", "")
    if ("statistics" in values and not is_organizers) or ("kind" in values and "formula" in values):
        key = "statistics" if "statistics" in values else "kind"
        raise SettingsError(
            f"{where}: metric {values['name']!r}: '{key}:' goes with a function of your own, "
            "such as 'function: my_metric.py:score'"
        )
    if "sums" in values and "statistics" not in values:
        raise SettingsError(
            f"{where}: metric {values['name']!r}: 'sums:' goes with 'statistics:', which counts "
            "one example"
        )
    if SAMPLE_WEIGHT in values:  # the parameter may also stand outside of 'params:'
        values["params"] = {**values.get("params", {}), SAMPLE_WEIGHT: values.pop(SAMPLE_WEIGHT)}
    if "formula" in values and SAMPLE_WEIGHT in values.get("params", {}):
        raise SettingsError(
            f"{where}: metric {values['name']!r}: '{SAMPLE_WEIGHT}:' goes with a function; give it "
            "to the metrics that the formula names"
        )
    return MetricSpec(**values, where=where)
