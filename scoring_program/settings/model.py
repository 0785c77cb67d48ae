"""The organizer's settings: ``scoring.yaml`` and command-line options become one frozen `Settings`.

Every key is a field below, with its check and its help text beside it; the command line offers the
same fields as options. Unknown keys are errors, because a misspelt setting silently ignored would
decide a competition by its default.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import yaml

from ..core.errors import SettingsError, nearest
from ..core.options import BACKENDS, COLOR_SCHEMES, INTERVALS, TESTS, TIE_RULES
from ..reading import names
from ..reading.formats import FORMATS
from ..reading.limits import DEFAULT, Limits
from .safe_yaml import read_yaml

#: Names of the settings file in the reference data.
FILE_NAME = "scoring.yaml"

_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
LONGEST_KEY = 36  # Codabench stores leaderboard keys in a column of this width
#: Keys of scores.txt that belong to no metric.
RESERVED_KEYS = frozenset(
    {
        "n_examples", "n_teams", "n_tied_with_leader", "duration",
        "rank", "tied_with_leader", "difference_from_leader", "p_value",
    }
)  # fmt: skip


@dataclass(frozen=True)
class MetricSpec:
    """A metric as the settings name it: a function with parameters, or a formula over others."""

    name: str
    function: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    formula: str | None = None
    greater_is_better: bool | None = None
    column: str | None = None
    where: str = field(default="settings", compare=False)  # file and line, for messages


Check = Callable[[Any], Any]

#: Numbers from here on are nobody's wish, and what is computed from them may overflow.
_TOO_LARGE = 10**100


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("a text")
    return value


def _entry_name(value: Any) -> str:
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        return str(value)
    raise ValueError("a name")


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def _whole(at_least: int) -> Check:
    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < at_least:
            raise ValueError(f"a whole number, at least {at_least}")
        if value >= _TOO_LARGE:
            raise ValueError("a whole number of at most 100 digits")
        return value

    return check


def _between(low: float, high: float, unit: str = "") -> Check:
    def check(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low < value < high:
            bounds = f"above {low:g}" if high == float("inf") else f"between {low:g} and {high:g}"
            raise ValueError(f"a number {bounds}{unit}")
        if value >= _TOO_LARGE:
            raise ValueError(f"a smaller number{unit}")
        return float(value)

    return check


def _one_of(*choices: str) -> Check:
    def check(value: Any) -> str:
        if value not in choices:
            raise ValueError(f"one of {', '.join(choices)}{nearest(str(value), choices)}")
        return str(value)

    return check


def _maybe(inner: Check) -> Check:
    def check(value: Any) -> Any:
        return None if value is None else inner(value)

    return check


def _pattern(value: Any) -> str:
    pattern = _text(value)
    names.compiled(pattern)
    return pattern


def _each(inner: Check) -> Check:
    def check(value: Any) -> tuple[Any, ...]:
        return tuple(inner(item) for item in (value if isinstance(value, list) else [value]))

    return check


def _language(value: Any) -> str:
    # Imported here because only a run that renders needs the page's modules.
    from ..report.language import available

    return str(_one_of(*available())(value))


def _labels(value: Any) -> tuple[str | int, ...] | None:
    if value is None:
        return None
    if isinstance(value, list) and len(value) >= 2 and len(set(map(str, value))) == len(value):
        if all(isinstance(item, int) and not isinstance(item, bool) for item in value):
            return tuple(value)
        if not any(isinstance(item, (list, dict)) or item is None for item in value):
            # true and false stay flags until the gold says how it writes them.
            return tuple(item if isinstance(item, bool) else str(item) for item in value)
    raise ValueError("a list of at least two different labels")


def _setting(default: Any, check: Check, text: str) -> Any:
    return field(default=default, metadata={"check": check, "help": text})


def _choice(default: str, choices: Sequence[str], text: str) -> Any:
    return _setting(default, _one_of(*choices), f"{text}: {' | '.join(choices)}")


@dataclass(frozen=True)
class Settings:
    """What the organizer decided; every field is a key of ``scoring.yaml`` with its default."""

    title: str = _setting("", _text, "title of the competition, shown on the page")
    metrics: tuple[MetricSpec, ...] = field(default=())
    rank_by: str | None = _setting(
        None, _maybe(_text), "metric that ranks (default: the first of 'metrics')"
    )
    resamples: int = _setting(10_000, _whole(100), "number of bootstrap resamples")
    seed: int = _setting(0, _whole(0), "seed of the random numbers, recorded with the results")
    confidence: float = _setting(
        0.95, _between(0.5, 1), "confidence of intervals; 1 − it is the level of tests"
    )
    interval: str = _choice("percentile", INTERVALS, "bootstrap interval of each score")
    tie_rule: str = _choice("max_t", TIE_RULES, "rule that says who is tied with the leader")
    group: str | None = _setting(
        None, _maybe(_text), "column of the reference data whose groups are resampled whole"
    )
    stratify: str | None = _setting(
        None,
        _maybe(_text),
        "column whose strata keep their sizes; only where the design fixed those sizes, "
        "on an ordinary random test set intervals become too short",
    )
    layout: str = _choice(
        "auto", ("auto", "single", "teams", "wide"), "how the submissions are laid out"
    )
    format: str = _choice("auto", ("auto", *FORMATS), "format of the submissions' files")
    name_pattern: str | None = _setting(
        None,
        _maybe(_pattern),
        "how names of files or folders carry team and run, such as {team}_run{run}",
    )
    runs: str = _choice("all", ("all", "best", "last"), "which runs of a team with several compete")
    missing: str = _choice(
        "error",
        ("error", "wrong"),
        "what a missing prediction is, an error or (classification) a wrong answer",
    )
    labels: tuple[str | int, ...] | None = _setting(
        None, _labels, "the labels a prediction may take (default: those of the gold)"
    )
    id_column: str | None = _setting(
        None, _maybe(_text), "column that identifies an example (default: recognised by name)"
    )
    baselines: tuple[str, ...] = _setting(
        (), _each(_entry_name), "entries that are shown and tested but cannot win"
    )
    reference_entry: str | None = _setting(
        None, _maybe(_entry_name), "compare with this entry instead of the leader"
    )
    tests: tuple[str, ...] = _setting(
        (),
        _each(_one_of(*TESTS)),
        "more tests of every entry against the leader or the reference entry: " + " | ".join(TESTS),
    )
    anonymize: bool = _setting(False, _flag, "call the entries Team 1, Team 2, … in every output")
    language: str = _setting("en", _language, "language of the page and the tables: en, es")
    color_scheme: str = _choice(
        "auto", COLOR_SCHEMES, "colours of the page, the reader's own (auto) or one for everybody"
    )
    strict: bool = _setting(False, _flag, "stop if any team's submission is unusable")
    time_budget: float | None = _setting(
        None,
        _maybe(_between(0, float("inf"), " (seconds)")),
        "seconds from start to end that a run may take: fewer resamples are drawn, at least 100",
    )
    memory: float = _setting(
        2.0,
        _between(0.1, float("inf"), " (GiB)"),
        "memory that resampling and inference may use, in GiB",
    )
    workers: int = _setting(2, _whole(1), "workers that score resamples")
    backend: str = _choice(
        "auto", BACKENDS, "what runs the workers; dask and ray reach an existing cluster"
    )
    scheduler: str | None = _setting(None, _maybe(_text), "address of the dask or ray scheduler")
    largest_file: int = _setting(
        DEFAULT.largest_file, _whole(1), "megabytes that a file of predictions may have"
    )
    largest_upload: int = _setting(
        DEFAULT.largest_upload, _whole(1), "megabytes that an archive may unfold to"
    )
    most_files: int = _setting(DEFAULT.most_files, _whole(1), "files that an archive may unfold to")
    most_ratio: int = _setting(
        DEFAULT.most_ratio, _whole(1), "how many times its size an archive may unfold to"
    )
    most_nested: int = _setting(
        DEFAULT.most_nested, _whole(1), "how deep archives may lie inside archives"
    )
    lines: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def limits(self) -> Limits:
        """What an upload may ask of this machine."""
        return Limits(**{item.name: getattr(self, item.name) for item in fields(Limits)})

    def where(self, key: str) -> str:
        """Return where ``key`` was set ("scoring.yaml, line 4: group"), for messages."""
        return f"{self.lines.get(key, 'settings')}: {key}"


#: Fields that are single values with a check: the keys that are also command-line options.
OPTIONS = tuple(item for item in fields(Settings) if "check" in item.metadata)


#: Keys that say how the work is done and change no result.
_OF_THE_MACHINE = ("workers", "backend", "scheduler", "memory")


def keys_of(metric: str) -> tuple[str, str, str]:
    """Return the keys of scores.txt that belong to a metric: its score's and its interval's."""
    return metric, f"{metric}_ci_low", f"{metric}_ci_high"


def as_dict(settings: Settings) -> dict[str, Any]:
    """Return every key that bears on the results and its value, as results.json records them."""
    values = {
        option.name: getattr(settings, option.name)
        for option in OPTIONS
        if option.name not in _OF_THE_MACHINE
    }
    values["metrics"] = [
        {
            key: value
            for key, value in vars(spec).items()
            if key != "where" and value is not None and value != {}
        }
        for spec in settings.metrics
    ]
    return values


def load(path: Path | None) -> Settings:
    """Read the settings file, or return the defaults where there is none.

    Raises
    ------
    SettingsError
        Unreadable file, invalid YAML, unknown or repeated key, or a value that fails its check; the
        message names the file, the line and what was expected.
    """
    if path is None:
        return Settings()
    root, values = read_yaml(path)
    if root is None:
        return Settings()
    if not isinstance(root, yaml.MappingNode):
        raise SettingsError(f"{path.name}, line 1: expected lines of the form 'key: value'")
    lines: dict[str, str] = {}
    for node, child in root.value:
        where = f"{path.name}, line {node.start_mark.line + 1}"
        lines[node.value] = where
        if node.value == "metrics" and isinstance(child, yaml.SequenceNode):
            for index, item in enumerate(child.value):
                lines[f"metrics[{index}]"] = f"{path.name}, line {item.start_mark.line + 1}"
    return update(Settings(), values, lines)


def update(settings: Settings, values: Mapping[str, Any], lines: Mapping[str, str]) -> Settings:
    """Return ``settings`` with ``values`` checked and put in; ``lines`` says where each was set.

    Raises
    ------
    SettingsError
        An unknown key, or a value that fails its check.
    """
    known = {option.name: option.metadata["check"] for option in OPTIONS}
    known["metrics"] = lambda value: _metric_specs(value, lines)
    checked: dict[str, Any] = {}
    for key, value in values.items():
        where = lines.get(str(key), "settings")
        if key not in known:
            raise SettingsError(f"{where}: unknown key {str(key)!r}{nearest(str(key), known)}")
        try:
            checked[key] = known[key](value)
        except SettingsError:
            raise
        except ValueError as error:
            raise SettingsError(f"{where}: {key}: expected {error}; found {value!r}") from None
    return replace(settings, **checked, lines={**settings.lines, **lines})


def check_together(settings: Settings) -> None:
    """Refuse settings that would do nothing for want of another, which must be an oversight.

    Raises
    ------
    SettingsError
        A scheduler without its backend. Where a local backend was chosen by name, for one run
        perhaps, the scheduler is meant to wait.
    """
    if settings.scheduler and settings.backend == "auto":
        raise SettingsError(
            f"{settings.where('scheduler')}: say whose address that is, by 'backend: dask' or "
            "'backend: ray'"
        )


def _metric_specs(value: Any, lines: Mapping[str, str]) -> tuple[MetricSpec, ...]:
    items = value if isinstance(value, list) else [value]
    if not items:
        raise ValueError("at least one metric")
    specs: list[MetricSpec] = []
    taken = set(RESERVED_KEYS)
    for index, item in enumerate(items):
        where = lines.get(f"metrics[{index}]", lines.get("metrics", "settings"))
        spec = _metric_spec(item, where)
        if spec.name in {other.name for other in specs}:
            raise SettingsError(
                f"{where}: two metrics are called {spec.name!r}; give one another 'name'"
            )
        keys = set(keys_of(spec.name))
        if clash := min(keys & taken, default=None):
            raise SettingsError(
                f"{where}: the metric {spec.name!r} would need the key {clash!r} of scores.txt, "
                "which is taken; give it another 'name'"
            )
        taken |= keys
        specs.append(spec)
    return tuple(specs)


def _metric_spec(item: Any, where: str) -> MetricSpec:
    """Read one item of ``metrics``: a name, a name with parameters, or the long form."""
    if isinstance(item, str):
        spec = MetricSpec(name=item, function=item, where=where)
    elif isinstance(item, dict) and "name" in item:
        spec = _long_form(item, where)
    elif isinstance(item, dict) and len(item) == 1:
        ((name, params),) = item.items()
        if params is not None and not isinstance(params, dict):
            raise SettingsError(
                f"{where}: the parameters of {name!r} must be written {{key: value}}"
            )
        spec = MetricSpec(name=str(name), function=str(name), params=params or {}, where=where)
    else:
        raise SettingsError(
            f"{where}: a metric is written 'f1_score', 'f1_score: {{average: macro}}' "
            "or with 'name:' and 'function:'"
        )
    name = spec.name
    if not _KEY.fullmatch(name) or len(name) > LONGEST_KEY or yaml.safe_load(name) != name:
        raise SettingsError(
            f"{where}: the metric name {name!r} becomes a key of scores.txt; use at most "
            f"{LONGEST_KEY} ASCII letters, digits, '_', '-' or '.', no number and no word that "
            "YAML knows, and say 'function:' beside it"
        )
    return spec


def _long_form(item: Mapping[str, Any], where: str) -> MetricSpec:
    checks: dict[str, Check] = {
        "name": _text,
        "function": _text,
        "params": _parameters,
        "formula": _text,
        "greater_is_better": _flag,
        "column": _text,
    }
    values: dict[str, Any] = {}
    for key, value in item.items():
        if key not in checks:
            raise SettingsError(f"{where}: unknown key {str(key)!r}{nearest(str(key), checks)}")
        try:
            values[key] = checks[key](value)
        except ValueError as error:
            raise SettingsError(f"{where}: {key}: expected {error}; found {value!r}") from None
    if ("function" in values) == ("formula" in values):
        raise SettingsError(
            f"{where}: metric {values['name']!r} needs either 'function:' or 'formula:'"
        )
    return MetricSpec(**values, where=where)


def _parameters(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("parameters as {key: value}")
    return value
