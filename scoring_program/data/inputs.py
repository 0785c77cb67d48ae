"""What callers in Python hold their data in: frames, mappings by id, lists of labels, rankings.

Everything becomes the lists that `from_arrays` checks as files are checked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, compress, zip_longest
from typing import Any

import numpy as np

from ..core.errors import ReferenceDataError, SubmissionError, listed, nearest, quoted
from ..core.phrases import Phrase, counted, verbatim
from ..reading.formats import label_sets, rankings
from ..reading.formats.kind import ROWS
from ..reading.names import printable
from ..recognize.tables_of_scores.score_names import (
    is_name_of_systems,
    is_name_of_units,
    sums_up,
    unlike_entries,
)

LABEL_SETS = label_sets.KIND.name
RANKING = rankings.KIND.name
#: What makes the error for an argument, with a message.
Fault = Callable[[str], ReferenceDataError | SubmissionError]
_BYTES = (bytes, bytearray)
#: What messages call the answers, and their error.
_GOLD = "y_true", ReferenceDataError


def unusable(text: str) -> SubmissionError:
    """Return the error for predictions."""
    return SubmissionError(verbatim(text))


def is_frame(value: Any) -> bool:
    """Whether a value is a data frame or a table of named columns, of any library."""
    if hasattr(value, "collect"):
        return False  # a LazyFrame, which holds no data yet
    return hasattr(value, "columns") and hasattr(value, "__getitem__")


def names_of(frame: Any) -> list[str]:
    """Return the names of a frame's columns: pyarrow calls the columns themselves ``columns``."""
    return list(map(str, getattr(frame, "column_names", frame.columns)))


def columns_of(frame: Any) -> list[tuple[Any, Any]]:
    """Return the name and the values of every column of a frame of pandas, polars or pyarrow."""
    if hasattr(frame, "items"):  # pandas: its names may be no texts, and the same
        return list(frame.items())
    return [(name, frame[name]) for name in names_of(frame)]


def named(collection: Any, argument: str) -> dict[str, Any]:
    """Return arrays under names that can be shown, refusing anything but distinct names."""
    refuse_unnamed(collection, argument)
    levels = (
        () if isinstance(collection, Mapping) else list(getattr(collection.columns, "names", ()))
    )
    if len(levels) > 1:
        first = collection.columns[0]
        level = int(is_name_of_systems(str(levels[0])))
        long = ", or a long frame with unit=, system= and metrics=" if argument == "scores" else ""
        raise ReferenceDataError(
            f"{argument}: the columns have {len(levels)} levels, such as {first!r}; give those of "
            f"one value, such as {argument}.xs({first[level]!r}, axis=1, level={level}){long}"
        )
    arrays = list(collection.items()) if isinstance(collection, Mapping) else columns_of(collection)
    by_name = {printable(str(name)).strip(): values for name, values in arrays}
    if len(by_name) < len(arrays):
        raise ReferenceDataError(f"{argument}: two names are the same; rename one of them")
    if not by_name:
        raise ReferenceDataError(f"{argument}: there are none; give at least one")
    if "" in by_name:
        raise ReferenceDataError(f"{argument}: a name is empty; give every array a name")
    return by_name


def columns_of_index(frame: Any) -> dict[str, Any]:
    """Return the levels of a pandas frame's index by name, as `to_csv` writes them into columns.

    They are none if a level has no name, or that of a column.
    """
    if not hasattr(frame, "iloc"):
        return {}
    index = frame.index
    levels = [level for level in index.names if isinstance(level, str)]
    if len(levels) < index.nlevels or not {*levels}.isdisjoint(names_of(frame)):
        return {}
    return {level: index.get_level_values(level).to_series(index=index) for level in levels}


def refuse_unnamed(values: Any, argument: str) -> None:
    """Raise ReferenceDataError for what is neither a mapping nor a frame."""
    refuse_foreign(values, argument, ReferenceDataError)
    if not isinstance(values, Mapping) and not is_frame(values):
        raise ReferenceDataError(
            f"{argument}: found {type(values).__name__}; give a mapping of name to array, such as "
            "{'A': a, 'B': b}, or a DataFrame"
        )


def refuse_other_scores(scores: Any) -> None:
    """Raise ReferenceDataError if a pandas frame has an index of systems, or columns of units.

    Where the lines have names and the columns have numbers, the lines are the systems.
    """
    if not is_frame(scores):
        return
    index = map(str, getattr(getattr(scores, "index", None), "names", ()))
    columns = map(str, getattr(scores.columns, "names", ()))
    odd = [f"index is called {name!r}" for name in index if is_name_of_systems(name)]
    units = filter(is_name_of_units, columns)
    odd += [f"columns are called {name!r}" for name in units]
    texts = getattr(scores, "index", ())
    sums = [name for name in texts if isinstance(name, str) and sums_up(name)]
    if sums:
        raise ReferenceDataError(
            f"scores: the line {sums[0]!r} of the index looks like one that sums up the others; "
            "leave it out by scores.drop() or, if it is a unit, give it another name"
        )
    numbered = all(isinstance(name, (int, np.integer)) for name in scores.columns)
    if numbered and any(isinstance(name, str) for name in texts):
        odd.append("columns have numbers and the lines have names")
    if odd:
        raise ReferenceDataError(
            f"scores: the {odd[0]}, but every column is read as a system; give scores.T or, of a "
            "long frame, scores.reset_index(); if the columns are systems, rename this axis, or "
            "name them"
        )


def slices_of(values: Any, columns: Collection[str] = ()) -> dict[str, Any]:
    """Return the values of slices by name; none if there are none.

    Where scores are a frame with ``columns``, slices may be names of these: the values are None.

    Raises ReferenceDataError if there is no such column.
    """
    if columns and isinstance(values, (str, list, tuple)):
        names = [values] if isinstance(values, str) else list(values)
        for name in names:
            if name not in columns:
                raise ReferenceDataError(
                    f"slices: there is no column {name!r}{nearest(str(name), columns)}; give a "
                    "mapping of name to one value per row"
                )
        return dict.fromkeys(names)
    if values is None or (isinstance(values, Mapping) and not values):
        return {}
    return named(values, "slices")


def apart(y_true: Any, predictions: Any) -> tuple[Any, dict[str, Any]]:
    """Return the gold and the predictions by name, where one frame holds both.

    ``y_true`` may be the name of its column, or the column itself. The gold is no entry.

    Raises ReferenceDataError where a column of the frame may be the gold or an entry.
    """
    sent = named(predictions, "predictions")
    if isinstance(y_true, str):
        if y_true not in sent:
            raise ReferenceDataError(
                f"y_true: predictions have no column {y_true!r}{nearest(y_true, sent)}; give the "
                "correct answers, or the name of their column"
            )
        y_true = sent.pop(y_true)
    elif is_frame(predictions):
        gold = y_true
        gold_name = getattr(y_true, "name", None)
        if is_frame(y_true) and len(names_of(y_true)) == 1:
            ((gold_name, gold),) = columns_of(y_true)
        gold_name = "" if gold_name is None else printable(str(gold_name)).strip()
        if gold_name in sent and not _are_same(sent.pop(gold_name), gold, gold_name):
            raise ReferenceDataError(
                f"predictions: the column {gold_name!r} is named as y_true is, but holds other "
                "values; rename it, or leave it out"
            )
    if is_frame(predictions):
        _refuse_odd(y_true, sent)
    if not sent:
        raise ReferenceDataError("predictions: there are none; give at least one")
    return plain(y_true, *_GOLD), sent


def _refuse_odd(y_true: Any, sent: Mapping[str, Any]) -> None:
    """Refuse columns of a frame that hold the gold once more, or look like no entry's."""
    for column, values in sent.items():
        if _are_same(values, y_true, column):
            raise ReferenceDataError(
                f"predictions: the column {column!r} holds the values of y_true; if it is the "
                f"gold, give its name, y_true={column!r}, or leave it out; if it is an entry, give "
                "a mapping of name to array"
            )
    cells = {name: chain.from_iterable(_rows_of(values)) for name, values in sent.items()}
    if odd := unlike_entries(cells):
        raise ReferenceDataError(
            "predictions: it is not certain which columns hold predictions of entries: "
            f"{'; '.join(odd)}. Leave such columns out or, if they hold predictions, give a "
            "mapping, {name: predictions[name] for name in [...]}, of the columns that do"
        )


def _are_same(values: Any, y_true: Any, name: str) -> bool:
    """Whether predictions are the answers, whatever their types."""
    shape: tuple[int, ...] = tuple(getattr(y_true, "shape", ()))
    if not hasattr(y_true, "__len__") or (len(shape) == 2 and shape[1] > 1):
        return False
    values = joined(values, y_true, name, unusable)
    return all(
        value == answer for value, answer in zip_longest(_compared(values), _compared(y_true))
    )


def _compared(values: Any) -> Iterator[list[Any]]:
    """Yield the labels or the number of every example, such that equal ones are equal."""
    return (sorted(map(_number, row), key=str) for row in _rows_of(values))


def _rows_of(values: Any) -> Iterator[list[str]]:
    """Yield the labels or the number of every example as texts."""
    if isinstance(values, Mapping):
        values = list(values.values())
    usual = (getattr(values, name, None) for name in ("to_pylist", "tolist", "to_list"))
    for row in next(filter(None, usual), lambda: list(values))():
        yield texts_of(row if is_several(row) else (row,))


def _number(text: str) -> Any:
    try:
        return float(text) if text.lower() != "nan" else text
    except ValueError:
        return text


def plain(values: Any, name: str, error: Fault) -> Any:
    """Return values as NumPy, pandas and Python hold them, and anything else as it is.

    Bytes become the texts that they hold in UTF-8, and a masked value of a list None.

    Raises ``error`` for what holds no values, such as an estimator.
    """
    refuse_foreign(values, name, error)
    if hasattr(values, "to_pylist") and not is_frame(values):  # pyarrow
        values = values.to_pylist()
    elif hasattr(values, "to_arrow") and not is_frame(values):  # polars
        values = values.to_list() if hasattr(values, "to_list") else values
    if hasattr(values, "tocsr"):
        return values.tocsr()  # some sparse matrices are mappings, too
    dtype = getattr(values, "dtype", None)
    if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind == "S":
        return plain(values.tolist(), name, error)
    if isinstance(values, Mapping):
        return dict(zip(values, plain(list(values.values()), name, error), strict=True))
    if isinstance(values, (list, tuple)) or getattr(dtype, "kind", "") == "O":
        foreign = (value is np.ma.masked or isinstance(value, _BYTES) for value in values)
        if getattr(values, "ndim", 1) != 1 or not any(foreign):
            return values
        texts = [None if item is np.ma.masked else text_of(item, name, error) for item in values]
        # A Series keeps its index.
        return type(values)(texts, index=values.index) if hasattr(values, "iloc") else texts
    return values


def text_of(value: Any, name: str, error: Fault) -> Any:
    """Return bytes as a text, and anything else as it is."""
    if not isinstance(value, _BYTES):
        return value
    try:
        return value.decode()
    except UnicodeDecodeError as fault:
        raise error(f"{name}: found bytes that are no text in UTF-8; decode them") from fault


def refuse_foreign(value: Any, name: str, error: Fault) -> None:
    """Raise ``error`` for what scikit-learn makes beside arrays, saying what to pass of it.

    A fitted estimator holds no predictions, though a forest or a pipeline has a length. What
    cross_validate and a search return is of one estimator, or of its candidates.
    """
    if remedy := _of_estimator(value):
        raise error(f"{name}: found {type(value).__name__}{remedy}")
    if isinstance(value, (list, tuple)) and value and _of_estimator(value[0]):
        raise error(
            f"{name}: found estimators; pass what each of them predicts, such as "
            "{'A': a.predict(X_test)}"
        )
    keys = {*map(str, value)} if isinstance(value, Mapping) else set()
    keys = {*names_of(value)} if is_frame(value) else keys
    if {"params", "mean_test_score"} <= keys:
        raise error(
            f"{name}: found cv_results_ of a search; to compare its candidates, pass the scores of "
            "the folds to compare_scores(), {name: [cv_results_[f'split{k}_test_score'][i] for k "
            "in range(folds)]} for the i-th candidate"
        )
    if {"fit_time", "score_time"} <= keys:
        tested = [key for key in sorted(keys) if key.startswith("test_")] or ["test_score"]
        raise error(
            f"{name}: found the results of cross_validate for one estimator; to compare several, "
            f"pass the scores of each to compare_scores(), {{name: results[{tested[0]!r}]}}"
        )


def _of_estimator(value: Any) -> str:
    """Say how to get data from what holds none, such as an estimator; else nothing.

    The type is asked, because a frame has its columns as attributes.
    """
    kind = value if isinstance(value, type) else type(value)
    if hasattr(kind, "collect"):
        return ": collect its data by .collect()"
    if hasattr(kind, "predict") or hasattr(kind, "fit"):
        return ", an estimator: pass what .predict(X_test) returns"
    return ": call it, as in .predict(X_test)" if callable(value) else ""


def kind_of(y_true: Any) -> str:
    """Return the kind of data that answers are by their form: label sets, rankings, or rows."""
    if isinstance(y_true, Mapping):
        values = list(y_true.values())
        if values and all(isinstance(answer, Mapping) for answer in values):
            return RANKING
        y_true = values
    if is_indicator(y_true):
        return LABEL_SETS
    is_one = isinstance(y_true, str) or not hasattr(y_true, "__len__")
    if is_one or is_frame(y_true) or getattr(y_true, "ndim", 1) != 1:
        return ROWS
    return LABEL_SETS if is_several(next(iter(y_true), None)) else ROWS


def is_several(value: Any) -> bool:
    """Whether a value holds several, as a list of labels does."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0  # a masked value is an array, too
    return isinstance(value, (Sequence, Set)) and not isinstance(value, (str, *_BYTES))


def is_indicator(value: Any) -> bool:
    """Whether a value is a matrix of zeros and ones, one column a label: dense, sparse or lists."""
    value = _matrix(value)
    shape = tuple(getattr(value, "shape", ()))
    return len(shape) == 2 and shape[1] > 1 and bool(np.isin(_dense(value), (0, 1)).all())


def _matrix(value: Any) -> Any:
    """Return rows of equally many zeros and ones as an array, and anything else as it is.

    As scikit-learn does: such lists are no sets of the labels 0 and 1.
    """
    of_values = isinstance(value, np.ndarray) and value.dtype.kind != "O"
    several = hasattr(value, "__len__") and getattr(value, "ndim", 1) == 1
    if of_values or not several or is_frame(value):
        return value
    rows = list(value.values() if isinstance(value, Mapping) else value)
    if not rows or not all(map(_is_row, rows)) or len({*map(len, rows)}) > 1:
        return value
    return np.asarray(list(map(list, rows)))


def _is_row(value: Any) -> bool:
    """Whether a value is a list of zeros and ones, as a row of a matrix is."""
    if not is_several(value) or isinstance(value, Set) or len(value) < 2:
        return False
    return all(
        isinstance(item, (bool, int, float, np.generic)) and item in (0, 1) for item in value
    )


def _dense(matrix: Any) -> Any:
    return matrix.toarray() if hasattr(matrix, "toarray") else np.asarray(matrix)


def classes_of(y_true: Any, labels: Sequence[Any] | None) -> tuple[str, ...]:
    """Return the labels of the columns of an indicator matrix, or else all that appear."""
    if is_indicator(y_true):
        y_true = _matrix(y_true)
        width = y_true.shape[1]
        usual = names_of(y_true) if is_frame(y_true) else range(width)
        classes = tuple(map(str, usual if labels is None else labels))
        if len(classes) != width:
            raise ReferenceDataError(
                f"labels: {len(classes)} labels for {width} columns of y_true; give one for each"
            )
        return classes
    examples = y_true.values() if isinstance(y_true, Mapping) else y_true
    return tuple(map(str, labels or ())) or tuple(
        sorted(
            {
                label
                for example in examples
                if is_several(example)
                for label in _texts(example, *_GOLD)
            }
        )
    )


def sets_of(
    values: Any, name: str, classes: Sequence[str], error: Fault, *, matrix: bool
) -> list[tuple[str, ...]]:
    """Return the labels of every example, sorted; a matrix has a column for each of ``classes``.

    ``matrix`` says whether the answers are one. Predictions of another form are refused: zeros and
    ones may be labels, too.
    """
    is_array = hasattr(values, "shape")
    values = _matrix(values)
    if matrix != (len(getattr(values, "shape", ())) == 2):
        remedy = "" if is_array or matrix else ", and write the labels 0 and 1 as texts"
        forms = ("lists of labels", "a matrix of zeros and ones, one column for each label")
        raise error(
            f"{name}: found {forms[not matrix]}, but y_true are {forms[matrix]}; give both in "
            f"the same form{remedy}"
        )
    shape = tuple(getattr(values, "shape", ()))
    if len(shape) == 2:
        if np.ma.is_masked(values):
            raise error(f"{name}: a value of the matrix is masked; give 0 or 1 for each")
        if not _are_numbered(classes) or _own_names(values, classes) is None:
            classes = class_of_columns(values, name, classes, error)
        if shape[1] != len(classes) or not is_indicator(values):
            raise error(
                f"{name}: the matrix has the shape {shape}; give a column of zeros and "
                f"ones for each of the {len(classes)} labels, {listed(classes)}; apply a "
                "threshold to scores"
            )
        flags = _dense(values).tolist()
        return [tuple(sorted(compress(classes, row))) for row in flags]
    sets = []
    for row, labels in enumerate(values, 1):
        if not is_several(labels):
            value = labels.item() if isinstance(labels, np.generic) else labels
            wanted = label_sets.KIND.wanted(value, error is ReferenceDataError)
            raise error(f"{name}: found {value!r} on row {row}; give {wanted}")
        sets.append(tuple(sorted(_texts(labels, name, error))))
    return sets


def class_of_columns(frame: Any, name: str, classes: Sequence[str], error: Fault) -> Sequence[str]:
    """Return the class of each column: a frame names them, unless they are only numbered."""
    columns = names_of(frame) if is_frame(frame) else [*classes]
    if sorted(columns) == sorted(classes):
        return columns
    if len(columns) == len(classes) and _are_numbered(columns):
        return classes
    raise error(f"{name}: columns {listed(columns)}; name them like the classes, {listed(classes)}")


def _are_numbered(names: Sequence[str]) -> bool:
    return [*names] == [*map(str, range(len(names)))]


def _own_names(frame: Any, classes: Sequence[str]) -> list[str] | None:
    """Return the names of a frame's columns if they are others than the classes, or else None."""
    columns = names_of(frame) if is_frame(frame) else [*classes]
    return None if sorted(columns) == sorted(classes) else columns


def refuse_other_columns(classes: Sequence[str], predictions: Mapping[str, Any]) -> None:
    """Raise SubmissionError if frames would be matched by position against their columns' names.

    Classes that are only numbered cannot be in the order of two frames whose columns differ.
    """
    if not _are_numbered(classes):
        return
    columns_of_entry = {name: _own_names(frame, classes) for name, frame in predictions.items()}
    named = [(name, columns) for name, columns in columns_of_entry.items() if columns is not None]
    for name, columns in named:
        if columns != named[0][1]:
            raise unusable(
                f"{named[0][0]} and {name}: the columns are {listed(named[0][1])} and "
                f"{listed(columns)}, and those of y_true have no names; name them with labels="
            )


def _texts(labels: Any, name: str, error: Fault) -> set[str]:
    if any(map(_is_missing, labels)):
        raise error(f"{name}: a list holds a missing value among labels; leave it out")
    return {str(text_of(label, name, error)) for label in labels}


def judged(qrels: Mapping[Any, Mapping[Any, Any]], name: str) -> list[Any]:
    """Return the (document, grade) of every query, as a file of judgments holds them."""
    of_queries = []
    for query, grades in qrels.items():
        for document, grade in grades.items():
            number = _as_float(grade)
            if number is None or not number.is_integer():
                raise ReferenceDataError(
                    f"{name}: query {query!r}, document {document!r}: found {grade!r}; a grade is "
                    "a whole number"
                )
        of_queries.append(tuple(sorted((str(key), int(grade)) for key, grade in grades.items())))
    return of_queries


def retrieved(run: Any, qrels: Mapping[Any, Any], name: str) -> list[tuple[str, ...]]:
    """Return the documents of every query that is judged, best first, as a run ranks them.

    A query that a run lacks has no documents. As trec_eval does, scores are compared in single
    precision, and of equal ones the later name comes first.
    """
    if not isinstance(run, Mapping) or not run.keys() & qrels.keys():
        raise unusable(f"{name}: give a mapping of query to documents with scores, as y_true")
    ranked = []
    for query in qrels:
        documents = run.get(query, ())
        if isinstance(documents, Mapping):
            numbers = [_as_float(score) for score in documents.values()]
            with np.errstate(over="ignore"):
                single = [np.float32(np.nan if number is None else number) for number in numbers]
            if not np.isfinite(single).all():
                raise unusable(f"{name}: query {query!r}: a score is no finite number")
            scores = dict(zip(map(str, documents), single, strict=True))
            documents = sorted(scores, key=lambda key: (scores[key], key), reverse=True)
        elif not is_several(documents):
            raise unusable(
                f"{name}: query {query!r}: found {documents!r}; give a mapping of documents to "
                "scores, or a list of documents, best first"
            )
        ranked.append(tuple(map(str, documents)))
    return ranked


def _as_float(grade: Any) -> float | None:
    """Return a grade or a score as a number; None if it is none."""
    try:
        return None if isinstance(grade, (str, *_BYTES)) else float(grade)
    except (TypeError, ValueError, OverflowError):
        return None


def joined(values: Any, reference: Any, name: str, error: Fault) -> Any:
    """Return values in the order of ``reference``, by their ids or indexes where both have some."""
    wanted = _ids(reference)
    ids = _ids(values)
    if wanted is None and isinstance(values, Mapping):
        raise error(f"{name}: found a mapping; give y_true as one of the same ids, too")
    if wanted is None or ids is None:
        return values
    if ids != wanted:
        place = {label: row for row, label in enumerate(ids)}
        if len(place) < len(ids) or len(set(wanted)) < len(wanted):
            raise error(
                f"{name}: an index holds a label twice; rows can be joined by unique labels"
            )
        extra = place.keys() - set(wanted)
        missing = set(wanted) - place.keys()
        if extra or missing:
            unknown = counted(len(extra), Phrase("unknown label", "unknown labels"))
            raise error(
                f"{name}: its index has {unknown} and lacks "
                f"{len(missing)}, such as {quoted(str(min(extra | missing, key=str)))}; give "
                "it the index of the other arrays, or pass arrays without one"
            )
        # What a Series gets that is made of an array, which often is in the order of y_true.
        if getattr(getattr(values, "index", None), "step", None) == 1:
            raise error(
                f"{name}: its index is that of new rows, 0 to {len(ids) - 1}; that of the other "
                "arrays holds these numbers in another order, so it is not certain whether the "
                "rows are in one order: give it the index of the others, by .reindex() if they "
                "are not"
            )
    if isinstance(values, Mapping):
        return [values[key] for key in wanted]
    return values if ids == wanted else values.iloc[[place[label] for label in wanted]]


def refuse_other_orders(y_true: Any, arrays: Iterable[tuple[str, Any]]) -> None:
    """Raise ReferenceDataError if arrays would be matched by position against their indexes.

    Two arrays that hold the same labels in another order cannot both be in the order of ``y_true``
    if that has no index.
    """
    if _ids(y_true) is not None:
        return
    orders: list[tuple[str, Any]] = []
    for name, values in arrays:
        index = values.index if hasattr(values, "iloc") else None
        if index is None or any(index.equals(order) for _, order in orders):
            continue
        for first, order in orders:
            same = len(index) == len(order) and index.is_unique and bool(index.isin(order).all())
            if same and order.is_unique:
                raise ReferenceDataError(
                    f"{first} and {name}: the indexes hold the same labels in another order, and "
                    "y_true has no index; give it that of its examples, or pass arrays without one"
                )
        orders.append((name, index))


def _ids(values: Any) -> list[Any] | None:
    """Return the keys of a mapping, the index of a Series or a DataFrame, None of anything else."""
    if isinstance(values, Mapping):
        return list(values)
    index = getattr(values, "index", None) if hasattr(values, "iloc") else None
    return None if index is None else list(index)


def texts_of(values: Iterable[Any]) -> list[str]:
    """Return labels or numbers as texts; a missing value is an empty one."""
    return ["" if _is_missing(value) else _text(value) for value in values]


def _text(value: Any) -> str:
    # Labels are often kept as 0.0 and 1.0, or as False and True.
    if isinstance(value, (bool, np.bool_)) or (isinstance(value, float) and value.is_integer()):
        return str(int(value))
    return str(value)


def _is_missing(value: Any) -> bool:
    try:
        return value is None or bool(value != value)
    except TypeError:  # pandas.NA, which is neither equal nor unequal to itself
        return True
