"""A competition from arrays in memory. Arrays become tables, as files do.

So arrays and files with the same predictions pass the same checks and give the same numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..core import cells, errors
from ..core.arrays import Array, Coded, coded
from ..core.errors import cut, listed
from ..core.legible import visible
from ..core.phrases import joined, verbatim
from ..metrics import resolve
from ..reading.formats import KINDS, readers
from ..reading.formats.kind import ROWS, UNITS
from ..reading.log_tools import LETTERS
from ..reading.table import OF_ARRAY, NamedColumns, Table, of_columns
from ..recognize.tables_of_scores.score_columns import Roles
from ..recognize.tables_of_scores.scores_rule import ScoresRecognition, recognize_scores
from ..settings.checks import SAMPLE_WEIGHT
from ..settings.model import Settings
from . import entry, inputs, parts
from .competition import Competition, Part
from .gold import digest, gold_of, in_order
from .joining.submission import Entry
from .parts import kind_of_examples
from .score_tables import people_table
from .score_tables.given_table import ScoreTable
from .score_tables.score_metrics import needs_of
from .score_tables.score_table import scored_elsewhere, settings_of_runs
from .score_tables.table_of_all import of_battles, recognized_logs
from .tool_frames import scores_of_tool

#: Columns of the tables that arrays become.
_LABEL = OF_ARRAY
GROUP = "group"
STRATUM = "stratum"
_REFERENCE = "y_true"
_SCORES = "scores"
_HUMAN = "human"
#: Characters of a wrong value that a message shows.
_LONGEST_SHOWN = 60


def competition(
    y_true: Any,
    predictions: Mapping[str, Any],
    settings: Settings,
    *,
    groups: Any = None,
    strata: Any = None,
    slices: Mapping[str, Any] | None = None,
    teams: Mapping[str, str] | None = None,
) -> Competition:
    """Return the competition of ``predictions`` (name → array) for the gold ``y_true`` [n].

    A prediction is [n], or [n, c] with one column per class: in the order of the setting
    ``labels`` or, without it, of the sorted labels of ``y_true``. Arrays are matched by position,
    but where ``y_true`` and another are both pandas' own, by their indexes. If the metrics need
    another kind of data than rows, such as texts, every value is one example of it, a list one of
    several references or tags. The settings name the columns of ``groups`` [n] and ``strata`` [n]
    `GROUP` and `STRATUM`, and those of ``slices`` (name → values [n]). ``teams`` are those of the
    predictions, by their names, where some are several runs of one.

    Raises
    ------
    ReferenceDataError
        ``y_true``, ``groups``, ``strata`` or ``slices`` have a wrong shape or missing values.
    SubmissionError
        Every problem of the predictions, together.
    SettingsError
        A metric does not fit the gold.
    """
    _refuse_weights(settings)
    of_entry = inputs.named(predictions, "predictions")
    beside = [("groups", groups), ("strata", strata), *(slices or {}).items()]
    inputs.refuse_other_orders(y_true, [*of_entry.items(), *beside])
    kind = kind_of_examples(_REFERENCE, resolve(settings.metrics, None), inputs.kind_of(y_true))
    columns = _reference_columns(y_true, _design(groups, strata, slices or {}), kind, settings)
    table = of_columns(_REFERENCE, columns)
    gold = in_order(gold_of(table, columns, digest(_content(table)), kind, (_LABEL,)))
    part, notes = parts.of_gold("", gold, None, settings)
    # Whoever gives both arrays knows the labels.
    part = replace(part, expected=replace(part.expected, labels_are_public=True))
    entries = _entries(of_entry, y_true, part, settings)
    team_of = {name: name for name in of_entry} if teams is None else dict(teams)
    return Competition(
        form="single" if len(entries) == 1 else "teams",
        parts=(replace(part, entries=entries),),
        focus=0 if len(entries) == 1 else None,
        runs=dict(sorted(Counter(team_of.values()).items())),
        teams=team_of,
        notes=notes,
    )


def _entries(
    of_entry: Mapping[str, Any], y_true: Any, part: Part, settings: Settings
) -> tuple[Entry, ...]:
    """Return the entries, sorted by name; raise SubmissionError with the problems of all."""
    kind = part.gold.kind
    n = part.gold.n
    classes = _classes(y_true, settings, part.gold.kind)
    if kind == inputs.LABEL_SETS:
        inputs.refuse_other_columns(classes, of_entry)
    read = partial(_examples, kind=kind, classes=classes, matrix=inputs.is_indicator(y_true))
    entries = []
    problems = []
    are_numbers = False
    for name, sent in sorted(of_entry.items()):
        predicted: Mapping[str, Sequence[Any]] = {}
        try:
            values = _found(sent, y_true, name, kind)
            if kind == ROWS:
                predicted = _prediction(name, values, n, classes)
            else:
                predicted = {_LABEL: read(values, name, error=inputs.unusable)}
            table = of_columns(name, predicted)
            if len(table.numbers) != n:
                raise inputs.unusable(_miscounted(name, len(table.numbers), n))
            sha256 = digest(_content(table))
            read_entry = entry.align(table, name, part.expected, part.labels, sha256)
            entry.refuse_unrelated(read_entry, part.gold, name)
            entries.append(read_entry)
        except errors.SubmissionError as error:
            problems.append(error.reason)
            are_numbers |= _LABEL in predicted and cells.are_numbers(predicted[_LABEL])
    if problems:
        # Own metrics may be meant for numbers, but read whole ones as classes.
        are_numbers = are_numbers and cells.are_numbers(part.gold.columns[_LABEL])
        unsaid = [spec for spec in settings.metrics if spec.call is not None and spec.kind is None]
        hints = [
            verbatim(
                "If these are numbers, not classes, give the metric as {'function': "
                f"{spec.name}, 'greater_is_better': {spec.greater_is_better is not False}, "
                "'kind': 'numbers'}."
            )
            for spec in unsaid
        ]
        raise errors.SubmissionError(joined([*problems, *(hints if are_numbers else ())]))
    return tuple(entries)


def _refuse_weights(settings: Settings) -> None:
    """Raise SettingsError for an array where the name of the column of weights is wanted."""
    for spec in settings.metrics:
        if not isinstance(spec.params.get(SAMPLE_WEIGHT, ""), str):
            raise errors.SettingsError(
                f"metrics: {spec.name!r}: sample_weight is an array, where the name of a column is "
                "wanted; give slices={'weight': weights} and the sample_weight 'weight' or, for "
                "more than 100 different weights, write y_true and a column of them to "
                "ref/gold.csv, predictions to res/, and call score()"
            )


def _design(groups: Any, strata: Any, slices: Mapping[str, Any]) -> dict[str, tuple[str, Any]]:
    """Return what belongs to the design: column → the argument and its values."""
    design = {GROUP: ("groups", groups), STRATUM: ("strata", strata)}
    for name, values in slices.items():
        if name in (*design, _LABEL):
            raise errors.SettingsError(
                f"slices: the name {name!r} has another meaning; choose another"
            )
        design[str(name)] = (f"slices[{name!r}]", values)
    return design


def _found(values: Any, y_true: Any, name: str, kind: str) -> Any:
    """Return predictions in the order of the answers."""
    if kind == inputs.RANKING and isinstance(y_true, Mapping):
        return inputs.retrieved(values, y_true, name)
    plain = inputs.plain(values, name, inputs.unusable)
    return inputs.joined(plain, y_true, name, inputs.unusable)


def _classes(y_true: Any, settings: Settings, kind: str) -> Sequence[str]:
    """Return the labels in the order of the columns of predictions; none where there are none."""
    if kind == inputs.LABEL_SETS:
        return inputs.classes_of(y_true, settings.listed_labels)
    if kind != ROWS:
        return ()
    values = list(y_true.values()) if isinstance(y_true, Mapping) else y_true
    return inputs.texts_of(settings.listed_labels or label_set(values))


def _examples(
    values: Any, name: str, kind: str, error: inputs.Fault, classes: Sequence[str], *, matrix: bool
) -> list[Any]:
    """Return the examples of another kind of data than rows, [n], as a table holds them.

    ``classes`` are those of an indicator matrix, and ``matrix`` says whether the answers are one.
    """
    values = inputs.plain(values, name, error)
    if not hasattr(values, "__len__") and not hasattr(values, "toarray"):
        raise error(_no_array(name, values))
    if kind == inputs.LABEL_SETS and not isinstance(values, (str, Mapping)):
        return list(inputs.sets_of(values, name, classes, error, matrix=matrix))
    # The items of a mapping, or of a data frame, are names.
    if isinstance(values, (str, Mapping)) or hasattr(values, "columns"):
        raise error(_no_array(name, values))
    if kind == readers.KIND.name:
        return list(map(readers.of_object, values))
    cells = [_hashable(inputs.text_of(value, name, error)) for value in values]
    for row, value in enumerate(cells, 1):
        wanted = KINDS[kind].wanted(value, error is errors.ReferenceDataError)
        if wanted is not None:
            raise error(f"{name}: found {_shown(value)} on row {row}; give {wanted}")
    return cells


def _shown(value: Any) -> str:
    """Return a value of Python for a message."""
    return visible(cut(repr(value), _LONGEST_SHOWN))


def _hashable(value: Any) -> Any:
    """Return arrays, lists and what they hold as tuples, and numbers of NumPy as Python's own."""
    value = value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
    return tuple(map(_hashable, value)) if isinstance(value, (list, tuple)) else value


def _reference_columns(
    y_true: Any, design: Mapping[str, tuple[str, Any]], kind: str, settings: Settings
) -> dict[str, Sequence[Any]]:
    """Return the gold and the columns of the ``design``: name → the argument and its values."""
    fault = errors.ReferenceDataError
    values = list(y_true.values()) if isinstance(y_true, Mapping) else y_true
    gold: Sequence[Any]
    if kind == inputs.RANKING and isinstance(y_true, Mapping):
        gold = inputs.judged(y_true, _REFERENCE)
    elif kind == ROWS:
        gold = texts_of_column(values, _REFERENCE, fault)
        if "" in gold:
            raise fault(
                f"{_REFERENCE}: the answer on row {gold.index('') + 1} is missing or masked; give "
                "every example one"
            )
    else:
        classes = _classes(y_true, settings, kind)
        matrix = inputs.is_indicator(y_true)
        gold = _examples(values, _REFERENCE, kind, fault, classes, matrix=matrix)
    columns = {_LABEL: gold}
    n = len(gold)
    if not n:
        raise errors.ReferenceDataError(f"{_REFERENCE}: there are no examples; give at least two")
    for name, (argument, values) in design.items():
        if values is not None or name not in (GROUP, STRATUM):
            values = inputs.joined(values, y_true, argument, fault)
            if isinstance(getattr(values, "dtype", None), np.dtypes.BoolDType):
                values = np.asarray(values).astype(str)  # names, no digits
            columns[name] = texts_of_column(values, argument, fault)
            if name in (GROUP, STRATUM):  # an example may be in no slice
                _check_complete(columns[name], argument)
            if len(columns[name]) != n:
                raise errors.ReferenceDataError(
                    f"{argument}: {len(columns[name])} values for {n} examples; give one for each"
                )
    return columns


def _check_complete(texts: Sequence[str], argument: str) -> None:
    """Raise ReferenceDataError if a group or a stratum is missing."""
    if "" in texts:
        raise errors.ReferenceDataError(
            f"{argument}: the value on row {texts.index('') + 1} is missing; give every row one"
        )


def score_table(
    scores: Any,
    settings: Settings,
    greater_is_better: bool | Mapping[str, bool] | None = None,
    *,
    groups: Any = None,
    strata: Any = None,
    slices: Mapping[str, Any] | None = None,
    called: str = "scores",
    human: Any = None,
) -> tuple[Competition, Settings]:
    """Return the competition of systems that were scored elsewhere, and what is resampled.

    ``scores`` is a mapping from a system to its scores on every unit [n], or a DataFrame as a file
    with a table of scores, or of preferences, would hold it. ``greater_is_better`` is for all
    scores, or maps columns to their directions. ``groups``, ``strata`` and the values of
    ``slices``, which the settings name, have a value for each row; a name, or None for a slice,
    stands for a column of the DataFrame. ``human`` are people's scores, which go beside these
    (`with_people`).

    Raises
    ------
    ReferenceDataError
        The columns differ in length, or hold values that are not finite numbers.
    SettingsError
        The metrics do not fit the table.
    """
    is_frame = inputs.is_frame(scores)
    asked = settings
    if (tool := scores_of_tool(scores, settings, groups)) is not None:
        is_frame = True
        (_, scores, settings) = tool
    else:
        inputs.refuse_other_scores(scores)
    named_scores = inputs.named(scores, called)
    if is_frame and tool is None:
        named_scores, settings = _with_index(scores, named_scores, settings, human)
    first = next(iter(named_scores.values()))
    columns = {name: _unit_column(values, first, name) for name, values in named_scores.items()}
    if is_frame:
        named_columns = _columns_of_design(groups, strata, columns)
        settings = replace(settings, **named_columns)
        asked = replace(asked, **named_columns)
        groups = None if "group" in named_columns else groups
        strata = None if "stratify" in named_columns else strata
    columns |= _design_of_scores(columns, first, groups, strata, slices or {})
    _check_lengths(columns, called)
    table = of_columns(called, columns)
    stated = greater_is_better if isinstance(greater_is_better, Mapping) else {}
    score_table = ScoreTable(
        table, settings, digest(_content(table)), in_python=True, stated=stated
    )
    of_tool = tool[0] if tool is not None and settings.greater_is_better is None else ""
    recognition = _recognized(score_table, is_frame=is_frame, tool=of_tool)
    if recognition.sides is not None:
        return of_battles(score_table, recognition)
    compared = scored_elsewhere(score_table, recognition, of_tool)
    if compared.unusable and called == _SCORES:
        raise errors.ReferenceDataError("\n".join(item.reason for item in compared.unusable))
    return compared, settings_of_runs(recognition, asked)


def _check_lengths(columns: NamedColumns, called: str) -> None:
    """Raise ReferenceDataError unless all columns have as many rows."""
    if len({*map(len, columns.values())}) > 1:
        lengths = ", ".join(f"{name} {len(texts)}" for name, texts in columns.items())
        raise errors.ReferenceDataError(
            f"{called}: the columns have different lengths ({lengths}); give one score per unit"
        )


def _columns_of(scores: Any) -> list[str]:
    """Return the names of a frame's columns, and of its index; none of what is no frame."""
    if not inputs.is_frame(scores):
        return []
    return [*inputs.columns_of_index(scores), *inputs.names_of(scores)]


def _with_index(
    scores: Any, named_scores: dict[str, Any], settings: Settings, human: Any
) -> tuple[dict[str, Any], Settings]:
    """Return a frame's columns with those of its index, and the settings by which they are read."""
    of_index = inputs.columns_of_index(scores)
    columns = {**of_index, **named_scores}
    settings = _with_units_of(of_index, settings)
    return columns, people_table.settings_for_judge(settings, columns, _columns_of(human))


def _with_units_of(of_index: Mapping[str, Any], settings: Settings) -> Settings:
    """Return the settings with an index that tells all lines apart stated as the units' names."""
    if len(of_index) != 1 or settings.unit or settings.described().roles:
        return settings
    ((name, values),) = of_index.items()
    return replace(settings, unit=(name,)) if values.is_unique else settings


def with_people(judge: Competition, human: Any, settings: Settings) -> Competition:
    """Return the competition of a judge's scores with people's, which are given as scores are.

    Raises
    ------
    SettingsError
        People's units are not stated to be a random sample, or these are no scores of units.
    ReferenceDataError
        People's scores cannot be read, or do not fit the judge's.
    """
    people_table.check_statements(settings)
    if any(part.gold.kind != UNITS for part in judge.parts):
        raise errors.SettingsError("human: people's scores are for scores of units by a judge")
    for_people = people_table.settings_for_people(settings, _columns_of(human), judge)
    groups = for_people.group if isinstance(for_people.group, str) else None
    people, _ = score_table(human, for_people, groups=groups, called=_HUMAN)
    return people_table.with_people(judge, people, settings)


def _design_of_scores(
    columns: NamedColumns, first: Any, groups: Any, strata: Any, slices: Mapping[str, Any]
) -> dict[str, list[str]]:
    """Return the columns of the design that are given beside the ``columns`` of scores."""
    design = {}
    for name, argument, values in ((GROUP, "groups", groups), (STRATUM, "strata", strata)):
        if values is None:
            continue
        if name in columns:
            raise errors.ReferenceDataError(
                f"{_SCORES}: no column can be called {name!r} if there are {argument}; rename it"
            )
        design[name] = _unit_column(values, first, argument)
        _check_complete(design[name], argument)
    for name, values in slices.items():
        if values is None:  # a column of the scores
            continue
        if name in (*columns, *design):
            raise errors.ReferenceDataError(
                f"slices: {_SCORES} have {name!r}, too; give the slice another name"
            )
        design[name] = _unit_column(values, first, f"slices[{name!r}]")
    return design


def _check_column(argument: str, name: str, columns: NamedColumns) -> None:
    """Raise ReferenceDataError where an argument names a column that the scores lack."""
    if name not in columns:
        raise errors.ReferenceDataError(f"{argument}: {_SCORES} have no column {name!r}")


def _columns_of_design(groups: Any, strata: Any, columns: NamedColumns) -> dict[str, Any]:
    """Return the settings for groups and strata that columns of a frame hold."""
    stated: dict[str, Any] = {}
    if (group := _columns_of_groups(groups, columns)) is not None:
        stated["group"] = group
    if isinstance(strata, str):
        _check_column("strata", strata, columns)
        stated["stratify"] = strata
    return stated


def _columns_of_groups(groups: Any, columns: NamedColumns) -> str | tuple[str, str] | None:
    """Return the columns that ``groups`` names; None if they are the groups themselves."""
    if isinstance(groups, str):
        _check_column("groups", groups, columns)
        return groups
    if isinstance(groups, (list, tuple)) and len(groups) == 2:
        first, second = groups
        if isinstance(first, str) and isinstance(second, str) and {first, second} <= columns.keys():
            return first, second
    return None


def _recognized(score_table: ScoreTable, *, is_frame: bool, tool: str) -> ScoresRecognition:
    """Return what the columns mean. Names of a mapping are systems, those of a frame may be.

    Raises ReferenceDataError if what a frame means is not certain.
    """
    design = {name for _, name in score_table.settings.design_columns}
    systems = tuple(name for name in score_table.columns if name not in design)
    roles = Roles((), None, None, systems)
    if not is_frame:
        for key, name in score_table.settings.table_columns:
            raise errors.SettingsError(
                f"{key}: {name!r} is a column of a data frame, but {_SCORES} are a mapping of "
                "system to scores; remove the argument"
            )
        return recognized_logs(score_table, roles, tool)
    statements = replace(score_table.statements(), of_tool=bool(tool))
    scored = score_table.without_costs()
    recognition = recognize_scores(scored, statements, partial(needs_of, score_table))
    score_table.raise_if_open(recognition)
    if recognition.reading is not None:
        return recognition
    if len(systems) > 1:
        raise errors.ReferenceDataError(
            f"{_SCORES}: {listed(map(repr, systems))} do not all hold scores of systems; name the "
            "columns of a long table with unit= and system=, give a mapping of system to scores, "
            "or compare predictions with correct answers by compare()"
        )
    return recognized_logs(score_table, roles, tool)


def _unit_column(values: Any, first: Any, name: str) -> list[str]:
    inputs.refuse_foreign(values, name, errors.ReferenceDataError)
    joined = inputs.joined(values, first, name, errors.ReferenceDataError)
    texts = [*texts_of_column(joined, name, errors.ReferenceDataError)]
    if name.startswith("score_") and {*texts} - {""} <= LETTERS.keys():  # inspect_ai's samples_df
        return [str(LETTERS[text]) if text else "" for text in texts]
    return texts


def _no_array(name: str, values: Any) -> str:
    """Return the message about one value, a path or an iterator in the place of an array."""
    kind = type(values).__name__
    return f"{name}: found {kind}; give an array or a list with one value per example"


def _miscounted(name: str, rows: int, n: int) -> str:
    return f"{name}: {rows} predictions for {n} examples; give one per example"


def as_array(values: Any, name: str, error: inputs.Fault = errors.ReferenceDataError) -> Array:
    """Return an argument as an array, where masked values are None; raise ``error`` if it is none.

    Messages call it ``name``.
    """
    values = inputs.plain(values, name, error)
    try:
        array = np.asarray(values)
    except ValueError as ragged:
        raise error(f"{name}: the rows differ in length; give one value per example") from ragged
    except Exception as refused:  # such as a tensor that is being trained
        raise error(_no_array(name, values)) from refused
    if array.dtype.kind == "U" and isinstance(values, (list, tuple)):
        objects = np.asarray(values, dtype=object)  # where a missing value is no text "nan"
        array = array if all(isinstance(cell, str) for cell in objects.flat) else objects
    if array.ndim == 1 and array.dtype.kind == "O":
        array = _matrix(array, name, error)
    if np.ma.isMaskedArray(values) and np.ma.is_masked(values):
        array = array.astype(object)
        array[np.ma.getmaskarray(values)] = None
    return array


def _matrix(array: Array, name: str, error: inputs.Fault) -> Array:
    """Return a column of rows as the matrix that they are, and other objects as they are."""
    several = [inputs.is_several(value) or isinstance(value, Mapping) for value in array]
    if not any(several):
        return array
    if not all(inputs.is_several(value) and not isinstance(value, Set) for value in array):
        row = several.index(True)
        raise error(
            f"{name}: found {_shown(array[row])} on row {row + 1}; give one label or number "
            "per example"
        )
    return as_array([*map(list, array)], name, error)


def are_floats(y_true: Any) -> bool:
    """Whether answers are numbers that are kept as floats, so that they are no classes."""
    values = list(y_true.values()) if isinstance(y_true, Mapping) else y_true
    return inputs.kind_of(y_true) == ROWS and as_array(values, _REFERENCE).dtype.kind == "f"


def texts_of_column(values: Any, name: str, error: inputs.Fault) -> Sequence[str]:
    """Return an array [n] as texts; a missing value is an empty one."""
    array = as_array(values, name, error)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim == 0:
        raise error(_no_array(name, values))
    if array.ndim != 1:
        raise error(f"{name}: the array has the shape {array.shape}; give one value per example")
    return _texts(array, name, error)


def _texts(array: Array, name: str, error: inputs.Fault) -> Sequence[str]:
    if array.dtype.kind not in "biufUOT":
        raise error(f"{name}: the values have the type {array.dtype}; give labels or numbers")
    codes = coded(array) if array.dtype.kind in "biuU" else None
    if codes is not None:
        return Coded(codes.codes, inputs.texts_of(codes.values))
    values = array.tolist()
    if array.dtype.kind in "OT":  # where 1, 1.0 and True are equal, but other texts
        return inputs.texts_of(values)
    if array.dtype.kind == "f" and array.dtype.itemsize <= np.dtype(np.float64).itemsize:
        # Of fractions, which are hardly ever equal, each is written at once.
        usual = np.isfinite(array) & (array != np.rint(array))
        if 2 * np.count_nonzero(usual) > array.size:
            texts = list(map(str, values))
            for place in np.flatnonzero(~usual).tolist():
                (texts[place],) = inputs.texts_of([values[place]])
            return texts
    distinct = set(values)
    text_of = dict(zip(distinct, inputs.texts_of(distinct), strict=True))
    return [text_of[value] for value in values]


def label_set(values: Any) -> list[Any]:
    """Return the distinct labels of an array, sorted as scikit-learn's ``classes_`` are."""
    array = as_array(values, _REFERENCE).ravel()
    codes = coded(array) if array.dtype.kind in "iuU" else None
    distinct = {*array.tolist()} if codes is None else {*codes.present}
    try:
        return sorted(distinct)
    except TypeError:  # numbers beside texts
        return sorted(distinct, key=str)


def _prediction(name: str, values: Any, n: int, classes: Sequence[str]) -> dict[str, Sequence[str]]:
    """Return one entry's columns by name: the label, or one column per class."""
    array = as_array(values, name, inputs.unusable)
    if array.ndim == 0:
        raise inputs.unusable(_no_array(name, values))
    if array.shape[:1] != (n,):
        raise inputs.unusable(_miscounted(name, len(array), n))
    if array.ndim < 2 or array.shape[1:] == (1,):
        # A lone column of scores may have the name of the class that they refer to. Numbers, and
        # names of entries, are given without this in mind.
        is_frame = inputs.is_frame(values)
        lone: Any = inputs.columns_of(values)[0][0] if is_frame else getattr(values, "name", None)
        is_class = len(classes) == 2 and isinstance(lone, str) and lone in classes and lone != name
        return {lone if is_class else _LABEL: texts_of_column(array, name, inputs.unusable)}
    if array.shape != (n, len(classes)):
        raise inputs.unusable(
            f"{name}: the predictions have the shape {array.shape}; give one value per "
            f"example, or one column for each of the {len(classes)} classes"
        )
    columns = inputs.class_of_columns(values, name, classes, inputs.unusable)
    arrays = zip(columns, array.T, strict=True)
    return {label: _texts(column, name, inputs.unusable) for label, column in arrays}


def _content(table: Table) -> bytes:
    """Return the bytes of an array that its hash in the signature is computed from."""
    first, *further = table.columns
    if isinstance(first, Coded) and not further:
        return first.lines()
    rows = zip(*(map(str, column) for column in table.columns), strict=True)
    return "\n".join(map("\t".join, rows)).encode()
