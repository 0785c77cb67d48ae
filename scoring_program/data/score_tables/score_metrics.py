"""The metrics of a table of scores: what the settings ask for, or one for each column.

Where nothing says in which direction a score is better, the error asks for settings that can be
pasted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ...core import cells
from ...core.errors import ReferenceDataError, SettingsError, listed
from ...core.phrases import Phrase, gettext_noop
from ...metrics import REGISTRY, Metric, resolve
from ...metrics.families.unit_scores import UNIT_RANK
from ...metrics.registry import direction_by_name, known_by_name
from ...settings.checks import SCORERS, MetricSpec
from ...settings.model import Settings
from .score_names import BETTER, score_key
from .score_roles import Roles, ScoreTable, columns_of_formula

_MEAN = "mean_score"


def metrics_of(
    given: ScoreTable, roles: Roles
) -> tuple[tuple[Metric, ...], Mapping[str, bool], tuple[Phrase, ...]]:
    """Return the metrics of a table of scores; by default the mean of every column.

    Beside them, return for each column of scores whether a higher one is better, and notes.

    The direction of a column comes from the settings, from what a call in Python stated, or from
    its name: that of a known metric, or one that ends as scikit-learn's scores and errors do. The
    column of a wide table has no name, but its metric may have one.

    Raises
    ------
    SettingsError
        A metric is not one of scores, names no column, or has no direction or two.
    ReferenceDataError
        Nothing states the direction of a column, or its numbers are not what its name says.
    """
    if given.settings.metrics:
        named = _with_columns(given.settings, roles)
        specs = [_of_column(spec, roles, given.file) for spec in named]
    else:
        scored = roles.scores if roles.system is not None else (None,)
        names = [(column, _MEAN if column is None else score_key(column)) for column in scored]
        specs = [MetricSpec(name, _MEAN, column=column) for column, name in names]
    directions = _directions(specs, given, roles)
    ready = [_ready(spec, directions.get(spec.column or "")) for spec in specs]
    resolved = resolve(ready, given.settings_folder)
    labels = {spec.name: _label(spec) for spec in specs}
    labeled = (replace(metric, label=labels[metric.name] or metric.label) for metric in resolved)
    return tuple(labeled), directions, _notes(specs, directions, given)


def _directions(specs: Sequence[MetricSpec], given: ScoreTable, roles: Roles) -> dict[str, bool]:
    """Return the direction of each column of scores that metrics need."""
    directions: dict[str, bool] = {}
    unknown: list[MetricSpec] = []
    for spec in sorted(specs, key=lambda spec: spec.show is False):
        if spec.formula is not None:
            continue
        better, column = _direction(spec, given, roles), spec.column or ""
        if spec.show is False:
            directions.setdefault(column, better is not False)
        elif better is None:
            unknown.append(spec)
        elif directions.setdefault(column, better) != better:
            raise SettingsError(
                f"{spec.where}: metric {spec.name!r}: another metric of the same scores says "
                f"the opposite about {BETTER}; a score has one direction"
            )
    unknown = [spec for spec in unknown if (spec.column or "") not in directions]
    if unknown and given.settings.metrics:
        own, first = f"with {BETTER}: true or false in the metric, or ", unknown[0]
        raise SettingsError(
            f"{first.where}: metric {first.name!r}: say whether a higher score is better, "
            f"{'' if given.in_python else own}{given.asks({BETTER: None})}"
        )
    if unknown and roles.system is None:
        named = "" if given.settings.anonymize else f" The systems are {listed(roles.scores)}."
        raise ReferenceDataError(
            f"{given.file}: is a higher score better, or a lower one?{named} Say it "
            f"{given.asks({BETTER: None})}"
        )
    if unknown:
        columns = {column: directions.get(column) for column in roles.scores}
        raise ReferenceDataError(
            f"{given.file}: is a higher score better in "
            f"{listed(repr(spec.column) for spec in unknown)}?\n"
            f"Say it {given.asks({BETTER if given.in_python else 'metrics': columns})}"
        )
    return directions


def _direction(spec: MetricSpec, given: ScoreTable, roles: Roles) -> bool | None:
    """Return whether a higher one of a metric's scores is better, if anything says so.

    Raises SettingsError if the name of the column, or of the metric, contradicts the setting, and
    ReferenceDataError if numbers are not what this name says, so that it may err.
    """
    if spec.greater_is_better is not None:
        return spec.greater_is_better
    if (spec.column or "") in given.stated:
        return given.stated[spec.column or ""]
    general, by_name = given.settings.greater_is_better, _by_name(spec)
    name = spec.column or spec.name
    if general is not None and by_name is not None and general != by_name:
        # Said of several columns, it was hardly said of this one.
        better = general if len(roles.scores) == 1 else not general
        raise SettingsError(
            f"{given.settings.where(BETTER)}: by its name, a {_word(not general)} {name!r} is "
            f"better, but the setting says {_word(general)}. State the direction of each column "
            f"{_stating(name, better, given, roles)}"
        )
    if general is not None or by_name is None or spec.show is False:
        return general if by_name is None else by_name
    columns = given.columns
    if spec.column is None:
        by_system = {system: cells.numbers(columns[system]) for system in roles.scores}
    else:
        systems = columns[roles.system or ""]
        by_system = cells.grouped(zip(systems, cells.numbers(columns[name]), strict=True))
    if (odd := _out_of_range(name, by_system.values())) is not None:
        raise ReferenceDataError(
            f"{given.file}: the numbers of {name!r} are not what its name says: found {odd}. "
            "Correct them or, if they are right, state the direction of each column "
            f"{_stating(name, None, given, roles)}"
        )
    return by_name


def _stating(name: str, better: bool | None, given: ScoreTable, roles: Roles) -> str:
    """Return how to state directions; that of one column is ``better``, and open if None."""
    if given.settings.metrics:
        return f"in the metric, with '{BETTER}:'"
    stated: dict[str, bool | None] = {}
    for column in roles.scores:
        by_name = direction_by_name(column)
        general = given.settings.greater_is_better if by_name is None else by_name
        stated[column] = better if column == name else general
    return given.asks({BETTER if given.in_python else "metrics": stated})


def _notes(
    specs: Sequence[MetricSpec], directions: Mapping[str, bool], given: ScoreTable
) -> tuple[Phrase, ...]:
    """Return a note on what was understood: the direction of each column, and by what."""
    told: dict[str, Phrase] = {}
    for spec in specs:
        column = spec.column or ""
        if spec.formula is not None or spec.show is False or column in told:
            continue
        better = directions[column]
        unsaid = (spec.greater_is_better, given.settings.greater_is_better)
        silent = unsaid == (None, None) and column not in given.stated
        by_name = silent and _by_name(spec) == better
        unnamed = not column and spec.name == spec.function
        scores = Phrase("score") if unnamed else column or spec.name
        told[column] = Phrase(_UNDERSTOOD[bool(better), by_name], scores=scores)
    return (Phrase("Directions: {directions}.", directions=tuple(told.values())),) if told else ()


#: What a note says of a column: whether higher is better, and whether its name says so.
_UNDERSTOOD = {
    (True, False): gettext_noop("a higher {scores} is better"),
    (False, False): gettext_noop("a lower {scores} is better"),
    (True, True): gettext_noop("a higher {scores} is better, as its name says"),
    (False, True): gettext_noop("a lower {scores} is better, as its name says"),
}


def _with_columns(settings: Settings, roles: Roles) -> list[MetricSpec]:
    """Return the metrics, and as ingredients the columns of a long table that formulas name."""
    specs = {spec.name: spec for spec in settings.metrics}
    for spec in settings.metrics:
        for name in columns_of_formula(spec):
            if roles.system is not None and name in roles.scores and name not in specs:
                specs[name] = MetricSpec(name, _MEAN, column=name, show=False, where=spec.where)
    return [*specs.values()]


#: Words of what is bad if there is more of it, or may be, in small letters.
_BAD = frozenset(
    (
        "perplexity", "ppl", "distance", "levenshtein", "error", "errors", "loss", "nll", "wer",
        "cer", "ter", "bits", "toxic", "toxicity", "hallucination", "hallucinations", "latency",
        "time", "seconds", "cost", "attack", "bias", "harm", "refusal",
    )
)  # fmt: skip


def usually_higher(columns: Iterable[str]) -> list[str]:
    """Return the columns of logs whose names do not say a direction, nor anything bad."""
    words = {name: re.split(r"[\W_]+", name.casefold()) for name in columns}
    plain = (name for name in words if direction_by_name(name) is None)
    return [name for name in plain if _BAD.isdisjoint(words[name])]


def _word(better: bool | None) -> str:
    return "higher" if better else "lower"


def _by_name(spec: MetricSpec) -> bool | None:
    """Return the direction that a column's name states, or else that of its metric."""
    if spec.column is not None:
        return direction_by_name(spec.column)
    # "mean_score" says how scores are aggregated, and nothing about them.
    return None if spec.name == spec.function else direction_by_name(spec.name)


def _out_of_range(name: str, by_system: Iterable[Sequence[float]]) -> str | None:
    """Return what is found among the numbers of systems that what has this name cannot be.

    Percentages may stand for fractions, if they do for all systems. Errors are not all negative.
    """
    better, low, high = known_by_name(name) or (True, -math.inf, math.inf)
    finite = [[number for number in numbers if math.isfinite(number)] for numbers in by_system]
    ends = [(min(numbers), max(numbers)) for numbers in finite if any(numbers)]
    if not ends:
        return None
    least, most = min(least for least, _ in ends), max(most for _, most in ends)
    if most > high == 1.0:
        if any(own <= high for _, own in ends):
            return "both fractions and percentages"
        low, high = 100.0 * low, 100.0 * high
    if not better and most <= 0:
        return f"{least:g}, and none above 0"
    return f"{least if least < low else most:g}" if least < low or most > high else None


def _of_column(spec: MetricSpec, roles: Roles, file: str) -> MetricSpec:
    """Return a metric of the settings with the column of its scores."""
    if spec.formula is not None:
        return spec
    if spec.task:
        raise SettingsError(
            f"{spec.where}: metric {spec.name!r}: a table of scores has the same metrics in every "
            "task; remove 'task:'"
        )
    long = roles.system is not None
    if long and spec.function in roles.scores:  # "metrics: [dice]"
        spec = replace(spec, function=_MEAN, column=spec.column or spec.function)
    elif long and spec.name in roles.scores and spec.function == SCORERS.get(spec.name, ("",))[0]:
        # "metrics: [mae]": here the name of a metric is that of a column.
        spec = replace(spec, function=_MEAN, params={}, column=spec.column or spec.name)
    definition = REGISTRY.get(str(spec.function))
    if definition is None or not definition.of_scores:
        known = ", ".join(name for name, each in REGISTRY.items() if each.of_scores)
        raise SettingsError(
            f"{spec.where}: metric {spec.name!r}: {spec.function} compares predictions with "
            f"reference data, but {file} holds scores; use {known}"
        )
    if not long:
        return spec
    column = spec.column or (spec.name if spec.name in roles.scores else None)
    if column is None and len(roles.scores) == 1:
        (column,) = roles.scores
    if column not in roles.scores:
        raise SettingsError(
            f"{spec.where}: metric {spec.name!r}: name one of the columns of scores of {file} "
            f"({listed(roles.scores)}) with 'column:'"
        )
    return replace(spec, column=column)


def _ready(spec: MetricSpec, better: bool | None) -> MetricSpec:
    """Return a metric with its own direction: in ranks, less is better, whatever the scores'."""
    if spec.formula is not None:
        return spec
    return replace(spec, greater_is_better=None if spec.function == UNIT_RANK else better)


def _label(spec: MetricSpec) -> str:
    """Return the name that the settings or the column give; else the function's label counts."""
    if spec.formula is not None or spec.name == spec.function:
        return ""
    return spec.column if spec.column and score_key(spec.column) == spec.name else spec.name
